/*
** Sprite sheets: what is drawn and read of them, in a run and while they are edited.
*/
#include "demo/edit_run.h"
#include "demo/paint.h"
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define RED 0xffff0000u
#define GREEN 0xff00ff00u

/* Two frames of 16 x 16 side by side, of 0.1 s each, as an array and by name; with tags. */
#define FRAME(x) "{\"frame\":{\"x\":" x ",\"y\":0,\"w\":16,\"h\":16},\"duration\":100}"
#define TAG(name, rest) "{\"name\":\"" name "\"," rest "}"
#define ONE_TWO "\"from\":0,\"to\":1,\"direction\":\"forward\""
#define SHEET(tags) "{\"frames\":[" FRAME("0") "," FRAME("16") "],\"meta\":{\"frameTags\":[" tags "]}}"
#define RUNS TAG("run", ONE_TWO)

static char picture[512];

static void write_sheet(const char *json)
{
  char path[512];
  paint_png((snprintf(path, sizeof path, "%s/sprites/hero.png", play_folder), path), 32, 16, RED, GREEN);
  play_write("sprites/hero.json", json);
}

static void open_sheets(void)
{
  char path[512];
  play_open();
  snprintf(path, sizeof path, "%s/sprites", play_folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  snprintf(picture, sizeof picture, "%s/out.png", play_folder);
}

static test_group sheets = {"sheets", open_sheets, play_close, 60};

/* A game with one object of this class, called `o`, at the middle of 64 x 64; `more` are entries of its table. */
static void write_game(const char *class, const char *more)
{
  char main[4096];
  snprintf(
      main, sizeof main,
      "local spawnpool = require 'spawnpool'\nlocal o, n = nil, 0\n"
      "spawnpool.class('Hero', { sprite = 'hero', radius = 16, %s })\n"
      "return { width = 64, height = 64, load = function() o = spawnpool.pools:alloc('Hero', 0, 32, 32) end,\n%s }",
      class, more);
  play_write("main.lua", main);
}

static void expect_color_at(int frame, uint32_t color)
{
  RUN(PLAYER "--headless --frames %d --screenshot '%s' '%s'", frame, picture, play_folder);
  EXPECT_STATUS(0);
  uint32_t is = paint_pixel(picture, 32, 32);
  ck_assert_msg(is == (color & 0xffffffu), "frame %d: %06x", frame, is);
  ck_assert_str_eq(play_run.err, "");
}

static void expect_printed(const char *expected)
{
  RUN(PLAYER "--headless --frames 40 '%s'", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, expected);
}

TEST(sheets, frames_follow_each_other_and_begin_again)
{
  write_sheet(SHEET(RUNS));
  write_game("animation = 'run'", "");
  expect_color_at(3, RED);
  expect_color_at(9, GREEN); /* 0.1 s are 6 frames */
  expect_color_at(15, RED);
  write_sheet("{\"frames\":{\"b\":" FRAME("16") ",\"a\":" FRAME("0") "},\"meta\":{\"frameTags\":[" RUNS "]}}");
  expect_color_at(3, GREEN); /* in the order of the file, whatever the names */
  expect_color_at(9, RED);
}

TEST(sheets, a_class_without_animation_shows_the_first_frame)
{
  write_sheet(SHEET(RUNS));
  write_game("g = 1", "draw = function() assert(not pcall(function() return o.frame end)) end");
  expect_color_at(9, RED);
}

#define PRINTS "update = function() n = n + 1 if n % 5 == 0 then print(o.frame, o.animation) end end"

TEST(sheets, classes_define_animations_of_their_own)
{
  write_sheet(SHEET(""));
  write_game("animation = { fps = 12 }", PRINTS);
  expect_printed("1\tdefault\n2\tdefault\n1\tdefault\n2\tdefault\n1\tdefault\n2\tdefault\n1\tdefault\n2\tdefault\n");
  write_game("animation = { frames = { 2, 1, 2, 9 }, fps = 12, loop = false }", PRINTS);
  expect_printed("2\tdefault\n1\tdefault\n2\tdefault\n2\tdefault\n2\tdefault\n2\tdefault\n2\tdefault\n2\tdefault\n");
  write_game("animation = { frames = 1 }", PRINTS);
  RUN(PLAYER "--headless --frames 9 '%s'", play_folder);
  ck_assert_str_eq(play_run.out, "1\tdefault\n");
}

TEST(sheets, tags_have_directions_and_repetitions)
{
  static const struct {
    const char *tag, *frames;
  } rows[] = {{ONE_TWO, "12121212"},
              {"\"from\":0,\"to\":1,\"direction\":\"reverse\"", "21212121"},
              {"\"from\":0,\"to\":2,\"direction\":\"pingpong\"", "12321232"},
              {"\"from\":0,\"to\":2,\"direction\":\"pingpong_reverse\"", "32123212"},
              {"\"from\":1,\"to\":1,\"direction\":\"pingpong\"", "22222222"},
              {"\"from\":0,\"to\":2,\"repeat\":\"1\"", "12333333"},
              {"\"from\":0,\"to\":1,\"repeat\":\"2\"", "12122222"}};
  write_game("animation = 'run'",
             "update = function() n = n + 1 if n % 6 == 3 then io.write(o.frame) if n > 44 then print() end end end");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char json[2048];
    snprintf(
        json, sizeof json,
        "{\"frames\":[" FRAME("0") "," FRAME("16") "," FRAME("0") "],\"meta\":{\"frameTags\":[{\"name\":\"run\",%s}]}}",
        rows[i].tag);
    write_sheet(json);
    RUN(PLAYER "--headless --trust --frames 45 '%s'", play_folder);
    ck_assert_msg(strncmp(play_run.out, rows[i].frames, 8) == 0, "%s: %s", rows[i].tag, play_run.out);
  }
}

