/*
** Files of a test, in a folder that it made.
*/
#ifndef SP_TESTS_FILES_H
#define SP_TESTS_FILES_H

#include <stdbool.h>

/* "FOLDER/NAME", good for seven more calls. */
const char *test_path(const char *folder, const char *name);

/* Writes a file, and makes the folders that it needs. */
void test_write(const char *path, const char *text);

/* Makes a symbolic link; false where the system has none that a test can make. */
bool test_link(const char *target, const char *path);

/* Removes a folder with all that is in it, or a file; it may be missing. Links are not followed. False with errno. */
bool test_folder_remove(const char *path);

#endif
