/*
** Voices of a game: how they live, what is heard of them, what is told of mistakes, and edits of sounds. Runs of the
** player without a window save their sound step by step, so that every sample can be compared.
*/
#include "demo/audio/pcm.h"
#include "demo/edit_run.h"
#include "demo/game_run.h"
#include "demo/play.h"
#include "demo/wave.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOUD 10000

/* {== A game ============================================================= */

static void open_game(void)
{
  play_open();
  ck_assert_int_eq(mkdir(play_path("sounds"), 0700), 0);
  ck_assert_int_eq(mkdir(play_path("pools"), 0700), 0);
  wave_write(play_path("sounds/hit.wav"), 0.5, LOUD);
  wave_write(play_path("sounds/shot.wav"), 0.1, LOUD / 2);
}

static test_group playing = {"playing", open_game, play_close, 120};

#define HEAD                                                                                                           \
  "local spawnpool = require 'spawnpool'\n"                                                                            \
  "local pools, audio = spawnpool.pools, spawnpool.audio\n"                                                            \
  "local function voices() return pools:pool('Voice').live end\n"                                                      \
  "local game, step = {}, 0\n"

/* A game: what `load` and each step do. The run saves its sound; without that, it must say the same. */
static wave play_game(const char *declared, const char *load, const char *update, int frames, const char *said)
{
  char text[8192], *before;
  snprintf(text, sizeof text,
           HEAD "%s\nfunction game.load() %s end\nfunction game.update() step = step + 1 %s end\nreturn game\n",
           declared, load, update);
  play_write("main.lua", text);
  RUN(PLAYER "--headless --frames %d %s", frames, play_folder);
  EXPECT_STATUS(0);
  before = strdup(play_run.out);
  RUN(PLAYER "--headless --frames %d --sound %s %s", frames, play_path("out.wav"), play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, before);
  ck_assert_str_eq(play_run.out, said);
  free(before);
  wave w = wave_read(play_path("out.wav"));
  ck_assert_uint_eq(w.frames, (size_t)frames * 800);
  return w;
}

#define EXPECT_PEAKS(w, from, to, left, right)                                                                         \
  do {                                                                                                                 \
    ck_assert_int_eq(wave_peak(w, 0, from, to), left);                                                                 \
    ck_assert_int_eq(wave_peak(w, 1, from, to), right);                                                                \
  } while (0)

TEST(playing, the_end_of_the_sample_ends_the_life_of_its_voice)
{
  wave w = play_game("", "local v = audio.play('hit') print(v, v.lifetime, v.sound, v.volume, v.pan, v.loop, v.pinned)",
                     "if step % 10 == 0 then print(step, voices()) end", 40,
                     "Voice#1 (live)\t0.5\thit\t1.0\t0.0\tfalse\tfalse\n10\t1\n20\t1\n30\t1\n40\t0\n");
  EXPECT_PEAKS(&w, 0, 0.5, LOUD, LOUD);
  EXPECT_PEAKS(&w, 0.5, 0.7, 0, 0);
  ck_assert_int_eq(abs(w.samples[2 * 23999]), LOUD);
  free(w.samples);
}

TEST(playing, fields_change_a_living_voice_and_recycle_stops_it)
{
  wave w = play_game("local v",
                     "v = audio.play('hit', { loop = true, pinned = true, volume = 0.5, pan = -1 })"
                     " print(v.remaining, v.pinned, v.volume, v.pan)",
                     "if step == 61 then v.pan = 1 end if step == 91 then v.volume = 0.1 end"
                     " if step == 121 then print(v:recycle(), v.alive) end",
                     150, "inf\ttrue\t0.5\t-1.0\ntrue\tfalse\n");
  EXPECT_PEAKS(&w, 0.1, 0.95, LOUD / 2, 0);
  EXPECT_PEAKS(&w, 1.1, 1.45, 0, LOUD / 2);
  EXPECT_PEAKS(&w, 1.6, 1.95, 0, LOUD / 10);
  EXPECT_PEAKS(&w, 2.1, 2.5, 0, 0);
  free(w.samples);
}

