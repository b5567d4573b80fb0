#include "demo/host.h"
#include "demo/app/options.h"
#include "demo/hand.h"
#include "demo/lua_suite.h"
#include "demo/paint.h"
#include "demo/picture.h"
#include "demo/wave.h"
#include "support/process.h"
#include "support/refuse_call.h"
#include "support/spec_files.h"

#include <SDL_image.h>
#include <SDL_ttf.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#else
#define SYS_seccomp 0
#endif

/* {== Programs =========================================================== */

/* run(command, seconds?): its status (-1: it took too long), what it printed on both streams, and its seconds. */
static int host_run(lua_State *L)
{
  test_process p = test_run(luaL_optnumber(L, 2, 120), "%s", luaL_checkstring(L, 1));
  lua_pushinteger(L, p.timed_out ? -1 : p.status);
  lua_pushlstring(L, p.out, p.out_size);
  lua_pushlstring(L, p.err, p.err_size);
  lua_pushnumber(L, p.seconds);
  test_process_free(&p);
  return 4;
}

/* start(command): the number of a process that runs it. */
static int host_start(lua_State *L)
{
  const char *command = luaL_checkstring(L, 1);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  lua_pushinteger(L, pid);
  return 1;
}

/* status(pid): that of a process that has ended, 128 and more when it was killed; or nil. */
static int host_status(lua_State *L)
{
  int status;
  pid_t pid = (pid_t)luaL_checkinteger(L, 1);
  if (waitpid(pid, &status, WNOHANG) != pid)
    return 0;
  lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 1;
}

/* signal(pid, "INT"), also "KILL", "USR1". */
static int host_signal(lua_State *L)
{
  static const char *const names[] = {"INT", "KILL", "USR1", NULL};
  static const int numbers[] = {SIGINT, SIGKILL, SIGUSR1};
  pid_t pid = (pid_t)luaL_checkinteger(L, 1);
  lua_pushboolean(L, kill(pid, numbers[luaL_checkoption(L, 2, NULL, names)]) == 0);
  return 1;
}

static int host_nap(lua_State *L)
{
  double seconds = luaL_checknumber(L, 1);
  long nanoseconds = (long)(fmod(seconds, 1) * 1e9);
  nanosleep(&(struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = nanoseconds}, NULL);
  return 0;
}

/* setenv(name, value?) */
static int host_setenv(lua_State *L)
{
  const char *value = luaL_optstring(L, 2, NULL);
  lua_pushboolean(L, (value ? setenv(luaL_checkstring(L, 1), value, 1) : unsetenv(luaL_checkstring(L, 1))) == 0);
  return 1;
}

/* refuse_call("landlock" or "seccomp", "ENOSYS" or "EOPNOTSUPP"): see refuse_call.h. */
static int host_refuse_call(lua_State *L)
{
  static const char *const calls[] = {"landlock", "seccomp", NULL}, *const errors[] = {"ENOSYS", "EOPNOTSUPP", NULL};
  static const long numbers[] = {444, SYS_seccomp};
  static const int codes[] = {ENOSYS, EOPNOTSUPP};
  long number = numbers[luaL_checkoption(L, 1, NULL, calls)];
  lua_pushboolean(L, test_refuse_call(number, codes[luaL_checkoption(L, 2, NULL, errors)]));
  return 1;
}

