/*
** A game without a window that can be repeated: a session plays the game in a folder with keys of its own, and when a
** pool holds more objects than it may, writes the whole run into a bug file. The run is played again from that file,
** here or on any other machine, with the texts that are in it.
**
**   server FOLDER TYPE MOST [FRAMES]     plays, and watches the pool TYPE; writes bug.zip when it has more than MOST
**   server bug.zip                       plays the run of that file, and says whether it went as it was recorded
*/
#include <spawnpool_session.h>
#include <stdio.h>
#include <stdlib.h>

/* {== Files =============================================================== */

static bool write_out(void *ud, const void *bytes, size_t size) { return fwrite(bytes, 1, size, ud) == size; }

static void *read_file(const char *path, size_t *size)
{
  FILE *in = fopen(path, "rb");
  long length = in && fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
  char *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
  *size = 0;
  if (bytes && fseek(in, 0, SEEK_SET) == 0)
    *size = fread(bytes, 1, (size_t)length, in);
  if (in)
    fclose(in);
  return bytes;
}

/* }== */

/* {== Playing again ======================================================= */

static int replay(const char *path)
{
  char error[256];
  size_t size;
  void *zip = read_file(path, &size);
  sp_script_options script = sp_script_defaults(path);
  sp_session_options options = sp_session_defaults(&script);
  sp_session *session = sp_session_open_bug(&options, zip, size, error, sizeof error);
  free(zip);
  if (!session) {
    fprintf(stderr, "server: %s: %s\n", path, error);
    return 1;
  }
  while (!sp_session_is_over(session))
    sp_session_step(session);
  const char *difference = sp_session_difference(session);
  printf("%llu frames, %s\n", (unsigned long long)sp_session_at(session).last, difference ? difference : "as recorded");
  sp_session_close(session);
  return difference != NULL;
}

/* }== */

/* {== Serving ============================================================= */

static bool save_bug(sp_session *session)
{
  FILE *out = fopen("bug.zip", "wb");
  bool fine = out && sp_session_write_bug(session, write_out, out);
  fine = out && fclose(out) == 0 && fine;
  if (!fine)
    fprintf(stderr, "server: no bug.zip: %s\n", sp_session_problem(session));
  return fine;
}

/* A player that always does the same: chance is the game's. */
static void send_keys(sp_session *session, int frame)
{
  static const char *const keys[] = {"left", "space", "right", "space"};
  const sp_session_event_field key = {"key", 0, keys[frame / 20 % 4]};
  if (frame % 20 == 0)
    sp_session_send(session, &(sp_session_event){"key_pressed", &key, 1});
  else if (frame % 20 == 10)
    sp_session_send(session, &(sp_session_event){"key_released", &key, 1});
}

static uint32_t count(const sp_session *session, const char *type)
{
  const sp_manager *pools = sp_script_pools(sp_session_script(session));
  const sp_pool *pool = pools ? sp_manager_pool(pools, type) : NULL;
  return pool ? sp_pool_live(pool) : 0;
}

static int serve(const char *folder, const char *type, uint32_t most, int frames)
{
  char error[256];
  sp_script_options script = sp_script_defaults(folder);
  script.seed = 1;
  script.memory_limit = 256u << 20;
  sp_session_options options = sp_session_defaults(&script);
  options.history = -1; /* a server is recorded, and does not go back */
  sp_session *session = sp_session_open(&options, error, sizeof error);
  if (!session) {
    fprintf(stderr, "server: %s\n", error);
    return 1;
  }
  bool runs = sp_session_start(session, 0, NULL), is_wrong = false;
  for (int frame = 0; frame < frames && runs && !is_wrong; frame++) {
    send_keys(session, frame);
    runs = sp_session_step(session);
    is_wrong = count(session, type) > most;
  }
  const bool saved = (is_wrong || !runs) && save_bug(session);
  printf("%llu frames, %u of %s live%s\n", (unsigned long long)sp_session_at(session).last,
         (unsigned)count(session, type), type, saved ? ": bug.zip has the run" : "");
  sp_session_close(session);
  return 0;
}

/* }== */

int main(int argc, char **argv)
{
  if (argc == 2)
    return replay(argv[1]);
  if (argc < 4) {
    fprintf(stderr, "usage: server FOLDER TYPE MOST [FRAMES], or server bug.zip\n");
    return 2;
  }
  return serve(argv[1], argv[2], (uint32_t)strtoul(argv[3], NULL, 10), argc > 4 ? atoi(argv[4]) : 3600);
}
