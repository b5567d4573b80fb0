/*
** spawnpool: object pools for games and servers. C11 and libc only; C++ may include it too.
**
** A manager owns pools and one clock. A pool owns the storage of one type. An object is named by a reference: one life
** of one slot, for ever. When that life ends the reference is stale, even if the slot is reused. Nothing here prints,
** aborts or keeps global state. One manager belongs to one thread at a time. Managers and pools that are passed in must
** be open; references may be anything.
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

/* From C++20 on a program may name some members of a struct that it fills, and leave the rest: g++ warns of that unless
   each has an initializer. */
#if defined(__cplusplus) && __cplusplus >= 202002L && !defined(__clang__)
#define SP_INIT = {}
#else
#define SP_INIT
#endif

/* SP_VERSION of the library, which is not that of the header where a program was given another one. */
SP_API const char *sp_version(void);

/* {== Results ============================================================ */

/* Every operation that can fail returns one of these: code, name (for Lua), text. A parameter `result` may be NULL;
   else it is always written, SP_OK when the call succeeds. sp_manager_problem says more about SP_INVALID. */
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
  X(CLOSED, "closed", "the manager is closed")                                                                         \
  X(EXISTS, "exists", "a pool of this type exists already")                                                            \
  X(CYCLE, "cycle", "an object cannot be inside itself")                                                               \
  X(INVALID, "invalid", "an argument makes no sense")                                                                  \
  X(FAILED, "failed", "a hook failed")                                                                                 \
  X(INTERRUPTED, "interrupted", "the progress callback ended the call")                                                \
  X(DAMAGED, "damaged", "the save is incomplete or damaged")                                                           \
  X(NEWER, "newer", "a newer version wrote the save")

/* The result of an operation: SP_OK, SP_STALE and so on, of SP_RESULTS. */
typedef enum sp_result {
#define SP_RESULT_ENUM(code, name, text) SP_##code,
  SP_RESULTS(SP_RESULT_ENUM)
#undef SP_RESULT_ENUM
      SP_RESULT_COUNT
} sp_result;

/* Why a life ended, for hooks. RECYCLED: by sp_object_recycle; EXPIRED: by its lifetime; EVICTED: by an alloc at the
   limit; RECYCLED_ALL: by sp_pool_recycle_all; REMOVED: with its pool or manager; OUTSIDE: by the bounds of its type;
   PARENT: with its parent. */
#define SP_WHYS(X)                                                                                                     \
  X(RECYCLED, "recycled")                                                                                              \
  X(EXPIRED, "expired")                                                                                                \
  X(EVICTED, "evicted")                                                                                                \
  X(RECYCLED_ALL, "recycled_all")                                                                                      \
  X(REMOVED, "removed")                                                                                                \
  X(OUTSIDE, "outside")                                                                                                \
  X(PARENT, "parent")

/* SP_WHY_RECYCLED and so on, of SP_WHYS. */
typedef enum sp_why {
#define SP_WHY_ENUM(code, name) SP_WHY_##code,
  SP_WHYS(SP_WHY_ENUM)
#undef SP_WHY_ENUM
      SP_WHY_COUNT
} sp_why;

/* Static strings, never NULL: "stale", "the life that ... is over", "expired". */
SP_API const char *sp_result_name(sp_result result);
SP_API const char *sp_result_text(sp_result result);
SP_API const char *sp_why_name(sp_why why);

/* {== Types ============================================================== */

/* Opaque. A pool's pointer is valid until the pool is removed or its manager closed. */
typedef struct sp_manager sp_manager;
typedef struct sp_pool sp_pool;

/* A reference: generation (high 32 bits, odd while live), manager id (8 bits), slot (low 24 bits). Never 0 for an
   object: 0 is "no object". Compare with ==; use as a key; keep as long as you like. */
typedef uint64_t sp_ref;
#define SP_NULL_REF UINT64_C(0)

