/*
** The inspector, by the events that it takes: choosing, picking, writing, objects that end; and what is left to the
** game.
*/
#include "demo/stage.h"
#include "demo/ui/inspector_panel.h"
#include "demo/ui/picker.h"
#include "script/scripted.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static stage scene;
static scripted g;
static inspector it;
static double now;

static const char game[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "local pools <const> = spawnpool.pools\n"
    "spawnpool.class('Cube', { radius = 10, fields = { damage = 3, armed = true, name = spawnpool.any('plain'),\n"
    "  bag = spawnpool.any() } })\n"
    "spawnpool.class('Ball', {})\n"
    "cube = pools:alloc('Cube', 0, 100, 80)\n"
    "pools:alloc('Ball', 2, 200, 80)\n"
    "cube:after(5, function() end)\n"
    "child = pools:alloc('Ball', 0, 5, 0, 0, cube)\n"
    "return { update = function() print(cube.damage, cube.armed, cube.name, cube.x) end,\n"
    "  remove = function(name) pools:remove(name) end }\n";

static void open_inspector(void)
{
  stage_open(&scene, 800, 800, NULL);
  scripted_make(&g, game);
  g.options.trace = true;
  scripted_open(&g);
  ck_assert_msg(sp_script_start(g.script, 0, NULL), "%s", g.told);
  inspector_open(&it, g.script, &scene.window, NULL);
  now = 10;
}

static void close_inspector(void)
{
  inspector_close(&it);
  scripted_end(&g);
  stage_close(&scene);
}

static sp_manager *pools(void) { return sp_script_pools(g.script); }

/* A frame, a second after the last one. Returns how many quads it took. */
static size_t draw_frame(void)
{
  size_t quads;
  now += 1;
  inspector_draw(&it, &scene.graphics, pools(), now);
  quads = scene.batch.quads;
  stage_show(&scene);
  return quads;
}

static void show(void)
{
  inspector_toggle(&it);
  draw_frame();
}

static bool push_click(float x, float y, Uint8 button)
{
  SDL_Event event = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = button, .x = (int)x, .y = (int)y}};
  return inspector_event(&it, &event, pools());
}

static bool press_with(SDL_Keycode key, Uint16 modifiers)
{
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = modifiers}}};
  return inspector_event(&it, &event, pools());
}

static bool press(SDL_Keycode key) { return press_with(key, KMOD_NONE); }

static bool type(const char *typed)
{
  SDL_Event event = {.text = {.type = SDL_TEXTINPUT}};
  snprintf(event.text.text, sizeof event.text.text, "%s", typed);
  return inspector_event(&it, &event, pools());
}

static bool wheel(float x, float y, int rows)
{
  SDL_Event move = {.motion = {.type = SDL_MOUSEMOTION, .x = (int)x, .y = (int)y}};
  SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL, .y = rows}};
  ck_assert(!inspector_event(&it, &move, pools())); /* the game hears of it, too */
  return inspector_event(&it, &event, pools());
}

static const inspector_spot *spot(inspector_spot_kind kind, uint32_t number)
{
  for (int i = 0; i < it.spot_count; i++)
    if (it.spots[i].kind == kind && it.spots[i].number == number)
      return &it.spots[i];
  ck_abort_msg("no spot of kind %d, number %u", kind, (unsigned)number);
}

static void click_spot(inspector_spot_kind kind, uint32_t number)
{
  const inspector_spot *s = spot(kind, number);
  ck_assert(push_click(s->x + 2, s->y + 2, SDL_BUTTON_LEFT));
  draw_frame();
}

static int field(const char *name)
{
  for (int i = 0; i < it.field_count; i++)
    if (strcmp(it.fields[i].name, name) == 0)
      return i;
  ck_abort_msg("no field '%s'", name);
}

static void click_field(const char *name) { click_spot(SPOT_FIELD, (uint32_t)field(name)); }

/* The cube, clicked in the world. */
static void select_cube(void)
{
  show();
  ck_assert(push_click(97, 83, SDL_BUTTON_LEFT));
  draw_frame();
  ck_assert_str_eq(it.label, "Cube#1");
}

/* {== Choosing and picking =============================================== */

static test_group inspectors = {"inspectors", open_inspector, close_inspector, 60};

TEST(inspectors, closed_it_takes_nothing_draws_nothing_and_holds_nothing)
{
  ck_assert_uint_eq(draw_frame(), 0);
  ck_assert(!push_click(97, 83, SDL_BUTTON_LEFT));
  ck_assert(!press(SDLK_PAGEDOWN));
  ck_assert(!type("a"));
  ck_assert(inspector_width(&it, 800) == 0);
  ck_assert_ptr_null(it.map.texture);
  show();
  ck_assert_ptr_nonnull(it.map.texture);
  inspector_toggle(&it);
  ck_assert_ptr_null(it.map.texture);
  ck_assert_uint_eq(draw_frame(), 0);
}

