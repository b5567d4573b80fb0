/*
** The library's state in one Lua state: its managers, the built-in names, and the call in progress. It is in the
** registry of the Lua state, and the first upvalue of every C function of the library.
*/
#ifndef SP_SCRIPT_CONTEXT_H
#define SP_SCRIPT_CONTEXT_H

#include <lauxlib.h>
#include <lua.h>

#include "core/spawnpool.h"
#include "script/script.h"
#include "script/state/border.h"
#include "script/state/keymap.h"

typedef struct sp_context sp_context;
typedef struct spl_manager spl_manager;
typedef struct spl_pool spl_pool;
typedef struct sp_watchdog sp_watchdog;
typedef struct sp_sheet_entry sp_sheet_entry;

/* The kind of a built-in name of an object; the low bits hold a column, an offset or a method number. */
typedef enum sp_name_kind {
  SP_NAME_FLOAT,      /* a float column */
  SP_NAME_LOOK_FLOAT, /* a float in sp_look, at an offset */
  SP_NAME_NUMBER,     /* own field: a double */
  SP_NAME_INTEGER,    /* own field: a double that reads as an integer when it is one */
  SP_NAME_BOOLEAN,    /* own field: a double, 0 or 1 */
  SP_NAME_VALUE,      /* own field: any Lua value, in a table beside the columns */
  SP_NAME_ANIMATION,  /* the number of an animation: see sprites.h */
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
  SP_KEPT_OWNERS,          /* those userdata -> number, weak: finds them while they wait for their finaliser */
  SP_KEPT_RECORDS,         /* number -> the record of a pool or manager: see sp_owner_head */
  SP_KEPT_SNAPSHOTS,       /* the userdata of snapshots -> true, weak */
  SP_KEPT_NAMES,           /* strings that must stay interned */
  SP_KEPT_METHODS,         /* of objects, by number */
  SP_KEPT_POOL_METHODS,    /* name -> function */
  SP_KEPT_MANAGER_METHODS, /* name -> function */
  SP_KEPT_SPRITES,         /* name -> number and number -> name */
  SP_KEPT_SITES,           /* "file:line reason" -> true, where misuse has been warned about */
  SP_KEPT_CLASSES,         /* the table of lua/spawnpool/class.lua */
  SP_KEPT_SOURCES,         /* results of the embedded Lua files, by name */
  SP_KEPT_NATIVES,         /* C functions for these files */
  SP_KEPT_GLOBALS,         /* the globals of these files, which a game cannot change */
  SP_KEPT_REPORTING,       /* the table of lua/spawnpool/report.lua */
  SP_KEPT_ERROR,           /* [1]: of the last hook that failed in a call of the host; [2]: see `failed` */
  SP_KEPT_INNER,           /* [1]: an error that passes through C to a function of Lua; [2]: its text, see door.c */
  SP_KEPT_RELOAD,          /* the table of lua/spawnpool/reloading.lua, once the state reloads */
  SP_KEPT_STAGED,          /* objects and timers that were made while files ran */
  SP_KEPT_CULPRITS,        /* functions on the stack of the last error, innermost first; text: its message */
  SP_KEPT_DROPPED,         /* [1]: coroutines of dropped managers that wait to be closed; see sp_put_off_closing */
  SP_KEPT_SHEETS,          /* sprite number -> userdata: see sprites.c */
  SP_KEPT_CLIPS,           /* name of an animation -> number and number -> name */
  SP_KEPT_TIMER,           /* the metatable of timers that a manager owns */
  SP_KEPT_TEXTS,           /* path -> the text of the file that runs, once the state reloads */
  SP_KEPT_COUNT
} sp_kept;

/* A direct-mapped cache of names of objects: a look-up is a multiplication and a comparison. The factor is chosen so
   that no two built-in names share a seat. Own names replace each other; those of a pool are valid while its map of
   names has this stamp. */
#define SP_NAME_SEATS 256
typedef struct sp_name_seats {
  uint64_t factor;
  const void *builtin_keys[SP_NAME_SEATS], *own_keys[SP_NAME_SEATS]; /* as in sp_key; NULL: free */
  uint64_t own_stamps[SP_NAME_SEATS];
  uint32_t builtin[SP_NAME_SEATS], own[SP_NAME_SEATS]; /* SP_NO_KEY in free seats */
} sp_name_seats;

/* Calls from the context into rooms above it, or of a file in another one that uses it. */
typedef struct sp_calls {
  void (*close)(lua_State *L, sp_context *c); /* called when the state closes */
  bool (*tween)(lua_State *L);                /* these two: see tween.h */
  void (*tweens)(lua_State *L, const spl_manager *m);
  /* These four are NULL until the state reloads: see reload.h. */
  bool (*load)(lua_State *L, const char *file, const char *kind, const char *name);
  bool (*revert)(lua_State *L, sp_context *c);
  bool (*revert_hook)(lua_State *L, const spl_pool *p, int hook);
  void (*note_alloc)(lua_State *L, spl_manager *m, sp_ref object);
  /* While a field is watched (see why.h): looks whether it has changed; a field of the object at 1 was written;
     a life has ended; Lua code is about to run on `L`. */
  void (*look)(lua_State *L, sp_context *c);
  void (*wrote)(lua_State *L, sp_context *c);
  void (*ended)(sp_context *c, sp_ref object, sp_why why);
  void (*follow)(lua_State *L);
} sp_calls;

