#include "demo/ui/prompt.h"

#include <stdlib.h>
#include <string.h>

void prompt_free(prompt *it)
{
  for (int i = 0; i < it->count; i++)
    free(it->history[i]);
  it->count = it->at = 0;
}

static void show(prompt *it, int at)
{
  if (at < 0 || at > it->count)
    return;
  if (it->at == it->count)
    strcpy(it->draft, it->line.text);
  it->at = at;
  edit_line_set(&it->line, at == it->count ? it->draft : it->history[at]);
}

bool prompt_key(prompt *it, SDL_Keycode key, Uint16 modifiers)
{
  int step = key == SDLK_UP ? -1 : key == SDLK_DOWN ? 1 : 0;
  if (step == 0 || modifiers & KMOD_CTRL)
    return edit_line_key(&it->line, key, modifiers);
  show(it, it->at + step);
  return true;
}

static bool is_news(const prompt *it)
{
  return it->line.length > 0 && (it->count == 0 || strcmp(it->history[it->count - 1], it->line.text) != 0);
}

static void forget_oldest(prompt *it)
{
  free(it->history[0]);
  memmove(it->history, it->history + 1, sizeof *it->history * (size_t)--it->count);
}

void prompt_enter(prompt *it)
{
  char *copy = is_news(it) ? strdup(it->line.text) : NULL;
  if (copy && it->count == PROMPT_HISTORY)
    forget_oldest(it);
  if (copy)
    it->history[it->count++] = copy;
  it->at = it->count;
  edit_line_set(&it->line, "");
}