/* 0.5 s from the start of the round in which it was turned off. */
TEST(playing, a_loop_that_is_turned_off_ends_with_its_round)
{
  wave w = play_game("local v", "v = audio.play('hit', { loop = true })",
                     "if step == 66 then v.loop = false end if step % 15 == 0 then print(step, v.alive) end", 105,
                     "15\ttrue\n30\ttrue\n45\ttrue\n60\ttrue\n75\ttrue\n90\ttrue\n105\tfalse\n");
  EXPECT_PEAKS(&w, 1.2, 1.45, LOUD, LOUD);
  EXPECT_PEAKS(&w, 1.55, 1.75, 0, 0);
  free(w.samples);
}

TEST(playing, the_pool_has_32_voices_and_pinned_ones_stay)
{
  wave w = play_game("local first",
                     "first = audio.play('hit', { pinned = true, volume = 0 }) for i = 1, 40 do audio.play 'shot' end"
                     " local p = pools:pool 'Voice' print(p.limit, p.overflow, p.live, first.alive, p:stats().evicted)"
                     " p:set('pinned', true) print(audio.play 'hit')",
                     "", 5, "32\toldest\t32\ttrue\t9\nnil\tfull\n");
  free(w.samples);
}

TEST(playing, a_class_sounds_where_its_objects_are)
{
  wave w = play_game("spawnpool.class('Gun', { sound = 'shot' })\n"
                     "spawnpool.class('Box', { sound = { spawn = 'shot', recycle = 'hit' } })\n"
                     "local Late = spawnpool.class('Late', { sound = 'shot' })\n"
                     "function Late:alloc(s, x) local o = Late.super.alloc(self, s) o.x = x return o end\n"
                     "spawnpool.class('Mute', { extends = 'Box', sound = {} })\n"
                     "local function last() local v for o in pools:pool('Voice'):each() do v = o end return v end",
                     "pools:alloc('Gun', 0, 800, 0) local v = last() print(voices(), v.sound, v.pan, v.x, v.visible)",
                     "if step == 15 then pools:alloc('Late', 0, 0) end if step == 16 then print(last().pan) end\n"
                     "if step == 30 then pools:alloc('Box', 0.5, 400, 0) print(voices()) end\n"
                     "if step == 61 then print(last().sound, last().pan) pools:alloc('Box') pools:alloc('Mute') end\n"
                     "if step == 62 then pools:recycle_all 'Mute' pools:recycle_all 'Box' print(voices()) end\n"
                     "if step == 63 then local other = spawnpool.new() other:alloc('Gun') print(voices()) end",
                     70, "1\tshot\t1.0\t800.0\tfalse\n-1.0\n1\nhit\t0.0\n2\n2\n");
  EXPECT_PEAKS(&w, 0.02, 0.08, 0, LOUD / 2);
  EXPECT_PEAKS(&w, 0.28, 0.33, LOUD / 2, 0);
  EXPECT_PEAKS(&w, 0.5, 0.58, LOUD / 2, LOUD / 2);
  free(w.samples);
}

/* At twice the size and turned by a right angle, what was 100 below the middle is 200 on its right. */
TEST(playing, a_class_sounds_where_the_camera_sees_its_objects)
{
  wave w = play_game("spawnpool.class('Gun', { sound = 'shot' })\n"
                     "local function last() local v for o in pools:pool('Voice'):each() do v = o end return v end\n"
                     "function game.draw(g) g:camera(5000, 300, 2, math.pi / 2) end",
                     "", "if step > 1 then pools:alloc('Gun', 0, 5000, 200 + 100 * step) print(last().pan) end", 3,
                     "0.5\n1.0\n");
  free(w.samples);
}

TEST(playing, the_game_may_have_a_class_of_its_own)
{
  play_write("pools/Voice.lua",
             "local spawnpool = require 'spawnpool'\n"
             "local Voice = spawnpool.class('Voice', { limit = 2, fields = { volume = 0.5, mood = 'calm' } })\n"
             "function Voice:alloc(s, t)\n"
             "  t.pan = -0.5 print(s, t.sound) return Voice.super.alloc(self, s, t)\n"
             "end\n"
             "return Voice\n");
  wave w = play_game(
      "", "local v = audio.play('hit') print(v.volume, v.mood, v.pan, v.visible, v.pool.limit, v.pool.overflow)",
      "if step == 2 then print(pools:alloc('Voice', 0, { sound = 'shot' }).volume) end", 20,
      "0.5\thit\n0.5\tcalm\t-0.5\tfalse\t2\toldest\n0\tshot\n0.5\n");
  free(w.samples);
}

