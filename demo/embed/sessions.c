/*
** A server of sessions in C, with no Lua. A session is an object, its timeout is the object's lifetime, and traffic sets
** that back. The reference is the session's number on the wire: one that comes too late, or is made up, is refused, with
** no table to look it up in. A pool that is full is the back pressure. The network is played, and the same in every run.
*/
#include <spawnpool.h>
#include <stdio.h>
#include <stdlib.h>

#define TICKS_A_SECOND 20
#define SECONDS 120
#define MOST_SESSIONS 4096
#define TIMEOUT 5.0 /* seconds without a packet */
#define CREDIT 3    /* packets that a session may send in a second */
#define CLIENTS 6000
#define LONGEST_WAY 16 /* ticks that a packet travels at most */

enum { SESSION = SP_FIELDS }; /* the column of our only field, which is all that a session has */

typedef struct session {
  uint32_t client, credit;
  uint64_t bytes;
} session;

typedef enum packet_kind { HELLO, DATA, BYE } packet_kind;

typedef struct packet {
  packet_kind kind;
  uint32_t client, size;
  sp_ref number; /* of the session, as far as the client knows */
} packet;

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
    session *cells = sp_chunk_column(pool, chunk, SESSION);
    for (uint32_t slot = 0; slot < SP_CHUNK_SLOTS; slot++) /* idle ones too: it does no harm */
      cells[slot].credit = CREDIT;
  }
}

static bool server_open(server *s)
{
  const sp_options options = {.step = 1.0 / TICKS_A_SECOND};
  const session fresh = {.credit = CREDIT};
  const sp_field field = {.name = "session", .initial = &fresh, .size = sizeof fresh};
  sp_pool_desc desc = sp_pool_defaults("Session");
  desc.settings.prealloc = desc.settings.limit = MOST_SESSIONS; /* memory is asked for once, here */
  desc.spatial = false;                                         /* no place, no speed, no colour */
  desc.fields = &field;
  desc.field_count = 1;
  desc.hooks = (sp_hooks){.ud = s, .on_despawn = on_despawn, .update = on_update};
  *s = (server){.manager = sp_open(&options, NULL)};
  s->sessions = s->manager ? sp_pool_open(s->manager, &desc, NULL) : NULL;
  return s->sessions != NULL;
}

/* The number of a new session, or 0: the server is full, try again later. */
static sp_ref server_greet(server *s, uint32_t client)
{
  sp_ref number;
  session *it = sp_alloc_cell(s->sessions, TIMEOUT, SESSION, &number, NULL);
  if (it)
    it->client = client;
  else
    s->full++;
  return number;
}

/* The session that a packet is for, or NULL. Its number comes from outside: it may be anything, and it is no secret. */
static session *server_find(server *s, const packet *p)
{
  bool live = sp_is_live(s->manager, p->number);
  session *it = live ? sp_cell(s->manager, p->number, SESSION) : NULL;
  if (it && it->client == p->client)
    return it;
  if (!live && sp_pool_of(s->manager, p->number))
    s->late++;
  else
    s->forged++; /* of another client, or of nobody ever */
  return NULL;
}

/* False when there is no such session. */
static bool server_hear(server *s, const packet *p)
{
  session *it = server_find(s, p);
  if (!it)
    return false;
  if (p->kind == BYE) {
    sp_recycle(s->manager, p->number);
  } else if (it->credit == 0) {
    s->throttled++; /* and its timeout goes on */
  } else {
    it->credit--;
    it->bytes += p->size;
    s->served++;
    sp_set_remaining(s->manager, p->number, TIMEOUT);
  }
  return true;
}

/* }== */

/* {== The network ======================================================== */

typedef struct network {
  packet packets[LONGEST_WAY][CLIENTS]; /* by the tick in which they arrive; a client sends one per tick at most */
  uint32_t counts[LONGEST_WAY];
  sp_ref numbers[CLIENTS]; /* what the server told each client */
  uint64_t random;
} network;

static uint32_t below(network *net, uint32_t n)
{
  net->random = net->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(net->random >> 33) % n;
}

static void act(network *net, uint32_t client, uint32_t tick)
{
  uint32_t mood = below(net, 10000), arrival = (tick + 1 + client % (LONGEST_WAY - 1)) % LONGEST_WAY;
  packet p = {DATA, client, 1 + below(net, 1400), net->numbers[client]};
  if (mood == 0)
    p.number = net->random; /* a guess */
  else if (!p.number)
    p.kind = HELLO;
  else if (mood < 20)
    p.kind = BYE;
  if (mood >= 500)
    return;
  if (p.kind == BYE)
    net->numbers[client] = 0;
  net->packets[arrival][net->counts[arrival]++] = p;
}

static void deliver(network *net, server *s, uint32_t tick)
{
  uint32_t now = tick % LONGEST_WAY;
  for (const packet *p = net->packets[now], *end = p + net->counts[now]; p < end; p++)
    if (p->kind == HELLO && !net->numbers[p->client])
      net->numbers[p->client] = server_greet(s, p->client);
    else if (p->kind != HELLO && !server_hear(s, p) && p->number == net->numbers[p->client])
      net->numbers[p->client] = 0; /* it says hello again */
  net->counts[now] = 0;
}

/* }== */

int main(void)
{
  server s;
  network *net = calloc(1, sizeof *net);
  bool opened = server_open(&s) && net;
  for (uint32_t tick = 0; opened && tick < SECONDS * TICKS_A_SECOND; tick++) {
    deliver(net, &s, tick);
    for (uint32_t client = 0; client < CLIENTS; client++)
      act(net, client, tick);
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
  free(net);
  return sp_close(s.manager) == SP_OK && opened ? 0 : 1;
}
