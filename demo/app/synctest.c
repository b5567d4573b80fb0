#include "demo/app/synctest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "demo/app/rewind_play.h"
#include "demo/app/state_parts.h"

void synctest_begin_frame(synctest *s)
{
  if (!s->of || s->has_failed)
    return;
  sp_checkpoint *memory = s->before.script;
  s->before.script = NULL;
  moment_free(&s->before);
  s->before = tape_state(s->of->tape, *s->of->frame, *s->of->steps);
  s->before.frame = s->of->tape->recorder.frame;
  s->has_failed = !moment_take(&s->before, s->of->game, memory);
}

/* Counts what the game heard in the frame. Returns whether it can be played again: with edited files it cannot. */
static bool take_input(synctest *s)
{
  const history *h = &s->of->tape->history;
  bool same = true;
  for (size_t i = history_entry_after(h, s->before.frame); i < h->count; i++) {
    s->inputs += h->entries[i].kind == RECORDING_EVENT && !h->entries[i].unheard;
    same = same && h->entries[i].kind != RECORDING_RELOAD;
  }
  return same;
}

/* Goes back and plays the frame again; then this is the present. */
static void play_again(rewind_of *of, const moment *before)
{
  of->report->muted = true; /* all of it was reported before */
  rewind_put(of, before);
  rewind_play_frame(of);
  of->report->muted = false;
  rewind_end(of);
}

static void report_difference(const synctest *s, const cJSON *first)
{
  uint64_t hash;
  char where[400], line[600];
  cJSON *again = state_parts(s->of->game->script, &hash);
  state_parts_compare(first, again, where, sizeof where);
  snprintf(line, sizeof line, "synctest: frame %" PRIu64 ", in second %.0f, differs when it is played again: %s",
           s->of->play.frame, ceil((double)*s->of->steps * s->of->game->step), where);
  report_line(line);
  cJSON_Delete(again);
}

void synctest_end_frame(synctest *s)
{
  uint64_t hash;
  if (!s->of || s->has_failed || !take_input(s))
    return;
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
  const sp_manager *pools = game_pools(s->of->game);
  snprintf(line, sizeof line,
           "synctest: %" PRIu64 " frames were played again, %" PRIu64 " differ; the game made %" PRIu64
           " objects and heard %" PRIu64 " inputs",
           s->frames, s->differing, pools ? sp_total_stats(pools).allocs : 0, s->inputs);
  report_line(s->has_failed ? "synctest: not enough memory for a copy of the game" : line);
  return s->differing == 0 && !s->has_failed;
}

void synctest_close(synctest *s) { moment_free(&s->before); }
