#include "demo/audio/pcm.h"

#include <stdlib.h>
#include <string.h>

pcm *pcm_copy(const int16_t *samples, size_t frames)
{
  size_t bytes = frames * 2 * sizeof *samples;
  pcm *it = malloc(sizeof *it + bytes);
  if (!it)
    return NULL;
  it->users = 1;
  it->frames = frames;
  memcpy(it->samples, samples, bytes);
  return it;
}

pcm *pcm_share(pcm *it)
{
  if (it)
    it->users++;
  return it;
}

void pcm_release(pcm *it)
{
  if (it && --it->users == 0)
    free(it);
}
