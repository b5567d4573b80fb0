/*
** A thread of its own waits for the signal, instead of a handler: nothing is shared but one flag, and SDL may be
** called.
*/
#include "demo/interrupt.h"

#include <signal.h>
#include <unistd.h>

static void set_mask(int how)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigprocmask(how, &set, NULL);
}

static int wait_for_interrupts(void *ud)
{
  interrupt *it = ud;
  SDL_Event quit = {.type = SDL_QUIT};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  for (int count = 1, number; sigwait(&set, &number) == 0 && !SDL_AtomicGet(&it->stopping); count++) {
    if (count > 1)
      _exit(128 + SIGINT);
    SDL_PushEvent(&quit);
  }
  return 0;
}

void interrupt_prepare(void)
{
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  set_mask(SIG_BLOCK);
}

void interrupt_start(interrupt *it)
{
  SDL_AtomicSet(&it->stopping, 0);
  it->thread = SDL_CreateThread(wait_for_interrupts, "interrupt", it);
  if (!it->thread)
    set_mask(SIG_UNBLOCK);
}

void interrupt_stop(interrupt *it)
{
  if (!it->thread)
    return;
  SDL_AtomicSet(&it->stopping, 1);
  kill(getpid(), SIGINT); /* wakes the thread: everywhere else it is blocked */
  SDL_WaitThread(it->thread, NULL);
  it->thread = NULL;
  set_mask(SIG_UNBLOCK);
}
