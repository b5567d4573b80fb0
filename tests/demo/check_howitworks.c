/*
** docs/howitworks.md is true of the sources, as far as a program can tell: its numbers are those of the code, and its
** tables of rooms are kept by tests/support/rooms.lua.
*/
#include "core/state.h"
#include "demo/game_run.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static markdown_page page;

static void setup(void) { page = markdown_open("docs/howitworks.md"); }

static void teardown(void) { markdown_close(&page); }

/* Whether the page says so, wherever its lines break. */
static bool says(const char *words)
{
  for (const char *at = page.text; *at; at++) {
    const char *a = at, *b = words;
    while (*b && (*a == *b || (*b == ' ' && *a == '\n'))) {
      a += *b == ' ' ? strspn(a, " \n") : 1;
      b++;
    }
    if (!*b)
      return true;
  }
  return false;
}

#define EXPECT(...)                                                                                                    \
  do {                                                                                                                 \
    char expected[256];                                                                                                \
    snprintf(expected, sizeof expected, __VA_ARGS__);                                                                  \
    ck_assert_msg(says(expected), "the page does not say: %s", expected);                                              \
  } while (0)

START_TEST(the_numbers_of_the_core_are_those_of_the_page)
{
  ck_assert_uint_eq(SP_MAX_SLOTS, 1u << 24);
  EXPECT("24 bits of slot are `SP_MAX_SLOTS`, %u %03u %03u objects in one manager", SP_MAX_SLOTS / 1000000,
         SP_MAX_SLOTS / 1000 % 1000, SP_MAX_SLOTS % 1000);
  EXPECT("chunks of %d (`SP_CHUNK_SLOTS`)", SP_CHUNK_SLOTS);
  EXPECT("`owners[slot / %d]`", SP_CHUNK_SLOTS);
  EXPECT("behind %u newer ones (`SP_QUARANTINE`)", SP_QUARANTINE);
  EXPECT("%u in all (a turn has %u ticks, %u s at 60 ticks a second)", SP_EXPIRY_NEAR, SP_WHEEL_TURN,
         SP_WHEEL_TURN / 60);
  EXPECT("each of the %u turns after that", SP_EXPIRY_LISTS - SP_EXPIRY_NEAR);
  EXPECT("blocks of %u bytes with %u slot numbers each", (unsigned)sizeof(sp_expiry_block), SP_EXPIRY_BLOCK);
  EXPECT("| `lives.terms` | %u bytes |", (unsigned)sizeof(sp_term));
}
END_TEST

/* Where the code has a number that no header shows. */
static void expect_code(const char *file, const char *code, const char *words)
{
  size_t size;
  char *text = gamerun_read(file, &size);
  ck_assert_msg(strstr(text, code) != NULL, "%s has no '%s' any more: does the page still hold?", file, code);
  EXPECT("%s", words);
  free(text);
}

START_TEST(the_numbers_of_the_binding_are_those_of_the_page)
{
  expect_code("src/script/watch/watch.c", "#define SETTLE 0.040\n", "still for 40 ms");
  expect_code("src/script/watch/watch_scan.c", "#define EXAMINE_EACH 0.12\n", "about every 0.12 s");
  expect_code("src/script/watch/watch_scan.c", "EXAMINED_MOST = 200,", "200 looks per poll at most");
  expect_code("lua/spawnpool/probation.lua", "FRAMES <const> = 120 ", "in 120 frames");
  expect_code("lua/spawnpool/files.lua", "LOOK_MOST <const> = 20000 ", "20 000 entries");
  expect_code("lua/spawnpool/image.lua", "ENTRIES_MOST <const> = 16384 ", "16 384 entries");
  expect_code("src/script/guard/watchdog.c", "#define TICKS_PER_BUDGET 16\n", "16 times per budget");
  expect_code("src/script/guard/watchdog.c", "#define COUNTED_INSTRUCTIONS 10000 ", "every 10 000 instructions");
  expect_code("src/script/script.h", "0: 2 s; negative: for ever", "may compute for 2 s");
}
END_TEST

Suite *sp_suite_howitworks(void)
{
  Suite *suite = suite_create("howitworks");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  tcase_set_timeout(core, PATIENCE);
  tcase_add_test(core, the_numbers_of_the_core_are_those_of_the_page);
  tcase_add_test(core, the_numbers_of_the_binding_are_those_of_the_page);
  suite_add_tcase(suite, core);
  return suite;
}
