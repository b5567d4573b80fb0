/*
** Text on the player's plates: rows and cuts go by letters, however many bytes a letter has.
*/
#include "demo/notice.h"
#include "demo/panel.h"
#include "demo/stage.h"

#include <check.h>
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

START_TEST(a_text_that_fits_is_not_cut)
{
  ck_assert_uint_eq(quads_of_cut(4, "abcd"), 4);
  ck_assert_uint_eq(quads_of_cut(4, AE EURO AE EURO), 4);
  ck_assert_uint_eq(quads_of_cut(4, "abc\nthe next line"), 3);
  ck_assert_uint_eq(quads_of_cut(4, ""), 0);
}
END_TEST

/* A quad per letter, the two dots among them. */
START_TEST(a_text_that_is_cut_says_so)
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
END_TEST

START_TEST(rows_are_broken_by_letters)
{
  ck_assert_int_eq(rows_of(10, "abcdefghij"), 1);
  ck_assert_int_eq(rows_of(10, "abcdefghijk"), 2);
  ck_assert_int_eq(rows_of(10, AE AE AE AE AE AE AE AE AE AE), 1);
  ck_assert_int_eq(rows_of(10, AE AE AE AE AE AE AE AE AE AE AE), 2);
  ck_assert_int_eq(rows_of(10, "abcdefg " AE AE AE AE AE AE AE AE), 2);
  ck_assert_int_eq(rows_of(8, STRAY STRAY STRAY STRAY STRAY STRAY STRAY STRAY STRAY), 2);
}
END_TEST

START_TEST(the_line_of_a_notice_ends_with_a_whole_character)
{
  notice n = {.until = 0};
  char message[NOTICE_MOST + 10];
  memset(message, 'x', sizeof message);
  strcpy(message + NOTICE_MOST - 3, EURO "more");
  notice_set(&n, NOTICE_NEWS, message, 10);
  ck_assert_uint_eq(strlen(n.text), NOTICE_MOST - 3);
  strcpy(message + NOTICE_MOST - 4, EURO "more");
  notice_set(&n, NOTICE_NEWS, message, 10);
  ck_assert_uint_eq(strlen(n.text), NOTICE_MOST - 1);
}
END_TEST

/* Umlauts take the room of as many ASCII letters. */
START_TEST(a_notice_is_cut_by_letters)
{
  notice n = {.until = 0};
  char message[NOTICE_MOST];
  size_t quads[2];
  for (int i = 0; i < 2; i++) {
    message[0] = '\0';
    for (int letter = 0; letter < 110; letter++)
      strcat(message, i ? AE : "a");
    notice_set(&n, NOTICE_NEWS, message, 10);
    batch_clear(&scene.batch);
    notice_draw(&n, &scene.graphics, 10.1);
    quads[i] = scene.batch.quads;
  }
  ck_assert_uint_lt(quads[0], 110);
  ck_assert_uint_eq(quads[1], quads[0]);
}
END_TEST

Suite *sp_suite_panel(void)
{
  Suite *suite = suite_create("panel");
  TCase *texts = tcase_create("texts");
  tcase_add_checked_fixture(texts, open_stage, close_stage);
  tcase_set_timeout(texts, 60);
  tcase_add_test(texts, a_text_that_fits_is_not_cut);
  tcase_add_test(texts, a_text_that_is_cut_says_so);
  tcase_add_test(texts, rows_are_broken_by_letters);
  tcase_add_test(texts, the_line_of_a_notice_ends_with_a_whole_character);
  tcase_add_test(texts, a_notice_is_cut_by_letters);
  suite_add_tcase(suite, texts);
  return suite;
}
