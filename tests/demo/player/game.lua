-- Games of a few lines: when callbacks come, what errors say, what the same seed repeats.

test("callbacks come in order", {
  main = [[local game = {}
    function game.load(args) print('load', #args, args[1], args[2]) end
    function game.update(dt) print('update', dt == 1 / 60) end
    function game.draw(g) print('draw', g.width, g.height) end
    function game.quit() print('quit') end
    return game]],
  args = "--frames 2 --size 320x200", rest = "hard --size",
  out = "load\t2\thard\t--size\nupdate\ttrue\ndraw\t320\t200\nupdate\ttrue\ndraw\t320\t200\n",
})

test("a file is a game too",
  { files = { ["tiny.lua"] = "print('tiny') return {}" }, game = "game/tiny.lua", out = "tiny\n" })

test("the same seed is the same game", function()
  local function random(args)
    return run { main = "return { update = function() print(math.random(1 << 30)) end }", args = args }.out
  end
  local first <const>, seventh <const> = random "", random "--seed 7"
  equal(random "", first)
  equal(random "--seed=7", seventh)
  expect(first ~= seventh)
end)

test("trust opens the libraries", {
  { main = "print(io.open ~= nil, os.execute ~= nil) return {}", args = "--frames 1", out = "false\tfalse\n" },
  { args = "--frames 1 --trust", out = "true\ttrue\n" },
})

test("statistics have the output to themselves", { main = "print 'played' return {}", args = "--frames 1 --stats -",
  out = { '{"frame":1,' }, err = "played\n" })

test("an interrupt ends it in good order", function()
  player.run_meanwhile { meanwhile = "await ready; kill -INT $p", out = "ready\nbye\n",
    main = "return { load = function() print('ready') end, quit = function() print('bye') return true end }" }
end)

test("script errors exit with 1", function()
  run { status = 1,
    { main = "local x = = 1", err = { "main.lua:1:" } },
    { main = "return 5", err = { "callbacks" } },
    { main = "return { load = function() local t = nil; t.x = 1 end }", err = { "main.lua:1:" } },
    { main = [[local n = 0
        return { update = function() n = n + 1 print(n) if n == 3 then error('third') end end,
        draw = function() print('draw') end }]],
      out = "1\ndraw\n2\ndraw\n3\n", err = { "main.lua:2: third" } },
    { main = "local t = {} return { update = function() for i = 1, 1e5 do t[#t + 1] = { i } end end }",
      args = "--frames 100 --memory 8", err = { "memory" } },
  }
end)

-- What runs instead is said where the game is waited for, once and not in every frame.
test("a script that has stopped says what runs instead", {
  { main = "return { update = function() error 'boom' end }", args = "--realtime --frames 3", status = 1,
    err = { "\n  The script is stopped until you save a fix; the last good frame stays.\n" }, err_lines = 4 },
  { args = "--frames 3", status = 1, err_lines = 3 },
})

-- Every frame makes tables and counts how many of them are there at its end, because the collector clears weak entries.
-- Prints whether it has cleared any, and whether the heap has stayed small.
local LITTER <const> = [[local spawnpool = require 'spawnpool'
  local frames, lost, most, first, count = 0, 0, 0, collectgarbage 'count', nil
  return {
    load = function(args) spawnpool.gc_budget, count = tonumber(args[1]), tonumber(args[2]) end,
    update = function()
      local made, left = setmetatable({}, { __mode = 'v' }), 0
      for i = 1, count do made[i] = { i } end
      for _ in pairs(made) do left = left + 1 end
      lost, frames, most = lost + count - left, frames + 1, math.max(most, collectgarbage 'count' - first)
      spawnpool.pools.time_scale = 1 + lost % 2
      if frames == 300 then print(lost > 0, most < 16384) end
    end,
  }]]

test("a budget for the collector keeps it out of frames, and the heap small when it is too small", {
  { main = LITTER, args = "--frames 300", rest = "0 2000", out = "true\ttrue\n" },
  { args = "--frames 300", rest = "1000000 2000", out = "false\ttrue\n" },
  { args = "--frames 300", rest = "1e-3 20000", out = "true\ttrue\n" },
})

test("a budget leaves a recording as it is", { main = LITTER, out = "1\n",
  sh = [[spawnpool --headless --frames 300 --record-input in game -- 50 2000 >told;
    spawnpool --headless --replay in game 2>&1 >told | grep -c 'all as recorded']] })

test("a budget that is none is an error", { args = "--frames 1", status = 1,
  { main = "require('spawnpool').gc_budget = -1 return {}", err = {
    "game/main.lua:1: spawnpool.gc_budget must be a number of microseconds from 0 to 1000000, got -1\n" } },
  { main = "require('spawnpool').gc_budget = '3' return {}", err = { "got '3'\n" } },
})
