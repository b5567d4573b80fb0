/*
** The interface for a binding to another language, beside spawnpool.h. Its inline functions read two small views, which
** are the first members of a manager and of a pool; nothing here writes to either. The other calls are for code that
** runs scripts between two steps of the core. The shared library exports them under a version node of their own, for
** libspawnpool_script of the same build alone.
*/
#ifndef SP_CORE_BINDING_H
#define SP_CORE_BINDING_H

#include "core/spawnpool.h"
#include "core/spawnpool_tools.h"

#pragma GCC visibility push(default)

#define SP_LIKELY(e) __builtin_expect(!!(e), 1)
/* Kept out of line, so that the callers need no more registers than their common case. */
#define SP_COLD __attribute__((noinline, cold))

/* {== Views ============================================================== */

/* Pools get slots in chunks. 64 floats are 4 cache lines: long enough for vector loops, and one word of bits; and small
   enough that a type with one object stays under 8 KiB. */
#define SP_CHUNK_BITS 6
#define SP_CHUNK_MASK (SP_CHUNK_SLOTS - 1u)

/* The part of a slot that every alloc writes and every check reads: 16 bytes, so a life touches one cache line of it.
 */
typedef struct sp_life {
  uint64_t serial;     /* of the life: see sp_serial_of_time; 0: the slot never lived */
  uint32_t generation; /* odd while live, dying or opening */
  uint32_t due;        /* low bits of the tick at which the life ends; 0: it has no end. Of no meaning while idle */
} sp_life;

/* The lives of a chunk, and what is seldom asked about it. They never move, and outlast the pool that has the chunk:
   old references stay stale. */
typedef struct sp_lives {
  unsigned char *block;     /* memory of the columns, not yet aligned */
  struct sp_family *family; /* NULL until an object here has a parent or child; then it stays */
  uint32_t *timers;         /* first timer of each slot, plus one; NULL until one here has a timer */
  struct sp_link *links;    /* of its idle slots in a list; NULL until its pool has one; then it stays */
  uint32_t since;           /* generation at which its pool got the chunk: references to lives before are no pool's */
  uint32_t slab;            /* chunks that were allocated together, of which this is the first; 0 in the others */
  _Alignas(16) sp_life life[SP_CHUNK_SLOTS];
} sp_lives;

/* A chunk has its number for ever. What alloc and recycle need of all chunks lies side by side. They move when there
   are more: no address of one is kept. In the words each slot has a bit. */
typedef struct sp_chunk {
  sp_life *life;         /* in an sp_lives */
  struct sp_term *terms; /* of the wheel; NULL until a life here has an end */
  uint64_t live;         /* its generation is odd */
  uint64_t idle;         /* its object waits to be used */
  sp_pool *owner;        /* NULL: no pool has it */
  unsigned char *base;   /* its columns, aligned to a cache line */
  uint64_t made;         /* it holds an object */
  uint32_t position;     /* in its pool's list */
  uint32_t number;       /* numbers its objects: number * SP_CHUNK_SLOTS + 1 and on */
} sp_chunk;

/* The slots of a manager: all pools share one number space, so that a reference is checked without knowing its pool. */
typedef struct sp_slots {
  sp_chunk *chunks;    /* by number. Those that no pool ever had share their lives, which are of no object */
  uint32_t id_bits;    /* low half of a reference to slot 0: the low 8 bits of the manager's id, on top */
  uint32_t window;     /* the other 4 bits of it: the highest ones of all generations */
  uint32_t slot_count; /* slots in all chunks */
  /* Slots with odd generations that are not live: dying ones, and the opening one. One more while the manager is held
     (pool_state.h). */
  uint32_t transitional;
  uint32_t fast_slot_count; /* `slot_count` while every odd generation is live, else 0: one comparison checks both */
} sp_slots;

typedef struct sp_column_layout {
  uint32_t offset;  /* in the chunk */
  uint16_t initial; /* in layout.initial */
  uint16_t size;    /* 0: the pool has no such column */
  uint64_t written; /* what a write adds to the view's `noted`: its bit, or 0 for a kept one */
} sp_column_layout;

typedef struct sp_pool_view {
  void *user;
  const sp_column_layout *columns; /* built-in ones, then own fields */
  uint64_t noted;                  /* columns of which it is known that they were written */
  bool quick_recycle;              /* recycle calls no hook, and every idle object is kept */
} sp_pool_view;

/* Return the view of a manager, and of a pool. */
static inline const sp_slots *sp_slots_of(const sp_manager *m) { return (const sp_slots *)(const void *)m; }
static inline const sp_pool_view *sp_view_of(const sp_pool *p) { return (const sp_pool_view *)(const void *)p; }

/* }== */

/* {== References ========================================================= */

