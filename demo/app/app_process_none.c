/*
** A page in a browser has no other processes.
*/
#include "demo/app/app_process.h"

#ifdef __EMSCRIPTEN__

int app_process_run(const options *o, bool quiet)
{
  (void)o;
  (void)quiet;
  return APP_PROCESS_NONE;
}

#endif
