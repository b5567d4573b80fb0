/*
** sp_pool_overlaps against the naive loop, in scenes of all kinds: the same pairs, on any machine, in an order that
** depends on the objects alone, with work and memory that stay near linear.
*/
#include "core/query.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* {== Scenes ============================================================= */

typedef struct circle {
  float x, y, radius;
} circle;

/* Number `i` of `n` in the pool `side`, 0 or 1; `u`, `v` and `w` are random from 0 to 1. */
typedef struct draw {
  int i, n, side;
  float u, v, w, width; /* of a scene that is not crowded */
} draw;
typedef circle scene_fn(draw d);

static circle even(draw d) { return (circle){d.u * d.width, d.v * d.width, 4}; }
static circle sized(draw d, float radius) { return (circle){d.u * d.width, d.v * d.width, radius}; }

static circle one_stray(draw d) { return d.i == d.n / 3 && d.side ? (circle){1e7f, -1e8f, 4} : even(d); }
static circle one_huge(draw d) { return sized(d, d.i == d.n / 3 ? d.width / 3 : 4); }
static circle some_large(draw d) { return sized(d, d.i % 50 == 0 ? 40 + 20 * d.w : 4); }
static circle power_law(draw d) { return sized(d, fminf(1 / powf(d.w + 1e-6f, 0.8f), d.width / 4)); }
static circle points(draw d) { return sized(d, d.side ? 0 : 4); }

static circle clusters(draw d)
{
  const circle c = even(d);
  return (circle){c.x / 4 + (float)(d.i % 8) * 1e6f, c.y / 4 - (float)(d.i % 3) * 1e5f, c.radius};
}

static circle all_scales(draw d)
{
  const float far = powf(10, 12 * d.u - 4);
  return (circle){far * cosf(6.28f * d.v), far * sinf(6.28f * d.v), far * d.w / sqrtf((float)d.n)};
}

static circle a_line(draw d) { return (circle){d.u * 1e-3f, d.v * 10 * (float)d.n, 4}; }
static circle a_slope(draw d) { return (circle){d.u * 10 * (float)d.n, d.u * 10 * (float)d.n, 4}; }

/* Next to touching. */
static circle a_lattice(draw d) { return (circle){(float)(d.i % 64) * 64, (float)(d.i / 64) * 64, d.side ? 30 : 34}; }

static circle two_points(draw d) { return (circle){(float)d.side * 6, (float)d.side * 6, 4}; }
static circle two_clumps(draw d) { return (circle){(float)d.side * 6 + d.u, (float)d.side * 6 + d.v, 4}; }
static circle a_crowd(draw d) { return (circle){d.u * d.width / 8, d.v * d.width / 8, 4}; }
static circle one_point(draw d) { return (circle){7, 7, d.n > 0}; }

/* Two stacks, and few of one reach the other: neither can be cut, and no pair pays for the looks. */
static circle stacks(draw d) { return (circle){(float)d.side * 3, 7, d.i % 50 == 0 ? 1.6f : d.side ? 0.01f : 1.5f}; }

static circle a_near_miss(draw d) { return (circle){(float)d.side * 4 + d.u / 2, d.v, 1.5f}; }

/* Squares of these are no floats. */
static circle atoms_and_giants(draw d)
{
  const circle c = even(d);
  const float unit = d.i % 3 == 0 ? 1e34f : d.i % 3 == 1 ? 1e-38f : 1;
  return (circle){c.x * unit, c.y * unit, c.radius * unit};
}

