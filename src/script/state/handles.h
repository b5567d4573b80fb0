/*
** Handles of managers, pools and objects in Lua, and the argument checks for them. Managers and pools are userdata. An
** object is a light userdata that has the 64 bits of its reference instead of a pointer; on machines with smaller
** pointers Lua needs demo/web/lua_lightbits.patch, which gives light userdata 64 bits.
*/
#ifndef SP_SCRIPT_HANDLES_H
#define SP_SCRIPT_HANDLES_H

#include "core/binding.h"
#include "core/by_value.h"
#include "script/state/border.h"
#include "script/state/context.h"

/* Marks of our full userdata: see sp_to_handle. */
#define SP_MAGIC_MANAGER 0x73706d616e616765u
#define SP_MAGIC_POOL 0x7370706f6f6c5f31u
#define SP_MAGIC_TIMER 0x737074696d65725fu
#define SP_MAGIC_SNAPSHOT 0x7370736e61707368u

/* {== The hardened build ================================================= */

/* The hardened build aborts on careless code that usually does no harm. It is on under ASan, in every test. SP_HARD
   checks arguments of Lua's raw functions. Each call into Lua poisons the memory of all managers and pools, because a
   script may have closed or removed them: code that uses a pointer without fetching it again (border.h) is found,
   whether the script closed anything or not. */
#if defined(__SANITIZE_ADDRESS__)
#define SP_HARDENED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SP_HARDENED 1
#endif
#endif
#ifndef SP_HARDENED
#define SP_HARDENED 0
#endif

_Noreturn void sp_broken(const char *what);
#define SP_HARD(holds, what) ((!SP_HARDENED || (holds)) ? (void)0 : sp_broken(what))

/* Poison the memory of all managers and pools, or open it again. */
void sp_poison_handles(const sp_context *c);
void sp_open_handles(const sp_context *c);
/* Open the memory of a manager; of a pool and its manager. NULL is allowed. */
void sp_open_manager(const spl_manager *m);
void sp_open_pool(const spl_pool *p);

/* Call it after a call into Lua. */
static inline void sp_crossed(const sp_context *c)
{
  if (SP_HARDENED)
    sp_poison_handles(c);
}

/* Return a pointer that has just been fetched. */
static inline spl_manager *sp_held_manager(const spl_manager *m)
{
  if (SP_HARDENED)
    sp_open_manager(m);
  return (spl_manager *)m;
}
static inline spl_pool *sp_held_pool(const spl_pool *p)
{
  if (SP_HARDENED)
    sp_open_pool(p);
  return (spl_pool *)p;
}

/* }== */

/* {== Managers and pools ================================================= */

typedef enum sp_unknown { SP_UNKNOWN_GENERIC, SP_UNKNOWN_ERROR } sp_unknown;
typedef enum sp_misuse { SP_MISUSE_WARN, SP_MISUSE_ERROR, SP_MISUSE_IGNORE } sp_misuse;

/* User values of a manager's userdata. */
enum {
  SP_MANAGER_POOLS = 1, /* index in `pools` + 1 -> userdata, and type -> true: what keeps them and their names */
  SP_MANAGER_PATH,
  SP_MANAGER_WALK,    /* the iterator of each() */
  SP_MANAGER_TIMERS,  /* timer handle -> function or coroutine; coroutine of the manager -> its sp_run_timer */
  SP_MANAGER_TRACES,  /* object -> what is known of its life (report.c) */
  SP_MANAGER_TWEENS,  /* those of the timers that are tweens -> true; see `tweens_known` */
  SP_MANAGER_CLOSING, /* see sp_prepare_closing */
  SP_MANAGER_USER_VALUES = SP_MANAGER_CLOSING
};

/* References of managers in Lua have their highest bit set, so none equals the address of a string or any other value.
   */
#define SP_FIRST_GENERATION 0x80000000u

/* A cached look-up of a type: it finds the pool with one load, where the map takes four dependent ones. */
typedef struct sp_known_type {
  const void *key; /* as in sp_key; NULL: the entry is free */
  spl_pool *pool;
} sp_known_type;

