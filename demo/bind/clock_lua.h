/*
** `os.time`, `os.date`, `os.clock` and `math.randomseed`, for a game that can go back in time: their results pass
** through the player, which returns the same values when the frame is replayed.
*/
#ifndef SP_DEMO_CLOCK_LUA_H
#define SP_DEMO_CLOCK_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* `answer` takes the reading of a clock and returns the one that the game gets. */
typedef struct clock_filter {
  void *ud;
  double (*pass)(void *ud, double answer);
} clock_filter;

/* Replaces these functions; call it before the game runs. `filter` must outlive the state. False, with one line in
   `error`, when memory is refused. */
bool clock_lua_install(const clock_filter *filter, lua_State *L, char *error, size_t error_size);

#endif
