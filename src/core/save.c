/*
** Saves: the state as bytes, which do not depend on the layout in memory, so that a later version may change that;
** spawnpool_save.h says what they promise. One visitor serves both ways: its stream writes what it is given, or reads
** it. What is read is not trusted: each number is checked against what was read before it, and a manager is returned
** only once the checksum is right. Memory is allocated in proportion to the bytes read, but for idle objects, which are
** written as counts.
*/
#include "core/chunk.h"
#include "core/description.h"
#include "core/idle.h"
#include "core/memory.h"
#include "core/parents.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/stream.h"
#include "core/timer.h"

#define MAGIC "spawnsav"
#define VERSION 6u
#define NO_OWNER UINT32_MAX
#define UNLISTED UINT32_MAX

typedef struct save {
  sp_visitor visitor; /* first */
  sp_stream io;
  sp_manager *m;
  bool reads;
  sp_ref list; /* of timers that is read: whose it is, where the next one goes, and the last one, plus one */
  uint32_t *list_end, list_last;
  unsigned char *host; /* the host's state */
  uint64_t host_size, host_room;
} save;

static bool need(save *s, bool holds, sp_result why) { return sp_stream_need(&s->io, holds, why); }
static bool expect(save *s, bool holds) { return sp_stream_expect(&s->io, holds); }
static uint32_t visit_32(save *s, uint32_t number) { return (uint32_t)sp_stream_number(&s->io, number, 4); }

static bool visit_flag(save *s, bool flag) { return sp_stream_number(&s->io, flag, 1) == 1; }

/* Goes over things in an order of their own: `next` returns the one after `at`, both plus one, and 0 at the end, where
   `list` is the list that was reached; `visit` goes over each. */
static void visit_each(save *s, uint32_t (*next)(const sp_manager *m, uint32_t at, uint32_t *list),
                       void (*visit)(save *s, uint32_t index, uint32_t list))
{
  for (uint32_t at = 0, list = 0;;) {
    at = visit_32(s, s->reads ? 0 : next(s->m, at, &list));
    if (at == 0 || s->io.why != SP_OK)
      return;
    visit(s, at - 1, list);
  }
}

/* {== Pools ============================================================== */

/* In a save the manager has the id 1, and its generations begin at 0. Turns a reference into the written one, or
   back. */
static sp_ref moved(const save *s, sp_ref ref)
{
  const sp_id *id = &s->m->id, saved = {.id = 1, .last = id->last - id->first};
  return s->reads ? sp_ref_moved(&saved, id, ref) : sp_ref_moved(id, &saved, ref);
}

/* A reference among first values, which are packed, or in a struct may lie anywhere. */
static void visit_ref(save *s, void *cell)
{
  sp_ref ref;
  memcpy(&ref, cell, sizeof ref);
  if (!s->reads)
    ref = moved(s, ref);
  sp_stream_cell(&s->io, &ref, sizeof ref);
  if (s->reads)
    ref = moved(s, ref);
  memcpy(s->reads ? cell : &(sp_ref){0}, &ref, sizeof ref);
}

static void visit_field_cell(save *s, const sp_field *field, unsigned char *cell)
{
  SP_EACH_NUMBER(part, field)
  if (part.is_ref)
    visit_ref(s, cell + part.offset);
  else
    sp_stream_cell(&s->io, cell + part.offset, part.size);
}

/* Goes over cells of an object; `slot` UINT32_MAX: the first values of all objects. */
static void visit_cells(save *s, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    const sp_column_layout *c = &p->layout.columns[column];
    void *cell = slot == UINT32_MAX ? p->layout.initial + c->initial : sp_slot_cell(p, slot, column);
    if (column == SP_LOOK)
      sp_stream_members(&s->io, sp_members_of_look, cell);
    else if (column < SP_FIELDS)
      sp_stream_cell(&s->io, cell, c->size);
    else
      visit_field_cell(s, &p->layout.fields[column - SP_FIELDS], cell);
  }
}

#define DESC(first, last, most) SP_RUN(sp_pool_desc, first, last, SP_MEMBER_SAVED, most)
#define CURVE(first, last) SP_RUN(sp_curve, first, last, SP_MEMBER_SAVED, 0)