/* A voice that the game allocates itself plays too, and ends with its sample. */
TEST(playing, a_voice_from_alloc_is_a_voice)
{
  wave w = play_game("local v", "v = pools:alloc('Voice', 0, { sound = 'hit' })",
                     "if step % 20 == 0 then print(v.alive) end", 40, "true\nfalse\n");
  EXPECT_PEAKS(&w, 0.1, 0.45, LOUD, LOUD);
  EXPECT_PEAKS(&w, 0.55, 0.66, 0, 0);
  free(w.samples);
}

TEST(playing, music_and_master_volume)
{
  wave w = play_game("", "print(audio.music('hit', { volume = 0.5 }), audio.volume(), audio.mute(), voices())",
                     "if step == 61 then print(audio.music 'hit') end\n" /* goes on, at full volume */
                     "if step == 91 then print(audio.volume(0.2)) end\n"
                     "if step == 121 then print(audio.mute(true)) end\n"
                     "if step == 151 then audio.mute(false) audio.volume(1) audio.music(nil) audio.play 'shot' end\n"
                     "if step == 181 then audio.music('shot', { loop = false }) end\n"
                     "if step == 211 then audio.music 'hit' audio.play('hit', { pinned = true }) audio.stop() end\n"
                     "if step == 212 then print(voices()) end",
                     240, "true\t1.0\tfalse\t0\ntrue\n0.20000000298023\ntrue\n0\n");
  EXPECT_PEAKS(&w, 0.1, 0.95, LOUD / 2, LOUD / 2);
  EXPECT_PEAKS(&w, 1.1, 1.45, LOUD, LOUD);
  EXPECT_PEAKS(&w, 1.6, 1.95, LOUD / 5, LOUD / 5);
  EXPECT_PEAKS(&w, 2.1, 2.45, 0, 0);
  EXPECT_PEAKS(&w, 2.52, 2.58, LOUD / 2, LOUD / 2);
  EXPECT_PEAKS(&w, 2.65, 2.95, 0, 0);
  EXPECT_PEAKS(&w, 3.03, 3.08, LOUD / 2, LOUD / 2);
  EXPECT_PEAKS(&w, 3.15, 3.45, 0, 0);
  EXPECT_PEAKS(&w, 3.55, 3.95, 0, 0);
  free(w.samples);
}

/* Half a second of 441 Hz, encoded: as long, and about as loud. */
TEST(playing, ogg_files_are_played)
{
  size_t size;
  char *bytes = gamerun_read("tests/demo/sounds/tone.ogg", &size);
  gamerun_write(play_path("sounds/tone.ogg"), bytes, size);
  wave w = play_game("local v", "v = audio.play 'tone' print(v.lifetime)", "if step % 20 == 0 then print(v.alive) end",
                     40, "0.5\ntrue\nfalse\n");
  ck_assert_int_gt(wave_peak(&w, 0, 0.1, 0.4), 12000);
  ck_assert_int_lt(wave_peak(&w, 0, 0.1, 0.4), 20000);
  EXPECT_PEAKS(&w, 0.52, 0.66, 0, 0);
  free(w.samples);
  free(bytes);
}

/* Pools of another manager do not sound, and a closed one has no voices. */
TEST(playing, without_the_default_manager_there_are_no_voices)
{
  wave w = play_game("", "pools:close() print(audio.play 'hit') audio.music 'hit' audio.stop() audio.volume(1)", "", 5,
                     "nil\tclosed\n");
  EXPECT_PEAKS(&w, 0, 0.08, 0, 0);
  free(w.samples);
}

