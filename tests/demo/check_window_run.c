/*
** The player as a person meets it: a real window, real keys and a real mouse, by xdotool on a display of its own. The
** shooter is flown, looked into, spoken to, broken and mended; then it is left.
*/
#include "demo/play.h"

#include <stdio.h>
#include <stdlib.h>

#define XVFB "ASAN_OPTIONS=detect_leaks=0 xvfb-run -a -s '-screen 0 800x600x24 -noreset' "

/* Waits are for a condition, up to 20 s; what is typed in the console prints to the player's output. */
static const char script[] =
    "player=$1\n"
    "await() { i=0; until \"$@\" || [ $i -gt 200 ]; do sleep 0.1; i=$((i + 1)); done; }\n"
    "said() { grep -q \"$1\" out; }\n"
    "pictures() { [ \"$(ls spawnpool-*.png 2>/dev/null | wc -l)\" -ge \"$1\" ]; }\n"
    "say() { xdotool key grave; sleep 0.3; xdotool type --delay 15 \"$1\"; xdotool key Return; sleep 0.2; xdotool key "
    "grave; }\n"
    "$player --size 800x600 --stats stats game >out 2>err &\n"
    "pid=$!\n"
    "window=$(timeout 20 xdotool search --sync --onlyvisible --name 'game - spawnpool' | head -1)\n"
    "xdotool windowfocus \"$window\"; sleep 0.5\n"
    "xdotool keydown Left; sleep 1.2; xdotool keyup Left\n" /* the autopilot goes, the ship flies to the left */
    "say 'for s in pools:pool(\"Ship\"):each() do print(\"ship\", s.x < 380) end'\n"
    "await said '^ship'\n"
    "xdotool key F2; sleep 0.2; xdotool key F2; sleep 0.2; xdotool key F3; sleep 0.3\n"
    "xdotool key F8; await pictures 1\n"
    "say 'print(\"still\", pools:stats().live > 100)'\n"
    "await said '^still'\n"
    "sed 's/function Star:alloc(lifetime, x, y)/& nothing.at.all = 1/' game/pools/Star.lua >new && mv new "
    "game/pools/Star.lua\n"
    "await grep -q 'its last good version is back' err\n"
    "sed 's/ nothing.at.all = 1//' game/pools/Star.lua >new && mv new game/pools/Star.lua\n"
    "await said 'pools/Star.lua is what runs again'\n"
    "xdotool key Escape; sleep 0.3; xdotool key Escape; sleep 0.3\n"
    "await sh -c \"! kill -0 $pid 2>/dev/null\"\n"
    "kill $pid 2>/dev/null && echo 'it did not end' >>err\n"
    "wait $pid; echo \"exit $?\" >>out\n"
    "cat out; cat err >&2\n";

static bool has_tools(void)
{
  if (strcmp(test_tool(), "") != 0) /* instrumented, it is too slow for a person's waits */
    return false;
  RUN("command -v xvfb-run && command -v xauth && command -v xdotool");
  if (play_run.status != 0)
    test_skip("the_shooter_is_flown_looked_into_broken_and_mended", "no xvfb-run or no xdotool");
  return play_run.status == 0;
}

START_TEST(the_shooter_is_flown_looked_into_broken_and_mended)
{
  if (!has_tools())
    return;
  play_write("run.sh", script);
  RUN("player=$(pwd)/" SP_BUILD_DIR "/spawnpool && cp -r scripts/shooter '%s/game' && cd '%s' && " XVFB
      "sh run.sh \"$player\"",
      play_folder, play_folder);
  EXPECT_IN(play_run.out, "ship\ttrue\n");
  EXPECT_IN(play_run.out, "still\ttrue\n");
  EXPECT_IN(play_run.out, "reloaded pools/Star.lua");
  EXPECT_IN(play_run.err, "attempt to index a nil value (global 'nothing')");
  EXPECT_IN(play_run.err, "pools/Star.lua failed: its last good version is back, until the next save");
  EXPECT_IN(play_run.out, "pools/Star.lua is what runs again");
  EXPECT_IN(play_run.out, "exit 0\n");
  RUN("grep -c '\"reverted_reloads\":1' '%s/stats'; ls '%s'/spawnpool-*.png", play_folder, play_folder);
  EXPECT_STATUS(0);
}
END_TEST

Suite *sp_suite_window_run(void)
{
  Suite *suite = suite_create("window_run");
  TCase *core = play_case(suite, "core");
  tcase_set_timeout(core, 120);
  tcase_add_test(core, the_shooter_is_flown_looked_into_broken_and_mended);
  return suite;
}
