/*
** The hashes of the parts of a game's state, pool by pool, as JSON: they show where two states differ.
*/
#ifndef SP_DEMO_STATE_PARTS_H
#define SP_DEMO_STATE_PARTS_H

#include <cjson/cJSON.h>

#include "script/host/script_hash.h"

/* Returns an object with a member for each pool, its parts: {"hash":"..","live":"..","idle":"..","order":"..",
   "fields":{"x":".."},"objects":{"#1":"..","#9..12":".."}}. Sets `*hash` to that of the whole. Free it with
   cJSON_Delete. When memory is refused, parts are missing. */
cJSON *state_parts(sp_script *script, uint64_t *hash);

/* Writes where two states differ: the first pool, and a few of its objects and fields. */
void state_parts_compare(const cJSON *before, const cJSON *now, char *out, size_t size);

#endif
