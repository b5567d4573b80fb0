#include "script/watching.h"

#include "support/files.h"
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

void watching_setup(void)
{
  memset(&watching_now, 0, sizeof watching_now);
  ck_assert(test_folder_make(watching_now.folder, sizeof watching_now.folder));
  strcpy(watching_now.root, watching_now.folder);
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
  sp_watch_options options = {.root = watching_now.root,
                              .folder = watching_now.holds_all ? NULL : watching_now.root,
                              .endings = lua,
                              .depth = SP_WATCH_DEEPEST,
                              .alloc = test_memory_fn,
                              .ud = &watching_now.memory};
  return sp_watch_open(&options);
}

void watching_start(void)
{
  watching_now.watch = watching_open();
  ck_assert_ptr_nonnull(watching_now.watch);
  watching_poll(0, false);
}

static void note(const sp_watch_change *c)
{
  char *told = watching_now.told;
  size_t used = strlen(told), room = sizeof watching_now.told - used, root = strlen(watching_now.root);
  ck_assert(strncmp(c->path, watching_now.root, root) == 0 && (c->path[root] == '/' || c->path[root] == '\0'));
  ck_assert(c->text || c->size == 0);
  ck_assert(!c->text || (!c->problem && c->text[c->size] == '\0'));
  const char *name = c->path[root] ? c->path + root + 1 : ".", *content = c->text ? c->text : c->problem;
  snprintf(told + used, room, content ? "%c %s [%s]\n" : "%c %s\n", "+~-"[c->kind], name, content);
}

size_t watching_poll(double seconds, bool hurry)
{
  sp_watch_change change;
  size_t count = 0;
  watching_now.now += seconds;
  for (bool due = sp_watch_poll(watching_now.watch, watching_now.now, hurry);
       sp_watch_next(watching_now.watch, &change); count++) {
    ck_assert(due);
    note(&change);
  }
  if (count > 0)
    strncat(watching_now.told, "--\n", sizeof watching_now.told - strlen(watching_now.told) - 1);
  return count;
}

void watching_pass(double seconds)
{
  for (double end = watching_now.now + seconds; watching_now.now < end;)
    watching_poll(1.0 / 60, false);
}

void watching_expect(double seconds, const char *told)
{
  watching_pass(seconds);
  ck_assert_str_eq(watching_now.told, told);
  watching_now.told[0] = '\0';
}

/* {== Scripts ============================================================ */

static FILE *written; /* between "open" and "close" */
static unsigned serial;

static void nothing(void *ud, const char *folder) { *(size_t *)ud += folder != NULL; }

/* "~ a [x] | + b [y] || - c" as watching_now.told has it. */
static void expand(char *told, size_t size, const char *changes)
{
  size_t used = 0;
  told[0] = '\0';
  for (const char *at = changes; *at && used < size - 8;) {
    bool batch = strncmp(at, " || ", 4) == 0, change = strncmp(at, " | ", 3) == 0;
    used += (size_t)snprintf(told + used, size - used, "%s", batch ? "\n--\n" : change ? "\n" : (char[]){*at, 0});
    at += batch ? 4 : change ? 3 : 1;
  }
  if (used > 0)
    snprintf(told + used, size - used, "\n--\n");
}

static bool edit_file(const char *command, const char *name, const char *rest)
{
  const char *path = watching_path(name);
  bool done = true, known = true;
  if (strcmp(command, "put") == 0)
    watching_put(name, rest);
  else if (strcmp(command, "save") == 0)
    watching_save(name, rest);
  else if (strcmp(command, "rm") == 0)
    done = unlink(path) == 0;
  else if (strcmp(command, "rmdir") == 0)
    test_folder_remove(path);
  else if (strcmp(command, "mkdir") == 0)
    done = mkdir(path, 0700) == 0;
  else if (strcmp(command, "mv") == 0)
    done = rename(path, watching_path(rest)) == 0;
  else if (strcmp(command, "ln") == 0)
    done = symlink(name, watching_path(rest)) == 0;
  else if (strcmp(command, "pipe") == 0)
    done = mkfifo(path, 0600) == 0;
  else if (strcmp(command, "size") == 0)
    done = truncate(path, atol(rest)) == 0;
  else if (strcmp(command, "time") == 0)
    done = utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_sec = atol(rest)}, {.tv_sec = atol(rest)}}, 0) == 0;
  else if (strcmp(command, "open") == 0)
    done = (written = fopen(path, "w")) != NULL;
  else
    known = false;
  ck_assert_msg(done, "%s %s %s", command, name, rest);
  return known;
}

