/*
** The command line of the player, option by option.
*/
#include "demo/app/options.h"
#include "demo/support/nearest_name.h"
#include "support/test.h"

#include <string.h>

#define PARSE(o, ...)                                                                                                  \
  do {                                                                                                                 \
    char *argv[] = {"spawnpool", __VA_ARGS__, NULL};                                                                   \
    parsed = options_parse((o), (int)(sizeof argv / sizeof *argv) - 1, argv);                                          \
  } while (0)

#define ACCEPT(o, ...)                                                                                                 \
  do {                                                                                                                 \
    bool parsed;                                                                                                       \
    PARSE(o, __VA_ARGS__);                                                                                             \
    ck_assert_msg(parsed, "%s", (o)->error);                                                                           \
  } while (0)

/* A command line that is refused: its words, without those behind the first NULL, and a part of the message. */
typedef struct refusal {
  const char *part;
  char *words[6];
} refusal;

static const char *refuse(char *const *words)
{
  static options o;
  char *argv[8] = {"spawnpool"};
  int argc = 1;
  while (words[argc - 1]) {
    argv[argc] = words[argc - 1];
    argc++;
  }
  ck_assert_msg(!options_parse(&o, argc, argv), "%s is accepted", argc > 1 ? argv[1] : "nothing");
  ck_assert_ptr_null(strchr(o.error, '\n'));
  return o.error;
}

static test_group core = {"core"};

TEST(core, a_path_alone_takes_the_defaults)
{
  options o;
  ACCEPT(&o, "games/rain");
  ck_assert_str_eq(o.path, "games/rain");
  ck_assert_int_eq(o.width, 800);
  ck_assert_int_eq(o.height, 600);
  ck_assert(o.frames == OPTIONS_NO_END);
  ck_assert(!o.headless && !o.realtime && !o.trust && !o.help && !o.version && !o.seeded);
  ck_assert(!o.no_watch && !o.pause_on_reload && !o.trace);
  ck_assert_str_eq(o.screenshot, "");
  ck_assert_ptr_null(o.stats);
  ck_assert_int_eq(o.game_argc, 0);
  ck_assert(o.memory == OPTIONS_MEMORY);
}

TEST(core, every_option_is_stored)
{
  options o;
  ACCEPT(&o, "--headless", "--realtime", "--frames", "600", "--seed", "18446744073709551615", "--size", "320x240",
         "--screenshot", "a.png@60", "--stats", "-", "--trust", "--memory", "64", "rain");
  ck_assert(o.headless && o.realtime && o.trust && o.seeded);
  ck_assert(o.frames == 600 && o.seed == UINT64_MAX);
  ck_assert_int_eq(o.width, 320);
  ck_assert_int_eq(o.height, 240);
  ck_assert_str_eq(o.screenshot, "a.png");
  ck_assert(o.screenshot_frame == 60);
  ck_assert_str_eq(o.stats, "-");
  ck_assert(o.memory == (size_t)64 << 20);
  ck_assert_str_eq(o.path, "rain");
  ck_assert(!o.no_watch && !o.pause_on_reload);
  ACCEPT(&o, "--no-watch", "--pause-on-reload", "--trace", "rain");
  ck_assert(o.no_watch && o.pause_on_reload && o.trace);
}

TEST(core, options_stand_anywhere_and_take_equals)
{
  options o;
  ACCEPT(&o, "rain", "--frames=0", "--size=1X2", "--seed=0", "--stats=s.jsonl");
  ck_assert(o.frames == 0 && o.seeded && o.seed == 0);
  ck_assert_int_eq(o.width, 1);
  ck_assert_int_eq(o.height, 2);
  ck_assert_str_eq(o.stats, "s.jsonl");
}

TEST(core, what_follows_two_dashes_is_the_games)
{
  options o;
  char *argv[] = {"spawnpool", "rain", "--headless", "--", "--frames", "hard", "--", NULL};
  ck_assert(options_parse(&o, 7, argv));
  ck_assert(o.headless && o.frames == OPTIONS_NO_END);
  ck_assert_int_eq(o.game_argc, 3);
  ck_assert_str_eq(o.game_argv[0], "--frames");
  ck_assert_str_eq(o.game_argv[2], "--");
}

TEST(core, help_and_version_need_no_path)
{
  options o;
  ACCEPT(&o, "--help");
  ck_assert(o.help);
  ACCEPT(&o, "-h");
  ck_assert(o.help);
  ACCEPT(&o, "--version");
  ck_assert(o.version);
}

