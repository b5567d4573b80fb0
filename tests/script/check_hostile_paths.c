/*
** Names that a game may give to its files, made at random from what the systems take for special: drives, other
** computers, devices, streams, short names, "..", backslashes, other cases, bytes that are no text. Every file of the
** game holds its own name, so what was read shows what was opened; what lies outside holds another word.
*/
#include "script/scripted.h"
#include "script/state/disk.h"
#include "support/process.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
enum { PATHS = 3000, NAMES = 2000 };
#else
enum { PATHS = 10000, NAMES = 2500 };
#endif

/* The first paths by the game's own name, but for links, open the same files on every system: the sum says which. */
enum { COMPARED = 3000 };
#define FOUND 0x7b8a82c229c8da96u

static char folder[300]; /* has game/, and game2/, outside/ and secret.lua beside it */
static bool linked;      /* game/link_in leads to game/lib, game/link_out to outside */

/* {== The tree =========================================================== */

#define IN "return 'in:"

static const char *const own_files[] = {"game/main.lua", "game/lib/part.lua", "game/lib/deep/leaf.lua",
                                        "game/a longer name.lua", "game/\xc3\xbc.lua"};
static const char *const other_files[] = {"secret.lua", "outside/secret.lua", "outside/part.lua", "game2/part.lua",
                                          "outside/lib/part.lua"};

static const char *path_of(const char *name) { return test_path(folder, name); }

static void make(void)
{
  char text[80];
  ck_assert(test_folder_make(folder, sizeof folder));
  for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++) {
    snprintf(text, sizeof text, IN "%s'", own_files[i] + strlen("game/"));
    test_write(path_of(own_files[i]), text);
  }
  for (size_t i = 0; i < sizeof other_files / sizeof *other_files; i++)
    test_write(path_of(other_files[i]), "OUT = true");
  linked = test_link("lib", path_of("game/link_in")) && test_link("../outside", path_of("game/link_out"));
}

static void clear(void) { test_folder_remove(folder); }

/* }== */

/* {== The generator ====================================================== */

static uint64_t state;

static unsigned below(unsigned count)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 33) % count;
}

/* Words, each with a zero byte behind it. */
#define ANY(words) any(words, sizeof(words))

static const char *any(const char *words, size_t size)
{
  unsigned count = 0;
  for (size_t i = 0; i < size; i++)
    count += words[i] == '\0';
  for (count = below(count); count > 0; count--)
    words += strlen(words) + 1;
  return words;
}

static const char plain[] =
    "lib\0part.lua\0deep\0leaf.lua\0main.lua\0a longer name.lua\0game\0..\0.\0link_in\0\xc3\xbc.lua";
static const char strange[] =
    "..\0..\0..\0...\0....\0\0 \0outside\0secret.lua\0game2\0link_out\0ALONGE~1.LUA\0GAME~1\0OUTSID~1\0"
    "con\0nul\0aux\0prn\0com1\0LPT9\0conin$\0CONOUT$\0clock$\0com\xc2\xb2\0C:\0c:\0Z:\0C:part.lua\0"
    "Windows\0win.ini\0etc\0passwd\0proc\0self\0root\0dev\0fd\0pipe\0server\0share\0C$\0localhost\0"
    "127.0.0.1\0GLOBALROOT\0Device\0PhysicalDrive0\0?\0*\0p?rt.lua\0part.l*\0part.lu<\0\"part.lua\"\0"
    "%2e%2e\0\xc0\xae\xc0\xae\0\xef\xbc\x8e\xef\xbc\x8e\0\xe2\x80\xa5\0\xff\xfe\0\xed\xa0\x80\0~\0~root\0"
    "$HOME\0%TEMP%\0desktop.ini:x\0PART.LUA\0Lib\0u\xcc\x88.lua\0\x01\0\x7f\0|\0>\0part.lua.\0part.lua \0"
    "lib \0con.lua\0prn.x.lua\0nul .lua\0lib\\part.lua\0..\\outside/secret.lua\0"
    "lib\\..\\..\\outside\\secret.lua";
static const char ends[] = ".\0 \0..\0. \0:x\0::$DATA\0:$I30:$INDEX_ALLOCATION\0.lua\0.txt\0.lua \0\t\0/\0\\\0\\.\0/.";
static const char heads[] =
    "/\0\\\0//\0\\\\\0C:/\0C:\\\0Z:/\0C:\0\\\\?\\\0//?/\0//?/C:/\0\\\\.\\\0//./\0//./pipe/\0"
    "\\\\?\\UNC\\localhost\\\0//server/share/\0\\??\\\0/?\?/C:/\0/Windows/win.ini/../../\0file:///\0"
    "/proc/self/root/\0/proc/self/cwd/\0/dev/fd/\0./\0../\0..\\";
static const char separators[] = "/\0/\0/\0/\0/\0\\\0//\0/./\0\\\\\0/\\\0/../";

static void append(char *path, size_t size, const char *text)
{
  size_t used = strlen(path);
  snprintf(path + used, size - used, "%s", text);
}

/* A component as it is, or with an end, in another case, or far too long. */
static void append_component(char *path, size_t size, unsigned oddness)
{
  size_t from = strlen(path);
  append(path, size, below(10) < oddness ? ANY(strange) : ANY(plain));
  if (below(12) < oddness)
    append(path, size, ANY(ends));
  if (below(20) < oddness)
    for (char *c = path + from; *c; c++)
      *c = (char)(((*c | 32) >= 'a' && (*c | 32) <= 'z' && below(2)) ? *c ^ 32 : *c);
  if (below(400) < oddness)
    for (unsigned count = 200 + below(4000); count > 0; count--)
      append(path, size, "a");
}

