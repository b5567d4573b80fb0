/*
** Rollback: two players far from each other, each with a whole game of its own. A game does not wait for the other
** player's input: it assumes that the other player goes on as before. When the real input arrives and differs, the game
** restores the snapshot before that frame and plays again up to the present, all within one frame. In the end both
** games have the hash of a game that knew all inputs in time.
*/
#include <spawnpool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAYERS = 2, FRAMES = 600, MAX_DELAY = 7, WINDOW = MAX_DELAY + 2 };
enum { LEFT = 1, RIGHT = 2, FIRE = 4 };
#define STEP (1.0 / 64)

/* {== The game: its manager holds all of its state ======================= */

static bool on_spawn(void *ud, sp_pool *pool, sp_ref shot, bool fresh)
{
  (void)ud, (void)fresh;
  *(float *)sp_object_cell(sp_pool_manager(pool), shot, SP_VY) = -300;
  return true;
}

/* Managers with the same options and pools can restore each other's snapshots, and equal states have equal hashes. */
static sp_manager *open_game(void)
{
  sp_manager_options options = sp_manager_defaults();
  options.step = STEP;
  sp_manager *game = sp_manager_open(&options, NULL);
  sp_pool_desc ship = sp_pool_defaults("Ship"), shot = sp_pool_defaults("Shot");
  ship.spatial = shot.spatial = true;
  ship.bounds = (sp_bounds){0, -1000, 800, 2000, SP_OUTSIDE_CLAMP};
  shot.settings.limit = 64;
  shot.hooks.on_spawn = on_spawn;
  if (!game || !sp_manager_add_pool(game, &ship, NULL) || !sp_manager_add_pool(game, &shot, NULL))
    exit(1);
  for (int i = 0; i < PLAYERS; i++)
    sp_pool_alloc(sp_manager_pool(game, "Ship"), 0, &(sp_start){.x = 200.0f + 400.0f * (float)i, .y = 500}, NULL);
  return game;
}

/* Ships are walked in the order of their slots: that of player 0 comes first. */
static void play_frame(sp_manager *game, const unsigned char inputs[PLAYERS])
{
  sp_walk walk = sp_pool_walk(sp_manager_pool(game, "Ship"));
  for (int i = 0; i < PLAYERS; i++) {
    sp_ref ship = sp_walk_next(&walk);
    *(float *)sp_object_cell(game, ship, SP_VX) = (float)(!!(inputs[i] & RIGHT) - !!(inputs[i] & LEFT)) * 250;
    float x = *(const float *)sp_object_peek(game, ship, SP_X);
    if (inputs[i] & FIRE)
      sp_pool_alloc(sp_manager_pool(game, "Shot"), 1.5, &(sp_start){.x = x, .y = 480}, NULL);
  }
  sp_manager_update(game, STEP);
}

/* }== */

/* {== The network ======================================================== */

typedef struct network {
  unsigned char inputs[FRAMES][PLAYERS];
  int delay[FRAMES][PLAYERS]; /* frames until an input arrives at the other player */
} network;

static unsigned below(uint64_t *random, unsigned n)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*random >> 33) % n;
}

static void draw_inputs(network *net)
{
  uint64_t random = 1;
  for (int frame = 0; frame < FRAMES; frame++)
    for (int i = 0; i < PLAYERS; i++) {
      bool same = frame > 0 && below(&random, 10) > 0;
      unsigned input = same ? net->inputs[frame - 1][i] & (LEFT | RIGHT) : below(&random, 4);
      net->inputs[frame][i] = (unsigned char)(input | (below(&random, 12) == 0 ? FIRE : 0));
      net->delay[frame][i] = 1 + (int)below(&random, MAX_DELAY);
    }
}

/* The inputs of `frame` as player `me` knows them at `now`. Where the other player's has not arrived, the last one that
   has stands for it. */
static void expect_inputs(const network *net, int me, int now, int frame, unsigned char inputs[PLAYERS])
{
  for (int i = 0; i < PLAYERS; i++) {
    int last = frame;
    while (i != me && last >= 0 && last + net->delay[last][i] > now)
      last--;
    inputs[i] = last >= 0 ? net->inputs[last][i] : 0;
  }
}

/* }== */

/* {== One peer =========================================================== */

typedef struct peer {
  int me;
  sp_manager *game;
  sp_snapshot *before[WINDOW];         /* the state before each of the last frames */
  unsigned char used[FRAMES][PLAYERS]; /* the inputs that each frame was played with */
  int rollbacks, replayed;
} peer;

/* Plays the frame `now`, after those before it whose inputs are known better by now. */
static void advance(peer *p, const network *net, int now)
{
  unsigned char inputs[PLAYERS];
  int end = now < FRAMES ? now : FRAMES, first = now > MAX_DELAY ? now - MAX_DELAY : 0;
  for (; first < end; first++) {
    expect_inputs(net, p->me, now, first, inputs);
    if (inputs[0] != p->used[first][0] || inputs[1] != p->used[first][1])
      break;
  }
  if (first < end) {
    if (sp_snapshot_restore(p->game, p->before[first % WINDOW]) != SP_OK)
      exit(1);
    p->rollbacks++;
    p->replayed += end - first;
  }
  for (int frame = first; frame <= now && frame < FRAMES; frame++) {
    sp_snapshot **before = &p->before[frame % WINDOW];
    *before = sp_snapshot_take(p->game, *before, NULL); /* allocates nothing once the first ones are there */
    if (!*before)
      exit(1);
    expect_inputs(net, p->me, now, frame, p->used[frame]);
    play_frame(p->game, p->used[frame]);
  }
}

/* }== */

int main(void)
{
  static network net;
  static peer peers[PLAYERS];
  sp_manager *known = open_game();
  bool same = true;
  draw_inputs(&net);
  for (int frame = 0; frame < FRAMES; frame++)
    play_frame(known, net.inputs[frame]);
  for (int i = 0; i < PLAYERS; i++) {
    peer *p = &peers[i];
    *p = (peer){.me = i, .game = open_game()};
    for (int now = 0; now < FRAMES + MAX_DELAY; now++) /* the last inputs arrive after the last frame */
      advance(p, &net, now);
    same = same && sp_manager_hash(p->game) == sp_manager_hash(known);
    printf("player %d: %d rollbacks, %d frames played again, %u shots in the air, hash %016llx\n", i, p->rollbacks,
           p->replayed, sp_pool_live(sp_manager_pool(p->game, "Shot")), (unsigned long long)sp_manager_hash(p->game));
    for (int k = 0; k < WINDOW; k++)
      sp_snapshot_free(p->before[k]);
    sp_manager_close(p->game);
  }
  printf("%s\n", same ? "both are where they would be without any delay" : "they differ");
  sp_manager_close(known);
  return same ? 0 : 1;
}
