/*
** SDL_image decodes PNGs. It accepts truncated files, has no limit of size, and unpacks a file to measure it: so the
** chunks are checked here first.
**
** Clear pixels get the colour of their visible neighbours: filtering reads them along the edges, and the usual black
** would show as a dark rim. Each frame of a sheet is copied to its position in a clear frame of full size, so that all
** frames are interchangeable. Parts of a frame that lie outside of the PNG stay clear: while both files are exported,
** one is older than the other. cJSON parses the sheet; every value is checked before it is used.
*/
#include "demo/draw/picture.h"

#include <SDL_image.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_SIZE 33    /* bytes: the signature and the chunk IHDR, which holds the size */
#define CHUNK_AROUND 12 /* bytes of a chunk besides its data: length, name, checksum */
#define TAGS_MOST 256
#define REPEATS_MOST 65536u /* frames of one animation with all its repetitions */

static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/* {== Pixels ============================================================= */

typedef struct sum {
  uint32_t a, r, g, b; /* r, g, b weighted by alpha */
} sum;

static void sum_add(sum *s, uint32_t pixel)
{
  uint32_t a = pixel >> 24;
  s->a += a;
  s->r += (pixel >> 16 & 255) * a;
  s->g += (pixel >> 8 & 255) * a;
  s->b += (pixel & 255) * a;
}

/* Returns the mean colour of what was added, with the given alpha. */
static uint32_t sum_pixel(const sum *s, uint32_t alpha)
{
  uint32_t half = s->a / 2;
  if (s->a == 0)
    return alpha << 24;
  return alpha << 24 | (s->r + half) / s->a << 16 | (s->g + half) / s->a << 8 | (s->b + half) / s->a;
}

/* Returns the mean of the visible pixels around a clear one. */
static uint32_t mean_around(const uint32_t *pixels, int w, int h, int x, int y)
{
  sum s = {0, 0, 0, 0};
  for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < h; ny++)
    for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < w; nx++)
      sum_add(&s, pixels[ny * w + nx]);
  return sum_pixel(&s, 0);
}

/* Works in place: a filled pixel stays clear, so it does not count for the next one. Few clear pixels touch a
   visible one: `left`, `here` and `right` combine columns of three pixels, which covers all nine. */
static void fill_clear(uint32_t *pixels, int w, int h)
{
  for (int y = 0; y < h; y++) {
    uint32_t *row = pixels + (ptrdiff_t)y * w;
    const uint32_t *above = y > 0 ? row - w : row, *below = y + 1 < h ? row + w : row;
    uint32_t left = 0, here = above[0] | row[0] | below[0];
    for (int x = 0; x < w; x++) {
      uint32_t right = x + 1 < w ? above[x + 1] | row[x + 1] | below[x + 1] : 0;
      if (row[x] >> 24 == 0)
        row[x] = (left | here | right) >> 24 ? mean_around(pixels, w, h, x, y) : 0;
      left = here;
      here = right;
    }
  }
}

uint32_t *image_halve(const uint32_t *pixels, int w, int h)
{
  int half_w = w > 1 ? w / 2 : 1, half_h = h > 1 ? h / 2 : 1;
  uint32_t *half = malloc((size_t)half_w * (size_t)half_h * sizeof *half);
  for (int y = 0; half && y < half_h; y++)
    for (int x = 0; x < half_w; x++) {
      sum s = {0, 0, 0, 0};
      const uint32_t *above = pixels + (ptrdiff_t)(y * 2) * w + x * 2;
      const uint32_t *below = h > 1 ? above + w : above;
      int right = w > 1 ? 1 : 0;
      sum_add(&s, above[0]);
      sum_add(&s, above[right]);
      sum_add(&s, below[0]);
      sum_add(&s, below[right]);
      half[y * half_w + x] = sum_pixel(&s, (s.a + 2) / 4);
    }
  if (half)
    fill_clear(half, half_w, half_h);
  return half;
}

/* }== */

/* {== PNG files ========================================================== */

static uint32_t *copy_pixels(SDL_Surface *surface)
{
  size_t row = (size_t)surface->w * 4;
  uint32_t *pixels = malloc(row * (size_t)surface->h);
  if (!pixels)
    SDL_OutOfMemory();
  for (int y = 0; pixels && y < surface->h; y++)
    memcpy(pixels + (ptrdiff_t)y * surface->w, (const char *)surface->pixels + (ptrdiff_t)y * surface->pitch, row);
  return pixels;
}

