/*
** Directory events: every way to save wakes, and what is not followed, gone or impossible stays silent.
*/
#include "demo/app/folder_events.h"
#include "demo/app/hot_reload.h"
#include "support/process.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char root[256];
static char woken[65536]; /* the folders in the order of events, each followed by a newline */
static folder_events *w;

static void on_event(void *ud, const char *folder)
{
  ck_assert_ptr_eq(ud, root);
  if (strlen(woken) + strlen(folder) + 2 < sizeof woken)
    strcat(strcat(woken, folder), "\n");
}

static void setup(void)
{
  woken[0] = '\0';
  ck_assert(test_folder_make(root, sizeof root));
  w = folder_events_open(on_event, root);
  ck_assert_ptr_nonnull(w);
}

static void teardown(void)
{
  folder_events_close(w);
  test_folder_remove(root);
}

/* Valid for three more calls. */
static const char *in_root(const char *name)
{
  static char paths[4][512];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", root, name);
  return path;
}

static void put(const char *name, const char *text)
{
  FILE *f = fopen(in_root(name), "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

static void pause_shortly(void) { nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); }

/* Waits until `folder` was named, ten seconds at most. */
static bool is_woken(const char *folder)
{
  char line[520];
  snprintf(line, sizeof line, "%s\n", folder);
  for (int i = 0; i < 2000; i++) {
    folder_events_poll(w);
    if (strstr(woken, line))
      return true;
    pause_shortly();
  }
  return false;
}

/* Lets the events that are under way arrive, and forgets them. */
static void forget(void)
{
  folder_events_poll(w);
  pause_shortly();
  folder_events_poll(w);
  woken[0] = '\0';
}

static void follow(const char *folder) { folder_events_follow(w, &folder, 1); }

static void write_in_place(void) { put("a.lua", "other"); }
static void rename_onto(void)
{
  put("a.tmp", "other");
  forget();
  ck_assert_int_eq(rename(in_root("a.tmp"), in_root("a.lua")), 0);
}
static void remove_file(void) { unlink(in_root("a.lua")); }
static void make_file(void) { put("b.lua", "new"); }
static void make_folder(void) { ck_assert_int_eq(mkdir(in_root("folder"), 0700), 0); }

static test_group events = {"events", setup, teardown};

TEST(events, every_way_to_save_wakes)
{
  static void (*const ways[])(void) = {write_in_place, rename_onto, remove_file, make_file, make_folder};
  put("a.lua", "one");
  follow(root);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    forget();
    ways[i]();
    ck_assert_msg(is_woken(root), "way %zu", i);
  }
}

TEST(events, nothing_happens_by_itself)
{
  follow(root);
  for (int i = 0; i < 10; i++) {
    folder_events_poll(w);
    pause_shortly();
  }
  ck_assert_str_eq(woken, "");
}

TEST(events, only_followed_folders_wake)
{
  mkdir(in_root("a"), 0700);
  mkdir(in_root("b"), 0700);
  const char *a = in_root("a"), *b = in_root("b");
  follow(a);
  follow(b);
  put("a/x.lua", "one");
  put("b/x.lua", "one");
  ck_assert(is_woken(b));
  ck_assert_ptr_null(strstr(woken, a));
}

TEST(events, a_folder_that_stays_loses_no_event)
{
  mkdir(in_root("a"), 0700);
  const char *both[] = {root, in_root("a")};
  follow(root);
  put("x.lua", "one");
  folder_events_follow(w, both, 2);
  put("a/x.lua", "one");
  ck_assert(is_woken(root));
  ck_assert(is_woken(both[1]));
}

TEST(events, a_folder_that_goes_and_comes_back_wakes_again)
{
  char a[300];
  snprintf(a, sizeof a, "%s/a", root);
  mkdir(a, 0700);
  follow(a);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(i == 1 ? rename(a, in_root("old")) : rmdir(a), 0);
    ck_assert(is_woken(a));
    forget();
    ck_assert_int_eq(mkdir(a, 0700), 0);
    ck_assert(is_woken(a)); /* for what happened in between */
    forget();
    put("a/x.lua", "one");
    ck_assert(is_woken(a));
    unlink(in_root("a/x.lua"));
    forget();
  }
}

