/*
** The player in this process, for tests: a frame at a time, by a clock of its own, so that a minute of play takes a
** second and no test waits. Each function is a member of the module `host` and says what it does for Lua.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif

#include "demo/app/app.h"
#include "demo/app/commands.h"
#include "demo/app/recordings.h"
#include "demo/host.h"
#include "script/guard/watchdog.h"
#include "script/host/host.h"
#include "script/state/context.h"
#include "support/core_fixture.h"

#include <check.h>
#include <math.h>
#ifndef _WIN32
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct seen_text {
  char text[400];
  float x, y, width; /* points, or units of the game's view */
  uint32_t color;    /* 0xRRGGBB */
} seen_text;

/* A stream of this process that goes to a file until it is restored. */
typedef struct captured {
  FILE *file;
  int fd, before;
} captured;

enum { TEXTS_MOST = 1000, WORDS_MOST = 100, IDLE_MOST = 1000, PUSHED_MOST = 1000 };

#define GAMEPADS 3

static struct {
  app app;
  options options;
  char *words[WORDS_MOST]; /* the options point into them */
  int word_count;
  captured out, err;
  char folder[1024]; /* where the test runs */
  bool is_open;
  Uint64 now; /* microseconds */
  int pictures;
  SDL_Renderer *renderer; /* of the last picture */
  seen_text texts[TEXTS_MOST];
  int text_count;
  void (*act)(void);                /* is called before each picture of the gallery */
  SDL_Joystick *gamepads[GAMEPADS]; /* virtual ones, or NULL */
  SDL_Event pushed[PUSHED_MOST];    /* come after SDL's */
  int pushed_count;
  bool renderer_fails; /* once, at the end of a picture */
} played;

/* {== Calls that pass through here ======================================= */

#ifdef _WIN32 /* SDL is part of the program: the linker puts these before it, by its option --wrap */
#define WRAPPED(name) __wrap_##name
#define REAL(name)                                                                                                     \
  extern __typeof__(name) __real_##name;                                                                               \
  real_##name = __real_##name
#else
#define WRAPPED(name) name
#define REAL(name) real_##name = (__typeof__(real_##name))(uintptr_t)dlsym(RTLD_NEXT, #name)
#endif

DECLSPEC void SDLCALL WRAPPED(SDL_RenderPresent)(SDL_Renderer *renderer)
{
  void (*real_SDL_RenderPresent)(SDL_Renderer *);
  REAL(SDL_RenderPresent);
  played.renderer = renderer;
  played.pictures++;
  if (played.act) {
    played.act();
    played.text_count = 0;
  }
  real_SDL_RenderPresent(renderer);
}

/* Fails once where a test wants that. */
DECLSPEC int SDLCALL WRAPPED(SDL_RenderFlush)(SDL_Renderer *renderer)
{
  int (*real_SDL_RenderFlush)(SDL_Renderer *);
  REAL(SDL_RenderFlush);
  bool fails = played.renderer_fails;
  played.renderer_fails = false;
  return fails ? SDL_SetError("the test says so") : real_SDL_RenderFlush(renderer);
}

/* Events of tests don't go through SDL's queue, which is that of SDL3 where SDL2 is a layer over it: it changes or
   loses events that no device has made. */
DECLSPEC int SDLCALL WRAPPED(SDL_PollEvent)(SDL_Event *event)
{
  int (*real_SDL_PollEvent)(SDL_Event *);
  REAL(SDL_PollEvent);
  if (real_SDL_PollEvent(event))
    return 1;
  if (played.pushed_count == 0)
    return 0;
  *event = played.pushed[0];
  memmove(played.pushed, played.pushed + 1, (size_t)--played.pushed_count * sizeof *event);
  return 1;
}

bool driver_push(const SDL_Event *event)
{
  if (played.pushed_count == PUSHED_MOST)
    return false;
  played.pushed[played.pushed_count++] = *event;
  return true;
}

