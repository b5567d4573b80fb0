#include "demo/picture.h"

#include <SDL.h>
#include <SDL_image.h>
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 800, HEIGHT = 600 };

static bool renews(void) { return getenv("SP_GOLDEN") != NULL; }

static SDL_Surface *load(const char *path)
{
  SDL_Surface *read = IMG_Load(path);
  ck_assert_msg(read != NULL, "%s: %s (make golden makes it)", path, SDL_GetError());
  SDL_Surface *picture = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_RGBA32, 0);
  ck_assert_ptr_nonnull(picture);
  SDL_FreeSurface(read);
  ck_assert_int_eq(picture->w, WIDTH);
  ck_assert_int_eq(picture->h, HEIGHT);
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
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      differs += memcmp(pixel(a, x, y), pixel(b, x, y), 3) != 0;
  return (double)differs / (WIDTH * HEIGHT);
}

/* That of the colour in the upper right corner, where these games have nothing. */
static double share_of_ground(const SDL_Surface *picture)
{
  int ground = 0;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      ground += memcmp(pixel(picture, x, y), pixel(picture, WIDTH - 1, 0), 3) == 0;
  return (double)ground / (WIDTH * HEIGHT);
}

const char *picture_target(const char *shown, const char *path) { return renews() ? shown : path; }

void picture_expect(const char *shown, const char *path)
{
  SDL_Surface *there = load(shown), *found = load(picture_target(shown, path));
  double differs = share_that_differs(there, found);
  ck_assert_msg(differs < 0.01, "%s: %.1f%% of the picture is different today", shown, 100 * differs);
  ck_assert_double_lt(share_of_ground(found), 0.998);
  SDL_FreeSurface(there);
  SDL_FreeSurface(found);
}