static size_t big_endian(const unsigned char *bytes)
{
  return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Checks the size before anything is unpacked: a file of a few kilobytes can ask for gigabytes. */
static bool check_size(size_t w, size_t h)
{
  if (w >= 1 && h >= 1 && w <= IMAGE_SIDE_MOST && h <= IMAGE_SIDE_MOST && w * h <= IMAGE_PIXELS_MOST)
    return true;
  return SDL_SetError("%zu x %zu pixels; a sprite has %d on a side and %d in all at most", w, h, IMAGE_SIDE_MOST,
                      IMAGE_PIXELS_MOST) == 0;
}

/* The checksum of PNG. SDL_crc32 works bit by bit, which for a large picture takes as long as unpacking it. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
  uint32_t table[256], crc = UINT32_MAX;
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  for (size_t i = 0; i < size; i++)
    crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
  return ~crc;
}

/* Returns whether the checksum of a chunk is right; only chunks with a capital letter are required. `chunk` begins
   with the length. */
static bool chunk_holds(const unsigned char *chunk, size_t length)
{
  bool needed = chunk[4] >= 'A' && chunk[4] <= 'Z';
  return !needed || checksum(chunk + 4, length + 4) == (uint32_t)big_endian(chunk + 8 + length);
}

static bool is_chunk(const unsigned char *chunk, const char *name) { return memcmp(chunk + 4, name, 4) == 0; }

static bool check_head(const unsigned char *file, size_t size)
{
  if (size < sizeof signature || memcmp(file, signature, sizeof signature) != 0)
    return SDL_SetError("not a PNG file") == 0;
  if (size < HEAD_SIZE)
    return SDL_SetError("the file is cut off") == 0;
  if (!is_chunk(file + sizeof signature, "IHDR"))
    return SDL_SetError("the file is damaged") == 0;
  return check_size(big_endian(file + 16), big_endian(file + 20));
}

/* SDL_image accepts truncated files, so they are detected here: all chunks up to IEND must fit, with valid
   checksums. Whether they make a picture is for SDL_image to decide. (SDL_SetError is -1, never 0.) */
static bool check_png(const unsigned char *file, size_t size)
{
  bool fine = true, pictured = false;
  if (!check_head(file, size))
    return false;
  for (size_t at = sizeof signature, length; fine; at += length + CHUNK_AROUND) {
    length = size - at >= CHUNK_AROUND ? big_endian(file + at) : SIZE_MAX;
    if (length == SIZE_MAX || length > size - at - CHUNK_AROUND)
      return SDL_SetError("the file is cut off") == 0;
    if (is_chunk(file + at, "IEND") && pictured)
      return true;
    pictured = pictured || is_chunk(file + at, "IDAT");
    fine = chunk_holds(file + at, length) && !is_chunk(file + at, "IEND");
  }
  return SDL_SetError("the file is damaged") == 0;
}

bool image_measure(const void *bytes, size_t size, int *w, int *h)
{
  const unsigned char *file = bytes;
  if (!check_png(file, size))
    return false;
  *w = (int)big_endian(file + 16);
  *h = (int)big_endian(file + 20);
  return true;
}

uint32_t *image_load(const void *bytes, size_t size, int *w, int *h)
{
  SDL_RWops *stream = check_png(bytes, size) ? SDL_RWFromConstMem(bytes, (int)size) : NULL;
  SDL_Surface *read = stream ? IMG_LoadPNG_RW(stream) : NULL;
  SDL_Surface *plain = read ? SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_ARGB8888, 0) : NULL;
  uint32_t *pixels = plain ? copy_pixels(plain) : NULL;
  if (pixels) {
    *w = plain->w;
    *h = plain->h;
    fill_clear(pixels, *w, *h);
  }
  SDL_FreeSurface(plain);
  SDL_FreeSurface(read);
  if (stream)
    SDL_RWclose(stream);
  return pixels;
}

/* }== */

/* {== Numbers of a sheet ================================================= */

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

/* {== Frames of a sheet ================================================== */

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

/* {== Tags of a sheet ==================================================== */

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

