/*
** Slots and chunks. A chunk's number never changes its meaning for the references into it: a chunk that is freed and
** given to another pool keeps the generations of its slots, so old references stay stale. A directory by number leads
** to the chunks, which never move, so that a pool of any size grows in small steps.
*/
#include "core/chunk.h"

#include <string.h>

#include "core/idle.h"
#include "core/pool_state.h"

/* {== Numbers ============================================================ */

static void make_unused(const sp_manager *m, sp_chunk *chunk)
{
  sp_lives *lives = sp_lives_of(chunk);
  *chunk = (sp_chunk){.life = lives->life, .terms = chunk->terms};
  *lives = (sp_lives){.since = m->id.first,
                      .slab = lives->slab,
                      .family = lives->family,
                      .timers = lives->timers,
                      .links = lives->links};
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    lives->life[i].generation = m->id.first;
  if (chunk->terms)
    memset(chunk->terms, 0, SP_CHUNK_SLOTS * sizeof *chunk->terms);
  if (lives->family)
    memset(lives->family, 0, SP_CHUNK_SLOTS * sizeof *lives->family);
  if (lives->timers)
    memset(lives->timers, 0, SP_CHUNK_SLOTS * sizeof *lives->timers);
}

/* Lives are allocated in slabs, twice as many each time, up to some pages: they lie close together. */
#define MOST_IN_SLAB 64u

static sp_lives *new_lives(sp_manager *m)
{
  if (m->slab_left == 0) {
    uint32_t want = m->slab_size == 0 ? 1 : m->slab_size < MOST_IN_SLAB ? m->slab_size * 2 : MOST_IN_SLAB;
    m->slab = sp_memory_extend(&m->memory, NULL, 0, want, sizeof *m->slab);
    if (!m->slab)
      return NULL;
    m->slab->slab = m->slab_size = m->slab_left = want;
  }
  sp_lives *lives = m->slab++;
  m->slab_left--;
  make_unused(m, &(sp_chunk){.life = lives->life});
  return lives;
}

/* Makes room for the entries of so many chunks, without touching it: pages that nobody has cleared cost nothing. */
static bool reserve_entries(sp_manager *m, uint32_t count)
{
  if (count <= m->chunk_room)
    return true;
  const size_t size = sizeof *m->slots.chunks;
  uint32_t want = m->chunk_room < SP_MAX_CHUNKS / 2 ? 2 * m->chunk_room : SP_MAX_CHUNKS;
  want = want < count ? count : want;
  sp_chunk *chunks = sp_memory_resize(&m->memory, m->slots.chunks, m->chunk_room * size, want * size);
  if (!chunks)
    return false;
  m->slots.chunks = chunks;
  m->lives.segments = (unsigned char *)chunks;
  m->chunk_room = want;
  return true;
}

bool sp_slots_reserve(sp_manager *m, uint32_t count)
{
  const uint32_t have = m->chunk_capacity, at_a_time = 64; /* clearing more would take long */
  if (count <= have)
    return true;
  uint32_t want = have + (have < at_a_time ? have : at_a_time);
  want = want < count ? count : want < SP_MAX_CHUNKS ? want : SP_MAX_CHUNKS;
  if (count > SP_MAX_CHUNKS || (!m->blank && (m->blank = new_lives(m)) == NULL) || !reserve_entries(m, want))
    return false;
  for (uint32_t i = have; i < want; i++)
    m->slots.chunks[i] = (sp_chunk){.life = m->blank->life};
  m->chunk_capacity = want;
  return true;
}

bool sp_slots_make(sp_manager *m, uint32_t number)
{
  sp_chunk *chunk = &m->slots.chunks[number];
  if (chunk->life != m->blank->life)
    return true;
  sp_lives *made = new_lives(m);
  if (made)
    chunk->life = made->life;
  return made != NULL;
}

void sp_slots_forget(sp_manager *m, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++)
    if (m->slots.chunks[i].life != m->blank->life)
      make_unused(m, &m->slots.chunks[i]);
}

/* Returns the list of slabs, with that added which begins with these lives, if one does. */
static sp_lives *add_slab(sp_lives *lives, sp_lives *slabs)
{
  if (lives->slab == 0)
    return slabs;
  lives->family = (sp_family *)(void *)slabs;
  return lives;
}

