/*
** Pictures of each game at fixed frames, compared pixel by pixel with those in tests/demo/golden. `make golden` makes
** these anew: look at them before they are committed. A difference leaves a picture beside the build: expected, found,
** and where they differ.
*/
#include "demo/game_run.h"
#include "support/test.h"

#include <SDL.h>
#include <SDL_image.h>
#include <SDL_ttf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GOLDEN "tests/demo/golden"
#define FOUND SP_BUILD_DIR "/golden"

/* Other versions of the libraries draw an edge or a letter a little differently: there, this much of the picture may be
   different by this much. */
#define TOLERATED_SHARE 0.02
#define TOLERATED_STEP 24

enum { WIDTH = 640, HEIGHT = 480 };

typedef struct golden {
  const char *game;
  int frame;
} golden;

static const golden goldens[] = {
    {"cubes", 60},       {"cubes", 240},  {"shooter", 120},  {"shooter", 600},   {"random_spawn", 120},
    {"footprints", 180}, {"scenes", 120}, {"breakout", 600}, {"fireworks", 330}, {"survivors", 1800},
};

/* {== Pictures =========================================================== */

typedef struct difference {
  int pixels, largest; /* that differ; by how much, 0 to 255 */
} difference;

static SDL_Surface *load(const char *path)
{
  SDL_Surface *read = IMG_Load(path), *picture;
  ck_assert_msg(read != NULL, "%s: %s (make golden makes it)", path, SDL_GetError());
  picture = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_RGBA32, 0);
  SDL_FreeSurface(read);
  ck_assert_ptr_nonnull(picture);
  ck_assert_int_eq(picture->w, WIDTH);
  ck_assert_int_eq(picture->h, HEIGHT);
  return picture;
}

static Uint8 *pixel(const SDL_Surface *picture, int x, int y)
{
  return (Uint8 *)picture->pixels + y * picture->pitch + x * 4;
}

static int step_at(const SDL_Surface *a, const SDL_Surface *b, int x, int y)
{
  int largest = 0;
  for (int c = 0; c < 3; c++) {
    int step = abs(pixel(a, x, y)[c] - pixel(b, x, y)[c]);
    largest = step > largest ? step : largest;
  }
  return largest;
}

static difference compare(const SDL_Surface *a, const SDL_Surface *b)
{
  difference d = {0};
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int step = step_at(a, b, x, y);
      d.pixels += step > 0;
      d.largest = step > d.largest ? step : d.largest;
    }
  return d;
}

/* FNV-1a of the colours. */
static unsigned long hash(const SDL_Surface *picture)
{
  uint64_t h = 1469598103934665603u;
  for (int y = 0; y < HEIGHT; y++)
    for (int i = 0; i < WIDTH * 4; i++)
      h = (h ^ pixel(picture, 0, y)[i]) * 1099511628211u;
  return (unsigned long)h;
}

/* Expected, found, and in the third picture what differs, as bright as can be. */
static void save_difference(const SDL_Surface *expected, const SDL_Surface *found, const char *path)
{
  SDL_Surface *sheet = SDL_CreateRGBSurfaceWithFormat(0, WIDTH * 3, HEIGHT, 32, SDL_PIXELFORMAT_RGBA32);
  ck_assert_ptr_nonnull(sheet);
  for (int y = 0; y < HEIGHT; y++) {
    memcpy(pixel(sheet, 0, y), pixel(expected, 0, y), WIDTH * 4);
    memcpy(pixel(sheet, WIDTH, y), pixel(found, 0, y), WIDTH * 4);
    for (int x = 0; x < WIDTH; x++) {
      Uint8 *to = pixel(sheet, WIDTH * 2 + x, y);
      memset(to, step_at(expected, found, x, y) > 0 ? 255 : pixel(expected, x, y)[1] / 4, 3);
      to[3] = 255;
    }
  }
  IMG_SavePNG(sheet, path);
  SDL_FreeSurface(sheet);
}

/* }== */

/* {== The libraries that draw ============================================= */

