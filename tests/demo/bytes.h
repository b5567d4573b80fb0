/*
** Files as tests read and write them.
*/
#ifndef SP_TESTS_BYTES_H
#define SP_TESTS_BYTES_H

#include <stddef.h>

/* The bytes of a file, with a final NUL; to be freed. The test fails when it cannot be read. */
char *bytes_read(const char *path, size_t *size);
void bytes_write(const char *path, const char *text, size_t length);

#endif
