/*
** The gallery of games: how it is laid out and chosen from, and the whole command, in SDL's dummy driver, which counts
** as a display when it is asked for by name. A script stands for the player, and writes down what it is asked to play.
*/
#include "demo/app/app.h"
#include "demo/app/gallery_command.h"
#include "demo/app/interrupt.h"
#include "demo/bytes.h"
#include "demo/play.h"
#include "demo/stage.h"
#include "demo/ui/gallery.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* {== Cards ============================================================== */

enum { CARDS = 10 };

static stage ground;
static gallery shown;
static gallery_card cards[CARDS];

static void open_gallery(void)
{
  for (int i = 0; i < CARDS; i++)
    cards[i] = (gallery_card){"a game", "what it is, in a line that is too long for one row of a narrow card", NULL};
  stage_open(&ground, 960, 700, NULL);
  gallery_open(&shown, cards, CARDS);
}

static void close_gallery(void) { stage_close(&ground); }

static void draw_at(float width, float height)
{
  draw_view view = {width, height, 1, 0, 0, NULL, NULL, NULL};
  batch_clear(&ground.batch);
  graphics_begin(&ground.graphics, &ground.batch, &view);
  gallery_draw(&shown, &ground.graphics);
}

static gallery_wish press(SDL_Keycode key)
{
  return gallery_event(&shown, &(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key}}});
}

static gallery_wish button(Uint8 number)
{
  return gallery_event(&shown, &(SDL_Event){.cbutton = {.type = SDL_CONTROLLERBUTTONDOWN, .button = number}});
}

static void stick(Sint16 across)
{
  gallery_event(&shown, &(SDL_Event){.caxis = {.type = SDL_CONTROLLERAXISMOTION, .axis = 0, .value = across}});
}

static float top_of(int card) { return shown.top + (float)(card / shown.columns) * shown.step_y; }
static float left_of(int card) { return shown.left + (float)(card % shown.columns) * shown.step_x; }

static gallery_wish click(int card)
{
  int x = (int)(left_of(card) + shown.card_w / 2), y = (int)(top_of(card) + shown.card_h / 2);
  return gallery_event(
      &shown, &(SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
}

static test_group chosen = {"chosen", open_gallery, close_gallery};

TEST(chosen, the_chosen_card_is_in_the_window_at_every_size)
{
  static const float sizes[][2] = {{960, 700}, {320, 240}, {640, 480}, {1920, 1080}, {300, 900}, {2000, 200}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    float room = sizes[i][1] - 2 * 32;
    for (shown.chosen = 0; shown.chosen < CARDS; shown.chosen++) {
      draw_at(sizes[i][0], sizes[i][1]);
      ck_assert_float_ge(left_of(shown.chosen), 0);
      ck_assert_float_le(left_of(shown.chosen) + shown.card_w, sizes[i][0]);
      if (shown.card_h > room) /* no window for a gallery, but its upper part is there */
        continue;
      ck_assert_float_ge(top_of(shown.chosen), 30);
      ck_assert_float_le(top_of(shown.chosen) + shown.card_h, sizes[i][1] - 30);
    }
  }
}

TEST(chosen, keys_move_over_rows_and_columns_and_stop_at_the_ends)
{
  draw_at(960, 700);
  ck_assert_int_eq(shown.columns, 3);
  press(SDLK_LEFT);
  press(SDLK_UP);
  ck_assert_int_eq(shown.chosen, 0);
  press(SDLK_RIGHT);
  press(SDLK_DOWN);
  ck_assert_int_eq(shown.chosen, 4);
  press(SDLK_DOWN);
  press(SDLK_DOWN); /* the last row is shorter */
  ck_assert_int_eq(shown.chosen, 9);
  press(SDLK_RIGHT);
  press(SDLK_DOWN);
  ck_assert_int_eq(shown.chosen, 9);
  press(SDLK_HOME);
  ck_assert_int_eq(shown.chosen, 0);
  press(SDLK_END);
  ck_assert_int_eq(shown.chosen, 9);
  ck_assert_int_eq(press(SDLK_RETURN), GALLERY_PLAY);
  ck_assert_int_eq(press(SDLK_ESCAPE), GALLERY_QUIT);
}

TEST(chosen, a_gamepad_chooses_too)
{
  draw_at(960, 700);
  button(SDL_CONTROLLER_BUTTON_DPAD_DOWN);
  ck_assert_int_eq(shown.chosen, 3);
  stick(30000);
  stick(32000); /* held: no further */
  ck_assert_int_eq(shown.chosen, 4);
  stick(0);
  stick(-30000);
  ck_assert_int_eq(shown.chosen, 3);
  ck_assert_int_eq(button(SDL_CONTROLLER_BUTTON_A), GALLERY_PLAY);
  ck_assert_int_eq(button(SDL_CONTROLLER_BUTTON_B), GALLERY_QUIT);
}

TEST(chosen, a_click_plays_the_card_below_it_and_scrolls_nothing_that_is_seen)
{
  draw_at(960, 700);
  float top = shown.top;
  ck_assert_int_eq(click(4), GALLERY_PLAY);
  ck_assert_int_eq(shown.chosen, 4);
  draw_at(960, 700);
  ck_assert_float_eq(shown.top, top);
  SDL_Event between = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 3, .y = 300}};
  ck_assert_int_eq(gallery_event(&shown, &between), GALLERY_STAY);
  ck_assert_int_eq(shown.chosen, 4);
}

