/*
** Two sessions side by side: the first object and field in which they differ.
*/
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/spawnpool_tools.h"
#include "script/host/inspect.h"
#include "session/replay.h"
#include "session/session.h"

typedef struct sides {
  sp_session *a, *b;
  char *text;
  size_t size;
} sides;

static sp_ref object_of(sp_session *s, const char *type, uint32_t number)
{
  char name[300];
  snprintf(name, sizeof name, "%.200s#%" PRIu32, type, number);
  return sp_session_find_object(s, name);
}

/* Writes the first field of an object that differs; false when all that is shown is the same. */
static bool compare_fields(const sides *c, const char *type, uint32_t number, sp_ref a, sp_ref b)
{
  static const uint32_t most = SP_FIELDS_SHOWN;
  sp_field_value left[SP_FIELDS_SHOWN], right[SP_FIELDS_SHOWN];
  const uint32_t lefts = sp_script_fields(c->a->script, a, left), rights = sp_script_fields(c->b->script, b, right);
  for (uint32_t i = 0; i < lefts && i < rights && i < most; i++) {
    const bool is_number = left[i].type == SP_FIELD_NUMBER && right[i].type == SP_FIELD_NUMBER;
    const bool same = is_number ? memcmp(&left[i].number, &right[i].number, sizeof(double)) == 0
                                : strcmp(left[i].text, right[i].text) == 0;
    if (strcmp(left[i].name, right[i].name) == 0 && same)
      continue;
    if (is_number)
      snprintf(c->text, c->size, "%s#%" PRIu32 ".%s is %.17g and %.17g", type, number, left[i].name, left[i].number,
               right[i].number);
    else
      snprintf(c->text, c->size, "%s#%" PRIu32 ".%s is %s and %s", type, number, left[i].name, left[i].text,
               right[i].text);
    return true;
  }
  return false;
}

/* Compares the objects of a pool, by number. */
static bool compare_objects(const sides *c, const char *type)
{
  sp_manager *m = sp_script_pools(c->a->script), *n = sp_script_pools(c->b->script);
  sp_pool *pools[] = {m ? sp_manager_pool(m, type) : NULL, n ? sp_manager_pool(n, type) : NULL};
  for (int side = 0; side < 2; side++) {
    sp_walk walk;
    if (!pools[side])
      continue;
    walk = sp_pool_walk(pools[side]);
    for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
      const uint32_t number = sp_object_number(side ? n : m, object);
      const sp_ref other = object_of(side ? c->a : c->b, type, number);
      if (!other) {
        snprintf(c->text, c->size, "%s#%" PRIu32 " is live in the %s only", type, number, side ? "second" : "first");
        return true;
      }
      if (side == 0 && compare_fields(c, type, number, object, other))
        return true;
    }
  }
  return false;
}

bool sp_session_compare(sp_session *a, sp_session *b, char *text, size_t size)
{
  uint64_t left = 0, right = 0;
  const sides c = {a, b, text, size};
  char where[400];
  snprintf(text, size, "%s", "");
  cJSON *before = sp_replay_parts(a, &left), *now = sp_replay_parts(b, &right);
  bool found = left == right;
  const cJSON *pool = found || !now ? NULL : now->child;
  for (; pool && !found; pool = pool->next) {
    const cJSON *was = cJSON_GetObjectItemCaseSensitive(before, pool->string);
    if (!was || !cJSON_Compare(was, pool, true))
      found = compare_objects(&c, pool->string);
  }
  if (!found) {
    sp_replay_compare_parts(before, now, where, sizeof where);
    snprintf(text, size, "%s", where);
  }
  cJSON_Delete(before);
  cJSON_Delete(now);
  return left == right;
}
