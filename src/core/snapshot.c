/*
** Snapshots. One is a manager whose arrays lie side by side in one block of memory: taking copies them there, and
** restoring reads it as it reads any manager. Restoring has two steps. Prepare checks that the snapshot fits and
** allocates all memory, with no visible effect. Commit cannot fail: it frees what did not exist then, and copies the
** rest.
*/
#include "core/chunk.h"
#include "core/members.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/timer.h"

struct sp_snapshot {
  sp_memory memory;
  unsigned char *block;
  size_t capacity;
  const sp_manager *then;    /* in the block. Of its pointers and its pools' those to what is copied below are good */
  const unsigned char *host; /* state, which the block begins with; NULL: none */
  size_t host_size;
};

/* {== Copying ============================================================ */

/* Where the next piece goes in the block. Without a block it only counts bytes. */
typedef struct cursor {
  unsigned char *block;
  size_t used;
} cursor;

/* Room for a piece; all begin at multiples of 8. NULL while the cursor counts. */
static unsigned char *piece_of(cursor *t, size_t size)
{
  unsigned char *piece = t->block ? t->block + t->used : NULL;
  t->used += (size + 7) / 8 * 8;
  return piece;
}

/* Copies an array to the block. Returns the copy; NULL of none, and while the cursor counts. */
static void *copy_of(cursor *t, const void *array, size_t count, size_t size)
{
  unsigned char *copy = array ? piece_of(t, count * size) : NULL;
  if (copy)
    memcpy(copy, array, count * size);
  return copy;
}

/* Does the same with the entries of a ring of `mask` + 1 entries from the one at `head` on. The copy begins with that
   one, so that a ring of another size can take it. */
static void *ring_of(cursor *t, const void *ring, uint32_t mask, uint32_t head, uint32_t count, size_t size)
{
  uint32_t first = mask - (head & mask) + 1;
  unsigned char *copy = ring ? piece_of(t, count * size) : NULL;
  if (!copy)
    return NULL;
  first = count < first ? count : first;
  memcpy(copy, (const unsigned char *)ring + (head & mask) * size, first * size);
  memcpy(copy + first * size, ring, (count - first) * size);
  return copy;
}

static sp_pool *copy_of_pool(cursor *t, const sp_pool *p)
{
  sp_pool then = *p;
  const sp_layout *layout = &p->layout;
  then.type = copy_of(t, p->type, strlen(p->type) + 1, 1);
  then.layout.initial = copy_of(t, layout->initial, layout->initial_size, 1);
  then.layout.names = copy_of(t, layout->names, (size_t)layout->field_count, sizeof *layout->names);
  for (int i = 0; i < layout->field_count; i++) {
    char *name = copy_of(t, layout->names[i], strlen(layout->names[i]) + 1, 1);
    if (name)
      then.layout.names[i] = name;
  }
  then.chunks = copy_of(t, p->chunks, p->chunk_count, sizeof *p->chunks);
  const sp_idle *idle = &p->idle;
  uint32_t count = sp_idle_count(idle);
  uint32_t *slots = ring_of(t, idle->ring, idle->mask, idle->head, count, sizeof *slots);
  then.idle = (sp_idle){.ring = slots, .mask = UINT32_MAX, .tail = count, .lifo = idle->lifo};
  const sp_ages *ages = &p->ages;
  count = sp_ages_count(ages);
  sp_ref *refs = ring_of(t, ages->ring, ages->mask, ages->head, count, sizeof *refs);
  then.ages = (sp_ages){.ring = refs, .mask = UINT32_MAX, .tail = count};
  return copy_of(t, &then, 1, sizeof then);
}

