#include "script/host/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/hooks.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/bind/tween.h"
#include "script/guard/door.h"
#include "script/host/host.h"
#include "script/host/value_words.h"
#include "script/state/report.h"

#define WRITES_MOST ((size_t)1 << 15) /* that are kept; older ones are dropped */
#define FRAMES_SHOWN 12
#define LEVELS_MOST 100
#define STACK_NEEDED 16
#define ENTRIES_MOST 2000 /* of a table in the field, that are looked at */
#define FEW_ENTRIES 16    /* looked at whenever a function returns */
#define DEPTH_MOST 4

/* The field at one moment. */
typedef struct seen {
  sp_ref life;   /* 0: the object is not live */
  int type;      /* of the value, as lua_type; UNMADE */
  uint64_t bits; /* the value, or its address */
} seen;

#define UNMADE (-2)

struct sp_watch {
  sp_watched what;
  sp_script *script;
  uint64_t frame;
  const char *pass; /* of the core, which has just ended; NULL: none */
  seen last;
  char text[SP_WRITE_TEXT_MOST]; /* of the last value; "": there was none */
  uint64_t inside;               /* hash of the table in the field */
  uint32_t entries;              /* of that */
  sp_ref ended;                  /* a life that is over, though its slot is not free yet */
  uint32_t slot, chunks;         /* SP_NO_SLOT: not found among so many chunks of the pool */
  uint32_t number, most;         /* of the life that was seen last; of all that were there */
  uint64_t stamp;                /* of the names in which `name` was found */
  uint32_t name;
  bool has_pool, has_field, has_lived;
  sp_write *writes;
  size_t count, room;
};

/* {== Names ============================================================== */

/* Reads a number from 1 to `most`, and moves behind it. Returns 0 when there is none. */
static uint32_t parse_number(const char **at, unsigned long long most)
{
  char *end;
  if (**at < '1' || **at > '9')
    return 0;
  unsigned long long number = strtoull(*at, &end, 10);
  *at = end;
  return number <= most ? (uint32_t)number : 0;
}

bool sp_watched_parse(sp_watched *watched, const char *name)
{
  const char *mark = strrchr(name, '#'), *end = mark ? mark + 1 : NULL;
  *watched = (sp_watched){.number = 0};
  if (!mark || mark == name || (size_t)(mark - name) >= sizeof watched->type)
    return false;
  watched->number = parse_number(&end, SP_MAX_SLOTS);
  if (watched->number == 0 || (*end == ':' && (end++, watched->life = parse_number(&end, SP_LAST_GENERATION)) == 0) ||
      (*end != '\0' && (*end != '.' || end[1] == '\0')))
    return false;
  memcpy(watched->type, name, (size_t)(mark - name));
  if (*end == '.')
    snprintf(watched->field, sizeof watched->field, "%s", end + 1);
  return *end == '\0' || strlen(end + 1) < sizeof watched->field;
}

/* Returns the pool, or NULL. */
static spl_pool *find_pool(sp_watch *w)
{
  const spl_manager *m = sp_held_manager(w->script->pools);
  uint32_t index = m->core ? sp_keymap_find_text(m->types, w->what.type) : SP_NO_KEY;
  spl_pool *p = index != SP_NO_KEY && m->pools[index] ? sp_held_pool(m->pools[index]) : NULL;
  p = p && p->core && p->manager ? p : NULL;
  w->has_pool |= p != NULL;
  return p;
}

/* Finds the slot of the object, which keeps its number as long as the pool has the chunk. */
static bool find_slot(sp_watch *w, const spl_pool *p)
{
  const sp_manager *m = p->manager->core;
  const sp_slots *s = sp_slots_of(m);
  const uint32_t chunk = (w->what.number - 1) / SP_CHUNK_SLOTS, count = sp_pool_chunks(p->core);
  if (w->slot != SP_NO_SLOT && sp_slot_pool(m, w->slot) == p->core && sp_slot_chunk(m, w->slot)->number == chunk)
    return true;
  if (w->slot == SP_NO_SLOT && w->chunks == count)
    return false;
  w->chunks = count;
  w->slot = SP_NO_SLOT;
  for (uint32_t i = 0; i < s->slot_count / SP_CHUNK_SLOTS && w->slot == SP_NO_SLOT; i++)
    if (s->chunks[i].owner == p->core && s->chunks[i].number == chunk)
      w->slot = i * SP_CHUNK_SLOTS + (w->what.number - 1) % SP_CHUNK_SLOTS;
  return w->slot != SP_NO_SLOT;
}

