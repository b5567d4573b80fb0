#include "script/guard/door.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/guard/sandbox.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/platform.h"
#include "script/state/report.h"

#define MESSAGE_MOST 65536 /* bytes */
#define LINE_SHOWN 160
#define FRAMES_SHOWN 12
#define CULPRITS_MOST 100
#define LEVELS_MOST 1000 /* of an overflowed stack */

/* {== Source lines ======================================================= */

/* Copies a text without surrounding blanks; false when nothing is left. */
static bool copy_trimmed(const char *from, size_t length, char line[LINE_SHOWN])
{
  while (length > 0 && (*from == ' ' || *from == '\t')) {
    from++;
    length--;
  }
  while (length > 0 && (from[length - 1] == '\r' || from[length - 1] == ' ' || from[length - 1] == '\t'))
    length--;
  if (length >= LINE_SHOWN)
    length = LINE_SHOWN - 1;
  memcpy(line, from, length);
  line[length] = '\0';
  return length > 0;
}

static bool line_of_text(const char *text, size_t size, int wanted, char line[LINE_SHOWN])
{
  const char *end = text + size, *next;
  for (int at = 1; (next = memchr(text, '\n', (size_t)(end - text))) != NULL && at < wanted; at++)
    text = next + 1;
  return copy_trimmed(text, (size_t)((next ? next : end) - text), line);
}

/* Chunk names are arbitrary: a game may use the name of any file or device. */
static FILE *open_source(const sp_context *c, const char *path)
{
  char problem[SP_FILE_PROBLEM_MOST];
  int file = sp_folder_open(c->folder, path, problem);
  return file < 0 ? NULL : sp_file_stream(file);
}

/* Long lines are read in pieces; the first piece suffices. */
static bool line_of_file(const sp_context *c, const char *file, int wanted, char line[LINE_SHOWN])
{
  char piece[4 * LINE_SHOWN];
  bool found = false, begins = true;
  FILE *f = open_source(c, file);
  for (int at = 1; f && at <= wanted && fgets(piece, sizeof piece, f);) {
    size_t length = strcspn(piece, "\n");
    if (at == wanted && begins)
      found = copy_trimmed(piece, length, line);
    begins = piece[length] == '\n';
    at += begins;
  }
  if (f)
    fclose(f);
  return found;
}

/* Reads line `wanted` of the file as it runs: the file on disk may have been edited since. */
static bool read_line(lua_State *L, const char *file, int wanted, char line[LINE_SHOWN])
{
  int top = lua_gettop(L);
  size_t size;
  sp_context *c = sp_context_of(L);
  sp_push_kept(L, c, SP_KEPT_TEXTS);
  const char *text = NULL;
  if (sp_raw_field(L, -1, file) == LUA_TSTRING)
    text = lua_tolstring(L, -1, &size);
  else
    sp_given_file(c, file, &text, &size);
  bool found = text ? line_of_text(text, size, wanted, line) : line_of_file(c, file, wanted, line);
  lua_settop(L, top);
  return found;
}

/* }== */

/* {== Places ============================================================= */

/* Finds the innermost frame of Lua code whose source is a file (begins with '@'). */
static bool find_culprit(lua_State *of, lua_Debug *ar)
{
  for (int level = 0; level < LEVELS_MOST && lua_getstack(of, level, ar); level++) {
    lua_getinfo(of, "Sl", ar);
    if (ar->currentline > 0 && ar->source[0] == '@')
      return true;
  }
  return false;
}

/* Parses "file:12:" at the start of a message: syntax errors have no frame of their own. */
static bool parse_position(const char *text, char file[FILENAME_MAX], int *line)
{
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    size_t length = (size_t)(colon - text);
    char *end;
    long number = strtol(colon + 1, &end, 10);
    if (number > 0 && *end == ':' && length > 0 && length < FILENAME_MAX) {
      memcpy(file, text, length);
      file[length] = '\0';
      *line = (int)number;
      return true;
    }
  }
  return false;
}

