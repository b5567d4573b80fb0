/*
** The paths of objects through a stretch of frames, before an edit and after it. Both are thinned to what can be seen:
** objects in the view, dots that lie apart, and of a crowd an even part, the same in both.
*/
#ifndef SP_DEMO_TRAILS_H
#define SP_DEMO_TRAILS_H

#include "demo/app/game.h"

typedef struct trail trail;

/* Paths before an edit and after it; a zeroed one is empty. */
typedef struct trails {
  trail *before, *after; /* NULL: none */
  trail *adds;           /* that of them to which frames are added, or NULL */
  sp_ref only;           /* SP_NULL_REF: all objects */
  uint32_t share;        /* one of so many objects is followed, */
  uint64_t each;         /* in one of so many frames */
} trails;

/* Begins again. `only`: the one object that is followed; SP_NULL_REF: all. `crowd`: how many live; `frames`: how many
   are added. */
void trails_begin(trails *t, sp_ref only, uint64_t crowd, uint64_t frames);
void trails_free(trails *t);

/* Adds frames to the paths before or after the edit from now on, from their beginning; out of memory it adds none. */
void trails_record(trails *t, trail **which);

/* Adds the places of objects at the end of `frame`, which is later than the last one. */
void trails_add(trails *t, const game *it, uint64_t frame);

/* Draws the paths in points: after the edit in full dots up to `frame`, before it in hollow ones; where both are the
   same, and where the edited game has not come yet, there are small grey ones. */
void trails_draw(const trails *t, graphics *g, const game_view *view, uint64_t frame);

#endif
