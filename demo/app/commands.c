#include "demo/app/commands.h"

#include <SDL.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app.h"
#include "demo/app/app_process.h"
#include "demo/app/game.h"
#include "demo/app/game_folder.h"
#include "demo/app/recording.h"
#include "demo/app/recordings.h"
#include "demo/app/wall.h"
#include "demo/bind/reachable.h"
#include "demo/support/platform.h"
#include "script/state/arguments.h"
#include "script/state/disk.h"
#include "script/state/written.h"

#include "script/state/careful.h"

/* {== --check ============================================================ */

static int check(game *it, const report *out)
{
  size_t files, problems = game_check(it, report_file_problem, NULL, &files);
  FILE *to = out->print;
  report_print(to, "checked %zu file%s: ", files, files == 1 ? "" : "s");
  if (problems == 0)
    report_print(to, "no problems");
  else
    report_print(to, "%zu problem%s", problems, problems == 1 ? "" : "s");
  if (out->warnings > 0)
    report_print(to, ", %" PRIu64 " warning%s", out->warnings, out->warnings == 1 ? "" : "s");
  report_print(to, "\n");
  return problems == 0 ? APP_FINE : APP_SCRIPT_ERROR;
}

/* Checks the files of the game, and then plays its recordings. With "--stats -" only their lines go to stdout. */
int command_check(const options *o)
{
  char problem[1024];
  game it;
  bool piped = o->stats && strcmp(o->stats, "-") == 0;
  FILE *print = piped ? stderr : stdout, *lines = piped ? stdout : o->stats ? fopen(o->stats, "w") : NULL;
  report out = {.print = print};
  int accepted = o->accept ? recordings_play(o, print, NULL) : APP_FINE;
  bool opened = game_open(&it, o, &out, problem, sizeof problem);
  if (opened && o->walled)
    wall_raise(sp_script_folder(it.script), NULL, false);
  int code = opened ? check(&it, &out) : APP_USAGE;
  if (!opened)
    report_line(problem);
  game_close(&it);
  if (code == APP_FINE && !o->accept)
    code = recordings_play(o, print, lines);
  if (lines && lines != stdout)
    fclose(lines);
  return code == APP_FINE ? accepted : code;
}

/* }== */

/* {== init =============================================================== */

static int refuse(const char *path, const char *why)
{
  report_print(stderr, "spawnpool: cannot make a game in %s: %s\n", path, why);
  return APP_USAGE;
}

/* Returns why a game cannot be created there, or NULL. */
static const char *trouble_with(const char *folder)
{
  sp_folder_stream *dir = sp_folder_stream_open(folder);
  if (!dir)
    return errno == ENOENT ? NULL : strerror(errno);
  const char *why = sp_folder_stream_next(dir, NULL) ? "the folder is not empty" : NULL;
  sp_folder_stream_close(dir);
  return why;
}

/* Writes a file, in folders that are made. False, with errno, when that fails. */
static bool write_file(char *path, const newgame_file *file)
{
  char *slash = strrchr(path, '/');
  *slash = '\0';
  errno = sp_folder_make(path, false);
  *slash = '/';
  FILE *out = errno ? NULL : fopen(path, "wb");
  bool written = out && fwrite(file->data, 1, file->size, out) == file->size;
  return (!out || fclose(out) == 0) && written;
}

/* Prints a word of a shell command, quoted if necessary. */
static void print_word(const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    fputs(word, stdout);
    return;
  }
  putchar('\'');
  for (; *word; word++)
    fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
  putchar('\'');
}

static void print_next_step(const char *folder, const char *player)
{
  report_print(stdout, "\nPlay it:   ");
  print_word(player);
  putchar(' ');
  print_word(folder);
  report_print(stdout, "\nThen change a number in main.lua and save: the game that runs changes.\n");
}

#define TEMPLATES "templates/"

/* Returns the path that a file has in a new game of this kind; NULL: it is of another kind. Files of editors belong to
   all kinds. */
static const char *name_in(const newgame_file *file, const char *kind)
{
  size_t length = strlen(kind), above = strlen(TEMPLATES);
  if (file->name[0] == '.' || strncmp(file->name, TEMPLATES, above) != 0)
    return file->name[0] == '.' || length == 0 ? file->name : NULL;
  const char *name = file->name + above;
  return length > 0 && strncmp(name, kind, length) == 0 && name[length] == '/' ? name + length + 1 : NULL;
}

