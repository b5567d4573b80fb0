/*
** From the top: the pools, the slots of one pool, and an object or, while none is selected, the lines that allocated
** live objects. Each part takes the height that it needs; the last one gets the rest.
*/
#include "demo/ui/inspector_panel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/report.h"
#include "demo/support/stats.h"
#include "demo/support/strings.h"
#include "demo/ui/picker.h"

#define POOLS_SHARE 0.22f /* of the window's height, at most */
#define MAP_SHARE 0.24f
#define NAME_LETTERS 13
#define PAIR_LETTERS 8 /* letters for the name of a built-in field */
#define CHILDREN 3
#define LINK_TYPE 20 /* bytes of a type in a link */
#define MESSAGE_ROWS 4

#define PANEL_BLUE ((SDL_Color){140, 190, 255, 255})

/* The current position of drawing. */
typedef struct cursor {
  inspector *it;
  graphics *g;
  sp_manager *pools;
  float x, y, w, bottom;
  float row, letter;
} cursor;

static void add_spot(inspector *it, inspector_spot spot)
{
  if (it->spot_count < INSPECTOR_SPOTS)
    it->spots[it->spot_count++] = spot;
}

static bool is_over(const inspector *it, float x, float y, float w, float h)
{
  return it->mouse_x >= x && it->mouse_x < x + w && it->mouse_y >= y && it->mouse_y < y + h;
}

/* Draws the background of a row: clickable rows are highlighted under the mouse. */
static void draw_row_back(cursor *c, float x, float y, float w, bool chosen)
{
  if (!chosen && !is_over(c->it, x, y, w, c->row))
    return;
  c->g->color = chosen ? (SDL_Color){110, 160, 255, 70} : (SDL_Color){255, 255, 255, 22};
  graphics_rect(c->g, x - 3, y, w + 6, c->row, true);
}

/* Draws a scroll bar: rows `first` to `end` of `count` are visible, from `top` to the current position. */
static void draw_bar(const cursor *c, float top, int first, int end, int count)
{
  float unit = (c->y - top) / (float)(count > 0 ? count : 1);
  if (first <= 0 && end >= count)
    return;
  c->g->color = (SDL_Color){255, 255, 255, 70};
  graphics_rect(c->g, c->x + c->w + 5, top + unit * (float)first, 2, unit * (float)(end - first), true);
}

static void draw_rule(cursor *c)
{
  c->y = floorf(c->y + 4);
  c->g->color = (SDL_Color){255, 255, 255, 34};
  graphics_rect(c->g, c->x, c->y, c->w, 1, true);
  c->y += 5;
}

/* {== Pools ============================================================== */

static void draw_pool_row(cursor *c, uint32_t i, const sp_pool *pool)
{
  inspector *it = c->it;
  sp_stats s = sp_pool_stats(pool);
  uint32_t limit = stats_limit(pool);
  char count[48];
  bool full = limit != SP_UNLIMITED && s.live >= limit;
  draw_row_back(c, c->x, c->y, c->w, strcmp(sp_pool_type(pool), it->type) == 0);
  panel_text_cut(c->g, c->x, c->y, c->w - 15 * c->letter, PANEL_WHITE, sp_pool_type(pool));
  if (limit != SP_UNLIMITED)
    snprintf(count, sizeof count, "%" PRIu32 " of %" PRIu32, s.live, limit);
  else
    snprintf(count, sizeof count, "%" PRIu32, s.live);
  panel_text_right(c->g, c->x + c->w, c->y, full ? PANEL_YELLOW : PANEL_GREY, count);
  add_spot(it, (inspector_spot){SPOT_POOL, c->x - 3, c->y, c->w + 6, c->row, i, SP_NONE_REF});
  c->y += c->row;
}

/* Scrolls the chosen pool into view. */
static void follow_choice(inspector *it, const sp_manager *pools, uint32_t rows)
{
  uint32_t count = sp_count_pools(pools), last = count > rows ? count - rows : 0;
  for (uint32_t i = 0; it->follow_choice && i < count; i++) {
    if (strcmp(sp_pool_type(sp_get_pool(pools, i)), it->type) != 0)
      continue;
    if (i < it->first_pool)
      it->first_pool = i;
    else if (i >= it->first_pool + rows)
      it->first_pool = i - rows + 1;
  }
  it->follow_choice = false;
  if (it->first_pool > last)
    it->first_pool = last;
}