/* {== Reading a sheet ==================================================== */

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

/* }== */

/* {== Frames ============================================================= */

uint32_t *sheet_cut(const sheet *s, int i, const uint32_t *pixels, int w, int h)
{
  const sheet_frame *frame = &s->frames[i];
  const SDL_Rect *from = &frame->from;
  uint32_t *whole = calloc((size_t)s->width * (size_t)s->height, sizeof *whole);
  for (int y = 0; whole && y < from->h; y++)
    for (int x = 0; x < from->w; x++) {
      int to_x = frame->left + x, to_y = frame->top + y, from_x = from->x + x, from_y = from->y + y;
      if (to_x < s->width && to_y < s->height && from_x < w && from_y < h)
        whole[to_y * s->width + to_x] = pixels[(ptrdiff_t)from_y * w + from_x];
    }
  if (whole)
    fill_clear(whole, s->width, s->height);
  return whole;
}

int sheet_first_outside(const sheet *s, int w, int h)
{
  for (int i = 0; i < (int)s->script.frames; i++) {
    const SDL_Rect *from = &s->frames[i].from;
    if (from->x + from->w > w || from->y + from->h > h)
      return i + 1;
  }
  return 0;
}

/* }== */

/* {== The atlas ==========================================================
** Shelf packing: images sorted by height fill rows from left to right. The many small images of a game leave little
** space empty, and the result is always the same. Sides are powers of two, so that coordinates are exact. */

#define EDGE 1         /* repeated pixels around an image */
#define LEAST_SIDE 256 /* smallest page of many images */
#define OWN_SIDE 32    /* smallest page of one picture */
#define MOST_SIDE 4096 /* every GPU supports this, and larger pages are slow to upload */

typedef struct entry {
  uint32_t *pixels;
  int w, h, page, x, y; /* x, y: position of the image itself, without its edge */
  int drawn;
  batch_area *area;
} entry;

typedef struct page {
  SDL_Texture *texture;
  int w, h, used; /* used: rows that contain images */
  int drawn;      /* how: all images of a page are of one kind */
} page;

struct atlas {
  entry *entries; /* added, and not built yet */
  page *pages;
  int count, room, page_count;
  bool refused; /* memory for an entry */
};

atlas *atlas_open(void) { return calloc(1, sizeof(atlas)); }

static void drop_entries(atlas *a)
{
  for (int i = 0; i < a->count; i++)
    free(a->entries[i].pixels);
  free(a->entries);
  a->entries = NULL;
  a->count = a->room = 0;
  a->refused = false;
}

void atlas_close(atlas *a)
{
  if (!a)
    return;
  drop_entries(a);
  for (int i = 0; i < a->page_count; i++)
    if (a->pages[i].texture)
      SDL_DestroyTexture(a->pages[i].texture);
  free(a->pages);
  free(a);
}

void atlas_add(atlas *a, uint32_t *pixels, int w, int h, int drawn, batch_area *area)
{
  if (a->count == a->room) {
    int room = a->room ? a->room * 2 : 64;
    entry *entries = realloc(a->entries, (size_t)room * sizeof *entries);
    a->entries = entries ? entries : a->entries;
    a->room = entries ? room : a->room;
  }
  a->refused |= !pixels || a->count == a->room;
  if (a->refused)
    free(pixels);
  else
    a->entries[a->count++] = (entry){pixels, w, h, 0, 0, 0, drawn, area};
}

/* }== */

/* {== Pages ============================================================== */

static int power_of_two(int side, int least)
{
  while (side < least)
    side *= 2;
  return side;
}

static bool add_page(atlas *a, int w, int h, int drawn)
{
  page *pages = realloc(a->pages, (size_t)(a->page_count + 1) * sizeof *pages);
  if (!pages)
    return SDL_OutOfMemory() == 0;
  a->pages = pages;
  a->pages[a->page_count++] = (page){NULL, w, h, 0, drawn};
  return true;
}

static bool set_drawing(const page *p, int drawn)
{
  const SDL_ScaleMode scaling = drawn & ATLAS_NEAREST ? SDL_ScaleModeNearest : SDL_ScaleModeLinear;
  return SDL_SetTextureBlendMode(p->texture, drawn & ATLAS_GLOWS ? SDL_BLENDMODE_ADD : SDL_BLENDMODE_BLEND) == 0 &&
         SDL_SetTextureScaleMode(p->texture, scaling) == 0;
}

