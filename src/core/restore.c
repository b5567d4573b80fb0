/*
** Restores a snapshot, in two steps. Prepare checks that the snapshot fits and allocates all memory, with no visible
** effect. Commit cannot fail: it frees what did not exist then, and copies the rest.
*/
#include "core/busy.h"
#include "core/change.h"
#include "core/chunk.h"
#include "core/facts.h"
#include "core/pool_list.h"
#include "core/scratch.h"
#include "core/snapshot.h"
#include "core/timer.h"

/* The pieces of a snapshot that belong to the manager. */
typedef struct manager_image {
  const sp_manager *then; /* of its pointers only whether they are NULL counts */
  const sp_chunk *chunks;
  const uint32_t *owners;
  const sp_life *life;
  const uint64_t *made;
  const sp_timer_record *timers;
  const sp_link *links;
  const sp_term *terms;
  const uint32_t *lists;
  const sp_expiry_block *blocks;
} manager_image;

/* Those of one pool. */
typedef struct pool_image {
  const sp_pool *then;
  const char *type;
  sp_layout layout;
  char *names[SP_MAX_FIELDS];
  const uint32_t *chunks;
  const uint32_t *idle;
  const sp_ref *ages;
} pool_image;

/* A pool of the snapshot, by the index that it had then. */
typedef struct old_pool {
  sp_pool *pool; /* that it goes to */
  size_t at;     /* of its pieces */
  uint32_t chunk_size;
  bool is_alike; /* the cells lie as they did */
  bool is_same;  /* and begin as they did */
} old_pool;

/* Memory that a chunk needs beyond what it has; NULL where it needs none. */
typedef struct table_room {
  unsigned char *block;
  sp_family *family;
  uint32_t *timers;
} table_room;

typedef struct restore_work {
  sp_manager *m;
  manager_image image;
  unsigned char *block;
  size_t cells_at;
  old_pool *pools;
  table_room *tables; /* by chunk number */
} restore_work;

/* {== Reading ============================================================ */

static void image_manager(sp_tape *tape, manager_image *image)
{
  const sp_manager *m = image->then = sp_tape_piece(tape, sizeof *m);
  image->chunks = sp_tape_piece(tape, m->chunk_count * sizeof *m->chunks);
  image->owners = sp_tape_piece(tape, m->chunk_count * sizeof *image->owners);
  image->life = sp_tape_piece(tape, m->slots.reach * sizeof *m->slots.life);
  image->made = sp_tape_piece(tape, m->chunk_count * SP_CHUNK_WORDS * sizeof *m->slots.made);
  image->timers = sp_tape_piece(tape, m->timer_capacity * sizeof *m->timers);
  image->links = sp_tape_piece(tape, m->fires.links ? (SP_WHEEL_RINGS + m->fires.capacity) * sizeof(sp_link) : 0);
  image->terms = sp_tape_piece(tape, m->lives.capacity * sizeof(sp_term));
  image->lists = sp_tape_piece(tape, m->lives.lists ? (SP_EXPIRY_LISTS + SP_WHEEL_TURN) * sizeof(uint32_t) : 0);
  image->blocks = sp_tape_piece(tape, m->lives.block_capacity * sizeof(sp_expiry_block));
}

static char *image_text(sp_tape *tape) { return sp_tape_piece(tape, strlen((char *)tape->block + tape->at) + 1); }

static void image_pool(sp_tape *tape, pool_image *image)
{
  const sp_pool *p = image->then = sp_tape_piece(tape, sizeof *p);
  image->type = image_text(tape);
  image->layout = p->layout;
  image->layout.initial = sp_tape_piece(tape, p->layout.initial_size);
  image->layout.names = image->names;
  for (int i = 0; i < p->layout.field_count; i++)
    image->names[i] = image_text(tape);
  image->chunks = sp_tape_piece(tape, p->chunk_count * sizeof *p->chunks);
  image->idle = sp_tape_piece(tape, sp_idle_count(&p->idle) * sizeof *image->idle);
  image->ages = sp_tape_piece(tape, sp_ages_count(&p->ages) * sizeof *image->ages);
}

