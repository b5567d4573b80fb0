#include "demo/app/overlays_lua.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "demo/input/input.h"
#include "demo/support/stats.h"
#include "script/host/inspect.h"
#include "script/state/arguments.h"
#include "script/state/strings.h"

#include "script/state/careful.h"

#define SHOWN_MOST 4096 /* bytes of an error */
#define INDEX_MOST 0x7ffffffe

static overlays *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

static uint32_t check_index(lua_State *L, int arg) { return sp_check_count(L, arg, "number", 0, INDEX_MOST); }

/* {== The window ========================================================= */

static int player_now(lua_State *L)
{
  lua_pushnumber(L, clock_now());
  return 1;
}

static int player_rest(lua_State *L)
{
  state_of(L)->awake = false;
  return 0;
}

static int player_consume(lua_State *L)
{
  state_of(L)->consumed = true;
  return 0;
}

static int player_keys(lua_State *L)
{
  size_t count, i = check_index(L, 1);
  const key_row *all = hotkeys_all(&count);
  if (i < 1 || i > count)
    return 0;
  lua_pushstring(L, all[i - 1].name);
  lua_pushstring(L, all[i - 1].help);
  return 2;
}

static int player_screen(lua_State *L)
{
  const overlays *o = state_of(L);
  lua_pushboolean(L, o->bare);
  lua_pushstring(L, o->paused);
  return 2;
}

void overlays_lua_move(batch *b, size_t first, float shift, float scale)
{
  if (shift == 0 && scale == 1)
    return;
  for (SDL_Vertex *v = b->vertices + first * 4; v < b->vertices + b->quads * 4; v++) {
    v->position.x = (v->position.x + shift) * scale;
    v->position.y *= scale;
  }
}

void overlays_lua_set_area(overlays *o, float left, float width)
{
  overlays_lua_move(&o->batch, o->area_first, o->left, 1);
  o->area_first = o->batch.quads;
  o->left = left;
  o->units.view.width = width;
}

static int player_area(lua_State *L)
{
  float left = sp_check_float(L, 1), width = sp_check_float(L, 2);
  if (state_of(L)->units.out)
    overlays_lua_set_area(state_of(L), left, width);
  return 0;
}

static int player_stop(lua_State *L)
{
  overlays *o = state_of(L);
  char shown[SHOWN_MOST];
  if (!o->game->stopped)
    return 0;
  const char *error = sp_script_error(o->game->script);
  report_shorten(sp_script_folder(o->game->script), error ? error : "no message", shown, sizeof shown);
  lua_pushstring(L, shown);
  lua_pushstring(L, options_meanwhile(o->options));
  lua_pushboolean(L, options_have_timeline(o->options));
  lua_pushstring(L, o->log);
  return 4;
}

static const char *const kinds[] = {
    [NOTICE_INFO] = "info", [NOTICE_SUCCESS] = "success", [NOTICE_WARNING] = "warning", [NOTICE_ERROR] = "error"};

static int player_notice(lua_State *L)
{
  const messages *m = &state_of(L)->messages;
  if (m->notice[0] == '\0')
    return 0;
  lua_pushstring(L, kinds[m->notice_kind]);
  lua_pushstring(L, m->notice);
  lua_pushnumber(L, m->notice_at);
  return 3;
}

static int player_problem(lua_State *L)
{
  const messages *m = &state_of(L)->messages;
  if (m->problem[0] == '\0')
    return 0;
  lua_pushstring(L, kinds[m->problem_kind]);
  lua_pushstring(L, m->problem);
  lua_pushstring(L, m->consequence);
  return 3;
}

/* }== */

/* {== The console ======================================================== */

static int player_line(lua_State *L)
{
  const message_line *line = messages_line(&state_of(L)->messages, (int)check_index(L, 1));
  if (!line)
    return 0;
  lua_pushstring(L, line->text);
  lua_pushstring(L, line->kind);
  lua_pushinteger(L, line->times);
  return 3;
}

