#include "demo/app/newgame.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "demo/app/options.h"
#include "demo/support/platform.h"

#define PATH_MOST 4096

static int refuse(const char *path, const char *why)
{
  fprintf(stderr, "spawnpool: cannot make a game in %s: %s\n", path, why);
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

/* Creates the folders of a file. False, with errno, when one cannot be created. */
static bool make_folders(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    int problem = platform_make_folder(path, false);
    *slash = '/';
    if (problem != 0) {
      errno = problem;
      return false;
    }
  }
  return true;
}

static bool write_file(const char *path, const newgame_file *file)
{
  FILE *out = fopen(path, "wb");
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
  printf("\nPlay it:   ");
  print_word(player);
  putchar(' ');
  print_word(folder);
  printf("\nThen change a number in main.lua and save: the game that runs changes.\n");
}

int newgame_make(const char *folder, const char *player)
{
  const char *why = trouble_with(folder);
  char path[PATH_MOST];
  if (why)
    return refuse(folder, why);
  if (strlen(folder) + 256 > sizeof path)
    return refuse(folder, "the name is too long");
  for (const newgame_file *file = newgame_files; file->name; file++) {
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    if (!make_folders(path) || !write_file(path, file))
      return refuse(path, strerror(errno));
    printf("made %s\n", path);
  }
  print_next_step(folder, player);
  return APP_FINE;
}
