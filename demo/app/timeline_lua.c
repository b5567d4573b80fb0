#include "demo/app/timeline_lua.h"

#include <lauxlib.h>

#include "demo/bind/reachable.h"
#include "demo/support/stats.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

#define WRITES_SHOWN 300

static rewind_of *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

/* {== What is shown ====================================================== */

static int timeline_at(lua_State *L)
{
  const rewind_of *of = state_of(L);
  if (!of->shown)
    return 0;
  lua_pushinteger(L, (lua_Integer)of->at);
  lua_pushinteger(L, (lua_Integer)of->first);
  lua_pushinteger(L, (lua_Integer)of->last_frame);
  lua_pushinteger(L, of->opened);
  return 4;
}

static void push_end(lua_State *L, uint64_t frame)
{
  if (frame > 0)
    lua_pushinteger(L, (lua_Integer)frame);
  else
    lua_pushnil(L);
}

static int timeline_stretch(lua_State *L)
{
  push_end(L, state_of(L)->from);
  push_end(L, state_of(L)->to);
  return 2;
}

static int timeline_pace(lua_State *L)
{
  const rewind_of *of = state_of(L);
  lua_pushboolean(L, of->wants_play);
  lua_pushboolean(L, of->backs);
  lua_pushnumber(L, of->game->step);
  return 3;
}

static int timeline_progress(lua_State *L)
{
  const rewind_of *of = state_of(L);
  double part = rewind_progress(of);
  if (part < 0)
    lua_pushnil(L);
  else
    lua_pushnumber(L, part);
  lua_pushstring(L, of->note);
  return 2;
}

/* Returns the name of the mark at an entry, or NULL. */
static const char *kind_of(const recording_entry *e)
{
  if (e->kind == RECORDING_ERROR)
    return "error";
  if (e->kind == RECORDING_RELOAD)
    return "reload";
  return e->kind == RECORDING_EVENT && e->event.type != SDL_MOUSEMOTION && !e->unheard ? "input" : NULL;
}

static int timeline_marks(lua_State *L)
{
  const rewind_of *of = state_of(L);
  const history *h = &of->log->history;
  lua_Integer count = 0;
  lua_newtable(L);
  for (size_t i = of->shown ? recording_after(h->entries, h->count, of->first) : h->count; i < h->count; i++) {
    const char *kind = kind_of(&h->entries[i]);
    if (!kind)
      continue;
    lua_pushinteger(L, (lua_Integer)h->entries[i].frame);
    sp_raw_seti(L, -2, ++count);
    lua_pushstring(L, kind);
    sp_raw_seti(L, -2, ++count);
  }
  return 1;
}

static int timeline_strip(lua_State *L)
{
  const rewind_of *of = state_of(L);
  graphics *g = &of->overlays->units;
  float x = sp_check_float(L, 1), y = sp_check_float(L, 2), w = sp_check_float(L, 3), h = sp_check_float(L, 4);
  float scale = g->view.scale;
  if (!g->out || !of->shown || w < 1 || h < 1)
    return 0;
  batch_area all = {stills_draw_strip(of->stills, of->window->renderer, of->first, of->last_frame, (int)(w * scale),
                                      (int)(h * scale)),
                    0, 0, 1, 1};
  if (all.texture)
    batch_rect(g->out, &all, x, y, w, h, (SDL_Color){255, 255, 255, 255});
  return 0;
}

/* }== */

/* {== What the user does ================================================= */

static int timeline_choose(lua_State *L)
{
  rewind_choose(state_of(L), sp_check_finite(L, 1, "frame"));
  return 0;
}

static uint64_t check_end(lua_State *L, int arg)
{
  double frame = lua_isnoneornil(L, arg) ? 0 : sp_check_finite(L, arg, "frame");
  return frame > 0 ? (uint64_t)frame : 0;
}

static int timeline_mark(lua_State *L)
{
  uint64_t from = check_end(L, 1), to = check_end(L, 2);
  rewind_mark(state_of(L), from, to);
  return 0;
}

static int timeline_play(lua_State *L)
{
  state_of(L)->wants_play = sp_check_boolean(L, 1);
  return 0;
}

static int timeline_run_back(lua_State *L)
{
  rewind_of *of = state_of(L);
  of->backs = sp_check_boolean(L, 1);
  if (!of->backs && of->goes_on)
    rewind_leave(of, true);
  return 0;
}

static int timeline_leave(lua_State *L)
{
  rewind_leave(state_of(L), sp_check_boolean(L, 1));
  return 0;
}

/* }== */

static int timeline_why(lua_State *L)
{
  const char *field = lua_isnoneornil(L, 1) ? NULL : sp_check_text(L, 1);
  lua_pushboolean(L, rewind_ask_why(state_of(L), field, clock_now()));
  return 1;
}

/* Pushes the list, newest first, or nil while it is searched. */
static int timeline_writes(lua_State *L)
{
  const rewind_of *of = state_of(L);
  size_t count = 0;
  lua_Integer n = 0;
  if (!rewind_knows_why(of))
    return 0;
  const sp_write *writes = sp_watch_writes(of->watch, &count);
  lua_newtable(L);
  for (size_t i = count; i-- > 0 && n < 2 * WRITES_SHOWN;) {
    char line[SP_WRITE_BY_MOST + 2 * SP_WRITE_TEXT_MOST + 40];
    sp_write_line(&writes[i], line, sizeof line);
    lua_pushinteger(L, (lua_Integer)writes[i].frame);
    sp_raw_seti(L, -2, ++n);
    lua_pushstring(L, line);
    sp_raw_seti(L, -2, ++n);
  }
  return 1;
}

static const sp_reach functions[] = {
    {"timeline", "at", timeline_at, ""},
    {"timeline", "stretch", timeline_stretch, ""},
    {"timeline", "pace", timeline_pace, ""},
    {"timeline", "progress", timeline_progress, ""},
    {"timeline", "marks", timeline_marks, ""},
    {"timeline", "choose", timeline_choose, "n"},
    {"timeline", "mark", timeline_mark, "i? i?"},
    {"timeline", "play", timeline_play, "b"},
    {"timeline", "why", timeline_why, "s?"},
    {"timeline", "writes", timeline_writes, ""},
    {"timeline", "run_back", timeline_run_back, "b"},
    {"timeline", "leave", timeline_leave, "b"},
    {"timeline", "strip", timeline_strip, "n n n n"},
    {NULL, NULL, NULL, NULL},
};

bool timeline_lua_install(void *rewind, lua_State *L, char *error, size_t error_size)
{
  return reachable_install("timeline", functions, rewind, L, error, error_size);
}
