/*
** See report.h. Every line shows at once, in a pipe too: output that comes late looks lost.
*/
#include "demo/report.h"

void report_say(void *ud, sp_report kind, const char *text)
{
  report *r = ud;
  if (kind == SP_REPORT_PRINT) {
    fprintf(r->print, "%s\n", text);
    fflush(r->print);
    return;
  }
  if (kind == SP_REPORT_ERROR)
    r->errors += 1;
  else
    r->warnings += 1;
  fprintf(stderr, "%s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
  if (r->on_trouble)
    r->on_trouble(r->ud, kind, text);
}
