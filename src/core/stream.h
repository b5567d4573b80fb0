/*
** The bytes of a save, which are the same on every machine: whole numbers with their lowest byte first, floats by their
** bits, and a checksum at the end. A stream goes one way: each call writes what it is given, or reads it, so that one
** description does for both.
*/
#ifndef SP_CORE_STREAM_H
#define SP_CORE_STREAM_H

#include "core/state_visit.h"

#define SP_CHECKSUM_STRIPE 32u /* bytes that are added at a time */

typedef struct sp_checksum {
  uint64_t lanes[4], total;
  unsigned char stripe[SP_CHECKSUM_STRIPE]; /* bytes that wait for the rest of it */
} sp_checksum;

extern const sp_checksum sp_checksum_begin;

#define SP_STREAM_BUFFER 4096u

typedef struct sp_stream {
  sp_write_fn write; /* NULL: it reads */
  sp_read_fn read;
  void *ud;
  sp_checksum sum; /* of all bytes that were used, but for those after `summed` in the buffer */
  uint32_t used, size, summed;
  sp_result why; /* SP_OK; else the stream has failed, for this reason: nothing is written any more, and 0 is read */
  unsigned char buffer[SP_STREAM_BUFFER];
} sp_stream;

/* Makes the stream fail for this reason unless `holds` is true. Returns whether it has not failed. */
bool sp_stream_need(sp_stream *s, bool holds, sp_result why);
/* What is read is damaged unless this holds; what is written always does. */
bool sp_stream_expect(sp_stream *s, bool holds);
/* Goes over `size` bytes as they lie. */
void sp_stream_bytes(sp_stream *s, void *bytes, size_t size);
/* Goes over a number of `size` bytes, and returns it. */
uint64_t sp_stream_number(sp_stream *s, uint64_t number, uint32_t size);
/* Goes over a cell, which is a number if it has 1, 2, 4 or 8 bytes. */
void sp_stream_cell(sp_stream *s, void *cell, uint32_t size);
/* Goes over the saved members of a struct, within their limits. */
void sp_stream_members(sp_stream *s, const sp_member *list, void *of);
/* Goes over a text, shorter than SP_MAX_SAVE_NAME bytes. Returns `name`, or `room`, into
   which it was read. */
const char *sp_stream_text(sp_stream *s, const char *name, char *room);
/* Ends the bytes with the checksum of all before. */
void sp_stream_end(sp_stream *s);

#endif
