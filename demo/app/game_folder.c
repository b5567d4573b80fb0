/*
** Bundled games are found relative to the player: beside its folder when it is installed, in the source tree when it
** was built there. Files in the current folder take precedence.
*/
#include "demo/app/game_folder.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/platform.h"
#include "script/state/disk.h"
#include "script/state/strings.h"

#define DEPTH_MOST 16

/* {== The name and the hash ============================================== */

/* The hashes of the files are summed, so the order in which a folder lists them does not matter. */

/* Hashes the content of a file and its `name`, the part of `path` inside of the game's folder. */
static uint64_t hash_file(const char *path, const char *name)
{
  char problem[SP_FILE_PROBLEM_MOST];
  size_t size = 0;
  uint64_t hash = sp_sum(SP_SUM_BEGIN, name, strlen(name) + 1);
  char *bytes = game_folder_read(sp_folder_open(NULL, path, problem), SP_DISK_TEXT_MOST, &size);
  if (!bytes)
    return hash;
  hash = sp_sum(hash, bytes, size);
  free(bytes);
  return hash ^ hash >> 29;
}

static bool is_lua(const char *name)
{
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".lua") == 0;
}

/* Calls `fn` for the Lua files of a folder. Names are the paths without their first `base` bytes. */
static void walk(const char *folder, size_t base, int depth, game_text_fn fn, void *ud)
{
  sp_folder_stream *list = depth < DEPTH_MOST ? sp_folder_stream_open(folder) : NULL;
  if (!list)
    return;
  for (const char *name; (name = sp_folder_stream_next(list, NULL)) != NULL;) {
    char path[GAME_PATH_MOST];
    sp_facts facts;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (name[0] == '.' || length >= (int)sizeof path || !sp_facts_of_path(path, false, &facts))
      continue;
    if (facts.kind == SP_KIND_FOLDER)
      walk(path, base, depth + 1, fn, ud);
    else if (facts.kind == SP_KIND_FILE && is_lua(path))
      fn(ud, path, path + base);
  }
  sp_folder_stream_close(list);
}

static void add_hash(void *sum, const char *path, const char *name) { *(uint64_t *)sum += hash_file(path, name); }

static uint64_t hash_folder(const char *folder, int depth)
{
  uint64_t sum = 0;
  walk(folder, strlen(folder), depth, add_hash, &sum);
  return sum;
}

void game_folder_each_text(const char *path, game_text_fn fn, void *ud)
{
  sp_facts facts;
  if (sp_facts_of_path(path, true, &facts) && facts.kind == SP_KIND_FOLDER)
    walk(path, strlen(path) + 1, 0, fn, ud);
}

/* Returns the hash of a game in memory, which is that of its folder. */
static uint64_t hash_given(const sp_script_file *file)
{
  uint64_t sum = 0;
  for (; file->name; file++) {
    if (file->name[0] == '.' || strstr(file->name, "/.") || !is_lua(file->name))
      continue;
    uint64_t hash = sp_sum(sp_sum(SP_SUM_BEGIN, "/", 1), file->name, strlen(file->name) + 1);
    hash = sp_sum(hash, file->source, file->size);
    sum += hash ^ hash >> 29;
  }
  return sum;
}

uint64_t game_folder_hash(const char *path, const sp_script_file *given)
{
  char pools[GAME_PATH_MOST];
  sp_facts facts;
  if (given)
    return hash_given(given);
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) : 0;
  if (sp_facts_of_path(path, true, &facts) && facts.kind == SP_KIND_FOLDER)
    return hash_folder(path, 0);
  snprintf(pools, sizeof pools, "%.*s%spools", folder, path, slash ? "/" : "");
  return hash_file(path, "main") + hash_folder(pools, DEPTH_MOST - 1);
}

bool game_folder_is_replaced(const char *path, const sp_facts *was)
{
  sp_facts facts;
  if (was->inode == 0 || !sp_facts_of_path(path, true, &facts) || facts.kind != SP_KIND_FOLDER)
    return false;
  return facts.device != was->device || facts.inode != was->inode;
}

void game_folder_name(const char *path, char *name, size_t size)
{
  char here[SP_PATH_MOST];
  const char *end, *begin;
  if (strcmp(path, ".") == 0 && sp_real_path(path, here))
    path = here;
  for (end = path + strlen(path); end > path + 1 && end[-1] == '/';)
    end--;
  for (begin = end; begin > path && begin[-1] != '/';)
    begin--;
  if (end - begin > 4 && (SDL_strncasecmp(end - 4, ".zip", 4) == 0 || SDL_strncasecmp(end - 4, ".exe", 4) == 0))
    end -= 4;
  snprintf(name, size, "%.*s", (int)(end - begin), begin);
}

/* }== */

/* {== Reading =========================================================== */

