/*
** Two passes. The first walks the live bits and writes one item per visible object, with all that its quad needs; the
** second fills the vertices in order. In between, spans of items are sorted by layer rather than items (a counting
** sort: linear and stable). Objects of a pool mostly share a layer, so ten spans may stand for a hundred thousand
** objects.
*/
#include "demo/draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/sprite_reload.h"
#include "demo/support/sincos.h"

#define LAYERS 65536 /* of an int16_t */
#define FIRST_ROOM 1024
#define REACH_MOST 1e6f /* units; renderers overflow long before */
#define DRAW_PASS static inline __attribute__((always_inline))

typedef struct item {
  const sprite_level *level;
  float x, y, along, across; /* the radius as a vector: across is 0 without rotation */
  SDL_Color color;
} item;

/* Consecutive items of one layer, up to the first item of the next span. */
typedef struct span {
  uint32_t first;
  uint16_t layer; /* from 0 */
} span;

/* What a look is drawn as. Neighbouring objects mostly have equal looks. */
typedef struct seen {
  sp_look look;
  bool known; /* false: nothing is cached yet */
  bool shown;
  uint16_t layer; /* from 0 */
  float reach, radius;
  SDL_Color color;
  const sprite *shape;
  const sprite_level *level;
  int bucket; /* of the size on the screen */
} seen;

struct draw {
  item *items;
  size_t count, room;
  span *spans;
  uint32_t *order; /* span numbers by layer */
  size_t span_count, span_room;
  uint32_t *layers; /* spans per layer, then where each begins; zero outside low .. high between two frames */
  unsigned low, high;
  seen last;
};

/* What is drawn, and where. */
typedef struct scene {
  sp_manager *pools;
  sprites *looks;
  const draw_view *view;
  view_map map;      /* of the camera, if there is one; with the offset */
  float zoom, angle; /* of the camera */
} scene;

/* The columns of one chunk. */
typedef struct columns {
  const float *x, *y, *angle;
  const sp_look *look;
  const uint64_t *live;
  const uint16_t *frames; /* of objects with animations; or NULL */
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
  free(d->spans);
  free(d->order);
  free(d->layers);
  free(d);
}

/* {== Gathering ========================================================== */

/* Returns an array with room for `least`, at least doubled; NULL when memory is refused, with `old` unchanged. */
static void *grown(void *old, size_t *room, size_t least, size_t size)
{
  size_t more = *room ? *room : FIRST_ROOM;
  void *fresh;
  while (more < least)
    more *= 2;
  fresh = realloc(old, more * size);
  if (fresh)
    *room = more;
  return fresh;
}

/* Makes room for the items of a whole chunk, so that the inner loop need not check. */
static bool make_room(draw *d)
{
  size_t least = d->count + SP_CHUNK_SLOTS;
  item *items;
  if (least <= d->room)
    return true;
  items = grown(d->items, &d->room, least, sizeof *items);
  if (items)
    d->items = items;
  return items != NULL;
}

/* Makes room for a span per item of a chunk. */
static bool make_span_room(draw *d)
{
  size_t least = d->span_count + SP_CHUNK_SLOTS, room = d->span_room;
  uint32_t *order;
  span *spans;
  if (least <= room)
    return true;
  order = grown(d->order, &room, least, sizeof *order);
  if (!order)
    return false;
  d->order = order;
  spans = grown(d->spans, &d->span_room, least, sizeof *spans);
  if (spans)
    d->spans = spans;
  return spans != NULL;
}

static void begin_span(draw *d, uint32_t first, uint16_t layer)
{
  d->spans[d->span_count++] = (span){first, layer};
  d->layers[layer] += 1;
  if (layer < d->low)
    d->low = layer;
  if (layer > d->high)
    d->high = layer;
}

static void see(seen *it, const scene *s, const sp_look *look)
{
  const sprite *shape =
      it->known && it->look.sprite == look->sprite ? it->shape : sprites_number(s->looks, look->sprite);
  float radius = look->radius * look->scale * s->zoom, size = fabsf(radius), reach = size * shape->reach;
  it->look = *look;
  it->shape = shape;
  it->known = true;
  it->shown = reach > 0 && reach < REACH_MOST && look->visible && look->a > 0;
  it->layer = (uint16_t)(look->layer - INT16_MIN);
  it->reach = reach;
  it->radius = radius;
  it->color = batch_color(look->r, look->g, look->b, look->a);
  it->bucket = sprite_bucket(size * 2 * s->view->scale);
  it->level = &shape->levels[shape->level[it->bucket]];
}

