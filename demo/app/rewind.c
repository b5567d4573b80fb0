#include "demo/app/rewind.h"

#include <stdio.h>

#include "demo/app/recording_read.h"

#define PROBLEM_MOST (OPTIONS_FILE_MOST + 1024)

/* {== The timeline ======================================================= */

static void add_marks(timeline *t, const recording *from)
{
  for (size_t i = 0; i < from->count; i++) {
    const recording_entry *e = &from->entries[i];
    if (e->kind == RECORDING_ERROR || e->kind == RECORDING_RELOAD)
      timeline_add(t, e->frame, e->kind == RECORDING_ERROR ? TIMELINE_ERROR : TIMELINE_RELOAD);
    else if (e->kind == RECORDING_EVENT && e->event.type != SDL_MOUSEMOTION && !e->unheard)
      timeline_add(t, e->frame, TIMELINE_INPUT);
  }
}

/* Fills the timeline. False, with one line in `problem`, when nothing is recorded. */
static bool open_timeline(const rewind_of *of, char *problem, size_t size)
{
  timeline *t = &of->overlays->timeline;
  recording r;
  if (of->tape->replay.is_on) {
    timeline_open(t, of->tape->replay.frame, of->game->step);
    add_marks(t, &of->tape->replay.recording);
    return true;
  }
  if (!of->tape->recorder.file) {
    snprintf(problem, size, "the timeline needs recorded input: start with --record-input FILE");
    return false;
  }
  if (!recorder_read(&of->tape->recorder, &r, problem, size))
    return false;
  timeline_open(t, of->tape->recorder.frame - 1, of->game->step); /* the last one that has run */
  add_marks(t, &r);
  recording_free(&r);
  return true;
}

void rewind_open(rewind_of *of, double now)
{
  char problem[PROBLEM_MOST];
  if (of->options->headless)
    return;
  of->moved = false;
  of->go_at = 0;
  if (open_timeline(of, problem, sizeof problem))
    *of->paused = true;
  else
    notice_set(&of->overlays->notice, NOTICE_INFO, problem, now);
}

/* }== */

/* {== Going back ========================================================= */

/* Opens the game again, as when the program started. */
static bool restart(const rewind_of *of, double now, char *error, size_t error_size)
{
  void (*on_settings)(void *ud) = of->game->on_settings;
  void *ud = of->game->settings_ud;
  hot_reload_close(of->hot_reload);
  game_close(of->game);
  if (!game_open(of->game, of->options, of->report, error, error_size))
    return false;
  storage_open_memory(&of->game->storage);
  of->game->on_settings = on_settings;
  of->game->settings_ud = ud;
  hot_reload_open(of->hot_reload, of->game->script, !of->options->no_watch, now);
  if (!game_load_graphics(of->game, of->window, error, error_size) ||
      !game_start_sound(of->game, of->options, error, error_size))
    return false;
  hot_reload_add_assets(of->hot_reload, of->game->assets, GAME_ASSETS, of->report);
  overlays_restart(of->overlays, of->window);
  return true;
}

static void play_frame(const rewind_of *of, replay *r)
{
  for (int i = 0; i < r->steps && !of->game->stopped; i++, ++*of->steps)
    game_step(of->game);
  game_draw(of->game);
  *of->frame += r->steps > 0;
  replay_end_frame(r);
}

static void take_size(void *ud) { replay_take_size(ud); }

/* The settings of main.lua size the recorded window, and not this one. */
static void start_game(const rewind_of *of, replay *r)
{
  void (*on_settings)(void *ud) = of->game->on_settings;
  void *ud = of->game->settings_ud;
  of->game->on_settings = take_size;
  of->game->settings_ud = r;
  game_start(of->game, of->options);
  of->game->on_settings = on_settings;
  of->game->settings_ud = ud;
}

/* `silent` records nothing. */
static void play(const rewind_of *of, replay *r, recorder *silent, uint64_t frame)
{
  *of->frame = *of->steps = 0;
  r->recording.last = r->recording.last > frame ? r->recording.last : frame; /* nothing may have happened since */
  replay_start(r, of->game, silent);
  start_game(of, r);
  replay_begin(r);
  while (r->frame < frame && replay_begin_frame(r))
    play_frame(of, r);
}

/* Games number the middle and the right button the other way round. */
static Uint8 sdl_button(Uint8 button)
{
  return button == INPUT_MIDDLE ? SDL_BUTTON_MIDDLE : button == INPUT_RIGHT ? SDL_BUTTON_RIGHT : button;
}

