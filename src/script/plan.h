/*
** A class as C reads it (open.c), on its way to a new pool or to one that changes (adopt.c).
*/
#ifndef SP_SCRIPT_PLAN_H
#define SP_SCRIPT_PLAN_H

#include "script/handles.h"

typedef struct sp_pool_plan {
  sp_pool_desc desc;
  sp_field fields[SP_MAX_FIELDS];
  double numbers[SP_MAX_FIELDS];
  uint32_t packed[SP_MAX_FIELDS]; /* sp_name of each own field */
  sp_curve curves[SP_MAX_CURVES];
} sp_pool_plan;

/* classes.describe(type, path, strict): pushes the flat description; what is wrong is the caller's to hear. */
void sp_push_description(lua_State *L, sp_lua_manager *m, int type);
/* Reads the description at `from`. All of these raise errors. */
void sp_plan_read(lua_State *L, sp_context *c, sp_pool_plan *plan, const char *type, int from);
/* What lies beside the core, in user values of the pool's userdata at `pool`: names, Lua values, functions. */
void sp_plan_names(lua_State *L, sp_lua_pool *p, const sp_pool_plan *plan, int from, int pool);
void sp_plan_values(lua_State *L, sp_lua_pool *p, const sp_pool_plan *plan, int from, int pool);
void sp_plan_functions(lua_State *L, sp_lua_pool *p, int from, int pool);

#endif
