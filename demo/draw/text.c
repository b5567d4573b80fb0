/*
** Letters are kept in a hash table by face, size in pixels, and character. Their pictures are on pages that are never
** freed or moved, so batches made earlier stay valid. Letters are placed on whole pixels, without scaling. Advances are
** measured at one pixel per unit, so that a text has the same width in every window.
**
** SDL_ttf rasterises one letter at a time. It keeps none of them, does not know where fonts are, and has no letters for
** a system without fonts: so all of that is here. Font files are opened for the first letter, not at the start.
*/
#include "demo/draw/text.h"

#include <SDL_ttf.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/picture.h"
#include "demo/support/platform.h"
#include "script/state/strings.h"

#define PATH_MOST 4096
#define PAGE_SIDE 512
#define PAGES_MOST 32
#define FIRST_ROOM 256  /* letters; a power of two */
#define GAP 1           /* clear pixels between letters */
#define SHARP_MOST 48   /* pixels: letters up to this size are never scaled */
#define PIXELS_MOST 256 /* larger letters are rasterised at this size and enlarged */

typedef struct letter {
  uint64_t key; /* 0: free entry */
  batch_area area;
  float x, w, h, advance; /* pixels; x from the pen, the top is that of the line */
} letter;

/* A font file, or a picture of letters; neither: the built-in bitmap letters. */
typedef struct text_font {
  char *name; /* of a font of the game */
  TTF_Font *file;
  int pixels;        /* current size of the file */
  uint32_t *picture; /* 0xAARRGGBB */
  int wide, high;    /* of a cell of the picture, pixels */
} text_font;

struct text {
  const window *window;
  float scale;      /* pixels per unit */
  bool has_fonts;   /* the files of the system were opened: not before a letter is needed */
  bool has_library; /* SDL_ttf is to be closed */
  text_font fonts[FONT_FACES + FONTS_MOST];
  int font_count; /* with those of the game */
  letter *letters;
  size_t count, room;
  SDL_Texture *pages[PAGES_MOST];
  int page_count, page, x, y, row; /* which page is filled, and the position of the next letter on it */
};

/* {== Font files ========================================================= */

static const char *const font_files[FONT_FACES] = {"DejaVuSans.ttf", "DejaVuSansMono.ttf"};

/* "." is the folder of the player: fonts may be packed with it. */
static char *own_folder(const char *folder)
{
  const char *home = getenv("HOME");
  if (folder[0] == '.')
    return SDL_GetBasePath();
  return folder[0] == '~' && home ? SDL_strdup(home) : NULL;
}

bool text_font_folder(size_t i, char *path, size_t size)
{
  const char *folder = platform_font_folder(i);
  path[0] = '\0';
  if (!folder)
    return false;
  bool own = folder[0] == '~' || folder[0] == '.';
  char *base = own ? own_folder(folder) : NULL;
  if (!own || base)
    snprintf(path, size, "%s%s", own ? base : "", folder + own);
  SDL_free(base);
  return true;
}

/* Writes the path of a readable font file of this face. Every folder is tried with every file: distributions differ in
   the folder only. */
static bool find_font(font_face face, char *path, size_t size)
{
  char folder[900];
  for (size_t i = 0; text_font_folder(i, folder, sizeof folder); i++) {
    snprintf(path, size, "%s/%s", folder, font_files[face]);
    if (*folder && platform_may_read(path))
      return true;
  }
  return false;
}

/* }== */

/* {== Opening ============================================================ */

text *text_open(const window *w, bool built_in)
{
  text *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->window = w;
  t->scale = w->scale;
  t->has_fonts = built_in;
  t->font_count = FONT_FACES;
  t->page = -1;
  t->letters = calloc(FIRST_ROOM, sizeof *t->letters);
  t->room = FIRST_ROOM;
  if (t->letters)
    return t;
  text_close(t);
  return NULL;
}

static bool open_library(text *t)
{
  t->has_library = t->has_library || TTF_Init() == 0;
  return t->has_library;
}

static void open_fonts(text *t)
{
  char path[1024];
  t->has_fonts = true;
  for (int face = 0; face < FONT_FACES && open_library(t); face++)
    if (find_font((font_face)face, path, sizeof path))
      t->fonts[face].file = TTF_OpenFont(path, 16);
  /* Text of games is rather shown in the other face than in bitmap letters. */
  if (t->has_library && !t->fonts[FONT_SANS].file && find_font(FONT_MONO, path, sizeof path))
    t->fonts[FONT_SANS].file = TTF_OpenFont(path, 16);
  for (int face = 0; face < FONT_FACES; face++)
    if (t->fonts[face].file)
      TTF_SetFontHinting(t->fonts[face].file, TTF_HINTING_LIGHT);
}

