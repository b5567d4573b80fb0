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

static bool drop(search *s, size_t from, size_t size)
{
  size_t end = from + size < s->best.count ? from + size : s->best.count;
  memcpy(s->trial.bytes, s->best.bytes, from * RECORD);
  memcpy(s->trial.bytes + from * RECORD, s->best.bytes + end * RECORD, (s->best.count - end) * RECORD);
  s->trial.count = s->best.count - (end - from);
  return is_kept(s);
}

/* From the end: what comes after the fault goes at once. The first record stays. */
static bool drop_parts(search *s, size_t size)
{
  bool dropped = false;
  for (size_t part = (s->best.count - 1 + size - 1) / size; part > 0; part--)
    if (1 + (part - 1) * size < s->best.count && s->left > 0)
      dropped = drop(s, 1 + (part - 1) * size, size) || dropped;
  return dropped;
}

static bool lower(search *s, size_t at)
{
  static const uint8_t values[] = {0, 1, 4, 16};
  for (size_t i = 0; i < sizeof values && values[i] < s->best.bytes[at] && s->left > 0; i++) {
    memcpy(s->trial.bytes, s->best.bytes, s->best.count * RECORD);
    s->trial.count = s->best.count;
    s->trial.bytes[at] = values[i];
    if (is_kept(s))
      return true;
  }
  return false;
}

void program_shorten(program *p, program_fails fails, void *ud, int most)
{
  search s = {fails, ud, most, *p, {malloc(p->count * RECORD), 0}};
  for (bool again = s.trial.bytes != NULL; again && s.left > 0;) {
    again = false;
    for (size_t size = s.best.count / 2; size > 1; size /= 2)
      drop_parts(&s, size);
    while (s.best.count > 1 && s.left > 0 && drop_parts(&s, 1)) /* one may have waited for another */
      again = true;
    for (size_t at = s.best.count * RECORD; at > RECORD; at--)
      again = lower(&s, at - 1) || again;
  }
  free(s.trial.bytes);
  *p = s.best;
}

/* }== */
