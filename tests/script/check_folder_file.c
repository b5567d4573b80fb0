/*
** Files beneath a folder: whatever is renamed or linked while they are opened, nothing outside is read. Where links and
** names lead is in files.lua.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif

#include "script/state/disk.h"
#include "support/process.h"
#include "support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPENS = 4000 };

static char folder[256]; /* has game/, the folder of a game, and outside/ beside it */

static const char *path_of(const char *name) { return test_path(folder, name); }

static void setup(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  test_write(path_of("game/lib/part.lua"), "own");
  test_write(path_of("game/lib/deep/part.lua"), "own");
  test_write(path_of("outside/part.lua"), "secret");
  test_write(path_of("outside/deep/part.lua"), "secret");
  test_write(path_of("outside/secret.lua"), "secret");
}

static void teardown(void) { test_folder_remove(folder); }

static test_group core = {"core", setup, teardown, 120};

/* Returns the content of `path`, a name beneath `folder`; "" when it is refused. */
static const char *content(const char *path)
{
  static char text[64];
  char problem[SP_FILE_PROBLEM_MOST];
  int file = sp_folder_open(path_of("game"), path_of(path), problem);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  text[size] = '\0';
  return text;
}

/* Returns whether the folder could be listed. */
static bool lists_no_secret(void)
{
  sp_folder_stream *dir = sp_folder_list(path_of("game"), path_of("game/lib"));
  for (const char *name; dir && (name = sp_folder_stream_next(dir, NULL)) != NULL;)
    ck_assert_str_ne(name, "secret.lua");
  sp_folder_stream_close(dir);
  return dir != NULL;
}

static bool exchange(const char *a, const char *b)
{
#ifdef SYS_renameat2
  return syscall(SYS_renameat2, AT_FDCWD, path_of(a), AT_FDCWD, path_of(b), 2 /* RENAME_EXCHANGE */) == 0;
#else
  (void)a, (void)b;
  return false;
#endif
}

/* The link takes turns in the place of a folder, a file, a folder above. */
static const struct race {
  const char *target, *place;
} races[] = {
    {"../outside", "game/lib"},
    {"../outside/secret.lua", "game/lib/part.lua"},
    {"../../outside/deep", "game/lib/deep"},
    {"/", "game/lib"},
};

TESTS(core, nothing_outside_is_read_or_listed_while_a_folder_becomes_a_link, (int)(sizeof races / sizeof *races))
{
  const struct race *it = &races[_i];
  int own = 0, refused = 0, listed = 0;
  ck_assert_int_eq(symlink(it->target, path_of("game/link")), 0);
  if (!exchange("game/link", it->place)) {
    test_skip("nothing_outside_is_read_while_a_folder_becomes_a_link", "names cannot be exchanged here");
    return;
  }
  pid_t pid = fork();
  while (pid == 0 && getppid() != 1) /* until it is killed */
    exchange("game/link", it->place);
  if (pid == 0)
    _exit(0);
  for (int i = 0; i < OPENS || ((own == 0 || refused == 0) && i < 100 * OPENS); i++) {
    const char *text = content(i % 2 ? "game/lib/part.lua" : "game/lib/deep/part.lua");
    own += strcmp(text, "own") == 0;
    refused += !*text;
    ck_assert_msg(strcmp(text, "own") == 0 || !*text, "'%s' was read", text);
    listed += lists_no_secret();
  }
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  ck_assert(own > 0 && refused > 0 && listed > 0);
}

SUITE(folder_file, &core)
