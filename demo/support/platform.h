/*
** What the player asks of the operating system beyond script/state/platform.h: its streams, the folder of the user's
** data, files that it writes, processes. Each system has a file platform_SYSTEM.c that defines all of it.
**
** Paths are UTF-8, and their parts are separated by '/', those of the command line too.
*/
#ifndef SP_DEMO_PLATFORM_H
#define SP_DEMO_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "script/state/platform.h"

/* {== The program ======================================================== */

/* Prepares the standard streams and the arguments of `main`. False, with a line on stderr, when there is no memory. */
bool platform_begin(int *argc, char ***argv);

/* Ends the process at once, from a signal handler or another thread too. */
_Noreturn void platform_exit(int code);

/* The same, with a last line on stderr. */
_Noreturn void platform_exit_with(const char *line, size_t size);

bool platform_is_terminal(FILE *stream);

/* The path of a file that swallows what is written. */
extern const char platform_nowhere[];

/* Sets a variable of the environment, for this process and the libraries in it. */
void platform_set_variable(const char *name, const char *value);

/* Makes all times of day those of UTC. */
void platform_use_utc(void);
struct tm platform_local_time(time_t now);

/* }== */

/* {== Files and folders ================================================== */

/* Makes the path one with '/' between its parts, as the user or a library wrote it. */
void platform_slashes(char *path);

bool platform_exists(const char *path);
bool platform_may_read(const char *path);

/* Makes a folder; `own`: nobody else may look into it. 0, also when it exists; or an errno. */
int platform_make_folder(const char *path, bool own);

/* Removes a file. 0, also when there is none; or an errno. */
int platform_remove(const char *path);

/* Gives a file another name, of an existing file too. 0 or an errno. */
int platform_rename(const char *from, const char *to);

/* Writes the folder in which the user's programs keep their data. False: there is none, and `why` says so. */
bool platform_data_folder(char *path, size_t size, const char **why);

/* Writes a file name for `name`, which has letters, digits, '_' and '-' only: different names have different files, and
   none is more than a file. */
void platform_file_name(const char *name, char *file, size_t size);

/* Writes the current folder. */
bool platform_current_folder(char *path, size_t size);

/* Folders in which fonts lie, `i` from 0: "~" in front is the user's own, "." that of the player. NULL: no more. */
const char *platform_font_folder(size_t i);

/* }== */

#endif
