/*
** What `g` draws, to the pixel, with the built-in letters; and how it refuses wrong arguments.
*/
#include "demo/bind/graphics_lua.h"
#include "demo/stage.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <string.h>

#define WHITE 0xffffffu

static stage scene;
static lua_State *L;

static void open_scene(void)
{
  char problem[128];
  int reference;
  stage_open(&scene, 64, 48, NULL);
  L = luaL_newstate();
  luaL_openlibs(L);
  ck_assert_msg(graphics_install(&scene.graphics, L, &reference, problem, sizeof problem), "%s", problem);
  ck_assert_int_eq(lua_gettop(L), 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_setglobal(L, "g");
}

static void close_scene(void)
{
  lua_close(L);
  stage_close(&scene);
}

/* Runs Lua code as the chunk "game", then shows what it drew. */
static void run(const char *code)
{
  int status = luaL_loadbuffer(L, code, strlen(code), "=game") || lua_pcall(L, 0, 0, 0);
  ck_assert_msg(status == LUA_OK, "%s", lua_tostring(L, -1));
  stage_show(&scene);
}

/* Runs Lua code that must fail with this message. */
static void fail_with(const char *code, const char *message)
{
  int status = luaL_loadbuffer(L, code, strlen(code), "=game") || lua_pcall(L, 0, 0, 0);
  ck_assert_msg(status != LUA_OK, "no error in: %s", code);
  ck_assert_str_eq(lua_tostring(L, -1), message);
  lua_settop(L, 0);
  batch_clear(&scene.batch);
}

/* What a call draws: how many pixels, or -1 for any number, and the colours of some. */
typedef struct drawing {
  const char *code;
  int lit;
  struct {
    int x, y;
    uint32_t color;
  } pixels[4];
} drawing;

static void expect_drawings(const drawing *drawings, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const drawing *d = &drawings[i];
    run(d->code);
    ck_assert_msg(d->lit < 0 || stage_lit(&scene) == d->lit, "%s: %d pixels", d->code, stage_lit(&scene));
    for (size_t k = 0; k < 4 && (d->pixels[k].x || d->pixels[k].y); k++)
      ck_assert_msg(stage_pixel(&scene, d->pixels[k].x, d->pixels[k].y) == d->pixels[k].color, "%s: %06x at %d, %d",
                    d->code, stage_pixel(&scene, d->pixels[k].x, d->pixels[k].y), d->pixels[k].x, d->pixels[k].y);
  }
}

/* {== Forms ============================================================== */

static test_group forms = {"forms", open_scene, close_scene};

TEST(forms, forms_are_exact)
{
  static const drawing drawings[] = {
      {"g:rect(10, 20, 7, 3)", 21, {{10, 20, WHITE}, {16, 22, WHITE}}},
      {"g:rect(10, 20, 7, 5, 'line')", 20, {{13, 22, 0}}},
      {"g:rect(10, 20, 0, 5) g:rect(10, 20, -3, 5) g:rect(10, 20, 3, -1, 'line')", 0, {{0}}},
      {"g:line(10, 20, 30, 20)", 21, {{10, 20, WHITE}, {30, 20, WHITE}}},
      {"g:line(5, 30, 5, 10)", 21, {{0}}},
      {"g:line(5, 5, 5, 5)", 1, {{0}}},
      {"g:line(10, 20, 30, 20, 3)", 63, {{10, 19, WHITE}, {10, 21, WHITE}}},
      {"g:line(10, 10, 40, 40, 2)", -1, {{45, 45, 0}, {10, 40, 0}}},
      {"g:circle(30, 24, 10)", -1, {{30, 24, WHITE}, {21, 24, WHITE}, {18, 24, 0}}},
      {"g:circle(30, 24, 10, 'line')", -1, {{30, 24, 0}}},
      {"g:circle(30, 24, 0) g:circle(30, 24, -4, 'line')", 0, {{0}}},
      {"g:sprite('square', 20, 20)", 256, {{12, 12, WHITE}}},
      {"g:sprite('square', 20, 20, 0, 0.5)", 64, {{0}}},
      {"g:sprite('square', 20, 20, math.pi / 4)", -1, {{12, 12, 0}, {20, 10, WHITE}}},
  };
  expect_drawings(drawings, sizeof drawings / sizeof *drawings);
  run("g:line(10, 10, 40, 40, 2)"); /* a slanted line reaches both ends */
  for (int at = 11; at < 40; at += 14)
    ck_assert_uint_ne(stage_pixel(&scene, at, at), 0);
  run("g:circle(30, 24, 10, 'line')");
  ck_assert_int_gt(stage_lit(&scene), 40);
}

