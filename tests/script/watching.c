#include "script/watching.h"

#include "support/process.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

watching watching_now;

void watching_setup(void)
{
  memset(&watching_now, 0, sizeof watching_now);
  ck_assert(test_folder_make(watching_now.folder, sizeof watching_now.folder));
}

void watching_teardown(void)
{
  sp_watch_close(watching_now.watch);
  ck_assert(test_memory_is_clean(&watching_now.memory));
  test_folder_remove(watching_now.folder);
}

const char *watching_path(const char *name)
{
  static char paths[4][512];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", watching_now.folder, name);
  return path;
}

void watching_put(const char *name, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s", watching_path(name));
  for (char *slash = strchr(path + strlen(watching_now.folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

void watching_save(const char *name, const char *text)
{
  nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
  watching_put(name, text);
}

sp_watch *watching_open(void)
{
  static const char *const lua[] = {".lua", NULL};
  sp_watch_options options = {.root = watching_now.folder,
                              .folder = watching_now.holds_all ? NULL : watching_now.folder,
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
  size_t used = strlen(told), room = sizeof watching_now.told - used, root = strlen(watching_now.folder);
  ck_assert(strncmp(c->path, watching_now.folder, root) == 0 && (c->path[root] == '/' || c->path[root] == '\0'));
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
