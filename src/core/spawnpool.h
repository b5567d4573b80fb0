/*
** spawnpool: object pools for games and servers. C11 and libc only; C++ may include it too.
**
** A manager owns pools and one clock. A pool owns the objects of one type. A reference names one life of one object:
** when that life ends the reference is stale, for ever, even if the slot is reused. Nothing here prints, aborts or
** keeps global state. A manager belongs to one thread at a time. Pointers to managers and pools must be valid;
** references may be any 64 bits. Times are seconds of game time, angles are radians.
**
** This header includes spawnpool_desc.h, the description of a pool, and spawnpool_save.h: snapshots, saves and hashes.
** spawnpool_tools.h is for bindings and tools, spawnpool.hpp for C++.
*/
#ifndef SPAWNPOOL_H
#define SPAWNPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, as numbers for #if, and as a string. */
#define SP_VERSION_MAJOR 0
#define SP_VERSION_MINOR 2
#define SP_VERSION_PATCH 0
#define SP_VERSION "0.2.0"
#if !defined(SP_API) && defined(__GNUC__)
#define SP_API __attribute__((visibility("default")))
#elif !defined(SP_API)
#define SP_API
#endif

/* Stands behind SP_API of a function that will be removed: `SP_DEPRECATED("use sp_pool_trim")`. docs/changes.md says
   how long such a function stays. */
#if defined(__GNUC__)
#define SP_DEPRECATED(instead) __attribute__((deprecated(instead)))
#elif defined(_MSC_VER)
#define SP_DEPRECATED(instead) __declspec(deprecated(instead))
#else
#define SP_DEPRECATED(instead)
#endif

/* {== Limits ============================================================= */

#define SP_MAX_SLOTS (1u << 24)          /* objects in one manager, all types together */
#define SP_MAX_MANAGERS 4095             /* open at a time in one process */
#define SP_MAX_FIELDS 48                 /* own fields of one type */
#define SP_MAX_MEMBERS 64                /* described members of one field */
#define SP_MAX_CURVES 16                 /* curves of one type */
#define SP_MAX_POINTS 8                  /* points of one curve */
#define SP_MAX_LIFETIME 1e11             /* seconds: three thousand years */
#define SP_MAX_TICKS (UINT64_C(1) << 63) /* of a clock: at 60 a second, 4.8 billion years */
#define SP_UNLIMITED UINT32_MAX          /* for `limit` and `idle_limit`: as many as there is room for */
#define SP_DEFAULT_GROW 32u              /* objects created when none is idle, unless `grow` says otherwise */
#define SP_DEFAULT_STEP (1.0 / 60.0)     /* seconds per tick */

/* {== The first calls ==================================================== */

/* Every program makes these: open a manager, add a pool, allocate, update, recycle.

     #include <spawnpool.h>
     #include <stdio.h>

     int main(void)
     {
       sp_manager *game = sp_manager_open(NULL, NULL);
       sp_pool_desc desc = sp_pool_defaults("Bullet");
       desc.spatial = true;
       sp_pool *bullets = sp_manager_add_pool(game, &desc, NULL);
       sp_start start = {.x = 100, .y = 50, .vx = 300};
       sp_ref bullet = sp_pool_alloc(bullets, 2.0, &start, NULL);
       sp_manager_update(game, 0.5);
       printf("x = %g\n", *(const float *)sp_object_peek(game, bullet, SP_X));
       sp_object_recycle(game, bullet);
       return sp_manager_close(game) == SP_OK ? 0 : 1;
     }
*/

/* Opaque. A pool is valid until it is removed or its manager closed. */
typedef struct sp_manager sp_manager;
typedef struct sp_pool sp_pool;

/* A reference; 0 is "no object". Compare with ==, use as a key, keep as long as you like. It consists of a generation
   (high 32 bits, odd while live; its highest 4 are of the manager's id), 8 more bits of the id, and a slot (24). */
typedef uint64_t sp_ref;
#define SP_NULL_REF UINT64_C(0)

