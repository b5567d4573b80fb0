/*
** Recorded input, from outside: every game is played by random hands, recorded, and replayed in another process; and
** what can be wrong with a file, a game or a disk. `make soak-replays` plays longer and more often
** (SP_REPLAY_FRAMES, SP_REPLAY_TIMES, SP_REPLAY_GAME).
*/
#include "core/spawnpool.h"
#include "demo/app/recording_read.h"
#include "demo/play.h"
#include "demo/ui/timeline.h"
#include "support/process.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

/* {== Random hands ======================================================= */

static const struct {
  const char *name, *keys;
  int share; /* of the frames: a hundred thousand objects take their time */
} games[] = {
    {"breakout", " a", 1},       {"cubes", "cspra", 1},    {"fireworks", " ", 1},        {"footprints", "cxar", 1},
    {"random_spawn", "htsr", 1}, {"scenes", "d12eac", 1},  {"search_vs_queue", "r", 10}, {"shooter", " s", 1},
    {"storm", " ", 10},          {"survivors", "123d", 1},
};

static uint64_t number_of(const char *name, uint64_t otherwise)
{
  const char *value = getenv(name);
  return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

static uint64_t any(uint64_t *random, uint64_t below)
{
  *random ^= *random << 13;
  *random ^= *random >> 7;
  *random ^= *random << 17;
  return (*random >> 11) % below;
}

static void write_event(FILE *out, uint64_t frame, const SDL_Event *event)
{
  recording_write_entry(out, &(recording_entry){.frame = frame, .kind = RECORDING_EVENT, .event = *event});
}

static void press_something(FILE *out, uint64_t frame, const char *keys, uint64_t *random)
{
  size_t count = strlen(keys), choice = any(random, count + 4);
  int x = (int)any(random, 800), y = (int)any(random, 450);
  SDL_Keycode key = choice < count ? keys[choice] : choice == count ? SDLK_LEFT : SDLK_RIGHT;
  write_event(out, frame, &(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y, .xrel = 1, .yrel = -1}});
  if (choice >= count + 2) {
    Uint32 type = any(random, 2) ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    write_event(out, frame, &(SDL_Event){.button = {.type = type, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
  } else {
    write_event(out, frame,
                &(SDL_Event){.key = {.type = any(random, 2) ? SDL_KEYDOWN : SDL_KEYUP, .keysym = {.sym = key}}});
  }
}

/* Frames have 1 step, but now and then some others, none too, as in a window that is paused or late. */
static void write_input(const char *path, const char *name, const char *keys, uint64_t frames, uint64_t random)
{
  FILE *out = fopen(path, "w");
  recording_head head = {.game = name,
                         .player = SP_VERSION,
                         .seed = random,
                         .width = 800,
                         .height = 600,
                         .density = 1,
                         .step = 1.0 / 60,
                         .start = 1600000000,
                         .memory = (uint64_t)1 << 30};
  ck_assert_ptr_nonnull(out);
  recording_write_head(out, &head);
  random += UINT64_C(88172645463325252);
  for (uint64_t frame = 1; frame < frames; frame++) {
    if (any(&random, 6) == 0)
      press_something(out, frame, keys, &random);
    if (any(&random, 50) == 0)
      recording_write_entry(
          out,
          &(recording_entry){.frame = frame, .kind = RECORDING_STEPS, .number = any(&random, 2) ? 1 : any(&random, 4)});
  }
  recording_write_entry(out, &(recording_entry){.frame = frames, .kind = RECORDING_END});
  ck_assert_int_eq(fclose(out), 0);
}

/* }== */

/* {== Every game ========================================================= */

static test_group all = {"all", play_open, play_close, 7200};

static void replay_game(int number, uint64_t frames, uint64_t seed)
{
  char path[512];
  const char *name = games[number].name, *told;
  unsigned long long played, hashes;
  snprintf(path, sizeof path, "%s/in", play_folder);
  write_input(path, name, games[number].keys, frames, seed);
  RUN_FOR(600, PLAYER "--headless --replay '%s' --record-input '%s.out' scripts/%s", path, path, name);
  EXPECT_STATUS(0);
  RUN_FOR(600, PLAYER "--headless --replay '%s.out' --size 640x400 scripts/%s", path, name);
  EXPECT_STATUS(0);
  told = strstr(play_run.err, "replay: recorded in 800x600, which the game sees; the picture is scaled to 640x400\n");
  ck_assert_msg(told != NULL, "%s", play_run.err);
  told = strrchr(play_run.err, ':');
  ck_assert_int_eq(sscanf(told, ": %llu frames, %llu hashes, all as recorded", &played, &hashes), 2);
  ck_assert_uint_eq(played, frames);
  ck_assert_uint_ge(hashes, frames / 120);
}

TESTS(all, a_game_replays_as_it_was_played, (int)(sizeof games / sizeof *games))
{
  const char *chosen = getenv("SP_REPLAY_GAME");
  uint64_t frames = number_of("SP_REPLAY_FRAMES", test_tool()[0] ? 120 : 300);
  if (chosen && *chosen && strcmp(chosen, games[_i].name) != 0)
    return;
  if (!getenv("SP_REPLAY_FRAMES"))
    frames /= (uint64_t)games[_i].share;
  for (uint64_t time = 1; time <= number_of("SP_REPLAY_TIMES", 1); time++)
    replay_game(_i, frames, time);
}

/* }== */

/* {== What differs ======================================================= */

static test_group core = {"core", play_open, play_close, 120};

#define DOTS                                                                                                           \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "spawnpool.class('Dot', { fields = { hue = 0 } })\n"                                                                 \
  "local n = 0\n"                                                                                                      \
  "return { update = function() n = n + 1\n"                                                                           \
  "  local o = spawnpool.pools:alloc('Dot', 0, n, 0) o.hue = 1\n"
#define END_DOTS "end, key_pressed = function(key) print(key) if key == 'q' then error 'pressed q' end end }"

TEST(core, the_first_difference_is_named)
{
  play_write("main.lua", DOTS "if n == 70 and os.getenv 'OTHER' then o.hue = 2 o.x = 3 end " END_DOTS);
  RUN(PLAYER "--headless --frames 200 --trust --record-input '%s/in' '%s'", play_folder, play_folder);
  EXPECT_STATUS(0);
  RUN("OTHER=1 " PLAYER "--headless --trust --replay '%s/in' '%s'", play_folder, play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "replay: frame 70 is the first that differs from the recording; at the end of frame 120: "
                          "pool Dot: object #69..70, field x, hue\n");
  EXPECT_IN(play_run.err, "replay: 200 frames; 3 of 4 hashes differ\n");
  RUN(PLAYER "--headless --replay '%s/in' '%s'", play_folder, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "was recorded with --trust");
}

TEST(core, a_game_that_was_edited_goes_on_and_another_one_does_not)
{
  play_write("main.lua", DOTS END_DOTS);
  RUN(PLAYER "--headless --frames 200 --record-input '%s/in' --exec 'x = 1' '%s' -- an argument", play_folder,
      play_folder);
  EXPECT_STATUS(0);
  RUN("mkdir '%s/moved' && cp '%s/main.lua' '%s/moved' && " PLAYER "--headless --replay '%s/in' '%s/moved'",
      play_folder, play_folder, play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.err, "all as recorded");
  play_write("main.lua", DOTS "o.y = 5 " END_DOTS);
  RUN(PLAYER "--headless --replay '%s/in' '%s'", play_folder, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.err, "replay: the game was edited since this was recorded; it may go another way\n");
  EXPECT_IN(play_run.err, "pool Dot: object #1, #2, #3 and ");
  RUN(PLAYER "--headless --replay '%s/in' scripts/cubes", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "is the input of another game: ");
  RUN("sed -i 's/^player .*/player \"0.0.9\"/' '%s/in' && " PLAYER "--headless --replay '%s/in' '%s'", play_folder,
      play_folder, play_folder);
  EXPECT_IN(play_run.err, "replay: recorded with version 0.0.9 of spawnpool, this is ");
}

/* }== */

/* {== What a game brings along =========================================== */

TEST(core, what_a_game_has_stored_reaches_no_recording)
{
  play_write("main.lua", "local spawnpool <const> = require 'spawnpool'\n"
                         "local storage <const> = spawnpool.storage\n"
                         "spawnpool.class('Dot', { fields = { runs = 0 } })\n"
                         "return { load = function()\n"
                         "  local runs <const> = (storage.load 'runs' or 0) + 1\n"
                         "  storage.save('runs', runs) print(runs, storage.load 'runs')\n"
                         "  spawnpool.pools:alloc('Dot').runs = runs end }");
  static const char *const recorded[] = {"", "", "--record-input %s/in", "--replay %s/in", ""};
  static const char *const runs[] = {"1\t1\n", "2\t2\n", "1\t1\n", "1\t1\n", "3\t3\n"};
  for (int i = 0; i < 5; i++) {
    char options[600];
    snprintf(options, sizeof options, i == 2 || i == 3 ? recorded[i] : "%.0s", play_folder);
    RUN("XDG_DATA_HOME='%s/data' " PLAYER "--headless --frames 130 %s '%s'", play_folder, options, play_folder);
    EXPECT_STATUS(0);
    ck_assert_str_eq(play_run.out, runs[i]);
  }
}

/* A view of 320x200 in the recorded window, and in another one. */
TEST(core, a_game_with_a_view_of_its_own_gets_the_mouse_where_it_was)
{
  play_write("main.lua", "local spawnpool <const> = require 'spawnpool'\n"
                         "spawnpool.class('Dot')\n"
                         "return { width = 320, height = 200, scale = 'fit',\n"
                         "  mouse_pressed = function(x, y) print(x, y) spawnpool.pools:alloc('Dot', 0, x, y) end,\n"
                         "  resized = function(w, h) print('resized', w, h) end,\n"
                         "  focus = function(on) print('focus', on) end }");
  char path[512];
  snprintf(path, sizeof path, "%s/in", play_folder);
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  recording_write_head(out, &(recording_head){.game = strrchr(play_folder, '/') + 1,
                                              .player = SP_VERSION,
                                              .width = 640,
                                              .height = 480,
                                              .density = 1,
                                              .step = 1.0 / 60,
                                              .memory = (uint64_t)1 << 30});
  const SDL_Event click = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 320, .y = 240}};
  recording_write_entry(out, &(recording_entry){.kind = RECORDING_SIZE, .width = 320, .height = 200, .density = 1});
  write_event(out, 1, &(SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}});
  recording_write_entry(
      out, &(recording_entry){.frame = 2, .kind = RECORDING_SIZE, .width = 640, .height = 480, .density = 1});
  write_event(out, 3, &click);
  recording_write_entry(out, &(recording_entry){.frame = 130, .kind = RECORDING_END});
  ck_assert_int_eq(fclose(out), 0);
  static const char *const sizes[] = {"", "--size 1920x1080", "--size 200x500"};
  for (int i = 0; i < 3; i++) {
    RUN(PLAYER "--headless --replay %s --record-input %s.out %s '%s'", path, path, sizes[i], play_folder);
    EXPECT_STATUS(0);
    ck_assert_str_eq(play_run.out, "focus\tfalse\nresized\t640\t480\n160\t100\n");
    RUN(PLAYER "--headless --replay %s.out '%s'", path, play_folder);
    EXPECT_STATUS(0);
    EXPECT_IN(play_run.err, "all as recorded");
  }
}

