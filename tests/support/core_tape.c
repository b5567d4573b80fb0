#include "support/core_tape.h"

#include "core/stream.h"

#include <stdlib.h>
#include <string.h>

enum { SUM = 8 };

bool core_tape_write(void *ud, const void *bytes, size_t size)
{
  core_tape *t = ud;
  if (t->most && t->size + size > t->most)
    return false;
  unsigned char *grown = realloc(t->bytes, t->size + size);
  if (!grown)
    return false;
  t->bytes = grown;
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  return true;
}

size_t core_tape_read(void *ud, void *bytes, size_t size)
{
  core_tape *t = ud;
  size_t left = t->size - t->at, part = t->piece && t->piece < left ? t->piece : left;
  if (part > size)
    part = size;
  if (part > 0)
    memcpy(bytes, t->bytes + t->at, part);
  t->at += part;
  return part;
}

core_tape core_save(const sp_manager *manager)
{
  core_tape t = {.piece = 700};
  if (sp_manager_save(manager, core_tape_write, &t) != SP_OK)
    abort();
  return t;
}

sp_manager *core_load(core_tape *t, sp_manager_options options, test_memory *memory, sp_result *result)
{
  t->at = 0;
  options.memory = memory ? test_memory_fn : NULL;
  options.memory_ud = memory;
  return sp_manager_load(&options, core_tape_read, t, result);
}

/* {== A host ============================================================= */

static core_host *called(void *ud)
{
  core_host *it = ud;
  if (it->look && it->manager)
    it->look(it->manager);
  return it;
}

static size_t host_size(void *ud) { return called(ud)->size; }

static void host_write(void *ud, void *bytes, size_t size) { memcpy(bytes, called(ud)->bytes, size); }

static bool host_read(void *ud, const void *bytes, size_t size)
{
  core_host *it = called(ud);
  it->reads++;
  if (it->refuses || size > sizeof it->bytes || (bytes == NULL) != (size == 0))
    return false;
  if (size > 0)
    memcpy(it->bytes, bytes, size);
  it->size = size;
  return true;
}

sp_host_state core_host_state(core_host *it) { return (sp_host_state){it, host_size, host_write, host_read}; }

/* }== */

void core_tape_sum(core_tape *t)
{
  core_tape summed = {0};
  sp_stream stream = {.write = core_tape_write, .ud = &summed, .sum = sp_checksum_begin};
  if (t->size < SUM)
    return;
  sp_stream_bytes(&stream, t->bytes, t->size - SUM);
  sp_stream_end(&stream);
  memcpy(t->bytes, summed.bytes, t->size);
  free(summed.bytes);
}
