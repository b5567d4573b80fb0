#include "demo/app/storage_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static stored **find(storage_memory *m, const char *name)
{
  stored **link = &m->first;
  while (*link && strcmp((*link)->name, name) != 0)
    link = &(*link)->next;
  return link;
}

long storage_memory_read(void *ud, const char *name, void *to, size_t room, char why[STORAGE_WHY])
{
  const stored *it = *find(ud, name);
  if (!it) {
    snprintf(why, STORAGE_WHY, "none");
    return -1;
  }
  if (to)
    memcpy(to, it->bytes, it->size < room ? it->size : room);
  return (long)it->size;
}

static size_t size_of_others(const storage_memory *m, const char *name)
{
  size_t size = 0;
  for (const stored *it = m->first; it; it = it->next)
    size += strcmp(it->name, name) == 0 ? 0 : it->size;
  return size;
}

bool storage_memory_write(void *ud, const char *name, const void *bytes, size_t size, char why[STORAGE_WHY])
{
  storage_memory *m = ud;
  size_t others = size_of_others(m, name);
  if (bytes && size + others > STORAGE_MOST) {
    snprintf(why, STORAGE_WHY, STORAGE_TOO_LARGE, size, size + others, STORAGE_MOST);
    return false;
  }
  stored *it = bytes ? malloc(sizeof *it + size) : NULL, **link = find(m, name), *old = *link;
  if (bytes && !it) {
    snprintf(why, STORAGE_WHY, "not enough memory");
    return false;
  }
  *link = old ? old->next : NULL;
  free(old);
  if (!it)
    return true;
  *it = (stored){.next = m->first, .size = size};
  strcpy(it->name, name);
  memcpy(it->bytes, bytes, size);
  m->first = it;
  return true;
}

void storage_memory_free(storage_memory *m)
{
  while (m->first) {
    stored *next = m->first->next;
    free(m->first);
    m->first = next;
  }
}

bool storage_memory_copy(storage_memory *to, const storage_memory *from)
{
  to->first = NULL;
  for (const stored *it = from->first; it; it = it->next) {
    stored *copy = malloc(sizeof *copy + it->size);
    if (!copy) {
      storage_memory_free(to);
      return false;
    }
    memcpy(copy, it, sizeof *it + it->size);
    copy->next = to->first;
    to->first = copy;
  }
  return true;
}

size_t storage_memory_bytes(const storage_memory *m)
{
  size_t bytes = 0;
  for (const stored *it = m->first; it; it = it->next)
    bytes += sizeof *it + it->size;
  return bytes;
}