TEST(core, an_at_sign_may_belong_to_the_file_name)
{
  options o;
  ACCEPT(&o, "rain", "--screenshot", "icon@2x.png");
  ck_assert_str_eq(o.screenshot, "icon@2x.png");
  ck_assert(o.screenshot_frame == 0);
  ACCEPT(&o, "rain", "--record", "a.png@8.6");
  ck_assert_str_eq(o.record, "a.png");
  ck_assert_double_eq(o.record_seconds, 8.6);
  ACCEPT(&o, "rain", "--record", "a@8.png");
  ck_assert_str_eq(o.record, "a@8.png");
  ACCEPT(&o, "rain", "--screenshot", "icon@2x.png@7");
  ck_assert_str_eq(o.screenshot, "icon@2x.png");
  ck_assert(o.screenshot_frame == 7);
}

TEST(core, texts_to_run_are_kept_in_order)
{
  options o;
  ACCEPT(&o, "--exec", "a = 1", "rain", "--exec=b = '--frames'");
  ck_assert_int_eq(o.exec_count, 2);
  ck_assert_str_eq(o.exec[0], "a = 1");
  ck_assert_str_eq(o.exec[1], "b = '--frames'");
  ACCEPT(&o, "rain");
  ck_assert_int_eq(o.exec_count, 0);
}

static test_group misuse = {"misuse"};

TEST(misuse, more_texts_than_there_is_room_for_are_refused)
{
  options o;
  char *argv[2 * OPTIONS_EXEC_MOST + 4];
  int argc = 0;
  argv[argc++] = "spawnpool";
  for (int i = 0; i <= OPTIONS_EXEC_MOST; i++) {
    argv[argc++] = "--exec";
    argv[argc++] = "x = 1";
  }
  argv[argc] = NULL;
  ck_assert(!options_parse(&o, argc, argv));
  ck_assert_ptr_nonnull(strstr(o.error, "--exec may be given 64 times"));
}

TEST(core, check_init_and_games_are_told_from_playing)
{
  options o;
  ACCEPT(&o, "--check", "rain");
  ck_assert(o.check && !o.init);
  ck_assert_str_eq(o.path, "rain");
  ACCEPT(&o, "init", "new");
  ck_assert(o.init && !o.check);
  ck_assert_str_eq(o.path, "new");
  ACCEPT(&o, "./init");
  ck_assert(!o.init);
  ACCEPT(&o, "--headless", "init");
  ck_assert(!o.init);
  ACCEPT(&o, "games");
  ck_assert(o.games && !o.init && !o.path);
  ACCEPT(&o, "./games");
  ck_assert(!o.games);
}

static const refusal refusals[] = {
    {"--exec needs a value", {"rain", "--exec"}},
    {"no folder given: spawnpool init DIR", {"init"}},
    {"one PATH only", {"init", "a", "b"}},
    {"'--check'", {"--chek", "rain"}},
    {"'--headless'", {"--hedless", "rain"}},
    {"'--headless'", {"--haedless", "rain"}},
    {"'--frames'", {"--frame", "rain"}},
    {"'--frames'", {"--farmes=3", "rain"}},
    {"'--screenshot'", {"--screen", "rain"}},
    {"'--stats'", {"--stat", "rain"}},
    {"'--size'", {"-size", "rain"}},
    {"'--no-watch'", {"--nowatch", "rain"}},
    {"'--no-watch'", {"--no-wach", "rain"}},
    {"'--pause-on-reload'", {"--pause-on-relaod", "rain"}},
    {"unknown option '-x'", {"-x", "rain"}},
    {"games takes no PATH, got 'rain'", {"games", "rain"}},
    {"unknown option '--frames-per-second'", {"--frames-per-second", "3"}},
    {"--frames needs a whole number, got 'many'", {"--frames", "many", "rain"}},
    {"'-3'", {"--frames", "-3", "rain"}},
    {"'1e3'", {"--frames", "1e3", "rain"}},
    {"''", {"--frames", "", "rain"}},
    {"--seed needs", {"--seed", "18446744073709551616", "rain"}},
    {"--seed needs", {"--seed", " 1", "rain"}},
    {"--size needs", {"--size", "640", "rain"}},
    {"--size needs", {"--size", "0x480", "rain"}},
    {"--size needs", {"--size", "640x", "rain"}},
    {"--size needs", {"--size", "x480", "rain"}},
    {"--size needs", {"--size", "99999x99999", "rain"}},
    {"--size needs", {"--size", "640x480x2", "rain"}},
    {"--memory needs", {"--memory", "0", "rain"}},
    {"--memory needs", {"--memory", "18446744073709551615", "rain"}},
    {"--screenshot", {"--screenshot", "", "rain"}},
    {"--screenshot", {"--screenshot", "@3", "rain"}},
    {"from 1", {"--screenshot", "a.png@0", "rain"}},
    {"whole frames from 1, got 'a.png@1.5'", {"--screenshot", "a.png@1.5", "rain"}},
    {"from 0.1 to 60 seconds, got 'a.png@-3'", {"--record", "a.png@-3", "rain"}},
    {"from 0.1 to 60 seconds", {"--record", "a.png@60.5", "rain"}},
    {"--stats", {"--stats", "", "rain"}},
    {"no game given", {"--headless"}},
    {"no game given", {"--", "rain"}},
    {"--frames needs a value", {"rain", "--frames"}},
    {"--frames needs a value", {"--frames", "--headless", "rain"}},
    {"--headless takes no value", {"--headless=yes", "rain"}},
    {"--no-watch takes no value", {"--no-watch=yes", "rain"}},
    {"--pause-on-reload needs a window", {"--pause-on-reload", "--headless", "rain"}},
    {"one PATH only", {"rain", "snow"}},
    {"frame 20", {"rain", "--frames", "10", "--screenshot", "a.png@20"}},
};

