/*
** The area in which the memory of a script lies: blocks of all sizes keep what is written into them, and a copy of the
** area brings them back.
*/
#include "script/host/checkpoint.h"
#include "support/test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 400, ROUNDS = 12000 };

typedef struct block {
  unsigned char *at;
  size_t size;
  unsigned char mark;
} block;

static uint64_t any(uint64_t *random, uint64_t below)
{
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*random >> 33) % below;
}

/* Mostly small, now and then pages; 0: none. */
static size_t any_size(uint64_t *random)
{
  static const size_t most[] = {1, 40, 40, 40, 200, 200, 1100, 9000, 70000, 300000};
  return any(random, most[any(random, sizeof most / sizeof *most)]);
}

static void expect_marks(const block *b)
{
  for (size_t i = 0; i < b->size; i += b->size < 64 ? 1 : b->size - 1)
    ck_assert_uint_eq(b->at[i], b->mark);
}

static void change(sp_arena *a, block *b, uint64_t *random)
{
  size_t size = any_size(random), kept = size < b->size ? size : b->size;
  unsigned char *at = sp_arena_resize(a, b->at, b->at ? b->size : 0, size);
  ck_assert((at != NULL) == (size > 0) && (uintptr_t)at % 16 == 0);
  *b = (block){at, kept, b->mark};
  expect_marks(b);
  *b = (block){at, size, (unsigned char)any(random, 256)};
  if (size > 0)
    memset(at, b->mark, size);
}

static test_group core = {"core"};

TEST(core, a_copy_brings_back_every_block)
{
  static block blocks[BLOCKS], then[BLOCKS];
  sp_arena *a = sp_arena_open((size_t)1 << 30);
  uint64_t random = 7;
  void *copy = NULL;
  ck_assert_ptr_nonnull(a);
  for (int round = 0; round < ROUNDS; round++) {
    block *b = &blocks[any(&random, BLOCKS)];
    expect_marks(b);
    change(a, b, &random);
    if (round % 3000 == 1500) {
      free(copy);
      copy = malloc(sp_arena_bytes(a));
      ck_assert_ptr_nonnull(copy);
      sp_arena_copy(a, copy);
      memcpy(then, blocks, sizeof then);
    }
    if (round % 3000 == 2999) {
      sp_arena_put_back(a, copy);
      memcpy(blocks, then, sizeof then);
      for (int i = 0; i < BLOCKS; i++)
        expect_marks(&blocks[i]);
    }
  }
  ck_assert_uint_lt(sp_arena_bytes(a), (size_t)80 << 20);
  free(copy);
  sp_arena_close(a);
}

TEST(core, an_area_that_is_full_refuses_and_keeps_what_it_has)
{
  sp_arena *a = sp_arena_open((size_t)1 << 20);
  ck_assert_ptr_nonnull(a);
  ck_assert_ptr_null(sp_arena_resize(a, NULL, 0, SIZE_MAX));
  char *kept = sp_arena_resize(a, NULL, 0, 500000);
  ck_assert_ptr_nonnull(kept);
  kept[0] = 'x';
  ck_assert_ptr_null(sp_arena_resize(a, kept, 500000, 900000));
  ck_assert_int_eq(kept[0], 'x');
  ck_assert_ptr_null(sp_arena_resize(a, kept, 500000, 0));
  ck_assert_ptr_eq(sp_arena_resize(a, NULL, 0, 400000), kept);
  ck_assert_ptr_eq(sp_arena_resize(a, NULL, 0, 90000), kept + 401408); /* the rest of it */
  sp_arena_close(a);
}

SUITE(arena, &core)