TEST(inspectors, a_pool_is_chosen_by_click_and_by_keys)
{
  show();
  ck_assert_str_eq(it.type, "Cube"); /* the first one */
  click_spot(SPOT_POOL, 1);
  ck_assert_str_eq(it.type, "Ball");
  ck_assert_ptr_eq(it.map.pool, sp_find_pool(pools(), "Ball"));
  ck_assert(press(SDLK_PAGEUP));
  ck_assert_str_eq(it.type, "Cube");
  press(SDLK_PAGEUP);
  ck_assert_str_eq(it.type, "Ball"); /* round */
  press(SDLK_PAGEDOWN);
  ck_assert_str_eq(it.type, "Cube");
}

TEST(inspectors, a_click_in_the_world_selects_the_nearest_within_its_radius)
{
  sp_pool *cubes = sp_find_pool(pools(), "Cube");
  sp_place near_by = {108, 80, 0};
  sp_ref other = sp_pool_alloc_at(cubes, 0, &near_by, NULL);
  ck_assert(picker_find(pools(), it.view, 109, 80) == other);
  ck_assert(picker_find(pools(), it.view, 96, 80) != other);
  ck_assert(picker_find(pools(), it.view, 96, 80) != SP_NONE_REF);
  ck_assert(picker_find(pools(), it.view, 119, 80) == SP_NONE_REF);
  ((sp_look *)sp_cell(pools(), other, SP_LOOK))->visible = 0;
  ck_assert(picker_find(pools(), it.view, 114, 80) == SP_NONE_REF);
}

TEST(inspectors, small_objects_can_be_hit)
{
  sp_ref ball = picker_find(pools(), it.view, 200, 80);
  ((sp_look *)sp_cell(pools(), ball, SP_LOOK))->radius = 1;
  ck_assert(picker_find(pools(), it.view, 205, 80) == ball);
  ck_assert(picker_find(pools(), it.view, 207, 80) == SP_NONE_REF);
}

TEST(inspectors, a_click_besides_selects_nothing_and_other_buttons_are_the_games)
{
  select_cube();
  ck_assert(!push_click(300, 300, SDL_BUTTON_RIGHT));
  ck_assert_str_eq(it.label, "Cube#1");
  ck_assert(push_click(300, 300, SDL_BUTTON_LEFT));
  ck_assert(it.selected == SP_NONE_REF);
  ck_assert(push_click(790, 790, SDL_BUTTON_RIGHT)); /* on the panel */
}

TEST(inspectors, a_cell_of_the_map_selects_its_object)
{
  show();
  click_spot(SPOT_MAP, 0);
  ck_assert_str_eq(it.label, "Cube#1");
  ck_assert(it.was_live);
}

TEST(inspectors, the_selected_object_is_outlined)
{
  ck_assert_uint_eq(stage_pixel(&scene, 86, 66), 0);
  select_cube();
  ck_assert_uint_eq(stage_pixel(&scene, 86, 66), 0xffe15au);
  ck_assert_uint_eq(stage_pixel(&scene, 114, 94), 0xffe15au);
}

TEST(inspectors, children_and_parents_are_links)
{
  sp_ref cube, child;
  select_cube();
  cube = it.selected;
  click_spot(SPOT_OBJECT, 0);
  child = it.selected;
  ck_assert(child != cube && sp_parent(pools(), child) == cube);
  ck_assert_str_eq(it.type, "Ball");
  click_spot(SPOT_OBJECT, 0);
  ck_assert(it.selected == cube);
}

/* }== */

/* {== Reading and writing ================================================ */

TEST(inspectors, the_fields_and_the_story_of_the_selected_one_are_read)
{
  select_cube();
  ck_assert_str_eq(it.fields[field("damage")].text, "3");
  ck_assert_str_eq(it.fields[field("x")].text, "100");
  ck_assert_str_eq(it.history, "allocated at main.lua:6, 0.00 s");
}

TEST(inspectors, a_field_is_written_by_click_keys_and_enter)
{
  select_cube();
  click_field("damage");
  ck_assert_int_eq(it.editing, field("damage"));
  ck_assert(type("4"));
  ck_assert(type("2"));
  ck_assert(press(SDLK_RETURN));
  ck_assert_int_eq(it.editing, -1);
  click_field("armed");
  type("false");
  press(SDLK_KP_ENTER);
  click_field("name");
  press(SDLK_END);
  type(" cube");
  press(SDLK_RETURN);
  draw_frame();
  ck_assert_str_eq(it.fields[field("name")].text, "plain cube");
  scripted_update(&g);
  ck_assert_str_eq(scripted_told(&g), "print: 42\tfalse\tplain cube\t100.0\n");
}

