/*
** The structs of a manager and a pool. The slots of all pools share one number space, so that a reference is checked
** without knowing its pool: the generation of its slot must be its own. Slots come in chunks; a chunk belongs to one
** pool and holds that pool's columns. Nothing moves when chunks are added. Everything else refers to everything by
** index.
*/
#ifndef SP_CORE_STATE_H
#define SP_CORE_STATE_H

#include <math.h>
#include <string.h>

#include "core/ages.h"
#include "core/binding.h"
#include "core/description.h"
#include "core/layout.h"
#include "core/ref.h"
#include "core/simd.h"
#include "core/wheel.h"

/* Parents and children of a slot; in chunks that have any. Slots are stored plus one: 0 is none. */
typedef struct sp_family {
  sp_ref parent;
  uint32_t first;          /* child */
  uint32_t next, previous; /* of the same parent */
} sp_family;

/* A timer record. While free, `next` links it. It is due at from + fired * period: a sum that grew with every firing
   would drift by its roundings. */
typedef struct sp_timer_record {
  sp_life life;            /* for the wheel: the generation is odd while in use, and tells old handles apart */
  sp_ref owner;            /* 0 while free, and of the manager's own */
  double from;             /* game seconds; infinite: it is never due, and in no wheel */
  uint64_t tag;            /* the host's */
  double period;           /* seconds, 0: once */
  uint64_t fired;          /* since `from` */
  uint32_t next, previous; /* of the same owner, plus one */
} sp_timer_record;

/* Timer records come in blocks of SP_CHUNK_SLOTS, which never move. */
typedef struct sp_timer_block {
  sp_timer_record *records;
  sp_term *terms;
} sp_timer_block;

/* An end of a life that was put off. */
typedef struct sp_waiting {
  sp_ref object;
  uint8_t why, by; /* sp_why, sp_end_by */
} sp_waiting;

/* A recycle in progress, on the C stack. */
typedef struct sp_dying {
  sp_ref object;
  sp_pool *pool;
  uint32_t slot;
  bool base_called; /* sp_object_recycle_base has been here */
  sp_why why;
  struct sp_dying *outer;
} sp_dying;

/* The neighbours of an idle slot in a list, plus one; 0: it is at the end. */
typedef struct sp_link {
  uint32_t previous, next;
} sp_link;

/* The idle slots of a pool, whose bits are in its chunks: see idle.h. */
typedef struct sp_idle {
  uint32_t count;
  uint32_t lowest;      /* UINT32_MAX: it is not known */
  uint32_t others;      /* none of the others is lower than this */
  uint32_t end;         /* no chunk from this position on has one */
  uint32_t first, last; /* of the list of a pool that is not compact, plus one; 0: there is none */
} sp_idle;

/* Bits of sixty-four chunks of a pool: some slot of it may have a life, or be idle and not the lowest one in hand. */
typedef struct sp_marks {
  uint64_t lively, resting;
} sp_marks;

struct sp_pool {
  sp_pool_view view; /* first: see binding.h */
  sp_manager *manager;
  sp_idle idle;
  uint32_t
      quick_alloc; /* with fewer live objects alloc has nothing to prepare, to count or to call. See pool_state.c */
  uint64_t recycles;
  sp_layout layout;
  bool has_parents, has_timers; /* some object ever had: recycle has more to do */
  uint64_t dirty;               /* columns that may differ from their first value in idle slots */
  uint64_t exposed;             /* those of them whose cells, or the column, C programs were given a pointer to */
  uint64_t handed;              /* those of `exposed` of which one more pointer changes nothing */
  struct sp_near *near;         /* see near.c; NULL: there is none yet */
  uint64_t near_lives;          /* that had begun at the last search */
  uint32_t near_calls;          /* searches since something changed */
  uint32_t *chunks;             /* their numbers, ascending */
  sp_marks *marks;              /* by 64 chunks */
  uint32_t chunk_count, chunk_capacity, mark_count;
  uint32_t next_chunk;  /* the number of its next chunk, if that is of a region which it has; else 0 */
  uint32_t vacant_hint; /* no chunk before this position has a vacant slot */
  uint32_t vacated;     /* no lower slot has lost its object; plus one, 0: none has */
  uint32_t next_number;
  uint32_t made;          /* objects there are: live, dying, idle, and in_transition */
  uint32_t in_transition; /* being made or destroyed: neither live nor idle */
  uint32_t limit;
  uint32_t index;        /* in manager->pools */
  uint32_t busy;         /* hooks of this pool on the stack */
  bool closing;          /* alloc is refused */
  bool is_loaded;        /* described as in the save that it comes from, as yet */
  sp_pool_desc desc;     /* as it is now; points to `type`, the fields of `layout`, and `curves` */
  sp_settings described; /* those of its description: what differs from them in `desc` the game has set */
  sp_curve curves[SP_MAX_CURVES];
  uint32_t prewarm_wanted, prewarm_slice; /* a prewarm in slices; wanted 0: none */
  double prewarm_from;
  uint32_t warmed, warm_goal; /* progress of the last one, for sp_stats */
  sp_ages ages;
  char *type;
  uint32_t peak, retired;
  double peak_time;
  uint64_t expired, refused, evicted, vetoed, stale_uses, double_recycles, created, destroyed;
};

