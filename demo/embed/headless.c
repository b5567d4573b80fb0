/*
** A server in Lua without a window: the script host runs the game in a folder, passes it the lines of stdin, and
** reloads its files when you edit them. Live objects keep their state; an edit with an error is rejected and reported.
**
**   headless FOLDER      then type: join ann, dig ann, list; the server ends with its input
*/
#include <poll.h>
#include <spawnpool_script.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define STEP (1.0 / 60)
#define MAX_BEHIND 0.25 /* seconds; ticks that are later than that are dropped */

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Receives everything that the game and its host print. */
static void print_report(void *ud, sp_report kind, const char *text)
{
  (void)ud;
  if (kind == SP_REPORT_PRINT || kind == SP_REPORT_RELOAD)
    puts(text);
  else
    fprintf(stderr, "%s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
}

/* Waits for input for at most `seconds`. stdin is unbuffered, so poll sees all that fgets has not read. */
static bool has_input(double seconds)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, seconds > 0 ? (int)(seconds * 1000) + 1 : 0) > 0;
}

static void serve(sp_script *script)
{
  char line[512];
  bool runs = sp_script_start(script, 0, NULL);
  for (double next = seconds_now();;) {
    while (has_input(next - seconds_now())) {
      if (!fgets(line, sizeof line, stdin))
        return;
      if (runs)
        runs = sp_script_call(script, "line", "s", line) <= SP_CALL_ABSENT;
    }
    double now = seconds_now();
    next = next + STEP > now - MAX_BEHIND ? next + STEP : now;
    if (sp_script_poll(script, SP_POLL_LOOK) == SP_POLL_RELOADED)
      runs = true; /* a game that an error has stopped continues with the edit that fixes it */
    if (runs)
      runs = sp_script_call(script, "update", "n", STEP) <= SP_CALL_ABSENT && sp_script_update(script, STEP);
  }
}

int main(int argc, char **argv)
{
  char error[256];
  sp_script_options options = sp_script_defaults(argc > 1 ? argv[1] : ".");
  options.seed = 1;
  options.reload = true;
  options.report = print_report;
  options.memory_limit = 64u << 20; /* for Lua and the pools together */
  options.patience = 0.5;           /* seconds; a call that computes for longer is stopped with an error */
  sp_script *script = sp_script_open(&options, error, sizeof error);
  if (!script) {
    fprintf(stderr, "headless: %s\n", error);
    return 1;
  }
  setvbuf(stdin, NULL, _IONBF, 0);
  setvbuf(stdout, NULL, _IOLBF, 0);
  serve(script);
  sp_script_close(script);
  return 0;
}
