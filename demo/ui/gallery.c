/*
** The cards are laid out in each drawing, by the size of the window. If the rows do not fit, they are scrolled so that
** the row of the chosen card is fully visible.
*/
#include "demo/ui/gallery.h"

#include <math.h>
#include <string.h>

#define CARD_LEAST 250.0f /* points: as many columns as this allows */
#define COLUMNS_MOST 4
#define PICTURE_SHAPE 0.625f /* height of a picture, for a width of 1 */
#define TEXT_HIGH 62.0f      /* below a picture */
#define GAP 14.0f
#define STICK 0.6f

static const char how[] = "arrows or mouse: choose   Enter: play   Esc: quit";

void gallery_open(gallery *it, const gallery_card *cards, int count)
{
  *it = (gallery){.cards = cards, .count = count, .stick_rests = true, .columns = 1};
}

/* {== Choosing =========================================================== */

static void move(gallery *it, int by)
{
  int to = it->chosen + by;
  if (to >= 0 && to < it->count)
    it->chosen = to;
  else if (by > 0 && it->chosen / it->columns < (it->count - 1) / it->columns)
    it->chosen = it->count - 1; /* the row below is shorter: choose its last card */
}

static gallery_wish press_key(gallery *it, SDL_Keycode key)
{
  switch (key) {
  case SDLK_LEFT:
    move(it, -1);
    break;
  case SDLK_RIGHT:
    move(it, 1);
    break;
  case SDLK_UP:
    move(it, -it->columns);
    break;
  case SDLK_DOWN:
    move(it, it->columns);
    break;
  case SDLK_HOME:
    it->chosen = 0;
    break;
  case SDLK_END:
    it->chosen = it->count - 1;
    break;
  case SDLK_RETURN:
  case SDLK_KP_ENTER:
  case SDLK_SPACE:
    return GALLERY_PLAY;
  case SDLK_ESCAPE:
    return GALLERY_QUIT;
  default:
    break;
  }
  return GALLERY_STAY;
}

static gallery_wish press_button(gallery *it, SDL_GameControllerButton button)
{
  switch (button) {
  case SDL_CONTROLLER_BUTTON_DPAD_LEFT:
    return press_key(it, SDLK_LEFT);
  case SDL_CONTROLLER_BUTTON_DPAD_RIGHT:
    return press_key(it, SDLK_RIGHT);
  case SDL_CONTROLLER_BUTTON_DPAD_UP:
    return press_key(it, SDLK_UP);
  case SDL_CONTROLLER_BUTTON_DPAD_DOWN:
    return press_key(it, SDLK_DOWN);
  case SDL_CONTROLLER_BUTTON_A:
  case SDL_CONTROLLER_BUTTON_START:
    return GALLERY_PLAY;
  case SDL_CONTROLLER_BUTTON_B:
    return GALLERY_QUIT;
  default:
    return GALLERY_STAY;
  }
}

/* Moves the choice by one card each time the stick leaves its rest position. */
static void push_stick(gallery *it)
{
  float x = it->gamepad.axes[SDL_CONTROLLER_AXIS_LEFTX], y = it->gamepad.axes[SDL_CONTROLLER_AXIS_LEFTY];
  bool across = fabsf(x) >= fabsf(y);
  float way = across ? x : y;
  if (fabsf(way) > STICK && it->stick_rests)
    move(it, (across ? 1 : it->columns) * (way > 0 ? 1 : -1));
  it->stick_rests = fabsf(way) <= STICK;
}

/* Returns the card at a position, or -1. */
static int card_at(const gallery *it, float x, float y)
{
  if (it->step_x <= 0 || x < it->left || y < it->top)
    return -1;
  int column = (int)((x - it->left) / it->step_x), row = (int)((y - it->top) / it->step_y);
  bool in_gap =
      x - it->left - (float)column * it->step_x > it->card_w || y - it->top - (float)row * it->step_y > it->card_h;
  int card = row * it->columns + column;
  return column < it->columns && card < it->count && !in_gap ? card : -1;
}

/* Chooses the card at a position; false when there is none. */
static bool point_at(gallery *it, int x, int y)
{
  int card = card_at(it, (float)x, (float)y);
  if (card >= 0)
    it->chosen = card;
  return card >= 0;
}

