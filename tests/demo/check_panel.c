/*
** Text on the player's plates: rows and cuts go by letters, however many bytes a letter has.
*/
#include "demo/app/overlays.h"
#include "demo/stage.h"
#include "demo/ui/error_screen.h"
#include "demo/ui/notice.h"
#include "demo/ui/panel.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#define AE "\xc3\xa4"
#define EURO "\xe2\x82\xac"
#define STRAY "\xac" /* inside a character that never began */

static stage scene;

static void open_stage(void) { stage_open(&scene, 640, 480, NULL); }
static void close_stage(void) { stage_close(&scene); }

static size_t quads_of_cut(int letters, const char *s)
{
  batch_clear(&scene.batch);
  panel_text_cut(&scene.graphics, 10, 10, panel_letter(&scene.graphics) * (float)letters, PANEL_WHITE, s);
  return scene.batch.quads;
}

static int rows_of(int letters, const char *s)
{
  return panel_wrapped_rows(&scene.graphics, panel_letter(&scene.graphics) * ((float)letters + 0.5f), 100, s);
}

static test_group texts_tests = {"texts", open_stage, close_stage, 60};

TEST(texts_tests, a_text_that_fits_is_not_cut)
{
  ck_assert_uint_eq(quads_of_cut(4, "abcd"), 4);
  ck_assert_uint_eq(quads_of_cut(4, AE EURO AE EURO), 4);
  ck_assert_uint_eq(quads_of_cut(4, "abc\nthe next line"), 3);
  ck_assert_uint_eq(quads_of_cut(4, ""), 0);
}

/* A quad per letter, the two dots among them. */
TEST(texts_tests, a_text_that_is_cut_says_so)
{
  static const char *const texts[] = {"abcdefgh", AE AE AE AE AE AE AE AE, EURO EURO EURO EURO EURO EURO EURO EURO,
                                      STRAY STRAY STRAY STRAY STRAY STRAY STRAY STRAY};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ck_assert_uint_eq(quads_of_cut(7, texts[i]), 7);
    ck_assert_uint_eq(quads_of_cut(3, texts[i]), 3);
    ck_assert_uint_eq(quads_of_cut(1, texts[i]), 2);
    ck_assert_uint_eq(quads_of_cut(-5, texts[i]), 2);
  }
}

TEST(texts_tests, rows_are_broken_by_letters)
{
  ck_assert_int_eq(rows_of(10, "abcdefghij"), 1);
  ck_assert_int_eq(rows_of(10, "abcdefghijk"), 2);
  ck_assert_int_eq(rows_of(10, AE AE AE AE AE AE AE AE AE AE), 1);
  ck_assert_int_eq(rows_of(10, AE AE AE AE AE AE AE AE AE AE AE), 2);
  ck_assert_int_eq(rows_of(10, "abcdefg " AE AE AE AE AE AE AE AE), 2);
  ck_assert_int_eq(rows_of(8, STRAY STRAY STRAY STRAY STRAY STRAY STRAY STRAY STRAY), 2);
}

TEST(texts_tests, the_line_of_a_notice_ends_with_a_whole_character_and_dots)
{
  notice n = {.until = 0};
  char message[NOTICE_MOST + 10];
  memset(message, 'x', sizeof message);
  strcpy(message + NOTICE_MOST - 6, EURO "more");
  notice_set(&n, NOTICE_INFO, message, 10);
  ck_assert_str_eq(n.text + NOTICE_MOST - 8, "xx" EURO "..");
  memset(message, 'x', sizeof message);
  strcpy(message + NOTICE_MOST - 5, EURO "more");
  notice_set(&n, NOTICE_INFO, message, 10);
  ck_assert_str_eq(n.text + NOTICE_MOST - 8, "xxx..");
}

/* {== What is shown of a text ============================================ */

/* How many letters of this colour were drawn. */
static size_t letters_in(SDL_Color color)
{
  size_t letters = 0;
  for (size_t i = 0; i < scene.batch.quads; i++) {
    SDL_Color c = scene.batch.vertices[i * 4].color;
    letters += c.r == color.r && c.g == color.g && c.b == color.b;
  }
  return letters;
}

/* Without blanks, in words of all lengths. */
static void write_words(char *words, size_t size, size_t letters)
{
  size_t used = 0;
  for (size_t i = 0; i < letters && used + 4 < size; i++) {
    if (i > 0 && i % 7 == i / 7 % 7)
      words[used++] = ' ';
    memcpy(words + used, i % 3 ? "a" : AE, i % 3 ? 1 : 2);
    used += i % 3 ? 1 : 2;
  }
  words[used] = '\0';
}

static const struct {
  int w, h;
  size_t letters; /* that there is room for */
} windows[] = {{1920, 1080, 600}, {800, 600, 600}, {640, 480, 500}, {320, 240, 150}, {200, 150, 40}};

static void open_window(int i)
{
  stage_close(&scene);
  stage_open(&scene, windows[i].w, windows[i].h, NULL);
}

