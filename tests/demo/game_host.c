/*
** Module `game`: see the comment on each function. Events are pushed by the module `host`; what the game reports is
** passed to `game.heard(kind, text)` of the test, if there is such a function.
*/
#include "demo/app/game.h"
#include "demo/host.h"
#include "demo/input/input.h"
#include "demo/lua_suite.h"
#include "script/guard/watchdog.h"
#include "script/host/host.h"
#include "script/state/context.h"
#include "support/core_fixture.h"

#include <stdio.h>

static struct {
  game game;
  report report;
  window window;         /* nobody sees it */
  SDL_Joystick *gamepad; /* a virtual one, or NULL */
  int device;
} played;

/* {== Playing ============================================================ */

/* The game's reports go to the test where it takes them, else where those of the player go. */
static void on_report(void *ud, sp_report kind, const char *told)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  lua_State *L = ud;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "game");
  if (lua_getfield(L, -1, "heard") == LUA_TFUNCTION) {
    played.report.errors += kind == SP_REPORT_ERROR;
    played.report.warnings += kind == SP_REPORT_WARNING;
    lua_pushstring(L, kinds[kind]);
    lua_pushstring(L, told);
    lua_call(L, 2, 0);
    lua_pop(L, 2);
  } else {
    report_say(&played.report, kind, told);
    lua_pop(L, 3);
  }
}

static const char *text_of(lua_State *L, const char *name, const char *otherwise)
{
  lua_getfield(L, 1, name);
  return luaL_optstring(L, -1, otherwise); /* kept by the table */
}

static lua_Number number_of(lua_State *L, const char *name, lua_Number otherwise)
{
  lua_getfield(L, 1, name);
  return luaL_optnumber(L, -1, otherwise);
}

static bool open_window(const window *large, bool is_pictured, char *problem, size_t size)
{
  game *it = &played.game;
  bool opened = is_pictured
                    ? window_open(&played.window, "test", large->width, large->height, WINDOW_PICTURED, problem, size)
                    : window_open(&played.window, "test", 64, 48, WINDOW_BLIND, problem, size);
  if (!opened || !game_load_graphics(it, &played.window, problem, size))
    return false;
  if (is_pictured) { /* the same letters on every machine */
    text_close(it->text);
    it->text = it->graphics.text = text_open(&played.window, true);
  }
  played.window.scale = large->scale;
  game_fit(it, large);
  return true;
}

/* open{path=, width=, height=, density=, pictured=, argument=, seed=, patience=}: starts a game, whose window has
   this size, 800 x 600 if not given, of `density` pixels a point; its calls are stopped after `patience` seconds. Only
   of a game that is `pictured` there are pixels, and its text is in the built-in letters. True when main.lua and load
   came through. */
static int open_game(lua_State *L)
{
  static char path[512], argument[64];
  static char *arguments[] = {argument, NULL};
  static options o;
  window large = {.width = (int)number_of(L, "width", 800),
                  .height = (int)number_of(L, "height", 600),
                  .scale = (float)number_of(L, "density", 1)};
  char problem[256];
  snprintf(path, sizeof path, "%s", text_of(L, "path", ""));
  snprintf(argument, sizeof argument, "%s", text_of(L, "argument", ""));
  o = (options){.path = path,
                .headless = true,
                .seed = (uint64_t)number_of(L, "seed", 0),
                .patience = number_of(L, "patience", 0),
                .memory = OPTIONS_MEMORY,
                .game_argc = argument[0] != '\0',
                .game_argv = arguments};
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); /* no window is in front */
  gamepad_start();
  played.report = (report){.print = stdout};
  if (!game_open(&played.game, &o, &played.report, problem, sizeof problem))
    return luaL_error(L, "%s", problem);
  played.game.script->options.report = on_report;
  played.game.script->options.report_ud = L;
  lua_getfield(L, 1, "pictured");
  if (!open_window(&large, lua_toboolean(L, -1), problem, sizeof problem))
    return luaL_error(L, "%s", problem);
  storage_open_memory(&played.game.storage);
  game_start(&played.game, &o);
  game_draw(&played.game); /* tells the game the size of its picture */
  lua_pushboolean(L, !played.game.stopped);
  return 1;
}

/* close(): the errors and warnings since the last open; and whether it was stopped. */
static int close_game(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)played.report.errors);
  lua_pushinteger(L, (lua_Integer)played.report.warnings);
  lua_pushboolean(L, played.game.stopped);
  game_close(&played.game);
  window_close(&played.window);
  return 3;
}

