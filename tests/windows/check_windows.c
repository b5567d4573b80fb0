/*
** What is special about Windows: letters, long names, times, edits, and the watchdog without POSIX timers. Names that
** are no names are those of the suite `paths`. Runs under wine too.
*/
#include "demo/capture/file_writer.h"
#include "demo/support/platform.h"
#include "script/scripted.h"
#include "script/state/disk.h"
#include "script/watch/watch.h"
#include "support/files.h"
#include "support/process.h"
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

static char folder[256]; /* has game/, the folder of a game, and outside/ beside it */

static const char *path_of(const char *name) { return test_path(folder, name); }

static void write_file(const char *name, const char *text) { test_write(path_of(name), text); }

static void make(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  write_file("game/lib/part.lua", "own");
  write_file("outside/secret.lua", "secret");
}

static void clear(void) { test_folder_remove(folder); }

/* {== The folder of a game =============================================== */

static test_group paths = {"paths", make, clear};

static const char *content(const char *path)
{
  static char text[64];
  char problem[SP_FILE_PROBLEM_MOST];
  int file = sp_folder_open(path_of("game"), path, problem);
  int64_t size = file < 0 ? 0 : sp_file_read(file, text, sizeof text - 1);
  if (file >= 0)
    sp_file_close(file);
  text[size > 0 ? size : 0] = '\0';
  return text;
}

TEST(paths, a_file_of_the_game_is_read_by_any_way_to_it)
{
  char whole[SP_PATH_MOST];
  ck_assert_str_eq(content(path_of("game/lib/part.lua")), "own");
  ck_assert_str_eq(content(path_of("game//lib/./../lib/part.lua")), "own");
  ck_assert(sp_real_path(path_of("game/lib/part.lua"), whole));
  ck_assert_msg(whole[1] == ':' && !strchr(whole, '\\'), "%s", whole);
  ck_assert_str_eq(content(whole), "own");
}

TEST(paths, names_may_have_all_letters)
{
  write_file("game/lib/\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xae.lua", "all");
  ck_assert_str_eq(content(path_of("game/lib/\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xae.lua")), "all");
  sp_folder_stream *list = sp_folder_list(path_of("game"), path_of("game/lib"));
  int found = 0;
  ck_assert_ptr_nonnull(list);
  for (const char *name; (name = sp_folder_stream_next(list, NULL)) != NULL;)
    found += strcmp(name, "part.lua") == 0 || strcmp(name, "\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xae.lua") == 0;
  sp_folder_stream_close(list);
  ck_assert_int_eq(found, 2);
}

/* Windows takes more than 260 letters where its setting LongPathsEnabled says so. */
TEST(paths, names_may_be_long)
{
  static const char part[] = "/a folder whose name is as long as people give them, \xc3\xbc and all";
  char path[SP_PATH_MOST], whole[SP_PATH_MOST];
  sp_facts facts;
  strcpy(path, path_of("game"));
  for (int i = 0; i < 8; i++) {
    strcat(path, part);
    if (strlen(path) >= MAX_PATH && platform_make_folder(path, true) != 0) {
      ck_assert(!sp_facts_of_path(path, true, &facts));
      test_skip("windows: names_may_be_long", "this system takes 260 letters at most");
      return;
    }
    ck_assert_int_eq(platform_make_folder(path, true), 0);
  }
  strcat(path, "/part.lua");
  ck_assert_int_eq(atomic_file_write(path, "deep", 4), 0);
  ck_assert_str_eq(content(path), "deep");
  ck_assert(sp_real_path(path, whole));
  ck_assert_str_eq(content(whole), "deep");
  ck_assert_int_eq(platform_remove(path), 0);
  ck_assert(!platform_exists(path));
}

/* }== */

/* {== Games ============================================================== */

static test_group games = {"games", NULL, NULL};

/* `require`, class files and their paths are what a game names files by. */
SCRIPT_TEST(games, a_game_cannot_name_what_is_no_file_of_it)
{
  scripted_start(g, "local spawnpool <const> = require 'spawnpool'\r\n"
                    "local tried <const> = { 'con', 'aux', 'nul', 'lib/nul', 'LIB.part', 'Lib/part' }\r\n"
                    "return { update = function()\r\n"
                    "  for _, name in ipairs(tried) do\r\n"
                    "    local fine, why = pcall(require, name)\r\n"
                    "    if fine or not why:find('not found', 1, true) then print(name, fine, why) end\r\n"
                    "  end\r\n"
                    "  local pools <const> = spawnpool.new { path = '//server/share/?.lua' }\r\n"
                    "  print(pcall(pools.alloc, pools, 'Cube'))\r\n"
                    "  print(require('lib.part'))\r\n"
                    "end }\r\n");
  scripted_write(g, "lib/part.lua", "return 'part'\r\n");
  ck_assert(scripted_update(g));
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "print: part") != NULL, "%s", told);
  ck_assert_msg(strstr(told, "print: con") == NULL && strstr(told, "print: L") == NULL, "%s", told);
}

