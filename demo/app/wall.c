/*
** Landlock denies files: all rights that the kernel knows are removed, then some are granted beneath a few folders.
** seccomp denies system calls, by a list of those that are refused: graphics drivers and libraries decide which calls a
** player makes, so a list of allowed ones would end games on machines that were never tried. Refused calls fail with
** EPERM; nothing is killed. What is open stays open: the display, the graphics card, the standard streams.
**
** Code that has broken out can still see which files exist and how large they are, and fill the disk with plain files
** of 4 GiB in the game's data folder.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH, syscall */
#endif

#include "demo/app/wall.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/platform.h"
#include "demo/support/report.h"
#include "script/state/platform.h"

#ifdef __linux__

#include <dirent.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "demo/draw/text.h"

#ifdef SP_SECCOMP
#include <linux/seccomp.h>
#include <seccomp.h>
#endif

/* As in linux/landlock.h: the headers of many systems are older than their kernels. */
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD, LANDLOCK_RESTRICT }; /* system calls */
enum { CREATE_VERSION = 1, RULE_PATH_BENEATH = 1, SELF_ALL_THREADS = 8 };

#define FS(bit) (UINT64_C(1) << (bit))
#define READ_FILE FS(2)
#define READ (READ_FILE | FS(3))
#define STORE (READ | FS(1) | FS(5) | FS(8) | FS(14)) /* also write, remove, create and truncate files; no folders */

/* Part of the leak checker of a sanitized build, which examines the process from outside: the wall must allow that. */
extern void __lsan_do_leak_check(void) __attribute__((weak));
#define SANITIZED (__lsan_do_leak_check != NULL)

/* {== Threads ============================================================
** Landlock before version 8 confines only the calling thread, and those that it starts later. A game that broke out
** could run code in older ones, of graphics drivers. So each gets SIGSYS, the one signal that the threads of Mesa and
** SDL do not block, and its handler confines the thread. One that blocks it can open files; seccomp holds for all. */

typedef struct order {
  int rules; /* a descriptor */
  atomic_int left;
} order;

static bool confine_thread(int rules, unsigned flags)
{
  return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 && syscall(LANDLOCK_RESTRICT, rules, flags) == 0;
}

static void obey(int number, siginfo_t *info, void *context)
{
  int error = errno;
  (void)number, (void)context;
  if (info->si_code == SI_QUEUE && info->si_pid == getpid()) {
    order *o = info->si_value.sival_ptr;
    confine_thread(o->rules, 0);
    atomic_fetch_sub(&o->left, 1);
  }
  errno = error;
}

/* Sends the order to all other threads. Returns whether they obey within 0.2 s. */
static bool send_order(order *o)
{
  siginfo_t info = {.si_signo = SIGSYS, .si_code = SI_QUEUE};
  info.si_pid = getpid();
  info.si_value.sival_ptr = o;
  DIR *threads = opendir("/proc/self/task");
  for (const struct dirent *entry; threads && (entry = readdir(threads)) != NULL;) {
    int thread = atoi(entry->d_name);
    atomic_fetch_add(&o->left, 1);
    if (thread == 0 || thread == getpid() || syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGSYS, &info) != 0)
      atomic_fetch_sub(&o->left, 1);
  }
  if (threads)
    closedir(threads);
  for (int naps = 0; naps < 200 && atomic_load(&o->left) > 0; naps++)
    usleep(1000);
  return atomic_load(&o->left) == 0;
}

/* Sends the order twice, because a thread may have started another one before it obeyed. One that has not obeyed may do
   so later: then the order is not freed. `rules` must stay open. */
static void confine_others(int rules)
{
  struct sigaction action = {.sa_sigaction = obey, .sa_flags = SA_SIGINFO | SA_RESTART}, old;
  order *o = calloc(1, sizeof *o);
  if (!o || sigaction(SIGSYS, &action, &old) != 0)
    return;
  o->rules = rules;
  if (!send_order(o) || !send_order(o))
    return;
  sigaction(SIGSYS, &old, NULL);
  free(o);
}