/* The other limits are those of sp_manager_add_pool. */
static const sp_member desc_members[] = {
    DESC(spatial, spatial, 1),
    DESC(field_count, field_count, SP_MAX_FIELDS),
    DESC(curve_count, curve_count, SP_MAX_CURVES),
    DESC(on_parent_end, on_parent_end, 0),
    DESC(settings.prealloc, settings.prealloc, SP_MAX_SLOTS),
    DESC(settings.grow, settings.order, 0),
    DESC(motion.gravity, motion.drag, 0),
    DESC(motion.face_velocity, motion.face_velocity, 1),
    DESC(bounds.x, bounds.outside, 0),
    DESC(box.w, box.h, 0),
    {0},
};
static const sp_member settings_members[] = {SP_RUN(sp_settings, prealloc, order, SP_MEMBER_SAVED, 0), {0}};
static const sp_member curve_members[] = {
    CURVE(column, column), CURVE(offset, count), CURVE(points[0], points[SP_MAX_POINTS - 1]), {0}};

/* A description and the memory of what it points to. */
typedef struct described {
  sp_pool_desc desc;
  sp_settings described;
  char type[SP_MAX_SAVE_NAME], names[SP_MAX_FIELDS][SP_MAX_SAVE_NAME];
  sp_field fields[SP_MAX_FIELDS];
  sp_field_member members[SP_MAX_FIELDS][SP_MAX_MEMBERS];
  sp_curve curves[SP_MAX_CURVES];
} described;

static void visit_field(save *s, const sp_layout *layout, int index, described *d)
{
  const int column = SP_FIELDS + index;
  sp_field *field = &d->fields[index];
  field->name = sp_stream_text(&s->io, layout ? layout->fields[index].name : NULL, d->names[index]);
  field->initial = NULL;
  field->size = (uint16_t)sp_stream_number(&s->io, layout ? layout->columns[column].size : 0, sizeof field->size);
  field->keep = visit_flag(s, layout && layout->kept >> column & 1);
  field->live = visit_flag(s, layout && layout->live >> column & 1);
  field->ref = visit_flag(s, layout && layout->fields[index].ref);
  field->members = layout ? layout->fields[index].members : d->members[index];
  field->member_count = (int)sp_stream_number(&s->io, layout ? (uint64_t)layout->fields[index].member_count : 0, 1);
  expect(s, field->member_count <= SP_MAX_MEMBERS);
  for (int i = 0; i < field->member_count && s->io.why == SP_OK; i++) {
    const sp_field_member member = layout ? field->members[i] : (sp_field_member){0};
    sp_field_member *read = &d->members[index][i];
    read->type = (sp_type)sp_stream_number(&s->io, member.type, 1);
    read->offset = (uint16_t)sp_stream_number(&s->io, member.offset, 2);
    read->count = (uint16_t)sp_stream_number(&s->io, member.count, 2);
  }
}

/* Adds a pool, without objects as yet; NULL when its description makes no sense. */
static sp_pool *add_pool(save *s, sp_pool_desc *desc)
{
  sp_result why = SP_OK;
  uint32_t prealloc = desc->settings.prealloc;
  desc->settings.prealloc = 0;
  sp_pool *p = s->io.why == SP_OK ? sp_manager_add_pool(s->m, desc, &why) : NULL;
  if (!need(s, p != NULL, why == SP_MEMORY ? SP_MEMORY : SP_DAMAGED))
    return NULL;
  sp_settings settings = p->desc.settings;
  settings.prealloc = prealloc;
  sp_pool_store_settings(p, &settings, NULL);
  p->is_loaded = true;
  return p;
}

