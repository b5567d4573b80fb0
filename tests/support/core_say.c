/*
** Writes a game down as C, as it is played: what hooks do stands indented under the call that they run in. A line is
** written before its call is made, so that the last line is the one that went wrong.
*/
#include "support/core_play.h"

#include <ctype.h>
#include <math.h>

static const char pool_names[] = "abc";

/* {== Pieces ============================================================= */

/* "o12", or the number of what has no name. */
static void object(const say *s, sp_ref it)
{
  for (int i = s->named; it && i > 0 && i > s->named - NAMES; i--)
    if (s->names[i % NAMES] == it) {
      fprintf(s->file, "o%d", i);
      return;
    }
  fprintf(s->file, "%s%llx", it ? "0x" : "", (unsigned long long)it);
}

static void settings(FILE *f, const sp_settings *it)
{
  static const char *const overflows[] = {"REFUSE", "OLDEST", "GROW", "FUNCTION"};
  fprintf(f, "(sp_settings){%u, %u, ", it->prealloc, it->grow);
  fprintf(f, it->limit == SP_UNLIMITED ? "SP_UNLIMITED, " : "%u, ", it->limit);
  fprintf(f, it->idle_limit == SP_UNLIMITED ? "SP_UNLIMITED, " : "%u, ", it->idle_limit);
  fprintf(f, "SP_OVERFLOW_%s, SP_ORDER_%s}", overflows[it->overflow], it->order == SP_ORDER_LIFO ? "LIFO" : "FIFO");
}

static void hooks(FILE *f, unsigned bits)
{
  for (int i = 0; i < HOOK_COUNT; i++)
    if (bits >> i & 1)
      fprintf(f, " %s", core_hook_name((hook_kind)i));
}

/* `begin` has x, y, vx, vy, ax, ay, angle and spin. */
static void shape(FILE *f, const pool_shape *it)
{
  static const char *const names[] = {"ignore", "recycle", "wrap", "bounce", "clamp"};
  const sp_bounds *b = &it->bounds;
  fprintf(f, "settings ");
  settings(f, &it->settings);
  fprintf(f, ", value %d%s%s, %u bytes of extra, on_parent_end %s; ", it->start, it->live ? " live" : "",
          it->flipped ? " after kept" : "", it->extra, it->detaches ? "detach" : "recycle");
  fprintf(f, "bounds %g + %g, %g + %g %s; gravity %g, drag %g%s%s; begins with", (double)b->x, (double)b->w,
          (double)b->y, (double)b->h, names[b->outside], (double)it->motion.gravity, (double)it->motion.drag,
          it->motion.face_velocity ? ", face_velocity" : "", it->fades ? ", fades" : "");
  for (int i = SP_X; i < SP_LOOK; i++)
    fprintf(f, " %g", (double)it->begin[i]);
  fprintf(f, "; hooks:");
  hooks(f, it->hooks);
}

static void written(FILE *f, const op *o)
{
  if (MODEL_MOVES(o->value))
    fprintf(f, "x = %d, vx = %d, ", o->value % 100, o->value % 7);
  fprintf(f, "column %d = %g, value = %d, kept += %d, pinned = %d", MODEL_WRITTEN(o->value),
          (double)MODEL_NUMBER(o->value), o->value, o->value % 3, o->pinned);
}

static double seconds(int64_t units) { return units == ENDLESS ? (double)INFINITY : (double)units / 256; }

/* }== */

/* {== Calls ============================================================== */