TEST(sheets, objects_choose_animation_and_frame)
{
  write_sheet(SHEET(RUNS "," TAG("stand", "\"from\":1,\"to\":1")));
  write_game(
      "animation = 'run'",
      "update = function() n = n + 1\n"
      "if n == 1 then o.animation = 'stand' assert(o.frame == 2 and o.animation == 'stand') end\n"
      "if n == 2 then o.animation = 'run' assert(o.frame == 1) end\n"
      "if n > 2 and n < 20 then o.animation = 'run' end\n" /* which it does already */
      "if n == 9 then assert(o.frame == 2) end\n"
      "if n == 20 then o.frame = 1 assert(o.frame == 1 and o.animation == 'run') end\n"
      "if n == 25 then assert(o.frame == 1) end\n"
      "if n == 27 then assert(o.frame == 2) o.animation = nil assert(o.frame == 2 and o.animation == nil) end\n"
      "if n == 35 then assert(o.frame == 2) o.frame = 1 assert(o.frame == 1) o.animation = 'stand' o.frame = 1\n"
      "  assert(o.animation == nil and o.frame == 1) o.recycle(o)\n"
      "  o = spawnpool.pools:alloc 'Hero' assert(o.animation == 'run' and o.frame == 1)\n"
      "  local seen = {} for name, value in pairs(o) do seen[name] = value end\n"
      "  assert(seen.animation == 'run' and seen.frame == 1)\n"
      "  assert(o.pool:set('animation', 'stand') == 1 and o.frame == 2)\n"
      "  for _, bad in ipairs { 0, 1.5, -1, 'x', 65536 } do assert(not pcall(function() o.frame = bad end)) end\n"
      "  for _, bad in ipairs { 1, {}, true } do assert(not pcall(function() o.animation = bad end)) end\n"
      "  print 'done' end end");
  expect_printed("done\n");
}