static int player_lines(lua_State *L)
{
  const messages *m = &state_of(L)->messages;
  lua_pushinteger(L, m->count);
  lua_pushinteger(L, (lua_Integer)m->added);
  return 2;
}

static int player_add_line(lua_State *L)
{
  const char *kind = sp_check_text(L, 1), *said = sp_check_text(L, 2);
  messages_add(&state_of(L)->messages, kind, said);
  return 0;
}

static int player_clear_lines(lua_State *L)
{
  messages_clear_lines(&state_of(L)->messages);
  return 0;
}

static int player_type(lua_State *L)
{
  overlays *o = state_of(L);
  o->typing = sp_check_boolean(L, 1);
  if (o->typing)
    SDL_StartTextInput();
  else
    SDL_StopTextInput();
  return 0;
}

static int player_eval(lua_State *L)
{
  overlays *o = state_of(L);
  sp_eval result = o->eval(o->ud, sp_check_text(L, 1));
  lua_pushstring(L, result == SP_EVAL_DONE ? "done" : result == SP_EVAL_MORE ? "more" : "failed");
  return 1;
}

/* Words, one a line, as far as they fit. Nothing may be raised while they are listed: the game's Lua runs. */
typedef struct word_list {
  char text[16384];
  size_t used;
} word_list;

static void add_word(void *ud, const char *word)
{
  word_list *list = ud;
  size_t length = strlen(word);
  if (list->used + length + 2 > sizeof list->text)
    return;
  memcpy(list->text + list->used, word, length);
  list->used += length;
  list->text[list->used++] = '\n';
}

static int player_complete(lua_State *L)
{
  word_list list = {.used = 0};
  size_t shared = sp_script_complete(state_of(L)->game->script, sp_check_text(L, 1), add_word, &list);
  lua_pushlstring(L, list.text, list.used);
  lua_pushinteger(L, (lua_Integer)shared);
  return 2;
}

/* SDL's text is kept, because pushing it may run out of memory. */
static int player_clipboard(lua_State *L)
{
  overlays *o = state_of(L);
  SDL_free(o->clipboard);
  o->clipboard = SDL_GetClipboardText();
  lua_pushstring(L, o->clipboard ? o->clipboard : "");
  return 1;
}

static int player_letters(lua_State *L)
{
  size_t length;
  const char *s = sp_check_bytes(L, 1, &length);
  lua_pushinteger(L, (lua_Integer)sp_utf8_letters(s, length));
  return 1;
}

static int player_span(lua_State *L)
{
  const char *s = sp_check_text(L, 1);
  lua_pushinteger(L, (lua_Integer)sp_utf8_span(s, check_index(L, 2)));
  return 1;
}

/* }== */

/* {== The game =========================================================== */

static int player_speed(lua_State *L)
{
  overlays *o = state_of(L);
  lua_pushnumber(L, stats_meter_read(&o->meter, o->stats, clock_now()));
  lua_pushnumber(L, stats_percentile(o->stats, 0.5));
  lua_pushnumber(L, stats_percentile(o->stats, 0.99));
  return 3;
}

static int player_frames(lua_State *L)
{
  const stats *s = state_of(L)->stats;
  sp_check_table(L, 1);
  uint64_t most = sp_check_count(L, 2, "number of frames", 0, STATS_RING);
  most = s->count < most ? s->count : most;
  for (uint64_t i = 0; i < most; i++) {
    lua_pushnumber(L, s->ms[(s->count - most + i) % STATS_RING]);
    sp_raw_seti(L, 1, (lua_Integer)i + 1);
  }
  lua_pushinteger(L, (lua_Integer)most);
  lua_pushinteger(L, (lua_Integer)s->count);
  return 2;
}

static int player_memory(lua_State *L)
{
  lua_State *its = sp_script_state(state_of(L)->game->script);
  lua_pushinteger(L, (lua_Integer)lua_gc(its, LUA_GCCOUNT) * 1024 + lua_gc(its, LUA_GCCOUNTB));
  return 1;
}

