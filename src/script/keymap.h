/*
** A map from interned Lua strings to small numbers, found by address: one multiply and, nearly always, one compare. The
** owner keeps the strings alive. Strings too long for Lua to intern (over 40 bytes) are found by content, slowly.
*/
#ifndef SP_SCRIPT_KEYMAP_H
#define SP_SCRIPT_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SP_NO_KEY UINT32_MAX

typedef struct sp_key {
  const char *name; /* as lua_tostring gave it; NULL in a free seat */
  uint32_t value;
} sp_key;

typedef struct sp_keymap {
  uint32_t mask, count; /* mask + 1 seats */
  bool has_long;        /* some key is too long to be interned */
  sp_key seats[];
} sp_keymap;

/* Seats for `keys` keys (a power of two, at most a quarter filled) and the size of such a map in bytes. */
uint32_t sp_keymap_seats(uint32_t keys);
size_t sp_keymap_size(uint32_t seats);
void sp_keymap_init(sp_keymap *map, uint32_t seats);
/* Adds a key that is not there; there must be a free seat beyond it. */
void sp_keymap_add(sp_keymap *map, const char *name, uint32_t value);
uint32_t sp_keymap_find_long(const sp_keymap *map, const char *name);

static inline uint32_t sp_keymap_hash(const char *name)
{
  return (uint32_t)(((uint64_t)(uintptr_t)name * 0x9e3779b97f4a7c15u) >> 40);
}

/* The value of `name`, or SP_NO_KEY. */
static inline uint32_t sp_keymap_find(const sp_keymap *map, const char *name)
{
  for (uint32_t i = sp_keymap_hash(name);; i++) {
    const sp_key *key = &map->seats[i & map->mask];
    if (key->name == name)
      return key->value;
    if (!key->name)
      return map->has_long ? sp_keymap_find_long(map, name) : SP_NO_KEY;
  }
}

#endif
