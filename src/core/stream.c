#include "core/stream.h"

/* {== Bytes ============================================================== */

static void flush(sp_stream *s)
{
  if (s->used > 0 && !s->failed)
    s->failed = !s->write(s->ud, s->buffer, s->used);
  s->used = 0;
}

static void put_bytes(sp_stream *s, const unsigned char *from, size_t size)
{
  s->sum = sp_sum(s->sum, from, size);
  while (size > 0) {
    size_t room = SP_STREAM_BUFFER - s->used, part = size < room ? size : room;
    memcpy(s->buffer + s->used, from, part);
    s->used += (uint32_t)part;
    from += part;
    size -= part;
    if (s->used == SP_STREAM_BUFFER)
      flush(s);
  }
}

/* Returns false when there are no more bytes. */
static bool fill(sp_stream *s)
{
  size_t got = s->read(s->ud, s->buffer, SP_STREAM_BUFFER);
  s->used = 0;
  s->size = got <= SP_STREAM_BUFFER ? (uint32_t)got : 0;
  return s->size > 0;
}

static void get_bytes(sp_stream *s, unsigned char *to, size_t size)
{
  while (size > 0) {
    if (!sp_stream_expect(s, s->failed || s->used < s->size || fill(s))) {
      memset(to, 0, size);
      return;
    }
    size_t there = s->size - s->used, part = size < there ? size : there;
    memcpy(to, s->buffer + s->used, part);
    s->sum = sp_sum(s->sum, to, part);
    s->used += (uint32_t)part;
    to += part;
    size -= part;
  }
}

void sp_stream_bytes(sp_stream *s, void *bytes, size_t size)
{
  if (s->write)
    put_bytes(s, bytes, size);
  else
    get_bytes(s, bytes, size);
}

/* }== */

/* {== Numbers and texts ================================================== */

uint64_t sp_stream_number(sp_stream *s, uint64_t number, uint32_t size)
{
  unsigned char bytes[sizeof number] = {0};
  for (uint32_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  sp_stream_bytes(s, bytes, size);
  number = 0;
  for (uint32_t i = 0; i < size; i++)
    number |= (uint64_t)bytes[i] << 8 * i;
  return number;
}

static void put_number(void *cell, uint32_t size, uint64_t number)
{
  const uint8_t one = (uint8_t)number;
  const uint16_t two = (uint16_t)number;
  const uint32_t four = (uint32_t)number;
  memcpy(cell, size == 1 ? &one : size == 2 ? (const void *)&two : size == 4 ? (const void *)&four : &number, size);
}

void sp_stream_cell(sp_stream *s, void *cell, uint32_t size)
{
  if (size != 1 && size != 2 && size != 4 && size != 8)
    sp_stream_bytes(s, cell, size);
  else if (s->write)
    sp_stream_number(s, sp_number_in(cell, size), size);
  else
    put_number(cell, size, sp_stream_number(s, 0, size));
}

/* Returns whether a number that was read is within the limit of its member. */
static bool is_within(const sp_member *member, uint64_t number)
{
  double real;
  memcpy(&real, &number, sizeof real);
  if (member->most == 0)
    return true;
  return member->flags & SP_MEMBER_REAL ? real >= 0 && real <= member->most : number <= (uint64_t)member->most;
}

void sp_stream_members(sp_stream *s, const sp_member *list, void *of)
{
  for (; list->size; list++) {
    unsigned char *at = (unsigned char *)of + list->offset;
    if (!(list->flags & SP_MEMBER_SAVED))
      continue;
    uint64_t number = sp_stream_number(s, s->write ? sp_number_in(at, list->size) : 0, list->size);
    if (s->read)
      put_number(at, list->size, sp_stream_expect(s, is_within(list, number)) ? number : 0);
  }
}

const char *sp_stream_text(sp_stream *s, const char *text, char *room, size_t most)
{
  uint64_t size = sp_stream_number(s, s->write ? strlen(text) : 0, 4);
  if (s->write) {
    put_bytes(s, (const unsigned char *)text, (size_t)size);
    return text;
  }
  size = sp_stream_expect(s, size < most) ? size : 0;
  get_bytes(s, (unsigned char *)room, (size_t)size);
  room[size] = '\0';
  sp_stream_expect(s, strlen(room) == size);
  return room;
}

void sp_stream_end(sp_stream *s)
{
  uint64_t sum = s->sum;
  sp_stream_expect(s, sp_stream_number(s, sum, sizeof sum) == sum);
  if (s->write)
    flush(s);
}

/* }== */
