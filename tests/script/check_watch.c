/*
** The file watcher: its reports for all the ways in which editors, tools and users change files, folders and links; and
** its limits. Real files, and a clock that only the test moves: time passes in frames, and changes are collected as
** text. A script does it all, one command a line; names are relative to the folder of the test.
**
**   put NAME TEXT     write a file, and the folders that it needs
**   save NAME TEXT    the same, at a later tick of the file system's clock
**   open NAME, more TEXT, close     write a file in steps
**   rm NAME, rmdir NAME, mv FROM TO, ln TARGET NAME, pipe NAME, size NAME BYTES
**   time NAME SECONDS set both times of the file, in seconds since 1970
**   anywhere          before the start: files may lie outside of the folder
**   start [FOLDER [HOLDER]]     open the watch on the folder of the test, or on one in it; files must lie in HOLDER
**   SECONDS = CHANGES let time pass, then compare all that was reported since the last comparison: changes of a batch
**                     are separated by " | ", batches by " || "; "~" changed, "+" new, "-" gone
**   poll SECONDS COUNT, hurry COUNT     one poll, later, or now without the wait for files to settle: so many changes
*/
#include "script/watch/watch.h"

#include "script/state/disk.h"
#include "script/state/platform.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef _WIN32
#include <sys/mman.h>
#endif

/* {== A watch that is watched ============================================ */

static struct {
  char folder[256];   /* of the test */
  char root[512];     /* of the watch */
  const char *holder; /* in which files must lie */
  bool holds_all;     /* files may lie anywhere */
  sp_watch *watch;
  double now;
  uint64_t date; /* of the watch: it stands still, so that no file has been still for long */
  test_memory memory;
  const char *meddle; /* a text that is saved when the watch asks for memory next, before it reads a file */
  const char *script; /* the name of the one that runs */
  char told[16384];
} it;

static uint64_t date(void) { return it.date; }

static void setup(void)
{
  memset(&it, 0, sizeof it);
  it.date = sp_date_nanoseconds();
  it.script = "";
  ck_assert(test_folder_make(it.folder, sizeof it.folder));
  it.holder = strcpy(it.root, it.folder);
}

static void teardown(void)
{
  sp_watch_close(it.watch);
  ck_assert(test_memory_is_clean(&it.memory));
  test_folder_remove(it.folder);
}

static const char *path_of(const char *name) { return test_path(it.folder, name); }
static void put(const char *name, const char *text) { test_write(path_of(name), text); }

static void save(const char *name, const char *text)
{
  nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
  put(name, text);
}

static void *alloc_and_meddle(void *ud, void *ptr, size_t osize, size_t nsize)
{
  const char *text = ptr ? NULL : it.meddle;
  if (text) {
    it.meddle = NULL;
    save("a.lua", text);
  }
  return test_memory_fn(ud, ptr, osize, nsize);
}

static sp_watch *open_watch(void)
{
  static const char *const lua[] = {".lua", NULL};
  return sp_watch_open(&(sp_watch_options){.root = it.root,
                                           .folder = it.holds_all ? NULL : it.holder,
                                           .endings = lua,
                                           .depth = SP_WATCH_DEEPEST,
                                           .alloc = alloc_and_meddle,
                                           .ud = &it.memory,
                                           .date = date});
}

static void note(const sp_watch_change *c, const char *separator)
{
  size_t used = strlen(it.told), room = sizeof it.told - used, root = strlen(it.root);
  ck_assert(strncmp(c->path, it.root, root) == 0 && (c->path[root] == '/' || c->path[root] == '\0'));
  ck_assert(c->text ? !c->problem && c->text[c->size] == '\0' : c->size == 0);
  const char *name = c->path[root] ? c->path + root + 1 : ".", *content = c->text ? c->text : c->problem;
  snprintf(it.told + used, room, content ? "%s%c %s [%s]" : "%s%c %s", used ? separator : "", "+~-"[c->kind], name,
           content);
}

/* One poll `seconds` later; how many changes. */
static size_t poll_watch(double seconds, bool hurry)
{
  sp_watch_change change;
  size_t count = 0;
  it.now += seconds;
  bool due = sp_watch_poll(it.watch, it.now, hurry);
  for (; sp_watch_next(it.watch, &change); count++)
    note(&change, count > 0 ? " | " : " || ");
  ck_assert(due || count == 0);
  return count;
}

