/*
** The kept corpus of every fuzz target, played once: what a fuzzer found before must hold on every build, with any
** compiler. SP_FUZZ_INPUT names one file to play instead, by the target SP_FUZZ_TARGET; SP_FUZZ_CORPUS another folder
** with a folder for each target.
*/
#include "fuzz/fuzz.h"
#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/files.h"
#include "support/test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void play_file(fuzz_target *target, const char *path)
{
  size_t size;
  FILE *f = fopen(path, "rb");
  ck_assert_msg(f != NULL, "cannot open %s", path);
  char *bytes = test_read_all(f, &size);
  bytes = realloc(bytes, size ? size : 1); /* a read past the end shows */
  ck_assert_ptr_nonnull(bytes);
  target((uint8_t *)bytes, size);
  free(bytes);
}

static void play_corpus(fuzz_target *target, const char *name)
{
  const char *corpus = getenv("SP_FUZZ_CORPUS");
  char files[300];
  glob_t found;
  snprintf(files, sizeof files, "%s/%s/*", corpus ? corpus : "tests/fuzz/corpus", name);
  ck_assert_msg(glob(files, 0, NULL, &found) == 0, "there is no %s", files);
  for (size_t i = 0; i < found.gl_pathc; i++)
    play_file(target, found.gl_pathv[i]);
  globfree(&found);
}

static const struct {
  const char *name;
  fuzz_target *target;
} targets[] = {{"model", fuzz_model}, {"lua", fuzz_lua},     {"png", fuzz_png},
               {"load", fuzz_load},   {"codec", fuzz_codec}, {"recording", fuzz_recording},
               {"zip", fuzz_zip}};
enum { TARGETS = sizeof targets / sizeof *targets };

static test_group fuzz = {"fuzz"};

TESTS(fuzz, every_kept_input_holds, TARGETS)
{
  const char *wanted = getenv("SP_FUZZ_INPUT"), *target = getenv("SP_FUZZ_TARGET");
  if (!wanted)
    play_corpus(targets[_i].target, targets[_i].name);
  else if (target && strcmp(target, targets[_i].name) == 0)
    play_file(targets[_i].target, wanted);
}

static int has_todays_version(const uint8_t *data, size_t size)
{
  core c;
  core_open(&c);
  core_tape t = core_save(c.manager);
  ck_assert(size > 12);
  ck_assert_mem_eq(data, t.bytes, 12);
  free(t.bytes);
  t = (core_tape){0};
  core_tape_write(&t, data, size);
  core_tape_sum(&t);
  ck_assert_mem_eq(t.bytes, data, size);
  free(t.bytes);
  core_close(&c);
  return 0;
}

/* A save of another version, or with another sum, is refused, and tests nothing. */
TEST(fuzz, kept_saves_have_the_version_of_today) { play_corpus(has_todays_version, "load"); }

/* Which of these is damaged. */
static fuzz_target *damaged;

/* Cut at a byte, or with it changed; of a large one not at every byte, which would take long. */
static int play_damaged(const uint8_t *data, size_t size)
{
  const size_t stride = size < 600 ? 1 : 13;
  uint8_t *bytes = malloc(size + 1);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, data, size);
  for (size_t i = 0; i < size; i += stride) {
    damaged(bytes, i);
    for (int how = 0; how < 3; how++) {
      bytes[i] = how == 0 ? bytes[i] ^ (uint8_t)(1 << i % 8) : how == 1 ? 0xff : 0;
      damaged(bytes, size);
    }
    bytes[i] = data[i];
  }
  free(bytes);
  return 0;
}

/* A zip, and a save whose checksum somebody puts right (_i). */
TESTS(fuzz, whatever_is_damaged_is_refused_or_sound, 2)
{
  damaged = _i ? fuzz_load : fuzz_zip;
  play_corpus(play_damaged, _i ? "load" : "zip");
}

SUITE(fuzz, &fuzz)
