#include "demo/app/tester.h"

#if defined(_WIN32) || defined(__EMSCRIPTEN__) /* nothing is forked: --check does this */

void tester_open(tester *t, const options *o) { (void)t, (void)o; }
void tester_poll(tester *t, bool saved, messages *m) { (void)t, (void)saved, (void)m; }
void tester_close(tester *t) { (void)t; }

#else

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demo/support/platform.h"
#include "demo/support/stats.h"

#define LEAST_PRIORITY 19

/* {== The process ======================================================== */

static _Noreturn void run_check(const options *given, int channel)
{
  options o = *given;
  o.check = o.headless = o.no_watch = true;
  o.stats = NULL;
  bool silent = freopen(platform_nowhere, "w", stderr) && dup2(channel, STDOUT_FILENO) >= 0;
  int code = silent ? o.at_save(&o) : APP_USAGE;
  fflush(NULL);
  platform_exit(code);
}

static void stop(pid_t child)
{
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
}

/* Waits for saves; the newest one counts. Ends with the player, which holds the other end of the channel. */
static _Noreturn void serve(const options *o, int channel)
{
  pid_t child = 0;
  char byte;
  signal(SIGINT, SIG_IGN);
  setpriority(PRIO_PROCESS, 0, LEAST_PRIORITY);
  while (read(channel, &byte, 1) == 1) {
    stop(child);
    child = fork();
    if (child == 0)
      run_check(o, channel);
  }
  stop(child);
  platform_exit(0);
}

/* }== */

void tester_open(tester *t, const options *o)
{
  int ends[2];
  if (o->headless || o->no_watch || o->release || o->files || !o->at_save ||
      socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return;
  fflush(NULL);
  t->channel = ends[0];
  t->id = fork();
  if (t->id == 0) {
    close(ends[0]);
    serve(o, ends[1]);
  }
  close(ends[1]);
  if (t->id < 0)
    close(ends[0]);
  t->id = t->id < 0 ? 0 : t->id;
}

/* Shows a line about a recording; after a difference, nothing more. */
static void show(tester *t, messages *m)
{
  bool differs = strstr(t->line, ".input: as before to ") != NULL;
  if (strstr(t->line, ".input: ") && !t->has_differed)
    messages_notice(m, differs ? NOTICE_WARNING : NOTICE_INFO, t->line, clock_now());
  t->has_differed |= differs;
  t->used = 0;
}

void tester_poll(tester *t, bool saved, messages *m)
{
  char byte;
  if (t->id == 0)
    return;
  if (saved && send(t->channel, "s", 1, MSG_NOSIGNAL) == 1) {
    t->has_differed = false;
    t->used = 0;
  }
  while (recv(t->channel, &byte, 1, MSG_DONTWAIT) == 1) {
    t->line[t->used] = '\0';
    if (byte == '\n')
      show(t, m);
    else if (t->used < sizeof t->line - 1)
      t->line[t->used++] = byte;
  }
}

void tester_close(tester *t)
{
  if (t->id == 0)
    return;
  close(t->channel);
  waitpid(t->id, NULL, 0);
  t->id = 0;
}

#endif