/* }== */

/* {== Trouble ============================================================ */

TEST(core, a_full_disk_ends_the_recording_and_not_the_game)
{
  play_write("main.lua", DOTS "if n == 300 then print 'still here' end " END_DOTS);
  RUN("test -w /dev/full && " PLAYER "--headless --frames 300 --record-input /dev/full '%s'", play_folder);
  EXPECT_STATUS(2);
  ck_assert_str_eq(play_run.out, "still here\n");
  EXPECT_IN(play_run.err, "spawnpool: the recording has stopped: cannot write '/dev/full': ");
  EXPECT_LINES(play_run.err, 1);
  RUN(PLAYER "--headless --frames 3 --record-input '%s/none/in' '%s'", play_folder, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "cannot write the recorded input to ");
}

TEST(core, what_a_killed_player_leaves_behind_can_be_replayed)
{
  play_write("main.lua", DOTS "if n == 150 then while true do end end " END_DOTS);
  RUN("timeout -s KILL 1 " PLAYER "--headless --record-input '%s/in' '%s'", play_folder, play_folder);
  EXPECT_STATUS(128 + 9);
  play_write("main.lua", DOTS END_DOTS);
  RUN("cd '%s'; printf '149 key_down \"Le' >>in", play_folder); /* it was about to write that */
  RUN("head -c -9 '%s/in' >'%s/cut' && " PLAYER "--headless --replay '%s/in' '%s'", play_folder, play_folder,
      play_folder, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.err, "replay: the recording has no end: the player was stopped while it was made\n");
  EXPECT_IN(play_run.err, "replay: 120 frames, 2 hashes, all as recorded\n");
}

