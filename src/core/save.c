/*
** Saves. The format is described once: each function named visit_... goes over a part of it, and a stream that writes or
** reads decides which way. It does not depend on the layout in memory, so that a later version may change that.
** docs/c.md says what the format promises. What is read is not trusted: each number is checked against what was read
** before it, memory is allocated in proportion to the bytes read, and a manager is returned only once the checksum is
** right.
*/
#include "core/busy.h"
#include "core/chunk.h"
#include "core/clock.h"
#include "core/facts.h"
#include "core/manager.h"
#include "core/parents.h"
#include "core/stream.h"
#include "core/timer.h"

#define MAGIC "spawnsav"
#define VERSION 1u
#define NO_OWNER UINT32_MAX

typedef struct save {
  sp_stream io;
  sp_manager *m;
  bool reads;
  uint32_t shift;      /* of what is read: added to every generation */
  uint32_t origin;     /* of what is read: the manager's part of the references */
  sp_result why;       /* SP_OK, or the reason why it fails although nothing is damaged */
  unsigned char *host; /* state; allocated */
  size_t host_size, host_room;
} save;

static bool expect(save *s, bool holds) { return sp_stream_expect(&s->io, holds); }

/* Ends the load unless `holds` is true, for this reason. */
static bool expect_or(save *s, bool holds, sp_result why)
{
  if (!holds && s->reads && !s->io.failed)
    s->why = why;
  return expect(s, holds);
}

static uint32_t visit_32(save *s, uint32_t number) { return (uint32_t)sp_stream_number(&s->io, number, 4); }

static bool visit_flag(save *s, bool flag)
{
  uint64_t number = sp_stream_number(&s->io, flag, 1);
  return expect(s, number <= 1) && number == 1;
}

/* {== Descriptions ======================================================= */

#define DESC(member, most) SP_MEMBER(sp_pool_desc, member, SP_MEMBER_SAVED, most)
#define CURVE(member) SP_MEMBER(sp_curve, member, SP_MEMBER_SAVED, 0)
#define FIELD(member, most) SP_MEMBER(sp_field, member, SP_MEMBER_SAVED, most)

/* Most limits are those of sp_add_pool. The first eight are in the order of their columns. */
static const sp_member desc_members[] = {
    DESC(x, 0),
    DESC(y, 0),
    DESC(vx, 0),
    DESC(vy, 0),
    DESC(ax, 0),
    DESC(ay, 0),
    DESC(angle, 0),
    DESC(spin, 0),
    DESC(spatial, 1),
    DESC(field_count, SP_MAX_FIELDS),
    DESC(curve_count, SP_MAX_CURVES),
    DESC(settings.prealloc, SP_MAX_SLOTS),
    DESC(settings.grow, 0),
    DESC(settings.limit, 0),
    DESC(settings.idle_limit, 0),
    DESC(settings.overflow, 0),
    DESC(settings.order, 0),
    DESC(motion.gravity, 0),
    DESC(motion.drag, 0),
    DESC(motion.face_velocity, 1),
    DESC(bounds.x, 0),
    DESC(bounds.y, 0),
    DESC(bounds.w, 0),
    DESC(bounds.h, 0),
    DESC(bounds.outside, 0),
    DESC(on_parent_end, 0),
    {0},
};

static const sp_member field_members[] = {FIELD(size, 256), FIELD(keep, 1), FIELD(live, 1), FIELD(ref, 1), {0}};

static const sp_member curve_members[] = {
    CURVE(column),    CURVE(offset),    CURVE(count),     CURVE(points[0]), CURVE(points[1]), CURVE(points[2]),
    CURVE(points[3]), CURVE(points[4]), CURVE(points[5]), CURVE(points[6]), CURVE(points[7]), {0},
};

/* A description, and what it points to. */
typedef struct described {
  sp_pool_desc desc;
  char type[SP_SAVE_NAME_MOST], names[SP_MAX_FIELDS][SP_SAVE_NAME_MOST];
  unsigned char initial[SP_MAX_FIELDS][256];
  sp_field fields[SP_MAX_FIELDS];
  sp_curve curves[SP_MAX_CURVES];
} described;

