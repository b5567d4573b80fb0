#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif

/*
** Runs the fast suites, or with --slow those of tests/slow, or with --all both: several processes at a time, two for
** each processor, or SP_TEST_JOBS. A name runs that suite, fast or slow: `build/tests query time`. SP_TEST_STOP=20 ends
** the run at the first failure, or after 20 s. CK_RUN_SUITE, CK_RUN_CASE, CK_FORK, CK_VERBOSITY and the other variables
** of Check work.
*/
#include "support/process.h"
#include "support/suites.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MOST = 16, TASKS_MOST = 2000 };

/* Suites and files that take longest: they begin first, so that none of them is what the end waits for. */
static const char long_tasks[] = " projects escapes spec_reload_histories spec_reload_played games rewind soak edits "
                                 "assets docs luajit recording hardened recordings host_memory ";

/* A suite, or one case of it, in a process of its own. */
typedef struct task {
  const char *suite, *test_case; /* "": all cases */
  Suite *tests;                  /* made once, here: those of the specs take a second */
  double seconds;                /* that it took; first, when it began */
  pid_t pid;                     /* 0: it has not begun */
  FILE *output;                  /* what it printed, until it passed; NULL: it prints as it goes */
  bool done;
} task;

typedef struct counts {
  int checks, failed;
} counts;

static task tasks[TASKS_MOST];
static counts *counted; /* of each task, in memory that its process shares */
static int task_count;
static bool is_whole; /* not suites by name: output is kept in files */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* {== Tasks ============================================================== */

static void add_task(const char *suite, Suite *tests, const char *test_case)
{
  if (task_count == TASKS_MOST)
    abort(); /* no test may be left out in silence */
  tasks[task_count++] = (task){.suite = suite, .test_case = test_case, .tests = tests};
}

/* Suites whose tests are written in Lua are the longest: each file is a task. */
static void add_suite(const sp_test_suite *suite)
{
  const char *files = strncmp(suite->name, "specs", 5) == 0 ? "tests/lua/spec_*.lua"
                      : strcmp(suite->name, "player") == 0  ? "tests/demo/player/*.lua"
                      : strcmp(suite->name, "script") == 0  ? "tests/script/*.lua"
                      : strcmp(suite->name, "slow") == 0    ? "tests/slow/*.lua"
                                                            : NULL;
  Suite *tests = suite->create();
  glob_t found;
  if (!files || getenv("CK_RUN_CASE") || glob(files, 0, NULL, &found) != 0) {
    add_task(suite->name, tests, "");
    return;
  }
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *name = strdup(strrchr(found.gl_pathv[i], '/') + 1);
    name[strcspn(name, ".")] = '\0';
    add_task(suite->name, tests, name);
  }
  globfree(&found);
}

static bool is_wanted(const sp_test_suite *suite, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], suite->name) == 0 || strcmp(argv[i], "--all") == 0 ||
        (suite->slow && strcmp(argv[i], "--slow") == 0))
      return true;
  return argc == 1 && !suite->slow;
}

static bool is_known(const char *name)
{
  const sp_test_suite *suite = sp_suites;
  while (suite->name && strcmp(suite->name, name) != 0)
    suite++;
  return suite->name || strcmp(name, "--all") == 0 || strcmp(name, "--slow") == 0;
}

static bool is_long(const task *t)
{
  char name[64];
  snprintf(name, sizeof name, " %s ", t->test_case[0] ? t->test_case : t->suite);
  return strstr(long_tasks, name) != NULL;
}

/* }== */

/* {== Output ============================================================= */

/* In the process of the task. */
static void print_to(FILE *output)
{
  if (output) {
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
  }
}

/* Prints the lines that begin with `begin`. */
static void show_output(FILE *output, const char *begin)
{
  char line[4096];
  rewind(output);
  while (fgets(line, sizeof line, output))
    if (strncmp(line, begin, strlen(begin)) == 0)
      fputs(line, stdout);
}

/* What a failed task printed is shown at the end of the run. */
static void finish_output(task *t)
{
  if (!t->output || counted[t - tasks].failed)
    return;
  show_output(t->output, "skipped:");
  fclose(t->output);
  t->output = NULL;
}

static void show_failures(void)
{
  for (int i = 0; i < task_count; i++)
    if (tasks[i].output) {
      printf("\n%s %s FAILED:\n", tasks[i].suite, tasks[i].test_case);
      show_output(tasks[i].output, "");
    }
}

/* }== */

/* {== Running ============================================================ */

/* Runs a task in this process. Check tells of failures alone, unless CK_VERBOSITY says otherwise. */
static void run(const task *t)
{
  if (t->test_case[0])
    setenv("CK_RUN_CASE", t->test_case, 1);
  SRunner *runner = srunner_create(t->tests);
  srunner_run_all(runner, getenv("CK_VERBOSITY") ? CK_ENV : CK_SILENT);
  counts *c = &counted[t - tasks];
  *c = (counts){srunner_ntests_run(runner), srunner_ntests_failed(runner)};
  if (c->failed && !getenv("CK_VERBOSITY"))
    srunner_print(runner, CK_NORMAL);
  srunner_free(runner);
}

