/*
** Each key maps to a position in the line: the key moves the cursor there, or cuts the text in between.
*/
#include "demo/ui/edit_line.h"

#include <string.h>

#include "demo/support/strings.h"

/* {== Text ================================================================ */

void edit_line_set(edit_line *it, const char *text)
{
  size_t length = utf8_fit(text, sizeof it->text - 1);
  memcpy(it->text, text, length);
  it->text[length] = '\0';
  it->length = it->cursor = length;
  it->untouched = false;
}

void edit_line_begin(edit_line *it, const char *text)
{
  edit_line_set(it, text);
  it->untouched = true;
}

static void cut(edit_line *it, size_t from, size_t to)
{
  memmove(it->text + from, it->text + to, it->length - to + 1);
  it->length -= to - from;
  it->cursor = from;
}

void edit_line_insert(edit_line *it, const char *text, size_t length)
{
  if (it->untouched)
    edit_line_set(it, "");
  if (it->length + length >= sizeof it->text)
    return;
  memmove(it->text + it->cursor + length, it->text + it->cursor, it->length - it->cursor + 1);
  memcpy(it->text + it->cursor, text, length);
  it->length += length;
  it->cursor += length;
}

void edit_line_replace(edit_line *it, size_t from, size_t to, const char *text)
{
  size_t length = strlen(text);
  if (it->length - (to - from) + length >= sizeof it->text)
    return;
  cut(it, from, to);
  edit_line_insert(it, text, length);
}

/* }== */

/* {== Positions =========================================================== */

static bool is_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & 0x80);
}

static size_t character_before(const edit_line *it, size_t at)
{
  while (at > 0 && utf8_continues(it->text[--at]))
    ;
  return at;
}

static size_t character_after(const edit_line *it, size_t at)
{
  if (at < it->length)
    at++;
  while (utf8_continues(it->text[at]))
    at++;
  return at;
}

static size_t word_before(const edit_line *it, size_t at)
{
  while (at > 0 && !is_word(it->text[at - 1]))
    at--;
  while (at > 0 && is_word(it->text[at - 1]))
    at--;
  return at;
}

static size_t word_after(const edit_line *it, size_t at)
{
  while (at < it->length && !is_word(it->text[at]))
    at++;
  while (is_word(it->text[at]))
    at++;
  return at;
}

typedef enum place { BEGIN, END, CHARACTER_BEFORE, CHARACTER_AFTER, WORD_BEFORE, WORD_AFTER } place;

static size_t place_at(const edit_line *it, place where)
{
  switch (where) {
  case BEGIN:
    return 0;
  case END:
    return it->length;
  case CHARACTER_BEFORE:
    return it->untouched ? 0 : character_before(it, it->cursor); /* before the selected text */
  case CHARACTER_AFTER:
    return character_after(it, it->cursor);
  case WORD_BEFORE:
    return word_before(it, it->cursor);
  case WORD_AFTER:
    return word_after(it, it->cursor);
  }
  return it->cursor;
}

size_t edit_line_from(const edit_line *it, size_t room)
{
  size_t at = it->cursor;
  for (; at > 0 && room > 0; room--)
    at = character_before(it, at);
  return at;
}

/* }== */

/* {== Keys =============================================================== */

typedef enum deed { MOVES, CUTS } deed;

typedef struct stroke {
  SDL_Keycode key;
  deed deed;
  place where;
} stroke;

static const stroke plain_strokes[] = {
    {SDLK_LEFT, MOVES, CHARACTER_BEFORE},
    {SDLK_RIGHT, MOVES, CHARACTER_AFTER},
    {SDLK_HOME, MOVES, BEGIN},
    {SDLK_END, MOVES, END},
    {SDLK_BACKSPACE, CUTS, CHARACTER_BEFORE},
    {SDLK_DELETE, CUTS, CHARACTER_AFTER},
    {0},
};

static const stroke control_strokes[] = {
    {SDLK_LEFT, MOVES, WORD_BEFORE},
    {SDLK_RIGHT, MOVES, WORD_AFTER},
    {SDLK_HOME, MOVES, BEGIN},
    {SDLK_END, MOVES, END},
    {SDLK_a, MOVES, BEGIN},
    {SDLK_e, MOVES, END},
    {SDLK_BACKSPACE, CUTS, WORD_BEFORE},
    {SDLK_DELETE, CUTS, WORD_AFTER},
    {SDLK_w, CUTS, WORD_BEFORE},
    {SDLK_u, CUTS, BEGIN},
    {SDLK_k, CUTS, END},
    {0},
};

static void cut_to(edit_line *it, size_t to)
{
  if (it->untouched)
    cut(it, 0, it->length);
  else if (to < it->cursor)
    cut(it, to, it->cursor);
  else
    cut(it, it->cursor, to);
}

bool edit_line_key(edit_line *it, SDL_Keycode key, Uint16 modifiers)
{
  const stroke *s = modifiers & KMOD_CTRL ? control_strokes : plain_strokes;
  size_t to;
  while (s->key && s->key != key)
    s++;
  if (!s->key)
    return false;
  to = place_at(it, s->where);
  if (s->deed == CUTS)
    cut_to(it, to);
  else
    it->cursor = to;
  it->untouched = false;
  return true;
}

/* }== */