static inline const sprite_level *level_of_frame(const seen *it, unsigned frame)
{
  const sprite *shown = sprite_frame(it->shape, frame);
  return &shown->levels[shown->level[it->bucket]];
}

/* Positions of objects with a parent are relative to it. The walk visits the same live slots in the same order and
   provides their references; NULL in pools without parents. */
DRAW_PASS sp_place place_of(const scene *s, const columns *c, unsigned slot, sp_walk *walk, bool seen_by_camera)
{
  sp_place place = {c->x[slot], c->y[slot], c->angle[slot]};
  sp_ref object = walk ? sp_walk_next(walk) : SP_NONE_REF;
  if (object && sp_parent(s->pools, object))
    sp_world_place(s->pools, object, &place);
  if (seen_by_camera) {
    SDL_FPoint at = view_apply(&s->map, place.x, place.y);
    return (sp_place){at.x, at.y, place.angle - s->angle};
  }
  place.x += s->view->x;
  place.y += s->view->y;
  return place;
}

static bool is_in_view(const draw_view *view, sp_place at, float reach)
{
  /* A NaN or an infinity anywhere fails this test. */
  return at.x + reach > 0 && at.x - reach < view->width && at.y + reach > 0 && at.y - reach < view->height &&
         at.angle - at.angle == 0;
}

/* Converts radius and angle to a vector. */
static void turn_items(item *it, const item *end)
{
  float angles[SINCOS_COUNT], cosines[SINCOS_COUNT], sines[SINCOS_COUNT];
  for (; it < end; it += SINCOS_COUNT) {
    int count = end - it < SINCOS_COUNT ? (int)(end - it) : SINCOS_COUNT;
    memset(angles, 0, sizeof angles);
    for (int i = 0; i < count; i++) {
      float angle = it[i].across;
      angles[i] = fabsf(angle) < SINCOS_MOST ? angle : fmodf(angle, 6.2831853f);
    }
    sincos_all(angles, cosines, sines);
    for (int i = 0; i < count; i++) {
      it[i].across = it[i].along * sines[i];
      it[i].along *= cosines[i];
    }
  }
}

/* Appends the items of a chunk, for which there is room. Compiled twice: without a camera nothing is asked of it. */
DRAW_PASS void gather_slots(draw *d, const scene *s, const columns *c, sp_walk *walk, bool seen_by_camera)
{
  item *first = d->items + d->count, *to = first;
  bool turned = false;
  seen last = d->last;
  for (unsigned word = 0; word < SP_CHUNK_SLOTS / 64; word++)
    for (uint64_t bits = c->live[word]; bits; bits &= bits - 1) {
      unsigned slot = word * 64 + (unsigned)__builtin_ctzll(bits);
      sp_place at = place_of(s, c, slot, walk, seen_by_camera);
      /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): equal bits mean equal looks, others are recomputed */
      if (!last.known || memcmp(&c->look[slot], &last.look, sizeof last.look) != 0)
        see(&last, s, &c->look[slot]);
      if (!last.shown || !is_in_view(s->view, at, last.reach))
        continue;
      if (d->span_count == 0 || d->spans[d->span_count - 1].layer != last.layer)
        begin_span(d, (uint32_t)(to - d->items), last.layer);
      turned |= at.angle != 0;
      *to++ = (item){c->frames ? level_of_frame(&last, c->frames[slot]) : last.level,
                     at.x,
                     at.y,
                     last.radius,
                     at.angle,
                     last.color};
    }
  if (turned)
    turn_items(first, to);
  d->last = last;
  d->count = (size_t)(to - d->items);
}

static void gather_chunk(draw *d, const scene *s, const columns *c, sp_walk *walk)
{
  if (s->view->camera)
    gather_slots(d, s, c, walk, true);
  else
    gather_slots(d, s, c, walk, false);
}

static bool gather_pool(draw *d, const scene *s, sp_pool *pool)
{
  uint32_t chunks = sp_pool_chunks(pool);
  sp_walk walk = sp_pool_walk(pool);
  for (uint32_t i = 0; i < chunks; i++) {
    columns c = {sp_pool_peek(pool, i, SP_X),    sp_pool_peek(pool, i, SP_Y), sp_pool_peek(pool, i, SP_ANGLE),
                 sp_pool_peek(pool, i, SP_LOOK), sp_pool_live_bits(pool, i),  NULL};
    uint16_t frames[SP_CHUNK_SLOTS];
    if (s->view->frames && s->view->frames(s->view->frames_ud, pool, i, frames))
      c.frames = frames;
    if (!c.x || !c.y || !c.angle || !c.look || !c.live)
      return true; /* objects of this pool have no position */
    if (!make_room(d) || !make_span_room(d))
      return false;
    gather_chunk(d, s, &c, sp_pool_has_parents(pool) ? &walk : NULL);
  }
  return true;
}