/* Goes over a pool without its objects. `p` NULL: it is added. */
static sp_pool *visit_description(save *s, sp_pool *p)
{
  described d;
  const sp_layout *layout = p ? &p->layout : NULL;
  d.desc = p ? p->desc : sp_pool_defaults(NULL);
  d.desc.fields = d.fields;
  d.desc.curves = d.curves;
  d.desc.type = sp_stream_text(&s->io, p ? p->type : NULL, d.type);
  sp_stream_members(&s->io, desc_members, &d.desc);
  d.described = p ? p->described : d.desc.settings;
  sp_stream_members(&s->io, settings_members, &d.described);
  for (int i = 0; i < d.desc.field_count; i++)
    visit_field(s, layout, i, &d);
  for (int i = 0; i < d.desc.curve_count; i++) {
    d.curves[i] = p ? p->curves[i] : (sp_curve){0};
    sp_stream_members(&s->io, curve_members, &d.curves[i]);
  }
  if (p)
    return p;
  p = add_pool(s, &d.desc);
  if (!p || !expect(s, sp_settings_check(&s->m->log, p->type, &d.described, d.described.prealloc) == SP_OK))
    return NULL;
  p->described = d.described;
  return p;
}

static sp_pool *visit_pool(sp_visitor *v, sp_pool *p)
{
  save *s = (save *)v;
  p = visit_description(s, p);
  if (p) {
    visit_cells(s, p, UINT32_MAX, p->layout.all);
    sp_stream_members(&s->io, sp_members_of_pool, p);
    if (s->reads)
      sp_layout_note_restless(&p->layout);
  }
  v->is_stopped = s->io.why != SP_OK;
  return p;
}

/* }== */

/* {== Objects ============================================================ */

/* Writes the remaining ticks, not the due tick, which has only 32 bits in memory. A life that was kept past its end has
   0 ticks left. */
static void visit_end(save *s, uint32_t slot)
{
  sp_manager *m = s->m;
  double lifetime = s->reads ? 0 : sp_slot_lifetime(m, slot);
  sp_stream_cell(&s->io, &lifetime, sizeof lifetime);
  if (lifetime == 0)
    return;
  uint64_t left = sp_stream_number(&s->io, s->reads ? 0 : sp_wheel_left(&m->lives, slot), sizeof left);
  bool makes_sense = lifetime > 0 && lifetime < 1e300 && left <= SP_MAX_TICKS - m->tick;
  if (!s->reads || !expect(s, makes_sense) || !need(s, sp_lives_reserve(m, slot), SP_MEMORY))
    return;
  if (left == 0) {
    sp_wheel_set_over(&m->lives, slot, lifetime);
  } else {
    sp_wheel_set(&m->lives, slot, lifetime, m->tick + left);
    sp_wheel_note_late(&m->lives, slot);
  }
}

static void visit_object(save *s, sp_pool *p, uint32_t slot, bool is_live)
{
  const sp_manager *m = s->m;
  sp_life *life = sp_slot_life(m, slot);
  if (is_live) {
    sp_stream_cell(&s->io, &life->serial, sizeof life->serial);
    expect(s, life->serial <= m->serial);
    visit_end(s, slot);
  }
  visit_cells(s, p, slot, is_live ? p->layout.all : p->layout.kept);
}

/* Chunks whose numbers, by manager and by pool, follow each other are a run, and so are slots that are alike: what was
   once large and holds ten objects is a few numbers. */
typedef struct chunk_run {
  uint32_t first, label, count, since;
} chunk_run;

/* The chunk at `position` of a pool, or of those that no pool has; `number` is that of the one before. */
static uint32_t chunk_after(const save *s, const sp_pool *p, uint32_t position, uint32_t number)
{
  if (p)
    return position < p->chunk_count ? p->chunks[position] : UINT32_MAX;
  return sp_next_free_chunk(s->m, position == 0 ? 0 : number + 1);
}

static chunk_run next_chunk_run(const save *s, const sp_pool *p, uint32_t position, uint32_t number)
{
  const sp_chunk *chunks = s->m->slots.chunks;
  chunk_run run = {.first = chunk_after(s, p, position, number)};
  if (run.first == UINT32_MAX)
    return run;
  run.label = chunks[run.first].number;
  run.since = sp_lives_of(&chunks[run.first])->since;
  do {
    run.count++;
    number = chunk_after(s, p, position + run.count, run.first + run.count - 1);
  } while (number == run.first + run.count && chunks[number].number == run.label + run.count &&
           sp_lives_of(&chunks[number])->since == run.since);
  return run;
}

