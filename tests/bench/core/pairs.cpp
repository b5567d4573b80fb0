/*
** One recycle and one alloc in C, by spawnpool and by what a C programmer would use instead.
**   random    10,000 live, a random one is recycled and one allocated; nobody writes the object
**   churn10k  the same, and the 64 bytes of the new object are written
**   churn1M   the same with a million live: cache misses
** malloc also runs as jemalloc and mimalloc, by LD_PRELOAD.
*/
#include "../clock.hpp"

#include "core/spawnpool.h"

#include <sys/mman.h>

using namespace bench;

#define UNLIKELY(condition) __builtin_expect(bool(condition), 0)

static const size_t object_size = 64;

/* {== Patterns =========================================================== */

/* Recycles random ones of `live`, and allocates as many. */
template <class Pool, bool writes> struct churn {
  typedef typename Pool::handle handle;
  static constexpr size_t PICKS = 1 << 20;
  Pool &pool = *new Pool; /* never freed: a process measures one contestant and ends */
  std::vector<handle> live;
  std::vector<uint32_t> pick; /* which to recycle, drawn beforehand */
  size_t at = 0;

  explicit churn(size_t count)
  {
    random_numbers random;
    pool.open(count + count / 4);
    live.resize(count);
    for (handle &object : live) {
      object = pool.alloc();
      memset(pool.memory(object), 1, object_size);
    }
    pick.resize(PICKS);
    for (uint32_t &index : pick)
      index = random.below(count);
    run(int(2 * count)); /* until the free list has no order left */
    for (size_t i = count; i-- > 1;)
      std::swap(live[i], live[random.below(i + 1)]);
  }
  void run(int pairs)
  {
    for (int i = 0; i < pairs; i++) {
      const size_t k = pick[at++ & (PICKS - 1)];
      pool.recycle(live[k]);
      const handle object = pool.alloc();
      if (writes) {
        void *memory = pool.memory(object);
        memset(memory, i, object_size);
        touch(memory);
      }
      live[k] = object;
    }
  }
};

template <class Pool, bool writes> static void run_churn(const char *pattern, size_t count, int batches)
{
  churn<Pool, writes> it(count);
  const int pairs = 32768;
  report(pattern, per_operation(batches, pairs, [&] { it.run(pairs); }));
}

template <class Pool> static void run_small()
{
  run_churn<Pool, false>("random", 10000, 100);
  run_churn<Pool, true>("churn10k", 10000, 100);
}

template <class Pool> static void run_all()
{
  run_small<Pool>();
  run_churn<Pool, true>("churn1M", 1000000, 30);
}

/* }== */

/* {== Peers ============================================================== */

