/*
** State and events of the inspector; inspector_panel.c draws it. Values of an object are read ten times a second, so
** that changing numbers can be read.
*/
#include "demo/ui/inspector.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/report.h"
#include "demo/support/strings.h"
#include "demo/ui/picker.h"

#define READ_EVERY 0.1 /* seconds */
#define WIDTH 316.0f   /* points */
#define NARROW 200.0f  /* in windows that are less than twice as wide as WIDTH */
#define WHEEL_ROWS 3
#define LABEL_TYPE 30 /* bytes of a type in a label */
#define LEFT SDL_BUTTON_LEFT

void inspector_open(inspector *it, sp_script *script, const window *w, const game_view *v)
{
  static const game_view as_it_is = {.own_width = 0};
  *it = (inspector){.script = script, .view = v ? v : &as_it_is, .editing = -1};
  slot_map_open(&it->map, w);
}

void inspector_close(inspector *it) { slot_map_close(&it->map); }

void inspector_toggle(inspector *it)
{
  it->shown = !it->shown;
  it->editing = -1;
  it->spot_count = 0;
  it->left = it->right = INFINITY; /* it has not been drawn yet */
  it->at_left = false;
  it->read_at = 0;
  slot_map_close(&it->map);
}

float inspector_width(const inspector *it, float window_width)
{
  float half = fmaxf(window_width / 2, NARROW);
  if (!it->shown)
    return 0;
  return fminf(fminf(WIDTH, half), window_width);
}

/* {== Choosing =========================================================== */

static void choose(inspector *it, const sp_pool *pool)
{
  snprintf(it->type, sizeof it->type, "%s", sp_pool_type(pool));
  it->follow_choice = true;
}

static void select_object(inspector *it, sp_manager *pools, sp_ref object)
{
  const sp_pool *pool = object ? sp_owner(pools, object) : NULL;
  it->editing = -1;
  it->message[0] = it->history[0] = '\0';
  it->field_count = it->first_field = 0;
  it->read_at = 0;
  it->selected = pool ? object : SP_NONE_REF;
  sp_script_select(it->script, it->selected);
  it->was_live = pool && sp_is_live(pools, object);
  if (!pool)
    return;
  snprintf(it->label, sizeof it->label, "%.*s#%" PRIu32, (int)utf8_fit(sp_pool_type(pool), LABEL_TYPE),
           sp_pool_type(pool), sp_object_number(pools, object));
  choose(it, pool);
}

/* Chooses the pool above or below the chosen one. */
static void step_choice(inspector *it, const sp_manager *pools, int step)
{
  int count = (int)sp_count_pools(pools), at = 0;
  for (int i = 0; i < count; i++)
    if (strcmp(sp_pool_type(sp_get_pool(pools, (uint32_t)i)), it->type) == 0)
      at = i;
  if (count > 0)
    choose(it, sp_get_pool(pools, (uint32_t)((at + step + count) % count)));
}

/* }== */

/* {== Reading ============================================================ */

static void take_field(void *ud, const sp_field_value *field)
{
  inspector *it = ud;
  inspector_field *to = &it->fields[it->field_count];
  if (it->field_count == INSPECTOR_FIELDS)
    return;
  snprintf(to->name, sizeof to->name, "%s", field->name);
  snprintf(to->text, sizeof to->text, "%s", field->text);
  to->type = field->type;
  to->own = field->own;
  to->writable = field->writable && strlen(field->name) < sizeof to->name;
  it->field_count += 1;
}

static void read_history(inspector *it)
{
  if (sp_script_history(it->script, it->selected, it->history, sizeof it->history))
    report_shorten(sp_script_folder(it->script), it->history, it->history, sizeof it->history);
}

static void read_object(inspector *it, const sp_manager *pools)
{
  char edited[INSPECTOR_NAME] = "";
  bool live = sp_is_live(pools, it->selected), ended = it->was_live && !live;
  if (it->editing >= 0)
    memcpy(edited, it->fields[it->editing].name, sizeof edited);
  it->was_live = live;
  it->field_count = 0;
  if (live)
    sp_script_fields(it->script, it->selected, take_field, it);
  if (ended || it->history[0] == '\0')
    read_history(it);
  /* A reload may have changed the fields of the class. */
  if (it->editing >= it->field_count || (it->editing >= 0 && strcmp(it->fields[it->editing].name, edited) != 0))
    it->editing = -1;
}

void inspector_read(inspector *it, sp_manager *pools, double now)
{
  if (it->type[0] == '\0' && sp_count_pools(pools) > 0)
    choose(it, sp_get_pool(pools, 0));
  if (it->selected == SP_NONE_REF) {
    if (sp_script_traces(it->script))
      alloc_sites_step(&it->alloc_sites, it->script, pools);
  } else if (now - it->read_at >= READ_EVERY || it->was_live != sp_is_live(pools, it->selected)) {
    read_object(it, pools);
    it->read_at = now;
  }
}

/* }== */

/* {== Writing ============================================================ */

void inspector_lock(inspector *it, const char *why)
{
  if (it->locked && !why)
    it->message[0] = '\0';
  it->locked = why;
}

/* Sets the message, and clears it if nothing is locked. */
static bool is_locked(inspector *it)
{
  snprintf(it->message, sizeof it->message, "%s", it->locked ? it->locked : "");
  return it->locked;
}