static void copy_chunks(cursor *t, const sp_manager *m, sp_manager *then)
{
  then->chunks = copy_of(t, m->chunks, m->chunk_count, sizeof *m->chunks);
  then->slots.bases = copy_of(t, m->slots.bases, m->chunk_count, sizeof *m->slots.bases);
  then->slots.owners = copy_of(t, m->slots.owners, m->chunk_count, sizeof *m->slots.owners);
  for (uint32_t i = 0; i < m->chunk_count; i++) {
    const sp_pool *owner = m->slots.owners[i];
    const sp_chunk *chunk = &m->chunks[i];
    if (!owner)
      continue;
    unsigned char *base = copy_of(t, m->slots.bases[i], owner->layout.chunk_size, 1);
    sp_family *family = copy_of(t, chunk->family, SP_CHUNK_SLOTS, sizeof *family);
    uint32_t *timers = copy_of(t, chunk->timers, SP_CHUNK_SLOTS, sizeof *timers);
    if (!base)
      continue;
    then->slots.owners[i] = then->pools[owner->index];
    then->slots.bases[i] = base;
    then->chunks[i].family = family;
    then->chunks[i].timers = timers;
  }
}

static sp_wheel copy_of_wheel(cursor *t, const sp_wheel *w)
{
  sp_wheel then = *w;
  then.terms = copy_of(t, w->terms, w->capacity, sizeof *w->terms);
  then.lists = copy_of(t, w->lists, SP_WHEEL_LISTS + SP_WHEEL_TURN, sizeof *w->lists);
  then.blocks = copy_of(t, w->blocks, w->block_capacity, sizeof *w->blocks);
  return then;
}

static const sp_manager *copy_of_manager(cursor *t, const sp_manager *m)
{
  sp_manager then = *m;
  then.pools = copy_of(t, m->pools, m->pool_count, sizeof *m->pools);
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = copy_of_pool(t, m->pools[i]);
    if (p)
      then.pools[i] = p;
  }
  copy_chunks(t, m, &then);
  then.slots.life = copy_of(t, m->slots.life, m->slots.slot_count, sizeof *m->slots.life);
  then.slots.made = copy_of(t, m->slots.made, m->slots.slot_count / 64, sizeof *m->slots.made);
  then.timers = copy_of(t, m->timers, m->timer_capacity, sizeof *m->timers);
  then.lives = copy_of_wheel(t, &m->lives);
  then.fires = copy_of_wheel(t, &m->fires);
  return copy_of(t, &then, 1, sizeof then);
}

/* }== */

/* {== Snapshots ========================================================== */

/* Its memory is not the manager's: it may outlive it. */
static sp_snapshot *new_snapshot(const sp_manager *m)
{
  sp_memory memory = {.fn = m->memory.fn, .ud = m->memory.ud};
  sp_snapshot *s = sp_memory_extend(&memory, NULL, 0, 1, sizeof *s);
  if (s)
    s->memory = memory;
  return s;
}

static bool reserve_block(sp_snapshot *s, size_t size)
{
  if (size <= s->capacity)
    return true;
  /* Snapshots of a growing game need a little more each time. */
  size_t want = s->capacity ? size + size / 4 : size;
  unsigned char *block = sp_memory_resize(&s->memory, s->block, s->capacity, want);
  if (!block)
    return false;
  s->block = block;
  s->capacity = want;
  return true;
}

/* Returns false, with nothing changed, when memory is refused. */
static bool fill_snapshot(sp_snapshot *s, const sp_manager *m)
{
  const size_t host_size = sp_host_size(m);
  cursor count = {.used = 0};
  piece_of(&count, host_size);
  copy_of_manager(&count, m);
  if (!reserve_block(s, count.used))
    return false;
  cursor t = {.block = s->block};
  unsigned char *host = piece_of(&t, host_size);
  if (host_size > 0)
    m->host.write(m->host.ud, host, host_size);
  s->host = host_size > 0 ? host : NULL;
  s->host_size = host_size;
  s->then = copy_of_manager(&t, m);
  return true;
}

