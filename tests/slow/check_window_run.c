/*
** The player as a person meets it: a real window, real keys and a real mouse, by xdotool on a display of its own. The
** shooter is flown, looked into, spoken to, broken and fixed; then it is left. And a game is edited while another
** window has the focus, under a window manager.
*/
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define XVFB "ASAN_OPTIONS=detect_leaks=0 xvfb-run -a -s '-screen 0 800x600x24 -noreset' "

/* All waits are for a condition, for 30 s at most. An object far away says "tick" ten times a second of game time:
   after two more of them every key that was pressed before has been taken. What is typed in the console prints to the
   player's output. */
#define AWAIT                                                                                                          \
  "await() { i=0; until \"$@\"; do sleep 0.05; i=$((i + 1)); [ $i -lt 600 ] || { echo \"no $*\"; exit 1; }; done; }\n" \
  "count() { grep -c \"^$1\" out; }\n"                                                                                 \
  "more() { [ \"$(count \"$1\")\" -gt $(($2 + 1)) ]; }\n"                                                              \
  "pass() { await more \"$1\" \"$(count \"$1\")\"; }\n"

static const char script[] =
    "player=$1\n" AWAIT "key() { xdotool key $1; pass tick; }\n"
    "say() { key grave; xdotool type --delay 15 \"$1\"; key Return; key grave; }\n"
    "tick='local o = pools:alloc(\"Ticker\", 0, 0, -5000) o:every(0.1, function() print(\"tick\") end)'\n"
    "$player --size 800x600 --stats stats --exec \"$tick\" game >out 2>err &\n"
    "pid=$!\n"
    "window=$(timeout 30 xdotool search --sync --onlyvisible --name 'game - spawnpool' | head -1)\n"
    "focused() { xdotool windowfocus \"$window\"; [ \"$(xdotool getwindowfocus)\" = \"$window\" ]; }\n"
    "await focused; pass tick\n"
    "is_left() { say 'for s in pools:pool(\"Ship\"):each() do print(\"ship\", s.x < 380) end'; grep -q '^ship.true' "
    "out; }\n"
    "xdotool keydown Left; await is_left; xdotool keyup Left\n" /* the autopilot goes, the ship flies to the left */
    "key F2; key F2; key F3; key F8\n"
    "await test -n \"$(ls spawnpool-*.png)\"\n"
    "say 'print(\"still\", pools:stats().live > 100)'\n"
    "await grep -q '^still' out\n"
    "sed 's/function Star:alloc(lifetime, x, y)/& nothing.at.all = 1/' game/pools/Star.lua >new && mv new "
    "game/pools/Star.lua\n"
    "await grep -q 'is reverted to the version before' err\n"
    "sed 's/ nothing.at.all = 1//' game/pools/Star.lua >new && mv new game/pools/Star.lua\n"
    "await grep -q 'pools/Star.lua matches the running code again' out\n"
    "xdotool key Escape Escape\n"
    "ended() { ! kill -0 $pid 2>/dev/null; }\n"
    "await ended\n"
    "wait $pid; echo \"exit $?\" >>out\n"
    "grep -v tick out; cat err >&2\n";

static bool has_tools(const char *test, const char *others)
{
  if (strcmp(test_tool(), "") != 0) /* instrumented, it is too slow for a person's waits */
    return false;
  RUN("for tool in xvfb-run xauth xdotool %s; do command -v $tool || exit 1; done", others);
  if (play_run.status != 0)
    test_skip(test, "no xvfb-run, xdotool or window manager");
  return play_run.status == 0;
}

static test_group core = {"core", play_open, play_close, 300};

TEST(core, the_shooter_is_flown_looked_into_broken_and_mended)
{
  if (!has_tools("the_shooter_is_flown_looked_into_broken_and_mended", ""))
    return;
  play_write("run.sh", script);
  RUN_FOR(240,
          "player=$(pwd)/" SP_BUILD_DIR "/spawnpool && cp -r scripts/shooter '%s/game' && cd '%s' && " XVFB
          "sh run.sh \"$player\"",
          play_folder, play_folder);
  EXPECT_IN(play_run.out, "ship\ttrue\n");
  EXPECT_IN(play_run.out, "still\ttrue\n");
  EXPECT_IN(play_run.out, "reloaded pools/Star.lua");
  EXPECT_IN(play_run.err, "attempt to index a nil value (global 'nothing')");
  EXPECT_IN(play_run.err, "pools/Star.lua is reverted to the version before ");
  EXPECT_IN(play_run.out, "pools/Star.lua matches the running code again");
  EXPECT_IN(play_run.out, "exit 0\n");
  RUN("grep -c '\"reverted_reloads\":1' '%s/stats'; ls '%s'/spawnpool-*.png", play_folder, play_folder);
  EXPECT_STATUS(0);
}

/* {== Replays ============================================================ */

/* Keys, clicks, a pause, single steps, the console, another size of the window and the timeline, while input is
   recorded. */
