/*
** See grammar.h.
*/
#include "fuzz/grammar.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST_TEXT = 9 };

void fuzz_say(fuzz_text *t, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int size = vsnprintf(t->at + t->used, sizeof t->at - t->used, format, args);
  va_end(args);
  if (size > 0 && (size_t)size < sizeof t->at - t->used)
    t->used += (size_t)size;
  t->at[t->used] = '\0';
}

static void expand_rule(fuzz_text *t, char name)
{
  const fuzz_rule *rule = t->rules;
  uint32_t count = 0;
  while (rule->name && rule->name != name)
    rule++;
  fuzz_check(rule->name != '\0');
  while (rule->row[count])
    count++;
  bool room = t->depth < DEEPEST_TEXT && t->used < sizeof t->at / 2;
  fuzz_expand(t, rule->row[room ? fuzz_below(&t->in, count) : 0]);
}

void fuzz_expand(fuzz_text *t, const char *production)
{
  t->depth++;
  for (const char *at = production; *at; at++) {
    size_t plain = strcspn(at, "@");
    fuzz_say(t, "%.*s", (int)plain, at);
    at += plain;
    if (!*at)
      break;
    expand_rule(t, *++at);
  }
  t->depth--;
}
