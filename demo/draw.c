/*
** Two passes. The first walks the live bits and writes one item per object in view; the second counts the layers, puts
** the items in order (a counting sort: linear, and it keeps the order within a layer) and fills the vertices one after
** the other. One layer only, the usual case for thousands of objects, needs no sorting at all.
*/
#include "demo/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 65536                                          /* of an int16_t */
#define LAYER(it) ((uint16_t)((it)->look->layer ^ INT16_MIN)) /* from 0, in order */
#define FIRST_ROOM 1024
#define REACH_MOST 1e6f /* points; renderers overflow long before */

typedef struct item {
  const sp_look *look;
  const sprite_level *level;
  float x, y, angle, radius;
} item;

struct draw {
  item *items;
  uint32_t *order; /* item numbers by layer */
  size_t count, room;
  uint32_t *layers; /* items per layer, then where each begins; zero outside low .. high between two frames */
  unsigned low, high;
};

/* The columns of one chunk. */
typedef struct columns {
  const float *x, *y, *angle;
  const sp_look *look;
  const uint64_t *live;
} columns;

draw *draw_open(void)
{
  draw *d = calloc(1, sizeof *d);
  if (d)
    d->layers = calloc(LAYERS + 1, sizeof *d->layers);
  if (d && d->layers)
    return d;
  draw_close(d);
  return NULL;
}

void draw_close(draw *d)
{
  if (!d)
    return;
  free(d->items);
  free(d->order);
  free(d->layers);
  free(d);
}

/* {== Gathering ========================================================== */

/* Room for a whole chunk, so that the inner loop need not ask. */
static bool make_room(draw *d)
{
  size_t least = d->count + SP_CHUNK_SLOTS, room = d->room ? d->room : FIRST_ROOM;
  item *items;
  uint32_t *order;
  if (least <= d->room)
    return true;
  while (room < least)
    room *= 2;
  items = realloc(d->items, room * sizeof *items);
  if (!items)
    return false;
  d->items = items;
  order = realloc(d->order, room * sizeof *order);
  if (!order)
    return false;
  d->order = order;
  d->room = room;
  return true;
}

static void gather_slot(draw *d, const columns *c, unsigned slot, sprites *looks, const draw_view *view)
{
  const sp_look *look = &c->look[slot];
  float x = c->x[slot], y = c->y[slot], angle = c->angle[slot], radius = look->radius * look->scale, reach;
  const sprite *shape;
  item *it;
  if (!look->visible || !(look->a > 0))
    return;
  shape = sprites_number(looks, look->sprite);
  reach = fabsf(radius) * shape->reach;
  /* Written so that a NaN or an infinity anywhere fails. */
  if (!(x + reach > 0 && x - reach < view->width && y + reach > 0 && y - reach < view->height))
    return;
  if (!(reach > 0 && reach < REACH_MOST && angle - angle == 0))
    return;
  it = &d->items[d->count++];
  it->look = look;
  it->level = sprite_level_at(shape, fabsf(radius) * 2 * view->scale);
  it->x = x;
  it->y = y;
  it->angle = angle;
  it->radius = radius;
  d->layers[LAYER(it)] += 1;
  if (LAYER(it) < d->low)
    d->low = LAYER(it);
  if (LAYER(it) > d->high)
    d->high = LAYER(it);
}

static void gather_chunk(draw *d, const columns *c, sprites *looks, const draw_view *view)
{
  for (unsigned word = 0; word < SP_CHUNK_SLOTS / 64; word++)
    for (uint64_t bits = c->live[word]; bits; bits &= bits - 1)
      gather_slot(d, c, word * 64 + (unsigned)__builtin_ctzll(bits), looks, view);
}

static bool gather_pool(draw *d, sp_pool *pool, sprites *looks, const draw_view *view)
{
  uint32_t chunks = sp_pool_chunks(pool);
  for (uint32_t i = 0; i < chunks; i++) {
    columns c = {sp_chunk_peek(pool, i, SP_X), sp_chunk_peek(pool, i, SP_Y), sp_chunk_peek(pool, i, SP_ANGLE),
                 sp_chunk_peek(pool, i, SP_LOOK), sp_chunk_live(pool, i)};
    if (!c.x || !c.y || !c.angle || !c.look || !c.live)
      continue; /* not spatial, or a chunk given back */
    if (!make_room(d))
      return false;
    gather_chunk(d, &c, looks, view);
  }
  return true;
}

/* }== */

/* {== Filling ============================================================ */

static void sort_items(draw *d)
{
  uint32_t next = 0;
  for (unsigned layer = d->low; layer <= d->high; layer++) {
    uint32_t count = d->layers[layer];
    d->layers[layer] = next;
    next += count;
  }
  for (size_t i = 0; i < d->count; i++)
    d->order[d->layers[LAYER(&d->items[i])]++] = (uint32_t)i;
}

static void fill_item(SDL_Vertex *v, const item *it)
{
  const sprite_level *level = it->level;
  const sp_look *look = it->look;
  SDL_Color color = {batch_channel(look->r), batch_channel(look->g), batch_channel(look->b), batch_channel(look->a)};
  float w = level->half_w * it->radius, h = level->half_h * it->radius;
  if (it->angle == 0) {
    batch_fill(v, &level->area, it->x, it->y, w, h, color);
  } else {
    float c = cosf(it->angle), s = sinf(it->angle);
    batch_fill_turned(v, &level->area, (SDL_FPoint){it->x, it->y}, (SDL_FPoint){w * c, w * s},
                      (SDL_FPoint){-h * s, h * c}, color);
  }
}

static bool fill(draw *d, batch *out)
{
  bool sorted = d->low != d->high;
  SDL_Texture *texture = NULL;
  SDL_Vertex *v = batch_reserve(out, d->count);
  size_t run = 0;
  if (!v)
    return false;
  if (sorted)
    sort_items(d);
  for (size_t i = 0; i < d->count; i++, v += 4, run++) {
    const item *it = &d->items[sorted ? d->order[i] : i];
    if (it->level->area.texture != texture) {
      if (!batch_commit(out, texture, run))
        return false;
      texture = it->level->area.texture;
      run = 0;
    }
    fill_item(v, it);
  }
  return batch_commit(out, texture, run);
}

bool draw_pools(draw *d, sp_manager *pools, sprites *looks, const draw_view *view, batch *out)
{
  uint32_t count = sp_pool_count(pools);
  bool fine = true;
  d->count = 0;
  d->low = LAYERS;
  d->high = 0;
  for (uint32_t i = 0; i < count && fine; i++)
    fine = gather_pool(d, sp_pool_at(pools, i), looks, view);
  if (d->count == 0)
    return fine;
  fine &= fill(d, out);
  memset(d->layers + d->low, 0, (d->high - d->low + 1) * sizeof *d->layers);
  return fine;
}

/* }== */