/* Replaces a shortened file name in a message by the whole name of a file that runs. */
static void lengthen_message(lua_State *L, lua_State *from, int index)
{
  lua_Debug ar;
  if (strncmp(lua_tostring(L, index), "...", 3) != 0)
    return;
  lua_pushvalue(L, index);
  for (int level = 0; level < FRAMES_SHOWN && lua_getstack(from, level, &ar); level++) {
    lua_getinfo(from, "S", &ar);
    if (ar.source[0] == '@' && sp_lengthen_place(L, ar.source + 1))
      break;
  }
  lua_replace(L, index);
}

/* }== */

/* {== Hints ============================================================== */

#define LOOP_HINT "let it return each frame: do a part of the work per update, or yield in a coroutine of obj:run"

/* explain(message, line or nil) -> a hint, or nil. */
static int explain(lua_State *L)
{
  sp_push_helper(L, sp_context_of(L), "spawnpool.hints", "of");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 1);
  return 1;
}

/* Pushes a hint about the message at `message`, or nil, also when it has one. Stopped code runs no more Lua. */
static void push_hint(lua_State *L, int message, const char *line)
{
  if (strstr(lua_tostring(L, message), "\n  hint: ")) {
    lua_pushnil(L);
    return;
  }
  if (sp_watchdog_is_its_error(sp_context_of(L)->watchdog, lua_tostring(L, message))) {
    lua_pushliteral(L, LOOP_HINT);
    return;
  }
  lua_pushcfunction(L, explain);
  lua_pushvalue(L, message);
  lua_pushstring(L, line);
  if (lua_pcall(L, 2, 1, 0) == LUA_OK)
    return;
  lua_pop(L, 1); /* no room on an overflowed stack */
  lua_pushnil(L);
}

/* }== */

/* {== The text =========================================================== */

/* Finds the source line that the message names, or that runs. */
static bool find_line(lua_State *L, lua_State *from, const char *text, char line[LINE_SHOWN])
{
  char file[FILENAME_MAX];
  int number = 0;
  lua_Debug ar;
  if (strncmp(text, "console:", 8) == 0)
    return false; /* the message already shows it */
  if (parse_position(text, file, &number) && read_line(L, file, number, line))
    return true;
  return find_culprit(from, &ar) && read_line(L, ar.source + 1, ar.currentline, line);
}

/* Returns whether the function of a frame stands in the file that is named after the type. */
static bool is_of_file(const lua_Debug *ar, const char *type)
{
  const char *slash = strrchr(ar->source, '/');
  const size_t length = strlen(type);
  return slash && strncmp(slash + 1, type, length) == 0 && strcmp(slash + 1 + length, ".lua") == 0;
}

