#include "demo/bind/voices.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/host/inspect.h"
#include "script/state/arguments.h"
#include "script/state/handles.h"

#include "script/state/careful.h"

#define NAME_MOST 256

/* {== Opening ============================================================ */

void voices_open(voices *v, audio *a, sp_script *script, const game_view *view)
{
  *v = (voices){.audio = a, .script = script, .view = view};
}

static void release_all(voices *v)
{
  for (size_t i = 0; i < v->count; i++)
    pcm_release(v->list[i].samples);
  v->count = 0;
}

void voices_close(voices *v)
{
  release_all(v);
  free(v->list);
  free(v->wanted);
  free(v->places);
  *v = (voices){0};
}

/* }== */

/* {== Places ============================================================= */

double voices_pan(const voices *v, const sp_place *place)
{
  double half = (double)v->view->width / 2;
  view_map map = camera_map(&v->view->camera, v->view->width, v->view->height); /* a shake is not heard */
  double x = (double)view_apply(&map, place->x, place->y).x;
  return half > 0 && isfinite(x) ? fmax(-1, fmin(1, (x - half) / half)) : 0;
}

void voices_place(voices *v, sp_ref object, sp_ref source, double pan)
{
  if (v->place_count == v->place_room) {
    size_t room = v->place_room ? v->place_room * 2 : 32;
    voice_place *places = realloc(v->places, room * sizeof *places);
    if (!places)
      return; /* it stays where it was allocated */
    v->places = places;
    v->place_room = room;
  }
  v->places[v->place_count++] = (voice_place){object, source, pan};
}

static void place_voice(const voices *v, sp_manager *m, const voice_place *p, int pan_column)
{
  sp_place place;
  if (!sp_is_live(m, p->voice) || !sp_is_live(m, p->source) || !sp_world_place(m, p->source, &place))
    return;
  *(float *)sp_cell(m, p->voice, SP_X) = place.x;
  *(float *)sp_cell(m, p->voice, SP_Y) = place.y;
  double *pan = pan_column < 0 ? NULL : sp_cell(m, p->voice, pan_column);
  if (pan && *pan == p->pan)
    *pan = voices_pan(v, &place);
}

static void place_all(voices *v, sp_manager *m, const sp_pool *pool)
{
  int column = v->place_count > 0 ? sp_script_column(pool, "pan") : -1;
  for (size_t i = 0; i < v->place_count; i++)
    place_voice(v, m, &v->places[i], column);
  v->place_count = 0;
}

/* }== */

/* {== The list =========================================================== */

typedef struct reading {
  sp_ref object;
  char name[NAME_MOST];
} reading;

