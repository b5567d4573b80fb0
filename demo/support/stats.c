/*
** docs/player.md describes the fields. Numbers are written with a fixed number of digits.
*/
#include "demo/support/stats.h"

#include <SDL.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/json_fields.h"

/* {== The clock ==========================================================
** Time that cannot be caught up is dropped: after a break in a debugger or a suspend, or on a slow machine. */

#define SNAP 0.1 /* of a step: see clock_steps */

double clock_now(void) { return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency(); }

void clock_start(game_clock *clock, double step)
{
  clock->step = step;
  clock->backlog = 0;
}

int clock_steps(game_clock *clock, double elapsed)
{
  double whole = round(elapsed / clock->step), due;
  if (whole >= 1 && fabs(elapsed - whole * clock->step) <= SNAP * clock->step)
    elapsed = whole * clock->step;
  if (elapsed > 0)
    clock->backlog += elapsed;
  /* A tolerance of a thousandth: sums of rounded steps would sometimes be one step short. */
  due = floor(clock->backlog / clock->step + 1e-3);
  if (due > CLOCK_CATCH_UP) {
    clock->backlog = 0;
    return CLOCK_CATCH_UP;
  }
  clock->backlog -= due * clock->step;
  return (int)due;
}

double clock_wait(const game_clock *clock)
{
  double wait = clock->step - clock->backlog;
  return wait > 0 ? wait : 0;
}

/* }== */

void stats_frame(stats *s, double ms)
{
  s->ms[s->count % STATS_RING] = (float)ms;
  s->count += 1;
}

static int compare_floats(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

double stats_percentile(const stats *s, double part)
{
  float sorted[STATS_RING];
  size_t count = s->count < STATS_RING ? (size_t)s->count : STATS_RING, rank;
  if (count == 0)
    return 0;
  memcpy(sorted, s->ms, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_floats);
  rank = (size_t)(part * (double)count);
  return sorted[rank < count ? rank : count - 1];
}

void stats_meter_start(stats_meter *meter, const stats *s, double now) { *meter = (stats_meter){now, s->count, 0}; }

double stats_meter_read(stats_meter *meter, const stats *s, double now)
{
  double seconds = now - meter->time;
  double fps = seconds > 0 ? (double)(s->count - meter->count) / seconds : 0;
  *meter = (stats_meter){now, s->count, fps};
  return fps;
}

static void write_pool(FILE *out, const sp_pool *pool)
{
  sp_stats p;
  sp_pool_stats(pool, &p);
  fputs("{\"type\":", out);
  json_write_text(out, sp_pool_desc_of(pool)->type);
  fprintf(out, ",\"live\":%" PRIu32 ",\"idle\":%" PRIu32 ",\"total\":%" PRIu32 ",\"peak\":%" PRIu32, p.live, p.idle,
          p.total, p.peak);
  fprintf(out, ",\"allocs\":%" PRIu64 ",\"recycles\":%" PRIu64 ",\"expired\":%" PRIu64, p.allocs, p.recycles,
          p.expired);
  fprintf(out, ",\"refused\":%" PRIu64 ",\"evicted\":%" PRIu64, p.refused, p.evicted);
  fprintf(out, ",\"created\":%" PRIu64 ",\"destroyed\":%" PRIu64 "}", p.created, p.destroyed);
}

static void write_reloads(FILE *out, const stats_line *line)
{
  fprintf(out, ",\"reloads\":%" PRIu64 ",\"refused_reloads\":%" PRIu64 ",\"reverted_reloads\":%" PRIu64, line->reloads,
          line->refused_reloads, line->reverted_reloads);
  fputs(",\"reload\":", out);
  json_write_text(out, line->reload ? line->reload : "");
}

bool stats_write(const stats *s, FILE *out, const sp_manager *pools, const stats_line *line)
{
  sp_clock clock = {0};
  if (pools)
    sp_manager_clock(pools, &clock);
  fprintf(out, "{\"frame\":%" PRIu64 ",\"time\":%.4f,\"fps\":%.2f", line->frame, clock.time, line->fps);
  fprintf(out, ",\"frame_ms\":{\"p50\":%.4f,\"p99\":%.4f}", stats_percentile(s, 0.5), stats_percentile(s, 0.99));
  fprintf(out, ",\"lua_bytes\":%zu,\"bytes\":%zu", line->lua_bytes, line->bytes);
  write_reloads(out, line);
  fprintf(out, ",\"final\":%s,\"pools\":[", line->final ? "true" : "false");
  for (const sp_pool *p = NULL, *last = NULL; pools && (p = sp_manager_next_pool(pools, p)) != NULL; last = p) {
    if (last)
      fputc(',', out);
    write_pool(out, p);
  }
  fputs("]}\n", out);
  return fflush(out) == 0 && !ferror(out);
}
