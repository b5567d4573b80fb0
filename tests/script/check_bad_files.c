/*
** Paths of a game that are no plain files: pipes, sockets, devices, links of all kinds, files too large or of odd
** bytes. Each is one clear line, at the start, in --check, and when a file turns into it while the game runs; nothing
** waits, and nothing outside the folder is read.
*/
#include "script/scripted.h"
#include "support/process.h"

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
  void (*make)(const char *path); /* NULL: a link */
  const char *target;             /* of the link; NULL: itself */
  const char *told;
} kinds[] = {
    {make_pipe, NULL, "it is a pipe, not a file; replace or remove it"},
    {make_socket, NULL, "it is a socket, not a file; replace or remove it"},
    {NULL, NULL, "it is a link that leads to itself; fix or remove it"},
    {NULL, "nowhere", "it is a link to 'nowhere', which does not exist; fix or remove it"},
    {make_large, NULL, "it is larger than 64 MiB, so it is not read"},
    {NULL, "/dev/zero", "outside the game's folder"},
    {NULL, "../secret.lua", "outside the game's folder"},
    {NULL, "/", "outside the game's folder"},
    {make_unreadable, NULL, "Permission denied"},
    {make_folder, NULL, "it is a folder, not a file; replace or remove it"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Root may read everything: it gets another kind. */
static const struct kind *kind_of(int i) { return &kinds[kinds[i].make == make_unreadable && geteuid() == 0 ? 0 : i]; }

static bool leads_to_root(const struct kind *kind) { return kind->target && strcmp(kind->target, "/") == 0; }

/* Folders do not count as files that are missing or wrong. */
static bool is_folder(const struct kind *kind) { return kind->make == make_folder || leads_to_root(kind); }

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

/* The kind in the place of a file. */
static void put_kind(const struct kind *kind, const char *name)
{
  const char *path = at(name), *target = kind->target ? kind->target : strrchr(path, '/') + 1;
  bool is_deeper = strcmp(name, "main.lua") != 0 && strncmp(target, "../", 3) == 0;
  unlink(path);
  if (kind->make)
    kind->make(path);
  else
    test_link(is_deeper ? test_path("..", target) : target, path);
}

/* }== */

/* {== At the start ======================================================= */

static test_group core = {"core", .teardown = end_game, .timeout = TIMEOUT};

TESTS(core, main_what_it_requires_and_a_class_lie_in_files, 3 * KINDS)
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
  bool is_named = _i % 3 == 2 && kind->target && *kind->target == '/';
  expect_told(told, is_named ? "not a file; replace or remove it" : kind->told);
  expect_told(told, file[0]);
}

static void count_problem(void *ud, const char *problem)
{
  (void)ud;
  snprintf(g.told + strlen(g.told), sizeof g.told - strlen(g.told), "%s\n", problem);
}

TESTS(core, a_game_is_checked_whatever_lies_in_it, KINDS)
{
  const struct kind *kind = kind_of(_i);
  size_t files;
  make_game("");
  put_kind(kind, "lib/part.lua");
  scripted_open(&g);
  ck_assert_uint_eq(sp_script_check(g.script, count_problem, NULL, &files), !is_folder(kind));
  expect_told(scripted_told(&g), is_folder(kind) ? "" : kind->told);
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

/* A path on the command line may be a link: the game is its target. */
TEST(core, a_game_may_be_named_by_a_link_and_have_links_inside)
{
  make_game("print(require 'lib.far', require 'own.part')");
  test_link(at("lib/part.lua"), at("lib/far.lua")); /* links that stay in the folder are fine */
  test_link("lib", at("own"));
  scripted_write(&g, "../other/part.lua", "");
  static const char *const links[][2] = {{"../game/main.lua", "../other/link.lua"}, {"game", "../linked"}};
  for (size_t i = 0; i < 2; i++) {
    g.options.path = at(links[i][1]);
    test_link(links[i][0], g.options.path);
    scripted_begin(&g);
    scripted_expect(&g, "print: 1\t1\t");
    sp_script_close(g.script);
  }
  g.script = NULL;
}

TESTS(core, main_may_not_lie_outside_unless_the_game_is_trusted, 2)
{
  make_game("");
  put_kind(&(struct kind){NULL, "../secret.lua", NULL}, "main.lua");
  scripted_write(&g, "../secret.lua", "");
  g.options.trust = _i;
  scripted_open(&g);
  ck_assert(!sp_script_start(g.script, 0, NULL));
  ck_assert((strstr(g.told, "outside the game's folder") != NULL) == !_i);
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

/* What is told at once of a change. */
static const char *told_now(void)
{
  poll(SP_POLL_NOW);
  poll(SP_POLL_LOOK);
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

TESTS(core, a_file_that_runs_may_turn_into_anything, 3 * KINDS)
{
  static const char *const names[] = {"main.lua", "lib/part.lua", "pools/Spark.lua"};
  const char *name = names[_i % 3];
  const struct kind *kind = kind_of(_i / 3);
  start_game("require 'lib.part' require('spawnpool').pools:pool 'Spark'");
  put_kind(kind, name);
  const char *told = _i % 2 ? await() : told_now();
  expect_told(told, is_folder(kind) ? "was deleted: its last code stays" : kind->told);
  expect_told(told, name);
  expect_on();
  test_folder_remove(at(name));
  scripted_write(&g, name, "return {");
  expect_told(told_now(), "not reloaded: ");
  expect_on();
}

TEST(core, what_nobody_asked_for_is_a_warning)
{
  start_game("");
  make_pipe(at("pipe.lua"));
  ck_assert_str_eq(await(), "warning: GAME/pipe.lua: it is a pipe, not a file; replace or remove it\n");
  test_link("/", at("lib/root"));
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
  test_link("/", at("root"));
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
  for (int i = 0; i < 60; i++) {
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

/* What is told is a part; NULL: the text is read as one that returns 5. */
static const struct text {
  const char *bytes;
  size_t size;
  const char *told;
} texts[] = {
#define BYTES(text) text, sizeof text - 1
    {BYTES("\xEF\xBB\xBFreturn 5"), NULL},
    {BYTES("-- one\r\nlocal x <const> = 5\r\nreturn x\r\n"), NULL},
    {BYTES("local x <const> = 5\rreturn x\r"), NULL},
    {BYTES("#!/usr/bin/env lua\nreturn 5"), NULL},
    {BYTES("\xEF\xBB\xBF#!/usr/bin/env lua\r\nreturn 5"), NULL},
    {BYTES("\xEF\xBB\xBF\xEF\xBB\xBFreturn 5"), "lib/part.lua:1: unexpected symbol near '<\\239>'"},
    {BYTES("\xFF\xFEr"), "lib/part.lua:1: unexpected symbol near '<\\255>'"},
    {BYTES("\x1bLuaT"), "lib/part.lua: attempt to load a binary chunk"},
    {BYTES("return 5\x1a"), "lib/part.lua:1: "},
    {BYTES("local x = 1\n\0return x"),
     "lib/part.lua:2: unexpected symbol (there are zero bytes in the file: save it as plain text, in UTF-8)"},
};

TESTS(core, a_file_may_begin_and_end_as_editors_write_it, (int)(sizeof texts / sizeof *texts))
{
  const struct text *t = &texts[_i];
  start_game("part = function() return require 'lib.part' end print(part())");
  FILE *f = fopen(at("lib/part.lua"), "w");
  ck_assert_uint_eq(fwrite(t->bytes, 1, t->size, f), t->size);
  fclose(f);
  const char *told = told_now();
  expect_told(told, t->told ? "not reloaded: lib/part.lua" : "reload: reloaded lib/part.lua");
  expect_told(told, t->told ? t->told : "");
  if (!t->told) {
    ck_assert_int_eq(sp_script_eval(g.script, "print(part())"), SP_EVAL_DONE);
    expect_told(scripted_told(&g), "print: 5\n");
  }
  expect_on();
}

/* }== */

SUITE(bad_files, &core)
