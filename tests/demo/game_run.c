/*
** See game_run.h.
*/
#include "demo/game_run.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Files ============================================================== */

char *gamerun_read(const char *path, size_t *size)
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

void gamerun_write(const char *path, const char *text, size_t length)
{
  FILE *out = fopen(path, "wb");
  ck_assert_msg(out != NULL, "%s: cannot be written", path);
  ck_assert_uint_eq(fwrite(text, 1, length, out), length);
  ck_assert_int_eq(fclose(out), 0);
}

/* }== */

/* {== Runs =============================================================== */

/* The warning that a type without a class is meant to give; anything else on stderr is trouble. */
static bool is_known_warning(const char *line) { return strncmp(line, "warning: unknown type ", 22) == 0; }

static void expect_quiet(const char *what, char *err)
{
  for (char *line = strtok(err, "\n"); line; line = strtok(NULL, "\n"))
    ck_assert_msg(is_known_warning(line), "%s: %s", what, line);
}

test_process game_run(const char *path, const char *flags)
{
  test_process p = test_run(PATIENCE, PLAY "%s '%s'", flags, path);
  ck_assert_msg(p.status == 0, "%s: exit status %d\n%s", path, p.status, p.err);
  expect_quiet(path, p.err);
  return p;
}

char *gamerun_pools(const char *lines, int frame)
{
  char start[32];
  const char *line, *pools;
  snprintf(start, sizeof start, "{\"frame\":%d,", frame);
  line = strstr(lines, start);
  ck_assert_msg(line != NULL, "no line for frame %d", frame);
  pools = strstr(line, "\"pools\":[");
  ck_assert_ptr_nonnull(pools);
  return strndup(pools, strcspn(pools, "\n"));
}

long gamerun_number(const char *pools, const char *type, const char *name)
{
  char key[64];
  const char *at, *end;
  snprintf(key, sizeof key, "{\"type\":\"%s\",", type);
  at = strstr(pools, key);
  ck_assert_msg(at != NULL, "no pool '%s'", type);
  end = strchr(at, '}');
  snprintf(key, sizeof key, "\"%s\":", name);
  at = strstr(at, key);
  ck_assert_msg(at != NULL && at < end, "pool '%s' has no '%s'", type, name);
  return strtol(at + strlen(key), NULL, 10);
}

/* }== */
