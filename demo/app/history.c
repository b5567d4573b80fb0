#include "demo/app/history.h"

#include <stdlib.h>
#include <string.h>

#include "demo/support/frame_search.h"

#define SECOND 60u                        /* steps between two moments, at least */
#define COPIED_A_SECOND ((size_t)4 << 20) /* bytes: larger games have fewer moments */
#define SECONDS_MOST 3u                   /* between two moments, at first */
#define ANSWERS_A_FRAME 256u              /* clock readings that are kept per frame */

/* {== Opening ============================================================ */

void history_open(history *h, game *it) { *h = (history){.game = sp_script_has_checkpoints(it->script) ? it : NULL}; }

static void free_texts(history *h, recording_entry *e)
{
  h->bytes -= e->name ? strlen(e->name) + 1 : 0;
  h->bytes -= e->text ? strlen(e->text) + 1 : 0;
  free((char *)e->name);
  free((char *)e->text);
}

static void forget_all(history *h)
{
  for (size_t i = 0; i < h->count; i++)
    free_texts(h, &h->entries[i]);
  for (int i = 0; i < h->moment_count; i++)
    moment_free(&h->moments[i]);
  h->count = h->answer_count = h->moment_bytes = 0;
  h->moment_count = 0;
}

void history_close(history *h)
{
  forget_all(h);
  free(h->entries);
  free(h->answers);
  *h = (history){.game = NULL};
}

/* }== */

/* {== Input ============================================================== */

/* Returns an array with room for one more; NULL when memory is refused, with `old` unchanged. */
static void *grown(void *old, size_t count, size_t *room, size_t size)
{
  if (count < *room)
    return old;
  size_t more = *room ? 2 * *room : 256;
  void *fresh = realloc(old, more * size);
  if (fresh)
    *room = more;
  return fresh;
}

static const char *copy_string(history *h, const char *from)
{
  char *copy = from ? strdup(from) : NULL;
  h->bytes += copy ? strlen(copy) + 1 : 0;
  h->has_lost = h->has_lost || (from && !copy);
  return copy;
}

static bool is_kept(const recording_entry *e)
{
  return e->kind != RECORDING_HASH && e->kind != RECORDING_POOL && e->kind != RECORDING_DIGEST &&
         e->kind != RECORDING_BACK && e->kind != RECORDING_END;
}

/* Drops the whole history and begins a new one: with an entry missing, no later frame could be replayed exactly. */
static void lose(history *h)
{
  forget_all(h);
  h->has_lost = true;
}

void history_add(history *h, const recording_entry *entry)
{
  if (!h->game || h->replays || !is_kept(entry))
    return;
  recording_entry *entries = grown(h->entries, h->count, &h->room, sizeof *entries);
  if (!entries) {
    lose(h);
    return;
  }
  h->entries = entries;
  entries[h->count] = *entry;
  entries[h->count].name = copy_string(h, entry->name);
  entries[h->count].text = copy_string(h, entry->text);
  h->count++;
  h->is_reloaded = h->is_reloaded || entry->kind == RECORDING_RELOAD;
}

size_t history_entry_after(const history *h, uint64_t frame)
{
  return h->count ? frame_search(&h->entries->frame, sizeof *h->entries, h->count, frame) : 0;
}

/* }== */

/* {== Clocks ============================================================= */

static size_t answer_after(const history *h, uint64_t frame)
{
  return h->answer_count ? frame_search(&h->answers->frame, sizeof *h->answers, h->answer_count, frame) : 0;
}

/* Returns the next recorded reading. An edited game may read clocks more often than it did; then time nearly stops. */
static double answer_again(history *h)
{
  while (h->next_answer < h->answer_count && h->answers[h->next_answer].frame < h->frame)
    h->next_answer++;
  if (h->next_answer < h->answer_count && h->answers[h->next_answer].frame == h->frame)
    h->last_answer = h->answers[h->next_answer++].value;
  else
    h->last_answer += 1e-6;
  return h->last_answer;
}

double history_answer_of(void *ud, double answer)
{
  history *h = ud;
  if (h->replays)
    return answer_again(h);
  size_t most = ANSWERS_A_FRAME, count = h->answer_count;
  if (!h->game || (count >= most && h->answers[count - most].frame == h->frame))
    return answer;
  history_answer *answers = grown(h->answers, count, &h->answer_room, sizeof *answers);
  if (!answers)
    return answer;
  h->answers = answers;
  answers[h->answer_count++] = (history_answer){h->frame, answer};
  return answer;
}

/* }== */

/* {== Moments ============================================================ */

static void drop_entries(history *h, uint64_t frame)
{
  size_t gone = history_entry_after(h, frame), unheard = answer_after(h, frame);
  for (size_t i = 0; i < gone; i++)
    free_texts(h, &h->entries[i]);
  if (gone > 0)
    memmove(h->entries, h->entries + gone, (h->count - gone) * sizeof *h->entries);
  h->count -= gone;
  if (unheard > 0)
    memmove(h->answers, h->answers + unheard, (h->answer_count - unheard) * sizeof *h->answers);
  h->answer_count -= unheard;
}

