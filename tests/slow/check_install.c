/*
** What `make install` puts there works for those who have nothing else: programs in C and C++, a host of scripts, a
** stock Lua, the player in any folder. `make uninstall` leaves what is not ours.
*/
#include "support/markdown.h"
#include "support/shell.h"
#include "support/test.h"

#include <stdio.h>

#define MAKE "make -s BUILD='" SP_BUILD_DIR "' "
#define INSTALLED "export PKG_CONFIG_PATH=\"$PWD/local/lib/pkgconfig:$PKG_CONFIG_PATH\"; "

static char folder[256];

static void setup(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  if (strcmp(test_tool(), "") == 0)
    EXPECT_STATUS(0, MAKE "install-files PREFIX='%s/local'", folder);
}

static void teardown(void) { test_folder_remove(folder); }

/* {== Programs ============================================================ */

static const char core_program[] =
    "#include <spawnpool.h>\n"
    "int main(void) { sp_result why; sp_manager *m = sp_open(0, &why); sp_pool_desc d = {.type = \"A\", .spatial = "
    "true};\n"
    "  sp_pool *p = sp_add_pool(m, &d, &why); sp_ref a = sp_pool_alloc(p, 1.0, &why); sp_update(m, 2.0);\n"
    "  return a != 0 && !sp_is_live(m, a) && sp_close(m) == SP_OK ? 0 : 1; }\n";

/* A host, which also opens the library in a state of its own. */
static const char script_program[] =
    "#include <spawnpool.h>\n"
    "#include <spawnpool_script.h>\n"
    "#ifdef __cplusplus\n#include <lua.hpp>\n#else\n#include <lauxlib.h>\n#include <lualib.h>\n#endif\n"
    "int main(void) { char error[99]; sp_script_options o = sp_script_options(); o.path = \"game\";\n"
    "  sp_script *s = sp_script_open(&o, error, sizeof error); if (!s || !sp_script_start(s, 0, 0)) return 1;\n"
    "  sp_script_update(s, 1.5); if (sp_pool_live(sp_find_pool(sp_script_pools(s), \"A\")) != 1) return 2;\n"
    "  sp_script_close(s);\n"
    "  lua_State *L = luaL_newstate(); luaL_openlibs(L); luaL_requiref(L, \"spawnpool\", luaopen_spawnpool, 1);\n"
    "  int bad = luaL_dostring(L, \"assert(spawnpool.VERSION == '" SP_VERSION "')\"); lua_close(L); return bad; }\n";

static void write_file(const char *name, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  ck_assert_int_ge(fputs(text, out), 0);
  ck_assert_int_eq(fclose(out), 0);
}

/* Builds and runs `program` with what pkg-config says of `package`; `language` is "c" or "c++". */
static void expect_program(const char *compiler, const char *language, const char *package, const char *how)
{
  EXPECT_STATUS(0,
                "cd '%s'; " INSTALLED "%s -Wall -Werror -x %s $(pkg-config --cflags %s) program -x none -o built %s && "
                "LD_LIBRARY_PATH=\"$PWD/local/lib\" ./built",
                folder, compiler, language, package, how);
}

static bool has_cpp(const char *test)
{
  return is_here(test, "no C++ compiler", "echo '#include <vector>' | " SP_CXX " -fsyntax-only -x c++ -");
}

#define SHARED "$(pkg-config --libs spawnpool)"
#define STATIC "local/lib/libspawnpool.a -lm"

static test_group programs = {"programs", setup, teardown, 60, .once = true};

TEST(programs, programs_in_c_and_cpp_use_the_core)
{
  if (!is_plain_build("programs_in_c_and_cpp_use_the_core"))
    return;
  write_file("program", core_program);
  expect_program(SP_CC, "c", "spawnpool", SHARED);
  EXPECT_STATUS(0, "cd '%s' && readelf -d built | grep 'NEEDED' | grep -qF '[" SONAME "]'", folder);
  expect_program(SP_CC, "c", "spawnpool", STATIC);
  if (has_cpp("programs_in_c_and_cpp_use_the_core")) {
    expect_program(SP_CXX, "c++", "spawnpool", SHARED);
    expect_program(SP_CXX, "c++", "spawnpool", STATIC);
  }
  if (is_here("programs_in_c_and_cpp_use_the_core", "no static C library",
              "echo 'int main(void) { return 0; }' | " SP_CC " -static -x c -o /dev/null -"))
    expect_program(SP_CC " -static", "c", "spawnpool", "$(pkg-config --libs --static spawnpool)");
}

