/*
** Lifetimes: N objects, each ends after a uniform 1..600 ticks (10 s at 60 a second) and is re-armed at once, so that
** one in three hundred expires per tick at every size. Reported per size:
**   tick     microseconds per tick, expiry and re-arm included
**   expiry   the same per expired object, nanoseconds
**   worst    the longest tick over the median one
**   rearm    cancel a running lifetime and set another
**   idle     microseconds per tick in which nothing is due (a contestant that can hold N timers an hour away)
** The limit of `tick` is one cache miss per expired object; of `idle`, one call.
** A contestant has: open(count), tick(), `expired`, how many it has ended so far, and, if it can_rearm, rearm(index).
*/
#ifndef BENCH_TICKS_HPP
#define BENCH_TICKS_HPP

#include "../clock.hpp"

#include <cmath>
#include <string>

namespace bench {

/* Lifetimes in ticks, drawn beforehand: the same sequence for every contestant. */
struct lifetimes {
  uint32_t drawn[65536], left[65536];
  uint32_t at = 0;
  lifetimes()
  {
    random_numbers random;
    for (uint32_t &ticks : drawn)
      ticks = 1 + random.below(600);
    for (uint32_t &ticks : left)
      ticks = 1 + uint32_t(600 * (1 - std::sqrt(random.below(1u << 30) / double(1u << 30))));
  }
  uint32_t next() { return drawn[at++ & 65535]; }
  /* Returns the rest of a life at a random moment: objects that start with these expire evenly from the first tick. */
  uint32_t first() { return left[at++ & 65535]; }
};

/* The cost of ending a life and starting the next in any pool: a generation. Peers that only keep time do this much. */
struct timed {
  static constexpr bool can_rearm = true;
  lifetimes life;
  uint32_t count = 0, now = 0;
  uint64_t expired = 0;
  std::vector<uint32_t> generation;

  void open_timed(uint32_t objects)
  {
    count = objects;
    generation.assign(objects, 1);
  }
  void respawn(uint32_t index)
  {
    generation[index] += 2;
    expired++;
  }
};

inline void report_at(const char *pattern, const char *size, double value)
{
  report((std::string(pattern) + size).c_str(), value);
}

/* Repeats work(i) from `least` to `most` times, within a time limit: a scan of a million objects takes 9 ms a tick. */
template <class Work> int repeat(int least, int most, Work work)
{
  const double end = clock_ns() + (quick() ? 0.05e9 : 0.3e9);
  int done = 0;
  while (done < most && (done < least || clock_ns() < end))
    work(done++);
  return done;
}

/* The median tick in nanoseconds, and how many objects one expires. */
template <class Timers> double measure_tick(Timers &timers, uint32_t count, double *expired)
{
  /* One whole lifetime for those that are quick enough: then nothing lies in memory in the order it was made. */
  repeat(10, 610, [&](int) { timers.tick(); });

  /* In batches, where the clock's own cost vanishes, for the mean. */
  const int batch = count > 100000 ? 8 : 32;
  const uint64_t before = timers.expired;
  std::vector<double> times;
  const int batches = repeat(3, 24, [&](int) {
    times.push_back(time_ns([&] {
      for (int i = 0; i < batch; i++)
        timers.tick();
    }));
  });
  *expired = double(timers.expired - before) / (batch * batches);
  return median(times) / batch;
}

template <class Timers> void measure_ticks(Timers &timers, uint32_t count, const char *size)
{
  double expired;
  const double tick = measure_tick(timers, count, &expired);
  report_at("tick", size, tick / 1e3);
  report_at("expiry", size, tick / expired);

  /* One by one for the worst. */
  std::vector<double> each;
  repeat(10, 600, [&](int) { each.push_back(time_ns([&] { timers.tick(); })); });
  report_at("worst", size, *std::max_element(each.begin(), each.end()) / median(each));
}

template <class Timers> void measure_rearm(Timers &timers, uint32_t count, const char *size)
{
  random_numbers random;
  std::vector<uint32_t> pick(65536);
  for (uint32_t &index : pick)
    index = random.below(count);
  const int per_tick = int(count / 300);
  size_t at = 0;
  std::vector<double> rearms;
  repeat(10, 60, [&](int) {
    timers.tick();
    rearms.push_back(time_ns([&] {
      for (int k = 0; k < per_tick; k++)
        timers.rearm(pick[at++ & 65535]);
    }));
  });
  report_at("rearm", size, median(rearms) / per_tick);
}

template <class Timers> void run_size(uint32_t count, const char *size)
{
  Timers &timers = *new Timers;
  timers.open(count);
  measure_ticks(timers, count, size);
  if constexpr (Timers::can_rearm)
    measure_rearm(timers, count, size);
}

template <class Timers> void run_ticks()
{
  for_sizes(10000, 1000000, [](const size &size) { run_size<Timers>(size.count, size.name); });
}

/* Only the nanoseconds per expired object, at all sizes, for the curve. */
template <class Timers> void run_expiry()
{
  for_sizes(1000, 1000000, [](const size &size) {
    Timers &timers = *new Timers;
    double expired;
    timers.open(size.count);
    const double tick = measure_tick(timers, size.count, &expired);
    report(size.name, tick / expired);
  });
}

/* A million timers pending, none due for an hour. */
template <class Timers> void run_idle()
{
  Timers &timers = *new Timers;
  timers.open_far(1000000);
  const int batch = 64;
  const double ns = per_operation(50, batch, [&](int) {
    for (int i = 0; i < batch; i++)
      timers.tick();
  });
  report("idle1M", ns / 1e3);
}

} // namespace bench

#endif
