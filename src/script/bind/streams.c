#include "script/bind/streams.h"

#include <lualib.h>
#include <string.h>

#include "script/bind/members.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

#define LINE_MOST 1000 /* bytes: a longer line is reported in parts */

typedef struct stream {
  sp_report kind;
  size_t used;
  char line[LINE_MOST + 1]; /* what was written since the last end of a line */
} stream;

static const char TYPE[] = "spawnpool.stream";

static stream *check_stream(lua_State *L) { return sp_check_block(L, 1, TYPE, "stream"); }

static void end_line(lua_State *L, stream *s)
{
  s->line[s->used] = '\0';
  s->used = 0;
  sp_report_text(L, sp_context_here(L), s->kind, s->line);
}

/* May raise behind each line: the time of the call may be over. */
static void write_text(sp_timed_work *work, stream *s, const char *text, size_t size)
{
  while (size > 0) {
    const char *end = memchr(text, '\n', size);
    size_t length = end ? (size_t)(end - text) : size, room = LINE_MOST - s->used;
    size_t part = length < room ? length : room;
    memcpy(s->line + s->used, text, part);
    s->used += part;
    bool is_whole = end && part == length;
    text += part + is_whole;
    size -= part + is_whole;
    if (is_whole || s->used == LINE_MOST) {
      end_line(work->L, s);
      sp_work_called(work);
    }
  }
}

/* stream:write(...) -> the stream. Each line is one report; the last one, without an end, waits for it or for flush. */
int spl_stream_write(lua_State *L)
{
  stream *s = check_stream(L);
  int count = lua_gettop(L);
  for (int i = 2; i <= count; i++)
    if (lua_type(L, i) != LUA_TNUMBER)
      sp_check_text(L, i);
  sp_timed_work work = sp_work_begin(L, sp_context_here(L)->watchdog);
  for (int i = 2; i <= count; i++) {
    size_t size;
    sp_shown number;
    const char *text = lua_type(L, i) == LUA_TNUMBER ? sp_show(L, i, &number) : sp_check_bytes(L, i, &size);
    write_text(&work, s, text, text == number.text ? strlen(text) : size);
  }
  lua_settop(L, 1);
  return 1;
}

int spl_stream_flush(lua_State *L)
{
  stream *s = check_stream(L);
  if (s->used > 0)
    end_line(L, s);
  lua_settop(L, 1);
  return 1;
}

/* stream:setvbuf(mode, size?) -> true. A report is a line in every mode. */
int spl_stream_setvbuf(lua_State *L)
{
  static const char *const modes[] = {"no", "full", "line", NULL};
  check_stream(L);
  sp_check_word(L, 2, 0, modes);
  lua_pushboolean(L, 1);
  return 1;
}

static void add_stream(lua_State *L, sp_context *c, const char *name, sp_report kind)
{
  stream *s = lua_newuserdatauv(L, sizeof *s, 0);
  s->kind = kind;
  s->used = 0;
  if (luaL_newmetatable(L, TYPE)) {
    lua_newtable(L);
    sp_add_functions(L, c, "stream", false);
    lua_setfield(L, -2, "__index");
    sp_name_metatable(L, TYPE);
  }
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, name);
}

void sp_streams_open(lua_State *L, sp_context *c)
{
  lua_createtable(L, 0, 2);
  add_stream(L, c, "stdout", SP_REPORT_PRINT);
  add_stream(L, c, "stderr", SP_REPORT_WARNING);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, LUA_IOLIBNAME);
  lua_pop(L, 1);
  lua_setglobal(L, LUA_IOLIBNAME);
}
