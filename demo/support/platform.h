/*
** The player's interface to the operating system, in addition to script/state/platform.h: standard streams, processes,
** the user's data folder, and files that it writes.
**
** Paths are UTF-8 and use '/' as separator on every system, also on the command line.
*/
#ifndef SP_DEMO_PLATFORM_H
#define SP_DEMO_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "script/state/platform.h"

/* {== The program ======================================================== */

/* Prepares the standard streams. Call it first. */
void platform_begin(void);

/* Writes the path of the file that this program was started from. False when `name`, its argv[0], does not say. */
bool platform_program(const char *name, char *path, size_t size);

/* Closes what the parent process left open above stderr, except descriptors that `argv` (which ends with NULL) names:
   /dev/fd/N or /proc/self/fd/N. Call it before anything is opened. */
void platform_close_inherited(char **argv);

/* Ends the process at once. Can be called from a signal handler and from any thread. */
_Noreturn void platform_exit(int code);

/* Ends the process in the same way, with a last line on stderr. */
_Noreturn void platform_exit_with(const char *line, size_t size);

bool platform_is_terminal(FILE *stream);

/* The path of the null device. */
extern const char platform_nowhere[];

/* Sets an environment variable, for this process and its libraries. */
void platform_set_variable(const char *name, const char *value);

/* Sets the time zone to UTC. */
void platform_use_utc(void);

/* }== */

/* {== Files and folders ================================================== */

/* Replaces the system's path separators by '/', in a path from the user or a library. */
void platform_slashes(char *path);

bool platform_exists(const char *path);
bool platform_may_read(const char *path);

/* Writes the user's data folder. Returns false, and the reason in `why`, when there is none. */
bool platform_data_folder(char *path, size_t size, const char **why);

/* Returns folder number `i` of those that contain fonts, from 0; NULL past the last one. A leading "~" stands for the
   user's home folder, "." for the folder of the player. */
const char *platform_font_folder(size_t i);

/* A file in memory that is written and then read as a whole. */
typedef struct memory_file {
  FILE *stream;
  char *bytes;
  size_t size;
} memory_file;

/* False when memory is refused. */
bool memory_file_open(memory_file *m);

/* Returns what was written, with a NUL behind it, to be freed by free; NULL when something could not be written. */
char *memory_file_close(memory_file *m, size_t *size);

/* }== */

#endif
