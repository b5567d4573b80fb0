/*
** Converts vectors to angles and back without the C library, whose rounding differs from machine to machine. Arcs of
** many vectors are computed at once, without branches.
*/
#ifndef SP_CORE_ANGLE_H
#define SP_CORE_ANGLE_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "core/simd.h"

/* Returns the arc tangent of a number from 0 to tan(pi / 8), with a relative error of at most 2e-11. */
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

/* Returns atan2f(y, x), computed in doubles and rounded once; NaN for 0, 0. Infinities are clamped to FLT_MAX. */
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

/* Computes the sine and the cosine of an angle in doubles, and rounds each once; NaN for infinities. The polynomials
   are those of FreeBSD's sinf and cosf, with an error of 2^-34. */
static inline void sp_turn(float angle, float *cosine, float *sine)
{
  const double turn = 6.28318530717958647692, quarters_each = 0.63661977236758134308;
  const double quarter = 1.57079632673412561417, rest = 6.07710050650619224932e-11; /* the first has 33 bits */
  const double rounding = 6755399441055744.0;                                       /* has no bits for fractions */
  double x = fabsf(angle) < 1e6f ? angle : fmod(angle, turn);
  double count = (x * quarters_each + rounding) - rounding;
  x = (x - count * quarter) - count * rest;
  double t = x * x, u = t * t;
  float across = (float)(x + x * t * (-0.166666666416265235595 + t * 0.0083333293858894631756) +
                         x * t * u * (-0.000198393348360966317347 + t * 0.0000027183114939898219064));
  float along = (float)(1 + t * -0.499999997251031003120 + u * 0.0416666233237390631894 +
                        t * u * (-0.00138867637746099294692 + t * 0.0000243904487962774090654));
  unsigned which = x == x ? (unsigned)(int)count & 3 : 0;
  *cosine = which == 0 ? along : which == 1 ? -across : which == 2 ? -along : across;
  *sine = which == 0 ? across : which == 1 ? along : which == 2 ? -across : -along;
}

#endif
