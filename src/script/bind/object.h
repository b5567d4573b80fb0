/*
** Objects in Lua: light userdata that are references, with one metatable for all of them.
*/
#ifndef SP_SCRIPT_OBJECT_H
#define SP_SCRIPT_OBJECT_H

#include "script/state/handles.h"

/* Raises when another library has set the metatable of light userdata. */
void sp_object_check_free(lua_State *L);
/* Sets the metatable of light userdata. */
void sp_object_open(lua_State *L, sp_context *c);

/* Assignments to fields of objects are reported to sp_calls.look and sp_calls.wrote from now on. Allocates nothing. */
void sp_object_watch(lua_State *L);

/* Raises an error: objects of `p` have no field of the name at `key`, with the nearest name. It is an argument error
   unless `arg` is 0. */
_Noreturn void sp_object_unknown(lua_State *L, const spl_pool *p, int key, int arg);
/* Returns the manager of the object at 1; raises an error unless that is live: "timers", for example, belong to a
   life. */
const spl_manager *sp_object_check_live(lua_State *L, const char *what);
/* Raises an error: the reference at `arg` is stale or foreign. */
_Noreturn void sp_object_stale(lua_State *L, const sp_context *c, int arg);

#endif
