/*
** Every line is flushed, so that it appears at once in a pipe too.
*/
#include "demo/support/report.h"

#include <string.h>

#include "demo/support/platform.h"
#include "demo/support/utf8.h"

static bool is_control(uint32_t character)
{
  return (character < ' ' && character != '\n' && character != '\t') || (character >= 0x7f && character < 0xa0);
}

void report_write(FILE *out, const char *text)
{
  const char *end = text + strlen(text);
  if (!platform_is_terminal(out)) {
    fputs(text, out);
    return;
  }
  while (text < end) {
    const char *from = text;
    const uint32_t character = utf8_next(&text, end);
    if (is_control(character) || character == UTF8_REPLACEMENT)
      fputc('?', out);
    else
      fwrite(from, 1, (size_t)(text - from), out);
  }
}

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
  fputs(kind == SP_REPORT_WARNING ? "warning: " : "", out);
  report_write(out, text);
  fputc('\n', out);
  fflush(out);
  if (r->on_report)
    r->on_report(r->ud, kind, text);
}

void report_line(const char *line)
{
  fputs("spawnpool: ", stderr);
  report_write(stderr, line);
  fputc('\n', stderr);
}
