/*
** `pools:alloc(type, lifetime, {field = value})`: the fields of an object that is open are written from a table.
*/
#include "script/bind/fill.h"

#include "script/bind/fields.h"
#include "script/bind/hooks.h"
#include "script/bind/object.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* Writing a table's pairs into an object that is open. What is wrong with a pair is noted, and raised when the
   object is not open any more: a message allocates. */
typedef struct filling {
  sp_lua_pool *p;
  sp_ref object;
  struct refusal *refusal;
} filling;

typedef struct refusal {
  const char *wrong; /* NULL: nothing */
  bool unknown;      /* there is no such field */
  sp_shown name, value;
} refusal;

/* Writes the pair of the key at 3 and the value at 4. Returns false when that is not possible. */
static bool fill_pair(lua_State *L, const filling *f)
{
  refusal *r = f->refusal;
  uint32_t name = lua_type(L, 3) == LUA_TSTRING ? sp_keymap_find(L, f->p->names, 3) : SP_NO_KEY;
  if (lua_type(L, 3) != LUA_TSTRING)
    r->wrong = "is no name";
  else if (name == SP_NO_KEY)
    r->unknown = true;
  else
    r->wrong = sp_object_write(L, f->p, sp_ref_slot(f->object), name, 4);
  return !r->wrong && !r->unknown;
}

/* fill(table, filling) -> the key that cannot be written. Protected by its caller: running out of memory is all that it
   raises. */
static int fill(lua_State *L)
{
  const filling *f = sp_raw_block(L, 2);
  lua_settop(L, 2);
  for (lua_pushnil(L); sp_raw_next(L, 1); lua_pop(L, 1))
    if (!fill_pair(L, f)) {
      sp_show_name(L, 3, &f->refusal->name);
      sp_show(L, 4, &f->refusal->value);
      lua_pushvalue(L, 3);
      return 1;
    }
  return 0;
}

/* Raises why a pair was refused. The result of fill is on top; the object is no longer open, and hooks may have run. */
static SP_COLD int refuse_filling(lua_State *L, sp_context *c, uint64_t pool, const refusal *r, int arg)
{
  const sp_lua_pool *p = sp_pool_again(c, pool);
  if (r->unknown && p)
    sp_object_unknown(L, p, -1, arg);
  if (lua_type(L, -1) != LUA_TSTRING)
    sp_raise_arg(L, arg, "field names are strings, got %s", luaL_typename(L, -1));
  sp_raise_arg(L, arg, "field '%s' %s, got %s", r->name.text, r->wrong ? r->wrong : "is unknown", r->value.text);
}

/* The object is open: writes the fields from the table at `arg`, and commits it, or cancels it and raises why. */
sp_ref sp_fill_object(lua_State *L, sp_lua_pool *p, sp_ref object, int arg, sp_result *why)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  refusal r = {.wrong = NULL};
  filling f = {p, object, &r};
  lua_pushcfunction(L, fill);
  lua_pushvalue(L, arg);
  lua_pushlightuserdata(L, &f);
  bool filled = sp_raw_pcall(L, 2, 1) == LUA_OK, accepted = filled && !r.wrong && !r.unknown;
  lua_State *outer = sp_begin(c, L);
  if (accepted) {
    object = sp_alloc_commit(p->manager->core, object, why);
  } else {
    sp_forget_values(p, sp_ref_slot(object));
    sp_alloc_cancel(p->manager->core, object);
  }
  sp_finish(c, outer);
  if (!filled)
    luaL_argerror(L, arg, lua_tostring(L, -1));
  if (!accepted)
    refuse_filling(L, c, id, &r, arg);
  return object;
}
