/*
** A file that is written whole or not at all.
*/
#ifndef SP_DEMO_ATOMIC_FILE_H
#define SP_DEMO_ATOMIC_FILE_H

#include <stddef.h>

#define ATOMIC_FILE_NAME_MOST 1024 /* bytes of a name that is kept, with its end */

/* Writes `size` bytes to the file at `path`. Returns 0, or an errno: what was there before stays then, and a new file
   does not appear. Devices, pipes, and files in a folder that takes no new ones are written in place, without that
   promise. */
int atomic_file_write(const char *path, const void *bytes, size_t size);

#endif