/* Describes a pool as sp_add_pool would make it. */
static void describe(const sp_pool *p, described *d)
{
  const sp_layout *l = &p->layout;
  d->desc = (sp_pool_desc){.type = p->type,
                           .settings = sp_pool_settings(p),
                           .spatial = p->spatial,
                           .field_count = l->field_count,
                           .motion = p->motion,
                           .bounds = p->bounds,
                           .curve_count = p->curve_count,
                           .on_parent_end = p->on_parent_end};
  for (int c = 0; p->spatial && c < SP_LOOK; c++)
    memcpy((unsigned char *)&d->desc + desc_members[c].offset, l->initial + l->columns[c].initial, sizeof(float));
  if (p->spatial)
    memcpy(&d->desc.look, l->initial + l->columns[SP_LOOK].initial, sizeof d->desc.look);
  for (int i = 0; i < l->field_count; i++) {
    const sp_column_layout *c = &l->columns[SP_FIELDS + i];
    const uint64_t bit = (uint64_t)1 << (SP_FIELDS + i);
    d->fields[i] = (sp_field){.name = l->names[i], .size = (uint16_t)c->size};
    d->fields[i].keep = (l->kept & bit) != 0;
    d->fields[i].live = (l->live & bit) != 0;
    d->fields[i].ref = (l->refs & bit) != 0;
    memcpy(d->initial[i], l->initial + c->initial, c->size);
  }
  memcpy(d->curves, p->curves, sizeof d->curves);
}

static void visit_description(save *s, described *d)
{
  sp_pool_desc *desc = &d->desc;
  desc->type = sp_stream_text(&s->io, desc->type, d->type, sizeof d->type);
  sp_stream_members(&s->io, desc_members, desc);
  sp_stream_members(&s->io, sp_members_of_look, &desc->look);
  for (int i = 0; i < desc->field_count; i++) {
    sp_field *field = &d->fields[i];
    field->name = sp_stream_text(&s->io, field->name, d->names[i], sizeof d->names[i]);
    sp_stream_members(&s->io, field_members, field);
    sp_stream_cell(&s->io, d->initial[i], field->size);
    field->initial = d->initial[i];
  }
  for (int i = 0; i < desc->curve_count; i++)
    sp_stream_members(&s->io, curve_members, &d->curves[i]);
  desc->fields = d->fields;
  desc->curves = d->curves;
  desc->look.exact = 1;
}

/* }== */

/* {== Pools ============================================================== */

/* Opens a pool, without objects as yet. NULL when that is refused. */
static sp_pool *open_pool(save *s, sp_pool_desc *desc)
{
  uint32_t prealloc = desc->settings.prealloc;
  sp_result why = SP_OK;
  desc->settings.prealloc = 0;
  sp_pool *p = s->io.failed ? NULL : sp_add_pool(s->m, desc, &why);
  if (!expect_or(s, p != NULL, why == SP_MEMORY ? SP_MEMORY : SP_OK))
    return NULL;
  sp_settings settings = p->settings;
  settings.prealloc = prealloc;
  sp_pool_set_settings(p, &settings, NULL);
  p->is_loaded = true;
  return p;
}

/* `created` is compared with the number of objects when all have been read. */
static void visit_pool(save *s, uint32_t index)
{
  described d = {.desc = {0}};
  if (!s->reads)
    describe(s->m->pools[index], &d);
  visit_description(s, &d);
  sp_pool *p = s->reads ? open_pool(s, &d.desc) : s->m->pools[index];
  if (!p)
    return;
  sp_stream_members(&s->io, sp_members_of_pool, p);
  if (s->reads) {
    sp_pool_set_dirty(p, (p->view.dirty | p->layout.restless) & p->layout.all & ~p->layout.kept);
    expect(s, p->expired <= p->recycles && p->evicted <= p->recycles - p->expired);
  }
}

/* Bits of `alive`, which is not used yet, mark the slots that have been listed. */
static bool push_idle(save *s, sp_pool *p, uint32_t slot)
{
  sp_manager *m = s->m;
  bool is_new = slot < m->slots.reach && sp_slot_pool(m, slot) == p && sp_bit(m->slots.made, slot) &&
                !(m->slots.life[slot].generation & 1) && !sp_bit(m->alive, slot);
  if (!expect(s, is_new))
    return false;
  sp_bit_set(m->alive, slot);
  p->loose--;
  sp_idle_push(&p->idle, slot);
  return true;
}

