/*
** The objects of a pool with their fields, in one step of C each: an access from Lua to a field costs more than all
** that is done here for an object. Numbers are read and written where they lie; every other field goes the way of
** `o.field`.
**
** A map calls the game's function in one protected region, because one for each object would cost as much as three
** fields. After an error the region is entered again, behind the object that failed.
*/
#include "script/bind/map.h"

#include <math.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/bind/query.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

/* {== Fields ============================================================= */

typedef enum cell_kind { CELL_FLOAT, CELL_NUMBER, CELL_INTEGER, CELL_OTHER, CELL_ONE } cell_kind;

/* Where a field of the first slot of a chunk lies, and how far the next one is. CELL_ONE: a scale of a pool that has no
   column for it, because nothing has been written to it. */
typedef struct cell {
  cell_kind kind;
  uint32_t name; /* a packed sp_name */
  uint32_t offset, stride;
  uint64_t written; /* see sp_column_layout */
} cell;

typedef struct fields {
  uint64_t stamp; /* of the pool's names, by which they were found */
  int count;
  cell cells[SP_MOST_MAPPED];
} fields;

static cell find_cell(const spl_pool *p, uint32_t name)
{
  const sp_name_kind kind = SP_NAME_KIND(name);
  const uint32_t what = (uint32_t)SP_NAME_WHAT(name);
  const bool is_look = kind == SP_NAME_LOOK_FLOAT;
  const sp_column_layout *column = &sp_view_of(p->core)->columns[is_look ? SP_LOOK : what];
  switch (kind) {
  case SP_NAME_FLOAT:
    return (cell){CELL_FLOAT, name, column->offset, sizeof(float), column->written};
  case SP_NAME_LOOK_FLOAT:
    return (cell){CELL_FLOAT, name, column->offset + what, sizeof(sp_look), column->written};
  case SP_NAME_NUMBER:
    return (cell){CELL_NUMBER, name, column->offset, sizeof(double), column->written};
  case SP_NAME_INTEGER:
    return (cell){CELL_INTEGER, name, column->offset, sizeof(double), column->written};
  default:
    return (cell){.kind = CELL_OTHER, .name = name};
  }
}

/* Where the names of fields are. */
typedef struct names {
  int first, step; /* of the first one, and what is added for the next: stack indices, or upvalues */
  int arg;         /* the argument that an error is about; 0: none; -1: each name is one */
} names;

static int argument_of(const names *n, int i) { return n->arg < 0 ? n->first + i : n->arg; }

static SP_COLD _Noreturn void method_instead(lua_State *L, const spl_pool *p, int key, int arg)
{
  sp_shown name;
  sp_show_name(L, key, &name);
  if (arg)
    sp_raise_arg(L, arg, "'%s' of %s is a method, not a field", name.text, sp_pool_desc_of(p->core)->type);
  sp_raise(L, "'%s' of %s is a method, not a field", name.text, sp_pool_desc_of(p->core)->type);
}

/* Finds the fields again that `f` has, by their names; raises an error when the pool has no such field any more. */
static void find_fields(lua_State *L, const spl_pool *p, fields *f, names n)
{
  for (int i = 0; i < f->count; i++) {
    const int key = n.first + i * n.step;
    const uint32_t name = sp_keymap_find(L, p->names, key);
    if (name == SP_NO_KEY && p->scaled == 0 && sp_names_scale(L, key)) {
      f->cells[i] = (cell){.kind = CELL_ONE};
      continue;
    }
    if (name == SP_NO_KEY)
      sp_object_unknown(L, p, key, argument_of(&n, i));
    if (SP_NAME_KIND(name) == SP_NAME_METHOD || SP_NAME_KIND(name) == SP_NAME_OWN_METHOD)
      method_instead(L, p, key, argument_of(&n, i));
    f->cells[i] = find_cell(p, name);
  }
  f->stamp = p->names_stamp;
}

