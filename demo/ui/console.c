#include "demo/ui/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/input/hotkeys.h"
#include "demo/support/utf8.h"

#define PAGE 10    /* lines scrolled by PageUp */
#define WHEEL 3    /* lines scrolled by a notch of the wheel */
#define LETTERS 80 /* per row, before the first drawing */
#define COLUMN_GAP 2

#define SIGN "> "
#define SIGN_MORE ">> "

void console_open(console *it, sp_script *script)
{
  it->script = script;
  it->letters = LETTERS;
}

void console_close(console *it)
{
  prompt_free(&it->prompt);
  scrollback_clear(&it->back);
  free(it->pending);
  it->pending = NULL;
}

void console_toggle(console *it)
{
  it->shown = !it->shown;
  it->drops_key = it->shown;
  it->scrolled = 0;
  if (it->shown)
    SDL_StartTextInput();
  else
    SDL_StopTextInput();
}

void console_add(console *it, sp_report kind, const char *said)
{
  static const scrollback_kind kinds[] = {[SP_REPORT_PRINT] = SCROLLBACK_PRINT,
                                          [SP_REPORT_WARNING] = SCROLLBACK_WARNING,
                                          [SP_REPORT_ERROR] = SCROLLBACK_ERROR,
                                          [SP_REPORT_RELOAD] = SCROLLBACK_RELOAD};
  scrollback_add(&it->back, kinds[kind], said);
}

/* {== Running ============================================================ */

static const char *sign_of(const console *it) { return it->pending ? SIGN_MORE : SIGN; }

static void drop_pending(console *it)
{
  free(it->pending);
  it->pending = NULL;
}

/* Returns the pending lines and `length` bytes of the current one, separated by a newline. NULL when memory is
   refused. */
static char *whole_text(const console *it, size_t length)
{
  size_t before = it->pending ? strlen(it->pending) : 0;
  char *lua = malloc(before + length + 2);
  if (lua)
    sprintf(lua, "%s%s%.*s", it->pending ? it->pending : "", it->pending ? "\n" : "", (int)length,
            it->prompt.line.text);
  return lua;
}

static void enter(console *it)
{
  char echo[EDIT_LINE_MOST + 8];
  char *lua = whole_text(it, it->prompt.line.length);
  snprintf(echo, sizeof echo, "%s%s", sign_of(it), it->prompt.line.text);
  scrollback_add(&it->back, SCROLLBACK_INPUT, echo);
  it->scrolled = 0;
  prompt_enter(&it->prompt);
  drop_pending(it);
  if (!lua) {
    scrollback_add(&it->back, SCROLLBACK_ERROR, "not enough memory");
  } else if (sp_script_eval(it->script, lua) == SP_EVAL_MORE && strlen(lua) < CONSOLE_PENDING_MOST) {
    it->pending = lua;
    return;
  }
  free(lua);
}

static void paste(console *it)
{
  char *pasted = SDL_GetClipboardText();
  for (const char *at = pasted; at && *at;) {
    size_t length = strcspn(at, "\n"), shown = length > 0 && at[length - 1] == '\r' ? length - 1 : length;
    edit_line_insert(&it->prompt.line, at, shown);
    if (at[length] == '\n') {
      enter(it);
      length++;
    }
    at += length;
  }
  SDL_free(pasted);
}

/* }== */

/* {== Completing ========================================================= */

#define WORDS_MOST 400

typedef struct word_list {
  char *words[WORDS_MOST];
  int count;
  size_t longest, shared; /* bytes; of the common prefix */
} word_list;

static void add_word(void *ud, const char *word)
{
  word_list *list = ud;
  size_t length = strlen(word), shared = 0;
  char *copy = list->count < WORDS_MOST ? malloc(length + 1) : NULL;
  if (!copy)
    return;
  list->words[list->count++] = strcpy(copy, word);
  if (length > list->longest)
    list->longest = length;
  if (list->count == 1)
    list->shared = length;
  while (shared < list->shared && word[shared] == list->words[0][shared])
    shared++;
  list->shared = shared;
}

static void say_words(console *it, const word_list *list)
{
  char row[1024];
  size_t width = list->longest + COLUMN_GAP, columns = it->letters / width;
  if (columns < 1)
    columns = 1;
  for (int i = 0; i < list->count;) {
    size_t used = 0;
    for (size_t c = 0; c < columns && i < list->count && used + width < sizeof row; c++, i++)
      used += (size_t)snprintf(row + used, sizeof row - used, "%-*s", (int)width, list->words[i]);
    if (used == 0)
      return; /* the name is too long for a row */
    scrollback_add(&it->back, SCROLLBACK_DETAIL, row);
  }
}

static void complete(console *it)
{
  word_list list = {.count = 0};
  char *lua = whole_text(it, it->prompt.line.cursor);
  size_t begun, shared;
  if (!lua || strspn(it->prompt.line.text, " ") >= it->prompt.line.cursor) {
    free(lua);
    return;
  }
  begun = sp_script_complete(it->script, lua, add_word, &list);
  shared = list.count > 0 ? utf8_fit(list.words[0], list.shared) : 0;
  if (shared > begun)
    edit_line_insert(&it->prompt.line, list.words[0] + begun, shared - begun);
  else if (list.count > 1)
    say_words(it, &list);
  for (int i = 0; i < list.count; i++)
    free(list.words[i]);
  free(lua);
}

/* }== */

/* {== Events ============================================================= */

static void scroll(console *it, int lines)
{
  it->scrolled += lines;
  if (it->scrolled > it->back.count - 1)
    it->scrolled = it->back.count - 1;
  if (it->scrolled < 0)
    it->scrolled = 0;
}

