#include "demo/app/app_process.h"

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demo/app/app.h"
#include "demo/support/platform.h"

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
  return WIFEXITED(status) ? WEXITSTATUS(status) : APP_USAGE;
}

#endif
