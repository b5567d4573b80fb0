/*
** Letters are kept in a hash table by face, size in pixels, and character. Their pictures are on pages that are never
** freed or moved, so batches made earlier stay valid. Letters are placed on whole pixels, without scaling.
*/
#include "demo/draw/text.h"

#include <SDL_ttf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/utf8.h"

#define PAGE_SIDE 512
#define PAGES_MOST 32
#define FIRST_ROOM 256 /* letters; a power of two */
#define GAP 1          /* clear pixels between letters */

typedef struct letter {
  uint64_t key; /* 0: free entry */
  batch_area area;
  float x, w, h, advance; /* pixels; x from the pen, the top is that of the line */
} letter;

struct text {
  const window *window;
  TTF_Font *fonts[FONT_FACES]; /* NULL: bitmap letters */
  int pixels[FONT_FACES];      /* current size of each font */
  letter *letters;
  size_t count, room;
  SDL_Texture *pages[PAGES_MOST];
  int page_count, x, y, row; /* position of the next letter on the last page */
};

/* {== Opening ============================================================ */

text *text_open(const window *w, bool built_in)
{
  text *t = calloc(1, sizeof *t);
  char path[1024];
  if (!t)
    return NULL;
  t->window = w;
  t->letters = calloc(FIRST_ROOM, sizeof *t->letters);
  t->room = FIRST_ROOM;
  if (!t->letters) {
    text_close(t);
    return NULL;
  }
  if (built_in || TTF_Init() != 0)
    return t;
  for (int face = 0; face < FONT_FACES; face++)
    if (font_find((font_face)face, path, sizeof path))
      t->fonts[face] = TTF_OpenFont(path, 16);
  /* One face replaces the other if that is missing. */
  if (!t->fonts[FONT_SANS] && font_find(FONT_MONO, path, sizeof path))
    t->fonts[FONT_SANS] = TTF_OpenFont(path, 16);
  for (int face = 0; face < FONT_FACES; face++)
    if (t->fonts[face])
      TTF_SetFontHinting(t->fonts[face], TTF_HINTING_LIGHT);
  if (!t->fonts[FONT_SANS] && !t->fonts[FONT_MONO])
    TTF_Quit();
  return t;
}

void text_close(text *t)
{
  bool fonts = false;
  if (!t)
    return;
  for (int face = 0; face < FONT_FACES; face++)
    if (t->fonts[face]) {
      TTF_CloseFont(t->fonts[face]);
      fonts = true;
    }
  if (fonts)
    TTF_Quit();
  for (int i = 0; i < t->page_count; i++)
    SDL_DestroyTexture(t->pages[i]);
  free(t->letters);
  free(t);
}

/* }== */

/* {== Pages ============================================================== */

static SDL_Texture *add_page(text *t)
{
  void *clear = t->page_count < PAGES_MOST ? calloc(PAGE_SIDE * PAGE_SIDE, 4) : NULL;
  SDL_Texture *page = NULL;
  if (clear)
    page = SDL_CreateTexture(t->window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, PAGE_SIDE,
                             PAGE_SIDE);
  if (page) {
    SDL_UpdateTexture(page, NULL, clear, PAGE_SIDE * 4);
    SDL_SetTextureBlendMode(page, SDL_BLENDMODE_BLEND);
    SDL_SetTextureScaleMode(page, SDL_ScaleModeLinear);
    t->pages[t->page_count++] = page;
    t->x = t->y = t->row = 0;
  }
  free(clear);
  return page;
}

/* Finds space for a picture of w x h pixels, on the last page or a new one. */
static bool find_place(text *t, int w, int h, SDL_Rect *place)
{
  if (w + GAP > PAGE_SIDE || h + GAP > PAGE_SIDE)
    return false;
  if (t->x + w + GAP > PAGE_SIDE) {
    t->y += t->row;
    t->x = t->row = 0;
  }
  if ((t->page_count == 0 || t->y + h + GAP > PAGE_SIDE) && !add_page(t))
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
  it->area.texture = t->pages[t->page_count - 1];
  SDL_UpdateTexture(it->area.texture, &place, pixels, pitch);
  it->area.u0 = (float)place.x / side;
  it->area.v0 = (float)place.y / side;
  it->area.u1 = (float)(place.x + w) / side;
  it->area.v1 = (float)(place.y + h) / side;
  it->w = (float)w;
  it->h = (float)h;
}

/* }== */

/* {== Letters ============================================================ */

