/*
** Ids of managers, and what references tell. All that the managers of a process share is which ids are taken, and where
** the generations of those that were closed have ended: an id is 8 bits of a reference beside its slot, and 4 bits in
** which generations begin, so that a manager checks a reference by comparing its generation.
*/
#include "core/ref.h"

#include "core/chunk.h"

/* {== Ids ================================================================ */

#define IDS (SP_MAX_MANAGERS + 1)

static struct {
  bool is_locked;
  uint32_t next[IDS];   /* generation at which the next manager with the id begins; 0: at the first */
  uint32_t open[IDS];   /* managers that have it: a host may give it to several */
  bool is_waiting[IDS]; /* it is in the queue */
  uint16_t queue[IDS];  /* a ring of ids that were closed, oldest first */
  uint32_t head, count, given;
} ids;

static void lock(void)
{
  while (__atomic_test_and_set(&ids.is_locked, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) { __atomic_clear(&ids.is_locked, __ATOMIC_RELEASE); }

static uint32_t window_begin(uint32_t id) { return id >> 8 << SP_WINDOW_BITS; }

static uint32_t next_of(uint32_t id) { return ids.next[id] ? ids.next[id] : window_begin(id); }

/* Returns an id that no open manager has, the one that was closed longest ago if all were given; 0: there is none. */
static uint32_t free_id(void)
{
  while (ids.given < SP_MAX_MANAGERS)
    if (ids.open[++ids.given] == 0 && !ids.is_waiting[ids.given])
      return ids.given;
  while (ids.count > 0) {
    uint32_t id = ids.queue[ids.head++ % IDS];
    ids.count--;
    ids.is_waiting[id] = false;
    if (ids.open[id] == 0)
      return id;
  }
  return 0;
}

/* The generation at which slots are retired that have so many lives from `first` on; 0: as many as there are. */
static uint32_t last_of(uint32_t first, uint32_t lives)
{
  const uint32_t end = (first | ((1u << SP_WINDOW_BITS) - 1)) - 1;
  return lives > 0 && lives < (end - first) / 2 ? first + 2 * lives : end;
}

/* All managers that get a chosen id share its lives. */
bool sp_id_take(sp_id *it, uint32_t lives)
{
  lock();
  it->is_chosen = it->id != 0;
  it->lives = lives;
  it->id = it->is_chosen ? it->id : free_id();
  it->first = next_of(it->id);
  it->last = last_of(it->is_chosen ? window_begin(it->id) : it->first, lives);
  it->is_listed = it->id != 0 && it->first < it->last;
  ids.open[it->id] += it->is_listed;
  unlock();
  return it->is_listed;
}

sp_id sp_id_from(uint32_t id, uint32_t first, uint32_t lives)
{
  return (sp_id){
      .id = (first >> SP_WINDOW_BITS) << 8 | id, .first = first, .last = last_of(first, lives), .lives = lives};
}

void sp_id_give_back(const sp_id *id, uint32_t next)
{
  const uint32_t at = id->id;
  if (!id->is_listed)
    return;
  lock();
  const bool is_used_up = next - window_begin(at) >= (1u << SP_WINDOW_BITS) - 2;
  ids.next[at] = is_used_up ? UINT32_MAX : next > next_of(at) ? next : next_of(at);
  if (--ids.open[at] == 0 && !ids.is_waiting[at] && !is_used_up) {
    ids.queue[(ids.head + ids.count++) % IDS] = (uint16_t)at;
    ids.is_waiting[at] = true;
  }
  unlock();
}

uint32_t sp_first_generation(const sp_manager *m) { return m->id.first; }

/* Only two generations of a slot can be in references: its present one, and the one that follows when its life ends. */
uint32_t sp_next_generation(const sp_manager *m)
{
  uint32_t last = m->id.first > m->spent_generation ? m->id.first : m->spent_generation;
  for (uint32_t slot = 0; slot < m->slots.slot_count; slot++)
    if (sp_slot_life(m, slot)->generation > last)
      last = sp_slot_life(m, slot)->generation;
  return last < SP_LAST_GENERATION - 2 ? (last + 1) / 2 * 2 + 2 : SP_LAST_GENERATION;
}

sp_ref sp_ref_moved(const sp_id *from, const sp_id *to, sp_ref ref)
{
  const uint32_t base = (uint32_t)ref & ~(SP_MAX_SLOTS - 1), begins = from->id << 24, becomes = to->id << 24;
  const uint32_t count = sp_ref_generation(ref) - from->first;
  if (ref != SP_NULL_REF && base == begins && count <= from->last - from->first)
    return (sp_ref)(count + to->first) << 32 | becomes | sp_ref_slot(ref);
  return base == begins || base == becomes ? SP_NULL_REF : ref;
}

/* }== */

/* {== References ========================================================= */

bool sp_object_is_live(const sp_manager *m, sp_ref object) { return sp_ref_is_live(m, object); }

sp_pool *sp_object_pool(const sp_manager *m, sp_ref object)
{
  if (!sp_ref_is_ours(m, object) || sp_ref_generation(object) < sp_slot_lives(m, sp_ref_slot(object))->since)
    return NULL;
  return sp_slot_pool(m, sp_ref_slot(object));
}

sp_result sp_object_check(sp_manager *m, sp_ref object)
{
  if (sp_ref_resolves(m, object))
    return SP_OK;
  sp_pool *p = sp_object_pool(m, object);
  if (p)
    p->stale_uses++;
  return sp_ref_is_ours(m, object) ? SP_STALE : SP_FOREIGN;
}

uint32_t sp_object_number(const sp_manager *m, sp_ref object)
{
  if (!sp_ref_is_ours(m, object))
    return 0;
  uint32_t slot = sp_ref_slot(object);
  return sp_slot_chunk(m, slot)->number * SP_CHUNK_SLOTS + (slot & SP_CHUNK_MASK) + 1;
}

/* }== */
