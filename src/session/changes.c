#include "session/changes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CHANGES_MOST = 16, VALUE_MOST = 80 };

typedef struct change {
  char type[80], name[VALUE_MOST], old_value[VALUE_MOST], new_value[VALUE_MOST];
} change;

typedef struct telling {
  sp_session_change list[CHANGES_MOST];
  change texts[CHANGES_MOST];
  size_t count;
} telling;

typedef struct line {
  const char *at;
  size_t length;
} line;

/* Takes the next line off the text; false at the end. */
static bool next_line(const char **text, const char *end, line *out)
{
  if (*text >= end)
    return false;
  const char *stop = memchr(*text, '\n', (size_t)(end - *text));
  *out = (line){*text, (size_t)((stop ? stop : end) - *text)};
  *text = stop ? stop + 1 : end;
  return true;
}

static bool is_same(line a, line b) { return a.length == b.length && memcmp(a.at, b.at, a.length) == 0; }

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* Copies what begins at `at`: up to a comma outside of brackets, or the end of the line, without blanks behind. */
static void copy_value(line from, size_t at, char out[VALUE_MOST])
{
  size_t length = 0;
  int depth = 0;
  while (at < from.length && (from.at[at] == ' ' || from.at[at] == '\t'))
    at++;
  for (; at + length < from.length && length < VALUE_MOST - 1; length++) {
    const char c = from.at[at + length];
    depth += c == '{' || c == '(' || c == '[';
    if (((c == ',' || c == ';') && depth == 0) || ((c == '}' || c == ')' || c == ']') && depth-- == 0) ||
        (c == '-' && at + length + 1 < from.length && from.at[at + length + 1] == '-' && length > 0))
      break;
  }
  while (length > 0 && isspace((unsigned char)from.at[at + length - 1]))
    length--;
  snprintf(out, VALUE_MOST, "%.*s", (int)length, from.at + at);
}

/* Finds the last `name =` before the place where the lines differ. */
static bool find_name(line from, size_t before, char out[VALUE_MOST], size_t *value)
{
  for (size_t at = before; at-- > 0;) {
    if (from.at[at] != '=' || (at + 1 < from.length && from.at[at + 1] == '=') ||
        (at > 0 && strchr("=<>~", from.at[at - 1])))
      continue;
    size_t end = at, begin;
    while (end > 0 && (from.at[end - 1] == ' ' || from.at[end - 1] == '>'))
      end -= from.at[end - 1] == '>' && end >= 7 && memcmp(from.at + end - 7, "<const>", 7) == 0 ? 7 : 1;
    for (begin = end; begin > 0 && is_of_name(from.at[begin - 1]); begin--)
      continue;
    snprintf(out, VALUE_MOST, "%.*s", (int)(end - begin), from.at + begin);
    *value = at + 1;
    return end > begin;
  }
  return false;
}

static void add(telling *t, const sp_entry *e, int number, line old, line now)
{
  size_t same = 0, old_value, new_value;
  change *c = &t->texts[t->count];
  char old_name[VALUE_MOST];
  while (same < old.length && same < now.length && old.at[same] == now.at[same])
    same++;
  if (t->count == CHANGES_MOST || !find_name(old, same, old_name, &old_value) ||
      !find_name(now, same, c->name, &new_value) || strcmp(old_name, c->name) != 0)
    return;
  copy_value(old, old_value, c->old_value);
  copy_value(now, new_value, c->new_value);
  const char *slash = strrchr(e->name, '/');
  const bool is_class = strncmp(e->name, "pools/", 6) == 0 && strlen(slash + 1) > 4;
  if (is_class)
    snprintf(c->type, sizeof c->type, "%.*s", (int)(strlen(slash + 1) - 4), slash + 1);
  t->list[t->count++] =
      (sp_session_change){e->name, number, is_class ? c->type : NULL, c->name, c->old_value, c->new_value};
}

/* Compares lines while the texts have as many. */
static void compare(telling *t, const sp_entry *was, const sp_entry *is)
{
  const char *old = was->text, *now = is->text;
  line a, b;
  for (int number = 1; next_line(&old, was->text + was->size, &a) && next_line(&now, is->text + is->size, &b); number++)
    if (!is_same(a, b))
      add(t, is, number, a, b);
}

void sp_changes_tell(sp_session *s, sp_poll_result result, uint64_t frame)
{
  telling t = {.count = 0};
  const char *words = sp_script_reload_line(s->script);
  for (size_t i = sp_log_find(&s->log, frame); i < s->log.count && s->log.list[i].frame == frame; i++) {
    const sp_entry *e = &s->log.list[i];
    for (size_t k = e->kind == SP_ENTRY_FILE && e->file == SP_FILE_EDITED ? i : 0; k-- > 0;)
      if (s->log.list[k].kind == SP_ENTRY_FILE && s->log.list[k].file != SP_FILE_LISTED &&
          strcmp(s->log.list[k].name, e->name) == 0) {
        compare(&t, &s->log.list[k], e);
        break;
      }
  }
  const sp_session_edit edit = {result, words ? words : "", t.list, t.count};
  s->options.edited(s->options.ud, s, &edit);
}
