/*
** The voices are in a list in the order of their keys, so that a new list is compared with the old one in one pass.
** Volumes change gradually over a block, because a jump is audible as a click. Only calls from the main thread release
** sounds.
*/
#include "demo/audio/mixer.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 256                /* frames: 5 ms */
#define ENDING_MOST 64           /* voices that fade out at the same time; further ones stop at once */
#define NEAR_END (PCM_RATE / 10) /* frames: a voice with fewer left is played to its end */
#define LATE 0.1                 /* seconds: a new voice that is older begins in the middle of its sound */
#define KNEE 0.8f                /* loudness above it is compressed */

typedef struct gains {
  float left, right;
} gains;

typedef struct playing {
  uint64_t key;
  pcm *sound;
  size_t at; /* frame */
  gains now, next;
  float share; /* see mixer_set_voices */
  bool loop, begun;
} playing;

struct mixer {
  SDL_mutex *mutex; /* guards everything below */
  playing *voices;
  size_t count;
  playing ending[ENDING_MOST], music;
  size_t ending_count;
  bool paused;
};

/* {== Decoded sounds ===================================================== */

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

/* }== */

/* {== Opening ============================================================ */

mixer *mixer_open(void)
{
  mixer *m = calloc(1, sizeof *m);
  if (m && !(m->mutex = SDL_CreateMutex())) {
    free(m);
    return NULL;
  }
  return m;
}

void mixer_close(mixer *m)
{
  if (!m)
    return;
  for (size_t i = 0; i < m->count; i++)
    pcm_release(m->voices[i].sound);
  for (size_t i = 0; i < m->ending_count; i++)
    pcm_release(m->ending[i].sound);
  pcm_release(m->music.sound);
  SDL_DestroyMutex(m->mutex);
  free(m->voices);
  free(m);
}

/* }== */

/* {== Voices ============================================================= */

static float clamp(float value, float least, float most)
{
  return value > least ? value < most ? value : most : least; /* NaN: least */
}

static gains gains_of(const mixer_voice *v, float share)
{
  float volume = clamp(v->volume, 0, 16) * share, pan = clamp(v->pan, -1, 1);
  return (gains){volume * (pan > 0 ? 1 - pan : 1), volume * (pan < 0 ? 1 + pan : 1)};
}

static size_t frames_left(const playing *p) { return p->loop ? SIZE_MAX : p->sound->frames - p->at; }

/* A voice expires at the end of a step, up to one step before its last sample: the rest is played. A voice that is
   interrupted fades out; one that has not begun ends at once. */
static void end_voice(mixer *m, playing *p)
{
  if (!p->begun || frames_left(p) == 0 || m->ending_count == ENDING_MOST) {
    pcm_release(p->sound);
    return;
  }
  if (frames_left(p) > NEAR_END)
    p->next = (gains){0, 0};
  m->ending[m->ending_count++] = *p;
}

static void release_ended(mixer *m)
{
  size_t kept = 0;
  for (size_t i = 0; i < m->ending_count; i++) {
    const playing *p = &m->ending[i];
    bool silent = p->now.left == 0 && p->now.right == 0;
    if (silent || frames_left(p) == 0)
      pcm_release(p->sound);
    else
      m->ending[kept++] = *p;
  }
  m->ending_count = kept;
}

static playing begin_voice(const mixer_voice *v)
{
  playing p = {.key = v->key, .sound = pcm_share(v->sound), .share = 1, .loop = v->loop};
  double at = v->age > LATE ? v->age * PCM_RATE : 0;
  double frames = (double)p.sound->frames;
  if (v->loop && at >= frames)
    at = fmod(at, frames);
  p.at = at < frames ? (size_t)at : p.sound->frames;
  return p;
}

/* Reduces the share of voices that begin together with the same sound. */
static void share_loudness(playing *list, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    size_t same = 0;
    for (size_t k = 0; !list[i].begun && k < count; k++)
      same += !list[k].begun && list[k].sound == list[i].sound;
    if (same > 0)
      list[i].share = fminf(1 / sqrtf((float)same), 2 / (float)same);
  }
}

static uint32_t slot_of(uint64_t key) { return (uint32_t)key; }

