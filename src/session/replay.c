#include "session/replay.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/binding.h"
#include "core/spawnpool_tools.h"
#include "script/host/callbacks.h"
#include "script/host/inspect.h"
#include "script/state/strings.h"
#include "session/recorder.h"

#define PARTS_EACH 10                 /* seconds */
#define PARTS_SMALL ((size_t)2 << 10) /* bytes: so few are written each second */
#define OBJECTS_MANY 5000             /* from here on the hash comes each ten seconds, too */
#define NAMED_MOST 3                  /* objects, and fields, that a difference names */

/* {== Parts =============================================================== */

/* Names are the game's, and need be no UTF-8. */
static void copy_name(char *out, size_t size, const char *name)
{
  snprintf(out, size, "%.*s", (int)sp_utf8_fit(name, size - 1), name);
  if (!sp_utf8_is_valid(out, strlen(out)))
    for (char *c = out; *c; c++)
      *c = (unsigned char)*c >= 0x80 ? '?' : *c;
}

/* Returns the member of an object, which is made if it is missing. */
static cJSON *member(cJSON *object, const char *name)
{
  cJSON *it = cJSON_GetObjectItemCaseSensitive(object, name);
  return it ? it : cJSON_AddObjectToObject(object, name);
}

static void add_part(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number)
{
  char key[160], value[24];
  copy_name(key, sizeof key, pool);
  cJSON *parts = member(ud, key);
  copy_name(key, sizeof key, name);
  if (kind == SP_HASH_POOL)
    snprintf(value, sizeof value, "%" PRIx64, number);
  else
    snprintf(value, sizeof value, "%08" PRIx64, number >> 32); /* the upper half depends on every bit of the state */
  parts = kind == SP_HASH_POOL ? parts : member(parts, kind == SP_HASH_FIELD ? "fields" : "objects");
  cJSON_AddStringToObject(parts, key, value);
}

/* Adds what the game itself wants compared. */
static uint64_t add_own(sp_session *s, uint64_t hash)
{
  uint64_t own;
  const bool was_running = s->is_running;
  s->is_running = true;
  if (!sp_script_own_hash(s->script, &own))
    s->memory->is_stopped = true;
  s->is_running = was_running;
  return own ? sp_hash_mix(hash, own) : hash;
}

cJSON *sp_replay_parts(sp_session *s, uint64_t *hash)
{
  cJSON *all = cJSON_CreateObject();
  *hash = add_own(s, sp_script_hash(s->script, add_part, all));
  return all;
}

uint64_t sp_replay_hash(sp_session *s) { return add_own(s, sp_script_hash(s->script, NULL, NULL)); }

static void add_parts_lines(const cJSON *pools, uint64_t frame, sp_text *out)
{
  for (const cJSON *pool = pools ? pools->child : NULL; pool; pool = pool->next) {
    char *parts = cJSON_PrintUnformatted(pool);
    const sp_entry e = {.frame = frame, .kind = SP_ENTRY_PARTS, .name = pool->string, .text = parts};
    if (parts)
      sp_recording_entry(out, &e);
    cJSON_free(parts);
  }
}

void sp_replay_write_state(sp_session *s, sp_text *out, bool with_parts)
{
  uint64_t hash;
  cJSON *pools = sp_replay_parts(s, &hash);
  if (with_parts)
    add_parts_lines(pools, s->present, out);
  cJSON_Delete(pools);
  sp_recording_entry(out, &(sp_entry){.frame = s->present, .kind = SP_ENTRY_HASH, .number = hash});
}

/* }== */

/* {== Where parts differ ================================================== */

typedef struct naming {
  char *out;
  size_t size, used;
  const char *noun; /* written before the first name */
  int count;
} naming;

static void name_one(naming *n, const char *before, const char *name)
{
  if (n->used < n->size)
    n->used += (size_t)snprintf(n->out + n->used, n->size - n->used, "%s%.80s", before, name);
}

/* Names the members of `all` that differ from those of `others`; or, `missing`, those that `others` lacks. */
static void name_members(naming *n, const cJSON *all, const cJSON *others, bool missing)
{
  for (const cJSON *it = all ? all->child : NULL; it; it = it->next) {
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(others, it->string);
    if (missing ? other != NULL : cJSON_Compare(it, other, true))
      continue;
    if (n->count == 0)
      name_one(n, n->used > 0 ? ", " : "", n->noun);
    if (n->count < NAMED_MOST)
      name_one(n, n->count > 0 ? ", " : " ", it->string);
    n->count++;
  }
}

