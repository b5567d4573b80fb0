/*
** Recordings as text: JSON, one object a line. The first line is the head; the others have a frame and say one thing
** each, which the first member behind the frame names. docs/embedding.md shows one.
*/
#ifndef SP_SESSION_RECORDING_H
#define SP_SESSION_RECORDING_H

#include "session/log.h"
#include "session/text.h"

#define SP_RECORDING_VERSION 3
enum { SP_RECORDING_ARGUMENTS_MOST = 64 };

/* The head of a recording: the run depends on it, too. Strings are the owner's. */
typedef struct sp_head {
  char game[128];   /* its name */
  char main[128];   /* the file of a game that is one file; "": it is a folder */
  char library[32]; /* version that recorded it */
  uint64_t seed;
  double step;     /* seconds */
  double start;    /* seconds since the epoch, at the start */
  uint64_t memory; /* bytes; 0: no limit */
  uint64_t powers; /* checksum of powers as this machine computes them */
  bool reload, trust;
  bool needs_apply, needs_draw, needs_opened; /* functions that the host had */
  int argument_count;
  char *arguments[SP_RECORDING_ARGUMENTS_MOST + 1];
} sp_head;

void sp_head_free(sp_head *head);
/* Copies the arguments of the game. False when there are too many, or one is no UTF-8; out of memory. */
bool sp_head_set_arguments(sp_head *head, int count, char *const *arguments);

/* Write lines. `digests` is that of frames from `first` to `last`, which are known. */
void sp_recording_head(sp_text *out, const sp_head *head);
void sp_recording_entry(sp_text *out, const sp_entry *entry);
void sp_recording_digests(sp_text *out, const sp_log *log, uint64_t first, uint64_t last);
void sp_recording_end(sp_text *out, uint64_t frame);

/* A recording that was read. */
typedef struct sp_recording {
  sp_head head;
  sp_log log;
  uint64_t last; /* frame */
  bool is_whole; /* it has an end */
} sp_recording;

/* Reads a recording; every line is checked. A last line that is cut off is dropped. False, with one line in `error`:
   the line that is wrong, and what is wrong there. Free it in any case; a zeroed one is empty. */
bool sp_recording_read(sp_recording *r, const char *bytes, size_t size, char *error, size_t error_size);
void sp_recording_free(sp_recording *r);

#endif
