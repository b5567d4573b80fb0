/*
** Paths of a game that are no plain files: pipes, sockets, devices, links of all kinds, files too large or of odd
** bytes. Each is one clear line, at the start, in --check, and when a file turns into it while the game runs; nothing
** waits, and nothing outside the folder is read.
*/
#include "script/scripted.h"
#include "support/files.h"
#include "support/process.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT = 60 };

/* {== Kinds ============================================================== */

static void make_folder(const char *path) { ck_assert_int_eq(mkdir(path, 0700), 0); }
static void make_pipe(const char *path) { ck_assert_int_eq(mkfifo(path, 0600), 0); }
static void make_self(const char *path) { test_link(strrchr(path, '/') + 1, path); }
static void make_dangling(const char *path) { test_link("nowhere", path); }
static void make_device(const char *path) { test_link("/dev/zero", path); }
static void make_out(const char *path)
{
  bool is_main = strstr(path, "/game/main.lua") != NULL;
  test_link(is_main ? "../secret.lua" : "../../secret.lua", path);
}
static void make_root(const char *path) { test_link("/", path); }

static void make_socket(const char *path)
{
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
  ck_assert_int_eq(bind(server, (struct sockaddr *)&name, sizeof name), 0);
  close(server);
}

static void make_unreadable(const char *path)
{
  test_write(path, "");
  ck_assert_int_eq(chmod(path, 0), 0);
}

/* 100 MB, most of which the disk does not even have. */
static void make_large(const char *path)
{
  test_write(path, "return {} --");
  ck_assert_int_eq(truncate(path, 100000000), 0);
}

static const struct kind {
  void (*make)(const char *path);
  const char *told;
} kinds[] = {
    {make_pipe, "it is a pipe, not a file; replace or remove it"},
    {make_socket, "it is a socket, not a file; replace or remove it"},
    {make_self, "it is a link that leads to itself; fix or remove it"},
    {make_dangling, "it is a link to 'nowhere', which does not exist; fix or remove it"},
    {make_large, "it is larger than 64 MiB, so it is not read"},
    {make_device, "outside the game's folder"},
    {make_out, "outside the game's folder"},
    {make_root, "outside the game's folder"},
    {make_unreadable, "Permission denied"},
    {make_folder, "it is a folder, not a file; replace or remove it"},
};

/* Root may read everything: it gets another kind. */
static const struct kind *kind_of(int i) { return &kinds[kinds[i].make == make_unreadable && geteuid() == 0 ? 0 : i]; }

static scripted g;

static const char *at(const char *name) { return scripted_path(&g, name); }

#define GAME                                                                                                           \
  "local n = 0\nreturn { load = function() %s end,\n"                                                                  \
  "  update = function() n = n + 1 print('on', n) end }\n"

/* A game in a folder of the folder, beside a secret. */
static void make_game(const char *load)
{
  char main[300];
  scripted_make(&g, NULL);
  scripted_write(&g, "secret.lua", "error 'the secret was read'");
  strcat(g.folder, "/game");
  make_folder(g.folder);
  g.options.path = g.folder;
  snprintf(main, sizeof main, GAME, load);
  scripted_write(&g, "main.lua", main);
  scripted_write(&g, "lib/part.lua", "return 1");
  scripted_write(&g, "pools/Spark.lua", "return require('spawnpool').class('Spark', {})");
}

static void end_game(void)
{
  sp_script_close(g.script);
  *strrchr(g.folder, '/') = '\0';
  test_folder_remove(g.folder);
}

static void expect_told(const char *told, const char *part)
{
  ck_assert_msg(strstr(told, part) != NULL, "'%s' is not in:\n%s", part, told);
  ck_assert_msg(strstr(told, "the secret was read") == NULL, "%s", told);
}

/* Opens and starts the game, which says this. */
static void expect_start(const char *part)
{
  scripted_begin(&g);
  expect_told(scripted_told(&g), part);
}

/* The kind in the place of a file. */
static void put_kind(const struct kind *kind, const char *name)
{
  unlink(at(name));
  kind->make(at(name));
}

/* }== */

/* {== At the start ======================================================= */

static test_group core = {"core", .teardown = end_game, .timeout = TIMEOUT};

