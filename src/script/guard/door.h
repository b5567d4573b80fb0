/*
** The only way in which C calls Lua: protected, watched, with the positions of an error, and timed. The time is that of
** the class whose function runs, hook or timer, so scripts need no marks: nested calls count for the class of the
** called function, not of the caller. While the times are not shown, this costs a test of a flag before each call.
*/
#ifndef SP_SCRIPT_DOOR_H
#define SP_SCRIPT_DOOR_H

#include <lua.h>
#include <stdbool.h>

#include "script/state/handles.h"

/* {== Messages for people ================================================
** Error messages for people: "file:line: message", the source line, and the frames of the game's own code. */

/* Pushes that text for the error at `error`, with the frames of `from`: the current stack, or that of a coroutine which
   the error has ended. */
void sp_push_traceback(lua_State *L, lua_State *from, int error);

/* Returns the name of the function at a level of the stack, of which `ar` has what "Sln" stands for. */
const char *sp_frame_name(lua_State *from, lua_Debug *ar, int level);

/* Call it in a message handler, with the text at `error`: records whose code is on the stack, while there is code on
   probation. */
void sp_note_culprits(lua_State *L, int error);

/* A message handler for lua_pcall: turns the error value into that text, and records whose code is on the stack. */
int spl_traceback(lua_State *L);

/* }== */

/* A call takes two steps, so that no value has to be moved on the stack. Both neither raise nor allocate.
   The first pushes the message handler of the call, and returns its index. An error becomes a text with its place and
   its callers if `traced`; else it stays, and that text is kept for whoever describes it later. */
int spl_keep_inner(lua_State *L);
static inline int sp_door_handler(lua_State *L, bool traced)
{
  lua_pushcfunction(L, traced ? spl_traceback : spl_keep_inner);
  return lua_gettop(L);
}

/* The second calls the function and `nargs` arguments on top of the stack, watched. On success leaves `nresults`
   results; on error leaves the error value. The handler stays below. Returns a Lua status. */
int sp_watched_door(lua_State *L, sp_context *c, int nargs, int nresults, int handler);
static inline int sp_door(lua_State *L, sp_context *c, int nargs, int nresults, int handler)
{
  int status = c->watchdog ? sp_watched_door(L, c, nargs, nresults, handler) : lua_pcall(L, nargs, nresults, handler);
  sp_crossed(c);
  return status;
}

/* {== Endless functions ==================================================
** A function that the watchdog has stopped in one turn and then in the next, or twice in one, is switched off: it is
** not called until files of the game run again. A turn is an update by the host, or by a program without one. Functions
** are told apart by their place in the text and by what they are called as, `owner` and `name`: "Cube", "update". */

/* Returns whether the function on top is switched off. */
bool sp_find_strike(lua_State *L, const sp_context *c, const char *owner, const char *name);
static inline bool sp_is_switched_off(lua_State *L, const sp_context *c, const char *owner, const char *name)
{
  return c->strike_count > 0 && sp_find_strike(L, c, owner, name);
}

/* Returns whether the error on top is a stop of code that used all the time that a call may take. */
bool sp_was_endless(lua_State *L, const sp_context *c);
/* The function on top was stopped so, or has come back after all; pops it. Neither raises. */
void sp_note_stop(lua_State *L, sp_context *c, const char *owner, const char *name);
void sp_note_return(lua_State *L, sp_context *c, const char *owner, const char *name);

/* }== */

/* While something is given back, hooks run and may fail as well: the first error is the one that its caller gets. Holds
   the error on top with all that is known of it, in two more values below it; puts that back, so that only the error is
   left on top; and raises it. Neither of the first two raises or allocates. */
void sp_hold_error(lua_State *L, const sp_context *c);
void sp_release_error(lua_State *L, sp_context *c);
int sp_raise_held_error(lua_State *L, sp_context *c);

/* Counts time for the pool with this id from now on (0: for none); returns the previous id. */
uint64_t sp_hook_clock_switch(sp_context *c, uint64_t pool);
/* Brackets calls into the class of `p`. No error may cross. */
static inline uint64_t sp_hook_clock_begin(sp_context *c, const spl_pool *p)
{
  return c->hooks_timed ? sp_hook_clock_switch(c, p->id) : 0;
}
static inline void sp_hook_clock_end(sp_context *c, uint64_t outer)
{
  if (c->hooks_timed)
    sp_hook_clock_switch(c, outer);
}

/* sp_door to a function of the class of `p`. */
int sp_timed_door(lua_State *L, const spl_pool *p, int nargs, int nresults, int handler);
static inline int sp_hook_door(lua_State *L, const spl_pool *p, int nargs, int nresults, int handler)
{
  sp_context *c = p->manager->context;
  return c->hooks_timed ? sp_timed_door(L, p, nargs, nresults, handler) : sp_door(L, c, nargs, nresults, handler);
}

#endif