/* The beginning of the records of pools and managers: what C keeps about them, in userdata that the context holds until
   they are removed or closed, whatever is collected. What a game has is another userdata, which has only their id, and
   the values that lead back to the game. */
typedef struct sp_owner_head {
  lua_Integer anchor; /* their number in SP_KEPT_ANCHORS and SP_KEPT_RECORDS: found faster than an address */
} sp_owner_head;

/* How often a text was reported, in a table of fixed size: a newer text takes the place of an older one. */
#define SP_TOLD_PLACES 256
typedef struct sp_told {
  uint64_t text; /* its checksum */
  uint64_t count;
} sp_told;

/* Bounds reports: so many may follow each other at once, and others as their time comes. */
typedef struct sp_flow {
  double left, since;
  uint64_t left_out;
} sp_flow;

/* Stops of an endless function: see door.h. */
#define SP_STRIKES_MOST 32
typedef struct sp_strike {
  uint64_t function;
  uint64_t turn; /* of the last stop */
  uint32_t stops;
} sp_strike;

struct sp_context {
  sp_calls calls;
  const sp_reach *rows; /* the C functions of the library that a game can reach */
  lua_State *main;
  lua_State *L;                       /* of the call in progress; hooks run on it */
  sp_keymap *names;                   /* built-in names of objects */
  sp_manager *cores[256];             /* open managers by id; NULL when closed */
  spl_manager *managers[256];         /* theirs */
  uint32_t next_generation[256];      /* for the next manager of an id */
  uint64_t ids;                       /* number of ids so far: see border.h */
  struct sp_kept_snapshot *snapshots; /* of the core, which Lua has userdata for: bind/snapshot.c */
  lua_Integer anchors;                /* number of keys in SP_KEPT_ANCHORS so far */
  uint64_t crossings;                 /* calls that the core has made into this layer, any of which may run a script */
  sp_name_seats seats;                /* a cache of these names, and of own names of pools */
  uint64_t names_stamp;               /* the last stamp of a map of names */
  int kept[SP_KEPT_COUNT];
  int whys[SP_WHY_COUNT]; /* names of sp_why in the registry: pushed without allocating */
  uint32_t sprite_count, site_count, clip_count;
  const sp_sheet_entry **sheets; /* by sprite number; NULL: none */
  uint32_t sheet_room;
  sp_report_fn report; /* NULL: stderr */
  void *report_ud;
  sp_sound_fn on_sound; /* NULL: sounds of classes are not played, and there is no class `Voice` */
  void *sound_ud;
  spl_manager *default_manager;
  spl_manager *closed_manager;  /* stands for all that are closed */
  spl_pool *closed_pool;        /* and for pools that were removed */
  uint32_t swept;               /* the id at which sp_managers_sweep has stopped */
  sp_watchdog *watchdog;        /* NULL: none */
  void *watch;                  /* of a field: see why.h; NULL: none is watched */
  const char *callback;         /* the name of the game's callback that the host calls; NULL: none */
  sp_told told[SP_TOLD_PLACES]; /* by checksum */
  sp_flow prints, reports;      /* see report.c */
  sp_strike strikes[SP_STRIKES_MOST];
  uint32_t strike_count;
  uint64_t turn;                    /* updates of the default manager by the host */
  uint64_t entries;                 /* calls from outside, of a state with a watchdog */
  bool is_closing;                  /* the state is closing: no managers can be opened */
  bool testing;                     /* errors of hooks and timers are raised by the call that they ran in */
  bool failed;                      /* there is one to raise: SP_KEPT_ERROR has it */
  bool has_dropped;                 /* SP_KEPT_DROPPED is not empty */
  bool has_inner;                   /* SP_KEPT_INNER has an error of this call of the host */
  bool reloads;                     /* hot reload is in use: files are tracked */
  bool staging;                     /* files run: new objects and timers are recorded */
  bool hooks_timed;                 /* door.h: the times are shown */
  uint64_t hook_owner;              /* the id of the pool whose function runs, while hooks are timed; 0: none */
  uint64_t hook_since;              /* nanoseconds */
  uint32_t probation;               /* number of versions that may still be taken back */
  const char *folder;               /* of a sandboxed game, whose class files lie within it; NULL: anywhere */
  const char *const *asset_folders; /* as in sp_script_options */
  const sp_script_file *files;      /* likewise */
  const char *root;                 /* of the game; NULL: none is hosted */
  const sp_script_file *texts;      /* of sp_script_use_texts */
  void (*on_edit)(void *ud, const char *name, const char *text, size_t size); /* of sp_script_on_edit; or NULL */
  void *edit_ud;
  bool only_texts;                                                            /* of sp_script_use_only_texts */
  void (*on_read)(void *ud, const char *name, const char *text, size_t size); /* of sp_script_on_read; or NULL */
  void *read_ud;
  bool trace;        /* default of the option `trace` */
  double step;       /* default of the option `step`; 0: the core's default */
  char problem[512]; /* what sp_lua_problem said last */
};