/* Returns whether a field is ever written: some follow from others, and methods are none. */
static bool is_field(uint32_t name)
{
  const sp_name_kind kind = name == SP_NO_KEY ? SP_NAME_METHOD : SP_NAME_KIND(name);
  return kind <= SP_NAME_PARENT && kind != SP_NAME_OWN_METHOD && kind != SP_NAME_TYPE && kind != SP_NAME_POOL &&
         kind != SP_NAME_ID && kind != SP_NAME_AGE && kind != SP_NAME_ALIVE;
}

/* Finds the field. The time that remains is always less: what is written is the lifetime. */
static bool find_field(sp_watch *w, const spl_pool *p)
{
  if (w->stamp != p->names_stamp || w->name == SP_NO_KEY) {
    const char *field = strcmp(w->what.field, "remaining") == 0 ? "lifetime" : w->what.field;
    w->stamp = p->names_stamp;
    w->name = sp_keymap_find_text(p->names, field);
    if (w->name == SP_NO_KEY)
      w->name = sp_keymap_find_text(p->manager->context->names, field);
  }
  w->has_field |= is_field(w->name);
  return is_field(w->name);
}

/* }== */

/* {== Looking ============================================================ */

/* A slot whose life is over has an even generation, and an odd one while it has a life. */
static uint32_t number_of_life(const sp_manager *m, uint32_t slot)
{
  return (sp_slot_life(m, slot)->generation - sp_slot_lives(m, slot)->since + 1) / 2;
}

/* Returns the pool of the object, while it lives, or is opened or ending. */
static spl_pool *find_life(sp_watch *w, sp_ref *life)
{
  spl_pool *p = find_pool(w);
  *life = SP_NULL_REF;
  if (p && w->what.field[0])
    find_field(w, p);
  if (!p || !find_slot(w, p))
    return NULL;
  if (!(sp_slot_life(p->manager->core, w->slot)->generation & 1)) {
    w->ended = SP_NULL_REF; /* a snapshot that is restored may bring the same life back */
    return NULL;
  }
  const uint32_t number = number_of_life(p->manager->core, w->slot);
  w->most = number > w->most ? number : w->most;
  *life = sp_ref_make(p->manager->core, w->slot);
  if (*life == w->ended || (w->what.life > 0 && number != w->what.life))
    *life = SP_NULL_REF;
  else
    w->number = number;
  return *life ? p : NULL;
}

/* Pushes the value of the field, without creating one. Returns UNMADE and pushes nothing if it does not exist yet. */
static int push_value(lua_State *L, const sp_watch *w, spl_pool *p)
{
  if (SP_NAME_KIND(w->name) == SP_NAME_VALUE && sp_is_unmade(L, p, w->slot, SP_NAME_WHAT(w->name)))
    return UNMADE;
  sp_object_read(L, p, w->slot, w->name);
  return lua_type(L, -1);
}

static uint64_t bits_of(lua_State *L, int index)
{
  uint64_t bits = 0;
  double number;
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    number = lua_tonumber(L, index);
    memcpy(&bits, &number, sizeof bits);
    return bits;
  case LUA_TBOOLEAN:
    return (uint64_t)lua_toboolean(L, index);
  case LUA_TLIGHTUSERDATA:
    return sp_to_object(L, index);
  default:
    return (uint64_t)(uintptr_t)lua_topointer(L, index);
  }
}

/* Leaves the value on top of the stack if there is one: returns whether. */
static bool take(lua_State *L, sp_watch *w, seen *now)
{
  spl_pool *p = find_life(w, &now->life);
  now->type = LUA_TNIL;
  now->bits = 0;
  if (!p || !w->what.field[0] || !is_field(w->name))
    return false;
  now->type = push_value(L, w, p);
  if (now->type != UNMADE)
    now->bits = bits_of(L, -1);
  return now->type != UNMADE;
}

