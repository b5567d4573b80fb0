/*
** How spawnpool's costs grow with the number of objects, a thousand to a million: nanoseconds per object, or for the
** statistics per call, which should not grow at all.
*/
#include "../contestant.hpp"
#include "../core/patterns.hpp"
#include "../time/ticks.hpp"

#include "core/spawnpool.h"

#include <cmath>

using namespace bench;

static const struct {
  const char *name;
  uint32_t count;
} sizes[] = {{"1k", 1000}, {"10k", 10000}, {"100k", 100000}, {"1M", 1000000}};

/* A manager with one pool, ready for `count` objects. Steps of 1/64 s are exact in binary. */
struct scene {
  sp_manager *manager;
  sp_pool *pool;

  explicit scene(uint32_t count, bool spatial)
  {
    sp_options options = {};
    options.step = 1.0 / 64;
    manager = sp_open(&options, nullptr);
    const sp_field field = {"bytes", nullptr, 64, true, false};
    sp_pool_desc desc = {};
    desc.type = "Scaled";
    desc.look = SP_DEFAULT_LOOK;
    desc.spatial = spatial;
    desc.vx = 3;
    desc.vy = 4;
    desc.look.radius = 4;
    desc.fields = &field;
    desc.field_count = 1;
    desc.settings.prealloc = count + count / 4;
    pool = sp_add_pool(manager, &desc, nullptr);
    if (!pool)
      abort();
  }
  ~scene() { sp_close(manager); }
  void fill(uint32_t count, size_t number = 0)
  {
    random_numbers random;
    random.state += number;
    const float side = 20 * std::sqrt(float(count)); /* as many neighbours at every size */
    for (uint32_t i = 0; i < count; i++) {
      const sp_place place = {float(random.below(1u << 20)) * side / float(1u << 20),
                              float(random.below(1u << 20)) * side / float(1u << 20), 0};
      sp_pool_alloc_at(pool, 0, &place, nullptr);
    }
  }
};

/* work(scene, count) does so many things; it is repeated for a while, at least five times. */
template <class Work> static void run_filled(Work work)
{
  for (const auto &size : sizes) {
    scene s(size.count, true);
    s.fill(size.count);
    const double operations = double(work(s, size.count));
    std::vector<double> times;
    repeat(5, 2000, [&](int) { times.push_back(time_ns([&] { work(s, size.count); })); });
    report(size.name, median(times) / operations);
  }
}

static void run_move()
{
  run_filled([](scene &s, uint32_t count) {
    sp_update(s.manager, 1.0 / 64);
    return count;
  });
}

static void run_walk()
{
  run_filled([](scene &s, uint32_t count) {
    sp_walk walk = sp_pool_walk(s.pool);
    while (sp_ref object = sp_walk_next(&walk))
      touch(&object);
    return count;
  });
}

static void overlap(void *ud, sp_ref, sp_ref) { ++*static_cast<size_t *>(ud); }

/* Over several scenes when they are small: of one with a thousand objects, asked again and again, the processor
   remembers every branch, and takes a third of the time. */
static void run_overlaps()
{
  for (const auto &size : sizes) {
    std::vector<scene *> scenes;
    do {
      scenes.push_back(new scene(size.count, true));
      scenes.back()->fill(size.count, scenes.size());
    } while (scenes.size() * size.count < 20000);
    std::vector<double> times;
    repeat(5, 500, [&](int) {
      times.push_back(time_ns([&] {
        size_t found = 0;
        for (scene *s : scenes)
          sp_pool_overlaps(s->pool, s->pool, overlap, &found, nullptr);
        touch(&found);
      }));
    });
    report(size.name, median(times) / double(scenes.size() * size.count));
    for (scene *s : scenes)
      delete s;
  }
}

static void run_statistics()
{
  run_filled([](scene &s, uint32_t) {
    const int pairs = 100;
    for (int i = 0; i < pairs; i++) {
      const sp_stats pool = sp_pool_stats(s.pool), all = sp_total_stats(s.manager);
      touch(&pool);
      touch(&all);
    }
    return 2 * pairs;
  });
}

/* Expiry and re-arm as in the suite of lifetimes, per expired object. */
static void run_tick()
{
  static lifetimes life;
  for (const auto &size : sizes) {
    scene s(size.count, false);
    for (uint32_t i = 0; i < size.count; i++)
      sp_pool_alloc(s.pool, life.first() / 64.0, nullptr);
    uint64_t expired = 0;
    auto tick = [&] {
      sp_update(s.manager, 1.0 / 64);
      const uint32_t ended = size.count - sp_pool_live(s.pool);
      for (uint32_t i = 0; i < ended; i++)
        sp_pool_alloc(s.pool, life.next() / 64.0, nullptr);
      expired += ended;
    };
    repeat(10, 610, [&](int) { tick(); });
    const uint64_t before = expired;
    const int batch = size.count > 100000 ? 8 : 64;
    std::vector<double> times;
    const int batches = repeat(5, 200, [&](int) {
      times.push_back(time_ns([&] {
        for (int i = 0; i < batch; i++)
          tick();
      }));
    });
    report(size.name, median(times) * batches / double(expired - before));
  }
}

struct pool_of_bytes {
  typedef sp_ref handle;
  scene *s;
  void open(size_t count) { s = new scene(uint32_t(count - count / 5), false); }
  handle alloc() { return sp_pool_alloc(s->pool, 0, nullptr); }
  void recycle(handle object) { sp_recycle(s->manager, object); }
  void *memory(handle object) { return sp_cell(s->manager, object, SP_FIELDS); }
};

static const contestant contestants[] = {
    {"pair", run_sizes<pool_of_bytes>},
    {"tick", run_tick},
    {"move", run_move},
    {"walk", run_walk},
    {"overlaps", run_overlaps},
    {"statistics", run_statistics},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
