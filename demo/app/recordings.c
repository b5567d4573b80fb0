#include "demo/app/recordings.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spawnpool_tools.h"
#include "demo/app/app.h"
#include "demo/app/app_process.h"
#include "demo/support/platform.h"
#include "script/state/disk.h"

#define FOLDER "recordings"
#define ENDING ".input"
#define RECORDINGS_MOST 200
#define FIELDS_MOST 128
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
  sp_script_file *texts; /* of the game as it was; NULL: the recording has none */
  uint64_t same_to;      /* frames: as recorded up to here; */
  uint64_t at;           /* at the end of this one it differed. 0: it never did */
  uint64_t first;        /* the first frame that differs, 0: load, */
  bool is_found;         /* if it could be found */
  double seconds;        /* of game time up to there */
  difference difference;
  char by[SP_WRITE_BY_MOST]; /* what wrote it; "": not known */
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

/* Starts to play the recording in silence, the game as it is or, `texts`, as it was. NULL when that is impossible. */
static run *open_run(const test *t, const sp_script_file *texts, const sp_watched *watched)
{
  run *r = calloc(1, sizeof *r);
  options o = *t->given;
  o.check = o.walled = false;
  o.tested = o.headless = o.no_watch = true;
  o.stats = NULL;
  o.texts = texts;
  snprintf(o.replay, sizeof o.replay, "%s", t->file);
  if (!r)
    return NULL;
  r->app.report.muted = true;
  if (!app_open(&r->app, &o)) {
    close_run(r);
    return NULL;
  }
  r->watch = watched ? sp_watch_new(watched) : NULL;
  if (r->watch)
    sp_watch_begin(r->watch, r->app.game.script);
  r->app.log.replay.watch = r->watch;
  app_start(&r->app);
  return r;
}

/* Plays up to the end of a frame; false when the run ends before. */
static bool advance(run *r, uint64_t frame)
{
  const replay *p = &r->app.log.replay;
  while (p->frame < frame && app_frame(&r->app))
    continue;
  return p->frame >= frame;
}

static uint64_t hash_of(const run *r) { return sp_script_hash(r->app.game.script, NULL, NULL); }

/* }== */

/* {== Comparing two games ================================================ */

/* The fields of an object, or a field of the list. */
typedef struct field_list {
  struct {
    char name[64], text[SP_WRITE_TEXT_MOST];
    double number;
    bool own;
  } list[FIELDS_MOST];
  int count;
} field_list;

static void copy_field(void *ud, const sp_field_value *field)
{
  field_list *f = ud;
  if (f->count == FIELDS_MOST || strlen(field->name) >= sizeof f->list[0].name)
    return;
  snprintf(f->list[f->count].name, sizeof f->list[0].name, "%s", field->name);
  snprintf(f->list[f->count].text, sizeof f->list[0].text, "%s", field->text);
  f->list[f->count].number = field->number;
  f->list[f->count++].own = field->own;
}

/* A difference in what a game writes itself explains more than one that follows: velocities more than places. */
static int rank_of(const char *name, bool own)
{
  static const char *const places[] = {"x", "y", "angle", "remaining"};
  for (int i = 0; i < 4; i++)
    if (!own && strcmp(name, places[i]) == 0)
      return 3;
  return own ? 0 : 2;
}

static void note(difference *d, int rank, const sp_pool *pool, uint32_t number, const char *field)
{
  *d = (difference){.rank = rank, .what.number = number};
  snprintf(d->what.type, sizeof d->what.type, "%.200s", sp_pool_type(pool));
  snprintf(d->what.field, sizeof d->what.field, "%s", field);
}

static void compare_fields(difference *d, const sp_pool *pool, uint32_t number, const field_list *was,
                           const field_list *is)
{
  for (int i = 0; i < was->count && i < is->count; i++) {
    const char *name = was->list[i].name, *before = was->list[i].text, *after = is->list[i].text;
    const int rank = rank_of(name, was->list[i].own);
    bool same_text = strcmp(before, after) == 0;
    if (rank >= d->rank || (same_text && was->list[i].number == is->list[i].number) ||
        strcmp(name, is->list[i].name) != 0)
      continue;
    note(d, rank, pool, number, name);
    snprintf(d->before, sizeof d->before, "%.17g", was->list[i].number);
    snprintf(d->after, sizeof d->after, "%.17g", is->list[i].number);
    if (!same_text) {
      memcpy(d->before, before, sizeof d->before);
      memcpy(d->after, after, sizeof d->after);
    }
  }
}

