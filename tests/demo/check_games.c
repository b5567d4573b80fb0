/*
** The games in scripts/, from outside: they run without a complaint, the same seed gives the same game, and their pools
** stop growing.
*/
#include "demo/game_run.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

static void expect_same_files(const char *a, const char *b)
{
  size_t a_size, b_size;
  char *a_bytes = gamerun_read(a, &a_size), *b_bytes = gamerun_read(b, &b_size);
  ck_assert_msg(a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0, "%s and %s differ", a, b);
  free(a_bytes);
  free(b_bytes);
}

#define GAMES_MOST 16

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Writes the path of game `number`, from 0, of the folders in scripts/ that have a main.lua. False: there is none. */
static bool find_game(int number, char *game, size_t size)
{
  struct dirent **found;
  int all = scandir("scripts", &found, is_visible, alphasort), games = 0;
  ck_assert_int_gt(all, 0);
  for (int i = 0; i < all; free(found[i++])) {
    char path[PATH_MOST], main[PATH_MOST + 16];
    struct stat info;
    snprintf(path, sizeof path, "scripts/%s", found[i]->d_name);
    snprintf(main, sizeof main, "%s/main.lua", path);
    if (stat(main, &info) == 0 && games++ == number)
      snprintf(game, size, "%s", path);
  }
  free(found);
  return number < games;
}

/* It shows how fast the machine is: the picture is not the same twice, and a frame is much work. */
static bool is_benchmark(const char *game)
{
  return strcmp(game, "scripts/search_vs_queue") == 0 || strcmp(game, "scripts/storm") == 0;
}

static char *game_seeded(const char *game, int frames, const char *picture)
{
  char options[PATH_MOST + 64];
  test_process p;
  char *pools;
  snprintf(options, sizeof options, "--frames %d --seed 7 --stats - --screenshot '%s'", frames, picture);
  p = game_run(game, options);
  pools = gamerun_pools(p.out, frames);
  test_process_free(&p);
  return pools;
}

static void expect_same_twice(const char *game)
{
  int frames = is_benchmark(game) ? 8 : 300;
  char first[PATH_MOST], second[PATH_MOST], *a, *b;
  snprintf(first, sizeof first, "%s/first.png", folder);
  snprintf(second, sizeof second, "%s/second.png", folder);
  a = game_seeded(game, frames, first);
  b = game_seeded(game, frames, second);
  ck_assert_str_eq(a, b);
  if (!is_benchmark(game))
    expect_same_files(first, second);
  free(a);
  free(b);
}

static test_group core = {"core", setup, teardown, 60};

TESTS(core, every_game_runs_and_the_same_seed_gives_the_same_game, GAMES_MOST)
{
  char game[PATH_MOST];
  if (find_game(_i, game, sizeof game))
    expect_same_twice(game);
  else
    ck_assert_int_ge(_i, 10); /* there are so many */
}

TEST(core, no_game_is_left_out)
{
  char game[PATH_MOST];
  ck_assert(!find_game(GAMES_MOST, game, sizeof game));
}

static void expect_other_seed_other_game(const char *game)
{
  test_process a = game_run(game, "--frames 300 --seed 7 --stats -"),
               b = game_run(game, "--frames 300 --seed 8 --stats -");
  char *first = gamerun_pools(a.out, 300), *second = gamerun_pools(b.out, 300);
  ck_assert_str_ne(first, second);
  free(first);
  free(second);
  test_process_free(&a);
  test_process_free(&b);
}

TEST(core, another_seed_gives_another_game)
{
  expect_other_seed_other_game("scripts/random_spawn");
  expect_other_seed_other_game("scripts/footprints");
  expect_other_seed_other_game("scripts/scenes");
}

/* With one sample instead of five, of a tenth of the work, a pass is short; it ends with the median of every kind, one
   line each. */
