#include "demo/app/app_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo/app/app.h"
#include "demo/support/platform.h"

#if defined(__EMSCRIPTEN__) /* a page in a browser cannot start processes */

int app_process_run(const options *o, bool quiet) { return (void)o, (void)quiet, APP_PROCESS_NONE; }

app_process *app_process_start(const char *program, const char *const *words)
{
  (void)program, (void)words;
  errno = ENOSYS;
  return NULL;
}

bool app_process_has_ended(app_process *it, int *code) { return (void)it, (void)code, true; }

void app_process_quit(app_process *it) { (void)it; }

#elif defined(_WIN32) /* nothing is forked: another copy of this program gets the options on its command line */

#include <windows.h>

struct app_process {
  PROCESS_INFORMATION about;
};

/* {== The command line =================================================== */

enum { LINE_MOST = 16384 };

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

/* }== */

/* Starts this program again, by the path that the system tells. The command line is changed. False with errno. */
static bool start(app_process *it, command *c, HANDLE output, HANDLE errors)
{
  char program[SP_PATH_MOST];
  STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES, .hStdOutput = output, .hStdError = errors};
  errno = E2BIG;
  if (c->length >= LINE_MOST - 1 || GetModuleFileNameA(NULL, program, sizeof program) >= sizeof program)
    return false;
  errno = EACCES;
  return CreateProcessA(program, c->line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &it->about);
}

static int end(app_process *it)
{
  DWORD code = APP_USAGE;
  GetExitCodeProcess(it->about.hProcess, &code);
  CloseHandle(it->about.hThread);
  CloseHandle(it->about.hProcess);
  return code <= APP_USAGE ? (int)code : APP_USAGE;
}

int app_process_run(const options *o, bool quiet)
{
  app_process it;
  command c = {.line = "spawnpool", .length = sizeof "spawnpool" - 1};
  SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
  HANDLE nowhere = CreateFileA(platform_nowhere, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                               OPEN_EXISTING, 0, NULL);
  add_options(&c, o);
  bool fine = start(&it, &c, nowhere, quiet ? nowhere : GetStdHandle(STD_ERROR_HANDLE));
  CloseHandle(nowhere);
  if (!fine)
    return APP_PROCESS_NONE;
  WaitForSingleObject(it.about.hProcess, INFINITE);
  return end(&it);
}

app_process *app_process_start(const char *program, const char *const *words)
{
  command c = {.line = "spawnpool", .length = sizeof "spawnpool" - 1};
  app_process *it = calloc(1, sizeof *it);
  (void)program;
  for (int i = 0; i < APP_PROCESS_WORDS && words[i]; i++)
    add_word(&c, words[i]);
  if (it && start(it, &c, GetStdHandle(STD_OUTPUT_HANDLE), GetStdHandle(STD_ERROR_HANDLE)))
    return it;
  free(it);
  return NULL;
}

bool app_process_has_ended(app_process *it, int *code)
{
  if (WaitForSingleObject(it->about.hProcess, 0) == WAIT_TIMEOUT)
    return false;
  *code = end(it);
  free(it);
  return true;
}

static BOOL CALLBACK close_if_of(HWND found, LPARAM id)
{
  DWORD owner = 0;
  GetWindowThreadProcessId(found, &owner);
  if (owner == (DWORD)id)
    PostMessageA(found, WM_CLOSE, 0, 0);
  return TRUE;
}

/* Closes the window of the process. */
void app_process_quit(app_process *it) { EnumWindows(close_if_of, (LPARAM)it->about.dwProcessId); }

#else

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : APP_USAGE; }

static _Noreturn void run(const options *o, bool quiet)
{
  bool silent = freopen(platform_nowhere, "w", stdout) && (!quiet || freopen(platform_nowhere, "w", stderr));
  int code = silent ? app_run(o) : APP_USAGE;
  fflush(NULL);
  platform_exit(code);
}

int app_process_run(const options *o, bool quiet)
{
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    run(o, quiet);
  if (child < 0 || waitpid(child, &status, 0) != child)
    return APP_PROCESS_NONE;
  return code_of(status);
}

struct app_process {
  pid_t id;
};

app_process *app_process_start(const char *program, const char *const *words)
{
  char *argv[APP_PROCESS_WORDS + 2] = {(char *)program};
  for (int i = 0; i < APP_PROCESS_WORDS && words[i]; i++)
    argv[i + 1] = (char *)words[i];
  app_process *it = malloc(sizeof *it);
  if (!it)
    return NULL;
  int error = posix_spawnp(&it->id, program, NULL, NULL, argv, environ);
  if (error == 0)
    return it;
  free(it);
  errno = error;
  return NULL;
}

bool app_process_has_ended(app_process *it, int *code)
{
  int status = 0;
  if (waitpid(it->id, &status, WNOHANG) == 0)
    return false;
  *code = code_of(status);
  free(it);
  return true;
}

void app_process_quit(app_process *it) { kill(it->id, SIGTERM); }

#endif
