/*
** Writes a game down as it is played: what hooks do stands indented under the call that they run in. A line is written
** before its call is made, so that the last line is the one that went wrong.
*/
#include "model/model.h"

static const char pool_names[] = "ABC";

/* "3/2" is the second life in slot 3; of another manager with its number, "3/2 of 7". */
static void say_object(FILE *f, sp_ref it)
{
  const unsigned id = (unsigned)(it >> 24) & 255;
  fprintf(f, it ? "%u/%u" : "none", (unsigned)it & (SP_MAX_SLOTS - 1), (unsigned)(it >> 33) + 1);
  if (it && id != 1)
    fprintf(f, " of %u", id);
}

static void say_shape(FILE *f, const pool_shape *it)
{
  const sp_settings *s = &it->settings;
  const sp_bounds *b = &it->bounds;
  fprintf(f, "prealloc %u, grow %u, limit %d, idle_limit %d, overflow %d, order %d; ", s->prealloc, s->grow,
          (int)s->limit, (int)s->idle_limit, (int)s->overflow, (int)s->order);
  fprintf(f, "value %g%s%s%s, extra %u, fades %d, detaches %d; ", it->start, it->live ? " live" : "",
          it->keeps ? " kept" : "", it->flipped ? " second" : "", it->extra, it->fades, it->detaches);
  fprintf(f, "bounds %g + %g, %g + %g, outside %d; gravity %g, drag %g, face_velocity %d; box %g, %g; begins",
          (double)b->x, (double)b->w, (double)b->y, (double)b->h, (int)b->outside, (double)it->motion.gravity,
          (double)it->motion.drag, it->motion.face_velocity, (double)it->box.w, (double)it->box.h);
  for (int i = SP_X; i < SP_LOOK; i++)
    fprintf(f, " %g", (double)it->begin[i]);
  fprintf(f, "; hooks");
  for (int i = 0; i < HOOK_COUNT; i++)
    if (it->hooks >> i & 1)
      fprintf(f, " %s", core_hook_name((hook_kind)i));
}

static void say_argument(FILE *f, const op *o, char what)
{
  if (what == 'P' || what == 'Q')
    fputc(pool_names[model_op_number(o, what)], f);
  else if (what == 'O' || what == 'S')
    say_object(f, what == 'O' ? o->object : o->second);
  else if (what == 'T' || what == 'U')
    fprintf(f, "%.17g s", model_op_seconds(o, what));
  else if (what == 'D' || what == 'A')
    say_shape(f, &o->shape);
  else
    fprintf(f, "%lld", what == 'B' ? o->pinned : model_op_number(o, what));
}

void say_call(FILE *f, const op *o, int depth)
{
  fprintf(f, "%*s%s", 4 * depth, "", model_op_name(o->kind));
  for (const char *at = model_op_arguments(o->kind), *first = at; *at; at++) {
    fputs(at == first ? " " : ", ", f);
    say_argument(f, o, *at);
  }
  fputc('\n', f);
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
  fprintf(f, "%*s%s of %c#%u%s\n", 4 * depth + 2, "", core_hook_name(e->hook), pool_names[e->pool], e->number,
          e->yes ? "" : " refuses");
}