/* Adds the entries of the table on top, in any order. */
static uint64_t hash_table(lua_State *L, int depth, uint32_t *entries)
{
  uint64_t sum = 1;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    uint64_t key = sp_hash_mix((uint64_t)lua_type(L, -2), bits_of(L, -2)), value = bits_of(L, -1);
    if (++*entries >= ENTRIES_MOST) {
      lua_pop(L, 2);
      break;
    }
    if (lua_type(L, -1) == LUA_TTABLE && depth < DEPTH_MOST && lua_checkstack(L, 8))
      value = sp_hash_mix(value, hash_table(L, depth + 1, entries));
    sum += sp_hash_mix(key + 1, sp_hash_mix((uint64_t)lua_type(L, -1), value));
  }
  return sum;
}

/* }== */

/* {== Who ================================================================ */

/* Writes the place of a frame of the game, "pools/Bullet.lua:14 in alloc"; false when it is none. */
static bool write_place(lua_State *L, const sp_watch *w, lua_Debug *ar, int level, char *out, size_t size)
{
  const char *file = ar->source + 1, *folder = w->script->folder;
  const size_t length = strlen(folder);
  if (ar->currentline <= 0 || (ar->source[0] != '@' && strcmp(ar->source, "=console") != 0))
    return false;
  if (strncmp(file, folder, length) == 0 && file[length] == '/')
    file += length + 1;
  snprintf(out, size, "%.120s:%d in %.60s", file, ar->currentline, sp_frame_name(L, ar, level));
  return true;
}

/* Writes who runs: the innermost frame of the game into `by`, "" when none does, and the others into a text of their
   own. Returns the name of the function in C that this frame calls, or "". */
static const char *write_stack(lua_State *L, const sp_watch *w, sp_write *e)
{
  char stack[4096] = "", place[200];
  const char *called = "";
  lua_Debug ar;
  size_t used = 0;
  for (int level = 0, shown = 0; level < LEVELS_MOST && shown < FRAMES_SHOWN && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sln", &ar);
    if (shown == 0 && *ar.what == 'C' && ar.name && strcmp(ar.namewhat, "metamethod") != 0)
      called = ar.name;
    if (!write_place(L, w, &ar, level, place, sizeof place))
      continue;
    if (shown++ == 0)
      snprintf(e->by, sizeof e->by, "%s", place);
    else if (used < sizeof stack)
      used += (size_t)snprintf(stack + used, sizeof stack - used, "%s%s", used > 0 ? "\n" : "", place);
  }
  e->stack = used > 0 ? sp_host_copy(stack, strlen(stack)) : NULL;
  return called;
}

/* Adds what the frame did, in brackets. */
static void add_how(sp_write *e, const char *how)
{
  size_t used = strlen(e->by);
  if (how[0])
    snprintf(e->by + used, sizeof e->by - used, used > 0 ? " (%.60s)" : "%.60s", how);
}

/* Returns whether the alloc that runs was given the field: in its table, or as a place. */
static bool is_given(lua_State *L, const sp_watch *w)
{
  const spl_pool *p = spl_pool_of(sp_slot_pool(sp_held_manager(w->script->pools)->core, w->slot));
  const sp_start first = sp_pool_first_start(p->core);
  const int column = SP_NAME_KIND(w->name) == SP_NAME_FLOAT ? SP_NAME_WHAT(w->name) : -1;
  float now = 0, default_value = column == SP_X ? first.x : column == SP_Y ? first.y : first.angle;
  lua_Debug ar;
  bool given = false;
  if (column == SP_X || column == SP_Y || column == SP_ANGLE) {
    memcpy(&now, sp_object_cell(p->manager->core, w->last.life, column), sizeof now);
    given = now != default_value;
  }
  int top = lua_gettop(L);
  for (int i = 1; i < 6 && lua_getstack(L, 0, &ar) && lua_getlocal(L, &ar, i); i++) {
    given |= lua_type(L, -1) == LUA_TTABLE && sp_raw_field(L, -1, w->what.field) != LUA_TNIL;
    lua_settop(L, top);
  }
  return given;
}

/* Returns whether a snapshot is restored, by nothing of the game that was called meanwhile. */
static bool is_restored(lua_State *L)
{
  lua_Debug ar = {.source = ""};
  bool is = false;
  for (int level = 0; !is && *ar.source != '@' && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sf", &ar);
    is = lua_tocfunction(L, -1) == spl_manager_restore;
    lua_pop(L, 1);
  }
  return is;
}

/* }== */

/* {== Writes ============================================================= */

static void drop_oldest(sp_watch *w, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free(w->writes[i].stack);
  w->count -= count;
  memmove(w->writes, w->writes + count, w->count * sizeof *w->writes);
}

