/*
** A program that has a Lua state already. The rules are Lua, and allocate; the program draws all objects from C, by
** columns, and has a function that takes an object from Lua.
**
**   own_state [FRAMES]      without FRAMES runs until the window is closed
*/
#include <SDL.h>
#include <lauxlib.h>
#include <lualib.h>
#include <spawnpool_script.h>
#include <stdio.h>
#include <stdlib.h>

static const char rules[] = "local spawnpool = require 'spawnpool'\n"
                            "local pools = spawnpool.pools\n"
                            "spawnpool.class('Drop', { radius = 3, motion = { gravity = 300 }, r = 0.4, g = 0.7,\n"
                            "  bounds = { x = 0, y = 0, w = 640, h = 360, outside = 'bounce' } })\n"
                            "function step(dt)\n"
                            "  for _ = 1, 20 do\n"
                            "    local drop = pools:alloc('Drop', 4, math.random(0, 640), 4)\n"
                            "    drop.vx = math.random(-60, 60)\n"
                            "    if math.random(10) == 1 then highlight(drop, 2) end\n"
                            "  end\n"
                            "  pools:update(dt)\n"
                            "end\n"
                            "return pools\n";

/* highlight(object, scale): a function of the program. */
static int highlight(lua_State *L)
{
  sp_manager *manager = sp_lua_manager(L, lua_upvalueindex(1));
  const char *problem = sp_lua_problem(L, 1);
  float scale = (float)luaL_checknumber(L, 2);
  if (!manager || problem)
    return luaL_argerror(L, 1, problem ? problem : "the pools are closed");
  sp_look *look = sp_object_cell(manager, sp_lua_ref(L, 1), SP_LOOK);
  look->scale = scale;
  look->r = look->g = look->b = 1;
  return 0;
}

static void draw_pool(SDL_Renderer *renderer, const sp_pool *pool)
{
  uint64_t live;
  for (uint32_t chunk = 0; sp_pool_live_bits(pool, chunk, &live); chunk++) {
    const float *x = sp_pool_peek_column(pool, chunk, SP_X), *y = sp_pool_peek_column(pool, chunk, SP_Y);
    const sp_look *looks = sp_pool_peek_column(pool, chunk, SP_LOOK);
    for (int slot = 0; x && slot < SP_CHUNK_SLOTS; slot++) {
      const sp_look *look = &looks[slot];
      const float reach = look->radius * look->scale;
      const SDL_FRect square = {x[slot] - reach, y[slot] - reach, 2 * reach, 2 * reach};
      if (!(live >> slot & 1))
        continue;
      SDL_SetRenderDrawColor(renderer, (Uint8)(255 * look->r), (Uint8)(255 * look->g), (Uint8)(255 * look->b), 255);
      SDL_RenderFillRectF(renderer, &square);
    }
  }
}

/* The manager is asked for in each frame: Lua may have closed it. */
static void draw(SDL_Renderer *renderer, const sp_manager *manager)
{
  SDL_SetRenderDrawColor(renderer, 8, 8, 20, 255);
  SDL_RenderClear(renderer);
  for (sp_pool *pool = NULL; manager && (pool = sp_manager_next_pool(manager, pool)) != NULL;)
    draw_pool(renderer, pool);
  SDL_RenderPresent(renderer);
}

/* The value of `rules` is on top of the stack, and is an upvalue of the function. False after an error, which is on
   top. */
static bool load_rules(lua_State *L)
{
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  lua_getfield(L, -1, "pools");
  lua_pushcclosure(L, highlight, 1);
  lua_setglobal(L, "highlight");
  lua_settop(L, 0);
  return luaL_dostring(L, rules) == LUA_OK;
}

static bool step(lua_State *L, double seconds)
{
  lua_getglobal(L, "step");
  lua_pushnumber(L, seconds);
  return lua_pcall(L, 1, 0, 0) == LUA_OK;
}

int main(int argc, char **argv)
{
  SDL_Window *window = NULL;
  SDL_Renderer *renderer = NULL;
  lua_State *L = luaL_newstate();
  int frames = argc > 1 ? atoi(argv[1]) : -1;
  bool fine = L && SDL_Init(SDL_INIT_VIDEO) == 0 && SDL_CreateWindowAndRenderer(640, 360, 0, &window, &renderer) == 0;
  if (!fine)
    fprintf(stderr, "own_state: %s\n", L ? SDL_GetError() : "not enough memory");
  bool runs = fine && load_rules(L);
  for (int frame = 0; runs && frame != frames && !SDL_QuitRequested(); frame++) {
    runs = step(L, 1.0 / 60);
    draw(renderer, runs ? sp_lua_manager(L, 1) : NULL);
    SDL_Delay(frames < 0 ? 16 : 0);
  }
  if (fine && !runs)
    fprintf(stderr, "own_state: %s\n", lua_tostring(L, -1));
  if (L)
    lua_close(L);
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return runs ? 0 : 1;
}
