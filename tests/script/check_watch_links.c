/*
** What the watcher meets in a folder besides files and folders: links of all kinds, pipes, sockets and devices; and
** folders that have no end.
*/
#include "script/watching.h"
#include "support/process.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void link_to(const char *target, const char *name) { ck_assert_int_eq(symlink(target, watching_path(name)), 0); }

static void move(const char *from, const char *to)
{
  ck_assert_int_eq(rename(watching_path(from), watching_path(to)), 0);
}

static void count_folder(void *ud, const char *folder)
{
  size_t *count = ud;
  ck_assert_ptr_nonnull(folder);
  *count += 1;
}

static size_t folder_count(void)
{
  size_t count = 0;
  sp_watch_folders(watching_now.watch, count_folder, &count);
  return count;
}

#define NOT_FOLLOWED "it is a link that leads out of the game's folder, and is not followed"

/* Like watching_start, on a folder in the folder. */
static void start_at(const char *name)
{
  snprintf(watching_now.folder + strlen(watching_now.folder), 64, "/%s", name);
  watching_start();
}

/* Back to the folder of the test, for its removal. */
static void leave(void) { *strrchr(watching_now.folder, '/') = '\0'; }

/* Those that lead inside lead to what is watched under its own name; the others are told once. */
START_TEST(links_to_folders_are_not_followed)
{
  watching_put("game/a.lua", "one");
  watching_put("game/real/b.lua", "one");
  watching_put("lib/c.lua", "one");
  link_to("../lib", "game/lib");
  link_to("real", "game/inner");
  link_to(".", "game/self");
  link_to("..", "game/real/up");
  link_to("/", "game/real/root");
  start_at("game");
  watching_expect(5, "+ lib [" NOT_FOLLOWED "]\n+ real/root [" NOT_FOLLOWED "]\n--\n");
  ck_assert_uint_eq(folder_count(), 2);
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), 2);
  leave();
  watching_save("lib/c.lua", "other");
  watching_save("game/inner/b.lua", "other");
  strcat(watching_now.folder, "/game");
  watching_expect(5, "~ real/b.lua [other]\n--\n");
  unlink(watching_path("lib"));
  watching_put("lib/d.lua", "new");
  watching_expect(5, "+ lib/d.lua [new]\n--\n");
  leave();
}
END_TEST

/* Moved away with all that is in it, it has the same stamp as before; a link in its place leads out. */
START_TEST(a_folder_may_become_a_link)
{
  watching_put("game/a.lua", "one");
  watching_put("game/sub/deep/b.lua", "one");
  start_at("game");
  ck_assert_uint_eq(folder_count(), 3);
  leave();
  move("game/sub", "away");
  link_to("../away", "game/sub");
  watching_put("away/deep/c.lua", "new");
  watching_put("away/more/d.lua", "new");
  strcat(watching_now.folder, "/game");
  watching_pass(8);
  ck_assert_uint_eq(folder_count(), 1);
  ck_assert_ptr_nonnull(strstr(watching_now.told, "+ sub [" NOT_FOLLOWED "]\n"));
  ck_assert_ptr_null(strstr(watching_now.told, "c.lua"));
  ck_assert_ptr_null(strstr(watching_now.told, "d.lua"));
  leave();
  unlink(watching_path("game/sub"));
  move("away", "game/sub");
  strcat(watching_now.folder, "/game");
  watching_pass(8);
  ck_assert_uint_eq(folder_count(), 4);
  ck_assert_ptr_nonnull(strstr(watching_now.told, "+ sub/deep/c.lua [new]\n"));
  leave();
}
END_TEST

/* Four links to the folder itself make 4^16 paths of 16 links. */
START_TEST(a_folder_of_links_to_itself_is_one_folder)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  watching_put("x.lua", "one");
  for (size_t i = 0; i < 4; i++)
    link_to(".", names[i]);
  watching_start();
  ck_assert_uint_eq(folder_count(), 1);
  watching_expect(1, "");
}
END_TEST

START_TEST(a_root_that_leads_out_is_not_listed)
{
  watching_put("game/sprites/a.lua", "one");
  watching_put("other/b.lua", "one");
  static const char *const endings[] = {".lua", NULL};
  char game[300], root[320];
  snprintf(game, sizeof game, "%s", watching_path("game"));
  snprintf(root, sizeof root, "%s/sprites", game);
  watching_now.watch = sp_watch_open(&(sp_watch_options){.root = root, .folder = game, .endings = endings});
  strcat(watching_now.folder, "/game/sprites");
  watching_expect(1, "");
  leave();
  leave();
  move("game/sprites", "game/before");
  link_to("../other", "game/sprites");
  strcat(watching_now.folder, "/game");
  watching_pass(3);
  ck_assert_str_eq(watching_now.told, "+ sprites [" NOT_FOLLOWED "]\n- sprites/a.lua\n--\n");
  unlink(watching_path("sprites"));
  link_to("before", "sprites");
  watching_now.told[0] = '\0';
  watching_expect(3, "+ sprites/a.lua [one]\n--\n");
  leave();
}
END_TEST

START_TEST(folders_are_watched_sixteen_deep)
{
  char name[128] = "";
  for (int depth = 0; depth < 17; depth++) {
    strcat(name, "d/");
    char file[160];
    snprintf(file, sizeof file, "%sx.lua", name);
    watching_put(file, "one");
  }
  watching_start();
  ck_assert_uint_eq(folder_count(), 17);
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), 16);
  watching_expect(5,
                  "+ d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d [it lies more than 16 folders deep, and is not watched]\n--\n");
}
END_TEST