/* A place in the table of names. It has the name, or the beginning of a long one: reading that in a pool far away would
   take longer than all else. */
typedef struct sp_named {
  sp_pool *pool; /* NULL: the place is free */
  char begin[24];
} sp_named;

struct sp_manager {
  sp_slots slots;  /* first: see binding.h */
  sp_lives *blank; /* of the chunks that no pool ever had */
  sp_lives *slab;  /* the next of the newest slab */
  uint32_t slab_size, slab_left;
  uint64_t serial;      /* of the life that began last: see sp_serial_of_time */
  sp_pool **pools;      /* in order of creation; NULL where one was removed; absent ones (pool_state.h) */
  sp_named *by_name;    /* the same ones, twice as many places: each where the hash of its type says, or after that */
  uint32_t chunk_count; /* numbers given out so far, freed ones too: whole regions */
  uint32_t chunk_capacity, chunk_room; /* entries that can be used, and those that there is memory for */
  uint32_t free_regions;               /* that wait to be given out again */
  uint32_t free_from;                  /* none of them has a lower chunk */
  uint32_t pool_count, pool_capacity, pool_holes, absent_count;
  sp_id id;
  bool has_families;         /* some object ever had a parent */
  uint32_t spent_generation; /* no reference that a restored snapshot took back has a later one */
  uint64_t tick;
  double time, spare, step; /* time = tick * step + spare */
  double rate;              /* 1 / step */
  bool wide;                /* passes use the wide vectors of this machine (simd.h) */
  double scale;             /* game seconds per second given to sp_manager_update */
  bool paused;
  bool is_turned;      /* one of these two was set: what is left of the update that runs changes */
  double turned_scale; /* the scale until then */
  uint32_t peak;       /* as seen at updates and by sp_manager_stats */
  double peak_time;
  uint32_t busy; /* hooks and updates on the stack */
  bool closing;
  bool is_owned;      /* by a binding: see sp_set_owned */
  bool by_owner;      /* the next call is the owner's */
  bool held;          /* a walk of the core that calls the host in between: nothing may change (sp_manager_hold) */
  bool opening_fresh; /* the slot of the life opened last never lived before */
  sp_ref opening;     /* between sp_alloc_begin and its commit or cancel */
  sp_dying *dying;
  uint32_t dying_depth; /* how many those are */
  sp_waiting *waiting;  /* lives that end when the outermost of those has ended: see SP_MAX_ENDS */
  uint32_t waiting_first, waiting_count, waiting_capacity;
  bool is_ending_waiting;
  bool (*is_halted)(const void *ud); /* of a binding: while it says so an update goes no further; NULL: never */
  const void *halt_ud;
  void (*on_tick)(void *ud); /* see sp_set_on_tick */
  void *tick_ud;
  void (*on_pass)(void *ud, const char *pass); /* see sp_set_on_pass; NULL: none */
  void *pass_ud;
  sp_pairs *ends;          /* of the host: what ends in each update; NULL: not listed */
  sp_pairs *ends_now;      /* the same while an update runs, else NULL */
  sp_progress_fn progress; /* long queries call it; false stops them. NULL: none */
  void *progress_ud;
  sp_timer_block *timers;
  uint32_t timer_blocks, timer_capacity, free_timer; /* room for addresses; records; index plus one */
  sp_timer_fn on_timer, on_timer_end;
  void *timer_ud;
  void *scratch; /* of the queries, while none runs */
  size_t scratch_size;
  sp_memory memory;
  sp_assert_fn on_assert;
  void *assert_ud;
  sp_log log;
  sp_host_state host;
  sp_wheel lives;        /* by slot */
  sp_wheel fires;        /* by timer record */
  uint64_t timers_armed; /* so far: their order, see timer.c */
};

