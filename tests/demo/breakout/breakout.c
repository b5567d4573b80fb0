/*
** What code of a game could try that runs as the player itself: every call of the system that could start a program,
** reach another process, the network or another file. A Lua module: `require "breakout"` gives functions by name, each
** of which returns true when it came through, else nil and the error: EPERM, ENOSYS, or words.
*/
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

__attribute__((visibility("default"))) int luaopen_breakout(lua_State *L);

static int tell(lua_State *L, long result)
{
  int error = errno;
  if (result >= 0) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, error == EPERM ? "EPERM" : error == ENOSYS ? "ENOSYS" : strerror(error));
  return 2;
}

/* Of calls that C has no function for; some are newer than the headers. */
static const struct {
  const char *name;
  long number;
} calls[] = {
    {"bpf", SYS_bpf},
    {"keyctl", SYS_keyctl},
    {"add_key", SYS_add_key},
    {"userfaultfd", SYS_userfaultfd},
    {"io_uring_setup", 425},
    {"perf_event_open", SYS_perf_event_open},
    {"mount", SYS_mount},
    {"umount2", SYS_umount2},
    {"pivot_root", SYS_pivot_root},
    {"chroot", SYS_chroot},
    {"open_tree", 428},
    {"fsopen", 430},
    {"mount_setattr", 442},
    {"unshare", SYS_unshare},
    {"setns", SYS_setns},
    {"init_module", SYS_init_module},
    {"finit_module", SYS_finit_module},
    {"kexec_load", SYS_kexec_load},
    {"reboot", SYS_reboot},
    {"personality", SYS_personality},
    {"pidfd_open", 434},
    {"pidfd_getfd", 438},
    {"open_by_handle_at", SYS_open_by_handle_at},
    {"fanotify_init", SYS_fanotify_init},
    {"msgget", SYS_msgget},
    {"clone3", 435},
    {"newer", 599},
    {"newest", 452},
    {"shmget", SYS_shmget},
    {"shmat", SYS_shmat},
    {"shmctl", SYS_shmctl},
    {"msgsnd", SYS_msgsnd},
    {"msgrcv", SYS_msgrcv},
    {"msgctl", SYS_msgctl},
    {"semop", SYS_semop},
    {"semctl", SYS_semctl},
    {"setpriority", SYS_setpriority},
    {"ioprio_set", SYS_ioprio_set},
    {"sched_setscheduler", SYS_sched_setscheduler},
    {"sched_setparam", SYS_sched_setparam},
    {"sched_setattr", SYS_sched_setattr},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"prlimit64", SYS_prlimit64},
    {"inotify_init1", SYS_inotify_init1},
    {"inotify_add_watch", SYS_inotify_add_watch},
    {"umask", SYS_umask},
    {"fcntl", SYS_fcntl},
    {"ioctl", SYS_ioctl},
    {"renameat", SYS_renameat},
    {"unlinkat", SYS_unlinkat},
    {"fchmodat", SYS_fchmodat},
    {"fchownat", SYS_fchownat},
    {"utimensat", SYS_utimensat},
    {"truncate", SYS_truncate},
    {"linkat", SYS_linkat},
    {"symlinkat", SYS_symlinkat},
    {"mkdirat", SYS_mkdirat},
};

static long number_of(lua_State *L, const char *name)
{
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i].name, name) == 0)
      return calls[i].number;
  return luaL_error(L, "no call '%s'", name);
}

/* name(call, ...) of a call of the system, with integers and strings. */
static int call(lua_State *L)
{
  long a[7] = {number_of(L, luaL_checkstring(L, 1))};
  for (int i = 1; i < 7 && i < lua_gettop(L); i++)
    a[i] = lua_type(L, i + 1) == LUA_TSTRING ? (long)lua_tostring(L, i + 1) : (long)lua_tointeger(L, i + 1);
  return tell(L, syscall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]));
}

static char *const arguments[] = {(char[]){"true"}, NULL};

static int exec(lua_State *L) { return tell(L, execv("/bin/true", arguments)); }

/* A program that never was a file. */
static int exec_memory(lua_State *L)
{
  char bytes[4096];
  int memory = memfd_create("program", 0), from = open("/lib64/ld-linux-x86-64.so.2", O_RDONLY);
  for (ssize_t got; from >= 0 && (got = read(from, bytes, sizeof bytes)) > 0;)
    if (write(memory, bytes, (size_t)got) != got)
      break;
  return tell(L, syscall(SYS_execveat, memory, "", arguments, NULL, AT_EMPTY_PATH));
}

