/*
** See utf8.h. Too long forms, halves of pairs and what lies beyond Unicode are no characters.
*/
#include "demo/utf8.h"

uint32_t utf8_next(const char **s, const char *end)
{
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *c = (const unsigned char *)*s;
  int length = c[0] < 0x80                   ? 1
               : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
               : (c[0] & 0xf0) == 0xe0       ? 3
               : (c[0] & 0xf8) == 0xf0       ? 4
                                             : 0;
  uint32_t character = length < 2 ? c[0] : c[0] & (0x7fu >> length);
  *s += 1;
  if (length == 0 || end - *s < length - 1)
    return UTF8_REPLACEMENT;
  for (int i = 1; i < length; i++) {
    if ((c[i] & 0xc0) != 0x80)
      return UTF8_REPLACEMENT;
    character = character << 6 | (c[i] & 0x3fu);
  }
  if (character < least[length] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
    return UTF8_REPLACEMENT;
  *s += length - 1;
  return character;
}
