/*
** A game in Lua, as its host sees it: one Lua state with the library in it, a sandbox, the game's own folder to require
** from, and a table of callbacks that main.lua returned. Every call is protected: errors are reported as text and never
** leave by longjmp. No SDL here, and no globals: scripts on two threads share nothing.
**
** Strings that are returned, or passed to a function of the host, belong to the script and are valid until the next
** call. Functions of the host must return. Installed as spawnpool_script.h, beside spawnpool.h. C11, and C++ may
** include it too.
*/
#ifndef SPAWNPOOL_SCRIPT_H
#define SPAWNPOOL_SCRIPT_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lua_State;
/* Opaque; open until sp_script_close. Belongs to one thread at a time. */
typedef struct sp_script sp_script;

/* The kind of a reported text. */
typedef enum sp_report { SP_REPORT_PRINT, SP_REPORT_WARNING, SP_REPORT_ERROR, SP_REPORT_RELOAD } sp_report;
/* Receives what the game prints, warnings, errors as "file:line: message" with user frames below, and one line for
   each reload. No text ends in a newline. */
typedef void (*sp_report_fn)(void *ud, sp_report kind, const char *text);

/* Plays `sound`, a name that the class of `object` gives to the beginning or the end of lives: the object is live, or
   dying and can still be read. Runs as a hook does, in the Lua state of the call in progress, and may raise errors. */
typedef void (*sp_sound_fn)(void *ud, struct lua_State *L, sp_ref object, const char *sound);

/* A file of a game that is in memory: its path in the folder of the game, its bytes, a zero behind them, and how many
   they are. Of text without zeros the size may be 0. */
typedef struct sp_script_file {
  const char *name, *source;
  size_t size;
} sp_script_file;

/* How a game is opened. Make one by sp_script_defaults(path), then change members. */
typedef struct sp_script_options {
  size_t size;      /* of this struct, as the program was compiled: sp_script_defaults sets it */
  const char *path; /* folder with main.lua, or a .lua file; on Windows in the code page of the process */
  /* The files of the game, a NULL name at the end: no file is read. `path` is then only the name of the folder, for
     messages; `trust` is ignored, and `reload` finds no edits unless it exists. Must outlive the script. NULL: the game
     is on the disk. */
  const sp_script_file *files;
  uint64_t seed;       /* for math.random and the default manager */
  double step;         /* seconds per tick of the default manager; 0: SP_DEFAULT_STEP */
  size_t memory_limit; /* bytes of Lua and pool memory together; 0: none */
  bool reload;         /* track files: sp_script_poll runs edited ones again */
  bool trust;          /* full Lua libraries instead of the sandbox */
  bool trace;          /* managers record where objects were allocated and recycled, by default */
  double patience; /* seconds that a call into the game may compute before it is stopped; 0: 2 s; negative: for ever */
  double start_patience; /* likewise for main.lua and load(args); 0: five times the patience */
  /* The watchdog leaves SIGURG alone and counts instructions, which slows scripts down. False, on Linux: the first call
     into the game installs a handler for SIGURG, which stays for as long as the process runs. */
  bool no_signal;
  sp_report_fn report; /* NULL: stdout and stderr */
  void *report_ud;
  /* Called when something neither comes back within `hang_after` seconds of computing nor can be stopped: a function in
     C, a collection, what sp_script_doing announces. `what` is a line about it: "GAME/main.lua:3: 'rep' did not come
     back within 10 s of computing". Runs in a signal handler, so it may only write lines and end the process; on
     Windows, on another thread. NULL: it is waited for. */
  void (*on_hang)(void *ud, const char *what);
  void *hang_ud;
  double hang_after; /* seconds; 0: 10 s. After a longer patience, a tenth of it more */
  /* Called when main.lua has returned its table, before load(args): for a host with settings in that table. May be
     NULL. */
  void (*on_main)(void *ud);
  void *main_ud;
  /* Called for objects of the default manager. With it the class `Voice` is built in, with the fields sound,
     volume, pan and loop. NULL: sounds of classes are
     checked, and not played. */
  sp_sound_fn on_sound;
  void *sound_ud;
  /* Runs with equal game, seed and calls are equal, in another process too: `pairs` and `next` visit keys in a fixed
     order, clocks return game time, and so on. Costs 16 bytes per block of memory, and sorting in each loop over a
     table. */
  bool repeatable;
  int64_t start_time; /* repeatable: what os.time() returns at the start, seconds since the epoch */
  /* repeatable: clocks, random seeds and the size of the heap stay Lua's, for a host that records what they return; and
     the collector runs as always, so that a game may see which weak entries are left. */
  bool real_clocks;
  /* The memory of Lua and the pools is one area, which the player copies to go back in time. Does nothing with `trust`,
     where a copy of the memory is not a copy of the state, nor where no addresses can be reserved. */
  bool checkpoints;
  /* Names of folders of the game that the host watches itself, for pictures perhaps, NULL at the end: it is the host
     that warns when one is a link that leads out of the game. Must outlive the script. NULL: none. */
  const char *const *asset_folders;
  /* The part of a thread that all calls into the game may have together, 0 to 1; 0: no limit. Time that they leave is
     saved for later ones, as much as a call or a second may use; once it is used up the call that runs is stopped, and
     those that follow are not made until half as much is there again. Starting and reloading do not count. */
  double share;
} sp_script_options;

