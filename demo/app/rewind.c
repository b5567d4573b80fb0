#include "demo/app/rewind.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/spawnpool_tools.h"
#include "demo/app/game_folder.h"
#include "demo/app/inspector_lua.h"
#include "demo/support/stats.h"
#include "script/host/callbacks.h"

#define SLICE 0.012 /* seconds of replaying per frame of the window */
#define REST 0.1    /* seconds after the last choice until the chosen frame is replayed */
#define LOOK 0.2    /* seconds between two checks of the files */
#define SECOND 60u  /* frames */
#define WHY_FRAMES (10 * SECOND)
#define RUN_UP (2 * SECOND)
#define BACK_A_FRAME 1 /* frames that Backspace goes back in each frame of the window */

/* Returns whether a stretch is marked: both ends, in order. */
static bool has_stretch(const rewind_of *of) { return of->from > 0 && of->from < of->to; }

static history *history_of(const rewind_of *of) { return &of->log->history; }

/* {== Replaying ========================================================== */

/* Restores the game to a checkpoint, from which frames are then replayed. `m` must stay valid. They use the files of
   their time, and edits are made again; not after an edit in the timeline. */
static void put(rewind_of *of, const checkpoint *m)
{
  history *h = &of->log->history;
  checkpoint_return(m, of->game);
  overlays_rewound(of->overlays);
  *of->frame = m->played;
  *of->steps = m->steps;
  h->replays = true;
  h->frame = m->frame;
  of->game->storage.is_replayed = true;
  of->silent = (recorder){.game = of->game};
  of->play = (replay){.is_on = true,
                      .recording = {.entries = h->entries, .count = h->count, .last = UINT64_MAX},
                      .game = of->game,
                      .recorder = &of->silent,
                      .edits = m != &of->edited,
                      .files = of->play.files};
  replay_seek(&of->play, m);
  game_fit(of->game, &of->play.window);
  of->log->past = &of->play;
  of->origin = m;
  of->moved = true;
  of->is_exact = m != &of->edited;
}

/* Replays the next frame with its recorded input. */
static void play_frame(rewind_of *of)
{
  graphics *g = &of->game->graphics;
  of->log->history.frame = of->play.frame + 1;
  replay_begin_frame(&of->play);
  for (int i = 0; i < of->play.steps && !of->game->stopped; i++, ++*of->steps)
    game_step(of->game);
  g->update_ms = clocks_measured(of->log, g->update_ms);
  g->draw_ms = clocks_measured(of->log, g->draw_ms);
  of->game->unseen = of->works && of->play.frame < of->target;
  game_draw(of->game);
  of->game->unseen = false;
  *of->frame += of->play.steps > 0;
  trails_add(&of->paths, of->game, of->play.frame);
}

/* Ends the replay: the game is in the present. */
static void end(rewind_of *of)
{
  const replay *r = &of->log->replay;
  sp_script_use_texts(of->game->script, r->edits ? r->files.list : NULL);
  of->log->history.replays = false;
  of->game->storage.is_replayed = false;
  of->log->past = NULL;
}

/* Draws the picture of the checkpoint that the game was restored to. draw(g) may change the game, so it is restored
   again afterwards. */
static void draw_origin(rewind_of *of)
{
  game_draw(of->game);
  put(of, of->origin);
}

/* Begins to replay to the end of `frame`: from the last checkpoint before it, or from the current frame if that is
   nearer. */
static void seek(rewind_of *of, uint64_t frame, rewind_then then)
{
  const checkpoint *m = history_find(&of->log->history, frame);
  bool nearer = of->is_exact && of->play.frame <= frame && of->play.frame >= m->frame && then != REWIND_TAKE;
  if (!nearer)
    put(of, m);
  of->paths.adds = NULL;
  of->seen = 0;
  of->target = frame;
  of->then = then;
  of->works = true;
}

