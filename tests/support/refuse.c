#include "support/refuse.h"

#include "support/process.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* malloc has no user data: this state is the file's own. */
enum { PLACES = 1 << 17 };
#define GONE ((void *)1)

static struct {
  pthread_mutex_t lock;
  bool active, keep_failing;
  size_t fail_at;
  refusals counts;
  void *blocks[PLACES]; /* open addressing; GONE where one was */
} it = {.lock = PTHREAD_MUTEX_INITIALIZER};

size_t refuse_stride(size_t usual) { return *test_tool() ? usual * 9 + 1 : usual; }

size_t refuse_first(void)
{
  const char *shift = getenv("SP_SHIFT");
  return 1 + (shift ? strtoul(shift, NULL, 10) : 0);
}

#ifdef SP_WRAP

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
void __real_free(void *ptr);

/* {== Blocks ============================================================= */

static size_t place_of(const void *ptr) { return (size_t)((uintptr_t)ptr >> 4) * 0x9e3779b1u % PLACES; }

static void note(void *ptr)
{
  size_t at = place_of(ptr);
  if (!it.active || !ptr || it.counts.blocks > PLACES / 2)
    return;
  while (it.blocks[at] && it.blocks[at] != GONE)
    at = (at + 1) % PLACES;
  it.blocks[at] = ptr;
  it.counts.blocks++;
}

static bool forget(const void *ptr)
{
  if (!it.active || !ptr)
    return false;
  for (size_t at = place_of(ptr), tried = 0; it.blocks[at] && tried < PLACES; at = (at + 1) % PLACES, tried++)
    if (it.blocks[at] == ptr) {
      it.blocks[at] = GONE;
      it.counts.blocks--;
      return true;
    }
  return false;
}

static bool is_refused(void)
{
  if (!it.active)
    return false;
  it.counts.calls++;
  bool refuses = it.fail_at && (it.counts.calls == it.fail_at || (it.keep_failing && it.counts.calls > it.fail_at));
  it.counts.count += refuses;
  return refuses;
}

/* }== */

/* {== What the linker calls instead ====================================== */

void *__wrap_malloc(size_t size)
{
  pthread_mutex_lock(&it.lock);
  void *ptr = is_refused() ? NULL : __real_malloc(size);
  note(ptr);
  pthread_mutex_unlock(&it.lock);
  return ptr;
}

void *__wrap_calloc(size_t count, size_t size)
{
  pthread_mutex_lock(&it.lock);
  void *ptr = is_refused() ? NULL : __real_calloc(count, size);
  note(ptr);
  pthread_mutex_unlock(&it.lock);
  return ptr;
}

/* Lua relies on it that a block can shrink: the host cannot tell, so that every call here may be refused. */
void *__wrap_realloc(void *ptr, size_t size)
{
  pthread_mutex_lock(&it.lock);
  void *moved = NULL;
  if (!is_refused()) {
    bool known = forget(ptr);
    moved = __real_realloc(ptr, size);
    if (known || !ptr)
      note(moved ? moved : ptr);
  }
  pthread_mutex_unlock(&it.lock);
  return moved;
}

void __wrap_free(void *ptr)
{
  pthread_mutex_lock(&it.lock);
  forget(ptr);
  pthread_mutex_unlock(&it.lock);
  __real_free(ptr);
}

/* }== */

bool refuse_can(void) { return true; }

#else

bool refuse_can(void) { return false; }

#endif

void refuse_begin(size_t fail_at, bool keep_failing)
{
  pthread_mutex_lock(&it.lock);
  for (size_t i = 0; i < PLACES; i++)
    it.blocks[i] = NULL;
  it.active = true;
  it.fail_at = fail_at;
  it.keep_failing = keep_failing;
  it.counts = (refusals){0};
  pthread_mutex_unlock(&it.lock);
}

void refuse_relent(void) { it.fail_at = 0; }

refusals refuse_end(void)
{
  it.active = false;
  return it.counts;
}
