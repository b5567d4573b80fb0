/*
** The picture has no alpha, like a window. It is read before the frame is presented, because afterwards the content of
** the renderer is undefined. It is encoded into memory, and then written at once: SDL_image does not check how a file
** was closed, so it would not see a full disk.
*/
#include "demo/capture/screenshot.h"

#include <SDL_image.h>
#include <stdio.h>
#include <stdlib.h>

/* The memory is for a picture that cannot be compressed: its bytes, one more per row, and the frames of the format. */
void *screenshot_encode(SDL_Surface *picture, size_t *size)
{
  size_t bytes = ((size_t)picture->w * 4 + 1) * (size_t)picture->h, room = bytes + bytes / 64 + 65536;
  void *memory = malloc(room);
  SDL_RWops *stream = memory ? SDL_RWFromMem(memory, (int)room) : NULL;
  bool fine = stream && IMG_SavePNG_RW(picture, stream, 0) == 0;
  *size = fine ? (size_t)SDL_RWtell(stream) : 0;
  if (stream)
    SDL_RWclose(stream);
  if (!memory)
    SDL_OutOfMemory();
  if (fine)
    return memory;
  free(memory);
  return NULL;
}

static bool save(SDL_Renderer *renderer, const file_writer *writer, const char *file)
{
  int w, h;
  SDL_Surface *picture;
  void *bytes = NULL;
  size_t size;
  if (SDL_GetRendererOutputSize(renderer, &w, &h) != 0)
    return false;
  picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 24, SDL_PIXELFORMAT_RGB24);
  if (!picture)
    return false;
  if (SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGB24, picture->pixels, picture->pitch) == 0)
    bytes = screenshot_encode(picture, &size);
  bool fine = bytes && file_writer_save(writer, file, bytes, size);
  free(bytes);
  SDL_FreeSurface(picture);
  return fine;
}

bool screenshot_save(SDL_Renderer *renderer, const file_writer *writer, const char *file, char *error,
                     size_t error_size)
{
  SDL_ClearError();
  if (save(renderer, writer, file))
    return true;
  snprintf(error, error_size, "cannot save the screenshot '%s': %s", file, SDL_GetError());
  return false;
}
