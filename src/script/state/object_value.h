/*
** An object in Lua: a light userdata, the 64 bits of its reference instead of a pointer. Where pointers have fewer, Lua
** has to be one whose light userdata have 64 bits all the same: demo/web/lua_lightbits.patch makes it.
*/
#ifndef SP_SCRIPT_OBJECT_VALUE_H
#define SP_SCRIPT_OBJECT_VALUE_H

#include <lua.h>
#include <stdint.h>

#include "core/spawnpool.h"

#ifdef LUA_LIGHTBITS

static inline void sp_push_object(lua_State *L, sp_ref object) { lua_pushlightbits(L, (lua_Unsigned)object); }
static inline sp_ref sp_to_object(lua_State *L, int index) { return (sp_ref)lua_tolightbits(L, index); }

#elif UINTPTR_MAX >= UINT64_MAX

static inline void sp_push_object(lua_State *L, sp_ref object)
{
  lua_pushlightuserdata(L, (void *)(uintptr_t)object); /* NOLINT(performance-no-int-to-ptr): it is no pointer */
}
static inline sp_ref sp_to_object(lua_State *L, int index) { return (sp_ref)(uintptr_t)lua_touserdata(L, index); }

#else
#error "spawnpool in Lua needs pointers of 64 bits; the core alone, `make core`, does not"
#endif

#endif
