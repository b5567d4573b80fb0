/*
** string.find, match, gmatch and gsub, matched in steps between which the watchdog can stop. Lua's own matcher is one
** call into C: a pattern that backtracks for very long cannot be interrupted. Matches and error messages are exactly
** those of Lua.
*/
#include "script/guard/pattern.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/guard/watchdog.h"

#define ESCAPE '%'
#define SPECIALS "^$*+?.([%-"
#define NESTED_MOST 200 /* as in Lua: the C stack is limited */
#define CAPTURES_MOST 32

typedef struct capture {
  const char *from;
  ptrdiff_t length; /* or one of the following */
} capture;

#define CAPTURE_OPEN ((ptrdiff_t)-1)
#define CAPTURE_POSITION ((ptrdiff_t)-2)

typedef struct matcher {
  lua_State *L; /* raises the errors */
  const char *text, *text_end;
  const char *begin, *end; /* of the pattern, without the anchor */
  bool anchored;
  sp_timed_work work;
  bool calls_c; /* the replacement function is, or the table may have one that is */
  int nested;
  int count; /* of captures */
  capture captures[CAPTURES_MOST];
} matcher;

static int code(const char *at) { return (unsigned char)*at; }

/* {== Steps ============================================================== */

static inline void step(matcher *p) { sp_work_do(&p->work, 1); }

/* Counts an operation on so many bytes. */
static void step_over(matcher *p, size_t bytes)
{
  sp_work_do(&p->work, bytes < SP_STEPS_A_CHECK ? (uint32_t)bytes / 8 : SP_STEPS_A_CHECK);
}

/* Prepares to match the text at 1 with the pattern at 2, which must stay there. `may_anchor`: a leading '^' is an
   anchor. */
