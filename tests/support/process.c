#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* vasprintf */
#endif

/*
** fork, exec of /bin/sh in a process group of its own, which prints to two files until it ends or time is up.
*/
#include "support/process.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Undoes the changes of a test to the signals of this process: a program that starts with one ignored may wait for it
   for ever. */
static void reset_signals(void)
{
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGUSR1, SIG_DFL);
}

static void child_exec(const char *command, FILE *out, FILE *err)
{
  static const char *const makes[] = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"};
  for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
    unsetenv(makes[i]); /* a make under test is not a child of the make that runs the tests */
  setpgid(0, 0);
  reset_signals();
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(fileno(out), 1);
  dup2(fileno(err), 2);
  for (int fd = 3; fd < 64; fd++)
    close(fd);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

/* The exit status of `pid`, waited for until the deadline; the group is killed when time is up. */
static int child_wait(pid_t pid, double deadline, bool *timed_out)
{
  int status = 0;
  struct timespec nap = {0, 2000000};
  while (waitpid(pid, &status, *timed_out ? 0 : WNOHANG) == 0) {
    *timed_out = now() > deadline;
    if (*timed_out)
      kill(-pid, SIGKILL);
    else
      nanosleep(&nap, NULL);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Drops the player's warning about missing walls of the kernel: only the suite wall, which joins stderr and stdout,
   tests it. */
static void drop_word_of_walls(test_process *p)
{
  static const char head[] = "spawnpool: the second wall of the sandbox is incomplete";
  for (char *line = p->err, *end; (line = strstr(line, head)) && (end = strchr(line, '\n'));) {
    memmove(line, end + 1, p->err_size - (size_t)(end + 1 - p->err) + 1);
    p->err_size -= (size_t)(end + 1 - line);
  }
}

double test_patience(void)
{
  const char *said = getenv("CK_TIMEOUT_MULTIPLIER");
  double load = 0, most = 10;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (getloadavg(&load, 1) == 1 && processors > 0)
    load /= (double)(JOBS_FOR_EACH * processors);
  return fmax(said ? atof(said) : 1, fmin(load, most));
}

test_process test_run(double seconds, const char *format, ...)
{
  test_process p = {.status = -1};
  FILE *out = tmpfile(), *err = tmpfile();
  char *command = NULL;
  double start = now();
  va_list args;
  va_start(args, format);
  if (!out || !err || vasprintf(&command, format, args) < 0)
    abort(); /* there is no way to run tests */
  va_end(args);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0)
    child_exec(command, out, err);
  seconds *= test_patience();
  if (pid > 0)
    p.status = child_wait(pid, start + seconds, &p.timed_out);
  if (p.timed_out)
    fprintf(err, "\nended by the test after %.0f s: a busy machine may need CK_TIMEOUT_MULTIPLIER=%.0f\n", seconds,
            ceil(2 * test_patience()));
  p.out = test_read_all(out, &p.out_size);
  p.err = test_read_all(err, &p.err_size);
  drop_word_of_walls(&p);
  p.seconds = now() - start;
  free(command);
  return p;
}

void test_process_free(test_process *process)
{
  free(process->out);
  free(process->err);
  *process = (test_process){.status = -1};
}

/* Where test_folder_make puts its folders: one for the whole run, known to the children of the runner. */
#define FOLDERS "SP_TEST_FOLDERS"

/* Short names: Lua's messages cut off the beginning of a long path. */
static bool folder_make_in(const char *parent, const char *name, char *path, size_t size)
{
  int n = snprintf(path, size, "%s/%sXXXXXX", parent, name);
  return n > 0 && (size_t)n < size && mkdtemp(path) != NULL;
}

/* Some systems run no program from where temporary files are. */
static bool can_run_programs_in(const char *folder)
{
  char path[600];
  snprintf(path, sizeof path, "%s/program", folder);
  FILE *file = fopen(path, "w");
  bool can = file && fchmod(fileno(file), S_IRWXU) == 0 && access(path, X_OK) == 0;
  if (file)
    fclose(file);
  unlink(path);
  return can;
}

void test_folders_begin(void)
{
  char path[512], built[256], *build = realpath(SP_BUILD_DIR, NULL);
  snprintf(built, sizeof built, "%s", build ? build : "");
  free(build);
  const char *wanted = getenv("TMPDIR"), *parents[] = {wanted ? wanted : "", "/tmp", built};
  for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
    if (!parents[i][0] || !folder_make_in(parents[i], "spawnpool-", path, sizeof path))
      continue;
    if (can_run_programs_in(path)) {
      setenv(FOLDERS, path, 1);
      break;
    }
    rmdir(path);
  }
  /* Nothing is stored for good, and no sound of the machine is used. */
  const char *folders = getenv(FOLDERS);
  if (folders) {
    static const char *const homes[] = {"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
      setenv(homes[i], folders, 1);
  }
  setenv("SDL_AUDIODRIVER", "dummy", 1);
  setenv("LC_ALL", "C", 1); /* messages of programs are compared, and [a-z] has an i */
}

void test_folders_end(void)
{
  const char *folders = getenv(FOLDERS);
  if (folders)
    test_folder_remove(folders);
}

bool test_folder_make(char *path, size_t size)
{
  const char *folders = getenv(FOLDERS);
  return folder_make_in(folders ? folders : "/tmp", folders ? "" : "spawnpool-", path, size);
}

const char *test_tool(void)
{
  const char *tool = getenv("SP_TEST_TOOL");
  return tool ? tool : "";
}

void test_skip(const char *test, const char *why) { printf("skipped: %s: %s\n", test, why); }