#define SP_UNLIMITED UINT32_MAX          /* for `limit` and `idle_limit`: as many as there is room for */
#define SP_NO_OBJECTS (UINT32_MAX - 1)   /* for `limit` and `idle_limit`: none at all */
#define SP_DEFAULT_GROW 32u              /* objects made when none is idle, unless `grow` says otherwise */
#define SP_MAX_SLOTS (1u << 24)          /* objects in one manager, all types together */
#define SP_MAX_FIELDS 48                 /* own fields of one type */
#define SP_LAST_GENERATION 0xfffffffeu   /* the end of the range of generations */
#define SP_MAX_LIFETIME 1e11             /* seconds: three thousand years */
#define SP_MAX_TICKS (UINT64_C(1) << 63) /* of a clock: at 60 a second, 4.8 billion years */
#define SP_DEFAULT_STEP (1.0 / 60.0)     /* seconds per tick */

/* Memory hook, as Lua's: size 0 frees; `old_size` is exact; NULL: refused, the old block stays. Aligned as malloc. */
typedef void *(*sp_memory_fn)(void *ud, void *ptr, size_t old_size, size_t new_size);
/* Called for a broken invariant of the library itself. May return, abort or longjmp. */
typedef void (*sp_assert_fn)(void *ud, const char *expression, const char *file, int line);

/* Receives a problem: "Bullet: fields[3].size is 0 (1..256)". The call itself returns SP_INVALID.
   It may neither keep `text` nor use the manager. */
typedef void (*sp_log_fn)(void *ud, const char *text);

/* Called when a timer is due, and once when it ends: fired last, stopped, or its life has ended. Rules as for hooks. */
typedef void (*sp_timer_fn)(void *ud, sp_ref object, uint64_t timer);

/* A state of the host's own, such as a score or a random number generator, as bytes in snapshots and saves:
   spawnpool_save.h says when these are called. */
typedef struct sp_host_state {
  void *ud SP_INIT;
  size_t (*size)(void *ud) SP_INIT; /* of the bytes that `write` will write; 0: there is nothing to keep */
  void (*write)(void *ud, void *bytes, size_t size) SP_INIT;
  /* Takes back what was written; NULL and 0 when nothing was. False, with nothing changed: it does not fit. */
  bool (*read)(void *ud, const void *bytes, size_t size) SP_INIT;
} sp_host_state;

/* All zeros are the defaults. */
typedef struct sp_manager_options {
  sp_memory_fn memory SP_INIT; /* NULL: realloc and free */
  void *memory_ud SP_INIT;
  sp_assert_fn on_assert SP_INIT; /* NULL: abort() */
  void *assert_ud SP_INIT;
  sp_log_fn on_log SP_INIT; /* NULL: nothing is reported */
  void *log_ud SP_INIT;
  sp_timer_fn on_timer SP_INIT, on_timer_end SP_INIT;
  void *timer_ud SP_INIT;
  double step SP_INIT; /* seconds per tick, 1e-6 to 1e3; 0: SP_DEFAULT_STEP */
  /* 1..255, part of every reference; 0: one that the managers opened last do not have. Managers with the same id accept
     each other's references, and can restore each other's snapshots. Hashes do not depend on it, nor does a save of a
     manager that was opened with 0. */
  uint8_t id SP_INIT;
  /* Even; 0: start of the range. Also for a manager that follows another of the same id. */
  uint32_t first_generation SP_INIT;
  uint32_t last_generation SP_INIT; /* even; a slot that reaches it is retired; 0: end of the range */
  sp_host_state host SP_INIT;       /* copied; zeros: none */
} sp_manager_options;

/* Policy of alloc when the pool is at `limit`. */
typedef enum sp_overflow {
  SP_OVERFLOW_REFUSE,   /* SP_FULL */
  SP_OVERFLOW_OLDEST,   /* recycles the oldest live object that is not pinned and does not veto */
  SP_OVERFLOW_GROW,     /* exceeds the limit; the surplus is destroyed when it is recycled */
  SP_OVERFLOW_FUNCTION, /* calls hooks.on_overflow */
  SP_OVERFLOW_COUNT
} sp_overflow;
/* Which idle object is reused first: the longest idle (FIFO), or the last one returned (LIFO). */
typedef enum sp_order { SP_ORDER_FIFO, SP_ORDER_LIFO, SP_ORDER_COUNT } sp_order;

