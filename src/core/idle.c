#include "core/idle.h"

/* {== In slot order ====================================================== */

static sp_chunk *chunk_of(const sp_pool *p, uint32_t slot) { return sp_slot_chunk(p->manager, slot); }

static void note(sp_pool *p, uint32_t slot)
{
  const uint32_t at = chunk_of(p, slot)->position;
  p->marks[at / 64].resting |= (uint64_t)1 << at % 64;
  p->idle.end = at < p->idle.end ? p->idle.end : at + 1;
}

void sp_idle_set_other(sp_pool *p, uint32_t slot)
{
  sp_idle *idle = &p->idle;
  const bool is_lower = slot < idle->lowest && slot <= idle->others;
  const uint32_t other = is_lower ? idle->lowest : slot;
  note(p, other);
  idle->others = other < idle->others ? other : idle->others;
  idle->lowest = is_lower ? slot : idle->lowest;
}

/* Returns the first chunk from `position` on that may have idle slots, as sp_next_lively. */
static uint32_t next_resting(const sp_pool *p, uint32_t position)
{
  for (; position < p->idle.end; position = (position | 63) + 1) {
    uint64_t bits = p->marks[position / 64].resting >> position % 64;
    if (bits != 0)
      return position + (uint32_t)__builtin_ctzll(bits);
  }
  return p->chunk_count;
}

static void forget(sp_pool *p, uint32_t position)
{
  p->marks[position / 64].resting &= ~((uint64_t)1 << position % 64);
}

SP_COLD uint32_t sp_idle_find(sp_pool *p)
{
  sp_idle *idle = &p->idle;
  const uint32_t from = idle->others < p->manager->slots.slot_count ? idle->others : 0;
  uint32_t at = chunk_of(p, from)->owner == p ? chunk_of(p, from)->position : 0;
  while ((at = next_resting(p, at)), sp_chunk_at(p, at)->idle == 0)
    forget(p, at);
  idle->lowest = p->chunks[at] * SP_CHUNK_SLOTS + (uint32_t)__builtin_ctzll(sp_chunk_at(p, at)->idle);
  return idle->others = idle->lowest;
}

uint32_t sp_idle_highest(sp_pool *p)
{
  uint32_t at = p->idle.end;
  if (p->idle.count == 1)
    return sp_idle_lowest(p);
  for (; sp_chunk_at(p, at - 1)->idle == 0; at--)
    forget(p, at - 1);
  p->idle.end = at;
  return p->chunks[at - 1] * SP_CHUNK_SLOTS + 63 - (uint32_t)__builtin_clzll(sp_chunk_at(p, at - 1)->idle);
}

uint32_t sp_idle_above(const sp_pool *p, uint32_t slot)
{
  uint32_t at = 0;
  if (p->idle.lowest != UINT32_MAX && slot + 1 <= p->idle.lowest)
    return p->idle.lowest;
  if (slot != UINT32_MAX) {
    const sp_chunk *chunk = chunk_of(p, slot);
    const uint64_t bits = chunk->owner == p ? chunk->idle >> (slot & SP_CHUNK_MASK) >> 1 : 0;
    if (bits)
      return slot + 1 + (uint32_t)__builtin_ctzll(bits);
    at = chunk->owner == p ? chunk->position + 1 : 0;
    while (at < p->chunk_count && p->chunks[at] < slot >> SP_CHUNK_BITS) /* its chunk was freed */
      at++;
  }
  for (; (at = next_resting(p, at)) < p->chunk_count; at++)
    if (sp_chunk_at(p, at)->idle)
      return p->chunks[at] * SP_CHUNK_SLOTS + (uint32_t)__builtin_ctzll(sp_chunk_at(p, at)->idle);
  return UINT32_MAX;
}

/* }== */

/* {== Lists ============================================================== */

static sp_link *link_of(const sp_pool *p, uint32_t slot)
{
  return &sp_slot_lives(p->manager, slot)->links[slot & SP_CHUNK_MASK];
}

bool sp_idle_reserve(sp_manager *m, uint32_t chunk)
{
  sp_lives *lives = sp_lives_of(&m->slots.chunks[chunk]);
  if (!lives->links)
    lives->links = sp_memory_extend(&m->memory, NULL, 0, SP_CHUNK_SLOTS, sizeof *lives->links);
  return lives->links != NULL;
}

/* Puts a slot at the end that is used last, or first. */
static void add_link(sp_pool *p, uint32_t slot, bool first)
{
  sp_idle *idle = &p->idle;
  sp_link *link = link_of(p, slot);
  *link = first ? (sp_link){0, idle->first} : (sp_link){idle->last, 0};
  if (link->next)
    link_of(p, link->next - 1)->previous = slot + 1;
  else
    idle->last = slot + 1;
  if (link->previous)
    link_of(p, link->previous - 1)->next = slot + 1;
  else
    idle->first = slot + 1;
}

static void remove_link(sp_pool *p, uint32_t slot)
{
  const sp_link link = *link_of(p, slot);
  *(link.previous ? &link_of(p, link.previous - 1)->next : &p->idle.first) = link.next;
  *(link.next ? &link_of(p, link.next - 1)->previous : &p->idle.last) = link.previous;
}

void sp_idle_list(sp_pool *p)
{
  p->idle.first = p->idle.last = 0;
  for (uint32_t slot = UINT32_MAX; !sp_idle_is_compact(p) && (slot = sp_idle_above(p, slot)) != UINT32_MAX;)
    add_link(p, slot, false);
}

/* }== */

/* {== Any order ========================================================== */

void sp_idle_settle(sp_pool *p, uint32_t count)
{
  p->idle =
      (sp_idle){.count = count, .lowest = UINT32_MAX, .others = count > 0 ? 0 : UINT32_MAX, .end = p->chunk_count};
  sp_idle_list(p);
}

static void add(sp_pool *p, uint32_t slot, bool first)
{
  sp_idle_set(p, chunk_of(p, slot), slot);
  if (!sp_idle_is_compact(p))
    add_link(p, slot, first);
}

void sp_idle_push(sp_pool *p, uint32_t slot) { add(p, slot, p->desc.settings.order == SP_ORDER_LIFO); }
void sp_idle_append(sp_pool *p, uint32_t slot) { add(p, slot, false); }

void sp_idle_remove(sp_pool *p, uint32_t slot)
{
  sp_idle_unset(p, chunk_of(p, slot), slot);
  if (!sp_idle_is_compact(p))
    remove_link(p, slot);
}

uint32_t sp_idle_after(const sp_pool *p, uint32_t slot)
{
  if (p->idle.count == 0)
    return UINT32_MAX;
  if (sp_idle_is_compact(p))
    return sp_idle_above(p, slot);
  const bool is_listed = slot == UINT32_MAX || chunk_of(p, slot)->idle >> (slot & SP_CHUNK_MASK) & 1;
  return is_listed ? (slot == UINT32_MAX ? p->idle.first : link_of(p, slot)->next) - 1 : UINT32_MAX;
}

/* }== */
