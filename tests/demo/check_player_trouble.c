/*
** What goes wrong around the player: streams that are closed, disks that are full, files and folders that nobody can
** read, pictures and texts that are none, a device that is lost, more input and output than is usual.
*/
#include "demo/app/app.h"
#include "demo/draw/images.h"
#include "demo/game_run.h"
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The player as somebody for whom the rights of files count, up to its options. */
#define AS_NOBODY "$([ $(id -u) = 0 ] && echo setpriv --reuid 65534 --regid 65534 --clear-groups) "
#define TALKING "return { update = function() print 'line' end }"

/* {== Streams and disks ================================================== */

static test_group streams = {"streams", play_open, play_close, 120};

TEST(streams, a_closed_pipe_ends_the_run_quietly)
{
  play_write("main.lua", TALKING);
  RUN("{ " PLAYER "--headless %s; echo $? >%s/status; } | head -n 1; cat %s/status", play_folder, play_folder,
      play_folder);
  ck_assert_str_eq(play_run.out, "line\n141\n"); /* 128 + SIGPIPE */
  ck_assert_str_eq(play_run.err, "");
}

TEST(streams, a_closed_pipe_whose_signal_is_ignored_ends_the_run_too)
{
  play_write("main.lua", TALKING);
  RUN("trap '' PIPE; { " PLAYER "--headless %s; echo $? >%s/status; } | head -n 1; cat %s/status", play_folder,
      play_folder, play_folder);
  ck_assert_str_eq(play_run.out, "line\n2\n");
  ck_assert_str_eq(play_run.err, "spawnpool: cannot write to the standard output\n");
}

static bool has_full_disk(const char *test)
{
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    test_skip(test, "no /dev/full");
  else
    fclose(full);
  return full != NULL;
}

TEST(streams, a_full_disk_is_one_clear_line)
{
  static const char *const outputs[] = {"--screenshot /dev/full", "--stats /dev/full", "--record /dev/full"};
  if (!has_full_disk("a_full_disk_is_one_clear_line"))
    return;
  play_write("main.lua", "return {}");
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    RUN(HEADLESS "%s %s", outputs[i], play_folder);
    EXPECT_STATUS(2);
    EXPECT_IN(play_run.err, "spawnpool: cannot ");
    EXPECT_IN(play_run.err, "No space left on device");
    EXPECT_LINES(play_run.err, 1);
  }
  play_write("main.lua", TALKING);
  RUN(HEADLESS "%s >/dev/full", play_folder);
  EXPECT_STATUS(2);
  ck_assert_str_eq(play_run.err, "spawnpool: cannot write to the standard output\n");
}

/* No file may grow: a disk that is full from here on, for `command`. */
#define ON_A_FULL_DISK "(ulimit -f 0; "

TEST(streams, a_picture_that_cannot_be_written_leaves_the_one_before)
{
  static const char *const outputs[] = {"--screenshot", "--record"};
  if (strcmp(test_tool(), "coverage") == 0) { /* a program that may not write its counts says so */
    test_skip("a_picture_that_cannot_be_written_leaves_the_one_before", "the counts cannot be written either");
    return;
  }
  play_write("main.lua", "return {}");
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    RUN("cd %s && mkdir out && echo before >out/old.png && chmod 600 out/old.png && ln -s old.png out/link.png",
        play_folder);
    static const char *const files[] = {"old.png", "new.png", "link.png"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
      RUN(ON_A_FULL_DISK HEADLESS "%s %s/out/%s %s)", outputs[i], play_folder, files[k], play_folder);
      EXPECT_STATUS(2);
      EXPECT_IN(play_run.err, "File too large");
      EXPECT_LINES(play_run.err, 1);
    }
    RUN("cd %s/out && ls -A && cat old.png", play_folder);
    ck_assert_str_eq(play_run.out, "link.png\nold.png\nbefore\n");
    RUN(HEADLESS "%s %s/out/link.png %s", outputs[i], play_folder, play_folder);
    EXPECT_STATUS(0);
    RUN("cd %s/out && ls -A && readlink link.png && head -c 4 old.png | tail -c 3 && stat -c ' %%a' old.png; rm -r "
        "../out",
        play_folder);
    ck_assert_str_eq(play_run.out, "link.png\nold.png\nold.png\nPNG 600\n");
  }
}

