/*
** Writes a file completely or not at all.
*/
#ifndef SP_DEMO_ATOMIC_FILE_H
#define SP_DEMO_ATOMIC_FILE_H

#include <stddef.h>

#define ATOMIC_FILE_NAME_MOST 1024 /* bytes of a file name, including the terminator */

/* Writes `size` bytes to the file at `path`. Returns 0, or an errno: the old content is then unchanged, and no new
   file appears. Devices, pipes, and files in a folder that accepts no new ones are written in place, without that
   promise. */
int atomic_file_write(const char *path, const void *bytes, size_t size);

#endif
