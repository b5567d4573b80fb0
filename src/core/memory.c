#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

#include "core/state.h"

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

sp_scratch sp_scratch_take(sp_manager *m)
{
  sp_scratch s = {m->scratch, m->scratch_size, 0};
  m->scratch = NULL;
  m->scratch_size = 0;
  return s;
}

/* The larger one is kept. */
void sp_scratch_return(sp_manager *m, sp_scratch *s)
{
  if (s->size > m->scratch_size) {
    sp_memory_free(&m->memory, m->scratch, m->scratch_size);
    m->scratch = s->block;
    m->scratch_size = s->size;
  } else {
    sp_memory_free(&m->memory, s->block, s->size);
  }
}

size_t sp_scratch_room(sp_manager *m, sp_scratch *s, size_t size)
{
  size_t at = s->used, need = at + ((size + 7) & ~(size_t)7);
  if (need > s->size) {
    size_t want = s->size * 2 > need ? s->size * 2 : need;
    unsigned char *block = sp_memory_resize(&m->memory, s->block, s->size, want);
    if (!block)
      return SIZE_MAX;
    s->block = block;
    s->size = want;
  }
  s->used = need;
  return at;
}
