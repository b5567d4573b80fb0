/*
** Stills: small pictures of the last minutes of a game, a few per second, fewer for older frames. They are shown on the
** timeline, and while the game runs backwards.
*/
#ifndef SP_DEMO_STILLS_H
#define SP_DEMO_STILLS_H

#include "demo/draw/window.h"

#define STILLS_BYTES ((size_t)48 << 20) /* of all pictures */
#define STILLS_RATE 10                  /* per second at most */
#define STILLS_MOST 4096

typedef struct still {
  uint64_t frame;
  int width, height;
  uint16_t *pixels; /* RGB565, rows without gaps */
} still;

typedef struct stills {
  still *list; /* by frame; NULL: none so far */
  int count;
  size_t bytes;
  SDL_Texture *small; /* in which they are drawn */
  SDL_Texture *shown; /* the one that was asked for last */
  SDL_Texture *strip; /* several of them beside each other */
  uint64_t shown_frame, strip_first, strip_last;
  int small_width, small_height, shown_width, shown_height, cells, cell_width, cell_height;
  double next; /* real seconds: when the next one is due */
} stills;

/* A zeroed `stills` is empty. The textures belong to one renderer, which must still exist in stills_close; call
   stills_forget_textures when the renderer has lost its textures. */
void stills_close(stills *s);
void stills_forget_textures(stills *s);

/* Takes a picture of the window `w` with the game's frame `scene` in it, if one is due. Taking pictures uses at most a
   thirtieth of the time, unless that is less than one picture per second. */
void stills_take(stills *s, const window *w, const game_view *view, const batch *scene, SDL_Color background,
                 uint64_t frame);

/* Drops the pictures of frames after `frame`. */
void stills_cut(stills *s, uint64_t frame);

/* Returns a texture with the last picture at or before `frame`; NULL: there is none. */
SDL_Texture *stills_show(stills *s, SDL_Renderer *renderer, uint64_t frame);

/* Returns a texture with pictures from `first` to `last` side by side, at equal distances in time: as many as fit into
   width x height pixels, `s->cells` of them. NULL when there are none. */
SDL_Texture *stills_draw_strip(stills *s, SDL_Renderer *renderer, uint64_t first, uint64_t last, int width, int height);

#endif
