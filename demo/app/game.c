/*
** There are two batches: draw(g) fills the one that is not shown, and they are swapped only if it succeeds.
*/
#include "demo/app/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demo/bind/audio_lua.h"
#include "demo/bind/graphics_lua.h"
#include "demo/bind/input_lua.h"

/* {== Pictures =========================================================== */

static bool load_sprite(void *ud, const char *file, const void *bytes, size_t size)
{
  game *it = ud;
  if (!sprites_load(it->sprites, file, bytes, size))
    return false;
  const char *error = it->stopped ? sp_script_error(it->script) : NULL;
  if (error && strstr(error, "no sprite '")) { /* the sprite may exist now */
    sp_script_clear_error(it->script);
    game_resume(it);
  }
  return true;
}

static size_t count_sprite_users(void *ud)
{
  game *it = ud;
  size_t count = game_pools(it) ? draw_count_reloaded(game_pools(it), it->sprites) : 0;
  sprites_clear_reloaded(it->sprites);
  return count;
}

static const assets_kind sprites_kind = {.folder = "sprites",
                                         .endings = sprites_endings,
                                         .noun = "picture",
                                         .instead = "a checker is drawn",
                                         .load = load_sprite,
                                         .count_users = count_sprite_users};

/* }== */

/* {== Opening ============================================================ */

/* Returns whether the game gets the full Lua libraries. A test build disables the sandbox here to test the second
   wall alone (tests/demo/unwalled.mk). */
static bool is_trusted(const options *o)
{
#ifdef SP_TEST_FIRST_WALL_DOWN
  (void)o;
  return true;
#else
  return o->trust;
#endif
}

/* Runs in a signal handler. */
static void end_for_good(void *ud)
{
  static const char words[] = "spawnpool: one operation of Lua, a collection perhaps, does not end: the player does\n";
  (void)ud;
  if (write(STDERR_FILENO, words, sizeof words - 1) > 0)
    _exit(EXIT_FAILURE);
  _exit(EXIT_FAILURE); /* the message could not be written */
}

bool game_open(game *it, const options *o, report *r, char *error, size_t error_size)
{
  sp_script_options script = {.path = o->path,
                              .seed = o->seed,
                              .memory_limit = o->memory,
                              .reload = !o->check,
                              .trust = is_trusted(o),
                              .trace = o->trace,
                              .report = report_say,
                              .report_ud = r,
                              .on_hang = end_for_good,
                              .on_sound = audio_lua_sound,
                              .sound_ud = &it->voices};
  memset(it, 0, sizeof *it);
  it->report = r;
  it->script = sp_script_open(&script, error, error_size);
  if (!it->script)
    return false;
  it->step = sp_step(game_pools(it));
  it->trusted = is_trusted(o);
  audio_open(&it->audio, sp_script_folder(it->script), r);
  voices_open(&it->voices, &it->audio, it->script);
  return input_install(&it->input, sp_script_state(it->script), error, error_size) &&
         audio_lua_install(&it->voices, sp_script_state(it->script), error, error_size) &&
         graphics_install(&it->graphics, sp_script_state(it->script), &it->g, error, error_size);
}

static void warn(void *ud, const char *message) { report_say(ud, SP_REPORT_WARNING, message); }

static const char *sprite_name(void *ud, uint16_t number) { return sp_script_sprite_name(ud, number); }

/* Assets are opened once: their contents survive a loss of the textures. */
static bool open_assets(game *it)
{
  const assets_kind *const kinds[GAME_ASSETS] = {[GAME_SPRITES] = &sprites_kind, [GAME_SOUNDS] = &audio_files};
  void *const takers[GAME_ASSETS] = {[GAME_SPRITES] = it, [GAME_SOUNDS] = &it->audio};
  const char *folder = sp_script_folder(it->script);
  bool fine = true;
  for (int i = 0; i < GAME_ASSETS; i++) {
    if (!it->assets[i])
      it->assets[i] = assets_open(kinds[i], takers[i], folder, it->trusted ? NULL : folder);
    fine = fine && it->assets[i];
  }
  return fine;
}

bool game_load_graphics(game *it, const window *w, char *error, size_t error_size)
{
  if (!open_assets(it)) {
    snprintf(error, error_size, "not enough memory for the files of the game");
    return false;
  }
  if (!it->audio.files)
    audio_set_files(&it->audio, it->assets[GAME_SOUNDS]);
  sprites_options looks = {it->assets[GAME_SPRITES], warn, it->report, sprite_name, it->script};
  it->sprites = sprites_open(w, &looks);
  if (!it->sprites) {
    snprintf(error, error_size, "cannot make the sprites: %s", SDL_GetError());
    return false;
  }
  it->text = w->renderer ? text_open(w, false) : NULL;
  it->draw = draw_open();
  it->graphics.sprites = it->sprites;
  it->graphics.text = it->text;
  if (it->draw && (it->text || !w->renderer))
    return true;
  snprintf(error, error_size, "not enough memory to draw");
  return false;
}