static void visit_idle(save *s, sp_pool *p)
{
  uint32_t count = visit_32(s, sp_idle_count(&p->idle));
  if (!expect(s, count == p->loose))
    return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t slot = visit_32(s, s->reads ? 0 : sp_idle_get(&p->idle, i));
    if (s->reads && !push_idle(s, p, slot))
      return;
  }
}

/* }== */

/* {== Objects ============================================================ */

/* Turns a reference of the saved manager into one of this manager. Another one stays as it is, unless it looks like one
   of this manager's: that becomes SP_NONE_REF. */
static sp_ref moved(const save *s, sp_ref ref)
{
  uint32_t base = (uint32_t)ref & ~(SP_MAX_SLOTS - 1);
  if (base == s->origin && sp_ref_generation(ref) >= s->m->first_generation - s->shift)
    return (ref & (SP_MAX_SLOTS - 1)) | s->m->slots.origin | (sp_ref)(sp_ref_generation(ref) + s->shift) << 32;
  return base == s->m->slots.origin ? SP_NONE_REF : ref;
}

static sp_ref visit_ref(save *s, sp_ref ref)
{
  ref = sp_stream_number(&s->io, ref, sizeof ref);
  return s->reads ? moved(s, ref) : ref;
}

static void visit_cells(save *s, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    void *cell = sp_slot_cell(p, slot, column);
    if (column == SP_LOOK)
      sp_stream_members(&s->io, sp_members_of_look, cell);
    else
      sp_stream_cell(&s->io, cell, p->layout.columns[column].size);
    if (s->reads && p->layout.refs >> column & 1)
      *(sp_ref *)cell = moved(s, *(sp_ref *)cell);
  }
}

static void set_end(save *s, uint32_t slot, double lifetime, uint64_t left)
{
  sp_manager *m = s->m;
  bool makes_sense = lifetime > 0 && lifetime < 1e300 && left <= SP_MAX_TICKS - m->tick;
  if (!expect(s, makes_sense) || !expect_or(s, sp_lives_reserve(m), SP_MEMORY))
    return;
  if (left == 0) {
    sp_expiry_set_over(&m->lives, slot, lifetime);
    return;
  }
  sp_expiry_set(&m->lives, slot, lifetime, m->tick + left);
  sp_expiry_note_late(&m->lives, slot);
}

/* The tick is written as what is left: it has few bits on a clock that has run for years. A life that was kept past its
   end has nothing left. */
static void visit_end(save *s, uint32_t slot)
{
  double lifetime = s->reads ? 0 : sp_slot_lifetime(s->m, slot);
  sp_stream_cell(&s->io, &lifetime, sizeof lifetime);
  if (lifetime == 0)
    return;
  uint64_t left = sp_stream_number(&s->io, s->reads ? 0 : sp_expiry_left(&s->m->lives, slot), sizeof left);
  if (s->reads)
    set_end(s, slot, lifetime, left);
}

static void visit_object(save *s, sp_pool *p, uint32_t slot)
{
  sp_manager *m = s->m;
  sp_life *life = &m->slots.life[slot];
  const bool is_live = life->generation & 1;
  if (s->reads) {
    sp_object_initialise(p, slot);
    sp_pool_count_made(p); /* it counts as loose until it is in the idle ring */
    m->chunks[slot >> SP_CHUNK_BITS].made++;
    p->loose -= is_live;
  }
  sp_stream_cell(&s->io, &life->serial, sizeof life->serial);
  expect(s, life->serial <= m->serial);
  if (is_live)
    visit_end(s, slot);
  visit_cells(s, p, slot, is_live ? p->layout.all : p->layout.kept);
}

/* }== */

/* {== Chunks ============================================================= */

static bool append_chunk(save *s, sp_pool *p, uint32_t ordinal)
{
  sp_manager *m = s->m;
  uint32_t next = p ? p->next_number : 0;
  if (!expect(s, !p || ordinal < next) || !expect_or(s, sp_chunk_append(m, p), SP_MEMORY))
    return false;
  m->chunks[m->chunk_count - 1].number = ordinal;
  if (p)
    p->next_number = next;
  return true;
}

static void visit_generation(save *s, uint32_t slot)
{
  sp_manager *m = s->m;
  uint32_t *generation = &m->slots.life[slot].generation;
  sp_stream_cell(&s->io, generation, sizeof *generation);
  if (s->reads)
    *generation += s->shift;
  expect(s, *generation >= m->first_generation && *generation <= m->last_generation);
}