TEST(forms, the_colour_holds_until_the_next_draw)
{
  run("g:color(1, 0, 0) g:rect(0, 0, 2, 2) g:rect(4, 0, 2, 2) g:color(0, 1, 0, 0.5) g:rect(8, 0, 2, 2)");
  ck_assert_uint_eq(stage_pixel(&scene, 0, 0), 0xff0000u);
  ck_assert_uint_eq(stage_pixel(&scene, 4, 0), 0xff0000u);
  ck_assert_uint_eq(stage_pixel(&scene, 8, 0) & 0xfffeffu, 0x008000u);
  graphics_begin(&scene.graphics, &scene.batch, &scene.view);
  run("g:rect(0, 0, 2, 2)");
  ck_assert_uint_eq(stage_pixel(&scene, 0, 0), WHITE);
}

TEST(forms, it_knows_the_size_of_the_window_and_what_a_frame_took)
{
  scene.graphics.update_ms = 1.5;
  scene.graphics.draw_ms = 0.25;
  run("assert(g.width == 64 and g.height == 48 and math.type(g.width) == 'integer')");
  run("assert(g.update_ms == 1.5 and g.draw_ms == 0.25)");
}

TEST(forms, points_may_have_more_pixels)
{
  sp_pool *pool = stage_pool(&scene, "A");
  scene.window.scale = scene.view.scale = 2; /* as on a dense display: 32 by 24 points */
  SDL_RenderSetScale(scene.window.renderer, 2, 2);
  graphics_begin(&scene.graphics, &scene.batch, &scene.view);
  run("g:text(10, 10, 'I', 8)"); /* made of twice as many dots, not stretched */
  ck_assert_uint_eq(scene.batch.run_count, 0);
  SDL_RenderSetScale(scene.window.renderer, 1, 1);
  ck_assert_int_eq(stage_lit(&scene), 44);
  ck_assert_uint_eq(stage_pixel(&scene, 25, 20), WHITE);
  SDL_RenderSetScale(scene.window.renderer, 2, 2);
  stage_object(pool, 10, 10);
  stage_draw(&scene);
  stage_show(&scene);
  SDL_RenderSetScale(scene.window.renderer, 1, 1);
  ck_assert_int_eq(stage_lit(&scene), 256);
  ck_assert_uint_eq(stage_pixel(&scene, 12, 12), WHITE);
}

TEST(forms, a_mixed_picture_is_one_run_per_texture)
{
  stage_object(stage_pool(&scene, "A"), 20, 20);
  stage_draw(&scene);
  ck_assert_int_eq(
      luaL_dostring(L, "g:rect(0, 0, 9, 9) g:line(0, 0, 9, 5) g:circle(9, 9, 4, 'line') g:sprite('spark', 9, 9)"),
      LUA_OK);
  ck_assert_uint_eq(scene.batch.run_count, 1);
  ck_assert_int_eq(luaL_dostring(L, "g:text(0, 0, 'many letters, one run')"), LUA_OK);
  ck_assert_uint_eq(scene.batch.run_count, 2);
}

/* }== */

/* {== Text =============================================================== */

static test_group glyphs = {"text", open_scene, close_scene};

/* "I" has five dots by seven: a bar with a foot and a head; of size 16 every dot is two by two. */
TEST(glyphs, letters_are_drawn_where_they_belong)
{
  static const drawing drawings[] = {
      {"g:text(10, 20, 'I', 8)", 11, {{12, 20, WHITE}, {12, 26, WHITE}, {11, 20, WHITE}, {11, 23, 0}}},
      {"g:text(10, 20, 'I', 16)", 44, {{15, 33, WHITE}}},
      {"g:text(0, 0, 'I\\nI', 8)", 22, {{2, 13, WHITE}}},
      {"g:color(0, 0, 1) g:text(1, 1, 'I', 8)", 11, {{3, 2, 0x0000ffu}}},
  };
  expect_drawings(drawings, sizeof drawings / sizeof *drawings);
  run("g:text(1, 1, 12) g:text(1, 1, 1.5) g:text(1, 1, true) g:text(1, 1, nil)"); /* any value */
  ck_assert_int_gt(stage_lit(&scene), 0);
}

