/*
** Ids of managers, in a process that has given none yet: which come first, how many there are, and that an id which is
** given again revives no reference.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdlib.h>

static test_group ids = {"ids"};

static sp_ref begin_and_keep(sp_manager *m, sp_ref *first)
{
  sp_ref object = sp_pool_alloc(sp_manager_add_pool(m, &TEST_DESC(.type = "A"), NULL), 0, NULL, NULL);
  *first = *first ? *first : object;
  return object;
}

TEST(ids, begin_at_one_and_there_are_4095)
{
  static sp_manager *open[SP_MAX_MANAGERS];
  static sp_ref objects[SP_MAX_MANAGERS];
  sp_ref first = 0;
  sp_result why = SP_OK;
  for (uint32_t i = 0; i < SP_MAX_MANAGERS; i++) {
    must((open[i] = sp_manager_open(NULL, NULL)) != NULL);
    objects[i] = begin_and_keep(open[i], &first);
  }
  ck_assert_uint_eq(first, (sp_ref)1 << 32 | 1u << 24);
  for (uint32_t i = 0; i < SP_MAX_MANAGERS; i++)
    for (uint32_t k = i % 64; k < SP_MAX_MANAGERS; k += 64)
      must(sp_object_is_live(open[i], objects[k]) == (i == k) &&
           sp_object_check(open[i], objects[k]) == (i == k ? SP_OK : SP_FOREIGN));
  const sp_manager_options heard = TEST_OPTIONS(.on_log = core_hear);
  ck_assert(!sp_manager_open(&heard, &why) && why == SP_FULL);
  ck_assert_str_eq(core_said, "sp_manager_options: id cannot be given: 4095 managers are open");
  sp_manager_close(open[1000]);
  sp_manager_close(open[70]);
  for (int i = 0; i < 2; i++) { /* the one that was closed first */
    const uint32_t id = i == 0 ? 1000 : 70;
    must((open[id] = sp_manager_open(&heard, NULL)) != NULL);
    sp_ref object = begin_and_keep(open[id], &first);
    ck_assert_uint_eq(object & 0xffffffffu, objects[id] & 0xffffffffu);
    ck_assert(object > objects[id] && object >> 60 == objects[id] >> 60);
    ck_assert_int_eq(sp_object_check(open[id], objects[id]), SP_STALE);
  }
  ck_assert(!sp_manager_open(NULL, &why) && why == SP_FULL);
  for (uint32_t i = 0; i < SP_MAX_MANAGERS; i++)
    sp_manager_close(open[i]);
}

/* A reference of each id is kept, and one of the latest: none of them may ever be live again. */
TEST(ids, that_are_given_again_never_revive_a_reference)
{
  const int rounds = getenv("SP_TEST_TOOL") ? 20000 : 1000000;
  static sp_ref kept[SP_MAX_MANAGERS + 1];
  sp_ref first = 0, last = 0;
  for (int i = 0; i < rounds; i++) {
    sp_manager *m = sp_manager_open(NULL, NULL);
    sp_pool *p = sp_manager_add_pool(m, &TEST_DESC(.type = "A", .settings.grow = 1), NULL);
    sp_ref object = sp_pool_alloc(p, 0, NULL, NULL);
    const uint32_t id = (uint32_t)(object >> 24 & 0xff) | (uint32_t)(object >> 60) << 8;
    must(object > kept[id] && !sp_object_is_live(m, kept[id]) && !sp_object_is_live(m, last) &&
         !sp_object_is_live(m, first));
    must(i < SP_MAX_MANAGERS || sp_object_check(m, kept[id]) == SP_STALE);
    must(i >= SP_MAX_MANAGERS || id == (uint32_t)i + 1);
    kept[id] = last = object;
    first = first ? first : object;
    sp_manager_close(m);
  }
}

TEST(ids, that_a_host_chose_are_of_all_its_managers_and_end_with_their_lives)
{
  const sp_manager_options options = TEST_OPTIONS(.id = 700, .lives = 6);
  sp_result why = SP_OK;
  sp_manager *a = sp_manager_open(&options, NULL), *twin = sp_manager_open(&options, NULL),
             *other = sp_manager_open(&TEST_OPTIONS(.id = 444), NULL);
  sp_ref first = 0, object = begin_and_keep(a, &first);
  ck_assert(begin_and_keep(twin, &first) == object && begin_and_keep(other, &first) != object);
  ck_assert(sp_object_check(other, object) == SP_FOREIGN &&
            sp_object_is_live(twin, object)); /* 444 and 700 differ in 4 bits */
  sp_manager_close(a);
  sp_manager_close(twin);
  ck_assert((a = sp_manager_open(&options, &why)) != NULL && why == SP_OK);
  ck_assert(begin_and_keep(a, &first) != object && sp_object_check(a, object) == SP_STALE);
  sp_manager_close(a);
  ck_assert((a = sp_manager_open(&options, &why)) == NULL && why == SP_FULL);
  sp_manager_close(other);
}

SUITE(ids, &ids)
