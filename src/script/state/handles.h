/*
** The userdata behind managers and pools in Lua, and the checks that turn an argument into one.
*/
#ifndef SP_SCRIPT_HANDLES_H
#define SP_SCRIPT_HANDLES_H

#include "core/binding.h"
#include "script/state/context.h"
#include "script/state/magic.h"

typedef enum sp_unknown { SP_UNKNOWN_GENERIC, SP_UNKNOWN_ERROR } sp_unknown;
typedef enum sp_misuse { SP_MISUSE_WARN, SP_MISUSE_ERROR, SP_MISUSE_IGNORE } sp_misuse;

/* User values of a manager's userdata. */
enum {
  SP_MANAGER_POOLS = 1, /* type -> pool userdata: what keeps them and their names */
  SP_MANAGER_KEYMAP,    /* userdata of `types` */
  SP_MANAGER_LIST,      /* userdata of `pools` */
  SP_MANAGER_PATH,
  SP_MANAGER_WALK,    /* the iterator of each() */
  SP_MANAGER_TIMERS,  /* timer handle -> function or coroutine */
  SP_MANAGER_TRACES,  /* object -> what is known of its life (trace.c) */
  SP_MANAGER_CLOSING, /* see sp_prepare_closing */
  SP_MANAGER_USER_VALUES = SP_MANAGER_CLOSING
};

/* References of managers in Lua have their highest bit set: none is equal to the address of a string, or of
   anything. */
#define SP_FIRST_GENERATION 0x80000000u

/* A type that was looked up: its pool is one load away, where the map takes four, and each waits for the one before. */
typedef struct sp_known_type {
  const void *key; /* as in sp_key; NULL, and no pool: nothing is known here */
  sp_lua_pool *pool;
} sp_known_type;

#define SP_KNOWN_TYPES 16

