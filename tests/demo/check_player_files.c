/*
** What the player writes: screenshots, statistics, and the picture in a window.
*/
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <SDL_image.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <sys/stat.h>

/* {== Files ============================================================== */

/* The pixel at x, y of a PNG in the game's folder: 0xRRGGBB. */
static uint32_t pixel_of(const char *name, int width, int height, int x, int y)
{
  char path[512];
  uint32_t pixel;
  SDL_Surface *read, *plain;
  snprintf(path, sizeof path, "%s/%s", play_folder, name);
  read = IMG_Load(path);
  ck_assert_msg(read != NULL, "%s: %s", name, SDL_GetError());
  ck_assert_int_eq(read->w, width);
  ck_assert_int_eq(read->h, height);
  plain = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_ARGB8888, 0);
  pixel = ((uint32_t *)plain->pixels)[y * plain->pitch / 4 + x] & 0xffffffu;
  SDL_FreeSurface(plain);
  SDL_FreeSurface(read);
  return pixel;
}

#define COUNTING                                                                                                       \
  "local n = 0 return { update = function() n = n + 1 end, draw = function(g) g:color(n / 100, 0, 1)"                  \
  " g:rect(10, 10, 5, 5) end }"

static test_group files = {"files", play_open, play_close, 120};

TEST(files, a_screenshot_is_the_frame_asked_for)
{
  play_write("main.lua", COUNTING);
  RUN(PLAYER "--headless --frames 40 --size 120x90 --screenshot %s/last.png %s", play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("last.png", 120, 90, 12, 12), 0x6600ffu);
  ck_assert_uint_eq(pixel_of("last.png", 120, 90, 30, 30), 0x12131bu);
  RUN(PLAYER "--headless --frames 40 --size 120x90 --screenshot %s/tenth.png@10 %s", play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("tenth.png", 120, 90, 12, 12), 0x1a00ffu);
}

TEST(files, a_screenshot_that_cannot_be_saved_is_one_clear_line)
{
  play_write("main.lua", COUNTING);
  RUN(HEADLESS "--screenshot %s/no/such/place.png %s", play_folder, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "no/such/place.png");
  EXPECT_LINES(play_run.err, 1);
}

TEST(files, objects_are_in_the_picture)
{
  play_write("main.lua", "local spawnpool = require 'spawnpool'\n"
                         "spawnpool.class('Box', { sprite = 'square', radius = 5 })\n"
                         "return { load = function() local b = spawnpool.pools:alloc('Box', 0, 30, 20)\n"
                         "b.r, b.g, b.b = 0, 1, 0 end }");
  RUN(HEADLESS "--size 64x48 --screenshot %s/box.png %s", play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("box.png", 64, 48, 25, 15), 0x00ff00u);
  ck_assert_uint_eq(pixel_of("box.png", 64, 48, 34, 24), 0x00ff00u);
  ck_assert_uint_eq(pixel_of("box.png", 64, 48, 35, 20), 0x12131bu);
}

