/*
** One manager, many threads: a cloud of a million sparks that fly, fade and bounce, played by a few workers. The pool
** of threads is what a game has anyway; the two callbacks that hand it the library's passes are `enqueue` and `finish`.
** The sum that is printed is the same for any number of threads.
**
**   workers [THREADS [SPARKS [FRAMES]]]      `time` as a fourth argument prints how long a frame took
*/
#include <pthread.h>
#include <spawnpool.h>
#include <spawnpool_tasks.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS_MOST 64
#define SIDE 1000.0f

/* {== Workers ============================================================ */

typedef struct crew {
  pthread_t threads[THREADS_MOST];
  int others; /* threads besides the one that plays */
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  unsigned turn; /* counts the tasks */
  int working;   /* threads that have not finished with this one */
  bool quits;
  /* The task: `range` items at a time are taken from `next` on. */
  sp_task_fn fn;
  void *task;
  uint32_t count, range;
  atomic_uint next;
} crew;

static void take_ranges(crew *c)
{
  for (uint32_t at; (at = atomic_fetch_add(&c->next, c->range)) < c->count;)
    c->fn(at, c->count - at < c->range ? c->count : at + c->range, c->task);
}

static void *work(void *argument)
{
  crew *c = argument;
  unsigned seen = 0;
  pthread_mutex_lock(&c->lock);
  for (;;) {
    while (c->turn == seen && !c->quits)
      pthread_cond_wait(&c->begin, &c->lock);
    if (c->quits)
      break;
    seen = c->turn;
    pthread_mutex_unlock(&c->lock);
    take_ranges(c);
    pthread_mutex_lock(&c->lock);
    if (--c->working == 0)
      pthread_cond_signal(&c->end);
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* Some ranges for each thread, so that none waits long for the last one. */
static void *enqueue(sp_task_fn fn, uint32_t count, uint32_t least, void *task, void *ud)
{
  crew *c = ud;
  uint32_t share = count / (8 * ((uint32_t)c->others + 1));
  pthread_mutex_lock(&c->lock);
  c->fn = fn;
  c->task = task;
  c->count = count;
  c->range = share > least ? share : least;
  atomic_store(&c->next, 0);
  c->working = c->others;
  c->turn++;
  pthread_cond_broadcast(&c->begin);
  pthread_mutex_unlock(&c->lock);
  return c;
}

static void finish(void *enqueued, void *ud)
{
  crew *c = ud;
  (void)enqueued;
  take_ranges(c);
  pthread_mutex_lock(&c->lock);
  while (c->working > 0)
    pthread_cond_wait(&c->end, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

static void crew_open(crew *c, int threads)
{
  memset(c, 0, sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->begin, NULL);
  pthread_cond_init(&c->end, NULL);
  while (c->others < threads - 1 && pthread_create(&c->threads[c->others], NULL, work, c) == 0)
    c->others++;
}

static void crew_close(crew *c)
{
  pthread_mutex_lock(&c->lock);
  c->quits = true;
  pthread_cond_broadcast(&c->begin);
  pthread_mutex_unlock(&c->lock);
  for (int i = 0; i < c->others; i++)
    pthread_join(c->threads[i], NULL);
}

/* }== */

/* {== Sparks ============================================================= */

static sp_pool *open_sparks(sp_manager *manager, uint32_t count)
{
  sp_curve fade = {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 2, .points = {1, 0}};
  sp_pool_desc desc = {.type = "Spark", .spatial = true};
  desc.settings.prealloc = count;
  desc.motion = (sp_motion){.gravity = 30, .drag = 0.1f, .face_velocity = true};
  desc.bounds = (sp_bounds){0, 0, SIDE, SIDE, SP_OUTSIDE_BOUNCE};
  desc.curves = &fade;
  desc.curve_count = 1;
  return sp_add_pool(manager, &desc, NULL);
}

/* Numbers that look random: the same in every run. */
static float number(uint32_t *seed, float most)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (float)(*seed >> 8) / (float)(1 << 24) * most;
}

static bool light(sp_manager *manager, sp_pool *sparks, uint32_t *seed)
{
  sp_place place = {number(seed, SIDE), number(seed, SIDE), 0};
  sp_ref spark = sp_pool_alloc_at(sparks, 1 + number(seed, 4), &place, NULL);
  float *vx = sp_cell(manager, spark, SP_VX), *vy = sp_cell(manager, spark, SP_VY);
  if (!vx || !vy)
    return false;
  *vx = number(seed, 200) - 100;
  *vy = number(seed, 200) - 100;
  return true;
}

static void add_up(uint64_t *sum, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    *sum = (*sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

static uint64_t sum_of(sp_pool *sparks)
{
  uint64_t sum = 14695981039346656037u;
  for (uint32_t k = 0; k < sp_pool_chunks(sparks); k++) {
    for (int column = SP_X; column <= SP_ANGLE; column++)
      add_up(&sum, sp_pool_peek(sparks, k, column), SP_CHUNK_SLOTS * sizeof(float));
    add_up(&sum, sp_pool_peek(sparks, k, SP_LOOK), SP_CHUNK_SLOTS * sizeof(sp_look));
  }
  return sum;
}

static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns the seconds that the quickest frame took. */
static double play(sp_manager *manager, sp_pool *sparks, uint32_t count, int frames)
{
  uint32_t seed = 1;
  double least = 1e9;
  for (int frame = 0; frame < frames; frame++) {
    while (sp_pool_live(sparks) < count && light(manager, sparks, &seed))
      ;
    double from = now();
    sp_update(manager, sp_step(manager));
    double took = now() - from;
    least = took < least ? took : least;
  }
  return least;
}

/* }== */

int main(int argc, char **argv)
{
  int threads = argc > 1 ? atoi(argv[1]) : 4, frames = argc > 3 ? atoi(argv[3]) : 30;
  uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 1000000;
  if (threads < 1 || threads > THREADS_MOST)
    return 2;
  crew c;
  crew_open(&c, threads);
  sp_manager *manager = sp_open(NULL, NULL);
  sp_tasks tasks = {enqueue, finish, &c};
  sp_pool *sparks = manager ? open_sparks(manager, count) : NULL;
  bool ready = sparks && sp_set_tasks(manager, &tasks) == SP_OK;
  if (ready) {
    double took = play(manager, sparks, count, frames);
    printf("%u sparks, sum %016llx\n", sp_pool_live(sparks), (unsigned long long)sum_of(sparks));
    if (argc > 4 && strcmp(argv[4], "time") == 0)
      printf("%d threads: %.2f ms a frame\n", c.others + 1, took * 1e3);
  }
  if (manager)
    sp_close(manager);
  crew_close(&c);
  return ready ? 0 : 1;
}