#define SP_KNOWN_TYPES 16

/* The userdata of a manager or pool. */
typedef struct spl_handle {
  uint64_t magic;
  uint64_t id; /* see border.h; 0: it was not opened */
  sp_context *context;
} spl_handle;

/* User values of records. They lead to nothing that a game has made but strings. */
enum { SP_RECORD_TYPES = 1, SP_RECORD_LIST, SP_RECORD_STRINGS, SP_MANAGER_RECORD_VALUES = SP_RECORD_STRINGS };
enum { SP_RECORD_NAMES = 1, SP_POOL_RECORD_VALUES = SP_RECORD_NAMES };

/* An override of alloc that runs. Only `object` is given back when it fails: whatever else it allocates is complete. */
typedef struct sp_opening {
  struct sp_opening *outer;
  uint64_t pool;   /* id */
  uint64_t serial; /* sp_serial when it began */
  sp_ref object;   /* that its last base call has opened; SP_NULL_REF: none */
} sp_opening;

struct spl_manager {
  sp_owner_head head;
  uint64_t id; /* see border.h */
  sp_context *context;
  sp_manager *core; /* NULL once closed */
  sp_keymap *types; /* type name -> index in `pools` */
  spl_pool **pools; /* NULL where removed */
  uint32_t pool_count, pool_capacity;
  sp_unknown unknown;
  sp_misuse misuse;
  bool trace;
  bool noted;                 /* new objects are recorded: for the trace, or because files run again */
  bool tweens_known;          /* SP_MANAGER_TWEENS lists all tweens */
  uint64_t restores;          /* how many were begun */
  bool is_loading;            /* a save is being put into it: pools have no hooks yet */
  struct sp_opening *opening; /* of the innermost override of alloc that runs, on the C stack; NULL: none */
  sp_known_type known[SP_KNOWN_TYPES];
};

/* Functions of a class that the core or the binding calls; user values SP_POOL_HOOKS + n of a pool's userdata. */
#define SP_HOOKS(X)                                                                                                    \
  X(ALLOC, "alloc")                                                                                                    \
  X(RECYCLE, "recycle")                                                                                                \
  X(CREATE, "on_create")                                                                                               \
  X(SPAWN, "on_spawn")                                                                                                 \
  X(DESPAWN, "on_despawn")                                                                                             \
  X(REJECT, "on_reject")                                                                                               \
  X(DESTROY, "on_destroy")                                                                                             \
  X(RESTORE, "on_restore")                                                                                             \
  X(OVERFLOW, "overflow")                                                                                              \
  X(UPDATE, "update")

typedef enum sp_hook {
#define SP_HOOK_ENUM(code, name) SP_HOOK_##code,
  SP_HOOKS(SP_HOOK_ENUM)
#undef SP_HOOK_ENUM
      SP_HOOK_COUNT
} sp_hook;

extern const char *const sp_hook_names[SP_HOOK_COUNT + 1]; /* the last one is NULL */

/* The moments at which an object plays a sound. */
typedef enum sp_sound { SP_SOUND_SPAWN = 1, SP_SOUND_RECYCLE, SP_SOUND_END } sp_sound;

/* User values of a pool's userdata. SP_POOL_VALUES holds, by column, tables of slot -> value. */
enum {
  SP_POOL_MANAGER = 1,
  SP_POOL_CLASS,
  SP_POOL_FIELDS, /* its own fields, in the order of the class: a list of { name =, ... } */
  SP_POOL_VALUES,
  SP_POOL_METHODS,     /* of its objects, by number */
  SP_POOL_WALK,        /* the iterator of each() */
  SP_POOL_FIELD_WALKS, /* those of each(field...): a tree by name, the iterator at 1 */
  SP_POOL_SOUNDS,      /* [sp_sound]: a name; nil: none */
  SP_POOL_HOOKS,
  SP_POOL_USER_VALUES = SP_POOL_HOOKS + SP_HOOK_COUNT - 1
};

