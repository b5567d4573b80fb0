/*
** A file of recorded input. The first byte says how the rest is read: as it is, or behind a head that is right. What
** can be read has its bounds; it is written, read and written again, which gives the same bytes.
*/
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/recording.h"
#include "demo/support/clock.h"

static const char head[] =
    "{\"format\":\"spawnpool-recording\",\"version\":1,\"player\":\"1\",\"game\":\"g\",\"files\":\"0\",\"seed\":\"1\","
    "\"width\":8,\"height\":6,\"density\":1,\"step\":0.01,\"start\":1,\"memory\":1,\"arguments\":[]}\n";

static void path_of(const char *name, char path[600]) { snprintf(path, 600, "%s/%s", fuzz_folder(), name); }

static void check_entries(const recording *r)
{
  uint64_t frame = 0;
  for (size_t i = 0; i < r->count; i++) {
    const recording_entry *e = &r->entries[i];
    fuzz_check(e->frame >= frame && e->frame <= r->last);
    fuzz_check(e->kind != RECORDING_EVENT || e->event.type != 0);
    fuzz_check(e->kind != RECORDING_STEPS || e->number <= CLOCK_CATCH_UP);
    fuzz_check(e->kind != RECORDING_SIZE || (e->width > 0 && e->height > 0 && e->density > 0));
    frame = e->frame;
  }
}

static char *written(const recording *r, const char *name)
{
  char path[600];
  path_of(name, path);
  FILE *out = fopen(path, "w+");
  fuzz_check(out != NULL);
  recording_write_head(out, &r->head);
  for (size_t i = 0; i < r->count; i++)
    recording_write_entry(out, &r->entries[i]);
  long size = ftell(out);
  char *bytes = malloc((size_t)size + 1);
  fuzz_check(bytes != NULL);
  rewind(out);
  bytes[fread(bytes, 1, (size_t)size, out)] = '\0';
  fclose(out);
  return bytes;
}

int fuzz_recording(const uint8_t *data, size_t size)
{
  char path[600], problem[1200];
  recording r, again;
  if (size == 0 || size > 1 << 16)
    return 0;
  size_t before = data[0] & 1 ? sizeof head - 1 : 0;
  char *bytes = malloc(before + size);
  fuzz_check(bytes != NULL);
  memcpy(bytes, head, before);
  memcpy(bytes + before, data + 1, size - 1);
  fuzz_write("recorded", bytes, before + size - 1);
  free(bytes);
  path_of("recorded", path);
  if (!recording_read(&r, path, problem, sizeof problem))
    return 0;
  check_entries(&r);
  char *first = written(&r, "first");
  path_of("first", path);
  fuzz_check(recording_read(&again, path, problem, sizeof problem));
  char *second = written(&again, "second");
  fuzz_check(strcmp(first, second) == 0);
  free(first);
  free(second);
  recording_free(&r);
  recording_free(&again);
  return 0;
}
