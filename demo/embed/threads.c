/*
** Managers share nothing, so that each thread may have its own. Here a shower of sand is cut into parts, each a manager
** with a random number of its own to begin with; threads take the next part that nobody plays yet, and what fell where
** is added up in the end. Who plays which part is chance, what comes out is not: 1 thread or 8, it is the same heap.
**
**   threads [THREADS]
*/
#include <pthread.h>
#include <spawnpool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 24
#define TICKS 900
#define GRAINS_A_TICK 4
#define BINS 24
#define WIDTH 480.0f
#define FLOOR 300.0f
#define THREADS_MOST 64

typedef struct part {
  uint64_t random;
  uint32_t fallen[BINS], aside; /* what a part comes to; written by the one thread that plays it */
  bool played;
} part;

typedef struct work {
  part parts[PARTS];
  atomic_uint next; /* the first part that nobody has taken */
} work;

/* {== One part =========================================================== */

static float between(part *p, float low, float high)
{
  p->random = p->random * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (float)(p->random >> 40) / (float)(1 << 24);
}

/* A grain has left the bounds: through the floor, where it is counted, or to a side. */
static void on_despawn(void *ud, sp_pool *pool, sp_ref grain, sp_why why)
{
  part *p = ud;
  sp_place at;
  if (why != SP_WHY_OUTSIDE || !sp_world_place(sp_pool_manager(pool), grain, &at))
    return;
  if (at.y > FLOOR && at.x >= 0 && at.x < WIDTH)
    p->fallen[(int)(at.x * BINS / WIDTH)]++;
  else
    p->aside++;
}

/* A hook of the type: it runs in every sp_update, before what lives is moved. */
static void on_update(void *ud, sp_pool *pool, double dt)
{
  (void)dt;
  for (int i = 0; i < GRAINS_A_TICK; i++) {
    sp_manager *manager = sp_pool_manager(pool);
    sp_ref grain = sp_pool_alloc_at(pool, 0, &(sp_place){WIDTH / 2, 10, 0}, NULL);
    float *vx = sp_cell(manager, grain, SP_VX), *vy = sp_cell(manager, grain, SP_VY);
    if (!vx || !vy)
      return;
    /* Many small pushes to either side make a bell. */
    for (int push = 0; push < 6; push++)
      *vx += between(ud, -40, 40);
    *vy = between(ud, -120, 0);
  }
}

static void play(part *p)
{
  sp_manager *manager = sp_open(NULL, NULL);
  sp_pool_desc desc = {.type = "Grain", .spatial = true};
  desc.motion = (sp_motion){.gravity = 200, .drag = 0.2f};
  desc.bounds = (sp_bounds){-10, -1000, WIDTH + 20, 1000 + FLOOR, SP_OUTSIDE_RECYCLE};
  desc.hooks = (sp_hooks){.ud = p, .on_despawn = on_despawn, .update = on_update};
  p->played = manager && sp_add_pool(manager, &desc, NULL);
  for (int tick = 0; p->played && tick < TICKS; tick++)
    sp_update(manager, sp_step(manager));
  sp_close(manager);
}

static void *play_parts(void *argument)
{
  work *w = argument;
  for (unsigned i; (i = atomic_fetch_add(&w->next, 1)) < PARTS;)
    play(&w->parts[i]);
  return NULL;
}

/* }== */

/* False when a part could not be played to its end. */
static bool play_all(work *w, int threads)
{
  pthread_t others[THREADS_MOST];
  int started = 1;
  memset(w->parts, 0, sizeof w->parts);
  atomic_init(&w->next, 0);
  for (uint64_t i = 0; i < PARTS; i++)
    w->parts[i].random = i + 1;
  while (started < threads && pthread_create(&others[started], NULL, play_parts, w) == 0)
    started++;
  play_parts(w); /* this thread is one of them */
  for (int i = 1; i < started; i++)
    pthread_join(others[i], NULL);
  for (int i = 0; i < PARTS; i++)
    if (!w->parts[i].played)
      return false;
  return true;
}

int main(int argc, char **argv)
{
  work w;
  uint32_t fallen[BINS] = {0}, aside = 0, most = 1;
  int threads = argc > 1 ? atoi(argv[1]) : 4;
  if (threads < 1 || threads > THREADS_MOST || !play_all(&w, threads))
    return 1;
  for (int i = 0; i < PARTS; i++) {
    aside += w.parts[i].aside;
    for (int bin = 0; bin < BINS; bin++)
      fallen[bin] += w.parts[i].fallen[bin];
  }
  for (int bin = 0; bin < BINS; bin++)
    most = fallen[bin] > most ? fallen[bin] : most;
  for (int bin = 0; bin < BINS; bin++)
    printf("%6u %.*s\n", fallen[bin], (int)(fallen[bin] * 60 / most),
           "############################################################");
  printf("%6u fell aside\n", aside);
  return 0;
}
