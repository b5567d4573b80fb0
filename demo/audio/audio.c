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

#define LINE_MOST 5120
#define FRAME ((size_t)4) /* bytes: two samples */
#define BUFFER 1024       /* frames: 21 ms */
#define SILENT_BUFFER 256 /* frames: closing the device waits for two buffers */
#define SLACK 4.0         /* factor by which the length of a sound may be overestimated: Vorbis has two block sizes */
#define NO_DEVICE "dummy" /* the driver of SDL that plays nothing */

/* {== Reporting ========================================================== */

static void warn(const audio *a, const char *text)
{
  if (a->report)
    report_say(a->report, SP_REPORT_WARNING, text);
}

static void report_missing(const audio *a, const char *name, const char *where)
{
  char text[LINE_MOST], nearest[300] = "";
  const char *near = sounds_nearest(&a->sounds, name);
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
  bool fine = true;
  if (!a->file)
    return true;
  if (fseek(a->file, 0, SEEK_SET) == 0)
    fine = write_head(a);
  fine = fclose(a->file) == 0 && fine;
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
  if (sounds_set(&a->sounds, file, length.seconds, decoded))
    return true;
  pcm_release(decoded);
  return SDL_OutOfMemory() == 0;
}

const assets_kind audio_files = {.folder = "sounds",
                                 .endings = sounds_endings,
                                 .noun = "sound",
                                 .instead = "it is silent",
                                 .effect = "the next voice has it",
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
    sounds_set(&a->sounds, it->file, 0, NULL);
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
  if (!close_file(a))
    report_line("the sound could not be written completely");
  if (a->decodes) {
    stop_stream(a);
    Mix_CloseAudio();
  }
  mixer_close(a->mixer);
  sounds_close(&a->sounds);
  *a = (audio){0};
}

/* }== */

/* {== Playing ============================================================ */

double audio_length(audio *a, const char *name, const char *where)
{
  const sound *known = sounds_find(&a->sounds, name);
  if (!known && a->files && (known = sounds_add(&a->sounds, name)) != NULL)
    report_missing(a, name, where);
  return known && known->seconds > 0 ? known->seconds : AUDIO_SILENCE;
}

pcm *audio_samples(audio *a, const char *name)
{
  sound *it = sounds_find(&a->sounds, name);
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
  const sound *it = sounds_find(&a->sounds, name);
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

void audio_step(audio *a, double seconds)
{
  if (!a->file || append_sound(a, seconds))
    return;
  char text[256];
  snprintf(text, sizeof text, "cannot write the sound: %s", strerror(errno));
  report_line(text);
  close_file(a);
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
