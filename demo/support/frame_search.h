/*
** Binary search in a list that is sorted by frame.
*/
#ifndef SP_DEMO_FRAME_SEARCH_H
#define SP_DEMO_FRAME_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the index of the first of `count` items whose frame is greater than `frame`; `count` if there is none.
   `first` points to the frame of the first item, and `stride` is the distance to that of the next one, in bytes. */
static inline size_t frame_search(const uint64_t *first, size_t stride, size_t count, uint64_t frame)
{
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint64_t there;
    memcpy(&there, (const char *)first + middle * stride, sizeof there);
    if (there <= frame)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif
