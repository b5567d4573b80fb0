#include "script/state/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/state/border.h"
#include "script/state/platform.h"

/* {== Values in words ==================================================== */

#define TEXT_MOST 100 /* characters of a string that are shown */

/* As tostring writes numbers, but for the sign that some machines give to NaN. */
static void show_number(lua_State *L, int index, sp_shown *out)
{
  lua_Number number = lua_tonumber(L, index);
  if (lua_isinteger(L, index))
    snprintf(out->text, sizeof out->text, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, index));
  else if (isnan(number))
    strcpy(out->text, "nan");
  else
    lua_number2str(out->text, sizeof out->text, number);
  if (!lua_isinteger(L, index) && out->text[strspn(out->text, "-0123456789")] == '\0')
    strcat(out->text, ".0");
}

/* Where to cut a text so that no character is cut in two. */
static int cut_at(const char *text, size_t length, int most)
{
  if (length <= (size_t)most)
    return (int)length;
  while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
    most--;
  return most;
}

static void show_string(lua_State *L, int index, const char *quote, sp_shown *out)
{
  size_t length;
  const char *text = lua_tolstring(L, index, &length);
  int shown = cut_at(text, length, TEXT_MOST);
  const char *rest = (size_t)shown < length ? "..." : "";
  snprintf(out->text, sizeof out->text, "%s%.*s%s%s", quote, shown, text, rest, quote);
}

const char *sp_copy_text(const char *text, sp_shown *out)
{
  snprintf(out->text, sizeof out->text, "%.*s", cut_at(text, strlen(text), (int)sizeof out->text - 1), text);
  return out->text;
}

const char *sp_label(const sp_context *c, sp_ref object, sp_shown *out)
{
  const spl_manager *m = sp_manager_of(c, object);
  const sp_pool *pool = m ? sp_object_pool(m->core, object) : NULL;
  if (!pool)
    return strcpy(out->text, "object"); /* of a pool that is gone, or has given its memory to another */
  snprintf(out->text, sizeof out->text, "%.200s#%d", sp_pool_desc_of(pool)->type,
           (int)sp_object_number(m->core, object));
  return out->text;
}

static void show_object(lua_State *L, int index, sp_shown *out)
{
  const sp_context *c = sp_context_of(L);
  const char *state = c ? sp_object_state(c, sp_to_object(L, index)) : NULL;
  if (state)
    snprintf(out->text + strlen(sp_label(c, sp_to_object(L, index), out)), 20, " (%s)", state);
  else
    snprintf(out->text, sizeof out->text, "light userdata: 0x%" PRIxPTR, (uintptr_t)lua_touserdata(L, index));
}

/* "table: 0x...", on every system, with the name that a metatable gives its tables. */
static void show_address(lua_State *L, int index, sp_shown *out)
{
  const void *address = lua_topointer(L, index);
  sp_copy_text(luaL_typename(L, index), out);
  if (lua_getmetatable(L, index)) {
    if (sp_raw_field(L, -1, "__name") == LUA_TSTRING)
      show_string(L, -1, "", out);
    lua_pop(L, 2);
  }
  size_t used = strlen(out->text);
  snprintf(out->text + used, sizeof out->text - used, ": 0x%" PRIxPTR, (uintptr_t)address);
}

static int count_types(const sp_manager *m)
{
  int count = 0;
  for (const sp_pool *p = NULL; (p = sp_manager_next_pool(m, p)) != NULL;)
    count++;
  return count;
}

static void show_handle(lua_State *L, int index, sp_shown *out)
{
  const spl_pool *p = sp_to_pool(L, index);
  const spl_manager *m = sp_to_manager(L, index);
  if (p && p->core)
    snprintf(out->text, sizeof out->text, "pool of %.200s (%d live, %d idle)", sp_pool_desc_of(p->core)->type,
             (int)sp_pool_live(p->core), (int)sp_pool_idle(p->core));
  else if (m && m->core)
    snprintf(out->text, sizeof out->text, "pools (%d types, %d live)", count_types(m->core),
             (int)sp_total_of(m->core).live);
  else if (p || m)
    strcpy(out->text, p ? "pool (removed)" : "pools (closed)");
  else
    show_address(L, index, out);
}

