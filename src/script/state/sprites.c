/*
** Entries are userdata in SP_KEPT_SHEETS, which also has the list by sprite number. SP_KEPT_CLIPS maps names of
** animations to numbers and back.
*/
#include "script/state/sprites.h"

#include <string.h>

#include "script/state/border.h"

#define SPRITES_MOST (UINT16_MAX + 1)
#define CLIPS_MOST 65535

/* {== Names ============================================================== */

/* Finds the number of the name at `index` in a map of both ways; a new name gets the next one, `first` + `*count`.
   False when there are `most` names. */
static bool find_number(lua_State *L, const sp_context *c, sp_kept names, int index, uint32_t first, uint32_t most,
                        uint32_t *count, uint32_t *number)
{
  index = lua_absindex(L, index);
  sp_push_kept(L, c, names);
  lua_pushvalue(L, index);
  bool is_known = lua_rawget(L, -2) != LUA_TNIL, found = is_known || *count < most;
  *number = is_known ? (uint32_t)lua_tointeger(L, -1) : first + *count;
  lua_pop(L, 1);
  if (!is_known && found) {
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, *number);
    lua_pushvalue(L, index);
    lua_pushinteger(L, *number);
    lua_rawset(L, -3);
    ++*count;
  }
  lua_pop(L, 1);
  return found;
}

bool sp_find_sprite(lua_State *L, sp_context *c, int index, uint16_t *number)
{
  uint32_t found;
  if (!find_number(L, c, SP_KEPT_SPRITES, index, 0, SPRITES_MOST, &c->sprite_count, &found))
    return false;
  *number = (uint16_t)found;
  return true;
}

uint16_t sp_sprite_number(lua_State *L, sp_context *c, int index)
{
  uint16_t number = 0;
  if (!sp_find_sprite(L, c, index, &number))
    luaL_error(L, "too many sprite names (at most %d)", SPRITES_MOST);
  return number;
}

void sp_push_sprite_name(lua_State *L, const sp_context *c, uint16_t sprite)
{
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  lua_rawgeti(L, -1, sprite);
  lua_replace(L, -2);
}

uint32_t sp_clip_number(lua_State *L, sp_context *c, int index)
{
  uint32_t number;
  if (!find_number(L, c, SP_KEPT_CLIPS, index, SP_CLIP_NAMED, CLIPS_MOST, &c->clip_count, &number))
    luaL_error(L, "too many names of animations (at most %d)", CLIPS_MOST);
  return number;
}

void sp_push_clip_name(lua_State *L, const sp_context *c, uint32_t number)
{
  if (number == SP_CLIP_NONE) {
    lua_pushnil(L);
  } else if (number == SP_CLIP_OWN) {
    lua_pushliteral(L, "default");
  } else {
    sp_push_kept(L, c, SP_KEPT_CLIPS);
    lua_rawgeti(L, -1, (lua_Integer)number);
    lua_replace(L, -2);
  }
}

/* }== */

/* {== Sheets ============================================================= */

static void fill_clip(sp_clip *clip, const sp_sheet *sheet, const sp_sheet_animation *from, float *ends)
{
  float first = sheet->durations[from->frames[0] - 1];
  clip->count = from->count;
  clip->loop = from->loop;
  clip->frames = from->frames;
  clip->ends = ends;
  clip->rate = 1 / first;
  for (uint32_t i = 0; i < from->count; i++) {
    float duration = sheet->durations[from->frames[i] - 1];
    clip->total += duration;
    ends[i] = clip->total;
    if (duration != first)
      clip->rate = 0;
  }
}

static size_t clip_frames(const sp_sheet *sheet)
{
  size_t count = 0;
  for (uint32_t i = 0; i < sheet->animation_count; i++)
    count += sheet->animations[i].count;
  return count;
}

/* Pushes a userdata. */
static sp_sheet_entry *push_entry(lua_State *L, sp_context *c, const sp_sheet *sheet)
{
  size_t clips = sizeof(sp_sheet_entry) + sheet->animation_count * sizeof(sp_clip);
  sp_sheet_entry *entry = lua_newuserdatauv(L, clips + clip_frames(sheet) * sizeof(float), 0);
  float *ends = (float *)(void *)((char *)entry + clips);
  memset(entry, 0, clips);
  entry->sheet = sheet;
  entry->count = sheet->animation_count;
  for (uint32_t i = 0; i < entry->count; i++) {
    fill_clip(&entry->clips[i], sheet, &sheet->animations[i], ends);
    ends += entry->clips[i].count;
    lua_pushstring(L, sheet->animations[i].name);
    entry->clips[i].number = sp_clip_number(L, c, -1);
    lua_pop(L, 1);
  }
  return entry;
}

/* Makes room in the list for a sprite number. The table is on top. */
static void reserve(lua_State *L, sp_context *c, uint16_t sprite)
{
  if (sprite < c->sheet_room)
    return;
  uint32_t room = (uint32_t)sprite + 32;
  const sp_sheet_entry **list = lua_newuserdatauv(L, room * sizeof *list, 0);
  memset(list, 0, room * sizeof *list);
  if (c->sheet_room > 0)
    memcpy(list, c->sheets, c->sheet_room * sizeof *list);
  lua_rawseti(L, -2, -1);
  c->sheets = list;
  c->sheet_room = room;
}

