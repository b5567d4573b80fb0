/*
** All memory of a manager comes through its one hook, with exact sizes, and is counted. Working memory of queries is
** kept from one to the next, so that a game with the same queries in every frame allocates nothing.
*/
#ifndef SP_CORE_MEMORY_H
#define SP_CORE_MEMORY_H

#include "core/spawnpool.h"

typedef struct sp_memory {
  sp_memory_fn fn;
  void *ud;
  size_t bytes; /* held now */
} sp_memory;

/* The hook that calls realloc and free. */
void *sp_memory_libc(void *ud, void *ptr, size_t old_size, size_t new_size);

/* Resizes `ptr` (NULL: a new block); NULL when refused, `ptr` then unchanged. */
void *sp_memory_resize(sp_memory *memory, void *ptr, size_t old_size, size_t new_size);
void sp_memory_free(sp_memory *memory, void *ptr, size_t size);

/* Grows `array` from `count` to `wanted` items of `item` bytes, new ones zeroed; NULL when refused, `array`
   unchanged. */
void *sp_memory_extend(sp_memory *memory, void *array, size_t count, size_t wanted, size_t item);

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