static void name_kind(naming *n, const char *noun, const cJSON *before, const cJSON *now)
{
  char more[40];
  n->noun = noun;
  n->count = 0;
  name_members(n, before, now, false);
  name_members(n, now, before, true);
  snprintf(more, sizeof more, " and %d more", n->count - NAMED_MOST);
  name_one(n, n->count > NAMED_MOST ? more : "", "");
}

static void compare_pools(const cJSON *before, const cJSON *now, char *out, size_t size)
{
  const int length = snprintf(out, size, before ? "pool %.80s: " : "pool %.80s: it did not exist before", now->string);
  naming n = {.out = out + length, .size = size - (size_t)length};
  const char *const kinds[] = {"objects", "fields"}, *const nouns[] = {"object", "field"};
  for (int i = 0; i < 2 && before; i++)
    name_kind(&n, nouns[i], cJSON_GetObjectItemCaseSensitive(before, kinds[i]),
              cJSON_GetObjectItemCaseSensitive(now, kinds[i]));
  if (n.used == 0 && before)
    name_one(&n, "its counts, or the order of its idle objects", "");
}

void sp_replay_compare_parts(const cJSON *before, const cJSON *now, char *out, size_t size)
{
  const cJSON *pool = now ? now->child : NULL, *was = NULL;
  for (; pool; pool = pool->next) {
    was = cJSON_GetObjectItemCaseSensitive(before, pool->string);
    if (!was || !cJSON_Compare(was, pool, true))
      break;
  }
  if (pool)
    compare_pools(was, pool, out, size);
  else
    snprintf(out, size, "the clock of the game, what its hash() returned, or a pool that is gone");
}

/* }== */

/* {== The log of a frame ================================================== */

/* Returns the recorded parts of the pools at the end of a frame; NULL: none. */
static cJSON *recorded_parts(const sp_log *log, uint64_t frame)
{
  cJSON *pools = NULL;
  for (size_t i = sp_log_find(log, frame); i < log->count && log->list[i].frame == frame; i++)
    if (log->list[i].kind == SP_ENTRY_PARTS) {
      pools = pools ? pools : cJSON_CreateObject();
      cJSON_AddItemToObject(pools, log->list[i].name, cJSON_Parse(log->list[i].text));
    }
  return pools;
}

static const sp_entry *recorded_hash(const sp_log *log, uint64_t frame)
{
  for (size_t i = sp_log_find(log, frame); i < log->count && log->list[i].frame == frame; i++)
    if (log->list[i].kind == SP_ENTRY_HASH)
      return &log->list[i];
  return NULL;
}

/* }== */

/* {== Comparing with the recording ======================================== */

/* Says what is known. The first text names the frame; the next one that has parts names objects and fields. */
static void tell(sp_session *s, const cJSON *recorded, const cJSON *now)
{
  sp_comparing *c = &s->comparing;
  char where[400], since[64] = "";
  const uint64_t second = (c->first + s->second - 1) / s->second;
  c->is_known = recorded != NULL;
  if (recorded)
    sp_replay_compare_parts(recorded, now, where, sizeof where);
  else
    snprintf(where, sizeof where, "what differs is known once the recording says more of its state");
  if (recorded && s->present > c->first)
    snprintf(since, sizeof since, ", as it is at the end of frame %" PRIu64, s->present);
  snprintf(c->text, sizeof c->text,
           "second %" PRIu64 ": frame %" PRIu64 " is the first that differs from the recording: %s%s", second, c->first,
           where, since);
}

static void compare(sp_session *s, uint32_t digest, const cJSON *parts, uint64_t hash)
{
  sp_comparing *c = &s->comparing;
  const uint64_t frame = s->present;
  const uint32_t was = sp_log_digest(&s->log, frame);
  const sp_entry *recorded = parts ? recorded_hash(&s->log, frame) : NULL;
  const bool differs = (was != 0 && was != digest) || (recorded && recorded->number != hash);
  if (!differs && c->first == 0)
    return;
  if (c->first > 0 && (c->is_known || !recorded || recorded->number == hash))
    return;
  c->first = c->first ? c->first : frame;
  cJSON *pools = recorded_parts(&s->log, frame);
  tell(s, parts ? pools : NULL, parts);
  cJSON_Delete(pools);
}

const char *sp_session_difference(const sp_session *s) { return s->comparing.first > 0 ? s->comparing.text : NULL; }

bool sp_session_is_over(const sp_session *s)
{
  return s->is_replay && s->memory->is_started && s->present >= s->recorded_to;
}

/* }== */

/* {== The end of a frame ================================================== */

