/*
** The player in a page: the functions that JavaScript calls. player.mjs wraps them for pages.
**
** A run begins with sp_web_open and sp_web_start, calls sp_web_frame for each animation frame of the browser, and ends
** with sp_web_close. Games are files in the memory of the page; sp_web_reload loads the files that were written,
** whatever their times are. Prints, warnings, errors and reloads go to `onReport(kind, text)` of the module, with the
** kinds of sp_report, and the results of a check to `onProblem(text)`.
**
** Texts that are returned are valid until the next call.
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

/* {== What a page may do ================================================= */

/* Requests that edited files are loaded at the beginning of the next frame, settled or not. Until then
   sp_web_is_reloading returns true. */
void sp_web_reload(web_player *p);
bool sp_web_is_reloading(const web_player *p);

/* Presses a key of the player: "F2" for the HUD, "F3" for the inspector, "`" for the console. False when there is no
   key of that name. */
bool sp_web_press(const char *name);

void sp_web_pause(web_player *p, bool on);
bool sp_web_is_paused(const web_player *p);

/* Returns whether an error has stopped the game. */
bool sp_web_is_stopped(const web_player *p);

/* Returns the last error, "file:line: message" with user frames below, or "". */
const char *sp_web_error(const web_player *p);

/* Runs Lua code as the console does, and reports its values. Returns an sp_eval. */
int sp_web_eval(web_player *p, const char *text);

/* Returns a figure of the run by its name: "frame", "steps", "live", "updateMs", "drawMs", "reloads", "refused",
   "reverted", "timeline", 1 while it is shown, and "tab", 1 while an overlay has a use for that key; -1 for others. */
double sp_web_figure(const web_player *p, const char *name);

/* Checks the game at `path` as --check does, independently of the one that is played. Returns the number of problems;
   -1 when there is no game, or when out of memory. */
int sp_web_check(const char *path);

/* }== */

#endif
