/*
** What may lie where a game has a file: pipes, sockets, devices, links of all kinds, files too large or of odd bytes.
** Each is one clear line, at the start, in --check, and when a file turns into it while the game runs; nothing waits,
** and nothing outside the folder is read.
*/
#include "script/scripted.h"
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
static void make_self(const char *path) { ck_assert_int_eq(symlink(strrchr(path, '/') + 1, path), 0); }
static void make_dangling(const char *path) { ck_assert_int_eq(symlink("nowhere", path), 0); }
static void make_device(const char *path) { ck_assert_int_eq(symlink("/dev/zero", path), 0); }
static void make_out(const char *path)
{
  bool is_main = strstr(path, "/game/main.lua") != NULL;
  ck_assert_int_eq(symlink(is_main ? "../secret.lua" : "../../secret.lua", path), 0);
}
static void make_root(const char *path) { ck_assert_int_eq(symlink("/", path), 0); }

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
  fclose(fopen(path, "w"));
  ck_assert_int_eq(chmod(path, 0), 0);
}

/* 100 MB, most of which the disk does not even have. */
static void make_large(const char *path)
{
  FILE *f = fopen(path, "w");
  fputs("return {} --", f);
  fclose(f);
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
    {make_large, "it is larger than 64 MiB, and not read for that"},
    {make_device, "outside the game's folder"},
    {make_out, "outside the game's folder"},
    {make_root, "outside the game's folder"},
    {make_unreadable, "Permission denied"},
    {make_folder, "it is a folder, not a file; replace or remove it"},
};

/* Root may read everything. */
static bool is_possible(const struct kind *kind) { return kind->make != make_unreadable || geteuid() != 0; }

static const char *path_of(const scripted *g, const char *name)
{
  static char path[600];
  snprintf(path, sizeof path, "%s/%s", g->folder, name);
  return path;
}

#define GAME                                                                                                           \
  "local n = 0\nreturn { load = function() %s end,\n"                                                                  \
  "  update = function() n = n + 1 print('on', n) end }\n"

/* A game in a folder of the folder, beside a secret. */
static void make_game(scripted *g, const char *load)
{
  char main[300];
  scripted_make(g, NULL);
  scripted_write(g, "secret.lua", "error 'the secret was read'");
  strcat(g->folder, "/game");
  make_folder(g->folder);
  g->options.path = g->folder;
  snprintf(main, sizeof main, GAME, load);
  scripted_write(g, "main.lua", main);
  scripted_write(g, "lib/part.lua", "return 1");
  scripted_write(g, "pools/Spark.lua", "return require('spawnpool').class('Spark', {})");
}

static void end_game(scripted *g)
{
  sp_script_close(g->script);
  *strrchr(g->folder, '/') = '\0';
  test_folder_remove(g->folder);
}

static void expect_told(const char *told, const char *part)
{
  ck_assert_msg(strstr(told, part) != NULL, "'%s' is not in:\n%s", part, told);
  ck_assert_msg(strstr(told, "the secret was read") == NULL, "%s", told);
}

/* Opens and starts the game, which says this. */
static void expect_start(scripted *g, const char *part)
{
  scripted_begin(g);
  expect_told(scripted_told(g), part);
}

/* }== */

/* {== At the start ======================================================= */

static void start_with(const struct kind *kind, const char *name, const char *load, bool reload)
{
  scripted g;
  if (!is_possible(kind))
    return;
  make_game(&g, load);
  unlink(path_of(&g, name));
  kind->make(path_of(&g, name));
  g.options.reload = reload;
  scripted_open(&g);
  ck_assert(!sp_script_start(g.script, 0, NULL));
  const char *told = scripted_told(&g);
  expect_told(told, kind->told);
  expect_told(told, name);
  end_game(&g);
}

static test_group core = {"core", .timeout = TIMEOUT};

TESTS(core, what_is_required_is_a_file, 2 * (int)(sizeof kinds / sizeof *kinds))
{
  start_with(&kinds[_i / 2], "lib/part.lua", "require 'lib.part'", _i % 2);
}

TESTS(core, a_class_is_in_a_file, 2 * (int)(sizeof kinds / sizeof *kinds))
{
  start_with(&kinds[_i / 2], "pools/Spark.lua", "require('spawnpool').pools:pool 'Spark'", _i % 2);
}

static void count_problem(void *ud, const char *problem)
{
  scripted *g = ud;
  snprintf(g->told + strlen(g->told), sizeof g->told - strlen(g->told), "%s\n", problem);
}

