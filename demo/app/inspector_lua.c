#include "demo/app/inspector_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/spawnpool_tools.h"
#include "demo/bind/reachable.h"
#include "demo/support/report.h"
#include "script/host/inspect.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

#define INDEX_MOST 0x7ffffffe
#define CLICK_LEAST 6.0f /* points: least radius of the clickable area, for small objects */
#define CHILDREN 3

static overlays *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

static sp_manager *pools_of(lua_State *L) { return game_pools(state_of(L)->game); }

static uint32_t check_number(lua_State *L, int arg) { return sp_check_count(L, arg, "number", 0, INDEX_MOST); }

/* Returns the pool whose number is the first argument; NULL: there is none. */
static const sp_pool *check_pool(lua_State *L) { return game_pool(state_of(L)->game, check_number(L, 1)); }

static sp_ref check_object(lua_State *L, int arg)
{
  if (!lua_isinteger(L, arg))
    luaL_typeerror(L, arg, "reference");
  return (sp_ref)lua_tointeger(L, arg);
}

static void push_object(lua_State *L, sp_ref object)
{
  if (object)
    lua_pushinteger(L, (lua_Integer)object);
  else
    lua_pushnil(L);
}

static int inspect_show(lua_State *L)
{
  state_of(L)->inspects = sp_check_boolean(L, 1);
  return 0;
}

/* The console stops text input when it closes. */
static int inspect_type(lua_State *L)
{
  (void)L;
  SDL_StartTextInput();
  return 0;
}

static int inspect_find(lua_State *L)
{
  const char *type = sp_check_text(L, 1);
  const sp_manager *pools = pools_of(L);
  const sp_pool *pool = pools ? sp_manager_pool(pools, type) : NULL;
  lua_Integer number = 1;
  if (!pool)
    return 0;
  for (const sp_pool *p = NULL; (p = sp_manager_next_pool(pools, p)) != pool;)
    number++;
  lua_pushinteger(L, number);
  return 1;
}

/* {== Picking ============================================================ */

/* Returns how many points of the window a unit of the world is. */
static float points_per_unit(const game_view *v)
{
  float unit = v->unit_x > 0 ? fmaxf(v->unit_x, v->unit_y) : 1;
  return v->camera.on ? unit * v->camera.zoom : unit;
}

/* Returns the radius at which an object can be clicked, in the world. */
static float radius_of(const sp_look *look, float least)
{
  float radius = fabsf(look->radius * look->scale);
  return radius > least ? radius : least; /* NaN gives the minimum too */
}

typedef struct found {
  sp_ref object;
  float distance;
} found;

static void pick_in_pool(sp_pool *pool, SDL_FPoint at, float least, found *best)
{
  const sp_manager *pools = sp_pool_manager(pool);
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
    const sp_look *look = sp_object_peek(pools, object, SP_LOOK);
    sp_place place;
    if (!look || !look->visible || !sp_object_world(pools, object, &place))
      continue;
    float distance = hypotf(place.x - at.x, place.y - at.y);
    if (distance <= radius_of(look, least) && distance <= best->distance)
      *best = (found){object, distance};
  }
}

sp_ref inspector_pick(const sp_manager *pools, const game_view *v, float x, float y)
{
  SDL_FPoint at = view_from_window(v, x, y);
  found best = {SP_NULL_REF, INFINITY};
  at = view_to_world(v, at.x, at.y);
  for (sp_pool *p = NULL; pools && (p = sp_manager_next_pool(pools, p)) != NULL;)
    pick_in_pool(p, at, CLICK_LEAST / points_per_unit(v), &best);
  return best.object;
}

static int inspect_at(lua_State *L)
{
  const overlays *o = state_of(L);
  float x = sp_check_float(L, 1) * o->scale, y = sp_check_float(L, 2) * o->scale;
  push_object(L, inspector_pick(pools_of(L), &o->game->view, x, y));
  return 1;
}

static int inspect_place(lua_State *L)
{
  const overlays *o = state_of(L);
  const game_view *v = &o->game->view;
  const sp_manager *pools = pools_of(L);
  sp_ref object = check_object(L, 1);
  sp_place place;
  if (!pools || !sp_object_is_live(pools, object) || !sp_object_world(pools, object, &place) ||
      !isfinite(place.x + place.y))
    return 0;
  view_map map = view_world_map(v);
  SDL_FPoint at = view_apply(&map, place.x, place.y);
  const sp_look *look = sp_object_peek(pools, object, SP_LOOK);
  float unit = points_per_unit(v), radius = look ? radius_of(look, CLICK_LEAST / unit) * unit : CLICK_LEAST;
  at = view_to_window(v, at.x, at.y);
  lua_pushnumber(L, at.x / o->scale);
  lua_pushnumber(L, at.y / o->scale);
  lua_pushnumber(L, radius / o->scale);
  return 3;
}

