/*
** Hashes the state of a manager: everything that affects later calls, in an order that does not depend on memory. A
** chunk is hashed column by column, as it lies in memory.
*/
#include "core/idle.h"
#include "core/parents.h"
#include "core/state_visit.h"
#include "core/timer.h"

#define HASH_SEED 0x9e3779b97f4a7c15u

_Static_assert(offsetof(sp_look, reserved) == 6 * sizeof(float) + 2 * sizeof(uint16_t) + 2 &&
                   SP_PARTS == SP_PART_LOOK + 6 + 2 + 2,
               "a look has a part for each of its members");

uint64_t sp_hash_ref(const sp_manager *m, sp_ref ref)
{
  bool is_ours = sp_ref_is_ours(m, ref) && sp_ref_generation(ref) >= m->id.first;
  return is_ours ? ref - ((sp_ref)m->id.first << 32 | m->slots.id_bits) + 1 : 0;
}

/* Objects of a region: chunks are hashed by regions. */
typedef struct row_list {
  uint32_t count;
  const sp_chunk *chunks[SP_REGION]; /* NULL: the pool does not have it */
  uint8_t at[SP_REGION * SP_CHUNK_SLOTS];
} row_list;

/* The hash so far, and what of a region comes next. */
typedef struct hashed {
  sp_visitor visitor; /* first */
  const sp_manager *m;
  const sp_pool *pool;
  const sp_hashing *how;
  uint64_t hash;
  uint32_t first; /* slot */
  int part;
  const row_list *rows; /* objects that count */
  bool is_told;         /* on_part receives their parts */
} hashed;

/* Numbers go into four sums in turn, so that a product need not wait for the last one. */
static uint64_t hash_numbers(uint64_t hash, const uint64_t *numbers, uint32_t count)
{
  uint64_t sums[4] = {1, 2, 3, 4};
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (uint32_t k = 0; k < 4; k++)
      sums[k] = sp_hash_mix(sums[k], numbers[i + k]);
  for (; i < count; i++)
    hash = sp_hash_mix(hash, numbers[i]);
  for (uint32_t k = 0; k < 4; k++)
    hash = sp_hash_mix(hash, sums[k]);
  return hash;
}

static void add_numbers(hashed *h, int part, const uint64_t *numbers)
{
  const row_list *r = h->rows;
  h->hash = hash_numbers(sp_hash_mix(h->hash, (uint64_t)part), numbers, r->count);
  for (uint32_t i = 0; h->is_told && i < r->count; i++)
    h->how->on_part(h->how->ud, sp_ref_make(h->m, h->first + r->at[i]), part, numbers[i]);
}

/* Adds a part that lies `offset` bytes into the columns, or, with `lives`, into the lives of a chunk: cells of `size`
   bytes that are `stride` bytes apart. */
static inline void add_cells(hashed *h, int part, bool lives, size_t offset, size_t stride, uint32_t size)
{
  const row_list *r = h->rows;
  uint64_t numbers[SP_REGION * SP_CHUNK_SLOTS];
  for (uint32_t i = 0; i < r->count; i++) {
    const sp_chunk *chunk = r->chunks[r->at[i] / SP_CHUNK_SLOTS];
    const unsigned char *begin = lives ? (const unsigned char *)chunk->life : chunk->base;
    numbers[i] = sp_number_in(begin + offset + r->at[i] % SP_CHUNK_SLOTS * stride, size);
  }
  add_numbers(h, part, numbers);
}

/* Adds a part that `number` computes. One that is 0 everywhere adds nothing: it may have no memory yet. */
static inline void add_computed(hashed *h, int part, uint64_t (*number)(const hashed *h, uint32_t slot))
{
  uint64_t numbers[SP_REGION * SP_CHUNK_SLOTS], any = 0;
  h->part = part; /* tells which column of references */
  for (uint32_t i = 0; i < h->rows->count; i++) {
    numbers[i] = number(h, h->first + h->rows->at[i]);
    any |= numbers[i];
  }
  if (any)
    add_numbers(h, part, numbers);
}

static uint64_t hash_struct(const hashed *h, uint32_t slot)
{
  const unsigned char *cell = sp_slot_cell(h->pool, slot, h->part);
  uint64_t hash = 0;
  SP_EACH_NUMBER(part, &h->pool->layout.fields[h->part - SP_FIELDS])
  {
    const uint64_t number = sp_number_in(cell + part.offset, part.size);
    hash = sp_hash_mix(hash, part.is_ref ? sp_hash_ref(h->m, number) : number);
  }
  return hash;
}

static uint64_t hash_ref_cell(const hashed *h, uint32_t slot)
{
  return sp_hash_ref(h->m, *(const sp_ref *)sp_slot_cell(h->pool, slot, h->part));
}

