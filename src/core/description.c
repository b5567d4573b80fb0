#include "core/description.h"

#include <math.h>
#include <string.h>

#include "core/config.h"

/* {== Defaults =========================================================== */

/* Writes the defaults of a struct into a program's one, which may be an older and shorter one. */
static void write_defaults(void *to, size_t size, const void *defaults, size_t whole)
{
  memcpy(to, defaults, size < whole ? size : whole);
}

static const sp_manager_options default_options = {.size = sizeof(sp_manager_options)};
static const sp_pool_desc default_desc = {
    .size = sizeof(sp_pool_desc),
    .settings = {.grow = SP_DEFAULT_GROW, .limit = SP_UNLIMITED, .idle_limit = SP_UNLIMITED},
    .look = {.scale = 1, .r = 1, .g = 1, .b = 1, .a = 1, .radius = 8, .visible = 1},
};

void sp_manager_options_init(sp_manager_options *options, size_t size)
{
  sp_manager_options defaults = default_options;
  defaults.size = size;
  write_defaults(options, size, &defaults, sizeof defaults);
}

void sp_pool_desc_init(sp_pool_desc *desc, size_t size)
{
  sp_pool_desc defaults = default_desc;
  defaults.size = size;
  write_defaults(desc, size, &defaults, sizeof defaults);
}

/* }== */

/* {== Reports ============================================================ */

/* Room for a number. */
typedef struct digits {
  char text[24];
} digits;

static const char *text_of(digits *d, int64_t number)
{
  char *at = d->text + sizeof d->text;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  *--at = '\0';
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0)
    *--at = '-';
  return at;
}

#define MOST_OF_PART 80 /* bytes of a name that are told */

/* Tells what these parts say; NULL ends them. A long name is cut, so that there is room for the problem. */
static void tell(sp_log *log, const char *const *parts)
{
  size_t used = 0;
  for (; *parts; parts++)
    for (const char *at = *parts; *at && at < *parts + MOST_OF_PART && used + 1 < sizeof log->last; at++)
      log->last[used++] = at < *parts + MOST_OF_PART - 3 ? *at : '.';
  log->last[used] = '\0';
  if (log->fn)
    log->fn(log->ud, log->last);
}

bool sp_check_that(const sp_checked *c, bool right, const char *field, const char *problem)
{
  digits index;
  if (right)
    return true;
  const char *const plain[] = {c->subject, ": ", field, " ", problem, NULL};
  const char *const listed[] = {c->subject, ": ",  c->list, "[",     text_of(&index, c->index),
                                "].",       field, " ",     problem, NULL};
  tell(c->log, c->list ? listed : plain);
  return false;
}

static bool is_in_range(const sp_checked *checked, const char *field, int64_t value, int64_t low, int64_t high)
{
  digits is, least, most;
  sp_log problem = {.fn = NULL};
  if (value >= low && value <= high)
    return true;
  tell(&problem, (const char *const[]){"is ", text_of(&is, value), " (", text_of(&least, low), "..",
                                       text_of(&most, high), ")", NULL});
  return sp_check_that(checked, false, field, problem.last);
}

static bool is_finite(const sp_checked *checked, const char *field, float value)
{
  return sp_check_that(checked, isfinite(value), field, "is not a finite number");
}

/* The only place where a call becomes SP_INVALID: its problem has been reported. */
static sp_result verdict(bool is_valid) { return is_valid ? SP_OK : SP_INVALID; }

sp_result sp_refuse(sp_log *log, const char *subject, const char *argument, const char *problem)
{
  return verdict(sp_check_that(&(sp_checked){log, subject, NULL, 0}, false, argument, problem));
}

sp_result sp_refuse_seconds(sp_log *log, const char *subject, const char *argument, double seconds)
{
  return sp_refuse(log, subject, argument,
                   isnan(seconds) ? "is NaN: it takes seconds from 0 up"
                   : seconds < 0  ? "is negative: it takes seconds from 0 up"
                                  : "is more than 1e11 seconds: infinity is for ever");
}

void sp_log_gone(sp_log *log, const char *type, const char *field, uint32_t live)
{
  digits count;
  tell(log, (const char *const[]){type, ": field ", field, " is gone: its value is dropped in ", text_of(&count, live),
                                  " live objects", NULL});
}

/* }== */

/* {== Checks ============================================================= */

static bool options_are_valid(const sp_checked *c, const sp_manager_options *o)
{
  bool step = o->step == 0 || (o->step >= 1e-6 && o->step <= 1e3);
  return sp_check_that(c, step, "step", "is out of range (1e-6..1e3, or 0)") &&
         sp_check_that(c, o->id <= SP_MAX_MANAGERS, "id", "is out of range (1..4095, or 0)") &&
         sp_check_that(c, !o->host.size == !o->host.write, "host.write", o->host.write ? "needs host.size" : "is NULL");
}

