/*
** The hashes of the files are summed, so the order in which a folder lists them does not matter.
*/
#include "demo/app/game_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/checksum.h"
#include "demo/support/platform.h"

#define DEPTH_MOST 16
#define PATH_MOST 4096

/* Hashes the content of a file and its `name`, the part of `path` inside of the game's folder. */
static uint64_t hash_file(const char *path, const char *name)
{
  char piece[4096];
  uint64_t hash = checksum_add(CHECKSUM_BEGIN, name, strlen(name) + 1);
  FILE *in = fopen(path, "rb");
  if (!in)
    return hash;
  for (size_t count; (count = fread(piece, 1, sizeof piece, in)) > 0;)
    hash = checksum_add(hash, piece, count);
  fclose(in);
  return hash ^ hash >> 29;
}

static bool is_lua(const char *name)
{
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".lua") == 0;
}

/* Hashes all files of a folder. Names are the paths without their first `base` bytes. */
static uint64_t hash_folder(const char *folder, size_t base, int depth)
{
  sp_folder_stream *list = depth < DEPTH_MOST ? sp_folder_stream_open(folder) : NULL;
  uint64_t sum = 0;
  if (!list)
    return 0;
  for (const char *name; (name = sp_folder_stream_next(list, NULL)) != NULL;) {
    char path[PATH_MOST];
    sp_facts facts;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (name[0] == '.' || length >= (int)sizeof path || !sp_facts_of_path(path, false, &facts))
      continue;
    if (facts.kind == SP_KIND_FOLDER)
      sum += hash_folder(path, base, depth + 1);
    else if (facts.kind == SP_KIND_FILE && is_lua(path))
      sum += hash_file(path, path + base);
  }
  sp_folder_stream_close(list);
  return sum;
}

uint64_t game_files_hash(const char *path)
{
  char pools[PATH_MOST];
  sp_facts facts;
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) : 0;
  if (sp_facts_of_path(path, true, &facts) && facts.kind == SP_KIND_FOLDER)
    return hash_folder(path, strlen(path), 0);
  snprintf(pools, sizeof pools, "%.*s%spools", folder, path, slash ? "/" : "");
  return hash_file(path, "main") + hash_folder(pools, strlen(pools), DEPTH_MOST - 1);
}

void game_files_name(const char *path, char *name, size_t size)
{
  char here[PATH_MOST];
  const char *end, *begin;
  if (strcmp(path, ".") == 0 && sp_real_path(path, here))
    path = here;
  for (end = path + strlen(path); end > path + 1 && end[-1] == '/';)
    end--;
  for (begin = end; begin > path && begin[-1] != '/';)
    begin--;
  snprintf(name, size, "%.*s", (int)(end - begin), begin);
}
