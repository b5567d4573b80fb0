#include "script/state/strings.h"

#include <string.h>

#include "script/state/report.h"

/* {== UTF-8 ============================================================== */

#define LONGEST 4 /* bytes of a character */

bool sp_utf8_continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Overlong forms, surrogates and values beyond Unicode are invalid. */
uint32_t sp_utf8_next(const char **s, const char *end)
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
    return SP_UTF8_REPLACEMENT;
  for (int i = 1; i < length; i++) {
    if (!sp_utf8_continues((char)c[i]))
      return SP_UTF8_REPLACEMENT;
    character = character << 6 | (c[i] & 0x3fu);
  }
  if (character < least[length] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
    return SP_UTF8_REPLACEMENT;
  *s += length - 1;
  return character;
}

bool sp_utf8_is_valid(const char *s, size_t length)
{
  for (const char *end = s + length, *from = s; s < end; from = s)
    if (sp_utf8_next(&s, end) == SP_UTF8_REPLACEMENT && s == from + 1) /* the mark itself has three bytes */
      return false;
  return true;
}

size_t sp_utf8_fit(const char *s, size_t most)
{
  size_t length = strnlen(s, most + 1), at = most;
  if (length <= most)
    return length;
  while (at > 0 && most - at < LONGEST - 1 && sp_utf8_continues(s[at]))
    at--;
  return sp_utf8_continues(s[at]) ? most : at; /* bytes without a leading byte may be split anywhere */
}

size_t sp_utf8_letters(const char *s, size_t length)
{
  size_t letters = 0;
  for (const char *end = s + length; s < end; letters++)
    sp_utf8_next(&s, end);
  return letters;
}

size_t sp_utf8_span(const char *s, size_t letters)
{
  const char *at = s;
  for (const char *end = s + strnlen(s, letters * LONGEST); at < end && letters > 0; letters--)
    sp_utf8_next(&at, end);
  return (size_t)(at - s);
}

/* }== */

/* {== The nearest name =================================================== */

#define MOST 63

unsigned sp_nearest_name_distance(const char *a, const char *b)
{
  size_t la = strnlen(a, MOST), lb = strnlen(b, MOST), shorter = la < lb ? la : lb;
  if (la != lb && shorter >= 3 && strncmp(a, b, shorter) == 0)
    return 1;
  return (unsigned)sp_edit_distance(a, la, b, lb);
}

sp_nearest_name sp_nearest_name_of(const char *wanted)
{
  unsigned third = (unsigned)strnlen(wanted, MOST) / 3;
  return (sp_nearest_name){.wanted = wanted, .distance = (third > 1 ? third : 1) + 1};
}

bool sp_nearest_name_offer(sp_nearest_name *near, const char *candidate)
{
  unsigned distance = sp_nearest_name_distance(near->wanted, candidate);
  if (distance >= near->distance)
    return false;
  near->name = candidate;
  near->distance = distance;
  return true;
}

/* }== */
