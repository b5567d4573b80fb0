/*
** What a game stores: it is there in the next run, is replaced whole or not at all, and stays in its place.
*/
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char data[512];

static void open_storage(void)
{
  play_open();
  snprintf(data, sizeof data, "%s/data", play_folder);
  ck_assert_int_eq(setenv("XDG_DATA_HOME", data, 1), 0);
  play_write("kit.lua",
             "local kit = { storage = require('spawnpool').storage }\n"
             "function kit.equal(a, b)\n"
             "  if type(a) ~= 'table' or type(b) ~= 'table' then return a == b and math.type(a) == math.type(b) end\n"
             "  for key, value in pairs(a) do if not kit.equal(value, b[key]) then return false end end\n"
             "  for key in pairs(b) do if a[key] == nil then return false end end\n"
             "  return true\n"
             "end\n"
             "function kit.refused(part, name, value)\n"
             "  local done, why = kit.storage.save(name, value)\n"
             "  assert(done == false and why:find(part, 1, true), tostring(why))\n"
             "end\n"
             "return kit\n");
}

static void close_storage(void)
{
  unsetenv("XDG_DATA_HOME");
  play_close();
}

static test_group stores = {"stores", open_storage, close_storage, 60};

/* Plays one frame of a game, which must be fine; it sees `kit` and `storage`. */
#define PLAYED(text) PLAYED_AFTER("", text)
#define PLAYED_AFTER(before, text)                                                                                     \
  do {                                                                                                                 \
    play_write("main.lua", "local kit = require 'kit' local storage = kit.storage\n" text "\nreturn {}");              \
    RUN("%s" PLAYER "--headless --frames 1 %s", before, play_folder);                                                  \
    EXPECT_STATUS(0);                                                                                                  \
  } while (0)

#define VALUE                                                                                                          \
  "{ 1, -2.5, 'x\\0y\\xff', true, false, math.mininteger, math.huge, 0.1, '', ['a b'] = {}, [-3] = { { 'deep' } },\n"  \
  "[false] = 1, [0.5] = 'half', list = { 10, 20, 30 } }"

TEST(stores, what_is_stored_is_there_in_the_next_run)
{
  PLAYED("local value, why = storage.load 'score' assert(value == nil and why == 'none')\n"
         "assert(storage.save('score', " VALUE ") == true)\n"
         "assert(kit.equal(storage.load 'score', " VALUE "))\n"
         "assert(storage.save('count', 5) and storage.save('A-b_9', 'x'))");
  PLAYED("assert(kit.equal(storage.load 'score', " VALUE "))\n"
         "assert(storage.load 'count' == 5 and storage.load 'A-b_9' == 'x')\n"
         "assert(storage.save('count', nil) and storage.save('never', nil))");
  PLAYED("local value, why = storage.load 'count' assert(value == nil and why == 'none')\n"
         "assert(storage.load 'A-b_9' == 'x')");
  ck_assert_str_eq(play_run.err, "");
}

TEST(stores, what_is_no_plain_data_is_refused_with_its_path)
{
  PLAYED("assert(storage.save('s', 'old'))\n"
         "local t = { list = { 1, {} } } t.list[2].up = t\n"
         "kit.refused('s.list[2].up is a table that it is in: a cycle', 's', t)\n"
         "kit.refused('s is a function', 's', print)\n"
         "kit.refused('s.on_hit is a function', 's', { on_hit = print })\n"
         "kit.refused('s[\"a b\"].co is a thread', 's', { ['a b'] = { co = coroutine.create(print) } })\n"
         "kit.refused('s.g is a userdata', 's', { g = require('spawnpool').pools })\n"
         "kit.refused('s[1] is an object; store its fields', 's', { require('spawnpool').pools:alloc 'Cube' })\n"
         "kit.refused('s has a table as a key', 's', { [{}] = 1 })\n"
         "local deep = {} for _ = 1, 70 do deep = { deep } end\n"
         "kit.refused('is more than 64 tables deep', 's', deep)\n"
         "local twice = { 1 } assert(storage.save('twice', { twice, twice }))\n"
         "assert(kit.equal(storage.load 'twice', { { 1 }, { 1 } }))\n"
         "local called = false\n"
         "assert(storage.save('meta', setmetatable({ 1 }, { __pairs = function() called = true end })))\n"
         "assert(not called and storage.load 's' == 'old')");
}

TEST(stores, names_lead_nowhere)
{
  PLAYED("for _, name in ipairs { '', '.', '..', '../x', '/etc/x', 'a/b', 'a.b', 'a\\0b', 'a b', '\\xc3\\xa4',\n"
         "    ('x'):rep(65), '~', 'CON:' } do\n"
         "  kit.refused('a name has 1 to 64', name, 1)\n"
         "  local value, why = storage.load(name) assert(value == nil and why:find 'a name has')\n"
         "end\n"
         "assert(storage.save(('x'):rep(64), 1))\n"
         "for _, bad in ipairs { 5, {}, true } do assert(not pcall(storage.save, bad, 1)) end\n"
         "assert(not pcall(storage.load) and not pcall(storage.save, 'x'))");
  RUN("find '%s' -type f | wc -l", data);
  ck_assert_int_eq(atoi(play_run.out), 1);
}

