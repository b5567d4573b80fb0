/*
** See fuzz.h.
*/
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/process.h"

/* {== Bytes ============================================================== */

bool fuzz_more(const fuzz_input *in) { return in->at < in->end; }

uint8_t fuzz_byte(fuzz_input *in) { return fuzz_more(in) ? *in->at++ : 0; }

uint32_t fuzz_below(fuzz_input *in, uint32_t n) { return fuzz_byte(in) % n; }

/* }== */

/* {== What must hold ===================================================== */

_Noreturn void fuzz_failed(const char *what, const char *file, int line)
{
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
  abort();
}

static void check_stats(const sp_stats *s)
{
  fuzz_check(s->total == s->live + s->idle);
  fuzz_check(s->allocs - s->recycles == s->live);
  fuzz_check(s->created - s->destroyed == s->total);
  fuzz_check(s->peak >= s->live);
  fuzz_check(s->expired + s->evicted <= s->recycles);
}

void fuzz_check_counts(const sp_manager *m)
{
  sp_stats all = sp_total_stats(m), sum = {0};
  for (uint32_t i = 0; i < sp_count_pools(m); i++) {
    sp_stats s = sp_pool_stats(sp_get_pool(m, i));
    check_stats(&s);
    sum.live += s.live;
    sum.idle += s.idle;
  }
  fuzz_check(sp_get_pool(m, sp_count_pools(m)) == NULL);
  fuzz_check(all.live == sum.live && all.idle == sum.idle && all.total == sum.live + sum.idle);
  fuzz_check(all.peak >= all.live);
}

static uint32_t count_bits(sp_pool *pool)
{
  uint32_t count = 0;
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(pool); chunk++)
    for (uint32_t word = 0; word < SP_CHUNK_SLOTS / 64; word++)
      count += (uint32_t)__builtin_popcountll(sp_pool_live_bits(pool, chunk)[word]);
  return count;
}

static uint32_t count_walk(sp_pool *pool)
{
  const sp_manager *m = sp_pool_manager(pool);
  sp_walk walk = sp_pool_walk(pool);
  uint32_t count = 0, last = 0;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; count++) {
    uint32_t slot = (uint32_t)object & (SP_MAX_SLOTS - 1);
    fuzz_check(sp_is_live(m, object) && sp_owner(m, object) == pool);
    fuzz_check(count == 0 || slot > last);
    last = slot;
  }
  return count;
}

/* Every slot is of one kind, and every idle one is in the list of idle ones, once. */
static void check_slots(sp_pool *pool)
{
  const sp_manager *m = sp_pool_manager(pool);
  uint32_t count = sp_pool_chunks(pool) * SP_CHUNK_SLOTS, kinds[SP_SLOT_STATE_COUNT] = {0};
  sp_slot *slots = calloc(count + 1u, sizeof *slots);
  fuzz_check(slots && sp_pool_slots(pool, 0, count + 1u, slots) == count);
  for (uint32_t i = 0; i < count; i++) {
    kinds[slots[i].state]++;
    fuzz_check(!slots[i].object || sp_pool_slot_of(pool, slots[i].object) == i);
  }
  fuzz_check(kinds[SP_SLOT_LIVE] == sp_pool_live(pool) && kinds[SP_SLOT_IDLE] == sp_pool_idle(pool));
  fuzz_check(kinds[SP_SLOT_ENDING] == 0);
  for (uint32_t i = 0; i < sp_pool_idle(pool); i++) {
    sp_ref object = sp_pool_idle_at(pool, i);
    uint32_t at = sp_pool_slot_of(pool, object);
    fuzz_check(at < count && slots[at].state == SP_SLOT_IDLE && !sp_is_live(m, object));
    slots[at].state = SP_SLOT_EMPTY; /* not to be seen again */
  }
  fuzz_check(sp_pool_idle_at(pool, sp_pool_idle(pool)) == SP_NONE_REF);
  free(slots);
}

void fuzz_check_manager(const sp_manager *m)
{
  fuzz_check_counts(m);
  for (uint32_t i = 0; i < sp_count_pools(m); i++) {
    sp_pool *pool = sp_get_pool(m, i);
    fuzz_check(sp_find_pool(m, sp_pool_type(pool)) == pool);
    fuzz_check(count_bits(pool) == sp_pool_live(pool) && count_walk(pool) == sp_pool_live(pool));
    check_slots(pool);
  }
}

double fuzz_patience(void) { return strcmp(test_tool(), "valgrind") == 0 ? 1 : 0.03; }

/* }== */

/* {== Files ============================================================== */

/* The environment says where it is: no state of ours. */
#define FOLDER "SP_FUZZ_FOLDER"

static void remove_folder(void) { test_folder_remove(getenv(FOLDER)); }

const char *fuzz_folder(void)
{
  char path[300], owner[32];
  const char *known = getenv(FOLDER);
  snprintf(owner, sizeof owner, "-%ld", (long)getpid());
  if (known && strstr(known, owner))
    return known;
  fuzz_check(test_folder_make(path, sizeof path - sizeof owner));
  char named[sizeof path + sizeof owner];
  snprintf(named, sizeof named, "%s%s", path, owner);
  fuzz_check(rename(path, named) == 0 && setenv(FOLDER, named, 1) == 0 && atexit(remove_folder) == 0);
  return getenv(FOLDER);
}

void fuzz_write(const char *name, const void *bytes, size_t size)
{
  char path[600];
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
  for (char *slash = strchr(path + strlen(fuzz_folder()) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *f = fopen(path, "wb");
  fuzz_check(f && fwrite(bytes, 1, size, f) == size);
  fuzz_check(fclose(f) == 0);
}

/* }== */
