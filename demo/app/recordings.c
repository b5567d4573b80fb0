#include "demo/app/recordings.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spawnpool_tools.h"
#include "demo/app/app.h"
#include "demo/app/app_process.h"
#include "demo/app/edits.h"
#include "demo/support/platform.h"
#include "script/state/disk.h"
#include "script/state/written.h"

#define FOLDER "recordings"
#define ENDING ".input"
#define RECORDINGS_MOST 200
#define NAME_MOST 200
#define PROBLEM_MOST (OPTIONS_FILE_MOST + 1024)

/* The first difference of two runs, at the end of a frame: a field of an object, or whether it lives. */
typedef struct difference {
  int rank; /* lower ones explain more; NO_DIFFERENCE */
  sp_watched what;
  char before[SP_WRITE_TEXT_MOST], after[SP_WRITE_TEXT_MOST];
} difference;

#define NO_DIFFERENCE 9

typedef struct test {
  const options *given;
  char file[OPTIONS_FILE_MOST];
  const char *name;
  recording recorded;
  recording_files texts; /* of the game as it was, if the recording has them */
  uint64_t same_to;      /* frames: as recorded up to here; */
  uint64_t at;           /* at the end of this one it differed. 0: it never did */
  uint64_t first;        /* the first frame that differs, 0: load, */
  bool is_found;         /* if it could be found */
  double seconds;        /* of game time up to there */
  difference difference;
  char by[SP_WRITE_BY_MOST]; /* what wrote it; "": not known */
  char edited[256];          /* the first edited line of a file, "pools/Enemy.lua:31"; "": not known */
  char other[512];           /* what else is wrong; "": nothing */
} test;

/* {== Runs =============================================================== */

typedef struct run {
  app app;
  sp_watch *watch; /* or NULL */
} run;

static void close_run(run *r)
{
  if (!r)
    return;
  app_close(&r->app);
  sp_watch_free(r->watch);
  free(r);
}

/* Plays up to the end of a frame; false when the run ends before. */
static bool advance(run *r, uint64_t frame)
{
  const replay *p = &r->app.log.replay;
  while (p->frame < frame && app_frame(&r->app))
    continue;
  return p->frame >= frame;
}

static void watch(run *r, const sp_watched *field)
{
  r->watch = r->app.log.replay.watch = sp_watch_new(field);
  if (r->watch)
    sp_watch_begin(r->watch, r->app.game.script);
}

/* Starts to play the recording in silence, the game as it is or `as_recorded`. NULL when that is impossible. `field`:
   plays on to the frame that differs first, and watches the field in it. */
static run *open_run(const test *t, bool as_recorded, const sp_watched *field)
{
  run *r = calloc(1, sizeof *r);
  options o = *t->given;
  o.check = o.walled = false;
  o.tested = o.headless = o.no_watch = true;
  o.stats = NULL;
  o.as_recorded = as_recorded;
  snprintf(o.replay, sizeof o.replay, "%s", t->file);
  if (!r)
    return NULL;
  r->app.report.muted = true;
  if (!app_open(&r->app, &o)) {
    close_run(r);
    return NULL;
  }
  if (field && t->first == 0)
    watch(r, field);
  app_start(&r->app);
  if (field && t->first > 0 && advance(r, t->first - 1))
    watch(r, field);
  if (field && !(r->watch && advance(r, t->first))) {
    close_run(r);
    return NULL;
  }
  if (r->watch)
    sp_watch_frame(r->watch, 0);
  return r;
}

static uint64_t hash_of(const run *r) { return sp_script_hash(r->app.game.script, NULL, NULL); }

/* }== */

/* {== Comparing two games ================================================ */

/* A difference in what a game writes itself explains more than one that follows: velocities more than places. */
static int rank_of(const sp_field_value *field)
{
  static const char *const places[] = {"x", "y", "angle", "remaining"};
  for (int i = 0; i < 4; i++)
    if (!field->own && strcmp(field->name, places[i]) == 0)
      return 3;
  return field->own ? 0 : 2;
}

static void note(difference *d, int rank, const sp_pool *pool, uint32_t number, const char *field)
{
  *d = (difference){.rank = rank, .what.number = number};
  snprintf(d->what.type, sizeof d->what.type, "%.200s", sp_pool_desc_of(pool)->type);
  snprintf(d->what.field, sizeof d->what.field, "%.63s", field);
}