/* A capital letter that stands alone is a piece of the call: see `piece`. */
static const char *const texts[] = {
    [OP_ALLOC] = "N = sp_pool_alloc(P, T, &why);",
    [OP_ALLOC_AT] = "N = sp_pool_alloc_at(P, T, &(sp_place){V, V % 50, V % 3}, &why);",
    [OP_ALLOC_CELL] = "sp_pool_alloc_cell(P, T, L, &N, &why);",
    [OP_COMMIT] = "N = sp_pool_alloc_begin(P, T, &why), sp_alloc_commit(m, N); /* between them W */",
    [OP_CANCEL] = "N = sp_pool_alloc_begin(P, T, &why), sp_alloc_cancel(m, N); /* between them W */",
    [OP_TAKE] = "N = sp_pool_take(P, sp_pool_idle_at(P, C), T, &why);",
    [OP_RECYCLE] = "sp_recycle(m, O);",
    [OP_BASE] = "sp_recycle_base(m, O);",
    [OP_UNDO] = "sp_alloc_undo(m, O);",
    [OP_REMAIN] = "sp_set_remaining(m, O, T);",
    [OP_WRITE] = "/* O: W, by sp_cell */",
    [OP_CHECK] = "sp_check(m, O);",
    [OP_PARENT] = "sp_set_parent(m, O, S);",
    [OP_TIMER] = "sp_timer_start(m, O, T, U, &why);",
    [OP_STOP] = "sp_timer_stop(m, I);",
    [OP_PREWARM] = "sp_pool_prewarm(P, C, &why);",
    [OP_SLOWLY] = "sp_pool_prewarm_slowly(P, C, V % 4, T);",
    [OP_RECYCLE_ALL] = "sp_pool_recycle_all(P);",
    [OP_CLEAR] = "sp_pool_clear(P);",
    [OP_TRIM] = "sp_pool_trim(P);",
    [OP_CONFIGURE] = "sp_pool_configure(P, &G);",
    [OP_HOOKS] = "sp_pool_set_hooks(P, &hooks); /*H */",
    [OP_REDEFINE] = "sp_pool_redefine(P, &desc); /* D */",
    [OP_ADD] = "sp_pool_add(P, SP_X, 0, V);",
    [OP_WITHIN] = "sp_pool_within(P, V % 100, 0, C, near, NULL, &why);",
    [OP_NEAREST] = "sp_pool_nearest(P, V % 100, 0, NULL);",
    [OP_OVERLAPS] = "sp_pool_overlaps(P, Q, pair, NULL, &why);",
    [OP_WALK] = "/* a walk over P: sp_pool_walk, sp_walk_next */",
    [OP_CLOCK] = "sp_set_time_scale(m, V % 4), sp_set_paused(m, B);",
    [OP_UPDATE] = "sp_update(m, T);",
    [OP_SNAPSHOT] = "s = sp_snapshot_take(m, s, &why);",
    [OP_RESTORE] = "sp_snapshot_restore(m, s);",
    [OP_SAVE] = "/* sp_save, and sp_load into another manager, which has the same hash */",
    [OP_REMOVE] = "sp_pool_remove(P, NULL, NULL);",
    [OP_CLOSE] = "sp_close(m);",
};

static void piece(const say *s, const op *o, char what)
{
  FILE *f = s->file;
  switch (what) {
  case 'P':
  case 'Q':
    fputc(pool_names[what == 'P' ? o->pool : o->other], f);
    break;
  case 'N':
    fprintf(f, "o%d", s->named + 1);
    break;
  case 'O':
  case 'S':
    object(s, what == 'O' ? o->object : o->second);
    break;
  case 'T':
  case 'U':
    fprintf(f, "%.17g", seconds(what == 'T' ? o->time : o->period));
    break;
  case 'L':
    fprintf(f, "SP_FIELDS + %d", MODEL_COLUMN(o->count) - SP_FIELDS);
    break;
  case 'I':
    fprintf(f, "0x%llx", (unsigned long long)o->timer);
    break;
  case 'C':
    fprintf(f, "%u", o->count);
    break;
  case 'V':
  case 'B':
    fprintf(f, "%d", what == 'V' ? o->value : o->pinned);
    break;
  case 'W':
    written(f, o);
    break;
  case 'G':
    settings(f, &o->shape.settings);
    break;
  case 'H':
    hooks(f, o->shape.hooks);
    break;
  default:
    shape(f, &o->shape);
  }
}

static bool is_part(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void line(const say *s, const op *o, const char *text)
{
  fprintf(s->file, "%*s", 2 * s->depth, "");
  for (const char *at = text; *at; at++)
    if (isupper((unsigned char)*at) && !is_part(at[1]) && (at == text || !is_part(at[-1])))
      piece(s, o, *at);
    else
      fputc(*at, s->file);
  fputc('\n', s->file);
  fflush(s->file);
}

void say_pool(say *s, int pool, const pool_shape *it)
{
  line(s, &(op){.pool = pool, .shape = *it}, "P = sp_add_pool(m, &desc, NULL); /* D */");
}

void say_call(say *s, const op *o)
{
  if (!s->file)
    return;
  line(s, o, texts[o->kind]);
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
    fprintf(s->file, "%*s/* o%d is slot %u, life %u */\n", 2 * s->depth, "", s->named,
            (unsigned)a->object & (SP_MAX_SLOTS - 1), (unsigned)(a->object >> 33) + 1);
  } else if (a->result != SP_OK) {
    fprintf(s->file, "%*s/* %s */\n", 2 * s->depth, "", sp_result_name(a->result));
  }
}

void say_event(say *s, const event *e)
{
  if (!s->file)
    return;
  const char *end = e->yes ? "" : e->hook == HOOK_SPAWN ? " returns false" : " keeps it";
  fprintf(s->file, "%*s/* %s of %c#%u%s */\n", 2 * s->depth, "", core_hook_name(e->hook), pool_names[e->pool],
          e->number, end);
}

/* }== */
