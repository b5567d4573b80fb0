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

/* A tween is "\1", its numbers as the hexadecimal digits of their bits, the ease as a letter, and the field. The bits
   keep the numbers exact, and the text has no zeros, at which a hash would end. */
enum { FROM, TO, BEGAN, OVER, NUMBERS, DIGITS = 16, HEAD = 1 + NUMBERS * DIGITS + 1 };
#define MARK '\1'

typedef struct tween {
  double numbers[NUMBERS];
  int ease;
  const char *field;
  size_t length; /* of its name */
} tween;

static void push_tween(lua_State *L, const tween *t)
{
  luaL_Buffer b;
  char head[HEAD + 1] = {MARK};
  for (int i = 0; i < NUMBERS; i++) {
    uint64_t bits;
    memcpy(&bits, &t->numbers[i], sizeof bits);
    snprintf(head + 1 + i * DIGITS, DIGITS + 1, "%016llx", (unsigned long long)bits);
  }
  head[HEAD - 1] = (char)('@' + t->ease);
  luaL_buffinit(L, &b);
  luaL_addlstring(&b, head, HEAD);
  luaL_addlstring(&b, t->field, t->length);
  luaL_pushresult(&b);
}

static bool read_number(const char *digits, double *number)
{
  unsigned long long bits;
  if (strspn(digits, "0123456789abcdef") < DIGITS || sscanf(digits, "%16llx", &bits) != 1)
    return false;
  memcpy(number, &bits, sizeof bits);
  return isfinite(*number);
}

/* Reads the string at `index`, which a save may have made up; false when it is no tween. */
static bool read_tween(lua_State *L, int index, tween *t)
{
  size_t length;
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
  if (!text || length <= HEAD || text[0] != MARK)
    return false;
  for (int i = 0; i < NUMBERS; i++)
    if (!read_number(text + 1 + i * DIGITS, &t->numbers[i]))
      return false;
  t->ease = text[HEAD - 1] - '@';
  t->field = text + HEAD;
  t->length = length - HEAD;
  return t->numbers[OVER] > 0 && t->ease >= 0 && t->ease < EASES;
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

/* Returns the value at this time, exactly the last one at the end. Times are sums of ticks, so the end may be missed by
   their rounding. */
static double value_at(const tween *t, double time, bool *is_over)
{
  double share = (time - t->numbers[BEGAN]) / t->numbers[OVER], from = t->numbers[FROM], to = t->numbers[TO];
  *is_over = !(share < 1 - 1e-9);
  return *is_over ? to : from + (to - from) * eased(t->ease, share > 0 ? share : 0);
}

/* Writes a number to the field whose name is on top, which is popped. NULL, or what prevents it. */
static const char *write_field(lua_State *L, const spl_manager *m, sp_ref object, double number)
{
  sp_pool *core = m && sp_object_is_live(m->core, object) ? sp_object_pool(m->core, object) : NULL;
  spl_pool *p = core ? spl_pool_of(core) : NULL;
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

static void report_end(lua_State *L, sp_context *c, sp_ref object, const char *field, const char *wrong)
{
  char text[2 * SP_SHOWN_MOST + 64];
  sp_shown label;
  snprintf(text, sizeof text, "%s: field '%.200s' %s: its tween ends", sp_label(c, object, &label), field, wrong);
  sp_report_text(L, c, SP_REPORT_ERROR, text);
}

bool sp_tween_step(lua_State *L, const spl_manager *m, sp_ref object, sp_timer timer)
{
  const uint64_t id = m->id;
  sp_context *c = m->context;
  tween t;
  bool is_over = true;
  if (!read_tween(L, -1, &t))
    return false;
  double value = value_at(&t, sp_clock_of(m->core).time, &is_over);
  lua_pushlstring(L, t.field, t.length); /* the callback holds the text; a finaliser may have closed the manager */
  m = sp_manager_from_id(c, id);
  const char *wrong = write_field(L, m, object, value);
  if (m && (wrong || is_over))
    sp_timer_stop(m->core, timer);
  if (m && wrong)
    report_end(L, c, object, t.field, wrong);
  return true;
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
  double over;
} request;

static void read_times(lua_State *L, request *r)
{
  sp_shown shown;
  sp_raw_field(L, 2, "over");
  r->over = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(r->over >= 0 && r->over <= SP_MAX_LIFETIME))
    sp_raise_arg(L, 2, "over must be seconds from 0 up, got %s", sp_show(L, -1, &shown));
  int type = sp_raw_field(L, 2, "ease");
  r->ease = type == LUA_TNIL ? LINEAR : find_ease(sp_to_text(L, -1));
  if (r->ease == EASES)
    sp_raise_arg(L, 2,
                 "ease must be linear, in, out or in_out, or one of these three with _quad, _cubic, _quart, _quint, "
                 "_sine, _expo, _circ, _back, _elastic or _bounce, got %s",
                 sp_show(L, -1, &shown));
  lua_pop(L, 2);
}

static bool is_setting(const char *name) { return strcmp(name, "over") == 0 || strcmp(name, "ease") == 0; }

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
    sp_raise_arg(L, 2, "%s must be a finite number, got %s", sp_show_name(L, -2, &name), sp_show(L, -1, &value));
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

static void read_request(lua_State *L, request *r)
{
  sp_check_table(L, 2);
  read_times(L, r);
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
  }
}

/* Ends the tween that the field has, if any. */
static void stop_tween(lua_State *L, const spl_manager *m, sp_ref object, const char *field, size_t length)
{
  sp_timer next;
  for (sp_timer at = sp_next_timer(m->core, object, 0); at; at = next) {
    tween t;
    next = sp_next_timer(m->core, object, at);
    sp_timer_push_callback(L, m, at);
    bool is_this = read_tween(L, -1, &t) && t.length == length && memcmp(t.field, field, t.length) == 0;
    lua_pop(L, 1);
    if (is_this)
      sp_timer_stop(m->core, at);
  }
}

static void start_tween(lua_State *L, sp_ref object, const target *to, const request *r)
{
  spl_pool *p = check_live_pool(L, object);
  const spl_manager *m = p->manager;
  sp_result why = SP_OK;
  stop_tween(L, m, object, to->field, sp_raw_length(L, to->index));
  if (r->over == 0) {
    lua_pushvalue(L, to->index);
    write_field(L, m, object, to->to);
    return;
  }
  sp_object_read(L, p, sp_ref_slot(object), sp_keymap_find(L, p->names, to->index));
  tween t = {{lua_tonumber(L, -1), to->to, sp_clock_of(m->core).time, r->over},
             r->ease,
             to->field,
             sp_raw_length(L, to->index)};
  lua_pop(L, 1);
  if (!isfinite(t.numbers[FROM]))
    sp_raise(L, "field '%s' is not finite: it goes nowhere from there", to->field);
  push_tween(L, &t);
  m = check_live_pool(L, object)->manager;
  if (!sp_timer_file(L, m, object, 0, sp_clock_of(m->core).step, &why))
    sp_raise(L, "cannot start a tween: %s", sp_result_text(why));
}

/* tween{field = number, over = seconds, ease = name?}: the fields go to the numbers. */
int spl_object_tween(lua_State *L)
{
  const sp_ref object = sp_check_object(L, 1);
  request r = {.count = 0};
  luaL_checkstack(L, STACK_NEEDED, NULL);
  lua_settop(L, 2);
  check_live_pool(L, object);
  read_request(L, &r);
  check_fields(L, object, &r);
  for (int i = 0; i < r.count; i++)
    start_tween(L, object, &r.fields[i], &r);
  lua_pushboolean(L, 1);
  return 1;
}

/* }== */