#define SP_CLIP_FRAMES 64

/* The animation that a class defines itself. */
typedef struct sp_clip_own {
  float fps; /* 0: as the sheet says */
  bool loop;
  uint16_t count; /* 0: all frames of the sheet */
  uint16_t frames[SP_CLIP_FRAMES];
} sp_clip_own;

struct spl_pool {
  sp_owner_head head;
  uint64_t id; /* see border.h; 0 until it is listed */
  spl_manager *manager;
  sp_pool *core;         /* NULL once removed */
  sp_keymap *names;      /* of its objects: built-in ones, fields and methods */
  uint64_t names_stamp;  /* unique to this map of names */
  uint32_t hooks;        /* bit per sp_hook that the class has */
  uint64_t values;       /* columns that hold Lua values */
  uint64_t value_reset;  /* columns that are reset to their default when a life ends */
  uint64_t values_any;   /* those declared any(v) */
  uint64_t values_fresh; /* those declared fresh(fn) */
  uint32_t index;        /* in manager->pools */
  sp_settings described; /* settings of the class when last applied: the game may have changed the pool's since */
  bool overflow_set;     /* the game has set `overflow` of the pool */
  bool raises;           /* overflow = "error": the core refuses, and alloc raises */
  bool raises_described; /* the same, of the class when last applied */
  uint32_t sounds;       /* bit per sp_sound that the class has */
  uint64_t hook_ns;      /* nanoseconds in functions of the class, while hooks are timed */
  int animated;          /* the column of SP_NAME_ANIMATION; 0: the class has no `animation` */
  int scaled;            /* the column of scale_x, before that of scale_y; 0: its objects do not have them yet */
  bool adds;             /* blend = "add" */
  sp_clip_own clip;      /* SP_CLIP_OWN */
};

/* }== */

/* {== Values of Lua ====================================================== */

/* Push an object, and read one: any light userdata gives its 64 bits, every other value 0. */
#ifdef LUA_LIGHTBITS

static inline void sp_push_object(lua_State *L, sp_ref object) { lua_pushlightbits(L, (lua_Unsigned)object); }
static inline sp_ref sp_to_object(lua_State *L, int index) { return (sp_ref)lua_tolightbits(L, index); }

#elif UINTPTR_MAX >= UINT64_MAX

static inline void sp_push_object(lua_State *L, sp_ref object)
{
  lua_pushlightuserdata(L, (void *)(uintptr_t)object); /* NOLINT(performance-no-int-to-ptr): it is no pointer */
}
static inline sp_ref sp_to_object(lua_State *L, int index) { return (sp_ref)(uintptr_t)lua_touserdata(L, index); }

#else
#error "spawnpool in Lua needs pointers of 64 bits; the core alone, `make core`, does not"
#endif

/* Our userdata are identified by size and magic number: cheaper than looking up a metatable by name. */
static inline void *sp_to_handle(lua_State *L, int index, size_t size, uint64_t magic)
{
  void *block = lua_touserdata(L, index);
  bool is = block && lua_rawlen(L, index) == size && *(const uint64_t *)block == magic;
  return is ? block : NULL;
}

/* The contents of the metatable of a kind of handle: the rows of `owner` are its functions. `field` gets the methods
   table and a key, and has the context and the handle as upvalues. */
typedef struct sp_handle_type {
  const char *name;
  const char *owner;
  sp_kept methods;
  lua_CFunction field;
} sp_handle_type;
/* Gives the userdata on top of the stack its metatable. Raises on memory. */
void sp_dress(lua_State *L, sp_context *c, const sp_handle_type *type);

/* }== */

/* {== Ids and references ================================================= */

/* Return the open manager, or pool, with this id; NULL when it is gone. Ids are never reused: the upper 8 bits are the
   manager's number, the next 24 a pool's index, and the rest counts all managers and pools that the state ever had. */
