/*
** Shelf packing: images sorted by height fill rows from left to right. The many small images of a game leave little
** space empty, and the result is always the same. Sides are powers of two, so that coordinates are exact.
*/
#include "demo/draw/atlas.h"

#include <stdlib.h>
#include <string.h>

#define EDGE 1         /* repeated pixels around an image */
#define LEAST_SIDE 256 /* smallest page */
#define MOST_SIDE 4096 /* every GPU supports this, and larger pages are slow to upload */

typedef struct image {
  uint32_t *pixels;
  int w, h, page, x, y; /* x, y: position of the image itself, without its edge */
  bool glows;
} image;

typedef struct page {
  SDL_Texture *texture;
  int w, h, used; /* used: rows that contain images */
  bool glows;     /* drawn additively: all images of a page are of one kind */
} page;

struct atlas {
  image *images;
  page *pages;
  int count, room, page_count;
};

/* The shelf being filled: the position of the next image. */
typedef struct shelf {
  int side, page, x, y, h;
  bool glows;
} shelf;

atlas *atlas_open(void) { return calloc(1, sizeof(atlas)); }

void atlas_close(atlas *a)
{
  if (!a)
    return;
  for (int i = 0; i < a->count; i++)
    free(a->images[i].pixels);
  for (int i = 0; i < a->page_count; i++)
    if (a->pages[i].texture)
      SDL_DestroyTexture(a->pages[i].texture);
  free(a->images);
  free(a->pages);
  free(a);
}

int atlas_add(atlas *a, uint32_t *pixels, int w, int h, bool glows)
{
  if (pixels && a->count == a->room) {
    int room = a->room ? a->room * 2 : 64;
    image *images = realloc(a->images, (size_t)room * sizeof *images);
    if (!images) {
      free(pixels);
      return -1;
    }
    a->images = images;
    a->room = room;
  }
  if (!pixels)
    return -1;
  a->images[a->count] = (image){pixels, w, h, 0, 0, 0, glows};
  return a->count++;
}

/* {== Packing ============================================================ */

static int higher_first(const void *left, const void *right)
{
  const image *a = *(const image *const *)left, *b = *(const image *const *)right;
  if (a->h != b->h)
    return b->h - a->h;
  return (a > b) - (a < b);
}

static int power_of_two(int least)
{
  int side = LEAST_SIDE;
  while (side < least)
    side *= 2;
  return side;
}

/* Returns the side of the smallest page that should hold everything, within the limits of the renderer. */
static int choose_side(const atlas *a, int most)
{
  int64_t area = 0;
  int widest = 0, side;
  for (int i = 0; i < a->count; i++) {
    const image *it = &a->images[i];
    int longest = (it->w > it->h ? it->w : it->h) + 2 * EDGE;
    area += (int64_t)(it->w + 2 * EDGE) * (it->h + 2 * EDGE);
    if (longest > widest)
      widest = longest;
  }
  side = power_of_two(widest);
  while ((int64_t)side * side < area + area / 16)
    side *= 2;
  if (most > MOST_SIDE)
    most = MOST_SIDE;
  while (side > most && side > LEAST_SIDE)
    side /= 2;
  return side;
}

static bool add_page(atlas *a, int w, int h, bool glows)
{
  page *pages = realloc(a->pages, (size_t)(a->page_count + 1) * sizeof *pages);
  if (!pages)
    return SDL_OutOfMemory() == 0;
  a->pages = pages;
  a->pages[a->page_count++] = (page){NULL, w, h, 0, glows};
  return true;
}

/* Places an image larger than a page on its own page; SDL fails if that is too large. */
static bool place_alone(atlas *a, image *it)
{
  if (!add_page(a, it->w + 2 * EDGE, it->h + 2 * EDGE, it->glows))
    return false;
  it->page = a->page_count - 1;
  it->x = it->y = EDGE;
  a->pages[it->page].used = it->h + 2 * EDGE;
  return true;
}

static bool place(atlas *a, image *it, shelf *s)
{
  int w = it->w + 2 * EDGE, h = it->h + 2 * EDGE;
  if (w > s->side || h > s->side)
    return place_alone(a, it);
  if (s->x + w > s->side) {
    s->y += s->h;
    s->x = s->h = 0;
  }
  if (s->page < 0 || s->y + h > s->side) {
    if (!add_page(a, s->side, s->side, s->glows))
      return false;
    *s = (shelf){s->side, a->page_count - 1, 0, 0, 0, s->glows};
  }
  it->page = s->page;
  it->x = s->x + EDGE;
  it->y = s->y + EDGE;
  s->x += w;
  if (h > s->h)
    s->h = h;
  if (s->y + h > a->pages[s->page].used)
    a->pages[s->page].used = s->y + h;
  return true;
}

static bool pack(atlas *a, int most)
{
  image **sorted = malloc((size_t)(a->count + 1) * sizeof *sorted);
  int side = choose_side(a, most);
  shelf shelves[] = {{side, -1, 0, 0, 0, false}, {side, -1, 0, 0, 0, true}};
  bool fine = true;
  if (!sorted)
    return SDL_OutOfMemory() == 0;
  for (int i = 0; i < a->count; i++)
    sorted[i] = &a->images[i];
  qsort(sorted, (size_t)a->count, sizeof *sorted, higher_first);
  for (int i = 0; i < a->count && fine; i++)
    fine = place(a, sorted[i], &shelves[sorted[i]->glows]);
  free(sorted);
  return fine;
}

/* }== */

/* {== Pages ============================================================== */

static bool set_blending(const page *p, bool glows)
{
  return SDL_SetTextureBlendMode(p->texture, glows ? SDL_BLENDMODE_ADD : SDL_BLENDMODE_BLEND) == 0;
}