static void generate(char *path, size_t size)
{
  unsigned oddness = below(6), count = 1 + below(6);
  *path = '\0';
  if (below(3) > 0)
    snprintf(path, size, "%s%s", folder, below(8) < oddness ? ANY(separators) : "/");
  if (below(8) < oddness)
    append(path, size, ANY(heads));
  if (*path && below(10) > 0)
    append(path, size, "game/");
  for (unsigned i = 0; i < count; i++) {
    if (i > 0)
      append(path, size, below(8) < oddness ? ANY(separators) : "/");
    append_component(path, size, oddness);
  }
}

/* }== */

/* {== What they open ===================================================== */

static test_group doors = {"doors", make, clear, 120};

/* The text names each part of the file that was opened as it is spelled: no other case, no short name, no stream. A
   link stands for the folder that it leads to. */
static bool spells(const char *path, const char *name)
{
  char part[64];
  for (const char *end; *name; name = *end ? end + 1 : end) {
    end = name + strcspn(name, "/");
    snprintf(part, sizeof part, "/%.*s", (int)(end - name), name);
    bool by_link = linked && strcmp(part, "/lib") == 0 && strstr(path, "/link_in");
    if (!strstr(path, part) && !by_link)
      return false;
  }
  return true;
}

static void check_file(const char *game, const char *path, int file)
{
  char text[80] = "", *name = text + strlen(IN);
  int64_t size = sp_file_read(file, text, sizeof text - 1);
  size_t length = strlen(path);
  sp_file_close(file);
  ck_assert_msg(size > 12 && strncmp(text, IN, strlen(IN)) == 0, "'%s' opened '%s'", path, text);
  name[strcspn(name, "'")] = '\0';
  ck_assert_msg(spells(path, name) && length >= 4 && strcmp(path + length - 4, ".lua") == 0, "'%s' opened '%s'", path,
                name);
  ck_assert_msg(sp_folder_holds(game, path), "'%s' was opened", path);
}

static void check_list(const char *path, sp_folder_stream *list)
{
  for (const char *name; (name = sp_folder_stream_next(list, NULL)) != NULL;)
    ck_assert_msg(strcmp(name, "secret.lua") != 0 && strcmp(name, "outside") != 0 && strcmp(name, "win.ini") != 0 &&
                      strcmp(name, "passwd") != 0 && strcmp(name, "game") != 0,
                  "'%s' lists '%s'", path, name);
  sp_folder_stream_close(list);
}

TEST(doors, what_is_opened_lies_in_the_game_and_has_that_name)
{
  char path[8192], game[400], problem[SP_FILE_PROBLEM_MOST];
  int opened = 0, listed = 0;
  uint64_t found = 0;
  snprintf(game, sizeof game, "%s/game", folder);
  state = 88172645463325252u;
  for (int i = 0; i < PATHS; i++) {
    generate(path, sizeof path);
    int file = sp_folder_open(game, path, problem);
    sp_folder_stream *list = sp_folder_list(game, path);
    opened += file >= 0;
    listed += list != NULL;
    ck_assert_msg(file < 0 || !list, "'%s' is a file and a folder", path);
    if (i < COMPARED && strncmp(path, game, strlen(game)) == 0 && !strstr(path, "link_"))
      found = (found ^ (unsigned)(file >= 0) ^ (unsigned)(list != NULL) << 1) * 0x100000001b3u;
    if (file >= 0)
      check_file(game, path, file);
    if (list)
      check_list(path, list);
  }
  ck_assert_msg(found == FOUND, "other paths lead to files here: %llx", (unsigned long long)found);
  ck_assert_msg(opened > PATHS / 100 && listed > PATHS / 100, "of %d, %d files and %d folders", PATHS, opened, listed);
}

/* }== */

/* {== What Lua can name ================================================== */

static const char main_file[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "local found, made = 0, 0\n"
    "return { try = function(name)\n"
    "  local ok <const>, got <const> = pcall(require, name)\n"
    "  if ok and type(got) == 'string' and got:find '^in:' then found = found + 1 end\n"
    "  local fine <const>, pools <const> = pcall(spawnpool.new, { path = name .. '/?.lua', unknown = 'error' })\n"
    "  if fine then pcall(pools.alloc, pools, 'secret') pools:close() made = made + 1 end\n"
    "  if OUT then error(name .. ' leads out') end\n"
    "end, tell = function() print(found > 0 and made > 0) end }\n";

/* As names of modules, and of folders of class files. */
TEST(doors, no_module_and_no_class_file_lies_outside)
{
  static scripted g;
  char name[8192];
  scripted_make(&g, NULL);
  test_write(path_of("game/start.lua"), main_file);
  g.options.path = path_of("game/start.lua");
  scripted_begin(&g);
  state = 88172645463325252u;
  for (int i = 0; i < NAMES; i++) {
    generate(name, sizeof name);
    size_t length = strlen(name);
    if (i % 2 && length > 4 && strcmp(name + length - 4, ".lua") == 0)
      name[length - 4] = '\0';
    ck_assert_msg(sp_script_call(g.script, "try", "s", name), "%s", g.told);
  }
  scripted_told(&g);
  ck_assert(sp_script_call(g.script, "tell", NULL));
  ck_assert_str_eq(scripted_told(&g), "print: true\n");
  scripted_end(&g);
}

/* }== */

SUITE(hostile_paths, &doors)
