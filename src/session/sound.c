#include "session/sound.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint64_t little(const unsigned char *at, int size)
{
  uint64_t number = 0;
  for (int i = size; i-- > 0;)
    number = number << 8 | at[i];
  return number;
}

/* {== WAV ================================================================= */

static double wav_seconds(const unsigned char *bytes, size_t size)
{
  double rate = 0;
  for (size_t at = 12; at + 8 <= size;) {
    const uint64_t length = little(bytes + at + 4, 4), left = size - at - 8;
    if (memcmp(bytes + at, "fmt ", 4) == 0 && length >= 16 && left >= 16)
      rate = (double)little(bytes + at + 8 + 8, 4); /* bytes a second */
    if (memcmp(bytes + at, "data", 4) == 0)
      return rate > 0 ? (double)(length < left ? length : left) / rate : 0;
    if (length > left)
      return 0;
    at += 8 + (size_t)length + (length & 1);
  }
  return 0;
}

/* }== */

/* {== Ogg Vorbis ========================================================== */

enum { PAGE = 27, POSITION = 6, SEGMENTS = 26, IDENTITY = 30 };

/* The position of the last page is the number of samples; the first packet has the rate. */
static double ogg_seconds(const unsigned char *bytes, size_t size)
{
  double rate = 0;
  uint64_t samples = 0;
  for (size_t at = 0; at + PAGE <= size && memcmp(bytes + at, "OggS", 4) == 0;) {
    const size_t segments = bytes[at + SEGMENTS], body = at + PAGE + segments;
    size_t length = 0;
    if (body > size)
      break;
    for (size_t i = 0; i < segments; i++)
      length += bytes[at + PAGE + i];
    if (at == 0 && body + IDENTITY <= size && memcmp(bytes + body, "\1vorbis", 7) == 0)
      rate = (double)little(bytes + body + 12, 4);
    const uint64_t position = little(bytes + at + POSITION, 8);
    samples = position != UINT64_MAX && position > samples ? position : samples;
    at = body + length;
  }
  return rate > 0 ? (double)samples / rate : 0;
}

/* }== */

double sp_sound_seconds(const void *bytes, size_t size)
{
  const double most = 86400;
  double seconds = 0;
  if (size >= 12 && memcmp(bytes, "RIFF", 4) == 0)
    seconds = wav_seconds(bytes, size);
  else if (size >= PAGE && memcmp(bytes, "OggS", 4) == 0)
    seconds = ogg_seconds(bytes, size);
  return seconds < most ? seconds : 0;
}
