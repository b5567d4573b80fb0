/*
** A renderer of one's own, in C with SDL and no Lua. The pool moves, fades and recycles twenty thousand sparks; the
** program reads their columns where they lie, a chunk at a time, and gives each chunk to SDL in one call.
**
**   renderer [FRAMES [FILE.bmp]]      so many frames, and the last one as a picture; else until the window is closed
*/
#include <SDL.h>
#include <spawnpool.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 960
#define HEIGHT 540
#define SPARKS_A_FRAME 100
#define LIFETIME 3.5
#define GLOW 32 /* points of the texture, each way */

typedef struct show {
  sp_manager *manager;
  sp_pool *sparks;
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *glow;
  uint64_t random;
} show;

/* {== The sparks ========================================================= */

static float between(show *s, float low, float high)
{
  s->random = s->random * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (float)(s->random >> 40) / (float)(1 << 24);
}

/* From white to gold to red to nothing, and smaller all the time. */
static const sp_curve cooling[] = {
    {.column = SP_LOOK, .offset = offsetof(sp_look, g), .count = 4, .points = {1, 0.75f, 0.35f, 0.1f}},
    {.column = SP_LOOK, .offset = offsetof(sp_look, b), .count = 4, .points = {0.9f, 0.25f, 0.1f, 0.3f}},
    {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {0.5f, 0.6f, 0}},
    {.column = SP_LOOK, .offset = offsetof(sp_look, scale), .count = 2, .points = {1, 0.4f}},
};

static bool open_sparks(show *s)
{
  sp_pool_desc desc = {.type = "Spark", .spatial = true, .look = SP_DEFAULT_LOOK};
  desc.settings.prealloc = 32768;
  desc.look.radius = 4;
  desc.motion = (sp_motion){.gravity = 160, .drag = 0.25f};
  desc.bounds = (sp_bounds){0, -2 * HEIGHT, WIDTH, 3 * HEIGHT - 8, SP_OUTSIDE_BOUNCE};
  desc.curves = cooling;
  desc.curve_count = sizeof cooling / sizeof *cooling;
  s->manager = sp_open(NULL, NULL);
  s->sparks = s->manager ? sp_add_pool(s->manager, &desc, NULL) : NULL;
  return s->sparks != NULL;
}

/* Three fountains, each a little to one side and back again. */
static void spawn(show *s)
{
  float time = (float)sp_time(s->manager);
  for (int i = 0; i < SPARKS_A_FRAME; i++) {
    int fountain = i % 3;
    sp_place place = {WIDTH * (float)(fountain + 1) / 4, HEIGHT - 10, 0};
    sp_ref spark = sp_pool_alloc_at(s->sparks, LIFETIME, &place, NULL);
    float *vx = sp_cell(s->manager, spark, SP_VX), *vy = sp_cell(s->manager, spark, SP_VY);
    if (!vx || !vy)
      return; /* no memory: fewer sparks */
    float lean = 0.3f * SDL_sinf(time * 1.3f + (float)fountain * 2), speed = between(s, 200, 430);
    float angle = lean + between(s, -0.12f, 0.12f) + between(s, -0.12f, 0.12f);
    *vx = speed * SDL_sinf(angle);
    *vy = -speed * SDL_cosf(angle);
  }
}

/* }== */

/* {== The picture ======================================================== */