/* The outcome of everything that can fail: code, name (for Lua), text. A parameter `result` may be NULL; else it is
   always written, SP_OK when the call succeeds. After SP_INVALID, sp_manager_problem says which argument and why. */
#define SP_RESULTS(X)                                                                                                  \
  X(OK, "ok", "done")                                                                                                  \
  X(STALE, "stale", "the life that this reference names is over")                                                      \
  X(FOREIGN, "foreign", "the object belongs to another pool or manager")                                               \
  X(DYING, "dying", "the object is being recycled already")                                                            \
  X(VETOED, "vetoed", "the class kept the object")                                                                     \
  X(FULL, "full", "the pool is at its limit")                                                                          \
  X(SPAWN_RECYCLED, "recycled", "a hook recycled the object while it spawned")                                         \
  X(NONE, "none", "no idle object matches")                                                                            \
  X(MEMORY, "memory", "the allocator refused")                                                                         \
  X(BUSY, "busy", "a hook of this pool is still running")                                                              \
  X(CLOSED, "closed", "the manager is closed, or the pool removed")                                                    \
  X(EXISTS, "exists", "a pool of this type exists already")                                                            \
  X(CYCLE, "cycle", "an object cannot be inside itself")                                                               \
  X(INVALID, "invalid", "an argument makes no sense")                                                                  \
  X(FAILED, "failed", "a hook failed")                                                                                 \
  X(INTERRUPTED, "interrupted", "the progress callback ended the call")                                                \
  X(DAMAGED, "damaged", "the save is incomplete or damaged")                                                           \
  X(NEWER, "newer", "a newer version wrote the save")
typedef enum sp_result {
#define SP_RESULT_ENUM(code, name, text) SP_##code,
  SP_RESULTS(SP_RESULT_ENUM)
#undef SP_RESULT_ENUM
      SP_RESULT_COUNT
} sp_result;

/* Opens a manager; `options` NULL: the defaults. Ends by sp_manager_close. NULL: SP_MEMORY, SP_FULL, or SP_INVALID, of
   which options.on_log gets the reason. */
struct sp_manager_options;
SP_API sp_manager *sp_manager_open(const struct sp_manager_options *options, sp_result *result);
/* Creates a pool and its `prealloc` objects. NULL, and no hook has run: SP_EXISTS, SP_INVALID, SP_MEMORY, SP_CLOSED. */
struct sp_pool_desc;
SP_API sp_pool *sp_manager_add_pool(sp_manager *manager, const struct sp_pool_desc *desc, sp_result *result);

/* How an object begins, before on_spawn sees it: its place, relative to `parent` unless that is 0, and its velocity. In
   a pool without places only zeros of `parent` are valid, and nothing is written. */
typedef struct sp_start {
  float x, y, angle, vx, vy;
  sp_ref parent;
} sp_start;
/* Returns a live object. `lifetime` > 0, up to SP_MAX_LIFETIME: it is recycled by itself, those of one tick in the
   order in which they began; 0 and infinity: never. `start` NULL: it begins as its type says. 0: SP_FULL, SP_INVALID,
   SP_MEMORY, SP_CLOSED; by on_spawn SP_FAILED or SP_SPAWN_RECYCLED; for its parent as sp_object_set_parent. An end or a
   timer on a multiple of 2^32 ticks, every 2.3 years at 60 a second, is one tick late. */
SP_API sp_ref sp_pool_alloc(sp_pool *pool, double lifetime, const sp_start *start, sp_result *result);

/* Advances game time by `dt` seconds times the time scale, unless paused. In this order: slices of prewarming, ends of
   lives and timers, hooks.update, motion, curves, bounds. SP_INVALID unless both `dt` and the product are
   0 .. SP_MAX_LIFETIME, and once the clock has reached SP_MAX_TICKS. SP_BUSY from inside a hook, a callback or another
   update. */
