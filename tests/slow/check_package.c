/*
** What is handed to others: the tarball of the sources, the rock for Lua, the core as one file, the listing of the
** interface; and that all of them say the same version.
*/
#include "support/markdown.h"
#include "support/shell.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MAKE "make -s BUILD='" SP_BUILD_DIR "' "
#define ROCKSPEC "lua/spawnpool-" SP_VERSION "-1.rockspec"
#define NAME "spawnpool-" SP_VERSION
/* The build folder may be named from the top of the tree. */
#define THERE "built=$(cd '" SP_BUILD_DIR "' && pwd) top=$PWD && cd '%s' && "
#define LUA "$(command -v lua5.4 || command -v lua) "

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* {== The tarball ========================================================= */

static test_group core = {"package", setup, teardown, 60};

TEST(core, the_tarball_has_all_and_makes_itself_again)
{
  if (!is_plain_build("the_tarball_has_all_and_makes_itself_again") ||
      !is_here("the_tarball_has_all_and_makes_itself_again", "no GNU tar", "tar --version | grep -q GNU"))
    return;
  EXPECT_STATUS(0, MAKE "dist >/dev/null && " THERE "tar xzf \"$built/" NAME ".tar.gz\"", folder);
  EXPECT_STATUS(0,
                THERE "cd " NAME " && umask 077 && make -s BUILD=build dist && "
                      "cmp build/" NAME ".tar.gz \"$built/" NAME ".tar.gz\"",
                folder);
  EXPECT_STATUS(0,
                "cd '%s/" NAME "' && make -s BUILD=build CC='" SP_CC "' CFLAGS=-O0 WERROR= build/embed/hello && "
                "build/embed/hello | grep -q stale",
                folder);
  /* What was built here is as good as what would be built there: what else is installed comes from the tarball. */
  EXPECT_STATUS(0, MAKE "install-files DESTDIR='%s/here'", folder);
  EXPECT_STATUS(0,
                "cd '%s/" NAME "' && (cd build && touch spawnpool spawnpool.so libspawnpool.so." SP_VERSION
                " libspawnpool_script.a) && make -s BUILD=build install-files DESTDIR=../there && "
                "cd .. && (cd here && find . | sort) >here.txt && (cd there && find . | sort) | diff here.txt -",
                folder);
}

/* }== */

/* {== The rock =========================================================== */

TEST(core, the_rock_installs_what_make_installs)
{
  if (!is_plain_build("the_rock_installs_what_make_installs"))
    return;
  EXPECT_STATUS(0,
                LUA "tests/package/rock.lua " ROCKSPEC " CFLAGS=-O2 \"LUA_INCDIR=$(echo '%s' | sed 's/-isystem //')\" "
                    "LIBDIR='%s/lib' LUADIR='%s/share' | sed \"s|make|make CC='" SP_CC "' BUILD='" SP_BUILD_DIR
                    "'|\" >'%s/steps' && sh -e '%s/steps'",
                SP_LUA_CFLAGS, folder, folder, folder, folder);
  EXPECT_STATUS(
      0, "cmp '%s/lib/spawnpool.so' '" SP_BUILD_DIR "/spawnpool.so' && diff -r lua/spawnpool '%s/share/spawnpool'",
      folder, folder);
  EXPECT_STATUS(0,
                "cd '%s' && LUA_CPATH='lib/?.so' LUA_PATH='share/?.lua' " LUA
                "-e 'assert(require(\"spawnpool\").VERSION == \"" SP_VERSION "\" and require \"spawnpool.reload\")'",
                folder);
}

TEST(core, luarocks_makes_the_rock_and_removes_it)
{
  if (!is_plain_build("luarocks_makes_the_rock_and_removes_it") ||
      !is_here("luarocks_makes_the_rock_and_removes_it", "luarocks is not here, or knows no Lua 5.4",
               "luarocks --lua-version=5.4 config lua_version 2>/dev/null | grep -q 5.4"))
    return;
  EXPECT_STATUS(
      0,
      "export BUILD='" SP_BUILD_DIR "' HOME='%s' && luarocks --lua-version=5.4 --tree '%s/tree' CC='" SP_CC
      "' make " ROCKSPEC " && cd '%s/tree' && eval \"$(luarocks --lua-version=5.4 --tree \"$PWD\" path)\" && " LUA
      "-e 'local s = require \"spawnpool\"; assert(s.pools:alloc \"A\".alive)' && "
      "luarocks --lua-version=5.4 --tree \"$PWD\" remove spawnpool && test -z \"$(find . -name '*spawnpool*')\"",
      folder, folder, folder);
}

/* }== */

/* {== One file ============================================================ */

#define STRICT " -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -pedantic -Werror "
#define AMALGAM "\"$built/amalgam\""

TEST(core, the_core_is_one_file_for_programs_in_c_and_cpp)
{
  if (!is_plain_build("the_core_is_one_file_for_programs_in_c_and_cpp"))
    return;
  EXPECT_STATUS(0,
                MAKE "amalgam && " THERE "! grep -nE '^ *# *(line|include +\"core/)' " AMALGAM "/spawnpool.c && "
                     "head -n 2 " AMALGAM "/spawnpool.c | grep -qF 'spawnpool " SP_VERSION ",' && "
                     "grep -q 'Permission is hereby granted' " AMALGAM "/spawnpool.c",
                folder);
  EXPECT_STATUS(0,
                THERE SP_CC " -std=c11 -O0" STRICT "-c " AMALGAM "/spawnpool.c -o one.o && " SP_CC
                            " -std=c11 -I" AMALGAM
                            " \"$top/demo/embed/hello.c\" one.o -lm -o hello && ./hello >said && "
                            "\"$built/embed/hello\" | cmp - said",
                folder);
  /* Besides what the library has, nothing of it is to be seen. */
  EXPECT_STATUS(0,
                THERE
                "nm -g --defined-only one.o | awk '{ print $3 }' | sort -u >one && "
                "nm -g --defined-only \"$built/libspawnpool.a\" | awk 'NF == 3 { print $3 }' | sort -u | diff - one",
                folder);
  if (is_here("the_core_is_one_file_for_programs_in_c_and_cpp", "no clang", "command -v clang"))
    EXPECT_STATUS(0, THERE "clang -std=c11 -fsyntax-only" STRICT AMALGAM "/spawnpool.c", folder);
  if (is_here("the_core_is_one_file_for_programs_in_c_and_cpp", "no C++ compiler",
              "echo '#include <vector>' | " SP_CXX " -fsyntax-only -x c++ -"))
    EXPECT_STATUS(0,
                  THERE
                  "printf '#include <spawnpool.h>\\nint main() { return sp_close(sp_open(nullptr, nullptr)); }\\n' "
                  "| " SP_CXX " -std=c++17 -I" AMALGAM " -x c++ - -x none one.o -lm -o cpp && ./cpp",
                  folder);
}

TEST(core, what_would_play_another_game_is_no_core)
{
  if (!is_plain_build("what_would_play_another_game_is_no_core"))
    return;
  EXPECT_STATUS(0,
                MAKE "amalgam && " THERE "! " SP_CC " -fsyntax-only -ffast-math " AMALGAM "/spawnpool.c 2>said && "
                     "grep -q 'must tell NaN from numbers' said",
                folder);
}

/* }== */

/* {== Other machines ====================================================== */

/* Whether the compiler of a block is here, and can link a program, and what runs it is here. */
static bool can_play(const markdown_block *block)
{
  char text[1024], command[1200];
  snprintf(text, sizeof text, "%.*s", (int)block->length, block->code);
  char *flags = strstr(text, " -Ibuild/amalgam"), *machine = strstr(text, "\nqemu-"), *compiler;
  ck_assert_ptr_nonnull(flags);
  *flags = '\0';
  if (machine)
    machine[strcspn(machine, " ")] = '\0';
  compiler = strrchr(text, '\n'); /* of what is left, the last line begins the compilation */
  compiler = compiler ? compiler + 1 : text;
  snprintf(command, sizeof command,
           "printf '#include <stdio.h>\nint main(void) { return 0; }\n' | %s -x c -o /dev/null - %s%s", compiler,
           machine ? "&& command -v " : "", machine ? machine + 1 : "");
  return is_here("a_game_is_the_same_on_all_machines_that_are_here", compiler, command);
}

/* The page has a block for each; `make amalgam`, which begins the first one, was done. */
TEST(core, a_game_is_the_same_on_all_machines_that_are_here)
{
  if (!is_plain_build("a_game_is_the_same_on_all_machines_that_are_here"))
    return;
  char path[300], *first = NULL;
  int blocks = 0;
  EXPECT_STATUS(0, MAKE "amalgam && " THERE "mkdir build && ln -s \"$built/amalgam\" build/ && ln -s \"$top/tests\" .",
                folder);
  snprintf(path, sizeof path, "%s/steps", folder);
  markdown_page page = markdown_open("docs/compatibility.md");
  for (markdown_block block; markdown_next(&page, "sh", &block); blocks++) {
    if (!can_play(&block))
      continue;
    markdown_save(&block, path);
    test_process p = test_run(60, "cd '%s' && { echo 'make() { :; }' && cat steps; } | sh -e", folder);
    ck_assert_msg(p.status == 0, "%.*s%s", (int)block.length, block.code, p.err);
    ck_assert_uint_eq(p.out_size, strlen("0123456789abcdef\n"));
    if (first)
      ck_assert_msg(strcmp(p.out, first) == 0, "%.*ssays %s, not %s", (int)block.length, block.code, p.out, first);
    else
      first = strdup(p.out);
    test_process_free(&p);
  }
  free(first);
  markdown_close(&page);
  ck_assert_int_gt(blocks, 3);
}

/* }== */

/* {== The interface ======================================================= */

/* A difference is a decision: `make api RENEW=1` writes the listing anew, docs/compatibility.md says what may
   change. */
TEST(core, the_interface_is_the_one_that_is_written_down)
{
  if (!is_plain_build("the_interface_is_the_one_that_is_written_down"))
    return;
  EXPECT_STATUS(0,
                "CC='" SP_CC "' " LUA "tests/package/api.lua '" SP_BUILD_DIR "/spawnpool' >'%s/api.txt' && "
                "diff docs/api.txt '%s/api.txt'",
                folder, folder);
}

TEST(core, what_the_libraries_show_is_written_down)
{
  if (!is_plain_build("what_the_libraries_show_is_written_down"))
    return;
  EXPECT_STATUS(0,
                THERE
                "nm -D --defined-only \"$built/libspawnpool.so\" | awk '{ print $3 }' | "
                "sort >shown && sed -n '/: static inline/d; s/^\\(sp_[a-z_0-9]*\\): .*/\\1/p' \"$top/docs/api.txt\" | "
                "grep -v '^sp_script_' | sort | diff - shown",
                folder);
}

/* }== */

/* {== The version ========================================================= */

TEST(core, all_say_the_same_version)
{
  static const char *const places[] = {
      "sed -n 's/^## \\[*Unreleased\\]*: //p; s/^## \\[*\\([0-9][0-9.]*\\).*/\\1/p' CHANGELOG.md | head -n 1",
      "sed -n 's/^[.]Os \"spawnpool \\(.*\\)\"/\\1/p' docs/spawnpool.1",
      "sed -n 's/^version = \"\\(.*\\)-1\"/\\1/p' lua/*.rockspec",
      "sed -n 's/^Version: //p' '" SP_BUILD_DIR "/spawnpool.pc'",
      "sed -n 's/^Version: //p' '" SP_BUILD_DIR "/spawnpool-script.pc'",
      "'" SP_BUILD_DIR "/spawnpool' --version | sed 's/^spawnpool \\([^ ]*\\) .*/\\1/'",
      "LUA_CPATH='" SP_BUILD_DIR "/?.so' " LUA "-e 'print(require(\"spawnpool\").VERSION)'",
      "ls '" SP_BUILD_DIR "'/libspawnpool.so." SP_VERSION " | sed 's/.*[.]so[.]//'",
  };
  if (!is_plain_build("all_say_the_same_version"))
    return;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    test_process p = test_run(20, "%s", places[i]);
    ck_assert_msg(strcmp(p.out, SP_VERSION "\n") == 0, "%s\nsays %s%s", places[i], p.out, p.err);
    test_process_free(&p);
  }
  EXPECT_STATUS(0, "readelf -d '" SP_BUILD_DIR "/libspawnpool.so' | grep -F '[" SONAME "]'");
}

/* }== */

SUITE(package, &core)
