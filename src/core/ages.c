#include "core/ages.h"

#include "core/state.h"

static void compact(sp_ages *ages, const sp_manager *manager)
{
  uint32_t kept = ages->head;
  for (uint32_t i = ages->head; i != ages->tail; i++) {
    sp_ref object = ages->ring[i & ages->mask];
    if (sp_ref_resolves(manager, object))
      ages->ring[kept++ & ages->mask] = object;
  }
  ages->tail = kept;
}

static bool move_ring(sp_ages *ages, sp_manager *manager, uint32_t want)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0, count = sp_ages_count(ages);
  sp_ref *ring = sp_memory_resize(&manager->memory, NULL, 0, want * sizeof *ring);
  if (!ring)
    return false;
  for (uint32_t i = 0; i < count; i++)
    ring[i] = sp_ages_get(ages, i);
  sp_memory_free(&manager->memory, ages->ring, have * sizeof *ring);
  *ages = (sp_ages){.ring = ring, .mask = want - 1, .tail = count};
  return true;
}

bool sp_ages_reserve(sp_ages *ages, sp_manager *manager, uint32_t live)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0;
  if (sp_ages_count(ages) < have)
    return true;
  if (have && live < have / 2) {
    compact(ages, manager);
    return true;
  }
  return move_ring(ages, manager, have ? have * 2 : 64);
}

bool sp_ages_reserve_count(sp_ages *ages, sp_manager *manager, uint32_t count)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0, want = have ? have : 64;
  while (want < count)
    want *= 2;
  return want == have || move_ring(ages, manager, want);
}

static bool is_older(const sp_manager *m, sp_ref a, sp_ref b)
{
  return m->slots.life[sp_ref_slot(a)].serial < m->slots.life[sp_ref_slot(b)].serial;
}

/* Shell sort: in place, no recursion, and only when a pool begins to evict. */
static void sort_by_age(sp_ages *ages, const sp_manager *m)
{
  uint32_t count = sp_ages_count(ages);
  sp_ref *ring = ages->ring;
  for (uint32_t gap = count / 2; gap > 0; gap /= 2)
    for (uint32_t i = gap; i < count; i++) {
      sp_ref object = ring[i];
      uint32_t k = i;
      for (; k >= gap && is_older(m, object, ring[k - gap]); k -= gap)
        ring[k] = ring[k - gap];
      ring[k] = object;
    }
}

static bool add_age(sp_ages *ages, sp_manager *m, sp_ref object)
{
  bool room = sp_ages_reserve(ages, m, UINT32_MAX);
  if (room)
    sp_ages_push(ages, object);
  return room;
}

void sp_ages_refill(sp_ages *ages, sp_pool *p)
{
  sp_walk walk = sp_pool_walk(p);
  ages->head = ages->tail = 0;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;)
    sp_ages_push(ages, object);
  sort_by_age(ages, p->manager);
}

void sp_ages_restore(sp_ages *ages, const sp_ages *then)
{
  ages->head = 0;
  ages->tail = sp_ages_count(then);
  memcpy(ages->ring, then->ring, ages->tail * sizeof *ages->ring);
}

/* Dying objects count: they may yet be kept. */
bool sp_ages_gather(sp_ages *ages, sp_pool *p)
{
  sp_manager *m = p->manager;
  sp_walk walk = sp_pool_walk(p);
  bool complete = sp_ages_reserve(ages, m, 0);
  for (sp_ref object; complete && (object = sp_walk_next(&walk)) != SP_NONE_REF;)
    complete = add_age(ages, m, object);
  for (const sp_dying *frame = m->dying; complete && frame; frame = frame->outer)
    if (sp_slot_pool(m, frame->slot) == p)
      complete = add_age(ages, m, sp_ref_make(m, frame->slot));
  if (complete)
    sort_by_age(ages, m);
  else
    sp_ages_free(ages, &m->memory);
  return complete;
}

void sp_ages_push(sp_ages *ages, sp_ref object) { ages->ring[ages->tail++ & ages->mask] = object; }

void sp_ages_settle(sp_ages *ages, const sp_manager *manager)
{
  while (ages->head != ages->tail && !sp_ref_resolves(manager, sp_ages_get(ages, 0)))
    ages->head++;
}

void sp_ages_free(sp_ages *ages, sp_memory *memory)
{
  if (ages->ring)
    sp_memory_free(memory, ages->ring, (ages->mask + 1) * sizeof *ages->ring);
  *ages = (sp_ages){0};
}
