#include "session/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/strings.h"

void sp_text_free(sp_text *t)
{
  free(t->bytes);
  *t = (sp_text){.bytes = NULL};
}

void sp_text_clear(sp_text *t)
{
  t->size = 0;
  t->is_lost = false;
  if (t->bytes)
    t->bytes[0] = '\0';
}

/* Makes room for `size` more bytes and a zero. */
static bool reserve(sp_text *t, size_t size)
{
  if (t->is_lost || size > SIZE_MAX / 4 - t->size)
    return !(t->is_lost = true);
  if (t->size + size < t->room)
    return true;
  size_t room = (t->size + size + 1) * 2 < 256 ? 256 : (t->size + size + 1) * 2;
  char *grown = realloc(t->bytes, room);
  if (!grown)
    return !(t->is_lost = true);
  t->bytes = grown;
  t->room = room;
  return true;
}

void sp_text_add(sp_text *t, const char *bytes, size_t size)
{
  if (!reserve(t, size))
    return;
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  t->bytes[t->size] = '\0';
}

void sp_text_put(sp_text *t, const char *string) { sp_text_add(t, string, strlen(string)); }

void sp_text_format(sp_text *t, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length >= 0 && reserve(t, (size_t)length)) {
    vsnprintf(t->bytes + t->size, (size_t)length + 1, format, again);
    t->size += (size_t)length;
  }
  va_end(again);
}

/* {== JSON ================================================================ */

void sp_text_json(sp_text *t, const char *string)
{
  const char *end = string + strlen(string), *plain = string;
  sp_text_add(t, "\"", 1);
  while (string < end) {
    const char *begin = string;
    uint32_t c = sp_utf8_next(&string, end);
    if (c >= 0x20 && c != 0x7f && c != '"' && c != '\\' && c != SP_UTF8_REPLACEMENT)
      continue;
    sp_text_add(t, plain, (size_t)(begin - plain));
    plain = string;
    if (c == '"' || c == '\\')
      sp_text_format(t, "\\%c", (int)c);
    else if (c == '\n')
      sp_text_add(t, "\\n", 2);
    else
      sp_text_format(t, "\\u%04x", (unsigned)c);
  }
  sp_text_add(t, plain, (size_t)(end - plain));
  sp_text_add(t, "\"", 1);
}

void sp_text_member(sp_text *t, const char *name) { sp_text_format(t, ",\"%s\":", name); }

void sp_text_member_string(sp_text *t, const char *name, const char *string)
{
  sp_text_member(t, name);
  sp_text_json(t, string);
}

void sp_text_member_hex(sp_text *t, const char *name, uint64_t number)
{
  sp_text_format(t, ",\"%s\":\"%016" PRIx64 "\"", name, number);
}

/* The locale of the program may have a comma, or a character of two bytes, in place of the point. */
static void put_finite(sp_text *t, double number)
{
  char written[64], plain[64];
  size_t size = 0;
  snprintf(written, sizeof written, "%.17g", number);
  for (const char *at = written; *at; at++)
    if (strchr("+-0123456789e", *at))
      plain[size++] = *at;
    else if (size > 0 && plain[size - 1] != '.')
      plain[size++] = '.';
  plain[size] = '\0';
  sp_text_put(t, plain);
}

void sp_text_number(sp_text *t, double number)
{
  if (isnan(number))
    sp_text_put(t, "\"nan\"");
  else if (isinf(number))
    sp_text_put(t, number > 0 ? "\"inf\"" : "\"-inf\"");
  else
    put_finite(t, number);
}

void sp_text_hex(sp_text *t, const void *bytes, size_t size)
{
  static const char digits[] = "0123456789abcdef";
  const unsigned char *at = bytes;
  if (!reserve(t, size * 2))
    return;
  for (size_t i = 0; i < size; i++) {
    t->bytes[t->size++] = digits[at[i] >> 4];
    t->bytes[t->size++] = digits[at[i] & 15];
  }
  t->bytes[t->size] = '\0';
}

static int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

bool sp_text_read_hex(const char *digits, size_t length, void *bytes)
{
  unsigned char *at = bytes;
  bool fine = length % 2 == 0;
  for (size_t i = 0; i + 1 < length && fine; i += 2) {
    int high = digit_of(digits[i]), low = digit_of(digits[i + 1]);
    fine = high >= 0 && low >= 0;
    *at++ = (unsigned char)(high * 16 + low);
  }
  return fine;
}

/* }== */
