#include "script/host/checkpoint.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/host/host.h"
#include "script/state/context.h"
#include "script/state/platform.h"

/* Sizes up to SMALL_MOST have free lists of their own, in steps of UNIT up to STEPPED_MOST and then eight for each
   doubling. Larger blocks are whole pages from one list, which is sorted by address and has no two neighbours: they are
   split and joined again. */
#define UNIT ((size_t)16)
#define STEPPED_MOST ((size_t)1024)
#define STEPPED ((int)(STEPPED_MOST / UNIT))
#define SMALL_MOST ((size_t)65536)
#define DOUBLINGS 6 /* from STEPPED_MOST to SMALL_MOST */
#define CLASSES (STEPPED + DOUBLINGS * 8 + 1)
#define PAGE ((size_t)4096)
#define STRETCH ((size_t)1 << 20) /* memory that the system is asked for at once */

typedef struct free_block {
  struct free_block *next;
  size_t size; /* of a large one */
} free_block;

/* At the beginning of its own area, so that it is copied too. */
struct sp_arena {
  size_t most, backed, top; /* bytes: the area, what the system gave memory for, and what is in use of that */
  free_block *small[CLASSES];
  free_block *large;
  free_block *near; /* where the last block was taken or given: one of them, or NULL for the beginning */
};

/* {== Sizes ============================================================== */

typedef struct block_class {
  int number;
  size_t size;
} block_class;

static block_class class_of(size_t size)
{
  if (size <= STEPPED_MOST) {
    size_t units = (size + UNIT - 1) / UNIT;
    return (block_class){(int)units, units * UNIT};
  }
  int doubling = 0;
  size_t below = STEPPED_MOST;
  for (; below * 2 < size; below *= 2)
    doubling++;
  size_t step = below / 8, steps = (size - below + step - 1) / step;
  return (block_class){STEPPED + doubling * 8 + (int)steps, below + steps * step};
}

static size_t in_pages(size_t size) { return (size + PAGE - 1) & ~(PAGE - 1); }

/* Returns the bytes that a block of this size takes. */
static size_t taken_by(size_t size) { return size <= SMALL_MOST ? class_of(size).size : in_pages(size); }

/* }== */

/* {== Blocks ============================================================= */

/* After a copy was put back, `backed` may be too small: backing the same memory again does no harm. */
static bool back(sp_arena *a, size_t top)
{
  if (top <= a->backed)
    return true;
  size_t backed = (top + STRETCH - 1) / STRETCH * STRETCH;
  backed = backed < a->most ? backed : a->most;
  if (!sp_addresses_back((char *)a + a->backed, backed - a->backed))
    return false;
  a->backed = backed;
  return true;
}

static void *extend(sp_arena *a, size_t size)
{
  if (size > a->most - a->top || !back(a, a->top + size))
    return NULL;
  char *block = (char *)a + a->top;
  a->top += size;
  return block;
}

/* Returns the list behind `before`, or all of it for NULL. */
static free_block **list_behind(sp_arena *a, free_block *before) { return before ? &before->next : &a->large; }

/* Finds the block before the first one behind `from` that is large enough. False when there is none. */
static bool find_fitting(sp_arena *a, free_block *from, size_t size, free_block **before)
{
  for (free_block *b = *list_behind(a, from); b; from = b, b = b->next)
    if (b->size >= size) {
      *before = from;
      return true;
    }
  return false;
}

/* Continues the search where the last one ended, so that thousands of small holes are not visited each time. */
static void *take_large(sp_arena *a, size_t size)
{
  free_block *before;
  if (!find_fitting(a, a->near, size, &before) && !(a->near && find_fitting(a, NULL, size, &before)))
    return extend(a, size);
  free_block **link = list_behind(a, before), *found = *link;
  if (found->size > size) { /* the rest stays in the list, in its place */
    free_block *rest = (free_block *)((char *)found + size);
    *rest = (free_block){found->next, found->size - size};
    *link = rest;
  } else {
    *link = found->next;
  }
  a->near = before;
  return found;
}

/* Joins `b` with the block that follows it, if they are neighbours. */
static void join(free_block *b)
{
  if (b->next && (char *)b + b->size == (char *)b->next) {
    b->size += b->next->size;
    b->next = b->next->next;
  }
}

static void give_large(sp_arena *a, void *ptr, size_t size)
{
  free_block *block = ptr, *before = a->near && a->near < block ? a->near : NULL, *next;
  while ((next = *list_behind(a, before)) != NULL && next < block)
    before = next;
  *block = (free_block){next, size};
  *list_behind(a, before) = block;
  join(block);
  if (before)
    join(before);
  a->near = before;
}

static void *take(sp_arena *a, size_t size)
{
  if (size > SMALL_MOST)
    return size > a->most ? NULL : take_large(a, in_pages(size));
  block_class class = class_of(size);
  free_block *block = a->small[class.number];
  if (!block)
    return extend(a, class.size);
  a->small[class.number] = block->next;
  return block;
}

static void give(sp_arena *a, void *ptr, size_t size)
{
  if (size > SMALL_MOST) {
    give_large(a, ptr, in_pages(size));
    return;
  }
  free_block *block = ptr, **list = &a->small[class_of(size).number];
  block->next = *list;
  *list = block;
}

