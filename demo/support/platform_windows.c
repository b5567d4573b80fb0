#include "demo/support/platform.h"

#ifdef _WIN32

#include <SDL.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/platform_wide.h"

#include <shellapi.h> /* behind windows.h, which that one brings */

/* {== The program ======================================================== */

const char platform_nowhere[] = "NUL";

/* Returns the arguments in UTF-8, which are never freed. NULL when out of memory. */
static char **read_arguments(int *argc)
{
  wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), argc);
  char **argv = wide ? calloc((size_t)*argc + 1, sizeof *argv) : NULL;
  bool fine = argv != NULL;
  for (int i = 0; fine && i < *argc; i++) {
    int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
    argv[i] = malloc((size_t)size + 1);
    fine = argv[i] && WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, argv[i], size, NULL, NULL) > 0;
  }
  LocalFree(wide);
  return fine ? argv : NULL;
}

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

void platform_close_inherited(char **argv) { (void)argv; } /* no handle is inherited that nobody asked for */

/* Lines end in "\n" in files and pipes, so that output is the same on every system. The console shows UTF-8. There are
   no line-buffered streams here: report.c flushes each line. The system does not scale the window (DPI awareness). */
bool platform_begin(int *argc, char ***argv)
{
  char **arguments = read_arguments(argc);
  if (!arguments) {
    fprintf(stderr, "spawnpool: not enough memory\n");
    return false;
  }
  *argv = arguments;
  close_own_console();
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  setvbuf(stdout, NULL, _IOFBF, 1 << 14);
  SetConsoleOutputCP(CP_UTF8);
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX); /* no dialogue asks for a disk */
  SDL_SetMainReady(); /* `main` is our own: SDL does not rename and call it */
  SDL_SetHint(SDL_HINT_WINDOWS_DPI_SCALING, "1");
  return true;
}

/* Runs no exit handlers: another thread may hold any lock. */
_Noreturn void platform_exit(int code)
{
  TerminateProcess(GetCurrentProcess(), (UINT)code);
  for (;;)
    Sleep(INFINITE);
}

_Noreturn void platform_exit_with(const char *line, size_t size)
{
  DWORD written;
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), line, (DWORD)size, &written, NULL);
  platform_exit(EXIT_FAILURE);
}

bool platform_is_terminal(FILE *stream)
{
  DWORD mode;
  return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(stream)), &mode) != 0;
}

void platform_set_variable(const char *name, const char *value)
{
  SetEnvironmentVariableA(name, value);
  _putenv_s(name, value);
}

void platform_use_utc(void)
{
  _putenv_s("TZ", "UTC0");
  _tzset();
}

/* }== */

/* {== Files and folders ================================================== */

void platform_slashes(char *path)
{
  for (; *path; path++)
    if (*path == '\\')
      *path = '/';
}

bool platform_exists(const char *path)
{
  sp_wide wide;
  return sp_wide_from(path, wide) && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

bool platform_may_read(const char *path)
{
  HANDLE handle = sp_handle_open(path, GENERIC_READ, true);
  if (handle == INVALID_HANDLE_VALUE)
    return false;
  CloseHandle(handle);
  return true;
}

int platform_make_folder(const char *path, bool own)
{
  sp_wide wide;
  (void)own; /* a folder inherits the access rights of its parent, which is the user's own */
  if (!sp_wide_from(path, wide))
    return errno;
  if (CreateDirectoryW(wide, NULL))
    return 0;
  DWORD error = GetLastError(), kind = GetFileAttributesW(wide);
  bool is_there = kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY);
  return is_there ? 0 : sp_errno_of(error);
}

int platform_remove(const char *path)
{
  sp_wide wide;
  if (!sp_wide_from(path, wide))
    return errno;
  int problem = DeleteFileW(wide) ? 0 : sp_errno_of(GetLastError());
  return problem == ENOENT ? 0 : problem;
}

/* A virus scanner may hold a file open that was just written; until it closes the file, renaming fails. */
int platform_rename(const char *from, const char *to)
{
  enum { TRIES = 20, PAUSE = 10 /* milliseconds */ };
  sp_wide wide_from, wide_to;
  int problem = 0;
  if (!sp_wide_from(from, wide_from) || !sp_wide_from(to, wide_to))
    return errno;
  for (int i = 0; i < TRIES; i++) {
    if (MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
      return 0;
    problem = sp_errno_of(GetLastError());
    if (problem != EACCES)
      break;
    Sleep(PAUSE);
  }
  return problem;
}

static bool read_folder(const wchar_t *variable, char *path, size_t size)
{
  sp_wide wide;
  DWORD length = GetEnvironmentVariableW(variable, wide, SP_WIDE_MOST);
  return length > 0 && length < SP_WIDE_MOST && sp_wide_to(wide, path, size) && sp_path_is_absolute(path);
}

bool platform_data_folder(char *path, size_t size, const char **why)
{
  *why = "neither XDG_DATA_HOME nor APPDATA can be used";
  return read_folder(L"XDG_DATA_HOME", path, size) || read_folder(L"APPDATA", path, size);
}

/* A device name gets a prefix. The file system ignores case, so a suffix has a bit for each letter: 1 for capitals. */
void platform_file_name(const char *name, char *file, size_t size)
{
  unsigned long long capitals = 0;
  for (size_t i = 0; i < 64 && name[i]; i++)
    capitals |= (unsigned long long)(name[i] >= 'A' && name[i] <= 'Z') << i;
  const char *sign = sp_name_is_plain(name, strlen(name)) ? "" : "%";
  if (capitals)
    snprintf(file, size, "%s%s%%%llx", sign, name, capitals);
  else
    snprintf(file, size, "%s%s", sign, name);
}

bool platform_current_folder(char *path, size_t size)
{
  sp_wide wide;
  DWORD length = GetCurrentDirectoryW(SP_WIDE_MOST, wide);
  return length > 0 && length < SP_WIDE_MOST && sp_wide_to(wide, path, size);
}

const char *platform_font_folder(size_t i)
{
  static const char *const folders[] = {"./fonts", "C:/Windows/Fonts"};
  return i < sizeof folders / sizeof *folders ? folders[i] : NULL;
}

/* }== */

#endif
