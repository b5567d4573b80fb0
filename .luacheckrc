std = "lua54"
max_line_length = 120
-- A hook or an override names the arguments it is given, also those that it does not use.
unused_args = false
-- Games know what the sandbox has.
stds.spawnpool = require("lua.spawnpool.luacheck").std
files["scripts"] = { std = "spawnpool" }
files["demo/newgame"] = { std = "spawnpool" }
-- Plans speak the words of tests/demo/player.lua.
files["tests/demo/player"] = { globals = { "host" }, read_globals = { "player", "spec", "ask", "equal", "near", "expect_error",
  "test", "run", "sh", "can", "save", "read", "path", "paint", "push", "press", "frames", "wait",
  "tone", "expect", "expect_pixels", "expect_seen", "expect_unseen", "seen", "await_so", "await_seen",
  "click_on", "picture", "picture_of", "scene", "draw", "try_draw", "wave", "counts_coverage", "tests", "expect_text",
  "expect_drawn", "run_meanwhile", "BLACK", "EMPTY", "RED", "GREEN", "BLUE" } }
-- What runs in LuaJIT, and programs of LÖVE, which are made of its functions.
files["lua/spawnpool/ffi*.lua"] = { std = "luajit" }
files["lua/spawnpool/love.lua"] = { std = "luajit", read_globals = { "love" } }
files["tests/lua/luajit"] = { std = "lua54+luajit", globals = { "warn" } }
files["demo/love"] = { std = "luajit", globals = { "love" } }
files["tests/bench/draw/love"] = { globals = { "love" } }
-- Editor annotations declare what C defines.
files["lua/spawnpool/meta.lua"] = { ignore = { "1", "2" } }
files["lua/spawnpool/reload.d.lua"] = { ignore = { "1", "2" } }
files["lua/spawnpool/player.d.lua"] = { ignore = { "1", "2" } }
files["lua/spawnpool/save.d.lua"] = { ignore = { "1", "2" } }
files["lua/spawnpool/sandbox.d.lua"] = { ignore = { "1", "2" } }
