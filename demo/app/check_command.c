#include "demo/app/check_command.h"

#include <inttypes.h>
#include <stdio.h>

#include "demo/app/game.h"
#include "demo/app/wall.h"

static void print_problem(void *ud, const char *problem)
{
  (void)ud;
  report_write(stderr, problem);
  fputc('\n', stderr);
}

static int check(game *it, const report *out)
{
  size_t files, problems = game_check(it, print_problem, NULL, &files);
  printf("checked %zu file%s: ", files, files == 1 ? "" : "s");
  if (problems == 0)
    printf("no problems");
  else
    printf("%zu problem%s", problems, problems == 1 ? "" : "s");
  if (out->warnings > 0)
    printf(", %" PRIu64 " warning%s", out->warnings, out->warnings == 1 ? "" : "s");
  printf("\n");
  return problems == 0 ? APP_FINE : APP_SCRIPT_ERROR;
}

int check_command_run(const options *o)
{
  char problem[1024];
  game it;
  report out = {.print = stdout};
  bool opened = game_open(&it, o, &out, problem, sizeof problem);
  if (opened && o->walled)
    wall_raise(sp_script_folder(it.script), NULL, false);
  int code = opened ? check(&it, &out) : APP_USAGE;
  if (!opened)
    report_line(problem);
  game_close(&it);
  return code;
}