static const char recording_script[] =
    "player=$1\n" AWAIT "key() { xdotool key $1; pass tick; }\n"
    "tick='local o = pools:alloc(\"Ticker\", 0, 0, -5000) o:every(0.1, function() print(\"tick\") end)'\n"
    "$player --size 640x480 --record-input in --exec \"$tick\" game >out 2>err & pid=$!\n"
    "window=$(timeout 30 xdotool search --sync --onlyvisible --name 'game - spawnpool' | head -1)\n"
    "focused() { xdotool windowfocus \"$window\"; [ \"$(xdotool getwindowfocus)\" = \"$window\" ]; }\n"
    "await focused; pass tick\n"
    "for i in 1 2 3 4; do\n"
    "  xdotool keydown Left; pass tick; xdotool keyup Left keydown Right; pass tick; xdotool keyup Right\n"
    "  xdotool mousemove --window $window $((i * 99)) 200 click 1; key space\n"
    "done\n"
    "xdotool key F6; await grep -q '\"count\":0}' in; xdotool key F7 key x key F7; sleep 0.2; xdotool key F6; pass "
    "tick\n"
    "key grave; xdotool type --delay 15 'pools:alloc(\"Spark\", 9, 40, 40, 1, 9) print(\"typed\", {})'; key Return; "
    "key "
    "grave\n"
    "await grep -q '^typed' out\n"
    "xdotool windowsize $window 500 400; await grep -q '\"width\":500,\"height\":400,' in; pass tick\n"
    /* Back by two seconds, looked at on the way, and on from there; then back again, and closed without a change. */
    "xdotool key F10 Left; sleep 0.7; xdotool key Left Return; pass tick; await grep -q '\"back\"' in\n"
    "xdotool keydown Right; pass tick; xdotool keyup Right key F10 Home; sleep 0.7; xdotool key Escape; pass tick\n"
    "xdotool key Escape; wait $pid; echo \"exit $?\"; grep -c '\"back\"' in\n"
    "$player --headless --replay in game 2>&1\n"
    "$player --size 300x500 --replay in game 2>&1\n"
    "cat err >&2\n";

TEST(core, what_was_recorded_in_a_window_replays_without_one_and_in_another)
{
  if (!has_tools("what_was_recorded_in_a_window_replays_without_one_and_in_another", ""))
    return;
  play_write("run.sh", recording_script);
  RUN_FOR(240,
          "player=$(pwd)/" SP_BUILD_DIR "/spawnpool && cp -r scripts/shooter '%s/game' && cd '%s' && " XVFB
          "sh run.sh \"$player\" && grep -c unheard in && grep -E '\"(steps|eval)\"' in",
          play_folder, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "exit 0\n1\n");
  const char *first = strstr(play_run.out, "all as recorded\n");
  ck_assert_msg(first && strstr(first + 1, "all as recorded\n"), "%s%s", play_run.out, play_run.err);
  EXPECT_IN(play_run.out, "the view is scaled to 300x500");
  EXPECT_IN(play_run.out, "\"text\":\"pools:alloc");
  EXPECT_IN(play_run.out, "\"count\":0}");
}

/* }== */

/* {== Focus ============================================================== */

#define TICKING(version, setting)                                                                                      \
  "local n = 0\nreturn { " setting "update = function()\n"                                                             \
  "  n = n + 1\n  if n % 10 == 0 then print('" version " ticks') end\nend }\n"

/* `pass WORD` waits for two more lines of that version: one may have been on its way before. The other window stands
   for an editor. Paused is a game that has said nothing while the other one went on for ten of its lines. */
static const char focus_script[] =
    "player=$1\n" AWAIT
    "find() { id=$(xdotool search --onlyvisible --name \"^$1 - spawnpool\" 2>/dev/null) && [ -n \"$id\" ]; }\n"
    "active() { xdotool windowactivate $1; [ \"$(xdotool getactivewindow)\" = $1 ]; } 2>/dev/null\n"
    "managed() { xdotool get_desktop; } >/dev/null 2>&1\n" /* a window shown before that may get lost */
    "openbox >/dev/null 2>&1 & await managed\n"
    "$player --size 320x240 game >out 2>err & pid=$!\n"
    "$player --size 200x150 other >>out 2>/dev/null & editor=$!\n"
    "await find game; game=$id; await find other; other=$id\n"
    "await active $game; pass first\n"
    "await active $other; pass first; echo 'ran unfocused'\n"
    "cp second.lua game/main.lua; pass second; echo 'edited unfocused'\n"
    "cp pausing.lua game/main.lua; await grep -q pause_unfocused out\n"
    "still() { before=$(count pausing); for i in 1 2 3 4 5; do pass other; done; [ $(count pausing) = $before ]; }\n"
    "await still && echo 'paused'\n"
    "await active $game; pass pausing; echo 'continued'\n"
    "kill -INT $pid $editor; wait $pid; echo \"exit $?\"; cat out err >&2\n";

TEST(core, a_game_is_edited_while_another_window_has_the_focus)
{
  char path[512];
  if (!has_tools("a_game_is_edited_while_another_window_has_the_focus", "openbox"))
    return;
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", play_folder, i ? "other" : "game");
    ck_assert_int_eq(mkdir(path, 0777), 0);
  }
  play_write("other/main.lua", TICKING("other", ""));
  play_write("game/main.lua", TICKING("first", ""));
  play_write("second.lua", TICKING("second", ""));
  play_write("pausing.lua", TICKING("pausing", "pause_unfocused = true, "));
  play_write("run.sh", focus_script);
  RUN_FOR(240, "player=$(pwd)/" SP_BUILD_DIR "/spawnpool && cd '%s' && " XVFB "sh run.sh \"$player\"", play_folder);
  ck_assert_msg(strcmp(play_run.out, "ran unfocused\nedited unfocused\npaused\ncontinued\nexit 0\n") == 0, "%s%s",
                play_run.out, play_run.err);
}

/* }== */

SUITE(window_run, &core)