static void image_old_pool(const restore_work *r, uint32_t index, pool_image *image)
{
  sp_tape tape = {r->block, r->pools[index].at};
  image_pool(&tape, image);
}

/* }== */

/* {== Prepare ============================================================ */

static bool is_of_alike_manager(const sp_manager *a, const sp_manager *b)
{
  return a->slots.origin == b->slots.origin && a->step == b->step && a->first_generation == b->first_generation &&
         a->last_generation == b->last_generation;
}

static bool begins_alike(const sp_layout *now, const sp_layout *then)
{
  return now->kept == then->kept && memcmp(now->initial, then->initial, now->initial_size) == 0;
}

/* Finds the pool that each of the snapshot goes to. */
static sp_result match_pools(restore_work *r, sp_tape *tape)
{
  pool_image image;
  for (uint32_t i = 0; i < r->image.then->pool_count; i++) {
    old_pool *old = &r->pools[i];
    old->at = tape->at;
    image_pool(tape, &image);
    old->pool = sp_find_pool(r->m, image.type);
    if (!old->pool || old->pool->spatial != image.then->spatial)
      return SP_INVALID;
    old->chunk_size = image.layout.chunk_size;
    old->is_alike = sp_layout_is_alike(&old->pool->layout, &image.layout);
    old->is_same = old->is_alike && begins_alike(&old->pool->layout, &image.layout);
  }
  r->cells_at = tape->at;
  return SP_OK;
}

static bool reserve_list(sp_pool *p, uint32_t count)
{
  if (count <= p->chunk_capacity)
    return true;
  uint32_t *chunks = sp_memory_extend(&p->manager->memory, p->chunks, p->chunk_capacity, count, sizeof *chunks);
  if (!chunks)
    return false;
  p->chunks = chunks;
  p->chunk_capacity = count;
  return true;
}

static bool reserve_pool(const restore_work *r, uint32_t index)
{
  pool_image image;
  sp_pool *p = r->pools[index].pool;
  image_old_pool(r, index, &image);
  uint32_t chunks = image.then->chunk_count, live = sp_live_count(image.then);
  uint32_t ages = image.then->ages.ring ? sp_ages_count(&image.then->ages) : live;
  return reserve_list(p, chunks) &&
         (chunks == 0 || sp_idle_reserve(&p->idle, &p->manager->memory, chunks * SP_CHUNK_SLOTS)) &&
         (!p->ages.ring || sp_ages_reserve_count(&p->ages, p->manager, ages));
}

static sp_pool *then_owner(const restore_work *r, uint32_t number)
{
  bool owned = number < r->image.then->chunk_count && r->image.owners[number] != SP_NO_OWNER;
  return owned ? r->pools[r->image.owners[number]].pool : NULL;
}

static sp_pool *owner_now(const sp_manager *m, uint32_t number)
{
  return number < m->chunk_count ? m->slots.owners[number] : NULL;
}

static bool reserve_tables(const restore_work *r, uint32_t number)
{
  sp_manager *m = r->m;
  const sp_chunk *then = &r->image.chunks[number];
  sp_pool *p = then_owner(r, number), *now = owner_now(m, number);
  table_room *new = &r->tables[number];
  if (!p)
    return true;
  if (p != now) {
    new->block = sp_chunk_block_new(m, &p->layout);
    if (!new->block)
      return false;
  }
  if (then->family && !(now && m->chunks[number].family)) {
    new->family = sp_memory_resize(&m->memory, NULL, 0, SP_CHUNK_SLOTS * sizeof *new->family);
    if (!new->family)
      return false;
  }
  if (then->timers && !(now && m->chunks[number].timers)) {
    new->timers = sp_memory_resize(&m->memory, NULL, 0, SP_CHUNK_SLOTS * sizeof *new->timers);
    if (!new->timers)
      return false;
  }
  return true;
}

