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

#include "demo/support/strings.h"

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
  float radius;
  SDL_Color color;
  uint32_t first;
  bool turned; /* some items are rotated: the others have a sine of 0 */
} style;

/* Consecutive styles of one layer, up to the first style of the next span. */
typedef struct span {
  uint32_t first;
  uint16_t layer; /* from 0 */
} span;

/* The result of resolving a look. It is cached, because neighbouring objects mostly have equal looks. */
typedef struct seen {
  sp_look look;
  bool known; /* false: nothing is cached yet */
  bool sized; /* it would be shown if its alpha were above 0 */
  bool large; /* some were so large that they must be clipped */
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
  d->styles[d->style_count++] = (style){level, last->radius, last->color, first, false};
}

static void see_all(seen *it, const scene *s, const sp_look *look)
{
  const sprite *shape =
      it->known && it->look.sprite == look->sprite ? it->shape : sprites_number(s->looks, look->sprite);
  float radius = look->radius * look->scale * s->zoom, size = fabsf(radius), reach = size * shape->reach;
  it->shape = shape;
  it->known = true;
  it->sized = reach > 0 && reach < REACH_MOST && look->visible;
  it->large |= it->sized && reach * s->view->scale > BATCH_PIECE / 2;
  it->layer = (uint16_t)(look->layer - INT16_MIN);
  it->reach = reach;
  it->radius = radius;
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
                            bool seen_by_camera)
{
  const float *x = c->x, *y = c->y, *angle = c->angle, width = s->view->width, height = s->view->height;
  const float shift_x = s->view->x, shift_y = s->view->y;
  const sp_look *look = c->look;
  item *first = d->items + d->count, *to = first;
  size_t first_style = d->style_count;
  const sprite_level *level = NULL; /* of the style that was begun last */
  seen last = d->last;
  bool turned = false;
  for (unsigned word = 0; word < SP_CHUNK_SLOTS / 64; word++)
    for (uint64_t bits = c->live[word]; bits; bits &= bits - 1) {
      unsigned slot = word * 64 + (unsigned)__builtin_ctzll(bits);
      if (looks_differ(&look[slot], &last.look)) {
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
    gather_slots(d, s, c, c->frames, walk, true);
  else if (walk || c->frames)
    gather_slots(d, s, c, c->frames, walk, false);
  else
    gather_slots(d, s, c, NULL, NULL, false);
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
    if (!make_room(d))
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

static inline void fill_item(SDL_Vertex *v, const item *it, const style *as, const batch_area *area, float half_w,
                             float half_h)
{
  float along = as->radius * it->cosine, across = as->radius * it->sine;
  if (across == 0)
    batch_fill(v, area, it->x, it->y, half_w * along, half_h * along, as->color);
  else
    batch_fill_turned(v, area, (SDL_FPoint){it->x, it->y}, (SDL_FPoint){half_w * along, half_w * across},
                      (SDL_FPoint){-half_h * across, half_h * along}, as->color);
}

/* Reads everything that the items share once: vertices are floats, too, so the compiler would read it again. */
static void fill_upright(SDL_Vertex *v, const item *it, const item *end, const style *as)
{
  batch_area area = as->level->area;
  float w = as->level->half_w * as->radius, h = as->level->half_h * as->radius;
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

/* Adds a run to `out` whenever the texture changes. Returns how many quads of `*texture` are filled and not yet added,
   `run` of them before; SIZE_MAX when memory is refused. */
static size_t fill_span(const draw *d, size_t at, batch *out, SDL_Vertex *v, SDL_Texture **texture, size_t run)
{
  size_t end = at + 1 < d->span_count ? d->spans[at + 1].first : d->style_count;
  for (size_t i = d->spans[at].first; i < end; i++) {
    const style *as = &d->styles[i];
    size_t last = i + 1 < d->style_count ? as[1].first : d->count, count = last - as->first;
    if (as->level->area.texture != *texture) {
      if (!batch_commit(out, *texture, run))
        return SIZE_MAX;
      *texture = as->level->area.texture;
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
  SDL_Texture *texture = NULL;
  SDL_Vertex *v = batch_reserve(out, d->count);
  size_t run = 0, filled = out->quads;
  if (!v)
    return false;
  sort_spans(d);
  for (size_t i = 0; i < d->span_count; i++) {
    run = fill_span(d, d->order[i], out, v + (out->quads + run - filled) * 4, &texture, run);
    if (run == SIZE_MAX)
      return false;
  }
  return batch_commit(out, texture, run);
}

bool draw_pools(draw *d, sp_manager *pools, sprites *looks, const draw_view *view, batch *out)
{
  uint32_t count = sp_count_pools(pools);
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
  memset(&d->last, 0, sizeof d->last);
  memset(&d->last.look, 0xff, sizeof d->last.look); /* all NaN: an object with these bits is not shown either */
  for (uint32_t i = 0; i < count && fine; i++)
    fine = gather_pool(d, &s, sp_get_pool(pools, i));
  if (d->count == 0)
    return fine;
  fine &= fill(d, out);
  memset(d->layers + d->low, 0, (d->high - d->low + 1) * sizeof *d->layers);
  if (d->last.large)
    fine &= batch_clip(out, first, view->width, view->height, view->scale);
  return fine;
}

/* }== */

/* {== Shapes and text ====================================================
** Shapes as textured quads: areas are stretched white, slanted lines a bar with soft sides, discs the circle sprite.
** Upright lines are plain rectangles on whole points, so that a line one point wide is one row of pixels. */

#define WHITE_COLOR ((SDL_Color){255, 255, 255, 255})
#define TURN 6.28318531f

/* }== */

/* {== The camera ========================================================= */

/* Sets the pixels per unit at which pictures and letters are drawn. */
static void set_scale(graphics *it, float scale)
{
  it->view.scale = scale;
  text_set_scale(it->text, scale);
}

static void set_world_scale(graphics *it)
{
  const view_camera *c = &it->world->camera;
  set_scale(it, view_pixels(it->world) * (c->on ? c->zoom : 1));
}

/* Moves the quads of the world that were drawn since the last call to where the camera sees them. */
static void apply_camera(graphics *it)
{
  view_map map = view_world_map(it->world);
  SDL_Vertex *all = it->out->vertices; /* NULL while nothing was drawn */
  bool moves = it->world->camera.on || map.x0 != 0 || map.y0 != 0;
  for (size_t i = it->first * 4; moves && i < it->out->quads * 4; i++)
    all[i].position = view_apply(&map, all[i].position.x, all[i].position.y);
}

/* The quads that were drawn since the last call are ready to be shown. */
static void finish_quads(graphics *it)
{
  if (it->below)
    apply_camera(it);
  batch_clip(it->out, it->first, it->view.width, it->view.height, it->below ? view_pixels(it->world) : it->view.scale);
  it->first = it->out->quads;
}

/* A camera may have turned the view: the corners are anywhere. */
SDL_FRect graphics_visible(const graphics *it)
{
  const float w = it->view.width, h = it->view.height;
  float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  if (!it->below)
    return (SDL_FRect){0, 0, w, h};
  for (int i = 0; i < 4; i++) {
    float x = (i & 1 ? w : 0) - it->world->shift_x, y = (i & 2 ? h : 0) - it->world->shift_y;
    SDL_FPoint corner = view_to_world(it->world, x, y);
    left = fminf(left, corner.x);
    top = fminf(top, corner.y);
    right = fmaxf(right, corner.x);
    bottom = fmaxf(bottom, corner.y);
  }
  return (SDL_FRect){left, top, right - left, bottom - top};
}

void graphics_camera(graphics *it, const view_camera *c)
{
  if (it->below)
    finish_quads(it);
  it->world->camera = *c;
  if (it->below)
    set_world_scale(it);
}

/* }== */

void graphics_begin(graphics *it, batch *out, const draw_view *view)
{
  it->out = out;
  it->view = *view;
  it->color = WHITE_COLOR;
  it->below = false;
  it->quads_left = GRAPHICS_QUADS_MOST;
  it->letters_left = GRAPHICS_LETTERS_MOST;
  it->first = out->quads;
  set_scale(it, view->scale);
}

void graphics_begin_below(graphics *it, batch *out, const draw_view *view)
{
  graphics_begin(it, out, view);
  it->below = true;
  set_world_scale(it);
}

void graphics_end(graphics *it)
{
  finish_quads(it);
  it->below = false;
  it->out = NULL;
}

/* Returns whether one more quad may be drawn. */
static bool has_room(graphics *it)
{
  it->has_left_out |= it->quads_left == 0;
  return it->quads_left > 0 && it->quads_left--;
}

static bool add_area(graphics *it, float x, float y, float w, float h)
{
  if (!has_room(it))
    return true;
  batch_area white = sprites_white(it->sprites);
  return batch_rect(it->out, &white, x, y, w, h, it->color);
}

/* Draws from the centre of one point to the centre of the other, both ends included. */
static bool add_upright_line(graphics *it, float x1, float y1, float x2, float y2, float width)
{
  float left = fminf(x1, x2), top = fminf(y1, y2), shift = floorf((width - 1) * 0.5f);
  if (y1 == y2)
    return add_area(it, left, top - shift, fabsf(x2 - x1) + 1, width);
  return add_area(it, left - shift, top, width, fabsf(y2 - y1) + 1);
}

/* Draws a bar of this width along the half length (dx, dy) to both sides of the middle. */
static bool add_bar(graphics *it, SDL_FPoint middle, float dx, float dy, float width)
{
  const sprite_level *level = sprite_level_at(sprites_bar(it->sprites), width * it->view.scale);
  float length = hypotf(dx, dy), half = level->half_h * width * 0.5f;
  if (length <= 0 || !has_room(it))
    return true;
  SDL_Vertex *v = batch_reserve(it->out, 1);
  if (!v)
    return false;
  batch_fill_turned(v, &level->area, middle, (SDL_FPoint){dx, dy},
                    (SDL_FPoint){-dy / length * half, dx / length * half}, it->color);
  return batch_commit(it->out, level->area.texture, 1);
}

bool graphics_line(graphics *it, float x1, float y1, float x2, float y2, float width)
{
  SDL_FPoint middle = {(x1 + x2) * 0.5f + 0.5f, (y1 + y2) * 0.5f + 0.5f};
  if (x1 == x2 || y1 == y2)
    return add_upright_line(it, x1, y1, x2, y2, width);
  return add_bar(it, middle, (x2 - x1) * 0.5f, (y2 - y1) * 0.5f, width);
}

bool graphics_rect(graphics *it, float x, float y, float w, float h, bool filled)
{
  if (w <= 0 || h <= 0)
    return true;
  if (filled || w <= 2 || h <= 2)
    return add_area(it, x, y, w, h);
  return add_area(it, x, y, w, 1) && add_area(it, x, y + h - 1, w, 1) && add_area(it, x, y + 1, 1, h - 2) &&
         add_area(it, x + w - 1, y + 1, 1, h - 2);
}

bool graphics_sprite(graphics *it, const sprite *shape, float x, float y, float angle, float radius)
{
  const sprite_level *level = sprite_level_at(shape, fabsf(radius) * 2 * it->view.scale);
  float w = level->half_w * radius, h = level->half_h * radius, c = cosf(angle), s = sinf(angle);
  if (!has_room(it))
    return true;
  SDL_Vertex *v = batch_reserve(it->out, 1);
  if (!v)
    return false;
  if (angle == 0)
    batch_fill(v, &level->area, x, y, w, h, it->color);
  else
    batch_fill_turned(v, &level->area, (SDL_FPoint){x, y}, (SDL_FPoint){w * c, w * s}, (SDL_FPoint){-h * s, h * c},
                      it->color);
  return batch_commit(it->out, level->area.texture, 1);
}

/* Uses as many corners as keep the line within a quarter of a point of the circle. */
static bool add_outline(graphics *it, float x, float y, float radius)
{
  float wanted = 4 + 4.5f * sqrtf(radius), half_angle, half_length;
  int corners = wanted < 256 ? (int)wanted : 256;
  half_angle = TURN / 2 / (float)corners;
  half_length = radius * sinf(half_angle);
  for (int i = 0; i < corners; i++) {
    float angle = TURN * ((float)i + 0.5f) / (float)corners, c = cosf(angle), s = sinf(angle);
    float away = radius * cosf(half_angle);
    if (!add_bar(it, (SDL_FPoint){x + away * c, y + away * s}, -s * half_length, c * half_length, 1))
      return false;
  }
  return true;
}

bool graphics_circle(graphics *it, float x, float y, float radius, bool filled)
{
  if (radius <= 0)
    return true;
  if (!filled)
    return add_outline(it, x, y, radius);
  return graphics_sprite(it, sprites_disc(it->sprites), x, y, 0, radius);
}

/* Returns how much of a text may still be drawn: its first letters. */
static size_t shown_length(graphics *it, const char *s, size_t length)
{
  const char *end = s + (length < GRAPHICS_TEXT_MOST ? length : GRAPHICS_TEXT_MOST), *at = s;
  while (at < end && it->letters_left > 0) {
    utf8_next(&at, end);
    it->letters_left--;
  }
  it->has_left_out |= (size_t)(at - s) < length;
  return (size_t)(at - s);
}

void graphics_write(graphics *it, float x, float y, const text_style *how, const char *s, size_t length)
{
  if (text_is_drawn(it->text))
    text_draw(it->text, it->out, x, y, how, s, shown_length(it, s, length));
}