static bool is_kind(const char *kind)
{
  const newgame_file *file = newgame_files;
  while (file->name && !(strncmp(file->name, TEMPLATES, strlen(TEMPLATES)) == 0 && name_in(file, kind)))
    file++;
  return file->name || !kind[0];
}

int command_init(const char *folder, const char *kind, const char *player)
{
  const char *why = is_kind(kind) ? trouble_with(folder) : "--template is arcade, platformer or puzzle";
  char path[4096];
  if (why)
    return refuse(folder, why);
  if (strlen(folder) + 256 > sizeof path)
    return refuse(folder, "the name is too long");
  for (const newgame_file *file = newgame_files; file->name; file++) {
    if (!name_in(file, kind))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, name_in(file, kind));
    if (!write_file(path, file))
      return refuse(path, strerror(errno));
    report_print(stdout, "made %s\n", path);
  }
  print_next_step(folder, player);
  return APP_FINE;
}

/* }== */

/* {== --bisect-input ===================================================== */

/* Each trial is a separate process, which plays a part of the input without a window and records the run, so the result
   is a recording like any other, with its hashes. First entries are removed, by Zeller's ddmin: halves, then quarters,
   down to single ones; then the time between them, then entries again, because more of them may be removable now. */

#define ERROR_MOST 512

typedef struct bisect {
  const options *options;
  recording input;        /* what is left of it; its last frame is that of the error */
  char error[ERROR_MOST]; /* that a trial must end in */
  char trial[OPTIONS_FILE_MOST], result[OPTIONS_FILE_MOST], best[OPTIONS_FILE_MOST];
  unsigned trials;
} bisect;

static size_t digits(const char *at) { return strspn(at, "0123456789"); }

/* Returns whether two errors have the same place, before the first blank, and the same text but for numbers in it,
   which may differ when less happens before. */
static bool is_same(const char *a, const char *b)
{
  size_t place = strcspn(a, " ");
  bool same = strncmp(a, b, place) == 0;
  for (a += place, b += same ? place : 0; same && *a; a += 1 + digits(a + 1), b += same ? 1 + digits(b + 1) : 0)
    same = *a == *b;
  return same && *b == '\0';
}

/* Returns the first entry with this error, or for "" the last one with any; NULL when there is none. */
static const recording_entry *find_error(const recording *r, const char *error)
{
  const recording_entry *found = NULL;
  for (const recording_entry *e = r->entries; e < r->entries + r->count && !(found && error[0]); e++)
    if (e->kind == RECORDING_ERROR && (!error[0] || is_same(e->text, error)))
      found = e;
  return found;
}

/* Plays a file and records it to b->result. */
static bool play(bisect *b, const char *file, bool quiet)
{
  options o = *b->options;
  o.bisect_input[0] = '\0';
  snprintf(o.replay, sizeof o.replay, "%s", file);
  snprintf(o.record_input, sizeof o.record_input, "%s", b->result);
  o.headless = o.no_watch = true;
  b->trials++;
  int code = app_process_run(&o, quiet);
  return code != APP_PROCESS_NONE && code != APP_USAGE;
}

static bool write_trial(const bisect *b, const recording_entry *entries, size_t count, uint64_t last)
{
  FILE *out = entries ? fopen(b->trial, "w") : NULL;
  if (!out)
    return false;
  recording_write_head(out, &b->input.head);
  for (size_t i = 0; i < count; i++)
    recording_write_entry(out, &entries[i]);
  recording_write_entry(out, &(recording_entry){.kind = RECORDING_END, .frame = last});
  return fclose(out) == 0;
}

/* Returns whether the input ends in the error without the entries from `from` to `to`, and with later ones `by` frames
   earlier. Then this is the input from here on, and its run the best result so far. */
