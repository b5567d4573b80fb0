/*
** A game in Lua, as its host sees it: one Lua state with the library in it, a sandbox, the game's own folder to require
** from, and a table of callbacks that main.lua returned. Every call goes through one protected door; what goes wrong is
** reported as text and never leaves by longjmp. No SDL here, and no globals: scripts on two threads never meet.
**
** Texts that are handed out, or passed to a function of the host, are the script's: good until the next call. Functions
** of the host must return. Installed as spawnpool_script.h, beside spawnpool.h. C11, and C++ may include it too.
*/
#ifndef SPAWNPOOL_SCRIPT_H
#define SPAWNPOOL_SCRIPT_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lua_State;
typedef struct sp_script sp_script;

typedef enum sp_report { SP_REPORT_PRINT, SP_REPORT_WARNING, SP_REPORT_ERROR, SP_REPORT_RELOAD } sp_report;
/* Receives what the game prints, warnings, errors as "file:line: message" with user frames below, and one line for
   each reload. */
typedef void (*sp_report_fn)(void *ud, sp_report kind, const char *text);

/* Plays `sound`, a name that the class of `object` gives to the beginning or the end of lives: the object is live, or
   dying and can still be read. Runs as a hook does, in the Lua state of the call in progress, and may raise errors. */
typedef void (*sp_sound_fn)(void *ud, struct lua_State *L, sp_ref object, const char *sound);

typedef struct sp_script_options {
  const char *path;    /* folder with main.lua, or a .lua file */
  uint64_t seed;       /* for math.random and the default manager */
  double step;         /* seconds per tick of the default manager; 0: SP_DEFAULT_STEP */
  size_t memory_limit; /* bytes of Lua and pool memory together; 0: none */
  bool reload;         /* keep track of files: sp_script_poll runs again what was edited */
  bool trust;          /* full Lua libraries instead of the sandbox */
  bool trace;          /* managers remember where objects were allocated and recycled, unless they say otherwise */
  double patience; /* seconds that a call into the game may compute before it is stopped; 0: 2 s; negative: for ever */
  /* The watchdog leaves SIGURG alone and counts instructions, which slows scripts down. False, on Linux: the first call
     into the game installs a handler for SIGURG, which stays for as long as the process runs. */
  bool no_signal;
  sp_report_fn report; /* NULL: stdout and stderr */
  void *report_ud;
  /* Called when a call that was stopped has not come back after five times its patience more: it is inside one
     operation of Lua that nothing can stop, a collection say. Runs in a signal handler, so that all it may do is
     write a line and end the process; on Windows, on another thread. NULL: the call takes as long as it takes. */
  void (*on_hang)(void *ud);
  void *hang_ud;
  /* Called when main.lua has returned its table, before load(args): for a host with settings in that table. May be
     NULL. */
  void (*on_main)(void *ud);
  void *main_ud;
  /* Called for objects of the default manager. With it the class `Voice` is built in. NULL: sounds of classes are
     checked, and not played. */
  sp_sound_fn on_sound;
  void *sound_ud;
  /* The same game, seed and calls give the same run in another process: `pairs` and `next` visit keys in a fixed order,
     clocks answer game time, and so on. Costs 16 bytes per block of memory, and sorting in each loop over a table. */
  bool repeatable;
  int64_t start_time; /* repeatable: what os.time() answers at the start, seconds since the epoch */
  /* The memory of Lua and the pools is one area, which the player copies to go back in time. Does nothing with `trust`,
     where a copy of the memory is not a copy of the state, nor where no addresses can be reserved. */
  bool checkpoints;
} sp_script_options;

/* Opens a state with the library loaded and the path looked up, but runs nothing of the game. NULL when memory is
   refused or the path has no script; `error` then holds one line. Close with sp_script_close. */
SP_API sp_script *sp_script_open(const sp_script_options *options, char *error, size_t error_size);
SP_API void sp_script_close(sp_script *script);

/* Runs main.lua, keeps the table it returns, calls its `load(args)`; each has five times the patience. `argv` must
   stay as long as the script. False after an error, which was reported. */
SP_API bool sp_script_start(sp_script *script, int argc, char **argv);

/* Instead of starting it: every .lua file of the game's folder is compiled, main.lua and the class files under pools/
   run, with what they require. `tell` receives each problem, one line, "file:line: message"; warnings are reported.
   Returns how many problems there are; `*files` receives how many files were looked at. Wants a script that was opened
   without `reload`. */
SP_API size_t sp_script_check(sp_script *script, void (*tell)(void *ud, const char *problem), void *ud, size_t *files);

/* Whether the game has the callback `name`. */
SP_API bool sp_script_has(const sp_script *script, const char *name);

/* Whether the table of main.lua has `name = true`: a setting of the host's that can be edited like any code. */
SP_API bool sp_script_is_set(const sp_script *script, const char *name);

/* Returns the name of the type of what the table of main.lua has as `name`: "nil", "number", "string" and so on. A
   number is written to `number`, a string to `text`, cut to fit; each may be NULL. */
SP_API const char *sp_script_setting(const sp_script *script, const char *name, double *number, char *text,
                                     size_t size);

/* Warns of entries in the table of main.lua that the player would not read because they are misspelled, each of them
   once: "main.lua:3: nothing calls 'upadte' (did you mean 'update'?)". */
SP_API void sp_script_advise(sp_script *script);

/* Calls callback `name`; true when it is absent or returned. `format` (may be NULL) gives one letter per argument: n
   double, i int, b int (a boolean), s const char *, r int (a luaL_ref in the registry). False after an error, which was
   reported. */
SP_API bool sp_script_call(sp_script *script, const char *name, const char *format, ...);

/* Like sp_script_call for `quit`: true when the callback returned true, which asks to stay. */
SP_API bool sp_script_veto(sp_script *script, const char *name);

