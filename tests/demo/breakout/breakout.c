/*
** What code of a game could try that runs as the player itself: any call of the system, from the main thread, from a
** new one, or from one that is older than the wall. A Lua module: `require "breakout"` gives functions by name, which
** return nil and the error where nothing came through: EPERM, ENOSYS, or words.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<seccomp.h>)
#include <seccomp.h>
#else
#define seccomp_syscall_resolve_name(name) (-1)
#endif

__attribute__((visibility("default"))) int luaopen_breakout(lua_State *L);

/* Returns `result`, or nil and the error when that is negative. */
static int tell(lua_State *L, long result)
{
  int error = errno;
  if (result >= 0) {
    lua_pushinteger(L, result);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, error == EPERM ? "EPERM" : error == ENOSYS ? "ENOSYS" : strerror(error));
  return 2;
}

/* call(name or number, ...): a call of the system, with integers and strings. */
static int call(lua_State *L)
{
  long a[7] = {0};
  for (int i = 0; i < 7 && i < lua_gettop(L); i++)
    a[i] = lua_type(L, i + 1) == LUA_TSTRING ? (long)lua_tostring(L, i + 1) : (long)lua_tointeger(L, i + 1);
  if (lua_type(L, 1) == LUA_TSTRING)
    a[0] = seccomp_syscall_resolve_name(lua_tostring(L, 1));
  if (a[0] < 0)
    return luaL_error(L, "no call '%s'", lua_tostring(L, 1));
  return tell(L, syscall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]));
}

static int fork_(lua_State *L)
{
  pid_t pid = fork();
  if (pid == 0)
    _exit(0);
  return tell(L, pid);
}

#ifdef __x86_64__
static sigjmp_buf closed;

static void meet_closed(int signal)
{
  (void)signal;
  siglongjmp(closed, 1);
}
#endif

/* Makes the call by the entrance of another architecture: number 20 is getpid there. A kernel that lacks the entrance
   sends SIGSEGV. */
static int enter_32(lua_State *L)
{
#ifdef __x86_64__
  volatile long result = -ENOSYS;
  struct sigaction old, action = {.sa_handler = meet_closed};
  sigaction(SIGSEGV, &action, &old);
  if (sigsetjmp(closed, 1) == 0) {
    long number = 20;
    __asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
    result = number;
  }
  sigaction(SIGSEGV, &old, NULL);
  errno = (int)-result;
  return tell(L, result < 0 ? -1 : result);
#else
  errno = ENOSYS;
  return tell(L, -1);
#endif
}

/* holds(descriptor, path): whether a descriptor is of this file. */
static int holds(lua_State *L)
{
  struct stat of_descriptor, of_file;
  bool both = fstat((int)lua_tointeger(L, 1), &of_descriptor) == 0 && stat(lua_tostring(L, 2), &of_file) == 0;
  bool same = both && of_descriptor.st_dev == of_file.st_dev && of_descriptor.st_ino == of_file.st_ino;
  return tell(L, same ? 0 : -1);
}

/* Threads are made as ever, and are confined like the one that makes them. */
static void *in_thread(void *path) { return open(path, O_RDONLY) >= 0 || fork() >= 0 ? NULL : path; }

static int thread(lua_State *L)
{
  pthread_t it;
  void *held = NULL;
  char path[] = "/etc/passwd";
  errno = pthread_create(&it, NULL, in_thread, path);
  if (errno != 0)
    return tell(L, -1);
  pthread_join(it, &held);
  errno = ECHILD;
  return tell(L, held ? 0 : -1);
}

/* {== Threads that are older than the wall ================================ */

static void *wait_here(void *unused)
{
  sigset_t of_player;
  sigemptyset(&of_player);
  sigaddset(&of_player, SIGINT);
  sigaddset(&of_player, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &of_player, NULL);
  for (;;)
    pause();
  return unused;
}

/* Preloaded, it makes a thread before main begins, as a graphics driver makes some before the game does. */
__attribute__((constructor)) static void begin(void)
{
  pthread_t it;
  if (getenv("BREAKOUT_THREAD"))
    pthread_create(&it, NULL, wait_here, NULL);
}

static volatile sig_atomic_t reached, opened;

static void on_signal(int number)
{
  (void)number;
  opened += open("/etc/passwd", O_RDONLY) >= 0;
  reached++;
}

/* Runs in each of the others, by any signal that they let through: how many ran it, and how many opened a file. */
static int other_threads(lua_State *L)
{
  static const int signals[] = {SIGSYS, SIGUSR2, SIGCONT, SIGURG};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    signal(signals[i], on_signal);
    for (int thread = getpid() + 1; thread < getpid() + 100; thread++)
      syscall(SYS_tgkill, getpid(), thread, signals[i]);
  }
  usleep(200000);
  lua_pushinteger(L, reached);
  lua_pushinteger(L, opened);
  return 2;
}

/* }== */

int luaopen_breakout(lua_State *L)
{
  static const luaL_Reg functions[] = {{"call", call},   {"fork", fork_},    {"enter_32", enter_32},
                                       {"holds", holds}, {"thread", thread}, {"other_threads", other_threads},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
