/*
** A host with a Lua state for each thread, and nothing shared: each moves to its thread, plays, is edited, reloads,
** fails, is stopped and moves back while the others do the same, and hears what it hears alone. `make tsan` runs this
** with an eye on every access to memory.
*/
#include "script/scripted.h"
#include "support/process.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, EDITS = 8, FRAMES = 60 };

static const char main_file[] =
    "local pools <const>, Cube <const>, frame = require('spawnpool').pools, require 'pools.Cube', 0\n"
    "return { update = function()\n"
    "  frame = frame + 1\n"
    "  local cube <const> = pools:alloc('Cube', math.random() * 2, math.random(400), 7)\n"
    "  if frame % 5 == 0 then cube:after(0.1, function() cube.x = cube.x + 1 end) end\n"
    "  if frame % 7 == 0 then cube:run(function() coroutine.yield(0.2) cube:recycle() end) end\n"
    "  if frame % 100 == 50 then error('frame ' .. frame) end\n"
    "  while frame == 470 do end\n"
    "end, tell = function()\n"
    "  local sum = 0\n"
    "  for cube in pools:each() do sum = sum + cube.x + cube.id end\n"
    "  print(frame, Cube.turn, pools:stats('Cube').live, sum)\n"
    "end }\n";

static const char class_file[] = "local Cube <const> = require('spawnpool').class('Cube', { fields = { n = %d } })\n"
                                 "Cube.turn = %d function Cube:on_reload(cube) cube.x = cube.x + %d end return Cube\n";

static void save(const scripted *g, const char *text)
{
  char path[400];
  snprintf(path, sizeof path, "%s/pools/Cube.lua", g->folder);
  test_write(path, text);
}

static void save_class(const scripted *g, int turn)
{
  char text[sizeof class_file + 64];
  snprintf(text, sizeof text, class_file, turn, turn, turn);
  save(g, text);
}

/* Whatever fails is told. */
static void *play(void *ud)
{
  scripted *g = ud;
  for (int turn = 1; turn <= EDITS; turn++) {
    for (int frame = 0; frame < FRAMES; frame++) {
      scripted_update(g);
      sp_script_update(g->script, 1.0 / 60);
      sp_script_poll(g->script, SP_POLL_LOOK);
    }
    sp_script_call(g->script, "tell", NULL);
    sp_script_eval(g->script, "pools:stats('Cube').live, sel");
    save_class(g, turn);
    sp_script_poll(g->script, SP_POLL_NOW);
    save(g, "return {");
    sp_script_poll(g->script, SP_POLL_NOW);
  }
  return g;
}

static sp_report_fn tell;

/* But for what says how long a reload took, and the time of day. */
static void on_report(void *ud, sp_report kind, const char *text)
{
  if (kind != SP_REPORT_RELOAD && !strstr(text, " to the version before "))
    tell(ud, kind, text);
}

static test_group tcase = {"threads"};

TEST(tcase, hosts_on_threads_play_and_reload_as_they_do_alone)
{
  static scripted alone[THREADS], together[THREADS];
  static char wanted[sizeof alone[0].told];
  pthread_t threads[THREADS];
  for (int i = 0; i < 2 * THREADS; i++) {
    scripted *g = i < THREADS ? &alone[i] : &together[i - THREADS];
    scripted_make(g, main_file);
    g->options.seed = (uint64_t)(i % THREADS) / 2 + 1; /* two of each, so that the same is done at once */
    g->options.reload = g->options.trace = true;
    g->options.patience = *test_tool() ? 0.5 : 0.05;
    g->options.no_signal = *test_tool(); /* ThreadSanitizer holds signals back */
    tell = g->options.report;
    g->options.report = on_report;
    save_class(g, 0);
    scripted_begin(g);
  }
  for (int i = 0; i < THREADS; i++)
    play(&alone[i]);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert(scripted_update(&together[i]) == scripted_update(&alone[i]));
    snprintf(wanted, sizeof wanted, "%s", scripted_told(&alone[i]));
    ck_assert_str_eq(scripted_told(&together[i]), wanted);
    ck_assert(strstr(wanted, "frame 50") && strstr(wanted, "print: 120\t1\t") && strstr(wanted, "not reloaded: ") &&
              strstr(wanted, "stopped: it ran for"));
    scripted_end(&alone[i]);
    scripted_end(&together[i]);
  }
}

/* {== Rooms =============================================================== */

/* Two threads open, run, swap and close rooms: each goes on with those that the other has begun, and closes them. */

enum { ROOMS = 500, PLACES = 8 };

typedef struct exchange {
  pthread_mutex_t lock;
  sp_script *places[PLACES];
  int wrong;
} exchange;

static const sp_script_file room_files[] = {
    {"main.lua",
     "local pools <const> = require('spawnpool').pools\nlocal n = 0\n"
     "return { update = function() n = n + 1 for i = 1, 5000 do local _ = i end pools:alloc('Cube', 0.1, n) end,\n"
     "wait = function() while true do end end }",
     0},
    {NULL, NULL, 0}};

static void hear(void *ud, sp_report kind, const char *text) { (void)ud, (void)kind, (void)text; }

static sp_script *open_room(void)
{
  char error[256];
  sp_script_options o = sp_script_defaults("room");
  o.files = room_files;
  o.report = hear;
  o.patience = *test_tool() ? 0.5 : 0.02;
  sp_script *room = sp_script_open(&o, error, sizeof error);
  return room && sp_script_start(room, 0, NULL) ? room : NULL;
}

static bool run_room(sp_script *room)
{
  return sp_script_call(room, "update", NULL) == SP_CALL_DONE && sp_script_update(room, 1.0 / 60);
}

/* Puts the room into a place, and returns what was there. */
static sp_script *swap(exchange *e, sp_script *room, uint32_t place)
{
  pthread_mutex_lock(&e->lock);
  sp_script *other = e->places[place % PLACES];
  e->places[place % PLACES] = room;
  pthread_mutex_unlock(&e->lock);
  return other;
}

static int wrongs_of_rooms(exchange *e, uint32_t seed)
{
  int wrong = 0;
  for (int i = 0; i < ROOMS; i++) {
    sp_script *room = open_room();
    wrong += !room || !run_room(room);
    seed = seed * 1664525 + 1013904223;
    room = swap(e, room, seed >> 16);
    if (!room)
      continue;
    wrong += !run_room(room);
    /* ThreadSanitizer holds signals back, so no loop is stopped under it. */
    if (i % 50 == 25 && !*test_tool())
      wrong += sp_script_call(room, "wait", NULL) != SP_CALL_STOPPED;
    sp_script_doing(room, "waiting");
    if (i % 3 == 0)
      room = swap(e, room, seed >> 20);
    sp_script_close(room);
  }
  return wrong;
}

static void *be_host(void *ud)
{
  exchange *e = ud;
  const int wrong = wrongs_of_rooms(e, 1);
  pthread_mutex_lock(&e->lock);
  e->wrong += wrong;
  pthread_mutex_unlock(&e->lock);
  return NULL;
}

TEST(tcase, two_threads_open_run_swap_and_close_a_thousand_rooms)
{
  static exchange e = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t other;
  ck_assert_int_eq(pthread_create(&other, NULL, be_host, &e), 0);
  const int wrong = wrongs_of_rooms(&e, 2);
  ck_assert_int_eq(pthread_join(other, NULL), 0);
  for (int i = 0; i < PLACES; i++)
    sp_script_close(e.places[i]);
  ck_assert_int_eq(wrong + e.wrong, 0);
}

/* }== */

SUITE(script_threads, &tcase)
