/*
** One row per option: its name, the name of its value (none for a switch), a line of help, and where the value goes.
** Options may precede and follow PATH; "--" ends them.
*/
#include "demo/app/options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demo/app/game_folder.h"
#include "demo/support/platform.h"
#include "script/state/strings.h"

typedef struct option_row option_row;
struct option_row {
  const char *name, *value, *help;
  bool (*set)(options *o, const option_row *row, const char *value); /* NULL: a switch */
  size_t to; /* offset of the bool that a switch sets; of the file name */
};

static bool fail(options *o, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(o->error, sizeof o->error, format, args);
  va_end(args);
  return false;
}

/* {== Values ============================================================= */

/* Accepts digits only: strtoull would take signs, blanks and trailing text. */
static bool read_number(const char *text, uint64_t *number)
{
  char *end;
  uint64_t value;
  if (text[0] < '0' || text[0] > '9')
    return false;
  errno = 0;
  value = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0')
    return false;
  *number = value;
  return true;
}

static bool set_frames(options *o, const option_row *row, const char *value)
{
  if (read_number(value, &o->frames) && o->frames != OPTIONS_NO_END)
    return true;
  return fail(o, "%s needs a whole number, got '%s'", row->name, value);
}

static bool set_at(options *o, const option_row *row, const char *value)
{
  return (read_number(value, &o->at) && o->at > 0) || fail(o, "%s counts frames from 1, got '%s'", row->name, value);
}

static bool set_why(options *o, const option_row *row, const char *value)
{
  o->why = value;
  o->headless = o->no_watch = true;
  return sp_watched_parse(&o->watched, value) ||
         fail(o, "%s needs an object, or a field of it: \"Bullet#12\" or \"Bullet#12.vx\"; got '%s'", row->name, value);
}

static bool set_seed(options *o, const option_row *row, const char *value)
{
  o->seeded = true;
  return read_number(value, &o->seed) || fail(o, "%s needs a whole number, got '%s'", row->name, value);
}

static bool set_size(options *o, const option_row *row, const char *value)
{
  uint64_t width, height;
  char first[16];
  size_t length = strcspn(value, "xX");
  if (length > 0 && length < sizeof first && value[length] != '\0') {
    memcpy(first, value, length);
    first[length] = '\0';
    if (read_number(first, &width) && read_number(value + length + 1, &height) && width >= 1 && height >= 1 &&
        width <= OPTIONS_SIZE_MOST && height <= OPTIONS_SIZE_MOST) {
      o->width = (int)width;
      o->height = (int)height;
      o->sized = true;
      return true;
    }
  }
  return fail(o, "%s needs WIDTHxHEIGHT, each from 1 to %d, got '%s'", row->name, OPTIONS_SIZE_MOST, value);
}

/* Reads digits that may have a sign and a fraction: "8.6", "-3". */
static bool read_decimal(const char *text, double *number)
{
  const char *digits = text + (*text == '-' || *text == '+');
  size_t whole = strspn(digits, "0123456789"), point = digits[whole] == '.';
  size_t part = point ? strspn(digits + whole + 1, "0123456789") : 0;
  if (digits[whole + point + part] != '\0' || (point ? part : whole) == 0)
    return false;
  *number = strtod(text, NULL);
  return true;
}

/* Sets a file name, of `length` bytes. */
static bool set_name(options *o, const option_row *row, const char *value, size_t length)
{
  char *file = (char *)o + row->to;
  if (length == 0)
    return fail(o, "%s needs a file name, got '%s'", row->name, value);
  if (length >= OPTIONS_FILE_MOST)
    return fail(o, "%s: the file name is too long", row->name);
  memcpy(file, value, length);
  file[length] = '\0';
  return true;
}

static bool set_file(options *o, const option_row *row, const char *value)
{
  return set_name(o, row, value, strlen(value));
}

/* Reads FILE or FILE@NUMBER; without a number @ belongs to the name. */
static bool set_screenshot(options *o, const option_row *row, const char *value)
{
  const char *at = strrchr(value, '@');
  double frame = NAN;
  if (!set_name(o, row, value, at && read_decimal(at + 1, &frame) ? (size_t)(at - value) : strlen(value)))
    return false;
  o->screenshot_frame = frame >= 1 && frame < 1e15 ? (uint64_t)frame : 0;
  return isnan(frame) || (frame >= 1 && (double)o->screenshot_frame == frame) ||
         fail(o, "%s counts whole frames from 1, got '%s'", row->name, value);
}

