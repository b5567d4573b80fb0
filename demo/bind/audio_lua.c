/*
** A voice is allocated by pools:alloc, so that overrides and hooks of the game's class `Voice` run. Options become
** fields.
*/
#include "demo/bind/audio_lua.h"

#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "script/host/inspect.h"
#include "script/state/arguments.h"
#include "script/state/handles.h"
#include "script/state/strings.h"

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
  free(v->places);
  *v = (voices){0};
}

/* }== */

/* {== Positions ========================================================== */

/* Returns the pan of a position in the world: -1 at the left edge of the view and beyond it, 1 at the right one. */
static double pan_of(const voices *v, const sp_place *place)
{
  double half = (double)v->view->width / 2;
  view_map map = camera_map(&v->view->camera, v->view->width, v->view->height); /* a shake is not heard */
  double x = (double)view_apply(&map, place->x, place->y).x;
  return half > 0 && isfinite(x) ? fmax(-1, fmin(1, (x - half) / half)) : 0;
}

/* Places a voice at `source`, at the end of this step. */
static void place_later(voices *v, sp_ref object, sp_ref source, double pan)
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
  if (!sp_object_is_live(m, p->voice) || !sp_object_is_live(m, p->source) || !sp_object_world(m, p->source, &place))
    return;
  *(float *)sp_object_cell(m, p->voice, SP_X) = place.x;
  *(float *)sp_object_cell(m, p->voice, SP_Y) = place.y;
  double *pan = pan_column < 0 ? NULL : sp_object_cell(m, p->voice, pan_column);
  if (pan && *pan == p->pan)
    *pan = pan_of(v, &place);
}

static void place_all(voices *v, sp_manager *m, const sp_pool *pool)
{
  int column = v->place_count > 0 ? sp_script_column(pool, "pan") : -1;
  for (size_t i = 0; i < v->place_count; i++)
    place_voice(v, m, &v->places[i], column);
  v->place_count = 0;
}

/* }== */

/* {== The list of voices ================================================= */

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
  if (!r.name[0] || !audio_is_name(r.name, strlen(r.name)))
    return it;
  it.seconds = audio_length(v->audio, r.name, "");
  it.samples = pcm_share(audio_samples(v->audio, r.name));
  return it;
}

static uint32_t slot_of(sp_ref object) { return (uint32_t)object; }

/* A voice that stops looping ends with the current round; one that begins to loop lives until it is recycled. */
static void follow_loop(sp_manager *m, voice *it, bool loop)
{
  double age = sp_object_age(m, it->object);
  if (loop && !it->loop)
    sp_object_set_remaining(m, it->object, INFINITY);
  else if (!loop && it->loop && it->seconds > 0)
    sp_object_set_remaining(m, it->object, it->seconds - fmod(age, it->seconds));
  it->loop = loop;
}

/* The columns of the fields, which a reload may move. */
typedef struct columns {
  int volume, pan, loop;
} columns;

static double value_of(const sp_manager *m, sp_ref object, int column, double none)
{
  const double *cell = column < 0 ? NULL : sp_object_peek(m, object, column);
  return cell ? *cell : none;
}

/* Replaces the list by the live voices. Voices that were in it keep their samples. Without memory it stays. */
static void update_list(voices *v, sp_manager *m, sp_pool *pool, const columns *at)
{
  size_t old = 0, count = 0, live = sp_pool_live(pool);
  voice *list = malloc((live + 1) * sizeof *list);
  if (!list)
    return;
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; count < live && (object = sp_walk_next(&walk)) != SP_NULL_REF; count++) {
    bool loop = value_of(m, object, at->loop, 0) != 0;
    while (old < v->count && slot_of(v->list[old].object) < slot_of(object))
      pcm_release(v->list[old++].samples);
    if (old < v->count && v->list[old].object == object) {
      list[count] = v->list[old++];
      follow_loop(m, &list[count], loop);
      continue;
    }
    list[count] = new_voice(v, object, loop);
    if (!loop && isinf(sp_object_remaining(m, object)) && list[count].seconds > 0)
      sp_object_set_remaining(m, object, list[count].seconds);
  }
  while (old < v->count)
    pcm_release(v->list[old++].samples);
  free(v->list);
  v->list = list;
  v->count = count;
}

/* }== */

/* {== Copies ============================================================= */

static bool copy_list(const voice *list, size_t count, voices_list *to)
{
  *to = (voices_list){.list = count > 0 ? malloc(count * sizeof *list) : NULL};
  if (!to->list)
    return count == 0;
  for (; to->count < count; to->count++) {
    to->list[to->count] = list[to->count];
    pcm_share(list[to->count].samples);
  }
  return true;
}

bool voices_copy(const voices *v, voices_list *to) { return copy_list(v->list, v->count, to); }