/* Compares a field of an object in one game with those in the other one. */
static void compare_field(difference *d, const sp_pool *pool, uint32_t number, const sp_field_value *was,
                          const sp_field_value *is, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && strcmp(is[i].name, was->name) != 0)
    i++;
  bool same_text = i == count || strcmp(is[i].text, was->text) == 0;
  if (i == count || rank_of(was) >= d->rank || (same_text && is[i].number == was->number))
    return;
  note(d, rank_of(was), pool, number, was->name);
  if (same_text) {
    snprintf(d->before, sizeof d->before, "%.17g", was->number);
    snprintf(d->after, sizeof d->after, "%.17g", is[i].number);
  } else {
    memcpy(d->before, was->text, sizeof d->before);
    memcpy(d->after, is[i].text, sizeof d->after);
  }
}

static bool is_numbered(const sp_pool *pool, uint32_t index, uint32_t number, sp_slot *slot)
{
  return sp_pool_slots(pool, index, 1, slot) == 1 && slot->state == SP_SLOT_LIVE &&
         sp_object_number(sp_pool_manager(pool), slot->object) == number;
}

/* Returns the live object with this number, or 0. Mostly its place in the pool is that of its number. */
static sp_ref find_object(const sp_pool *pool, uint32_t number)
{
  sp_slot slot;
  bool found = pool && is_numbered(pool, number - 1, number, &slot);
  for (uint32_t i = 0; pool && !found && sp_pool_slots(pool, i, 1, &slot) == 1; i++)
    found = is_numbered(pool, i, number, &slot);
  return found ? slot.object : SP_NULL_REF;
}

/* Compares the objects of a pool of one game with those of another one; those that live in both, if `fields`. */
static void compare_pool(difference *d, const run *one, const run *other, sp_pool *pool, bool fields)
{
  sp_pool *its = sp_manager_pool(game_pools(&other->app.game), sp_pool_desc_of(pool)->type);
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
    const uint32_t number = sp_object_number(sp_pool_manager(pool), object);
    const sp_ref same = find_object(its, number);
    sp_field_value was[SP_FIELDS_SHOWN], is[SP_FIELDS_SHOWN];
    if (!same && d->rank > 1) {
      note(d, 1, pool, number, "");
      snprintf(d->before, sizeof d->before, fields ? "true" : "false");
      snprintf(d->after, sizeof d->after, fields ? "false" : "true");
    } else if (same && fields) {
      uint32_t count = sp_script_fields(one->app.game.script, object, was);
      uint32_t others = sp_script_fields(other->app.game.script, same, is);
      for (uint32_t i = 0; i < count; i++)
        compare_field(d, pool, number, &was[i], is, others);
    }
  }
}

static void compare_games(difference *d, const run *then, const run *now)
{
  const run *const sides[] = {then, now};
  d->rank = NO_DIFFERENCE;
  for (int i = 0; game_pools(&then->app.game) && game_pools(&now->app.game) && i < 2; i++)
    for (sp_pool *p = NULL; (p = sp_manager_next_pool(game_pools(&sides[i]->app.game), p)) != NULL;)
      compare_pool(d, sides[i], sides[1 - i], p, i == 0);
}

/* }== */

/* {== A test ============================================================= */

static bool is_fine(const test *t) { return t->at == 0 && !t->other[0]; }

/* Plays the game as it is, up to the first hash that differs. Returns whether there is one, or an error. */
static bool differs(test *t)
{
  run *r = open_run(t, false, NULL);
  if (!r) {
    snprintf(t->other, sizeof t->other, "it could not be played");
    return true;
  }
  const replay *p = &r->app.log.replay;
  const char *error = NULL;
  while (p->differing == 0 && app_frame(&r->app))
    continue;
  t->same_to = p->same_to;
  t->seconds = (double)r->app.steps * r->app.game.step;
  if (p->differing > 0)
    t->at = p->frame;
  else if (r->app.game.stopped && p->frame < p->recording.last)
    error = sp_script_error(r->app.game.script);
  else if (p->hashes == 0)
    snprintf(t->other, sizeof t->other, "it has no hashes to compare: --check --accept adds them");
  if (error)
    snprintf(t->other, sizeof t->other, "stops with an error: %.*s", (int)strcspn(error, "\n"), error);
  close_run(r);
  return !is_fine(t);
}

/* Returns the newest write in that frame; that of code rather than a motion from there. NULL: there is none. */
static const sp_write *write_in(const sp_watch *w, uint64_t frame)
{
  size_t count;
  const sp_write *writes = sp_watch_writes(w, &count), *found = NULL;
  for (size_t i = count; i-- > 0 && writes[i].frame == frame;)
    if (!found || (strcmp(found->by, "motion") == 0 && writes[i].kind != SP_WRITE_STEP))
      found = &writes[i];
  return found;
}

