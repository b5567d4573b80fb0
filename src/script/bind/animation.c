#include "script/bind/animation.h"

#include <string.h>

#include "script/state/arguments.h"
#include "script/state/sprites.h"

#include "script/state/careful.h"

/* Returns the cell with the animation's number, or the one after it: when it began, or which frame stays. */
static double *cell(const sp_lua_pool *p, uint32_t slot, int beside)
{
  const sp_column_layout *column = &sp_view_of(p->core)->columns[p->animated + beside];
  return sp_cell_at(p->manager->core, column, slot, sizeof(double));
}

static const sp_sheet_entry *sheet_at(const sp_lua_pool *p, uint32_t slot)
{
  const sp_look *look = sp_cell_at(p->manager->core, &sp_view_of(p->core)->columns[SP_LOOK], slot, sizeof(sp_look));
  return sp_sheet_of(p->manager->context, look->sprite);
}

static double age_at(const sp_lua_pool *p, uint32_t slot)
{
  return sp_age(p->manager->core, sp_ref_make(p->manager->core, slot));
}

uint16_t sp_object_frame(const sp_lua_pool *p, uint32_t slot)
{
  uint32_t number = (uint32_t)*cell(p, slot, 0);
  double from = *cell(p, slot, 1);
  bool found;
  if (number == SP_CLIP_NONE)
    return (uint16_t)(from >= 1 ? from : 1);
  return sp_clip_frame(sheet_at(p, slot), &p->clip, number, (float)(age_at(p, slot) - from), &found);
}

static void write(sp_lua_pool *p, uint32_t slot, uint32_t number, double from)
{
  *cell(p, slot, 0) = number;
  *cell(p, slot, 1) = from;
  const sp_column_layout *columns = sp_view_of(p->core)->columns + p->animated;
  sp_mark_written(p->core, columns[0].written | columns[1].written);
}

/* An animation that is running already goes on, so a game may set it in every frame. */
const char *sp_object_animate(lua_State *L, sp_lua_pool *p, uint32_t slot, int index)
{
  uint32_t now = (uint32_t)*cell(p, slot, 0), number = SP_CLIP_NONE;
  if (lua_isnil(L, index)) {
    write(p, slot, SP_CLIP_NONE, sp_object_frame(p, slot));
    return NULL;
  }
  if (lua_type(L, index) != LUA_TSTRING)
    return "must be the name of an animation or nil";
  const uint64_t id = p->id;
  const sp_context *c = p->manager->context;
  number = strcmp(lua_tostring(L, index), "default") == 0 ? SP_CLIP_OWN : sp_clip_number(L, p->manager->context, index);
  p = sp_pool_again(c, id);
  if (p && number != now)
    write(p, slot, number, age_at(p, slot));
  return NULL;
}

/* The animation goes on from that frame, if it has it; else the frame stays. */
const char *sp_object_set_frame(lua_State *L, sp_lua_pool *p, uint32_t slot, int index)
{
  int exact = 0;
  lua_Integer frame = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &exact) : 0;
  if (!exact || frame < 1 || frame > UINT16_MAX)
    return SP_NO_FRAME;
  uint32_t number = (uint32_t)*cell(p, slot, 0);
  float begin = sp_clip_time(sheet_at(p, slot), &p->clip, number, (uint16_t)frame);
  if (number != SP_CLIP_NONE && begin >= 0)
    write(p, slot, number, age_at(p, slot) - (double)begin);
  else
    write(p, slot, SP_CLIP_NONE, (double)frame);
  return NULL;
}
