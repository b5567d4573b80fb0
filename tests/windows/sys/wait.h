/*
** There are no fork and no signals here: a test that needs them is left out, as fork says that the system lacks it.
*/
#ifndef SP_TESTS_WAIT_H
#define SP_TESTS_WAIT_H

#include <errno.h>

static inline int fork(void)
{
  errno = ENOSYS;
  return -1;
}

static inline int waitpid(int child, int *status, int options)
{
  (void)status;
  (void)options;
  return child;
}

static inline int kill(int child, int signal)
{
  (void)child;
  (void)signal;
  errno = ENOSYS;
  return -1;
}

#define SIGKILL 9
#define SIGUSR1 10
#define WNOHANG 1
#define WIFEXITED(status) ((status) == 0)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((status) != 0)
#define WTERMSIG(status) (status)

#endif