/* Takes the write that explains the difference: one of now in that frame, or one of then that is missing. */
static void name_write(test *t, const sp_watch *then, const sp_watch *now)
{
  const sp_write *is = write_in(now, t->first), *was = write_in(then, t->first);
  if (is)
    snprintf(t->by, sizeof t->by, "%s", is->by);
  else if (was)
    snprintf(t->by, sizeof t->by, "no longer %.220s", was->by);
}

/* No field differs: names the first pool whose timers, counts or order of idle objects do. */
static void name_pool(test *t, const run *then, const run *now)
{
  uint64_t hash;
  cJSON *was = state_parts(then->app.game.script, &hash);
  state_parts_compare(was, now->app.game.script, t->other, sizeof t->other);
  cJSON_Delete(was);
}

/* Names the first line that differs in a file: in the one that wrote the field, if that was edited. */
static void name_edit(test *t, const game *now)
{
  size_t size;
  for (const sp_script_file *was = t->texts.list; was->name; was++) {
    char *is = game_read_file(now, was->name, EDITS_TEXT_MOST, &size), place[256];
    size_t line = 1, i = 0;
    for (; is && was->source[i] && is[i] == was->source[i]; i++)
      line += is[i] == '\n';
    snprintf(place, sizeof place, "%.200s:", was->name);
    if ((!is || is[i] != was->source[i]) && (!t->edited[0] || strstr(t->by, place)))
      snprintf(t->edited, sizeof t->edited, "%.200s:%zu", was->name, line);
    free(is);
  }
}

/* Plays both games side by side, and finds the first frame that differs, and what differs in it. */
static void find_difference(test *t)
{
  run *then = open_run(t, true, NULL), *now = open_run(t, false, NULL);
  bool same = then && now;
  for (uint64_t frame = t->same_to; same && frame <= t->at; frame++) {
    same = advance(then, frame) && advance(now, frame) && hash_of(then) == hash_of(now);
    if (!same && (frame > t->same_to || frame == 0)) {
      t->first = frame;
      t->is_found = true;
      t->seconds = frame == 0 ? 0 : (double)(now->app.steps - (uint64_t)now->app.log.replay.steps) * now->app.game.step;
      compare_games(&t->difference, then, now);
      if (t->difference.rank == NO_DIFFERENCE)
        name_pool(t, then, now);
      name_edit(t, &now->app.game);
    }
  }
  close_run(then);
  close_run(now);
}

/* Plays both games again, to find what wrote the field. */
static void find_write(test *t)
{
  run *then = open_run(t, true, &t->difference.what), *now = open_run(t, false, &t->difference.what);
  if (then && now) {
    name_write(t, then->watch, now->watch);
    name_edit(t, &now->app.game);
  }
  close_run(then);
  close_run(now);
}

static void run_test(test *t)
{
  char problem[PROBLEM_MOST];
  if (!recording_read(&t->recorded, t->given->path, t->file, problem, sizeof problem)) {
    snprintf(t->other, sizeof t->other, "%.500s", problem);
    return;
  }
  if (!differs(t) || t->at == 0)
    return;
  if (!recording_files_at(&t->texts, t->recorded.entries, t->recorded.count, 0)) {
    snprintf(t->other, sizeof t->other, "it differs; recordings that --accept has made tell the field");
    return;
  }
  find_difference(t);
  if (t->difference.rank < NO_DIFFERENCE)
    find_write(t);
  else if (!t->is_found)
    snprintf(t->other, sizeof t->other, "it differs, and so does the game as it was: not for an edit");
}

/* }== */

/* {== Reports ============================================================ */

static const char *field_of(const difference *d) { return d->what.field[0] ? d->what.field : "alive"; }

/* Returns the length of the place that `by` begins or ends with, without the name of the function. */
static int place_length(const char *by)
{
  const char *end = strstr(by, " in ");
  return (int)(end ? (size_t)(end - by) : strlen(by));
}

static void print_test(const test *t, FILE *out)
{
  const difference *d = &t->difference;
  const int length = place_length(t->by), edited = (int)strlen(t->edited);
  const bool is_there = length >= edited && strncmp(t->by + length - edited, t->edited, (size_t)edited) == 0;
  report_print(out, "%s: as before%s %.1f s", t->name, is_fine(t) ? "," : " to", t->seconds);
  if (t->other[0])
    report_print(out, ", then %s", t->other);
  else if (!is_fine(t))
    report_print(out, ", then %s#%" PRIu32 ".%s %s -> %s", d->what.type, d->what.number, field_of(d), d->before,
                 d->after);
  if (t->by[0])
    report_print(out, " (%.*s)", length, t->by);
  if (t->edited[0] && !is_there)
    report_print(out, "; edited: %s", t->edited);
  report_print(out, "%s\n", t->recorded.bytes && !t->recorded.is_whole ? "; the end of the recording is missing" : "");
  fflush(out);
}

