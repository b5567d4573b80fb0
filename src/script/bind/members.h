/*
** The functions of the library that a game can reach, see state/border.h.
*/
#ifndef SP_SCRIPT_MEMBERS_H
#define SP_SCRIPT_MEMBERS_H

#include <lauxlib.h>

#include "script/state/border.h"

#define SP_REACHABLE(X)                                                                                                \
  X(spawnpool, new, spl_module_new, "T?")                                                                              \
  X(spawnpool, load, spl_load_save, "s T?")                                                                            \
  X(spawnpool, testing, spl_module_testing, "*?")                                                                      \
  X(pools, alloc, spl_manager_alloc, "m t n? *? *? *?")                                                                \
  X(pools, recycle, spl_manager_recycle, "m o")                                                                        \
  X(pools, pool, spl_manager_get_pool, "m t")                                                                          \
  X(pools, is_live, spl_manager_is_live, "m o")                                                                        \
  X(pools, update, spl_manager_update, "m n")                                                                          \
  X(pools, each, spl_manager_each, "m *?")                                                                             \
  X(pools, recycle_all, spl_manager_recycle_all, "m *?")                                                               \
  X(pools, clear, spl_manager_clear, "m *?")                                                                           \
  X(pools, remove, spl_manager_remove, "m t")                                                                          \
  X(pools, close, spl_manager_close, "m")                                                                              \
  X(pools, stats, spl_manager_stats, "m t?")                                                                           \
  X(pools, take, spl_manager_take, "m *?")                                                                             \
  X(pools, leaks, spl_manager_leaks, "m T?")                                                                           \
  X(pools, configure, spl_manager_configure, "m T?")                                                                   \
  X(pools, after, spl_manager_after, "m n f")                                                                          \
  X(pools, every, spl_manager_every, "m n f")                                                                          \
  X(pools, run, spl_manager_run, "m f")                                                                                \
  X(pools, snapshot, spl_manager_snapshot, "m S?")                                                                     \
  X(pools, restore, spl_manager_restore, "m S")                                                                        \
  X(pools, hash, spl_manager_hash, "m")                                                                                \
  X(pools, save, spl_manager_save, "m T?")                                                                             \
  X(pools, __index, spl_manager_field, "m k")                                                                          \
  X(pools, __newindex, spl_manager_newindex, "m k *")                                                                  \
  X(pools, __tostring, spl_show, "m")                                                                                  \
  X(pools, __gc, spl_manager_gc, "m")                                                                                  \
  X(pools, __close, spl_manager_close, "m")                                                                            \
  X(pool, alloc, spl_pool_alloc, "p n? *? *? *?")                                                                      \
  X(pool, recycle, spl_pool_recycle, "p o")                                                                            \
  X(pool, prewarm, spl_pool_prewarm, "p i T?")                                                                         \
  X(pool, each, spl_pool_each, "p k? k?")                                                                              \
  X(pool, map, spl_pool_map, "p T f *? *?")                                                                            \
  X(pool, stats, spl_pool_stats, "p")                                                                                  \
  X(pool, recycle_all, spl_pool_recycle_all, "p")                                                                      \
  X(pool, clear, spl_pool_clear, "p")                                                                                  \
  X(pool, trim, spl_pool_trim, "p")                                                                                    \
  X(pool, take, spl_pool_take, "p *?")                                                                                 \
  X(pool, set, spl_pool_set, "p k *")                                                                                  \
  X(pool, add, spl_pool_add, "p k n")                                                                                  \
  X(pool, within, spl_pool_within, "p n n n f?")                                                                       \
  X(pool, nearest, spl_pool_nearest, "p n n")                                                                          \
  X(pool, overlaps, spl_pool_overlaps, "p p f")                                                                        \
  X(pool, separate, spl_pool_separate, "p p")                                                                          \
  X(pool, __index, spl_pool_field, "p k")                                                                              \
  X(pool, __newindex, spl_pool_newindex, "p k *")                                                                      \
  X(pool, __tostring, spl_show, "p")                                                                                   \
  X(object, recycle, spl_object_recycle, "o")                                                                          \
  X(object, after, spl_object_after, "o n f")                                                                          \
  X(object, every, spl_object_every, "o n f")                                                                          \
  X(object, run, spl_object_run, "o f")                                                                                \
  X(object, launch, spl_object_launch, "o n n")                                                                        \
  X(object, world, spl_object_world, "o")                                                                              \
  X(object, tween, spl_object_tween, "o T")                                                                            \
  X(object, __index, spl_object_index, "o k")                                                                          \
  X(object, __newindex, spl_object_newindex, "o k *")                                                                  \
  X(object, __tostring, spl_show, "o")                                                                                 \
  X(object, __pairs, spl_object_pairs, "o")                                                                            \
  X(object, __close, spl_object_close, "o")                                                                            \
  X(super, alloc, spl_base_alloc, "p n? *?")                                                                           \
  X(super, recycle, spl_base_recycle, "p o")                                                                           \
  X(timer, stop, spl_timer_handle_stop, "T")                                                                           \
  X(timer, __index, spl_timer_handle_index, "T k")                                                                     \
  X(timer, __tostring, spl_timer_handle_tostring, "T")                                                                 \
  X(tiles, solid, spl_tiles_solid, "M n n n? n?")                                                                      \
  X(tiles, move, spl_tiles_move, "M o n n")                                                                            \
  X(snapshot, __index, spl_snapshot_index, "S k")                                                                      \
  X(snapshot, __newindex, spl_snapshot_newindex, "S k *")                                                              \
  X(snapshot, __tostring, spl_snapshot_tostring, "S")                                                                  \
  X(stream, write, spl_stream_write, "F *?")                                                                           \
  X(stream, flush, spl_stream_flush, "F")                                                                              \
  X(stream, setvbuf, spl_stream_setvbuf, "F s? i?")                                                                    \
  X(hits, __call, spl_hits_call, "T")                                                                                  \
  X(each, of_pool, spl_walk_next_of_pool, "p *?")                                                                      \
  X(each, with_fields, spl_walk_next_with_fields, "p *?")                                                              \
  X(each, filtered, spl_walk_next_filtered, "m *?")                                                                    \
  X(each, of_object, spl_object_next_field, "o *?")

/* Those that are written in Lua (lua/spawnpool/class.lua, tiles.lua): c is a class. */
#define SP_REACHABLE_IN_LUA(X)                                                                                         \
  X(spawnpool, class, "t T?")                                                                                          \
  X(spawnpool, reset, "")                                                                                              \
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
