/*
** Games have hundreds of files, rarely thousands: moving pointers up to make room costs less than any tree would.
*/
#include "script/watch_list.h"

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
  sp_watch_node **items = memory->alloc(memory->ud, list->items, list->capacity * item, wanted * item);
  if (!items)
    return false;
  list->items = items;
  list->capacity = wanted;
  return true;
}

sp_watch_node *sp_watch_list_add(sp_watch_list *list, size_t i, size_t size, const char *path,
                                 const sp_disk_memory *memory)
{
  size_t length = strlen(path) + 1;
  if (!make_room(list, memory))
    return NULL;
  sp_watch_node *node = memory->alloc(memory->ud, NULL, 0, size + length);
  if (!node)
    return NULL;
  char *own = memcpy((char *)node + size, path, length);
  memset(node, 0, size);
  node->size = size + length;
  node->path = own;
  memmove(list->items + i + 1, list->items + i, (list->count - i) * sizeof(*list->items));
  list->items[i] = node;
  list->count++;
  return node;
}

void sp_watch_list_remove(sp_watch_list *list, size_t i, const sp_disk_memory *memory)
{
  sp_watch_node *node = list->items[i];
  list->count--;
  memmove(list->items + i, list->items + i + 1, (list->count - i) * sizeof(*list->items));
  memory->alloc(memory->ud, node, node->size, 0);
}

void sp_watch_list_sweep(sp_watch_list *files, const sp_disk_memory *memory)
{
  size_t kept = 0;
  for (size_t i = 0; i < files->count; i++) {
    sp_watch_file *file = sp_watch_file_at(files, i);
    if (file->gone)
      memory->alloc(memory->ud, file, file->node.size, 0);
    else
      files->items[kept++] = &file->node;
  }
  files->count = kept;
}

void sp_watch_list_free(sp_watch_list *list, const sp_disk_memory *memory)
{
  for (size_t i = 0; i < list->count; i++)
    memory->alloc(memory->ud, list->items[i], list->items[i]->size, 0);
  if (list->items)
    memory->alloc(memory->ud, list->items, list->capacity * sizeof(*list->items), 0);
  *list = (sp_watch_list){0};
}