/* A recording without frames, and lines that are put into it. */
static const char head[] =
    "spawnpool-input 1\nplayer \"x\"\ngame \"x\"\nfiles 0\nseed 1\nsize 8 6 1\nstep 0.01\nstart 1\n"
    "memory 1\ntrust no\nbegin\n";

static bool read_text(recording *r, const char *lines, char *problem, size_t size)
{
  char path[512];
  play_write("in", lines);
  snprintf(path, sizeof path, "%s/in", play_folder);
  return recording_read(r, path, problem, size);
}

TEST(core, wrong_files_are_refused_with_line_and_reason)
{
  static const struct {
    const char *lines, *problem; /* behind the head */
  } rows[] = {
      {"1 end\n2 end\n", ":13: something follows the end"},
      {"2 quit\n1 quit\n", ":13: frames do not go back"},
      {"x quit\n", ":12: a line begins with the number of a frame"},
      {"-1 quit\n", ":12: a line begins with the number of a frame"},
      {"99999999999999999999 quit\n", ":12: a line begins with the number of a frame"},
      {"1 dance\n", ":12: there is no such event"},
      {"1 quit now\n", ":12: the line has more than it should"},
      {"1 key_down Left\n", ":12: a key is a name in quotes"},
      {"1 key_down \"Left\n", ":12: a key is a name in quotes"},
      {"1 key_down \"Nowhere\"\n", ":12: there is no such key"},
      {"1 mouse_move 1 2 3\n", ":12: a move of the mouse has X, Y and how far it went in each"},
      {"1 mouse_down 1 2 999\n", ":12: a click has X, Y and a button"},
      {"1 mouse_down 99999999999999 2 1\n", ":12: a click has X, Y and a button"},
      {"1 pad_axis 77 0\n", ":12: an axis has a number, and a value from -32768 to 32767"},
      {"1 pad_down \"zz\"\n", ":12: there is no such button"},
      {"1 wheel 1\n", ":12: a turn of the wheel has X and Y"},
      {"1 text \"\\q\"\n", ":12: typed text is in quotes, and short"},
      {"1 steps 900\n", ":12: a frame has from 0 to 5 steps"},
      {"1 size 0 5 1\n", ":12: a size has a width, a height, and the pixels per point"},
      {"1 size 5 5 nan\n", ":12: a size has a width, a height, and the pixels per point"},
      {"1 eval 0\n", ":12: a text in quotes is missing"},
      {"1 eval x \"\"\n", ":12: an object is a number"},
      {"1 hash zz\n", ":12: a hash is missing"},
      {"1 back 2\n", ":12: back goes to an earlier frame"},
      {"5 quit\n5 back 2\n2 quit\n1 quit\n", ":15: frames do not go back"},
      {"1 frames 1 12345\n", ":12: a digest has four digits, and each frame one"},
      {"1 frames 1 12345678\n", ":12: a digest has four digits, and each frame one"},
  };
  recording r;
  char lines[2048], problem[1200];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    snprintf(lines, sizeof lines, "%s%s", head, rows[i].lines);
    ck_assert_msg(!read_text(&r, lines, problem, sizeof problem), "%s", rows[i].lines);
    EXPECT_IN(problem, rows[i].problem);
  }
  ck_assert(!read_text(&r, "", problem, sizeof problem));
  EXPECT_IN(problem, "in:1: this is no recorded input of spawnpool");
  ck_assert(!read_text(&r, "spawnpool-input 2\n", problem, sizeof problem));
  EXPECT_IN(problem, "in:1: this version of the file cannot be read");
  ck_assert(!read_text(&r, "spawnpool-input 1\nseed 1\nseed 2\n", problem, sizeof problem));
  EXPECT_IN(problem, "in:3: this was said before");
  ck_assert(!read_text(&r, "spawnpool-input 1\nseed 1\nbegin\n", problem, sizeof problem));
  EXPECT_IN(problem, "in:3: the head is not complete");
  ck_assert(!read_text(&r, "spawnpool-input 1\nseed 1\n", problem, sizeof problem));
  EXPECT_IN(problem, "in:3: the head is cut off");
}