/* Makes a chunk with a number that is free. Those of a region come one after the other. */
static bool read_chunk(save *s, sp_pool *p, uint32_t number, uint32_t label, uint32_t since)
{
  sp_manager *m = s->m;
  bool is_free = number < m->chunk_count && !m->slots.chunks[number].owner;
  if (!expect(s, is_free) || !expect(s, !p || number % SP_REGION == 0 || m->slots.chunks[number - 1].owner == p) ||
      !need(s, p ? sp_chunk_add_at(p, number) : sp_slots_make(m, number), SP_MEMORY))
    return false;
  m->slots.chunks[number].number = label;
  sp_lives_of(&m->slots.chunks[number])->since = since;
  return true;
}

enum { VACANT, NEW, IDLE, LIVE }; /* an object that has never lived, is idle, or lives */

typedef struct slot_run {
  uint32_t count, generation, state;
} slot_run;

static slot_run slot_run_at(const sp_manager *m, uint32_t slot)
{
  const sp_life *life = sp_slot_life(m, slot);
  const bool made = sp_slot_chunk(m, slot)->made >> (slot & SP_CHUNK_MASK) & 1;
  uint32_t state = !made ? VACANT : life->generation & 1 ? LIVE : life->serial != 0 ? IDLE : NEW;
  return (slot_run){1, life->generation, state};
}

/* Kept values and what lives follow their run. */
static slot_run next_slot_run(const sp_manager *m, uint32_t slot, uint32_t end)
{
  slot_run run = slot_run_at(m, slot);
  for (; slot + run.count < end; run.count++) {
    const slot_run next = slot_run_at(m, slot + run.count);
    if (next.generation != run.generation || next.state != run.state)
      break;
  }
  return run;
}

static void read_slot(save *s, sp_pool *p, uint32_t slot, const slot_run *run)
{
  sp_life *life = sp_slot_life(s->m, slot);
  sp_chunk *chunk = sp_slot_chunk(s->m, slot);
  if (run->state != VACANT) {
    chunk->made |= (uint64_t)1 << (slot & SP_CHUNK_MASK);
    sp_object_initialise(p, slot);
    sp_pool_count_made(p); /* it counts as in transition until it is one of the idle ones */
    p->in_transition -= run->state == LIVE;
  }
  if (run->state == LIVE)
    sp_chunk_add_life(p, chunk, slot);
  life->generation = run->generation;
  life->serial = run->state == IDLE;
}

/* Goes over the slots from `slot` to `end` - 1. */
static void visit_slot_runs(save *s, sp_pool *p, uint32_t slot, uint32_t end, uint32_t since)
{
  while (slot < end && s->io.why == SP_OK) {
    slot_run run = {0};
    if (!s->reads)
      run = next_slot_run(s->m, slot, end);
    run.count = visit_32(s, run.count);
    run.generation = visit_32(s, run.generation - s->m->id.first) + s->m->id.first;
    run.state = (uint32_t)sp_stream_number(&s->io, run.state, 1);
    if (!expect(s, run.count > 0 && run.count <= end - slot && run.state <= (p ? LIVE : VACANT)) ||
        !expect(s, run.generation >= since && since >= s->m->id.first && run.generation <= s->m->id.last) ||
        !expect(s, (run.generation & 1) == (run.state == LIVE)))
      return;
    const bool has_more = run.state == LIVE || (run.state != VACANT && p->layout.kept);
    for (; run.count > 0 && s->io.why == SP_OK && (s->reads || has_more); run.count--, slot++) {
      if (s->reads)
        read_slot(s, p, slot, &run);
      if (has_more)
        visit_object(s, p, slot, run.state == LIVE);
    }
    slot += run.count;
  }
}

