/*
** Landlock, by its system calls: the headers of many systems are older than their kernels. All rights that the kernel
** knows are removed, then some are granted beneath a few folders. Open files stay open: the display, the graphics
** card, the standard streams, the file of --stats.
**
** The calling thread runs Lua; it is confined, and all threads that it starts later. Threads of graphics drivers are
** older: version 8 confines them too, before that wall_threads.c does. A game that took over a thread that cannot be
** reached could open files, but start no program and open no connection: seccomp holds for all threads.
*/
#define _GNU_SOURCE /* O_PATH, syscall */

#include "demo/app/wall_files.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "demo/app/wall.h"
#include "demo/app/wall_threads.h"
#include "demo/draw/fonts.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* {== As in linux/landlock.h ============================================= */

enum { CREATE_VERSION = 1, RULE_PATH_BENEATH = 1, SELF_ALL_THREADS = 1 << 3 };

#define FS(bit) (UINT64_C(1) << (bit))
#define WRITE_FILE FS(1)
#define READ_FILE FS(2)
#define READ_DIR FS(3)
#define REMOVE_FILE FS(5)
#define MAKE_DIR FS(7)
#define MAKE_REG FS(8)
#define REFER FS(13)
#define TRUNCATE FS(14)
#define IOCTL_DEV FS(15)
#define OF_FILES (FS(0) | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV) /* what a rule for a file may give */

typedef struct ruleset {
  uint64_t files, net, scoped;
} ruleset;

typedef struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed)) path_rule;

/* }== */

int wall_files_version(void)
{
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION);
  return version > 0 ? (int)version : 0;
}

/* Returns all rights that this version can remove. Unknown bits must be zero. */
static ruleset all_rights(int version)
{
  int bits = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  return (ruleset){.files = FS(bits) - 1,
                   .net = version >= 4 ? 3 : 0,     /* to bind and to connect TCP */
                   .scoped = version >= 6 ? 3 : 0}; /* abstract sockets, signals: those of this process only */
}

typedef struct building {
  int ruleset;
  uint64_t known; /* rights that the kernel knows */
} building;

/* Allows access; a missing path needs no rule. False with errno. */
static bool allow(const building *b, const char *path, uint64_t rights)
{
  struct stat s;
  path_rule rule = {.parent = open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent < 0)
    return true;
  bool fine = fstat(rule.parent, &s) == 0;
  rule.allowed = rights & b->known & (fine && S_ISDIR(s.st_mode) ? UINT64_MAX : OF_FILES);
  fine = fine && syscall(SYS_landlock_add_rule, b->ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
  int error = errno;
  close(rule.parent);
  errno = error;
  return fine;
}

/* Fonts and drivers may be loaded again when the display is lost, character sets and libraries on first use. */
static bool allow_system(const building *b)
{
  static const char *const places[] = {"/usr/lib",           "/lib",
                                       "/usr/lib64",         "/lib64",
                                       "/usr/local/lib",     "/etc/ld.so.cache",
                                       "/usr/share/locale",  "/usr/share/X11/locale",
                                       "/usr/share/drirc.d", "/usr/share/glvnd",
                                       "/usr/share/zoneinfo"};
  char folder[1024];
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (!allow(b, places[i], READ_FILE | READ_DIR))
      return false;
  for (size_t i = 0; font_folder(i, folder, sizeof folder); i++)
    if (*folder && !allow(b, folder, READ_FILE | READ_DIR))
      return false;
  return true;
}

/* Stored data is replaced by new files. */
static bool allow_data(const building *b, const char *folder)
{
  return !folder ||
         allow(b, folder, READ_FILE | READ_DIR | WRITE_FILE | REMOVE_FILE | MAKE_REG | MAKE_DIR | REFER | TRUNCATE);
}

/* Gamepads come and go: SDL finds them by udev and opens them to read and write. File permissions protect other
   devices. */
static bool allow_controllers(const building *b)
{
  return allow(b, "/dev/input", READ_FILE | WRITE_FILE | READ_DIR | IOCTL_DEV) &&
         allow(b, "/run/udev/data", READ_FILE | READ_DIR) && allow(b, "/sys/devices", READ_FILE | READ_DIR) &&
         allow(b, "/sys/class", READ_FILE | READ_DIR);
}

/* Instrumented builds need more: the leak checker reads about its own process, and coverage counters are written at
   exit, to the folder that the build names. */
static bool allow_tools(const building *b)
{
  bool fine = true;
  if (WALL_SANITIZED)
    fine = allow(b, "/proc/self", READ_FILE | READ_DIR);
#ifdef SP_WALL_WRITABLE
  fine = fine && allow(b, SP_WALL_WRITABLE,
                       READ_FILE | READ_DIR | WRITE_FILE | REMOVE_FILE | MAKE_REG | MAKE_DIR | REFER | TRUNCATE);
#endif
  return fine;
}

/* `*keep`: a thread may need the ruleset later. The leak checker could not examine separately confined threads. */
static bool confine_all(int rules, int version, bool *keep)
{
  if (version >= 8 && wall_thread_confine(rules, SELF_ALL_THREADS))
    return true;
  if (!WALL_SANITIZED)
    *keep = !wall_threads_confine(rules);
  return wall_thread_confine(rules, 0);
}

bool wall_files_raise(const char *folder, const char *data, bool window)
{
  int version = wall_files_version();
  ruleset all = all_rights(version);
  building b = {.known = all.files};
  bool keep = false;
  b.ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
  if (b.ruleset < 0)
    return false;
  bool fine = allow(&b, folder, READ_FILE | READ_DIR) && allow_data(&b, data) && allow_system(&b) &&
              (!window || allow_controllers(&b)) && allow_tools(&b) && confine_all(b.ruleset, version, &keep);
  int error = errno;
  if (!keep)
    close(b.ruleset);
  errno = error;
  return fine;
}

#else

int wall_files_version(void) { return 0; }

bool wall_files_raise(const char *folder, const char *data, bool window)
{
  (void)folder, (void)data, (void)window;
  return true;
}

#endif
