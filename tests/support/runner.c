#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

/*
** Runs the fast suites, or with --slow those of tests/slow, or with --all both: several processes at a time, two for
** each processor, or SP_TEST_JOBS. A name runs that suite, fast or slow: `build/tests query time`. The suites that took
** longest in the last run begin first. SP_TEST_STOP=20 ends the run at the first failure, or after 20 s. CK_RUN_SUITE,
** CK_RUN_CASE, CK_FORK, CK_VERBOSITY and the other variables of Check work.
*/
#include "support/process.h"
#include "support/suites.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MOST = 16, TASKS_MOST = 2000, END_BYTES = 3000 };

#define UNKNOWN 1e6 /* seconds of a task that never ran: it begins first, it may be long */

/* A suite, or one case of it, in a process of its own. */
typedef struct task {
  const char *suite, *test_case; /* "": all cases */
  Suite *tests;                  /* made once, here: those of the specs take a second */
  bool uses_make;
  double seconds; /* of the last run; later of this one */
  pid_t pid;      /* 0: it has not begun */
  FILE *output;   /* what it printed, until it passed; NULL: it prints as it goes */
  bool done;
} task;

/* Written by the process that ran the task. */
typedef struct outcome {
  int checks, failed;
} outcome;

static task tasks[TASKS_MOST];
static int task_count;
static bool keeps_output; /* of each task, in a file */
static outcome *outcomes; /* of each task */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* {== Tasks ============================================================== */

/* These call the Makefile on this very tree and write the same files: only one of them runs at a time. */
static bool uses_make(const char *test_case)
{
  return strcmp(test_case, "docs_programs") == 0 || strcmp(test_case, "install") == 0 ||
         strcmp(test_case, "package") == 0 || strcmp(test_case, "release") == 0;
}

static void add_task(const sp_test_suite *suite, Suite *tests, const char *test_case)
{
  if (task_count == TASKS_MOST)
    abort(); /* no test may be left out in silence */
  tasks[task_count++] = (task){.suite = suite->name,
                               .test_case = test_case,
                               .tests = tests,
                               .uses_make = uses_make(test_case),
                               .seconds = UNKNOWN};
}

/* The files of a suite whose tests are written in Lua, or NULL. Such suites are the longest: each file is a task. */
static const char *lua_files(const char *suite)
{
  return strncmp(suite, "specs", 5) == 0 ? "tests/lua/spec_*.lua"
         : strcmp(suite, "player") == 0  ? "tests/demo/player/*.lua"
         : strcmp(suite, "slow") == 0    ? "tests/slow/*.lua"
                                         : NULL;
}

static void add_lua_files(const sp_test_suite *suite, Suite *tests)
{
  glob_t files;
  if (glob(lua_files(suite->name), 0, NULL, &files) != 0)
    return;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    char *name = strdup(strrchr(files.gl_pathv[i], '/') + 1);
    name[strcspn(name, ".")] = '\0';
    add_task(suite, tests, name);
  }
  globfree(&files);
}

static bool is_wanted(const sp_test_suite *suite, int argc, char **argv)
{
  bool named = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], suite->name) == 0 || strcmp(argv[i], "--all") == 0 ||
        (suite->slow && strcmp(argv[i], "--slow") == 0))
      return true;
    named = true;
  }
  return !named && !suite->slow;
}

static bool is_known(const char *name)
{
  const sp_test_suite *suite = sp_suites;
  while (suite->name && strcmp(suite->name, name) != 0)
    suite++;
  return suite->name || strcmp(name, "--all") == 0 || strcmp(name, "--slow") == 0;
}

/* The fast suites, the slow ones or all, not suites by name. */
static bool are_many(int argc, char **argv) { return argc < 2 || strncmp(argv[1], "--", 2) == 0; }

/* The seconds of the last run; none when suites are named. */
static FILE *open_times(int argc, char **argv, const char *mode)
{
  char path[512];
  snprintf(path, sizeof path, "%s/suite_times%s", SP_BUILD_DIR, argc > 1 ? argv[1] : "");
  return are_many(argc, argv) ? fopen(path, mode) : NULL;
}

