/*
** The gallery is the game demo/tools/gallery, compiled into the program. It has no second wall, because it starts
** processes. While a game is played, its window is hidden and it runs no frames.
*/
#include "demo/app/gallery_command.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app.h"
#include "demo/app/app_process.h"
#include "demo/app/game_folder.h"
#include "demo/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

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
  char path[GAME_PATH_MOST + 128], file_name[128];
  char *bytes = malloc(PICTURE_MOST);
  snprintf(path, sizeof path, "%s/%s/" PICTURE, it->games.folder, name);
  snprintf(file_name, sizeof file_name, "%s.png", name);
  FILE *file = bytes ? fopen(path, "rb") : NULL;
  size_t size = file ? fread(bytes, 1, PICTURE_MOST, file) : 0;
  bool fine = size > 0 && sprites_load(it->app.game.sprites, file_name, bytes, size);
  if (file)
    fclose(file);
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
  SDL_Event lost = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
  SDL_HideWindow(handle);
  int code = wait_for(player, &it->is_left);
  SDL_ShowWindow(handle);
  SDL_RaiseWindow(handle);
  SDL_FlushEvents(SDL_KEYDOWN, SDL_LASTEVENT);
  input_event(&it->app.game.input, &lost);
  return code;
}

/* Plays the chosen game; the callback `returned` gets what went wrong. */
static void play(gallery *it)
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
      play(&it);
    else
      rest(&it.app);
  int code = app_close(&it.app);
  return fine ? code : fail();
}
