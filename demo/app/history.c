#include "demo/app/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 60u                        /* steps between two checkpoints, at least */
#define COPIED_A_SECOND ((size_t)4 << 20) /* bytes: larger games have fewer checkpoints */
#define SECONDS_MOST 3u                   /* between two checkpoints, at first */

/* {== Checkpoints ======================================================== */

bool checkpoint_take(checkpoint *m, const checkpoint *at, const game *it)
{
  sp_checkpoint *memory = m->script;
  m->script = NULL;
  checkpoint_free(m);
  *m = *at;
  m->script = sp_script_checkpoint(it->script, memory);
  if (!m->script)
    return false;
  m->input = it->input;
  m->view = it->view;
  m->settings = it->settings;
  m->color = it->graphics.color;
  m->shake_x = it->graphics.shake_x;
  m->shake_y = it->graphics.shake_y;
  m->stopped = it->stopped;
  m->sheets = it->sheets;
  if (voices_copy(&it->voices, &m->voices) && storage_copy(it->storage.list, &m->stored))
    return true;
  checkpoint_free(m);
  return false;
}

void checkpoint_free(checkpoint *m)
{
  sp_checkpoint_free(m->script);
  storage_free(&m->stored);
  voices_list_free(&m->voices);
  *m = (checkpoint){.frame = 0};
}

static size_t bytes_of(const checkpoint *m)
{
  return sizeof *m + sp_checkpoint_bytes(m->script) + storage_bytes(m->stored) +
         m->voices.count * sizeof *m->voices.list;
}

void checkpoint_return(const checkpoint *m, game *it)
{
  sp_script_return(it->script, m->script);
  it->input = m->input;
  it->view = m->view;
  it->settings = m->settings;
  it->graphics.color = m->color;
  it->graphics.shake_x = m->shake_x;
  it->graphics.shake_y = m->shake_y;
  it->stopped = m->stopped;
  storage_free(&it->storage.list);
  storage_copy(m->stored, &it->storage.list);
  voices_put_back(&it->voices, &m->voices);
  sprites_renumber(it->sprites);
  if (m->sheets != it->sheets)
    sprites_send_sheets(it->sprites);
}

/* }== */

/* {== Opening ============================================================ */

void history_open(history *h, game *it, bool keeps_input)
{
  *h = (history){.game = keeps_input || sp_script_has_checkpoints(it->script) ? it : NULL};
}

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
  for (int i = 0; i < h->checkpoint_count; i++)
    checkpoint_free(&h->checkpoints[i]);
  h->is_cut = h->is_cut || h->count > 0;
  h->count = h->checkpoint_bytes = 0;
  h->checkpoint_count = 0;
}

void history_close(history *h)
{
  forget_all(h);
  free(h->entries);
  *h = (history){.game = NULL};
}

/* }== */

/* {== Input ============================================================== */

/* Makes room for one more entry; false when memory is refused. */
static bool grow(history *h)
{
  size_t room = h->count < h->room ? h->room : h->room ? 2 * h->room : 256;
  recording_entry *entries = room == h->room ? h->entries : realloc(h->entries, room * sizeof *entries);
  if (!entries)
    return false;
  h->entries = entries;
  h->room = room;
  return true;
}

static const char *copy_string(history *h, const char *from)
{
  char *copy = from ? strdup(from) : NULL;
  h->bytes += copy ? strlen(copy) + 1 : 0;
  h->has_lost = h->is_cut = h->has_lost || (from && !copy);
  return copy;
}

static bool is_kept(const recording_entry *e)
{
  return e->kind != RECORDING_HASH && e->kind != RECORDING_POOL && e->kind != RECORDING_DIGEST &&
         e->kind != RECORDING_BACK && e->kind != RECORDING_END;
}

void history_lose(history *h)
{
  forget_all(h);
  h->has_lost = true;
}

void history_add(history *h, const recording_entry *entry)
{
  if (!h->game || h->replays || !is_kept(entry))
    return;
  if (!grow(h)) {
    history_lose(h);
    return;
  }
  recording_entry *added = &h->entries[h->count++];
  *added = *entry;
  added->name = copy_string(h, entry->name);
  added->text = copy_string(h, entry->text);
}

/* }== */

/* {== The list of checkpoints ============================================ */

/* Drops the entries up to the oldest checkpoint: they serve no frame that can be reached. */
static void drop_entries(history *h)
{
  size_t gone = recording_after(h->entries, h->count, history_first(h));
  for (size_t i = 0; i < gone; i++)
    free_texts(h, &h->entries[i]);
  if (gone > 0)
    memmove(h->entries, h->entries + gone, (h->count - gone) * sizeof *h->entries);
  h->count -= gone;
  h->is_cut = h->is_cut || gone > 0;
}