static void start(void)
{
  it.watch = open_watch();
  ck_assert_ptr_nonnull(it.watch);
  poll_watch(0, false);
}

/* Lets time pass in frames of 1/60 s, then compares all that was reported since the last call. */
static void expect(double seconds, const char *told)
{
  for (double end = it.now + seconds; it.now < end;)
    poll_watch(1.0 / 60, false);
  ck_assert_msg(strcmp(it.told, told) == 0, "%s: %s, not %s", it.script, it.told, told);
  it.told[0] = '\0';
}

/* }== */

/* {== Scripts ============================================================ */

static FILE *written; /* between "open" and "close" */

/* `rest` is what comes after the name, `line` all that comes after the command. Returns whether it went well. */
static bool edit(const char *command, const char *name, const char *rest, const char *line)
{
  const char *path = path_of(name);
  if (strcmp(command, "put") == 0)
    return put(name, rest), true;
  if (strcmp(command, "save") == 0)
    return save(name, rest), true;
  if (strcmp(command, "rm") == 0)
    return unlink(path) == 0;
  if (strcmp(command, "rmdir") == 0)
    return test_folder_remove(path), true;
  if (strcmp(command, "mv") == 0)
    return rename(path, path_of(rest)) == 0;
  if (strcmp(command, "ln") == 0)
    return symlink(name, path_of(rest)) == 0;
  if (strcmp(command, "pipe") == 0)
    return mkfifo(path, 0600) == 0;
  if (strcmp(command, "size") == 0)
    return truncate(path, atol(rest)) == 0;
  if (strcmp(command, "time") == 0)
    return utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_sec = atol(rest)}, {.tv_sec = atol(rest)}}, 0) == 0;
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
    expect(atof(command), left);
  } else if (strcmp(command, "start") == 0) {
    snprintf(it.root, sizeof it.root, "%s%s%s", it.folder, *name ? "/" : "", name);
    it.holder = *left ? path_of(left) : it.root;
    start();
  } else if (strcmp(command, "anywhere") == 0) {
    it.holds_all = true;
  } else if (strcmp(command, "poll") == 0) {
    ck_assert_int_eq((int)poll_watch(atof(name), false), atoi(left));
  } else if (strcmp(command, "hurry") == 0) {
    ck_assert_int_eq((int)poll_watch(0, true), atoi(name));
  } else {
    ck_assert_msg(edit(command, name, left, line + end), "%s", line);
  }
}

static void play(const char *script)
{
  char line[2048];
#ifdef _WIN32 /* has no pipes in folders, and links for few users */
  if (strstr(script, "ln ") || strstr(script, "pipe "))
    return;
#endif
  for (const char *at = script, *end; *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
    play_line(line);
  }
}

/* }== */

static test_group scripts = {"scripts", setup, teardown};

#define LOOP "it is a link that leads to itself; fix or remove it"
#define PIPE "it is a pipe, not a file; replace or remove it"
#define OUT "it is a link that leads out of the game's folder, and is not followed"
#define OUTSIDE "it is outside the game's folder; move it in, or start with --trust"
#define ONE "put a.lua one\ntime a.lua 1000000000"
#define OLD ONE "\nput old two\ntime old 500000000"
#define LIBRARY "put lib/one one\nput lib/two two\nln lib/one a.lua\nln lib/two next"

/* How "two" may come into a.lua, where "one" was: that is one change, and told once. */
static const struct {
  const char *name, *before, *save;
} saves[] = {
    {"in place", ONE, "save a.lua two"},
    {"in place, and the time put back", ONE, "save a.lua two\ntime a.lua 1000000000"},
    {"in place, and an older time", ONE, "save a.lua two\ntime a.lua 500000000"},
    {"emptied first", ONE, "open a.lua\n0.15 = \nmore two\nclose"},
    {"in parts", ONE, "open a.lua\n0.02 = \nmore t\n0.03 = \nmore w\n0.03 = \nmore o\nclose"},
    {"longer first", ONE, "save a.lua longer\n0.03 = \nsave a.lua two"},
    {"by a rename", ONE, "save a.lua.tmp two\n0.3 = \nmv a.lua.tmp a.lua"},
    {"by renames, with a backup", ONE, "mv a.lua a.lua~\n0.02 = \nsave a.lua two\nrm a.lua~"},
    {"by deleting it first", ONE, "rm a.lua\n0.03 = \nsave a.lua two"},
    {"by an older file", OLD, "mv old a.lua"},
    {"by an older copy", OLD, "put a.lua two\ntime a.lua 500000000"},
    {"in what it links to", LIBRARY, "save lib/one two"},
    {"as a link to another file", LIBRARY, "mv next a.lua"},
    {"as a link instead of a file", ONE "\nput lib/two two", "rm a.lua\nln lib/two a.lua"},
};

