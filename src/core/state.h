/*
** What a manager and a pool are made of. The slots of all pools share one number space, so that a reference is checked
** with one load and without knowing its pool: `generation[slot]` must be the reference's own. Slots come in chunks; a
** chunk belongs to one pool and holds that pool's columns. Everything refers to everything else by index.
*/
#ifndef SP_CORE_STATE_H
#define SP_CORE_STATE_H

#include <math.h>
#include <string.h>

#include "core/ages.h"
#include "core/bits.h"
#include "core/expiry.h"
#include "core/idle.h"
#include "core/wheel.h"

#define SP_MAX_COLUMNS (SP_FIELDS + SP_MAX_FIELDS)

/* Parents and children of a slot; in chunks that have any. Slots are stored plus one: 0 is none. */
typedef struct sp_kin {
  sp_ref parent;
  uint32_t first;          /* child */
  uint32_t next, previous; /* of the same parent */
} sp_kin;

/* A timer record. While free, `next` links it. It is due at from + fired * period: a sum that grew with every firing
   would drift by its roundings. */
typedef struct sp_timer_record {
  sp_ref owner;   /* 0 while free */
  double from;    /* game seconds */
  double period;  /* seconds, 0: once */
  uint64_t fired; /* since `from` */
  uint32_t stamp; /* counts its uses: tells old handles apart */
  uint32_t next;  /* of the same owner, plus one */
} sp_timer_record;

typedef struct sp_chunk {
  unsigned char *block; /* its memory, not yet aligned; NULL while no pool owns the chunk */
  sp_kin *kin;          /* NULL until an object here has a parent or child */
  uint32_t *timers;     /* first timer of each slot, plus one; NULL until one here has a timer */
  uint32_t position;    /* index in pool->chunks */
  uint32_t number;      /* numbers its objects: number * SP_CHUNK_SLOTS + 1 and on */
  uint32_t made;        /* objects: live, dying or idle */
} sp_chunk;

typedef struct sp_column_layout {
  uint32_t offset;  /* in the chunk */
  uint32_t initial; /* in layout.initial */
  uint32_t size;    /* 0: the pool has no such column */
  uint64_t written; /* what a write adds to pool->dirty: its bit, or 0 for a kept one */
} sp_column_layout;

/* The columns of a type: where they lie in a chunk, and what an object starts with. */
typedef struct sp_layout {
  sp_column_layout columns[SP_MAX_COLUMNS];
  uint64_t all, kept;     /* columns there are; those that survive from life to life */
  uint64_t live;          /* those whose changed first value reaches objects that still have the old one */
  uint64_t restless;      /* motion columns that do not start at 0 */
  unsigned char *initial; /* one object, packed */
  uint32_t initial_size, chunk_size;
  char **names; /* of own fields */
  int field_count;
} sp_layout;

/* Chunks that are reserved for a pool (chunk.c): in no list yet, their numbers not yet given out. */
typedef struct sp_room {
  unsigned char **blocks;
  uint32_t count, capacity; /* of `blocks` */
  uint32_t numbers;         /* reserved with the manager */
  uint32_t *chunks;         /* the pool's list of chunks when it has to be longer, else NULL */
  uint32_t chunk_capacity;
  sp_idle_ring ring;
} sp_room;

/* A recycle in progress, on the C stack. */
typedef struct sp_dying {
  uint32_t slot;
  bool based; /* sp_recycle_base has been here */
  sp_why why;
  struct sp_dying *outer;
} sp_dying;

