/*
** Every line is flushed, so that it appears at once in a pipe too.
*/
#include "demo/support/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/platform.h"
#include "script/state/strings.h"

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
    const uint32_t character = sp_utf8_next(&text, end);
    if (is_control(character) || character == SP_UTF8_REPLACEMENT)
      fputc('?', out);
    else
      fwrite(from, 1, (size_t)(text - from), out);
  }
}

void report_print(FILE *out, const char *format, ...)
{
  char some[4096], *text = some;
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(some, sizeof some, format, args);
  char *whole = length >= (int)sizeof some ? malloc((size_t)length + 1) : NULL;
  if (whole)
    vsnprintf(text = whole, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  report_write(out, text);
  free(whole);
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

void report_file_problem(void *unused, const char *problem)
{
  (void)unused;
  report_write(stderr, problem);
  fputc('\n', stderr);
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

/* {== Lines of the window ================================================ */

#define TAB 8 /* letters */
#define DOTS ".."

static message_line *at(messages *m, int index) { return &m->lines[(m->first + index) % MESSAGES_LINES]; }

void messages_clear_lines(messages *m)
{
  for (int i = 0; i < m->count; i++)
    free(at(m, i)->text);
  m->first = m->count = 0;
}

/* Returns a copy with tabs expanded. NULL when memory is refused. */
static char *copy_line(const char *text, size_t length)
{
  char *copy = malloc(length * TAB + 1);
  size_t size = 0;
  if (!copy)
    return NULL;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\t')
      do
        copy[size++] = ' ';
      while (size % TAB != 0);
    else
      copy[size++] = text[i];
  }
  copy[size] = '\0';
  return copy;
}

static void add(messages *m, const char *kind, char *text)
{
  message_line *last = m->count > 0 ? at(m, m->count - 1) : NULL;
  if (last && strcmp(last->kind, kind) == 0 && strcmp(last->text, text) == 0 && strcmp(kind, "input") != 0) {
    last->times++;
    free(text);
    return;
  }
  if (m->count == MESSAGES_LINES) {
    free(at(m, 0)->text);
    m->first = (m->first + 1) % MESSAGES_LINES;
    m->count--;
  }
  message_line *line = at(m, m->count++);
  *line = (message_line){.text = text, .times = 1};
  snprintf(line->kind, sizeof line->kind, "%s", kind);
  m->added++;
}

void messages_add(messages *m, const char *kind, const char *text)
{
  bool is_error = strcmp(kind, "error") == 0;
  for (const char *line = text;; line++) {
    size_t length = strcspn(line, "\n");
    char *copy = copy_line(line, length);
    bool below = is_error && line != text;
    if (copy)
      add(m, !below ? kind : strncmp(line, "  hint: ", 8) == 0 ? "hint" : "detail", copy);
    line += length;
    if (*line == '\0')
      return;
  }
}

const message_line *messages_line(const messages *m, int back)
{
  return back < 0 || back >= m->count ? NULL : at((messages *)m, m->count - 1 - back);
}

/* }== */

/* {== Notice and problem ================================================= */

static void copy_first(char to[MESSAGES_TEXT], const char *from)
{
  size_t line = strcspn(from, "\n"), most = sp_utf8_fit(from, MESSAGES_TEXT - sizeof DOTS);
  snprintf(to, MESSAGES_TEXT, "%.*s%s", (int)(line < most ? line : most), from, line > most ? DOTS : "");
}

void messages_notice(messages *m, notice_kind kind, const char *text, double now)
{
  copy_first(m->notice, text);
  m->notice_kind = kind;
  m->notice_at = now;
  m->changed = true;
}

void messages_problem(messages *m, notice_kind kind, const char *text, const char *consequence)
{
  copy_first(m->problem, text);
  size_t line = strcspn(text, "\n"), used = strlen(m->problem);
  snprintf(m->problem + used, sizeof m->problem - used, "%s", text + line);
  copy_first(m->consequence, consequence);
  m->problem_kind = kind;
  if (consequence[0])
    m->notice[0] = '\0';
  m->changed = true;
}

void messages_clear_problem(messages *m)
{
  m->problem[0] = '\0';
  m->changed = true;
}

/* }== */
