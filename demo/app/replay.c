#include "demo/app/replay.h"

#include <inttypes.h>
#include <string.h>

#include "demo/app/game_files.h"
#include "demo/app/state_parts.h"
#include "demo/support/frame_search.h"
#include "demo/support/report.h"
#include "script/host/inspect.h"

/* {== Opening ============================================================ */

static void say(const char *what)
{
  fputs("spawnpool: replay: ", stderr);
  report_write(stderr, what);
  fputc('\n', stderr);
  fflush(stderr);
}

static bool is_same_size(const recording_head *head, const options *o)
{
  return !o->sized || (o->width == head->width && o->height == head->height);
}

/* Checks that this is the recorded game: by the hash of its files, or, if it was edited since, by its name. */
static bool check_game(replay *r, const options *o, char *error, size_t error_size)
{
  const recording_head *head = &r->recording.head;
  char name[200];
  game_files_name(o->path, name, sizeof name);
  bool same_files = game_files_hash(o->path) == head->files;
  if (!same_files && strcmp(name, head->game) != 0) {
    snprintf(error, error_size, "'%.500s' is the input of another game: %.200s, not %.200s", o->replay, head->game,
             name);
    return false;
  }
  r->is_edited = !same_files;
  return true;
}

static bool check_options(const replay *r, const options *o, char *error, size_t error_size)
{
  const recording_head *head = &r->recording.head;
  if (head->trust && !o->trust) {
    snprintf(error, error_size,
             "'%.500s' was recorded with --trust: the game had the full Lua libraries; add --trust "
             "if you trust it too",
             o->replay);
    return false;
  }
  if (head->memory > o->memory) {
    const unsigned long long mib = ((unsigned long long)head->memory + (1 << 20) - 1) >> 20;
    snprintf(error, error_size, "'%.500s' was recorded with more memory: add --memory %llu if the game may have it",
             o->replay, mib);
    return false;
  }
  return true;
}

static void report_differences(const replay *r, const options *o)
{
  const recording_head *head = &r->recording.head;
  char line[512];
  if (r->is_edited)
    say("the game was edited since this was recorded; it may go another way");
  if (strcmp(head->player, SP_VERSION) != 0) {
    snprintf(line, sizeof line,
             "recorded with version %.100s of spawnpool, this is " SP_VERSION "; it may go another way", head->player);
    say(line);
  }
  if (!is_same_size(head, o)) {
    snprintf(line, sizeof line, "recorded in %dx%d, which the game sees; the picture is scaled to %dx%d", head->width,
             head->height, o->width, o->height);
    say(line);
  }
  if (!r->recording.is_whole)
    say("the recording has no end: the player was stopped while it was made");
}

static void use_head(const replay *r, options *o)
{
  const recording_head *head = &r->recording.head;
  o->seed = head->seed;
  o->seeded = true;
  o->memory = (size_t)head->memory;
  o->start_time = (int64_t)head->start;
  o->step = head->step;
  o->game_argc = head->arguments.count;
  o->game_argv = (char **)head->arguments.list;
  if (o->sized)
    return;
  o->width = head->width;
  o->height = head->height;
}

bool replay_open(replay *r, options *o, char *error, size_t error_size)
{
  *r = (replay){.is_on = false};
  if (!o->replay[0])
    return true;
  if (!recording_read(&r->recording, o->replay, error, error_size) || !check_game(r, o, error, error_size) ||
      !check_options(r, o, error, error_size))
    return false;
  r->is_on = true;
  report_differences(r, o);
  use_head(r, o);
  return true;
}

void replay_close(replay *r) { recording_free(&r->recording); }

void replay_start(replay *r, game *it, recorder *to)
{
  const recording_head *head = &r->recording.head;
  r->game = it;
  r->recorder = to;
  r->steps = 1;
  r->window = (window){.width = head->width, .height = head->height, .scale = head->density};
  game_fit(it, &r->window);
}

void replay_seek(replay *r, const replay *at)
{
  const recording *all = &r->recording;
  r->frame = at->frame;
  r->steps = at->steps;
  r->window = at->window;
  r->has_ended = false;
  r->next = all->count ? frame_search(&all->entries->frame, sizeof *all->entries, all->count, at->frame) : 0;
}

/* }== */

/* {== Input ============================================================== */

static void give_event(replay *r, const recording_entry *e)
{
  recorder_event(r->recorder, &e->event, e->unheard);
  input_change change = input_event(&r->game->input, &e->event);
  if (!e->unheard)
    game_input(r->game, &change);
  if (e->event.type == SDL_WINDOWEVENT)
    game_focus(r->game, e->event.window.event == SDL_WINDOWEVENT_FOCUS_GAINED);
}

/* Sets the size of the window to that of the entry; returns whether it differs. */
static bool resize(replay *r, const recording_entry *e)
{
  bool resized = e->width != r->window.width || e->height != r->window.height;
  r->window = (window){.width = e->width, .height = e->height, .scale = e->density};
  recorder_resize(r->recorder, &r->window);
  game_fit(r->game, &r->window);
  return resized;
}

