/*
** The script host for tests in Lua, as the module `games`: a game in a folder of its own, calls of its host as methods,
** and what the host was told.
**
**   local g <const> = games.start { "return { update = function() print 'hello' end }", patience = 0.1 }
**   spec.equal(g:update(), true)
**   spec.equal(g:told(), "print: hello\n")
**
** [1] is main.lua, keys with a dot are other files, and the rest are options of script.h. A game is closed, and its
** folder removed, when it is collected. No call may leave anything on the stack of the game.
*/
#include "script/bind/members.h"
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "script/state/disk.h"
#include "support/lua_suite.h"
#include "support/spec_files.h"

#include <lualib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define GAME "games.game"

static scripted *game(lua_State *L) { return luaL_checkudata(L, 1, GAME); }

static sp_script *script(lua_State *L)
{
  luaL_argcheck(L, game(L)->script, 1, "it is not open");
  return game(L)->script;
}

static int done(lua_State *L, int results)
{
  int left = game(L)->script ? lua_gettop(sp_script_state(game(L)->script)) : 0;
  return left == 0 ? results : luaL_error(L, "%d values are left on the stack of the game", left);
}

static int answer(lua_State *L, bool value)
{
  lua_pushboolean(L, value);
  return done(L, 1);
}

static int answer_text(lua_State *L, const char *text)
{
  lua_pushstring(L, text);
  return done(L, 1);
}

/* {== Opening ============================================================ */

static double number(lua_State *L, const char *name)
{
  lua_getfield(L, 1, name);
  double value = luaL_optnumber(L, -1, 0);
  lua_pop(L, 1);
  return value;
}

static bool flag(lua_State *L, const char *name)
{
  bool is_set = lua_getfield(L, 1, name) != LUA_TNIL;
  lua_pop(L, 1);
  return is_set;
}

static void take_options(lua_State *L, sp_script_options *o)
{
  o->seed = flag(L, "seed") ? (uint64_t)number(L, "seed") : 1;
  o->memory_limit = (size_t)number(L, "memory_limit");
  o->patience = number(L, "patience");
  o->start_patience = number(L, "start_patience");
  o->hang_after = number(L, "hang_after");
  o->share = number(L, "share");
  o->no_signal = flag(L, "no_signal");
  o->reload = flag(L, "reload");
  o->repeatable = flag(L, "repeatable");
  o->trust = flag(L, "trust");
  o->trace = flag(L, "trace");
}

/* make{...}: a game that is not open yet. */
static int make(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_geti(L, 1, 1);
  scripted *g = lua_newuserdatauv(L, sizeof *g, 1);
  scripted_make(g, lua_tostring(L, 2));
  take_options(L, &g->options);
  luaL_setmetatable(L, GAME);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && strchr(lua_tostring(L, -2), '.'))
      scripted_write(g, lua_tostring(L, -2), luaL_checkstring(L, -1));
  return 1;
}

/* start{...}: a game that runs. */
static int start(lua_State *L)
{
  make(L);
  lua_replace(L, 1);
  lua_settop(L, 1);
  scripted_begin(game(L));
  return done(L, 1);
}

static int collect(lua_State *L)
{
  scripted_end(game(L));
  return 0;
}

/* open(path?): nil; or what is wrong. */
static int open_game(lua_State *L)
{
  char error[1000] = "";
  scripted *g = game(L);
  sp_script_close(g->script);
  g->told[0] = '\0';
  g->options.path = luaL_optstring(L, 2, g->folder);
  lua_settop(L, 2);
  lua_setiuservalue(L, 1, 1); /* the path is there as long as the game */
  g->script = sp_script_open(&g->options, error, sizeof error);
  return answer_text(L, g->script ? NULL : error);
}

/* begin(argument?): whether it starts. */
static int begin(lua_State *L)
{
  static char *arguments[1]; /* they stay for as long as the game */
  arguments[0] = (char *)(uintptr_t)luaL_optstring(L, 2, NULL);
  lua_settop(L, 2);
  luaL_ref(L, LUA_REGISTRYINDEX);
  return answer(L, sp_script_start(script(L), arguments[0] != NULL, arguments));
}

