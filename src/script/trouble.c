#include "script/trouble.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/context.h"

#define LINE_SHOWN 160
#define FRAMES_SHOWN 12
#define LEVELS_MOST 1000 /* of a stack that has overflown */

/* Reads line `wanted` of a file into `line`; false when there is none. */
static bool read_line(const char *file, int wanted, char line[LINE_SHOWN])
{
  FILE *f = fopen(file, "r");
  int at = 1, length = 0;
  if (!f)
    return false;
  for (int c; (c = getc(f)) != EOF && at <= wanted;) {
    if (c == '\n')
      at++;
    else if (at == wanted && length < LINE_SHOWN - 1 && (length > 0 || (c != ' ' && c != '\t')))
      line[length++] = (char)c;
  }
  fclose(f);
  while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == ' '))
    length--;
  line[length] = '\0';
  return length > 0;
}

/* The innermost frame of Lua code; its source is a file when it begins with '@'. */
static bool find_culprit(lua_State *L, lua_Debug *ar)
{
  for (int level = 0; level < LEVELS_MOST && lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline > 0 && ar->source[0] == '@')
      return true;
  }
  return false;
}

/* "file:12:" at the head of a message: what a syntax error says, which has no frame of its own. */
static bool parse_position(const char *text, char file[FILENAME_MAX], int *line)
{
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    size_t length = (size_t)(colon - text);
    char *end;
    long number = strtol(colon + 1, &end, 10);
    if (number > 0 && *end == ':' && length > 0 && length < FILENAME_MAX) {
      memcpy(file, text, length);
      file[length] = '\0';
      *line = (int)number;
      return true;
    }
  }
  return false;
}

static void add_source_line(lua_State *L, luaL_Buffer *b, const char *text)
{
  char line[LINE_SHOWN], file[FILENAME_MAX];
  int number = 0;
  lua_Debug ar;
  bool found = parse_position(text, file, &number) && read_line(file, number, line);
  if (!found && find_culprit(L, &ar))
    found = read_line(ar.source + 1, ar.currentline, line);
  if (!found)
    return;
  luaL_addstring(b, "\n    ");
  luaL_addstring(b, line);
}

static void add_frame(lua_State *L, luaL_Buffer *b, lua_Debug *ar)
{
  char at[FILENAME_MAX + 64];
  lua_getinfo(L, "Sln", ar);
  if (ar->source[0] != '@' || ar->currentline <= 0)
    return;
  const char *name = ar->name ? ar->name : *ar->what == 'm' ? "main chunk" : "a function";
  snprintf(at, sizeof at, "\n  at %s:%d in %s", ar->source + 1, ar->currentline, name);
  luaL_addstring(b, at);
}

void sp_push_trouble(lua_State *L, int error)
{
  luaL_Buffer b;
  lua_Debug ar;
  const char *text = luaL_tolstring(L, error, NULL);
  int message = lua_gettop(L);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, text);
  add_source_line(L, &b, lua_tostring(L, message));
  for (int level = 1; level <= FRAMES_SHOWN && lua_getstack(L, level, &ar); level++)
    add_frame(L, &b, &ar);
  luaL_pushresult(&b);
  lua_replace(L, message);
}

int sp_trouble(lua_State *L)
{
  sp_push_trouble(L, 1);
  sp_note_culprits(L, -1);
  return 1;
}
