/*
** Taking a snapshot. Most of it are copies of whole arrays; a ring is written from its first entry on, so that its
** capacity may be another one when it is restored (restore.c).
*/
#include "core/snapshot.h"

/* {== Pools ============================================================== */

static void write_layout(sp_tape *tape, const sp_layout *layout)
{
  sp_tape_write(tape, layout->initial, layout->initial_size, 1);
  for (int i = 0; i < layout->field_count; i++)
    sp_tape_write(tape, layout->names[i], strlen(layout->names[i]) + 1, 1);
}

static void write_idle(sp_tape *tape, const sp_idle *idle)
{
  uint32_t count = idle->tail - idle->head;
  sp_ref *refs = sp_tape_piece(tape, count * sizeof *refs);
  for (uint32_t i = 0; refs && i < count; i++)
    refs[i] = sp_idle_get(idle, i);
}

static void write_ages(sp_tape *tape, const sp_ages *ages)
{
  uint32_t count = sp_ages_count(ages);
  sp_ref *refs = sp_tape_piece(tape, count * sizeof *refs);
  for (uint32_t i = 0; refs && i < count; i++)
    refs[i] = sp_ages_get(ages, i);
}

static void write_pool(sp_tape *tape, const sp_pool *p)
{
  sp_tape_write(tape, p, 1, sizeof *p);
  sp_tape_write(tape, p->type, strlen(p->type) + 1, 1);
  write_layout(tape, &p->layout);
  sp_tape_write(tape, p->chunks, p->chunk_count, sizeof *p->chunks);
  write_idle(tape, &p->idle);
  write_ages(tape, &p->ages);
}

/* }== */

/* {== The manager ======================================================== */

static void write_owners(sp_tape *tape, const sp_manager *m)
{
  uint32_t *owners = sp_tape_piece(tape, m->chunk_count * sizeof *owners);
  for (uint32_t i = 0; owners && i < m->chunk_count; i++)
    owners[i] = m->owners[i] ? m->owners[i]->index : SP_NO_OWNER;
}

static void write_slots(sp_tape *tape, const sp_manager *m)
{
  sp_tape_write(tape, m->chunks, m->chunk_count, sizeof *m->chunks);
  write_owners(tape, m);
  sp_tape_write(tape, m->serials, m->reach, sizeof *m->serials);
  sp_tape_write(tape, m->made, m->chunk_count * SP_CHUNK_WORDS, sizeof *m->made);
  sp_tape_write(tape, m->generation, m->reach, sizeof *m->generation);
}

static void write_time(sp_tape *tape, const sp_manager *m)
{
  const sp_expiry *e = &m->lives;
  sp_tape_write(tape, m->timers, m->timer_capacity, sizeof *m->timers);
  sp_tape_write(tape, m->fires.links, m->fires.links ? SP_WHEEL_RINGS + m->fires.capacity : 0, sizeof *m->fires.links);
  sp_tape_write(tape, e->terms, e->capacity, sizeof *e->terms);
  sp_tape_write(tape, e->lists, e->lists ? SP_EXPIRY_LISTS + SP_WHEEL_TURN : 0, sizeof *e->lists);
  sp_tape_write(tape, e->blocks, e->block_capacity, sizeof *e->blocks);
}

static void write_cells(sp_tape *tape, const sp_manager *m)
{
  for (uint32_t i = 0; i < m->chunk_count; i++) {
    const sp_chunk *chunk = &m->chunks[i];
    if (!m->owners[i])
      continue;
    sp_tape_write(tape, m->bases[i], m->owners[i]->layout.chunk_size, 1);
    sp_tape_write(tape, chunk->kin, chunk->kin ? SP_CHUNK_SLOTS : 0, sizeof *chunk->kin);
    sp_tape_write(tape, chunk->timers, chunk->timers ? SP_CHUNK_SLOTS : 0, sizeof *chunk->timers);
  }
}

static void write_all(sp_tape *tape, const sp_manager *m)
{
  sp_tape_write(tape, m, 1, sizeof *m);
  write_slots(tape, m);
  write_time(tape, m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    write_pool(tape, m->pools[i]);
  write_cells(tape, m);
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
  size_t want = size + size / 4;
  unsigned char *block = sp_memory_resize(&s->memory, NULL, 0, want);
  if (!block)
    return false;
  sp_memory_free(&s->memory, s->block, s->capacity);
  s->block = block;
  s->capacity = want;
  return true;
}

static sp_snapshot *refuse(sp_result why, sp_result *result)
{
  if (result)
    *result = why;
  return NULL;
}

sp_snapshot *sp_snapshot_take(sp_manager *m, sp_snapshot *reuse, sp_result *result)
{
  sp_tape count = {0};
  if (m->busy > 0 || m->closing || m->opening)
    return refuse(SP_BUSY, result);
  write_all(&count, m);
  sp_snapshot *s = reuse ? reuse : new_snapshot(m);
  if (!s)
    return refuse(SP_MEMORY, result);
  if (!reserve_block(s, count.at)) {
    if (!reuse)
      sp_snapshot_free(s);
    return refuse(SP_MEMORY, result);
  }
  sp_tape tape = {.block = s->block};
  write_all(&tape, m);
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
