/*
** Time for short stretches of work. A clock call costs as much as ten of the operations measured here, so the cycle
** counter of the processor is read where there is one, and turned into nanoseconds against the clock once per process.
** Reports the median of many short batches, so that a batch that another process interrupted does not count.
*/
#ifndef BENCH_CLOCK_HPP
#define BENCH_CLOCK_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace bench {

/* By system call: one of the programs puts its own clock_gettime in the way. */
inline double clock_ns()
{
  timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
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

inline double median(std::vector<double> values)
{
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/* Median over `batches` of the nanoseconds that one of `operations` takes; work(batch) does them all. */
template <class Work> double per_operation(int batches, int operations, Work work)
{
  std::vector<double> times;
  for (int batch = 0; batch < batches; batch++)
    times.push_back(time_ns([&] { work(batch); }) / operations);
  return median(times);
}

/* The driver reads "pattern value" lines. */
inline void report(const char *pattern, double value)
{
  printf("%s %.4f\n", pattern, value);
  fflush(stdout);
}

struct size {
  const char *name;
  uint32_t count;
};

/* Calls work(size) for sizes ten times as large each. */
template <class Work> void for_sizes(uint32_t least, uint32_t most, Work work)
{
  static const size sizes[] = {{"1k", 1000}, {"10k", 10000}, {"100k", 100000}, {"1M", 1000000}};
  for (const size &it : sizes)
    if (it.count >= least && it.count <= most)
      work(it);
}

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

/* BENCH_QUICK=1: a third of the work, for a first look. */
inline bool quick()
{
  static const bool set = getenv("BENCH_QUICK") != nullptr;
  return set;
}

} // namespace bench

#endif
