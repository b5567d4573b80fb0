/*
** A request is its size, a name and the bytes; the answer is an errno, 0 for success. A game may have taken over the
** requesting process: sizes and names are checked, and existing files are replaced only if the command line named them.
*/
#include "demo/capture/file_writer.h"

#include <SDL.h>
#include <SDL_image.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "demo/support/platform.h"
#include "script/state/written.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

void file_writer_new_name(char *file, size_t size, const char *name, const char *ending)
{
  struct tm local = sp_local_time(time(NULL));
  char stamp[32], plain[64];
  snprintf(plain, sizeof plain, "%s", name);
  for (char *at = plain; *at; at++)
    *at = strchr(LETTERS, *at) ? *at : '_';
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  snprintf(file, size, "%s-%s%s", plain, stamp, ending);
  for (int i = 2; i < 1000 && platform_exists(file); i++)
    snprintf(file, size, "%s-%s-%d%s", plain, stamp, i, ending);
}

/* Returns whether `why`, an errno, is 0. */
static bool is_saved(int why) { return why == 0 || SDL_SetError("%s", strerror(why)) == 0; }

#if defined(_WIN32) || defined(__EMSCRIPTEN__)

bool file_writer_open(file_writer *s, const char *named) { return (void)s, named != NULL; }

bool file_writer_save(const file_writer *s, const char *file, const void *bytes, size_t size)
{
  (void)s;
  return is_saved(sp_file_write_whole(file, bytes, size));
}

void file_writer_close(file_writer *s) { (void)s; }

#else

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#define SIZE_MOST ((uint64_t)1 << 30) /* bytes of a picture */

typedef struct request {
  uint64_t size; /* bytes that follow */
  char file[ATOMIC_FILE_NAME_MOST];
} request;

/* Sends or receives all bytes. */
static bool pass(bool sends, int channel, const void *bytes, size_t size)
{
  for (const char *at = bytes; size > 0;) {
    ssize_t done = sends ? send(channel, at, size, MSG_NOSIGNAL) : read(channel, (char *)at, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

/* {== The process ======================================================== */

/* Returns whether file_writer_new_name could return `file`, and it is not taken: a name without slash and dot, in the
   current folder only, that ends with a digit. */
static bool is_new_name(const char *file)
{
  size_t name = strspn(file, LETTERS);
  bool is_known = strcmp(file + name, ".png") == 0 || strcmp(file + name, ".zip") == 0;
  return is_known && name > 0 && strchr("0123456789", file[name - 1]) && !platform_exists(file);
}

/* Returns an errno. */
static int save(const request *r, const void *bytes, const char *named)
{
  bool allowed = is_new_name(r->file) || (*named && strcmp(named, r->file) == 0);
  return allowed ? sp_file_write_whole(r->file, bytes, (size_t)r->size) : EPERM;
}

void file_writer_serve(int channel, const char *named)
{
  request r;
  for (bool fine = true; fine && pass(false, channel, &r, sizeof r) && r.size <= SIZE_MOST;) {
    void *bytes = malloc((size_t)r.size + 1);
    r.file[sizeof r.file - 1] = '\0';
    fine = bytes && pass(false, channel, bytes, (size_t)r.size);
    int why = fine ? save(&r, bytes, named) : ENOMEM;
    fine = fine && pass(true, channel, &why, sizeof why);
    free(bytes);
  }
}

/* Runs the process. It ends when the player closes the channel or ends in any way. Signals that end the player must
   not end it before the last picture is saved. */
static void run(int channel, const char *named)
{
  static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE};
  enum { DESCRIPTORS = 1024 };
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal(ignored[i], SIG_IGN);
  for (int fd = 0; fd < DESCRIPTORS; fd++)
    if (fd != channel)
      close(fd);
  file_writer_serve(channel, named);
  _exit(0);
}

/* }== */

/* {== The player ========================================================= */

bool file_writer_open(file_writer *s, const char *named)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return false;
  pid_t process = fork();
  if (process == 0)
    run(ends[1], named);
  close(ends[1]);
  if (process < 0)
    close(ends[0]);
  else
    *s = (file_writer){.channel = ends[0], .process = process};
  return process > 0;
}

bool file_writer_save(const file_writer *s, const char *file, const void *bytes, size_t size)
{
  request r = {.size = size};
  int why = EIO;
  if (s->process == 0)
    return is_saved(sp_file_write_whole(file, bytes, size));
  SDL_strlcpy(r.file, file, sizeof r.file);
  if (!pass(true, s->channel, &r, sizeof r) || !pass(true, s->channel, bytes, size) ||
      !pass(false, s->channel, &why, sizeof why))
    return SDL_SetError("the process that writes pictures has ended") == 0;
  return is_saved(why);
}

void file_writer_close(file_writer *s)
{
  if (s->process == 0)
    return;
  close(s->channel);
  while (waitpid((pid_t)s->process, NULL, 0) < 0 && errno == EINTR)
    continue;
  *s = (file_writer){.process = 0};
}

/* }== */

#endif

/* {== Screenshots ========================================================
** The picture has no alpha, like a window. It is read before the frame is presented, because afterwards the content of
** the renderer is undefined. It is encoded into memory, and then written at once: SDL_image does not check how a file
** was closed, so it would not see a full disk. */

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

static bool save_picture(SDL_Renderer *renderer, const file_writer *writer, const char *file)
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
  if (save_picture(renderer, writer, file))
    return true;
  snprintf(error, error_size, "cannot save the screenshot '%s': %s", file, SDL_GetError());
  return false;
}

/* }== */
