/*
** Snapshots: the state as an image in one block of memory, in which chunks are copied whole. Taking goes over the state
** twice: to measure the image, and to write it. Restoring goes over the image twice. The first time it checks that the
** image fits and allocates all memory, with no visible effect; then the host takes its own state back. The second time
** cannot fail: it frees what did not exist then, and copies the rest.
*/
#include "core/chunk.h"
#include "core/idle.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/state_visit.h"
#include "core/timer.h"

struct sp_snapshot {
  sp_memory memory;
  bool is_held; /* its bytes are in use: a callback may neither change nor free it */
  unsigned char *block;
  size_t capacity;
};

typedef enum image_way { MEASURE, WRITE, RESERVE, RESTORE } image_way;

/* Whose snapshot it is, and how much of everything there was. */
typedef struct image_head {
  sp_id id;
  uint32_t pool_count, chunk_count, timer_capacity, free_timer;
  double step;
  size_t host_size;
} image_head;

/* Memory for the columns of a chunk that has another pool. */
typedef struct fresh_block {
  uint32_t chunk;
  unsigned char *block;
} fresh_block;

typedef struct image {
  sp_visitor visitor; /* first */
  sp_manager *m;
  image_way way;
  sp_result why; /* of a visitor that has stopped */
  unsigned char *block;
  size_t used;
  image_head head;
  uint32_t index;   /* of the present pool */
  sp_layout layout; /* that it had; what this points to lies in the image */
  bool is_same;     /* cells lie and begin as they did; else `change` says how they do */
  sp_layout_change change;
  bool is_moved;        /* to a manager with another id: references change */
  sp_settings settings; /* that the pool gets */
  bool is_listed;       /* its idle slots are in the image, as they were going to be used */
  uint32_t ages;        /* entries in its queue of ages; UINT32_MAX: there was none */
  sp_scratch work;      /* of the queries: the owners of chunks, and then fresh memory, which grows and moves them */
  size_t fresh;
  uint32_t fresh_count, fresh_used;
} image;

/* {== Pieces ============================================================= */

/* Goes on by a piece; all begin at multiples of 16. Returns where it is in the image; NULL while that is measured. */
static void *piece_of(image *t, size_t size)
{
  unsigned char *piece = t->block ? t->block + t->used : NULL;
  t->used += (size + 15) / 16 * 16;
  return piece;
}

/* A piece that is read while memory is reserved, too. Returns where it is. */
static void *image_known(image *t, const void *at, size_t size)
{
  void *piece = piece_of(t, size);
  if (t->way == WRITE)
    memcpy(piece, at, size);
  return piece;
}

static void image_local(image *t, void *head, size_t size)
{
  const void *piece = image_known(t, head, size);
  if (t->visitor.reads)
    memcpy(head, piece, size);
}

/* A piece of the manager's own memory. Returns where it is. */
static const void *image_bytes(image *t, void *at, size_t size)
{
  void *piece = piece_of(t, size);
  if (t->way == WRITE)
    memcpy(piece, at, size);
  else if (t->way == RESTORE)
    memcpy(at, piece, size);
  return piece;
}

static void image_members(image *t, const sp_member *list, void *of)
{
  for (; list->size; list++)
    image_bytes(t, (unsigned char *)of + list->offset, (size_t)list->size * list->count);
}

/* A table that not every chunk has: one that was there gets what it held, one that was not is empty. */
static void image_table(image *t, void *table, size_t size, bool had)
{
  if (had)
    image_bytes(t, table, size);
  else if (table && t->way == RESTORE)
    memset(table, 0, size);
}

static bool image_need(image *t, bool holds, sp_result why)
{
  if (!holds && !t->visitor.is_stopped) {
    t->visitor.is_stopped = true;
    t->why = why;
  }
  return holds;
}

/* }== */

/* {== Owners ============================================================= */

/* By chunk number, while restoring: the index of the pool that gets it, plus 2; 1: it had none; 0: it was not there. */
static uint32_t *owners_of(const image *t) { return (uint32_t *)(void *)t->work.block; }
static fresh_block *fresh_list(const image *t) { return (fresh_block *)(void *)(t->work.block + t->fresh); }

