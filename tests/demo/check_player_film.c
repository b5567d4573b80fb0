/*
** Films: what is kept of the last seconds, the animated PNG that it becomes, and who asks for one; and the lines about
** long runs.
*/
#include "demo/app/output_files.h"
#include "demo/capture/film.h"
#include "demo/capture/progress.h"
#include "demo/stage.h"
#include "support/test.h"

#include <SDL.h>
#include <SDL_image.h>
#include <math.h>
#include <stdio.h>

/* {== Reading an animated PNG ============================================ */

typedef struct movie {
  png_bytes file;
  int frames;  /* as the file counts them */
  int heads;   /* fcTL chunks */
  int ends;    /* IEND chunks */
  double time; /* seconds, all frames together */
} movie;

static uint32_t big(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Every chunk must have its right checksum, and the numbered ones their turn. */
static void check_chunks(movie *m)
{
  uint32_t sequence = 0;
  size_t at = 8;
  while (at < m->file.size) {
    const unsigned char *chunk = m->file.at + at, *data = chunk + 8;
    uint32_t size = big(chunk);
    ck_assert_uint_le(at + size + 12, m->file.size);
    ck_assert_uint_eq(SDL_crc32(0, chunk + 4, size + 4), big(data + size));
    if (memcmp(chunk + 4, "acTL", 4) == 0)
      m->frames = (int)big(data);
    if (memcmp(chunk + 4, "fcTL", 4) == 0) {
      m->heads += 1;
      m->time += (double)(data[20] << 8 | data[21]) / (data[22] << 8 | data[23]);
    }
    if (memcmp(chunk + 4, "fcTL", 4) == 0 || memcmp(chunk + 4, "fdAT", 4) == 0)
      ck_assert_uint_eq(big(data), sequence++);
    m->ends += memcmp(chunk + 4, "IEND", 4) == 0;
    at += size + 12;
  }
}

static movie read_movie(const png_bytes *bytes)
{
  movie m = {.frames = 0};
  ck_assert(png_append(&m.file, bytes->at, bytes->size));
  check_chunks(&m);
  ck_assert_int_eq(m.frames, m.heads);
  ck_assert_int_eq(m.ends, 1);
  return m;
}

/* A PNG of its own out of one frame: head, its data under the usual name, end. */
static png_bytes take_out(const movie *m, int number)
{
  png_bytes png = {.at = NULL};
  int frame = -1;
  ck_assert(png_append(&png, m->file.at, 33));
  for (size_t at = 33; at < m->file.size; at += big(m->file.at + at) + 12) {
    const unsigned char *chunk = m->file.at + at;
    bool first = memcmp(chunk + 4, "IDAT", 4) == 0, later = memcmp(chunk + 4, "fdAT", 4) == 0;
    uint32_t size = big(chunk) - (later ? 4 : 0), crc = SDL_crc32(0, "IDAT", 4);
    const unsigned char *data = chunk + 8 + (later ? 4 : 0);
    frame += memcmp(chunk + 4, "fcTL", 4) == 0;
    if ((!first && !later) || frame != number)
      continue;
    crc = SDL_crc32(crc, data, size);
    unsigned char head[8] = {(unsigned char)(size >> 24),
                             (unsigned char)(size >> 16),
                             (unsigned char)(size >> 8),
                             (unsigned char)size,
                             'I',
                             'D',
                             'A',
                             'T'};
    unsigned char sum[4] = {(unsigned char)(crc >> 24), (unsigned char)(crc >> 16), (unsigned char)(crc >> 8),
                            (unsigned char)crc};
    ck_assert(png_append(&png, head, 8) && png_append(&png, data, size) && png_append(&png, sum, 4));
  }
  ck_assert(png_append(&png, m->file.at + m->file.size - 12, 12));
  return png;
}

/* 0xAARRGGBB of one frame alone, which must be w x h. */
static uint32_t own_pixel_of(const movie *m, int number, int w, int h, int x, int y)
{
  png_bytes png = take_out(m, number);
  SDL_Surface *read = IMG_Load_RW(SDL_RWFromConstMem(png.at, (int)png.size), 1), *plain;
  uint32_t pixel;
  ck_assert_msg(read != NULL, "frame %d: %s", number, SDL_GetError());
  ck_assert_int_eq(read->w, w);
  ck_assert_int_eq(read->h, h);
  plain = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_ARGB8888, 0);
  pixel = ((uint32_t *)plain->pixels)[y * plain->pitch / 4 + x];
  SDL_FreeSurface(plain);
  SDL_FreeSurface(read);
  png_free(&png);
  return pixel;
}