void sp_set_sheet(lua_State *L, sp_context *c, int name, const sp_sheet *sheet)
{
  uint16_t sprite = sp_sprite_number(L, c, name);
  sp_sheet_entry *entry = NULL;
  sp_push_kept(L, c, SP_KEPT_SHEETS);
  reserve(L, c, sprite);
  if (sheet)
    entry = push_entry(L, c, sheet);
  else
    lua_pushnil(L);
  lua_rawseti(L, -2, sprite);
  c->sheets[sprite] = entry;
  lua_pop(L, 1);
}

const sp_sheet_entry *sp_sheet_of(const sp_context *c, uint16_t sprite)
{
  return sprite < c->sheet_room ? c->sheets[sprite] : NULL;
}

/* }== */

/* {== Frames ============================================================= */

const sp_clip *sp_find_clip(const sp_sheet_entry *entry, uint32_t number)
{
  for (uint32_t i = 0; i < entry->count; i++)
    if (entry->clips[i].number == number)
      return &entry->clips[i];
  return NULL;
}

static uint32_t own_count(const sp_sheet_entry *entry, const sp_clip_own *own)
{
  return own->count > 0 ? own->count : entry->sheet->frames;
}

/* Frame number `i` of a class's own animation; those that the sheet does not have are its last one. */
static uint16_t own_frame(const sp_sheet_entry *entry, const sp_clip_own *own, uint32_t i)
{
  uint32_t frame = own->count > 0 ? own->frames[i] : i + 1;
  return (uint16_t)(frame < entry->sheet->frames ? frame : entry->sheet->frames);
}

static float own_duration(const sp_sheet_entry *entry, const sp_clip_own *own, uint32_t i)
{
  return own->fps > 0 ? 1 / own->fps : entry->sheet->durations[own_frame(entry, own, i) - 1];
}

bool sp_own_clip(const sp_sheet_entry *entry, const sp_clip_own *own, sp_clip *clip, uint16_t *frames, float *ends)
{
  uint32_t count = own_count(entry, own);
  bool even = true;
  float total = 0;
  if (count > SP_CLIP_FRAMES)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    frames[i] = own_frame(entry, own, i);
    ends[i] = total += own_duration(entry, own, i);
    even = even && own_duration(entry, own, i) == own_duration(entry, own, 0);
  }
  *clip = (sp_clip){.number = SP_CLIP_OWN, .count = count, .loop = own->loop, .frames = frames, .ends = ends};
  clip->total = own->fps > 0 ? (float)count / own->fps : total;
  clip->rate = own->fps > 0 ? own->fps : even ? 1 / own_duration(entry, own, 0) : 0;
  return true;
}

/* More frames than a clip has room for: of a whole sheet. */
static uint16_t frame_of_many(const sp_sheet_entry *entry, const sp_clip_own *own, float seconds)
{
  uint32_t count = own_count(entry, own), i = 0;
  float total = 0, end = 0;
  for (i = 0; i < count; i++)
    total += own_duration(entry, own, i);
  seconds = sp_within_round(seconds, total, own->loop);
  for (i = 0; i + 1 < count && (end += own_duration(entry, own, i)) <= seconds;)
    i++;
  return own_frame(entry, own, i);
}

static uint16_t frame_of_own(const sp_sheet_entry *entry, const sp_clip_own *own, float seconds)
{
  if (own->fps <= 0) {
    uint16_t frames[SP_CLIP_FRAMES];
    float ends[SP_CLIP_FRAMES];
    sp_clip clip;
    return sp_own_clip(entry, own, &clip, frames, ends) ? sp_frame_of_clip(&clip, seconds)
                                                        : frame_of_many(entry, own, seconds);
  }
  uint32_t count = own_count(entry, own);
  uint32_t i = (uint32_t)(sp_within_round(seconds, (float)count / own->fps, own->loop) * own->fps);
  return own_frame(entry, own, i < count ? i : count - 1);
}

uint16_t sp_clip_frame(const sp_sheet_entry *entry, const sp_clip_own *own, uint32_t number, float seconds, bool *found)
{
  const sp_clip *clip = entry && number >= SP_CLIP_NAMED ? sp_find_clip(entry, number) : NULL;
  *found = clip || (entry && number == SP_CLIP_OWN);
  if (!*found)
    return 1;
  return clip ? sp_frame_of_clip(clip, seconds) : frame_of_own(entry, own, seconds);
}

float sp_clip_time(const sp_sheet_entry *entry, const sp_clip_own *own, uint32_t number, uint16_t frame)
{
  const sp_clip *clip = entry && number >= SP_CLIP_NAMED ? sp_find_clip(entry, number) : NULL;
  float begin = 0;
  for (uint32_t i = 0; clip && i < clip->count; begin = clip->ends[i++])
    if (clip->frames[i] == frame)
      return begin;
  for (uint32_t i = 0; entry && number == SP_CLIP_OWN && i < own_count(entry, own); i++) {
    if (own_frame(entry, own, i) == frame)
      return begin;
    begin += own_duration(entry, own, i);
  }
  return -1;
}

/* }== */
