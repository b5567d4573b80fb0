/*
** How long sound files are, and what the mixer makes of voices, sample by sample.
*/
#include "demo/audio/audio.h"
#include "demo/audio/mixer.h"
#include "demo/play.h"
#include "demo/wave.h"
#include "support/test.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOUD 10000

/* {== Files ============================================================== */

static test_group files = {"files", play_open, play_close};

static char *read_file(const char *path, size_t *size)
{
  char *bytes = SDL_LoadFile(path, size);
  ck_assert_msg(bytes != NULL, "%s", SDL_GetError());
  return bytes;
}

/* Every part of a file that is saved slowly is refused, until the last byte is there. */
static void expect_whole_only(const char *path, double seconds)
{
  sound_length length;
  size_t size;
  char *bytes = read_file(path, &size);
  for (size_t part = 0; part < size; part++) {
    char *copy = malloc(part + 1);
    memcpy(copy, bytes, part);
    SDL_ClearError();
    ck_assert_msg(!sound_measure(copy, part, &length), "%s: %zu bytes of %zu", path, part, size);
    ck_assert_str_ne(SDL_GetError(), "");
    free(copy);
  }
  ck_assert(sound_measure(bytes, size, &length));
  ck_assert_double_eq_tol(length.seconds, seconds, 1e-9);
  ck_assert_double_ge(length.most, length.seconds);
  SDL_free(bytes);
}

TEST(files, the_length_of_a_whole_file_is_known)
{
  wave_write(play_path("a.wav"), 0.05, LOUD);
  expect_whole_only(play_path("a.wav"), 0.05);
  expect_whole_only("tests/demo/sounds/tone.ogg", 0.5);
}

/* Bytes that differ in one place: nothing but the length may follow, and nothing outside of the file is read. */
TEST(files, a_damaged_file_is_refused_or_has_a_length)
{
  size_t size;
  char *bytes = read_file("tests/demo/sounds/tone.ogg", &size);
  wave_write(play_path("a.wav"), 0.01, LOUD);
  for (int kind = 0; kind < 2; kind++) {
    for (size_t at = 0; at < size && at < 4096; at++) {
      sound_length length = {.seconds = -1};
      char *copy = malloc(size);
      memcpy(copy, bytes, size);
      copy[at] = (char)~copy[at];
      bool fine = sound_measure(copy, size, &length);
      ck_assert(fine ? length.seconds > 0 && isfinite(length.most) : length.seconds < 0);
      free(copy);
    }
    SDL_free(bytes);
    bytes = read_file(play_path("a.wav"), &size);
  }
  SDL_free(bytes);
}

/* }== */

/* {== Mixing ============================================================= */

static mixer *mix;
static int16_t heard[PCM_RATE * 2];

static void open_mixer(void) { ck_assert_ptr_nonnull(mix = mixer_open()); }
static void close_mixer(void) { mixer_close(mix); }

static test_group mixing = {"mixing", open_mixer, close_mixer};

/* A sound whose samples all are LOUD. */
static pcm *constant(size_t frames)
{
  int16_t *samples = malloc(frames * 2 * sizeof *samples);
  for (size_t i = 0; i < frames * 2; i++)
    samples[i] = LOUD;
  pcm *it = pcm_copy(samples, frames);
  free(samples);
  return it;
}

static const int16_t *hear(size_t frames)
{
  memset(heard, 0, sizeof heard);
  mixer_mix(mix, heard, frames);
  return heard;
}

static void set(const mixer_voice *voices, size_t count) { ck_assert(mixer_set_voices(mix, voices, count)); }

TEST(mixing, volume_and_pan_of_a_voice)
{
  static const struct {
    float volume, pan;
    int left, right;
  } rows[] = {{1, 0, LOUD, LOUD},
              {0.5f, 0, LOUD / 2, LOUD / 2},
              {1, -1, LOUD, 0},
              {1, 1, 0, LOUD},
              {1, 0.5f, LOUD / 2, LOUD},
              {2, -0.5f, 2 * LOUD, LOUD},
              {0, 0, 0, 0},
              {-1, 0, 0, 0},
              {1, -7, LOUD, 0},
              {(float)NAN, 0, 0, 0},
              {1, (float)NAN, LOUD, 0}};
  pcm *tone = constant(48000);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    mixer_voice voice = {.key = i + 1, .sound = tone, .volume = rows[i].volume, .pan = rows[i].pan};
    set(&voice, 1);
    hear(600); /* the voice before fades out */
    const int16_t *out = hear(2);
    ck_assert_int_eq(out[0], rows[i].left);
    ck_assert_int_eq(out[1], rows[i].right);
  }
  set(NULL, 0);
  hear(600);
  set(NULL, 0);
  ck_assert_uint_eq(tone->users, 1);
  pcm_release(tone);
}

