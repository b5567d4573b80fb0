/*
** What the core costs, and what a C programmer would use instead. `core NAME` runs one contestant, so that each has a
** process of its own, and prints "pattern value" lines:
**   pair10k, pair1M
**             nanoseconds to recycle a random one of so many, allocate one, set its 64 bytes to their first value, and
**             read a field of another random one
**   lives10k, lives100k
**             microseconds of a tick in which so many live for two seconds on average, and as many begin as end
**   bullets   milliseconds of such a tick of a million that move
**   update, walk, each
**             microseconds for 10,000 objects, where never more were (`steady`), and where a million were (`peak`);
**             update also for 100,000, where never more were (`full`), twice (`half`) and ten times as many (`tenth`)
**   total, longest, touch
**             milliseconds of growing to three million objects, of the longest single alloc, and to write as many bytes
**   take, restore, copy
**             microseconds for a snapshot of 100,000 objects, and to copy as many bytes; also with ends of life
**   empty     bytes of a manager without pools, of a pool without objects, and of an object of 64 bytes
**   near      microseconds of a thousand searches for the nearest of 10,000
** malloc also runs as mimalloc, by LD_PRELOAD. Of many short batches the least counts: whatever else the machine does
** only adds to it.
*/
#include "core/spawnpool.h"
#include "core/spawnpool_tools.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <time.h>
#include <vector>
#if __has_include(<plf_colony.h>)
#include <plf_colony.h>
#define HAS_COLONY
#endif
#if __has_include(<boost/pool/object_pool.hpp>)
#include <boost/pool/object_pool.hpp>
#define HAS_BOOST
#endif

/* idpool.h is C, where a pointer to nothing converts to any. */
struct any_pointer {
  void *at;
  template <class T> operator T *() const { return static_cast<T *>(at); }
};
#define malloc(size)                                                                                                   \
  any_pointer { malloc(size) }
#define calloc(count, size)                                                                                            \
  any_pointer { calloc(count, size) }
#include "idpool.h"
#undef malloc
#undef calloc

/* The walk of the binding for Lua over all pools (core/binding.h). */
extern "C" sp_ref sp_next_live(const sp_manager *manager, uint64_t serial, sp_ref last);

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

/* Reports the microseconds of a call of work(). */
template <class Work> static void report_us(const char *pattern, int batches, Work work)
{
  report(pattern, per_operation(batches, [&] {
                    work();
                    return 1;
                  }) / 1e3);
}

/* The compiler must assume that whatever `pointer` leads to is read and written here. */
static void touch(const void *pointer) { asm volatile("" ::"r"(pointer) : "memory"); }

template <class T> static T *must(T *made)
{
  if (!made)
    abort();
  return made;
}

/* {== Pairs ============================================================== */

static const size_t PICKS = 1 << 20;
static uint32_t pick[PICKS]; /* which to recycle or to read, drawn beforehand */
static size_t at;            /* in it */

template <class Pool> static void run_pair(const char *pattern, size_t count, int batches)
{
  const int pairs = 32768;
  Pool &pool = *new Pool; /* never freed: a process measures one contestant and ends */
  std::mt19937 random;
  std::vector<typename Pool::handle> live(count);
  pool.open(count + count / 4);
  for (auto &object : live)
    object = pool.alloc();
  std::shuffle(live.begin(), live.end(), random);
  for (uint32_t &index : pick)
    index = uint32_t(random() % count);
  auto churn = [&](int operations) {
    uint64_t sum = 0;
    for (int i = 0; i < operations; i++) {
      auto &object = live[pick[at++ & (PICKS - 1)]];
      pool.recycle(object);
      object = pool.alloc();
      sum += pool.read(live[pick[(at + PICKS / 2) & (PICKS - 1)]]);
    }
    touch(&sum);
    return operations;
  };
  churn(int(2 * count)); /* until the free list has no order left */
  report(pattern, per_operation(batches, [&] { return churn(pairs); }));
}

