#include "core/description.h"

#include <math.h>
#include <string.h>

#include "core/config.h"

/* {== Zeros ============================================================== */

static uint32_t limit_of(uint32_t given) { return given == 0 ? SP_UNLIMITED : given == SP_NO_OBJECTS ? 0 : given; }

sp_settings sp_settings_resolve(const sp_settings *given)
{
  sp_settings s = *given;
  s.grow = s.grow ? s.grow : SP_DEFAULT_GROW;
  s.limit = limit_of(s.limit);
  s.idle_limit = limit_of(s.idle_limit);
  return s;
}

sp_settings sp_settings_shown(const sp_settings *resolved)
{
  sp_settings s = *resolved;
  s.limit = s.limit ? s.limit : SP_NO_OBJECTS;
  s.idle_limit = s.idle_limit ? s.idle_limit : SP_NO_OBJECTS;
  return s;
}

sp_look sp_look_resolve(const sp_look *given)
{
  const sp_look standard = SP_DEFAULT_LOOK;
  sp_look look = *given;
  if (look.exact) {
    look.exact = 0;
    return look;
  }
  if (look.r == 0 && look.g == 0 && look.b == 0)
    look.r = look.g = look.b = 1;
  look.scale = look.scale != 0 ? look.scale : standard.scale;
  look.a = look.a != 0 ? look.a : standard.a;
  look.radius = look.radius != 0 ? look.radius : standard.radius;
  look.visible = look.visible ? look.visible : standard.visible;
  return look;
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

/* Tells what these parts say; NULL ends them. */
static void tell(sp_log *log, const char *const *parts)
{
  size_t used = 0;
  for (; *parts; parts++)
    for (const char *at = *parts; *at && used + 1 < sizeof log->last; at++)
      log->last[used++] = *at;
  log->last[used] = '\0';
  if (log->fn)
    log->fn(log->ud, log->last);
}

bool sp_check_that(const sp_checked *c, bool right, const char *field, const char *problem)
{
  digits index;
  const char *const plain[] = {c->subject, ": ", field, " ", problem, NULL};
  const char *const listed[] = {c->subject, ": ",  c->list, "[",     text_of(&index, c->index),
                                "].",       field, " ",     problem, NULL};
  if (!right)
    tell(c->log, c->list ? listed : plain);
  return right;
}

static bool is_in_range(const sp_checked *checked, const char *field, int64_t value, int64_t low, int64_t high)
{
  digits is, least, most;
  sp_log problem = {.fn = NULL};
  tell(&problem, (const char *const[]){"is ", text_of(&is, value), " (", text_of(&least, low), "..",
                                       text_of(&most, high), ")", NULL});
  return sp_check_that(checked, value >= low && value <= high, field, problem.last);
}

static bool is_finite(const sp_checked *checked, const char *field, float value)
{
  return sp_check_that(checked, isfinite(value), field, "is not a finite number");
}

void sp_log_gone(sp_log *log, const char *type, const char *field, uint32_t live)
{
  digits count;
  tell(log, (const char *const[]){type, ": field ", field, " is gone: its value is dropped in ", text_of(&count, live),
                                  " live objects", NULL});
}

/* }== */

/* {== Checks ============================================================= */

bool sp_options_are_valid(sp_log *log, const sp_manager_options *o)
{
  const sp_checked c = {log, "sp_manager_options", NULL, 0};
  uint32_t last = o->last_generation ? o->last_generation : SP_LAST_GENERATION;
  bool step = o->step == 0 || (o->step >= 1e-6 && o->step <= 1e3);
  return sp_check_that(&c, step, "step", "is out of range (1e-6..1e3, or 0)") &&
         sp_check_that(&c, o->first_generation % 2 == 0, "first_generation", "is odd") &&
         sp_check_that(&c, last % 2 == 0, "last_generation", "is odd") &&
         sp_check_that(&c, o->first_generation < last, "first_generation", "is not below last_generation") &&
         sp_check_that(&c, !o->host.size == !o->host.write, "host.write",
                       o->host.write ? "needs host.size" : "is NULL");
}

bool sp_settings_are_valid(sp_log *log, const char *type, const sp_settings *s)
{
  const sp_checked c = {log, type, NULL, 0};
  return is_in_range(&c, "settings.prealloc", s->prealloc, 0, SP_MAX_SLOTS) &&
         is_in_range(&c, "settings.overflow", (int64_t)s->overflow, 0, SP_OVERFLOW_COUNT - 1) &&
         is_in_range(&c, "settings.order", (int64_t)s->order, 0, SP_ORDER_COUNT - 1);
}

static bool name_is_new(const sp_pool_desc *desc, int field)
{
  for (int i = 0; i < field; i++)
    if (strcmp(desc->fields[i].name, desc->fields[field].name) == 0)
      return false;
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
        !sp_check_that(&f, name_is_new(desc, i), "name", "is that of another field") ||
        !is_in_range(&f, "size", field->size, 1, 256) ||
        !sp_check_that(&f, !field->ref || field->size == sizeof(sp_ref), "size", "is not that of a reference"))
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
  const int field = column - SP_FIELDS;
  return field >= 0 && field < desc->field_count && desc->fields[field].size == sizeof(float);
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

bool sp_desc_is_valid(sp_log *log, const sp_pool_desc *desc)
{
  if (!desc || !desc->type)
    return sp_check_that(&(sp_checked){log, "sp_pool_desc", NULL, 0}, false, desc ? "type" : "the pointer", "is NULL");
  const sp_checked c = {log, desc->type, NULL, 0};
  return sp_settings_are_valid(log, desc->type, &desc->settings) && fields_are_valid(&c, desc) &&
         motion_is_valid(&c, &desc->motion) && bounds_are_valid(&c, &desc->bounds) && box_is_valid(&c, desc) &&
         curves_are_valid(&c, desc) &&
         is_in_range(&c, "on_parent_end", (int64_t)desc->on_parent_end, 0, SP_PARENT_END_COUNT - 1);
}

/* }== */
