#include "core/load_pool.h"

#include "core/facts.h"

/* Memory of a description while it is read. */
typedef struct pool_text {
  char type[SP_SAVE_NAME_MOST];
  char names[SP_MAX_FIELDS][SP_SAVE_NAME_MOST];
  unsigned char initial[SP_MAX_FIELDS][256];
  sp_field fields[SP_MAX_FIELDS];
  sp_curve curves[SP_MAX_CURVES];
} pool_text;

void sp_load_look(sp_reader *r, sp_look *look)
{
  *look = (sp_look){0};
  look->scale = sp_read_float(r);
  look->r = sp_read_float(r);
  look->g = sp_read_float(r);
  look->b = sp_read_float(r);
  look->a = sp_read_float(r);
  look->radius = sp_read_float(r);
  look->layer = (int16_t)sp_read_number(r, 2);
  look->sprite = (uint16_t)sp_read_number(r, 2);
  look->visible = (uint8_t)sp_read_number(r, 1);
  look->pinned = (uint8_t)sp_read_number(r, 1);
}

static void read_places(sp_reader *r, sp_pool_desc *desc)
{
  float *const floats[] = {&desc->x, &desc->y, &desc->vx, &desc->vy, &desc->ax, &desc->ay, &desc->angle, &desc->spin};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    *floats[i] = sp_read_float(r);
  sp_load_look(r, &desc->look);
  desc->look.exact = 1;
}

static void read_fields(sp_reader *r, sp_pool_desc *desc, pool_text *text)
{
  desc->spatial = sp_read_number(r, 1) == 1;
  uint32_t count = (uint32_t)sp_read_number(r, 1);
  if (!sp_read_expect(r, count <= SP_MAX_FIELDS))
    return;
  desc->fields = text->fields;
  desc->field_count = (int)count;
  for (uint32_t i = 0; i < count; i++) {
    sp_read_text(r, text->names[i], SP_SAVE_NAME_MOST);
    uint16_t size = (uint16_t)sp_read_number(r, 2);
    bool keep = sp_read_number(r, 1) == 1, live = sp_read_number(r, 1) == 1, ref = sp_read_number(r, 1) == 1;
    if (!sp_read_expect(r, size >= 1 && size <= 256))
      return;
    text->fields[i] = (sp_field){text->names[i], text->initial[i], size, keep, live, ref};
  }
  if (desc->spatial)
    read_places(r, desc);
  for (uint32_t i = 0; i < count; i++)
    sp_read_cell(r, text->initial[i], text->fields[i].size);
}

static void read_settings(sp_reader *r, sp_settings *s)
{
  uint32_t *const counts[] = {&s->prealloc, &s->grow, &s->limit, &s->idle_limit};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    *counts[i] = (uint32_t)sp_read_number(r, 4);
  s->overflow = (sp_overflow)sp_read_number(r, 1);
  s->order = (sp_order)sp_read_number(r, 1);
}

/* Returns the number of curves. */
static int read_curves(sp_reader *r, sp_curve *curves)
{
  uint32_t count = (uint32_t)sp_read_number(r, 1);
  if (!sp_read_expect(r, count <= SP_MAX_CURVES))
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    curves[i].column = (int)sp_read_number(r, 1);
    curves[i].offset = (uint16_t)sp_read_number(r, 2);
    curves[i].count = (uint16_t)sp_read_number(r, 1);
    for (int k = 0; k < SP_MAX_POINTS; k++)
      curves[i].points[k] = sp_read_float(r);
  }
  return (int)count;
}

static void read_behaviour(sp_reader *r, sp_pool_desc *desc)
{
  float *const floats[] = {&desc->motion.gravity, &desc->motion.drag, &desc->bounds.x,
                           &desc->bounds.y,       &desc->bounds.w,    &desc->bounds.h};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    *floats[i] = sp_read_float(r);
  desc->motion.face_velocity = sp_read_number(r, 1) == 1;
  desc->bounds.outside = (sp_outside)sp_read_number(r, 1);
  desc->on_parent_end = (sp_parent_end)sp_read_number(r, 1);
}

/* `created` is compared with the number of objects when all have been read. */
static void read_counts(sp_reader *r, sp_pool *p)
{
  uint64_t *const counts[] = {&p->recycles, &p->expired,    &p->refused,         &p->evicted,
                              &p->vetoed,   &p->stale_uses, &p->double_recycles, &p->created};
  sp_pool_past past = {0};
  uint32_t *const small[] = {&p->next_number,   &past.peak, &p->retired,  &p->prewarm_wanted,
                             &p->prewarm_slice, &p->warmed, &p->warm_goal};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    *counts[i] = sp_read_number(r, 8);
  for (size_t i = 0; i < sizeof small / sizeof *small; i++)
    *small[i] = (uint32_t)sp_read_number(r, 4);
  past.dirty = (sp_read_number(r, 8) | p->layout.restless) & p->layout.all & ~p->layout.kept;
  past.peak_time = sp_read_double(r);
  p->prewarm_from = sp_read_double(r);
  sp_pool_set_past(p, &past);
  sp_read_expect(r, p->prewarm_wanted <= SP_MAX_SLOTS && p->next_number <= SP_MAX_SLOTS);
  sp_read_expect(r, p->expired <= p->recycles && p->evicted <= p->recycles - p->expired);
}

static void read_pool(sp_loader *l, pool_text *text)
{
  sp_reader *r = &l->r;
  sp_pool_desc desc = {.type = text->type};
  sp_result why = SP_OK;
  sp_read_text(r, text->type, sizeof text->type);
  read_fields(r, &desc, text);
  read_settings(r, &desc.settings);
  read_behaviour(r, &desc);
  desc.curves = text->curves;
  desc.curve_count = read_curves(r, text->curves);
  uint32_t prealloc = desc.settings.prealloc;
  desc.settings.prealloc = 0;
  if (!sp_read_expect(r, prealloc <= SP_MAX_SLOTS))
    return;
  sp_pool *p = sp_add_pool(l->m, &desc, &why);
  if (!p) {
    sp_load_remember(l, why != SP_MEMORY);
    sp_read_expect(r, false);
    return;
  }
  sp_settings settings = p->settings;
  settings.prealloc = prealloc;
  sp_pool_set_settings(p, &settings, NULL);
  read_counts(r, p);
}

void sp_load_pools(sp_loader *l)
{
  pool_text text;
  for (uint32_t i = 0; i < l->pool_count && !l->r.failed; i++)
    read_pool(l, &text);
}
