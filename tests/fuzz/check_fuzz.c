/*
** The kept corpus of every fuzz target, played once: what a fuzzer found before must hold on every build, with any
** compiler. SP_FUZZ_INPUT names one file to play instead, SP_FUZZ_CORPUS another folder with a folder for each target.
*/
#include "fuzz/fuzz.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void play_file(fuzz_target *target, const char *path)
{
  static uint8_t bytes[1 << 16];
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
  const char *wanted = getenv("SP_FUZZ_INPUT"), *corpus = getenv("SP_FUZZ_CORPUS");
  if (wanted) {
    play_file(target, wanted);
    return;
  }
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

static test_group of_model = {"model"};
static test_group of_lua = {"lua"};
static test_group of_png = {"png"};
static test_group of_options = {"options"};
static test_group of_load = {"load"};
static test_group of_codec = {"codec"};
static test_group of_recording = {"recording"};
static test_group of_zip = {"zip"};

TEST(of_model, games_of_the_core_and_its_model_hold) { play_corpus(fuzz_model, "model"); }

TEST(of_lua, programs_in_lua_hold) { play_corpus(fuzz_lua, "lua"); }

TEST(of_png, pictures_hold) { play_corpus(fuzz_png, "png"); }

TEST(of_options, command_lines_hold) { play_corpus(fuzz_options, "options"); }

TEST(of_load, saves_hold) { play_corpus(fuzz_load, "load"); }

TEST(of_codec, values_hold) { play_corpus(fuzz_codec, "codec"); }

TEST(of_recording, recordings_hold) { play_corpus(fuzz_recording, "recording"); }

TEST(of_zip, zips_hold) { play_corpus(fuzz_zip, "zip"); }

static int play_damaged(const uint8_t *data, size_t size)
{
  uint8_t *bytes = malloc(size + 1);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, data, size);
  for (size_t i = 0; i < size; i++) {
    fuzz_zip(bytes, i);
    bytes[i] ^= (uint8_t)(1 << i % 8);
    fuzz_zip(bytes, size);
    bytes[i] = 0xff;
    fuzz_zip(bytes, size);
    bytes[i] = data[i];
  }
  free(bytes);
  return 0;
}

/* Cut at every byte, and with every byte changed. */
TEST(of_zip, damaged_zips_hold) { play_corpus(play_damaged, "zip"); }

SUITE(fuzz, &of_model, &of_lua, &of_png, &of_options, &of_load, &of_codec, &of_recording, &of_zip)