DECLSPEC void SDLCALL WRAPPED(SDL_Delay)(Uint32 ms)
{
  void (*real_SDL_Delay)(Uint32);
  REAL(SDL_Delay);
  played.now += played.is_open ? (Uint64)ms * 1000 : 0;
  if (!played.is_open)
    real_SDL_Delay(ms);
}

DECLSPEC Uint64 SDLCALL WRAPPED(SDL_GetPerformanceCounter)(void)
{
  static Uint64 (*real_SDL_GetPerformanceCounter)(void);
  if (!real_SDL_GetPerformanceCounter) {
    REAL(SDL_GetPerformanceCounter);
  }
  if (!played.is_open)
    return real_SDL_GetPerformanceCounter();
  played.now += 1;
  return played.now * (SDL_GetPerformanceFrequency() / 1000000);
}

#if defined SP_WRAP || defined _WIN32
extern __typeof__(text_draw) __real_text_draw, __wrap_text_draw;

/* Keeps a text, or adds it to the one that it follows in the same line and colour. */
static void keep_text(float x, float y, float width, SDL_Color color, const char *s, size_t length)
{
  seen_text *last = played.text_count > 0 ? &played.texts[played.text_count - 1] : NULL;
  uint32_t rgb = (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
  bool follows = last && last->y == y && last->color == rgb && fabsf(last->x + last->width - x) < 0.01f;
  if (!follows && played.text_count == TEXTS_MOST)
    return;
  if (!follows) {
    last = &played.texts[played.text_count++];
    *last = (seen_text){.x = x, .y = y, .color = rgb};
  }
  size_t used = strlen(last->text);
  snprintf(last->text + used, sizeof last->text - used, "%.*s", (int)length, s);
  last->width += width;
}

float __wrap_text_draw(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length)
{
  float width = __real_text_draw(t, out, x, y, style, s, length);
  if (played.is_open)
    keep_text(x, y, width, style->color, s, length);
  return width;
}
#endif

/* }== */

/* {== Opening and closing ================================================ */

static captured capture(int fd)
{
  captured c = {tmpfile(), fd, dup(fd)};
  ck_assert(c.file && c.before >= 0);
  fflush(NULL);
  dup2(fileno(c.file), fd);
  return c;
}

/* Pushes what was written meanwhile. */
static void restore(lua_State *L, captured *c)
{
  fflush(NULL);
  dup2(c->before, c->fd);
  close(c->before);
  fseek(c->file, 0, SEEK_END);
  size_t size = (size_t)ftell(c->file);
  char *bytes = malloc(size + 1);
  ck_assert_ptr_nonnull(bytes);
  rewind(c->file);
  lua_pushlstring(L, bytes, fread(bytes, 1, size, c->file));
  fclose(c->file);
  free(bytes);
}

/* Of LeakSanitizer, where it is linked. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static lua_Number number_of(lua_State *L, const char *name, lua_Number otherwise)
{
  if (!lua_istable(L, 3))
    return otherwise;
  lua_getfield(L, 3, name);
  lua_Number number = luaL_optnumber(L, -1, otherwise);
  lua_pop(L, 1);
  return number;
}

/* Reads the words at 1, changes to the folder at 2, and captures both streams. */
static void begin(lua_State *L)
{
  int count = (int)luaL_len(L, 1);
  luaL_argcheck(L, count < WORDS_MOST && !played.is_open, 1, "too many words, or still open");
  for (int i = 0; i < count; i++, lua_pop(L, 1)) {
    lua_geti(L, 1, i + 1);
    played.words[i] = strdup(lua_tostring(L, -1));
  }
  played.word_count = count;
  if (!options_parse(&played.options, count, played.words))
    luaL_error(L, "%s", played.options.error);
  if (!getcwd(played.folder, sizeof played.folder) || chdir(luaL_checkstring(L, 2)) != 0)
    luaL_error(L, "there is no folder %s", lua_tostring(L, 2));
  bool gl = number_of(L, "gl", 0) > 0;
  SDL_setenv("SDL_VIDEODRIVER", gl ? "offscreen" : "dummy", 1);
  SDL_setenv("SDL_RENDER_DRIVER", gl ? "opengl" : "software", 1);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  played.out = capture(STDOUT_FILENO);
  played.err = capture(STDERR_FILENO);
  played.pictures = played.text_count = 0;
  played.is_open = true;
}

/* Pushes what was printed on both streams. */
static void finish(lua_State *L)
{
  played.is_open = false;
  played.pushed_count = 0;
  restore(L, &played.out);
  restore(L, &played.err);
  if (chdir(played.folder) != 0)
    luaL_error(L, "there is no way back to %s", played.folder);
  for (int i = 0; i < played.word_count; i++)
    free(played.words[i]);
}

/* Reports of the game go to host.heard(kind, text) if the test has set that, else where those of the player go. */
static void on_report(void *ud, sp_report kind, const char *message)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  lua_State *L = ud;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "host");
  if (lua_getfield(L, -1, "heard") == LUA_TFUNCTION) {
    played.app.report.errors += kind == SP_REPORT_ERROR;
    played.app.report.warnings += kind == SP_REPORT_WARNING;
    lua_pushstring(L, kinds[kind]);
    lua_pushstring(L, message);
    lua_call(L, 2, 0);
    lua_pop(L, 2);
  } else {
    report_say(&played.app.report, kind, message);
    lua_pop(L, 3);
  }
}