static sp_pool *next_owner(const image *t, uint32_t number)
{
  uint32_t owner = number < t->head.chunk_count ? owners_of(t)[number] : 0;
  return owner >= 2 ? t->m->pools[owner - 2] : NULL;
}

static bool reserve_work(image *t)
{
  size_t owners = (t->head.chunk_count + 1) * sizeof(uint32_t), at = sp_scratch_room(t->m, &t->work, owners);
  if (at == SIZE_MAX)
    return false;
  memset(owners_of(t), 0, owners);
  t->fresh = t->work.used;
  return true;
}

static bool add_fresh(image *t, const sp_pool *p, uint32_t number)
{
  size_t at = sp_scratch_room(t->m, &t->work, sizeof(fresh_block));
  if (at == SIZE_MAX)
    return false;
  unsigned char *block = sp_chunk_block_new(t->m, &p->layout);
  *(fresh_block *)(void *)(t->work.block + at) = (fresh_block){number, block};
  t->fresh_count++;
  return block != NULL;
}

static void release_fresh(const image *t)
{
  for (uint32_t i = 0; i < t->fresh_count; i++) { /* none: there may be no list either */
    const fresh_block *fresh = fresh_list(t) + i;
    if (fresh->block)
      sp_chunk_block_free(t->m, &next_owner(t, fresh->chunk)->layout, fresh->block);
  }
}

/* References of lives that are taken back stay out of the range of a manager that follows this one. */
static void note_generations(sp_manager *m)
{
  for (uint32_t i = 0; i < m->pool_count; i++)
    for (uint32_t k = 0; k < m->pools[i]->chunk_count; k++)
      for (uint32_t slot = 0; slot < SP_CHUNK_SLOTS; slot++) {
        uint32_t generation = sp_chunk_at(m->pools[i], k)->life[slot].generation;
        m->spent_generation = generation > m->spent_generation ? generation : m->spent_generation;
      }
}

/* Frees the memory of chunks that had no pool then, or another one, and forgets those that were not there. */
static void free_other_chunks(const image *t)
{
  sp_manager *m = t->m;
  for (uint32_t i = 0; i < m->pool_count + m->absent_count; i++) {
    const sp_pool *p = m->pools[i];
    for (uint32_t k = 0; k < p->chunk_count; k++)
      if (next_owner(t, p->chunks[k]) != p)
        sp_chunk_free(m, &p->layout, sp_chunk_at(p, k));
  }
  for (uint32_t i = 0; i < t->head.chunk_count; i++)
    if (owners_of(t)[i] == 0)
      sp_slots_forget(m, i, i + 1);
  sp_slots_forget(m, t->head.chunk_count, m->chunk_capacity);
}

/* }== */

/* {== Manager ============================================================ */

static image_head image_head_now(const sp_manager *m)
{
  return (image_head){.id = m->id,
                      .pool_count = m->pool_count,
                      .chunk_count = m->chunk_count,
                      .timer_capacity = m->timer_capacity,
                      .free_timer = m->free_timer,
                      .step = m->step,
                      .host_size = sp_host_size(m)};
}

/* How many lives a slot has, minus one: 0 stands for as many as there are. */
static uint32_t lives_of(const sp_id *id)
{
  const uint32_t most = 1u << (SP_WINDOW_BITS - 1);
  return id->lives - 1 < most ? id->lives - 1 : most;
}

/* Returns whether a snapshot is of a manager with the same options, but for its id. */
static bool is_alike(const image_head *a, const sp_manager *b)
{
  return lives_of(&a->id) == lives_of(&b->id) && a->step == b->step;
}

static uint32_t image_of_manager(sp_visitor *v)
{
  image *t = (image *)v;
  sp_manager *m = t->m;
  if (t->way == MEASURE)
    t->head = image_head_now(m);
  image_local(t, &t->head, sizeof t->head);
  t->is_moved = t->visitor.reads && (t->head.id.id != m->id.id || t->head.id.first != m->id.first);
  if (t->way == RESERVE && image_need(t, is_alike(&t->head, m), SP_FOREIGN))
    image_need(
        t, reserve_work(t) && sp_slots_reserve(m, t->head.chunk_count) && sp_timers_reserve(m, t->head.timer_capacity),
        SP_MEMORY);
  if (t->way == RESTORE) {
    note_generations(m);
    free_other_chunks(t);
  }
  image_members(t, sp_members_of_manager, m);
  if (t->way == RESTORE)
    sp_slots_settle(m);
  return t->head.pool_count;
}

