/*
** Runs suites where there are no processes: one after the other, in this one. `node tests.js NAME...`; all without a
** name. Exit status: 0 all passed, 1 some have failed, 2 there is no such suite, or none ran.
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

int main(int argc, char **argv)
{
  int run = 0, failed = 0;
  for (int i = 1; i < argc; i++)
    if (!is_known(argv[i])) {
      fprintf(stderr, "there is no suite '%s'\n", argv[i]);
      return 2;
    }
  for (const sp_test_suite *suite = sp_suites; suite->name; suite++) {
    if (!is_wanted(suite->name, argc, argv))
      continue;
    SRunner *runner = srunner_create(suite->create());
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    run += srunner_ntests_run(runner);
    failed += srunner_ntests_failed(runner);
    srunner_free(runner);
  }
  printf("%d checks, %d failed\n", run, failed);
  return run == 0 ? 2 : failed > 0;
}