/* read(reading). Protected by its caller. */
static int read_name(lua_State *L)
{
  reading *r = sp_raw_block(L, 1);
  sp_push_object(L, r->object);
  lua_getfield(L, -1, "sound");
  snprintf(r->name, sizeof r->name, "%s", lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
  return 0;
}

/* The game may allocate voices directly, with any value or none as their sound. */
static voice new_voice(const voices *v, sp_ref object, bool loop)
{
  lua_State *L = sp_script_state(v->script);
  voice it = {.object = object, .loop = loop};
  reading r = {.object = object};
  lua_pushcfunction(L, read_name);
  lua_pushlightuserdata(L, &r);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    lua_pop(L, 1);
  if (!r.name[0] || !sounds_is_name(r.name, strlen(r.name)))
    return it;
  it.seconds = audio_length(v->audio, r.name, "");
  it.samples = pcm_share(audio_samples(v->audio, r.name));
  return it;
}

static bool make_room(voices *v, size_t count)
{
  if (count <= v->room)
    return true;
  voice *list = realloc(v->list, count * 2 * sizeof *list);
  if (list)
    v->list = list;
  mixer_voice *wanted = realloc(v->wanted, count * 2 * sizeof *wanted);
  if (wanted)
    v->wanted = wanted;
  if (list && wanted)
    v->room = count * 2;
  return list && wanted;
}

static uint32_t slot_of(sp_ref object) { return (uint32_t)object; }

/* A voice that stops looping ends with the current round; one that begins to loop lives until it is recycled. */
static void follow_loop(sp_manager *m, voice *it, bool loop)
{
  double age = sp_age(m, it->object);
  if (loop && !it->loop)
    sp_set_remaining(m, it->object, INFINITY);
  else if (!loop && it->loop && it->seconds > 0)
    sp_set_remaining(m, it->object, it->seconds - fmod(age, it->seconds));
  it->loop = loop;
}

/* The columns of the fields, which a reload may move. */
typedef struct columns {
  int volume, pan, loop;
} columns;

static double value_of(const sp_manager *m, sp_ref object, int column, double none)
{
  const double *cell = column < 0 ? NULL : sp_peek(m, object, column);
  return cell ? *cell : none;
}

/* Replaces the list by the live voices. Voices that were in it keep their samples. */
static void update_list(voices *v, sp_manager *m, sp_pool *pool, const columns *at)
{
  size_t old = 0, old_count = v->count, count = 0, live = sp_pool_live(pool);
  voice *before = old_count > 0 ? malloc(old_count * sizeof *before) : NULL;
  if ((old_count > 0 && !before) || !make_room(v, live)) {
    free(before);
    return;
  }
  if (before)
    memcpy(before, v->list, old_count * sizeof *before);
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; count < live && (object = sp_walk_next(&walk)) != SP_NONE_REF; count++) {
    bool loop = value_of(m, object, at->loop, 0) != 0;
    while (old < old_count && slot_of(before[old].object) < slot_of(object))
      pcm_release(before[old++].samples);
    if (old < old_count && before[old].object == object) {
      v->list[count] = before[old++];
      follow_loop(m, &v->list[count], loop);
      continue;
    }
    v->list[count] = new_voice(v, object, loop);
    if (!loop && isinf(sp_remaining(m, object)) && v->list[count].seconds > 0)
      sp_set_remaining(m, object, v->list[count].seconds);
  }
  while (old < old_count)
    pcm_release(before[old++].samples);
  v->count = count;
  free(before);
}

/* }== */

/* {== Copies ============================================================= */

static void share_all(voice *to, const voice *from, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i];
    pcm_share(to[i].samples);
  }
}

bool voices_copy(const voices *v, voices_list *to)
{
  *to = (voices_list){NULL, 0};
  to->list = v->count > 0 ? malloc(v->count * sizeof *to->list) : NULL;
  if (!to->list)
    return v->count == 0;
  to->count = v->count;
  share_all(to->list, v->list, v->count);
  return true;
}

void voices_put_back(voices *v, const voices_list *from)
{
  release_all(v);
  v->place_count = 0;
  if (!make_room(v, from->count))
    return; /* the voices that play are silent */
  share_all(v->list, from->list, from->count);
  v->count = from->count;
}

void voices_list_free(voices_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    pcm_release(list->list[i].samples);
  free(list->list);
  *list = (voices_list){NULL, 0};
}

/* }== */

/* {== A step ============================================================= */

static void mix_list(voices *v, const sp_manager *m, const columns *at)
{
  size_t count = 0;
  float gain = audio_gain(v->audio);
  for (size_t i = 0; i < v->count; i++) {
    const voice *it = &v->list[i];
    if (it->samples)
      v->wanted[count++] = (mixer_voice){.key = it->object,
                                         .sound = it->samples,
                                         .age = sp_age(m, it->object),
                                         .volume = (float)value_of(m, it->object, at->volume, 1) * gain,
                                         .pan = (float)value_of(m, it->object, at->pan, 0),
                                         .loop = it->loop};
  }
  mixer_set_voices(v->audio->mixer, v->wanted, count);
}

void voices_step(voices *v, double seconds)
{
  sp_manager *m = sp_script_pools(v->script);
  sp_pool *pool = m ? sp_find_pool(m, VOICES_TYPE) : NULL;
  bool had = v->count > 0;
  if (pool && (had || sp_pool_live(pool) > 0)) {
    columns at = {sp_script_column(pool, "volume"), sp_script_column(pool, "pan"), sp_script_column(pool, "loop")};
    place_all(v, m, pool);
    update_list(v, m, pool, &at);
    if (v->audio->mixer)
      mix_list(v, m, &at);
  } else if (had) {
    release_all(v);
    if (v->audio->mixer)
      mixer_set_voices(v->audio->mixer, NULL, 0);
  }
  v->place_count = 0;
  audio_step(v->audio, seconds);
}

/* }== */
