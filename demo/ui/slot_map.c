/*
** Cells are as large as the space allows. When the pool or the space changes, everything is laid out and painted again;
** otherwise one slice is painted per frame.
*/
#include "demo/ui/slot_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLICE 2048 /* slots per frame */
#define CELL_MOST 11.0f
#define CELL_LEAST 2.0f /* points */
#define OLD 4.0f        /* seconds to fade halfway to the dark colour */

void slot_map_open(slot_map *it, const window *w) { *it = (slot_map){.window = w}; }

void slot_map_close(slot_map *it)
{
  if (it->texture)
    SDL_DestroyTexture(it->texture);
  free(it->pixels);
  *it = (slot_map){.window = it->window};
}

/* {== Colours ============================================================ */

static Uint8 between(int from, int to, float part) { return (Uint8)((float)from + (float)(to - from) * part); }

SDL_Color slot_map_color(sp_slot_state state, float age)
{
  static const SDL_Color colors[SP_SLOT_STATE_COUNT] = {[SP_SLOT_EMPTY] = {34, 36, 48, 255},
                                                        [SP_SLOT_IDLE] = {92, 98, 122, 255},
                                                        [SP_SLOT_LIVE] = {190, 255, 150, 255},
                                                        [SP_SLOT_ENDING] = {255, 150, 60, 255},
                                                        [SP_SLOT_RETIRED] = {150, 45, 55, 255}};
  SDL_Color color = colors[state];
  float part = age > 0 ? age / (age + OLD) : 0;
  if (state == SP_SLOT_LIVE)
    color = (SDL_Color){between(190, 20, part), between(255, 120, part), between(150, 215, part), 255};
  return color;
}