struct sp_pool {
  sp_manager *manager;
  sp_idle idle;
  uint32_t floor;      /* with more than this many in the idle ring, alloc has nothing to look at (sp_pool_tune) */
  uint32_t near_floor; /* the same where the order is FIFO and memory near */
  bool bare_recycle;   /* recycle has nothing to do but to put the slot last in the ring */
  bool plain_recycle;  /* recycle has nobody to tell, and every idle object is kept */
  bool plain_alone;    /* the same of objects without timers, parent and children, when others of the pool have some */
  uint64_t dirty;      /* columns that may differ from `initial` in some idle slot: restored at alloc */
  sp_layout layout;
  bool has_kin, has_timers; /* some object ever had: recycle has more to do */
  uint32_t *chunks;         /* manager chunk numbers, ascending */
  uint32_t chunk_count, chunk_capacity;
  uint32_t vacant_hint; /* no chunk before this position has a vacant slot */
  uint32_t next_number;
  uint32_t made;  /* objects there are: live, dying, idle, and loose */
  uint32_t loose; /* being made or destroyed: neither live nor idle */
  uint32_t limit;
  uint32_t index; /* in manager->pools */
  uint32_t busy;  /* hooks of this pool on the stack */
  bool closing;   /* alloc is refused */
  bool spatial;
  sp_settings settings;
  sp_hooks hooks;
  sp_motion motion;
  sp_bounds bounds;
  sp_curve curves[SP_MAX_CURVES];
  int curve_count;
  sp_parent_end on_parent_end;
  uint32_t prewarm_wanted, prewarm_slice; /* a prewarm in slices; wanted 0: none */
  double prewarm_from;
  uint32_t warmed, warm_goal; /* progress of the last one, for sp_stats */
  sp_ages ages;
  void *user;
  char *type;
  uint32_t peak, retired;
  double peak_time;
  uint64_t recycles, expired, refused, evicted, vetoed, stale_uses, double_recycles, created, destroyed;
};

struct sp_manager {
  /* One block of memory, cut in pieces (chunk.c). */
  uint32_t *generation;  /* per slot: odd while live, dying or opening */
  uint64_t *serials;     /* per slot: of its life; 0: it never lived */
  unsigned char **bases; /* per chunk: its columns, aligned to a cache line */
  sp_pool **owners;      /* per chunk: its pool, or NULL; no index, for recycle waits for it */
  sp_chunk *chunks;
  uint64_t *made;       /* bit per slot: holds an object */
  uint64_t *alive;      /* bit per slot, as of the last sp_pool_live_bits */
  sp_pool **pools;      /* in order of creation; NULL where one was removed while `busy` */
  uint32_t origin;      /* low half of a reference to slot 0: the manager's id */
  uint32_t reach;       /* slots in all chunks */
  uint32_t settled;     /* the same while every odd generation is live, else 0: one comparison tells both */
  uint32_t unsettled;   /* slots with odd generations that are not live: dying ones, and the opening one */
  uint32_t chunk_count; /* numbers given out so far, freed ones too */
  uint32_t chunk_capacity;
  uint32_t free_chunks; /* freed numbers that wait to be given out again */
  uint32_t pool_count, pool_capacity, pool_holes;
  uint32_t first_generation, last_generation;
  uint64_t serial; /* of the life that began last: see sp_serial_of_time */
  uint64_t tick;
  double time, spare, step; /* time = tick * step + spare */
  double rate;              /* 1 / step */
  bool wide;                /* passes use the wide vectors of this machine (wide.h) */
  double scale;             /* game seconds per second given to sp_update */
  bool paused;
  uint32_t peak; /* as seen at updates and by sp_total_stats */
  double peak_time;
  uint32_t busy; /* hooks and updates on the stack */
  bool closing;
  bool opening_fresh; /* the slot of the life opened last never lived before */
  sp_ref opening;     /* between sp_pool_alloc_begin and its commit or cancel */
  sp_dying *dying;
  uint32_t ending;                   /* parents on the stack whose children are being recycled */
  uint32_t outermost;                /* the slot of the first of them */
  bool (*is_halted)(const void *ud); /* of a binding: while it says so an update goes no further; NULL: never */
  const void *halt_ud;
  sp_progress_fn progress; /* long queries ask it whether to go on; NULL: nobody asks */
  void *progress_ud;
  sp_timer_record *timers;
  uint32_t timer_capacity, free_timer; /* free_timer: index plus one */
  sp_timer_fn on_timer, on_timer_end;
  void *timer_ud;
  uint32_t reserved;          /* numbers of chunks that are reserved and not yet taken (sp_room) */
  unsigned char *spare_block; /* a larger one for the slot arrays, when those chunks need it, else NULL */
  uint32_t spare_capacity;
  void *scratch; /* of the queries, while none runs */
  size_t scratch_size;
  sp_memory memory;
  sp_assert_fn on_assert;
  void *assert_ud;
  sp_expiry lives; /* by slot */
  sp_wheel fires;  /* by timer record */
};

