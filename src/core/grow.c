/*
** Making and destroying idle objects.
*/
#include "core/grow.h"

#include "core/busy.h"
#include "core/chunk.h"

static bool make_idle(sp_pool *p)
{
  uint32_t slot = sp_object_make(p);
  while (slot == UINT32_MAX && sp_chunk_add(p)) /* other pools may have used up a chunk's generations */
    slot = sp_object_make(p);
  if (slot == UINT32_MAX)
    return false;
  if (p->hooks.on_create) {
    sp_enter(p);
    p->hooks.on_create(p->hooks.ud, p, sp_ref_make(p->manager, slot));
    sp_leave(p);
  }
  p->loose--;
  sp_idle_push(&p->idle, slot);
  return true;
}

/* Makes up to `wanted` idle objects, within the limits. A hook may use them up at once: that counts as made. */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result)
{
  uint32_t made = 0;
  for (; made < wanted && !p->closing; made++) {
    uint32_t idle = sp_idle_count(&p->idle);
    if (made > 0 && (idle >= p->settings.idle_limit || sp_live_count(p) + idle >= p->limit))
      break;
    if (!make_idle(p)) {
      *result = SP_MEMORY;
      break;
    }
  }
  return made;
}

uint32_t sp_destroy_idle(sp_pool *p, uint32_t keep)
{
  uint32_t idle = sp_idle_count(&p->idle), surplus = idle > keep ? idle - keep : 0, destroyed = 0;
  /* The surplus is counted before the loop, because on_destroy may refill the pool again and again. */
  for (; destroyed < surplus && sp_idle_count(&p->idle) > keep; destroyed++)
    sp_object_drop(p, sp_idle_pop(&p->idle));
  return destroyed;
}

SP_COLD void sp_object_drop(sp_pool *p, uint32_t slot)
{
  p->loose++;
  sp_object_destroy(p, slot);
}
