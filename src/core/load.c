/*
** Reads a save. No number is trusted: each is checked against what was read before it, memory is allocated in
** proportion to the bytes read, and the manager is returned only once the checksum is right.
*/
#include "core/load.h"

#include <math.h>

#include "core/chunk.h"
#include "core/clock.h"
#include "core/facts.h"
#include "core/load_pool.h"
#include "core/parents.h"
#include "core/timer.h"

bool sp_load_remember(sp_loader *l, bool got)
{
  if (!got) {
    l->why = SP_MEMORY;
    l->r.failed = true;
  }
  return got;
}

/* {== Chunks ============================================================= */

/* Turns a reference of the saved manager into one of this manager. Another one stays as it is, unless it looks like one
   of this manager's: that becomes SP_NONE_REF. */
static sp_ref moved(const sp_loader *l, sp_ref ref)
{
  uint32_t base = (uint32_t)ref & ~(SP_MAX_SLOTS - 1);
  if (base == l->origin && sp_ref_generation(ref) >= l->m->first_generation - l->shift)
    return (ref & (SP_MAX_SLOTS - 1)) | l->m->slots.origin | (sp_ref)(sp_ref_generation(ref) + l->shift) << 32;
  return base == l->m->slots.origin ? SP_NONE_REF : ref;
}

static void read_columns(sp_loader *l, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  sp_reader *r = &l->r;
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    if (column == SP_LOOK)
      sp_load_look(r, sp_slot_cell(p, slot, column));
    else if (p->layout.refs >> column & 1)
      *(sp_ref *)sp_slot_cell(p, slot, column) = moved(l, sp_read_number(r, sizeof(sp_ref)));
    else
      sp_read_cell(r, sp_slot_cell(p, slot, column), p->layout.columns[column].size);
  }
}

static void read_end(sp_loader *l, uint32_t slot)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  if (sp_read_number(r, 1) == 0)
    return;
  double lifetime = sp_read_double(r);
  uint64_t left = sp_read_number(r, 8);
  bool makes_sense = lifetime > 0 && lifetime < 1e300 && left <= SP_MAX_TICKS - m->tick;
  if (!sp_read_expect(r, makes_sense) || !sp_load_remember(l, sp_lives_reserve(m)))
    return;
  if (left == 0) {
    sp_expiry_set_over(&m->lives, slot, lifetime);
    return;
  }
  sp_expiry_set(&m->lives, slot, lifetime, m->tick + left);
  sp_expiry_note_late(&m->lives, slot);
}

static void read_object(sp_loader *l, sp_pool *p, uint32_t slot)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  bool is_live = m->slots.life[slot].generation & 1;
  sp_object_initialise(p, slot);
  m->slots.life[slot].serial = sp_read_number(r, 8);
  if (!sp_read_expect(r, m->slots.life[slot].serial <= m->serial))
    return;
  sp_pool_count_made(p); /* it counts as loose until it is in the idle ring */
  m->chunks[slot >> SP_CHUNK_BITS].made++;
  if (is_live) {
    p->loose--;
    read_end(l, slot);
  }
  read_columns(l, p, slot, is_live ? p->layout.all : p->layout.kept);
}

static void read_generations(sp_loader *l, uint32_t first)
{
  sp_manager *m = l->m;
  for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS; slot++) {
    uint32_t generation = (uint32_t)sp_read_number(&l->r, 4) + l->shift;
    m->slots.life[slot].generation = generation;
    sp_read_expect(&l->r, generation >= m->first_generation && generation <= m->last_generation);
  }
}

