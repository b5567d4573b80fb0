/*
** SDL2_mixer, loaded when something may be heard: it depends on twenty other libraries, which a run without sound does
** not load.
*/
#ifndef SP_DEMO_MIXER_LIBRARY_H
#define SP_DEMO_MIXER_LIBRARY_H

#include <SDL_mixer.h>
#include <stdbool.h>

#define MIXER_LIBRARY_FUNCTIONS(X)                                                                                     \
  X(Mix_OpenAudioDevice)                                                                                               \
  X(Mix_CloseAudio)                                                                                                    \
  X(Mix_AllocateChannels)                                                                                              \
  X(Mix_SetPostMix)                                                                                                    \
  X(Mix_LoadWAV_RW)                                                                                                    \
  X(Mix_FreeChunk)                                                                                                     \
  X(Mix_LoadMUSType_RW)                                                                                                \
  X(Mix_FreeMusic)                                                                                                     \
  X(Mix_PlayMusic)                                                                                                     \
  X(Mix_HaltMusic)                                                                                                     \
  X(Mix_VolumeMusic)                                                                                                   \
  X(Mix_PauseMusic)                                                                                                    \
  X(Mix_ResumeMusic)

/* The library's functions, by their own names. */
typedef struct mixer_library {
  void *handle;
#define MIXER_LIBRARY_MEMBER(name) __typeof__(name) *name;
  MIXER_LIBRARY_FUNCTIONS(MIXER_LIBRARY_MEMBER)
#undef MIXER_LIBRARY_MEMBER
} mixer_library;

/* False when the library is missing: SDL_GetError says so. */
bool mixer_library_open(mixer_library *it);

#endif