void replay_take_size(replay *r)
{
  const recording *all = &r->recording;
  if (r->next < all->count && all->entries[r->next].frame == 0 && all->entries[r->next].kind == RECORDING_SIZE)
    resize(r, &all->entries[r->next++]);
  else
    game_fit(r->game, &r->window);
}

static void give_command(replay *r, const recording_entry *e)
{
  sp_script_select(r->game->script, e->object);
  if (e->kind == RECORDING_EVAL) {
    sp_script_eval(r->game->script, e->text);
  } else {
    char unused[512];
    sp_script_set_field(r->game->script, e->object, e->name, e->text, unused, sizeof unused);
  }
}

static void give(replay *r, const recording_entry *e)
{
  switch (e->kind) {
  case RECORDING_EVENT:
    give_event(r, e);
    break;
  case RECORDING_STEPS:
    r->steps = (int)e->number;
    break;
  case RECORDING_SIZE:
    if (resize(r, e))
      game_resized(r->game, e->width, e->height);
    break;
  case RECORDING_EVAL:
  case RECORDING_SET:
    give_command(r, e);
    break;
  case RECORDING_QUIT:
    game_may_quit(r->game);
    r->has_ended = e->ended;
    recorder_add(r->recorder, *e);
    break;
  case RECORDING_RELOAD: /* a replay runs the edited files from the start */
    game_resume(r->game);
    break;
  default:
    break;
  }
}

/* Returns whether an entry is compared at the end of its frame. */
static bool is_check(const recording_entry *e)
{
  return e->kind == RECORDING_HASH || e->kind == RECORDING_POOL || e->kind == RECORDING_DIGEST;
}

void replay_begin(replay *r)
{
  const recording *all = &r->recording;
  for (; r->next < all->count && all->entries[r->next].frame == r->frame && !is_check(&all->entries[r->next]);
       r->next++)
    give(r, &all->entries[r->next]);
}

/* }== */

/* {== Comparing ========================================================== */

/* Returns the recorded parts of the pools at the end of this frame. */
static cJSON *recorded_parts(const recording *all, uint64_t frame)
{
  cJSON *pools = cJSON_CreateObject();
  for (size_t i = 0; i < all->count && all->entries[i].frame <= frame; i++)
    if (all->entries[i].frame == frame && all->entries[i].kind == RECORDING_POOL)
      cJSON_AddItemToObject(pools, all->entries[i].name, cJSON_Parse(all->entries[i].text));
  return pools;
}

static void report_first(replay *r, uint64_t at)
{
  uint64_t hash;
  char where[400], line[600];
  unsigned second = 0;
  cJSON *recorded = recorded_parts(&r->recording, at), *now = state_parts(r->game->script, &hash);
  for (size_t i = 0; i < r->next; i++)
    second += r->recording.entries[i].kind == RECORDING_HASH;
  state_parts_compare(recorded, now, where, sizeof where);
  snprintf(line, sizeof line,
           "frame %" PRIu64 " is the first that differs from the recording; at the end of second %u, frame %" PRIu64
           ": %s",
           r->first, second + 1, at, where);
  say(line);
  cJSON_Delete(recorded);
  cJSON_Delete(now);
  r->is_reported = true;
}

static void compare_hash(replay *r, const recording_entry *e)
{
  r->hashes++;
  if (sp_script_hash(r->game->script, NULL, NULL) == e->number)
    return;
  r->differing++;
  r->first = r->first ? r->first : e->frame;
  if (!r->is_reported)
    report_first(r, e->frame);
}

static void check(replay *r, const recording_entry *e)
{
  if (e->kind == RECORDING_HASH)
    compare_hash(r, e);
  else if (e->kind == RECORDING_DIGEST && r->first == 0 && sp_script_digest(r->game->script) != e->number)
    r->first = e->frame;
}

void replay_end_frame(replay *r)
{
  const recording *all = &r->recording;
  for (; r->next < all->count && all->entries[r->next].frame == r->frame; r->next++)
    check(r, &all->entries[r->next]);
}

bool replay_begin_frame(replay *r)
{
  if (r->frame >= r->recording.last)
    return false;
  r->frame++;
  recorder_begin_frame(r->recorder);
  replay_begin(r);
  if (r->has_ended)
    replay_end_frame(r);
  return !r->has_ended;
}

/* }== */

void replay_edited(replay *r) { r->is_edited = r->is_reported = true; }

bool replay_print_result(const replay *r)
{
  char line[200];
  if (r->differing == 0 && r->first > 0)
    snprintf(line, sizeof line, "frame %" PRIu64 " differs from the recording, but no hash does", r->first);
  else if (r->differing > 0)
    snprintf(line, sizeof line, "%" PRIu64 " frames; %" PRIu64 " of %" PRIu64 " hashes differ", r->frame, r->differing,
             r->hashes);
  else
    snprintf(line, sizeof line, "%" PRIu64 " frames, %" PRIu64 " hash%s, all as recorded", r->frame, r->hashes,
             r->hashes == 1 ? "" : "es");
  say(line);
  return (r->differing == 0 && r->first == 0) || r->is_edited;
}