TEST(games, an_endless_loop_is_stopped)
{
  static scripted g;
  for (int counting = 0; counting < 2; counting++) {
    scripted_make(&g, "return { update = function() while true do pcall(function() while true do end end) end end }");
    g.options.patience = 0.3;
    g.options.no_signal = counting != 0;
    scripted_begin(&g);
    uint64_t begin = sp_clock_nanoseconds();
    ck_assert(!scripted_update(&g));
    double seconds = (double)(sp_clock_nanoseconds() - begin) * 1e-9;
    const char *told = scripted_told(&g);
    ck_assert_msg(strstr(told, "main.lua:1: stopped: it ran for more than 0.3 s") != NULL, "%s", told);
    ck_assert_msg(seconds > 0.2, "%g s", seconds);
    scripted_end(&g);
  }
}

/* }== */

/* {== Files ============================================================== */

static test_group files = {"files", make, clear, 120};

TEST(files, a_stamp_differs_when_the_file_does)
{
  sp_facts one, same, other;
  ck_assert(sp_facts_of_path(path_of("game/lib/part.lua"), true, &one));
  ck_assert(sp_facts_of_path(path_of("game/lib/part.lua"), true, &same));
  ck_assert(one.modified == same.modified && one.altered == same.altered);
  ck_assert(one.inode == same.inode);
  ck_assert_int_eq(one.kind, SP_KIND_FILE);
  ck_assert_uint_eq(one.size, 3);
  uint64_t seconds = one.modified / 1000000000u, now = (uint64_t)time(NULL);
  ck_assert_msg(seconds + 60 > now && seconds < now + 60, "%llu, %llu", seconds, now);
  write_file("game/new.lua", "own"); /* of the same size */
  ck_assert_int_eq(platform_rename(path_of("game/new.lua"), path_of("game/lib/part.lua")), 0);
  ck_assert(sp_facts_of_path(path_of("game/lib/part.lua"), true, &other));
  ck_assert(one.inode != other.inode);
  ck_assert(!sp_facts_of_path(path_of("game/none"), true, &other) && errno == ENOENT);
}

/* Only the number of the file tells. */
TEST(files, the_watch_sees_a_file_of_the_same_size_and_time)
{
  static const char *const endings[] = {".lua", NULL};
  char old[600], game[600];
  FILETIME time;
  sp_watch_change change;
  write_file("game/lib/part.lua", "longer");
  strcpy(game, path_of("game"));
  sp_watch *watch = sp_watch_open(&(sp_watch_options){.root = game, .endings = endings, .depth = SP_WATCH_DEEPEST});
  ck_assert_ptr_nonnull(watch);
  write_file("outside/new.lua", "of six");
  strcpy(old, path_of("game/lib/part.lua"));
  HANDLE from = CreateFileA(old, GENERIC_READ, 7, NULL, OPEN_EXISTING, 0, NULL);
  HANDLE to = CreateFileA(path_of("outside/new.lua"), GENERIC_WRITE, 7, NULL, OPEN_EXISTING, 0, NULL);
  ck_assert(GetFileTime(from, NULL, NULL, &time) && SetFileTime(to, NULL, NULL, &time));
  CloseHandle(from);
  CloseHandle(to);
  ck_assert_int_eq(platform_rename(path_of("outside/new.lua"), path_of("game/lib/part.lua")), 0);
  double now = 0; /* of the watch's clock */
  while (now < 4 && !(sp_watch_poll(watch, now, false) && sp_watch_next(watch, &change)))
    now += 1.0 / 16;
  ck_assert_double_lt(now, 4);
  sp_watch_close(watch);
}

/* While somebody reads the file, the system may refuse that; the old content is whole then. */
TEST(files, a_file_that_is_read_is_replaced_whole_or_later)
{
  char text[16] = "";
  int file = sp_file_open(path_of("game/lib/part.lua"));
  ck_assert_int_ge(file, 0);
  int problem = atomic_file_write(path_of("game/lib/part.lua"), "new", 3);
  ck_assert_msg(problem == 0 || problem == EACCES, "%s", strerror(problem));
  ck_assert_int_eq((int)sp_file_read(file, text, 3), 3);
  ck_assert_str_eq(text, "own");
  sp_file_close(file);
  ck_assert_int_eq(atomic_file_write(path_of("game/lib/part.lua"), "new", 3), 0);
  ck_assert_str_eq(content(path_of("game/lib/part.lua")), "new");
}

TEST(files, what_may_not_be_written_stays)
{
  ck_assert(SetFileAttributesA(path_of("game/lib/part.lua"), FILE_ATTRIBUTE_READONLY));
  ck_assert_int_eq(atomic_file_write(path_of("game/lib/part.lua"), "new", 3), EACCES);
  ck_assert_str_eq(content(path_of("game/lib/part.lua")), "own");
  SetFileAttributesA(path_of("game/lib/part.lua"), FILE_ATTRIBUTE_NORMAL);
  ck_assert_int_ne(atomic_file_write(path_of("nowhere/at/all"), "new", 3), 0);
}

TEST(files, text_has_the_same_bytes_as_elsewhere)
{
  char bytes[32] = "";
  FILE *f = fopen(path_of("lines"), "w");
  fputs("one\ntwo\n", f);
  fclose(f);
  f = fopen(path_of("lines"), "r");
  size_t size = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  ck_assert_uint_eq(size, 8);
  ck_assert_str_eq(bytes, "one\ntwo\n");
}

/* }== */

SUITE(windows, &paths, &games, &files)
