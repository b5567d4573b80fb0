/*
** Drawing takes two passes. The first walks the live bits and writes the place of each visible object, and a style for
** each stretch of objects that look alike; the second fills the vertices in order. In between, spans of objects are
** sorted by layer rather than objects (a counting sort: linear and stable). Objects of a pool mostly share a layer, so
** ten spans may stand for a hundred thousand objects.
*/
#include "demo/draw/draw.h"

#include "core/spawnpool_tools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 65536 /* of an int16_t */
#define FIRST_ROOM 1024
#define REACH_MOST 1e6f /* units; renderers overflow long before */
#define DRAW_PASS static inline __attribute__((always_inline))

typedef struct item {
  float x, y, cosine, sine; /* before turn_items: the angle is in `sine` */
} item;

/* How consecutive items are drawn, up to the first item of the next style. */
typedef struct style {
  const sprite_level *level;
  float radius, radius_y; /* along its width and its height; a negative one mirrors */
  SDL_Color color;
  uint32_t first;
  bool turned; /* some items are rotated: the others have a sine of 0 */
  batch_blend blend;
} style;

/* Consecutive styles of one layer, up to the first style of the next span. */
typedef struct span {
  uint32_t first;
  uint16_t layer; /* from 0 */
} span;

/* The result of resolving a look. It is cached, because neighbouring objects mostly have equal looks. */
typedef struct seen {
  sp_look look;
  float scale_x, scale_y, longest; /* the larger one of them */
  batch_blend blend;               /* of the pool */
  bool known;                      /* false: nothing is cached yet */
  bool sized;                      /* it would be shown if its alpha were above 0 */
  bool large;                      /* some were so large that they must be clipped */
  bool shown;
  uint16_t layer; /* from 0 */
  float reach, radius, radius_y;
  SDL_Color color;
  const sprite *shape;
  const sprite_level *level;
  int bucket; /* of the size on the screen */
} seen;

struct draw {
  item *items;
  style *styles;
  span *spans;
  uint32_t *order; /* span numbers by layer */
  size_t count, style_count, span_count;
  size_t room;      /* for items, styles, spans and their order alike */
  uint32_t *layers; /* spans per layer, then where each begins; zero outside low .. high between two frames */
  unsigned low, high;
  seen last;
};

/* The objects to draw, and their positions. */
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
  uint64_t live;
  const uint16_t *frames;         /* of objects with animations; or NULL */
  const float *scale_x, *scale_y; /* or NULL: both are 1 */
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
  free(d->styles);
  free(d->spans);
  free(d->order);
  free(d->layers);
  free(d);
}

/* {== Turning ============================================================ */

#define QUARTERS_PER_RADIAN 0.63661977236758134308
#define QUARTER_HIGH 1.57079632673412561417 /* few enough digits for exact products with whole numbers */
#define QUARTER_LOW 6.07710050650619224932e-11
#define ROUNDING 6755399441055744.0 /* a double of this size has no fractional bits */

static double sine(double x, double x2)
{
  return x + x * x2 *
                 (-1.6666666666666632e-1 +
                  x2 * (8.3333333333224895e-3 + x2 * (-1.9841269829857949e-4 + x2 * 2.7557313707070068e-6)));
}

static double cosine(double x2)
{
  return 1 +
         x2 * (-0.5 + x2 * (4.1666666666666602e-2 + x2 * (-1.3888888888874110e-3 +
                                                          x2 * (2.4801587289476729e-5 + x2 * -2.7557314351390663e-7))));
}

/* Reduces an angle by whole quarter turns to within 1/8 turn of 0, where short polynomials suffice; the quarter decides
   which of the two is the sine, and the signs. There are no branches: half of all angles would be mispredicted. */