/* Adds a write. When memory is refused, or there are too many, older ones are lost; so are those of an earlier life,
   where the writes of one are asked for. */
static sp_write *add(sp_watch *w, sp_write_kind kind)
{
  if (w->what.field[0] && w->count > 0 && w->writes[0].life != w->number)
    drop_oldest(w, w->count);
  if (w->count == w->room && w->room < WRITES_MOST) {
    size_t room = w->room ? 2 * w->room : 64;
    sp_write *grown = realloc(w->writes, room * sizeof *grown);
    w->writes = grown ? grown : w->writes;
    w->room = grown ? room : w->room;
  }
  if (w->room == 0)
    return NULL;
  if (w->count == w->room)
    drop_oldest(w, w->room / 4);
  sp_write *e = &w->writes[w->count++];
  *e = (sp_write){.kind = kind, .frame = w->frame, .first_frame = w->frame, .count = 1, .life = w->number};
  return e;
}

/* Adds a pass to the run of the same pass that the list ends with; false when it ends with something else. */
static bool continue_pass(sp_watch *w, const char *after)
{
  sp_write *e = w->count > 0 ? &w->writes[w->count - 1] : NULL;
  if (!e || e->kind != SP_WRITE_STEP || strcmp(e->by, w->pass) != 0 || w->frame > e->frame + 1)
    return false;
  e->frame = w->frame;
  e->count++;
  memcpy(e->before, e->after, sizeof e->before);
  snprintf(e->after, sizeof e->after, "%s", after);
  return true;
}

/* Notes that the field has the text `after` now, instead of w->text. */
static void note_write(lua_State *L, sp_watch *w, sp_write_kind kind, const char *after)
{
  const bool restored = is_restored(L);
  if (kind == SP_WRITE_FIELD && w->pass && continue_pass(w, after))
    return;
  sp_write *e = add(w, kind == SP_WRITE_FIELD && w->pass ? SP_WRITE_STEP : kind);
  if (!e)
    return;
  snprintf(e->before, sizeof e->before, "%s", w->text);
  memcpy(e->first, e->before, sizeof e->first);
  snprintf(e->after, sizeof e->after, "%s", after);
  const char *called = write_stack(L, w, e);
  if (restored)
    add_how(e, "restore");
  else if (w->pass)
    snprintf(e->by, sizeof e->by, "%s", w->pass);
  else if (kind == SP_WRITE_ALLOC && w->what.field[0])
    add_how(e, is_given(L, w) ? "alloc" : "reset at alloc");
  else if (kind != SP_WRITE_ALLOC)
    add_how(e, called);
  if (!e->by[0])
    snprintf(e->by, sizeof e->by, SP_NAME_KIND(w->name) == SP_NAME_FRAME ? "animation" : "the player");
}

static void note_end(lua_State *L, sp_watch *w, const char *why)
{
  char place[SP_WRITE_BY_MOST];
  sp_write *e = add(w, SP_WRITE_END);
  if (!e)
    return;
  snprintf(e->before, sizeof e->before, "%s", w->text);
  write_stack(L, w, e);
  memcpy(place, e->by, sizeof place);
  snprintf(e->by, sizeof e->by, place[0] ? "%s: %.200s" : "%s", why, place);
}

/* Returns whether the table in the field, on top, has changed since it was looked at last. */
static bool has_changed_inside(lua_State *L, sp_watch *w, bool thoroughly)
{
  if (!thoroughly && w->entries > FEW_ENTRIES)
    return false;
  const uint64_t before = w->inside;
  w->entries = 0;
  w->inside = hash_table(L, 0, &w->entries);
  return w->inside != before;
}

