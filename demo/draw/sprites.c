/*
** Sprites never move in memory; the fixed ones come first in their list, then pictures, then shapes. The script host
** assigns the numbers, which are looked up here on first use. An edited picture is made beside the old one, then their
** contents are swapped. In a blind window there is no atlas: levels then have a size only, and nothing is drawn or
** unpacked.
*/
#include "demo/draw/sprites.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/picture.h"
#include "script/state/strings.h"

#define NAME_MOST 256
#define LEAST_WIDTH 4 /* nothing is halved below this */
#define PATH_MOST 4096
#define MOST_CUTS 256 /* each may take a texture */

/* The fixed sprites come first in the list; the others have names. */
enum { WHITE, CHECKER, FIRST_NAMED };

/* A picture that is cut into tiles. */
typedef struct cut_sprite {
  char *name;
  int side, page; /* its page in the atlas; -1: it has none yet */
  sprite *it;     /* NULL: the picture was loaded since, or it is no picture that can be cut */
} cut_sprite;

struct sprites {
  sprites_options options;
  cut_sprite *cuts;
  int cut_count;
  const window *window;
  atlas *atlas; /* NULL: nothing is drawn */
  sprite **list;
  int count, room;
  const sprite **by_number;
  size_t numbers;
};

/* The maximum width of each bucket of sprite_level_at. */
static const int bucket_widths[SPRITE_BUCKETS] = {2,  2,  4,  6,  8,  10, 12, 14, 16,  18,  20,  22,
                                                  24, 26, 28, 30, 32, 48, 64, 96, 128, 192, 256, 512};

static void warn(const sprites *s, const char *text)
{
  if (s->options.warn)
    s->options.warn(s->options.ud, text);
}

/* {== Shapes: signed distance functions, negative inside ================= */

/* Half a pixel to each side of the edge blends from full to clear, which approximates the covered share of the pixel.
   The spark is not a distance but a glow: bright core, soft skirt. */
typedef enum shape { CIRCLE, SQUARE, TRIANGLE, RING, SPARK, SHAPES } shape;

static const char *const shape_names[SHAPES] = {"circle", "square", "triangle", "ring", "spark"};

#define SHAPE_PAD 1      /* clear pixels around a shape, so that its edge stays smooth when it is turned */
#define RING_WIDTH 0.24f /* of the radius */
#define SPARK_CORE 0.55f /* of the radius */