TEST(programs, hosts_of_scripts_need_the_script_library_alone)
{
  static const char libs[] = "$(pkg-config --libs spawnpool-script)";
  if (!is_plain_build("hosts_of_scripts_need_the_script_library_alone"))
    return;
  EXPECT_STATUS(0, "mkdir '%s/game'", folder);
  write_file("game/main.lua", "local pools <const> = require('spawnpool').pools\n"
                              "pools:alloc('A', 1) pools:alloc('A', 2) return {}\n");
  write_file("program", script_program);
  expect_program(SP_CC " -D'sp_script_options()={0}'", "c", "spawnpool-script", libs);
  EXPECT_STATUS(1, "cd '%s' && readelf -d built | grep 'NEEDED.*\\(SDL\\|spawnpool\\)'", folder);
  /* Asked for both, a program has one core. */
  expect_program(SP_CC " -D'sp_script_options()={0}'", "c", "spawnpool-script",
                 "$(pkg-config --libs spawnpool spawnpool-script)");
  if (has_cpp("hosts_of_scripts_need_the_script_library_alone"))
    expect_program(SP_CXX, "c++", "spawnpool-script", libs);
}

/* Another version may be in the process: names of it are to be seen before those of the module. */
TEST(programs, the_module_calls_its_own_functions)
{
  if (!is_plain_build("the_module_calls_its_own_functions"))
    return;
  write_file("program",
             "#include <lauxlib.h>\n#include <lualib.h>\n#include <stdlib.h>\n"
             "void sp_open(void); void sp_pool_alloc_at(void); void sp_recycle(void); void sp_pool_tune(void);\n"
             "void sp_open(void) { abort(); }\nvoid sp_pool_alloc_at(void) { abort(); }\n"
             "void sp_recycle(void) { abort(); }\nvoid sp_pool_tune(void) { abort(); }\n"
             "int main(void) { lua_State *L = luaL_newstate(); luaL_openlibs(L); return luaL_dostring(L,\n"
             "  \"package.cpath = 'local/lib/lua/5.4/?.so' local pools = require('spawnpool').pools\"\n"
             "  \" assert(pools:recycle(pools:alloc('A', 0, 1, 2)))\"); }\n");
  EXPECT_STATUS(0,
                "cd '%s' && " INSTALLED SP_CC
                " -rdynamic $(pkg-config --cflags spawnpool-script) -x c program -x none -o built "
                "$(pkg-config --libs spawnpool-script | sed 's/-lspawnpool_script//') && ./built",
                folder);
  EXPECT_STATUS(0, "cd '%s' && nm -D --defined-only built | grep -q ' T sp_pool_alloc_at$'", folder);
}

TEST(programs, libraries_show_their_own_names_only)
{
  if (!is_plain_build("libraries_show_their_own_names_only"))
    return;
  EXPECT_STATUS(0,
                "cd '%s/local/lib' && nm -D --defined-only libspawnpool.so >so && grep -q ' T sp_pool_alloc$' so && "
                "! grep -v ' T sp_[a-z0-9_]*$' so && readelf -d libspawnpool.so | grep -qF 'soname: [" SONAME "]' && "
                "nm -g --defined-only *.a | grep -E '^[0-9a-f]+ [A-Z] ' >a && grep -q ' T sp_script_open$' a && "
                "! grep -vE ' [A-Z] (sp_[a-z0-9_]+|luaopen_spawnpool(_reload)?)$' a",
                folder);
}

/* }== */

/* {== Lua and the player ================================================== */

#define LUA                                                                                                            \
  "cd '%s' && LUA_CPATH='local/lib/lua/5.4/?.so' "                                                                     \
  "LUA_PATH='local/share/lua/5.4/?.lua;local/share/lua/5.4/?/init.lua' "                                               \
  "$(command -v lua5.4 || command -v lua) -W "

TEST(programs, a_stock_lua_requires_the_module)
{
  if (!is_plain_build("a_stock_lua_requires_the_module"))
    return;
  EXPECT_STATUS(0,
                LUA "-e 'local s = require \"spawnpool\"; assert(s.VERSION == \"" SP_VERSION "\"); "
                    "local o = s.pools:alloc(\"A\", 1); assert(o.alive); s.pools:update(2); assert(not o.alive)' "
                    "-e 'assert(require(\"spawnpool.reload\").now)'",
                folder);
}

