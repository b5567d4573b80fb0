#include "core/log.h"

#include <math.h>
#include <string.h>

typedef struct text {
  char bytes[200];
  size_t length;
} text;

static void add(text *t, const char *part)
{
  size_t room = sizeof t->bytes - 1 - t->length, length = strlen(part);
  if (length > room)
    length = room;
  memcpy(t->bytes + t->length, part, length);
  t->length += length;
  t->bytes[t->length] = '\0';
}

static void add_integer(text *t, int64_t number)
{
  char digits[24], *at = digits + sizeof digits;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  *--at = '\0';
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0)
    *--at = '-';
  add(t, at);
}

static void add_path(text *t, const sp_checked *checked, const char *field)
{
  add(t, checked->subject);
  add(t, ": ");
  if (checked->list) {
    add(t, checked->list);
    add(t, "[");
    add_integer(t, checked->index);
    add(t, "].");
  }
  add(t, field);
}

bool sp_check_that(const sp_checked *checked, bool right, const char *field, const char *problem)
{
  text t = {.length = 0};
  if (right || !checked->log->fn)
    return right;
  add_path(&t, checked, field);
  add(&t, " ");
  add(&t, problem);
  checked->log->fn(checked->log->ud, t.bytes);
  return false;
}

bool sp_check_range(const sp_checked *checked, const char *field, int64_t value, int64_t low, int64_t high)
{
  text t = {.length = 0};
  if (value >= low && value <= high)
    return true;
  add(&t, "is ");
  add_integer(&t, value);
  add(&t, " (");
  add_integer(&t, low);
  add(&t, "..");
  add_integer(&t, high);
  add(&t, ")");
  return sp_check_that(checked, false, field, t.bytes);
}

bool sp_check_finite_float(const sp_checked *checked, const char *field, float value)
{
  return sp_check_that(checked, isfinite(value), field, "is not a finite number");
}

void sp_log_gone(const sp_log *log, const char *type, const char *field, uint32_t live)
{
  text t = {.length = 0};
  if (!log->fn)
    return;
  add(&t, type);
  add(&t, ": field ");
  add(&t, field);
  add(&t, " is gone: its value is dropped in ");
  add_integer(&t, live);
  add(&t, " live objects");
  log->fn(log->ud, t.bytes);
}