void sincos_all(const float *restrict angles, float *restrict cosines, float *restrict sines)
{
  for (int i = 0; i < SINCOS_COUNT; i++) {
    double quarters = angles[i] * QUARTERS_PER_RADIAN;
    quarters = (quarters + ROUNDING) - ROUNDING;
    double x = (angles[i] - quarters * QUARTER_HIGH) - quarters * QUARTER_LOW, x2 = x * x;
    float along = (float)cosine(x2), across = (float)sine(x, x2);
    int32_t quarter = (int32_t)quarters;
    float c = quarter & 1 ? across : along, s = quarter & 1 ? along : across;
    cosines[i] = (quarter + 1) & 2 ? -c : c;
    sines[i] = quarter & 2 ? -s : s;
  }
}

static void turn_items(item *it, const item *end)
{
  float angles[SINCOS_COUNT], cosines[SINCOS_COUNT], sines[SINCOS_COUNT];
  for (; it < end; it += SINCOS_COUNT) {
    int count = end - it < SINCOS_COUNT ? (int)(end - it) : SINCOS_COUNT;
    memset(angles, 0, sizeof angles);
    for (int i = 0; i < count; i++) {
      float angle = it[i].sine;
      angles[i] = fabsf(angle) < SINCOS_MOST ? angle : fmodf(angle, 6.2831853f);
    }
    sincos_all(angles, cosines, sines);
    for (int i = 0; i < count; i++) {
      it[i].cosine = cosines[i];
      it[i].sine = sines[i];
    }
  }
}

/* }== */

/* {== Gathering ========================================================== */

/* Makes room for a whole chunk, so that the inner loop need not check: each of its objects may have a style and a layer
   of its own. */
static bool make_room(draw *d)
{
  size_t room = d->room ? d->room : FIRST_ROOM;
  if (d->count + SP_CHUNK_SLOTS <= d->room)
    return true;
  while (room < d->count + SP_CHUNK_SLOTS)
    room *= 2;
  item *items = realloc(d->items, room * sizeof *items);
  d->items = items ? items : d->items;
  style *styles = realloc(d->styles, room * sizeof *styles);
  d->styles = styles ? styles : d->styles;
  span *spans = realloc(d->spans, room * sizeof *spans);
  d->spans = spans ? spans : d->spans;
  uint32_t *order = realloc(d->order, room * sizeof *order);
  d->order = order ? order : d->order;
  if (!items || !styles || !spans || !order)
    return false;
  d->room = room;
  return true;
}

static void begin_span(draw *d, uint16_t layer)
{
  d->spans[d->span_count++] = (span){(uint32_t)d->style_count, layer};
  d->layers[layer] += 1;
  if (layer < d->low)
    d->low = layer;
  if (layer > d->high)
    d->high = layer;
}

/* Begins a style for the items from `first` on. */
static inline void begin_style(draw *d, uint32_t first, const seen *last, const sprite_level *level)
{
  if (d->span_count == 0 || d->spans[d->span_count - 1].layer != last->layer)
    begin_span(d, last->layer);
  d->styles[d->style_count++] = (style){level, last->radius, last->radius_y, last->color, first, false, last->blend};
}

/* The next look, of whatever bits, differs from the one that is cached now; all NaN: such an object is not shown. */
static void forget(seen *it, batch_blend blend)
{
  *it = (seen){.scale_x = 1, .scale_y = 1, .longest = 1, .blend = blend, .large = it->large};
  memset(&it->look, 0xff, sizeof it->look);
}

static void rescale(seen *it, float scale_x, float scale_y)
{
  it->scale_x = scale_x;
  it->scale_y = scale_y;
  it->longest = fmaxf(fabsf(scale_x), fabsf(scale_y));
  it->known = false;
}

static void see_all(seen *it, const scene *s, const sp_look *look)
{
  const sprite *shape =
      it->known && it->look.sprite == look->sprite ? it->shape : sprites_number(s->looks, look->sprite);
  float radius = look->radius * look->scale * s->zoom, size = fabsf(radius) * it->longest, reach = size * shape->reach;
  it->shape = shape;
  it->known = true;
  it->sized = reach > 0 && reach < REACH_MOST && look->visible;
  it->large |= it->sized && reach * s->view->scale > BATCH_PIECE / 2;
  it->layer = (uint16_t)(look->layer - INT16_MIN);
  it->reach = reach;
  it->radius = radius * it->scale_x;
  it->radius_y = radius * it->scale_y;
  it->bucket = sprite_bucket(size * 2 * s->view->scale);
  it->level = &shape->levels[shape->level[it->bucket]];
}

