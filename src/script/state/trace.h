/*
** Where lives began and ended, when the manager's `trace` is on.
*/
#ifndef SP_SCRIPT_TRACE_H
#define SP_SCRIPT_TRACE_H

#include "script/state/handles.h"

/* Note where the life of an object of `m` began, and where and why it ended. Memory that is refused only loses the
   note. */
void sp_trace_alloc(lua_State *L, sp_lua_manager *m, sp_ref object);
void sp_trace_end(sp_lua_manager *m, sp_ref object, sp_why why);
/* Pushes what is known of the life that a reference names, "" when nothing is. Runs scripts. */
void sp_push_story(lua_State *L, const sp_context *c, sp_ref object);

#endif
