/*
** The shrinker, on toy faults: what is left is exactly what is needed. And the child in which things may fail.
*/
#include "support/attempt.h"
#include "support/process.h"
#include "support/shrink.h"
#include "support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 500 };

typedef struct toy {
  int asked;
  int needs[3]; /* turns, in this order; -1: no more */
  int size;     /* that the first of them must have at least */
} toy;

static bool toy_fails(void *ud, const shrink_item *items, int count)
{
  toy *t = ud;
  int found = 0;
  t->asked++;
  for (int i = 0; i < count && found < 3 && t->needs[found] >= 0; i++)
    if (items[i].turn == t->needs[found] && (found > 0 || items[i].size >= t->size))
      found++;
  return found == 3 || t->needs[found] < 0;
}

static int shrink_toy(toy *t, shrink_item *items, int most)
{
  for (int i = 0; i < TURNS; i++)
    items[i] = (shrink_item){i, SHRINK_WHOLE};
  return shrink(items, TURNS, toy_fails, t, most);
}

static test_group tcase = {"shrink"};

TESTS(tcase, what_is_left_is_what_is_needed, 4)
{
  static const toy toys[] = {
      {0, {250, -1, -1}, 0}, {0, {0, TURNS - 1, -1}, 0}, {0, {7, 131, 132}, 0}, {0, {3, 300, 499}, 8}};
  shrink_item items[TURNS];
  toy t = toys[_i];
  int needed = t.needs[1] < 0 ? 1 : t.needs[2] < 0 ? 2 : 3;
  ck_assert_int_eq(shrink_toy(&t, items, 10000), needed);
  for (int i = 0; i < needed; i++) {
    ck_assert_int_eq(items[i].turn, t.needs[i]);
    ck_assert_int_eq(items[i].size, i == 0 ? t.size : 0);
  }
  ck_assert_int_lt(t.asked, 500); /* far less than one by one */
}

TEST(tcase, a_fault_that_needs_nothing_leaves_nothing)
{
  shrink_item items[TURNS];
  toy t = {0, {-1, -1, -1}, 0};
  ck_assert_int_eq(shrink_toy(&t, items, 10000), 0);
}

TEST(tcase, it_stops_asking_and_what_is_left_still_fails)
{
  shrink_item items[TURNS];
  toy t = {0, {7, 131, 132}, 0};
  int left = shrink_toy(&t, items, 9);
  ck_assert_int_eq(t.asked, 9);
  ck_assert(left < TURNS && toy_fails(&t, items, left));
}

static void behave(void *ud, FILE *out)
{
  const char *how = ud;
  fprintf(out, "before");
  fflush(out);
  ck_assert_msg(strcmp(how, "fail") != 0, "it is %d", 12);
  if (strcmp(how, "crash") == 0)
    raise(SIGKILL);
  if (strcmp(how, "hang") == 0)
    pause();
}

TESTS(tcase, an_attempt_tells_how_it_failed, 4)
{
  static const char *const how[] = {"work", "fail", "crash", "hang"};
  static const char *const says[] = {"", "it is 12", "signal 9", "signal 14"};
  char message[100], *said = NULL;
  if (!attempt_can()) {
    test_skip("an_attempt_tells_how_it_failed", "a child that ends early leaks");
    return;
  }
  bool failed = attempt(behave, (void *)how[_i], _i == 3 ? 1 : 100, message, sizeof message, &said);
  ck_assert(failed == (_i > 0));
  ck_assert_str_eq(message, says[_i]);
  ck_assert_str_eq(said, "before");
  free(said);
}

TEST(tcase, numbers_do_not_make_another_fault)
{
  ck_assert(attempt_is_same("pool 1: live is 3, the model says 4", "pool 2: live is 12, the model says 10"));
  ck_assert(!attempt_is_same("pool 1: live is 3", "pool 1: idle is 3"));
  ck_assert(!attempt_is_same("signal 6", "signal 11"));
  ck_assert(attempt_is_same("signal 11", "signal 11"));
}

SUITE(shrink, &tcase)
