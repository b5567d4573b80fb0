/*
** Decodes UTF-8. Texts come from games and file systems and may contain any bytes. A "letter" is what utf8_next
** consumes at once, as texts are drawn.
*/
#ifndef SP_DEMO_UTF8_H
#define SP_DEMO_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffdu

/* Returns the character at *s and moves *s past it. An invalid byte is one replacement mark. `end` > *s. */
uint32_t utf8_next(const char **s, const char *end);

/* Returns whether these bytes are valid throughout. */
bool utf8_is_valid(const char *s, size_t length);

/* Returns whether a byte is a continuation byte. */
bool utf8_continues(char c);

/* Returns how many bytes of `s` fit into `most` without splitting a character: all of them if they fit. 0 only if
   `most` is less than the first character, or `s` is "". */
size_t utf8_fit(const char *s, size_t most);

/* Return the number of letters in the first `length` bytes of `s`; and the bytes of its first `letters` letters, or
   all of them if it has fewer. */
size_t utf8_letters(const char *s, size_t length);
size_t utf8_span(const char *s, size_t letters);

#endif