/* Returns whether a program was compiled with this struct, or with an older and shorter one. */
static bool size_is_known(const sp_checked *c, size_t size, size_t whole)
{
  return sp_check_that(c, size != 0, "size", "is 0: make it by the function that has the defaults") &&
         sp_check_that(c, size <= whole, "size", "is that of a newer header than the library");
}

sp_result sp_options_take(sp_log *log, const sp_manager_options *given, sp_manager_options *o)
{
  const sp_checked c = {log, "sp_manager_options", NULL, 0};
  const size_t log_end = offsetof(sp_manager_options, log_ud) + sizeof given->log_ud;
  *o = default_options;
  *log = (sp_log){.fn = NULL};
  if (!given)
    return SP_OK;
  if (given->size >= log_end)
    *log = (sp_log){given->on_log, given->log_ud, ""};
  if (!size_is_known(&c, given->size, sizeof *o))
    return verdict(false);
  memcpy(o, given, given->size);
  o->size = sizeof *o;
  return verdict(options_are_valid(&c, o));
}

static bool settings_are_valid(const sp_checked *c, const sp_settings *s)
{
  return is_in_range(c, "settings.prealloc", s->prealloc, 0, SP_MAX_SLOTS) &&
         is_in_range(c, "settings.grow", s->grow, 1, UINT32_MAX) &&
         is_in_range(c, "settings.overflow", (int64_t)s->overflow, 0, SP_OVERFLOW_COUNT - 1) &&
         is_in_range(c, "settings.order", (int64_t)s->order, 0, SP_ORDER_COUNT - 1);
}

sp_result sp_settings_check(sp_log *log, const char *type, const sp_settings *settings, uint32_t prealloc)
{
  const sp_checked c = {log, type, NULL, 0};
  return verdict(sp_check_that(&c, settings != NULL, "settings", "is NULL") && settings_are_valid(&c, settings) &&
                 sp_check_that(&c, settings->prealloc <= settings->limit || settings->prealloc == prealloc,
                               "settings.prealloc", "is above settings.limit"));
}

static bool name_is_new(const sp_pool_desc *desc, int field)
{
  for (int i = 0; i < field; i++)
    if (strcmp(desc->fields[i].name, desc->fields[field].name) == 0)
      return false;
  return true;
}

/* Members lie in their field, and apart from each other. */
static bool members_are_valid(const sp_checked *c, const sp_field *field)
{
  bool taken[256] = {false};
  if (!is_in_range(c, "member_count", field->member_count, 0, SP_MAX_MEMBERS) ||
      !sp_check_that(c, field->members || field->member_count == 0, "members", "is NULL") ||
      !sp_check_that(c, !field->ref || field->member_count == 0, "ref", "is for a field without members"))
    return false;
  for (int i = 0; i < field->member_count; i++) {
    const sp_field_member *member = &field->members[i];
    digits index;
    sp_log name = {.fn = NULL};
    tell(&name, (const char *const[]){"members[", text_of(&index, i), "]", NULL});
    if (!is_in_range(c, name.last, (int64_t)member->type, 0, SP_TYPE_COUNT - 1))
      return false;
    const uint32_t size = sp_type_size(member->type) * (member->count ? member->count : 1u);
    if (!sp_check_that(c, member->offset + size <= field->size, name.last, "does not lie within the field's size"))
      return false;
    for (uint32_t at = member->offset; at < member->offset + size; at++) {
      if (!sp_check_that(c, !taken[at], name.last, "overlaps another member"))
        return false;
      taken[at] = true;
    }
  }
  return true;
}

static bool fields_are_valid(const sp_checked *c, const sp_pool_desc *desc)
{
  if (!is_in_range(c, "field_count", desc->field_count, 0, SP_MAX_FIELDS) ||
      !sp_check_that(c, desc->fields || desc->field_count == 0, "fields", "is NULL"))
    return false;
  for (int i = 0; i < desc->field_count; i++) {
    const sp_field *field = &desc->fields[i];
    const sp_checked f = {c->log, c->subject, "fields", i};
    if (!sp_check_that(&f, field->name != NULL, "name", "is NULL") ||
        !sp_check_that(&f, field->name[0] != '\0', "name", "is empty") ||
        !sp_check_that(&f, name_is_new(desc, i), "name", "is that of another field") ||
        !is_in_range(&f, "size", field->size, 1, 256) ||
        !sp_check_that(&f, !field->ref || field->size == sizeof(sp_ref), "size", "is not that of a reference") ||
        !members_are_valid(&f, field))
      return false;
  }
  return true;
}

static bool motion_is_valid(const sp_checked *c, const sp_motion *motion)
{
  return is_finite(c, "motion.gravity", motion->gravity) && is_finite(c, "motion.drag", motion->drag) &&
         sp_check_that(c, motion->drag >= 0, "motion.drag", "is negative");
}