static bool set_bisect_input(options *o, const option_row *row, const char *value)
{
  if (strlen(value) > 1000) /* the names of its results are longer */
    return fail(o, "%s: the file name is too long", row->name);
  return set_file(o, row, value);
}

static bool set_stats(options *o, const option_row *row, const char *value)
{
  o->stats = value;
  return value[0] != '\0' || fail(o, "%s needs a file name, or - for the standard output", row->name);
}

static bool set_exec(options *o, const option_row *row, const char *value)
{
  if (o->exec_count == OPTIONS_EXEC_MOST)
    return fail(o, "%s may be given %d times", row->name, OPTIONS_EXEC_MOST);
  o->exec[o->exec_count++] = value;
  return true;
}

static bool set_text(options *o, const option_row *row, const char *value)
{
  *(const char **)((char *)o + row->to) = value;
  return value[0] != '\0' || fail(o, "%s needs a value: %s %s", row->name, row->name, row->value);
}

static bool set_memory(options *o, const option_row *row, const char *value)
{
  uint64_t mib;
  if (!read_number(value, &mib) || mib < 1 || mib > SIZE_MAX >> 20)
    return fail(o, "%s needs MiB, a whole number from 1 on, got '%s'", row->name, value);
  o->memory = (size_t)mib << 20;
  return true;
}

/* }== */

static const option_row rows[] = {
    {"--headless", NULL, "no window: frames run back to back at the fixed step", NULL, offsetof(options, headless)},
    {"--realtime", NULL, "with --headless: frames keep pace with the clock; after an error, waits for a fix", NULL,
     offsetof(options, realtime)},
    {"--frames", "N", "end after N frames", set_frames, 0},
    {"--seed", "N", "seed the random numbers with N", set_seed, 0},
    {"--size", "WxH", "size of the window; by default the game's, or 800x600", set_size, 0},
    {"--full-screen", NULL, "begin in full screen, as F11 does", NULL, offsetof(options, full_screen)},
    {"--trace", NULL, "record where objects are allocated and recycled, for F3", NULL, offsetof(options, trace)},
    {"--no-watch", NULL, "reload only on F5 and SIGUSR1, not when a file is saved", NULL, offsetof(options, no_watch)},
    {"--no-timeline", NULL, "keep no input in memory: F10 and Backspace cannot go back", NULL,
     offsetof(options, no_timeline)},
    {"--pause-on-reload", NULL, "a reload pauses the game; F6 continues", NULL, offsetof(options, pause_on_reload)},
    {"--screenshot", "FILE[@FRAME]", "save one frame as PNG: FRAME from 1, or the last one", set_screenshot,
     offsetof(options, screenshot)},
    {"--sound", "FILE", "save the sound as WAV, step by step, and play nothing", set_file, offsetof(options, sound)},
    {"--record-input", "FILE", "write the input to FILE, for --replay", set_file, offsetof(options, record_input)},
    {"--replay", "FILE", "play recorded input again and compare; input of the window is ignored", set_file,
     offsetof(options, replay)},
    {"--why", "OBJECT[.FIELD]", "of --replay: list what wrote the field, \"Bullet#12.vx\", newest first", set_why, 0},
    {"--at", "FRAME", "of --why: up to this frame of the recording; by default its end", set_at, 0},
    {"--bisect-input", "FILE", "shorten recorded input that ends in an error, into FILE.short", set_bisect_input,
     offsetof(options, bisect_input)},
    {"--synctest", NULL, "play each frame twice from the same state, and compare", NULL, offsetof(options, synctest)},
    {"--stats", "FILE|-", "JSON lines: one per second of game time, one at the end", set_stats, 0},
    {"--exec", "LUA", "run Lua code when the game is loaded; may be given several times", set_exec, 0},
    {"--check", NULL, "load every file, play recordings/*.input: exit 1 if there is a problem, or one differs", NULL,
     offsetof(options, check)},
    {"--accept", NULL, "of --check: record the hashes of GAME/recordings/*.input again", NULL,
     offsetof(options, accept)},
    {"--release", NULL, "play as packed games are: no keys of the player but F11 and Esc, no reload", NULL,
     offsetof(options, release)},
    {"--trust", NULL, "give the game the full Lua libraries, and no second wall", NULL, offsetof(options, trust)},
    {"--memory", "MiB", "limit for Lua and the pools together, 1024 by default", set_memory, 0},
    {"--template", "KIND", "of init: the game to begin with, arcade, platformer or puzzle", set_text,
     offsetof(options, kind)},
    {"--for", "LIST", "of pack: the systems, from zip,linux,windows,web", set_text, offsetof(options, pack_for)},
    {"--out", "FOLDER", "of pack: the folder for its files, dist by default", set_text, offsetof(options, out)},
    {"--version", NULL, "show the versions and end", NULL, offsetof(options, version)},
    {"--licenses", NULL, "show how the player, and a packed game, may be passed on", NULL, offsetof(options, licenses)},
    {"--help", NULL, "show this and end", NULL, offsetof(options, help)},
};

