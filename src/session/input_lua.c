/*
** `spawnpool.input`: keys, mouse, gamepads, fingers, and actions that are made of them.
**
**   down(name, ...)      whether any of these is held: an action, a key, "mouse:left", "pad:a", "pad2:-leftx"
**   pressed(name, ...)   whether any was pressed since the last step
**   released(name, ...)  whether any was released since the last step
**   value(name, ...)     how far: 0 to 1, an axis also below 0
**   mouse()              its x, y and whether the left, the right and the middle button are held
**   fingers()            a list of { id =, x =, y =, pressed =, released = }
**   axis(name)           of any gamepad, from -1 to 1
**   pad(n)               the first five of these for one gamepad, and `connected`
**   pad(button, ...)     whether any of these buttons of any gamepad is held; without arguments: whether there is one
**
** The functions hold an sp_input_seat as an upvalue, and a table of sources by name: actions, and names that were
** looked up. A list of sources is a string there, so that games which ask for the same names in every frame make no
** garbage.
*/
#include "session/input_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/arguments.h"
#include "script/state/strings.h"
#include "session/module.h"

#include "script/state/careful.h"

#define SOURCES_MOST 32 /* of an action */
#define ACTIONS_MOST 256

static const sp_input_seat *seat_of(lua_State *L) { return sp_raw_block(L, SP_PART_STATE); }

/* {== Names ============================================================== */

typedef struct search {
  sp_nearest_name near;
  char name[64];
} search;

static void offer(void *ud, const char *name)
{
  search *it = ud;
  if (sp_nearest_name_offer(&it->near, name))
    snprintf(it->name, sizeof it->name, "%s", name);
}

/* Offers the names in the table on top, which have no order: of equally near ones the first in the alphabet. */
static void offer_known(lua_State *L, search *it)
{
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1)) {
    const char *name = sp_to_text(L, -2);
    if (sp_nearest_name_distance(it->near.wanted, name) == it->near.distance && strcmp(name, it->name) < 0)
      it->near.distance++;
    if (lua_type(L, -2) == LUA_TSTRING)
      offer(it, name);
  }
}

/* Returns the end of a message about an unknown name. `known` is the index of a table of names; 0: there is none. */
static const char *advice(lua_State *L, const char *name, bool of_pad, int known)
{
  search it = {.near = sp_nearest_name_of(name)};
  if (known) {
    lua_pushvalue(L, known);
    offer_known(L, &it);
    lua_pop(L, 1);
  }
  sp_input_each_name(of_pad, offer, &it);
  return it.name[0] ? lua_pushfstring(L, "the nearest is '%s'", it.name)
         : of_pad   ? "names are like \"a\", \"dpup\", \"start\", \"-leftx\""
                    : "names are like \"left\", \"space\", \"mouse:left\", \"pad:a\"";
}

static void raise_unknown(lua_State *L, int arg, const char *name, bool of_pad)
{
  const char *nouns = of_pad ? "action, button or axis" : "action or key";
  luaL_argerror(L, arg,
                lua_pushfstring(L, "no %s is called '%s'; %s", nouns, name, advice(L, name, of_pad, SP_PART_OWN)));
}

typedef struct sources {
  const char *bytes; /* each an sp_input_source, not aligned */
  size_t count;
} sources;

/* Returns the sources of the name at `arg`, in memory of the table of names. */
static sources check_sources(lua_State *L, int arg)
{
  const char *name = sp_check_text(L, arg);
  const bool of_pad = seat_of(L)->pad > 0;
  sources list;
  lua_pushvalue(L, arg);
  if (sp_raw_get(L, SP_PART_OWN) != LUA_TSTRING) {
    sp_input_source source;
    if (!sp_input_find(name, of_pad, &source))
      raise_unknown(L, arg, name, of_pad);
    lua_pushvalue(L, arg);
    lua_pushlstring(L, (const char *)&source, sizeof source);
    lua_replace(L, -3);
    lua_pushvalue(L, -2);
    sp_raw_set(L, SP_PART_OWN);
  }
  list.bytes = lua_tolstring(L, -1, &list.count);
  list.count /= sizeof(sp_input_source);
  lua_pop(L, 1);
  return list;
}

