#include "script/state/edit_distance.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Three rows of the usual table: a swap of neighbours looks two rows back. */
size_t sp_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
  size_t rows[3][SP_EDIT_MOST + 1];
  if (a_length > SP_EDIT_MOST || b_length > SP_EDIT_MOST)
    return a_length > b_length ? a_length : b_length;
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *row = rows[i % 3];
    const size_t *before = rows[(i - 1) % 3], *before2 = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = least(least(row[j - 1], before[j]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before2[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}
