/*
** The console of the player: its prompt, what it shows, and its keys, by events.
*/
#include "demo/app/app.h"
#include "demo/play.h"
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

/* {== The console in a running player ==================================== */

static void push_key(SDL_Keycode key, Uint16 modifiers)
{
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = modifiers}}};
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
  event.type = SDL_KEYUP;
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
}

static void push_text(const char *letters)
{
  for (; *letters; letters++) {
    SDL_Event event = {.text = {.type = SDL_TEXTINPUT, .text = {*letters}}};
    ck_assert_int_eq(SDL_PushEvent(&event), 1);
  }
}

static void push_line(const char *letters)
{
  push_text(letters);
  push_key(SDLK_RETURN, KMOD_NONE);
}

static void push_opening(void)
{
  push_key(SDLK_BACKQUOTE, KMOD_NONE);
  push_text("`"); /* the letter of that key */
}

static void open_player(void)
{
  char code[1024];
  play_open();
  snprintf(code, sizeof code,
           "local out <const> = assert(io.open('%s/diary', 'w'))\n"
           "function note(...) out:write(table.concat({ ... }, ' '), '\\n') out:flush() end\n"
           "return { update = function() note('update') end, quit = function() note('quit') end,\n"
           "key_pressed = function(key) note('pressed', key) end, key_released = function(key) note('up', key) end }\n",
           play_folder);
  play_write("main.lua", code);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
}

static void close_player(void)
{
  SDL_Quit();
  play_close();
}

/* One frame, with what the game wrote down. */
static void expect_run(options o, const char *expected)
{
  o.path = play_folder;
  o.frames = 1;
  o.headless = o.trust = true;
  ck_assert_int_eq(app_run(&o), APP_FINE);
  play_expect("diary", expected);
}

static void expect_diary(const char *expected) { expect_run((options){.width = 64, .height = 48}, expected); }

static test_group played = {"player", open_player, close_player};

TEST(played, keys_are_the_consoles_while_it_is_open)
{
  push_key(SDLK_a, KMOD_NONE);
  push_opening();
  push_key(SDLK_b, KMOD_NONE);
  push_line("note('typed')");
  push_key(SDLK_BACKQUOTE, KMOD_NONE);
  push_key(SDLK_c, KMOD_NONE);
  expect_diary("pressed a\nup a\ntyped\npressed c\nup c\nupdate\n");
}

TEST(played, escape_closes_the_console_and_quits_nothing)
{
  push_opening();
  push_key(SDLK_ESCAPE, KMOD_NONE);
  push_key(SDLK_a, KMOD_NONE);
  expect_diary("pressed a\nup a\nupdate\n");
}

TEST(played, a_key_that_was_held_is_let_go_for_the_game)
{
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_LEFT}}};
  SDL_PushEvent(&event);
  push_opening();
  event.type = SDL_KEYUP;
  SDL_PushEvent(&event);
  expect_diary("pressed left\nup left\nupdate\n");
}

TEST(played, the_key_left_of_the_one_opens_it_whatever_it_prints)
{
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_CARET, .scancode = SDL_SCANCODE_GRAVE}}};
  SDL_PushEvent(&event);
  push_text("^");
  push_line("note('typed')");
  expect_diary("typed\nupdate\n");
}

TEST(played, lines_go_on_until_the_text_is_complete_and_are_kept)
{
  push_opening();
  push_line("for i = 1, 2 do");
  push_line("note(i)");
  push_line("end");
  push_line("i = 2");
  for (int i = 0; i < 3; i++)
    push_key(SDLK_UP, KMOD_NONE);
  push_key(SDLK_BACKSPACE, KMOD_NONE);
  push_line(" + 5)");
  expect_diary("1\n2\n7\nupdate\n");
}

TEST(played, control_c_gives_up_what_was_begun)
{
  push_opening();
  push_line("for i = 1, 2 do");
  push_key(SDLK_c, KMOD_LCTRL);
  push_line("note('one line')");
  expect_diary("one line\nupdate\n");
}