/* }== */

/* {== An object ========================================================== */

static int inspect_select(lua_State *L)
{
  overlays *o = state_of(L);
  o->selected = lua_isnoneornil(L, 1) ? SP_NULL_REF : check_object(L, 1);
  sp_script_select(o->game->script, o->selected);
  return 0;
}

static int inspect_name(lua_State *L)
{
  const sp_manager *pools = pools_of(L);
  sp_ref object = check_object(L, 1);
  const sp_pool *pool = pools && object ? sp_object_pool(pools, object) : NULL;
  if (!pool)
    return 0;
  lua_pushstring(L, sp_pool_desc_of(pool)->type);
  lua_pushinteger(L, sp_object_number(pools, object));
  return 2;
}

static int inspect_life(lua_State *L)
{
  const sp_manager *pools = pools_of(L);
  sp_ref object = check_object(L, 1);
  double next = 0;
  if (!pools || !sp_object_is_live(pools, object))
    return 0;
  lua_pushnumber(L, sp_object_age(pools, object));
  lua_pushnumber(L, sp_object_remaining(pools, object));
  lua_pushinteger(L, sp_object_timers(pools, object, &next));
  lua_pushnumber(L, next);
  return 4;
}

static int inspect_kin(lua_State *L)
{
  const sp_manager *pools = pools_of(L);
  sp_ref object = check_object(L, 1), children[CHILDREN];
  if (!pools || !sp_object_is_live(pools, object))
    return 0;
  uint32_t count = sp_object_children(pools, object, children, CHILDREN), listed = count < CHILDREN ? count : CHILDREN;
  push_object(L, sp_object_parent(pools, object));
  lua_pushinteger(L, count);
  for (uint32_t i = 0; i < listed; i++)
    push_object(L, children[i]);
  return 2 + (int)listed;
}

static void push_field(lua_State *L, const sp_field_value *field)
{
  static const char *const kinds[] = {[SP_FIELD_NUMBER] = "number",
                                      [SP_FIELD_BOOLEAN] = "boolean",
                                      [SP_FIELD_STRING] = "string",
                                      [SP_FIELD_OTHER] = "other"};
  lua_createtable(L, 0, 5);
  lua_pushstring(L, field->name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, field->text);
  lua_setfield(L, -2, "text");
  lua_pushstring(L, kinds[field->type]);
  lua_setfield(L, -2, "kind");
  lua_pushboolean(L, field->own);
  lua_setfield(L, -2, "own");
  lua_pushboolean(L, field->writable);
  lua_setfield(L, -2, "writable");
}

static int inspect_fields(lua_State *L)
{
  sp_field_value fields[SP_FIELDS_SHOWN];
  const uint32_t count = sp_script_fields(state_of(L)->game->script, check_object(L, 1), fields);
  if (count == 0)
    return 0;
  lua_createtable(L, (int)count, 0);
  for (uint32_t i = 0; i < count; i++) {
    push_field(L, &fields[i]);
    sp_raw_seti(L, -2, i + 1);
  }
  return 1;
}

static int inspect_set(lua_State *L)
{
  char problem[256];
  sp_ref object = check_object(L, 1);
  const char *name = sp_check_text(L, 2), *value = sp_check_text(L, 3);
  if (sp_script_set_field(state_of(L)->game->script, object, name, value, problem, sizeof problem))
    return 0;
  lua_pushstring(L, problem);
  return 1;
}

static int inspect_history(lua_State *L)
{
  char known[512] = "";
  sp_script *script = state_of(L)->game->script;
  if (sp_script_history(script, check_object(L, 1), known, sizeof known))
    report_shorten(sp_script_folder(script), known, known, sizeof known);
  lua_pushstring(L, known);
  return 1;
}

/* }== */

/* {== Origins ============================================================ */

#define SLICE 256 /* slots */

typedef struct slice {
  sp_ref objects[SLICE];
  float ages[SLICE];
  char sites[SLICE][128]; /* "": unknown */
  uint32_t count;
} slice;

static void copy_site(void *ud, uint32_t i, const char *site)
{
  slice *s = ud;
  snprintf(s->sites[i], sizeof s->sites[i], "%s", site);
}

