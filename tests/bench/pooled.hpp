/* A manager with one pool of objects that have 64 bytes of their own. */
#ifndef BENCH_POOLED_HPP
#define BENCH_POOLED_HPP

#include "core/spawnpool.h"

#include <cstdlib>

namespace bench {

struct pooled {
  static constexpr double STEP = 1.0 / 64; /* exact in binary: a lifetime of n ticks is n ticks */
  sp_manager *manager;
  sp_pool *pool;

  /* `desc` may say more; a field that is kept is never cleared, as no peer clears memory. */
  void open_pool(uint32_t prealloc, sp_pool_desc desc = {}, bool keep = true, sp_options options = {})
  {
    const sp_field field = {"bytes", nullptr, 64, keep, false, false};
    options.step = STEP;
    manager = sp_open(&options, nullptr);
    desc.type = "Bytes";
    desc.fields = &field;
    desc.field_count = 1;
    desc.settings.prealloc = prealloc;
    pool = sp_add_pool(manager, &desc, nullptr);
    if (!pool)
      abort();
  }
  void update() { sp_update(manager, STEP); }
};

} // namespace bench

#endif
