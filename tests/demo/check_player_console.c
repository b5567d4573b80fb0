/*
** The parts of the console: its prompt, what it keeps, and what it shows.
*/
#include "demo/stage.h"
#include "demo/ui/console.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>

/* {== The prompt ========================================================= */

static prompt typed;

static void free_typed(void) { prompt_free(&typed); }

static void press(SDL_Keycode key, Uint16 modifiers, int times)
{
  for (int i = 0; i < times; i++)
    ck_assert(prompt_key(&typed, key, modifiers));
}

static void expect_line(const char *expected, size_t cursor)
{
  ck_assert_str_eq(typed.line.text, expected);
  ck_assert_uint_eq(typed.line.length, strlen(expected));
  ck_assert_uint_eq(typed.line.cursor, cursor);
}

static test_group typing = {"prompt", NULL, free_typed};

TEST(typing, the_history_keeps_lines_and_the_one_that_is_begun)
{
  static const char *const entered[] = {"one", "two", "two", "", "three"};
  for (size_t i = 0; i < sizeof entered / sizeof *entered; i++) {
    edit_line_set(&typed.line, entered[i]);
    prompt_enter(&typed);
  }
  expect_line("", 0);
  edit_line_set(&typed.line, "begun");
  press(SDLK_UP, KMOD_NONE, 1);
  expect_line("three", 5);
  press(SDLK_UP, KMOD_NONE, 5);
  expect_line("one", 3);
  press(SDLK_DOWN, KMOD_NONE, 1);
  expect_line("two", 3);
  press(SDLK_DOWN, KMOD_NONE, 7);
  expect_line("begun", 5);
  prompt_enter(&typed);
  press(SDLK_DOWN, KMOD_NONE, 1);
  expect_line("", 0);
}

TEST(typing, a_line_of_the_history_is_edited_like_any_other)
{
  edit_line_set(&typed.line, "one two");
  prompt_enter(&typed);
  press(SDLK_UP, KMOD_NONE, 1);
  press(SDLK_BACKSPACE, KMOD_LCTRL, 1);
  expect_line("one ", 4);
  ck_assert(!prompt_key(&typed, SDLK_UP, KMOD_LCTRL));
  ck_assert(!prompt_key(&typed, SDLK_q, KMOD_NONE));
  expect_line("one ", 4);
  prompt_enter(&typed);
  press(SDLK_UP, KMOD_NONE, 2);
  expect_line("one two", 7);
}

TEST(typing, the_oldest_lines_are_forgotten_first)
{
  char letters[32];
  for (int i = 0; i < PROMPT_HISTORY + 10; i++) {
    snprintf(letters, sizeof letters, "line %d", i);
    edit_line_set(&typed.line, letters);
    prompt_enter(&typed);
  }
  press(SDLK_UP, KMOD_NONE, PROMPT_HISTORY + 20);
  expect_line("line 10", 7);
}

/* }== */

/* {== Scrollback ========================================================= */

static scrollback back;

static void free_back(void) { scrollback_clear(&back); }

static void expect_back(int at, scrollback_kind kind, const char *expected, unsigned times)
{
  const scrollback_line *l = scrollback_at(&back, at);
  ck_assert_ptr_nonnull(l);
  ck_assert_str_eq(l->text, expected);
  ck_assert_int_eq(l->kind, kind);
  ck_assert_uint_eq(l->times, times);
}

static test_group kept = {"scrollback", NULL, free_back};

TEST(kept, an_error_has_details_and_a_hint_below_it)
{
  scrollback_add(&back, SCROLLBACK_ERROR, "main.lua:1: boom\n    boom()\n  hint: do not");
  expect_back(2, SCROLLBACK_ERROR, "main.lua:1: boom", 1);
  expect_back(1, SCROLLBACK_DETAIL, "    boom()", 1);
  expect_back(0, SCROLLBACK_HINT, "  hint: do not", 1);
  ck_assert_ptr_null(scrollback_at(&back, 3));
  ck_assert_ptr_null(scrollback_at(&back, -1));
}

TEST(kept, the_same_line_again_is_counted)
{
  for (int i = 0; i < 60; i++)
    scrollback_add(&back, SCROLLBACK_PRINT, "tick");
  scrollback_add(&back, SCROLLBACK_WARNING, "tick");
  scrollback_add(&back, SCROLLBACK_PRINT, "a\tb\tc");
  expect_back(2, SCROLLBACK_PRINT, "tick", 60);
  expect_back(1, SCROLLBACK_WARNING, "tick", 1);
  expect_back(0, SCROLLBACK_PRINT, "a       b       c", 1);
}

TEST(kept, the_oldest_go_when_it_is_full)
{
  char letters[16];
  for (int i = 0; i < SCROLLBACK_LINES + 5; i++) {
    snprintf(letters, sizeof letters, "%d", i);
    scrollback_add(&back, SCROLLBACK_PRINT, letters);
  }
  expect_back(0, SCROLLBACK_PRINT, "1004", 1);
  expect_back(SCROLLBACK_LINES - 1, SCROLLBACK_PRINT, "5", 1);
  ck_assert_ptr_null(scrollback_at(&back, SCROLLBACK_LINES));
}

