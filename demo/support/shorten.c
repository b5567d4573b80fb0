#include "demo/support/shorten.h"

#include <string.h>

void shorten_paths(const char *folder, const char *text, char *out, size_t size)
{
  size_t length = strlen(folder), used = 0;
  while (*text && used + 1 < size) {
    if (length > 0 && strncmp(text, folder, length) == 0 && text[length] == '/')
      text += length + 1;
    else
      out[used++] = *text++;
  }
  out[used] = '\0';
}
