/*
** See edit_run.h. Both streams go to one file, in the order in which things were said; it is read again while it grows.
*/
#include "demo/edit_run.h"

#include "demo/game_run.h"
#include "demo/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_MOST 60
#define NAP 0.01

static struct {
  pid_t pid; /* 0: none */
  int status;
  char *said;
  size_t waited; /* bytes of it that were waited for */
} run;

/* {== Files ============================================================== */

static void own_path(char path[512], const char *name) { snprintf(path, 512, "%s/%s", play_folder, name); }

const char *edit_path(const char *name)
{
  static char paths[4][512];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/game/%s", play_folder, name);
  return path;
}

void edit_write(const char *name, const char *text) { gamerun_write(edit_path(name), text, strlen(text)); }

const char *edit_said(void)
{
  char path[512];
  size_t size;
  own_path(path, "said");
  free(run.said);
  run.said = gamerun_read(path, &size);
  return run.said;
}

long edit_stat(const char *name)
{
  char path[512], key[64];
  size_t size;
  own_path(path, "stats");
  char *text = gamerun_read(path, &size), *last = strstr(text, "\"final\":true");
  ck_assert_msg(last != NULL, "no last line: %s", text);
  while (last > text && last[-1] != '\n')
    last--;
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = strstr(last, key);
  ck_assert_msg(at != NULL, "no %s in: %s", key, last);
  long number = strtol(at + strlen(key), NULL, 10);
  free(text);
  return number;
}

/* }== */

/* {== The player ========================================================= */

void edit_open(void)
{
  memset(&run, 0, sizeof run);
  play_open();
  ck_assert_int_eq(mkdir(edit_path(""), 0777), 0);
}

void edit_close(void)
{
  if (run.pid > 0) {
    kill(run.pid, SIGKILL);
    waitpid(run.pid, NULL, 0);
  }
  free(run.said);
  play_close();
}

void edit_start(const char *before, const char *flags)
{
  char command[2048], said[512];
  const char *f = play_folder;
  own_path(said, "said");
  gamerun_write(said, "", 0);
  snprintf(command, sizeof command,
           "exec env %s " PLAYER "--frames 3600 %s --stats %s/stats %s/game -- one two </dev/null >>%s/said 2>&1",
           before, flags, f, f, f);
  fflush(NULL);
  run.pid = fork();
  if (run.pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  ck_assert_int_gt(run.pid, 0);
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = (long)(NAP * 1e9)}, NULL); }

/* Whether it has ended; then its status is known. */
static bool has_ended(void)
{
  int status;
  if (run.pid > 0 && waitpid(run.pid, &status, WNOHANG) == run.pid) {
    run.pid = 0;
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return run.pid == 0;
}

static bool has_said(const char *text)
{
  const char *at = strstr(edit_said() + run.waited, text);
  if (at)
    run.waited = (size_t)(at - run.said) + strlen(text);
  return at != NULL;
}

void edit_await(const char *text)
{
  bool ended = false, said = has_said(text);
  for (int naps = 0; !said && !ended && naps < SECONDS_MOST / NAP; naps++) {
    nap();
    ended = has_ended(); /* asked first: what it said last counts */
    said = has_said(text);
  }
  ck_assert_msg(said, "'%s' was not said%s:\n%s", text, ended ? ", and the player has ended" : "", edit_said());
}

void edit_await_end(int status)
{
  for (int naps = 0; !has_ended() && naps < SECONDS_MOST / NAP; naps++)
    nap();
  ck_assert_msg(run.pid == 0, "it did not end:\n%s", edit_said());
  ck_assert_msg(run.status == status, "status %d, not %d:\n%s", run.status, status, edit_said());
}

void edit_signal(int number)
{
  ck_assert_msg(!has_ended(), "it has ended:\n%s", edit_said());
  ck_assert_int_eq(kill(run.pid, number), 0);
}

void edit_end(int status)
{
  edit_signal(SIGINT);
  edit_await_end(status);
}

/* }== */