/* Saves the state of the game as the start of a stretch. False when out of memory: `m` is free then. */
static bool keep(rewind_of *of, checkpoint *m)
{
  checkpoint at = {.frame = of->play.frame,
                   .played = *of->frame,
                   .steps = *of->steps,
                   .frame_steps = of->play.steps,
                   .window = of->play.window};
  return checkpoint_take(m, &at, of->game);
}

static void forget_stretch(rewind_of *of)
{
  checkpoint_free(&of->start);
  checkpoint_free(&of->edited);
}

/* }== */

/* {== Opening ============================================================ */

bool rewind_can(const rewind_of *of)
{
  return !of->options->headless && history_of(of)->game && history_of(of)->checkpoint_count > 0;
}

static const char *why_not(const rewind_of *of)
{
  const options *o = of->options;
  if (o->trust)
    return "no timeline: with --trust a game may have effects that cannot be undone";
  if (o->no_timeline)
    return "no timeline: the player was started with --no-timeline";
  if (!sp_script_has_checkpoints(of->game->script))
    return "no timeline: the system has no address space for it";
  return history_of(of)->has_lost ? "no timeline: the game needs too much memory for it"
                                  : "no timeline yet: nothing has happened";
}

/* Takes the checkpoint of the present. It includes events of a frame that has begun, which begins again when the
   timeline is closed. */
static bool open_timeline(rewind_of *of)
{
  const history *h = history_of(of);
  uint64_t last = of->log->recorder.frame - (of->log->replay.is_on ? 0 : 1);
  checkpoint at = input_log_state(of->log, *of->frame, *of->steps);
  at.frame = last;
  if (!checkpoint_take(&of->present, &at, of->game))
    return false;
  of->shown = true;
  of->opened++;
  of->first = history_first(h);
  of->at = of->last_frame = last;
  of->from = of->to = 0;
  of->backs = of->goes_on = of->wants_play = false;
  of->note = NULL;
  of->still = NULL;
  return true;
}

void rewind_open(rewind_of *of, double now)
{
  if (of->shown)
    rewind_leave(of, false);
  if (of->shown || of->options->headless)
    return;
  if (!rewind_can(of) || !open_timeline(of)) {
    messages_notice(&of->overlays->messages, NOTICE_INFO, why_not(of), now);
    return;
  }
  of->log->recorder.rests = true;
  of->moved = of->works = of->plays = of->is_exact = false;
  of->wish = REWIND_STAY;
  of->go_at = of->check_at = 0;
  of->seen = of->last_frame;
  of->files = of->changed_files = game_folder_hash(of->options->path, of->options->files);
  trails_free(&of->paths);
  *of->paused = true;
}

/* Returns the frame that ended `steps` steps before the end of frame `to`. */
static uint64_t frame_before(const history *h, uint64_t to, uint64_t steps)
{
  for (size_t i = h->count; i-- > 0;) {
    const recording_entry *e = &h->entries[i];
    if (e->kind != RECORDING_STEPS || e->frame > to)
      continue;
    uint64_t played = (to + 1 - e->frame) * e->number;
    if (played >= steps && e->number > 0)
      return to - steps / e->number;
    steps -= played;
    to = e->frame - 1;
  }
  return to > steps ? to - steps : 0; /* at first each frame has one */
}

/* Chooses the frame so long before the end, or before the error that has stopped the game. */
static void choose_before_end(rewind_of *of, uint64_t steps)
{
  uint64_t end = of->game->stopped ? history_error(history_of(of)) : of->last_frame;
  uint64_t frame = frame_before(history_of(of), end, steps);
  of->at = frame > of->first ? frame : of->first;
}

void rewind_open_before_end(rewind_of *of, double seconds, double now)
{
  rewind_open(of, now);
  if (of->shown)
    choose_before_end(of, (uint64_t)(seconds / of->game->step));
}

void rewind_run_back(rewind_of *of, double now)
{
  rewind_open(of, now);
  if (!of->shown)
    return;
  if (of->game->stopped)
    choose_before_end(of, SECOND);
  of->backs = of->goes_on = true;
}

/* }== */

