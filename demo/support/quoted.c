#include "demo/support/quoted.h"

#include <string.h>

void quoted_write(FILE *out, const char *text)
{
  putc('"', out);
  for (const char *c = text; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (*c == '\n')
      fputs("\\n", out);
    else if ((unsigned char)*c < ' ' || *c == 127)
      fprintf(out, "\\x%02x", (unsigned)(unsigned char)*c);
    else
      putc(*c, out);
  putc('"', out);
}

static int digit(char c)
{
  static const char digits[] = "0123456789abcdef";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* Reads the escape sequence after a backslash. False when it is unknown. */
static bool read_escape(char **at, char *out)
{
  char c = *(*at)++;
  if (c == 'n' || c == '"' || c == '\\') {
    *out = c;
    if (c == 'n')
      *out = '\n';
    return true;
  }
  int high = c == 'x' ? digit((*at)[0]) : -1, low = high >= 0 ? digit((*at)[1]) : -1;
  if (low < 0 || (high == 0 && low == 0))
    return false;
  *out = (char)(high * 16 + low);
  *at += 2;
  return true;
}

char *quoted_read(char **at)
{
  char *from = *at, *text = from, *to = from;
  if (*from++ != '"')
    return NULL;
  while (*from != '"') {
    if (*from == '\0')
      return NULL;
    if (*from != '\\')
      *to++ = *from++;
    else if (from++, !read_escape(&from, to++))
      return NULL;
  }
  *at = from + 1;
  *to = '\0';
  return text;
}
