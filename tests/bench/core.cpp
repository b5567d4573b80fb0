/*
** What the core costs, and what a C programmer would use instead. `core NAME` runs one contestant, so that each has a
** process of its own, and prints "pattern value" lines:
**   random    nanoseconds of one recycle and one alloc: 10,000 live, a random one is recycled; nobody writes the object
**   churn10k  the same, and the 64 bytes of the new object are written
**   churn1M   the same with a million live: cache misses
**   growth    milliseconds of the longest single alloc, from 0 to ten million objects
**   update, walk
**             microseconds for 10,000 objects, where never more were (`steady`), and where a million were (`peak`)
**   empty     bytes of a manager without pools, and of a pool without objects
**   find      nanoseconds to find a pool by its name, of ten (`few`) and of 10,000 (`many`)
**   expiry    nanoseconds for an end of life and the next alloc, while a million live for 1 to 600 ticks
**   idle      nanoseconds for a tick while a million lives end in an hour
** malloc also runs as jemalloc and mimalloc, by LD_PRELOAD. Of many short batches the least counts: whatever else the
** machine does only adds to it.
*/
#include "core/spawnpool.h"
#include "core/spawnpool_tools.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <time.h>
#include <vector>

static double clock_ns()
{
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

/* BENCH_QUICK=1: a third of the work, for a first look. */
static int batches_of(int batches) { return getenv("BENCH_QUICK") ? (batches + 2) / 3 : batches; }

/* The nanoseconds that one operation takes in the fastest batch; work() does some, and returns how many. */
template <class Work> static double per_operation(int batches, Work work)
{
  double least = 1e30;
  for (int batch = batches_of(batches); batch-- > 0;) {
    const double begin = clock_ns();
    const double operations = work();
    least = std::min(least, (clock_ns() - begin) / operations);
  }
  return least;
}

/* The driver reads these lines. */
static void report(const char *pattern, double value) { printf("%s %.4f\n", pattern, value); }

/* The compiler must assume that whatever `pointer` leads to is read and written here. */
static void touch(const void *pointer) { asm volatile("" ::"r"(pointer) : "memory"); }

template <class T> static T *must(T *made)
{
  if (!made)
    abort();
  return made;
}

/* {== Pairs ============================================================== */

static const size_t object_size = 64;

static const size_t PICKS = 1 << 20;
static uint32_t pick[PICKS]; /* which to recycle, drawn beforehand */
static size_t at;            /* in it */

/* Recycles random ones of `live`, and allocates as many. */
template <bool writes, class Pool, class Handle> static void churn(Pool &pool, Handle *live, int pairs)
{
  for (int i = 0; i < pairs; i++) {
    const size_t k = pick[at++ & (PICKS - 1)];
    pool.recycle(live[k]);
    const Handle object = pool.alloc();
    if (writes) {
      void *memory = pool.memory(object);
      memset(memory, i, object_size);
      touch(memory);
    }
    live[k] = object;
  }
}

template <class Pool, bool writes> static void run_churn(const char *pattern, size_t count, int batches)
{
  const int pairs = 32768;
  Pool &pool = *new Pool; /* never freed: a process measures one contestant and ends */
  std::mt19937 random;
  std::vector<typename Pool::handle> live(count);
  pool.open(count + count / 4);
  for (auto &object : live) {
    object = pool.alloc();
    memset(pool.memory(object), 1, object_size);
  }
  for (uint32_t &index : pick)
    index = uint32_t(random() % count);
  churn<writes>(pool, live.data(), int(2 * count)); /* until the free list has no order left */
  std::shuffle(live.begin(), live.end(), random);
  report(pattern, per_operation(batches, [&] {
           churn<writes>(pool, live.data(), pairs);
           return pairs;
         }));
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

#define UNLIKELY(condition) __builtin_expect(bool(condition), 0)

/* Memory of a fixed capacity, page by page on first use. Aligned so that every contestant meets the same borders. */
template <class T> static T *reserve(size_t count)
{
  const size_t border = size_t(2) << 20;
  return must(static_cast<T *>(aligned_alloc(border, (count * sizeof(T) + border - 1) & ~(border - 1))));
}

/* The limit: a stack of slot numbers. No check of anything, so any mistake of the caller corrupts it. */
struct bare_stack {
  typedef uint32_t handle;
  struct object {
    char bytes[object_size];
  };
  object *objects;
  uint32_t *idle;
  size_t top = 0;

  void open(size_t count)
  {
    objects = reserve<object>(count);
    idle = reserve<uint32_t>(count);
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
      records[i] = {-1, 0, {}};
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

static const double STEP = 1.0 / 64; /* exact in binary: a lifetime of n ticks is n ticks */

static sp_pool *open_pool(sp_pool_desc desc)
{
  sp_manager_options options = sp_manager_defaults();
  options.step = STEP;
  desc.type = "Thing";
  return must(sp_manager_add_pool(must(sp_manager_open(&options, nullptr)), &desc, nullptr));
}

/* A pool without built-in columns and one field of 64 bytes. `keep`: its value survives from life to life, as no peer
   clears memory either; a game's own fields are reset by default. */
template <sp_order order, bool keep> struct pooled {
  typedef sp_ref handle;
  sp_pool *pool;
  sp_manager *manager;

  void open(size_t count)
  {
    sp_field field = {};
    field.name = "bytes";
    field.size = object_size;
    field.keep = keep;
    sp_pool_desc desc = sp_pool_defaults("Thing");
    desc.fields = &field;
    desc.field_count = 1;
    desc.settings.prealloc = uint32_t(count);
    desc.settings.order = order;
    pool = open_pool(desc);
    manager = sp_pool_manager(pool);
  }
  handle alloc_for(double seconds) { return sp_pool_alloc(pool, seconds, nullptr, nullptr); }
  handle alloc() { return alloc_for(0); }
  void recycle(handle object)
  {
    if (UNLIKELY(sp_object_recycle(manager, object) != SP_OK))
      abort();
  }
  void *memory(handle object) { return sp_object_cell(manager, object, SP_FIELDS); }
};

/* Lives of 512 to 1023 ticks: nearly all are recycled before. */
struct with_life : pooled<SP_ORDER_COMPACT, true> {
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
      sp_manager_update(sp_pool_manager(pool), STEP);
    sp_object_recycle(manager, object);
  }
};

/* }== */

/* {== How many there are, and were ======================================= */

static sp_pool *open_moving()
{
  sp_pool_desc desc = sp_pool_defaults("Thing");
  desc.spatial = true;
  desc.vx = 1;
  return open_pool(desc);
}

static void run_growth()
{
  sp_pool *pool = open_moving();
  double longest = 0;
  for (uint32_t i = 0; i < 10000000; i++) {
    const double begin = clock_ns();
    if (!sp_pool_alloc(pool, 0, nullptr, nullptr))
      abort();
    longest = std::max(longest, clock_ns() - begin);
  }
  report("growth", longest / 1e6);
}

/* 10,000 live of a pool that had more; random ones were recycled, and 200,000 have come and gone since. */
static void run_peak(uint32_t were)
{
  sp_pool *pool = open_moving();
  sp_manager *manager = sp_pool_manager(pool);
  std::mt19937 random;
  std::vector<sp_ref> objects(were);
  for (sp_ref &object : objects)
    object = sp_pool_alloc(pool, 0, nullptr, nullptr);
  std::shuffle(objects.begin(), objects.end(), random);
  for (; objects.size() > 10000; objects.pop_back())
    sp_object_recycle(manager, objects.back());
  for (int i = 0; i < 200000; i++) {
    sp_ref &object = objects[random() % objects.size()];
    sp_object_recycle(manager, object);
    object = sp_pool_alloc(pool, 0, nullptr, nullptr);
  }
  auto measure = [](const char *pattern, auto work) {
    report(pattern, per_operation(50, [&] {
                      const int times = 20;
                      for (int i = 0; i < times; i++)
                        work();
                      return times;
                    }) / 1e3);
  };
  measure("update", [&] { sp_manager_update(manager, STEP); });
  measure("walk", [&] {
    sp_walk walk = sp_pool_walk(pool);
    while (sp_ref object = sp_walk_next(&walk))
      touch(&object);
  });
}

/* }== */

/* {== Empty ones ========================================================= */

static void run_empty()
{
  sp_manager *manager = must(sp_manager_open(nullptr, nullptr));
  sp_stats before, after;
  sp_manager_stats(manager, &before);
  sp_pool_desc desc = sp_pool_defaults("Thing");
  desc.type = "Thing";
  must(sp_manager_add_pool(manager, &desc, nullptr));
  sp_manager_stats(manager, &after);
  report("manager", double(before.bytes));
  report("pool", double(after.bytes - before.bytes));
}

/* }== */

/* {== Names ============================================================== */

static void run_names(uint32_t pools)
{
  sp_manager *manager = must(sp_manager_open(nullptr, nullptr));
  std::mt19937 random;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < pools; i++) {
    names.push_back("Type" + std::to_string(i));
    sp_pool_desc desc = sp_pool_defaults(nullptr);
    desc.type = names.back().c_str();
    must(sp_manager_add_pool(manager, &desc, nullptr));
  }
  std::shuffle(names.begin(), names.end(), random);
  report("find", per_operation(30, [&] {
           const int finds = 10000;
           for (int i = 0; i < finds; i++)
             touch(sp_manager_pool(manager, names[size_t(i) % pools].c_str()));
           return finds;
         }));
}

/* }== */

/* {== A million lifetimes ================================================ */

struct lifetimes {
  static const uint32_t COUNT = 1000000;
  sp_pool *pool;
  sp_manager *manager;
  std::vector<double> drawn = std::vector<double>(65536);
  uint32_t at = 0;

  explicit lifetimes(double later)
  {
    std::mt19937 random;
    for (double &seconds : drawn)
      seconds = double(1 + random() % 600) * STEP;
    sp_pool_desc desc = sp_pool_defaults("Thing");
    desc.settings.prealloc = COUNT + COUNT / 4;
    pool = open_pool(desc);
    manager = sp_pool_manager(pool);
    for (uint32_t i = 0; i < COUNT; i++)
      sp_pool_alloc(pool, later + next(), nullptr, nullptr);
  }
  double next() { return drawn[at++ & 65535]; }
  /* Returns how many have ended. As many begin. */
  uint32_t tick()
  {
    sp_manager_update(manager, STEP);
    const uint32_t ended = COUNT - sp_pool_live(pool);
    for (uint32_t i = 0; i < ended; i++)
      sp_pool_alloc(pool, next(), nullptr, nullptr);
    return ended;
  }
};

static void run_expiry()
{
  lifetimes &lives = *new lifetimes(0);
  for (int i = 0; i < 610; i++) /* a whole lifetime: then nothing lies in memory in the order it was made */
    lives.tick();
  report("expiry", per_operation(60, [&] {
           uint32_t ended = 0;
           for (int i = 0; i < 8; i++)
             ended += lives.tick();
           return ended;
         }));
}

static void run_idle()
{
  lifetimes &lives = *new lifetimes(3600);
  report("idle", per_operation(50, [&] {
           for (int i = 0; i < 64; i++)
             sp_manager_update(lives.manager, STEP);
           return 64;
         }));
}

/* }== */

static const struct {
  const char *name;
  void (*run)();
} contestants[] = {
    {"bare_stack", run_small<bare_stack>},
    {"id_pool", run_all<id_pool>},
    {"malloc", run_all<c_malloc>},
    {"kept", run_all<pooled<SP_ORDER_COMPACT, true>>},
    {"reset", run_small<pooled<SP_ORDER_COMPACT, false>>},
    {"life", run_small<with_life>},
    {"ticks", [] { run_churn<with_ticks, true>("churn10k", 10000, 100); }},
    {"growth", run_growth},
    {"steady", [] { run_peak(10000); }},
    {"peak", [] { run_peak(1000000); }},
    {"empty", run_empty},
    {"few", [] { run_names(10); }},
    {"many", [] { run_names(10000); }},
    {"expiry", run_expiry},
    {"idle", run_idle},
};

int main(int argc, char **argv)
{
  for (const auto &it : contestants)
    if (argc == 2 && strcmp(argv[1], it.name) == 0) {
      it.run();
      return 0;
    }
  return 2;
}
