/*
** Working memory of the queries. The manager keeps it from one query to the next, so that a game with the same queries
** in every frame allocates nothing.
*/
#ifndef SP_CORE_SCRATCH_H
#define SP_CORE_SCRATCH_H

#include "core/memory.h"

typedef struct sp_scratch {
  unsigned char *block;
  size_t size, used;
} sp_scratch;

/* Takes the manager's working memory; give it back. A nested query in a callback gets none and allocates its own. */
sp_scratch sp_scratch_take(sp_manager *m);
void sp_scratch_return(sp_manager *m, sp_scratch *s);

/* Offset of `size` bytes more, aligned to 8; SIZE_MAX when memory is refused. Blocks move: keep offsets. */
size_t sp_scratch_room(sp_manager *m, sp_scratch *s, size_t size);

#endif
