#include "script/bind/tween.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/bind/timer.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

#define MOST_FIELDS 16 /* of one call */
#define STACK_NEEDED (MOST_FIELDS + 20)
#define FIRST_NAME 3 /* stack index of the names of fields */

/* {== Eases ============================================================== */

/* Each maps 0..1 to 0..1, slow at first. */
static double quad(double t) { return t * t; }
static double cubic(double t) { return t * t * t; }
static double quart(double t) { return t * t * t * t; }
static double quint(double t) { return t * t * t * t * t; }
static double sine(double t) { return 1 - cos(t * 1.5707963267948966); }
static double expo(double t) { return t > 0 ? pow(2, 10 * t - 10) : 0; }
static double circ(double t) { return 1 - sqrt(1 - t * t); }
static double back(double t) { return t * t * (2.70158 * t - 1.70158); }
static double elastic(double t)
{
  return t > 0 && t < 1 ? -pow(2, 10 * t - 10) * sin((10 * t - 10.75) * 2.0943951023931953) : t;
}
/* Four parabolas, from the last and highest one on. */
static double bounce(double t)
{
  static const double middles[] = {0, 1.5 / 2.75, 2.25 / 2.75, 2.625 / 2.75}, lows[] = {0, 0.75, 0.9375, 0.984375};
  const double from_end = 1 - t;
  int i = from_end < 1 / 2.75 ? 0 : from_end < 2 / 2.75 ? 1 : from_end < 2.5 / 2.75 ? 2 : 3;
  double at = from_end - middles[i];
  return 1 - (7.5625 * at * at + lows[i]);
}

static const struct {
  const char *name;
  double (*in)(double t);
} families[] = {{"quad", quad}, {"cubic", cubic}, {"quart", quart}, {"quint", quint},     {"sine", sine},
                {"expo", expo}, {"circ", circ},   {"back", back},   {"elastic", elastic}, {"bounce", bounce}};
enum { FAMILIES = sizeof families / sizeof *families };

typedef enum way { IN, OUT, IN_OUT, WAYS } way;
static const char *const way_names[WAYS] = {"in", "out", "in_out"};

/* An ease is a number: 0 is linear, then come the families, each in all ways. */
enum { LINEAR, EASES = 1 + FAMILIES * WAYS };

/* Returns the number of "linear", "in_out", "out_back" and so on; EASES for other names. */
static int find_ease(const char *name)
{
  char other[32];
  if (strcmp(name, "linear") == 0)
    return LINEAR;
  for (int i = 0; i < FAMILIES * WAYS; i++) {
    snprintf(other, sizeof other, "%s_%s", way_names[i % WAYS], families[i / WAYS].name);
    if (strcmp(name, other) == 0 || (i < WAYS && strcmp(name, way_names[i]) == 0))
      return 1 + i;
  }
  return EASES;
}

static double eased(int ease, double t)
{
  if (ease == LINEAR)
    return t;
  double (*in)(double) = families[(ease - 1) / WAYS].in;
  switch ((way)((ease - 1) % WAYS)) {
  case IN:
    return in(t);
  case OUT:
    return 1 - in(1 - t);
  default:
    return t < 0.5 ? in(2 * t) / 2 : 1 - in(2 - 2 * t) / 2;
  }
}

/* }== */

/* {== As a string ======================================================== */

/* A tween is a timer that is due at its end, and this string is its callback: MARK, two numbers, the ease and the state
   as letters, its fields, and the method that it calls. Each field is its name after two numbers. Numbers are the
   hexadecimal digits of their bits: exact, and without zeros, at which a hash would end. With a function to call at the
   end the callback is a list, {string, function}, that is never changed. */
enum { DIGITS = 16, HEAD = 1 + 2 * DIGITS + 2 };
#define MARK '\2'
#define FIELD '\3'
#define DONE '\4'
#define WAITS 'w' /* its first values are those at the end of its delay */
#define RUNS 'r'

typedef struct tween_field {
  double from, to;
  const char *name;
  size_t length;
} tween_field;

typedef struct tween {
  double began, over;
  int ease;
  bool runs;
  tween_field fields[MOST_FIELDS];
  int count;
  const char *done; /* NULL: no method */
  size_t done_length;
} tween;

static void add_number(luaL_Buffer *b, double number)
{
  char digits[DIGITS + 1];
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)bits);
  luaL_addlstring(b, digits, DIGITS);
}