void voices_put_back(voices *v, const voices_list *from)
{
  voices_list copy = {NULL, 0};
  release_all(v);
  v->place_count = 0;
  if (!copy_list(from->list, from->count, &copy))
    return; /* the voices that play are silent */
  free(v->list);
  v->list = copy.list;
  v->count = copy.count;
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

static void mix_list(const voices *v, const sp_manager *m, const columns *at)
{
  size_t count = 0;
  float gain = audio_gain(v->audio);
  mixer_voice *list = malloc((v->count + 1) * sizeof *list);
  for (size_t i = 0; list && i < v->count; i++) {
    const voice *it = &v->list[i];
    if (it->samples)
      list[count++] = (mixer_voice){.key = it->object,
                                    .sound = it->samples,
                                    .age = sp_object_age(m, it->object),
                                    .volume = (float)value_of(m, it->object, at->volume, 1) * gain,
                                    .pan = (float)value_of(m, it->object, at->pan, 0),
                                    .loop = it->loop};
  }
  if (list)
    mixer_set_voices(v->audio->mixer, list, count);
  free(list);
}

void voices_step(voices *v, double seconds)
{
  sp_manager *m = sp_script_pools(v->script);
  sp_pool *pool = m ? sp_manager_pool(m, VOICES_TYPE) : NULL;
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

static voices *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

/* {== Arguments ========================================================== */

static const char *check_name(lua_State *L, int arg)
{
  size_t length;
  const char *name = sp_check_bytes(L, arg, &length);
  if (!audio_is_name(name, length))
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "a sound is named like its file in sounds/, without folder and ending; got '%s'", name));
  return name;
}

typedef struct play_options {
  double volume, pan;
  bool loop, pinned;
  unsigned given; /* bit per entry of `known`: the rest is up to the class */
} play_options;

static const struct {
  const char *name;
  int type;
  size_t offset;
  bool voices_only; /* not an option of music */
} known[] = {{"volume", LUA_TNUMBER, offsetof(play_options, volume), false},
             {"loop", LUA_TBOOLEAN, offsetof(play_options, loop), false},
             {"pan", LUA_TNUMBER, offsetof(play_options, pan), true},
             {"pinned", LUA_TBOOLEAN, offsetof(play_options, pinned), true}};

#define KNOWN (sizeof known / sizeof *known)

static int raise_unknown(lua_State *L, int arg, bool music)
{
  const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2);
  sp_nearest_name near = sp_nearest_name_of(key);
  for (size_t i = 0; i < KNOWN; i++)
    if (!(music && known[i].voices_only))
      sp_nearest_name_offer(&near, known[i].name);
  const char *said = near.name ? lua_pushfstring(L, "no option '%s'; the nearest is '%s'", key, near.name)
                               : lua_pushfstring(L, "no option '%s'", key);
  return luaL_argerror(L, arg, said);
}

/* Reads the option whose name and value are on top of the stack. Raises an error when either is wrong. */
static int read_option(lua_State *L, int arg, bool music, play_options *o)
{
  const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  size_t i = 0;
  while (i < KNOWN && (strcmp(known[i].name, key) != 0 || (music && known[i].voices_only)))
    i++;
  if (i == KNOWN)
    return raise_unknown(L, arg, music);
  if (lua_type(L, -1) != known[i].type)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "%s must be a %s, got a %s", key, lua_typename(L, known[i].type), luaL_typename(L, -1)));
  char *at = (char *)o + known[i].offset;
  o->given |= 1u << i;
  if (known[i].type == LUA_TBOOLEAN) {
    *(bool *)at = lua_toboolean(L, -1);
    return 0;
  }
  if (!isfinite(lua_tonumber(L, -1)))
    luaL_argerror(L, arg, lua_pushfstring(L, "%s must be a finite number", key));
  *(double *)at = lua_tonumber(L, -1);
  return 0;
}

static play_options check_options(lua_State *L, int arg, bool music)
{
  play_options o = {.volume = 1, .loop = music};
  if (lua_isnoneornil(L, arg))
    return o;
  sp_check_table(L, arg);
  for (lua_pushnil(L); sp_raw_next(L, arg); lua_pop(L, 1))
    read_option(L, arg, music, &o);
  return o;
}

/* }== */

/* {== Playing voices ===================================================== */

/* Pushes the arguments of pools:alloc, the function first; the manager is at `pools`. */
static void push_alloc(lua_State *L, int pools, const char *name, double lifetime, const play_options *o)
{
  lua_getfield(L, pools, "alloc");
  lua_pushvalue(L, pools);
  lua_pushliteral(L, VOICES_TYPE);
  lua_pushnumber(L, lifetime);
  lua_createtable(L, 0, KNOWN + 3);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "sound");
  for (size_t i = 0; i < KNOWN; i++) {
    const char *at = (const char *)o + known[i].offset;
    if (!(o->given >> i & 1))
      continue;
    if (known[i].type == LUA_TNUMBER)
      lua_pushnumber(L, *(const double *)(const void *)at);
    else
      lua_pushboolean(L, *(const bool *)at);
    lua_setfield(L, -2, known[i].name);
  }
}

