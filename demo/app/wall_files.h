/*
** The part of the second wall that denies access to files: Landlock.
*/
#ifndef SP_DEMO_WALL_FILES_H
#define SP_DEMO_WALL_FILES_H

#include <stdbool.h>

/* Returns the version of Landlock that the kernel has, 0 for none. */
int wall_files_version(void);

/* See wall_raise. Call it in the first thread of the process. False with errno. */
bool wall_files_raise(const char *folder, const char *data, bool window);

#endif
