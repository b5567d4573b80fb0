#include "demo/app/app_process.h"

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demo/app/app.h"
#include "demo/support/platform.h"

extern char **environ;

static int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : APP_USAGE; }

static _Noreturn void run(const options *o, bool quiet)
{
  bool silent = freopen(platform_nowhere, "w", stdout) && (!quiet || freopen(platform_nowhere, "w", stderr));
  int code = silent ? app_run(o) : APP_USAGE;
  fflush(NULL);
  platform_exit(code);
}

int app_process_run(const options *o, bool quiet)
{
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    run(o, quiet);
  if (child < 0 || waitpid(child, &status, 0) != child)
    return APP_PROCESS_NONE;
  return code_of(status);
}

struct app_process {
  pid_t id;
};

app_process *app_process_start(const char *program, const char *const *words)
{
  char *argv[APP_PROCESS_WORDS + 2] = {(char *)program};
  for (int i = 0; i < APP_PROCESS_WORDS && words[i]; i++)
    argv[i + 1] = (char *)words[i];
  app_process *it = malloc(sizeof *it);
  if (!it)
    return NULL;
  int error = posix_spawnp(&it->id, program, NULL, NULL, argv, environ);
  if (error == 0)
    return it;
  free(it);
  errno = error;
  return NULL;
}

bool app_process_has_ended(app_process *it, int *code)
{
  int status = 0;
  if (waitpid(it->id, &status, WNOHANG) == 0)
    return false;
  *code = code_of(status);
  free(it);
  return true;
}

void app_process_quit(app_process *it) { kill(it->id, SIGTERM); }

#endif