static bool has_place(const char *text)
{
  const char *end = strstr(text, ": ");
  return end && end > text && isdigit((unsigned char)end[-1]);
}

/* Raises the error on top of the stack again. The library names the line of its caller, which is C here, so the
   position in the script is added. */
static int raise_again(lua_State *L)
{
  if (lua_type(L, -1) == LUA_TSTRING && !has_place(lua_tostring(L, -1))) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

/* play(name, options) -> voice, or nil and the reason */
int audio_lua_play(lua_State *L)
{
  const char *name = check_name(L, 1);
  play_options o = check_options(L, 2, false);
  voices *v = state_of(L);
  luaL_where(L, 1);
  double seconds = audio_length(v->audio, name, lua_tostring(L, -1));
  lua_getfield(L, LUA_REGISTRYINDEX, PART_POOLS);
  push_alloc(L, lua_gettop(L), name, o.loop ? 0 : seconds, &o);
  if (lua_pcall(L, 4, 2, 0) != LUA_OK)
    return raise_again(L);
  if (!lua_isnil(L, -1))
    return 2;
  lua_pop(L, 1);
  return 1;
}

void audio_lua_sound(void *ud, lua_State *L, sp_ref object, const char *name)
{
  voices *v = ud;
  sp_manager *m = sp_script_pools(v->script);
  const sp_pool *pool = m ? sp_object_pool(m, object) : NULL;
  sp_place place = {0};
  char where[256];
  if (!pool ||
      strcmp(sp_pool_desc_of(pool)->type, VOICES_TYPE) == 0) /* a voice with a class sound would start voices forever */
    return;
  luaL_checkstack(L, 12, NULL);
  snprintf(where, sizeof where, "class '%s': ", sp_pool_desc_of(pool)->type);
  bool placed = sp_object_world(m, object, &place) && isfinite(place.x);
  play_options o = {.pan = placed ? pan_of(v, &place) : 0};
  lua_getfield(L, LUA_REGISTRYINDEX, PART_POOLS);
  push_alloc(L, lua_gettop(L), name, audio_length(v->audio, name, where), &o);
  lua_pushnumber(L, o.pan);
  lua_setfield(L, -2, "pan");
  lua_pushnumber(L, placed ? place.x : 0);
  lua_setfield(L, -2, "x");
  lua_pushnumber(L, placed ? place.y : 0);
  lua_setfield(L, -2, "y");
  lua_call(L, 4, 1);
  if (lua_islightuserdata(L, -1))
    place_later(v, sp_to_object(L, -1), object, o.pan);
}

/* }== */

/* {== Music and volume =================================================== */

/* music(name, options) -> whether there is such a sound; music(nil) stops it */
int audio_lua_music(lua_State *L)
{
  voices *v = state_of(L);
  if (lua_isnoneornil(L, 1)) {
    audio_stop_music(v->audio);
    return 0;
  }
  const char *name = check_name(L, 1);
  play_options o = check_options(L, 2, true);
  luaL_where(L, 1);
  lua_pushboolean(L, audio_play_music(v->audio, name, (float)fmax(o.volume, 0), o.loop, lua_tostring(L, -1)));
  return 1;
}

/* stop(): the music, and all voices */
int audio_lua_stop(lua_State *L)
{
  audio_stop_music(state_of(L)->audio);
  lua_getfield(L, LUA_REGISTRYINDEX, PART_POOLS);
  lua_getfield(L, -1, "recycle_all");
  lua_insert(L, -2);
  lua_pushliteral(L, VOICES_TYPE);
  lua_call(L, 2, 0);
  return 0;
}

/* volume(v?) -> the volume of everything */
int audio_lua_volume(lua_State *L)
{
  audio *a = state_of(L)->audio;
  if (!lua_isnoneornil(L, 1)) {
    double volume = sp_check_real(L, 1);
    if (!(volume >= 0 && volume <= 1))
      luaL_argerror(L, 1, "a number from 0 to 1 expected");
    audio_set_volume(a, (float)volume, a->muted);
  }
  lua_pushnumber(L, (lua_Number)a->volume);
  return 1;
}

/* mute(on?) -> whether nothing is heard */
int audio_lua_mute(lua_State *L)
{
  audio *a = state_of(L)->audio;
  if (!lua_isnoneornil(L, 1)) {
    audio_set_volume(a, a->volume, sp_check_boolean(L, 1));
  }
  lua_pushboolean(L, a->muted);
  return 1;
}

/* }== */
