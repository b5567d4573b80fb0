/*
** Shelf packing: images sorted by height fill rows from left to right. The many small images of a game leave little
** space empty, and the result is always the same. Sides are powers of two, so that coordinates are exact.
*/
#include "demo/draw/atlas.h"

#include <stdlib.h>
#include <string.h>

#define EDGE 1         /* repeated pixels around an image */
#define LEAST_SIDE 256 /* smallest page of many images */
#define OWN_SIDE 32    /* smallest page of one picture */
#define MOST_SIDE 4096 /* every GPU supports this, and larger pages are slow to upload */

typedef struct entry {
  uint32_t *pixels;
  int w, h, page, x, y; /* x, y: position of the image itself, without its edge */
  bool glows;
  batch_area *area;
} entry;

typedef struct page {
  SDL_Texture *texture;
  int w, h, used; /* used: rows that contain images */
  bool glows;     /* drawn additively: all images of a page are of one kind */
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

void atlas_add(atlas *a, uint32_t *pixels, int w, int h, bool glows, batch_area *area)
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
    a->entries[a->count++] = (entry){pixels, w, h, 0, 0, 0, glows, area};
}

/* {== Pages ============================================================== */

static int power_of_two(int side, int least)
{
  while (side < least)
    side *= 2;
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

static bool set_blending(const page *p, bool glows)
{
  return SDL_SetTextureBlendMode(p->texture, glows ? SDL_BLENDMODE_ADD : SDL_BLENDMODE_BLEND) == 0;
}

static bool open_texture(page *p, SDL_Renderer *renderer)
{
  p->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, p->w, p->h);
  return p->texture && set_blending(p, p->glows) && SDL_SetTextureScaleMode(p->texture, SDL_ScaleModeLinear) == 0;
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
    if (!add_page(a, on->w, alone ? h : on->w, it->glows))
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
  shelf shelves[] = {{.w = side, .page = -1}, {.w = side, .page = -1}}; /* the second for what glows */
  bool fine = true;
  if (!sorted)
    return SDL_OutOfMemory() == 0;
  for (int i = 0; i < a->count; i++)
    sorted[i] = &a->entries[i];
  qsort(sorted, (size_t)a->count, sizeof *sorted, higher_first);
  for (int i = 0; i < a->count && fine; i++)
    fine = place(a, sorted[i], &shelves[sorted[i]->glows]);
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
  if (!add_page(a, w, h, a->entries->glows))
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
  if (number < 0 || !set_blending(&a->pages[number], a->entries->glows))
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