TEST(played, tab_completes_what_is_shared)
{
  push_opening();
  push_text("not");
  push_key(SDLK_TAB, KMOD_NONE);
  push_text("('x', poo");
  push_key(SDLK_TAB, KMOD_NONE);
  push_text(".al");
  push_key(SDLK_TAB, KMOD_NONE);
  push_key(SDLK_TAB, KMOD_NONE);
  push_line(" and 'y')");
  push_text("pools.time");
  push_key(SDLK_TAB, KMOD_NONE); /* time, time_scale */
  push_line("");
  expect_diary("x y\nupdate\n");
}

TEST(played, further_tabs_cycle_through_the_words)
{
  push_opening();
  push_line("hue_a, hue_b, hue_c = 'a', 'b', 'c'");
  push_text("note(hue");
  for (int i = 0; i < 3; i++) /* hue_, hue_a, hue_b */
    push_key(SDLK_TAB, KMOD_NONE);
  push_line(")");
  push_text("note(hue_");
  push_key(SDLK_TAB, KMOD_NONE);
  push_key(SDLK_LSHIFT, KMOD_LSHIFT);
  push_key(SDLK_TAB, KMOD_LSHIFT); /* hue_c */
  push_text(", hue_");             /* a new word */
  push_key(SDLK_TAB, KMOD_NONE);
  for (int i = 0; i < 4; i++) /* hue_a again, behind hue_c */
    push_key(SDLK_TAB, KMOD_NONE);
  push_key(SDLK_END, KMOD_NONE);
  push_key(SDLK_TAB, KMOD_NONE); /* begins again: the word is complete */
  push_line(")");
  push_text("note()");
  push_key(SDLK_LEFT, KMOD_NONE);
  push_text("hue"); /* in the middle of a line */
  push_key(SDLK_TAB, KMOD_NONE);
  push_key(SDLK_TAB, KMOD_LSHIFT);
  push_line("");
  expect_diary("b\nc a\nc\nupdate\n");
}

TEST(played, tab_completes_whole_characters)
{
  push_opening();
  push_line("spawnpool.class 'K\xc3\xa4lte' spawnpool.class 'K\xc3\xb6nig'"); /* which share half a character */
  push_line("function alloc(type) note(#type) end");
  push_text("alloc('K");
  push_key(SDLK_TAB, KMOD_NONE);
  push_line("')");
  push_text("alloc('K\xc3\xb6");
  push_key(SDLK_TAB, KMOD_NONE);
  push_line("')");
  expect_diary("1\n6\nupdate\n");
}

TEST(played, errors_of_what_is_typed_stop_nothing)
{
  push_opening();
  push_line("error 'typed'");
  push_line("x = = 1");
  push_line("note('after')");
  expect_diary("after\nupdate\n");
}

TEST(played, the_object_of_the_inspector_is_sel)
{
  SDL_Event click = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 100, .y = 100}};
  push_key(SDLK_F3, KMOD_NONE);
  SDL_PushEvent(&click);
  push_opening();
  push_line("note(tostring(sel))");
  expect_run((options){.exec = {"pools:alloc('Cube', 0, { x = 100, y = 100, radius = 20 })"},
                       .exec_count = 1,
                       .width = 800,
                       .height = 600},
             "Cube#1 (live)\nupdate\n");
}

TEST(played, a_pasted_text_runs_line_by_line)
{
  SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0 || SDL_SetClipboardText("note('a')\r\nnote(\n'b')\nnote('c')") != 0) {
    test_skip("a_pasted_text_runs_line_by_line", SDL_GetError());
    return;
  }
  push_opening();
  push_key(SDLK_v, KMOD_LCTRL);
  push_key(SDLK_RETURN, KMOD_NONE);
  expect_diary("a\nb\nc\nupdate\n");
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

SUITE(player_console, &typing, &kept, &played, &shown_tests)
