#include "script/state/keymap.h"

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
  *map = (sp_keymap){.mask = seats - 1};
  for (uint32_t i = 0; i < seats; i++)
    map->seats[i] = (sp_key){.value = SP_NO_KEY};
}

static void sit(sp_keymap *map, sp_key key)
{
  uint32_t i = sp_keymap_hash(key.key);
  while (map->seats[i & map->mask].key)
    i++;
  map->seats[i & map->mask] = key;
  map->count++;
}

void sp_keymap_add(lua_State *L, sp_keymap *map, int index, uint32_t value)
{
  const char *key = lua_topointer(L, index), *text = lua_tostring(L, index);
  sit(map, (sp_key){key, value, (uint32_t)(text - key)});
  map->has_long |= strlen(text) > LONGEST_INTERNED;
}

void sp_keymap_add_all(sp_keymap *map, const sp_keymap *from)
{
  for (uint32_t i = 0; i <= from->mask; i++)
    if (from->seats[i].key)
      sit(map, from->seats[i]);
  map->has_long |= from->has_long;
}

uint32_t sp_keymap_find_text(const sp_keymap *map, const char *text)
{
  for (uint32_t i = 0; i <= map->mask; i++)
    if (map->seats[i].key && strcmp(sp_key_text(&map->seats[i]), text) == 0)
      return map->seats[i].value;
  return SP_NO_KEY;
}

uint32_t sp_keymap_find_long(lua_State *L, const sp_keymap *map, int index)
{
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  return strlen(text) > LONGEST_INTERNED ? sp_keymap_find_text(map, text) : SP_NO_KEY;
}
