/*
** The log of a run, frame by frame: the entries of a recording, in memory. All that frames are played again from.
*/
#ifndef SP_SESSION_LOG_H
#define SP_SESSION_LOG_H

#include "session/spawnpool_session.h"

typedef enum sp_entry_kind {
  SP_ENTRY_EVENT,  /* `name` is its kind, with fields */
  SP_ENTRY_CALL,   /* the host called the callback `name`; the names of fields are letters of sp_script_call */
  SP_ENTRY_ANSWER, /* of the machine to the question `name`: `value`, from the call `number` in the frame on */
  SP_ENTRY_EVAL,   /* `text` ran from outside; `name` is the selected object, "Bullet#12" or "" */
  SP_ENTRY_SET,    /* field `field` of the object `name` got the value `text` */
  SP_ENTRY_POLL,   /* the host looked for edits; `number` is an sp_poll */
  SP_ENTRY_REDRAW, /* the game drew without a frame */
  SP_ENTRY_FILE,   /* see below */
  SP_ENTRY_STORED, /* before the start `name` was stored: `text` has the bytes */
  SP_ENTRY_ERROR,  /* of the game: `text` */
  SP_ENTRY_PARTS,  /* of the pool `name` at the end of the frame: JSON */
  SP_ENTRY_HASH,   /* at the end of the frame: `number` */
  SP_ENTRY_END,    /* of a recording that is whole */
  SP_ENTRY_KINDS
} sp_entry_kind;

/* An SP_ENTRY_FILE says of the file `name`: it is there at the start, `number` is the checksum; it was read for
   the first time, `text`; it was edited to `text`; or it is gone. */
typedef enum sp_entry_file { SP_FILE_LISTED, SP_FILE_READ, SP_FILE_EDITED, SP_FILE_GONE } sp_entry_file;

typedef struct sp_entry {
  uint64_t frame; /* 0: before the first */
  sp_entry_kind kind;
  sp_entry_file file;
  const char *name, *field, *text; /* never NULL; `text` has `size` bytes and a zero */
  size_t size;
  double value;
  uint64_t number;
  const sp_session_event_field *fields;
  size_t field_count;
  size_t bytes; /* of `memory`, where all of it lies */
  char *memory;
} sp_entry;

typedef struct sp_log {
  sp_entry *list;
  size_t count, room, bytes;
  uint32_t *digests; /* of the end of frame i + 1; 0: not known */
  size_t digest_count, digest_room;
  bool is_cut; /* its beginning was dropped, or an entry is missing: no recording can be written */
} sp_log;

void sp_log_free(sp_log *log); /* a zeroed one is empty */

/* Adds a copy of an entry. False when memory is refused. */
bool sp_log_add(sp_log *log, const sp_entry *entry);
/* Replaces what an entry says of the state: the number, or the text. */
void sp_log_set_number(sp_log *log, size_t index, uint64_t number);

/* Sets the digest of the end of a frame, from 1 on; returns it, 0 when there is none. */
void sp_log_set_digest(sp_log *log, uint64_t frame, uint32_t digest);
uint32_t sp_log_digest(const sp_log *log, uint64_t frame);

/* Returns the index of the first entry of `frame` or a later one; the count when there is none. */
size_t sp_log_find(const sp_log *log, uint64_t frame);

/* Removes the entry at an index; all entries after a frame; all before a frame, but those of files. */
void sp_log_remove(sp_log *log, size_t index);
void sp_log_cut(sp_log *log, uint64_t frame);
void sp_log_forget(sp_log *log, uint64_t frame);

/* Returns the bytes that it takes. */
size_t sp_log_bytes(const sp_log *log);

/* Copies an entry into memory of its own; a free is due. False when memory is refused. */
bool sp_entry_copy(sp_entry *to, const sp_entry *from);
void sp_entry_free(sp_entry *entry);

#endif