static inline void push_cell(lua_State *L, spl_pool *p, const cell *it, const unsigned char *base, uint32_t slot)
{
  const void *at = base + it->offset + (slot & SP_CHUNK_MASK) * it->stride;
  if (SP_LIKELY(it->kind == CELL_FLOAT))
    lua_pushnumber(L, *(const float *)at);
  else if (it->kind == CELL_NUMBER)
    lua_pushnumber(L, *(const double *)at);
  else if (it->kind == CELL_INTEGER)
    sp_push_integral(L, *(const double *)at);
  else if (it->kind == CELL_ONE)
    lua_pushnumber(L, 1);
  else
    sp_object_read(L, p, slot, it->name);
}

/* Pushes the fields of a live object. Reading one that is made when it is first read runs code of the game: nil takes
   the place of the others when that has changed the class or ended the life. */
static inline void push_fields(lua_State *L, spl_pool *p, const fields *f, sp_ref object)
{
  const uint32_t slot = sp_ref_slot(object);
  for (int i = 0; i < f->count; i++) {
    if (i > 0 && !SP_LIKELY(f->cells[i - 1].kind < CELL_OTHER)) {
      p = sp_held_pool(p);
      if (!p->core || p->names_stamp != f->stamp || !sp_ref_is_live(p->manager->core, object)) {
        lua_pushnil(L);
        continue;
      }
    }
    push_cell(L, p, &f->cells[i], sp_slot_chunk(p->manager->core, slot)->base, slot);
  }
}

/* }== */

/* {== each(field...) ===================================================== */

/* next(serial, last): upvalues are the context, the pool userdata, its record, which outlives the pool with this, the
   fields, and their names. */
int spl_walk_next_with_fields(lua_State *L)
{
  enum { RECORD = 3, FIELDS, NAMES };
  spl_pool *p = sp_held_pool(sp_raw_block(L, lua_upvalueindex(RECORD)));
  fields *f = sp_raw_block(L, lua_upvalueindex(FIELDS));
  if (!p->core) /* removed inside the loop */
    return 0;
  luaL_checkstack(L, SP_MOST_MAPPED + 8, NULL);
  sp_walk walk = sp_check_walk(L, p->manager->core, p->core);
  if (!SP_LIKELY(f->stamp == p->names_stamp))
    find_fields(L, p, f, (names){lua_upvalueindex(NAMES), -1, 0});
  sp_ref object = sp_walk_next(&walk);
  if (!object)
    return 0;
  sp_push_object(L, object);
  push_fields(L, p, f, object);
  return 1 + f->count;
}

/* Pushes the table that has, by the next name, what belongs to the names that begin with those so far; `key` is that
   name. */
static void push_branch(lua_State *L, int tree, int key)
{
  lua_pushvalue(L, key);
  if (sp_raw_get(L, tree) != LUA_TNIL)
    return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, key);
  lua_pushvalue(L, -2);
  sp_raw_set(L, tree);
}

static void push_iterator(lua_State *L, const spl_pool *p, const fields *f)
{
  lua_pushlightuserdata(L, p->manager->context);
  lua_pushvalue(L, 1);
  sp_push_record(L, p->manager->context, p);
  memcpy(lua_newuserdatauv(L, sizeof *f, 0), f, sizeof *f);
  for (int i = 0; i < f->count; i++)
    lua_pushvalue(L, 3 + i);
  lua_pushcclosure(L, spl_walk_next_with_fields, 4 + f->count);
}

/* Raises unless all these names are strings, and not too many. */
static void check_names(lua_State *L, names n, size_t count)
{
  sp_shown shown;
  if (count > SP_MOST_MAPPED)
    sp_raise_arg(L, argument_of(&n, SP_MOST_MAPPED), "at most %d fields, got %d", SP_MOST_MAPPED, (int)count);
  for (int i = 0; i < (int)count; i++)
    if (lua_type(L, n.first + i) != LUA_TSTRING)
      sp_raise_arg(L, argument_of(&n, i), "the name of a field expected, got %s", sp_show(L, n.first + i, &shown));
}

