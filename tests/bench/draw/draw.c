/*
** CPU time of drawing 10 000 sprites, nanoseconds each: `draw CONTESTANT`. Run under unseen.sh, where
** the OpenGL driver draws nothing, or with SDL_VIDEODRIVER=dummy, where SDL's software renderer draws every pixel.
**   fill16    the frame's list is made           all16   the same, handed to SDL, flushed and presented; 16 x 16 pixels
**                                                all1    the same for 1 x 1
** The window is the player's own, 1280 x 720, and so is its path: pools, draw_pools, batch_play. By OpenGL, or, in
** contestants that say so, by SDL_RenderGeometryRaw, as where SDL draws by something else.
*/
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/spawnpool.h"
#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/sprites.h"
#include "demo/draw/window.h"

#define SPRITES 10000
#define WIDTH 1280
#define HEIGHT 720
#define MOST_FRAMES 120
#define WARM_FRAMES 10

typedef struct stage {
  window window;
  sprites *looks;
  draw *draw;
  batch batch, copied; /* the second has the runs of the first, and the vertices of its first frame */
  sp_manager *pools;
  SDL_Texture *texture;
  SDL_FRect *places;
  int size;
} stage;

/* Makes the frame's list, then hands it over; both before SDL_RenderFlush. */
typedef struct contestant {
  const char *name;
  bool by_sdl;
  void (*fill)(stage *s);
  void (*submit)(stage *s);
} contestant;

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* {== Contestants ======================================================== */

static void fill_by_player(stage *s)
{
  draw_view view = {.width = WIDTH, .height = HEIGHT, .scale = 1};
  batch_clear(&s->batch);
  draw_pools(s->draw, s->pools, s->looks, &view, &s->batch);
}

/* Whatever makes them, so many bytes have to be written. */
static void fill_copy(stage *s)
{
  memcpy(s->copied.vertices, s->batch.vertices, s->batch.quads * 4 * sizeof *s->batch.vertices);
}

static void submit_copy(stage *s) { batch_play(&s->copied, s->window.renderer); }

static void submit_batch(stage *s) { batch_play(&s->batch, s->window.renderer); }

static void submit_nothing(stage *s) { (void)s; }

/* Sixteen by sixteen pictures on one texture, one after the other. */
static void copy_each(stage *s)
{
  for (int i = 0; i < SPRITES; i++) {
    SDL_Rect from = {i % 16 * 16, i / 16 % 16 * 16, s->size, s->size};
    SDL_RenderCopyF(s->window.renderer, s->texture, &from, &s->places[i]);
  }
}

static const contestant contestants[] = {
    {"copy", false, fill_copy, submit_copy},
    {"player", false, fill_by_player, submit_batch},
    {"geometry", true, submit_nothing, submit_batch}, /* the vertices of the first frame, handed over again */
    {"player_sdl", true, fill_by_player, submit_batch},
    {"copyf", true, copy_each, submit_nothing},
};

/* }== */

/* {== The stage ========================================================== */

static int place(int i, int most) { return (int)((unsigned)i * 2654435761u % (unsigned)most); }

static const char *sprite_name(void *ud, uint16_t number)
{
  (void)ud, (void)number;
  return "square";
}

static bool open_pool(stage *s)
{
  sp_pool_desc desc = {.type = "Drawn", .spatial = true, .look = SP_DEFAULT_LOOK};
  desc.settings.prealloc = SPRITES;
  desc.look.radius = (float)s->size / 2;
  s->pools = sp_open(NULL, NULL);
  sp_pool *pool = s->pools ? sp_add_pool(s->pools, &desc, NULL) : NULL;
  for (int i = 0; pool && i < SPRITES; i++) {
    sp_place at = {s->places[i].x + desc.look.radius, s->places[i].y + desc.look.radius, 0};
    if (!sp_pool_alloc_at(pool, 0, &at, NULL))
      return false;
  }
  return pool != NULL;
}

static bool open_texture(stage *s)
{
  SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, 256, 256, 32, SDL_PIXELFORMAT_ARGB8888);
  if (!surface)
    return false;
  for (int i = 0; i < 256 * 256; i++)
    ((Uint32 *)surface->pixels)[i] = 0x80000000u | (Uint32)i * 7919u;
  s->texture = SDL_CreateTextureFromSurface(s->window.renderer, surface);
  SDL_FreeSurface(surface);
  return s->texture && SDL_SetTextureBlendMode(s->texture, SDL_BLENDMODE_BLEND) == 0;
}

