/*
** The border between scripts and C. Every C function that a script can call, and every one that calls scripts, keeps
** these rules; tests/script/check_border.c reads the sources and fails where one is broken.
**
**   1. Arguments first. `self` and all other arguments are checked and turned into plain C values before anything else
**      happens, by raw access: no metamethod runs, no number becomes a string, nothing is allocated.
**   2. The work uses these values only.
**   3. Whatever may run a script ends all knowledge about managers and pools: a call, a hook of the core, and every
**      allocation in the Lua state, because finalisers run there. Afterwards a pointer is fetched again by its id, with
**      sp_manager_again or sp_pool_again, which return NULL for what is gone. A reference to an object is an id.
**   4. Steps that must not be interrupted run inside sp_quietly, where the collector rests.
**   5. Messages are formatted in C before they are raised. sp_show puts a value into words without running anything.
*/
#ifndef SP_SCRIPT_BORDER_H
#define SP_SCRIPT_BORDER_H

#include "script/state/handles.h"

/* {== Ids ================================================================ */

/* An id is never given out twice: the manager's number in its upper 8 bits, a pool's index in the next 24, and a count
   of all managers and pools that the state has ever had. Returns the open manager or pool that has it, or NULL. */
static inline sp_lua_manager *sp_manager_again(const sp_context *c, uint64_t id)
{
  sp_lua_manager *m = c->managers[id >> 56];
  return m && m->id == id ? m : NULL;
}
static inline sp_lua_pool *sp_pool_again(const sp_context *c, uint64_t id)
{
  const sp_lua_manager *m = c->managers[id >> 56];
  uint32_t index = (uint32_t)(id >> 32) & 0xffffff;
  sp_lua_pool *p = m && index < m->pool_count ? m->pools[index] : NULL;
  return p && p->id == id ? p : NULL;
}
uint64_t sp_new_id(sp_context *c, uint32_t manager, uint32_t index);

/* Whether the core has called nothing of a script since `crossings` was read from the context: what was known before a
   call of the core is still true then. For hot paths; it says nothing about allocations. */
static inline bool sp_is_untouched(const sp_context *c, uint64_t crossings)
{
  return SP_LIKELY(c->crossings == crossings);
}

/* }== */

/* {== Messages =========================================================== */

#define SP_SHOWN_MOST 256 /* a type's name has 200 characters at most */

typedef struct sp_shown {
  char text[SP_SHOWN_MOST];
} sp_shown;

/* The value at `index` in words, as error messages show it: strings in quotes and cut when long, objects as
   "Bullet#12 (live)". Fills `out` and returns its text. */
const char *sp_show(lua_State *L, int index, sp_shown *out);
/* A string at `index`, cut when long, as it is; other values as sp_show has them. */
const char *sp_show_name(lua_State *L, int index, sp_shown *out);

/* A copy of a text, cut when long: for names that belong to a pool. */
const char *sp_copy_text(const char *text, sp_shown *out);
/* "Bullet#12", or "object" for what is none. */
const char *sp_label(const sp_context *c, sp_ref object, sp_shown *out);

/* Raise an error with the place of the caller, or about an argument. The text is made before anything can run, so it
   may show names that belong to a pool. Long messages are cut. */
_Noreturn void sp_raise(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void sp_raise_arg(lua_State *L, int arg, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same about a value that may have been assigned: an assignment has no argument numbers. */
_Noreturn void sp_raise_value(lua_State *L, int arg, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* }== */

/* {== Raw reading ======================================================== */

/* The text of the string at `index`, or "" for every other value, numbers too. */
static inline const char *sp_to_text(lua_State *L, int index)
{
  return lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
}

/* The text of the string at `arg`; raises for every other value. */
static inline const char *sp_check_text(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TSTRING)
    luaL_typeerror(L, arg, "string");
  return lua_tostring(L, arg);
}

/* Pushes the entry `key` of the table at `index`, raw, nil of what is no table, and returns its type. No collector
   step can come in between. */
int sp_raw_field(lua_State *L, int index, const char *key);
/* The same of the globals. */
int sp_raw_global(lua_State *L, const char *key);

/* lua_pcall of a C function that runs no script and makes no collector step: for what may run out of memory. */
static inline int sp_raw_pcall(lua_State *L, int nargs, int nresults) { return lua_pcall(L, nargs, nresults, 0); }

/* }== */

/* {== Quiet ============================================================== */

/* As lua_call, while the collector rests: no finaliser can come in between. An error is raised after the collector is
   back at work. What is called must not call scripts. */
void sp_quietly(lua_State *L, int nargs, int nresults);
/* The same, but it returns what lua_pcall does. */
int sp_quiet_pcall(lua_State *L, int nargs, int nresults);

/* }== */

#endif