/* {== References ========================================================= */

static inline uint32_t sp_ref_slot(sp_ref ref) { return (uint32_t)ref & (SP_MAX_SLOTS - 1); }
static inline uint32_t sp_ref_generation(sp_ref ref) { return (uint32_t)(ref >> 32); }
static inline sp_ref sp_ref_make(const sp_manager *m, uint32_t slot)
{
  return (sp_ref)m->generation[slot] << 32 | m->origin | slot;
}
/* The next life of an idle slot: what waits in the idle ring. */
static inline sp_ref sp_ref_next(const sp_manager *m, uint32_t slot)
{
  return (sp_ref)(m->generation[slot] + 1) << 32 | m->origin | slot;
}

static inline bool sp_bit(const uint64_t *bits, uint32_t i) { return bits[i >> 6] >> (i & 63) & 1; }
static inline void sp_bit_set(uint64_t *bits, uint32_t i) { bits[i >> 6] |= (uint64_t)1 << (i & 63); }
static inline void sp_bit_clear(uint64_t *bits, uint32_t i) { bits[i >> 6] &= ~((uint64_t)1 << (i & 63)); }

/* Manager and range: what is not live then is stale, the rest is foreign. */
static inline bool sp_ref_is_ours(const sp_manager *m, sp_ref ref) { return (uint32_t)ref - m->origin < m->reach; }

/* Manager, range, generation: true for an object that is live, dying, or idle and seen by a hook. */
static inline bool sp_ref_resolves(const sp_manager *m, sp_ref ref)
{
  uint32_t slot = (uint32_t)ref - m->origin;
  return slot < m->reach && m->generation[slot] == sp_ref_generation(ref) &&
         (sp_ref_generation(ref) & 1 || sp_bit(m->made, slot));
}

/* Whether a slot with an odd generation is dying or opening. */
bool sp_slot_is_unsettled(const sp_manager *m, uint32_t slot);

static inline bool sp_slot_is_live(const sp_manager *m, uint32_t slot)
{
  return m->generation[slot] & 1 && (m->unsettled == 0 || !sp_slot_is_unsettled(m, slot));
}

static inline bool sp_ref_is_live(const sp_manager *m, sp_ref ref)
{
  uint32_t slot = (uint32_t)ref - m->origin;
  return slot < m->reach && m->generation[slot] == sp_ref_generation(ref) && sp_slot_is_live(m, slot);
}

/* To be called when `unsettled` or `reach` has changed. */
static inline void sp_settle(sp_manager *m) { m->settled = m->unsettled == 0 ? m->reach : 0; }

/* Bit i: slot word * 64 + i has an odd generation. For bulk work on columns; who must be live is asked one by one. */
static inline uint64_t sp_odd_slots(const sp_manager *m, uint32_t word)
{
  const uint32_t *generation = m->generation + (size_t)word * 64;
  uint8_t flags[64];
  for (uint32_t i = 0; i < 64; i++)
    flags[i] = generation[i] & 1;
  return sp_bits_of(flags);
}

static inline uint32_t sp_live_count(const sp_pool *p) { return p->made - p->loose - sp_idle_count(&p->idle); }

static inline sp_pool *sp_slot_pool(const sp_manager *m, uint32_t slot) { return m->owners[slot >> SP_CHUNK_BITS]; }

static inline double sp_slot_lifetime(const sp_manager *m, uint32_t slot)
{
  const sp_term *term = sp_expiry_term(&m->lives, slot, m->generation[slot]);
  return term ? term->lifetime : 0;
}

/* A serial orders the lives of a manager, and tells when they began: it is the time, as the bits of a double, and one
   more for every life, which is next to nothing. */
static inline uint64_t sp_serial_of_time(double time)
{
  uint64_t serial;
  memcpy(&serial, &time, sizeof serial);
  return serial;
}

/* Births are rounded to this many parts of a tick, when they are next to one. */
#define SP_BIRTH_PARTS 256