#define ROWS (sizeof rows / sizeof *rows)

static const option_row *find_row(const char *name, size_t length)
{
  if (length == 2 && strncmp(name, "-h", 2) == 0)
    return find_row("--help", 6);
  for (size_t i = 0; i < ROWS; i++)
    if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
      return &rows[i];
  return NULL;
}

static bool fail_unknown(options *o, const char *name, size_t length)
{
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
  sp_nearest_name near = sp_nearest_name_of(word);
  for (size_t i = 0; i < ROWS; i++)
    sp_nearest_name_offer(&near, rows[i].name);
  return near.name ? fail(o, "unknown option '%s'; the nearest is '%s'", word, near.name)
                   : fail(o, "unknown option '%s'", word);
}

/* Handles the option at argv[*i], and skips its value. */
static bool read_option(options *o, int argc, char **argv, int *i)
{
  const char *word = argv[*i], *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  const option_row *row = find_row(word, length);
  if (!row)
    return fail_unknown(o, word, length);
  if (!row->set && equals)
    return fail(o, "%s takes no value", row->name);
  if (!row->set)
    return *(bool *)((char *)o + row->to) = true;
  if (equals)
    return row->set(o, row, equals + 1);
  /* "--frames --seed 3" lacks a number; "-" alone is a value. */
  if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0)
    return fail(o, "%s needs a value: %s %s", row->name, row->name, row->value);
  *i += 1;
  return row->set(o, row, argv[*i]);
}

/* Returns whether to show the gallery: there is no PATH, and only options that the gallery passes on to its games. */
static bool asks_for_gallery(const options *o, int argc)
{
  bool one_game = o->headless || o->realtime || o->check || o->screenshot[0] || o->sound[0] || o->record_input[0] ||
                  o->replay[0] || o->bisect_input[0] || o->synctest || o->stats || o->exec_count > 0 || o->game_argv ||
                  o->frames != OPTIONS_NO_END;
  bool other = o->path || o->init || o->pack || o->games || o->help || o->version || o->licenses;
  return argc == 1 || (!one_game && !other);
}

/* Checks the options that recorded input cannot be combined with: it determines how the game is played. */
static bool check_input(options *o)
{
  const char *option = o->replay[0] ? "--replay" : "--bisect-input";
  if (o->bisect_input[0] && (o->replay[0] || o->record_input[0]))
    return fail(o, "--bisect-input cannot be combined with --replay or --record-input");
  if (o->accept && !o->check && !o->record_input[0])
    return fail(o, "--accept belongs to --check");
  if (o->at > 0 && !o->why)
    return fail(o, "--at belongs to --why");
  if (o->why && !o->replay[0])
    return fail(o, "--why looks into a recording: add --replay FILE");
  if (!o->replay[0] && !o->bisect_input[0])
    return true;
  if (o->check)
    return fail(o, "%s plays the game, --check does not", option);
  if (o->seeded || o->exec_count > 0 || o->game_argc > 0)
    return fail(o, "%s plays with the recorded %s", option,
                o->seeded           ? "seed: leave --seed out"
                : o->exec_count > 0 ? "texts: leave --exec out"
                                    : "arguments: leave out what follows --");
  return true;
}

/* Checks the options that --synctest cannot be combined with, as it goes back after each frame. */
static bool check_synctest(options *o)
{
  const char *option = o->trust             ? "--trust, with which a game may have effects that cannot be undone"
                       : o->no_timeline     ? "--no-timeline, which keeps nothing to go back to"
                       : o->sound[0]        ? "--sound, which would hear each frame twice"
                       : o->check           ? "--check, which plays nothing"
                       : o->bisect_input[0] ? "--bisect-input, which looks for errors"
                                            : NULL;
  return !o->synctest || !option || fail(o, "--synctest cannot be combined with %s", option);
}

