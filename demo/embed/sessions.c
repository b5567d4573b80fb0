/*
** A server of sessions in C, with no Lua. A session is an object, its timeout is the object's lifetime, and traffic
** sets that back. The reference is the session's number on the wire: one that comes too late, or is made up, is
** refused, with no table to look it up in. A pool that is full is the back pressure. The clients are played, and the
** same in every run.
*/
#include <spawnpool.h>
#include <stdio.h>

#define TICKS_A_SECOND 20
#define SECONDS 120
#define MOST_SESSIONS 4096
#define CLIENTS 6000
#define TIMEOUT 5.0 /* seconds without a packet */
#define CREDIT 3    /* packets that a session may send in a second */

enum { SESSION = SP_FIELDS }; /* the column of our only field, which is all that a session has */

typedef struct session {
  uint32_t client, credit;
  uint64_t bytes;
} session;

typedef struct server {
  sp_manager *manager;
  sp_pool *sessions;
  uint32_t ends[SP_WHY_COUNT], full, served, throttled, late, forged;
  uint64_t bytes;
} server;

/* {== The server ========================================================= */

/* For each session, however it ended: here a real server writes to its log. */
static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  server *s = ud;
  s->bytes += ((const session *)sp_peek(sp_pool_manager(pool), object, SESSION))->bytes;
  s->ends[why]++;
}

/* Once a second, for all sessions, straight through their memory: they lie side by side in the chunks of the pool. */
static void on_update(void *ud, sp_pool *pool, double dt)
{
  (void)ud, (void)dt;
  if (sp_tick(sp_pool_manager(pool)) % TICKS_A_SECOND != 0)
    return;
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(pool); chunk++) {
    session *cells = sp_pool_column(pool, chunk, SESSION);
    for (uint32_t slot = 0; slot < SP_CHUNK_SLOTS; slot++) /* idle ones too: it does no harm */
      cells[slot].credit = CREDIT;
  }
}

static bool server_open(server *s)
{
  const sp_options options = {.step = 1.0 / TICKS_A_SECOND};
  const session fresh = {.credit = CREDIT};
  const sp_field field = {.name = "session", .initial = &fresh, .size = sizeof fresh};
  sp_pool_desc desc = {.type = "Session"};
  desc.settings.prealloc = desc.settings.limit = MOST_SESSIONS; /* memory is asked for once, here */
  desc.fields = &field;
  desc.field_count = 1;
  desc.hooks = (sp_hooks){.ud = s, .on_despawn = on_despawn, .update = on_update};
  *s = (server){.manager = sp_open(&options, NULL)};
  s->sessions = s->manager ? sp_add_pool(s->manager, &desc, NULL) : NULL;
  return s->sessions != NULL;
}

/* The number of a new session, or 0: the server is full, try again later. */
static sp_ref server_greet(server *s, uint32_t client)
{
  sp_ref number;
  session *it = sp_pool_alloc_cell(s->sessions, TIMEOUT, SESSION, &number, NULL);
  if (it)
    it->client = client;
  else
    s->full++;
  return number;
}

/* A client's session, or NULL. The number comes from outside: it may be anything, and it is no secret. */
static session *server_find(server *s, uint32_t client, sp_ref number)
{
  bool live = sp_is_live(s->manager, number);
  session *it = live ? sp_cell(s->manager, number, SESSION) : NULL;
  if (it && it->client == client)
    return it;
  if (!live && sp_owner(s->manager, number))
    s->late++;
  else
    s->forged++; /* it is another client's, or was never given to anybody */
  return NULL;
}

/* False when there is no such session. */
static bool server_hear(server *s, uint32_t client, sp_ref number, uint32_t bytes)
{
  session *it = server_find(s, client, number);
  if (!it)
    return false;
  if (it->credit == 0) {
    s->throttled++; /* and its timeout goes on */
    return true;
  }
  it->credit--;
  it->bytes += bytes;
  s->served++;
  return sp_set_remaining(s->manager, number, TIMEOUT) == SP_OK;
}

static void server_bye(server *s, uint32_t client, sp_ref number)
{
  if (server_find(s, client, number))
    sp_recycle(s->manager, number);
}

/* }== */

/* {== The clients ======================================================== */

static uint32_t below(uint64_t *random, uint32_t n)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*random >> 33) % n;
}

/* What a client does in one tick. `number` is that of its session, as far as it knows; 0: it has none. */
static void act(server *s, uint32_t client, sp_ref *number, uint64_t *random)
{
  uint32_t mood = below(random, 10000);
  if (mood >= 500)
    return; /* it is silent */
  if (mood == 0)
    server_hear(s, client, *random, 1); /* it guesses */
  else if (*number == 0)
    *number = server_greet(s, client);
  else if (mood < 10)
    server_bye(s, client, *number); /* and its last packets come behind that */
  else if (!server_hear(s, client, *number, below(random, 1400)))
    *number = 0; /* it will say hello again */
}

/* }== */

int main(void)
{
  sp_ref numbers[CLIENTS] = {SP_NONE_REF};
  uint64_t random = 1;
  server s;
  bool opened = server_open(&s);
  for (int tick = 0; opened && tick < SECONDS * TICKS_A_SECOND; tick++) {
    for (uint32_t client = 0; client < CLIENTS; client++)
      act(&s, client, &numbers[client], &random);
    sp_update(s.manager, 1.0 / TICKS_A_SECOND); /* who was silent for too long goes here */
  }
  if (opened) {
    sp_stats stats = sp_pool_stats(s.sessions);
    printf("%u sessions after %.0f s, %u at most\n", stats.live, sp_time(s.manager), stats.peak);
    printf("%.0f opened, %u turned away: the server was full\n", (double)stats.allocs, s.full);
    printf("%u said goodbye, %u timed out, after %.0f MB\n", s.ends[SP_WHY_RECYCLED], s.ends[SP_WHY_EXPIRED],
           (double)s.bytes / 1e6);
    printf("%u packets served, %u throttled, %u too late, %u forged\n", s.served, s.throttled, s.late, s.forged);
  }
  return sp_close(s.manager) == SP_OK && opened ? 0 : 1;
}