/* }== */

/* {== Other ids ========================================================== */

static void move_ref(const image *t, sp_ref *ref) { *ref = sp_ref_moved(&t->head.id, &t->m->id, *ref); }

/* A slot that was retired is so again. */
static void move_generation(const image *t, uint32_t *generation)
{
  const sp_id *then = &t->head.id, *now = &t->m->id;
  *generation = *generation >= then->last ? now->last : *generation - then->first + now->first;
}

/* Returns whether the generations of a chunk, as they were, are among those of the manager. */
static bool has_generations(const image *t, const sp_life *then)
{
  const sp_id *id = &t->head.id;
  for (uint32_t i = 0; t->is_moved && i < SP_CHUNK_SLOTS; i++)
    if (then[i].generation < id->last && then[i].generation - id->first > t->m->id.last - t->m->id.first)
      return false;
  return true;
}

static void move_field(const image *t, const sp_pool *p, int column, unsigned char *base, uint32_t index)
{
  const sp_column_layout *c = &p->layout.columns[column];
  unsigned char *cell = base + c->offset + index * (size_t)c->size;
  SP_EACH_NUMBER(part, &p->layout.fields[column - SP_FIELDS])
  if (part.is_ref) {
    sp_ref ref;
    memcpy(&ref, cell + part.offset, sizeof ref);
    move_ref(t, &ref);
    memcpy(cell + part.offset, &ref, sizeof ref);
  }
}

/* Moves all references in a chunk, which has been restored. */
static void move_refs(const image *t, const sp_pool *p, const sp_chunk *chunk)
{
  sp_lives *lives = sp_lives_of(chunk);
  move_generation(t, &lives->since);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    move_generation(t, &lives->life[i].generation);
    if (lives->family)
      move_ref(t, &lives->family[i].parent);
    for (uint64_t mask = p ? p->layout.refs : 0; mask; mask &= mask - 1)
      move_field(t, p, __builtin_ctzll(mask), chunk->base, i);
  }
}

/* }== */

/* {== Pools ============================================================== */

typedef struct pool_head {
  size_t type_size;
  bool spatial;
  uint32_t live, ages;
  sp_settings settings, described;
} pool_head;

/* Settings that the game had set are as they were, and all others as they are described now. */
static sp_settings settings_of(const pool_head *h, const sp_pool *now)
{
  sp_settings settings = now->described;
  for (int i = 0; i < SP_TUNABLES; i++)
    if (sp_tunable(&h->settings, i) != sp_tunable(&h->described, i))
      sp_tunables(&settings)[i] = sp_tunable(&h->settings, i);
  return settings;
}

/* Names are copied beside a list of their addresses in the image, which does not move. */
static void image_of_layout(image *t, const sp_layout *now)
{
  if (now)
    t->layout = *now;
  image_local(t, &t->layout, sizeof t->layout);
  t->layout.initial = image_known(t, t->layout.initial, t->layout.initial_size);
  const int count = t->layout.field_count;
  sp_field *fields = piece_of(t, (size_t)count * sizeof *fields);
  for (int i = 0; i < count; i++) {
    const char *name = now ? now->fields[i].name : fields[i].name;
    char *copy = image_known(t, name, strlen(name) + 1);
    if (t->way == WRITE)
      fields[i].name = copy;
  }
  t->layout.fields = fields;
}

static bool is_same_layout(const sp_layout *now, const sp_layout *then)
{
  return sp_layout_is_alike(now, then) && now->kept == then->kept &&
         memcmp(now->initial, then->initial, now->initial_size) == 0;
}

