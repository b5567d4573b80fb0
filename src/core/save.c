/*
** Saves. The format is described once: each function named visit_... goes over a part of it, and the stream decides
** whether that is written or read. It does not depend on the layout in memory, so that a later version may change that;
** spawnpool_save.h says what it promises. What is read is not trusted: each number is checked against what was read
** before it, and a manager is returned only once the checksum is right. Memory is allocated in proportion to the bytes
** read, but for idle objects, which are written as counts.
*/
#include "core/chunk.h"
#include "core/description.h"
#include "core/members.h"
#include "core/memory.h"
#include "core/parents.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/timer.h"

#define MAGIC "spawnsav"
#define VERSION 2u
#define ANY_ID 1u /* in references of a manager without an id of its own */
#define NO_OWNER UINT32_MAX
#define UNLISTED UINT32_MAX

/* {== Bytes ============================================================== */

/* The bytes of a save are the same on every machine: whole numbers with their lowest byte first, floats by their bits.
   A stream goes one way: each call below writes what it is given, or reads it, so that one description does for both.
   */

#define STREAM_BUFFER 4096u

typedef struct stream {
  sp_write_fn write; /* NULL: it reads */
  sp_read_fn read;
  void *ud;
  uint64_t sum; /* of all bytes so far; begins as SP_SUM_BEGIN */
  uint32_t used, size;
  sp_result why; /* SP_OK; else the stream has failed, for this reason: nothing is written any more, and 0 is read */
  unsigned char buffer[STREAM_BUFFER];
} stream;

/* Makes the stream fail for this reason unless `holds` is true. Returns whether it has not failed. */
static bool stream_need(stream *s, bool holds, sp_result why)
{
  if (!holds && s->why == SP_OK) {
    s->why = why;
    s->used = s->size; /* what is left of the buffer is not read */
  }
  return s->why == SP_OK;
}

/* Does the same for what is read, which is damaged otherwise; what is written always holds. */
static inline bool stream_expect(stream *s, bool holds) { return stream_need(s, holds || s->write, SP_DAMAGED); }

/* Gives the host a buffer of bytes, or gets one from it. */
static void turn_buffer(stream *s)
{
  size_t got = STREAM_BUFFER;
  if (s->write && s->used > 0 && s->why == SP_OK)
    stream_need(s, s->write(s->ud, s->buffer, s->used), SP_FAILED);
  if (s->read) {
    got = s->why == SP_OK ? s->read(s->ud, s->buffer, STREAM_BUFFER) : 0;
    if (!stream_expect(s, got > 0 && got <= STREAM_BUFFER)) {
      memset(s->buffer, 0, STREAM_BUFFER);
      got = STREAM_BUFFER;
    }
  }
  s->used = 0;
  s->size = (uint32_t)got;
}

/* Goes over `size` bytes as they lie. */
static void stream_bytes(stream *s, void *bytes, size_t size)
{
  for (unsigned char *at = bytes; size > 0;) {
    if (s->used == s->size)
      turn_buffer(s);
    size_t room = s->size - s->used, part = size < room ? size : room;
    unsigned char *held = s->buffer + s->used, *to = s->write ? held : at;
    const unsigned char *from = s->write ? at : held;
    uint64_t sum = s->sum;
    for (size_t i = 0; i < part; i++) { /* most are a few bytes: a call of memcpy would take longer */
      to[i] = from[i];
      sum = sp_sum(sum, to + i, 1);
    }
    s->sum = sum;
    s->used += (uint32_t)part;
    at += part;
    size -= part;
  }
}

