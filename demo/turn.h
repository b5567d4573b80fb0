/*
** Cosines and sines of many angles at once, for pictures.
*/
#ifndef SP_DEMO_TURN_H
#define SP_DEMO_TURN_H

#define TURN_COUNT 64
#define TURN_MOST 1e6f /* radians */

/* Of TURN_COUNT angles between -TURN_MOST and TURN_MOST. Good to the last bit or the one before. */
void turn_all(const float *angles, float *cosines, float *sines);

#endif
