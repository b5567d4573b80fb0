#include "demo/picture.h"

#include <SDL.h>
#include <SDL_image.h>
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool renews(void) { return getenv("SP_GOLDEN") != NULL; }

static SDL_Surface *load(const char *path)
{
  SDL_Surface *read = IMG_Load(path);
  ck_assert_msg(read != NULL, "%s: %s (make golden makes it)", path, SDL_GetError());
  SDL_Surface *picture = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_RGBA32, 0);
  ck_assert_ptr_nonnull(picture);
  SDL_FreeSurface(read);
  return picture;
}

static const Uint8 *pixel(const SDL_Surface *picture, int x, int y)
{
  return (const Uint8 *)picture->pixels + y * picture->pitch + x * 4;
}

/* The share of pixels that are not those of the other picture: the edge of a disc may fall out a little differently
   with another version of the libraries. */
static double share_that_differs(const SDL_Surface *a, const SDL_Surface *b)
{
  int differs = 0;
  for (int y = 0; y < a->h; y++)
    for (int x = 0; x < a->w; x++)
      differs += memcmp(pixel(a, x, y), pixel(b, x, y), 3) != 0;
  return (double)differs / (a->w * a->h);
}

/* That of the colour in the upper right corner, where these games have nothing. */
static double share_of_ground(const SDL_Surface *picture)
{
  int ground = 0;
  for (int y = 0; y < picture->h; y++)
    for (int x = 0; x < picture->w; x++)
      ground += memcmp(pixel(picture, x, y), pixel(picture, picture->w - 1, 0), 3) == 0;
  return (double)ground / (picture->w * picture->h);
}

const char *picture_target(const char *shown, const char *path) { return renews() ? shown : path; }

bool picture_renews(void) { return renews(); }

/* The mean of four pixels. */
static Uint8 mean(const SDL_Surface *whole, int x, int y, int channel)
{
  int sum = 2;
  for (int i = 0; i < 4; i++)
    sum += pixel(whole, 2 * x + i % 2, 2 * y + i / 2)[channel];
  return (Uint8)(sum / 4);
}

void picture_halve(const char *path, const char *half_path)
{
  SDL_Surface *whole = load(path);
  SDL_Surface *half = SDL_CreateRGBSurfaceWithFormat(0, whole->w / 2, whole->h / 2, 24, SDL_PIXELFORMAT_RGB24);
  ck_assert_ptr_nonnull(half);
  for (int y = 0; y < half->h; y++)
    for (int x = 0; x < half->w; x++)
      for (int c = 0; c < 3; c++)
        ((Uint8 *)half->pixels)[y * half->pitch + x * 3 + c] = mean(whole, x, y, c);
  ck_assert_int_eq(IMG_SavePNG(half, half_path), 0);
  SDL_FreeSurface(half);
  SDL_FreeSurface(whole);
}

void picture_expect(const char *shown, const char *path)
{
  SDL_Surface *there = load(shown), *found = load(picture_target(shown, path));
  ck_assert_int_eq(there->w, found->w);
  ck_assert_int_eq(there->h, found->h);
  double differs = share_that_differs(there, found);
  ck_assert_msg(differs < 0.01, "%s: %.1f%% of the picture is different today", shown, 100 * differs);
  ck_assert_double_lt(share_of_ground(found), 0.998);
  SDL_FreeSurface(there);
  SDL_FreeSurface(found);
}
