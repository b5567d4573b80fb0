/*
** Curves over life: floats that follow the elapsed share of an object's lifetime. Values are computed for 64 slots at a
** time, without branches, and written for those that are live and have a lifetime.
*/
#include "core/curve.h"

#include "core/pass.h"
#include "core/wide.h"

static void note_bent(sp_pool *p)
{
  for (int i = 0; i < p->curve_count; i++)
    sp_mark_written(p, (uint64_t)1 << p->curves[i].column);
}

/* At its first points. */
void sp_life_bend(sp_pool *p, uint32_t slot)
{
  note_bent(p);
  for (int i = 0; i < p->curve_count; i++) {
    const sp_curve *curve = &p->curves[i];
    char *cell = sp_slot_cell(p, slot, curve->column);
    *(float *)(cell + curve->offset) = curve->points[0];
  }
}

/* The shares of a word of slots; the bits of those that live and have a lifetime. */
SP_PASS uint64_t shares_of_word(const sp_manager *m, uint32_t word, float *restrict shares)
{
  double births[64], lifetimes[64], time = m->time, step = m->step, rate = m->rate;
  uint8_t timed[64];
  for (uint32_t i = 0; i < 64; i++)
    memcpy(&births[i], &m->slots.life[word * 64 + i].serial, sizeof births[i]);
  for (uint32_t i = 0; i < 64; i++)
    lifetimes[i] = sp_slot_lifetime(m, word * 64 + i);
  for (uint32_t i = 0; i < 64; i++) {
    double age = time - sp_birth(births[i], step, rate);
    float share = (float)(age / lifetimes[i]);
    share = share > 0 ? share : 0;
    shares[i] = share < 1 ? share : 1;
  }
  for (uint32_t i = 0; i < 64; i++)
    timed[i] = lifetimes[i] > 0;
  return sp_odd_slots(m, word) & sp_bits_of(timed);
}

/* The stretches between two points one after the other, each for the shares from its first point on. */
SP_PASS void follow(const sp_curve *curve, const float *restrict shares, float *restrict values)
{
  const float *points = curve->points;
  int last = curve->count - 1;
  float begin = points[0], rise = points[1] - begin, end = points[last];
  for (uint32_t i = 0; i < 64; i++)
    values[i] = begin + rise * (shares[i] * (float)last);
  for (int from = 1; from < last; from++) {
    begin = points[from];
    rise = points[from + 1] - begin;
    for (uint32_t i = 0; i < 64; i++) {
      float on = shares[i] * (float)last - (float)from, value = begin + rise * on;
      values[i] = on >= 0 ? value : values[i];
    }
  }
  for (uint32_t i = 0; i < 64; i++)
    values[i] = shares[i] < 1 ? values[i] : end;
}

SP_PASS void write_word(const sp_pool *p, const sp_curve *curve, uint32_t word, uint64_t bits, const float *values)
{
  char *cells = (char *)sp_slot_cell(p, word * 64, curve->column) + curve->offset;
  uint32_t size = p->layout.columns[curve->column].size;
  for (; bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    *(float *)(cells + i * size) = values[i];
  }
}

SP_PASS void bend_words(uint32_t begin, uint32_t end, const sp_pool *p)
{
  float shares[64], values[64];
  for (uint32_t i = begin; i < end; i++)
    for (uint32_t word = p->chunks[i] * SP_CHUNK_WORDS; word < (p->chunks[i] + 1) * SP_CHUNK_WORDS; word++) {
      uint64_t bits = shares_of_word(p->manager, word, shares);
      for (int k = 0; bits && k < p->curve_count; k++) {
        follow(&p->curves[k], shares, values);
        write_word(p, &p->curves[k], word, bits, values);
      }
    }
}

static void bend_narrow(uint32_t begin, uint32_t end, void *p) { bend_words(begin, end, p); }
static SP_WIDE void bend_wide(uint32_t begin, uint32_t end, void *p) { bend_words(begin, end, p); }

void sp_pool_bend(sp_pool *p)
{
  note_bent(p);
  sp_pass_run(p->manager, p->chunk_count, p->manager->wide ? bend_wide : bend_narrow, p);
}