static void read_times(FILE *in)
{
  char line[256], name[256], test_case[128];
  while (in && fgets(line, sizeof line, in)) {
    double seconds = 0;
    test_case[0] = '\0';
    if (sscanf(line, "%lf %127[^/\n]/%127s", &seconds, name, test_case) < 2)
      continue;
    for (int i = 0; i < task_count; i++)
      if (strcmp(tasks[i].suite, name) == 0 && strcmp(tasks[i].test_case, test_case) == 0)
        tasks[i].seconds = seconds;
  }
  if (in)
    fclose(in);
}

static void write_times(FILE *out)
{
  for (int i = 0; out && i < task_count; i++)
    fprintf(out, "%.2f %s/%s\n", tasks[i].seconds, tasks[i].suite, tasks[i].test_case);
  if (out)
    fclose(out);
}

static bool is_spec(const task *t) { return strncmp(t->suite, "specs", 5) == 0 && t->test_case[0]; }

/* Of those that never ran the files of specs begin last: most are short. */
static int by_seconds(const void *a, const void *b)
{
  const task *first = a, *second = b;
  int order = (first->seconds < second->seconds) - (first->seconds > second->seconds);
  return order != 0 ? order : is_spec(first) - is_spec(second);
}

static void find_tasks(int argc, char **argv)
{
  for (const sp_test_suite *suite = sp_suites; suite->name; suite++)
    if (!is_wanted(suite, argc, argv))
      continue;
    else if (lua_files(suite->name) && !getenv("CK_RUN_CASE"))
      add_lua_files(suite, suite->create());
    else
      add_task(suite, suite->create(), "");
  read_times(open_times(argc, argv, "r"));
  qsort(tasks, (size_t)task_count, sizeof *tasks, by_seconds);
}

/* }== */

/* {== Output ============================================================= */

/* A file without a name for what a task prints. No other task has it. */
static FILE *open_output(void)
{
  FILE *output = keeps_output ? tmpfile() : NULL;
  if (output)
    fcntl(fileno(output), F_SETFD, FD_CLOEXEC);
  return output;
}

/* In the process of the task. */
static void print_to(FILE *output)
{
  if (output) {
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
  }
}

/* Shows the output from the line after `from` bytes. */
static void show_output(FILE *output, long from)
{
  char line[4096];
  fseek(output, from, SEEK_SET);
  if (from > 0 && fgets(line, sizeof line, output))
    puts("...");
  while (fgets(line, sizeof line, output))
    fputs(line, stdout);
}

static void show_skipped(FILE *output)
{
  char line[4096];
  rewind(output);
  while (fgets(line, sizeof line, output))
    if (strncmp(line, "skipped:", 8) == 0)
      fputs(line, stdout);
}

/* The output of a failed task stays open for the end of the run. */
static void finish_output(task *t, bool passed)
{
  if (!t->output)
    return;
  if (!passed) {
    show_output(t->output, 0);
    return;
  }
  show_skipped(t->output);
  fclose(t->output);
  t->output = NULL;
}

/* The end of what each failed task printed: Check's report of it. */
static void show_failures(void)
{
  for (int i = 0; i < task_count; i++)
    if (tasks[i].output) {
      printf("\n%s %s FAILED:\n", tasks[i].suite, tasks[i].test_case);
      fseek(tasks[i].output, 0, SEEK_END);
      long size = ftell(tasks[i].output);
      show_output(tasks[i].output, size > END_BYTES ? size - END_BYTES : 0);
      fclose(tasks[i].output);
    }
}

/* }== */

/* {== Running ============================================================ */

