#include "demo/app/pool_hashes.h"

#include <stdio.h>
#include <string.h>

#include "script/host/part_hashes.h"

#define NAMED_MOST 3 /* objects, and fields, that a difference names */

static const cJSON *item(const cJSON *object, const char *name)
{
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* {== Taking ============================================================= */

typedef struct taking {
  cJSON *pools, *fields, *objects; /* the last two of the current pool */
} taking;

static void on_part(void *ud, sp_hash_of of, const char *name, uint32_t number)
{
  taking *t = ud;
  char digits[12];
  snprintf(digits, sizeof digits, "%08x", (unsigned)number);
  if (of != SP_HASH_POOL) {
    cJSON_AddStringToObject(of == SP_HASH_FIELD ? t->fields : t->objects, name, digits);
    return;
  }
  cJSON *pool = cJSON_AddObjectToObject(t->pools, name);
  cJSON_AddStringToObject(pool, "hash", digits);
  t->fields = cJSON_AddObjectToObject(pool, "fields");
  t->objects = cJSON_AddObjectToObject(pool, "objects");
}

uint64_t pool_hashes_take(sp_script *script, cJSON **pools)
{
  taking t = {.pools = cJSON_CreateObject()};
  *pools = t.pools;
  return sp_script_hash(script, on_part, &t);
}

static bool is_same(const cJSON *a, const cJSON *b)
{
  const char *one = cJSON_GetStringValue(item(a, "hash")), *other = cJSON_GetStringValue(item(b, "hash"));
  return one && other && strcmp(one, other) == 0;
}

char *pool_hashes_changed(const cJSON *now, const cJSON *before)
{
  cJSON *changed = cJSON_CreateObject(), *pool;
  cJSON_ArrayForEach(pool, now)
  {
    if (!is_same(pool, item(before, pool->string)))
      cJSON_AddItemReferenceToObject(changed, pool->string, pool);
  }
  char *text = cJSON_PrintUnformatted(changed);
  cJSON_Delete(changed);
  return text;
}

void pool_hashes_add(cJSON *pools, const char *text)
{
  cJSON *read = cJSON_Parse(text), *pool;
  while (read && (pool = cJSON_DetachItemFromArray(read, 0)) != NULL) {
    cJSON_DeleteItemFromObjectCaseSensitive(pools, pool->string);
    if (!cJSON_AddItemToObject(pools, pool->string, pool))
      cJSON_Delete(pool);
  }
  cJSON_Delete(read);
}

/* }== */

/* {== Comparing ========================================================== */

typedef struct naming {
  char *out;
  size_t size, used;
} naming;

static void say(naming *n, const char *text)
{
  size_t length = strlen(text);
  if (n->used + length >= n->size)
    return;
  memcpy(n->out + n->used, text, length + 1);
  n->used += length;
}

static void say_name(naming *n, const char *noun, const char *name, int count)
{
  if (count > NAMED_MOST)
    return;
  say(n, n->used > 0 ? ", " : "");
  say(n, count == 1 ? noun : "");
  say(n, name);
}

/* Names what differs between two objects of hashes, or is in one of them only. */
static void say_parts(naming *n, const char *noun, const cJSON *then, const cJSON *now)
{
  const cJSON *part;
  char more[40];
  int count = 0;
  cJSON_ArrayForEach(part, then)
  {
    if (!cJSON_Compare(part, item(now, part->string), true))
      say_name(n, noun, part->string, ++count);
  }
  cJSON_ArrayForEach(part, now)
  {
    if (!item(then, part->string))
      say_name(n, noun, part->string, ++count);
  }
  snprintf(more, sizeof more, " and %d more", count - NAMED_MOST);
  say(n, count > NAMED_MOST ? more : "");
}

void pool_hashes_compare(const cJSON *then, const cJSON *now, char *out, size_t size)
{
  const cJSON *pool;
  cJSON_ArrayForEach(pool, now)
  {
    const cJSON *old = item(then, pool->string);
    if (is_same(pool, old))
      continue;
    char parts[300] = "it was not there when this was recorded";
    naming n = {.out = parts, .size = sizeof parts};
    if (old) {
      say_parts(&n, "object ", item(old, "objects"), item(pool, "objects"));
      say_parts(&n, "field ", item(old, "fields"), item(pool, "fields"));
    }
    snprintf(out, size, "pool %.80s: %s", pool->string, parts);
    return;
  }
  snprintf(out, size, "the clock of the game, or a pool that is gone");
}

/* }== */