/* Zeros are the defaults: nothing up front, no limits, SP_OVERFLOW_REFUSE, SP_ORDER_FIFO. */
typedef struct sp_settings {
  uint32_t prealloc SP_INIT;   /* objects made up front, at most SP_MAX_SLOTS */
  uint32_t grow SP_INIT;       /* objects made when none is idle; 0: SP_DEFAULT_GROW */
  uint32_t limit SP_INIT;      /* most live objects; 0: SP_UNLIMITED; or SP_NO_OBJECTS */
  uint32_t idle_limit SP_INIT; /* most idle objects kept; 0: SP_UNLIMITED; or SP_NO_OBJECTS */
  sp_overflow overflow SP_INIT;
  sp_order order SP_INIT;
} sp_settings;

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

/* How an object is drawn. `sprite` is a number that the host gives meaning to; 0 is its default. In a description a 0
   stands for the value that SP_DEFAULT_LOOK has there, unless `exact` is 1; r, g and b are taken together. */
typedef struct sp_look {
  float scale SP_INIT, r SP_INIT, g SP_INIT, b SP_INIT, a SP_INIT, radius SP_INIT; /* colours from 0 to 1 */
  int16_t layer SP_INIT;
  uint16_t sprite SP_INIT;
  uint8_t visible SP_INIT;
  uint8_t pinned SP_INIT; /* never evicted by SP_OVERFLOW_OLDEST */
  uint8_t exact SP_INIT;  /* in a description: what is 0 is meant to be 0. Of an object: 0 */
  uint8_t reserved SP_INIT;
} sp_look;
/* Scale 1, white, radius 8, layer 0, visible: an initialiser to start from. */
/* clang-format off */
#define SP_DEFAULT_LOOK {1, 1, 1, 1, 1, 8, 0, 0, 1, 0, 0, 0}
/* clang-format on */

/* A position, and an angle in radians. */
typedef struct sp_place {
  float x SP_INIT, y SP_INIT, angle SP_INIT;
} sp_place;

/* An own field of a type: `size` bytes per object (1..256), aligned to the largest power of two in it, up to 64. */
typedef struct sp_field {
  const char *name SP_INIT;    /* unique within the type */
  const void *initial SP_INIT; /* `size` bytes, the value after every alloc; NULL: zeros */
  uint16_t size SP_INIT;
  bool keep SP_INIT; /* survives from life to life */
  bool live SP_INIT; /* sp_pool_redefine: objects that still have the old initial value get the new one */
  bool ref SP_INIT;  /* an sp_ref, of 8 bytes: sp_manager_load and sp_manager_hash know that it names an object */
} sp_field;

/* Bulk motion beyond velocity and acceleration. */
typedef struct sp_motion {
  float gravity SP_INIT;      /* added to ay */
  float drag SP_INIT;         /* >= 0: share of the velocity lost per second, for small shares: v /= 1 + drag * dt */
  bool face_velocity SP_INIT; /* angle follows the velocity */
} sp_motion;

/* Policy for an object without parent whose x, y leave the rectangle. A box leaves it for RECYCLE and WRAP when no part
   of it is inside any more, for BOUNCE and CLAMP as soon as a part is outside; one that is too large for the rectangle
   is held in its middle. */
typedef enum sp_outside {
  SP_OUTSIDE_IGNORE,
  SP_OUTSIDE_RECYCLE,
  SP_OUTSIDE_WRAP,   /* re-enters from the opposite side */
  SP_OUTSIDE_BOUNCE, /* reflected, its velocity too */
  SP_OUTSIDE_CLAMP,  /* held at the edge, at rest on that axis */
  SP_OUTSIDE_COUNT
} sp_outside;
/* A rectangle of positive size. */
typedef struct sp_bounds {
  float x SP_INIT, y SP_INIT, w SP_INIT, h SP_INIT;
  sp_outside outside SP_INIT;
} sp_bounds;

/* A rectangle without rotation around an object's place, which replaces the circle of its radius in queries and at the
   bounds. Its size is multiplied by the object's scale. Zeros: none. */
typedef struct sp_box {
  float w SP_INIT, h SP_INIT;
} sp_box;

#define SP_MAX_CURVES 16 /* curves of one type */
#define SP_MAX_POINTS 8  /* points of one curve */

/* A float that follows the elapsed share of an object's lifetime: evenly spaced points with linear interpolation.
   Objects without a lifetime are not changed. For spatial pools only. */