static void close_font(text_font *it)
{
  if (it->file)
    TTF_CloseFont(it->file);
  free(it->picture);
  free(it->name);
}

void text_close(text *t)
{
  if (!t)
    return;
  for (int face = 0; face < t->font_count; face++)
    close_font(&t->fonts[face]);
  if (t->has_library)
    TTF_Quit();
  for (int i = 0; i < t->page_count; i++)
    SDL_DestroyTexture(t->pages[i]);
  free(t->letters);
  free(t);
}

/* }== */

/* {== Pages ============================================================== */

static SDL_Texture *new_page(text *t)
{
  SDL_Texture *page =
      SDL_CreateTexture(t->window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, PAGE_SIDE, PAGE_SIDE);
  if (!page)
    return NULL;
  SDL_SetTextureBlendMode(page, SDL_BLENDMODE_BLEND);
  SDL_SetTextureScaleMode(page, SDL_ScaleModeLinear);
  return t->pages[t->page_count++] = page;
}

/* Begins the next page: one that was filled before all letters were dropped, or a new one. */
static bool begin_page(text *t)
{
  const int next = t->page + 1;
  void *clear = next < PAGES_MOST ? calloc(PAGE_SIDE * PAGE_SIDE, 4) : NULL;
  SDL_Texture *page = !clear ? NULL : next < t->page_count ? t->pages[next] : new_page(t);
  if (page) {
    SDL_UpdateTexture(page, NULL, clear, PAGE_SIDE * 4);
    t->page = next;
    t->x = t->y = t->row = 0;
  }
  free(clear);
  return page != NULL;
}

static void drop_letters(text *t)
{
  memset(t->letters, 0, t->room * sizeof *t->letters);
  t->count = 0;
  t->page = -1;
}

/* Finds space for a picture of w x h pixels, on this page or the next one. */
static bool find_place(text *t, int w, int h, SDL_Rect *place)
{
  if (w + GAP > PAGE_SIDE || h + GAP > PAGE_SIDE)
    return false;
  if (t->x + w + GAP > PAGE_SIDE) {
    t->y += t->row;
    t->x = t->row = 0;
  }
  if ((t->page < 0 || t->y + h + GAP > PAGE_SIDE) && !begin_page(t))
    return false;
  *place = (SDL_Rect){t->x, t->y, w, h};
  t->x += w + GAP;
  if (h + GAP > t->row)
    t->row = h + GAP;
  return true;
}

/* Puts 0xAARRGGBB pixels on a page. A letter for which there is no space keeps its width and shows nothing. */
static void set_picture(text *t, letter *it, const void *pixels, int pitch, int w, int h)
{
  SDL_Rect place;
  const float side = PAGE_SIDE;
  if (w <= 0 || h <= 0 || !find_place(t, w, h, &place))
    return;
  it->area.texture = t->pages[t->page];
  SDL_UpdateTexture(it->area.texture, &place, pixels, pitch);
  it->area.u0 = (float)place.x / side;
  it->area.v0 = (float)place.y / side;
  it->area.u1 = (float)(place.x + w) / side;
  it->area.v1 = (float)(place.y + h) / side;
  it->w = (float)w;
  it->h = (float)h;
}

/* }== */

/* {== Bitmap letters ===================================================== */

#define BITMAP_WIDTH 5
#define BITMAP_HEIGHT 8 /* the lowest row is for descenders */