TEST(programs, the_player_runs_in_any_folder_and_finds_its_games)
{
  if (!is_plain_build("the_player_runs_in_any_folder_and_finds_its_games"))
    return;
  EXPECT_STATUS(0, "cd / && '%s/local/bin/spawnpool' --version | grep -qF '" SP_VERSION "'", folder);
  EXPECT_STATUS(0, "cd / && '%s/local/bin/spawnpool' --headless --frames 3 '%s/local/share/spawnpool/scripts/shooter'",
                folder, folder);
  EXPECT_STATUS(0, "cd / && '%s/local/bin/spawnpool' --headless --frames 3 shooter", folder);
  EXPECT_STATUS(0, "cd '%s' && PATH=\"$PWD/local/bin:$PATH\" && spawnpool init new && spawnpool --check new", folder);
  /* What lies here comes first; what is nowhere is called by its name. */
  EXPECT_STATUS(0,
                "cd '%s' && mkdir shooter && echo 'print \"mine\" return {}' >shooter/main.lua && "
                "test \"$(local/bin/spawnpool --headless --frames 1 shooter)\" = mine && rm -r shooter",
                folder);
  test_process p = test_run(20, "cd / && '%s/local/bin/spawnpool' no-such-game", folder);
  ck_assert_int_eq(p.status, 2);
  ck_assert_str_eq(p.err, "spawnpool: no-such-game: no such file or folder\n");
  test_process_free(&p);
  p = test_run(20, "cd / && '%s/local/bin/spawnpool' shoter", folder);
  ck_assert_int_eq(p.status, 2);
  ck_assert_str_eq(p.err, "spawnpool: shoter: no such file or folder; did you mean 'shooter'?\n");
  test_process_free(&p);
}

/* }== */

/* {== Places ============================================================== */

TEST(programs, another_prefix_needs_no_other_build)
{
  if (!is_plain_build("another_prefix_needs_no_other_build"))
    return;
  /* Where it goes has a space in its name. */
  EXPECT_STATUS(0,
                MAKE "-n all | grep -E '[.](c|o|a) |[.]so' >'%s/here'; " MAKE "-n PREFIX='%s/my games' all | "
                     "grep -E '[.](c|o|a) |[.]so' | diff '%s/here' -",
                folder, folder, folder);
  EXPECT_STATUS(0, MAKE "install-files PREFIX='%s/my games'", folder);
  write_file("program", core_program);
  EXPECT_STATUS(0,
                "cd '%s' && export PKG_CONFIG_PATH=\"$PWD/my games/lib/pkgconfig\" && eval " SP_CC
                " -x c $(pkg-config --cflags spawnpool) program -x none -o built $(pkg-config --libs spawnpool) && "
                "LD_LIBRARY_PATH=\"$PWD/my games/lib\" ./built && 'my games/bin/spawnpool' --check cubes",
                folder);
  EXPECT_STATUS(0, MAKE "uninstall PREFIX='%s/my games' && cd '%s' && test -z \"$(find 'my games' -not -type d)\"",
                folder, folder);
}

TEST(programs, the_core_is_built_and_installed_without_lua_and_sdl)
{
  if (!is_plain_build("the_core_is_built_and_installed_without_lua_and_sdl"))
    return;
  /* Here is no library that pkg-config knows; then there is Lua. */
  EXPECT_STATUS(0, "mkdir '%s/pc' && PKG_CONFIG_LIBDIR='%s/pc' make -s -n BUILD='%s/b' core >/dev/null", folder, folder,
                folder);
  EXPECT_STATUS(2, "PKG_CONFIG_LIBDIR='%s/pc' make -s -n BUILD='%s/b' script >/dev/null", folder, folder);
  EXPECT_STATUS(0,
                "printf 'Name: lua5.4\nDescription: Lua\nVersion: 5.4.6\nLibs: -llua5.4\n' >'%s/pc/lua5.4.pc' && "
                "PKG_CONFIG_LIBDIR='%s/pc' make -s -n BUILD='%s/b' script >/dev/null",
                folder, folder, folder);
  EXPECT_STATUS(0, MAKE "install-core DESTDIR='%s/core'", folder);
  test_process p = test_run(10, "cd '%s/core/usr/local' && find . -not -type d | sort", folder);
  ck_assert_str_eq(p.out, "./include/spawnpool.h\n./include/spawnpool_inline.h\n./include/spawnpool_tasks.h\n"
                          "./lib/libspawnpool.a\n./lib/libspawnpool.so\n./lib/" SONAME
                          "\n./lib/libspawnpool.so." SP_VERSION "\n./lib/pkgconfig/spawnpool.pc\n");
  test_process_free(&p);
}