static int spawn(lua_State *L)
{
  pid_t pid;
  int error = posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, NULL);
  errno = error;
  return tell(L, error ? -1 : 0);
}

static int fork_(lua_State *L)
{
  pid_t pid = fork();
  if (pid == 0)
    _exit(0);
  return tell(L, pid);
}

static int clone_(lua_State *L)
{
  long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid == 0)
    _exit(0);
  return tell(L, pid);
}

static int socket_(lua_State *L) { return tell(L, socket((int)lua_tointeger(L, 1), (int)lua_tointeger(L, 2), 0)); }

static int socket_pair(lua_State *L)
{
  int ends[2];
  return tell(L, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

static int trace(lua_State *L) { return tell(L, ptrace(PTRACE_ATTACH, getppid(), 0, 0)); }

static int read_parent(lua_State *L)
{
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)&byte, 1};
  return tell(L, process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int write_parent(lua_State *L)
{
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {(void *)&byte, 1};
  return tell(L, process_vm_writev(getppid(), &here, 1, &there, 1, 0));
}

static int signal_parent(lua_State *L) { return tell(L, kill(getppid(), 0)); }
static int signal_group(lua_State *L) { return tell(L, kill(0, 0)); }
static int signal_self(lua_State *L) { return tell(L, kill(getpid(), 0)); }

/* Types into the terminal; the upper bits of the request are not the kernel's. */
static int type_text(lua_State *L) { return tell(L, syscall(SYS_ioctl, 0, TIOCSTI, "x")); }
static int type_wide(lua_State *L) { return tell(L, syscall(SYS_ioctl, 0, TIOCSTI | 1L << 40, "x")); }

/* The same calls by the entrance of another architecture: number 11 is execve there, 20 getpid. */
static int enter_32(lua_State *L)
{
#ifdef __x86_64__
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
  errno = (int)-result;
  return tell(L, result < 0 ? -1 : result);
#else
  errno = ENOSYS;
  return tell(L, -1);
#endif
}

static int enter_x32(lua_State *L) { return tell(L, syscall(0x40000000L + SYS_getpid)); }

static int open_read(lua_State *L) { return tell(L, open(lua_tostring(L, 1), O_RDONLY)); }
static int open_write(lua_State *L) { return tell(L, open(lua_tostring(L, 1), O_WRONLY | O_CREAT, 0600)); }

/* A file that could be started: its mode says so. */
static int make_program(lua_State *L)
{
  struct stat s;
  int file = open(lua_tostring(L, 1), O_WRONLY | O_CREAT | O_EXCL, 0777);
  if (file < 0 || fstat(file, &s) != 0)
    return tell(L, -1);
  close(file);
  errno = EACCES;
  return tell(L, s.st_mode & 0111 ? 0 : -1);
}

/* Files of `size` bytes, which take no room on the disk: by writing at the end, and by setting the length. */
static int make_large(lua_State *L)
{
  off_t size = (off_t)lua_tointeger(L, 2);
  int file = open(lua_tostring(L, 1), O_WRONLY | O_CREAT, 0600);
  bool large = file >= 0 && (pwrite(file, "x", 1, size - 1) == 1 || ftruncate(file, size) == 0);
  close(file);
  return tell(L, large ? 0 : -1);
}

/* Returns whether a descriptor is of this file. */
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

/* A compiler in a graphics driver does so. */
static int make_executable(lua_State *L)
{
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return tell(L, mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

int luaopen_breakout(lua_State *L)
{
  static const luaL_Reg functions[] = {{"call", call},
                                       {"exec", exec},
                                       {"exec_memory", exec_memory},
                                       {"spawn", spawn},
                                       {"fork", fork_},
                                       {"clone", clone_},
                                       {"socket", socket_},
                                       {"socket_pair", socket_pair},
                                       {"trace", trace},
                                       {"read_parent", read_parent},
                                       {"write_parent", write_parent},
                                       {"signal_parent", signal_parent},
                                       {"signal_group", signal_group},
                                       {"signal_self", signal_self},
                                       {"type_text", type_text},
                                       {"type_wide", type_wide},
                                       {"enter_32", enter_32},
                                       {"enter_x32", enter_x32},
                                       {"open_read", open_read},
                                       {"open_write", open_write},
                                       {"make_program", make_program},
                                       {"make_large", make_large},
                                       {"holds", holds},
                                       {"thread", thread},
                                       {"other_threads", other_threads},
                                       {"make_executable", make_executable},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