static bool open_page(page *p, SDL_Renderer *renderer)
{
  if (p->used * 2 <= p->h)
    p->h = power_of_two(p->used);
  p->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, p->w, p->h);
  return p->texture && set_blending(p, p->glows) && SDL_SetTextureScaleMode(p->texture, SDL_ScaleModeLinear) == 0;
}

static void copy_with_edge(const image *it, uint32_t *to)
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

/* Allocates memory for the image with its edge; NULL when that is refused. */
static uint32_t *edged(const image *it)
{
  uint32_t *pixels = malloc((size_t)(it->w + 2 * EDGE) * (size_t)(it->h + 2 * EDGE) * sizeof *pixels);
  if (!pixels)
    SDL_OutOfMemory();
  return pixels;
}

/* Uploads one image; uploading the whole page would copy megabytes of unused space. The space between images is never
   read. `pixels`: from `edged`. */
static bool upload(const image *it, SDL_Texture *texture, uint32_t *pixels)
{
  SDL_Rect part = {it->x - EDGE, it->y - EDGE, it->w + 2 * EDGE, it->h + 2 * EDGE};
  if (!pixels)
    return false;
  copy_with_edge(it, pixels);
  return SDL_UpdateTexture(texture, &part, pixels, part.w * (int)sizeof *pixels) == 0;
}

bool atlas_build(atlas *a, SDL_Renderer *renderer, int most)
{
  bool fine = pack(a, most);
  for (int i = 0; i < a->page_count && fine; i++)
    fine = open_page(&a->pages[i], renderer);
  for (int i = 0; i < a->count && fine; i++) {
    uint32_t *pixels = edged(&a->images[i]);
    fine = upload(&a->images[i], a->pages[a->images[i].page].texture, pixels);
    free(pixels);
  }
  for (int i = 0; i < a->count; i++) {
    free(a->images[i].pixels);
    a->images[i].pixels = NULL;
  }
  return fine;
}

static batch_area area_of(const image *it, const page *p)
{
  float w = (float)p->w, h = (float)p->h;
  return (batch_area){p->texture, (float)it->x / w, (float)it->y / h, (float)(it->x + it->w) / w,
                      (float)(it->y + it->h) / h};
}

batch_area atlas_area(const atlas *a, int number)
{
  return area_of(&a->images[number], &a->pages[a->images[number].page]);
}

/* }== */

/* {== Pages of one picture =============================================== */

#define OWN_SIDE 32 /* smallest page of one picture */

/* Lays the sizes out on a page of width `w`, in rows from left to right. Returns the height of the rows; 0 when the
   page is not wide enough. */
static int lay_out(image *sizes, int count, int w)
{
  int x = 0, y = 0, row = 0;
  for (int i = 0; i < count; i++) {
    image *it = &sizes[i];
    int own = it->w + 2 * EDGE;
    if (own > w)
      return 0;
    if (x + own > w) {
      x = 0;
      y += row;
      row = 0;
    }
    it->x = x + EDGE;
    it->y = y + EDGE;
    x += own;
    if (it->h + 2 * EDGE > row)
      row = it->h + 2 * EDGE;
  }
  return y + row;
}

/* Returns the least power of two that holds `least`, or `most` if that is smaller; more than `most` if neither holds
   it, and opening the texture fails. */
static int page_side(int least, int most)
{
  int side = OWN_SIDE;
  while (side < least)
    side *= 2;
  return side > most && least <= most ? most : side;
}

/* Returns the number of a new page for these sizes, no smaller than page `before` in any direction; -1 on failure. */
static int open_own(atlas *a, SDL_Renderer *renderer, int most, int before, image *sizes, int count)
{
  int w = page_side(sizes[0].w + 2 * EDGE, most);
  while (count > ATLAS_SIZES_MOST && w < most && lay_out(sizes, count, w) > w) /* frames: about a square */
    w = page_side(w + 1, most);
  if (before >= 0 && a->pages[before].w > w)
    w = a->pages[before].w;
  int h = page_side(lay_out(sizes, count, w), most);
  if (before >= 0 && a->pages[before].h > h)
    h = a->pages[before].h;
  if (!add_page(a, w, h, sizes->glows))
    return -1;
  a->pages[a->page_count - 1].used = h;
  if (open_page(&a->pages[a->page_count - 1], renderer))
    return a->page_count - 1;
  a->page_count--;
  if (a->pages[a->page_count].texture)
    SDL_DestroyTexture(a->pages[a->page_count].texture);
  return -1;
}

bool atlas_repaint(atlas *a, SDL_Renderer *renderer, int most, int *own_page, const atlas_image *sizes, int count,
                   bool glows, batch_area *areas)
{
  image *own = malloc((size_t)count * sizeof *own);
  if (!own)
    return SDL_OutOfMemory() == 0;
  for (int i = 0; i < count; i++)
    own[i] = (image){sizes[i].pixels, sizes[i].w, sizes[i].h, 0, 0, 0, glows};
  uint32_t *pixels = edged(own); /* large enough for all sizes */
  int number = *own_page, rows = number >= 0 ? lay_out(own, count, a->pages[number].w) : 0;
  if (pixels && (rows == 0 || rows > a->pages[number].h))
    number = open_own(a, renderer, most, number, own, count);
  bool fine = pixels && number >= 0 && set_blending(&a->pages[number], glows);
  for (int i = 0; i < count && fine; i++) {
    fine = upload(&own[i], a->pages[number].texture, pixels);
    areas[i] = area_of(&own[i], &a->pages[number]);
  }
  if (fine)
    *own_page = number;
  free(pixels);
  free(own);
  return fine;
}

/* }== */

int atlas_pages(const atlas *a) { return a->page_count; }

/* }== */
