/*
** The house from outside: a change of a header, of a flag or of the list of files is rebuilt; what is installed works
** for a C program, a C++ program and a stock Lua; uninstall leaves nothing.
*/
#include "core/spawnpool.h"
#include "support/process.h"

#include <check.h>
#include <string.h>

static char folder[256];

/* A plain build is what gets installed; and these tests run whole compilers, which a tool would only slow down. */
static bool is_plain_build(const char *test)
{
  bool plain = strcmp(test_tool(), "") == 0;
  if (!plain)
    test_skip(test, "only on a plain build");
  return plain;
}

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* Runs a command line that must exit with `status`; what it printed is shown otherwise. */
#define EXPECT_STATUS(expected, ...)                                                                                   \
  do {                                                                                                                 \
    test_process process = test_run(60, __VA_ARGS__);                                                                  \
    ck_assert_msg(process.status == (expected), "exit status %d\n%s%s", process.status, process.out, process.err);     \
    test_process_free(&process);                                                                                       \
  } while (0)

/* {== Rebuild ============================================================ */

#define MAKE_COPY "env -u MAKEFLAGS make BUILD=build -C '%s' WERROR= CC='" SP_CC "' CFLAGS=-O0 "
#define CORE "build/libspawnpool.a"

static void expect_rebuild(const char *what)
{
  EXPECT_STATUS(1, MAKE_COPY "-q " CORE, folder);
  EXPECT_STATUS(0, "%s && " MAKE_COPY CORE " && " MAKE_COPY "-q " CORE, what, folder, folder);
}

START_TEST(what_changes_is_built_again_and_nothing_else)
{
  if (!is_plain_build("what_changes_is_built_again_and_nothing_else"))
    return;
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

  EXPECT_STATUS(
      0,
      "mv '%s/src/core/idle.h' '%s/src/core/resting.h' && sed -i.old 's/idle[.]h\"/resting.h\"/' '%s'/src/core/*.[ch]",
      folder, folder, folder);
  expect_rebuild("true"); /* a header that is gone does not stop the build */
}
END_TEST

START_TEST(the_lua_side_is_embedded_byte_for_byte)
{
  if (!is_plain_build("the_lua_side_is_embedded_byte_for_byte"))
    return;
  EXPECT_STATUS(
      0,
      "cp -R Makefile src '%s' && cd '%s' && mkdir -p lua/spawnpool && : >lua/spawnpool/empty.lua && "
      "printf 'return \"\\001\\377\\\\n\\303\\251\"' >lua/spawnpool/bytes.lua && echo >lua/spawnpool/meta.lua && "
      "awk 'BEGIN { for (i = 0; i < 3000; i++) print \"-- the same line\" }' >lua/spawnpool/long.lua",
      folder, folder);
  EXPECT_STATUS(0,
                "cat >'%s/dump.c' <<'END'\n"
                "#include \"script/lua_sources.h\"\n"
                "#include <stdio.h>\n"
                "int main(void) { for (const sp_lua_source *s = sp_lua_sources; s->name; s++) {\n"
                "  FILE *f = fopen(s->name, \"wb\"); fwrite(s->data, 1, s->size, f); fclose(f); puts(s->name); } }\n"
                "END\n",
                folder);
  EXPECT_STATUS(0,
                "cd '%s' && env -u MAKEFLAGS make BUILD=build -s build/gen/lua_sources.c && " SP_CC
                " -Isrc -o dump dump.c build/gen/lua_sources.c",
                folder);
  EXPECT_STATUS(
      0,
      "cd '%s' && test \"$(./dump | sort | tr '\\n' ' ')\" = 'spawnpool.bytes spawnpool.empty spawnpool.long ' && "
      "for n in bytes empty long; do cmp lua/spawnpool/$n.lua spawnpool.$n || exit 1; done",
      folder);
}
END_TEST

/* }== */

/* {== Install ============================================================ */

#define INSTALL "make -s BUILD='" SP_BUILD_DIR "' DESTDIR='%s/stage' "
#define AT "'%s/stage/usr/local"

static void install(void) { EXPECT_STATUS(0, INSTALL "install-files", folder); }

/* A program outside the tree, built with what pkg-config says; `language` is "c" or "c++". */
static void expect_program(const char *compiler, const char *language)
{
  EXPECT_STATUS(
      0,
      "cat >'%s/program' <<'END'\n"
      "#include <spawnpool.h>\n"
      "int main(void) { sp_result why; sp_manager *m = sp_open(0, &why); sp_pool_desc d = sp_pool_defaults(\"A\");\n"
      "  sp_pool *p = sp_pool_open(m, &d, &why); sp_ref a = sp_alloc(p, 1.0, &why); sp_update(m, 2.0);\n"
      "  return a != 0 && !sp_is_live(m, a) && sp_close(m) == SP_OK ? 0 : 1; }\n"
      "END\n",
      folder);
  EXPECT_STATUS(0,
                "export PKG_CONFIG_SYSROOT_DIR='%s/stage' PKG_CONFIG_PATH=" AT "/lib/pkgconfig'; cd '%s' && "
                "%s -x %s $(pkg-config --cflags spawnpool) program -x none -o shared $(pkg-config --libs spawnpool) && "
                "LD_LIBRARY_PATH=" AT "/lib' ./shared && "
                "%s -x %s $(pkg-config --cflags spawnpool) program -x none -o static " AT
                "/lib/libspawnpool.a' -lm && ./static",
                folder, folder, folder, compiler, language, folder, compiler, language, folder);
}

