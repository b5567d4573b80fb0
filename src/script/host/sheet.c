/*
** Sprite sheets: the host defines them, and queries which frames are shown.
*/
#include <stdio.h>

#include "script/host/host.h"
#include "script/state/border.h"
#include "script/state/sprites.h"

/* set(context, name, sheet) */
static int set_sheet(lua_State *L)
{
  sp_context *c = lua_touserdata(L, 1);
  lua_pushstring(L, lua_touserdata(L, 2));
  sp_set_sheet(L, c, lua_gettop(L), lua_touserdata(L, 3));
  return 0;
}

bool sp_script_set_sheet(sp_script *s, const char *sprite, const sp_sheet *sheet)
{
  lua_State *L = s->L;
  if (!lua_checkstack(L, 20))
    return false;
  lua_pushcfunction(L, set_sheet);
  lua_pushlightuserdata(L, s->context);
  lua_pushlightuserdata(L, (void *)sprite);
  lua_pushlightuserdata(L, (void *)sheet);
  bool done = lua_pcall(L, 3, 0, 0) == LUA_OK;
  lua_pop(L, !done);
  s->unanimated_count = 0;
  return done;
}

/* warn(script, sprite, number) */
static int warn(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  uint16_t sprite = (uint16_t)lua_tointeger(L, 2);
  const sp_sheet_entry *entry = sp_sheet_of(s->context, sprite);
  char line[256];
  sp_push_sprite_name(L, s->context, sprite);
  sp_push_clip_name(L, s->context, (uint32_t)lua_tointeger(L, 3));
  const char *name = lua_tostring(L, -2), *animation = lua_tostring(L, -1);
  if (entry)
    snprintf(line, sizeof line, "sprite '%.80s' has no animation '%.80s': its first frame is shown", name, animation);
  else
    snprintf(line, sizeof line, "sprite '%.80s' has no frames: sprites/%.80s.json would list them", name, name);
  sp_host_report(s, SP_REPORT_WARNING, line);
  return 0;
}

static void warn_once(sp_script *s, uint16_t sprite, uint32_t number)
{
  const uint32_t key = (uint32_t)sprite << 16 | (number & 0xffff), most = sizeof s->unanimated / sizeof *s->unanimated;
  for (uint32_t i = 0; i < s->unanimated_count; i++)
    if (s->unanimated[i] == key)
      return;
  if (s->unanimated_count == most || !lua_checkstack(s->L, 20))
    return;
  s->unanimated[s->unanimated_count++] = key;
  lua_pushcfunction(s->L, warn);
  lua_pushlightuserdata(s->L, s);
  lua_pushinteger(s->L, sprite);
  lua_pushinteger(s->L, number);
  lua_pop(s->L, lua_pcall(s->L, 3, 0, 0) != LUA_OK);
}

/* Frames of objects with the same sprite and animation; neighbours usually have the same. */
typedef struct showing {
  const sp_context *c;
  const spl_pool *pool;
  const sp_sheet_entry *entry;
  const sp_clip *clip; /* of the sheet, or `own`; NULL: neither */
  uint32_t number;
  uint16_t sprite;
  bool lacks; /* some object's sprite has not its animation: `without`, `missing` */
  uint16_t without;
  uint32_t missing;
  sp_clip own; /* of the class, for the sheet `own_entry` */
  const sp_sheet_entry *own_entry;
  uint16_t own_frames[SP_CLIP_FRAMES];
  float own_ends[SP_CLIP_FRAMES];
} showing;

/* Creates the class's own clip for the first sheet that its objects show; for other sheets it is NULL. */
static const sp_clip *own_clip(showing *s)
{
  if (!s->own_entry && sp_own_clip(s->entry, &s->pool->clip, &s->own, s->own_frames, s->own_ends))
    s->own_entry = s->entry;
  return s->own_entry == s->entry ? &s->own : NULL;
}

static void show(showing *s, uint16_t sprite, uint32_t number)
{
  s->sprite = sprite;
  s->number = number;
  s->entry = sp_sheet_of(s->c, sprite);
  s->clip = !s->entry || number == SP_CLIP_NONE ? NULL
            : number == SP_CLIP_OWN             ? own_clip(s)
                                                : sp_find_clip(s->entry, number);
}

/* The frame when there is no clip. */
static uint16_t other_frame(showing *s, double from, float seconds)
{
  bool found = true;
  uint16_t frame = s->number == SP_CLIP_NONE ? (uint16_t)(from >= 1 ? from : 1)
                                             : sp_clip_frame(s->entry, &s->pool->clip, s->number, seconds, &found);
  if (!found) {
    s->lacks = true;
    s->without = s->sprite;
    s->missing = s->entry ? s->number : SP_CLIP_NONE;
  }
  return frame;
}