char *game_folder_read(int file, size_t most, size_t *size)
{
  sp_facts facts;
  char *bytes = NULL;
  int64_t got = -1;
  const bool is_small = file >= 0 && sp_facts_of_file(file, &facts) && facts.size <= most;
  if (is_small)
    bytes = malloc((size_t)facts.size + 1);
  if (bytes)
    got = sp_file_read(file, bytes, (size_t)facts.size);
  if (file >= 0)
    sp_file_close(file);
  if (got < 0) {
    errno = is_small ? errno : EFBIG;
    free(bytes);
    return NULL;
  }
  bytes[ *size = (size_t)got] = '\0';
  return bytes;
}

/* }== */

/* {== Bundled games ====================================================== */

/* Paths relative to a folder that is `up` levels above the player's. `make BUILD=build/clang` puts the player two
   levels below the tree. */
static const struct {
  const char *path;
  int up;
} places[] = {{"share/spawnpool/scripts", 1}, {"scripts", 1}, {"scripts", 0}, {"scripts", 2}};

enum { PLACES = sizeof places / sizeof *places };

static bool is_game(const char *above, const char *place, const char *name, char *path, size_t size)
{
  int length = snprintf(path, size, "%s/%s/%s/main.lua", above, place, name);
  if (length < 0 || (size_t)length >= size || !platform_may_read(path))
    return false;
  path[(size_t)length - strlen("/main.lua")] = '\0';
  return true;
}

/* Returns whether `name` can be that of a bundled game: no path, and no file in the current folder. */
static bool is_bare(const char *name)
{
  return name[0] != '\0' && name[0] != '.' && !strchr(name, '/') && !platform_exists(name);
}

/* Returns the base folder of place `i`, to be freed by SDL_free; NULL when it is unknown. For a player in
   "/usr/local/bin/" it is "/usr/local" or "/usr/local/bin". */
static char *find_base(int i)
{
  char *base = SDL_GetBasePath();
  if (!base)
    return NULL;
  platform_slashes(base);
  for (int up = 0; up <= places[i].up; up++) {
    char *slash = strrchr(base, '/');
    if (slash)
      *slash = '\0';
  }
  return base;
}

bool bundled_games_find(const char *name, char *path, size_t size)
{
  bool found = false;
  for (int i = 0; is_bare(name) && !found && i < PLACES; i++) {
    char *base = find_base(i);
    found = base && is_game(base, places[i].path, name, path, size);
    SDL_free(base);
  }
  return found;
}

/* Writes the first sentence of the comment that begins the file: "-- NAME: what it is. More." */
static void read_about(const char *path, char *about, size_t size)
{
  char text[512], problem[SP_FILE_PROBLEM_MOST];
  const int file = sp_folder_open(NULL, path, problem);
  const int64_t got = file < 0 ? 0 : sp_file_read(file, text, sizeof text - 1);
  size_t filled = 0;
  if (file >= 0)
    sp_file_close(file);
  text[got > 0 ? got : 0] = '\0';
  const char *colon = strncmp(text, "-- ", 3) == 0 ? strstr(text, ": ") : NULL;
  for (const char *at = colon ? colon + 2 : ""; *at && filled + 2 < size; at++) {
    bool wraps = strncmp(at, "\n-- ", 4) == 0;
    about[filled++] = (char)(wraps ? ' ' : *at);
    at += wraps ? 3 : 0;
    if (*at == '\n' || strchr(".?!", *at))
      break;
  }
  about[filled] = '\0';
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const bundled_game *)a)->name, ((const bundled_game *)b)->name);
}

/* Adds the games in `above`/`place`. */
static void add_games(bundled_games *games, const char *above, const char *place)
{
  char path[GAME_PATH_MOST];
  int length = snprintf(games->folder, sizeof games->folder, "%s/%s", above, place);
  bool fits = length > 0 && (size_t)length < sizeof games->folder;
  sp_folder_stream *found = fits ? sp_folder_stream_open(games->folder) : NULL;
  for (const char *name; found && (name = sp_folder_stream_next(found, NULL)) != NULL;) {
    bundled_game *game = &games->list[games->count];
    if (name[0] != '.' && games->count < BUNDLED_GAMES_MOST && strlen(name) < sizeof game->name &&
        is_game(above, place, name, path, sizeof path - strlen("/main.lua"))) {
      memcpy(game->name, name, strlen(name) + 1);
      read_about(strcat(path, "/main.lua"), game->about, sizeof game->about);
      games->count++;
    }
  }
  sp_folder_stream_close(found);
  qsort(games->list, (size_t)games->count, sizeof *games->list, by_name);
}

void bundled_games_list(bundled_games *games)
{
  games->count = 0;
  for (int i = 0; games->count == 0 && i < PLACES; i++) {
    char *base = find_base(i);
    if (base)
      add_games(games, base, places[i].path);
    SDL_free(base);
  }
}

const char *bundled_games_nearest(const bundled_games *games, const char *name)
{
  sp_nearest_name near = sp_nearest_name_of(name);
  for (int i = 0; is_bare(name) && i < games->count; i++)
    sp_nearest_name_offer(&near, games->list[i].name);
  return near.name;
}

/* }== */
