/*
** The picture has no alpha, like a window. It is read before the frame is presented, because afterwards the content of
** the renderer is undefined.
*/
#include "demo/capture/screenshot.h"

#include <stdio.h>

#include "demo/capture/png.h"

static bool save(SDL_Renderer *renderer, const file_writer *writer, const char *file)
{
  int w, h;
  SDL_Surface *picture;
  png_bytes bytes = {.at = NULL};
  bool fine;
  if (SDL_GetRendererOutputSize(renderer, &w, &h) != 0)
    return false;
  picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 24, SDL_PIXELFORMAT_RGB24);
  if (!picture)
    return false;
  fine = SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGB24, picture->pixels, picture->pitch) == 0 &&
         png_encode(&bytes, picture) && file_writer_save(writer, &bytes, file);
  png_free(&bytes);
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
