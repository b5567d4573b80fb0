#include "model/program.h"

#include <stdlib.h>
#include <string.h>

/* {== Choices ============================================================ */

static uint64_t mixed(uint64_t x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

program program_random(uint64_t seed, size_t turns)
{
  program p = {malloc((turns + 1) * RECORD), turns + 1};
  for (size_t i = 0; p.bytes && i < p.count * RECORD; i += sizeof seed) {
    const uint64_t random = mixed(seed * 0x9e3779b97f4a7c15u + i);
    memcpy(p.bytes + i, &random, sizeof random);
  }
  return p;
}

choices program_record(const program *p, size_t index)
{
  const uint8_t *at = p->bytes + index * RECORD;
  uint64_t random = 1;
  for (int i = 0; i < RECORD; i++)
    random = mixed(random + at[i]);
  return (choices){at, at + RECORD, random};
}

static uint32_t next_byte(choices *from)
{
  if (from->at < from->end)
    return *from->at++;
  from->random = from->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(from->random >> 40) & 255;
}

uint32_t choose(choices *from, uint32_t n)
{
  uint32_t number = next_byte(from);
  if (n > 256)
    number = number << 8 | next_byte(from);
  return number % n;
}

/* }== */

/* {== Shortening ========================================================= */

typedef struct search {
  program_fails fails;
  void *ud;
  int left; /* calls */
  program best, trial;
} search;

/* Keeps the trial if it fails too. */
static bool is_kept(search *s)
{
  if (s->left-- <= 0 || !s->fails(s->ud, &s->trial))
    return false;
  memcpy(s->best.bytes, s->trial.bytes, s->trial.count * RECORD);
  s->best.count = s->trial.count;
  return true;
}

/* From the end: what comes after the fault goes at once. The first record stays. */
static bool drop_parts(search *s, size_t size)
{
  bool dropped = false;
  for (size_t end = s->best.count, part; end > 1 && s->left > 0; end -= part) {
    part = size < end - 1 ? size : end - 1;
    uint8_t *from = s->trial.bytes + (end - part) * RECORD;
    memcpy(s->trial.bytes, s->best.bytes, (end - part) * RECORD);
    memcpy(from, s->best.bytes + end * RECORD, (s->best.count - end) * RECORD);
    s->trial.count = s->best.count - part;
    dropped = is_kept(s) || dropped;
  }
  return dropped;
}

static bool lower(search *s, size_t at)
{
  bool lowered = false;
  for (uint8_t value = 0; value < s->best.bytes[at] && value <= 16 && !lowered; value = value ? value * 4 : 1) {
    memcpy(s->trial.bytes, s->best.bytes, s->best.count * RECORD);
    s->trial.count = s->best.count;
    s->trial.bytes[at] = value;
    lowered = is_kept(s);
  }
  return lowered;
}

void program_shorten(program *p, program_fails fails, void *ud, int most)
{
  search s = {fails, ud, most, *p, {malloc(p->count * RECORD), 0}};
  for (bool again = s.trial.bytes != NULL; again && s.left > 0;) {
    again = false;
    for (size_t size = s.best.count; size > 0; size /= 2)
      again = drop_parts(&s, size); /* of single ones another may go once one has gone */
    for (size_t at = s.best.count * RECORD; at > RECORD; at--)
      again = lower(&s, at - 1) || again;
  }
  free(s.trial.bytes);
  *p = s.best;
}

/* }== */
