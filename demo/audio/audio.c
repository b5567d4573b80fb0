/*
** SDL2_mixer opens the device, decodes sounds and streams music for a device. Voices are mixed by mixer.h, because
** channels of SDL2_mixer play in real time only: the file of a game gets the same samples on every run.
*/
#include "demo/audio/audio.h"

#include <SDL.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/platform.h"
#include "script/state/strings.h"

#define LINE_MOST 5120
#define FRAME ((size_t)4) /* bytes: two samples */
#define BUFFER 1024       /* frames: 21 ms */
#define SILENT_BUFFER 256 /* frames: closing the device waits for two buffers */
#define SLACK 4.0         /* factor by which the length of a sound may be overestimated: Vorbis has two block sizes */
#define NAME_MOST 200     /* bytes of the name of a sound */
#define MISSING_MOST 1000 /* entries without a file: a game that generates names must not fill the memory */
#define RATE_LEAST 1000u
#define RATE_MOST 192000u
#define NO_DEVICE "dummy" /* the driver of SDL that plays nothing */

static const char *const endings[] = {".wav", ".ogg", NULL};

/* {== The list of sounds ================================================= */

bool audio_is_name(const char *name, size_t length)
{
  return length >= 1 && length <= NAME_MOST && name[0] != '.' && strcspn(name, "/\\") == length;
}

static void free_sound(sound *it)
{
  if (!it)
    return;
  pcm_release(it->decoded);
  free(it->name);
  free(it->file);
  free(it);
}

static void free_sounds(sounds *s)
{
  for (size_t i = 0; i < s->count; i++)
    free_sound(s->list[i]);
  free(s->list);
  *s = (sounds){0};
}

/* Returns the entry of a name, possibly without a file; NULL if there is none. */
static sound *find_sound(const sounds *s, const char *name)
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

/* Returns the entry of a name, which is added if necessary; NULL when out of memory, or when there are too many. */
static sound *add_sound(sounds *s, const char *name)
{
  sound *it = find_sound(s, name);
  if (it || s->missing == MISSING_MOST)
    return it;
  it = append(s, name);
  s->missing += it != NULL;
  return it;
}

/* Sets the sound of a file: its measured length and its samples, or NULL if they are not decoded yet. Takes ownership
   of `decoded`. False when out of memory. */