SP_API sp_result sp_manager_update(sp_manager *manager, double dt);
/* Ends a life, in constant time. SP_OK, SP_STALE, SP_FOREIGN, SP_DYING or SP_VETOED. */
SP_API sp_result sp_object_recycle(sp_manager *manager, sp_ref object);

/* Recycles all live objects (hooks run, why = "removed"), destroys everything, frees all memory. SP_BUSY from inside a
   hook, a callback or an update, and while an object is open: nothing is changed then. NULL is allowed. */
SP_API sp_result sp_manager_close(sp_manager *manager);
/* Returns the reason of the last SP_INVALID: "Bullet: fields[3].size is 0 (1..256)"; "" if there was none. The text is
   valid until the next call that may be SP_INVALID. */
SP_API const char *sp_manager_problem(const sp_manager *manager);
/* Returns a static string, never NULL: "the life that this reference names is over". */
SP_API const char *sp_result_text(sp_result result);

/* {== Objects ============================================================ */

/* Built-in columns of a spatial pool. Each is one float per slot, but SP_LOOK: one sp_look per slot. */
typedef enum sp_column {
  SP_X, /* position; relative to the parent if there is one */
  SP_Y,
  SP_VX, /* velocity, per second */
  SP_VY,
  SP_AX, /* acceleration, per second squared */
  SP_AY,
  SP_ANGLE, /* radians */
  SP_SPIN,  /* radians per second */
  SP_LOOK,
  SP_FIELDS /* own field i is column SP_FIELDS + i */
} sp_column;

/* Return the address of one cell, to write and to read. NULL: the reference is stale or foreign, or there is no such
   column. It stays the object's until its life ends, or sp_pool_redefine moves it. Idle objects (hooks, sp_choose_fn)
   have cells too. A column that was never written needs no reset at alloc: sp_object_cell counts as a write. */
SP_API void *sp_object_cell(sp_manager *manager, sp_ref object, int column);
SP_API const void *sp_object_peek(const sp_manager *manager, sp_ref object, int column);

/* Returns whether these are a reference to a live object. Accepts any 64 bits, also from outside the program. */
SP_API bool sp_object_is_live(const sp_manager *manager, sp_ref object);
/* Returns the pool that owns the slot of a reference, also of a stale one; NULL: foreign, or the slot has no owner. */
SP_API sp_pool *sp_object_pool(const sp_manager *manager, sp_ref object);

/* Remaining time: infinite without an end; 0 when stale. To end in `seconds` from now: 0 at the next tick, infinity
   never. SP_INVALID, SP_MEMORY, SP_STALE, SP_FOREIGN. */
SP_API double sp_object_remaining(const sp_manager *manager, sp_ref object);
SP_API sp_result sp_object_set_remaining(sp_manager *manager, sp_ref object, double seconds);

/* Makes `child` move with `parent`: its x, y and angle are relative from now on. `parent` 0 detaches it where it is in
   the world. SP_STALE, SP_FOREIGN, SP_CYCLE, SP_MEMORY; SP_INVALID when one of them has no place. */
SP_API sp_result sp_object_set_parent(sp_manager *manager, sp_ref child, sp_ref parent);
SP_API sp_ref sp_object_parent(const sp_manager *manager, sp_ref child); /* 0 when there is none */
/* Where an object is in the world, with its angle. False when it is stale or has no place. */
typedef struct sp_place {
  float x, y, angle;
} sp_place;
SP_API bool sp_object_world(const sp_manager *manager, sp_ref object, sp_place *place);

/* {== Many objects ======================================================= */

/* A walk visits, in slot order, each object that was live when the walk began, unless it is recycled before it is
   reached; never one spawned meanwhile. Anything may be called between two steps, but removal of the pool.
     for (sp_walk w = sp_pool_walk(pool); (object = sp_walk_next(&w)) != 0;) ... */
typedef struct sp_walk {
  sp_pool *pool;
  sp_ref last;
  uint64_t serial;
} sp_walk;
SP_API sp_walk sp_pool_walk(sp_pool *pool);
SP_API sp_ref sp_walk_next(sp_walk *walk);