const char *sp_show(lua_State *L, int index, sp_shown *out)
{
  switch (lua_type(L, index)) {
  case LUA_TNONE:
    return strcpy(out->text, "no value");
  case LUA_TNIL:
    return strcpy(out->text, "nil");
  case LUA_TBOOLEAN:
    return strcpy(out->text, lua_toboolean(L, index) ? "true" : "false");
  case LUA_TNUMBER:
    show_number(L, index, out);
    break;
  case LUA_TSTRING:
    show_string(L, index, "'", out);
    break;
  case LUA_TLIGHTUSERDATA:
    show_object(L, index, out);
    break;
  case LUA_TUSERDATA:
    show_handle(L, index, out);
    break;
  default:
    show_address(L, index, out);
  }
  return out->text;
}

int spl_show(lua_State *L)
{
  sp_shown shown;
  lua_pushstring(L, sp_show(L, 1, &shown));
  return 1;
}

const char *sp_show_name(lua_State *L, int index, sp_shown *out)
{
  if (lua_type(L, index) != LUA_TSTRING)
    return sp_show(L, index, out);
  show_string(L, index, "", out);
  return out->text;
}

/* }== */

/* {== Distance =========================================================== */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Three rows of the usual table: a swap of neighbours looks two rows back. */
size_t sp_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
  size_t rows[3][SP_EDIT_MOST + 1];
  if (a_length > SP_EDIT_MOST || b_length > SP_EDIT_MOST)
    return a_length > b_length ? a_length : b_length;
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *row = rows[i % 3];
    const size_t *before = rows[(i - 1) % 3], *before2 = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = least(least(row[j - 1], before[j]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before2[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

/* }== */

/* {== Stories of lives ===================================================
** Traces: where each life was allocated, and where and why it ended. Recorded only for a manager with `trace`, for the
** messages of stale uses and for `leaks`. A limited number of ended lives is kept. */

#define ENDED_KEPT 4096

typedef struct event {
  spl_manager *m;
  sp_ref object;
  const char *why; /* NULL: it began */
} event;

/* "file:line" of the Lua code that is running, without the colon and blank that luaL_where adds. */
static void push_site(lua_State *L, int level)
{
  lua_Debug ar;
  for (; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline > 0 && ar.source[0] != '=') {
      lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
      return;
    }
  }
  lua_pushliteral(L, "C code");
}

static void push_traces(lua_State *L, const spl_manager *m)
{
  const int top = lua_gettop(L);
  sp_find_user_value(L, m->context, m, SP_MANAGER_TRACES);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

/* The table at `traces` has a ring of ended lives in its list part. */
static void remember_ended(lua_State *L, int traces, sp_ref object)
{
  lua_Integer count;
  sp_raw_field(L, traces, "count");
  count = lua_tointeger(L, -1);
  lua_pop(L, 1);
  lua_rawgeti(L, traces, count % ENDED_KEPT + 1);
  if (!lua_isnil(L, -1)) {
    lua_pushnil(L);
    lua_rawset(L, traces);
  } else {
    lua_pop(L, 1);
  }
  sp_push_object(L, object);
  lua_rawseti(L, traces, count % ENDED_KEPT + 1);
  lua_pushinteger(L, count + 1);
  lua_setfield(L, traces, "count");
}

static void set_end(lua_State *L, const event *e)
{
  push_site(L, 1);
  lua_setfield(L, -2, "end_site");
  lua_pushnumber(L, sp_clock_of(e->m->core).time);
  lua_setfield(L, -2, "ended");
  lua_pushstring(L, e->why);
  lua_setfield(L, -2, "why");
}

/* record(event): protected and quiet, because it allocates in the middle of a recycle. */
static int record(lua_State *L)
{
  const event *e = lua_touserdata(L, 1);
  push_traces(L, e->m);
  int traces = lua_gettop(L);
  if (!lua_istable(L, traces))
    return 0; /* it was collected */
  sp_push_object(L, e->object);
  if (lua_rawget(L, traces) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 6);
    sp_push_object(L, e->object);
    lua_pushvalue(L, -2);
    lua_rawset(L, traces);
  }
  if (e->why) {
    set_end(L, e);
    remember_ended(L, traces, e->object);
  } else {
    push_site(L, 1);
    lua_setfield(L, -2, "site");
    lua_pushnumber(L, sp_clock_of(e->m->core).time);
    lua_setfield(L, -2, "born");
  }
  return 0;
}

static void record_protected(lua_State *L, event *e)
{
  if (!lua_checkstack(L, 12))
    return;
  lua_pushcfunction(L, record);
  lua_pushlightuserdata(L, e);
  if (sp_pcall_without_gc(L, 1, 0) != LUA_OK)
    lua_pop(L, 1); /* the game goes on without the trace */
}

void sp_trace_alloc(lua_State *L, spl_manager *m, sp_ref object)
{
  event e = {m, object, NULL};
  record_protected(L, &e);
}

void sp_trace_end(spl_manager *m, sp_ref object, sp_why why)
{
  event e = {m, object, sp_why_name(why)};
  record_protected(m->context->L, &e);
}

/* }== */

/* {== Stories ============================================================ */

/* Returns the object that has the slot now, or 0. */
static sp_ref tenant_of(const spl_manager *m, sp_ref object)
{
  uint32_t slot = sp_ref_slot(object);
  if (!sp_ref_is_ours(m->core, object) || !(sp_slot_life(m->core, slot)->generation & 1) ||
      sp_ref_make(m->core, slot) == object)
    return SP_NULL_REF;
  return sp_ref_make(m->core, slot);
}

void sp_push_story(lua_State *L, const sp_context *c, sp_ref object)
{
  const spl_manager *m = object ? sp_manager_of(c, object) : NULL;
  if (m && m->trace)
    push_traces(L, m);
  else
    lua_pushnil(L);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_pushliteral(L, "");
    return;
  }
  sp_ref tenant = tenant_of(m, object);
  sp_push_kept(L, c, SP_KEPT_REPORTING);
  sp_raw_field(L, -1, "story");
  lua_replace(L, -2);
  lua_insert(L, -2);
  sp_push_object(L, object);
  if (tenant)
    sp_push_object(L, tenant);
  else
    lua_pushnil(L);
  lua_call(L, 3, 1);
}

/* }== */

/* {== Reports ============================================================ */

/* Lines that are printed: at once, and for each call into the game; warnings and errors: at once, and for a second. */
enum { PRINTS_MOST = 4000, PRINTS_A_CALL = 100, REPORTS_MOST = 4000, REPORTS_A_SECOND = 100 };

typedef struct pending_report {
  sp_context *c;
  const char *text;
} pending_report;

static void deliver(sp_context *c, sp_report kind, const char *text)
{
  if (c->report)
    c->report(c->report_ud, kind, text);
  else
    fprintf(stderr, "spawnpool: %s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
}

static bool is_power_of_ten(uint64_t n)
{
  while (n % 10 == 0)
    n /= 10;
  return n == 1;
}

static uint64_t count_report(sp_context *c, const char *text)
{
  const uint64_t sum = sp_sum(SP_SUM_BEGIN, text, strlen(text));
  sp_told *told = &c->told[sum % SP_TOLD_PLACES];
  if (told->text != sum)
    *told = (sp_told){.text = sum};
  return ++told->count;
}

/* Returns whether one more may pass, of which `most` may follow each other at once, and `gain` for each step of
   `now`. */
static bool may_pass(sp_flow *flow, double now, double most, double gain)
{
  flow->left = flow->since > 0 ? fmin(most, flow->left + (now - flow->since) * gain) : most;
  flow->since = now;
  if (flow->left < 1)
    return false;
  flow->left -= 1;
  return true;
}

static bool may_report(sp_context *c, sp_report kind)
{
  if (kind == SP_REPORT_PRINT)
    return may_pass(&c->prints, 1 + (double)c->entries, PRINTS_MOST, PRINTS_A_CALL);
  return may_pass(&c->reports, 1 + (double)sp_clock_nanoseconds() * 1e-9, REPORTS_MOST, REPORTS_A_SECOND);
}

/* Delivers a text for the first, 10th, 100th ... time. The whole of a long one was seen the first time. */
static void deliver_count(sp_context *c, sp_report kind, const char *text, uint64_t count)
{
  char counted[4096];
  if (count == 1) {
    deliver(c, kind, text);
  } else if (is_power_of_ten(count)) {
    snprintf(counted, sizeof counted, "%.4000s\n(%" PRIu64 " times so far)", text, count);
    deliver(c, kind, counted);
  }
}

/* Passes a warning to the global `warn`, if the program has replaced it. */
static int warn_through_lua(lua_State *L)
{
  const pending_report *t = lua_touserdata(L, 1);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "warn");
  lua_rawget(L, -2);
  if (lua_isnil(L, -1) || lua_iscfunction(L, -1)) {
    lua_pushboolean(L, 0);
    return 1;
  }
  lua_pushfstring(L, "spawnpool: %s", t->text);
  lua_call(L, 1, 0);
  lua_pushboolean(L, 1);
  return 1;
}

static bool is_warned_by_lua(lua_State *L, pending_report *t)
{
  if (!lua_checkstack(L, 8))
    return false;
  lua_pushcfunction(L, warn_through_lua);
  lua_pushlightuserdata(L, t);
  bool done = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  lua_pop(L, 1);
  return done;
}

void sp_report_text(lua_State *L, sp_context *c, sp_report kind, const char *text)
{
  pending_report t = {c, text};
  const uint64_t count = kind == SP_REPORT_PRINT ? 1 : count_report(c, text);
  if (kind == SP_REPORT_WARNING && !c->report && is_warned_by_lua(L, &t))
    return;
  if (!is_power_of_ten(count))
    return;
  if (may_report(c, kind)) {
    deliver_count(c, kind, text, count);
    return;
  }
  if (kind == SP_REPORT_PRINT)
    deliver_count(c, SP_REPORT_WARNING, "the game prints very much: a line is left out", ++c->prints.left_out);
  else
    deliver_count(c, SP_REPORT_WARNING, "there are very many reports: one is left out", ++c->reports.left_out);
}

static int describe_error(lua_State *L)
{
  const char *where = lua_touserdata(L, 2), *text = luaL_tolstring(L, 1, NULL);
  if (where)
    lua_pushfstring(L, "%s: %s", where, text);
  return 1;
}

void sp_report_error(lua_State *L, sp_context *c, const char *where)
{
  lua_pushcfunction(L, describe_error);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, (void *)where);
  lua_pcall(L, 2, 1, 0); /* what goes wrong here is reported instead */
  const char *text = lua_tostring(L, -1);
  if (c->testing && !c->failed && !sp_is_host_call(L, c)) {
    sp_push_kept(L, c, SP_KEPT_ERROR);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 2);
    c->failed = true;
  } else {
    sp_report_text(L, c, SP_REPORT_ERROR, text ? text : "an error that is no text");
  }
  lua_pop(L, 1);
}

