/*
** PNGs of a game as sprites: by name, at any size, on any number of textures; and files that are none.
*/
#include "demo/draw/images.h"
#include "demo/paint.h"
#include "demo/stage.h"
#include "support/process.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WHITE 0xffffffu

static char folder[256];

/* The PNGs are in the folder `sprites` of the folder. */
static void make_folder(void)
{
  char sprites_folder[300];
  ck_assert(test_folder_make(folder, sizeof folder));
  snprintf(sprites_folder, sizeof sprites_folder, "%s/sprites", folder);
  ck_assert_int_eq(mkdir(sprites_folder, 0700), 0);
}

static void remove_folder(void) { test_folder_remove(folder); }

static void write_png(const char *name, int w, int h, uint32_t left, uint32_t right)
{
  char path[512];
  snprintf(path, sizeof path, "%s/sprites/%s", folder, name);
  paint_png(path, w, h, left, right);
}

/* The content of a file; to be freed with SDL_free. */
static void *content(const char *path, size_t *size)
{
  void *bytes = SDL_LoadFile(path, size);
  ck_assert_msg(bytes != NULL, "%s", SDL_GetError());
  return bytes;
}

static uint32_t *load_image(const char *path, int *w, int *h)
{
  size_t size;
  void *bytes = content(path, &size);
  uint32_t *pixels = image_load(bytes, size, w, h);
  SDL_free(bytes);
  return pixels;
}

static bool measure_image(const char *path, int *w, int *h)
{
  size_t size;
  void *bytes = content(path, &size);
  bool measured = image_measure(bytes, size, w, h);
  SDL_free(bytes);
  return measured;
}

static void write_text(const char *name, const char *content)
{
  char path[512];
  FILE *file;
  snprintf(path, sizeof path, "%s/sprites/%s", folder, name);
  file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(content, file);
  fclose(file);
}

static test_group pictures = {"pictures", make_folder, remove_folder};

/* The first `length` bytes of `from`, as `to`. */
static void write_head(const char *from, const char *to, size_t length)
{
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  ck_assert(in && out);
  for (size_t i = 0; i < length; i++)
    fputc(fgetc(in), out);
  fclose(in);
  fclose(out);
}

TEST(pictures, objects_of_many_textures_keep_their_order)
{
  stage s;
  sprites_options looks = {.files = NULL};
  window narrow;
  sprites *many;
  const sprite *red, *blue;
  write_png("red.png", 250, 8, 0xffff0000u, 0xffff0000u);
  write_png("tall.png", 4, 300, 0xff00ff00u, 0xff00ff00u);
  write_png("blue.png", 250, 250, 0xff0000ffu, 0xff0000ffu);
  stage_open(&s, 64, 48, folder);
  looks.files = s.files;
  narrow = s.window;
  narrow.texture_most = 256;
  many = sprites_open(&narrow, &looks);
  ck_assert_msg(many != NULL, "%s", SDL_GetError());
  red = sprites_find(many, "red");
  blue = sprites_find(many, "blue");
  s.graphics.sprites = many;
  ck_assert_ptr_ne(red->levels->area.texture, blue->levels->area.texture);
  for (int i = 0; i < 3; i++) {
    graphics_sprite(&s.graphics, red, 30, 20, 0, 125);
    graphics_sprite(&s.graphics, blue, 30, 20, 0, 125);
    graphics_sprite(&s.graphics, sprites_find(many, "tall"), 30, 20, 0, 2);
  }
  ck_assert_uint_eq(s.batch.run_count, 9);
  stage_show(&s);
  ck_assert_uint_eq(stage_pixel(&s, 30, 20), 0x00ff00u);
  ck_assert_uint_eq(stage_pixel(&s, 40, 20), 0x0000ffu);
  sprites_close(many);
  stage_close(&s);
}

TEST(pictures, a_png_may_end_anywhere)
{
  char whole[512], cut[512];
  struct stat info;
  int w = 0, h = 0;
  write_png("whole.png", 9, 5, 0xff112233u, 0x80445566u);
  snprintf(whole, sizeof whole, "%s/sprites/whole.png", folder);
  snprintf(cut, sizeof cut, "%s/sprites/cut.png", folder);
  ck_assert_int_eq(stat(whole, &info), 0);
  for (size_t length = 0; length <= (size_t)info.st_size; length++) {
    uint32_t *pixels;
    write_head(whole, cut, length);
    pixels = load_image(cut, &w, &h);
    ck_assert_int_eq(pixels != NULL, length == (size_t)info.st_size);
    ck_assert_int_eq(measure_image(cut, &w, &h), pixels != NULL);
    free(pixels);
  }
  ck_assert_int_eq(w, 9);
  ck_assert_int_eq(h, 5);
}

/* The file `name` with one bit turned over. */
static void damage(const char *name, long at, int bit)
{
  char path[512];
  FILE *file;
  int byte;
  snprintf(path, sizeof path, "%s/sprites/%s", folder, name);
  file = fopen(path, "rb+");
  ck_assert_ptr_nonnull(file);
  fseek(file, at, SEEK_SET);
  byte = fgetc(file);
  fseek(file, at, SEEK_SET);
  fputc(byte ^ 1 << bit, file);
  fclose(file);
}

