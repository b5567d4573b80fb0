/*
** UTF-8, one character after the other. Texts come from games and file systems: any bytes may be in them.
*/
#ifndef SP_DEMO_UTF8_H
#define SP_DEMO_UTF8_H

#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffdu

/* The character at *s, which moves past it. A byte that begins no UTF-8 is one replacement mark. `end` > *s. */
uint32_t utf8_next(const char **s, const char *end);

#endif
