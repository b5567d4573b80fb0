#include "script/host/value_words.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "script/bind/object.h"

#define ITEMS_MOST 1000 /* at most counted in a table */

static void write_number(lua_State *L, int index, bool is_float, char *out)
{
  double number = lua_tonumber(L, index);
  if (lua_isinteger(L, index))
    snprintf(out, SP_VALUE_WORDS_MOST, LUA_INTEGER_FMT, lua_tointeger(L, index));
  else if (is_float)
    snprintf(out, SP_VALUE_WORDS_MOST, "%.6g", number);
  else
    snprintf(out, SP_VALUE_WORDS_MOST, "%.8g", number);
}

/* False when the string was cut or altered. */
static bool write_string(lua_State *L, int index, char *out)
{
  size_t length;
  const char *s = lua_tolstring(L, index, &length);
  bool cut = length > SP_VALUE_WORDS_MOST - 1;
  if (cut) {
    length = SP_VALUE_WORDS_MOST - 4;
    while (length > 0 && ((unsigned char)s[length] & 0xc0) == 0x80)
      length--; /* never split a character */
  }
  snprintf(out, SP_VALUE_WORDS_MOST, "%.*s%s", (int)length, s, cut ? "..." : "");
  bool whole = !cut && strlen(out) == length;
  for (char *c = out; *c; c++)
    if ((unsigned char)*c < ' ') {
      *c = ' ';
      whole = false;
    }
  return whole;
}

static void write_table(lua_State *L, int index, char *out)
{
  int count = 0;
  index = lua_absindex(L, index);
  for (lua_pushnil(L); count < ITEMS_MOST && lua_next(L, index); lua_pop(L, 1))
    count++;
  if (count == ITEMS_MOST)
    lua_pop(L, 1);
  snprintf(out, SP_VALUE_WORDS_MOST,
           count == ITEMS_MOST ? "{%d items or more}"
           : count == 1        ? "{%d item}"
                               : "{%d items}",
           count);
}

static void write_object(const sp_context *c, sp_ref object, char *out)
{
  const spl_manager *m = sp_manager_of(c, object);
  const sp_pool *pool = m ? sp_object_pool(m->core, object) : NULL;
  if (pool)
    snprintf(out, SP_VALUE_WORDS_MOST, "%.40s#%u%s", sp_pool_desc_of(pool)->type,
             (unsigned)sp_object_number(m->core, object), sp_object_is_live(m->core, object) ? "" : " (stale)");
  else
    snprintf(out, SP_VALUE_WORDS_MOST, "(an object that is gone)");
}

bool sp_value_words(lua_State *L, const sp_context *c, bool is_float, char *out)
{
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    write_number(L, -1, is_float, out);
    return true;
  case LUA_TSTRING:
    return write_string(L, -1, out);
  case LUA_TTABLE:
    write_table(L, -1, out);
    break;
  case LUA_TLIGHTUSERDATA:
    write_object(c, sp_to_object(L, -1), out);
    break;
  case LUA_TBOOLEAN:
    snprintf(out, SP_VALUE_WORDS_MOST, "%s", lua_toboolean(L, -1) ? "true" : "false");
    return true;
  case LUA_TNIL:
    snprintf(out, SP_VALUE_WORDS_MOST, "nil");
    break;
  default:
    snprintf(out, SP_VALUE_WORDS_MOST, "(a %s)", luaL_typename(L, -1));
    break;
  }
  return false;
}
