/*
** Frame times of the last frames in a ring, and the lines that --stats writes. Nothing is allocated per frame.
**
** A line is one JSON object; docs/stats.md describes its fields, and a test compares them. With "--stats -" the lines
** have the standard output to themselves: prints of the game go to stderr.
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

/* Returns the time within which `part` (0..1) of the frames in the ring stayed: 0.5 is the median. 0 when there are
   none. */
double stats_percentile(const stats *s, double part);

/* Start at `now`; each reading returns the rate since the previous one and keeps it in `fps`. */
void stats_meter_start(stats_meter *meter, const stats *s, double now);
double stats_meter_read(stats_meter *meter, const stats *s, double now);

/* Writes one line; `pools` may be NULL, for none. False when the stream refused it. */
bool stats_write(const stats *s, FILE *out, const sp_manager *pools, const stats_line *line);

/* The limit of a pool as a number to show: 0 where nothing may live. */
uint32_t stats_limit(const sp_pool *pool);

#endif
