/*
** Slots and chunks. A chunk's number never changes its meaning for the references into it: a chunk that is freed and
** given to another pool keeps the generations of its slots, so old references stay stale.
*/
#include "core/chunk.h"

#include <string.h>

#include "core/pool_state.h"

/* {== The manager's slot arrays ========================================== */

/* Bytes per chunk number of each piece of the one block. Lives come first: the allocator aligns
   them to 16 bytes, so that none lies across two cache lines. */
#define CHUNK_BYTES sizeof(sp_chunk)
#define BASE_BYTES sizeof(unsigned char *)
#define LIFE_BYTES (SP_CHUNK_SLOTS * sizeof(sp_life))
#define WORDS_BYTES (SP_CHUNK_WORDS * sizeof(uint64_t))
#define OWNER_BYTES sizeof(sp_pool *)
#define NUMBER_BYTES (LIFE_BYTES + CHUNK_BYTES + BASE_BYTES + OWNER_BYTES + 2 * WORDS_BYTES)

static void *cut_piece(unsigned char **block, size_t bytes)
{
  void *piece = *block;
  *block += bytes;
  return piece;
}

static void cut_block(sp_manager *m, unsigned char *block, uint32_t capacity)
{
  m->slots.life = cut_piece(&block, capacity * LIFE_BYTES);
  m->lives.lives = (unsigned char *)m->slots.life;
  m->chunks = cut_piece(&block, capacity * CHUNK_BYTES);
  m->slots.bases = cut_piece(&block, capacity * BASE_BYTES);
  m->slots.owners = cut_piece(&block, capacity * OWNER_BYTES);
  m->alive = cut_piece(&block, capacity * WORDS_BYTES);
  m->slots.made = cut_piece(&block, capacity * WORDS_BYTES);
  m->chunk_capacity = capacity;
}

static uint32_t capacity_for(const sp_manager *m, uint32_t count)
{
  uint32_t want = m->chunk_capacity + m->chunk_capacity / 2;
  want = want < 8 ? 8 : want;
  return want < count ? count : want < SP_MAX_CHUNKS ? want : SP_MAX_CHUNKS;
}

static unsigned char *new_block(sp_manager *m, uint32_t capacity)
{
  return sp_memory_extend(&m->memory, NULL, 0, capacity, NUMBER_BYTES);
}

/* Moves the arrays into a larger block, which is zeroed. */
static void take_block(sp_manager *m, unsigned char *block, uint32_t capacity)
{
  sp_manager old = *m;
  cut_block(m, block, capacity);
  if (old.chunk_capacity) {
    memcpy(m->slots.life, old.slots.life, old.chunk_capacity * LIFE_BYTES);
    memcpy(m->chunks, old.chunks, old.chunk_capacity * CHUNK_BYTES);
    memcpy(m->slots.bases, old.slots.bases, old.chunk_capacity * BASE_BYTES);
    memcpy(m->slots.owners, old.slots.owners, old.chunk_capacity * OWNER_BYTES);
    memcpy(m->alive, old.alive, old.chunk_capacity * WORDS_BYTES);
    memcpy(m->slots.made, old.slots.made, old.chunk_capacity * WORDS_BYTES);
    sp_memory_free(&m->memory, old.slots.life, old.chunk_capacity * NUMBER_BYTES);
  }
  for (uint32_t i = old.chunk_capacity * SP_CHUNK_SLOTS; i < capacity * SP_CHUNK_SLOTS; i++)
    m->slots.life[i].generation = m->first_generation;
}

bool sp_slots_reserve(sp_manager *m, uint32_t count)
{
  if (count <= m->chunk_capacity)
    return true;
  if (count > SP_MAX_CHUNKS)
    return false;
  uint32_t capacity = capacity_for(m, count);
  unsigned char *block = new_block(m, capacity);
  if (block)
    take_block(m, block, capacity);
  return block != NULL;
}

void sp_slots_forget(sp_manager *m, uint32_t first)
{
  uint32_t slot = first * SP_CHUNK_SLOTS, count = m->chunk_capacity - first;
  if (count == 0)
    return;
  memset(m->chunks + first, 0, count * CHUNK_BYTES);
  memset(m->slots.bases + first, 0, count * BASE_BYTES);
  memset(m->slots.owners + first, 0, count * OWNER_BYTES);
  memset(m->slots.made + slot / 64, 0, count * WORDS_BYTES);
  for (; slot < m->chunk_capacity * SP_CHUNK_SLOTS; slot++)
    m->slots.life[slot] = (sp_life){.generation = m->first_generation};
}

void sp_slots_free(sp_manager *m)
{
  sp_memory_free(&m->memory, m->slots.life, m->chunk_capacity * NUMBER_BYTES);
  m->chunk_capacity = m->chunk_count = m->slots.slot_count = 0;
  sp_slots_settle(m);
}

