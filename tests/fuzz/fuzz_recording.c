/*
** A recording for the player. The first byte says what is done with the rest: as it is, or behind a right head, without
** which hardly an edit would get past it; and whether what could be read is played. What is read is in its bounds and
** can be written and read again; what is refused is refused in one line.
*/
#include "fuzz/fuzz.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demo/app/app.h"
#include "demo/app/recording.h"

#define HEAD                                                                                                           \
  "{\"format\":\"spawnpool-recording\",\"version\":1,\"player\":\"x\",\"game\":\"game\",\"files\":\"0\",\"seed\":"     \
  "\"1\","                                                                                                             \
  "\"width\":80,\"height\":60,\"density\":1,\"step\":0.5,\"start\":1,\"memory\":67108864,\"arguments\":[\"a\"]}\n"

enum {
  FRAMES_MOST = 200, /* more of them take longer, and show nothing else */
  ENDED = 40         /* and the exit code of the player: a sanitizer has others */
};

static const char game_text[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "spawnpool.class('Dot', { fields = { hue = 1 } })\n"
    "local function put(x, y) spawnpool.pools:alloc('Dot', 1, tonumber(x) or 0, y or 0) end\n"
    "return { update = put, key_pressed = put, mouse_pressed = put, wheel = put, resized = put,\n"
    "  text_input = put, pad_pressed = put, quit = function() return false end }\n";

static void name_file(char path[600], const char *name) { snprintf(path, 600, "%s/%s", fuzz_folder(), name); }

static void check_frames(const recording *r)
{
  uint64_t before = 0;
  for (size_t i = 0; i < r->count; i++) {
    const recording_entry *e = &r->entries[i];
    fuzz_check(e->frame >= before && e->frame <= r->last);
    fuzz_check(e->kind != RECORDING_STEPS || e->number <= 5);
    fuzz_check(e->kind != RECORDING_EVENT || recording_has_event(&e->event));
    before = e->frame;
  }
  fuzz_check(r->head.width > 0 && r->head.step > 0 && r->head.arguments.count <= JSON_TEXTS_MOST);
}

static void check_again(const recording *r)
{
  char path[600], error[2048];
  recording again;
  name_file(path, "again");
  FILE *out = fopen(path, "wb");
  fuzz_check(out != NULL);
  recording_write_head(out, &r->head);
  for (size_t i = 0; i < r->count; i++)
    recording_write_entry(out, &r->entries[i]);
  fuzz_check(fclose(out) == 0 && recording_read(&again, path, error, sizeof error));
  fuzz_check(again.count == r->count && again.head.seed == r->head.seed && again.head.step == r->head.step);
  for (size_t i = 0; i < r->count; i++)
    fuzz_check(again.entries[i].frame == r->entries[i].frame && again.entries[i].kind == r->entries[i].kind &&
               again.entries[i].number == r->entries[i].number);
  recording_free(&again);
}

/* Plays a file in a process of its own, as the player is the only one to receive its signals. */
static void play(const char *file)
{
  char folder[600], input_file[600], headless[] = "--headless", unwatched[] = "--no-watch", option[] = "--replay",
                                     program[] = "spawnpool",
                                     *argv[] = {program, headless, unwatched, option, input_file, folder};
  options o;
  fuzz_write("game/main.lua", game_text, sizeof game_text - 1);
  name_file(folder, "game");
  snprintf(input_file, sizeof input_file, "%s", file);
  fuzz_check(options_parse(&o, 6, argv));
  o.patience = o.start_patience = fuzz_patience();
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  fuzz_check(child >= 0);
  if (child == 0)
    _exit(ENDED + app_run(&o));
  while (waitpid(child, &status, 0) < 0) /* the clock of a fuzzer interrupts it */
    fuzz_check(errno == EINTR);
  fuzz_check(WIFEXITED(status));
  fuzz_check(WEXITSTATUS(status) >= ENDED + APP_FINE && WEXITSTATUS(status) <= ENDED + APP_USAGE);
}

int fuzz_recording(const uint8_t *data, size_t size)
{
  char path[600], error[2048] = "";
  const uint8_t how = size > 0 ? data[0] : 0;
  const size_t head = how & 1 ? sizeof HEAD - 1 : 0, rest = size > 0 ? size - 1 : 0;
  char *bytes = malloc(head + rest + 1);
  recording r;
  fuzz_check(bytes != NULL);
  memcpy(bytes, HEAD, head);
  if (rest > 0)
    memcpy(bytes + head, data + 1, rest);
  fuzz_write("in", bytes, head + rest);
  free(bytes);
  name_file(path, "in");
  const bool fine = recording_read(&r, path, error, sizeof error);
  fuzz_check(fine || (error[0] && !strchr(error, '\n')));
  if (!fine)
    return 0;
  check_frames(&r);
  check_again(&r);
  const bool plays = how & 2 && r.last <= FRAMES_MOST;
  recording_free(&r);
  if (plays)
    play(path);
  return 0;
}