/* The printable characters of ASCII: columns from left to right, bit 0 is the top row. */
static const uint8_t bitmaps[][BITMAP_WIDTH] = {
    {0x00, 0x00, 0x00, 0x00, 0x00}, {0x00, 0x00, 0x5f, 0x00, 0x00}, {0x00, 0x07, 0x00, 0x07, 0x00}, /*   ! " */
    {0x14, 0x7f, 0x14, 0x7f, 0x14}, {0x24, 0x2a, 0x7f, 0x2a, 0x12}, {0x23, 0x13, 0x08, 0x64, 0x62}, /* # $ % */
    {0x36, 0x49, 0x56, 0x20, 0x50}, {0x00, 0x00, 0x07, 0x00, 0x00}, {0x00, 0x1c, 0x22, 0x41, 0x00}, /* & ' ( */
    {0x00, 0x41, 0x22, 0x1c, 0x00}, {0x2a, 0x1c, 0x7f, 0x1c, 0x2a}, {0x08, 0x08, 0x3e, 0x08, 0x08}, /* ) * + */
    {0x00, 0x80, 0x60, 0x00, 0x00}, {0x08, 0x08, 0x08, 0x08, 0x08}, {0x00, 0x00, 0x60, 0x00, 0x00}, /* , - . */
    {0x20, 0x10, 0x08, 0x04, 0x02}, {0x3e, 0x51, 0x49, 0x45, 0x3e}, {0x00, 0x42, 0x7f, 0x40, 0x00}, /* / 0 1 */
    {0x72, 0x49, 0x49, 0x49, 0x46}, {0x21, 0x41, 0x49, 0x4d, 0x33}, {0x18, 0x14, 0x12, 0x7f, 0x10}, /* 2 3 4 */
    {0x27, 0x45, 0x45, 0x45, 0x39}, {0x3c, 0x4a, 0x49, 0x49, 0x31}, {0x41, 0x21, 0x11, 0x09, 0x07}, /* 5 6 7 */
    {0x36, 0x49, 0x49, 0x49, 0x36}, {0x46, 0x49, 0x49, 0x29, 0x1e}, {0x00, 0x00, 0x36, 0x00, 0x00}, /* 8 9 : */
    {0x00, 0x80, 0x6c, 0x00, 0x00}, {0x08, 0x14, 0x22, 0x41, 0x00}, {0x14, 0x14, 0x14, 0x14, 0x14}, /* ; < = */
    {0x00, 0x41, 0x22, 0x14, 0x08}, {0x02, 0x01, 0x59, 0x09, 0x06}, {0x3e, 0x41, 0x5d, 0x59, 0x4e}, /* > ? @ */
    {0x7c, 0x12, 0x11, 0x12, 0x7c}, {0x7f, 0x49, 0x49, 0x49, 0x36}, {0x3e, 0x41, 0x41, 0x41, 0x22}, /* A B C */
    {0x7f, 0x41, 0x41, 0x41, 0x3e}, {0x7f, 0x49, 0x49, 0x49, 0x41}, {0x7f, 0x09, 0x09, 0x09, 0x01}, /* D E F */
    {0x3e, 0x41, 0x41, 0x51, 0x73}, {0x7f, 0x08, 0x08, 0x08, 0x7f}, {0x00, 0x41, 0x7f, 0x41, 0x00}, /* G H I */
    {0x20, 0x40, 0x41, 0x3f, 0x01}, {0x7f, 0x08, 0x14, 0x22, 0x41}, {0x7f, 0x40, 0x40, 0x40, 0x40}, /* J K L */
    {0x7f, 0x02, 0x1c, 0x02, 0x7f}, {0x7f, 0x04, 0x08, 0x10, 0x7f}, {0x3e, 0x41, 0x41, 0x41, 0x3e}, /* M N O */
    {0x7f, 0x09, 0x09, 0x09, 0x06}, {0x3e, 0x41, 0x51, 0x21, 0x5e}, {0x7f, 0x09, 0x19, 0x29, 0x46}, /* P Q R */
    {0x26, 0x49, 0x49, 0x49, 0x32}, {0x01, 0x01, 0x7f, 0x01, 0x01}, {0x3f, 0x40, 0x40, 0x40, 0x3f}, /* S T U */
    {0x1f, 0x20, 0x40, 0x20, 0x1f}, {0x3f, 0x40, 0x38, 0x40, 0x3f}, {0x63, 0x14, 0x08, 0x14, 0x63}, /* V W X */
    {0x03, 0x04, 0x78, 0x04, 0x03}, {0x61, 0x51, 0x49, 0x45, 0x43}, {0x00, 0x7f, 0x41, 0x41, 0x00}, /* Y Z [ */
    {0x02, 0x04, 0x08, 0x10, 0x20}, {0x00, 0x41, 0x41, 0x7f, 0x00}, {0x04, 0x02, 0x01, 0x02, 0x04}, /* \ ] ^ */
    {0x40, 0x40, 0x40, 0x40, 0x40}, {0x00, 0x01, 0x02, 0x04, 0x00}, {0x20, 0x54, 0x54, 0x54, 0x78}, /* _ ` a */
    {0x7f, 0x48, 0x44, 0x44, 0x38}, {0x38, 0x44, 0x44, 0x44, 0x28}, {0x38, 0x44, 0x44, 0x48, 0x7f}, /* b c d */
    {0x38, 0x54, 0x54, 0x54, 0x18}, {0x08, 0x7e, 0x09, 0x01, 0x02}, {0x18, 0xa4, 0xa4, 0xa4, 0x7c}, /* e f g */
    {0x7f, 0x08, 0x04, 0x04, 0x78}, {0x00, 0x44, 0x7d, 0x40, 0x00}, {0x40, 0x80, 0x84, 0x7d, 0x00}, /* h i j */
    {0x7f, 0x10, 0x28, 0x44, 0x00}, {0x00, 0x41, 0x7f, 0x40, 0x00}, {0x7c, 0x04, 0x78, 0x04, 0x78}, /* k l m */
    {0x7c, 0x08, 0x04, 0x04, 0x78}, {0x38, 0x44, 0x44, 0x44, 0x38}, {0xfc, 0x24, 0x24, 0x24, 0x18}, /* n o p */
    {0x18, 0x24, 0x24, 0x24, 0xfc}, {0x7c, 0x08, 0x04, 0x04, 0x08}, {0x48, 0x54, 0x54, 0x54, 0x20}, /* q r s */
    {0x04, 0x3f, 0x44, 0x40, 0x20}, {0x3c, 0x40, 0x40, 0x20, 0x7c}, {0x1c, 0x20, 0x40, 0x20, 0x1c}, /* t u v */
    {0x3c, 0x40, 0x30, 0x40, 0x3c}, {0x44, 0x28, 0x10, 0x28, 0x44}, {0x1c, 0xa0, 0xa0, 0xa0, 0x7c}, /* w x y */
    {0x44, 0x64, 0x54, 0x4c, 0x44}, {0x00, 0x08, 0x36, 0x41, 0x00}, {0x00, 0x00, 0x7f, 0x00, 0x00}, /* z { | */
    {0x00, 0x41, 0x36, 0x08, 0x00}, {0x08, 0x04, 0x08, 0x10, 0x08}, {0x7f, 0x41, 0x41, 0x41, 0x7f}, /* } ~ box */
};

