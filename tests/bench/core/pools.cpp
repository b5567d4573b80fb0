/*
** The core pair: the limit, and what a C or C++ programmer would use instead. mimalloc and spawnpool have programs of
** their own, since linking mimalloc replaces malloc; jemalloc runs as `malloc` under LD_PRELOAD.
*/
#include "memory.hpp"
#include "patterns.hpp"

#if __has_include(<boost/pool/pool.hpp>)
#define BOOST_NO_MT 1 /* one thread, like every other contestant */
#include <boost/pool/pool.hpp>
#define HAVE_BOOST 1
#endif

using namespace bench;

#define UNLIKELY(condition) __builtin_expect(bool(condition), 0)

struct object {
  char bytes[object_size];
};

__attribute__((noinline, cold)) static void on_double_recycle()
{
  fprintf(stderr, "double recycle\n");
  abort();
}

/* The limit: a stack of slot numbers. No check of anything, so any mistake of the caller corrupts it. */
struct bare_stack {
  typedef uint32_t handle;
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
      return on_double_recycle();
    record &it = records[id];
    if (UNLIKELY(it.id != id || it.generation != h.generation))
      return on_double_recycle();
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

#ifdef HAVE_BOOST
/* Intrusive list, inlined, no check of anything. */
struct boost_pool {
  typedef void *handle;
  boost::pool<> *pool;
  void open(size_t count) { pool = new boost::pool<>(object_size, count); }
  handle alloc() { return pool->malloc(); }
  void recycle(handle memory) { pool->free(memory); }
  void *memory(handle memory) { return memory; }
};
#endif

static const contestant contestants[] = {
    {"bare_stack", run_patterns<bare_stack>}, {"id_pool", run_patterns<id_pool>},
    {"malloc", run_patterns<c_malloc>},       {"bare_stack_sizes", run_sizes<bare_stack>},
    {"malloc_sizes", run_sizes<c_malloc>},
#ifdef HAVE_BOOST
    {"boost_pool", run_patterns<boost_pool>},
#endif
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
