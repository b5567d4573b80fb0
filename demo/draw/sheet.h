/*
** A sprite sheet: the content of the JSON file that Aseprite exports with a picture. Frames are listed in an array or
** by name, and may be trimmed. Tags are animations.
*/
#ifndef SP_DEMO_SHEET_H
#define SP_DEMO_SHEET_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#include "script/script.h"

#define SHEET_FRAMES_MOST 4096

/* The area of a frame in the picture, and the position of that area in the whole frame. */
typedef struct sheet_frame {
  SDL_Rect from;
  int left, top;
} sheet_frame;

typedef struct sheet {
  int width, height; /* of each whole frame */
  sheet_frame *frames;
  sp_sheet script; /* frame count, durations and animations, as the script host takes them */
} sheet;

/* Reads the content of a file. NULL when it is no sheet, or memory is refused: SDL_GetError says why. */
sheet *sheet_read(const void *bytes, size_t size);
void sheet_free(sheet *s);

#endif