TEST(core, the_benchmark_prints_its_figures)
{
  static const char *const names[] = {"search", "queue", "spawnpool"};
  test_process p = test_run(10,
                            "cp -R scripts/search_vs_queue/. '%s' && grep -c 'SAMPLES <const> = 5\\|PAIRS = 100000 ' "
                            "'%s/bench.lua' | grep -q 2 && sed -i.old 's/SAMPLES <const> = 5/SAMPLES <const> = 1/; "
                            "s/PAIRS = 100000 /PAIRS = 10000 /' '%s/bench.lua'",
                            folder, folder, folder);
  ck_assert_msg(p.status == 0, "%s", p.err);
  test_process_free(&p);
  p = game_run(folder, "--frames 150");
  ck_assert_ptr_nonnull(strstr(p.out, "10000 pairs per sample: total time, median of 1\n"));
  for (int size = 10; size <= 1000; size *= 10)
    for (int i = 0; i < 3; i++) {
      char line[64];
      snprintf(line, sizeof line, "%5d objects x %5d rounds   %-10s ", size, 10000 / size, names[i]);
      ck_assert_msg(strstr(p.out, line) != NULL, "no line '%s' in:\n%s", line, p.out);
    }
  test_process_free(&p);
}

/* From `warm` frames on, pools hand out what they have: `total` stays, while `allocs` grows. Returns the pools after a
   minute. */
static char *expect_reuse(const char *game, int warm, const char *const *types, int count)
{
  test_process p = game_run(game, "--frames 3600 --seed 1 --stats -");
  char *early = gamerun_pools(p.out, warm), *late = gamerun_pools(p.out, 3600);
  for (int i = 0; i < count; i++) {
    long made = gamerun_number(early, types[i], "total"), before = gamerun_number(early, types[i], "allocs");
    ck_assert_msg(gamerun_number(late, types[i], "total") == made, "%s: pool '%s' went on growing", game, types[i]);
    ck_assert_int_gt(gamerun_number(late, types[i], "allocs"), before + made);
  }
  free(early);
  test_process_free(&p);
  return late;
}

TEST(core, pools_stop_growing_while_allocs_go_on)
{
  static const char *const cubes[] = {"Cube", "Chip"};
  static const char *const spawn[] = {"Ripple", "Dust"};
  static const char *const prints[] = {"Footprint", "Splat", "Row", "Shadow", "Ember"};
  free(expect_reuse("scripts/cubes", 600, cubes, 2));
  free(expect_reuse("scripts/random_spawn", 600, spawn, 2));
  free(expect_reuse("scripts/footprints", 1200, prints, 5));
}

TEST(core, the_shooter_plays_itself_and_its_pools_stop_growing)
{
  static const char *const shooter[] = {"Bullet", "Drone", "Exhaust", "Flash", "Popup", "Spark", "Star"};
  char *pools = expect_reuse("scripts/shooter", 60, shooter, 7);
  ck_assert_int_ge(gamerun_number(pools, "Drone", "allocs"), 20);
  ck_assert_int_ge(gamerun_number(pools, "Bullet", "allocs"), 200);
  /* Points pop up for what was hit, and only then. */
  ck_assert_int_ge(gamerun_number(pools, "Popup", "allocs"), 40);
  /* It is too good to lose all three ships in a minute. */
  ck_assert_int_le(gamerun_number(pools, "Ship", "allocs"), 3);
  ck_assert_int_eq(gamerun_number(pools, "Ship", "live"), 1);
  free(pools);
}

TEST(core, the_shooter_takes_more_stars)
{
  test_process p = test_run(PATIENCE, PLAY "--frames 120 --seed 1 --stats - scripts/shooter -- 10000");
  char *pools;
  ck_assert_msg(p.status == 0, "%s", p.err);
  pools = gamerun_pools(p.out, 120);
  ck_assert_int_ge(gamerun_number(pools, "Star", "live"), 10000);
  free(pools);
  test_process_free(&p);
  p = test_run(PATIENCE, PLAY "--frames 1 scripts/shooter -- many");
  ck_assert_int_eq(p.status, 1);
  ck_assert_ptr_nonnull(strstr(p.err, "how many more stars?"));
  test_process_free(&p);
}

