#include "demo/ui/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/input/hotkeys.h"
#include "demo/support/strings.h"

#define PAGE 10    /* lines scrolled by PageUp, before the first drawing */
#define WHEEL 3    /* lines scrolled by a notch of the wheel */
#define LETTERS 80 /* per row, before the first drawing */
#define COLUMN_GAP 2

#define SIGN "> "
#define SIGN_MORE ">> "

void console_open(console *it, sp_script *script)
{
  it->script = script;
  it->letters = LETTERS;
  it->page = PAGE;
}

void console_close(console *it)
{
  completion_clear(&it->completion);
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
  completion_clear(&it->completion);
  if (it->shown)
    SDL_StartTextInput();
  else
    SDL_StopTextInput();
}

static void scroll(console *it, int lines)
{
  it->scrolled += lines;
  if (it->scrolled > it->back.count - 1)
    it->scrolled = it->back.count - 1;
  if (it->scrolled < 0)
    it->scrolled = 0;
}

/* Adds lines. When the user has scrolled back, the visible lines stay where they are. */
static void add_lines(console *it, scrollback_kind kind, const char *said)
{
  int added = scrollback_add(&it->back, kind, said);
  if (it->scrolled > 0)
    scroll(it, added);
}

void console_add(console *it, sp_report kind, const char *said)
{
  static const scrollback_kind kinds[] = {[SP_REPORT_PRINT] = SCROLLBACK_PRINT,
                                          [SP_REPORT_WARNING] = SCROLLBACK_WARNING,
                                          [SP_REPORT_ERROR] = SCROLLBACK_ERROR,
                                          [SP_REPORT_RELOAD] = SCROLLBACK_RELOAD};
  add_lines(it, kinds[kind], said);
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

static sp_eval run(const console *it, const char *lua)
{
  return it->eval ? it->eval(it->eval_ud, lua) : sp_script_eval(it->script, lua);
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
  } else if (run(it, lua) == SP_EVAL_MORE && strlen(lua) < CONSOLE_PENDING_MOST) {
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

static void list_words(console *it)
{
  const completion *list = &it->completion;
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
    add_lines(it, SCROLLBACK_DETAIL, row);
  }
}

static void complete(console *it, int step)
{
  edit_line *line = &it->prompt.line;
  char *lua;
  if (completion_cycle(&it->completion, line, step))
    return;
  lua = whole_text(it, line->cursor);
  if (lua && strspn(line->text, " ") < line->cursor && completion_begin(&it->completion, line, it->script, lua))
    list_words(it);
  free(lua);
}

/* }== */

/* {== Events ============================================================= */

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

static bool keeps_completion(SDL_Keycode key)
{
  return key == SDLK_TAB || key == SDLK_LSHIFT || key == SDLK_RSHIFT || key == SDLK_PAGEUP || key == SDLK_PAGEDOWN;
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
    complete(it, modifiers & KMOD_SHIFT ? -1 : 1);
    break;
  case SDLK_PAGEUP:
    scroll(it, it->page);
    break;
  case SDLK_PAGEDOWN:
    scroll(it, -it->page);
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
  if (!keeps_completion(code))
    completion_clear(&it->completion);
  if (key->mod & KMOD_CTRL)
    control_key(it, code, key->mod);
  else
    plain_key(it, code, key->mod);
  return true;
}

static void type(console *it, const char *letters)
{
  if (!it->drops_key) {
    completion_clear(&it->completion);
    edit_line_insert(&it->prompt.line, letters, strlen(letters));
  }
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

static int rows_of(graphics *g, float w, const scrollback_line *line)
{
  int rows = panel_wrapped_rows(g, w, 100, line->text);
  return rows > 0 ? rows : 1;
}

/* Scrolling back ends where the oldest line is at the top of the `rows` rows. */
static void end_at_oldest(console *it, graphics *g, int rows, float w)
{
  int lowest = it->back.count;
  it->page = rows > 1 ? rows - 1 : 1;
  while (it->scrolled > 0 && lowest > 0 && rows_of(g, w, scrollback_at(&it->back, lowest - 1)) <= rows)
    rows -= rows_of(g, w, scrollback_at(&it->back, --lowest));
  if (it->scrolled > lowest)
    it->scrolled = lowest;
}

/* Draws lines from the last one upwards, as many as fit between `top` and `bottom`. */
static void draw_lines(const console *it, graphics *g, float top, float bottom, float w)
{
  float row = panel_row(g), y = bottom;
  const scrollback_line *l;
  for (int back = it->scrolled; (l = scrollback_at(&it->back, back)) != NULL; back++) {
    int rows = rows_of(g, w, l);
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

/* Shows at the right of the input what the keys do, in states other than typing. */
static void draw_state(const console *it, graphics *g, float right, float y)
{
  const completion *words = &it->completion;
  char count[64];
  if (it->scrolled > 0)
    panel_text_right(g, right, y, PANEL_YELLOW, "PageDown goes on");
  else if (words->count > 1 && words->at >= 0) {
    snprintf(count, sizeof count, "%d of %d", words->at + 1, words->count);
    panel_text_right(g, right, y, PANEL_GREY, count);
  }
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
  panel_plate(g, PANEL_MARGIN, PANEL_MARGIN, w + 2 * PANEL_MARGIN, h);
  g->color = (SDL_Color){255, 255, 255, 14};
  graphics_rect(g, PANEL_MARGIN, bottom - 4, w + 2 * PANEL_MARGIN, row + 4 + PANEL_MARGIN, true);
  end_at_oldest(it, g, (int)((bottom - 8 - 2 * PANEL_MARGIN) / row), w);
  draw_lines(it, g, 2 * PANEL_MARGIN, bottom - 8, w);
  draw_input(it, g, bottom, w);
  draw_state(it, g, 2 * PANEL_MARGIN + w, bottom);
}

/* }== */
