/*
** Games have hundreds of files, rarely thousands: moving pointers up to make room costs less than any tree would.
*/
#include "script/watch/watch_list.h"

#include <string.h>

size_t sp_watch_list_find(const sp_watch_list *list, const char *path, bool *found)
{
  size_t low = 0, high = list->count;
  *found = false;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(list->items[middle]->path, path);
    if (order == 0)
      *found = true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool make_room(sp_watch_list *list, const sp_disk_memory *memory)
{
  if (list->count < list->capacity)
    return true;
  size_t wanted = list->capacity ? list->capacity * 2 : 32, item = sizeof(*list->items);
  sp_watch_entry **items = memory->alloc(memory->ud, list->items, list->capacity * item, wanted * item);
  if (!items)
    return false;
  list->items = items;
  list->capacity = wanted;
  return true;
}

sp_watch_entry *sp_watch_list_add(sp_watch_list *list, size_t i, const char *path, const sp_disk_memory *memory)
{
  size_t length = strlen(path) + 1, block = sizeof(sp_watch_entry) + length;
  sp_watch_entry *e = make_room(list, memory) ? memory->alloc(memory->ud, NULL, 0, block) : NULL;
  if (!e)
    return NULL;
  *e = (sp_watch_entry){.block = block, .path = memcpy(e + 1, path, length)};
  memmove(list->items + i + 1, list->items + i, (list->count - i) * sizeof(*list->items));
  list->items[i] = e;
  list->count++;
  return e;
}

void sp_watch_list_remove(sp_watch_list *list, size_t i, const sp_disk_memory *memory)
{
  sp_watch_entry *e = list->items[i];
  list->count--;
  memmove(list->items + i, list->items + i + 1, (list->count - i) * sizeof(*list->items));
  memory->alloc(memory->ud, e, e->block, 0);
}

void sp_watch_list_free(sp_watch_list *list, const sp_disk_memory *memory)
{
  while (list->count > 0)
    sp_watch_list_remove(list, list->count - 1, memory);
  if (list->items)
    memory->alloc(memory->ud, list->items, list->capacity * sizeof(*list->items), 0);
  *list = (sp_watch_list){0};
}
