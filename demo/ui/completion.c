#include "demo/ui/completion.h"

#include <stdlib.h>
#include <string.h>

#include "demo/support/strings.h"

void completion_clear(completion *it)
{
  for (int i = 0; i < it->count; i++)
    free(it->words[i]);
  it->count = 0;
}

static void add_word(void *ud, const char *word)
{
  completion *it = ud;
  size_t length = strlen(word), shared = 0;
  char *copy = it->count < COMPLETION_MOST ? malloc(length + 1) : NULL;
  if (!copy)
    return;
  it->words[it->count++] = strcpy(copy, word);
  if (length > it->longest)
    it->longest = length;
  if (it->count == 1)
    it->shared = length;
  while (shared < it->shared && word[shared] == it->words[0][shared])
    shared++;
  it->shared = shared;
}

bool completion_begin(completion *it, edit_line *line, sp_script *script, const char *lua)
{
  size_t begun, typed = line->cursor;
  completion_clear(it);
  it->longest = it->shared = 0;
  it->at = -1;
  begun = sp_script_complete(script, lua, add_word, it);
  it->shared = it->count > 0 ? utf8_fit(it->words[0], it->shared) : 0;
  if (it->shared > begun)
    edit_line_insert(line, it->words[0] + begun, it->shared - begun);
  it->from = typed - begun;
  it->to = line->cursor;
  return it->count > 1;
}

bool completion_cycle(completion *it, edit_line *line, int step)
{
  int next = it->at + step;
  if (it->count < 2)
    return false;
  it->at = next < 0 ? it->count - 1 : next % it->count;
  edit_line_replace(line, it->from, it->to, it->words[it->at]);
  it->to = line->cursor;
  return true;
}
