/*
** Tables that the player adds to the module `spawnpool`: input, view, storage, audio. Those that
** every game has are the rows of demo/bind/reachable.h.
*/
#ifndef SP_DEMO_MODULE_PART_H
#define SP_DEMO_MODULE_PART_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "script/state/border.h"

/* Upvalues of the functions: the player's state, and a table of the part's own, which a game does not see. */
#define PART_STATE lua_upvalueindex(1)
#define PART_OWN lua_upvalueindex(2)

/* The default manager in the registry, whatever the game puts in place of spawnpool.pools. */
#define PART_POOLS "spawnpool.player.pools"

/* Adds the functions of the owner `name` in `rows` to the module, under that name; their state is `ud`. False, with one
   line in `error`, when memory is refused or the module is not loaded. */
bool module_part_install(const char *name, const sp_reach *rows, const void *ud, lua_State *L, char *error,
                         size_t error_size);

#endif