/* {== Leaving ============================================================ */

static void leave(rewind_of *of)
{
  of->shown = false;
  checkpoint_free(&of->present);
  forget_stretch(of);
  end(of);
  of->log->owed = 0;
  of->works = of->plays = false;
  of->paths.adds = NULL;
  of->log->recorder.rests = false;
  if (!of->log->replay.is_on)
    input_release_held(&of->game->input, of->own_events); /* what was held at the checkpoint may not be held now */
  *of->paused = false;
  *of->last = clock_now();
}

/* Tells the game if the window has another size than in the past; the change belongs to the next frame. */
static void see_window(const rewind_of *of)
{
  recorder *r = &of->log->recorder;
  if (of->log->replay.is_on)
    return;
  recorder_begin_frame(r);
  input_log_resize(of->log, of->window);
  recorder_drop_frame(r);
}

/* Continues from the current frame; later frames are removed from the history. */
static void take(rewind_of *of)
{
  uint64_t frame = of->play.frame;
  input_log *l = of->log;
  leave(of);
  history_cut(history_of(of), frame);
  stills_cut(of->stills, frame);
  overlays_clear_error(of->overlays);
  recorder_back(&l->recorder, frame, &of->play.window);
  if (l->replay.is_on)
    replay_seek(&l->replay, &(checkpoint){.frame = frame, .frame_steps = of->play.steps, .window = of->play.window});
  see_window(of);
}

void rewind_return(rewind_of *of)
{
  uint64_t frame = of->present.frame;
  if (!of->shown)
    return;
  if (of->moved) {
    put(of, &of->present);
    draw_origin(of);
  }
  leave(of);
  history_of(of)->frame = frame;
  see_window(of);
}

void rewind_close(rewind_of *of)
{
  if (of->shown && of->works && of->then == REWIND_WHY)
    put(of, of->origin); /* ends the watch: the game may run code while it closes */
  sp_watch_free(of->watch);
  recording_files_free(&of->play.files);
  trails_free(&of->paths);
  checkpoint_free(&of->present);
  forget_stretch(of);
}

/* }== */

/* {== Edits ============================================================== */

static uint64_t count_live(const rewind_of *of)
{
  sp_stats all = {0};
  if (game_pools(of->game))
    sp_manager_stats(game_pools(of->game), &all);
  return all.live;
}

/* Begins to play the stretch with the edited files, from its recorded start. */
static void begin_edit(rewind_of *of)
{
  bool stretch = has_stretch(of);
  of->edit_from = stretch ? of->from : of->at > of->first + RUN_UP ? of->at - RUN_UP : of->first;
  of->edit_to = stretch ? of->to : of->at;
  trails_begin(&of->paths, of->overlays->inspects ? of->overlays->selected : SP_NULL_REF, count_live(of),
               of->edit_to - of->edit_from);
  if (of->start.script && of->start.frame == of->edit_from) {
    put(of, &of->start);
    of->seen = 0;
    of->target = of->edit_from;
    of->then = REWIND_EDIT;
    of->works = true;
  } else {
    seek(of, of->edit_from, REWIND_EDIT);
  }
  of->hot_reload->requested = false;
  of->plays = of->has_failed = false;
}

/* A replayed frame says nothing, except that the edited files fail: once, as a loop would repeat it. */
static void on_muted_error(void *ud, const char *error)
{
  rewind_of *of = ud;
  if (of->origin != &of->edited || of->has_failed)
    return;
  of->has_failed = true;
  of->report->muted = false;
  report_say(of->report, SP_REPORT_ERROR, error);
  of->report->muted = true;
  overlays_clear_error(of->overlays);
  messages_problem(&of->overlays->messages, NOTICE_ERROR, game_shortened(of->game, error),
                   "the edited files failed in the replay; save a fix to replay again");
}

