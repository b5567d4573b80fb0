/*
** The game that the tests of a session play, and what they do with it. For check_session.c alone.
*/
#ifndef SP_TESTS_PLAYED_H
#define SP_TESTS_PLAYED_H

#include <spawnpool_session.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/process.h"
#include "support/test.h"

static char folder[300];
static char error[512];

typedef struct bytes {
  char *at;
  size_t size;
  bool refuses;
} bytes;

static bool put(void *ud, const void *from, size_t size)
{
  bytes *b = ud;
  if (b->refuses)
    return false;
  b->at = realloc(b->at, b->size + size + 1);
  memcpy(b->at + b->size, from, size);
  b->size += size;
  b->at[b->size] = '\0';
  return true;
}

static void quiet(void *ud, sp_report kind, const char *text) { (void)ud, (void)kind, (void)text; }

static void make_folder(void) { ck_assert(test_folder_make(folder, sizeof folder)); }
static void remove_folder(void) { ck_assert(test_folder_remove(folder)); }

static void write_file(const char *name, const char *text) { test_write(test_path(folder, name), text); }

/* Ships that keys move, a score, a timer, and chance. */
static const char game_main[] = "local spawnpool <const> = require 'spawnpool'\n"
                                "local pools <const>, input <const> = spawnpool.pools, spawnpool.input\n"
                                "local game <const> = { actions = { right = { 'right', 'pad:+leftx' } } }\n"
                                "local told = 0\n"
                                "function game.load(args) pools:alloc('Ship', 0, 10, 20).score = #args end\n"
                                "function game.update(dt)\n"
                                "  for ship in pools:each 'Ship' do\n"
                                "    if input.down 'right' then ship.x = ship.x + 2 end\n"
                                "    if input.pressed 'left' then ship.x = ship.x - 50 end\n"
                                "    ship.when = os.time()\n"
                                "  end\n"
                                "end\n"
                                "function game.key_pressed(key)\n"
                                "  if key == 'space' then pools:alloc('Ship', 1, math.random(100), 5) end\n"
                                "  if key == 'e' then error 'as asked' end\n"
                                "end\n"
                                "function game.weather(a, text)\n"
                                "  told = told + a\n"
                                "  for ship in pools:each 'Ship' do ship.word = text end\n"
                                "end\n"
                                "function game.hash() return { told = told } end\n"
                                "return game\n";

#define SHIP(gravity)                                                                                                  \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "return spawnpool.class('Ship', {\n"                                                                                 \
  "  fields = { score = 0, when = 0, word = '' },\n"                                                                   \
  "  motion = { gravity = " #gravity " },\n"                                                                           \
  "})\n"

static void make_game(void)
{
  make_folder();
  write_file("main.lua", game_main);
  write_file("pools/Ship.lua", SHIP(3));
}

static sp_script_options script;

static sp_session_options options(void)
{
  script = sp_script_defaults(folder);
  script.seed = 7;
  script.reload = true;
  script.report = quiet;
  return sp_session_defaults(&script);
}

static sp_session *opened(const sp_session_options *o)
{
  sp_session *s = sp_session_open(o, error, sizeof error);
  ck_assert_msg(s != NULL, "%s", error);
  return s;
}

static sp_session *started(const sp_session_options *o)
{
  sp_session *s = opened(o);
  ck_assert_msg(sp_session_start(s, 0, NULL), "%s", sp_script_error(sp_session_script(s)));
  return s;
}

static uint64_t hash_of(const sp_session *s) { return sp_manager_hash(sp_script_pools(sp_session_script(s))); }

static bool send(sp_session *s, const char *kind, const char *key)
{
  const sp_session_event_field field = {"key", 0, key};
  return sp_session_send(s, &(sp_session_event){kind, &field, 1});
}

static void step(sp_session *s, int frames)
{
  for (int i = 0; i < frames; i++)
    ck_assert_msg(sp_session_step(s), "%s: %s", sp_session_problem(s), sp_script_error(sp_session_script(s)));
}

static void play_to_end(sp_session *s)
{
  while (!sp_session_is_over(s))
    sp_session_step(s);
}

static bytes recording_of(sp_session *s)
{
  bytes b = {.at = NULL};
  ck_assert_msg(sp_session_write_recording(s, put, &b), "%s", sp_session_problem(s));
  return b;
}

static sp_session *replayed(sp_session_options o, const bytes *b, sp_session_files files)
{
  o.files = files;
  o.record = NULL;
  sp_session *s = sp_session_replay(&o, b->at, b->size, error, sizeof error);
  ck_assert_msg(s != NULL, "%s", error);
  play_to_end(s);
  return s;
}

static void expect_recorded(const sp_session *s)
{
  const char *difference = sp_session_difference(s);
  ck_assert_msg(!difference, "%s", difference);
}

static void seek(sp_session *s, uint64_t frame)
{
  sp_work work;
  while ((work = sp_session_seek(s, frame, 0)) == SP_WORK_GOING_ON)
    continue;
  ck_assert_msg(work == SP_WORK_DONE, "%s", sp_session_problem(s));
  ck_assert_uint_eq(sp_session_at(s).now, frame);
}

enum { LONG = 240 };

/* Plays everything that a run may have: keys, an event of the host, code from outside, a call, an edit. */
static void play(sp_session *s, uint64_t hashes[LONG + 1])
{
  static const sp_session_event_field weather[] = {{"a", 2, NULL}, {"text", 0, "r\xc3\xa4in"}};
  sp_script *inner = sp_session_script(s);
  for (int i = 1; i <= LONG; i++) {
    if (i == 20 || i == 60)
      ck_assert(send(s, i == 20 ? "key_pressed" : "key_released", "right"));
    if (i == 70)
      ck_assert(send(s, "key_pressed", "space") && send(s, "key_released", "space"));
    if (i == 80)
      ck_assert(sp_session_send(s, &(sp_session_event){"weather", weather, 2}));
    if (i == 100)
      ck_assert_int_eq(sp_script_eval(inner, "pools:alloc('Ship', 0, 1, 2).score = 7"), SP_EVAL_DONE);
    if (i == 110)
      ck_assert_int_eq(sp_script_call(inner, "weather", "is", 3, "sun"), SP_CALL_DONE);
    if (i == 150) {
      write_file("pools/Ship.lua", SHIP(30));
      ck_assert_int_eq(sp_session_poll(s, SP_POLL_NOW), SP_POLL_RELOADED);
    }
    step(s, 1);
    hashes[i] = hash_of(s);
  }
}

#endif
