/*
** Programs that are built with CMake: with the sources inside of theirs, and with an installed copy.
*/
#include "support/markdown.h"
#include "support/shell.h"
#include "support/test.h"

#include <stdio.h>

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

static test_group cmake = {"cmake", setup, teardown, 300};

/* Copies from the page what stands in a line of its block before "# or: ", or behind it. */
static void copy_line(FILE *out, int line, bool other)
{
  markdown_page page = markdown_open("docs/install.md");
  markdown_block block;
  ck_assert(markdown_next(&page, "cmake", &block));
  const char *at = block.code;
  while (line-- > 0)
    at = strchr(at, '\n') + 1;
  const char * or = strstr(at, "# or: "), *begin = other ? or +strlen("# or: ") : at;
  fprintf(out, "%.*s\n", other ? (int)strcspn(begin, "\n") : (int)(or -begin), begin);
  markdown_close(&page);
}

/* Builds the program NAME of demo/embed as the page says. */
static void build_program(const char *name, bool installed, bool with_script, const char *options)
{
  char path[512];
  snprintf(path, sizeof path, "%s/CMakeLists.txt", folder);
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  fprintf(out, "cmake_minimum_required(VERSION 3.16)\nproject(game LANGUAGES C)\nset(CMAKE_C_STANDARD 11)\n");
  copy_line(out, 0, installed);
  fprintf(out, "add_executable(game %s.c)\ntarget_compile_definitions(game PRIVATE _POSIX_C_SOURCE=200809L)\n", name);
  if (!with_script)
    copy_line(out, 1, false);
  else {
    fprintf(out, "target_link_libraries(game PRIVATE ");
    copy_line(out, 1, true);
    fprintf(out, ")\n");
  }
  fclose(out);
  EXPECT_STATUS(0,
                "cp demo/embed/%s.c '%s' && { [ -e '%s/spawnpool' ] || ln -s \"$PWD\" '%s/spawnpool'; } && "
                "rm -rf '%s/build' && CC='" SP_CC "' cmake -S '%s' -B '%s/build' -DCMAKE_PREFIX_PATH='%s/there' %s "
                ">'%s/log' && cmake --build '%s/build' -j2 >>'%s/log'",
                name, folder, folder, folder, folder, folder, folder, folder, options, folder, folder, folder);
}

static bool is_cmake_here(const char *test)
{
  return is_plain_build(test) && is_here(test, "no cmake", "cmake --version");
}

TEST(cmake, a_program_has_the_sources_inside_of_its_own)
{
  static const char *const kinds[] = {"-DBUILD_SHARED_LIBS=OFF", "-DBUILD_SHARED_LIBS=ON"};
  if (!is_cmake_here("a_program_has_the_sources_inside_of_its_own"))
    return;
  for (int i = 0; i < 2; i++) {
    build_program("hello", false, false, kinds[i]);
    EXPECT_STATUS(0, "'%s/build/game' | grep -q stale", folder);
    EXPECT_STATUS(i ? 0 : 1, "ldd '%s/build/game' | grep -q '" SONAME "'", folder);
  }
  EXPECT_STATUS(0, "! cmake --install '%s/build' --prefix '%s/there' 2>&1 | grep -q spawnpool", folder, folder);
}

TEST(cmake, a_program_finds_what_was_installed)
{
  if (!is_cmake_here("a_program_finds_what_was_installed"))
    return;
  EXPECT_STATUS(0,
                "CC='" SP_CC
                "' cmake -S . -B '%s/own' -DSPAWNPOOL_SCRIPT=ON -DCMAKE_INSTALL_PREFIX='%s/there' >/dev/null "
                "&& cmake --build '%s/own' -j2 >/dev/null && cmake --install '%s/own' >/dev/null",
                folder, folder, folder, folder);
  build_program("hello", true, false, "");
  EXPECT_STATUS(0, "'%s/build/game' | grep -q stale", folder);
  build_program("headless", true, true, "");
  EXPECT_STATUS(0, "'%s/build/game' demo/embed/headless </dev/null", folder);
  EXPECT_STATUS(1, "grep -r \"$PWD\" '%s/there/lib/cmake'", folder);
}

/* The two ways to build it make the same libraries: the same calls, and the same Lua side. */
TEST(cmake, it_has_the_calls_of_the_makefile)
{
  if (!is_cmake_here("it_has_the_calls_of_the_makefile"))
    return;
  EXPECT_STATUS(0,
                "CC='" SP_CC "' cmake -S . -B '%s/own' -DSPAWNPOOL_SCRIPT=ON -DBUILD_SHARED_LIBS=ON >/dev/null && "
                "cmake --build '%s/own' -j2 >/dev/null",
                folder, folder);
  EXPECT_STATUS(0,
                "names() { nm \"$@\" | awk 'NF > 2 && $(NF - 1) ~ /[TDR]/ { print $NF }' | sort; } && cd '%s' && "
                "names -D own/libspawnpool.so >a && names -D \"$OLDPWD/" SP_BUILD_DIR
                "/libspawnpool.so\" | diff a - && "
                "names own/libspawnpool_script.a >a && names \"$OLDPWD/" SP_BUILD_DIR "/libspawnpool_script.a\" | "
                "diff a - && grep -q spawnpool.reloading own/libspawnpool_script.a",
                folder);
}

SUITE(cmake, &cmake)