/* }== */

/* {== Files ============================================================== */

/* Returns the version of Landlock that the kernel has; not positive: none. */
static int files_version(void) { return (int)syscall(LANDLOCK_CREATE, NULL, 0, CREATE_VERSION); }

typedef struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed)) path_rule;

typedef struct ruleset {
  int id, error;  /* a descriptor; errno of a failure */
  uint64_t known; /* rights that the kernel knows */
} ruleset;

/* Allows access to a folder, or to read a file. A missing one needs no rule. */
static void allow(ruleset *r, const char *path, uint64_t rights)
{
  path_rule rule = {rights & r->known, open(path, O_PATH | O_CLOEXEC | (rights == READ_FILE ? 0 : O_DIRECTORY))};
  if (rule.parent >= 0 && syscall(LANDLOCK_ADD, r->id, RULE_PATH_BENEATH, &rule, 0) != 0)
    r->error = errno;
  if (rule.parent >= 0)
    close(rule.parent);
}

/* Fonts and drivers may be loaded again when the display is lost, character sets and libraries on first use. Gamepads
   come and go: SDL finds them by udev and opens them to read and write; file permissions protect other devices. */
static void allow_system(ruleset *r, bool shown)
{
  static const char *const folders[] = {
      /* The first three are for gamepads only. */
      "/run/udev/data",     "/sys/devices",     "/sys/class",         "/usr/lib",          "/lib",
      "/usr/lib64",         "/lib64",           "/usr/local/lib",     "/usr/share/locale", "/usr/share/X11/locale",
      "/usr/share/drirc.d", "/usr/share/glvnd", "/usr/share/zoneinfo"};
  char fonts[1024];
  const char *tools = getenv("SPAWNPOOL_TOOLS"); /* of the player, see overlays.c */
  if (tools)
    allow(r, tools, READ);
  for (size_t i = shown ? 0 : 3; i < sizeof folders / sizeof *folders; i++)
    allow(r, folders[i], READ);
  for (size_t i = 0; text_font_folder(i, fonts, sizeof fonts); i++)
    allow(r, fonts, READ);
  allow(r, "/etc/ld.so.cache", READ_FILE);
  if (shown)
    allow(r, "/dev/input", READ | FS(1) | FS(15)); /* to write and control */
  if (SANITIZED)
    allow(r, "/proc/self", READ);
#ifdef SP_WALL_WRITABLE /* where counters of coverage are written at exit */
  allow(r, SP_WALL_WRITABLE, STORE);
#endif
}

/* Removes all rights that this version can remove: of files, TCP connections, and abstract sockets and signals of other
   processes. Returns an errno. The leak checker could not examine separately confined threads. */
static int raise_files(const char *folder, const char *data, bool shown)
{
  int version = files_version(), bits = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  const uint64_t all[] = {FS(bits) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  ruleset r = {.id = (int)syscall(LANDLOCK_CREATE, all, sizeof all, 0), .known = *all};
  if (r.id < 0)
    return errno;
  allow(&r, folder, READ);
  if (data)
    allow(&r, data, STORE);
  allow_system(&r, shown);
  if (r.error != 0 || (version >= 8 && confine_thread(r.id, SELF_ALL_THREADS)))
    return r.error;
  if (!SANITIZED)
    confine_others(r.id);
  return confine_thread(r.id, 0) ? 0 : errno;
}

/* }== */

/* {== System calls ======================================================= */

#ifdef SP_SECCOMP

/* Returns why it is not available, or NULL. */
static const char *calls_lack(void)
{
  const unsigned error = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &error) == 0 ? NULL : "no seccomp (not in this kernel)";
}