static bool open_texture(page *p, SDL_Renderer *renderer)
{
  p->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, p->w, p->h);
  return p->texture && set_drawing(p, p->drawn);
}

/* }== */

/* {== Packing ============================================================ */

/* The row that is being filled. */
typedef struct shelf {
  int w; /* of the page */
  int x, y, row;
  int page; /* -1: none yet */
} shelf;

/* Begins a row if an image of width `w`, edge included, does not fit into this one. */
static void begin_row(shelf *s, int w)
{
  if (s->x + w <= s->w)
    return;
  s->y += s->row;
  s->x = s->row = 0;
}

static void put(shelf *s, entry *it)
{
  it->page = s->page;
  it->x = s->x + EDGE;
  it->y = s->y + EDGE;
  s->x += it->w + 2 * EDGE;
  if (it->h + 2 * EDGE > s->row)
    s->row = it->h + 2 * EDGE;
}

static int higher_first(const void *left, const void *right)
{
  const entry *a = *(const entry *const *)left, *b = *(const entry *const *)right;
  if (a->h != b->h)
    return b->h - a->h;
  return (a > b) - (a < b);
}

/* Returns the side of the smallest page that should hold everything, within the limits of the renderer. */
static int choose_side(const atlas *a, int most)
{
  int64_t area = 0;
  int widest = 0, side;
  for (int i = 0; i < a->count; i++) {
    const entry *it = &a->entries[i];
    int longest = (it->w > it->h ? it->w : it->h) + 2 * EDGE;
    area += (int64_t)(it->w + 2 * EDGE) * (it->h + 2 * EDGE);
    if (longest > widest)
      widest = longest;
  }
  side = power_of_two(LEAST_SIDE, widest);
  while ((int64_t)side * side < area + area / 16)
    side *= 2;
  if (most > MOST_SIDE)
    most = MOST_SIDE;
  while (side > most && side > LEAST_SIDE)
    side /= 2;
  return side;
}

/* Places an image on the shelf, on a new page if necessary. One that is larger than a page gets its own: SDL fails if
   that is too large. */
static bool place(atlas *a, entry *it, shelf *s)
{
  int w = it->w + 2 * EDGE, h = it->h + 2 * EDGE;
  bool alone = w > s->w || h > s->w;
  shelf own = {.w = w, .page = -1}, *on = alone ? &own : s;
  begin_row(on, w);
  if (on->page < 0 || on->y + h > on->w) {
    if (!add_page(a, on->w, alone ? h : on->w, it->drawn))
      return false;
    *on = (shelf){.w = on->w, .page = a->page_count - 1};
  }
  put(on, it);
  if (on->y + h > a->pages[it->page].used)
    a->pages[it->page].used = on->y + h;
  return true;
}

static bool pack_many(atlas *a, SDL_Renderer *renderer, int most)
{
  entry **sorted = malloc((size_t)(a->count + 1) * sizeof *sorted);
  int side = choose_side(a, most), first = a->page_count;
  shelf shelves[] = {
      {.w = side, .page = -1}, {.w = side, .page = -1}, {.w = side, .page = -1}, {.w = side, .page = -1}};
  bool fine = true;
  if (!sorted)
    return SDL_OutOfMemory() == 0;
  for (int i = 0; i < a->count; i++)
    sorted[i] = &a->entries[i];
  qsort(sorted, (size_t)a->count, sizeof *sorted, higher_first);
  for (int i = 0; i < a->count && fine; i++)
    fine = place(a, sorted[i], &shelves[sorted[i]->drawn]);
  for (page *p = a->pages + first; p < a->pages + a->page_count && fine; p++) {
    if (p->used * 2 <= p->h)
      p->h = power_of_two(LEAST_SIDE, p->used);
    fine = open_texture(p, renderer);
  }
  free(sorted);
  return fine;
}

/* Lays all images out in rows on page `number`, `w` wide. Returns the height of the rows; SDL_MAX_SINT32 when the page
   is not wide enough. */