TEST(sheets, trimmed_frames_lie_where_they_were)
{
  /* Both are the left half of a frame of 32 x 16: the right half is clear. */
  write_sheet("{\"frames\":[{\"frame\":{\"x\":0,\"y\":0,\"w\":16,\"h\":16},\"duration\":100,\"trimmed\":true,"
              "\"spriteSourceSize\":{\"x\":0,\"y\":0,\"w\":16,\"h\":16},\"sourceSize\":{\"w\":32,\"h\":16}},"
              "{\"frame\":{\"x\":16,\"y\":0,\"w\":16,\"h\":16},\"duration\":100,\"trimmed\":true,"
              "\"spriteSourceSize\":{\"x\":16,\"y\":0,\"w\":16,\"h\":16},\"sourceSize\":{\"w\":32,\"h\":16}}],"
              "\"meta\":{\"frameTags\":[" RUNS "]}}");
  write_game("animation = 'run'", "");
  RUN(PLAYER "--headless --frames 3 --screenshot '%s' '%s'", picture, play_folder);
  ck_assert_uint_eq(paint_pixel(picture, 22, 32), 0xff0000u);
  ck_assert_uint_eq(paint_pixel(picture, 42, 32), 0x12131bu);
  RUN(PLAYER "--headless --frames 9 --screenshot '%s' '%s'", picture, play_folder);
  ck_assert_uint_eq(paint_pixel(picture, 22, 32), 0x12131bu);
  ck_assert_uint_eq(paint_pixel(picture, 42, 32), 0x00ff00u);
}

TEST(sheets, what_is_no_sheet_is_said_and_the_game_goes_on)
{
  static const struct {
    const char *json, *problem;
  } rows[] = {{"", "is not JSON"},
              {"{\n\n\"frames\": [ oops ]}", "line 3 is not JSON"},
              {"[]", "there is no list 'frames'"},
              {"{\"frames\":7}", "there is no list 'frames'"},
              {"{\"frames\":[]}", "a sheet has 1 to 4096 frames, this one 0"},
              {"{\"frames\":[{}]}", "frame 1 has no 'frame'"},
              {"{\"frames\":[{\"frame\":{\"x\":0,\"y\":0,\"w\":0,\"h\":1}}]}", "'w' must be a whole number from 1 to"},
              {"{\"frames\":[{\"frame\":{\"x\":1e99,\"y\":0,\"w\":1,\"h\":1}}]}", "'x' must be a whole number"},
              {"{\"frames\":[{\"frame\":{\"x\":0,\"y\":0,\"w\":8,\"h\":8},\"rotated\":true}]}", "frame 1 is rotated"},
              {"{\"frames\":[{\"frame\":{\"x\":0,\"y\":0,\"w\":8,\"h\":8},\"duration\":0}]}", "'duration' must be"},
              {SHEET("{\"from\":0,\"to\":1}"), "a tag needs a name"},
              {SHEET(TAG("run", "\"from\":0,\"to\":2")), "'to' must be a whole number from 0 to 1"},
              {SHEET(TAG("walk", "\"from\":0,\"to\":1")), "sprite 'hero' has no animation 'run'"},
              {"{\"frames\":[{\"frame\":{\"x\":24,\"y\":0,\"w\":16,\"h\":16}}],\"meta\":{\"frameTags\":[" TAG(
                   "run", "\"from\":0,\"to\":0") "]}}",
               "sprites/hero.json: frame 1 lies outside of the PNG"}};
  write_game("animation = 'run'", "");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_sheet(rows[i].json);
    RUN(PLAYER "--headless --frames 9 --screenshot '%s' '%s'", picture, play_folder);
    EXPECT_STATUS(0);
    EXPECT_IN(play_run.err, rows[i].problem);
    EXPECT_LINES(play_run.err, i < 12 ? 2 : 1);
  }
}