TEST(glyphs, odd_bytes_show_as_boxes)
{
  text_style style = {FONT_SANS, 8, {255, 255, 255, 255}};
  static const struct {
    const char *bytes;
    size_t length;
    int letters;
  } rows[] = {{"", 0, 0},         {"abc", 3, 3},      {"\xc3\xa4", 2, 1},        {"\xff\xfe", 2, 2},
              {"\xe2\x82", 2, 2}, {"\xc0\x80", 2, 2}, {"\xed\xa0\x80", 3, 3},    {"\xf4\x90\x80\x80", 4, 4},
              {"a\0b", 3, 3},     {"\x80", 1, 1},     {"\xf0\x9f\x98\x80", 4, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    ck_assert_float_eq(text_width(scene.text, &style, rows[i].bytes, rows[i].length), (float)rows[i].letters * 6);
  ck_assert_float_eq(text_width(scene.text, &style, "a\tb", 3), 6 * 6);
  ck_assert_float_eq(text_width(scene.text, &style, "ab\nabcd\na", 9), 4 * 6);
}

TEST(glyphs, thousands_of_letters_stay_right)
{
  text_style style = {FONT_SANS, 8, {255, 255, 255, 255}};
  for (int size = 6; size < 60; size++)
    for (int letter = ' '; letter < 127; letter++) {
      char c = (char)letter;
      style.size = (float)size;
      text_draw(scene.text, &scene.batch, 0, 0, &style, &c, 1);
    }
  batch_clear(&scene.batch);
  run("g:text(10, 20, 'I', 8)");
  ck_assert_int_eq(stage_lit(&scene), 11);
}

TEST(glyphs, a_font_of_the_system_draws_too)
{
  text *other = text_open(&scene.window, false);
  text_style style = {FONT_SANS, 16, {255, 255, 255, 255}};
  ck_assert_ptr_nonnull(other);
  ck_assert(text_line(other, &style) >= 14);
  ck_assert(text_draw(other, &scene.batch, 2, 2, &style, "Wide", 4) > text_width(other, &style, "i", 1));
  style.face = FONT_MONO;
  ck_assert_float_eq(text_width(other, &style, "W", 1), text_width(other, &style, "i", 1));
  stage_show(&scene);
  ck_assert_int_gt(stage_lit(&scene), 20);
  text_close(other);
}

/* }== */

/* {== Misuse ============================================================= */

static test_group misuse = {"misuse", open_scene, close_scene};

/* The caller is blamed, and an unknown field names the nearest. */
TEST(misuse, wrong_calls_are_refused)
{
  static const char *const wrong[][2] = {
      {"\n\ng:line(1, 2, 3)", "game:3: bad argument #4 to 'line' (number expected, got no value)"},
      {"g:rect(1, 2, 'a', 4)", "game:1: bad argument #3 to 'rect' (number expected, got string)"},
      {"g:rect(1, 2, 3, 4, 'full')", "game:1: bad argument #5 to 'rect' (invalid option 'full')"},
      {"g:circle(0/0, 2, 3)", "game:1: bad argument #1 to 'circle' (finite number expected)"},
      {"g:text(1, 1/0, '')", "game:1: bad argument #2 to 'text' (finite number expected)"},
      {"g:text(1, 1)", "game:1: bad argument #3 to 'text' (value expected)"},
      {"g:line(1, 2, 3, 4, 0)", "game:1: bad argument #5 to 'line' (a width above 0 expected)"},
      {"g:color(1, 1)", "game:1: bad argument #3 to 'color' (number expected, got no value)"},
      {"g:sprite('cirle', 1, 1)", "game:1: bad argument #1 to 'sprite' (no sprite 'cirle'; the nearest is 'circle')"},
      {"g.line(1, 2, 3, 4)", "game:1: bad argument #1 to 'line' (spawnpool.graphics expected, got number)"},
      {"g:txt(1, 2, 'a')", "game:1: g has no field 'txt'; the nearest is 'text'"},
      {"local ms = g.update", "game:1: g has no field 'update'; the nearest is 'update_ms'"},
      {"g:shake(0/0, 1)", "game:1: bad argument #1 to 'shake' (finite number expected)"},
      {"local w = g.widht", "game:1: g has no field 'widht'; the nearest is 'width'"},
      {"g.score = 3", "game:1: g takes no fields; 'score' belongs in a table of your own"},
      {"g[1] = 1", "game:1: g takes no fields; '1' belongs in a table of your own"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    fail_with(wrong[i][0], wrong[i][1]);
}

TEST(misuse, outside_draw_it_refuses)
{
  graphics_end(&scene.graphics);
  fail_with("g:rect(1, 2, 3, 4)",
            "game:1: g draws only while draw(g) runs; keep what you want drawn, and draw it there");
  graphics_begin(&scene.graphics, &scene.batch, &scene.view);
  run("g:rect(1, 2, 3, 4)");
  ck_assert_int_eq(stage_lit(&scene), 12);
}

TEST(misuse, its_metatable_is_hidden) { run("assert(getmetatable(g) == 'g' and not pcall(setmetatable, g, {}))"); }

TEST(misuse, huge_numbers_are_survived)
{
  run("for _, n in ipairs {1e30, -1e30, 3e38} do "
      "g:line(n, 0, 0, n) g:rect(n, n, n, n) g:circle(0, 0, n) g:circle(0, 0, n, 'line') g:sprite('ring', n, n, n, n) "
      "g:text(n, n, 'far', n) g:color(n, n, n, n) g:line(0, 0, 5, 9, math.abs(n)) end");
  run("g:rect(0, 0, 4, 4)");
  ck_assert_uint_eq(stage_pixel(&scene, 1, 1), WHITE);
}

/* }== */

SUITE(player_graphics, &forms, &glyphs, &misuse)
