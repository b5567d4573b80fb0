#include "demo/app/history.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 60u                        /* steps between two checkpoints, at least */
#define COPIED_A_SECOND ((size_t)4 << 20) /* bytes: larger games have fewer checkpoints */
#define SECONDS_MOST 3u                   /* between two checkpoints, at first */
#define ANSWERS_A_FRAME 256u              /* clock readings that are kept per frame */

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
  for (int i = 0; i < h->checkpoint_count; i++)
    checkpoint_free(&h->checkpoints[i]);
  h->count = h->answer_count = h->checkpoint_bytes = 0;
  h->checkpoint_count = 0;
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

double history_clock(history *h, double answer)
{
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

#define ORIGINAL lua_upvalueindex(1)
#define HISTORY lua_upvalueindex(2)
#define TIME lua_upvalueindex(3)

static double pass(lua_State *L, double answer) { return history_clock(lua_touserdata(L, HISTORY), answer); }

/* Calls the function at `index` with the arguments on the stack. */
static int call_with_all(lua_State *L, int index)
{
  lua_pushvalue(L, index);
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static int os_clock(lua_State *L)
{
  call_with_all(L, ORIGINAL);
  lua_pushnumber(L, pass(L, lua_tonumber(L, 1)));
  return 1;
}

static void push_now(lua_State *L, int function)
{
  lua_pushvalue(L, function);
  lua_call(L, 0, 1);
  lua_Integer now = (lua_Integer)pass(L, (double)lua_tointeger(L, -1));
  lua_pop(L, 1);
  lua_pushinteger(L, now);
}

static int os_time(lua_State *L)
{
  if (!lua_isnoneornil(L, 1))
    return call_with_all(L, ORIGINAL);
  push_now(L, ORIGINAL);
  return 1;
}

static int os_date(lua_State *L)
{
  if (lua_isnoneornil(L, 2)) {
    luaL_optstring(L, 1, "%c");
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
      lua_pushliteral(L, "%c");
      lua_replace(L, 1);
    }
    push_now(L, TIME);
  }
  return call_with_all(L, ORIGINAL);
}

/* math.randomseed without a seed uses one that differs from run to run. The first number that it returns passes through
   the history and becomes the seed. */
static int random_seed(lua_State *L)
{
  if (lua_isnone(L, 1)) {
    lua_pushvalue(L, ORIGINAL);
    lua_call(L, 0, 1);
    lua_Integer seed = (lua_Integer)pass(L, (double)(lua_tointeger(L, -1) & 0xffffffff));
    lua_settop(L, 0);
    lua_pushinteger(L, seed);
  }
  return call_with_all(L, ORIGINAL);
}

/* Replaces a function of the table on top. */
static void replace(lua_State *L, history *h, const char *name, lua_CFunction ours)
{
  lua_getfield(L, -1, name);
  lua_pushlightuserdata(L, h);
  lua_getfield(L, -3, "time"); /* nil in the table of another library */
  lua_pushcclosure(L, ours, 3);
  lua_setfield(L, -2, name);
}

/* install(history) */
static int install(lua_State *L)
{
  history *h = lua_touserdata(L, 1);
  lua_getglobal(L, "os");
  replace(L, h, "date", os_date); /* which calls the original time */
  replace(L, h, "time", os_time);
  replace(L, h, "clock", os_clock);
  lua_getglobal(L, "math");
  replace(L, h, "randomseed", random_seed);
  return 0;
}

bool history_install_clocks(history *h, char *error, size_t error_size)
{
  lua_State *L = sp_script_state(h->game->script);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, h);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK)
    return true;
  snprintf(error, error_size, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return false;
}

/* }== */

/* {== The list of checkpoints ============================================ */

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

/* Removes the oldest checkpoint, and the input and clock readings before the next one, whose frames cannot be reached
   any more. Returns its memory for reuse. */
static sp_checkpoint *forget_oldest(history *h)
{
  sp_checkpoint *memory = take_out(h, 0);
  if (h->checkpoint_count > 0)
    drop_entries(h, h->checkpoints[0].frame);
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
    if (!m->is_kept && (least < 0 || loss < least_loss)) {
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
    sp_checkpoint_free(forget_oldest(h));
  while (h->checkpoint_count == HISTORY_CHECKPOINTS ||
         (h->checkpoint_count > 0 && h->checkpoint_bytes + size > HISTORY_CHECKPOINT_BYTES)) {
    int least = find_least(h, steps);
    sp_checkpoint_free(memory);
    memory = least > 0 ? take_out(h, least) : forget_oldest(h);
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
    lose(h);
    return;
  }
  checkpoint at = *state, m = {.script = make_room(h, state->steps, size)};
  at.frame = h->frame;
  at.is_kept = h->is_reloaded;
  if (!checkpoint_take(&m, &at, h->game)) {
    lose(h);
    return;
  }
  h->is_reloaded = h->has_lost = false;
  h->checkpoints[h->checkpoint_count++] = m;
  h->checkpoint_bytes += bytes_of(&m);
}

static bool is_due(const history *h, uint64_t steps)
{
  uint64_t bytes = sp_script_checkpoint_bytes(h->game->script) / COPIED_A_SECOND;
  uint64_t seconds = bytes < 1 ? 1 : bytes < SECONDS_MOST ? bytes : SECONDS_MOST;
  return h->is_reloaded || h->checkpoint_count == 0 || steps >= h->taken_at + seconds * SECOND;
}

static size_t input_bytes(const history *h)
{
  return h->count * sizeof *h->entries + h->bytes + h->answer_count * sizeof *h->answers;
}

void history_end_frame(history *h, const checkpoint *state)
{
  if (!h->game || h->replays || h->game->stopped || (h->has_lost && state->steps < h->taken_at + SECOND))
    return;
  if (is_due(h, state->steps))
    take_checkpoint(h, state);
  while (h->checkpoint_count > 1 && input_bytes(h) > HISTORY_INPUT_BYTES)
    sp_checkpoint_free(forget_oldest(h));
  if (input_bytes(h) > HISTORY_INPUT_BYTES)
    lose(h);
}

const checkpoint *history_find(const history *h, uint64_t frame)
{
  for (int i = h->checkpoint_count - 1; i >= 0; i--)
    if (h->checkpoints[i].frame <= frame)
      return &h->checkpoints[i];
  return NULL;
}

uint64_t history_first(const history *h) { return h->checkpoint_count > 0 ? h->checkpoints[0].frame : 0; }

void history_cut(history *h, uint64_t frame)
{
  while (h->checkpoint_count > 0 && h->checkpoints[h->checkpoint_count - 1].frame > frame)
    sp_checkpoint_free(take_out(h, h->checkpoint_count - 1));
  size_t count = history_entry_after(h, frame);
  for (size_t i = count; i < h->count; i++)
    free_texts(h, &h->entries[i]);
  h->count = count;
  h->answer_count = answer_after(h, frame);
  h->frame = frame;
  h->is_reloaded = false;
  h->taken_at = h->checkpoint_count > 0 ? h->checkpoints[h->checkpoint_count - 1].steps : 0;
}

size_t history_bytes(const history *h)
{
  return sizeof *h + h->room * sizeof *h->entries + h->bytes + h->answer_room * sizeof *h->answers +
         h->checkpoint_bytes;
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