/* open({"spawnpool", ...}, folder, {gl=, letters=, density=, textures=, patience=}?): opens the player in that folder
   and starts the game; true when main.lua and load came through. `gl`: by OpenGL, without a display; `letters`: text is
   in the built-in letters, whose pixels are the same on every machine; `density`: pixels of a point; `textures`: pixels
   of their sides at most, after the event "device_reset"; `patience`: seconds that a call of the game may take. */
static int host_open_player(lua_State *L)
{
  app *a = &played.app;
  float density = (float)number_of(L, "density", 1);
  begin(L);
  *a = (app){.opened = false};
  played.options.patience = number_of(L, "patience", 0);
  played.options.at_save = recordings_exist(&played.options) ? command_check : NULL;
  bool leaks = number_of(L, "gl", 0) > 0 && __lsan_disable; /* drivers of OpenGL leak what they read about themselves */
  if (leaks)
    __lsan_disable();
  bool is_open = app_open(a, &played.options);
  if (leaks)
    __lsan_enable();
  if (is_open) {
    a->game.script->options.report = on_report;
    a->game.script->options.report_ud = L;
    if (!getenv("XDG_DATA_HOME")) /* tests that store files say where */
      storage_open_memory(&a->game.storage);
  }
  app_start(a);
  if (is_open && number_of(L, "letters", 0) > 0) {
    text_close(a->game.text);
    a->game.text = a->game.graphics.text = text_open(&a->window, true);
    game_load_fonts(&a->game);
    overlays_use_graphics(&a->overlays);
  }
  a->window.texture_most = (int)number_of(L, "textures", a->window.texture_most);
  if (is_open && density != 1) {
    a->window.scale = density;
    game_fit(&a->game, &a->window);
  }
  lua_pushboolean(L, is_open && !a->game.stopped);
  return 1;
}

/* close(): the exit code, what was printed on both streams, and how many errors and warnings there were; nothing when
   no player is open. */
static int host_close_player(lua_State *L)
{
  if (!played.is_open)
    return 0;
  lua_Integer errors = (lua_Integer)played.app.report.errors, warnings = (lua_Integer)played.app.report.warnings;
  lua_pushinteger(L, app_close(&played.app));
  finish(L);
  lua_pushinteger(L, errors);
  lua_pushinteger(L, warnings);
  return 5;
}

/* }== */

/* {== Frames ============================================================= */

/* frame(): runs the next frame. True while the run goes on; how many pictures were shown, or frames run where there is
   no window; whether the game has stopped; and how many errors there were in it. */
