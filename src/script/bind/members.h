/*
** The functions of the library that a game can reach, see state/border.h.
*/
#ifndef SP_SCRIPT_MEMBERS_H
#define SP_SCRIPT_MEMBERS_H

#include <lauxlib.h>

#include "script/state/border.h"

#define SP_REACHABLE(X)                                                                                                \
  X(spawnpool, new, sp_module_new, "T?")                                                                               \
  X(spawnpool, load, sp_load_save, "s T?")                                                                             \
  X(pools, alloc, sp_manager_alloc, "m t n? *? *? *?")                                                                 \
  X(pools, recycle, sp_manager_recycle, "m o")                                                                         \
  X(pools, pool, sp_manager_get_pool, "m t")                                                                           \
  X(pools, is_live, sp_manager_is_live, "m o")                                                                         \
  X(pools, update, sp_manager_update, "m n")                                                                           \
  X(pools, each, sp_manager_each, "m *?")                                                                              \
  X(pools, recycle_all, sp_manager_recycle_all, "m *?")                                                                \
  X(pools, clear, sp_manager_clear, "m *?")                                                                            \
  X(pools, remove, sp_manager_remove, "m t")                                                                           \
  X(pools, close, sp_manager_close, "m")                                                                               \
  X(pools, stats, sp_manager_stats, "m t?")                                                                            \
  X(pools, take, sp_manager_take, "m *?")                                                                              \
  X(pools, leaks, sp_manager_leaks, "m T?")                                                                            \
  X(pools, configure, sp_manager_configure, "m T?")                                                                    \
  X(pools, after, sp_manager_after, "m n f")                                                                           \
  X(pools, every, sp_manager_every, "m n f")                                                                           \
  X(pools, run, sp_manager_run, "m f")                                                                                 \
  X(pools, snapshot, sp_manager_snapshot, "m S?")                                                                      \
  X(pools, restore, sp_manager_restore, "m S")                                                                         \
  X(pools, hash, sp_manager_hash, "m")                                                                                 \
  X(pools, save, sp_manager_save, "m T?")                                                                              \
  X(pools, __index, sp_manager_field, "m k")                                                                           \
  X(pools, __newindex, sp_manager_newindex, "m k *")                                                                   \
  X(pools, __tostring, sp_lua_show, "m")                                                                               \
  X(pools, __gc, sp_manager_gc, "m")                                                                                   \
  X(pools, __close, sp_manager_close, "m")                                                                             \
  X(pool, alloc, sp_lua_alloc, "p n? *? *? *?")                                                                        \
  X(pool, recycle, sp_lua_recycle, "p o")                                                                              \
  X(pool, prewarm, sp_lua_pool_prewarm, "p i T?")                                                                      \
  X(pool, each, sp_lua_pool_each, "p")                                                                                 \
  X(pool, stats, sp_lua_pool_stats, "p")                                                                               \
  X(pool, recycle_all, sp_lua_pool_recycle_all, "p")                                                                   \
  X(pool, clear, sp_lua_pool_clear, "p")                                                                               \
  X(pool, trim, sp_lua_pool_trim, "p")                                                                                 \
  X(pool, take, sp_lua_pool_take, "p *?")                                                                              \
  X(pool, set, sp_lua_pool_set, "p k *")                                                                               \
  X(pool, add, sp_lua_pool_add, "p k n")                                                                               \
  X(pool, within, sp_lua_pool_within, "p n n n f?")                                                                    \
  X(pool, nearest, sp_lua_pool_nearest, "p n n")                                                                       \
  X(pool, overlaps, sp_lua_pool_overlaps, "p p f")                                                                     \
  X(pool, separate, sp_lua_pool_separate, "p p")                                                                       \
  X(pool, __index, sp_lua_pool_field, "p k")                                                                           \
  X(pool, __newindex, sp_lua_pool_newindex, "p k *")                                                                   \
  X(pool, __tostring, sp_lua_show, "p")                                                                                \
  X(object, recycle, sp_object_recycle, "o")                                                                           \
  X(object, after, sp_object_after, "o n f")                                                                           \
  X(object, every, sp_object_every, "o n f")                                                                           \
  X(object, run, sp_object_run, "o f")                                                                                 \
  X(object, launch, sp_object_launch, "o n n")                                                                         \
  X(object, world, spl_object_world, "o")                                                                              \
  X(object, tween, sp_object_tween, "o T")                                                                             \
  X(object, __index, sp_object_index, "o k")                                                                           \
  X(object, __newindex, sp_object_newindex, "o k *")                                                                   \
  X(object, __tostring, sp_lua_show, "o")                                                                              \
  X(object, __pairs, sp_object_pairs, "o")                                                                             \
  X(object, __close, sp_object_close, "o")                                                                             \
  X(super, alloc, sp_base_alloc, "p n? *?")                                                                            \
  X(super, recycle, sp_base_recycle, "p o")                                                                            \
  X(timer, stop, sp_timer_handle_stop, "T")                                                                            \
  X(timer, __index, sp_timer_handle_index, "T k")                                                                      \
  X(timer, __tostring, sp_timer_handle_tostring, "T")                                                                  \
  X(tiles, solid, sp_tiles_solid, "M n n n? n?")                                                                       \
  X(tiles, move, sp_tiles_move, "M o n n")                                                                             \
  X(snapshot, __index, sp_snapshot_index, "S k")                                                                       \
  X(snapshot, __newindex, sp_snapshot_newindex, "S k *")                                                               \
  X(snapshot, __gc, sp_snapshot_gc, "S")                                                                               \
  X(snapshot, __tostring, sp_snapshot_tostring, "S")                                                                   \
  X(hits, __call, sp_hits_call, "T")                                                                                   \
  X(each, of_pool, sp_walk_next_of_pool, "p *?")                                                                       \
  X(each, filtered, sp_walk_next_filtered, "m *?")                                                                     \
  X(each, of_object, sp_object_next_field, "o *?")

/* Those that are written in Lua (lua/spawnpool/class.lua, tiles.lua): c is a class. */
#define SP_REACHABLE_IN_LUA(X)                                                                                         \
  X(spawnpool, class, "t T?")                                                                                          \
  X(spawnpool, keep, "*")                                                                                              \
  X(spawnpool, live, "*")                                                                                              \
  X(spawnpool, any, "*?")                                                                                              \
  X(spawnpool, fresh, "f")                                                                                             \
  X(spawnpool, tiles, "T")                                                                                             \
  X(tiles, get, "M i i")                                                                                               \
  X(tiles, set, "M i i *")                                                                                             \
  X(tiles, at, "M n n")                                                                                                \
  X(tiles, each, "M *")                                                                                                \
  X(tiles, __tostring, "M")                                                                                            \
  X(class, __newindex, "c k *")                                                                                        \
  X(class, __pairs, "c")                                                                                               \
  X(class, __tostring, "c")

SP_REACHABLE(SP_REACH_PROTOTYPE)

extern const sp_reach sp_reachable[];
/* Functions for embedded Lua files; each has its contract in members.c. */
extern const luaL_Reg sp_class_natives[], sp_member_natives[];

#endif