/* A name and a script. */
static const char *const cases[][2] = {
    /* Time and content. */
    {"what is there at first is not reported", "put main.lua return {}\nput pools/Bullet.lua one\nstart\n5 = "},
    {"new times, and the same text again, are nothing",
     "put a.lua one\nstart\ntime a.lua 1000000000\n2 = \ntime a.lua 2000000000\n2 = \nsave a.lua one\n2 = "},
    {"a deleted file is reported once, and is new when it comes back",
     "put a.lua one\nstart\nrm a.lua\n5 = - a.lua\nsave a.lua one\n1 = + a.lua [one]"},
    {"an empty file is reported when it stays empty",
     "put a.lua one\nstart\nsave a.lua\nsave b.lua\n0.18 = \n1 = ~ a.lua [] | + b.lua []\nsave a.lua one\n"
     "1 = ~ a.lua [one]"},
    {"a file that is too large is a problem",
     "put a.lua one\nstart\nsize a.lua 67108865\n1 = ~ a.lua [it is larger than 64 MiB, so it is not read]\n"
     "size a.lua 3\n1 = ~ a.lua [one]"},
    {"a pause between polls does not make a file settle",
     "put a.lua one\nstart\nopen a.lua\npoll 0.1 0\nmore half\npoll 60 0\nmore way\nclose\n1 = ~ a.lua [halfway]"},
    {"a poll in a hurry reports at once, and only once",
     "put a.lua one\nput b.lua one\nstart\nsave a.lua other\nput new/deep/c.lua\nrm b.lua\nhurry 3\n"
     "5 = ~ a.lua [other] | - b.lua | + new/deep/c.lua []\nhurry 0"},
    {"a save waits until it is still", "put a.lua one\nstart\nsave a.lua longer\n0.04 = \n0.03 = ~ a.lua [longer]"},
    {"files saved one after the other are one batch, by path",
     "put a.lua master\nput b/c.lua master\nput b/d.lua master\nput e.lua master\nstart\n"
     "rm a.lua\n0.02 = \nput a.lua branch\n0.02 = \nrm b/c.lua\n0.02 = \nput b/c.lua branch\n"
     "0.02 = \nrm b/d.lua\n0.02 = \nput b/d.lua master\n0.02 = \nrm e.lua\n0.02 = \nput e.lua branch\n"
     "1 = ~ a.lua [branch] | ~ b/c.lua [branch] | ~ e.lua [branch]"},

    /* Folders. */
    {"a new folder with a file in it is watched at once",
     "start\nput pools/more/A.lua new\nput pools/B.lua new\n0.1 = + pools/B.lua [new] | + pools/more/A.lua [new]"},
    {"a file that is made right after the folder was listed is found",
     "start\nput pools/A.lua new\npoll 0.02 0\nput pools/B.lua new\n1 = + pools/A.lua [new] | + pools/B.lua [new]"},
    {"a deleted folder is the end of each of its files",
     "put pools/A.lua one\nput pools/more/B.lua one\nput main.lua one\nstart\n5 = \nrmdir pools\n"
     "2 = - pools/A.lua | - pools/more/B.lua\nput pools/A.lua one\n2 = + pools/A.lua [one]"},
    {"a folder in the place of another is compared with it",
     "put pools/A.lua one\nput pools/B.lua one\nput other/A.lua one\nput other/B.lua other\nput other/C.lua other\n"
     "start\nmv pools .old\nmv other pools\n1 = - other/A.lua | - other/B.lua | - other/C.lua | "
     "~ pools/B.lua [other] | + pools/C.lua [other]"},
    {"the root may be missing, go and come back",
     "start game\n1 = \nput game/main.lua one\n1 = + main.lua [one]\nrmdir game\n"
     "1 = - main.lua\nput game/main.lua one\n1 = + main.lua [one]"},
    {"a root that becomes a link out of the game is not listed",
     "put game/sprites/a.lua one\nput other/b.lua one\nstart game/sprites game\n1 = \nmv game/sprites game/before\n"
     "ln ../other game/sprites\n3 = + . [" OUT
     "] | - a.lua\nrm game/sprites\nln before game/sprites\n3 = + a.lua [one]"},
    {"a linked root is followed, also to another place",
     "put one/a.lua one\nput two/a.lua two\nput two/b.lua two\nln one game\nln two next\nstart game\n"
     "save one/a.lua another\n1 = ~ a.lua [another]\nmv next game\n1 = ~ a.lua [two] | + b.lua [two]"},
    {"files that editors leave behind are not reported",
     "start\nput a.lua~ x\nput .a.lua.swp x\nput .#a.lua x\nput #a.lua# x\nput x.swp/a.lua x\nput a.lua.swp x\n"
     "put a.txt x\nput .lua x\nput .git/a.lua x\nput b~/a.lua x\nput 4913/a.lua x\nput a.luac x\n5 = "},
    {"folders are watched sixteen deep",
     "put d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x.lua one\nput d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x.lua one\nstart\n"
     "5 = + d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d [it lies more than 16 folders deep, and is not watched]"},

    /* Links and what is no file. */
    {"links to folders are not followed, and those that lead out are reported once",
     "put game/a.lua one\nput game/real/b.lua one\nput lib/c.lua one\nln ../lib game/lib\nln real game/inner\n"
     "ln . game/self\nln .. game/real/up\nln / game/real/root\nstart game\n"
     "5 = + lib [" OUT "] | + real/root [" OUT "]\nsave lib/c.lua other\n"
     "save game/inner/b.lua other\nput lib/d.lua new\n5 = ~ real/b.lua [other]\nrm game/lib\nput game/lib/d.lua new\n"
     "5 = + lib/d.lua [new]"},
    {"a folder may become a link that leads out, and a folder again",
     "put game/a.lua one\nput game/sub/deep/b.lua one\nstart game\nmv game/sub away\nln ../away game/sub\n"
     "put away/deep/c.lua new\nput away/more/d.lua new\n"
     "8 = + sub [" OUT "] || ~ sub/deep/b.lua [" OUTSIDE "]\nrm game/sub\nmv away game/sub\n"
     "8 = + sub/deep/c.lua [new] | + sub/more/d.lua [new] || ~ sub/deep/b.lua [one]"},
    {"a link that leads to itself is a problem, which is reported once",
     "put a.lua one\nstart\nrm a.lua\nln a.lua a.lua\nln b.lua b.lua\n10 = ~ a.lua [" LOOP "] | + b.lua [" LOOP "]\n"
     "rm a.lua\nput a.lua one\n1 = ~ a.lua [one]\nrm b.lua\n1 = - b.lua"},
    {"what is no file says what it is",
     "put x.lua/y.lua one\nput z.lua one\nstart\npipe pipe.lua\nln /dev/zero device.lua\nln nowhere.lua dangling.lua\n"
     "ln /etc/passwd out.lua\n1 = + dangling.lua [it is a link to 'nowhere.lua', which does not exist; fix or remove "
     "it] | + device.lua [" OUTSIDE "] | + out.lua [" OUTSIDE "] | + pipe.lua [" PIPE "]\n5 = \n"
     "put nowhere.lua now\n5 = ~ dangling.lua [now] | + nowhere.lua [now]"},
    {"a file may become a folder, a pipe and a link, and a file again",
     "put a.lua one\nstart\nrm a.lua\nput a.lua/new.lua new\n5 = - a.lua || + a.lua/new.lua [new]\nrmdir a.lua\n"
     "pipe a.lua\n5 = + a.lua [" PIPE "] | - a.lua/new.lua\nrm a.lua\nln a.lua a.lua\n5 = ~ a.lua [" LOOP "]\n"
     "rm a.lua\nput a.lua one\n5 = ~ a.lua [one]"},
    {"outside a sandbox links lead anywhere but not to devices",
     "put game/a.lua one\nput b two\nanywhere\nstart game\nln ../b game/out.lua\nln /dev/zero game/device.lua\n"
     "5 = + device.lua [it is a device, not a file; replace or remove it] | + out.lua [two]"},
};