/* Returns which hook of the class of `p` the function at `function` is; SP_HOOK_COUNT: none. */
static int find_hook(lua_State *L, const sp_context *c, const spl_pool *p, int function)
{
  const int top = lua_gettop(L);
  int hook = 0;
  bool found = false;
  sp_push_anchor(L, c, p);
  if (!lua_isuserdata(L, -1))
    hook = SP_HOOK_COUNT;
  for (; hook < SP_HOOK_COUNT && !found; hook += !found) {
    lua_getiuservalue(L, top + 1, SP_POOL_HOOKS + hook);
    found = lua_rawequal(L, -1, function);
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return hook;
}

/* Returns what a class calls the function of a frame, which the core or the binding calls; NULL: it is no hook. `type`
   gets the class: where several share the function, that of its file. */
static const char *hook_name(const sp_context *c, lua_State *from, lua_Debug *ar, const char **type)
{
  const spl_manager *m = sp_held_manager(c->default_manager);
  const char *found = NULL;
  int top = lua_gettop(from);
  if (!m || !m->core || !lua_checkstack(from, 6))
    return NULL;
  lua_getinfo(from, "f", ar);
  for (uint32_t i = 0; i < m->pool_count; i++) {
    const spl_pool *p = m->pools[i] ? sp_held_pool(m->pools[i]) : NULL;
    const char *name = p && p->hooks != 0 ? sp_hook_names[find_hook(from, c, p, top + 1)] : NULL;
    if (name && (!found || is_of_file(ar, sp_pool_desc_of(p->core)->type))) {
      found = name;
      *type = sp_pool_desc_of(p->core)->type;
    }
  }
  lua_settop(from, top);
  return found;
}

/* Returns what a frame is called. Lua has no name for what C calls: the host knows that of a callback, which has
   nothing below it but the C function that calls it. `type` gets the class of a hook. */
static const char *name_of(lua_State *L, lua_State *from, lua_Debug *ar, int level, const char **type)
{
  const sp_context *c = sp_context_of(L);
  lua_Debug other;
  if (ar->name)
    return ar->name;
  if (*ar->what == 'm')
    return "main chunk";
  const char *hook = hook_name(c, from, ar, type);
  if (hook)
    return hook;
  if (from != L)
    return lua_getstack(from, level + 1, &other) ? "a function" : "a coroutine";
  return c->callback && !lua_getstack(L, level + 2, &other) ? c->callback : "a function";
}

const char *sp_frame_name(lua_State *from, lua_Debug *ar, int level)
{
  const char *type;
  return name_of(sp_context_of(from)->main, from, ar, level, &type);
}

/* A recursive function is listed once, so that its callers are seen. */
static void add_frames(lua_State *L, lua_State *from, luaL_Buffer *b)
{
  char at[FILENAME_MAX + 64], before[FILENAME_MAX + 64] = "";
  lua_Debug ar;
  for (int level = 0, shown = 0; shown < FRAMES_SHOWN && level < LEVELS_MOST && lua_getstack(from, level, &ar);
       level++) {
    lua_getinfo(from, "Sln", &ar);
    if (ar.source[0] != '@' || ar.currentline <= 0)
      continue;
    const char *type = NULL, *name = name_of(L, from, &ar, level, &type);
    snprintf(at, sizeof at, "\n  at %s:%d in %s%s%s", ar.source + 1, ar.currentline, type ? type : "", type ? "." : "",
             name);
    if (strcmp(at, before) == 0)
      continue;
    luaL_addstring(b, at);
    memcpy(before, at, sizeof before);
    shown++;
  }
}

/* call_tostring(error) -> what its __tostring returns, or nil. */
static int call_tostring(lua_State *L)
{
  if (!luaL_callmeta(L, 1, "__tostring") || !lua_isstring(L, -1))
    lua_pushnil(L);
  return 1;
}

/* Pushes an error as a text. One that is no string has no position: that of the code that raised it is added. */
static void push_text(lua_State *L, lua_State *from, int error)
{
  lua_Debug ar;
  if (lua_isstring(L, error)) {
    lua_pushvalue(L, error);
    lua_tostring(L, -1);
    return;
  }
  lua_pushcfunction(L, call_tostring);
  lua_pushvalue(L, error);
  bool converted = lua_pcall(L, 1, 1, 0) == LUA_OK;
  if (lua_type(L, -1) == LUA_TSTRING &&
      (converted || sp_watchdog_is_its_error(sp_context_of(L)->watchdog, lua_tostring(L, -1))))
    return;
  lua_pop(L, 1);
  if (find_culprit(from, &ar))
    lua_pushfstring(L, "%s:%d: (error object is a %s value)", ar.source + 1, ar.currentline, luaL_typename(L, error));
  else
    lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, error));
}

/* Cuts the message: examining a huge one would take seconds. */
static void cut_message(lua_State *L, int message)
{
  size_t length;
  const char *text = lua_tolstring(L, message, &length);
  if (length <= MESSAGE_MOST)
    return;
  lua_pushlstring(L, text, MESSAGE_MOST);
  lua_pushfstring(L, "... (%I bytes)", (lua_Integer)length);
  lua_concat(L, 2);
  lua_replace(L, message);
}

/* Pushes the text that was made of the error at `error` when it was raised, deeper in the stack; else nothing. */
static bool push_inner(lua_State *L, int error)
{
  const int top = lua_gettop(L);
  if (!sp_context_of(L)->has_inner)
    return false;
  sp_push_kept(L, sp_context_of(L), SP_KEPT_INNER);
  lua_rawgeti(L, -1, 1);
  const bool is_it = lua_rawequal(L, -1, error) && lua_rawgeti(L, -2, 2) == LUA_TSTRING;
  if (is_it)
    lua_replace(L, top + 1);
  lua_settop(L, top + is_it);
  return is_it;
}

