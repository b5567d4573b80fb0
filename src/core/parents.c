/*
** Parents and children. A child's x, y and angle are relative to its parent. The links are in tables per chunk,
** allocated on first use, so that objects without parent and children cost nothing.
*/
#include "core/parents.h"

#include "core/angle.h"
#include "core/pool_state.h"
#include "core/recycle.h"

/* Returns the links of a slot, whose chunk must have the table. */
static sp_family *family_of(const sp_manager *m, uint32_t slot)
{
  return &sp_slot_lives(m, slot)->family[slot & SP_CHUNK_MASK];
}

bool sp_parents_reserve(sp_manager *m, uint32_t slot)
{
  sp_lives *lives = sp_slot_lives(m, slot);
  if (!lives->family)
    lives->family = sp_memory_extend(&m->memory, NULL, 0, SP_CHUNK_SLOTS, sizeof *lives->family);
  return lives->family != NULL;
}

/* {== Places ============================================================= */

static float *cell_of(const sp_manager *m, uint32_t slot, int column)
{
  return sp_slot_cell(sp_slot_pool(m, slot), slot, column);
}

static sp_place own_place(const sp_manager *m, uint32_t slot)
{
  return (sp_place){*cell_of(m, slot, SP_X), *cell_of(m, slot, SP_Y), *cell_of(m, slot, SP_ANGLE)};
}

uint32_t sp_slot_world_place(const sp_manager *m, uint32_t slot, sp_place *world)
{
  sp_place place = own_place(m, slot);
  uint32_t parents = 0;
  for (sp_ref parent; (parent = sp_slot_parent(m, slot)) != SP_NULL_REF; parents++) {
    slot = sp_ref_slot(parent);
    sp_place outer = own_place(m, slot);
    float c, s, x = place.x;
    sp_turn(outer.angle, &c, &s);
    place.x = outer.x + x * c - place.y * s;
    place.y = outer.y + x * s + place.y * c;
    place.angle += outer.angle;
  }
  *world = place;
  return parents;
}

static sp_place world_place(const sp_manager *m, uint32_t slot)
{
  sp_place place;
  sp_slot_world_place(m, slot, &place);
  return place;
}

bool sp_object_world(const sp_manager *m, sp_ref object, sp_place *place)
{
  if (!sp_ref_resolves(m, object) || !sp_slot_pool(m, sp_ref_slot(object))->desc.spatial)
    return false;
  *place = world_place(m, sp_ref_slot(object));
  return true;
}

bool sp_object_box(const sp_manager *m, sp_ref object, sp_box *box)
{
  const sp_look *look = sp_object_peek(m, object, SP_LOOK);
  if (!look)
    return false;
  const sp_shape shape = sp_pool_shape(sp_object_pool(m, object));
  const float size = sp_size_of(&shape, look);
  *box = (sp_box){2 * (shape.w + shape.radius) * size, 2 * (shape.h + shape.radius) * size};
  return true;
}

/* }== */

/* {== Links ============================================================== */

static void unlink_child(sp_manager *m, uint32_t slot)
{
  sp_family *family = family_of(m, slot);
  if (family->previous)
    family_of(m, family->previous - 1)->next = family->next;
  else
    family_of(m, sp_ref_slot(family->parent))->first = family->next;
  if (family->next)
    family_of(m, family->next - 1)->previous = family->previous;
  family->parent = SP_NULL_REF;
  family->next = family->previous = 0;
}

/* Unlinks a child from its parent without moving it in the world. */
static void detach(sp_manager *m, uint32_t slot)
{
  sp_place place = world_place(m, slot);
  unlink_child(m, slot);
  sp_slot_put(sp_slot_pool(m, slot), slot, &place);
}

static void link_child(sp_manager *m, uint32_t slot, sp_ref parent)
{
  sp_family *family = family_of(m, slot), *outer = family_of(m, sp_ref_slot(parent));
  if (family->parent)
    unlink_child(m, slot);
  family->parent = parent;
  family->next = outer->first;
  family->previous = 0;
  if (outer->first)
    family_of(m, outer->first - 1)->previous = slot + 1;
  outer->first = slot + 1;
}

uint32_t sp_last_child(const sp_manager *m, uint32_t slot)
{
  uint32_t last = sp_slot_lives(m, slot)->family ? family_of(m, slot)->first : 0;
  while (last && family_of(m, last - 1)->next)
    last = family_of(m, last - 1)->next;
  return last;
}

