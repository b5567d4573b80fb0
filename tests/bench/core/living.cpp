/*
** Costs that should not follow how large a pool is or was, or how many pools there are.
**   growth    milliseconds of the longest single alloc, from 0 to ten million objects
**   memory    most bytes held while a pool grows to 1.3 million objects, over what as many slots need
**   update, walk, snapshot, save, bytes
**             of ten objects: microseconds and the bytes of a save, in a pool of ten (`ten`), and where a million were
**             (`million`)
**   find      nanoseconds to find a pool by its name, of ten (`few`) or ten thousand (`many`)
*/
#include "../clock.hpp"

#include "core/spawnpool.h"
#include "core/spawnpool_save.h"

#include <string>

using namespace bench;

/* Bytes of a manager, told by its memory hook. */
struct memory {
  size_t now = 0, most = 0;

  static void *hook(void *ud, void *block, size_t old_size, size_t new_size)
  {
    memory &it = *static_cast<memory *>(ud);
    void *moved = nullptr;
    if (new_size == 0)
      free(block);
    else if (!(moved = realloc(block, new_size)))
      return nullptr;
    else if (block && moved != block) /* both were there for a moment */
      it.most = std::max(it.most, it.now + new_size);
    it.now += new_size - (block ? old_size : 0);
    it.most = std::max(it.most, it.now);
    return moved;
  }
};

static sp_pool *open_pool(memory *counted, uint32_t prealloc)
{
  sp_options options = {};
  if (counted) {
    options.memory = memory::hook;
    options.memory_ud = counted;
  }
  sp_pool_desc desc = {};
  desc.type = "Thing";
  desc.spatial = true;
  desc.vx = 1;
  desc.settings.prealloc = prealloc;
  sp_manager *manager = sp_open(&options, nullptr);
  sp_pool *pool = manager ? sp_add_pool(manager, &desc, nullptr) : nullptr;
  if (!pool)
    abort();
  return pool;
}

/* {== Growth ============================================================= */

static void run_growth()
{
  sp_pool *pool = open_pool(nullptr, 0);
  uint64_t longest = 0;
  for (uint32_t i = 0; i < 10000000; i++) {
    const uint64_t begin = cycles();
    if (!sp_pool_alloc(pool, 0, nullptr))
      abort();
    longest = std::max(longest, cycles() - begin);
  }
  report("growth", double(longest) * cycle_ns() / 1e6);
}

static size_t bytes_of(uint32_t slots)
{
  memory counted;
  sp_close(sp_pool_manager(open_pool(&counted, slots)));
  return counted.most;
}

static void run_memory()
{
  const uint32_t count = 1300000;
  const double needed = double(bytes_of(2 * count) - bytes_of(count));
  memory counted;
  sp_pool *pool = open_pool(&counted, 0);
  for (uint32_t i = 0; i < count; i++)
    sp_pool_alloc(pool, 0, nullptr);
  report("memory", double(counted.most) / needed);
}

/* }== */

/* {== Ten objects ======================================================== */

static bool write(void *ud, const void *, size_t size) { return *static_cast<size_t *>(ud) += size, true; }

/* The ten lie far apart where a million were. */
static void run_ten(uint32_t were)
{
  sp_pool *pool = open_pool(nullptr, 0);
  sp_manager *manager = sp_pool_manager(pool);
  std::vector<sp_ref> objects(were);
  for (sp_ref &object : objects)
    object = sp_pool_alloc(pool, 0, nullptr);
  for (uint32_t i = 0; i < were; i++)
    if (i % (were / 10) != 0)
      sp_recycle(manager, objects[i]);
  const double step = sp_step(manager);
  const int times = 20;
  report("update", per_operation(50, times, [&] {
                     for (int i = 0; i < times; i++)
                       sp_update(manager, step);
                   }) / 1e3);
  report("walk", per_operation(50, times, [&] {
                   for (int i = 0; i < times; i++) {
                     sp_walk walk = sp_pool_walk(pool);
                     while (sp_ref object = sp_walk_next(&walk))
                       touch(&object);
                   }
                 }) / 1e3);
  sp_snapshot *snapshot = sp_snapshot_take(manager, nullptr, nullptr);
  report("snapshot", per_operation(30, 1, [&] {
                       if (sp_snapshot_take(manager, snapshot, nullptr) != snapshot)
                         abort();
                     }) / 1e3);
  size_t bytes = 0;
  report("save", per_operation(30, 1, [&] {
                   bytes = 0;
                   if (sp_save(manager, write, &bytes) != SP_OK)
                     abort();
                 }) / 1e3);
  report("bytes", double(bytes));
}

/* }== */

/* {== Names ============================================================== */

static void run_names(uint32_t pools)
{
  sp_manager *manager = sp_open(nullptr, nullptr);
  std::vector<std::string> names;
  random_numbers random;
  for (uint32_t i = 0; i < pools; i++) {
    names.push_back("Type" + std::to_string(i));
    sp_pool_desc desc = {};
    desc.type = names.back().c_str();
    if (!sp_add_pool(manager, &desc, nullptr))
      abort();
  }
  const int finds = 1000;
  report("find", per_operation(30, finds, [&] {
           for (int i = 0; i < finds; i++)
             touch(sp_find_pool(manager, names[random.below(pools)].c_str()));
         }));
}

/* }== */

static const contestant contestants[] = {
    {"growth", run_growth},         {"memory", run_memory},
    {"ten", [] { run_ten(10); }},   {"million", [] { run_ten(1000000); }},
    {"few", [] { run_names(10); }}, {"many", [] { run_names(10000); }},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
