/*
** A server in Lua, with no window: the script host runs the game in a folder, feeds it the lines of stdin, and runs
** again what is edited meanwhile. Who is there stays there, with all they have; an edit that is wrong is refused, and
** said so.
**
**   headless FOLDER      then: join ann, dig ann, list; the end of the input is the end of the server
*/
#include <poll.h>
#include <spawnpool_script.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STEP (1.0 / 60)
#define MOST_BEHIND 0.25 /* seconds; what is more than that is not made up for */

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Everything that the game and its host have to say comes here, one text at a time. */
static void say(void *ud, sp_report kind, const char *text)
{
  (void)ud;
  if (kind == SP_REPORT_PRINT || kind == SP_REPORT_RELOAD)
    puts(text);
  else
    fprintf(stderr, "%s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
}

/* {== Lines ============================================================== */

typedef struct lines {
  char text[512];
  size_t length;
  bool ended;
} lines;

/* Waits `seconds` at most for more of the input. */
static void lines_read(lines *in, double seconds)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  if (poll(&input, 1, seconds > 0 ? (int)(seconds * 1000) + 1 : 0) <= 0)
    return;
  ssize_t more = read(STDIN_FILENO, in->text + in->length, sizeof in->text - 1 - in->length);
  in->ended = more <= 0;
  in->length += more > 0 ? (size_t)more : 0;
}

/* The next whole line, or one that is too long for us as far as it goes; false when there is none. */
static bool lines_next(lines *in, char *line)
{
  size_t length = 0;
  while (length < in->length && in->text[length] != '\n')
    length++;
  if (length == in->length && length < sizeof in->text - 1)
    return false;
  memcpy(line, in->text, length);
  line[length] = '\0';
  in->length -= length < in->length ? length + 1 : length;
  memmove(in->text, in->text + length + 1, in->length);
  return true;
}

/* }== */

/* {== The server ========================================================= */

/* One tick of the game. An error stops it: what goes on after half an update is anybody's guess. */
static bool tick(sp_script *script)
{
  return sp_script_call(script, "update", "n", STEP) && sp_script_update(script, STEP);
}

static void serve(sp_script *script)
{
  lines in = {.length = 0};
  char line[sizeof in.text];
  bool runs = sp_script_start(script, 0, NULL);
  for (double next = seconds_now(); !in.ended;) {
    double now = seconds_now();
    lines_read(&in, next - now);
    while (lines_next(&in, line))
      if (runs)
        runs = sp_script_call(script, "line", "s", line);
    if (seconds_now() < next)
      continue;
    next = next + STEP > now - MOST_BEHIND ? next + STEP : now;
    if (sp_script_poll(script, SP_POLL_LOOK) == SP_POLL_RELOADED)
      runs = true; /* with the save that mends it, a game that has stopped goes on */
    if (runs)
      runs = tick(script);
  }
}

int main(int argc, char **argv)
{
  char error[256];
  sp_script_options options = {.path = argc > 1 ? argv[1] : ".", .seed = 1, .reload = true, .report = say};
  options.memory_limit = 64u << 20; /* for Lua and the pools together */
  options.patience = 0.5;           /* a call that computes for longer is stopped, with an error */
  sp_script *script = sp_script_open(&options, error, sizeof error);
  if (!script) {
    fprintf(stderr, "headless: %s\n", error);
    return 1;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  serve(script);
  sp_script_close(script);
  return 0;
}

/* }== */
