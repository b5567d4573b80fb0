/*
** The player in a page: what JavaScript calls. player.mjs wraps these functions; a page uses that.
**
** A run begins with sp_web_open and sp_web_start, has a call of sp_web_frame for each picture of the browser, and ends
** with sp_web_close. Games are files in the memory of the page; what was written there is loaded by sp_web_reload,
** without a look at their times. What the game prints, warnings, errors and reloads go to `onReport(kind, text)` of the
** module, kinds as in sp_report, and the results of a check to `onProblem(text)`.
**
** Texts that are returned are valid until the next call.
*/
#ifndef SP_DEMO_WEB_PLAYER_H
#define SP_DEMO_WEB_PLAYER_H

#include <stdbool.h>

typedef struct web_player web_player;

/* {== The run ============================================================ */

/* Opens the game that a command line names, an argument per line, and runs nothing yet; a call into it is stopped after
   `patience` seconds, as in sp_script_options. NULL when that is not possible: the problem was reported, or printed.
   SDL draws on the element "#canvas", whose keys count while it has the focus. */
web_player *sp_web_open(const char *arguments, double patience);

/* Runs main.lua and load(args). */
void sp_web_start(web_player *p);

/* Runs the next frame, if it is due. False when the run has ended. */
bool sp_web_frame(web_player *p);

/* Ends the run, whatever it does. Returns the exit code of the program. */
int sp_web_close(web_player *p);

/* }== */

/* {== What a page may do ================================================= */

/* Edited files are loaded at the beginning of the next frame, settled or not; until then sp_web_is_reloading. */
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

/* Runs a text of Lua as the console does, and reports its values. Returns an sp_eval. */
int sp_web_eval(web_player *p, const char *text);

/* Returns a figure of the run by its name: "frame", "steps", "live", "updateMs", "drawMs", "reloads", "refused",
   "reverted"; -1 for others. */
double sp_web_figure(const web_player *p, const char *name);

/* Checks the game at `path` as --check does, beside the one that is played. Returns how many problems there are; -1
   when there is no game, or no memory. */
int sp_web_check(const char *path);

/* }== */

#endif