void sp_raise_failure(lua_State *L, sp_context *c)
{
  c->failed = false;
  luaL_where(L, 1);
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_rawgeti(L, -1, 2);
  lua_remove(L, -2);
  lua_concat(L, 2);
  lua_error(L);
}

/* }== */

/* {== Misuse ============================================================= */

#define MAX_SITES 1000

/* Returns whether the text on top, which is popped, is a new one: what is warned about once. */
static bool is_new(lua_State *L, sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_SITES);
  lua_insert(L, -2);
  lua_pushvalue(L, -1);
  bool fresh = lua_rawget(L, -3) == LUA_TNIL;
  lua_pop(L, 1);
  if (fresh && c->site_count < MAX_SITES) {
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    c->site_count++;
  } else {
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return fresh;
}

/* True the first time that this comes from the calling line. */
static bool is_new_site(lua_State *L, sp_context *c, const char *what)
{
  luaL_where(L, 1);
  lua_pushstring(L, what);
  lua_concat(L, 2);
  return is_new(L, c);
}

void sp_report_misuse(lua_State *L, const spl_manager *m, sp_result why, sp_ref object)
{
  sp_context *c = m->context;
  sp_misuse misuse = m->misuse;
  sp_shown label;
  if (misuse == SP_MISUSE_IGNORE)
    return;
  sp_label(c, object, &label);
  if (misuse == SP_MISUSE_WARN && !is_new_site(L, c, sp_result_name(why)))
    return;
  int top = lua_gettop(L);
  luaL_where(L, 1);
  lua_pushfstring(L, "recycle of %s refused: %s: %s", label.text, sp_result_name(why), sp_result_text(why));
  sp_push_story(L, c, why == SP_STALE ? object : SP_NULL_REF);
  lua_concat(L, 3);
  if (misuse == SP_MISUSE_ERROR)
    lua_error(L);
  sp_report_text(L, c, SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_settop(L, top);
}

void sp_report_habit(lua_State *L, sp_context *c, const char *type, double seconds, double x)
{
  int top = lua_gettop(L);
  if (!is_new_site(L, c, "habit"))
    return;
  luaL_where(L, 1);
  lua_pushfstring(L,
                  "alloc of %s: the first number is its lifetime in seconds, the second one x. For x and y write "
                  "alloc(\"%s\", 0, %f, %f)",
                  type, type, (lua_Number)seconds, (lua_Number)x);
  lua_concat(L, 2);
  sp_report_text(L, c, SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_settop(L, top);
}

void sp_report_lifetime(lua_State *L, sp_context *c, const char *type, double seconds)
{
  int top = lua_gettop(L);
  if (!is_new_site(L, c, "lifetime"))
    return;
  luaL_where(L, 1);
  lua_pushfstring(
      L,
      "alloc of %s: a lifetime of %f only makes the pool ready, as any below 0 does; write -1 where that is "
      "meant, else math.max(0, lifetime)",
      type, (lua_Number)seconds);
  lua_concat(L, 2);
  sp_report_text(L, c, SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_settop(L, top);
}

/* Warns of what a function of the class does, once: `key` says what it is about. */
static void report_class(lua_State *L, const spl_pool *p, const char *key, const char *text)
{
  sp_context *c = p->manager->context;
  if (p->manager->misuse == SP_MISUSE_IGNORE)
    return;
  lua_pushfstring(L, "%s of '%s'", key, sp_pool_desc_of(p->core)->type);
  if (is_new(L, c))
    sp_report_text(L, c, SP_REPORT_WARNING, text);
}

typedef struct class_report {
  const spl_pool *p;
  const char *key, *text;
} class_report;

/* report_protected(report) */
static int report_protected(lua_State *L)
{
  const class_report *r = lua_touserdata(L, 1);
  report_class(L, r->p, r->key, r->text);
  return 0;
}

/* Hooks call it, which cannot raise: without memory the warning is lost. */
void sp_report_victim(lua_State *L, const spl_pool *p, int index)
{
  char text[2 * SP_SHOWN_MOST + 128];
  sp_shown shown, type;
  snprintf(text, sizeof text,
           "overflow of class '%s' returned %s, which is no live object of that pool: alloc is refused",
           sp_copy_text(sp_pool_desc_of(p->core)->type, &type), sp_show(L, index, &shown));
  class_report r = {p, "overflow", text};
  lua_pushcfunction(L, report_protected);
  lua_pushlightuserdata(L, &r);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    lua_pop(L, 1);
}

void sp_report_no_return(lua_State *L, const spl_pool *p)
{
  char text[SP_SHOWN_MOST + 160];
  sp_shown type;
  int top = lua_gettop(L);
  snprintf(text, sizeof text,
           "alloc of class '%s' returned nothing, so the object that its base call opened was given back: return the "
           "object, or nil and a reason",
           sp_copy_text(sp_pool_desc_of(p->core)->type, &type));
  report_class(L, p, "return", text);
  lua_settop(L, top);
}

/* }== */
