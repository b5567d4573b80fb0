#include "demo/audio/track.h"

#include <string.h>

#include "script/state/platform.h"

#define BLOCK 1024 /* frames */
#define HEAD 44    /* bytes */
#define FRAME 4    /* bytes */

static unsigned char *put(unsigned char *out, uint32_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    *out++ = (unsigned char)(number >> 8 * i);
  return out;
}

static unsigned char *put_name(unsigned char *out, const char *name)
{
  memcpy(out, name, 4);
  return out + 4;
}

static bool write_head(const track *t)
{
  unsigned char head[HEAD], *at = head;
  uint64_t bytes = t->frames * FRAME, most = UINT32_MAX - HEAD;
  uint32_t data = (uint32_t)(bytes < most ? bytes : most);
  at = put(put_name(at, "RIFF"), data + HEAD - 8, 4);
  at = put(put_name(put_name(at, "WAVE"), "fmt "), 16, 4);
  at = put(put(at, 1, 2), 2, 2);
  at = put(put(at, PCM_RATE, 4), PCM_RATE * FRAME, 4);
  at = put(put(at, FRAME, 2), 16, 2);
  put(put_name(at, "data"), data, 4);
  return fwrite(head, HEAD, 1, t->file) == 1;
}

bool track_open(track *t, const char *file)
{
  *t = (track){.file = sp_stream_open(file, "wb")};
  return t->file && write_head(t);
}

/* In a WAV file the low byte comes first. */
static bool write_frames(track *t, const int16_t *samples, size_t frames)
{
  unsigned char bytes[BLOCK * FRAME], *at = bytes;
  for (size_t i = 0; i < frames * 2; i++)
    at = put(at, (uint16_t)samples[i], 2);
  return fwrite(bytes, FRAME, frames, t->file) == frames;
}

bool track_add(track *t, mixer *m, double seconds)
{
  t->owed += seconds * PCM_RATE;
  size_t due = (size_t)(t->owed + 0.5);
  t->owed -= (double)due;
  t->frames += due;
  for (size_t done = 0; done < due; done += BLOCK) {
    int16_t samples[BLOCK * 2] = {0};
    size_t count = due - done < BLOCK ? due - done : BLOCK;
    mixer_mix(m, samples, count);
    if (!write_frames(t, samples, count))
      return false;
  }
  return true;
}

/* The sizes in the header are known only now. A pipe cannot be rewound and keeps the sizes of 0. */
bool track_close(track *t)
{
  bool fine = true;
  if (!t->file)
    return true;
  if (fseek(t->file, 0, SEEK_SET) == 0)
    fine = write_head(t);
  fine = fclose(t->file) == 0 && fine;
  t->file = NULL;
  return fine;
}