/* Writes the defaults, zeros, and `size`, at most `size` bytes: sizeof(sp_script_options) in the calling program. */
SP_API void sp_script_options_init(sp_script_options *options, size_t size);
/* Returns the defaults; `path` may be NULL with `files`. */
static inline sp_script_options sp_script_defaults(const char *path)
{
  sp_script_options options;
  sp_script_options_init(&options, sizeof options);
  options.path = path;
  return options;
}

/* Opens a state with the library loaded and the path resolved, but runs no code of the game. NULL when out of memory or
   the path has no script, or the options have no size or that of a newer header; `error` then holds one line.
   sp_script_close frees everything, the game's pools included; NULL is allowed. */
SP_API sp_script *sp_script_open(const sp_script_options *options, char *error, size_t error_size);
SP_API void sp_script_close(sp_script *script);

/* Runs main.lua, keeps the table it returns, calls its `load(args)`; each has the patience of the start. `argv`
   must stay as long as the script. False after an error, which was reported. */
SP_API bool sp_script_start(sp_script *script, int argc, char **argv);

/* Checks a game instead of starting it: compiles every .lua file of its folder, and runs main.lua and the class files
   under pools/ with the modules that they require. `report` receives each problem, one line, "file:line: message";
   warnings are reported. Returns the number of problems; `*files` receives the number of files. The script must have
   been opened without `reload`. Then sp_script_setting reads the table of main.lua, for a host that checks settings. */
SP_API size_t sp_script_check(sp_script *script, void (*report)(void *ud, const char *problem), void *ud,
                              size_t *files);

/* Returns whether the game has the callback `name`. */
SP_API bool sp_script_has(const sp_script *script, const char *name);

/* Returns whether the table of main.lua has `name = true`. A host's settings there can be edited like code. */
SP_API bool sp_script_setting_is_set(const sp_script *script, const char *name);

/* Returns the name of the type of the entry `name` in the table of main.lua: "nil", "number", "string" and so on;
   "error" when reading it failed, which was reported. A number is written to `number`, a string to `text`, truncated to
   fit; each may be NULL. */
SP_API const char *sp_script_setting(const sp_script *script, const char *name, double *number, char *text,
                                     size_t size);

/* Pushes the entry `name` in the table of main.lua on the Lua state, nil when there is none: for settings that are
   tables. False, with nothing pushed, when reading it failed, which was reported. */
SP_API bool sp_script_push_setting(const sp_script *script, const char *name);

/* Writes where the entry `name` in the table of main.lua is: "games/cubes/main.lua:3". Truncated to fit. */
SP_API void sp_script_setting_line(sp_script *script, const char *name, char *text, size_t size);

/* Reads the entry `name`, a text in quotes, from the text of main.lua, before it runs. "": there is none. Truncated to
   fit. */
SP_API void sp_script_read_literal(sp_script *script, const char *name, char *text, size_t size);

/* Warns once of each entry in the table of main.lua that looks like a misspelled callback or setting: "main.lua:3:
   nothing calls 'upadte' (did you mean 'update'?)". */
SP_API void sp_script_warn_unknown(sp_script *script);

/* How a call of a callback ended: it returned; there is none of this name; it raised an error; the watchdog stopped it,
   or it was not made because the share of the game is used up or the callback is switched off; there was not enough
   memory. The last three were reported; a result up to SP_CALL_ABSENT is no failure. */
typedef enum sp_call { SP_CALL_DONE, SP_CALL_ABSENT, SP_CALL_ERROR, SP_CALL_STOPPED, SP_CALL_MEMORY } sp_call;