/* Moves the voices that go on to `list`, begins new ones there, and ends the others. */
static void merge(mixer *m, const mixer_voice *voices, size_t count, playing *list)
{
  size_t old = 0;
  for (size_t i = 0; i < count; i++) {
    while (old < m->count && slot_of(m->voices[old].key) < slot_of(voices[i].key))
      end_voice(m, &m->voices[old++]);
    bool goes_on = old < m->count && m->voices[old].key == voices[i].key;
    list[i] = goes_on ? m->voices[old++] : begin_voice(&voices[i]);
  }
  while (old < m->count)
    end_voice(m, &m->voices[old++]);
}

bool mixer_set_voices(mixer *m, const mixer_voice *voices, size_t count)
{
  playing *list = count > 0 ? malloc(count * sizeof *list) : NULL, *before;
  if (count > 0 && !list)
    return false;
  SDL_LockMutex(m->mutex);
  release_ended(m);
  merge(m, voices, count, list);
  share_loudness(list, count);
  for (size_t i = 0; i < count; i++) {
    playing *p = &list[i];
    p->next = gains_of(&voices[i], p->share);
    p->loop = voices[i].loop;
    if (!p->begun)
      p->now = p->next;
  }
  before = m->voices;
  m->voices = list;
  m->count = count;
  SDL_UnlockMutex(m->mutex);
  free(before);
  return true;
}

/* }== */

/* {== Music ============================================================== */

void mixer_set_music(mixer *m, pcm *music, bool loop)
{
  SDL_LockMutex(m->mutex);
  if (m->music.sound)
    end_voice(m, &m->music);
  m->music = (playing){.sound = pcm_share(music), .now = m->music.next, .next = m->music.next, .loop = loop};
  SDL_UnlockMutex(m->mutex);
}

void mixer_set_music_volume(mixer *m, float volume)
{
  SDL_LockMutex(m->mutex);
  m->music.next = (gains){volume, volume};
  SDL_UnlockMutex(m->mutex);
}

void mixer_pause(mixer *m, bool paused)
{
  SDL_LockMutex(m->mutex);
  m->paused = paused;
  SDL_UnlockMutex(m->mutex);
}

/* }== */

/* {== Mixing ============================================================= */

/* Adds frames from..to of a block of `frames`, in which the gains go from now to next. */
static void add_stretch(playing *p, float *sum, size_t from, size_t to, size_t frames)
{
  const int16_t *samples = p->sound->samples + p->at * 2;
  float left = (p->next.left - p->now.left) / (float)frames, right = (p->next.right - p->now.right) / (float)frames;
  sum += from * 2;
  for (size_t i = 0; i < to - from; i++) {
    float step = (float)(from + i);
    sum[i * 2] += (float)samples[i * 2] * (p->now.left + left * step);
    sum[i * 2 + 1] += (float)samples[i * 2 + 1] * (p->now.right + right * step);
  }
  p->at += to - from;
}

static void add_voice(playing *p, float *sum, size_t frames)
{
  for (size_t done = 0; done < frames && p->sound;) {
    size_t rest = p->sound->frames - p->at, run = frames - done < rest ? frames - done : rest;
    add_stretch(p, sum, done, done + run, frames);
    done += run;
    if (p->at == p->sound->frames && !p->loop)
      break;
    p->at %= p->sound->frames;
  }
  p->now = p->next;
  p->begun = true;
}

/* -1 to 1 for any sum; sums up to KNEE stay as they are. */
static float compress(float x)
{
  float over = (fabsf(x) - KNEE) / (1 - KNEE);
  return over <= 0 ? x : copysignf(KNEE + (1 - KNEE) * (over / (1 + over)), x);
}

static void mix_block(mixer *m, int16_t *out, size_t frames)
{
  float sum[BLOCK * 2];
  for (size_t i = 0; i < frames * 2; i++)
    sum[i] = out[i];
  for (size_t i = 0; i < m->count; i++)
    add_voice(&m->voices[i], sum, frames);
  for (size_t i = 0; i < m->ending_count; i++)
    add_voice(&m->ending[i], sum, frames);
  add_voice(&m->music, sum, frames);
  for (size_t i = 0; i < frames * 2; i++)
    out[i] = (int16_t)fminf(rintf(compress(sum[i] / 32768) * 32768), INT16_MAX);
}

void mixer_mix(mixer *m, int16_t *out, size_t frames)
{
  SDL_LockMutex(m->mutex);
  for (size_t done = 0; done < frames && !m->paused; done += BLOCK)
    mix_block(m, out + done * 2, frames - done < BLOCK ? frames - done : BLOCK);
  SDL_UnlockMutex(m->mutex);
}

/* }== */