static void note_life(difference *d, const sp_pool *pool, uint32_t number, bool lived)
{
  if (d->rank <= 1)
    return;
  note(d, 1, pool, number, "");
  snprintf(d->before, sizeof d->before, lived ? "true" : "false");
  snprintf(d->after, sizeof d->after, lived ? "false" : "true");
}

static bool is_numbered(const sp_pool *pool, uint32_t index, uint32_t number, sp_slot *slot)
{
  return sp_pool_slots(pool, index, 1, slot) == 1 && slot->state == SP_SLOT_LIVE &&
         sp_object_number(sp_pool_manager(pool), slot->object) == number;
}

/* Returns the live object with the number of `like`, or 0. Mostly it has the same place in its pool. */
static sp_ref find_object(const sp_pool *pool, const sp_pool *other, sp_ref like)
{
  sp_slot slot;
  const uint32_t number = sp_object_number(sp_pool_manager(other), like);
  if (!pool)
    return SP_NONE_REF;
  bool found = is_numbered(pool, sp_pool_slot_of(other, like), number, &slot);
  for (uint32_t i = 0; !found && i < sp_pool_chunks(pool) * SP_CHUNK_SLOTS; i++)
    found = is_numbered(pool, i, number, &slot);
  return found ? slot.object : SP_NONE_REF;
}

static void compare_pools(difference *d, const run *then, const run *now, sp_pool *was, sp_pool *is)
{
  sp_walk walk = sp_pool_walk(was);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    field_list before = {.count = 0}, after = {.count = 0};
    const uint32_t number = sp_object_number(sp_pool_manager(was), object);
    const sp_ref other = find_object(is, was, object);
    if (!other) {
      note_life(d, was, number, true);
    } else if (sp_script_fields(then->app.game.script, object, copy_field, &before) &&
               sp_script_fields(now->app.game.script, other, copy_field, &after)) {
      compare_fields(d, was, number, &before, &after);
    }
  }
}

/* Objects that live only now. */
static void find_new(difference *d, sp_pool *was, sp_pool *is)
{
  sp_walk walk = sp_pool_walk(is);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    if (!find_object(was, is, object))
      note_life(d, is, sp_object_number(sp_pool_manager(is), object), false);
  }
}

static void compare_games(difference *d, const run *then, const run *now)
{
  const sp_manager *was = game_pools(&then->app.game), *is = game_pools(&now->app.game);
  d->rank = NO_DIFFERENCE;
  for (uint32_t i = 0; was && is && i < sp_count_pools(was); i++) {
    sp_pool *pool = sp_get_pool(was, i);
    compare_pools(d, then, now, pool, sp_find_pool(is, sp_pool_type(pool)));
  }
  for (uint32_t i = 0; was && is && i < sp_count_pools(is); i++) {
    sp_pool *pool = sp_get_pool(is, i);
    find_new(d, sp_find_pool(was, sp_pool_type(pool)), pool);
  }
}

/* }== */

/* {== A test ============================================================= */

/* Plays the game as it is, up to the first hash that differs. Returns whether there is one, or an error. */
static bool differs(test *t)
{
  run *r = open_run(t, NULL, NULL);
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
  else if (p->hashes == 0)
    snprintf(t->other, sizeof t->other, "it has no hashes to compare: --check --accept adds them");
  else if (r->app.game.stopped && p->frame < p->recording.last)
    error = sp_script_error(r->app.game.script);
  if (error)
    snprintf(t->other, sizeof t->other, "stops with an error: %.*s", (int)strcspn(error, "\n"), error);
  close_run(r);
  return t->at > 0 || t->other[0];
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
  cJSON *was = state_parts(then->app.game.script, &hash), *is = state_parts(now->app.game.script, &hash);
  state_parts_compare(was, is, t->other, sizeof t->other);
  cJSON_Delete(was);
  cJSON_Delete(is);
}

