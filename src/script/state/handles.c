#include "script/state/handles.h"

#include <stdio.h>
#include <stdlib.h>

#if SP_HARDENED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

int sp_return_refusal(lua_State *L, bool as_nil, sp_result why)
{
  if (as_nil)
    lua_pushnil(L);
  else
    lua_pushboolean(L, 0);
  lua_pushstring(L, sp_result_name(why));
  return 2;
}

/* Every handle has a table of methods of its own, so that a method is found without a call, and a field knows its
   handle. */
const char *const sp_hook_names[SP_HOOK_COUNT + 1] = {
#define NAME(code, name) name,
    SP_HOOKS(NAME)
#undef NAME
};

void sp_dress(lua_State *L, sp_context *c, const sp_handle_type *type)
{
  int handle = lua_gettop(L);
  lua_createtable(L, 0, 8);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__index"); /* the first key of a table has the best place in it */
  sp_add_functions(L, c, type->owner, true);
  sp_copy_methods(L, c, type->methods);
  lua_createtable(L, 0, 1);
  lua_pushlightuserdata(L, c);
  lua_pushvalue(L, handle);
  lua_pushcclosure(L, type->field, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "__index");
  sp_name_metatable(L, type->name);
  lua_setmetatable(L, handle);
}

bool sp_is_of_closed(const sp_context *c, sp_ref object)
{
  uint32_t generation = sp_ref_generation(object);
  return !sp_manager_of(c, object) && generation >= SP_FIRST_GENERATION &&
         generation < c->next_generation[sp_ref_id(object)];
}

const char *sp_object_state(const sp_context *c, sp_ref object)
{
  const spl_manager *m = sp_manager_of(c, object);
  if (!m)
    return sp_is_of_closed(c, object) ? "stale" : NULL;
  if (!sp_ref_is_ours(m->core, object))
    return NULL;
  if (!sp_ref_resolves(m->core, object))
    return "stale";
  return sp_object_is_live(m->core, object) ? "live" : sp_ref_generation(object) & 1 ? "dying" : "idle";
}

uint64_t sp_new_id(sp_context *c, uint32_t manager, uint32_t index)
{
  return (uint64_t)manager << 56 | (uint64_t)(index & 0xffffff) << 32 | (uint32_t)++c->ids;
}

/* {== The hardened build ================================================= */

/* The head of a handle tells what it is, and stays readable. */
enum { HEAD = sizeof(sp_owner_head) };

static void poison(const void *block, size_t size)
{
  ASAN_POISON_MEMORY_REGION((const char *)block + HEAD, size - HEAD);
}

static void unpoison(const void *block, size_t size)
{
  ASAN_UNPOISON_MEMORY_REGION((const char *)block + HEAD, size - HEAD);
}

static void mark_all(const sp_context *c, void (*mark)(const void *block, size_t size))
{
  for (int id = 0; id < 256; id++) {
    const spl_manager *m = c->managers[id];
    if (!m)
      continue;
    unpoison(m, sizeof *m);
    for (uint32_t i = 0; i < m->pool_count; i++)
      if (m->pools[i])
        mark(m->pools[i], sizeof *m->pools[i]);
    if (m != c->default_manager) /* the host keeps it, and looks whether it is open */
      mark(m, sizeof *m);
  }
}

void sp_poison_handles(const sp_context *c) { mark_all(c, poison); }

void sp_open_handles(const sp_context *c) { mark_all(c, unpoison); }

void sp_open_manager(const spl_manager *m)
{
  if (m)
    unpoison(m, sizeof *m);
}

void sp_open_pool(const spl_pool *p)
{
  if (!p)
    return;
  unpoison(p, sizeof *p);
  sp_open_manager(p->manager); /* a pool that is there has its manager */
}

void sp_broken(const char *what)
{
  fprintf(stderr, "spawnpool: a function is careless: %s\n", what);
  abort();
}

/* }== */