/* Whole columns for bulk work: chunk k (from 0 on, while sp_pool_live_bits is true) holds SP_CHUNK_SLOTS slots, cells
   side by side. Addresses of columns stay until trim, remove or redefine; NULL when there is no such chunk or column.
   sp_pool_column counts as a write to all. Bit s of `*bits` says whether slot s of the chunk is live now. */
#define SP_CHUNK_SLOTS 64 /* slots in a chunk */
SP_API bool sp_pool_live_bits(const sp_pool *pool, uint32_t chunk, uint64_t *bits);
SP_API void *sp_pool_column(sp_pool *pool, uint32_t chunk, int column);
SP_API const void *sp_pool_peek_column(const sp_pool *pool, uint32_t chunk, int column);

/* Returns the live object whose centre, or box, is nearest to x, y, and at most `within` away (0: anywhere); the first
   of several in slot order; 0 when there is none. A box that contains x, y has the distance 0. `distance` may be NULL.
   Here and in the next two, positions are those in the world; an object at one that is not finite is skipped. A pool
   without places, a centre that is not finite, a negative distance and another manager's pool are SP_INVALID. */
SP_API sp_ref sp_pool_nearest(sp_pool *pool, float x, float y, float within, float *distance);
/* Calls fn for each live object whose centre, or box, is at most `radius` away, in slot order, as they were when the
   call began. Rules as for hooks apply to fn; objects that it recycles are not visited. Returns the number of calls; 0
   and SP_MEMORY: none was made. */
typedef void (*sp_object_fn)(void *ud, sp_ref object);
SP_API uint32_t sp_pool_within(sp_pool *pool, float x, float y, float radius, sp_object_fn fn, void *ud,
                               sp_result *result);
/* Calls fn for each pair of live objects, one of each pool, whose boxes or circles (radius times scale) overlap; with
   pool == other for each pair once, lower slot first. Shapes that only touch do not overlap. Else as sp_pool_within,
   but the order of pairs depends on the objects alone. For any mixture of sizes and positions cost is near linear in
   objects plus pairs that touch or nearly do; memory is linear in objects. */
typedef void (*sp_pair_fn)(void *ud, sp_ref object, sp_ref other);
SP_API uint32_t sp_pool_overlaps(sp_pool *pool, sp_pool *other, sp_pair_fn fn, void *ud, sp_result *result);

/* {== The description of a pool ========================================== */

#include "spawnpool_desc.h" /* sp_pool_desc and its parts: settings, fields, motion, hooks */

/* Writes the defaults and `size`, at most `size` bytes: sizeof(sp_pool_desc) in the calling program. */
SP_API void sp_pool_desc_init(sp_pool_desc *desc, size_t size);
static inline sp_pool_desc sp_pool_defaults(const char *type)
{
  sp_pool_desc desc;
  sp_pool_desc_init(&desc, sizeof desc);
  desc.type = type;
  return desc;
}

/* {== Time and timers ==================================================== */

/* `scale` 0 .. 1e6, else SP_INVALID; 1 at first. While paused, updates succeed and do nothing. */
SP_API sp_result sp_manager_set_time_scale(sp_manager *manager, double scale);
SP_API void sp_manager_set_paused(sp_manager *manager, bool paused);

/* Game seconds and whole ticks since sp_manager_open, seconds per tick, and what the two calls above set. */
typedef struct sp_clock {
  double time;
  uint64_t tick;
  double step, time_scale;
  bool paused;
} sp_clock;
SP_API void sp_manager_clock(const sp_manager *manager, sp_clock *clock);

/* Calls options.on_timer in `seconds` (>= 0; infinity: never), then every `period` seconds (0 and infinity: once), as
   long as the object lives, or, for SP_NULL_REF, the manager is open; at most once per tick. `tag` is the host's: saves
   and snapshots keep it, and callbacks get it back. 0: SP_STALE, SP_FOREIGN, SP_INVALID, SP_CLOSED or SP_MEMORY. */
