#include "support/attempt.h"

#include "support/process.h"

#include <check.h>
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
