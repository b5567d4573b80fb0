#include "script/host/host.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/bind/bridge.h"
#include "script/bind/manager.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/bind/ordered_keys.h"
#include "script/bind/pool.h"
#include "script/bind/save.h"
#include "script/bind/snapshot.h"
#include "script/bind/streams.h"
#include "script/bind/timer.h"
#include "script/bind/tween.h"
#include "script/guard/bounds.h"
#include "script/guard/coroutines.h"
#include "script/guard/door.h"
#include "script/guard/sandbox.h"
#include "script/guard/watchdog.h"
#include "script/host/checkpoint.h"
#include "script/reload/reload.h"
#include "script/script.h"
#include "script/state/border.h"
#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/platform.h"
#include "script/state/report.h"
#include "script/state/sprites.h"

#define PATIENCE 2.0    /* seconds */
#define HANG_AFTER 10.0 /* seconds */
#define START_TIMES 5   /* of the patience: a game may load much */
#define SHOWN_PATH 1000 /* bytes */
#define START_SPEED 4   /* slots that the collector visits for each one that is allocated; later 100, as in stock Lua */
#define ARENA_TIMES 4
#define ARENA_LEAST ((size_t)64 << 20)
#define ARENA_MOST ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 39 : 28)) /* 32 bits: a sixteenth of all addresses */

/* {== The library in a Lua state =========================================
** `require "spawnpool"`: builds the table of the module from the C functions and lua/spawnpool/class.lua. */

#define DEFAULT_PATH "pools/?.lua"

static void copy_entries(lua_State *L, int from, int to)
{
  for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, to);
  }
}

/* Copies the globals and the standard libraries as they are now. */
static void copy_globals(lua_State *L, const sp_context *c)
{
  static const char *const libraries[] = {"table", "string", "math", "coroutine", "utf8", "os", NULL};
  sp_push_kept(L, c, SP_KEPT_GLOBALS);
  lua_pushglobaltable(L);
  int globals = lua_gettop(L), copy = globals - 1;
  copy_entries(L, globals, copy);
  for (int i = 0; libraries[i]; i++) {
    lua_newtable(L);
    if (sp_raw_field(L, globals, libraries[i]) == LUA_TTABLE) {
      copy_entries(L, globals + 2, globals + 1);
      lua_pop(L, 1);
      lua_setfield(L, copy, libraries[i]);
    }
    lua_settop(L, globals);
  }
  lua_settop(L, copy - 1);
}

static void open_classes(lua_State *L, sp_context *c)
{
  copy_globals(L, c);
  sp_push_source(L, c, "spawnpool.report");
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_REPORTING]);
  sp_push_source(L, c, "spawnpool.class");
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CLASSES]);
}

/* A C program that created the state may not have opened them. Nothing has changed yet. */
static void check_libraries(lua_State *L)
{
  static const char *const needed[] = {"table", "string", "math", "coroutine"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    if (sp_raw_global(L, needed[i]) != LUA_TTABLE)
      luaL_error(L, "spawnpool needs Lua's library '%s': call luaL_openlibs before it", needed[i]);
    lua_pop(L, 1);
  }
}

/* The limits of the core, for the checks in lua/spawnpool/settings.lua: into the table on top. */
static void add_limits(lua_State *L)
{
  static const struct {
    const char *name;
    lua_Integer limit;
  } limits[] = {{"MAX_SLOTS", SP_MAX_SLOTS},
                {"MAX_FIELDS", SP_MAX_FIELDS},
                {"MAX_CURVES", SP_MAX_CURVES},
                {"MAX_POINTS", SP_MAX_POINTS}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    lua_pushstring(L, limits[i].name);
    lua_pushinteger(L, limits[i].limit);
    lua_rawset(L, -3);
  }
}

/* The records of all managers that are closed, and of all pools that were removed. Their keys are below those of
   anchors, the first of which is 1: 0 is that of a record which was not made, and is dropped like any other. */