static void begin_matching(matcher *p, lua_State *L, bool may_anchor)
{
  size_t text_length, length;
  const char *text = luaL_checklstring(L, 1, &text_length), *pattern = luaL_checklstring(L, 2, &length);
  p->L = L;
  p->text = text;
  p->text_end = text + text_length;
  p->anchored = may_anchor && *pattern == '^';
  p->begin = pattern + p->anchored;
  p->end = pattern + length;
  p->work = sp_bounded_begin(L);
  p->calls_c = false;
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
static const char *skip_set(matcher *p, const char *at)
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
static const char *skip_item(matcher *p, const char *at)
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
static bool is_single(matcher *p, const char *at, const char *item, const char *item_end)
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

static const char *match_here(matcher *p, const char *at, const char *item);

static const char *match_most(matcher *p, const char *at, const char *item, const char *item_end)
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

static const char *match_least(matcher *p, const char *at, const char *item, const char *item_end)
{
  for (;; at++) {
    const char *end = match_here(p, at, item_end + 1);
    if (end || !is_single(p, at, item, item_end))
      return end;
  }
}

static const char *open_capture(matcher *p, const char *at, const char *rest, ptrdiff_t length)
{
  if (p->count >= CAPTURES_MOST)
    luaL_error(p->L, "too many captures");
  p->captures[p->count++] = (capture){at, length};
  const char *end = match_here(p, at, rest);
  if (!end)
    p->count--;
  return end;
}

static const char *close_capture(matcher *p, const char *at, const char *rest)
{
  int number = p->count - 1;
  while (number >= 0 && p->captures[number].length != CAPTURE_OPEN)
    number--;
  if (number < 0)
    luaL_error(p->L, "invalid pattern capture");
  p->captures[number].length = at - p->captures[number].from;
  const char *end = match_here(p, at, rest);
  if (!end)
    p->captures[number].length = CAPTURE_OPEN;
  return end;
}

/* Matches "%bxy" at `item`: returns the end of the match, or NULL. */
static const char *skip_balanced(matcher *p, const char *at, const char *item)
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
static const char *skip_frontier(matcher *p, const char *at, const char *item)
{
  const char *set = item + 2;
  if (set == p->end || *set != '[')
    luaL_error(p->L, "missing '[' after '%%f' in pattern");
  const char *end = skip_set(p, set);
  int before = at == p->text ? 0 : code(at - 1), here = at == p->text_end ? 0 : code(at);
  return !is_in_set(before, set, end - 1) && is_in_set(here, set, end - 1) ? end : NULL;
}

/* Matches "%1": returns the end of a text equal to the capture, or NULL. */
static const char *skip_same(matcher *p, const char *at, const char *item)
{
  int number = item[1] - '1';
  if (number < 0 || number >= p->count || p->captures[number].length == CAPTURE_OPEN)
    luaL_error(p->L, "invalid capture index %%%d", number + 1);
  size_t length = (size_t)p->captures[number].length;
  step_over(p, length);
  if ((size_t)(p->text_end - at) < length || memcmp(p->captures[number].from, at, length) != 0)
    return NULL;
  return at + length;
}

/* Matches a single-character item with its suffix. `*next` is where the pattern continues; NULL: the result is that
   of the whole rest. */
static const char *match_single(matcher *p, const char *at, const char *item, const char **next)
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
static const char *match_escaped(matcher *p, const char *at, const char *item, const char **next)
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
static const char *match_here(matcher *p, const char *at, const char *item)
{
  if (++p->nested > NESTED_MOST)
    luaL_error(p->L, "pattern too complex");
  step(p);
  while (at && item && item != p->end) {
    const char *next = NULL;
    if (*item == '(')
      at = item + 1 != p->end && item[1] == ')' ? open_capture(p, at, item + 2, CAPTURE_POSITION)
                                                : open_capture(p, at, item + 1, CAPTURE_OPEN);
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

/* Matches at the position `at`. Returns the end of the match, or NULL. Raises errors in the pattern, and the stop of
   the watchdog. */
static const char *match_at(matcher *p, const char *at)
{
  p->nested = p->count = 0;
  return match_here(p, at, p->begin);
}

/* Returns the first position of `what` from `at` on, or NULL. */
static const char *find_plain(matcher *p, const char *at, const char *what, size_t length)
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

/* Pushes a capture of the last match from..end: a string or a position. Without captures, number 0 is the whole match.
   */
static void push_capture(const matcher *p, int number, const char *from, const char *end)
{
  if (number >= p->count) {
    if (number > 0)
      luaL_error(p->L, "invalid capture index %%%d", number + 1);
    lua_pushlstring(p->L, from, (size_t)(end - from));
    return;
  }
  const capture *it = &p->captures[number];
  if (it->length == CAPTURE_OPEN)
    luaL_error(p->L, "unfinished capture");
  if (it->length == CAPTURE_POSITION)
    lua_pushinteger(p->L, it->from - p->text + 1);
  else
    lua_pushlstring(p->L, it->from, (size_t)it->length);
}

/* Pushes all captures, or the whole match if there are none and `from` is not NULL; returns how many. */
static int push_captures(const matcher *p, const char *from, const char *end)
{
  int count = p->count == 0 && from ? 1 : p->count;
  luaL_checkstack(p->L, count, "too many captures");
  for (int i = 0; i < count; i++)
    push_capture(p, i, from, end);
  return count;
}

/* }== */

/* {== find and match ===================================================== */

/* Returns the start from 0: `position` counts from 1, or back from the end. */
static size_t begin_at(lua_Integer position, size_t length)
{
  if (position > 0)
    return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)length)
    return 0;
  return length - (size_t)-position;
}

static bool is_plain(const char *pattern, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (pattern[i] && strchr(SPECIALS, pattern[i]))
      return false;
  return true;
}

/* Finds the first match from `at` on; its end is returned in `*end`. */
static const char *search(matcher *p, const char *at, const char **end)
{
  for (; at <= p->text_end; at++) {
    *end = match_at(p, at);
    if (*end)
      return at;
    if (p->anchored)
      break;
  }
  return NULL;
}

static int look_for(lua_State *L, bool find)
{
  matcher p;
  const char *at = NULL, *end = NULL;
  begin_matching(&p, L, true);
  const char *whole = p.begin - p.anchored;
  size_t length = (size_t)(p.end - whole), text_length = (size_t)(p.text_end - p.text);
  size_t from = begin_at(luaL_optinteger(L, 3, 1), text_length);
  bool plain = find && (lua_toboolean(L, 4) || is_plain(whole, length));
  if (from <= text_length && plain)
    at = find_plain(&p, p.text + from, whole, length);
  else if (from <= text_length)
    at = search(&p, p.text + from, &end);
  if (!at) {
    luaL_pushfail(L);
    return 1;
  }
  if (!find)
    return push_captures(&p, at, end);
  lua_pushinteger(L, at - p.text + 1);
  lua_pushinteger(L, (plain ? at + length : end) - p.text);
  return push_captures(&p, NULL, NULL) + 2;
}

int sp_bounded_find(lua_State *L) { return look_for(L, true); }
int sp_bounded_match(lua_State *L) { return look_for(L, false); }

/* }== */

/* {== gmatch ============================================================= */

typedef struct matches {
  matcher matcher;
  const char *at;
  const char *last; /* end of the last match: no empty match may begin there */
} matches;

/* Upvalues: both texts, and the state of the iteration. */
static int next_match(lua_State *L)
{
  matches *m = lua_touserdata(L, lua_upvalueindex(3));
  m->matcher.L = L;
  m->matcher.work = sp_work_begin(L, m->matcher.work.watchdog);
  for (const char *at = m->at; at <= m->matcher.text_end; at++) {
    const char *end = match_at(&m->matcher, at);
    if (end && end != m->last) {
      m->at = m->last = end;
      return push_captures(&m->matcher, at, end);
    }
  }
  return 0;
}

int sp_bounded_gmatch(lua_State *L)
{
  matcher p;
  begin_matching(&p, L, false);
  size_t length = (size_t)(p.text_end - p.text), from = begin_at(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  matches *m = lua_newuserdatauv(L, sizeof *m, 0);
  *m = (matches){.matcher = p, .at = p.text + (from > length ? length + 1 : from)};
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

/* }== */

/* {== gsub =============================================================== */

/* Adds a replacement text, in which %0 to %9 are captures. */
static void add_text(matcher *p, luaL_Buffer *b, const char *from, const char *end)
{
  size_t length;
  const char *text = lua_tolstring(p->L, 3, &length), *last = text + length;
  for (const char *mark; (mark = memchr(text, '%', (size_t)(last - text))) != NULL; text = mark + 2) {
    luaL_addlstring(b, text, (size_t)(mark - text));
    char what = mark[1];
    if (what == '%') {
      luaL_addchar(b, what);
    } else if (what == '0') {
      luaL_addlstring(b, from, (size_t)(end - from));
    } else if (isdigit((unsigned char)what)) {
      push_capture(p, what - '1', from, end);
      luaL_addvalue(b);
    } else {
      luaL_error(p->L, "invalid use of '%%' in replacement string");
    }
  }
  luaL_addlstring(b, text, (size_t)(last - text));
}

/* Adds the result of the replacement function or table; false or nil keeps the match. Returns whether it changed. */
static bool add_answer(matcher *p, luaL_Buffer *b, const char *from, const char *end)
{
  lua_State *L = p->L;
  if (lua_type(L, 3) == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, push_captures(p, from, end), 1);
  } else {
    push_capture(p, 0, from, end);
    lua_gettable(L, 3);
  }
  if (p->calls_c)
    sp_work_called(&p->work);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(b, from, (size_t)(end - from));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(b);
  return true;
}

static bool add_replacement(matcher *p, luaL_Buffer *b, const char *from, const char *end)
{
  int type = lua_type(p->L, 3);
  if (type == LUA_TFUNCTION || type == LUA_TTABLE)
    return add_answer(p, b, from, end);
  add_text(p, b, from, end);
  return true;
}

static void check_replacement(matcher *p)
{
  lua_State *L = p->L;
  int type = lua_type(L, 3), top = lua_gettop(L);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE)
    luaL_typeerror(L, 3, "string/function/table");
  p->calls_c = lua_iscfunction(L, 3) || (type == LUA_TTABLE && lua_getmetatable(L, 3));
  lua_settop(L, top);
}

int sp_bounded_gsub(lua_State *L)
{
  matcher p;
  luaL_Buffer b;
  begin_matching(&p, L, true);
  const char *at = p.text, *last = NULL;
  lua_Integer most = luaL_optinteger(L, 4, p.text_end - p.text + 1), count = 0;
  bool changed = false;
  check_replacement(&p);
  luaL_buffinit(L, &b);
  while (count < most) {
    const char *end = match_at(&p, at);
    if (end && end != last) {
      count++;
      changed |= add_replacement(&p, &b, at, end);
      at = last = end;
    } else if (at < p.text_end) {
      luaL_addchar(&b, *at++);
    } else {
      break;
    }
    if (p.anchored)
      break;
  }
  if (changed) {
    luaL_addlstring(&b, at, (size_t)(p.text_end - at));
    luaL_pushresult(&b);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

/* }== */
