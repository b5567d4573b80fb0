/*
** A snapshot taken into memory that it has already, and restored, beside a memcpy of as many bytes: microseconds for a
** manager of N moving objects with a place, two own fields and an end, of which one in eight has a timer.
*/
#include "../clock.hpp"
#include "../contestant.hpp"

#include "core/spawnpool.h"

#include <cstdlib>
#include <cstring>
#include <vector>

using namespace bench;

struct game {
  sp_manager *manager = sp_open(nullptr, nullptr);
  sp_snapshot *snapshot;

  explicit game(uint32_t count)
  {
    static const sp_field fields[] = {{"damage", nullptr, 8, false, false}, {"speed", nullptr, 8, false, false}};
    sp_pool_desc desc = {};
    desc.type = "Bullet";
    desc.spatial = true;
    desc.fields = fields;
    desc.field_count = 2;
    desc.vx = 1;
    sp_pool *pool = sp_add_pool(manager, &desc, nullptr);
    for (uint32_t i = 0; i < count; i++) {
      const sp_ref object = sp_pool_alloc(pool, 10 + i % 1000, nullptr);
      if (i % 8 == 0)
        sp_timer_start(manager, object, 1 + i % 100, 1, nullptr);
    }
    sp_update(manager, 1.0 / 60);
    snapshot = sp_snapshot_take(manager, nullptr, nullptr);
    if (!snapshot || sp_snapshot_restore(manager, snapshot) != SP_OK)
      abort();
  }
  ~game()
  {
    sp_snapshot_free(snapshot);
    sp_close(manager);
  }
};

static void copy(game &g)
{
  static std::vector<char> from, to;
  const size_t size = sp_snapshot_bytes(g.snapshot);
  from.resize(size, 1);
  to.resize(size);
  memcpy(to.data(), from.data(), size);
  asm volatile("" : : "r"(to.data()) : "memory");
}

static void take(game &g)
{
  if (sp_snapshot_take(g.manager, g.snapshot, nullptr) != g.snapshot)
    abort();
}

static void restore(game &g)
{
  if (sp_snapshot_restore(g.manager, g.snapshot) != SP_OK)
    abort();
}

static void hash(game &g)
{
  if (sp_hash(g.manager) == 0)
    abort();
}

static void save(game &g)
{
  struct host {
    static bool write(void *ud, const void *, size_t size) { return *static_cast<size_t *>(ud) += size, true; }
  };
  size_t size = 0;
  if (sp_save(g.manager, host::write, &size) != SP_OK)
    abort();
}

template <void (*work)(game &)> static void run()
{
  for_sizes(1000, 100000, [](const size &size) {
    game g(size.count);
    work(g);
    report(size.name, per_operation(50, 1, [&](int) { work(g); }) / 1000);
  });
}

static const contestant contestants[] = {
    {"copy", run<copy>}, {"take", run<take>}, {"restore", run<restore>}, {"hash", run<hash>}, {"save", run<save>}};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
