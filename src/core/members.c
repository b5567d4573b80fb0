#include "core/members.h"

#define PLAIN 0
#define SAVED SP_MEMBER_SAVED
#define HASHED (SP_MEMBER_SAVED | SP_MEMBER_HASHED)
#define REAL (SP_MEMBER_SAVED | SP_MEMBER_HASHED | SP_MEMBER_REAL)

const sp_member sp_members_of_manager[] = {
    SP_MEMBER(sp_manager, tick, HASHED, SP_MAX_TICKS),
    SP_MEMBER(sp_manager, spare, REAL, 1e3),
    SP_MEMBER(sp_manager, scale, REAL, 1e6),
    SP_MEMBER(sp_manager, paused, HASHED, 1),
    SP_MEMBER(sp_manager, serial, REAL, 1e300), /* it has the bits of a time */
    SP_MEMBER(sp_manager, peak, SAVED, 0),
    SP_MEMBER(sp_manager, peak_time, SAVED, 0),
    SP_MEMBER(sp_manager, time, PLAIN, 0),
    SP_MEMBER(sp_manager, chunk_count, PLAIN, 0),
    SP_MEMBER(sp_manager, free_chunks, PLAIN, 0),
    SP_MEMBER(sp_manager, slots.reach, PLAIN, 0),
    {0},
};

const sp_member sp_members_of_pool[] = {
    SP_MEMBER(sp_pool, prewarm_wanted, HASHED, SP_MAX_SLOTS),
    SP_MEMBER(sp_pool, prewarm_slice, HASHED, 0),
    SP_MEMBER(sp_pool, prewarm_from, HASHED, 0),
    SP_MEMBER(sp_pool, warmed, SAVED, 0),
    SP_MEMBER(sp_pool, warm_goal, SAVED, 0),
    SP_MEMBER(sp_pool, next_number, SAVED, SP_MAX_SLOTS),
    SP_MEMBER(sp_pool, peak, SAVED, 0),
    SP_MEMBER(sp_pool, peak_time, SAVED, 0),
    SP_MEMBER(sp_pool, retired, SAVED, 0),
    SP_MEMBER(sp_pool, recycles, SAVED, 0),
    SP_MEMBER(sp_pool, expired, SAVED, 0),
    SP_MEMBER(sp_pool, refused, SAVED, 0),
    SP_MEMBER(sp_pool, evicted, SAVED, 0),
    SP_MEMBER(sp_pool, vetoed, SAVED, 0),
    SP_MEMBER(sp_pool, stale_uses, SAVED, 0),
    SP_MEMBER(sp_pool, double_recycles, SAVED, 0),
    SP_MEMBER(sp_pool, created, SAVED, 0),
    SP_MEMBER(sp_pool, view.dirty, SAVED, 0),
    SP_MEMBER(sp_pool, destroyed, PLAIN, 0),
    SP_MEMBER(sp_pool, made, PLAIN, 0),
    SP_MEMBER(sp_pool, loose, PLAIN, 0),
    SP_MEMBER(sp_pool, chunk_count, PLAIN, 0),
    SP_MEMBER(sp_pool, vacant_hint, PLAIN, 0),
    SP_MEMBER(sp_pool, has_parents, PLAIN, 0),
    SP_MEMBER(sp_pool, has_timers, PLAIN, 0),
    {0},
};

/* A timer's owner is written as the reference that it is. */
const sp_member sp_members_of_timer[] = {
    SP_MEMBER(sp_timer_record, stamp, HASHED, 0),
    SP_MEMBER(sp_timer_record, from, REAL, 1e300),
    SP_MEMBER(sp_timer_record, period, REAL, SP_MAX_LIFETIME),
    SP_MEMBER(sp_timer_record, fired, HASHED, SP_MAX_TICKS),
    SP_MEMBER(sp_timer_record, next, SAVED, 0),
    {0},
};

/* In the order of the parts from SP_PART_LOOK on. */
const sp_member sp_members_of_look[] = {
    SP_MEMBER(sp_look, scale, HASHED, 0),
    SP_MEMBER(sp_look, r, HASHED, 0),
    SP_MEMBER(sp_look, g, HASHED, 0),
    SP_MEMBER(sp_look, b, HASHED, 0),
    SP_MEMBER(sp_look, a, HASHED, 0),
    SP_MEMBER(sp_look, radius, HASHED, 0),
    SP_MEMBER(sp_look, layer, HASHED, 0),
    SP_MEMBER(sp_look, sprite, HASHED, 0),
    SP_MEMBER(sp_look, visible, HASHED, 0),
    SP_MEMBER(sp_look, pinned, HASHED, 0),
    {0},
};

_Static_assert(sizeof sp_members_of_look / sizeof *sp_members_of_look == SP_PARTS - SP_PART_LOOK + 1,
               "a part of its own for each member of a look, and the end of the list");

void sp_members_copy(const sp_member *list, void *to, const void *from)
{
  for (; list->size; list++)
    memcpy((unsigned char *)to + list->offset, (const unsigned char *)from + list->offset, list->size);
}

uint64_t sp_members_hash(const sp_member *list, const void *from, uint64_t hash)
{
  for (; list->size; list++)
    if (list->flags & SP_MEMBER_HASHED)
      hash = sp_hash_mix(hash, sp_number_in((const unsigned char *)from + list->offset, list->size));
  return hash;
}
