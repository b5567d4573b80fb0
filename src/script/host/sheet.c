/*
** Sheets: the host says what they are, and asks which frames are shown.
*/
#include <stdio.h>

#include "script/host/host.h"
#include "script/state/border.h"
#include "script/state/sheets.h"
#include "script/state/sprite_names.h"

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

/* What objects of one kind show: neighbours mostly have the same sprite and animation. */
typedef struct showing {
  const sp_context *c;
  const sp_lua_pool *pool;
  const sp_sheet_entry *entry;
  const sp_clip *clip; /* NULL: not one of the sheet's */
  uint32_t number;
  uint16_t sprite;
  bool lacks; /* some object's sprite has not its animation: `without`, `missing` */
  uint16_t without;
  uint32_t missing;
} showing;

static void show(showing *s, uint16_t sprite, uint32_t number)
{
  s->sprite = sprite;
  s->number = number;
  s->entry = sp_sheet_of(s->c, sprite);
  s->clip = s->entry && number >= SP_CLIP_NAMED ? sp_find_clip(s->entry, number) : NULL;
}

/* The frame when it is not one of a clip of the sheet. */
static uint16_t other_frame(showing *s, double from, float age)
{
  bool found = true;
  uint16_t frame = s->number == SP_CLIP_NONE
                       ? (uint16_t)(from >= 1 ? from : 1)
                       : sp_clip_frame(s->entry, &s->pool->clip, s->number, age - (float)from, &found);
  if (!found) {
    s->lacks = true;
    s->without = s->sprite;
    s->missing = s->entry ? s->number : SP_CLIP_NONE;
  }
  return frame;
}

/* The places in the frames of a clip that goes round evenly, after these times: all at once, without branches. What is
   not live comes to some place, too. */
static void find_places(const sp_clip *clip, const float *ages, const double *from, uint32_t *places)
{
  const float total = clip->total, rounds = 1 / total, rate = clip->rate;
  const uint32_t last = clip->count - 1;
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    float seconds = ages[i] - (float)from[i];
    seconds = seconds > 0 ? seconds : 0;
    seconds = seconds < 1e6f ? seconds : 0;
    float left = seconds - (float)(int32_t)(seconds * rounds) * total;
    left = left > 0 ? left : 0;
    uint32_t place = (uint32_t)(int32_t)(left * rate);
    places[i] = place < last ? place : last;
  }
}

bool sp_script_frames(sp_script *s, sp_pool *pool, uint32_t chunk, uint16_t *frames)
{
  const sp_lua_pool *p = sp_pool_user(pool);
  if (!p || p->animated == 0)
    return false;
  const double *numbers = sp_pool_peek(pool, chunk, p->animated), *from = sp_pool_peek(pool, chunk, p->animated + 1);
  const sp_look *looks = sp_pool_peek(pool, chunk, SP_LOOK);
  const uint64_t *live = sp_pool_live_bits(pool, chunk);
  showing now = {.c = s->context, .pool = p};
  float ages[SP_CHUNK_SLOTS];
  sp_pool_chunk_ages(pool, chunk, ages);
  const sp_clip *even = NULL; /* whose places are known */
  uint32_t places[SP_CHUNK_SLOTS];
  show(&now, 0, SP_CLIP_NONE);
  for (uint32_t word = 0; word < SP_CHUNK_SLOTS / 64; word++)
    for (uint64_t bits = live[word]; bits; bits &= bits - 1) {
      uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits), number = (uint32_t)numbers[i];
      if (looks[i].sprite != now.sprite || number != now.number)
        show(&now, looks[i].sprite, number);
      if (now.clip && now.clip->loop && now.clip->rate > 0) {
        if (even != now.clip)
          find_places(even = now.clip, ages, from, places);
        frames[i] = even->frames[places[i]];
        continue;
      }
      frames[i] = now.clip ? sp_frame_of_clip(now.clip, ages[i] - (float)from[i]) : other_frame(&now, from[i], ages[i]);
    }
  if (now.lacks)
    warn_once(s, now.without, now.missing); /* last: it may run scripts */
  return true;
}
