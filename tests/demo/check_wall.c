/*
** The second wall, with the first one taken down on purpose: a build of the player whose games get all of Lua, and a
** library in C besides. What they try is refused by the system; what the player does for a person goes on.
*/
#define _GNU_SOURCE

#include "demo/app/wall.h"
#include "demo/app/wall_calls.h"
#include "demo/app/wall_files.h"
#include "demo/capture/file_writer.h"
#include "demo/play.h"
#include "support/refuse_call.h"
#include "support/test.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#define UNWALLED SP_BUILD_DIR "/spawnpool-unwalled "

/* Whether both walls stand on this machine. What they do is tested only there. */
static bool is_walled(const char *test)
{
  bool walled = wall_files_version() > 0 && wall_calls_have() == WALL_CALLS_THERE;
  if (!walled)
    test_skip(test, "no Landlock or no seccomp here");
  return walled;
}

#ifdef __linux__

/* {== What a game that broke out cannot do =============================== */

/* `try(name, refused, fn, ...)`: says what came through that must not, and the reverse. `dir` is the game's folder,
   `out` the one that it lies in. */
static const char head[] = "local args, wrong = {...}, 0\n"
                           "local function try(name, refused, ok, why)\n"
                           "  if not ok ~= refused then wrong = wrong + 1 print('WRONG', name, ok, why) end\n"
                           "end\n"
                           "local function refused(name, ...) try(name, true, ...) end\n"
                           "local function fine(name, ...) try(name, false, ...) end\n"
                           "local function read(path) local f, why = io.open(path) return f and f:read 'a', why end\n"
                           "return { load = function(args)\n"
                           "  local dir, out = args[1], args[2]\n";

static const char tail[] = "  print('tried', wrong)\nend }\n";

static void attack(const char *body, const char *options)
{
  char text[8192];
  snprintf(text, sizeof text, "%s%s%s", head, body, tail);
  RUN("mkdir -p '%s/game' && echo own >'%s/game/own.txt' && echo secret >'%s/secret.txt' && cp " SP_BUILD_DIR
      "/breakout.so '%s/game'",
      play_folder, play_folder, play_folder, play_folder);
  play_write("game/main.lua", text);
  RUN(UNWALLED "--headless --frames 2 %s '%s/game' -- '%s/game' '%s'", options, play_folder, play_folder, play_folder);
}

static void expect_held(void)
{
  EXPECT_STATUS(0);
  ck_assert_msg(strcmp(play_run.out, "tried\t0\n") == 0, "%s%s", play_run.out, play_run.err);
}

static test_group held = {"held", play_open, play_close, 120};

TEST(held, all_of_lua_runs_no_program_and_reads_nothing_outside)
{
  if (!is_walled("all_of_lua_runs_no_program_and_reads_nothing_outside"))
    return;
  attack(
      "  refused('execute', os.execute('true > ' .. out .. '/made'))\n"
      "  refused('shell', os.execute())\n"
      "  refused('popen', pcall(io.popen, 'id') and io.popen('id'))\n"
      "  local asan <const> = os.getenv 'SP_TEST_TOOL' == 'asan'\n" /* its checker of leaks reads there */
      "  if not asan then refused('environ', read '/proc/self/environ') end\n"
      "  for _, path in ipairs{'/etc/passwd', '/etc/hostname', '/proc/self/mem', "
      "'/proc/1/status',\n"
      "    '/root/.bashrc', out .. '/secret.txt', dir .. '/../secret.txt', '/dev/mem', '/tmp/..', '/usr/bin/env'} do\n"
      "    refused('read ' .. path, read(path))\n"
      "  end\n"
      "  for _, path in ipairs{out .. '/new', dir .. '/new', out .. '/secret.txt', dir .. '/own.txt', '/tmp/sp-new',\n"
      "    '/dev/null', '/dev/tty'} do\n"
      "    refused('write ' .. path, io.open(path, 'w'))\n"
      "    refused('append ' .. path, io.open(path, 'a'))\n"
      "    refused('update ' .. path, io.open(path, 'r+'))\n"
      "  end\n"
      "  refused('remove', os.remove(out .. '/secret.txt'))\n"
      "  refused('remove own', os.remove(dir .. '/own.txt'))\n"
      "  refused('rename', os.rename(out .. '/secret.txt', dir .. '/mine'))\n"
      "  refused('rename own', os.rename(dir .. '/own.txt', out .. '/yours'))\n"
      "  refused('tmpname', pcall(os.tmpname))\n"
      "  fine('own', read(dir .. '/own.txt') == 'own\\n')\n",
      "");
  expect_held();
  RUN("ls '%s' '%s/game'; cat '%s/secret.txt'", play_folder, play_folder, play_folder);
  ck_assert_ptr_null(strstr(play_run.out, "made"));
  EXPECT_IN(play_run.out, "own.txt");
  EXPECT_IN(play_run.out, "secret\n");
}