/* }== */

/* {== Chunks ============================================================= */

static uint32_t free_number(const sp_manager *m)
{
  if (m->free_chunks > 0)
    for (uint32_t i = 0; i < m->chunk_count; i++)
      if (!m->slots.owners[i])
        return i;
  return m->chunk_count;
}

/* Pools keep their chunks in ascending order: that is the order of walks. */
static void insert_chunk(sp_pool *p, uint32_t number)
{
  uint32_t at = p->chunk_count++;
  for (; at > 0 && p->chunks[at - 1] > number; at--) {
    p->chunks[at] = p->chunks[at - 1];
    p->manager->chunks[p->chunks[at]].position = at;
  }
  p->chunks[at] = number;
  p->manager->chunks[number].position = at;
  if (at < p->vacant_hint)
    p->vacant_hint = at;
}

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
  sp_chunk_block_free(m, layout, chunk->block);
  sp_memory_free(&m->memory, chunk->family, SP_CHUNK_SLOTS * sizeof *chunk->family);
  sp_memory_free(&m->memory, chunk->timers, SP_CHUNK_SLOTS * sizeof *chunk->timers);
  chunk->block = NULL; /* the rest tells stale references their number */
  chunk->family = NULL;
  chunk->timers = NULL;
}

/* Gives the pool chunk `number`, which lies in `block`. There is room in all lists. */
static void attach_block(sp_pool *p, unsigned char *block, uint32_t number)
{
  sp_manager *m = p->manager;
  m->chunks[number] = (sp_chunk){.block = block, .number = p->next_number++};
  m->slots.bases[number] = sp_chunk_block_base(block);
  m->slots.owners[number] = p;
  if (number < m->chunk_count) {
    m->free_chunks--;
  } else {
    m->chunk_count++;
    m->slots.slot_count += SP_CHUNK_SLOTS;
    sp_slots_settle(m);
  }
  insert_chunk(p, number);
}

bool sp_chunk_list_reserve(sp_pool *p, uint32_t count)
{
  uint32_t want = p->chunk_capacity ? p->chunk_capacity * 2 : 4;
  if (count <= p->chunk_capacity)
    return true;
  want = want < count ? count : want;
  uint32_t *chunks = sp_memory_extend(&p->manager->memory, p->chunks, p->chunk_capacity, want, sizeof *chunks);
  if (!chunks)
    return false;
  p->chunks = chunks;
  p->chunk_capacity = want;
  return true;
}

static bool add_chunk(sp_pool *p, uint32_t number)
{
  sp_manager *m = p->manager;
  if (!sp_slots_reserve(m, number + 1) || !sp_idle_reserve(&p->idle, &m->memory, (p->chunk_count + 1) * SP_CHUNK_SLOTS))
    return false;
  if (!sp_chunk_list_reserve(p, p->chunk_count + 1))
    return false;
  unsigned char *block = sp_chunk_block_new(m, &p->layout);
  if (block)
    attach_block(p, block, number);
  return block != NULL;
}

bool sp_chunk_add(sp_pool *p) { return add_chunk(p, free_number(p->manager)); }

bool sp_chunk_append(sp_manager *m, sp_pool *p)
{
  if (p)
    return add_chunk(p, m->chunk_count);
  if (!sp_slots_reserve(m, m->chunk_count + 1))
    return false;
  m->chunk_count++;
  m->free_chunks++;
  m->slots.slot_count += SP_CHUNK_SLOTS;
  sp_slots_settle(m);
  return true;
}

static void release_chunk(sp_pool *p, uint32_t number)
{
  sp_manager *m = p->manager;
  sp_chunk_free(m, &p->layout, &m->chunks[number]);
  m->slots.bases[number] = NULL;
  m->slots.owners[number] = NULL;
  m->free_chunks++;
}

uint32_t sp_chunk_release_empty(sp_pool *p)
{
  uint32_t kept = 0, count = p->chunk_count;
  for (uint32_t i = 0; i < count; i++) {
    sp_chunk *chunk = &p->manager->chunks[p->chunks[i]];
    if (chunk->made == 0) {
      release_chunk(p, p->chunks[i]);
      continue;
    }
    chunk->position = kept;
    p->chunks[kept++] = p->chunks[i];
  }
  p->chunk_count = kept;
  p->vacant_hint = 0;
  if (kept == 0)
    sp_idle_free(&p->idle, &p->manager->memory);
  return count - kept;
}

/* }== */

/* {== Room for objects to be made ======================================== */

/* A slot whose last generation is used up never gets an object again, whichever pool has it. */
static bool is_worn_out(const sp_manager *m, uint32_t slot)
{
  return m->slots.life[slot].generation >= m->last_generation;
}

