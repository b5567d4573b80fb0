-- A game that nobody would write (tests/fuzz/hostile): every function of the tables of what a game can reach, at
-- random, with values of every kind. It plays to its end; and played again from its recorded input it is the same game.
-- Then what takes for ever.
local host <const> = require "host"
local player <const> = require "player"

local FIRST <const> = tonumber(os.getenv "SP_HOSTILE_SEED") or 1
local UNSEEN <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=dummy "
local DATA <const> = 'export XDG_DATA_HOME="$PWD/data"; '

-- The rows of the tables are a module of the game.
local MAKE <const> = [[cp "$SP_ROOT"/tests/fuzz/hostile/*.lua game && (echo 'return {'; cd "$SP_ROOT" &&
  sed -nE 's/^ *X\((\w+), (\w+), (\w+, )?("[^"]*")\).*/{ "\1", "\2", \4 },/p' src/script/bind/members.h \
  demo/bind/reachable.h; echo '}') >game/rows.lua]]

-- Runs a command line; %d is the seed. Exit status 1 says that a timer or a coroutine of the game has failed: it is
-- made to.
local function play(command, seed)
  local got <const> = player.run { err = false, sh = DATA .. command:format(seed) .. " || test $? = 1" }
  for _, word in ipairs { "Sanitizer", "careless" } do
    local at <const> = (got.out .. got.err):find(word, 1, true)
    player.expect(not at, "seed %d: %s", seed, (got.out .. got.err):sub(at or 1):sub(1, 2000))
  end
  return got.out .. got.err
end

-- For each of so many seeds, in a folder of its own.
local function test(name, seeds, fn)
  for seed = FIRST, FIRST + seeds - 1 do player.test(("%s, %d"):format(name, seed), function() fn(seed) end) end
end

test("a game with any values plays to its end and plays again", 6, function(seed)
  player.sh(MAKE)
  local frames <const> = host.tool ~= "" and 60 or 150
  play(("spawnpool --headless --frames %d --seed %%d --record-input in game"):format(frames), seed)
  local said <const> = play("rm -rf data && spawnpool --headless --replay in game", seed)
  player.expect(said:find("all as recorded", 1, true), "seed %d: the replay differs", seed)
end)

-- It is stopped, or refused memory, at any place.
test("a game without memory plays to its end", 3, function(seed)
  player.sh(MAKE)
  play(("spawnpool --headless --memory %d --frames 60 --seed %%d game"):format(2 + seed), seed)
end)

test("the module survives it too", 3, function(seed)
  if host.tool ~= "" then return end -- the interpreter is not instrumented
  player.sh(MAKE)
  local said <const> = play("LUA_CPATH=$SP_BUILD/?.so lua5.4 game/module.lua game %d 60", seed)
  player.expect(said:find("played to its end", 1, true), said)
end)

-- In the software renderer, which once read what lay beside the picture. valgrind cannot deliver a signal at the very
-- moment when the stack grows: so it grows at first, and what ends there is tried again.
local GROW <const> = [[local function f(n) if n > 0 then ("x"):gsub("x", function() f(n - 1) end) end end f(150)]]

test("pictures of any size and place are drawn, and read no memory that is not theirs", 4, function(seed)
  player.sh(MAKE)
  play(UNSEEN .. "spawnpool --frames 60 --seed %d game", seed)
  if seed > FIRST or host.tool ~= "" or not player.can("command -v valgrind", "no valgrind") then return end
  player.sh(([[for i in 1 2 3 4; do %s%svalgrind -q --error-exitcode=9 --log-file=said $SP_BUILD/spawnpool \
    --exec '%s' --frames 20 --seed %d game >/dev/null 2>&1; code=$?
    [ $code = 139 ] || break; done; cat said; test $code -le 1]]):format(DATA, UNSEEN, GROW, seed))
end)

-- {== What takes for ever =======================================================

-- Lua takes time for these that grows with the square of their number.
player.test("compiling for ever is stopped", {
  main = "local x = 1\nif x == 0 then\n" .. ("elseif x then\n"):rep(290000) .. "end\nreturn {}\n",
  status = 1, err = { "compiling was stopped after 5 s: split it" },
})

player.test("a source file of five megabytes is refused", {
  main = ("--xx\n"):rep(1000000), status = 1, err = { "main.lua: a source file has up to 4 MiB" },
})

-- Each of them ended the player. `load` has five times the patience of a frame: a busy machine takes two seconds.
player.test("what is large is saved or refused at once", {
  main = [=[
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
spawnpool.class("T", { fields = { bag = spawnpool.any() } })
local bag <const>, keys <const>, refs <const> = {}, {}, {}
for i = 1, 2e6 do bag[i] = {} end
pools:alloc("T").bag = bag
for i = 1, 3e5 do keys[bag[i]] = 1 end
for i = 1, 5e4 do refs[i] = keys end
return { load = function() print(spawnpool.storage.save("x", refs)) print(#pools:save() > 3e7) end }]=],
  env = 'XDG_DATA_HOME="$PWD/data"', args = "--frames 1",
  out = "false\tx[1][table] is a key that is a table\ntrue\n", err = { "storage.save" },
})

player.test("a function in C that does not come back ends the player and its recording", {
  main = "local n = 0\nreturn { update = function()\nn = n + 1\nif n == 2 then (''):rep(1 << 62) end end }\n",
  sh = "spawnpool --headless --trust --frames 5 --record-input in game; echo ended $?; tail -n 2 in",
  err = { "main.lua:4: 'rep' did not come back within 10 s of computing, since frame 2", "the player ends\n" },
  out = { 'ended 1\n{"kind":"error","frame":2,', 'computing"}\n{"kind":"end","frame":2}\n' },
})

-- }==
