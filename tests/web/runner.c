/*
** Runs suites where there are no processes: one after the other, in this one. `node tests.js NAME...`; all without a
** name. Tests that need a process, for a folder of their own say, are counted and left out. Exit status: 0 all passed,
** 1 some have failed, 2 there is no such suite, or none ran.
*/
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suites.h"

static bool is_wanted(const char *suite, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], suite) == 0)
      return true;
  return argc == 1;
}

static bool is_known(const char *name)
{
  const sp_test_suite *suite = sp_suites;
  while (suite->name && strcmp(suite->name, name) != 0)
    suite++;
  return suite->name;
}

typedef struct totals {
  int run, failed, left_out;
} totals;

/* Lua says so where there are none, and so do tests that fork. */
static bool needs_process(TestResult *result)
{
  return strstr(tr_msg(result), "'popen' not supported") || strstr(tr_msg(result), "'fork' not supported");
}

static void run(const sp_test_suite *suite, totals *t)
{
  SRunner *runner = srunner_create(suite->create());
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_SILENT);
  int failed = srunner_ntests_failed(runner), left_out = 0;
  TestResult **failures = srunner_failures(runner);
  for (int i = 0; i < failed; i++)
    if (needs_process(failures[i]))
      left_out++;
    else
      printf("%s:%d: %s: %s\n", tr_lfile(failures[i]), tr_lno(failures[i]), tr_tcname(failures[i]),
             tr_msg(failures[i]));
  printf("%s: %d checks, %d failed, %d left out\n", suite->name, srunner_ntests_run(runner) - left_out,
         failed - left_out, left_out);
  t->run += srunner_ntests_run(runner) - left_out;
  t->failed += failed - left_out;
  t->left_out += left_out;
  free((void *)failures);
  srunner_free(runner);
}

int main(int argc, char **argv)
{
  totals t = {0, 0, 0};
  setenv("CK_FORK", "no", 1); /* some tests end their process, and are left out for that */
  setenv("SP_NO_PIPES", "1", 1);
  for (int i = 1; i < argc; i++)
    if (!is_known(argv[i])) {
      fprintf(stderr, "there is no suite '%s'\n", argv[i]);
      return 2;
    }
  for (const sp_test_suite *suite = sp_suites; suite->name; suite++)
    if (is_wanted(suite->name, argc, argv))
      run(suite, &t);
  printf("%d checks, %d failed; %d left out: they need a process\n", t.run, t.failed, t.left_out);
  return t.run == 0 ? 2 : t.failed > 0;
}
