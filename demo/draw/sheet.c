/*
** cJSON parses the text; every value is checked before it is used. Durations in it are milliseconds.
*/
#include "demo/draw/sheet.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/images.h"

#define TAGS_MOST 256
#define REPEATS_MOST 65536u /* frames of one animation with all its repetitions */

/* {== Numbers ============================================================ */

/* Reads a whole number from `low` to `high`. False when the value is anything else: SDL_GetError says so. */
static bool read_number(const cJSON *object, const char *key, int low, int high, int *out)
{
  const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, key);
  double value = cJSON_IsNumber(number) ? number->valuedouble : NAN;
  if (!(value >= low && value <= high && value == floor(value)))
    return SDL_SetError("'%s' must be a whole number from %d to %d", key, low, high) == 0;
  *out = (int)value;
  return true;
}

static bool read_rect(const cJSON *rect, SDL_Rect *out)
{
  return read_number(rect, "x", 0, IMAGE_SIDE_MOST, &out->x) && read_number(rect, "y", 0, IMAGE_SIDE_MOST, &out->y) &&
         read_number(rect, "w", 1, IMAGE_SIDE_MOST, &out->w) && read_number(rect, "h", 1, IMAGE_SIDE_MOST, &out->h);
}

/* }== */

/* {== Frames ============================================================= */

/* Reads which part of the whole frame is in the picture; without trimming it is all of it. */
static bool read_trim(sheet *s, const cJSON *entry, sheet_frame *frame)
{
  const cJSON *whole = cJSON_GetObjectItemCaseSensitive(entry, "sourceSize");
  const cJSON *part = cJSON_GetObjectItemCaseSensitive(entry, "spriteSourceSize");
  int w = frame->from.w, h = frame->from.h;
  if (whole && !(read_number(whole, "w", 1, IMAGE_SIDE_MOST, &w) && read_number(whole, "h", 1, IMAGE_SIDE_MOST, &h)))
    return false;
  if (part && !(read_number(part, "x", 0, IMAGE_SIDE_MOST, &frame->left) &&
                read_number(part, "y", 0, IMAGE_SIDE_MOST, &frame->top)))
    return false;
  s->width = w > s->width ? w : s->width;
  s->height = h > s->height ? h : s->height;
  return true;
}

static bool read_frame(sheet *s, const cJSON *entry, uint32_t i)
{
  sheet_frame *frame = &s->frames[i];
  const cJSON *rect = cJSON_GetObjectItemCaseSensitive(entry, "frame");
  int ms = 100;
  if (!rect)
    return SDL_SetError("frame %u has no 'frame': x, y, w, h", (unsigned)i + 1) == 0;
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "rotated")))
    return SDL_SetError("frame %u is rotated; export without rotation", (unsigned)i + 1) == 0;
  if (cJSON_HasObjectItem(entry, "duration") && !read_number(entry, "duration", 1, 1000000, &ms))
    return false;
  ((float *)s->script.durations)[i] = (float)ms / 1000;
  return read_rect(rect, &frame->from) && read_trim(s, entry, frame);
}

static bool read_frames(sheet *s, const cJSON *list)
{
  int count = cJSON_GetArraySize(list);
  if (count < 1 || count > SHEET_FRAMES_MOST)
    return SDL_SetError("a sheet has 1 to %d frames, this one %d", SHEET_FRAMES_MOST, count) == 0;
  s->frames = calloc((size_t)count, sizeof *s->frames);
  s->script.durations = calloc((size_t)count, sizeof *s->script.durations);
  if (!s->frames || !s->script.durations)
    return SDL_OutOfMemory() == 0;
  for (const cJSON *entry = list->child; entry; entry = entry->next)
    if (!read_frame(s, entry, s->script.frames++))
      return false;
  if ((int64_t)s->width * s->height * count > IMAGE_PIXELS_MOST)
    return SDL_SetError("%d frames of %d x %d pixels; all together may have %d", count, s->width, s->height,
                        IMAGE_PIXELS_MOST) == 0;
  return true;
}

/* }== */

/* {== Tags =============================================================== */

/* Writes the frames of one round, from `from` to `to`, and returns their number. `out` has room for twice as many. */
static uint32_t one_round(int from, int to, const char *direction, uint16_t *out)
{
  bool back = strncmp(direction, "reverse", 7) == 0 || strcmp(direction, "pingpong_reverse") == 0;
  bool both = strncmp(direction, "pingpong", 8) == 0;
  uint32_t count = 0;
  int step = back ? -1 : 1, first = back ? to : from, last = back ? from : to;
  for (int frame = first; frame != last + step; frame += step)
    out[count++] = (uint16_t)(frame + 1);
  for (int frame = last - step; both && frame != first && last != first; frame -= step)
    out[count++] = (uint16_t)(frame + 1);
  return count;
}

