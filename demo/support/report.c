/*
** Every line is flushed, so that it appears at once in a pipe too.
*/
#include "demo/support/report.h"

#include <inttypes.h>
#include <string.h>

#include "demo/support/platform.h"
#include "demo/support/strings.h"

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

void report_shorten(const char *folder, const char *text, char *out, size_t size)
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

/* {== The progress of a long headless run ================================ */

void progress_start(progress *p, bool on_terminal, double now)
{
  *p = (progress){now, on_terminal ? PROGRESS_SOON : PROGRESS_LATE, 0};
}

/* The rate is measured since the last line, and the remaining time is estimated from it. */
bool progress_line(progress *p, double now, uint64_t frame, uint64_t frames, double seconds, char line[PROGRESS_MOST])
{
  double rate;
  int used;
  if (p->every == 0 || now - p->last < p->every)
    return false;
  rate = (double)(frame - p->last_frame) / (now - p->last);
  used = snprintf(line, PROGRESS_MOST, "frame %" PRIu64, frame);
  if (frames != UINT64_MAX)
    used += snprintf(line + used, PROGRESS_MOST - (size_t)used, " of %" PRIu64 " (%.0f%%)", frames,
                     100 * (double)frame / (double)frames);
  used += snprintf(line + used, PROGRESS_MOST - (size_t)used, ", %.0f a second, %.0f s of game time", rate, seconds);
  if (frames != UINT64_MAX && rate > 0)
    snprintf(line + used, PROGRESS_MOST - (size_t)used, ", about %.0f s to go", (double)(frames - frame) / rate);
  p->last = now;
  p->last_frame = frame;
  return true;
}

/* }== */
