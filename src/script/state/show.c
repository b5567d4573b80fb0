#include "script/state/show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/state/border.h"

#define TEXT_MOST 100 /* characters of a string that are shown */

/* As tostring writes numbers, but for the sign that some machines give to NaN. */
static void show_number(lua_State *L, int index, sp_shown *out)
{
  lua_Number number = lua_tonumber(L, index);
  if (lua_isinteger(L, index))
    snprintf(out->text, sizeof out->text, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, index));
  else if (isnan(number))
    strcpy(out->text, "nan");
  else
    lua_number2str(out->text, sizeof out->text, number);
  if (!lua_isinteger(L, index) && out->text[strspn(out->text, "-0123456789")] == '\0')
    strcat(out->text, ".0");
}

/* Where to cut a text so that no character is cut in two. */
static int cut_at(const char *text, size_t length, int most)
{
  if (length <= (size_t)most)
    return (int)length;
  while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
    most--;
  return most;
}

static void show_string(lua_State *L, int index, const char *quote, sp_shown *out)
{
  size_t length;
  const char *text = lua_tolstring(L, index, &length);
  int shown = cut_at(text, length, TEXT_MOST);
  const char *rest = (size_t)shown < length ? "..." : "";
  snprintf(out->text, sizeof out->text, "%s%.*s%s%s", quote, shown, text, rest, quote);
}

const char *sp_copy_text(const char *text, sp_shown *out)
{
  snprintf(out->text, sizeof out->text, "%.*s", cut_at(text, strlen(text), (int)sizeof out->text - 1), text);
  return out->text;
}

const char *sp_label(const sp_context *c, sp_ref object, sp_shown *out)
{
  const sp_lua_manager *m = sp_manager_of(c, object);
  const sp_pool *pool = m ? sp_owner(m->core, object) : NULL;
  if (!pool)
    return strcpy(out->text, "object");
  snprintf(out->text, sizeof out->text, "%.200s#%d", sp_pool_type(pool), (int)sp_object_number(m->core, object));
  return out->text;
}

static void show_object(lua_State *L, int index, sp_shown *out)
{
  const sp_context *c = sp_context_of(L);
  const char *state = c ? sp_object_state(c, sp_to_object(L, index)) : NULL;
  if (state)
    snprintf(out->text + strlen(sp_label(c, sp_to_object(L, index), out)), 20, " (%s)", state);
  else
    snprintf(out->text, sizeof out->text, "light userdata: 0x%" PRIxPTR, (uintptr_t)lua_touserdata(L, index));
}

/* "table: 0x...", on every system, with the name that a metatable gives its tables. */
static void show_address(lua_State *L, int index, sp_shown *out)
{
  const void *address = lua_topointer(L, index);
  sp_copy_text(luaL_typename(L, index), out);
  if (lua_getmetatable(L, index)) {
    if (sp_raw_field(L, -1, "__name") == LUA_TSTRING)
      show_string(L, -1, "", out);
    lua_pop(L, 2);
  }
  size_t used = strlen(out->text);
  snprintf(out->text + used, sizeof out->text - used, ": 0x%" PRIxPTR, (uintptr_t)address);
}

static void show_handle(lua_State *L, int index, sp_shown *out)
{
  const sp_lua_pool *p = sp_to_pool(L, index);
  const sp_lua_manager *m = sp_to_handle(L, index, sizeof *m, SP_MAGIC_MANAGER);
  if (p && p->core)
    snprintf(out->text, sizeof out->text, "pool of %.200s (%d live, %d idle)", sp_pool_type(p->core),
             (int)sp_pool_live(p->core), (int)sp_pool_idle(p->core));
  else if (m && m->core)
    snprintf(out->text, sizeof out->text, "pools (%d types, %d live)", (int)sp_count_pools(m->core),
             (int)sp_total_stats(m->core).live);
  else if (p || m)
    strcpy(out->text, p ? "pool (removed)" : "pools (closed)");
  else
    show_address(L, index, out);
}

const char *sp_show(lua_State *L, int index, sp_shown *out)
{
  switch (lua_type(L, index)) {
  case LUA_TNONE:
    return strcpy(out->text, "no value");
  case LUA_TNIL:
    return strcpy(out->text, "nil");
  case LUA_TBOOLEAN:
    return strcpy(out->text, lua_toboolean(L, index) ? "true" : "false");
  case LUA_TNUMBER:
    show_number(L, index, out);
    break;
  case LUA_TSTRING:
    show_string(L, index, "'", out);
    break;
  case LUA_TLIGHTUSERDATA:
    show_object(L, index, out);
    break;
  case LUA_TUSERDATA:
    show_handle(L, index, out);
    break;
  default:
    show_address(L, index, out);
  }
  return out->text;
}

int sp_lua_show(lua_State *L)
{
  sp_shown shown;
  lua_pushstring(L, sp_show(L, 1, &shown));
  return 1;
}

const char *sp_show_name(lua_State *L, int index, sp_shown *out)
{
  if (lua_type(L, index) != LUA_TSTRING)
    return sp_show(L, index, out);
  show_string(L, index, "", out);
  return out->text;
}

/* {== Distance =========================================================== */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Three rows of the usual table: a swap of neighbours looks two rows back. */
size_t sp_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
  size_t rows[3][SP_EDIT_MOST + 1];
  if (a_length > SP_EDIT_MOST || b_length > SP_EDIT_MOST)
    return a_length > b_length ? a_length : b_length;
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *row = rows[i % 3];
    const size_t *before = rows[(i - 1) % 3], *before2 = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = least(least(row[j - 1], before[j]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before2[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

/* }== */
