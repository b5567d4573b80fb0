/*
** Makes room in a pool at its limit for one more object, as its overflow policy says.
*/
#include "core/overflow.h"

#include "core/busy.h"
#include "core/recycle.h"

static bool may_go(const sp_pool *p, sp_ref object)
{
  if (!sp_is_live(p->manager, object))
    return false;
  return !p->spatial || !((const sp_look *)sp_slot_cell(p, sp_ref_slot(object), SP_LOOK))->pinned;
}

/* Ends the oldest life that is not pinned and does not veto. */
static bool evict_oldest(sp_pool *p)
{
  sp_manager *m = p->manager;
  uint64_t newest = m->serial;
  sp_ages_settle(&p->ages, m);
  for (uint32_t i = 0; i < sp_ages_count(&p->ages); i++) {
    sp_ref object = sp_ages_get(&p->ages, i);
    if (!may_go(p, object))
      continue;
    if (m->slots.life[sp_ref_slot(object)].serial > newest)
      break; /* a hook of a victim spawned it */
    if (sp_end(m, sp_ref_slot(object), SP_WHY_EVICTED, SP_END_BY_OVERRIDE) == SP_OK)
      return true;
    /* The object stays, but its hook may have shortened the queue before it. */
    while (i > 0 && (i >= sp_ages_count(&p->ages) || sp_ages_get(&p->ages, i) != object))
      i--;
  }
  return false;
}

static bool evict_chosen(sp_pool *p)
{
  sp_manager *m = p->manager;
  if (!p->hooks.on_overflow)
    return false;
  sp_enter(p);
  sp_ref victim = p->hooks.on_overflow(p->hooks.ud, p);
  sp_leave(p);
  if (!sp_is_live(m, victim) || !sp_ref_is_of(m, victim, p))
    return false;
  return sp_end(m, sp_ref_slot(victim), SP_WHY_EVICTED, SP_END_BY_OVERRIDE) == SP_OK;
}

bool sp_make_room(sp_pool *p)
{
  /* A hook that allocs while its pool evicts starts another eviction inside this one. */
  if (p->manager->busy > SP_MAX_NESTING)
    return sp_live_count(p) < p->limit;
  /* When the limit was lowered below the number of live objects, only one object ends for each new one. */
  uint32_t before = sp_live_count(p);
  bool evicted = false;
  switch (p->settings.overflow) {
  case SP_OVERFLOW_GROW:
    return true;
  case SP_OVERFLOW_OLDEST:
    evicted = evict_oldest(p);
    break;
  case SP_OVERFLOW_FUNCTION:
    evicted = evict_chosen(p);
    break;
  default:
    break;
  }
  /* A hook may have made the room in another way, or taken it again. */
  return sp_live_count(p) < p->limit || (evicted && sp_live_count(p) < before);
}