static void load_edit(rewind_of *of)
{
  of->report->muted = false;
  of->play.edits = false;
  sp_script_use_texts(of->game->script, NULL);
  sp_script_compare(of->game->script);
  hot_reload_request(of->hot_reload);
  sp_poll_result result = hot_reload_poll(of->hot_reload, clock_now());
  overlays_report_reload(of->overlays, of->hot_reload, result);
  of->report->muted = true;
  game_reloaded(of->game, result);
  of->note = result == SP_POLL_RELOADED ? "the edited files, with the same input" : NULL;
  if (!keep(of, &of->edited))
    return;
  of->origin = &of->edited;
  of->is_exact = false;
  trails_record(&of->paths, &of->paths.after);
  trails_add(&of->paths, of->game, of->play.frame);
  of->target = of->edit_to;
  of->then = REWIND_SHOW;
  of->plays = of->wants_play = has_stretch(of);
  of->works = !of->plays;
}

/* Compares the files by their contents, because the restored script knows the files of the past. */
static void look_for_edits(rewind_of *of, double now)
{
  if (of->hot_reload->requested) {
    begin_edit(of);
    return;
  }
  if (of->options->no_watch || now < of->check_at)
    return;
  of->check_at = now + LOOK;
  uint64_t files = game_folder_hash(of->options->path, of->options->files);
  bool is_settled = files == of->changed_files;
  of->changed_files = files;
  if (files == of->files || !is_settled)
    return;
  of->files = files;
  begin_edit(of);
}

/* }== */

/* {== Frames ============================================================= */

/* Records the path before the edit, to the end of the stretch. */
static void trace(rewind_of *of)
{
  if (!keep(of, &of->start))
    return;
  trails_record(&of->paths, &of->paths.before);
  trails_add(&of->paths, of->game, of->play.frame);
  of->target = of->edit_to;
  of->then = REWIND_TRACED;
  of->works = true;
}

/* Watches the field from the checkpoint before `frame` to the chosen frame. */
static void watch_from(rewind_of *of, uint64_t frame)
{
  put(of, history_find(history_of(of), frame));
  sp_watch_begin(of->watch, of->game->script);
  of->play.watch = of->watch;
  of->seen = 0;
  of->target = of->at > of->play.frame ? of->at : of->play.frame;
  of->then = REWIND_WHY;
  of->works = true;
}

/* When nothing has written the field in the last seconds, it is searched from the first frame on. The watch ends as the
   memory is put back to what it was. */
static void end_watch(rewind_of *of)
{
  size_t count;
  sp_watch_frame(of->watch, of->play.frame);
  sp_watch_writes(of->watch, &count);
  of->seen = 0;
  if (count == 0 && of->origin->frame > of->first)
    watch_from(of, of->first);
  else
    put(of, of->origin);
}

static void arrive(rewind_of *of)
{
  of->works = false;
  if (of->play.frame == of->origin->frame)
    draw_origin(of);
  of->seen = of->play.frame;
  switch (of->then) {
  case REWIND_TAKE:
    take(of);
    break;
  case REWIND_PLAY:
    keep(of, &of->start);
    break;
  case REWIND_EDIT:
    trace(of);
    break;
  case REWIND_WHY:
    end_watch(of);
    break;
  case REWIND_TRACED:
    put(of, &of->start);
    load_edit(of);
    break;
  case REWIND_SHOW:
    of->at = of->wants_play ? of->seen : of->at;
    break;
  }
}

static void work(rewind_of *of)
{
  double begin = clock_now();
  while (of->works && clock_now() < begin + SLICE) {
    if (of->play.frame < of->target)
      play_frame(of);
    if (of->play.frame >= of->target)
      arrive(of);
  }
}

/* Plays one more frame of the stretch, or of what follows the chosen frame. */
static void play_on(rewind_of *of)
{
  bool stretch = has_stretch(of);
  if (!of->plays) {
    of->plays = true;
    if (stretch || of->seen != of->at || !of->moved)
      seek(of, stretch ? of->from : of->at, stretch ? REWIND_PLAY : REWIND_SHOW);
  } else if (of->play.frame < (stretch ? of->to : of->last_frame)) {
    play_frame(of);
  } else if (stretch && (of->edited.script || of->start.script)) {
    put(of, of->edited.script ? &of->edited : &of->start);
    draw_origin(of);
  } else {
    of->wants_play = of->plays = false;
  }
  if (!of->works)
    of->at = of->seen = of->play.frame;
}

