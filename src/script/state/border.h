/*
** The border between scripts and C. Every C function that a script can call, and every one that calls scripts, keeps
** these rules. careful.h makes the compiler refuse some of what breaks them; a hardened build ends (handles.h).
**
**   1. Arguments first. `self` and all other arguments are checked and turned into plain C values before anything else
**      happens, by raw access: no metamethod runs, no number becomes a string, nothing is allocated.
**   2. The work uses these values only.
**   3. Whatever may run a script ends all knowledge about managers and pools: a call, a hook of the core, and every
**      allocation in the Lua state, because finalisers run there. Afterwards a pointer is fetched again by its id, with
**      sp_manager_from_id or sp_pool_from_id, which return NULL for what is gone. A reference to an object is an id.
**   4. Steps that must not be interrupted run inside sp_call_without_gc, where the collector is stopped.
**   5. Messages are formatted in C before they are raised. sp_show puts a value into words without running anything.
*/
#ifndef SP_SCRIPT_BORDER_H
#define SP_SCRIPT_BORDER_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

/* {== What a game can reach ============================================== */

/* Every C function and metamethod of the library is a row of src/script/bind/members.h, every one of the player a row
   of demo/bind/reachable.h. A function is registered by its row and in no other way; the rows are also what
   docs/calls.md lists, and what generated attacks call (tests/fuzz/hostile). */
typedef struct sp_reach {
  const char *owner, *name; /* "pool" and "alloc"; a metamethod begins with "__" */
  lua_CFunction function;
  /* Its arguments, a letter each, "?" behind those that may be left out: m manager, p pool, o object, S snapshot, t
     name of a type, k name of a field, n number, i whole number, s text, f function, b boolean, T table, M map of
     tiles, F stream of `io`, g `g`, * anything. */
  const char *takes;
} sp_reach;

/* Rows are lists of X(owner, name, function, takes): these make the prototypes, and the entries of an array, which ends
   with one without an owner. */
#define SP_REACH_PROTOTYPE(owner, name, function, takes) int function(lua_State *L);
#define SP_REACH_ENTRY(owner, name, function, takes) {#owner, #name, function, takes},

/* Returns whether a row is a metamethod. */
static inline bool sp_reach_is_meta(const sp_reach *row) { return row->name[0] == '_'; }

/* Returns the next row of an owner from `row` on, of its methods or of its metamethods; NULL at the end. */
const sp_reach *sp_reach_next(const sp_reach *row, const char *owner, bool meta);

/* Puts the methods, or the metamethods, of an owner into the table on top, each with `ud` as its first upvalue, and the
   value below the table as its second if `shared`. Entries that are there stay. Raises on memory. */
void sp_reach_set(lua_State *L, const sp_reach *rows, const char *owner, bool meta, const void *ud, bool shared);

/* }== */

/* {== Raising ============================================================ */

/* Lua's headers do not say that these never return: without it a check that raises seems to go on with NULL.
   NOLINTBEGIN(readability-redundant-declaration): they are declared again for just that. */
#if defined(__GNUC__)
__attribute__((noreturn)) LUA_API int(lua_error)(lua_State *L);
__attribute__((noreturn)) LUALIB_API int(luaL_error)(lua_State *L, const char *format, ...);
__attribute__((noreturn)) LUALIB_API int(luaL_argerror)(lua_State *L, int arg, const char *message);
__attribute__((noreturn)) LUALIB_API int(luaL_typeerror)(lua_State *L, int arg, const char *type);
#endif
/* NOLINTEND(readability-redundant-declaration) */

/* Raise an error with the position of the caller, or about an argument. The message is formatted before any script can
   run, so it may show names that belong to a pool. Long messages are cut. */
_Noreturn void sp_raise(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void sp_raise_arg(lua_State *L, int arg, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Raises an error about an argument, or about an assigned value, which has no argument number. */
_Noreturn void sp_raise_value(lua_State *L, int arg, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* }== */

/* {== Raw reading ======================================================== */

/* Pushes the raw entry `key` of the table at `index`, or nil if that is no table, and returns its type. Makes no
   collector step. */
int sp_raw_field(lua_State *L, int index, const char *key);
/* Pushes a raw global in the same way. */
int sp_raw_global(lua_State *L, const char *key);

/* Calls a C function that runs no script and makes no collector step, but may run out of memory. */
static inline int sp_raw_pcall(lua_State *L, int nargs, int nresults) { return lua_pcall(L, nargs, nresults, 0); }

/* }== */

/* {== Quiet ============================================================== */

/* Works as lua_call with the collector stopped, so that no finaliser runs. An error is raised after the collector is
   restarted. The function must not call scripts. */
void sp_call_without_gc(lua_State *L, int nargs, int nresults);
/* Works as lua_pcall in the same way. */
int sp_pcall_without_gc(lua_State *L, int nargs, int nresults);

/* }== */

#endif