#define ALL_LINES                                                                                                      \
  "0 eval 5 \"a = \\\"b\\\\\\n\\x01\"\n1 key_down \"Left\"\n1 key_up \"\xc3\x84\" unheard\n1 mouse_move -5 6 7 -8\n"   \
  "1 mouse_down 1 2 3\n1 mouse_up 1 2 3 unheard\n1 wheel 0 -1\n1 text \"\xc3\xa4\"\n1 pad_added\n1 pad_axis 1 "        \
  "-32768\n"                                                                                                           \
  "1 pad_down \"a\"\n1 pad_up \"dpup\"\n1 pad_removed\n1 focus_lost\n1 focus_gained\n1 set 9 \"x\" \"1\"\n1 quit\n"    \
  "1 size 10 20 0x1.8p+0\n1 steps 0\n2 reload 00000000000000ff\n2 error \"main.lua:1: x\"\n2 pool \"Dot\" \"live=1 "   \
  "\"\n"                                                                                                               \
  "2 frames 1 12ab34cd\n2 hash 0123456789abcdef\n3 quit ended\n3 end\n"

TEST(core, what_was_taken_back_is_not_read)
{
  char lines[1024], problem[1200];
  recording r;
  snprintf(lines, sizeof lines, "%s1 quit\n2 steps 3\n2 text \"a\"\n3 quit\n4 back 1\n2 text \"b\"\n3 back 2\n3 end\n",
           head);
  ck_assert_msg(read_text(&r, lines, problem, sizeof problem), "%s", problem);
  ck_assert_uint_eq(r.count, 3);
  ck_assert_uint_eq(r.entries[0].frame, 1);
  ck_assert_str_eq(r.entries[1].event.text.text, "b");
  ck_assert(r.entries[2].kind == RECORDING_END && r.is_whole && r.last == 3);
  recording_free(&r);
}

