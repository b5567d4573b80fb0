/*
** The core pair through spawnpool's public calls, sp_pool_alloc_cell and sp_recycle, on a pool without
** built-in columns and one own field of 64 bytes; the `_cell` contestant asks for the memory by a third call, sp_cell.
** The field is one that keeps its value from life to life, as no peer clears memory either; the
** `_reset` contestant restores it at every alloc, which is what a game's own fields do by default.
*/
#include "../pooled.hpp"
#include "patterns.hpp"

using namespace bench;

/* Live bytes of a manager, told by its memory hook. */
static void *counted(void *ud, void *block, size_t old_size, size_t new_size)
{
  size_t &bytes = *static_cast<size_t *>(ud);
  if (new_size == 0) {
    bytes -= old_size;
    free(block);
    return nullptr;
  }
  void *moved = realloc(block, new_size);
  if (moved)
    bytes += new_size - (block ? old_size : 0);
  return moved;
}

template <sp_order order, bool lifetimes, bool keep, bool found = true> struct pool_of_bytes : pooled {
  typedef sp_ref handle;
  size_t bytes = 0;
  uint32_t random = 0;
  double lifetime[512];
  void *cell = nullptr;

  void open(size_t count)
  {
    sp_options options = {};
    options.memory = counted;
    options.memory_ud = &bytes;
    sp_pool_desc desc = {};
    desc.settings.order = order;
    open_pool(uint32_t(count), desc, keep, options);
    for (int i = 0; i < 512; i++)
      lifetime[i] = (i + 1) * STEP;
  }
  double life()
  {
    if (!lifetimes)
      return 0;
    random = random * 1664525u + 1013904223u;
    return lifetime[random >> 23];
  }
  handle alloc()
  {
    if (!found)
      return sp_pool_alloc(pool, life(), nullptr);
    handle object;
    cell = sp_pool_alloc_cell(pool, life(), SP_FIELDS, &object, nullptr);
    return object;
  }
  void recycle(handle object)
  {
    if (__builtin_expect(sp_recycle(manager, object) != SP_OK, 0))
      abort();
  }
  /* Asked for the object that was made last. */
  void *memory(handle object) { return found ? cell : sp_cell(manager, object, SP_FIELDS); }
};

/* Bytes held per idle slot beyond its one column, at a hundred thousand slots. */
static void run_memory()
{
  auto &pool = *new pool_of_bytes<SP_ORDER_FIFO, true, true>;
  const size_t count = 100000;
  pool.open(count);
  report("bytes_per_slot", double(pool.bytes) / double(count) - double(object_size));
}

static const contestant contestants[] = {
    {"spawnpool", run_patterns<pool_of_bytes<SP_ORDER_FIFO, false, true>>},
    {"spawnpool_cell", run_patterns<pool_of_bytes<SP_ORDER_FIFO, false, true, false>>},
    {"spawnpool_lifo", run_patterns<pool_of_bytes<SP_ORDER_LIFO, false, true>>},
    {"spawnpool_reset", run_patterns<pool_of_bytes<SP_ORDER_FIFO, false, false>>},
    {"spawnpool_life", run_patterns<pool_of_bytes<SP_ORDER_FIFO, true, true>>},
    {"spawnpool_lifo_life", run_patterns<pool_of_bytes<SP_ORDER_LIFO, true, true>>},
    {"spawnpool_memory", run_memory},
    {"spawnpool_sizes", run_sizes<pool_of_bytes<SP_ORDER_FIFO, false, true, false>>},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
