/*
** Going back in time in a window that records nothing to a file: every game, and what a person does with the timeline.
** A timer prints numbers that are made of all objects: they are the same whenever the same moment comes again.
*/
#include "demo/app/app.h"
#include "demo/app/history.h"
#include "demo/hand.h"
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

static options options_of(const char *path)
{
  return (options){.path = path,
                   .frames = OPTIONS_NO_END,
                   .seed = 7,
                   .seeded = true,
                   .width = 320,
                   .height = 240,
                   .sized = true,
                   .memory = OPTIONS_MEMORY,
                   .no_watch = true};
}

/* {== Every game ========================================================= */

static test_group all = {"all", play_open, play_close, 600};

static const struct {
  const char *name;
  SDL_Keycode key;
  int pictures, back; /* of the whole run until F10, and how many seconds it goes back */
  bool measures;      /* it shows how long its own code takes: from there on that is new */
} games[] = {
    {"breakout", SDLK_SPACE, 200, 2},
    {"cubes", SDLK_c, 200, 2},
    {"fireworks", SDLK_SPACE, 200, 2},
    {"footprints", SDLK_c, 200, 2},
    {"random_spawn", SDLK_h, 200, 2},
    {"scenes", SDLK_d, 200, 2},
    {"search_vs_queue", SDLK_r, 100, 1, true},
    {"shooter", SDLK_SPACE, 240, 3},
    {"storm", SDLK_SPACE, 100, 1},
    {"survivors", SDLK_SPACE, 240, 3},
};

static int played;

/* Seconds that a longer run has more: SP_REWIND_SECONDS. */
static int longer(void)
{
  const char *value = getenv("SP_REWIND_SECONDS");
  return value ? atoi(value) : 0;
}

static void go_back(int picture)
{
  int last = games[played].pictures + 60 * longer();
  if (picture == 10 || picture == 20)
    hand_tap(games[played].key);
  if (picture == 12)
    hand_press(SDLK_LEFT, KMOD_NONE);
  if (picture == 30)
    hand_release(SDLK_LEFT);
  if (picture == last)
    hand_press(SDLK_F10, KMOD_NONE);
  for (int i = 0; picture == last + 1 && i < games[played].back + longer(); i++)
    hand_press(SDLK_LEFT, KMOD_NONE);
  if (picture == last + 40)
    hand_press(SDLK_RETURN, KMOD_NONE);
  if (picture == last + 60 + 60 * (games[played].back + longer()))
    hand_quit();
}

/* Each line "hash TIME NUMBER" that comes twice is the same. */
static int count_repeated(const char *printed)
{
  int repeated = 0;
  for (const char *line = printed; (line = strstr(line, "hash ")) != NULL; line++) {
    char start[64];
    snprintf(start, sizeof start, "%.*s", (int)(strcspn(line + 5, " ") + 6), line);
    const char *again = strstr(line + 1, start);
    if (!again)
      continue;
    size_t length = strcspn(line, "\n");
    ck_assert_msg(strncmp(line, again, length + 1) == 0, "%.*s is then %.*s", (int)length, line, (int)length, again);
    repeated++;
  }
  return repeated;
}

TESTS(all, a_game_goes_on_from_the_past_as_it_did, (int)(sizeof games / sizeof *games))
{
  char path[64];
  played = _i;
  snprintf(path, sizeof path, "scripts/%s", games[_i].name);
  options o = options_of(path);
  o.width = 96;
  o.height = 72;
  o.exec[o.exec_count++] =
      "pools:every(0.25, function() local n, sum = 0, 0\n"
      "  for o in pools:each() do n, sum = n + 1, (sum * 31 + o.x * 7 + o.y * 13 + o.age) % 1e9 end\n"
      "  print(('hash %.4f %d %.17g'):format(pools.time, n, sum)) end)";
  ck_assert_int_eq(hand_play(&o, go_back), APP_FINE);
  int repeated = games[_i].measures ? games[_i].back * 4 : count_repeated(hand_out);
  ck_assert_msg(repeated >= games[_i].back * 4 - 2, "%d: %s", repeated, hand_out);
}

/* }== */

/* {== What a person does ================================================= */

static test_group core = {"core", play_open, play_close, 120};

static options options_of_game(void) { return options_of(play_folder); }