static sp_pool *image_of_pool(sp_visitor *v, sp_pool *p)
{
  image *t = (image *)v;
  pool_head h = {0};
  if (p)
    h = (pool_head){strlen(p->type) + 1, p->desc.spatial,
                    sp_live_count(p),    p->ages.ring ? sp_ages_count(&p->ages) : UINT32_MAX,
                    p->desc.settings,    p->described};
  image_local(t, &h, sizeof h);
  const char *type = image_known(t, p ? p->type : NULL, h.type_size);
  image_of_layout(t, p ? &p->layout : NULL);
  t->ages = h.ages;
  t->is_listed = h.settings.order != SP_ORDER_COMPACT;
  if (v->reads) {
    p = sp_manager_pool(t->m, type);
    const char *missing = !p                             ? "is no pool here: it is one of the snapshot"
                          : p->desc.spatial != h.spatial ? "has gained or lost its position since the snapshot"
                                                         : NULL;
    if (missing && !image_need(t, false, sp_refuse(&t->m->log, "sp_snapshot_restore", type, missing)))
      return NULL;
    t->settings = settings_of(&h, p);
  }
  t->is_same = v->reads && is_same_layout(&p->layout, &t->layout);
  if (v->reads && !t->is_same)
    t->change = sp_layout_change_of(&p->layout, &t->layout);
  const uint64_t dirty = p->dirty;
  image_members(t, sp_members_of_pool, p);
  if (t->way == RESTORE) /* cells that lie or begin otherwise may differ from what they begin with in any idle object */
    sp_pool_set_dirty(p, t->is_same ? dirty | p->dirty : p->layout.all & ~p->layout.kept);
  if (t->way == RESTORE) {
    sp_idle_clear(p);                              /* until its chunks are there */
    sp_pool_store_settings(p, &t->settings, NULL); /* its ages are there */
  }
  if (t->way == RESERVE && t->settings.overflow == SP_OVERFLOW_OLDEST)
    image_need(t, sp_ages_reserve_count(&p->ages, t->m, h.ages != UINT32_MAX ? h.ages : h.live), SP_MEMORY);
  return p;
}

/* }== */

/* {== Chunks ============================================================= */

typedef struct chunk_head {
  uint32_t number, label;
  bool has_cells, has_terms, has_family, has_timers;
} chunk_head;

static chunk_head chunk_head_of(const sp_manager *m, const sp_pool *p, uint32_t number)
{
  const sp_chunk *chunk = &m->slots.chunks[number];
  const sp_lives *lives = sp_lives_of(chunk);
  return (chunk_head){.number = number,
                      .label = chunk->number,
                      .has_cells = chunk->live || (p && p->layout.kept),
                      .has_terms = chunk->terms != NULL,
                      .has_family = lives->family != NULL,
                      .has_timers = lives->timers != NULL};
}

/* Makes a table of a chunk, if it had one then and has none now: an empty one tells the same as none. */
static bool reserve_table(const image *t, void **table, bool had, size_t item)
{
  if (had && !*table)
    *table = sp_memory_extend(&t->m->memory, NULL, 0, SP_CHUNK_SLOTS, item);
  return *table || !had;
}

/* A chunk keeps its columns if its pool does. */
static bool reserve_chunk(image *t, const sp_pool *p, const chunk_head *h)
{
  sp_manager *m = t->m;
  owners_of(t)[h->number] = p ? p->index + 2 : 1;
  if (!sp_slots_make(m, h->number))
    return false;
  const sp_chunk *now = &m->slots.chunks[h->number];
  sp_lives *lives = sp_lives_of(now);
  return (!h->has_terms || now->terms || sp_wheel_reserve(&m->lives, &m->memory, h->number * SP_CHUNK_SLOTS)) &&
         reserve_table(t, (void **)&lives->family, h->has_family, sizeof *lives->family) &&
         reserve_table(t, (void **)&lives->timers, h->has_timers, sizeof *lives->timers) &&
         (!p || t->settings.order == SP_ORDER_COMPACT || sp_idle_reserve(m, h->number)) &&
         (!p || p == now->owner || add_fresh(t, p, h->number));
}

/* Gives a chunk to the pool that had it. */
static void take_chunk(image *t, sp_pool *p, const chunk_head *h)
{
  sp_chunk *chunk = &t->m->slots.chunks[h->number];
  sp_lives *lives = sp_lives_of(chunk);
  const fresh_block *fresh = fresh_list(t) + t->fresh_used;
  const bool is_fresh = t->fresh_used < t->fresh_count && fresh->chunk == h->number;
  chunk->number = h->label;
  chunk->owner = p;
  if (is_fresh) {
    lives->block = fresh->block;
    chunk->base = sp_chunk_block_base(fresh->block);
    t->fresh_used++;
    for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
      sp_object_initialise(p, h->number * SP_CHUNK_SLOTS + i);
  }
}

