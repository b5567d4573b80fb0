/*
** The file watcher for tests in Lua, as the module `watching`, with a clock that only the test moves and a memory that
** can be refused.
*/
#include "script/scripted.h"
#include "script/state/platform.h"
#include "script/watch/watch.h"
#include "support/files.h"
#include "support/lua_suite.h"
#include "support/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#ifndef _WIN32
#include <sys/mman.h>
#endif

/* Of the one test that runs in this process. */
static struct {
  sp_watcher *watch;
  char root[512];
  uint64_t date; /* it stands still, so that no file has been still for long */
  test_memory memory;
  char meddled[400], meddle[100]; /* a file, and a text that is saved in it when the watch asks for memory next */
} it;

static uint64_t date(void) { return it.date; }

/* save(path, text): writes a file at a later tick of the file system's clock. */
static void save_later(const char *path, const char *text)
{
  nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
  test_write(path, text);
}

static int save(lua_State *L)
{
  save_later(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

/* meddle(path, text): such a save, before the watch reads its next file. */
static int meddle(lua_State *L)
{
  snprintf(it.meddled, sizeof it.meddled, "%s", luaL_checkstring(L, 1));
  snprintf(it.meddle, sizeof it.meddle, "%s", luaL_checkstring(L, 2));
  return 0;
}

static void *alloc_and_meddle(void *ud, void *ptr, size_t osize, size_t nsize)
{
  if (!ptr && it.meddled[0]) {
    save_later(it.meddled, it.meddle);
    it.meddled[0] = '\0';
  }
  return test_memory_fn(ud, ptr, osize, nsize);
}

/* open(root, holder): whether it is open. Files must lie in the holder; nil: anywhere. */
static int open_watch(lua_State *L)
{
  static const char *const lua[] = {".lua", NULL};
  snprintf(it.root, sizeof it.root, "%s", luaL_checkstring(L, 1));
  it.date = sp_date_nanoseconds();
  it.watch = sp_watcher_open(&(sp_watcher_options){.root = it.root,
                                                   .folder = luaL_optstring(L, 2, NULL),
                                                   .endings = lua,
                                                   .depth = SP_WATCHER_DEEPEST,
                                                   .alloc = alloc_and_meddle,
                                                   .ud = &it.memory,
                                                   .date = date});
  lua_pushboolean(L, it.watch != NULL);
  return 1;
}

/* close(): whether all memory is given back. */
static int close_watch(lua_State *L)
{
  sp_watcher_close(it.watch);
  it.watch = NULL;
  lua_pushboolean(L, test_memory_is_clean(&it.memory));
  return 1;
}

static void push_change(lua_State *L, const sp_watcher_change *c)
{
  static const char signs[] = {[SP_WATCHER_NEW] = '+', [SP_WATCHER_CHANGED] = '~', [SP_WATCHER_GONE] = '-'};
  size_t root = strlen(it.root);
  luaL_argcheck(L, strncmp(c->path, it.root, root) == 0, 1, c->path);
  luaL_argcheck(L, c->text ? !c->problem && !c->text[c->size] : c->size == 0, 1, c->path);
  const char *name = c->path[root] ? c->path + root + 1 : ".", *content = c->text ? c->text : c->problem;
  lua_pushfstring(L, content ? "%c %s [%s]" : "%c %s", signs[c->kind], name, content);
}

/* poll(now, hurry): a list of changes: "~" changed, "+" new, "-" gone, "~ NAME [TEXT]"; and whether more is pending. */
static int poll_watch(lua_State *L)
{
  sp_watcher_change change;
  bool due = sp_watcher_poll(it.watch, luaL_checknumber(L, 1), lua_toboolean(L, 2));
  lua_newtable(L);
  for (int i = 1; sp_watcher_next(it.watch, &change); i++) {
    luaL_argcheck(L, due, 1, "it was not due");
    push_change(L, &change);
    lua_seti(L, -2, i);
  }
  lua_pushboolean(L, sp_watcher_is_pending(it.watch));
  return 2;
}

/* pass_date(): files were still for a second, as far as can be known. */
static int pass_date(lua_State *L)
{
  (void)L;
  it.date = sp_date_nanoseconds() + (uint64_t)1000000000;
  return 0;
}

/* refuse(n): the n-th call for memory from now on; 0: none. Returns whether one was refused before. */
static int refuse(lua_State *L)
{
  lua_pushboolean(L, it.memory.refused > 0);
  it.memory.calls = it.memory.refused = 0;
  it.memory.fail_at = (size_t)luaL_checkinteger(L, 1);
  return 1;
}

/* set_time(path, seconds): both times of a file, in seconds since 1970. */
static int set_time(lua_State *L)
{
  struct timespec time = {.tv_sec = (time_t)luaL_checkinteger(L, 2)};
  lua_pushboolean(L, utimensat(AT_FDCWD, luaL_checkstring(L, 1), (struct timespec[]){time, time}, 0) == 0);
  return 1;
}

/* scribble(path, text): writes the beginning of a file; but for the first time without a new time, as on a disk whose
   times are coarse. */
static int scribble(lua_State *L)
{
#ifndef _WIN32
  static char *page;
  size_t size;
  const char *text = luaL_checklstring(L, 2, &size);
  int file = page ? -1 : open(luaL_checkstring(L, 1), O_RDWR);
  page = page ? page : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  luaL_argcheck(L, page != MAP_FAILED, 1, "it cannot be mapped");
  memcpy(page, text, size);
#endif
  (void)L;
  return 0;
}

void watching_open(lua_State *L)
{
  static const luaL_Reg functions[] = {{"open", open_watch},     {"close", close_watch},
                                       {"poll", poll_watch},     {"save", save},
                                       {"meddle", meddle},       {"refuse", refuse},
                                       {"set_time", set_time},   {"scribble", scribble},
                                       {"pass_date", pass_date}, {NULL, NULL}};
  lua_suite_module(L, "watching", functions);
}
