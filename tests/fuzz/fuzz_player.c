/*
** The targets of the player: pictures, recordings, and games in a zip. What is refused is refused in one line, which
** says why.
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
#include "demo/app/options.h"
#include "demo/app/recording.h"
#include "demo/app/zip_game.h"
#include "demo/draw/picture.h"

static bool is_one_line(const char *line) { return line[0] != '\0' && !strchr(line, '\n'); }

/* {== Pictures =========================================================== */

enum { MOST_PIXELS = 1 << 18 }; /* more of them take longer, and show nothing else */

static uint32_t word(const uint8_t *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void mend_checksums(uint8_t *file, size_t size)
{
  size_t at = 8;
  while (size >= at + 12 && word(file + at) <= size - at - 12) {
    uint32_t length = word(file + at), sum = SDL_crc32(0, file + at + 4, length + 4);
    for (int i = 0; i < 4; i++)
      file[at + 8 + length + (unsigned)i] = (uint8_t)(sum >> (24 - 8 * i));
    at += 12 + (size_t)length;
  }
}

static void load_picture(const void *file, size_t size)
{
  int w = 0, h = 0, measured_w = 0, measured_h = 0;
  SDL_ClearError();
  bool measured = image_measure(file, size, &measured_w, &measured_h);
  fuzz_check(measured || SDL_GetError()[0] != '\0');
  if (measured && (int64_t)measured_w * measured_h > MOST_PIXELS)
    return;
  SDL_ClearError();
  uint32_t *pixels = image_load(file, size, &w, &h);
  fuzz_check(pixels ? measured && w == measured_w && h == measured_h : SDL_GetError()[0] != '\0');
  if (!pixels)
    return;
  free(pixels);
}

/* The first byte says how the rest is read: as it is, or with its checksums put right first, without which hardly an
   edit would get past them. */
int fuzz_png(const uint8_t *data, size_t size)
{
  size_t length = size > 0 ? size - 1 : 0;
  uint8_t *file = malloc(length + 1);
  fuzz_check(file != NULL);
  if (length > 0)
    memcpy(file, data + 1, length);
  if (size > 0 && data[0] & 1)
    mend_checksums(file, length);
  load_picture(file, length);
  free(file);
  return 0;
}

/* }== */

/* {== Recordings ========================================================= */

#define HEAD                                                                                                           \
  "{\"format\":\"spawnpool-recording\",\"version\":2,\"player\":\"x\",\"game\":\"game\",\"files\":\"0\",\"seed\":"     \
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

/* Plays a file in a process of its own, as the player is the only one to receive its signals. */
static void play_recording(const char *file)
{
  char folder[600];
  snprintf(folder, sizeof folder, "%s", fuzz_file("game/main.lua", game_text, sizeof game_text - 1));
  *strrchr(folder, '/') = '\0';
  char *argv[] = {"spawnpool", "--headless", "--no-watch", "--replay", (char *)file, folder};
  options o;
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

/* The first byte says what is done with the rest: as it is, or behind a right head, without which hardly an edit would
   get past it; and whether what could be read is played. What is read is in its bounds. */
int fuzz_recording(const uint8_t *data, size_t size)
{
  char error[2048] = "";
  const uint8_t how = size > 0 ? data[0] : 0;
  const size_t head = how & 1 ? sizeof HEAD - 1 : 0, rest = size > 0 ? size - 1 : 0;
  char *bytes = malloc(head + rest + 1);
  recording r;
  fuzz_check(bytes != NULL);
  memcpy(bytes, HEAD, head);
  if (rest > 0)
    memcpy(bytes + head, data + 1, rest);
  const char *path = fuzz_file("in", bytes, head + rest);
  free(bytes);
  const bool fine = recording_read(&r, NULL, path, error, sizeof error);
  fuzz_check(fine || is_one_line(error));
  if (!fine)
    return 0;
  check_frames(&r);
  const bool plays = how & 2 && r.last <= FRAMES_MOST;
  recording_free(&r);
  if (plays)
    play_recording(path);
  return 0;
}

/* }== */

/* {== Zips =============================================================== */

static void check_name(const char *name)
{
  fuzz_check(name[0] != '/' && !strstr(name, "../") && !strpbrk(name, "\\:\n"));
}

static bool check_files(const zip_game *z)
{
  bool has_main = false;
  uint64_t size = 0;
  for (size_t i = 0; i < z->count; i++) {
    const sp_script_file *file = &z->files[i];
    fuzz_check(i == 0 || strcmp(file[-1].name, file->name) < 0);
    fuzz_check(file->source[file->size] == '\0');
    check_name(file->name);
    has_main = has_main || strcmp(file->name, "main.lua") == 0;
    size += file->size;
  }
  fuzz_check(z->files[z->count].name == NULL && size == z->size && size <= (uint64_t)256 << 20);
  return has_main;
}

/* What is read is inside of its folder and of the bounds, and has a main.lua. */
int fuzz_zip(const uint8_t *data, size_t size)
{
  char problem[ZIP_GAME_PROBLEM_MOST] = "";
  zip_game z;
  if (zip_game_open(&z, fuzz_file("game.zip", data, size), problem)) {
    fuzz_check(check_files(&z));
    zip_game_close(&z);
  } else {
    fuzz_check(is_one_line(problem) && !z.files);
  }
  return 0;
}

/* }== */