static float clamp01(float v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static float circle(float x, float y, float r) { return sqrtf(x * x + y * y) - r; }

static float square(float x, float y, float r) { return fmaxf(fabsf(x), fabsf(y)) - r; }

/* A dart: its tip and its two tails lie on the circle of the same radius, and it is notched between the tails. The
   sides from the tip to a tail, and from there to the notch, each bound it. */
static float triangle(float x, float y, float r)
{
  const float notch = 0.38f, across = fabsf(y);
  return fmaxf((x - r) * 0.340f + across * 0.940f, (x + r * notch) * -0.854f - across * 0.520f);
}

static float ring(float x, float y, float r)
{
  float width = fmaxf(r * RING_WIDTH, 1);
  return fabsf(sqrtf(x * x + y * y) - (r - width * 0.5f)) - width * 0.5f;
}

static float spark_alpha(float x, float y, float r)
{
  float away = sqrtf(x * x + y * y) / r, skirt = clamp01(1 - away), core = clamp01((SPARK_CORE - away) / SPARK_CORE);
  return clamp01(skirt * skirt * 0.7f + core * (2 - core) * 0.9f);
}

static float alpha_at(shape kind, float x, float y, float r)
{
  switch (kind) {
  case CIRCLE:
    return clamp01(0.5f - circle(x, y, r));
  case SQUARE:
    return clamp01(0.5f - square(x, y, r));
  case TRIANGLE:
    return clamp01(0.5f - triangle(x, y, r));
  case RING:
    return clamp01(0.5f - ring(x, y, r));
  default:
    return spark_alpha(x, y, r);
  }
}

/* Draws into a square image, white with the alpha that is covered. The triangle points right, as an angle of 0 looks
   along x. Every shape is symmetric from top to bottom, and all but the triangle from left to right. */
static void rasterise(shape kind, int size, uint32_t *pixels)
{
  int side = size + 2 * SHAPE_PAD, half = (side + 1) / 2, drawn = kind == TRIANGLE ? side : half;
  float middle = (float)side * 0.5f, r = (float)size * 0.5f;
  for (int y = 0; y < half; y++) {
    uint32_t *row = pixels + (ptrdiff_t)y * side;
    for (int x = 0; x < drawn; x++) {
      float alpha = alpha_at(kind, (float)x + 0.5f - middle, (float)y + 0.5f - middle, r);
      row[x] = (uint32_t)(alpha * 255.0f + 0.5f) << 24 | 0xffffffu;
    }
    for (int x = drawn; x < side; x++)
      row[x] = row[side - 1 - x];
    memmove(pixels + (ptrdiff_t)(side - 1 - y) * side, row, (size_t)side * sizeof *row);
  }
}

/* }== */

/* {== Making ============================================================= */

static void free_sprite(sprite *it)
{
  if (!it)
    return;
  sheet_free(it->sheet);
  free(it->frames);
  free(it->name);
  free(it->levels);
  free(it);
}

/* Returns a sprite whose levels are to be filled; NULL when out of memory. */
static sprite *new_sprite(const char *name, int frames, int levels)
{
  sprite *it = calloc(1, sizeof *it);
  if (!it)
    return NULL;
  it->name = strdup(name);
  it->levels = calloc((size_t)frames * (size_t)levels, sizeof *it->levels);
  it->frames = calloc((size_t)frames, sizeof *it->frames);
  it->level_count = levels;
  it->more_frames = frames - 1;
  it->page = -1;
  if (it->name && it->levels && it->frames)
    return it;
  free_sprite(it);
  return NULL;
}

/* Chooses for each bucket the smallest level that is wide enough, or the widest. `reach` is that of the worst level:
   small ones have the most padding. All frames have equal levels. */
static void finish(sprite *it)
{
  const sprite_level *levels = it->levels;
  for (int i = 0; i < it->level_count; i++)
    it->reach = fmaxf(it->reach, hypotf(levels[i].half_w, levels[i].half_h));
  for (int b = 0; b < SPRITE_BUCKETS; b++) {
    int best = 0;
    for (int i = 1; i < it->level_count; i++) {
      bool fits = levels[i].width >= bucket_widths[b], best_fits = levels[best].width >= bucket_widths[b];
      if (fits != best_fits ? fits : (levels[i].width < levels[best].width) == fits)
        best = i;
    }
    it->level[b] = (uint8_t)best;
  }
  for (int i = 0; i < it->more_frames; i++) {
    it->frames[i] = (sprite){.level_count = it->level_count, .reach = it->reach};
    it->frames[i].levels = it->levels + (ptrdiff_t)(i + 1) * it->level_count;
    memcpy(it->frames[i].level, it->level, sizeof it->level);
  }
}

/* Makes room for one more sprite in the list. */
static bool make_room(sprites *s)
{
  if (s->count < s->room)
    return true;
  int room = s->room ? s->room * 2 : 32;
  sprite **list = realloc(s->list, (size_t)room * sizeof(*list));
  s->list = list ? list : s->list;
  s->room = list ? room : s->room;
  return list != NULL;
}

static void insert(sprites *s, int at, sprite *it)
{
  memmove(s->list + at + 1, s->list + at, (size_t)(s->count - at) * sizeof(*s->list));
  s->list[at] = it;
  s->count += 1;
}

/* Appends a sprite, if there is one. */
static bool append(sprites *s, sprite *it)
{
  bool fine = it && make_room(s);
  if (fine)
    insert(s, s->count, it);
  else
    free_sprite(it);
  return fine;
}

/* Appends a shape, drawn at the widths of all buckets but the first and the last. */
static bool add_shape(sprites *s, const char *name, shape kind)
{
  enum { FIRST = 1, COUNT = SPRITE_BUCKETS - 2 };
  sprite *it = new_sprite(name, 1, COUNT);
  for (int i = 0; it && i < COUNT; i++) {
    const int size = bucket_widths[FIRST + i], side = size + 2 * SHAPE_PAD;
    const float half = (float)side / (float)size;
    it->levels[i] = (sprite_level){.half_w = half, .half_h = half, .width = size};
    if (!s->atlas)
      continue;
    uint32_t *pixels = malloc((size_t)side * (size_t)side * sizeof *pixels);
    if (pixels)
      rasterise(kind, size, pixels);
    atlas_add(s->atlas, pixels, side, side, 0, &it->levels[i].area);
  }
  if (it)
    finish(it);
  return append(s, it);
}

/* The pixels of a PNG, from malloc; NULL in a blind window. */
typedef struct image {
  uint32_t *pixels;
  int w, h;
} image;

/* Fills the levels of a frame, each half as large as the one before. Takes ownership of `pixels`, from malloc. */
static void fill_levels(const sprites *s, sprite_level *levels, int count, uint32_t *pixels, int w, int h, int drawn)
{
  const float half_h = (float)h / (float)w;
  for (int i = 0; i < count; i++, w /= 2, h /= 2) {
    levels[i] = (sprite_level){.half_w = 1, .half_h = half_h, .width = w};
    if (!s->atlas)
      continue;
    uint32_t *next = pixels && i + 1 < count ? image_halve(pixels, w, h) : NULL;
    atlas_add(s->atlas, pixels, w, h, drawn, &levels[i].area);
    pixels = next;
  }
}

/* Makes a sprite of an image, cut into the frames of a sheet, unless that is NULL; takes ownership of both. NULL when
   out of memory. Its areas are set when the atlas is built, which reports a lack of memory for pixels. */
static sprite *make_sprite(sprites *s, const char *name, image png, sheet *cutting, int drawn)
{
  int w = cutting ? cutting->width : png.w, h = cutting ? cutting->height : png.h, levels = 1;
  while (w >> levels >= LEAST_WIDTH && h >> levels >= 1)
    levels++;
  sprite *it = new_sprite(name, cutting ? (int)cutting->script.frames : 1, levels);
  for (int i = 0; it && i <= it->more_frames; i++) {
    uint32_t *frame = cutting && s->atlas ? sheet_cut(cutting, i, png.pixels, png.w, png.h) : png.pixels;
    fill_levels(s, it->levels + (ptrdiff_t)i * levels, levels, frame, w, h, drawn);
  }
  if (cutting || !it)
    free(png.pixels);
  if (!it) {
    sheet_free(cutting);
    return NULL;
  }
  finish(it);
  it->sheet = cutting;
  it->cut_off = cutting ? sheet_first_outside(cutting, png.w, png.h) : 0;
  return it;
}

static int drawing_of(const sprites *s, bool glows)
{
  return (glows ? ATLAS_GLOWS : 0) | (s->options.nearest ? ATLAS_NEAREST : 0);
}

/* Reads a PNG; in a blind window only its size. False when it is invalid: SDL_GetError says why. */
static bool read_image(const sprites *s, const void *bytes, size_t size, image *png)
{
  png->pixels = s->atlas ? image_load(bytes, size, &png->w, &png->h) : NULL;
  return s->atlas ? png->pixels != NULL : image_measure(bytes, size, &png->w, &png->h);
}

static void send_sheet(const sprites *s, const sprite *it)
{
  if (s->options.sheet)
    s->options.sheet(s->options.ud, it->name, it->sheet ? &it->sheet->script : NULL);
}

static bool add_image(sprites *s, const char *name, image png, sheet *cutting, int drawn)
{
  sprite *it = make_sprite(s, name, png, cutting, drawn);
  if (!append(s, it))
    return false;
  if (it->sheet)
    send_sheet(s, it);
  return true;
}

/* Appends a square of four by four fields, magenta and black, or one of white. */
static bool add_square(sprites *s, const char *name, int side, bool is_white)
{
  uint32_t *pixels = s->atlas ? malloc((size_t)side * (size_t)side * sizeof *pixels) : NULL;
  for (int i = 0; pixels && i < side * side; i++) {
    bool is_black = (i % side * 4 / side + i / side * 4 / side) % 2;
    pixels[i] = is_white ? 0xffffffffu : is_black ? 0xff000000u : 0xffff00ffu;
  }
  return add_image(s, name, (image){pixels, side, side}, NULL, 0);
}

static bool add_checker(sprites *s, const char *name) { return add_square(s, name, 64, false); }

/* }== */

/* {== Files ============================================================== */

static bool ends_with(const char *file, const char *ending)
{
  size_t length = strlen(file), size = strlen(ending);
  return length > size && strcmp(file + length - size, ending) == 0;
}

const char *const sprites_endings[] = {".png", ".json", NULL};

static bool is_sheet(const char *file) { return ends_with(file, ".json"); }

/* Writes the sprite's name: "spark.glow.png" is the sprite "spark", which glows. */
static bool cut_name(const char *file, char name[NAME_MOST])
{
  const char *dot = strrchr(file, '.');
  snprintf(name, NAME_MOST, "%.*s", (int)(dot ? dot - file : 0), file);
  bool glows = ends_with(name, ".glow");
  if (glows)
    name[strlen(name) - strlen(".glow")] = '\0';
  return glows;
}

/* Returns the file beside this one that has the other ending, of a PNG its sheet, of a sheet its PNG, if it can be
   read; NULL otherwise. Writes its number. */
static const asset *find_beside(const sprites *s, const char *file, size_t *number)
{
  size_t stem = (size_t)(strrchr(file, '.') - file);
  const asset *it;
  for (*number = 0; s->options.files && (it = assets_at(s->options.files, *number)) != NULL; ++*number)
    if (strncmp(it->file, file, stem) == 0 && strcmp(it->file + stem, sprites_endings[!is_sheet(file)]) == 0)
      return it->bytes && (!it->problem || it->was_good) ? it : NULL;
  return NULL;
}

/* Records what is wrong with a file at the start, and warns. */
static void refuse(const sprites *s, size_t i, const char *problem, const char *instead)
{
  char path[PATH_MOST], text[PATH_MOST + 512];
  const asset *it = assets_at(s->options.files, i);
  if (problem)
    assets_note(s->options.files, i, problem);
  assets_path(s->options.files, it->file, path, sizeof path);
  snprintf(text, sizeof text, "%s: %s; %s", path, it->problem ? it->problem : "out of memory", instead);
  warn(s, text);
}

/* Returns the sheet beside a PNG at the start. A picture whose sheet cannot be read has one frame. */
static sheet *read_first_sheet(const sprites *s, const char *png)
{
  size_t i;
  const asset *file = find_beside(s, png, &i);
  sheet *it = file ? sheet_read(file->bytes, file->size) : NULL;
  if (it)
    assets_note(s->options.files, i, NULL);
  else if (file)
    refuse(s, i, SDL_GetError(), "its picture is one frame");
  return it;
}

static bool add_file(sprites *s, size_t i, const char *name, bool glows)
{
  const asset *it = assets_at(s->options.files, i);
  sheet *cutting = it->bytes ? read_first_sheet(s, it->file) : NULL;
  image png;
  SDL_ClearError();
  if (it->bytes && read_image(s, it->bytes, it->size, &png)) {
    assets_note(s->options.files, i, NULL);
    return add_image(s, name, png, cutting, drawing_of(s, glows));
  }
  sheet_free(cutting);
  refuse(s, i, it->bytes ? SDL_GetError() : NULL, "a checker is drawn instead");
  return add_checker(s, name);
}

/* Adds pictures that glow last: NAME.png takes precedence over NAME.glow.png. */
static bool add_files(sprites *s)
{
  const asset *it;
  bool fine = true;
  for (int glow = 0; glow < 2 && s->options.files; glow++)
    for (size_t i = 0; fine && (it = assets_at(s->options.files, i)) != NULL; i++) {
      char name[NAME_MOST];
      bool glows = cut_name(it->file, name);
      if (!is_sheet(it->file) && glows == glow && name[0] && !sprites_find(s, name))
        fine = add_file(s, i, name, glows);
    }
  return fine;
}

/* }== */

/* {== Opening ============================================================ */

static bool add_all(sprites *s)
{
  bool fine = add_square(s, "", 4, true) && add_checker(s, "") && add_files(s);
  for (int kind = 0; kind < SHAPES && fine; kind++)
    fine = add_shape(s, shape_names[kind], (shape)kind);
  return fine;
}

static bool build_atlas(sprites *s, int *own_page)
{
  return !s->atlas || atlas_build(s->atlas, s->window->renderer, s->window->texture_most, own_page);
}

static void warn_cut_off(const sprites *s, const sprite *it)
{
  char text[NAME_MOST + 128];
  snprintf(text, sizeof text, "sprites/%.100s.json: frame %d lies outside of the PNG, in part or whole", it->name,
           it->cut_off);
  if (it->cut_off)
    warn(s, text);
}

sprites *sprites_open(const window *w, const sprites_options *options)
{
  sprites *s = calloc(1, sizeof *s);
  if (!s) {
    SDL_OutOfMemory();
    return NULL;
  }
  s->options = *options;
  s->window = w;
  s->atlas = w->renderer ? atlas_open() : NULL;
  SDL_ClearError();
  if ((s->atlas || !w->renderer) && add_all(s) && build_atlas(s, NULL)) {
    for (int i = 0; i < s->count; i++)
      warn_cut_off(s, s->list[i]);
    return s;
  }
  if (!*SDL_GetError())
    SDL_OutOfMemory();
  sprites_close(s);
  return NULL;
}

void sprites_close(sprites *s)
{
  if (!s)
    return;
  for (int i = 0; i < s->count; i++) {
    if (s->list[i]->sheet && s->options.sheet)
      s->options.sheet(s->options.ud, s->list[i]->name, NULL);
    free_sprite(s->list[i]);
  }
  for (int i = 0; i < s->cut_count; i++) {
    free_sprite(s->cuts[i].it);
    free(s->cuts[i].name);
  }
  free(s->cuts);
  atlas_close(s->atlas);
  free(s->list);
  free(s->by_number);
  free(s);
}

/* }== */

/* {== Finding ============================================================ */

const sprite *sprites_find(const sprites *s, const char *name)
{
  for (int i = FIRST_NAMED; i < s->count; i++)
    if (strcmp(s->list[i]->name, name) == 0)
      return s->list[i];
  return NULL;
}

const char *sprites_nearest(const sprites *s, const char *name)
{
  sp_nearest_name near = sp_nearest_name_of(name);
  for (int i = FIRST_NAMED; i < s->count; i++)
    sp_nearest_name_offer(&near, s->list[i]->name);
  return near.name;
}

/* Returns the name of a number, or NULL. */
static const char *name_of(const sprites *s, uint16_t number)
{
  const char *name = s->options.name ? s->options.name(s->options.ud, number) : NULL;
  return name || number > 0 ? name : "circle";
}

static const sprite *look_up(const sprites *s, uint16_t number)
{
  const char *name = name_of(s, number);
  const sprite *found = name ? sprites_find(s, name) : NULL;
  char text[256];
  if (found)
    return found;
  const char *near = name ? sprites_nearest(s, name) : NULL;
  if (near)
    snprintf(text, sizeof text, "no sprite '%.80s'; the nearest is '%.80s'; a checker is drawn instead", name, near);
  else if (name)
    snprintf(text, sizeof text, "no sprite '%.80s'; a checker is drawn instead", name);
  else
    snprintf(text, sizeof text, "no sprite has the number %u; a checker is drawn instead", (unsigned)number);
  warn(s, text);
  return s->list[CHECKER];
}

const sprite *sprites_number(sprites *s, uint16_t number)
{
  if (number >= s->numbers) {
    size_t numbers = number + 64u;
    const sprite **by_number = realloc(s->by_number, numbers * sizeof *by_number);
    if (!by_number)
      return s->list[CHECKER];
    for (size_t i = s->numbers; i < numbers; i++)
      by_number[i] = NULL;
    s->by_number = by_number;
    s->numbers = numbers;
  }
  if (!s->by_number[number])
    s->by_number[number] = look_up(s, number);
  return s->by_number[number];
}

void sprites_renumber(sprites *s)
{
  for (size_t i = 0; i < s->numbers; i++)
    s->by_number[i] = NULL;
}

void sprites_send_sheets(const sprites *s)
{
  for (int i = 0; i < s->count; i++)
    if (s->list[i]->sheet)
      send_sheet(s, s->list[i]);
}

batch_area sprites_white(const sprites *s)
{
  batch_area area = s->list[WHITE]->levels->area;
  float inset_u = (area.u1 - area.u0) * 0.25f, inset_v = (area.v1 - area.v0) * 0.25f;
  return (batch_area){area.texture, area.u0 + inset_u, area.v0 + inset_v, area.u1 - inset_u, area.v1 - inset_v};
}

/* Shapes are at the end of the list. */
const sprite *sprites_disc(const sprites *s) { return s->list[s->count - SHAPES + CIRCLE]; }

bool sprites_are_nearest(const sprites *s) { return s->options.nearest; }

int sprites_textures(const sprites *s) { return s->atlas ? atlas_pages(s->atlas) : 0; }

/* }== */

/* {== Cutting ============================================================ */

/* Returns the file of a picture that can be read, or NULL. */
static const asset *find_file(const sprites *s, const char *name, bool *glows)
{
  const asset *it = NULL, *found = NULL;
  char of_file[NAME_MOST];
  for (size_t i = 0; s->options.files && (it = assets_at(s->options.files, i)) != NULL; i++) {
    bool is_glowing = cut_name(it->file, of_file);
    if (is_sheet(it->file) || !it->bytes || strcmp(of_file, name) != 0 || (found && is_glowing))
      continue;
    found = it;
    *glows = is_glowing;
  }
  return found;
}

/* Returns a sheet of as many squares as a picture of w x h pixels has; NULL: SDL_GetError says why. */
static sheet *sheet_of_squares(int side, int w, int h)
{
  const int columns = w / side, count = columns * (h / side);
  if (count < 1 || count > SHEET_FRAMES_MOST) {
    SDL_SetError("the picture has %d x %d pixels: %d tiles of %d (1 to %d fit)", w, h, count, side, SHEET_FRAMES_MOST);
    return NULL;
  }
  sheet *it = calloc(1, sizeof *it);
  sheet_frame *frames = calloc((size_t)count, sizeof *frames);
  if (!it || !frames) {
    free(it);
    free(frames);
    SDL_OutOfMemory();
    return NULL;
  }
  for (int i = 0; i < count; i++)
    frames[i].from = (SDL_Rect){i % columns * side, i / columns * side, side, side};
  *it = (sheet){.width = side, .height = side, .frames = frames, .script.frames = (uint32_t)count};
  return it;
}

static sprite *cut_picture(sprites *s, cut_sprite *cut)
{
  bool glows = false;
  const asset *file = find_file(s, cut->name, &glows);
  image png;
  if (!file)
    SDL_SetError("the sprite is no PNG");
  if (!file || !read_image(s, file->bytes, file->size, &png))
    return NULL;
  sheet *squares = sheet_of_squares(cut->side, png.w, png.h);
  if (!squares) {
    free(png.pixels);
    return NULL;
  }
  sprite *it = make_sprite(s, cut->name, png, squares, drawing_of(s, glows));
  if (it && build_atlas(s, &cut->page))
    return it;
  free_sprite(it);
  return NULL;
}

/* Returns the entry of a name and a size, which is made if need be. */
static cut_sprite *find_cut(sprites *s, const char *name, int side)
{
  for (int i = 0; i < s->cut_count; i++)
    if (s->cuts[i].side == side && strcmp(s->cuts[i].name, name) == 0)
      return &s->cuts[i];
  if (s->cut_count >= MOST_CUTS) {
    SDL_SetError("more than %d pictures are cut into tiles", MOST_CUTS);
    return NULL;
  }
  cut_sprite *cuts = realloc(s->cuts, ((size_t)s->cut_count + 1) * sizeof *cuts);
  char *copy = cuts ? strdup(name) : NULL;
  s->cuts = cuts ? cuts : s->cuts;
  if (!copy) {
    SDL_OutOfMemory();
    return NULL;
  }
  cuts[s->cut_count] = (cut_sprite){.name = copy, .side = side, .page = -1};
  return &cuts[s->cut_count++];
}

const sprite *sprites_cut(sprites *s, const char *name, int side)
{
  const sprite *whole = sprites_find(s, name);
  if (whole && whole->sheet)
    return whole;
  if (side < 1) {
    SDL_SetError("%d is no size of a tile", side);
    return NULL;
  }
  cut_sprite *cut = find_cut(s, name, side);
  if (cut && !cut->it)
    cut->it = cut_picture(s, cut);
  return cut ? cut->it : NULL;
}

/* }== */

/* {== Reloading ========================================================== */

/* Returns the sprite of a PNG called `name`, or NULL. */
static sprite *find_picture(const sprites *s, const char *name)
{
  for (int i = FIRST_NAMED; i < s->count - SHAPES; i++)
    if (strcmp(s->list[i]->name, name) == 0)
      return s->list[i];
  return NULL;
}

/* Makes the name refer to this sprite from now on. */
static void take_name(sprites *s, const sprite *it)
{
  for (size_t i = 0; i < s->numbers; i++) {
    const char *name = s->by_number[i] ? name_of(s, (uint16_t)i) : NULL;
    if (name && strcmp(name, it->name) == 0)
      s->by_number[i] = it;
  }
}

/* Makes the sprite of a file that is new or was edited, with the one beside it, if that was good. NULL when one of them
   is invalid, or out of memory: SDL_GetError says why. */
static sprite *make_again(sprites *s, const char *name, const asset *now, const asset *beside, bool glows)
{
  const asset *json = is_sheet(now->file) ? now : beside, *file = is_sheet(now->file) ? beside : now;
  sheet *cutting = json ? sheet_read(json->bytes, json->size) : NULL;
  image png;
  if ((json && !cutting) || !read_image(s, file->bytes, file->size, &png)) {
    sheet_free(cutting);
    return NULL;
  }
  sprite *it = make_sprite(s, name, png, cutting, drawing_of(s, glows));
  if (!it)
    SDL_OutOfMemory();
  return it;
}

/* Moves the contents of `with` to a sprite, which keeps its address. The script gets the new sheet before the old one
   is freed. */
static void replace(const sprites *s, sprite *it, sprite *with)
{
  sprite before = *it;
  *it = *with;
  *with = before;
  send_sheet(s, it);
  free_sprite(with);
}

/* Lets the picture be cut again when it is needed next. */
static void forget_cuts(const sprites *s, const char *name)
{
  for (int i = 0; i < s->cut_count; i++)
    if (strcmp(s->cuts[i].name, name) == 0) {
      free_sprite(s->cuts[i].it);
      s->cuts[i].it = NULL;
    }
}

bool sprites_load(sprites *s, const char *file, const void *bytes, size_t size)
{
  char name[NAME_MOST];
  size_t number;
  bool glows = cut_name(file, name);
  const asset *beside = find_beside(s, file, &number);
  if (!name[0])
    return SDL_SetError("the file has no name") == 0;
  if (is_sheet(file) && !beside)
    return true; /* it waits for its PNG */
  if (!make_room(s))
    return SDL_OutOfMemory() == 0;
  const asset now = {.file = (char *)file, .bytes = (char *)bytes, .size = size};
  sprite *old = find_picture(s, name), *it = make_again(s, name, &now, beside, glows);
  if (!it)
    return false;
  it->page = old ? old->page : -1;
  it->reloaded = true;
  if (!build_atlas(s, &it->page)) {
    free_sprite(it);
    return false;
  }
  forget_cuts(s, name);
  if (old) {
    replace(s, old, it);
    return true;
  }
  insert(s, s->count - SHAPES, it);
  take_name(s, it);
  if (it->sheet)
    send_sheet(s, it);
  return true;
}

bool sprites_is_reloaded(sprites *s, uint16_t number)
{
  return number < s->numbers && s->by_number[number] && s->by_number[number]->reloaded;
}

/* Warns here rather than after each file: while a PNG and its sheet are exported, one is older than the other. */
void sprites_clear_reloaded(sprites *s)
{
  for (int i = 0; i < s->count; i++) {
    if (s->list[i]->reloaded)
      warn_cut_off(s, s->list[i]);
    s->list[i]->reloaded = false;
  }
}

/* }== */