static sp_input_source source_at(sources list, size_t i)
{
  sp_input_source source;
  memcpy(&source, list.bytes + i * sizeof source, sizeof source);
  return source;
}

/* Returns the first argument that is a name: `pad(1):down("a")` works as `pad(1).down("a")` does. */
static int first_name(lua_State *L)
{
  int first = lua_istable(L, 1) ? 2 : 1;
  if (lua_gettop(L) < first)
    sp_check_text(L, first);
  return first;
}

/* }== */

/* {== Functions of the game and of a gamepad ============================= */

/* Returns whether one of the names has this bit in its state. */
static int push_state(lua_State *L, unsigned bit)
{
  const sp_input_seat *seat = seat_of(L);
  const int first = first_name(L), last = lua_gettop(L);
  unsigned state = 0;
  for (int arg = first; arg <= last; arg++) {
    const sources list = check_sources(L, arg);
    for (size_t i = 0; i < list.count; i++) {
      const sp_input_source source = source_at(list, i);
      state |= sp_input_state(seat->in, &source, seat->pad);
    }
  }
  lua_pushboolean(L, (state & bit) != 0);
  return 1;
}

int spl_input_down(lua_State *L) { return push_state(L, SP_SWITCH_HELD); }
int spl_input_pressed(lua_State *L) { return push_state(L, SP_SWITCH_PRESSED); }
int spl_input_released(lua_State *L) { return push_state(L, SP_SWITCH_RELEASED); }

/* Returns the value that is farthest from 0. */
int spl_input_value(lua_State *L)
{
  const sp_input_seat *seat = seat_of(L);
  const int first = first_name(L), last = lua_gettop(L);
  double value = 0;
  for (int arg = first; arg <= last; arg++) {
    const sources list = check_sources(L, arg);
    for (size_t i = 0; i < list.count; i++) {
      const sp_input_source source = source_at(list, i);
      const double its = sp_input_value(seat->in, &source, seat->pad);
      value = fabs(its) > fabs(value) ? its : value;
    }
  }
  lua_pushnumber(L, value);
  return 1;
}

int spl_input_axis(lua_State *L)
{
  const sp_input_seat *seat = seat_of(L);
  const int arg = first_name(L);
  const char *name = sp_check_text(L, arg);
  sp_input_source source;
  if (!sp_input_find(name, true, &source) || source.kind != SP_SOURCE_AXIS || source.sign != 0)
    return luaL_argerror(
        L, arg,
        lua_pushfstring(L, "no axis is called '%s'; names are like \"leftx\", \"righty\", \"lefttrigger\"", name));
  lua_pushnumber(L, sp_input_value(seat->in, &source, seat->pad));
  return 1;
}

/* }== */

/* {== Functions of the game ============================================== */

static void push_place(lua_State *L, double x, double y)
{
  lua_pushinteger(L, (lua_Integer)fmax(-1e9, fmin(1e9, x)));
  lua_pushinteger(L, (lua_Integer)fmax(-1e9, fmin(1e9, y)));
}

int spl_input_mouse(lua_State *L)
{
  const sp_input *in = seat_of(L)->in;
  push_place(L, in->mouse_x, in->mouse_y);
  for (int button = 1; button <= 3; button++)
    lua_pushboolean(L, in->buttons[button] & SP_SWITCH_HELD);
  return 5;
}

static void push_finger(lua_State *L, const sp_input *in, int number)
{
  const sp_input_finger_state *finger = &in->fingers[number - 1];
  lua_createtable(L, 0, 5);
  lua_pushinteger(L, number);
  lua_setfield(L, -2, "id");
  push_place(L, finger->x, finger->y);
  lua_setfield(L, -3, "y");
  lua_setfield(L, -2, "x");
  lua_pushboolean(L, finger->state & SP_SWITCH_PRESSED);
  lua_setfield(L, -2, "pressed");
  lua_pushboolean(L, finger->state & SP_SWITCH_RELEASED);
  lua_setfield(L, -2, "released");
}