/* Returns the context of a state, which is created on first use with these rows; `complete` then adds the data of other
   rooms. Raises errors, and then creates none. */
sp_context *sp_context_open(lua_State *L, const sp_reach *rows, void (*complete)(lua_State *L, sp_context *c));
/* Returns the context, or NULL when the library was never opened in this state. */
sp_context *sp_context_of(lua_State *L);
/* Returns whether the host has called the core by itself, and not a function of the library that runs on `L`. */
bool sp_is_host_call(lua_State *L, const sp_context *c);

/* Returns the seat of a built-in name, by its key. */
static inline uint32_t sp_name_seat(const sp_name_seats *s, const void *key)
{
  return (uint32_t)((uint64_t)(uintptr_t)key * s->factor >> 56);
}
/* Returns the seat of an own name of a pool. It depends on the pool's address only, so no memory of the pool is read.
   */
static inline uint32_t sp_own_name_seat(const sp_pool *pool, uint32_t seat)
{
  return (seat + (uint32_t)((uintptr_t)pool >> 8)) % SP_NAME_SEATS;
}

/* Returns the context of the running C function: its first upvalue. */
static inline sp_context *sp_context_here(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

/* Pushes a table or function that the context keeps, and returns its type. */
static inline int sp_push_kept(lua_State *L, const sp_context *c, sp_kept what)
{
  return lua_rawgeti(L, LUA_REGISTRYINDEX, c->kept[what]);
}

/* Puts the functions, or the metamethods, of an owner among the library's rows into the table on top. Raises on
   memory. */
void sp_add_functions(lua_State *L, sp_context *c, const char *owner, bool meta);
/* Gives the metatable on top a name, for error messages, and hides it from scripts. Raises on memory. */
void sp_name_metatable(lua_State *L, const char *name);
/* Pushes functions as closures over the context into the table on top. */
void sp_set_functions(lua_State *L, sp_context *c, const luaL_Reg *functions);
void sp_push_function(lua_State *L, sp_context *c, lua_CFunction function);
/* Pushes a new table with the functions of the kept table `what`. */
void sp_copy_methods(lua_State *L, const sp_context *c, sp_kept what);

/* Returns whether a manager is NULL, or unreachable and waiting for its finaliser. Then it is in no list, but its
   objects can still be used. */
bool sp_is_dropped(lua_State *L, const sp_context *c, const spl_manager *m);
/* Pushes the userdata of a pool or manager, by its struct; nil when it was collected. */
void sp_push_anchor(lua_State *L, const sp_context *c, const void *owner);
static inline lua_Integer sp_anchor_of(const void *owner) { return ((const sp_owner_head *)owner)->anchor; }
void sp_push_dropped(lua_State *L, const sp_context *c, const void *owner); /* for owners waiting for their finaliser */
/* Works like sp_push_anchor, but leaves other values below the userdata: for callers that empty the stack. */
static inline void sp_find_anchor(lua_State *L, const sp_context *c, const void *owner)
{
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  if (lua_rawgeti(L, -1, sp_anchor_of(owner)) == LUA_TNIL)
    sp_push_dropped(L, c, owner);
}
/* Pushes the user value `n` of that userdata; nil when it was collected. Other values are left below it. */
static inline int sp_find_user_value(lua_State *L, const sp_context *c, const void *owner, int n)
{
  sp_find_anchor(L, c, owner);
  if (lua_isuserdata(L, -1))
    return lua_getiuservalue(L, -1, n);
  lua_pushnil(L);
  return LUA_TNIL;
}
/* Makes the userdata at `handle` that of the record at `record`. Raises on memory, and has done nothing then. */
void sp_set_anchor(lua_State *L, sp_context *c, int record, int handle);
/* Push a record; let the collector have it, which is nothing when there is none. Neither fails. */
void sp_push_record(lua_State *L, const sp_context *c, const void *owner);
void sp_drop_record(lua_State *L, const sp_context *c, lua_Integer anchor);

/* {== The Lua side ====================================================== */

/* The files of lua/spawnpool, embedded so that one file is the whole module. The Makefile generates the array; a NULL
   name ends it. */
typedef struct sp_library_source {
  const char *name; /* "spawnpool.class" */
  const unsigned char *data;
  size_t size;
} sp_library_source;

extern const sp_library_source sp_library_sources[];

/* Pushes what the file `name` returned, running it on first use. Raises errors. */
void sp_push_source(lua_State *L, sp_context *c, const char *name);
/* Pushes the function `name` in the table that the file `source` returned. Raises errors. */
void sp_push_helper(lua_State *L, sp_context *c, const char *source, const char *name);

/* }== */

#endif