typedef uint64_t sp_timer;
SP_API sp_timer sp_timer_start(sp_manager *manager, sp_ref object, double seconds, double period, uint64_t tag,
                               sp_result *result);
SP_API sp_result sp_timer_stop(sp_manager *manager, sp_timer timer); /* SP_NONE when the timer has ended */

/* {== Pools ============================================================== */

SP_API sp_pool *sp_manager_pool(const sp_manager *manager, const char *type); /* NULL when there is none */
/* Returns the pool that was added after `after` (NULL: the first); NULL at the end. */
SP_API sp_pool *sp_manager_next_pool(const sp_manager *manager, const sp_pool *after);
SP_API sp_manager *sp_pool_manager(const sp_pool *pool); /* the one that the pool was added to */
/* Returns the description as it is now: type, settings, fields, user. The struct is the pool's, and valid until it
   changes; the name of the type lives as long as the pool. */
SP_API const sp_pool_desc *sp_pool_desc_of(const sp_pool *pool);
SP_API uint32_t sp_pool_live(const sp_pool *pool); /* how many */

/* Brings an idle object to life, reset like any other, and creates none: the first one in slot order for which `choose`
   returns true; `choose` NULL: the one that alloc would take. 0 and SP_NONE when there is none; else as sp_pool_alloc.
   `choose` may read the object, and alloc and recycle; an object that is not idle any more then is passed over. */
typedef bool (*sp_choose_fn)(void *ud, sp_ref idle);
SP_API sp_ref sp_pool_take(sp_pool *pool, sp_choose_fn choose, void *ud, double lifetime, sp_result *result);

/* Creates objects until there are `count`, including live ones, or a limit prevents it. `per_update` 0 and `delay` 0:
   at once; SP_MEMORY after as many as there was memory for. Else in slices, from the sp_manager_update on in which
   `delay` seconds pass: at most `per_update` (0: all) in each. That replaces a prewarm in slices; a count of 0 ends it.
   Objects created meanwhile count. Progress is in sp_stats. SP_INVALID, SP_CLOSED. */
SP_API sp_result sp_pool_prewarm(sp_pool *pool, uint32_t count, uint32_t per_update, double delay);
/* Recycles every object that was live when the call began; returns how many ended. */
SP_API uint32_t sp_pool_recycle_all(sp_pool *pool);
/* Destroys idle objects until `keep` are left, and frees empty chunks; returns how many. */
SP_API uint32_t sp_pool_trim(sp_pool *pool, uint32_t keep);
/* Recycles, destroys and forgets a pool. `recycled` and `destroyed` (may be NULL) receive the counts. SP_BUSY while a
   hook, a timer's callback or a query of it runs, or an object is open. The pool pointer is dead after SP_OK. */
SP_API sp_result sp_pool_remove(sp_pool *pool, uint32_t *recycled, uint32_t *destroyed);

/* Changes settings at run time. Raised limits take effect at once; lowered ones end no life. The objects of a raised
   prealloc are created at once. SP_MEMORY, SP_INVALID and SP_CLOSED: nothing has changed, and no hook has run. */
SP_API sp_result sp_pool_set_settings(sp_pool *pool, const sp_settings *settings);
/* Replaces all but `type` and `user`, which stay, and `spatial`, which must (SP_INVALID). Objects keep what they have
   in fields of the same name and size; other fields start at their default. All cells move, unless fields have the same
   names and sizes in the same order: pointers to cells and columns are then invalid, and old and new cells need memory
   at once. Fails like sp_pool_set_settings. */
SP_API sp_result sp_pool_redefine(sp_pool *pool, const sp_pool_desc *desc);