static bool check_whole(options *o)
{
  if (o->help || o->version || o->licenses || o->games)
    return !o->games || !o->path || fail(o, "games takes no PATH, got '%s'", o->path);
  if (!o->path)
    return o->init   ? fail(o, "no folder given: spawnpool init DIR")
           : o->pack ? fail(o, "no game given: spawnpool pack GAME")
                     : fail(o, "no game given: spawnpool [options] PATH [-- args]");
  if (!o->pack && (o->out || o->pack_for))
    return fail(o, "%s belongs to pack: spawnpool pack GAME", o->out ? "--out" : "--for");
  if (!o->init && o->kind)
    return fail(o, "--template belongs to init: spawnpool init DIR");
  o->kind = o->kind ? o->kind : "";
  o->pack_for = o->pack_for ? o->pack_for : "";
  if (o->pack && o->trust)
    return fail(o, "--trust does not go with pack: a packed game is played in the sandbox");
  if (o->screenshot[0] && o->screenshot_frame > o->frames)
    return fail(o, "--screenshot asks for frame %llu, but --frames ends at %llu",
                (unsigned long long)o->screenshot_frame, (unsigned long long)o->frames);
  if (o->headless && o->pause_on_reload)
    return fail(o, "--pause-on-reload needs a window: F6 continues the game there");
  if (o->headless && o->full_screen)
    return fail(o, "--full-screen needs a window, --headless opens none");
  return check_synctest(o) && check_input(o);
}

bool options_parse(options *o, int argc, char **argv)
{
  memset(o, 0, sizeof *o);
  o->frames = OPTIONS_NO_END;
  o->width = 800;
  o->height = 600;
  o->memory = OPTIONS_MEMORY;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      o->game_argc = argc - i - 1;
      o->game_argv = argv + i + 1;
      break;
    }
    if (argv[i][0] == '-' && argv[i][1] != '\0') {
      if (!read_option(o, argc, argv, &i))
        return false;
    } else if (i == 1 && strcmp(argv[i], "init") == 0) {
      o->init = true;
    } else if (i == 1 && strcmp(argv[i], "pack") == 0) {
      o->pack = true;
    } else if (i == 1 && strcmp(argv[i], "games") == 0) {
      o->games = true;
    } else if (o->path) {
      return fail(o, "one PATH only, got '%s' and '%s'; arguments for the game follow --", o->path, argv[i]);
    } else {
      platform_slashes(argv[i]);
      o->path = argv[i];
    }
  }
  o->no_watch = o->no_watch || o->release;
  o->gallery = asks_for_gallery(o, argc);
  return o->gallery || check_whole(o);
}

void options_help(FILE *out)
{
  fputs("usage: spawnpool [options] PATH [-- args]\n"
        "       spawnpool [options]\n"
        "       spawnpool init [--template KIND] DIR\n"
        "       spawnpool pack [--for LIST] [--out FOLDER] GAME\n"
        "       spawnpool games\n"
        "Plays the game in PATH: a folder with main.lua, a zip of one, or a .lua file. Edits take\n"
        "effect as soon as you save. init creates a small new game in DIR; games lists the bundled\n"
        "games; without PATH a gallery of them opens, in which Enter plays a game and Esc returns. The\n"
        "gallery takes the options of the window and those of every game.\n\n",
        out);
  for (size_t i = 0; i < ROWS; i++) {
    char left[40];
    snprintf(left, sizeof left, "%s %s", rows[i].name, rows[i].value ? rows[i].value : "");
    fprintf(out, "  %-26s  %s\n", left, rows[i].help);
  }
  fputs("\nArguments after -- go to the game's load(args). F1 in the window shows the keys.\n"
        "Exit codes: 0 fine, 1 script error, 2 usage.\n",
        out);
}

void options_title(const options *o, char *title, size_t size)
{
  char name[200];
  game_folder_name(o->path, name, sizeof name);
  snprintf(title, size, "%s%s", name, o->release ? "" : " - spawnpool");
}

bool options_are_repeatable(const options *o) { return o->record_input[0] || o->replay[0] || o->synctest; }

bool options_are_recorded(const options *o)
{
  return !options_are_repeatable(o) && (!o->headless || o->release) && !o->check && !o->pack && !o->trust &&
         !o->no_timeline;
}

bool options_have_timeline(const options *o)
{
  return o->synctest || (!o->headless && !o->check && !o->no_timeline && !o->trust && !o->release);
}

bool options_wait_for_fix(const options *o) { return !o->headless || (o->realtime && !o->no_watch); }

const char *options_meanwhile(const options *o)
{
  if (o->release)
    return "The game has stopped; Esc closes it.";
  return o->no_watch ? "The script is stopped until F5 loads a fix; the last good frame stays."
                     : "The script is stopped until you save a fix; the last good frame stays.";
}

options options_seeded(const options *given)
{
  options o = *given;
  if (!o.seeded)
    o.seed = o.headless ? 1 : (uint64_t)time(NULL);
  return o;
}
