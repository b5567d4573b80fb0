/*
** The process that writes pictures, asked by one who has taken over the player.
*/
#define _GNU_SOURCE

#include "demo/capture/file_writer.h"
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static test_group on = {"on", play_open, play_close, 120};

/* What the process answers to one who has taken over the player. */
static bool ask(const char *file, const char *problem)
{
  file_writer s;
  ck_assert(file_writer_open(&s, "named.png"));
  bool saved = file_writer_save(&s, file, "PNG", 3);
  if (!saved && *problem)
    ck_assert_str_eq(SDL_GetError(), problem);
  file_writer_close(&s);
  return saved;
}

static void expect_content(const char *name, const char *expected)
{
  char *found = SDL_LoadFile(name, NULL);
  ck_assert_str_eq(found, expected);
  SDL_free(found);
}

TEST(on, a_picture_goes_where_it_may)
{
  static const char *const never[] = {"other.png",       "/tmp/spawnpool-1.png", "spawnpool-/../1.png",
                                      "spawnpool-1.lua", "spawnpool-.png",       "",
                                      "../named.png",    "spawnpool-1.png.png",  "spawnpool-taken.png"};
  const char *denied = "Operation not permitted";
  play_write("spawnpool-20260101-000000.png", "old");
  ck_assert_int_eq(chdir(play_folder), 0);
  ck_assert(ask("named.png", ""));
  ck_assert(ask("named.png", "")); /* it may be replaced */
  ck_assert(ask("spawnpool-20260102-000000-2.png", ""));
  ck_assert(!ask("spawnpool-20260102-000000-2.png", denied));
  ck_assert(!ask("spawnpool-20260101-000000.png", denied));
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    ck_assert_msg(!ask(never[i], denied), "%s", never[i]);
  expect_content("named.png", "PNG");
  expect_content("spawnpool-20260101-000000.png", "old");
  expect_content("spawnpool-20260102-000000-2.png", "PNG");
  ck_assert_int_eq(chdir("/"), 0);
}

/* It ends by itself, and by what it cannot follow. */
TEST(on, a_request_may_be_anything)
{
  char bytes[4096];
  for (size_t size = 0; size < sizeof bytes; size += 97)
    for (int fill = 0; fill < 256; fill += 51) {
      int ends[2];
      memset(bytes, fill, sizeof bytes);
      ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
      ck_assert_int_eq(write(ends[0], bytes, size), (ssize_t)size);
      shutdown(ends[0], SHUT_WR);
      file_writer_serve(ends[1], "named.png");
      close(ends[0]);
      close(ends[1]);
    }
}

/* It cannot be compressed: the memory that it is encoded into must be large enough for that too. */
TEST(on, a_picture_of_noise_is_encoded)
{
  static const int sizes[][2] = {{1, 1}, {1, 3000}, {3000, 1}, {640, 480}, {1921, 1081}};
  static const Uint32 formats[] = {SDL_PIXELFORMAT_RGB24, SDL_PIXELFORMAT_ARGB8888};
  uint64_t noise = 88172645463325252u;
  for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
    size_t size = 0;
    SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, sizes[i / 2][0], sizes[i / 2][1], 32, formats[i % 2]);
    ck_assert_ptr_nonnull(picture);
    for (int at = 0; at < picture->pitch * picture->h; at++) {
      noise ^= noise << 13, noise ^= noise >> 7, noise ^= noise << 17;
      ((unsigned char *)picture->pixels)[at] = (unsigned char)(noise >> 33);
    }
    void *bytes = screenshot_encode(picture, &size);
    ck_assert_msg(bytes && memcmp(bytes, "\x89PNG", 4) == 0, "%d x %d: %s", picture->w, picture->h, SDL_GetError());
    ck_assert_uint_gt(size, (size_t)picture->w * (size_t)picture->h * 3);
    free(bytes);
    SDL_FreeSurface(picture);
  }
}

SUITE(file_writer, &on)
