#define _GNU_SOURCE /* RTLD_NEXT */

#include "demo/hand.h"

#include "demo/app/app.h"

#include <SDL_image.h>
#include <check.h>
#ifndef _WIN32
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *hand_out;

static struct {
  hand_fn act; /* NULL: there is no hand */
  int pictures;
  Uint64 now; /* microseconds */
  SDL_Renderer *renderer;
} hand;

/* {== What passes through ================================================ */

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
  hand.renderer = renderer;
  if (hand.act)
    hand.act(++hand.pictures);
  real_SDL_RenderPresent(renderer);
}

DECLSPEC void SDLCALL WRAPPED(SDL_Delay)(Uint32 ms)
{
  void (*real_SDL_Delay)(Uint32);
  REAL(SDL_Delay);
  hand.now += hand.act ? (Uint64)ms * 1000 : 0;
  if (!hand.act)
    real_SDL_Delay(ms);
}

DECLSPEC Uint64 SDLCALL WRAPPED(SDL_GetPerformanceCounter)(void)
{
  static Uint64 (*real_SDL_GetPerformanceCounter)(void);
  if (!real_SDL_GetPerformanceCounter) {
    REAL(SDL_GetPerformanceCounter);
  }
  if (!hand.act)
    return real_SDL_GetPerformanceCounter();
  hand.now += 1;
  return hand.now * (SDL_GetPerformanceFrequency() / 1000000);
}

/* }== */

/* {== Acting ============================================================= */

static void push(SDL_Event event) { ck_assert_int_eq(SDL_PushEvent(&event), 1); }

void hand_press(SDL_Keycode key, SDL_Keymod mod)
{
  push((SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = (Uint16)mod}}});
}

void hand_release(SDL_Keycode key) { push((SDL_Event){.key = {.type = SDL_KEYUP, .keysym = {.sym = key}}}); }

void hand_tap(SDL_Keycode key)
{
  hand_press(key, KMOD_NONE);
  hand_release(key);
}

void hand_move(int x, int y) { push((SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y, .xrel = 1}}); }

void hand_click(int x, int y)
{
  push((SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
  push((SDL_Event){.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
}

void hand_quit(void) { push((SDL_Event){.type = SDL_QUIT}); }

uint32_t hand_pixel(int x, int y)
{
  uint32_t pixel = 0;
  ck_assert_int_eq(SDL_RenderReadPixels(hand.renderer, &(SDL_Rect){x, y, 1, 1}, SDL_PIXELFORMAT_ARGB8888, &pixel, 4),
                   0);
  return pixel & 0xffffff;
}

void hand_save(const char *path)
{
  int w, h;
  ck_assert_int_eq(SDL_GetRendererOutputSize(hand.renderer, &w, &h), 0);
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_XRGB8888);
  ck_assert_ptr_nonnull(picture);
  ck_assert_int_eq(SDL_RenderReadPixels(hand.renderer, NULL, SDL_PIXELFORMAT_XRGB8888, picture->pixels, picture->pitch),
                   0);
  ck_assert_int_eq(IMG_SavePNG(picture, path), 0);
  SDL_FreeSurface(picture);
}

/* }== */

/* {== Playing ============================================================ */

static char *read_all(FILE *in)
{
  long size = ftell(in);
  char *text = malloc((size_t)size + 1);
  ck_assert_ptr_nonnull(text);
  rewind(in);
  text[fread(text, 1, (size_t)size, in)] = '\0';
  return text;
}

int hand_play(const options *o, hand_fn act)
{
  FILE *out = tmpfile();
  int before = dup(STDOUT_FILENO);
  ck_assert(out && before >= 0);
  SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
  SDL_setenv("SDL_RENDER_DRIVER", "software", 1);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  fflush(stdout);
  dup2(fileno(out), STDOUT_FILENO);
  hand.act = act;
  hand.pictures = 0;
  int code = app_run(o);
  hand.act = NULL;
  fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  fseek(out, 0, SEEK_END);
  free(hand_out);
  hand_out = read_all(out);
  fclose(out);
  return code;
}

/* }== */