static void draw_pools_part(cursor *c)
{
  inspector *it = c->it;
  uint32_t count = sp_count_pools(c->pools), rows = (uint32_t)(c->g->view.height * POOLS_SHARE / c->row);
  float top = c->y;
  if (rows < 1)
    rows = 1;
  follow_choice(it, c->pools, rows);
  for (uint32_t i = it->first_pool; i < count && i < it->first_pool + rows; i++)
    draw_pool_row(c, i, sp_get_pool(c->pools, i));
  draw_bar(c, top, (int)it->first_pool, (int)(it->first_pool + rows), (int)count);
}

/* }== */

/* {== Slots ============================================================== */

/* Draws a coloured square and its name. */
static float draw_key(const cursor *c, float x, SDL_Color color, const char *name)
{
  float side = floorf(c->row * 0.5f);
  if (x + side + 4 + c->letter * (float)strlen(name) > c->x + c->w + 1)
    return x; /* a narrow panel has no room for it */
  c->g->color = color;
  graphics_rect(c->g, x, floorf(c->y + c->row * 0.2f), side, side, true);
  return x + side + 4 + panel_text(c->g, x + side + 4, c->y, PANEL_GREY, name) + c->letter;
}

static void draw_keys(cursor *c)
{
  float x = c->x;
  x = draw_key(c, x, slot_map_color(SP_SLOT_LIVE, 0), "new");
  x = draw_key(c, x, slot_map_color(SP_SLOT_LIVE, 30), "old");
  x = draw_key(c, x, slot_map_color(SP_SLOT_IDLE, 0), "idle");
  x = draw_key(c, x, slot_map_color(SP_SLOT_ENDING, 0), "ending");
  draw_key(c, x, slot_map_color(SP_SLOT_EMPTY, 0), "empty");
  c->y += c->row;
}

static void draw_slots_part(cursor *c, const sp_pool *pool)
{
  inspector *it = c->it;
  sp_stats s = sp_pool_stats(pool);
  uint32_t version = sp_script_class_version(it->script, it->type);
  char line[128];
  float h, most = floorf(c->g->view.height * MAP_SHARE);
  int used = snprintf(line, sizeof line, "%" PRIu32 " idle, peak %" PRIu32, s.idle, s.peak);
  if (version > 0)
    snprintf(line + used, sizeof line - (size_t)used, ", class v%" PRIu32, version);
  panel_text_cut(c->g, c->x, c->y, c->w, PANEL_GREY, line);
  c->y += c->row + 2;
  h = slot_map_draw(&it->map, c->g, pool, c->x, c->y, c->w, most, it->selected);
  if (h > 0)
    add_spot(it, (inspector_spot){SPOT_MAP, c->x, c->y, c->w, h, 0, SP_NONE_REF});
  c->y += h + 3;
  if (it->map.texture && it->map.slots > it->map.shown) {
    snprintf(line, sizeof line, "slots %" PRIu32 " to %" PRIu32 " of %" PRIu32 " (wheel)", it->map.first + 1,
             it->map.first + it->map.shown, it->map.slots);
    panel_text_cut(c->g, c->x, c->y, c->w, PANEL_GREY, line);
    c->y += c->row;
  }
  draw_keys(c);
}

/* }== */

/* {== An object ========================================================== */

static void draw_line(cursor *c, SDL_Color color, const char *line)
{
  panel_text_cut(c->g, c->x, c->y, c->w, color, line);
  c->y += c->row;
}

static void draw_wrapped(cursor *c, int rows, SDL_Color color, const char *s)
{
  int fit = (int)((c->bottom - c->y) / c->row);
  if (s[0])
    c->y += c->row * (float)panel_wrapped(c->g, c->x, c->y, c->w, fit < rows ? fit : rows, color, s);
}

static void draw_times(cursor *c, sp_ref object)
{
  char line[96], end[48];
  double next, remaining = sp_remaining(c->pools, object);
  uint32_t timers = sp_timers(c->pools, object, &next);
  snprintf(end, sizeof end, isfinite(remaining) ? "%.2f s left" : "no end", remaining);
  snprintf(line, sizeof line, "age %.2f s, %s", sp_age(c->pools, object), end);
  draw_line(c, PANEL_GREY, line);
  if (timers == 0)
    return;
  snprintf(line, sizeof line, "%" PRIu32 " timer%s, next in %.2f s", timers, timers == 1 ? "" : "s", next);
  draw_line(c, PANEL_GREY, line);
}

