/*
** There are two batches: draw(g) fills the one that is not shown, and they are swapped only if it succeeds.
*/
#include "demo/app/game.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/game_folder.h"
#include "demo/bind/reachable.h"
#include "demo/draw/picture.h"
#include "demo/support/platform.h"
#include "script/state/disk.h"
#include "script/state/strings.h"

/* {== Pictures =========================================================== */

static bool load_sprite(void *ud, const char *file, const void *bytes, size_t size)
{
  game *it = ud;
  if (!sprites_load(it->sprites, file, bytes, size))
    return false;
  const char *error = it->stopped ? sp_script_error(it->script) : NULL;
  if (error && strstr(error, "no sprite '")) { /* the reload may have added the sprite */
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

static bool load_font(void *ud, const char *file, const void *bytes, size_t size)
{
  const game *it = ud;
  return !it->text || text_load_font(it->text, file, bytes, size);
}

static const assets_kind fonts_kind = {.folder = "fonts",
                                       .endings = text_endings,
                                       .noun = "font",
                                       .instead = "built-in letters are drawn",
                                       .load = load_font,
                                       .effect = "seen from the next frame on"};

/* }== */

static void warn(const game *it, const char *line) { report_say(it->report, SP_REPORT_WARNING, line); }

/* {== Settings =========================================================== */

/* One reading of the settings. An invalid one is left out: a warning when the game is played, unless the last reading
   had it too, and a problem when it is checked. */
typedef struct reading {
  game *of;
  void (*tell)(void *ud, const char *problem); /* NULL: problems are warnings */
  void *ud;
  bool failed;                           /* the table of main.lua raised an error: it is not read further */
  uint64_t problems[GAME_PROBLEMS_MOST]; /* checksums of what is wrong */
  size_t count;
} reading;

/* Reads an entry: see sp_script_setting. */
static const char *read_entry(reading *r, const char *name, double *number, char *string, size_t size)
{
  const char *type = r->failed ? "nil" : sp_script_setting(r->of->script, name, number, string, size);
  r->failed = r->failed || strcmp(type, "error") == 0;
  return r->failed ? "nil" : type;
}

/* `sentence` is about the entry `name`. */
static void report_sentence(reading *r, const char *name, const char *sentence)
{
  char place[4096], line[4608];
  bool known = false;
  sp_script_setting_line(r->of->script, name, place, sizeof place);
  snprintf(line, sizeof line, "%s: %.480s", place, sentence);
  uint64_t sum = sp_sum(SP_SUM_BEGIN, line, strlen(line));
  for (size_t i = 0; i < GAME_PROBLEMS_MOST; i++)
    known |= r->of->problems[i] == sum;
  if (r->count < GAME_PROBLEMS_MOST)
    r->problems[r->count] = sum;
  r->count++;
  if (r->tell)
    r->tell(r->ud, line);
  else if (!known)
    warn(r->of, line);
}

static void report_problem(reading *r, const char *name, const char *problem)
{
  char sentence[480];
  snprintf(sentence, sizeof sentence, "%s %.400s", name, problem);
  report_sentence(r, name, sentence);
}

static void report_wrong(reading *r, const char *name, const char *wanted, const char *got)
{
  char problem[400];
  snprintf(problem, sizeof problem, "must be %s, got %.200s", wanted, got);
  report_problem(r, name, problem);
}

static void read_text(reading *r, const char *name, char *value, size_t size)
{
  const char *type = read_entry(r, name, NULL, value, size);
  if (strcmp(type, "string") != 0 && strcmp(type, "nil") != 0)
    report_wrong(r, name, "a string", type);
}

/* Checks the id again: the stored data was found by the one in the text of main.lua, before that ran. */
static void read_id(reading *r, char *id, size_t size)
{
  read_text(r, "id", id, size);
  if (id[0] && !storage_takes_id(id))
    report_problem(r, "id", "must have 1 to 64 letters, digits, '.', '_' and '-', as in \"com.example.lantern\"");
  else if (strcmp(id, r->of->id) != 0)
    report_problem(r, "id",
                   "must stand in main.lua as plain text, in the table that it returns: it is read before that");
}

/* Returns what is wrong with the icon, or NULL. */
static const char *problem_of_icon(const game *it, const char *icon)
{
  int w, h;
  size_t size;
  char *file = game_read_file(it, icon, GAME_ICON_MOST, &size);
  bool measured = file && image_measure(file, size, &w, &h);
  free(file);
  return !file                          ? "must name a file of the game, up to 1 MiB: \"sprites/icon.png\""
         : !measured                    ? "must be a PNG: this file is none, or damaged"
         : w != h || w < 16 || w > 1024 ? "must be as wide as high, 16 to 1024 pixels"
                                        : NULL;
}

static void read_icon(reading *r, char *icon, size_t size)
{
  read_text(r, "icon", icon, size);
  const char *problem = icon[0] ? problem_of_icon(r->of, icon) : NULL;
  if (problem) {
    report_problem(r, "icon", problem);
    icon[0] = '\0';
  }
}

static int read_side(reading *r, const char *name)
{
  char wanted[64], got[64];
  double side = 0;
  const char *type = read_entry(r, name, &side, NULL, 0);
  bool is_number = strcmp(type, "number") == 0;
  if (strcmp(type, "nil") == 0)
    return 0;
  if (is_number && side >= 1 && side <= OPTIONS_SIZE_MOST && side == floor(side))
    return (int)side;
  snprintf(wanted, sizeof wanted, "a whole number from 1 to %d", OPTIONS_SIZE_MOST);
  snprintf(got, sizeof got, "%.14g", side);
  report_wrong(r, name, wanted, is_number ? got : type);
  return 0;
}

/* Reads one of `count` words; returns its number, or `other` when there is none. `wanted` lists them for a message. */
static int read_word(reading *r, const char *name, const char *const *words, int count, int other, const char *wanted)
{
  char word[64] = "", got[80];
  const char *type = read_entry(r, name, NULL, word, sizeof word);
  if (strcmp(type, "nil") == 0)
    return other;
  for (int i = 0; i < count && strcmp(type, "string") == 0; i++)
    if (strcmp(word, words[i]) == 0)
      return i;
  size_t line = strcspn(word, "\r\n"); /* the report is one line */
  snprintf(got, sizeof got, "'%.*s%s'", (int)line, word, word[line] ? "..." : "");
  report_wrong(r, name, wanted, strcmp(type, "string") == 0 ? got : type);
  return other;
}

/* By default a game that sets its size is scaled to fit the window. */
static view_scale read_scale(reading *r)
{
  static const char *const names[] = {
      [VIEW_NONE] = "none", [VIEW_FIT] = "fit", [VIEW_INTEGER] = "integer", [VIEW_STRETCH] = "stretch"};
  return (view_scale)read_word(r, "scale", names, 4, VIEW_FIT, "\"fit\", \"integer\", \"stretch\" or \"none\"");
}

static bool read_filter(reading *r, view_scale scale)
{
  static const char *const names[] = {"linear", "nearest"};
  return read_word(r, "filter", names, 2, scale == VIEW_INTEGER, "\"nearest\" or \"linear\"") == 1;
}

/* One alone is ignored, which is easily overlooked. */
static void check_pair(reading *r)
{
  bool has_width = strcmp(read_entry(r, "width", NULL, NULL, 0), "nil") != 0;
  bool has_height = strcmp(read_entry(r, "height", NULL, NULL, 0), "nil") != 0;
  if (has_width && !has_height)
    report_problem(r, "width", "must be given together with height");
  if (has_height && !has_width)
    report_problem(r, "height", "must be given together with width");
}

/* `pause_unfocused` is read whenever the focus changes: it is only checked here. */
static void check_flag(reading *r, const char *name)
{
  const char *type = read_entry(r, name, NULL, NULL, 0);
  if (strcmp(type, "boolean") != 0 && strcmp(type, "nil") != 0)
    report_wrong(r, name, "true or false", type);
}

static void tell_action(void *ud, const char *problem) { report_sentence(ud, "actions", problem); }

static void read_actions(reading *r)
{
  if (!r->failed && sp_script_push_setting(r->of->script, "actions"))
    input_lua_take_actions(sp_script_state(r->of->script), tell_action, r);
}

static game_settings read_settings(reading *r)
{
  game_settings s = {.width = read_side(r, "width"), .height = read_side(r, "height")};
  read_text(r, "title", s.title, sizeof s.title);
  read_id(r, s.id, sizeof s.id);
  read_text(r, "version", s.version, sizeof s.version);
  read_icon(r, s.icon, sizeof s.icon);
  s.scale = read_scale(r);
  s.nearest = read_filter(r, s.scale);
  check_pair(r);
  check_flag(r, "pause_unfocused");
  read_actions(r);
  return s;
}

char *game_read_file(const game *it, const char *name, size_t most, size_t *size)
{
  char path[SP_PATH_MOST], problem[SP_FILE_PROBLEM_MOST];
  const char *folder = sp_script_folder(it->script);
  const sp_script_file *given = it->files;
  while (given && given->name && strcmp(given->name, name) != 0)
    given++;
  if (given) {
    char *copy = given->name && given->size <= most ? malloc(given->size + 1) : NULL;
    *size = given->size;
    return copy ? memcpy(copy, given->source, given->size + 1) : NULL;
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return game_folder_read(sp_folder_open(folder, path, problem), most, size);
}

void game_read_settings(game *it)
{
  reading r = {.of = it};
  game_settings s = it->settings = read_settings(&r);
  memcpy(it->problems, r.problems, sizeof it->problems);
  bool sized = s.width > 0 && s.height > 0;
  sp_script_warn_unknown(it->script);
  it->view.mode = sized ? s.scale : VIEW_NONE;
  it->view.own_width = s.width;
  it->view.own_height = s.height;
  if (it->on_settings)
    it->on_settings(it->settings_ud);
}

size_t game_check(game *it, void (*tell)(void *ud, const char *problem), void *ud, size_t *files)
{
  reading settings = {.of = it, .tell = tell, .ud = ud};
  size_t problems = sp_script_check(it->script, tell, ud, files);
  uint64_t errors = it->report->errors;
  read_settings(&settings);
  return problems + settings.count + (size_t)(it->report->errors - errors);
}

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

/* Called from a signal handler. */
static void end_for_good(void *ud, const char *what)
{
  const report *r = ud;
  char line[1280];
  uint64_t frame = r->on_hang ? r->on_hang(r->ud, what) : 0;
  int length =
      snprintf(line, sizeof line, "spawnpool: %.1100s, since frame %llu, and cannot be stopped: the player ends", what,
               (unsigned long long)frame);
  for (int i = 0; i < length; i++)
    if ((unsigned char)line[i] < ' ')
      line[i] = '?'; /* a chunk's name is the game's */
  line[length++] = '\n';
  platform_exit_with(line, (size_t)length);
}

/* The folders of the kinds of assets, whose watches are opened by open_assets. */
static const char *const asset_folders[] = {"sprites", "sounds", "fonts", NULL};

static void take_settings(void *ud) { game_read_settings(ud); }

static sp_script_options script_options(game *it, const options *o, report *r)
{
  return (sp_script_options){.size = sizeof(sp_script_options),
                             .path = o->path,
                             .files = o->files,
                             .seed = o->seed,
                             .step = o->step,
                             .patience = o->patience,
                             .start_patience = o->start_patience,
                             .repeatable = options_are_repeatable(o) || o->real_clocks,
                             .real_clocks = o->real_clocks,
                             .start_time = o->start_time,
                             .checkpoints = options_have_timeline(o),
                             .memory_limit = o->memory,
                             .reload = !o->check && !o->release && (!o->files || o->replay[0]),
                             .trust = is_trusted(o),
                             .trace = o->trace,
                             .report = report_say,
                             .report_ud = r,
                             .on_hang = end_for_good,
                             .hang_ud = r,
                             .on_main = take_settings,
                             .main_ud = it,
                             .asset_folders = asset_folders,
                             .on_sound = audio_lua_sound,
                             .sound_ud = &it->voices};
}

bool game_open(game *it, const options *o, report *r, char *error, size_t error_size)
{
  const sp_script_options script = script_options(it, o, r);
  memset(it, 0, sizeof *it);
  it->report = r;
  storage_prepare(&it->storage, r);
  it->script = sp_script_open(&script, error, error_size);
  if (!it->script)
    return false;
  sp_clock clock;
  sp_manager_clock(game_pools(it), &clock);
  it->step = clock.step;
  sp_script_read_literal(it->script, "id", it->id, sizeof it->id);
  it->trusted = is_trusted(o);
  it->files = o->files;
  it->unseen = o->tested;
  audio_open(&it->audio, sp_script_folder(it->script), r);
  voices_open(&it->voices, &it->audio, it->script, &it->view);
  if (!input_lua_install(it->seats, &it->input, player_reachable, sp_script_state(it->script))) {
    snprintf(error, error_size, "not enough memory for the gamepads");
    return false;
  }
  lua_State *L = sp_script_state(it->script);
  const struct {
    const char *owner;
    void *ud;
  } tables[] = {{"input", it->seats},       {"storage", &it->storage}, {"window", &it->wishes},
                {"spawnpool", &it->wishes}, {"view", &it->view},       {"audio", &it->voices}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (!reachable_install(tables[i].owner, player_reachable, tables[i].ud, L, error, error_size))
      return false;
  return graphics_install(&it->graphics, player_reachable, L, &it->g, error, error_size);
}

static void warn_of_asset(void *ud, const char *line) { warn(ud, line); }

static const char *sprite_name(void *ud, uint16_t number)
{
  const game *it = ud;
  return sp_script_sprite_name(it->script, number);
}

/* Sprites drop their sheets after the script is closed, too. */
static void set_sheet(void *ud, const char *name, const sp_sheet *frames)
{
  game *it = ud;
  it->sheets++;
  if (it->script && !sp_script_set_sheet(it->script, name, frames))
    warn(it, "not enough memory for a sprite sheet");
}

/* Opens the assets, once: their contents are kept when the textures are lost. */
static bool open_assets(game *it)
{
  const assets_kind *const kinds[GAME_ASSETS] = {
      [GAME_SPRITES] = &sprites_kind, [GAME_SOUNDS] = &audio_files, [GAME_FONTS] = &fonts_kind};
  void *const takers[GAME_ASSETS] = {[GAME_SPRITES] = it, [GAME_SOUNDS] = &it->audio, [GAME_FONTS] = it};
  const char *folder = sp_script_folder(it->script);
  bool fine = true;
  for (int i = 0; i < GAME_ASSETS; i++) {
    if (!it->assets[i])
      it->assets[i] = assets_open(kinds[i], takers[i], folder, it->trusted ? NULL : folder, it->files);
    fine = fine && it->assets[i];
  }
  return fine;
}

/* Loads the assets. Graphics and sound are started in either order; the first of them loads the files of both. */
static bool load_assets(game *it, char *error, size_t error_size)
{
  if (!open_assets(it)) {
    snprintf(error, error_size, "not enough memory for the files of the game");
    return false;
  }
  if (!it->audio.files)
    audio_set_files(&it->audio, it->assets[GAME_SOUNDS]);
  return true;
}

void game_load_fonts(game *it) { text_load_fonts(it->text, it->assets[GAME_FONTS], warn_of_asset, it); }

bool game_load_graphics(game *it, const window *w, char *error, size_t error_size)
{
  if (!load_assets(it, error, error_size))
    return false;
  sprites_options looks = {it->assets[GAME_SPRITES], it, warn_of_asset, sprite_name, set_sheet, it->settings.nearest};
  it->sprites = sprites_open(w, &looks);
  if (!it->sprites) {
    snprintf(error, error_size, "cannot make the sprites: %s", SDL_GetError());
    return false;
  }
  it->text = text_open(w, false);
  if (it->text)
    game_load_fonts(it);
  it->draw = draw_open();
  it->graphics.sprites = it->sprites;
  it->graphics.text = it->text;
  it->graphics.world = &it->view;
  it->graphics.software = w->software;
  game_fit(it, w);
  if (it->draw && it->text)
    return true;
  snprintf(error, error_size, "not enough memory to draw");
  return false;
}

/* Chooses the output. Without a window there is no sound, unless SDL_AUDIODRIVER names a driver other than the dummy.
   */
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
  return load_assets(it, error, error_size) && audio_start(&it->audio, output_of(o), o->sound, error, error_size);
}

void game_free_graphics(game *it)
{
  for (int i = 0; i < 2; i++)
    batch_clear(&it->scenes[i]);
  batch_clear(&it->over);
  draw_close(it->draw);
  text_close(it->text);
  sprites_close(it->sprites);
  it->draw = NULL;
  it->text = it->graphics.text = NULL;
  it->sprites = it->graphics.sprites = NULL;
}

void game_fit(game *it, const window *w)
{
  game_view *v = &it->view;
  view_fit(v, w);
  it->input.left = v->left;
  it->input.top = v->top;
  it->input.unit_x = v->unit_x;
  it->input.unit_y = v->unit_y;
  it->graphics.view = (draw_view){v->width, v->height, view_pixels(v), 0, 0, NULL, NULL, NULL, NULL};
}

void game_start(game *it, const options *o)
{
  it->stopped = !sp_script_start(it->script, o->game_argc, o->game_argv);
  game_collect(it); /* a budget holds from the first frame on */
}

void game_close(game *it)
{
  sp_script_close(it->script);
  it->script = NULL;
  storage_close(&it->storage);
  voices_close(&it->voices);
  audio_close(&it->audio);
  game_free_graphics(it);
  for (int i = 0; i < GAME_ASSETS; i++)
    assets_close(it->assets[i]);
  for (int i = 0; i < 2; i++)
    batch_free(&it->scenes[i]);
  batch_free(&it->over);
  memset(it, 0, sizeof *it);
}

/* }== */

/* {== Running ============================================================ */

void game_step(game *it)
{
  if (it->stopped)
    return;
  input_step(&it->input);
  it->stopped = sp_script_call(it->script, "update", "n", it->step) > SP_CALL_ABSENT;
  if (!it->stopped)
    sp_script_update(it->script, it->step);
  voices_step(&it->voices, it->step);
}

void game_collect(game *it) { sp_script_collect(it->script, it->wishes.gc_budget); }

/* {== Drawing ============================================================ */

/* Says once that a picture had more than `g` draws. */
static void end_graphics(game *it)
{
  char line[160];
  graphics_end(&it->graphics);
  if (!it->graphics.has_left_out || it->has_reported_limits)
    return;
  it->has_reported_limits = true;
  snprintf(line, sizeof line,
           "g draws up to %d shapes and %d letters in a frame, and %d bytes in one text: the rest is left out",
           GRAPHICS_QUADS_MOST, GRAPHICS_LETTERS_MOST, GRAPHICS_TEXT_MOST);
  warn(it, line);
}

static bool draw_below(game *it, batch *scene)
{
  graphics_begin_below(&it->graphics, scene, &it->graphics.view);
  bool fine = sp_script_call(it->script, "draw_below", "r", it->g) <= SP_CALL_ABSENT;
  end_graphics(it);
  return fine;
}

static bool frames_of(void *ud, sp_pool *pool, uint32_t chunk, uint16_t *frames)
{
  return sp_script_frames(ud, pool, chunk, frames);
}

static void draw_objects(game *it, batch *scene)
{
  draw_view seen = {it->view.width,   it->view.height,  view_pixels(&it->view),
                    it->view.shift_x, it->view.shift_y, it->view.camera.on ? &it->view.camera : NULL,
                    frames_of,        it->script,       sp_script_scales};
  if (game_pools(it) && !it->unseen)
    draw_pools(it->draw, game_pools(it), it->sprites, &seen, scene);
}

static bool draw_above(game *it, batch *out)
{
  draw_view seen = {it->view.width, it->view.height, view_pixels(&it->view), 0, 0, NULL, NULL, NULL, NULL};
  graphics_begin(&it->graphics, out, &seen);
  bool fine = sp_script_call(it->script, "draw", "r", it->g) <= SP_CALL_ABSENT;
  end_graphics(it);
  return fine;
}

/* Draws with a camera: draw(g) runs before the objects are drawn, because it may move the camera. */
static bool draw_with_camera(game *it, batch *scene)
{
  batch_clear(&it->over);
  if (!draw_above(it, &it->over))
    return false;
  draw_objects(it, scene);
  batch_append_from(scene, &it->over, 0);
  return true;
}

/* Draws without a camera. If draw(g) sets the first one, the objects are already drawn: everything is drawn again. */
static bool draw_without_camera(game *it, batch *scene)
{
  size_t below = scene->quads, objects;
  draw_objects(it, scene);
  objects = scene->quads;
  if (!draw_above(it, scene))
    return false;
  if (!it->view.camera.on)
    return true;
  batch_clear(&it->over);
  batch_append_from(&it->over, scene, objects);
  batch_cut(scene, below);
  draw_objects(it, scene);
  batch_append_from(scene, &it->over, 0);
  return true;
}

void game_draw(game *it)
{
  batch *scene = &it->scenes[1 - it->shown];
  if (it->stopped)
    return;
  batch_clear(scene);
  it->view.shift_x = it->graphics.shake_x;
  it->view.shift_y = it->graphics.shake_y;
  it->graphics.shake_x = it->graphics.shake_y = 0;
  it->stopped =
      !draw_below(it, scene) || !(it->view.camera.on ? draw_with_camera(it, scene) : draw_without_camera(it, scene));
  if (!it->stopped)
    it->shown = 1 - it->shown;
}

/* }== */

void game_resume(game *it) { it->stopped = false; }

const char *game_shortened(const game *it, const char *message)
{
  const char *folder = it->script ? sp_script_folder(it->script) : "";
  size_t length = strlen(folder);
  bool begins = length > 0 && strncmp(message, folder, length) == 0 && message[length] == '/';
  return begins ? message + length + 1 : message;
}

sp_manager *game_pools(const game *it) { return sp_script_pools(it->script); }

const sp_pool *game_pool(const game *it, uint32_t number)
{
  const sp_manager *pools = game_pools(it);
  const sp_pool *pool = pools && number > 0 ? sp_manager_next_pool(pools, NULL) : NULL;
  while (pool && --number > 0)
    pool = sp_manager_next_pool(pools, pool);
  return pool;
}

const batch *game_scene(const game *it) { return &it->scenes[it->shown]; }

static bool call_input(game *it, const char *name, const input_change *change, bool *taken)
{
  switch (change->kind) {
  case INPUT_MOUSE_PRESSED:
  case INPUT_MOUSE_RELEASED:
    return sp_script_call(it->script, name, "iii", change->x, change->y, change->button) <= SP_CALL_ABSENT;
  case INPUT_MOUSE_MOVED:
    return sp_script_call(it->script, name, "iiii", change->x, change->y, change->dx, change->dy) <= SP_CALL_ABSENT;
  case INPUT_WHEEL:
    return sp_script_call(it->script, name, "ii", change->dx, change->dy) <= SP_CALL_ABSENT;
  case INPUT_KEY_PRESSED:
    return sp_script_ask(it->script, name, taken, "s", change->name) <= SP_CALL_ABSENT;
  case INPUT_GAMEPAD_PRESSED:
  case INPUT_GAMEPAD_RELEASED:
    return sp_script_call(it->script, name, "si", change->name, change->pad) <= SP_CALL_ABSENT;
  default:
    return sp_script_call(it->script, name, "s", change->name) <= SP_CALL_ABSENT;
  }
}

bool game_input(game *it, const input_change *change)
{
  static const char *const names[] = {[INPUT_KEY_PRESSED] = "key_pressed",
                                      [INPUT_KEY_RELEASED] = "key_released",
                                      [INPUT_MOUSE_PRESSED] = "mouse_pressed",
                                      [INPUT_MOUSE_RELEASED] = "mouse_released",
                                      [INPUT_GAMEPAD_PRESSED] = "pad_pressed",
                                      [INPUT_GAMEPAD_RELEASED] = "pad_released",
                                      [INPUT_MOUSE_MOVED] = "mouse_moved",
                                      [INPUT_WHEEL] = "wheel",
                                      [INPUT_TEXT] = "text_input"};
  bool taken = false, was_stopped = it->stopped;
  if (!it->stopped && change->kind != INPUT_NOTHING)
    it->stopped = !call_input(it, names[change->kind], change, &taken);
  return taken || it->stopped != was_stopped;
}

void game_resized(game *it, int width, int height)
{
  if (!it->stopped)
    it->stopped = sp_script_call(it->script, "resized", "ii", width, height) > SP_CALL_ABSENT;
}

void game_focus(game *it, bool on)
{
  if (!it->stopped)
    it->stopped = sp_script_call(it->script, "focus", "b", on) > SP_CALL_ABSENT;
}

bool game_pauses_unfocused(const game *it) { return sp_script_setting_is_set(it->script, "pause_unfocused"); }

bool game_may_quit(game *it)
{
  bool stays = false;
  if (!it->stopped)
    sp_script_ask(it->script, "quit", &stays, NULL);
  return !stays;
}

/* }== */

/* {== Hot reload ========================================================= */

void hot_reload_open(hot_reload *it, sp_script *script, bool watches)
{
  *it = (hot_reload){.script = script, .watches = watches, .last = SP_POLL_NOTHING};
}

void hot_reload_add_assets(hot_reload *it, assets *const *list, size_t kinds, report *r)
{
  it->assets = list;
  it->kinds = kinds;
  it->report = r;
}

void hot_reload_request(hot_reload *it) { it->requested = true; }

static void count(hot_reload *it, sp_poll_result result)
{
  it->done += result == SP_POLL_RELOADED;
  it->refused += result == SP_POLL_REFUSED;
  it->reverted += result == SP_POLL_REVERTED;
  if (result != SP_POLL_NOTHING)
    it->last = result;
}

/* Polls the assets before the code, which may need them. */
static void poll_assets(hot_reload *it, sp_poll how, double now)
{
  static const sp_poll_result results[] = {
      [ASSETS_UNCHANGED] = SP_POLL_NOTHING, [ASSETS_LOADED] = SP_POLL_RELOADED, [ASSETS_REFUSED] = SP_POLL_REFUSED};
  it->loaded = ASSETS_UNCHANGED;
  for (size_t i = 0; i < it->kinds && how != SP_POLL_REST; i++) {
    assets *kind = it->assets[i];
    assets_result result = kind ? assets_poll(kind, now, how == SP_POLL_NOW, it->report) : ASSETS_UNCHANGED;
    count(it, results[result]);
    if (result != ASSETS_UNCHANGED)
      it->line_source = kind;
    if (result > it->loaded)
      it->loaded = result;
  }
}

void game_reloaded(game *it, sp_poll_result result)
{
  if (result != SP_POLL_RELOADED)
    return;
  game_resume(it);
  game_read_settings(it);
}

sp_poll_result hot_reload_poll(hot_reload *it, double now)
{
  sp_poll how = it->requested ? SP_POLL_NOW : it->watches ? SP_POLL_LOOK : SP_POLL_REST;
  poll_assets(it, how, now);
  sp_poll_result result = sp_script_poll(it->script, how);
  it->requested = false;
  count(it, result);
  if (result != SP_POLL_NOTHING)
    it->line_source = NULL;
  return result;
}

const char *hot_reload_line(const hot_reload *it)
{
  const char *line = it->line_source ? assets_line(it->line_source) : sp_script_reload_line(it->script);
  return line ? line : "";
}

const char *hot_reload_problem(const hot_reload *it, const char **consequence)
{
  const char *problem = NULL;
  for (size_t i = 0; i < it->kinds && !problem; i++)
    problem = it->assets[i] ? assets_problem(it->assets[i], consequence) : NULL;
  return problem;
}

void hot_reload_count(const hot_reload *it, stats_line *line)
{
  line->reloads = it->done;
  line->refused_reloads = it->refused;
  line->reverted_reloads = it->reverted;
  line->reload = hot_reload_line(it);
}

/* }== */