static void read_chunk(sp_loader *l, uint32_t number)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  uint32_t owner = (uint32_t)sp_read_number(r, 4), first = number * SP_CHUNK_SLOTS;
  uint32_t ordinal = (uint32_t)sp_read_number(r, 4);
  if (!sp_read_expect(r, owner == SP_NO_OWNER || owner < m->pool_count))
    return;
  sp_pool *p = owner == SP_NO_OWNER ? NULL : m->pools[owner];
  uint32_t next = p ? p->next_number : 0;
  if (!sp_read_expect(r, !p || ordinal < next) || !sp_load_remember(l, sp_chunk_append(m, p)))
    return;
  m->chunks[number].number = ordinal;
  if (p)
    p->next_number = next;
  read_generations(l, first);
  for (uint32_t word = 0; p && word < SP_CHUNK_WORDS; word++)
    m->slots.made[number * SP_CHUNK_WORDS + word] = sp_read_number(r, 8);
  for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS && !r->failed; slot++)
    if (p && sp_bit(m->slots.made, slot))
      read_object(l, p, slot);
    else
      sp_read_expect(r, (m->slots.life[slot].generation & 1) == 0);
}

static void read_chunks(sp_loader *l)
{
  const sp_manager *m = l->m;
  for (uint32_t i = 0; i < l->chunk_count && !l->r.failed; i++)
    read_chunk(l, i);
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    p->created -= p->made; /* each of them was counted once more when it was read */
    sp_read_expect(&l->r, p->created >= p->made);
    p->destroyed = p->created - p->made;
  }
}

/* }== */

/* {== Idle objects ======================================================= */

/* Bits of `alive`, which is not used yet, mark the slots that have been listed. */
static bool is_new_idle(const sp_manager *m, const sp_pool *p, uint32_t slot)
{
  return slot < m->slots.reach && sp_slot_pool(m, slot) == p && sp_bit(m->slots.made, slot) &&
         !(m->slots.life[slot].generation & 1) && !sp_bit(m->alive, slot);
}

static void read_idle(sp_loader *l, sp_pool *p)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  uint32_t count = (uint32_t)sp_read_number(r, 4);
  bool makes_sense = count == p->loose;
  for (uint32_t i = 0; sp_read_expect(r, makes_sense) && i < count; i++) {
    uint32_t slot = (uint32_t)sp_read_number(r, 4);
    makes_sense = is_new_idle(m, p, slot);
    if (!sp_read_expect(r, makes_sense))
      return;
    sp_bit_set(m->alive, slot);
    p->loose--;
    sp_idle_push(&p->idle, slot);
  }
}

/* }== */

/* {== Parents ============================================================ */

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

static void read_parents(sp_loader *l)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  uint32_t count = (uint32_t)sp_read_number(r, 4);
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    uint32_t child = (uint32_t)sp_read_number(r, 4), parent = (uint32_t)sp_read_number(r, 4);
    if (!sp_read_expect(r, has_a_place(m, child) && has_a_place(m, parent) && !sp_slot_parent(m, child)))
      return;
    sp_load_remember(l, sp_parents_link(m, child, parent));
  }
  sp_read_expect(r, r->failed || are_parents_sound(m));
}

/* }== */

/* {== Timers ============================================================= */

/* Begins the list of timers of a slot, and notes that its pool has timers. */
static bool begin_list(sp_loader *l, uint32_t slot, uint32_t first)
{
  uint32_t *link = sp_timer_first(l->m, slot, true);
  if (!sp_load_remember(l, link != NULL) || !sp_read_expect(&l->r, *link == 0))
    return false;
  *link = first;
  sp_pool_set_timers(sp_slot_pool(l->m, slot));
  return true;
}

static bool timer_makes_sense(const sp_manager *m, const sp_timer_record *timer)
{
  const double most = 2 * SP_MAX_LIFETIME; /* from now to when it is due */
  bool has_period = timer->period >= 0 && timer->period <= SP_MAX_LIFETIME;
  return has_period && timer->from >= 0 && timer->from - m->time <= most && timer->fired < SP_MAX_TICKS &&
         sp_timer_wait(m, timer) <= most;
}

