#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* tzset */
#endif

#include "demo/support/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <SDL.h>
#include <direct.h>
#include <io.h>
#include <windows.h>
#endif

#ifdef _WIN32

/* {== The program, on Windows ============================================ */

const char platform_nowhere[] = "NUL";

static void write_nowhere(FILE *stream)
{
  if (_fileno(stream) < 0 || platform_is_terminal(stream))
    freopen(platform_nowhere, "wb", stream);
}

/* When the program is started by a click, older systems open a console for it: a second, empty window, which is closed
   here. Newer systems open none, as the manifest says; then there are no standard streams. */
static void close_own_console(void)
{
  DWORD ids[2];
  HWND window = GetConsoleWindow();
  bool own = window && IsWindowVisible(window) && GetConsoleProcessList(ids, 2) == 1;
  if (own || _fileno(stdout) < 0) {
    write_nowhere(stdout);
    write_nowhere(stderr);
  }
  if (own)
    FreeConsole();
}

/* Lines end in "\n" in files and pipes, so that output is the same on every system. The console shows UTF-8. There are
   no line-buffered streams here: report.c flushes each line. The system does not scale the window (DPI awareness). */
void platform_begin(void)
{
  _fmode = _O_BINARY;
  close_own_console();
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  setvbuf(stdout, NULL, _IOFBF, 1 << 14);
  SetConsoleOutputCP(CP_UTF8);
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX); /* no dialogue asks for a disk */
  SDL_SetMainReady(); /* `main` is our own: SDL does not rename and call it */
  SDL_SetHint(SDL_HINT_WINDOWS_DPI_SCALING, "1");
}

bool platform_program(const char *name, char *path, size_t size)
{
  (void)name;
  DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);
  platform_slashes(path);
  return length > 0 && length < size;
}

void platform_close_inherited(char **argv) { (void)argv; } /* no handle is inherited that nobody asked for */

/* Runs no exit handlers: another thread may hold any lock. */
void platform_exit(int code)
{
  TerminateProcess(GetCurrentProcess(), (UINT)code);
  for (;;)
    Sleep(INFINITE);
}

void platform_set_variable(const char *name, const char *value) { _putenv_s(name, value); }

/* }== */

/* {== Files and folders, on Windows ====================================== */

void platform_slashes(char *path)
{
  for (; *path; path++)
    if (*path == '\\')
      *path = '/';
}

bool platform_data_folder(char *path, size_t size, const char **why)
{
  static const char *const variables[] = {"XDG_DATA_HOME", "APPDATA"};
  *why = "neither XDG_DATA_HOME nor APPDATA can be used";
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    if (value && sp_path_root(value) > 0 && strlen(value) < size) {
      strcpy(path, value);
      platform_slashes(path);
      return true;
    }
  }
  return false;
}

const char *platform_font_folder(size_t i)
{
  static const char *const folders[] = {"./fonts", "C:/Windows/Fonts"};
  return i < sizeof folders / sizeof *folders ? folders[i] : NULL;
}

/* }== */

#else

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

void platform_begin(void)
{
  occupy_closed_streams();
  /* Flush the game's output after each line, also in a pipe. */
  setvbuf(stdout, NULL, _IOLBF, 0);
}

bool platform_program(const char *name, char *path, size_t size)
{
  return strchr(name, '/') && snprintf(path, size, "%s", name) < (int)size;
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

void platform_set_variable(const char *name, const char *value) { setenv(name, value, 1); }

/* }== */

/* {== Files and folders ================================================== */

void platform_slashes(char *path) { (void)path; }

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

/* {== On all systems ===================================================== */

void platform_exit_with(const char *line, size_t size)
{
  if (write(STDERR_FILENO, line, (unsigned)size) > 0)
    platform_exit(EXIT_FAILURE);
  platform_exit(EXIT_FAILURE); /* the message could not be written */
}

bool platform_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

void platform_use_utc(void)
{
  platform_set_variable("TZ", "UTC0");
  tzset();
}

bool platform_exists(const char *path) { return access(path, F_OK) == 0; }

bool platform_may_read(const char *path) { return access(path, R_OK) == 0; }

/* }== */

bool memory_file_open(memory_file *m)
{
  *m = (memory_file){.bytes = NULL};
#ifdef _WIN32
  char *name = _tempnam(NULL, "spawnpool");
  m->stream = name ? fopen(name, "w+bD") : NULL; /* D: it is deleted when it is closed */
  free(name);
#else
  m->stream = open_memstream(&m->bytes, &m->size);
#endif
  return m->stream != NULL;
}

char *memory_file_close(memory_file *m, size_t *size)
{
  bool fine = fflush(m->stream) == 0 && !ferror(m->stream);
#ifdef _WIN32
  m->size = (size_t)ftell(m->stream);
  m->bytes = malloc(m->size + 1);
  rewind(m->stream);
  fine = fine && m->bytes && fread(m->bytes, 1, m->size, m->stream) == m->size;
  if (fine)
    m->bytes[m->size] = '\0';
#endif
  fine = fclose(m->stream) == 0 && fine;
  *size = m->size;
  if (fine)
    return m->bytes;
  free(m->bytes);
  return NULL;
}