TESTS(core, games_fit_other_windows, 3)
{
  static const char *const sizes[] = {"160x120", "1920x1080", "600x900"};
  static const char *const games[] = {"scripts/shooter",    "scripts/cubes",    "scripts/random_spawn",
                                      "scripts/footprints", "scripts/scenes",   "scripts/breakout",
                                      "scripts/fireworks",  "scripts/survivors"};
  char options[64];
  test_process p;
  snprintf(options, sizeof options, "--frames 120 --seed 1 --size %s", sizes[_i]);
  for (size_t game = 0; game < sizeof games / sizeof games[0]; game++) {
    p = game_run(games[game], options);
    test_process_free(&p);
  }
  snprintf(options, sizeof options, "--frames 3 --size %s", sizes[_i]);
  p = game_run("scripts/search_vs_queue", options);
  test_process_free(&p);
  p = game_run("scripts/storm", options);
  test_process_free(&p);
}

/* A module that writes: each text is measured before it is drawn, and one that leaves the picture is printed. */
#define PROBE                                                                                                          \
  "local m = require \"%s\" local draw = m.draw "                                                                      \
  "m.draw = function(g) "                                                                                              \
  "  local function text(_, x, y, s, size, align) "                                                                    \
  "    local w, h = g:measure(s, size) "                                                                               \
  "    local left = align == \"right\" and x - w or align == \"center\" and x - w / 2 or x "                           \
  "    local fits = left > -0.5 and left + w < g.width + 0.5 and y + h < g.height + 0.5 "                              \
  "    if not fits and s ~= \"\" then print(\"cut: \" .. s) end "                                                      \
  "    g:text(x, y, s, size, align) "                                                                                  \
  "  end "                                                                                                             \
  "  return draw(setmetatable({ text = text }, { __index = function(_, name) "                                         \
  "    local v = g[name] "                                                                                             \
  "    return type(v) == \"function\" and function(_, ...) return v(g, ...) end or v "                                 \
  "  end })) "                                                                                                         \
  "end "

static const struct {
  const char *game, *module;
} writers[] = {
    {"breakout", "hud"},          {"cubes", "panel"},          {"footprints", "panel"}, {"random_spawn", "panel"},
    {"scenes", "panel"},          {"search_vs_queue", "bars"}, {"shooter", "hud"},      {"storm", "panel"},
    {"search_vs_queue", "lanes"}, {"storm", "slider"},         {"survivors", "hud"},
};

TESTS(core, no_text_is_cut_at_any_size, (int)(sizeof writers / sizeof *writers))
{
  static const char *const sizes[] = {"320x240", "640x480", "1920x1080"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    test_process p = test_run(PATIENCE, PLAY "--seed 1 --frames 12 --size %s --exec '" PROBE "' scripts/%s", sizes[i],
                              writers[_i].module, writers[_i].game);
    ck_assert_msg(p.status == 0, "%s", p.err);
    ck_assert_msg(strstr(p.out, "cut: ") == NULL, "%s at %s: %s", writers[_i].game, sizes[i], p.out);
    test_process_free(&p);
  }
}

/* What is seen is as large in every window: the world is scaled, not cut. */
TEST(core, a_game_is_as_high_in_every_window)
{
  static const char *const sizes[] = {"320x240", "1600x1200"};
  static const char *const games[] = {"shooter", "scenes"};
  for (int i = 0; i < 4; i++) {
    test_process p = test_run(PATIENCE,
                              PLAY "--frames 12 --size %s --exec 'spawnpool.pools:after(0.1, function() "
                                   "print(require(\"stage\").height) end)' scripts/%s",
                              sizes[i / 2], games[i % 2]);
    ck_assert_msg(p.status == 0 && strstr(p.out, "\n600") != NULL, "%s%s", p.out, p.err);
    test_process_free(&p);
  }
}

SUITE(games, &core)