/* Characters that are missing (anything past ASCII) are a box. */
static const uint8_t *bitmap_of(uint32_t character)
{
  size_t count = sizeof bitmaps / sizeof *bitmaps;
  size_t index = character >= ' ' ? character - ' ' : count;
  return bitmaps[index < count ? index : count - 1];
}

static int bitmap_dot(int pixels)
{
  int dot = (pixels + 3) / (BITMAP_HEIGHT);
  return dot < 1 ? 1 : dot;
}

static void make_bitmap_letter(text *t, letter *it, int pixels, uint32_t character, bool only_measured)
{
  enum { MOST_DOT = 60 }; /* larger dots would make letters that do not fit on a page */
  const uint8_t *columns = bitmap_of(character);
  int dot = bitmap_dot(pixels) < MOST_DOT ? bitmap_dot(pixels) : MOST_DOT;
  int w = BITMAP_WIDTH * dot, h = BITMAP_HEIGHT * dot;
  uint32_t *picture = only_measured ? NULL : malloc((size_t)w * (size_t)h * sizeof *picture);
  it->advance = (float)(w + dot);
  for (int i = 0; picture && i < w * h; i++)
    picture[i] = columns[i % w / dot] >> (i / w / dot) & 1 ? 0xffffffffu : 0x00ffffffu;
  if (picture && character != ' ')
    set_picture(t, it, picture, w * 4, w, h);
  free(picture);
}

/* }== */

/* {== Fonts of the game ================================================== */

#define COLUMNS 16
#define ROWS 6 /* from ' ' on */

const char *const text_endings[] = {".ttf", ".otf", ".png", NULL};

int text_find_font(const text *t, const char *name)
{
  int face = t->font_count - 1;
  while (face >= FONT_FACES && strcmp(t->fonts[face].name, name) != 0)
    face--;
  return face;
}

const char *text_nearest_font(const text *t, const char *name)
{
  sp_nearest_name near = sp_nearest_name_of(name);
  for (int face = FONT_FACES; face < t->font_count; face++)
    sp_nearest_name_offer(&near, t->fonts[face].name);
  return near.name;
}

