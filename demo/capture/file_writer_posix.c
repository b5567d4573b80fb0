/*
** A game may have taken over the requesting process: sizes and names are checked, and existing files are replaced only
** if the command line named them.
*/
#include "demo/capture/file_writer.h"

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <SDL.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demo/capture/atomic_file.h"
#include "demo/capture/screenshot.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#define SIZE_MOST ((uint64_t)1 << 30) /* bytes of a picture; a film has a few MB */

typedef struct request {
  uint64_t size; /* bytes that follow */
  char file[ATOMIC_FILE_NAME_MOST];
} request;

typedef struct answer {
  bool saved;
  char problem[256];
} answer;

/* {== Both ends ========================================================== */

static bool give(int channel, const void *bytes, size_t size)
{
  const char *at = bytes;
  while (size > 0) {
    ssize_t sent = send(channel, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}

static bool take(int channel, void *bytes, size_t size)
{
  char *at = bytes;
  while (size > 0) {
    ssize_t got = read(channel, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

/* }== */

/* {== The process ======================================================== */

static bool is_named(const file_writer_names *names, const char *file)
{
  for (int i = 0; i < FILE_WRITER_NAMES; i++)
    if (*names->names[i] && strcmp(names->names[i], file) == 0)
      return true;
  return false;
}

static void save(const request *r, const unsigned char *bytes, const file_writer_names *names, answer *a)
{
  png_bytes b = {.at = (unsigned char *)bytes, .size = (size_t)r->size};
  bool allowed = is_named(names, r->file) || screenshot_is_free(r->file);
  SDL_ClearError();
  a->saved = allowed && png_save(&b, r->file);
  SDL_strlcpy(a->problem, allowed ? SDL_GetError() : "it is no file that the player may write", sizeof a->problem);
}

void file_writer_serve(int channel, const file_writer_names *names)
{
  request r;
  while (take(channel, &r, sizeof r) && r.size <= SIZE_MOST) {
    unsigned char *bytes = malloc((size_t)r.size + 1);
    answer a = {.saved = false};
    bool whole = bytes && take(channel, bytes, (size_t)r.size);
    r.file[sizeof r.file - 1] = '\0';
    if (whole)
      save(&r, bytes, names, &a);
    free(bytes);
    if (!whole || !give(channel, &a, sizeof a))
      return;
  }
}

/* Runs the process. It ends when the player closes the channel or ends in any way. Signals that end the player must
   not end it before the last picture is saved. */
static void run(int channel, const file_writer_names *names)
{
  static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE};
  enum { DESCRIPTORS = 1024 };
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal(ignored[i], SIG_IGN);
  for (int fd = 0; fd < DESCRIPTORS; fd++)
    if (fd != channel)
      close(fd);
  file_writer_serve(channel, names);
  _exit(0);
}

/* }== */

/* {== The player ========================================================= */

bool file_writer_open(file_writer *s, const file_writer_names *names)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return false;
  pid_t process = fork();
  if (process == 0)
    run(ends[1], names);
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return false;
  }
  *s = (file_writer){.channel = ends[0], .process = process};
  return true;
}

bool file_writer_save(const file_writer *s, const png_bytes *b, const char *file)
{
  request r = {.size = b->size};
  answer a;
  if (s->process == 0)
    return png_save(b, file);
  SDL_strlcpy(r.file, file, sizeof r.file);
  if (!give(s->channel, &r, sizeof r) || !give(s->channel, b->at, b->size) || !take(s->channel, &a, sizeof a))
    return SDL_SetError("the process that writes pictures has ended") == 0;
  return a.saved || SDL_SetError("%s", a.problem) == 0;
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