/* A dot that goes to the right, a number that goes up, and an error when a key is pressed. */
#define COUNTING                                                                                                       \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "spawnpool.class 'Dot'\n"                                                                                            \
  "local n, dot = 0, nil\n"                                                                                            \
  "return { load = function() dot = spawnpool.pools:alloc('Dot', 0, 20, 60) end,\n"                                    \
  "  update = function() n = n + 1 dot.x = dot.x + 1 if n % 10 == 0 then print(n) end end,\n"                          \
  "  key_pressed = function(key) print(key) if key == 'q' then error 'pressed q' end end,\n"

#define COUNTING_END "}\n"

static void hold_backspace(int picture)
{
  if (picture == 100)
    hand_press(SDLK_BACKSPACE, KMOD_NONE);
  if (picture == 150)
    hand_release(SDLK_BACKSPACE);
  if (picture == 175)
    hand_quit();
}

TEST(core, while_backspace_is_held_the_game_runs_backwards)
{
  play_write("main.lua", COUNTING COUNTING_END);
  options o = options_of_game();
  ck_assert_int_eq(hand_play(&o, hold_backspace), APP_FINE);
  EXPECT_IN(hand_out, "\n90\n100\n60\n70\n");
  ck_assert_ptr_null(strstr(hand_out, "backspace"));
  o.no_timeline = true;
  ck_assert_int_eq(hand_play(&o, hold_backspace), APP_FINE);
  EXPECT_IN(hand_out, "\n100\nbackspace\n110\n");
  o = options_of_game();
  play_write("main.lua", COUNTING "text_input = print " COUNTING_END);
  ck_assert_int_eq(hand_play(&o, hold_backspace), APP_FINE);
  EXPECT_IN(hand_out, "\n100\nbackspace\n110\n");
}

static void go_back_from_error(int picture)
{
  if (picture == 130)
    hand_tap(SDLK_q);
  if (picture == 160)
    hand_tap(SDLK_BACKSPACE);
  if (picture == 190)
    hand_quit();
}

TEST(core, an_error_page_goes_back_to_a_second_before)
{
  play_write("main.lua", COUNTING COUNTING_END);
  options o = options_of_game();
  ck_assert_int_eq(hand_play(&o, go_back_from_error), APP_FINE);
  EXPECT_IN(hand_out, "\n120\n130\nq\n80\n90\n");
}

static void look_and_close(int picture)
{
  if (picture == 100)
    hand_press(SDLK_F10, KMOD_NONE);
  if (picture == 101)
    hand_press(SDLK_HOME, KMOD_NONE);
  if (picture == 130)
    hand_press(SDLK_ESCAPE, KMOD_NONE);
  if (picture == 151)
    hand_quit();
}

/* Clocks answer what they did, and what was stored is taken back with the rest. */
TEST(core, closing_the_timeline_leaves_everything_as_it_was)
{
  play_write("main.lua",
             COUNTING "draw = function() math.randomseed() math.randomseed(os.time() + os.clock() // 1 | 0)\n"
                      "spawnpool.storage.save('n', n)\n"
                      "if n == 109 then print('stored', spawnpool.storage.load 'n') end end" COUNTING_END);
  options o = options_of_game();
  SDL_setenv("XDG_DATA_HOME", play_path("data"), 1);
  ck_assert_int_eq(hand_play(&o, look_and_close), APP_FINE);
  EXPECT_IN(hand_out, "\n90\n100\nstored\t109\n110\n120\n");
}

/* The square is red where the old code runs and green where the new code does. */
#define SQUARE(red, green)                                                                                             \
  COUNTING "draw = function(g) g:color(" red ", " green ", 0) g:rect(0, 0, 40, 40, 'fill') end" COUNTING_END
#define RED 0xff0000
#define GREEN 0x00ff00

static int green_first, red_after;

static void edit_the_past(int picture)
{
  if (picture == 200)
    hand_press(SDLK_F10, KMOD_NONE);
  if (picture == 201) {
    hand_press(SDLK_LEFT, KMOD_NONE);
    hand_press(SDLK_RIGHTBRACKET, KMOD_NONE);
    hand_press(SDLK_LEFT, KMOD_NONE);
    hand_press(SDLK_LEFTBRACKET, KMOD_NONE);
  }
  if (picture == 230) {
    ck_assert_uint_eq(hand_pixel(5, 5), RED);
    play_write("main.lua", SQUARE("0", "1"));
    green_first = red_after = 0;
  }
  if (picture > 230 && picture < 400 && hand_pixel(5, 5) == GREEN)
    green_first = green_first ? green_first : picture;
  if (green_first && picture < 400 && hand_pixel(5, 5) == RED)
    red_after++;
  if (picture == 400)
    hand_press(SDLK_ESCAPE, KMOD_NONE);
  if (picture == 405)
    hand_tap(SDLK_F5); /* the watch has a clock of its own */
  if (picture == 460)
    hand_quit();
}