/* }== */

/* {== Calls ============================================================== */

/* call(name, text?): calls a callback. */
static int call(lua_State *L)
{
  const char *text = luaL_optstring(L, 3, NULL);
  return answer(L, sp_script_call(script(L), luaL_checkstring(L, 2), text ? "s" : NULL, text) <= SP_CALL_ABSENT);
}

/* update() calls `update`, tick(seconds) advances the default manager. */
static int update(lua_State *L) { return script(L) ? answer(L, scripted_update(game(L))) : 0; }
static int tick(lua_State *L) { return answer(L, sp_script_update(script(L), luaL_checknumber(L, 2))); }
static int veto(lua_State *L)
{
  bool stays = false;
  sp_script_ask(script(L), luaL_checkstring(L, 2), &stays, NULL);
  return answer(L, stays);
}
static int has(lua_State *L) { return answer(L, sp_script_has(script(L), luaL_checkstring(L, 2))); }

/* poll("look", "now" or "rest"): its result. */
static int poll(lua_State *L)
{
  static const char *const ways[] = {"look", "now", "rest", NULL};
  static const char *const results[] = {"nothing", "reloaded", "refused", "reverted"};
  sp_poll how = (sp_poll)luaL_checkoption(L, 2, NULL, ways);
  return answer_text(L, results[sp_script_poll(script(L), how)]);
}

/* eval(text): "done", "more" or "failed". */
static int eval(lua_State *L)
{
  static const char *const outcomes[] = {"done", "more", "failed"};
  return answer_text(L, outcomes[sp_script_eval(script(L), luaL_checkstring(L, 2))]);
}

static void add_word(void *ud, const char *word)
{
  lua_State *L = ud;
  lua_pushfstring(L, "%s %s", lua_tostring(L, -1), word);
  lua_replace(L, -2);
}

/* complete(text): how many bytes of it the words begin with, and behind that the words: "4 counter". */
static int complete(lua_State *L)
{
  const char *text = luaL_checkstring(L, 2);
  lua_pushliteral(L, "");
  lua_pushinteger(L, (lua_Integer)sp_script_complete(script(L), text, add_word, L));
  lua_insert(L, -2);
  lua_concat(L, 2);
  return done(L, 1);
}

static void add_problem(void *ud, const char *problem)
{
  lua_State *L = ud;
  lua_pushstring(L, problem);
  lua_seti(L, -2, luaL_len(L, -2) + 1);
}

/* check(): the problems, their number, and that of the files. */
static int check(lua_State *L)
{
  size_t files;
  lua_newtable(L);
  lua_pushinteger(L, (lua_Integer)sp_script_check(script(L), add_problem, L, &files));
  lua_pushinteger(L, (lua_Integer)files);
  return done(L, 3);
}

/* told(): see scripted_told. */
static int told(lua_State *L) { return answer_text(L, scripted_told(game(L))); }

/* last_error(): or nil. clear_error() forgets it. The same of the message of the last reload. */
static int last_error(lua_State *L) { return answer_text(L, sp_script_error(script(L))); }
static int reload_line(lua_State *L) { return answer_text(L, sp_script_reload_line(script(L))); }

/* version(type): how often the file of a class was loaded. */
static int version(lua_State *L)
{
  lua_pushinteger(L, sp_script_class_version(script(L), luaL_checkstring(L, 2)));
  return done(L, 1);
}

static int bytes(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)sp_script_bytes(script(L)));
  return done(L, 1);
}

static int clear_error(lua_State *L)
{
  sp_script_clear_error(script(L));
  return 0;
}

/* }== */

/* {== Objects ============================================================ */