static int push_slice(lua_State *L, const slice *s)
{
  int entries = 0;
  lua_createtable(L, (int)s->count * 3, 0);
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->sites[i][0] == '\0')
      continue;
    lua_pushstring(L, s->sites[i]);
    sp_raw_seti(L, -2, ++entries);
    lua_pushnumber(L, s->ages[i]);
    sp_raw_seti(L, -2, ++entries);
    push_object(L, s->objects[i]);
    sp_raw_seti(L, -2, ++entries);
  }
  return 1;
}

static int inspect_traces(lua_State *L)
{
  lua_pushboolean(L, sp_script_traces(state_of(L)->game->script));
  return 1;
}

static int inspect_sites(lua_State *L)
{
  sp_script *script = state_of(L)->game->script;
  const sp_pool *pool = check_pool(L);
  uint32_t first = check_number(L, 2);
  slice s = {.count = 0};
  sp_slot slots[SLICE];
  if (!pool)
    return 0;
  uint32_t got = sp_pool_slots(pool, first, SLICE, slots);
  for (uint32_t i = 0; i < got; i++)
    if (slots[i].state == SP_SLOT_LIVE) {
      s.objects[s.count] = slots[i].object;
      s.ages[s.count++] = slots[i].age;
    }
  sp_script_sites(script, s.objects, s.count, copy_site, &s);
  for (uint32_t i = 0; i < s.count; i++)
    report_shorten(sp_script_folder(script), s.sites[i], s.sites[i], sizeof s.sites[i]);
  push_slice(L, &s);
  if (sp_pool_slots(pool, first + got, 1, slots) == 0)
    return 1;
  lua_pushinteger(L, first + got);
  return 2;
}

/* }== */

/* {== Slots ============================================================== */

#define CELL_MOST 11.0f /* units */
#define CELL_LEAST 2.0f
#define OLD 4.0f /* seconds to fade halfway to the dark colour */

static Uint8 between(int from, int to, float part) { return (Uint8)((float)from + (float)(to - from) * part); }

/* Live objects fade from bright to dark within seconds. */
static SDL_Color slot_color(sp_slot_state state, float age)
{
  static const SDL_Color colors[SP_SLOT_STATE_COUNT] = {[SP_SLOT_EMPTY] = {34, 36, 48, 255},
                                                        [SP_SLOT_IDLE] = {92, 98, 122, 255},
                                                        [SP_SLOT_ENDING] = {255, 150, 60, 255},
                                                        [SP_SLOT_RETIRED] = {150, 45, 55, 255}};
  float part = age > 0 ? age / (age + OLD) : 0;
  if (state == SP_SLOT_LIVE)
    return (SDL_Color){between(190, 20, part), between(255, 120, part), between(150, 215, part), 255};
  return colors[state];
}

static int inspect_color(lua_State *L)
{
  static const char *const names[] = {
      [SP_SLOT_EMPTY] = "empty", [SP_SLOT_IDLE] = "idle", [SP_SLOT_LIVE] = "live", [SP_SLOT_ENDING] = "ending", NULL};
  int state = sp_check_word(L, 1, SP_SLOT_EMPTY, names);
  SDL_Color color = slot_color((sp_slot_state)state, sp_check_float(L, 2));
  lua_pushinteger(L, color.r);
  lua_pushinteger(L, color.g);
  lua_pushinteger(L, color.b);
  return 3;
}

/* Chunks may reserve more slots than the limit allows, and a limit that was lowered may leave objects above it. */
static int inspect_slots(lua_State *L)
{
  const sp_pool *pool = check_pool(L);
  if (!pool)
    return 0;
  const uint32_t allowed = sp_pool_desc_of(pool)->settings.limit;
  uint32_t all = 0;
  sp_slot slot;
  while (sp_pool_slots(pool, all, 1, &slot) == 1)
    all += SP_CHUNK_SLOTS;
  while (all > allowed && sp_pool_slots(pool, all - 1, 1, &slot) == 1 && slot.state == SP_SLOT_EMPTY)
    all--;
  lua_pushinteger(L, all);
  return 1;
}

static int inspect_slot(lua_State *L)
{
  const sp_pool *pool = check_pool(L);
  sp_slot slot;
  if (!pool || sp_pool_slots(pool, check_number(L, 2), 1, &slot) < 1 || slot.state != SP_SLOT_LIVE)
    return 0;
  push_object(L, slot.object);
  return 1;
}

static int inspect_slot_of(lua_State *L)
{
  const sp_pool *pool = check_pool(L);
  uint32_t slot = pool ? sp_pool_slot_of(pool, check_object(L, 2)) : UINT32_MAX;
  if (slot == UINT32_MAX)
    return 0;
  lua_pushinteger(L, slot);
  return 1;
}