void sp_slots_free(sp_manager *m)
{
  sp_lives *slabs = m->blank ? add_slab(m->blank, NULL) : NULL;
  for (uint32_t i = 0; i < m->chunk_capacity; i++) {
    const sp_chunk *chunk = &m->slots.chunks[i];
    if (chunk->life == m->blank->life)
      continue;
    sp_lives *lives = sp_lives_of(chunk);
    sp_memory_free(&m->memory, chunk->terms, SP_CHUNK_SLOTS * sizeof *chunk->terms);
    sp_memory_free(&m->memory, lives->family, SP_CHUNK_SLOTS * sizeof *lives->family);
    sp_memory_free(&m->memory, lives->timers, SP_CHUNK_SLOTS * sizeof *lives->timers);
    sp_memory_free(&m->memory, lives->links, SP_CHUNK_SLOTS * sizeof *lives->links);
    slabs = add_slab(lives, slabs);
  }
  for (sp_lives *next; slabs; slabs = next) {
    next = (sp_lives *)(void *)slabs->family;
    sp_memory_free(&m->memory, slabs, slabs->slab * sizeof *slabs);
  }
  sp_memory_free(&m->memory, m->slots.chunks, m->chunk_room * sizeof *m->slots.chunks);
  m->chunk_room = m->chunk_capacity = m->chunk_count = m->slots.slot_count = 0;
  sp_slots_settle(m);
}

bool sp_slots_open(sp_manager *m, uint32_t count)
{
  if (!sp_slots_reserve(m, count))
    return false;
  m->chunk_count = count;
  m->free_regions = count / SP_REGION;
  m->slots.slot_count = count * SP_CHUNK_SLOTS;
  sp_slots_settle(m);
  return true;
}

/* The first chunk of a region is there as long as any other of it. */
static uint32_t free_number(sp_manager *m)
{
  for (; m->free_regions > 0 && m->free_from < m->chunk_count; m->free_from += SP_REGION)
    if (!m->slots.chunks[m->free_from].owner)
      return m->free_from;
  return m->chunk_count;
}

/* }== */

/* {== Chunks of a pool =================================================== */

/* Columns begin at a cache line, so that wide loads and stores never lie across two. The allocator promises 16 bytes
   only. */
#define ALIGNMENT 64u

unsigned char *sp_chunk_block_new(sp_manager *m, const sp_layout *layout)
{
  /* Zeroed, for whole columns are handed out to bulk code: no cell may be undefined. */
  return sp_memory_extend(&m->memory, NULL, 0, 1, layout->chunk_size + ALIGNMENT);
}

unsigned char *sp_chunk_block_base(unsigned char *block)
{
  return block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT;
}

void sp_chunk_block_free(sp_manager *m, const sp_layout *layout, unsigned char *block)
{
  sp_memory_free(&m->memory, block, layout->chunk_size + ALIGNMENT);
}

void sp_chunk_free(sp_manager *m, const sp_layout *layout, sp_chunk *chunk)
{
  sp_lives *lives = sp_lives_of(chunk);
  sp_chunk_block_free(m, layout, lives->block);
  chunk->base = lives->block = NULL; /* the rest tells stale references their number */
  chunk->owner = NULL;
  chunk->live = chunk->idle = chunk->made = 0;
}

bool sp_chunk_list_reserve(sp_pool *p, uint32_t count)
{
  sp_memory *memory = &p->manager->memory;
  const uint32_t have = p->chunk_capacity, marks = p->mark_count;
  uint32_t want = have ? have + (have < 8192 ? have : 8192) : 1;
  if (count <= have)
    return true;
  want = want < count ? count : want;
  if (marks * 64 < want) {
    sp_marks *more = sp_memory_extend(memory, p->marks, marks, (want + 63) / 64, sizeof *more);
    if (!more)
      return false;
    p->marks = more;
    p->mark_count = (want + 63) / 64;
  }
  uint32_t *chunks = sp_memory_extend(memory, p->chunks, have, want, sizeof *chunks);
  if (!chunks)
    return false;
  p->chunks = chunks;
  p->chunk_capacity = want;
  return true;
}