template <class Pool> static void run_pairs()
{
  run_pair<Pool>("pair10k", 10000, 60);
  run_pair<Pool>("pair1M", 1000000, 20);
}

/* The one of idpool.h has no limits, lifetimes, growth or walks. */
struct id_pool {
  typedef uint64_t handle;
  idpool pool;
  void open(size_t count) { idpool_open(&pool, uint32_t(count)); }
  handle alloc() { return idpool_alloc(&pool); }
  void recycle(handle id)
  {
    if (!idpool_recycle(&pool, id))
      abort();
  }
  uint64_t read(handle id) { return must(idpool_peek(&pool, id))->words[0]; }
};

struct c_malloc {
  typedef idpool_cell *handle;
  void open(size_t) {}
  handle alloc()
  {
    handle memory = static_cast<handle>(malloc(sizeof *memory));
    asm volatile("" : "+r"(memory)); /* else the pair is optimised away */
    memset(memory, 0, sizeof *memory);
    return memory;
  }
  void recycle(handle memory) { free(memory); }
  uint64_t read(handle memory) { return memory->words[0]; }
};

#ifdef HAS_COLONY
struct colony {
  typedef plf::colony<idpool_cell>::iterator handle;
  plf::colony<idpool_cell> pool;
  void open(size_t count) { pool.reserve(count); }
  handle alloc() { return pool.insert(idpool_cell{}); }
  void recycle(handle object) { pool.erase(object); }
  uint64_t read(handle object) { return object->words[0]; }
};
#endif

#ifdef HAS_BOOST
struct object_pool {
  typedef idpool_cell *handle;
  boost::object_pool<idpool_cell> pool;
  void open(size_t) {}
  handle alloc() { return new (pool.malloc()) idpool_cell{}; }
  void recycle(handle memory) { pool.free(memory); }
  uint64_t read(handle memory) { return memory->words[0]; }
};
#endif

static const double STEP = 1.0 / 64; /* exact in binary: a lifetime of n ticks is n ticks */

static sp_pool *open_pool(sp_pool_desc desc)
{
  sp_manager_options options = sp_manager_defaults();
  options.step = STEP;
  desc.type = "Thing";
  return must(sp_manager_add_pool(must(sp_manager_open(&options, nullptr)), &desc, nullptr));
}

/* One field of 64 bytes, which an alloc resets, and no built-in ones. */
static sp_pool *open_cells(size_t count)
{
  sp_field field = {};
  field.name = "bytes";
  field.size = sizeof(idpool_cell);
  sp_pool_desc desc = sp_pool_defaults("Thing");
  desc.fields = &field;
  desc.field_count = 1;
  desc.settings.prealloc = uint32_t(count);
  return open_pool(desc);
}

static sp_pool *open_moving()
{
  sp_pool_desc desc = sp_pool_defaults("Thing");
  desc.spatial = true;
  desc.vx = 1;
  return open_pool(desc);
}

struct spawnpool {
  typedef sp_ref handle;
  sp_pool *pool;
  sp_manager *manager;

  void open(size_t count)
  {
    pool = open_cells(count);
    manager = sp_pool_manager(pool);
    memset(sp_object_cell(manager, alloc(), SP_FIELDS), 1, 64); /* a column that was never written is not reset */
  }
  handle alloc() { return sp_pool_alloc(pool, 0, nullptr, nullptr); }
  void recycle(handle object)
  {
    if (sp_object_recycle(manager, object) != SP_OK)
      abort();
  }
  uint64_t read(handle object)
  {
    return static_cast<const idpool_cell *>(must(sp_object_peek(manager, object, SP_FIELDS)))->words[0];
  }
};

/* }== */

/* {== Lives ============================================================== */

static const int MOST_TICKS = 240; /* of a life; half of that is the average */

static std::vector<double> draw_lives()
{
  std::mt19937 random;
  std::vector<double> drawn(65536);
  for (double &seconds : drawn)
    seconds = double(1 + random() % MOST_TICKS) * STEP;
  return drawn;
}

