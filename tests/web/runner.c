/*
** Runs suites where there are no processes, as WebAssembly and on Windows: one after the other, in this process.
** `node tests.js NAME...`; all without a name. Tests that need a process are counted and left out. Exit status: 0 all
** passed, 1 some have failed, or no test ran.
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

/* Lua says so where there are none. */
static bool needs_process(TestResult *result) { return strstr(tr_msg(result), "'popen' not supported") != NULL; }

int main(int argc, char **argv)
{
  int checks = 0, failed = 0, left_out = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
#ifdef __EMSCRIPTEN__
  setenv("CK_FORK", "no", 1); /* some tests end their process, and are left out for that */
  setenv("SP_NO_PIPES", "1", 1);
#endif
  for (const sp_test_suite *suite = sp_suites; suite->name; suite++) {
    if (!is_wanted(suite->name, argc, argv))
      continue;
    SRunner *runner = srunner_create(suite->create());
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int bad = srunner_ntests_failed(runner), without = 0;
    TestResult **failures = srunner_failures(runner);
    for (int i = 0; i < bad; i++)
      if (needs_process(failures[i]))
        without++;
      else
        printf("FAILED %s:%d: %s: %s\n", tr_lfile(failures[i]), tr_lno(failures[i]), tr_tcname(failures[i]),
               tr_msg(failures[i]));
    printf("%-22s %4d checks%s\n", suite->name, srunner_ntests_run(runner) - without, bad > without ? "  FAILED" : "");
    checks += srunner_ntests_run(runner) - without;
    failed += bad - without;
    left_out += without;
    free((void *)failures);
    srunner_free(runner);
  }
  printf("%d checks, %d failed; %d left out: they need a process\n", checks, failed, left_out);
  return checks == 0 || failed > 0;
}