/* Memory of a fixed capacity, page by page on first use. Aligned so that every contestant meets the same borders. */
template <class T> static T *reserve(size_t count)
{
  const size_t border = size_t(2) << 20, bytes = (count * sizeof(T) + border - 1) & ~(border - 1);
  void *memory =
      mmap(nullptr, bytes + border, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  return reinterpret_cast<T *>((uintptr_t(memory) + border - 1) & ~uintptr_t(border - 1));
}

/* The limit: a stack of slot numbers. No check of anything, so any mistake of the caller corrupts it. */
struct bare_stack {
  typedef uint32_t handle;
  struct object {
    char bytes[object_size];
  };
  object *objects;
  uint32_t *idle;
  size_t top;

  void open(size_t count)
  {
    objects = reserve<object>(count);
    idle = reserve<uint32_t>(count);
    top = 0;
    for (size_t i = count; i-- > 0;)
      idle[top++] = uint32_t(i);
  }
  handle alloc() { return idle[--top]; }
  void recycle(handle slot) { idle[top++] = slot; }
  void *memory(handle slot) { return objects + slot; }
};

/* As Box2D keeps its bodies: ids from a growing stack of free ones, records that know their id and a 16-bit generation,
   handles of {index + 1, world, generation} that are checked at every use. */
struct id_pool {
  struct handle {
    int32_t index1;
    uint16_t world, generation;
  };
  struct record {
    int32_t id;
    uint16_t generation;
    char bytes[object_size];
  };
  std::vector<int32_t> idle;
  record *records;
  int32_t next = 0;

  void open(size_t count)
  {
    idle.reserve(count);
    records = reserve<record>(count);
    for (size_t i = 0; i < count; i++)
      records[i].id = -1;
  }
  int32_t take_id()
  {
    if (idle.empty())
      return next++;
    const int32_t id = idle.back();
    idle.pop_back();
    return id;
  }
  __attribute__((noinline, noclone)) handle alloc()
  {
    const int32_t id = take_id();
    record &it = records[id];
    it.id = id;
    it.generation++;
    return {id + 1, 0, it.generation};
  }
  __attribute__((noinline, noclone)) void recycle(handle h)
  {
    const int32_t id = h.index1 - 1;
    if (UNLIKELY(id < 0 || id >= next))
      abort();
    record &it = records[id];
    if (UNLIKELY(it.id != id || it.generation != h.generation))
      abort();
    it.id = -1;
    idle.push_back(id);
  }
  void *memory(handle h) { return records[h.index1 - 1].bytes; }
};

struct c_malloc {
  typedef void *handle;
  void open(size_t) {}
  handle alloc()
  {
    void *memory = malloc(object_size);
    asm volatile("" : "+r"(memory)); /* else the pair is optimised away */
    return memory;
  }
  void recycle(handle memory) { free(memory); }
  void *memory(handle memory) { return memory; }
};

/* }== */

/* {== spawnpool ========================================================== */

/* A pool without built-in columns and one field of 64 bytes. `keep`: its value survives from life to life, as no peer
   clears memory either; a game's own fields are reset by default. */
template <sp_order order, bool keep> struct pooled {
  typedef sp_ref handle;
  static constexpr double STEP = 1.0 / 64; /* exact in binary: a lifetime of n ticks is n ticks */
  sp_manager *manager;
  sp_pool *pool;
  void *cell;

  void open(size_t count)
  {
    sp_field field = {};
    field.name = "bytes";
    field.size = object_size;
    field.keep = keep;
    sp_options options = {};
    options.step = STEP;
    sp_pool_desc desc = {};
    desc.type = "Bytes";
    desc.fields = &field;
    desc.field_count = 1;
    desc.settings.prealloc = uint32_t(count);
    desc.settings.order = order;
    manager = sp_open(&options, nullptr);
    pool = sp_add_pool(manager, &desc, nullptr);
    if (!pool)
      abort();
  }
  handle alloc_for(double seconds)
  {
    handle object;
    cell = sp_pool_alloc_cell(pool, seconds, SP_FIELDS, &object, nullptr);
    return object;
  }
  handle alloc() { return alloc_for(0); }
  void recycle(handle object)
  {
    if (UNLIKELY(sp_pool_recycle(pool, object) != SP_OK))
      abort();
  }
  void *memory(handle) { return cell; } /* of the object that was made last */
};

/* Lives of 512 to 1023 ticks: nearly all are recycled before. */
struct with_life : pooled<SP_ORDER_FIFO, true> {
  uint32_t random = 0;
  double lifetime[512];

  void open(size_t count)
  {
    pooled::open(count);
    for (int i = 0; i < 512; i++)
      lifetime[i] = (512 + i) * STEP;
  }
  handle alloc()
  {
    random = random * 1664525u + 1013904223u;
    return alloc_for(lifetime[random >> 23]);
  }
};

/* And a tick every 100 pairs. One in two hundred lives has ended when it is picked. */
struct with_ticks : with_life {
  int pairs = 0;

  void recycle(handle object)
  {
    if (++pairs % 100 == 0)
      sp_update(manager, STEP);
    sp_pool_recycle(pool, object);
  }
};

static void run_ticks() { run_churn<with_ticks, true>("churn10k", 10000, 100); }

/* }== */

static const contestant contestants[] = {
    {"bare_stack", run_small<bare_stack>},
    {"id_pool", run_all<id_pool>},
    {"malloc", run_all<c_malloc>},
    {"kept", run_all<pooled<SP_ORDER_FIFO, true>>},
    {"lifo", run_small<pooled<SP_ORDER_LIFO, true>>},
    {"reset", run_small<pooled<SP_ORDER_FIFO, false>>},
    {"life", run_small<with_life>},
    {"ticks", run_ticks},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