sp_eval rewind_eval(void *ud, const char *lua)
{
  rewind_of *of = ud;
  bool was_replayed = of->game->storage.is_replayed;
  checkpoint before = {.frame = 0};
  if (!of->shown)
    return sp_script_eval(of->game->script, lua);
  if (!checkpoint_take(&before, &(checkpoint){.frame = 0}, of->game)) {
    messages_notice(&of->overlays->messages, NOTICE_WARNING, "not enough memory: nothing has run", clock_now());
    return SP_EVAL_FAILED;
  }
  of->game->storage.is_replayed = true; /* stored data does not reach the folder */
  sp_eval result = sp_script_eval(of->game->script, lua);
  of->game->storage.is_replayed = was_replayed;
  checkpoint_return(&before, of->game);
  checkpoint_free(&before);
  messages_notice(&of->overlays->messages, NOTICE_INFO, "the timeline is open: what this line changed is undone",
                  clock_now());
  return result;
}

void rewind_draw_below(void *ud, graphics *g)
{
  const rewind_of *of = ud;
  if (!of->shown)
    return;
  if (of->still) {
    batch_area all = {of->still, 0, 0, 1, 1};
    batch_rect(g->out, &all, 0, 0, g->view.width, g->view.height, (SDL_Color){255, 255, 255, 255});
    return;
  }
  game_view seen = input_log_shown(of->log, of->window);
  trails_draw(&of->paths, g, &seen, of->play.frame);
}

double rewind_progress(const rewind_of *of)
{
  uint64_t from = of->origin ? of->origin->frame : 0;
  return of->works && of->target > from ? (double)(of->play.frame - from) / (double)(of->target - from) : -1;
}

/* Chooses what the window shows: the game's picture, or a still of the chosen frame. */
static void show(rewind_of *of)
{
  bool is_seen = of->seen == of->at && !of->works;
  of->still = is_seen ? NULL : stills_show(of->stills, of->window->renderer, of->at);
}

static void follow_choice(rewind_of *of, double now)
{
  if (of->wish == REWIND_CLOSE || (of->wish == REWIND_GO_ON && of->at >= of->last_frame)) {
    rewind_return(of);
  } else if (of->wish == REWIND_GO_ON) {
    of->wish = REWIND_STAY;
    seek(of, of->at, REWIND_TAKE);
  } else if (of->wants_play) {
    play_on(of);
  } else if (of->at != of->seen && !of->backs && now >= of->go_at) {
    seek(of, of->at, REWIND_SHOW);
  }
}

bool rewind_holds(rewind_of *of, double now)
{
  if (!of->shown)
    return false;
  of->log->rests = true;
  of->overlays->awake = true;
  if (!of->log->replay.is_on)
    recorder_drop_frame(&of->log->recorder);
  of->report->muted = true; /* all of it was reported before */
  of->report->on_muted_error = on_muted_error;
  of->report->muted_ud = of;
  of->plays = of->plays && of->wants_play;
  if (of->backs)
    rewind_choose(of, (double)of->at - BACK_A_FRAME);
  bool is_wanted = of->then == REWIND_SHOW ? of->wish == REWIND_STAY && of->at == of->target : of->wish != REWIND_CLOSE;
  of->works = of->works && is_wanted;
  if (!of->works)
    look_for_edits(of, now);
  if (!of->works)
    follow_choice(of, now);
  if (of->shown)
    work(of);
  if (of->shown)
    show(of);
  of->report->muted = false;
  return true;
}

/* }== */

/* {== What the user does ================================================= */

