/*
** Cosines and sines of many angles at once, for pictures.
*/
#ifndef SP_DEMO_SINCOS_H
#define SP_DEMO_SINCOS_H

#define SINCOS_COUNT 64
#define SINCOS_MOST 1e6f /* radians */

/* Of SINCOS_COUNT angles between -SINCOS_MOST and SINCOS_MOST. Good to the last bit or the one before. */
void sincos_all(const float *angles, float *cosines, float *sines);

#endif