static int player_reloads(lua_State *L)
{
  static const char *const results[] = {
      [SP_POLL_RELOADED] = "reloaded", [SP_POLL_REFUSED] = "refused", [SP_POLL_REVERTED] = "reverted"};
  const hot_reload *r = state_of(L)->reload;
  lua_pushinteger(L, (lua_Integer)r->done);
  lua_pushstring(L, results[r->last]);
  lua_pushstring(L, hot_reload_line(r));
  return 3;
}

static int player_restored(lua_State *L)
{
  lua_pushinteger(L, state_of(L)->restored);
  return 1;
}

static int player_pools(lua_State *L)
{
  const sp_manager *pools = game_pools(state_of(L)->game);
  lua_Integer count = 0;
  for (const sp_pool *p = NULL; pools && (p = sp_manager_next_pool(pools, p)) != NULL;)
    count++;
  lua_pushinteger(L, count);
  return 1;
}

static int player_pool(lua_State *L)
{
  const sp_pool *pool = game_pool(state_of(L)->game, check_index(L, 1));
  if (!pool)
    return 0;
  sp_stats s;
  sp_pool_stats(pool, &s);
  uint32_t limit = sp_pool_desc_of(pool)->settings.limit;
  lua_pushstring(L, sp_pool_desc_of(pool)->type);
  lua_pushinteger(L, s.live);
  lua_pushinteger(L, s.idle);
  lua_pushinteger(L, s.total);
  lua_pushinteger(L, s.peak);
  if (limit == SP_UNLIMITED)
    lua_pushnil(L);
  else
    lua_pushinteger(L, limit);
  lua_pushinteger(L, (lua_Integer)(uintptr_t)pool);
  return 7;
}

static int player_events(lua_State *L)
{
  sp_script *script = state_of(L)->game->script;
  const sp_pool *pool = game_pool(state_of(L)->game, check_index(L, 1));
  if (!pool)
    return 0;
  sp_stats s;
  sp_pool_stats(pool, &s);
  lua_pushinteger(L, (lua_Integer)s.allocs);
  lua_pushinteger(L, (lua_Integer)s.recycles);
  lua_pushinteger(L, (lua_Integer)s.refused);
  lua_pushinteger(L, (lua_Integer)s.evicted);
  lua_pushnumber(L, (lua_Number)sp_script_hook_time(script, pool) / 1000);
  lua_pushinteger(L, sp_script_class_version(script, sp_pool_desc_of(pool)->type));
  return 6;
}

static int player_time_hooks(lua_State *L)
{
  overlays *o = state_of(L);
  o->hooks_timed = sp_check_boolean(L, 1);
  sp_script_time_hooks(o->game->script, o->hooks_timed);
  return 0;
}

/* }== */

/* {== Curves ============================================================= */

#define VALUES_MOST STATS_RING

typedef struct curve {
  float x, y, w, h;
  float values[VALUES_MOST]; /* `count` of at most `most`, oldest first */
  int count, most;
  float top; /* the value at the upper edge; higher ones are cut */
} curve;

/* Returns the highest of the values in column `x`; less than 0 where there are none yet. */
static float value_at(const curve *c, int x)
{
  int w = (int)c->w, shift = c->most - c->count;
  int from = x * c->most / w - shift, end = (x + 1) * c->most / w - shift;
  float highest = -1;
  for (int i = from > 0 ? from : 0; i < end || i == from; i++)
    highest = fmaxf(highest, i < c->count && i >= from && from >= 0 ? c->values[i] : -1);
  return highest;
}

static float height_of(const curve *c, float value)
{
  float part = c->top > 0 ? value / c->top : 0;
  return roundf((c->h - 1) * fminf(fmaxf(part, 0), 1)) + 1;
}

static void set_upright(SDL_Vertex *v, const batch_area *a, float x, float y0, float y1, SDL_Color color)
{
  batch_fill(v, a, x + 0.5f, (y0 + y1) * 0.5f, 0.5f, (y1 - y0) * 0.5f, color);
}