TESTS(core, main_what_it_requires_and_a_class_lie_in_files, 3 * (int)(sizeof kinds / sizeof *kinds))
{
  static const char *const files[][2] = {{"pools/Spark.lua", "require('spawnpool').pools:pool 'Spark'"},
                                         {"lib/part.lua", "require 'lib.part'"},
                                         {"main.lua", ""}};
  const struct kind *kind = kind_of(_i / 3);
  const char *const *file = files[_i % 3];
  char error[300] = "";
  make_game(file[1]);
  put_kind(kind, file[0]);
  g.options.reload = _i % 2;
  g.script = sp_script_open(&g.options, error, sizeof error);
  ck_assert(!g.script || !sp_script_start(g.script, 0, NULL));
  const char *told = g.script ? scripted_told(&g) : error;
  ck_assert_ptr_null(strchr(error, '\n'));
  /* A path on the command line may be anywhere. */
  bool is_named = _i % 3 == 2 && (kind->make == make_device || kind->make == make_root);
  expect_told(told, is_named ? "not a file; replace or remove it" : kind->told);
  expect_told(told, file[0]);
}

static void count_problem(void *ud, const char *problem)
{
  (void)ud;
  snprintf(g.told + strlen(g.told), sizeof g.told - strlen(g.told), "%s\n", problem);
}

TESTS(core, a_game_is_checked_whatever_lies_in_it, (int)(sizeof kinds / sizeof *kinds))
{
  size_t files;
  make_game("");
  put_kind(kind_of(_i), "lib/part.lua");
  scripted_open(&g);
  size_t problems = sp_script_check(g.script, count_problem, NULL, &files);
  const char *told = scripted_told(&g);
  bool is_file = kind_of(_i)->make != make_folder && kind_of(_i)->make != make_root;
  ck_assert_uint_eq(problems, is_file);
  if (is_file) {
    expect_told(told, "GAME/lib/part.lua:1: ");
    expect_told(told, kind_of(_i)->told);
  }
}

TEST(core, a_folder_of_links_is_checked_once)
{
  size_t files;
  make_game("");
  for (const char *name = "abcd"; *name; name++)
    test_link(".", at((char[]){*name, 0}));
  test_link("/", at("lib/root"));
  test_link("..", at("lib/up"));
  scripted_open(&g);
  ck_assert_uint_eq(sp_script_check(g.script, count_problem, NULL, &files), 0);
  ck_assert_uint_eq(files, 3);
}

/* Links that stay in the folder are fine, by a path from here or from the root. */
TESTS(core, links_inside_the_folder_work, 2)
{
  make_game("print(require 'lib.near', require 'lib.far', require 'own.part')");
  test_link("../lib/part.lua", at("lib/near.lua"));
  test_link(at("lib/part.lua"), at("lib/far.lua"));
  test_link("lib", at("own"));
  g.options.reload = _i;
  expect_start("print: 1\t1\t1\tGAME/own/part.lua\n");
}

/* A path on the command line may be a link: the game is its target. */
TEST(core, a_game_may_be_named_by_a_link)
{
  make_game("print((require 'lib.part'))");
  scripted_write(&g, "../other/part.lua", "");
  static const char *const links[][2] = {{"../game/main.lua", "../other/link.lua"}, {"game", "../linked"}};
  for (size_t i = 0; i < 2; i++) {
    g.options.path = at(links[i][1]);
    test_link(links[i][0], g.options.path);
    expect_start("print: 1\n");
    sp_script_close(g.script);
  }
  g.script = NULL;
}

TESTS(core, main_may_not_lie_outside_unless_the_game_is_trusted, 2)
{
  make_game("");
  put_kind(&(struct kind){make_out, NULL}, "main.lua");
  scripted_write(&g, "../secret.lua", "");
  g.options.trust = _i;
  scripted_open(&g);
  ck_assert(!sp_script_start(g.script, 0, NULL));
  const char *told = scripted_told(&g);
  ck_assert_msg((strstr(told, "outside the game's folder") != NULL) == !_i, "%s", told);
}

/* }== */

/* {== While it runs ====================================================== */

static void poll(sp_poll how) { sp_script_poll(g.script, how); }

