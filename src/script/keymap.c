#include "script/keymap.h"

#include <string.h>

#define LONGEST_INTERNED 40

uint32_t sp_keymap_seats(uint32_t keys)
{
  uint32_t seats = 8;
  while (seats < keys * 4)
    seats *= 2;
  return seats;
}

size_t sp_keymap_size(uint32_t seats) { return sizeof(sp_keymap) + seats * sizeof(sp_key); }

void sp_keymap_init(sp_keymap *map, uint32_t seats)
{
  memset(map, 0, sp_keymap_size(seats));
  map->mask = seats - 1;
}

void sp_keymap_add(sp_keymap *map, const char *name, uint32_t value)
{
  uint32_t i = sp_keymap_hash(name);
  while (map->seats[i & map->mask].name)
    i++;
  map->seats[i & map->mask] = (sp_key){name, value};
  map->count++;
  map->has_long |= strlen(name) > LONGEST_INTERNED;
}

uint32_t sp_keymap_find_long(const sp_keymap *map, const char *name)
{
  if (strlen(name) <= LONGEST_INTERNED)
    return SP_NO_KEY;
  for (uint32_t i = 0; i <= map->mask; i++)
    if (map->seats[i].name && strcmp(map->seats[i].name, name) == 0)
      return map->seats[i].value;
  return SP_NO_KEY;
}
