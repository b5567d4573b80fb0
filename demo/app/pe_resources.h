/*
** Gives a program for Windows an icon, and the title and version that the system shows of it.
*/
#ifndef SP_DEMO_PE_RESOURCES_H
#define SP_DEMO_PE_RESOURCES_H

#include <stddef.h>

#define PE_ICON_MOST 256 /* pixels a side */

typedef struct pe_about {
  const char *title;   /* UTF-8 */
  const char *version; /* "1.2", or "" */
  const char *icon;    /* a square PNG of at most PE_ICON_MOST */
  size_t icon_size;    /* bytes */
} pe_about;

/* Returns a copy of the program, from malloc, with these resources and its own manifest; `*new_size` bytes. NULL when
   the file is no program for 64-bit Windows, or memory is refused. */
char *pe_with_resources(const char *file, size_t size, const pe_about *about, size_t *new_size);

#endif
