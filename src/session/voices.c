#include "session/voices.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/host/inspect.h"
#include "script/state/arguments.h"
#include "script/state/handles.h"
#include "script/state/strings.h"
#include "session/module.h"
#include "session/sound.h"

#include "script/state/careful.h"

#define TYPE "Voice"
#define NAME_MOST 100
#define SILENCE 1.0 /* seconds of a sound that is missing */
#define FILE_MOST ((size_t)64 << 20)

static sp_session *session_of(lua_State *L) { return sp_raw_block(L, SP_PART_STATE); }

static bool is_name(const char *name, size_t length)
{
  return length >= 1 && length <= NAME_MOST && name[0] != '.' && strcspn(name, "/\\") == length;
}

/* {== Sounds ============================================================== */

/* Returns the seconds of a file of the game, as it is now; 0: there is no such file. */
static double measure(const sp_session *s, const char *name, const char *ending)
{
  char file[NAME_MOST + 32];
  size_t size = 0;
  snprintf(file, sizeof file, "sounds/%s.%s", name, ending);
  for (const sp_script_file *it = s->script_options.files; it && it->name; it++)
    if (strcmp(it->name, file) == 0)
      return sp_sound_seconds(it->source, it->size);
  char *bytes = s->script_options.files ? NULL : sp_texts_read(sp_script_folder(s->script), file, FILE_MOST, &size);
  const double seconds = bytes ? sp_sound_seconds(bytes, size) : 0;
  free(bytes);
  return seconds;
}

/* Returns the seconds of a sound, 0 when there is none: an answer of the machine, which is asked once. */
static double seconds_of(sp_session *s, const char *name)
{
  char question[NAME_MOST + 16], line[3 * NAME_MOST];
  bool is_new;
  snprintf(question, sizeof question, "sound %s", name);
  const sp_answer *known = sp_area_answer(sp_script_state(s->script), s->memory, question, &is_new);
  if (known && known->calls > 0)
    return known->value;
  const double wav = measure(s, name, "wav");
  const double seconds = sp_session_answer(s, question, wav > 0 ? wav : measure(s, name, "ogg"));
  if (seconds <= 0) {
    snprintf(line, sizeof line, "no sound '%s': the game has neither sounds/%s.wav nor .ogg", name, name);
    sp_session_warn(s, line);
  }
  return seconds;
}

static double length_of(sp_session *s, const char *name)
{
  const double seconds = seconds_of(s, name);
  return seconds > 0 ? seconds : SILENCE;
}

/* }== */

/* {== The list of voices ================================================== */

typedef struct reading {
  sp_ref object;
  char name[NAME_MOST + 1];
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
static sp_voice new_voice(sp_session *s, sp_ref object, bool loop)
{
  lua_State *L = sp_script_state(s->script);
  sp_voice it = {.object = object, .loop = loop};
  reading r = {.object = object};
  lua_pushcfunction(L, read_name);
  lua_pushlightuserdata(L, &r);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    lua_pop(L, 1);
  if (is_name(r.name, strlen(r.name)))
    it.seconds = length_of(s, r.name);
  return it;
}

static uint32_t slot_of(sp_ref object) { return (uint32_t)object; }

/* A voice that stops looping ends with the current round; one that begins to loop lives until it is recycled. */
static void follow_loop(sp_manager *m, sp_voice *it, bool loop)
{
  const double age = sp_object_age(m, it->object);
  if (loop && !it->loop)
    sp_object_set_remaining(m, it->object, INFINITY);
  else if (!loop && it->loop && it->seconds > 0)
    sp_object_set_remaining(m, it->object, it->seconds - fmod(age, it->seconds));
  it->loop = loop;
}

static bool is_looping(const sp_manager *m, sp_ref object, int column)
{
  const double *cell = column < 0 ? NULL : sp_object_peek(m, object, column);
  return cell && *cell != 0;
}

/* Replaces the list by the live voices. Without memory it stays. */
static void update_list(sp_session *s, sp_manager *m, sp_pool *pool)
{
  sp_area *mem = s->memory;
  lua_State *L = sp_script_state(s->script);
  const int column = sp_script_column(pool, "loop");
  size_t old = 0, count = 0, live = sp_pool_live(pool), room = live + 8;
  sp_voice *list = sp_area_take(L, room * sizeof *list);
  if (!list)
    return;
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; count < live && (object = sp_walk_next(&walk)) != SP_NULL_REF; count++) {
    const bool loop = is_looping(m, object, column);
    while (old < mem->voice_count && slot_of(mem->voices[old].object) < slot_of(object))
      old++;
    if (old < mem->voice_count && mem->voices[old].object == object) {
      list[count] = mem->voices[old++];
      follow_loop(m, &list[count], loop);
      continue;
    }
    list[count] = new_voice(s, object, loop);
    if (!loop && isinf(sp_object_remaining(m, object)) && list[count].seconds > 0)
      sp_object_set_remaining(m, object, list[count].seconds);
  }
  sp_area_give(L, mem->voices, mem->voice_room * sizeof *list);
  mem->voices = list;
  mem->voice_count = count;
  mem->voice_room = room;
}

