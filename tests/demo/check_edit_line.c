/*
** One line of text under the keyboard: what was there, where the cursor goes, what keys cut, and characters of several
** bytes.
*/
#include "demo/ui/edit_line.h"
#include "support/test.h"

#include <string.h>

#define AE "\xc3\xa4"
#define EURO "\xe2\x82\xac"
#define DICE "\xf0\x9f\x8e\xb2"

static edit_line line;

static void clear_line(void) { edit_line_set(&line, ""); }

static void press(SDL_Keycode key, Uint16 modifiers, int times)
{
  for (int i = 0; i < times; i++)
    ck_assert(edit_line_key(&line, key, modifiers));
}

static void type(const char *typed) { edit_line_insert(&line, typed, strlen(typed)); }

static void expect_line(const char *expected, size_t cursor)
{
  ck_assert_str_eq(line.text, expected);
  ck_assert_uint_eq(line.length, strlen(expected));
  ck_assert_uint_eq(line.cursor, cursor);
}

/* {== Keys =============================================================== */

static test_group lines = {"lines", clear_line, NULL};

TEST(lines, letters_go_in_at_the_cursor)
{
  type("helo");
  press(SDLK_LEFT, KMOD_NONE, 1);
  type("l");
  expect_line("hello", 4);
  press(SDLK_HOME, KMOD_NONE, 1);
  press(SDLK_LEFT, KMOD_NONE, 1);
  press(SDLK_DELETE, KMOD_NONE, 1);
  expect_line("ello", 0);
  press(SDLK_END, KMOD_NONE, 1);
  press(SDLK_RIGHT, KMOD_NONE, 1);
  press(SDLK_BACKSPACE, KMOD_NONE, 2);
  expect_line("el", 2);
  press(SDLK_BACKSPACE, KMOD_NONE, 9);
  expect_line("", 0);
}

TEST(lines, nothing_lies_beyond_the_ends)
{
  edit_line_set(&line, "ab");
  press(SDLK_HOME, KMOD_NONE, 1);
  press(SDLK_LEFT, KMOD_LCTRL, 1);
  press(SDLK_BACKSPACE, KMOD_NONE, 1);
  press(SDLK_BACKSPACE, KMOD_LCTRL, 1);
  expect_line("ab", 0);
  press(SDLK_END, KMOD_NONE, 1);
  press(SDLK_RIGHT, KMOD_LCTRL, 1);
  press(SDLK_DELETE, KMOD_NONE, 1);
  press(SDLK_DELETE, KMOD_LCTRL, 1);
  expect_line("ab", 2);
}

TEST(lines, control_keys_are_those_of_a_shell)
{
  edit_line_set(&line, "pools:alloc(\"Cube\")");
  press(SDLK_w, KMOD_LCTRL, 1);
  expect_line("pools:alloc(\"", 13);
  press(SDLK_LEFT, KMOD_RCTRL, 1);
  expect_line("pools:alloc(\"", 6);
  press(SDLK_k, KMOD_LCTRL, 1);
  expect_line("pools:", 6);
  press(SDLK_a, KMOD_LCTRL, 1);
  press(SDLK_RIGHT, KMOD_LCTRL, 1);
  expect_line("pools:", 5);
  press(SDLK_u, KMOD_LCTRL, 1);
  expect_line(":", 0);
  press(SDLK_e, KMOD_LCTRL, 1);
  expect_line(":", 1);
  ck_assert(!edit_line_key(&line, SDLK_q, KMOD_LCTRL));
  ck_assert(!edit_line_key(&line, SDLK_q, KMOD_NONE));
  ck_assert(!edit_line_key(&line, SDLK_a, KMOD_NONE));
}

TEST(lines, control_goes_by_words_and_home_and_end_stay)
{
  edit_line_set(&line, "one " AE "hn two");
  press(SDLK_HOME, KMOD_LCTRL, 1);
  expect_line("one " AE "hn two", 0);
  press(SDLK_DELETE, KMOD_LCTRL, 1);
  expect_line(" " AE "hn two", 0);
  press(SDLK_END, KMOD_LCTRL, 1);
  expect_line(" " AE "hn two", 9);
  press(SDLK_LEFT, KMOD_LCTRL, 1);
  press(SDLK_BACKSPACE, KMOD_LCTRL, 1);
  expect_line(" two", 1);
}

/* }== */

/* {== Characters ========================================================= */

TEST(lines, the_cursor_moves_by_characters)
{
  static const size_t stops[] = {0, 1, 3, 6, 10};
  edit_line_set(&line, "a" AE EURO DICE);
  for (size_t i = 4; i > 0; i--) {
    ck_assert_uint_eq(line.cursor, stops[i]);
    press(SDLK_LEFT, KMOD_NONE, 1);
  }
  for (size_t i = 0; i < 4; i++) {
    ck_assert_uint_eq(line.cursor, stops[i]);
    press(SDLK_RIGHT, KMOD_NONE, 1);
  }
  expect_line("a" AE EURO DICE, 10);
}

