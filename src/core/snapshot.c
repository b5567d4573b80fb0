/*
** Snapshots. One is a manager whose parts lie side by side in one block of memory: taking copies them there, and
** restoring reads it as it reads any manager. Chunks without life are not copied when they rest: then a few numbers
** tell of any number of them. Of other chunks most cells of idle objects are left out. Restoring has two steps. Prepare
** checks that the snapshot fits and allocates all memory, with no visible effect. Commit cannot fail: it frees what did
** not exist then, and copies the rest; what rests as it did then is not looked at.
*/
#include "core/chunk.h"
#include "core/members.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/timer.h"

/* A stretch, and a copy of its chunk, if that does not rest. */
typedef struct stretch {
  sp_stretch of;
  const sp_chunk *copy;
  struct stretch *next;
} stretch;

/* A pool as it was, with what it does not have itself. */
typedef struct pool_then {
  sp_pool pool;
  const stretch *stretches;
  const sp_run *idle; /* longest idle first; one of no slots ends it */
} pool_then;

struct sp_snapshot {
  sp_memory memory;
  unsigned char *block;
  size_t capacity;
  const sp_manager *then;    /* in the block. Of its pointers and its pools' those to what is copied below are good */
  const unsigned char *host; /* state, which the block begins with; NULL: none */
  size_t host_size;
  const stretch *free_chunks;         /* that had no pool */
  const sp_wheel_block *ends, *fires; /* lists of the two wheels */
  uint32_t end_count, fire_count;
};

/* {== Copying ============================================================ */

/* Where the next piece goes in the block. Without a block it only counts bytes, and keeps the lists that it finds, so
   that it need not look for them again when it copies. */
typedef struct cursor {
  unsigned char *block;
  size_t used;
  sp_manager *m;
  sp_scratch lists;
  size_t listed; /* bytes of the lists that were read again */
  bool is_refused;
} cursor;

/* Room for a piece; all begin at multiples of 16. NULL while the cursor counts. */
static unsigned char *piece_of(cursor *t, size_t size)
{
  unsigned char *room = t->block ? t->block + t->used : NULL;
  t->used += (size + 15) / 16 * 16;
  return room;
}

/* Copies an array to the block. Returns the copy; NULL of none, and while the cursor counts. */
static void *copy_of(cursor *t, const void *array, size_t count, size_t size)
{
  unsigned char *copy = array ? piece_of(t, count * size) : NULL;
  if (copy)
    memcpy(copy, array, count * size);
  return copy;
}

/* Keeps an item of a list while the cursor counts; then it gives the items again, in their order. */
static void append_item(cursor *t, void *item, size_t size)
{
  size_t at = t->block ? t->listed : sp_scratch_room(t->m, &t->lists, size);
  if (t->block)
    memcpy(item, t->lists.block + at, size);
  else if (at != SIZE_MAX)
    memcpy(t->lists.block + at, item, size);
  t->is_refused |= at == SIZE_MAX;
  t->listed += t->block ? (size + 7) / 8 * 8 : 0;
}

/* Cells of so many slots are copied together, if one of them counts. */
#define QUARTER (SP_CHUNK_SLOTS / 4)

/* Copies the cells of a chunk that count, those of `live` slots and all in which something is kept, to `copy`, or
   back. Returns their bytes; `copy` NULL: it does nothing else. */