/* Calls callback `name`. `format` (may be NULL) gives one letter per argument: n double, i int, b int (a boolean), s
   const char *, r int (a luaL_ref in the registry). */
SP_API sp_call sp_script_call(sp_script *script, const char *name, const char *format, ...);

/* As sp_script_call; `*answer` is whether the callback returned true: of `quit`, in order to stay. */
SP_API sp_call sp_script_ask(sp_script *script, const char *name, bool *answer, const char *format, ...);

/* How calls into a game are watched: not at all, with a negative patience and no share, and before the first call; by
   ticks of a timer, one for each thread; by counting instructions, which is as reliable, and slows Lua down. */
typedef enum sp_watchdog_kind { SP_WATCHDOG_NONE, SP_WATCHDOG_SIGNAL, SP_WATCHDOG_COUNTING } sp_watchdog_kind;

/* Returns how calls of this script are watched now. A program that handles or blocks SIGURG after the first call, or a
   thread for which no timer is left, is noticed at a following call: instructions are counted from then on, which is
   reported as a warning. */
SP_API sp_watchdog_kind sp_script_watchdog(const sp_script *script);

/* Says what the host does from now on until the next call into the game, in a constant text: "drawing". If that takes
   longer than `hang_after`, on_hang is called. */
SP_API void sp_script_doing(sp_script *script, const char *doing);

/* Advances the default manager by `dt` seconds: its hooks and timers together are one call into the game. Errors in
   them are reported and stop nothing. The clock of the game stands still while its share of the thread is used up.
   False when the game has closed the manager. */
SP_API bool sp_script_update(sp_script *script, double dt);

/* Collects garbage of the game for about `budget` microseconds: call it once per frame, between frames. From the first
   call with a budget above 0 on, Lua collects during frames only when the heap has grown to three times what lives; 0
   ends that. Does nothing while the game has stopped the collector, or runs it at fixed times (`repeatable`). */
SP_API void sp_script_collect(sp_script *script, double budget);

/* {== Reloading: the game is edited while it runs ========================= */

/* How thoroughly sp_script_poll looks for edits. */
typedef enum sp_poll {
  SP_POLL_LOOK, /* checks some of the files; edited ones that have settled run again */
  SP_POLL_NOW,  /* reloads all edits at once, settled or not, and those rejected before */
  SP_POLL_REST  /* does not check files: for a host without watching, to learn what else has happened */
} sp_poll;

/* The outcome of a poll. */
typedef enum sp_poll_result {
  SP_POLL_NOTHING,  /* nothing was reloaded */
  SP_POLL_RELOADED, /* the new code runs; a game that had not started has started now */
  SP_POLL_REFUSED,  /* the new code has an error, which was reported: nothing has changed */
  SP_POLL_REVERTED  /* new code failed after it was loaded: the version before is back */
} sp_poll_result;

/* Call once per frame, between frames, also while the game is paused. The result is reported too: SP_REPORT_RELOAD, or
   an error. New code leaves probation after 120 polls, each after an sp_script_update in which it ran. Does nothing
   unless `reload` was set. */
SP_API sp_poll_result sp_script_poll(sp_script *script, sp_poll how);

/* The message of the last reload, or NULL. */
SP_API const char *sp_script_reload_line(const sp_script *script);

/* The names of the files that were rejected or taken back, and have not been fixed since: "pools/Bullet.lua, util.lua".
   NULL: what is on the disk runs. */
SP_API const char *sp_script_rejected(const sp_script *script);

/* }== */

/* {== The console: text that a person types ================================ */

/* The outcome of a line of the console. */
typedef enum sp_eval {
  SP_EVAL_DONE,  /* it ran, and its values, if any, were reported as a print */
  SP_EVAL_MORE,  /* it is incomplete: nothing has run, and nothing was reported */
  SP_EVAL_FAILED /* the error was reported; sp_script_error does not return it */
} sp_eval;

/* Runs Lua code in the game's environment: its globals, its sandbox, the patience of a callback, and in addition
   `spawnpool`, `pools`, and `sel`, the selected object. Call it between frames. */
SP_API sp_eval sp_script_eval(sp_script *script, const char *text);

/* Calls `fn` for each possible completion at the end of `text`, in order. Returns the length of their common beginning
   in `text`. No code of the game runs. */
SP_API size_t sp_script_complete(sp_script *script, const char *text, void (*fn)(void *ud, const char *word), void *ud);

