#include "demo/app/state_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/strings.h"

#define NAMED_MOST 3 /* objects, and fields, that a difference names */

/* {== The parts ========================================================== */

/* Replaces what JSON cannot hold: names are the game's. */
static void copy_name(char *out, size_t size, const char *name)
{
  snprintf(out, size, "%.*s", (int)utf8_fit(name, size - 1), name);
  if (!utf8_is_valid(out, strlen(out)))
    for (char *c = out; *c; c++)
      if ((unsigned char)*c >= 0x80)
        *c = '?';
}

/* Returns the member of an object, which is made if it is missing. */
static cJSON *member(cJSON *object, const char *name)
{
  cJSON *it = cJSON_GetObjectItemCaseSensitive(object, name);
  return it ? it : cJSON_AddObjectToObject(object, name);
}

static void add_part(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number)
{
  char key[160], value[24];
  copy_name(key, sizeof key, pool);
  cJSON *parts = member(ud, key);
  copy_name(key, sizeof key, name);
  if (kind == SP_HASH_POOL)
    snprintf(value, sizeof value, "%" PRIx64, number);
  else
    snprintf(value, sizeof value, "%08" PRIx64, number >> 32); /* the upper half depends on every bit of the state */
  parts = kind == SP_HASH_POOL ? parts : member(parts, kind == SP_HASH_FIELD ? "fields" : "objects");
  cJSON_AddStringToObject(parts, key, value);
}

cJSON *state_parts(sp_script *script, uint64_t *hash)
{
  cJSON *all = cJSON_CreateObject();
  *hash = sp_script_hash(script, add_part, all);
  return all;
}

/* }== */

/* {== Comparing ========================================================== */

typedef struct naming {
  char *out;
  size_t size, used;
  const char *noun; /* written before the first name */
  int count;
} naming;

static void say(naming *n, const char *before, const char *name)
{
  if (n->used < n->size)
    n->used += (size_t)snprintf(n->out + n->used, n->size - n->used, "%s%.80s", before, name);
}

/* Names the members of `all` that differ from those of `others`; or, `missing`, those that `others` lacks. */
static void name_members(naming *n, const cJSON *all, const cJSON *others, bool missing)
{
  for (const cJSON *it = all ? all->child : NULL; it; it = it->next) {
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(others, it->string);
    if (missing ? other != NULL : cJSON_Compare(it, other, true))
      continue;
    if (n->count == 0)
      say(n, n->used > 0 ? ", " : "", n->noun);
    if (n->count < NAMED_MOST)
      say(n, n->count > 0 ? ", " : " ", it->string);
    n->count++;
  }
}

static void name_kind(naming *n, const char *noun, const cJSON *before, const cJSON *now)
{
  char more[40];
  n->noun = noun;
  n->count = 0;
  name_members(n, before, now, false);
  name_members(n, now, before, true);
  snprintf(more, sizeof more, " and %d more", n->count - NAMED_MOST);
  say(n, n->count > NAMED_MOST ? more : "", "");
}

static void compare_pools(const cJSON *before, const cJSON *now, char *out, size_t size)
{
  naming n = {.out = out, .size = size};
  snprintf(out, size, before ? "pool %.80s: " : "pool %.80s: it was not there before", now->string);
  n.out += strlen(out);
  n.size -= strlen(out);
  if (!before)
    return;
  const char *const kinds[] = {"objects", "fields"}, *const nouns[] = {"object", "field"};
  for (int i = 0; i < 2; i++)
    name_kind(&n, nouns[i], cJSON_GetObjectItemCaseSensitive(before, kinds[i]),
              cJSON_GetObjectItemCaseSensitive(now, kinds[i]));
  if (n.used == 0)
    say(&n, "its counts, or the order of its idle objects", "");
}

void state_parts_compare(const cJSON *before, const cJSON *now, char *out, size_t size)
{
  for (const cJSON *pool = now ? now->child : NULL; pool; pool = pool->next) {
    const cJSON *was = cJSON_GetObjectItemCaseSensitive(before, pool->string);
    if (!was || !cJSON_Compare(was, pool, true)) {
      compare_pools(was, pool, out, size);
      return;
    }
  }
  snprintf(out, size, "the clock of the game, or a pool that is gone");
}

/* }== */