static bool try_without(bisect *b, size_t from, size_t to, uint64_t by)
{
  char problem[OPTIONS_FILE_MOST + 256];
  recording run = {.count = 0};
  size_t count = 0;
  recording_entry *entries = malloc((b->input.count + 1) * sizeof *entries);
  for (size_t i = 0; entries && i < b->input.count; i++)
    if (i < from || i >= to) {
      entries[count] = b->input.entries[i];
      entries[count++].frame -= i >= to ? by : 0;
    }
  bool fine = write_trial(b, entries, count, b->input.last - by) && play(b, b->trial, true) &&
              recording_read(&run, NULL, b->result, problem, sizeof problem);
  const recording_entry *error = fine ? find_error(&run, b->error) : NULL;
  if (error) {
    recording_entry *before = b->input.entries;
    sp_file_rename(b->result, b->best);
    while (count > 0 && entries[count - 1].frame > error->frame)
      count--;
    b->input.entries = entries;
    b->input.count = count;
    b->input.last = error->frame;
    entries = before;
  }
  free(entries);
  recording_free(&run);
  return error != NULL;
}

/* Removes halves, then quarters and so on, from the end, because late input rarely contributes to the error. */
static void remove_entries(bisect *b)
{
  bool any = true;
  for (size_t length = b->input.count; length > 0; length = length == 1 && !any ? 0 : (length + 1) / 2) {
    any = false;
    for (size_t to = b->input.count, from; to > 0; to = from < b->input.count ? from : b->input.count) {
      from = to > length ? to - length : 0;
      any |= try_without(b, from, to, 0);
    }
  }
}

/* Shortens the time before each entry: completely, or else by halves of the rest. */
static bool shorten_gaps(bisect *b)
{
  bool any = false;
  uint64_t before = 1;
  for (size_t i = 0; i < b->input.count; i++) {
    const uint64_t frame = b->input.entries[i].frame;
    for (uint64_t by = frame > before ? frame - before : 0; by > 0 && i < b->input.count; by /= 2)
      any |= b->input.entries[i].frame - before >= by && try_without(b, i, i, by);
    before = i < b->input.count && b->input.entries[i].frame > before ? b->input.entries[i].frame : before;
  }
  return any;
}

/* Reads the input and plays all of it, to find the error and its frame, at which the input ends then. */
static bool find_whole(bisect *b, char *problem, size_t size)
{
  const char *file = b->options->bisect_input;
  recording run = {.count = 0};
  size_t count = 0;
  if (!recording_read(&b->input, NULL, file, problem, size))
    return false;
  snprintf(problem, size, "'%.1000s' was not played", file);
  if (!play(b, file, false) || !recording_read(&run, NULL, b->result, problem, size))
    return false;
  const recording_entry *error = find_error(&run, "");
  snprintf(problem, size, "'%.1000s' does not end in a script error: there is nothing to search for", file);
  b->input.last = error ? error->frame : 0;
  snprintf(b->error, sizeof b->error, "%s", error ? error->text : "");
  for (size_t i = 0; i < b->input.count; i++)
    if (b->input.entries[i].kind <= RECORDING_QUIT && b->input.entries[i].frame <= b->input.last)
      b->input.entries[count++] = b->input.entries[i];
  b->input.count = count;
  recording_free(&run);
  return error && sp_file_rename(b->result, b->best) == 0;
}

static void shorten(bisect *b)
{
  const size_t events = b->input.count;
  const uint64_t frames = b->input.last;
  for (bool again = true; again;) {
    remove_entries(b);
    again = shorten_gaps(b);
    report_print(stderr, "spawnpool: trial %u: %zu event%s in %" PRIu64 " frames\n", b->trials, b->input.count,
                 b->input.count == 1 ? "" : "s", b->input.last);
  }
  report_print(stdout, "%zu event%s in %" PRIu64 " frames, shortened to %zu in %" PRIu64 " (%u trials): %s\n%s\n",
               events, events == 1 ? "" : "s", frames, b->input.count, b->input.last, b->trials, b->best, b->error);
}

int command_bisect(const options *o)
{
  bisect b = {.options = o};
  char problem[OPTIONS_FILE_MOST + 1024];
  snprintf(b.best, sizeof b.best, "%.1000s.short", o->bisect_input);
  snprintf(b.trial, sizeof b.trial, "%.1000s.short.trial", o->bisect_input);
  snprintf(b.result, sizeof b.result, "%.1000s.short.result", o->bisect_input);
  bool found = find_whole(&b, problem, sizeof problem);
  if (found)
    shorten(&b);
  else
    report_line(problem);
  sp_file_remove(b.trial);
  sp_file_remove(b.result);
  recording_free(&b.input);
  return found ? APP_FINE : APP_USAGE;
}

