/*
** Which way vectors point, for many at once, without branches and without the C library: the same on every machine.
*/
#ifndef SP_CORE_ANGLE_H
#define SP_CORE_ANGLE_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "core/wide.h"

/* The arc tangent of 0 .. tan(pi / 8), to 2e-11 of it. */
SP_PASS double sp_small_arc(double tangent)
{
  const double t = tangent * tangent;
  return tangent *
         (0.999999999979298714 +
          t * (-0.333333321349757171 +
               t * (0.199998863783433824 +
                    t * (-0.14281651144164795 +
                         t * (0.110411874089907025 + t * (-0.0845979814933375588 + t * 0.0471433372281457784))))));
}

/* atan2f(y, x), rounded once, from doubles. No number for 0, 0. Infinities count as the largest number there is. */
SP_PASS float sp_angle(float y, float x)
{
  const double quarter = 0.78539816339744830962, tangent = 0.41421356237309504880; /* of half of that */
  float wide = fabsf(x), high = fabsf(y);
  wide = wide > FLT_MAX ? FLT_MAX : wide;
  high = high > FLT_MAX ? FLT_MAX : high;
  bool up = wide < high, back = x < 0;
  double less = up ? wide : high, more = up ? high : wide;
  bool steep = less > more * tangent;
  double rise = steep ? less - more : less, run = steep ? less + more : more;
  double arc = (steep ? quarter : 0) + sp_small_arc(rise / run);
  arc = up ? 2 * quarter - arc : arc;
  arc = back ? 4 * quarter - arc : arc;
  return copysignf((float)arc, y);
}

#endif
