/*
** The border between scripts and C. Every C function that a script can call, and every one that calls scripts, keeps
** these rules. careful.h makes the compiler refuse some of what breaks them; a build for tests ends (hardened.h).
**
**   1. Arguments first. `self` and all other arguments are checked and turned into plain C values before anything else
**      happens, by raw access: no metamethod runs, no number becomes a string, nothing is allocated.
**   2. The work uses these values only.
**   3. Whatever may run a script ends all knowledge about managers and pools: a call, a hook of the core, and every
**      allocation in the Lua state, because finalisers run there. Afterwards a pointer is fetched again by its id, with
**      sp_manager_again or sp_pool_again, which return NULL for what is gone. A reference to an object is an id.
**   4. Steps that must not be interrupted run inside sp_quietly, where the collector is stopped.
**   5. Messages are formatted in C before they are raised. sp_show puts a value into words without running anything.
*/
#ifndef SP_SCRIPT_BORDER_H
#define SP_SCRIPT_BORDER_H

#include "script/state/handles.h"

/* {== Ids ================================================================ */

/* Return the open manager, or pool, with this id; NULL when it is gone. Ids are never reused: the upper 8 bits are the
   manager's number, the next 24 a pool's index, and the rest counts all managers and pools that the state ever had. */
static inline sp_lua_manager *sp_manager_again(const sp_context *c, uint64_t id)
{
  sp_lua_manager *m = sp_held_manager(c->managers[id >> 56]);
  return m && m->id == id ? m : NULL;
}
static inline sp_lua_pool *sp_pool_again(const sp_context *c, uint64_t id)
{
  const sp_lua_manager *m = sp_held_manager(c->managers[id >> 56]);
  uint32_t index = (uint32_t)(id >> 32) & 0xffffff;
  sp_lua_pool *p = m && index < m->pool_count ? sp_held_pool(m->pools[index]) : NULL;
  return p && p->id == id ? p : NULL;
}
uint64_t sp_new_id(sp_context *c, uint32_t manager, uint32_t index);

/* Returns whether the core has called no script since `crossings` was read from the context: then pointers fetched
   before a call of the core are still valid. For hot paths; it does not cover allocations in the Lua state. */
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

/* Describes the value at `index` for error messages: strings are quoted, and cut when long; objects are shown as
   "Bullet#12 (live)". Fills `out` and returns its text. */
const char *sp_show(lua_State *L, int index, sp_shown *out);
/* show(value) -> its text: __tostring of managers, pools and objects, and more. */
int sp_lua_show(lua_State *L);
/* Returns the string at `index`, cut when long; describes other values as sp_show does. */
const char *sp_show_name(lua_State *L, int index, sp_shown *out);

/* Copies a text, cut when long: for names that belong to a pool. */
const char *sp_copy_text(const char *text, sp_shown *out);
/* Returns "Bullet#12", or "object" for a reference without a known pool. */
const char *sp_label(const sp_context *c, sp_ref object, sp_shown *out);

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
void sp_quietly(lua_State *L, int nargs, int nresults);
/* Works as lua_pcall in the same way. */
int sp_quiet_pcall(lua_State *L, int nargs, int nresults);

/* }== */

#endif
