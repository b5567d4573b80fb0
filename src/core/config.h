/*
** Tunables of the core, each with its reason. The public limits stand in spawnpool.h.
*/
#ifndef SP_CORE_CONFIG_H
#define SP_CORE_CONFIG_H

#include "core/spawnpool.h"

/* Slots are handed to pools by the chunk. 256 floats are 16 cache lines: long enough for vector loops, and small enough
   that a type with one object stays under 32 KiB. */
#define SP_CHUNK_BITS 8
#define SP_CHUNK_MASK (SP_CHUNK_SLOTS - 1u)
#define SP_CHUNK_WORDS (SP_CHUNK_SLOTS / 64u)
#define SP_MAX_CHUNKS (SP_MAX_SLOTS / SP_CHUNK_SLOTS)

/* One turn of the wheel is 17 s at 60 ticks a second: most lifetimes of a game are looked at once. */
#define SP_WHEEL_BUCKETS 1024u
/* Entries of 8 bytes behind a header of 8: a block is four cache lines. */
#define SP_WHEEL_BLOCK 31u
/* Cancelled entries wait for their tick; more than this beyond the armed ones are swept, a bucket per new timer. */
#define SP_WHEEL_SLACK 4096u

/* Under LIFO a slot rests behind this many newer ones, so that a stale reference is not reused at once. */
#define SP_QUARANTINE 16u

/* Even generations are idle, odd ones live; the last even one is never left again: the slot is retired. */
#define SP_LAST_GENERATION 0xfffffffeu

#define SP_DEFAULT_GROW 32u
#define SP_DEFAULT_RADIUS 8.0f

#endif
