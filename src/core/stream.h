/*
** The bytes of a save, the same on every machine: whole numbers with their lowest byte first, floats by their bits. One
** stream goes one way, and each call below writes its argument or reads it, so a format is described once for both.
*/
#ifndef SP_CORE_STREAM_H
#define SP_CORE_STREAM_H

#include "core/members.h"

#define SP_STREAM_BUFFER 4096u

typedef struct sp_stream {
  sp_write_fn write; /* NULL: it reads */
  sp_read_fn read;
  void *ud;
  uint64_t sum; /* of all bytes so far; begins as SP_SUM_BEGIN */
  uint32_t used, size;
  bool
      failed; /* the host refused to write, or the bytes have ended or make no sense: all that is read from now on is 0 */
  unsigned char buffer[SP_STREAM_BUFFER];
} sp_stream;

/* Marks a save that is read as damaged unless `holds` is true. Returns false when the stream has failed. */
static inline bool sp_stream_expect(sp_stream *s, bool holds)
{
  s->failed |= s->read && !holds;
  return !s->failed;
}

/* Pass `size` bytes as they lie; a number of 1, 2, 4 or 8 bytes, of which the one that was written or read is returned;
   a cell, which is a number if it has such a size, else bytes; all saved members of a struct, within their limits. */
void sp_stream_bytes(sp_stream *s, void *bytes, size_t size);
uint64_t sp_stream_number(sp_stream *s, uint64_t number, uint32_t size);
void sp_stream_cell(sp_stream *s, void *cell, uint32_t size);
void sp_stream_members(sp_stream *s, const sp_member *list, void *of);
/* Passes a text shorter than `most` bytes. Returns `text`, or `room`, which has `most` bytes and into which it is read;
   "" when that makes no sense. */
const char *sp_stream_text(sp_stream *s, const char *text, char *room, size_t most);
/* Ends the bytes with the checksum of all before, and gives the last ones to the host. */
void sp_stream_end(sp_stream *s);

#endif