static void describe_libraries(char *text, size_t size)
{
  const SDL_version *image = IMG_Linked_Version(), *ttf = TTF_Linked_Version();
  SDL_version sdl;
  int major, minor, patch;
  SDL_GetVersion(&sdl);
  TTF_Init();
  TTF_GetFreeTypeVersion(&major, &minor, &patch);
  TTF_Quit();
  snprintf(text, size, "SDL %d.%d.%d, SDL_image %d.%d.%d, SDL_ttf %d.%d.%d, FreeType %d.%d.%d\n", sdl.major, sdl.minor,
           sdl.patch, image->major, image->minor, image->patch, ttf->major, ttf->minor, ttf->patch, major, minor,
           patch);
}

static bool libraries_are_those_of_the_pictures(void)
{
  char here[256];
  size_t size;
  char *there = gamerun_read(GOLDEN "/libraries.txt", &size);
  describe_libraries(here, sizeof here);
  bool same = strcmp(here, there) == 0;
  free(there);
  return same;
}

/* }== */

/* {== The test =========================================================== */

static bool renews(void) { return getenv("SP_GOLDEN") != NULL; }

static void take_picture(const golden *g, const char *path)
{
  test_process p = test_run(PATIENCE, PLAY "--seed 1 --size %dx%d --frames %d --screenshot '%s@%d' scripts/%s", WIDTH,
                            HEIGHT, g->frame, path, g->frame, g->game);
  ck_assert_msg(p.status == 0, "scripts/%s: %s%s", g->game, p.out, p.err);
  test_process_free(&p);
}

static void expect_same(const golden *g, const char *golden_path, const char *found_path)
{
  char sheet[PATH_MOST];
  SDL_Surface *expected = load(golden_path), *found = load(found_path);
  difference d = compare(expected, found);
  bool exact = libraries_are_those_of_the_pictures();
  bool fine = d.pixels == 0 || (!exact && d.pixels <= TOLERATED_SHARE * WIDTH * HEIGHT && d.largest <= TOLERATED_STEP);
  snprintf(sheet, sizeof sheet, FOUND "/%s-%d-difference.png", g->game, g->frame);
  if (!fine)
    save_difference(expected, found, sheet);
  ck_assert_msg(fine, "%s, frame %d: %d pixels differ, by %d of 255 at most (%016lx, expected %016lx): look at %s",
                g->game, g->frame, d.pixels, d.largest, hash(found), hash(expected), sheet);
  SDL_FreeSurface(expected);
  SDL_FreeSurface(found);
}

static test_group core = {"pictures", .timeout = PATIENCE};

TESTS(core, a_game_looks_as_it_did, (int)(sizeof goldens / sizeof *goldens))
{
  const golden *g = &goldens[_i];
  char golden_path[PATH_MOST], found_path[PATH_MOST];
  mkdir(FOUND, 0777);
  snprintf(golden_path, sizeof golden_path, GOLDEN "/%s-%d.png", g->game, g->frame);
  snprintf(found_path, sizeof found_path, FOUND "/%s-%d.png", g->game, g->frame);
  take_picture(g, renews() ? golden_path : found_path);
  if (!renews())
    expect_same(g, golden_path, found_path);
}

TEST(core, the_libraries_that_drew_are_written_down)
{
  char text[256];
  describe_libraries(text, sizeof text);
  if (renews())
    gamerun_write(GOLDEN "/libraries.txt", text, strlen(text));
  size_t size;
  char *there = gamerun_read(GOLDEN "/libraries.txt", &size);
  ck_assert_msg(strncmp(there, "SDL ", 4) == 0, "%s", there);
  free(there);
}

/* A test that compares must be able to fail. */
TEST(core, one_pixel_is_a_difference)
{
  SDL_Surface *a = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_RGBA32);
  SDL_Surface *b = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_RGBA32);
  ck_assert_int_eq(compare(a, b).pixels, 0);
  pixel(b, WIDTH - 1, HEIGHT - 1)[2] = 7;
  difference d = compare(a, b);
  ck_assert_int_eq(d.pixels, 1);
  ck_assert_int_eq(d.largest, 7);
  ck_assert(hash(a) != hash(b));
  SDL_FreeSurface(a);
  SDL_FreeSurface(b);
}

/* }== */

SUITE(golden, &core)