START_TEST(a_folder_without_end_is_watched_up_to_a_limit)
{
  char name[32];
  watching_put("a/main.lua", "one");
  for (int i = 0; i < SP_WATCH_MOST; i++) {
    snprintf(name, sizeof name, "b/%05d.lua", i);
    watching_put(name, "");
  }
  watching_start();
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), SP_WATCH_MOST - 3);
  watching_pass(1);
  ck_assert_ptr_nonnull(strstr(watching_now.told, ". [there are more than 20000 files and folders here, and the rest "
                                                  "is not watched; give the game a folder of its own]\n"));
  watching_now.told[0] = '\0';
  watching_save("a/main.lua", "other");
  watching_expect(10, "~ a/main.lua [other]\n--\n");
}
END_TEST

START_TEST(what_is_no_file_says_what_it_is)
{
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  watching_put("x.lua/y.lua", "one");
  watching_put("z.lua", "one");
  watching_start();
  ck_assert_int_eq(mkfifo(watching_path("pipe.lua"), 0600), 0);
  link_to("/dev/zero", "device.lua");
  link_to("nowhere.lua", "dangling.lua");
  link_to("/etc/passwd", "out.lua");
  snprintf(name.sun_path, sizeof name.sun_path, "%s", watching_path("socket.lua"));
  ck_assert_int_eq(bind(server, (struct sockaddr *)&name, sizeof name), 0);
  watching_expect(1, "+ dangling.lua [it is a link to 'nowhere.lua', which does not exist; fix or remove it]\n"
                     "+ device.lua [it is outside the game's folder; move it in, or start with --trust]\n"
                     "+ out.lua [it is outside the game's folder; move it in, or start with --trust]\n"
                     "+ pipe.lua [it is a pipe, not a file; replace or remove it]\n"
                     "+ socket.lua [it is a socket, not a file; replace or remove it]\n--\n");
  watching_expect(5, "");
  watching_put("nowhere.lua", "now");
  watching_expect(5, "~ dangling.lua [now]\n+ nowhere.lua [now]\n--\n");
  close(server);
}
END_TEST

START_TEST(outside_a_sandbox_links_lead_anywhere_but_not_to_devices)
{
  watching_put("game/a.lua", "one");
  watching_put("b", "two");
  start_at("game");
  sp_watch_close(watching_now.watch);
  watching_now.holds_all = true;
  watching_start();
  link_to("../b", "out.lua");
  link_to("/dev/zero", "device.lua");
  watching_expect(5, "+ device.lua [it is a device, not a file; replace or remove it]\n+ out.lua [two]\n--\n");
  leave();
}
END_TEST

START_TEST(a_file_may_become_anything_and_a_file_again)
{
  watching_put("a.lua", "one");
  watching_start();
  unlink(watching_path("a.lua"));
  watching_put("a.lua/new.lua", "new");
  watching_expect(5, "- a.lua\n--\n+ a.lua/new.lua [new]\n--\n");
  test_folder_remove(watching_path("a.lua"));
  ck_assert_int_eq(mkfifo(watching_path("a.lua"), 0600), 0);
  watching_expect(5, "+ a.lua [it is a pipe, not a file; replace or remove it]\n- a.lua/new.lua\n--\n");
  unlink(watching_path("a.lua"));
  link_to("a.lua", "a.lua");
  watching_expect(5, "~ a.lua [it is a link that leads to itself; fix or remove it]\n--\n");
  unlink(watching_path("a.lua"));
  watching_put("a.lua", "one");
  watching_expect(5, "~ a.lua [one]\n--\n");
}
END_TEST

/* The text is there in full, or not at all. */
START_TEST(a_file_that_grows_while_it_is_read_is_told_whole)
{
  watching_put("a.lua", "");
  watching_start();
  FILE *f = fopen(watching_path("a.lua"), "w");
  for (int i = 0; i < 30; i++) {
    fputs("0123456789", f);
    fflush(f);
    watching_pass(0.03);
  }
  fclose(f);
  watching_pass(1);
  const char *last = strrchr(watching_now.told, '[');
  ck_assert_ptr_nonnull(last);
  ck_assert_uint_eq(strcspn(last + 1, "]"), 300);
}
END_TEST

START_TEST(a_linked_file_is_told_when_its_target_is_edited_or_another)
{
  watching_put("lib/a.txt", "one");
  watching_put("lib/b.txt", "two");
  link_to("lib/a.txt", "x.lua");
  link_to("lib/b.txt", "next");
  watching_start();
  watching_save("lib/a.txt", "other");
  watching_expect(1, "~ x.lua [other]\n--\n");
  move("next", "x.lua");
  watching_expect(1, "~ x.lua [two]\n--\n");
}
END_TEST

Suite *sp_suite_watch_links(void)
{
  Suite *suite = suite_create("watch_links");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, watching_setup, watching_teardown);
  tcase_set_timeout(core, WATCHING_TIMEOUT);
  tcase_add_test(core, links_to_folders_are_not_followed);
  tcase_add_test(core, a_folder_may_become_a_link);
  tcase_add_test(core, a_folder_of_links_to_itself_is_one_folder);
  tcase_add_test(core, a_root_that_leads_out_is_not_listed);
  tcase_add_test(core, folders_are_watched_sixteen_deep);
  tcase_add_test(core, a_folder_without_end_is_watched_up_to_a_limit);
  tcase_add_test(core, what_is_no_file_says_what_it_is);
  tcase_add_test(core, outside_a_sandbox_links_lead_anywhere_but_not_to_devices);
  tcase_add_test(core, a_file_may_become_anything_and_a_file_again);
  tcase_add_test(core, a_file_that_grows_while_it_is_read_is_told_whole);
  tcase_add_test(core, a_linked_file_is_told_when_its_target_is_edited_or_another);
  suite_add_tcase(suite, core);
  return suite;
}