static void visit_chunk(save *s, uint32_t number)
{
  sp_manager *m = s->m;
  const uint32_t first = number * SP_CHUNK_SLOTS;
  sp_pool *p = s->reads ? NULL : m->slots.owners[number];
  uint32_t owner = visit_32(s, p ? p->index : NO_OWNER), ordinal = visit_32(s, s->reads ? 0 : m->chunks[number].number);
  if (!expect(s, owner == NO_OWNER || owner < m->pool_count))
    return;
  p = owner == NO_OWNER ? NULL : m->pools[owner];
  if (s->reads && !append_chunk(s, p, ordinal))
    return;
  for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS; slot++)
    visit_generation(s, slot);
  for (uint32_t word = 0; p && word < SP_CHUNK_WORDS; word++)
    sp_stream_cell(&s->io, &m->slots.made[number * SP_CHUNK_WORDS + word], sizeof *m->slots.made);
  for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS && !s->io.failed; slot++)
    if (p && sp_bit(m->slots.made, slot))
      visit_object(s, p, slot);
    else
      expect(s, (m->slots.life[slot].generation & 1) == 0);
}

/* Each object was counted once more when it was read. */
static void settle_created(save *s)
{
  for (uint32_t i = 0; i < s->m->pool_count; i++) {
    sp_pool *p = s->m->pools[i];
    p->created -= p->made;
    expect(s, p->created >= p->made && p->peak >= p->made - p->loose);
    p->destroyed = p->created - p->made;
  }
}

/* }== */

/* {== Parents ============================================================ */

static const sp_family *saved_family(const sp_manager *m, uint32_t slot)
{
  const sp_family *family = m->slots.owners[slot >> SP_CHUNK_BITS] ? m->chunks[slot >> SP_CHUNK_BITS].family : NULL;
  return family ? &family[slot & SP_CHUNK_MASK] : NULL;
}

/* Goes on from a child and its parent, slots plus one, to the next two; the child becomes 0 at the end. The last child
   comes first: each that is linked comes before those that are. */
static void next_child(const sp_manager *m, uint32_t *child, uint32_t *parent)
{
  *child = *child ? saved_family(m, *child - 1)->previous : 0;
  while (!*child && *parent < m->slots.reach) {
    const sp_family *family = saved_family(m, (*parent)++);
    for (uint32_t next = family ? family->first : 0; next; next = saved_family(m, next - 1)->next)
      *child = next;
  }
}

static bool has_a_place(const sp_manager *m, uint32_t slot)
{
  return slot < m->slots.reach && m->slots.life[slot].generation & 1 && sp_slot_pool(m, slot) &&
         sp_slot_pool(m, slot)->spatial;
}

/* Checks that no object is its own ancestor: from each, parents are followed to one that is known to end. */
static bool are_parents_sound(const sp_manager *m)
{
  if (m->slots.reach > 0)
    memset(m->alive, 0, m->slots.reach / 8);
  for (uint32_t slot = 0; slot < m->slots.reach; slot++) {
    uint32_t at = slot, steps = 0;
    for (; m->slots.owners[at >> SP_CHUNK_BITS] && !sp_bit(m->alive, at) && sp_slot_parent(m, at); steps++) {
      if (steps > m->slots.reach)
        return false;
      at = sp_ref_slot(sp_slot_parent(m, at));
    }
    for (at = slot; steps > 0; steps--) {
      sp_bit_set(m->alive, at);
      at = sp_ref_slot(sp_slot_parent(m, at));
    }
  }
  return true;
}

static void visit_parents(save *s)
{
  sp_manager *m = s->m;
  for (uint32_t child = 0, parent = 0;;) {
    if (!s->reads)
      next_child(m, &child, &parent);
    child = visit_32(s, child);
    if (child == 0)
      break;
    parent = visit_32(s, parent);
    if (!s->reads)
      continue;
    bool fits = has_a_place(m, child - 1) && has_a_place(m, parent - 1) && !sp_slot_parent(m, child - 1);
    if (!expect(s, fits) || !expect_or(s, sp_parents_link(m, child - 1, parent - 1), SP_MEMORY))
      return;
  }
  expect(s, !s->reads || are_parents_sound(m));
}

/* }== */

/* {== Timers ============================================================= */