/* Statistics of a pool, or of all pools of a manager. */
typedef struct sp_stats {
  uint32_t live, idle, total, peak; /* total = live + idle */
  double peak_time;                 /* game seconds at which `peak` was reached */
  uint64_t allocs, recycles;        /* allocs - recycles = live */
  /* Recycles by lifetime (expired) and by an alloc at the limit (evicted), which `recycles` includes. Allocs refused
     before a life began; recycles vetoed by hooks.recycle; stale references given to sp_object_check,
     sp_object_set_remaining, sp_object_set_parent and sp_timer_start (stale_uses), and stale or dying ones given to
     recycle (double_recycles). */
  uint64_t expired, refused, evicted, vetoed, stale_uses, double_recycles;
  uint64_t created, destroyed;           /* created - destroyed = total */
  uint32_t retired;                      /* slots that ran out of generations */
  uint32_t prewarm_done, prewarm_wanted; /* of the last prewarm */
  size_t bytes;                          /* storage held */
} sp_stats;
SP_API void sp_pool_stats(const sp_pool *pool, sp_stats *stats);

/* {== Options of a manager =============================================== */

/* Memory hook, as Lua's: size 0 frees; `old_size` is exact; NULL: refused, the old block stays. Aligned as malloc. */
typedef void *(*sp_memory_fn)(void *ud, void *ptr, size_t old_size, size_t new_size);
/* Called for a broken invariant of the library itself. May return, abort or longjmp. */
typedef void (*sp_assert_fn)(void *ud, const char *expression, const char *file, int line);
/* Receives the text of each SP_INVALID, as sp_manager_problem. It may neither keep `text` nor use the manager. */
typedef void (*sp_log_fn)(void *ud, const char *text);
/* Called when a timer is due, and once when it ends: fired last, stopped, or its life has ended. `object` and `tag` are
   those that it was started with. Rules as for hooks. */
typedef void (*sp_timer_fn)(void *ud, sp_ref object, uint64_t timer, uint64_t tag);
/* A state of the host's own, such as a score or a random number generator, as bytes in snapshots and saves:
   spawnpool_save.h says when these are called. */
typedef struct sp_host_state {
  void *ud;
  size_t (*size)(void *ud); /* of the bytes that `write` will write; 0: there is nothing to keep */
  void (*write)(void *ud, void *bytes, size_t size);
  /* Takes back what was written; NULL and 0 when nothing was. False, with nothing changed: it does not fit. */
  bool (*read)(void *ud, const void *bytes, size_t size);
} sp_host_state;

/* How a manager works. Make one by sp_manager_defaults(), then change members. */
typedef struct sp_manager_options {
  size_t size;         /* of this struct, as the program was compiled: sp_manager_defaults sets it */
  sp_memory_fn memory; /* NULL: realloc and free */
  void *memory_ud;
  sp_assert_fn on_assert; /* NULL: abort() */
  void *assert_ud;
  sp_log_fn on_log; /* NULL: nothing is reported */
  void *log_ud;
  sp_timer_fn on_timer, on_timer_end;
  void *timer_ud;
  double step; /* seconds per tick, 1e-6 to 1e3; 0: SP_DEFAULT_STEP */
  /* 1..SP_MAX_MANAGERS, part of every reference; 0: one that no open manager has, the one that was closed longest ago
     once all were given; SP_FULL when there is none. An id that is given again, also by the host, begins after all
     references that were made under it. Managers that are open with the same id accept each other's references, and can
     restore each other's snapshots. Hashes do not depend on it, nor does a save of a manager that was opened with 0. */
  uint16_t id;
  /* How many a slot has before it is retired, at most 2^27; 0: as many. All managers that the host gives one id share
     them. */
  uint32_t lives;
  sp_host_state host; /* copied; zeros: none */
} sp_manager_options;

/* Writes the defaults and `size`, at most `size` bytes: sizeof(sp_manager_options) in the calling program. */
SP_API void sp_manager_options_init(sp_manager_options *options, size_t size);
static inline sp_manager_options sp_manager_defaults(void)
{
  sp_manager_options options;
  sp_manager_options_init(&options, sizeof options);
  return options;
}

/* }== */

#ifdef __cplusplus
}
#endif
#include "spawnpool_save.h" /* snapshots, saves, hashes */
#endif
