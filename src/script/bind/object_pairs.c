
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/object.h"
#include "script/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* pairs(object) visits own fields in the order of the class, then these. */
static const char *const shown[] = {"x",    "y",     "angle",   "vx",     "vy",     "ax", "ay",
                                    "spin", "scale", "radius",  "layer",  "sprite", "r",  "g",
                                    "b",    "a",     "visible", "pinned", "parent"};
enum { SHOWN = sizeof shown / sizeof *shown };

/* Pushes the name of own field number `i` (from 1) of a pool; false, and nothing, when there are not so many. */
static bool push_own_field(lua_State *L, const sp_lua_pool *p, lua_Integer i)
{
  int top = lua_gettop(L);
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_KEYMAP);
  lua_getiuservalue(L, -1, 1);
  sp_raw_geti(L, -1, i);
  bool found = sp_raw_field(L, -1, "name") == LUA_TSTRING;
  lua_replace(L, top + 1);
  lua_settop(L, found ? top + 1 : top);
  return found;
}

/* Returns the place of the field named at 2 in the walk, 0 for nil. Own fields count from 1, the others from
   SP_MAX_FIELDS + 1. */
static lua_Integer place_of_field(lua_State *L, const sp_lua_pool *p)
{
  if (lua_isnoneornil(L, 2))
    return 0;
  const char *text = sp_to_text(L, 2);
  for (int i = 0; i < SHOWN; i++)
    if (strcmp(shown[i], text) == 0)
      return SP_MAX_FIELDS + 1 + i;
  uint32_t name = sp_keymap_find(L, p->names, 2);
  if (name == SP_NO_KEY || SP_NAME_KIND(name) > SP_NAME_REF || SP_NAME_WHAT(name) < SP_FIELDS)
    sp_raise_arg(L, 2, "the last field of the walk expected");
  return SP_NAME_WHAT(name) - SP_FIELDS + 1;
}

/* Pushes name and value of the field at a place; false, and nothing, when there is none such. A value is made when it
   is read: afterwards nothing is known about the pool. */
static bool push_field_at(lua_State *L, sp_lua_pool *p, uint32_t slot, lua_Integer place)
{
  if (place > SP_MAX_FIELDS) {
    uint32_t name = sp_keymap_find_text(p->names, shown[place - SP_MAX_FIELDS - 1]);
    sp_object_read(L, p, slot, name);
    lua_pushstring(L, shown[place - SP_MAX_FIELDS - 1]);
    lua_insert(L, -2);
    return true;
  }
  if (!push_own_field(L, p, place))
    return false;
  sp_object_read(L, p, slot, sp_keymap_find(L, p->names, -1));
  return true;
}

/* Returns the pool of the object at 1; raises when there is none. */
static sp_lua_pool *check_pool_of(lua_State *L, const sp_context *c)
{
  sp_ref object = sp_check_object(L, 1);
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (!m || !sp_ref_resolves(m->core, object))
    sp_object_stale(L, c, 1);
  return sp_lua_pool_of(sp_slot_pool(m->core, sp_ref_slot(object)));
}

/* next(object, name) -> name, value; fields that are nil are passed over. */
int sp_object_next_field(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  uint32_t slot = sp_ref_slot(sp_check_object(L, 1));
  sp_lua_pool *p = check_pool_of(L, c);
  for (lua_Integer place = place_of_field(L, p) + 1; place <= SP_MAX_FIELDS + SHOWN; place++) {
    p = check_pool_of(L, c);
    lua_settop(L, 2);
    if (place > SP_MAX_FIELDS && !sp_pool_is_spatial(p->core))
      break;
    if (push_field_at(L, p, slot, place) && !lua_isnil(L, -1))
      return 2;
  }
  return 0;
}

int sp_object_pairs(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  check_pool_of(L, c);
  sp_push_function(L, c, sp_object_next_field);
  lua_pushvalue(L, 1);
  return 2;
}