struct sp_lua_manager {
  uint64_t magic;
  uint64_t id; /* see border.h */
  sp_context *context;
  sp_manager *core;    /* NULL once closed */
  sp_keymap *types;    /* type name -> index in `pools` */
  sp_lua_pool **pools; /* NULL where removed */
  uint32_t pool_count, pool_capacity;
  sp_unknown unknown;
  sp_misuse misuse;
  bool trace;
  bool noted; /* new objects are: for the trace, or because files run again */
  /* Objects that the base call opened for the alloc overrides on the stack, and the pool of the innermost one. */
  uint64_t opening; /* an id, or 0 */
  sp_ref *opened;
  uint32_t opened_count, opened_capacity;
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
  X(OVERFLOW, "overflow")                                                                                              \
  X(UPDATE, "update")

typedef enum sp_hook {
#define SP_HOOK_ENUM(code, name) SP_HOOK_##code,
  SP_HOOKS(SP_HOOK_ENUM)
#undef SP_HOOK_ENUM
      SP_HOOK_COUNT
} sp_hook;

/* User values of a pool's userdata. SP_POOL_VALUES holds, by column, tables of slot -> value. */
enum {
  SP_POOL_MANAGER = 1,
  SP_POOL_CLASS,
  SP_POOL_KEYMAP,
  SP_POOL_VALUES,
  SP_POOL_METHODS, /* of its objects, by number */
  SP_POOL_WALK,    /* the iterator of each() */
  SP_POOL_HOOKS,
  SP_POOL_USER_VALUES = SP_POOL_HOOKS + SP_HOOK_COUNT - 1
};

struct sp_lua_pool {
  uint64_t magic;
  uint64_t id; /* see border.h; 0 until it is listed */
  sp_lua_manager *manager;
  sp_pool *core;         /* NULL once removed */
  sp_keymap *names;      /* of its objects: built-in ones, fields and methods */
  uint64_t names_stamp;  /* no other map of names ever has the same */
  uint32_t hooks;        /* bit per sp_hook that the class has */
  uint64_t values;       /* columns that hold Lua values */
  uint64_t value_reset;  /* those that fall back to their default when a life ends */
  uint64_t values_any;   /* those declared any(v) */
  uint64_t values_fresh; /* those declared fresh(fn) */
  uint32_t index;        /* in manager->pools */
  sp_settings described; /* what the class said last: the game may have changed the pool's own since */
  bool overflow_set;     /* the game did so with `overflow` */
  bool raises;           /* overflow = "error": the core refuses, and alloc raises */
  bool raises_described; /* the class said so last */
  uint64_t hook_ns;      /* nanoseconds in functions of the class, while hooks are timed */
};

/* A full userdata of ours is told by size and a number that no other has: cheaper than a metatable look-up by name. */
static inline void *sp_to_handle(lua_State *L, int index, size_t size, uint64_t magic)
{
  void *block = lua_touserdata(L, index);
  return block && lua_rawlen(L, index) == size && *(const uint64_t *)block == magic ? block : NULL;
}
/* A pool userdata at `index`, or NULL. */
static inline sp_lua_pool *sp_to_pool(lua_State *L, int index)
{
  return sp_to_handle(L, index, sizeof(sp_lua_pool), SP_MAGIC_POOL);
}
/* Lua's headers do not say that these never return: without it a check that raises seems to go on with NULL.
   NOLINTBEGIN(readability-redundant-declaration): they are declared again for just that. */
#if defined(__GNUC__)
__attribute__((noreturn)) LUA_API int(lua_error)(lua_State *L);
__attribute__((noreturn)) LUALIB_API int(luaL_error)(lua_State *L, const char *format, ...);
__attribute__((noreturn)) LUALIB_API int(luaL_argerror)(lua_State *L, int arg, const char *message);
__attribute__((noreturn)) LUALIB_API int(luaL_typeerror)(lua_State *L, int arg, const char *type);
#endif
/* NOLINTEND(readability-redundant-declaration) */
_Noreturn void sp_not_a_manager(lua_State *L, int arg);
_Noreturn void sp_not_a_pool(lua_State *L, int arg);

/* What the metatable of a kind of handle is made of. `field` gets the methods table and a key, and has the context and
   the handle as upvalues. */
typedef struct sp_handle_type {
  const char *name;
  const luaL_Reg *metamethods;
  sp_kept methods;
  lua_CFunction field;
} sp_handle_type;
/* Gives the userdata on top of the stack its metatable. Raises on memory. */
void sp_dress(lua_State *L, sp_context *c, const sp_handle_type *type);

/* Argument checks: raise at the caller's line. A closed manager or removed pool is still one: look at `core`. */
static inline sp_lua_manager *sp_check_manager(lua_State *L, int arg)
{
  sp_lua_manager *m = sp_to_handle(L, arg, sizeof *m, SP_MAGIC_MANAGER);
  if (!m)
    sp_not_a_manager(L, arg);
  return m;
}
static inline sp_lua_pool *sp_check_pool(lua_State *L, int arg)
{
  sp_lua_pool *p = sp_to_pool(L, arg);
  if (!p)
    sp_not_a_pool(L, arg);
  return p;
}
/* The same, and open. */
sp_lua_manager *sp_check_open_manager(lua_State *L, int arg);
sp_lua_pool *sp_check_open_pool(lua_State *L, int arg);
/* An integer from `low` to `high`, named in the message. */
uint32_t sp_check_count(lua_State *L, int arg, const char *what, uint32_t low, uint32_t high);
/* A number that is neither NaN nor infinite. */
double sp_check_finite(lua_State *L, int arg, const char *what);

static inline void sp_push_object(lua_State *L, sp_ref object)
{
  lua_pushlightuserdata(L, (void *)(uintptr_t)object); /* NOLINT(performance-no-int-to-ptr): it is no pointer */
}
static inline sp_ref sp_to_object(lua_State *L, int index) { return (sp_ref)(uintptr_t)lua_touserdata(L, index); }
void sp_not_an_object(lua_State *L, int arg);
/* The highest bit is set in references, and in no address of a userdata: one look is enough. */
static inline sp_ref sp_check_object(lua_State *L, int arg)
{
  sp_ref object = sp_to_object(L, arg);
  if (!SP_LIKELY(sp_ref_generation(object) >= SP_FIRST_GENERATION) && lua_type(L, arg) != LUA_TLIGHTUSERDATA)
    sp_not_an_object(L, arg);
  return object;
}

/* The manager's id in a reference. */
static inline uint32_t sp_ref_id(sp_ref object) { return (uint32_t)object >> 24; }
/* The open manager of a reference, or NULL. */
static inline sp_lua_manager *sp_manager_of(const sp_context *c, sp_ref object)
{
  return c->managers[sp_ref_id(object)];
}
static inline sp_lua_pool *sp_lua_pool_of(const sp_pool *core) { return sp_view_of(core)->user; }

/* Whether a manager gave this reference out that is closed now. */
bool sp_is_of_closed(const sp_context *c, sp_ref object);
/* "live", "dying", "idle" or "stale"; NULL for a light userdata that is no reference. */
const char *sp_object_state(const sp_context *c, sp_ref object);

/* Hooks that run inside a call from `L` use that state; sp_exit puts the outer one back. No error may cross. */
static inline lua_State *sp_begin(sp_context *c, lua_State *L)
{
  lua_State *outer = c->L;
  c->L = L;
  return outer;
}
static inline void sp_finish(sp_context *c, lua_State *outer) { c->L = outer; }

/* An error has left code of the game. `L` has the error's culprit in mind (see sp_door): when that code was loaded anew
   a moment ago, its last good version is back in force and true is returned: what failed may be done again. Never
   raises. */
static inline bool sp_heal(lua_State *L, sp_context *c) { return c->probation && c->calls.heal(L, c); }
/* The same for a function of a pool that returned what it must not; the text of the error is on top, and stays. Raises
   on memory. */
static inline bool sp_heal_hook(lua_State *L, const sp_lua_pool *p, sp_hook hook)
{
  const sp_context *c = p->manager->context;
  return c->probation && c->calls.heal_hook(L, p, (int)hook);
}

/* nil or false, and the name of the reason: returns 2. */
int sp_return_refusal(lua_State *L, bool as_nil, sp_result why);

void sp_manager_open_methods(lua_State *L, sp_context *c);
void sp_pool_open_methods(lua_State *L, sp_context *c);

/* lua_manager.c. Pushes a new manager's userdata, from the options table at `options` (0: defaults). Raises errors. */
sp_lua_manager *sp_manager_new(lua_State *L, sp_context *c, int options);
/* manager_close.c: pools:close(), and the finaliser. */
int sp_manager_close(lua_State *L);
int sp_manager_gc(lua_State *L);
/* The state closes: frees every manager that is still open. */
void sp_manager_free_all(lua_State *L, sp_context *c);
/* options.c. Reads the options table at `options` (0: none) into `o`, pushes the path or nil, and seeds the random
   numbers if the table says so; raises errors. */
typedef struct sp_manager_options {
  sp_unknown unknown;
  sp_misuse misuse;
  bool trace;
  double step; /* 0: the core's default */
} sp_manager_options;
void sp_read_options(lua_State *L, const sp_context *c, sp_manager_options *o, int options);

/* types.c. Raises unless the value at `index` can name a type. */
void sp_check_type(lua_State *L, int index);
sp_lua_pool *sp_manager_look_up(lua_State *L, sp_lua_manager *m, int index);
/* The pool of the type named at `index`, or NULL, also when no type can be. Only a string is a name, whatever address
   another value has. */
static inline sp_lua_pool *sp_manager_find(lua_State *L, sp_lua_manager *m, int index)
{
  const void *key = lua_topointer(L, index);
  const sp_known_type *known = &m->known[sp_keymap_hash(key) % SP_KNOWN_TYPES];
  bool is_known = known->key == key && lua_type(L, index) == LUA_TSTRING;
  return SP_LIKELY(is_known) ? known->pool : sp_manager_look_up(L, m, index);
}
/* The same, made on first use; raises errors. NULL when the manager is closed. */
sp_lua_pool *sp_manager_pool(lua_State *L, sp_lua_manager *m, int index);
/* Lists a pool (userdata at `pool`) under the type named at `type`. Raises on memory. */
void sp_manager_list(lua_State *L, sp_lua_manager *m, sp_lua_pool *p, int type, int pool);
/* Forgets the handle of a removed pool. The name stays as a key, for the type may come back. */
void sp_manager_unlist(sp_lua_manager *m, sp_lua_pool *p);
/* The same by its id, if there is one. */
void sp_pool_unlist(sp_context *c, uint64_t pool);
/* Makes room for one more type in the manager whose userdata is at `manager`; raises on memory. */
void sp_manager_reserve_types(lua_State *L, sp_lua_manager *m, int manager);

/* lua_pool.c. Gives the userdata on top its metatable. */
void sp_pool_dress(lua_State *L, sp_context *c, sp_lua_pool *p);

/* Names of overflow policies. "error" is the binding's own: SP_OVERFLOW_REFUSE in the core, and `raises`. */
const char *sp_overflow_name(sp_overflow overflow, bool raises);
/* False, and nothing written, when `name` is none of them. */
bool sp_overflow_of_name(const char *name, sp_overflow *overflow, bool *raises);

/* open.c: makes the pool of type `index` from its class (or generic) and returns it; raises errors. */
sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index);

