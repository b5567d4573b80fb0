/*
** Lines of recorded input, read and written. See tests/demo/player/recording.lua and rewind.lua for the rest.
*/
#include "demo/app/recording_read.h"
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>

static test_group core = {"core", play_open, play_close, 120};

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

SUITE(recording, &core)
