/*
** Each value is a tag and its content: 8 bytes of an integer or a float, the length and the bytes of a string, the
** pairs of a table up to an end tag. Numbers are little-endian. The head has a version and a checksum of the rest.
**
** Saves of pools have another format (lua/spawnpool/encoding.lua), because their values form a graph: two fields may
** hold the same table, so tables are numbered, and values may be objects. Stored data is a tree of limited size without
** objects. It is written and read by C alone, so a game that has replaced functions of Lua cannot affect it.
*/
#include "demo/bind/plain_data.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/checksum.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

static const char head[] = "spawnpool storage 1\n";
enum { HEAD = sizeof head - 1, SUM = 8, PATH_MOST = 256 };
enum { NIL = 'n', FALSE = 'f', TRUE = 't', INTEGER = 'i', FLOAT = 'd', STRING = 's', TABLE = '{', END = '}' };

static void put_64(char *to, uint64_t number)
{
  for (int i = 0; i < 8; i++)
    to[i] = (char)(number >> 8 * i & 255);
}

static uint64_t get_64(const char *from)
{
  uint64_t number = 0;
  for (int i = 0; i < 8; i++)
    number |= (uint64_t)(unsigned char)from[i] << 8 * i;
  return number;
}

/* {== Writing ============================================================ */

typedef struct writer {
  lua_State *L;
  plain_bytes *out;
  size_t most;
  char *why;
  char path[PATH_MOST];                  /* of the value that is written: "scores.list[3]" */
  size_t path_length, name_length;       /* of the path, and of its first part */
  char refused[PATH_MOST];               /* the first path, in order of letters, that cannot be written; "": none */
  bool is_over;                          /* nothing more can be written at all */
  const void *above[PLAIN_DATA_DEEPEST]; /* the tables that it is in */
  int depth;
  size_t visited; /* entries of tables, also those that cannot be written */
} writer;

/* Keeps the error with the least path. The order of the keys of a table differs from run to run, but a replayed game
   must get the same message. */
