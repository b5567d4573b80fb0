/*
** What tests of the player from outside stand on: a folder with a small game, and the last run of the program.
*/
#ifndef SP_TESTS_PLAY_H
#define SP_TESTS_PLAY_H

#include "support/process.h"

#include <check.h>
#include <string.h>

#define PLAYER SP_BUILD_DIR "/spawnpool "

extern char play_folder[256]; /* of the game */
extern test_process play_run; /* the last one */

/* A checked fixture: an empty folder, and its end. */
void play_open(void);
void play_close(void);

/* The path of a file of the game. One of four buffers. */
const char *play_path(const char *name);
/* Writes a file of the game. */
void play_write(const char *name, const char *content);

/* Runs a command line, given as for printf. */
#define RUN(...) RUN_FOR(60, __VA_ARGS__)
#define RUN_FOR(seconds, ...)                                                                                          \
  do {                                                                                                                 \
    if (play_run.out)                                                                                                  \
      test_process_free(&play_run);                                                                                    \
    play_run = test_run(seconds, __VA_ARGS__);                                                                         \
    ck_assert_msg(!play_run.timed_out, "timed out: %s%s", play_run.out, play_run.err);                                 \
  } while (0)

#define EXPECT_STATUS(expected)                                                                                        \
  ck_assert_msg(play_run.status == (expected), "status %d\nout: %s\nerr: %s", play_run.status, play_run.out,           \
                play_run.err)
#define EXPECT_IN(text, part) ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text)

#endif
