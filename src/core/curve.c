/*
** Curves over life: floats that follow the share of its lifetime that an object has lived.
*/
#include "core/state.h"

static float at_share(const sp_curve *curve, float share)
{
  float place = share * (float)(curve->count - 1);
  int from = (int)place;
  if (from >= curve->count - 1)
    return curve->points[curve->count - 1];
  return curve->points[from] + (curve->points[from + 1] - curve->points[from]) * (place - (float)from);
}

static void bend_object(sp_pool *p, uint32_t slot, float share)
{
  for (int i = 0; i < p->curve_count; i++) {
    const sp_curve *curve = &p->curves[i];
    char *cell = sp_slot_cell(p, slot, curve->column);
    *(float *)(cell + curve->offset) = at_share(curve, share);
  }
}

static void note_bent(sp_pool *p)
{
  for (int i = 0; i < p->curve_count; i++)
    sp_mark_written(p, (uint64_t)1 << p->curves[i].column);
}

void sp_life_bend(sp_pool *p, uint32_t slot)
{
  note_bent(p);
  bend_object(p, slot, 0);
}

void sp_pool_bend(sp_pool *p)
{
  sp_manager *m = p->manager;
  note_bent(p);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t word = p->chunks[i] * SP_CHUNK_WORDS; word < (p->chunks[i] + 1) * SP_CHUNK_WORDS; word++)
      for (uint64_t bits = sp_odd_slots(m, word); bits; bits &= bits - 1) {
        uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
        double lifetime = sp_slot_lifetime(m, slot);
        if (lifetime > 0) {
          double share = sp_slot_age(m, slot) / lifetime;
          bend_object(p, slot, share < 1 ? (float)share : 1.0f);
        }
      }
}