/* Return the chunk of a slot, its life, and what is seldom asked about the chunk. `slot` must be less than
   `slot_count`. */
static inline sp_chunk *sp_slot_chunk(const sp_manager *m, uint32_t slot)
{
  return &sp_slots_of(m)->chunks[slot >> SP_CHUNK_BITS];
}
static inline sp_lives *sp_lives_of(const sp_chunk *chunk)
{
  return (sp_lives *)(void *)((unsigned char *)chunk->life - offsetof(sp_lives, life));
}
static inline sp_lives *sp_slot_lives(const sp_manager *m, uint32_t slot)
{
  return sp_lives_of(sp_slot_chunk(m, slot));
}
static inline sp_life *sp_slot_life(const sp_manager *m, uint32_t slot)
{
  return &sp_slot_chunk(m, slot)->life[slot & SP_CHUNK_MASK];
}

/* An id has 12 bits: 8 are in a reference beside its slot, and 4 are the highest bits of its generation. */
#define SP_WINDOW_BITS 28
#define SP_LAST_GENERATION 0xfffffffeu /* of the last id */

/* Return the parts of a reference, and the reference to the current life of a slot. */
static inline uint32_t sp_ref_slot(sp_ref ref) { return (uint32_t)ref & (SP_MAX_SLOTS - 1); }
static inline uint32_t sp_ref_generation(sp_ref ref) { return (uint32_t)(ref >> 32); }
static inline sp_ref sp_ref_make(const sp_manager *m, uint32_t slot)
{
  const sp_slots *s = sp_slots_of(m);
  return (sp_ref)sp_slot_life(m, slot)->generation << 32 | s->id_bits | slot;
}

/* Returns whether a reference belongs to this manager: if it is not live, it is stale rather than foreign. */
static inline bool sp_ref_is_ours(const sp_manager *m, sp_ref ref)
{
  const sp_slots *s = sp_slots_of(m);
  return (uint32_t)ref - s->id_bits < s->slot_count && ref >> (32 + SP_WINDOW_BITS) == s->window;
}

/* Returns whether a reference may be read: its object is live, dying, or idle and passed to a hook. */
static inline bool sp_slot_resolves(const sp_manager *m, uint32_t slot, uint32_t generation)
{
  if (slot >= sp_slots_of(m)->slot_count)
    return false;
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  slot &= SP_CHUNK_MASK;
  return chunk->life[slot].generation == generation && (generation & 1 || chunk->made >> slot & 1);
}
static inline bool sp_ref_resolves(const sp_manager *m, sp_ref ref)
{
  return sp_slot_resolves(m, (uint32_t)ref - sp_slots_of(m)->id_bits, sp_ref_generation(ref));
}

/* Returns whether a slot, whose generation must be odd, is dying or opening. */
bool sp_slot_is_transitional(const sp_manager *manager, uint32_t slot);

/* Returns whether a slot is live, and neither dying nor opening. `slot` must be less than `slot_count`. */
static inline bool sp_slot_is_live(const sp_manager *m, uint32_t slot)
{
  const sp_slots *s = sp_slots_of(m);
  return sp_slot_life(m, slot)->generation & 1 && (s->transitional == 0 || !sp_slot_is_transitional(m, slot));
}

/* sp_object_is_live, inline. */
static inline bool sp_ref_is_live(const sp_manager *m, sp_ref ref)
{
  const sp_slots *s = sp_slots_of(m);
  uint32_t slot = (uint32_t)ref - s->id_bits;
  return slot < s->slot_count && sp_slot_life(m, slot)->generation == sp_ref_generation(ref) &&
         sp_slot_is_live(m, slot);
}

/* Returns the pool of a slot, or NULL. `slot` must be less than `slot_count`. */
static inline sp_pool *sp_slot_pool(const sp_manager *m, uint32_t slot) { return sp_slot_chunk(m, slot)->owner; }

/* Returns whether a reference, also a stale one, is to a slot of this pool: maybe of the time of a pool before it. */
static inline bool sp_ref_is_of(const sp_manager *m, sp_ref ref, const sp_pool *pool)
{
  return sp_ref_is_ours(m, ref) && sp_slot_pool(m, sp_ref_slot(ref)) == pool;
}

/* }== */

/* {== Cells ============================================================== */

/* Returns a cell. The pool must have the column. */
static inline void *sp_cell_at(const sp_manager *m, const sp_column_layout *column, uint32_t slot, size_t size)
{
  return sp_slot_chunk(m, slot)->base + column->offset + (slot & SP_CHUNK_MASK) * size;
}

/* Marks columns as written: alloc restores their first values. Columns of kept fields are never restored. */
void sp_note_written(sp_pool *pool, uint64_t columns);
/* Notes that some object may not be pinned any more. */
void sp_note_unpinned(sp_pool *pool);
static inline void sp_mark_written(sp_pool *p, uint64_t columns)
{
  if (columns & ~sp_view_of(p)->noted)
    sp_note_written(p, columns);
}