static void open_closed(lua_State *L, sp_context *c)
{
  c->closed_manager = lua_newuserdatauv(L, sizeof *c->closed_manager, 0);
  memset(c->closed_manager, 0, sizeof *c->closed_manager);
  c->closed_manager->context = c;
  c->closed_pool = lua_newuserdatauv(L, sizeof *c->closed_pool, 0);
  memset(c->closed_pool, 0, sizeof *c->closed_pool);
  c->closed_pool->manager = c->closed_manager;
  sp_push_kept(L, c, SP_KEPT_RECORDS);
  lua_rotate(L, -3, 1);
  lua_rawseti(L, -3, -1);
  lua_rawseti(L, -2, -2);
  lua_pop(L, 1);
}

static void complete(lua_State *L, sp_context *c)
{
  sp_object_check_free(L);
  lua_pushliteral(L, "circle"); /* number 0 */
  sp_sprite_number(L, c, -1);
  lua_pop(L, 1);
  sp_push_kept(L, c, SP_KEPT_NATIVES);
  sp_set_functions(L, c, sp_snapshot_natives);
  sp_set_functions(L, c, sp_save_natives);
  sp_set_functions(L, c, sp_class_natives);
  sp_set_functions(L, c, sp_reload_natives);
  sp_set_functions(L, c, sp_member_natives);
  sp_add_listing(L, c);
  lua_newtable(L);
  sp_add_functions(L, c, "tiles", false);
  lua_setfield(L, -2, "tiles");
  add_limits(L);
  lua_pop(L, 1);
  sp_bridge_open(L);
  c->calls.close = sp_manager_free_all;
  open_closed(L, c);
  c->calls.tween = sp_tween_to_done;
  c->calls.tweens = sp_tweens_step;
  sp_object_open(L, c); /* its last step becomes visible in the state, and cannot fail */
}

/* A program that exports a core of its own gives that to every library, whatever they were linked with. */
static void check_core(lua_State *L)
{
  if (strcmp(sp_version(), SP_VERSION) != 0)
    luaL_error(L,
               "this is spawnpool " SP_VERSION ", and the program exports the core of %s: link it with -Wl,"
               "--exclude-libs,libspawnpool.a",
               sp_version());
}

int luaopen_spawnpool(lua_State *L)
{
  luaL_checkversion(L);
  check_core(L);
  luaL_checkstack(L, 20, NULL);
  check_libraries(L);
  sp_context *c = sp_context_open(L, sp_reachable, complete);
  sp_pool_open_methods(L, c);
  sp_manager_open_methods(L, c);
  sp_manager_timer_open(L, c);
  lua_newtable(L);
  int module = lua_gettop(L);
  lua_pushliteral(L, SP_VERSION);
  lua_setfield(L, module, "VERSION");
  sp_add_functions(L, c, "spawnpool", false);
  open_classes(L, c);
  sp_raw_field(L, -1, "module"); /* its part of the module's functions */
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, module);
  }
  lua_settop(L, module);
  c->default_manager = sp_manager_new(L, c, 0, c->step);
  lua_pushliteral(L, DEFAULT_PATH);
  lua_setiuservalue(L, -2, SP_MANAGER_PATH);
  lua_setfield(L, module, "pools");
  if (!c->folder) { /* a game in a sandbox is reloaded by its host */
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_spawnpool_reload);
    lua_setfield(L, -2, "spawnpool.reload");
    lua_pop(L, 1);
  }
  return 1;
}

int luaopen_spawnpool_reload(lua_State *L)
{
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_reload_open(L, sp_context_of(L));
  sp_raw_field(L, -1, "module");
  return 1;
}

/* }== */

/* {== Memory ============================================================= */

#define STRING_MOST ((size_t)1 << 26) /* bytes: Lua cannot be interrupted while it processes a string */
#define STOPPED_MOST ((size_t)1 << 20)
#define STOPPED_MOVED_MOST ((size_t)1 << 16) /* to go on means to copy a stack that grows, again and again */

/* Lua passes the kind of a new block. A single C function that allocates without end, a chain of __call metamethods
   for instance, is ended by refusing memory once the watchdog has fired. */
static bool is_too_much(const sp_script *s, const void *ptr, size_t kind, size_t before, size_t size)
{
  if (size <= before)
    return false;
  if (s->limit && s->bytes - before + size > s->limit)
    return true;
  if (!ptr && kind == LUA_TSTRING && size > STRING_MOST && !s->options.trust)
    return true;
  return size - before > (ptr ? STOPPED_MOVED_MOST : STOPPED_MOST) && s->context &&
         sp_watchdog_refuses_memory(s->context->watchdog, ptr);
}