static void push_tween(lua_State *L, const tween *t)
{
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addchar(&b, MARK);
  add_number(&b, t->began);
  add_number(&b, t->over);
  luaL_addchar(&b, (char)('@' + t->ease));
  luaL_addchar(&b, t->runs ? RUNS : WAITS);
  for (int i = 0; i < t->count; i++) {
    luaL_addchar(&b, FIELD);
    add_number(&b, t->fields[i].from);
    add_number(&b, t->fields[i].to);
    luaL_addlstring(&b, t->fields[i].name, t->fields[i].length);
  }
  if (t->done) {
    luaL_addchar(&b, DONE);
    luaL_addlstring(&b, t->done, t->done_length);
  }
  luaL_pushresult(&b);
}

static bool read_number(const char *digits, double *number)
{
  unsigned long long bits;
  if (strspn(digits, "0123456789abcdef") < DIGITS || sscanf(digits, "%16llx", &bits) != 1)
    return false;
  memcpy(number, &bits, sizeof bits);
  return true;
}

/* Reads the parts after the head; false when they are none of a tween. */
static bool read_parts(const char *at, const char *end, tween *t)
{
  for (t->count = 0; at < end && *at == FIELD; t->count++) {
    if (t->count == MOST_FIELDS)
      return false;
    tween_field *f = &t->fields[t->count];
    f->name = at + 1 + 2 * DIGITS;
    if (end - at <= 1 + 2 * DIGITS || !read_number(at + 1, &f->from) || !read_number(at + 1 + DIGITS, &f->to) ||
        !isfinite(f->from) || !isfinite(f->to))
      return false;
    f->length = strcspn(f->name, "\3\4");
    at = f->name + f->length;
  }
  t->done = at < end ? at + 1 : NULL;
  t->done_length = at < end ? (size_t)(end - at) - 1 : 0;
  return t->count > 0 && (at == end || *at == DONE);
}

/* Reads the string at `index`, which a save may have made up; false when it is no tween. */
static bool read_tween(lua_State *L, int index, tween *t)
{
  size_t length;
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
  if (!text || text[0] != MARK || length <= HEAD || strlen(text) != length)
    return false;
  t->ease = text[HEAD - 2] - '@';
  t->runs = text[HEAD - 1] == RUNS;
  return read_number(text + 1, &t->began) && read_number(text + 1 + DIGITS, &t->over) && t->began >= 0 &&
         t->over >= 0 && t->ease >= 0 && t->ease < EASES && read_parts(text + HEAD, text + length, t);
}

/* Pushes the string of the callback at `index`, or nil, and returns whether it is that of a tween. */
static bool push_text(lua_State *L, int index, tween *t)
{
  if (lua_istable(L, index))
    sp_raw_geti(L, index, 1);
  else
    lua_pushvalue(L, index);
  return read_tween(L, -1, t);
}

/* Pushes the callback of a tween that calls what the one at `index` does. */
static void push_callback(lua_State *L, int index, const tween *t)
{
  index = lua_absindex(L, index);
  push_tween(L, t);
  if (!lua_istable(L, index))
    return;
  lua_createtable(L, 2, 0);
  lua_insert(L, -2);
  sp_raw_seti(L, -2, 1);
  sp_raw_geti(L, index, 2);
  sp_raw_seti(L, -2, 2);
}

bool sp_tween_to_done(lua_State *L)
{
  tween t;
  if (!push_text(L, -1, &t)) {
    lua_pop(L, 1);
    return false;
  }
  if (lua_istable(L, -2))
    sp_raw_geti(L, -2, 2);
  else if (t.done)
    lua_pushlstring(L, t.done, t.done_length);
  else
    lua_pushnil(L);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return true;
}

/* }== */

/* {== Steps ============================================================== */

static bool is_number_field(uint32_t name)
{
  if (name == SP_NO_KEY)
    return false;
  sp_name_kind kind = SP_NAME_KIND(name);
  return kind == SP_NAME_FLOAT || kind == SP_NAME_LOOK_FLOAT || kind == SP_NAME_NUMBER || kind == SP_NAME_INTEGER;
}

/* Returns the value at this time, exactly the last one at the end. Times are sums of ticks, and a timer is due as
   soon as less than a millionth of a tick is left. */
static double value_at(const tween *t, const tween_field *f, double time, double step)
{
  if (t->began + t->over - time <= 1.5e-6 * step)
    return f->to;
  double share = (time - t->began) / t->over;
  return f->from + (f->to - f->from) * eased(t->ease, share > 0 ? share : 0);
}