/* When a life began whose serial holds `time`: exactly, if that was at a tick or a round part of one. For vectors too:
   no branch, no call, no division. */
static inline double sp_birth(double time, double step, double rate)
{
  const double no_fractions = 6755399441055744.0; /* a sum with it has none */
  const double part = step / SP_BIRTH_PARTS;
  double whole = (time * (rate * SP_BIRTH_PARTS) + no_fractions - no_fractions) * part;
  return fabs(time - whole) < part * 1e-3 ? whole : time;
}

/* Game seconds since the life in `slot` began. */
double sp_slot_age(const sp_manager *m, uint32_t slot);

/* Whether the life in `slot` has timers, a parent or children. */
static inline bool sp_slot_has_belongings(const sp_manager *m, uint32_t slot)
{
  const sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  const sp_kin *kin = chunk->kin ? &chunk->kin[slot & SP_CHUNK_MASK] : NULL;
  return (chunk->timers && chunk->timers[slot & SP_CHUNK_MASK]) || (kin && (kin->parent || kin->first));
}

static inline bool sp_has_column(const sp_pool *p, int column)
{
  return (unsigned)column < SP_MAX_COLUMNS && p->layout.columns[column].size != 0;
}

static inline void *sp_slot_cell(const sp_pool *p, uint32_t slot, int column)
{
  const sp_column_layout *c = &p->layout.columns[column];
  return p->manager->bases[slot >> SP_CHUNK_BITS] + c->offset + (slot & SP_CHUNK_MASK) * c->size;
}

/* The built-in floats of a pool whose objects have a place: they come first in its chunks, each as long as the
   others. */
#define SP_FLOAT_COLUMNS ((1u << SP_LOOK) - 1)
static inline float *sp_slot_floats(const sp_manager *m, uint32_t slot)
{
  return (float *)m->bases[slot >> SP_CHUNK_BITS] + (slot & SP_CHUNK_MASK);
}
#define SP_FLOAT(floats, column) ((floats)[(column)*SP_CHUNK_SLOTS])

/* Columns that are written are those that alloc must restore; kept ones never are. */
void sp_note_written(sp_pool *p, uint64_t columns);
static inline void sp_mark_written(sp_pool *p, uint64_t columns)
{
  if (columns & ~p->dirty)
    sp_note_written(p, columns);
}

/* Only in a pool whose objects have a place. */
static inline void sp_slot_put(sp_pool *p, uint32_t slot, const sp_place *place)
{
  sp_mark_written(p, 1u << SP_X | 1u << SP_Y | 1u << SP_ANGLE);
  float *floats = sp_slot_floats(p->manager, slot);
  SP_FLOAT(floats, SP_X) = place->x;
  SP_FLOAT(floats, SP_Y) = place->y;
  SP_FLOAT(floats, SP_ANGLE) = place->angle;
}

/* }== */

/* Velocities, accelerations and spin: what moves an object. */
#define SP_MOTION_COLUMNS (1u << SP_VX | 1u << SP_VY | 1u << SP_AX | 1u << SP_AY | 1u << SP_SPIN)

/* A hook of `p` runs between these two; sp_leave settles what had to wait for the last of them. */
static inline void sp_enter(sp_pool *p)
{
  p->busy++;
  p->manager->busy++;
}
void sp_leave(sp_pool *p);

/* Finds out what is plain about `p`; to be called after any change of settings, hooks, `closing`, `made`, `peak`, or
   what the flags tell. */
void sp_pool_tune(sp_pool *p);

/* Kept out of line, so that the callers need no more registers than their common case. */
#define SP_COLD __attribute__((noinline, cold))

void sp_assert_failed(const sp_manager *m, const char *expression, const char *file, int line);
#define SP_ASSERT(m, e) ((e) ? (void)0 : sp_assert_failed(m, #e, __FILE__, __LINE__))

/* layout.c: what a description asks for. False, and nothing held, when memory is refused. */
bool sp_layout_make(sp_layout *layout, const sp_pool_desc *desc, sp_memory *memory);
void sp_layout_free(sp_layout *layout, sp_memory *memory);
/* Fills a chunk of layout `to` from one of layout `from`; columns of the same name and size keep their values. */
void sp_layout_convert(const sp_layout *to, const sp_layout *from, unsigned char *new_base,
                       const unsigned char *old_base);
