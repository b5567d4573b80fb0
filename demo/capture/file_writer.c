/*
** A request is its size, a name and the bytes; the answer is an errno, 0 for success. A game may have taken over the
** requesting process: sizes and names are checked, and existing files are replaced only if the command line named them.
*/
#include "demo/capture/file_writer.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "demo/capture/atomic_file.h"
#include "demo/support/platform.h"

#define OWN "spawnpool-"
#define OWN_END ".png"

void file_writer_new_name(char *file, size_t size)
{
  struct tm local = sp_local_time(time(NULL));
  char stamp[32];
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  snprintf(file, size, OWN "%s" OWN_END, stamp);
  for (int i = 2; i < 1000 && platform_exists(file); i++)
    snprintf(file, size, OWN "%s-%d" OWN_END, stamp, i);
}

/* Returns whether `why`, an errno, is 0. */
static bool is_saved(int why) { return why == 0 || SDL_SetError("%s", strerror(why)) == 0; }

#if defined(_WIN32) || defined(__EMSCRIPTEN__)

bool file_writer_open(file_writer *s, const char *named) { return (void)s, named != NULL; }

bool file_writer_save(const file_writer *s, const char *file, const void *bytes, size_t size)
{
  (void)s;
  return is_saved(atomic_file_write(file, bytes, size));
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

/* Returns whether file_writer_new_name could return `file`, and it is not taken. */
static bool is_new_name(const char *file)
{
  static const char letters[] = "0123456789-"; /* without slash and dot: the current folder only */
  size_t length = strlen(file), head = sizeof OWN - 1, tail = sizeof OWN_END - 1;
  return length > head + tail && strncmp(file, OWN, head) == 0 && strcmp(file + length - tail, OWN_END) == 0 &&
         head + strspn(file + head, letters) == length - tail && !platform_exists(file);
}

/* Returns an errno. */
static int save(const request *r, const void *bytes, const char *named)
{
  bool allowed = is_new_name(r->file) || (*named && strcmp(named, r->file) == 0);
  return allowed ? atomic_file_write(r->file, bytes, (size_t)r->size) : EPERM;
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
    return is_saved(atomic_file_write(file, bytes, size));
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
