#include "demo/audio/sounds.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/strings.h"

#define NAME_MOST 200
#define RATE_LEAST 1000u
#define RATE_MOST 192000u

const char *const sounds_endings[] = {".wav", ".ogg", NULL};

static void free_sound(sound *it)
{
  if (!it)
    return;
  pcm_release(it->decoded);
  free(it->name);
  free(it->file);
  free(it);
}

void sounds_close(sounds *s)
{
  for (size_t i = 0; i < s->count; i++)
    free_sound(s->list[i]);
  free(s->list);
  *s = (sounds){0};
}

bool sounds_is_name(const char *name, size_t length)
{
  return length >= 1 && length <= NAME_MOST && name[0] != '.' && strcspn(name, "/\\") == length;
}

/* {== The list =========================================================== */

sound *sounds_find(const sounds *s, const char *name)
{
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->list[i]->name, name) == 0)
      return s->list[i];
  return NULL;
}

static sound *append(sounds *s, const char *name)
{
  sound **list = realloc(s->list, (s->count + 1) * sizeof *list);
  s->list = list ? list : s->list;
  sound *it = list ? calloc(1, sizeof *it) : NULL;
  if (!it || !(it->name = strdup(name))) {
    free(it);
    return NULL;
  }
  s->list[s->count++] = it;
  return it;
}

sound *sounds_add(sounds *s, const char *name)
{
  sound *it = sounds_find(s, name);
  if (it || s->missing == SOUNDS_MISSING_MOST)
    return it;
  it = append(s, name);
  s->missing += it != NULL;
  return it;
}

/* }== */

bool sounds_set(sounds *s, const char *file, double seconds, pcm *decoded)
{
  size_t length = strlen(file) - strlen(sounds_endings[0]); /* all endings have the same length */
  char *name = strdup(file), *copy = strdup(file);
  if (name)
    name[length] = '\0';
  sound *it = name && copy ? sounds_find(s, name) : NULL;
  if (name && copy && !it)
    it = append(s, name);
  free(name);
  if (!it) {
    free(copy);
    return false;
  }
  s->missing -= s->missing > 0 && !it->file;
  free(it->file);
  pcm_release(it->decoded);
  it->file = copy;
  it->seconds = seconds;
  it->decoded = decoded;
  it->refused = false;
  return true;
}

const char *sounds_nearest(const sounds *s, const char *name)
{
  nearest_name near = nearest_name_of(name);
  for (size_t i = 0; i < s->count; i++)
    if (s->list[i]->file)
      nearest_name_offer(&near, s->list[i]->name);
  return near.name;
}

/* {== Measuring a file =================================================== */

/* A file, read from the start. */
typedef struct reader {
  const unsigned char *bytes;
  size_t size, at;
} reader;

/* SDL_SetError returns -1, never 0. */
static bool fail(const char *problem) { return SDL_SetError("%s", problem) == 0; }

static bool is_cut_off(void) { return fail("the file is cut off"); }

static size_t left(const reader *r) { return r->size - r->at; }

static uint32_t little(const unsigned char *bytes, int count)
{
  uint32_t number = 0;
  for (int i = 0; i < count; i++)
    number |= (uint32_t)bytes[i] << 8 * i;
  return number;
}

static bool check_stream(uint32_t channels, uint32_t rate)
{
  if (channels < 1 || channels > 2)
    return SDL_SetError("%u channels; a sound has 1 or 2", (unsigned)channels) == 0;
  if (rate < RATE_LEAST || rate > RATE_MOST)
    return SDL_SetError("%u samples a second; a sound has %u to %u", (unsigned)rate, RATE_LEAST, RATE_MOST) == 0;
  return true;
}

/* }== */

/* {== WAV ================================================================ */

enum { WAV_HEAD = 12, CHUNK_HEAD = 8, FORMAT_LEAST = 16, FORMAT_EXTENDED = 26 };
enum { PCM = 1, FLOATS = 3, EXTENSIBLE = 0xfffe };

typedef struct wav_format {
  uint32_t coding, channels, rate, frame, bits; /* `frame`: bytes, of all channels */
} wav_format;

static bool check_coding(const wav_format *f)
{
  bool known = f->coding == PCM ? f->bits == 8 || f->bits == 16 || f->bits == 24 || f->bits == 32
                                : f->coding == FLOATS && f->bits == 32;
  if (!known)
    return SDL_SetError("samples of %u bits in the coding %u; save it as 16-bit PCM", (unsigned)f->bits,
                        (unsigned)f->coding) == 0;
  return f->frame == f->channels * f->bits / 8 || fail("the file is damaged");
}

