#include "core/pool_list.h"

#include <string.h>

bool sp_pool_list_add(sp_manager *m, sp_pool *p)
{
  if (m->pool_count == m->pool_capacity) {
    uint32_t want = m->pool_capacity ? m->pool_capacity * 2 : 8;
    sp_pool **pools = sp_memory_extend(&m->memory, m->pools, m->pool_capacity, want, sizeof *pools);
    if (!pools)
      return false;
    m->pools = pools;
    m->pool_capacity = want;
  }
  p->index = m->pool_count++;
  m->pools[p->index] = p;
  return true;
}

void sp_pool_list_remove(sp_pool *p)
{
  p->manager->pools[p->index] = NULL;
  p->manager->pool_holes++;
}

void sp_pool_list_close_gaps(sp_manager *m)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    if (!p)
      continue;
    p->index = kept;
    m->pools[kept++] = p;
  }
  m->pool_count = kept;
  m->pool_holes = 0;
}

void sp_pool_enter(sp_pool *p) { sp_enter(p); }

void sp_pool_leave(sp_pool *p)
{
  sp_manager *m = p->manager;
  p->busy--;
  if (--m->busy == 0 && m->pool_holes > 0)
    sp_pool_list_close_gaps(m);
}

sp_pool *sp_find_pool(const sp_manager *m, const char *type)
{
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i] && strcmp(m->pools[i]->type, type) == 0)
      return m->pools[i];
  return NULL;
}

uint32_t sp_count_pools(const sp_manager *m) { return m->pool_count - m->pool_holes; }

sp_pool *sp_get_pool(const sp_manager *m, uint32_t index)
{
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i] && index-- == 0)
      return m->pools[i];
  return NULL;
}