void sp_push_traceback(lua_State *L, lua_State *from, int error)
{
  luaL_Buffer b;
  char line[LINE_SHOWN];
  if (push_inner(L, lua_absindex(L, error)))
    return;
  push_text(L, from, lua_absindex(L, error));
  int message = lua_gettop(L);
  cut_message(L, message);
  lengthen_message(L, from, message);
  bool has_line = find_line(L, from, lua_tostring(L, message), line);
  push_hint(L, message, has_line ? line : NULL);
  const char *hint = lua_tostring(L, -1);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, lua_tostring(L, message));
  if (has_line) {
    luaL_addstring(&b, "\n    ");
    luaL_addstring(&b, line);
  }
  add_frames(L, from, &b);
  if (hint) {
    luaL_addstring(&b, "\n  hint: ");
    luaL_addstring(&b, hint);
  }
  luaL_pushresult(&b);
  lua_replace(L, message);
  lua_settop(L, message);
}

/* }== */

void sp_note_culprits(lua_State *L, int error)
{
  const sp_context *c = sp_context_of(L);
  lua_Debug ar;
  if (!c->probation)
    return;
  error = lua_absindex(L, error);
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  /* After a stack overflow the stack is deep, and reaching a frame takes longer the deeper it is. */
  for (int level = 0, count = 0; level < CULPRITS_MOST && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "S", &ar);
    if (ar.source[0] != '@')
      continue;
    lua_pushstring(L, ar.source);
    lua_rawseti(L, -2, ++count);
    lua_pushinteger(L, ar.linedefined);
    lua_rawseti(L, -2, ++count);
    lua_pushinteger(L, ar.lastlinedefined);
    lua_rawseti(L, -2, ++count);
  }
  lua_pushvalue(L, error);
  lua_setfield(L, -2, "text");
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
}

int spl_traceback(lua_State *L)
{
  sp_push_traceback(L, L, 1);
  sp_context_of(L)->has_inner = false; /* the same text may be raised again, elsewhere */
  sp_note_culprits(L, -1);
  return 1;
}

/* keep(error): keeps its text for whoever describes it, when the functions that raised it are gone. */
static int keep(lua_State *L)
{
  sp_push_traceback(L, L, 1);
  sp_note_culprits(L, -1);
  sp_push_kept(L, sp_context_of(L), SP_KEPT_INNER);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, 2);
  sp_context_of(L)->has_inner = true;
  return 0;
}

int spl_keep_inner(lua_State *L)
{
  lua_pushcfunction(L, keep);
  lua_pushvalue(L, 1);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    lua_pop(L, 1); /* not enough memory, or stack, for its text */
  return 1;
}

static int push_stop(lua_State *L)
{
  lua_pushstring(L, sp_watchdog_message(lua_touserdata(L, 1)));
  return 1;
}

/* Replaces the error on top that was caused by refusing memory to stopped code (see host.c) by the message. */
static void explain_stop(lua_State *L, const sp_context *c)
{
  lua_pop(L, 1);
  lua_pushcfunction(L, push_stop);
  lua_pushlightuserdata(L, c->watchdog);
  lua_pcall(L, 1, 1, 0); /* else it stays: there is no memory for the message */
}

int sp_watched_door(lua_State *L, sp_context *c, int nargs, int nresults, int handler)
{
  lua_State *outer = sp_watchdog_open_door(c->watchdog, L);
  int status = lua_pcall(L, nargs, nresults, handler);
  if (status == LUA_ERRMEM && sp_watchdog_is_stopping(c->watchdog))
    explain_stop(L, c);
  sp_watchdog_close_door(c->watchdog, outer);
  return status;
}

/* {== Endless functions ================================================== */

enum { STOPS_TO_SWITCH_OFF = 2 };

/* Returns a number that stands for the function on top, whose place is written to `ar`. */
static uint64_t function_number(lua_State *L, const char *owner, const char *name, lua_Debug *ar)
{
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", ar);
  const int lines[] = {ar->linedefined, ar->lastlinedefined};
  uint64_t sum = sp_sum(sp_sum(SP_SUM_BEGIN, owner, strlen(owner) + 1), name, strlen(name) + 1);
  sum = sp_sum(sum, ar->source, strlen(ar->source) + 1);
  return sp_sum(sum, lines, sizeof lines);
}

static uint32_t find_strike(const sp_context *c, uint64_t function)
{
  uint32_t i = 0;
  while (i < c->strike_count && c->strikes[i].function != function)
    i++;
  return i;
}