static void *resize_block(sp_script *s, void *ptr, size_t before, size_t size)
{
  if (s->arena)
    return sp_arena_resize(s->arena, ptr, before, size);
  if (size > 0)
    return realloc(ptr, size);
  free(ptr);
  return NULL;
}

/* Reallocates a block of a repeatable state, behind its mark; the mark of a moved block goes with it. */
static void *resize_marked(sp_script *s, void *ptr, size_t before, size_t size)
{
  sp_block_mark *mark = ptr ? (sp_block_mark *)ptr - 1 : NULL;
  before += mark ? sizeof *mark : 0;
  sp_block_mark *moved = resize_block(s, mark, before, size > 0 ? sizeof *moved + size : 0);
  if (!moved)
    return NULL;
  if (!mark)
    *moved = (sp_block_mark){.number = ++s->repeatable.blocks};
  return moved + 1;
}

static void *resize(sp_script *s, void *ptr, size_t before, size_t size)
{
  return s->options.repeatable ? resize_marked(s, ptr, before, size) : resize_block(s, ptr, before, size);
}

/* Allocates for Lua and the pools together, up to the limit. */
static void *allocate(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  sp_script *s = ud;
  size_t before = ptr ? old_size : 0;
  if (new_size == 0) {
    resize(s, ptr, before, 0);
    s->bytes -= before;
    return NULL;
  }
  if (is_too_much(s, ptr, old_size, before, new_size))
    return NULL;
  void *block = resize(s, ptr, before, new_size);
  if (block)
    s->bytes += new_size - before;
  return block;
}

char *sp_host_copy(const char *text, size_t length)
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

void sp_host_print(sp_report kind, const char *text)
{
  fprintf(kind == SP_REPORT_PRINT ? stdout : stderr, "%s\n", text);
}

void sp_host_report(sp_script *s, sp_report kind, const char *text)
{
  if (s->options.report)
    s->options.report(s->options.report_ud, kind, text);
  else
    sp_host_print(kind, text);
}

void sp_host_keep_error(sp_script *s, const char *text)
{
  sp_script_clear_error(s);
  s->error = sp_host_copy(text, strlen(text));
  s->error_is_lost = !s->error;
}

/* When memory is refused, Lua unwinds the stack without a word about the place: names the callback and the limit. The
   name of a deep folder is cut at its end. */
static const char *place_refusal(const sp_script *s, const char *text, char placed[SHOWN_PATH + 300])
{
  const char *callback = s->context->callback;
  if (strcmp(text, "not enough memory") != 0)
    return text;
  int length = snprintf(placed, SHOWN_PATH + 100, "%.*s: not enough memory%s%.60s", SHOWN_PATH, s->main,
                        callback ? " in " : "", callback ? callback : "");
  if (s->limit > 0)
    snprintf(placed + length, 200, " (the limit is %zu MiB)\n  hint: make less of it, or let the game have more memory",
             s->limit >> 20);
  return placed;
}

void sp_host_fail(sp_script *s, const char *text, bool repeats)
{
  char placed[SHOWN_PATH + 300];
  text = text ? place_refusal(s, text, placed) : "not enough memory to say what went wrong";
  if (repeats)
    sp_report_text(s->L, s->context, SP_REPORT_ERROR, text);
  else
    sp_host_report(s, SP_REPORT_ERROR, text);
  sp_host_keep_error(s, text);
}

/* Warnings and errors from inside the library. */
static void from_library(void *ud, sp_report kind, const char *text)
{
  sp_script *s = ud;
  if (kind == SP_REPORT_ERROR)
    sp_host_keep_error(s, text);
  sp_host_report(s, kind, text);
}

/* Receives warn(...) and errors in finalisers, in pieces until the last one. "@on" and the like are control messages
   of stock Lua. */
static void on_warning(void *ud, const char *text, int more)
{
  sp_script *s = ud;
  size_t used = strlen(s->warning);
  snprintf(s->warning + used, sizeof s->warning - used, "%s", text);
  if (more)
    return;
  if (s->warning[0] != '@' && s->context)
    sp_report_text(s->L, s->context, SP_REPORT_WARNING, s->warning);
  s->warning[0] = '\0';
}