static bool open_window(show *s)
{
  SDL_Surface *disc = SDL_CreateRGBSurfaceWithFormat(0, GLOW, GLOW, 32, SDL_PIXELFORMAT_RGBA32);
  s->window = SDL_CreateWindow("sparks", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
  s->renderer = s->window ? SDL_CreateRenderer(s->window, -1, SDL_RENDERER_PRESENTVSYNC) : NULL;
  for (int i = 0; disc && i < GLOW * GLOW; i++) {
    int column = i % GLOW, row = i / GLOW;
    float x = ((float)column + 0.5f) * 2 / GLOW - 1, y = ((float)row + 0.5f) * 2 / GLOW - 1;
    float light = SDL_max(0, 1 - SDL_sqrtf(x * x + y * y));
    Uint8 *pixel = (Uint8 *)disc->pixels + row * disc->pitch + column * 4;
    pixel[0] = pixel[1] = pixel[2] = 255;
    pixel[3] = (Uint8)(255 * light * light);
  }
  s->glow = s->renderer && disc ? SDL_CreateTextureFromSurface(s->renderer, disc) : NULL;
  SDL_FreeSurface(disc);
  return s->glow && SDL_SetTextureBlendMode(s->glow, SDL_BLENDMODE_ADD) == 0;
}

static Uint8 channel(float c) { return (Uint8)(255 * SDL_clamp(c, 0, 1)); }

/* Four corners in the colour of the spark. */
static void fill_quad(SDL_Vertex *v, float x, float y, const sp_look *look)
{
  const SDL_Color color = {channel(look->r), channel(look->g), channel(look->b), channel(look->a)};
  const float reach = look->radius * look->scale;
  for (int i = 0; i < 4; i++) {
    float right = (float)(i & 1), low = (float)(i >> 1);
    v[i] = (SDL_Vertex){{x + (2 * right - 1) * reach, y + (2 * low - 1) * reach}, color, {right, low}};
  }
}

static void draw(show *s)
{
  static const int corners[6] = {0, 1, 2, 2, 1, 3};
  SDL_Vertex vertices[SP_CHUNK_SLOTS * 4];
  int indices[SP_CHUNK_SLOTS * 6];
  for (int i = 0; i < SP_CHUNK_SLOTS * 6; i++)
    indices[i] = i / 6 * 4 + corners[i % 6];
  SDL_SetRenderDrawColor(s->renderer, 8, 8, 20, 255);
  SDL_RenderClear(s->renderer);
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(s->sparks); chunk++) {
    const uint64_t *live = sp_pool_live_bits(s->sparks, chunk);
    const float *x = sp_pool_peek(s->sparks, chunk, SP_X), *y = sp_pool_peek(s->sparks, chunk, SP_Y);
    const sp_look *look = sp_pool_peek(s->sparks, chunk, SP_LOOK);
    int quads = 0;
    for (int slot = 0; slot < SP_CHUNK_SLOTS; slot++)
      if (live[slot / 64] >> slot % 64 & 1)
        fill_quad(&vertices[4 * quads++], x[slot], y[slot], &look[slot]);
    if (quads > 0)
      SDL_RenderGeometry(s->renderer, s->glow, vertices, 4 * quads, indices, 6 * quads);
  }
}

static bool save(show *s, const char *path)
{
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
  bool saved = picture &&
               SDL_RenderReadPixels(s->renderer, NULL, picture->format->format, picture->pixels, picture->pitch) == 0 &&
               SDL_SaveBMP(picture, path) == 0;
  SDL_FreeSurface(picture);
  return saved;
}

/* }== */

static bool is_closed(void)
{
  bool closed = false;
  for (SDL_Event event; SDL_PollEvent(&event);)
    closed |= event.type == SDL_QUIT;
  return closed;
}

int main(int argc, char **argv)
{
  show s = {.random = 1};
  int frames = argc > 1 ? atoi(argv[1]) : -1;
  bool fine = SDL_Init(SDL_INIT_VIDEO) == 0 && open_window(&s) && open_sparks(&s);
  for (int frame = 0; fine && frame != frames && !is_closed(); frame++) {
    spawn(&s);
    sp_update(s.manager, 1.0 / 60);
    draw(&s);
    if (frame + 1 == frames && argc > 2) /* before it is shown: what is read back then is undefined */
      fine = save(&s, argv[2]);
    SDL_RenderPresent(s.renderer);
  }
  if (!fine)
    fprintf(stderr, "renderer: %s\n", SDL_GetError());
  else
    printf("%u sparks\n", sp_pool_live(s.sparks));
  sp_close(s.manager);
  SDL_DestroyTexture(s.glow);
  SDL_DestroyRenderer(s.renderer);
  SDL_DestroyWindow(s.window);
  SDL_Quit();
  return fine ? 0 : 1;
}