/* take(): gives the events that were pushed to the game. */
static int take_events(lua_State *L)
{
  SDL_Event event;
  (void)L;
  SDL_JoystickUpdate();
  SDL_PumpEvents();
  while (SDL_PollEvent(&event)) {
    input_change change = input_event(&played.game.input, &event);
    game_input(&played.game, &change);
  }
  return 0;
}

/* step(): one step of the clock. True when nothing of the game failed in it; then whether the game is stopped. */
static int step(lua_State *L)
{
  uint64_t errors = played.report.errors;
  game_step(&played.game);
  lua_pushboolean(L, !played.game.stopped && played.report.errors == errors);
  lua_pushboolean(L, played.game.stopped);
  return 2;
}

/* show(): makes the picture; true when the game is stopped. */
static int show(lua_State *L)
{
  game_draw(&played.game);
  lua_pushboolean(L, played.game.stopped);
  return 1;
}

/* times(update, draw): what the last frame took, in milliseconds, as the game is told. */
static int set_times(lua_State *L)
{
  played.game.graphics.update_ms = luaL_checknumber(L, 1);
  played.game.graphics.draw_ms = luaL_checknumber(L, 2);
  return 0;
}

/* present(): the picture on black: its width, its height, its pixels, RGB, row by row; how many quads it has, in how
   many runs, and where they are. */
static int present(lua_State *L)
{
  const batch *scene = game_scene(&played.game);
  SDL_Renderer *renderer = played.window.renderer;
  int w = played.window.width, h = played.window.height;
  luaL_Buffer pixels;
  SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
  SDL_RenderClear(renderer);
  SDL_RenderSetScale(renderer, played.window.scale, played.window.scale);
  if (!batch_play(scene, renderer))
    return luaL_error(L, "%s", SDL_GetError());
  SDL_RenderSetScale(renderer, 1, 1);
  lua_pushinteger(L, w);
  lua_pushinteger(L, h);
  char *bytes = luaL_buffinitsize(L, &pixels, (size_t)(w * h * 3));
  if (SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGB24, bytes, w * 3) != 0)
    return luaL_error(L, "%s", SDL_GetError());
  luaL_pushresultsize(&pixels, (size_t)(w * h * 3));
  lua_pushinteger(L, (lua_Integer)scene->quads);
  lua_pushinteger(L, (lua_Integer)scene->run_count);
  lua_pushlightuserdata(L, scene->vertices);
  return 6;
}

/* poll("look", "now" or "rest"): what came of reloading, in a word; and the line about it. A game whose new code runs
   goes on. */
static int poll(lua_State *L)
{
  static const char *const hows[] = {[SP_POLL_LOOK] = "look", [SP_POLL_NOW] = "now", [SP_POLL_REST] = "rest", NULL};
  static const char *const words[] = {"nothing", "reloaded", "refused", "reverted"};
  sp_poll_result result = sp_script_poll(played.game.script, (sp_poll)luaL_checkoption(L, 1, "now", hows));
  if (result == SP_POLL_RELOADED) {
    game_resume(&played.game);
    game_read_settings(&played.game);
  }
  lua_pushstring(L, words[result]);
  lua_pushstring(L, sp_script_reload_line(played.game.script));
  return 2;
}

/* resume(): a stopped game goes on; true when it was stopped. */
static int resume(lua_State *L)
{
  lua_pushboolean(L, played.game.stopped);
  game_resume(&played.game);
  return 1;
}

/* eval(text): runs it as a line of the console; true when it ran. */
static int eval(lua_State *L)
{
  lua_pushboolean(L, sp_script_eval(played.game.script, luaL_checkstring(L, 1)) == SP_EVAL_DONE);
  return 1;
}

/* budget(seconds): what a call may compute from now on. */
static int set_budget(lua_State *L)
{
  sp_watchdog_set_budget(sp_context_of(sp_script_state(played.game.script))->watchdog, luaL_checknumber(L, 1));
  return 0;
}

static int has_pool(lua_State *L)
{
  lua_pushboolean(L, sp_find_pool(game_pools(&played.game), luaL_checkstring(L, 1)) != NULL);
  return 1;
}

/* check(): walks the pools, whose counts and lists must agree; the number of ticks, the seconds of a tick. */
static int check_pools(lua_State *L)
{
  core_check(game_pools(&played.game));
  lua_pushinteger(L, (lua_Integer)sp_tick(game_pools(&played.game)));
  lua_pushnumber(L, played.game.step);
  return 2;
}

