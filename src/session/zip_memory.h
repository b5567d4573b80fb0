/*
** Zips in memory, for minizip.
*/
#ifndef SP_SESSION_ZIP_MEMORY_H
#define SP_SESSION_ZIP_MEMORY_H

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stddef.h>

/* The bytes of a zip; those that are written are from malloc. */
typedef struct sp_zip_memory {
  char *bytes;
  size_t size, room, at;
} sp_zip_memory;

/* Return NULL when the zip cannot be made, or is none. The memory must outlive it. */
zipFile sp_zip_create(sp_zip_memory *m);
unzFile sp_zip_open(sp_zip_memory *m);

#endif
