/*
** SDL_image writes to an SDL_RWops: this one only supports appending.
*/
#include "demo/capture/png.h"

#include <SDL_image.h>
#include <stdlib.h>
#include <string.h>

#include "demo/capture/atomic_file.h"

#define FIRST_ROOM 65536

static bool append(png_bytes *b, const void *bytes, size_t size)
{
  size_t room = b->room ? b->room : FIRST_ROOM;
  while (room < b->size + size)
    room *= 2;
  if (room > b->room) {
    unsigned char *at = realloc(b->at, room);
    if (!at)
      return SDL_OutOfMemory() == 0;
    b->at = at;
    b->room = room;
  }
  memcpy(b->at + b->size, bytes, size);
  b->size += size;
  return true;
}

void png_free(png_bytes *b)
{
  free(b->at);
  memset(b, 0, sizeof *b);
}

/* {== A stream to write to =============================================== */

static size_t SDLCALL stream_write(SDL_RWops *stream, const void *bytes, size_t size, size_t count)
{
  return append(stream->hidden.unknown.data1, bytes, size * count) ? count : 0;
}

static size_t SDLCALL stream_read(SDL_RWops *stream, void *bytes, size_t size, size_t count)
{
  (void)stream, (void)bytes, (void)size, (void)count;
  return 0;
}

static Sint64 SDLCALL stream_size(SDL_RWops *stream)
{
  const png_bytes *b = stream->hidden.unknown.data1;
  return (Sint64)b->size;
}

static Sint64 SDLCALL stream_seek(SDL_RWops *stream, Sint64 offset, int whence)
{
  return offset == 0 && whence != RW_SEEK_SET ? stream_size(stream) : SDL_SetError("the stream only grows");
}

static int SDLCALL stream_close(SDL_RWops *stream)
{
  SDL_FreeRW(stream);
  return 0;
}

/* }== */

bool png_encode(png_bytes *b, SDL_Surface *picture)
{
  SDL_RWops *stream = SDL_AllocRW();
  if (!stream)
    return false;
  stream->type = SDL_RWOPS_UNKNOWN;
  stream->write = stream_write;
  stream->read = stream_read;
  stream->size = stream_size;
  stream->seek = stream_seek;
  stream->close = stream_close;
  stream->hidden.unknown.data1 = b;
  return IMG_SavePNG_RW(picture, stream, 1) == 0;
}

bool png_save(const png_bytes *b, const char *file)
{
  int why = atomic_file_write(file, b->at, b->size);
  return why == 0 || SDL_SetError("%s", strerror(why)) == 0;
}
