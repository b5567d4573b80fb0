/*
** A renderer of your own, in C with SDL and without Lua. The pool moves, fades and recycles twenty thousand sparks; the
** program reads their columns in place, a chunk at a time, and draws each chunk with one call of SDL.
**
**   renderer [FRAMES [FILE.bmp]]      saves the last of so many frames; without FRAMES runs until the window is closed
*/
#include <SDL.h>
#include <spawnpool.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 960
#define HEIGHT 540
#define SPARKS_PER_FRAME 100
#define LIFETIME 3.5

/* {== The sparks ========================================================= */

static float between(uint64_t *random, float low, float high)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (float)(*random >> 40) / (float)(1 << 24);
}

/* From white to gold to red to transparent, and ever smaller. */
static const sp_curve cooling[] = {
    {.column = SP_LOOK, .offset = offsetof(sp_look, g), .count = 4, .points = {1, 0.75f, 0.35f, 0.1f}},
    {.column = SP_LOOK, .offset = offsetof(sp_look, b), .count = 4, .points = {0.9f, 0.25f, 0.1f, 0.3f}},
    {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {0.5f, 0.6f, 0}},
    {.column = SP_LOOK, .offset = offsetof(sp_look, scale), .count = 2, .points = {1, 0.5f}},
};

static sp_pool *add_sparks(sp_manager *manager)
{
  sp_pool_desc desc = sp_pool_defaults("Spark");
  desc.spatial = true;
  desc.settings.prealloc = 32768;
  desc.look.radius = 2;
  desc.motion = (sp_motion){.gravity = 160, .drag = 0.25f};
  desc.bounds = (sp_bounds){0, -2 * HEIGHT, WIDTH, 3 * HEIGHT - 8, SP_OUTSIDE_BOUNCE};
  desc.curves = cooling;
  desc.curve_count = sizeof cooling / sizeof *cooling;
  return manager ? sp_manager_add_pool(manager, &desc, NULL) : NULL;
}

/* Three fountains that sway. */
static void spawn(sp_manager *manager, sp_pool *sparks, uint64_t *random)
{
  sp_clock clock;
  sp_manager_clock(manager, &clock);
  float time = (float)clock.time;
  for (int i = 0; i < SPARKS_PER_FRAME; i++) {
    int fountain = i % 3;
    sp_start start = {.x = WIDTH * (float)(fountain + 1) / 4, .y = HEIGHT - 10};
    sp_ref spark = sp_pool_alloc(sparks, LIFETIME, &start, NULL);
    float *vx = sp_object_cell(manager, spark, SP_VX), *vy = sp_object_cell(manager, spark, SP_VY);
    if (!vx || !vy)
      return; /* out of memory: fewer sparks */
    float lean = 0.3f * SDL_sinf(time * 1.3f + (float)fountain * 2), speed = between(random, 200, 430);
    float angle = lean + between(random, -0.12f, 0.12f) + between(random, -0.12f, 0.12f);
    *vx = speed * SDL_sinf(angle);
    *vy = -speed * SDL_cosf(angle);
  }
}

/* }== */

/* {== The picture ======================================================== */

enum { CORNERS = 4, INDICES = 6 }; /* of the two triangles of a spark */

static Uint8 channel(float c) { return (Uint8)(255 * SDL_clamp(c, 0, 1)); }

static void fill_square(SDL_Vertex v[CORNERS], float x, float y, const sp_look *look)
{
  const SDL_Color color = {channel(look->r), channel(look->g), channel(look->b), channel(look->a)};
  float reach = look->radius * look->scale;
  for (int i = 0; i < CORNERS; i++)
    v[i] = (SDL_Vertex){{i & 1 ? x + reach : x - reach, i & 2 ? y + reach : y - reach}, color, {0, 0}};
}

static void draw(SDL_Renderer *renderer, sp_pool *sparks)
{
  static const int corners[INDICES] = {0, 1, 2, 2, 1, 3};
  SDL_Vertex vertices[SP_CHUNK_SLOTS * CORNERS];
  int indices[SP_CHUNK_SLOTS * INDICES];
  for (int i = 0; i < SP_CHUNK_SLOTS * INDICES; i++)
    indices[i] = i / INDICES * CORNERS + corners[i % INDICES];
  SDL_SetRenderDrawColor(renderer, 8, 8, 20, 255);
  SDL_RenderClear(renderer);
  SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_ADD);
  uint64_t live;
  for (uint32_t chunk = 0; sp_pool_live_bits(sparks, chunk, &live); chunk++) {
    const float *x = sp_pool_peek_column(sparks, chunk, SP_X), *y = sp_pool_peek_column(sparks, chunk, SP_Y);
    const sp_look *look = sp_pool_peek_column(sparks, chunk, SP_LOOK);
    int count = 0;
    for (int slot = 0; slot < SP_CHUNK_SLOTS; slot++)
      if (live >> slot & 1)
        fill_square(&vertices[CORNERS * count++], x[slot], y[slot], &look[slot]);
    if (count > 0)
      SDL_RenderGeometry(renderer, NULL, vertices, CORNERS * count, indices, INDICES * count);
  }
}

static bool save(SDL_Renderer *renderer, const char *path)
{
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
  bool saved = picture &&
               SDL_RenderReadPixels(renderer, NULL, picture->format->format, picture->pixels, picture->pitch) == 0 &&
               SDL_SaveBMP(picture, path) == 0;
  SDL_FreeSurface(picture);
  return saved;
}

/* }== */

int main(int argc, char **argv)
{
  SDL_Window *window = NULL;
  SDL_Renderer *renderer = NULL;
  sp_manager *manager = sp_manager_open(NULL, NULL);
  sp_pool *sparks = add_sparks(manager);
  uint64_t random = 1;
  int frames = argc > 1 ? atoi(argv[1]) : -1;
  bool fine =
      sparks && SDL_Init(SDL_INIT_VIDEO) == 0 && SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) == 0;
  if (fine)
    SDL_RenderSetVSync(renderer, 1);
  for (int frame = 0; fine && frame != frames && !SDL_QuitRequested(); frame++) {
    spawn(manager, sparks, &random);
    sp_manager_update(manager, 1.0 / 60);
    draw(renderer, sparks);
    if (frame + 1 == frames && argc > 2) /* what is read back after SDL_RenderPresent is undefined */
      fine = save(renderer, argv[2]);
    SDL_RenderPresent(renderer);
  }
  if (fine)
    printf("%u sparks\n", sp_pool_live(sparks));
  else
    fprintf(stderr, "renderer: %s\n", SDL_GetError());
  sp_manager_close(manager);
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return fine ? 0 : 1;
}
