/*
** The history that the HUD shows: live objects of each pool and Lua's memory over the last seconds, and events per
** second. It is recorded only while the HUD shows curves.
*/
#ifndef SP_DEMO_HUD_HISTORY_H
#define SP_DEMO_HUD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/spawnpool.h"
#include "script/script.h"

#define HISTORY_POINTS 100
#define HISTORY_STEP 0.05 /* seconds between two points: five seconds in all */
#define HISTORY_RENEW 0.5 /* seconds between two updates of the rates */

typedef struct hud_history_pool {
  const sp_pool *pool;
  double since; /* real seconds at which the counts below were read */
  uint64_t allocs, recycles, hook_ns, frames;
  double allocs_per_second, recycles_per_second, hook_us; /* per frame */
  uint32_t version;                                       /* of its class */
  int count;
  float live[HISTORY_POINTS]; /* `count` of them, oldest first */
} hud_history_pool;

typedef struct hud_history {
  hud_history_pool *pools; /* in the order of the manager */
  uint32_t count, room;
  double next, renew; /* real seconds of the next point, and of the next reading */
  int heap_count;
  float heap[HISTORY_POINTS]; /* bytes */
} hud_history;

/* Records a point and the rates when they are due. A zeroed history is empty. `script` may be NULL: then there are no
   hook times, versions and bytes. `frames` counts frames of the game, `now` is real time in seconds. When memory is
   refused, pools are left out. */
void hud_history_take(hud_history *h, sp_script *script, const sp_manager *pools, uint64_t frames, double now);

/* Returns the bytes that Lua uses now. */
double hud_history_heap(sp_script *script);

/* Clears the history and frees its memory. */
void hud_history_clear(hud_history *h);

#endif