/* Cells of a chunk without a life were not copied: they begin again when a life does, but what moves must rest. */
static void image_of_cells(image *t, sp_pool *p, const sp_chunk *chunk, bool has_cells)
{
  const sp_layout *layout = t->visitor.reads ? &t->layout : &p->layout;
  if (has_cells && (t->way != RESTORE || t->is_same))
    image_bytes(t, chunk->base, layout->chunk_size);
  else if (has_cells)
    sp_layout_convert(&t->change, chunk->base, piece_of(t, layout->chunk_size));
  for (uint64_t mask = t->way == RESTORE && !has_cells ? p->layout.all & SP_MOTION_COLUMNS : 0; mask; mask &= mask - 1)
    memset(chunk->base + p->layout.columns[__builtin_ctzll(mask)].offset, 0, SP_CHUNK_SLOTS * sizeof(float));
  const uint32_t first = (uint32_t)(chunk - t->m->slots.chunks) * SP_CHUNK_SLOTS;
  for (uint64_t bits = t->way == RESTORE && !has_cells ? ~chunk->made : 0; bits; bits &= bits - 1)
    sp_object_initialise(p, first + (uint32_t)__builtin_ctzll(bits)); /* the chunk may have been made again since */
}

static void image_of_chunk(image *t, sp_pool *p, uint32_t at, uint32_t number)
{
  sp_manager *m = t->m;
  chunk_head h;
  if (!t->visitor.reads)
    h = chunk_head_of(m, p, number);
  image_local(t, &h, sizeof h);
  if (t->way == RESERVE && !image_need(t, reserve_chunk(t, p, &h), SP_MEMORY))
    return;
  if (t->way == RESTORE)
    take_chunk(t, p, &h);
  sp_chunk *chunk = &m->slots.chunks[h.number];
  sp_lives *lives = sp_lives_of(chunk);
  if (p)
    image_of_cells(t, p, chunk, h.has_cells);
  image_bytes(t, &chunk->live, 2 * sizeof chunk->live); /* and idle */
  image_bytes(t, &chunk->made, sizeof chunk->made);
  image_bytes(t, &lives->since, sizeof lives->since);
  const sp_life *then = image_bytes(t, lives->life, sizeof lives->life);
  if (t->way == RESERVE)
    image_need(t, has_generations(t, then), SP_FULL);
  image_table(t, chunk->terms, SP_CHUNK_SLOTS * sizeof *chunk->terms, h.has_terms);
  image_table(t, lives->family, SP_CHUNK_SLOTS * sizeof *lives->family, h.has_family);
  image_table(t, lives->timers, SP_CHUNK_SLOTS * sizeof *lives->timers, h.has_timers);
  if (t->way == RESTORE && t->is_moved)
    move_refs(t, p, chunk);
  if (p && t->way == RESTORE)
    sp_chunk_place(p, at, h.number);
}

static uint32_t count_free_chunks(const sp_manager *m)
{
  uint32_t count = 0;
  for (uint32_t i = 0; (i = sp_next_free_chunk(m, i)) != UINT32_MAX; i++)
    count++;
  return count;
}

static void image_of_slots(sp_visitor *v, sp_pool *p)
{
  image *t = (image *)v;
  sp_manager *m = t->m;
  uint32_t count = v->reads ? 0 : p ? p->chunk_count : count_free_chunks(m), number = 0;
  image_local(t, &count, sizeof count);
  if (t->way == RESERVE && p)
    image_need(t, sp_chunk_list_reserve(p, count), SP_MEMORY);
  for (uint32_t i = 0; i < count && !v->is_stopped; i++, number++) {
    if (!v->reads)
      number = p ? p->chunks[i] : sp_next_free_chunk(m, number);
    image_of_chunk(t, p, i, number);
  }
}

/* }== */

/* {== Idle slots and ages ================================================ */

/* More idle objects than the settings allow that are described today are destroyed. No hook runs. */
static void drop_surplus(sp_pool *p)
{
  while (p->idle.count > p->desc.settings.idle_limit) {
    const uint32_t slot = sp_idle_highest(p);
    sp_idle_remove(p, slot);
    p->in_transition++;
    sp_object_unmake(p, slot);
  }
}

