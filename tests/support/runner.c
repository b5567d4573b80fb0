#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

/*
** Runs every suite, several at a time: two for each processor, or SP_TEST_JOBS. CK_RUN_SUITE, CK_RUN_CASE, CK_FORK,
** CK_VERBOSITY and the rest of Check's variables work; an argument names a suite to run: `build/tests pool wheel`. With
** one job all of them run in this process.
*/
#include "support/process.h"
#include "support/suites.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MOST = 16, SUITES_MOST = 1000 };

typedef struct task {
  const char *name;
  Suite *suite;
} task;

static task tasks[SUITES_MOST];
static int task_count;

/* {== What there is to do ================================================ */

/* What takes longest begins first. The suites whose tests call the Makefile on this very tree stand together: the job
   that takes the first of them does them all, for they write the same files. */
static int rank_of(const char *name)
{
  static const char *const first[] = {"embed",    "install", "package",         "specs_collecting",
                                      "specs",    "reach",   "reload_projects", "reload_memory",
                                      "watchdog", "games",   "escapes",         NULL};
  int rank = 0;
  while (first[rank] && strcmp(first[rank], name) != 0)
    rank++;
  return rank;
}

static bool is_builder(const task *t) { return rank_of(t->name) < 3; }

static int by_rank(const void *a, const void *b)
{
  const task *first = a, *second = b;
  int order = rank_of(first->name) - rank_of(second->name);
  return order ? order : strcmp(first->name, second->name);
}

static bool is_named(const char *name, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0)
      return true;
  return argc < 2;
}

static void find_tasks(int argc, char **argv)
{
  for (int i = 0; sp_suites[i].name && task_count < SUITES_MOST; i++)
    if (is_named(sp_suites[i].name, argc, argv))
      tasks[task_count++] = (task){sp_suites[i].name, sp_suites[i].create()};
  qsort(tasks, (size_t)task_count, sizeof *tasks, by_rank);
}

/* }== */

/* {== Doing it =========================================================== */

static int run(Suite *suite)
{
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed;
}

/* Takes tasks until there are none. Returns how many tests failed. */
static int work(atomic_int *next)
{
  int failed = 0, i;
  while ((i = atomic_fetch_add(next, 1)) < task_count) {
    if (is_builder(&tasks[i]) && i > 0 && is_builder(&tasks[i - 1]))
      continue; /* it is done with that one */
    do
      failed += run(tasks[i].suite);
    while (is_builder(&tasks[i]) && ++i < task_count && is_builder(&tasks[i]));
  }
  return failed;
}

static int job_count(void)
{
  const char *said = getenv("SP_TEST_JOBS");
  long jobs = said ? atol(said) : sysconf(_SC_NPROCESSORS_ONLN) * 2;
  return jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : (int)jobs;
}

/* Each job is a process, as Check has one for each test. */
static bool run_jobs(int jobs, atomic_int *next)
{
  bool passed = true;
  for (int i = 0; i < jobs; i++) {
    pid_t job = fork();
    if (job == 0) {
      setpgid(0, 0);
      exit(work(next) ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    passed = passed && job > 0;
  }
  for (int status; wait(&status) > 0;)
    passed = passed && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
  return passed;
}

/* }== */

int main(int argc, char **argv)
{
  setvbuf(stdout, NULL, _IOLBF, 0); /* what a test says stays in order with Check's own lines */
  test_folders_begin();
  find_tasks(argc, argv);
  int jobs = job_count();
  atomic_int *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool passed = next != MAP_FAILED && (jobs > 1 ? run_jobs(jobs, next) : work(next) == 0);
  test_folders_end();
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
