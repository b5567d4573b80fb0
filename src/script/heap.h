/*
** The Lua heap as hot reload sees it. `scan` remembers what tables and file-locals hold and tells what has changed
** since the last look, `undo` puts that back, and `rewrite` turns every reference to what was replaced to what took its
** place, wherever it is held: in tables, in other functions, on the stacks of coroutines.
*/
#ifndef SP_SCRIPT_HEAP_H
#define SP_SCRIPT_HEAP_H

#include <lua.h>

/* shot(stop): a new one, which knows nothing yet; tables that are keys of `stop` are never entered. */
int sp_heap_shot(lua_State *L);
/* scan(shot, roots, shallow, owner, label, log). Takes up what can be reached from the values in `roots`, and from the
   values in the tables of `shallow` but not those tables themselves; what is new belongs to `label` from now on
   (owner[thing] = label, unless nil). With a `log`, first goes through all that is known: what has changed is appended
   as groups of four, thing, key, old, new, counted by log.n. */
int sp_heap_scan(lua_State *L);
/* undo(log): all changes back, the last one first. */
int sp_heap_undo(lua_State *L);
/* rewrite(map, files): what `map` has for a table or function takes its place, wherever that is held. Returns how many
   suspended coroutines run a function of `files`, by source. */
int sp_heap_rewrite(lua_State *L);

#endif
