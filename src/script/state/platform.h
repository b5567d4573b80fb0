/*
** Calls of the operating system for the script layer and the player: the clock, files and folders.
**
** The parts of a path are separated by '/'. On Windows paths are in the code page of the process: UTF-8 in the player,
** whose manifest says so. An open file is a descriptor of the C library.
*/
#ifndef SP_SCRIPT_PLATFORM_H
#define SP_SCRIPT_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* {== The clock ========================================================== */

/* Nanoseconds since some moment; it never goes back. */
uint64_t sp_clock_nanoseconds(void);

/* The local time of a moment. */
struct tm sp_local_time(time_t moment);

/* Nanoseconds since 1970, as the times of files. */
uint64_t sp_date_nanoseconds(void);

/* }== */

/* {== Addresses ========================================================== */

/* Reserves addresses, of which no memory is taken yet. NULL when that is refused. */
void *sp_addresses_reserve(size_t size);
void sp_addresses_release(void *addresses, size_t size);

/* Makes a part of reserved addresses memory that can be used, whole pages of 4 KiB; it may be so already. False when
   memory is refused. */
bool sp_addresses_back(void *part, size_t size);

/* }== */

/* {== Files ============================================================== */

enum { SP_PATH_MOST = 4096 };

typedef enum sp_file_kind {
  SP_KIND_FILE,
  SP_KIND_FOLDER,
  SP_KIND_LINK,
  SP_KIND_PIPE,
  SP_KIND_SOCKET,
  SP_KIND_DEVICE
} sp_file_kind;

/* `altered` is the time of the last change of content or attributes. Unsigned, so that a time before 1970 or far ahead
   is odd but no overflow. */
typedef struct sp_facts {
  sp_file_kind kind;
  uint64_t modified, altered; /* nanoseconds since 1970 */
  uint64_t size, inode, device;
} sp_facts;

/* Describes what is at `path`; with `follow`, what a link leads to. False with errno. */
bool sp_facts_of_path(const char *path, bool follow, sp_facts *facts);
bool sp_facts_of_file(int file, sp_facts *facts);
/* So many paths are described in about 0.08 ms: half a percent of the time of a frame. */
extern const size_t sp_facts_few;

/* Opens a file for reading, or a folder, without waiting for anybody and without taking a terminal. On Windows others
   may replace and remove it meanwhile: editors save by renaming. -1 with errno. */
int sp_file_open(const char *path);
void sp_file_close(int file); /* keeps errno */

/* Writes the absolute path without links at which an open file lies now; `path` is the one that it was opened by.
   False with errno: on Linux /proc may be missing. BSDs resolve `path` again, which may be another file's by then. */
bool sp_file_place(int file, const char *path, char place[SP_PATH_MOST]);

/* Reads until `size` bytes have come or the file ends. Returns how many; -1 with errno. */
int64_t sp_file_read(int file, void *bytes, size_t size);

/* A stream that reads the file and closes it. NULL: the file is closed. */
FILE *sp_file_stream(int file);

/* }== */

/* {== Paths ============================================================== */

/* Returns whether there is a link at `path`, wherever it leads. */
bool sp_path_is_link(const char *path);

/* Copies as much as fits of what the link at `path` leads to: on Windows the whole path of that. False when it is no
   link. */
bool sp_link_target(const char *path, char *target, size_t size);

/* Writes the absolute path without links. False with errno. */
bool sp_real_path(const char *path, char real[SP_PATH_MOST]);

/* The length of the root that a path begins at, "/" or on Windows also "C:/"; 0: it begins in the current folder. */
size_t sp_path_root(const char *path);

/* Returns whether a part of a path is the name of a file or folder, "." or "..". Others are on Windows a device, a
   stream of a file, a drive, and a name that the system would shorten. */
bool sp_name_is_plain(const char *name, size_t length);

/* }== */

/* {== Folders ============================================================ */

typedef struct sp_folder_stream sp_folder_stream;

/* Opens a folder to be listed: by name; or an open one, which is closed in any case. NULL with errno. Windows lists by
   name also the open one. */
sp_folder_stream *sp_folder_stream_open(const char *path);
sp_folder_stream *sp_folder_stream_from(int folder, const char *path);
void sp_folder_stream_close(sp_folder_stream *stream); /* or NULL */

/* Returns the next name, without "." and "..", valid until the next call; NULL after the last. `may_be_folder`, if not
   NULL, is set to false where the system knows better at no cost. */
const char *sp_folder_stream_next(sp_folder_stream *stream, bool *may_be_folder);

/* }== */

/* {== Errors ============================================================= */

/* Writes what an errno means. Unlike strerror, it shares no memory with other threads. */
void sp_error_text(int error, char *text, size_t size);

/* }== */

#endif