TEST(inspectors, a_field_is_edited_with_the_keys_of_the_console)
{
  select_cube();
  click_field("name");
  type("plain \xc3\xa4 cube");
  ck_assert(press_with(SDLK_LEFT, KMOD_LCTRL) && press_with(SDLK_k, KMOD_RCTRL) && press_with(SDLK_w, KMOD_LCTRL));
  type("er");
  press(SDLK_RETURN);
  draw_frame();
  ck_assert_str_eq(it.fields[field("name")].text, "plain er");
}

TEST(inspectors, a_long_value_moves_by_letters_under_the_cursor)
{
  select_cube();
  click_field("name");
  edit_line_set(&it.edit, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  press(SDLK_HOME);
  size_t quads = draw_frame();
  type("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
  ck_assert_uint_eq(draw_frame(), quads);
}

TEST(inspectors, escape_leaves_the_value_as_it_was)
{
  select_cube();
  click_field("damage");
  type("99");
  ck_assert(press(SDLK_ESCAPE));
  ck_assert_int_eq(it.editing, -1);
  ck_assert(!press(SDLK_ESCAPE)); /* the next one is not about a field */
  scripted_update(&g);
  ck_assert_str_eq(scripted_told(&g), "print: 3\ttrue\tplain\t100.0\n");
}

TEST(inspectors, what_is_refused_says_so_and_can_be_put_right)
{
  size_t with, without;
  select_cube();
  click_field("damage");
  without = draw_frame();
  type("x");
  ck_assert(press(SDLK_RETURN));
  ck_assert_str_eq(it.message, "'x' is no number");
  ck_assert_int_eq(it.editing, field("damage"));
  with = draw_frame();
  ck_assert_uint_gt(with, without);
  press(SDLK_BACKSPACE);
  type("7");
  press(SDLK_RETURN);
  ck_assert_str_eq(it.message, "");
  draw_frame();
  ck_assert_str_eq(it.fields[field("damage")].text, "7");
}

TEST(inspectors, tab_goes_on_to_the_next_field_that_can_be_written)
{
  select_cube();
  click_field("armed");
  press(SDLK_TAB); /* past the bag, which is nil */
  ck_assert_int_eq(it.editing, field("damage"));
  type("8");
  press(SDLK_TAB);
  ck_assert_int_eq(it.editing, field("name"));
  draw_frame();
  ck_assert_str_eq(it.fields[field("damage")].text, "8");
  click_field("bag");
  ck_assert_int_eq(it.editing, -1);
  ck_assert_str_eq(it.message, "bag cannot be written here");
}

TEST(inspectors, while_a_field_is_written_function_keys_are_the_players)
{
  select_cube();
  ck_assert(!press(SDLK_a));
  ck_assert(!type("a"));
  click_field("damage");
  ck_assert(press(SDLK_a));
  ck_assert(press(SDLK_SPACE));
  ck_assert(!press(SDLK_F6));
  ck_assert(!press(SDLK_F12));
}

/* }== */

/* {== Ends =============================================================== */

TEST(inspectors, an_object_that_ends_is_told_of_and_its_line_closed)
{
  select_cube();
  click_field("damage");
  sp_recycle(pools(), it.selected);
  draw_frame();
  ck_assert(!it.was_live);
  ck_assert_int_eq(it.editing, -1);
  ck_assert_int_eq(it.field_count, 0);
  ck_assert_ptr_nonnull(strstr(it.history, "recycled at"));
  ck_assert_uint_eq(stage_pixel(&scene, 86, 66), 0);     /* no outline */
  sp_pool_alloc(sp_find_pool(pools(), "Cube"), 0, NULL); /* in the same slot */
  draw_frame();
  ck_assert(!it.was_live);
  ck_assert_str_eq(it.label, "Cube#1");
}

TEST(inspectors, a_line_that_is_sent_after_the_end_is_refused)
{
  select_cube();
  click_field("damage");
  type("5");
  sp_recycle(pools(), it.selected);
  press(SDLK_RETURN);
  ck_assert_str_eq(it.message, "the object is not live any more");
}

TEST(inspectors, a_pool_that_is_removed_leaves_nothing_behind)
{
  select_cube();
  click_field("damage");
  ck_assert(sp_script_call(g.script, "remove", "s", "Cube"));
  push_click(it.map.x + 2, it.map.y + 2, SDL_BUTTON_LEFT); /* where the map was */
  draw_frame();
  draw_frame();
  ck_assert(!it.was_live);
  ck_assert_int_eq(it.editing, -1);
  press(SDLK_PAGEDOWN);
  ck_assert_str_eq(it.type, "Ball");
}

TEST(inspectors, without_a_selection_origins_are_listed_and_lead_to_the_oldest)
{
  sp_ref oldest, other;
  show();
  sp_script_update(g.script, 1);
  oldest = picker_find(pools(), it.view, 97, 80);
  other = sp_pool_alloc(sp_find_pool(pools(), "Cube"), 0, NULL); /* not by a script: nobody knows from where */
  for (int i = 0; i < 8; i++)
    draw_frame();
  ck_assert_int_eq(it.alloc_sites.count, 3);
  ck_assert_str_eq(it.alloc_sites.list[0].type, "Ball");
  ck_assert_str_eq(it.alloc_sites.list[2].type, "Cube");
  ck_assert_uint_eq(it.alloc_sites.list[2].count, 1);
  ck_assert(it.alloc_sites.list[2].oldest > 0.99f);
  ck_assert(it.alloc_sites.list[2].object == oldest && oldest != other);
  click_spot(SPOT_OBJECT, 0);
  ck_assert(it.selected == it.alloc_sites.list[0].object);
}

TEST(inspectors, the_wheel_moves_the_list_under_the_mouse)
{
  char name[32];
  float x;
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "Type%d", i);
    sp_pool_desc desc = test_desc(name);
    sp_add_pool(pools(), &desc, NULL);
  }
  select_cube();
  x = it.left + 40;
  ck_assert(!wheel(100, 100, -1)); /* over the world: the game's */
  ck_assert_uint_eq(it.first_pool, 0);
  ck_assert(wheel(x, spot(SPOT_POOL, 0)->y + 2, -1));
  draw_frame();
  ck_assert_uint_gt(it.first_pool, 0);
  ck_assert(wheel(x, spot(SPOT_FIELD, 0)->y + 2, -1));
  draw_frame();
  ck_assert_int_gt(it.first_field, 0);
  for (int i = 0; i < 100; i++)
    wheel(x, 30, -1);
  draw_frame();
  spot(SPOT_POOL, 41); /* the last one */
  press(SDLK_PAGEDOWN);
  draw_frame();
  spot(SPOT_POOL, 1); /* the list has followed */
}