/* Frames, with a little time between them, for at most some seconds, until something is told. */
static const char *await(void)
{
  for (int i = 0; i < 3000 && !g.told[0]; i++) {
    poll(SP_POLL_LOOK);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return scripted_told(&g);
}

static void start_game(const char *load)
{
  make_game(load);
  g.options.reload = true;
  scripted_begin(&g);
  poll(SP_POLL_LOOK);
  scripted_told(&g);
}

static void expect_on(void)
{
  ck_assert(scripted_update(&g));
  expect_told(scripted_told(&g), "print: on\t");
}

TESTS(core, a_file_that_runs_may_turn_into_anything, 3 * (int)(sizeof kinds / sizeof *kinds))
{
  static const char *const names[] = {"main.lua", "lib/part.lua", "pools/Spark.lua"};
  const char *name = names[_i % 3];
  const struct kind *kind = kind_of(_i / 3);
  start_game("require 'lib.part' require('spawnpool').pools:pool 'Spark'");
  put_kind(kind, name);
  const char *told = await();
  bool is_gone = kind->make == make_folder || kind->make == make_root;
  expect_told(told, is_gone ? "was deleted: its last code stays" : kind->told);
  expect_told(told, name);
  expect_on();
  if (kind->make == make_folder)
    rmdir(at(name));
  else
    unlink(at(name));
  scripted_write(&g, name, "return {");
  expect_told(await(), "not reloaded: ");
  expect_on();
}

TEST(core, what_nobody_asked_for_is_a_warning)
{
  start_game("");
  make_pipe(at("pipe.lua"));
  ck_assert_str_eq(await(), "warning: GAME/pipe.lua: it is a pipe, not a file; replace or remove it\n");
  make_root(at("lib/root"));
  ck_assert_str_eq(await(),
                   "warning: GAME/lib/root: it is a link that leads out of the game's folder, and is not followed\n");
  make_large(at("pools/Large.lua"));
  ck_assert_str_eq(await(), "warning: GAME/pools/Large.lua: it is larger than 64 MiB, so it is not read\n");
  ck_assert_ptr_null(sp_script_error(g.script));
  expect_on();
}

/* It may lie among many things that are not its own. */
TEST(core, a_game_of_one_file_does_not_tell_of_its_neighbours)
{
  make_game("print 'alone'");
  make_root(at("root"));
  make_folder(at("lib/closed"));
  g.options.path = at("main.lua");
  g.options.reload = true;
  scripted_begin(&g);
  for (int i = 0; i < 100; i++)
    poll(SP_POLL_LOOK);
  poll(SP_POLL_NOW);
  ck_assert_str_eq(scripted_told(&g), "print: alone\n");
}

/* Between being seen and being read: with F5 there is no time to settle. */
TEST(core, files_may_vanish_at_any_time)
{
  start_game("require 'lib.part'");
  for (int i = 0; i < 200; i++) {
    scripted_write(&g, "lib/part.lua", i % 2 ? "return 1" : "return 2");
    poll(i % 3 ? SP_POLL_LOOK : SP_POLL_NOW);
    unlink(at("lib/part.lua"));
    if (i % 5 == 0)
      make_pipe(at("lib/part.lua"));
    poll(i % 2 ? SP_POLL_LOOK : SP_POLL_NOW);
    unlink(at("lib/part.lua"));
    scripted_told(&g);
  }
  expect_on();
}

/* }== */

/* {== Bytes ============================================================== */

static const struct text {
  const char *name, *bytes, *told;
} texts[] = {
    {"a byte order mark", "\xEF\xBB\xBFreturn 5", NULL},
    {"line ends of Windows", "-- one\r\nlocal x <const> = 5\r\nreturn x\r\n", NULL},
    {"line ends of an old Mac", "local x <const> = 5\rreturn x\r", NULL},
    {"a shebang", "#!/usr/bin/env lua\nreturn 5", NULL},
    {"a mark and a shebang", "\xEF\xBB\xBF#!/usr/bin/env lua\r\nreturn 5", NULL},
    {"two marks", "\xEF\xBB\xBF\xEF\xBB\xBFreturn 5", "lib/part.lua:1: unexpected symbol near '<\\239>'"},
    {"UTF-16", "\xFF\xFEr", "lib/part.lua:1: unexpected symbol near '<\\255>'"},
    {"bytecode", "\x1bLuaT", "lib/part.lua: attempt to load a binary chunk"},
    {"an end of file mark", "return 5\x1a", "lib/part.lua:1: "},
};

TESTS(core, a_file_may_begin_and_end_as_editors_write_it, (int)(sizeof texts / sizeof *texts))
{
  const struct text *t = &texts[_i];
  start_game("part = function() return require 'lib.part' end print(part())");
  scripted_write(&g, "lib/part.lua", t->bytes);
  const char *told = await();
  if (t->told) {
    ck_assert_msg(strstr(told, "not reloaded: lib/part.lua") && strstr(told, t->told), "%s: %s", t->name, told);
  } else {
    ck_assert_msg(strncmp(told, "reload: reloaded lib/part.lua", 29) == 0, "%s: %s", t->name, told);
    ck_assert_int_eq(sp_script_eval(g.script, "print(part())"), SP_EVAL_DONE);
    expect_told(scripted_told(&g), "print: 5\n");
  }
  expect_on();
}

TEST(core, a_zero_byte_is_told_with_its_line)
{
  start_game("require 'lib.part'");
  FILE *f = fopen(at("lib/part.lua"), "w");
  fwrite("local x = 1\n\0return x", 1, 21, f);
  fclose(f);
  expect_told(await(),
              "lib/part.lua:2: unexpected symbol (there are zero bytes in the file: save it as plain text, in UTF-8)");
  expect_on();
}

/* }== */

SUITE(bad_files, &core)
