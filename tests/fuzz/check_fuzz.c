/*
** The kept corpus of every fuzz target, played once: what a fuzzer found before must hold on every build, with any
** compiler. SP_FUZZ_INPUT names one file to play instead, by the target SP_FUZZ_TARGET; SP_FUZZ_CORPUS another folder
** with a folder for each target.
*/
#include "fuzz/fuzz.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void play_file(fuzz_target *target, const char *path)
{
  static uint8_t bytes[1 << 18];
  FILE *f = fopen(path, "rb");
  ck_assert_msg(f != NULL, "cannot open %s", path);
  size_t size = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  uint8_t *exact = malloc(size ? size : 1); /* a read past the end shows */
  ck_assert_ptr_nonnull(exact);
  for (size_t i = 0; i < size; i++)
    exact[i] = bytes[i];
  target(exact, size);
  free(exact);
}

static void play_corpus(fuzz_target *target, const char *name)
{
  char folder_path[300], path[600];
  const char *corpus = getenv("SP_FUZZ_CORPUS");
  snprintf(folder_path, sizeof folder_path, "%s/%s", corpus ? corpus : "tests/fuzz/corpus", name);
  DIR *folder = opendir(folder_path);
  ck_assert_msg(folder != NULL, "there is no %s", folder_path);
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", folder_path, entry->d_name);
      play_file(target, path);
      count++;
    }
  closedir(folder);
  ck_assert_int_gt(count, 0);
}

static const struct {
  const char *name;
  fuzz_target *target;
} targets[] = {{"model", fuzz_model},         {"lua", fuzz_lua},   {"png", fuzz_png},
               {"options", fuzz_options},     {"load", fuzz_load}, {"codec", fuzz_codec},
               {"recording", fuzz_recording}, {"zip", fuzz_zip}};
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
