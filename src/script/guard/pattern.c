#include "script/guard/pattern.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#define ESCAPE '%'
#define NESTED_MOST 200 /* as in Lua: the C stack is limited */

static int code(const char *at) { return (unsigned char)*at; }

/* {== Steps ============================================================== */

static inline void step(sp_pattern *p) { sp_work_do(&p->work, 1); }

/* Counts an operation on so many bytes. */
static void step_over(sp_pattern *p, size_t bytes)
{
  sp_work_do(&p->work, bytes < SP_STEPS_A_LOOK ? (uint32_t)bytes / 8 : SP_STEPS_A_LOOK);
}

void sp_pattern_begin(sp_pattern *p, lua_State *L, const char *text, size_t text_length, const char *pattern,
                      size_t length, bool may_anchor)
{
  p->L = L;
  p->text = text;
  p->text_end = text + text_length;
  p->anchored = may_anchor && *pattern == '^';
  p->begin = pattern + p->anchored;
  p->end = pattern + length;
  p->work = sp_work_begin(L);
  p->nested = p->count = 0;
}

/* }== */

/* {== Single characters ================================================== */

static bool is_of_class(int c, int letter)
{
  bool is;
  switch (tolower(letter)) {
  case 'a':
    is = isalpha(c);
    break;
  case 'c':
    is = iscntrl(c);
    break;
  case 'd':
    is = isdigit(c);
    break;
  case 'g':
    is = isgraph(c);
    break;
  case 'l':
    is = islower(c);
    break;
  case 'p':
    is = ispunct(c);
    break;
  case 's':
    is = isspace(c);
    break;
  case 'u':
    is = isupper(c);
    break;
  case 'w':
    is = isalnum(c);
    break;
  case 'x':
    is = isxdigit(c);
    break;
  case 'z': /* of Lua 5.1, still supported */
    is = c == 0;
    break;
  default:
    return c == letter;
  }
  return is != (isupper(letter) != 0);
}

/* Returns the end of the set that begins at `at`, a '[': behind its ']'. The first member may be a ']'. */
static const char *skip_set(sp_pattern *p, const char *at)
{
  const char *from = at++;
  if (*at == '^')
    at++;
  do {
    if (at == p->end)
      luaL_error(p->L, "malformed pattern (missing ']')");
    bool escapes = *at++ == ESCAPE;
    if (escapes && at < p->end)
      at++;
  } while (at == p->end || *at != ']');
  step_over(p, (size_t)(at - from));
  return at + 1;
}

/* Returns the end of the single-character item that begins at `at`. */
static const char *skip_item(sp_pattern *p, const char *at)
{
  if (*at == '[')
    return skip_set(p, at);
  if (*at == ESCAPE && at + 1 == p->end)
    luaL_error(p->L, "malformed pattern (ends with '%%')");
  return at + (*at == ESCAPE ? 2 : 1);
}

/* `last` is the ']' of the set. */
static bool is_in_set(int c, const char *at, const char *last)
{
  bool inside = at[1] != '^';
  at += inside ? 1 : 2;
  for (; at < last; at++) {
    if (*at == ESCAPE) {
      if (is_of_class(c, code(++at)))
        return inside;
    } else if (at[1] == '-' && at + 2 < last) {
      if (code(at) <= c && c <= code(at + 2))
        return inside;
      at += 2;
    } else if (code(at) == c) {
      return inside;
    }
  }
  return !inside;
}

/* Returns whether the character at `at` matches the item. */
static bool is_single(sp_pattern *p, const char *at, const char *item, const char *item_end)
{
  step(p);
  if (at >= p->text_end)
    return false;
  switch (*item) {
  case '.':
    return true;
  case ESCAPE:
    return is_of_class(code(at), code(item + 1));
  case '[':
    step_over(p, (size_t)(item_end - item));
    return is_in_set(code(at), item, item_end - 1);
  default:
    return *item == *at;
  }
}

/* }== */

/* {== Items ============================================================== */

static const char *match_here(sp_pattern *p, const char *at, const char *item);

static const char *match_most(sp_pattern *p, const char *at, const char *item, const char *item_end)
{
  ptrdiff_t count = 0;
  while (is_single(p, at + count, item, item_end))
    count++;
  for (; count >= 0; count--) {
    const char *end = match_here(p, at + count, item_end + 1);
    if (end)
      return end;
  }
  return NULL;
}

static const char *match_least(sp_pattern *p, const char *at, const char *item, const char *item_end)
{
  for (;; at++) {
    const char *end = match_here(p, at, item_end + 1);
    if (end || !is_single(p, at, item, item_end))
      return end;
  }
}

static const char *open_capture(sp_pattern *p, const char *at, const char *rest, ptrdiff_t length)
{
  if (p->count >= SP_CAPTURES_MOST)
    luaL_error(p->L, "too many captures");
  p->captures[p->count++] = (sp_capture){at, length};
  const char *end = match_here(p, at, rest);
  if (!end)
    p->count--;
  return end;
}

static const char *close_capture(sp_pattern *p, const char *at, const char *rest)
{
  int number = p->count - 1;
  while (number >= 0 && p->captures[number].length != SP_CAPTURE_OPEN)
    number--;
  if (number < 0)
    luaL_error(p->L, "invalid pattern capture");
  p->captures[number].length = at - p->captures[number].from;
  const char *end = match_here(p, at, rest);
  if (!end)
    p->captures[number].length = SP_CAPTURE_OPEN;
  return end;
}

