/*
** The system runs the handler in a separate thread. If the event of the first Ctrl-C is still in the queue at the
** second one, the player is stuck, and is ended at once.
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