START_TEST(programs_in_c_and_cpp_use_what_is_installed)
{
  if (!is_plain_build("programs_in_c_and_cpp_use_what_is_installed"))
    return;
  install();
  expect_program(SP_CC, "c");
  test_process probe = test_run(10, "echo | " SP_CXX " -fsyntax-only -x c++ -");
  if (probe.status == 0)
    expect_program(SP_CXX, "c++");
  else
    test_skip("programs_in_c_and_cpp_use_what_is_installed", "no C++ compiler");
  test_process_free(&probe);
}
END_TEST

START_TEST(a_stock_lua_requires_what_is_installed)
{
  if (!is_plain_build("a_stock_lua_requires_what_is_installed"))
    return;
  install();
  EXPECT_STATUS(0,
                "cd '%s' && lua=$(command -v lua5.4 || command -v lua) && LUA_CPATH=" AT "/lib/lua/5.4/?.so' "
                "LUA_PATH=" AT "/share/lua/5.4/?.lua;stage/usr/local/share/lua/5.4/?/init.lua' "
                "$lua -W -e 'local s = require \"spawnpool\"; assert(s.VERSION == \"" SP_VERSION "\"); "
                "local o = s.pools:alloc(\"A\", 1); assert(o.alive); s.pools:update(2); assert(not o.alive)'",
                folder, folder, folder);
}
END_TEST

START_TEST(the_player_runs_where_it_is_installed)
{
  if (!is_plain_build("the_player_runs_where_it_is_installed"))
    return;
  install();
  EXPECT_STATUS(0, "cd / && " AT "/bin/spawnpool' --version | grep -qF " SP_VERSION, folder);
}
END_TEST

START_TEST(uninstall_leaves_nothing_but_what_is_not_ours)
{
  if (!is_plain_build("uninstall_leaves_nothing_but_what_is_not_ours"))
    return;
  install();
  EXPECT_STATUS(
      0,
      "cd " AT "' && test -x bin/spawnpool && test -f include/spawnpool.h && test -f lib/libspawnpool.a && "
      "test -e lib/libspawnpool.so && test -e lib/libspawnpool.so.0 && test -f lib/pkgconfig/spawnpool.pc && "
      "test -f lib/lua/5.4/spawnpool.so && test -d share/lua/5.4/spawnpool && test -d share/spawnpool/scripts && "
      "touch share/spawnpool/mine",
      folder);
  EXPECT_STATUS(0, INSTALL "uninstall", folder);
  test_process left = test_run(10, "cd '%s/stage' && find . -not -type d", folder);
  ck_assert_str_eq(left.out, "./usr/local/share/spawnpool/mine\n");
  test_process_free(&left);
  EXPECT_STATUS(0, "rm " AT "/share/spawnpool/mine' && " INSTALL "uninstall && ! test -e " AT "/share/spawnpool'",
                folder, folder, folder);
}
END_TEST

/* }== */

/* {== Dependencies ======================================================= */

/* A PATH with nothing of what the build needs, and no apt-get. */
#define BARE                                                                                                           \
  "mkdir '%s/bin' && for tool in sh awk grep find id dirname mkdir; do ln -s \"$(command -v $tool)\" '%s/bin/'; done " \
  "&& "                                                                                                                \
  "PATH='%s/bin' BUILD='%s' CC=none sh tests/support/deps.sh "

START_TEST(without_a_package_manager_the_names_are_printed)
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
END_TEST

START_TEST(a_second_look_at_the_dependencies_is_cheap)
{
  EXPECT_STATUS(0, "BUILD='%s' sh tests/support/deps.sh demo", folder);
  EXPECT_STATUS(0, "test -f '%s/stamp/deps-demo'", folder);
  test_process p = test_run(10, "BUILD='%s' sh tests/support/deps.sh demo", folder);
  ck_assert_int_eq(p.status, 0);
  ck_assert_str_eq(p.out, "");
  ck_assert_double_lt(p.seconds, 1.0); /* milliseconds, on a machine with nothing else to do */
  test_process_free(&p);
}
END_TEST

/* }== */

Suite *sp_suite_build(void)
{
  Suite *suite = suite_create("build");
  TCase *rebuild = tcase_create("rebuild"), *installed = tcase_create("install"), *deps = tcase_create("dependencies");
  tcase_add_test(rebuild, what_changes_is_built_again_and_nothing_else);
  tcase_add_test(rebuild, the_lua_side_is_embedded_byte_for_byte);
  tcase_add_test(installed, programs_in_c_and_cpp_use_what_is_installed);
  tcase_add_test(installed, a_stock_lua_requires_what_is_installed);
  tcase_add_test(installed, the_player_runs_where_it_is_installed);
  tcase_add_test(installed, uninstall_leaves_nothing_but_what_is_not_ours);
  tcase_add_test(deps, without_a_package_manager_the_names_are_printed);
  tcase_add_test(deps, a_second_look_at_the_dependencies_is_cheap);
  tcase_add_checked_fixture(deps, setup, teardown);
  tcase_add_checked_fixture(rebuild, setup, teardown);
  tcase_add_checked_fixture(installed, setup, teardown);
  tcase_set_timeout(rebuild, 120);
  tcase_set_timeout(installed, 60);
  suite_add_tcase(suite, deps);
  suite_add_tcase(suite, rebuild);
  suite_add_tcase(suite, installed);
  return suite;
}
