/*
** Layers depend in one direction only: demo -> session -> script -> core. Checked are the symbols that the libraries
** import, the headers that the sources include, and that no library has mutable file-scope state.
*/
#include "core/spawnpool.h"
#include "support/shell.h"

#define CORE_LIBRARY SP_BUILD_DIR "/libspawnpool.a"
#define SCRIPT_LIBRARY SP_BUILD_DIR "/libspawnpool_script.a"
#define SESSION_LIBRARY SP_BUILD_DIR "/libspawnpool_session.a"
#define MODULE SP_BUILD_DIR "/spawnpool.so"
#define ALONE SP_BUILD_DIR "/alone/spawnpool.so"

/* {== Symbols ============================================================ */

static test_group symbols = {"symbols"};
static test_group sources = {"sources"};

/* Of what the C library's headers offer to the core: see the group `sources`. */
PLAIN_TEST(symbols, core_neither_prints_nor_asks_the_system)
{
  EXPECT_NOTHING("nm -u " CORE_LIBRARY " | grep -E ' _*(v?f?d?printf(_chk)?|f?puts|f?putc|putchar|system|_?exit|getenv|"
                 "s?rand(om)?|clock.*|pthread_.*)$'");
}

/* But for the ids of managers and the seats of threads (see ticker.c), which a process shares. */
PLAIN_TEST(symbols, the_libraries_keep_no_mutable_file_scope_state)
{
  EXPECT_NOTHING("nm -f sysv " CORE_LIBRARY " " SCRIPT_LIBRARY " " SESSION_LIBRARY
                 " | awk -F'|' '$4 !~ /SECTION|FILE/ && "
                 "$1 !~ /^(ids|seats) / && $7 ~ /^(\\.t?data|\\.t?bss|\\*COM\\*|COMMON)/ && $7 !~ /rel\\.ro/ "
                 "{ print $1, $7 }'");
}

/* Under the version of programs what the headers declare; under that of the build what the binding calls, of
   core/binding.h. `sp_lua_` is the bridge for functions of the host; what Lua calls begins with spl_. */
PLAIN_TEST(symbols, the_libraries_export_what_their_headers_declare_and_nothing_else)
{
  static const char *const exports[][3] = {
      {"libspawnpool", "SPAWNPOOL_[0-9.]*",
       "sed -nE 's/^SP_API .*[ *](sp_[a-z_0-9]+)\\(.*/\\1/p' src/core/spawnpool*.h"},
      {"libspawnpool", "SPAWNPOOL_PRIVATE_" SP_VERSION,
       "sed -nE '/^(static|typedef)/d; s/^[a-z].*[ *](sp_[a-z_0-9]+)\\(.*/\\1/p' src/core/binding.h"},
      {"libspawnpool_script", "SPAWNPOOL_SCRIPT_[0-9.]*",
       "sed -nE 's/^SP_API .*[ *]((sp|luaopen)_[a-z_0-9]+)\\(.*/\\1/p' src/script/script.h"}};
  for (int i = 0; i < 3; i++)
    EXPECT_NOTHING("%s | LC_ALL=C sort >" SP_BUILD_DIR "/declared.txt; nm -D --defined-only " SP_BUILD_DIR
                   "/%s.so | sed -n 's/.* T \\(.*\\)@@%s$/\\1/p' | LC_ALL=C sort | diff " SP_BUILD_DIR
                   "/declared.txt -",
                   exports[i][2], exports[i][0], exports[i][1]);
  EXPECT_NOTHING("nm -D --defined-only " SP_BUILD_DIR "/libspawnpool*.so | grep ' T ' | grep -v '@@SPAWNPOOL_'");
  EXPECT_NOTHING("nm --defined-only " SCRIPT_LIBRARY " | grep -E ' sp_lua_' | "
                 "grep -vE ' sp_lua_(manager|ref|push|problem)(\\.localalias)?$'");
}

/* It prints nothing: what a host takes no report of is the script host's to print. */
PLAIN_TEST(symbols, the_session_has_neither_window_nor_output)
{
  EXPECT_NOTHING("nm -u " SESSION_LIBRARY " | grep -E ' _*(SDL_|IMG_|TTF_|Mix_|v?(f|d)?printf(_chk)?$|f?puts$|putchar$|"
                 "fopen|freopen|open$|system$|exit$|getenv$|setenv$)'");
  EXPECT_NOTHING("sed -nE 's/^SP_API .*[ *](sp_session_[a-z_]+)\\(.*/\\1/p' src/session/spawnpool_session.h | LC_ALL=C "
                 "sort >" SP_BUILD_DIR "/declared_session.txt && nm --defined-only " SESSION_LIBRARY
                 " | awk '{ print $3 }' | LC_ALL=C sort | LC_ALL=C comm -23 " SP_BUILD_DIR "/declared_session.txt -");
}

/* The one that is installed, and the one that is one file. */
PLAIN_TEST(symbols, the_module_shows_its_own_names_only)
{
  EXPECT_NOTHING("readelf -d " MODULE " " SP_BUILD_DIR "/libspawnpool_script.so | grep 'NEEDED.*liblua'");
  EXPECT_NOTHING("nm -D --defined-only " MODULE);
  EXPECT_NOTHING("nm -D --defined-only " ALONE " | grep -vE ' T luaopen_spawnpool(_reload)?$'");
  EXPECT_NOTHING("readelf -d " ALONE " | grep 'NEEDED.*\\(lua\\|spawnpool\\)'");
}