/* Adds a column of own fields of 4 bytes that are not kept. While all objects have the first value it adds nothing, so
   that such a field can be added to a pool without a change of its hash. */
static void add_small_field(hashed *h, int column)
{
  const sp_column_layout *c = &h->pool->layout.columns[column];
  const row_list *r = h->rows;
  bool differs = false;
  for (uint32_t i = 0; i < r->count && !differs; i++)
    differs = memcmp(sp_slot_cell(h->pool, h->first + r->at[i], column), h->pool->layout.initial + c->initial, c->size);
  if (differs)
    add_cells(h, column, false, c->offset, c->size, c->size);
}

static uint64_t hash_sprite(const hashed *h, uint32_t slot)
{
  const sp_look *look = sp_slot_cell(h->pool, slot, SP_LOOK);
  return look->sprite < h->how->sprite_count ? h->how->sprites[look->sprite] : look->sprite;
}

static uint64_t hash_end(const hashed *h, uint32_t slot)
{
  double lifetime = sp_slot_lifetime(h->m, slot);
  uint64_t left = lifetime == 0 ? 0 : sp_wheel_left(&h->m->lives, slot);
  return lifetime == 0 ? 0 : sp_hash_mix(left, sp_number_in(&lifetime, sizeof lifetime));
}

/* A tag of 0 adds nothing. */
static uint64_t hash_timer(const sp_manager *m, uint32_t index, uint64_t hash)
{
  const sp_timer_record *timer = sp_timer_at(m, index);
  hash = sp_members_hash(sp_members_of_timer, timer, sp_hash_mix(hash, index + 1));
  return timer->tag ? sp_hash_mix(hash, timer->tag) : hash;
}

static uint64_t hash_timers(const hashed *h, uint32_t slot)
{
  const uint32_t *timers = sp_slot_lives(h->m, slot)->timers;
  uint64_t hash = 0;
  for (uint32_t at = timers ? timers[slot & SP_CHUNK_MASK] : 0; at; at = sp_timer_at(h->m, at - 1)->next)
    hash = hash_timer(h->m, at - 1, hash);
  return hash;
}

static uint64_t hash_parent(const hashed *h, uint32_t slot) { return sp_hash_ref(h->m, sp_slot_parent(h->m, slot)); }

static void add_look(hashed *h, size_t begin)
{
  int part = SP_PART_LOOK;
  for (const sp_member *member = sp_members_of_look; member->size; member++)
    for (uint32_t i = 0; i < member->count; i++, part++) {
      size_t offset = member->offset + i * (size_t)member->size;
      if (offset == offsetof(sp_look, sprite))
        add_computed(h, part, hash_sprite);
      else
        add_cells(h, part, false, begin + offset, sizeof(sp_look), member->size);
    }
}

static void add_parts(hashed *h, uint64_t columns)
{
  for (; columns && h->rows->count > 0; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    const sp_column_layout *c = &h->pool->layout.columns[column];
    if (column == SP_LOOK)
      add_look(h, c->offset);
    else if (column >= SP_FIELDS && h->pool->layout.fields[column - SP_FIELDS].member_count > 0)
      add_computed(h, column, hash_struct);
    else if (h->pool->layout.refs >> column & 1)
      add_computed(h, column, hash_ref_cell);
    else if (column >= SP_FIELDS && c->size == sizeof(float) && !(h->pool->layout.kept >> column & 1))
      add_small_field(h, column);
    else
      add_cells(h, column, false, c->offset, c->size, c->size);
  }
}

static void add_live(hashed *h)
{
  add_cells(h, SP_PART_BEGIN, true, offsetof(sp_life, serial), sizeof(sp_life), sizeof(uint64_t));
  add_computed(h, SP_PART_END, hash_end);
  if (h->pool->has_timers)
    add_computed(h, SP_PART_TIMERS, hash_timers);
  if (h->pool->has_parents)
    add_computed(h, SP_PART_PARENT, hash_parent);
  add_parts(h, h->pool->layout.all);
}

/* A slot without an object has a generation too: its next object continues from it. Of an idle object counts whether it
   ever lived. */
static void number_slots(const sp_manager *m, const sp_chunk *chunk, uint64_t *numbers)
{
  const uint64_t idle = chunk->made & ~chunk->live;
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    const uint64_t is_idle = idle >> i & 1, state = is_idle + (is_idle & (chunk->life[i].serial != 0));
    numbers[i] = state << 32 | (chunk->life[i].generation - m->id.first);
  }
}

static void add_rows(row_list *rows, uint32_t first, uint64_t bits)
{
  for (; bits; bits &= bits - 1)
    rows->at[rows->count++] = (uint8_t)(first + (uint32_t)__builtin_ctzll(bits));
}

