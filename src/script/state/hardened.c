#include "script/state/hardened.h"

#include <stdio.h>
#include <stdlib.h>

#include "script/state/handles.h"

#if SP_HARDENED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

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
    const sp_lua_manager *m = c->managers[id];
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

void sp_open_manager(const sp_lua_manager *m)
{
  if (m)
    unpoison(m, sizeof *m);
}

void sp_open_pool(const sp_lua_pool *p)
{
  if (!p)
    return;
  unpoison(p, sizeof *p);
  sp_open_manager(p->manager); /* a pool that is there has its manager */
}

void sp_open_block(const void *block, size_t size)
{
  const uint64_t magic = block && size >= HEAD ? ((const sp_owner_head *)block)->magic : 0;
  if (magic == SP_MAGIC_POOL && size == sizeof(sp_lua_pool))
    sp_open_pool(block);
  if (magic == SP_MAGIC_MANAGER && size == sizeof(sp_lua_manager))
    sp_open_manager(block);
}

void sp_broken(const char *what)
{
  fprintf(stderr, "spawnpool: a function is careless: %s\n", what);
  abort();
}