TEST(streams, a_picture_goes_into_a_folder_that_takes_no_new_files)
{
  play_write("main.lua", "return {}");
  RUN("cp " PLAYER " %s/player && cd %s && mkdir out && : >out/old.png && chmod 666 out/old.png && chmod 555 out && "
      "chmod 755 player . .. && " AS_NOBODY "./player --version",
      play_folder, play_folder);
  if (play_run.status != 0 ||
      strcmp(test_tool(), "coverage") == 0) { /* a program that may not write its counts says so */
    test_skip("a_picture_goes_into_a_folder_that_takes_no_new_files", "no other user can be taken, or gets there");
    return;
  }
  RUN("cd %s && " AS_NOBODY "./player --headless --frames 1 --screenshot out/old.png .", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
  RUN("cd %s/out && ls -A && head -c 4 old.png | tail -c 3; chmod 444 old.png", play_folder);
  ck_assert_str_eq(play_run.out, "old.png\nPNG");
  RUN("cd %s && " AS_NOBODY "./player --headless --frames 1 --screenshot out/old.png .", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "Permission denied");
}

TEST(streams, closed_streams_let_nothing_into_other_files)
{
  play_write("main.lua", TALKING);
  RUN(HEADLESS "--stats %s/stats %s <&- >&-; echo $?; grep -c line %s/stats; wc -l <%s/stats", play_folder, play_folder,
      play_folder, play_folder);
  ck_assert_str_eq(play_run.out, "2\n0\n1\n");
  RUN(HEADLESS "%s <&- 2>&-", play_folder);
  EXPECT_STATUS(0);
  EXPECT_LINES(play_run.out, 10);
}

/* Looking through a message takes no longer than making it. */
TEST(streams, a_message_of_sixty_megabytes_is_reported_at_once)
{
  static const char *const games[] = {"error((('x'):rep(6e7):gsub('y', 'z')))",
                                      "local n = #('x'):rep(6e7):gsub('y', 'z') return {}"};
  double seconds[2];
  if (strcmp(test_tool(), "coverage") == 0) {
    test_skip("a_message_of_sixty_megabytes_is_reported_at_once", "the watchdog stops a search that is not optimised");
    return;
  }
  for (int i = 0; i < 2; i++) {
    play_write("main.lua", games[i]);
    RUN(PLAYER "--headless --frames 1 %s 2>%s/told; tail -n 1 %s/told; wc -c <%s/told", play_folder, play_folder,
        play_folder, play_folder);
    seconds[i] = play_run.seconds;
    if (i == 0)
      EXPECT_IN(play_run.out, "main.lua:1 in main chunk\n");
  }
  ck_assert_double_lt(seconds[0], 4 * seconds[1] + 0.5);
}

TEST(streams, a_million_lines_come_out_and_take_no_memory)
{
  play_write("main.lua", "local n = 0 return { update = function() for _ = 1, 1e4 do n = n + 1 print(n) end end }");
  RUN(PLAYER "--headless --frames 100 --memory 8 %s | awk 'NR != $1 { bad = 1 } END { print NR, bad + 0 }'",
      play_folder);
  ck_assert_str_eq(play_run.out, "1000000 0\n");
  ck_assert_str_eq(play_run.err, "");
}

TEST(streams, a_game_that_takes_memory_without_end_is_stopped_by_default)
{
  options o;
  char *argv[] = {"spawnpool", "game", NULL};
  ck_assert(options_parse(&o, 2, argv));
  ck_assert_uint_eq(o.memory, OPTIONS_MEMORY);
  RUN(PLAYER "--help");
  EXPECT_IN(play_run.out, "1024 if not given");
  play_write("main.lua", "local t = {} return { update = function() t[#t + 1] = ('x'):rep(1 << 20) .. #t end }");
  RUN(PLAYER "--headless --frames 100000 --memory 24 %s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "not enough memory");
}

/* }== */

/* {== Files and folders ================================================== */

static test_group files_tests = {"files", play_open, play_close, 120};

TEST(files_tests, a_game_that_may_not_be_read_says_so)
{
  play_write("main.lua", "return {}");
  RUN("chmod 711 %s/.. && chmod 755 %s && cp " PLAYER " %s/player && chmod 755 %s/player && " AS_NOBODY
      "%s/player --version",
      play_folder, play_folder, play_folder, play_folder, play_folder);
  if (play_run.status != 0 ||
      strcmp(test_tool(), "coverage") == 0) { /* a program that may not write its counts says so */
    test_skip("a_game_that_may_not_be_read_says_so", "no other user can be taken, or cannot get there");
    return;
  }
  RUN("mkdir %s/closed && cp %s/main.lua %s/closed && chmod 000 %s/closed && " AS_NOBODY
      "%s/player --headless --frames 1 %s/closed",
      play_folder, play_folder, play_folder, play_folder, play_folder, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "/closed: Permission denied");
  EXPECT_LINES(play_run.err, 1);
  RUN("chmod 000 %s/main.lua; " AS_NOBODY "%s/player --headless --frames 1 %s", play_folder, play_folder, play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "main.lua: Permission denied");
}

/* Spaces, quotes, a line break, letters that are not ASCII, and bytes that are no UTF-8. */
TEST(files_tests, a_folder_may_have_any_name)
{
  static const char *const names[] = {"two words", "it's", "a \\\"quote\\\"", "gr\xc3\xbc\xc3\x9f", "b\xff\xfe",
                                      "per%%cent", "-dash"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[64];
    snprintf(name, sizeof name, names[i], 0);
    RUN("cd %s && mkdir \"./%s\" && echo \"print(require 'part') return {}\" >\"./%s/main.lua\" && "
        "echo 'return 7' >\"./%s/part.lua\" && cd - >/dev/null && " HEADLESS
        "--screenshot \"%s/%s/shot.png\" \"%s/%s\" && test -s \"%s/%s/shot.png\"",
        play_folder, name, name, name, play_folder, name, play_folder, name, play_folder, name);
    EXPECT_STATUS(0);
    ck_assert_msg(strncmp(play_run.out, "7\t", 2) == 0, "%s: %s", name, play_run.out);
    ck_assert_str_eq(play_run.err, "");
  }
}

TEST(files_tests, statistics_are_utf8_whatever_a_type_is_called)
{
  play_write("main.lua", "require('spawnpool').class 'gr\\xc3\\xbcn'\nlocal pools = require('spawnpool').pools\n"
                         "pools:alloc 'gr\\xc3\\xbcn' pools:alloc 'b\\xffd\\xe2\\x82'\nreturn {}");
  RUN(HEADLESS "--stats - %s 2>/dev/null", play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "\"type\":\"gr\xc3\xbcn\"");
  EXPECT_IN(play_run.out, "\"type\":\"b\\ufffdd\\ufffd\\ufffd\"");
}

TEST(files_tests, texts_that_are_no_utf8_are_drawn)
{
  play_write("main.lua", "return { draw = function(g) g:text(1, 1, '\\xff\\xc3 \\0 \\xed\\xa0\\x80 \\xf8') end }");
  RUN(HEADLESS "--screenshot %s/shot.png %s", play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
}

TEST(files_tests, without_a_font_text_is_drawn_all_the_same)
{
  RUN("unshare -m mount -t tmpfs none /usr/share/fonts");
  if (play_run.status != 0) {
    test_skip("without_a_font_text_is_drawn_all_the_same", "the fonts cannot be hidden");
    return;
  }
  play_write("main.lua", "return { draw = function(g) g:text(1, 1, 'text') end }");
  play_write("empty.lua", "return {}");
  RUN("HOME=/nowhere unshare -m sh -c 'mount -t tmpfs none /usr/share/fonts && " HEADLESS
      "--size 64x48 --screenshot %s/text.png %s && " HEADLESS "--size 64x48 --screenshot %s/empty.png %s/empty.lua'",
      play_folder, play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
  RUN("cmp -s %s/text.png %s/empty.png", play_folder, play_folder);
  EXPECT_STATUS(1);
}

TEST(files_tests, a_script_without_a_window_names_the_way_out)
{
  play_write("main.lua", "print('never') return {}");
  RUN("SDL_VIDEODRIVER=nonsense " PLAYER "--frames 1 %s", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "spawnpool: cannot open a window: ");
  EXPECT_IN(play_run.err, "--headless");
  EXPECT_LINES(play_run.err, 1);
  ck_assert_str_eq(play_run.out, "");
}

/* }== */

/* {== Pictures =========================================================== */

/* Chunks as a PNG has them, for a picture of w x h; nothing in it but its size. */
typedef unsigned char hollow_png[45];

static void make_hollow_png(hollow_png png, uint32_t w, uint32_t h)
{
  static const hollow_png hollow = {0x89, 'P', 'N', 'G', '\r', '\n', 26, '\n', 0,   0,   0,   13, 'I', 'H', 'D',
                                    'R',  0,   0,   0,   0,    0,    0,  0,    0,   8,   6,   0,  0,   0,   0,
                                    0,    0,   0,   0,   0,    0,    0,  'I',  'E', 'N', 'D', 0,  0,   0,   0};
  memcpy(png, hollow, sizeof hollow);
  for (int i = 0; i < 4; i++) {
    png[16 + i] = (unsigned char)(w >> (24 - 8 * i));
    png[20 + i] = (unsigned char)(h >> (24 - 8 * i));
  }
}

static test_group pictures = {"pictures", play_open, play_close, 120};

TEST(pictures, a_picture_that_asks_for_gigabytes_is_refused_unread)
{
  static const uint32_t sizes[][2] = {{20000, 20000},           {8193, 1}, {1, 8193}, {8192, 2049},
                                      {0xffffffff, 0xffffffff}, {0, 5}};
  hollow_png png;
  int w, h;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    make_hollow_png(png, sizes[i][0], sizes[i][1]);
    ck_assert_ptr_null(image_load(png, sizeof png, &w, &h));
    ck_assert_msg(strstr(SDL_GetError(), "at most") != NULL, "%s", SDL_GetError());
  }
  make_hollow_png(png, 8192, 2048); /* of a size that is fine: something else is wrong then */
  ck_assert_ptr_null(image_load(png, sizeof png, &w, &h));
  ck_assert_ptr_null(strstr(SDL_GetError(), "at most"));
}

TEST(pictures, bad_pictures_are_warnings_and_the_game_runs)
{
  char path[512];
  hollow_png png;
  RUN("mkdir -p %s/sprites/folder.png && ln -s nowhere %s/sprites/gone.png && : >%s/sprites/empty.png", play_folder,
      play_folder, play_folder);
  make_hollow_png(png, 20000, 20000);
  snprintf(path, sizeof path, "%s/sprites/huge.png", play_folder);
  gamerun_write(path, (const char *)png, sizeof png);
  play_write("main.lua", "print 'runs' return {}");
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "runs\n");
  EXPECT_IN(play_run.err, "sprites/huge.png: 20000 x 20000 pixels; a sprite has ");
  EXPECT_IN(play_run.err,
            "sprites/gone.png: it is a link to 'nowhere', which does not exist; fix or remove it; a checker");
  EXPECT_IN(play_run.err, "sprites/empty.png: ");
  EXPECT_LINES(play_run.err, 3); /* a folder is no picture, whatever it is called */
}

/* }== */

/* {== Events ============================================================= */

/* A play in this process, for the events that wait in its queue; the picture of its last frame. */
static char *play_events(const char *shot, size_t *size)
{
  options o = {.path = play_folder, .frames = 3, .width = 64, .height = 48, .headless = true};
  char *picture;
  o.memory = OPTIONS_MEMORY;
  snprintf(o.screenshot, sizeof o.screenshot, "%s/%s", play_folder, shot);
  ck_assert_int_eq(app_run(&o), APP_FINE);
  picture = SDL_LoadFile(o.screenshot, size);
  ck_assert_ptr_nonnull(picture);
  return picture;
}

static void push(Uint32 type, SDL_Keycode key)
{
  SDL_Event event = {.key = {.type = type, .keysym = {.sym = key}}};
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
}

static test_group events = {"events", play_open, play_close, 120};

/* The rectangle is there when all presses and releases came before the first update. */
TEST(events, a_thousand_keys_in_one_frame_all_arrive)
{
  char *seen, *wanted;
  size_t seen_size, wanted_size;
  play_write("main.lua", "local a, b, c, at = 0, 0, 0, nil\n"
                         "return { key_pressed = function() a = a + 1 at = at or c end,\n"
                         "key_released = function() b = b + 1 end, update = function() c = c + 1 end,\n"
                         "draw = function(g) if a == 500 and b == 500 and at == 0 then g:rect(5, 5, 9, 9) end end }");
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  for (int i = 0; i < 500; i++) {
    push(SDL_KEYDOWN, SDLK_a + i % 26);
    push(SDL_KEYUP, SDLK_a + i % 26);
  }
  seen = play_events("seen.png", &seen_size);
  play_write("main.lua", "return { draw = function(g) g:rect(5, 5, 9, 9) end }");
  wanted = play_events("wanted.png", &wanted_size);
  ck_assert_mem_eq(seen, wanted, seen_size < wanted_size ? seen_size : wanted_size);
  ck_assert_uint_eq(seen_size, wanted_size);
  SDL_free(seen);
  SDL_free(wanted);
}

TEST(events, a_device_that_was_reset_shows_the_same_picture)
{
  char *before, *after;
  size_t before_size, after_size;
  play_write("main.lua",
             "local spawnpool = require 'spawnpool'\nspawnpool.class('Ring', { sprite = 'ring', radius = 9 })\n"
             "return { load = function() spawnpool.pools:alloc('Ring', 0, 40, 30) end,\n"
             "draw = function(g) g:text(2, 2, 'text') g:circle(10, 30, 5) end }");
  before = play_events("before.png", &before_size);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  push(SDL_RENDER_TARGETS_RESET, 0);
  push(SDL_RENDER_DEVICE_RESET, 0);
  push(SDL_RENDER_DEVICE_RESET, 0);
  after = play_events("after.png", &after_size);
  ck_assert_uint_eq(before_size, after_size);
  ck_assert_mem_eq(before, after, before_size);
  SDL_free(before);
  SDL_free(after);
}

/* }== */

SUITE(player_trouble, &streams, &files_tests, &pictures, &events)
