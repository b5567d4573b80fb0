/*
** A repeatable state: the same game, seed and input give the same run in another process. Whatever differs from run to
** run in Lua is replaced: the order of keys, clocks, the size of the heap, addresses, random seeds, and the moment at
** which weak entries disappear. The host decides it before the state is opened, because its allocator takes part.
*/
#ifndef SP_SCRIPT_REPEATABLE_H
#define SP_SCRIPT_REPEATABLE_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sp_repeatable {
  int64_t start;        /* what os.time() answers at the start: seconds since the epoch */
  double now;           /* game time in seconds since then */
  uint64_t blocks;      /* allocated so far: see sp_block_mark */
  uint64_t names;       /* values with a block whose text was asked for so far */
  uint64_t ranks;       /* values without a block that were ordered so far */
  uint64_t clocked;     /* calls of os.clock */
  uint64_t seeded;      /* calls of math.randomseed without a seed */
  bool has_real_clocks; /* see sp_script_options */
  bool is_timed;        /* the game has weak tables: the collector runs at fixed times only */
  uint32_t rested;      /* updates since it ran */
} sp_repeatable;

/* The mark in front of a block of memory: 16 bytes, so that blocks stay aligned. */
typedef struct sp_block_mark {
  uint64_t number; /* in the order of allocation */
  uint64_t name;   /* 0: its text was never asked for */
} sp_block_mark;

/* Makes the state repeatable; the libraries that are opened next have the functions for it. `r` must outlive the
   state. Raises on memory. */
void sp_repeatable_begin(lua_State *L, sp_repeatable *r);

/* Replaces functions of the open libraries, all but `pairs` and `next`. Raises on memory. */
void sp_repeatable_open(lua_State *L);

/* Returns the argument of sp_repeatable_begin, or NULL, and pushes it for an upvalue: nil for NULL. */
sp_repeatable *sp_repeatable_push(lua_State *L);
static inline sp_repeatable *sp_repeatable_at(lua_State *L, int index) { return lua_touserdata(L, index); }

/* Runs the collector at fixed times from now on, because the game can see which values were collected. */
void sp_repeatable_time_collector(lua_State *L, sp_repeatable *r);

/* Called when a table gets the metatable at `index`: does so if that is a weak one. */
void sp_repeatable_note_metatable(lua_State *L, sp_repeatable *r, int index);

/* Returns a number that orders the table, function, coroutine or userdata at `index` among values of its type. Raises
   on memory. */
uint64_t sp_repeatable_order(lua_State *L, sp_repeatable *r, int index);

/* Pushes the text that tostring returns; for NULL that of luaL_tolstring. Raises errors of __tostring. */
const char *sp_repeatable_push_text(lua_State *L, sp_repeatable *r, int index);

/* Advances the clock by `dt` seconds, and runs the collector if it is due. */
void sp_repeatable_advance(lua_State *L, sp_repeatable *r, double dt);

#endif