TEST(core, an_edit_plays_the_marked_stretch_again_and_again)
{
  play_write("main.lua", SQUARE("1", "0"));
  options o = options_of_game();
  o.no_watch = false;
  ck_assert_int_eq(hand_play(&o, edit_the_past), APP_FINE);
  ck_assert_int_gt(green_first, 230);
  ck_assert_int_lt(green_first, 330);
  ck_assert_int_eq(red_after, 0);
  EXPECT_IN(hand_out, "\n190\n200\nreloaded main.lua"); /* in the past, and then in the present */
  const char *again = strstr(hand_out, "reloaded main.lua");
  EXPECT_IN(again + 1, "reloaded main.lua");
  EXPECT_IN(again, "\n210\n");
}

static void go_back_and_quit(int picture)
{
  if (picture == 20)
    hand_tap(SDLK_a);
  if (picture == 200)
    hand_press(SDLK_F10, KMOD_NONE);
  if (picture == 201) {
    hand_press(SDLK_LEFT, KMOD_NONE);
    hand_press(SDLK_LEFT, KMOD_LSHIFT);
  }
  if (picture == 220)
    hand_press(SDLK_RETURN, KMOD_NONE);
  if (picture == 300)
    hand_press(SDLK_F10, KMOD_NONE);
  if (picture == 301)
    hand_press(SDLK_HOME, KMOD_NONE);
  if (picture == 320)
    hand_quit(); /* with the timeline open, in the past */
}

/* What was taken back is not in the recording; and a replay is taken back itself, and compared from there on. */
TEST(core, a_recording_goes_on_from_the_past_and_so_does_a_replay)
{
  char path[300];
  snprintf(path, sizeof path, "%s/in", play_folder);
  play_write("main.lua", COUNTING COUNTING_END);
  options o = options_of_game();
  snprintf(o.record_input, sizeof o.record_input, "%s", path);
  ck_assert_int_eq(hand_play(&o, go_back_and_quit), APP_FINE);
  RUN(PLAYER "--headless --replay %s '%s'", path, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.err, "all as recorded");
  ck_assert_ptr_null(strstr(play_run.err, "no end"));
  RUN(PLAYER "--headless --frames 400 --record-input %s '%s'", path, play_folder);
  options replayed = options_of_game();
  replayed.seeded = replayed.sized = false;
  snprintf(replayed.replay, sizeof replayed.replay, "%s", path);
  ck_assert_int_eq(hand_play(&replayed, go_back_and_quit), APP_FINE);
  EXPECT_IN(hand_out, "\n130\n140\n");
}

/* }== */

/* {== Memory ============================================================= */

/* A game of some 20 MiB, and of some that cannot be kept at all. */
TEST(core, memory_is_bounded_and_the_oldest_frames_are_forgotten)
{
  static const int mebibytes[] = {0, 20, 80};
  for (int i = 0; i < 3; i++) {
    char code[256], problem[256];
    snprintf(code, sizeof code, "big = {} for i = 1, %d do big[i] = ('x'):rep(1 << 20) .. i end\nreturn {}",
             mebibytes[i]);
    play_write("main.lua", code);
    options o = options_of_game();
    report r = {.print = stdout};
    game it;
    history *h = calloc(1, sizeof *h);
    ck_assert(game_open(&it, &o, &r, problem, sizeof problem));
    history_open(h, &it);
    game_start(&it, &o);
    for (uint64_t frame = 1; frame <= 60 * 60 * 20; frame++) {
      h->frame = frame;
      for (int k = 0; k < 8; k++) /* a mouse that never rests */
        history_add(h, &(recording_entry){.frame = frame, .kind = RECORDING_EVENT, .event.type = SDL_MOUSEMOTION});
      history_answer_of(h, 1);
      history_end_frame(h, &(moment){.played = frame, .steps = frame});
      if (frame % 60 == 0)
        ck_assert_uint_le(history_bytes(h), (size_t)170 << 20);
    }
    ck_assert_int_eq(h->moment_count > 1, i < 2);
    ck_assert(i == 2 || history_first(h) > 0);
    ck_assert(i > 0 || history_first(h) <= 60 * 60 * 20 - 60 * 60 * 4);
    history_close(h);
    game_close(&it);
    free(h);
  }
}

/* }== */

SUITE(rewind, &all, &core)