static bool set_sound(sounds *s, const char *file, double seconds, pcm *decoded)
{
  size_t length = strlen(file) - strlen(endings[0]); /* all endings have the same length */
  char *name = strdup(file), *copy = strdup(file);
  if (name)
    name[length] = '\0';
  sound *it = name && copy ? find_sound(s, name) : NULL;
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

/* Returns the most similar name of a sound that has a file; NULL when there is none. */
static const char *nearest_sound(const sounds *s, const char *name)
{
  sp_nearest_name near = sp_nearest_name_of(name);
  for (size_t i = 0; i < s->count; i++)
    if (s->list[i]->file)
      sp_nearest_name_offer(&near, s->list[i]->name);
  return near.name;
}

/* }== */

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
  double most = (double)s.packets * s.block; /* a damaged file may declare any number of samples */
  *measured = (sound_length){fmin((double)s.end, most) / s.rate, most / s.rate};
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

/* {== Reporting ========================================================== */

static void warn(const audio *a, const char *text)
{
  if (a->report)
    report_say(a->report, SP_REPORT_WARNING, text);
}

static void report_missing(const audio *a, const char *name, const char *where)
{
  char text[LINE_MOST], nearest[300] = "";
  const char *near = nearest_sound(&a->sounds, name);
  if (near)
    snprintf(nearest, sizeof nearest, " (the nearest is '%.200s')", near);
  snprintf(text, sizeof text,
           "%sno sound '%.200s'%s: save %.4000s/sounds/%.200s.wav or .ogg, and it plays from the next time on; "
           "until then it is silent",
           where, name, nearest, a->folder, name);
  warn(a, text);
}

static void report_silent(const audio *a, const char *file, const char *problem)
{
  char text[LINE_MOST];
  snprintf(text, sizeof text, "%.4000s/sounds/%.250s: %.500s; it is silent until you save it again", a->folder, file,
           problem);
  warn(a, text);
}

/* Reports once why a game that has sounds is silent. */
static void report_no_device(audio *a)
{
  char text[LINE_MOST];
  snprintf(text, sizeof text, "no sound: %s", a->problem);
  if (a->problem[0])
    warn(a, text);
  a->problem[0] = '\0';
}

/* }== */

/* {== The device ========================================================= */

static void ignore_message(const char *file, int line, const char *function, int error, const char *format, ...)
{
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/* Keeps ALSA from printing its search for a device on stderr: a missing device is not an error here. */
static void silence_alsa(void)
{
  typedef int (*set_handler_fn)(void (*)(const char *, int, const char *, int, const char *, ...));
  set_handler_fn set_handler = NULL;
  void *alsa = SDL_LoadObject("libasound.so.2");
  if (alsa)
    set_handler = (set_handler_fn)SDL_LoadFunction(alsa, "snd_lib_error_set_handler");
  if (set_handler)
    set_handler(ignore_message);
}

static void mix(void *ud, Uint8 *stream, int bytes) { mixer_mix(ud, (int16_t *)(void *)stream, (size_t)bytes / FRAME); }

/* Opens SDL2_mixer without channels of its own. For a file it only decodes, and needs no device of the machine. */
static bool open_device(audio *a)
{
  const bool silent = a->output == AUDIO_FILE;
  if (silent)
    SDL_SetHintWithPriority(SDL_HINT_AUDIODRIVER, NO_DEVICE, SDL_HINT_OVERRIDE);
  else
    silence_alsa();
  if (Mix_OpenAudioDevice(PCM_RATE, AUDIO_S16SYS, 2, silent ? SILENT_BUFFER : BUFFER, NULL, 0) != 0)
    return false;
  Mix_AllocateChannels(0);
  if (!silent)
    Mix_SetPostMix(mix, a->mixer);
  return true;
}

/* Returns the decoded content of a file, with one user. NULL when it is invalid or too long, or out of memory:
   SDL_GetError says why. */
static pcm *decode(const void *bytes, size_t size)
{
  sound_length l;
  if (!sound_measure(bytes, size, &l))
    return NULL;
  if (l.seconds > AUDIO_SECONDS_MOST || l.most > SLACK * AUDIO_SECONDS_MOST) {
    SDL_SetError("it is %.0f seconds long; a sound has %.0f at most, and longer ones are music",
                 l.seconds > AUDIO_SECONDS_MOST ? l.seconds : l.most, AUDIO_SECONDS_MOST);
    return NULL;
  }
  Mix_Chunk *chunk = Mix_LoadWAV_RW(SDL_RWFromConstMem(bytes, (int)size), 1);
  if (!chunk)
    return NULL;
  size_t frames = chunk->alen / FRAME;
  pcm *it = frames > 0 ? pcm_copy((const int16_t *)(const void *)chunk->abuf, frames) : NULL;
  Mix_FreeChunk(chunk);
  if (frames == 0)
    SDL_SetError("there is no sound in it");
  else if (!it)
    SDL_OutOfMemory();
  return it;
}

static void stop_stream(audio *a)
{
  if (a->stream) {
    Mix_HaltMusic();
    Mix_FreeMusic(a->stream);
  }
  free(a->stream_bytes);
  a->stream = NULL;
  a->stream_bytes = NULL;
}

/* Streams music from a copy of the content. False on failure: SDL_GetError says why, and nothing plays. */
static bool play_stream(audio *a, const void *bytes, size_t size, bool loop)
{
  stop_stream(a);
  a->stream_bytes = malloc(size);
  if (!a->stream_bytes)
    return SDL_OutOfMemory() == 0;
  memcpy(a->stream_bytes, bytes, size);
  a->stream = Mix_LoadMUS_RW(SDL_RWFromConstMem(a->stream_bytes, (int)size), 1);
  if (a->stream && Mix_PlayMusic(a->stream, loop ? -1 : 1) == 0)
    return true;
  stop_stream(a);
  return false;
}

/* }== */

/* {== The file =========================================================== */

/* Numbers in a WAV file are little-endian, names are read as such numbers. */
static bool write_head(const audio *a)
{
  enum { RIFF = 0x46464952, WAVE = 0x45564157, FMT = 0x20746d66, DATA = 0x61746164, HEAD = 44 };
  uint64_t bytes = a->frames * FRAME, most = UINT32_MAX - HEAD;
  uint32_t data = (uint32_t)(bytes < most ? bytes : most);
  uint32_t head[] = {RIFF,         data + HEAD - 8,  WAVE, FMT, 16, 1 | 2 << 16, PCM_RATE,
                     PCM_RATE * 4, FRAME | 16 << 16, DATA, data};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++)
    head[i] = SDL_SwapLE32(head[i]);
  return fwrite(head, sizeof head, 1, a->file) == 1;
}

static bool open_file(audio *a, const char *path)
{
  a->file = fopen(path, "wb");
  return a->file && write_head(a);
}

/* Mixes and appends `seconds` of sound. */
static bool append_sound(audio *a, double seconds)
{
  enum { BLOCK = 1024 }; /* frames */
  a->frames_owed += seconds * PCM_RATE;
  size_t due = (size_t)(a->frames_owed + 0.5);
  a->frames_owed -= (double)due;
  a->frames += due;
  for (size_t done = 0; done < due; done += BLOCK) {
    int16_t samples[BLOCK * 2] = {0};
    size_t count = due - done < BLOCK ? due - done : BLOCK;
    mixer_mix(a->mixer, samples, count);
    for (size_t i = 0; i < count * 2; i++)
      samples[i] = (int16_t)SDL_SwapLE16((uint16_t)samples[i]);
    if (fwrite(samples, FRAME, count, a->file) != count)
      return false;
  }
  return true;
}

/* Writes the size, which is known only now; a pipe cannot be rewound and keeps a size of 0. */
static bool close_file(audio *a)
{
  if (!a->file)
    return true;
  bool fine = fflush(a->file) == 0;
  if (fine && fseek(a->file, 0, SEEK_SET) == 0)
    fine = write_head(a);
  int error = errno;
  if (fclose(a->file) == 0)
    errno = error;
  else
    fine = false;
  a->file = NULL;
  return fine;
}

/* }== */

/* {== Files ============================================================== */

static const asset *asset_of(const audio *a, const char *file)
{
  const asset *it = NULL;
  for (size_t i = 0; a->files && file && (it = assets_at(a->files, i)) != NULL; i++)
    if (strcmp(it->file, file) == 0)
      return it->bytes ? it : NULL;
  return NULL;
}

/* Loads a new or edited file. With a device it is decoded at once: only that detects damage in the middle of a file. */
static bool load_file(void *ud, const char *file, const void *bytes, size_t size)
{
  audio *a = ud;
  sound_length length;
  pcm *decoded = NULL;
  if (!sound_measure(bytes, size, &length))
    return false;
  report_no_device(a);
  if (a->decodes && length.seconds <= AUDIO_SECONDS_MOST && !(decoded = decode(bytes, size)))
    return false;
  if (set_sound(&a->sounds, file, length.seconds, decoded))
    return true;
  pcm_release(decoded);
  return SDL_OutOfMemory() == 0;
}

const assets_kind audio_files = {.folder = "sounds",
                                 .endings = endings,
                                 .noun = "sound",
                                 .instead = "it is silent",
                                 .effect = "heard from the next voice on",
                                 .load = load_file};

void audio_set_files(audio *a, assets *files)
{
  const asset *it;
  a->files = files;
  for (size_t i = 0; (it = assets_at(files, i)) != NULL; i++) {
    SDL_ClearError();
    if (it->bytes && load_file(a, it->file, it->bytes, it->size)) {
      assets_note(files, i, NULL);
      continue;
    }
    if (it->bytes)
      assets_note(files, i, *SDL_GetError() ? SDL_GetError() : "not enough memory");
    report_silent(a, it->file, it->problem ? it->problem : "not enough memory");
    set_sound(&a->sounds, it->file, 0, NULL);
  }
}

/* }== */

/* {== Opening ============================================================ */

void audio_open(audio *a, const char *folder, report *r)
{
  *a = (audio){.report = r, .folder = folder, .volume = 1, .music_volume = 1};
}

/* A missing device is a problem only if SDL_AUDIODRIVER names one. */
bool audio_start(audio *a, audio_output output, const char *path, char *error, size_t error_size)
{
  const char *asked = SDL_getenv("SDL_AUDIODRIVER");
  a->output = output;
  if (output == AUDIO_NONE)
    return true;
  a->mixer = mixer_open();
  if (!a->mixer) {
    snprintf(error, error_size, "not enough memory to play sounds");
    return false;
  }
  if (output == AUDIO_FILE && !open_file(a, path)) {
    snprintf(error, error_size, "cannot write the sound to '%.1000s': %s", path, strerror(errno));
    return false;
  }
  a->decodes = open_device(a);
  if (!a->decodes && output == AUDIO_FILE) {
    snprintf(error, error_size, "cannot write the sound to '%.1000s': %.500s", path, SDL_GetError());
    return false;
  }
  if (!a->decodes && asked && *asked)
    snprintf(a->problem, sizeof a->problem, "%s", SDL_GetError());
  if (a->files && assets_at(a->files, 0))
    report_no_device(a);
  return true;
}

void audio_close(audio *a)
{
  audio_finish(a);
  if (a->decodes) {
    stop_stream(a);
    Mix_CloseAudio();
  }
  mixer_close(a->mixer);
  free_sounds(&a->sounds);
  *a = (audio){0};
}

/* }== */

/* {== Playing ============================================================ */

double audio_length(audio *a, const char *name, const char *where)
{
  const sound *known = find_sound(&a->sounds, name);
  if (!known && a->files && (known = add_sound(&a->sounds, name)) != NULL)
    report_missing(a, name, where);
  return known && known->seconds > 0 ? known->seconds : AUDIO_SILENCE;
}

pcm *audio_samples(audio *a, const char *name)
{
  sound *it = find_sound(&a->sounds, name);
  const asset *file = it && it->seconds > 0 && !it->decoded && !it->refused ? asset_of(a, it->file) : NULL;
  if (file && a->decodes) {
    it->decoded = decode(file->bytes, file->size);
    it->refused = !it->decoded;
    if (it->refused)
      report_silent(a, it->file, SDL_GetError());
  }
  return it ? it->decoded : NULL;
}

float audio_gain(const audio *a) { return a->muted ? 0 : a->volume; }

/* }== */

/* {== Music ============================================================== */

static void set_music_volume(audio *a)
{
  float volume = audio_gain(a) * a->music_volume;
  if (a->mixer)
    mixer_set_music_volume(a->mixer, volume);
  if (a->decodes)
    Mix_VolumeMusic((int)lrintf(fminf(volume, 1) * MIX_MAX_VOLUME));
}

void audio_set_volume(audio *a, float volume, bool muted)
{
  a->volume = volume;
  a->muted = muted;
  set_music_volume(a);
}

/* A device streams music. For AUDIO_FILE there is no stream: the music is decoded at once. */
static bool start_music(audio *a, const sound *it, bool loop)
{
  const asset *file = asset_of(a, it->file);
  if (!file || !a->decodes)
    return true;
  if (a->output == AUDIO_DEVICE)
    return play_stream(a, file->bytes, file->size, loop);
  mixer_set_music(a->mixer, audio_samples(a, it->name), loop);
  return true;
}

bool audio_play_music(audio *a, const char *name, float volume, bool loop, const char *where)
{
  audio_length(a, name, where);
  const sound *it = find_sound(&a->sounds, name);
  bool goes_on = loop && strcmp(a->music, name) == 0;
  a->music_volume = volume;
  set_music_volume(a);
  if (!it || it->seconds == 0) {
    audio_stop_music(a);
    return false;
  }
  if (!goes_on && !start_music(a, it, loop))
    report_silent(a, it->file, SDL_GetError());
  snprintf(a->music, sizeof a->music, "%s", loop ? name : "");
  set_music_volume(a);
  return true;
}

void audio_stop_music(audio *a)
{
  a->music[0] = '\0';
  stop_stream(a);
  if (a->mixer)
    mixer_set_music(a->mixer, NULL, false);
}

/* }== */

/* {== Running ============================================================ */

static void lose_file(audio *a)
{
  char text[256];
  snprintf(text, sizeof text, "cannot write the sound: %s", strerror(errno));
  report_line(text);
  a->lost = true;
}

void audio_step(audio *a, double seconds)
{
  if (!a->file || append_sound(a, seconds))
    return;
  lose_file(a);
  close_file(a);
}

bool audio_finish(audio *a)
{
  if (!close_file(a))
    lose_file(a);
  return !a->lost;
}

void audio_pause(audio *a, bool paused)
{
  if (paused == a->paused)
    return;
  a->paused = paused;
  if (a->mixer)
    mixer_pause(a->mixer, paused);
  if (a->decodes)
    (paused ? Mix_PauseMusic : Mix_ResumeMusic)();
}

/* }== */
