#include "demo/app/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/strings.h"

#define TAB 8 /* letters */
#define DOTS ".."

/* {== Lines ============================================================== */

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
  size_t line = strcspn(from, "\n"), most = utf8_fit(from, MESSAGES_TEXT - sizeof DOTS);
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

const char *messages_meanwhile(const options *o)
{
  return o->no_watch ? "The script is stopped until F5 loads a fix; the last good frame stays."
                     : "The script is stopped until you save a fix; the last good frame stays.";
}