TEST(held, code_in_c_does_no_more)
{
  static const struct number {
    const char *name;
    long number;
  } calls[] = {
      {"bpf", SYS_bpf},
      {"keyctl", SYS_keyctl},
      {"add_key", SYS_add_key},
      {"userfaultfd", SYS_userfaultfd},
      {"io_uring_setup", 425},
      {"perf_event_open", SYS_perf_event_open},
      {"mount", SYS_mount},
      {"umount2", SYS_umount2},
      {"pivot_root", SYS_pivot_root},
      {"chroot", SYS_chroot},
      {"open_tree", 428},
      {"fsopen", 430},
      {"mount_setattr", 442},
      {"unshare", SYS_unshare},
      {"setns", SYS_setns},
      {"init_module", SYS_init_module},
      {"finit_module", SYS_finit_module},
      {"kexec_load", SYS_kexec_load},
      {"reboot", SYS_reboot},
      {"personality", SYS_personality},
      {"pidfd_open", 434},
      {"pidfd_getfd", 438},
      {"setuid", SYS_setuid},
      {"setgroups", SYS_setgroups},
      {"capset", SYS_capset},
      {"open_by_handle_at", SYS_open_by_handle_at},
      {"fanotify_init", SYS_fanotify_init},
      {"msgget", SYS_msgget},
      {"clone3", 435},
      {"newer", 599},
  };
  char body[6144];
  size_t used = 0;
  if (!is_walled("code_in_c_does_no_more") || strcmp(test_tool(), "asan") == 0)
    return;
  used += (size_t)snprintf(
      body, sizeof body,
      "  package.cpath = dir .. '/?.so'\n  local b = require 'breakout'\n"
      "  for _, name in ipairs{'exec', 'exec_memory', 'spawn', 'fork', 'clone', 'socket_pair', 'trace',\n"
      "    'read_parent', 'write_parent', 'signal_parent', 'signal_group', 'type_text', 'type_wide',\n"
      "    'enter_32', 'enter_x32'} do\n"
      "    local ok, why = b[name]()\n"
      "    refused(name, ok or (why ~= 'EPERM' and why ~= 'ENOSYS'), why)\n"
      "  end\n"
      "  for family = 0, 45 do for kind = 1, 5 do refused('socket', b.socket(family, kind)) end end\n"
      "  for _, path in ipairs{'/etc/passwd', '/proc/self/mem', '/proc/self/root/etc/passwd', out .. "
      "'/secret.txt'} do refused(path, b.open_read(path)) end\n"
      "  for _, path in ipairs{dir .. '/own.txt', dir .. '/new', out .. '/new', '/tmp/sp-new', "
      "'/proc/self/mem', '/proc/self/oom_score_adj'} do refused(path, b.open_write(path)) end\n"
      "  local path = dir .. '/own.txt'\n"
      "  refused('chmod', b.call(%ld, -100, path, 511))\n"
      "  refused('chown', b.call(%ld, -100, path, 1, 1, 0))\n"
      "  refused('utime', b.call(%ld, -100, path, 0, 0))\n"
      "  refused('truncate', b.call(%ld, path, 0))\n"
      "  refused('link', b.call(%ld, -100, path, -100, dir .. '/linked', 0))\n"
      "  refused('symlink', b.call(%ld, '/etc', -100, dir .. '/linked'))\n"
      "  refused('mkdir', b.call(%ld, -100, dir .. '/made', 511))\n"
      "  fine('thread', b.thread())\n  fine('executable memory', b.make_executable())\n"
      "  fine('signal to itself', b.signal_self())\n  fine('own', b.open_read(path))\n",
      (long)SYS_fchmodat, (long)SYS_fchownat, (long)SYS_utimensat, (long)SYS_truncate, (long)SYS_linkat,
      (long)SYS_symlinkat, (long)SYS_mkdirat);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    used += (size_t)snprintf(body + used, sizeof body - used,
                             "  do local ok, why = b.call(%ld, 0, 0, 0)\n"
                             "  refused('%s', ok or (why ~= 'EPERM' and why ~= 'ENOSYS'), why) end\n",
                             calls[i].number, calls[i].name);
  ck_assert_uint_lt(used, sizeof body - 1);
  attack(body, "");
  expect_held();
}