static void visit_slots(sp_visitor *v, sp_pool *p)
{
  save *s = (save *)v;
  for (uint32_t position = 0, number = 0; s->io.why == SP_OK;) {
    chunk_run run = {0};
    if (!s->reads)
      run = next_chunk_run(s, p, position, number);
    run.count = visit_32(s, run.count);
    if (run.count == 0)
      break;
    run.first = visit_32(s, run.first);
    run.label = visit_32(s, run.label);
    run.since = visit_32(s, run.since - s->m->id.first) + s->m->id.first;
    for (uint32_t i = 0; s->reads && i < run.count; i++)
      if (!read_chunk(s, p, run.first + i, run.label + i, run.since))
        break;
    if (s->io.why == SP_OK)
      visit_slot_runs(s, p, run.first * SP_CHUNK_SLOTS, (run.first + run.count) * SP_CHUNK_SLOTS, run.since);
    position += run.count;
    number = run.first + run.count - 1;
  }
  v->is_stopped = s->io.why != SP_OK;
}

/* Checks the members of a pool whose objects have been read, and computes what follows from them. */
static void settle_pool(save *s, sp_pool *p)
{
  sp_manager *m = s->m;
  uint32_t partial = 0;
  p->created -= p->made; /* each object and each region was counted once more when it was read */
  p->next_chunk = 0;
  expect(s, p->expired <= p->recycles && p->evicted <= p->recycles - p->expired);
  expect(s, p->created >= p->made && p->peak >= sp_live_count(p));
  for (uint32_t i = 0; i < p->chunk_count; i++) {
    const uint32_t number = p->chunks[i];
    p->next_number -= number % SP_REGION == 0;
    bool is_last = i + 1 == p->chunk_count || p->chunks[i + 1] / SP_REGION != number / SP_REGION;
    if (!is_last || (number + 1) % SP_REGION == 0)
      continue;
    p->next_chunk = number + 1; /* only one region is not full */
    partial++;
  }
  expect(s, partial <= 1);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    expect(s, sp_chunk_at(p, i)->number / SP_REGION < p->next_number);
  p->destroyed = p->created - p->made;
  sp_pool_set_dirty(p, (p->dirty | p->layout.restless) & p->layout.all & ~p->layout.kept);
  if (p->ages.ring && need(s, sp_ages_reserve_count(&p->ages, m, sp_live_count(p)), SP_MEMORY))
    sp_pool_refill_ages(p);
  sp_pool_settle(p);
}

/* A slot is listed once. */
static bool read_idle(save *s, sp_pool *p, uint32_t slot)
{
  sp_manager *m = s->m;
  if (!expect(s, slot < m->slots.slot_count && sp_slot_pool(m, slot) == p && p->in_transition > 0))
    return false;
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  if (!expect(s, (chunk->made & ~chunk->live & ~chunk->idle) >> (slot & SP_CHUNK_MASK) & 1))
    return false;
  p->in_transition--;
  sp_idle_append(p, slot);
  return true;
}

/* All that do not live: their order is that of the slots. */
static void read_compact(sp_pool *p)
{
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint64_t bits = sp_chunk_at(p, i)->made & ~sp_chunk_at(p, i)->live; bits; bits &= bits - 1, p->in_transition--)
      sp_idle_append(p, p->chunks[i] * SP_CHUNK_SLOTS + (uint32_t)__builtin_ctzll(bits));
}

/* Returns how many idle slots from `slot` on follow each other, by `step`, up or down; `next` is the one after them. */
static uint32_t idle_run(const sp_pool *p, uint32_t slot, uint32_t *step, uint32_t *next)
{
  uint32_t count = 1;
  *next = sp_idle_after(p, slot);
  *step = *next == slot - 1 ? UINT32_MAX : 1;
  for (; *next != UINT32_MAX && *next == slot + count * *step; count++)
    *next = sp_idle_after(p, *next);
  return count;
}

static void visit_list(save *s, sp_pool *p)
{
  const uint32_t idle = visit_32(s, p->idle.count);
  uint32_t next = s->reads ? 0 : sp_idle_after(p, UINT32_MAX);
  for (uint32_t at = 0, step = 1, count = 0; at < idle && s->io.why == SP_OK; at += count) {
    uint32_t slot = next;
    count = visit_32(s, s->reads ? 0 : idle_run(p, slot, &step, &next));
    slot = visit_32(s, slot);
    step = visit_flag(s, step != 1) ? UINT32_MAX : 1;
    expect(s, count > 0);
    for (uint32_t i = 0; s->reads && i < count && read_idle(s, p, slot + i * step); i++) {
    }
  }
}