/* The layout of cells, in pixels. */
typedef struct cells {
  float scale, left, top; /* pixels per unit */
  int side, columns, rows;
} cells;

/* Chooses the largest cell with which all slots fit, or the smallest allowed. */
static cells lay_out(float scale, float x, float y, float w, float h, uint32_t slots)
{
  cells c = {.scale = scale, .left = roundf(x * scale), .top = roundf(y * scale)};
  int width = (int)(w * scale), height = (int)(h * scale), least = (int)fmaxf(CELL_LEAST * scale, 1);
  for (c.side = (int)(CELL_MOST * scale); c.side > least; c.side--)
    if ((uint32_t)(width / c.side) * (uint32_t)(height / c.side) >= slots)
      break;
  c.side = c.side > least ? c.side : least;
  c.columns = width / c.side > 0 ? width / c.side : 1;
  c.rows = height / c.side;
  return c;
}

static uint32_t fill_cells(SDL_Vertex *v, const batch_area *white, const cells *c, const sp_pool *pool, uint32_t first,
                           uint32_t count)
{
  sp_slot slots[SLICE];
  float half = (float)(c->side >= 4 ? c->side - 1 : c->side) / 2;
  uint32_t done = 0, got = 1;
  for (; done < count && got > 0; done += got) {
    got = sp_pool_slots(pool, first + done, count - done < SLICE ? count - done : SLICE, slots);
    for (uint32_t i = 0; i < got; i++, v += 4) {
      int column = (int)(done + i) % c->columns, row = (int)(done + i) / c->columns;
      float x = c->left + (float)(column * c->side) + half, y = c->top + (float)(row * c->side) + half;
      batch_fill(v, white, x / c->scale, y / c->scale, half / c->scale, half / c->scale,
                 slot_color(slots[i].state, slots[i].age));
    }
  }
  return done;
}

static int inspect_map(lua_State *L)
{
  graphics *g = &state_of(L)->units;
  const sp_pool *pool = check_pool(L);
  uint32_t first = check_number(L, 2), slots = check_number(L, 3);
  float x = sp_check_float(L, 4), y = sp_check_float(L, 5), w = sp_check_float(L, 6), h = sp_check_float(L, 7);
  if (!pool || !g->out || w < 1 || h < 1)
    return 0;
  cells c = lay_out(g->view.scale, x, y, w, h, slots);
  uint32_t row = (uint32_t)c.columns, room = row * (uint32_t)c.rows;
  uint32_t last = slots > room ? (slots - room + row - 1) / row * row : 0; /* the last one that may be the first */
  first = first < last ? first : last;
  uint32_t count = slots - first < room ? slots - first : room;
  batch_area white = sprites_white(g->sprites);
  SDL_Vertex *v = count > 0 ? batch_reserve(g->out, count) : NULL;
  if (!v)
    count = 0;
  else
    batch_commit(g->out, white.texture, count = fill_cells(v, &white, &c, pool, first, count));
  lua_pushnumber(L, (float)c.side / c.scale);
  lua_pushinteger(L, c.columns);
  lua_pushinteger(L, count);
  lua_pushinteger(L, first);
  return 4;
}

/* }== */

static const sp_reach functions[] = {
    {"inspect", "show", inspect_show, "b"},         {"inspect", "type", inspect_type, ""},
    {"inspect", "find", inspect_find, "s"},         {"inspect", "at", inspect_at, "n n"},
    {"inspect", "place", inspect_place, "i"},       {"inspect", "select", inspect_select, "i?"},
    {"inspect", "name", inspect_name, "i"},         {"inspect", "life", inspect_life, "i"},
    {"inspect", "kin", inspect_kin, "i"},           {"inspect", "fields", inspect_fields, "i"},
    {"inspect", "set", inspect_set, "i s s"},       {"inspect", "history", inspect_history, "i"},
    {"inspect", "traces", inspect_traces, ""},      {"inspect", "sites", inspect_sites, "i i"},
    {"inspect", "slots", inspect_slots, "i"},       {"inspect", "slot", inspect_slot, "i i"},
    {"inspect", "slot_of", inspect_slot_of, "i i"}, {"inspect", "map", inspect_map, "i i i n n n n"},
    {"inspect", "color", inspect_color, "s n"},     {NULL, NULL, NULL, NULL},
};

bool inspector_lua_install(overlays *o, lua_State *L, char *error, size_t error_size)
{
  return reachable_install("inspect", functions, o, L, error, error_size);
}
