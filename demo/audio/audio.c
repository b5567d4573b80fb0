#include "demo/audio/audio.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 5120

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

static void report_no_speaker(audio *a);

/* Loads a new or edited file. With a device it is decoded at once: only that detects damage in the middle of a file. */
static bool load_file(void *ud, const char *file, const void *bytes, size_t size)
{
  audio *a = ud;
  sound_format format;
  pcm *decoded = NULL;
  if (!sound_file_measure(bytes, size, &format))
    return false;
  report_no_speaker(a);
  if (a->speaker && format.seconds <= SPEAKER_SECONDS_MOST) {
    decoded = speaker_decode(a->speaker, bytes, size);
    if (!decoded)
      return false;
  }
  if (sounds_set(&a->sounds, file, format.seconds, decoded))
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
    sound_format format;
    SDL_ClearError();
    if (it->bytes && sound_file_measure(it->bytes, it->size, &format) &&
        sounds_set(&a->sounds, it->file, format.seconds, NULL)) {
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

/* Both a device and a file need the library that decodes. A missing device is a problem only if SDL_AUDIODRIVER names
   one; a missing library always, since the installation is incomplete. */
static void open_speaker(audio *a)
{
  const char *asked = SDL_getenv("SDL_AUDIODRIVER");
  a->speaker = speaker_open(a->mixer, a->output == AUDIO_FILE);
  if (!a->speaker && (a->output == AUDIO_FILE || (asked && *asked) || !speaker_has_library()))
    snprintf(a->problem, sizeof a->problem, "%s", SDL_GetError());
}

/* Reports once why a game that has sounds is silent. */
static void report_no_speaker(audio *a)
{
  char text[LINE_MOST];
  snprintf(text, sizeof text, "no sound: %s", a->problem);
  if (a->problem[0])
    warn(a, text);
  a->problem[0] = '\0';
}

bool audio_start(audio *a, audio_output output, const char *file, char *error, size_t error_size)
{
  a->output = output;
  if (output == AUDIO_NONE)
    return true;
  a->mixer = mixer_open();
  if (!a->mixer) {
    snprintf(error, error_size, "not enough memory to play sounds");
    return false;
  }
  if (output == AUDIO_FILE && !track_open(&a->track, file)) {
    snprintf(error, error_size, "cannot write the sound to '%.1000s': %s", file, strerror(errno));
    return false;
  }
  open_speaker(a);
  bool has_sounds = a->files && assets_at(a->files, 0);
  if (has_sounds && output == AUDIO_FILE && a->problem[0]) {
    snprintf(error, error_size, "cannot write the sound to '%.1000s': %.500s", file, a->problem);
    return false;
  }
  if (has_sounds)
    report_no_speaker(a);
  return true;
}

void audio_close(audio *a)
{
  if (!track_close(&a->track))
    report_line("the sound could not be written completely");
  speaker_close(a->speaker);
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
  if (file && a->speaker) {
    it->decoded = speaker_decode(a->speaker, file->bytes, file->size);
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
  if (a->speaker)
    speaker_music_volume(a->speaker, volume);
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
  if (!file || !a->speaker)
    return true;
  if (a->output == AUDIO_DEVICE)
    return speaker_music(a->speaker, file->bytes, file->size, loop);
  pcm *samples = audio_samples(a, it->name);
  mixer_set_music(a->mixer, samples, loop);
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
  if (a->speaker)
    speaker_music(a->speaker, NULL, 0, false);
  if (a->mixer)
    mixer_set_music(a->mixer, NULL, false);
}

/* }== */

/* {== Running ============================================================ */

void audio_step(audio *a, double seconds)
{
  if (!a->track.file || track_add(&a->track, a->mixer, seconds))
    return;
  char text[256];
  snprintf(text, sizeof text, "cannot write the sound: %s", strerror(errno));
  report_line(text);
  track_close(&a->track);
}

void audio_pause(audio *a, bool paused)
{
  if (paused == a->paused)
    return;
  a->paused = paused;
  if (a->mixer)
    mixer_pause(a->mixer, paused);
  if (a->speaker)
    speaker_pause(a->speaker, paused);
}

/* }== */
