/* Lifetimes without a library: what games write by hand. */
#include "../contestant.hpp"
#include "ticks.hpp"

using namespace bench;

/* An engine's pool: a list of pointers to objects, each counts its own seconds down every frame. */
struct scan_of_objects : timed {
  struct object {
    uint32_t generation;
    float life;
    uint32_t active;
    char rest[52];
  };
  std::vector<object *> objects;

  float seconds() { return float(life.next()) / 60.0f; }
  void open(uint32_t wanted)
  {
    open_timed(wanted);
    random_numbers random;
    for (uint32_t i = 0; i < wanted; i++) {
      object *it = static_cast<object *>(calloc(1, sizeof(object)));
      it->active = 1;
      it->life = float(life.first()) / 60.0f;
      objects.push_back(it);
    }
    for (uint32_t i = wanted; i-- > 1;)
      std::swap(objects[i], objects[random.below(i + 1)]);
  }
  void tick()
  {
    for (uint32_t i = 0; i < count; i++) {
      object *it = objects[i];
      if (!it->active)
        continue;
      it->life -= 1 / 60.0f;
      if (it->life > 0)
        continue;
      respawn(i);
      it->life = seconds();
    }
  }
  void rearm(uint32_t index) { objects[index]->life = seconds(); }
};

/* A binary heap that knows where each object stands in it, so that a recycle can cancel. */
struct binary_heap : timed {
  struct entry {
    uint32_t due, index;
  };
  std::vector<entry> heap;
  std::vector<uint32_t> place;

  void set(size_t at, entry it)
  {
    heap[at] = it;
    place[it.index] = uint32_t(at);
  }
  void up(size_t at)
  {
    const entry it = heap[at];
    while (at > 0) {
      const size_t parent = (at - 1) / 2;
      if (heap[parent].due <= it.due)
        break;
      set(at, heap[parent]);
      at = parent;
    }
    set(at, it);
  }
  void down(size_t at)
  {
    const entry it = heap[at];
    for (;;) {
      size_t child = at * 2 + 1;
      if (child >= heap.size())
        break;
      if (child + 1 < heap.size() && heap[child + 1].due < heap[child].due)
        child++;
      if (heap[child].due >= it.due)
        break;
      set(at, heap[child]);
      at = child;
    }
    set(at, it);
  }
  void push(entry it)
  {
    heap.push_back(it);
    up(heap.size() - 1);
  }
  void remove(size_t at)
  {
    const entry last = heap.back();
    heap.pop_back();
    if (at == heap.size())
      return;
    set(at, last);
    up(at);
    down(place[last.index]);
  }
  void open(uint32_t objects)
  {
    open_timed(objects);
    place.resize(objects);
    heap.reserve(objects);
    for (uint32_t i = 0; i < objects; i++)
      push({life.first(), i});
  }
  void tick()
  {
    now++;
    while (heap[0].due <= now) {
      const uint32_t index = heap[0].index;
      remove(0);
      respawn(index);
      push({now + life.next(), index});
    }
  }
  void rearm(uint32_t index)
  {
    remove(place[index]);
    push({now + life.next(), index});
  }
};

static const contestant contestants[] = {
    {"heap", run_ticks<binary_heap>},
    {"scan", run_ticks<scan_of_objects>},
};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