/* Resolves a look. Fading objects differ from their neighbours in colour only, and keep the rest. */
static void see(seen *it, const scene *s, const sp_look *look)
{
  const size_t rest = offsetof(sp_look, layer);
  if (!it->known || it->look.scale != look->scale || it->look.radius != look->radius ||
      memcmp((const char *)&it->look + rest, (const char *)look + rest, sizeof *look - rest) != 0)
    see_all(it, s, look);
  it->look = *look;
  it->shown = it->sized && look->a > 0;
  it->color = batch_color(look->r, look->g, look->b, look->a);
}

static inline const sprite_level *level_of_frame(const seen *it, unsigned frame)
{
  const sprite *shown = sprite_frame(it->shape, frame);
  return &shown->levels[shown->level[it->bucket]];
}

/* Positions of objects with a parent are relative to it. The walk visits the same live slots in the same order and
   provides their references; NULL in pools without parents. */
DRAW_PASS sp_place place_of(const scene *s, sp_place place, sp_walk *walk, bool seen_by_camera)
{
  sp_ref object = walk ? sp_walk_next(walk) : SP_NULL_REF;
  if (object && sp_object_parent(s->pools, object))
    sp_object_world(s->pools, object, &place);
  if (seen_by_camera) {
    SDL_FPoint at = view_apply(&s->map, place.x, place.y);
    return (sp_place){at.x, at.y, place.angle - s->angle};
  }
  place.x += s->view->x;
  place.y += s->view->y;
  return place;
}

/* Returns whether a quad overlaps the view; false for any NaN or infinity. The minimum of the two lower sides may drop
   a NaN, but then a comparison with an upper side fails. */
static inline bool is_in_view(float width, float height, sp_place at, float reach)
{
  float right = at.x + reach, bottom = at.y + reach;
  return (right < bottom ? right : bottom) > 0 && at.x - reach < width && at.y - reach < height &&
         at.angle - at.angle == 0;
}

/* Looks are compared by their bits, word by word: a call of memcmp takes longer. */
static inline uint64_t look_word(const sp_look *look, size_t i)
{
  uint64_t word;
  memcpy(&word, (const char *)look + i * sizeof word, sizeof word);
  return word;
}
_Static_assert(sizeof(sp_look) == 4 * sizeof(uint64_t), "all words of a look are compared");

static inline bool looks_differ(const sp_look *a, const sp_look *b)
{
  return ((look_word(a, 0) ^ look_word(b, 0)) | (look_word(a, 1) ^ look_word(b, 1)) |
          (look_word(a, 2) ^ look_word(b, 2)) | (look_word(a, 3) ^ look_word(b, 3))) != 0;
}

/* Appends the items of a chunk; room must have been made. It is compiled several times, so that a pool without camera,
   parents or frames pays for none of them. Values are copied to locals, because the compiler must assume that writing
   an item, which is floats, changes other floats. */
