/*
** Films when memory is refused, at every call, one or all from there on: frames are left out, or nothing is kept or
** written; nothing leaks, and those that are kept show as long as the game took.
*/
#include "demo/capture/film.h"
#include "demo/play.h"
#include "demo/stage.h"
#include "support/refuse.h"
#include "support/test.h"

static const SDL_Color BLACK = {0, 0, 0, 255};

enum { SCENES = 12, SCENE_STEPS = 3 };

/* The quads that the frames have room for are counted, and no time of the game is lost. */
static void check_kept(const film *f, int first)
{
  size_t quads = 0;
  int steps = 0;
  for (int i = 0; i < f->room; i++)
    quads += f->frames[i].scene.room;
  for (int i = 0; i < f->count; i++)
    steps += f->frames[(f->first + i) % f->room].steps;
  if (quads != f->quads || steps != (f->count ? (SCENES - first) * SCENE_STEPS : 0)) {
    refuse_relent();
    ck_abort_msg("%zu quads counted, %zu there; %d steps", f->quads, quads, steps);
  }
}

static void keep_and_write(stage *s, const batch *scenes)
{
  film f;
  int first = SCENES;
  film_state state = FILM_WRITING;
  bool open = film_open(&f, 1, 1.0 / 60);
  for (int i = 0; open && i < SCENES; i++) {
    film_take(&f, &scenes[i], SCENE_STEPS);
    first = f.count > 0 && first == SCENES ? i : first;
  }
  if (open)
    check_kept(&f, first);
  while (open && (f.next >= 0 || film_begin(&f)) && state == FILM_WRITING)
    state = film_write(&f, s->window.renderer, BLACK);
  film_close(&f);
}

static void fill_scenes(stage *s, batch *scenes)
{
  batch_area white = sprites_white(s->sprites), none = {.texture = NULL};
  for (int i = 0; i < SCENES; i++)
    for (int k = 0; k < (i * 7 % SCENES + 1) * 300; k++)
      ck_assert(batch_rect(&scenes[i], k / 100 % 2 ? &white : &none, (float)(k % 60), 5, 3, 3, BLACK));
}

static test_group tcase = {"refused"};

TESTS(tcase, a_film_loses_no_memory_and_no_time_when_a_call_is_refused, 2)
{
  stage s;
  batch scenes[SCENES] = {{.vertices = NULL}};
  bool some = refuse_can();
  stage_open(&s, 16, 12, NULL);
  fill_scenes(&s, scenes);
  size_t n = 1;
  for (; some; n++) {
    refuse_begin(n, _i);
    keep_and_write(&s, scenes);
    refusals r = refuse_end();
    ck_assert_msg(r.blocks == 0, "call %zu: %zu blocks are left", n, r.blocks);
    some = r.count > 0;
  }
  ck_assert(n > 60 || !refuse_can());
  for (int i = 0; i < SCENES; i++)
    batch_free(&scenes[i]);
  stage_close(&s);
}

static void take_frames(film *f, const batch *scenes, const SDL_Vertex **vertices)
{
  for (int i = 0; i < 40; i++)
    film_take(f, &scenes[0], SCENE_STEPS);
  for (int i = 0; i < f->count; i++)
    vertices[i] = f->frames[i].scene.vertices;
}

TEST(tcase, a_steady_film_allocates_nothing)
{
  const SDL_Vertex *first[20], *later[20];
  stage s;
  batch scenes[SCENES] = {{.vertices = NULL}};
  film f;
  stage_open(&s, 16, 12, NULL);
  fill_scenes(&s, scenes);
  ck_assert(film_open(&f, 1, 1.0 / 60));
  take_frames(&f, scenes, first);
  take_frames(&f, scenes, later);
  ck_assert_int_eq(f.count, 20);
  ck_assert_mem_eq(first, later, sizeof first);
  film_close(&f);
  for (int i = 0; i < SCENES; i++)
    batch_free(&scenes[i]);
  stage_close(&s);
}

SUITE(film_memory, &tcase)
