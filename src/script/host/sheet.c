/*
** Sheets: the host says what they are, and asks which frames are shown.
*/
#include <stdio.h>

#include "script/host/host.h"
#include "script/state/border.h"
#include "script/state/sheets.h"
#include "script/state/sprite_names.h"

/* set(context, name, sheet) */
static int set_sheet(lua_State *L)
{
  sp_context *c = lua_touserdata(L, 1);
  lua_pushstring(L, lua_touserdata(L, 2));
  sp_set_sheet(L, c, lua_gettop(L), lua_touserdata(L, 3));
  return 0;
}

bool sp_script_set_sheet(sp_script *s, const char *sprite, const sp_sheet *sheet)
{
  lua_State *L = s->L;
  if (!lua_checkstack(L, 20))
    return false;
  lua_pushcfunction(L, set_sheet);
  lua_pushlightuserdata(L, s->context);
  lua_pushlightuserdata(L, (void *)sprite);
  lua_pushlightuserdata(L, (void *)sheet);
  bool done = lua_pcall(L, 3, 0, 0) == LUA_OK;
  lua_pop(L, !done);
  s->unanimated_count = 0;
  return done;
}

/* warn(script, sprite, number) */
static int warn(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  uint16_t sprite = (uint16_t)lua_tointeger(L, 2);
  const sp_sheet_entry *entry = sp_sheet_of(s->context, sprite);
  char line[256];
  sp_push_sprite_name(L, s->context, sprite);
  sp_push_clip_name(L, s->context, (uint32_t)lua_tointeger(L, 3));
  const char *name = lua_tostring(L, -2), *animation = lua_tostring(L, -1);
  if (entry)
    snprintf(line, sizeof line, "sprite '%.80s' has no animation '%.80s': its first frame is shown", name, animation);
  else
    snprintf(line, sizeof line, "sprite '%.80s' has no frames: sprites/%.80s.json would list them", name, name);
  sp_host_report(s, SP_REPORT_WARNING, line);
  return 0;
}

static void warn_once(sp_script *s, uint16_t sprite, uint32_t number)
{
  const uint32_t key = (uint32_t)sprite << 16 | (number & 0xffff), most = sizeof s->unanimated / sizeof *s->unanimated;
  for (uint32_t i = 0; i < s->unanimated_count; i++)
    if (s->unanimated[i] == key)
      return;
  if (s->unanimated_count == most || !lua_checkstack(s->L, 20))
    return;
  s->unanimated[s->unanimated_count++] = key;
  lua_pushcfunction(s->L, warn);
  lua_pushlightuserdata(s->L, s);
  lua_pushinteger(s->L, sprite);
  lua_pushinteger(s->L, number);
  lua_pop(s->L, lua_pcall(s->L, 3, 0, 0) != LUA_OK);
}

bool sp_script_frames(sp_script *s, sp_pool *pool, uint32_t chunk, uint16_t *frames)
{
  const sp_lua_pool *p = sp_pool_user(pool);
  if (!p || p->animated == 0)
    return false;
  const double *numbers = sp_pool_peek(pool, chunk, p->animated), *from = sp_pool_peek(pool, chunk, p->animated + 1);
  const sp_look *looks = sp_pool_peek(pool, chunk, SP_LOOK);
  const sp_clip_own own = p->clip;
  sp_slot slots[SP_CHUNK_SLOTS];
  uint32_t count = sp_pool_slots(pool, chunk * SP_CHUNK_SLOTS, SP_CHUNK_SLOTS, slots), missing = SP_CLIP_NONE;
  uint16_t without = 0; /* a sprite that lacks an animation: a warning comes last, because it may run scripts */
  bool lacks = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = (uint32_t)numbers[i];
    bool found = true;
    if (slots[i].state != SP_SLOT_LIVE)
      continue;
    if (number == SP_CLIP_NONE)
      frames[i] = (uint16_t)(from[i] >= 1 ? from[i] : 1);
    else
      frames[i] =
          sp_clip_frame(sp_sheet_of(s->context, looks[i].sprite), &own, number, slots[i].age - (float)from[i], &found);
    if (found)
      continue;
    lacks = true;
    without = looks[i].sprite;
    missing = sp_sheet_of(s->context, without) ? number : SP_CLIP_NONE;
  }
  if (lacks)
    warn_once(s, without, missing);
  return true;
}
