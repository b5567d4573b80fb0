/*
** Quoted strings in line-based files: control characters, quotes and backslashes are escaped.
*/
#ifndef SP_DEMO_QUOTED_H
#define SP_DEMO_QUOTED_H

#include <stdbool.h>
#include <stdio.h>

/* Writes `text` with its quotes. Errors are those of the stream. */
void quoted_write(FILE *out, const char *text);

/* Decodes the quoted string at `*at` in place: the result is in the same memory, NUL-terminated, and `*at` is moved
   past the closing quote. NULL when there is no quoted string, or an escape sequence is unknown. */
char *quoted_read(char **at);

#endif
