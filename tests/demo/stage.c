/*
** See stage.h.
*/
#include "demo/stage.h"
#include "support/desc.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *sprite_name(void *ud, uint16_t number)
{
  static const char *const names[] = {"circle", "square", "triangle", "ring", "spark"};
  const stage *s = ud;
  return number < STAGE_EXTRA ? names[number] : number == STAGE_EXTRA ? s->extra : NULL;
}

static bool load(void *ud, const char *file, const void *bytes, size_t size)
{
  stage *s = ud;
  return sprites_load(s->sprites, file, bytes, size);
}

static size_t count_users(void *ud)
{
  stage *s = ud;
  size_t count = draw_count_reloaded(s->pools, s->sprites);
  sprites_clear_reloaded(s->sprites);
  return count;
}

static const assets_kind kind = {"sprites", sprites_endings, "picture", "a checker is drawn", load, count_users};

void stage_open(stage *s, int width, int height, const char *folder)
{
  char problem[256];
  memset(s, 0, sizeof *s);
  s->files = folder ? assets_open(&kind, s, folder, folder, NULL) : NULL;
  ck_assert(s->files || !folder);
  ck_assert_msg(window_open(&s->window, "stage", width, height, WINDOW_PICTURED, problem, sizeof problem), "%s",
                problem);
  s->graphics.sprites = s->sprites =
      sprites_open(&s->window, &(sprites_options){.files = s->files, .name = sprite_name, .ud = s});
  s->text = text_open(&s->window, true);
  s->draw = draw_open();
  s->pools = sp_open(NULL, NULL);
  ck_assert_msg(s->sprites && s->text && s->draw && s->pools, "%s", SDL_GetError());
  s->view = (draw_view){(float)width, (float)height, s->window.scale};
  s->graphics.text = s->text;
  graphics_begin(&s->graphics, &s->batch, &s->view);
}

void stage_close(stage *s)
{
  sp_close(s->pools);
  batch_free(&s->batch);
  draw_close(s->draw);
  text_close(s->text);
  sprites_close(s->sprites);
  assets_close(s->files);
  window_close(&s->window);
}

sp_pool *stage_pool(stage *s, const char *type)
{
  sp_pool_desc desc = test_desc(type);
  sp_pool *pool;
  desc.look.sprite = STAGE_SQUARE;
  desc.look.radius = 4;
  pool = sp_add_pool(s->pools, &desc, NULL);
  ck_assert_ptr_nonnull(pool);
  return pool;
}

sp_look *stage_object(sp_pool *pool, float x, float y)
{
  sp_place place = {x, y, 0};
  sp_ref object = sp_pool_alloc_at(pool, 0, &place, NULL);
  ck_assert(object != 0);
  return sp_cell(sp_pool_manager(pool), object, SP_LOOK);
}

void stage_draw(stage *s) { ck_assert(draw_pools(s->draw, s->pools, s->sprites, &s->view, &s->batch)); }

void stage_show(stage *s)
{
  SDL_SetRenderDrawColor(s->window.renderer, 0, 0, 0, 255);
  SDL_RenderClear(s->window.renderer);
  ck_assert_msg(batch_play(&s->batch, s->window.renderer), "%s", SDL_GetError());
  batch_clear(&s->batch);
}

uint32_t stage_pixel(stage *s, int x, int y)
{
  uint32_t pixel = 0;
  SDL_Rect at = {x, y, 1, 1};
  ck_assert_int_eq(SDL_RenderReadPixels(s->window.renderer, &at, SDL_PIXELFORMAT_ARGB8888, &pixel, 4), 0);
  return pixel & 0xffffffu;
}

int stage_lit(stage *s)
{
  size_t count = (size_t)s->window.width * (size_t)s->window.height;
  uint32_t *pixels = malloc(count * sizeof *pixels);
  int lit = 0;
  ck_assert_ptr_nonnull(pixels);
  ck_assert_int_eq(
      SDL_RenderReadPixels(s->window.renderer, NULL, SDL_PIXELFORMAT_ARGB8888, pixels, s->window.width * 4), 0);
  for (size_t i = 0; i < count; i++)
    lit += (pixels[i] & 0xffffffu) != 0;
  free(pixels);
  return lit;
}
