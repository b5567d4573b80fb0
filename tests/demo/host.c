#include "demo/host.h"
#include "support/lua_suite.h"
#include "support/process.h"
#include "support/spec_files.h"

#include <SDL_image.h>
#include <SDL_ttf.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef SP_SECCOMP
#include <seccomp.h>
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

/* patience(): how many times longer than on a quiet machine things take. */
static int host_patience(lua_State *L)
{
  lua_pushnumber(L, test_patience());
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

/* refuse_call(name, "ENOSYS" or "EOPNOTSUPP"): from now on that call of the system fails so in this process and in all
   that it starts. False where that is not possible. */
static int host_refuse_call(lua_State *L)
{
  bool refuses = false;
#ifdef SP_SECCOMP
  static const char *const errors[] = {"ENOSYS", "EOPNOTSUPP", NULL};
  static const unsigned short codes[] = {ENOSYS, EOPNOTSUPP};
  const unsigned code = codes[luaL_checkoption(L, 2, NULL, errors)];
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  int number = seccomp_syscall_resolve_name(luaL_checkstring(L, 1));
  refuses = seccomp_rule_add(filter, SCMP_ACT_ERRNO(code), number, 0) == 0 && seccomp_load(filter) == 0;
  seccomp_release(filter);
#endif
  lua_pushboolean(L, refuses);
  return 1;
}

/* skip(suite, why) */
static int host_skip(lua_State *L)
{
  test_skip(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

/* }== */

/* {== Events ============================================================= */

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
  static const char *const kinds[] = {"key_down",     "key_up",      "text",      "move",        "down",
                                      "up",           "wheel",       "quit",      "unfocus",     "focus",
                                      "device_reset", "finger_down", "finger_up", "finger_move", NULL};
  static const Uint32 types[] = {SDL_KEYDOWN,         SDL_KEYUP,         SDL_TEXTINPUT,           SDL_MOUSEMOTION,
                                 SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP, SDL_MOUSEWHEEL,          SDL_QUIT,
                                 SDL_WINDOWEVENT,     SDL_WINDOWEVENT,   SDL_RENDER_DEVICE_RESET, SDL_FINGERDOWN,
                                 SDL_FINGERUP,        SDL_FINGERMOTION};
  lua_getfield(L, 1, "kind");
  const char *kind = lua_tostring(L, -1);
  SDL_Event event;
  SDL_zero(event);
  event.type = types[luaL_checkoption(L, -1, NULL, kinds)];
  int x = field(L, "x"), y = field(L, "y");
  lua_getfield(L, 1, "name");
  const char *name = luaL_optstring(L, -1, "");
  switch (event.type) {
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
  case SDL_FINGERDOWN:
  case SDL_FINGERUP:
  case SDL_FINGERMOTION:
    event.tfinger.fingerId = field(L, "finger");
    event.tfinger.x = (float)x / 100; /* parts of the window */
    event.tfinger.y = (float)y / 100;
    break;
  case SDL_WINDOWEVENT:
    event.window.event = strcmp(kind, "focus") == 0 ? SDL_WINDOWEVENT_FOCUS_GAINED : SDL_WINDOWEVENT_FOCUS_LOST;
    break;
  default:
    break;
  }
  lua_pushboolean(L, driver_push(&event));
  return 1;
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

/* Reads the picture at a path that is an argument, as RGB. */
static SDL_Surface *read_picture(lua_State *L, int arg)
{
  SDL_Surface *read = IMG_Load(luaL_checkstring(L, arg));
  SDL_Surface *plain = read ? SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_RGB24, 0) : NULL;
  SDL_FreeSurface(read);
  if (!plain)
    luaL_error(L, "%s: %s", lua_tostring(L, arg), SDL_GetError());
  return plain;
}

static int save_picture(lua_State *L, int arg, SDL_Surface *picture)
{
  bool is_saved = IMG_SavePNG(picture, luaL_checkstring(L, arg)) == 0;
  SDL_FreeSurface(picture);
  return is_saved ? 0 : luaL_error(L, "%s: %s", lua_tostring(L, arg), SDL_GetError());
}

/* picture(path): its width, its height, and its pixels: RGB, row by row. */
static int host_picture(lua_State *L)
{
  SDL_Surface *picture = read_picture(L, 1);
  luaL_Buffer bytes;
  lua_pushinteger(L, picture->w);
  lua_pushinteger(L, picture->h);
  luaL_buffinit(L, &bytes);
  for (int y = 0; y < picture->h; y++)
    luaL_addlstring(&bytes, (const char *)picture->pixels + y * picture->pitch, (size_t)picture->w * 3);
  luaL_pushresult(&bytes);
  SDL_FreeSurface(picture);
  return 3;
}

/* picture_shrink(path, small, times): saves a picture in so much less width and height: each pixel is the mean of
   times x times. */
static int host_picture_shrink(lua_State *L)
{
  const int times = (int)luaL_checkinteger(L, 3);
  SDL_Surface *whole = read_picture(L, 1);
  SDL_Surface *small = SDL_CreateRGBSurfaceWithFormat(0, whole->w / times, whole->h / times, 24, SDL_PIXELFORMAT_RGB24);
  for (int y = 0; y < small->h; y++)
    for (int x = 0; x < small->w * 3; x++) {
      const Uint8 *at = (const Uint8 *)whole->pixels + y * times * whole->pitch + x / 3 * times * 3 + x % 3;
      int sum = times * times / 2;
      for (int i = 0; i < times * times; i++)
        sum += at[i / times * whole->pitch + i % times * 3];
      ((Uint8 *)small->pixels)[y * small->pitch + x] = (Uint8)(sum / (times * times));
    }
  SDL_FreeSurface(whole);
  return save_picture(L, 2, small);
}

/* paint(path, w, h, left, right): a PNG of two halves, 0xAARRGGBB. */
static int host_paint(lua_State *L)
{
  int w = (int)luaL_checkinteger(L, 2), h = (int)luaL_checkinteger(L, 3);
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
  SDL_FillRect(picture, NULL, (Uint32)luaL_checkinteger(L, 5));
  SDL_FillRect(picture, &(SDL_Rect){0, 0, w / 2, h}, (Uint32)luaL_checkinteger(L, 4));
  return save_picture(L, 1, picture);
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

/* }== */

void host_open(lua_State *L)
{
  static const luaL_Reg functions[] = {{"run", host_run},
                                       {"patience", host_patience},
                                       {"nap", host_nap},
                                       {"setenv", host_setenv},
                                       {"skip", host_skip},
                                       {"refuse_call", host_refuse_call},
                                       {"push", host_push},
                                       {"clipboard", host_clipboard},
                                       {"picture", host_picture},
                                       {"picture_shrink", host_picture_shrink},
                                       {"libraries", host_libraries},
                                       {"paint", host_paint},
                                       {NULL, NULL}};
  char here[1024];
  const char *const texts[][2] = {{"build", SP_BUILD_DIR}, {"cc", SP_CC},
                                  {"cxx", SP_CXX},         {"lua_cflags", SP_LUA_CFLAGS},
                                  {"tool", test_tool()},   {"root", getcwd(here, sizeof here)}};
  lua_suite_module(L, "host", functions);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "host");
  luaL_setfuncs(L, host_driver, 0);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    lua_pushstring(L, texts[i][1]);
    lua_setfield(L, -2, texts[i][0]);
  }
  lua_pop(L, 1);
  lua_getfield(L, -1, "spec");
  test_spec_files(L);
  lua_pop(L, 2);
}

void plan_open(lua_State *L)
{
  host_open(L);
  if (luaL_dostring(L, "require('player').speak()") != LUA_OK)
    luaL_error(L, "%s", lua_tostring(L, -1));
}
