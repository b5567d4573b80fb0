/*
** One line of text under the keyboard: what was there, where the caret goes, and characters of several bytes.
*/
#include "demo/edit_line.h"

#include <check.h>
#include <string.h>

#define AE "\xc3\xa4"

START_TEST(the_first_key_replaces_what_was_there)
{
  edit_line line;
  edit_line_begin(&line, "whole");
  edit_line_type(&line, "new");
  ck_assert_str_eq(line.text, "new");
  edit_line_begin(&line, "whole");
  edit_line_key(&line, SDLK_BACKSPACE);
  ck_assert_str_eq(line.text, "");
  edit_line_begin(&line, "whole");
  edit_line_key(&line, SDLK_DELETE);
  ck_assert_str_eq(line.text, "");
}
END_TEST

START_TEST(a_moved_caret_keeps_what_was_there)
{
  edit_line line;
  edit_line_begin(&line, "abc");
  edit_line_key(&line, SDLK_LSHIFT); /* nothing to this line */
  ck_assert(line.untouched);
  edit_line_key(&line, SDLK_LEFT);
  edit_line_type(&line, AE);
  ck_assert_str_eq(line.text, AE "abc");
  edit_line_begin(&line, "abc");
  edit_line_key(&line, SDLK_RIGHT);
  edit_line_type(&line, AE);
  ck_assert_str_eq(line.text, "abc" AE);
}
END_TEST

START_TEST(the_caret_moves_by_characters)
{
  edit_line line;
  edit_line_begin(&line, AE "b" AE);
  edit_line_key(&line, SDLK_END);
  edit_line_key(&line, SDLK_LEFT);
  ck_assert_uint_eq(line.caret, 3);
  edit_line_key(&line, SDLK_BACKSPACE);
  ck_assert_str_eq(line.text, AE AE);
  edit_line_key(&line, SDLK_HOME);
  edit_line_key(&line, SDLK_RIGHT);
  ck_assert_uint_eq(line.caret, 2);
  edit_line_key(&line, SDLK_DELETE);
  ck_assert_str_eq(line.text, AE);
}
END_TEST

START_TEST(nothing_lies_beyond_the_ends)
{
  edit_line line;
  edit_line_begin(&line, "ab");
  edit_line_key(&line, SDLK_HOME);
  edit_line_key(&line, SDLK_LEFT);
  edit_line_key(&line, SDLK_BACKSPACE);
  ck_assert_str_eq(line.text, "ab");
  edit_line_key(&line, SDLK_END);
  edit_line_key(&line, SDLK_RIGHT);
  edit_line_key(&line, SDLK_DELETE);
  ck_assert_str_eq(line.text, "ab");
  ck_assert_uint_eq(line.caret, 2);
}
END_TEST

START_TEST(what_does_not_fit_is_left_out)
{
  edit_line line;
  edit_line_begin(&line, "x");
  edit_line_key(&line, SDLK_END);
  for (int i = 0; i < 300; i++)
    edit_line_type(&line, AE);
  ck_assert_uint_eq(strlen(line.text), EDIT_LINE_MOST - 1);
}
END_TEST

Suite *sp_suite_edit_line(void)
{
  Suite *suite = suite_create("edit_line");
  TCase *lines = tcase_create("lines");
  tcase_add_test(lines, the_first_key_replaces_what_was_there);
  tcase_add_test(lines, a_moved_caret_keeps_what_was_there);
  tcase_add_test(lines, the_caret_moves_by_characters);
  tcase_add_test(lines, nothing_lies_beyond_the_ends);
  tcase_add_test(lines, what_does_not_fit_is_left_out);
  suite_add_tcase(suite, lines);
  return suite;
}
