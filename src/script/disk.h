/*
** What the watcher asks of a disk: the stamp of a path, the text of a file, the hash of a text. A stamp is cheap and
** any difference of two says "look again"; the hash of the text says whether anything really changed.
*/
#ifndef SP_SCRIPT_DISK_H
#define SP_SCRIPT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SP_DISK_TEXT_MOST ((size_t)64 << 20)
enum { SP_DISK_PROBLEM_MOST = 96 };

/* Memory as of lua_Alloc. */
typedef struct sp_disk_memory {
  void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize);
  void *ud;
} sp_disk_memory;

/* NOTHING: no such path, or neither file nor folder. HIDDEN: it cannot be told (no permission, a loop of links). */
typedef enum sp_disk_kind { SP_DISK_NOTHING, SP_DISK_FILE, SP_DISK_FOLDER, SP_DISK_HIDDEN } sp_disk_kind;

/* All zero for NOTHING. Links are followed. */
typedef struct sp_stamp {
  sp_disk_kind kind;
  uint64_t modified, altered; /* nanoseconds since 1970: of the content, and of content or attributes */
  uint64_t size, inode, device;
} sp_stamp;

sp_stamp sp_disk_stamp(const char *path);
bool sp_stamp_is_same(const sp_stamp *a, const sp_stamp *b);

/* `size` bytes and a zero, in a block of `block` bytes. */
typedef struct sp_disk_text {
  char *bytes;
  size_t size, block;
} sp_disk_text;

typedef enum sp_disk_result { SP_DISK_READ, SP_DISK_MOVED, SP_DISK_REFUSED, SP_DISK_FAILED } sp_disk_result;

/* Reads the file whose stamp was `*stamp`. READ: `text` is yours, free its block. MOVED: the file is not, or no longer, as
   stamped, and with `anyway` only that it is gone; then and with `anyway`, `*stamp` is that of the file as it was opened.
   REFUSED: no memory. FAILED: `problem` (SP_DISK_PROBLEM_MOST bytes) says why. Never blocks on a pipe. */
sp_disk_result sp_disk_read(const char *path, sp_stamp *stamp, bool anyway, const sp_disk_memory *memory,
                            sp_disk_text *text, char *problem);

/* Writes what an errno means. Unlike strerror, it shares no memory with another thread. Returns `problem`. */
const char *sp_disk_problem(int error, char problem[SP_DISK_PROBLEM_MOST]);

/* 64 bits; texts of one size that differ in a single aligned word never share it. */
uint64_t sp_disk_hash(const char *bytes, size_t size);

#endif
