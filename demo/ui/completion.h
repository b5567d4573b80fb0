/*
** The words that can complete the begun word of a line. The first Tab inserts what all of them share; each further Tab
** replaces the word by the next of them, Shift+Tab by the previous one.
*/
#ifndef SP_DEMO_COMPLETION_H
#define SP_DEMO_COMPLETION_H

#include "demo/ui/edit_line.h"
#include "script/script.h"

#define COMPLETION_MOST 400

/* A zeroed one is empty. */
typedef struct completion {
  char *words[COMPLETION_MOST];
  int count, at;          /* at: the word that stands in the line; -1: only what all share */
  size_t longest, shared; /* bytes; of the common prefix, in whole characters */
  size_t from, to;        /* the word in the line, in bytes */
} completion;

void completion_clear(completion *it);

/* Finds the completions of the end of `lua`, which ends at the cursor of the line, and inserts their common prefix.
   True when there are several, which the user should see. */
bool completion_begin(completion *it, edit_line *line, sp_script *script, const char *lua);

/* Replaces the word in the line by the one `step` places further, and starts again at either end. False when there is
   no choice: no completion has begun, or there is only one word. */
bool completion_cycle(completion *it, edit_line *line, int step);

#endif