/* A finger that was lifted since the last step is among them, too, so that a short touch is not lost. */
int spl_input_fingers(lua_State *L)
{
  const sp_input *in = seat_of(L)->in;
  const unsigned seen = SP_SWITCH_HELD | SP_SWITCH_PRESSED | SP_SWITCH_RELEASED;
  lua_Integer count = 0;
  lua_newtable(L);
  for (int number = 1; number <= SP_INPUT_FINGERS; number++)
    if (in->fingers[number - 1].state & seen) {
      push_finger(L, in, number);
      sp_raw_seti(L, -2, ++count);
    }
  return 1;
}

static sp_input_source check_button(lua_State *L, int arg)
{
  const char *name = sp_check_text(L, arg);
  sp_input_source source;
  if (!sp_input_find(name, true, &source) || source.kind != SP_SOURCE_BUTTON)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "no button is called '%s'; names are like \"a\", \"dpup\", \"start\", \"leftshoulder\"",
                        name));
  return source;
}

/* Pushes the table of the gamepad with the number at 1. */
static int push_pad(lua_State *L)
{
  sp_raw_geti(L, SP_PART_OWN, sp_check_count(L, 1, "gamepad", 1, SP_INPUT_PADS));
  return 1;
}

int spl_input_pad(lua_State *L)
{
  const sp_input *in = seat_of(L)->in;
  const int count = lua_gettop(L);
  unsigned state = 0;
  if (lua_type(L, 1) == LUA_TNUMBER)
    return push_pad(L);
  for (int i = 0; i < SP_INPUT_PADS && count == 0; i++)
    state |= in->pads[i].connected ? SP_SWITCH_HELD : 0u;
  for (int arg = 1; arg <= count; arg++) {
    const sp_input_source source = check_button(L, arg);
    state |= sp_input_state(in, &source, 0);
  }
  lua_pushboolean(L, state & SP_SWITCH_HELD);
  return 1;
}

int spl_pad_index(lua_State *L)
{
  const sp_input_seat *seat = seat_of(L);
  sp_shown shown;
  if (strcmp(sp_to_text(L, 2), "connected") != 0)
    return luaL_error(L, "a gamepad has no field '%s'; it has connected, down, pressed, released, value and axis",
                      sp_show_name(L, 2, &shown));
  lua_pushboolean(L, seat->in->pads[seat->pad - 1].connected);
  return 1;
}

/* }== */

/* {== Actions ============================================================ */

#define PADS "pad" /* owner of the functions of a gamepad */

typedef struct reader {
  void (*tell)(void *ud, const char *problem);
  void *ud;
} reader;

/* Tells a problem, which was made above the index `top`, and pops it. */
static void tell(const reader *r, lua_State *L, int top, const char *problem)
{
  r->tell(r->ud, problem);
  lua_settop(L, top);
}

/* Removes the sources that the table on top has by name. */
static void forget_names(lua_State *L)
{
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) {
      lua_pushvalue(L, -2);
      lua_pushnil(L);
      sp_raw_set(L, -5);
    }
}

/* Adds the source with the name on top. */
static void add_source(lua_State *L, const reader *r, const char *action, sp_input_source *list, size_t *count)
{
  const int top = lua_gettop(L);
  const char *name = sp_to_text(L, -1);
  if (lua_type(L, -1) != LUA_TSTRING)
    tell(r, L, top,
         lua_pushfstring(L, "actions.%s must have names like \"space\", \"mouse:left\", \"pad:a\", got a %s", action,
                         luaL_typename(L, -1)));
  else if (!sp_input_find(name, false, &list[*count]))
    tell(r, L, top,
         lua_pushfstring(L, "actions.%s: no key, button or axis is called '%s'; %s", action, name,
                         advice(L, name, false, 0)));
  else
    ++*count;
}