/* }== */

/* {== Sources ============================================================ */

/* Those of the program that spawnpool.h shows are indented. */
TEST(sources, core_includes_itself_and_the_c_library)
{
  EXPECT_NOTHING("grep -HnE '^# *include' src/core/*.[ch] | grep -vE "
                 "'\"core/[a-z_]+\\.h\"|spawnpool_(save|tools)[.]h:.*\"spawnpool[.]h\"|"
                 "spawnpool[.]h:.*\"spawnpool_(desc|save)[.]h\"|"
                 "<(assert|errno|float|limits|math|stdalign|stdarg|stdbool|stddef|stdint|stdlib|string)\\.h>'");
}

TEST(sources, the_session_includes_nothing_above_it)
{
  EXPECT_NOTHING("grep -HnE '^ *# *include *(<SDL|\"SDL|\"demo/|\"support/|\"tests/)' src/session/*.[ch]");
  EXPECT_NOTHING("grep -HnE '^ *# *include *\"session/' src/script/*.[ch] src/script/*/*.[ch] src/core/*.[ch]");
}

TEST(sources, script_includes_nothing_above_it)
{
  EXPECT_NOTHING(
      "grep -HnE '^ *# *include *(<SDL|\"SDL|\"demo/|\"support/|\"tests/)' src/script/*.[ch] src/script/*/*.[ch]");
}

/* The binding knows the core by its headers, and none of its structs. */
TEST(sources, script_sees_the_core_through_its_headers)
{
  EXPECT_NOTHING("grep -HnE '^ *# *include *\"core/' src/script/*.h src/script/*/*.[ch] | "
                 "grep -vE '\"core/(spawnpool|spawnpool_tools|binding|by_value)[.]h\"'");
  EXPECT_NOTHING("grep -HnE '^ *# *include' src/core/binding.h | grep -vE '\"core/spawnpool(_tools)?[.]h\"'");
  EXPECT_NOTHING("grep -nE 'struct sp_(manager|pool|change|layout) *[{]' src/core/binding.h src/core/spawnpool.h");
}

/* As the tables of docs/howitworks.md have it; and a header declares what the file beside it defines. */
TEST(sources, arrows_between_rooms_run_one_way)
{
  EXPECT_NOTHING("$(command -v lua5.4 || command -v lua) tests/support/rooms.lua " SP_BUILD_DIR);
}

/* So names of static functions are different, and no local name hides one of another file. */
TEST(sources, the_core_compiles_as_one_file)
{
  EXPECT_NOTHING("printf '#include \"%%s\"\\n' src/core/*.c | " SP_CC
                 " -std=c11 -fsyntax-only -Wshadow -Isrc -I. -x c -");
}

/* As programs outside of the tree do. */
TEST(sources, examples_know_public_headers_only)
{
  EXPECT_NOTHING("grep -HnE '^ *# *include *\"' demo/embed/*.c");
  EXPECT_NOTHING("cd demo/embed && grep -HnE 'include *<(lua|SDL|spawnpool_script)' hello.c rollback.c");
  EXPECT_NOTHING("grep -HnE 'include *<(lua|spawnpool_script)' demo/embed/renderer.c");
}

/* Files of games, recordings and people are read by sp_folder_open: regular ones, and no link leads out of a game.
   These write where a person said, read fonts of the system, pipes of processes, or zips whose kind was looked at. */
TEST(sources, a_path_is_opened_in_another_way_by_few)
{
  EXPECT_NOTHING(
      "grep -rlE '[^_a-z](fopen|freopen|opendir|TTF_OpenFont|IMG_Load|Mix_Load(WAV|MUS)|SDL_RWFromFile|unzOpen64)[(]' "
      "src/session demo --include='*.c' | grep -vE '^demo/(embed|linux|math)/|^demo/(draw/text|audio/audio|"
      "support/platform|app/(app|app_process|commands|recorder|tester|wall|zip_game))[.]c$'");
}

/* An initialiser sets one member of a union, and with gcc from version 15 on no other byte of it. SDL_zero sets all. */
TEST(sources, events_are_zeroed_as_a_whole)
{
  EXPECT_NOTHING("grep -rHnE 'SDL_Event [a-z_]+ = [{]|[(]SDL_Event[)] *[{]' demo src tests --include='*.[ch]' | "
                 "grep -v check_layers");
}

/* SDL2 and SDL3 apply a scale at different times; and where SDL2 is a layer over SDL3, its queue keeps no event of a
   gamepad that SDL3 doesn't know. Signals and keys of the page have no device. */
TEST(sources, the_player_neither_scales_by_sdl_nor_sends_itself_events)
{
  EXPECT_NOTHING("grep -rHnE 'SDL_Render(Set|Get)(Scale|LogicalSize)|SDL_GL_|SDL_opengl' demo tests/demo tests/bench");
  EXPECT_NOTHING("grep -rHn 'SDL_PushEvent' demo | grep -vE '^demo/(app/interrupt|web/player)[.]c:'");
}

/* }== */

SUITE(layers, &symbols, &sources)