/* Advances the default manager by `dt` seconds: its hooks and timers, together, are one call into the game. What goes
   wrong in them is reported and stops nothing. False when the game has closed the manager. */
SP_API bool sp_script_update(sp_script *script, double dt);

/* {== Reloading: the game is edited while it runs ========================= */

typedef enum sp_poll {
  SP_POLL_LOOK, /* a slice of looking at the files; what was edited and has settled runs again */
  SP_POLL_NOW,  /* all there is, at once, settled or not, and what was refused before */
  SP_POLL_REST  /* no look at the files: for a host that does not watch, to be told of what else has happened */
} sp_poll;

typedef enum sp_poll_result {
  SP_POLL_NOTHING,  /* nothing runs anew */
  SP_POLL_RELOADED, /* the new code runs; when the game had not started before, it has now */
  SP_POLL_REFUSED,  /* something is wrong with it, which was reported: all is as it was */
  SP_POLL_REVERTED  /* new code failed after it was loaded: its last good version is back */
} sp_poll_result;

/* Call once per frame, between frames, also while the game rests. What happened is reported too: SP_REPORT_RELOAD, or
   an error. New code counts as good after 120 polls that came after sp_script_update. Nothing unless `reload` was
   set. */
SP_API sp_poll_result sp_script_poll(sp_script *script, sp_poll how);

/* The line that the last reload reported, or NULL. */
SP_API const char *sp_script_reload_line(const sp_script *script);

/* Looks at a folder in the next poll, not when its turn comes; NULL: at all. For hosts that hear of changes. */
SP_API void sp_script_wake(sp_script *script, const char *folder);

/* Calls `fn` (NULL: nobody) for each folder under watch; returns a number that is another one when the list is. */
SP_API unsigned sp_script_each_folder(sp_script *script, void (*fn)(void *ud, const char *folder), void *ud);

/* }== */

/* {== The console: text that a person types ================================ */

typedef enum sp_eval {
  SP_EVAL_DONE,  /* it ran, and its values, if any, were reported as a print */
  SP_EVAL_MORE,  /* it is not complete: nothing has run, and nothing was reported */
  SP_EVAL_FAILED /* what is wrong was reported as an error, which sp_script_error does not keep */
} sp_eval;

/* Runs a text of Lua in the game's world: its globals and its sandbox, with the patience of a callback; besides them
   `spawnpool`, `pools`, and `sel`, what is selected. Call it between frames. */
SP_API sp_eval sp_script_eval(sp_script *script, const char *text);

/* Calls `fn` for each word, in order, that could stand at the end of `text`. Returns how many bytes at that end are
   begun of each of them. Nothing of the game is called for it. */
SP_API size_t sp_script_complete(sp_script *script, const char *text, void (*fn)(void *ud, const char *word), void *ud);

/* What `sel` stands for in the console; 0: nothing. It is nil by itself when that life is over. */
SP_API void sp_script_select(sp_script *script, sp_ref object);

/* }== */

/* The last error's text, also of errors in hooks, which do not stop the game; NULL when there is none. */
SP_API const char *sp_script_error(const sp_script *script);
SP_API void sp_script_clear_error(sp_script *script);

/* The default manager, `spawnpool.pools`: what a player draws; NULL once the game has closed it. The Lua state, for a
   host that adds functions. */
SP_API sp_manager *sp_script_pools(const sp_script *script);
SP_API struct lua_State *sp_script_state(const sp_script *script);

/* Bytes in use by Lua and the pools, and the folder of the game (no trailing slash). */
SP_API size_t sp_script_bytes(const sp_script *script);
SP_API const char *sp_script_folder(const sp_script *script);

/* Sprites are named in Lua and numbered in sp_look: 0 is the default, "circle". NULL for an unknown number. */
SP_API const char *sp_script_sprite_name(const sp_script *script, uint16_t sprite);
/* The number of a sprite name, giving it one if needed; 0 when memory is refused. */
SP_API uint16_t sp_script_sprite(sp_script *script, const char *name);

/* {== Sheets: sprites with frames ========================================= */

/* An animation of a sheet: its frames, counted from 1, one after the other. */
typedef struct sp_sheet_animation {
  const char *name;
  const uint16_t *frames;
  uint32_t count; /* at least 1 */
  bool loop;      /* else the last frame stays */
} sp_sheet_animation;

typedef struct sp_sheet {
  uint32_t frames;        /* at least 1 */
  const float *durations; /* of each frame: seconds, above 0 */
  const sp_sheet_animation *animations;
  uint32_t animation_count;
} sp_sheet;

/* Says that a sprite is a sheet, or not (NULL). What `sheet` points to must stay until the sprite gets another one, or
   the script is closed. False when memory is refused: nothing has changed then. */
SP_API bool sp_script_set_sheet(sp_script *script, const char *sprite, const sp_sheet *sheet);

/* Fills `frames`, of SP_CHUNK_SLOTS, with the frames that the live objects of a chunk show, from 1. False when the
   class of the pool has no `animation`. An animation that the sheet does not have is a warning, once. */
SP_API bool sp_script_frames(sp_script *script, sp_pool *pool, uint32_t chunk, uint16_t *frames);

/* }== */

/* {== In a Lua state of your own ========================================== */

/* `require "spawnpool"`, for luaL_requiref: pushes the module table. The state has its standard libraries already.
   Raises when it has not, or when another library owns the light userdata metatable. */
SP_API int luaopen_spawnpool(struct lua_State *L);

/* `require "spawnpool.reload"`: opens the library too if need be, and keeps track of files from now on. */
SP_API int luaopen_spawnpool_reload(struct lua_State *L);

/* }== */

#ifdef __cplusplus
}
#endif
#endif
