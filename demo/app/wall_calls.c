/*
** seccomp, by libseccomp. The list says what is refused, not what is allowed: which calls a player makes is decided by
** graphics drivers, the display's libraries and the C library of the day, and a call that was forgotten in a list of
** allowed ones would end games on machines that were never tried. Files need no list, for Landlock allows only what is
** named. What remains is short and known: ways to start a program, to reach other processes, the network or the
** kernel's rarely used corners, and to change what Landlock does not look at. Calls that are newer than the list are
** refused as by a kernel that lacks them, and so are those of other architectures on the same processor.
**
** A refused call fails with EPERM; nothing is killed. Programs are not started, and processes neither: a child would
** outlive the player. Threads are. Memory may be made executable, as the compilers in graphics drivers need.
*/
#define _GNU_SOURCE

#include "demo/app/wall_calls.h"

#include "demo/app/wall.h"

#if defined(__linux__) && defined(SP_SECCOMP)

#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The leak checker starts a process that examines this one by ptrace. */
static const char *const of_tools[] = {"ptrace", "process_vm_readv", NULL};

static const char *const refused[] = {
    /* programs */
    "execve", "execveat", "fork", "vfork", "uselib",
    /* the network, and sockets of other programs; those that are open stay */
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "mq_open", "mq_unlink", "msgget",
    "semget",
    /* other processes */
    "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "tkill", "perf_event_open", "migrate_pages", "move_pages", "setpgid", "setsid",
    /* who this process is, and where */
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups",
    "setuid32", "setgid32", "setreuid32", "setregid32", "setresuid32", "setresgid32", "setfsuid32", "setfsgid32",
    "setgroups32", "capset", "personality", "unshare", "setns", "chroot", "pivot_root",
    /* what Landlock does not look at: attributes of files that may not even be read */
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "chown32", "fchown32",
    "lchown32", "utime", "utimes", "futimesat", "utimensat", "utimensat_time64", "setxattr", "lsetxattr", "fsetxattr",
    "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr", "truncate",
    "truncate64", "open_by_handle_at", "name_to_handle_at", "fanotify_init", "fanotify_mark", "mknod", "mknodat",
    /* mounts */
    "mount", "umount", "umount2", "open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig", "fsmount",
    "fspick", "mount_setattr", "statmount", "listmount", "swapon", "swapoff", "quotactl", "quotactl_fd",
    /* corners of the kernel */
    "bpf", "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "io_submit", "keyctl", "add_key",
    "request_key", "userfaultfd", "vmsplice", "lsm_set_self_attr", "modify_ldt", "vm86", "vm86old", "remap_file_pages",
    "lookup_dcookie", "_sysctl", "sysfs", "ustat", "nfsservctl", "acct", "vhangup",
    /* the machine */
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module", "query_module",
    "get_kernel_syms", "reboot", "iopl", "ioperm", "syslog", "settimeofday", "stime", "clock_settime",
    "clock_settime64", "adjtimex", "clock_adjtime", "clock_adjtime64", "sethostname", "setdomainname", NULL};

/* Numbers of system calls that an older libseccomp does not name, equal on all machines with common numbering. */
enum { OPENAT2 = 437, NEWEST = 469, NUMBERED = 600 };

static const struct {
  const char *name;
  int number;
} newer[] = {{"mount_setattr", 442}, {"quotactl_fd", 443},    {"process_mrelease", 448},  {"fchmodat2", 452},
             {"statmount", 457},     {"listmount", 458},      {"lsm_set_self_attr", 460}, {"setxattrat", 463},
             {"removexattrat", 466}, {"open_tree_attr", 467}, {"file_setattr", 469}};

wall_calls_state wall_calls_have(void)
{
  const unsigned action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? WALL_CALLS_THERE : WALL_CALLS_NOT_IN_KERNEL;
}

/* {== Rules ============================================================== */

static bool is_numbered_alike(void) { return seccomp_syscall_resolve_name("openat2") == OPENAT2; }

/* Returns a negative number for a call that this machine does not have. */
static int number_of(const char *name)
{
  int number = seccomp_syscall_resolve_name(name);
  for (size_t i = 0; number == __NR_SCMP_ERROR && is_numbered_alike() && i < sizeof newer / sizeof *newer; i++)
    if (__builtin_strcmp(newer[i].name, name) == 0)
      number = newer[i].number;
  return number;
}

/* Negative numbers of libseccomp are pseudo calls, such as socketcall on some machines. */
static int refuse_all(scmp_filter_ctx filter, const char *const *names)
{
  int error = 0;
  for (; *names && error == 0; names++) {
    int number = number_of(*names);
    if (number != __NR_SCMP_ERROR)
      error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
  }
  return error;
}

static int refuse_where(scmp_filter_ctx filter, const char *name, struct scmp_arg_cmp where)
{
  int number = number_of(name);
  return number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &where);
}

/* The arguments of clone3 are in memory, which filters cannot read: when it is missing the C library uses clone. */
static int refuse_processes(scmp_filter_ctx filter)
{
#ifdef __s390__
  enum { FLAGS = 1 };
#else
  enum { FLAGS = 0 };
#endif
  int error = refuse_where(filter, "clone", SCMP_CMP(FLAGS, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  return error ? error : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number_of("clone3"), 0);
}

/* Signals are allowed to this process only: tgkill also names the threads by its number. */
static int refuse_signals(scmp_filter_ctx filter)
{
  static const char *const names[] = {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};
  int error = 0;
  for (size_t i = 0; error == 0 && i < sizeof names / sizeof *names; i++)
    error = refuse_where(filter, names[i], SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0));
  return error ? error : refuse_where(filter, "prlimit64", SCMP_A0(SCMP_CMP_NE, 0, 0));
}

/* Characters pushed into the terminal would be run by the shell that started the player. The kernel reads 32 bits. */
static int refuse_typing(scmp_filter_ctx filter)
{
  static const unsigned requests[] = {TIOCSTI, TIOCSETD, 0x541C /* TIOCLINUX */};
  int error = 0;
  for (size_t i = 0; error == 0 && i < sizeof requests / sizeof *requests; i++)
    error = refuse_where(filter, "ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, requests[i]));
  return error;
}

static int refuse_newer(scmp_filter_ctx filter)
{
  int error = 0;
  for (int number = NEWEST + 1; error == 0 && is_numbered_alike() && number < NUMBERED; number++)
    error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
  return error;
}

/* }== */

static int fill(scmp_filter_ctx filter)
{
  int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  if (error == 0)
    error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
  if (error == 0)
    error = refuse_all(filter, refused);
  if (error == 0 && !WALL_SANITIZED)
    error = refuse_all(filter, of_tools);
  if (error == 0 && !WALL_SANITIZED)
    error = refuse_processes(filter);
  if (error == 0)
    error = refuse_signals(filter);
  if (error == 0)
    error = refuse_typing(filter);
  if (error == 0)
    error = refuse_newer(filter);
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* binary search instead of a list; older versions ignore it */
  return error;
}

bool wall_calls_raise(void)
{
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  int error = filter ? fill(filter) : -ENOMEM;
  if (error == 0)
    error = seccomp_load(filter);
  seccomp_release(filter);
  errno = -error;
  return error == 0;
}

#else

wall_calls_state wall_calls_have(void) { return WALL_CALLS_NOT_BUILT; }

bool wall_calls_raise(void) { return true; }

#endif
