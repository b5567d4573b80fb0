/*
** SDL2_image, loaded when something is drawn: it brings seven other libraries, and a game without a window starts
** without them.
*/
#ifndef SP_DEMO_IMAGE_LIBRARY_H
#define SP_DEMO_IMAGE_LIBRARY_H

#include <SDL_image.h>
#include <stdbool.h>

#define IMAGE_LIBRARY_FUNCTIONS(X)                                                                                     \
  X(IMG_Init)                                                                                                          \
  X(IMG_LoadPNG_RW)                                                                                                    \
  X(IMG_SavePNG_RW)

/* The functions, under their own names. */
typedef struct image_library {
#define IMAGE_LIBRARY_MEMBER(name) __typeof__(name) *name;
  IMAGE_LIBRARY_FUNCTIONS(IMAGE_LIBRARY_MEMBER)
#undef IMAGE_LIBRARY_MEMBER
} image_library;

/* Loads the library for the rest of the process, and what it needs for PNG; the first call must come before the wall is
   raised. False when it is missing: SDL_GetError says so. */
bool image_library_open(image_library *it);

#endif
