/*
** Pictures by OpenGL are those of SDL's renderer, pixel by pixel. SDL's offscreen driver needs no display.
*/
#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/window.h"
#include "support/process.h"
#include "support/test.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 320
#define HEIGHT 200
#define OBJECTS 20000 /* more than 16-bit indices reach */

typedef uint32_t pixels[WIDTH * HEIGHT];

static window shown;
static sprites *looks;
static sp_manager *pools;
static draw *drawer;
static batch scene;

static const char *sprite_name(void *ud, uint16_t number)
{
  static const char *const names[] = {"circle", "square", "spark"};
  (void)ud;
  return names[number % 3];
}

/* Upright, turned, translucent ones, on three layers. */
static void fill_pools(void)
{
  sp_pool_desc desc = {.type = "Drawn", .spatial = true, .look = SP_DEFAULT_LOOK};
  pools = sp_open(NULL, NULL);
  sp_pool *pool = sp_add_pool(pools, &desc, NULL);
  for (int i = 0; i < OBJECTS; i++) {
    sp_place at = {(float)(i * 37 % 3200) / 10, (float)(i * 91 % 2000) / 10, i % 3 ? (float)i * 0.01f : 0};
    sp_look *look = sp_cell(pools, sp_pool_alloc_at(pool, 0, &at, NULL), SP_LOOK);
    ck_assert_ptr_nonnull(look);
    look->sprite = (uint16_t)(i % 3);
    look->layer = (int16_t)(i % 5 / 2);
    look->radius = 0.7f + (float)(i % 17) * 0.3f;
    look->r = (float)(i % 11) / 10;
    look->a = 0.2f + (float)(i % 7) / 10;
  }
}

/* Of LeakSanitizer, where it is linked: drivers of OpenGL leak what they read about themselves. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void open_window(void)
{
  char problem[256];
  sprites_options options = {.name = sprite_name};
  draw_view view = {.width = WIDTH, .height = HEIGHT, .scale = 1};
  setenv("SDL_VIDEODRIVER", "offscreen", 1);
  setenv("SDL_RENDER_DRIVER", "opengl", 1);
  if (__lsan_disable)
    __lsan_disable();
  bool is_open = window_open(&shown, "test", WIDTH, HEIGHT, WINDOW_SHOWN, problem, sizeof problem);
  if (__lsan_enable)
    __lsan_enable();
  if (!is_open)
    return;
  looks = sprites_open(&shown, &options);
  drawer = draw_open();
  ck_assert(looks && drawer);
  fill_pools();
  ck_assert(draw_pools(drawer, pools, looks, &view, &scene));
  ck_assert_uint_gt(scene.quads, OBJECTS * 9 / 10);
}

static void close_window(void)
{
  batch_free(&scene);
  draw_close(drawer);
  sprites_close(looks);
  sp_close(pools);
  window_close(&shown);
  unsetenv("SDL_RENDER_DRIVER");
}

static bool has_gl(const char *test)
{
  SDL_RendererInfo info = {.name = "none"};
  if (shown.renderer && SDL_GetRendererInfo(shown.renderer, &info) == 0 && strcmp(info.name, "opengl") == 0)
    return true;
  test_skip(test, "no OpenGL off the screen");
  return false;
}

static test_group quads = {"gl_quads", open_window, close_window};

/* Plays the scene between two small pictures, which SDL draws. */
static void take_picture(const game_view *view, pixels into)
{
  batch frame = {0};
  batch_area white = sprites_white(looks);
  SDL_Color colors[2] = {{200, 100, 50, 128}, {0, 255, 100, 200}};
  ck_assert(batch_rect(&frame, &white, 5, 5, 100, 50, colors[0]));
  SDL_RenderSetScale(shown.renderer, 1, 1);
  view_play(view, &scene, shown.renderer, (SDL_Color){20, 10, 40, 255});
  SDL_SetRenderDrawColor(shown.renderer, 255, 200, 0, 255);
  SDL_RenderDrawLine(shown.renderer, 10, 20, 300, 180);
  ck_assert(batch_play(&frame, shown.renderer));
  ck_assert_int_eq(
      SDL_RenderReadPixels(shown.renderer, NULL, SDL_PIXELFORMAT_ARGB8888, into, WIDTH * (int)sizeof *into), 0);
  batch_free(&frame);
}

/* Returns by how much a channel of a pixel differs, at most. */
static int difference(const pixels a, const pixels b)
{
  int most = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    for (int bit = 0; bit < 24; bit += 8) {
      int by = abs((int)(a[i] >> bit & 255) - (int)(b[i] >> bit & 255));
      most = by > most ? by : most;
    }
  return most;
}

/* SDL multiplies positions by the scale of the view, OpenGL its matrix: the two are rounded differently. */
TESTS(quads, pictures_are_those_of_sdl, 3)
{
  static const struct {
    float left, top, unit;
  } views[] = {{0, 0, 1}, {40, 25, 0.75f}, {-30, -20, 1.3f}};
  static pixels by_gl, by_sdl;
  game_view view = {.width = WIDTH, .height = HEIGHT, .left = views[_i].left, .top = views[_i].top, .density = 1};
  view.unit_x = view.unit_y = views[_i].unit;
  if (!has_gl("pictures_are_those_of_sdl"))
    return;
  ck_assert_msg(batch_has_gl(shown.renderer), "the test picture differs from SDL's");
  take_picture(&view, by_gl);
  batch_close_gl(shown.renderer);
  ck_assert(!batch_has_gl(shown.renderer));
  take_picture(&view, by_sdl);
  ck_assert_int_le(difference(by_gl, by_sdl), views[_i].unit == 1 ? 0 : 1);
}

/* A run that nobody draws would be missing in both pictures above. */
TEST(quads, they_are_drawn)
{
  static pixels with, without;
  if (!has_gl("they_are_drawn"))
    return;
  take_picture(NULL, with);
  batch_cut(&scene, scene.quads - 1000);
  take_picture(NULL, without);
  size_t differ = 0;
  for (size_t i = 0; i < WIDTH * HEIGHT; i++)
    differ += with[i] != without[i];
  ck_assert_uint_gt(differ, 1000);
}

SUITE(gl_quads, &quads)
