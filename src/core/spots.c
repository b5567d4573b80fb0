/*
** See spots.h.
*/
#include "core/spots.h"

static uint32_t room_for(uint32_t count) { return (count + 2 * SP_AT_ONCE) & ~(SP_AT_ONCE - 1); }

size_t sp_spots_size(uint32_t count) { return (size_t)room_for(count) * 4 * sizeof(float); }

sp_spots sp_spots_at(unsigned char *block, uint32_t count)
{
  uint32_t room = room_for(count);
  float *numbers = (float *)(void *)block;
  return (sp_spots){numbers, numbers + room, numbers + 2 * (size_t)room, (uint32_t *)(numbers + 3 * (size_t)room),
                    count};
}

void sp_spots_pad(const sp_spots *s)
{
  for (uint32_t i = s->count; i < s->count + SP_AT_ONCE; i++)
    s->x[i] = s->y[i] = s->radius[i] = 0;
}

/* Appends the slots of a word whose bits are set. Mostly all are set, and the word is copied as a whole. */
static void gather_word(sp_spots *to, uint32_t *generations, const sp_manager *m, uint32_t first,
                        const sp_places *places, const float *radii, uint64_t bits)
{
  uint32_t count = to->count;
  if (bits == UINT64_MAX) {
    memcpy(to->x + count, places->x, sizeof places->x);
    memcpy(to->y + count, places->y, sizeof places->y);
    memcpy(to->radius + count, radii, sizeof places->x);
    for (uint32_t i = 0; i < 64; i++) {
      generations[count + i] = m->slots.life[first + i].generation;
      to->index[count + i] = first + i;
    }
    to->count += 64;
    return;
  }
  for (; bits; bits &= bits - 1, count++) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    to->x[count] = places->x[i];
    to->y[count] = places->y[i];
    to->radius[count] = radii[i];
    generations[count] = m->slots.life[first + i].generation;
    to->index[count] = first + i;
  }
  to->count = count;
}

bool sp_spots_gather(sp_spots *spots, uint32_t *generations, const sp_pool *p, uint32_t chunk, bool *wild,
                     sp_progress *progress)
{
  const uint64_t *live = sp_pool_live_bits(p, chunk);
  float radii[64];
  sp_places places;
  uint64_t wild_bits;
  for (uint32_t w = 0; w < SP_CHUNK_WORDS; w++) {
    uint32_t word = p->chunks[chunk] * SP_CHUNK_WORDS + w;
    if (!sp_places_of(p, word, live[w], &places, progress))
      return false;
    uint64_t bits = live[w] & sp_places_radii(p, word, &places, radii, &wild_bits);
    *wild = *wild || (wild_bits & bits) != 0;
    gather_word(spots, generations, p->manager, word * 64, &places, radii, bits);
  }
  return true;
}

/* In 64 lanes: with a single smallest number each step would wait for the one before. */
static sp_range range_of_many(const float *numbers, uint32_t count)
{
  float low[64], high[64];
  for (uint32_t i = 0; i < 64; i++)
    low[i] = high[i] = numbers[0];
  for (uint32_t from = 0; from < count; from += 64) {
    const float *some = numbers + from;
    uint32_t end = count - from < 64 ? count - from : 64;
    for (uint32_t i = 0; i < end; i++) {
      low[i] = some[i] < low[i] ? some[i] : low[i];
      high[i] = some[i] > high[i] ? some[i] : high[i];
    }
  }
  for (uint32_t i = 1; i < 64; i++) {
    low[0] = low[i] < low[0] ? low[i] : low[0];
    high[0] = high[i] > high[0] ? high[i] : high[0];
  }
  return (sp_range){low[0], high[0]};
}

sp_range sp_range_of(const float *numbers, uint32_t count)
{
  if (count > 64)
    return range_of_many(numbers, count);
  sp_range range = {numbers[0], numbers[0]};
  for (uint32_t i = 1; i < count; i++) {
    range.low = numbers[i] < range.low ? numbers[i] : range.low;
    range.high = numbers[i] > range.high ? numbers[i] : range.high;
  }
  return range;
}

sp_box sp_spots_box(const sp_spots *s)
{
  sp_range x = sp_range_of(s->x, s->count), y = sp_range_of(s->y, s->count);
  return (sp_box){x.low, x.high, y.low, y.high, sp_range_of(s->radius, s->count).high};
}
