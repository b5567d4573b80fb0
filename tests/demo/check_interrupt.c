/*
** Signals to the player, in this process.
*/
#include "demo/app/interrupt.h"
#include "support/test.h"

#include <SDL.h>
#include <signal.h>
#include <unistd.h>

static test_group signals = {"signals"};

static void expect_reload_event(void)
{
  SDL_Event event;
  ck_assert_msg(SDL_WaitEventTimeout(&event, 30000) == 1, "no event");
  ck_assert_uint_eq(event.type, INTERRUPT_RELOAD);
}

TEST(signals, signals_wait_for_the_start_and_do_nothing_after_the_end)
{
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  for (int run = 0; run < 2; run++) {
    interrupt it = {.thread = NULL};
    interrupt_prepare();
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    interrupt_start(&it);
    expect_reload_event();
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    expect_reload_event();
    interrupt_stop(&it);
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0); /* it would end the test */
  }
  SDL_Quit();
}

SUITE(interrupt, &signals)
