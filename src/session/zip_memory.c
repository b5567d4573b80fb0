#include "session/zip_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static voidpf open_memory(voidpf ud, const void *name, int mode)
{
  (void)name, (void)mode;
  ((sp_zip_memory *)ud)->at = 0;
  return ud;
}

static uLong read_memory(voidpf ud, voidpf stream, void *to, uLong size)
{
  sp_zip_memory *m = stream;
  const size_t left = m->size - m->at, got = size < left ? (size_t)size : left;
  (void)ud;
  memcpy(to, m->bytes + m->at, got);
  m->at += got;
  return (uLong)got;
}

static uLong write_memory(voidpf ud, voidpf stream, const void *from, uLong size)
{
  sp_zip_memory *m = stream;
  (void)ud;
  if (m->at + size > m->room) {
    const size_t room = 2 * (m->at + (size_t)size) + 4096;
    char *grown = realloc(m->bytes, room);
    if (!grown)
      return 0;
    m->bytes = grown;
    m->room = room;
  }
  memcpy(m->bytes + m->at, from, size);
  m->at += size;
  m->size = m->at > m->size ? m->at : m->size;
  return size;
}

static ZPOS64_T tell_memory(voidpf ud, voidpf stream)
{
  (void)ud;
  return ((sp_zip_memory *)stream)->at;
}

static long seek_memory(voidpf ud, voidpf stream, ZPOS64_T offset, int origin)
{
  sp_zip_memory *m = stream;
  const uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET ? 0 : origin == ZLIB_FILEFUNC_SEEK_CUR ? m->at : m->size;
  (void)ud;
  if (offset > m->size - from)
    return -1;
  m->at = (size_t)(from + offset);
  return 0;
}

static int close_memory(voidpf ud, voidpf stream)
{
  (void)ud, (void)stream;
  return 0;
}

static zlib_filefunc64_def functions(sp_zip_memory *m)
{
  return (zlib_filefunc64_def){.zopen64_file = open_memory,
                               .zread_file = read_memory,
                               .zwrite_file = write_memory,
                               .ztell64_file = tell_memory,
                               .zseek64_file = seek_memory,
                               .zclose_file = close_memory,
                               .zerror_file = close_memory,
                               .opaque = m};
}

zipFile sp_zip_create(sp_zip_memory *m)
{
  zlib_filefunc64_def calls = functions(m);
  return zipOpen2_64("memory", APPEND_STATUS_CREATE, NULL, &calls);
}

unzFile sp_zip_open(sp_zip_memory *m)
{
  zlib_filefunc64_def calls = functions(m);
  return unzOpen2_64("memory", &calls);
}
