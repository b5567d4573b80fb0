/*
** The state of all pools of a repeatable script as a number, to compare two runs: equal for equal states, in every
** process. Beside the number of the whole there are those of the parts of each pool, in which what differs can be
** found: its counts, each field over all live objects, and groups of objects over all fields.
*/
#ifndef SP_SCRIPT_HASH_H
#define SP_SCRIPT_HASH_H

#include "script/script.h"

typedef enum sp_hash_kind {
  SP_HASH_POOL,   /* `name` is "hash", that of the whole pool, "live", "idle", or "order", that of its idle slots */
  SP_HASH_FIELD,  /* a field over all live objects */
  SP_HASH_OBJECTS /* all fields of some objects: `name` has their numbers, "#12" or "#9..12" */
} sp_hash_kind;

/* `pool` is the type; those of other managers than the default one have "2:" and so on before it. Both texts are valid
   until the call returns. */
typedef void (*sp_hash_fn)(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number);

/* Calls `fn` (NULL: none) for each part of each pool, in order of creation, but for fields and objects whose number is
   0, and returns the number of the whole; 0 when memory is refused. Runs nothing of the game. Takes about 0.2 us per
   object. */
uint64_t sp_script_hash(sp_script *script, sp_hash_fn fn, void *ud);

/* Returns a number that soon differs when two runs differ: clocks, counts, and places of objects. For every frame. */
uint32_t sp_script_digest(const sp_script *script);

#endif
