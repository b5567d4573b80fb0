/*
** The picture has no alpha, like a window. It is read before the frame is presented, because afterwards the content of
** the renderer is undefined.
*/
#include "demo/capture/screenshot.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "demo/capture/png.h"
#include "demo/support/platform.h"
#include "script/state/platform.h"

#define OWN "spawnpool-"
#define OWN_END ".png"

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

void screenshot_name(char *file, size_t size)
{
  struct tm local = sp_local_time(time(NULL));
  char stamp[32];
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  snprintf(file, size, OWN "%s" OWN_END, stamp);
  for (int i = 2; i < 1000 && platform_exists(file); i++)
    snprintf(file, size, OWN "%s-%d" OWN_END, stamp, i);
}

bool screenshot_is_free(const char *file)
{
  static const char letters[] = "0123456789-"; /* without slash and dot: the current folder only */
  size_t length = strlen(file), head = sizeof OWN - 1, tail = sizeof OWN_END - 1;
  return length > head + tail && strncmp(file, OWN, head) == 0 && strcmp(file + length - tail, OWN_END) == 0 &&
         head + strspn(file + head, letters) == length - tail && !platform_exists(file);
}