static inline spl_manager *sp_manager_from_id(const sp_context *c, uint64_t id)
{
  spl_manager *m = sp_held_manager(c->managers[id >> 56]);
  return m && m->id == id ? m : NULL;
}
static inline spl_pool *sp_pool_from_id(const sp_context *c, uint64_t id)
{
  const spl_manager *m = sp_held_manager(c->managers[id >> 56]);
  uint32_t index = (uint32_t)(id >> 32) & 0xffffff;
  spl_pool *p = m && index < m->pool_count ? sp_held_pool(m->pools[index]) : NULL;
  return p && p->id == id ? p : NULL;
}
uint64_t sp_new_id(sp_context *c, uint32_t manager, uint32_t index);

/* Return the manager or pool whose userdata is at `index`; one without a core when it is closed or removed; NULL for
   other values. */
static inline spl_manager *sp_to_manager(lua_State *L, int index)
{
  const spl_handle *h = sp_to_handle(L, index, sizeof *h, SP_MAGIC_MANAGER);
  spl_manager *m = h ? sp_manager_from_id(h->context, h->id) : NULL;
  return SP_LIKELY(m) ? m : h ? h->context->closed_manager : NULL;
}
static inline spl_pool *sp_to_pool(lua_State *L, int index)
{
  const spl_handle *h = sp_to_handle(L, index, sizeof *h, SP_MAGIC_POOL);
  spl_pool *p = h ? sp_pool_from_id(h->context, h->id) : NULL;
  return SP_LIKELY(p) ? p : h ? h->context->closed_pool : NULL;
}

/* Returns whether the core has called no script since `crossings` was read from the context: then pointers fetched
   before a call of the core are still valid. For hot paths; it does not cover allocations in the Lua state. */
static inline bool sp_is_untouched(const sp_context *c, uint64_t crossings)
{
  return SP_LIKELY(c->crossings == crossings);
}

/* Returns the manager's id in a reference. */
static inline uint32_t sp_ref_id(sp_ref object) { return (uint32_t)object >> 24; }
/* Returns the open manager of a reference, or NULL. */
static inline spl_manager *sp_manager_of(const sp_context *c, sp_ref object)
{
  return sp_held_manager(c->managers[sp_ref_id(object)]);
}
/* Returns whether these are the bits of a reference: no address of a userdata has the highest one. */
static inline bool sp_is_reference(sp_ref bits) { return bits >> 32 >= SP_FIRST_GENERATION; }
static inline spl_pool *spl_pool_of(const sp_pool *core) { return sp_held_pool(sp_view_of(core)->user); }

/* Returns whether a reference belongs to a manager that is closed now. */
bool sp_is_of_closed(const sp_context *c, sp_ref object);
/* Returns "live", "dying", "idle" or "stale"; NULL for a light userdata that is no reference. */
const char *sp_object_state(const sp_context *c, sp_ref object);

/* }== */

/* {== Calls ============================================================== */

/* Hooks that run inside a call from `L` use that state; sp_finish restores the outer one. No error may cross. */
static inline lua_State *sp_begin(sp_context *c, lua_State *L)
{
  lua_State *outer = c->L;
  c->L = L;
  return outer;
}
static inline void sp_finish(sp_context *c, lua_State *outer) { c->L = outer; }

/* An error has left code of the game, and sp_door recorded the functions on its stack in SP_KEPT_CULPRITS. When a
   recent edit is to blame, restores the version before and returns true: the caller may try again. Never raises. */
static inline bool sp_revert(lua_State *L, sp_context *c) { return c->probation && c->calls.revert(L, c); }
/* Works like sp_revert, for a function of a pool that returned a wrong value. The message is on top of the stack, and
   stays. Raises an error when out of memory. */
static inline bool sp_revert_hook(lua_State *L, const spl_pool *p, sp_hook hook)
{
  const sp_context *c = p->manager->context;
  return c->probation && c->calls.revert_hook(L, p, (int)hook);
}

/* Pushes nil or false, and the name of the reason. Returns 2. */
int sp_return_refusal(lua_State *L, bool as_nil, sp_result why);

/* }== */

#endif