static const char *const refused[] = {
    /* Programs, and processes: they would outlive the player. */
    "execve", "execveat", "fork", "vfork",
    /* The network, and sockets of other programs; those that are open stay. Memory and messages of other programs. */
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "mq_open", "mq_unlink", "shmget", "shmat",
    "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semtimedop_time64", "semctl",
    /* Other processes: their memory, signals and priorities. */
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_open", "pidfd_getfd", "pidfd_send_signal",
    "tkill", "perf_event_open", "migrate_pages", "move_pages", "setpgid", "setsid", "setpriority", "ioprio_set",
    "sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity",
    /* Files where Landlock does not look: their attributes, and who changes them. umask keeps data from being run. */
    "umask", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "chown32", "fchown32", "lchown32",
    "utime", "utimes", "futimesat", "utimensat", "utimensat_time64", "setxattr", "lsetxattr", "fsetxattr",
    "removexattr", "lremovexattr", "fremovexattr", "truncate", "truncate64", "open_by_handle_at", "name_to_handle_at",
    "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark",
    /* Corners of the kernel where bugs were found, and which no player needs. */
    "bpf", "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "keyctl", "add_key", "request_key",
    "userfaultfd", "vmsplice", "modify_ldt", "remap_file_pages", "personality", "unshare", "setns", "syslog",
    /* These need privileges, which root has. */
    "chroot", "pivot_root", "mount", "umount2", "open_tree", "move_mount", "fsopen", "fspick", "mount_setattr",
    "swapon", "swapoff", "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    "iopl", "ioperm", "settimeofday", "clock_settime", "clock_settime64", "adjtimex", "clock_adjtime",
    "clock_adjtime64", "sethostname", "setdomainname"};

typedef struct building {
  scmp_filter_ctx filter;
  int error; /* the first one */
} building;

/* `where`: NULL, or which value of an argument is refused. An older libseccomp may not know the call. */
static void refuse(building *b, unsigned error, const char *call, const struct scmp_arg_cmp *where)
{
  int number = seccomp_syscall_resolve_name(call);
  bool left_out = number == __NR_SCMP_ERROR || (SANITIZED && strstr("ptrace process_vm_readv clone3", call));
  if (b->error == 0 && !left_out)
    b->error = seccomp_rule_add_array(b->filter, SCMP_ACT_ERRNO(error), number, where != NULL, where);
}

/* Processes are refused, threads are not. tgkill and rt_tgsigqueueinfo name the process first, too. Of a request the
   kernel reads 32 bits: what is typed into the terminal would be run by the shell that started the player, and a
   descriptor may name a process that it signals. */
static void refuse_arguments(building *b)
{
  static const char *const signals[] = {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};
  static const struct {
    const char *call;
    unsigned request;
  } requests[] = {{"ioctl", TIOCSTI},       {"ioctl", TIOCSETD},  {"ioctl", 0x541C /* TIOCLINUX */},
                  {"ioctl", FIOSETOWN},     {"ioctl", SIOCSPGRP}, {"fcntl", F_SETOWN},
                  {"fcntl", F_SETOWN_EX},   {"fcntl", F_SETSIG},  {"fcntl64", F_SETOWN},
                  {"fcntl64", F_SETOWN_EX}, {"fcntl64", F_SETSIG}};
  bool swapped = seccomp_arch_native() == SCMP_ARCH_S390X;
  refuse(b, EPERM, "clone", &SCMP_CMP(swapped, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  refuse(b, EPERM, "prlimit64", &SCMP_A0(SCMP_CMP_NE, 0, 0));
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    refuse(b, EPERM, signals[i], &SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0));
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    refuse(b, EPERM, requests[i].call, &SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, requests[i].request));
}

/* Confines all threads. Returns an errno. Memory may be made executable, as compilers in graphics drivers need. The
   arguments of clone3 are in memory, which filters cannot read: when it is missing the C library uses clone. Calls that
   are newer than the list are missing, too, where all machines number them alike. */
