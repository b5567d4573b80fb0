/*
** A file of recorded input: JSON, one object a line. The first line identifies the game and its options; each of the
** others is an entry with the number of its frame. recording.c has the table of all entries; docs/replays.md describes
** them.
*/
#ifndef SP_DEMO_RECORDING_H
#define SP_DEMO_RECORDING_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RECORDING_VERSION 1
#define RECORDING_ARGUMENTS_MOST 64
#define RECORDING_BYTES_MOST ((size_t)1 << 30) /* of a file */

typedef struct recording_head {
  const char *game;   /* its name */
  const char *player; /* version of the program */
  uint64_t files;     /* hash of its files, see game_files.h */
  uint64_t seed;      /* of the random numbers */
  int width, height;  /* of the window, points */
  float density;      /* pixels per point */
  double step;        /* seconds */
  int64_t start;      /* first result of os.time() */
  uint64_t memory;    /* bytes */
  bool trust;         /* --trust was given */
  int argc;           /* arguments of the game */
  const char *argv[RECORDING_ARGUMENTS_MOST];
} recording_head;

typedef enum recording_kind {
  RECORDING_EVENT,   /* input: `event`, and `unheard` if no callback was called for it */
  RECORDING_STEPS,   /* from this frame on each has `number` steps */
  RECORDING_SIZE,    /* from this frame on the window has this size: `width`, `height`, `density` */
  RECORDING_EVAL,    /* a text that ran from outside: `text`; `object` is selected */
  RECORDING_SET,     /* a field that was set from outside: `object`, `field`, `text` */
  RECORDING_QUIT,    /* the game was asked whether it may end; `ended`: it did, and the frame did not run */
  RECORDING_RELOAD,  /* edited files were loaded; `number` is their hash */
  RECORDING_ERROR,   /* an error of the game: `text` */
  RECORDING_HASH,    /* at the end of this frame the hash of the game was `number`; `text` has that of pools, as JSON */
  RECORDING_DIGESTS, /* of the frames from `number` on: `text`, four digits each */
  RECORDING_BACK,    /* the player went back in time: the run goes on from the end of frame `number` */
  RECORDING_END      /* the last line */
} recording_kind;

typedef struct recording_entry {
  uint64_t frame; /* from 1; 0: before the first */
  recording_kind kind;
  SDL_Event event;
  bool unheard, ended;
  uint64_t number, object;
  int width, height;
  float density;
  const char *field, *text;
} recording_entry;

typedef struct recording {
  recording_head head;
  recording_entry *entries;
  size_t count;
  uint64_t last; /* frame */
  bool is_whole; /* it ends with RECORDING_END: the player was not killed */
  char *bytes;   /* memory of all texts */
} recording;

/* Returns whether games receive such an event: only these are recorded. One that is read back has the same effect on the
   game; its gamepad is GAMEPAD_NONE. */
bool recording_has_event(const SDL_Event *event);

/* Write the head, and an entry. Errors are those of the stream. Allocate nothing. */
void recording_write_head(FILE *out, const recording_head *head);
void recording_write_entry(FILE *out, const recording_entry *entry);

/* Reads a file, in which nothing is trusted: a replay can rely on what is returned. False, with one line in `error`: the
   file, the line in it, and what is wrong there. A last line that is cut off is dropped. Free with recording_free in any
   case; a zeroed one is empty. */
bool recording_read(recording *r, const char *file, char *error, size_t error_size);
void recording_free(recording *r);

#endif
