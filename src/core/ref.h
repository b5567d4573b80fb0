/*
** Ids of managers.
*/
#ifndef SP_CORE_REF_H
#define SP_CORE_REF_H

#include "core/binding.h"

typedef struct sp_id {
  uint32_t id;          /* 1 .. SP_MAX_MANAGERS */
  uint32_t first, last; /* generations: slots begin with the first one; one that reaches the last one is retired */
  uint32_t lives;       /* as in the options */
  bool is_chosen;       /* the host chose it */
  bool is_listed;       /* the process knows that it is taken */
} sp_id;

/* Takes an id, or that which is chosen in `id`. Returns false when there is none, or that one has no generation left.
   `lives` is that of the options. */
bool sp_id_take(sp_id *id, uint32_t lives);
/* Gives it back; `next` is the first generation of the next manager that gets it. */
void sp_id_give_back(const sp_id *id, uint32_t next);
/* Returns the id of a binding, whose slots begin at `first`. */
sp_id sp_id_from(uint32_t id, uint32_t first, uint32_t lives);

/* Returns a reference to an object of a manager with the id `from` as that of one with `to`. A reference of a third
   manager stays as it is, unless it looks like one of either: that becomes SP_NULL_REF. */
sp_ref sp_ref_moved(const sp_id *from, const sp_id *to, sp_ref ref);

#endif