/* Removes moment `i` from the list, and returns its memory for reuse. */
static sp_checkpoint *take_out(history *h, int i)
{
  sp_checkpoint *memory = h->moments[i].script;
  h->moment_bytes -= moment_bytes(&h->moments[i]);
  h->moments[i].script = NULL;
  moment_free(&h->moments[i]);
  h->moment_count--;
  memmove(&h->moments[i], &h->moments[i + 1], (size_t)(h->moment_count - i) * sizeof *h->moments);
  return memory;
}

/* Removes the oldest moment, and the input and clock readings before the next one, whose frames cannot be reached any
   more. Returns its memory for reuse. */
static sp_checkpoint *forget_oldest(history *h)
{
  sp_checkpoint *memory = take_out(h, 0);
  if (h->moment_count > 0)
    drop_entries(h, h->moments[0].frame);
  return memory;
}

/* Returns the moment whose removal leaves the smallest gap in time, relative to its age; -1 when there is none between
   the first and the last one. */
static int find_least(const history *h, uint64_t steps)
{
  int least = -1;
  double least_loss = 0;
  for (int i = 1; i + 1 < h->moment_count; i++) {
    const moment *m = &h->moments[i];
    double gap = (double)(m[1].steps - m[-1].steps), loss = gap / (double)(steps - m->steps + SECOND);
    if (!m->is_kept && (least < 0 || loss < least_loss)) {
      least = i;
      least_loss = loss;
    }
  }
  return least;
}

/* Makes room for one more moment. Returns the memory of a removed one for reuse, or NULL. */
static sp_checkpoint *make_room(history *h, uint64_t steps, size_t size)
{
  sp_checkpoint *memory = NULL;
  uint64_t most = (uint64_t)HISTORY_SECONDS * SECOND;
  while (h->moment_count > 1 && h->moments[1].steps + most < steps)
    sp_checkpoint_free(forget_oldest(h));
  while (h->moment_count == HISTORY_MOMENTS || (h->moment_count > 0 && h->moment_bytes + size > HISTORY_MOMENT_BYTES)) {
    int least = find_least(h, steps);
    sp_checkpoint_free(memory);
    memory = least > 0 ? take_out(h, least) : forget_oldest(h);
  }
  return memory;
}

/* Takes a moment at once, between two frames. */
static void take_moment(history *h, const moment *state)
{
  size_t size = sp_script_checkpoint_bytes(h->game->script);
  size += size / 4; /* room to grow */
  h->taken_at = state->steps;
  if (2 * size > HISTORY_MOMENT_BYTES) {
    lose(h);
    return;
  }
  moment m = *state;
  m.frame = h->frame;
  m.is_kept = h->is_reloaded;
  if (!moment_take(&m, h->game, make_room(h, state->steps, size))) {
    lose(h);
    return;
  }
  h->is_reloaded = h->has_lost = false;
  h->moments[h->moment_count++] = m;
  h->moment_bytes += moment_bytes(&m);
}

static bool is_due(const history *h, uint64_t steps)
{
  uint64_t bytes = sp_script_checkpoint_bytes(h->game->script) / COPIED_A_SECOND;
  uint64_t seconds = bytes < 1 ? 1 : bytes < SECONDS_MOST ? bytes : SECONDS_MOST;
  return h->is_reloaded || h->moment_count == 0 || steps >= h->taken_at + seconds * SECOND;
}

static size_t input_bytes(const history *h)
{
  return h->count * sizeof *h->entries + h->bytes + h->answer_count * sizeof *h->answers;
}

void history_end_frame(history *h, const moment *state)
{
  if (!h->game || h->replays || h->game->stopped || (h->has_lost && state->steps < h->taken_at + SECOND))
    return;
  if (is_due(h, state->steps))
    take_moment(h, state);
  while (h->moment_count > 1 && input_bytes(h) > HISTORY_INPUT_BYTES)
    sp_checkpoint_free(forget_oldest(h));
  if (input_bytes(h) > HISTORY_INPUT_BYTES)
    lose(h);
}

const moment *history_find(const history *h, uint64_t frame)
{
  for (int i = h->moment_count - 1; i >= 0; i--)
    if (h->moments[i].frame <= frame)
      return &h->moments[i];
  return NULL;
}

uint64_t history_first(const history *h) { return h->moment_count > 0 ? h->moments[0].frame : 0; }

void history_cut(history *h, uint64_t frame)
{
  while (h->moment_count > 0 && h->moments[h->moment_count - 1].frame > frame)
    sp_checkpoint_free(take_out(h, h->moment_count - 1));
  size_t count = history_entry_after(h, frame);
  for (size_t i = count; i < h->count; i++)
    free_texts(h, &h->entries[i]);
  h->count = count;
  h->answer_count = answer_after(h, frame);
  h->frame = frame;
  h->is_reloaded = false;
  h->taken_at = h->moment_count > 0 ? h->moments[h->moment_count - 1].steps : 0;
}

size_t history_bytes(const history *h)
{
  return sizeof *h + h->room * sizeof *h->entries + h->bytes + h->answer_room * sizeof *h->answers + h->moment_bytes;
}

/* }== */

/* {== Playing again ====================================================== */

void history_play(history *h, uint64_t frame)
{
  h->replays = true;
  h->frame = frame;
  h->next_answer = answer_after(h, frame);
  h->last_answer = h->next_answer > 0 ? h->answers[h->next_answer - 1].value : 0;
}

void history_play_on(history *h) { h->replays = false; }

/* }== */