/* }== */

/* {== The gallery ========================================================
** The gallery is the game demo/tools/gallery, compiled into the program. It has no second wall, because it starts
** processes. While a game is played, its window is hidden and it runs no frames. */

#define PICTURE "thumbnail.png"
#define PICTURE_MOST (256 << 10) /* bytes of a thumbnail file */
#define POLL_EACH 20             /* milliseconds, while a game is played */
#define IDLE_EACH 10             /* milliseconds between looks for events */
#define IDLE_MOST 25             /* looks until the next frame */

typedef struct gallery {
  int argc; /* the program and its options */
  char **argv;
  bundled_games games;
  bool lacks_picture[BUNDLED_GAMES_MOST]; /* it is missing or unreadable */
  char path[GAME_PATH_MOST];              /* of the gallery's own folder */
  int chosen;                             /* index of the game that is played after this frame; -1: none */
  bool is_left;                           /* the gallery ends after this frame */
  app app;
} gallery;

/* }== */

/* {== spawnpool.gallery ================================================== */

static gallery *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

/* Returns the index of a game that is given by its name. */
static int check_game(lua_State *L, int arg)
{
  const bundled_games *games = &state_of(L)->games;
  const char *name = sp_check_text(L, arg);
  for (int i = 0; i < games->count; i++)
    if (strcmp(games->list[i].name, name) == 0)
      return i;
  return luaL_argerror(L, arg, lua_pushfstring(L, "no game is called '%s'", name));
}

static void set_text(lua_State *L, const char *name, const char *value)
{
  lua_pushstring(L, name);
  lua_pushstring(L, value);
  sp_raw_set(L, -3);
}

static int push_games(lua_State *L)
{
  const bundled_games *games = &state_of(L)->games;
  lua_createtable(L, games->count, 0);
  for (int i = 0; i < games->count; i++) {
    lua_pushinteger(L, i + 1);
    lua_createtable(L, 0, 2);
    set_text(L, "name", games->list[i].name);
    set_text(L, "about", games->list[i].about);
    sp_raw_set(L, -3);
  }
  return 1;
}

/* Loads the thumbnail of a game as a sprite with its name. */
static bool load_picture(const gallery *it, const char *name)
{
  char path[GAME_PATH_MOST + 128], file_name[128], problem[SP_FILE_PROBLEM_MOST];
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s/" PICTURE, it->games.folder, name);
  snprintf(file_name, sizeof file_name, "%s.png", name);
  char *bytes = game_folder_read(sp_folder_open(it->games.folder, path, problem), PICTURE_MOST, &size);
  bool fine = bytes && sprites_load(it->app.game.sprites, file_name, bytes, size);
  free(bytes);
  return fine;
}

/* Loads the picture when it is first drawn, and again when the sprites were lost with the render device. */
static int has_picture(lua_State *L)
{
  gallery *it = state_of(L);
  int i = check_game(L, 1);
  const char *name = it->games.list[i].name;
  if (it->app.game.sprites && !it->lacks_picture[i] && !sprites_find(it->app.game.sprites, name))
    it->lacks_picture[i] = !load_picture(it, name);
  lua_pushboolean(L, it->app.game.sprites && !it->lacks_picture[i]);
  return 1;
}

static int play_game(lua_State *L)
{
  state_of(L)->chosen = check_game(L, 1);
  return 0;
}

static int leave(lua_State *L)
{
  state_of(L)->is_left = true;
  return 0;
}

static const sp_reach functions[] = {{"gallery", "games", push_games, ""},
                                     {"gallery", "picture", has_picture, "s"},
                                     {"gallery", "play", play_game, "s"},
                                     {"gallery", "leave", leave, ""},
                                     {NULL, NULL, NULL, NULL}};

/* }== */

/* {== Playing ============================================================ */