/* Returns the pool of a live object of `m`, or NULL. */
static spl_pool *pool_of(const spl_manager *m, sp_ref object)
{
  sp_pool *core = m && sp_object_is_live(m->core, object) ? sp_object_pool(m->core, object) : NULL;
  return core ? spl_pool_of(core) : NULL;
}

/* Writes a number to the field whose name is on top, which is popped. NULL, or what prevents it. */
static const char *write_field(lua_State *L, const spl_manager *m, sp_ref object, double number)
{
  spl_pool *p = pool_of(m, object);
  const int top = lua_gettop(L);
  uint32_t name = p ? sp_keymap_find(L, p->names, top) : SP_NO_KEY;
  const char *wrong = is_number_field(name) ? NULL : "is no number field any more";
  if (!wrong) {
    lua_pushnumber(L, number);
    wrong = sp_object_write(L, p, sp_ref_slot(object), name, top + 1);
  }
  lua_settop(L, top - 1);
  return wrong;
}

/* Reads the first values of a tween whose delay is over: those that the fields have now. */
static void begin_tween(lua_State *L, const spl_manager *m, sp_ref object, tween *t)
{
  t->runs = true;
  for (int i = 0; i < t->count; i++) {
    spl_pool *p = pool_of(m, object);
    lua_pushlstring(L, t->fields[i].name, t->fields[i].length);
    uint32_t name = p ? sp_keymap_find(L, p->names, -1) : SP_NO_KEY;
    if (is_number_field(name)) {
      sp_object_read(L, p, sp_ref_slot(object), name);
      t->fields[i].from = isfinite(lua_tonumber(L, -1)) ? lua_tonumber(L, -1) : t->fields[i].to;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

/* The tweens of a manager go on: what to report, and which timer to stop, when all have. */
typedef struct stepping {
  const spl_manager *m;
  sp_timer stops;
  char text[2 * SP_SHOWN_MOST + 64];
} stepping;

/* Takes field `i` out of a tween. */
static void drop_field(tween *t, int i)
{
  t->count--;
  for (; i < t->count; i++)
    t->fields[i] = t->fields[i + 1];
}

static void note_lost(stepping *s, sp_ref object, const tween_field *f, const char *wrong)
{
  sp_shown label;
  snprintf(s->text, sizeof s->text, "%s: field '%.*s' %s: its tween ends", sp_label(s->m->context, object, &label),
           (int)(f->length < 200 ? f->length : 200), f->name, wrong);
}

/* Steps the tween on top, whose timer this is, in the table of callbacks at `callbacks`. */
static void step_tween(lua_State *L, stepping *s, sp_timer timer, tween *t, int callbacks)
{
  const int callback = lua_gettop(L) - 1;
  const sp_manager *core = s->m->core;
  const sp_ref object = sp_timer_owner(core, timer);
  const double time = sp_clock_of(core).time, step = sp_clock_of(core).step;
  bool is_new = !t->runs;
  if (time < t->began - 1e-6 * step)
    return;
  if (is_new)
    begin_tween(L, s->m, object, t);
  for (int i = 0; i < t->count; i++) {
    lua_pushlstring(L, t->fields[i].name, t->fields[i].length);
    const char *wrong = write_field(L, s->m, object, value_at(t, &t->fields[i], time, step));
    if (wrong && s->text[0] == '\0') {
      note_lost(s, object, &t->fields[i], wrong);
      drop_field(t, i--);
      is_new = true;
    }
  }
  if (t->count == 0) {
    s->stops = timer;
  } else if (is_new) {
    push_callback(L, callback, t);
    sp_raw_seti(L, callbacks, (lua_Integer)timer);
  }
}

/* Finds the tweens among the timers in the table at `callbacks`; the table for them is on top. */
static void find_tweens(lua_State *L, int callbacks)
{
  tween t;
  const int tweens = lua_gettop(L);
  for (lua_pushnil(L); sp_raw_next(L, callbacks); lua_settop(L, tweens + 1))
    if (push_text(L, -1, &t) && lua_isinteger(L, tweens + 1)) {
      lua_pushboolean(L, 1);
      sp_raw_seti(L, tweens, lua_tointeger(L, tweens + 1));
    }
}

/* Pushes the table of tweens, timer -> true. Raises on memory, and makes it anew then. */
static void push_tweens(lua_State *L, spl_manager *m, int manager, int callbacks)
{
  if (!m->tweens_known) {
    lua_newtable(L);
    find_tweens(L, callbacks);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, manager, SP_MANAGER_TWEENS);
    m->tweens_known = true;
  } else {
    lua_getiuservalue(L, manager, SP_MANAGER_TWEENS);
  }
}

/* step_all(stepping) -> how many tweens there are. Quiet. */
static int step_all(lua_State *L)
{
  enum { STEPPING = 1, MANAGER, CALLBACKS, TWEENS };
  stepping *s = sp_raw_block(L, STEPPING);
  spl_manager *m = sp_held_manager(s->m);
  lua_Integer count = 0;
  tween t;
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, m->context, m);
  lua_getiuservalue(L, MANAGER, SP_MANAGER_TIMERS);
  push_tweens(L, m, MANAGER, CALLBACKS);
  for (lua_pushnil(L); sp_raw_next(L, TWEENS); lua_settop(L, TWEENS + 1)) {
    const sp_timer timer = (sp_timer)lua_tointeger(L, TWEENS + 1);
    sp_raw_geti(L, CALLBACKS, (lua_Integer)timer);
    if (push_text(L, -1, &t)) {
      count++;
      step_tween(L, s, timer, &t, CALLBACKS);
    } else { /* its timer is over */
      lua_pushnil(L);
      sp_raw_seti(L, TWEENS, (lua_Integer)timer);
    }
  }
  lua_pushinteger(L, count);
  return 1;
}

void sp_tweens_step(lua_State *L, const spl_manager *m)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  stepping s = {.m = m};
  lua_pushcfunction(L, step_all);
  lua_pushlightuserdata(L, &s);
  bool done = sp_pcall_without_gc(L, 1, 1) == LUA_OK; /* without memory the next tick tries again */
  if (done && lua_tointeger(L, -1) == 0)
    sp_set_on_tick(m->core, NULL, NULL);
  lua_pop(L, 1);
  if (s.stops)
    sp_timer_stop(m->core, s.stops);
  if (s.text[0] && sp_manager_from_id(c, id))
    sp_report_text(L, c, SP_REPORT_ERROR, s.text);
}