/* Reports the microseconds of tick(), over `scale`, once a whole lifetime has passed: nothing lies in memory in the
   order it was made then. */
template <class Tick> static void report_ticks(const char *pattern, double scale, Tick tick)
{
  for (int i = 0; i < MOST_TICKS + 10; i++)
    tick();
  const int ticks = 60;
  report(pattern, per_operation(20, [&] {
                    for (int i = 0; i < ticks; i++)
                      tick();
                    return ticks;
                  }) / scale);
}

static void run_lives(const char *pattern, uint32_t count, sp_pool *pool, double scale)
{
  const std::vector<double> lives = draw_lives();
  size_t next = 0;
  auto begin = [&] { sp_pool_alloc(pool, lives[next++ & 65535], nullptr, nullptr); };
  for (uint32_t i = 0; i < count; i++)
    begin();
  report_ticks(pattern, scale, [&] {
    sp_manager_update(sp_pool_manager(pool), STEP);
    for (uint32_t i = count - sp_pool_live(pool); i > 0; i--)
      begin();
  });
}

/* The pool above, and beside it an array of the seconds that are left. */
static void run_counted_lives(const char *pattern, uint32_t count)
{
  const std::vector<double> lives = draw_lives();
  size_t next = 0;
  id_pool pool;
  pool.open(count);
  std::vector<uint64_t> ids(count);
  std::vector<float> left(count);
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = pool.alloc();
    left[i] = float(lives[next++ & 65535]);
  }
  report_ticks(pattern, 1e3, [&] {
    for (uint32_t i = 0; i < count; i++)
      if ((left[i] -= float(STEP)) <= 0) {
        pool.recycle(ids[i]);
        ids[i] = pool.alloc();
        left[i] = float(lives[next++ & 65535]);
      }
  });
}

/* }== */

/* {== How many there are, and were ======================================= */

static double bytes_of(sp_manager *manager)
{
  sp_stats stats;
  sp_manager_stats(manager, &stats);
  return double(stats.bytes);
}

static void run_growth()
{
  const uint32_t count = 3000000;
  sp_pool *pool = open_cells(0);
  double longest = 0, last = clock_ns();
  const double begin = last;
  for (uint32_t i = 0; i < count; i++) {
    must(sp_pool_alloc(pool, 0, nullptr, nullptr) ? pool : nullptr);
    const double now = clock_ns();
    longest = std::max(longest, now - last);
    last = now;
  }
  report("longest", longest / 1e6);
  report("total", (last - begin) / 1e6);
  const size_t bytes = size_t(bytes_of(sp_pool_manager(pool)));
  const double from = clock_ns();
  char *memory = must(static_cast<char *>(malloc(bytes)));
  memset(memory, 1, bytes);
  touch(memory);
  report("touch", (clock_ns() - from) / 1e6);
}

template <class Work> static void report_twenty(const char *pattern, Work work)
{
  report(pattern, per_operation(50, [&] {
                    for (int i = 0; i < 20; i++)
                      work();
                    return 20;
                  }) / 1e3);
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
  report_twenty("update", [&] { sp_manager_update(manager, STEP); });
  report_twenty("walk", [&] {
    sp_walk walk = sp_pool_walk(pool);
    while (sp_ref object = sp_walk_next(&walk))
      touch(&object);
  });
  report_twenty("each", [&] {
    for (sp_ref object = 0; (object = sp_next_live(manager, UINT64_MAX, object)) != 0;)
      touch(&object);
  });
}

/* 100,000 are left of `times` as many, at random, and nothing has come since. */
static void run_holes(size_t times)
{
  sp_pool *pool = open_moving();
  std::vector<sp_ref> objects(100000 * times);
  for (sp_ref &object : objects)
    object = sp_pool_alloc(pool, 0, nullptr, nullptr);
  std::shuffle(objects.begin(), objects.end(), std::mt19937());
  for (; objects.size() > 100000; objects.pop_back())
    sp_object_recycle(sp_pool_manager(pool), objects.back());
  report_twenty("update", [&] { sp_manager_update(sp_pool_manager(pool), STEP); });
}