static int host_frame(lua_State *L)
{
  app *a = &played.app;
  uint64_t frames = a->stats.count, errors = a->report.errors;
  int pictures = played.pictures;
  bool goes_on = true;
  played.text_count = 0;
  for (int i = 0; goes_on && a->stats.count == frames && played.pictures == pictures && i < IDLE_MOST; i++) {
    goes_on = app_frame(a);
    app_rest(a);
  }
  lua_pushboolean(L, goes_on);
  lua_pushinteger(L, a->options->headless ? (lua_Integer)a->stats.count : played.pictures);
  lua_pushboolean(L, a->game.stopped);
  lua_pushinteger(L, (lua_Integer)(a->report.errors - errors));
  return 4;
}

/* take(): gives the game the events that were pushed, without a frame. */
static int host_take(lua_State *L)
{
  SDL_Event event;
  (void)L;
  while (SDL_PollEvent(&event)) {
    input_change change = input_event(&played.app.game.input, &event, true);
    game_input(&played.app.game, &change);
  }
  return 0;
}

/* resume(): a stopped game goes on, also where that was the end of the run; true when it was stopped. */
static int host_resume(lua_State *L)
{
  lua_pushboolean(L, played.app.game.stopped);
  played.app.ended = false;
  game_resume(&played.app.game);
  return 1;
}

/* poll("look", "now" or "rest"): what came of reloading, in a word; and the line about it. A game whose new code runs
   goes on. */
static int host_poll(lua_State *L)
{
  static const char *const hows[] = {[SP_POLL_LOOK] = "look", [SP_POLL_NOW] = "now", [SP_POLL_REST] = "rest", NULL};
  static const char *const words[] = {"nothing", "reloaded", "refused", "reverted"};
  game *it = &played.app.game;
  sp_poll_result result = sp_script_poll(it->script, (sp_poll)luaL_checkoption(L, 1, "now", hows));
  if (result == SP_POLL_RELOADED) {
    host_resume(L);
    game_read_settings(it);
  }
  lua_pushstring(L, words[result]);
  lua_pushstring(L, sp_script_reload_line(it->script));
  return 2;
}

/* pass(seconds): the clock goes on by so much without a frame. */
static int host_pass(lua_State *L)
{
  played.now += (Uint64)(luaL_checknumber(L, 1) * 1e6);
  return 0;
}

static lua_State *gallery_test; /* its function at 3 acts */
static char gallery_problem[500];

/* An error ends the gallery, and is raised when that has ended. */
static void act_in_gallery(void)
{
  lua_State *L = gallery_test;
  lua_pushvalue(L, 3);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK)
    return;
  if (!gallery_problem[0])
    snprintf(gallery_problem, sizeof gallery_problem, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  SDL_Event quit;
  SDL_zero(quit);
  quit.type = SDL_QUIT;
  driver_push(&quit);
}

/* gallery(words, folder, fn): runs the gallery, which has frames of its own and calls fn() before each picture; the
   exit code, and what was printed on both streams. */
static int host_gallery(lua_State *L)
{
  begin(L);
  gallery_test = L;
  gallery_problem[0] = '\0';
  played.act = act_in_gallery;
  lua_pushinteger(L, gallery_command_run(played.word_count, played.words, &played.options));
  played.act = NULL;
  finish(L);
  return gallery_problem[0] ? luaL_error(L, "%s", gallery_problem) : 3;
}

/* }== */

/* {== What is seen ======================================================= */