/* make_iterator(pool, fields, name, ...) -> an iterator of these names, which is kept. Quiet. */
static int make_iterator(lua_State *L)
{
  const fields *f = sp_raw_block(L, 2);
  const int tree = lua_gettop(L) + 1;
  luaL_checkstack(L, 2 * SP_MOST_MAPPED + 16, NULL);
  if (lua_getiuservalue(L, 1, SP_POOL_FIELD_WALKS) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, tree);
    lua_setiuservalue(L, 1, SP_POOL_FIELD_WALKS);
  }
  push_iterator(L, sp_to_pool(L, 1), f);
  for (int i = 0; i < f->count; i++)
    push_branch(L, i == 0 ? tree : lua_gettop(L), 3 + i);
  lua_pushvalue(L, tree + 1);
  sp_raw_seti(L, -2, 1);
  lua_settop(L, tree + 1);
  return 1;
}

/* Pushes the iterator that is kept for the names; else nothing. */
static bool push_known(lua_State *L, int count)
{
  const int tree = lua_gettop(L) + 1;
  int type = lua_getiuservalue(L, 1, SP_POOL_FIELD_WALKS);
  for (int i = 0; i < count && type == LUA_TTABLE; i++) {
    lua_pushvalue(L, 2 + i);
    type = sp_raw_get(L, tree);
    lua_replace(L, tree);
  }
  if (type == LUA_TTABLE && sp_raw_geti(L, tree, 1) == LUA_TFUNCTION)
    return true;
  lua_settop(L, tree - 1);
  return false;
}

int sp_walk_pool_with_fields(lua_State *L)
{
  fields f = {.count = lua_gettop(L) - 1};
  const names n = {2, 1, -1};
  const spl_pool *p = sp_check_open_pool(L, 1);
  const lua_Integer serial = (lua_Integer)sp_serial(p->manager->core);
  check_names(L, n, (size_t)f.count);
  luaL_checkstack(L, 2 * SP_MOST_MAPPED + 8, NULL);
  if (!push_known(L, f.count)) {
    find_fields(L, p, &f, n);
    lua_pushcfunction(L, make_iterator);
    lua_insert(L, 1);
    lua_pushlightuserdata(L, &f);
    lua_insert(L, 3);
    sp_call_without_gc(L, f.count + 2, 1);
  }
  lua_pushinteger(L, serial);
  return 2;
}

/* }== */

/* {== map ================================================================ */

typedef struct mapping {
  sp_walk walk;
  spl_pool *p;       /* its record is on the stack of the map */
  uint64_t restores; /* of the manager, when the function was called */
  int extras;        /* arguments behind the function */
  uint32_t calls;
  const char *names[SP_MOST_MAPPED]; /* strings on the stack of the map */
  fields fields;
} mapping;

enum { MAPPING = 1, FUNCTION }; /* the first arguments of the region */

/* Returns whether the pool is still there. When its class has changed, the fields are found anew; raises an error when
   one is gone. To be called after every call of the game. */
static inline bool goes_on(lua_State *L, mapping *m)
{
  const spl_pool *p = sp_held_pool(m->p);
  if (p->core && !SP_LIKELY(p->names_stamp == m->fields.stamp))
    find_fields(L, p, &m->fields, (names){FUNCTION + 1 + m->extras, 1, 0});
  return p->core != NULL;
}

/* The function has returned: the line is that of map. */
static SP_COLD _Noreturn void bad_result(lua_State *L, const char *name, int index, const char *wrong)
{
  sp_shown value;
  sp_show(L, index, &value);
  luaL_where(L, 2);
  lua_pushfstring(L, "what the function of map returns for field '%s' %s, got %s", name, wrong, value.text);
  lua_concat(L, 2);
  lua_error(L);
}

/* Returns the number for a cell of that kind, which a write to the field would accept as it is; else HUGE_VAL. */
static inline double number_for(lua_State *L, const cell *it, int index)
{
  const double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : HUGE_VAL;
  if (it->kind == CELL_FLOAT)
    return isfinite((float)number) ? number : HUGE_VAL;
  return it->kind < CELL_OTHER && fabs(number) < SP_EXACT ? number : HUGE_VAL;
}

