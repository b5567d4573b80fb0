/*
** A game in a folder of its own for the tests of the script host, and what the host was told by it.
**
**   game g;
**   scripted_start(&g, "return { update = function() print 'hello' end }");
**   ck_assert(scripted_update(&g));
**   ck_assert_str_eq(scripted_told(&g), "print: hello\n");
**   scripted_end(&g);
*/
#ifndef SP_TESTS_SCRIPTED_H
#define SP_TESTS_SCRIPTED_H

#include "script/script.h"

#include "support/test.h"

#include <lua.h>
#include <stddef.h>

typedef struct scripted {
  char folder[300];
  sp_script *script;
  sp_script_options options;
  char told[65536];
} scripted;

/* A test of one game `g`, which it makes or starts; the game is closed and its folder removed at the end. */
#define SCRIPT_TEST(group, name)                                                                                       \
  static void name##_in(scripted *g);                                                                                  \
  TEST(group, name)                                                                                                    \
  {                                                                                                                    \
    static scripted g;                                                                                                 \
    name##_in(&g);                                                                                                     \
    scripted_end(&g);                                                                                                  \
  }                                                                                                                    \
  static void name##_in(scripted *g)

/* A folder with this main.lua (NULL: none), and options that name it. Then: open it; open and start it; or all of that
   at once. */
void scripted_make(scripted *g, const char *main);
void scripted_open(scripted *g);
void scripted_begin(scripted *g);
void scripted_start(scripted *g, const char *main);
void scripted_end(scripted *g);

/* Writes another file of the game; folders in `name` are made. */
void scripted_write(const scripted *g, const char *name, const char *text);

/* The path of a file of the game: good for seven more calls. */
const char *scripted_path(const scripted *g, const char *name);

/* Calls `update`. */
bool scripted_update(scripted *g);

/* "print: a", "warning: b", "error: c", "reload: d", one after the other, since the last call; the game's folder is
   written as GAME. Good until the next call. */
const char *scripted_told(scripted *g);

/* Starts and updates a game in a process of its own, which ends when something does not come back. `said`: what it
   wrote to its streams, also what did not come back; then it kills itself, with SIGKILL. Returns its exit status, and
   128 + signal when one killed it. */
enum { SCRIPTED_HUNG = 128 + 9 };
int scripted_play_apart(scripted *g, char *said, size_t size);

/* Adds the modules `games` and `watching` to the state of a test in Lua: see games.c and watching.c. */
void games_open(lua_State *L);
void watching_open(lua_State *L);

#endif
