/*
** Runs suites where there are no processes, as WebAssembly and on Windows: one after the other, in this process.
** `node tests.js NAME...`; all without a name. Exit status: 0 all passed, 1 some have failed, or no test ran.
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

int main(int argc, char **argv)
{
  int checks = 0, failed = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
#ifdef __EMSCRIPTEN__
  setenv("CK_FORK", "no", 1); /* for tests that end their process: they are left out */
  setenv("SP_NO_PIPES", "1", 1);
#endif
  for (const sp_test_suite *suite = sp_suites; suite->name; suite++) {
    if (!is_wanted(suite->name, argc, argv))
      continue;
    SRunner *runner = srunner_create(suite->create());
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int count = srunner_ntests_run(runner), bad = srunner_ntests_failed(runner);
    TestResult **failures = srunner_failures(runner);
    for (int i = 0; i < bad; i++)
      printf("FAILED %s:%d: %s: %s\n", tr_lfile(failures[i]), tr_lno(failures[i]), tr_tcname(failures[i]),
             tr_msg(failures[i]));
    printf("%-22s %4d checks%s\n", suite->name, count, bad > 0 ? "  FAILED" : "");
    checks += count;
    failed += bad;
    free((void *)failures);
    srunner_free(runner);
  }
  printf("%d checks, %d failed\n", checks, failed);
  return checks == 0 || failed > 0;
}
