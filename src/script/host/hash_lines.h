/*
** The state of all pools of a repeatable script as numbers, to compare two runs: equal for equal states, in every
** process. Beside the number of the whole there is a line of text for each pool, in which the part that differs can be
** found: its counts, each field over all live objects, and groups of objects over all fields.
*/
#ifndef SP_SCRIPT_HASH_LINES_H
#define SP_SCRIPT_HASH_LINES_H

#include "script/script.h"

/* `line`: words "NAME=HEX", separated by blanks: "live", "idle", fields in their order, and "#12" or "#9..12" for the
   objects of these numbers. `pool` is its type; those of other managers than the default one have "2:" and so on before
   it. Blanks and control characters in names are written as "?". Both texts are valid until the call returns. */
typedef void (*sp_pool_hash_fn)(void *ud, const char *pool, const char *line);

/* Calls `fn` (NULL: no lines) for each pool that has objects, in order of creation, and returns the number of the
   whole; 0 when memory is refused. Runs nothing of the game. Takes about 0.2 us per object. */
uint64_t sp_script_hash(sp_script *script, sp_pool_hash_fn fn, void *ud);

/* Returns a number that soon differs when two runs differ: clocks, counts, and places of objects. For every frame. */
uint32_t sp_script_digest(const sp_script *script);

#endif
