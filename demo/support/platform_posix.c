#define _XOPEN_SOURCE 700 /* tzset */

#include "demo/support/platform.h"

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* {== The program ======================================================== */

const char platform_nowhere[] = "/dev/null";

/* If a standard stream is closed, the next file to be opened would take its descriptor and receive the output of the
   game. /dev/null takes it instead; writing to it fails and is reported as for any stream. */
static void occupy_closed_streams(void)
{
  int fd;
  do
    fd = open(platform_nowhere, O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0)
    close(fd);
}

bool platform_begin(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  occupy_closed_streams();
  /* Flush the game's output after each line, also in a pipe. */
  setvbuf(stdout, NULL, _IOLBF, 0);
  return true;
}

/* A Wayland compositor may pass an open connection. Limits of tools such as valgrind hide descriptors of their own. */
void platform_close_inherited(char **argv)
{
  const char *display = getenv("WAYLAND_SOCKET"), *named;
  long limit = sysconf(_SC_OPEN_MAX);
  DIR *opened = opendir("/dev/fd");
  for (const struct dirent *entry; opened && (entry = readdir(opened)) != NULL;) {
    int fd = atoi(entry->d_name);
    bool keeps = fd <= STDERR_FILENO || fd >= limit || fd == dirfd(opened) || (display && fd == atoi(display));
    for (char **it = argv; *it && !keeps; it++)
      keeps = (named = strstr(*it, "/fd/")) != NULL && fd == atoi(named + strlen("/fd/"));
    if (!keeps)
      close(fd);
  }
  if (opened)
    closedir(opened);
}

void platform_exit(int code) { _exit(code); }

void platform_exit_with(const char *line, size_t size)
{
  if (write(STDERR_FILENO, line, size) > 0)
    _exit(EXIT_FAILURE);
  _exit(EXIT_FAILURE); /* the message could not be written */
}

bool platform_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

void platform_set_variable(const char *name, const char *value) { setenv(name, value, 1); }

void platform_use_utc(void)
{
  setenv("TZ", "UTC0", 1);
  tzset();
}

/* }== */

/* {== Files and folders ================================================== */

void platform_slashes(char *path) { (void)path; }

bool platform_exists(const char *path) { return access(path, F_OK) == 0; }

bool platform_may_read(const char *path) { return access(path, R_OK) == 0; }

int platform_make_folder(const char *path, bool own)
{
  return mkdir(path, own ? 0700 : 0777) == 0 || errno == EEXIST ? 0 : errno;
}

int platform_remove(const char *path) { return unlink(path) == 0 || errno == ENOENT ? 0 : errno; }

int platform_rename(const char *from, const char *to) { return rename(from, to) == 0 ? 0 : errno; }

bool platform_data_folder(char *path, size_t size, const char **why)
{
#ifdef __APPLE__
  static const char own[] = "Library/Application Support";
#else
  static const char own[] = ".local/share";
#endif
  const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  int length = 0;
  *why = "neither XDG_DATA_HOME nor HOME can be used";
  if (data && data[0] == '/')
    length = snprintf(path, size, "%s", data);
  else if (home && home[0] == '/')
    length = snprintf(path, size, "%s/%s", home, own);
  return length > 0 && (size_t)length < size;
}

void platform_file_name(const char *name, char *file, size_t size) { snprintf(file, size, "%s", name); }

bool platform_current_folder(char *path, size_t size) { return getcwd(path, size) != NULL; }

const char *platform_font_folder(size_t i)
{
  static const char *const folders[] = {
      "/usr/share/fonts/truetype/dejavu",   /* Debian, Ubuntu */
      "/usr/share/fonts/dejavu-sans-fonts", /* Fedora */
      "/usr/share/fonts/dejavu-sans-mono-fonts",
      "/usr/share/fonts/dejavu",       /* older Fedora, Alpine */
      "/usr/share/fonts/TTF",          /* Arch, Slackware */
      "/usr/share/fonts/truetype",     /* openSUSE */
      "/usr/local/share/fonts/dejavu", /* FreeBSD */
      "/usr/local/share/fonts",
      "/opt/homebrew/share/fonts", /* macOS */
      "/opt/local/share/fonts/dejavu-fonts",
      "/Library/Fonts",
      "~/Library/Fonts",
      "~/.local/share/fonts",
      "~/.fonts",
  };
  return i < sizeof folders / sizeof *folders ? folders[i] : NULL;
}

/* }== */

#endif
