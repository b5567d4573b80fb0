/*
** A thread of its own waits for the signal, instead of a handler: no state between the two, and SDL may be called. It
** is never joined: it ends with the process.
*/
#include "demo/interrupt.h"

#include <SDL.h>
#include <signal.h>
#include <unistd.h>

static void interrupts(sigset_t *set)
{
  sigemptyset(set);
  sigaddset(set, SIGINT);
}

static int wait_for_interrupts(void *unused)
{
  SDL_Event quit = {.type = SDL_QUIT};
  sigset_t set;
  int signal_number;
  (void)unused;
  interrupts(&set);
  if (sigwait(&set, &signal_number) != 0)
    return 1;
  SDL_PushEvent(&quit);
  if (sigwait(&set, &signal_number) != 0)
    return 1;
  _exit(128 + SIGINT);
}

void interrupt_prepare(void)
{
  sigset_t set;
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  interrupts(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

bool interrupt_start(void)
{
  sigset_t set;
  SDL_Thread *thread = SDL_CreateThread(wait_for_interrupts, "interrupt", NULL);
  if (thread) {
    SDL_DetachThread(thread);
    return true;
  }
  interrupts(&set);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  return false;
}
