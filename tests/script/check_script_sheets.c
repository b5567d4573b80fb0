/*
** Frames of sprite sheets: those that a host draws are those that scripts read.
*/
#include "script/scripted.h"

#include "core/spawnpool.h"

/* In each step some objects end, begin, and show something else; all write down their frame as their x. */
#define GAME                                                                                                           \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "local pools <const> = spawnpool.pools\n"                                                                            \
  "spawnpool.class('Named', { sprite = 'even', animation = 'run' })\n"                                                 \
  "spawnpool.class('Timed', { sprite = 'even', animation = { frames = { 1, 2, 9, 4 }, fps = 12 } })\n"                 \
  "spawnpool.class('Whole', { sprite = 'uneven', animation = {} })\n"                                                  \
  "spawnpool.class('Once', { sprite = 'even', animation = { frames = 5, loop = false } })\n"                           \
  "spawnpool.class('Long', { sprite = 'long', animation = {} })\n"                                                     \
  "local names <const>, sprites <const> = { 'run', 'idle', 'once', 'missing' }, { 'even', 'uneven', 'even' }\n"        \
  "for _, type in ipairs { 'Named', 'Timed', 'Whole', 'Once', 'Long' } do\n"                                           \
  "  for i = 1, 260 do pools:alloc(type).remaining = i % 7 == 0 and i / 60 or math.huge end\n"                         \
  "end\n"                                                                                                              \
  "return { update = function()\n"                                                                                     \
  "  for o in pools:each() do\n"                                                                                       \
  "    local dice <const> = math.random(400)\n"                                                                        \
  "    if dice <= 4 then o.animation = names[dice] elseif dice <= 7 then o.sprite = sprites[dice - 4]\n"               \
  "    elseif dice == 8 then local f <const> = math.random(8) o.frame = f assert(o.frame == f)\n"                      \
  "    elseif dice == 9 then o.animation = nil\n"                                                                      \
  "    elseif dice == 10 then o.pool:alloc() o:recycle() end\n"                                                        \
  "  end\n"                                                                                                            \
  "  for o in pools:each() do o.x = o.frame end\n"                                                                     \
  "end }\n"

static const float lasting[2][8] = {{0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f},
                                    {0.1f, 0.25f, 0.05f, 0.1f, 0.3f, 0.1f, 0.15f, 0.1f}};
static const uint16_t running[] = {2, 3, 4, 5, 6, 7}, idling[] = {1, 8};
static const sp_sheet_animation animations[] = {{.name = "run", .frames = running, .count = 6, .loop = true},
                                                {.name = "idle", .frames = idling, .count = 2, .loop = true},
                                                {.name = "once", .frames = running, .count = 6}};
static const sp_sheet sheets[] = {{8, lasting[0], animations, 3}, {8, lasting[1], animations, 3}};
enum { LONG = 100 }; /* more frames than an animation of a class may list */

/* Returns how many frames were compared. */
static int compare_frames(const scripted *g, const char *type)
{
  sp_pool *pool = sp_find_pool(sp_script_pools(g->script), type);
  int compared = 0;
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(pool); chunk++) {
    uint16_t frames[SP_CHUNK_SLOTS];
    const float *read = sp_pool_peek(pool, chunk, SP_X);
    const uint64_t *live = sp_pool_live_bits(pool, chunk);
    ck_assert(sp_script_frames(g->script, pool, chunk, frames));
    for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
      if (live[i / 64] >> i % 64 & 1) {
        ck_assert_msg(frames[i] == (uint16_t)read[i], "%s in slot %u: %u is drawn, scripts read %g", type,
                      chunk * SP_CHUNK_SLOTS + i, frames[i], (double)read[i]);
        compared++;
      }
  }
  return compared;
}

static test_group frames_tests = {"frames"}; /* slow tools */

SCRIPT_TEST(frames_tests, what_is_drawn_is_what_scripts_read)
{
  static const char *const types[] = {"Named", "Timed", "Whole", "Once", "Long"};
  int compared = 0;
  float durations[LONG];
  for (int i = 0; i < LONG; i++)
    durations[i] = 0.01f * (float)(1 + i % 4);
  sp_sheet sheet = {LONG, durations, animations, 3};
  scripted_make(g, GAME);
  g->options.seed = 1;
  scripted_open(g);
  ck_assert(sp_script_set_sheet(g->script, "even", &sheets[0]));
  ck_assert(sp_script_set_sheet(g->script, "uneven", &sheets[1]));
  ck_assert(sp_script_set_sheet(g->script, "long", &sheet));
  ck_assert(sp_script_start(g->script, 0, NULL));
  for (int step = 0; step < 120; step++) {
    ck_assert_msg(scripted_update(g), "%s", scripted_told(g));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
      compared += compare_frames(g, types[i]);
    ck_assert(sp_script_update(g->script, 1.0 / 60));
  }
  ck_assert_int_gt(compared, 100000);
}

SUITE(script_sheets, &frames_tests)