/* 0xRRGGBB as it is seen: where a frame is clear, those before it show. */
static uint32_t pixel_of(const movie *m, int number, int w, int h, int x, int y)
{
  for (; number >= 0; number--) {
    uint32_t pixel = own_pixel_of(m, number, w, h, x, y);
    ck_assert(pixel >> 24 == 255 || pixel >> 24 == 0);
    if (pixel >> 24)
      return pixel & 0xffffffu;
  }
  ck_abort_msg("no frame covers the pixel");
  return 0;
}

/* }== */

/* {== Keeping and writing ================================================ */

/* Frame number n is a square of red n. */
static void take_frames(stage *s, film *f, int from, int to, int steps)
{
  batch_area white = sprites_white(s->sprites);
  for (int n = from; n < to; n++) {
    batch_clear(&s->batch);
    ck_assert(batch_rect(&s->batch, &white, 0, 0, 8, 8, (SDL_Color){(Uint8)n, 0, 0, 255}));
    film_take(f, &s->batch, steps);
  }
}

static movie write_all(stage *s, film *f)
{
  film_state state;
  movie m;
  ck_assert(film_begin(f));
  ck_assert(!film_begin(f));
  do
    state = film_write(f, s->window.renderer, (SDL_Color){0, 0, 255, 255});
  while (state == FILM_WRITING);
  ck_assert_msg(state == FILM_DONE, "%s", SDL_GetError());
  m = read_movie(&f->out);
  film_clear(f);
  ck_assert_int_eq(film_write(f, s->window.renderer, BACKGROUND), FILM_IDLE);
  return m;
}

static test_group keeping = {"film", .timeout = 60};

TEST(keeping, the_last_seconds_are_kept)
{
  stage s;
  film f;
  movie m;
  stage_open(&s, 64, 48, NULL);
  ck_assert(film_open(&f, 5, 1.0 / 60));
  take_frames(&s, &f, 0, 150, 3);
  m = write_all(&s, &f);
  ck_assert_int_eq(m.frames, 100);
  ck_assert_double_eq_tol(m.time, 5, 1e-6);
  ck_assert_uint_eq(pixel_of(&m, 0, 64, 48, 3, 3), 50u << 16);
  ck_assert_uint_eq(pixel_of(&m, 99, 64, 48, 3, 3), 149u << 16);
  ck_assert_uint_eq(pixel_of(&m, 99, 64, 48, 30, 30), 0x0000ffu);
  ck_assert_uint_eq(own_pixel_of(&m, 99, 64, 48, 30, 30) >> 24, 0); /* nothing new there */
  png_free(&m.file);
  film_close(&f);
  stage_close(&s);
}

TEST(keeping, a_film_keeps_the_time_of_the_game)
{
  static const struct {
    double step;
    int steps, frames;
    double seconds;
  } rows[] = {
      {1.0 / 60, 1, 10, 0.5}, {1.0 / 60, 6, 30, 3}, {1.0 / 30, 1, 15, 1}, {1, 1, 5, 5}, {1.0 / 1000, 10, 6, 0.3}};
  stage s;
  stage_open(&s, 64, 48, NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    film f;
    movie m;
    ck_assert(film_open(&f, 5, rows[i].step));
    take_frames(&s, &f, 0, 30, rows[i].steps);
    m = write_all(&s, &f);
    ck_assert_int_eq(m.frames, rows[i].frames);
    ck_assert_double_eq_tol(m.time, rows[i].seconds, 0.06);
    png_free(&m.file);
    film_close(&f);
  }
  stage_close(&s);
}