static void visit_idle(sp_visitor *v, sp_pool *p)
{
  save *s = (save *)v;
  if (!sp_idle_is_compact(p))
    visit_list(s, p);
  else if (s->reads)
    read_compact(p);
  if (s->reads && expect(s, p->in_transition == 0))
    settle_pool(s, p);
  v->is_stopped = s->io.why != SP_OK;
}

static bool has_a_place(const sp_manager *m, uint32_t slot)
{
  return slot < m->slots.slot_count && sp_slot_life(m, slot)->generation & 1 && sp_slot_pool(m, slot)->desc.spatial;
}

/* No object becomes its own ancestor: what gets a parent has no children yet. */
static void visit_child(save *s, uint32_t child, uint32_t root)
{
  sp_manager *m = s->m;
  (void)root;
  uint32_t parent = visit_32(s, s->reads ? 0 : sp_ref_slot(sp_slot_parent(m, child)));
  if (s->reads && expect(s, child != parent && has_a_place(m, child) && has_a_place(m, parent)) &&
      expect(s, !sp_slot_parent(m, child) && !sp_last_child(m, child)))
    need(s, sp_parents_link(m, child, parent), SP_MEMORY);
}

/* }== */

/* {== Timers ============================================================= */

static bool timer_makes_sense(const sp_manager *m, const sp_timer_record *timer)
{
  const double most = 2 * SP_MAX_LIFETIME; /* from now to when it is due */
  if (!sp_timer_is_used(timer))
    return timer->owner == SP_NULL_REF;
  return (!timer->owner || sp_ref_is_live(m, timer->owner)) &&
         (isinf(timer->from) || (timer->from - m->time <= most && sp_timer_wait(m, timer) <= most));
}

static void visit_record(save *s, uint32_t index)
{
  sp_manager *m = s->m;
  sp_timer_record timer = s->reads ? (sp_timer_record){0} : *sp_timer_at(m, index);
  sp_stream_members(&s->io, sp_members_of_timer, &timer);
  visit_ref(s, &timer.owner);
  const bool is_used = sp_timer_is_used(&timer), is_due = is_used && !isinf(timer.from);
  uint64_t left = is_due && !s->reads ? sp_wheel_left(&m->fires, index) : 0;
  left = sp_stream_number(&s->io, left, sizeof left);
  if (!s->reads || !expect(s, timer_makes_sense(m, &timer)) ||
      !expect(s, is_due ? left > 0 && left <= SP_MAX_TICKS - m->tick : left == 0))
    return;
  timer.next = is_used && !timer.owner ? 0 : UNLISTED; /* the manager's are in no list */
  *sp_timer_at(m, index) = timer;
  if (is_due && need(s, sp_timer_reserve(m, index), SP_MEMORY)) {
    sp_wheel_set(&m->fires, index, 0, m->tick + left);
    sp_wheel_note_late(&m->fires, index);
  }
}

/* Puts a record at the end of the list that is being read, or begins that of its life. */
static void visit_listed(save *s, uint32_t index, uint32_t slot)
{
  sp_manager *m = s->m;
  (void)slot;
  if (!s->reads || !expect(s, index < m->timer_capacity && sp_timer_at(m, index)->next == UNLISTED))
    return;
  sp_timer_record *timer = sp_timer_at(m, index);
  if (timer->owner != s->list) {
    if (!expect(s, timer->owner != SP_NULL_REF))
      return;
    s->list = timer->owner;
    s->list_end = sp_timer_first(m, sp_ref_slot(timer->owner), true);
    s->list_last = 0;
    if (!need(s, s->list_end != NULL, SP_MEMORY) || !expect(s, *s->list_end == 0))
      return;
    sp_pool_set_timers(sp_slot_pool(m, sp_ref_slot(timer->owner)));
  }
  *s->list_end = index + 1;
  timer->next = 0;
  timer->previous = s->list_last;
  s->list_last = index + 1;
  s->list_end = &timer->next;
}