TESTS(core, a_game_is_checked_whatever_lies_in_it, (int)(sizeof kinds / sizeof *kinds))
{
  scripted g;
  size_t files;
  if (!is_possible(&kinds[_i]))
    return;
  make_game(&g, "");
  unlink(path_of(&g, "lib/part.lua"));
  kinds[_i].make(path_of(&g, "lib/part.lua"));
  scripted_open(&g);
  size_t problems = sp_script_check(g.script, count_problem, &g, &files);
  const char *told = scripted_told(&g);
  bool is_file = kinds[_i].make != make_folder && kinds[_i].make != make_root;
  ck_assert_uint_eq(problems, is_file);
  if (is_file) {
    expect_told(told, "GAME/lib/part.lua:1: ");
    expect_told(told, kinds[_i].told);
  }
  end_game(&g);
}

TEST(core, a_folder_of_links_is_checked_once)
{
  scripted g;
  size_t files;
  make_game(&g, "");
  for (int i = 0; i < 4; i++) {
    char name[] = "a";
    name[0] = (char)('a' + i);
    ck_assert_int_eq(symlink(".", path_of(&g, name)), 0);
  }
  ck_assert_int_eq(symlink("/", path_of(&g, "lib/root")), 0);
  ck_assert_int_eq(symlink("..", path_of(&g, "lib/up")), 0);
  scripted_open(&g);
  ck_assert_uint_eq(sp_script_check(g.script, count_problem, &g, &files), 0);
  ck_assert_uint_eq(files, 3);
  end_game(&g);
}

/* Links that stay in the folder are fine, by a path from here or from the root. */
TEST(core, links_inside_the_folder_work)
{
  for (int reload = 0; reload < 2; reload++) {
    scripted g;
    make_game(&g, "print(require 'lib.near', require 'lib.far', require 'own.part')");
    ck_assert_int_eq(symlink("../lib/part.lua", path_of(&g, "lib/near.lua")), 0);
    char target[600];
    snprintf(target, sizeof target, "%s", path_of(&g, "lib/part.lua"));
    ck_assert_int_eq(symlink(target, path_of(&g, "lib/far.lua")), 0);
    ck_assert_int_eq(symlink("lib", path_of(&g, "own")), 0);
    g.options.reload = reload;
    expect_start(&g, "print: 1\t1\t1\tGAME/own/part.lua\n");
    end_game(&g);
  }
}

/* What a person names may be a link: the game is where it leads. */
TEST(core, a_game_may_be_named_by_a_link)
{
  scripted g;
  char link[600];
  make_game(&g, "print((require 'lib.part'))");
  scripted_write(&g, "../other/part.lua", "");
  snprintf(link, sizeof link, "%s/../other/link.lua", g.folder);
  ck_assert_int_eq(symlink("../game/main.lua", link), 0);
  g.options.path = link;
  expect_start(&g, "print: 1\n");
  sp_script_close(g.script);
  snprintf(link, sizeof link, "%s/../linked", g.folder);
  ck_assert_int_eq(symlink("game", link), 0);
  expect_start(&g, "print: 1\n");
  end_game(&g);
}

TEST(core, main_may_not_lie_outside_unless_the_game_is_trusted)
{
  for (int trust = 0; trust < 2; trust++) {
    scripted g;
    make_game(&g, "");
    unlink(path_of(&g, "main.lua"));
    make_out(path_of(&g, "main.lua"));
    scripted_write(&g, "../secret.lua", "");
    g.options.trust = trust;
    scripted_open(&g);
    ck_assert(!sp_script_start(g.script, 0, NULL));
    const char *told = scripted_told(&g);
    ck_assert_msg((strstr(told, "outside the game's folder") != NULL) == !trust, "%s", told);
    end_game(&g);
  }
}

/* }== */

/* {== While it runs ====================================================== */

static void poll(scripted *g, sp_poll how) { sp_script_poll(g->script, how); }

