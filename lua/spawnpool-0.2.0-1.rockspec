-- The Lua module as a rock: `luarocks make lua/spawnpool-0.2.0-1.rockspec` in the folder of the sources. Its Makefile
-- builds and installs; what comes from luarocks is where Lua is and where things go.
rockspec_format = "3.0"
package = "spawnpool"
version = "0.2.0-1"
source = { url = "spawnpool-0.2.0.tar.gz", dir = "spawnpool-0.2.0" } -- as `make dist` makes it, in the current folder
description = {
  summary = "Object pools for games and servers, with classes in Lua that reload while the game runs",
  detailed = [[
    Hands out and takes back game objects with no garbage and no stale references: limits and what happens at them,
    lifetimes, timers, parents, bulk motion and queries. Classes in plain Lua tables override alloc and recycle, and
    run anew when their file is saved.]],
  license = "MIT",
  labels = { "games", "pool" },
}
supported_platforms = { "unix" }
dependencies = { "lua >= 5.4, < 5.5" }
build = {
  type = "make",
  build_target = "module",
  install_target = "install-module",
  -- The -O2 of luarocks would undo the -O3: it goes where it does nothing.
  build_variables = { LUA_CFLAGS = "-I$(LUA_INCDIR)", ROCK_CFLAGS = "$(CFLAGS)" },
  install_variables = { LUA_CDIR = "$(LIBDIR)", LUA_DIR = "$(LUADIR)", LUA_CFLAGS = "-I$(LUA_INCDIR)" },
}
