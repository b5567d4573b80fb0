/*
** A page in a browser cannot start processes.
*/
#include "demo/app/app_process.h"

#ifdef __EMSCRIPTEN__

#include <errno.h>

int app_process_run(const options *o, bool quiet)
{
  (void)o;
  (void)quiet;
  return APP_PROCESS_NONE;
}

app_process *app_process_start(const char *program, const char *const *words)
{
  (void)program;
  (void)words;
  errno = ENOSYS;
  return NULL;
}

bool app_process_has_ended(app_process *it, int *code)
{
  (void)it;
  (void)code;
  return true;
}

void app_process_quit(app_process *it) { (void)it; }

#endif
