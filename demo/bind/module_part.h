/*
** Tables that the player adds to the module `spawnpool`: input, view, storage, audio.
*/
#ifndef SP_DEMO_MODULE_PART_H
#define SP_DEMO_MODULE_PART_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Adds what `make` returns to the module under this name. `make` gets `ud` as a light userdata, and the module. False,
   with one line in `error`, when memory is refused or the module is not loaded. */
bool module_part_install(const char *name, lua_CFunction make, const void *ud, lua_State *L, char *error,
                         size_t error_size);

#endif
