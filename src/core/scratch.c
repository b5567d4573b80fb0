/*
** See scratch.h.
*/
#include "core/scratch.h"

#include "core/state.h"

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
