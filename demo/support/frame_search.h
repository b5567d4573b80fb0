/*
** Finds the place of a frame in a list that is sorted by frames.
*/
#ifndef SP_DEMO_FRAME_SEARCH_H
#define SP_DEMO_FRAME_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the index of the first of `count` items behind `frame`. `first` is the frame of the first item, `stride` the
   bytes from the frame of one item to that of the next. */
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