/* print(...): one report per call. */
static int print_report(lua_State *L)
{
  sp_script *s = lua_touserdata(L, lua_upvalueindex(1));
  int count = lua_gettop(L);
  sp_timed_work work = sp_work_begin(L, s->context->watchdog);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 1; i <= count; i++) {
    if (i > 1)
      luaL_addchar(&b, '\t');
    sp_repeatable_push_text(L, s->options.repeatable ? &s->repeatable : NULL, i);
    luaL_addvalue(&b);
    sp_work_called(&work);
  }
  luaL_pushresult(&b);
  sp_report_text(L, s->context, SP_REPORT_PRINT, lua_tostring(L, -1));
  return 0;
}

/* }== */

/* {== Opening ============================================================ */

static bool is_folder(const char *path)
{
  sp_facts facts;
  return sp_facts_of_path(path, true, &facts) && facts.kind == SP_KIND_FOLDER;
}

static bool is_there(const char *path)
{
  sp_facts facts;
  return sp_facts_of_path(path, true, &facts);
}

/* Writes the names of the folder and of its main.lua. */
static bool name_files(sp_script *s, const char *path, size_t length, char *error, size_t error_size)
{
  s->folder = sp_host_copy(path, length);
  s->main = malloc(length + sizeof "/main.lua");
  if (s->folder && s->main) {
    sprintf(s->main, "%s/main.lua", s->folder);
    return true;
  }
  snprintf(error, error_size, "out of memory");
  return false;
}

static bool find_in_folder(sp_script *s, const char *path, size_t length, char *error, size_t error_size)
{
  char problem[SP_FILE_PROBLEM_MOST];
  if (!name_files(s, path, length, error, error_size))
    return false;
  int file = sp_folder_open(NULL, s->main, problem), why = errno;
  if (file >= 0)
    sp_file_close(file);
  if (file >= 0 || (why == EACCES && is_there(s->main))) /* its permissions may be fixed while the player waits */
    return true;
  if (why == ENOENT)
    snprintf(problem, sizeof problem, "no main.lua in this folder");
  snprintf(error, error_size, "%s: %s", why == EACCES || why == ENOENT ? s->folder : s->main, problem);
  return false;
}

/* Finds a game that is a single file, and its folder. The user may pass a link: its target is the game. */
static bool find_file(sp_script *s, const char *path, char *error, size_t error_size)
{
  char problem[SP_FILE_PROBLEM_MOST];
  int file = sp_folder_open(NULL, path, problem);
  if (file < 0) {
    snprintf(error, error_size, "%s: %s", path, errno == ENOENT ? "no such file or folder" : problem);
    return false;
  }
  sp_file_close(file);
  const char *slash = strrchr(path, '/');
  s->folder = slash ? sp_host_copy(path, slash == path ? 1 : (size_t)(slash - path)) : sp_host_copy(".", 1);
  if (s->folder && !sp_folder_holds(s->folder, path)) {
    free(s->folder);
    char real[SP_PATH_MOST];
    s->main = sp_real_path(path, real) ? sp_host_copy(real, strlen(real)) : NULL;
    slash = s->main ? strrchr(s->main, '/') : NULL;
    s->folder = slash ? sp_host_copy(s->main, slash == s->main ? 1 : (size_t)(slash - s->main)) : NULL;
  } else {
    s->main = sp_host_copy(path, strlen(path));
  }
  if (!s->folder || !s->main)
    snprintf(error, error_size, "out of memory");
  return s->folder && s->main;
}

/* Fills `folder` and `main`; on failure writes why into `error`. */
static bool find_game(sp_script *s, const char *path, char *error, size_t error_size)
{
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  if (s->options.files)
    return name_files(s, path, length, error, error_size);
  return is_folder(path) ? find_in_folder(s, path, length, error, error_size) : find_file(s, path, error, error_size);
}

