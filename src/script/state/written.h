/*
** Files and folders that are written: whole files, completely or not at all, folders, names. What the calls return is 0
** or an errno.
*/
#ifndef SP_SCRIPT_WRITTEN_H
#define SP_SCRIPT_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Writes `size` bytes to the file at `path`. After a failure the old content is unchanged, and no new file appears.
   Devices, pipes, and files in a folder that accepts no new ones are written in place, without that promise. */
int sp_file_write_whole(const char *path, const void *bytes, size_t size);

/* Creates a folder, and those above it that are missing; `own`: readable by its owner only. It may exist. */
int sp_folder_make(const char *path, bool own);

/* Removes a file, which may be missing. */
int sp_file_remove(const char *path);

/* Renames a file, replacing an existing one. */
int sp_file_rename(const char *from, const char *to);

/* Writes a file name for `name`, which consists of letters, digits, '_' and '-'. Different names get different files,
   also where case does not matter, and no name is that of a device. */
void sp_file_name(const char *name, char *file, size_t size);

#endif
