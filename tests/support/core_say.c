/*
** Writes a game down as C, as it is played: what hooks do stands indented under the call that they run in. A line is
** written before its call is made, so that the last line is the one that went wrong.
*/
#include "support/core_play.h"

#include <math.h>
#include <stdarg.h>

enum { TEXT = 400 };
static const char pool_names[] = "abc";

static void line(say *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(say *s, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(s->file, "%*s", 2 * s->depth, "");
  vfprintf(s->file, format, args);
  fputc('\n', s->file);
  fflush(s->file);
  va_end(args);
}

/* {== Pieces ============================================================= */

/* "o12", or the number of what has no name. The text is good until the fourth call after this one. */
static const char *name(const say *s, sp_ref object)
{
  static char texts[4][32];
  static int turn;
  char *text = texts[turn++ % 4];
  for (int i = s->named; i > 0 && i > s->named - NAMES; i--)
    if (object && s->names[i % NAMES] == object) {
      snprintf(text, sizeof texts[0], "o%d", i);
      return text;
    }
  snprintf(text, sizeof texts[0], "%s%llx", object ? "0x" : "", (unsigned long long)object);
  return text;
}

static const char *limit(uint32_t n)
{
  static char texts[2][24];
  static int turn;
  char *text = texts[turn++ % 2];
  snprintf(text, sizeof texts[0], n == SP_UNLIMITED ? "SP_UNLIMITED" : "%u", n);
  return text;
}

static const char *settings(const sp_settings *it)
{
  static const char *const overflows[] = {"REFUSE", "OLDEST", "GROW", "FUNCTION"};
  static char text[TEXT];
  snprintf(text, sizeof text, "(sp_settings){%u, %u, %s, %s, SP_OVERFLOW_%s, SP_ORDER_%s}", it->prealloc, it->grow,
           limit(it->limit), limit(it->idle_limit), overflows[it->overflow],
           it->order == SP_ORDER_LIFO ? "LIFO" : "FIFO");
  return text;
}

static const char *hooks(unsigned bits)
{
  static char text[TEXT];
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < HOOK_COUNT; i++)
    if (bits >> i & 1)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", model_hook_name((hook_kind)i));
  return text;
}

/* Bounds, motion, and with which values a life begins: x, y, vx, vy, ax, ay, angle, spin. */
static const char *space(const pool_shape *it)
{
  static const char *const names[] = {"ignore", "recycle", "wrap", "bounce", "clamp"};
  static char text[TEXT];
  const sp_bounds *b = &it->bounds;
  int used = snprintf(text, sizeof text, "bounds %g + %g, %g + %g %s; gravity %g, drag %g%s; begins with", (double)b->x,
                      (double)b->w, (double)b->y, (double)b->h, names[b->outside], (double)it->motion.gravity,
                      (double)it->motion.drag, it->motion.face_velocity ? ", face_velocity" : "");
  for (int i = SP_X; i < SP_LOOK; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, " %g", (double)it->begin[i]);
  return text;
}

static double seconds(int64_t units) { return units == ENDLESS ? (double)INFINITY : (double)units / 256; }

/* }== */

/* {== Calls ============================================================== */

void say_pool(say *s, int pool, const pool_shape *it)
{
  line(s, "%c = sp_add_pool(m, &desc, NULL); /* settings %s,", pool_names[pool], settings(&it->settings));
  line(s, "  value %d%s, %u bytes of extra, on_parent_end %s; %s; hooks: %s */", it->start,
       it->flipped ? " after kept" : " before kept", it->extra, it->detaches ? "detach" : "recycle", space(it),
       hooks(it->hooks));
}

static const char *written(const op *o)
{
  static char text[TEXT];
  int used = 0;
  if (MODEL_MOVES(o->value))
    used = snprintf(text, sizeof text, "x = %d, vx = %d, ", o->value % 100, o->value % 7);
  snprintf(text + used, sizeof text - (size_t)used, "column %d = %g, value = %d, kept += %d, pinned = %d",
           MODEL_WRITTEN(o->value), (double)MODEL_NUMBER(o->value), o->value, o->value % 3, o->pinned);
  return text;
}

static void say_alloc(say *s, const op *o)
{
  char pool = pool_names[o->pool];
  int it = s->named + 1;
  double t = seconds(o->time);
  switch (o->kind) {
  case OP_ALLOC:
    line(s, "o%d = sp_pool_alloc(%c, %.17g, &why);", it, pool, t);
    break;
  case OP_ALLOC_AT:
    line(s, "o%d = sp_pool_alloc_at(%c, %.17g, &(sp_place){%d, %d, %d}, &why);", it, pool, t, o->value, o->value % 50,
         o->value % 3);
    break;
  case OP_ALLOC_CELL:
    line(s, "sp_pool_alloc_cell(%c, %.17g, %s, &o%d, &why);", pool, t,
         o->count == 0  ? "SP_FIELDS + 9"
         : o->count < 6 ? "SP_FIELDS"
                        : "SP_FIELDS + 2",
         it);
    break;
  case OP_TAKE:
    line(s, "o%d = sp_pool_take(%c, sp_pool_idle_at(%c, %u), %.17g, &why);", it, pool, pool, o->count, t);
    break;
  default:
    line(s, "o%d = sp_pool_alloc_begin(%c, %.17g, &why); /* %s */", it, pool, t, written(o));
    line(s, "sp_alloc_%s(m, o%d);", o->kind == OP_COMMIT ? "commit" : "cancel", it);
  }
}

