/*
** The part of the module `spawnpool` that a session adds: every function of it that a game can reach is a row of this
** table.
*/
#ifndef SP_SESSION_MODULE_H
#define SP_SESSION_MODULE_H

#include <lauxlib.h>
#include <lua.h>

#include "script/state/border.h"

#define SP_SESSION_REACHABLE(X)                                                                                        \
  X(view, to_world, spl_view_to_world, "T n n")                                                                        \
  X(view, to_view, spl_view_to_view, "T n n")                                                                          \
  X(view, __index, spl_view_index, "T k")                                                                              \
  X(view, __newindex, spl_view_newindex, "T k *")                                                                      \
  X(input, down, spl_input_down, "s s?")                                                                               \
  X(input, pressed, spl_input_pressed, "s s?")                                                                         \
  X(input, released, spl_input_released, "s s?")                                                                       \
  X(input, value, spl_input_value, "s s?")                                                                             \
  X(input, axis, spl_input_axis, "s")                                                                                  \
  X(input, mouse, spl_input_mouse, "")                                                                                 \
  X(input, fingers, spl_input_fingers, "")                                                                             \
  X(input, pad, spl_input_pad, "i?")                                                                                   \
  X(pad, down, spl_input_down, "s s?")                                                                                 \
  X(pad, pressed, spl_input_pressed, "s s?")                                                                           \
  X(pad, released, spl_input_released, "s s?")                                                                         \
  X(pad, value, spl_input_value, "s s?")                                                                               \
  X(pad, axis, spl_input_axis, "s")                                                                                    \
  X(pad, __index, spl_pad_index, "T k")                                                                                \
  X(storage, save, spl_storage_save, "s *")                                                                            \
  X(storage, load, spl_storage_load, "s")                                                                              \
  X(audio, play, spl_audio_play, "s T?")                                                                               \
  X(audio, music, spl_audio_music, "s? T?")                                                                            \
  X(audio, stop, spl_audio_stop, "")                                                                                   \
  X(audio, volume, spl_audio_volume, "n?")                                                                             \
  X(audio, mute, spl_audio_mute, "b?")

SP_SESSION_REACHABLE(SP_REACH_PROTOTYPE)

extern const sp_reach sp_session_reachable[];

/* Upvalues of these functions: the state that they are about, and a table of their own that a game does not see. */
#define SP_PART_STATE lua_upvalueindex(1)
#define SP_PART_OWN lua_upvalueindex(2)

/* The default manager in the registry, whatever the game puts in place of spawnpool.pools. */
#define SP_PART_POOLS "spawnpool.session.pools"

/* Pushes the table that the functions of this owner have as SP_PART_OWN. Raises on memory. */
static inline void sp_module_push_own(lua_State *L, const char *owner)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, lua_pushfstring(L, "spawnpool.session.%s", owner));
  lua_remove(L, -2);
}

/* Adds the table with this owner's functions to the module. Their state is `ud`, which must outlive the Lua state.
   False when memory is refused. */
bool sp_module_install(const char *owner, const void *ud, lua_State *L);

#endif