static void begin_edit(inspector *it, int field)
{
  if (field < 0 || field >= it->field_count || is_locked(it))
    return;
  if (!it->fields[field].writable) {
    snprintf(it->message, sizeof it->message, "%s cannot be written here", it->fields[field].name);
    return;
  }
  it->editing = field;
  edit_line_begin(&it->edit, it->fields[field].text);
}

/* False when the value was rejected: the line stays open for correction. */
static bool commit(inspector *it)
{
  const inspector_field *field = &it->fields[it->editing];
  if (is_locked(it))
    return false;
  if (strcmp(it->edit.text, field->text) != 0 &&
      !sp_script_set_field(it->script, it->selected, field->name, it->edit.text, it->message, sizeof it->message))
    return false;
  it->editing = -1;
  it->read_at = 0;
  return true;
}

static void edit_next(inspector *it)
{
  int field = it->editing;
  if (!commit(it))
    return;
  for (int i = 1; i <= it->field_count; i++) {
    int next = (field + i) % it->field_count;
    if (it->fields[next].writable) {
      begin_edit(it, next);
      return;
    }
  }
}

static void edit_key(inspector *it, SDL_Keycode key, Uint16 modifiers)
{
  if (key == SDLK_RETURN || key == SDLK_KP_ENTER) {
    commit(it);
  } else if (key == SDLK_TAB) {
    edit_next(it);
  } else if (key == SDLK_ESCAPE) {
    it->editing = -1;
    it->message[0] = '\0';
  } else {
    edit_line_key(&it->edit, key, modifiers);
  }
}

/* }== */

/* {== Events ============================================================= */

static bool is_in(const inspector_spot *spot, float x, float y)
{
  return x >= spot->x && y >= spot->y && x < spot->x + spot->w && y < spot->y + spot->h;
}

/* Returns the topmost spot at a point, or NULL. */
static const inspector_spot *spot_at(const inspector *it, float x, float y)
{
  for (int i = it->spot_count; i > 0; i--)
    if (is_in(&it->spots[i - 1], x, y))
      return &it->spots[i - 1];
  return NULL;
}

static bool is_on_panel(const inspector *it, float x) { return x >= it->left && x < it->right; }

static void click_panel(inspector *it, sp_manager *pools, float x, float y)
{
  const inspector_spot *spot = spot_at(it, x, y);
  sp_slot slot;
  it->editing = -1;
  if (!spot)
    return;
  if (spot->kind == SPOT_POOL && spot->number < sp_count_pools(pools))
    choose(it, sp_get_pool(pools, spot->number));
  else if (spot->kind == SPOT_OBJECT)
    select_object(it, pools, spot->object);
  else if (spot->kind == SPOT_FIELD)
    begin_edit(it, (int)spot->number);
  else if (spot->kind == SPOT_MAP && it->map.pool == sp_find_pool(pools, it->type) &&
           slot_map_at(&it->map, x, y, &slot))
    select_object(it, pools, slot.state == SP_SLOT_LIVE ? slot.object : SP_NONE_REF);
}

static bool click(inspector *it, const SDL_MouseButtonEvent *event, sp_manager *pools)
{
  float x = (float)event->x, y = (float)event->y;
  it->mouse_x = x;
  it->mouse_y = y;
  if (!is_on_panel(it, x) && event->button != LEFT)
    return false; /* left to the game */
  if (event->button != LEFT)
    return true;
  if (is_on_panel(it, x))
    click_panel(it, pools, x, y);
  else
    select_object(it, pools, picker_find(pools, it->view, x, y));
  return true;
}

static int clamped(int number, int most) { return number < 0 ? 0 : number < most ? number : most; }

static bool scroll(inspector *it, const SDL_MouseWheelEvent *event, const sp_manager *pools)
{
  const inspector_spot *spot = spot_at(it, it->mouse_x, it->mouse_y);
  int rows = -event->y * WHEEL_ROWS, last = (int)sp_count_pools(pools) - 1;
  if (!is_on_panel(it, it->mouse_x))
    return false;
  if (spot && spot->kind == SPOT_POOL)
    it->first_pool = (uint32_t)clamped((int)it->first_pool + rows, last > 0 ? last : 0);
  else if (spot && spot->kind == SPOT_MAP)
    slot_map_scroll(&it->map, rows * 2);
  else
    it->first_field = clamped(it->first_field + rows, it->field_count);
  return true;
}

static bool press(inspector *it, const SDL_Keysym *key, const sp_manager *pools)
{
  SDL_Keycode code = key->sym;
  if (it->editing >= 0 && !(code >= SDLK_F1 && code <= SDLK_F12)) {
    edit_key(it, code, key->mod);
    return true;
  }
  if (code != SDLK_PAGEUP && code != SDLK_PAGEDOWN)
    return false;
  step_choice(it, pools, code == SDLK_PAGEUP ? -1 : 1);
  return true;
}

bool inspector_event(inspector *it, const SDL_Event *event, sp_manager *pools)
{
  if (!it->shown || !pools)
    return false;
  switch (event->type) {
  case SDL_MOUSEMOTION:
    it->mouse_x = (float)event->motion.x;
    it->mouse_y = (float)event->motion.y;
    return false;
  case SDL_MOUSEBUTTONDOWN:
    return click(it, &event->button, pools);
  case SDL_MOUSEWHEEL:
    return scroll(it, &event->wheel, pools);
  case SDL_KEYDOWN:
    return press(it, &event->key.keysym, pools);
  case SDL_TEXTINPUT:
    if (it->editing >= 0)
      edit_line_insert(&it->edit, event->text.text, strlen(event->text.text));
    return it->editing >= 0;
  default:
    return false;
  }
}

/* }== */