static bool timer_makes_sense(const sp_manager *m, const sp_timer_record *timer)
{
  const double most = 2 * SP_MAX_LIFETIME; /* from now to when it is due */
  if (!sp_timer_is_used(timer))
    return timer->owner == SP_NONE_REF;
  return (timer->owner ? sp_ref_is_live(m, timer->owner) : timer->next == 0) && timer->from - m->time <= most &&
         sp_timer_wait(m, timer) <= most;
}

/* Begins the list of timers of a life, and notes that its pool has timers. */
static bool begin_list(save *s, sp_ref owner, uint32_t first)
{
  uint32_t slot = sp_ref_slot(owner), *link = NULL;
  if (!expect(s, owner != SP_NONE_REF))
    return false;
  link = sp_timer_first(s->m, slot, true);
  if (!expect_or(s, link != NULL, SP_MEMORY) || !expect(s, *link == 0))
    return false;
  *link = first;
  sp_pool_set_timers(sp_slot_pool(s->m, slot));
  return true;
}

static void visit_record(save *s, uint32_t index)
{
  sp_manager *m = s->m;
  sp_timer_record timer = s->reads ? (sp_timer_record){0} : m->timers[index];
  sp_stream_members(&s->io, sp_members_of_timer, &timer);
  timer.owner = visit_ref(s, timer.owner);
  const uint32_t *first = timer.owner && !s->reads ? sp_timer_first(m, sp_ref_slot(timer.owner), false) : NULL;
  bool is_first = visit_flag(s, first && *first == index + 1);
  if (s->reads && expect(s, timer_makes_sense(m, &timer)) && (!is_first || begin_list(s, timer.owner, index + 1)))
    m->timers[index] = timer;
}

/* Goes along a list of records that all have one owner, or none and are free, and counts them; UINT32_MAX when it leads
   elsewhere. */
static uint32_t count_list(const sp_manager *m, uint32_t at, uint32_t count, sp_ref owner)
{
  uint32_t length = 0;
  for (; at; at = m->timers[at - 1].next) {
    bool fits = at <= count && m->timers[at - 1].owner == owner;
    if (!fits || sp_timer_is_used(&m->timers[at - 1]) != (owner != SP_NONE_REF) || length++ == count)
      return UINT32_MAX;
  }
  return length;
}

/* Every record is in the list of its owner or in that of the free ones, or is the manager's: as many are in lists as
   there are others. A list that met another one would count its rest twice. */
static bool are_lists_sound(const sp_manager *m, uint32_t count, uint32_t free_timer)
{
  uint64_t listed = count_list(m, free_timer, count, SP_NONE_REF);
  for (uint32_t i = 0; i < m->chunk_count && listed <= count; i++)
    for (uint32_t k = 0; m->slots.owners[i] && m->chunks[i].timers && k < SP_CHUNK_SLOTS && listed <= count; k++)
      if (m->chunks[i].timers[k])
        listed += count_list(m, m->chunks[i].timers[k], count, sp_ref_make(m, i * SP_CHUNK_SLOTS + k));
  for (uint32_t i = 0; i < count && listed <= count; i++)
    listed += sp_timer_is_used(&m->timers[i]) && !m->timers[i].owner;
  return listed == count;
}

/* Every record with its place in the list of its life, or in that of the free ones. */
static void visit_records(save *s)
{
  sp_manager *m = s->m;
  uint32_t count = visit_32(s, m->timer_capacity);
  for (uint32_t i = 0; i < count && !s->io.failed; i++) {
    if (i == m->timer_capacity) {
      m->free_timer = 0;
      if (!expect_or(s, sp_timers_reserve(m, i ? i * 2 : 16), SP_MEMORY))
        return;
    }
    visit_record(s, i);
  }
  uint32_t free_timer = visit_32(s, m->free_timer);
  if (s->reads && !s->io.failed && expect(s, are_lists_sound(m, count, free_timer)))
    sp_timers_restore(m, m->timers, count, free_timer);
}

/* Goes on to the next item that is armed and its ring; 0 at the end. */
static uint32_t next_armed(const sp_wheel *wheel, uint32_t *ring, uint32_t node)
{
  node = wheel->links ? wheel->links[node].next : 0;
  while (wheel->links && node == *ring && ++*ring < SP_WHEEL_RINGS)
    node = wheel->links[*ring].next;
  return *ring < SP_WHEEL_RINGS ? node : 0;
}

