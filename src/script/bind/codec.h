/*
** One codec for Lua values: a graph of nil, booleans, numbers, strings, objects and tables as bytes, and back.
** Snapshots, saves and stored data hold such bytes, and the hash of a value is the hash of its bytes.
**
** A value is a tag and its content, numbers little-endian. A table is a number, in the order in which tables are met;
** their contents follow the value one after the other, so neither depth nor circles matter.
*/
#ifndef SP_SCRIPT_CODEC_H
#define SP_SCRIPT_CODEC_H

#include "script/guard/watchdog.h"
#include "script/state/handles.h"
#include "script/state/repeatable.h"

/* Treatment of values that are not plain data. */
typedef enum sp_codec_rule {
  SP_CODEC_SNAPSHOT, /* a list holds it, and the bytes its place there. Keys come in any order */
  SP_CODEC_SAVE,     /* it is refused. Keys are sorted, as for all below */
  SP_CODEC_DATA,     /* as are objects, and tables as keys; metatables are left out */
  SP_CODEC_HASH      /* it counts as its type; as a key only when it has an order */
} sp_codec_rule;

/* How values are encoded; indices of the stack are 0 where there is nothing. */
typedef struct sp_codec {
  sp_codec_rule rule;
  const sp_manager *manager; /* whose objects are values; NULL: none are */
  int named;                 /* a table: table that is no data -> what it is, as in "a class" */
  int owned;                 /* a table whose keys are no data either, but for the keys of the table at `excepted` */
  int excepted;
  int list;                  /* of what a snapshot shares */
  size_t most;               /* bytes, */
  const char *over;          /* and what a value with more is, as in "too large" */
  sp_repeatable *repeatable; /* orders keys that are tables or functions; NULL: they have no order */
} sp_codec;

/* Pushes the bytes of the value at `index` as a string. Or returns false and pushes three values: what a part of it is
   that is refused, as in "a function"; the list of keys that lead there; and that part. Raises on memory, and when the
   time of the call is over; runs nothing of the game, and must be called inside sp_call_without_gc. */
bool sp_encode(lua_State *L, int index, const sp_codec *how);

/* Pushes the value of such bytes; `list`: as above, 0: none. False, and nothing pushed, when they are damaged. Raises
   on memory. */
bool sp_decode(lua_State *L, const char *bytes, size_t size, const sp_manager *manager, int list);

/* Appends to the string on top how a part is reached: ".name", "[5]", "['a b']" for the keys of the list at `path` from
   number `from` on. */
void sp_add_path(lua_State *L, int path, lua_Integer from);

/* Values that are being encoded. */
typedef struct sp_encoder {
  lua_State *L;
  sp_codec how;
  int at; /* index of its places on the stack */
  char *bytes;
  size_t used, room;
  lua_Integer tables, done, shared; /* met; visited; in the list */
  uint64_t entries;                 /* of tables, that may still be visited: beyond that a table only counts as one */
  const char *refused;              /* what the first refused value is; NULL: none */
  bool is_late;                     /* a table was met as a value before it was met as a metatable */
  sp_timed_work work;
} sp_encoder;

/* Begins hashes of many values, where a table counts with its contents where it is met first. Pushes the places, which
   must stay. `entries`: see above. Raises on memory. */
void sp_value_hash_begin(lua_State *L, sp_encoder *e, const sp_manager *m, sp_repeatable *r, uint64_t entries);
/* Returns the number of the value at `index`, equal for equal values in every process; 0 for nil. Raises on memory, and
   when the time of the call is over. */
uint64_t sp_value_hash_at(sp_encoder *e, int index);

#endif
