#include "demo/app/rewind.h"

#include <stdio.h>

#include "demo/app/game_files.h"
#include "demo/app/inspector_lua.h"
#include "demo/app/rewind_play.h"
#include "demo/support/clock.h"

#define SLICE 0.012 /* seconds of replaying per frame of the window */
#define REST 0.1    /* seconds after the last choice until the chosen frame is replayed */
#define LOOK 0.2    /* seconds between two checks of the files */
#define SECOND 60u  /* frames */
#define RUN_UP (2 * SECOND)
#define BACK_A_FRAME 1 /* frames that Backspace goes back in each frame of the window */

/* Returns whether a stretch is marked: both ends, in order. */
static bool has_stretch(const rewind_of *of) { return of->from > 0 && of->from < of->to; }

static history *history_of(const rewind_of *of) { return &of->tape->history; }

/* {== Opening ============================================================ */

bool rewind_can(const rewind_of *of)
{
  return !of->options->headless && history_of(of)->game && history_of(of)->moment_count > 0;
}

static const char *why_not(const rewind_of *of)
{
  const options *o = of->options;
  if (o->trust)
    return "no timeline: with --trust a game may do what cannot be taken back";
  if (o->no_timeline)
    return "no timeline: the player was started with --no-timeline";
  if (!history_of(of)->game)
    return "no timeline: there are no addresses for it";
  return history_of(of)->has_lost ? "no timeline: the game needs too much memory for it"
                                  : "no timeline yet: nothing has happened";
}

/* Takes the moment of the present. It includes events of a frame that has begun, which begins again when the timeline
   is closed. */
static bool open_timeline(rewind_of *of)
{
  const history *h = history_of(of);
  uint64_t last = of->tape->recorder.frame - (of->tape->replay.is_on ? 0 : 1);
  of->present = tape_state(of->tape, *of->frame, *of->steps);
  of->present.frame = last;
  if (!moment_take(&of->present, of->game, NULL))
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
  recorder_rest(&of->tape->recorder);
  of->moved = of->works = of->plays = of->is_exact = false;
  of->wish = REWIND_STAY;
  of->go_at = of->check_at = 0;
  of->seen = of->last_frame;
  of->files = of->changed_files = game_files_hash(of->options->path);
  of->traced = 0;
  of->path = NULL;
  trail_clear(&of->old_path);
  trail_clear(&of->new_path);
  *of->paused = true;
}

static uint64_t frame_of_error(const history *h)
{
  for (size_t i = h->count; i-- > 0;)
    if (h->entries[i].kind == RECORDING_ERROR)
      return h->entries[i].frame;
  return h->frame;
}

void rewind_run_back(rewind_of *of, double now)
{
  rewind_open(of, now);
  if (!of->shown)
    return;
  if (of->game->stopped) {
    uint64_t error = frame_of_error(history_of(of));
    of->at = error > of->first + SECOND ? error - SECOND : of->first;
  }
  of->backs = of->goes_on = true;
}

/* }== */

/* {== Leaving ============================================================ */

/* Sends releases for all keys and buttons that were held at the moment, because they may not be held now. Games and SDL
   number the middle and the right button the other way round. */
static void release_held(const input *in)
{
  static const Uint8 buttons[] = {[INPUT_MIDDLE] = SDL_BUTTON_MIDDLE, [INPUT_RIGHT] = SDL_BUTTON_RIGHT};
  for (int i = 0; i < in->key_count; i++)
    SDL_PushEvent(&(SDL_Event){.key = {.type = SDL_KEYUP, .keysym = {.sym = in->keys[i]}}});
  for (int button = 1; button <= INPUT_BUTTONS; button++) {
    Uint8 number = button < (int)sizeof buttons && buttons[button] ? buttons[button] : (Uint8)button;
    if (in->buttons[button])
      SDL_PushEvent(
          &(SDL_Event){.button = {.type = SDL_MOUSEBUTTONUP, .button = number, .x = in->mouse_x, .y = in->mouse_y}});
  }
}

static void leave(rewind_of *of)
{
  of->shown = false;
  moment_free(&of->present);
  moment_free(&of->start);
  moment_free(&of->edited);
  rewind_end(of);
  of->tape->owed = 0;
  of->works = of->plays = false;
  of->path = NULL;
  recorder_go_on(&of->tape->recorder);
  if (!of->tape->replay.is_on)
    release_held(&of->game->input);
  *of->paused = false;
  *of->last = clock_now();
}

/* Tells the game if the window has another size than in the past; the change belongs to the next frame. */
static void see_window(const rewind_of *of)
{
  recorder *r = &of->tape->recorder;
  if (of->tape->replay.is_on)
    return;
  recorder_begin_frame(r);
  tape_resize(of->tape, of->game, of->window);
  recorder_drop_frame(r);
}

/* Continues from the current frame; later frames are removed from the history. */
static void take(rewind_of *of)
{
  uint64_t frame = of->play.frame;
  tape *t = of->tape;
  leave(of);
  history_cut(history_of(of), frame);
  stills_cut(of->stills, frame);
  overlays_clear_error(of->overlays);
  recorder_back(&t->recorder, frame, &of->play.window);
  t->width = of->play.window.width;
  t->height = of->play.window.height;
  if (t->replay.is_on)
    replay_seek(&t->replay, &of->play);
  see_window(of);
}

/* Closes the timeline and restores the present. */
static void close_timeline(rewind_of *of)
{
  uint64_t frame = of->present.frame;
  if (of->moved) {
    rewind_put(of, &of->present);
    rewind_draw_origin(of);
  }
  leave(of);
  history_of(of)->frame = frame;
  see_window(of);
}

