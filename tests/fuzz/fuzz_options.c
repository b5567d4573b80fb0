/*
** The command line of the player: the bytes are its words, parted by line ends. What is accepted makes sense, what is
** refused says why in one line.
*/
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "demo/app/options.h"

enum { WORDS = 160 };

static bool ends(const char *text, size_t size) { return memchr(text, '\0', size) != NULL; }

static void check_accepted(const options *o, char **argv, int argc)
{
  char title[80];
  fuzz_check(o->path || o->help || o->version || o->games || o->gallery);
  fuzz_check(o->gallery == !(o->path || o->help || o->version || o->games));
  fuzz_check(o->width >= 1 && o->width <= OPTIONS_SIZE_MOST && o->height >= 1 && o->height <= OPTIONS_SIZE_MOST);
  fuzz_check(ends(o->screenshot, sizeof o->screenshot));
  fuzz_check(o->memory >= (size_t)1 << 20 &&
             !(o->headless && o->pause_on_reload && !o->help && !o->version && !o->games));
  fuzz_check(o->exec_count >= 0 && o->exec_count <= OPTIONS_EXEC_MOST);
  fuzz_check(o->game_argc >= 0 && (o->game_argc == 0 || o->game_argv + o->game_argc == argv + argc));
  options seeded = options_seeded(o);
  fuzz_check(!o->seeded || seeded.seed == o->seed);
  if (!o->path)
    return;
  options_title(o, title, sizeof title);
  fuzz_check(ends(title, sizeof title));
}

static void parse(char **argv, int argc)
{
  options o;
  memset(&o, 0xA5, sizeof o);
  if (options_parse(&o, argc, argv))
    check_accepted(&o, argv, argc);
  else
    fuzz_check(o.error[0] && ends(o.error, sizeof o.error) && !strchr(o.error, '\n'));
}

int fuzz_options(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1), *argv[WORDS + 1], name[] = "spawnpool";
  int argc = 1;
  fuzz_check(text != NULL);
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  argv[0] = name;
  for (char *word = text; argc < WORDS && (size_t)(word - text) < size; argc++) {
    char *end = strchr(word, '\n');
    argv[argc] = word;
    if (end)
      *end = '\0';
    word += strlen(word) + 1;
  }
  argv[argc] = NULL;
  parse(argv, argc);
  free(text);
  return 0;
}
