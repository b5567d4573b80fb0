/*
** The system runs the handler on a thread of its own. The first Ctrl-C that still waits in the queue tells that the
** player does not come to read it.
*/
#include "demo/app/interrupt.h"

#ifdef _WIN32

#include <windows.h>

#include "demo/support/platform.h"

enum { INTERRUPTED = 130 }; /* as a shell reports it elsewhere */

static BOOL WINAPI on_console(DWORD what)
{
  SDL_Event event = {.type = what == CTRL_BREAK_EVENT ? INTERRUPT_RELOAD : SDL_QUIT};
  if (what != CTRL_BREAK_EVENT && SDL_HasEvent(SDL_QUIT))
    platform_exit(INTERRUPTED);
  SDL_PushEvent(&event);
  return TRUE;
}

void interrupt_prepare(void) { SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); }

void interrupt_start(interrupt *it)
{
  it->thread = NULL;
  SetConsoleCtrlHandler(on_console, TRUE);
}

void interrupt_stop(interrupt *it)
{
  (void)it;
  SetConsoleCtrlHandler(on_console, FALSE);
}

#endif
