/*
** Reports of the file watcher for all the ways in which editors, tools and users change files, folders and links. Real
** files and a clock that only the test moves; the scripts are explained in watching.h.
*/
#include "script/watching.h"

#include <check.h>
#include <stdio.h>

#define LOOP "it is a link that leads to itself; fix or remove it"
#define PIPE "it is a pipe, not a file; replace or remove it"
#define OUT "it is a link that leads out of the game's folder, and is not followed"
#define OUTSIDE "it is outside the game's folder; move it in, or start with --trust"
#define ONE "put a.lua one\ntime a.lua 1000000000"
#define OLD ONE "\nput old two\ntime old 500000000"
#define LIBRARY "put lib/one one\nput lib/two two\nln lib/one a.lua\nln lib/two next"
#define GIT "git -c user.name=a -c user.email=a@b.c "

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
    {"by an older copy", OLD, "sh cp -p old a.lua"},
    {"by a checkout",
     ONE "\nsh git init -q . && git add a.lua && " GIT "commit -qm one && git checkout -qb other && "
         "printf two >a.lua && " GIT "commit -qam two && git checkout -q -",
     "sh git checkout -q other"},
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
    {"a file that is back at once has changed if its text has",
     "put a.lua one\nput b.lua one\nstart\nrm a.lua\nrm b.lua\n0.03 = \nsave a.lua one\nsave b.lua other\n"
     "5 = ~ b.lua [other]"},
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
    {"the files of a renamed folder are gone and new",
     "put a/x.lua one\nstart\nmv a b\n2 = - a/x.lua | + b/x.lua [one]"},
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
    {"a folder of links to itself is one folder",
     "put x.lua one\nln . a\nln . b\nln . c\nln . d\nstart\nsave x.lua two\n1 = ~ x.lua [two]"},
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

START_TEST(a_save_is_told_once)
{
  char script[1000];
  mark_point();
  snprintf(script, sizeof script, "%s\nstart\n%s\n1 = ~ a.lua [two]\n5 = ", saves[_i].before, saves[_i].save);
  watching_play(script);
}
END_TEST

START_TEST(changes_are_reported_as_the_script_says)
{
  mark_point();
  watching_play(cases[_i][1]);
}
END_TEST

static void add(Suite *suite, const char *name, const TTest *test, int i)
{
  TCase *tcase = tcase_create(name); /* a failure says the name of its script */
  tcase_add_checked_fixture(tcase, watching_setup, watching_teardown);
  tcase_set_timeout(tcase, WATCHING_TIMEOUT);
  tcase_add_loop_test(tcase, test, i, i + 1);
  suite_add_tcase(suite, tcase);
}

Suite *sp_suite_watch(void)
{
  Suite *suite = suite_create("watch");
  for (int i = 0; i < (int)(sizeof saves / sizeof *saves); i++)
    add(suite, saves[i].name, a_save_is_told_once, i);
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    add(suite, cases[i][0], changes_are_reported_as_the_script_says, i);
  return suite;
}
