#include "demo/ui/alloc_sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE 256 /* slots per frame */

typedef struct slice {
  alloc_sites *it;
  const char *type;
  sp_ref objects[SLICE];
  float ages[SLICE];
  uint32_t count;
} slice;

/* Returns the entry of a line, which is added if necessary; NULL when there are too many. */
static alloc_site *entry_of(alloc_sites *it, const char *type, const char *site)
{
  alloc_site *entry;
  for (int i = 0; i < it->next_count; i++)
    if (strncmp(it->next[i].site, site, sizeof it->next[i].site - 1) == 0 &&
        strncmp(it->next[i].type, type, sizeof it->next[i].type - 1) == 0)
      return &it->next[i];
  if (it->next_count == ALLOC_SITES_MOST)
    return NULL;
  entry = &it->next[it->next_count++];
  *entry = (alloc_site){.oldest = -1};
  snprintf(entry->type, sizeof entry->type, "%s", type);
  snprintf(entry->site, sizeof entry->site, "%s", site);
  return entry;
}

static void take_site(void *ud, uint32_t i, const char *site)
{
  const slice *s = ud;
  alloc_site *entry = entry_of(s->it, s->type, site);
  if (!entry)
    return;
  entry->count += 1;
  if (s->ages[i] > entry->oldest) {
    entry->oldest = s->ages[i];
    entry->object = s->objects[i];
  }
}

static int compare(const void *a, const void *b)
{
  const alloc_site *x = a, *y = b;
  int types = strcmp(x->type, y->type);
  if (x->oldest != y->oldest)
    return x->oldest < y->oldest ? 1 : -1;
  return types != 0 ? types : strcmp(x->site, y->site);
}

static void finish_round(alloc_sites *it)
{
  qsort(it->next, (size_t)it->next_count, sizeof *it->next, compare);
  memcpy(it->list, it->next, (size_t)it->next_count * sizeof *it->list);
  it->count = it->next_count;
  it->next_count = 0;
  it->pool = it->slot = 0;
}

void alloc_sites_step(alloc_sites *it, sp_script *script, const sp_manager *pools)
{
  slice s = {.it = it};
  sp_slot slots[SLICE];
  const sp_pool *pool;
  uint32_t got;
  if (it->pool >= sp_count_pools(pools)) {
    finish_round(it);
    return;
  }
  pool = sp_get_pool(pools, it->pool);
  s.type = sp_pool_type(pool);
  got = sp_pool_slots(pool, it->slot, SLICE, slots);
  for (uint32_t i = 0; i < got; i++)
    if (slots[i].state == SP_SLOT_LIVE) {
      s.objects[s.count] = slots[i].object;
      s.ages[s.count++] = slots[i].age;
    }
  sp_script_sites(script, s.objects, s.count, take_site, &s);
  it->slot += got;
  if (it->slot >= sp_pool_chunks(pool) * SP_CHUNK_SLOTS) {
    it->pool += 1;
    it->slot = 0;
  }
}