static void write_list(const sp_pool *p, uint32_t *to)
{
  for (uint32_t slot = UINT32_MAX; (slot = sp_idle_after(p, slot)) != UINT32_MAX;)
    *to++ = slot;
}

static void restore_idle(const image *t, sp_pool *p, const uint32_t *slots, uint32_t count)
{
  const bool is_listed = t->is_listed && !sp_idle_is_compact(p);
  for (uint32_t i = 0; is_listed && i < p->chunk_count; i++)
    sp_chunk_at(p, i)->idle = 0;
  sp_idle_settle(p, is_listed ? 0 : count);
  for (uint32_t i = 0; is_listed && i < count; i++)
    sp_idle_append(p, slots[i]);
  if (!t->is_same)
    sp_change_refresh_idle(p, &t->change);
}

static void image_of_idle(sp_visitor *v, sp_pool *p)
{
  image *t = (image *)v;
  uint32_t count = v->reads ? 0 : p->idle.count, ages = t->ages != UINT32_MAX ? t->ages : 0;
  image_local(t, &count, sizeof count);
  uint32_t *slots = piece_of(t, t->is_listed ? count * sizeof *slots : 0);
  sp_ref *refs = piece_of(t, ages * sizeof *refs);
  if (t->way == WRITE) {
    if (t->is_listed)
      write_list(p, slots);
    for (uint32_t i = 0; i < ages; i++)
      refs[i] = sp_ages_get(&p->ages, i);
  }
  if (t->way != RESTORE)
    return;
  restore_idle(t, p, slots, count);
  if (p->ages.ring && t->ages != UINT32_MAX) {
    sp_ages_restore(&p->ages, refs, ages);
    for (uint32_t i = 0; t->is_moved && i < ages; i++)
      move_ref(t, &p->ages.ring[i]);
  } else if (p->ages.ring)
    sp_pool_refill_ages(p);
  drop_surplus(p);
  sp_pool_settle(p);
  sp_pool_list_move(p, t->index++);
}

/* }== */

/* {== Links ============================================================== */

static void image_of_wheel(image *t, sp_wheel *w)
{
  uint32_t count = t->visitor.reads ? 0 : sp_wheel_copy(w, NULL);
  image_local(t, &count, sizeof count);
  sp_wheel_rest rest = sp_wheel_rest_of(w);
  image_local(t, &rest, sizeof rest);
  sp_wheel_block *blocks = piece_of(t, count * sizeof *blocks);
  if (t->way == WRITE)
    sp_wheel_copy(w, blocks);
  else if (t->way == RESERVE)
    image_need(t, sp_wheel_reserve_copy(w, &t->m->memory, count), SP_MEMORY);
  else if (t->way == RESTORE)
    sp_wheel_restore(w, &rest, blocks, count);
}

/* Empties the pools that were made after the snapshot. */
static void empty_others(const image *t)
{
  sp_manager *m = t->m;
  for (uint32_t i = t->head.pool_count; i < m->pool_count + m->absent_count; i++) {
    sp_pool *p = m->pools[i];
    sp_members_clear(sp_members_of_pool, p);
    sp_pool_set_dirty(p, p->layout.restless);
    sp_idle_clear(p);
    p->ages.head = p->ages.tail = p->ages.pinned = 0;
    sp_settings settings = p->described;
    if (!p->ages.ring && settings.overflow == SP_OVERFLOW_OLDEST)
      settings.overflow = p->desc.settings.overflow; /* nothing may be allocated any more */
    sp_pool_store_settings(p, &settings, NULL);
  }
  sp_pool_list_restore(m, t->head.pool_count);
}

