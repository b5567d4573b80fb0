/*
** A ring buffer of the last frame times, and the lines that --stats writes. Nothing is allocated per frame.
**
** A line is one JSON object; docs/player.md describes its fields, and a test compares them. With "--stats -" only these
** lines go to stdout: prints of the game go to stderr.
*/
#ifndef SP_DEMO_STATS_H
#define SP_DEMO_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/spawnpool.h"

#define STATS_RING 512 /* frames: eight seconds at 60 per second; p99 is then the fifth longest */

typedef struct stats {
  float ms[STATS_RING];
  uint64_t count; /* frames ever added */
} stats;

/* Frames per second between two readings. */
typedef struct stats_meter {
  double time; /* real seconds, from any start */
  uint64_t count;
  double fps;
} stats_meter;

/* The contents of a line besides the pools and the ring. */
typedef struct stats_line {
  uint64_t frame;
  double fps;
  size_t lua_bytes, bytes;
  uint64_t reloads, refused_reloads, reverted_reloads;
  const char *reload; /* NULL: "" */
  bool final;
} stats_line;

/* Adds a frame that took `ms` milliseconds of work. A zeroed ring is empty. */
void stats_frame(stats *s, double ms);

/* Returns a percentile of the frame times in the ring, in milliseconds: `part` 0.5 is the median. 0 when the ring is
   empty. */
double stats_percentile(const stats *s, double part);

/* Start at `now`; each reading returns the rate since the previous one and keeps it in `fps`. */
void stats_meter_start(stats_meter *meter, const stats *s, double now);
double stats_meter_read(stats_meter *meter, const stats *s, double now);

/* Writes one line; `pools` may be NULL, for none. False when the stream refused it. */
bool stats_write(const stats *s, FILE *out, const sp_manager *pools, const stats_line *line);

/* Returns the limit of a pool as it is shown: 0 when the pool accepts no objects. */
uint32_t stats_limit(const sp_pool *pool);

#endif