/* skip(suite, why) */
static int host_skip(lua_State *L)
{
  test_skip(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

/* }== */

/* {== Plays in this process ============================================== */

static struct {
  lua_State *L;  /* its function at 2 acts before each picture */
  char why[500]; /* the first error in it */
} act;

/* An error ends the play, and is raised when that has ended. */
static void on_picture(int picture)
{
  lua_pushvalue(act.L, 2);
  lua_pushinteger(act.L, picture);
  if (lua_pcall(act.L, 1, 0, 0) != LUA_OK) {
    if (!act.why[0])
      snprintf(act.why, sizeof act.why, "%s", lua_tostring(act.L, -1));
    lua_pop(act.L, 1);
    hand_quit();
  }
}

/* play({"spawnpool", ...}, fn(picture), folder): plays in that folder; the exit code, and what was printed on both
   streams. */
static int host_play(lua_State *L)
{
  static options o;
  static char *argv[100];
  int argc = (int)luaL_len(L, 1);
  luaL_argcheck(L, argc < 100, 1, "too many arguments");
  luaL_checktype(L, 2, LUA_TFUNCTION);
  for (int i = 0; i < argc; i++, lua_pop(L, 1)) {
    lua_geti(L, 1, i + 1);
    argv[i] = strdup(lua_tostring(L, -1)); /* options point into it */
  }
  if (!options_parse(&o, argc, argv))
    return luaL_error(L, "%s", o.error);
  char here[1024];
  if (!getcwd(here, sizeof here) || chdir(luaL_checkstring(L, 3)) != 0)
    return luaL_error(L, "no folder to play in");
  act.L = L;
  act.why[0] = '\0';
  int code = hand_play(&o, argc, argv, on_picture);
  if (chdir(here) != 0)
    return luaL_error(L, "no way back");
  for (int i = 0; i < argc; i++)
    free(argv[i]);
  if (act.why[0])
    return luaL_error(L, "%s", act.why);
  lua_pushinteger(L, code);
  lua_pushstring(L, hand_out);
  lua_pushstring(L, hand_err);
  return 3;
}

static int field(lua_State *L, const char *name)
{
  lua_getfield(L, 1, name);
  int number = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return number;
}

/* push{kind=, ...}: an event that comes with the next frame. Keys have names as SDL gives them. */
static int host_push(lua_State *L)
{
  static const char *const kinds[] = {"key_down",   "key_up",   "text",    "move",  "down",          "up",
                                      "wheel",      "quit",     "unfocus", "focus", "targets_reset", "device_reset",
                                      "pad_button", "pad_axis", NULL};
  static const Uint32 types[] = {SDL_KEYDOWN,
                                 SDL_KEYUP,
                                 SDL_TEXTINPUT,
                                 SDL_MOUSEMOTION,
                                 SDL_MOUSEBUTTONDOWN,
                                 SDL_MOUSEBUTTONUP,
                                 SDL_MOUSEWHEEL,
                                 SDL_QUIT,
                                 SDL_WINDOWEVENT,
                                 SDL_WINDOWEVENT,
                                 SDL_RENDER_TARGETS_RESET,
                                 SDL_RENDER_DEVICE_RESET,
                                 SDL_CONTROLLERBUTTONDOWN,
                                 SDL_CONTROLLERAXISMOTION};
  lua_getfield(L, 1, "kind");
  Uint32 type = types[luaL_checkoption(L, -1, NULL, kinds)];
  int x = field(L, "x"), y = field(L, "y");
  SDL_Event event = {.type = type};
  lua_getfield(L, 1, "name");
  const char *name = luaL_optstring(L, -1, "");
  switch (type) {
  case SDL_KEYDOWN:
  case SDL_KEYUP:
    event.key.keysym.sym = SDL_GetKeyFromName(name);
    event.key.keysym.mod = (Uint16)field(L, "mod");
    event.key.keysym.scancode = (SDL_Scancode)field(L, "scancode");
    luaL_argcheck(L, event.key.keysym.sym != SDLK_UNKNOWN, 1, name);
    break;
  case SDL_TEXTINPUT:
    SDL_strlcpy(event.text.text, name, sizeof event.text.text);
    break;
  case SDL_MOUSEMOTION:
    event.motion.x = x, event.motion.y = y;
    event.motion.xrel = 1;
    break;
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP:
    event.button.x = x, event.button.y = y;
    event.button.button = (Uint8)field(L, "button");
    break;
  case SDL_MOUSEWHEEL:
    event.wheel.x = x, event.wheel.y = y;
    event.wheel.direction = (Uint32)field(L, "flipped");
    break;
  case SDL_CONTROLLERBUTTONDOWN:
    event.cbutton.button = (Uint8)SDL_GameControllerGetButtonFromString(name);
    break;
  case SDL_CONTROLLERAXISMOTION:
    event.caxis.value = (Sint16)x; /* of the left stick, across */
    break;
  case SDL_WINDOWEVENT:
    lua_getfield(L, 1, "kind");
    event.window.event =
        strcmp(lua_tostring(L, -1), "focus") == 0 ? SDL_WINDOWEVENT_FOCUS_GAINED : SDL_WINDOWEVENT_FOCUS_LOST;
    break;
  default:
    break;
  }
  if (!SDL_WasInit(SDL_INIT_EVENTS))
    SDL_Init(SDL_INIT_EVENTS);
  lua_pushboolean(L, SDL_PushEvent(&event) == 1);
  return 1;
}

/* seen(x, y): the colour of the picture that is about to be shown, 0xRRGGBB. */
static int host_seen(lua_State *L)
{
  lua_pushinteger(L, hand_pixel((int)luaL_checkinteger(L, 1), (int)luaL_checkinteger(L, 2)));
  return 1;
}

/* texts(): what is written in that picture: { { text =, x =, y =, w =, color = 0xRRGGBB }, ... }. */
static int host_texts(lua_State *L)
{
  lua_newtable(L);
  for (int i = 0; i < hand_text_count; i++) {
    const hand_text *it = &hand_texts[i];
    lua_newtable(L);
    lua_pushstring(L, it->text);
    lua_setfield(L, -2, "text");
    lua_pushnumber(L, (lua_Number)it->x);
    lua_setfield(L, -2, "x");
    lua_pushnumber(L, (lua_Number)it->y);
    lua_setfield(L, -2, "y");
    lua_pushnumber(L, (lua_Number)it->width);
    lua_setfield(L, -2, "w");
    lua_pushinteger(L, it->color);
    lua_setfield(L, -2, "color");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* window(w?, h?): the size of the window and its title; it is given another size first. */
static int host_window(lua_State *L)
{
  SDL_Window *window = hand_window();
  int w, h;
  if (lua_isinteger(L, 1))
    SDL_SetWindowSize(window, (int)lua_tointeger(L, 1), (int)lua_tointeger(L, 2));
  SDL_GetWindowSize(window, &w, &h);
  lua_pushinteger(L, w);
  lua_pushinteger(L, h);
  lua_pushstring(L, SDL_GetWindowTitle(window));
  return 3;
}

/* clipboard(text): false where there is none; clipboard(): what it holds. */
static int host_clipboard(lua_State *L)
{
  if (lua_isnoneornil(L, 1)) {
    char *text = SDL_GetClipboardText();
    lua_pushstring(L, text);
    SDL_free(text);
    return 1;
  }
  SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
  bool is_set = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 && SDL_SetClipboardText(luaL_checkstring(L, 1)) == 0;
  lua_pushboolean(L, is_set);
  return 1;
}

/* }== */

/* {== Files ============================================================== */

/* picture(path): its width, its height, and its pixels: RGB, row by row. */
static int host_picture(lua_State *L)
{
  SDL_Surface *read = IMG_Load(luaL_checkstring(L, 1));
  if (!read)
    return luaL_error(L, "%s: %s", lua_tostring(L, 1), SDL_GetError());
  SDL_Surface *plain = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_RGB24, 0);
  luaL_Buffer bytes;
  lua_pushinteger(L, plain->w);
  lua_pushinteger(L, plain->h);
  luaL_buffinit(L, &bytes);
  for (int y = 0; y < plain->h; y++)
    luaL_addlstring(&bytes, (const char *)plain->pixels + y * plain->pitch, (size_t)plain->w * 3);
  luaL_pushresult(&bytes);
  SDL_FreeSurface(plain);
  SDL_FreeSurface(read);
  return 3;
}

/* picture_target(shown, path), picture_renews(), picture_halve(path, half) and picture_expect(shown, path): see
   picture.h. */
static int host_picture_target(lua_State *L)
{
  lua_pushstring(L, picture_target(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
  return 1;
}

static int host_picture_renews(lua_State *L)
{
  lua_pushboolean(L, picture_renews());
  return 1;
}

static int host_picture_halve(lua_State *L)
{
  picture_halve(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

static int host_picture_expect(lua_State *L)
{
  picture_expect(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

/* libraries(): the versions of those that draw. */
static int host_libraries(lua_State *L)
{
  const SDL_version *image = IMG_Linked_Version(), *ttf = TTF_Linked_Version();
  SDL_version sdl;
  int major, minor, patch;
  SDL_GetVersion(&sdl);
  TTF_Init();
  TTF_GetFreeTypeVersion(&major, &minor, &patch);
  TTF_Quit();
  lua_pushfstring(L, "SDL %d.%d.%d, SDL_image %d.%d.%d, SDL_ttf %d.%d.%d, FreeType %d.%d.%d", sdl.major, sdl.minor,
                  sdl.patch, image->major, image->minor, image->patch, ttf->major, ttf->minor, ttf->patch, major, minor,
                  patch);
  return 1;
}

/* paint(path, w, h, left, right): a PNG of two halves, 0xAARRGGBB. */
static int host_paint(lua_State *L)
{
  paint_png(luaL_checkstring(L, 1), (int)luaL_checkinteger(L, 2), (int)luaL_checkinteger(L, 3),
            (uint32_t)luaL_checkinteger(L, 4), (uint32_t)luaL_checkinteger(L, 5));
  return 0;
}

/* tone(path, seconds, amplitude): see wave_write. */
static int host_tone(lua_State *L)
{
  wave_write(luaL_checkstring(L, 1), luaL_checknumber(L, 2), (int)luaL_checkinteger(L, 3));
  return 0;
}

/* peaks(path, {from, to, from, to, ...}): { left, right, left, right, ... }, and the length in samples. */
static int host_peaks(lua_State *L)
{
  wave w = wave_read(luaL_checkstring(L, 1));
  lua_Integer count = luaL_len(L, 2);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 1; i < count; i += 2) {
    lua_geti(L, 2, i);
    lua_geti(L, 2, i + 1);
    for (int channel = 0; channel < 2; channel++) {
      lua_pushinteger(L, wave_peak(&w, channel, lua_tonumber(L, -2), lua_tonumber(L, -1)));
      lua_seti(L, 3, i + channel);
    }
    lua_pop(L, 2);
  }
  lua_pushinteger(L, (lua_Integer)w.frames);
  free(w.samples);
  return 2;
}

/* }== */

void host_open(lua_State *L)
{
  static const luaL_Reg functions[] = {{"run", host_run},
                                       {"start", host_start},
                                       {"status", host_status},
                                       {"signal", host_signal},
                                       {"nap", host_nap},
                                       {"setenv", host_setenv},
                                       {"skip", host_skip},
                                       {"refuse_call", host_refuse_call},
                                       {"play", host_play},
                                       {"push", host_push},
                                       {"seen", host_seen},
                                       {"texts", host_texts},
                                       {"picture", host_picture},
                                       {"paint", host_paint},
                                       {"clipboard", host_clipboard},
                                       {"window", host_window},
                                       {"tone", host_tone},
                                       {"libraries", host_libraries},
                                       {"peaks", host_peaks},
                                       {"picture_target", host_picture_target},
                                       {"picture_renews", host_picture_renews},
                                       {"picture_halve", host_picture_halve},
                                       {"picture_expect", host_picture_expect},
                                       {NULL, NULL}};
  static const char *const texts[][2] = {
      {"build", SP_BUILD_DIR}, {"cc", SP_CC}, {"cxx", SP_CXX}, {"lua_cflags", SP_LUA_CFLAGS}};
  lua_suite_module(L, "host", functions);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "host");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    lua_pushstring(L, texts[i][1]);
    lua_setfield(L, -2, texts[i][0]);
  }
  lua_pushstring(L, test_tool());
  lua_setfield(L, -2, "tool");
  char here[1024];
  lua_pushstring(L, getcwd(here, sizeof here));
  lua_setfield(L, -2, "root");
  lua_pop(L, 1);
  lua_getfield(L, -1, "spec");
  test_spec_files(L);
  lua_pop(L, 2);
  host_open_game(L);
}