/* Removes checkpoint `i` from the list, and returns its memory for reuse. */
static sp_checkpoint *take_out(history *h, int i)
{
  sp_checkpoint *memory = h->checkpoints[i].script;
  h->checkpoint_bytes -= bytes_of(&h->checkpoints[i]);
  h->checkpoints[i].script = NULL;
  checkpoint_free(&h->checkpoints[i]);
  h->checkpoint_count--;
  memmove(&h->checkpoints[i], &h->checkpoints[i + 1], (size_t)(h->checkpoint_count - i) * sizeof *h->checkpoints);
  return memory;
}

/* Returns the checkpoint whose removal leaves the smallest gap in time, relative to its age; -1 when there is none
   between the first and the last one. */
static int find_least(const history *h, uint64_t steps)
{
  int least = -1;
  double least_loss = 0;
  for (int i = 1; i + 1 < h->checkpoint_count; i++) {
    const checkpoint *m = &h->checkpoints[i];
    double gap = (double)(m[1].steps - m[-1].steps), loss = gap / (double)(steps - m->steps + SECOND);
    if (least < 0 || loss < least_loss) {
      least = i;
      least_loss = loss;
    }
  }
  return least;
}

/* Makes room for one more checkpoint. Returns the memory of a removed one for reuse, or NULL. */
static sp_checkpoint *make_room(history *h, uint64_t steps, size_t size)
{
  sp_checkpoint *memory = NULL;
  uint64_t most = (uint64_t)HISTORY_SECONDS * SECOND;
  while (h->checkpoint_count > 1 && h->checkpoints[1].steps + most < steps)
    sp_checkpoint_free(take_out(h, 0));
  while (h->checkpoint_count == HISTORY_CHECKPOINTS ||
         (h->checkpoint_count > 0 && h->checkpoint_bytes + size > HISTORY_CHECKPOINT_BYTES)) {
    int least = find_least(h, steps);
    sp_checkpoint_free(memory);
    memory = least > 0 ? take_out(h, least) : take_out(h, 0);
  }
  return memory;
}

/* Takes a checkpoint at once, between two frames. */
static void take_checkpoint(history *h, const checkpoint *state)
{
  size_t size = sp_script_checkpoint_bytes(h->game->script);
  size += size / 4; /* room to grow */
  h->taken_at = state->steps;
  if (2 * size > HISTORY_CHECKPOINT_BYTES) {
    history_lose(h);
    return;
  }
  checkpoint at = *state, m = {.script = make_room(h, state->steps, size)};
  at.frame = h->frame;
  if (!checkpoint_take(&m, &at, h->game)) {
    history_lose(h);
    return;
  }
  h->has_lost = false;
  h->checkpoints[h->checkpoint_count++] = m;
  h->checkpoint_bytes += bytes_of(&m);
}

static bool is_due(const history *h, uint64_t steps)
{
  uint64_t bytes = sp_script_checkpoint_bytes(h->game->script) / COPIED_A_SECOND;
  uint64_t seconds = bytes < 1 ? 1 : bytes < SECONDS_MOST ? bytes : SECONDS_MOST;
  return h->checkpoint_count == 0 || steps >= h->taken_at + seconds * SECOND;
}

static size_t input_bytes(const history *h) { return h->count * sizeof *h->entries + h->bytes; }

void history_end_frame(history *h, const checkpoint *state)
{
  if (!h->game || h->replays || h->game->stopped || (h->has_lost && state->steps < h->taken_at + SECOND))
    return;
  if (sp_script_has_checkpoints(h->game->script) && is_due(h, state->steps))
    take_checkpoint(h, state);
  if (input_bytes(h) > HISTORY_INPUT_BYTES)
    drop_entries(h);
  while (h->checkpoint_count > 1 && input_bytes(h) > HISTORY_INPUT_BYTES) {
    sp_checkpoint_free(take_out(h, 0));
    drop_entries(h);
  }
  if (input_bytes(h) > HISTORY_INPUT_BYTES)
    history_lose(h);
}

const checkpoint *history_find(const history *h, uint64_t frame)
{
  for (int i = h->checkpoint_count - 1; i >= 0; i--)
    if (h->checkpoints[i].frame <= frame)
      return &h->checkpoints[i];
  return NULL;
}

uint64_t history_first(const history *h) { return h->checkpoint_count > 0 ? h->checkpoints[0].frame : 0; }

uint64_t history_error(const history *h)
{
  for (size_t i = h->count; i-- > 0;)
    if (h->entries[i].kind == RECORDING_ERROR)
      return h->entries[i].frame;
  return h->frame;
}

void history_cut(history *h, uint64_t frame)
{
  while (h->checkpoint_count > 0 && h->checkpoints[h->checkpoint_count - 1].frame > frame)
    sp_checkpoint_free(take_out(h, h->checkpoint_count - 1));
  size_t count = recording_after(h->entries, h->count, frame);
  for (size_t i = count; i < h->count; i++)
    free_texts(h, &h->entries[i]);
  h->count = count;
  h->frame = frame;
  h->taken_at = h->checkpoint_count > 0 ? h->checkpoints[h->checkpoint_count - 1].steps : 0;
}

/* }== */
