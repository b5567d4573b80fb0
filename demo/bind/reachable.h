/*
** The player's functions that a game can reach, see script/state/border.h: the methods of `g`, and the tables that the
** player adds to the module `spawnpool`.
*/
#ifndef SP_DEMO_REACHABLE_H
#define SP_DEMO_REACHABLE_H

#include <lua.h>
#include <stddef.h>

#include "script/state/border.h"

#define PLAYER_REACHABLE(X)                                                                                            \
  X(g, color, graphics_lua_color, "g n n n n?")                                                                        \
  X(g, text, graphics_lua_text, "g n n * n? s? n? s?")                                                                 \
  X(g, measure, graphics_lua_measure, "g * n? n? s?")                                                                  \
  X(g, font, graphics_lua_font, "g s? n?")                                                                             \
  X(g, line, graphics_lua_line, "g n n n n n?")                                                                        \
  X(g, rect, graphics_lua_rect, "g n n n n s?")                                                                        \
  X(g, circle, graphics_lua_circle, "g n n n s?")                                                                      \
  X(g, polygon, graphics_lua_polygon, "g T s?")                                                                        \
  X(g, sprite, graphics_lua_sprite, "g s n n n? n? n? i?")                                                             \
  X(g, tiles, graphics_lua_tiles, "g M")                                                                               \
  X(g, clip, graphics_lua_clip, "g n? n? n? n?")                                                                       \
  X(g, effect, graphics_lua_effect, "g s n? n? n? n?")                                                                 \
  X(g, camera, graphics_lua_camera, "g n? n? n? n?")                                                                   \
  X(g, shake, graphics_lua_shake, "g n n")                                                                             \
  X(g, __index, graphics_lua_index, "g k")                                                                             \
  X(g, __newindex, graphics_lua_newindex, "g k *")                                                                     \
  X(spawnpool, quit, module_lua_quit, "")                                                                              \
  X(spawnpool, __index, module_lua_index, "T k")                                                                       \
  X(spawnpool, __newindex, module_lua_newindex, "T k *")                                                               \
  X(window, __index, window_lua_index, "T k")                                                                          \
  X(window, __newindex, window_lua_newindex, "T k *")                                                                  \
  X(view, to_world, view_lua_to_world, "T n n")                                                                        \
  X(view, to_view, view_lua_to_view, "T n n")                                                                          \
  X(view, __index, view_lua_index, "T k")                                                                              \
  X(view, __newindex, view_lua_newindex, "T k *")                                                                      \
  X(input, down, input_lua_down, "s s?")                                                                               \
  X(input, pressed, input_lua_pressed, "s s?")                                                                         \
  X(input, released, input_lua_released, "s s?")                                                                       \
  X(input, value, input_lua_value, "s s?")                                                                             \
  X(input, axis, input_lua_axis, "s")                                                                                  \
  X(input, mouse, input_lua_mouse, "")                                                                                 \
  X(input, fingers, input_lua_fingers, "")                                                                             \
  X(input, pad, input_lua_pad, "i?")                                                                                   \
  X(pad, down, input_lua_down, "s s?")                                                                                 \
  X(pad, pressed, input_lua_pressed, "s s?")                                                                           \
  X(pad, released, input_lua_released, "s s?")                                                                         \
  X(pad, value, input_lua_value, "s s?")                                                                               \
  X(pad, axis, input_lua_axis, "s")                                                                                    \
  X(pad, __index, pad_lua_index, "T k")                                                                                \
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

/* Pushes the table that the functions of this owner have as PART_OWN. */
static inline void reachable_push_own(lua_State *L, const char *owner)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, lua_pushfstring(L, "spawnpool.player.%s", owner));
  lua_remove(L, -2);
}

/* Adds the table with this owner's functions in `rows` to the module `spawnpool`; the functions of the owner
   "spawnpool" are added to the module itself. Their state is `ud`, which must outlive the Lua state. False, with one
   line in `error`, when memory is refused or the module is not loaded. */
bool reachable_install(const char *owner, const sp_reach *rows, const void *ud, lua_State *L, char *error,
                       size_t error_size);

/* {== The object g =======================================================
** The object `g` that a game's draw(g) gets. Its methods draw only while draw runs, and raise an error otherwise;
** `measure` works at any time.
**
**   g:color(r, g, b, a?)                sets the colour, 0..1 each; white at the start of every draw
**   g:text(x, y, s, size?, align?, width?, font?)  top at y; "left", "center" or "right" of each line at x; lines are
**                                       broken at `width`; size and font are those of g:font by default; width and
**                                       font may be swapped
**   g:measure(s, size?, width?, font?)  -> width and height of the text
**   g:font(name?, size?)                "sans", "mono" or a file of the game, "fonts/pixel.ttf" or "fonts/pixel.png";
**                                       without arguments sans of size 16, as at the start of every draw
**   g:line(x1, y1, x2, y2, width?)
**   g:rect(x, y, w, h, mode?)           mode "fill" (the default) or "line"
**   g:circle(x, y, radius, mode?)
**   g:polygon(points, mode?)            {x1, y1, x2, y2, ...} or {{x1, y1}, ...}
**   g:sprite(name, x, y, angle?, scale_x?, scale_y?, frame?)  at the size of an object of radius 8; a negative scale
**                                       mirrors, scale_y is scale_x by default
**   g:tiles(map)                        what is seen of a map of spawnpool.tiles
**   g:clip(x, y, w, h)                  what is drawn next is only seen in this area of the view; without arguments:
**                                       everywhere
**   g:effect(name, amount?, r?, g?, b?)  changes the picture so far: "flash", "tint" or "crt"
**   g:camera(x, y, zoom?, angle?)       centres the view on x, y of the world; without arguments: no camera
**   g:shake(x, y)                       shifts the world by x, y in the next frame
**   g.width, g.height                   size of the view, in units
**   g.scale                             points of the window per unit of the view
**   g.update_ms, g.draw_ms              duration of the last steps, and CPU time of the last frame's drawing */

/* Creates `g` in a state, with the functions of `rows`; `*reference` is its number in the registry. `it` must outlive
   the state. False, with one line in `error`, when memory is refused. */
struct graphics;
bool graphics_install(struct graphics *it, const sp_reach *rows, lua_State *L, int *reference, char *error,
                      size_t error_size);

/* }== */

#endif