void gallery_forget_mouse(gallery *it) { it->mouse_seen = false; }

/* Chooses the card under a mouse that moves. The first position is where it rests: systems report that, too, when the
   window appears beneath it. */
static void move_mouse(gallery *it, int x, int y)
{
  bool moves = it->mouse_seen && (x != it->mouse.x || y != it->mouse.y);
  it->mouse_seen = true;
  it->mouse = (SDL_Point){x, y};
  if (moves)
    point_at(it, x, y);
}

/* A window that moves or is resized does so beneath a mouse that may rest. */
static void change_window(gallery *it, Uint8 change)
{
  if (change != SDL_WINDOWEVENT_ENTER && change != SDL_WINDOWEVENT_LEAVE)
    gallery_forget_mouse(it);
}

gallery_wish gallery_event(gallery *it, const SDL_Event *event)
{
  SDL_GameControllerButton button;
  bool pressed;
  switch (event->type) {
  case SDL_QUIT:
    return GALLERY_QUIT;
  case SDL_KEYDOWN:
    return event->key.keysym.mod & KMOD_ALT ? GALLERY_STAY : press_key(it, event->key.keysym.sym);
  case SDL_MOUSEMOTION:
    move_mouse(it, event->motion.x, event->motion.y);
    return GALLERY_STAY;
  case SDL_WINDOWEVENT:
    change_window(it, event->window.event);
    return GALLERY_STAY;
  case SDL_MOUSEWHEEL:
    if (event->wheel.y != 0)
      move(it, event->wheel.y > 0 ? -it->columns : it->columns);
    return GALLERY_STAY;
  case SDL_MOUSEBUTTONDOWN:
    return event->button.button == SDL_BUTTON_LEFT && point_at(it, event->button.x, event->button.y) ? GALLERY_PLAY
                                                                                                     : GALLERY_STAY;
  default:
    break;
  }
  if (gamepad_event(&it->gamepad, event, &button, &pressed))
    return pressed ? press_button(it, button) : GALLERY_STAY;
  push_stick(it);
  return GALLERY_STAY;
}

/* }== */

/* {== Drawing ============================================================ */

static float write(graphics *g, float x, float y, float size, SDL_Color color, text_align align, const char *s)
{
  text_style style = {FONT_SANS, size, color, align};
  return text_draw(g->text, g->out, x, y, &style, s, strlen(s));
}

/* Returns how many bytes of `s` fit into the width: whole words, unless the first one is too long. */
static size_t fitting(graphics *g, float w, const text_style *style, const char *s)
{
  size_t length = strlen(s), last = 0;
  if (text_width(g->text, style, s, length) <= w)
    return length;
  for (size_t i = 1; i < length && text_width(g->text, style, s, i) <= w; i++)
    last = s[i] == ' ' ? i : last;
  return last;
}

/* Writes a text in at most two rows of width `w`; longer text is cut and ends in dots. */
static void write_about(graphics *g, float x, float y, float w, float size, const char *s)
{
  text_style style = {FONT_SANS, size, {178, 184, 204, 255}, TEXT_LEFT};
  for (int row = 0; row < 2 && *s; row++) {
    bool last = row == 1;
    float dots = last ? text_width(g->text, &style, "..", 2) : 0;
    size_t all = strlen(s), length = fitting(g, w, &style, s);
    if (last && length < all)
      length = fitting(g, w - dots, &style, s);
    float end = x + text_draw(g->text, g->out, x, y, &style, s, length);
    if (last && length < all)
      text_draw(g->text, g->out, end, y, &style, "..", 2);
    s += length + (s[length] == ' ');
    y += text_line(g->text, &style);
  }
}