static void widen(SDL_Vertex *v)
{
  v[1].position.x += 1;
  v[2].position.x += 1;
}

/* Each column has one bright bar, from the previous value to its own, so that the line has no gaps, and a darker one
   below it. Bars are upright and whole units wide, which all renderers draw alike. Equal columns share them. */
static void draw_curve(graphics *g, const curve *c)
{
  batch_area white = sprites_white(g->sprites);
  int columns = (int)c->w;
  float bottom = c->y + c->h, before = -1, last_high = -1, last_low = -1;
  SDL_Color fill = {g->color.r, g->color.g, g->color.b, (Uint8)(g->color.a / 3)};
  SDL_Vertex *v = columns > 0 ? batch_reserve(g->out, (size_t)columns * 2) : NULL;
  size_t quads = 0;
  for (int i = 0; v && i < columns; i++) {
    float value = value_at(c, i);
    if (value < 0)
      continue;
    float at = bottom - height_of(c, value), joined = before >= 0 ? before : at;
    float high = fminf(at, joined), low = fmaxf(at, joined);
    before = at;
    if (quads > 0 && high == last_high && low == last_low) {
      widen(v + 4 * quads - 8);
      widen(v + 4 * quads - 4);
      continue;
    }
    last_high = high;
    last_low = low;
    set_upright(v + 4 * quads, &white, c->x + (float)i, low + 1, bottom, fill);
    set_upright(v + 4 * quads + 4, &white, c->x + (float)i, high, low + 1, g->color);
    quads += 2;
  }
  batch_commit(g->out, white.texture, quads);
}

static int player_curve(lua_State *L)
{
  overlays *o = state_of(L);
  curve c = {
      .x = sp_check_float(L, 1), .y = sp_check_float(L, 2), .w = sp_check_float(L, 3), .h = sp_check_float(L, 4)};
  sp_check_table(L, 5);
  c.most = (int)sp_check_count(L, 6, "number of values", 1, VALUES_MOST);
  c.top = sp_check_float(L, 7);
  size_t length = sp_raw_length(L, 5);
  c.count = length < (size_t)c.most ? (int)length : c.most;
  for (int i = 0; i < c.count; i++) {
    sp_raw_geti(L, 5, (lua_Integer)length - c.count + i + 1);
    c.values[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  if (o->units.out)
    draw_curve(&o->units, &c);
  return 0;
}

/* }== */

static const sp_reach functions[] = {
    {"player", "now", player_now, ""},
    {"player", "rest", player_rest, ""},
    {"player", "consume", player_consume, ""},
    {"player", "keys", player_keys, "i"},
    {"player", "screen", player_screen, ""},
    {"player", "area", player_area, "n n"},
    {"player", "stop", player_stop, ""},
    {"player", "notice", player_notice, ""},
    {"player", "problem", player_problem, ""},
    {"player", "line", player_line, "i"},
    {"player", "lines", player_lines, ""},
    {"player", "add_line", player_add_line, "s s"},
    {"player", "clear_lines", player_clear_lines, ""},
    {"player", "type", player_type, "b"},
    {"player", "eval", player_eval, "s"},
    {"player", "complete", player_complete, "s"},
    {"player", "clipboard", player_clipboard, ""},
    {"player", "letters", player_letters, "s"},
    {"player", "span", player_span, "s i"},
    {"player", "speed", player_speed, ""},
    {"player", "frames", player_frames, "T i"},
    {"player", "memory", player_memory, ""},
    {"player", "reloads", player_reloads, ""},
    {"player", "restored", player_restored, ""},
    {"player", "pools", player_pools, ""},
    {"player", "pool", player_pool, "i"},
    {"player", "events", player_events, "i"},
    {"player", "time_hooks", player_time_hooks, "b"},
    {"player", "curve", player_curve, "n n n n T i n"},
    {NULL, NULL, NULL, NULL},
};

bool overlays_lua_install(overlays *o, lua_State *L, char *error, size_t error_size)
{
  return reachable_install("player", functions, o, L, error, error_size);
}
