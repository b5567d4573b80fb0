/*
** Runs the suites one after the other in this process: there is no fork. A name runs that suite.
*/
#include "support/suites.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h> /* _fmode */
#include <string.h>

static bool is_wanted(const char *name, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0)
      return true;
  return argc == 1;
}

/* A test that forks. */
static bool is_left_out(TestResult *result) { return strstr(tr_msg(result), "'fork' not supported"); }

int main(int argc, char **argv)
{
  int checks = 0, failed = 0, left_out = 0;
  _fmode = _O_BINARY; /* what the tests write has no other bytes than elsewhere */
  setvbuf(stdout, NULL, _IONBF, 0);
  for (const sp_test_suite *it = sp_suites; it->name; it++) {
    if (!is_wanted(it->name, argc, argv))
      continue;
    SRunner *runner = srunner_create(it->create());
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int count = srunner_ntests_run(runner), bad = srunner_ntests_failed(runner);
    TestResult **results = srunner_failures(runner);
    int without = 0;
    for (int i = 0; i < bad; i++)
      if (is_left_out(results[i]))
        without++;
      else
        printf("FAILED %s:%d: %s: %s\n", tr_lfile(results[i]), tr_lno(results[i]), tr_tcname(results[i]),
               tr_msg(results[i]));
    free(results);
    printf("%-22s %4d checks%s\n", it->name, count, bad > without ? "  FAILED" : "");
    checks += count;
    failed += bad - without;
    left_out += without;
    srunner_free(runner);
  }
  printf("%d checks, %d failed, %d left out\n", checks - left_out, failed, left_out);
  return failed > 0 || checks == 0;
}
