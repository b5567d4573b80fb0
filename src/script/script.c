#include "script/script.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "script/context.h"
#include "script/handles.h"
#include "script/module.h"
#include "script/sandbox.h"
#include "script/trouble.h"
#include "script/watchdog.h"

#define PATIENCE 2.0        /* seconds */
#define PATIENCE_AT_START 5 /* times that: a game may load much */

struct sp_script {
  lua_State *L;
  sp_context *context;
  sp_lua_manager *pools;
  size_t bytes, limit;
  sp_script_options options;
  char *folder, *main; /* "games/shooter", "games/shooter/main.lua" */
  char *error;
  char warning[512]; /* pieces of warn() so far */
  int callbacks;     /* registry reference of the table that main.lua returned, or LUA_NOREF */
};

/* {== Memory ============================================================= */

/* Lua's and the pools' memory together, up to the limit. */
static void *allocate(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  sp_script *s = ud;
  size_t before = ptr ? old_size : 0;
  if (new_size == 0) {
    free(ptr);
    s->bytes -= before;
    return NULL;
  }
  if (s->limit && new_size > before && s->bytes - before + new_size > s->limit)
    return NULL;
  void *block = realloc(ptr, new_size);
  if (block)
    s->bytes += new_size - before;
  return block;
}

static char *copy_text(const char *text, size_t length)
{
  char *copy = malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

/* }== */

/* {== Reports ============================================================ */

static void report(sp_script *s, sp_report kind, const char *text)
{
  if (s->options.report)
    s->options.report(s->options.report_ud, kind, text);
  else
    fprintf(kind == SP_REPORT_PRINT ? stdout : stderr, "%s\n", text);
}

static void keep_error(sp_script *s, const char *text)
{
  free(s->error);
  s->error = copy_text(text, strlen(text));
}

/* Warnings and errors from inside the library. */
static void from_library(void *ud, sp_report kind, const char *text)
{
  sp_script *s = ud;
  if (kind == SP_REPORT_ERROR)
    keep_error(s, text);
  report(s, kind, text);
}

/* warn(...), and errors in finalisers: pieces until one is the last. "@on" and the like are for stock Lua. */
static void on_warning(void *ud, const char *text, int more)
{
  sp_script *s = ud;
  size_t used = strlen(s->warning);
  snprintf(s->warning + used, sizeof s->warning - used, "%s", text);
  if (more)
    return;
  if (s->warning[0] != '@')
    report(s, SP_REPORT_WARNING, s->warning);
  s->warning[0] = '\0';
}

/* print(...): one report per call. */
static int print_report(lua_State *L)
{
  sp_script *s = lua_touserdata(L, lua_upvalueindex(1));
  int count = lua_gettop(L);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 1; i <= count; i++) {
    if (i > 1)
      luaL_addchar(&b, '\t');
    luaL_tolstring(L, i, NULL);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  report(s, SP_REPORT_PRINT, lua_tostring(L, -1));
  return 0;
}

/* }== */

/* {== The door =========================================================== */

/* Calls what is on the stack; an error is kept, reported and popped. True on success, results on the stack. */
static bool call(sp_script *s, int nargs, int nresults)
{
  lua_State *L = s->L;
  int base = lua_gettop(L) - nargs;
  lua_pushcfunction(L, sp_trouble);
  lua_insert(L, base);
  lua_State *outer = sp_watchdog_enter(s->context->watchdog, L);
  int status = lua_pcall(L, nargs, nresults, base);
  sp_watchdog_leave(s->context->watchdog, outer);
  lua_remove(L, base);
  if (status == LUA_OK)
    return true;
  const char *text = lua_tostring(L, -1);
  text = text ? text : "not enough memory to say what went wrong";
  keep_error(s, text);
  report(s, SP_REPORT_ERROR, text);
  lua_pop(L, 1);
  return false;
}

/* }== */

/* {== Opening ============================================================ */

static bool is_folder(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Fills `folder` and `main`; on failure writes why into `error`. */
static bool find_game(sp_script *s, const char *path, char *error, size_t error_size)
{
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  if (is_folder(path)) {
    s->folder = copy_text(path, length);
    s->main = malloc(length + sizeof "/main.lua");
    if (!s->folder || !s->main) {
      snprintf(error, error_size, "out of memory");
      return false;
    }
    sprintf(s->main, "%s/main.lua", s->folder);
    if (is_file(s->main))
      return true;
    snprintf(error, error_size, "%s: no main.lua in this folder", s->folder);
    return false;
  }
  if (is_file(path)) {
    const char *slash = strrchr(path, '/');
    s->folder = slash ? copy_text(path, slash == path ? 1 : (size_t)(slash - path)) : copy_text(".", 1);
    s->main = copy_text(path, length);
    return s->folder && s->main;
  }
  snprintf(error, error_size, "%s: no such file or folder", path);
  return false;
}

static void seed_random(lua_State *L, uint64_t seed)
{
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, (lua_Integer)seed);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

static double patience(const sp_script *s)
{
  if (s->options.patience == 0)
    return PATIENCE;
  return s->options.patience > 0 ? s->options.patience : 0;
}

/* The default manager looks for classes in the game's own folder, and ticks as the host asked. */
static void set_up_pools(lua_State *L, sp_script *s)
{
  s->context = sp_context_open(L);
  sp_watchdog_open(L, s->context, patience(s));
  s->context->report = from_library;
  s->context->report_ud = s;
  s->context->step = s->options.step;
  s->context->folder = s->options.trust ? NULL : s->folder;
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  s->pools = s->context->default_manager;
  lua_getfield(L, -1, "pools");
  lua_pushfstring(L, "%s/pools/?.lua", s->folder);
  lua_setiuservalue(L, -2, SP_MANAGER_PATH);
  lua_pop(L, 2);
}

/* Everything that may raise while opening, behind one pcall. */
static int open_state(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  sp_sandbox_open(L, s->folder, s->options.trust);
  set_up_pools(L, s);
  lua_pushlightuserdata(L, s);
  lua_pushcclosure(L, print_report, 1);
  lua_setglobal(L, "print");
  seed_random(L, s->options.seed);
  return 0;
}

static bool open_lua(sp_script *s, char *error, size_t error_size)
{
  s->L = lua_newstate(allocate, s);
  if (!s->L) {
    snprintf(error, error_size, "not enough memory for Lua");
    return false;
  }
  lua_setwarnf(s->L, on_warning, s);
  lua_pushcfunction(s->L, open_state);
  lua_pushlightuserdata(s->L, s);
  if (lua_pcall(s->L, 1, 0, 0) == LUA_OK)
    return true;
  const char *text = lua_tostring(s->L, -1);
  snprintf(error, error_size, "%s", text ? text : "not enough memory");
  return false;
}

sp_script *sp_script_open(const sp_script_options *options, char *error, size_t error_size)
{
  sp_script *s = calloc(1, sizeof *s);
  if (!s) {
    snprintf(error, error_size, "out of memory");
    return NULL;
  }
  s->options = *options;
  s->limit = options->memory_limit;
  s->callbacks = LUA_NOREF;
  if (!find_game(s, options->path, error, error_size) || !open_lua(s, error, error_size)) {
    sp_script_close(s);
    return NULL;
  }
  return s;
}

void sp_script_close(sp_script *s)
{
  if (!s)
    return;
  s->limit = 0; /* nothing may fail while closing */
  if (s->L)
    lua_close(s->L);
  free(s->folder);
  free(s->main);
  free(s->error);
  free(s);
}

/* }== */

/* {== Callbacks ========================================================== */

static int run_main(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  if (luaL_loadfilex(L, s->main, "t") != LUA_OK)
    return lua_error(L);
  lua_call(L, 0, 1);
  if (!lua_istable(L, -1))
    return luaL_error(L, "%s must return a table of callbacks (load, update, draw, ...), got %s", s->main,
                      luaL_typename(L, -1));
  s->callbacks = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

static int run_load(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  int argc = (int)lua_tointeger(L, 2);
  char **argv = lua_touserdata(L, 3);
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->callbacks);
  if (lua_getfield(L, -1, "load") == LUA_TNIL)
    return 0;
  lua_createtable(L, argc, 0);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_call(L, 1, 0);
  return 0;
}

static bool start(sp_script *s, int argc, char **argv)
{
  lua_State *L = s->L;
  lua_pushcfunction(L, run_main);
  lua_pushlightuserdata(L, s);
  if (!call(s, 1, 0))
    return false;
  lua_pushcfunction(L, run_load);
  lua_pushlightuserdata(L, s);
  lua_pushinteger(L, argc);
  lua_pushlightuserdata(L, argv);
  return call(s, 3, 0);
}

bool sp_script_start(sp_script *s, int argc, char **argv)
{
  sp_watchdog_set_budget(s->context->watchdog, PATIENCE_AT_START * patience(s));
  bool started = start(s, argc, argv);
  sp_watchdog_set_budget(s->context->watchdog, patience(s));
  return started;
}

/* get(callbacks, name): a callback, behind a pcall because the table may have a metatable. */
static int get_callback(lua_State *L)
{
  lua_getfield(L, 1, lua_touserdata(L, 2));
  return 1;
}

/* Pushes the callback, or nil when there is none. False after an error, and nothing pushed. */
static bool push_callback(sp_script *s, const char *name)
{
  lua_State *L = s->L;
  if (s->callbacks == LUA_NOREF) {
    lua_pushnil(L);
    return true;
  }
  lua_pushcfunction(L, get_callback);
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->callbacks);
  lua_pushlightuserdata(L, (void *)name);
  return call(s, 2, 1);
}

bool sp_script_has(const sp_script *s, const char *name)
{
  if (!push_callback((sp_script *)s, name))
    return false;
  bool has = !lua_isnil(s->L, -1);
  lua_pop(s->L, 1);
  return has;
}

static int push_arguments(lua_State *L, const char *format, va_list arguments)
{
  int count = 0;
  for (; format && format[count]; count++)
    switch (format[count]) {
    case 'n':
      lua_pushnumber(L, va_arg(arguments, double));
      break;
    case 'i':
      lua_pushinteger(L, va_arg(arguments, int));
      break;
    case 's':
      lua_pushlightuserdata(L, (void *)va_arg(arguments, const char *)); /* made a string behind the door */
      break;
    default:
      lua_rawgeti(L, LUA_REGISTRYINDEX, va_arg(arguments, int));
      break;
    }
  return count;
}

/* call(callback, format, ...): strings are made here, where running out of memory is caught. */
static int call_formatted(lua_State *L)
{
  const char *format = lua_touserdata(L, 2);
  lua_remove(L, 2);
  for (int i = 0; format && format[i]; i++)
    if (format[i] == 's') {
      lua_pushstring(L, lua_touserdata(L, 2 + i));
      lua_replace(L, 2 + i);
    }
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static bool call_callback(sp_script *s, const char *name, const char *format, va_list arguments, bool *result)
{
  lua_State *L = s->L;
  *result = false;
  if (!lua_checkstack(L, 20))
    return false;
  lua_pushcfunction(L, call_formatted);
  bool found = push_callback(s, name);
  if (!found || lua_isnil(L, -1)) {
    lua_pop(L, found ? 2 : 1);
    return found;
  }
  lua_pushlightuserdata(L, (void *)format);
  int count = push_arguments(L, format, arguments);
  if (!call(s, 2 + count, 1))
    return false;
  *result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return true;
}

bool sp_script_call(sp_script *s, const char *name, const char *format, ...)
{
  bool unused;
  va_list arguments;
  va_start(arguments, format);
  bool done = call_callback(s, name, format, arguments, &unused);
  va_end(arguments);
  return done;
}

static bool veto(sp_script *s, const char *name, const char *format, ...)
{
  bool stays;
  va_list arguments;
  va_start(arguments, format);
  call_callback(s, name, format, arguments, &stays);
  va_end(arguments);
  return stays;
}

bool sp_script_veto(sp_script *s, const char *name) { return veto(s, name, NULL); }

bool sp_script_update(sp_script *s, double dt)
{
  if (!s->pools->core)
    return false;
  lua_State *outer = sp_watchdog_enter(s->context->watchdog, s->L);
  sp_update(s->pools->core, dt);
  sp_watchdog_leave(s->context->watchdog, outer);
  return true;
}

/* }== */

/* {== Queries ============================================================ */

const char *sp_script_error(const sp_script *s) { return s->error; }

void sp_script_clear_error(sp_script *s)
{
  free(s->error);
  s->error = NULL;
}

sp_manager *sp_script_pools(const sp_script *s) { return s->pools->core; }
lua_State *sp_script_state(const sp_script *s) { return s->L; }
size_t sp_script_bytes(const sp_script *s) { return s->bytes; }
const char *sp_script_folder(const sp_script *s) { return s->folder; }

const char *sp_script_sprite_name(const sp_script *s, uint16_t sprite)
{
  sp_push_sprite_name(s->L, s->context, sprite);
  const char *name = lua_tostring(s->L, -1); /* the table of names keeps it */
  lua_pop(s->L, 1);
  return name;
}

static int give_sprite(lua_State *L)
{
  lua_pushstring(L, lua_touserdata(L, 2));
  lua_pushinteger(L, sp_sprite_number(L, lua_touserdata(L, 1), -1));
  return 1;
}

uint16_t sp_script_sprite(sp_script *s, const char *name)
{
  lua_pushcfunction(s->L, give_sprite);
  lua_pushlightuserdata(s->L, s->context);
  lua_pushlightuserdata(s->L, (void *)name);
  uint16_t number = lua_pcall(s->L, 2, 1, 0) == LUA_OK ? (uint16_t)lua_tointeger(s->L, -1) : 0;
  lua_pop(s->L, 1);
  return number;
}

/* }== */