static size_t copy_cells(const sp_layout *layout, uint64_t live, unsigned char *base, unsigned char *copy, bool back)
{
  uint32_t quarters = 0;
  for (uint32_t i = 0; i < 4; i++)
    quarters |= layout->kept || live >> i * QUARTER & ((1u << QUARTER) - 1) ? 1u << i : 0;
  const bool whole = quarters == 15;
  const size_t bytes =
      whole ? layout->chunk_size : (size_t)__builtin_popcount(quarters) * QUARTER * layout->initial_size;
  if (copy && whole)
    memcpy(back ? base : copy, back ? copy : base, bytes);
  for (uint64_t columns = copy && !whole ? layout->all : 0; columns; columns &= columns - 1) {
    const sp_column_layout *c = &layout->columns[__builtin_ctzll(columns)];
    const size_t size = (size_t)c->size * QUARTER;
    for (uint32_t bits = quarters; bits; bits &= bits - 1, copy += size) {
      unsigned char *cells = base + c->offset + (uint32_t)__builtin_ctz(bits) * size;
      memcpy(back ? cells : copy, back ? copy : cells, size);
    }
  }
  return bytes;
}

/* Copies a chunk; of its cells those that count. */
static const sp_chunk *copy_of_chunk(cursor *t, const sp_chunk *chunk)
{
  const sp_pool *p = sp_chunk_owner(chunk);
  const sp_lives *now = sp_lives_of(chunk);
  const uint64_t live = p && sp_chunk_has_life(p, now->position) ? sp_odd_slots(chunk) : 0;
  const size_t bytes = p ? copy_cells(&p->layout, live, chunk->base, NULL, false) : 0;
  sp_chunk then = {.base = bytes > 0 ? piece_of(t, bytes) : NULL};
  if (then.base)
    copy_cells(&p->layout, live, chunk->base, then.base, false);
  then.terms = copy_of(t, chunk->terms, SP_CHUNK_SLOTS, sizeof *chunk->terms);
  sp_lives *lives = copy_of(t, now, 1, sizeof *lives);
  sp_family *family = copy_of(t, now->family, SP_CHUNK_SLOTS, sizeof *family);
  uint32_t *timers = copy_of(t, now->timers, SP_CHUNK_SLOTS, sizeof *timers);
  if (lives) {
    lives->family = family;
    lives->timers = timers;
    then.life = lives->life;
  }
  return copy_of(t, &then, 1, sizeof then);
}

/* Copies the list of a pool's chunks, or of those without one, and the chunks in it that do not rest. */
static const stretch *copy_stretches(cursor *t, const sp_manager *m, const sp_pool *p)
{
  stretch then = {.next = NULL}, *first = NULL, **end = &first;
  for (;;) {
    if (!t->block)
      sp_next_stretch(m, p, &then.of);
    append_item(t, &then.of, sizeof then.of);
    if (then.of.count == 0)
      return first;
    const sp_seat *seat = &then.of.seat;
    then.copy = seat->rest == SP_RESTLESS ? copy_of_chunk(t, &m->slots.chunks[seat->chunk]) : NULL;
    if ((*end = copy_of(t, &then, 1, sizeof then)) != NULL)
      end = &(*end)->next;
  }
}

/* Copies the runs of idle slots; one of no slots ends the list. */
static const sp_run *copy_idle(cursor *t, const sp_idle *idle)
{
  size_t count = 0, begin = t->listed;
  sp_idle_walk walk = {.index = 0};
  do {
    if (!t->block)
      sp_idle_next_run(idle, &walk);
    append_item(t, &walk.run, sizeof walk.run);
    count++;
  } while (walk.run.count != 0);
  return copy_of(t, t->lists.block + begin, count, sizeof walk.run);
}

static sp_pool *copy_of_pool(cursor *t, const sp_pool *p)
{
  pool_then then = {.pool = *p};
  const sp_layout *layout = &p->layout;
  then.pool.type = copy_of(t, p->type, strlen(p->type) + 1, 1);
  then.pool.layout.initial = copy_of(t, layout->initial, layout->initial_size, 1);
  then.pool.layout.names = copy_of(t, layout->names, (size_t)layout->field_count, sizeof *layout->names);
  for (int i = 0; i < layout->field_count; i++) {
    char *name = copy_of(t, layout->names[i], strlen(layout->names[i]) + 1, 1);
    if (name)
      then.pool.layout.names[i] = name;
  }
  then.stretches = copy_stretches(t, p->manager, p);
  then.idle = copy_idle(t, &p->idle);
  const sp_ages *ages = &p->ages;
  uint32_t count = sp_ages_count(ages);
  sp_ref *refs = ages->ring ? (sp_ref *)(void *)piece_of(t, count * sizeof *refs) : NULL;
  for (uint32_t i = 0; refs && i < count; i++)
    refs[i] = sp_ages_get(ages, i);
  then.pool.ages = (sp_ages){.ring = refs, .mask = UINT32_MAX, .tail = count};
  return copy_of(t, &then, 1, sizeof then);
}

