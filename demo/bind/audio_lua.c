/*
** A voice is allocated by pools:alloc, so that overrides and hooks of the game's class `Voice` run. Options become
** fields.
*/
#include "demo/bind/audio_lua.h"

#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/bind/module_part.h"
#include "demo/bind/reachable.h"
#include "demo/support/nearest_name.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

static voices *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

/* {== Arguments ========================================================== */

static const char *check_name(lua_State *L, int arg)
{
  size_t length;
  const char *name = sp_check_bytes(L, arg, &length);
  if (!sounds_is_name(name, length))
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
  nearest_name near = nearest_name_of(key);
  for (size_t i = 0; i < KNOWN; i++)
    if (!(music && known[i].voices_only))
      nearest_name_offer(&near, known[i].name);
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

/* {== Voices ============================================================= */

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
  const sp_pool *pool = m ? sp_owner(m, object) : NULL;
  sp_place place = {0};
  char where[256];
  if (!pool || strcmp(sp_pool_type(pool), VOICES_TYPE) == 0) /* a voice with a class sound would start voices forever */
    return;
  luaL_checkstack(L, 12, NULL);
  snprintf(where, sizeof where, "class '%s': ", sp_pool_type(pool));
  bool placed = sp_world_place(m, object, &place) && isfinite(place.x);
  play_options o = {.pan = placed ? voices_pan(v, &place) : 0};
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
    voices_place(v, sp_to_object(L, -1), object, o.pan);
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

/* {== Opening ============================================================ */

bool audio_lua_install(voices *v, lua_State *L, char *error, size_t error_size)
{
  return module_part_install("audio", v, L, error, error_size);
}

/* }== */