TEST(lines, characters_are_never_cut_in_two)
{
  edit_line_set(&line, "a" AE EURO DICE);
  press(SDLK_BACKSPACE, KMOD_NONE, 1);
  expect_line("a" AE EURO, 6);
  press(SDLK_LEFT, KMOD_NONE, 1);
  expect_line("a" AE EURO, 3);
  press(SDLK_BACKSPACE, KMOD_NONE, 1);
  expect_line("a" EURO, 1);
  press(SDLK_DELETE, KMOD_NONE, 1);
  expect_line("a", 1);
  edit_line_set(&line, DICE "b");
  press(SDLK_HOME, KMOD_NONE, 1);
  press(SDLK_DELETE, KMOD_NONE, 1);
  expect_line("b", 0);
}

TEST(lines, bytes_that_no_character_begins_can_be_edited_away)
{
  edit_line_set(&line, "\x82\xac"
                       "b\xac");
  press(SDLK_LEFT, KMOD_NONE, 1);
  ck_assert_uint_eq(line.cursor, 2);
  press(SDLK_BACKSPACE, KMOD_NONE, 1);
  expect_line("b\xac", 0);
  press(SDLK_DELETE, KMOD_NONE, 1);
  expect_line("", 0);
}

/* `character` would end one byte after the longest line. */
static void expect_cut(const char *character)
{
  char text[EDIT_LINE_MOST + 10];
  size_t length = EDIT_LINE_MOST - strlen(character);
  memset(text, 'x', length);
  strcpy(text + length, character);
  edit_line_set(&line, text);
  ck_assert_uint_eq(line.length, length);
  ck_assert_uint_eq(strlen(line.text), length);
  ck_assert_int_eq(line.text[length - 1], 'x');
}

TEST(lines, a_line_has_an_end_and_it_is_that_of_a_character)
{
  expect_cut("y");
  type("y");
  ck_assert_uint_eq(line.length, EDIT_LINE_MOST - 1);
  expect_cut(AE);
  type(AE); /* all of it or nothing */
  ck_assert_uint_eq(line.length, EDIT_LINE_MOST - 2);
  expect_cut(EURO);
  expect_cut(DICE);
}

TEST(lines, a_row_begins_as_many_letters_before_the_cursor_as_it_has_room_for)
{
  edit_line_set(&line, "a" AE EURO DICE);
  ck_assert_uint_eq(edit_line_from(&line, 0), 10);
  ck_assert_uint_eq(edit_line_from(&line, 1), 6);
  ck_assert_uint_eq(edit_line_from(&line, 3), 1);
  ck_assert_uint_eq(edit_line_from(&line, 9), 0);
  press(SDLK_LEFT, KMOD_NONE, 2);
  ck_assert_uint_eq(edit_line_from(&line, 1), 1);
}

/* }== */

/* {== What is as if selected ============================================= */

TEST(lines, the_first_letter_replaces_what_was_there)
{
  edit_line_begin(&line, "whole");
  ck_assert(!edit_line_key(&line, SDLK_LSHIFT, KMOD_LSHIFT));
  ck_assert(line.untouched);
  type("new");
  expect_line("new", 3);
  type("er");
  expect_line("newer", 5);
}

TEST(lines, a_key_that_cuts_takes_all_that_was_there)
{
  static const struct {
    SDL_Keycode key;
    Uint16 modifiers;
  } keys[] = {{SDLK_BACKSPACE, KMOD_NONE}, {SDLK_DELETE, KMOD_NONE}, {SDLK_BACKSPACE, KMOD_LCTRL},
              {SDLK_DELETE, KMOD_LCTRL},   {SDLK_w, KMOD_LCTRL},     {SDLK_u, KMOD_LCTRL},
              {SDLK_k, KMOD_LCTRL}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    edit_line_begin(&line, "whole value");
    press(keys[i].key, keys[i].modifiers, 1);
    expect_line("", 0);
    ck_assert(!line.untouched);
  }
}

TEST(lines, a_moved_cursor_keeps_what_was_there)
{
  static const struct {
    SDL_Keycode key;
    Uint16 modifiers;
    const char *expected;
  } keys[] = {{SDLK_LEFT, KMOD_NONE, AE "a bc"},     {SDLK_RIGHT, KMOD_NONE, "a bc" AE},
              {SDLK_HOME, KMOD_NONE, AE "a bc"},     {SDLK_END, KMOD_NONE, "a bc" AE},
              {SDLK_LEFT, KMOD_LCTRL, "a " AE "bc"}, {SDLK_RIGHT, KMOD_LCTRL, "a bc" AE},
              {SDLK_a, KMOD_LCTRL, AE "a bc"},       {SDLK_e, KMOD_LCTRL, "a bc" AE}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    edit_line_begin(&line, "a bc");
    press(keys[i].key, keys[i].modifiers, 1);
    type(AE);
    ck_assert_str_eq(line.text, keys[i].expected);
  }
}

/* }== */

SUITE(edit_line, &lines)
