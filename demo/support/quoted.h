/*
** Texts between double quotes, in files of lines: control characters, quotes and backslashes are escaped.
*/
#ifndef SP_DEMO_QUOTED_H
#define SP_DEMO_QUOTED_H

#include <stdbool.h>
#include <stdio.h>

/* Writes `text` with its quotes. Errors are those of the stream. */
void quoted_write(FILE *out, const char *text);

/* Reads a quoted text at `*at`, in place: the result lies in the same memory, ended by NUL, and `*at` is behind the
   closing quote. NULL when there is none, or an escape is unknown. */
char *quoted_read(char **at);

#endif
