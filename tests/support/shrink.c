#include "support/shrink.h"

#include "support/process.h"

#include <check.h>
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* {== Shrinking ========================================================== */

typedef struct search {
  shrink_fn fails;
  void *ud;
  int left; /* questions */
  shrink_item *items, *trial;
  int count;
} search;

static bool still_fails(search *s, int count) { return s->left-- > 0 && s->fails(s->ud, s->trial, count); }

/* Leaves out `size` items from `from` on, if it still fails then. */
static bool drop(search *s, int from, int size)
{
  int end = from + size < s->count ? from + size : s->count, left = s->count - (end - from);
  memcpy(s->trial, s->items, (size_t)from * sizeof *s->items);
  memcpy(s->trial + from, s->items + end, (size_t)(s->count - end) * sizeof *s->items);
  if (!still_fails(s, left))
    return false;
  memcpy(s->items, s->trial, (size_t)left * sizeof *s->items);
  s->count = left;
  return true;
}

/* From the end: what comes after the fault goes at once. */
static bool drop_parts(search *s, int size)
{
  bool dropped = false;
  for (int from = (s->count - 1) / size * size; from >= 0; from -= size)
    if (from < s->count && s->left > 0)
      dropped = drop(s, from, size) || dropped;
  return dropped;
}

static bool make_smaller(search *s, int at)
{
  static const int sizes[] = {0, 1, 2, 4, 8, 16};
  for (int i = 0; i < 6 && sizes[i] < s->items[at].size && s->left > 0; i++) {
    memcpy(s->trial, s->items, (size_t)s->count * sizeof *s->items);
    s->trial[at].size = sizes[i];
    if (still_fails(s, s->count)) {
      s->items[at].size = sizes[i];
      return true;
    }
  }
  return false;
}

int shrink(shrink_item *items, int count, shrink_fn fails, void *ud, int most)
{
  search s = {fails, ud, most, items, malloc(((size_t)count + 1) * sizeof *items), count};
  if (!s.trial)
    return count;
  for (bool again = true; again && s.left > 0;) {
    again = false;
    for (int size = (s.count + 1) / 2; size > 1; size /= 2)
      drop_parts(&s, size);
    while (s.count > 0 && s.left > 0 && drop_parts(&s, 1)) /* one may have waited for another */
      again = true;
    for (int at = s.count - 1; at >= 0; at--)
      again = make_smaller(&s, at) || again;
  }
  free(s.trial);
  return s.count;
}

/* }== */

/* {== An attempt ========================================================= */

static attempt_fn attempt_body; /* for the one test below, which Check calls without arguments */
static void *attempt_ud;
static FILE *attempt_out;

START_TEST(attempt_itself)
{
  signal(SIGALRM, SIG_DFL); /* Check's own handler would end the tests around this one too */
  attempt_body(attempt_ud, attempt_out);
}
END_TEST

/* In the child: a runner of its own catches what fails. */
static void run_child(FILE *told)
{
  Suite *suite = suite_create("attempt");
  TCase *tcase = tcase_create("attempt");
  tcase_add_test(tcase, attempt_itself);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run(runner, "attempt", "attempt", CK_SILENT);
  int failed = srunner_ntests_failed(runner);
  TestResult **results = srunner_failures(runner);
  if (failed > 0)
    fputs(tr_msg(results[0]), told);
  fflush(told);
  fflush(attempt_out);
  _exit(failed > 0);
}

static char *read_all(FILE *file)
{
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  char *text = calloc(1, (size_t)(size > 0 ? size : 0) + 1);
  rewind(file);
  if (text && size > 0 && fread(text, 1, (size_t)size, file) != (size_t)size)
    text[0] = 0;
  return text;
}

bool attempt_can(void) { return strcmp(test_tool(), "valgrind") != 0 && strcmp(test_tool(), "coverage") != 0; }

bool attempt(attempt_fn body, void *ud, int seconds, char *message, size_t size, char **said)
{
  FILE *told = tmpfile(), *out = tmpfile();
  ck_assert(told && out);
  attempt_body = body;
  attempt_ud = ud;
  attempt_out = out;
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm((unsigned)seconds);
    run_child(told);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  char *text = read_all(told);
  snprintf(message, size, "%s", text ? text : "");
  if (WIFSIGNALED(status))
    snprintf(message, size, "signal %d", WTERMSIG(status));
  free(text);
  if (said)
    *said = read_all(out);
  fclose(told);
  fclose(out);
  return status != 0;
}

bool attempt_is_same(const char *a, const char *b)
{
  bool crashed = strncmp(a, "signal ", 7) == 0;
  for (;; a++, b++) {
    while (!crashed && isxdigit((unsigned char)*a))
      a++;
    while (!crashed && isxdigit((unsigned char)*b))
      b++;
    if (*a != *b)
      return false;
    if (!*a)
      return true;
  }
}

/* }== */
