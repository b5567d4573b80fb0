/*
** A million objects on one thread and on two: microseconds per call. The second thread is a worker of the program, as
** the host of spawnpool_tasks.h has them; both take ranges from one counter.
*/
#include "../clock.hpp"
#include "../contestant.hpp"

#include "core/spawnpool.h"
#include "core/spawnpool_tasks.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace bench;

static const uint32_t OBJECTS = 1000000;
static const float SIDE = 1000;

/* One thread besides the one that calls. */
struct worker {
  std::mutex lock;
  std::condition_variable begin, end;
  unsigned turn = 0;
  bool works = false, quits = false;
  sp_task_fn fn;
  void *task;
  uint32_t count, range;
  std::atomic<uint32_t> next;
  std::thread thread{[this] { run(); }};

  ~worker()
  {
    lock.lock();
    quits = true;
    lock.unlock();
    begin.notify_one();
    thread.join();
  }
  void take_ranges()
  {
    for (uint32_t at; (at = next.fetch_add(range)) < count;)
      fn(at, count - at < range ? count : at + range, task);
  }
  void run()
  {
    std::unique_lock<std::mutex> held(lock);
    for (unsigned seen = 0;;) {
      begin.wait(held, [&] { return turn != seen || quits; });
      if (quits)
        return;
      seen = turn;
      held.unlock();
      take_ranges();
      held.lock();
      works = false;
      end.notify_one();
    }
  }
};

static void *enqueue(sp_task_fn fn, uint32_t count, uint32_t least, void *task, void *ud)
{
  worker *w = static_cast<worker *>(ud);
  {
    std::lock_guard<std::mutex> held(w->lock);
    w->fn = fn;
    w->task = task;
    w->count = count;
    w->range = std::max(count / 16, least);
    w->next = 0;
    w->works = true;
    w->turn++;
  }
  w->begin.notify_one();
  return w;
}

static void finish(void *enqueued, void *)
{
  worker *w = static_cast<worker *>(enqueued);
  w->take_ranges();
  std::unique_lock<std::mutex> held(w->lock);
  w->end.wait(held, [&] { return !w->works; });
}

/* `plain`: only velocities; else what a pool can do to its objects by itself. */
static sp_pool *open_pool(sp_manager *manager, bool plain)
{
  sp_curve fade = {};
  fade.column = SP_LOOK;
  fade.offset = offsetof(sp_look, a);
  fade.count = 2;
  fade.points[0] = 1;
  sp_pool_desc desc = {};
  desc.type = "Spark";
  desc.spatial = true;
  desc.vx = 30;
  desc.vy = 40;
  desc.settings.prealloc = OBJECTS;
  if (!plain) {
    desc.motion.gravity = 30;
    desc.motion.drag = 0.1f;
    desc.motion.face_velocity = true;
    desc.bounds.w = desc.bounds.h = SIDE;
    desc.bounds.outside = SP_OUTSIDE_BOUNCE;
    desc.curves = &fade;
    desc.curve_count = 1;
  }
  sp_pool *pool = sp_add_pool(manager, &desc, nullptr);
  random_numbers random;
  for (uint32_t i = 0; pool && i < OBJECTS; i++) {
    const sp_place place = {float(random.below(1000)), float(random.below(1000)), 0};
    sp_pool_alloc_at(pool, 1e6, &place, nullptr);
  }
  return pool;
}

static void run(const sp_tasks *tasks)
{
  static const char *const patterns[] = {"all", "velocity"};
  for (int plain = 0; plain < 2; plain++) {
    sp_manager *manager = sp_open(nullptr, nullptr);
    if (!manager || !open_pool(manager, plain != 0) || sp_set_tasks(manager, tasks) != SP_OK)
      abort();
    sp_update(manager, sp_step(manager));
    const int frames = quick() ? 10 : 40;
    report(patterns[plain], per_operation(frames, 1, [&](int) { sp_update(manager, sp_step(manager)); }) / 1000);
    sp_close(manager);
  }
}

static void run_one() { run(nullptr); }

static void run_two()
{
  worker other;
  const sp_tasks tasks = {enqueue, finish, &other};
  run(&tasks);
}

static const contestant contestants[] = {{"one", run_one}, {"two", run_two}};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