/* Timers that did not exist then are free. */
static void image_of_links(sp_visitor *v)
{
  image *t = (image *)v;
  sp_manager *m = t->m;
  for (uint32_t i = 0; i < m->timer_capacity / SP_CHUNK_SLOTS; i++) {
    bool was = i < t->head.timer_capacity / SP_CHUNK_SLOTS, had = was && m->timers[i].terms;
    if (was) {
      image_local(t, &had, sizeof had);
      image_bytes(t, m->timers[i].records, SP_CHUNK_SLOTS * sizeof *m->timers[i].records);
      for (uint32_t k = 0; t->way == RESTORE && t->is_moved && k < SP_CHUNK_SLOTS; k++)
        move_ref(t, &m->timers[i].records[k].owner);
    }
    image_table(t, m->timers[i].terms, SP_CHUNK_SLOTS * sizeof *m->timers[i].terms, had);
  }
  if (t->way == RESTORE)
    sp_timers_restore(m, t->head.timer_capacity, t->head.free_timer);
  image_of_wheel(t, &m->fires);
  image_of_wheel(t, &m->lives);
  if (t->way == RESTORE)
    empty_others(t);
}

static void image_of_host(sp_visitor *v)
{
  image *t = (image *)v;
  const sp_manager *m = t->m;
  void *host = piece_of(t, t->head.host_size);
  if (t->way == WRITE && t->head.host_size > 0)
    m->host.write(m->host.ud, host, t->head.host_size);
  sp_result why =
      t->way == RESERVE ? sp_host_read(t->m, t->head.host_size > 0 ? host : NULL, t->head.host_size) : SP_OK;
  image_need(t, why == SP_OK, why);
}

/* }== */

/* {== Snapshots ========================================================== */

static void go_over(image *t, image_way now)
{
  t->way = now;
  t->used = t->index = 0;
  t->visitor.reads = now == RESERVE || now == RESTORE;
  sp_visit(&t->visitor, t->m);
}

static image new_image(sp_manager *m, unsigned char *block)
{
  const sp_visitor visitor = {false,          false,         image_of_manager, image_of_pool,
                              image_of_slots, image_of_idle, image_of_links,   image_of_host};
  return (image){.visitor = visitor, .m = m, .block = block};
}

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
  /* Snapshots of a growing game image_need a little more each time. */
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
  image t = new_image(m, NULL);
  go_over(&t, MEASURE);
  if (!reserve_block(s, t.used))
    return false;
  t.block = s->block;
  go_over(&t, WRITE);
  return true;
}

sp_snapshot *sp_snapshot_take(sp_manager *m, sp_snapshot *reuse, sp_result *result)
{
  const bool is_busy = sp_manager_is_busy(m) || (reuse && reuse->is_held);
  sp_snapshot *s = is_busy ? NULL : reuse ? reuse : new_snapshot(m);
  sp_result why = is_busy ? SP_BUSY : SP_MEMORY;
  if (s) {
    sp_pools_settle(m);
    sp_manager_hold(m);
    s->is_held = true;
    why = fill_snapshot(s, m) ? SP_OK : SP_MEMORY;
    s->is_held = false;
    sp_manager_release(m);
    if (why != SP_OK && !reuse)
      sp_snapshot_free(s);
  }
  sp_tell(result, why);
  return why == SP_OK ? s : NULL;
}

void sp_snapshot_free(sp_snapshot *s)
{
  if (!s || s->is_held)
    return;
  sp_memory_free(&s->memory, s->block, s->capacity);
  sp_memory memory = s->memory;
  sp_memory_free(&memory, s, sizeof *s);
}

size_t sp_snapshot_bytes(const sp_snapshot *s) { return sizeof *s + s->capacity; }

/* Nothing has changed: what was made for what would have followed is freed. */
static void give_up(const image *t)
{
  release_fresh(t);
  for (uint32_t i = 0; i < t->m->pool_count + t->m->absent_count; i++) {
    const sp_settings stay = t->m->pools[i]->desc.settings;
    sp_pool_store_settings(t->m->pools[i], &stay, NULL);
  }
}

sp_result sp_snapshot_restore(sp_manager *m, const sp_snapshot *s)
{
  if (sp_manager_is_busy(m) || s->is_held)
    return SP_BUSY;
  image t = new_image(m, s->block);
  sp_pools_settle(m);
  t.work = sp_scratch_take(m);
  ((sp_snapshot *)s)->is_held = true;
  go_over(&t, RESERVE);
  ((sp_snapshot *)s)->is_held = false;
  if (!t.visitor.is_stopped)
    go_over(&t, RESTORE);
  else
    give_up(&t);
  sp_scratch_return(m, &t.work);
  return t.why;
}

/* }== */