static void visit_timers(save *s)
{
  sp_manager *m = s->m;
  uint32_t count = visit_32(s, m->timer_capacity);
  for (uint32_t i = 0; i < count && s->io.why == SP_OK; i++) {
    if (i == m->timer_capacity) {
      m->free_timer = 0; /* no list leads to the new ones */
      if (!need(s, sp_timers_reserve(m, i ? i * 2 : 16), SP_MEMORY))
        return;
    }
    visit_record(s, i);
  }
  if (s->reads)
    m->free_timer = 0;
  s->list_end = &m->free_timer;
  visit_each(s, sp_timers_next, visit_listed);
  for (uint32_t i = 0; s->reads && s->io.why == SP_OK && i < count; i++)
    expect(s, sp_timer_at(m, i)->next != UNLISTED);
  if (s->reads && s->io.why == SP_OK)
    sp_timers_restore(m, count, m->free_timer);
}

/* }== */

/* {== The manager ======================================================== */

#define OPTION(first, last) SP_RUN(sp_manager_options, first, last, SP_MEMBER_SAVED, 0)
static const sp_member option_members[] = {OPTION(id, id), OPTION(lives, lives), OPTION(step, step), {0}};

static void visit_head(save *s, sp_manager_options *o)
{
  char magic[] = MAGIC;
  sp_stream_bytes(&s->io, magic, sizeof magic - 1);
  if (!expect(s, strcmp(magic, MAGIC) == 0))
    return;
  uint32_t version = visit_32(s, VERSION);
  if (need(s, version <= VERSION, SP_NEWER) && expect(s, version == VERSION))
    sp_stream_members(&s->io, option_members, o);
}

static void visit_host(sp_visitor *v)
{
  save *s = (save *)v;
  sp_manager *m = s->m;
  s->host_size = sp_stream_number(&s->io, s->reads ? 0 : sp_host_size(m), sizeof s->host_size);
  while (s->host_room < s->host_size && s->io.why == SP_OK) {
    uint64_t done = s->host_room, want = !s->reads ? s->host_size : done ? done * 2 : SP_STREAM_BUFFER;
    want = want < s->host_size ? want : s->host_size;
    unsigned char *host = want <= SIZE_MAX ? sp_memory_resize(&m->memory, s->host, (size_t)done, (size_t)want) : NULL;
    if (!need(s, host != NULL, SP_MEMORY))
      return;
    s->host = host;
    s->host_room = want;
    if (!s->reads)
      m->host.write(m->host.ud, host, (size_t)want);
    sp_stream_bytes(&s->io, host + done, (size_t)(want - done));
  }
}

static uint32_t visit_manager(sp_visitor *v)
{
  save *s = (save *)v;
  sp_manager *m = s->m;
  sp_stream_members(&s->io, sp_members_of_manager, m);
  if (s->reads && expect(s, m->spare <= m->step)) {
    m->time = (double)m->tick * m->step + m->spare;
    m->lives.now = m->fires.now = m->tick;
  }
  uint32_t pools = visit_32(s, m->pool_count), chunks = visit_32(s, m->chunk_count);
  if (expect(s, chunks <= SP_MAX_CHUNKS && chunks % SP_REGION == 0) && s->reads)
    need(s, sp_slots_open(m, chunks), SP_MEMORY);
  v->is_stopped = s->io.why != SP_OK;
  return pools;
}

static void visit_links(sp_visitor *v)
{
  save *s = (save *)v;
  visit_each(s, sp_next_child, visit_child);
  visit_timers(s);
  v->is_stopped = s->io.why != SP_OK;
}

static void visit_all(save *s)
{
  s->visitor =
      (sp_visitor){s->reads, false, visit_manager, visit_pool, visit_slots, visit_idle, visit_links, visit_host};
  sp_visit(&s->visitor, s->m);
  sp_stream_end(&s->io);
}