typedef struct sp_curve {
  int column SP_INIT;      /* SP_X .. SP_SPIN, an own field of 4 bytes, or SP_LOOK */
  uint16_t offset SP_INIT; /* SP_LOOK: offsetof(sp_look, ...) of a float */
  uint16_t count SP_INIT;  /* 2 .. SP_MAX_POINTS */
  float points[SP_MAX_POINTS] SP_INIT;
} sp_curve;

/* Says what happens to an object of this type when its parent's life ends. A detached one keeps its world position. */
typedef enum sp_parent_end { SP_PARENT_END_RECYCLE, SP_PARENT_END_DETACH, SP_PARENT_END_COUNT } sp_parent_end;

/* A timer of one life; 0 is none. */
typedef uint64_t sp_timer;

/* Hooks of a type, all optional. They may call anything, alloc and recycle in their own pool too; but
   sp_manager_update, sp_manager_close and the removal of that pool are SP_BUSY. They must return (no longjmp through
   the core). */
typedef struct sp_pool_hooks {
  void *ud SP_INIT;
  /* Override of recycle: call sp_object_recycle_base(object) to end the life; return without calling it to veto. */
  void (*recycle)(void *ud, sp_pool *pool, sp_ref object, sp_why why) SP_INIT;
  void (*on_create)(void *ud, sp_pool *pool, sp_ref object) SP_INIT; /* a new object, idle as yet */
  /* A life begins; `fresh`: the first of its object. Return false to undo it: sp_pool_alloc returns 0, SP_FAILED. */
  bool (*on_spawn)(void *ud, sp_pool *pool, sp_ref object, bool fresh) SP_INIT;
  void (*on_despawn)(void *ud, sp_pool *pool, sp_ref object,
                     sp_why why) SP_INIT;                             /* a life ends, and can still be read */
  void (*on_reject)(void *ud, sp_pool *pool, sp_ref object) SP_INIT;  /* idle_limit refuses it: on_destroy is next */
  void (*on_destroy)(void *ud, sp_pool *pool, sp_ref object) SP_INIT; /* it is freed after this */
  /* The last moment of a life, after every other hook: for a binding that keeps data beside the columns. It may read
     and write cells, and nothing else. */
  void (*on_end)(void *ud, sp_pool *pool, sp_ref object, sp_why why) SP_INIT;
  sp_ref (*on_overflow)(void *ud,
                        sp_pool *pool) SP_INIT; /* SP_OVERFLOW_FUNCTION: the object to recycle, or 0 to refuse */
  void (*update)(void *ud, sp_pool *pool,
                 double dt) SP_INIT; /* in sp_manager_update: after ends of lives and timers, before motion */
} sp_pool_hooks;

/* All zeros but `type` describe a pool without columns, limits or hooks. Everything that a description points to is
   copied, except `hooks.ud` and `user`. */
typedef struct sp_pool_desc {
  const char *type SP_INIT;
  sp_settings settings SP_INIT;
  bool spatial SP_INIT; /* has the built-in columns */
  float x SP_INIT, y SP_INIT, vx SP_INIT, vy SP_INIT, ax SP_INIT, ay SP_INIT, angle SP_INIT,
      spin SP_INIT; /* initial values of these, and `look` */
  sp_look look SP_INIT;
  const sp_field *fields SP_INIT;
  int field_count SP_INIT;
  sp_motion motion SP_INIT;
  sp_bounds bounds SP_INIT;
  sp_box box SP_INIT; /* of a spatial pool */
  const sp_curve *curves SP_INIT;
  int curve_count SP_INIT;
  sp_parent_end on_parent_end SP_INIT;
  sp_pool_hooks hooks SP_INIT;
  void *user SP_INIT; /* sp_pool_user */
} sp_pool_desc;

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

/* {== Life cycle ========================================================= */

/* Opens a manager; `options` may be NULL. NULL and SP_INVALID or SP_MEMORY on failure, else SP_OK. Ends by
 * sp_manager_close. */
SP_API sp_manager *sp_manager_open(const sp_manager_options *options, sp_result *result);
/* Writes why sp_manager_open refuses these options to `text`, cut to `size` bytes: "sp_manager_options:
   first_generation is odd"; "" if it does not. Returns `text`. */
SP_API const char *sp_options_problem(const sp_manager_options *options, char *text, size_t size);
/* The last problem of the manager, as sp_log_fn gets it: "Bullet: fields[3].size is 0 (1..256)"; "" if there was none.
   The text is valid until the next call that may be SP_INVALID. */
