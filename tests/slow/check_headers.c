/*
** Every header compiles alone, and the public headers compile in every dialect of C and C++ that the compilers here
** have.
*/
#include "support/shell.h"

#define HEADER_FLAGS " -fsyntax-only -Wall -Wextra -Werror -Wno-unused-function -Isrc -I" SP_BUILD_DIR "/include -I. "

/* Shell: the headers of a folder that no source includes first; the others are compiled alone with their source. A
   command follows that compiles them. */
#define HEADERS_LEFT(folder, prefix)                                                                                   \
  "set --; for h in " folder "*.h; do n=${h#" prefix "}; grep -m1 '^ *# *include' ${h%%.h}.c 2>/dev/null | "           \
  "grep -qF \"\\\"$n\\\"\" || set -- $@ $h; done; [ $# = 0 ] || "

static test_group tcase = {"compiled"};

TEST(tcase, every_header_compiles_alone)
{
  EXPECT_NOTHING(HEADERS_LEFT("src/core/", "src/") SP_CC " -std=c11" HEADER_FLAGS "-x c $@");
  EXPECT_NOTHING(HEADERS_LEFT("src/script/*/", "src/") SP_CC " -std=c11 -D_POSIX_C_SOURCE=200809L" HEADER_FLAGS
                                                             "%s -x c $@",
                 SP_LUA_CFLAGS);
  EXPECT_NOTHING(HEADERS_LEFT("demo/*/", "") SP_CC " -std=c11 -D_POSIX_C_SOURCE=200809L" HEADER_FLAGS "%s %s -x c $@",
                 SP_LUA_CFLAGS, SP_SDL_CFLAGS);
}

/* In every dialect that a program may be written in, by every compiler that is here. */
TEST(tcase, the_public_headers_are_also_cpp)
{
  static const char *const dialects[][2] = {
      {SP_CC, "c -std=c11"},   {SP_CC, "c -std=gnu17"},       {SP_CXX, "c++ -std=c++17"},   {SP_CXX, "c++ -std=c++20"},
      {"clang", "c -std=c11"}, {"clang++", "c++ -std=c++17"}, {"clang++", "c++ -std=c++20"}};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
    const char *compiler = dialects[i][0], *dialect = dialects[i][1];
    test_process probe = test_run(10, "echo | %s -fsyntax-only -x %s -", compiler, dialect);
    if (probe.status != 0)
      test_skip("the_public_headers_are_also_cpp", compiler);
    else
      EXPECT_NOTHING(
          "echo '#include <spawnpool_script.h>' | %s -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -pedantic "
          "-Werror -I%s/include -x %s -",
          compiler, SP_BUILD_DIR, dialect);
    test_process_free(&probe);
  }
}

SUITE(headers, &tcase)