/* The size belongs to the pool and the places; the window stays. */
static bool set_size(stage *s, int size)
{
  s->size = size;
  for (int i = 0; i < SPRITES; i++)
    s->places[i] =
        (SDL_FRect){(float)place(i, WIDTH - 16), (float)place(i * 7 + 3, HEIGHT - 16), (float)size, (float)size};
  sp_close(s->pools);
  if (!open_pool(s))
    return false;
  fill_by_player(s);
  batch_clear(&s->copied);
  return s->batch.quads == SPRITES && batch_append_from(&s->copied, &s->batch, 0);
}

static bool open_stage(stage *s)
{
  char problem[256] = "memory is refused";
  const char *driver = SDL_getenv("SDL_VIDEODRIVER");
  sprites_options options = {.name = sprite_name};
  window_kind kind = driver && strcmp(driver, "dummy") == 0 ? WINDOW_PICTURED : WINDOW_SHOWN;
  if (window_open(&s->window, "draw", WIDTH, HEIGHT, kind, problem, sizeof problem)) {
    SDL_RenderSetVSync(s->window.renderer, 0);
    s->looks = sprites_open(&s->window, &options);
    s->draw = draw_open();
    s->places = malloc(SPRITES * sizeof *s->places);
    if (s->looks && s->draw && s->places && open_texture(s))
      return true;
  }
  fprintf(stderr, "draw: %s\n", problem);
  return false;
}

/* A contestant must not be measured with another path than its own. */
static bool choose_path(stage *s, bool by_sdl)
{
  SDL_RendererInfo info;
  if (by_sdl)
    batch_close_gl(s->window.renderer);
  else if (SDL_GetRendererInfo(s->window.renderer, &info) == 0 && strcmp(info.name, "opengl") == 0)
    return batch_has_gl(s->window.renderer);
  return true;
}

/* }== */

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count)
{
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static void run(stage *s, const contestant *it, int frames)
{
  double fill[MOST_FRAMES], all[MOST_FRAMES];
  SDL_Event event;
  for (int i = -WARM_FRAMES; i < frames; i++) {
    while (SDL_PollEvent(&event)) {
    }
    SDL_SetRenderDrawColor(s->window.renderer, 0, 0, 0, 255);
    SDL_RenderClear(s->window.renderer);
    SDL_RenderFlush(s->window.renderer);
    double begin = now_ns();
    it->fill(s);
    double filled = now_ns();
    it->submit(s);
    SDL_RenderFlush(s->window.renderer);
    SDL_RenderPresent(s->window.renderer);
    if (i >= 0) {
      fill[i] = filled - begin;
      all[i] = now_ns() - begin;
    }
  }
  if (s->size == 16)
    printf("fill16 %.4f\n", median(fill, frames) / SPRITES);
  printf("all%d %.4f\n", s->size, median(all, frames) / SPRITES);
}

int main(int argc, char **argv)
{
  stage s = {0};
  int frames = getenv("BENCH_QUICK") ? 30 : MOST_FRAMES;
  if (argc != 2 || !open_stage(&s))
    return 2;
  for (size_t i = 0; i < sizeof contestants / sizeof *contestants; i++)
    if (strcmp(argv[1], contestants[i].name) == 0) {
      if (!choose_path(&s, contestants[i].by_sdl))
        return 2;
      for (int size = 16; size >= 1; size -= 15) {
        if (!set_size(&s, size))
          return 2;
        run(&s, &contestants[i], frames);
      }
    }
  sp_close(s.pools);
  batch_free(&s.batch);
  batch_free(&s.copied);
  draw_close(s.draw);
  sprites_close(s.looks);
  free(s.places);
  window_close(&s.window);
  return 0;
}