TEST(stores, a_game_stores_a_mebibyte_in_all)
{
  PLAYED("assert(storage.save('a', ('x'):rep(600000)))\n"
         "kit.refused('too large', 'b', ('x'):rep(600000))\n"
         "assert(storage.save('a', ('y'):rep(1000000)))\n" /* replaces its own */
         "kit.refused('is too large', 'c', ('x'):rep(1 << 20))\n"
         "local t = {} for i = 1, 60 do t = { t, t } end\n" /* as often as there are atoms */
         "kit.refused('is too large', 'd', t)\n"
         "assert(storage.load('a') == ('y'):rep(1000000) and storage.load 'b' == nil)\n"
         "assert(storage.save('a', nil) and storage.save('b', ('x'):rep(600000)))");
}

/* A full disk, as far as a test can have one: the process may write no larger files. */
TEST(stores, a_write_that_fails_leaves_the_old_value)
{
  PLAYED("assert(storage.save('a', { 'old' }))");
  PLAYED_AFTER("trap '' XFSZ; ulimit -f 8; ", "kit.refused('too large', 'a', ('x'):rep(100000))\n"
                                              "assert(storage.load('a')[1] == 'old' and storage.save('b', 1))");
  PLAYED("assert(storage.load('a')[1] == 'old' and storage.load 'b' == 1)");
  RUN("find '%s' -type f | wc -l", data); /* nothing half written is left */
  ck_assert_int_eq(atoi(play_run.out), 2);
}

TEST(stores, without_a_folder_games_run_and_store_nothing)
{
  PLAYED_AFTER("HOME=/dev/null XDG_DATA_HOME=/dev/null/x ", "kit.refused('there is no folder', 'a', 1)\n"
                                                            "assert(storage.load 'a' == nil)");
  EXPECT_IN(play_run.err, "warning: storage.save('a'): there is no folder to store data in");
  PLAYED_AFTER("HOME=relative XDG_DATA_HOME=relative ", "kit.refused('there is no folder', 'a', 1)");
}

TEST(stores, what_is_damaged_is_not_read)
{
  PLAYED("assert(storage.save('a', { 1, 2, { 'x' } }) and storage.save('b', 7))");
  RUN("cd '%s'/spawnpool/*/ && cp a.data whole && for n in 0 5 20 27 28 40; do head -c $n whole > cut$n.data; done\n"
      "cp whole long.data && echo >> long.data\n"
      "cp whole bit.data && printf '\\x01' | dd of=bit.data bs=1 seek=40 conv=notrunc 2>&1\n"
      "ln -s /etc/passwd link.data; mkdir folder.data; mkfifo pipe.data; rm whole",
      data);
  EXPECT_STATUS(0);
  PLAYED("for _, name in ipairs { 'cut0', 'cut5', 'cut20', 'cut27', 'cut28', 'cut40', 'long', 'bit' } do\n"
         "  local value, why = storage.load(name)\n"
         "  assert(value == nil and why == 'damaged: it cannot be read any more', name)\n"
         "end\n"
         "for _, name in ipairs { 'link', 'folder', 'pipe' } do\n"
         "  local value, why = storage.load(name) assert(value == nil and why ~= 'none', name)\n"
         "end\n"
         "assert(storage.load 'a'[3][1] == 'x' and storage.load 'b' == 7)");
}

TEST(stores, games_of_one_name_do_not_meet)
{
  PLAYED("assert(storage.save('a', 1))");
  RUN("mkdir -p '%s/other/game' '%s/game' && cd '%s' && cp main.lua kit.lua other/game && cp main.lua kit.lua game",
      play_folder, play_folder, play_folder);
  play_write("game/main.lua", "return { load = function() assert(require('kit').storage.save('a', 'mine')) end }");
  play_write("other/game/main.lua", "return { load = function() assert(require('kit').storage.load('a') == nil) end }");
  RUN(PLAYER "--headless --frames 1 '%s/game' && " PLAYER "--headless --frames 1 '%s/other/game'", play_folder,
      play_folder);
  EXPECT_STATUS(0);
}

TEST(stores, a_check_stores_nothing)
{
  play_write("main.lua", "print(require('spawnpool').storage.save('a', 1)) return {}");
  RUN(PLAYER "--check '%s'", play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "nothing is stored while a game is checked");
  struct stat is;
  ck_assert_int_ne(stat(data, &is), 0);
}

SUITE(player_storage, &stores)