/* An error in the class of voices is told, and what sounds lives on. */
TEST(playing, a_voice_that_fails_harms_nobody)
{
  play_write("pools/Voice.lua", "local spawnpool = require 'spawnpool'\n"
                                "return spawnpool.class('Voice', { on_spawn = function() error 'hoarse' end })\n");
  play_write("main.lua", HEAD "spawnpool.class('Gun', { sound = { spawn = 'hit', recycle = 'hit' } })\n"
                              "function game.load()\n"
                              "  local gun = pools:alloc('Gun') print(gun, gun:recycle(), voices())\n"
                              "  print(pcall(audio.play, 'hit'))\n"
                              "end\n"
                              "return game\n");
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.out, "Gun#1 (stale)\ttrue\t0\nfalse\t");
  EXPECT_IN(play_run.err, "Gun.sound: ");
  EXPECT_IN(play_run.err, "pools/Voice.lua:2: hoarse");
}

TEST(playing, fields_of_a_voice_stay_what_they_are)
{
  play_write("main.lua", HEAD "function game.load()\n"
                              "  spawnpool.class('Voice', { fields = { volume = 'loud' } })\n"
                              "  print(pcall(audio.play, 'hit'))\n"
                              "  spawnpool.class('Voice', { fields = { loop = spawnpool.any() } })\n"
                              "  print(pcall(audio.play, 'hit'))\n"
                              "  spawnpool.class('Voice', { fields = { pan = spawnpool.live(0.5) } })\n"
                              "  print(audio.play('hit').pan)\n"
                              "end\n"
                              "return game\n");
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "class 'Voice': field 'volume' is built in and holds a number\n");
  EXPECT_IN(play_run.out, "class 'Voice': field 'loop' is built in and holds a boolean\n");
  EXPECT_IN(play_run.out, "\n0.5\n");
}

#define PLAYS(call) HEAD "function game.load() print(pcall(function() return (" call ") end)) end return game"
TEST(playing, mistakes_are_told_with_the_line_that_makes_them)
{
#define WRONG(call, message) {PLAYS(call), HEADLESS "%s", 0, "~main.lua:5: " message, ""}
  EXPECT_RUNS(
      WRONG("audio.play()", "bad argument #1 to 'play' (string expected, got no value)"),
      WRONG("audio.play(3)", "bad argument #1 to 'play' (string expected, got number)"),
      WRONG("audio.play '../main'", "bad argument #1 to 'play' (a sound is named like its file in sounds/"),
      WRONG("audio.play 'a/b'", "bad argument #1 to 'play' (a sound is named like its file in sounds/"),
      WRONG("audio.play 'a\\0b'", "bad argument #1 to 'play' (a sound is named like its file in sounds/"),
      WRONG("audio.play('hit', 3)", "bad argument #2 to 'play' (table expected, got number)"),
      WRONG("audio.play('hit', { vol = 1 })", "bad argument #2 to 'play' (no option 'vol'; the nearest is 'volume')"),
      WRONG("audio.play('hit', { 1 })", "bad argument #2 to 'play' (no option 'number')"),
      WRONG("audio.play('hit', { pan = 'x' })", "bad argument #2 to 'play' (pan must be a number, got a string)"),
      WRONG("audio.play('hit', { pan = 0 / 0 })", "bad argument #2 to 'play' (pan must be a finite number)"),
      WRONG("audio.play('hit', { loop = 1 })", "bad argument #2 to 'play' (loop must be a boolean, got a number)"),
      WRONG("audio.music('hit', { pan = 1 })", "bad argument #2 to 'music' (no option 'pan')"),
      WRONG("audio.volume(2)", "bad argument #1 to 'volume' (a number from 0 to 1 expected)"),
      WRONG("audio.mute(1)", "bad argument #1 to 'mute' (boolean expected, got number)"),
      WRONG("spawnpool.class('A', { sound = 'a/b' })", "class 'A': sound must be the name of a file in sounds/"),
      WRONG("spawnpool.class('A', { sound = { spwn = 'b' } })", "class 'A': sound has no entry 'spwn'"),
      WRONG("spawnpool.class('Voice', { overflow = 'error', limit = 0 }) and audio.play 'hit'",
            "pool 'Voice' is full (limit 0)"));
}

