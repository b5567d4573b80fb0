/*
** What the library knows of one Lua state: its managers, the built-in names, and the call in progress. One lies in the
** registry of each state; every C function of the library has it as its first upvalue.
*/
#ifndef SP_SCRIPT_CONTEXT_H
#define SP_SCRIPT_CONTEXT_H

#include <lauxlib.h>
#include <lua.h>

#include "core/spawnpool.h"
#include "script/script.h"
#include "script/state/keymap.h"
#include "script/state/object_value.h"

typedef struct sp_context sp_context;
typedef struct sp_lua_manager sp_lua_manager;
typedef struct sp_lua_pool sp_lua_pool;
typedef struct sp_watchdog sp_watchdog;
typedef struct sp_births sp_births;
typedef struct sp_sheet_entry sp_sheet_entry;

/* What a built-in name of an object is; the low bits hold a column, an offset or a method number. */
typedef enum sp_name_kind {
  SP_NAME_FLOAT,      /* a float column */
  SP_NAME_LOOK_FLOAT, /* a float in sp_look, at an offset */
  SP_NAME_NUMBER,     /* own field: a double */
  SP_NAME_INTEGER,    /* own field: a double that reads as an integer when it is one */
  SP_NAME_BOOLEAN,    /* own field: a double, 0 or 1 */
  SP_NAME_VALUE,      /* own field: any Lua value, in a table beside the columns */
  SP_NAME_ANIMATION,  /* the number of an animation: see sheets.h */
  SP_NAME_FRAME,      /* the frame that it shows: the column after that one */
  SP_NAME_REF,        /* own field: a reference, nil once it is stale */
  SP_NAME_OWN_METHOD, /* a method of the class, by number */
  SP_NAME_LAYER,
  SP_NAME_SPRITE,
  SP_NAME_VISIBLE,
  SP_NAME_PINNED,
  SP_NAME_TYPE,
  SP_NAME_POOL,
  SP_NAME_ID,
  SP_NAME_AGE,
  SP_NAME_LIFETIME,
  SP_NAME_REMAINING,
  SP_NAME_ALIVE,
  SP_NAME_PARENT,
  SP_NAME_METHOD
} sp_name_kind;

#define SP_NAME(kind, what) ((uint32_t)(kind) << 16 | (uint32_t)(what))
#define SP_NAME_KIND(name) ((sp_name_kind)((name) >> 16))
#define SP_NAME_WHAT(name) ((int)((name)&0xffff))

/* Tables and functions that the context keeps in the registry, as integer references. */
typedef enum sp_kept {
  SP_KEPT_ANCHORS,         /* number -> the userdata of a pool or manager, weak */
  SP_KEPT_OWNERS,          /* those userdata -> true, weak: for when they are garbage, and not yet finalised */
  SP_KEPT_NAMES,           /* strings that must stay interned */
  SP_KEPT_METHODS,         /* of objects, by number */
  SP_KEPT_POOL_METHODS,    /* name -> function */
  SP_KEPT_MANAGER_METHODS, /* name -> function */
  SP_KEPT_SPRITES,         /* name -> number and number -> name */
  SP_KEPT_SITES,           /* "file:line reason" -> true, where misuse has been warned about */
  SP_KEPT_REPORTS,         /* text -> how often */
  SP_KEPT_CLASSES,         /* the table of lua/spawnpool/class.lua */
  SP_KEPT_SOURCES,         /* results of the embedded Lua files, by name */
  SP_KEPT_NATIVES,         /* functions in C that those get */
  SP_KEPT_GLOBALS,         /* what those see as globals: a game may do with its own what it likes */
  SP_KEPT_REPORTING,       /* the table of lua/spawnpool/report.lua */
  SP_KEPT_ERROR,           /* [1]: an error on its way through the core; [2]: see sp_explain_stop */
  SP_KEPT_RELOAD,          /* the table of lua/spawnpool/reloading.lua, once the state reloads */
  SP_KEPT_STAGED,          /* objects that came to life while files ran again */
  SP_KEPT_CULPRITS,        /* sources on the stack of the last error, innermost first; text: its message */
  SP_KEPT_DROPPED,         /* [1]: coroutines of dropped managers that wait to be closed; see sp_put_off_closing */
  SP_KEPT_SHEETS,          /* sprite number -> userdata: see sheets.c */
  SP_KEPT_CLIPS,           /* name of an animation -> number and number -> name */
  SP_KEPT_TIMER,           /* the metatable of timers that a manager owns */
  SP_KEPT_TEXTS,           /* path -> the text of the file that runs, once the state reloads */
  SP_KEPT_COUNT
} sp_kept;

/* Names of objects, each in the one seat where it can be: a look-up is a multiplication and a compare. No two built-in
   names share a seat: the factor is chosen for that. Own names take the places of others; those of a pool are valid
   while it has the map of names with this stamp. */
#define SP_NAME_SEATS 256
typedef struct sp_name_seats {
  uint64_t factor;
  const void *builtin_keys[SP_NAME_SEATS], *own_keys[SP_NAME_SEATS]; /* as in sp_key; NULL: free */
  uint64_t own_stamps[SP_NAME_SEATS];
  uint32_t builtin[SP_NAME_SEATS], own[SP_NAME_SEATS]; /* SP_NO_KEY in free seats */
} sp_name_seats;