float text_own_size(const text *t, int face, float other)
{
  return t->fonts[face].picture ? (float)t->fonts[face].high : other;
}

static bool open_picture(text_font *it, const void *bytes, size_t size)
{
  int w, h;
  it->picture = image_load(bytes, size, &w, &h);
  if (!it->picture)
    return false;
  it->wide = w / COLUMNS;
  it->high = h / ROWS;
  return (w % COLUMNS == 0 && h % ROWS == 0) ||
         SDL_SetError("%d x %d pixels are not %d columns and %d rows of letters", w, h, COLUMNS, ROWS) == 0;
}

static bool open_font(text *t, text_font *it, const void *bytes, size_t size)
{
  const char *dot = strrchr(it->name, '.');
  if (!bytes)
    return true;
  if (dot && SDL_strcasecmp(dot, ".png") == 0)
    return open_picture(it, bytes, size);
  it->file = open_library(t) ? TTF_OpenFontRW(SDL_RWFromConstMem(bytes, (int)size), 1, 16) : NULL;
  if (!it->file)
    return false;
  TTF_SetFontHinting(it->file, TTF_HINTING_LIGHT);
  return true;
}

bool text_load_font(text *t, const char *file, const void *bytes, size_t size)
{
  char name[PATH_MOST];
  snprintf(name, sizeof name, "fonts/%s", file);
  const int face = text_find_font(t, name);
  text_font new = {.name = strdup(name)};
  if (face < FONT_FACES && t->font_count == FONT_FACES + FONTS_MOST)
    SDL_SetError("a game has %d fonts at most", FONTS_MOST);
  else if (new.name && open_font(t, &new, bytes, size)) {
    text_font *to = &t->fonts[face < FONT_FACES ? t->font_count++ : face];
    close_font(to);
    *to = new;
    drop_letters(t);
    return true;
  }
  close_font(&new);
  return false;
}

void text_load_fonts(text *t, assets *files, void (*warn)(void *ud, const char *line), void *ud)
{
  char path[PATH_MOST], line[PATH_MOST + 256];
  const asset *it;
  for (size_t i = 0; (it = assets_at(files, i)) != NULL; i++) {
    if (it->bytes && text_load_font(t, it->file, it->bytes, it->size)) {
      assets_note(files, i, NULL);
      continue;
    }
    if (it->bytes)
      assets_note(files, i, SDL_GetError());
    text_load_font(t, it->file, NULL, 0);
    assets_path(files, it->file, path, sizeof path);
    snprintf(line, sizeof line, "%s: %s; built-in letters are drawn instead", path,
             it->problem ? it->problem : "out of memory");
    warn(ud, line);
  }
}

/* Makes a letter as high as `pixels` by repeating pixels. */
static void make_picture_letter(text *t, letter *it, const text_font *f, int pixels, uint32_t character,
                                bool only_measured)
{
  const uint32_t index = character >= ' ' && character < ' ' + COLUMNS * ROWS ? character - ' ' : '?' - ' ';
  const uint32_t *from =
      f->picture + (ptrdiff_t)(index / COLUMNS) * f->high * f->wide * COLUMNS + (ptrdiff_t)(index % COLUMNS) * f->wide;
  const int w = (f->wide * pixels + f->high / 2) / f->high, h = pixels;
  it->advance = (float)f->wide * (float)pixels / (float)f->high;
  if (only_measured || w < 1 || w > PAGE_SIDE)
    return;
  uint32_t *picture = malloc((size_t)w * (size_t)h * sizeof *picture);
  for (int i = 0; picture && i < w * h; i++)
    picture[i] = from[(ptrdiff_t)(i / w * f->high / h) * f->wide * COLUMNS + i % w * f->wide / w];
  if (picture)
    set_picture(t, it, picture, w * 4, w, h);
  free(picture);
}

/* }== */

/* {== Letters ============================================================ */

static TTF_Font *font_at(text *t, int face, int pixels)
{
  if (!t->has_fonts)
    open_fonts(t);
  text_font *it = &t->fonts[face];
  if (it->file && it->pixels != pixels) {
    TTF_SetFontSize(it->file, pixels);
    it->pixels = pixels;
  }
  return it->file;
}