/* measure(): bytes of Lua's heap and of the pools, after two full collections; and how many objects were allocated. */
static int measure(lua_State *L)
{
  lua_State *G = sp_script_state(played.game.script);
  lua_gc(G, LUA_GCCOLLECT);
  lua_gc(G, LUA_GCCOLLECT);
  sp_stats all = sp_total_stats(game_pools(&played.game));
  lua_pushinteger(L, (lua_Integer)lua_gc(G, LUA_GCCOUNT) * 1024 + lua_gc(G, LUA_GCCOUNTB));
  lua_pushinteger(L, (lua_Integer)all.bytes);
  lua_pushinteger(L, (lua_Integer)all.allocs);
  return 3;
}

/* ask(code): what it returns in the game; a number, a boolean, or text. */
static int ask(lua_State *L)
{
  lua_State *G = sp_script_state(played.game.script);
  int top = lua_gettop(G);
  if (luaL_loadbuffer(G, luaL_checkstring(L, 1), lua_rawlen(L, 1), "=ask") != LUA_OK || lua_pcall(G, 0, 1, 0) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(G, -1));
  if (lua_type(G, -1) == LUA_TNUMBER)
    lua_pushnumber(L, lua_tonumber(G, -1));
  else if (lua_isboolean(G, -1))
    lua_pushboolean(L, lua_toboolean(G, -1));
  else
    lua_pushstring(L, luaL_tolstring(G, -1, NULL));
  lua_settop(G, top);
  return 1;
}

/* draw(code): runs it in the game with `g`, then draws; the middle of the first quad of the picture. */
static int draw_with(lua_State *L)
{
  lua_State *G = sp_script_state(played.game.script);
  static batch scene;
  graphics_begin(&played.game.graphics, &scene, &played.game.graphics.view);
  if (luaL_loadstring(G, luaL_checkstring(L, 1)) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(G, -1));
  lua_rawgeti(G, LUA_REGISTRYINDEX, played.game.g);
  if (lua_pcall(G, 1, 0, 0) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(G, -1));
  graphics_end(&played.game.graphics);
  batch_free(&scene);
  game_draw(&played.game);
  const SDL_Vertex *v = game_scene(&played.game)->vertices;
  lua_pushnumber(L, (double)(v[0].position.x + v[2].position.x) / 2);
  lua_pushnumber(L, (double)(v[0].position.y + v[2].position.y) / 2);
  return 2;
}

/* }== */

/* {== A gamepad ========================================================== */

/* Triggers rest at their lower end, as they do on a real one. */
static int plug_in(lua_State *L)
{
  played.device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                            SDL_CONTROLLER_BUTTON_MAX, 0);
  if (played.device < 0 || !SDL_IsGameController(played.device))
    return luaL_error(L, "%s", SDL_GetError());
  played.gamepad = SDL_JoystickOpen(played.device);
  SDL_JoystickSetVirtualAxis(played.gamepad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MIN);
  SDL_JoystickSetVirtualAxis(played.gamepad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MIN);
  return take_events(L);
}

static int plug_out(lua_State *L)
{
  SDL_JoystickClose(played.gamepad);
  if (SDL_JoystickDetachVirtual(played.device) != 0)
    return luaL_error(L, "%s", SDL_GetError());
  return take_events(L);
}

/* button(name, down), axis(name, value): names are those of SDL. */
static int set_button(lua_State *L)
{
  SDL_GameControllerButton button = SDL_GameControllerGetButtonFromString(luaL_checkstring(L, 1));
  if (SDL_JoystickSetVirtualButton(played.gamepad, button, (Uint8)lua_toboolean(L, 2)) != 0)
    return luaL_error(L, "%s", SDL_GetError());
  return take_events(L);
}

static int set_axis(lua_State *L)
{
  SDL_GameControllerAxis axis = SDL_GameControllerGetAxisFromString(luaL_checkstring(L, 1));
  if (SDL_JoystickSetVirtualAxis(played.gamepad, axis, (Sint16)luaL_checkinteger(L, 2)) != 0)
    return luaL_error(L, "%s", SDL_GetError());
  return take_events(L);
}

/* }== */

void host_open_game(lua_State *L)
{
  static const luaL_Reg functions[] = {{"open", open_game},    {"close", close_game}, {"take", take_events},
                                       {"step", step},         {"show", show},        {"present", present},
                                       {"times", set_times},   {"poll", poll},        {"resume", resume},
                                       {"eval", eval},         {"ask", ask},          {"draw", draw_with},
                                       {"check", check_pools}, {"measure", measure},  {"has_pool", has_pool},
                                       {"budget", set_budget}, {"plug_in", plug_in},  {"plug_out", plug_out},
                                       {"button", set_button}, {"axis", set_axis},    {NULL, NULL}};
  lua_suite_module(L, "game", functions);
}