/* The first live object of the type at index 2; 0: there is none. */
static sp_ref first(lua_State *L)
{
  sp_pool *pool = sp_manager_pool(sp_script_pools(script(L)), luaL_checkstring(L, 2));
  sp_walk walk = pool ? sp_pool_walk(pool) : (sp_walk){0};
  return pool ? sp_walk_next(&walk) : SP_NULL_REF;
}

static int select_first(lua_State *L)
{
  sp_script_select(script(L), first(L));
  return done(L, 0);
}

/* fields(type): those of an object, "name=text", in their order; and by name what else there is to say, "own number,
   writable". */
static int fields(lua_State *L)
{
  static const char *const types[] = {"number", "boolean", "string", "other"};
  sp_field_value list[SP_FIELDS_SHOWN];
  uint32_t count = sp_script_fields(script(L), first(L), list);
  lua_newtable(L);
  for (uint32_t i = 0; i < count; i++) {
    const sp_field_value *it = &list[i];
    lua_pushfstring(L, "%s=%s", it->name, it->text);
    lua_seti(L, -2, i + 1);
    lua_pushfstring(L, "%s%s%s", it->own ? "own " : "", types[it->type], it->writable ? ", writable" : "");
    lua_setfield(L, -2, it->name);
  }
  return done(L, 1);
}

static void add_part(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number)
{
  (void)pool;
  lua_pushinteger(ud, (lua_Integer)number);
  if (kind == SP_HASH_POOL)
    lua_pop((lua_State *)ud, 1);
  else
    lua_setfield(ud, -2, name);
}

/* hash(): that of a repeatable game, and a table with those of the fields and objects of its pools, by name. */
static int hash(lua_State *L)
{
  lua_newtable(L);
  lua_pushinteger(L, (lua_Integer)sp_script_hash(script(L), add_part, L));
  lua_insert(L, -2);
  return done(L, 2);
}

/* set_field(type, field, text): nil; or what is wrong. */
static int set_field(lua_State *L)
{
  char error[256] = "";
  bool is_set =
      sp_script_set_field(script(L), first(L), luaL_checkstring(L, 3), luaL_checkstring(L, 4), error, sizeof error);
  return answer_text(L, is_set ? NULL : error);
}

static void on_command(void *ud, sp_ref object, const char *field, const char *text)
{
  scripted *g = ud;
  char line[200];
  snprintf(line, sizeof line, "%s: %s: %s", object ? "object" : "nothing", field ? field : "eval", text);
  g->options.report(g, SP_REPORT_PRINT, line);
}

/* hear(): commands of a person are told, too. */
static int hear(lua_State *L)
{
  sp_script_on_command(script(L), on_command, game(L));
  return done(L, 0);
}

/* }== */

/* {== What a game can reach ============================================== */

static const char *kind_of(lua_State *from)
{
  const sp_reach *row = sp_reachable;
  if (!lua_iscfunction(from, -1))
    return "Lua";
  while (row->owner && row->function != lua_tocfunction(from, -1))
    row++;
  return row->owner ? "row" : "C";
}

/* reach(): the functions that tests/lua/sandbox_find.lua finds in the game, by name: "row" of the tables of what a game
   can reach, "C" for others in C, or "Lua". */
static int reach(lua_State *L)
{
  lua_State *from = sp_script_state(script(L));
  lua_newtable(L);
  if (luaL_loadfile(from, "tests/lua/sandbox_find.lua") != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(from, -1));
  lua_pushcfunction(from, luaopen_debug);
  lua_call(from, 0, 1);
  if (lua_pcall(from, 1, 1, 0) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(from, -1));
  for (lua_pushnil(from); lua_next(from, 1); lua_pop(from, 1)) {
    lua_pushstring(L, kind_of(from));
    lua_setfield(L, -2, lua_tostring(from, -2));
  }
  lua_setfield(from, LUA_REGISTRYINDEX, GAME);
  return done(L, 1);
}

