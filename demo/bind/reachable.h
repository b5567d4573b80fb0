/*
** The player's functions that a game can reach, see script/state/border.h: the methods of `g`, and the tables that the
** player adds to the module `spawnpool`.
*/
#ifndef SP_DEMO_REACHABLE_H
#define SP_DEMO_REACHABLE_H

#include <stddef.h>

#include "script/state/border.h"

#define PLAYER_REACHABLE(X)                                                                                            \
  X(g, color, graphics_lua_color, "g n n n n?")                                                                        \
  X(g, text, graphics_lua_text, "g n n * n? s? s?")                                                                    \
  X(g, measure, graphics_lua_measure, "g * n? s?")                                                                     \
  X(g, line, graphics_lua_line, "g n n n n n?")                                                                        \
  X(g, rect, graphics_lua_rect, "g n n n n s?")                                                                        \
  X(g, circle, graphics_lua_circle, "g n n n s?")                                                                      \
  X(g, sprite, graphics_lua_sprite, "g s n n n? n?")                                                                   \
  X(g, camera, graphics_lua_camera, "g n? n? n? n?")                                                                   \
  X(g, shake, graphics_lua_shake, "g n n")                                                                             \
  X(g, __index, graphics_lua_index, "g k")                                                                             \
  X(g, __newindex, graphics_lua_newindex, "g k *")                                                                     \
  X(spawnpool, quit, window_lua_quit, "")                                                                              \
  X(window, __index, window_lua_index, "T k")                                                                          \
  X(window, __newindex, window_lua_newindex, "T k *")                                                                  \
  X(view, to_world, view_lua_to_world, "T n n")                                                                        \
  X(view, to_view, view_lua_to_view, "T n n")                                                                          \
  X(view, __index, view_lua_index, "T k")                                                                              \
  X(view, __newindex, view_lua_newindex, "T k *")                                                                      \
  X(input, down, input_lua_down, "s s?")                                                                               \
  X(input, mouse, input_lua_mouse, "")                                                                                 \
  X(input, pad, input_lua_pad, "s?")                                                                                   \
  X(input, axis, input_lua_axis, "s")                                                                                  \
  X(storage, save, storage_lua_save, "s *")                                                                            \
  X(storage, load, storage_lua_load, "s")                                                                              \
  X(audio, play, audio_lua_play, "s T?")                                                                               \
  X(audio, music, audio_lua_music, "s? T?")                                                                            \
  X(audio, stop, audio_lua_stop, "")                                                                                   \
  X(audio, volume, audio_lua_volume, "n?")                                                                             \
  X(audio, mute, audio_lua_mute, "b?")

PLAYER_REACHABLE(SP_REACH_PROTOTYPE)

extern const sp_reach player_reachable[];

/* Upvalues of the functions of these tables: the player's state, and a table of their own that a game does not see. */
#define PART_STATE lua_upvalueindex(1)
#define PART_OWN lua_upvalueindex(2)

/* The default manager in the registry, whatever the game puts in place of spawnpool.pools. */
#define PART_POOLS "spawnpool.player.pools"

/* Adds the table with this owner's functions in `rows` to the module `spawnpool`, or, of the owner "spawnpool", the
   functions themselves; their state is `ud`, which must outlive the Lua state. False, with one line in `error`, when memory is refused or the module is not loaded. */
bool reachable_install(const char *owner, const sp_reach *rows, const void *ud, lua_State *L, char *error,
                       size_t error_size);

#endif