sp_snapshot *sp_snapshot_take(sp_manager *m, sp_snapshot *reuse, sp_result *result)
{
  sp_snapshot *s = sp_is_busy(m) ? NULL : reuse ? reuse : new_snapshot(m);
  sp_result why = sp_is_busy(m) ? SP_BUSY : SP_MEMORY;
  if (s) {
    sp_pools_settle(m);
    sp_manager_hold(m);
    why = fill_snapshot(s, m) ? SP_OK : SP_MEMORY;
    sp_manager_release(m);
    if (why != SP_OK && !reuse)
      sp_snapshot_free(s);
  }
  sp_tell(result, why);
  return why == SP_OK ? s : NULL;
}

void sp_snapshot_free(sp_snapshot *s)
{
  if (!s)
    return;
  sp_memory_free(&s->memory, s->block, s->capacity);
  sp_memory memory = s->memory;
  sp_memory_free(&memory, s, sizeof *s);
}

size_t sp_snapshot_bytes(const sp_snapshot *s) { return sizeof *s + s->capacity; }

/* }== */

/* {== Prepare ============================================================ */

/* Where a pool of the snapshot goes. */
typedef struct restore_target {
  sp_pool *pool;
  bool is_same; /* cells lie and begin as they did */
} restore_target;

typedef struct restoring {
  sp_manager *m;
  const sp_manager *then;
  restore_target *targets; /* by the index of the pool then */
  sp_chunk *fresh;         /* by chunk number: memory that it needs beyond what it has; NULL where it needs none */
} restoring;

static bool is_alike(const sp_manager *a, const sp_manager *b)
{
  return a->slots.id_bits == b->slots.id_bits && a->step == b->step && a->first_generation == b->first_generation &&
         a->last_generation == b->last_generation;
}

static bool is_same_layout(const sp_layout *now, const sp_layout *then)
{
  return sp_layout_is_alike(now, then) && now->kept == then->kept &&
         memcmp(now->initial, then->initial, now->initial_size) == 0;
}

static sp_result find_targets(const restoring *r)
{
  for (uint32_t i = 0; i < r->then->pool_count; i++) {
    const sp_pool *then = r->then->pools[i];
    restore_target *to = &r->targets[i];
    to->pool = sp_find_pool(r->m, then->type);
    if (!to->pool || to->pool->spatial != then->spatial)
      return SP_INVALID;
    to->is_same = is_same_layout(&to->pool->layout, &then->layout);
  }
  return SP_OK;
}

static bool reserve_pool(sp_pool *p, const sp_pool *then)
{
  uint32_t chunks = then->chunk_count, ages = then->ages.ring ? sp_ages_count(&then->ages) : sp_live_count(then);
  return sp_chunk_list_reserve(p, chunks) &&
         (chunks == 0 || sp_idle_reserve(&p->idle, &p->manager->memory, chunks * SP_CHUNK_SLOTS)) &&
         (!p->ages.ring || sp_ages_reserve_count(&p->ages, p->manager, ages));
}

/* Returns the pool that gets a chunk; NULL: none. */
static sp_pool *next_owner(const restoring *r, uint32_t number)
{
  const sp_pool *then = number < r->then->chunk_count ? r->then->slots.owners[number] : NULL;
  return then ? r->targets[then->index].pool : NULL;
}

/* A chunk keeps its memory if its pool does. */
static bool reserve_chunk(const restoring *r, uint32_t number)
{
  sp_manager *m = r->m;
  const sp_chunk *then = &r->then->chunks[number], *now = &m->chunks[number];
  const sp_pool *owner = next_owner(r, number);
  sp_chunk *fresh = &r->fresh[number];
  if (!owner)
    return true;
  const bool block = owner != m->slots.owners[number], family = then->family && (block || !now->family),
             timers = then->timers && (block || !now->timers);
  if (block)
    fresh->block = sp_chunk_block_new(m, &owner->layout);
  if (family)
    fresh->family = sp_memory_resize(&m->memory, NULL, 0, SP_CHUNK_SLOTS * sizeof *fresh->family);
  if (timers)
    fresh->timers = sp_memory_resize(&m->memory, NULL, 0, SP_CHUNK_SLOTS * sizeof *fresh->timers);
  return (fresh->block || !block) && (fresh->family || !family) && (fresh->timers || !timers);
}