/* Stores a value that was checked. Returns NULL, or what is wrong with it all the same, as with a parent that would be
   its own. */
static inline const char *store_cell(lua_State *L, mapping *m, const cell *it, double number, int index)
{
  const uint32_t slot = sp_ref_slot(m->walk.last);
  void *at = sp_slot_chunk(m->p->manager->core, slot)->base + it->offset + (slot & SP_CHUNK_MASK) * it->stride;
  if (!SP_LIKELY(number != HUGE_VAL))
    return lua_isnil(L, index) ? NULL : sp_object_write(L, m->p, slot, it->name, index);
  if (SP_LIKELY(it->kind == CELL_FLOAT))
    *(float *)at = (float)number;
  else
    *(double *)at = number;
  sp_mark_written(m->p->core, it->written);
  return NULL;
}

/* Stores the `given` results from `first` on, all or none: nil leaves a field as it is. A life that the function has
   ended keeps its fields, and so does one that a restore has brought back. */
static inline void store(lua_State *L, mapping *m, int first, int given)
{
  double numbers[SP_MOST_MAPPED];
  given = given < m->fields.count ? given : m->fields.count;
  if (!goes_on(L, m))
    return;
  for (int i = 0; i < given; i++) {
    const cell *it = &m->fields.cells[i];
    numbers[i] = number_for(L, it, first + i);
    const char *wrong = SP_LIKELY(numbers[i] != HUGE_VAL) || lua_isnil(L, first + i)
                            ? NULL
                            : sp_object_write(L, m->p, SP_NO_SLOT, it->name, first + i);
    if (wrong)
      bad_result(L, m->names[i], first + i, wrong);
  }
  const spl_manager *manager = m->p->manager;
  if (!sp_ref_is_live(manager->core, m->walk.last) || manager->restores != m->restores)
    return;
  for (int i = 0; i < given; i++) {
    const char *wrong = store_cell(L, m, &m->fields.cells[i], numbers[i], first + i);
    if (!SP_LIKELY(!wrong))
      bad_result(L, m->names[i], first + i, wrong);
  }
}

/* region(mapping, function, extras..., names...): calls the function for each object that is left. It has no upvalue,
   so that it is no garbage. */
static int region(lua_State *L)
{
  mapping *m = sp_raw_block(L, MAPPING);
  const int top = lua_gettop(L);
  sp_context *c = m->p->manager->context;
  sp_ref object;
  luaL_checkstack(L, 2 * SP_MOST_MAPPED + m->extras + 8, NULL);
  while (goes_on(L, m) && (object = sp_walk_next(&m->walk)) != SP_NULL_REF) {
    m->restores = m->p->manager->restores;
    lua_pushvalue(L, FUNCTION);
    sp_push_object(L, object);
    push_fields(L, m->p, &m->fields, object);
    for (int i = 1; i <= m->extras; i++)
      lua_pushvalue(L, FUNCTION + i);
    if ((++m->calls & 63) == 0)
      sp_watchdog_check_clock(L); /* the function may be one of C */
    lua_call(L, 1 + m->fields.count + m->extras, LUA_MULTRET);
    if (c->watch)
      c->calls.look(L, c);
    store(L, m, top + 1, lua_gettop(L) - top);
    if (c->watch)
      c->calls.look(L, c);
    lua_settop(L, top);
  }
  return 0;
}

/* Adds the object that failed to the error on top, also to the text that is kept of it. */
static void name_failure(lua_State *L, sp_context *c, sp_ref object)
{
  const int error = lua_gettop(L);
  sp_shown label;
  if (lua_type(L, error) != LUA_TSTRING || !object)
    return;
  sp_label(c, object, &label);
  lua_pushvalue(L, error);
  sp_hold_error(L, c); /* culprits, text, error */
  lua_pushfstring(L, "%s (%s)", lua_tostring(L, -1), label.text);
  const char *text = lua_tostring(L, -3), *message = lua_tostring(L, -2);
  const char *at = text ? strstr(text, message) : NULL;
  if (at) {
    lua_pushlstring(L, text, (size_t)(at - text));
    lua_pushvalue(L, -2);
    lua_pushstring(L, at + strlen(message));
    lua_concat(L, 3);
    lua_replace(L, -4);
  }
  lua_replace(L, -2);
  sp_release_error(L, c);
  lua_replace(L, error);
}