static void begin(task *t)
{
  t->seconds = now();
  t->output = is_whole && !getenv("CK_VERBOSITY") ? tmpfile() : NULL;
  if (t->output)
    fcntl(fileno(t->output), F_SETFD, FD_CLOEXEC); /* no other task has it */
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    print_to(t->output);
    run(t);
    exit(EXIT_SUCCESS);
  }
  t->pid = pid;
}

/* These call the Makefile on this very tree and write the same files: only one of them runs at a time. */
static bool uses_make(const task *t)
{
  return strcmp(t->test_case, "docs_programs") == 0 || strcmp(t->test_case, "install") == 0 ||
         strcmp(t->test_case, "package") == 0 || strcmp(t->test_case, "release") == 0;
}

/* Begins a task that may begin, a long one first. False when there is none. */
static bool begin_next(void)
{
  bool makes = false;
  for (int i = 0; i < task_count; i++)
    makes |= tasks[i].pid && !tasks[i].done && uses_make(&tasks[i]);
  task *next = NULL;
  for (task *t = tasks; t < tasks + task_count; t++)
    if (!t->pid && !(makes && uses_make(t)) && (!next || (is_long(t) && !is_long(next))))
      next = t;
  if (next)
    begin(next);
  return next != NULL;
}

/* One line for a suite, when its last task is done. */
static void report(const char *suite)
{
  counts sum = {0};
  double seconds = 0;
  for (int i = 0; i < task_count; i++)
    if (strcmp(tasks[i].suite, suite) == 0) {
      if (!tasks[i].done)
        return;
      sum.checks += counted[i].checks;
      sum.failed += counted[i].failed;
      seconds += tasks[i].seconds;
    }
  printf("%-20s %4d checks %6.1f s%s\n", suite, sum.checks, seconds, sum.failed ? "  FAILED" : "");
}

/* Waits for one task. False when it failed. */
static bool finish_one(void)
{
  int status = 0;
  pid_t pid = wait(&status);
  for (int i = 0; i < task_count; i++)
    if (tasks[i].pid == pid && !tasks[i].done) { /* numbers of processes are used again */
      task *t = &tasks[i];
      t->done = true;
      t->seconds = now() - t->seconds;
      if (status != 0) {
        printf("%s: its process ended with status %d\n", t->suite, status);
        counted[i].failed = 1;
      }
      finish_output(t);
      report(t->suite);
      return !counted[i].failed;
    }
  return pid > 0;
}

static int job_count(void)
{
  const char *said = getenv("SP_TEST_JOBS");
  long jobs = said ? atol(said) : sysconf(_SC_NPROCESSORS_ONLN) * JOBS_FOR_EACH;
  return jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : (int)jobs;
}

/* Ends the tasks that run; Check ends its children. */
static void stop_all(int signal)
{
  for (int i = 0; i < task_count; i++)
    if (tasks[i].pid && !tasks[i].done)
      kill(tasks[i].pid, SIGTERM);
  if (signal)
    _exit(EXIT_FAILURE); /* out of time */
}

static bool run_all(int jobs)
{
  const char *stop = getenv("SP_TEST_STOP");
  bool passed = true;
  int running = 0;
  if (stop && signal(SIGALRM, stop_all) != SIG_ERR)
    alarm((unsigned)atoi(stop));
  for (;;) {
    if (stop && !passed) {
      stop_all(0);
      return false;
    }
    while (running < jobs && begin_next())
      running++;
    if (running == 0)
      return passed;
    passed &= finish_one();
    running--;
  }
}

/* }== */

/* Valgrind cannot make the stack deeper while it delivers a signal, so it is deep from the start. */
static void deepen_stack(void)
{
  volatile char room[1 << 19];
  for (size_t i = 0; i < sizeof room; i += 1024)
    room[i] = 0;
}

int main(int argc, char **argv)
{
  deepen_stack();
  double start = now();
  char patience[32];
  snprintf(patience, sizeof patience, "%.0f", fmax(2, ceil(test_patience()))); /* a limit of test_run is passed first */
  setenv("CK_TIMEOUT_MULTIPLIER", patience, 0);
  int checks = 0, failed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0); /* what a test says stays in order with Check's own lines */
  for (int i = 1; i < argc; i++)
    if (!is_known(argv[i])) {
      fprintf(stderr, "there is no suite '%s', but there are:\n", argv[i]);
      for (const sp_test_suite *suite = sp_suites; suite->name; suite++)
        fprintf(stderr, "  %s\n", suite->name);
      return EXIT_FAILURE;
    }
  counted = mmap(NULL, TASKS_MOST * sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (counted == MAP_FAILED) {
    perror("mmap");
    return EXIT_FAILURE;
  }
  is_whole = argc < 2 || strncmp(argv[1], "--", 2) == 0;
  for (const sp_test_suite *suite = sp_suites; suite->name; suite++)
    if (is_wanted(suite, argc, argv))
      add_suite(suite);
  test_folders_begin();
  bool passed = run_all(job_count());
  test_folders_end();
  for (int i = 0; i < task_count; i++)
    checks += counted[i].checks, failed += counted[i].failed;
  show_failures();
  printf("%d checks, %d failed, %.0f s\n", checks, failed, now() - start);
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
