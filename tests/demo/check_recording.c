/*
** Lines of recorded input, read and written. See tests/demo/player/recording.lua and rewind.lua for the rest.
*/
#include "demo/app/recording.h"
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

static const char all_lines[] =
    "{\"spawnpool-input\":1,\"player\":\"1\",\"game\":\"g \\\"\\\\\",\"files\":\"00000000000000ff\","
    "\"seed\":\"ffffffffffffffff\",\"width\":8,\"height\":6,\"density\":1.5,\"step\":0.016666666666666666,"
    "\"start\":1,\"memory\":9007199254740992,\"trust\":true,\"arguments\":[\"--x\",\"\"]}\n"
    "{\"frame\":0,\"do\":\"eval\",\"object\":\"8000000100000005\",\"text\":\"a = \\\"b\\\\\\u000a\\u0001\"}\n"
    "{\"frame\":1,\"do\":\"key_down\",\"key\":\"Left\"}\n"
    "{\"frame\":1,\"do\":\"key_up\",\"key\":\"\xc3\x84\",\"unheard\":true}\n"
    "{\"frame\":1,\"do\":\"mouse_move\",\"x\":-5,\"y\":6,\"dx\":7,\"dy\":-8}\n"
    "{\"frame\":1,\"do\":\"mouse_down\",\"x\":1,\"y\":2,\"button\":3}\n"
    "{\"frame\":1,\"do\":\"mouse_up\",\"x\":1,\"y\":2,\"button\":3,\"unheard\":true}\n"
    "{\"frame\":1,\"do\":\"wheel\",\"x\":0,\"y\":-1}\n"
    "{\"frame\":1,\"do\":\"text\",\"text\":\"\xc3\xa4\"}\n"
    "{\"frame\":1,\"do\":\"pad_added\"}\n"
    "{\"frame\":1,\"do\":\"pad_axis\",\"axis\":1,\"value\":-32768}\n"
    "{\"frame\":1,\"do\":\"pad_down\",\"button\":\"a\"}\n"
    "{\"frame\":1,\"do\":\"pad_up\",\"button\":\"dpup\"}\n"
    "{\"frame\":1,\"do\":\"pad_removed\"}\n"
    "{\"frame\":1,\"do\":\"focus_lost\"}\n"
    "{\"frame\":1,\"do\":\"focus_gained\"}\n"
    "{\"frame\":1,\"do\":\"set\",\"object\":\"0000000000000009\",\"field\":\"x\",\"text\":\"1\"}\n"
    "{\"frame\":1,\"do\":\"quit\"}\n"
    "{\"frame\":1,\"do\":\"size\",\"width\":10,\"height\":20,\"density\":0.100000001}\n"
    "{\"frame\":1,\"do\":\"steps\",\"count\":0}\n"
    "{\"frame\":2,\"do\":\"reload\",\"files\":\"00000000000000ff\"}\n"
    "{\"frame\":2,\"do\":\"error\",\"text\":\"main.lua:1: x\"}\n"
    "{\"frame\":2,\"do\":\"digests\",\"from\":1,\"digits\":\"12ab34cd\"}\n"
    "{\"frame\":2,\"do\":\"hash\",\"all\":\"0123456789abcdef\",\"pools\":{\"Dot\":{\"hash\":\"1a\"}}}\n"
    "{\"frame\":3,\"do\":\"quit\",\"ended\":true}\n"
    "{\"frame\":3,\"do\":\"end\"}\n";

/* Every kind of line is read and written again; and no byte of it can be changed so that reading does anything but
   refuse, or read something else. */
TEST(core, every_line_is_read_as_it_was_written)
{
  char lines[4096], back[4096], problem[1200], path[512];
  recording r;
  snprintf(lines, sizeof lines, "%s", all_lines);
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
