/*
** Every line is flushed, so that it appears at once in a pipe too.
*/
#include "demo/support/report.h"

void report_say(void *ud, sp_report kind, const char *text)
{
  report *r = ud;
  if (r->muted) {
    if (kind == SP_REPORT_ERROR && r->on_muted_error)
      r->on_muted_error(r->muted_ud, text);
    return;
  }
  FILE *out = kind == SP_REPORT_PRINT || kind == SP_REPORT_RELOAD ? r->print : stderr;
  r->errors += kind == SP_REPORT_ERROR;
  r->warnings += kind == SP_REPORT_WARNING;
  fprintf(out, "%s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
  fflush(out);
  if (r->on_report)
    r->on_report(r->ud, kind, text);
}

void report_line(const char *line) { fprintf(stderr, "spawnpool: %s\n", line); }