/* Returns "repeat", a number or a string with one: how often the rounds of an animation are shown. 0: forever, which is
   also the case without it, and for numbers that are too large for its rounds of `frames` frames. */
static uint32_t repeats_of(const cJSON *tag, uint32_t frames)
{
  const cJSON *repeat = cJSON_GetObjectItemCaseSensitive(tag, "repeat");
  const double number = cJSON_IsString(repeat)   ? strtod(repeat->valuestring, NULL)
                        : cJSON_IsNumber(repeat) ? repeat->valuedouble
                                                 : 0;
  return number >= 1 && number <= REPEATS_MOST / frames ? (uint32_t)number : 0;
}

static bool read_tag(sheet *s, const cJSON *tag, sp_sheet_animation *to)
{
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(tag, "name");
  const cJSON *direction = cJSON_GetObjectItemCaseSensitive(tag, "direction");
  int first, last, end = (int)s->script.frames - 1;
  if (!cJSON_IsString(name) || !name->valuestring[0] || strlen(name->valuestring) > 100)
    return SDL_SetError("a tag needs a name of 1 to 100 bytes") == 0;
  if (!read_number(tag, "from", 0, end, &first) || !read_number(tag, "to", first, end, &last))
    return false;
  uint32_t room = 2 * (uint32_t)(last - first + 1), count, repeats = repeats_of(tag, room);
  uint16_t *frames = malloc((size_t)room * (repeats ? repeats : 1) * sizeof *frames);
  to->name = strdup(name->valuestring);
  to->frames = frames;
  if (!frames || !to->name)
    return SDL_OutOfMemory() == 0;
  count = one_round(first, last, cJSON_IsString(direction) ? direction->valuestring : "forward", frames);
  for (uint32_t i = 1; i < repeats; i++)
    memcpy(frames + (size_t)i * count, frames, count * sizeof *frames);
  to->count = count * (repeats ? repeats : 1);
  to->loop = repeats == 0;
  return true;
}

static bool read_tags(sheet *s, const cJSON *root)
{
  const cJSON *meta = cJSON_GetObjectItemCaseSensitive(root, "meta");
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(meta, "frameTags");
  int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
  if (count > TAGS_MOST)
    return SDL_SetError("a sheet has at most %d tags, this one %d", TAGS_MOST, count) == 0;
  sp_sheet_animation *animations = calloc((size_t)count + 1, sizeof *animations);
  s->script.animations = animations;
  if (!animations)
    return SDL_OutOfMemory() == 0;
  for (const cJSON *tag = count > 0 ? list->child : NULL; tag; tag = tag->next)
    if (!read_tag(s, tag, &animations[s->script.animation_count++]))
      return false;
  return true;
}

/* }== */

static bool fail_at(const char *bytes, const char *at)
{
  int line = 1;
  for (; bytes < at; bytes++)
    line += *bytes == '\n';
  return SDL_SetError("line %d is not JSON", line) == 0;
}

sheet *sheet_read(const void *bytes, size_t size)
{
  const char *end = bytes;
  cJSON *root = cJSON_ParseWithLengthOpts(bytes, size, &end, 0);
  const cJSON *frames = cJSON_GetObjectItemCaseSensitive(root, "frames");
  sheet *s = root ? calloc(1, sizeof *s) : NULL;
  bool fine = s != NULL;
  if (!root)
    fail_at(bytes, end);
  else if (!s)
    SDL_OutOfMemory();
  else if (!cJSON_IsArray(frames) && !cJSON_IsObject(frames))
    fine = SDL_SetError("there is no list 'frames': export it from Aseprite as JSON data") == 0;
  fine = fine && read_frames(s, frames) && read_tags(s, root);
  cJSON_Delete(root);
  if (fine)
    return s;
  sheet_free(s);
  return NULL;
}

void sheet_free(sheet *s)
{
  if (!s)
    return;
  for (uint32_t i = 0; s->script.animations && i < s->script.animation_count; i++) {
    free((void *)s->script.animations[i].name);
    free((void *)s->script.animations[i].frames);
  }
  free((void *)s->script.animations);
  free((void *)s->script.durations);
  free(s->frames);
  free(s);
}