static bool fail(writer *w, const char *format, ...)
{
  if (w->refused[0] && strcmp(w->refused, w->path) <= 0)
    return false;
  memcpy(w->refused, w->path, sizeof w->refused);
  char what[PLAIN_DATA_WHY - PATH_MOST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(w->why, PLAIN_DATA_WHY, "%s %s", w->path, what);
  return false;
}

/* Fails for the value as a whole; the message about a part of it, if there is one, stays. */
static bool fail_whole(writer *w, const char *what)
{
  w->is_over = true;
  if (!w->refused[0])
    snprintf(w->why, PLAIN_DATA_WHY, "%.*s %s", (int)w->name_length, w->path, what);
  return false;
}

static bool fail_large(writer *w)
{
  char what[80];
  snprintf(what, sizeof what, "is too large: a game may store %zu bytes in all", w->most);
  return fail_whole(w, what);
}

static bool put(writer *w, const void *bytes, size_t size)
{
  plain_bytes *out = w->out;
  if (size > w->most - out->size)
    return fail_large(w);
  if (out->size + size > out->room) {
    size_t room = (out->size + size) * 2;
    char *more = realloc(out->at, room);
    if (!more)
      return fail_whole(w, "cannot be written: out of memory");
    out->at = more;
    out->room = room;
  }
  memcpy(out->at + out->size, bytes, size);
  out->size += size;
  return true;
}

static bool put_tag(writer *w, char tag) { return put(w, &tag, 1); }

static bool put_number(writer *w, char tag, uint64_t number)
{
  char bytes[9] = {tag};
  put_64(bytes + 1, number);
  return put(w, bytes, sizeof bytes);
}

/* Appends the key at `index` to the path; a long path is cut. */
static void enter(writer *w, int index)
{
  char *end = w->path + w->path_length;
  size_t room = PATH_MOST - w->path_length;
  int type = lua_type(w->L, index), length = 0;
  const char *text = type == LUA_TSTRING ? lua_tostring(w->L, index) : "";
  bool is_name =
      *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
  if (is_name)
    length = snprintf(end, room, ".%.60s", text);
  else if (type == LUA_TSTRING)
    length = snprintf(end, room, "[\"%.60s\"]", text);
  else if (lua_isinteger(w->L, index))
    length = snprintf(end, room, "[%lld]", (long long)lua_tointeger(w->L, index));
  else
    length = snprintf(end, room, "[%s]", type == LUA_TNUMBER ? "number" : lua_typename(w->L, type));
  w->path_length += (size_t)length < room ? (size_t)length : room - 1;
}

static void leave(writer *w, size_t length)
{
  w->path_length = length;
  w->path[length] = '\0';
}

static bool put_value(writer *w, int index);

static bool put_pairs(writer *w, int table)
{
  bool fine = true;
  for (lua_pushnil(w->L); !w->is_over && sp_raw_next(w->L, table); lua_pop(w->L, 1)) {
    size_t length = w->path_length;
    int key = lua_gettop(w->L) - 1;
    if (++w->visited > w->most) /* each takes a byte at least */
      return fail_large(w);
    if (lua_type(w->L, key) == LUA_TTABLE) {
      fine = fail(w, "has a table as a key");
      continue;
    }
    enter(w, key);
    if (!put_value(w, key) || !put_value(w, key + 1))
      fine = false;
    leave(w, length);
  }
  return fine;
}

static bool put_table(writer *w, int index)
{
  const void *table = lua_topointer(w->L, index);
  for (int i = 0; i < w->depth; i++)
    if (w->above[i] == table)
      return fail(w, "is a table that it is in: a cycle");
  if (w->depth == PLAIN_DATA_DEEPEST || !lua_checkstack(w->L, 8))
    return fail(w, "is more than %d tables deep", PLAIN_DATA_DEEPEST);
  w->above[w->depth++] = table;
  bool fine = put_tag(w, TABLE) && put_pairs(w, index) && put_tag(w, END);
  w->depth--;
  return fine;
}

static bool put_string(writer *w, int index)
{
  size_t size;
  const char *text = lua_tolstring(w->L, index, &size);
  return put_number(w, STRING, size) && put(w, text, size);
}

static bool put_float(writer *w, double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return put_number(w, FLOAT, bits);
}

static bool put_value(writer *w, int index)
{
  switch (lua_type(w->L, index)) {
  case LUA_TNIL:
    return put_tag(w, NIL);
  case LUA_TBOOLEAN:
    return put_tag(w, lua_toboolean(w->L, index) ? TRUE : FALSE);
  case LUA_TNUMBER:
    return lua_isinteger(w->L, index) ? put_number(w, INTEGER, (uint64_t)lua_tointeger(w->L, index))
                                      : put_float(w, lua_tonumber(w->L, index));
  case LUA_TSTRING:
    return put_string(w, index);
  case LUA_TTABLE:
    return put_table(w, index);
  case LUA_TLIGHTUSERDATA:
    return fail(w, "is an object; store its fields");
  default:
    return fail(w, "is a %s", luaL_typename(w->L, index));
  }
}

bool plain_data_write(lua_State *L, int index, const char *name, size_t most, plain_bytes *out,
                      char why[PLAIN_DATA_WHY])
{
  writer w = {.L = L, .out = out, .most = most, .why = why};
  char room[SUM] = {0};
  int top = lua_gettop(L);
  *out = (plain_bytes){NULL, 0, 0};
  w.path_length = w.name_length = (size_t)snprintf(w.path, sizeof w.path, "%.60s", name);
  bool fine = put(&w, head, HEAD) && put(&w, room, SUM) && put_value(&w, lua_absindex(L, index));
  lua_settop(L, top);
  if (fine)
    put_64(out->at + HEAD, checksum_add(CHECKSUM_BEGIN, out->at + HEAD + SUM, out->size - HEAD - SUM));
  else
    plain_data_free(out);
  return fine;
}

void plain_data_free(plain_bytes *bytes)
{
  free(bytes->at);
  *bytes = (plain_bytes){NULL, 0, 0};
}

/* }== */

/* {== Reading ============================================================ */

typedef struct reader {
  lua_State *L;
  const char *at, *end;
  int depth;
} reader;

static bool take_number(reader *r, uint64_t *number)
{
  if (r->end - r->at < 8)
    return false;
  *number = get_64(r->at);
  r->at += 8;
  return true;
}

static bool push_string(reader *r)
{
  uint64_t size;
  if (!take_number(r, &size) || size > (uint64_t)(r->end - r->at))
    return false;
  lua_pushlstring(r->L, r->at, (size_t)size);
  r->at += size;
  return true;
}

static bool push_number(reader *r, bool integer)
{
  uint64_t bits;
  double number;
  if (!take_number(r, &bits))
    return false;
  memcpy(&number, &bits, sizeof number);
  if (integer)
    lua_pushinteger(r->L, (lua_Integer)bits);
  else
    lua_pushnumber(r->L, number);
  return true;
}

static bool push_value(reader *r);

/* Returns whether the value can be a key. sp_raw_set raises an error for nil and NaN, which only damaged bytes have. */
static bool is_key(lua_State *L, int index)
{
  return !lua_isnil(L, index) &&
         (lua_type(L, index) != LUA_TNUMBER || lua_tonumber(L, index) == lua_tonumber(L, index));
}

static bool push_table(reader *r)
{
  if (r->depth == PLAIN_DATA_DEEPEST)
    return false;
  luaL_checkstack(r->L, 8, NULL);
  r->depth++;
  lua_newtable(r->L);
  while (r->at < r->end && *r->at != END) {
    if (!push_value(r) || !is_key(r->L, -1) || !push_value(r))
      return false;
    sp_raw_set(r->L, -3);
  }
  r->depth--;
  return r->at++ < r->end;
}

static bool push_value(reader *r)
{
  if (r->at == r->end)
    return false;
  switch (*r->at++) {
  case NIL:
    lua_pushnil(r->L);
    return true;
  case FALSE:
  case TRUE:
    lua_pushboolean(r->L, r->at[-1] == TRUE);
    return true;
  case INTEGER:
    return push_number(r, true);
  case FLOAT:
    return push_number(r, false);
  case STRING:
    return push_string(r);
  case TABLE:
    return push_table(r);
  default:
    return false;
  }
}

bool plain_data_read(lua_State *L, const char *bytes, size_t size)
{
  const char *content = bytes + HEAD + SUM;
  int top = lua_gettop(L);
  if (size < HEAD + SUM || memcmp(bytes, head, HEAD) != 0 ||
      get_64(bytes + HEAD) != checksum_add(CHECKSUM_BEGIN, content, size - HEAD - SUM))
    return false;
  reader r = {L, content, bytes + size, 0};
  if (push_value(&r) && r.at == r.end)
    return true;
  lua_settop(L, top);
  return false;
}

/* }== */