SP_API const char *sp_manager_problem(const sp_manager *manager);

/* Recycles all live objects (hooks run, why = "removed"), destroys everything, frees all memory. SP_BUSY from inside a
   hook, a callback or an update, and while an object is open: nothing is changed then. NULL is allowed. */
SP_API sp_result sp_manager_close(sp_manager *manager);

/* Frees a manager at once without calling hooks or timer callbacks. Also from inside a hook or an update, into which
   the program must not return then; memory in use by a running query stays allocated. NULL is allowed. */
SP_API void sp_manager_discard(sp_manager *manager);

/* Makes a pool and its `prealloc` objects. NULL, and no hook has run: SP_EXISTS, SP_INVALID, SP_MEMORY, SP_CLOSED. */
SP_API sp_pool *sp_manager_add_pool(sp_manager *manager, const sp_pool_desc *desc, sp_result *result);

/* Recycles, destroys and forgets a pool. `recycled` and `destroyed` (may be NULL) receive the counts. SP_BUSY while a
   hook, a timer's callback or a query of it runs, or an object is open. The pool pointer is dead after SP_OK. */
SP_API sp_result sp_pool_remove(sp_pool *pool, uint32_t *recycled, uint32_t *destroyed);

/* {== Use ================================================================ */

/* A live object. `lifetime` in seconds of game time: > 0 recycles by itself, lives of one tick in the order in which
   they began; 0 never; up to SP_MAX_LIFETIME. 0 when refused: SP_FULL, SP_INVALID, SP_MEMORY, SP_CLOSED, by on_spawn
   SP_FAILED or SP_SPAWN_RECYCLED. An end on a multiple of 2^32 ticks, every 2.3 years at 60 a second, is one tick late.
 */
SP_API sp_ref sp_pool_alloc(sp_pool *pool, double lifetime, sp_result *result);

/* Does the same, with the object placed before on_spawn runs, and in motion: `place` may be NULL. In a pool without
   places nothing is written. */
SP_API sp_ref sp_pool_alloc_at(sp_pool *pool, double lifetime, const sp_place *place, sp_result *result);
SP_API sp_ref sp_pool_alloc_moving(sp_pool *pool, double lifetime, const sp_place *place, float vx, float vy,
                                   sp_result *result);
/* Does the same, and returns the address of the object's cell in `column`, like malloc, beside the reference. The
   pointer is valid as long as that of sp_object_cell. NULL on failure, with `*object` 0; SP_INVALID when the pool has
   no such column, or on_spawn removed it or changed its size by sp_pool_redefine. */
SP_API void *sp_pool_alloc_cell(sp_pool *pool, double lifetime, int column, sp_ref *object, sp_result *result);
/* Do the same in two steps, to write fields before on_spawn sees them: begin, write, commit or cancel at once. Only
   the field functions may be called in between. sp_alloc_begin is SP_BUSY while another object is open; for an
   object that is not open, commit returns SP_STALE and cancel does nothing. */
SP_API sp_ref sp_alloc_begin(sp_pool *pool, double lifetime, sp_result *result);
SP_API sp_ref sp_alloc_commit(sp_manager *manager, sp_ref object, sp_result *result);
SP_API void sp_alloc_cancel(sp_manager *manager, sp_ref object);

/* Ends a life. SP_OK, SP_STALE, SP_FOREIGN, SP_DYING or SP_VETOED. O(1). */
SP_API sp_result sp_object_recycle(sp_manager *manager, sp_ref object);
/* Does the same for an object of this pool, and is quicker: the pool is compared, not found. SP_FOREIGN for the object
   of another pool. */
SP_API sp_result sp_pool_recycle(sp_pool *pool, sp_ref object);

/* For hooks.recycle: recycles without the override. Outside of hooks.recycle, a live object is recycled and its
   override is skipped. Else SP_STALE, SP_FOREIGN, or SP_DYING when it was called for this object already. */
SP_API sp_result sp_object_recycle_base(sp_manager *manager, sp_ref object);

/* Brings the idle object `idle` (from sp_pool_idle_at) to life, reset like any other. 0 and SP_NONE when it is
   not idle any more; else as sp_pool_alloc. */