_Static_assert(offsetof(sp_chunk, life) == offsetof(sp_segment, life) &&
                   offsetof(sp_chunk, terms) == offsetof(sp_segment, terms) &&
                   offsetof(sp_timer_block, records) == offsetof(sp_segment, life) &&
                   offsetof(sp_timer_block, terms) == offsetof(sp_segment, terms) &&
                   offsetof(sp_timer_record, life) == 0,
               "both are segments of a wheel");
_Static_assert(offsetof(sp_manager, slots) == 0 && offsetof(sp_pool, view) == 0, "binding.h reads them there");

/* {== References ========================================================= */

/* Writes a result that the caller may not want. */
static inline void sp_tell(sp_result *result, sp_result why)
{
  if (result)
    *result = why;
}

/* The chunk at `position` of a pool. */
static inline sp_chunk *sp_chunk_at(const sp_pool *p, uint32_t position)
{
  return &p->manager->slots.chunks[p->chunks[position]];
}

/* The first chunk of a pool from `position` on that may have life; `chunk_count`: there is none. Sixty-four are looked
   at at a time: a pool that once was large costs next to nothing. */
static inline uint32_t sp_next_lively(const sp_pool *p, uint32_t position)
{
  for (; position < p->chunk_count; position = (position | 63) + 1) {
    uint64_t bits = p->marks[position / 64].lively >> position % 64;
    if (bits != 0) {
      position += (uint32_t)__builtin_ctzll(bits);
      break; /* past the end lie the bits of chunks that were given back */
    }
  }
  return position < p->chunk_count ? position : p->chunk_count;
}

/* Live objects, dying ones included. */
static inline uint32_t sp_live_count(const sp_pool *p) { return p->made - p->in_transition - p->idle.count; }

/* The lifetime in seconds that the present life has; 0: no end, or no life. */
static inline double sp_slot_lifetime(const sp_manager *m, uint32_t slot)
{
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  const sp_life *life = &chunk->life[slot & SP_CHUNK_MASK];
  return life->generation & 1 && life->due ? chunk->terms[slot & SP_CHUNK_MASK].lifetime : 0;
}

/* A serial orders the lives of a manager, and tells when they began: it is the time, as the bits of a double, and one
   more for every life, which is next to nothing. */
static inline uint64_t sp_serial_of_time(double time)
{
  uint64_t serial;
  memcpy(&serial, &time, sizeof serial);
  return serial;
}

/* Stands for time 0 in a serial: the bits of 0 and a few more would be subnormal doubles, and adding one of those takes
   a hundred cycles. */
#define SP_FIRST_BIRTH 1e-300

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

/* Returns whether the pool has a column of this number, which may be any. */
static inline bool sp_has_column(const sp_pool *p, int column)
{
  return (unsigned)column < SP_MAX_COLUMNS && p->layout.columns[column].size != 0;
}

/* The cell of a slot in a column that the pool has. */
static inline void *sp_slot_cell(const sp_pool *p, uint32_t slot, int column)
{
  const sp_column_layout *c = &p->layout.columns[column];
  return sp_cell_at(p->manager, c, slot, c->size);
}

/* The built-in floats of a pool whose objects have a place: they come first in its chunks, each as long as the
   others. */