static bool read_format(const unsigned char *chunk, size_t length, wav_format *f)
{
  if (length < FORMAT_LEAST)
    return fail("the file is damaged");
  *f = (wav_format){.coding = little(chunk, 2),
                    .channels = little(chunk + 2, 2),
                    .rate = little(chunk + 4, 4),
                    .frame = little(chunk + 12, 2),
                    .bits = little(chunk + 14, 2)};
  if (f->coding == EXTENSIBLE && length >= FORMAT_EXTENDED)
    f->coding = little(chunk + 24, 2);
  return check_stream(f->channels, f->rate) && check_coding(f);
}

/* Chunks are padded to even lengths; the last one may lack its padding byte. */
static bool measure_wav(reader *r, sound_length *measured)
{
  wav_format f = {0};
  for (r->at = WAV_HEAD; left(r) >= CHUNK_HEAD;) {
    const unsigned char *head = r->bytes + r->at;
    size_t length = little(head + 4, 4);
    r->at += CHUNK_HEAD;
    if (length > left(r))
      return is_cut_off();
    if (memcmp(head, "fmt ", 4) == 0 && !read_format(head + CHUNK_HEAD, length, &f))
      return false;
    if (memcmp(head, "data", 4) == 0) {
      if (f.frame == 0 || length < f.frame)
        return fail(f.frame == 0 ? "the file is damaged" : "there is no sound in it");
      size_t frames = length / f.frame;
      *measured = (sound_length){(double)frames / f.rate, (double)frames / f.rate};
      return true;
    }
    r->at += length + (length % 2 && left(r) > length);
  }
  return is_cut_off();
}

/* }== */

/* {== Ogg Vorbis ========================================================= */

enum { PAGE_HEAD = 27, VORBIS_HEAD = 30, LACING_FULL = 255 };

typedef struct ogg_stream {
  uint32_t serial, rate, block; /* `block`: samples of the longest block */
  uint64_t end;                 /* samples before the end of the last page */
  uint64_t packets;
} ogg_stream;

static bool read_head(const unsigned char *packet, size_t length, ogg_stream *s)
{
  if (length < VORBIS_HEAD || memcmp(packet, "\1vorbis", 7) != 0)
    return fail("its sound is not Vorbis; save it as Ogg Vorbis or as WAV");
  s->rate = little(packet + 12, 4);
  s->block = 1u << (packet[28] >> 4);
  return check_stream(packet[11], s->rate);
}

/* Reads the page at r->at and moves past it. Pages of other streams in the file are skipped. */
static bool read_page(reader *r, ogg_stream *s, bool first)
{
  const unsigned char *page = r->bytes + r->at;
  size_t length = 0, head = left(r) < PAGE_HEAD ? 0 : (size_t)PAGE_HEAD + page[26];
  if (head == 0 || head > left(r))
    return is_cut_off();
  if (memcmp(page, "OggS", 4) != 0)
    return fail("the file is damaged");
  uint64_t packets = 0, end = (uint64_t)little(page + 10, 4) << 32 | little(page + 6, 4);
  for (size_t i = PAGE_HEAD; i < head; i++) {
    length += page[i];
    packets += page[i] < LACING_FULL;
  }
  if (length > left(r) - head)
    return is_cut_off();
  if (first)
    s->serial = little(page + 14, 4);
  r->at += head + length;
  if (first && !read_head(page + head, length, s))
    return false;
  if (little(page + 14, 4) == s->serial) {
    s->packets += packets;
    if (end >> 63 == 0 && end > s->end) /* -1: no packet ends on it */
      s->end = end;
  }
  return true;
}

static bool measure_ogg(reader *r, sound_length *measured)
{
  ogg_stream s = {0};
  for (bool first = true; left(r) > 0; first = false)
    if (!read_page(r, &s, first))
      return false;
  if (s.end == 0)
    return fail("there is no sound in it");
  *measured = (sound_length){(double)s.end / s.rate, (double)s.packets * s.block / s.rate};
  return true;
}

/* }== */

bool sound_measure(const void *bytes, size_t size, sound_length *length)
{
  reader r = {bytes, size, 0};
  if (size >= WAV_HEAD && memcmp(r.bytes, "RIFF", 4) == 0 && memcmp(r.bytes + 8, "WAVE", 4) == 0)
    return measure_wav(&r, length);
  if (size >= 4 && memcmp(r.bytes, "OggS", 4) == 0)
    return measure_ogg(&r, length);
  return fail("neither a WAV nor an Ogg Vorbis file");
}
