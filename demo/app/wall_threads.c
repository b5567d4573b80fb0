/*
** Older versions of Landlock confine only the calling thread. A game that broke out could run code in another thread
** by sending it a signal, so the other threads, which graphics drivers started, are confined by a signal too: each
** gets SIGSYS, the one signal that the threads of Mesa and SDL do not block, and its handler confines the thread. A
** thread that blocks this signal too is left as it is.
*/
#define _GNU_SOURCE /* syscall */

#include "demo/app/wall_threads.h"

#ifdef __linux__

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

enum { THREADS_MOST = 512, NAPS_MOST = 200 }; /* of a millisecond each */

typedef struct order {
  int rules; /* a descriptor */
  atomic_int obeyed;
} order;

bool wall_thread_confine(int rules, unsigned flags)
{
  return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 && syscall(SYS_landlock_restrict_self, rules, flags) == 0;
}

static void obey(int number, siginfo_t *info, void *context)
{
  int error = errno;
  (void)number, (void)context;
  if (info->si_code == SI_QUEUE && info->si_pid == getpid()) {
    order *o = info->si_value.sival_ptr;
    wall_thread_confine(o->rules, 0);
    atomic_fetch_add(&o->obeyed, 1);
  }
  errno = error;
}

static bool send_order(order *o, int thread)
{
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = SIGSYS;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = o;
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGSYS, &info) == 0;
}

/* Sends the order to all threads that are not in the list yet. Returns the new length of the list. */
static int send_to_others(order *o, int list[THREADS_MOST], int count)
{
  const struct dirent *entry;
  DIR *threads = opendir("/proc/self/task");
  while (threads && count < THREADS_MOST && (entry = readdir(threads)) != NULL) {
    int thread = atoi(entry->d_name), i = 0;
    while (i < count && list[i] != thread)
      i++;
    if (thread > 0 && thread != getpid() && i == count && send_order(o, thread))
      list[count++] = thread;
  }
  if (threads)
    closedir(threads);
  return count;
}

/* A thread that did not answer may do so later, so its order must not be freed. */
bool wall_threads_confine(int rules)
{
  int list[THREADS_MOST], count = 0, before = -1;
  struct sigaction action = {.sa_sigaction = obey, .sa_flags = SA_SIGINFO | SA_RESTART}, old;
  const struct timespec nap = {0, 1000000};
  order *o = malloc(sizeof *o);
  if (!o || sigaction(SIGSYS, &action, &old) != 0) {
    free(o);
    return false;
  }
  o->rules = rules;
  atomic_init(&o->obeyed, 0);
  for (int naps = 0; naps < NAPS_MOST && (count != before || atomic_load(&o->obeyed) < count);) {
    before = count;
    count = send_to_others(o, list, count);
    if (atomic_load(&o->obeyed) < count) {
      nanosleep(&nap, NULL);
      naps++;
    }
  }
  if (atomic_load(&o->obeyed) < count)
    return false;
  sigaction(SIGSYS, &old, NULL);
  free(o);
  return true;
}

#endif