/* Waits until the game has ended; passes a request to quit on to it. Returns its exit code. */
static int wait_for(app_process *player, bool *quits)
{
  int code = APP_FINE;
  while (!app_process_has_ended(player, &code)) {
    SDL_Event event;
    while (SDL_PollEvent(&event))
      if (event.type == SDL_QUIT && !*quits) {
        *quits = true;
        app_process_quit(player);
      }
    SDL_Delay(POLL_EACH);
  }
  return code;
}

/* Starts a game with the gallery's own options, and in full screen if the gallery is. */
static app_process *start(const gallery *it, const char *path)
{
  const char *words[APP_PROCESS_WORDS];
  int count = 0;
  for (int i = 1; i < it->argc && count < APP_PROCESS_WORDS - 3; i++)
    if (strcmp(it->argv[i], "--full-screen") != 0)
      words[count++] = it->argv[i];
  if (window_is_full_screen(&it->app.window))
    words[count++] = "--full-screen";
  words[count++] = path;
  words[count] = NULL;
  return app_process_start(it->argv[0], words);
}

/* Hides the window while a game is played. Keys that were pressed meanwhile were for the game, also the one that ended
   it; keys that are held now will be released unseen. */
static int play_hidden(gallery *it, app_process *player)
{
  SDL_Window *handle = it->app.window.handle;
  SDL_Event lost;
  SDL_zero(lost);
  lost.type = SDL_WINDOWEVENT;
  lost.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
  SDL_HideWindow(handle);
  int code = wait_for(player, &it->is_left);
  SDL_ShowWindow(handle);
  SDL_RaiseWindow(handle);
  SDL_FlushEvents(SDL_KEYDOWN, SDL_LASTEVENT);
  input_event(&it->app.game.input, &lost, false);
  return code;
}

/* Plays the chosen game; the callback `returned` gets what went wrong. */
static void play_chosen(gallery *it)
{
  const char *name = it->games.list[it->chosen].name;
  char path[GAME_PATH_MOST + 128], problem[256] = "";
  it->chosen = -1;
  snprintf(path, sizeof path, "%s/%s", it->games.folder, name);
  app_process *player = start(it, path);
  if (!player)
    snprintf(problem, sizeof problem, "%s cannot be played: %s", name, strerror(errno));
  else if (play_hidden(it, player) != APP_FINE)
    snprintf(problem, sizeof problem, "%s ended with an error, which is in the terminal", name);
  sp_script_call(it->app.game.script, "returned", problem[0] ? "s" : NULL, problem);
}

/* }== */

static int fail(void)
{
  fputs("spawnpool: no game given: spawnpool [options] PATH [-- args]\n"
        "spawnpool games lists them, spawnpool --help shows the options.\n",
        stderr);
  return APP_USAGE;
}

static bool open(gallery *it, const options *given)
{
  const char *tools = SDL_getenv("SPAWNPOOL_TOOLS");
  char problem[512];
  options o = *given;
  snprintf(it->path, sizeof it->path, "%s/gallery", tools ? tools : "spawnpool");
  o.path = it->path;
  o.files = tools ? NULL : gallery_files;
  o.no_timeline = true;
  o.trust = o.walled = false;
  if (!app_open(&it->app, &o))
    return false;
  if (reachable_install("gallery", functions, it, sp_script_state(it->app.game.script), problem, sizeof problem))
    return true;
  report_line(problem);
  return false;
}

/* Sleeps until something happens, at most a quarter of a second, and then until the next step is due. */
static void rest(const app *a)
{
  for (int i = 0; i < IDLE_MOST && !SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT); i++) {
    SDL_Delay(IDLE_EACH);
    SDL_PumpEvents();
  }
  app_rest(a);
}

int gallery_command_run(int argc, char **argv, const options *given)
{
  gallery it = {.argc = argc, .argv = argv, .chosen = -1};
  bundled_games_list(&it.games);
  if (it.games.count == 0) {
    report_line("no gallery of games: none were installed with this player");
    return fail();
  }
  bool fine = open(&it, given);
  if (fine)
    app_start(&it.app);
  while (fine && !it.is_left && app_frame(&it.app))
    if (it.chosen >= 0)
      play_chosen(&it);
    else
      rest(&it.app);
  int code = app_close(&it.app);
  return fine ? code : fail();
}
