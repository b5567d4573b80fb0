/*
** Takes a snapshot. Most of it is copies of whole arrays; a ring is written from its first entry on, so that it can be
** restored into a ring of another capacity (restore.c).
*/
#include "core/snapshot.h"

/* {== Pools ============================================================== */

static void copy_layout(sp_tape *tape, const sp_layout *layout)
{
  sp_tape_write(tape, layout->initial, layout->initial_size, 1);
  for (int i = 0; i < layout->field_count; i++)
    sp_tape_write(tape, layout->names[i], strlen(layout->names[i]) + 1, 1);
}

static void copy_idle(sp_tape *tape, const sp_idle *idle)
{
  uint32_t count = sp_idle_count(idle);
  uint32_t *slots = sp_tape_piece(tape, count * sizeof *slots);
  for (uint32_t i = 0; slots && i < count; i++)
    slots[i] = sp_idle_get(idle, i);
}

static void copy_ages(sp_tape *tape, const sp_ages *ages)
{
  uint32_t count = sp_ages_count(ages);
  sp_ref *refs = sp_tape_piece(tape, count * sizeof *refs);
  for (uint32_t i = 0; refs && i < count; i++)
    refs[i] = sp_ages_get(ages, i);
}

static void copy_pool(sp_tape *tape, const sp_pool *p)
{
  sp_tape_write(tape, p, 1, sizeof *p);
  sp_tape_write(tape, p->type, strlen(p->type) + 1, 1);
  copy_layout(tape, &p->layout);
  sp_tape_write(tape, p->chunks, p->chunk_count, sizeof *p->chunks);
  copy_idle(tape, &p->idle);
  copy_ages(tape, &p->ages);
}

/* }== */

/* {== The manager ======================================================== */

static void copy_owners(sp_tape *tape, const sp_manager *m)
{
  uint32_t *owners = sp_tape_piece(tape, m->chunk_count * sizeof *owners);
  for (uint32_t i = 0; owners && i < m->chunk_count; i++)
    owners[i] = m->slots.owners[i] ? m->slots.owners[i]->index : SP_NO_OWNER;
}

static void copy_slots(sp_tape *tape, const sp_manager *m)
{
  sp_tape_write(tape, m->chunks, m->chunk_count, sizeof *m->chunks);
  copy_owners(tape, m);
  sp_tape_write(tape, m->slots.life, m->slots.reach, sizeof *m->slots.life);
  sp_tape_write(tape, m->slots.made, m->chunk_count * SP_CHUNK_WORDS, sizeof *m->slots.made);
}

static void copy_time(sp_tape *tape, const sp_manager *m)
{
  const sp_expiry *e = &m->lives;
  sp_tape_write(tape, m->timers, m->timer_capacity, sizeof *m->timers);
  sp_tape_write(tape, m->fires.links, m->fires.links ? SP_WHEEL_RINGS + m->fires.capacity : 0, sizeof *m->fires.links);
  sp_tape_write(tape, e->terms, e->capacity, sizeof *e->terms);
  sp_tape_write(tape, e->lists, e->lists ? SP_EXPIRY_LISTS + SP_WHEEL_TURN : 0, sizeof *e->lists);
  sp_tape_write(tape, e->blocks, e->block_capacity, sizeof *e->blocks);
}

static void copy_cells(sp_tape *tape, const sp_manager *m)
{
  for (uint32_t i = 0; i < m->chunk_count; i++) {
    const sp_chunk *chunk = &m->chunks[i];
    if (!m->slots.owners[i])
      continue;
    sp_tape_write(tape, m->slots.bases[i], m->slots.owners[i]->layout.chunk_size, 1);
    sp_tape_write(tape, chunk->family, chunk->family ? SP_CHUNK_SLOTS : 0, sizeof *chunk->family);
    sp_tape_write(tape, chunk->timers, chunk->timers ? SP_CHUNK_SLOTS : 0, sizeof *chunk->timers);
  }
}

static void copy_all(sp_tape *tape, const sp_manager *m)
{
  sp_tape_write(tape, m, 1, sizeof *m);
  copy_slots(tape, m);
  copy_time(tape, m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    copy_pool(tape, m->pools[i]);
  copy_cells(tape, m);
}

/* }== */

/* {== Snapshots ========================================================== */

static sp_snapshot *new_snapshot(sp_manager *m)
{
  sp_memory memory = m->memory;
  memory.bytes = 0; /* it is not the manager's: it may outlive it */
  sp_snapshot *s = sp_memory_extend(&memory, NULL, 0, 1, sizeof *s);
  if (s)
    s->memory = memory;
  return s;
}

static bool reserve_block(sp_snapshot *s, size_t size)
{
  if (size <= s->capacity)
    return true;
  /* A game that grows asks for a little more each time. */
  size_t want = s->capacity ? size + size / 4 : size;
  unsigned char *block = sp_memory_resize(&s->memory, NULL, 0, want);
  if (!block)
    return false;
  sp_memory_free(&s->memory, s->block, s->capacity);
  s->block = block;
  s->capacity = want;
  return true;
}

static sp_snapshot *no_snapshot(sp_result why, sp_result *result)
{
  if (result)
    *result = why;
  return NULL;
}

sp_snapshot *sp_snapshot_take(sp_manager *m, sp_snapshot *reuse, sp_result *result)
{
  sp_tape count = {0};
  if (sp_is_busy(m))
    return no_snapshot(SP_BUSY, result);
  copy_all(&count, m);
  sp_snapshot *s = reuse ? reuse : new_snapshot(m);
  if (!s)
    return no_snapshot(SP_MEMORY, result);
  if (!reserve_block(s, count.at)) {
    if (!reuse)
      sp_snapshot_free(s);
    return no_snapshot(SP_MEMORY, result);
  }
  sp_tape tape = {.block = s->block};
  copy_all(&tape, m);
  s->is_taken = true;
  return s;
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
