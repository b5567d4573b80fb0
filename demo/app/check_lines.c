#include "demo/app/check_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 3 /* objects, and fields, that a difference names */

static check_line *find(const check_lines *list, const char *pool)
{
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->all[i].pool, pool) == 0)
      return &list->all[i];
  return NULL;
}

/* Returns the line of a pool that has none yet; NULL when memory is refused. */
static check_line *add(check_lines *list, const char *pool)
{
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 16;
    check_line *grown = realloc(list->all, room * sizeof *grown);
    if (!grown)
      return NULL;
    list->all = grown;
    list->room = room;
  }
  check_line *new = &list->all[list->count];
  *new = (check_line){.pool = strdup(pool)};
  list->count += new->pool != NULL;
  return new->pool ? new : NULL;
}

bool check_lines_set(check_lines *list, const char *pool, const char *line)
{
  check_line *its = find(list, pool);
  if (its && its->line && strcmp(its->line, line) == 0)
    return false;
  its = its ? its : add(list, pool);
  if (its) {
    free(its->line);
    its->line = strdup(line);
  }
  return true;
}

const char *check_lines_get(const check_lines *list, const char *pool)
{
  const check_line *its = find(list, pool);
  return its ? its->line : NULL;
}

/* {== Comparing ========================================================== */

/* Returns the word "NAME=" of a line with its value, `*length` bytes; NULL: there is none. */
static const char *find_word(const char *line, const char *name, size_t name_length, size_t *length)
{
  for (const char *at = line; *at; at += strcspn(at, " "), at += *at == ' ') {
    *length = strcspn(at, " ");
    if (*length > name_length && strncmp(at, name, name_length) == 0 && at[name_length] == '=')
      return at;
  }
  return NULL;
}

typedef struct naming {
  char *out;
  size_t size, used;
  const char *noun; /* written before the first name */
  int objects;      /* 1: only objects are named, 0: only fields */
  int count;
} naming;

static void say(naming *n, const char *name, size_t length)
{
  n->count++;
  if (n->count > NAMED_MOST || n->used >= n->size)
    return;
  int written = n->count == 1 ? snprintf(n->out + n->used, n->size - n->used, "%s%s %.*s", n->used ? ", " : "", n->noun,
                                         (int)length, name)
                              : snprintf(n->out + n->used, n->size - n->used, ", %.*s", (int)length, name);
  n->used += written > 0 ? (size_t)written : 0;
}

/* Writes the names of words of `line` that `other` lacks; if `both`, of words that both lines have, with different
   values. */
static void name_words(naming *n, const char *line, const char *other, bool both)
{
  for (const char *at = line; *at; at += strcspn(at, " "), at += *at == ' ') {
    size_t length = strcspn(at, " "), name = strcspn(at, "= "), other_length;
    const char *there = find_word(other, at, name, &other_length);
    bool same = there && other_length == length && strncmp(there, at, length) == 0;
    if ((*at == '#') == n->objects && !same && (!there || both))
      say(n, at, name);
  }
}

static void name_kind(naming *n, const char *recorded, const char *now, const char *noun, bool objects)
{
  n->noun = noun;
  n->objects = objects;
  n->count = 0;
  name_words(n, recorded, now, true);
  name_words(n, now, recorded, false);
  if (n->count > NAMED_MOST && n->used < n->size)
    n->used += (size_t)snprintf(n->out + n->used, n->size - n->used, " and %d more", n->count - NAMED_MOST);
}

void check_lines_compare(const char *recorded, const char *now, char *out, size_t size)
{
  naming n = {.out = out, .size = size};
  out[0] = '\0';
  name_kind(&n, recorded, now, "object", true);
  name_kind(&n, recorded, now, "field", false);
}

/* }== */

void check_lines_free(check_lines *list)
{
  for (size_t i = 0; i < list->count; i++) {
    free(list->all[i].pool);
    free(list->all[i].line);
  }
  free(list->all);
  *list = (check_lines){.count = 0};
}
