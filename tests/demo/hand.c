#define _GNU_SOURCE /* RTLD_NEXT */

#include "demo/hand.h"

#include "demo/app/app.h"
#include "demo/app/commands.h"
#include "demo/draw/text.h"

#include <check.h>
#include <math.h>
#ifndef _WIN32
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *hand_out, *hand_err;
hand_text hand_texts[HAND_TEXTS_MOST];
int hand_text_count;

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
  hand_text_count = 0;
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

#if defined SP_WRAP || defined _WIN32
extern __typeof__(text_draw) __real_text_draw, __wrap_text_draw;

/* Notes a text, or adds it to the one that it follows in the same line and colour. */
static void note_text(float x, float y, float width, SDL_Color color, const char *s, size_t length)
{
  hand_text *last = hand_text_count > 0 ? &hand_texts[hand_text_count - 1] : NULL;
  uint32_t rgb = (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
  bool follows = last && last->y == y && last->color == rgb && fabsf(last->x + last->width - x) < 0.01f;
  if (!follows && hand_text_count == HAND_TEXTS_MOST)
    return;
  if (!follows) {
    last = &hand_texts[hand_text_count++];
    *last = (hand_text){.x = x, .y = y, .color = rgb};
  }
  size_t used = strlen(last->text);
  snprintf(last->text + used, sizeof last->text - used, "%.*s", (int)length, s);
  last->width += width;
}

float __wrap_text_draw(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length)
{
  float width = __real_text_draw(t, out, x, y, style, s, length);
  if (hand.act)
    note_text(x, y, width, style->color, s, length);
  return width;
}
#endif

/* }== */

/* {== Acting ============================================================= */

void hand_quit(void) { ck_assert_int_eq(SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT}), 1); }

uint32_t hand_pixel(int x, int y)
{
  uint32_t pixel = 0;
  ck_assert_int_eq(SDL_RenderReadPixels(hand.renderer, &(SDL_Rect){x, y, 1, 1}, SDL_PIXELFORMAT_ARGB8888, &pixel, 4),
                   0);
  return pixel & 0xffffff;
}

SDL_Window *hand_window(void) { return SDL_RenderGetWindow(hand.renderer); }

/* }== */

/* {== Playing ============================================================ */

/* A stream of this process that goes to a file until it is taken back. */
typedef struct kept {
  FILE *file;
  int fd, before;
} kept;

static kept keep(int fd)
{
  kept k = {tmpfile(), fd, dup(fd)};
  ck_assert(k.file && k.before >= 0);
  fflush(NULL);
  dup2(fileno(k.file), fd);
  return k;
}

/* Sets `into` to what was written, to be freed. */
static void take_back(kept *k, char **into)
{
  fflush(NULL);
  dup2(k->before, k->fd);
  close(k->before);
  fseek(k->file, 0, SEEK_END);
  long size = ftell(k->file);
  free(*into);
  *into = malloc((size_t)size + 1);
  ck_assert_ptr_nonnull(*into);
  rewind(k->file);
  (*into)[fread(*into, 1, (size_t)size, k->file)] = '\0';
  fclose(k->file);
}

int hand_play(const options *o, int argc, char **argv, hand_fn act)
{
  SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
  SDL_setenv("SDL_RENDER_DRIVER", "software", 1);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  kept out = keep(STDOUT_FILENO), err = keep(STDERR_FILENO);
  hand.act = act;
  hand.pictures = 0;
  int code = o->gallery ? gallery_command_run(argc, argv, o) : app_run(o);
  hand.act = NULL;
  take_back(&err, &hand_err);
  take_back(&out, &hand_out);
  return code;
}

/* }== */
