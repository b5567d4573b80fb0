/*
** Filters of pools and objects, and walks without garbage: the state of a walk, the serial at which it began and the
** last object visited, is in the two values of the generic `for`, so every walk of a pool uses the same function.
*/
#ifndef SP_SCRIPT_QUERY_H
#define SP_SCRIPT_QUERY_H

#include "script/state/handles.h"

/* `pool:each()`: returns the three values of the generic for, for the pool userdata at `pool`. */
int sp_walk_pool(lua_State *L, int pool);
/* `pools:each(filter)`: the same over all pools of the manager at `manager`; filter at `filter`. */
int sp_walk_manager(lua_State *L, int manager, int filter);

/* Checks the arguments of a step of a walk: the serial at which it began, and the object visited before (nil at
   first). `pool` is NULL for a walk over a manager. */
sp_walk sp_check_walk(lua_State *L, const sp_manager *m, sp_pool *pool);

/* sp_walk_next, at once where the next object of the chunk is one that it would return. */
static inline sp_ref sp_walk_step(sp_walk *walk, const sp_manager *m)
{
  const sp_slots *s = sp_slots_of(m);
  uint32_t slot = sp_ref_slot(walk->last) + 1;
  if (SP_LIKELY(walk->last && slot & SP_CHUNK_MASK && s->transitional == 0)) {
    const sp_chunk *chunk = sp_slot_chunk(m, slot);
    const uint64_t live = chunk->live >> (slot & SP_CHUNK_MASK);
    slot += SP_LIKELY(live & 1) || !live ? 0 : (uint32_t)__builtin_ctzll(live);
    const sp_life *life = &chunk->life[slot & SP_CHUNK_MASK];
    if (SP_LIKELY(live && chunk->owner == walk->pool && life->serial <= walk->serial))
      return walk->last = (sp_ref)life->generation << 32 | s->id_bits | slot;
  }
  return sp_walk_next(walk);
}

/* A filter is nil, a type name, {type=}, {class=}, {group=} or function(obj). Raises when it is none of these. */
void sp_check_filter(lua_State *L, int filter);
/* Returns whether a filter other than a function matches the pool. */
bool sp_filter_takes_pool(lua_State *L, int filter, const spl_pool *p);
/* Calls the function with an object. Returns whether its result is true. */
bool sp_function_takes(lua_State *L, int function, sp_ref object);

#endif