SP_API sp_ref sp_pool_take(sp_pool *pool, sp_ref idle, double lifetime, sp_result *result);

/* Advances game time by `dt` seconds times the time scale, unless paused: slices of prewarming, ends of lives and
   timers, hooks.update, motion, curves, bounds. SP_INVALID unless both `dt` and the product are 0 .. SP_MAX_LIFETIME,
   and once the clock has reached SP_MAX_TICKS. SP_BUSY from inside a hook, a callback or another update. */
SP_API sp_result sp_manager_update(sp_manager *manager, double dt);
SP_API sp_result sp_manager_set_time_scale(sp_manager *manager,
                                           double scale);            /* 0 .. 1e6, else SP_INVALID; 1 at first */
SP_API void sp_manager_set_paused(sp_manager *manager, bool paused); /* while paused, updates succeed and do nothing */

/* Makes objects until there are `count`, including live ones, or a limit or SP_MEMORY prevents it; returns how many. */
SP_API uint32_t sp_pool_prewarm(sp_pool *pool, uint32_t count, sp_result *result);
/* Does the same in slices, from the sp_manager_update on in which `delay` seconds pass: at most `per_update` (0: all)
   in each. Replaces a prewarm in progress; a count of 0 ends it. Objects made meanwhile count. Progress is in sp_stats.
   SP_INVALID, SP_CLOSED. */
SP_API sp_result sp_pool_prewarm_slowly(sp_pool *pool, uint32_t count, uint32_t per_update, double delay);
/* Recycles every object that was live when the call began; returns how many ended. */
SP_API uint32_t sp_pool_recycle_all(sp_pool *pool);
/* Destroys every idle object; returns how many. sp_pool_trim keeps `prealloc` of them. Both free empty chunks. */
SP_API uint32_t sp_pool_clear(sp_pool *pool);
SP_API uint32_t sp_pool_trim(sp_pool *pool);

/* Changes settings at run time. Raised limits take effect at once; lowered ones end no life. The objects of a raised
   prealloc are made at once. SP_MEMORY, SP_INVALID and SP_CLOSED: nothing at all has changed, and no hook has run. */
SP_API sp_result sp_pool_set_settings(sp_pool *pool, const sp_settings *settings);
SP_API void sp_pool_set_hooks(sp_pool *pool, const sp_pool_hooks *hooks); /* replaces the hooks alone */
/* Replaces all but `type` and `user`, which stay, and `spatial`, which must (SP_INVALID). Objects keep what they have
   in fields of the same name and size; other fields start at their default. All cells move, unless fields have the same
   names and sizes in the same order: pointers to cells and columns are then invalid, and old and new cells need memory
   at once. Fails like sp_pool_set_settings: nothing at all has changed. */
SP_API sp_result sp_pool_redefine(sp_pool *pool, const sp_pool_desc *desc);

/* {== Parents and timers ================================================= */

/* Makes `child` move with `parent`: its x, y and angle are relative from now on. `parent` 0 detaches it where it is in
   the world. SP_STALE, SP_FOREIGN, SP_CYCLE, SP_MEMORY; SP_INVALID when one of them has no place. */
SP_API sp_result sp_object_set_parent(sp_manager *manager, sp_ref child, sp_ref parent);
SP_API sp_ref sp_object_parent(const sp_manager *manager, sp_ref child); /* 0 when there is none */
/* Where an object is in the world. False when it is stale or has no place. */
SP_API bool sp_object_world(const sp_manager *manager, sp_ref object, sp_place *place);
/* The size of an object's box, or of the square around its circle, with its scale. False when it is stale or has no
   place. */
SP_API bool sp_object_box(const sp_manager *manager, sp_ref object, sp_box *box);

/* Calls options.on_timer in `seconds` (>= 0), then every `period` seconds (0: once), as long as the object lives; at
   most once per tick. 0 and SP_STALE, SP_FOREIGN, SP_INVALID or SP_MEMORY on failure. */
SP_API sp_timer sp_timer_start(sp_manager *manager, sp_ref object, double seconds, double period, sp_result *result);
SP_API sp_result sp_timer_stop(sp_manager *manager, sp_timer timer); /* SP_NONE when the timer has ended */

/* {== Fields ============================================================= */

