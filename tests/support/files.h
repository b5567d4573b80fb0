/*
** Files of a test, in a folder that it made.
*/
#ifndef SP_TESTS_FILES_H
#define SP_TESTS_FILES_H

#include <stdbool.h>
#include <stdio.h>

/* "FOLDER/NAME", good for seven more calls. */
const char *test_path(const char *folder, const char *name);

/* Writes a file, and makes the folders that it needs. */
void test_write(const char *path, const char *text);

/* Reads all of a file, as a string that the caller frees, and closes it. */
char *test_read_all(FILE *file, size_t *size);

/* The same of a path; NULL when it cannot be opened. */
char *test_read_file(const char *path);

/* Makes a symbolic link; false where the system has none that a test can make. */
bool test_link(const char *target, const char *path);

/* Removes a folder with all that is in it, or a file; it may be missing. Links are not followed. False with errno. */
bool test_folder_remove(const char *path);

#endif