static void release_tables(const restore_work *r)
{
  sp_memory *memory = &r->m->memory;
  for (uint32_t i = 0; i < r->image.then->chunk_count; i++) {
    const table_room *new = &r->tables[i];
    if (new->block)
      sp_chunk_block_free(r->m, &then_owner(r, i)->layout, new->block);
    sp_memory_free(memory, new->family, SP_CHUNK_SLOTS * sizeof *new->family);
    sp_memory_free(memory, new->timers, SP_CHUNK_SLOTS * sizeof *new->timers);
  }
}

static bool reserve_restore(const restore_work *r)
{
  sp_manager *m = r->m;
  const sp_manager *then = r->image.then;
  bool reserved = sp_slots_reserve(m, then->chunk_count) && sp_timers_reserve(m, then->timer_capacity) &&
                  sp_wheel_reserve(&m->fires, &m->memory, then->fires.links ? then->fires.capacity : 0) &&
                  sp_expiry_reserve_as(&m->lives, &m->memory, &then->lives);
  for (uint32_t i = 0; reserved && i < then->pool_count; i++)
    reserved = reserve_pool(r, i);
  for (uint32_t i = 0; reserved && i < then->chunk_count; i++)
    reserved = reserve_tables(r, i);
  if (!reserved)
    release_tables(r);
  return reserved;
}

/* }== */

/* {== Commit: chunks ===================================================== */

/* Frees the memory of chunks that had no owner then, or another pool. */
static void free_other_chunks(const restore_work *r)
{
  sp_manager *m = r->m;
  for (uint32_t i = 0; i < m->chunk_count; i++) {
    sp_chunk *chunk = &m->chunks[i];
    sp_pool *then = then_owner(r, i);
    if (m->slots.owners[i] && m->slots.owners[i] != then)
      sp_chunk_block_free(m, &m->slots.owners[i]->layout, chunk->block);
    if (m->slots.owners[i] && !then) {
      sp_memory_free(&m->memory, chunk->family, SP_CHUNK_SLOTS * sizeof *chunk->family);
      sp_memory_free(&m->memory, chunk->timers, SP_CHUNK_SLOTS * sizeof *chunk->timers);
    }
  }
}

/* A table that was there then gets what it held; one that was not is empty. */
static void *restore_table(sp_tape *tape, const void *then, void *table, size_t size)
{
  const void *content = sp_tape_piece(tape, then ? size : 0);
  if (then)
    memcpy(table, content, size);
  else if (table)
    memset(table, 0, size);
  return table;
}

static void restore_cells(const restore_work *r, uint32_t number, const unsigned char *cells)
{
  uint32_t index = r->image.owners[number];
  const old_pool *old = &r->pools[index];
  unsigned char *base = r->m->slots.bases[number];
  if (old->is_alike)
    memcpy(base, cells, old->chunk_size);
  if (old->is_same)
    return;
  pool_image image;
  image_old_pool(r, index, &image);
  if (old->is_alike)
    sp_layout_tune(&old->pool->layout, &image.layout, base);
  else
    sp_layout_convert(&old->pool->layout, &image.layout, base, cells);
}

static void restore_chunk(const restore_work *r, sp_tape *tape, uint32_t number)
{
  sp_manager *m = r->m;
  const sp_chunk *then = &r->image.chunks[number];
  const table_room *new = &r->tables[number];
  sp_pool *p = then_owner(r, number);
  sp_chunk now = owner_now(m, number) ? m->chunks[number] : (sp_chunk){0};
  sp_chunk *chunk = &m->chunks[number];
  m->slots.owners[number] = p;
  *chunk = *then;
  chunk->block = NULL;
  chunk->family = NULL;
  chunk->timers = NULL;
  m->slots.bases[number] = NULL;
  if (!p)
    return;
  chunk->block = new->block ? new->block : now.block;
  m->slots.bases[number] = sp_chunk_block_base(chunk->block);
  restore_cells(r, number, sp_tape_piece(tape, r->pools[r->image.owners[number]].chunk_size));
  chunk->family =
      restore_table(tape, then->family, new->family ? new->family : now.family, SP_CHUNK_SLOTS * sizeof *chunk->family);
  chunk->timers =
      restore_table(tape, then->timers, new->timers ? new->timers : now.timers, SP_CHUNK_SLOTS * sizeof *chunk->timers);
}

