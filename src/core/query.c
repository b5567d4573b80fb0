/*
** What is near a place. Hits are gathered before anybody is called, so that a callback may do what it likes.
*/
#include <math.h>

#include "core/places.h"
#include "core/pool_list.h"
#include "core/progress.h"
#include "core/scratch.h"

/* {== Nearest and within ================================================= */

/* Those of the places that are nearer than `least`, a square. */
static uint64_t nearer_than(const sp_places *places, const double *distances, double least)
{
  uint8_t nearer[64];
  for (uint32_t i = 0; i < 64; i++)
    nearer[i] = distances[i] < least; /* never of what is no number */
  return sp_bits_of(nearer) & places->live;
}

sp_ref sp_pool_nearest(sp_pool *p, float x, float y, float *distance)
{
  double least = INFINITY, distances[64];
  uint32_t nearest = 0;
  sp_places places;
  sp_progress progress = {.m = p->manager};
  for (uint32_t k = 0; p->spatial && k < p->chunk_count && !progress.stopped; k++) {
    const uint64_t *live = sp_pool_live_bits(p, k);
    for (uint32_t w = 0; w < SP_CHUNK_WORDS; w++) {
      uint32_t word = p->chunks[k] * SP_CHUNK_WORDS + w;
      if (!sp_places_of(p, word, live[w], &places, &progress))
        break;
      sp_places_apart(&places, x, y, distances);
      for (uint64_t bits = nearer_than(&places, distances, least); bits; bits &= bits - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(bits);
        nearest = distances[i] < least ? word * 64 + i : nearest;
        least = distances[i] < least ? distances[i] : least;
      }
    }
  }
  least = progress.stopped ? (double)INFINITY : least;
  if (distance)
    *distance = (float)sqrt(least);
  return least < INFINITY ? sp_ref_make(p->manager, nearest) : SP_NONE_REF;
}

/* Of the live ones in a word; objects whose radius is no number are nowhere. */
static uint64_t within_of_word(const sp_pool *p, uint32_t word, const sp_places *places, sp_place at, float radius)
{
  double distances[64], most = (double)radius * radius;
  float radii[64];
  uint8_t near[64];
  sp_places_apart(places, at.x, at.y, distances);
  for (uint32_t i = 0; i < 64; i++)
    near[i] = distances[i] <= most;
  uint64_t bits = sp_bits_of(near) & places->live, wild;
  return bits ? bits & sp_places_radii(p, word, places, radii, &wild) : 0;
}

/* In slot order; returns how many. */
static uint32_t gather_within(const sp_pool *p, sp_place at, float radius, sp_ref *hits, sp_progress *progress)
{
  uint32_t count = 0;
  sp_places places;
  for (uint32_t k = 0; k < p->chunk_count; k++) {
    const uint64_t *live = sp_pool_live_bits(p, k);
    for (uint32_t w = 0; w < SP_CHUNK_WORDS; w++) {
      uint32_t word = p->chunks[k] * SP_CHUNK_WORDS + w;
      if (!sp_places_of(p, word, live[w], &places, progress))
        return 0;
      for (uint64_t bits = within_of_word(p, word, &places, at, radius); bits; bits &= bits - 1)
        hits[count++] = sp_ref_make(p->manager, word * 64 + (uint32_t)__builtin_ctzll(bits));
    }
  }
  return count;
}

static uint32_t call_near(const sp_ref *hits, uint32_t count, sp_near_fn fn, void *ud, sp_progress *progress)
{
  const sp_manager *m = progress->m;
  uint32_t calls = 0;
  for (uint32_t i = 0; i < count && sp_progress_spend(progress, SP_PROGRESS_CALL); i++)
    if (sp_ref_is_live(m, hits[i])) {
      fn(ud, hits[i]);
      calls++;
    }
  return calls;
}

uint32_t sp_pool_within(sp_pool *p, float x, float y, float radius, sp_near_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  if (!p->spatial || !(radius >= 0) || !isfinite(x) || !isfinite(y) || sp_live_count(p) == 0)
    return 0;
  sp_scratch s = sp_scratch_take(m);
  sp_progress progress = {.m = m};
  sp_result why = SP_MEMORY;
  uint32_t calls = 0;
  size_t at = sp_scratch_room(m, &s, sp_live_count(p) * sizeof(sp_ref));
  if (at != SIZE_MAX) {
    sp_ref *hits = (sp_ref *)(s.block + at);
    uint32_t count = gather_within(p, (sp_place){x, y, 0}, radius, hits, &progress);
    sp_enter(p);
    calls = progress.stopped ? 0 : call_near(hits, count, fn, ud, &progress);
    sp_pool_leave(p);
    why = progress.stopped ? SP_INTERRUPTED : SP_OK;
  }
  if (why != SP_OK && result)
    *result = why;
  sp_scratch_return(m, &s);
  return calls;
}

/* }== */

/* {== Bulk writes ======================================================== */

/* Adds, or only looks whether each sum that was finite stays finite. */
SP_PASS bool add_to_all(sp_pool *p, int column, size_t offset, float delta, bool write)
{
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t word = p->chunks[i] * SP_CHUNK_WORDS; word < (p->chunks[i] + 1) * SP_CHUNK_WORDS; word++)
      for (uint64_t bits = sp_odd_slots(p->manager, word); bits; bits &= bits - 1) {
        char *cell = sp_slot_cell(p, word * 64 + (uint32_t)__builtin_ctzll(bits), column);
        float *at = (float *)(void *)(cell + offset);
        if (write)
          *at += delta;
        else if (!isfinite(*at + delta) && isfinite(*at))
          return false;
      }
  return true;
}

uint32_t sp_pool_add(sp_pool *p, int column, size_t offset, float delta)
{
  bool look = column == SP_LOOK && offset % sizeof(float) == 0 && offset < offsetof(sp_look, layer);
  if (!p->spatial || !(look || (column >= SP_X && column < SP_LOOK && offset == 0)))
    return 0;
  if (!add_to_all(p, column, offset, delta, false))
    return 0;
  sp_mark_written(p, (uint64_t)1 << column);
  add_to_all(p, column, offset, delta, true);
  return sp_live_count(p);
}

/* }== */
