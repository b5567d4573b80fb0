/*
** The three patterns that every object pool runs, each one alloc, 64 bytes written, one recycle:
**   seed      take 100, return the 100 in reverse: the smallest pool, everything in the first cache level
**   churn10k  10 000 live, 25 % slack: a random one is recycled and one allocated; limit: second cache level
**   churn1M   the same with a million live; limit: two cache misses in memory
** A contestant has: handle, open(capacity), alloc(), memory(handle), recycle(handle).
*/
#ifndef BENCH_PATTERNS_HPP
#define BENCH_PATTERNS_HPP

#include "../clock.hpp"
#include "../contestant.hpp"

#include <cstring>
#include <utility>

namespace bench {

const size_t object_size = 64;

/* Time is reported per alloc + recycle. */
template <class Pool> void run_seed()
{
  typedef typename Pool::handle handle;
  Pool &pool = *new Pool; /* never freed: a process measures one contestant and ends */
  pool.open(100);
  handle taken[100];
  const int rounds = 100;
  const double ns = per_operation(quick() ? 100 : 200, rounds * 100, [&](int) {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 100; i++) {
        taken[i] = pool.alloc();
        void *memory = pool.memory(taken[i]);
        memset(memory, round, object_size);
        touch(memory);
      }
      touch(taken);
      for (int i = 99; i >= 0; i--) {
        pool.recycle(taken[i]);
        asm volatile("" ::: "memory");
      }
    }
  });
  report("seed", ns);
}

template <class Pool> void run_churn(const char *pattern, size_t count)
{
  typedef typename Pool::handle handle;
  random_numbers random;
  Pool &pool = *new Pool;
  pool.open(count + count / 4);
  std::vector<handle> live(count);
  for (auto &object : live) {
    object = pool.alloc();
    memset(pool.memory(object), 1, object_size);
  }

  /* Which to recycle, drawn beforehand. Then the pool is aged until its free list has no order left. */
  const size_t picks = 1 << 20;
  std::vector<uint32_t> pick(picks);
  for (auto &index : pick)
    index = random.below(count);
  for (size_t i = 0; i < (quick() ? count / 2 : 2 * count); i++) {
    const size_t k = pick[i & (picks - 1)];
    pool.recycle(live[k]);
    live[k] = pool.alloc();
  }
  for (size_t i = count; i-- > 1;)
    std::swap(live[i], live[random.below(i + 1)]);

  const int pairs = 32768;
  const int batches = (count > 100000 ? 24 : 80) / (quick() ? 2 : 1);
  size_t at = 0;
  const double ns = per_operation(batches, pairs, [&](int) {
    for (int i = 0; i < pairs; i++) {
      const size_t k = pick[at++ & (picks - 1)];
      pool.recycle(live[k]);
      const handle object = pool.alloc();
      void *memory = pool.memory(object);
      memset(memory, i, object_size);
      touch(memory);
      live[k] = object;
    }
  });
  report(pattern, ns);
}

template <class Pool> void run_patterns()
{
  run_seed<Pool>();
  run_churn<Pool>("churn10k", 10000);
  run_churn<Pool>("churn1M", 1000000);
}

/* Churn at all sizes, for the curve. */
template <class Pool> void run_sizes()
{
  for_sizes(1000, 1000000, [](const size &size) { run_churn<Pool>(size.name, size.count); });
}

} // namespace bench

#endif