static bool ask_watch(const char *command, const char *name, const char *rest)
{
  size_t folders = 0;
  unsigned now = watching_now.watch ? sp_watch_folders(watching_now.watch, nothing, &folders) : 0;
  if (strcmp(command, "more") == 0)
    ck_assert(fprintf(written, "%s%s%s", name, *rest ? " " : "", rest) > 0 && fflush(written) == 0);
  else if (strcmp(command, "close") == 0)
    ck_assert_int_eq(fclose(written), 0);
  else if (strcmp(command, "start") == 0) {
    snprintf(watching_now.root, sizeof watching_now.root, "%s", watching_path(name));
    watching_now.root[strlen(watching_now.root) - !*name] = '\0'; /* no slash at the end */
    watching_start();
    for (size_t n = strlen(watching_now.root); watching_now.root[n - 1] == '/'; n--)
      watching_now.root[n - 1] = '\0';
  } else if (strcmp(command, "anywhere") == 0)
    watching_now.holds_all = true;
  else if (strcmp(command, "wake") == 0)
    sp_watch_wake(watching_now.watch, strcmp(name, ".") == 0 ? watching_now.folder : watching_path(name));
  else if (strcmp(command, "wakeall") == 0)
    sp_watch_wake(watching_now.watch, NULL);
  else if (strcmp(command, "pass") == 0)
    watching_pass(atof(name));
  else if (strcmp(command, "poll") == 0)
    ck_assert_int_eq((int)watching_poll(atof(name), false), atoi(rest));
  else if (strcmp(command, "soon") == 0) {
    size_t count = watching_poll(0, false);
    for (int i = 0; i < 2; i++)
      count += watching_poll(0.0201, false);
    ck_assert_uint_eq(count, (unsigned)atoi(name));
  } else if (strcmp(command, "hurry") == 0)
    ck_assert_int_eq((int)watching_poll(0, true), atoi(name));
  else if (strcmp(command, "files") == 0)
    ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), (unsigned)atoi(name));
  else if (strcmp(command, "folders") == 0)
    ck_assert_uint_eq(folders, (unsigned)atoi(name));
  else if (strcmp(command, "serial") == 0)
    serial = now;
  else if (strcmp(command, "other") == 0 || strcmp(command, "same") == 0)
    ck_assert_int_eq(now == serial, strcmp(command, "same") == 0);
  else
    return false;
  return true;
}

static void play_line(const char *line)
{
  char command[32] = "", name[200] = "", told[2048];
  int rest = 0;
  sscanf(line, "%31s%n %199s%n", command, &rest, name, &rest);
  const char *left = line + rest + (line[rest] == ' ');
  if (strcmp(name, "=") == 0) {
    expand(told, sizeof told, left);
    watching_expect(atof(command), told);
  } else
    ck_assert_msg(edit_file(command, name, left) || ask_watch(command, name, left), "there is no '%s'", line);
}

void watching_play(const char *script)
{
  char line[2048];
#ifdef _WIN32 /* has no pipes in folders, and links for few users */
  if (strstr(script, "\nln ") || strstr(script, "\npipe ") || strncmp(script, "ln ", 3) == 0)
    return;
#endif
  for (const char *at = script, *end; *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
    play_line(line);
  }
}

/* }== */