static void release_chunks(const restoring *r)
{
  for (uint32_t i = 0; i < r->then->chunk_count; i++)
    if (next_owner(r, i))
      sp_chunk_free(r->m, &next_owner(r, i)->layout, &r->fresh[i]);
}

static bool reserve_restore(const restoring *r)
{
  sp_manager *m = r->m;
  const sp_manager *then = r->then;
  bool reserved = sp_slots_reserve(m, then->chunk_count) && sp_timers_reserve(m, then->timer_capacity) &&
                  sp_wheel_reserve_as(&m->fires, &m->memory, &then->fires) &&
                  sp_wheel_reserve_as(&m->lives, &m->memory, &then->lives);
  for (uint32_t i = 0; reserved && i < then->pool_count; i++)
    reserved = reserve_pool(r->targets[i].pool, then->pools[i]);
  for (uint32_t i = 0; reserved && i < then->chunk_count; i++)
    reserved = reserve_chunk(r, i);
  return reserved;
}

/* }== */

/* {== Commit ============================================================= */

/* Frees the memory of chunks that had no owner then, or another pool. */
static void free_other_chunks(const restoring *r)
{
  sp_manager *m = r->m;
  for (uint32_t i = 0; i < m->chunk_count; i++)
    if (m->slots.owners[i] && m->slots.owners[i] != next_owner(r, i))
      sp_chunk_free(m, &m->slots.owners[i]->layout, &m->chunks[i]);
}

/* A table that was there then gets what it held; one that was not is empty. */
static void *restore_table(const void *then, void *fresh, void *now, size_t size)
{
  void *table = fresh ? fresh : now;
  if (then)
    memcpy(table, then, size);
  else if (table)
    memset(table, 0, size);
  return table;
}

static void restore_chunk(const restoring *r, uint32_t number)
{
  sp_manager *m = r->m;
  const sp_chunk *then = &r->then->chunks[number], *fresh = &r->fresh[number], now = m->chunks[number];
  const sp_pool *old = r->then->slots.owners[number];
  const restore_target *to = old ? &r->targets[old->index] : NULL;
  sp_chunk *chunk = &m->chunks[number];
  *chunk = (sp_chunk){.position = then->position, .number = then->number, .made = then->made};
  m->slots.owners[number] = to ? to->pool : NULL;
  m->slots.bases[number] = NULL;
  if (!to)
    return;
  chunk->block = fresh->block ? fresh->block : now.block;
  m->slots.bases[number] = sp_chunk_block_base(chunk->block);
  if (to->is_same)
    memcpy(m->slots.bases[number], r->then->slots.bases[number], old->layout.chunk_size);
  else
    sp_layout_convert(&to->pool->layout, &old->layout, m->slots.bases[number], r->then->slots.bases[number]);
  chunk->family = restore_table(then->family, fresh->family, now.family, SP_CHUNK_SLOTS * sizeof *chunk->family);
  chunk->timers = restore_table(then->timers, fresh->timers, now.timers, SP_CHUNK_SLOTS * sizeof *chunk->timers);
}

/* References of lives that are taken back stay out of the range of a manager that follows this one. */
static void note_generations(sp_manager *m)
{
  for (uint32_t slot = 0; slot < m->slots.slot_count; slot++)
    if (m->slots.life[slot].generation > m->spent_generation)
      m->spent_generation = m->slots.life[slot].generation;
}

static void restore_slots(const restoring *r)
{
  sp_manager *m = r->m;
  const sp_manager *then = r->then;
  note_generations(m);
  free_other_chunks(r);
  for (uint32_t i = 0; i < then->chunk_count; i++)
    restore_chunk(r, i);
  sp_slots_forget(m, then->chunk_count);
  if (then->slots.slot_count == 0)
    return;
  memcpy(m->slots.life, then->slots.life, then->slots.slot_count * sizeof *m->slots.life);
  memcpy(m->slots.made, then->slots.made, then->slots.slot_count / 64 * sizeof *m->slots.made);
}