/* Address of one cell; NULL when the reference is stale or foreign, or the pool has no such column. It stays the
   object's until its life ends, or sp_pool_redefine moves it. Idle objects (hooks, sp_pool_idle_at) have cells too.
   A column that was never written needs no reset at alloc: sp_object_cell counts as a write, sp_object_peek as none. */
SP_API void *sp_object_cell(sp_manager *manager, sp_ref object, int column);
SP_API const void *sp_object_peek(const sp_manager *manager, sp_ref object, int column);

/* Whole columns for bulk work: chunk k (0 .. sp_pool_chunks - 1) holds SP_CHUNK_SLOTS slots, cells side by side.
   Addresses of columns stay until clear, trim, remove or redefine. Bit s % 64 of word s / 64 of sp_pool_live_bits says
   whether slot s is live at the time of the call; the array is valid until objects are made, and not updated. NULL when
   there is no such chunk or column. sp_pool_column counts as a write to all, sp_pool_peek_column as none. */
#define SP_CHUNK_SLOTS 64 /* slots in a chunk */
SP_API uint32_t sp_pool_chunks(const sp_pool *pool);
SP_API void *sp_pool_column(sp_pool *pool, uint32_t chunk, int column);
SP_API const void *sp_pool_peek_column(const sp_pool *pool, uint32_t chunk, int column);
SP_API const uint64_t *sp_pool_live_bits(const sp_pool *pool, uint32_t chunk);

/* Adds `delta` to a float of every live object: column SP_X .. SP_SPIN, an own field of 4 bytes, or SP_LOOK at
   `offset`. Returns how many; 0, and nothing is changed, if there is no such float or a sum would not be finite. */
SP_API uint32_t sp_pool_add(sp_pool *pool, int column, size_t offset, float delta);

/* Age, lifetime and remaining time in game seconds; a lifetime of 0 has no end: remaining is infinite. 0 when stale. */
SP_API double sp_object_age(const sp_manager *manager, sp_ref object);
SP_API double sp_object_lifetime(const sp_manager *manager, sp_ref object);
SP_API double sp_object_remaining(const sp_manager *manager, sp_ref object);
/* Ends in `seconds` from now (0: at the next tick; infinity: never). SP_INVALID, SP_MEMORY; or as sp_object_check. */
SP_API sp_result sp_object_set_remaining(sp_manager *manager, sp_ref object, double seconds);

/* {== Queries ============================================================ */

/* Accepts any 64 bits, also from outside the program: false unless they are a reference to a live object. */
SP_API bool sp_object_is_live(const sp_manager *manager, sp_ref object);
/* SP_OK for an object that is live, in a hook, or idle (sp_pool_idle_at); SP_STALE, SP_FOREIGN. Counts a stale use. */
SP_API sp_result sp_object_check(sp_manager *manager, sp_ref object);
/* The pool that owns the slot of a reference, also of a stale one; NULL when foreign or the slot has no owner. */
SP_API sp_pool *sp_object_pool(const sp_manager *manager, sp_ref object);
/* By name, and by index in order of creation, of sp_count_pools; NULL when there is none. */
SP_API sp_pool *sp_manager_pool(const sp_manager *manager, const char *type);
SP_API uint32_t sp_count_pools(const sp_manager *manager);
SP_API sp_pool *sp_get_pool(const sp_manager *manager, uint32_t index);
/* Return parts of the pool's description. The type's name lives as long as the pool. */
SP_API sp_manager *sp_pool_manager(const sp_pool *pool);
SP_API const char *sp_pool_type(const sp_pool *pool);
SP_API void *sp_pool_user(const sp_pool *pool);
SP_API bool sp_pool_is_spatial(const sp_pool *pool);
/* Its current settings, numbers of objects, and statistics. */
SP_API sp_settings sp_pool_settings(const sp_pool *pool);
SP_API uint32_t sp_pool_live(const sp_pool *pool);
SP_API uint32_t sp_pool_idle(const sp_pool *pool);
SP_API sp_stats sp_pool_stats(const sp_pool *pool);
/* The sums over all pools; their peak together is the highest that an update or this call has seen. */
SP_API sp_stats sp_manager_stats(const sp_manager *manager);
/* Game seconds and whole ticks since sp_manager_open; seconds per tick; what sp_manager_set_time_scale and
 * sp_manager_set_paused set. */
