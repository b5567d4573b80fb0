/*
** The Lua heap as hot reload sees it: `look` remembers what tables and file-locals hold and reports what has changed
** since the last look. It works in bounded steps, as do heap_change.h and heap_follow.h: their cost does not grow with
** the game.
*/
#ifndef SP_SCRIPT_HEAP_H
#define SP_SCRIPT_HEAP_H

#include <lua.h>

/* shot(stop, most): returns a new shot, which holds nothing yet; tables that are keys of `stop` are never entered,
   and at most `most` entries are remembered. */
int sp_heap_shot(lua_State *L);
/* stop(shot, table): excludes the table, too, from now on. */
int sp_heap_stop(lua_State *L);
/* look(shot, roots, stores, log): remembers what is reachable from the values in `roots`, and from the values in the
   tables of `stores` but not those tables themselves, nearest first. With a `log`, first compares all that is
   remembered: changes are appended as groups of four, thing, key, old, new, counted by log.n. Remembers nothing when
   there are no `roots`. */
int sp_heap_look(lua_State *L);

#endif
