/*
** A game of ten seconds, and a number that comes of every bit of it: motion, bounds, curves, lifetimes, parents, walks
** and queries, and of every byte of a save, from which it goes on half way. It is the same number on all machines and
** from all compilers, or the test fails that compares them. Numbers at random are its own: those of a C library are not
** the same everywhere.
*/
#include <spawnpool.h>
#include <spawnpool_tools.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A field that is a struct, and padding. */
typedef struct state {
  sp_ref nearest;
  int32_t hp;
  int16_t team;
  int8_t kind;
} state;

typedef struct game {
  sp_manager *manager;
  sp_pool *rocks, *leaves;
  uint64_t random, sum;
} game;

static void add_word(game *g, uint64_t word)
{
  for (int shift = 0; shift < 64; shift += 8)
    g->sum = (g->sum ^ (word >> shift & 0xff)) * 1099511628211u;
}

static void add_float(game *g, float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  add_word(g, bits);
}

static void add_pair(void *ud, sp_ref rock, sp_ref leaf) { add_word(ud, rock ^ leaf << 1); }

static float between(game *g, float least, float most)
{
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return least + (most - least) * (float)(g->random >> 40) / 16777216.0f;
}

static void open_game(game *g)
{
  static const sp_curve fades = {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {1, 0.3f, 0}};
  sp_pool_desc rock = sp_pool_defaults("Rock"), leaf = sp_pool_defaults("Leaf");
  rock.spatial = leaf.spatial = true;
  rock.motion = (sp_motion){.gravity = 9.8f, .drag = 0.1f, .face_velocity = true};
  rock.bounds = (sp_bounds){.w = 800, .h = 600, .outside = SP_OUTSIDE_BOUNCE};
  leaf.bounds = (sp_bounds){.w = 800, .h = 600, .outside = SP_OUTSIDE_WRAP};
  static const sp_field_member members[] = {{SP_TYPE_REF, offsetof(state, nearest), 1},
                                            {SP_TYPE_INT32, offsetof(state, hp), 1},
                                            {SP_TYPE_INT16, offsetof(state, team), 1},
                                            {SP_TYPE_INT8, offsetof(state, kind), 1}};
  static const state first = {.hp = 100, .team = 1, .kind = 'x'};
  const sp_field field = {
      .name = "state", .initial = &first, .size = sizeof first, .members = members, .member_count = 4};
  leaf.fields = &field;
  leaf.field_count = 1;
  leaf.ax = 0.3f;
  leaf.spin = 1.1f;
  rock.curves = leaf.curves = &fades;
  rock.curve_count = leaf.curve_count = 1;
  g->manager = sp_manager_open(NULL, NULL);
  g->rocks = sp_manager_add_pool(g->manager, &rock, NULL);
  g->leaves = sp_manager_add_pool(g->manager, &leaf, NULL);
}

static void spawn(game *g, int number)
{
  const sp_start start = {.x = between(g, 0, 800), .y = between(g, 0, 600), .angle = between(g, -3, 3)};
  sp_ref object = sp_pool_alloc(number & 1 ? g->rocks : g->leaves, (double)between(g, 0.1f, 4), &start, NULL);
  *(float *)sp_object_cell(g->manager, object, SP_VX) = between(g, -200, 200);
  *(float *)sp_object_cell(g->manager, object, SP_VY) = between(g, -200, 200);
  if (number == 2) {
    state *s = (state *)sp_object_cell(g->manager, object, SP_FIELDS);
    memset(s, number, sizeof *s); /* padding, too, which counts for nothing */
    s->nearest = sp_pool_nearest(g->rocks, 100, 100, 0, NULL);
    s->hp = -2 - (int32_t)sp_pool_live(g->leaves);
    s->team = 513;
  }
  if (number == 4)
    sp_object_set_parent(g->manager, object, sp_pool_nearest(g->rocks, 400, 300, 0, NULL));
}

static void add_objects(game *g, sp_pool *pool)
{
  sp_ref object;
  for (sp_walk walk = sp_pool_walk(pool); (object = sp_walk_next(&walk)) != 0;) {
    sp_place place;
    sp_object_world(g->manager, object, &place);
    add_word(g, object);
    add_float(g, place.x);
    add_float(g, place.y);
    add_float(g, place.angle);
    const state *s = (const state *)sp_object_peek(g->manager, object, SP_FIELDS);
    if (s)
      add_word(g, s->nearest ^ (uint64_t)s->hp << 20 ^ (uint64_t)s->team << 10 ^ (uint64_t)s->kind);
    add_float(g, ((const sp_look *)sp_object_peek(g->manager, object, SP_LOOK))->a);
    for (int column = SP_X; column <= SP_SPIN; column++)
      add_float(g, *(const float *)sp_object_peek(g->manager, object, column));
  }
}

/* {== The save =========================================================== */

typedef struct save {
  game *g;
  unsigned char bytes[1 << 20];
  size_t size, at;
} save;

static bool write_save(void *ud, const void *bytes, size_t size)
{
  save *s = ud;
  if (size > sizeof s->bytes - s->size)
    return false;
  memcpy(s->bytes + s->size, bytes, size);
  for (size_t i = 0; i < size; i++)
    s->g->sum = (s->g->sum ^ s->bytes[s->size++]) * 1099511628211u;
  return true;
}

static size_t read_save(void *ud, void *bytes, size_t size)
{
  save *s = ud;
  size_t left = s->size - s->at, part = left < size ? left : size;
  memcpy(bytes, s->bytes + s->at, part);
  s->at += part;
  return part;
}

/* The game goes on in another manager, which is in the same state. */
static bool save_and_load(game *g)
{
  static save s;
  s.g = g;
  uint64_t hash = sp_manager_hash(g->manager);
  sp_manager *loaded =
      sp_manager_save(g->manager, write_save, &s) == SP_OK ? sp_manager_load(NULL, read_save, &s, NULL) : NULL;
  if (!loaded || sp_manager_hash(loaded) != hash)
    return false;
  add_word(g, hash);
  sp_manager_close(g->manager);
  g->manager = loaded;
  g->rocks = sp_manager_pool(loaded, "Rock");
  g->leaves = sp_manager_pool(loaded, "Leaf");
  return true;
}

/* }== */

int main(void)
{
  game g = {.random = 12345, .sum = 14695981039346656037u};
  open_game(&g);
  for (int frame = 0; frame < 600; frame++) {
    for (int number = 0; number < 10; number++)
      spawn(&g, number);
    sp_manager_update(g.manager, frame % 7 ? 1.0 / 60 : 0.0213);
    if (frame % 30 == 29) {
      sp_pool_overlaps(g.rocks, g.leaves, add_pair, &g, NULL);
      add_objects(&g, g.rocks);
      add_objects(&g, g.leaves);
    }
    if (frame == 300 && !save_and_load(&g))
      return 1;
  }
  sp_stats all;
  sp_manager_stats(g.manager, &all);
  add_word(&g, all.expired);
  printf("%016llx\n", (unsigned long long)g.sum);
  return sp_manager_close(g.manager) == SP_OK ? 0 : 1;
}