TESTS(scripts, a_save_is_told_once, sizeof saves / sizeof *saves)
{
  char script[1000];
  it.script = saves[_i].name;
  snprintf(script, sizeof script, "%s\nstart\n%s\n1 = ~ a.lua [two]\n5 = ", saves[_i].before, saves[_i].save);
  play(script);
}

TESTS(scripts, changes_are_reported_as_the_script_says, sizeof cases / sizeof *cases)
{
  it.script = cases[_i][0];
  play(cases[_i][1]);
}

#ifdef _WIN32 /* has no mapped pages and no hard links like those below */

SUITE(watch, &scripts)

#else

#include <sys/mman.h>

static test_group limits = {"limits", setup, teardown, 60};
static test_group refusals = {"refusals", .timeout = 60};

/* {== Time and content =================================================== */

#ifndef _WIN32
/* A mapped page is written without a new time, as on a disk whose times are coarse. */
TEST(limits, a_second_save_that_the_times_do_not_show_is_told)
{
  play("put a.lua one\ntime a.lua 1000000000\nstart");
  int file = open(path_of("a.lua"), O_RDWR);
  char *text = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ck_assert(text != MAP_FAILED);
  memcpy(text, "two", 3);
  expect(1, "~ a.lua [two]");
  memcpy(text, "six", 3);
  expect(3, "~ a.lua [six]");
  munmap(text, 3);
  close(file);
}
#endif

