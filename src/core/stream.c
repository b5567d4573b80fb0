#include "core/stream.h"

#include <string.h>

/* {== Checksum =========================================================== */

/* XXH64 with the seed 0. */
#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

const sp_checksum sp_checksum_begin = {.lanes = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1}};

static uint64_t turned(uint64_t number, int bits) { return number << bits | number >> (64 - bits); }

/* A number of `size` bytes, the lowest first. */
static uint64_t number_at(const unsigned char *bytes, uint32_t size)
{
  uint64_t number = 0;
  for (uint32_t i = 0; i < size; i++)
    number |= (uint64_t)bytes[i] << 8 * i;
  return number;
}

static uint64_t mixed(uint64_t lane, uint64_t number) { return turned(lane + number * PRIME_2, 31) * PRIME_1; }

static void checksum_add(sp_checksum *c, const unsigned char *bytes, size_t size)
{
  while (size > 0) {
    const size_t have = c->total % SP_CHECKSUM_STRIPE,
                 part = size < SP_CHECKSUM_STRIPE - have ? size : SP_CHECKSUM_STRIPE - have;
    memcpy(c->stripe + have, bytes, part);
    c->total += part;
    bytes += part;
    size -= part;
    for (uint32_t i = 0; c->total % SP_CHECKSUM_STRIPE == 0 && i < 4; i++)
      c->lanes[i] = mixed(c->lanes[i], number_at(c->stripe + 8 * i, 8));
  }
}

static uint64_t checksum_of(const sp_checksum *c)
{
  static const int turns[] = {1, 7, 12, 18};
  const unsigned char *at = c->stripe, *end = at + c->total % SP_CHECKSUM_STRIPE;
  uint64_t sum = c->total < SP_CHECKSUM_STRIPE ? PRIME_5 : 0;
  for (int i = 0; c->total >= SP_CHECKSUM_STRIPE && i < 4; i++)
    sum += turned(c->lanes[i], turns[i]);
  for (int i = 0; c->total >= SP_CHECKSUM_STRIPE && i < 4; i++)
    sum = (sum ^ mixed(0, c->lanes[i])) * PRIME_1 + PRIME_4;
  sum += c->total;
  for (; end - at >= 8; at += 8)
    sum = turned(sum ^ mixed(0, number_at(at, 8)), 27) * PRIME_1 + PRIME_4;
  for (; end - at >= 4; at += 4)
    sum = turned(sum ^ number_at(at, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3;
  for (; at < end; at++)
    sum = turned(sum ^ *at * PRIME_5, 11) * PRIME_1;
  sum = (sum ^ sum >> 33) * PRIME_2;
  sum = (sum ^ sum >> 29) * PRIME_3;
  return sum ^ sum >> 32;
}

/* }== */

/* {== Bytes ============================================================== */

bool sp_stream_need(sp_stream *s, bool holds, sp_result why)
{
  if (!holds && s->why == SP_OK) {
    s->why = why;
    s->used = s->size; /* what is left of the buffer is not read */
  }
  return s->why == SP_OK;
}

bool sp_stream_expect(sp_stream *s, bool holds) { return sp_stream_need(s, holds || s->write, SP_DAMAGED); }

static void sum_up(sp_stream *s)
{
  checksum_add(&s->sum, s->buffer + s->summed, s->used - s->summed);
  s->summed = s->used;
}

/* Gives the host a buffer of bytes, or gets one from it. */
static void turn_buffer(sp_stream *s)
{
  size_t got = SP_STREAM_BUFFER;
  sum_up(s);
  if (s->write && s->used > 0 && s->why == SP_OK)
    sp_stream_need(s, s->write(s->ud, s->buffer, s->used), SP_FAILED);
  if (s->read) {
    got = s->why == SP_OK ? s->read(s->ud, s->buffer, SP_STREAM_BUFFER) : 0;
    if (!sp_stream_expect(s, got > 0 && got <= SP_STREAM_BUFFER)) {
      memset(s->buffer, 0, SP_STREAM_BUFFER);
      got = SP_STREAM_BUFFER;
    }
  }
  s->used = s->summed = 0;
  s->size = (uint32_t)got;
}

void sp_stream_bytes(sp_stream *s, void *bytes, size_t size)
{
  for (unsigned char *at = bytes; size > 0;) {
    if (s->used == s->size)
      turn_buffer(s);
    size_t room = s->size - s->used, part = size < room ? size : room;
    unsigned char *held = s->buffer + s->used, *to = s->write ? held : at;
    const unsigned char *from = s->write ? at : held;
    for (size_t i = 0; i < part; i++) /* most are a few bytes: a call of memcpy would take longer */
      to[i] = from[i];
    s->used += (uint32_t)part;
    at += part;
    size -= part;
  }
}

uint64_t sp_stream_number(sp_stream *s, uint64_t number, uint32_t size)
{
  unsigned char bytes[sizeof number] = {0};
  for (uint32_t i = 0; s->write && i < size; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  sp_stream_bytes(s, bytes, size);
  return s->write ? number : number_at(bytes, size);
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
  for (; list->size; list++)
    for (uint32_t i = 0; list->flags & SP_MEMBER_SAVED && i < list->count; i++) {
      unsigned char *at = (unsigned char *)of + list->offset + i * list->size;
      uint64_t number = sp_stream_number(s, s->write ? sp_number_in(at, list->size) : 0, list->size);
      if (s->read)
        put_number(at, list->size, sp_stream_expect(s, is_within(list, number)) ? number : 0);
    }
}

const char *sp_stream_text(sp_stream *s, const char *name, char *room)
{
  uint32_t size = (uint32_t)sp_stream_number(s, s->write ? strlen(name) : 0, 4);
  if (!sp_stream_need(s, size < SP_MAX_SAVE_NAME, SP_DAMAGED))
    size = 0;
  if (s->write)
    memcpy(room, name, size);
  sp_stream_bytes(s, room, size);
  room[size] = '\0';
  sp_stream_expect(s, strlen(room) == size);
  return room;
}

void sp_stream_end(sp_stream *s)
{
  sum_up(s);
  uint64_t sum = checksum_of(&s->sum);
  sp_stream_expect(s, sp_stream_number(s, sum, sizeof sum) == sum);
  if (s->write)
    turn_buffer(s);
}

/* }== */
