#include "demo/wave.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000
#define HEAD 44
#define HALF_WAVE 100 /* samples */

static void put(FILE *file, uint32_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    fputc((int)(number >> 8 * i & 255), file);
}

void wave_write(const char *path, double seconds, int amplitude)
{
  uint32_t count = (uint32_t)(seconds * RATE + 0.5);
  FILE *file = fopen(path, "wb");
  ck_assert_msg(file != NULL, "%s", path);
  fputs("RIFF", file);
  put(file, count * 2 + HEAD - 8, 4);
  fputs("WAVEfmt ", file);
  put(file, 16, 4);
  put(file, 1, 2);
  put(file, 1, 2);
  put(file, RATE, 4);
  put(file, RATE * 2, 4);
  put(file, 2, 2);
  put(file, 16, 2);
  fputs("data", file);
  put(file, count * 2, 4);
  for (uint32_t i = 0; i < count; i++)
    put(file, (uint32_t)(i / HALF_WAVE % 2 ? -amplitude : amplitude), 2);
  fclose(file);
}

wave wave_read(const char *path)
{
  unsigned char head[HEAD], pair[4];
  wave w = {0, NULL};
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  ck_assert_uint_eq(fread(head, 1, HEAD, file), HEAD);
  ck_assert(memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WAVEfmt ", 8) == 0);
  w.frames = (head[40] | (size_t)head[41] << 8 | (size_t)head[42] << 16 | (size_t)head[43] << 24) / 4;
  w.samples = malloc(w.frames * 4 + 1);
  for (size_t i = 0; i < w.frames; i++) {
    ck_assert_uint_eq(fread(pair, 1, 4, file), 4);
    w.samples[i * 2] = (int16_t)(uint16_t)(pair[0] | pair[1] << 8);
    w.samples[i * 2 + 1] = (int16_t)(uint16_t)(pair[2] | pair[3] << 8);
  }
  ck_assert_int_eq(fgetc(file), EOF);
  fclose(file);
  return w;
}

int wave_peak(const wave *w, int channel, double from, double to)
{
  int peak = 0;
  for (size_t i = (size_t)(from * RATE + 0.5); i < (size_t)(to * RATE + 0.5) && i < w->frames; i++)
    if (abs(w->samples[i * 2 + (size_t)channel]) > peak)
      peak = abs(w->samples[i * 2 + (size_t)channel]);
  return peak;
}
