/*
** A session, through its public header alone: a run is recorded, played again, gone back in, and explained, and
** whatever is wrong is refused in words.
*/
#include <math.h>

#include "session/played.h"

/* {== Recordings ========================================================== */

static test_group recordings = {"recordings", make_game, remove_folder, 120};

TEST(recordings, a_run_is_played_again_frame_by_frame)
{
  static uint64_t hashes[LONG + 1];
  char text[300];
  const sp_session_options o = options();
  sp_session *s = started(&o);
  play(s, hashes);
  bytes b = recording_of(s);
  sp_session *again = sp_session_replay(&o, b.at, b.size, error, sizeof error);
  ck_assert_msg(again != NULL, "%s", error);
  for (int i = 1; !sp_session_is_over(again); i++) {
    ck_assert(!sp_session_is_live(again));
    sp_session_step(again);
    ck_assert_msg(hash_of(again) == hashes[i], "frame %d", i);
  }
  expect_recorded(again);
  ck_assert_uint_eq(sp_session_at(again).last, LONG);
  ck_assert_msg(sp_session_compare(s, again, text, sizeof text), "%s", text);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

TEST(recordings, lines_that_were_given_as_they_happened_are_the_whole_run)
{
  static uint64_t hashes[LONG + 1];
  bytes lines = {.at = NULL};
  sp_session_options o = options();
  o.record = put;
  o.ud = &lines;
  sp_session *s = started(&o);
  play(s, hashes);
  const size_t size = lines.size; /* the program could be killed here */
  sp_session *killed = replayed(o, &(bytes){lines.at, size, false}, SP_SESSION_FILES_RECORDED);
  expect_recorded(killed);
  ck_assert_uint_eq(hash_of(killed), hashes[sp_session_at(killed).last]);
  ck_assert_uint_ge(sp_session_at(killed).last, LONG - 60);
  sp_session_close(killed);
  sp_session_close(s);
  sp_session *whole = replayed(o, &lines, SP_SESSION_FILES_RECORDED);
  ck_assert_uint_eq(sp_session_at(whole).last, LONG);
  ck_assert_uint_eq(hash_of(whole), hashes[LONG]);
  expect_recorded(whole);
  sp_session_close(whole);
  free(lines.at);
}

TESTS(recordings, a_recording_that_was_cut_plays_as_far_as_it_goes, 12)
{
  static uint64_t hashes[LONG + 1];
  const sp_session_options o = options();
  sp_session *s = started(&o);
  play(s, hashes);
  bytes b = recording_of(s);
  sp_session_close(s);
  const size_t size = b.size * (size_t)(_i + 1) / 13;
  s = sp_session_replay(&o, b.at, size, error, sizeof error);
  if (s) {
    play_to_end(s);
    const uint64_t last = sp_session_at(s).last;
    if (last > 0 && !sp_session_difference(s))
      ck_assert_uint_eq(hash_of(s), hashes[last]);
    if (size > b.size / 2)
      expect_recorded(s);
  }
  ck_assert(s || strstr(error, "recording"));
  sp_session_close(s);
  free(b.at);
}

/* A line of a state may be the last one, with parts and without a hash. */
TEST(recordings, a_recording_that_was_cut_behind_any_line_goes_on_as_a_game)
{
  static uint64_t hashes[LONG + 1];
  const sp_session_options o = options();
  sp_session *s = started(&o);
  play(s, hashes);
  bytes b = recording_of(s);
  sp_session_close(s);
  for (const char *end = strchr(b.at, '\n'); end < b.at + b.size; end = strchr(end + 1, '\n')) {
    s = sp_session_replay(&o, b.at, (size_t)(end + 1 - b.at), error, sizeof error);
    ck_assert_msg(s != NULL, "%s", error);
    play_to_end(s);
    expect_recorded(s); /* the last frame may lack events that were written behind the cut */
    const bool has_frames = sp_session_at(s).last > 0; /* else its texts may be missing, too */
    sp_session_go_on(s);
    ck_assert(sp_session_step(s) || !has_frames);
    sp_session_close(s);
    if (end + 1 >= b.at + b.size)
      break;
  }
  free(b.at);
}

/* The event in frame 20 is of another key, so the ship stays where it is. */
TEST(recordings, a_changed_event_is_named_by_frame_object_field_and_values)
{
  static uint64_t hashes[LONG + 1];
  char text[300];
  const sp_session_options o = options();
  sp_session *s = started(&o);
  play(s, hashes);
  bytes b = recording_of(s);
  char *key = strstr(b.at, "\"right\"");
  ck_assert_ptr_nonnull(key);
  memcpy(key, "\"rigth\"", 7);
  sp_session *other = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  const char *difference = sp_session_difference(other);
  ck_assert_ptr_nonnull(difference);
  ck_assert_msg(strstr(difference, "second 1") && strstr(difference, "frame 20 ") && strstr(difference, "pool Ship") &&
                    strstr(difference, "#1") && strstr(difference, "field x"),
                "%s", difference);
  ck_assert(!sp_session_compare(s, other, text, sizeof text));
  ck_assert_msg(strstr(text, "Ship#1.x is 90 and 10"), "%s", text);
  sp_session_close(other);
  sp_session_close(s);
  free(b.at);
}

TEST(recordings, a_replay_runs_the_texts_of_then_or_those_of_now)
{
  static uint64_t hashes[LONG + 1];
  const sp_session_options o = options();
  sp_session *s = started(&o);
  play(s, hashes);
  bytes b = recording_of(s);
  sp_session_close(s);
  write_file("pools/Ship.lua", SHIP(-90));
  write_file("pools/Other.lua", "return require('spawnpool').class('Other', {})\n");
  s = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(s);
  sp_session_close(s);
  s = replayed(o, &b, SP_SESSION_FILES_NOW);
  ck_assert_msg(strstr(sp_session_difference(s), "frame 1 "), "%s", sp_session_difference(s));
  sp_session_close(s);
  ck_assert(test_folder_remove(folder));
  s = replayed(o, &b, SP_SESSION_FILES_RECORDED); /* nothing is read from the disk */
  expect_recorded(s);
  sp_session_close(s);
  make_game();
  free(b.at);
}

/* A class that was not there at first is not there in the replay either, whatever the folder has today. */
TESTS(recordings, what_was_not_there_is_not_there, 2)
{
  sp_session_options o = options();
  write_file("main.lua", "local pools <const> = require('spawnpool').pools\nlocal game <const> = {}\nlocal n = 0\n"
                         "function game.update()\n  n = n + 1\n"
                         "  if n % 20 == 0 then pools:alloc('Late', 1, n, 0).vy = 1 end\nend\nreturn game\n");
  script.reload = _i == 0;
  sp_session *s = started(&o);
  step(s, 70);
  write_file("pools/Late.lua", "return require('spawnpool').class('Late', { radius = 20, ay = 90 })\n");
  if (_i == 0)
    sp_session_poll(s, SP_POLL_NOW);
  step(s, 80);
  const uint64_t hash = hash_of(s);
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  ck_assert_uint_eq(hash_of(again), hash);
  seek(s, 60);
  seek(s, 150);
  ck_assert_uint_eq(hash_of(s), hash);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

TEST(recordings, an_edit_that_was_taken_back_and_made_again_happens_in_its_frame)
{
  static const char *const texts[] = {SHIP(40), SHIP(3), SHIP(40)};
  const sp_session_options o = options();
  sp_session *s = started(&o);
  for (int i = 0; i < 3; i++) {
    step(s, 30);
    write_file("pools/Ship.lua", texts[i]);
    ck_assert_int_eq(sp_session_poll(s, SP_POLL_NOW), SP_POLL_RELOADED);
  }
  step(s, 30);
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  ck_assert_uint_eq(hash_of(again), hash_of(s));
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

TEST(recordings, answers_arguments_and_stored_data_are_those_of_then)
{
  static char *arguments[] = {"a", "\xc3\xa4"};
  double value[120];
  const sp_session_options plain = options();
  sp_session_options o = plain;
  char stored[320];
  snprintf(stored, sizeof stored, "%s/stored", folder);
  write_file("main.lua", "local spawnpool <const> = require 'spawnpool'\nlocal storage <const> = spawnpool.storage\n"
                         "local game <const> = {}\nlocal thing\n"
                         "function game.load(args)\n  local old <const> = storage.load 'n' or 0\n"
                         "  thing = spawnpool.pools:alloc('Thing', 0, old, #args)\n  storage.save('n', old + 1)\nend\n"
                         "function game.update() thing.vx = os.clock() * 1e-3; thing.vy = os.time() % 1000 end\n"
                         "return game\n");
  o.storage = stored;
  sp_session_close(started(&o));
  sp_session *s = opened(&o);
  ck_assert(sp_session_start(s, 2, arguments));
  for (int i = 0; i < 120; i++) {
    value[i] = i / 7 % 3 == 0 ? i : 0.5;
    ck_assert(sp_session_answer(s, "length of a", value[i]) == value[i]);
    ck_assert(sp_session_answer(s, "length of a", i) == i);
    step(s, 1);
  }
  bytes b = recording_of(s);
  sp_session *again = sp_session_replay(&o, b.at, b.size, error, sizeof error);
  ck_assert_ptr_nonnull(again);
  for (int i = 0; i < 120; i++) {
    if (i > 0) {
      ck_assert(sp_session_answer(again, "length of a", -1) == value[i]);
      ck_assert(sp_session_answer(again, "length of a", -1) == i);
    }
    sp_session_step(again);
  }
  expect_recorded(again);
  ck_assert(sp_session_answer(again, "never asked", 5) == 5);
  ck_assert_uint_eq(hash_of(again), hash_of(s));
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
  s = started(&o); /* replays have not written: the third run finds 2 */
  sp_manager *m = sp_script_pools(sp_session_script(s));
  sp_walk walk = sp_pool_walk(sp_manager_pool(m, "Thing"));
  const sp_ref thing = sp_walk_next(&walk);
  ck_assert(*(const float *)sp_object_peek(m, thing, SP_X) == 2);
  sp_session_close(s);
}

/* }== */

/* {== The past ============================================================ */

static test_group past = {"past", make_game, remove_folder, 120};

TESTS(past, every_frame_can_be_gone_to_and_back_from, 2)
{
  static uint64_t hashes[LONG + 1];
  sp_session_options o = options();
  uint32_t random = 5;
  o.checkpoint_every = _i == 0 ? 0 : 7;
  sp_session *s = started(&o);
  hashes[0] = hash_of(s);
  play(s, hashes);
  const sp_session_frames at = sp_session_at(s);
  ck_assert_uint_eq(at.first, 0);
  for (int i = 0; i < 40; i++) {
    random = random * 1103515245 + 12345;
    const uint64_t frame = (random >> 8) % (LONG + 1);
    seek(s, frame);
    ck_assert_msg(hash_of(s) == hashes[frame], "frame %d", (int)frame);
    ck_assert(sp_session_step(s) && !send(s, "key_pressed", "a"));
    ck_assert_uint_eq(sp_session_at(s).now, frame);
  }
  sp_script_eval(sp_session_script(s), "pools:recycle_all()");
  seek(s, 100);
  ck_assert_uint_eq(hash_of(s), hashes[100]);
  ck_assert_int_eq(sp_session_seek(s, LONG + 1, 1), SP_WORK_FAILED);
  ck_assert_ptr_nonnull(strstr(sp_session_problem(s), "frames from 0 to 240"));
  sp_session_back(s);
  ck_assert(sp_session_is_live(s));
  ck_assert_uint_eq(hash_of(s), hashes[LONG]);
  step(s, 30);
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

TEST(past, a_run_goes_on_from_any_frame_and_its_recording_with_it)
{
  static uint64_t hashes[LONG + 1];
  bytes lines = {.at = NULL};
  sp_session_options o = options();
  o.record = put;
  o.ud = &lines;
  sp_session *s = started(&o);
  play(s, hashes);
  seek(s, 120);
  sp_session_go_on(s);
  ck_assert_uint_eq(sp_session_at(s).last, 120);
  ck_assert_uint_eq(hash_of(s), hashes[120]);
  ck_assert(send(s, "key_pressed", "left"));
  step(s, 50); /* finds that Ship.lua is not what runs now */
  const uint64_t hash = hash_of(s);
  bytes b = recording_of(s);
  sp_session_close(s);
  for (int i = 0; i < 2; i++) {
    s = replayed(o, i == 0 ? &b : &lines, SP_SESSION_FILES_RECORDED);
    expect_recorded(s);
    ck_assert_uint_eq(sp_session_at(s).last, 170);
    ck_assert_uint_eq(hash_of(s), hash);
    if (i == 0) { /* a replay that goes on is a live game */
      seek(s, 90);
      sp_session_go_on(s);
      ck_assert(sp_session_is_live(s) && !sp_session_is_over(s));
      step(s, 10);
      ck_assert_uint_eq(sp_session_at(s).last, 100);
    }
    sp_session_close(s);
  }
  free(b.at);
  free(lines.at);
}

TEST(past, an_edit_is_tried_on_what_was_played)
{
  static uint64_t hashes[LONG + 1];
  const sp_session_options o = options();
  sp_work work;
  sp_session *s = started(&o);
  play(s, hashes);
  write_file("pools/Ship.lua", SHIP(-90));
  while ((work = sp_session_try(s, 100, 200, 0)) == SP_WORK_GOING_ON)
    continue;
  ck_assert_msg(work == SP_WORK_DONE, "%s", sp_session_problem(s));
  ck_assert_uint_eq(sp_session_at(s).now, 200);
  const uint64_t tried = hash_of(s);
  ck_assert_uint_ne(tried, hashes[200]);
  seek(s, 150);
  ck_assert_uint_ne(hash_of(s), hashes[150]);
  seek(s, 200);
  ck_assert_uint_eq(hash_of(s), tried);
  seek(s, 99);
  ck_assert_uint_eq(hash_of(s), hashes[99]);
  write_file("pools/Ship.lua", "oh no");
  while ((work = sp_session_try(s, 100, 200, 0)) == SP_WORK_GOING_ON)
    continue;
  ck_assert_int_eq(work, SP_WORK_FAILED);
  ck_assert_ptr_nonnull(strstr(sp_session_problem(s), "Ship.lua"));
  sp_session_back(s);
  ck_assert_uint_eq(hash_of(s), hashes[LONG]);
  sp_session_close(s);
}

typedef struct host_state {
  uint64_t presses, drawn, shown, restored;
} host_state;

static host_state host;

static void on_opened(void *ud, sp_session *s)
{
  (void)ud;
  uint64_t *count = sp_session_memory(s, sizeof *count);
  ck_assert(count && *count == 0);
}

static void on_apply(void *ud, sp_session *s, const sp_session_event *event)
{
  (void)ud;
  ++*(uint64_t *)sp_session_memory(s, 8);
  ck_assert(!sp_session_step(s) && strstr(sp_session_problem(s), "callback"));
  ck_assert_int_eq(sp_session_seek(s, 0, 1), SP_WORK_FAILED);
  sp_session_call(s, event);
}

static void on_draw(void *ud, sp_session *s, bool shown)
{
  (void)ud, (void)s;
  host.drawn++;
  host.shown += shown;
}

static void on_restored(void *ud, sp_session *s)
{
  (void)ud, (void)s;
  host.restored++;
}

TEST(past, what_a_host_keeps_in_the_memory_of_the_session_goes_back_too)
{
  sp_session_options o = options();
  host = (host_state){0};
  o.opened = on_opened;
  o.apply = on_apply;
  o.draw = on_draw;
  o.restored = on_restored;
  sp_session *s = started(&o);
  for (int i = 0; i < 100; i++) {
    ck_assert(send(s, i % 2 ? "key_released" : "key_pressed", "right"));
    step(s, 1);
  }
  ck_assert_uint_eq(*(uint64_t *)sp_session_memory(s, 8), 100);
  ck_assert(host.drawn == 100 && host.shown == 100);
  seek(s, 42);
  ck_assert_uint_eq(*(uint64_t *)sp_session_memory(s, 8), 42);
  ck_assert(host.shown == 101 && host.restored > 0);
  sp_session_back(s);
  ck_assert_uint_eq(*(uint64_t *)sp_session_memory(s, 8), 100);
  ck_assert(sp_session_redraw(s));
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  ck_assert_uint_eq(*(uint64_t *)sp_session_memory(again, 8), 100);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

TEST(past, an_error_stops_the_game_until_an_edit_mends_it)
{
  const sp_session_options o = options();
  sp_session *s = started(&o);
  step(s, 10);
  ck_assert(send(s, "key_pressed", "e"));
  ck_assert(!sp_session_step(s) && !sp_session_step(s));
  ck_assert_uint_eq(sp_session_at(s).last, 11);
  char *mended = strdup(game_main);
  memcpy(strstr(mended, "error 'as asked'"), "local unused = 0", 16);
  write_file("main.lua", mended);
  free(mended);
  ck_assert_int_eq(sp_session_poll(s, SP_POLL_NOW), SP_POLL_RELOADED);
  step(s, 20);
  ck_assert_uint_eq(sp_session_at(s).last, 31);
  const uint64_t hash = hash_of(s);
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  ck_assert_uint_eq(hash_of(again), hash);
  seek(s, 11);
  seek(s, 31);
  ck_assert_uint_eq(hash_of(s), hash);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

/* A write of the host between two frames is in no log. */
TEST(past, what_is_kept_outside_is_found_by_playing_frames_twice)
{
  sp_session_options o = options();
  o.twice = true;
  sp_session *s = started(&o);
  step(s, 30);
  expect_recorded(s);
  sp_manager *m = sp_script_pools(sp_session_script(s));
  sp_walk walk = sp_pool_walk(sp_manager_pool(m, "Ship"));
  *(float *)sp_object_cell(m, sp_walk_next(&walk), SP_X) += 1;
  step(s, 1);
  const char *difference = sp_session_difference(s);
  ck_assert_ptr_nonnull(difference);
  ck_assert_msg(strstr(difference, "frame 31 ") && strstr(difference, "field x"), "%s", difference);
  sp_session_close(s);
}

/* }== */

/* {== Why, and bug files ================================================== */

static test_group causes = {"causes", make_game, remove_folder, 120};

typedef struct found {
  int count;
  uint64_t newest, oldest;
  char writer[200], old_value[64], new_value[64];
} found;

static void on_cause(void *ud, const sp_session_cause *cause)
{
  found *f = ud;
  if (f->count++ == 0) {
    f->newest = cause->frame;
    snprintf(f->writer, sizeof f->writer, "%s", cause->writer);
    snprintf(f->old_value, sizeof f->old_value, "%s", cause->old_value);
    snprintf(f->new_value, sizeof f->new_value, "%s", cause->new_value);
  }
  f->oldest = cause->frame;
}

static sp_work why(sp_session *s, const char *what, found *f)
{
  sp_work work;
  *f = (found){0};
  while ((work = sp_session_why(s, what, 0, on_cause, f)) == SP_WORK_GOING_ON)
    ck_assert_int_eq(f->count, 0);
  return work;
}

TESTS(causes, the_last_write_of_a_field_is_named_with_line_and_values, 2)
{
  static uint64_t hashes[LONG + 1];
  const sp_session_options o = options();
  found f;
  sp_session *s = started(&o);
  play(s, hashes);
  bytes b = recording_of(s);
  if (_i == 1) {
    sp_session_close(s);
    s = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  }
  ck_assert_int_eq(why(s, "Ship#1.x", &f), SP_WORK_DONE);
  ck_assert_int_eq(f.count, 41);
  ck_assert(f.newest == 59 && f.oldest == 0);
  ck_assert_str_eq(f.writer, "main.lua:8 in update");
  ck_assert_str_eq(f.old_value, "88");
  ck_assert_str_eq(f.new_value, "90");
  ck_assert_int_eq(why(s, "Ship#1", &f), SP_WORK_DONE);
  ck_assert(f.count == 1 && f.newest == 0);
  ck_assert_int_eq(why(s, "Ship#1.z", &f), SP_WORK_FAILED);
  ck_assert_ptr_nonnull(strstr(sp_session_problem(s), "no field 'z'"));
  ck_assert_int_eq(why(s, "Ship", &f), SP_WORK_FAILED);
  ck_assert_uint_eq(hash_of(s), hashes[LONG]);
  seek(s, 30);
  ck_assert_int_eq(why(s, "Ship#1.x", &f), SP_WORK_DONE);
  ck_assert_uint_eq(f.newest, 30);
  ck_assert_uint_eq(hash_of(s), hashes[30]);
  sp_session_close(s);
  free(b.at);
}

TEST(causes, a_bug_file_plays_the_run_elsewhere)
{
  static uint64_t hashes[LONG + 1];
  const sp_session_options o = options();
  bytes zip = {.at = NULL}, cut;
  sp_session *s = started(&o);
  play(s, hashes);
  ck_assert_msg(sp_session_write_bug(s, put, &zip), "%s", sp_session_problem(s));
  sp_session_close(s);
  for (size_t i = 0; i + strlen(folder) < zip.size; i++)
    ck_assert(memcmp(zip.at + i, folder, strlen(folder)) != 0);
  ck_assert(test_folder_remove(folder));
  s = sp_session_open_bug(&o, zip.at, zip.size, error, sizeof error);
  ck_assert_msg(s != NULL, "%s", error);
  play_to_end(s);
  expect_recorded(s);
  ck_assert_uint_eq(hash_of(s), hashes[LONG]);
  sp_session_close(s);
  for (int i = 0; i < 8; i++) {
    cut = (bytes){zip.at, zip.size * (size_t)i / 8, false};
    error[0] = '\0';
    ck_assert_ptr_null(sp_session_open_bug(&o, cut.at, cut.size, error, sizeof error));
    ck_assert_str_ne(error, "");
  }
  make_game();
  free(zip.at);
}

/* }== */

/* {== Bad input =========================================================== */

static test_group refused = {"refused", make_game, remove_folder, 120};

static void expect_refused(sp_session *s, const sp_session_event *event, const char *words)
{
  ck_assert(!sp_session_send(s, event));
  ck_assert_msg(strstr(sp_session_problem(s), words), "%s", sp_session_problem(s));
}

TEST(refused, events_are_refused_in_words)
{
  static const sp_session_event_field key = {"key", 0, "a"}, number = {"n", 1, NULL}, nan_field = {"n", NAN, NULL},
                                      wrong = {"n", 0, "\xff"}, nameless = {NULL, 1, NULL};
  static sp_session_event_field many[100];
  static const char *const reserved[] = {"load", "update", "draw", "draw_below", "draw_above", "hash"};
  const sp_session_options o = options();
  sp_session *s = opened(&o);
  char *long_text = malloc(70000);
  memset(long_text, 'x', 69999);
  long_text[69999] = '\0';
  ck_assert(!sp_session_step(s) && strstr(sp_session_problem(s), "start"));
  ck_assert(sp_session_start(s, 0, NULL) && !sp_session_start(s, 0, NULL));
  for (size_t i = 0; i < 6; i++)
    expect_refused(s, &(sp_session_event){reserved[i], NULL, 0}, reserved[i]);
  for (size_t i = 0; i < 100; i++)
    many[i] = number;
  expect_refused(s, &(sp_session_event){"own", many, 100}, "16 fields");
  expect_refused(s, &(sp_session_event){"own", &nan_field, 1}, "NaN");
  expect_refused(s, &(sp_session_event){"own", &wrong, 1}, "UTF-8");
  expect_refused(s, &(sp_session_event){"own", &nameless, 1}, "no name");
  expect_refused(s, &(sp_session_event){"own", &(sp_session_event_field){"n", 0, long_text}, 1}, "64 KiB");
  expect_refused(s, &(sp_session_event){NULL, NULL, 0}, "no kind");
  expect_refused(s, &(sp_session_event){"key_pressed", &number, 1}, "its fields are key");
  expect_refused(s, &(sp_session_event){"mouse_pressed", &number, 1}, "its fields are x, y, button");
  expect_refused(s, &(sp_session_event){"pad_pressed", (sp_session_event_field[]){key, {"n", 9, NULL}}, 2}, "1 to 8");
  for (int i = 0; i < 1000; i++)
    ck_assert(sp_session_send(s, &(sp_session_event){"unheard", many, 16}));
  expect_refused(s, &(sp_session_event){"unheard", many, 16}, "1000");
  step(s, 1);
  free(long_text);
  sp_session_close(s);
}

static void expect_wrong(const char *text, const char *words)
{
  const sp_session_options o = options();
  error[0] = '\0';
  ck_assert_ptr_null(sp_session_replay(&o, text, strlen(text), error, sizeof error));
  ck_assert_msg(strstr(error, words), "%s", error);
}

#define HEAD                                                                                                           \
  "{\"format\":\"spawnpool-recording\",\"version\":3,\"library\":\"1\",\"game\":\"g\",\"seed\":\"0000000000000001\","  \
  "\"step\":0.016666666666666666,\"start\":-5,\"memory\":0,\"powers\":\"0000000000000000\",\"arguments\":[]}\n"

TEST(refused, recordings_that_are_wrong_are_refused_with_their_line)
{
  expect_wrong("", "not a recording");
  expect_wrong("hello\n", "line 1 of the recording: not a recording");
  expect_wrong("{\"format\":\"spawnpool-recording\",\"version\":99}\n", "newer");
  expect_wrong("{\"format\":\"spawnpool-recording\",\"version\":2}\n", "record it again");
  expect_wrong("{\"format\":\"spawnpool-recording\",\"version\":3}\n", "'library'");
  expect_wrong(HEAD "{\"frame\":1}\n", "line 2");
  expect_wrong(HEAD "{\"frame\":1,\"what\":1}\n", "no kind 'what'");
  expect_wrong(HEAD "{\"frame\":-1,\"end\":true}\n", "'frame'");
  expect_wrong(HEAD "{\"frame\":2,\"redraw\":true}\n{\"frame\":1,\"redraw\":true}\n", "line 3");
  expect_wrong(HEAD "{\"frame\":1,\"end\":true}\n{\"frame\":1,\"redraw\":true}\n", "follows the end");
  expect_wrong(HEAD "{\"frame\":1099511627776,\"end\":true}\n", "more than 1000000 after that of the line before");
  expect_wrong(HEAD "{\"frame\":1,\"event\":\"load\",\"fields\":[]}\n", "load");
  expect_wrong(HEAD "{\"frame\":1,\"event\":\"x\",\"fields\":[[\"a\"]]}\n", "pair");
  expect_wrong(HEAD "{\"frame\":1,\"event\":\"x\",\"fields\":[],\"more\":1}\n", "not known");
  expect_wrong(HEAD "{\"frame\":1,\"hash\":\"xyz\"}\n", "16 hexadecimal");
  expect_wrong(HEAD "{\"frame\":900000,\"digests\":\"00000000\"}\n", "digests");
  expect_wrong(HEAD "{\"frame\":0,\"file\":\"../../etc/passwd\",\"text\":\"\"}\n", "in the folder");
  expect_wrong(HEAD "{\"frame\":0,\"file\":\"a\\u0000b\",\"text\":\"\"}\n", "NUL");
  expect_wrong(HEAD "{\"frame\":5,\"back\":9}\n", "later");
}

/* A recording without texts has a game without main.lua: it stops, and the replay ends all the same. */
TEST(refused, a_recording_whose_game_is_missing_ends)
{
  static const char text[] = HEAD "{\"frame\":40,\"redraw\":true}\n";
  const sp_session_options o = options();
  sp_session *s = sp_session_replay(&o, text, strlen(text), error, sizeof error);
  ck_assert_msg(s != NULL, "%s", error);
  for (int i = 0; i < 100 && !sp_session_is_over(s); i++)
    ck_assert(!sp_session_step(s));
  ck_assert(sp_session_is_over(s));
  sp_session_close(s);
}

TEST(refused, options_that_are_the_session_s_own_are_refused)
{
  for (int i = 0; i < 6; i++) {
    sp_session_options o = options();
    script.repeatable = i == 0;
    script.checkpoints = i == 1;
    script.real_clocks = i == 2;
    script.start_time = i == 3;
    o.size = i == 4 ? 0 : o.size;
    o.script = i == 5 ? NULL : o.script;
    error[0] = '\0';
    ck_assert_ptr_null(sp_session_open(&o, error, sizeof error));
    ck_assert_str_ne(error, "");
  }
}

TEST(refused, a_session_without_history_records_and_says_that_it_cannot_go_back)
{
  sp_session_options o = options();
  bytes refusing = {.refuses = true};
  o.history = -1;
  sp_session *s = started(&o);
  step(s, 60);
  ck_assert_int_eq(sp_session_seek(s, 30, 1), SP_WORK_FAILED);
  ck_assert_ptr_nonnull(strstr(sp_session_problem(s), "history"));
  ck_assert(!sp_session_write_recording(s, put, &refusing) && sp_session_problem(s)[0]);
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

TEST(refused, a_run_that_is_too_long_to_be_kept_goes_on)
{
  sp_session_options o = options();
  bytes b = {.at = NULL};
  o.history_bytes = (size_t)4 << 20;
  sp_session *s = started(&o);
  for (int i = 0; i < 3000; i++) {
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert(sp_session_send(s, &(sp_session_event){"unheard", &(sp_session_event_field){"t", 0, text}, 1}));
    step(s, 1);
  }
  ck_assert(!sp_session_write_recording(s, put, &b));
  ck_assert_ptr_nonnull(strstr(sp_session_problem(s), "start of this run"));
  const uint64_t hash = hash_of(s);
  seek(s, sp_session_at(s).first);
  sp_session_back(s);
  ck_assert_uint_eq(hash_of(s), hash);
  sp_session_close(s);
}

/* }== */

/* {== All games =========================================================== */

static test_group games = {"games", NULL, NULL, 300};

static const char *const all_games[] = {"breakout",        "cubes",      "fireworks",    "footprints",
                                        "garden",          "platformer", "random_spawn", "scenes",
                                        "search_vs_queue", "shooter",    "storm",        "survivors"};

static void send_any(sp_session *s, uint32_t *random)
{
  static const char *const keys[] = {"left", "right", "up", "down", "space", "return", "a", "r"};
  *random = *random * 1103515245 + 12345;
  const uint32_t r = *random >> 8;
  const sp_session_event_field at[] = {{"x", r % 800, NULL}, {"y", r / 800 % 600, NULL}, {"button", 1, NULL}};
  if (r % 5 == 0)
    send(s, r % 2 ? "key_pressed" : "key_released", keys[r / 64 % 8]);
  else if (r % 5 == 1)
    sp_session_send(s, &(sp_session_event){r % 2 ? "mouse_pressed" : "mouse_released", at, 3});
}

/* In a program without a window. */
TESTS(games, every_game_runs_is_repeated_and_gone_back_in, 12)
{
  char path[64];
  uint64_t middle = 0;
  uint32_t random = (uint32_t)_i + 1;
  snprintf(path, sizeof path, "scripts/%s", all_games[_i]);
  sp_script_options game = sp_script_defaults(path);
  game.report = quiet;
  game.seed = (uint64_t)_i;
  sp_session_options o = sp_session_defaults(&game);
  sp_session *s = started(&o);
  for (int i = 1; i <= 600; i++) {
    send_any(s, &random);
    step(s, 1);
    middle = i == 333 ? hash_of(s) : middle;
  }
  const uint64_t hash = hash_of(s);
  bytes b = recording_of(s);
  sp_session *again = replayed(o, &b, SP_SESSION_FILES_RECORDED);
  expect_recorded(again);
  ck_assert_uint_eq(hash_of(again), hash);
  seek(s, 333);
  ck_assert_uint_eq(hash_of(s), middle);
  seek(s, 600);
  ck_assert_uint_eq(hash_of(s), hash);
  sp_session_close(again);
  sp_session_close(s);
  free(b.at);
}

/* }== */

SUITE(session, &recordings, &past, &causes, &refused, &games)