/* Reads whose timer it is; false when that makes no sense. */
static bool read_owner(sp_loader *l, sp_timer_record *timer, uint32_t index)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  if (sp_read_number(r, 1) == 0)
    return true; /* it is the manager's own */
  uint32_t slot = (uint32_t)sp_read_number(r, 4);
  bool is_first = sp_read_number(r, 1) == 1;
  bool is_owned = slot < m->slots.reach && m->slots.life[slot].generation & 1 && sp_slot_pool(m, slot);
  if (!sp_read_expect(r, is_owned) || (is_first && !begin_list(l, slot, index + 1)))
    return false;
  timer->owner = sp_ref_make(m, slot);
  return true;
}

static void read_record(sp_loader *l, uint32_t index)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  sp_timer_record timer = {.stamp = (uint32_t)sp_read_number(r, 4), .next = (uint32_t)sp_read_number(r, 4)};
  if (sp_timer_is_used(&timer)) {
    if (!read_owner(l, &timer, index))
      return;
    timer.from = sp_read_double(r);
    timer.period = sp_read_double(r);
    timer.fired = sp_read_number(r, 8);
    bool makes_sense = timer_makes_sense(m, &timer) && (timer.owner || timer.next == 0);
    if (!sp_read_expect(r, makes_sense))
      return;
  }
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

static uint32_t read_records(sp_loader *l)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  uint32_t count = (uint32_t)sp_read_number(r, 4);
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    if (i == m->timer_capacity) {
      m->free_timer = 0;
      if (!sp_load_remember(l, sp_timers_reserve(m, i ? i * 2 : 16)))
        return 0;
    }
    read_record(l, i);
  }
  uint32_t free_timer = (uint32_t)sp_read_number(r, 4);
  if (!sp_read_expect(r, are_lists_sound(m, r->failed ? 0 : count, free_timer)))
    return 0;
  sp_timers_restore(m, m->timers, count, free_timer);
  return count;
}

/* Returns whether a timer that is due at `due` may be in this ring. */
static bool fits_ring(const sp_manager *m, uint32_t ring, uint32_t due)
{
  if (ring < SP_WHEEL_TURN)
    return due % SP_WHEEL_TURN == ring && due - (uint32_t)m->tick < SP_WHEEL_TURN;
  return ring < 2 * SP_WHEEL_TURN && due / SP_WHEEL_TURN % SP_WHEEL_TURN == ring - SP_WHEEL_TURN;
}

static void read_rings(sp_loader *l, uint32_t count)
{
  sp_reader *r = &l->r;
  sp_manager *m = l->m;
  uint32_t active = 0, armed = 0;
  for (uint32_t i = 0; i < count; i++)
    active += sp_timer_is_used(&m->timers[i]);
  m->fires.cut = sp_read_number(r, 1) == 1;
  for (uint32_t ring; (ring = (uint32_t)sp_read_number(r, 4)) != 0; armed++) {
    uint32_t index = (uint32_t)sp_read_number(r, 4), due = (uint32_t)sp_read_number(r, 4);
    bool makes_sense = index < count && sp_timer_is_used(&m->timers[index]) && !sp_wheel_is_armed(&m->fires, index) &&
                       due != 0 && fits_ring(m, ring - 1, due);
    if (!sp_read_expect(r, makes_sense))
      return;
    m->fires.links[SP_WHEEL_RINGS + index].due = due;
    sp_wheel_link(&m->fires, SP_WHEEL_RINGS + index, ring - 1);
  }
  sp_read_expect(r, armed == active);
}

/* }== */

/* {== The manager ======================================================== */

static void read_clock(sp_loader *l, sp_manager *m)
{
  sp_reader *r = &l->r;
  m->tick = sp_read_number(r, 8);
  m->spare = sp_read_double(r);
  double scale = sp_read_double(r);
  m->paused = sp_read_number(r, 1) == 1;
  m->serial = sp_read_number(r, 8);
  m->peak = (uint32_t)sp_read_number(r, 4);
  m->peak_time = sp_read_double(r);
  l->pool_count = (uint32_t)sp_read_number(r, 4);
  l->chunk_count = (uint32_t)sp_read_number(r, 4);
  bool makes_sense = m->tick <= SP_MAX_TICKS && m->spare >= 0 && m->spare <= m->step && l->chunk_count <= SP_MAX_CHUNKS;
  /* A serial has the bits of a time: those that are no time lie above all others. */
  makes_sense &= m->serial < sp_serial_of_time(1e300) && sp_set_time_scale(m, scale) == SP_OK;
  if (!sp_read_expect(r, makes_sense))
    return;
  m->time = (double)m->tick * m->step + m->spare;
  m->lives.now = m->fires.now = m->tick;
}

