#include "core/pool_list.h"

#include <string.h>

static void put(sp_manager *m, uint32_t index, sp_pool *p)
{
  m->pools[index] = p;
  p->index = index;
}

bool sp_pool_list_add(sp_manager *m, sp_pool *p)
{
  uint32_t end = m->pool_count + m->absent_count;
  if (end == m->pool_capacity) {
    uint32_t want = m->pool_capacity ? m->pool_capacity * 2 : 8;
    sp_pool **pools = sp_memory_extend(&m->memory, m->pools, m->pool_capacity, want, sizeof *pools);
    if (!pools)
      return false;
    m->pools = pools;
    m->pool_capacity = want;
  }
  if (m->absent_count > 0)
    put(m, end, m->pools[m->pool_count]);
  put(m, m->pool_count++, p);
  return true;
}

bool sp_pool_is_absent(const sp_pool *p) { return p->index >= p->manager->pool_count; }

void sp_pool_list_join(sp_pool *p)
{
  sp_manager *m = p->manager;
  put(m, p->index, m->pools[m->pool_count]);
  put(m, m->pool_count++, p);
  m->absent_count--;
}

void sp_pool_list_leave(sp_pool *p)
{
  p->manager->pool_count--;
  p->manager->absent_count++;
}

void sp_pool_list_join_all(sp_manager *m)
{
  m->pool_count += m->absent_count;
  m->absent_count = 0;
}

void sp_pool_list_restore(sp_manager *m, uint32_t count)
{
  m->absent_count += m->pool_count - count;
  m->pool_count = count;
}

void sp_pool_list_move(sp_pool *p, uint32_t index)
{
  put(p->manager, p->index, p->manager->pools[index]);
  put(p->manager, index, p);
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
    put(m, kept++, p);
  }
  for (uint32_t i = 0; i < m->absent_count; i++)
    put(m, kept + i, m->pools[m->pool_count + i]);
  m->pool_count = kept;
  m->pool_holes = 0;
}

sp_pool *sp_find_pool(const sp_manager *m, const char *type)
{
  for (uint32_t i = 0; i < m->pool_count + m->absent_count; i++)
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
