/*
** The game that is being played: its script, its pools, and its picture. Steps advance it, drawing makes the picture
** in memory; the app presents it. A callback that fails stops the game until the error is fixed; the last good picture
** stays.
*/
#ifndef SP_DEMO_GAME_H
#define SP_DEMO_GAME_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/app/options.h"
#include "demo/audio/audio.h"
#include "demo/bind/audio_lua.h"
#include "demo/bind/input_lua.h"
#include "demo/bind/module_lua.h"
#include "demo/bind/storage.h"
#include "demo/draw/assets.h"
#include "demo/draw/batch.h"
#include "demo/draw/graphics.h"
#include "demo/draw/window.h"
#include "demo/input/input.h"
#include "demo/support/report.h"
#include "demo/support/stats.h"
#include "script/script.h"

/* Kinds of asset files. */
enum { GAME_SPRITES, GAME_SOUNDS, GAME_FONTS, GAME_ASSETS };

enum { GAME_PROBLEMS_MOST = 8 }; /* of the settings; there are fewer ways for them to be wrong */

/* The settings in the table of main.lua that concern the window. They are read when main.lua has run, and again after
   each reload. */
typedef struct game_settings {
  char title[256];   /* "": none */
  int width, height; /* 0: none */
  view_scale scale;
  bool nearest;                        /* PNGs are enlarged without smoothing */
  char id[80], version[32], icon[256]; /* "": none */
} game_settings;

#define GAME_ICON_MOST ((size_t)1 << 20) /* bytes of the file */

typedef struct game {
  sp_script *script;
  double step; /* seconds */
  report *report;
  input input;
  input_seat seats[INPUT_PADS + 1]; /* at `input` */
  assets *assets[GAME_ASSETS];
  audio audio;
  voices voices;
  sprites *sprites;
  text *text;
  draw *draw;
  unsigned sheets;   /* counts the sheets that were given to the script */
  graphics graphics; /* what `g` points to */
  int g;             /* registry reference of `g` */
  game_view view;    /* `spawnpool.view` */
  game_settings settings;
  uint64_t problems[GAME_PROBLEMS_MOST]; /* checksums of what is wrong with the settings, as it was last reported */
  void (*on_settings)(void *ud);         /* called when they were read: before load, and after a reload; may be NULL */
  void *settings_ud;
  char id[80];        /* in the text of main.lua, before that runs; "": none */
  game_wishes wishes; /* what it wants of the player */
  storage storage;    /* opened by the caller, before the second wall */
  batch scenes[2];    /* one is shown while the other is made */
  batch over;         /* the output of draw(g), kept while the objects below it are drawn */
  int shown;
  bool unseen;                 /* the frame is not shown: callbacks run, but objects are not drawn */
  bool trusted;                /* files may be outside of its folder */
  const sp_script_file *files; /* of a game in memory; NULL: it is a folder */
  bool stopped;                /* a callback failed: nothing of the game runs until that is fixed */
  bool has_reported_limits;    /* of what `g` draws in a picture */
} game;

/* Opens the script, which runs nothing yet. False, with one line in `error`, when there is no such game. game_close
   is safe in either case. `it` must not move afterwards. */
bool game_open(game *it, const options *o, report *r, char *error, size_t error_size);

/* Loads what drawing needs. The window must outlive it. False, with one line in `error`, on failure. */
bool game_load_graphics(game *it, const window *w, char *error, size_t error_size);

/* Chooses where the sound goes, and opens what plays it when the game has sounds. False, with one line in `error`, when
   a file for it cannot be written. Call it when the graphics are loaded. */
bool game_start_sound(game *it, const options *o, char *error, size_t error_size);

/* Gives `it->text` the fonts of the game; game_load_graphics does that too. */
void game_load_fonts(game *it);

/* Frees everything that was loaded for drawing, the last picture included; game_load_graphics loads it again. */
void game_free_graphics(game *it);

