/*
** Saves: the bytes are one, with its checksum put right. What is loaded may be another game than the one that was
** saved, but it is a sound one, which can be played and saved again; what is refused leaves nothing behind.
*/
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "support/core_fixture.h"
#include "support/core_tape.h"

static bool count_bytes(void *ud, const void *bytes, size_t size)
{
  (void)bytes;
  *(size_t *)ud += size;
  return true;
}

/* A game may ask for millions of objects at once: it gets some memory, and no more. */
static void update(sp_manager *m, test_memory *memory, int ticks)
{
  memory->fail_at = memory->calls + 100;
  memory->keep_failing = true;
  for (int i = 0; i < ticks; i++)
    sp_update(m, sp_step(m));
  for (uint32_t i = 0; i < sp_count_pools(m); i++)
    sp_pool_alloc(sp_get_pool(m, i), 1, NULL);
  memory->fail_at = 0;
}

/* The host keeps the bytes of its state, and gives back the same. */
typedef struct host_bytes {
  unsigned char bytes[256];
  size_t size;
} host_bytes;

static size_t size_of(void *ud) { return ((host_bytes *)ud)->size; }
static void write_host(void *ud, void *bytes, size_t size) { memcpy(bytes, ((host_bytes *)ud)->bytes, size); }

static bool read_host(void *ud, const void *bytes, size_t size)
{
  host_bytes *it = ud;
  if (size > sizeof it->bytes)
    return false;
  if (size > 0)
    memcpy(it->bytes, bytes, size);
  it->size = size;
  return true;
}

static void play(sp_manager *m, test_memory *memory)
{
  core_check(m);
  update(m, memory, 20);
  core_check(m);
  sp_snapshot *snapshot = sp_snapshot_take(m, NULL, NULL);
  uint64_t hash = sp_hash(m);
  update(m, memory, 5);
  fuzz_check(sp_snapshot_restore(m, snapshot) == SP_OK && sp_hash(m) == hash);
  sp_snapshot_free(snapshot);
  size_t size = 0;
  fuzz_check(sp_save(m, count_bytes, &size) == SP_OK && size > 0);
}

int fuzz_load(const uint8_t *data, size_t size)
{
  core_tape t = {.bytes = malloc(size ? size : 1), .size = size};
  test_memory memory = {0};
  host_bytes host = {.size = 0};
  sp_options options = {.memory = test_memory_fn, .memory_ud = &memory};
  options.host = (sp_host_state){&host, size_of, write_host, read_host};
  sp_result why = SP_OK;
  fuzz_check(t.bytes != NULL);
  if (size > 0)
    memcpy(t.bytes, data, size);
  core_tape_sum(&t);
  sp_manager *m = sp_load(&options, core_tape_read, &t, &why);
  if (m) {
    play(m, &memory);
    fuzz_check(sp_close(m) == SP_OK);
  } else {
    fuzz_check(why == SP_DAMAGED || why == SP_NEWER || why == SP_MEMORY || why == SP_FAILED);
  }
  fuzz_check(test_memory_is_clean(&memory));
  free(t.bytes);
  return 0;
}
