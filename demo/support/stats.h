/*
** The clock of the player, a ring buffer of the last frame times, and the lines that --stats writes. Nothing is
** allocated per frame.
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

/* {== The clock ==========================================================
** Converts real time of any granularity into game steps of one fixed length: elapsed time is accumulated, and whole
** steps are taken off. It takes times from its caller, so that tests need not wait. */

#define CLOCK_CATCH_UP 5 /* most steps per frame: beyond that the game slows down rather than freeze */

typedef struct game_clock {
  double step;    /* seconds */
  double backlog; /* elapsed seconds that are not stepped yet */
} game_clock;

/* Returns real seconds from an arbitrary start. */
double clock_now(void);

/* Starts a clock with nothing due. `step` > 0. */
void clock_start(game_clock *clock, double step);

/* Adds `elapsed` seconds and takes off the steps that are due: 0 .. CLOCK_CATCH_UP. An elapsed time within a tenth
   of a step of a whole number of steps counts as that number, so that a display at the game's rate gets one step per
   frame in spite of jitter. */
int clock_steps(game_clock *clock, double elapsed);

/* Returns the seconds until the next step is due; 0 when one is. */
double clock_wait(const game_clock *clock);

/* }== */

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

#endif
