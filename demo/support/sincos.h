/*
** Cosines and sines of many angles at once, for drawing.
*/
#ifndef SP_DEMO_SINCOS_H
#define SP_DEMO_SINCOS_H

#define SINCOS_COUNT 64
#define SINCOS_MOST 1e6f /* radians */

/* Computes SINCOS_COUNT angles between -SINCOS_MOST and SINCOS_MOST, with an error of at most one unit in the last
   place. */
void sincos_all(const float *angles, float *cosines, float *sines);

#endif
