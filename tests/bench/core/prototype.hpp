/*
** The prototype pools that spawnpool's design was chosen from, kept as a yardstick: generations and the free list in
** two dense arrays away from the objects, every check on. Handles are generation << 32 | slot, odd generations are
** live. Fixed capacity, one type, no statistics, no hooks, no growth: what is left when everything else is taken away.
*/
#ifndef BENCH_PROTOTYPE_HPP
#define BENCH_PROTOTYPE_HPP

#include "memory.hpp"
#include "patterns.hpp"

#define UNLIKELY(condition) __builtin_expect(bool(condition), 0)

namespace bench {

typedef uint64_t generation_handle;
const uint32_t no_slot = 0xffffffffu;

inline uint32_t slot_of(generation_handle h) { return uint32_t(h); }
inline uint32_t generation_of(generation_handle h) { return uint32_t(h >> 32); }

struct object {
  char bytes[object_size];
};

__attribute__((noinline, cold)) inline void on_double_recycle()
{
  fprintf(stderr, "double recycle\n");
  abort();
}

/* What every pool below has: objects, generations, and the check of a handle against them. */
struct generations {
  typedef generation_handle handle;
  object *objects;
  uint32_t *generation;
  size_t capacity;

  void open_slots(size_t count)
  {
    capacity = count;
    objects = reserve<object>(count);
    generation = reserve<uint32_t>(count);
  }
  handle opened(uint32_t slot) { return uint64_t(++generation[slot]) << 32 | slot; }
  bool stale(handle h) const { return slot_of(h) >= capacity || generation[slot_of(h)] != generation_of(h); }
  void *memory(handle h) { return objects + slot_of(h); }
};

/* The last one returned is reused first. */
struct lifo_stack : generations {
  uint32_t *idle;
  uint32_t top;

  void open(size_t count)
  {
    open_slots(count);
    idle = reserve<uint32_t>(count);
    top = 0;
    for (size_t i = count; i-- > 0;)
      idle[top++] = uint32_t(i);
  }
  handle alloc()
  {
    if (UNLIKELY(top == 0))
      return 0;
    return opened(idle[--top]);
  }
  void recycle(handle h)
  {
    const uint32_t slot = slot_of(h);
    if (UNLIKELY(stale(h)))
      return on_double_recycle();
    generation[slot]++;
    idle[top++] = slot;
  }
};

/* The longest idle is reused first. */
struct fifo_ring : generations {
  uint32_t *idle;
  uint32_t head, tail, mask;

  void open(size_t count)
  {
    open_slots(count);
    size_t size = 1;
    while (size < count)
      size *= 2;
    idle = reserve<uint32_t>(size);
    mask = uint32_t(size - 1);
    head = 0;
    tail = uint32_t(count);
    for (size_t i = 0; i < count; i++)
      idle[i] = uint32_t(i);
  }
  handle alloc()
  {
    if (UNLIKELY(head == tail))
      return 0;
    return opened(idle[head++ & mask]);
  }
  void recycle(handle h)
  {
    const uint32_t slot = slot_of(h);
    if (UNLIKELY(stale(h)))
      return on_double_recycle();
    generation[slot]++;
    idle[tail++ & mask] = slot;
  }
};

/* The LIFO stack with a lifetime armed at every alloc and cancelled at every recycle: a wheel of 1024 ticks whose
   buckets are sentinel nodes of circular lists in the nodes' own array, so that linking has no branch. */
struct lifetime_wheel {
  typedef generation_handle handle;
  struct node {
    uint32_t next, previous;
  };
  lifo_stack slots;
  node *nodes;
  uint32_t now, random;

  void open(size_t count)
  {
    slots.open(count);
    now = 1;
    random = 0;
    nodes = reserve<node>(count + 1024);
    for (uint32_t k = 0; k < 1024; k++)
      nodes[k].next = nodes[k].previous = k;
  }
  handle alloc()
  {
    const handle h = slots.alloc();
    if (!h)
      return h;
    random = random * 1664525u + 1013904223u;
    const uint32_t bucket = (now + (random >> 23)) & 1023, self = slot_of(h) + 1024;
    const uint32_t first = nodes[bucket].next;
    nodes[self].next = first;
    nodes[self].previous = bucket;
    nodes[first].previous = self;
    nodes[bucket].next = self;
    return h;
  }
  void recycle(handle h)
  {
    if (UNLIKELY(slots.stale(h)))
      return on_double_recycle();
    const node link = nodes[slot_of(h) + 1024];
    nodes[link.previous].next = link.next;
    nodes[link.next].previous = link.previous;
    slots.recycle(h);
  }
  void *memory(handle h) { return slots.memory(h); }
};

/* A pool behind real calls, as a library's functions are. Its memory is still reached without a call. */
template <class Pool> struct called {
  typedef typename Pool::handle handle;
  Pool pool;
  void open(size_t count) { pool.open(count); }
  __attribute__((noinline, noclone)) handle alloc() { return pool.alloc(); }
  __attribute__((noinline, noclone)) void recycle(handle h) { pool.recycle(h); }
  void *memory(handle h) { return pool.memory(h); }
};

/* The same, and memory comes from a third, checked call: the shape of spawnpool's alloc, cell, recycle. */
template <class Pool> struct called_cell : called<Pool> {
  typedef typename Pool::handle handle;
  __attribute__((noinline, noclone)) void *memory(handle h)
  {
    return UNLIKELY(this->pool.stale(h)) ? nullptr : this->pool.memory(h);
  }
};

} // namespace bench

#endif