/* }== */

/* {== Commit: pools ====================================================== */

static void restore_idle(sp_idle *idle, const pool_image *image)
{
  const sp_idle *then = &image->then->idle;
  bool lifo = idle->lifo;
  idle->lifo = then->lifo;
  sp_idle_restore(idle, image->idle, sp_idle_count(then));
  sp_idle_set_order(idle, lifo);
}

static void restore_counts(sp_pool *p, const sp_pool *then, uint64_t dirty)
{
  const sp_pool_past past = {then->made, then->loose,       then->peak,      then->peak_time,
                             dirty,      then->has_parents, then->has_timers};
  p->chunk_count = then->chunk_count;
  p->vacant_hint = then->vacant_hint;
  p->next_number = then->next_number;
  p->prewarm_wanted = then->prewarm_wanted;
  p->prewarm_slice = then->prewarm_slice;
  p->prewarm_from = then->prewarm_from;
  p->warmed = then->warmed;
  p->warm_goal = then->warm_goal;
  p->retired = then->retired;
  p->recycles = then->recycles;
  p->expired = then->expired;
  p->refused = then->refused;
  p->evicted = then->evicted;
  p->vetoed = then->vetoed;
  p->stale_uses = then->stale_uses;
  p->double_recycles = then->double_recycles;
  p->created = then->created;
  p->destroyed = then->destroyed;
  sp_pool_set_past(p, &past);
}

/* Cells that lie or begin otherwise than then may differ from what they begin with in any idle object. */
static uint64_t dirty_columns(const old_pool *old, const pool_image *image)
{
  const sp_layout *now = &old->pool->layout;
  uint64_t then = image->then->view.dirty;
  return old->is_alike ? sp_layout_dirty(now, &image->layout, then) : now->all & ~now->kept;
}

/* A pool that was not there then has nothing. */
static void empty_pool(sp_pool *p)
{
  static const sp_pool nothing = {0};
  restore_counts(p, &nothing, p->layout.restless);
  sp_idle_free(&p->idle, &p->manager->memory);
  p->ages.head = p->ages.tail = 0;
}

/* The settings are those of today: more idle objects than these allow are destroyed. No hook runs. */
static void drop_surplus(sp_pool *p)
{
  while (sp_idle_count(&p->idle) > p->settings.idle_limit) {
    p->loose++;
    sp_object_unmake(p, sp_idle_pop(&p->idle));
  }
}

static void restore_pool(const restore_work *r, uint32_t index)
{
  const old_pool *old = &r->pools[index];
  sp_pool *p = old->pool;
  pool_image image;
  image_old_pool(r, index, &image);
  restore_counts(p, image.then, dirty_columns(old, &image));
  if (p->chunk_count > 0)
    memcpy(p->chunks, image.chunks, p->chunk_count * sizeof *p->chunks);
  if (p->idle.ring)
    restore_idle(&p->idle, &image);
  if (!old->is_same)
    sp_change_refresh_idle(p, &p->layout, &image.layout);
  if (!p->ages.ring)
    return;
  if (!image.then->ages.ring) {
    sp_ages_refill(&p->ages, p);
    return;
  }
  p->ages.head = 0;
  p->ages.tail = sp_ages_count(&image.then->ages);
  if (p->ages.tail > 0)
    memcpy(p->ages.ring, image.ages, p->ages.tail * sizeof *image.ages);
}