static int raise_calls(void)
{
  enum { OPENAT2 = 437, FIRST_NEW = 452, NUMBERED = 600 };
  building b = {.filter = seccomp_init(SCMP_ACT_ALLOW)};
  b.error = seccomp_attr_set(b.filter, SCMP_FLTATR_CTL_TSYNC, 1);
  seccomp_attr_set(b.filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
  seccomp_attr_set(b.filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* binary search; older versions ignore it */
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    refuse(&b, EPERM, refused[i], NULL);
  refuse_arguments(&b);
  refuse(&b, ENOSYS, "clone3", NULL);
  bool alike = seccomp_syscall_resolve_name("openat2") == OPENAT2;
  for (int number = FIRST_NEW; b.error == 0 && alike && number < NUMBERED; number++)
    b.error = seccomp_rule_add(b.filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
  int error = b.error ? b.error : seccomp_load(b.filter);
  seccomp_release(b.filter);
  return -error;
}

#else

static const char *calls_lack(void) { return "no seccomp (built without libseccomp)"; }
static int raise_calls(void) { return 0; }

#endif

/* }== */

bool wall_is_available(void) { return files_version() > 0 || !calls_lack(); }

bool wall_describe(char line[WALL_TEXT_MOST])
{
  int version = files_version();
  const char *lack = calls_lack();
  char files[48] = "no Landlock (not in this kernel)";
  if (version > 0)
    snprintf(files, sizeof files, "Landlock %d", version);
  snprintf(line, WALL_TEXT_MOST, "%s, %s", files, lack ? lack : "seccomp");
  return version <= 0 || (lack && strstr(lack, "kernel"));
}

/* New files belong to the user alone and cannot be executed. None becomes larger than the largest that the player
   writes: a WAV file of --sound, whose format ends at 4 GiB. Writing more fails, see interrupt_prepare. */
static void limit_files(void)
{
  const rlim_t most = (rlim_t)4 << 30;
  struct rlimit size;
  umask(0177);
  if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_max > most)
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){size.rlim_cur < most ? size.rlim_cur : most, most});
}

static void report_gap(const char *gap, const char *why)
{
  char line[3 * WALL_TEXT_MOST];
  snprintf(line, sizeof line, "%s: %s; do not run untrusted games here", gap, why);
  report_line(line);
}

/* Landlock comes first: then seccomp can deny its system calls. */
bool wall_raise(const char *folder, const char *data, bool shown)
{
  char line[WALL_TEXT_MOST];
  sp_local_time(time(NULL)); /* reads a file */
  if (wall_describe(line))
    report_gap("the second wall of the sandbox is incomplete", line);
  if (wall_is_available())
    limit_files();
  int of_files = files_version() > 0 ? raise_files(folder, data, shown) : ENOSYS;
  int of_calls = calls_lack() ? 0 : raise_calls();
  if (of_files != 0 && of_files != ENOSYS)
    report_gap("cannot raise the second wall of the sandbox: Landlock", strerror(of_files));
  if (of_calls != 0)
    report_gap("cannot raise the second wall of the sandbox: seccomp", strerror(of_calls));
  return of_files == 0;
}

#else

bool wall_is_available(void) { return false; }

bool wall_describe(char line[WALL_TEXT_MOST])
{
  snprintf(line, WALL_TEXT_MOST, "no second wall on this system");
  return false;
}

bool wall_raise(const char *folder, const char *data, bool shown)
{
  (void)folder, (void)data, (void)shown;
  return false;
}

#endif

/* An open connection to the session bus would let a game ask other processes to start programs; SDL uses it for input
   methods and screen savers only. Graphics drivers would warn that they cannot write compiled shaders. */
void wall_prepare(void)
{
  platform_set_variable("DBUS_SESSION_BUS_ADDRESS", "disabled:");
  platform_set_variable("DBUS_SYSTEM_BUS_ADDRESS", "disabled:");
  platform_set_variable("MESA_SHADER_CACHE_DISABLE", "true");
  platform_set_variable("MESA_GLSL_CACHE_DISABLE", "true"); /* before Mesa 22 */
  platform_set_variable("__GL_SHADER_DISK_CACHE", "0");
}
