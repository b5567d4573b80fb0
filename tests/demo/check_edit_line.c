/*
** One line of text under the keyboard: what was there, where the cursor goes, what keys cut, and characters of several
** bytes.
*/
#include "demo/ui/edit_line.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AE "\xc3\xa4"
#define EURO "\xe2\x82\xac"
#define DICE "\xf0\x9f\x8e\xb2"

static edit_line line;

/* {== Steps ============================================================== */

/* Presses "left", "c-left" with Ctrl, "r-left" with the right one, "left*3" three times. */
static void press(const char *key)
{
  static const struct {
    const char *name;
    SDL_Keycode code;
  } keys[] = {
      {"left", SDLK_LEFT},  {"right", SDLK_RIGHT}, {"home", SDLK_HOME}, {"end", SDLK_END}, {"back", SDLK_BACKSPACE},
      {"del", SDLK_DELETE}, {"w", SDLK_w},         {"k", SDLK_k},       {"u", SDLK_u},     {"a", SDLK_a},
      {"e", SDLK_e}};
  Uint16 modifiers = key[1] != '-' ? KMOD_NONE : key[0] == 'c' ? KMOD_LCTRL : KMOD_RCTRL;
  const char *name = modifiers ? key + 2 : key, *times = strchr(name, '*');
  size_t length = strcspn(name, "*"), i = 0;
  while (strncmp(keys[i].name, name, length) != 0 || keys[i].name[length])
    ck_assert_uint_lt(++i, sizeof keys / sizeof *keys);
  for (int left = times ? atoi(times + 1) : 1; left > 0; left--)
    ck_assert_msg(edit_line_key(&line, keys[i].code, modifiers), "%s", key);
}

static void type(const char *typed) { edit_line_insert(&line, typed, strlen(typed)); }

/* Words between bars: "=text" sets the line, "!text" begins as if that was selected, "+text" is typed; all others are
   keys. */
static void play(const char *steps)
{
  char words[256];
  snprintf(words, sizeof words, "%s", steps);
  for (char *word = strtok(words, "|"); word; word = strtok(NULL, "|"))
    if (*word == '=')
      edit_line_set(&line, word + 1);
    else if (*word == '!')
      edit_line_begin(&line, word + 1);
    else if (*word == '+')
      type(word + 1);
    else
      press(word);
}

typedef struct step {
  const char *steps, *text; /* what is done, and the line then */
  size_t cursor;
} step;

static void expect_steps(const step *steps, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    play(steps[i].steps);
    ck_assert_msg(strcmp(line.text, steps[i].text) == 0, "%s: '%s', not '%s'", steps[i].steps, line.text,
                  steps[i].text);
    ck_assert_uint_eq(line.length, strlen(line.text));
    ck_assert_msg(line.cursor == steps[i].cursor, "%s: %zu, not %zu", steps[i].steps, line.cursor, steps[i].cursor);
  }
}

#define EXPECT_STEPS(...)                                                                                              \
  do {                                                                                                                 \
    static const step rows[] = {__VA_ARGS__};                                                                          \
    expect_steps(rows, sizeof rows / sizeof *rows);                                                                    \
  } while (0)

/* }== */

static test_group lines = {"lines"};

TEST(lines, keys_edit_at_the_cursor_and_nothing_lies_beyond_the_ends)
{
  EXPECT_STEPS({"+helo|left|+l", "hello", 4}, {"home|left|del", "ello", 0}, {"end|right|back*2", "el", 2},
               {"back*9", "", 0}, {"=ab|home|c-left|back|c-back", "ab", 0}, {"end|c-right|del|c-del", "ab", 2});
}

TEST(lines, control_keys_are_those_of_a_shell)
{
  EXPECT_STEPS({"=pools:alloc(\"Cube\")|c-w", "pools:alloc(\"", 13}, {"r-left", "pools:alloc(\"", 6},
               {"c-k", "pools:", 6}, {"c-a|c-right", "pools:", 5}, {"c-u", ":", 0}, {"c-e", ":", 1},
               {"=one " AE "hn two|c-home", "one " AE "hn two", 0}, {"c-del", " " AE "hn two", 0},
               {"c-end", " " AE "hn two", 9}, {"c-left|c-back", " two", 1});
  ck_assert(!edit_line_key(&line, SDLK_q, KMOD_LCTRL));
  ck_assert(!edit_line_key(&line, SDLK_q, KMOD_NONE));
  ck_assert(!edit_line_key(&line, SDLK_a, KMOD_NONE));
}

/* Bytes that no character begins can be edited away, too. */
TEST(lines, characters_are_never_cut_in_two)
{
  EXPECT_STEPS({"=a" AE EURO DICE, "a" AE EURO DICE, 10}, {"left", "a" AE EURO DICE, 6}, {"left", "a" AE EURO DICE, 3},
               {"left", "a" AE EURO DICE, 1}, {"left", "a" AE EURO DICE, 0}, {"right", "a" AE EURO DICE, 1},
               {"right", "a" AE EURO DICE, 3}, {"right", "a" AE EURO DICE, 6}, {"right", "a" AE EURO DICE, 10},
               {"back", "a" AE EURO, 6}, {"left", "a" AE EURO, 3}, {"back", "a" EURO, 1}, {"del", "a", 1},
               {"=" DICE "b|home|del", "b", 0}, {"=\x82\xac\x62\xac|left", "\x82\xac\x62\xac", 2}, {"back", "b\xac", 0},
               {"del", "", 0});
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
  press("left*2");
  ck_assert_uint_eq(edit_line_from(&line, 1), 1);
}

TEST(lines, what_is_as_if_selected_is_replaced_cut_or_kept)
{
  static const char *const cutting[] = {"back", "del", "c-back", "c-del", "c-w", "c-u", "c-k"};
  char steps[64];
  edit_line_begin(&line, "whole");
  ck_assert(!edit_line_key(&line, SDLK_LSHIFT, KMOD_LSHIFT));
  ck_assert(line.untouched);
  EXPECT_STEPS({"+new", "new", 3}, {"+er", "newer", 5});
  for (size_t i = 0; i < sizeof cutting / sizeof *cutting; i++) {
    snprintf(steps, sizeof steps, "!whole value|%s", cutting[i]);
    expect_steps(&(step){steps, "", 0}, 1);
    ck_assert(!line.untouched);
  }
  EXPECT_STEPS({"!a bc|left|+" AE, AE "a bc", 2}, {"!a bc|right|+" AE, "a bc" AE, 6}, {"!a bc|home|+" AE, AE "a bc", 2},
               {"!a bc|end|+" AE, "a bc" AE, 6}, {"!a bc|c-left|+" AE, "a " AE "bc", 4},
               {"!a bc|c-right|+" AE, "a bc" AE, 6}, {"!a bc|c-a|+" AE, AE "a bc", 2},
               {"!a bc|c-e|+" AE, "a bc" AE, 6});
}

SUITE(edit_line, &lines)
