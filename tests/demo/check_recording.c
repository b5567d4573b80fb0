/*
** Lines of recorded input, read and written; and the timeline. See tests/demo/player/recording.lua and rewind.lua for
** the rest.
*/
#include "demo/app/recording_read.h"
#include "demo/play.h"
#include "demo/ui/timeline.h"
#include "support/test.h"

#include <stdio.h>

static test_group core = {"core", play_open, play_close, 120};

/* {== Lines ============================================================== */

static bool read_text(recording *r, const char *lines, char *problem, size_t size)
{
  char path[512];
  play_write("in", lines);
  snprintf(path, sizeof path, "%s/in", play_folder);
  return recording_read(r, path, problem, size);
}

#define ALL_LINES                                                                                                      \
  "0 eval 5 \"a = \\\"b\\\\\\n\\x01\"\n1 key_down \"Left\"\n1 key_up \"\xc3\x84\" unheard\n1 mouse_move -5 6 7 -8\n"   \
  "1 mouse_down 1 2 3\n1 mouse_up 1 2 3 unheard\n1 wheel 0 -1\n1 text \"\xc3\xa4\"\n1 pad_added\n1 pad_axis 1 "        \
  "-32768\n"                                                                                                           \
  "1 pad_down \"a\"\n1 pad_up \"dpup\"\n1 pad_removed\n1 focus_lost\n1 focus_gained\n1 set 9 \"x\" \"1\"\n1 quit\n"    \
  "1 size 10 20 0x1.8p+0\n1 steps 0\n2 reload 00000000000000ff\n2 error \"main.lua:1: x\"\n2 pool \"Dot\" \"live=1 "   \
  "\"\n"                                                                                                               \
  "2 frames 1 12ab34cd\n2 hash 0123456789abcdef\n3 quit ended\n3 end\n"

/* Every kind of line is read and written again; and no byte of it can be changed so that reading does anything but
   refuse, or read something else. */
TEST(core, every_line_is_read_as_it_was_written)
{
  char lines[4096], back[4096], problem[1200], path[512];
  recording r;
  snprintf(
      lines, sizeof lines,
      "spawnpool-input 1\nplayer \"1\"\ngame \"g \\\"\\\\\"\nfiles 00000000000000ff\nseed 18446744073709551615\n"
      "size 8 6 0x1p+0\nstep 0x1p-6\nstart 1\nmemory 1\ntrust yes\nargument \"--x\"\nargument \"\"\nbegin\n" ALL_LINES);
  snprintf(path, sizeof path, "%s/back", play_folder);
  for (size_t i = 0; i <= strlen(lines); i++) {
    char was = lines[i];
    if (i < strlen(lines))
      lines[i] = (char)(was ^ 1 << i % 7);
    if (read_text(&r, lines, problem, sizeof problem)) {
      FILE *out = fopen(path, "w+");
      recording_write_head(out, &r.head);
      for (size_t k = 0; k < r.count; k++)
        recording_write_entry(out, &r.entries[k]);
      rewind(out);
      back[fread(back, 1, sizeof back - 1, out)] = '\0';
      fclose(out);
      if (was == '\0')
        ck_assert_str_eq(back, lines);
      recording_free(&r);
    } else {
      ck_assert_msg(was != '\0', "%s", problem);
    }
    lines[i] = was;
  }
}

/* }== */

/* {== The timeline ======================================================= */

static timeline_action press_key(timeline *t, SDL_Keycode key, Uint16 mod)
{
  return timeline_event(t, &(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = mod}}});
}

TEST(core, the_timeline_chooses_frames_by_keys_and_mouse)
{
  static const struct {
    SDL_Keycode key;
    Uint16 mod;
    uint64_t at;
  } rows[] = {
      {SDLK_LEFT, 0, 940}, {SDLK_LEFT, KMOD_LSHIFT, 939}, {SDLK_LEFT, KMOD_LCTRL, 339}, {SDLK_LEFT, KMOD_LCTRL, 1},
      {SDLK_RIGHT, 0, 61}, {SDLK_END, 0, 1000},           {SDLK_RIGHT, 0, 1000},        {SDLK_HOME, 0, 1}};
  timeline t = {.shown = false};
  timeline_open(&t, 1, 1000, 1.0 / 60);
  ck_assert_uint_eq(t.at, 1000);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ck_assert_int_eq(press_key(&t, rows[i].key, rows[i].mod), TIMELINE_USED);
    ck_assert_uint_eq(t.at, rows[i].at);
  }
  t.x = 100;
  t.width = 500;
  t.height = 30;
  SDL_Event down = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 350}};
  SDL_Event move = {.motion = {.type = SDL_MOUSEMOTION, .x = 2000}}, up = {.button = {.type = SDL_MOUSEBUTTONUP}};
  ck_assert_int_eq(timeline_event(&t, &down), TIMELINE_USED);
  ck_assert_uint_eq(t.at, 501);
  timeline_event(&t, &move);
  ck_assert_uint_eq(t.at, 1000);
  timeline_event(&t, &up);
  move.motion.x = 0;
  timeline_event(&t, &move);
  ck_assert_uint_eq(t.at, 1000);
  ck_assert_int_eq(press_key(&t, SDLK_RETURN, 0), TIMELINE_GO);
  ck_assert_int_eq(press_key(&t, SDLK_ESCAPE, 0), TIMELINE_CLOSE);
  ck_assert_int_eq(press_key(&t, SDLK_F10, 0), TIMELINE_CLOSE);
  ck_assert_int_eq(press_key(&t, SDLK_F2, 0), TIMELINE_IGNORED);
  timeline_add(&t, 5, TIMELINE_ERROR);
  timeline_close(&t);
  ck_assert(!t.shown && t.count == 0);
}

/* }== */

SUITE(recording, &core)