/* Plays both games to the end of the frame, and finds what differs; or, where that is known, what wrote it. */
static bool play_both(test *t, bool asks)
{
  const sp_watched *watched = asks ? &t->difference.what : NULL;
  run *then = open_run(t, t->texts, watched), *now = open_run(t, NULL, watched);
  bool known = asks && then && now && advance(then, t->first) && advance(now, t->first);
  if (known) {
    sp_watch_frame(then->watch, 0);
    sp_watch_frame(now->watch, 0);
    name_write(t, then->watch, now->watch);
  }
  bool same = !asks && then && now;
  for (uint64_t frame = t->same_to; same && frame <= t->at; frame++) {
    same = advance(then, frame) && advance(now, frame) && hash_of(then) == hash_of(now);
    if (!same && (frame > t->same_to || frame == 0)) {
      t->first = frame;
      t->is_found = true;
      t->seconds = frame == 0 ? 0 : (double)(now->app.steps - (uint64_t)now->app.log.replay.steps) * now->app.game.step;
      compare_games(&t->difference, then, now);
      if (t->difference.rank == NO_DIFFERENCE)
        name_pool(t, then, now);
    }
  }
  close_run(then);
  close_run(now);
  return known || (t->is_found && t->difference.rank != NO_DIFFERENCE);
}

/* Collects the texts of the game from the recording. */
static void find_texts(test *t)
{
  size_t count = 0;
  t->texts = calloc(t->recorded.count + 1, sizeof *t->texts);
  for (size_t i = 0; t->texts && i < t->recorded.count; i++) {
    const recording_entry *e = &t->recorded.entries[i];
    if (e->kind == RECORDING_FILE)
      t->texts[count++] = (sp_script_file){e->name, e->text, strlen(e->text)};
  }
}

static void run_test(test *t)
{
  char problem[PROBLEM_MOST];
  if (!recording_read(&t->recorded, t->file, problem, sizeof problem)) {
    snprintf(t->other, sizeof t->other, "%.500s", problem);
    return;
  }
  find_texts(t);
  if (!differs(t) || t->at == 0)
    return;
  if (!t->texts || !t->texts[0].name)
    snprintf(t->other, sizeof t->other, "it differs; recordings that --accept has made tell the field");
  else if (play_both(t, false))
    play_both(t, true);
  else if (!t->is_found)
    snprintf(t->other, sizeof t->other, "it differs, and so does the game as it was: not for an edit");
}

static void end_test(test *t)
{
  recording_free(&t->recorded);
  free(t->texts);
}

/* }== */

/* {== Reports ============================================================ */

static void print_test(const test *t, FILE *out)
{
  const difference *d = &t->difference;
  const char *field = d->what.field[0] ? d->what.field : "alive";
  if (t->at == 0 && !t->other[0])
    fprintf(out, "%s: as before, %.1f s\n", t->name, t->seconds);
  else if (t->other[0])
    fprintf(out, "%s: as before to %.1f s, then %s\n", t->name, t->seconds, t->other);
  else
    fprintf(out, "%s: as before to %.1f s, then %s#%" PRIu32 ".%s %s -> %s%s%.*s%s\n", t->name, t->seconds,
            d->what.type, d->what.number, field, d->before, d->after, t->by[0] ? " (" : "",
            (int)(strstr(t->by, " in ") ? strstr(t->by, " in ") - t->by : (ptrdiff_t)strlen(t->by)), t->by,
            t->by[0] ? ")" : "");
}

