-- The pools for LuaJIT as a rock: `luarocks --lua-version=5.1 make lua/spawnpool-ffi-0.2.0-1.rockspec` in the folder of
-- the sources. The C library lies beside the Lua file, which looks for it there.
rockspec_format = "3.0"
package = "spawnpool-ffi"
version = "0.2.0-1"
source = { url = "spawnpool-0.2.0.tar.gz", dir = "spawnpool-0.2.0" } -- as `make dist` makes it, in the current folder
description = {
  summary = "Checked object pools for LuaJIT and LÖVE, by FFI",
  detailed = [[
    Hands out and takes back game objects with no garbage and no stale references: an object is a number that names one
    life. Lifetimes, limits, motion, bounds, curves, overlaps and snapshots are done in C; classes are Lua tables.]],
  license = "MIT",
  labels = { "games", "pool", "luajit", "love" },
}
supported_platforms = { "unix" }
dependencies = { "lua == 5.1" }
build = {
  type = "make",
  build_target = "luajit",
  install_target = "install-luajit",
  -- The -O2 of luarocks would undo the -O3: it goes where it does nothing.
  build_variables = { ROCK_CFLAGS = "$(CFLAGS)" },
  install_variables = { LUAJIT_DIR = "$(LUADIR)", LUAJIT_LIBRARY = "$(LUADIR)/spawnpool" },
}