static bool bounds_are_valid(const sp_checked *c, const sp_bounds *b)
{
  if (!is_in_range(c, "bounds.outside", (int64_t)b->outside, 0, SP_OUTSIDE_COUNT - 1))
    return false;
  return b->outside == SP_OUTSIDE_IGNORE ||
         (is_finite(c, "bounds.x", b->x) && is_finite(c, "bounds.y", b->y) && is_finite(c, "bounds.w", b->w) &&
          is_finite(c, "bounds.h", b->h) && sp_check_that(c, b->w > 0, "bounds.w", "is not positive") &&
          sp_check_that(c, b->h > 0, "bounds.h", "is not positive"));
}

static bool box_is_valid(const sp_checked *c, const sp_pool_desc *desc)
{
  const sp_box *b = &desc->box;
  return (b->w == 0 && b->h == 0) ||
         (sp_check_that(c, desc->spatial, "box", "needs a spatial pool") && is_finite(c, "box.w", b->w) &&
          is_finite(c, "box.h", b->h) && sp_check_that(c, b->w > 0, "box.w", "is not positive") &&
          sp_check_that(c, b->h > 0, "box.h", "is not positive"));
}

static bool is_own_float(const sp_pool_desc *desc, int column)
{
  return column >= SP_FIELDS && column - SP_FIELDS < desc->field_count &&
         desc->fields[column - SP_FIELDS].size == sizeof(float);
}

static bool curve_is_valid(const sp_checked *c, const sp_pool_desc *desc, const sp_curve *curve)
{
  bool own = is_own_float(desc, curve->column);
  bool look = curve->column == SP_LOOK && curve->offset % sizeof(float) == 0 &&
              curve->offset + sizeof(float) <= offsetof(sp_look, layer);
  if ((!own && !is_in_range(c, "column", curve->column, SP_X, SP_LOOK)) ||
      !sp_check_that(c, look || (curve->column != SP_LOOK && curve->offset == 0), "offset", "is not that of a float") ||
      !is_in_range(c, "count", curve->count, 2, SP_MAX_POINTS))
    return false;
  for (int i = 0; i < curve->count; i++)
    if (!is_finite(c, "points", curve->points[i]))
      return false;
  return true;
}

static bool curves_are_valid(const sp_checked *c, const sp_pool_desc *desc)
{
  if (!is_in_range(c, "curve_count", desc->curve_count, 0, SP_MAX_CURVES) ||
      !sp_check_that(c, desc->curves || desc->curve_count == 0, "curves", "is NULL") ||
      !sp_check_that(c, desc->spatial || desc->curve_count == 0, "curves", "need a spatial pool"))
    return false;
  for (int i = 0; i < desc->curve_count; i++)
    if (!curve_is_valid(&(sp_checked){c->log, c->subject, "curves", i}, desc, &desc->curves[i]))
      return false;
  return true;
}

static bool first_values_are_valid(const sp_checked *c, const sp_pool_desc *desc)
{
  static const char *const names[] = {"x",    "y",          "vx",     "vy",     "ax",     "ay",     "angle",
                                      "spin", "look.scale", "look.r", "look.g", "look.b", "look.a", "look.radius"};
  const float values[] = {desc->x,      desc->y,      desc->vx,     desc->vy,         desc->ax,
                          desc->ay,     desc->angle,  desc->spin,   desc->look.scale, desc->look.r,
                          desc->look.g, desc->look.b, desc->look.a, desc->look.radius};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (!is_finite(c, names[i], values[i]))
      return false;
  return true;
}

static bool desc_is_valid(const sp_checked *c, const sp_pool_desc *desc)
{
  return settings_are_valid(c, &desc->settings) && first_values_are_valid(c, desc) && fields_are_valid(c, desc) &&
         motion_is_valid(c, &desc->motion) && bounds_are_valid(c, &desc->bounds) && box_is_valid(c, desc) &&
         curves_are_valid(c, desc) &&
         is_in_range(c, "on_parent_end", (int64_t)desc->on_parent_end, 0, SP_PARENT_END_COUNT - 1);
}

sp_result sp_desc_take(sp_log *log, const sp_pool_desc *given, sp_pool_desc *desc)
{
  const sp_checked c = {log, "sp_pool_desc", NULL, 0};
  *desc = default_desc;
  if (!sp_check_that(&c, given != NULL, "the pointer", "is NULL") || !size_is_known(&c, given->size, sizeof *desc))
    return verdict(false);
  memcpy(desc, given, given->size);
  desc->size = sizeof *desc;
  return verdict(sp_check_that(&c, desc->type != NULL, "type", "is NULL") &&
                 sp_check_that(&c, desc->type[0] != '\0', "type", "is empty") &&
                 desc_is_valid(&(sp_checked){log, desc->type, NULL, 0}, desc));
}

/* }== */