void rewind_choose(rewind_of *of, double frame)
{
  double first = (double)of->first, last = (double)of->last_frame;
  uint64_t before = of->at;
  of->at = (uint64_t)(frame < first ? first : frame > last ? last : frame);
  of->wants_play = false;
  if (of->at != before)
    of->go_at = clock_now() + REST;
}

bool rewind_ask_why(rewind_of *of, const char *field, double now)
{
  sp_watched what;
  if (of->shown && of->works && of->then == REWIND_WHY) {
    put(of, of->origin);
    of->works = false;
  }
  if (!field || !sp_watched_parse(&what, field))
    return false;
  if (!of->shown)
    rewind_open(of, now);
  sp_watch *watch = of->shown ? sp_watch_new(&what) : NULL;
  if (!watch)
    return false;
  sp_watch_free(of->watch);
  of->watch = watch;
  of->wants_play = of->plays = false;
  watch_from(of, of->at > of->first + WHY_FRAMES ? of->at - WHY_FRAMES : of->first);
  return true;
}

bool rewind_knows_why(const rewind_of *of) { return of->watch && !(of->works && of->then == REWIND_WHY); }

void rewind_mark(rewind_of *of, uint64_t from, uint64_t to)
{
  of->from = from;
  of->to = to;
  of->wants_play = has_stretch(of);
  of->plays = of->works = false;
  of->seen = 0;
  forget_stretch(of);
}

void rewind_leave(rewind_of *of, bool go_on) { of->wish = go_on ? REWIND_GO_ON : REWIND_CLOSE; }

/* }== */

/* {== --synctest ========================================================= */

void synctest_begin_frame(synctest *s)
{
  if (!s->of || s->has_failed)
    return;
  checkpoint at = input_log_state(s->of->log, *s->of->frame, *s->of->steps);
  at.frame = s->of->log->recorder.frame;
  s->has_failed = !checkpoint_take(&s->before, &at, s->of->game);
}

/* Counts what the game heard in the frame. */
static void count_inputs(synctest *s)
{
  const history *h = &s->of->log->history;
  for (size_t i = recording_after(h->entries, h->count, s->before.frame); i < h->count; i++)
    s->inputs += h->entries[i].kind == RECORDING_EVENT && !h->entries[i].unheard;
}

/* Goes back and plays the frame again; then this is the present. */
static void play_again(rewind_of *of, const checkpoint *before)
{
  of->report->muted = true; /* all of it was reported before */
  put(of, before);
  play_frame(of);
  of->report->muted = false;
  end(of);
}

static void report_difference(const synctest *s, const cJSON *first)
{
  char where[400], line[600];
  state_parts_compare(first, s->of->game->script, where, sizeof where);
  snprintf(line, sizeof line, "synctest: frame %" PRIu64 ", in second %.0f, differs when it is played again: %s",
           s->of->play.frame, ceil((double)*s->of->steps * s->of->game->step), where);
  report_line(line);
}

void synctest_end_frame(synctest *s)
{
  uint64_t hash;
  if (!s->of || s->has_failed)
    return;
  count_inputs(s);
  cJSON *first = state_parts(s->of->game->script, &hash);
  play_again(s->of, &s->before);
  s->frames++;
  if (sp_script_hash(s->of->game->script, NULL, NULL) != hash && s->differing++ == 0)
    report_difference(s, first);
  cJSON_Delete(first);
}

bool synctest_print_result(const synctest *s)
{
  char line[256];
  if (!s->of)
    return true;
  sp_stats all = {0};
  if (game_pools(s->of->game))
    sp_manager_stats(game_pools(s->of->game), &all);
  snprintf(line, sizeof line,
           "synctest: %" PRIu64 " frames were played again, %" PRIu64 " differ; the game made %" PRIu64
           " objects and heard %" PRIu64 " inputs",
           s->frames, s->differing, all.allocs, s->inputs);
  report_line(s->has_failed ? "synctest: not enough memory for a copy of the game" : line);
  return s->differing == 0 && !s->has_failed;
}

void synctest_close(synctest *s) { checkpoint_free(&s->before); }

/* }== */