static int lay_out(atlas *a, int number, int w)
{
  shelf s = {.w = w, .page = number};
  for (int i = 0; i < a->count; i++) {
    int own = a->entries[i].w + 2 * EDGE;
    if (own > w)
      return SDL_MAX_SINT32;
    begin_row(&s, own);
    put(&s, &a->entries[i]);
  }
  return s.y + s.row;
}

/* Returns the least power of two that holds `least`, or `most` if that is smaller; more than `most` if neither holds
   it, and opening the texture fails. */
static int page_side(int least, int most)
{
  int side = power_of_two(OWN_SIDE, least);
  return side > most && least <= most ? most : side;
}

/* Opens a page for the images, about a square, and no smaller than page `before` in any direction. Returns its number;
   -1 on failure. */
static int open_own(atlas *a, SDL_Renderer *renderer, int most, int before)
{
  int w = page_side(a->entries->w + 2 * EDGE, most), number = a->page_count;
  while (w < most && lay_out(a, number, w) > w)
    w = page_side(w + 1, most);
  if (before >= 0 && a->pages[before].w > w)
    w = a->pages[before].w;
  int h = page_side(lay_out(a, number, w), most);
  if (before >= 0 && a->pages[before].h > h)
    h = a->pages[before].h;
  if (!add_page(a, w, h, a->entries->drawn))
    return -1;
  if (open_texture(&a->pages[number], renderer))
    return number;
  a->page_count--;
  if (a->pages[number].texture)
    SDL_DestroyTexture(a->pages[number].texture);
  return -1;
}

static bool pack_own(atlas *a, SDL_Renderer *renderer, int most, int *own_page)
{
  int number = *own_page;
  if (number < 0 || lay_out(a, number, a->pages[number].w) > a->pages[number].h)
    number = open_own(a, renderer, most, number);
  if (number < 0 || !set_drawing(&a->pages[number], a->entries->drawn))
    return false;
  *own_page = number;
  return true;
}

/* }== */

/* {== Uploading ========================================================== */

static void copy_with_edge(const entry *it, uint32_t *to)
{
  int pitch = it->w + 2 * EDGE;
  for (int y = -EDGE; y < it->h + EDGE; y++, to += pitch) {
    const uint32_t *from = it->pixels + (ptrdiff_t)(y < 0 ? 0 : y < it->h ? y : it->h - 1) * it->w;
    memcpy(to + EDGE, from, (size_t)it->w * sizeof *to);
    for (int x = 0; x < EDGE; x++) {
      to[x] = from[0];
      to[EDGE + it->w + x] = from[it->w - 1];
    }
  }
}

/* Returns memory for the largest image with its edge; NULL when that is refused. */
static uint32_t *open_buffer(const atlas *a)
{
  size_t most = 0;
  for (int i = 0; i < a->count; i++) {
    size_t size = (size_t)(a->entries[i].w + 2 * EDGE) * (size_t)(a->entries[i].h + 2 * EDGE);
    most = size > most ? size : most;
  }
  return malloc(most * sizeof(uint32_t));
}

/* Uploads one image; uploading the whole page would copy megabytes of unused space. The space between images is never
   read. */
static bool upload(const atlas *a, const entry *it, uint32_t *buffer)
{
  const page *p = &a->pages[it->page];
  SDL_Rect part = {it->x - EDGE, it->y - EDGE, it->w + 2 * EDGE, it->h + 2 * EDGE};
  float w = (float)p->w, h = (float)p->h;
  copy_with_edge(it, buffer);
  *it->area = (batch_area){p->texture, (float)it->x / w, (float)it->y / h, (float)(it->x + it->w) / w,
                           (float)(it->y + it->h) / h};
  return SDL_UpdateTexture(p->texture, &part, buffer, part.w * (int)sizeof *buffer) == 0;
}

bool atlas_build(atlas *a, SDL_Renderer *renderer, int most, int *own_page)
{
  uint32_t *buffer = a->refused ? NULL : open_buffer(a);
  bool fine = buffer != NULL;
  if (!fine)
    SDL_OutOfMemory();
  fine = fine && (own_page ? pack_own(a, renderer, most, own_page) : pack_many(a, renderer, most));
  for (int i = 0; i < a->count && fine; i++)
    fine = upload(a, &a->entries[i], buffer);
  free(buffer);
  drop_entries(a);
  return fine;
}

/* }== */

int atlas_pages(const atlas *a) { return a->page_count; }
