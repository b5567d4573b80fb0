#include "script/state/sprite_names.h"

bool sp_find_sprite(lua_State *L, sp_context *c, int index, uint16_t *number)
{
  index = lua_absindex(L, index);
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    if (c->sprite_count > UINT16_MAX) {
      lua_pop(L, 2);
      return false;
    }
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, c->sprite_count);
    lua_pushvalue(L, index);
    lua_pushinteger(L, c->sprite_count);
    lua_rawset(L, -4);
    lua_pushinteger(L, c->sprite_count++);
    lua_replace(L, -2);
  }
  *number = (uint16_t)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return true;
}

uint16_t sp_sprite_number(lua_State *L, sp_context *c, int index)
{
  uint16_t number = 0;
  if (!sp_find_sprite(L, c, index, &number))
    luaL_error(L, "too many sprite names (at most %d)", UINT16_MAX + 1);
  return number;
}

void sp_push_sprite_name(lua_State *L, const sp_context *c, uint16_t sprite)
{
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  lua_rawgeti(L, -1, sprite);
  lua_replace(L, -2);
}
