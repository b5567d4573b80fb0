#include "demo/bytes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

char *bytes_read(const char *path, size_t *size)
{
  FILE *in = fopen(path, "rb");
  char *text;
  long length;
  ck_assert_msg(in != NULL, "%s: cannot be opened", path);
  fseek(in, 0, SEEK_END);
  length = ftell(in);
  rewind(in);
  text = malloc((size_t)length + 1);
  ck_assert_ptr_nonnull(text);
  *size = fread(text, 1, (size_t)length, in);
  ck_assert_uint_eq(*size, (size_t)length);
  text[*size] = '\0';
  fclose(in);
  return text;
}

void bytes_write(const char *path, const char *text, size_t length)
{
  FILE *out = fopen(path, "wb");
  ck_assert_msg(out != NULL, "%s: cannot be written", path);
  ck_assert_uint_eq(fwrite(text, 1, length, out), length);
  ck_assert_int_eq(fclose(out), 0);
}