/* Frames, with a little time between them, for at most some seconds, until something is told. */
static const char *await(scripted *g)
{
  for (int i = 0; i < 3000 && !g->told[0]; i++) {
    poll(g, SP_POLL_LOOK);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return scripted_told(g);
}

static void start_game(scripted *g, const char *load)
{
  make_game(g, load);
  g->options.reload = true;
  scripted_begin(g);
  poll(g, SP_POLL_LOOK);
  scripted_told(g);
}

static void expect_on(scripted *g)
{
  ck_assert(scripted_update(g));
  expect_told(scripted_told(g), "print: on\t");
}

TESTS(core, a_file_that_runs_may_turn_into_anything, 3 * (int)(sizeof kinds / sizeof *kinds))
{
  static const char *const names[] = {"main.lua", "lib/part.lua", "pools/Spark.lua"};
  const char *name = names[_i % 3];
  const struct kind *kind = &kinds[_i / 3];
  scripted g;
  if (!is_possible(kind))
    return;
  start_game(&g, "require 'lib.part' require('spawnpool').pools:pool 'Spark'");
  unlink(path_of(&g, name));
  kind->make(path_of(&g, name));
  const char *told = await(&g);
  bool is_gone = kind->make == make_folder || kind->make == make_root;
  expect_told(told, is_gone ? "is gone: its last code stays" : kind->told);
  expect_told(told, name);
  expect_on(&g);
  if (kind->make == make_folder)
    rmdir(path_of(&g, name));
  else
    unlink(path_of(&g, name));
  scripted_write(&g, name, "return {");
  expect_told(await(&g), "not reloaded: ");
  expect_on(&g);
  end_game(&g);
}

TEST(core, what_nobody_asked_for_is_a_warning)
{
  scripted g;
  start_game(&g, "");
  make_pipe(path_of(&g, "pipe.lua"));
  ck_assert_str_eq(await(&g), "warning: GAME/pipe.lua: it is a pipe, not a file; replace or remove it\n");
  make_root(path_of(&g, "lib/root"));
  ck_assert_str_eq(await(&g),
                   "warning: GAME/lib/root: it is a link that leads out of the game's folder, and is not followed\n");
  make_large(path_of(&g, "pools/Large.lua"));
  ck_assert_str_eq(await(&g), "warning: GAME/pools/Large.lua: it is larger than 64 MiB, and not read for that\n");
  ck_assert_ptr_null(sp_script_error(g.script));
  expect_on(&g);
  end_game(&g);
}

/* It may lie among many things that are not its own. */
TEST(core, a_game_of_one_file_does_not_tell_of_its_neighbours)
{
  scripted g;
  make_game(&g, "print 'alone'");
  make_root(path_of(&g, "root"));
  make_folder(path_of(&g, "lib/closed"));
  g.options.path = path_of(&g, "main.lua");
  g.options.reload = true;
  scripted_begin(&g);
  for (int i = 0; i < 100; i++)
    poll(&g, SP_POLL_LOOK);
  poll(&g, SP_POLL_NOW);
  ck_assert_str_eq(scripted_told(&g), "print: alone\n");
  end_game(&g);
}

/* Between being seen and being read: with F5 there is no time to settle. */
TEST(core, files_may_vanish_at_any_time)
{
  scripted g;
  start_game(&g, "require 'lib.part'");
  for (int i = 0; i < 200; i++) {
    scripted_write(&g, "lib/part.lua", i % 2 ? "return 1" : "return 2");
    poll(&g, i % 3 ? SP_POLL_LOOK : SP_POLL_NOW);
    unlink(path_of(&g, "lib/part.lua"));
    if (i % 5 == 0)
      make_pipe(path_of(&g, "lib/part.lua"));
    poll(&g, i % 2 ? SP_POLL_LOOK : SP_POLL_NOW);
    unlink(path_of(&g, "lib/part.lua"));
    scripted_told(&g);
  }
  expect_on(&g);
  end_game(&g);
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
  scripted g;
  start_game(&g, "part = function() return require 'lib.part' end print(part())");
  scripted_write(&g, "lib/part.lua", t->bytes);
  const char *told = await(&g);
  if (t->told) {
    ck_assert_msg(strstr(told, "not reloaded: lib/part.lua") != NULL, "%s: %s", t->name, told);
  } else {
    ck_assert_msg(strncmp(told, "reload: reloaded lib/part.lua", 29) == 0, "%s: %s", t->name, told);
    ck_assert_int_eq(sp_script_eval(g.script, "print(part())"), SP_EVAL_DONE);
    expect_told(scripted_told(&g), "print: 5\n");
  }
  expect_on(&g);
  end_game(&g);
}

TEST(core, a_zero_byte_is_told_with_its_line)
{
  scripted g;
  start_game(&g, "require 'lib.part'");
  FILE *f = fopen(path_of(&g, "lib/part.lua"), "w");
  fwrite("local x = 1\n\0return x", 1, 21, f);
  fclose(f);
  expect_told(await(&g),
              "lib/part.lua:2: unexpected symbol (there are zero bytes in the file: save it as plain text, in UTF-8)");
  expect_on(&g);
  end_game(&g);
}

/* }== */

SUITE(bad_files, &core)