static uint32_t pixel_of(const sp_slot *slot)
{
  SDL_Color c = slot_map_color(slot->state, slot->age);
  return 0xff000000u | (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

/* }== */

/* {== Painting =========================================================== */

static bool make_texture(slot_map *it, int width, int height)
{
  uint32_t *pixels;
  if (it->texture && it->width == width && it->height == height)
    return true;
  slot_map_close(it);
  if (width < 1 || height < 1 || width > it->window->texture_most || height > it->window->texture_most)
    return false;
  pixels = calloc((size_t)width * (size_t)height, sizeof *pixels);
  it->texture = pixels ? SDL_CreateTexture(it->window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                                           width, height)
                       : NULL;
  if (!it->texture) {
    free(pixels);
    return false;
  }
  it->pixels = pixels;
  it->width = width;
  it->height = height;
  SDL_SetTextureBlendMode(it->texture, SDL_BLENDMODE_BLEND);
  SDL_SetTextureScaleMode(it->texture, SDL_ScaleModeNearest);
  return true;
}

static int gap_of(const slot_map *it) { return it->cell >= 4 ? 1 : 0; }

static void paint_cell(const slot_map *it, uint32_t i, uint32_t color)
{
  int side = it->cell - gap_of(it), left = (int)i % it->columns * it->cell, top = (int)i / it->columns * it->cell;
  for (int y = 0; y < side; y++) {
    uint32_t *row = it->pixels + (size_t)(top + y) * (size_t)it->width + left;
    for (int x = 0; x < side; x++)
      row[x] = color;
  }
}

/* Uploads rows of cells to the texture. */
static void upload(const slot_map *it, uint32_t from, uint32_t to)
{
  int top = (int)from / it->columns * it->cell, end = ((int)(to - 1) / it->columns + 1) * it->cell;
  SDL_Rect rows = {0, top, it->width, (end < it->height ? end : it->height) - top};
  SDL_UpdateTexture(it->texture, &rows, it->pixels + (size_t)top * (size_t)it->width, it->width * 4);
}

/* Paints the next `count` slots, starting over at the end. */
static void paint(slot_map *it, uint32_t count)
{
  sp_slot slots[256];
  uint32_t from = it->next, to = from + count < it->shown ? from + count : it->shown;
  for (uint32_t i = from; i < to;) {
    uint32_t most = to - i < 256 ? to - i : 256, got = sp_pool_slots(it->pool, it->first + i, most, slots);
    for (uint32_t k = 0; k < got; k++)
      paint_cell(it, i + k, pixel_of(&slots[k]));
    i += most;
  }
  if (to > from)
    upload(it, from, to);
  it->next = to < it->shown ? to : 0;
}

/* Returns how many slots can ever have an object: chunks may reserve more than the limit allows, and a limit that was
   lowered may leave objects above it. */
static uint32_t usable_slots(const sp_pool *pool, uint32_t limit)
{
  uint32_t all = sp_pool_chunks(pool) * SP_CHUNK_SLOTS, allowed = limit == SP_NO_OBJECTS ? 0 : limit;
  sp_slot slot;
  while (all > allowed && sp_pool_slots(pool, all - 1, 1, &slot) == 1 && slot.state == SP_SLOT_EMPTY)
    all--;
  return all;
}

/* Chooses the largest cell with which all slots fit, or the smallest allowed. */
static void lay_out(slot_map *it)
{
  uint32_t slots = it->slots;
  int most = (int)(CELL_MOST * it->window->scale), least = (int)(CELL_LEAST * it->window->scale);
  uint32_t room, row;
  least = least > 0 ? least : 1;
  for (it->cell = most > least ? most : least; it->cell > least; it->cell--)
    if ((uint32_t)(it->width / it->cell) * (uint32_t)(it->height / it->cell) >= slots)
      break;
  it->columns = it->width / it->cell > 0 ? it->width / it->cell : 1;
  row = (uint32_t)it->columns;
  room = row * (uint32_t)(it->height / it->cell);
  if (slots <= room)
    it->first = 0;
  else if (it->first + room > slots)
    it->first = (slots - room + row - 1) / row * row;
  it->shown = slots - it->first < room ? slots - it->first : room;
  it->next = 0;
  memset(it->pixels, 0, (size_t)it->width * (size_t)it->height * sizeof *it->pixels);
  SDL_UpdateTexture(it->texture, NULL, it->pixels, it->width * 4);
  paint(it, it->shown);
}

/* True when the slots to be shown are not those of the last layout. */
static bool outdated(const slot_map *it, const sp_pool *pool, uint32_t limit)
{
  return it->pool != pool || it->chunks != sp_pool_chunks(pool) || it->limit != limit ||
         sp_pool_stats(pool).total > it->slots;
}

/* }== */

/* {== Drawing ============================================================ */

/* Draws a frame around the cell of the selected object. */
static void frame_selected(const slot_map *it, graphics *g, sp_ref selected)
{
  float scale = it->window->scale, side = (float)(it->cell - gap_of(it)) / scale;
  uint32_t slot = sp_pool_slot_of(it->pool, selected), at = slot - it->first;
  if (slot == UINT32_MAX || slot < it->first || at >= it->shown)
    return;
  int column = (int)at % it->columns, row = (int)at / it->columns;
  g->color = (SDL_Color){255, 225, 90, 255};
  graphics_rect(g, it->x + (float)(column * it->cell) / scale - 2, it->y + (float)(row * it->cell) / scale - 2,
                side + 4, side + 4, false);
}

float slot_map_draw(slot_map *it, graphics *g, const sp_pool *pool, float x, float y, float w, float h, sp_ref selected)
{
  float scale = it->window->scale, width, height;
  uint32_t chunks = sp_pool_chunks(pool), limit = sp_pool_settings(pool).limit;
  batch_area area = {.u1 = 1};
  if (it->pool != pool)
    it->first = 0;
  if (chunks == 0 || !make_texture(it, (int)(w * scale), (int)(h * scale)))
    return 0;
  if (outdated(it, pool, limit)) {
    it->pool = pool;
    it->chunks = chunks;
    it->limit = limit;
    it->slots = usable_slots(pool, limit);
    lay_out(it);
  } else {
    paint(it, SLICE);
  }
  if (it->shown == 0)
    return 0;
  int rows = ((int)it->shown + it->columns - 1) / it->columns;
  height = (float)(rows * it->cell);
  width = (float)it->width;
  it->x = roundf(x * scale) / scale;
  it->y = roundf(y * scale) / scale;
  area.texture = it->texture;
  area.v1 = height / (float)it->height;
  batch_rect(g->out, &area, it->x, it->y, width / scale, height / scale, (SDL_Color){255, 255, 255, 255});
  frame_selected(it, g, selected);
  return height / scale;
}

bool slot_map_at(const slot_map *it, float x, float y, sp_slot *slot)
{
  float scale = it->window->scale, column, row;
  uint32_t i;
  if (!it->texture || it->cell < 1)
    return false;
  column = floorf((x - it->x) * scale / (float)it->cell);
  row = floorf((y - it->y) * scale / (float)it->cell);
  if (column < 0 || row < 0 || column >= (float)it->columns || row >= (float)it->height)
    return false;
  i = (uint32_t)row * (uint32_t)it->columns + (uint32_t)column;
  return i < it->shown && sp_pool_slots(it->pool, it->first + i, 1, slot) == 1;
}

void slot_map_scroll(slot_map *it, int rows)
{
  int64_t to = (int64_t)it->first + (int64_t)rows * it->columns;
  it->first = to > 0 ? (uint32_t)to : 0;
  it->chunks = 0; /* forces a new layout */
}

/* }== */