/* hooks.c: what the core calls. */
sp_hooks sp_hooks_for(sp_lua_pool *p);
/* Empties the fields that hold Lua values, as at the end of a life. */
void sp_forget_values(sp_lua_pool *p, uint32_t slot);

/* timer.c: timers of objects in Lua. */
int sp_object_after(lua_State *L);
int sp_object_every(lua_State *L);
int sp_object_run(lua_State *L);
void sp_on_timer(void *manager, sp_ref object, uint64_t timer);
void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer);
/* Coroutines of a manager that was dropped are closed by the next update, not by the collector. What that needs is made
   with the manager (userdata at `manager`), so that its finaliser allocates nothing. */
void sp_prepare_closing(lua_State *L, int manager);
void sp_put_off_closing(lua_State *L, sp_context *c, int manager);
/* Closes what was put off. Runs scripts. */
void sp_close_dropped(lua_State *L, sp_context *c);

/* trace.c: where lives began and ended, when the manager's `trace` is on. */
void sp_trace_alloc(lua_State *L, sp_lua_manager *m, sp_ref object);
void sp_trace_end(sp_lua_manager *m, sp_ref object, sp_why why);
/* Pushes what is known of the life that a reference names, "" when nothing is. Runs scripts. */
void sp_push_story(lua_State *L, const sp_context *c, sp_ref object);