static sp_result check_names(sp_manager *m)
{
  for (uint32_t i = 0; i < m->pool_count; i++) {
    const sp_pool *p = m->pools[i];
    if (strlen(p->type) >= SP_MAX_SAVE_NAME)
      return sp_refuse(&m->log, p->type, "type", "is too long for a save, which takes less than 256 bytes");
    for (int k = 0; k < p->layout.field_count; k++)
      if (strlen(p->layout.fields[k].name) >= SP_MAX_SAVE_NAME)
        return sp_refuse(&m->log, p->type, p->layout.fields[k].name,
                         "has a name that is too long for a save, which takes less than 256 bytes");
  }
  return SP_OK;
}

sp_result sp_manager_save(const sp_manager *m, sp_write_fn write, void *ud)
{
  sp_manager *held = (sp_manager *)m; /* nothing of it changes but that */
  save s = {.io = {.write = write, .ud = ud, .sum = sp_checksum_begin}, .m = held};
  sp_manager_options o = {.lives = m->id.lives, .step = m->step};
  o.id = m->id.is_chosen ? (uint16_t)m->id.id : 0; /* the bytes do not depend on one that it was given */
  if (sp_manager_is_busy(m))
    return SP_BUSY;
  sp_pools_settle(held);
  const sp_result valid = write ? check_names(held) : sp_refuse(&held->log, "sp_manager_save", "write", "is NULL");
  if (valid != SP_OK)
    return valid;
  sp_manager_hold(held);
  visit_head(&s, &o);
  visit_all(&s);
  sp_memory_free(&held->memory, s.host, (size_t)s.host_room);
  sp_manager_release(held);
  return s.io.why;
}

/* Opens the manager, with the id of a binding if `first` is one's first generation. What is wrong with a save is not
   told as what is wrong with the host's options. */
static void open_manager(save *s, const sp_manager_options *options, sp_log *log, const uint32_t *first)
{
  sp_manager_options saved = {0}, o = *options;
  sp_result why = SP_OK;
  visit_head(s, &saved);
  if (!expect(s, saved.step != 0))
    return;
  if (o.step != 0 && o.step != saved.step) {
    need(s, false, sp_refuse(log, "sp_manager_options", "step", "is not that of the save: 0 takes that"));
    return;
  }
  o.on_log = NULL;
  o.step = saved.step;
  o.id = o.id ? o.id : saved.id;
  o.lives = o.lives ? o.lives : saved.lives;
  s->m = first ? sp_manager_open_from(&o, *first, &why) : sp_manager_open(&o, &why);
  need(s, s->m != NULL, why == SP_INVALID ? SP_DAMAGED : why); /* its options are read, too */
}

static sp_manager *load(const sp_manager_options *options, const uint32_t *first, sp_read_fn read, void *ud,
                        sp_result *result)
{
  save s = {.io = {.read = read, .ud = ud, .sum = sp_checksum_begin}, .reads = true};
  sp_manager_options o;
  sp_log log;
  sp_result valid = sp_options_take(&log, options, &o);
  if (valid == SP_OK && !read)
    valid = sp_refuse(&log, "sp_manager_load", "read", "is NULL");
  if (need(&s, valid == SP_OK, valid))
    open_manager(&s, &o, &log, first);
  if (s.m)
    visit_all(&s);
  if (s.io.why == SP_OK) {
    s.m->log = (sp_log){o.on_log, o.log_ud, ""};
    s.io.why = sp_host_read(s.m, s.host, (size_t)s.host_size);
  }
  if (s.m)
    sp_memory_free(&s.m->memory, s.host, (size_t)s.host_room);
  sp_tell(result, s.io.why);
  if (s.io.why == SP_OK)
    return s.m;
  sp_manager_discard(s.m); /* NULL is allowed */
  return NULL;
}

sp_manager *sp_manager_load(const sp_manager_options *options, sp_read_fn read, void *ud, sp_result *result)
{
  return load(options, NULL, read, ud, result);
}

sp_manager *sp_manager_load_from(const sp_manager_options *options, uint32_t first, sp_read_fn read, void *ud,
                                 sp_result *result)
{
  return load(options, &first, read, ud, result);
}

/* }== */
