/*
** The calls by name, and a game written down as it is played, in the words of player.lua: what hooks do stands indented
** under the call that they run in. A line is written before its call is made, so that the last line is the one that
** went wrong.
*/
#include "model/model.h"

#include <math.h>
#include <string.h>

/* P, Q pools; O, S objects; T, U times; B `pinned`; D a shape; A the shapes of all pools; the others are numbers. */
static const struct {
  const char *name, *arguments;
} ops[OP_COUNT] = {
#define NAME(kind, name, arguments, ...) {name, arguments},
    MODEL_CALLS(NAME)
#undef NAME
};

const char *model_op_name(op_kind kind) { return ops[kind].name; }
bool model_op_has(op_kind kind, const char *letters) { return strpbrk(ops[kind].arguments, letters) != NULL; }

static const char *const hook_names[] = {"create",    "spawn",   "recycle",  "despawn", "end",
                                         "reject",    "destroy", "overflow", "update",  "timer",
                                         "timer_end", "within",  "overlaps", "alloc",   "walk"};

const char *model_hook_name(hook_kind hook) { return hook_names[hook]; }

static void say_object(FILE *f, sp_ref it)
{
  const unsigned slot = (unsigned)it & (SP_MAX_SLOTS - 1), id = (unsigned)(it >> 24) & 255;
  fprintf(f, it ? "ref(%u, %u, %u)" : "nil", slot, (unsigned)(it >> 32), id);
}

/* With a point, for a zero may be negative. */
static void say_shape(FILE *f, const pool_shape *it)
{
  const sp_settings *s = &it->settings;
  const sp_bounds *b = &it->bounds;
  fprintf(f, "{prealloc = %u, grow = %u, limit = %u, idle_limit = %u, overflow = %u, order = %u, ", s->prealloc,
          s->grow, s->limit, s->idle_limit, s->overflow, s->order);
  fprintf(f, "value = %.2f, live = %d, keeps = %d, flipped = %d, extra = %u, fades = %d, detaches = %d, ", it->start,
          it->live, it->keeps, it->flipped, it->extra, it->fades, it->detaches);
  fprintf(f, "outside = %u, x = %.2f, y = %.2f, w = %.2f, h = %.2f, box_w = %.2f, box_h = %.2f, ", b->outside,
          (double)b->x, (double)b->y, (double)b->w, (double)b->h, (double)it->box.w, (double)it->box.h);
  fprintf(f, "gravity = %.2f, drag = %.2f, face_velocity = %d, hooks = %u", (double)it->motion.gravity,
          (double)it->motion.drag, it->motion.face_velocity, it->hooks);
  for (int i = SP_X; i < SP_LOOK; i++)
    fprintf(f, ", %.2f", (double)it->begin[i]);
  fputc('}', f);
}

static long long number_of(const op *o, char what)
{
  return what == 'P'   ? o->pool
         : what == 'Q' ? o->other
         : what == 'C' ? (long long)o->count
         : what == 'V' ? o->value
         : what == 'M' ? o->value % 4
         : what == 'X' ? o->value % 100
         : what == 'W' ? o->pick % 2
                       : (long long)o->timer;
}

static void say_argument(FILE *f, const op *o, char what)
{
  const double seconds = model_seconds(o, what == 'U' ? o->period : o->time);
  if (what == 'O' || what == 'S')
    say_object(f, what == 'O' ? o->object : o->second);
  else if (what == 'T' || what == 'U')
    fprintf(f, isinf(seconds) ? "1 / 0" : "%.17g", seconds);
  else if (what == 'B')
    fputs(o->pinned ? "true" : "false", f);
  else if (what == 'D' || what == 'A')
    say_shape(f, &o->shape);
  else
    fprintf(f, "%lld", number_of(o, what));
  for (int i = 1; i < POOLS && what == 'A'; i++) {
    fputs(", ", f);
    say_shape(f, &o->shapes[i - 1]);
  }
}

void say_arguments(FILE *f, const op *o)
{
  for (const char *at = ops[o->kind].arguments, *first = at; *at; at++) {
    fputs(at == first ? "" : ", ", f);
    say_argument(f, o, *at);
  }
}

void say_call(FILE *f, const op *o, int depth)
{
  fprintf(f, "%*s%s(", 4 * depth, "", model_op_name(o->kind));
  say_arguments(f, o);
  fputs(")\n", f);
  fflush(f);
}

void say_answer(FILE *f, const op *o, const answer *a, int depth)
{
  if (o->kind <= OP_TAKE && a->object) {
    fprintf(f, "%*s-> ", 4 * depth, "");
    say_object(f, a->object);
    fputc('\n', f);
  } else if (a->result != SP_OK) {
    fprintf(f, "%*s-> %s\n", 4 * depth, "", sp_result_name(a->result));
  }
}

void say_event(FILE *f, const event *e, int depth)
{
  fprintf(f, "%*s%s of %d#%u%s\n", 4 * depth + 2, "", model_hook_name(e->hook), e->pool, e->number,
          e->yes ? "" : " refuses");
}