TEST(mixing, a_sound_plays_once_or_in_a_loop_to_the_sample)
{
  for (int loop = 0; loop < 2; loop++) {
    pcm *tone = constant(1000);
    tone->samples[0] = 1;
    mixer_voice voice = {.key = 7, .sound = tone, .volume = 1, .loop = loop};
    set(&voice, 1);
    const int16_t *out = hear(2500);
    for (size_t i = 0; i < 2500; i++)
      ck_assert_int_eq(out[i * 2], !loop && i >= 1000 ? 0 : i % 1000 == 0 ? 1 : LOUD);
    set(NULL, 0);
    pcm_release(tone);
  }
}

/* A jump to silence would click. What is nearly over plays to its end instead. */
TEST(mixing, a_voice_that_ends_fades_out)
{
  static const size_t lengths[] = {48000, 2000};
  for (size_t row = 0; row < 2; row++) {
    pcm *tone = constant(lengths[row]);
    mixer_voice voice = {.key = row + 1, .sound = tone, .volume = 1};
    set(&voice, 1);
    hear(100);
    set(NULL, 0);
    const int16_t *out = hear(3000);
    for (size_t i = 1; i < 1900; i++)
      ck_assert_int_le(abs(out[i * 2] - out[i * 2 - 2]), LOUD / 100);
    ck_assert_int_eq(out[2 * 1000], row == 0 ? 0 : LOUD);
    ck_assert_int_eq(out[2 * 2900], 0);
    set(NULL, 0);
    ck_assert_uint_eq(tone->users, 1);
    pcm_release(tone);
  }
}

TEST(mixing, equal_sounds_at_once_do_not_add_up)
{
  static const int counts[] = {1, 2, 4, 64};
  static const double expected[] = {1, 1.414, 2, 2};
  for (size_t row = 0; row < 4; row++) {
    pcm *tone = constant(4800);
    mixer_voice voices[64];
    for (int i = 0; i < counts[row]; i++)
      voices[i] = (mixer_voice){.key = 1000 * (row + 1) + (uint64_t)i, .sound = tone, .volume = 0.5f};
    set(voices, (size_t)counts[row]);
    hear(600);
    ck_assert_double_eq_tol(hear(1)[0], expected[row] * LOUD / 2, 5);
    set(NULL, 0);
    hear(4800);
    set(NULL, 0);
    pcm_release(tone);
  }
}

/* Loud voices bend towards the range; none leaves it, and no sign turns. */
TEST(mixing, too_loud_is_compressed)
{
  pcm *tones[40];
  mixer_voice voices[40];
  int last = 0;
  for (size_t i = 0; i < 40; i++) {
    tones[i] = constant(48000);
    voices[i] = (mixer_voice){.key = i + 1, .sound = tones[i], .volume = 1};
    set(voices, i + 1);
    hear(600);
    int now = hear(1)[0];
    ck_assert_int_ge(now, last);
    ck_assert_int_eq(i < 2 ? now : 0, i < 2 ? (int)(i + 1) * LOUD : 0);
    last = now;
  }
  ck_assert_int_gt(last, 31000);
  mixer_pause(mix, true);
  ck_assert_int_eq(hear(1)[0], 0);
  for (size_t i = 0; i < 40; i++)
    pcm_release(tones[i]);
}

/* A voice that is restored with a saved game begins where it was. */
TEST(mixing, an_old_voice_begins_in_the_middle)
{
  pcm *tone = constant(48000);
  tone->samples[24000 * 2] = 5;
  mixer_voice voices[] = {{.key = 1, .sound = tone, .volume = 1, .age = 0.5},
                          {.key = 2, .sound = tone, .volume = 1, .age = 7.5, .loop = true},
                          {.key = 3, .sound = tone, .volume = 1, .age = 7.5}};
  set(&voices[0], 1);
  ck_assert_int_eq(hear(1)[0], 5);
  set(&voices[1], 1);
  hear(1);
  set(NULL, 0);
  set(&voices[2], 1);
  hear(600);
  ck_assert_int_eq(hear(1)[0], 0);
  pcm_release(tone);
}

/* }== */

SUITE(mixer, &files, &mixing)