/* Looks at the field, and notes what has changed. `written`: it was assigned to, perhaps the same value. */
static void look(lua_State *L, sp_watch *w, bool written, bool thoroughly)
{
  char text[SP_WRITE_TEXT_MOST] = "";
  seen now, before = w->last;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  int top = lua_gettop(L);
  bool has_value = take(L, w, &now);
  bool same = now.life == before.life && now.type == before.type && now.bits == before.bits;
  bool inside = now.type == LUA_TTABLE && has_changed_inside(L, w, thoroughly || !same) && same;
  if (same && !inside && !written) {
    lua_settop(L, top);
    return;
  }
  if (has_value)
    sp_value_words(L, w->script->context, SP_NAME_KIND(w->name) <= SP_NAME_LOOK_FLOAT, text);
  else if (now.type == UNMADE)
    snprintf(text, sizeof text, "(not made yet)");
  lua_settop(L, top);
  w->last = now;
  w->has_lived |= now.life != 0;
  if (now.life != before.life && before.life && !now.life)
    note_end(L, w, is_restored(L) ? "restore" : "removed");
  else if (now.life != before.life)
    note_write(L, w, SP_WRITE_ALLOC, text);
  else
    note_write(L, w, inside && !written ? SP_WRITE_INSIDE : SP_WRITE_FIELD, text);
  if (now.life && w->what.field[0])
    memcpy(w->text, text, sizeof text);
}

/* }== */

/* {== Events ============================================================= */

static void on_look(lua_State *L, sp_context *c) { look(L, c->watch, false, true); }

/* object.field = value has been done. */
static void on_wrote(lua_State *L, sp_context *c)
{
  sp_watch *w = c->watch;
  bool ours = w->last.life && sp_to_object(L, 1) == w->last.life && lua_type(L, 2) == LUA_TSTRING &&
              strcmp(lua_tostring(L, 2), w->what.field) == 0;
  look(L, w, ours, true);
}

static void on_ended(sp_context *c, sp_ref object, sp_why why)
{
  sp_watch *w = c->watch;
  look(c->L, w, false, true);
  if (object != w->last.life)
    return;
  note_end(c->L, w, sp_why_name(why));
  w->ended = object;
  w->last = (seen){.type = LUA_TNIL};
}

/* A function returns. */
static void on_return(lua_State *L, lua_Debug *ar)
{
  const sp_context *c = sp_context_of(L);
  (void)ar;
  if (c && c->watch)
    look(L, c->watch, false, false);
}

static void on_follow(lua_State *L)
{
  if (lua_gethook(L) != on_return)
    lua_sethook(L, on_return, LUA_MASKRET, 0);
}

static void on_pass(void *ud, const char *pass)
{
  sp_watch *w = ud;
  w->pass = pass;
  look(w->script->context->L ? w->script->context->L : w->script->L, w, false, false);
  w->pass = NULL;
}

static void on_tweens(lua_State *L, const spl_manager *m)
{
  sp_watch *watch = m->context->watch;
  watch->pass = "tween"; /* a look may come when functions return that it calls */
  sp_tweens_step(L, m);
  on_pass(watch, "tween");
}

/* }== */

/* {== The watch ========================================================== */

sp_watch *sp_watch_new(const sp_watched *what)
{
  sp_watch *w = calloc(1, sizeof *w);
  if (w)
    w->what = *what;
  return w;
}

void sp_watch_free(sp_watch *w)
{
  for (size_t i = 0; w && i < w->count; i++)
    free(w->writes[i].stack);
  if (w)
    free(w->writes);
  free(w);
}

/* What is there when the watch begins has not been written meanwhile. */
static void look_first(sp_watch *w)
{
  lua_State *L = w->script->L;
  int top = lua_gettop(L);
  w->ended = 0;
  w->slot = SP_NO_SLOT;
  w->chunks = 0;
  w->name = SP_NO_KEY;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  if (take(L, w, &w->last)) {
    sp_value_words(L, w->script->context, SP_NAME_KIND(w->name) <= SP_NAME_LOOK_FLOAT, w->text);
    if (w->last.type == LUA_TTABLE)
      has_changed_inside(L, w, true);
  }
  w->has_lived |= w->last.life != 0;
  lua_settop(L, top);
}

void sp_watch_begin(sp_watch *w, sp_script *s)
{
  sp_context *c = s->context;
  w->script = s;
  c->watch = w;
  c->calls.look = on_look;
  c->calls.wrote = on_wrote;
  c->calls.ended = on_ended;
  c->calls.follow = on_follow;
  c->calls.tweens = on_tweens;
  sp_object_watch(s->L);
  if (s->pools->core)
    sp_set_on_pass(s->pools->core, on_pass, w);
  look_first(w);
  spl_pool *p = find_pool(w);
  if (p) { /* its hooks may lack the one for ends */
    const sp_pool_hooks hooks = sp_hooks_for(p);
    sp_as_owner(p->manager->core);
    sp_pool_set_hooks(p->core, &hooks);
  }
}