void sp_voices_step(sp_session *s)
{
  sp_manager *m = sp_script_pools(s->script);
  sp_pool *pool = m ? sp_manager_pool(m, TYPE) : NULL;
  if (pool && (s->memory->voice_count > 0 || sp_pool_live(pool) > 0))
    update_list(s, m, pool);
}

/* }== */

/* {== Arguments ========================================================== */

static const char *check_name(lua_State *L, int arg)
{
  size_t length;
  const char *name = sp_check_bytes(L, arg, &length);
  if (!is_name(name, length))
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

/* {== Playing ============================================================ */

/* Pushes the arguments of pools:alloc, the function first; the manager is at `pools`. */
static void push_alloc(lua_State *L, int pools, const char *name, double lifetime, const play_options *o)
{
  lua_getfield(L, pools, "alloc");
  lua_pushvalue(L, pools);
  lua_pushliteral(L, TYPE);
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
int spl_audio_play(lua_State *L)
{
  const char *name = check_name(L, 1);
  play_options o = check_options(L, 2, false);
  const double seconds = length_of(session_of(L), name);
  lua_getfield(L, LUA_REGISTRYINDEX, SP_PART_POOLS);
  push_alloc(L, lua_gettop(L), name, o.loop ? 0 : seconds, &o);
  if (lua_pcall(L, 4, 2, 0) != LUA_OK)
    return raise_again(L);
  if (!lua_isnil(L, -1))
    return 2;
  lua_pop(L, 1);
  return 1;
}

/* Returns the pan of a position in the world: -1 at the left edge of the view and beyond it, 1 at the right one. */
static double pan_of(const sp_session *s, const sp_place *place)
{
  const double half = s->memory->view.width / 2;
  double x = (double)place->x, y = (double)place->y;
  sp_view_to_view(&s->memory->view, &x, &y);
  return half > 0 && isfinite(x) ? fmax(-1, fmin(1, (x - half) / half)) : 0;
}

void sp_voices_sound(void *ud, lua_State *L, sp_ref object, const char *name)
{
  sp_session *s = ud;
  sp_manager *m = sp_script_pools(s->script);
  const sp_pool *pool = m ? sp_object_pool(m, object) : NULL;
  sp_place place = {0};
  if (!pool || strcmp(sp_pool_desc_of(pool)->type, TYPE) == 0) /* a voice with a sound would start voices for ever */
    return;
  luaL_checkstack(L, 12, NULL);
  const bool placed = sp_object_world(m, object, &place) && isfinite(place.x);
  play_options o = {.pan = placed ? pan_of(s, &place) : 0};
  lua_getfield(L, LUA_REGISTRYINDEX, SP_PART_POOLS);
  push_alloc(L, lua_gettop(L), name, length_of(s, name), &o);
  lua_pushnumber(L, o.pan);
  lua_setfield(L, -2, "pan");
  lua_pushnumber(L, placed ? (lua_Number)place.x : 0);
  lua_setfield(L, -2, "x");
  lua_pushnumber(L, placed ? (lua_Number)place.y : 0);
  lua_setfield(L, -2, "y");
  lua_call(L, 4, 1);
}

/* }== */

/* {== Music and volume =================================================== */

/* music(name, options) -> whether there is such a sound; music(nil) stops it */
int spl_audio_music(lua_State *L)
{
  sp_area *m = session_of(L)->memory;
  if (lua_isnoneornil(L, 1)) {
    m->has_music = false;
    return 0;
  }
  const char *name = check_name(L, 1);
  const play_options o = check_options(L, 2, true);
  m->music_volume = fmax(o.volume, 0);
  m->has_music = seconds_of(session_of(L), name) > 0;
  lua_pushboolean(L, m->has_music);
  return 1;
}

/* stop(): the music, and all voices */
int spl_audio_stop(lua_State *L)
{
  session_of(L)->memory->has_music = false;
  lua_getfield(L, LUA_REGISTRYINDEX, SP_PART_POOLS);
  lua_getfield(L, -1, "recycle_all");
  lua_insert(L, -2);
  lua_pushliteral(L, TYPE);
  lua_call(L, 2, 0);
  return 0;
}

/* volume(v?) -> the volume of everything */
int spl_audio_volume(lua_State *L)
{
  sp_area *m = session_of(L)->memory;
  if (!lua_isnoneornil(L, 1)) {
    const double volume = sp_check_real(L, 1);
    if (!(volume >= 0 && volume <= 1))
      luaL_argerror(L, 1, "a number from 0 to 1 expected");
    m->volume = volume;
  }
  lua_pushnumber(L, m->volume);
  return 1;
}

/* mute(on?) -> whether nothing is heard */
int spl_audio_mute(lua_State *L)
{
  sp_area *m = session_of(L)->memory;
  if (!lua_isnoneornil(L, 1))
    m->is_muted = sp_check_boolean(L, 1);
  lua_pushboolean(L, m->is_muted);
  return 1;
}

/* }== */
