/*
** Everything that the player draws over the game: Lua files, demo/tools, in a state of the player's own, which works
** when the game is stopped or out of memory. overlays_lua.h, inspector_lua.h and timeline_lua.h are what they can ask.
** While none of them is shown, no Lua runs.
*/
#ifndef SP_DEMO_OVERLAYS_H
#define SP_DEMO_OVERLAYS_H

#include "demo/app/game.h"
#include "demo/support/report.h"
#include "demo/support/stats.h"

typedef struct overlays {
  const options *options;
  game *game;
  const hot_reload *reload;
  const stats *stats;
  messages messages;
  bool (*install_more)(void *ud, lua_State *L, char *error, size_t size); /* adds other tables for the tools */
  void (*draw_below)(void *ud, graphics *g);                              /* draws over the game, below the tools */
  sp_eval (*eval)(void *ud, const char *lua);                             /* runs a line of the console in the game */
  void *ud;                                                               /* of these functions */
  graphics graphics; /* of what lies below the tools; draws into `batch` */
  batch batch;
  const char *log; /* of a finished game: where the text about an error lies, or ""; NULL: the game is not finished */
  bool shows_asset_error; /* the problem is an error of an asset */
  bool shows_rejected;    /* the problem is that a file is still rejected */

  /* The tools. */
  sp_script *script;  /* NULL: not needed yet */
  bool reloads;       /* their files are watched */
  bool started;       /* main.lua has run */
  bool failed;        /* a call failed, or they could not be opened: a key tries again */
  bool awake;         /* something is shown, or has changed */
  bool consumed;      /* the event of the current call */
  bool typing;        /* the console has the keys */
  bool inspects;      /* the inspector is shown */
  sp_ref selected;    /* in the inspector; may be stale; 0: nothing */
  bool bare, stopped; /* no notices in this drawing; the game had stopped in the last one */
  const char *paused; /* why the game is paused, or NULL */
  graphics units;     /* draws into `batch`, in units of `scale` points, from `left` on, which are units */
  game_view view;     /* the camera of `units`, which nothing uses */
  int g;              /* registry reference of their `g` */
  float scale, left;
  size_t area_first;      /* the first quad that was drawn in this area */
  float mouse_x, mouse_y; /* points */
  stats_meter meter;
  bool hooks_timed;
  unsigned restored; /* counts how often the game was put back to a moment */
  char *clipboard;   /* the text that they asked for last */
} overlays;

/* All arguments must outlive it, and the functions must be set. A zeroed one may be closed. */
void overlays_open(overlays *o, const options *given, game *it, const hot_reload *r, const stats *s);
void overlays_close(overlays *o);

/* Call it when the game was restored to a moment: clears all cached data about its pools. */
void overlays_rewound(overlays *o);

/* Uses the sprites and fonts that the game has now: call it whenever they were loaded. */
void overlays_use_graphics(overlays *o);

/* Shows a report in the console, and as a notice unless the console is open. */
void overlays_report(overlays *o, sp_report kind, const char *message, double now);

/* Removes the problem. That of an asset or of a rejected file is back with the next poll while it holds. */
void overlays_clear_error(overlays *o);

/* Shows why a reload of code or assets failed, until that is fixed. `result` is that of the code. */
void overlays_report_reload(overlays *o, const hot_reload *r, sp_poll_result result);

/* Passes an event to the tools. True when one of them consumed it. */
bool overlays_event(overlays *o, const SDL_Event *event);

/* Does what a key is for: "help", "hud", "pools", "inspector", "console". */
void overlays_act(overlays *o, const char *action);

/* Copies the error that is shown, if there is one, to the clipboard, with the text of stderr. */
void overlays_copy_error(overlays *o, double now);

/* Closes the topmost overlay that Esc closes; false when none is open. */
bool overlays_dismiss(overlays *o);

/* Fills the batch. `paused`: why the game is paused, a constant text, or NULL; `bare`: without the notice, for a
   screenshot. */
void overlays_draw(overlays *o, const draw_view *view, const char *paused, bool bare);

#endif
