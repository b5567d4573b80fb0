/*
** CPU time of drawing 10 000 sprites of 16 x 16 pixels, nanoseconds each: `draw player`, pools drawn as the player does
** by OpenGL, or `draw copyf`, a call of SDL_RenderCopyF each. A list is made, handed to SDL, flushed and presented. Run
** under unseen.sh, where the OpenGL driver draws nothing. The window is the player's own, 1280 x 720.
*/
#include <SDL.h>
#include <math.h>
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
#define FRAMES 120
#define SIZE 16

typedef struct stage {
  window window;
  sprites *looks;
  draw *draw;
  batch batch;
  sp_manager *pools;
  SDL_Texture *texture;
  SDL_FRect *places;
} stage;

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* {== Contestants ======================================================== */

static void draw_by_player(stage *s)
{
  draw_view view = {.width = WIDTH, .height = HEIGHT, .scale = 1};
  batch_clear(&s->batch);
  draw_pools(s->draw, s->pools, s->looks, &view, &s->batch);
  batch_play(&s->batch, s->window.renderer);
}

/* Sixteen by sixteen pictures on one texture, one after the other. */
static void copy_each(stage *s)
{
  for (int i = 0; i < SPRITES; i++) {
    SDL_Rect from = {i % 16 * 16, i / 16 % 16 * 16, SIZE, SIZE};
    SDL_RenderCopyF(s->window.renderer, s->texture, &from, &s->places[i]);
  }
}

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
  desc.look.radius = (float)SIZE / 2;
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

static void place_all(stage *s)
{
  for (int i = 0; i < SPRITES; i++)
    s->places[i] = (SDL_FRect){(float)place(i, WIDTH - SIZE), (float)place(i * 7 + 3, HEIGHT - SIZE), SIZE, SIZE};
}

/* Without the player's own OpenGL path, another one would be measured. */
static bool open_stage(stage *s)
{
  char problem[256] = "not enough memory, or no OpenGL";
  sprites_options options = {.name = sprite_name};
  if (window_open(&s->window, "draw", WIDTH, HEIGHT, WINDOW_SHOWN, problem, sizeof problem)) {
    SDL_RenderSetVSync(s->window.renderer, 0);
    s->looks = sprites_open(&s->window, &options);
    s->draw = draw_open();
    s->places = malloc(SPRITES * sizeof *s->places);
    if (s->looks && s->draw && s->places && open_texture(s) && batch_has_gl(s->window.renderer)) {
      place_all(s);
      return open_pool(s);
    }
  }
  fprintf(stderr, "draw: %s\n", problem);
  return false;
}

/* }== */

/* Returns the nanoseconds of the fastest frame. */
static double run(stage *s, void (*draw)(stage *s), int frames)
{
  double least = INFINITY;
  SDL_Event event;
  for (int i = 0; i < frames; i++) {
    while (SDL_PollEvent(&event)) {
    }
    SDL_SetRenderDrawColor(s->window.renderer, 0, 0, 0, 255);
    SDL_RenderClear(s->window.renderer);
    SDL_RenderFlush(s->window.renderer);
    double begin = now_ns();
    draw(s);
    SDL_RenderFlush(s->window.renderer);
    SDL_RenderPresent(s->window.renderer);
    least = fmin(least, now_ns() - begin);
  }
  return least;
}

int main(int argc, char **argv)
{
  stage s = {0};
  int frames = getenv("BENCH_QUICK") ? FRAMES / 4 : FRAMES;
  if (argc != 2 || !open_stage(&s))
    return 2;
  double ns = run(&s, strcmp(argv[1], "player") == 0 ? draw_by_player : copy_each, frames);
  printf("sprite %.4f\n", ns / SPRITES);
  sp_close(s.pools);
  batch_free(&s.batch);
  draw_close(s.draw);
  sprites_close(s.looks);
  free(s.places);
  window_close(&s.window);
  return 0;
}