TEST(files, a_sprite_that_is_no_png_is_a_warning_and_a_checker)
{
  char path[512];
  snprintf(path, sizeof path, "%s/sprites", play_folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  play_write("sprites/ship.png", "not a picture at all");
  play_write("main.lua", "local spawnpool = require 'spawnpool'\n"
                         "spawnpool.class('Ship', { sprite = 'ship', radius = 8 })\n"
                         "return { load = function() spawnpool.pools:alloc('Ship', 0, 20, 20) end }");
  RUN(HEADLESS "--size 64x48 --screenshot %s/ship-shot.png %s", play_folder, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.err, "sprites/ship.png: not a PNG file");
  EXPECT_LINES(play_run.err, 1);
  ck_assert_uint_eq(pixel_of("ship-shot.png", 64, 48, 13, 13), 0xff00ffu);
  ck_assert_uint_eq(pixel_of("ship-shot.png", 64, 48, 17, 13), 0x000000u);
}

/* Reads JSON lines as Lua tables, into the global `lines`: there are no brackets in the strings of these games. */
static lua_State *read_lines(const char *text)
{
  static const char reader[] = "lines = {} for line in (...):gmatch('[^\\n]+') do\n"
                               "line = line:gsub('\"([%w_]+)\":', '%1='):gsub('%[', '{'):gsub('%]', '}')\n"
                               "lines[#lines + 1] = assert(load('return ' .. line))() end";
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  ck_assert_int_eq(luaL_loadstring(L, reader), LUA_OK);
  lua_pushstring(L, text);
  ck_assert_msg(lua_pcall(L, 1, 0, 0) == LUA_OK, "%s in:\n%s", lua_tostring(L, -1), text);
  return L;
}

#define EXPECT_TRUE(L, condition)                                                                                      \
  do {                                                                                                                 \
    int status = luaL_dostring((L), "assert(" condition ", [[" condition "]])");                                       \
    ck_assert_msg(status == LUA_OK, "%s\n%s", lua_tostring((L), -1), play_run.out);                                    \
  } while (0)

#define SPAWNING                                                                                                       \
  "local pools = require('spawnpool').pools\n"                                                                         \
  "require('spawnpool').class('Spark', { limit = 4 })\n"                                                               \
  "return { update = function() pools:alloc('Spark', 1e6) end, load = function() print('hello') end }"

TEST(files, stats_are_lines_of_json)
{
  lua_State *L;
  play_write("main.lua", SPAWNING);
  RUN(PLAYER "--headless --frames 150 --stats - %s", play_folder);
  EXPECT_STATUS(0);
  EXPECT_LINES(play_run.out, 3);
  EXPECT_IN(play_run.err, "hello\n"); /* what the game prints does not get between the lines */
  L = read_lines(play_run.out);
  EXPECT_TRUE(L, "#lines == 3");
  EXPECT_TRUE(L, "lines[1].frame == 60 and lines[2].frame == 120 and lines[3].frame == 150");
  EXPECT_TRUE(L, "not lines[1].final and not lines[2].final and lines[3].final");
  EXPECT_TRUE(L, "lines[1].time == 1 and lines[2].time == 2 and lines[3].time == 2.5");
  EXPECT_TRUE(L, "lines[1].fps > 0 and lines[1].frame_ms.p50 > 0 and lines[1].frame_ms.p99 >= lines[1].frame_ms.p50");
  EXPECT_TRUE(L, "lines[3].lua_bytes > 10000 and lines[3].bytes > lines[3].lua_bytes");
  EXPECT_TRUE(L, "#lines[3].pools == 1 and lines[3].pools[1].type == 'Spark'");
  EXPECT_TRUE(L, "lines[3].pools[1].live == 4 and lines[3].pools[1].peak == 4 and lines[3].pools[1].allocs == 4");
  EXPECT_TRUE(L, "lines[3].pools[1].refused == 146 and lines[3].pools[1].evicted == 0");
  EXPECT_TRUE(L, "lines[3].pools[1].total == lines[3].pools[1].live + lines[3].pools[1].idle");
  EXPECT_TRUE(L, "lines[3].pools[1].recycles == 0 and lines[3].pools[1].expired == 0");
  lua_close(L);
}

TEST(files, a_steady_game_takes_no_more_memory)
{
  lua_State *L;
  play_write("main.lua", "local pools = require('spawnpool').pools\n"
                         "require('spawnpool').class('Spark', { prealloc = 64 })\n"
                         "return { update = function() local s = pools:alloc('Spark', 0.5, 9, 9) s.vx = 40 end,\n"
                         "draw = function(g) g:color(1, 0, 0) g:text(2, 2, 'score') g:line(0, 0, 9, 5) end }");
  RUN(PLAYER "--headless --frames 240 --stats - %s", play_folder);
  EXPECT_STATUS(0);
  L = read_lines(play_run.out);
  EXPECT_TRUE(L, "lines[2].bytes == lines[4].bytes and lines[2].lua_bytes == lines[4].lua_bytes");
  lua_close(L);
}

TEST(files, stats_go_to_a_file)
{
  lua_State *L;
  play_write("main.lua", SPAWNING);
  RUN(PLAYER "--headless --frames 3 --stats %s/s.jsonl %s && cat %s/s.jsonl", play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "hello\n{");
  L = read_lines(strchr(play_run.out, '\n') + 1);
  EXPECT_TRUE(L, "#lines == 1 and lines[1].frame == 3 and lines[1].final");
  lua_close(L);
  RUN(HEADLESS "--stats %s/no/such/place %s", play_folder, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "no/such/place");
  ck_assert_str_eq(play_run.out, "");
}

/* Every name in quotes before a colon, as "|name|", in the order of their first appearance. */
static void collect_names(const char *json, char *names, size_t size)
{
  for (const char *quote = strchr(json, '"'); quote; quote = strchr(quote, '"')) {
    size_t length = strcspn(quote + 1, "\"");
    char name[64];
    snprintf(name, sizeof name, "|%.*s|", (int)length, quote + 1);
    quote += length + 2;
    if (*quote == ':' && !strstr(names, name))
      strncat(names, name, size - strlen(names) - 1);
  }
}

/* The first column of the page's tables, in the same form. */
static void collect_rows(const char *page, char *names, size_t size)
{
  for (const char *row = strstr(page, "\n| `"); row; row = strstr(row + 1, "\n| `")) {
    char name[64];
    snprintf(name, sizeof name, "|%.*s|", (int)strcspn(row + 4, "`"), row + 4);
    strncat(names, name, size - strlen(names) - 1);
  }
}

TEST(files, the_page_on_statistics_names_every_field_and_no_other)
{
  char written[1024] = "", told[1024] = "";
  size_t size;
  char *page = SDL_LoadFile("docs/stats.md", &size);
  ck_assert_msg(page != NULL, "%s", SDL_GetError());
  play_write("main.lua", SPAWNING);
  RUN(HEADLESS "--stats - %s", play_folder);
  EXPECT_STATUS(0);
  collect_names(play_run.out, written, sizeof written);
  collect_rows(page, told, sizeof told);
  ck_assert_str_eq(told, written);
  SDL_free(page);
}

/* }== */

/* {== Window ============================================================= */

/* Drivers of displays keep memory to the end: none of ours. A display that resets when its last client leaves signals
   xvfb-run, which now and then takes that for a failed clean-up: this one does not reset. */
#define XVFB "ASAN_OPTIONS=detect_leaks=0 xvfb-run -a -s '-screen 0 640x480x24 -noreset' "

static bool has_xvfb(const char *test)
{
  RUN("command -v xvfb-run && command -v xauth");
  if (play_run.status != 0)
    test_skip(test, "no xvfb-run");
  return play_run.status == 0;
}

static test_group window = {"window", play_open, play_close, 120};

TEST(window, a_window_shows_the_same_picture)
{
  if (!has_xvfb("a_window_shows_the_same_picture"))
    return;
  play_write("main.lua", COUNTING);
  RUN(XVFB PLAYER "--frames 5 --size 120x90 --screenshot %s/window.png %s", play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("window.png", 120, 90, 12, 12) & 0xff, 0xff);
  ck_assert_uint_eq(pixel_of("window.png", 120, 90, 30, 30), 0x12131bu);
}

TEST(window, a_window_shows_the_error_and_stays)
{
  if (!has_xvfb("a_window_shows_the_error_and_stays"))
    return;
  play_write("main.lua", "local n = 0 return { draw = function(g) n = n + 1 g:rect(100, 80, 5, 5)\n"
                         "if n == 5 then error('five') end end }");
  /* It is still there some frames later, or the interrupt would find nobody. */
  RUN(XVFB "sh -c '{ " PLAYER "--size 120x90 %s 2>%s/err & } && p=$! && "
           "while ! grep -q five %s/err; do sleep 0.02; done; sleep 0.2; kill -INT $p && wait $p; echo status $?'",
      play_folder, play_folder, play_folder);
  ck_assert_str_eq(play_run.out, "status 1\n");
}

TEST(window, a_window_with_an_error_ends_with_its_frames)
{
  if (!has_xvfb("a_window_with_an_error_ends_with_its_frames"))
    return;
  play_write("main.lua", "error('at once')");
  RUN(XVFB PLAYER "--frames 10 --size 120x90 --stats - %s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "at once");
  EXPECT_IN(play_run.out, "\"frame\":10,");
}

/* }== */

SUITE(player_files, &files, &window)
