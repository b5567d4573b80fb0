/*
** The player: reads the command line and runs the command.
*/
#include <SDL.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spawnpool.h"
#include "demo/app/app.h"
#include "demo/app/commands.h"
#include "demo/app/game_folder.h"
#include "demo/app/options.h"
#include "demo/app/pack.h"
#include "demo/app/recordings.h"
#include "demo/app/wall.h"
#include "demo/app/why.h"
#include "demo/app/zip_game.h"
#include "demo/support/platform.h"

static void show_version(void)
{
  SDL_version sdl;
  char walls[WALL_TEXT_MOST];
  SDL_GetVersion(&sdl);
  wall_describe(walls);
  report_print(stdout, "spawnpool %s (%s, SDL %d.%d.%d, sandbox: %s)\n", SP_VERSION, LUA_RELEASE, sdl.major, sdl.minor,
               sdl.patch, walls);
}

/* Prints the licences of the player, and those of the game that is a zip or packed with it. */
static void show_licenses(const char *packed)
{
  zip_game zip;
  char problem[ZIP_GAME_PROBLEM_MOST];
  for (const sp_script_file *f = player_licenses; f->name; f++)
    report_print(stdout, "%s== %s ==\n\n%s", f == player_licenses ? "" : "\n", f->name, f->source);
  if (!packed || !zip_game_open(&zip, packed, problem))
    return;
  for (const sp_script_file *f = zip.files; f->name; f++)
    if (pack_is_notice(f->name)) {
      report_print(stdout, "\n== %s of the game ==\n\n", f->name);
      report_write(stdout, f->source);
    }
  zip_game_close(&zip);
}

/* Looks a game up by its bare name; for a misspelt one, prints the nearest. */
static bool find_game(options *o, char *place, size_t size)
{
  bundled_games games;
  if (bundled_games_find(o->path, place, size)) {
    o->path = place;
    return true;
  }
  bundled_games_list(&games);
  const char *near = bundled_games_nearest(&games, o->path);
  if (near)
    report_print(stderr, "spawnpool: %s: no such file or folder; did you mean '%s'?\n", o->path, near);
  return !near;
}

static int list_games(void)
{
  bundled_games games;
  bundled_games_list(&games);
  for (int i = 0; i < games.count; i++)
    report_print(stdout, "%-16s %s\n", games.list[i].name, games.list[i].about);
  if (games.count > 0)
    return APP_FINE;
  report_print(stderr, "spawnpool: no games were installed with this player\n");
  return APP_USAGE;
}

/* Runs what concerns one game. */
static int run_game(const options *o)
{
  if (o->bisect_input[0])
    return command_bisect(o);
  if (o->why)
    return command_why(o);
  if (o->pack)
    return command_pack(o);
  if (o->check)
    return command_check(o);
  options edited = *o;
  edited.at_save = recordings_exist(o) ? command_check : NULL;
  return app_run(&edited);
}

/* Runs a game that is a zip, from memory. */
static int run_zip(options *o)
{
  zip_game zip;
  char problem[ZIP_GAME_PROBLEM_MOST];
  if (o->trust) {
    report_print(stderr, "spawnpool: --trust gives files to a game in a folder: unpack %s\n", o->path);
    return APP_USAGE;
  }
  if (!zip_game_open(&zip, o->path, problem)) {
    report_line(problem);
    return APP_USAGE;
  }
  o->files = zip.files;
  int code = run_game(o);
  zip_game_close(&zip);
  return code;
}

/* In a packed game the file of this program ends with the game. It is played as a finished one: returns the command
   line that says so, or the one that was given. */
static char **own_command_line(int *argc, char **argv, char *program, size_t size)
{
  char **words = *argc > 0 && platform_program(argv[0], program, size) && zip_game_is_behind(program)
                     ? malloc(((size_t)*argc + 3) * sizeof *words)
                     : NULL;
  if (!words)
    return argv;
  words[0] = argv[0];
  words[1] = "--release";
  words[2] = program;
  memcpy(words + 3, argv + 1, (size_t)*argc * sizeof *words);
  *argc += 2;
  return words;
}

int main(int argc, char **argv)
{
  options o;
  char place[GAME_PATH_MOST], program[GAME_PATH_MOST];
  platform_begin();
  argv = own_command_line(&argc, argv, program, sizeof program);
  if (!options_parse(&o, argc, argv)) {
    report_print(stderr, "spawnpool: %s\nspawnpool --help shows the options.\n", o.error);
    return APP_USAGE;
  }
  o.walled = !o.trust;
  if (o.walled)
    platform_close_inherited(argv);
  if (o.help)
    options_help(stdout);
  else if (o.version)
    show_version();
  else if (o.licenses)
    show_licenses(o.path);
  else if (o.gallery)
    return gallery_command_run(argc, argv, &o);
  else if (o.games)
    return list_games();
  else if (o.init)
    return command_init(o.path, o.kind, argv[0]);
  else if (!find_game(&o, place, sizeof place))
    return APP_USAGE;
  else
    return zip_game_is(o.path) ? run_zip(&o) : run_game(&o);
  return APP_FINE;
}