static void control_key(console *it, SDL_Keycode key, Uint16 modifiers)
{
  if (key == SDLK_v) {
    paste(it);
  } else if (key == SDLK_l) {
    scrollback_clear(&it->back);
    it->scrolled = 0;
  } else if (key == SDLK_c) {
    edit_line_set(&it->prompt.line, "");
    drop_pending(it);
  } else {
    prompt_key(&it->prompt, key, modifiers);
  }
}

static void plain_key(console *it, SDL_Keycode key, Uint16 modifiers)
{
  switch (key) {
  case SDLK_BACKQUOTE:
  case SDLK_ESCAPE:
    console_toggle(it);
    break;
  case SDLK_RETURN:
  case SDLK_KP_ENTER:
    enter(it);
    break;
  case SDLK_TAB:
    complete(it);
    break;
  case SDLK_PAGEUP:
    scroll(it, PAGE);
    break;
  case SDLK_PAGEDOWN:
    scroll(it, -PAGE);
    break;
  default:
    prompt_key(&it->prompt, key, modifiers);
    break;
  }
}

static bool is_function_key(SDL_Keycode key) { return key >= SDLK_F1 && key <= SDLK_F12; }

static bool press(console *it, const SDL_Keysym *key)
{
  SDL_Keycode code = hotkeys_code(key);
  if (is_function_key(code))
    return false;
  it->drops_key = false;
  if (key->mod & KMOD_CTRL)
    control_key(it, code, key->mod);
  else
    plain_key(it, code, key->mod);
  return true;
}

static void type(console *it, const char *letters)
{
  if (!it->drops_key)
    edit_line_insert(&it->prompt.line, letters, strlen(letters));
  it->drops_key = false;
}

bool console_event(console *it, const SDL_Event *event)
{
  if (!it->shown)
    return false;
  switch (event->type) {
  case SDL_KEYDOWN:
    return press(it, &event->key.keysym);
  case SDL_TEXTINPUT:
    type(it, event->text.text);
    return true;
  case SDL_MOUSEWHEEL:
    scroll(it, event->wheel.y * WHEEL);
    return true;
  default:
    return false; /* keys released while it is open must reach the game */
  }
}

/* }== */

/* {== The picture ======================================================== */

#define SHARE 0.5f /* share of the window's height */

static SDL_Color color_of(scrollback_kind kind)
{
  static const SDL_Color colors[] = {
      [SCROLLBACK_PRINT] = PANEL_WHITE,    [SCROLLBACK_INPUT] = PANEL_GREY, [SCROLLBACK_RELOAD] = PANEL_GREEN,
      [SCROLLBACK_WARNING] = PANEL_YELLOW, [SCROLLBACK_ERROR] = PANEL_RED,  [SCROLLBACK_DETAIL] = PANEL_GREY,
      [SCROLLBACK_HINT] = PANEL_GREEN};
  return colors[kind];
}

/* Draws lines from the last one upwards, as many as fit between `top` and `bottom`. */
static void draw_lines(const console *it, graphics *g, float top, float bottom, float w)
{
  float row = panel_row(g), y = bottom;
  const scrollback_line *l;
  for (int back = it->scrolled; (l = scrollback_at(&it->back, back)) != NULL; back++) {
    int rows = panel_wrapped_rows(g, w, 100, l->text);
    rows = rows > 0 ? rows : 1;
    y -= row * (float)rows;
    if (y < top)
      return;
    panel_wrapped(g, 2 * PANEL_MARGIN, y, w, rows, color_of(l->kind), l->text);
    if (l->times > 1) {
      char times[32];
      snprintf(times, sizeof times, "x%u", l->times);
      panel_text_right(g, 2 * PANEL_MARGIN + w, y, PANEL_GREY, times);
    }
  }
}

/* Draws the line that is typed; a long one is scrolled to show the cursor. */
static void draw_input(const console *it, graphics *g, float y, float w)
{
  const edit_line *line = &it->prompt.line;
  const char *sign = sign_of(it), *shown;
  char visible[EDIT_LINE_MOST];
  size_t room = panel_letters(g, w) - strlen(sign) - 1, from = edit_line_from(line, room);
  float letter = panel_letter(g), x = 2 * PANEL_MARGIN;
  x += panel_text(g, x, y, PANEL_GREEN, sign);
  shown = line->text + from;
  snprintf(visible, sizeof visible, "%.*s", (int)utf8_span(shown, room + 1), shown);
  g->color = (SDL_Color){130, 225, 150, 110};
  graphics_rect(g, x + letter * (float)utf8_letters(shown, line->cursor - from), y, letter, panel_row(g) - 2, true);
  panel_text(g, x, y, PANEL_WHITE, visible);
}

void console_draw(console *it, graphics *g)
{
  float row = panel_row(g), w = g->view.width - 4 * PANEL_MARGIN, h = g->view.height * SHARE;
  float bottom;
  if (!it->shown)
    return;
  if (h < 3 * row + 2 * PANEL_MARGIN)
    h = 3 * row + 2 * PANEL_MARGIN;
  it->letters = panel_letters(g, w);
  bottom = PANEL_MARGIN + h - PANEL_MARGIN - row;
  panel_page(g, PANEL_MARGIN, PANEL_MARGIN, w + 2 * PANEL_MARGIN, h);
  g->color = (SDL_Color){255, 255, 255, 14};
  graphics_rect(g, PANEL_MARGIN, bottom - 4, w + 2 * PANEL_MARGIN, row + 4 + PANEL_MARGIN, true);
  draw_lines(it, g, 2 * PANEL_MARGIN, bottom - 8, w);
  draw_input(it, g, bottom, w);
  if (it->scrolled > 0)
    panel_text_right(g, 2 * PANEL_MARGIN + w, bottom, PANEL_YELLOW, "PageDown goes on");
}

/* }== */
