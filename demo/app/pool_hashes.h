/*
** The hashes of all pools and of their parts, as JSON: a recording has them, and what differs later is found in them.
** {"Dot": {"hash": "1a2b3c4d", "fields": {"x": "..."}, "objects": {"#1": "..."}}}; see script/host/part_hashes.h.
*/
#ifndef SP_DEMO_POOL_HASHES_H
#define SP_DEMO_POOL_HASHES_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

#include "script/script.h"

/* Returns the hash of all, and in `*pools` those of the pools, to be freed by cJSON_Delete; less when memory is
   refused. */
uint64_t pool_hashes_take(sp_script *script, cJSON **pools);
/* Returns the pools of `now` that are not so in `before` as text, to be freed by cJSON_free; NULL: memory is refused. */
char *pool_hashes_changed(const cJSON *now, const cJSON *before);
/* Puts the pools of such a text over those in `pools`. */
void pool_hashes_add(cJSON *pools, const char *text);
/* Writes the first pool in which they differ, and of that the objects and fields: a few of them. */
void pool_hashes_compare(const cJSON *then, const cJSON *now, char *out, size_t size);

#endif