TEST(limits, a_file_that_changes_while_it_is_read_is_told_once_with_its_last_text)
{
  static const char *const texts[] = {"two", "", "longer than it was"};
  char told[64];
  play("put a.lua one\nstart");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    save("a.lua", "half");
    it.meddle = texts[i];
    snprintf(told, sizeof told, "~ a.lua [%s]", texts[i]);
    expect(3, told);
    ck_assert_ptr_null(it.meddle);
  }
}

TEST(limits, a_change_anywhere_changes_the_hash)
{
  char text[61] = {0};
  uint64_t before = sp_disk_hash(text, sizeof text);
  ck_assert(sp_disk_hash(text, sizeof text - 1) != before);
  for (size_t bit = 0; bit < sizeof text * 8; bit++) {
    text[bit / 8] = (char)(1 << (bit % 8));
    ck_assert(sp_disk_hash(text, sizeof text) != before);
    text[bit / 8] = 0;
  }
}

TEST(limits, a_file_that_is_never_still_is_told_after_a_second)
{
  play("put noise.lua\nput quiet.lua one\nstart\nsave quiet.lua other");
  FILE *f = fopen(path_of("noise.lua"), "w");
  while (it.now < 3 && !it.told[0]) {
    fputc('x', f);
    fflush(f);
    poll_watch(0.03, false);
  }
  fclose(f);
  ck_assert_double_ge(it.now, 1);
  ck_assert_double_le(it.now, 1.2);
  ck_assert_ptr_nonnull(strstr(it.told, "~ noise.lua [xxx"));
  ck_assert_ptr_nonnull(strstr(it.told, "~ quiet.lua [other]"));
}

/* }== */

/* {== Many files ========================================================= */

static const char *name_of(size_t i)
{
  static char name[64];
  snprintf(name, sizeof name, "f%02zu/file%04zu.lua", i * 7 % 3, i);
  return name;
}

static void start_with(size_t files)
{
  for (size_t i = 0; i < files; i++)
    put(name_of(i), "one");
  start();
}

/* Settled is what has been still for 40 ms: of few files an edit is told within a frame of that. */
static const struct {
  size_t files;
  double frame, most; /* seconds */
} rows[] = {
    {200, 1.0 / 60, 0.040 + 1.0 / 60}, {1000, 1.0 / 1000, 0.005 + 16.0 / 60}, {1000, 1.0 / 30, 0.005 + 16.0 / 30}};

TESTS(limits, an_edit_among_many_is_told_soon_at_any_frame_rate, sizeof rows / sizeof *rows)
{
  const double frame = rows[_i].frame;
  start_with(rows[_i].files);
  for (size_t i = 0; i < 10; i++) {
    char text[40];
    snprintf(text, sizeof text, "%zu at %g", i, frame);
    it.told[0] = '\0';
    for (size_t wait = 0; wait < i; wait++)
      ck_assert_uint_eq(poll_watch(frame, false), 0);
    put(name_of(i * 83 % rows[_i].files), text);
    it.date = sp_date_nanoseconds() + (uint64_t)1e9; /* it was still since, as far as can be known */
    double begin = it.now;
    while (it.now < begin + 2 && poll_watch(frame, false) == 0)
      ;
    ck_assert_double_le(it.now - begin, rows[_i].most);
    ck_assert_ptr_nonnull(strstr(it.told, text));
  }
}