/* What a graphics driver started before the wall is behind it all the same. */
TEST(held, threads_that_are_older_do_no_more)
{
  if (!is_walled("threads_that_are_older_do_no_more") || strcmp(test_tool(), "") != 0)
    return;
  for (int trust = 0; trust < 2; trust++) {
    attack("  package.cpath = dir .. '/?.so'\n"
           "  print(require('breakout').other_threads())\n",
           trust ? "--trust" : "");
    RUN("BREAKOUT_THREAD=1 LD_PRELOAD=" SP_BUILD_DIR "/breakout.so " UNWALLED "--headless --frames 2 %s '%s/game' -- "
        "'%s/game' '%s'",
        trust ? "--trust" : "", play_folder, play_folder, play_folder);
    EXPECT_STATUS(0);
    ck_assert_msg(play_run.out[0] > '0', "no thread was reached: %s", play_run.out);
    ck_assert_int_eq(strstr(play_run.out, "\t0\ntried") != NULL, !trust);
  }
}

/* The same attempts come through where both walls are down: they are no empty words. */
TEST(held, trust_takes_both_walls_down)
{
  attack("  fine('execute', os.execute('true'))\n"
         "  fine('read', read('/etc/passwd'))\n"
         "  fine('write', io.open(out .. '/new', 'w'))\n"
         "  package.cpath = dir .. '/?.so'\n  local b = require 'breakout'\n"
         "  for _, name in ipairs{'fork', 'spawn', 'clone', 'socket_pair', 'signal_parent', 'signal_group'} do\n"
         "    fine(name, b[name]())\n"
         "  end\n"
         "  fine('socket', b.socket(1, 1))\n",
         "--trust");
  expect_held();
}

/* Nor does --check, which runs main.lua and classes. */
TEST(held, a_game_that_is_only_looked_over_is_walled_too)
{
  if (!is_walled("a_game_that_is_only_looked_over_is_walled_too"))
    return;
  play_write("main.lua", "print(os.execute 'true', (io.open '/etc/passwd'), io.open(arg0 or '/etc/passwd')) return {}");
  RUN(UNWALLED "--check %s", play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "nil");
  EXPECT_IN(play_run.out, "Permission denied");
  ck_assert_ptr_null(strstr(play_run.out, "true"));
  ck_assert_ptr_null(strstr(play_run.out, "file ("));
}

/* }== */

#endif

/* {== What is said ======================================================= */

static test_group said = {"said", play_open, play_close, 120};

TEST(said, the_version_says_which_walls_stand)
{
  char walls[WALL_TEXT_MOST], expected[WALL_TEXT_MOST + 32];
  wall_describe(walls);
  snprintf(expected, sizeof expected, ", sandbox: %s)\n", walls);
  RUN(PLAYER "--version");
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, expected);
}

#ifdef __linux__
static const struct lack {
  long calls[2];
  int error;
  const char *version, *line;
} lacks[] = {
    {{444, 444},
     ENOSYS,
     "sandbox: no Landlock (not in this kernel), seccomp)",
     "no Landlock (not in this kernel), seccomp"},
    {{444, 444},
     EOPNOTSUPP,
     "sandbox: no Landlock (not in this kernel), seccomp)",
     "no Landlock (not in this kernel), seccomp"},
    {{SYS_seccomp, SYS_seccomp}, ENOSYS, ", no seccomp (not in this kernel))", ", no seccomp (not in this kernel)"},
    {{444, SYS_seccomp},
     ENOSYS,
     "sandbox: no Landlock (not in this kernel), no seccomp (not in this kernel))",
     "no Landlock (not in this kernel), no seccomp (not in this kernel)"},
};

