/*
** See places.h.
*/
#include "core/places.h"

#include <math.h>

#include "core/parents.h"

bool sp_places_of(const sp_pool *p, uint32_t word, uint64_t live, sp_places *places, sp_progress *progress)
{
  uint32_t first = word * 64;
  memcpy(places->x, sp_slot_cell(p, first, SP_X), sizeof places->x);
  memcpy(places->y, sp_slot_cell(p, first, SP_Y), sizeof places->y);
  places->live = live;
  for (uint64_t bits = p->has_parents ? live : 0; bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    sp_place place;
    if (!sp_progress_spend(progress, SP_PROGRESS_PARENT * sp_slot_world_place(p->manager, first + i, &place)))
      return false;
    places->x[i] = place.x;
    places->y[i] = place.y;
  }
  return sp_progress_spend(progress, 64);
}

/* x - x is 0 for finite numbers, and NaN for infinities and NaN. */
static uint64_t finite_ones(const sp_places *places, const float *radii)
{
  uint8_t finite[64];
  for (uint32_t i = 0; i < 64; i++) {
    float x = places->x[i], y = places->y[i], radius = radii[i];
    finite[i] = (x - x == 0) & (y - y == 0) & (radius - radius == 0);
  }
  return sp_bits_of(finite);
}

uint64_t sp_places_radii(const sp_pool *p, uint32_t word, const sp_places *places, float *radii, uint64_t *wild)
{
  const sp_look *looks = sp_slot_cell(p, word * 64, SP_LOOK);
  uint8_t tame[64];
  for (uint32_t i = 0; i < 64; i++)
    radii[i] = fabsf(looks[i].radius * looks[i].scale);
  for (uint32_t i = 0; i < 64; i++) { /* one sum tells of all three: also that they are finite */
    float x = places->x[i], y = places->y[i], square = radii[i] * radii[i];
    tame[i] = (x * x + y * y + square < 1e36f) & ((square > 1e-36f) | (radii[i] == 0));
  }
  *wild = ~sp_bits_of(tame) & places->live;
  return *wild ? finite_ones(places, radii) : UINT64_MAX;
}
