/*
** SDL2_mixer is linked in, because a page cannot load libraries. It reads WAV and Ogg Vorbis.
*/
#include "demo/audio/mixer_library.h"

bool mixer_library_open(mixer_library *it)
{
#define MIXER_LIBRARY_LINK(name) .name = name,
  *it = (mixer_library){MIXER_LIBRARY_FUNCTIONS(MIXER_LIBRARY_LINK)};
#undef MIXER_LIBRARY_LINK
  return true;
}
