/*
** Lifetimes through spawnpool's public calls: sp_update ends the objects whose time has come, and sp_pool_alloc opens
** as many new ones with a lifetime. The `_hook` contestant does it from on_despawn, one by one, as a game with effects
** would. Everything an alloc and a recycle do is in these numbers, not timers alone.
*/
#include "../contestant.hpp"
#include "../pooled.hpp"
#include "ticks.hpp"

using namespace bench;

struct spawnpool_base : pooled {
  lifetimes life;
  std::vector<sp_ref> objects; /* some live ones, to re-arm */
  uint64_t expired = 0;
  double seconds[601];

  void open_timed(uint32_t count, const sp_hooks &hooks)
  {
    sp_pool_desc desc = {};
    desc.hooks = hooks;
    open_pool(count + count / 4, desc);
    for (int i = 0; i <= 600; i++)
      seconds[i] = i * STEP;
  }
  double next_life() { return seconds[life.next()]; }
  double first_life() { return seconds[life.first()]; }
  void open_far(uint32_t count)
  {
    open_timed(count, sp_hooks());
    for (uint32_t i = 0; i < count; i++)
      sp_pool_alloc(pool, 3600 + next_life(), nullptr);
  }
};

struct alloc_after : spawnpool_base {
  static constexpr bool can_rearm = true;
  uint32_t count;

  void open(uint32_t wanted)
  {
    count = wanted;
    open_timed(count, sp_hooks());
    for (uint32_t i = 0; i < count; i++)
      sp_pool_alloc(pool, first_life(), nullptr);
  }
  void tick()
  {
    update();
    const uint32_t ended = count - sp_pool_live(pool);
    for (uint32_t i = 0; i < ended; i++)
      sp_pool_alloc(pool, next_life(), nullptr);
    expired += ended;
  }
  void rearm(uint32_t index)
  {
    if (objects.empty()) {
      sp_walk walk = sp_pool_walk(pool);
      while (sp_ref object = sp_walk_next(&walk))
        objects.push_back(object);
    }
    /* One that has ended meanwhile is refused, which is measured too: 1 in 10 after 60 ticks. */
    sp_set_remaining(manager, objects[index % objects.size()], next_life());
  }
};

struct alloc_in_hook : spawnpool_base {
  static constexpr bool can_rearm = false;
  static void ended(void *ud, sp_pool *pool, sp_ref, sp_why)
  {
    auto *self = static_cast<alloc_in_hook *>(ud);
    self->expired++;
    sp_pool_alloc(pool, self->next_life(), nullptr);
  }
  void open(uint32_t count)
  {
    sp_hooks hooks = {};
    hooks.ud = this;
    hooks.on_despawn = ended;
    open_timed(count, hooks);
    for (uint32_t i = 0; i < count; i++)
      sp_pool_alloc(pool, first_life(), nullptr);
  }
  void tick() { update(); }
};

/* sp_update alone. */
struct nothing_due : spawnpool_base {
  void tick() { update(); }
};

static const contestant contestants[] = {
    {"spawnpool", run_ticks<alloc_after>},
    {"spawnpool_hook", run_ticks<alloc_in_hook>},
    {"spawnpool_idle", run_idle<nothing_due>},
    {"spawnpool_sizes", run_expiry<alloc_after>},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