static void mouse_over(int card)
{
  int x = (int)(left_of(card) + shown.card_w / 2), y = (int)(top_of(card) + shown.card_h / 2);
  gallery_event(&shown, &(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}});
}

TEST(chosen, a_mouse_chooses_when_it_moves_not_where_it_rests)
{
  draw_at(960, 700);
  mouse_over(4); /* where it rests when the window appears */
  mouse_over(4);
  ck_assert_int_eq(shown.chosen, 0);
  mouse_over(5);
  ck_assert_int_eq(shown.chosen, 5);
  press(SDLK_HOME);
  mouse_over(5);
  ck_assert_int_eq(shown.chosen, 0);
  gallery_event(&shown, &(SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_MOVED}});
  mouse_over(4); /* the window has moved, not the mouse */
  ck_assert_int_eq(shown.chosen, 0);
  gallery_forget_mouse(&shown);
  mouse_over(2);
  ck_assert_int_eq(shown.chosen, 0);
  mouse_over(1);
  ck_assert_int_eq(shown.chosen, 1);
}

/* }== */

/* {== The command ======================================================== */

static void open_display(void)
{
  play_open();
  ck_assert_int_eq(setenv("SDL_VIDEODRIVER", "dummy", 1), 0);
  interrupt_prepare();
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS | SDL_INIT_TIMER), 0);
}

static void push(SDL_Keycode key)
{
  SDL_PushEvent(&(SDL_Event){.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = key}}});
}

static Uint32 push_escape(Uint32 interval, void *unused)
{
  (void)unused;
  push(SDLK_ESCAPE);
  return interval;
}

static test_group command = {"command", open_display, play_close, .timeout = 60};

/* Esc comes again and again: those that come while the game is played are the game's. */
TEST(command, the_chosen_game_is_played_by_the_same_player_and_the_gallery_is_back)
{
  char program[600];
  size_t size;
  play_write("player", "#!/bin/sh\necho \"$@\" >>\"${0%/*}/asked\"\nsleep 1\nexit 1\n");
  snprintf(program, sizeof program, "%s", play_path("player"));
  ck_assert_int_eq(chmod(program, 0700), 0);
  push(SDLK_RIGHT);
  push(SDLK_RETURN);
  ck_assert_int_ne(SDL_AddTimer(600, push_escape, NULL), 0);
  char *argv[] = {program, "--size", "320x240", "--full-screen", NULL};
  options o;
  ck_assert(options_parse(&o, 4, argv) && o.gallery);
  ck_assert_int_eq(gallery_command_run(4, argv, &o), APP_FINE);
  char *asked = bytes_read(play_path("asked"), &size);
  ck_assert_msg(strncmp(asked, "--size 320x240 --full-screen /", 30) == 0, "%s", asked);
  ck_assert_msg(strchr(asked, '\n') == asked + size - 1, "%s", asked);
  asked[size - 1] = '\0';
  ck_assert_msg(strstr(asked, "/scripts/cubes") != NULL, "%s", asked);
  free(asked);
}

TEST(command, a_player_that_cannot_be_started_is_told_and_the_gallery_stays)
{
  push(SDLK_RETURN);
  ck_assert_int_ne(SDL_AddTimer(300, push_escape, NULL), 0);
  char *argv[] = {"/nowhere/spawnpool", NULL};
  options o;
  ck_assert(options_parse(&o, 1, argv));
  ck_assert_int_eq(gallery_command_run(1, argv, &o), APP_FINE);
}

/* }== */

SUITE(gallery, &chosen, &command)