TEST(sheets, settings_are_checked)
{
  EXPECT_RUNS({"require('spawnpool').class('A', { animation = 5 }) return {}", HEADLESS "%s", 1, NULL,
               "~animation must be the name of an animation of the sheet, or {frames=, fps=, loop=}, got 5"},
              {"require('spawnpool').class('A', { animation = { fps = 0 } }) return {}", HEADLESS "%s", 1, NULL,
               "~animation.fps must be above 0, got 0"},
              {"require('spawnpool').class('A', { animation = { frames = { 1, 'x' } } }) return {}", HEADLESS "%s", 1,
               NULL, "~animation.frames must list frames, from 1, got 'x'"},
              {"require('spawnpool').class('A', { animation = { frames = {} } }) return {}", HEADLESS "%s", 1, NULL,
               "~animation.frames must list 1 to 64 frames, or be their number"},
              {"require('spawnpool').class('A', { animation = { fpss = 1 } }) return {}", HEADLESS "%s", 1, NULL,
               "~animation has no entry 'fpss' (did you mean 'fps'?)"},
              {"local s = require('spawnpool') s.class('A', { animation = {}, fields = { frame = 1 } })\n"
               "s.pools:alloc 'A' return {}",
               HEADLESS "%s", 1, NULL, "~class 'A': 'frame' is built in, for its animation: choose another name"},
              {"local s = require('spawnpool') s.class('A', { animation = 'run' })\n"
               "s.class('B', { extends = 'A', animation = false, fields = { frame = 1 } })\n"
               "print(s.pools:alloc('A').frame, s.pools:alloc('B').frame) return {}",
               HEADLESS "%s", 0, "1\t1\n", "~sprite 'circle' has no frames: sprites/circle.json would list them"});
}

/* {== While it runs ======================================================= */

static test_group edits = {"edits", edit_open, edit_close, 120};

static void start_edited(void)
{
  char folder[512];
  snprintf(folder, sizeof folder, "%s", edit_path("sprites"));
  ck_assert_int_eq(mkdir(folder, 0700), 0);
  paint_png(edit_path("sprites/hero.png"), 32, 16, RED, GREEN);
  edit_write("sprites/hero.json", SHEET(TAG("run", "\"from\":0,\"to\":0")));
  edit_write("main.lua", "local spawnpool = require 'spawnpool'\nlocal o, last\n"
                         "spawnpool.class('Hero', { sprite = 'hero', radius = 16, animation = 'run' })\n"
                         "return { load = function() o = spawnpool.pools:alloc('Hero', 0, 32, 32) end,\n"
                         "update = function() if o.frame ~= last then last = o.frame print('frame', last) end end }");
  edit_start("", "--headless --realtime --size 64x64");
  edit_await("frame\t1");
}

TEST(edits, a_sheet_is_reloaded_and_a_broken_one_keeps_the_last_good_one)
{
  start_edited();
  edit_write("sprites/hero.json", SHEET(TAG("run", "\"from\":1,\"to\":1")));
  edit_await("reloaded sprites/hero.json");
  edit_await("frame\t2");
  edit_write("sprites/hero.json", "{ \"frames\": oops");
  edit_await("sprites/hero.json: line 1 is not JSON; its last good picture stays until you save it again");
  paint_png(edit_path("sprites/hero.png"), 32, 16, GREEN, RED); /* with the last good sheet */
  edit_await("reloaded sprites/hero.png");
  edit_write("sprites/hero.json", SHEET(TAG("run", "\"from\":0,\"to\":0")));
  edit_await("frame\t1");
  edit_end(0);
}

TEST(edits, a_sheet_may_come_later_and_grow)
{
  char json[20000] = "{\"frames\":[" FRAME("0");
  start_edited();
  for (int i = 1; i < 200; i++)
    strcat(json, "," FRAME("16"));
  strcat(json, "],\"meta\":{\"frameTags\":[" TAG("run", "\"from\":199,\"to\":199") "]}}");
  edit_write("sprites/hero.json", json);
  edit_await("frame\t200");
  paint_png(edit_path("sprites/other.png"), 32, 16, RED, GREEN);
  edit_await("reloaded sprites/other.png");
  edit_write("sprites/other.json", SHEET(RUNS));
  edit_await("reloaded sprites/other.json");
  edit_end(0);
}

/* }== */

SUITE(player_sheets, &sheets, &edits)
