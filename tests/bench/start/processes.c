/*
** `processes PATTERN TIMES COMMAND ARGUMENTS...` runs a command so many times, one after the other and without its
** output, and reports the median of how long a whole process takes, milliseconds.
*/
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#define MOST 64

extern char **environ;

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Milliseconds from start to end; negative when it did not start or failed. */
static double run(char **command)
{
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = 1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  double begin = now_ms();
  bool ran = posix_spawnp(&child, command[0], &actions, NULL, command, environ) == 0 &&
             waitpid(child, &status, 0) == child && status == 0;
  double end = now_ms();
  posix_spawn_file_actions_destroy(&actions);
  return ran ? end - begin : -1;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  double times[MOST];
  int count = argc > 3 ? atoi(argv[2]) : 0;
  if (count < 1 || count > MOST)
    return 2;
  run(argv + 3); /* brings the files into memory */
  for (int i = 0; i < count; i++)
    if ((times[i] = run(argv + 3)) < 0)
      return 1;
  qsort(times, (size_t)count, sizeof *times, compare);
  printf("%s %.4f\n", argv[1], times[count / 2]);
  return 0;
}