static const struct {
  const char *name;
  scene_fn *at;
  float unit; /* of all lengths */
  bool wild;  /* must be told apart in doubles */
  bool pairs; /* most objects touch most others */
  int work;   /* the most steps for each object and pair */
} scenes[] = {
    {"even", even, 1, false, false, 15},
    {"one stray", one_stray, 1, false, false, 15},
    {"one huge", one_huge, 1, false, false, 25},
    {"some large", some_large, 1, false, false, 45},
    {"power law", power_law, 1, false, false, 70},
    {"clusters", clusters, 1, false, false, 130},
    {"all scales", all_scales, 1, false, false, 400},
    {"a line", a_line, 1, false, false, 15},
    {"a slope", a_slope, 1, false, false, 100},
    {"a lattice", a_lattice, 1, false, false, 20},
    {"two points", two_points, 1, false, true, 80},
    {"two clumps", two_clumps, 1, false, true, 50},
    {"points", points, 1, false, false, 15},
    {"a crowd", a_crowd, 1, false, true, 15},
    {"one point", one_point, 1, false, true, 15},
    {"stacks", stacks, 1, false, true, 50},
    {"a near miss", a_near_miss, 1, false, true, 50},
    {"far clusters", clusters, 1e24f, true, false, 130},
    {"far power law", power_law, 1e24f, true, false, 70},
    {"far stacks", stacks, 1e24f, true, true, 50},
    {"a far near miss", a_near_miss, 1e24f, true, true, 50},
    {"giants", even, 1e30f, true, false, 15},
    {"atoms", even, 1e-30f, true, false, 15},
    {"atoms and giants", atoms_and_giants, 1, true, false, 250},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static float random_share(uint32_t *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return (float)(*seed >> 8) / (float)(1 << 24);
}

/* }== */

/* {== Playing ============================================================ */

typedef struct pairs {
  uint64_t *list; /* numbers of both objects */
  size_t count, room;
} pairs;

/* Which pools have boxes, twice as wide as high, instead of circles. */
enum { BOTH_BOXES = 3, SHAPES };

typedef struct stage {
  core c;
  sp_pool *pools[2];
  int scene, count, boxes;
  circle *circles[2];
  pairs seen;
  bool same; /* the second pool with itself */
  uint32_t asked;
} stage;

static sp_ref put(stage *s, int side, circle at)
{
  sp_ref object = sp_pool_alloc(s->pools[side], 0, &(sp_start){.x = at.x, .y = at.y}, NULL);
  must(object);
  sp_look *look = sp_object_cell(s->c.manager, object, SP_LOOK);
  *(s->boxes >> side & 1 ? &look->scale : &look->radius) = at.radius;
  return object;
}

static void open_stage(stage *s, int scene, int count, int boxes)
{
  *s = (stage){.scene = scene, .count = count, .boxes = boxes};
  core_open(&s->c);
  for (int side = 0; side < 2; side++) {
    uint32_t seed = 5;
    sp_pool_desc desc = test_desc(side ? "Sphere" : "Cube");
    desc.box = boxes >> side & 1 ? (sp_box){2, 1} : (sp_box){0, 0};
    s->pools[side] = core_pool_with(&s->c, &desc);
    s->circles[side] = malloc((size_t)count * sizeof(circle));
    must(s->circles[side]);
    for (int i = 0; i < count; i++) {
      const float u = random_share(&seed), v = random_share(&seed), w = random_share(&seed);
      const draw d = {i, count, side, side ? v : u, random_share(&seed), w, 20 * sqrtf((float)count)};
      const circle at = scenes[scene].at(d);
      const float unit = scenes[scene].unit;
      s->circles[side][i] = (circle){at.x * unit, at.y * unit, at.radius * unit};
      put(s, side, s->circles[side][i]);
    }
  }
}

static void close_stage(stage *s)
{
  for (int side = 0; side < 2; side++)
    free(s->circles[side]);
  free(s->seen.list);
  core_close(&s->c);
}

static void add_pair(pairs *p, uint64_t one, uint64_t other)
{
  if (p->count == p->room) {
    p->room = p->room ? 2 * p->room : 1024;
    p->list = realloc(p->list, p->room * sizeof *p->list);
    must(p->list);
  }
  p->list[p->count++] = one << 32 | other;
}

static void see(void *ud, sp_ref object, sp_ref other)
{
  stage *s = ud;
  add_pair(&s->seen, sp_object_number(s->c.manager, object), sp_object_number(s->c.manager, other));
}

static void search(stage *s)
{
  sp_result why = SP_OK;
  s->seen.count = 0;
  uint32_t calls = sp_pool_overlaps(s->pools[s->same], s->pools[1], see, s, &why);
  ck_assert_uint_eq(calls, s->seen.count);
  ck_assert_int_eq(why, SP_OK);
}

/* Two boxes overlap on both axes; of a circle and a box counts how far the centre is from the box. */
#define TOUCHES(name, real)                                                                                            \
  static bool name(const circle *a, bool a_is_box, const circle *b, bool b_is_box)                                     \
  {                                                                                                                    \
    real dx = fabs##real((real)a->x - b->x), dy = fabs##real((real)a->y - b->y), reach = 0, w = 0, h = 0;              \
    w += a_is_box ? a->radius : 0, h += a_is_box ? a->radius / 2 : 0, reach += a_is_box ? 0 : a->radius;               \
    w += b_is_box ? b->radius : 0, h += b_is_box ? b->radius / 2 : 0, reach += b_is_box ? 0 : b->radius;               \
    if (dx < w && dy < h)                                                                                              \
      return true;                                                                                                     \
    dx = dx > w ? dx - w : 0;                                                                                          \
    dy = dy > h ? dy - h : 0;                                                                                          \
    return dx * dx + dy * dy < reach * reach;                                                                          \
  }
#define fabsfloat fabsf
#define fabsdouble fabs
TOUCHES(touches_in_floats, float)
TOUCHES(touches_in_doubles, double)

static pairs naive_pairs(const stage *s)
{
  pairs p = {0};
  for (int i = 0; i < s->count; i++)
    for (int k = s->same ? i + 1 : 0; k < s->count; k++)
      if ((scenes[s->scene].wild ? touches_in_doubles : touches_in_floats)(
              &s->circles[s->same][i], s->boxes >> s->same & 1, &s->circles[1][k], s->boxes >> 1 & 1))
        add_pair(&p, (uint64_t)i + 1, (uint64_t)k + 1);
  return p;
}

static int compare(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* }== */

/* {== Tests ============================================================== */

static test_group each = {"scenes"};

/* Enough for the grid to take samples and to give up on crowded cells. */
TESTS(each, any_scene_has_the_pairs_of_the_naive_loop, SCENES *SHAPES)
{
  const int scene = _i / SHAPES;
  for (int same = 0; same < 2; same++) {
    stage wide, narrow;
    open_stage(&wide, scene, 700, _i % SHAPES);
    open_stage(&narrow, scene, 700, _i % SHAPES);
    wide.same = narrow.same = same;
    narrow.c.manager->wide = false;
    search(&wide);
    search(&narrow);
    ck_assert_msg(wide.seen.count == narrow.seen.count, "%s: wide vectors find others", scenes[scene].name);
    for (size_t i = 0; i < wide.seen.count; i++)
      must(wide.seen.list[i] == narrow.seen.list[i]); /* the order, too */
    pairs naive = naive_pairs(&wide);
    if (wide.seen.count > 0)
      qsort(wide.seen.list, wide.seen.count, sizeof *naive.list, compare);
    ck_assert_msg(wide.seen.count == naive.count, "%s: %zu pairs, not %zu", scenes[scene].name, wide.seen.count,
                  naive.count);
    for (size_t i = 0; i < naive.count; i++)
      must(wide.seen.list[i] == naive.list[i]);
    free(naive.list);
    close_stage(&wide);
    close_stage(&narrow);
  }
}

static bool count_question(void *ud)
{
  ((stage *)ud)->asked++;
  return true;
}

TESTS(each, work_and_memory_are_near_linear_in_any_scene, SCENES * 2)
{
  enum { MANY = 12000 };
  const int scene = _i / 2, count = scenes[scene].pairs ? MANY / 8 : MANY;
  stage s;
  open_stage(&s, scene, count, _i % 2 ? BOTH_BOXES : 0);
  size_t bytes = s.c.memory.bytes;
  sp_manager_set_progress(s.c.manager, count_question, &s);
  search(&s);
  double work = (double)s.asked * SP_PROGRESS_UNITS, due = 2.0 * count + (double)s.seen.count;
  ck_assert_msg(work < scenes[scene].work * due, "%s: %g steps for each object and pair", scenes[scene].name,
                work / due);
  ck_assert_msg(s.c.memory.peak < bytes + 300 * (size_t)count, "%s: %zu bytes for each object", scenes[_i].name,
                (s.c.memory.peak - bytes) / (size_t)count);
  close_stage(&s);
}

static bool count_down(void *ud) { return ((stage *)ud)->asked-- > 0; }

/* Sizes differ, so that the questions fall into every part of a search. */
TESTS(each, a_search_that_is_stopped_at_any_question_has_visited_the_first_pairs, SCENES)
{
  static const int sizes[] = {90, 1100, 3100};
  for (int k = 0; k < 2 * (int)(sizeof sizes / sizeof *sizes); k++) {
    const int count = sizes[k / 2] / (scenes[_i].pairs ? 4 : 1);
    stage s;
    open_stage(&s, _i, count, (k + _i) % SHAPES);
    s.same = k & 1;
    s.c.manager->wide = (k + _i / 4) & 1;
    search(&s);
    pairs whole = s.seen;
    sp_manager_set_progress(s.c.manager, count_down, &s);
    bool stopped = true;
    for (uint32_t questions = 0; stopped; questions += 1 + questions / 4) {
      sp_result why = SP_OK;
      s.asked = questions;
      s.seen = (pairs){0};
      uint32_t calls = sp_pool_overlaps(s.pools[s.same], s.pools[1], see, &s, &why);
      stopped = why == SP_INTERRUPTED;
      must(stopped ? calls <= whole.count : why == SP_OK && calls == whole.count);
      must(calls == s.seen.count);
      must(calls == 0 || memcmp(s.seen.list, whole.list, calls * sizeof *whole.list) == 0);
      free(s.seen.list);
    }
    s.seen = whole;
    close_stage(&s);
  }
}

/* }== */

SUITE(overlaps, &each)
