/*
** Slots and chunks. A chunk's number never changes its meaning for the references into it: a chunk that is freed and
** given to another pool keeps the generations of its slots, so old references stay stale.
*/
#include <string.h>

#include "core/state.h"

/* {== The manager's slot arrays ========================================== */

/* Bytes per chunk number of each piece of the one block. Pieces of 8-byte items come first. */
#define CHUNK_BYTES sizeof(sp_chunk)
#define BASE_BYTES sizeof(unsigned char *)
#define SERIAL_BYTES (SP_CHUNK_SLOTS * sizeof(uint64_t))
#define WORDS_BYTES (SP_CHUNK_WORDS * sizeof(uint64_t))
#define GENERATION_BYTES (SP_CHUNK_SLOTS * sizeof(uint32_t))
#define OWNER_BYTES sizeof(sp_pool *)
#define NUMBER_BYTES (CHUNK_BYTES + BASE_BYTES + SERIAL_BYTES + 2 * WORDS_BYTES + GENERATION_BYTES + OWNER_BYTES)

static void *cut_piece(unsigned char **block, size_t bytes)
{
  void *piece = *block;
  *block += bytes;
  return piece;
}

static void cut_block(sp_manager *m, unsigned char *block, uint32_t capacity)
{
  m->chunks = cut_piece(&block, capacity * CHUNK_BYTES);
  m->bases = cut_piece(&block, capacity * BASE_BYTES);
  m->owners = cut_piece(&block, capacity * OWNER_BYTES);
  m->serials = cut_piece(&block, capacity * SERIAL_BYTES);
  m->alive = cut_piece(&block, capacity * WORDS_BYTES);
  m->made = cut_piece(&block, capacity * WORDS_BYTES);
  m->generation = cut_piece(&block, capacity * GENERATION_BYTES);
  m->chunk_capacity = capacity;
}

static bool reserve_numbers(sp_manager *m, uint32_t count)
{
  if (count <= m->chunk_capacity)
    return true;
  if (count > SP_MAX_CHUNKS)
    return false;
  sp_manager old = *m;
  uint32_t want = old.chunk_capacity ? old.chunk_capacity * 2 : 8;
  unsigned char *block = sp_memory_extend(&m->memory, NULL, 0, want, NUMBER_BYTES);
  if (!block)
    return false;
  cut_block(m, block, want);
  if (old.chunk_capacity) {
    memcpy(m->chunks, old.chunks, old.chunk_capacity * CHUNK_BYTES);
    memcpy(m->bases, old.bases, old.chunk_capacity * BASE_BYTES);
    memcpy(m->serials, old.serials, old.chunk_capacity * SERIAL_BYTES);
    memcpy(m->owners, old.owners, old.chunk_capacity * OWNER_BYTES);
    memcpy(m->alive, old.alive, old.chunk_capacity * WORDS_BYTES);
    memcpy(m->made, old.made, old.chunk_capacity * WORDS_BYTES);
    memcpy(m->generation, old.generation, old.chunk_capacity * GENERATION_BYTES);
    sp_memory_free(&m->memory, old.chunks, old.chunk_capacity * NUMBER_BYTES);
  }
  for (uint32_t i = old.chunk_capacity * SP_CHUNK_SLOTS; i < want * SP_CHUNK_SLOTS; i++)
    m->generation[i] = m->first_generation;
  return true;
}

void sp_slots_free(sp_manager *m)
{
  sp_memory_free(&m->memory, m->chunks, m->chunk_capacity * NUMBER_BYTES);
  m->chunk_capacity = m->chunk_count = m->reach = 0;
  sp_settle(m);
}

/* }== */

/* {== Chunks ============================================================= */

static uint32_t free_number(const sp_manager *m)
{
  if (m->free_chunks > 0)
    for (uint32_t i = 0; i < m->chunk_count; i++)
      if (!m->owners[i])
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

bool sp_chunk_add(sp_pool *p)
{
  sp_manager *m = p->manager;
  uint32_t number = free_number(m);
  if (!reserve_numbers(m, number + 1) || !sp_idle_reserve(&p->idle, &m->memory, (p->chunk_count + 1) * SP_CHUNK_SLOTS))
    return false;
  if (p->chunk_count == p->chunk_capacity) {
    uint32_t want = p->chunk_capacity ? p->chunk_capacity * 2 : 4;
    uint32_t *chunks = sp_memory_extend(&m->memory, p->chunks, p->chunk_capacity, want, sizeof *chunks);
    if (!chunks)
      return false;
    p->chunks = chunks;
    p->chunk_capacity = want;
  }
  unsigned char *block = sp_chunk_block_new(m, &p->layout);
  if (!block)
    return false;
  m->chunks[number] = (sp_chunk){.block = block, .number = p->next_number++};
  m->bases[number] = sp_chunk_block_base(block);
  m->owners[number] = p;
  if (number < m->chunk_count) {
    m->free_chunks--;
  } else {
    m->chunk_count++;
    m->reach += SP_CHUNK_SLOTS;
    sp_settle(m);
  }
  insert_chunk(p, number);
  return true;
}

static void release_chunk(sp_pool *p, uint32_t number)
{
  sp_manager *m = p->manager;
  sp_chunk_block_free(m, &p->layout, m->chunks[number].block);
  sp_memory_free(&m->memory, m->chunks[number].kin, SP_CHUNK_SLOTS * sizeof(sp_kin));
  sp_memory_free(&m->memory, m->chunks[number].timers, SP_CHUNK_SLOTS * sizeof(uint32_t));
  m->chunks[number].block = NULL; /* the rest tells stale references their number */
  m->bases[number] = NULL;
  m->owners[number] = NULL;
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

/* {== Objects ============================================================ */

static void initialise(sp_pool *p, uint32_t slot)
{
  p->manager->serials[slot] = 0;
  for (uint64_t mask = p->layout.all; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    const sp_column_layout *c = &p->layout.columns[column];
    if (p->layout.restless >> column & 1)
      memset(sp_slot_cell(p, slot, column), 0, c->size); /* idle objects rest */
    else
      memcpy(sp_slot_cell(p, slot, column), p->layout.initial + c->initial, c->size);
  }
}

/* A slot whose last generation is used up never gets an object again, whichever pool has it. */
static bool is_worn_out(const sp_manager *m, uint32_t slot) { return m->generation[slot] >= m->last_generation; }

static uint32_t make_in_chunk(sp_pool *p, uint32_t number)
{
  sp_manager *m = p->manager;
  for (uint32_t word = number * SP_CHUNK_WORDS; word < (number + 1) * SP_CHUNK_WORDS; word++)
    for (uint64_t vacant = ~m->made[word]; vacant; vacant &= vacant - 1) {
      uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(vacant);
      if (is_worn_out(m, slot))
        continue;
      sp_bit_set(m->made, slot);
      m->chunks[number].made++;
      p->created++;
      p->made++;
      p->loose++;
      sp_pool_tune(p);
      initialise(p, slot);
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
  sp_manager *m = p->manager;
  if (p->hooks.on_destroy) {
    sp_enter(p);
    p->hooks.on_destroy(p->hooks.ud, p, sp_ref_make(m, slot));
    sp_leave(p);
  }
  sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  chunk->made--;
  p->destroyed++;
  p->made--;
  p->loose--;
  sp_pool_tune(p);
  sp_bit_clear(m->made, slot);
  if (!is_worn_out(m, slot))
    m->generation[slot] += 2; /* references that hooks saw while it was idle end here */
  if (is_worn_out(m, slot))
    p->retired++;
  if (chunk->position < p->vacant_hint)
    p->vacant_hint = chunk->position;
}

/* }== */