/* A function that yields would fail in the same way for each object. Replaces that error on top by one that says so. */
static bool explain_yield(lua_State *L)
{
  static const char words[] = "attempt to yield across a C-call boundary";
  const char *text = sp_to_text(L, -1);
  const size_t length = strlen(text);
  if (length < sizeof words - 1 || strcmp(text + length - (sizeof words - 1), words) != 0)
    return false;
  luaL_where(L, 1);
  lua_pushliteral(L, "the function of map cannot yield: for what takes longer than a frame, use object:run(fn)");
  lua_concat(L, 2);
  lua_replace(L, -2);
  return true;
}

/* Makes the map ready: pool at 1, names at 2, function at 3, its other arguments. The names are left behind them. */
static void begin(lua_State *L, mapping *m)
{
  const int top = lua_gettop(L);
  sp_check_open_pool(L, 1);
  sp_check_table(L, 2);
  sp_check_function(L, 3);
  const size_t count = sp_raw_length(L, 2);
  const names n = {top + 1, 1, 2};
  luaL_checkstack(L, 2 * top + SP_MOST_MAPPED + 20, NULL);
  for (size_t i = 1; i <= count && i <= SP_MOST_MAPPED; i++)
    sp_raw_geti(L, 2, (lua_Integer)i);
  check_names(L, n, count);
  spl_pool *p = sp_check_open_pool(L, 1);
  for (int i = 0; i < (int)count; i++)
    if (p->scaled == 0 && sp_names_scale(L, top + 1 + i)) {
      const char *wrong = sp_gain_scales(L, p);
      if (wrong)
        sp_raise_arg(L, 2, "%s", wrong);
      p = sp_check_open_pool(L, 1);
    }
  memset(m, 0, offsetof(mapping, fields));
  for (int i = 0; i < (int)count; i++)
    m->names[i] = sp_to_text(L, n.first + i);
  m->p = p;
  m->extras = top - 3;
  m->fields.count = (int)count;
  find_fields(L, p, &m->fields, n);
  m->walk = sp_pool_walk(p->core);
  sp_push_record(L, p->manager->context, p);
}

/* Calls the region once. Returns whether there may be more objects; an error is left on top. */
static bool run_region(lua_State *L, mapping *m, int handler, bool *failed)
{
  const sp_ref before = m->walk.last;
  const int count = m->extras + m->fields.count;
  lua_pushcfunction(L, region);
  lua_pushlightuserdata(L, m);
  for (int i = 0; i <= count; i++)
    lua_pushvalue(L, 3 + i);
  *failed = lua_pcall(L, 2 + count, 0, handler) != LUA_OK;
  return *failed && m->walk.last != before;
}

int spl_pool_map(lua_State *L)
{
  mapping m;
  begin(L, &m);
  const int error = lua_gettop(L) + 1;
  sp_context *c = m.p->manager->context;
  bool failed = false, has_failed = false, more = true;
  lua_pushnil(L);
  const int handler = sp_door_handler(L, false);
  while (more) {
    more = run_region(L, &m, has_failed ? 0 : handler, &failed);
    if (failed && !has_failed) {
      if (explain_yield(L))
        more = false;
      else
        name_failure(L, c, m.walk.last);
      lua_replace(L, error);
    }
    has_failed |= failed;
    lua_settop(L, handler);
    if (sp_watchdog_is_over(c->watchdog))
      break;
  }
  if (has_failed) {
    lua_pushvalue(L, error);
    return lua_error(L);
  }
  sp_watchdog_check_clock(L);
  lua_pushinteger(L, m.calls);
  return 1;
}

/* }== */
