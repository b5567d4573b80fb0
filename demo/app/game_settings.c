/*
** An invalid setting is reported as a warning, because the game can be played without it.
*/
#include "demo/app/game_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/app/options.h"

static void warn(report *r, const char *name, const char *wanted, const char *got)
{
  char line[512];
  snprintf(line, sizeof line, "main.lua: %s must be %s, got %.200s", name, wanted, got);
  report_say(r, SP_REPORT_WARNING, line);
}

static void read_title(const sp_script *script, report *r, char title[GAME_TITLE_MOST])
{
  const char *type = sp_script_setting(script, "title", NULL, title, GAME_TITLE_MOST);
  if (strcmp(type, "string") != 0 && strcmp(type, "nil") != 0)
    warn(r, "title", "a string", type);
}

static int read_side(const sp_script *script, report *r, const char *name)
{
  char wanted[64], got[64];
  double side = 0;
  const char *type = sp_script_setting(script, name, &side, NULL, 0);
  bool is_number = strcmp(type, "number") == 0;
  if (strcmp(type, "nil") == 0)
    return 0;
  if (is_number && side >= 1 && side <= OPTIONS_SIZE_MOST && side == floor(side))
    return (int)side;
  snprintf(wanted, sizeof wanted, "a whole number from 1 to %d", OPTIONS_SIZE_MOST);
  snprintf(got, sizeof got, "%.14g", side);
  warn(r, name, wanted, is_number ? got : type);
  return 0;
}

/* Reads `scale`. By default a game that sets its size is scaled to fit the window. */
static view_scale read_scale(const sp_script *script, report *r)
{
  static const char *const names[] = {
      [VIEW_NONE] = "none", [VIEW_FIT] = "fit", [VIEW_INTEGER] = "integer", [VIEW_STRETCH] = "stretch"};
  char name[64] = "", got[80];
  const char *type = sp_script_setting(script, "scale", NULL, name, sizeof name);
  if (strcmp(type, "nil") == 0)
    return VIEW_FIT;
  for (int i = 0; i < (int)(sizeof names / sizeof *names) && strcmp(type, "string") == 0; i++)
    if (strcmp(name, names[i]) == 0)
      return (view_scale)i;
  snprintf(got, sizeof got, "'%s'", name);
  warn(r, "scale", "\"fit\", \"integer\", \"stretch\" or \"none\"", strcmp(type, "string") == 0 ? got : type);
  return VIEW_FIT;
}

/* One alone is ignored, which is easily overlooked. */
static void check_pair(const sp_script *script, report *r)
{
  bool has_width = strcmp(sp_script_setting(script, "width", NULL, NULL, 0), "nil") != 0;
  bool has_height = strcmp(sp_script_setting(script, "height", NULL, NULL, 0), "nil") != 0;
  char line[128];
  if (has_width == has_height)
    return;
  snprintf(line, sizeof line, "main.lua: %s counts only together with %s", has_width ? "width" : "height",
           has_width ? "height" : "width");
  report_say(r, SP_REPORT_WARNING, line);
}

/* `pause_unfocused` is read whenever the focus changes: it is only checked here. */
static void check_flag(const sp_script *script, report *r, const char *name)
{
  const char *type = sp_script_setting(script, name, NULL, NULL, 0);
  if (strcmp(type, "boolean") != 0 && strcmp(type, "nil") != 0)
    warn(r, name, "true or false", type);
}

game_settings game_settings_read(const sp_script *script, report *r)
{
  game_settings s = {.width = read_side(script, r, "width"), .height = read_side(script, r, "height")};
  read_title(script, r, s.title);
  s.scale = read_scale(script, r);
  check_pair(script, r);
  check_flag(script, r, "pause_unfocused");
  return s;
}
