/*
** A file of recorded input: JSON, one object a line. The first one is the head, which identifies the game and its
** options; then comes a line for each entry, with the number of its frame. docs/player.md shows one.
*/
#ifndef SP_DEMO_RECORDING_H
#define SP_DEMO_RECORDING_H

#include <SDL.h>
#include <stdint.h>

#include "demo/support/json_fields.h"
#include "script/host/inspect.h"

#define RECORDING_VERSION 2

typedef struct recording_head {
  const char *game;   /* its name */
  const char *player; /* version of the program */
  int version;        /* of the format: RECORDING_VERSION */
  uint64_t files;     /* hash of its files, see game_folder_hash */
  uint64_t seed;      /* of the random numbers */
  int width, height;  /* of the window, points */
  float density;      /* pixels per point */
  double step;        /* seconds */
  uint64_t start;     /* first result of os.time() */
  uint64_t memory;    /* bytes */
  bool trust;         /* --trust was given */
  bool clocks;        /* what clocks returned is recorded; else they return game time */
  json_texts arguments;
} recording_head;

/* Those up to RECORDING_QUIT are input. */
typedef enum recording_kind {
  RECORDING_EVENT,  /* input: `event`, and `unheard` if no callback was called for it */
  RECORDING_STEPS,  /* from this frame on each has `number` steps */
  RECORDING_SIZE,   /* from this frame on the window has this size: `width`, `height`, `density` */
  RECORDING_EVAL,   /* a text that ran from outside: `text`; `object` is selected */
  RECORDING_SET,    /* a field that was set from outside: `object`, `name`, `text` */
  RECORDING_CLOCK,  /* a clock, or another function that depends on the machine, returned `value` */
  RECORDING_STORED, /* before the game started, `text` was stored as `name`: see storage_each */
  RECORDING_QUIT,   /* the game was asked whether it may end; `ended`: it did, and the frame did not run */
  RECORDING_RELOAD, /* edited files were loaded; `at_once`: F5 was pressed */
  RECORDING_ERROR,  /* an error of the game: `text` */
  RECORDING_DIGEST, /* at the end of this frame the digest of the game was `number` */
  RECORDING_POOL,   /* and `text` the hashes of the parts of the pool `name`, as JSON: see state_parts */
  RECORDING_HASH,   /* and `number` the hash of the game */
  RECORDING_FILE,   /* a file of the game, `name`, had this `text`, or was `gone`; after frame 0 by an edit */
  RECORDING_BACK,   /* the player went back in time: the run goes on from the end of frame `number` */
  RECORDING_END     /* the last line */
} recording_kind;

typedef struct recording_entry {
  uint64_t frame; /* from 1; 0: before the first */
  recording_kind kind;
  SDL_Event event;
  int pad; /* number of the gamepad in `event` */
  bool unheard, ended, at_once, gone;
  uint64_t number, object;
  double value;
  int width, height;
  float density;
  const char *name, *text;
} recording_entry;

typedef struct recording {
  recording_head head;
  recording_entry *entries;
  size_t count;
  uint64_t last; /* frame */
  bool is_whole; /* it ends with RECORDING_END: the player was not killed */
  char *bytes;   /* memory of all texts */
} recording;

/* Returns whether a game can receive an event: only such are recorded. Gamepads and fingers have numbers, see
   devices_number. An event that is read back has the same effect on the game. */
bool recording_has_event(const SDL_Event *event);

/* Write the head, and an entry. Nothing is allocated. Errors are those of the stream. */
void recording_write_head(FILE *out, const recording_head *head);
void recording_write_entry(FILE *out, const recording_entry *entry);

#define RECORDING_OWN "recording.input" /* a game with a file of this name is a bug file: it is played as recorded */

/* Reads a file, or the one in a bug file; with `folder` one that must lie in it. Only regular files are read. Every
   line is checked, so that a replay can rely on it. False, with one line in `error`: the file, the line in it, and what
   is wrong there. A last line that is cut off is dropped, as is a log before the recording. Free with recording_free in
   any case; a zeroed one is empty. */
bool recording_read(recording *r, const char *folder, const char *file, char *error, size_t error_size);

/* Returns the recording in the list of a game's files, or NULL; reads it: `name` is for problems. */
const sp_script_file *recording_in(const sp_script_file *files);
bool recording_read_listed(recording *r, const char *name, const sp_script_file *files, char *error, size_t error_size);
void recording_free(recording *r);

/* Returns the index of the first of `count` entries after `frame`; `count` if there is none. */
size_t recording_after(const recording_entry *entries, size_t count, uint64_t frame);

/* {== The files of a game =============================================== */

/* The files at the end of a frame, as far as the recording has them: for sp_script_use_texts. They point to texts of
   the entries. A zeroed one is free. */
typedef struct recording_files {
  sp_script_file *list; /* NULL: none */
  size_t count, room;
} recording_files;

/* Replaces the files by those at the end of `frame`. False when there are none, or memory is refused. */
bool recording_files_at(recording_files *files, const recording_entry *entries, size_t count, uint64_t frame);
void recording_files_free(recording_files *files);

/* Returns the file of that name, or NULL. */
sp_script_file *recording_files_find(const recording_files *files, const char *name);

/* Takes the entry of a later edit; returns its file. */
sp_script_file *recording_files_take(recording_files *files, const recording_entry *e);

/* }== */

/* {== The parts of a state =============================================== */

/* Returns an object with a member for each pool, its parts: {"hash":"..","live":"..","idle":"..","order":"..",
   "fields":{"x":".."},"objects":{"#1":"..","#9..12":".."}}. Sets `*hash` to that of the whole. Free it with
   cJSON_Delete. When memory is refused, parts are missing. */
cJSON *state_parts(sp_script *script, uint64_t *hash);

/* Writes the hash of the game at the end of a frame; before it, `with_parts`, the parts of its pools, so that a replay
   has them when it compares the hash. */
void recording_write_hash(FILE *out, sp_script *script, uint64_t frame, bool with_parts);

/* Returns the recorded parts of the pools at the end of this frame. */
cJSON *recording_parts(const recording *all, uint64_t frame);

/* Writes where the state of now differs from those parts: the first pool, and a few of its objects and fields. */
void state_parts_compare(const cJSON *before, sp_script *now, char *out, size_t size);

/* }== */

#endif
