/*
** An invalid setting is a warning when the game is played, because it can be played without it, and a problem when it
** is checked.
*/
#include "demo/app/game_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/app/options.h"

#define PATH_MOST 4096

typedef struct reading {
  sp_script *script;
  void (*tell)(void *ud, const char *problem);
  void *ud;
  bool failed; /* the table of main.lua raised an error: it is not read further */
} reading;

/* Reads an entry: see sp_script_setting. */
static const char *read_entry(reading *r, const char *name, double *number, char *text, size_t size)
{
  const char *type = r->failed ? "nil" : sp_script_setting(r->script, name, number, text, size);
  r->failed = r->failed || strcmp(type, "error") == 0;
  return r->failed ? "nil" : type;
}

static void tell_problem(const reading *r, const char *name, const char *problem)
{
  char place[PATH_MOST], line[PATH_MOST + 512];
  sp_script_place(r->script, name, place, sizeof place);
  snprintf(line, sizeof line, "%s: %s %.400s", place, name, problem);
  r->tell(r->ud, line);
}

static void tell_wrong(const reading *r, const char *name, const char *wanted, const char *got)
{
  char problem[400];
  snprintf(problem, sizeof problem, "must be %s, got %.200s", wanted, got);
  tell_problem(r, name, problem);
}

static void read_title(reading *r, char title[GAME_TITLE_MOST])
{
  const char *type = read_entry(r, "title", NULL, title, GAME_TITLE_MOST);
  if (strcmp(type, "string") != 0 && strcmp(type, "nil") != 0)
    tell_wrong(r, "title", "a string", type);
}

static int read_side(reading *r, const char *name)
{
  char wanted[64], got[64];
  double side = 0;
  const char *type = read_entry(r, name, &side, NULL, 0);
  bool is_number = strcmp(type, "number") == 0;
  if (strcmp(type, "nil") == 0)
    return 0;
  if (is_number && side >= 1 && side <= OPTIONS_SIZE_MOST && side == floor(side))
    return (int)side;
  snprintf(wanted, sizeof wanted, "a whole number from 1 to %d", OPTIONS_SIZE_MOST);
  snprintf(got, sizeof got, "%.14g", side);
  tell_wrong(r, name, wanted, is_number ? got : type);
  return 0;
}

/* Reads `scale`. By default a game that sets its size is scaled to fit the window. */
static view_scale read_scale(reading *r)
{
  static const char *const names[] = {
      [VIEW_NONE] = "none", [VIEW_FIT] = "fit", [VIEW_INTEGER] = "integer", [VIEW_STRETCH] = "stretch"};
  char name[64] = "", got[80];
  const char *type = read_entry(r, "scale", NULL, name, sizeof name);
  if (strcmp(type, "nil") == 0)
    return VIEW_FIT;
  for (int i = 0; i < (int)(sizeof names / sizeof *names) && strcmp(type, "string") == 0; i++)
    if (strcmp(name, names[i]) == 0)
      return (view_scale)i;
  size_t line = strcspn(name, "\r\n"); /* what is told is one line */
  snprintf(got, sizeof got, "'%.*s%s'", (int)line, name, name[line] ? "..." : "");
  tell_wrong(r, "scale", "\"fit\", \"integer\", \"stretch\" or \"none\"", strcmp(type, "string") == 0 ? got : type);
  return VIEW_FIT;
}

/* One alone is ignored, which is easily overlooked. */
static void check_pair(reading *r)
{
  bool has_width = strcmp(read_entry(r, "width", NULL, NULL, 0), "nil") != 0;
  bool has_height = strcmp(read_entry(r, "height", NULL, NULL, 0), "nil") != 0;
  if (has_width && !has_height)
    tell_problem(r, "width", "counts only together with height");
  if (has_height && !has_width)
    tell_problem(r, "height", "counts only together with width");
}

/* `pause_unfocused` is read whenever the focus changes: it is only checked here. */
static void check_flag(reading *r, const char *name)
{
  const char *type = read_entry(r, name, NULL, NULL, 0);
  if (strcmp(type, "boolean") != 0 && strcmp(type, "nil") != 0)
    tell_wrong(r, name, "true or false", type);
}

game_settings game_settings_read(sp_script *script, void (*tell)(void *ud, const char *problem), void *ud)
{
  reading r = {script, tell, ud, false};
  game_settings s = {.width = read_side(&r, "width"), .height = read_side(&r, "height")};
  read_title(&r, s.title);
  s.scale = read_scale(&r);
  check_pair(&r);
  check_flag(&r, "pause_unfocused");
  return s;
}
