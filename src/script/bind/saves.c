#include "script/bind/saves.h"

#include <string.h>

#include "script/bind/reachable.h"
#include "script/bind/snapshots.h"
#include "script/state/arguments.h"
#include "script/state/sprite_names.h"

#include "script/state/careful.h"

/* {== Functions of the library =========================================== */

/* Raises for anything but `roots` in the options at 2, and leaves that there. */
static void check_save_options(lua_State *L)
{
  sp_shown shown;
  if (!lua_isnoneornil(L, 2))
    sp_check_table(L, 2);
  lua_settop(L, 2);
  if (lua_isnil(L, 2))
    return;
  for (lua_pushnil(L); sp_raw_next(L, 2); lua_pop(L, 1))
    if (strcmp(sp_to_text(L, -2), "roots") != 0)
      sp_raise_arg(L, 2, "save has no option %s (roots)", sp_show(L, -2, &shown));
  sp_raw_field(L, 2, "roots");
  lua_replace(L, 2);
}

int sp_manager_save(lua_State *L)
{
  sp_check_manager(L, 1);
  check_save_options(L);
  const sp_lua_manager *m = sp_check_manager(L, 1);
  sp_context *c = m->context;
  sp_result why = sp_manager_rests(m);
  if (why != SP_OK)
    return sp_return_refusal(L, true, why);
  sp_push_helper(L, c, "spawnpool.saving", "save");
  lua_insert(L, 1);
  sp_quietly(L, 2, 2);
  return lua_isnil(L, -2) ? 2 : (lua_pop(L, 1), 1);
}

/* }== */

/* {== Natives: saving ==================================================== */

/* native.sprites() -> a list of the names of sprites, the one of number 0 first */
static int native_sprites(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_createtable(L, (int)c->sprite_count, 0);
  for (uint32_t i = 0; i < c->sprite_count; i++) {
    sp_push_sprite_name(L, c, (uint16_t)i);
    sp_raw_seti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* native.timer_label(manager, handle) -> "Bullet#3", whose timer it is; or "the manager" */
static int native_timer_label(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  sp_shown label;
  sp_ref owner = sp_timer_owner(m->core, (sp_timer)lua_tointeger(L, 2));
  lua_pushstring(L, owner ? sp_label(m->context, owner, &label) : "the manager");
  return 1;
}

typedef struct text {
  lua_Alloc alloc;
  void *ud;
  char *bytes;
  size_t size, capacity;
} text;

static bool append(void *ud, const void *bytes, size_t size)
{
  text *t = ud;
  if (t->size + size > t->capacity) {
    size_t want = 2 * t->capacity + size;
    char *grown = t->alloc(t->ud, t->bytes, t->capacity, want);
    if (!grown)
      return false;
    t->bytes = grown;
    t->capacity = want;
  }
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  return true;
}

/* push(text) -> string. Protected. */
static int push_bytes(lua_State *L)
{
  const text *t = sp_raw_block(L, 1);
  lua_pushlstring(L, t->bytes, t->size);
  return 1;
}

/* native.save_core(manager) -> what the core saves; or nil and the reason */
static int native_save_core(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  text t = {.alloc = NULL};
  t.alloc = lua_getallocf(L, &t.ud);
  sp_result why = sp_save(m->core, append, &t);
  int status = LUA_OK;
  if (why == SP_OK) {
    lua_pushcfunction(L, push_bytes);
    lua_pushlightuserdata(L, &t);
    status = sp_quiet_pcall(L, 1, 1);
  }
  if (t.bytes)
    t.alloc(t.ud, t.bytes, t.capacity, 0);
  if (status != LUA_OK)
    lua_error(L);
  return why == SP_OK ? 1 : sp_return_refusal(L, true, why == SP_FAILED ? SP_MEMORY : why);
}

/* }== */

const luaL_Reg sp_save_natives[] = {
    {"sprites", native_sprites},
    {"timer_label", native_timer_label},
    {"save_core", native_save_core},
    {NULL, NULL},
};
