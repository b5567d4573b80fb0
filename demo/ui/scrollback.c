#include "demo/ui/scrollback.h"

#include <stdlib.h>
#include <string.h>

#define TAB 8 /* letters */

static scrollback_line *at(scrollback *it, int index) { return &it->lines[(it->first + index) % SCROLLBACK_LINES]; }

void scrollback_clear(scrollback *it)
{
  for (int i = 0; i < it->count; i++)
    free(at(it, i)->text);
  it->first = it->count = 0;
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

/* True when it is a new line, false when it repeats the last one. */
static bool add(scrollback *it, scrollback_kind kind, char *text)
{
  scrollback_line *last = it->count > 0 ? at(it, it->count - 1) : NULL;
  if (last && last->kind == kind && strcmp(last->text, text) == 0 && kind != SCROLLBACK_INPUT) {
    last->times++;
    free(text);
    return false;
  }
  if (it->count == SCROLLBACK_LINES) {
    free(at(it, 0)->text);
    it->first = (it->first + 1) % SCROLLBACK_LINES;
    it->count--;
  }
  *at(it, it->count++) = (scrollback_line){text, kind, 1};
  return true;
}

static scrollback_kind kind_of(scrollback_kind kind, const char *line, bool is_first)
{
  if (is_first || kind != SCROLLBACK_ERROR)
    return kind;
  return strncmp(line, "  hint: ", 8) == 0 ? SCROLLBACK_HINT : SCROLLBACK_DETAIL;
}

int scrollback_add(scrollback *it, scrollback_kind kind, const char *text)
{
  const char *line = text;
  int added = 0;
  for (;;) {
    size_t length = strcspn(line, "\n");
    char *copy = copy_line(line, length);
    if (copy && add(it, kind_of(kind, line, line == text), copy))
      added++;
    if (line[length] == '\0')
      return added;
    line += length + 1;
  }
}

const scrollback_line *scrollback_at(const scrollback *it, int back)
{
  return back < 0 || back >= it->count ? NULL : at((scrollback *)it, it->count - 1 - back);
}