/* Keys that were held then may not be held now. */
static void release_held(const input *in)
{
  for (int i = 0; i < in->key_count; i++)
    SDL_PushEvent(&(SDL_Event){.key = {.type = SDL_KEYUP, .keysym = {.sym = in->keys[i]}}});
  for (Uint8 button = 1; button <= INPUT_BUTTONS; button++)
    if (in->buttons[button])
      SDL_PushEvent(&(SDL_Event){
          .button = {.type = SDL_MOUSEBUTTONUP, .button = sdl_button(button), .x = in->mouse_x, .y = in->mouse_y}});
}

static bool go_recorded(const rewind_of *of, uint64_t frame, double now, char *error, size_t size)
{
  recorder silent = {.game = of->game};
  replay r = {.is_on = true, .is_told = of->tape->edited};
  if (!recorder_read(&of->tape->recorder, &r.recording, error, size))
    return false;
  FILE *file = of->tape->recorder.file;
  of->tape->recorder.file = NULL; /* what is played now is recorded already */
  bool fine = restart(of, now, error, size);
  if (fine)
    play(of, &r, &silent, frame);
  if (fine && frame == of->overlays->timeline.last) { /* input of the frame that has begun */
    r.frame++;
    replay_begin(&r);
  }
  of->tape->recorder.file = file;
  of->tape->width = r.window.width;
  of->tape->height = r.window.height;
  recorder_note_size(&of->tape->recorder, &r.window);
  replay_close(&r);
  return fine;
}

static bool go_replayed(const rewind_of *of, uint64_t frame, double now, char *error, size_t size)
{
  replay *r = &of->tape->replay;
  recorder silent = {.game = of->game};
  if (!restart(of, now, error, size))
    return false;
  replay_restart(r);
  play(of, r, &silent, frame);
  r->recorder = &of->tape->recorder;
  return true;
}

/* Takes the game to the end of a frame. */
static void go(rewind_of *of, uint64_t frame, double now)
{
  char problem[PROBLEM_MOST];
  film_clear(of->film);
  of->report->muted = true; /* it was all said before */
  of->failed = !(of->tape->replay.is_on ? go_replayed : go_recorded)(of, frame, now, problem, sizeof problem);
  of->report->muted = false;
  of->moved = true;
  of->go_at = 0;
  of->tape->owed = 0;
  *of->last = (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency(); /* it took its time */
  *of->ended = *of->ended || of->failed;
  if (of->failed)
    report_line(problem);
  else
    recorder_attach(&of->tape->recorder);
}

/* Continues from the chosen frame: what came behind it is forgotten. */
static void take(rewind_of *of, uint64_t frame, double now)
{
  recorder *to = &of->tape->recorder;
  go(of, frame, now); /* again, if it is shown: input that came since does not belong there */
  if (of->failed || !to->file)
    return;
  recorder_back(to, frame);
  if (of->tape->replay.is_on)
    return;
  recorder_begin_frame(to);
  release_held(&of->game->input);
}

/* }== */

/* {== Events ============================================================= */

#define REST 0.15 /* seconds without another choice until the chosen frame is shown */

static void close_timeline(rewind_of *of, bool takes, double now)
{
  timeline *t = &of->overlays->timeline;
  if (takes && t->at < t->last)
    take(of, t->at, now);
  else if (of->moved)
    go(of, t->last, now);
  timeline_close(t);
  tape_resize(of->tape, of->game, of->window);
  *of->paused = false;
}

bool rewind_event(rewind_of *of, const SDL_Event *event, double now)
{
  timeline *t = &of->overlays->timeline;
  uint64_t before = t->at;
  timeline_action action = t->shown ? timeline_event(t, event) : TIMELINE_IGNORED;
  if (action == TIMELINE_GO || action == TIMELINE_CLOSE)
    close_timeline(of, action == TIMELINE_GO, now);
  else if (t->at != before)
    of->go_at = now + REST;
  return action != TIMELINE_IGNORED;
}

void rewind_reload(rewind_of *of, double now)
{
  if (of->overlays->timeline.shown)
    of->go_at = now;
}

bool rewind_holds(rewind_of *of, double now)
{
  if (!of->overlays->timeline.shown)
    return false;
  if (of->go_at > 0 && now >= of->go_at)
    go(of, of->overlays->timeline.at, now);
  of->tape->rests = true;
  if (!of->tape->replay.is_on)
    recorder_drop_frame(&of->tape->recorder);
  return true;
}

/* }== */
