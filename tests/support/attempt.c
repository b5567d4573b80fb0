#include "support/attempt.h"

#include "support/process.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static attempt_fn attempt_body; /* for the one test below, which Check calls without arguments */
static void *attempt_ud;
static FILE *attempt_out;

START_TEST(attempt_itself)
{
  attempt_body(attempt_ud, attempt_out);
  fflush(attempt_out);
}
END_TEST

bool attempt_can(void) { return strcmp(test_tool(), "valgrind") != 0 && strcmp(test_tool(), "coverage") != 0; }

bool attempt(attempt_fn body, void *ud, int seconds, char *message, size_t size, char **said)
{
  FILE *out = tmpfile();
  ck_assert_ptr_nonnull(out);
  attempt_body = body;
  attempt_ud = ud;
  attempt_out = out;
  Suite *suite = suite_create("attempt");
  TCase *tcase = tcase_create("attempt");
  tcase_set_timeout(tcase, seconds);
  tcase_add_test(tcase, attempt_itself);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_FORK);
  srunner_run(runner, "attempt", "attempt", CK_SILENT);
  bool failed = srunner_ntests_failed(runner) > 0;
  TestResult **results = srunner_failures(runner);
  snprintf(message, size, "%s", failed ? tr_msg(results[0]) : "");
  free((void *)results);
  srunner_free(runner);
  char *text = test_read_all(out, &size);
  if (said)
    *said = text;
  else
    free(text);
  return failed;
}

bool attempt_is_same(const char *a, const char *b)
{
  for (;; a++, b++) {
    a += strspn(a, "0123456789abcdefABCDEF");
    b += strspn(b, "0123456789abcdefABCDEF");
    if (*a != *b || !*a)
      return *a == *b;
  }
}
