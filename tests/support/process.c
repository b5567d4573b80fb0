/*
** fork, exec of /bin/sh in a process group of its own, and a poll loop over both pipes until they close or time is up.
*/
#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct stream {
  int fd;
  char *text;
  size_t size;
} stream;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Appends what can be read; false at the end. */
static bool stream_read(stream *s)
{
  char buffer[4096];
  ssize_t n = read(s->fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return true;
  char *text = n > 0 ? realloc(s->text, s->size + (size_t)n + 1) : NULL;
  if (!text)
    return false;
  s->text = text;
  memcpy(s->text + s->size, buffer, (size_t)n);
  s->size += (size_t)n;
  s->text[s->size] = '\0';
  return true;
}

/* Reads both streams to their end. False when time is up. */
static bool streams_drain(stream *streams, double deadline)
{
  for (;;) {
    struct pollfd polls[2];
    for (int i = 0; i < 2; i++)
      polls[i] = (struct pollfd){.fd = streams[i].fd, .events = POLLIN};
    if (polls[0].fd < 0 && polls[1].fd < 0)
      return true;
    double left = deadline - now();
    if (left <= 0)
      return false;
    if (poll(polls, 2, (int)(left * 1000) + 1) < 0 && errno != EINTR)
      return true;
    for (int i = 0; i < 2; i++)
      if (polls[i].fd >= 0 && polls[i].revents && !stream_read(&streams[i])) {
        close(streams[i].fd);
        streams[i].fd = -1;
      }
  }
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

static void child_exec(const char *command, int out, int err)
{
  static const char *const makes[] = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"};
  for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
    unsetenv(makes[i]); /* a make under test is not a child of the make that runs the tests */
  setpgid(0, 0);
  reset_signals();
  int in = open("/dev/null", O_RDONLY);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
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

static char *format_command(const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  char *command = malloc((size_t)size + 1);
  if (command)
    vsnprintf(command, (size_t)size + 1, format, again);
  va_end(again);
  return command;
}

/* Drops the player's warning about missing walls of the kernel: only the suite wall, which joins stderr and stdout,
   tests it. */
static void drop_word_of_walls(stream *err)
{
  static const char head[] = "spawnpool: the second wall of the sandbox is incomplete";
  for (char *line = err->text, *end; line && (line = strstr(line, head)) && (end = strchr(line, '\n'));) {
    memmove(line, end + 1, err->size - (size_t)(end + 1 - err->text) + 1);
    err->size -= (size_t)(end + 1 - line);
  }
}

test_process test_run(double seconds, const char *format, ...)
{
  test_process p = {.status = -1};
  va_list args;
  va_start(args, format);
  char *command = format_command(format, args);
  va_end(args);
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  double start = now(), deadline = start + seconds;
  pid_t pid = command && pipe(out) == 0 && pipe(err) == 0 ? (fflush(NULL), fork()) : -1;
  if (pid == 0)
    child_exec(command, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  stream streams[2] = {{.fd = out[0], .text = calloc(1, 1)}, {.fd = err[0], .text = calloc(1, 1)}};
  if (pid > 0) {
    p.timed_out = !streams_drain(streams, deadline);
    if (p.timed_out)
      kill(-pid, SIGKILL);
    p.status = child_wait(pid, deadline, &p.timed_out);
  }
  for (int i = 0; i < 2; i++)
    if (streams[i].fd >= 0)
      close(streams[i].fd);
  drop_word_of_walls(&streams[1]);
  p.out = streams[0].text, p.out_size = streams[0].size;
  p.err = streams[1].text, p.err_size = streams[1].size;
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

static bool folder_make_in(const char *parent, char *path, size_t size)
{
  int n = snprintf(path, size, "%s/spawnpool-test-XXXXXX", parent && *parent ? parent : "/tmp");
  return n > 0 && (size_t)n < size && mkdtemp(path) != NULL;
}

void test_folders_begin(void)
{
  char path[512];
  if (!folder_make_in(getenv("TMPDIR"), path, sizeof path))
    return;
  setenv(FOLDERS, path, 1);
  setenv("XDG_DATA_HOME", path, 1); /* games of the tests store nothing for good */
}

void test_folders_end(void)
{
  const char *folders = getenv(FOLDERS);
  if (folders)
    test_folder_remove(folders);
}

bool test_folder_make(char *path, size_t size) { return folder_make_in(getenv(FOLDERS), path, size); }

char *test_read_file(const char *path)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  ssize_t length = getdelim(&text, &size, EOF, file);
  fclose(file);
  if (length < 0 && text)
    text[0] = '\0'; /* an empty file */
  return text;
}

const char *test_tool(void)
{
  const char *tool = getenv("SP_TEST_TOOL");
  return tool ? tool : "";
}

void test_skip(const char *test, const char *why) { printf("skipped: %s: %s\n", test, why); }