/* Runs a task in this process. Check tells of failures alone, unless CK_VERBOSITY says otherwise. */
static int run(const task *t, outcome *result)
{
  if (t->test_case[0])
    setenv("CK_RUN_CASE", t->test_case, 1);
  SRunner *runner = srunner_create(t->tests);
  srunner_run_all(runner, getenv("CK_VERBOSITY") ? CK_ENV : CK_SILENT);
  result->checks = srunner_ntests_run(runner);
  result->failed = srunner_ntests_failed(runner);
  if (result->failed && !getenv("CK_VERBOSITY"))
    srunner_print(runner, CK_NORMAL);
  srunner_free(runner);
  return result->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void begin(task *t)
{
  t->seconds = now();
  t->output = open_output();
  fflush(NULL);
  t->pid = fork();
  if (t->pid == 0) {
    setpgid(0, 0);
    print_to(t->output);
    exit(run(t, &outcomes[t - tasks]));
  }
}

/* Begins the first task that may begin. False when there is none. */
static bool begin_next(void)
{
  bool makes = false;
  for (int i = 0; i < task_count; i++)
    makes |= tasks[i].uses_make && tasks[i].pid && !tasks[i].done;
  for (int i = 0; i < task_count; i++)
    if (!tasks[i].pid && !(makes && tasks[i].uses_make)) {
      begin(&tasks[i]);
      return true;
    }
  return false;
}

/* One line for a suite, when its last task is done. */
static void report(const char *suite)
{
  outcome sum = {0};
  double seconds = 0;
  for (int i = 0; i < task_count; i++)
    if (strcmp(tasks[i].suite, suite) == 0) {
      if (!tasks[i].done)
        return;
      sum.checks += outcomes[i].checks;
      sum.failed += outcomes[i].failed;
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
      bool passed = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
      tasks[i].done = true;
      tasks[i].seconds = now() - tasks[i].seconds;
      finish_output(&tasks[i], passed);
      if (!passed && !outcomes[i].failed) {
        printf("%s: its process ended with status %d\n", tasks[i].suite, status);
        outcomes[i].failed = 1;
      }
      report(tasks[i].suite);
      return passed;
    }
  return pid > 0;
}

static int job_count(void)
{
  const char *said = getenv("SP_TEST_JOBS");
  long jobs = said ? atol(said) : sysconf(_SC_NPROCESSORS_ONLN) * 2;
  return jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : (int)jobs;
}

/* Ends the tasks that run; Check ends its children. */
static void stop_all(void)
{
  for (int i = 0; i < task_count; i++)
    if (tasks[i].pid && !tasks[i].done)
      kill(tasks[i].pid, SIGTERM);
}

static void on_alarm(int signal)
{
  (void)signal;
  static const char text[] = "out of time\n";
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
    return;
}

/* The alarm ends the wait for a task, as if that had failed. */
static bool stops_early(void)
{
  const char *seconds = getenv("SP_TEST_STOP");
  const struct sigaction action = {.sa_handler = on_alarm};
  if (seconds && sigaction(SIGALRM, &action, NULL) == 0)
    alarm((unsigned)atoi(seconds));
  return seconds != NULL;
}

static bool run_all(int jobs)
{
  const bool stops = stops_early();
  bool passed = true;
  int running = 0;
  for (;;) {
    if (stops && !passed) {
      stop_all();
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

int main(int argc, char **argv)
{
  double start = now();
  outcome sum = {0};
  setvbuf(stdout, NULL, _IOLBF, 0); /* what a test says stays in order with Check's own lines */
  for (int i = 1; i < argc; i++)
    if (!is_known(argv[i])) {
      fprintf(stderr, "there is no suite '%s'\n", argv[i]);
      return EXIT_FAILURE;
    }
  find_tasks(argc, argv);
  keeps_output = are_many(argc, argv) && !getenv("CK_VERBOSITY");
  outcomes = mmap(NULL, TASKS_MOST * sizeof *outcomes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (outcomes == MAP_FAILED) {
    perror("mmap");
    return EXIT_FAILURE;
  }
  test_folders_begin();
  bool passed = run_all(job_count());
  test_folders_end();
  for (int i = 0; i < task_count; i++)
    sum.checks += outcomes[i].checks, sum.failed += outcomes[i].failed;
  show_failures();
  printf("%d checks, %d failed, %.0f s\n", sum.checks, sum.failed, now() - start);
  write_times(open_times(argc, argv, "w"));
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