TEST(pictures, a_bit_turned_over_is_noticed_unpacked_or_only_measured)
{
  char path[512];
  struct stat info;
  int w, h;
  write_png("whole.png", 9, 5, 0xff112233u, 0x80445566u);
  snprintf(path, sizeof path, "%s/sprites/whole.png", folder);
  ck_assert_int_eq(stat(path, &info), 0);
  for (long at = 0; at < (long)info.st_size - 4; at++) { /* nobody reads the sum of the last chunk */
    damage("whole.png", at, (int)(at % 8));
    ck_assert_ptr_null(load_image(path, &w, &h));
    ck_assert(!measure_image(path, &w, &h));
    damage("whole.png", at, (int)(at % 8));
  }
  ck_assert(measure_image(path, &w, &h));
  ck_assert(w == 9 && h == 5);
}

static void note(void *ud, const char *line)
{
  strcat(ud, line);
  strcat(ud, "\n");
}

/* Names, levels and sizes of two sets of sprites; only the first has textures. */
static void expect_same(const sprites *seen, const sprites *unseen, const char *name)
{
  const sprite *a = sprites_find(seen, name), *b = sprites_find(unseen, name);
  ck_assert_msg(a && b, "%s", name);
  ck_assert_int_eq(a->level_count, b->level_count);
  ck_assert(a->reach == b->reach && memcmp(a->level, b->level, sizeof a->level) == 0);
  for (int i = 0; i < a->level_count; i++) {
    const sprite_level *x = &a->levels[i], *y = &b->levels[i];
    ck_assert(x->width == y->width && x->half_w == y->half_w && x->half_h == y->half_h);
    ck_assert(x->area.texture && !y->area.texture);
  }
}

TEST(pictures, a_blind_window_has_the_same_sprites_and_warnings_and_no_texture)
{
  static const char *const names[] = {"flag", "dot", "bad", "cut", "circle", "triangle", "spark"};
  static char warnings[4096];
  sprites_options looks = {NULL, note, warnings, NULL, NULL};
  window blind = {.width = 64, .height = 48, .scale = 1};
  sprites *unseen;
  stage s;
  write_png("flag.png", 100, 30, 0xffff0000u, 0xff0000ffu);
  write_png("dot.glow.png", 1, 1, 0xff0000ffu, 0xff0000ffu);
  write_png("cut.png", 30, 30, 0xff0000ffu, 0xff0000ffu);
  damage("cut.png", 50, 3);
  write_text("bad.png", "this is no picture");
  stage_open(&s, 64, 48, folder);
  looks.files = s.files;
  unseen = sprites_open(&blind, &looks);
  ck_assert_ptr_nonnull(unseen);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect_same(s.sprites, unseen, names[i]);
  ck_assert_ptr_nonnull(strstr(warnings, "/cut.png: the file is damaged; a checker is drawn instead\n"));
  ck_assert_str_eq(warnings, s.warnings);
  sprites_close(unseen);
  stage_close(&s);
}

/* {== Sizes ============================================================== */

/* Chunks as a PNG has them, for a picture of w x h; nothing in it but its size. */
typedef unsigned char hollow_png[45];

static void make_hollow_png(hollow_png png, uint32_t w, uint32_t h)
{
  static const hollow_png hollow = {0x89, 'P', 'N', 'G', '\r', '\n', 26, '\n', 0,   0,   0,   13, 'I', 'H', 'D',
                                    'R',  0,   0,   0,   0,    0,    0,  0,    0,   8,   6,   0,  0,   0,   0,
                                    0,    0,   0,   0,   0,    0,    0,  'I',  'E', 'N', 'D', 0,  0,   0,   0};
  memcpy(png, hollow, sizeof hollow);
  for (int i = 0; i < 4; i++) {
    png[16 + i] = (unsigned char)(w >> (24 - 8 * i));
    png[20 + i] = (unsigned char)(h >> (24 - 8 * i));
  }
}

TEST(pictures, a_picture_that_asks_for_gigabytes_is_refused_unread)
{
  static const uint32_t sizes[][2] = {{20000, 20000},           {8193, 1}, {1, 8193}, {8192, 2049},
                                      {0xffffffff, 0xffffffff}, {0, 5}};
  hollow_png png;
  int w, h;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    make_hollow_png(png, sizes[i][0], sizes[i][1]);
    ck_assert_ptr_null(image_load(png, sizeof png, &w, &h));
    ck_assert_msg(strstr(SDL_GetError(), "at most") != NULL, "%s", SDL_GetError());
  }
  make_hollow_png(png, 8192, 2048); /* of a size that is fine: something else is wrong then */
  ck_assert_ptr_null(image_load(png, sizeof png, &w, &h));
  ck_assert_ptr_null(strstr(SDL_GetError(), "at most"));
}

/* }== */

SUITE(player_pictures, &pictures)
