/*
** string.find, match, gmatch and gsub, equal to Lua's own.
*/
#include "script/guard/pattern_library.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "script/guard/pattern.h"

#define SPECIALS "^$*+?.([%-"

/* {== find and match ===================================================== */

/* Returns the start from 0: `place` counts from 1, or back from the end. */
static size_t begin_at(lua_Integer place, size_t length)
{
  if (place > 0)
    return (size_t)place - 1;
  if (place == 0 || place < -(lua_Integer)length)
    return 0;
  return length - (size_t)-place;
}

static bool is_plain(const char *pattern, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (pattern[i] && strchr(SPECIALS, pattern[i]))
      return false;
  return true;
}

/* Finds the first match from `at` on; its end is returned in `*end`. */
static const char *search(sp_pattern *p, const char *at, const char **end)
{
  for (; at <= p->text_end; at++) {
    *end = sp_pattern_match(p, at);
    if (*end)
      return at;
    if (p->anchored)
      break;
  }
  return NULL;
}

static int look_for(lua_State *L, bool find)
{
  size_t length, pattern_length;
  const char *text = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t from = begin_at(luaL_optinteger(L, 3, 1), length);
  sp_pattern p;
  const char *at = NULL, *end = NULL;
  bool plain = find && (lua_toboolean(L, 4) || is_plain(pattern, pattern_length));
  sp_pattern_begin(&p, L, text, length, pattern, pattern_length, !plain);
  if (from <= length && plain)
    at = sp_pattern_find_plain(&p, text + from, pattern, pattern_length);
  else if (from <= length)
    at = search(&p, text + from, &end);
  if (!at) {
    luaL_pushfail(L);
    return 1;
  }
  if (!find)
    return sp_pattern_push_captures(&p, at, end);
  lua_pushinteger(L, at - text + 1);
  lua_pushinteger(L, (plain ? at + pattern_length : end) - text);
  return sp_pattern_push_captures(&p, NULL, NULL) + 2;
}

static int find(lua_State *L) { return look_for(L, true); }
static int match(lua_State *L) { return look_for(L, false); }

/* }== */

/* {== gmatch ============================================================= */

typedef struct matches {
  sp_pattern pattern;
  const char *at;
  const char *last; /* end of the last match: no empty match may begin there */
} matches;

/* Upvalues: both texts, and the state of the iteration. */
static int next_match(lua_State *L)
{
  matches *m = lua_touserdata(L, lua_upvalueindex(3));
  m->pattern.L = m->pattern.work.L = L;
  for (const char *at = m->at; at <= m->pattern.text_end; at++) {
    const char *end = sp_pattern_match(&m->pattern, at);
    if (end && end != m->last) {
      m->at = m->last = end;
      return sp_pattern_push_captures(&m->pattern, at, end);
    }
  }
  return 0;
}

static int gmatch(lua_State *L)
{
  size_t length, pattern_length;
  const char *text = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t from = begin_at(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  matches *m = lua_newuserdatauv(L, sizeof *m, 0);
  sp_pattern_begin(&m->pattern, L, text, length, pattern, pattern_length, false);
  m->at = text + (from > length ? length + 1 : from);
  m->last = NULL;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

/* }== */

/* {== gsub =============================================================== */

/* Adds a replacement text, in which %0 to %9 are captures. */
static void add_text(sp_pattern *p, luaL_Buffer *b, const char *from, const char *end)
{
  size_t length;
  const char *text = lua_tolstring(p->L, 3, &length), *last = text + length;
  for (const char *mark; (mark = memchr(text, '%', (size_t)(last - text))) != NULL; text = mark + 2) {
    luaL_addlstring(b, text, (size_t)(mark - text));
    char what = mark[1];
    if (what == '%') {
      luaL_addchar(b, what);
    } else if (what == '0') {
      luaL_addlstring(b, from, (size_t)(end - from));
    } else if (isdigit((unsigned char)what)) {
      sp_pattern_push_capture(p, what - '1', from, end);
      luaL_addvalue(b);
    } else {
      luaL_error(p->L, "invalid use of '%%' in replacement string");
    }
  }
  luaL_addlstring(b, text, (size_t)(last - text));
}

/* Adds the result of the replacement function or table; false or nil keeps the match. Returns whether it changed. */
static bool add_answer(sp_pattern *p, luaL_Buffer *b, const char *from, const char *end)
{
  lua_State *L = p->L;
  if (lua_type(L, 3) == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, sp_pattern_push_captures(p, from, end), 1);
  } else {
    sp_pattern_push_capture(p, 0, from, end);
    lua_gettable(L, 3);
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(b, from, (size_t)(end - from));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(b);
  return true;
}

static bool add_replacement(sp_pattern *p, luaL_Buffer *b, const char *from, const char *end)
{
  int type = lua_type(p->L, 3);
  if (type == LUA_TFUNCTION || type == LUA_TTABLE)
    return add_answer(p, b, from, end);
  add_text(p, b, from, end);
  return true;
}

static void check_replacement(lua_State *L)
{
  int type = lua_type(L, 3);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE)
    luaL_typeerror(L, 3, "string/function/table");
}

static int gsub(lua_State *L)
{
  size_t length, pattern_length;
  const char *at = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  const char *last = NULL;
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  bool changed = false;
  sp_pattern p;
  luaL_Buffer b;
  check_replacement(L);
  luaL_buffinit(L, &b);
  sp_pattern_begin(&p, L, at, length, pattern, pattern_length, true);
  while (count < most) {
    const char *end = sp_pattern_match(&p, at);
    if (end && end != last) {
      count++;
      changed |= add_replacement(&p, &b, at, end);
      at = last = end;
    } else if (at < p.text_end) {
      luaL_addchar(&b, *at++);
    } else {
      break;
    }
    if (p.anchored)
      break;
  }
  if (changed) {
    luaL_addlstring(&b, at, (size_t)(p.text_end - at));
    luaL_pushresult(&b);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

/* }== */

void sp_pattern_open(lua_State *L)
{
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