void *sp_arena_resize(sp_arena *a, void *ptr, size_t old, size_t size)
{
  if (!ptr)
    return size > 0 ? take(a, size) : NULL;
  if (size == 0) {
    give(a, ptr, old);
    return NULL;
  }
  if (taken_by(old) == taken_by(size))
    return ptr;
  void *block = take(a, size);
  if (!block)
    return size < old ? ptr : NULL; /* Lua assumes that shrinking never fails */
  memcpy(block, ptr, old < size ? old : size);
  give(a, ptr, old);
  return block;
}

/* }== */

/* {== The area =========================================================== */

sp_arena *sp_arena_open(size_t most)
{
  size_t begin = most < STRETCH ? most : STRETCH;
  sp_arena *a = most >= in_pages(sizeof *a) ? sp_addresses_reserve(most) : NULL;
  if (!a)
    return NULL;
  if (!sp_addresses_back(a, begin)) {
    sp_addresses_release(a, most);
    return NULL;
  }
  memset(a, 0, sizeof *a);
  a->most = most;
  a->backed = begin;
  a->top = in_pages(sizeof *a);
  return a;
}

void sp_arena_close(sp_arena *a)
{
  if (a)
    sp_addresses_release(a, a->most);
}

/* Copies only the heads of large free blocks. */
size_t sp_arena_bytes(const sp_arena *a)
{
  size_t bytes = a->top;
  for (const free_block *b = a->large; b; b = b->next)
    bytes -= b->size - sizeof *b;
  return bytes;
}

void sp_arena_copy(const sp_arena *a, void *to)
{
  const char *at = (const char *)a;
  for (const free_block *b = a->large; b; b = b->next) {
    size_t size = (size_t)((const char *)(b + 1) - at);
    memcpy(to, at, size);
    to = (char *)to + size;
    at = (const char *)b + b->size;
  }
  memcpy(to, at, (size_t)((const char *)a + a->top - at));
}

/* Each head is copied before it is read. */
void sp_arena_put_back(sp_arena *a, const void *from)
{
  char *at = (char *)a;
  memcpy(a, from, sizeof *a);
  for (const free_block *b = a->large; b; b = b->next) {
    size_t size = (size_t)((const char *)(b + 1) - at);
    memcpy(at, from, size);
    from = (const char *)from + size;
    at = (char *)b + b->size;
  }
  memcpy(at, from, (size_t)((char *)a + a->top - at));
}

/* }== */

/* {== Checkpoints ======================================================== */

struct sp_checkpoint {
  sp_script script; /* the struct itself; its texts are not those of the checkpoint, except for `error` */
  size_t room;
  char bytes[];
};

bool sp_script_has_checkpoints(const sp_script *s) { return s->arena != NULL; }

size_t sp_script_checkpoint_bytes(const sp_script *s) { return sizeof(sp_checkpoint) + sp_arena_bytes(s->arena); }

size_t sp_checkpoint_bytes(const sp_checkpoint *c) { return sizeof *c + c->room; }

void sp_checkpoint_free(sp_checkpoint *c)
{
  if (c)
    free(c->script.error);
  free(c);
}

static char *copy_error(const sp_script *s)
{
  char *copy = s->error ? malloc(strlen(s->error) + 1) : NULL;
  return copy ? strcpy(copy, s->error) : NULL;
}

/* Memory that is far too large is not reused, because the state has shrunk. */
static sp_checkpoint *make_room(sp_checkpoint *c, size_t size)
{
  if (c && c->room >= size && c->room / 2 <= size) {
    free(c->script.error);
    return c;
  }
  sp_checkpoint_free(c);
  size_t room = size + size / 8;
  c = malloc(sizeof *c + room);
  if (c)
    c->room = room;
  return c;
}

sp_checkpoint *sp_script_checkpoint(const sp_script *s, sp_checkpoint *reuse)
{
  size_t size = sp_arena_bytes(s->arena);
  if (SP_HARDENED)
    sp_open_handles(s->context);
  sp_checkpoint *c = make_room(reuse, size);
  if (!c)
    return NULL;
  c->script = *s;
  c->script.error = copy_error(s);
  c->script.error_is_lost = s->error_is_lost || (s->error && !c->script.error);
  sp_arena_copy(s->arena, c->bytes);
  return c;
}

void sp_script_return(sp_script *s, const sp_checkpoint *c)
{
  sp_script now = *s;
  sp_ticker ticker = sp_watchdog_ticker(s->context->watchdog);
  const sp_script_file *texts = s->context->texts;
  const bool only_texts = s->context->only_texts;
  if (SP_HARDENED)
    sp_open_handles(s->context);
  sp_arena_put_back(s->arena, c->bytes);
  free(now.error);
  *s = c->script;
  s->error = copy_error(&c->script);
  s->error_is_lost = c->script.error_is_lost || (c->script.error && !s->error);
  s->line = now.line;
  s->rejected = now.rejected;
  s->on_command = now.on_command;
  s->command_ud = now.command_ud;
  s->on_call = now.on_call;
  s->call_ud = now.call_ud;
  s->context->texts = texts;
  s->context->only_texts = only_texts;
  sp_watchdog_set_ticker(s->context->watchdog, ticker);
}

/* }== */
