#include "demo/draw/image_library.h"

#ifdef SP_SDL_IMAGE

#include <SDL.h>

static bool find(image_library *it)
{
  void *library = SDL_LoadObject(SP_SDL_IMAGE);
  bool fine = library != NULL;
#define IMAGE_LIBRARY_LOAD(name)                                                                                       \
  it->name = fine ? (__typeof__(it->name))SDL_LoadFunction(library, #name) : NULL;                                     \
  fine = it->name != NULL;
  IMAGE_LIBRARY_FUNCTIONS(IMAGE_LIBRARY_LOAD)
#undef IMAGE_LIBRARY_LOAD
  return fine;
}

#else

/* A library that is part of the player. */
static bool find(image_library *it)
{
#define IMAGE_LIBRARY_TAKE(name) it->name = name;
  IMAGE_LIBRARY_FUNCTIONS(IMAGE_LIBRARY_TAKE)
#undef IMAGE_LIBRARY_TAKE
  return true;
}

#endif

bool image_library_open(image_library *it) { return find(it) && (it->IMG_Init(IMG_INIT_PNG) & IMG_INIT_PNG) != 0; }