static void say_object(say *s, const op *o)
{
  const char *it = name(s, o->object);
  if (o->kind == OP_REMAIN)
    line(s, "sp_set_remaining(m, %s, %.17g);", it, seconds(o->time));
  else if (o->kind == OP_PARENT)
    line(s, "sp_set_parent(m, %s, %s);", it, name(s, o->second));
  else if (o->kind == OP_TIMER)
    line(s, "sp_timer_start(m, %s, %.17g, %.9g, &why);", it, seconds(o->time), seconds(o->period));
  else if (o->kind == OP_STOP)
    line(s, "sp_timer_stop(m, 0x%llx);", (unsigned long long)o->timer);
  else if (o->kind == OP_WRITE)
    line(s, "/* %s: %s, by sp_cell */", it, written(o));
  else
    line(s, "sp_%s(m, %s);", model_op_name(o->kind), it);
}

static void say_whole(say *s, const op *o)
{
  char pool = pool_names[o->pool];
  const char *call = model_op_name(o->kind);
  switch (o->kind) {
  case OP_PREWARM:
    line(s, "sp_pool_prewarm(%c, %u, &why);", pool, o->count);
    break;
  case OP_SLOWLY:
    line(s, "sp_pool_prewarm_slowly(%c, %u, %d, %.17g);", pool, o->count, o->value % 4, seconds(o->time));
    break;
  case OP_CONFIGURE:
    line(s, "sp_pool_configure(%c, &%s);", pool, settings(&o->shape.settings));
    break;
  case OP_HOOKS:
    line(s, "sp_pool_set_hooks(%c, &hooks); /* %s */", pool, hooks(o->shape.hooks));
    break;
  case OP_ADD:
    line(s, "sp_pool_add(%c, SP_X, 0, %d);", pool, o->value);
    break;
  case OP_WITHIN:
    line(s, "sp_pool_within(%c, %d, 0, %u, near, NULL, &why);", pool, o->value % 100, o->count);
    break;
  case OP_NEAREST:
    line(s, "sp_pool_nearest(%c, %d, 0, NULL);", pool, o->value % 100);
    break;
  case OP_OVERLAPS:
    line(s, "sp_pool_overlaps(%c, %c, pair, NULL, &why);", pool, pool_names[o->other]);
    break;
  case OP_WALK:
    line(s, "/* a walk over %c: sp_pool_walk, sp_walk_next */", pool);
    break;
  case OP_CLOCK:
    line(s, "sp_set_time_scale(m, %d), sp_set_paused(m, %d);", o->value % 4, o->pinned);
    break;
  case OP_UPDATE:
    line(s, "sp_update(m, %.17g);", seconds(o->time));
    break;
  case OP_REDEFINE:
    line(s, "sp_pool_redefine(%c, &desc); /* settings %s,", pool, settings(&o->shape.settings));
    line(s, "  value %d%s, flipped %d, %u bytes of extra; %s; hooks: %s */", o->shape.start,
         o->shape.live ? " live" : "", o->shape.flipped, o->shape.extra, space(&o->shape), hooks(o->shape.hooks));
    break;
  case OP_SNAPSHOT:
    line(s, "s = sp_snapshot_take(m, s, &why);");
    break;
  case OP_RESTORE:
    line(s, "sp_snapshot_restore(m, s);");
    break;
  case OP_SAVE:
    line(s, "/* sp_save, and sp_load into another manager, which has the same hash */");
    break;
  case OP_CLOSE:
    line(s, "sp_close(m);");
    break;
  case OP_ODD:
    line(s, "/* call %u of those that make no sense, in %c */", o->count, pool);
    break;
  default:
    line(s, "sp_pool_%s(%c);", call, pool);
  }
}

void say_call(say *s, const op *o)
{
  if (!s->file)
    return;
  if (o->kind <= OP_TAKE)
    say_alloc(s, o);
  else if (o->kind <= OP_STOP)
    say_object(s, o);
  else
    say_whole(s, o);
  s->depth++;
}

/* An alloc that was refused has no object: its name is used again. */
void say_answer(say *s, const op *o, const answer *a)
{
  if (!s->file)
    return;
  s->depth--;
  if (o->kind <= OP_TAKE && a->object) {
    s->names[++s->named % NAMES] = a->object;
    line(s, "/* o%d is slot %u, life %u */", s->named, (unsigned)a->object & (SP_MAX_SLOTS - 1),
         (unsigned)(a->object >> 33) + 1);
  } else if (a->result != SP_OK) {
    line(s, "/* %s */", sp_result_name(a->result));
  }
}

void say_event(say *s, const event *e)
{
  if (!s->file)
    return;
  line(s, "/* %s of %c#%u%s */", model_hook_name(e->hook), pool_names[e->pool], e->number,
       e->hook == HOOK_SPAWN && !e->yes     ? " returns false"
       : e->hook == HOOK_RECYCLE && !e->yes ? " keeps it"
                                            : "");
}

/* }== */
