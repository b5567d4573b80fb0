#include "session/history.h"

#include <stdlib.h>
#include <string.h>

#include "script/state/platform.h"

#define TIMES_ITS_COST 50 /* between two copies */

/* {== The list ============================================================ */

static size_t bytes_of(const sp_moment *m) { return sizeof *m + sp_checkpoint_bytes(m->copy); }

/* Removes a moment, and returns its memory for reuse. */
static sp_checkpoint *take_out(sp_history *h, size_t i)
{
  sp_checkpoint *copy = h->list[i].copy;
  h->bytes -= bytes_of(&h->list[i]);
  h->count--;
  memmove(&h->list[i], &h->list[i + 1], (h->count - i) * sizeof *h->list);
  return copy;
}

void sp_history_cut(sp_history *h, uint64_t frame)
{
  while (h->count > 0 && h->list[h->count - 1].frame > frame)
    sp_checkpoint_free(take_out(h, h->count - 1));
}

void sp_history_drop_first(sp_history *h) { sp_checkpoint_free(take_out(h, 0)); }

void sp_history_drop(sp_history *h)
{
  while (h->count > 0)
    sp_checkpoint_free(take_out(h, h->count - 1));
  sp_checkpoint_free(h->start);
  h->start = NULL;
}

void sp_history_close(sp_history *h)
{
  sp_history_drop(h);
  free(h->list);
  *h = (sp_history){.list = NULL};
}

const sp_moment *sp_history_find(const sp_history *h, uint64_t frame)
{
  for (size_t i = h->count; i-- > 0;)
    if (h->list[i].frame <= frame)
      return &h->list[i];
  return NULL;
}

/* }== */

/* {== Taking ============================================================== */

/* Returns the moment whose removal leaves the smallest gap, relative to its age; 0 when there is none between the first
   and the last one. */
static size_t find_least(const sp_history *h, uint64_t frame)
{
  size_t least = 0;
  double least_loss = 0;
  for (size_t i = 1; i + 1 < h->count; i++) {
    const sp_moment *m = &h->list[i];
    const double gap = (double)(m[1].frame - m[-1].frame), loss = gap / (double)(frame - m->frame + h->second);
    if (least == 0 || loss < least_loss) {
      least = i;
      least_loss = loss;
    }
  }
  return least;
}

/* Makes room for one more. Returns the memory of a removed one for reuse, or NULL. */
static sp_checkpoint *make_room(sp_history *h, uint64_t frame, size_t size)
{
  sp_checkpoint *reused = NULL;
  while (h->count > 1 && (double)h->list[1].frame + h->frames < (double)frame) {
    sp_checkpoint_free(reused);
    reused = take_out(h, 0);
  }
  while (h->count > 0 && h->bytes + size > h->most) {
    sp_checkpoint_free(reused);
    reused = take_out(h, find_least(h, frame));
  }
  return reused;
}

static bool is_due(const sp_history *h, uint64_t frame, double now)
{
  const uint64_t since = h->count > 0 ? frame - h->list[h->count - 1].frame : UINT64_MAX;
  if (h->count == 0 || h->every > 0)
    return h->count == 0 || since >= h->every;
  return since >= h->second && now - h->taken >= TIMES_ITS_COST * h->cost;
}

static bool reserve(sp_history *h)
{
  if (h->count < h->room)
    return true;
  const size_t room = h->room ? 2 * h->room : 64;
  sp_moment *grown = realloc(h->list, room * sizeof *grown);
  if (grown) {
    h->list = grown;
    h->room = room;
  }
  return grown != NULL;
}

bool sp_history_take(sp_history *h, const sp_script *script, uint64_t frame, bool at_once)
{
  const double begin = (double)sp_clock_nanoseconds() / 1e9;
  if (!at_once && !is_due(h, frame, begin))
    return true;
  const size_t size = sp_script_checkpoint_bytes(script);
  sp_checkpoint *reused = 2 * size <= h->most && reserve(h) ? make_room(h, frame, size + size / 8) : NULL;
  sp_checkpoint *copy = 2 * size <= h->most && h->count < h->room ? sp_script_checkpoint(script, reused) : NULL;
  if (!copy) {
    sp_history_drop(h);
    return false;
  }
  h->list[h->count] = (sp_moment){copy, frame};
  h->bytes += bytes_of(&h->list[h->count++]);
  h->taken = (double)sp_clock_nanoseconds() / 1e9;
  h->cost = h->taken - begin;
  return true;
}

/* }== */