void rewind_return(rewind_of *of)
{
  if (of->shown)
    close_timeline(of);
}

void rewind_close(rewind_of *of)
{
  moment_free(&of->present);
  moment_free(&of->start);
  moment_free(&of->edited);
}

/* }== */

/* {== Edits ============================================================== */

/* Returns the object whose path is drawn: the one that is selected, or under the mouse. */
static sp_ref find_traced(const rewind_of *of)
{
  const overlays *o = of->overlays;
  game_view seen = tape_shown(of->tape, of->game, of->window);
  return o->inspects && o->selected ? o->selected : inspector_pick(game_pools(of->game), &seen, o->mouse_x, o->mouse_y);
}

/* Begins to play the stretch with the edited files, from its recorded start. */
static void begin_edit(rewind_of *of)
{
  bool stretch = has_stretch(of);
  of->edit_from = stretch ? of->from : of->at > of->first + RUN_UP ? of->at - RUN_UP : of->first;
  of->edit_to = stretch ? of->to : of->at;
  of->traced = find_traced(of);
  trail_clear(&of->old_path);
  trail_clear(&of->new_path);
  if (of->start.script && of->start.frame == of->edit_from) {
    rewind_put(of, &of->start);
    of->seen = 0;
    of->target = of->edit_from;
    of->then = REWIND_EDIT;
    of->works = true;
  } else {
    rewind_seek(of, of->edit_from, REWIND_EDIT);
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
  hot_reload_request(of->hot_reload);
  sp_poll_result result = hot_reload_poll(of->hot_reload, clock_now());
  overlays_report_reload(of->overlays, of->hot_reload, result);
  of->report->muted = true;
  if (result == SP_POLL_RELOADED) {
    game_resume(of->game);
    game_read_settings(of->game);
  }
  of->note = result == SP_POLL_RELOADED ? "the edited files, with the same input" : NULL;
  if (!rewind_keep(of, &of->edited))
    return;
  of->origin = &of->edited;
  of->is_exact = false;
  of->path = &of->new_path;
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
  uint64_t files = game_files_hash(of->options->path);
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
  if (!rewind_keep(of, &of->start))
    return;
  of->path = &of->old_path;
  trail_add(of->path, game_pools(of->game), of->traced, of->play.frame);
  of->target = of->edit_to;
  of->then = REWIND_TRACED;
  of->works = true;
}

static void arrive(rewind_of *of)
{
  of->works = false;
  if (of->play.frame == of->origin->frame)
    rewind_draw_origin(of);
  of->seen = of->play.frame;
  switch (of->then) {
  case REWIND_TAKE:
    take(of);
    break;
  case REWIND_PLAY:
    rewind_keep(of, &of->start);
    break;
  case REWIND_EDIT:
    trace(of);
    break;
  case REWIND_TRACED:
    rewind_put(of, &of->start);
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
      rewind_play_frame(of);
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
      rewind_seek(of, stretch ? of->from : of->at, stretch ? REWIND_PLAY : REWIND_SHOW);
  } else if (of->play.frame < (stretch ? of->to : of->last_frame)) {
    rewind_play_frame(of);
  } else if (stretch && (of->edited.script || of->start.script)) {
    rewind_put(of, of->edited.script ? &of->edited : &of->start);
    rewind_draw_origin(of);
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
  moment before = {.frame = 0};
  if (!of->shown)
    return sp_script_eval(of->game->script, lua);
  if (!moment_take(&before, of->game, NULL)) {
    messages_notice(&of->overlays->messages, NOTICE_WARNING, "not enough memory: nothing has run", clock_now());
    return SP_EVAL_FAILED;
  }
  of->game->storage.is_replayed = true; /* stored data does not reach the folder */
  sp_eval result = sp_script_eval(of->game->script, lua);
  of->game->storage.is_replayed = was_replayed;
  moment_return(&before, of->game);
  moment_free(&before);
  messages_notice(&of->overlays->messages, NOTICE_INFO, "the timeline is open: what this line changed is undone",
                  clock_now());
  return result;
}

void rewind_draw_below(const rewind_of *of, graphics *g)
{
  if (!of->shown)
    return;
  if (of->still) {
    batch_area all = {of->still, 0, 0, 1, 1};
    batch_rect(g->out, &all, 0, 0, g->view.width, g->view.height, (SDL_Color){255, 255, 255, 255});
    return;
  }
  game_view seen = tape_shown(of->tape, of->game, of->window);
  trail_draw(&of->old_path, g, &seen, UINT64_MAX, true);
  trail_draw(&of->new_path, g, &seen, of->play.frame, false);
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
    close_timeline(of);
  } else if (of->wish == REWIND_GO_ON) {
    of->wish = REWIND_STAY;
    rewind_seek(of, of->at, REWIND_TAKE);
  } else if (of->wants_play) {
    play_on(of);
  } else if (of->at != of->seen && !of->backs && now >= of->go_at) {
    rewind_seek(of, of->at, REWIND_SHOW);
  }
}

bool rewind_holds(rewind_of *of, double now)
{
  if (!of->shown)
    return false;
  of->tape->rests = true;
  if (!of->tape->replay.is_on)
    recorder_drop_frame(&of->tape->recorder);
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

void rewind_mark(rewind_of *of, uint64_t from, uint64_t to)
{
  of->from = from;
  of->to = to;
  of->wants_play = has_stretch(of);
  of->plays = of->works = false;
  of->seen = 0;
  moment_free(&of->start);
  moment_free(&of->edited);
}

void rewind_leave(rewind_of *of, bool go_on) { of->wish = go_on ? REWIND_GO_ON : REWIND_CLOSE; }

/* }== */