/* seen(x, y): a point of the picture, 0xRRGGBB; seen(x, y, w, h): the pixels of a part, RGB, row by row. */
static int host_seen(lua_State *L)
{
  SDL_Rect at = {(int)luaL_checkinteger(L, 1), (int)luaL_checkinteger(L, 2), (int)luaL_optinteger(L, 3, 1),
                 (int)luaL_optinteger(L, 4, 1)};
  luaL_Buffer pixels;
  size_t size = (size_t)at.w * (size_t)at.h * 3;
  bool is_point = lua_gettop(L) == 2;
  unsigned char *bytes = (unsigned char *)luaL_buffinitsize(L, &pixels, size);
  if (SDL_RenderReadPixels(played.renderer, &at, SDL_PIXELFORMAT_RGB24, bytes, at.w * 3) != 0)
    return luaL_error(L, "%s", SDL_GetError());
  lua_Integer first = bytes[0] << 16 | bytes[1] << 8 | bytes[2];
  luaL_pushresultsize(&pixels, size);
  if (is_point)
    lua_pushinteger(L, first);
  return 1;
}

static void set_number(lua_State *L, const char *name, lua_Number number)
{
  lua_pushnumber(L, number);
  lua_setfield(L, -2, name);
}

/* texts(): what is written in the picture, in the order of drawing: { { text =, x =, y =, w =, color = }, ... }. */
static int host_texts(lua_State *L)
{
  lua_newtable(L);
  for (int i = 0; i < played.text_count; i++) {
    const seen_text *it = &played.texts[i];
    lua_newtable(L);
    lua_pushstring(L, it->text);
    lua_setfield(L, -2, "text");
    set_number(L, "x", (lua_Number)it->x);
    set_number(L, "y", (lua_Number)it->y);
    set_number(L, "w", (lua_Number)it->width);
    lua_pushinteger(L, it->color);
    lua_setfield(L, -2, "color");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* window(w?, h?): the size of the window and its title; it is given another size first. */
static int host_window(lua_State *L)
{
  SDL_Window *handle = SDL_RenderGetWindow(played.renderer);
  int w, h;
  if (lua_isinteger(L, 1))
    SDL_SetWindowSize(handle, (int)lua_tointeger(L, 1), (int)lua_tointeger(L, 2));
  SDL_GetWindowSize(handle, &w, &h);
  lua_pushinteger(L, w);
  lua_pushinteger(L, h);
  lua_pushstring(L, SDL_GetWindowTitle(handle));
  return 3;
}

/* scene(): draws what the game has drawn, on black, for `seen`: its width and height, how many quads it has, in how
   many runs, where they are in memory, and how many textures there are. */
static int host_scene(lua_State *L)
{
  const batch *scene = game_scene(&played.app.game);
  SDL_Renderer *renderer = played.renderer = played.app.window.renderer;
  const game_view shown = input_log_shown(&played.app.log, &played.app.window);
  view_play(&shown, scene, renderer, (SDL_Color){0, 0, 0, 255});
  lua_pushinteger(L, played.app.window.width);
  lua_pushinteger(L, played.app.window.height);
  lua_pushinteger(L, (lua_Integer)scene->quads);
  lua_pushinteger(L, (lua_Integer)scene->run_count);
  lua_pushlightuserdata(L, scene->vertices);
  lua_pushinteger(L, sprites_textures(played.app.game.sprites));
  return 6;
}

/* renderer(): its name; renderer "fails": the next picture fails in its end. */
static int host_renderer(lua_State *L)
{
  SDL_RendererInfo info;
  played.renderer_fails = lua_isstring(L, 1);
  if (SDL_GetRendererInfo(played.app.window.renderer, &info) != 0)
    return luaL_error(L, "%s", SDL_GetError());
  lua_pushstring(L, info.name);
  return 1;
}

/* }== */

/* {== The game inside ==================================================== */

/* ask(code): what it returns in the game; a number, a boolean, or a string. */
static int host_ask(lua_State *L)
{
  lua_State *G = sp_script_state(played.app.game.script);
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

/* eval(text): runs it as a line of the console; true when it ran. */
static int host_eval(lua_State *L)
{
  lua_pushboolean(L, sp_script_eval(played.app.game.script, luaL_checkstring(L, 1)) == SP_EVAL_DONE);
  return 1;
}

/* budget(seconds): what a call may compute from now on. */
static int host_budget(lua_State *L)
{
  sp_context *context = sp_context_of(sp_script_state(played.app.game.script));
  sp_watchdog_set_budget(context->watchdog, luaL_checknumber(L, 1));
  return 0;
}

/* check(): walks the pools, whose counts and lists must agree; the number of ticks, and the seconds of a tick. */
static int host_check(lua_State *L)
{
  core_check(game_pools(&played.app.game));
  lua_pushinteger(L, (lua_Integer)sp_clock_of(game_pools(&played.app.game)).tick);
  lua_pushnumber(L, played.app.game.step);
  return 2;
}

/* measure(): bytes of Lua's heap and of the pools, after two full collections. */
static int host_measure(lua_State *L)
{
  lua_State *G = sp_script_state(played.app.game.script);
  lua_gc(G, LUA_GCCOLLECT);
  lua_gc(G, LUA_GCCOLLECT);
  lua_pushinteger(L, (lua_Integer)lua_gc(G, LUA_GCCOUNT) * 1024 + lua_gc(G, LUA_GCCOUNTB));
  lua_pushinteger(L, (lua_Integer)sp_total_of(game_pools(&played.app.game)).bytes);
  return 2;
}

/* }== */

/* {== Gamepads =========================================================== */

/* Triggers rest at their lower end, as they do on a real gamepad. */
static void plug_in(lua_State *L, SDL_Joystick **gamepad)
{
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); /* no window is in front */
  devices_start();
  int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                         SDL_CONTROLLER_BUTTON_MAX, 0);
  if (device < 0 || !SDL_IsGameController(device))
    luaL_error(L, "%s", SDL_GetError());
  *gamepad = SDL_JoystickOpen(device);
  SDL_JoystickSetVirtualAxis(*gamepad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MIN);
  SDL_JoystickSetVirtualAxis(*gamepad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MIN);
}

static void plug_out(lua_State *L, SDL_Joystick *gamepad)
{
  const SDL_JoystickID id = SDL_JoystickInstanceID(gamepad);
  int device = 0;
  while (device < SDL_NumJoysticks() && SDL_JoystickGetDeviceInstanceID(device) != id)
    device++;
  SDL_JoystickClose(gamepad);
  if (SDL_JoystickDetachVirtual(device) != 0)
    luaL_error(L, "%s", SDL_GetError());
}

/* pad(number, what, value): a gamepad is plugged "in" or "out", or a button or an axis of it, with the name that SDL
   gives it, gets a value. */
static int host_pad(lua_State *L)
{
  lua_Integer number = luaL_checkinteger(L, 1);
  const char *what = luaL_checkstring(L, 2);
  Sint16 value = (Sint16)luaL_checkinteger(L, 3);
  int axis = SDL_GameControllerGetAxisFromString(what);
  luaL_argcheck(L, number >= 1 && number <= GAMEPADS, 1, "no such gamepad");
  SDL_Joystick **gamepad = &played.gamepads[number - 1];
  if (strcmp(what, "in") == 0)
    plug_in(L, gamepad);
  else if (strcmp(what, "out") == 0)
    plug_out(L, *gamepad);
  else if (axis != SDL_CONTROLLER_AXIS_INVALID)
    SDL_JoystickSetVirtualAxis(*gamepad, axis, value);
  else
    SDL_JoystickSetVirtualButton(*gamepad, SDL_GameControllerGetButtonFromString(what), value > 0);
  SDL_JoystickUpdate();
  return 0;
}

/* }== */

const luaL_Reg host_driver[] = {{"open", host_open_player}, {"close", host_close_player},
                                {"frame", host_frame},      {"take", host_take},
                                {"resume", host_resume},    {"renderer", host_renderer},
                                {"poll", host_poll},        {"pass", host_pass},
                                {"gallery", host_gallery},  {"seen", host_seen},
                                {"texts", host_texts},      {"window", host_window},
                                {"scene", host_scene},      {"ask", host_ask},
                                {"eval", host_eval},        {"budget", host_budget},
                                {"check", host_check},      {"measure", host_measure},
                                {"pad", host_pad},          {NULL, NULL}};
