/*
** Copies of the game's memory on the way, from which frames are played again. Memory is bounded: older copies become
** fewer, and the oldest are dropped.
*/
#ifndef SP_SESSION_HISTORY_H
#define SP_SESSION_HISTORY_H

#include "script/host/checkpoint.h"

typedef struct sp_moment {
  sp_checkpoint *copy;
  uint64_t frame; /* at whose end it was taken */
} sp_moment;

typedef struct sp_history {
  sp_moment *list; /* by frame */
  size_t count, room, bytes;
  size_t most;          /* bytes */
  double frames;        /* that can be gone back */
  uint32_t every;       /* frames between two; 0: about `second`, and no sooner than 50 times the cost of the last */
  uint32_t second;      /* frames of a second */
  double cost, taken;   /* seconds: of the last one; when that was */
  sp_checkpoint *start; /* before any code of the game has run; NULL: it is no longer kept */
} sp_history;

void sp_history_close(sp_history *h); /* a zeroed one is closed */

/* Takes a copy at the end of a frame if one is due, or `at_once`. False when memory is refused: then all are dropped.
   */
bool sp_history_take(sp_history *h, const sp_script *script, uint64_t frame, bool at_once);

/* Returns the last moment at or before the end of a frame; NULL: none. */
const sp_moment *sp_history_find(const sp_history *h, uint64_t frame);

/* Drops the moments after a frame; the first one; all of them, and the start. */
void sp_history_cut(sp_history *h, uint64_t frame);
void sp_history_drop_first(sp_history *h);
void sp_history_drop(sp_history *h);

#endif