uint32_t sp_next_child(const sp_manager *m, uint32_t at, uint32_t *root)
{
  uint32_t next = at ? sp_last_child(m, at - 1) : 0;
  while (at && !next) {
    const sp_family *family = family_of(m, at - 1);
    next = family->previous;
    at = family->parent ? sp_ref_slot(family->parent) + 1 : 0;
  }
  for (; !next && m->has_families && *root < m->slots.slot_count; ++*root)
    if (sp_slot_lives(m, *root)->family)
      next = sp_slot_parent(m, *root) ? 0 : sp_last_child(m, *root);
    else
      *root |= SP_CHUNK_MASK;
  return next;
}

bool sp_parents_link(sp_manager *m, uint32_t child, uint32_t parent)
{
  if (!sp_parents_reserve(m, child) || !sp_parents_reserve(m, parent))
    return false;
  m->has_families = true;
  sp_pool_set_parents(sp_slot_pool(m, child));
  sp_pool_set_parents(sp_slot_pool(m, parent));
  link_child(m, child, sp_ref_make(m, parent));
  return true;
}

static bool is_inside(const sp_manager *m, uint32_t slot, uint32_t outer)
{
  for (;;) {
    if (slot == outer)
      return true;
    sp_ref parent = sp_slot_parent(m, slot);
    if (!parent)
      return false;
    slot = sp_ref_slot(parent);
  }
}

static bool has_children(const sp_manager *m, uint32_t slot)
{
  return sp_slot_lives(m, slot)->family && family_of(m, slot)->first != 0;
}

sp_result sp_refuse_parent(sp_pool *p, uint32_t parent)
{
  return sp_places_check(p->desc.spatial ? sp_slot_pool(p->manager, parent) : p);
}

sp_result sp_object_set_parent(sp_manager *m, sp_ref child, sp_ref parent)
{
  sp_result known = sp_object_check(m, child);
  if (known == SP_OK && parent)
    known = sp_object_check(m, parent);
  if (known == SP_OK && m->held)
    known = SP_BUSY;
  if (known != SP_OK)
    return known;
  uint32_t slot = sp_ref_slot(child), outer = sp_ref_slot(parent);
  sp_pool *p = sp_slot_pool(m, slot);
  if (!parent) {
    if (sp_slot_parent(m, slot))
      detach(m, slot);
    return SP_OK;
  }
  if (!p->desc.spatial || !sp_slot_pool(m, outer)->desc.spatial)
    return sp_refuse_parent(p, outer);
  /* A dying object cannot get children; a spawning one can. */
  if (!sp_ref_is_live(m, parent) || !(sp_ref_is_live(m, child) || child == m->opening))
    return SP_STALE;
  if (slot == outer || (has_children(m, slot) && is_inside(m, outer, slot))) /* a chain is built in any order */
    return SP_CYCLE;
  return sp_parents_link(m, slot, outer) ? SP_OK : SP_MEMORY;
}

sp_ref sp_object_parent(const sp_manager *m, sp_ref child)
{
  return sp_ref_resolves(m, child) ? sp_slot_parent(m, sp_ref_slot(child)) : SP_NULL_REF;
}

bool sp_pool_has_parents(const sp_pool *p) { return p->has_parents; }

/* }== */

/* {== Ends =============================================================== */

/* Ends a child whose parent ends, while it is its child: hooks find both as in life. One that vetoes its end, or
   whose end is put off, goes on alone. */
static void end_orphan(sp_manager *m, uint32_t slot)
{
  if (sp_slot_is_live(m, slot))
    sp_end(m, slot, SP_WHY_PARENT, SP_END_BY_OVERRIDE);
}

void sp_parents_end(sp_pool *p, uint32_t slot)
{
  sp_manager *m = p->manager;
  if (!sp_slot_lives(m, slot)->family)
    return;
  const sp_family *family = family_of(m, slot);
  while (family->first) {
    uint32_t child = family->first - 1;
    if (sp_slot_pool(m, child)->desc.on_parent_end == SP_PARENT_END_RECYCLE)
      end_orphan(m, child);
    if (family->first == child + 1)
      detach(m, child);
  }
  if (family->parent)
    unlink_child(m, slot);
}

/* }== */
