/*
** Spots: circles as arrays of their numbers, for vector loops. sp_pool_overlaps copies the live objects of a pool into
** spots, and sorts the copies.
*/
#ifndef SP_CORE_SPOTS_H
#define SP_CORE_SPOTS_H

#include "core/places.h"

/* Loops test so many spots at once, and may read so many past the end. */
#define SP_AT_ONCE 8u

typedef struct sp_spots {
  float *x, *y, *radius;
  uint32_t *index; /* the slot of a gathered spot; of a sorted one, the number of the gathered one */
  uint32_t count;
} sp_spots;

/* Sums of floats are rounded. Where they only preselect spots, the reach is this much larger. */
#define SP_SPOT_MARGIN 1.000001f

/* Bytes that `count` spots take, the padding included; a multiple of 8. */
size_t sp_spots_size(uint32_t count);
/* Such spots in a block of memory, which is not touched. */
sp_spots sp_spots_at(unsigned char *block, uint32_t count);
/* Writes zeros past the end: loops may read there, and ignore what they read. */
void sp_spots_pad(const sp_spots *spots);

/* Appends the live objects of a chunk whose place and radius are finite, in slot order; there must be room. Sets `wild`
   when some are so far away, large or small that squares of floats overflow or underflow. Returns false if the query
   must end. */
bool sp_spots_gather(sp_spots *spots, uint32_t *generations, const sp_pool *p, uint32_t chunk, bool *wild,
                     sp_progress *progress);

/* Copies the circle at `i`, without its index, to `at`. */
static inline void sp_spots_copy(const sp_spots *to, uint32_t at, const sp_spots *from, uint32_t i)
{
  to->x[at] = from->x[i];
  to->y[at] = from->y[i];
  to->radius[at] = from->radius[i];
}

/* Some of them. */
static inline sp_spots sp_spots_from(const sp_spots *s, uint32_t first, uint32_t count)
{
  return (sp_spots){s->x + first, s->y + first, s->radius + first, s->index + first, count};
}

typedef struct sp_range {
  float low, high;
} sp_range;

/* Of at least one number. */
sp_range sp_range_of(const float *numbers, uint32_t count);

/* Where the centres of some circles are, and the largest radius. */
typedef struct sp_box {
  float left, right, top, bottom, radius;
} sp_box;

/* Of at least one spot. */
sp_box sp_spots_box(const sp_spots *spots);

#endif