void sp_chunk_list_free(sp_pool *p)
{
  sp_memory_free(&p->manager->memory, p->chunks, p->chunk_capacity * sizeof *p->chunks);
  sp_memory_free(&p->manager->memory, p->marks, p->mark_count * sizeof *p->marks);
}

static void mark(uint64_t *word, uint32_t at, bool is_set)
{
  *word = (*word & ~((uint64_t)1 << at % 64)) | (uint64_t)is_set << at % 64;
}

void sp_chunk_place(sp_pool *p, uint32_t at, uint32_t number)
{
  p->chunks[at] = number;
  sp_chunk *chunk = sp_chunk_at(p, at);
  chunk->position = at;
  mark(&p->marks[at / 64].lively, at, chunk->live != 0);
  mark(&p->marks[at / 64].resting, at, chunk->idle != 0);
}

/* Pools keep their chunks in ascending order: that is the order of walks. */
static void insert_chunk(sp_pool *p, uint32_t number)
{
  uint32_t at = p->chunk_count++;
  for (; at > 0 && p->chunks[at - 1] > number; at--)
    sp_chunk_place(p, at, p->chunks[at - 1]);
  sp_chunk_place(p, at, number);
  p->idle.end = p->chunk_count;
  if (at < p->vacant_hint)
    p->vacant_hint = at;
}

/* The number of the pool's next chunk in its own count. */
static uint32_t next_label(const sp_pool *p)
{
  return p->next_chunk % SP_REGION ? p->manager->slots.chunks[p->next_chunk - 1].number + 1
                                   : p->next_number * SP_REGION;
}

/* Gives the pool chunk `number`, which lies in `block`. There is room in all lists. */
static void attach_block(sp_pool *p, unsigned char *block, uint32_t number)
{
  sp_manager *m = p->manager;
  sp_chunk *chunk = &m->slots.chunks[number];
  chunk->number = next_label(p);
  sp_lives_of(chunk)->block = block;
  if (number % SP_REGION == 0) {
    p->next_number++;
    if (number < m->chunk_count) {
      m->free_regions--;
    } else {
      m->chunk_count += SP_REGION;
      m->slots.slot_count += SP_REGION * SP_CHUNK_SLOTS;
      sp_slots_settle(m);
    }
  }
  chunk->base = sp_chunk_block_base(block);
  chunk->owner = p;
  p->next_chunk = number + 1;
  insert_chunk(p, number);
}

static bool add_chunk(sp_pool *p, uint32_t number)
{
  sp_manager *m = p->manager;
  uint32_t count = p->chunk_count + 1;
  if (!sp_slots_reserve(m, number / SP_REGION * SP_REGION + SP_REGION) || !sp_slots_make(m, number) ||
      !(sp_idle_is_compact(p) || sp_idle_reserve(m, number)) || !sp_chunk_list_reserve(p, count))
    return false;
  unsigned char *block = sp_chunk_block_new(m, &p->layout);
  if (block)
    attach_block(p, block, number);
  return block != NULL;
}

bool sp_chunk_add(sp_pool *p)
{
  return add_chunk(p, p->next_chunk % SP_REGION ? p->next_chunk : free_number(p->manager));
}

bool sp_chunk_add_at(sp_pool *p, uint32_t number) { return add_chunk(p, number); }

/* Returns the first slot of a chunk from `from` on that may get an object: it has none, and generations left.
   SP_CHUNK_SLOTS: there is none. */
static uint32_t next_vacant(const sp_manager *m, const sp_chunk *chunk, uint32_t from)
{
  for (uint64_t bits = from < SP_CHUNK_SLOTS ? ~chunk->made >> from << from : 0; bits; bits &= bits - 1)
    if (chunk->life[__builtin_ctzll(bits)].generation < m->id.last)
      return (uint32_t)__builtin_ctzll(bits);
  return SP_CHUNK_SLOTS;
}

static uint32_t count_vacant(const sp_pool *p, uint32_t position)
{
  uint32_t count = 0;
  for (uint32_t at = 0; (at = next_vacant(p->manager, sp_chunk_at(p, position), at)) < SP_CHUNK_SLOTS; at++)
    count++;
  return count;
}