/* Goes over a number of `size` bytes, and returns it. */
static uint64_t stream_number(stream *s, uint64_t number, uint32_t size)
{
  unsigned char bytes[sizeof number] = {0};
  for (uint32_t i = 0; s->write && i < size; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  stream_bytes(s, bytes, size);
  if (s->write)
    return number;
  number = 0;
  for (uint32_t i = 0; i < size; i++)
    number |= (uint64_t)bytes[i] << 8 * i;
  return number;
}

static void put_number(void *cell, uint32_t size, uint64_t number)
{
  const uint8_t one = (uint8_t)number;
  const uint16_t two = (uint16_t)number;
  const uint32_t four = (uint32_t)number;
  memcpy(cell, size == 1 ? &one : size == 2 ? (const void *)&two : size == 4 ? (const void *)&four : &number, size);
}

/* Goes over a cell, which is a number if it has 1, 2, 4 or 8 bytes. */
static void stream_cell(stream *s, void *cell, uint32_t size)
{
  if (size != 1 && size != 2 && size != 4 && size != 8)
    stream_bytes(s, cell, size);
  else if (s->write)
    stream_number(s, sp_number_in(cell, size), size);
  else
    put_number(cell, size, stream_number(s, 0, size));
}

static bool is_within(const sp_member *member, uint64_t number)
{
  double real;
  memcpy(&real, &number, sizeof real);
  if (member->most == 0)
    return true;
  return member->flags & SP_MEMBER_REAL ? real >= 0 && real <= member->most : number <= (uint64_t)member->most;
}

/* Goes over the saved members of a struct, within their limits. */
static void stream_members(stream *s, const sp_member *list, void *of)
{
  for (; list->size; list++)
    for (uint32_t i = 0; list->flags & SP_MEMBER_SAVED && i < list->count; i++) {
      unsigned char *at = (unsigned char *)of + list->offset + i * list->size;
      uint64_t number = stream_number(s, s->write ? sp_number_in(at, list->size) : 0, list->size);
      if (s->read)
        put_number(at, list->size, stream_expect(s, is_within(list, number)) ? number : 0);
    }
}

/* Goes over a text, shorter than SP_MAX_SAVE_NAME bytes; a longer one is SP_INVALID. Returns `name`, or `room`, into
   which it was read. */
static const char *stream_text(stream *s, const char *name, char *room)
{
  uint32_t size = (uint32_t)stream_number(s, s->write ? strlen(name) : 0, 4);
  if (!stream_need(s, size < SP_MAX_SAVE_NAME, s->write ? SP_INVALID : SP_DAMAGED))
    size = 0;
  if (s->write)
    memcpy(room, name, size);
  stream_bytes(s, room, size);
  room[size] = '\0';
  stream_expect(s, strlen(room) == size);
  return room;
}

/* Ends the bytes with the checksum of all before. */
static void stream_end(stream *s)
{
  uint64_t sum = s->sum;
  stream_expect(s, stream_number(s, sum, sizeof sum) == sum);
  if (s->write)
    turn_buffer(s);
}

/* }== */

typedef struct save {
  stream io;
  sp_manager *m;
  bool reads;
  uint32_t shift;   /* of a load: added to every generation */
  uint32_t id_bits; /* the manager's part of the references in the save */
  sp_ref list;      /* of timers that is read: whose it is, and where the next one goes */
  uint32_t *list_end;
  unsigned char *host; /* the host's state */
  uint64_t host_size, host_room;
} save;

static bool need(save *s, bool holds, sp_result why) { return stream_need(&s->io, holds, why); }
static bool expect(save *s, bool holds) { return stream_expect(&s->io, holds); }
static uint32_t visit_32(save *s, uint32_t number) { return (uint32_t)stream_number(&s->io, number, 4); }

static bool visit_flag(save *s, bool flag) { return stream_number(&s->io, flag, 1) == 1; }

/* Goes over things in an order of their own: `next` returns the one after `at`, both plus one, and 0 at the end, where
   `list` is the list that it has reached; `visit` goes over each. */
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

/* Turns a reference of the manager with the id `from` into one of that with the id `to`. Another one stays as it is,
   unless it looks like one of the latter's: that becomes SP_NULL_REF. */
static sp_ref moved(const save *s, sp_ref ref, uint32_t from, uint32_t to)
{
  uint32_t base = (uint32_t)ref & ~(SP_MAX_SLOTS - 1);
  if (base == from && sp_ref_generation(ref) >= s->m->first_generation - s->shift)
    return (ref & (SP_MAX_SLOTS - 1)) | to | (sp_ref)(sp_ref_generation(ref) + s->shift) << 32;
  return base == to ? SP_NULL_REF : ref;
}

/* First values are packed, so that a reference among them may lie anywhere. */
static void visit_ref(save *s, void *cell)
{
  sp_ref ref;
  memcpy(&ref, cell, sizeof ref);
  if (!s->reads)
    ref = moved(s, ref, s->m->slots.id_bits, s->id_bits);
  stream_cell(&s->io, &ref, sizeof ref);
  if (s->reads)
    ref = moved(s, ref, s->id_bits, s->m->slots.id_bits);
  memcpy(s->reads ? cell : &(sp_ref){0}, &ref, sizeof ref);
}

/* Goes over cells of an object; `slot` UINT32_MAX: the first values of all objects. */
static void visit_cells(save *s, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    const sp_column_layout *c = &p->layout.columns[column];
    void *cell = slot == UINT32_MAX ? p->layout.initial + c->initial : sp_slot_cell(p, slot, column);
    if (column == SP_LOOK)
      stream_members(&s->io, sp_members_of_look, cell);
    else if (p->layout.refs >> column & 1)
      visit_ref(s, cell);
    else
      stream_cell(&s->io, cell, c->size);
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
static const sp_member curve_members[] = {
    CURVE(column, column), CURVE(offset, count), CURVE(points[0], points[SP_MAX_POINTS - 1]), {0}};

/* A description and the memory of what it points to. */
typedef struct described {
  sp_pool_desc desc;
  char type[SP_MAX_SAVE_NAME], names[SP_MAX_FIELDS][SP_MAX_SAVE_NAME];
  sp_field fields[SP_MAX_FIELDS];
  sp_curve curves[SP_MAX_CURVES];
} described;

static void visit_field(save *s, const sp_layout *layout, int index, described *d)
{
  const int column = SP_FIELDS + index;
  sp_field *field = &d->fields[index];
  field->name = stream_text(&s->io, layout ? layout->names[index] : NULL, d->names[index]);
  field->initial = NULL;
  field->size = (uint16_t)stream_number(&s->io, layout ? layout->columns[column].size : 0, sizeof field->size);
  field->keep = visit_flag(s, layout && layout->kept >> column & 1);
  field->live = visit_flag(s, layout && layout->live >> column & 1);
  field->ref = visit_flag(s, layout && layout->refs >> column & 1);
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
  sp_settings settings = p->settings;
  settings.prealloc = prealloc;
  sp_pool_store_settings(p, &settings, NULL);
  p->is_loaded = true;
  return p;
}

/* Goes over a pool without its objects. `p` NULL: it is added. */
static void visit_pool(save *s, sp_pool *p)
{
  described d;
  const sp_layout *layout = p ? &p->layout : NULL;
  d.desc = (sp_pool_desc){.fields = d.fields, .curves = d.curves};
  if (p) {
    d.desc.settings = sp_pool_settings(p);
    d.desc.spatial = p->spatial;
    d.desc.field_count = layout->field_count;
    d.desc.motion = p->motion;
    d.desc.bounds = p->bounds;
    d.desc.box = p->box;
    d.desc.curve_count = p->curve_count;
    d.desc.on_parent_end = p->on_parent_end;
  }
  d.desc.type = stream_text(&s->io, p ? p->type : NULL, d.type);
  stream_members(&s->io, desc_members, &d.desc);
  for (int i = 0; i < d.desc.field_count; i++)
    visit_field(s, layout, i, &d);
  for (int i = 0; i < d.desc.curve_count; i++) {
    d.curves[i] = p ? p->curves[i] : (sp_curve){0};
    stream_members(&s->io, curve_members, &d.curves[i]);
  }
  if (!p)
    p = add_pool(s, &d.desc);
  if (!p)
    return;
  visit_cells(s, p, UINT32_MAX, p->layout.all);
  stream_members(&s->io, sp_members_of_pool, p);
  if (s->reads)
    sp_layout_note_restless(&p->layout);
}

/* }== */

/* {== Objects ============================================================ */

/* Writes the remaining ticks, not the due tick, which has only 32 bits in memory. A life that was kept past its end has
   0 ticks left. */
static void visit_end(save *s, uint32_t slot)
{
  sp_manager *m = s->m;
  double lifetime = s->reads ? 0 : sp_slot_lifetime(m, slot);
  stream_cell(&s->io, &lifetime, sizeof lifetime);
  if (lifetime == 0)
    return;
  uint64_t left = stream_number(&s->io, s->reads ? 0 : sp_wheel_left(&m->lives, slot), sizeof left);
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

static void count_object(sp_pool *p, uint32_t slot)
{
  sp_object_initialise(p, slot);
  sp_pool_count_made(p); /* it counts as in transition until it is in the idle ring */
}

static void visit_object(save *s, sp_pool *p, uint32_t slot)
{
  const sp_manager *m = s->m;
  sp_life *life = sp_slot_life(m, slot);
  const bool is_live = life->generation & 1;
  if (s->reads) {
    count_object(p, slot);
    p->in_transition -= is_live;
  }
  if (is_live)
    stream_cell(&s->io, &life->serial, sizeof life->serial);
  else
    life->serial = visit_flag(s, life->serial != 0) ? s->reads ? 1 : life->serial : 0;
  expect(s, life->serial <= m->serial);
  if (is_live)
    visit_end(s, slot);
  visit_cells(s, p, slot, is_live ? p->layout.all : p->layout.kept);
}

static void visit_generation(save *s, uint32_t *generation)
{
  uint32_t saved = visit_32(s, *generation) + s->shift;
  if (s->reads)
    *generation = saved;
  expect(s, saved >= s->m->first_generation && saved <= s->m->last_generation);
}

static void visit_chunk(save *s, sp_pool *p, uint32_t number)
{
  sp_lives *lives = sp_lives_of(&s->m->slots.chunks[number]);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    visit_generation(s, &lives->life[i].generation);
  if (p)
    stream_cell(&s->io, &lives->made, sizeof lives->made);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS && s->io.why == SP_OK; i++)
    if (p && sp_bit(&lives->made, i))
      visit_object(s, p, number * SP_CHUNK_SLOTS + i);
    else
      expect(s, (lives->life[i].generation & 1) == 0);
}

/* Reads a chunk that rests. */
static void read_rest(sp_manager *m, sp_pool *p, uint32_t number, uint32_t rest)
{
  for (uint32_t i = 0; p && i < SP_CHUNK_SLOTS; i++)
    count_object(p, number * SP_CHUNK_SLOTS + i);
  sp_chunk_set_rest(&m->slots.chunks[number], rest);
}

/* Makes a chunk with a number that is free. Those of a region come one after the other. */
static bool read_chunk(save *s, sp_pool *p, uint32_t number, uint32_t label)
{
  sp_manager *m = s->m;
  bool is_free = number < m->chunk_count && !sp_chunk_owner(&m->slots.chunks[number]);
  if (!expect(s, is_free) ||
      !expect(s, !p || number % SP_REGION == 0 || sp_chunk_owner(&m->slots.chunks[number - 1]) == p) ||
      !need(s, p ? sp_chunk_add_at(p, number) : sp_slots_make(m, number), SP_MEMORY))
    return false;
  sp_lives *lives = sp_lives_of(&m->slots.chunks[number]);
  lives->number = label;
  if (p)
    p->seats[lives->position].label = label;
  return true;
}

/* Goes over the chunks of a pool, or of none. */
static void visit_chunks(save *s, sp_pool *p)
{
  for (sp_stretch of = {0}; s->io.why == SP_OK;) {
    bool is_more = visit_flag(s, !s->reads && sp_next_stretch(s->m, p, &of));
    if (!is_more)
      return;
    of.seat.chunk = visit_32(s, of.seat.chunk);
    of.seat.label = visit_32(s, of.seat.label);
    of.count = visit_32(s, of.count);
    bool rests = visit_flag(s, of.seat.rest != SP_RESTLESS), has_lived = visit_flag(s, !(of.seat.rest & 1));
    uint32_t generation = of.seat.rest & ~1u;
    if (rests)
      visit_generation(s, &generation);
    expect(s, of.count > 0 && (rests ? generation % 2 == 0 : of.count == 1));
    for (uint32_t i = 0; s->reads && i < of.count && s->io.why == SP_OK; i++)
      if (read_chunk(s, p, of.seat.chunk + i, of.seat.label + i) && rests)
        read_rest(s->m, p, of.seat.chunk + i, generation | !has_lived);
    if (!rests && s->io.why == SP_OK)
      visit_chunk(s, p, of.seat.chunk);
  }
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
    const sp_seat *seat = &p->seats[i];
    p->next_number -= seat->chunk % SP_REGION == 0;
    bool is_last = i + 1 == p->chunk_count || seat[1].chunk / SP_REGION != seat->chunk / SP_REGION;
    if (!is_last || (seat->chunk + 1) % SP_REGION == 0)
      continue;
    p->next_chunk = seat->chunk + 1; /* only one region is not full */
    partial++;
  }
  expect(s, partial <= 1);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    expect(s, p->seats[i].label / SP_REGION < p->next_number);
  p->destroyed = p->created - p->made;
  sp_pool_set_dirty(p, (p->view.dirty | p->layout.restless) & p->layout.all & ~p->layout.kept);
  if (p->ages.ring && need(s, sp_ages_reserve_count(&p->ages, m, sp_live_count(p)), SP_MEMORY))
    sp_pool_refill_ages(p);
}

/* Bits of `alive`, which is not used yet, mark the slots that have been listed. */
static bool read_idle(save *s, sp_pool *p, uint32_t slot)
{
  sp_manager *m = s->m;
  if (!expect(s, slot < m->slots.slot_count && sp_slot_pool(m, slot) == p && p->in_transition > 0))
    return false;
  sp_lives *lives = sp_slot_lives(m, slot);
  uint32_t at = slot & SP_CHUNK_MASK;
  if (!expect(s, sp_bit(&lives->made, at) && !(lives->life[at].generation & 1) && !sp_bit(&lives->alive, at)))
    return false;
  sp_bit_set(&lives->alive, at);
  p->in_transition--;
  sp_idle_push(&p->idle, slot);
  return true;
}

static void visit_idle(save *s, sp_pool *p)
{
  uint32_t count = 0;
  for (sp_idle_walk w = {0}; !s->reads && sp_idle_next_run(&p->idle, &w);)
    count++;
  count = visit_32(s, count);
  sp_idle_walk walk = {0};
  for (uint32_t i = 0; i < count && s->io.why == SP_OK; i++) {
    if (!s->reads)
      sp_idle_next_run(&p->idle, &walk);
    uint32_t slot = visit_32(s, walk.run.first), length = visit_32(s, (uint32_t)walk.run.count);
    bool is_down = length > INT32_MAX;
    for (uint32_t left = is_down ? 0 - length : length; s->reads && left > 0 && read_idle(s, p, slot); left--)
      slot += is_down ? UINT32_MAX : 1;
  }
  if (s->reads && expect(s, p->in_transition == 0))
    settle_pool(s, p);
}

static bool has_a_place(const sp_manager *m, uint32_t slot)
{
  return slot < m->slots.slot_count && sp_slot_life(m, slot)->generation & 1 && sp_slot_pool(m, slot)->spatial;
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
  return (!timer->owner || sp_ref_is_live(m, timer->owner)) && timer->from - m->time <= most &&
         sp_timer_wait(m, timer) <= most;
}

static void visit_record(save *s, uint32_t index)
{
  sp_manager *m = s->m;
  sp_timer_record timer = s->reads ? (sp_timer_record){0} : *sp_timer_at(m, index);
  stream_members(&s->io, sp_members_of_timer, &timer);
  visit_ref(s, &timer.owner);
  const bool is_used = sp_timer_is_used(&timer);
  uint64_t left = is_used && !s->reads ? sp_wheel_left(&m->fires, index) : 0;
  left = stream_number(&s->io, left, sizeof left);
  if (!s->reads || !expect(s, timer_makes_sense(m, &timer)) ||
      !expect(s, is_used ? left > 0 && left <= SP_MAX_TICKS - m->tick : left == 0))
    return;
  timer.next = is_used && !timer.owner ? 0 : UNLISTED; /* the manager's are in no list */
  *sp_timer_at(m, index) = timer;
  if (is_used && need(s, sp_timer_reserve(m, index), SP_MEMORY)) {
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
    if (!need(s, s->list_end != NULL, SP_MEMORY) || !expect(s, *s->list_end == 0))
      return;
    sp_pool_set_timers(sp_slot_pool(m, sp_ref_slot(timer->owner)));
  }
  *s->list_end = index + 1;
  timer->next = 0;
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
static const sp_member option_members[] = {
    OPTION(id, id), OPTION(first_generation, last_generation), OPTION(step, step), {0}};

static void visit_head(save *s, sp_manager_options *o)
{
  char magic[] = MAGIC;
  stream_bytes(&s->io, magic, sizeof magic - 1);
  if (!expect(s, strcmp(magic, MAGIC) == 0))
    return;
  uint32_t version = visit_32(s, VERSION);
  if (need(s, version <= VERSION, SP_NEWER) && expect(s, version == VERSION))
    stream_members(&s->io, option_members, o);
}

static void visit_host(save *s)
{
  sp_manager *m = s->m;
  s->host_size = stream_number(&s->io, s->reads ? 0 : sp_host_size(m), sizeof s->host_size);
  while (s->host_room < s->host_size && s->io.why == SP_OK) {
    uint64_t done = s->host_room, want = !s->reads ? s->host_size : done ? done * 2 : STREAM_BUFFER;
    want = want < s->host_size ? want : s->host_size;
    unsigned char *host = want <= SIZE_MAX ? sp_memory_resize(&m->memory, s->host, (size_t)done, (size_t)want) : NULL;
    if (!need(s, host != NULL, SP_MEMORY))
      return;
    s->host = host;
    s->host_room = want;
    if (!s->reads)
      m->host.write(m->host.ud, host, (size_t)want);
    stream_bytes(&s->io, host + done, (size_t)(want - done));
  }
}

static void visit_all(save *s)
{
  sp_manager *m = s->m;
  stream_members(&s->io, sp_members_of_manager, m);
  if (s->reads && expect(s, m->spare <= m->step)) {
    m->time = (double)m->tick * m->step + m->spare;
    m->lives.now = m->fires.now = m->tick;
  }
  uint32_t pools = visit_32(s, m->pool_count), chunks = visit_32(s, m->chunk_count);
  for (uint32_t i = 0; i < pools && s->io.why == SP_OK; i++)
    visit_pool(s, s->reads ? NULL : m->pools[i]);
  if (!expect(s, chunks <= SP_MAX_CHUNKS && chunks % SP_REGION == 0) ||
      (s->reads && !need(s, sp_slots_open(m, chunks), SP_MEMORY)))
    return;
  for (uint32_t i = 0; i < pools && s->io.why == SP_OK; i++)
    visit_chunks(s, m->pools[i]);
  visit_chunks(s, NULL);
  for (uint32_t i = 0; i < pools && s->io.why == SP_OK; i++)
    visit_idle(s, m->pools[i]);
  visit_each(s, sp_next_child, visit_child);
  visit_timers(s);
  visit_host(s);
  stream_end(&s->io);
}

sp_result sp_manager_save(const sp_manager *m, sp_write_fn write, void *ud)
{
  sp_manager *held = (sp_manager *)m; /* nothing of it changes but that */
  save s = {.io = {.write = write, .ud = ud, .sum = SP_SUM_BEGIN}, .m = held};
  sp_manager_options o = {
      .first_generation = m->first_generation, .last_generation = m->last_generation, .step = m->step};
  o.id = m->has_own_id ? (uint8_t)(m->slots.id_bits >> 24) : 0; /* the bytes do not depend on one that it was given */
  s.id_bits = (uint32_t)(o.id ? o.id : ANY_ID) << 24;
  if (sp_manager_is_busy(m))
    return SP_BUSY;
  sp_pools_settle(held);
  sp_manager_hold(held);
  visit_head(&s, &o);
  visit_all(&s);
  sp_memory_free(&held->memory, s.host, (size_t)s.host_room);
  sp_manager_release(held);
  return s.io.why;
}

/* Opens the manager. What is wrong with a save is not told as what is wrong with the host's options. */
static void open_manager(save *s, const sp_manager_options *options)
{
  sp_log log = {options->on_log, options->log_ud, ""};
  sp_manager_options saved = {0}, o = *options;
  sp_result why = SP_OK;
  visit_head(s, &saved);
  if (!expect(s, saved.step != 0) || !need(s, sp_options_are_valid(&log, options), SP_INVALID) ||
      !need(s, o.step == 0 || o.step == saved.step, SP_INVALID))
    return;
  o.on_log = NULL;
  o.step = saved.step;
  o.id = o.id ? o.id : saved.id;
  o.first_generation = o.first_generation ? o.first_generation : saved.first_generation;
  o.last_generation = o.last_generation ? o.last_generation : saved.last_generation;
  s->shift = o.first_generation - saved.first_generation;
  s->id_bits = (uint32_t)(saved.id ? saved.id : ANY_ID) << 24;
  s->m = sp_manager_open(&o, &why);
  need(s, s->m != NULL, why == SP_MEMORY ? SP_MEMORY : SP_DAMAGED);
}

sp_manager *sp_manager_load(const sp_manager_options *options, sp_read_fn read, void *ud, sp_result *result)
{
  const sp_manager_options o = options ? *options : (sp_manager_options){0};
  save s = {.io = {.read = read, .ud = ud, .sum = SP_SUM_BEGIN}, .reads = true};
  open_manager(&s, &o);
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

/* }== */