/* Resets these columns of every object, including idle ones, to their first values. */
void sp_pool_reset_columns(sp_pool *pool, uint64_t columns);
/* Where objects begin; in a pool without places all zeros. */
sp_start sp_pool_first_start(const sp_pool *pool);
/* Calls `fn` with the slots of live objects, and of idle ones that have lived, as `live` and `idle` say. */
void sp_pool_each_slot(const sp_pool *pool, bool live, bool idle, void (*fn)(void *ud, uint32_t slot), void *ud);

/* }== */

/* {== Calls ============================================================== */

/* Makes the caller the owner of a manager: from now on a host can neither close or discard it, nor remove a pool, nor
   change its settings, description or hooks. Those calls are SP_BUSY, or do nothing, unless sp_as_owner comes right
   before. */
void sp_set_owned(sp_manager *manager);
void sp_as_owner(sp_manager *manager);

/* Bracket a hook of the pool: in between, the pool cannot be removed, nor the manager closed. */
void sp_pool_enter(sp_pool *pool);
void sp_pool_leave(sp_pool *pool);
/* Returns references to what sp_pool_within would visit, and their number; good until the next query. */
const sp_ref *sp_pool_list_within(sp_pool *pool, float x, float y, float radius, uint32_t *count, sp_result *result);
/* Goes over the idle objects as they are going to be used: returns the one after `after` (0: the first); 0 at the end,
   and behind one of a list that is not idle any more. */
sp_ref sp_pool_idle_after(const sp_pool *pool, sp_ref after);
uint32_t sp_pool_idle(const sp_pool *pool); /* how many */
/* Brings one that is idle to life, as sp_pool_take does: 0 and SP_NONE when it is not idle any more. */
sp_ref sp_pool_take_idle(sp_pool *pool, sp_ref idle, double lifetime, sp_result *result);
uint32_t sp_pool_chunks(const sp_pool *pool); /* how many */
/* sp_pool_prewarm at once; returns how many it made. */
uint32_t sp_pool_prewarm_now(sp_pool *pool, uint32_t count, sp_result *result);

/* Returns whether a restore has undone the creation of the pool: it is empty and hidden until it is used again. */
bool sp_pool_is_absent(const sp_pool *pool);
/* Creates such a pool again, as sp_manager_add_pool did. Returns SP_OK, also for other pools, or SP_MEMORY. */
sp_result sp_pool_appear(sp_pool *pool);
/* Returns whether the pool is being removed, or its manager closed: its allocs fail. */
bool sp_pool_is_closing(const sp_pool *pool);
bool sp_is_closing(const sp_manager *manager);

/* Works as sp_object_recycle, with the caller's reason. */
sp_result sp_recycle_for(sp_manager *manager, sp_ref object, sp_why why);
/* Undoes the alloc of a live object as sp_alloc_undo does; without on_despawn unless it `has_spawned`. */
void sp_give_back(sp_manager *manager, sp_ref object, bool has_spawned);
/* Returns whether sp_object_recycle_base has been called for a dying object. */
bool sp_base_is_called(const sp_manager *manager, sp_ref object);

/* Fills `ages`, of SP_CHUNK_SLOTS, with the ages of the live objects of a chunk, in game seconds. Entries of other
   slots are undefined. */
void sp_pool_chunk_ages(const sp_pool *pool, uint32_t chunk, double *ages);

/* Pushes live circles (radius times scale) and boxes of two pools apart that overlap, each by half of the overlap:
   circles along the line between their centres, a circle and a corner along the line from that to the centre, others
   along the axis on which they overlap least; with pool == other, those of one pool. One pass over the pairs as
   sp_pool_overlaps visits them: in a crowd a circle may be pushed into another, which the next call separates. Objects
   in one place part in a direction that depends on their slots. Objects with a parent are neither moved nor in the way.
   Positions change, velocities do not. Returns how many pairs were pushed; 0 when a pool has no places. `result` as
   sp_pool_overlaps. */
uint32_t sp_pool_separate(sp_pool *pool, sp_pool *other, sp_result *result);

/* For a binding that keeps account of the ids of its managers, 1 to 255, as if no others were in the process: opens or
   loads a manager whose slots begin at this generation, which is even; the manager is not told of the process. That of
   the successor is then sp_next_generation: all references of this manager, including those that it makes while it
   closes, are stale there. SP_LAST_GENERATION: there can be none. */
sp_manager *sp_manager_open_from(const sp_manager_options *options, uint32_t first_generation, sp_result *result);
sp_manager *sp_manager_load_from(const sp_manager_options *options, uint32_t first_generation, sp_read_fn read,
                                 void *ud, sp_result *result);