/* Draws the name of an object as a link. */
static float draw_link(cursor *c, float x, sp_ref object)
{
  char label[48];
  const sp_pool *pool = sp_owner(c->pools, object);
  float w;
  if (!pool)
    return x;
  snprintf(label, sizeof label, "%.*s#%" PRIu32, (int)utf8_fit(sp_pool_type(pool), LINK_TYPE), sp_pool_type(pool),
           sp_object_number(c->pools, object));
  w = c->letter * (float)utf8_letters(label, strlen(label));
  if (x + w > c->x + c->w)
    return x;
  draw_row_back(c, x, c->y, w, false);
  panel_text(c->g, x, c->y, PANEL_BLUE, label);
  add_spot(c->it, (inspector_spot){SPOT_OBJECT, x, c->y, w, c->row, 0, object});
  return x + w + c->letter;
}

static void draw_kin(cursor *c, sp_ref object)
{
  sp_ref parent = sp_parent(c->pools, object), children[CHILDREN];
  uint32_t count = sp_children(c->pools, object, children, CHILDREN);
  char line[32];
  float x = c->x;
  if (parent) {
    x += panel_text(c->g, x, c->y, PANEL_GREY, "parent ");
    draw_link(c, x, parent);
    c->y += c->row;
  }
  if (count == 0)
    return;
  snprintf(line, sizeof line, "%" PRIu32 " child%s ", count, count == 1 ? "" : "ren");
  x = c->x + panel_text(c->g, c->x, c->y, PANEL_GREY, line);
  for (uint32_t i = 0; i < count && i < CHILDREN; i++)
    x = draw_link(c, x, children[i]);
  c->y += c->row;
}

/* Draws the part of the line around the cursor. */
static void draw_edit(cursor *c, float x, float w)
{
  const edit_line *edit = &c->it->edit;
  text_style style = {FONT_MONO, PANEL_TEXT, PANEL_WHITE, TEXT_LEFT};
  float letters = w / c->letter - 1, caret;
  size_t room = letters > 0 ? (size_t)letters : 0, from = edit_line_from(edit, room);
  const char *shown = edit->text + from;
  c->g->color = (SDL_Color){0, 0, 0, 255};
  graphics_rect(c->g, x - 3, c->y, w + 3, c->row, true);
  c->g->color = c->it->message[0] ? PANEL_RED : PANEL_YELLOW;
  graphics_rect(c->g, x - 3, c->y, w + 3, c->row, false);
  caret = text_width(c->g->text, &style, shown, edit->cursor - from);
  if (edit->untouched && edit->length > 0) {
    c->g->color = (SDL_Color){110, 160, 255, 110};
    graphics_rect(c->g, x - 1, c->y + 2, fminf(caret + 2, w - 2), c->row - 4, true);
  }
  text_draw(c->g->text, c->g->out, x, c->y, &style, shown, utf8_span(shown, room + 1));
  c->g->color = PANEL_YELLOW;
  graphics_rect(c->g, roundf(x + caret), c->y + 2, 1, c->row - 4, true);
}

static SDL_Color value_color(const inspector_field *field)
{
  static const SDL_Color colors[] = {[SP_FIELD_NUMBER] = {150, 230, 170, 255},
                                     [SP_FIELD_BOOLEAN] = {250, 200, 120, 255},
                                     [SP_FIELD_STRING] = {240, 170, 220, 255},
                                     [SP_FIELD_OTHER] = {160, 165, 180, 255}};
  return colors[field->type];
}

static void draw_field(cursor *c, int i, float x, float w, float name_w)
{
  const inspector_field *field = &c->it->fields[i];
  draw_row_back(c, x, c->y, w, false);
  panel_text_cut(c->g, x, c->y, name_w - c->letter, field->own ? PANEL_WHITE : PANEL_GREY, field->name);
  if (c->it->editing == i)
    draw_edit(c, x + name_w, w - name_w);
  else
    panel_text_cut(c->g, x + name_w, c->y, w - name_w, value_color(field), field->text);
  add_spot(c->it, (inspector_spot){SPOT_FIELD, x, c->y, w, c->row, (uint32_t)i, SP_NONE_REF});
}

/* Fields of the class have a row each; built-in ones are drawn in pairs. */
static void draw_fields(cursor *c)
{
  inspector *it = c->it;
  float half = floorf((c->w - 8) / 2);
  float top = c->y;
  bool right = false;
  int i;
  if (it->editing >= 0 && it->editing < it->first_field)
    it->first_field = it->editing;
  for (i = it->first_field; i < it->field_count && c->y + c->row <= c->bottom; i++) {
    bool own = it->fields[i].own;
    if (!own && (right || i + 1 < it->field_count))
      draw_field(c, i, right ? c->x + c->w - half : c->x, half, c->letter * PAIR_LETTERS);
    else
      draw_field(c, i, c->x, c->w, c->letter * NAME_LETTERS);
    right = !own && !right;
    if (!right)
      c->y += c->row;
  }
  draw_bar(c, top, it->first_field, i, it->field_count);
}