DRAW_PASS void gather_slots(draw *d, const scene *s, const columns *c, const uint16_t *frames, sp_walk *walk,
                            const float *scale_x, bool seen_by_camera)
{
  const float *x = c->x, *y = c->y, *angle = c->angle, width = s->view->width, height = s->view->height;
  const float shift_x = s->view->x, shift_y = s->view->y;
  const sp_look *look = c->look;
  item *first = d->items + d->count, *to = first;
  size_t first_style = d->style_count;
  const sprite_level *level = NULL; /* of the style that was begun last */
  seen last = d->last;
  bool turned = false;
  for (uint64_t bits = c->live; bits; bits &= bits - 1) {
    unsigned slot = (unsigned)__builtin_ctzll(bits);
    const bool rescaled = scale_x && (last.scale_x != scale_x[slot] || last.scale_y != c->scale_y[slot]);
    if (rescaled)
      rescale(&last, scale_x[slot], c->scale_y[slot]);
    if (rescaled || looks_differ(&look[slot], &last.look)) {
      see(&last, s, &look[slot]);
      level = NULL;
    }
    sp_place at = {x[slot], y[slot], angle[slot]};
    if (seen_by_camera || walk) {
      at = place_of(s, at, walk, seen_by_camera);
    } else {
      at.x += shift_x;
      at.y += shift_y;
    }
    if (!last.shown || !is_in_view(width, height, at, last.reach))
      continue;
    const sprite_level *shown = frames ? level_of_frame(&last, frames[slot]) : last.level;
    if (shown != level) {
      level = shown;
      begin_style(d, (uint32_t)(to - d->items), &last, level);
    }
    turned |= at.angle != 0;
    *to++ = (item){at.x, at.y, 1, at.angle};
  }
  if (turned) {
    turn_items(first, to);
    for (size_t i = first_style; i < d->style_count; i++)
      d->styles[i].turned = true;
  }
  d->last = last;
  d->count = (size_t)(to - d->items);
}

static void gather_chunk(draw *d, const scene *s, const columns *c, sp_walk *walk)
{
  if (s->view->camera)
    gather_slots(d, s, c, c->frames, walk, c->scale_x, true);
  else if (walk || c->frames || c->scale_x)
    gather_slots(d, s, c, c->frames, walk, c->scale_x, false);
  else
    gather_slots(d, s, c, NULL, NULL, NULL, false);
}

static bool gather_pool(draw *d, const scene *s, sp_pool *pool)
{
  sp_walk walk = sp_pool_walk(pool);
  bool adds = false;
  const int scales = s->view->scales ? s->view->scales(pool, &adds) : 0;
  const batch_blend blend = adds ? BATCH_ADD : BATCH_AS_TEXTURE;
  if (d->last.blend != blend || d->last.scale_x != 1 || d->last.scale_y != 1)
    forget(&d->last, blend);
  uint64_t live;
  for (uint32_t i = 0; sp_pool_live_bits(pool, i, &live); i++) {
    columns c = {sp_pool_peek_column(pool, i, SP_X),
                 sp_pool_peek_column(pool, i, SP_Y),
                 sp_pool_peek_column(pool, i, SP_ANGLE),
                 sp_pool_peek_column(pool, i, SP_LOOK),
                 live,
                 NULL,
                 NULL,
                 NULL};
    if (scales) {
      c.scale_x = sp_pool_peek_column(pool, i, scales);
      c.scale_y = sp_pool_peek_column(pool, i, scales + 1);
    }
    uint16_t frames[SP_CHUNK_SLOTS];
    if (s->view->frames && s->view->frames(s->view->frames_ud, pool, i, frames))
      c.frames = frames;
    if (!c.x || !c.y || !c.angle || !c.look)
      return true; /* objects of this pool have no position */
    if (!make_room(d))
      return false;
    gather_chunk(d, s, &c, sp_pool_has_parents(pool) ? &walk : NULL);
  }
  return true;
}

/* }== */

/* {== Counting =========================================================== */

static size_t count_in_pool(sp_pool *pool, sprites *looks)
{
  size_t count = 0;
  uint64_t bits;
  for (uint32_t chunk = 0; sp_pool_live_bits(pool, chunk, &bits); chunk++) {
    const sp_look *look = sp_pool_peek_column(pool, chunk, SP_LOOK);
    for (; look && bits; bits &= bits - 1)
      count += sprites_is_reloaded(looks, look[__builtin_ctzll(bits)].sprite);
  }
  return count;
}

