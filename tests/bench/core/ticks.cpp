/*
** Lifetimes: a million objects, each ends after 1 to 600 ticks and another begins at once, so that one in three hundred
** ends per tick.
**   expiry  nanoseconds per object that ends, the alloc of the next included
**   idle    nanoseconds per tick while a million lives end in an hour
*/
#include "../clock.hpp"

#include "core/spawnpool.h"

using namespace bench;

static const uint32_t OBJECTS = 1000000;
static const double STEP = 1.0 / 64;

/* Lifetimes in ticks, drawn beforehand: the same for every contestant. */
struct lifetimes {
  std::vector<uint16_t> drawn = std::vector<uint16_t>(65536);
  uint32_t at = 0;
  lifetimes()
  {
    random_numbers random;
    for (uint16_t &ticks : drawn)
      ticks = uint16_t(1 + random.below(600));
  }
  uint32_t next() { return drawn[at++ & 65535]; }
};

struct spawnpool {
  lifetimes life;
  sp_manager *manager;
  sp_pool *pool;

  explicit spawnpool(double later)
  {
    sp_options options = {};
    options.step = STEP;
    sp_pool_desc desc = {};
    desc.type = "Timed";
    desc.settings.prealloc = OBJECTS + OBJECTS / 4;
    manager = sp_open(&options, nullptr);
    pool = sp_add_pool(manager, &desc, nullptr);
    if (!pool)
      abort();
    for (uint32_t i = 0; i < OBJECTS; i++)
      sp_pool_alloc(pool, later + life.next() * STEP, nullptr);
  }
  uint32_t tick()
  {
    sp_update(manager, STEP);
    const uint32_t ended = OBJECTS - sp_pool_live(pool);
    for (uint32_t i = 0; i < ended; i++)
      sp_pool_alloc(pool, life.next() * STEP, nullptr);
    return ended;
  }
};

/* A binary heap by end: times alone, without objects. */
struct binary_heap {
  struct entry {
    uint32_t due, index;
    bool operator<(const entry &other) const { return due > other.due; }
  };
  lifetimes life;
  std::vector<entry> heap;
  uint32_t now = 0;

  explicit binary_heap(double)
  {
    for (uint32_t i = 0; i < OBJECTS; i++)
      heap.push_back({life.next(), i});
    std::make_heap(heap.begin(), heap.end());
  }
  uint32_t tick()
  {
    uint32_t ended = 0;
    for (now++; heap[0].due <= now; ended++) {
      std::pop_heap(heap.begin(), heap.end());
      heap.back().due = now + life.next();
      std::push_heap(heap.begin(), heap.end());
    }
    return ended;
  }
};

template <class Timers> static void run_expiry()
{
  Timers &timers = *new Timers(0);
  double least = 1e30;
  for (int i = 0; i < 610; i++) /* a whole lifetime: then nothing lies in memory in the order it was made */
    timers.tick();
  for (int batch = batches_of(60); batch-- > 0;) {
    uint32_t ended = 0;
    const double ns = time_ns([&] {
      for (int i = 0; i < 8; i++)
        ended += timers.tick();
    });
    least = std::min(least, ns / ended);
  }
  report("expiry", least);
}

static void run_idle()
{
  spawnpool &timers = *new spawnpool(3600);
  report("idle", per_operation(50, 64, [&] {
           for (int i = 0; i < 64; i++)
             sp_update(timers.manager, STEP);
         }));
}

static const contestant contestants[] = {
    {"expiry", run_expiry<spawnpool>}, {"heap", run_expiry<binary_heap>}, {"idle", run_idle}};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