TEST(inspectors, it_counts_the_slots_only_where_they_do_not_fit)
{
  sp_pool *pool = sp_find_pool(pools(), "Cube");
  sp_settings settings = sp_pool_settings(pool);
  settings.limit = SP_CHUNK_SLOTS;
  sp_pool_configure(pool, &settings);
  show();
  for (int i = 0; i < 5; i++)
    draw_frame(); /* until it has found the origins of all objects */
  size_t quads = draw_frame();
  settings.limit = SP_CHUNK_SLOTS / 2; /* as many digits */
  sp_pool_configure(pool, &settings);
  ck_assert_uint_eq(draw_frame(), quads);
}

TEST(inspectors, it_moves_aside_from_the_object_that_it_hides)
{
  sp_ref cube;
  float *x;
  select_cube();
  cube = it.selected;
  x = sp_cell(pools(), cube, SP_X);
  ck_assert(!it.at_left && it.left > 400);
  *x = 700;
  draw_frame();
  ck_assert(it.at_left && it.right < 400);
  ck_assert(push_click(it.left + 20, 300, SDL_BUTTON_LEFT)); /* on the panel there */
  ck_assert(it.selected == cube);
  *x = 400; /* beside both */
  draw_frame();
  ck_assert(it.at_left);
  *x = 100;
  draw_frame();
  ck_assert(!it.at_left);
}

TEST(inspectors, it_picks_through_the_camera)
{
  static const window large = {.width = 800, .height = 800, .scale = 1};
  game_view seen = {
      .own_width = 400, .own_height = 400, .mode = VIEW_FIT, .camera = {.on = true, .x = 200, .y = 80, .zoom = 2}};
  view_fit(&seen, &large);
  ck_assert(picker_find(pools(), &seen, 400, 400) != SP_NONE_REF);
  ck_assert(picker_find(pools(), &seen, 400, 400) == picker_find(pools(), it.view, 200, 80));
  ck_assert(picker_find(pools(), &seen, 0, 400) == picker_find(pools(), it.view, 100, 80));
  ck_assert(picker_find(pools(), &seen, 200, 80) == SP_NONE_REF);
}

TEST(inspectors, it_stands_any_window)
{
  static const float sizes[][2] = {{1, 1}, {20, 600}, {600, 20}, {3000, 3000}};
  select_cube();
  click_field("name");
  type("a rather long name that does not fit into the line at all, by no means");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    scene.graphics.view.width = sizes[i][0];
    scene.graphics.view.height = sizes[i][1];
    draw_frame();
  }
}

/* }== */

SUITE(inspector, &inspectors)
