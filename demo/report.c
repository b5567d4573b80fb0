/*
** See report.h. Two texts are taken for the same when their hashes are: no copy is kept.
*/
#include "demo/report.h"

#include <inttypes.h>

static uint64_t hash_of(const char *text)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

void report_flush(report *r)
{
  if (r->repeats > 0)
    fprintf(stderr, "(the same %" PRIu64 " more times)\n", r->repeats);
  r->repeats = 0;
}

static void tell_trouble(report *r, sp_report kind, const char *text)
{
  uint64_t hash = hash_of(text);
  if (kind == SP_REPORT_ERROR)
    r->errors += 1;
  else
    r->warnings += 1;
  if (r->errors + r->warnings > 1 && hash == r->last) {
    r->repeats += 1;
    return;
  }
  report_flush(r);
  r->last = hash;
  fprintf(stderr, "%s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
  if (r->on_trouble)
    r->on_trouble(r->ud, kind, text);
}

void report_say(void *ud, sp_report kind, const char *text)
{
  report *r = ud;
  if (kind != SP_REPORT_PRINT) {
    tell_trouble(r, kind, text);
    return;
  }
  fprintf(r->print, "%s\n", text);
  fflush(r->print);
}