#define SP_FLOAT_COLUMNS ((1u << SP_LOOK) - 1)
static inline float *sp_slot_floats(const sp_manager *m, uint32_t slot)
{
  return (float *)(void *)sp_slot_chunk(m, slot)->base + (slot & SP_CHUNK_MASK);
}
#define SP_FLOAT(floats, column) ((floats)[(column)*SP_CHUNK_SLOTS])

/* Only in a pool whose objects have a place. */
static inline void sp_slot_put(sp_pool *p, uint32_t slot, const sp_place *place)
{
  sp_mark_written(p, 1u << SP_X | 1u << SP_Y | 1u << SP_ANGLE);
  float *floats = sp_slot_floats(p->manager, slot);
  SP_FLOAT(floats, SP_X) = place->x;
  SP_FLOAT(floats, SP_Y) = place->y;
  SP_FLOAT(floats, SP_ANGLE) = place->angle;
}

/* Gives an object of such a pool a velocity. */
static inline void sp_slot_launch(sp_pool *p, uint32_t slot, float vx, float vy)
{
  sp_mark_written(p, 1u << SP_VX | 1u << SP_VY);
  float *floats = sp_slot_floats(p->manager, slot);
  SP_FLOAT(floats, SP_VX) = vx;
  SP_FLOAT(floats, SP_VY) = vy;
}

/* }== */

/* Half the extents of an object of size 1: a circle has only a radius, a box has none. The size of a circle is its
   radius, that of a box is 1, times the scale. All shapes are compared by one rule: see SP_CIRCLE_HITS. */
typedef struct sp_shape {
  float w, h, radius;
} sp_shape;

static inline sp_shape sp_pool_shape(const sp_pool *p)
{
  return p->desc.box.w > 0 ? (sp_shape){p->desc.box.w / 2, p->desc.box.h / 2, 0} : (sp_shape){0, 0, 1};
}
/* Returns the larger half extent of an object of size 1. */
static inline float sp_shape_reach(const sp_shape *shape)
{
  return shape->radius > 0 ? 1 : shape->w > shape->h ? shape->w : shape->h;
}
/* Returns the size of an object, never negative. */
static inline float sp_size_of(const sp_shape *shape, const sp_look *look)
{
  return fabsf((shape->radius > 0 ? look->radius : 1) * look->scale);
}

/* {== Time =============================================================== */

/* Game time at which the life in `slot` began. */
static inline double sp_slot_birth(const sp_manager *m, uint32_t slot)
{
  double time;
  memcpy(&time, &sp_slot_life(m, slot)->serial, sizeof time);
  return sp_birth(time, m->step, m->rate);
}

/* Game seconds since then. */
static inline double sp_slot_age(const sp_manager *m, uint32_t slot)
{
  double age = m->time - sp_slot_birth(m, slot);
  return age > 0 ? age : 0;
}

/* Return the ticks until `seconds` have passed; as a whole number, rounded up, at least 1. A small tolerance absorbs
   the rounding error of 1/60. */
static inline double sp_ticks_until(const sp_manager *m, double seconds) { return (m->spare + seconds) * m->rate; }
static inline uint32_t sp_whole_ticks(double ticks) /* below 2^31 */
{
  uint32_t whole = (uint32_t)(int32_t)(ticks + (1 - 1e-6));
  return whole + (whole == 0);
}

/* Returns the tick at which `seconds` from now have passed. */
static inline uint64_t sp_due_tick(const sp_manager *m, double seconds)
{
  double ticks = sp_ticks_until(m, seconds);
  return m->tick + (ticks < 1e9 ? sp_whole_ticks(ticks) : (uint64_t)ceil(ticks - 1e-6));
}
/* Reserves memory for the end of a life in `slot`. False when out of memory. */
static inline bool sp_lives_reserve(sp_manager *m, uint32_t slot)
{
  return sp_wheel_is_ready(&m->lives, slot) || sp_wheel_reserve(&m->lives, &m->memory, slot);
}

/* Lets the life in `slot` end by itself `seconds` from now. Needs sp_lives_reserve. */
static inline void sp_life_set_end(sp_manager *m, uint32_t slot, double lifetime, double seconds)
{
  sp_wheel_set(&m->lives, slot, lifetime, sp_due_tick(m, seconds));
}

/* }== */

#endif
