#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void *sp_memory_libc(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  (void)ud;
  (void)old_size;
  if (new_size == 0) {
    free(ptr);
    return NULL;
  }
  return realloc(ptr, new_size);
}

void *sp_memory_resize(sp_memory *memory, void *ptr, size_t old_size, size_t new_size)
{
  void *block = memory->fn(memory->ud, ptr, ptr ? old_size : 0, new_size);
  if (block)
    memory->bytes += new_size - (ptr ? old_size : 0);
  return block;
}

void sp_memory_free(sp_memory *memory, void *ptr, size_t size)
{
  if (!ptr)
    return;
  memory->fn(memory->ud, ptr, size, 0);
  memory->bytes -= size;
}

void *sp_memory_extend(sp_memory *memory, void *array, size_t count, size_t wanted, size_t item)
{
  unsigned char *grown = sp_memory_resize(memory, array, count * item, wanted * item);
  if (grown)
    memset(grown + count * item, 0, (wanted - count) * item);
  return grown;
}
