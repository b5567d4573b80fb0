/*
** The player in a page: the functions that JavaScript calls. page/src/instance.js wraps them.
**
** A run begins with sp_web_open and sp_web_start, calls sp_web_frame for each animation frame of the browser, and ends
** with sp_web_close. Games are files in the memory of the page; sp_web_reload loads the files that were written,
** whatever their times are. Prints, warnings, errors and reloads go to `onReport(kind, text)` of the module, with the
** kinds of sp_report, and the results of a check to `onProblem(text)`.
*/
#ifndef SP_DEMO_WEB_PLAYER_H
#define SP_DEMO_WEB_PLAYER_H

#include <stdbool.h>

typedef struct web_player web_player;

/* {== The run ============================================================ */

/* Opens the game of a command line, which has an argument per line, and runs nothing yet. A call into the game is
   stopped after `patience` seconds, also main.lua and load(args); 0: as on the desktop. NULL on failure: the problem
   was reported or printed. SDL draws on the element "#canvas", and receives keys while that has the focus. */
web_player *sp_web_open(const char *arguments, double patience);

/* Runs main.lua and load(args). */
void sp_web_start(web_player *p);

/* Runs the next frame, if it is due. False when the run has ended. */
bool sp_web_frame(web_player *p);

/* Ends the run in any state. Returns the exit code of the program. */
int sp_web_close(web_player *p);

/* }== */

/* {== Between frames ===================================================== */

/* Requests that edited files are loaded at the beginning of the next frame, settled or not. Until then
   sp_web_is_reloading returns true. */
void sp_web_reload(web_player *p);
bool sp_web_is_reloading(const web_player *p);

/* Presses or releases a key by SDL's name of it, as "left" or "f2". Unknown names are ignored. */
void sp_web_key(const char *name, bool down);

/* Runs Lua code as the console does, and reports its values. Returns an sp_eval. */
int sp_web_eval(web_player *p, const char *text);

/* Returns a figure of the run by its name: "frame", "steps", "reloads", "refused", "reverted"; "stopped", 1 while an
   error has stopped the game; "timeline", 1 while it is shown; "tab", 1 while an overlay uses that key; else -1. */
double sp_web_figure(const web_player *p, const char *name);

/* Checks the game at `path` as --check does, independently of the one that is played. Returns the number of problems;
   -1 when there is no game, or when out of memory. */
int sp_web_check(const char *path);

/* }== */

#endif