static void make_letter(text *t, letter *it, int face, int pixels, uint32_t character, bool only_measured)
{
  TTF_Font *font = font_at(t, face, pixels);
  int left = 0, advance = 0;
  SDL_Surface *drawn, *plain;
  if (t->fonts[face].picture) {
    make_picture_letter(t, it, &t->fonts[face], pixels, character, only_measured);
    return;
  }
  if (!font || TTF_GlyphMetrics32(font, character, &left, NULL, NULL, NULL, &advance) != 0) {
    make_bitmap_letter(t, it, pixels, character, only_measured);
    return;
  }
  it->advance = (float)advance;
  it->x = left < 0 ? (float)left : 0; /* pictures of SDL_ttf begin at the pen, or left of it if the letter does */
  drawn = character == ' ' || only_measured
              ? NULL
              : TTF_RenderGlyph32_Blended(font, character, (SDL_Color){255, 255, 255, 255});
  plain = drawn ? SDL_ConvertSurfaceFormat(drawn, SDL_PIXELFORMAT_ARGB8888, 0) : NULL;
  if (plain)
    set_picture(t, it, plain->pixels, plain->pitch, plain->w, plain->h);
  SDL_FreeSurface(plain);
  SDL_FreeSurface(drawn);
}

static letter *find(letter *letters, size_t room, uint64_t key)
{
  size_t i = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (room - 1);
  while (letters[i].key != 0 && letters[i].key != key)
    i = (i + 1) & (room - 1);
  return &letters[i];
}

static bool grow(text *t)
{
  size_t room = t->room * 2;
  letter *letters = calloc(room, sizeof *letters);
  if (!letters)
    return false;
  for (size_t i = 0; i < t->room; i++)
    if (t->letters[i].key != 0)
      *find(letters, room, t->letters[i].key) = t->letters[i];
  free(t->letters);
  t->letters = letters;
  t->room = room;
  return true;
}

/* Returns NULL when memory is refused. The pointer is valid until the next call. Letters that were only measured have
   no picture. */
static const letter *letter_of(text *t, int face, int pixels, uint32_t character, bool only_measured)
{
  uint64_t key = 1u | (uint64_t)face << 1 | (uint64_t)only_measured << 7 | (uint64_t)pixels << 8;
  key |= (uint64_t)character << 32;
  letter *it = find(t->letters, t->room, key);
  if (it->key == key)
    return it;
  if (t->count * 2 >= t->room) {
    if (!grow(t))
      return NULL;
    it = find(t->letters, t->room, key);
  }
  memset(it, 0, sizeof *it);
  it->key = key;
  t->count += 1;
  make_letter(t, it, face, pixels, character, only_measured);
  return it;
}

/* }== */

/* {== Lines ============================================================== */

static float size_of(const text *t, const text_style *style)
{
  float least = t->fonts[style->face].picture ? 1 : TEXT_SIZE_LEAST, size = style->size > least ? style->size : least;
  return size < TEXT_SIZE_MOST ? size : TEXT_SIZE_MOST;
}

/* The size in pixels at which widths are measured: one pixel per unit. */
static int measured_pixels(const text *t, const text_style *style) { return (int)lroundf(size_of(t, style)); }

/* The state of setting a line of text. */
typedef struct setting {
  text *text;
  const text_style *style;
  float scale;          /* pixels per unit of the letters' pictures */
  int measured, pixels; /* sizes at which letters are measured and drawn; `pixels` 0: they are not drawn */
} setting;

/* Rounds a size in pixels up to one of a few sizes. A window that is resized or a camera that zooms passes through all
   sizes, and letters of each large size would fill the pages. */
static int nearby_pixels(float pixels)
{
  int step = pixels <= 96 ? 4 : 8, least = (int)ceilf(pixels / (float)step) * step;
  return least < PIXELS_MOST ? least : PIXELS_MOST;
}

static setting begin_setting(text *t, const text_style *style, bool drawn)
{
  setting s = {.text = t, .style = style, .scale = t->scale, .measured = measured_pixels(t, style)};
  float size = size_of(t, style), pixels = size * t->scale;
  if (!drawn)
    return s;
  s.pixels = pixels > 1 ? (int)lroundf(pixels) : 1;
  if (s.pixels <= SHARP_MOST || (t->scale == t->window->scale && s.pixels <= PIXELS_MOST))
    return s;
  s.pixels = nearby_pixels(pixels);
  s.scale = (float)s.pixels / size;
  return s;
}