/* Slots of a chunk that can get an object. */
static uint32_t count_vacant(const sp_manager *m, uint32_t number)
{
  uint32_t vacant = 0;
  for (uint32_t slot = number * SP_CHUNK_SLOTS; slot < (number + 1) * SP_CHUNK_SLOTS; slot++)
    vacant += !sp_bit(m->slots.made, slot) && !is_worn_out(m, slot);
  return vacant;
}

/* How many more chunks the pool needs for `objects` more objects. Chunks that are reserved already get the first of the
   numbers that are to be given out. */
static uint32_t count_missing(const sp_pool *p, uint32_t objects)
{
  const sp_manager *m = p->manager;
  uint32_t vacant = 0, missing = 0, number = 0;
  for (uint32_t i = p->vacant_hint; i < p->chunk_count && vacant < objects; i++)
    vacant += count_vacant(m, p->chunks[i]);
  for (uint32_t skip = m->reserved; vacant < objects; number++) {
    while (number < m->chunk_count && m->slots.owners[number])
      number++;
    if (skip > 0) {
      skip--;
      continue;
    }
    vacant += number < m->chunk_count ? count_vacant(m, number) : SP_CHUNK_SLOTS;
    missing++;
  }
  return missing;
}

/* Reserves numbers for `count` chunks beyond those that are reserved. */
static bool reserve_more_numbers(sp_manager *m, uint32_t count)
{
  uint32_t all = m->reserved + count, new = all > m->free_chunks ? all - m->free_chunks : 0;
  uint32_t have = m->spare_block ? m->spare_capacity : m->chunk_capacity;
  if (m->chunk_count + new > SP_MAX_CHUNKS)
    return false;
  if (m->chunk_count + new > have) {
    uint32_t capacity = capacity_for(m, m->chunk_count + new);
    unsigned char *block = new_block(m, capacity);
    if (!block)
      return false;
    sp_memory_free(&m->memory, m->spare_block, m->spare_capacity * NUMBER_BYTES);
    m->spare_block = block;
    m->spare_capacity = capacity;
  }
  m->reserved = all;
  return true;
}

/* They are taken, or given back. */
static void forget_numbers(sp_manager *m, uint32_t count)
{
  m->reserved -= count;
  if (m->reserved > 0 || !m->spare_block)
    return;
  sp_memory_free(&m->memory, m->spare_block, m->spare_capacity * NUMBER_BYTES);
  m->spare_block = NULL;
}

static bool make_room_blocks(sp_room *room, sp_manager *m, const sp_layout *layout, uint32_t count)
{
  room->blocks = sp_memory_extend(&m->memory, NULL, 0, count, sizeof *room->blocks);
  if (!room->blocks)
    return false;
  room->capacity = count;
  for (; room->count < count; room->count++) {
    room->blocks[room->count] = sp_chunk_block_new(m, layout);
    if (!room->blocks[room->count])
      return false;
  }
  return true;
}

static bool make_room_lists(sp_room *room, const sp_pool *p, uint32_t chunks)
{
  sp_memory *memory = &p->manager->memory;
  if (chunks > p->chunk_capacity) {
    room->chunks = sp_memory_extend(memory, NULL, 0, chunks, sizeof *room->chunks);
    if (!room->chunks)
      return false;
    room->chunk_capacity = chunks;
  }
  return sp_idle_make_ring(&p->idle, memory, chunks * SP_CHUNK_SLOTS, &room->ring);
}

bool sp_room_reserve(sp_room *room, sp_pool *p, const sp_layout *layout, uint32_t objects)
{
  uint32_t missing = count_missing(p, objects);
  *room = (sp_room){0};
  if (missing == 0)
    return true;
  if (!reserve_more_numbers(p->manager, missing))
    return false;
  room->numbers = missing;
  bool complete =
      make_room_lists(room, p, p->chunk_count + missing) && make_room_blocks(room, p->manager, layout, missing);
  if (!complete)
    sp_room_release(room, p->manager, layout);
  return complete;
}

void sp_room_release(sp_room *room, sp_manager *m, const sp_layout *layout)
{
  for (uint32_t i = 0; i < room->count; i++)
    sp_chunk_block_free(m, layout, room->blocks[i]);
  sp_memory_free(&m->memory, room->blocks, room->capacity * sizeof *room->blocks);
  sp_memory_free(&m->memory, room->chunks, room->chunk_capacity * sizeof *room->chunks);
  sp_memory_free(&m->memory, room->ring.seats, room->ring.size * sizeof *room->ring.seats);
  forget_numbers(m, room->numbers);
  *room = (sp_room){0};
}

