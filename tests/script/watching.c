#include "script/watching.h"

#include "script/state/platform.h"
#include "support/process.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

watching watching_now;

static uint64_t date(void) { return watching_now.date; }

void watching_setup(void)
{
  watching_now = (watching){.date = sp_date_nanoseconds()};
  ck_assert(test_folder_make(watching_now.folder, sizeof watching_now.folder));
  watching_now.holder = strcpy(watching_now.root, watching_now.folder);
}

void watching_teardown(void)
{
  sp_watch_close(watching_now.watch);
  ck_assert(test_memory_is_clean(&watching_now.memory));
  test_folder_remove(watching_now.folder);
}

const char *watching_path(const char *name) { return test_path(watching_now.folder, name); }

void watching_put(const char *name, const char *text) { test_write(watching_path(name), text); }

void watching_save(const char *name, const char *text)
{
  nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
  watching_put(name, text);
}

sp_watch *watching_open(void)
{
  static const char *const lua[] = {".lua", NULL};
  return sp_watch_open(&(sp_watch_options){.root = watching_now.root,
                                           .folder = watching_now.holds_all ? NULL : watching_now.holder,
                                           .endings = lua,
                                           .depth = SP_WATCH_DEEPEST,
                                           .alloc = watching_now.alloc ? watching_now.alloc : test_memory_fn,
                                           .ud = &watching_now.memory,
                                           .date = date});
}

void watching_start(void)
{
  watching_now.watch = watching_open();
  ck_assert_ptr_nonnull(watching_now.watch);
  watching_poll(0, false);
}

static void note(const sp_watch_change *c, const char *separator)
{
  char *told = watching_now.told;
  size_t used = strlen(told), room = sizeof watching_now.told - used, root = strlen(watching_now.root);
  ck_assert(strncmp(c->path, watching_now.root, root) == 0 && (c->path[root] == '/' || c->path[root] == '\0'));
  ck_assert(c->text ? !c->problem && c->text[c->size] == '\0' : c->size == 0);
  const char *name = c->path[root] ? c->path + root + 1 : ".", *content = c->text ? c->text : c->problem;
  snprintf(told + used, room, content ? "%s%c %s [%s]" : "%s%c %s", used ? separator : "", "+~-"[c->kind], name,
           content);
}

size_t watching_poll(double seconds, bool hurry)
{
  sp_watch_change change;
  size_t count = 0;
  watching_now.now += seconds;
  bool due = sp_watch_poll(watching_now.watch, watching_now.now, hurry);
  for (; sp_watch_next(watching_now.watch, &change); count++)
    note(&change, count > 0 ? " | " : " || ");
  ck_assert(due || count == 0);
  return count;
}

void watching_expect(double seconds, const char *told)
{
  for (double end = watching_now.now + seconds; watching_now.now < end;)
    watching_poll(1.0 / 60, false);
  ck_assert_str_eq(watching_now.told, told);
  watching_now.told[0] = '\0';
}

/* {== Scripts ============================================================ */

static FILE *written; /* between "open" and "close" */

static bool run(const char *command)
{
  char line[800];
  snprintf(line, sizeof line, "cd '%s' && %s", watching_now.folder, command);
  return system(line) == 0;
}

/* `rest` is what comes after the name, `line` all that comes after the command. Returns whether it went well. */
static bool edit(const char *command, const char *name, const char *rest, const char *line)
{
  const char *path = watching_path(name);
  if (strcmp(command, "put") == 0)
    return watching_put(name, rest), true;
  if (strcmp(command, "save") == 0)
    return watching_save(name, rest), true;
  if (strcmp(command, "rm") == 0)
    return unlink(path) == 0;
  if (strcmp(command, "rmdir") == 0)
    return test_folder_remove(path), true;
  if (strcmp(command, "mv") == 0)
    return rename(path, watching_path(rest)) == 0;
  if (strcmp(command, "ln") == 0)
    return symlink(name, watching_path(rest)) == 0;
  if (strcmp(command, "pipe") == 0)
    return mkfifo(path, 0600) == 0;
  if (strcmp(command, "size") == 0)
    return truncate(path, atol(rest)) == 0;
  if (strcmp(command, "time") == 0)
    return utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_sec = atol(rest)}, {.tv_sec = atol(rest)}}, 0) == 0;
  if (strcmp(command, "sh") == 0)
    return run(line);
  if (strcmp(command, "open") == 0)
    return (written = fopen(path, "w")) != NULL;
  if (strcmp(command, "more") == 0)
    return fputs(line, written) >= 0 && fflush(written) == 0;
  return strcmp(command, "close") == 0 && fclose(written) == 0;
}

static void play_line(const char *line)
{
  char command[32] = "", name[200] = "";
  int end = 0, rest = 0;
  sscanf(line, "%31s %n%199s%n", command, &end, name, &rest);
  const char *left = rest > 0 ? line + rest + (line[rest] == ' ') : "";
  if (strcmp(name, "=") == 0) {
    watching_expect(atof(command), left);
  } else if (strcmp(command, "start") == 0) {
    snprintf(watching_now.root, sizeof watching_now.root, "%s%s%s", watching_now.folder, *name ? "/" : "", name);
    watching_now.holder = *left ? watching_path(left) : watching_now.root;
    watching_start();
  } else if (strcmp(command, "anywhere") == 0) {
    watching_now.holds_all = true;
  } else if (strcmp(command, "poll") == 0) {
    ck_assert_int_eq((int)watching_poll(atof(name), false), atoi(left));
  } else if (strcmp(command, "hurry") == 0) {
    ck_assert_int_eq((int)watching_poll(0, true), atoi(name));
  } else {
    ck_assert_msg(edit(command, name, left, line + end), "%s", line);
  }
}

void watching_play(const char *script)
{
  char line[2048];
#ifdef _WIN32 /* has no pipes in folders, no shell, and links for few users */
  if (strstr(script, "ln ") || strstr(script, "pipe ") || strstr(script, "sh "))
    return;
#endif
  for (const char *at = script, *end; *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
    play_line(line);
  }
}

/* }== */
