/*
** While a game is played, the gallery's window is hidden rather than closed, which keeps its pictures and the choice.
*/
#include "demo/app/gallery_command.h"

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app_process.h"
#include "demo/app/bundled_games.h"
#include "demo/draw/picture.h"
#include "demo/ui/gallery.h"
#include "script/state/platform.h"

#define WIDTH 960
#define HEIGHT 700
#define PICTURE "thumbnail.png"
#define PICTURE_MOST (256 << 10) /* bytes of a thumbnail file */
#define LOOK_EACH 20             /* milliseconds, while a game is played */
#define DRAW_EACH 250            /* milliseconds, while nothing happens */

typedef struct hall {
  int argc; /* the program and its options */
  char **argv;
  bundled_games games;
  gallery_card cards[BUNDLED_GAMES_MOST];
  window window;
  sprites *sprites;
  text *text;
  batch batch;
  gallery gallery;
} hall;

/* {== Pictures =========================================================== */

static SDL_Texture *texture_of(SDL_Renderer *renderer, const void *bytes, size_t size)
{
  int w, h;
  uint32_t *pixels = image_load(bytes, size, &w, &h);
  SDL_Texture *texture =
      pixels ? SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, w, h) : NULL;
  if (texture && SDL_UpdateTexture(texture, NULL, pixels, w * 4) != 0) {
    SDL_DestroyTexture(texture);
    texture = NULL;
  }
  if (texture)
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear);
  free(pixels);
  return texture;
}

/* Loads the thumbnail of a game. NULL when it has none, or an unreadable one: its card stays plain. */
static SDL_Texture *load_picture(SDL_Renderer *renderer, const char *folder, const char *game)
{
  char path[BUNDLED_GAMES_PATH + 128];
  char *bytes = malloc(PICTURE_MOST);
  snprintf(path, sizeof path, "%s/%s/" PICTURE, folder, game);
  FILE *file = bytes ? fopen(path, "rb") : NULL;
  size_t size = file ? fread(bytes, 1, PICTURE_MOST, file) : 0;
  SDL_Texture *texture = size > 0 ? texture_of(renderer, bytes, size) : NULL;
  if (file)
    fclose(file);
  free(bytes);
  return texture;
}

static bool load_graphics(hall *h)
{
  h->sprites = sprites_open(&h->window, &(sprites_options){0});
  h->text = text_open(&h->window, false);
  for (int i = 0; i < h->games.count; i++)
    h->cards[i].picture = load_picture(h->window.renderer, h->games.folder, h->games.list[i].name);
  return h->sprites && h->text;
}

static void free_graphics(hall *h)
{
  batch_clear(&h->batch);
  for (int i = 0; i < h->games.count; i++) {
    if (h->cards[i].picture)
      SDL_DestroyTexture(h->cards[i].picture);
    h->cards[i].picture = NULL;
  }
  text_close(h->text);
  sprites_close(h->sprites);
  h->text = NULL;
  h->sprites = NULL;
}

static void show(hall *h)
{
  const window *w = &h->window;
  draw_view view = {(float)w->width, (float)w->height, w->scale, 0, 0, NULL, NULL, NULL};
  graphics g = {.sprites = h->sprites, .text = h->text};
  batch_clear(&h->batch);
  graphics_begin(&g, &h->batch, &view);
  gallery_draw(&h->gallery, &g);
  graphics_end(&g);
  SDL_SetRenderDrawColor(w->renderer, 0, 0, 0, 255);
  SDL_RenderClear(w->renderer);
  batch_play(&h->batch, w->renderer);
  SDL_RenderPresent(w->renderer);
}

/* }== */

/* {== Playing ============================================================ */

/* Waits until the game has ended; passes a request to quit on to it. Returns its exit code. */
static int wait_for(app_process *player, bool *quits)
{
  int code = APP_FINE;
  while (!app_process_has_ended(player, &code)) {
    SDL_Event event;
    while (SDL_PollEvent(&event))
      if (event.type == SDL_QUIT && !*quits) {
        *quits = true;
        app_process_quit(player);
      }
    SDL_Delay(LOOK_EACH);
  }
  return code;
}