/* The numbers of a clip that goes round evenly, for place_after. */
typedef struct round_trip {
  float total, rate; /* seconds of a round; frames per second */
  uint32_t last;
} round_trip;

static round_trip round_trip_of(const sp_clip *clip) { return (round_trip){clip->total, clip->rate, clip->count - 1}; }

/* The place in the frames after `seconds`: that of sp_frame_of_clip, by the same sums, so that what is drawn is what
   `object.frame` says. No branches: for vectors. */
static inline uint32_t place_after(float seconds, round_trip r)
{
  seconds = seconds > 0 ? seconds : 0;
  seconds = seconds < 1e6f ? seconds : 0;
  float left = seconds - (float)(int32_t)(seconds / r.total) * r.total;
  left = left > 0 ? left : 0;
  uint32_t place = (uint32_t)(int32_t)(left * r.rate);
  return place < r.last ? place : r.last;
}

/* A chunk, or from one of its words on. */
typedef struct shown_slots {
  const double *numbers, *from;
  const sp_look *looks;
  const float *seconds;   /* that the animation has run */
  const uint32_t *places; /* in the clip that goes round evenly and is the first one found */
  uint16_t *frames;
} shown_slots;

static shown_slots from_slot(shown_slots all, uint32_t i)
{
  return (shown_slots){all.numbers + i, all.from + i, all.looks + i, all.seconds + i, all.places + i, all.frames + i};
}

static void find_seconds(const sp_pool *pool, uint32_t chunk, const double *from, float *seconds)
{
  double ages[SP_CHUNK_SLOTS];
  sp_pool_chunk_ages(pool, chunk, ages);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    seconds[i] = (float)(ages[i] - from[i]);
}

/* Fills the places of all slots, also of those that are not live. */
static void find_places(const sp_clip *clip, const float *seconds, uint32_t *places)
{
  const round_trip r = round_trip_of(clip);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    places[i] = place_after(seconds[i], r);
}

/* Fills the frames of the first of these objects, as long as they show the same as the first one. Returns the rest. */
static uint64_t fill_alike(const showing *now, uint64_t bits, const shown_slots *at)
{
  const uint16_t *frames = now->clip->frames;
  const double number = now->number;
  for (; bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    if (at->looks[i].sprite != now->sprite || at->numbers[i] != number)
      return bits;
    at->frames[i] = frames[at->places[i]];
  }
  return 0;
}

static uint16_t frame_of_one(showing *now, const shown_slots *at, uint32_t i)
{
  return now->clip ? sp_frame_of_clip(now->clip, at->seconds[i]) : other_frame(now, at->from[i], at->seconds[i]);
}

int sp_script_scales(const sp_pool *pool, bool *adds)
{
  const spl_pool *p = sp_held_pool(sp_pool_desc_of(pool)->user);
  *adds = p && p->adds;
  return p ? p->scaled : 0;
}

bool sp_script_frames(sp_script *s, sp_pool *pool, uint32_t chunk, uint16_t *frames)
{
  const spl_pool *p = sp_held_pool(sp_pool_desc_of(pool)->user);
  if (!p || p->animated == 0)
    return false;
  float seconds[SP_CHUNK_SLOTS];
  uint32_t places[SP_CHUNK_SLOTS];
  const shown_slots all = {sp_pool_peek_column(pool, chunk, p->animated),
                           sp_pool_peek_column(pool, chunk, p->animated + 1),
                           sp_pool_peek_column(pool, chunk, SP_LOOK),
                           seconds,
                           places,
                           frames};
  uint64_t live;
  const sp_clip *even = NULL; /* whose places are known */
  showing now;
  sp_pool_live_bits(pool, chunk, &live);
  now.c = s->context;
  now.pool = p;
  now.lacks = false;
  now.own_entry = NULL;
  find_seconds(pool, chunk, all.from, seconds);
  show(&now, 0, SP_CLIP_NONE);
  for (uint32_t word = 0; word < SP_CHUNK_SLOTS / 64; word++) {
    const shown_slots at = from_slot(all, word * 64);
    for (uint64_t bits = live; bits;) {
      uint32_t i = (uint32_t)__builtin_ctzll(bits), number = (uint32_t)at.numbers[i];
      if (at.looks[i].sprite != now.sprite || number != now.number)
        show(&now, at.looks[i].sprite, number);
      if (!even && now.clip && now.clip->loop && now.clip->rate > 0)
        find_places(even = now.clip, seconds, places);
      if (even && now.clip == even) {
        bits = fill_alike(&now, bits, &at);
      } else {
        at.frames[i] = frame_of_one(&now, &at, i);
        bits &= bits - 1;
      }
    }
  }
  if (now.lacks)
    warn_once(s, now.without, now.missing); /* last: it may run scripts */
  return true;
}