static void seed_random(lua_State *L, uint64_t seed)
{
  sp_raw_global(L, "math");
  sp_raw_field(L, -1, "randomseed");
  lua_pushinteger(L, (lua_Integer)seed);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

/* Each new pool restarts the collector's cycle, and at the start most values stay alive. */
void sp_host_end_start(const sp_script *s)
{
  int speed = lua_gc(s->L, LUA_GCSETSTEPMUL, s->collector_speed);
  if (speed != START_SPEED) /* the game has set its own */
    lua_gc(s->L, LUA_GCSETSTEPMUL, speed);
}

double sp_host_patience(const sp_script *s)
{
  if (s->options.patience == 0)
    return PATIENCE;
  return s->options.patience > 0 ? s->options.patience : 0;
}

double sp_host_start_patience(const sp_script *s)
{
  if (s->options.start_patience == 0)
    return START_TIMES * sp_host_patience(s);
  return s->options.start_patience > 0 ? s->options.start_patience : 0;
}

/* The default manager looks for classes in the game's own folder, and ticks as the host asked. */
static void set_up_pools(lua_State *L, sp_script *s)
{
  s->context = sp_context_open(L, sp_reachable, complete);
  sp_watchdog_open(L, s->context, sp_host_patience(s));
  sp_follow_coroutines(L, s->context->watchdog);
  sp_bounds_open(L, s->context->watchdog, s->options.trust);
  if (s->options.no_signal)
    sp_watchdog_use_no_signal(s->context->watchdog);
  sp_watchdog_on_hang(s->context->watchdog, s->options.hang_after > 0 ? s->options.hang_after : HANG_AFTER,
                      s->options.on_hang, s->options.hang_ud);
  s->context->report = from_library;
  s->context->report_ud = s;
  s->context->on_sound = s->options.on_sound;
  s->context->sound_ud = s->options.sound_ud;
  s->context->step = s->options.step;
  s->context->trace = s->options.trace;
  s->context->asset_folders = s->options.asset_folders;
  s->context->files = s->options.files;
  s->context->root = s->folder;
  s->context->folder = s->options.trust ? NULL : s->folder;
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  s->pools = s->context->default_manager;
  sp_raw_field(L, -1, "pools");
  lua_pushvalue(L, -1);
  luaL_ref(L, LUA_REGISTRYINDEX); /* the manager lives as long as the state */
  lua_pushfstring(L, "%s/pools/?.lua", s->folder);
  lua_setiuservalue(L, -2, SP_MANAGER_PATH);
  lua_pop(L, 2);
}

/* Records from here on which file requires which. */
static void track_files(lua_State *L, sp_script *s)
{
  sp_reload_open(L, s->context);
  sp_raw_field(L, -1, "open");
  lua_pushstring(L, s->folder);
  lua_pushboolean(L, !is_folder(s->options.path));
  lua_call(L, 2, 0);
  lua_pop(L, 1);
}

/* Opens the state: everything that may raise, behind one pcall. */
static int open_state(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  if (s->options.repeatable)
    sp_repeatable_begin(L, &s->repeatable);
  sp_sandbox_open(L, s->folder, s->options.trust);
  if (s->options.repeatable)
    sp_replace_pairs(L);
  set_up_pools(L, s);
  if (!s->options.trust)
    sp_streams_open(L, s->context);
  lua_pushlightuserdata(L, s);
  lua_pushcclosure(L, print_report, 1);
  lua_setglobal(L, "print");
  seed_random(L, s->options.seed);
  if (s->options.reload)
    track_files(L, s);
  return 0;
}

/* Reserves several times as many addresses as memory, because free blocks of one size cannot serve another size.
   Addresses cost nothing. */
static void open_arena(sp_script *s)
{
  const size_t most = (ARENA_MOST - ARENA_LEAST) / ARENA_TIMES, limit = s->limit ? s->limit : most;
  if (s->options.checkpoints && !s->options.trust)
    s->arena = sp_arena_open((limit < most ? limit : most) * ARENA_TIMES + ARENA_LEAST);
}

static bool open_lua(sp_script *s, char *error, size_t error_size)
{
  open_arena(s);
  s->L = lua_newstate(allocate, s);
  if (!s->L) {
    snprintf(error, error_size, "not enough memory for Lua");
    return false;
  }
  lua_setwarnf(s->L, on_warning, s);
  s->collector_speed = lua_gc(s->L, LUA_GCSETSTEPMUL, START_SPEED);
  lua_pushcfunction(s->L, open_state);
  lua_pushlightuserdata(s->L, s);
  if (lua_pcall(s->L, 1, 0, 0) == LUA_OK)
    return true;
  const char *text = lua_tostring(s->L, -1);
  snprintf(error, error_size, "%s", text ? text : "not enough memory");
  return false;
}

void sp_script_options_init(sp_script_options *options, size_t size)
{
  sp_script_options defaults = {.size = size};
  memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

/* Copies what a program gives, which may be of an older and shorter struct, over the defaults. */
static bool take_options(sp_script_options *o, const sp_script_options *given, char *error, size_t error_size)
{
  const char *problem = given->size == 0          ? "sp_script_options: size is 0: make it by sp_script_defaults"
                        : given->size > sizeof *o ? "sp_script_options: size is that of a newer header than the library"
                                                  : NULL;
  *o = (sp_script_options){.path = NULL};
  if (!problem)
    memcpy(o, given, given->size);
  if (!(o->share >= 0 && o->share <= 1))
    problem = "sp_script_options: share is a part of a thread, 0 to 1";
  if (problem)
    snprintf(error, error_size, "%s", problem);
  return !problem;
}

sp_script *sp_script_open(const sp_script_options *given, char *error, size_t error_size)
{
  sp_script_options o, *options = &o;
  if (!take_options(&o, given, error, error_size))
    return NULL;
  sp_script *s = calloc(1, sizeof *s);
  if (!s) {
    snprintf(error, error_size, "out of memory");
    return NULL;
  }
  s->options = *options;
  s->options.trust &= !options->files;
  s->repeatable.start = options->start_time;
  s->repeatable.has_real_clocks = options->real_clocks;
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
  sp_arena_close(s->arena);
  free(s->folder);
  free(s->main);
  free(s->error);
  free(s->line);
  free(s->rejected);
  free(s);
}

/* }== */

/* {== Queries ============================================================ */

const char *sp_script_error(const sp_script *s)
{
  return s->error_is_lost ? "not enough memory to keep what went wrong" : s->error;
}

void sp_script_clear_error(sp_script *s)
{
  free(s->error);
  s->error = NULL;
  s->error_is_lost = false;
}

sp_manager *sp_script_pools(const sp_script *s) { return s->pools->core; }
lua_State *sp_script_state(const sp_script *s) { return s->L; }
size_t sp_script_bytes(const sp_script *s) { return s->bytes; }

sp_watchdog_kind sp_script_watchdog(const sp_script *s) { return sp_watchdog_kind_of(s->context->watchdog); }
const char *sp_script_folder(const sp_script *s) { return s->folder; }

const char *sp_script_sprite_name(const sp_script *s, uint16_t sprite)
{
  sp_push_sprite_name(s->L, s->context, sprite);
  const char *name = lua_tostring(s->L, -1); /* the table of names keeps it alive */
  lua_pop(s->L, 1);
  return name;
}

static int give_sprite(lua_State *L)
{
  lua_pushstring(L, lua_touserdata(L, 2));
  lua_pushinteger(L, sp_sprite_number(L, lua_touserdata(L, 1), -1));
  return 1;
}

uint16_t sp_script_sprite_number(sp_script *s, const char *name)
{
  lua_pushcfunction(s->L, give_sprite);
  lua_pushlightuserdata(s->L, s->context);
  lua_pushlightuserdata(s->L, (void *)name);
  uint16_t number = lua_pcall(s->L, 2, 1, 0) == LUA_OK ? (uint16_t)lua_tointeger(s->L, -1) : 0;
  lua_pop(s->L, 1);
  return number;
}

/* }== */

/* {== The door =========================================================== */

int sp_host_door(sp_script *s, int nargs, int nresults)
{
  lua_State *L = s->L;
  int handler = lua_gettop(L) - nargs;
  lua_pushcfunction(L, spl_traceback);
  lua_insert(L, handler);
  s->context->has_inner = false;
  int status = sp_door(L, s->context, nargs, nresults, handler);
  lua_remove(L, handler);
  return status;
}

/* }== */