TEST(programs, a_prefix_that_is_no_whole_path_is_refused)
{
  if (!is_plain_build("a_prefix_that_is_no_whole_path_is_refused"))
    return;
  EXPECT_STATUS(2, MAKE "install-core PREFIX='~/x' 2>'%s/said'", folder);
  EXPECT_STATUS(0, "grep -q \"PREFIX must begin with /, and is '~/x'\" '%s/said' && ! test -e './~'", folder);
}

#define STAGE MAKE "DESTDIR='%s/a stage' "

TEST(programs, uninstall_leaves_nothing_but_what_is_not_ours)
{
  if (!is_plain_build("uninstall_leaves_nothing_but_what_is_not_ours"))
    return;
  EXPECT_STATUS(0, STAGE "install-files", folder);
  EXPECT_STATUS(
      0,
      "cd '%s/a stage/usr/local' && test -x bin/spawnpool && test -f include/spawnpool.h && test -f "
      "include/spawnpool_inline.h && "
      "test -f include/spawnpool_script.h && test -f lib/libspawnpool.a && test -f lib/libspawnpool_script.a && "
      "test -e lib/libspawnpool.so && test -e lib/" SONAME " && test -f lib/pkgconfig/spawnpool.pc && "
      "test -f lib/pkgconfig/spawnpool-script.pc && test -f lib/lua/5.4/spawnpool.so && "
      "test -d share/lua/5.4/spawnpool && test -d share/spawnpool/scripts && "
      "test -f share/spawnpool/docs/guide.md && test -f share/man/man1/spawnpool.1 && "
      "test -f share/bash-completion/completions/spawnpool && test -f share/zsh/site-functions/_spawnpool && "
      "touch share/spawnpool/mine lib/mine",
      folder);
  EXPECT_STATUS(0, STAGE "uninstall", folder);
  test_process left = test_run(10, "cd '%s/a stage' && find . -not -type d | sort", folder);
  ck_assert_str_eq(left.out, "./usr/local/lib/mine\n./usr/local/share/spawnpool/mine\n");
  test_process_free(&left);
  EXPECT_STATUS(0, "cd '%s/a stage/usr/local/share' && rm spawnpool/mine", folder);
  EXPECT_STATUS(0, STAGE "uninstall && ! test -e '%s/a stage/usr/local/share/spawnpool'", folder, folder);
}

/* }== */

/* {== The page ============================================================ */

/* Its blocks run one after the other in one shell, in a copy of the tree. What was built is built: `make
   install` would look whether it is, with flags that may not be those of this build. luarocks has a test of its own. */
TEST(programs, the_page_of_installing_says_what_works)
{
  if (!is_plain_build("the_page_of_installing_says_what_works"))
    return;
  char path[512];
  snprintf(path, sizeof path, "%s/steps", folder);
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  fprintf(out,
          "set -e\ncc() { command " SP_CC " \"$@\"; }\nluarocks() { :; }\n"
          "make() { [ \"$1\" != install ] || { shift; set -- install-files \"$@\"; }; command make -s \"$@\"; }\n");
  markdown_page page = markdown_open("docs/install.md");
  int blocks = 0;
  for (markdown_block block; markdown_next(&page, "sh", &block); blocks++)
    fprintf(out, "%.*s", (int)block.length, block.code);
  markdown_close(&page);
  ck_assert_int_gt(blocks, 5);
  fprintf(out, "./hello | grep -q stale\n");
  /* And all that the first table lists is there; the one of the zip has a test under wine. */
  fprintf(out, "cd \"$HOME/.local\"\nsed -n '/^## On Windows/q;s,^| `\\([a-z0-9._]*/[a-z0-9._/-]*\\)` .*,\\1,p' "
               "\"$top/docs/install.md\" "
               ">../listed\n"
               "test $(wc -l <../listed) -gt 10\nwhile read -r f; do ls -d \"$f\"; done <../listed\n");
  ck_assert_int_eq(fclose(out), 0);
  EXPECT_STATUS(0,
                "export top=\"$PWD\" built=\"$(cd '" SP_BUILD_DIR "' && pwd)\" HOME='%s' && mkdir \"$HOME/tree\" && "
                "cp -R src lua scripts tests demo docs Makefile README.md LICENSE demo/embed/hello.c \"$HOME/tree\" && "
                "cd \"$HOME/tree\" && ln -s \"$built\" build && sh ../steps",
                folder);
}

/* }== */

SUITE(install, &programs)