static void on_tick(void *ud)
{
  const spl_manager *m = sp_held_manager(ud);
  sp_context *c = m->context;
  c->crossings++;
  if (lua_checkstack(c->L, 8))
    c->calls.tweens(c->L, m);
}

void sp_tweens_renew(spl_manager *m)
{
  m->tweens_known = false;
  sp_set_on_tick(m->core, on_tick, m);
}

/* }== */

/* {== tween ============================================================== */

/* A field of the call, and where it goes. Its name is on the stack, so it stays. */
typedef struct target {
  const char *field;
  int index;
  double to;
} target;

typedef struct request {
  target fields[MOST_FIELDS];
  int count, ease;
  double over, delay;
  bool has_done;
} request;

/* Returns the seconds in the field `name` of the table at 2. */
static double read_seconds(lua_State *L, const char *name, bool optional)
{
  sp_shown shown;
  const int type = sp_raw_field(L, 2, name);
  double seconds = type == LUA_TNUMBER ? lua_tonumber(L, -1) : type == LUA_TNIL && optional ? 0 : -1;
  if (!sp_is_seconds(seconds))
    sp_raise_arg(L, 2, "%s must be seconds from 0 to 1e11 (math.huge: for ever), got %s", name, sp_show(L, -1, &shown));
  lua_pop(L, 1);
  return seconds;
}

static void read_done(lua_State *L, const sp_context *c, sp_ref object, request *r)
{
  sp_shown shown, label;
  const int type = sp_raw_field(L, 2, "done");
  r->has_done = type != LUA_TNIL;
  if (type != LUA_TNIL && type != LUA_TSTRING && !sp_to_function(L, -1))
    sp_raise_arg(L, 2, "done must be a function or the name of a method, got %s", sp_show(L, -1, &shown));
  lua_pushvalue(L, -1);
  if (type == LUA_TSTRING && !sp_timer_find_method(L, c, object))
    sp_raise_arg(L, 2, "done: %s has no method '%s'", sp_label(c, object, &label), sp_show_name(L, -1, &shown));
  lua_pop(L, 2);
}

static void read_settings(lua_State *L, const sp_context *c, sp_ref object, request *r)
{
  sp_shown shown;
  r->over = read_seconds(L, "over", false);
  r->delay = read_seconds(L, "delay", true);
  read_done(L, c, object, r);
  int type = sp_raw_field(L, 2, "ease");
  r->ease = type == LUA_TNIL ? LINEAR : find_ease(sp_to_text(L, -1));
  if (r->ease == EASES)
    sp_raise_arg(L, 2,
                 "ease must be linear, in, out or in_out, or one of these three with _quad, _cubic, _quart, _quint, "
                 "_sine, _expo, _circ, _back, _elastic or _bounce, got %s",
                 sp_show(L, -1, &shown));
  lua_pop(L, 1);
}

