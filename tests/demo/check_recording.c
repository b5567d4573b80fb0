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

/* One of each kind, as it is written; quotes are ' here. */
static const char all_lines[] =
    "{'format':'spawnpool-recording','version':1,'player':'1','game':'g \\'\\\\','files':'00000000000000ff',"
    "'seed':'ffffffffffffffff','width':8,'height':6,'density':1.1000000238418579,'step':0.016666666666666666,"
    "'start':1,'memory':1073741824,'trust':true,'arguments':['--x','']}\n"
    "{'kind':'eval','frame':0,'object':'0000000000000005','text':'a = \\'b\\\\\\u000a\\u0001'}\n"
    "{'kind':'key_down','frame':1,'key':'Left'}\n{'kind':'key_up','frame':1,'key':'\xc3\x84','unheard':true}\n"
    "{'kind':'mouse_move','frame':1,'x':-5,'y':6,'dx':7,'dy':-8}\n"
    "{'kind':'mouse_down','frame':1,'x':1,'y':2,'button':3}\n"
    "{'kind':'mouse_up','frame':1,'x':1,'y':2,'button':3,'unheard':true}\n"
    "{'kind':'wheel','frame':1,'x':0,'y':-1}\n{'kind':'text','frame':1,'text':'\xc3\xa4'}\n"
    "{'kind':'pad_added','frame':1}\n{'kind':'pad_axis','frame':1,'axis':1,'value':-32768}\n"
    "{'kind':'pad_down','frame':1,'button':'a'}\n{'kind':'pad_up','frame':1,'button':'dpup'}\n"
    "{'kind':'pad_added','frame':1,'pad':2}\n{'kind':'pad_axis','frame':1,'pad':8,'axis':1,'value':1}\n"
    "{'kind':'pad_up','frame':1,'pad':3,'button':'a','unheard':true}\n"
    "{'kind':'finger_down','frame':1,'finger':1,'x':5,'y':6}\n{'kind':'finger_move','frame':1,'finger':10,'x':5,'y':-1}"
    "\n"
    "{'kind':'finger_up','frame':1,'finger':1,'x':5,'y':6}\n"
    "{'kind':'pad_removed','frame':1}\n{'kind':'focus_lost','frame':1}\n{'kind':'focus_gained','frame':1}\n"
    "{'kind':'set','frame':1,'object':'0000000000000009','field':'x','text':'1'}\n{'kind':'quit','frame':1}\n"
    "{'kind':'size','frame':1,'width':10,'height':20,'density':1.5}\n{'kind':'steps','frame':1,'count':0}\n"
    "{'kind':'reload','frame':2,'now':true}\n{'kind':'error','frame':2,'text':'main.lua:1: x'}\n"
    "{'kind':'digest','frame':2,'hash':'0000000012ab34cd'}\n"
    "{'kind':'pool','frame':2,'pool':'Dot','parts':{'live':'1','fields':{'x':'12345678'}}}\n"
    "{'kind':'file','frame':2,'name':'pools/A.lua','text':'return \\u000a'}\n"
    "{'kind':'hash','frame':2,'hash':'0123456789abcdef'}\n{'kind':'quit','frame':3,'ended':true}\n"
    "{'kind':'end','frame':3}\n";

static void expect_written_back(const recording *r, const char *lines)
{
  char path[512], back[8192];
  snprintf(path, sizeof path, "%s/back", play_folder);
  FILE *out = fopen(path, "w+");
  ck_assert_ptr_nonnull(out);
  recording_write_head(out, &r->head);
  for (size_t k = 0; k < r->count; k++)
    recording_write_entry(out, &r->entries[k]);
  rewind(out);
  back[fread(back, 1, sizeof back - 1, out)] = '\0';
  fclose(out);
  if (lines)
    ck_assert_str_eq(back, lines);
}

/* Every kind of line is read and written again; and no byte of it can be changed so that reading does anything but
   refuse, or read something else. */
TEST(core, every_line_is_read_as_it_was_written)
{
  char lines[sizeof all_lines], problem[1200];
  recording r;
  for (size_t i = 0; i < sizeof lines; i++)
    lines[i] = all_lines[i] == '\'' ? '"' : all_lines[i];
  for (size_t i = 0; i <= strlen(lines); i++) {
    char was = lines[i];
    if (i < strlen(lines))
      lines[i] = (char)(was ^ 1 << i % 7);
    if (read_text(&r, lines, problem, sizeof problem)) {
      expect_written_back(&r, was == '\0' ? lines : NULL);
      recording_free(&r);
    } else {
      ck_assert_msg(was != '\0', "%s", problem);
    }
    lines[i] = was;
  }
}

SUITE(recording, &core)
