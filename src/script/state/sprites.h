/*
** Sprites: the numbers of their names, their sheets with frames, as the host defines them, and the frame that an object
** shows. Nothing is advanced: the frame is
** computed from the object's age on demand, so animations cost nothing until they are drawn or read.
*/
#ifndef SP_SCRIPT_SPRITES_H
#define SP_SCRIPT_SPRITES_H

#include "script/state/handles.h"

/* Find the number of a sprite name, the string at `index`; a new name gets one. They raise on memory. Without numbers
   left the first returns false, and the second raises. */
bool sp_find_sprite(lua_State *L, sp_context *c, int index, uint16_t *number);
uint16_t sp_sprite_number(lua_State *L, sp_context *c, int index);
/* Pushes the name of a sprite number, nil when unknown. */
void sp_push_sprite_name(lua_State *L, const sp_context *c, uint16_t sprite);

/* Values in the column of SP_NAME_ANIMATION: a number for each name, or one of these. The column after it holds the age
   at which the animation began; without one, the frame. */
enum { SP_CLIP_NONE, SP_CLIP_OWN, SP_CLIP_NAMED };

/* An animation of a sheet, ready to be looked up. */
typedef struct sp_clip {
  uint32_t number; /* of its name */
  uint32_t count;
  bool loop;
  float total; /* seconds */
  float rate;  /* frames per second, when all last equally long; else 0 */
  const uint16_t *frames;
  const float *ends; /* when each is over, seconds */
} sp_clip;

struct sp_sheet_entry {
  const sp_sheet *sheet;
  uint32_t count;
  sp_clip clips[];
};

/* Sets the sheet of the sprite named at `name`. NULL: none. Raises on memory, and changes nothing then. */
void sp_set_sheet(lua_State *L, sp_context *c, int name, const sp_sheet *sheet);
/* The entry of a sprite, or NULL. */
const sp_sheet_entry *sp_sheet_of(const sp_context *c, uint16_t sprite);

/* The number of the animation named at `index`, a string; raises when there are too many. */
uint32_t sp_clip_number(lua_State *L, sp_context *c, int index);
/* Pushes the name of a number, nil for SP_CLIP_NONE. */
void sp_push_clip_name(lua_State *L, const sp_context *c, uint32_t number);

/* The animation of a sheet with this number, or NULL. */
const sp_clip *sp_find_clip(const sp_sheet_entry *entry, uint32_t number);

/* Brings a time into one round of `total` seconds; a time past the end of what does not repeat is `total`. */
static inline float sp_within_round(float seconds, float total, bool loop)
{
  if (!(seconds > 0))
    return 0;
  if (seconds < total)
    return seconds;
  if (!loop)
    return total;
  float rounds = seconds / total;
  float left = rounds < 1e9f ? seconds - (float)(int32_t)rounds * total : 0;
  return left > 0 ? left : 0;
}

/* The frame of an animation `seconds` after it began. */
static inline uint16_t sp_frame_of_clip(const sp_clip *clip, float seconds)
{
  float at = sp_within_round(seconds, clip->total, clip->loop);
  uint32_t i = clip->rate > 0 ? (uint32_t)(at * clip->rate) : 0;
  while (clip->rate <= 0 && i < clip->count && clip->ends[i] <= at)
    i++;
  return clip->frames[i < clip->count ? i : clip->count - 1];
}

/* Fills `clip` with a class's own animation as a sheet shows it; its lists lie in `frames` and `ends`, which have room
   for SP_CLIP_FRAMES. False when it has more frames. */
bool sp_own_clip(const sp_sheet_entry *entry, const sp_clip_own *own, sp_clip *clip, uint16_t *frames, float *ends);

/* The frame of an object with this animation, `seconds` after it began. `*found`: the sheet has the animation. */
uint16_t sp_clip_frame(const sp_sheet_entry *entry, const sp_clip_own *own, uint32_t number, float seconds,
                       bool *found);
/* When a frame begins in this animation; negative: it has no such frame. */
float sp_clip_time(const sp_sheet_entry *entry, const sp_clip_own *own, uint32_t number, uint16_t frame);

#endif