/* Without a window there is no sound, unless SDL_AUDIODRIVER names a driver that does something. */
static audio_output output_of(const options *o)
{
  const char *driver = SDL_getenv("SDL_AUDIODRIVER");
  if (o->sound[0])
    return AUDIO_FILE;
  if (!o->headless || (driver && *driver && strcmp(driver, "dummy") != 0))
    return AUDIO_DEVICE;
  return AUDIO_NONE;
}

bool game_start_sound(game *it, const options *o, char *error, size_t error_size)
{
  bool fine = audio_start(&it->audio, output_of(o), o->sound, error, error_size);
  audio_set_late(&it->audio);
  return fine;
}

void game_free_graphics(game *it)
{
  for (int i = 0; i < 2; i++)
    batch_clear(&it->scenes[i]);
  draw_close(it->draw);
  text_close(it->text);
  sprites_close(it->sprites);
  it->draw = NULL;
  it->text = it->graphics.text = NULL;
  it->sprites = it->graphics.sprites = NULL;
}

void game_start(game *it, const options *o, const draw_view *view)
{
  it->voices.width = view->width;
  it->graphics.view = *view;
  it->stopped = !sp_script_start(it->script, o->game_argc, o->game_argv);
}

void game_close(game *it)
{
  sp_script_close(it->script);
  voices_close(&it->voices);
  audio_close(&it->audio);
  game_free_graphics(it);
  for (int i = 0; i < GAME_ASSETS; i++)
    assets_close(it->assets[i]);
  for (int i = 0; i < 2; i++)
    batch_free(&it->scenes[i]);
  memset(it, 0, sizeof *it);
}

/* }== */

/* {== Running ============================================================ */

void game_step(game *it)
{
  if (it->stopped)
    return;
  it->stopped = !sp_script_call(it->script, "update", "n", it->step);
  if (!it->stopped)
    sp_script_update(it->script, it->step);
  voices_step(&it->voices, it->step);
}

void game_draw(game *it, const draw_view *view)
{
  batch *scene = &it->scenes[1 - it->shown];
  draw_view shown = *view;
  it->voices.width = view->width;
  if (it->stopped)
    return;
  batch_clear(scene);
  shown.x = it->graphics.shake_x;
  shown.y = it->graphics.shake_y;
  it->graphics.shake_x = it->graphics.shake_y = 0;
  if (game_pools(it))
    draw_pools(it->draw, game_pools(it), it->sprites, &shown, scene);
  graphics_begin(&it->graphics, scene, view);
  it->stopped = !sp_script_call(it->script, "draw", "r", it->g);
  graphics_end(&it->graphics);
  if (!it->stopped)
    it->shown = 1 - it->shown;
}

void game_resume(game *it) { it->stopped = false; }

const char *game_shortened(const game *it, const char *message)
{
  const char *folder = it->script ? sp_script_folder(it->script) : "";
  size_t length = strlen(folder);
  bool begins = length > 0 && strncmp(message, folder, length) == 0 && message[length] == '/';
  return begins ? message + length + 1 : message;
}

sp_manager *game_pools(const game *it) { return sp_script_pools(it->script); }

const batch *game_scene(const game *it) { return &it->scenes[it->shown]; }

void game_input(game *it, const input_change *change)
{
  static const char *const names[] = {
      [INPUT_KEY_PRESSED] = "key_pressed",     [INPUT_KEY_RELEASED] = "key_released",
      [INPUT_MOUSE_PRESSED] = "mouse_pressed", [INPUT_MOUSE_RELEASED] = "mouse_released",
      [INPUT_GAMEPAD_PRESSED] = "pad_pressed", [INPUT_GAMEPAD_RELEASED] = "pad_released"};
  const char *name = names[change->kind];
  if (it->stopped || change->kind == INPUT_NOTHING)
    return;
  if (change->kind == INPUT_MOUSE_PRESSED || change->kind == INPUT_MOUSE_RELEASED)
    it->stopped = !sp_script_call(it->script, name, "iii", change->x, change->y, change->button);
  else
    it->stopped = !sp_script_call(it->script, name, "s", change->name);
}

bool game_pauses_unfocused(const game *it) { return sp_script_is_set(it->script, "pause_unfocused"); }

bool game_may_quit(game *it) { return it->stopped || !sp_script_veto(it->script, "quit"); }

/* }== */