/* Every kind of line is read and written again; and no byte of it can be changed so that reading does anything but
   refuse, or read something else. */
TEST(core, every_line_is_read_as_it_was_written)
{
  char lines[4096], back[4096], problem[1200], path[512];
  recording r;
  snprintf(
      lines, sizeof lines,
      "spawnpool-input 1\nplayer \"1\"\ngame \"g \\\"\\\\\"\nfiles 00000000000000ff\nseed 18446744073709551615\n"
      "size 8 6 0x1p+0\nstep 0x1p-6\nstart 1\nmemory 1\ntrust yes\nargument \"--x\"\nargument \"\"\nbegin\n" ALL_LINES);
  snprintf(path, sizeof path, "%s/back", play_folder);
  for (size_t i = 0; i <= strlen(lines); i++) {
    char was = lines[i];
    if (i < strlen(lines))
      lines[i] = (char)(was ^ 1 << i % 7);
    if (read_text(&r, lines, problem, sizeof problem)) {
      FILE *out = fopen(path, "w+");
      recording_write_head(out, &r.head);
      for (size_t k = 0; k < r.count; k++)
        recording_write_entry(out, &r.entries[k]);
      rewind(out);
      back[fread(back, 1, sizeof back - 1, out)] = '\0';
      fclose(out);
      if (was == '\0')
        ck_assert_str_eq(back, lines);
      recording_free(&r);
    } else {
      ck_assert_msg(was != '\0', "%s", problem);
    }
    lines[i] = was;
  }
}

