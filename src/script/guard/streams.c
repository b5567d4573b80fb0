#include "script/guard/streams.h"

#include <lauxlib.h>
#include <string.h>

#include "script/state/context.h"
#include "script/state/report.h"

#define LINE_MOST 1000 /* bytes: a longer line is reported in parts */

typedef struct stream {
  sp_report kind;
  size_t used;
  char line[LINE_MOST + 1]; /* what was written since the last end of a line */
} stream;

static const char TYPE[] = "spawnpool.stream";

/* Reports what was written. */
static void end_line(lua_State *L, stream *s)
{
  const sp_context *c = sp_context_of(L);
  s->line[s->used] = '\0';
  s->used = 0;
  if (c && c->report)
    c->report(c->report_ud, s->kind, s->line);
}

static void write_text(lua_State *L, stream *s, const char *text, size_t size)
{
  while (size > 0) {
    const char *end = memchr(text, '\n', size);
    size_t length = end ? (size_t)(end - text) : size, room = LINE_MOST - s->used;
    size_t part = length < room ? length : room;
    memcpy(s->line + s->used, text, part);
    s->used += part;
    bool is_whole = end && part == length;
    if (is_whole || s->used == LINE_MOST)
      end_line(L, s);
    text += part + is_whole;
    size -= part + is_whole;
  }
}

/* stream:write(...) -> the stream. Each line is one report; what has no end yet waits for it, or for flush. */
static int stream_write(lua_State *L)
{
  stream *s = luaL_checkudata(L, 1, TYPE);
  int count = lua_gettop(L);
  for (int i = 2; i <= count; i++) {
    size_t size;
    const char *text = luaL_checklstring(L, i, &size);
    write_text(L, s, text, size);
  }
  lua_settop(L, 1);
  return 1;
}

static int stream_flush(lua_State *L)
{
  stream *s = luaL_checkudata(L, 1, TYPE);
  if (s->used > 0)
    end_line(L, s);
  lua_settop(L, 1);
  return 1;
}

/* stream:setvbuf(mode [, size]) -> true: a report is a line, whatever is said here. */
static int stream_setvbuf(lua_State *L)
{
  luaL_checkudata(L, 1, TYPE);
  lua_pushboolean(L, 1);
  return 1;
}

static void add_stream(lua_State *L, const char *name, sp_report kind)
{
  static const luaL_Reg methods[] = {
      {"write", stream_write}, {"flush", stream_flush}, {"setvbuf", stream_setvbuf}, {NULL, NULL}};
  stream *s = lua_newuserdatauv(L, sizeof *s, 0);
  s->kind = kind;
  s->used = 0;
  if (luaL_newmetatable(L, TYPE)) {
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, TYPE);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, name);
}

void sp_streams_open(lua_State *L)
{
  lua_createtable(L, 0, 2);
  add_stream(L, "stdout", SP_REPORT_PRINT);
  add_stream(L, "stderr", SP_REPORT_WARNING);
}