/* }== */

/* {== Counting =========================================================== */

static size_t count_chunk(sp_pool *pool, uint32_t chunk, sprites *looks)
{
  const sp_look *look = sp_pool_peek(pool, chunk, SP_LOOK);
  const uint64_t *live = sp_pool_live_bits(pool, chunk);
  size_t count = 0;
  for (unsigned word = 0; look && live && word < SP_CHUNK_SLOTS / 64; word++)
    for (uint64_t bits = live[word]; bits; bits &= bits - 1)
      count += sprites_is_reloaded(looks, look[word * 64 + (unsigned)__builtin_ctzll(bits)].sprite);
  return count;
}

size_t draw_count_reloaded(sp_manager *pools, sprites *looks)
{
  size_t count = 0;
  for (uint32_t i = 0; i < sp_count_pools(pools); i++)
    for (uint32_t chunk = 0; chunk < sp_pool_chunks(sp_get_pool(pools, i)); chunk++)
      count += count_chunk(sp_get_pool(pools, i), chunk, looks);
  return count;
}

/* }== */

/* {== Filling ============================================================ */

static void sort_spans(draw *d)
{
  uint32_t next = 0;
  for (unsigned layer = d->low; layer <= d->high; layer++) {
    uint32_t count = d->layers[layer];
    d->layers[layer] = next;
    next += count;
  }
  for (size_t i = 0; i < d->span_count; i++)
    d->order[d->layers[d->spans[i].layer]++] = (uint32_t)i;
}

static void fill_item(SDL_Vertex *v, const item *it)
{
  const sprite_level *level = it->level;
  float w = level->half_w, h = level->half_h;
  if (it->across == 0)
    batch_fill(v, &level->area, it->x, it->y, w * it->along, h * it->along, it->color);
  else
    batch_fill_turned(v, &level->area, (SDL_FPoint){it->x, it->y}, (SDL_FPoint){w * it->along, w * it->across},
                      (SDL_FPoint){-h * it->across, h * it->along}, it->color);
}

/* Adds a run to `out` whenever the texture changes. `*run` quads of `*texture` are filled and not yet added. */
static bool fill_span(const item *it, const item *end, batch *out, SDL_Vertex *v, SDL_Texture **texture, size_t *run)
{
  for (; it < end; it++, v += 4, *run += 1) {
    if (it->level->area.texture != *texture) {
      if (!batch_commit(out, *texture, *run))
        return false;
      *texture = it->level->area.texture;
      *run = 0;
    }
    fill_item(v, it);
  }
  return true;
}

static bool fill(draw *d, batch *out)
{
  SDL_Texture *texture = NULL;
  SDL_Vertex *v = batch_reserve(out, d->count);
  size_t run = 0;
  if (!v)
    return false;
  sort_spans(d);
  for (size_t i = 0; i < d->span_count; i++) {
    size_t at = d->order[i], first = d->spans[at].first;
    size_t end = at + 1 < d->span_count ? d->spans[at + 1].first : d->count;
    if (!fill_span(d->items + first, d->items + end, out, v, &texture, &run))
      return false;
    v += (end - first) * 4;
  }
  return batch_commit(out, texture, run);
}

bool draw_pools(draw *d, sp_manager *pools, sprites *looks, const draw_view *view, batch *out)
{
  uint32_t count = sp_count_pools(pools);
  scene s = {.pools = pools, .looks = looks, .view = view, .zoom = 1};
  bool fine = true;
  if (view->camera) {
    s.map = camera_map(view->camera, view->width, view->height);
    s.map.x0 += view->x;
    s.map.y0 += view->y;
    s.zoom = view->camera->zoom;
    s.angle = view->camera->angle;
  }
  d->count = 0;
  d->span_count = 0;
  d->low = LAYERS;
  d->high = 0;
  d->last.known = false;
  for (uint32_t i = 0; i < count && fine; i++)
    fine = gather_pool(d, &s, sp_get_pool(pools, i));
  if (d->count == 0)
    return fine;
  fine &= fill(d, out);
  memset(d->layers + d->low, 0, (d->high - d->low + 1) * sizeof *d->layers);
  return fine;
}

/* }== */
