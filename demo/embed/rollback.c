/*
** Rollback: two players far from each other, each with a whole game of its own, and inputs that arrive late. A game
** does not wait for the other player's input: it guesses that nothing has changed, and plays on. When the real input
** comes and differs, the game goes back to the snapshot before it, and plays the frames since then again, all within
** one frame. In the end both games have the same hash as a game that knew all inputs in time.
*/
#include <spawnpool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAYERS = 2, FRAMES = 600, LATEST = 7, WINDOW = LATEST + 2 };
enum { LEFT = 1, RIGHT = 2, FIRE = 4 };
#define STEP (1.0 / 64)

/* {== The game: all that it knows is in its manager ====================== */

static bool shot_spawns(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  (void)ud, (void)fresh;
  *(float *)sp_cell(sp_pool_manager(pool), object, SP_VY) = -300;
  return true;
}

/* Managers with the same options and pools can restore each other's snapshots, and have the same hash when they are in
   the same state. */
static sp_manager *open_game(void)
{
  sp_options options = {.step = STEP};
  sp_manager *game = sp_open(&options, NULL);
  sp_pool_desc ship = {.type = "Ship", .spatial = true};
  sp_pool_desc shot = {.type = "Shot", .spatial = true, .hooks = {.on_spawn = shot_spawns}};
  ship.bounds = (sp_bounds){0, -1000, 800, 2000, SP_OUTSIDE_CLAMP};
  shot.settings.limit = 64;
  if (!game || !sp_add_pool(game, &ship, NULL) || !sp_add_pool(game, &shot, NULL))
    exit(1);
  for (int i = 0; i < PLAYERS; i++)
    sp_pool_alloc_at(sp_find_pool(game, "Ship"), 0, &(sp_place){200.0f + 400.0f * (float)i, 500, 0}, NULL);
  return game;
}

/* One frame, from the inputs of both players. Ships are walked in the order of their slots: player 0 comes first. */
static void play_frame(sp_manager *game, const unsigned char inputs[PLAYERS])
{
  sp_walk walk = sp_pool_walk(sp_find_pool(game, "Ship"));
  sp_pool *shots = sp_find_pool(game, "Shot");
  for (int i = 0; i < PLAYERS; i++) {
    sp_ref ship = sp_walk_next(&walk);
    const float *x = sp_peek(game, ship, SP_X);
    float *vx = sp_cell(game, ship, SP_VX);
    *vx = (float)(!!(inputs[i] & RIGHT) - !!(inputs[i] & LEFT)) * 250;
    if (inputs[i] & FIRE)
      sp_pool_alloc_at(shots, 1.5, &(sp_place){*x, 480, 0}, NULL);
  }
  sp_update(game, STEP);
}

/* }== */

/* {== One peer =========================================================== */

typedef struct peer {
  int me;
  sp_manager *game;
  sp_snapshot *before[WINDOW];          /* the state before each of the last frames */
  unsigned char used[FRAMES][PLAYERS];  /* what each frame was played with */
  unsigned char known[FRAMES][PLAYERS]; /* what has arrived */
  bool has_arrived[FRAMES][PLAYERS];
  int frame, rollbacks, again;
} peer;

/* The inputs of a frame as far as they are known; for the rest, what that player did last. */
static void guess(const peer *s, int frame, unsigned char inputs[PLAYERS])
{
  for (int player = 0; player < PLAYERS; player++) {
    int last = frame;
    while (last > 0 && !s->has_arrived[last][player])
      last--;
    inputs[player] = s->has_arrived[last][player] ? s->known[last][player] : 0;
  }
}

static void advance(peer *s, int frame)
{
  sp_snapshot **before = &s->before[frame % WINDOW];
  *before = sp_snapshot_take(s->game, *before, NULL); /* into the same memory, once the first ones are there */
  if (!*before)
    exit(1);
  guess(s, frame, s->used[frame]);
  play_frame(s->game, s->used[frame]);
}

/* Plays again from the first frame that was played with something else than what is known now. */
static void correct(peer *s)
{
  for (int frame = s->frame > LATEST ? s->frame - LATEST - 1 : 0; frame < s->frame; frame++) {
    unsigned char now[PLAYERS];
    guess(s, frame, now);
    bool was_right = now[0] == s->used[frame][0] && now[1] == s->used[frame][1];
    if (was_right)
      continue;
    if (sp_snapshot_restore(s->game, s->before[frame % WINDOW]) != SP_OK)
      exit(1);
    s->rollbacks++;
    for (; frame < s->frame; frame++, s->again++)
      advance(s, frame);
  }
}

/* }== */

/* {== The network, which is played too =================================== */

static unsigned below(uint64_t *random, unsigned n)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*random >> 33) % n;
}

/* What each player presses, and by how many frames each input is late for the other one. */
static void draw_inputs(unsigned char inputs[FRAMES][PLAYERS], int late[FRAMES][PLAYERS])
{
  uint64_t random = 1;
  for (int frame = 0; frame < FRAMES; frame++)
    for (int i = 0; i < PLAYERS; i++) {
      bool same = frame > 0 && below(&random, 10) > 0;
      inputs[frame][i] = same ? inputs[frame - 1][i] & (LEFT | RIGHT) : (unsigned char)below(&random, 4);
      inputs[frame][i] |= below(&random, 12) == 0 ? FIRE : 0;
      late[frame][i] = 1 + (int)below(&random, LATEST);
    }
}

/* What has arrived at peer `s` when it plays frame `now`: its own inputs at once. */
static void receive(peer *s, int now, unsigned char inputs[FRAMES][PLAYERS], int late[FRAMES][PLAYERS])
{
  for (int frame = now > LATEST ? now - LATEST : 0; frame <= now && frame < FRAMES; frame++)
    for (int i = 0; i < PLAYERS; i++)
      if (i == s->me || frame + late[frame][i] <= now) {
        s->known[frame][i] = inputs[frame][i];
        s->has_arrived[frame][i] = true;
      }
}

/* }== */

int main(void)
{
  static unsigned char inputs[FRAMES][PLAYERS];
  static int late[FRAMES][PLAYERS];
  static peer peers[PLAYERS];
  draw_inputs(inputs, late);
  for (int i = 0; i < PLAYERS; i++)
    peers[i] = (peer){.me = i, .game = open_game()};
  /* Some frames more, without new input: the last inputs still arrive. */
  for (int now = 0; now < FRAMES + LATEST; now++)
    for (int i = 0; i < PLAYERS; i++) {
      peer *s = &peers[i];
      receive(s, now, inputs, late);
      correct(s);
      if (now < FRAMES)
        advance(s, s->frame++);
    }
  sp_manager *known = open_game();
  for (int frame = 0; frame < FRAMES; frame++)
    play_frame(known, inputs[frame]);
  bool same = true;
  for (int i = 0; i < PLAYERS; i++) {
    peer *s = &peers[i];
    same = same && sp_hash(s->game) == sp_hash(known);
    printf("player %d: %d rollbacks, %d frames played again, %u shots in the air, hash %016llx\n", i, s->rollbacks,
           s->again, sp_pool_live(sp_find_pool(s->game, "Shot")), (unsigned long long)sp_hash(s->game));
    for (int k = 0; k < WINDOW; k++)
      sp_snapshot_free(s->before[k]);
    sp_close(s->game);
  }
  printf("%s\n", same ? "both are where they would be without any delay" : "they differ");
  sp_close(known);
  return same ? 0 : 1;
}