/* Matches "%bxy" at `item`: returns the end of the match, or NULL. */
static const char *skip_balanced(sp_pattern *p, const char *at, const char *item)
{
  if (p->end - item < 4)
    luaL_error(p->L, "malformed pattern (missing arguments to '%%b')");
  if (at == p->text_end || *at != item[2])
    return NULL;
  size_t open = 1;
  for (at++; at < p->text_end; at++) {
    step(p);
    if (*at == item[3]) {
      if (--open == 0)
        return at + 1;
    } else if (*at == item[2]) {
      open++;
    }
  }
  return NULL;
}

/* Matches "%f[set]" at `item`: returns the end of the item when `at` is such a frontier, or NULL. A zero byte is
   assumed beyond either end of the text. */
static const char *skip_frontier(sp_pattern *p, const char *at, const char *item)
{
  const char *set = item + 2;
  if (set == p->end || *set != '[')
    luaL_error(p->L, "missing '[' after '%%f' in pattern");
  const char *end = skip_set(p, set);
  int before = at == p->text ? 0 : code(at - 1), here = at == p->text_end ? 0 : code(at);
  return !is_in_set(before, set, end - 1) && is_in_set(here, set, end - 1) ? end : NULL;
}

/* Matches "%1": returns the end of a text equal to the capture, or NULL. */
static const char *skip_same(sp_pattern *p, const char *at, const char *item)
{
  int number = item[1] - '1';
  if (number < 0 || number >= p->count || p->captures[number].length == SP_CAPTURE_OPEN)
    luaL_error(p->L, "invalid capture index %%%d", number + 1);
  size_t length = (size_t)p->captures[number].length;
  step_over(p, length);
  if ((size_t)(p->text_end - at) < length || memcmp(p->captures[number].from, at, length) != 0)
    return NULL;
  return at + length;
}

/* Matches a single-character item with its suffix. `*next` is where the pattern continues; NULL: the result is that
   of the whole rest. */
static const char *match_single(sp_pattern *p, const char *at, const char *item, const char **next)
{
  const char *end = skip_item(p, item);
  char repeat = '\0';
  if (end < p->end)
    repeat = *end;
  bool fits = is_single(p, at, item, end), may_lack = repeat == '*' || repeat == '-' || repeat == '?';
  *next = may_lack ? end + 1 : end;
  if (!fits)
    return may_lack ? at : NULL;
  if (!may_lack && repeat != '+')
    return at + 1;
  const char *whole = repeat == '+'   ? match_most(p, at + 1, item, end)
                      : repeat == '*' ? match_most(p, at, item, end)
                      : repeat == '-' ? match_least(p, at, item, end)
                                      : match_here(p, at + 1, end + 1);
  if (repeat == '?' && !whole)
    return at;
  *next = NULL;
  return whole;
}

/* Works like match_single, for an item that begins with '%'. */
static const char *match_escaped(sp_pattern *p, const char *at, const char *item, const char **next)
{
  int letter = item + 1 < p->end ? code(item + 1) : 0;
  switch (letter) {
  case 'b':
    at = skip_balanced(p, at, item);
    *next = item + 4;
    return at;
  case 'f':
    *next = skip_frontier(p, at, item);
    return *next ? at : NULL;
  default:
    if (!isdigit(letter))
      return match_single(p, at, item, next);
    *next = item + 2;
    return skip_same(p, at, item);
  }
}

/* Matches the rest of the pattern, from `item` on. */
static const char *match_here(sp_pattern *p, const char *at, const char *item)
{
  if (++p->nested > NESTED_MOST)
    luaL_error(p->L, "pattern too complex");
  step(p);
  while (at && item && item != p->end) {
    const char *next = NULL;
    if (*item == '(')
      at = item + 1 != p->end && item[1] == ')' ? open_capture(p, at, item + 2, SP_CAPTURE_PLACE)
                                                : open_capture(p, at, item + 1, SP_CAPTURE_OPEN);
    else if (*item == ')')
      at = close_capture(p, at, item + 1);
    else if (*item == '$' && item + 1 == p->end)
      at = at == p->text_end ? at : NULL;
    else if (*item == ESCAPE)
      at = match_escaped(p, at, item, &next);
    else
      at = match_single(p, at, item, &next);
    item = next;
  }
  p->nested--;
  return at;
}

const char *sp_pattern_match(sp_pattern *p, const char *at)
{
  p->nested = p->count = 0;
  return match_here(p, at, p->begin);
}

const char *sp_pattern_find_plain(sp_pattern *p, const char *at, const char *what, size_t length)
{
  if (length == 0)
    return at;
  while ((size_t)(p->text_end - at) >= length) {
    at = memchr(at, *what, (size_t)(p->text_end - at) - length + 1);
    if (!at || memcmp(at, what, length) == 0)
      return at;
    /* Comparing long texts: so many bytes take as long as a step. */
    step_over(p, length);
    at++;
  }
  return NULL;
}

/* }== */

/* {== Captures =========================================================== */

void sp_pattern_push_capture(const sp_pattern *p, int number, const char *from, const char *end)
{
  if (number >= p->count) {
    if (number > 0)
      luaL_error(p->L, "invalid capture index %%%d", number + 1);
    lua_pushlstring(p->L, from, (size_t)(end - from));
    return;
  }
  const sp_capture *capture = &p->captures[number];
  if (capture->length == SP_CAPTURE_OPEN)
    luaL_error(p->L, "unfinished capture");
  if (capture->length == SP_CAPTURE_PLACE)
    lua_pushinteger(p->L, capture->from - p->text + 1);
  else
    lua_pushlstring(p->L, capture->from, (size_t)capture->length);
}

int sp_pattern_push_captures(const sp_pattern *p, const char *from, const char *end)
{
  int count = p->count == 0 && from ? 1 : p->count;
  luaL_checkstack(p->L, count, "too many captures");
  for (int i = 0; i < count; i++)
    sp_pattern_push_capture(p, i, from, end);
  return count;
}

/* }== */