static void draw_card(graphics *g, const gallery_card *card, bool chosen, float x, float y, const gallery *it, float u)
{
  float high = it->card_w * PICTURE_SHAPE, border = chosen ? 3 * u : 1;
  g->color = chosen ? (SDL_Color){250, 205, 110, 255} : (SDL_Color){70, 74, 96, 255};
  graphics_rect(g, x - border, y - border, it->card_w + 2 * border, it->card_h + 2 * border, true);
  g->color = chosen ? (SDL_Color){38, 38, 56, 255} : (SDL_Color){26, 27, 40, 255};
  graphics_rect(g, x, y, it->card_w, it->card_h, true);
  if (card->picture) {
    batch_area area = {card->picture, 0, 0, 1, 1};
    Uint8 light = chosen ? 255 : 205;
    batch_rect(g->out, &area, x, y, it->card_w, high, (SDL_Color){light, light, light, 255});
  } else {
    g->color = (SDL_Color){44, 46, 66, 255};
    graphics_rect(g, x, y, it->card_w, high, true);
  }
  write(g, x + 9 * u, y + high + 5 * u, 16 * u, (SDL_Color){245, 245, 250, 255}, TEXT_LEFT, card->name);
  write_about(g, x + 9 * u, y + high + 26 * u, it->card_w - 18 * u, 12 * u, card->about);
}

/* Chooses as many columns as fit into the width, and more when a row of such wide cards would not fit into the height.
   */
static void lay_out_columns(gallery *it, const draw_view *view, float u, float room)
{
  float gap = GAP * u;
  int columns = (int)((view->width - gap) / (CARD_LEAST * u + gap));
  columns = columns < 1 ? 1 : columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
  for (;; columns++) {
    it->card_w = (view->width - gap * (float)(columns + 1)) / (float)columns;
    it->card_h = it->card_w * PICTURE_SHAPE + TEXT_HIGH * u;
    if (it->card_h <= room || columns == COLUMNS_MOST)
      break;
  }
  it->columns = columns;
  it->left = gap;
  it->step_x = it->card_w + gap;
  it->step_y = it->card_h + gap;
}

/* Lays out the cards; `u` is the scale of the text, 1 in a window of usual size. Scrolls no farther than the chosen
   card needs, so that a card that the mouse chooses stays under the mouse. */
static void lay_out(gallery *it, const draw_view *view, float u, float head)
{
  float room = view->height - 2 * head, rows_high, row_top;
  lay_out_columns(it, view, u, room);
  int rows = (it->count + it->columns - 1) / it->columns, chosen_row = it->chosen / it->columns;
  rows_high = (float)rows * it->step_y - GAP * u;
  row_top = (float)chosen_row * it->step_y;
  if (it->scrolled < row_top + it->card_h - room)
    it->scrolled = row_top + it->card_h - room;
  if (it->scrolled > row_top)
    it->scrolled = row_top;
  if (it->scrolled > rows_high - room)
    it->scrolled = rows_high - room;
  if (rows_high <= room)
    it->scrolled = (rows_high - room) / 2;
  else if (it->scrolled < 0)
    it->scrolled = 0;
  it->top = head - it->scrolled;
}

/* Covers cards that reach into the head and foot with the background colour. */
static void draw_edges(const gallery *it, graphics *g, float u, float head)
{
  float w = g->view.width, h = g->view.height;
  const char *line = it->line[0] ? it->line : how;
  SDL_Color color = it->line[0] ? (SDL_Color){250, 210, 100, 255} : (SDL_Color){178, 184, 204, 255};
  g->color = (SDL_Color){15, 15, 24, 255};
  graphics_rect(g, 0, 0, w, head - 6 * u, true);
  graphics_rect(g, 0, h - head + 6 * u, w, head, true);
  write(g, GAP * u, head / 2 - 16 * u, 19 * u, (SDL_Color){250, 205, 110, 255}, TEXT_LEFT, "spawnpool");
  write(g, w / 2, h - head / 2 - 5 * u, 13 * u, color, TEXT_CENTER, line);
}

void gallery_draw(gallery *it, graphics *g)
{
  float u = g->view.width / 900, head;
  u = u < 0.85f ? 0.85f : u > 2 ? 2 : u;
  head = 40 * u;
  lay_out(it, &g->view, u, head);
  g->color = (SDL_Color){15, 15, 24, 255};
  graphics_rect(g, 0, 0, g->view.width, g->view.height, true);
  for (int i = 0; i < it->count; i++) {
    int column = i % it->columns, row = i / it->columns;
    float x = it->left + (float)column * it->step_x, y = it->top + (float)row * it->step_y;
    if (y < g->view.height && y + it->card_h > 0)
      draw_card(g, &it->cards[i], i == it->chosen, x, y, it, u);
  }
  draw_edges(it, g, u, head);
}

/* }== */