TEST(playing, a_missing_sound_is_told_once_and_its_voice_lives_in_silence)
{
  play_write("main.lua", HEAD "spawnpool.class('Gun', { sound = 'gun' })\n"
                              "function game.load() audio.play 'hat' pools:alloc 'Gun' end\n"
                              "function game.update() step = step + 1 audio.play('hat')\n"
                              " if step == 1 then print(audio.music 'hut') pools:alloc 'Gun' print(voices()) end\n"
                              " if step == 9 then spawnpool.class('Voice').limit = 1 end\n"
                              "end\n"
                              "return game\n");
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "false\n4\n");
  EXPECT_LINES(play_run.err, 3);
  EXPECT_IN(play_run.err, "main.lua:6: no sound 'hat' (the nearest is 'hit'): save ");
  EXPECT_IN(play_run.err, "/sounds/hat.wav or .ogg, and it plays from the next time on; until then it is silent\n");
  EXPECT_IN(play_run.err, "class 'Gun': no sound 'gun'");
  EXPECT_IN(play_run.err, "main.lua:8: no sound 'hut'");
}

/* Nothing is played then, and no file of a sound is opened. */
TEST(playing, a_game_with_sounds_can_be_checked)
{
  play_write("main.lua", HEAD "audio.play 'hit' audio.music 'hat' audio.stop() return game\n");
  RUN(PLAYER "--check %s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
}

/* What is beyond the folder is not read, also by a link. */
TEST(playing, files_of_the_game_only)
{
  wave_write(play_path("../outside-of-the-game.wav"), 0.5, LOUD);
  ck_assert_int_eq(symlink("../../outside-of-the-game.wav", play_path("sounds/link.wav")), 0);
  play_write("sounds/text.wav", "no sound at all");
  wave w = play_game("", "audio.play 'link' audio.play 'text'", "", 5, "");
  unlink(play_path("../outside-of-the-game.wav"));
  EXPECT_PEAKS(&w, 0, 0.08, 0, 0);
  EXPECT_LINES(play_run.err, 2);
  EXPECT_IN(play_run.err, "sounds/link.wav: ");
  EXPECT_IN(play_run.err,
            "sounds/text.wav: neither a WAV nor an Ogg Vorbis file; it is silent until you save it again\n");
  free(w.samples);
}

/* A window that nobody sees, and a driver of SDL that writes what a device would play, and says so. */
#define ON_DISK "SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=%s "
#define DISK_DRIVER "You are using the SDL disk i/o audio driver!"

/* A device that writes what it would play: voices and the music, which is streamed, behind the second wall. */
TEST(playing, a_device_plays_the_same)
{
  size_t size;
  int peak = 0;
  play_write("main.lua", HEAD "function game.load() audio.music('hit', { volume = 0.5 }) audio.play 'shot' end\n"
                              "function game.update() step = step + 1 if step == 40 then audio.play('shot') end end\n"
                              "return game\n");
  RUN(ON_DISK PLAYER "--frames 70 %s", play_path("device.raw"), play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.err, DISK_DRIVER);
  ck_assert_ptr_null(strstr(play_run.err, "warning"));
  char *bytes = gamerun_read(play_path("device.raw"), &size);
  ck_assert_uint_gt(size, 70 * 800 * 4 / 2);
  for (size_t i = 0; i + 1 < size; i += 2) {
    int16_t sample;
    memcpy(&sample, bytes + i, 2);
    peak = abs(sample) > peak ? abs(sample) : peak;
  }
  ck_assert_int_le(abs(peak - LOUD), LOUD / 50);
  free(bytes);
}

/* Neither the library nor the device. */
TEST(playing, a_game_without_sounds_opens_no_device)
{
  unlink(play_path("sounds/hit.wav"));
  unlink(play_path("sounds/shot.wav"));
  play_write("main.lua",
             HEAD "spawnpool.class('Gun', {}) function game.update() pools:alloc('Gun', 1) end return game\n");
  RUN(ON_DISK PLAYER "--frames 5 %s", play_path("device.raw"), play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
  ck_assert_int_ne(access(play_path("device.raw"), F_OK), 0);
}

TEST(playing, the_file_for_the_sound_is_checked)
{
  play_write("main.lua", "return {}");
  EXPECT_RUNS({NULL, HEADLESS "--sound /nowhere/at/all.wav %s", 2, "",
               "spawnpool: cannot write the sound to '/nowhere/at/all.wav': No such file or directory\n"},
              {NULL, HEADLESS "--sound '' %s", 2, "", "~--sound wants a file name"});
}

/* }== */

/* {== Edits ============================================================== */

static void open_edited(void)
{
  edit_open();
  ck_assert_int_eq(mkdir(edit_path("sounds"), 0700), 0);
  wave_write(edit_path("sounds/hit.wav"), 0.5, LOUD);
}

static test_group edited = {"edited", open_edited, edit_close, 120};

TEST(edited, a_saved_sound_is_heard_at_the_next_play)
{
  char sound[600];
  snprintf(sound, sizeof sound, "--headless --realtime --sound %s", edit_path("out.wav"));
  edit_write("main.lua", HEAD "function game.load() print 'started' end\n"
                              "function game.update() if voices() == 0 then print(audio.play('hit').lifetime) end end\n"
                              "return game\n");
  edit_start("", sound);
  edit_await("started\n0.5\n");
  wave_write(edit_path("sounds/hit.wav"), 0.25, LOUD / 4);
  edit_await("reloaded sounds/hit.wav in ");
  edit_await(" ms: the next voice has it\n");
  edit_await("0.25\n");
  edit_write("sounds/hit.wav", "RIFF");
  edit_await(
      "sounds/hit.wav: neither a WAV nor an Ogg Vorbis file; its last good sound stays until you save it again\n");
  edit_await("0.25\n");
  unlink(edit_path("sounds/hit.wav"));
  edit_await("sounds/hit.wav is gone: its last sound stays\n");
  edit_await("0.25\n");
  edit_await("0.25\n");
  edit_end(0);
  wave w = wave_read(edit_path("out.wav"));
  double seconds = (double)w.frames / PCM_RATE;
  EXPECT_PEAKS(&w, 0, 0.4, LOUD, LOUD);
  EXPECT_PEAKS(&w, seconds - 0.3, seconds, LOUD / 4, LOUD / 4);
  free(w.samples);
}

/* The setting follows an edit like any other, and so does the class of voices. */
TEST(edited, a_class_that_gets_a_sound_is_heard)
{
  ck_assert_int_eq(mkdir(edit_path("pools"), 0700), 0);
  edit_write("pools/Gun.lua", "return require('spawnpool').class('Gun', {})");
  edit_write("main.lua", HEAD "local last\n"
                              "function game.update() pools:alloc('Gun', 0.1)\n"
                              " local now = voices() .. ' of ' .. pools:pool('Voice').limit .. ' '\n"
                              " if now ~= last then last = now print(now) end end\n"
                              "return game\n");
  edit_start("", "--headless --realtime");
  edit_await("0 of 32 ");
  edit_write("pools/Gun.lua", "return require('spawnpool').class('Gun', { sound = 'hit' })");
  edit_await("30 of 32 ");
  edit_write("pools/Voice.lua", "return require('spawnpool').class('Voice', { limit = 7 })");
  edit_await(" of 7 "); /* a lowered limit ends no life */
  edit_write("pools/Gun.lua", "return require('spawnpool').class('Gun', { sound = {} })");
  edit_await("0 of 7 ");
  edit_end(0);
}

TEST(edited, a_new_file_gives_a_missing_sound_its_voice)
{
  edit_write("main.lua", HEAD "local v\n"
                              "function game.update() if not v or not v.alive then v = audio.play 'new'\n"
                              " print('lives', v.lifetime) end end\n"
                              "return game\n");
  edit_start("", "--headless --realtime");
  edit_await("no sound 'new'");
  edit_await("lives\t1.0\n");
  wave_write(edit_path("sounds/new.wav"), 0.2, LOUD);
  edit_await("reloaded sounds/new.wav in ");
  edit_await("lives\t0.2\n");
  edit_end(0);
}

/* }== */

SUITE(player_audio, &playing, &edited)
