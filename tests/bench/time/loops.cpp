/*
** Lifetimes kept by an event loop: libev or libuv, one non-blocking turn per tick. Their clock is ours: clock_gettime
** is defined here and answers with game time while a loop runs, as neither has a call to set the time. Compiled once
** with BENCH_LIBEV and once with BENCH_LIBUV.
*/
#include "../contestant.hpp"
#include "ticks.hpp"

#include <sys/time.h>
#ifdef BENCH_LIBUV
#include <uv.h>
#else
#include <ev.h>
#endif

using namespace bench;

static bool game_time = false;
static uint64_t game_ns = 1000000000ull;

extern "C" int clock_gettime(clockid_t clock, struct timespec *t) noexcept
{
  if (!game_time)
    return int(syscall(SYS_clock_gettime, clock, t));
  t->tv_sec = time_t(game_ns / 1000000000ull);
  t->tv_nsec = long(game_ns % 1000000000ull);
  return 0;
}

extern "C" int gettimeofday(struct timeval *t, void *) noexcept
{
  t->tv_sec = time_t(game_ns / 1000000000ull);
  t->tv_usec = suseconds_t(game_ns % 1000000000ull / 1000);
  return 0;
}

struct event_loop : timed {
  static event_loop *self;

  void start(uint32_t objects)
  {
    open_timed(objects);
    self = this;
    game_time = true;
    game_ns = 1000000000ull;
  }
  void advance()
  {
    now++;
    game_ns = 1000000000ull + now * 16666667ull;
  }

#ifdef BENCH_LIBUV
  uv_loop_t loop;
  std::vector<uv_timer_t> timers;

  static uint64_t milliseconds(uint32_t ticks) { return ticks * 1000 / 60 + 1; }
  static void due(uv_timer_t *timer)
  {
    self->respawn(uint32_t(timer - self->timers.data()));
    uv_timer_start(timer, due, milliseconds(self->life.next()), 0);
  }
  void open(uint32_t objects)
  {
    start(objects);
    uv_loop_init(&loop);
    timers.resize(objects);
    for (uv_timer_t &timer : timers) {
      uv_timer_init(&loop, &timer);
      uv_timer_start(&timer, due, milliseconds(life.first()), 0);
    }
  }
  void tick()
  {
    advance();
    uv_run(&loop, UV_RUN_NOWAIT);
  }
  void rearm(uint32_t index)
  {
    uv_timer_stop(&timers[index]);
    uv_timer_start(&timers[index], due, milliseconds(life.next()), 0);
  }
#else
  struct ev_loop *loop;
  std::vector<ev_timer> timers;

  static double seconds(uint32_t ticks) { return ticks / 60.0; }
  static void due(struct ev_loop *loop, ev_timer *timer, int)
  {
    self->respawn(uint32_t(timer - self->timers.data()));
    ev_timer_set(timer, seconds(self->life.next()), 0.);
    ev_timer_start(loop, timer);
  }
  void open(uint32_t objects)
  {
    start(objects);
    loop = ev_loop_new(EVFLAG_AUTO);
    timers.resize(objects);
    for (ev_timer &timer : timers) {
      ev_timer_init(&timer, due, seconds(life.first()), 0.);
      ev_timer_start(loop, &timer);
    }
  }
  void tick()
  {
    advance();
    ev_run(loop, EVRUN_NOWAIT);
  }
  void rearm(uint32_t index)
  {
    ev_timer_stop(loop, &timers[index]);
    ev_timer_set(&timers[index], seconds(life.next()), 0.);
    ev_timer_start(loop, &timers[index]);
  }
#endif
};

event_loop *event_loop::self;

#ifdef BENCH_LIBUV
static const contestant contestants[] = {{"libuv", run_ticks<event_loop>}};
#else
static const contestant contestants[] = {{"libev", run_ticks<event_loop>}};
#endif

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