/* Whether the names of all fields are shorter than `most` bytes. */
bool sp_layout_names_fit(const sp_layout *layout, size_t most);
/* True when both have the same columns in the same places: a chunk of the one is a chunk of the other. */
bool sp_layout_is_alike(const sp_layout *a, const sp_layout *b);
/* sp_layout_convert in place, between layouts that are alike. */
void sp_layout_tune(const sp_layout *to, const sp_layout *from, unsigned char *base);
/* Gives the idle object at `index` of a chunk, which has its new layout already, the first values of columns that are
   kept from life to life, where it keeps none yet. */
void sp_layout_refresh(const sp_layout *to, const sp_layout *from, unsigned char *base, uint32_t index, bool has_lived);
/* What pool->dirty becomes when a layout is replaced by one that is alike. */
uint64_t sp_layout_dirty(const sp_layout *to, const sp_layout *from, uint64_t dirty);

/* chunk.c: storage of a pool's objects. False when memory or slots run out; nothing is changed then. */
bool sp_chunk_add(sp_pool *p);
/* The same with the next number that was never given out; nobody's, when `p` is NULL. */
bool sp_chunk_append(sp_manager *m, sp_pool *p);
unsigned char *sp_chunk_block_new(sp_manager *m, const sp_layout *layout);
unsigned char *sp_chunk_block_base(unsigned char *block);
void sp_chunk_block_free(sp_manager *m, const sp_layout *layout, unsigned char *block);
/* Frees chunks without objects; returns how many. */
uint32_t sp_chunk_release_empty(sp_pool *p);
/* Reserves chunks of `layout` for `objects` more objects of a pool. Between this and sp_room_take or sp_room_release
   nothing but other room may be reserved. False, and nothing held, when memory or slots run out. */
bool sp_room_reserve(sp_room *room, sp_pool *p, const sp_layout *layout, uint32_t objects);
/* Gives the pool, which has that layout now, those chunks. */
void sp_room_take(sp_room *room, sp_pool *p);
void sp_room_release(sp_room *room, sp_manager *m, const sp_layout *layout);
/* Makes room in the manager's slot arrays for `count` chunks. */
bool sp_slots_reserve(sp_manager *m, uint32_t count);
/* Chunk numbers from `first` on, of which none has memory, are as if they had never been given out. */
void sp_slots_forget(sp_manager *m, uint32_t first);
/* Frees the manager's slot arrays. */
void sp_slots_free(sp_manager *m);
/* Sets up an object in a slot that has none, idle but in no list and counted as loose; UINT32_MAX when every slot has
   one. */
uint32_t sp_object_make(sp_pool *p);
/* Writes first values into the cells of an object that never lived. */
void sp_object_initialise(sp_pool *p, uint32_t slot);
/* Destroys the object of an idle slot that is in no list and counted as loose. */
void sp_object_destroy(sp_pool *p, uint32_t slot);

/* grow.c */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result);
/* Destroys idle objects until `keep` are left; returns how many. */
uint32_t sp_destroy_idle(sp_pool *p, uint32_t keep);
/* Destroys the object of a slot that has just left the idle list or its life. */
void sp_object_drop(sp_pool *p, uint32_t slot);

/* recycle.c. Takes a slot back whose life is over, but for its generation. */
void sp_give_back(sp_pool *p, uint32_t slot);
sp_result sp_end(sp_manager *m, uint32_t slot, sp_why why, bool override, bool force);
/* sp_end of a life whose time has come. */
void sp_expire(sp_manager *m, uint32_t slot);

/* pool.c */
bool sp_settings_make_sense(const sp_settings *settings);
bool sp_desc_makes_sense(const sp_pool_desc *desc);
/* Takes over what of a description is neither storage nor settings. */
void sp_pool_behave(sp_pool *p, const sp_pool_desc *desc);
/* How many objects a prewarm to `count` may still make under these settings. */
uint32_t sp_prewarm_room(const sp_pool *p, const sp_settings *settings, uint32_t count);
/* The two halves of removing a pool: what runs hooks, and what frees. */
void sp_pool_empty(sp_pool *p);
void sp_pool_drop(sp_pool *p);