/* }== */

/* {== Snapshots, memory, searches ======================================== */

static void run_snapshot(bool with_ends)
{
  sp_pool *pool = open_cells(100000);
  sp_manager *manager = sp_pool_manager(pool);
  const std::vector<double> lives = draw_lives();
  for (size_t i = 0; i < 100000; i++)
    sp_pool_alloc(pool, with_ends ? 1000 + lives[i & 65535] : 0, nullptr, nullptr);
  sp_snapshot *snapshot = must(sp_snapshot_take(manager, nullptr, nullptr));
  const size_t bytes = sp_snapshot_bytes(snapshot);
  std::vector<char> from(bytes, 1), to(bytes);
  report_us("copy", 60, [&] {
    memcpy(to.data(), from.data(), bytes);
    touch(to.data());
  });
  report_us("take", 60, [&] { must(sp_snapshot_take(manager, snapshot, nullptr)); });
  report_us("restore", 60, [&] { must(sp_snapshot_restore(manager, snapshot) == SP_OK ? manager : nullptr); });
}

static void run_empty()
{
  const uint32_t count = 100000;
  sp_manager *manager = must(sp_manager_open(nullptr, nullptr));
  const double before = bytes_of(manager);
  sp_pool_desc desc = sp_pool_defaults("Thing");
  must(sp_manager_add_pool(manager, &desc, nullptr));
  report("manager", before);
  report("pool", bytes_of(manager) - before);
  sp_manager *full = sp_pool_manager(open_cells(count));
  report("object", bytes_of(full) / count);
}

static void run_near()
{
  sp_pool *pool = open_moving();
  std::mt19937 random;
  auto place = [&] { return float(random() % 20000) / 10; };
  for (int i = 0; i < 10000; i++) {
    sp_start start = {};
    start.x = place();
    start.y = place();
    sp_pool_alloc(pool, 0, &start, nullptr);
  }
  std::vector<float> wanted(2000);
  for (float &number : wanted)
    number = place();
  report_us("near", 30, [&] {
    sp_manager_update(sp_pool_manager(pool), STEP); /* all have moved */
    for (size_t i = 0; i < wanted.size(); i += 2) {
      const sp_ref found = sp_pool_nearest(pool, wanted[i], wanted[i + 1], 0, nullptr);
      touch(&found);
    }
  });
}

/* }== */

static const struct {
  const char *name;
  void (*run)();
} contestants[] = {
    {"id_pool", run_pairs<id_pool>},
    {"malloc", run_pairs<c_malloc>},
#ifdef HAS_COLONY
    {"colony", run_pairs<colony>},
#endif
#ifdef HAS_BOOST
    {"object_pool", [] { run_pair<object_pool>("pair10k", 10000, 3); }},
#endif
    {"spawnpool", run_pairs<spawnpool>},
    {"lives", [] { run_lives("lives10k", 10000, open_pool(sp_pool_defaults("Thing")), 1e3); }},
    {"many_lives", [] { run_lives("lives100k", 100000, open_pool(sp_pool_defaults("Thing")), 1e3); }},
    {"counted",
     [] {
       run_counted_lives("lives10k", 10000);
       run_counted_lives("lives100k", 100000);
     }},
    {"bullets", [] { run_lives("bullets", 1000000, open_moving(), 1e6); }},
    {"growth", run_growth},
    {"steady", [] { run_peak(10000); }},
    {"peak", [] { run_peak(1000000); }},
    {"full", [] { run_holes(1); }},
    {"half", [] { run_holes(2); }},
    {"tenth", [] { run_holes(10); }},
    {"snapshot", [] { run_snapshot(false); }},
    {"ends", [] { run_snapshot(true); }},
    {"empty", run_empty},
    {"near", run_near},
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
