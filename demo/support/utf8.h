/*
** UTF-8, one character after the other. Texts come from games and file systems: any bytes may be in them. A letter is
** what utf8_next takes at once, as texts are drawn.
*/
#ifndef SP_DEMO_UTF8_H
#define SP_DEMO_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffdu

/* The character at *s, which moves past it. A byte that begins no UTF-8 is one replacement mark. `end` > *s. */
uint32_t utf8_next(const char **s, const char *end);

/* Whether a byte goes on with a character that one before it begins. */
bool utf8_continues(char c);

/* How many bytes of `s` are within `most` when no character is cut in two: all of them if they fit. 0 only where `most`
   is less than the first character, or `s` is "". */
size_t utf8_fit(const char *s, size_t most);

/* How many letters the first `length` bytes of `s` are; how many bytes its first `letters` letters are, or all of them
   if it has fewer. */
size_t utf8_letters(const char *s, size_t length);
size_t utf8_span(const char *s, size_t letters);

#endif
