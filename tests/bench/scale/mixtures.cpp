/*
** sp_pool_overlaps of N circles with N others, by how places and sizes are mixed: nanoseconds per object and pair. The
** even scene is the linear case that the others are held against.
*/
#include "../clock.hpp"
#include "../contestant.hpp"
#include "../time/ticks.hpp"

#include "core/spawnpool.h"

#include <cmath>

using namespace bench;

struct circle {
  float x, y, radius;
};

/* Number `i` of `n`, of the first pool or the other. */
typedef circle (*scene_fn)(uint32_t i, uint32_t n, bool other, random_numbers &random);

static float share(random_numbers &random) { return float(random.below(1u << 24)) / float(1u << 24); }
static float side_of(uint32_t n) { return 20 * std::sqrt(float(n)); }

static circle even(uint32_t, uint32_t n, bool, random_numbers &random)
{
  const float x = share(random) * side_of(n), y = share(random) * side_of(n);
  return {x, y, 4};
}

static circle stray(uint32_t i, uint32_t n, bool other, random_numbers &random)
{
  const circle c = even(i, n, other, random);
  return other && i == n / 2 ? circle{1e7f, 1e7f, 4} : c;
}

static circle huge(uint32_t i, uint32_t n, bool other, random_numbers &random)
{
  const circle c = even(i, n, other, random);
  return other && i == n / 2 ? circle{0, 0, side_of(n) / 4} : c;
}

static circle large(uint32_t i, uint32_t n, bool other, random_numbers &random)
{
  const circle c = even(i, n, other, random);
  return {c.x, c.y, other && i % 100 == 0 ? 60.0f : 4.0f};
}

static circle power(uint32_t i, uint32_t n, bool other, random_numbers &random)
{
  const circle c = even(i, n, other, random);
  return {c.x, c.y, std::fmin(std::pow(share(random) + 1e-6f, -0.8f), side_of(n) / 4)};
}

static circle clusters(uint32_t i, uint32_t n, bool other, random_numbers &random)
{
  const circle c = even(i, n, other, random);
  return {c.x / 3 + float(i % 8) * 1e6f, c.y / 3 + float(i % 3) * 1e6f, 4};
}

static circle line(uint32_t, uint32_t n, bool, random_numbers &random)
{
  const float at = share(random) * 20 * float(n);
  return {at, at, 4};
}

static circle point(uint32_t, uint32_t, bool, random_numbers &) { return {0, 0, 4}; }

/* Several scenes when they are small: the processor remembers every branch of one that it sees again and again. */
struct scene {
  sp_manager *manager = sp_open(nullptr, nullptr);
  sp_pool *pools[2];

  scene(scene_fn at, uint32_t count, uint64_t number)
  {
    random_numbers random;
    random.state += number;
    for (int other = 0; other < 2; other++) {
      sp_pool_desc desc = {};
      desc.type = other ? "Foe" : "Shot";
      desc.spatial = true;
      pools[other] = sp_add_pool(manager, &desc, nullptr);
      for (uint32_t i = 0; i < count; i++) {
        const circle c = at(i, count, other != 0, random);
        const sp_place place = {c.x, c.y, 0};
        const sp_ref object = sp_pool_alloc_at(pools[other], 0, &place, nullptr);
        if (!object)
          abort();
        static_cast<sp_look *>(sp_cell(manager, object, SP_LOOK))->radius = c.radius;
      }
    }
  }
  ~scene() { sp_close(manager); }
};

static void overlap(void *ud, sp_ref, sp_ref) { ++*static_cast<size_t *>(ud); }

/* `within`: the second pool with itself, and the time per object alone. */
static void run(scene_fn at, uint32_t most, bool within = false)
{
  for_sizes(1000, most, [=](const size &size) {
    std::vector<scene *> scenes;
    for (uint32_t i = 0; i < 20000 / size.count + 1 && (i == 0 || most > 10000); i++)
      scenes.push_back(new scene(at, size.count, i + 1));
    size_t found = 0;
    std::vector<double> times;
    repeat(3, 150, [&](int) {
      times.push_back(time_ns([&] {
        found = 0;
        for (const scene *s : scenes)
          sp_pool_overlaps(s->pools[within], s->pools[1], overlap, &found, nullptr);
        touch(&found);
      }));
    });
    const double objects = double(scenes.size() * size.count);
    report(size.name, median(times) / (within ? objects : 2 * objects + double(found)));
    for (scene *s : scenes)
      delete s;
  });
}

template <scene_fn at> static void run_all() { run(at, 100000); }

static const contestant contestants[] = {
    {"even", run_all<even>},   {"stray", run_all<stray>},           {"huge", run_all<huge>},
    {"large", run_all<large>}, {"power", run_all<power>},           {"clusters", run_all<clusters>},
    {"line", run_all<line>},   {"point", [] { run(point, 1000); }}, {"within", [] { run(even, 1000000, true); }},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