/* Draws the message at the bottom, so that no field moves away from under the mouse. */
static void draw_message(cursor *c)
{
  const char *message = c->it->message;
  float y;
  int rows = panel_wrapped_rows(c->g, c->w, MESSAGE_ROWS, message);
  if (rows == 0)
    return;
  y = c->bottom - c->row * (float)rows;
  panel_wrapped(c->g, c->x, y, c->w, rows, PANEL_RED, message);
  c->bottom = y - 4;
}

static void draw_object_part(cursor *c)
{
  inspector *it = c->it;
  bool live = sp_is_live(c->pools, it->selected);
  float title = panel_title(c->g, c->x, c->y, live ? PANEL_WHITE : PANEL_GREY, it->label);
  panel_text(c->g, c->x + title + c->letter, c->y + 3, live ? PANEL_GREEN : PANEL_YELLOW, live ? "live" : "ended");
  c->y += panel_title_row(c->g);
  if (live) {
    draw_times(c, it->selected);
    draw_kin(c, it->selected);
  } else {
    draw_wrapped(c, 2, PANEL_YELLOW, "This life is over. Click another object.");
  }
  draw_wrapped(c, 6, PANEL_GREY, it->history);
  draw_message(c);
  c->y += 3;
  draw_fields(c);
}

/* }== */

/* {== No object ========================================================== */

static void draw_alloc_site(cursor *c, const alloc_site *from)
{
  char line[sizeof from->site];
  report_shorten(sp_script_folder(c->it->script), from->site, line, sizeof line);
  draw_row_back(c, c->x, c->y, c->w, false);
  panel_text_cut(c->g, c->x, c->y, c->w - 9 * c->letter, PANEL_WHITE, line);
  snprintf(line, sizeof line, "%.0f s", (double)from->oldest);
  panel_text_right(c->g, c->x + c->w, c->y, PANEL_GREY, line);
  add_spot(c->it, (inspector_spot){SPOT_OBJECT, c->x, c->y, c->w, 2 * c->row, 0, from->object});
  c->y += c->row;
  snprintf(line, sizeof line, "  %" PRIu32 " x %s", from->count, from->type);
  draw_line(c, PANEL_GREY, line);
}

static void draw_alloc_sites_part(cursor *c)
{
  const alloc_sites *all = &c->it->alloc_sites;
  draw_wrapped(c, 4, PANEL_GREY, "Click an object or a cell to see its fields.");
  if (!sp_script_traces(c->it->script))
    return;
  c->y += 4;
  draw_line(c, PANEL_WHITE, "Live objects, by origin");
  for (int i = 0; i < all->count && c->y + 2 * c->row <= c->bottom; i++)
    draw_alloc_site(c, &all->list[i]);
}

/* }== */

/* Moves the panel to the other side of the window when it hides the selected object here, and would not there. */
static void move_aside(inspector *it, const sp_manager *pools, float whole, float w)
{
  SDL_FPoint at;
  if (!it->selected || !picker_place(pools, it->view, it->selected, &at))
    return;
  bool under_right = at.x >= whole - w, under_left = at.x < w;
  if (it->at_left ? under_left && !under_right : under_right && !under_left)
    it->at_left = !it->at_left;
}

void inspector_draw(inspector *it, graphics *g, sp_manager *pools, double now)
{
  float w = inspector_width(it, g->view.width), m = PANEL_MARGIN;
  const sp_pool *pool;
  it->spot_count = 0;
  if (it->shown && pools)
    move_aside(it, pools, g->view.width, w);
  it->left = it->at_left ? m : g->view.width - w;
  it->right = it->left + w;
  if (!it->shown || !pools)
    return;
  cursor c = {it, g, pools, it->left + m, 2 * m, w - 3 * m, g->view.height - 2 * m, panel_row(g), panel_letter(g)};
  inspector_read(it, pools, now);
  if (it->selected)
    picker_outline(g, pools, it->view, it->selected);
  panel_plate(g, it->left, m, w - m, g->view.height - 2 * m);
  draw_pools_part(&c);
  draw_rule(&c);
  pool = sp_find_pool(pools, it->type);
  if (pool) {
    draw_slots_part(&c, pool);
    draw_rule(&c);
  }
  if (it->selected)
    draw_object_part(&c);
  else
    draw_alloc_sites_part(&c);
}
