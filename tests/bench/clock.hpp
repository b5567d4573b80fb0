/*
** What the benches in C++ share: time for short stretches of work, random numbers, and a program's contestants. A clock
** call costs as much as ten of the operations measured here, so the cycle counter of the processor is read where there
** is one. Of many short batches the least counts: whatever else the machine does only adds to it.
*/
#ifndef BENCH_CLOCK_HPP
#define BENCH_CLOCK_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <time.h>
#include <vector>

namespace bench {

/* {== Time =============================================================== */

inline double clock_ns()
{
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

inline uint64_t cycles()
{
#if defined(__x86_64__)
  unsigned processor;
  return __builtin_ia32_rdtscp(&processor);
#elif defined(__aarch64__)
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return uint64_t(clock_ns());
#endif
}

/* Nanoseconds per cycle, measured over 20 ms at the first call. */
inline double cycle_ns()
{
  static const double ns = [] {
    const double begin = clock_ns();
    const uint64_t first = cycles();
    double end = begin;
    while (end - begin < 2e7)
      end = clock_ns();
    return (end - begin) / double(cycles() - first);
  }();
  return ns;
}

template <class Work> double time_ns(Work work)
{
  const double unit = cycle_ns();
  const uint64_t begin = cycles();
  work();
  return double(cycles() - begin) * unit;
}

/* BENCH_QUICK=1: a third of the work, for a first look. */
inline int batches_of(int batches)
{
  static const bool quick = getenv("BENCH_QUICK") != nullptr;
  return quick ? (batches + 2) / 3 : batches;
}

/* The nanoseconds that one of `operations` takes in the fastest batch; work() does them all. */
template <class Work> double per_operation(int batches, int operations, Work work)
{
  double least = 1e30;
  for (int batch = batches_of(batches); batch-- > 0;)
    least = std::min(least, time_ns(work));
  return least / operations;
}

/* The driver reads "pattern value" lines. */
inline void report(const char *pattern, double value)
{
  printf("%s %.4f\n", pattern, value);
  fflush(stdout);
}

/* }== */

/* Random numbers that are the same in every run. */
struct random_numbers {
  uint64_t state = 88172645463325252ull;
  uint64_t next()
  {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  uint32_t below(uint64_t limit) { return uint32_t(((next() >> 32) * limit) >> 32); }
};

/* The compiler must assume that whatever `pointer` leads to is read and written here. */
inline void touch(const void *pointer) { asm volatile("" ::"r"(pointer) : "memory"); }

/* `program NAME` runs one contestant: each has a process of its own. */
struct contestant {
  const char *name;
  void (*run)();
};

template <size_t N> int main_of(const contestant (&contestants)[N], int argc, char **argv)
{
  for (const contestant &it : contestants)
    if (argc == 2 && strcmp(argv[1], it.name) == 0) {
      it.run();
      return 0;
    }
  return 2;
}

} // namespace bench

#endif