TEST(keeping, huge_scenes_take_no_more_memory_but_are_shorter)
{
  stage s;
  film f;
  SDL_Vertex *v;
  batch_area white;
  stage_open(&s, 64, 48, NULL);
  white = sprites_white(s.sprites);
  ck_assert(film_open(&f, 5, 1.0 / 60));
  batch_clear(&s.batch);
  v = batch_reserve(&s.batch, 20000);
  ck_assert_ptr_nonnull(v);
  for (int i = 0; i < 20000; i++)
    batch_fill(v + 4 * i, &white, 9, 9, 1, 1, (SDL_Color){9, 9, 9, 255});
  ck_assert(batch_commit(&s.batch, white.texture, 20000));
  for (int i = 0; i < 60; i++)
    film_take(&f, &s.batch, 3);
  ck_assert_int_lt(f.count, 60);
  ck_assert_int_gt(f.count, 20);
  ck_assert_uint_lt(f.quads, 700 << 10);
  /* Smaller ones then fill the whole time again. */
  take_frames(&s, &f, 0, 100, 3);
  ck_assert_int_eq(f.count, 100);
  film_close(&f);
  stage_close(&s);
}

TEST(keeping, a_steady_film_allocates_nothing)
{
  stage s;
  film f;
  stage_open(&s, 64, 48, NULL);
  ck_assert(film_open(&f, 1, 1.0 / 60));
  take_frames(&s, &f, 0, 40, 3);
  SDL_Vertex *first[20];
  for (int i = 0; i < 20; i++)
    first[i] = f.frames[i].scene.vertices;
  take_frames(&s, &f, 0, 40, 3);
  for (int i = 0; i < 20; i++)
    ck_assert_ptr_eq(f.frames[i].scene.vertices, first[i]);
  film_close(&f);
  stage_close(&s);
}

TEST(keeping, large_pictures_are_halved)
{
  stage s;
  film f;
  movie m;
  stage_open(&s, 1000, 700, NULL);
  ck_assert(film_open(&f, 5, 1.0 / 60));
  take_frames(&s, &f, 200, 202, 3);
  m = write_all(&s, &f);
  ck_assert_uint_eq(pixel_of(&m, 1, 500, 350, 2, 2), 201u << 16);
  ck_assert_uint_eq(pixel_of(&m, 1, 500, 350, 5, 5), 0x0000ffu);
  png_free(&m.file);
  film_close(&f);
  stage_close(&s);
}

TEST(keeping, nothing_kept_is_nothing_to_write)
{
  film none = {.room = 0}, f;
  batch empty = {.vertices = NULL};
  ck_assert(!film_begin(&none));
  film_take(&none, &empty, 3);
  ck_assert(film_open(&f, 5, 1.0 / 60));
  ck_assert(!film_begin(&f));
  film_take(&f, &empty, 0); /* a paused game */
  ck_assert(!film_begin(&f));
  film_close(&f);
  film_close(&none);
}

/* }== */

/* {== Progress =========================================================== */

static test_group lines = {"progress"};

TEST(lines, a_terminal_hears_soon_and_a_log_late)
{
  progress p;
  char line[PROGRESS_MOST];
  progress_start(&p, true, 100);
  ck_assert(!progress_line(&p, 104.9, 1000, 4000, 16, line));
  ck_assert(progress_line(&p, 105, 1000, 4000, 16.6, line));
  ck_assert_str_eq(line, "frame 1000 of 4000 (25%), 200 a second, 17 s of game time, about 15 s to go");
  ck_assert(!progress_line(&p, 109, 1400, 4000, 23, line));
  ck_assert(progress_line(&p, 110, 3500, UINT64_MAX, 58, line));
  ck_assert_str_eq(line, "frame 3500, 500 a second, 58 s of game time");
  progress_start(&p, false, 100);
  ck_assert(!progress_line(&p, 159, 1000, 4000, 16, line));
  ck_assert(progress_line(&p, 160, 1000, 4000, 16, line));
}

TEST(lines, progress_that_never_began_is_silent)
{
  progress p = {.every = 0};
  char line[PROGRESS_MOST];
  ck_assert(!progress_line(&p, 1e9, 1000, 4000, 16, line));
}

TEST(lines, a_run_that_stands_still_promises_nothing)
{
  progress p;
  char line[PROGRESS_MOST];
  progress_start(&p, true, 0);
  ck_assert(progress_line(&p, 10, 0, UINT64_MAX - 1, 1e300, line));
  ck_assert_ptr_null(strstr(line, "to go"));
}

/* }== */

SUITE(player_film, &keeping, &lines)
