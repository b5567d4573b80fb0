/*
** Reads a file of recorded input. Every line is checked here, so that a replay can rely on it.
*/
#ifndef SP_DEMO_RECORDING_READ_H
#define SP_DEMO_RECORDING_READ_H

#include "demo/app/recording.h"

#define RECORDING_BYTES_MOST ((size_t)1 << 30) /* of a file */

/* Reads a file. False, with one line in `error`: the file, the line in it, and what is wrong there. A last line that is
   cut off is dropped. Free with recording_free in any case; a zeroed one is empty. */
bool recording_read(recording *r, const char *file, char *error, size_t error_size);
void recording_free(recording *r);

#endif