/* Returns how far the next letter is from this one, in units. */
static float advance_of(const setting *s, uint32_t character)
{
  bool is_drawn = s->pixels == s->measured; /* the letter that is drawn is also measured: one look-up is enough */
  const letter *it = letter_of(s->text, s->style->face, s->measured, character < ' ' ? ' ' : character, !is_drawn);
  return it ? character == '\t' ? 4 * it->advance : it->advance : 0;
}

static float line_width(const setting *s, const char *from, const char *end)
{
  float width = 0;
  while (from < end)
    width += advance_of(s, sp_utf8_next(&from, end));
  return width;
}

/* Returns the end of the line that begins at `from`, and writes where the next one begins. A line that is too long ends
   before its last space that fits, or else before the letter that does not; it has at least one. */
static const char *find_line(const setting *s, const char *from, const char *end, const char **next)
{
  const char *newline = memchr(from, '\n', (size_t)(end - from)), *last = newline ? newline : end, *space = NULL;
  float width = 0;
  for (const char *at = from; s->style->width > 0 && at < last;) {
    const char *before = at;
    uint32_t character = sp_utf8_next(&at, last);
    width += advance_of(s, character);
    if (character == ' ')
      space = before;
    if (width <= s->style->width || before == from || character == ' ')
      continue;
    *next = space && space > from ? space : before;
    const char *stop = *next;
    while (*next < last && **next == ' ')
      ++*next;
    return stop;
  }
  *next = newline ? newline + 1 : end + 1;
  return last;
}

/* Returns how far left of x a line begins, in units. */
static float line_offset(const setting *s, const char *from, const char *end)
{
  static const float shares[] = {[TEXT_LEFT] = 0, [TEXT_CENTER] = 0.5f, [TEXT_RIGHT] = 1};
  float share = shares[s->style->align];
  return s->pixels > 0 && share > 0 ? -share * line_width(s, from, end) : 0;
}

/* Draws a letter. x, y: the pen, in pixels of the letter. */
static void draw_letter(const setting *s, batch *out, float x, float y, uint32_t character)
{
  const letter *it = letter_of(s->text, s->style->face, s->pixels, character < ' ' ? ' ' : character, false);
  if (it && it->area.texture)
    batch_rect(out, &it->area, (x + it->x) / s->scale, y / s->scale, it->w / s->scale, it->h / s->scale,
               s->style->color);
}

/* Draws a line, whose end is `end`. Returns its width. */
static float set_line(const setting *s, batch *out, float left, float top, const char *from, const char *end)
{
  float pen = 0;
  while (from < end) {
    uint32_t character = sp_utf8_next(&from, end);
    float advance = advance_of(s, character);
    if (out)
      draw_letter(s, out, left + roundf(pen * s->scale), top, character);
    pen += advance;
  }
  return pen;
}

/* Draws a text into `out`, or only measures it when that is NULL. Returns its width, and counts its lines. */
static float set_text(text *t, batch *out, float x, float y, const text_style *style, const char *from, size_t length,
                      int *lines)
{
  const char *end = from + length, *next = from;
  const setting s = begin_setting(t, style, out != NULL);
  float widest = 0, top = roundf(y * s.scale), down = roundf(text_line(t, style) * s.scale);
  for (*lines = 0; next <= end; ++*lines, top += down) {
    from = next;
    const char *stop = find_line(&s, from, end, &next);
    float left = roundf((x + line_offset(&s, from, stop)) * s.scale);
    widest = fmaxf(widest, set_line(&s, out, left, top, from, stop));
  }
  return widest;
}

bool text_is_drawn(const text *t) { return t->window->renderer != NULL; }

void text_set_scale(text *t, float scale) { t->scale = scale > 1e-3f ? scale : 1e-3f; }

float text_draw(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length)
{
  int lines;
  return set_text(t, out, x, y, style, s, length, &lines);
}

float text_measure(text *t, const text_style *style, const char *s, size_t length, int *lines)
{
  return set_text(t, NULL, 0, 0, style, s, length, lines);
}

float text_line(text *t, const text_style *style)
{
  int pixels = measured_pixels(t, style);
  TTF_Font *font = font_at(t, style->face, pixels);
  if (t->fonts[style->face].picture)
    return (float)pixels;
  return (float)(font ? TTF_FontLineSkip(font) : bitmap_dot(pixels) * (BITMAP_HEIGHT + 2));
}

/* }== */