/* They were still for long when the first poll saw some of them. */
TEST(limits, hundreds_of_changed_files_are_told_in_one_batch)
{
  size_t count = 0, batches = 0;
  start_with(1500);
  expect(1, "");
  for (size_t i = 0; i < 1500; i += 2)
    put(name_of(i), "other");
  it.date = sp_date_nanoseconds() + (uint64_t)1e9;
  for (int i = 0; i < 60; i++) {
    size_t told = poll_watch(1.0 / 60, false);
    count += told;
    batches += told > 0;
  }
  ck_assert_uint_eq(count, 750);
  ck_assert_uint_eq(batches, 1);
}

TEST(limits, files_saved_one_after_the_other_among_a_thousand_are_one_batch)
{
  start_with(1000);
  put(name_of(0), "a");
  for (int i = 0; i < 60 && !sp_watch_is_pending(it.watch); i++)
    poll_watch(1.0 / 60, false);
  play("put f00/file0999.lua b\n0.03 = \nput f02/file0509.lua c\n0.03 = \nput f01/file0514.lua d\n"
       "1 = ~ f00/file0000.lua [a] | ~ f00/file0999.lua [b] | ~ f01/file0514.lua [d] | ~ f02/file0509.lua [c]");
}

TEST(limits, a_folder_without_end_is_watched_up_to_a_limit)
{
  char name[32];
  put("a/main.lua", "one");
  put("b/00000.lua", "");
  for (int i = 1; i < SP_WATCH_MOST; i++) {
    snprintf(name, sizeof name, "b/%05d.lua", i);
    ck_assert_int_eq(link(path_of("b/00000.lua"), path_of(name)), 0);
  }
  start();
  expect(1, "+ . [there are more than 20000 files and folders here, and the rest is not watched; give the "
            "game a folder of its own]");
  put("a/main.lua", "other");
  expect(10, "~ a/main.lua [other]");
}

/* }== */

/* {== Memory ============================================================= */

TEST(limits, opening_with_too_little_memory_gives_nothing)
{
  size_t calls = 0;
  for (size_t i = 0; i < 60; i++)
    put(name_of(i), "one");
  for (; !it.watch; it.watch = open_watch()) {
    ck_assert(test_memory_is_clean(&it.memory));
    it.memory = (test_memory){.fail_at = ++calls};
  }
  ck_assert_uint_gt(calls, 100);
}

/* Edits of each kind, with any one call refused: nothing is lost. */
TEST(refusals, refused_memory_in_a_poll_loses_nothing)
{
  static const char *const expected[] = {"~ a.lua [other]", "- b.lua", "+ new/c.lua [new]", "+ loop.lua [" LOOP "]"};
  bool refused = true;
  for (size_t fail_at = 1; refused; fail_at++) {
    setup();
    play("put a.lua one\nput b.lua one\nstart");
    it.memory = (test_memory){.bytes = it.memory.bytes, .blocks = it.memory.blocks, .fail_at = fail_at};
    play("put a.lua other\nrm b.lua\nput new/c.lua new\nln loop.lua loop.lua");
    for (int i = 0; i < 300; i++)
      poll_watch(1.0 / 60, false);
    refused = it.memory.refused > 0;
    for (size_t i = 0; i < 4; i++) {
      char *line = strstr(it.told, expected[i]);
      ck_assert_msg(line && !strstr(line + 1, expected[i]), "call %zu: %s", fail_at, it.told);
    }
    teardown();
  }
}

TEST(limits, memory_refused_for_long_only_delays)
{
  play("put a.lua one\nstart");
  it.memory.fail_at = 1;
  it.memory.keep_failing = true;
  play("save a.lua other\nput new/b.lua new\n5 = ");
  ck_assert_uint_eq(poll_watch(0.01, true), 0);
  it.memory.fail_at = 0;
  expect(5, "~ a.lua [other] | + new/b.lua [new]");
}

/* }== */

SUITE(watch, &scripts, &limits, &refusals)

#endif