static sp_timer_block *copy_of_timers(cursor *t, const sp_manager *m)
{
  const uint32_t count = m->timer_capacity / SP_CHUNK_SLOTS;
  sp_timer_block *blocks = copy_of(t, m->timers, count, sizeof *blocks);
  for (uint32_t i = 0; i < count; i++) {
    sp_timer_block then = {copy_of(t, m->timers[i].records, SP_CHUNK_SLOTS, sizeof *then.records),
                           copy_of(t, m->timers[i].terms, SP_CHUNK_SLOTS, sizeof *then.terms)};
    if (blocks)
      blocks[i] = then;
  }
  return blocks;
}

static const sp_wheel_block *copy_of_lists(cursor *t, const sp_wheel *w, uint32_t *count)
{
  *count = sp_wheel_copy(w, NULL);
  sp_wheel_block *blocks = (sp_wheel_block *)(void *)piece_of(t, *count * sizeof *blocks);
  if (blocks)
    sp_wheel_copy(w, blocks);
  return blocks;
}

static void copy_manager(cursor *t, const sp_manager *m, sp_snapshot *s)
{
  sp_manager then = *m;
  then.pools = copy_of(t, m->pools, m->pool_count, sizeof *m->pools);
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = copy_of_pool(t, m->pools[i]);
    if (p)
      then.pools[i] = p;
  }
  s->free_chunks = copy_stretches(t, m, NULL);
  then.timers = copy_of_timers(t, m);
  s->ends = copy_of_lists(t, &m->lives, &s->end_count);
  s->fires = copy_of_lists(t, &m->fires, &s->fire_count);
  s->then = copy_of(t, &then, 1, sizeof then);
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
static bool fill_snapshot(sp_snapshot *s, sp_manager *m)
{
  const size_t host_size = sp_host_size(m);
  cursor t = {.m = m, .lists = sp_scratch_take(m)};
  sp_snapshot sizes;
  piece_of(&t, host_size);
  copy_manager(&t, m, &sizes);
  bool is_filled = !t.is_refused && reserve_block(s, t.used);
  if (is_filled) {
    t.block = s->block;
    t.used = 0;
    unsigned char *host = piece_of(&t, host_size);
    if (host_size > 0)
      m->host.write(m->host.ud, host, host_size);
    s->host = host_size > 0 ? host : NULL;
    s->host_size = host_size;
    copy_manager(&t, m, s);
  }
  sp_scratch_return(m, &t.lists);
  return is_filled;
}