size_t draw_count_reloaded(sp_manager *pools, sprites *looks)
{
  size_t count = 0;
  for (sp_pool *p = NULL; (p = sp_manager_next_pool(pools, p)) != NULL;)
    count += count_in_pool(p, looks);
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

static inline void fill_item(SDL_Vertex *v, const item *it, const style *as, const batch_area *area, float half_w,
                             float half_h)
{
  const float along = as->radius * it->cosine, down = as->radius_y * it->cosine;
  if (it->sine == 0)
    batch_fill(v, area, it->x, it->y, half_w * along, half_h * down, as->color);
  else
    batch_fill_turned(v, area, (SDL_FPoint){it->x, it->y},
                      (SDL_FPoint){half_w * along, half_w * (as->radius * it->sine)},
                      (SDL_FPoint){-half_h * (as->radius_y * it->sine), half_h * down}, as->color);
}

/* Reads everything that the items share once: vertices are floats, too, so the compiler would read it again. */
static void fill_upright(SDL_Vertex *v, const item *it, const item *end, const style *as)
{
  batch_area area = as->level->area;
  float w = as->level->half_w * as->radius, h = as->level->half_h * as->radius_y;
  SDL_Color color = as->color;
  for (; it < end; it++, v += 4)
    batch_fill(v, &area, it->x, it->y, w, h, color);
}

static void fill_turned(SDL_Vertex *v, const item *it, const item *end, const style *as)
{
  batch_area area = as->level->area;
  float half_w = as->level->half_w, half_h = as->level->half_h;
  style same = *as;
  for (; it < end; it++, v += 4)
    fill_item(v, it, &same, &area, half_w, half_h);
}

static inline void fill_style(SDL_Vertex *v, const item *it, size_t count, const style *as)
{
  const sprite_level *level = as->level;
  if (count == 1)
    fill_item(v, it, as, &level->area, level->half_w, level->half_h);
  else if (as->turned)
    fill_turned(v, it, it + count, as);
  else
    fill_upright(v, it, it + count, as);
}

/* How the quads of a run are drawn. */
typedef struct run_look {
  SDL_Texture *texture;
  batch_blend blend;
} run_look;

/* Adds a run to `out` whenever the texture or the blending changes. Returns how many quads that look like `now` are
   filled and not yet added, `run` of them before; SIZE_MAX when memory is refused. */
static size_t fill_span(const draw *d, size_t at, batch *out, SDL_Vertex *v, run_look *now, size_t run)
{
  size_t end = at + 1 < d->span_count ? d->spans[at + 1].first : d->style_count;
  for (size_t i = d->spans[at].first; i < end; i++) {
    const style *as = &d->styles[i];
    size_t last = i + 1 < d->style_count ? as[1].first : d->count, count = last - as->first;
    if (as->level->area.texture != now->texture || as->blend != now->blend) {
      if (!batch_commit_as(out, now->texture, now->blend, run))
        return SIZE_MAX;
      *now = (run_look){as->level->area.texture, as->blend};
      run = 0;
    }
    fill_style(v, d->items + as->first, count, as);
    v += count * 4;
    run += count;
  }
  return run;
}

static bool fill(draw *d, batch *out)
{
  run_look now = {NULL, BATCH_AS_TEXTURE};
  SDL_Vertex *v = batch_reserve(out, d->count);
  size_t run = 0, filled = out->quads;
  if (!v)
    return false;
  sort_spans(d);
  for (size_t i = 0; i < d->span_count; i++) {
    run = fill_span(d, d->order[i], out, v + (out->quads + run - filled) * 4, &now, run);
    if (run == SIZE_MAX)
      return false;
  }
  return batch_commit_as(out, now.texture, now.blend, run);
}

bool draw_pools(draw *d, sp_manager *pools, sprites *looks, const draw_view *view, batch *out)
{
  size_t first = out->quads;
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
  d->style_count = 0;
  d->span_count = 0;
  d->low = LAYERS;
  d->high = 0;
  d->last.large = false;
  forget(&d->last, BATCH_AS_TEXTURE);
  for (sp_pool *p = NULL; fine && (p = sp_manager_next_pool(pools, p)) != NULL;)
    fine = gather_pool(d, &s, p);
  if (d->count == 0)
    return fine;
  fine &= fill(d, out);
  memset(d->layers + d->low, 0, (d->high - d->low + 1) * sizeof *d->layers);
  if (d->last.large)
    fine &= batch_clip(out, first, view->width, view->height, view->scale);
  return fine;
}

/* }== */