static void add_region(hashed *h, const sp_chunk *const *chunks)
{
  uint64_t numbers[SP_REGION * SP_CHUNK_SLOTS] = {0};
  row_list live = {.count = 0}, idle = {.count = 0};
  for (uint32_t i = 0; i < SP_REGION; i++) {
    if (!chunks[i])
      continue;
    number_slots(h->m, chunks[i], numbers + i * SP_CHUNK_SLOTS);
    add_rows(&live, i * SP_CHUNK_SLOTS, chunks[i]->live);
    if (h->pool->layout.kept)
      add_rows(&idle, i * SP_CHUNK_SLOTS, chunks[i]->made & ~chunks[i]->live);
  }
  memcpy(live.chunks, chunks, sizeof live.chunks);
  memcpy(idle.chunks, chunks, sizeof idle.chunks);
  h->hash =
      hash_numbers(sp_hash_mix(h->hash, h->first / (SP_REGION * SP_CHUNK_SLOTS)), numbers, SP_REGION * SP_CHUNK_SLOTS);
  h->rows = &live;
  h->is_told = h->how->on_part != NULL;
  if (live.count > 0)
    add_live(h);
  h->rows = &idle;
  h->is_told = false;
  add_parts(h, h->pool->layout.kept);
}

static uint32_t hash_manager(sp_visitor *v)
{
  hashed *h = (hashed *)v;
  h->hash = sp_members_hash(sp_members_of_manager, h->m, HASH_SEED);
  for (uint32_t i = 0; i < h->m->timer_capacity; i++)
    if (sp_timer_is_used(sp_timer_at(h->m, i)) && !sp_timer_at(h->m, i)->owner)
      h->hash = hash_timer(h->m, i, h->hash);
  return h->m->pool_count;
}

static sp_pool *hash_pool(sp_visitor *v, sp_pool *p)
{
  hashed *h = (hashed *)v;
  h->pool = p;
  h->hash = sp_hash_mix(h->hash, sp_sum(SP_SUM_BEGIN, p->type, strlen(p->type)));
  h->hash = sp_members_hash(sp_members_of_pool, p, h->hash);
  for (int i = 0; i < SP_TUNABLES; i++) /* what is as described adds nothing */
    if (sp_tunable(&p->desc.settings, i) != sp_tunable(&p->described, i))
      h->hash = sp_hash_mix(h->hash, (uint64_t)(i + 1) << 32 | sp_tunable(&p->desc.settings, i));
  return p;
}

/* References to objects of chunks without a pool stay stale whatever their generations are. */
static void hash_slots(sp_visitor *v, sp_pool *p)
{
  hashed *h = (hashed *)v;
  for (uint32_t i = 0; p && i < p->chunk_count;) {
    const uint32_t region = p->chunks[i] / SP_REGION;
    const sp_chunk *chunks[SP_REGION] = {NULL};
    for (; i < p->chunk_count && p->chunks[i] / SP_REGION == region; i++)
      chunks[p->chunks[i] % SP_REGION] = sp_chunk_at(p, i);
    h->first = region * SP_REGION * SP_CHUNK_SLOTS;
    add_region(h, chunks);
  }
}

/* The order of a compact pool is that of its slots, but where gaps are filled. */
static void hash_idle(sp_visitor *v, sp_pool *p)
{
  hashed *h = (hashed *)v;
  if (sp_idle_is_compact(p))
    h->hash = sp_hash_mix(h->hash, p->vacated);
  for (uint32_t at = UINT32_MAX; !sp_idle_is_compact(p) && (at = sp_idle_after(p, at)) != UINT32_MAX;)
    h->hash = sp_hash_mix(h->hash, at);
}

/* Timers and parents are hashed with the objects that have them, and the host hashes its own. */
static void hash_nothing(sp_visitor *v) { (void)v; }

static hashed begin_hash(const sp_manager *m, uint64_t hash, const sp_hashing *how)
{
  const sp_visitor visitor = {false, false, hash_manager, hash_pool, hash_slots, hash_idle, hash_nothing, hash_nothing};
  return (hashed){.visitor = visitor, .m = m, .how = how, .hash = hash};
}

uint64_t sp_hash_pool(uint64_t hash, const sp_pool *p, const sp_hashing *how)
{
  hashed h = begin_hash(p->manager, hash, how);
  sp_visit_pool(&h.visitor, p->manager->pools[p->index]);
  return h.hash;
}

uint64_t sp_hash_manager(const sp_manager *m)
{
  hashed h = begin_hash(m, 0, &(sp_hashing){0});
  hash_manager(&h.visitor);
  return h.hash;
}

uint64_t sp_manager_hash(const sp_manager *m)
{
  hashed h = begin_hash(m, 0, &(sp_hashing){0});
  sp_visit(&h.visitor, m);
  return h.hash;
}
