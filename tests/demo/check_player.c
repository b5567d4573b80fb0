/*
** The player from outside: the built program, small games, exit codes, and what it writes.
*/
#include "support/process.h"

#include <SDL.h>
#include <SDL_image.h>
#include <check.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PLAYER SP_BUILD_DIR "/spawnpool "
#define HEADLESS PLAYER "--headless --frames 10 "

static char folder[256]; /* of the game */
static test_process run; /* the last one */

static void open_game(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  run = (test_process){.out = NULL};
}

static void close_game(void)
{
  if (run.out)
    test_process_free(&run);
  test_folder_remove(folder);
}

static void write_file(const char *name, const char *content)
{
  char path[512];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(content, file);
  fclose(file);
}

/* The command line may have one %s: the folder of the game. */
#define RUN(...)                                                                                                       \
  do {                                                                                                                 \
    if (run.out)                                                                                                       \
      test_process_free(&run);                                                                                         \
    run = test_run(60, __VA_ARGS__);                                                                                   \
    ck_assert_msg(!run.timed_out, "timed out: %s%s", run.out, run.err);                                                \
  } while (0)

#define EXPECT_STATUS(expected)                                                                                        \
  ck_assert_msg(run.status == (expected), "status %d\nout: %s\nerr: %s", run.status, run.out, run.err)
#define EXPECT_IN(text, part) ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text)
#define EXPECT_LINES(text, count) ck_assert_int_eq(count_lines(text), count)

static int count_lines(const char *text)
{
  int lines = 0;
  for (; *text; text++)
    lines += *text == '\n';
  return lines;
}

/* {== Command line ======================================================= */

START_TEST(version_and_help)
{
  RUN(PLAYER "--version");
  EXPECT_STATUS(0);
  EXPECT_IN(run.out, "spawnpool 0.");
  EXPECT_IN(run.out, "Lua 5.4");
  EXPECT_IN(run.out, "SDL 2.");
  EXPECT_LINES(run.out, 1);
  RUN(PLAYER "--help");
  EXPECT_STATUS(0);
  EXPECT_IN(run.out, "usage: spawnpool [options] PATH [-- args]");
  static const char *const names[] = {"--headless",   "--realtime", "--frames N", "--seed N",     "--size WxH",
                                      "--screenshot", "--stats",    "--trust",    "--memory MiB", "--version"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    EXPECT_IN(run.out, names[i]);
  ck_assert_str_eq(run.err, "");
}
END_TEST

START_TEST(usage_errors_exit_with_2)
{
  RUN(PLAYER);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "no game given");
  RUN(PLAYER "--hedless %s", folder);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "'--headless'");
  ck_assert_str_eq(run.out, "");
}
END_TEST

START_TEST(a_game_that_is_not_there_exits_with_2)
{
  RUN(HEADLESS "%s/nowhere", folder);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "nowhere");
  EXPECT_LINES(run.err, 1);
  RUN(HEADLESS "%s", folder);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "main.lua");
  EXPECT_LINES(run.err, 1);
}
END_TEST

START_TEST(without_a_display_it_names_headless)
{
  write_file("main.lua", "print('never') return {}");
  RUN("env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER " PLAYER "--frames 1 %s", folder);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "spawnpool: cannot open a window: ");
  EXPECT_IN(run.err, "--headless");
  ck_assert_str_eq(run.out, "");
}
END_TEST

/* }== */

/* {== Playing ============================================================ */

