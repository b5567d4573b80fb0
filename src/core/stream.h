/*
** Bytes of a save, the same on every machine: whole numbers with their lowest byte first, floats by their bits. The
** checksum covers every byte.
*/
#ifndef SP_CORE_STREAM_H
#define SP_CORE_STREAM_H

#include "core/state.h"

#define SP_SAVE_MAGIC "spawnsav"
#define SP_SAVE_VERSION 1u
#define SP_STREAM_BUFFER 4096u
#define SP_NO_OWNER UINT32_MAX

typedef struct sp_writer {
  sp_write_fn write;
  void *ud;
  uint64_t sum;
  uint32_t used;
  bool failed; /* the host refused to write */
  unsigned char buffer[SP_STREAM_BUFFER];
} sp_writer;

typedef struct sp_reader {
  sp_read_fn read;
  void *ud;
  uint64_t sum;
  uint32_t used, size;
  bool failed; /* the bytes have ended, or make no sense: everything read from now on is 0 */
  unsigned char buffer[SP_STREAM_BUFFER];
} sp_reader;

/* Write to the stream: numbers of `size` bytes, strings with their length, bytes as they are. What the host refuses
   sets `failed`, and the rest is dropped. */
void sp_put_bytes(sp_writer *w, const void *bytes, size_t size);
void sp_put_number(sp_writer *w, uint64_t number, uint32_t size);
void sp_put_text(sp_writer *w, const char *string);
void sp_put_double(sp_writer *w, double number);
void sp_put_float(sp_writer *w, float number);
/* A cell of 1, 2, 4 or 8 bytes is a number; others are bytes as they lie. */
void sp_put_cell(sp_writer *w, const void *cell, uint32_t size);
void sp_put_flush(sp_writer *w);

/* Read what these wrote. The end, or what makes no sense, sets `failed`; everything is 0 then. */
void sp_read_bytes(sp_reader *r, void *bytes, size_t size);
uint64_t sp_read_number(sp_reader *r, uint32_t size);
double sp_read_double(sp_reader *r);
float sp_read_float(sp_reader *r);
void sp_read_cell(sp_reader *r, void *cell, uint32_t size);
/* A text of at most `most` bytes with its end; false, and "" in `string`, when it is longer. */
bool sp_read_text(sp_reader *r, char *string, size_t most);

/* Marks the save damaged unless `holds` is true. */
static inline bool sp_read_expect(sp_reader *r, bool holds)
{
  r->failed |= !holds;
  return !r->failed;
}

#endif
