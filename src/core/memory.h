/*
** All memory of a manager comes through its one hook, with exact sizes, and is counted.
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

#endif