/* Returns whether a timer that is due at `due` may be in this ring. */
static bool fits_ring(const sp_manager *m, uint32_t ring, uint32_t due)
{
  if (ring < SP_WHEEL_TURN)
    return due % SP_WHEEL_TURN == ring && due - (uint32_t)m->tick < SP_WHEEL_TURN;
  return ring < 2 * SP_WHEEL_TURN && due / SP_WHEEL_TURN % SP_WHEEL_TURN == ring - SP_WHEEL_TURN;
}

static bool link_armed(save *s, uint32_t node, uint32_t ring, uint32_t due)
{
  sp_manager *m = s->m;
  uint32_t index = node - SP_WHEEL_RINGS;
  bool fits = index < m->timer_capacity && sp_timer_is_used(&m->timers[index]) &&
              !sp_wheel_is_armed(&m->fires, index) && due != 0 && fits_ring(m, ring, due);
  if (!expect(s, fits))
    return false;
  m->fires.links[node].due = due;
  sp_wheel_link(&m->fires, node, ring);
  return true;
}

/* Timers that are due at the same tick fire in the order in which they hang in its ring. */
static void visit_rings(save *s)
{
  sp_wheel *wheel = &s->m->fires;
  uint32_t unarmed = 0;
  for (uint32_t i = 0; i < s->m->timer_capacity; i++)
    unarmed += sp_timer_is_used(&s->m->timers[i]);
  wheel->cut = visit_flag(s, wheel->cut);
  for (uint32_t node = 0, ring = 0;; unarmed--) {
    node = visit_32(s, s->reads ? 0 : next_armed(wheel, &ring, node));
    if (node == 0)
      break;
    ring = visit_32(s, ring);
    uint32_t due = visit_32(s, s->reads ? 0 : wheel->links[node].due);
    if (s->reads && !link_armed(s, node, ring, due))
      return;
  }
  expect(s, unarmed == 0);
}

/* }== */

/* {== The manager ======================================================== */

typedef struct head {
  uint8_t id;
  uint32_t first, last;
  double step;
  uint32_t pools, chunks;
} head;

#define HEAD(member, most) SP_MEMBER(head, member, SP_MEMBER_SAVED, most)
static const sp_member head_members[] = {
    HEAD(id, 0), HEAD(first, 0), HEAD(last, 0), HEAD(step, 0), HEAD(pools, 0), HEAD(chunks, SP_MAX_CHUNKS), {0}};

static void visit_head(save *s, head *h)
{
  char magic[] = MAGIC;
  sp_stream_bytes(&s->io, magic, sizeof magic - 1);
  if (!expect(s, strcmp(magic, MAGIC) == 0))
    return;
  uint32_t version = visit_32(s, VERSION);
  if (expect_or(s, version <= VERSION, SP_NEWER) && expect(s, version == VERSION))
    sp_stream_members(&s->io, head_members, h);
}

/* Opens the manager. The host's callbacks are set only when everything has been read. */
static void open_manager(save *s, const sp_options *options, const head *h)
{
  sp_options o = {.memory = options->memory, .memory_ud = options->memory_ud, .step = h->step};
  o.id = options->id ? options->id : h->id;
  o.first_generation = options->first_generation ? options->first_generation : h->first;
  o.last_generation = options->last_generation ? options->last_generation : h->last;
  s->shift = o.first_generation - h->first;
  s->origin = (uint32_t)h->id << 24;
  sp_result why = SP_OK;
  if (!expect(s, h->id != 0 && h->step != 0) ||
      !expect_or(s, options->step == 0 || options->step == h->step, SP_INVALID))
    return;
  s->m = sp_open(&o, &why);
  expect_or(s, s->m != NULL, why == SP_MEMORY ? SP_MEMORY : SP_OK);
}

static void visit_clock(save *s)
{
  sp_manager *m = s->m;
  sp_stream_members(&s->io, sp_members_of_manager, m);
  if (!s->reads || !expect(s, m->spare <= m->step))
    return;
  m->time = (double)m->tick * m->step + m->spare;
  m->lives.now = m->fires.now = m->tick;
}