/* Reads the action on top: a name, or a list of names. Returns the number of sources. */
static size_t read_action(lua_State *L, const reader *r, const char *action, sp_input_source *list)
{
  size_t count = 0;
  const bool is_table = lua_istable(L, -1);
  const size_t length = is_table ? sp_raw_length(L, -1) : 0;
  if (!is_table)
    add_source(L, r, action, list, &count);
  if (length > SOURCES_MOST)
    tell(r, L, lua_gettop(L), lua_pushfstring(L, "actions.%s must have at most %d names", action, SOURCES_MOST));
  for (size_t i = 0; i < length && i < SOURCES_MOST; i++) {
    sp_raw_geti(L, -1, (lua_Integer)i + 1);
    add_source(L, r, action, list, &count);
    lua_pop(L, 1);
  }
  return count;
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Collects the names of the actions in the table at 1, sorted, so that problems have an order. */
static size_t sort_names(lua_State *L, const reader *r, const char **names)
{
  size_t count = 0;
  for (lua_pushnil(L); sp_raw_next(L, 1); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TSTRING)
      tell(r, L, lua_gettop(L), "actions must have names, as jump has in { jump = { \"space\", \"pad:a\" } }");
    else if (count < ACTIONS_MOST)
      names[count++] = sp_to_text(L, -2);
  qsort(names, count, sizeof *names, compare_names);
  return count;
}

/* take(actions, reader). The tables of the names are at 3 and 4. */
static int take_actions(lua_State *L)
{
  const reader *r = sp_raw_block(L, 2);
  const char *names[ACTIONS_MOST];
  sp_input_source list[SOURCES_MOST];
  sp_module_push_own(L, "input");
  forget_names(L);
  sp_module_push_own(L, PADS);
  forget_names(L);
  if (!lua_istable(L, 1)) {
    if (!lua_isnil(L, 1))
      tell(r, L, 4,
           lua_pushfstring(L, "actions must be a table such as { jump = { \"space\", \"pad:a\" } }, got a %s",
                           luaL_typename(L, 1)));
    return 0;
  }
  const size_t count = sort_names(L, r, names);
  for (size_t i = 0; i < count; i++) {
    sp_raw_field(L, 1, names[i]);
    const size_t found = read_action(L, r, names[i], list);
    lua_pushlstring(L, (const char *)list, found * sizeof *list);
    lua_pushvalue(L, -1);
    lua_setfield(L, 3, names[i]);
    lua_setfield(L, 4, names[i]);
    lua_settop(L, 4);
  }
  return 0;
}

void sp_input_take_actions(lua_State *L, void (*say)(void *ud, const char *problem), void *ud)
{
  reader r = {say, ud};
  lua_pushcfunction(L, take_actions);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, &r);
  if (sp_raw_pcall(L, 2, 0) != LUA_OK)
    tell(&r, L, lua_gettop(L) - 1, "actions: not enough memory");
}

/* }== */

/* {== Opening ============================================================ */

/* install(seats, rows): makes the tables of the gamepads. The metatables are hidden: a game could modify them. */
static int install_pads(lua_State *L)
{
  sp_input_seat *seats = sp_raw_block(L, 1);
  const sp_reach *rows = sp_raw_block(L, 2);
  sp_module_push_own(L, "input");
  sp_module_push_own(L, PADS);
  for (int number = 1; number <= SP_INPUT_PADS; number++) {
    lua_newtable(L);
    sp_reach_set(L, rows, PADS, false, &seats[number], true);
    lua_pushvalue(L, 4);
    lua_newtable(L);
    sp_reach_set(L, rows, PADS, true, &seats[number], true);
    lua_pushliteral(L, "spawnpool.input.pad");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, 5);
    lua_settop(L, 5);
    sp_raw_seti(L, 3, number);
  }
  return 0;
}

bool sp_input_install(sp_input_seat seats[SP_INPUT_PADS + 1], const sp_input *in, const sp_reach *rows, lua_State *L)
{
  for (int i = 0; i <= SP_INPUT_PADS; i++)
    seats[i] = (sp_input_seat){in, i};
  lua_pushcfunction(L, install_pads);
  lua_pushlightuserdata(L, seats);
  lua_pushlightuserdata(L, (void *)rows);
  bool fine = sp_raw_pcall(L, 2, 0) == LUA_OK;
  lua_settop(L, lua_gettop(L) - !fine);
  return fine;
}

/* }== */
