#include "demo/app/interrupt.h"

#if defined(__EMSCRIPTEN__) /* a page receives no signals: it calls sp_web_close and sp_web_reload instead */

void interrupt_prepare(void) {}
void interrupt_start(interrupt *it) { it->thread = NULL; }
void interrupt_stop(interrupt *it) { (void)it; }

#elif defined(_WIN32)

#include <windows.h>

#include "demo/support/platform.h"

enum { INTERRUPTED = 130 }; /* as a shell reports it elsewhere */

/* The system runs the handler in a separate thread. If the event of the first Ctrl-C is still in the queue at the
   second one, the player is stuck, and is ended at once. */
static BOOL WINAPI on_console(DWORD what)
{
  SDL_Event event;
  SDL_zero(event);
  event.type = what == CTRL_BREAK_EVENT ? INTERRUPT_RELOAD : SDL_QUIT;
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

#else

#include <signal.h>
#include <unistd.h>

static sigset_t our_signals(void)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGUSR1);
  return set;
}

static void set_mask(int how)
{
  sigset_t set = our_signals();
  sigprocmask(how, &set, NULL);
}

static void push(Uint32 type)
{
  SDL_Event event;
  SDL_zero(event);
  event.type = type;
  SDL_PushEvent(&event);
}

/* A separate thread waits for the signals, in place of a handler: it may call SDL, and shares only one flag. */
static int wait_for_signals(void *ud)
{
  interrupt *it = ud;
  sigset_t set = our_signals();
  for (int interrupts = 0, number; sigwait(&set, &number) == 0;) {
    if (number == SIGINT && ++interrupts > 1)
      _exit(128 + SIGINT);
    if (number == SIGUSR1 && SDL_AtomicGet(&it->stopping))
      break;
    push(number == SIGINT ? SDL_QUIT : INTERRUPT_RELOAD);
  }
  return 0;
}

void interrupt_prepare(void)
{
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  set_mask(SIG_BLOCK);
  signal(SIGXFSZ, SIG_IGN); /* writing beyond a file size limit fails like writing to a full disk */
  signal(SIGUSR1, SIG_DFL); /* an ignored signal might not be delivered to sigwait */
}

/* Unblocks the signals. SIGUSR1 is ignored first, because a pending one would end the process. */
static void let_go(void)
{
  signal(SIGUSR1, SIG_IGN);
  set_mask(SIG_UNBLOCK);
}

void interrupt_start(interrupt *it)
{
  SDL_AtomicSet(&it->stopping, 0);
  it->thread = SDL_CreateThread(wait_for_signals, "interrupt", it);
  if (!it->thread)
    let_go();
}

void interrupt_stop(interrupt *it)
{
  if (!it->thread)
    return;
  SDL_AtomicSet(&it->stopping, 1);
  kill(getpid(), SIGUSR1); /* wakes the thread: all others block it */
  SDL_WaitThread(it->thread, NULL);
  it->thread = NULL;
  let_go();
}

#endif