/* The settings are those of today: more idle objects than these allow are destroyed. No hook runs. */
static void drop_surplus(sp_pool *p)
{
  while (sp_idle_count(&p->idle) > p->settings.idle_limit) {
    p->in_transition++;
    sp_object_unmake(p, sp_idle_pop(&p->idle));
  }
}

static void restore_pool(const restore_target *to, const sp_pool *then)
{
  sp_pool *p = to->pool;
  sp_members_copy(sp_members_of_pool, p, then);
  /* Cells that lie or begin otherwise may differ from what they begin with in any idle object. */
  sp_pool_set_dirty(p, to->is_same ? then->view.dirty : p->layout.all & ~p->layout.kept);
  if (p->chunk_count > 0)
    memcpy(p->chunks, then->chunks, p->chunk_count * sizeof *p->chunks);
  if (p->idle.ring)
    sp_idle_restore(&p->idle, &then->idle);
  if (!to->is_same)
    sp_change_refresh_idle(p, &p->layout, &then->layout);
  if (p->ages.ring && then->ages.ring)
    sp_ages_restore(&p->ages, &then->ages);
  else if (p->ages.ring)
    sp_pool_refill_ages(p);
  drop_surplus(p);
}

/* Empties a pool created after the snapshot. */
static void empty_pool(sp_pool *p)
{
  static const sp_pool nothing = {0};
  sp_members_copy(sp_members_of_pool, p, &nothing);
  sp_pool_set_dirty(p, p->layout.restless);
  sp_idle_free(&p->idle, &p->manager->memory);
  p->ages.head = p->ages.tail = 0;
}

static void commit_restore(const restoring *r)
{
  sp_manager *m = r->m;
  const sp_manager *then = r->then;
  restore_slots(r);
  sp_members_copy(sp_members_of_manager, m, then);
  sp_slots_settle(m);
  sp_timers_restore(m, then->timers, then->timer_capacity, then->free_timer);
  sp_wheel_restore(&m->fires, &then->fires);
  sp_wheel_restore(&m->lives, &then->lives);
  for (uint32_t i = 0; i < then->pool_count; i++) {
    restore_pool(&r->targets[i], then->pools[i]);
    sp_pool_list_move(r->targets[i].pool, i);
  }
  for (uint32_t i = then->pool_count; i < m->pool_count + m->absent_count; i++)
    empty_pool(m->pools[i]);
  sp_pool_list_restore(m, then->pool_count);
}

/* The lists of the work lie in the memory of the queries. */
static bool reserve_work(restoring *r, sp_scratch *work)
{
  size_t targets = r->then->pool_count * sizeof *r->targets, fresh = r->then->chunk_count * sizeof *r->fresh;
  size_t at = sp_scratch_room(r->m, work, targets + fresh + 8); /* never none at all */
  if (at == SIZE_MAX)
    return false;
  r->targets = (restore_target *)(void *)(work->block + at);
  r->fresh = (sp_chunk *)(void *)(work->block + at + targets);
  memset(r->fresh, 0, fresh);
  return true;
}

sp_result sp_snapshot_restore(sp_manager *m, const sp_snapshot *s)
{
  restoring r = {.m = m, .then = s->then};
  if (sp_is_busy(m))
    return SP_BUSY;
  if (!is_alike(m, s->then))
    return SP_FOREIGN;
  sp_pools_settle(m);
  sp_scratch work = sp_scratch_take(m);
  sp_result why = reserve_work(&r, &work) ? find_targets(&r) : SP_MEMORY;
  if (why == SP_OK) {
    why = reserve_restore(&r) ? sp_host_read(m, s->host, s->host_size) : SP_MEMORY;
    if (why == SP_OK)
      commit_restore(&r);
    else
      release_chunks(&r);
  }
  sp_scratch_return(m, &work);
  return why;
}

/* }== */
