/*
** Reduces an angle by whole quarter turns to within 1/8 turn of 0, where short polynomials suffice; the quarter
** decides which of the two is the sine, and the signs. There are no branches: half of all angles would be
** mispredicted.
*/
#include "demo/support/sincos.h"

#include <stdint.h>

#define QUARTERS_PER_RADIAN 0.63661977236758134308
#define QUARTER_HIGH 1.57079632673412561417 /* few enough digits for exact products with whole numbers */
#define QUARTER_LOW 6.07710050650619224932e-11
#define ROUNDING 6755399441055744.0 /* a double of this size has no fractional bits */

static double sine(double x, double x2)
{
  return x + x * x2 *
                 (-1.6666666666666632e-1 +
                  x2 * (8.3333333333224895e-3 + x2 * (-1.9841269829857949e-4 + x2 * 2.7557313707070068e-6)));
}

static double cosine(double x2)
{
  return 1 +
         x2 * (-0.5 + x2 * (4.1666666666666602e-2 + x2 * (-1.3888888888874110e-3 +
                                                          x2 * (2.4801587289476729e-5 + x2 * -2.7557314351390663e-7))));
}

void sincos_all(const float *restrict angles, float *restrict cosines, float *restrict sines)
{
  for (int i = 0; i < SINCOS_COUNT; i++) {
    double quarters = angles[i] * QUARTERS_PER_RADIAN;
    quarters = (quarters + ROUNDING) - ROUNDING;
    double x = (angles[i] - quarters * QUARTER_HIGH) - quarters * QUARTER_LOW, x2 = x * x;
    float along = (float)cosine(x2), across = (float)sine(x, x2);
    int32_t quarter = (int32_t)quarters;
    float c = quarter & 1 ? across : along, s = quarter & 1 ? along : across;
    cosines[i] = (quarter + 1) & 2 ? -c : c;
    sines[i] = quarter & 2 ? -s : s;
  }
}