START_TEST(callbacks_come_in_order)
{
  write_file("main.lua", "local game = {}\n"
                         "function game.load(args) print('load', #args, args[1], args[2]) end\n"
                         "function game.update(dt) print('update', dt == 1 / 60) end\n"
                         "function game.draw(g) print('draw', g.width, g.height) end\n"
                         "function game.quit() print('quit') end\n"
                         "return game\n");
  RUN(PLAYER "--headless --frames 2 --size 320x200 %s -- hard --size", folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(run.out, "load\t2\thard\t--size\nupdate\ttrue\ndraw\t320\t200\nupdate\ttrue\ndraw\t320\t200\n");
  ck_assert_str_eq(run.err, "");
  RUN(PLAYER "--headless --frames 0 %s", folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(run.out, "load\t0\tnil\tnil\n");
}
END_TEST

START_TEST(a_file_is_a_game_too)
{
  write_file("tiny.lua", "print('tiny') return {}");
  RUN(HEADLESS "%s/tiny.lua", folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(run.out, "tiny\n");
}
END_TEST

START_TEST(pools_move_with_the_clock)
{
  write_file("main.lua", "local pools = require('spawnpool').pools\n"
                         "local game, o, short = {}, nil, nil\n"
                         "function game.load() o = pools:alloc('Cube') o.x, o.vx = 10, 60\n"
                         "  short = pools:alloc('Cube', 0.5) end\n"
                         "local frame = 0\n"
                         "function game.draw() frame = frame + 1\n"
                         "  if frame == 60 then print(math.floor(o.x + 0.5), short.alive, pools.time) end end\n"
                         "return game\n");
  RUN(PLAYER "--headless --frames 60 %s 2>/dev/null", folder);
  EXPECT_STATUS(0);
  EXPECT_IN(run.out, "70\tfalse\t1.0");
}
END_TEST

START_TEST(the_same_seed_is_the_same_game)
{
  char first[256];
  write_file("main.lua", "return { update = function() print(math.random(1 << 30)) end }");
  RUN(HEADLESS "%s", folder);
  snprintf(first, sizeof first, "%s", run.out);
  RUN(HEADLESS "%s", folder);
  ck_assert_str_eq(run.out, first);
  RUN(HEADLESS "--seed 7 %s", folder);
  ck_assert_str_ne(run.out, first);
  snprintf(first, sizeof first, "%s", run.out);
  RUN(HEADLESS "--seed=7 %s", folder);
  ck_assert_str_eq(run.out, first);
}
END_TEST

START_TEST(input_is_there_and_at_rest)
{
  write_file("main.lua", "local input = require('spawnpool').input\n"
                         "return { update = function() print(input.down('left', 'a'), input.mouse()) end }");
  RUN(PLAYER "--headless --frames 1 %s", folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(run.out, "false\t0\t0\tfalse\tfalse\tfalse\n");
}
END_TEST

START_TEST(trust_opens_the_libraries)
{
  write_file("main.lua", "print(io ~= nil, os.execute ~= nil) return {}");
  RUN(HEADLESS "%s", folder);
  ck_assert_str_eq(run.out, "false\tfalse\n");
  RUN(HEADLESS "--trust %s", folder);
  ck_assert_str_eq(run.out, "true\ttrue\n");
}
END_TEST

START_TEST(an_interrupt_ends_it_in_good_order)
{
  write_file("main.lua",
             "return { load = function() print('ready') end, quit = function() print('bye') return true end }");
  RUN("{ " PLAYER "--headless --realtime %s >%s/out & } && p=$! && "
      "while ! grep -q ready %s/out; do sleep 0.02; done; kill -INT $p && wait $p; echo status $?; cat %s/out",
      folder, folder, folder, folder);
  ck_assert_str_eq(run.out, "status 0\nready\nbye\n");
}
END_TEST

/* }== */

/* {== Errors ============================================================= */

static void expect_script_error(const char *code, const char *part)
{
  write_file("main.lua", code);
  RUN(HEADLESS "%s", folder);
  EXPECT_STATUS(1);
  EXPECT_IN(run.err, part);
}

START_TEST(script_errors_exit_with_1)
{
  expect_script_error("local x = = 1", "main.lua:1:");
  expect_script_error("return 5", "callbacks");
  expect_script_error("\nerror('in main')", "main.lua:2: in main");
  expect_script_error("return { load = function() local t = nil; t.x = 1 end }", "main.lua:1:");
  expect_script_error("return {\nupdate = function() error('in update') end }", "main.lua:2: in update");
  expect_script_error("return { draw = function(g)\n\ng:line(1, 2, 'a', 4) end }",
                      "main.lua:3: bad argument #3 to 'line' (number expected, got string)");
  expect_script_error("return { draw = function(g) g:txt(1, 2, 'a') end }", "the nearest is 'text'");
  expect_script_error("return { update = function() require('spawnpool').input.down('lfet') end }",
                      "no key is called 'lfet'");
}
END_TEST

START_TEST(an_error_ends_a_headless_run_at_once)
{
  write_file("main.lua", "local n = 0\n"
                         "return { update = function() n = n + 1 print(n) if n == 3 then error('third') end end,\n"
                         "draw = function() print('draw') end }");
  RUN(HEADLESS "%s", folder);
  EXPECT_STATUS(1);
  ck_assert_str_eq(run.out, "1\ndraw\n2\ndraw\n3\n");
}
END_TEST

START_TEST(g_is_for_draw_only)
{
  expect_script_error("local kept\n"
                      "return { draw = function(g) kept = g end, update = function()\n"
                      "if kept then kept:rect(1, 2, 3, 4) end end }",
                      "main.lua:3: g draws only while draw(g) runs");
}
END_TEST

START_TEST(an_error_in_a_hook_does_not_stop_the_game)
{
  write_file("main.lua",
             "local spawnpool = require 'spawnpool'\n"
             "local A = spawnpool.class('A', {})\n"
             "function A:on_despawn() error('in the hook') end\n"
             "local n = 0\n"
             "return { load = function() spawnpool.pools:alloc('A', 0.05) end,\n"
             "update = function() n = n + 1 if n == 10 then print(spawnpool.pools:pool('A').live) end end }");
  RUN(HEADLESS "%s", folder);
  EXPECT_STATUS(1);
  ck_assert_str_eq(run.out, "0\n");
  EXPECT_IN(run.err, "in the hook");
}
END_TEST

START_TEST(too_little_memory_is_a_script_error)
{
  write_file("main.lua", "local t = {} return { update = function() for i = 1, 1e5 do t[#t + 1] = { i } end end }");
  RUN(PLAYER "--headless --frames 100 --memory 8 %s", folder);
  EXPECT_STATUS(1);
  EXPECT_IN(run.err, "memory");
}
END_TEST

START_TEST(closing_the_pools_is_survived)
{
  write_file("main.lua", "local pools = require('spawnpool').pools\n"
                         "pools:alloc('A')\n"
                         "return { load = function() pools:close() end, update = function() print('on') end }");
  RUN(PLAYER "--headless --frames 2 --stats /dev/null %s 2>/dev/null", folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(run.out, "on\non\n");
}
END_TEST

/* }== */

/* {== Files ============================================================== */

/* The pixel at x, y of a PNG in the game's folder: 0xRRGGBB. */
static uint32_t pixel_of(const char *name, int width, int height, int x, int y)
{
  char path[512];
  uint32_t pixel;
  SDL_Surface *read, *plain;
  snprintf(path, sizeof path, "%s/%s", folder, name);
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

START_TEST(a_screenshot_is_the_frame_asked_for)
{
  write_file("main.lua", COUNTING);
  RUN(PLAYER "--headless --frames 40 --size 120x90 --screenshot %s/last.png %s", folder, folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("last.png", 120, 90, 12, 12), 0x6600ffu);
  ck_assert_uint_eq(pixel_of("last.png", 120, 90, 30, 30), 0x12131bu);
  RUN(PLAYER "--headless --frames 40 --size 120x90 --screenshot %s/tenth.png@10 %s", folder, folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("tenth.png", 120, 90, 12, 12), 0x1a00ffu);
}
END_TEST

START_TEST(a_screenshot_that_cannot_be_saved_is_one_clear_line)
{
  write_file("main.lua", COUNTING);
  RUN(HEADLESS "--screenshot %s/no/such/place.png %s", folder, folder);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "no/such/place.png");
  EXPECT_LINES(run.err, 1);
}
END_TEST

START_TEST(objects_are_in_the_picture)
{
  write_file("main.lua", "local spawnpool = require 'spawnpool'\n"
                         "spawnpool.class('Box', { sprite = 'square', radius = 5 })\n"
                         "return { load = function() local b = spawnpool.pools:alloc('Box', 0, 30, 20)\n"
                         "b.r, b.g, b.b = 0, 1, 0 end }");
  RUN(HEADLESS "--size 64x48 --screenshot %s/box.png %s", folder, folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("box.png", 64, 48, 25, 15), 0x00ff00u);
  ck_assert_uint_eq(pixel_of("box.png", 64, 48, 34, 24), 0x00ff00u);
  ck_assert_uint_eq(pixel_of("box.png", 64, 48, 35, 20), 0x12131bu);
}
END_TEST

START_TEST(a_sprite_that_is_no_png_is_a_warning_and_a_checker)
{
  char path[512];
  snprintf(path, sizeof path, "%s/sprites", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("sprites/ship.png", "not a picture at all");
  write_file("main.lua", "local spawnpool = require 'spawnpool'\n"
                         "spawnpool.class('Ship', { sprite = 'ship', radius = 8 })\n"
                         "return { load = function() spawnpool.pools:alloc('Ship', 0, 20, 20) end }");
  RUN(HEADLESS "--size 64x48 --screenshot %s/ship-shot.png %s", folder, folder);
  EXPECT_STATUS(0);
  EXPECT_IN(run.err, "sprites/ship.png: not a PNG file");
  EXPECT_LINES(run.err, 1);
  ck_assert_uint_eq(pixel_of("ship-shot.png", 64, 48, 13, 13), 0xff00ffu);
  ck_assert_uint_eq(pixel_of("ship-shot.png", 64, 48, 17, 13), 0x000000u);
}
END_TEST

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
    ck_assert_msg(status == LUA_OK, "%s\n%s", lua_tostring((L), -1), run.out);                                         \
  } while (0)

#define SPAWNING                                                                                                       \
  "local pools = require('spawnpool').pools\n"                                                                         \
  "require('spawnpool').class('Spark', { limit = 4 })\n"                                                               \
  "return { update = function() pools:alloc('Spark', 1e6) end, load = function() print('hello') end }"

START_TEST(stats_are_lines_of_json)
{
  lua_State *L;
  write_file("main.lua", SPAWNING);
  RUN(PLAYER "--headless --frames 150 --stats - %s", folder);
  EXPECT_STATUS(0);
  EXPECT_LINES(run.out, 3);
  EXPECT_IN(run.err, "hello\n"); /* what the game prints does not get between the lines */
  L = read_lines(run.out);
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
END_TEST

START_TEST(stats_go_to_a_file)
{
  lua_State *L;
  write_file("main.lua", SPAWNING);
  RUN(PLAYER "--headless --frames 3 --stats %s/s.jsonl %s && cat %s/s.jsonl", folder, folder, folder);
  EXPECT_STATUS(0);
  EXPECT_IN(run.out, "hello\n{");
  L = read_lines(strchr(run.out, '\n') + 1);
  EXPECT_TRUE(L, "#lines == 1 and lines[1].frame == 3 and lines[1].final");
  lua_close(L);
  RUN(HEADLESS "--stats %s/no/such/place %s", folder, folder);
  EXPECT_STATUS(2);
  EXPECT_IN(run.err, "no/such/place");
  ck_assert_str_eq(run.out, "");
}
END_TEST

/* }== */

/* {== Window ============================================================= */

static bool has_xvfb(const char *test)
{
  RUN("command -v xvfb-run && command -v xauth");
  if (run.status != 0)
    test_skip(test, "no xvfb-run");
  return run.status == 0;
}

START_TEST(a_window_shows_the_same_picture)
{
  if (!has_xvfb("a_window_shows_the_same_picture"))
    return;
  write_file("main.lua", COUNTING);
  RUN("xvfb-run -a " PLAYER "--frames 5 --size 120x90 --screenshot %s/window.png %s", folder, folder);
  EXPECT_STATUS(0);
  ck_assert_uint_eq(pixel_of("window.png", 120, 90, 12, 12) & 0xff, 0xff);
  ck_assert_uint_eq(pixel_of("window.png", 120, 90, 30, 30), 0x12131bu);
}
END_TEST

START_TEST(a_window_shows_the_error_and_stays)
{
  if (!has_xvfb("a_window_shows_the_error_and_stays"))
    return;
  write_file("main.lua", "local n = 0 return { draw = function(g) n = n + 1 g:rect(100, 80, 5, 5)\n"
                         "if n == 5 then error('five') end end }");
  /* It is still there some frames later, or the interrupt would find nobody. */
  RUN("xvfb-run -a sh -c '{ " PLAYER "--size 120x90 %s 2>%s/err & } && p=$! && "
      "while ! grep -q five %s/err; do sleep 0.02; done; sleep 0.2; kill -INT $p && wait $p; echo status $?'",
      folder, folder, folder);
  ck_assert_str_eq(run.out, "status 1\n");
}
END_TEST

/* }== */

Suite *sp_suite_player(void)
{
  Suite *suite = suite_create("player");
  TCase *line = tcase_create("command line"), *play = tcase_create("playing"), *errors = tcase_create("errors");
  TCase *files = tcase_create("files"), *window = tcase_create("window");
  TCase *cases[] = {line, play, errors, files, window};
  tcase_add_test(line, version_and_help);
  tcase_add_test(line, usage_errors_exit_with_2);
  tcase_add_test(line, a_game_that_is_not_there_exits_with_2);
  tcase_add_test(line, without_a_display_it_names_headless);
  tcase_add_test(play, callbacks_come_in_order);
  tcase_add_test(play, a_file_is_a_game_too);
  tcase_add_test(play, pools_move_with_the_clock);
  tcase_add_test(play, the_same_seed_is_the_same_game);
  tcase_add_test(play, input_is_there_and_at_rest);
  tcase_add_test(play, trust_opens_the_libraries);
  tcase_add_test(play, an_interrupt_ends_it_in_good_order);
  tcase_add_test(errors, script_errors_exit_with_1);
  tcase_add_test(errors, an_error_ends_a_headless_run_at_once);
  tcase_add_test(errors, g_is_for_draw_only);
  tcase_add_test(errors, an_error_in_a_hook_does_not_stop_the_game);
  tcase_add_test(errors, too_little_memory_is_a_script_error);
  tcase_add_test(errors, closing_the_pools_is_survived);
  tcase_add_test(files, a_screenshot_is_the_frame_asked_for);
  tcase_add_test(files, a_screenshot_that_cannot_be_saved_is_one_clear_line);
  tcase_add_test(files, objects_are_in_the_picture);
  tcase_add_test(files, a_sprite_that_is_no_png_is_a_warning_and_a_checker);
  tcase_add_test(files, stats_are_lines_of_json);
  tcase_add_test(files, stats_go_to_a_file);
  tcase_add_test(window, a_window_shows_the_same_picture);
  tcase_add_test(window, a_window_shows_the_error_and_stays);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tcase_set_timeout(cases[i], 120);
    tcase_add_checked_fixture(cases[i], open_game, close_game);
    suite_add_tcase(suite, cases[i]);
  }
  return suite;
}
