/*
** Every game in scripts/ is played while it is edited and while its hooks fail. In the suites that is a minute of game
** time each; `make soak-games` makes it an hour, and then memory must be flat too (SP_SOAK_FRAMES, SP_SOAK_GAME).
*/
#include "demo/soak.h"

#include "support/process.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MINUTE 3600         /* frames */
#define TROUBLE_EACH 300    /* frames */
#define LOOKS 20            /* at counts and memory, in a run */
#define FLAT_FROM 18000     /* frames: in less a game has not seen all that it has */
#define LUA_SLACK 32768     /* bytes that may come and go with what is alive */
#define PROCESS_SLACK 6.0e6 /* and what malloc keeps */

static const struct {
  const char *name, *keys;
  char argument[16];
  int share; /* of the frames: a hundred thousand objects take their time */
} games[] = {
    {"breakout", " a", "", 1},        {"cubes", "cspra", "", 1},       {"fireworks", " ", "", 10},
    {"footprints", "cxar", "", 1},    {"random_spawn", "htsr", "", 1}, {"scenes", "d12eac", "", 1},
    {"search_vs_queue", "r", "", 10}, {"shooter", " s", "", 1},        {"storm", " ", "", 10},
    {"survivors", "123d", "60", 4},
};

static uint64_t number_of(const char *name, uint64_t otherwise)
{
  const char *value = getenv(name);
  return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* {== Memory ============================================================= */

static size_t greater(size_t a, size_t b) { return a > b ? a : b; }

static soak_memory most_of(const soak_memory *looks, int first, int end)
{
  soak_memory most = looks[first];
  for (int i = first + 1; i < end; i++)
    most = (soak_memory){greater(most.lua, looks[i].lua), greater(most.pools, looks[i].pools),
                         greater(most.process, looks[i].process)};
  return most;
}

/* What the second half of a run holds at most, against the first half. */
static void expect_flat(const char *name, const soak_memory *looks)
{
  soak_memory before = most_of(looks, 0, LOOKS / 2), after = most_of(looks, LOOKS / 2, LOOKS);
  ck_assert_msg(after.lua <= before.lua + LUA_SLACK, "%s: Lua's heap has grown: %zu, %zu", name, before.lua, after.lua);
  ck_assert_msg(after.pools <= before.pools + before.pools / 10, "%s: the pools have grown: %zu, %zu", name,
                before.pools, after.pools);
  ck_assert_msg((double)after.process <= (double)before.process + PROCESS_SLACK, "%s: the process has grown: %zu, %zu",
                name, before.process, after.process);
}

/* }== */

static void tell(const char *name, const soak *s, const soak_memory *looks, double time)
{
  soak_memory before = most_of(looks, 0, LOOKS / 2), after = most_of(looks, LOOKS / 2, LOOKS);
  sp_stats all = sp_total_stats(game_pools(&s->game));
  printf("%-16s %7llu frames %6.1f s  %llu allocs  %llu edits %llu refused %llu reverted %llu hook faults "
         "(%llu stops, %llu errors told)\n",
         name, (unsigned long long)s->frames, time, (unsigned long long)all.allocs, (unsigned long long)s->edits,
         (unsigned long long)s->refused, (unsigned long long)s->reverted, (unsigned long long)s->hook_faults,
         (unsigned long long)s->stops, (unsigned long long)s->errors);
  printf("%-16s Lua %zu, %zu KiB  pools %zu, %zu KiB  process %zu, %zu KiB\n", "", before.lua / 1024, after.lua / 1024,
         before.pools / 1024, after.pools / 1024, before.process / 1024, after.process / 1024);
}

/* Frames of the run in the suites: fewer with slow tools, and where each is much work; trouble comes more often
   then. */
static uint64_t minute(bool is_heavy) { return MINUTE / (test_tool()[0] ? 10u : is_heavy ? 3u : 1u); }

static test_group long_games = {"long games", .timeout = 120};

TESTS(long_games, a_game_is_played_on_through_edits_and_faults, (int)(sizeof games / sizeof *games))
{
  static soak s;
  soak_memory looks[LOOKS];
  char path[64], argument[16];
  const char *name = games[_i].name, *chosen = getenv("SP_SOAK_GAME");
  uint64_t frames = number_of("SP_SOAK_FRAMES", minute(games[_i].share > 1)) / (uint64_t)games[_i].share;
  uint64_t each = TROUBLE_EACH / (uint64_t)games[_i].share;
  double begin = seconds();
  if (chosen && *chosen && strcmp(chosen, name) != 0)
    return;
  snprintf(path, sizeof path, "scripts/%s", name);
  snprintf(argument, sizeof argument, "%s", games[_i].argument);
  if (each > frames / 12)
    each = frames / 12 + 1; /* each kind at least once */
  soak_open(&s, path, games[_i].keys, argument[0] ? argument : NULL, number_of("SP_SOAK_SEED", 1));
  for (int look = 0; look < LOOKS; look++) {
    while (s.frames < frames * (uint64_t)(look + 1) / LOOKS) {
      soak_frame(&s);
      if (s.frames / each > s.troubles)
        soak_trouble(&s);
    }
    soak_check(&s);
    looks[look] = soak_measure(&s);
  }
  if (getenv("SP_SOAK_FRAMES"))
    tell(name, &s, looks, seconds() - begin);
  if (frames >= FLAT_FROM)
    expect_flat(name, looks);
  soak_close(&s);
}

Suite *sp_suite_soak_games(void)
{
  if (getenv("SP_SOAK_FRAMES"))
    long_games.timeout = 1e6; /* a soak ends when its frames are played */
  return test_suite("soak_games", (test_group *const[]){&long_games, NULL});
}