static bool is_setting(const char *name)
{
  static const char *const settings[] = {"over", "ease", "delay", "done"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(name, settings[i]) == 0)
      return true;
  return false;
}

/* Adds the field whose name is at -2, and whose value is on top, and puts its name below both; in the order of names,
   because that of a table differs from run to run. */
static void add_field(lua_State *L, request *r)
{
  sp_shown name, value;
  const char *field = sp_to_text(L, -2);
  double to = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : HUGE_VAL;
  if (lua_type(L, -2) == LUA_TSTRING && is_setting(field))
    return;
  if (lua_type(L, -2) != LUA_TSTRING || !isfinite(to))
    sp_raise_arg(L, 2, "%s must be a finite number, got %s (over, ease, delay and done are the settings)",
                 sp_show_name(L, -2, &name), sp_show(L, -1, &value));
  if (r->count == MOST_FIELDS)
    sp_raise_arg(L, 2, "more than %d fields", MOST_FIELDS);
  const int index = FIRST_NAME + r->count;
  lua_pushvalue(L, -2);
  lua_insert(L, index);
  int at = r->count++;
  for (; at > 0 && strcmp(r->fields[at - 1].field, field) > 0; at--)
    r->fields[at] = r->fields[at - 1];
  r->fields[at] = (target){field, index, to};
}

static void read_request(lua_State *L, const sp_context *c, sp_ref object, request *r)
{
  sp_check_table(L, 2);
  read_settings(L, c, object, r);
  for (lua_pushnil(L); sp_raw_next(L, 2); lua_pop(L, 1))
    add_field(L, r);
  if (r->count == 0)
    sp_raise_arg(L, 2, "no field is named: tween { x = 60, over = 0.5 }");
}

static spl_pool *check_live_pool(lua_State *L, sp_ref object)
{
  return spl_pool_of(sp_object_pool(sp_object_check_live(L, "tweens")->core, object));
}

/* Checks that the object has these fields and that they take the numbers. */
static void check_fields(lua_State *L, sp_ref object, const request *r)
{
  for (int i = 0; i < r->count; i++) {
    const target *t = &r->fields[i];
    spl_pool *p = check_live_pool(L, object);
    if (sp_keymap_find(L, p->names, t->index) == SP_NO_KEY && sp_names_scale(L, t->index)) {
      const char *wrong = sp_gain_scales(L, p);
      if (wrong)
        sp_raise_arg(L, 2, "%s: %s", t->field, wrong);
      p = check_live_pool(L, object);
    }
    uint32_t name = sp_keymap_find(L, p->names, t->index);
    if (name == SP_NO_KEY)
      sp_object_unknown(L, p, t->index, 2);
    lua_pushnumber(L, t->to);
    const char *wrong = is_number_field(name) ? sp_object_write(L, p, SP_NO_SLOT, name, lua_gettop(L))
                                              : "holds no number that can go somewhere";
    if (wrong)
      sp_raise_arg(L, 2, "field '%s' %s", t->field, wrong);
    lua_pop(L, 1);
    sp_object_read(L, p, sp_ref_slot(object), name);
    if (!isfinite(lua_tonumber(L, -1)))
      sp_raise(L, "field '%s' is not finite: it goes nowhere from there", t->field);
    lua_pop(L, 1);
  }
}

static bool is_requested(const request *r, lua_State *L, const tween_field *f)
{
  for (int i = 0; i < r->count; i++)
    if (sp_raw_length(L, r->fields[i].index) == f->length && memcmp(r->fields[i].field, f->name, f->length) == 0)
      return true;
  return false;
}

/* Takes the fields of the call from the tween of the timer `at`, and ends it when it has no more. */
static void take_fields(lua_State *L, const spl_manager *m, sp_timer at, const request *r)
{
  tween t;
  const int top = lua_gettop(L);
  sp_timer_push_callback(L, m, at);
  const int count = push_text(L, -1, &t) ? t.count : 0;
  for (int i = 0; i < count && i < t.count;)
    if (is_requested(r, L, &t.fields[i]))
      drop_field(&t, i);
    else
      i++;
  if (count > 0 && t.count == 0) {
    sp_timer_stop(m->core, at);
  } else if (count > 0 && t.count < count) {
    sp_push_anchor(L, m->context, m);
    lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
    push_callback(L, top + 1, &t);
    sp_raw_seti(L, -2, (lua_Integer)at);
  }
  lua_settop(L, top);
}

