#include "demo/audio/speaker.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/audio/mixer_library.h"

#define BUFFER 1024       /* frames: 21 ms */
#define SILENT_BUFFER 256 /* frames: closing the device waits for two buffers */
#define SLACK 4.0         /* factor by which the length of a sound may be overestimated: Vorbis has two block sizes */
#define NO_DEVICE "dummy" /* the driver of SDL that plays nothing */

struct speaker {
  mixer_library lib;
  Mix_Music *music;
  void *music_bytes; /* the stream reads them */
};

/* {== Opening ============================================================ */

static void quiet(const char *file, int line, const char *function, int error, const char *format, ...)
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
    set_handler(quiet);
}

static void mix(void *ud, Uint8 *stream, int bytes)
{
  mixer_mix(ud, (int16_t *)(void *)stream, (size_t)bytes / (2 * sizeof(int16_t)));
}

speaker *speaker_open(mixer *m, bool silent)
{
  const int buffer = silent ? SILENT_BUFFER : BUFFER;
  speaker *s = calloc(1, sizeof *s);
  if (!s) {
    SDL_OutOfMemory();
    return NULL;
  }
  if (silent)
    SDL_SetHintWithPriority(SDL_HINT_AUDIODRIVER, NO_DEVICE, SDL_HINT_OVERRIDE);
  else
    silence_alsa();
  if (!mixer_library_open(&s->lib) || s->lib.Mix_OpenAudioDevice(PCM_RATE, AUDIO_S16SYS, 2, buffer, NULL, 0) != 0) {
    free(s);
    return NULL;
  }
  s->lib.Mix_AllocateChannels(0);
  if (!silent)
    s->lib.Mix_SetPostMix(mix, m);
  return s;
}

void speaker_close(speaker *s)
{
  if (!s)
    return;
  speaker_music(s, NULL, 0, false);
  s->lib.Mix_CloseAudio();
  free(s);
}

bool speaker_has_library(void)
{
  mixer_library library;
  return mixer_library_open(&library);
}

/* }== */

/* {== Sounds ============================================================= */

static bool check_length(const sound_format *f)
{
  if (f->seconds <= SPEAKER_SECONDS_MOST && f->most <= SLACK * SPEAKER_SECONDS_MOST)
    return true;
  return SDL_SetError("it is %.0f seconds long; a sound has %.0f at most, and longer ones are music",
                      f->seconds > SPEAKER_SECONDS_MOST ? f->seconds : f->most, SPEAKER_SECONDS_MOST) == 0;
}

pcm *speaker_decode(const speaker *s, const void *bytes, size_t size)
{
  sound_format format;
  if (!sound_file_measure(bytes, size, &format) || !check_length(&format))
    return NULL;
  Mix_Chunk *chunk = s->lib.Mix_LoadWAV_RW(SDL_RWFromConstMem(bytes, (int)size), 1);
  if (!chunk)
    return NULL;
  size_t frames = chunk->alen / (2 * sizeof(int16_t));
  pcm *it = frames > 0 ? pcm_copy((const int16_t *)(const void *)chunk->abuf, frames) : NULL;
  s->lib.Mix_FreeChunk(chunk);
  if (frames == 0)
    SDL_SetError("there is no sound in it");
  else if (!it)
    SDL_OutOfMemory();
  return it;
}

/* }== */

/* {== Music ============================================================== */

static void stop_music(speaker *s)
{
  if (s->music) {
    s->lib.Mix_HaltMusic();
    s->lib.Mix_FreeMusic(s->music);
  }
  free(s->music_bytes);
  s->music = NULL;
  s->music_bytes = NULL;
}

static bool load_music(speaker *s, const void *bytes, size_t size)
{
  sound_format format;
  if (!sound_file_measure(bytes, size, &format))
    return false;
  s->music_bytes = malloc(size);
  if (!s->music_bytes)
    return SDL_OutOfMemory() == 0;
  memcpy(s->music_bytes, bytes, size);
  s->music = s->lib.Mix_LoadMUSType_RW(SDL_RWFromConstMem(s->music_bytes, (int)size),
                                       format.kind == SOUND_OGG ? MUS_OGG : MUS_WAV, 1);
  return s->music != NULL;
}

bool speaker_music(speaker *s, const void *bytes, size_t size, bool loop)
{
  stop_music(s);
  if (!bytes || (load_music(s, bytes, size) && s->lib.Mix_PlayMusic(s->music, loop ? -1 : 1) == 0))
    return true;
  stop_music(s);
  return false;
}

void speaker_music_volume(speaker *s, float volume)
{
  s->lib.Mix_VolumeMusic((int)lrintf(fminf(volume, 1) * MIX_MAX_VOLUME));
}

void speaker_pause(speaker *s, bool paused)
{
  if (paused)
    s->lib.Mix_PauseMusic();
  else
    s->lib.Mix_ResumeMusic();
}

/* }== */
