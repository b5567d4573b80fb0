/*
** How spawnpool's costs grow with the number of objects, a thousand to a million: nanoseconds per object, or for the
** statistics per call, which should not grow at all. Pairs, ticks and overlaps at these sizes are measured by the
** programs of their own suites.
*/
#include "../contestant.hpp"
#include "../pooled.hpp"
#include "../time/ticks.hpp"

using namespace bench;

/* work(scene, count) does so many things; it is repeated for a while, at least five times. */
template <uint32_t (*work)(pooled &, uint32_t)> static void run_filled()
{
  for_sizes(1000, 1000000, [](const size &size) {
    pooled scene;
    sp_pool_desc desc = {};
    desc.spatial = true;
    desc.vx = 3;
    desc.vy = 4;
    scene.open_pool(size.count, desc);
    for (uint32_t i = 0; i < size.count; i++)
      sp_pool_alloc(scene.pool, 0, nullptr);
    const double operations = double(work(scene, size.count));
    std::vector<double> times;
    repeat(5, 2000, [&](int) { times.push_back(time_ns([&] { work(scene, size.count); })); });
    report(size.name, median(times) / operations);
    sp_close(scene.manager);
  });
}

static uint32_t move(pooled &scene, uint32_t count)
{
  scene.update();
  return count;
}

static uint32_t walk(pooled &scene, uint32_t count)
{
  sp_walk walk = sp_pool_walk(scene.pool);
  while (sp_ref object = sp_walk_next(&walk))
    touch(&object);
  return count;
}

static uint32_t statistics(pooled &scene, uint32_t)
{
  const uint32_t pairs = 100;
  for (uint32_t i = 0; i < pairs; i++) {
    const sp_stats pool = sp_pool_stats(scene.pool), all = sp_total_stats(scene.manager);
    touch(&pool);
    touch(&all);
  }
  return 2 * pairs;
}

static const contestant contestants[] = {
    {"move", run_filled<move>}, {"walk", run_filled<walk>}, {"statistics", run_filled<statistics>}};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