/* Starts a game with the gallery's own options, and in full screen if the gallery is. */
static app_process *start(const hall *h, const char *path)
{
  const char *words[APP_PROCESS_WORDS];
  int count = 0;
  for (int i = 1; i < h->argc && count < APP_PROCESS_WORDS - 3; i++)
    if (strcmp(h->argv[i], "--full-screen") != 0)
      words[count++] = h->argv[i];
  if (window_is_full_screen(&h->window))
    words[count++] = "--full-screen";
  words[count++] = path;
  words[count] = NULL;
  return app_process_start(h->argv[0], words);
}

static bool play(hall *h, const char *game)
{
  char path[BUNDLED_GAMES_PATH + 128];
  bool quits = false;
  int code = APP_FINE;
  snprintf(path, sizeof path, "%s/%s", h->games.folder, game);
  app_process *player = start(h, path);
  int refused = player ? 0 : errno;
  h->gallery.line[0] = '\0';
  if (player) {
    SDL_HideWindow(h->window.handle);
    code = wait_for(player, &quits);
    SDL_ShowWindow(h->window.handle);
    SDL_RaiseWindow(h->window.handle);
    SDL_FlushEvents(SDL_KEYDOWN, SDL_LASTEVENT); /* the key that ended the game, too */
    gallery_forget_mouse(&h->gallery);
    window_measure(&h->window);
  }
  if (!player)
    snprintf(h->gallery.line, sizeof h->gallery.line, "%s cannot be played: %s", game, strerror(refused));
  else if (code != APP_FINE)
    snprintf(h->gallery.line, sizeof h->gallery.line, "%s ended with an error, which is in the terminal", game);
  return !quits;
}

/* }== */

/* {== The window ========================================================= */

static bool is_full_screen_key(const SDL_Event *event)
{
  const SDL_Keysym *key = &event->key.keysym;
  return event->type == SDL_KEYDOWN && !event->key.repeat &&
         (key->sym == SDLK_F11 || (key->sym == SDLK_RETURN && (key->mod & KMOD_ALT)));
}

/* Returns false to quit. */
static bool take_event(hall *h, const SDL_Event *event)
{
  if (event->type == SDL_WINDOWEVENT)
    window_measure(&h->window);
  if (event->type == SDL_RENDER_DEVICE_RESET) {
    free_graphics(h);
    return load_graphics(h);
  }
  if (is_full_screen_key(event)) {
    window_toggle_full_screen(&h->window);
    return true;
  }
  gallery_wish wish = gallery_event(&h->gallery, event);
  return wish == GALLERY_PLAY ? play(h, h->games.list[h->gallery.chosen].name) : wish != GALLERY_QUIT;
}

static void run(hall *h, bool full_screen)
{
  SDL_Event event;
  bool stays = true;
  gamepad_start();
  show(h);
  window_show(&h->window);
  if (full_screen)
    window_toggle_full_screen(&h->window);
  while (stays) {
    if (SDL_WaitEventTimeout(&event, DRAW_EACH))
      do
        stays = take_event(h, &event);
      while (stays && SDL_PollEvent(&event));
    if (stays)
      show(h);
  }
}

static int refuse(const char *problem)
{
  fprintf(stderr,
          "spawnpool: no game given: spawnpool [options] PATH [-- args]\n"
          "spawnpool: no gallery of games: %s\n"
          "spawnpool games lists them, spawnpool --help shows the options.\n",
          problem);
  return APP_USAGE;
}

int gallery_command_run(int argc, char **argv, const options *given)
{
  hall h = {.argc = argc, .argv = argv};
  int width = given->sized ? given->width : WIDTH, height = given->sized ? given->height : HEIGHT;
  char problem[512];
  bundled_games_list(&h.games);
  if (h.games.count == 0)
    return refuse("none were installed with this player");
  if (!window_open(&h.window, "spawnpool", width, height, WINDOW_SHOWN, problem, sizeof problem))
    return refuse(problem);
  for (int i = 0; i < h.games.count; i++)
    h.cards[i] = (gallery_card){h.games.list[i].name, h.games.list[i].about, NULL};
  gallery_open(&h.gallery, h.cards, h.games.count);
  bool fine = load_graphics(&h);
  if (fine)
    run(&h, given->full_screen);
  free_graphics(&h);
  batch_free(&h.batch);
  window_close(&h.window);
  return fine ? APP_FINE : refuse("not enough memory to draw");
}

/* }== */
