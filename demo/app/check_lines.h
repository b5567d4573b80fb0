/*
** The last line written about each pool, so that only changes are written, and a replay can compare.
*/
#ifndef SP_DEMO_CHECK_LINES_H
#define SP_DEMO_CHECK_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct check_line {
  char *pool, *line;
} check_line;

typedef struct check_lines {
  check_line *all;
  size_t count, room;
} check_lines;

/* Stores the line of a pool; returns whether it differs from the previous one, also true when out of memory. */
bool check_lines_set(check_lines *list, const char *pool, const char *line);

/* Returns the line of a pool, or NULL. */
const char *check_lines_get(const check_lines *list, const char *pool);

/* Writes the names of words in which two lines differ: objects first, then fields; a few of them. */
void check_lines_compare(const char *recorded, const char *now, char *out, size_t size);

void check_lines_free(check_lines *list);

#endif
