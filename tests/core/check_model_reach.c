/*
** Every public call is driven by the random test, or stands here with the reason why it need not be.
*/
#include "support/core_fixture.h"
#include "support/process.h"
#include "support/test.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const drivers[] = {"tests/support/core_real.c", "tests/support/core_play.c",
                                      "tests/support/core_model_check.c", "tests/support/core_fixture.c"};

/* Call, and why it is not driven. */
static const char *const exceptions[][2] = {
    {"sp_result_name", "a table: check_header.c goes through all of it"},
    {"sp_result_text", "a table: check_header.c goes through all of it"},
    {"sp_discard", "frees whatever there is: check_manager.c"},
    {"sp_is_busy", "check_manager.c"},
    {"sp_next_generation", "needs a second manager: check_manager.c"},
    {"sp_pool_alloc_moving", "sp_pool_alloc_at with two floats more: check_calls.c"},
    {"sp_problem", "a text: check_calls.c"},
    {"sp_pool_is_spatial", "never changes: check_pool.c"},
    {"sp_version", "a constant: the header has it"},
    {"sp_why_name", "a table: check_header.c goes through all of it"},
};

/* Returns whether the text calls `name`: the whole word, before a bracket. */
static bool calls(const char *text, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += length)
    if (at[length] == '(' && at > text && !isalnum((unsigned char)at[-1]) && at[-1] != '_')
      return true;
  return false;
}

static const char *reason(const char *name)
{
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
    if (strcmp(exceptions[i][0], name) == 0)
      return exceptions[i][1];
  return NULL;
}

static bool is_driven(char *const *texts, const char *name)
{
  bool driven = false;
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
    driven = driven || calls(texts[i], name);
  return driven;
}

/* The name of the function that a line declares: what stands before its first bracket. */
static bool declared(const char *line, char *name, size_t size)
{
  const char *end = strchr(line, '('), *begin = end;
  while (begin && begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
    begin--;
  if (!begin || (size_t)(end - begin) >= size)
    return false;
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = 0;
  return true;
}

static test_group calls_tests = {"calls"};

TESTS(calls_tests, every_public_call_is_in_the_random_test_or_excepted, 3)
{
  static const char *const headers[] = {"src/core/spawnpool.h", "src/core/spawnpool_save.h",
                                        "src/core/spawnpool_tools.h"};
  char *texts[sizeof drivers / sizeof drivers[0]], *header = test_read_file(headers[_i]), name[64];
  int count = 0;
  ck_assert_ptr_nonnull(header);
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
    ck_assert_ptr_nonnull(texts[i] = test_read_file(drivers[i]));
  for (const char *at = header; (at = strstr(at, "\nSP_API ")) != NULL; count++) {
    at += strlen("\nSP_API ");
    ck_assert(declared(at, name, sizeof name));
    ck_assert_msg(is_driven(texts, name) || reason(name), "%s is not driven", name);
  }
  ck_assert_int_ge(count, _i == 0 ? 70 : 7);
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
    free(texts[i]);
  free(header);
}

SUITE(model_reach, &calls_tests)
