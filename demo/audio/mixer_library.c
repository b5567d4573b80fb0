#include "demo/audio/mixer_library.h"

#ifdef SP_SDL_MIXER

#include <SDL.h>
#include <string.h>

/* The library is never unloaded: some libraries that it depends on crash when they are. */
bool mixer_library_open(mixer_library *it)
{
  memset(it, 0, sizeof *it);
  it->handle = SDL_LoadObject(SP_SDL_MIXER);
  bool fine = it->handle != NULL;
#define MIXER_LIBRARY_LOAD(name)                                                                                       \
  it->name = fine ? (__typeof__(it->name))SDL_LoadFunction(it->handle, #name) : NULL;                                  \
  fine = it->name != NULL;
  MIXER_LIBRARY_FUNCTIONS(MIXER_LIBRARY_LOAD)
#undef MIXER_LIBRARY_LOAD
  return fine;
}

#else

/* SDL2_mixer is linked into the player. */
bool mixer_library_open(mixer_library *it)
{
  it->handle = NULL;
#define MIXER_LIBRARY_TAKE(name) it->name = name;
  MIXER_LIBRARY_FUNCTIONS(MIXER_LIBRARY_TAKE)
#undef MIXER_LIBRARY_TAKE
  return true;
}

#endif