uint32_t sp_first_generation(const sp_manager *manager);
uint32_t sp_next_generation(const sp_manager *manager);
/* Goes along the timers of a live object: returns the one after `timer` (0: the first), which must be one; 0 at the
   end. */
sp_timer sp_next_timer(const sp_manager *manager, sp_ref object, sp_timer timer);
/* Returns the object that a timer belongs to, or 0. */
sp_ref sp_timer_owner(const sp_manager *manager, sp_timer timer);

/* Sets a callback that stops an update early by returning true; NULL removes it. */
void sp_set_halt(sp_manager *manager, bool (*is_halted)(const void *ud), const void *ud);

/* Sets a callback that gets "motion", "curve" or "bounds" after that pass over each pool; NULL removes it. It may only
   read. */
void sp_set_on_pass(sp_manager *manager, void (*on_pass)(void *ud, const char *pass), void *ud);

/* Sets a callback at the begin of each tick at which an update stops, the last one included: before lives end and
   timers fire; NULL removes it. Rules as for hooks. */
void sp_set_on_tick(sp_manager *manager, void (*on_tick)(void *ud), void *ud);

/* Walks the live objects of all pools in slot order: the next one after `last` (0: the first) that had begun to live
   when sp_serial returned `serial`; 0 at the end. */
uint64_t sp_serial(const sp_manager *manager);
uint64_t sp_serial_of(const sp_manager *manager, sp_ref object); /* of a live one, when it began */
sp_ref sp_next_live(const sp_manager *manager, uint64_t serial, sp_ref last);

/* }== */

/* {== Hashes ============================================================= */

#define SP_SUM_BEGIN 0xcbf29ce484222325u

/* Returns the checksum `sum` (SP_SUM_BEGIN: of nothing) with these bytes added: FNV-1a. */
static inline uint64_t sp_sum(uint64_t sum, const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}

/* Returns the hash `hash` with a number added: of 0 and 0 it is 0. */
static inline uint64_t sp_hash_mix(uint64_t hash, uint64_t number)
{
  hash = (hash ^ number) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

/* sp_manager_hash in steps, for a host that adds to it or shows where two states differ. A part of an object is a
   column, or one of these. */
typedef enum sp_part {
  SP_PART_BEGIN = SP_FIELDS + SP_MAX_FIELDS, /* when the life began */
  SP_PART_END,
  SP_PART_TIMERS,
  SP_PART_PARENT,
  SP_PART_LOOK, /* from here on: the members of sp_look up to `pinned`, in their order, in place of its column */
  SP_PARTS = SP_PART_LOOK + 10
} sp_part;

typedef struct sp_hashing {
  const uint64_t *sprites; /* replaces sprite numbers, by number, for a host that identifies sprites by name */
  uint32_t sprite_count;   /* greater numbers are hashed as they are */
  /* Receives the number of each part of each live object, column by column; some that are 0 are left out. May be
     NULL. */
  void (*on_part)(void *ud, sp_ref object, int part, uint64_t number);
  void *ud;
} sp_hashing;

/* Returns the hash of a manager without its pools: the clock, and timers that no object owns. */
uint64_t sp_hash_manager(const sp_manager *manager);
/* Returns `hash` with a pool added. sp_manager_hash adds all, in order of creation. */
uint64_t sp_hash_pool(uint64_t hash, const sp_pool *pool, const sp_hashing *how);
/* Returns the slot and the generation of a reference, counted from the manager's first one, plus 1: ids and ranges of
   generations are not part of a state. 0 for references of others. */
uint64_t sp_hash_ref(const sp_manager *manager, sp_ref ref);

/* }== */

/* {== Changes of several pools =========================================== */

/* sp_pool_redefine in steps, so that changes of several pools are made together or not at all. Between prepare and
   commit or cancel the manager must not be used otherwise, and `desc` must stay; changes are committed in the order in
   which they were prepared.
     prepare  checks the change and reserves all memory for it. NULL: SP_CLOSED, SP_INVALID or SP_MEMORY.
     commit   makes the change; cancel gives everything back. Neither can fail, and no hook runs.
     settle   destroys surplus idle objects, and makes those of a raised prealloc, of which commit returned the number.
              Hooks run, and may do anything. */
typedef struct sp_change sp_change;
sp_change *sp_change_new(sp_pool *pool, const sp_pool_desc *desc, sp_result *result);
void sp_change_cancel(sp_change *change);
uint32_t sp_change_commit(sp_change *change);
void sp_change_settle(sp_pool *pool, uint32_t prealloc);
/* Says what the settings of the last description were, where a game has set others since. */
void sp_pool_set_described(sp_pool *pool, const sp_settings *settings);

/* }== */

#pragma GCC visibility pop

#endif
