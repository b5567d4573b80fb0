/*
** Another copy of this program is started, with the options on its command line.
*/
#include "demo/app/app_process.h"

#ifdef _WIN32

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app.h"
#include "demo/support/platform.h"
#include "script/state/platform_wide.h"

#define LINE_MOST 16384

typedef struct command {
  char line[LINE_MOST];
  size_t length;
} command;

static void append(command *c, char byte)
{
  if (c->length < LINE_MOST - 1)
    c->line[c->length++] = byte;
  c->line[c->length] = '\0';
}

/* Quotes a word as CommandLineToArgvW reads it: backslashes count only in front of a quote. */
static void add_word(command *c, const char *word)
{
  size_t backslashes = 0;
  append(c, ' ');
  append(c, '"');
  for (;; word++) {
    if (*word == '"' || !*word)
      for (; backslashes > 0; backslashes--)
        append(c, '\\');
    backslashes = *word == '\\' ? backslashes + 1 : 0;
    if (*word == '"')
      append(c, '\\');
    if (!*word)
      break;
    append(c, *word);
  }
  append(c, '"');
}

static void add_option(command *c, const char *name, const char *value)
{
  add_word(c, name);
  if (value)
    add_word(c, value);
}

static void add_options(command *c, const options *o)
{
  char number[64];
  const char *const files[][2] = {{"--replay", o->replay}, {"--record-input", o->record_input}};
  const struct {
    const char *name;
    bool on;
  } flags[] = {{"--headless", o->headless}, {"--no-watch", o->no_watch}, {"--trust", o->trust}, {"--trace", o->trace}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (files[i][1][0])
      add_option(c, files[i][0], files[i][1]);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (flags[i].on)
      add_option(c, flags[i].name, NULL);
  snprintf(number, sizeof number, "%zu", o->memory >> 20);
  add_option(c, "--memory", number);
  snprintf(number, sizeof number, "%dx%d", o->width, o->height);
  if (o->sized)
    add_option(c, "--size", number);
  snprintf(number, sizeof number, "%llu", (unsigned long long)o->frames);
  if (o->frames != OPTIONS_NO_END)
    add_option(c, "--frames", number);
  add_word(c, o->path);
}

static HANDLE open_nowhere(void)
{
  SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
  return CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
}

/* Runs the program to its end. CreateProcessW writes to `line`. */
static int run(const wchar_t *program, wchar_t *line, bool quiet)
{
  PROCESS_INFORMATION process;
  DWORD code = APP_USAGE;
  HANDLE nowhere = open_nowhere();
  STARTUPINFOW startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES, .hStdOutput = nowhere};
  startup.hStdError = quiet ? nowhere : GetStdHandle(STD_ERROR_HANDLE);
  bool fine = CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process);
  CloseHandle(nowhere);
  if (!fine)
    return APP_PROCESS_NONE;
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &code);
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  return code <= APP_USAGE ? (int)code : APP_USAGE;
}

static bool find_program(sp_wide program)
{
  DWORD length = GetModuleFileNameW(NULL, program, SP_WIDE_MOST);
  return length > 0 && length < SP_WIDE_MOST;
}

/* Returns the arguments as the system takes a command line, from malloc. NULL when they are too long. */
static wchar_t *line_of(const command *c)
{
  wchar_t *line = calloc(LINE_MOST, sizeof *line);
  bool whole = line && c->length < LINE_MOST - 1;
  if (whole && MultiByteToWideChar(CP_UTF8, 0, c->line, -1, line, LINE_MOST) > 0)
    return line;
  free(line);
  return NULL;
}

int app_process_run(const options *o, bool quiet)
{
  sp_wide program;
  command *c = calloc(1, sizeof *c);
  wchar_t *line = NULL;
  if (c && find_program(program)) {
    append(c, 's');
    add_options(c, o);
    line = line_of(c);
  }
  int code = line ? run(program, line, quiet) : APP_PROCESS_NONE;
  free(line);
  free(c);
  return code;
}

struct app_process {
  PROCESS_INFORMATION about;
};

/* Starts this program again. The system returns its path, so argv[0] is not needed. */
static bool start(app_process *it, const char *const *words)
{
  sp_wide program;
  STARTUPINFOW start = {.cb = sizeof start};
  command *c = calloc(1, sizeof *c);
  wchar_t *line = NULL;
  if (c && find_program(program)) {
    append(c, 's');
    for (int i = 0; i < APP_PROCESS_WORDS && words[i]; i++)
      add_word(c, words[i]);
    line = line_of(c);
  }
  bool fine = line && CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &it->about);
  errno = line ? sp_errno_of(GetLastError()) : ENOMEM;
  free(line);
  free(c);
  return fine;
}

app_process *app_process_start(const char *program, const char *const *words)
{
  (void)program;
  app_process *it = calloc(1, sizeof *it);
  if (it && start(it, words))
    return it;
  free(it);
  return NULL;
}

bool app_process_has_ended(app_process *it, int *code)
{
  DWORD ended = APP_USAGE;
  if (WaitForSingleObject(it->about.hProcess, 0) == WAIT_TIMEOUT)
    return false;
  GetExitCodeProcess(it->about.hProcess, &ended);
  *code = ended <= APP_USAGE ? (int)ended : APP_USAGE;
  CloseHandle(it->about.hThread);
  CloseHandle(it->about.hProcess);
  free(it);
  return true;
}

static BOOL CALLBACK close_window(HWND window, LPARAM id)
{
  DWORD owner = 0;
  GetWindowThreadProcessId(window, &owner);
  if (owner == (DWORD)id)
    PostMessageW(window, WM_CLOSE, 0, 0);
  return TRUE;
}

/* Closes the window of the process. */
void app_process_quit(app_process *it) { EnumWindows(close_window, (LPARAM)it->about.dwProcessId); }

#endif