/* Makes the tween of the call; of no delay its first values are those of now. */
static tween tween_of(lua_State *L, const spl_manager *m, sp_ref object, const request *r)
{
  tween t = {.began = sp_clock_of(m->core).time + r->delay, .over = r->over, .ease = r->ease, .count = r->count};
  for (int i = 0; i < r->count; i++)
    t.fields[i] =
        (tween_field){r->fields[i].to, r->fields[i].to, r->fields[i].field, sp_raw_length(L, r->fields[i].index)};
  if (r->delay == 0)
    begin_tween(L, m, object, &t);
  return t;
}

/* Pushes the callback of a new tween. */
static void push_new(lua_State *L, tween *t)
{
  sp_raw_field(L, 2, "done");
  if (sp_to_function(L, -1)) {
    push_tween(L, t);
    lua_createtable(L, 2, 0);
    lua_insert(L, -2);
    sp_raw_seti(L, -2, 1);
    lua_insert(L, -2);
    sp_raw_seti(L, -2, 2);
    return;
  }
  if (lua_type(L, -1) == LUA_TSTRING)
    t->done = lua_tolstring(L, -1, &t->done_length);
  push_tween(L, t);
  lua_replace(L, -2);
}

/* list(tweens, timer) */
static int list(lua_State *L)
{
  lua_pushboolean(L, 1);
  sp_raw_seti(L, 1, lua_tointeger(L, 2));
  return 0;
}

/* Adds a tween to the known ones; without memory all are looked up at the next tick. */
static void list_tween(lua_State *L, spl_manager *m, sp_timer timer)
{
  const bool known = m->tweens_known;
  sp_tweens_renew(m);
  if (!known)
    return;
  lua_pushcfunction(L, list);
  sp_push_anchor(L, m->context, m);
  lua_getiuservalue(L, -1, SP_MANAGER_TWEENS);
  lua_replace(L, -2);
  lua_pushinteger(L, (lua_Integer)timer);
  m->tweens_known = sp_raw_pcall(L, 2, 0) == LUA_OK;
  if (!m->tweens_known)
    lua_pop(L, 1);
}

typedef struct starting {
  const sp_context *c;
  uint64_t manager;
  sp_ref object;
  const request *r;
  sp_result why;
} starting;

/* start(object, request, names..., starting): Quiet. */
static int start(lua_State *L)
{
  starting *s = sp_raw_block(L, -1);
  lua_pop(L, 1);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  spl_manager *m = sp_manager_from_id(s->c, s->manager);
  tween t = tween_of(L, m, s->object, s->r);
  sp_timer next, first = sp_next_timer(m->core, s->object, 0);
  push_new(L, &t);
  const sp_timer timer = sp_timer_file(L, m, s->object, s->r->delay + s->r->over, 0, &s->why);
  if (!timer)
    return 0;
  for (sp_timer at = first; at; at = next) {
    next = sp_next_timer(m->core, s->object, at);
    take_fields(L, m, at, s->r);
  }
  if (s->r->over == 0 && s->r->delay == 0)
    for (int i = 0; i < t.count; i++) {
      lua_pushvalue(L, s->r->fields[i].index);
      write_field(L, m, s->object, t.fields[i].to);
    }
  list_tween(L, m, timer);
  return 0;
}

/* tween{field = number, over = seconds, ease = name?, delay = seconds?, done = function or method?}: the fields go
   to the numbers. */
int spl_object_tween(lua_State *L)
{
  const sp_ref object = sp_check_object(L, 1);
  request r = {.count = 0};
  luaL_checkstack(L, STACK_NEEDED, NULL);
  lua_settop(L, 2);
  const sp_context *c = check_live_pool(L, object)->manager->context;
  read_request(L, c, object, &r);
  check_fields(L, object, &r);
  starting s = {c, check_live_pool(L, object)->manager->id, object, &r, SP_OK};
  const int count = lua_gettop(L);
  lua_pushcfunction(L, start);
  for (int i = 1; i <= count; i++)
    lua_pushvalue(L, i);
  lua_pushlightuserdata(L, &s);
  sp_call_without_gc(L, count + 1, 0);
  if (s.why != SP_OK)
    sp_raise(L, "cannot start a tween: %s", sp_result_text(s.why));
  lua_pushboolean(L, 1);
  return 1;
}

/* }== */