/* Runs main.lua and load(args). A failure is reported and stops the game. */
void game_start(game *it, const options *o);

/* Checks the game instead of starting it, as sp_script_check does, and its settings too. */
size_t game_check(game *it, void (*tell)(void *ud, const char *problem), void *ud, size_t *files);

/* Reads the settings of main.lua: call it after a reload. */
void game_read_settings(game *it);

/* Fits the view into the window: call it when the window has changed. */
void game_fit(game *it, const window *w);

/* Lets a stopped game run again: its error is fixed. */
void game_resume(game *it);

/* Call it after a reload: when it has succeeded, a stopped game runs again, with the settings of now. */
void game_reloaded(game *it, sp_poll_result result);

/* Runs one step of the clock: update(dt), then the pools. */
void game_step(game *it);

/* Collects garbage of the game, as far as its budget goes: call it once per frame, when the frame has been shown. */
void game_collect(game *it);

/* Draws the picture: what draw_below(g) draws, objects by layer, then what draw(g) adds. */
void game_draw(game *it);

/* Returns a message without the leading folder of the game, which need not be repeated in its own window. */
const char *game_shortened(const game *it, const char *message);

/* Returns the default manager, or NULL once the script has closed it. */
sp_manager *game_pools(const game *it);
/* Returns the pool with this number, from 1 in order of creation; NULL: there is none. */
const sp_pool *game_pool(const game *it, uint32_t number);

/* Returns the last good picture. */
const batch *game_scene(const game *it);

/* Reads a file of the game: its content, from malloc, with a zero behind it. NULL when it cannot be read, or is larger
   than `most`. */
char *game_read_file(const game *it, const char *name, size_t most, size_t *size);

/* Calls the callback for a change of keys, mouse or gamepad, if the game has it. Returns whether the game has taken a
   pressed key: the callback returned true. */
bool game_input(game *it, const input_change *change);

/* Call the callbacks for a change of the window: its size in points; whether it has the focus. */
void game_resized(game *it, int width, int height);
void game_focus(game *it, bool on);

/* Calls quit(); false when the game refuses to quit. A stopped game never refuses. */
bool game_may_quit(game *it);

/* Returns whether the game pauses while another window has the focus. */
bool game_pauses_unfocused(const game *it);

/* Closes everything, the script first: while it closes it may still call functions of the player. */
void game_close(game *it);

/* {== Hot reload ========================================================= */

/* Once per frame the script and the assets check their files. Counts the results and keeps the last one for display. */
typedef struct hot_reload {
  sp_script *script;
  assets *const *assets; /* assets of all kinds */
  size_t kinds;
  report *report;
  bool watches; /* false: files are checked only on request */
  bool requested;
  uint64_t done, refused, reverted;
  sp_poll_result last;       /* result of the last poll that did something, or SP_POLL_NOTHING */
  const assets *line_source; /* the assets that reported the last line; NULL: the script */
  assets_result loaded;      /* result of the last poll of the assets */
} hot_reload;

/* The script must outlive it. */
void hot_reload_open(hot_reload *it, sp_script *script, bool watches);

/* Adds assets to be checked: `kinds` of them, each NULL or open. Results are reported to `r`. */
void hot_reload_add_assets(hot_reload *it, assets *const *list, size_t kinds, report *r);

/* Makes the next poll reload all that differs, settled or not, and what was refused before. */
void hot_reload_request(hot_reload *it);

/* Call once per frame, between frames. `now`: real time in seconds. The script reports what happened. */
sp_poll_result hot_reload_poll(hot_reload *it, double now);

/* Returns the line that the last reload reported, or "". */
const char *hot_reload_line(const hot_reload *it);

/* Works like assets_problem, for the first kind that has a problem. */
const char *hot_reload_problem(const hot_reload *it, const char **consequence);

/* Writes the counts into a line of statistics. */
void hot_reload_count(const hot_reload *it, stats_line *line);

/* }== */

#endif
