/*
** The model's snapshots: a copy of it.
*/
#include "support/core_model.h"

#include <string.h>

static struct {
  bool is_taken;
  model model; /* but for the tape */
} then;

void model_forget_snapshot(void) { then.is_taken = false; }

/* A pool has today's shape with the objects and the position of then, as if it had been redefined just now, without
   hooks. */
static void restore_pool(const model *m, model_pool *p, const model_pool *old)
{
  const pool_shape now = p->shape;
  *p = *old;
  p->shape = now;
  for (model_object *object = p->objects; object < p->objects + p->used; object++)
    if (object->number && now.live && object->value == old->shape.start)
      object->value = now.start;
  while (p->idle_count > now.settings.idle_limit)
    model_unmake(m, p, model_pop_idle(p));
}

static void restore(model *m)
{
  const int queries = m->queries;
  const uint64_t ages = m->ages;
  model_pool now[POOLS];
  memcpy(now, m->pools, sizeof now);
  memcpy(m, &then.model, offsetof(model, where));
  for (int i = 0; i < POOLS; i++) {
    restore_pool(m, &now[i], &then.model.pools[i]);
    m->pools[i] = now[i];
  }
  m->queries = queries;
  m->ages = ages;
}

answer model_snapshot(model *m, const op *o)
{
  if (o->kind == OP_RESTORE && !then.is_taken)
    return (answer){.result = SP_NONE};
  if (m->busy > 0)
    return (answer){.result = SP_BUSY};
  if (o->kind == OP_SNAPSHOT)
    memcpy(&then.model, m, offsetof(model, where));
  if (o->kind == OP_SNAPSHOT)
    then.is_taken = true;
  if (o->kind == OP_RESTORE)
    restore(m);
  return (answer){.result = SP_OK};
}
