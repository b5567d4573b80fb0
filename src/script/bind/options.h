/*
** Options of `spawnpool.new`.
*/
#ifndef SP_SCRIPT_OPTIONS_H
#define SP_SCRIPT_OPTIONS_H

#include "script/state/handles.h"

typedef struct sp_manager_options {
  sp_unknown unknown;
  sp_misuse misuse;
  bool trace;
  double step; /* 0: the core's default */
} sp_manager_options;

/* Reads the options table at `options` (0: none) into `o`, pushes the path or nil, and seeds the random
   numbers if the table says so; raises errors. */
void sp_read_options(lua_State *L, const sp_context *c, sp_manager_options *o, int options);

#endif
