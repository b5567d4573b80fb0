/*
** What the file watcher reports of the ways in which editors, tools and users change files, folders and links. Real
** files and a clock that only the test moves; the scripts are explained in watching.h.
*/
#include "script/watching.h"

#include <check.h>

#define LOOP "it is a link that leads to itself; fix or remove it"
#define PIPE "it is a pipe, not a file; replace or remove it"
#define OUT "it is a link that leads out of the game's folder, and is not followed"
#define OUTSIDE "it is outside the game's folder; move it in, or start with --trust"

typedef struct watch_case {
  const char *name, *script;
} watch_case;

static const watch_case cases[] = {
    /* Styles of saving. */
    {"what is there at first is not reported",
     "put main.lua return {}\nput pools/Bullet.lua one\nstart\n5 = \nfiles 2"},
    {"writes in place are reported with the text, also one of the same size",
     "put pools/Bullet.lua one\nstart\nsave pools/Bullet.lua another\n5 = ~ pools/Bullet.lua [another]\n"
     "save pools/Bullet.lua nothing\n1 = ~ pools/Bullet.lua [nothing]"},
    {"half a save is not reported",
     "put a.lua one\nstart\nopen a.lua\n0.15 = \nmore first half,\n0.03 = \nmore second half\nclose\n"
     "1 = ~ a.lua [first half,second half]"},
    {"a file renamed onto another is reported, also as vim does it",
     "put a.lua one\nstart\nsave a.lua.tmp two\n0.3 = \nmv a.lua.tmp a.lua\n1 = ~ a.lua [two]\n"
     "mv a.lua a.lua~\n0.02 = \nsave a.lua three\nrm a.lua~\n1 = ~ a.lua [three]"},
    {"an older copy is reported",
     "put a.lua new\nput b.lua new\nstart\nsave copy old\ntime copy 1000000000\nmv copy a.lua\nsave b.lua old\n"
     "time b.lua 1000000000\n1 = ~ a.lua [old] | ~ b.lua [old]"},
    {"an edit whose time was put back is reported",
     "put a.lua one\ntime a.lua 1000000000\nstart\nsave a.lua two\ntime a.lua 1000000000\n1 = ~ a.lua [two]"},
    {"a file that is back at once has changed if its text has",
     "put a.lua one\nput b.lua one\nstart\nrm a.lua\nrm b.lua\n0.03 = \nsave a.lua one\nsave b.lua other\n"
     "5 = ~ b.lua [other]"},
    {"a deleted file is reported once, and is new when it comes back",
     "put a.lua one\nstart\nrm a.lua\n5 = - a.lua\nfiles 0\nsave a.lua one\n1 = + a.lua [one]"},
    {"a checkout is one batch", "put a.lua master\nput b/c.lua master\nput b/d.lua master\nput e.lua master\nstart\n"
                                "rm a.lua\npass 0.02\nopen a.lua\npass 0.02\nmore branch\nclose\n"
                                "rm b/c.lua\npass 0.02\nopen b/c.lua\npass 0.02\nmore branch\nclose\n"
                                "rm b/d.lua\npass 0.02\nopen b/d.lua\npass 0.02\nmore master\nclose\n"
                                "rm e.lua\npass 0.02\nopen e.lua\npass 0.02\nmore branch\nclose\n"
                                "1 = ~ a.lua [branch] | ~ b/c.lua [branch] | ~ e.lua [branch]"},
    {"new times, and the same text again, are nothing",
     "put a.lua one\nstart\ntime a.lua 1000000000\n2 = \ntime a.lua 2000000000\n2 = \nsave a.lua one\n2 = "},
    {"an empty file is reported when it stays empty",
     "put a.lua one\nstart\nsave a.lua\nsave b.lua\n1 = ~ a.lua [] | + b.lua []\nsave a.lua one\n1 = ~ a.lua [one]"},
    {"a file that is too large is a problem",
     "put a.lua one\nstart\nsize a.lua 67108865\n1 = ~ a.lua [it is larger than 64 MiB, and not read for that]\n"
     "size a.lua 3\n1 = ~ a.lua [one]"},
    {"a pause between polls does not make a file settle",
     "put a.lua one\nstart\nopen a.lua\npoll 0.1 0\nmore half\npoll 60 0\nmore way\nclose\n1 = ~ a.lua [halfway]"},
    {"a poll in a hurry reports at once, and only once",
     "put a.lua one\nput b.lua one\nstart\nsave a.lua other\nput new/deep/c.lua\nrm b.lua\nhurry 3\n"
     "5 = ~ a.lua [other] | - b.lua | + new/deep/c.lua []\nhurry 0"},

    {"a save waits until it is still, and is told whole",
     "put a.lua one\nput b.lua\nstart\nsave a.lua longer\n0.039 = \n0.161 = ~ a.lua [longer]\nopen b.lua\nmore a\n0.03 "
     "= \n"
     "more b\n0.03 = \nmore c\n0.03 = \nmore d\nclose\n1 = ~ b.lua [abcd]"},
    {"files saved one after the other are told together by path",
     "start\nput pools/D.lua new\npass 0.02\nput pools/C.lua new\npass 0.02\nput pools/A.lua new\npass 0.02\n"
     "put pools/B.lua new\n1 = + pools/A.lua [new] | + pools/B.lua [new] | + pools/C.lua [new] | + pools/D.lua [new]"},
    {"a woken folder is looked at at once",
     "put a/x.lua one\nput a/deep/y.lua one\nput a-b.lua one\nstart\npass 3\nsave a/x.lua other\nsoon 0\n"
     "1 = ~ a/x.lua [other]\nsave a/x.lua third\nwake a\nsoon 1\n1 = ~ a/x.lua [third]\nsave a/deep/y.lua other\n"
     "wake a/deep\nsoon 1\n1 = ~ a/deep/y.lua [other]\nsave a-b.lua other\nput new.lua new\nwake .\nsoon 2\n"
     "1 = ~ a-b.lua [other] | + new.lua [new]"},
    {"to wake anything wakes everything",
     "put a/x.lua one\nput a/y.lua one\nstart\npass 3\nsave a/x.lua other\nwakeall\nsoon 1\n1 = ~ a/x.lua [other]\n"
     "save a/y.lua other\nwake nowhere\nsoon 1\n1 = ~ a/y.lua [other]"},

    /* Folders. */
    {"a new folder with a file in it is watched at once",
     "start\nfolders 1\nserial\nput pools/more/A.lua new\nput pools/B.lua new\n"
     "1 = + pools/B.lua [new] | + pools/more/A.lua [new]\nfolders 3\nother"},
    {"a deleted folder is the end of each of its files",
     "put pools/A.lua one\nput pools/more/B.lua one\nput main.lua one\nstart\nserial\npass 5\nsame\nrmdir pools\n"
     "2 = - pools/A.lua | - pools/more/B.lua\nfolders 1\nother\nput pools/A.lua one\n2 = + pools/A.lua [one]"},
    {"the files of a renamed folder are gone and new",
     "put a/x.lua one\nstart\nmv a b\n2 = - a/x.lua | + b/x.lua [one]"},
    {"a folder in the place of another is compared with it",
     "put pools/A.lua one\nput pools/B.lua one\nput other/A.lua one\nput other/B.lua other\nput other/C.lua other\n"
     "start\nserial\nmv pools .old\nmv other pools\n1 = - other/A.lua | - other/B.lua | - other/C.lua | "
     "~ pools/B.lua [other] | + pools/C.lua [other]\nother"},
    {"the root may be missing, go and come back",
     "start game\nfolders 1\n1 = \nserial\nput game/main.lua one\n1 = + main.lua [one]\nother\nrmdir game\n"
     "1 = - main.lua\nput game/main.lua one\n1 = + main.lua [one]"},
    {"a linked root is followed, also to another place",
     "put one/a.lua one\nput two/a.lua two\nput two/b.lua two\nln one game\nln two next\nstart game\n"
     "save one/a.lua another\n1 = ~ a.lua [another]\nmv next game\n1 = ~ a.lua [two] | + b.lua [two]"},
    {"slashes at the end of the root do not matter",
     "put game/a.lua one\nstart game//\nsave game/a.lua other\n1 = ~ a.lua [other]"},
    {"files that editors leave behind are not reported",
     "start\nput a.lua~ x\nput .a.lua.swp x\nput .#a.lua x\nput #a.lua# x\nput x.swp/a.lua x\nput a.lua.swp x\n"
     "put a.txt x\nput .lua x\nput .git/a.lua x\nput b~/a.lua x\nput 4913/a.lua x\nput a.luac x\n5 = \nfolders 1"},
    {"folders are watched sixteen deep",
     "put d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x.lua one\nput d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x.lua one\nstart\n"
     "folders 17\nfiles 1\n5 = + d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d [it lies more than 16 folders deep, and is not "
     "watched]"},

    /* Links and what is no file. */
    {"links to folders are not followed, and those that lead out are reported once",
     "put game/a.lua one\nput game/real/b.lua one\nput lib/c.lua one\nln ../lib game/lib\nln real game/inner\n"
     "ln . game/self\nln .. game/real/up\nln / game/real/root\nstart game\n"
     "5 = + lib [" OUT "] | + real/root [" OUT "]\nfolders 2\nfiles 2\nsave lib/c.lua other\n"
     "save game/inner/b.lua other\n5 = ~ real/b.lua [other]\nrm game/lib\nput game/lib/d.lua new\n"
     "5 = + lib/d.lua [new]"},
    {"a folder of links to itself is one folder",
     "put x.lua one\nln . a\nln . b\nln . c\nln . d\nstart\nfolders 1\n1 = "},
    {"a folder may become a link that leads out, and a folder again",
     "put game/a.lua one\nput game/sub/deep/b.lua one\nstart game\nfolders 3\nmv game/sub away\nln ../away game/sub\n"
     "put away/deep/c.lua new\nput away/more/d.lua new\n8 = + sub [" OUT "] || ~ sub/deep/b.lua [" OUTSIDE
     "]\nfolders 1\n"
     "rm game/sub\nmv away game/sub\n8 = + sub/deep/c.lua [new] | + sub/more/d.lua [new] || ~ sub/deep/b.lua [one]\n"
     "folders 4"},
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
    {"a linked file is reported when its target is edited or is another file",
     "put lib/a.txt one\nput lib/b.txt two\nln lib/a.txt x.lua\nln lib/b.txt next\nstart\nsave lib/a.txt other\n"
     "1 = ~ x.lua [other]\nmv next x.lua\n1 = ~ x.lua [two]"},
};

START_TEST(changes_are_reported_as_the_script_says)
{
  mark_point();
  watching_play(cases[_i].script);
}
END_TEST

Suite *sp_suite_watch(void)
{
  Suite *suite = suite_create("watch");
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) { /* a failure says the name of its script */
    TCase *tcase = tcase_create(cases[i].name);
    tcase_add_checked_fixture(tcase, watching_setup, watching_teardown);
    tcase_set_timeout(tcase, WATCHING_TIMEOUT);
    tcase_add_loop_test(tcase, changes_are_reported_as_the_script_says, i, i + 1);
    suite_add_tcase(suite, tcase);
  }
  return suite;
}
