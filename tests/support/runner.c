/*
** Runs every suite. CK_RUN_SUITE, CK_RUN_CASE, CK_FORK, CK_VERBOSITY and the rest of Check's variables work; an
** argument names a suite to run: `build/tests pool wheel`.
*/
#include "support/process.h"
#include "support/suites.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  setvbuf(stdout, NULL, _IOLBF, 0); /* what a test says stays in order with Check's own lines */
  test_folders_begin();
  SRunner *runner = srunner_create(NULL);
  for (int i = 0; sp_suites[i]; i++)
    srunner_add_suite(runner, sp_suites[i]());
  if (argc < 2)
    srunner_run_all(runner, CK_ENV);
  for (int i = 1; i < argc; i++)
    srunner_run(runner, argv[i], NULL, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  test_folders_end();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