/* }== */

/* {== Shortening ========================================================= */

TEST(core, input_that_ends_in_an_error_is_shortened)
{
  char path[512];
  play_write("main.lua", "local spawnpool <const> = require 'spawnpool'\nlocal armed, n = nil, 0\n"
                         "return { update = function() n = n + 1\n"
                         "  if armed and n > armed + 25 and spawnpool.input.down 'left' then error('boom ' .. n) end\n"
                         "end, key_pressed = function(key) if key == 's' then armed = n end end,\n"
                         "mouse_pressed = function() armed = nil end }");
  snprintf(path, sizeof path, "%s/in", play_folder);
  write_input(path, strrchr(play_folder, '/') + 1, "sxyz", 4000, 3);
  RUN(PLAYER "--bisect-input '%s' '%s'", path, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, ", shortened to 2 in 26 (");
  EXPECT_IN(play_run.out, "main.lua:4: boom ");
  RUN(PLAYER "--headless --replay '%s.short' '%s'", path, play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "main.lua:4: boom 26");
  EXPECT_IN(play_run.err, "replay: 26 frames, 1 hash, all as recorded");
  RUN("ls '%s'", play_folder);
  ck_assert_str_eq(play_run.out, "in\nin.short\nmain.lua\n");
  play_write("main.lua", "return {}");
  RUN(PLAYER "--bisect-input '%s' '%s'", path, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "in' ends in no error of the script");
}

/* }== */

/* {== The timeline ======================================================= */

static timeline_action press_key(timeline *t, SDL_Keycode key, Uint16 mod)
{
  return timeline_event(t, &(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = mod}}});
}

TEST(core, the_timeline_chooses_frames_by_keys_and_mouse)
{
  static const struct {
    SDL_Keycode key;
    Uint16 mod;
    uint64_t at;
  } rows[] = {
      {SDLK_LEFT, 0, 940}, {SDLK_LEFT, KMOD_LSHIFT, 939}, {SDLK_LEFT, KMOD_LCTRL, 339}, {SDLK_LEFT, KMOD_LCTRL, 1},
      {SDLK_RIGHT, 0, 61}, {SDLK_END, 0, 1000},           {SDLK_RIGHT, 0, 1000},        {SDLK_HOME, 0, 1}};
  timeline t = {.shown = false};
  timeline_open(&t, 1, 1000, 1.0 / 60);
  ck_assert_uint_eq(t.at, 1000);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ck_assert_int_eq(press_key(&t, rows[i].key, rows[i].mod), TIMELINE_USED);
    ck_assert_uint_eq(t.at, rows[i].at);
  }
  t.x = 100;
  t.width = 500;
  t.height = 30;
  SDL_Event down = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 350}};
  SDL_Event move = {.motion = {.type = SDL_MOUSEMOTION, .x = 2000}}, up = {.button = {.type = SDL_MOUSEBUTTONUP}};
  ck_assert_int_eq(timeline_event(&t, &down), TIMELINE_USED);
  ck_assert_uint_eq(t.at, 501);
  timeline_event(&t, &move);
  ck_assert_uint_eq(t.at, 1000);
  timeline_event(&t, &up);
  move.motion.x = 0;
  timeline_event(&t, &move);
  ck_assert_uint_eq(t.at, 1000);
  ck_assert_int_eq(press_key(&t, SDLK_RETURN, 0), TIMELINE_GO);
  ck_assert_int_eq(press_key(&t, SDLK_ESCAPE, 0), TIMELINE_CLOSE);
  ck_assert_int_eq(press_key(&t, SDLK_F10, 0), TIMELINE_CLOSE);
  ck_assert_int_eq(press_key(&t, SDLK_F2, 0), TIMELINE_IGNORED);
  timeline_add(&t, 5, TIMELINE_ERROR);
  timeline_close(&t);
  ck_assert(!t.shown && t.count == 0);
}

/* }== */

SUITE(replay, &all, &core)