/* }== */

/* {== Scrolling ========================================================== */

static console scrolled;

static void close_scrolled(void) { console_close(&scrolled); }

static void turn_wheel(int notches)
{
  SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL, .y = notches}};
  ck_assert(console_event(&scrolled, &event));
}

static const char *lowest_line(void) { return scrollback_at(&scrolled.back, scrolled.scrolled)->text; }

static test_group scrolling = {"scrolling", NULL, close_scrolled};

TEST(scrolling, lines_that_are_read_stay_while_others_are_added)
{
  char letters[16];
  memset(&scrolled, 0, sizeof scrolled);
  scrolled.shown = true;
  for (int i = 1; i <= 30; i++) {
    snprintf(letters, sizeof letters, "line %d", i);
    console_add(&scrolled, SP_REPORT_PRINT, letters);
  }
  ck_assert_str_eq(lowest_line(), "line 30");
  turn_wheel(2);
  ck_assert_str_eq(lowest_line(), "line 24");
  console_add(&scrolled, SP_REPORT_ERROR, "wrong\nhere\nand here");
  console_add(&scrolled, SP_REPORT_PRINT, "again");
  console_add(&scrolled, SP_REPORT_PRINT, "again");
  ck_assert_str_eq(lowest_line(), "line 24");
  turn_wheel(100);
  ck_assert_str_eq(lowest_line(), "line 1");
  turn_wheel(-100);
  console_add(&scrolled, SP_REPORT_PRINT, "the newest");
  ck_assert_str_eq(lowest_line(), "the newest");
}

/* }== */

/* {== The picture ======================================================== */

static stage scene;

static void open_stage(void) { stage_open(&scene, 640, 480, NULL); }
static void close_stage(void) { stage_close(&scene); }

static size_t draw_console(console *c)
{
  batch_clear(&scene.batch);
  console_draw(c, &scene.graphics);
  return scene.batch.quads;
}

static test_group shown_tests = {"picture", open_stage, close_stage};

TEST(shown_tests, it_shows_what_was_said_the_newest_at_the_bottom)
{
  console c = {.script = NULL};
  console_open(&c, NULL);
  console_add(&c, SP_REPORT_PRINT, "before it was opened");
  ck_assert_uint_eq(draw_console(&c), 0);
  console_toggle(&c);
  size_t some = draw_console(&c);
  ck_assert_uint_gt(some, 20);
  console_add(&c, SP_REPORT_ERROR, "main.lua:1: more\n  at main.lua:2 in f");
  ck_assert_uint_gt(draw_console(&c), some + 10);
  for (int i = 0; i < 500; i++)
    console_add(&c, SP_REPORT_PRINT, i % 2 ? "a" : "b");
  ck_assert_uint_lt(draw_console(&c), some + 60); /* old lines have left */
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_PAGEUP}}};
  for (int i = 0; i < 100; i++)
    ck_assert(console_event(&c, &event));
  size_t oldest = draw_console(&c);
  ck_assert_uint_gt(oldest, some + 10); /* the first line is at the top, with as many below it as there is room for */
  ck_assert_int_eq(c.scrolled, c.back.count - 1 - c.page);
  event.key.keysym.sym = SDLK_PAGEDOWN;
  console_event(&c, &event);
  ck_assert_int_eq(c.scrolled, c.back.count - 1 - 2 * c.page);
  console_close(&c);
}

TEST(shown_tests, a_long_line_moves_by_letters_so_that_its_end_is_seen)
{
  char ascii[EDIT_LINE_MOST] = "", umlauts[EDIT_LINE_MOST] = "";
  console c = {.shown = true};
  console_open(&c, NULL);
  for (int i = 0; i < 300; i++) {
    strcat(ascii, "x");
    strcat(umlauts, "\xc3\xa4");
  }
  edit_line_set(&c.prompt.line, ascii);
  size_t quads = draw_console(&c);
  edit_line_set(&c.prompt.line, umlauts);
  ck_assert_uint_eq(draw_console(&c), quads);
  console_close(&c);
}

TEST(shown_tests, odd_sizes_and_long_lines_do_no_harm)
{
  static const float sizes[][2] = {{1, 1}, {40, 30}, {640, 60}, {60, 480}, {640, 480}};
  console c = {.shown = true};
  char said[3000];
  memset(said, 'w', sizeof said);
  said[sizeof said - 1] = '\0';
  console_open(&c, NULL);
  console_add(&c, SP_REPORT_PRINT, said);
  console_add(&c, SP_REPORT_PRINT, "");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    scene.graphics.view.width = sizes[i][0];
    scene.graphics.view.height = sizes[i][1];
    edit_line_set(&c.prompt.line, said);
    draw_console(&c);
    edit_line_set(&c.prompt.line, "");
    draw_console(&c);
  }
  console_close(&c);
}

/* }== */

SUITE(player_console, &typing, &kept, &scrolling, &shown_tests)
