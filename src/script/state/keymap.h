/*
** A map from interned Lua strings to small numbers, found by address: one multiply and, nearly always, one compare. The
** owner keeps the strings alive. Strings too long for Lua to intern (over 40 bytes) are found by content, slowly.
*/
#ifndef SP_SCRIPT_KEYMAP_H
#define SP_SCRIPT_KEYMAP_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SP_NO_KEY UINT32_MAX

/* Keys are compared by lua_topointer: one call identifies a string, because the result is unique to each object, and
   NULL for nil, booleans and numbers. */
typedef struct sp_key {
  const void *key; /* lua_topointer of the string; NULL in a free seat */
  uint32_t value;  /* SP_NO_KEY in a free seat: that is what NULL finds */
  uint32_t text;   /* bytes from `key` to the string's own */
} sp_key;

typedef struct sp_keymap {
  uint32_t mask, count; /* mask + 1 seats */
  bool has_long;        /* some key is too long to be interned */
  sp_key seats[];
} sp_keymap;

/* Return the number of seats for `keys` keys (a power of two, at most a quarter filled), and the size of such a map in
   bytes. */
uint32_t sp_keymap_seats(uint32_t keys);
size_t sp_keymap_size(uint32_t seats);
/* Sets up an empty map in memory of that size. */
void sp_keymap_init(sp_keymap *map, uint32_t seats);
/* Adds a key that is not there, the string at `index`; there must be a free seat beyond it. */
void sp_keymap_add(lua_State *L, sp_keymap *map, int index, uint32_t value);
/* Adds all keys of another map, none of which is there. */
void sp_keymap_add_all(sp_keymap *map, const sp_keymap *from);
/* Returns the value of the key with this text, or SP_NO_KEY, by a linear search. */
uint32_t sp_keymap_find_text(const sp_keymap *map, const char *text);
/* Does what sp_keymap_find does for a string that is too long to be interned; SP_NO_KEY for other values. */
uint32_t sp_keymap_find_long(lua_State *L, const sp_keymap *map, int index);

/* Returns the text of a seat; NULL when it is free. */
static inline const char *sp_key_text(const sp_key *seat)
{
  return seat->key ? (const char *)seat->key + seat->text : NULL;
}

/* Returns the hash of a key; its first seat is the hash modulo the number of seats. */
static inline uint32_t sp_keymap_hash(const void *key)
{
  return (uint32_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u) >> 40);
}

/* Returns the value of a key, or SP_NO_KEY, also for values other than short strings. `mask` is the map's, as a
   separate argument, because callers may know it without reading it from memory. */
static inline uint32_t sp_keymap_at(const sp_keymap *map, uint32_t mask, const void *key)
{
  const sp_key *seat = &map->seats[sp_keymap_hash(key) & mask];
  while (__builtin_expect(seat->key != key, 0)) {
    if (!seat->key)
      break;
    if (seat++ == &map->seats[mask])
      seat = map->seats;
  }
  return seat->value;
}

/* Returns the value of the key at `index`, or SP_NO_KEY. */
static inline uint32_t sp_keymap_find(lua_State *L, const sp_keymap *map, int index)
{
  uint32_t value = sp_keymap_at(map, map->mask, lua_topointer(L, index));
  return value == SP_NO_KEY && map->has_long ? sp_keymap_find_long(L, map, index) : value;
}

#endif