TEST(misuse, a_wrong_line_is_refused_with_what_is_wrong)
{
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    const char *said = refuse(refusals[i].words);
    ck_assert_msg(strstr(said, refusals[i].part) != NULL, "'%s' is not in: %s", refusals[i].part, said);
  }
}

TEST(misuse, a_screenshot_name_that_does_not_fit_is_refused)
{
  char name[OPTIONS_FILE_MOST + 1];
  memset(name, 'a', sizeof name);
  name[OPTIONS_FILE_MOST] = '\0';
  ck_assert_ptr_nonnull(strstr(refuse((char *[]){"rain", "--screenshot", name, NULL}), "too long"));
  name[OPTIONS_FILE_MOST - 1] = '\0';
  options o;
  ACCEPT(&o, "rain", "--screenshot", name);
  ck_assert_str_eq(o.screenshot, name);
}

static test_group nearest = {"nearest"};

TEST(nearest, distance_counts_edits)
{
  ck_assert_uint_eq(nearest_name_distance("ring", "ring"), 0);
  ck_assert_uint_eq(nearest_name_distance("", "ring"), 4);
  ck_assert_uint_eq(nearest_name_distance("ring", "rings"), 1);
  ck_assert_uint_eq(nearest_name_distance("ring", "rnig"), 1);
  ck_assert_uint_eq(nearest_name_distance("ring", "song"), 2);
  ck_assert_uint_eq(nearest_name_distance("screen", "screenshot"), 1);
  ck_assert_uint_eq(nearest_name_distance("ab", "screenshot"), 10);
}

static const char *nearest_of(const char *wanted, const char *one, const char *other)
{
  nearest_name near = nearest_name_of(wanted);
  nearest_name_offer(&near, one);
  nearest_name_offer(&near, other);
  return near.name;
}

TEST(nearest, what_is_far_is_not_suggested)
{
  ck_assert_str_eq(nearest_of("--haedles", "--headless", "--help"), "--headless");
  ck_assert_str_eq(nearest_of("--hel", "--headless", "--help"), "--help");
  ck_assert_str_eq(nearest_of("rnig", "square", "ring"), "ring");
  ck_assert_ptr_null(nearest_of("-v", "--seed", "--help"));
  ck_assert_ptr_null(nearest_of("--completion", "--realtime", "--version"));
  ck_assert_ptr_null(nearest_of("", "ring", "square"));
  ck_assert_str_eq(refuse((char *[]){"-v", "rain", NULL}), "unknown option '-v'");
}

TEST(nearest, distance_stands_long_words)
{
  char a[300], b[300];
  memset(a, 'a', sizeof a);
  memset(b, 'b', sizeof b);
  a[299] = b[299] = '\0';
  ck_assert_uint_eq(nearest_name_distance(a, b), 63);
}

SUITE(player_options, &core, &misuse, &nearest)