static void print_json(const test *t, FILE *out)
{
  const difference *d = &t->difference;
  cJSON *line = cJSON_CreateObject();
  cJSON_AddStringToObject(line, "recording", t->name);
  cJSON_AddBoolToObject(line, "same", is_fine(t));
  cJSON_AddNumberToObject(line, "seconds", t->seconds);
  if (t->other[0])
    cJSON_AddStringToObject(line, "problem", t->other);
  if (t->is_found) {
    cJSON_AddNumberToObject(line, "frame", (double)t->first);
    cJSON_AddStringToObject(line, "edited", t->edited);
  }
  if (t->is_found && !t->other[0]) {
    cJSON_AddStringToObject(line, "pool", d->what.type);
    cJSON_AddNumberToObject(line, "object", d->what.number);
    cJSON_AddStringToObject(line, "field", field_of(d));
    cJSON_AddStringToObject(line, "before", d->before);
    cJSON_AddStringToObject(line, "after", d->after);
    cJSON_AddStringToObject(line, "by", t->by);
  }
  char *json = cJSON_PrintUnformatted(line);
  report_print(out, "%s\n", json ? json : "{}");
  cJSON_free(json);
  cJSON_Delete(line);
}

/* }== */

/* {== Accepting ========================================================== */

/* Plays a recording in another process, which records it again, and replaces it. Returns why not, or NULL. */
static const char *accept(test *t)
{
  char problem[PROBLEM_MOST];
  recording after = {.count = 0};
  options o = *t->given;
  o.check = false;
  o.tested = o.headless = o.no_watch = true;
  snprintf(o.replay, sizeof o.replay, "%s", t->file);
  snprintf(o.record_input, sizeof o.record_input, "%.1000s.new", t->file);
  if (!recording_read(&t->recorded, t->given->path, t->file, problem, sizeof problem))
    return "it cannot be read";
  if (!t->recorded.is_whole)
    return "its end is missing: record it again, or end it with a line of the kind \"end\"";
  sp_file_remove(o.record_input); /* the new one is made, wherever a link of this name leads */
  app_process_run(&o, true);
  bool read = recording_read(&after, o.path, o.record_input, problem, sizeof problem);
  const char *why = !read                                          ? "the new one cannot be written"
                    : after.last < t->recorded.last                ? "the game stops before its end"
                    : sp_file_rename(o.record_input, t->file) != 0 ? "the file cannot be replaced"
                                                                   : NULL;
  if (why)
    sp_file_remove(o.record_input);
  recording_free(&after);
  return why;
}

/* }== */

/* {== All of them ======================================================== */

typedef struct names {
  char list[RECORDINGS_MOST][NAME_MOST];
  size_t count;
} names;

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void find_all(const options *o, names *all)
{
  char folder[OPTIONS_FILE_MOST];
  snprintf(folder, sizeof folder, "%.700s/" FOLDER, o->path);
  sp_folder_stream *found = o->files ? NULL : sp_folder_list(o->path, folder);
  all->count = 0;
  for (const char *name; found && all->count < RECORDINGS_MOST && (name = sp_folder_stream_next(found, NULL)) != NULL;)
    if (strlen(name) < NAME_MOST && strlen(name) > strlen(ENDING) &&
        strcmp(name + strlen(name) - strlen(ENDING), ENDING) == 0)
      strcpy(all->list[all->count++], name);
  sp_folder_stream_close(found);
  qsort(all->list, all->count, sizeof *all->list, by_name);
}

bool recordings_exist(const options *o)
{
  names all;
  find_all(o, &all);
  return all.count > 0;
}

int recordings_play(const options *o, FILE *out, FILE *lines)
{
  names all;
  int code = APP_FINE;
  find_all(o, &all);
  for (size_t i = 0; i < all.count; i++) {
    test t = {.given = o, .name = all.list[i], .difference.rank = NO_DIFFERENCE};
    const char *why = NULL;
    snprintf(t.file, sizeof t.file, "%.700s/" FOLDER "/%s", o->path, t.name);
    if (o->accept) {
      why = accept(&t);
      report_print(out, why ? "%s: not accepted: %s\n" : "%s: accepted\n", t.name, why);
    } else {
      run_test(&t);
      print_test(&t, out);
      if (lines)
        print_json(&t, lines);
    }
    code = why || !is_fine(&t) ? APP_SCRIPT_ERROR : code;
    recording_files_free(&t.texts);
    recording_free(&t.recorded);
  }
  return code;
}

/* }== */