static bool is_hash_due(const sp_session *s, uint64_t frame)
{
  const sp_manager *m = sp_script_pools(s->script);
  sp_stats stats = {.live = 0};
  if (frame % s->second != 0)
    return false;
  if (m)
    sp_manager_stats(m, &stats);
  return stats.live <= OBJECTS_MANY || frame % (PARTS_EACH * (uint64_t)s->second) == 0;
}

static size_t bytes_of_parts(const cJSON *parts)
{
  char *text = cJSON_PrintUnformatted(parts);
  const size_t size = text ? strlen(text) : 0;
  cJSON_free(text);
  return size;
}

static bool is_parts_frame(const sp_session *s) { return s->present % (PARTS_EACH * (uint64_t)s->second) == 0; }

/* Few parts are written each second, many each ten: in between they are not even made. */
static void note_state(sp_session *s, const cJSON *pools, uint64_t hash)
{
  s->has_many_parts = pools ? bytes_of_parts(pools) > PARTS_SMALL : s->has_many_parts;
  const bool is_due = pools && (is_parts_frame(s) || !s->has_many_parts);
  for (const cJSON *pool = is_due ? pools->child : NULL; pool; pool = pool->next) {
    char *parts = cJSON_PrintUnformatted(pool);
    if (parts)
      sp_session_note(s,
                      (sp_entry){.kind = SP_ENTRY_PARTS, .name = pool->string, .text = parts, .size = strlen(parts)});
    cJSON_free(parts);
  }
  sp_session_note(s, (sp_entry){.kind = SP_ENTRY_HASH, .number = hash});
}

/* A recording that was cut off may have parts of the frame, and no hash. */
static bool has_hash(const sp_log *log, uint64_t frame, uint64_t hash)
{
  const sp_entry *recorded = recorded_hash(log, frame);
  return recorded && recorded->number == hash;
}

/* In a replay, what is known of the state of a frame is that of this run from now on. */
static void replace_state(sp_session *s, const cJSON *pools, uint64_t hash)
{
  sp_log *log = &s->log;
  for (size_t i = sp_log_find(log, s->present); i < log->count && log->list[i].frame == s->present;)
    if (log->list[i].kind == SP_ENTRY_HASH && log->list[i].number == hash)
      break; /* nothing differs */
    else if (log->list[i].kind == SP_ENTRY_HASH)
      sp_log_set_number(log, i++, hash);
    else if (log->list[i].kind == SP_ENTRY_PARTS && !has_hash(log, s->present, hash))
      sp_log_remove(log, i);
    else
      i++;
  if (!s->options.record || !s->recorder.has_begun)
    return;
  sp_text lines = {.bytes = NULL};
  add_parts_lines(pools, s->present, &lines);
  sp_recording_entry(&lines, &(sp_entry){.frame = s->present, .kind = SP_ENTRY_HASH, .number = hash});
  sp_recorder_lines(s, &lines);
  sp_text_free(&lines);
}

void sp_replay_end_frame(sp_session *s)
{
  const uint32_t digest = sp_script_digest(s->script);
  const uint32_t known = digest ? digest : 1;
  uint64_t hash = 0;
  const bool is_due = is_hash_due(s, s->present) || (s->is_replay && recorded_hash(&s->log, s->present));
  const bool wants_parts = is_due && (s->is_replay || is_parts_frame(s) || !s->has_many_parts);
  cJSON *parts = wants_parts ? sp_replay_parts(s, &hash) : NULL;
  if (is_due && !parts)
    hash = sp_replay_hash(s);
  if (s->is_replay)
    compare(s, known, parts, hash);
  if (!s->log.is_cut)
    sp_log_set_digest(&s->log, s->present, digest);
  if (parts && s->is_replay)
    replace_state(s, parts, hash);
  else if (is_due)
    note_state(s, parts, hash);
  cJSON_Delete(parts);
  if (s->present % s->second == 0)
    sp_recorder_digests(s);
}

void sp_replay_end_past(sp_session *s)
{
  const uint64_t frame = s->memory->frame;
  if (is_hash_due(s, frame) || recorded_hash(&s->log, frame))
    add_own(s, 0);
}

void sp_replay_end_recording(sp_session *s)
{
  sp_text lines = {.bytes = NULL};
  if (!sp_recorder_is_on(s))
    return;
  sp_recorder_digests(s);
  if (!s->memory->is_stopped)
    sp_replay_write_state(s, &lines, true);
  sp_recording_end(&lines, s->present);
  sp_recorder_lines(s, &lines);
  sp_text_free(&lines);
  s->recorder.has_begun = false;
}

/* }== */