SP_API double sp_time(const sp_manager *manager);
SP_API uint64_t sp_tick(const sp_manager *manager);
SP_API double sp_step(const sp_manager *manager);
SP_API double sp_time_scale(const sp_manager *manager);
SP_API bool sp_paused(const sp_manager *manager);
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
/* Objects near a world position; one that is not finite is skipped. About every 50 us of their own work, these three
   call `progress`, unless NULL, which may only read. When it returns false they end with
   SP_INTERRUPTED and the number of calls so far; nearest with 0. */
typedef bool (*sp_progress_fn)(void *ud);
SP_API void sp_manager_set_progress(sp_manager *manager, sp_progress_fn progress, void *ud);
/* The live object whose centre, or box, is nearest to x, y; the first of several in slot order; 0 when there is none.
   A box that contains x, y has the distance 0. `distance` may be NULL. */
SP_API sp_ref sp_pool_nearest(sp_pool *pool, float x, float y, float *distance);
/* Calls fn for each live object whose centre, or box, is at most `radius` away, in slot order, as they were when the
   call began. Rules as for hooks apply to fn; objects that it recycles are not visited. Returns the number of calls; 0
   and SP_MEMORY: none was made. */
typedef void (*sp_object_fn)(void *ud, sp_ref object);
SP_API uint32_t sp_pool_within(sp_pool *pool, float x, float y, float radius, sp_object_fn fn, void *ud,
                               sp_result *result);
/* Calls fn for each pair of live objects, one of each pool, whose boxes or circles (radius times scale) overlap; with
   pool == other for each pair once, lower slot first. Shapes that only touch do not overlap. Else as sp_pool_within,
   but the order of pairs is not that of slots: it depends on the objects alone. For any mixture of sizes and positions
   cost is near linear in objects plus pairs that touch or nearly do; memory is linear in objects. */
typedef void (*sp_pair_fn)(void *ud, sp_ref object, sp_ref other);
SP_API uint32_t sp_pool_overlaps(sp_pool *pool, sp_pool *other, sp_pair_fn fn, void *ud, sp_result *result);
/* For hosts that poll instead of being called back. The list is the host's own memory: `count` pairs were found, the
   first `most` of them are written, and nothing is allocated. */
typedef struct sp_pair {
  sp_ref object, other; /* of an end: what ended, and its sp_why */
} sp_pair;
typedef struct sp_pairs {
  sp_pair *list;
  uint32_t most, count;
} sp_pairs;
/* From the next update on, each sp_manager_update begins `ends` anew and lists the lives that end in it, in that order:
   expired, outside, with their parent, or evicted, but not those that a hook recycles. A veto is no end. `ends` must
   stay until the next call of this, which an update must not contain. NULL: no list. */
SP_API void sp_manager_list_ends(sp_manager *manager, sp_pairs *ends);
/* Adds a pair to an sp_pairs: the `fn` of sp_pool_overlaps, with the list as `ud`. */
SP_API void sp_pairs_add(void *pairs, sp_ref object, sp_ref other);
/* The idle object at `index` (0 .. idle - 1), longest idle first. For reading, and for sp_pool_take. 0 past the end. */
SP_API sp_ref sp_pool_idle_at(const sp_pool *pool, uint32_t index);

#ifdef __cplusplus
}

/* The same cells and columns with their type: `float *x = sp_object_cell_as<float>(manager, object, SP_X)`. */
template <class T> T *sp_object_cell_as(sp_manager *manager, sp_ref object, int column)
{
  return static_cast<T *>(sp_object_cell(manager, object, column));
}
template <class T> const T *sp_object_peek_as(const sp_manager *manager, sp_ref object, int column)
{
  return static_cast<const T *>(sp_object_peek(manager, object, column));
}
template <class T> T *sp_pool_column_as(sp_pool *pool, uint32_t chunk, int column)
{
  return static_cast<T *>(sp_pool_column(pool, chunk, column));
}
template <class T> T *sp_pool_alloc_as(sp_pool *pool, double lifetime, int column, sp_ref *object, sp_result *result)
{
  return static_cast<T *>(sp_pool_alloc_cell(pool, lifetime, column, object, result));
}
#endif
#include "spawnpool_save.h" /* snapshots, saves, hashes */
#endif