/* Sets `sel` of the console; 0: nothing. It becomes nil when that life ends. */
SP_API void sp_script_select(sp_script *script, sp_ref object);

/* }== */

/* The last error's text, also of errors in hooks, which do not stop the game; NULL when there is none. The
   second call clears it. */
SP_API const char *sp_script_error(const sp_script *script);
SP_API void sp_script_clear_error(sp_script *script);

/* The default manager, `spawnpool.pools`, which a player draws; NULL once the game has closed it. The Lua state, for a
   host that adds functions. */
SP_API sp_manager *sp_script_pools(const sp_script *script);
SP_API struct lua_State *sp_script_state(const sp_script *script);

/* Bytes in use by Lua and the pools, and the folder of the game (no trailing slash). */
SP_API size_t sp_script_bytes(const sp_script *script);
SP_API const char *sp_script_folder(const sp_script *script);

/* Sprites are named in Lua and numbered in sp_look: 0 is the default, "circle". NULL for an unknown number. */
SP_API const char *sp_script_sprite_name(const sp_script *script, uint16_t sprite);
/* The number of a sprite name, assigned if needed; 0 when out of memory. */
SP_API uint16_t sp_script_sprite_number(sp_script *script, const char *name);

/* {== Sheets: sprites with frames ========================================= */

/* An animation of a sheet: its frames, counted from 1, one after the other. */
typedef struct sp_sheet_animation {
  const char *name;
  const uint16_t *frames;
  uint32_t count; /* at least 1 */
  bool loop;      /* else the last frame stays */
} sp_sheet_animation;

/* A picture of frames, and its animations. */
typedef struct sp_sheet {
  uint32_t frames;        /* at least 1 */
  const float *durations; /* of each frame: seconds, above 0 */
  const sp_sheet_animation *animations;
  uint32_t animation_count;
} sp_sheet;

/* Makes a sprite a sheet; NULL: it has no frames. The data of `sheet` must stay valid until the sprite gets another
   one, or the script is closed. False when out of memory: nothing has changed then. */
SP_API bool sp_script_set_sheet(sp_script *script, const char *sprite, const sp_sheet *sheet);

/* Fills `frames`, of SP_CHUNK_SLOTS, with the frames that the live objects of a chunk show, from 1. False when the
   class of the pool has no `animation`. An animation that the sheet lacks is a warning, once. */
SP_API bool sp_script_frames(sp_script *script, sp_pool *pool, uint32_t chunk, uint16_t *frames);

/* Returns the column of floats with the scale_x of objects, before that of scale_y; 0: both are 1. `*adds`: whether the
   class has blend = "add". */
SP_API int sp_script_scales(const sp_pool *pool, bool *adds);

/* }== */

/* {== In a Lua state of your own ========================================== */

/* `require "spawnpool"`, for luaL_requiref: pushes the module table. Raises an error when the state lacks the standard
   libraries, or when another library owns the metatable of light userdata. */
SP_API int luaopen_spawnpool(struct lua_State *L);

/* For functions of the program in C, in any state with the library, that of a script included. None of these raises,
   allocates or runs Lua; `index` may be any number. A program that has this library in it, while its state has required
   an installed spawnpool.so, has two copies, which do not know each other: link it shared, as the module does.
   sp_lua_manager: the manager that is at an index, or whose pool is; NULL when it is neither, or closed. It stays valid
   until Lua runs, which may close or collect it. A host can neither close, remove nor redefine what Lua owns: SP_BUSY.
   An alloc from C is the base call: the `alloc` of a class does not run, its hooks do, on the main thread.
   sp_lua_ref: the reference to an object of this state, live or stale, also to one of a pool that was removed; 0: it is
   none, or of a closed manager. Two states give out the same references.
   sp_lua_push: pushes an object; 0: nil. Needs one slot.
   sp_lua_problem: NULL for a live object, else why the value is none, valid until the next call with this state. Index
   0: the error of the last hook that failed while the host called the core; NULL: none has. */
SP_API sp_manager *sp_lua_manager(struct lua_State *L, int index);
SP_API sp_ref sp_lua_ref(struct lua_State *L, int index);
SP_API void sp_lua_push(struct lua_State *L, sp_ref object);
SP_API const char *sp_lua_problem(struct lua_State *L, int index);

/* `require "spawnpool.reload"`: opens the library too if needed, and tracks files from now on. */
SP_API int luaopen_spawnpool_reload(struct lua_State *L);

/* }== */

#ifdef __cplusplus
}
#endif
#endif
