#include "script/scripted.h"

#include "support/process.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef _WIN32
#include <sys/wait.h>
#endif

static void on_report(void *ud, sp_report kind, const char *text)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  scripted *g = ud;
  size_t used = strlen(g->told);
  snprintf(g->told + used, sizeof g->told - used, "%s: %s\n", kinds[kind], text);
}

const char *scripted_path(const scripted *g, const char *name) { return test_path(g->folder, name); }

void scripted_write(const scripted *g, const char *name, const char *text) { test_write(scripted_path(g, name), text); }

void scripted_make(scripted *g, const char *main)
{
  memset(g, 0, sizeof *g);
  ck_assert(test_folder_make(g->folder, sizeof g->folder));
  if (main)
    scripted_write(g, "main.lua", main);
  g->options = (sp_script_options){
      .size = sizeof(sp_script_options), .path = g->folder, .seed = 1, .report = on_report, .report_ud = g};
}

void scripted_open(scripted *g)
{
  char error[256] = "";
  g->script = sp_script_open(&g->options, error, sizeof error);
  ck_assert_msg(g->script != NULL, "%s", error);
}

void scripted_end(scripted *g)
{
  sp_script_close(g->script);
  test_folder_remove(g->folder);
}

void scripted_begin(scripted *g)
{
  scripted_open(g);
  bool started = sp_script_start(g->script, 0, NULL);
  ck_assert_msg(started, "%s", g->told);
}

void scripted_start(scripted *g, const char *main)
{
  scripted_make(g, main);
  scripted_begin(g);
}

const char *scripted_told(scripted *g)
{
  static char text[sizeof g->told];
  char *to = text;
  for (const char *from = g->told; *from;) {
    size_t length = strlen(g->folder);
    bool folder = strncmp(from, g->folder, length) == 0;
    to += folder ? sprintf(to, "GAME") : (*to = *from, 1);
    from += folder ? length : 1;
  }
  *to = '\0';
  g->told[0] = '\0';
  return text;
}

bool scripted_update(scripted *g) { return sp_script_call(g->script, "update", "n", 0.25) <= SP_CALL_ABSENT; }

#ifndef _WIN32

static void on_hang(void *ud, const char *what)
{
  (void)ud;
  fprintf(stderr, "%s\n", what);
  raise(SIGKILL); /* a tool gives an exit another status when it finds leaks */
}

static void play(scripted *g)
{
  g->options.on_hang = on_hang;
  scripted_open(g);
  bool done = sp_script_start(g->script, 0, NULL) && scripted_update(g);
  fflush(NULL);
  _exit(done ? 0 : 1);
}

int scripted_play_apart(scripted *g, char *said, size_t size)
{
  int ends[2], status = 0;
  size_t length = 0;
  ck_assert_int_eq(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    setvbuf(stdout, NULL, _IONBF, 0);
    play(g);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], said + length, size - length - 1)) > 0;)
    length += (size_t)got;
  said[length] = '\0';
  close(ends[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#else

int scripted_play_apart(scripted *g, char *said, size_t size)
{
  (void)g, (void)said, (void)size;
  return -1; /* no processes of its own */
}

#endif
