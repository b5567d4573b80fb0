/*
** The house from outside: a change of a header, of a flag or of the list of files is rebuilt; what it needs is found or
** named.
*/
#include "support/shell.h"
#include "support/test.h"

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* {== Rebuild ============================================================ */

#define MAKE_COPY "env -u MAKEFLAGS make BUILD=build -C '%s' WERROR= CC='" SP_CC "' CFLAGS=-O0 "
#define CORE "build/libspawnpool.a"

static void expect_rebuild(const char *what)
{
  EXPECT_STATUS(1, MAKE_COPY "-q " CORE, folder);
  EXPECT_STATUS(0, "%s && " MAKE_COPY CORE " && " MAKE_COPY "-q " CORE, what, folder, folder);
}

static test_group rebuild = {"rebuild", setup, teardown, 600};
static test_group deps = {"dependencies", setup, teardown};

PLAIN_TEST(rebuild, what_changes_is_built_again_and_nothing_else)
{
  EXPECT_STATUS(0, "cp -R Makefile src '%s' && " MAKE_COPY CORE, folder, folder);
  EXPECT_STATUS(0, MAKE_COPY "-q " CORE, folder);

  EXPECT_STATUS(0, "touch -t 203501010000 '%s/src/core/spawnpool.h'", folder);
  EXPECT_STATUS(0, MAKE_COPY "-n " CORE " | grep -q 'obj/src/core/pool.o'", folder);
  EXPECT_STATUS(0, "touch '%s/src/core/spawnpool.h'", folder);

  EXPECT_STATUS(1, MAKE_COPY "CFLAGS=-O1 -q " CORE, folder);
  EXPECT_STATUS(1, MAKE_COPY "CC=other-cc -q " CORE, folder);

  EXPECT_STATUS(0, "echo 'extern const int extra; const int extra = 1;' >'%s/src/core/extra.c'", folder);
  expect_rebuild("true");
  EXPECT_STATUS(0, "nm '%s/" CORE "' | grep -q extra", folder);
  EXPECT_STATUS(0, "rm '%s/src/core/extra.c'", folder);
  expect_rebuild("true");
  EXPECT_STATUS(1, "nm '%s/" CORE "' | grep -q extra", folder);

  EXPECT_STATUS(0,
                "mv '%s/src/core/rings.h' '%s/src/core/resting.h' && sed -i.old 's/rings[.]h\"/resting.h\"/' "
                "'%s'/src/core/*.[ch]",
                folder, folder, folder);
  expect_rebuild("true"); /* a header that is gone does not stop the build */
}

PLAIN_TEST(rebuild, the_lua_side_is_embedded_byte_for_byte)
{
  EXPECT_STATUS(
      0,
      "cp -R Makefile src '%s' && cd '%s' && mkdir -p lua/spawnpool && : >lua/spawnpool/empty.lua && "
      "printf 'return \"\\001\\377\\\\n\\303\\251\"' >lua/spawnpool/bytes.lua && echo >lua/spawnpool/meta.lua && "
      "awk 'BEGIN { for (i = 0; i < 3000; i++) print \"-- the same line\" }' >lua/spawnpool/long.lua",
      folder, folder);
  EXPECT_STATUS(0,
                "cat >'%s/dump.c' <<'END'\n"
                "#include \"script/state/context.h\"\n"
                "#include <stdio.h>\n"
                "int main(void) { for (const sp_lua_source *s = sp_lua_sources; s->name; s++) {\n"
                "  FILE *f = fopen(s->name, \"wb\"); fwrite(s->data, 1, s->size, f); fclose(f); puts(s->name); } }\n"
                "END\n",
                folder);
  EXPECT_STATUS(
      0,
      "cd '%s' && env -u MAKEFLAGS make BUILD=build -s build/gen/lua_sources.c build/include/spawnpool.h && " SP_CC
      " " SP_LUA_CFLAGS " -Isrc -Ibuild/include -o dump dump.c build/gen/lua_sources.c",
      folder);
  EXPECT_STATUS(
      0,
      "cd '%s' && test \"$(./dump | sort | tr '\\n' ' ')\" = 'spawnpool.bytes spawnpool.empty spawnpool.long ' && "
      "for n in bytes empty long; do cmp lua/spawnpool/$n.lua spawnpool.$n || exit 1; done",
      folder);
}

/* }== */

/* {== Dependencies ======================================================= */

/* A PATH with nothing of what the build needs, and no apt-get. */
#define BARE                                                                                                           \
  "mkdir '%s/bin' && for tool in sh awk grep find id dirname mkdir; do ln -s \"$(command -v $tool)\" '%s/bin/'; done " \
  "&& "                                                                                                                \
  "PATH='%s/bin' BUILD='%s' CC=none sh tests/support/deps.sh "

TEST(deps, without_a_package_manager_the_names_are_printed)
{
  test_process p = test_run(10, BARE "demo", folder, folder, folder, folder);
  ck_assert_int_eq(p.status, 2);
  static const char *const names[] = {"Debian, Ubuntu", "libsdl2-dev", "liblua5.4-dev", "Fedora",
                                      "SDL2-devel",     "Arch",        "sdl2_ttf",      "Alpine",
                                      "lua5.4-dev",     "Homebrew",    "make demo"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ck_assert_msg(strstr(p.err, names[i]) != NULL, "no %s in: %s", names[i], p.err);
  ck_assert_str_eq(p.out, "");
  test_process_free(&p);
}

/* Some names have a '+' of their own. */
TEST(deps, the_names_are_those_of_packages)
{
  test_process p = test_run(10, BARE "bench", folder, folder, folder, folder);
  ck_assert_int_eq(p.status, 2);
  ck_assert_msg(strstr(p.err, " lua5.4 liblua5.4-dev ") && strstr(p.err, " g++ ") && strstr(p.err, " gcc-c++ "), "%s",
                p.err);
  test_process_free(&p);
}

/* A package manager that only notes that it was called. */
TEST(deps, what_is_installed_is_said_first_and_can_be_refused)
{
  static const char prepare[] = "mkdir '%s/bin'; printf '#!/bin/sh\\necho called' >'%s/bin/apt-get'; "
                                "printf '#!/bin/sh\\n\"$@\"' >'%s/bin/sudo'; chmod +x '%s'/bin/*";
  EXPECT_STATUS(0, prepare, folder, folder, folder, folder);
  for (int refused = 0; refused < 2; refused++) {
    test_process p = test_run(30, "PATH='%s/bin':\"$PATH\" CC=none DEPS=%s BUILD='%s' sh tests/support/deps.sh demo",
                              folder, refused ? "no" : "yes", folder);
    const char *said = strstr(p.out, "apt-get installs libc6-dev "), *called = strstr(p.out, "called");
    ck_assert_int_eq(p.status, 2);
    ck_assert_msg(refused ? !said && !called : said && called && said < called, "%s", p.out);
    test_process_free(&p);
  }
}

TEST(deps, a_second_look_at_the_dependencies_is_cheap)
{
  EXPECT_STATUS(0, "BUILD='%s' sh tests/support/deps.sh demo", folder);
  EXPECT_STATUS(0, "test -f '%s/stamp/deps-demo'", folder);
  test_process p = test_run(10, "BUILD='%s' sh tests/support/deps.sh demo", folder);
  ck_assert_int_eq(p.status, 0);
  ck_assert_str_eq(p.out, "");
  ck_assert_double_lt(p.seconds, 1.0); /* milliseconds, on a machine with nothing else to do */
  test_process_free(&p);
}

/* }== */

SUITE(build, &rebuild, &deps)