/* overflow.c: the pool is at its limit; true when one more may live after all. */
bool sp_make_room(sp_pool *p);

/* motion.c, curve.c, bounds.c: one update of all objects of a pool. */
void sp_pool_move(sp_pool *p, float dt);
void sp_pool_bend(sp_pool *p);
void sp_life_bend(sp_pool *p, uint32_t slot); /* one life that begins */
void sp_pool_bound(sp_pool *p);
bool sp_motion_makes_sense(const sp_pool_desc *desc);

/* clock.c */
/* Ticks until `seconds` from now have passed, and those as whole ones: rounded up, but for a hair of tolerance, which
   absorbs the rounding of 1/60. At least one. */
static inline double sp_ticks_until(const sp_manager *m, double seconds) { return (m->spare + seconds) * m->rate; }
static inline uint32_t sp_whole_ticks(double ticks) /* below 2^31 */
{
  uint32_t whole = (uint32_t)(int32_t)(ticks + (1 - 1e-6));
  return whole + (whole == 0);
}

/* Seconds until a timer is due. */
static inline double sp_timer_wait(const sp_manager *m, const sp_timer_record *timer)
{
  return timer->from + (double)timer->fired * timer->period - m->time;
}

/* The tick at which `seconds` from now have passed. */
static inline uint64_t sp_due_tick(const sp_manager *m, double seconds)
{
  double ticks = sp_ticks_until(m, seconds);
  return m->tick + (ticks < 1e9 ? sp_whole_ticks(ticks) : (uint64_t)ceil(ticks - 1e-6));
}
/* Makes sure that one life, in whatever slot, can be given an end. False when memory is refused. */
static inline bool sp_lives_reserve(sp_manager *m) { return sp_expiry_reserve(&m->lives, &m->memory, m->reach); }

/* Lets the life that a reference names end by itself `seconds` from now. Needs sp_lives_reserve. */
static inline void sp_life_set_end(sp_manager *m, sp_ref object, double lifetime, double seconds)
{
  sp_expiry_set(&m->lives, sp_ref_slot(object), sp_ref_generation(object), lifetime, sp_due_tick(m, seconds));
}

/* timer.c */
void sp_timer_fire(sp_manager *m, uint32_t index);
/* Where the list of a slot's timers begins; NULL when its chunk has none and `make` is false or memory is refused. */
uint32_t *sp_timer_first(sp_manager *m, uint32_t slot, bool make);
/* Ends all timers of the life in `slot`. */
void sp_timers_end(sp_manager *m, uint32_t slot);
void sp_timers_free(sp_manager *m);
/* Makes room for `capacity` records; false when memory is refused. */
bool sp_timers_reserve(sp_manager *m, uint32_t capacity);
/* Puts back the records that there were. There is room. */
void sp_timers_restore(sp_manager *m, const sp_timer_record *timers, uint32_t count, uint32_t free_timer);

/* kin.c: where a slot that has a place is in the world; returns how many parents it is inside. */
uint32_t sp_slot_world_place(const sp_manager *m, uint32_t slot, sp_place *world);
/* The life in `slot` ends: children go as its pool says, its parent forgets it. */
void sp_kin_end(sp_pool *p, uint32_t slot);
/* Makes the object in `child`, which has no parent, the first child of that in `parent`. False when memory is refused. */
bool sp_kin_link(sp_manager *m, uint32_t child, uint32_t parent);
/* The parent of a slot, or 0. */
static inline sp_ref sp_slot_parent(const sp_manager *m, uint32_t slot)
{
  const sp_kin *kin = m->chunks[slot >> SP_CHUNK_BITS].kin;
  return kin ? kin[slot & SP_CHUNK_MASK].parent : SP_NONE_REF;
}

/* manager.c. Frees a manager that nobody has seen, whatever its pools hold: nothing is called. */
void sp_manager_free(sp_manager *m);

/* pool.c */
void sp_pool_list_settle(sp_manager *m);
void sp_pool_prewarm_slice(sp_pool *p);

#endif