static int bitmap_dot(int pixels)
{
  int dot = (pixels + 3) / (FONT_BITMAP_HEIGHT);
  return dot < 1 ? 1 : dot;
}

static void make_bitmap_letter(text *t, letter *it, int pixels, uint32_t character)
{
  enum { MOST_DOT = 60 }; /* larger letters do not fit on a page */
  const uint8_t *columns = font_bitmap(character);
  int dot = bitmap_dot(pixels) < MOST_DOT ? bitmap_dot(pixels) : MOST_DOT;
  int w = FONT_BITMAP_WIDTH * dot, h = FONT_BITMAP_HEIGHT * dot;
  uint32_t *picture = malloc((size_t)w * (size_t)h * sizeof *picture);
  it->advance = (float)(w + dot);
  for (int i = 0; picture && i < w * h; i++)
    picture[i] = columns[i % w / dot] >> (i / w / dot) & 1 ? 0xffffffffu : 0x00ffffffu;
  if (picture && character != ' ')
    set_picture(t, it, picture, w * 4, w, h);
  free(picture);
}

static TTF_Font *font_at(text *t, font_face face, int pixels)
{
  if (t->fonts[face] && t->pixels[face] != pixels) {
    TTF_SetFontSize(t->fonts[face], pixels);
    t->pixels[face] = pixels;
  }
  return t->fonts[face];
}

static void make_letter(text *t, letter *it, font_face face, int pixels, uint32_t character)
{
  TTF_Font *font = font_at(t, face, pixels);
  int left = 0, advance = 0;
  SDL_Surface *drawn, *plain;
  if (!font || TTF_GlyphMetrics32(font, character, &left, NULL, NULL, NULL, &advance) != 0) {
    make_bitmap_letter(t, it, pixels, character);
    return;
  }
  it->advance = (float)advance;
  it->x = left < 0 ? (float)left : 0; /* pictures of SDL_ttf begin at the pen, or left of it if the letter does */
  drawn = character == ' ' ? NULL : TTF_RenderGlyph32_Blended(font, character, (SDL_Color){255, 255, 255, 255});
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

/* Returns NULL when memory is refused. The pointer is valid until the next call. */
static const letter *letter_of(text *t, font_face face, int pixels, uint32_t character)
{
  uint64_t key = 1u | (uint64_t)face << 1 | (uint64_t)pixels << 8 | (uint64_t)character << 32;
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
  make_letter(t, it, face, pixels, character);
  return it;
}

/* }== */

/* {== Lines ============================================================== */

static int pixels_of(const text *t, const text_style *style)
{
  float size = style->size > TEXT_SIZE_LEAST ? style->size : TEXT_SIZE_LEAST;
  if (size > TEXT_SIZE_MOST)
    size = TEXT_SIZE_MOST;
  return (int)lroundf(size * t->window->scale);
}

static void draw_letter(const letter *it, batch *out, float x, float y, float scale, SDL_Color color)
{
  if (it->area.texture)
    batch_rect(out, &it->area, (x + it->x) / scale, y / scale, it->w / scale, it->h / scale, color);
}

/* Draws into `out`, or only measures when it is NULL. */
static float set_text(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length)
{
  float scale = t->window->scale, left = roundf(x * scale), pen = left, widest = 0, top = roundf(y * scale);
  int pixels = pixels_of(t, style);
  for (const char *end = s + length; s < end;) {
    uint32_t character = utf8_next(&s, end);
    const letter *it;
    if (character == '\n') {
      pen = left;
      top += roundf(text_line(t, style) * scale);
      continue;
    }
    it = letter_of(t, style->face, pixels, character < ' ' ? ' ' : character);
    if (!it)
      continue;
    if (out)
      draw_letter(it, out, pen, top, scale, style->color);
    pen += character == '\t' ? 4 * it->advance : it->advance;
    widest = fmaxf(widest, pen - left);
  }
  return widest / scale;
}

float text_draw(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length)
{
  return set_text(t, out, x, y, style, s, length);
}

float text_width(text *t, const text_style *style, const char *s, size_t length)
{
  return set_text(t, NULL, 0, 0, style, s, length);
}

float text_line(text *t, const text_style *style)
{
  int pixels = pixels_of(t, style);
  TTF_Font *font = font_at(t, style->face, pixels);
  int line = font ? TTF_FontLineSkip(font) : bitmap_dot(pixels) * (FONT_BITMAP_HEIGHT + 2);
  return (float)line / t->window->scale;
}

/* }== */