TEST(events, a_folder_that_was_replaced_wakes_once_it_is_followed_again)
{
  char folder[300];
  snprintf(folder, sizeof folder, "%s/up/a", root);
  for (int i = 0; i < 2; i++) {
    mkdir(in_root("up"), 0700);
    mkdir(in_root("up/a"), 0700);
    if (i == 0) {
      follow(folder);
      ck_assert_int_eq(rename(in_root("up"), in_root("old")), 0);
    }
  }
  forget();
  follow(folder);
  put("up/a/x.lua", "one");
  ck_assert(is_woken(folder));
}

TEST(events, what_is_no_longer_followed_is_silent)
{
  follow(root);
  folder_events_follow(w, NULL, 0);
  put("x.lua", "one");
  folder_events_poll(w);
  pause_shortly();
  folder_events_poll(w);
  ck_assert_str_eq(woken, "");
}

TEST(events, a_missing_folder_is_silent)
{
  const char *both[] = {"/nowhere/at/all", root};
  folder_events_follow(w, both, 2);
  put("x.lua", "one");
  ck_assert(is_woken(root));
  ck_assert_ptr_null(strstr(woken, "nowhere"));
}

TEST(events, many_folders_wake)
{
  enum { COUNT = 100 };
  char names[COUNT][300], file[32];
  const char *folders[COUNT];
  for (int i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof names[i], "%s/f%02d", root, i);
    mkdir(names[i], 0700);
    folders[i] = names[i];
  }
  folder_events_follow(w, folders, COUNT);
  folder_events_follow(w, folders, COUNT);
  for (int i = 0; i < COUNT; i++) {
    snprintf(file, sizeof file, "f%02d/x.lua", i);
    put(file, "one");
  }
  for (int i = 0; i < COUNT; i++)
    ck_assert_msg(is_woken(names[i]), "%s", names[i]);
}

static void follow_nothing(void *ud, const char *folder)
{
  (void)folder;
  folder_events_follow(*(folder_events **)ud, NULL, 0);
}

TEST(events, who_is_woken_may_follow_others)
{
  folder_events *own = NULL;
  own = folder_events_open(follow_nothing, &own);
  const char *folder = root;
  folder_events_follow(own, &folder, 1);
  put("x.lua", "one");
  put("y.lua", "one");
  for (int i = 0; i < 4; i++) {
    folder_events_poll(own);
    pause_shortly();
  }
  folder_events_close(own);
}

TEST(events, nothing_may_be_polled_and_closed)
{
  folder_events_follow(NULL, NULL, 0);
  folder_events_poll(NULL);
  folder_events_close(NULL);
}

/* A short run would end before it had any use of events. */
TEST(events, a_player_asks_for_events_only_after_a_while)
{
  char problem[256];
  sp_script_options options = {.path = root, .reload = true};
  hot_reload it;
  put("main.lua", "return {}");
  sp_script *script = sp_script_open(&options, problem, sizeof problem);
  ck_assert_msg(script != NULL, "%s", problem);
  hot_reload_open(&it, script, true, 100);
  hot_reload_poll(&it, 100 + HOT_RELOAD_LISTEN_AFTER / 2);
  ck_assert_ptr_null(it.events);
  hot_reload_poll(&it, 100 + HOT_RELOAD_LISTEN_AFTER);
  ck_assert_ptr_nonnull(it.events);
  hot_reload_close(&it);
  hot_reload_open(&it, script, false, 100);
  hot_reload_poll(&it, 1e9);
  ck_assert_ptr_null(it.events);
  hot_reload_close(&it);
  sp_script_close(script);
}

SUITE(folder_events, &events)