/* }== */

/* {== Commit ============================================================= */

/* References of lives that are taken back stay out of the range of a manager that follows this one. */
static void note_generations(sp_manager *m)
{
  for (uint32_t slot = 0; slot < m->slots.reach; slot++)
    if (m->slots.life[slot].generation > m->spent_generation)
      m->spent_generation = m->slots.life[slot].generation;
}

static void restore_slots(const restore_work *r)
{
  sp_manager *m = r->m;
  const manager_image *image = &r->image;
  uint32_t slots = image->then->slots.reach;
  note_generations(m);
  free_other_chunks(r);
  sp_tape tape = {r->block, r->cells_at};
  for (uint32_t i = 0; i < image->then->chunk_count; i++)
    restore_chunk(r, &tape, i);
  sp_slots_forget(m, image->then->chunk_count);
  if (slots > 0) {
    memcpy(m->slots.life, image->life, slots * sizeof *m->slots.life);
    memcpy(m->slots.made, image->made, slots / 64 * sizeof *m->slots.made);
  }
}

static void restore_clock(sp_manager *m, const sp_manager *then)
{
  m->chunk_count = then->chunk_count;
  m->free_chunks = then->free_chunks;
  m->slots.reach = then->slots.reach;
  m->slots.unsettled = then->slots.unsettled;
  sp_slots_settle(m);
  m->serial = then->serial;
  m->tick = then->tick;
  m->time = then->time;
  m->spare = then->spare;
  m->scale = then->scale;
  m->paused = then->paused;
  m->peak = then->peak;
  m->peak_time = then->peak_time;
}

static void commit_restore(const restore_work *r)
{
  sp_manager *m = r->m;
  const manager_image *image = &r->image;
  const sp_manager *then = image->then;
  restore_slots(r);
  restore_clock(m, then);
  sp_timers_restore(m, image->timers, then->timer_capacity, then->free_timer);
  sp_wheel_restore(&m->fires, &then->fires, image->links);
  sp_expiry_restore(&m->lives, &then->lives, image->terms, image->lists, image->blocks);
  for (uint32_t i = 0; i < then->pool_count; i++) {
    restore_pool(r, i);
    drop_surplus(r->pools[i].pool);
    sp_pool_list_move(r->pools[i].pool, i);
  }
  for (uint32_t i = then->pool_count; i < m->pool_count + m->absent_count; i++)
    empty_pool(m->pools[i]);
  sp_pool_list_restore(m, then->pool_count);
}

/* The tables of the work lie in the memory of the queries. */
static bool reserve_work(restore_work *r, sp_scratch *work)
{
  size_t pools = r->image.then->pool_count * sizeof *r->pools, tables = r->image.then->chunk_count * sizeof *r->tables;
  size_t at = sp_scratch_room(r->m, work, pools + tables + 8); /* never none at all */
  if (at == SIZE_MAX)
    return false;
  r->pools = (old_pool *)(void *)(work->block + at);
  r->tables = (table_room *)(void *)(work->block + at + pools);
  memset(r->tables, 0, tables);
  return true;
}

sp_result sp_snapshot_restore(sp_manager *m, const sp_snapshot *s)
{
  restore_work r = {.m = m, .block = s->block};
  sp_tape tape = {.block = s->block};
  if (sp_is_busy(m))
    return SP_BUSY;
  image_manager(&tape, &r.image);
  if (!is_of_alike_manager(m, r.image.then))
    return SP_FOREIGN;
  sp_scratch work = sp_scratch_take(m);
  sp_result why = reserve_work(&r, &work) ? match_pools(&r, &tape) : SP_MEMORY;
  if (why == SP_OK && !reserve_restore(&r))
    why = SP_MEMORY;
  if (why == SP_OK)
    commit_restore(&r);
  sp_scratch_return(m, &work);
  return why;
}

/* }== */