TESTS(texts_tests, a_notice_shows_all_of_its_line, (int)(sizeof windows / sizeof *windows))
{
  notice n = {.until = 0};
  char words[NOTICE_MOST];
  open_window(_i);
  for (size_t letters = 1; letters < windows[_i].letters; letters += 7) {
    write_words(words, sizeof words, letters);
    notice_set(&n, NOTICE_SUCCESS, words, 10);
    batch_clear(&scene.batch);
    notice_draw(&n, &scene.graphics, 10.1);
    ck_assert_uint_eq(letters_in(PANEL_GREEN), letters);
  }
}

/* A hint of 60 letters below a message and a source line that want more than there is. */
TESTS(texts_tests, what_stands_shows_its_hint, 4)
{
  notice n = {.until = 0};
  char words[2 * NOTICE_MOST], message[400], source[400], hint[200];
  open_window(_i);
  write_words(message, sizeof message, _i < 3 ? 150 : 40);
  write_words(source, sizeof source, _i < 3 ? 150 : 40);
  write_words(hint, sizeof hint, 40);
  snprintf(words, sizeof words, "%s\n    %s\n  at a.lua:1 in f\n  hint: %s", message, source, hint);
  notice_set_error(&n, NOTICE_ERROR, words, "and so on");
  batch_clear(&scene.batch);
  notice_draw(&n, &scene.graphics, 10);
  ck_assert_uint_eq(letters_in(PANEL_GREEN), 40);
  if (_i < 3) {
    ck_assert_uint_eq(letters_in(PANEL_RED), 150);
    ck_assert_uint_eq(letters_in(PANEL_GREY), strlen("andsoon"));
  }
}

TESTS(texts_tests, the_page_of_a_script_that_stopped_shows_its_hint, 4)
{
  char words[2000], message[700], source[700], hint[200];
  open_window(_i);
  for (size_t letters = 10; letters < 300; letters += 17) {
    write_words(message, sizeof message, letters);
    write_words(source, sizeof source, letters);
    write_words(hint, sizeof hint, 50);
    snprintf(words, sizeof words, "%s\n    %s\n  at a.lua:1 in f\n  at a.lua:2 in g\n  hint: %s", message, source,
             hint);
    batch_clear(&scene.batch);
    error_screen_draw(&scene.graphics, words, "The script is stopped until you save a fix; the last good frame stays.",
                      "Ctrl+C copies this   F5 tries again   ` opens the console   Esc quits");
    ck_assert_uint_eq(letters_in(PANEL_GREEN), 50);
  }
}

#define ERROR                                                                                                          \
  "main.lua:12: attempt to call a nil value (global 'foo')\n    foo(1)\n  at main.lua:12 in update\n  hint: 'bar'?"

TEST(texts_tests, the_parts_of_an_error_are_found)
{
  char part[64];
  error_screen_source(ERROR, part, sizeof part);
  ck_assert_str_eq(part, "foo(1)");
  error_screen_hint(ERROR, part, sizeof part);
  ck_assert_str_eq(part, "'bar'?");
  error_screen_source("main.lua:1: alone", part, sizeof part);
  ck_assert_str_eq(part, "");
  error_screen_hint("", part, sizeof part);
  ck_assert_str_eq(part, "");
  error_screen_hint("  hint: of nothing", part, sizeof part);
  ck_assert_str_eq(part, "");
  error_screen_source("a\n    cut here", part, 4);
  ck_assert_str_eq(part, "cut");
}

TEST(texts_tests, what_is_too_much_ends_in_dots)
{
  char words[NOTICE_MOST];
  write_words(words, sizeof words, 400);
  for (int rows = 1; rows < 5; rows++) {
    batch_clear(&scene.batch);
    ck_assert_int_eq(
        panel_wrapped(&scene.graphics, 10, 10, panel_letter(&scene.graphics) * 20.5f, rows, PANEL_RED, words), rows);
    size_t quads = scene.batch.quads;
    ck_assert_uint_gt(letters_in(PANEL_RED), (size_t)rows * 12);
    batch_clear(&scene.batch);
    panel_text(&scene.graphics, 10, 10, PANEL_RED, "..");
    ck_assert_uint_eq(scene.batch.quads, 2);
    ck_assert_uint_lt(quads, (size_t)rows * 20 + 1);
  }
  batch_clear(&scene.batch); /* and what fits does not */
  ck_assert_int_eq(panel_wrapped(&scene.graphics, 10, 10, panel_letter(&scene.graphics) * 20.5f, 1, PANEL_RED, "short"),
                   1);
  ck_assert_uint_eq(letters_in(PANEL_RED), 5);
}

TEST(texts_tests, news_of_a_deleted_file_is_no_good_news)
{
  static overlays o;
  overlays_report(&o, SP_REPORT_WARNING, "main.lua is gone: its last code stays", 10);
  ck_assert_int_eq(o.notice.kind, NOTICE_WARNING);
  overlays_report(&o, SP_REPORT_RELOAD, "reloaded main.lua", 10);
  ck_assert_int_eq(o.notice.kind, NOTICE_SUCCESS);
  overlays_close(&o);
}

/* }== */

SUITE(panel, &texts_tests)