sp_snapshot *sp_snapshot_take(sp_manager *m, sp_snapshot *reuse, sp_result *result)
{
  sp_snapshot *s = sp_manager_is_busy(m) ? NULL : reuse ? reuse : new_snapshot(m);
  sp_result why = sp_manager_is_busy(m) ? SP_BUSY : SP_MEMORY;
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

/* Memory for the columns of a chunk that has another pool. */
typedef struct fresh_block {
  uint32_t chunk;
  unsigned char *block;
} fresh_block;

typedef struct restoring {
  sp_manager *m;
  const sp_snapshot *s;
  restore_target *targets; /* by the index of the pool then */
  uint32_t *owners;        /* by chunk number: index of the pool then, plus 2; 1: it had none; 0: it was not there */
  sp_scratch work; /* of the queries: these two lists, and then that of fresh memory, which grows and moves them */
  size_t laid_out; /* room for a chunk as it was */
  size_t fresh;
  uint32_t fresh_count;
} restoring;

/* Makes room for `size` bytes more in `work`. Returns where; SIZE_MAX when memory is refused. */
static size_t extend_work(restoring *r, size_t size)
{
  size_t at = sp_scratch_room(r->m, &r->work, size);
  if (at != SIZE_MAX) {
    r->targets = (restore_target *)(void *)r->work.block;
    r->owners = (uint32_t *)(void *)(r->work.block + r->s->then->pool_count * sizeof *r->targets);
  }
  return at;
}

static const pool_then *pool_of(const restoring *r, uint32_t index)
{
  return (const pool_then *)(const void *)r->s->then->pools[index];
}

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

static sp_result find_targets(restoring *r)
{
  size_t largest = 0;
  for (uint32_t i = 0; i < r->s->then->pool_count; i++) {
    const sp_pool *then = r->s->then->pools[i];
    restore_target *to = &r->targets[i];
    to->pool = sp_manager_pool(r->m, then->type);
    if (!to->pool || to->pool->spatial != then->spatial)
      return SP_INVALID;
    to->is_same = is_same_layout(&to->pool->layout, &then->layout);
    if (!to->is_same && then->layout.chunk_size > largest)
      largest = then->layout.chunk_size;
  }
  r->laid_out = extend_work(r, largest);
  r->fresh = r->work.used;
  return r->laid_out != SIZE_MAX ? SP_OK : SP_MEMORY;
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
  uint32_t owner = number < r->s->then->chunk_count ? r->owners[number] : 0;
  return owner >= 2 ? r->targets[owner - 2].pool : NULL;
}

/* Makes a table of a chunk, if it had one then and has none now: an empty one tells the same as none. */
static bool reserve_table(const restoring *r, void **table, const void *then, size_t item)
{
  if (then && !*table)
    *table = sp_memory_extend(&r->m->memory, NULL, 0, SP_CHUNK_SLOTS, item);
  return *table || !then;
}

/* A chunk keeps its columns if its pool does. */
static bool reserve_chunk(restoring *r, sp_pool *owner, uint32_t number, const sp_chunk *then)
{
  sp_manager *m = r->m;
  if (!sp_slots_make(m, number))
    return false;
  const sp_chunk *now = &m->slots.chunks[number];
  sp_lives *lives = sp_lives_of(now), *old = then ? sp_lives_of(then) : NULL;
  if (then && then->terms && !now->terms && !sp_wheel_reserve(&m->lives, &m->memory, number * SP_CHUNK_SLOTS))
    return false;
  if (!reserve_table(r, (void **)&lives->family, old ? old->family : NULL, sizeof *lives->family) ||
      !reserve_table(r, (void **)&lives->timers, old ? old->timers : NULL, sizeof *lives->timers))
    return false;
  if (!owner || owner == lives->owner)
    return true;
  size_t at = extend_work(r, sizeof(fresh_block));
  if (at == SIZE_MAX)
    return false;
  unsigned char *block = sp_chunk_block_new(m, &owner->layout);
  *(fresh_block *)(void *)(r->work.block + at) = (fresh_block){number, block};
  r->fresh_count++;
  return block != NULL;
}

/* The next chunk of a stretch that does not rest as it did then, at `position` of its pool (NULL: it had none). Returns
   false at the end. */
static bool next_changed(const sp_pool *p, uint32_t position, const stretch *list, uint32_t *next, sp_seat *seat)
{
  for (uint32_t alike; *next < list->of.count; *next += alike) {
    *seat = (sp_seat){list->of.seat.chunk + *next, list->of.seat.label + *next, list->of.seat.rest};
    bool has_seat = p && position + *next < p->chunk_count;
    if (!has_seat || memcmp(&p->seats[position + *next], seat, sizeof *seat) != 0 ||
        (alike = sp_chunk_alike(p, position + *next)) == 0)
      return true;
  }
  return false;
}

static bool reserve_stretches(restoring *r, uint32_t mark, const stretch *list)
{
  sp_pool *p = mark >= 2 ? r->targets[mark - 2].pool : NULL;
  for (uint32_t position = 0; list; position += list->of.count, list = list->next) {
    sp_seat seat;
    for (uint32_t i = 0; i < list->of.count; i++)
      r->owners[list->of.seat.chunk + i] = mark;
    for (uint32_t i = 0; next_changed(p, position, list, &i, &seat); i++)
      if (!reserve_chunk(r, p, seat.chunk, list->copy))
        return false;
  }
  return true;
}

static fresh_block *fresh_list(const restoring *r) { return (fresh_block *)(void *)(r->work.block + r->fresh); }

static void release_fresh(const restoring *r)
{
  const fresh_block *fresh = fresh_list(r);
  for (uint32_t i = 0; i < r->fresh_count; i++)
    if (fresh[i].block)
      sp_chunk_block_free(r->m, &next_owner(r, fresh[i].chunk)->layout, fresh[i].block);
}

static bool reserve_restore(restoring *r)
{
  sp_manager *m = r->m;
  const sp_snapshot *s = r->s;
  const sp_manager *then = s->then;
  bool reserved = sp_slots_reserve(m, then->chunk_count) && sp_timers_reserve(m, then->timer_capacity) &&
                  sp_wheel_reserve_copy(&m->fires, &m->memory, s->fire_count) &&
                  sp_wheel_reserve_copy(&m->lives, &m->memory, s->end_count);
  for (uint32_t i = 0; reserved && i < then->pool_count; i++)
    reserved =
        reserve_pool(r->targets[i].pool, then->pools[i]) && reserve_stretches(r, i + 2, pool_of(r, i)->stretches);
  return reserved && reserve_stretches(r, 1, s->free_chunks);
}

/* }== */

/* {== Commit ============================================================= */

/* References of lives that are taken back stay out of the range of a manager that follows this one. */
static void note_generations(sp_manager *m)
{
  for (uint32_t i = 0; i < m->pool_count; i++) {
    const sp_pool *p = m->pools[i];
    for (uint32_t k = 0, alike; k < p->chunk_count; k += alike ? alike : 1) {
      alike = sp_chunk_alike(p, k);
      for (uint32_t slot = 0; slot < (alike ? 1 : SP_CHUNK_SLOTS); slot++) {
        uint32_t generation = sp_chunk_at(p, k)->life[slot].generation;
        m->spent_generation = generation > m->spent_generation ? generation : m->spent_generation;
      }
    }
  }
}

/* Frees the memory of chunks that had no pool then, or another one. */
static void free_other_chunks(const restoring *r)
{
  sp_manager *m = r->m;
  for (uint32_t i = 0; i < m->pool_count + m->absent_count; i++) {
    const sp_pool *p = m->pools[i];
    for (uint32_t k = 0; k < p->chunk_count; k++)
      if (next_owner(r, p->seats[k].chunk) != p)
        sp_chunk_free(m, &p->layout, sp_chunk_at(p, k));
  }
}

/* A table that was there then gets what it held; one that was not is empty. */
static void *restore_table(const void *then, void *table, size_t size)
{
  if (then)
    memcpy(table, then, size);
  else if (table)
    memset(table, 0, size);
  return table;
}

/* Cells of idle objects begin again when a life does, but what moves must rest. */
static void restore_idle_cells(sp_pool *p, const sp_chunk *chunk, uint32_t number, bool is_fresh)
{
  for (uint32_t i = 0; is_fresh && i < SP_CHUNK_SLOTS; i++)
    sp_object_initialise(p, number * SP_CHUNK_SLOTS + i);
  for (uint64_t mask = p->layout.all & SP_MOTION_COLUMNS; mask; mask &= mask - 1)
    memset(chunk->base + p->layout.columns[__builtin_ctzll(mask)].offset, 0, SP_CHUNK_SLOTS * sizeof(float));
}

/* Cells that lay otherwise then are laid out as they were first. */
static void restore_cells(const restoring *r, const restore_target *to, const sp_layout *old, const sp_chunk *then,
                          const sp_chunk *chunk)
{
  const uint64_t live = sp_odd_slots(then);
  unsigned char *base = to->is_same ? chunk->base : memset(r->work.block + r->laid_out, 0, old->chunk_size);
  copy_cells(old, live, base, then->base, true);
  if (!to->is_same)
    sp_layout_convert(&to->pool->layout, old, chunk->base, base);
}

static void restore_chunk(const restoring *r, const stretch *of, uint32_t number, uint32_t mark,
                          const fresh_block *fresh)
{
  const sp_chunk *then = of->copy;
  const restore_target *to = mark >= 2 ? &r->targets[mark - 2] : NULL;
  sp_chunk *chunk = &r->m->slots.chunks[number];
  sp_lives *lives = sp_lives_of(chunk), *old_lives = then ? sp_lives_of(then) : NULL;
  lives->number = of->of.seat.label + (number - of->of.seat.chunk);
  lives->owner = to ? to->pool : NULL;
  if (fresh)
    lives->block = fresh->block;
  if (to) {
    const sp_layout *old = &r->s->then->pools[mark - 2]->layout;
    chunk->base = sp_chunk_block_base(lives->block);
    restore_idle_cells(to->pool, chunk, number, fresh != NULL);
    if (then && then->base)
      restore_cells(r, to, old, then, chunk);
  }
  restore_table(then ? old_lives->family : NULL, lives->family, SP_CHUNK_SLOTS * sizeof *lives->family);
  restore_table(then ? old_lives->timers : NULL, lives->timers, SP_CHUNK_SLOTS * sizeof *lives->timers);
  restore_table(then ? then->terms : NULL, chunk->terms, SP_CHUNK_SLOTS * sizeof *chunk->terms);
  if (then) {
    lives->made = old_lives->made;
    memcpy(lives->life, old_lives->life, sizeof lives->life);
  } else {
    sp_chunk_set_rest(chunk, of->of.seat.rest);
  }
}

static void restore_stretches(const restoring *r, uint32_t mark, const stretch *list, const fresh_block **fresh)
{
  const fresh_block *end = fresh_list(r) + r->fresh_count;
  sp_pool *p = mark >= 2 ? r->targets[mark - 2].pool : NULL;
  for (uint32_t position = 0; list; position += list->of.count, list = list->next) {
    sp_seat seat;
    for (uint32_t i = 0; next_changed(p, position, list, &i, &seat); i++) {
      bool has_fresh = *fresh < end && (*fresh)->chunk == seat.chunk;
      restore_chunk(r, list, seat.chunk, mark, has_fresh ? *fresh : NULL);
      *fresh += has_fresh;
      if (p)
        sp_chunk_seat(p, position + i, &seat, list->copy != NULL);
    }
  }
}

static void restore_slots(const restoring *r)
{
  sp_manager *m = r->m;
  const sp_manager *then = r->s->then;
  const fresh_block *fresh = fresh_list(r);
  note_generations(m);
  free_other_chunks(r);
  for (uint32_t i = 0; i < then->chunk_count; i++)
    if (r->owners[i] == 0)
      sp_slots_forget(m, i, i + 1);
  sp_slots_forget(m, then->chunk_count, m->chunk_capacity);
  for (uint32_t i = 0; i < then->pool_count; i++)
    restore_stretches(r, i + 2, pool_of(r, i)->stretches, &fresh);
  restore_stretches(r, 1, r->s->free_chunks, &fresh);
}

/* The settings are those of today: more idle objects than these allow are destroyed. No hook runs. */
static void drop_surplus(sp_pool *p)
{
  while (sp_idle_count(&p->idle) > p->settings.idle_limit) {
    p->in_transition++;
    sp_object_unmake(p, sp_idle_pop(&p->idle));
  }
}

static void restore_pool(const restore_target *to, const pool_then *of)
{
  sp_pool *p = to->pool;
  const sp_pool *then = &of->pool;
  uint64_t dirty = p->view.dirty | then->view.dirty;
  sp_members_copy(sp_members_of_pool, p, then);
  sp_chunk_unseat(p, p->chunk_count);
  /* Cells that lie or begin otherwise may differ from what they begin with in any idle object. */
  sp_pool_set_dirty(p, to->is_same ? dirty : p->layout.all & ~p->layout.kept);
  sp_idle_clear(&p->idle);
  for (const sp_run *run = of->idle; run->count != 0; run++)
    sp_idle_add_run(&p->idle, *run);
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
  sp_chunk_unseat(p, 0);
  sp_pool_set_dirty(p, p->layout.restless);
  sp_idle_free(&p->idle, &p->manager->memory);
  p->ages.head = p->ages.tail = 0;
}

static void restore_timers(sp_manager *m, const sp_manager *then)
{
  for (uint32_t i = 0; i < m->timer_capacity / SP_CHUNK_SLOTS; i++) {
    const sp_timer_block *block = &m->timers[i];
    const sp_timer_block *old = i < then->timer_capacity / SP_CHUNK_SLOTS ? &then->timers[i] : NULL;
    if (old)
      memcpy(block->records, old->records, SP_CHUNK_SLOTS * sizeof *block->records);
    restore_table(old ? old->terms : NULL, block->terms, SP_CHUNK_SLOTS * sizeof *block->terms);
  }
  sp_timers_restore(m, then->timer_capacity, then->free_timer);
}

static void commit_restore(const restoring *r)
{
  sp_manager *m = r->m;
  const sp_snapshot *s = r->s;
  restore_slots(r);
  sp_members_copy(sp_members_of_manager, m, s->then);
  sp_slots_settle(m);
  restore_timers(m, s->then);
  sp_wheel_restore(&m->fires, &s->then->fires, s->fires, s->fire_count);
  sp_wheel_restore(&m->lives, &s->then->lives, s->ends, s->end_count);
  for (uint32_t i = 0; i < s->then->pool_count; i++) {
    restore_pool(&r->targets[i], pool_of(r, i));
    sp_pool_list_move(r->targets[i].pool, i);
  }
  for (uint32_t i = s->then->pool_count; i < m->pool_count + m->absent_count; i++)
    empty_pool(m->pools[i]);
  sp_pool_list_restore(m, s->then->pool_count);
}

static bool reserve_work(restoring *r)
{
  const sp_manager *then = r->s->then;
  size_t owners = then->chunk_count * sizeof *r->owners;
  if (extend_work(r, then->pool_count * sizeof *r->targets + owners + 8) == SIZE_MAX) /* never none at all */
    return false;
  memset(r->owners, 0, owners);
  return true;
}

sp_result sp_snapshot_restore(sp_manager *m, const sp_snapshot *s)
{
  restoring r = {.m = m, .s = s};
  if (sp_manager_is_busy(m))
    return SP_BUSY;
  if (!is_alike(m, s->then))
    return SP_FOREIGN;
  sp_pools_settle(m);
  r.work = sp_scratch_take(m);
  sp_result why = reserve_work(&r) ? find_targets(&r) : SP_MEMORY;
  if (why == SP_OK) {
    why = reserve_restore(&r) ? sp_host_read(m, s->host, s->host_size) : SP_MEMORY;
    if (why == SP_OK)
      commit_restore(&r);
    else
      release_fresh(&r);
  }
  sp_scratch_return(m, &r.work);
  return why;
}

/* }== */
