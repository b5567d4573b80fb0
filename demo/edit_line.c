/*
** See edit_line.h.
*/
#include "demo/edit_line.h"

#include <string.h>

static bool is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static size_t before(const edit_line *it, size_t at)
{
  while (at > 0 && is_inside(it->text[--at]))
    ;
  return at;
}

static size_t after(const edit_line *it, size_t at)
{
  if (it->text[at])
    at++;
  while (is_inside(it->text[at]))
    at++;
  return at;
}

static void remove_part(edit_line *it, size_t from, size_t to)
{
  memmove(it->text + from, it->text + to, strlen(it->text + to) + 1);
  it->caret = from;
}

void edit_line_begin(edit_line *it, const char *text)
{
  *it = (edit_line){.untouched = true};
  edit_line_type(it, text);
  it->untouched = true;
}

void edit_line_type(edit_line *it, const char *typed)
{
  size_t length = strlen(typed), used;
  if (it->untouched)
    remove_part(it, 0, strlen(it->text));
  it->untouched = false;
  used = strlen(it->text);
  if (used + length >= sizeof it->text)
    return;
  memmove(it->text + it->caret + length, it->text + it->caret, used - it->caret + 1);
  memcpy(it->text + it->caret, typed, length);
  it->caret += length;
}

void edit_line_key(edit_line *it, SDL_Keycode key)
{
  size_t length = strlen(it->text);
  bool all = it->untouched;
  it->untouched = false;
  if (key == SDLK_LEFT)
    it->caret = all ? 0 : before(it, it->caret);
  else if (key == SDLK_RIGHT)
    it->caret = all ? length : after(it, it->caret);
  else if (key == SDLK_HOME)
    it->caret = 0;
  else if (key == SDLK_END)
    it->caret = length;
  else if (key == SDLK_BACKSPACE)
    remove_part(it, all ? 0 : before(it, it->caret), all ? length : it->caret);
  else if (key == SDLK_DELETE)
    remove_part(it, all ? 0 : it->caret, all ? length : after(it, it->caret));
  else
    it->untouched = all;
}