/* What the context asks of rooms that it does not know. */
typedef struct sp_calls {
  void (*close)(lua_State *L, sp_context *c); /* the state closes */
  /* These four are NULL until the state reloads: see reload.h. */
  bool (*load)(lua_State *L, const char *file, const char *kind, const char *name);
  bool (*heal)(lua_State *L, sp_context *c);
  bool (*heal_hook)(lua_State *L, const sp_lua_pool *p, int hook);
  void (*note_alloc)(lua_State *L, sp_lua_manager *m, sp_ref object);
} sp_calls;

/* What the structs of pools and managers begin with, which are userdata. */
typedef struct sp_owner_head {
  uint64_t magic;
  lua_Integer anchor; /* its number in SP_KEPT_ANCHORS: found faster than an address */
} sp_owner_head;

struct sp_context {
  sp_calls calls;
  lua_State *main;
  lua_State *L;                  /* of the call in progress; hooks run on it */
  sp_keymap *names;              /* built-in names of objects */
  sp_manager *cores[256];        /* open managers by id; NULL when closed */
  sp_lua_manager *managers[256]; /* theirs */
  uint32_t next_generation[256]; /* for the next manager of an id */
  uint64_t ids;                  /* given out so far: see border.h */
  lua_Integer anchors;           /* given out so far: numbers in SP_KEPT_ANCHORS */
  uint64_t crossings;            /* calls that the core has made into this layer, any of which may run a script */
  sp_name_seats seats;           /* those names again, and own ones of pools */
  uint64_t names_stamp;          /* the last one given out */
  int kept[SP_KEPT_COUNT];
  int whys[SP_WHY_COUNT]; /* names of sp_why in the registry: pushed without allocating */
  uint32_t sprite_count, report_count, site_count, clip_count;
  const sp_sheet_entry **sheets; /* by sprite number; NULL: none */
  uint32_t sheet_room;
  sp_report_fn report; /* NULL: stderr */
  void *report_ud;
  sp_sound_fn on_sound; /* NULL: sounds of classes are not played, and there is no class `Voice` */
  void *sound_ud;
  sp_lua_manager *default_manager;
  sp_watchdog *watchdog; /* NULL: none */
  sp_births *births;     /* NULL unless files run: see births.h */
  const char *callback;  /* the name of the game's callback that the host calls; NULL: none */
  bool is_closing;       /* the state is: nothing is opened any more */
  bool has_dropped;      /* there is something in SP_KEPT_DROPPED */
  bool reloads;          /* files are kept track of */
  bool staging;          /* files run again: new objects are noted */
  bool hooks_timed;      /* hook_clock.h: somebody looks */
  uint64_t hook_owner;   /* the id of the pool whose function runs, while hooks are timed; 0: none */
  uint64_t hook_since;   /* nanoseconds */
  uint32_t probation;    /* files whose new code may still be taken back */
  const char *folder;    /* of a sandboxed game, whose class files lie within it; NULL: anywhere */
  bool trace;            /* of managers that do not say */
  double step;           /* of managers that do not ask for another; 0: the core's default */
};

/* The context of a state, made on first use; `complete` adds what other rooms keep in it. Raises errors, and then there
   is none. */
sp_context *sp_context_open(lua_State *L, void (*complete)(lua_State *L, sp_context *c));
/* The context, or NULL when the library was never opened in this state. */
sp_context *sp_context_of(lua_State *L);

static inline uint32_t sp_name_seat(const sp_name_seats *s, const void *key)
{
  return (uint32_t)((uint64_t)(uintptr_t)key * s->factor >> 56);
}
/* Where an own name of a pool would be. The seat depends on the pool's address: nothing of the pool is waited for. */
static inline uint32_t sp_own_name_seat(const sp_pool *pool, uint32_t seat)
{
  return (seat + (uint32_t)((uintptr_t)pool >> 8)) % SP_NAME_SEATS;
}

static inline sp_context *sp_context_here(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static inline int sp_push_kept(lua_State *L, const sp_context *c, sp_kept what)
{
  return lua_rawgeti(L, LUA_REGISTRYINDEX, c->kept[what]);
}

/* Pushes functions as closures over the context into the table on top. */
void sp_set_functions(lua_State *L, sp_context *c, const luaL_Reg *functions);
void sp_push_function(lua_State *L, sp_context *c, lua_CFunction function);
/* Pushes a new table with the functions of the kept table `what`. */
void sp_copy_methods(lua_State *L, const sp_context *c, sp_kept what);

/* True for NULL, and for a manager that is unreachable and waits for its finaliser. It is in no list then, but its
   objects can still be used. */
bool sp_is_dropped(lua_State *L, const sp_context *c, const sp_lua_manager *m);
/* The userdata of a pool or manager, by its struct; nil when it was collected. */
void sp_push_anchor(lua_State *L, const sp_context *c, const void *owner);
/* The same for who empties the stack afterwards: other values may be left below it. */
static inline lua_Integer sp_anchor_of(const void *owner) { return ((const sp_owner_head *)owner)->anchor; }
void sp_push_dropped(lua_State *L, const sp_context *c, const void *owner); /* it waits for its finaliser */
static inline void sp_find_anchor(lua_State *L, const sp_context *c, const void *owner)
{
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  if (lua_rawgeti(L, -1, sp_anchor_of(owner)) == LUA_TNIL)
    sp_push_dropped(L, c, owner);
}
/* Makes the userdata at `index` that of its struct, `owner`. Raises on memory. */
void sp_set_anchor(lua_State *L, sp_context *c, void *owner, int index);

/* The name of a reason, for on_despawn. Never raises. */
static inline void sp_push_why(lua_State *L, const sp_context *c, sp_why why)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->whys[why]);
}

#endif