void sp_watch_frame(sp_watch *w, uint64_t frame)
{
  look(w->script->L, w, false, true);
  w->frame = frame;
}

const sp_write *sp_watch_writes(const sp_watch *w, size_t *count)
{
  *count = w->count;
  return w->writes;
}

bool sp_watch_is_live(const sp_watch *w) { return w->last.life != 0; }

/* }== */

/* {== Problems =========================================================== */

/* Returns the nearest of these names; of `fields`, only those that can be written. `near`: the nearest one before. */
static const char *nearest(const char *wanted, const sp_keymap *names, bool fields, const char *near)
{
  size_t least = near ? sp_edit_distance(wanted, strlen(wanted), near, strlen(near)) : SIZE_MAX;
  for (uint32_t i = 0; i <= names->mask; i++) {
    const sp_key *seat = &names->seats[i];
    if (!seat->key || (fields && !is_field(seat->value)))
      continue;
    const char *name = sp_key_text(seat);
    const size_t distance = sp_edit_distance(wanted, strlen(wanted), name, strlen(name));
    near = distance < least ? name : near;
    least = distance < least ? distance : least;
  }
  return near;
}

/* Returns the number of an object that lived, the nearest one; 0: there was none. */
static uint32_t nearest_number(const sp_watch *w, const spl_pool *p)
{
  const sp_slots *s = sp_slots_of(p->manager->core);
  uint32_t nearest = 0, least = UINT32_MAX, wanted = w->what.number;
  for (uint32_t slot = 0; slot < s->slot_count; slot++) {
    const sp_chunk *chunk = &s->chunks[slot / SP_CHUNK_SLOTS];
    if (chunk->owner != p->core || chunk->life[slot % SP_CHUNK_SLOTS].serial == 0)
      continue;
    const uint32_t number = chunk->number * SP_CHUNK_SLOTS + slot % SP_CHUNK_SLOTS + 1;
    const uint32_t distance = number > wanted ? number - wanted : wanted - number;
    nearest = distance < least ? number : nearest;
    least = distance < least ? distance : least;
  }
  return nearest;
}

bool sp_watch_problem(const sp_watch *w, char *out, size_t size)
{
  const sp_watched *what = &w->what;
  const spl_manager *m = sp_held_manager(w->script->pools);
  const spl_pool *p = find_pool((sp_watch *)w);
  const char *type = what->type, *field = what->field;
  if (!w->has_pool) {
    const char *near = m->core ? nearest(type, m->types, false, NULL) : NULL;
    snprintf(out, size, near ? "there was no pool '%s'; the nearest is '%s'" : "there was no pool '%s'", type, near);
  } else if (field[0] && p && !w->has_field) {
    const char *near = nearest(field, w->script->context->names, true, nearest(field, p->names, true, NULL));
    if (w->name != SP_NO_KEY && SP_NAME_KIND(w->name) != SP_NAME_METHOD)
      snprintf(out, size, "'%s' is never written: it follows from the life of the object", field);
    else
      snprintf(out, size, "%s has no field '%s'; the nearest is '%s'", type, field, near);
  } else if (!w->has_lived && w->most > 0) {
    snprintf(out, size,
             "%s#%" PRIu32 ":%" PRIu32 " was not seen; the last life of the object was %s#%" PRIu32 ":%" PRIu32, type,
             what->number, what->life, type, what->number, w->most);
  } else if (!w->has_lived) {
    const uint32_t number = p ? nearest_number(w, p) : 0;
    snprintf(out, size,
             number > 0 ? "%s#%" PRIu32 " never lived; the nearest that did is %s#%" PRIu32
                        : "%s#%" PRIu32 " never lived, nor did any other %s",
             type, what->number, type, number);
  } else {
    return false;
  }
  return true;
}

void sp_write_line(const sp_write *e, char *out, size_t size)
{
  const char *before = e->before[0] ? e->before : "-", *after = e->after[0] ? e->after : "-";
  if (e->kind == SP_WRITE_END)
    snprintf(out, size, "recycled: %s", e->by);
  else if (e->kind == SP_WRITE_ALLOC && !e->after[0])
    snprintf(out, size, "allocated: %s", e->by);
  else
    snprintf(out, size, "%s -> %s  %s%s", before, after, e->kind == SP_WRITE_INSIDE ? "inside the same table: " : "",
             e->by);
}

/* }== */