/* aim(name, n): makes a function that reach() found the game's global `tried`, and n its global `which`. */
static int aim(lua_State *L)
{
  lua_State *of = sp_script_state(script(L));
  lua_getfield(of, LUA_REGISTRYINDEX, GAME);
  lua_getfield(of, -1, luaL_checkstring(L, 2));
  lua_setglobal(of, "tried");
  lua_pushinteger(of, luaL_checkinteger(L, 3));
  lua_setglobal(of, "which");
  lua_pop(of, 1);
  return done(L, 0);
}

/* }== */

/* {== Files ============================================================== */

static int path(lua_State *L) { return answer_text(L, scripted_path(game(L), luaL_checkstring(L, 2))); }

static int write_file(lua_State *L)
{
  scripted_write(game(L), luaL_checkstring(L, 2), luaL_checkstring(L, 3));
  return 0;
}

/* save(name, text) in a game that runs: the result of the poll. */
static int save(lua_State *L)
{
  write_file(L);
  lua_settop(L, 1);
  lua_pushliteral(L, "now");
  return poll(L);
}

/* read(folder, path): the text of a file in a folder; or nil and why not. */
static int read_in(lua_State *L)
{
  char text[200], problem[SP_FILE_PROBLEM_MOST] = "";
  int file = sp_folder_open(luaL_checkstring(L, 1), luaL_checkstring(L, 2), problem);
  int64_t size = file < 0 ? -1 : sp_file_read(file, text, sizeof text);
  lua_pushlstring(L, text, size < 0 ? 0 : (size_t)size);
  lua_pushstring(L, problem);
  if (file >= 0)
    sp_file_close(file);
  else
    lua_pushnil(L), lua_replace(L, -3);
  return 2;
}

static int holds(lua_State *L)
{
  lua_pushboolean(L, sp_folder_holds(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
  return 1;
}

/* list(folder, path): the names in a folder, a slash around each; or nil. */
static int list(lua_State *L)
{
  sp_folder_stream *names = sp_folder_list(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  if (!names)
    return 0;
  lua_pushliteral(L, "/");
  for (const char *name; (name = sp_folder_stream_next(names, NULL)) != NULL; lua_replace(L, -2))
    lua_pushfstring(L, "%s%s/", lua_tostring(L, -1), name);
  sp_folder_stream_close(names);
  return 1;
}

/* hang(path): starts and updates the game in a process of its own; what the host is told there of what does not come
   back; or nil. */
static int hang(lua_State *L)
{
  char said[1000];
  game(L)->options.path = luaL_checkstring(L, 2);
  return scripted_play_apart(game(L), said, sizeof said) == SCRIPTED_HUNG ? answer_text(L, said) : 0;
}

/* }== */

void games_open(lua_State *L)
{
  static const luaL_Reg functions[] = {{"make", make},   {"start", start}, {"read", read_in},
                                       {"holds", holds}, {"list", list},   {NULL, NULL}};
  static const luaL_Reg methods[] = {{"__gc", collect},
                                     {"open", open_game},
                                     {"begin", begin},
                                     {"call", call},
                                     {"update", update},
                                     {"tick", tick},
                                     {"veto", veto},
                                     {"has", has},
                                     {"poll", poll},
                                     {"eval", eval},
                                     {"complete", complete},
                                     {"check", check},
                                     {"told", told},
                                     {"last_error", last_error},
                                     {"clear_error", clear_error},
                                     {"reload_line", reload_line},
                                     {"version", version},
                                     {"bytes", bytes},
                                     {"hash", hash},
                                     {"select", select_first},
                                     {"fields", fields},
                                     {"set_field", set_field},
                                     {"hear", hear},
                                     {"reach", reach},
                                     {"aim", aim},
                                     {"path", path},
                                     {"write", write_file},
                                     {"save", save},
                                     {"hang", hang},
                                     {NULL, NULL}};
  watching_open(L);
  lua_suite_module(L, "games", functions);
  luaL_newmetatable(L, GAME);
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  test_spec_files(L); /* the module `spec` is on top */
}