void sp_room_take(sp_room *room, sp_pool *p)
{
  sp_manager *m = p->manager;
  if (m->spare_block && m->spare_capacity > m->chunk_capacity) {
    take_block(m, m->spare_block, m->spare_capacity);
    m->spare_block = NULL;
  }
  if (room->chunks) {
    if (p->chunks)
      memcpy(room->chunks, p->chunks, p->chunk_count * sizeof *p->chunks);
    sp_memory_free(&m->memory, p->chunks, p->chunk_capacity * sizeof *p->chunks);
    p->chunks = room->chunks;
    p->chunk_capacity = room->chunk_capacity;
    room->chunks = NULL;
  }
  sp_idle_take_ring(&p->idle, &m->memory, &room->ring);
  room->ring.seats = NULL;
  for (uint32_t i = 0; i < room->count; i++)
    attach_block(p, room->blocks[i], free_number(m));
  room->count = 0;
  sp_room_release(room, m, &p->layout);
}

/* }== */

/* {== Objects ============================================================ */

void sp_object_initialise(sp_pool *p, uint32_t slot)
{
  p->manager->slots.life[slot].serial = 0;
  for (uint64_t mask = p->layout.all; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    const sp_column_layout *c = &p->layout.columns[column];
    if (p->layout.restless >> column & 1)
      memset(sp_slot_cell(p, slot, column), 0, c->size); /* idle objects rest */
    else
      memcpy(sp_slot_cell(p, slot, column), p->layout.initial + c->initial, c->size);
  }
}

static uint32_t make_in_chunk(sp_pool *p, uint32_t number)
{
  sp_manager *m = p->manager;
  for (uint32_t word = number * SP_CHUNK_WORDS; word < (number + 1) * SP_CHUNK_WORDS; word++)
    for (uint64_t vacant = ~m->slots.made[word]; vacant; vacant &= vacant - 1) {
      uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(vacant);
      if (is_worn_out(m, slot))
        continue;
      sp_bit_set(m->slots.made, slot);
      m->chunks[number].made++;
      sp_pool_count_made(p);
      sp_object_initialise(p, slot);
      return slot;
    }
  return UINT32_MAX;
}

uint32_t sp_object_make(sp_pool *p)
{
  for (; p->vacant_hint < p->chunk_count; p->vacant_hint++) {
    uint32_t slot = make_in_chunk(p, p->chunks[p->vacant_hint]);
    if (slot != UINT32_MAX)
      return slot;
  }
  return UINT32_MAX;
}

void sp_object_destroy(sp_pool *p, uint32_t slot)
{
  if (p->hooks.on_destroy) {
    sp_enter(p);
    p->hooks.on_destroy(p->hooks.ud, p, sp_ref_make(p->manager, slot));
    sp_leave(p);
  }
  sp_object_unmake(p, slot);
}

void sp_object_unmake(sp_pool *p, uint32_t slot)
{
  sp_manager *m = p->manager;
  sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  chunk->made--;
  sp_pool_count_destroyed(p);
  sp_bit_clear(m->slots.made, slot);
  if (!is_worn_out(m, slot))
    m->slots.life[slot].generation += 2; /* references that hooks saw while it was idle end here */
  if (is_worn_out(m, slot))
    p->retired++;
  if (chunk->position < p->vacant_hint)
    p->vacant_hint = chunk->position;
}

/* }== */

/* {== Idle objects ======================================================= */

static bool make_idle(sp_pool *p)
{
  uint32_t slot = sp_object_make(p);
  while (slot == UINT32_MAX && sp_chunk_add(p)) /* other pools may have used up a chunk's generations */
    slot = sp_object_make(p);
  if (slot == UINT32_MAX)
    return false;
  if (p->hooks.on_create) {
    sp_enter(p);
    p->hooks.on_create(p->hooks.ud, p, sp_ref_make(p->manager, slot));
    sp_leave(p);
  }
  p->in_transition--;
  sp_idle_push(&p->idle, slot);
  return true;
}

/* Makes up to `wanted` idle objects, within the limits. A hook may use them up at once: that counts as made. */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result)
{
  uint32_t made = 0;
  for (; made < wanted && !p->closing; made++) {
    uint32_t idle = sp_idle_count(&p->idle);
    if (made > 0 && (idle >= p->settings.idle_limit || sp_live_count(p) + idle >= p->limit))
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
  uint32_t idle = sp_idle_count(&p->idle), surplus = idle > keep ? idle - keep : 0, destroyed = 0;
  /* The surplus is counted before the loop, because on_destroy may refill the pool again and again. */
  for (; destroyed < surplus && sp_idle_count(&p->idle) > keep; destroyed++)
    sp_object_drop(p, sp_idle_pop(&p->idle));
  return destroyed;
}

SP_COLD void sp_object_drop(sp_pool *p, uint32_t slot)
{
  p->in_transition++;
  sp_object_destroy(p, slot);
}

/* }== */