/* Opens the manager. The host's callbacks are set only when everything has been read. */
static void read_manager(sp_loader *l, const sp_options *options)
{
  sp_reader *r = &l->r;
  sp_options o = {.memory = options->memory, .memory_ud = options->memory_ud};
  char magic[sizeof SP_SAVE_MAGIC] = "";
  sp_read_bytes(r, magic, sizeof magic - 1);
  if (!sp_read_expect(r, strcmp(magic, SP_SAVE_MAGIC) == 0))
    return;
  if (sp_read_number(r, 4) > SP_SAVE_VERSION && !r->failed) {
    l->why = SP_NEWER;
    sp_read_expect(r, false);
    return;
  }
  uint8_t id = (uint8_t)sp_read_number(r, 1);
  uint32_t first = (uint32_t)sp_read_number(r, 4), last = (uint32_t)sp_read_number(r, 4);
  o.id = options->id ? options->id : id;
  o.first_generation = options->first_generation ? options->first_generation : first;
  o.last_generation = options->last_generation ? options->last_generation : last;
  o.step = sp_read_double(r);
  l->shift = o.first_generation - first;
  l->origin = (uint32_t)id << 24;
  if (!sp_read_expect(r, id != 0 && o.step != 0))
    return;
  if (options->step != 0 && options->step != o.step) {
    l->why = SP_INVALID;
    sp_read_expect(r, false);
    return;
  }
  sp_result why = SP_OK;
  l->m = sp_open(&o, &why);
  if (!l->m && sp_load_remember(l, why != SP_MEMORY))
    sp_read_expect(r, false);
  if (l->m)
    read_clock(l, l->m);
}

/* Computes the state that is not in the save. */
static void settle(sp_loader *l)
{
  for (uint32_t i = 0; i < l->m->pool_count && !l->r.failed; i++) {
    sp_pool *p = l->m->pools[i];
    p->is_loaded = true;
    sp_read_expect(&l->r, p->peak >= sp_live_count(p));
    if (p->ages.ring && sp_load_remember(l, sp_ages_reserve_count(&p->ages, l->m, sp_live_count(p))))
      sp_ages_refill(&p->ages, p);
  }
}

static void read_all(sp_loader *l, const sp_options *options)
{
  read_manager(l, options);
  if (l->r.failed)
    return;
  sp_load_pools(l);
  read_chunks(l);
  for (uint32_t i = 0; i < l->m->pool_count && !l->r.failed; i++)
    read_idle(l, l->m->pools[i]);
  if (l->r.failed)
    return;
  read_parents(l);
  read_rings(l, read_records(l));
  uint64_t sum = l->r.sum;
  sp_read_expect(&l->r, sp_read_number(&l->r, 8) == sum);
  settle(l);
}

sp_manager *sp_load(const sp_options *options, sp_read_fn read, void *ud, sp_result *result)
{
  static const sp_options none = {0};
  const sp_options *o = options ? options : &none;
  sp_loader l = {.r = {.read = read, .ud = ud, .sum = SP_SUM_BEGIN}};
  read_all(&l, o);
  if (l.r.failed) {
    if (l.m)
      sp_discard(l.m);
    if (result)
      *result = l.why != SP_OK ? l.why : SP_DAMAGED;
    return NULL;
  }
  l.m->log = (sp_log){o->on_log, o->log_ud};
  l.m->on_assert = o->on_assert;
  l.m->assert_ud = o->assert_ud;
  l.m->on_timer = o->on_timer;
  l.m->on_timer_end = o->on_timer_end;
  l.m->timer_ud = o->timer_ud;
  return l.m;
}

/* }== */
