/*
** The prototype wheels that spawnpool's clock was chosen from: 1024 ticks in one level, so a lifetime of up to 17 s.
** With lists: true cancel, one cache miss per neighbour. With chunks: buckets are chains of 256-byte chunks of slot
** numbers, a cancelled entry stays until its tick and is told by the slot's own expiry tick.
*/
#ifndef BENCH_WHEELS_HPP
#define BENCH_WHEELS_HPP

#include "ticks.hpp"

namespace bench {

const uint32_t none = 0xffffffffu;

struct wheel_of_lists : timed {
  struct node {
    uint32_t next, previous, due;
  };
  std::vector<node> nodes;
  uint32_t bucket[1024];
  enum : uint32_t { head = 0x80000000u }; /* `previous` of the first node names its bucket */

  void link(uint32_t index, uint32_t due)
  {
    const uint32_t k = due & 1023, first = bucket[k];
    nodes[index] = {first, head | k, due};
    if (first != none)
      nodes[first].previous = index;
    bucket[k] = index;
  }
  void unlink(uint32_t index)
  {
    const node it = nodes[index];
    if (it.previous & head)
      bucket[it.previous & ~head] = it.next;
    else
      nodes[it.previous].next = it.next;
    if (it.next != none)
      nodes[it.next].previous = it.previous;
  }
  void open(uint32_t objects)
  {
    open_timed(objects);
    nodes.resize(objects);
    for (uint32_t &first : bucket)
      first = none;
    for (uint32_t i = 0; i < objects; i++)
      link(i, life.first());
  }
  void tick()
  {
    uint32_t &first = bucket[++now & 1023];
    uint32_t index = first;
    first = none;
    while (index != none) {
      const uint32_t next = nodes[index].next;
      if (next != none)
        __builtin_prefetch(&nodes[next]);
      respawn(index);
      link(index, now + life.next());
      index = next;
    }
  }
  void rearm(uint32_t index)
  {
    unlink(index);
    link(index, now + life.next());
  }
};

struct wheel_of_chunks : timed {
  struct chunk {
    uint32_t used, next, slots[62];
  };
  std::vector<chunk> chunks;
  std::vector<uint32_t> due;
  uint32_t bucket[1024], free_chunk = none;

  uint32_t take_chunk()
  {
    if (free_chunk == none) {
      chunks.push_back(chunk());
      return uint32_t(chunks.size() - 1);
    }
    const uint32_t taken = free_chunk;
    free_chunk = chunks[taken].next;
    return taken;
  }
  void put(uint32_t index, uint32_t tick)
  {
    due[index] = tick;
    uint32_t &first = bucket[tick & 1023];
    if (first == none || chunks[first].used == 62) {
      const uint32_t taken = take_chunk();
      chunks[taken].used = 0;
      chunks[taken].next = first;
      first = taken;
    }
    chunk &it = chunks[first];
    it.slots[it.used++] = index;
  }
  void open(uint32_t objects)
  {
    open_timed(objects);
    due.resize(objects);
    chunks.reserve(objects / 20 + 4096);
    for (uint32_t &first : bucket)
      first = none;
    for (uint32_t i = 0; i < objects; i++)
      put(i, life.first());
  }
  void tick()
  {
    uint32_t &first = bucket[++now & 1023];
    uint32_t at = first;
    first = none;
    while (at != none) {
      const chunk it = chunks[at]; /* a copy: re-arming may take this very chunk */
      chunks[at].next = free_chunk;
      free_chunk = at;
      for (uint32_t k = 0; k < it.used; k++) {
        __builtin_prefetch(&due[it.slots[k]]);
        __builtin_prefetch(&generation[it.slots[k]]);
      }
      for (uint32_t k = 0; k < it.used; k++) {
        const uint32_t index = it.slots[k];
        if (due[index] != now)
          continue;
        respawn(index);
        put(index, now + life.next());
      }
      at = it.next;
    }
  }
  void rearm(uint32_t index) { put(index, now + life.next()); }
};

} // namespace bench

#endif
