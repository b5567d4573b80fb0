/*
** The files of a game: opened within its folder, stamped, read. A stamp is cheap, and a different stamp means that the
** file has to be read again; the hash of its text shows whether it really changed.
*/
#ifndef SP_SCRIPT_DISK_H
#define SP_SCRIPT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "script/state/platform.h"

/* {== Opening ============================================================
** Opens the files of a game: regular ones only, and only those that lie in its folder. Opening never blocks and has no
** side effects: pipes, sockets and devices are rejected by their type.
**
** A path is walked as text, one component at a time, and links are read and walked in turn: that gives a path without
** links. What is opened by that must lie there, and the system is asked for it: whatever is renamed or linked
** meanwhile, nothing outside is read. Names are case-sensitive on every system, so that a game finds the same files.
**
** Links inside the folder work, also absolute ones. A path that leaves the folder and comes back is rejected. */

enum { SP_FILE_PROBLEM_MOST = 192 };

/* Opens `path` for reading. `folder`: the file must lie in it; NULL: anywhere. Returns a descriptor; or -1, and then
   `problem` says why and what to do, to be written behind "PATH: ". errno is ENOENT when there is no such file. */
int sp_folder_open(const char *folder, const char *path, char problem[SP_FILE_PROBLEM_MOST]);

/* Opens a folder to be listed, by the same rules. NULL with errno. */
sp_folder_stream *sp_folder_list(const char *folder, const char *path);

/* Returns whether `path` lies in `folder`, or would if it existed, wherever links lead. It cannot be used to find out
   which files exist outside. */
bool sp_folder_holds(const char *folder, const char *path);

/* Describes an errno, for some values with a remedy. Returns `problem`. */
const char *sp_file_problem(int error, char problem[SP_FILE_PROBLEM_MOST]);

/* }== */

/* Larger files are rejected, because reading them would stop the game noticeably. */
#define SP_DISK_TEXT_MOST ((size_t)64 << 20)

/* An allocator like lua_Alloc. */
typedef struct sp_disk_memory {
  void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize);
  void *ud;
} sp_disk_memory;

/* NOTHING: no such path. UNFIT: there is something that is neither file nor folder, or that cannot be examined: a pipe,
   a link that leads nowhere, no permission; the stamp is zero but for that if it cannot be examined. */
typedef enum sp_disk_kind { SP_DISK_NOTHING, SP_DISK_FILE, SP_DISK_FOLDER, SP_DISK_UNFIT } sp_disk_kind;

/* All zero for NOTHING. Links are followed. */
typedef struct sp_stamp {
  sp_disk_kind kind;
  uint64_t modified, altered; /* nanoseconds since 1970: of the content, and of content or attributes */
  uint64_t size, inode, device;
} sp_stamp;

/* Returns the stamp of what is at `path`. */
sp_stamp sp_disk_stamp(const char *path);

/* Returns whether two stamps are equal in all members. */
bool sp_stamp_is_same(const sp_stamp *a, const sp_stamp *b);

/* The folder and the memory with which files are read. */
typedef struct sp_disk_reader {
  const char *folder; /* files must lie in it, see sp_folder_open; NULL: anywhere */
  sp_disk_memory memory;
} sp_disk_reader;

/* `size` bytes and a zero, in a block of `block` bytes. */
typedef struct sp_disk_text {
  char *bytes;
  size_t size, block;
} sp_disk_text;

typedef enum sp_disk_result { SP_DISK_READ, SP_DISK_MOVED, SP_DISK_REFUSED, SP_DISK_FAILED } sp_disk_result;

/* Reads the file whose stamp was `*stamp`. READ: `text` is the caller's; free it with sp_disk_free. MOVED: the file is
   not, or no longer, as stamped, and with `anyway` only that it is gone; then and with `anyway`, `*stamp` is that of
   the file as it was opened. REFUSED: no memory. FAILED: `problem` says why. */
sp_disk_result sp_disk_read(const sp_disk_reader *reader, const char *path, sp_stamp *stamp, bool anyway,
                            sp_disk_text *text, char problem[SP_FILE_PROBLEM_MOST]);

/* Frees a text, which is empty from then on; an empty one may be freed too. */
void sp_disk_free(const sp_disk_reader *reader, sp_disk_text *text);

/* Returns a hash of 64 bits. Texts of equal size that differ in a single aligned word have different hashes. */
uint64_t sp_disk_hash(const char *bytes, size_t size);

#endif