TESTS(said, a_kernel_without_is_told_in_one_line, (int)(sizeof lacks / sizeof *lacks))
{
  const struct lack *it = &lacks[_i];
  if (!is_walled("a_kernel_without_is_told_in_one_line"))
    return;
  for (int i = 0; i < 2; i++)
    ck_assert(test_refuse_call(it->calls[i], it->error));
  play_write("main.lua", "return { load = function() print 'plays' end }");
  RUN(PLAYER "--version");
  EXPECT_IN(play_run.out, it->version);
  ck_assert_str_eq(play_run.err, "");
  RUN(HEADLESS "--screenshot %s/shot.png %s && ls %s/shot.png", play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
  RUN(HEADLESS "%s 2>&1", play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "plays\n");
  EXPECT_LINES(play_run.out, 2);
  EXPECT_IN(play_run.out, "spawnpool: the second wall of the sandbox is not whole: ");
  EXPECT_IN(play_run.out, it->line);
  RUN(HEADLESS "--trust %s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
}
#endif

/* }== */

/* {== What goes on ======================================================= */

static test_group on = {"on", play_open, play_close, 120};

/* A picture that was there is not lost, and the current folder gets no other file. */
TEST(on, pictures_are_written_where_the_command_line_says)
{
  play_write("main.lua", "return {}");
  RUN("cd '%s' && cp main.lua shot.png && $OLDPWD/" PLAYER
      "--headless --frames 9 --screenshot shot.png --record film.png . && file shot.png film.png; ls | wc -l",
      play_folder);
  EXPECT_STATUS(0);
  RUN("head -c 4 '%s/shot.png'; head -c 4 '%s/film.png'; ls '%s' | wc -l", play_folder, play_folder, play_folder);
  EXPECT_IN(play_run.out, "\x89PNG\x89PNG3\n");
}

/* }== */

/* {== The process that writes ============================================ */

/* What the process answers to one who has taken over the player. */
static bool ask(const char *file, const char *problem)
{
  static const file_writer_names names = {{"named.png", ""}};
  file_writer s;
  png_bytes b = {.at = (unsigned char[]){"PNG"}, .size = 3};
  ck_assert(file_writer_open(&s, &names));
  bool saved = file_writer_save(&s, &b, file);
  if (!saved && *problem)
    ck_assert_str_eq(SDL_GetError(), problem);
  file_writer_close(&s);
  return saved;
}

TEST(on, a_picture_goes_where_it_may)
{
  static const char *const never[] = {"other.png",       "/tmp/spawnpool-1.png", "spawnpool-/../1.png",
                                      "spawnpool-1.lua", "spawnpool-.png",       "",
                                      "../named.png",    "spawnpool-1.png.png",  "spawnpool-taken.png"};
  const char *denied = "it is no file that the player may write";
  play_write("spawnpool-20260101-000000.png", "old");
  ck_assert_int_eq(chdir(play_folder), 0);
  ck_assert(ask("named.png", ""));
  ck_assert(ask("named.png", "")); /* it may be replaced */
  ck_assert(ask("spawnpool-20260102-000000-film-2.png", ""));
  ck_assert(!ask("spawnpool-20260102-000000-film-2.png", denied));
  ck_assert(!ask("spawnpool-20260101-000000.png", denied));
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    ck_assert_msg(!ask(never[i], denied), "%s", never[i]);
  play_expect("named.png", "PNG");
  play_expect("spawnpool-20260101-000000.png", "old");
  play_expect("spawnpool-20260102-000000-film-2.png", "PNG");
  ck_assert_int_eq(chdir("/"), 0);
}

/* It ends by itself, and by what it cannot follow. */
TEST(on, a_request_may_be_anything)
{
  static const file_writer_names names = {{"named.png", ""}};
  char bytes[4096];
  for (size_t size = 0; size < sizeof bytes; size += 97)
    for (int fill = 0; fill < 256; fill += 51) {
      int ends[2];
      memset(bytes, fill, sizeof bytes);
      ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
      ck_assert_int_eq(write(ends[0], bytes, size), (ssize_t)size);
      shutdown(ends[0], SHUT_WR);
      file_writer_serve(ends[1], &names);
      close(ends[0]);
      close(ends[1]);
    }
}

/* }== */

SUITE(wall, &held, &said, &on)
