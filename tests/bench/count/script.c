/*
** A Lua of its own in which the paths of paths.lua are counted under callgrind by count.sh. How many instructions a
** table access takes depends on how strings are hashed, and Lua seeds that with the time of day and three addresses. So
** the time stands still here, and the state is opened on a stack that lies inside the program: with the same libraries
** every run has the same seed, whatever the environment.
*/
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STACK ((size_t)1 << 20)

/* In place of the C library's. */
time_t time(time_t *t)
{
  if (t)
    *t = 0;
  return 0;
}

/* The instructions in here are counted: counted(path, times). */
extern int counted(lua_State *L);
__attribute__((noinline)) int counted(lua_State *L)
{
  lua_call(L, 1, 0);
  return 0;
}

static void *run(void *script)
{
  lua_State *L = luaL_newstate();
  if (!L)
    return NULL;
  luaL_openlibs(L);
  lua_register(L, "counted", counted);
  if (luaL_dofile(L, script) != LUA_OK) {
    fprintf(stderr, "count: %s\n", lua_tostring(L, -1));
    return NULL;
  }
  lua_close(L);
  return script;
}

int main(int argc, char **argv)
{
  static _Alignas(64) char stack[STACK];
  pthread_attr_t attributes;
  pthread_t thread;
  void *done = NULL;
  if (argc != 2 || pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
      pthread_create(&thread, &attributes, run, argv[1]) != 0 || pthread_join(thread, &done) != 0)
    return 2;
  return done ? 0 : 1;
}
