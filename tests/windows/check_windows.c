/*
** What is special about Windows: paths with a drive, long names, stamps of files, and files that are in use. Runs under
** wine too.
*/
#include "demo/capture/file_writer.h"
#include "demo/support/platform.h"
#include "script/state/disk.h"
#include "script/state/written.h"
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

/* Windows takes more than 260 letters where its setting LongPathsEnabled says so. */
TEST(paths, names_may_be_long)
{
  static const char part[] = "/a folder whose name is as long as people give them, \xc3\xbc and all";
  char path[SP_PATH_MOST], whole[SP_PATH_MOST];
  sp_facts facts;
  strcpy(path, path_of("game"));
  for (int i = 0; i < 8; i++) {
    strcat(path, part);
    if (strlen(path) >= MAX_PATH - strlen("/12345678.123") && sp_folder_make(path, true) != 0) {
      ck_assert(!sp_facts_of_path(path, true, &facts));
      test_skip("windows: names_may_be_long", "this system takes 260 letters at most");
      return;
    }
    ck_assert_int_eq(sp_folder_make(path, true), 0);
  }
  strcat(path, "/part.lua");
  ck_assert_int_eq(sp_file_write_whole(path, "deep", 4), 0);
  ck_assert_str_eq(content(path), "deep");
  ck_assert(sp_real_path(path, whole));
  ck_assert_str_eq(content(whole), "deep");
  ck_assert_int_eq(sp_file_remove(path), 0);
  ck_assert(!platform_exists(path));
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
  ck_assert_int_eq(sp_file_rename(path_of("game/new.lua"), path_of("game/lib/part.lua")), 0);
  ck_assert(sp_facts_of_path(path_of("game/lib/part.lua"), true, &other));
  ck_assert(one.inode != other.inode);
  ck_assert(!sp_facts_of_path(path_of("game/none"), true, &other) && errno == ENOENT);
}

/* While somebody reads the file, the system may refuse that; the old content is whole then. */
TEST(files, a_file_that_is_read_is_replaced_whole_or_later)
{
  char text[16] = "";
  int file = sp_file_open(path_of("game/lib/part.lua"));
  ck_assert_int_ge(file, 0);
  int problem = sp_file_write_whole(path_of("game/lib/part.lua"), "new", 3);
  ck_assert_msg(problem == 0 || problem == EACCES, "%s", strerror(problem));
  ck_assert_int_eq((int)sp_file_read(file, text, 3), 3);
  ck_assert_str_eq(text, "own");
  sp_file_close(file);
  ck_assert_int_eq(sp_file_write_whole(path_of("game/lib/part.lua"), "new", 3), 0);
  ck_assert_str_eq(content(path_of("game/lib/part.lua")), "new");
}

TEST(files, what_may_not_be_written_stays)
{
  ck_assert(SetFileAttributesA(path_of("game/lib/part.lua"), FILE_ATTRIBUTE_READONLY));
  ck_assert_int_eq(sp_file_write_whole(path_of("game/lib/part.lua"), "new", 3), EACCES);
  ck_assert_str_eq(content(path_of("game/lib/part.lua")), "own");
  SetFileAttributesA(path_of("game/lib/part.lua"), FILE_ATTRIBUTE_NORMAL);
  ck_assert_int_ne(sp_file_write_whole(path_of("nowhere/at/all"), "new", 3), 0);
}

/* }== */

SUITE(windows, &paths, &files)
