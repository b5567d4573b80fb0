/*
** A file is opened, stamped, read and stamped again: only a text between two equal stamps is whole. The attribute time
** is part of a stamp, because tools restore the modification time of a copy, and a change of permissions shows nowhere
** else.
*/
#include "script/state/disk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* {== Stamps ============================================================= */

static sp_stamp stamp_from(const sp_facts *f)
{
  sp_disk_kind kind = f->kind == SP_KIND_FILE     ? SP_DISK_FILE
                      : f->kind == SP_KIND_FOLDER ? SP_DISK_FOLDER
                                                  : SP_DISK_UNFIT;
  return (sp_stamp){.kind = kind,
                    .modified = f->modified,
                    .altered = f->altered,
                    .size = f->size,
                    .inode = f->inode,
                    .device = f->device};
}

sp_stamp sp_disk_stamp(const char *path)
{
  sp_facts facts;
  if (sp_facts_of_path(path, true, &facts) || sp_facts_of_path(path, false, &facts)) /* a link that leads nowhere */
    return stamp_from(&facts);
  return (sp_stamp){.kind = errno == ENOENT || errno == ENOTDIR ? SP_DISK_NOTHING : SP_DISK_UNFIT};
}

bool sp_stamp_is_same(const sp_stamp *a, const sp_stamp *b)
{
  return a->kind == b->kind && a->modified == b->modified && a->altered == b->altered && a->size == b->size &&
         a->inode == b->inode && a->device == b->device;
}

/* }== */

/* {== Reading ============================================================ */

static sp_disk_result failed(int error, char *problem)
{
  sp_file_problem(error, problem);
  return SP_DISK_FAILED;
}

void sp_disk_free(const sp_disk_reader *reader, sp_disk_text *text)
{
  if (text->bytes)
    reader->memory.alloc(reader->memory.ud, text->bytes, text->block, 0);
  *text = (sp_disk_text){0};
}

/* Reads at most the size at opening of a file that grows meanwhile. */
static sp_disk_result read_text(int file, const sp_disk_reader *reader, const sp_stamp *stamp, bool anyway,
                                sp_disk_text *text, char *problem)
{
  sp_disk_text t = {.size = (size_t)stamp->size, .block = (size_t)stamp->size + 1};
  sp_facts after;
  t.bytes = reader->memory.alloc(reader->memory.ud, NULL, 0, t.block);
  if (!t.bytes)
    return SP_DISK_REFUSED;
  int64_t got = sp_file_read(file, t.bytes, t.size);
  sp_disk_result result = got < 0 || !sp_facts_of_file(file, &after) ? failed(errno, problem) : SP_DISK_READ;
  if (result == SP_DISK_READ && !anyway) {
    sp_stamp now = stamp_from(&after);
    if ((size_t)got != t.size || !sp_stamp_is_same(&now, stamp))
      result = SP_DISK_MOVED;
  }
  if (result != SP_DISK_READ) {
    sp_disk_free(reader, &t);
    return result;
  }
  t.size = (size_t)got;
  t.bytes[t.size] = '\0';
  *text = t;
  return SP_DISK_READ;
}

static sp_disk_result read_open(int file, const sp_disk_reader *reader, sp_stamp *stamp, bool anyway,
                                sp_disk_text *text, char *problem)
{
  sp_facts facts;
  if (!sp_facts_of_file(file, &facts))
    return failed(errno, problem);
  sp_stamp before = *stamp, opened = *stamp = stamp_from(&facts);
  if (!anyway && !sp_stamp_is_same(&opened, &before))
    return SP_DISK_MOVED;
  if (opened.size <= SP_DISK_TEXT_MOST)
    return read_text(file, reader, &opened, anyway, text, problem);
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is larger than %zu MiB, so it is not read", SP_DISK_TEXT_MOST >> 20);
  return SP_DISK_FAILED;
}

sp_disk_result sp_disk_read(const sp_disk_reader *reader, const char *path, sp_stamp *stamp, bool anyway,
                            sp_disk_text *text, char problem[SP_FILE_PROBLEM_MOST])
{
  int file = sp_folder_open(reader->folder, path, problem);
  if (file < 0 && errno != ENOENT)
    return SP_DISK_FAILED;
  if (file < 0) {
    *stamp = (sp_stamp){.kind = SP_DISK_NOTHING};
    return SP_DISK_MOVED;
  }
  sp_disk_result result = read_open(file, reader, stamp, anyway, text, problem);
  sp_file_close(file);
  return result;
}

/* }== */

/* {== Hash =============================================================== */

/* One to one in each argument, so that a difference is never lost. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

uint64_t sp_disk_hash(const char *bytes, size_t size)
{
  uint64_t hash = mix(UINT64_C(0x2545f4914f6cdd1d), size), word;
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (size)
    memcpy(&word, bytes, size);
  return mix(mix(hash, word), 0);
}

/* }== */
