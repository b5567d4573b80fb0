#include "demo/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Text ================================================================ */

static bool is_inside_character(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static bool is_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & 0x80);
}

static size_t before(const prompt *it, size_t cursor)
{
  while (cursor > 0)
    if (!is_inside_character(it->text[--cursor]))
      break;
  return cursor;
}

static size_t after(const prompt *it, size_t at)
{
  if (at < it->length)
    at++;
  while (at < it->length && is_inside_character(it->text[at]))
    at++;
  return at;
}

static size_t word_before(const prompt *it, size_t at)
{
  while (at > 0 && !is_word(it->text[at - 1]))
    at--;
  while (at > 0 && is_word(it->text[at - 1]))
    at--;
  return at;
}

static size_t word_after(const prompt *it, size_t at)
{
  while (at < it->length && !is_word(it->text[at]))
    at++;
  while (at < it->length && is_word(it->text[at]))
    at++;
  return at;
}

void prompt_set(prompt *it, const char *text)
{
  size_t length = 0;
  for (size_t at = 0; text[at] && at + 1 < sizeof it->text; at++)
    if (!is_inside_character(text[at + 1]))
      length = at + 1; /* a character ends here */
  memcpy(it->text, text, length);
  it->text[length] = '\0';
  it->length = it->cursor = length;
}

void prompt_insert(prompt *it, const char *text, size_t length)
{
  if (it->length + length >= sizeof it->text)
    return;
  memmove(it->text + it->cursor + length, it->text + it->cursor, it->length - it->cursor + 1);
  memcpy(it->text + it->cursor, text, length);
  it->length += length;
  it->cursor += length;
}

static void cut(prompt *it, size_t from, size_t to)
{
  memmove(it->text + from, it->text + to, it->length - to + 1);
  it->length -= to - from;
  it->cursor = from;
}

/* }== */

/* {== History ============================================================= */

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
    memcpy(it->draft, it->text, it->length + 1);
  it->at = at;
  prompt_set(it, at == it->count ? it->draft : it->history[at]);
}

static bool is_news(const prompt *it)
{
  return it->length > 0 && (it->count == 0 || strcmp(it->history[it->count - 1], it->text) != 0);
}

void prompt_enter(prompt *it)
{
  char *copy = is_news(it) ? malloc(it->length + 1) : NULL;
  if (copy && it->count == PROMPT_HISTORY) {
    free(it->history[0]);
    memmove(it->history, it->history + 1, sizeof *it->history * (PROMPT_HISTORY - 1));
    it->count--;
  }
  if (copy)
    it->history[it->count++] = strcpy(copy, it->text);
  it->at = it->count;
  it->draft[0] = '\0';
  prompt_set(it, "");
}

/* }== */

/* {== Keys =============================================================== */

static bool control_key(prompt *it, SDL_Keycode key)
{
  switch (key) {
  case SDLK_a:
    it->cursor = 0;
    return true;
  case SDLK_e:
    it->cursor = it->length;
    return true;
  case SDLK_u:
    cut(it, 0, it->cursor);
    return true;
  case SDLK_k:
    cut(it, it->cursor, it->length);
    return true;
  case SDLK_w:
  case SDLK_BACKSPACE:
    cut(it, word_before(it, it->cursor), it->cursor);
    return true;
  case SDLK_LEFT:
    it->cursor = word_before(it, it->cursor);
    return true;
  case SDLK_RIGHT:
    it->cursor = word_after(it, it->cursor);
    return true;
  default:
    return false;
  }
}

static bool plain_key(prompt *it, SDL_Keycode key)
{
  switch (key) {
  case SDLK_LEFT:
    it->cursor = before(it, it->cursor);
    return true;
  case SDLK_RIGHT:
    it->cursor = after(it, it->cursor);
    return true;
  case SDLK_HOME:
    it->cursor = 0;
    return true;
  case SDLK_END:
    it->cursor = it->length;
    return true;
  case SDLK_BACKSPACE:
    cut(it, before(it, it->cursor), it->cursor);
    return true;
  case SDLK_DELETE:
    cut(it, it->cursor, after(it, it->cursor));
    return true;
  case SDLK_UP:
    show(it, it->at - 1);
    return true;
  case SDLK_DOWN:
    show(it, it->at + 1);
    return true;
  default:
    return false;
  }
}

bool prompt_key(prompt *it, SDL_Keycode key, Uint16 modifiers)
{
  return modifiers & KMOD_CTRL ? control_key(it, key) : plain_key(it, key);
}

/* }== */