static void print_json(const test *t, FILE *out)
{
  const difference *d = &t->difference;
  cJSON *line = cJSON_CreateObject();
  cJSON_AddStringToObject(line, "recording", t->name);
  cJSON_AddBoolToObject(line, "same", t->at == 0 && !t->other[0]);
  cJSON_AddNumberToObject(line, "seconds", t->seconds);
  if (t->other[0])
    cJSON_AddStringToObject(line, "problem", t->other);
  if (t->is_found && !t->other[0]) {
    cJSON_AddNumberToObject(line, "frame", (double)t->first);
    cJSON_AddStringToObject(line, "pool", d->what.type);
    cJSON_AddNumberToObject(line, "object", d->what.number);
    cJSON_AddStringToObject(line, "field", d->what.field[0] ? d->what.field : "alive");
    cJSON_AddStringToObject(line, "before", d->before);
    cJSON_AddStringToObject(line, "after", d->after);
    cJSON_AddStringToObject(line, "by", t->by);
  }
  char *json = cJSON_PrintUnformatted(line);
  fprintf(out, "%s\n", json ? json : "{}");
  cJSON_free(json);
  cJSON_Delete(line);
}

/* }== */

/* {== All of them ======================================================== */

typedef struct names {
  char *list[RECORDINGS_MOST];
  int count;
} names;

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void find_all(const options *o, names *all)
{
  char folder[OPTIONS_FILE_MOST];
  snprintf(folder, sizeof folder, "%.700s/" FOLDER, o->path);
  sp_folder_stream *found = o->files ? NULL : sp_folder_stream_open(folder);
  all->count = 0;
  for (const char *name;
       found && all->count < RECORDINGS_MOST && (name = sp_folder_stream_next(found, NULL)) != NULL;) {
    size_t length = strlen(name);
    bool is = length > strlen(ENDING) && length < 200 && strcmp(name + length - strlen(ENDING), ENDING) == 0;
    char *copy = is ? malloc(length + 1) : NULL;
    if (copy)
      all->list[all->count++] = strcpy(copy, name);
  }
  sp_folder_stream_close(found);
  qsort(all->list, (size_t)all->count, sizeof *all->list, by_name);
}

static void begin_test(test *t, const options *o, const char *name)
{
  *t = (test){.given = o, .name = name, .difference.rank = NO_DIFFERENCE};
  snprintf(t->file, sizeof t->file, "%.700s/" FOLDER "/%.200s", o->path, name);
}

bool recordings_exist(const options *o)
{
  names all;
  find_all(o, &all);
  for (int i = 0; i < all.count; i++)
    free(all.list[i]);
  return all.count > 0;
}

int recordings_check(const options *o, FILE *out, FILE *lines)
{
  names all;
  int code = APP_FINE;
  find_all(o, &all);
  for (int i = 0; i < all.count; i++) {
    test t;
    begin_test(&t, o, all.list[i]);
    run_test(&t);
    print_test(&t, out);
    fflush(out);
    if (lines)
      print_json(&t, lines);
    if (t.at > 0 || t.other[0])
      code = APP_SCRIPT_ERROR;
    end_test(&t);
    free(all.list[i]);
  }
  return code;
}

/* Plays a recording in another process, which records it again, and replaces it. Returns why not, or NULL. */
static const char *accept(const test *t)
{
  static const char *const unreadable = "it cannot be read";
  char problem[PROBLEM_MOST];
  recording before, after = {.count = 0};
  options o = *t->given;
  o.check = false;
  o.tested = o.headless = o.no_watch = true;
  snprintf(o.replay, sizeof o.replay, "%s", t->file);
  snprintf(o.record_input, sizeof o.record_input, "%.1000s.new", t->file);
  if (!recording_read(&before, t->file, problem, sizeof problem))
    return unreadable;
  app_process_run(&o, true);
  bool read = recording_read(&after, o.record_input, problem, sizeof problem);
  const char *why = !read                                           ? unreadable
                    : after.last < before.last                      ? "the game stops before its end"
                    : platform_rename(o.record_input, t->file) != 0 ? "the file cannot be replaced"
                                                                    : NULL;
  if (why)
    platform_remove(o.record_input);
  recording_free(&before);
  recording_free(&after);
  return why;
}

int recordings_accept(const options *o)
{
  names all;
  int code = APP_FINE;
  find_all(o, &all);
  for (int i = 0; i < all.count; i++) {
    test t;
    begin_test(&t, o, all.list[i]);
    const char *why = accept(&t);
    printf(why ? "%s: not accepted: %s\n" : "%s: accepted\n", t.name, why);
    code = why ? APP_SCRIPT_ERROR : code;
    free(all.list[i]);
  }
  return code;
}

/* }== */
