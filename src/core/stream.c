#include "core/stream.h"

/* {== Writing ============================================================ */

void sp_put_flush(sp_writer *w)
{
  if (w->used > 0 && !w->failed)
    w->failed = !w->write(w->ud, w->buffer, w->used);
  w->used = 0;
}

void sp_put_bytes(sp_writer *w, const void *bytes, size_t size)
{
  const unsigned char *from = bytes;
  w->sum = sp_sum(w->sum, from, size);
  while (size > 0) {
    size_t room = SP_STREAM_BUFFER - w->used, part = size < room ? size : room;
    memcpy(w->buffer + w->used, from, part);
    w->used += (uint32_t)part;
    from += part;
    size -= part;
    if (w->used == SP_STREAM_BUFFER)
      sp_put_flush(w);
  }
}

void sp_put_number(sp_writer *w, uint64_t number, uint32_t size)
{
  unsigned char bytes[sizeof number];
  for (uint32_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  sp_put_bytes(w, bytes, size);
}

void sp_put_text(sp_writer *w, const char *string)
{
  size_t size = strlen(string);
  sp_put_number(w, size, 4);
  sp_put_bytes(w, string, size);
}

void sp_put_double(sp_writer *w, double number) { sp_put_cell(w, &number, sizeof number); }
void sp_put_float(sp_writer *w, float number) { sp_put_cell(w, &number, sizeof number); }

void sp_put_cell(sp_writer *w, const void *cell, uint32_t size)
{
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  if (size == sizeof two) {
    memcpy(&two, cell, sizeof two);
    sp_put_number(w, two, size);
  } else if (size == sizeof four) {
    memcpy(&four, cell, sizeof four);
    sp_put_number(w, four, size);
  } else if (size == sizeof eight) {
    memcpy(&eight, cell, sizeof eight);
    sp_put_number(w, eight, size);
  } else {
    sp_put_bytes(w, cell, size);
  }
}

/* }== */

/* {== Reading ============================================================ */

static bool fill(sp_reader *r)
{
  r->used = 0;
  r->size = 0;
  if (!r->failed) {
    size_t got = r->read(r->ud, r->buffer, SP_STREAM_BUFFER);
    r->size = got <= SP_STREAM_BUFFER ? (uint32_t)got : 0;
  }
  r->failed |= r->size == 0;
  return !r->failed;
}

void sp_read_bytes(sp_reader *r, void *bytes, size_t size)
{
  unsigned char *to = bytes;
  while (size > 0) {
    if (r->failed || (r->used == r->size && !fill(r))) {
      memset(to, 0, size);
      return;
    }
    size_t there = r->size - r->used, part = size < there ? size : there;
    memcpy(to, r->buffer + r->used, part);
    r->sum = sp_sum(r->sum, to, part);
    r->used += (uint32_t)part;
    to += part;
    size -= part;
  }
}

uint64_t sp_read_number(sp_reader *r, uint32_t size)
{
  unsigned char bytes[sizeof(uint64_t)];
  uint64_t number = 0;
  sp_read_bytes(r, bytes, size);
  for (uint32_t i = 0; i < size; i++)
    number |= (uint64_t)bytes[i] << 8 * i;
  return number;
}

double sp_read_double(sp_reader *r)
{
  double number;
  sp_read_cell(r, &number, sizeof number);
  return number;
}

float sp_read_float(sp_reader *r)
{
  float number;
  sp_read_cell(r, &number, sizeof number);
  return number;
}

void sp_read_cell(sp_reader *r, void *cell, uint32_t size)
{
  if (size == 2) {
    uint16_t two = (uint16_t)sp_read_number(r, size);
    memcpy(cell, &two, sizeof two);
  } else if (size == 4) {
    uint32_t four = (uint32_t)sp_read_number(r, size);
    memcpy(cell, &four, sizeof four);
  } else if (size == 8) {
    uint64_t eight = sp_read_number(r, size);
    memcpy(cell, &eight, sizeof eight);
  } else {
    sp_read_bytes(r, cell, size);
  }
}

bool sp_read_text(sp_reader *r, char *string, size_t most)
{
  uint64_t size = sp_read_number(r, 4);
  string[0] = '\0';
  if (!sp_read_expect(r, size < most))
    return false;
  sp_read_bytes(r, string, (size_t)size);
  string[size] = '\0';
  return sp_read_expect(r, strlen(string) == size);
}

/* }== */