bool sp_find_strike(lua_State *L, const sp_context *c, const char *owner, const char *name)
{
  lua_Debug ar;
  if (!lua_isfunction(L, -1) || !lua_checkstack(L, 1))
    return false;
  const uint32_t i = find_strike(c, function_number(L, owner, name, &ar));
  return i < c->strike_count && c->strikes[i].stops >= STOPS_TO_SWITCH_OFF;
}

bool sp_was_endless(lua_State *L, const sp_context *c)
{
  return c->watchdog && lua_type(L, -1) == LUA_TSTRING && !sp_watchdog_was_short(c->watchdog) &&
         sp_watchdog_is_its_error(c->watchdog, lua_tostring(L, -1));
}

static void switch_off(lua_State *L, sp_context *c, const char *owner, const char *name, const lua_Debug *ar)
{
  char text[LINE_SHOWN + 3 * SP_SHOWN_MOST];
  snprintf(text, sizeof text, "%.200s:%d: %.200s%s%.100s was stopped twice in a row: it is switched off until an edit",
           ar->source + (ar->source[0] == '@'), ar->linedefined, owner, *owner ? "." : "", name);
  sp_report_text(L, c, SP_REPORT_WARNING, text);
}

void sp_note_stop(lua_State *L, sp_context *c, const char *owner, const char *name)
{
  lua_Debug ar;
  if (lua_isfunction(L, -1) && lua_checkstack(L, 1)) {
    const uint64_t function = function_number(L, owner, name, &ar);
    uint32_t i = find_strike(c, function);
    if (i == c->strike_count && i < SP_STRIKES_MOST)
      c->strike_count++;
    sp_strike *strike = &c->strikes[i % SP_STRIKES_MOST];
    if (strike->function != function || c->turn - strike->turn > 1)
      *strike = (sp_strike){.function = function};
    strike->turn = c->turn;
    if (++strike->stops == STOPS_TO_SWITCH_OFF)
      switch_off(L, c, owner, name, &ar);
  }
  lua_pop(L, 1);
}

void sp_note_return(lua_State *L, sp_context *c, const char *owner, const char *name)
{
  lua_Debug ar;
  if (lua_isfunction(L, -1) && lua_checkstack(L, 1)) {
    const uint32_t i = find_strike(c, function_number(L, owner, name, &ar));
    if (i < c->strike_count)
      c->strikes[i] = c->strikes[--c->strike_count];
  }
  lua_pop(L, 1);
}

/* }== */

/* The values below the error are its culprits and, if there is one, the text that was made of it. */
void sp_hold_error(lua_State *L, const sp_context *c)
{
  const int error = lua_gettop(L);
  sp_push_kept(L, c, SP_KEPT_CULPRITS);
  if (!push_inner(L, error))
    lua_pushnil(L);
  lua_rotate(L, error, -1);
}

void sp_release_error(lua_State *L, sp_context *c)
{
  c->has_inner = lua_type(L, -2) == LUA_TSTRING;
  if (c->has_inner) { /* the seats are there: this cannot fail */
    sp_push_kept(L, c, SP_KEPT_INNER);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, 1);
    lua_pushvalue(L, -3);
    lua_rawseti(L, -2, 2);
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
  lua_insert(L, -2);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
}

int sp_raise_held_error(lua_State *L, sp_context *c)
{
  sp_release_error(L, c);
  return lua_error(L);
}

/* Reads the clock once per switch: the time since the last switch belongs to the former owner. */
uint64_t sp_hook_clock_switch(sp_context *c, uint64_t pool)
{
  uint64_t outer = c->hook_owner, now = sp_clock_nanoseconds();
  spl_pool *p = sp_pool_from_id(c, outer);
  if (p)
    p->hook_ns += now - c->hook_since;
  c->hook_owner = pool;
  c->hook_since = now;
  return outer;
}

int sp_timed_door(lua_State *L, const spl_pool *p, int nargs, int nresults, int handler)
{
  sp_context *c = p->manager->context;
  uint64_t outer = sp_hook_clock_begin(c, p);
  int status = sp_door(L, c, nargs, nresults, handler);
  sp_hook_clock_end(c, outer);
  return status;
}