static void visit_host(save *s)
{
  uint64_t size = sp_stream_number(&s->io, s->host_size, sizeof size), done = 0;
  while (done < size && !s->io.failed) {
    if (done == s->host_room) {
      uint64_t want = done ? done * 2 : SP_STREAM_BUFFER;
      unsigned char *host = sp_memory_resize(&s->m->memory, s->host, s->host_room, want < size ? want : size);
      if (!expect_or(s, host != NULL, SP_MEMORY))
        return;
      s->host = host;
      s->host_room = want < size ? want : size;
    }
    sp_stream_bytes(&s->io, s->host + done, s->host_room - done);
    done = s->host_room;
  }
  s->host_size = size;
}

static void visit_all(save *s, const head *h)
{
  sp_manager *m = s->m;
  visit_clock(s);
  for (uint32_t i = 0; i < h->pools && !s->io.failed; i++)
    visit_pool(s, i);
  for (uint32_t i = 0; i < h->chunks && !s->io.failed; i++)
    visit_chunk(s, i);
  if (s->reads)
    settle_created(s);
  for (uint32_t i = 0; i < h->pools && !s->io.failed; i++)
    visit_idle(s, m->pools[i]);
  visit_parents(s);
  visit_records(s);
  visit_rings(s);
  visit_host(s);
  sp_stream_end(&s->io);
}

static bool are_names_short(const sp_manager *m)
{
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (strlen(m->pools[i]->type) >= SP_SAVE_NAME_MOST || !sp_layout_names_fit(&m->pools[i]->layout, SP_SAVE_NAME_MOST))
      return false;
  return true;
}

sp_result sp_save(const sp_manager *m, sp_write_fn write, void *ud)
{
  if (sp_is_busy(m))
    return SP_BUSY;
  if (!are_names_short(m))
    return SP_INVALID;
  sp_manager *held = (sp_manager *)m; /* nothing of it changes but that */
  save s = {.io = {.write = write, .ud = ud, .sum = SP_SUM_BEGIN}, .m = held};
  head h = {(uint8_t)(m->slots.origin >> 24),
            m->first_generation,
            m->last_generation,
            m->step,
            m->pool_count,
            m->chunk_count};
  sp_manager_hold(held);
  s.host_size = s.host_room = sp_host_size(m);
  s.host = s.host_size > 0 ? sp_memory_resize(&held->memory, NULL, 0, s.host_size) : NULL;
  if (s.host)
    m->host.write(m->host.ud, s.host, s.host_size);
  if (s.host || s.host_size == 0) {
    visit_head(&s, &h);
    visit_all(&s, &h);
  } else {
    s.why = SP_MEMORY;
  }
  sp_memory_free(&held->memory, s.host, s.host_room);
  sp_manager_release(held);
  return s.why != SP_OK ? s.why : s.io.failed ? SP_FAILED : SP_OK;
}

/* Computes what is not in the save, and makes the manager the host's. */
static void settle(save *s, const sp_options *o)
{
  sp_manager *m = s->m;
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    if (p->ages.ring && expect_or(s, sp_ages_reserve_count(&p->ages, m, sp_live_count(p)), SP_MEMORY))
      sp_ages_refill(&p->ages, p);
  }
  m->log = (sp_log){o->on_log, o->log_ud};
  m->on_assert = o->on_assert;
  m->assert_ud = o->assert_ud;
  m->on_timer = o->on_timer;
  m->on_timer_end = o->on_timer_end;
  m->timer_ud = o->timer_ud;
  m->host = o->host;
  sp_result why = s->io.failed ? SP_OK : sp_host_read(m, s->host_size > 0 ? s->host : NULL, s->host_size);
  expect_or(s, why == SP_OK, why);
}

sp_manager *sp_load(const sp_options *options, sp_read_fn read, void *ud, sp_result *result)
{
  static const sp_options none = {0};
  save s = {.io = {.read = read, .ud = ud, .sum = SP_SUM_BEGIN}, .reads = true};
  head h = {0};
  visit_head(&s, &h);
  if (!s.io.failed)
    open_manager(&s, options ? options : &none, &h);
  if (!s.io.failed)
    visit_all(&s, &h);
  if (!s.io.failed)
    settle(&s, options ? options : &none);
  if (s.m)
    sp_memory_free(&s.m->memory, s.host, s.host_room);
  if (!s.io.failed)
    return s.m;
  sp_discard(s.m); /* NULL is allowed */
  if (result)
    *result = s.why != SP_OK ? s.why : SP_DAMAGED;
  return NULL;
}

/* }== */