bool sp_chunk_reserve(sp_pool *p, uint32_t objects, sp_reserved *before)
{
  uint32_t vacant = 0;
  *before = (sp_reserved){next_label(p), p->next_number, p->next_chunk};
  for (uint32_t i = p->vacant_hint; i < p->chunk_count && vacant < objects; i++)
    vacant += count_vacant(p, i);
  uint32_t numbers = SP_MAX_CHUNKS - p->manager->chunk_count + (p->manager->free_regions + 1) * SP_REGION;
  if (vacant < objects && (objects - vacant) / SP_CHUNK_SLOTS > numbers)
    return false; /* at once, not when all memory is used up */
  while (vacant < objects) {
    if (!sp_chunk_add(p))
      return false;
    vacant += count_vacant(p, p->manager->slots.chunks[p->next_chunk - 1].position);
  }
  return true;
}

uint32_t sp_chunk_position_after(const sp_pool *p, uint32_t number)
{
  const sp_chunk *chunk = &p->manager->slots.chunks[number];
  if (chunk->owner == p)
    return chunk->position + 1;
  uint32_t low = 0, high = p->chunk_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (p->chunks[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* All slots but the retired ones continue from one generation, so that the generation of a reference shows whether it
   was made before the chunk's next pool got it. */
static void release_chunk(sp_manager *m, uint32_t number)
{
  sp_chunk *chunk = &m->slots.chunks[number];
  uint32_t last = m->id.first;
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    if (chunk->life[i].generation > last && chunk->life[i].generation < m->id.last)
      last = chunk->life[i].generation;
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    if (chunk->life[i].generation < last)
      chunk->life[i].generation = last;
  sp_lives_of(chunk)->since = last;
  sp_chunk_free(m, &chunk->owner->layout, chunk);
  m->free_regions += number % SP_REGION == 0;
  m->free_from = number < m->free_from ? number / SP_REGION * SP_REGION : m->free_from;
}

void sp_chunk_unreserve(sp_pool *p, const sp_reserved *before)
{
  uint32_t kept = 0, count = p->chunk_count;
  sp_near_end(p);
  for (uint32_t i = 0; i < count; i++)
    if (sp_chunk_at(p, i)->number >= before->label)
      release_chunk(p->manager, p->chunks[i]);
    else
      sp_chunk_place(p, kept++, p->chunks[i]);
  p->chunk_count = p->idle.end = kept;
  p->next_number = before->next_number;
  p->next_chunk = before->next_chunk;
}

/* Returns where the region ends whose first chunk of the pool is at `begin`; counts its objects. */
static uint32_t end_of_region(const sp_pool *p, uint32_t begin, bool *is_empty)
{
  uint32_t end = begin;
  *is_empty = true;
  for (; end < p->chunk_count && p->chunks[end] / SP_REGION == p->chunks[begin] / SP_REGION; end++)
    *is_empty = *is_empty && sp_chunk_at(p, end)->made == 0;
  return end;
}

uint32_t sp_chunk_release_empty(sp_pool *p)
{
  sp_manager *m = p->manager;
  uint32_t kept = 0, count = p->chunk_count;
  bool is_empty;
  sp_near_end(p);
  for (uint32_t i = 0, end; i < count; i = end) {
    end = end_of_region(p, i, &is_empty);
    if (is_empty && (p->next_chunk - 1) / SP_REGION == p->chunks[i] / SP_REGION)
      p->next_chunk = 0;
    for (uint32_t k = i; k < end; k++)
      if (is_empty)
        release_chunk(m, p->chunks[k]);
      else
        sp_chunk_place(p, kept++, p->chunks[k]);
  }
  p->chunk_count = p->idle.end = kept;
  p->vacant_hint = 0;
  return count - kept;
}

/* }== */

/* {== Life =============================================================== */

bool sp_chunk_has_life(sp_pool *p, uint32_t position)
{
  if (sp_chunk_at(p, position)->live)
    return true;
  mark(&p->marks[position / 64].lively, position, false);
  return false;
}

/* }== */

/* {== Objects ============================================================ */

void sp_object_initialise(sp_pool *p, uint32_t slot)
{
  sp_slot_life(p->manager, slot)->serial = 0;
  for (uint64_t mask = p->layout.all; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    const sp_column_layout *c = &p->layout.columns[column];
    if (p->layout.restless >> column & 1)
      memset(sp_slot_cell(p, slot, column), 0, c->size); /* idle objects rest */
    else
      memcpy(sp_slot_cell(p, slot, column), p->layout.initial + c->initial, c->size);
  }
}

uint32_t sp_chunk_vacant(sp_pool *p)
{
  for (; p->vacant_hint < p->chunk_count; p->vacant_hint++) {
    const uint32_t at = next_vacant(p->manager, sp_chunk_at(p, p->vacant_hint), 0);
    if (at < SP_CHUNK_SLOTS)
      return p->chunks[p->vacant_hint] * SP_CHUNK_SLOTS + at;
  }
  return UINT32_MAX;
}

/* Creates an object in a free slot: idle, without its bit, and counted as in transition. UINT32_MAX when there is no
   free slot. */
static uint32_t make_object(sp_pool *p)
{
  const uint32_t slot = sp_chunk_vacant(p);
  if (slot == UINT32_MAX)
    return slot;
  sp_slot_chunk(p->manager, slot)->made |= (uint64_t)1 << (slot & SP_CHUNK_MASK);
  sp_pool_count_made(p);
  sp_object_initialise(p, slot);
  return slot;
}

void sp_object_destroy(sp_pool *p, uint32_t slot)
{
  if (p->desc.hooks.on_destroy) {
    sp_enter(p);
    p->desc.hooks.on_destroy(p->desc.hooks.ud, p, sp_ref_make(p->manager, slot));
    sp_leave(p);
  }
  sp_object_unmake(p, slot);
}

void sp_object_unmake(sp_pool *p, uint32_t slot)
{
  const sp_manager *m = p->manager;
  sp_chunk *chunk = sp_slot_chunk(m, slot);
  sp_life *life = &chunk->life[slot & SP_CHUNK_MASK];
  sp_pool_count_destroyed(p);
  chunk->made &= ~((uint64_t)1 << (slot & SP_CHUNK_MASK));
  if (life->generation < m->id.last)
    life->generation += 2; /* references that hooks saw while it was idle end here */
  if (life->generation >= m->id.last)
    p->retired++;
  else if (slot < p->vacated - 1)
    p->vacated = slot + 1;
  if (chunk->position < p->vacant_hint)
    p->vacant_hint = chunk->position;
}

/* }== */

/* {== Idle objects ======================================================= */

static bool make_idle(sp_pool *p)
{
  uint32_t slot = make_object(p);
  while (slot == UINT32_MAX && sp_chunk_add(p)) /* other pools may have used up a chunk's generations */
    slot = make_object(p);
  if (slot == UINT32_MAX)
    return false;
  if (p->desc.hooks.on_create) {
    sp_enter(p);
    p->desc.hooks.on_create(p->desc.hooks.ud, p, sp_ref_make(p->manager, slot));
    sp_leave(p);
  }
  p->in_transition--;
  sp_idle_push(p, slot);
  return true;
}

/* Makes up to `wanted` idle objects, within the limits. A hook may use them up at once: that counts as made. */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result)
{
  uint32_t made = 0;
  for (; made < wanted && !p->closing; made++) {
    uint32_t idle = p->idle.count;
    if (made > 0 && (idle >= p->desc.settings.idle_limit || sp_live_count(p) + idle >= p->limit))
      break;
    if (!make_idle(p)) {
      *result = SP_MEMORY;
      break;
    }
  }
  return made;
}

uint32_t sp_destroy_idle(sp_pool *p, uint32_t keep)
{
  uint32_t idle = p->idle.count, surplus = idle > keep ? idle - keep : 0, destroyed = 0;
  /* The surplus is counted before the loop, because on_destroy may refill the pool again and again. */
  for (; destroyed < surplus && p->idle.count > keep; destroyed++)
    sp_idle_drop_highest(p);
  return destroyed;
}

void sp_idle_drop_highest(sp_pool *p)
{
  const uint32_t slot = sp_idle_highest(p);
  sp_idle_remove(p, slot);
  sp_object_drop(p, slot);
}

SP_COLD void sp_object_drop(sp_pool *p, uint32_t slot)
{
  p->in_transition++;
  sp_object_destroy(p, slot);
}

/* }== */
