/*
** The state of all pools of a repeatable script as numbers, to compare two runs: equal for equal states, in every
** process. Beside the number of the whole there are some for each pool, in which the part that differs can be found: of
** all of it, of each field over all live objects, and of groups of objects over all fields.
*/
#ifndef SP_SCRIPT_PART_HASHES_H
#define SP_SCRIPT_PART_HASHES_H

#include "script/script.h"

typedef enum sp_hash_of {
  SP_HASH_POOL,   /* what comes next is of the pool of type `name`; those of other managers than the default one have
                     "2:" and so on before it */
  SP_HASH_FIELD,  /* a field; in parentheses what is no field: "(live)", "(idle)", "(order)" of the idle ones ... */
  SP_HASH_OBJECTS /* "#12", or "#9..12" of the objects with these numbers */
} sp_hash_of;

/* `name` is valid until the call returns. What is left out has the number 0. */
typedef void (*sp_part_hash_fn)(void *ud, sp_hash_of of, const char *name, uint32_t number);

/* Calls `fn` (NULL: nobody) for each pool that has objects, in order of creation, and for its parts, and returns the
   number of the whole; 0 when memory is refused. Runs nothing of the game. Takes about 0.2 us per object. */
uint64_t sp_script_hash(sp_script *script, sp_part_hash_fn fn, void *ud);

/* Returns a number that soon differs when two runs differ: clocks, counts, and places of objects. For every frame. */
uint32_t sp_script_digest(const sp_script *script);

#endif