/* lua_query.c: verbs over whole pools. */
extern const luaL_Reg sp_pool_verbs[];
/* pools:take(filter) and pool:take(predicate). */
int sp_manager_take(lua_State *L);
int sp_lua_take(lua_State *L);

/* alloc.c */
int sp_manager_alloc(lua_State *L);
int sp_lua_alloc(lua_State *L);
int sp_base_alloc(lua_State *L);
/* fill.c. The object is open: writes the fields from the table at `arg`, and commits it, or cancels it and raises
   why. */
sp_ref sp_fill_object(lua_State *L, sp_lua_pool *p, sp_ref object, int arg, sp_result *why);
/* What alloc returns for the outcome of a core call: the object, or nil and the reason; raises a hook's error. */
int sp_finish_alloc(lua_State *L, sp_context *c, uint64_t pool, sp_ref object, sp_result why);

/* recycle.c */
int sp_manager_recycle(lua_State *L);
int sp_lua_recycle(lua_State *L);
int sp_base_recycle(lua_State *L);
/* Recycles an object of an open manager; returns what recycle does. */
int sp_recycle_object(lua_State *L, sp_lua_manager *m, sp_ref object);

/* Reports a refused recycle as the manager's `misuse` option says. Runs scripts. */
void sp_tell_misuse(lua_State *L, const sp_lua_manager *m, sp_result why, sp_ref object);

#endif
