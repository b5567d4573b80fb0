-- Going back in time in a window that records nothing to a file: games, and what the timeline does. All of them play in
-- this process: Windows runs them too. tests/slow/recordings.lua goes back in every game.
local recorded <const> = require "recorded"

-- A timer prints numbers that are made of all objects: they are the same whenever the same moment comes again.
local HASHES <const> = [[pools:every(0.25, function() local n, sum = 0, 0
  for o in pools:each() do n, sum = n + 1, (sum * 31 + o.x * 7 + o.y * 13 + o.age) % 1e9 end
  print(('hash %.4f %d %.17g'):format(pools.time, n, sum)) end)]]

local function count_repeated(out)
  local before <const>, repeated = {}, 0
  for line, moment in out:gmatch "((hash %S+)[^\n]*)\n" do
    equal(line, before[moment] or line)
    repeated = repeated + (before[moment] and 1 or 0)
    before[moment] = line
  end
  return repeated
end

for _, it in ipairs(recorded.games) do
  if it.pad or it.name == "survivors" then
    test(it.name .. " goes on from the past as it did", function()
      local key <const> = it.keys:match "%S+"
      local out <const> = run {
        game = host.root .. "/scripts/" .. it.name, args = "--seed 7 --size 96x72 --no-watch", exec = { HASHES },
        at = { [10] = key, [12] = "+left", [20] = key, [30] = "-left", [100] = "+F10", [101] = "+left ",
          [140] = "+Return", [220] = "quit" },
      }.out
      expect(count_repeated(out) >= 2, "%s", out)
    end)
  end
end

-- A dot that goes to the right, a number that goes up, and an error when a key is pressed.
local function counting(more)
  return ([[local spawnpool <const> = require 'spawnpool'
    spawnpool.class 'Dot'
    local n, dot = 0, nil
    return { load = function() dot = spawnpool.pools:alloc('Dot', 0, 20, 60) end,
      update = function() n = n + 1 dot.x = dot.x + 1 if n %% 10 == 0 then print(n) end end,
      key_pressed = function(key) print(key) if key == 'q' then error 'pressed q' end end,
      %s }]]):format(more or "")
end

local ARGS <const> = "--seed 7 --size 320x240 "
local QUIET <const> = ARGS .. "--no-watch "

test("while backspace is held the game runs backwards, and an error page goes back to a second before", function()
  local at <const> = { [100] = "+backspace", [150] = "-backspace", [175] = "quit" }
  run { main = counting(), args = QUIET, at = at, out = { "\n90\n100\n60\n70\n" }, lacks = "backspace" }
  run { args = QUIET .. "--no-timeline", at = at, out = { "\n100\nbackspace\n110\n" } }
  run { args = QUIET, at = { [130] = "q", [160] = "backspace", [190] = "quit" }, out = { "\n120\n130\nq\n80\n90\n" },
    err = { "pressed q" } }
  run { main = counting "text_input = print", args = QUIET, at = at, out = { "\n100\nbackspace\n110\n" } }
end)

test("the timeline chooses frames by keys and mouse",
  { main = counting(), args = "--seed 7 --size 600x240 --no-watch", out = false }, function()
    press({}, 1000)
    press "F10"
    local function chosen() return tonumber(seen(" s before now, frame ").text:match "frame (%d+)") end
    local last <const>, strip <const> = chosen(), math.floor(seen(" s before now").y) + 30
    expect(last > 900 and last < 1100, "%d", last)
    for _, row in ipairs { { "Left", last - 60 }, { "S-Left", last - 61 }, { "C-Left", last - 661 }, { "C-Left", 1 },
      { "Right", 61 }, { "End", last }, { "Right", last }, { "Home", 1 }, { "down:300,%d", 1 + (last - 1) // 2 },
      { "move:2000,%d", last }, { "up:0,%d", last }, { "move:0,%d", last }, { "click:300,10", last } } do
      press(row[1]:format(strip))
      near(chosen(), row[2], row[1]:find "^d" and 1 or 0)
    end
    press "F2"
    expect_seen("fps", "before now")
    for _, keys in ipairs { "F10", "F10 Escape", "F10 Return" } do
      press(keys)
      expect_unseen "before now"
    end
  end)

-- Clocks answer what they did, and what was stored is taken back with the rest. The console changes the game in the
-- present, and in the past.
test("closing the timeline leaves everything as it was, also what the console changed", function()
  local OPEN <const> = { "`", "text `" }
  local CHANGE <const> = "line x = x + 5000 print('then', x) require('spawnpool').storage.save('n', x)"
  host.setenv("XDG_DATA_HOME", path "/data")
  run {
    main = [[local storage <const> = require('spawnpool').storage
      x = 0
      return { update = function() x = x + 1 if x % 10 == 0 then print(x) end end,
        draw = function() math.randomseed() math.randomseed(os.time() + os.clock() // 1 | 0)
          if x == 109 then print('stored', storage.load 'n') end
          if x < 109 then storage.save('n', x) end end }]],
    args = QUIET,
    at = { [100] = "+F10", [101] = OPEN, [102] = CHANGE, [105] = "` +Home", [139] = OPEN, [140] = CHANGE, [145] = "`",
      [146] = "+Escape", [165] = "quit" },
    out = { "\n100\nthen\t5100\nthen\t5001\nstored\t108\n110\n" },
  }
end)

test("an edit that fails in the past is told once, above the strip", function()
  local game <const> = { main = counting(), args = ARGS .. "--no-watch", out = false, err = { ":7: in the past\n" } }
  local got <const> = run(game, function()
    press({}, 200)
    press("F10", 30)
    save("main.lua", counting "draw = function() error 'in the past' end")
    press "F5"
    await_seen "in the past"
    press({}, 100)
    expect(seen("in the past").y < seen("before now").y - 20)
  end)
  equal(select(2, got.err:gsub(": in the past", "")), 1)
end)

-- The square is red where the old code runs and green where the new code does. F5, as the watch has a clock of its own.
test("an edit plays the marked stretch again and again", function()
  local function square(color)
    return counting(("draw = function(g) g:color(%s, 0) g:rect(0, 0, 40, 40, 'fill') end"):format(color))
  end
  local green_first, red_after = nil, 0
  local got <const> = run {
    main = square "1, 0", args = ARGS,
    each = function(picture)
      if picture <= 230 or picture >= 400 then return end
      local color <const> = host.seen(5, 5)
      if color == GREEN then green_first = green_first or picture end
      if color == RED and green_first then red_after = red_after + 1 end
    end,
    at = {
      [200] = "+F10", [201] = "+left +] +left +[",
      [230] = function()
        equal(host.seen(5, 5), RED)
        save("main.lua", square "0, 1")
      end,
      [400] = "+Escape", [405] = "F5", [460] = "quit",
    },
    out = { "\n190\n200\nreloaded main.lua", "reloaded main.lua", "\n210\n" }, -- in the past, and then in the present
  }
  expect(green_first and green_first < 330 and red_after == 0, "%s, %d: %s", green_first, red_after, got.out)
end)

-- Two dots go to the right, in rows of their own; the edit makes the lower one faster.
test("an edit shows where all objects went and go, with other dots where that is the same", function()
  local function rows(speed)
    return ([[local spawnpool <const> = require 'spawnpool'
      spawnpool.class('Dot', { radius = 0.5 })
      local list = {}
      return { load = function() for i = 1, 2 do list[i] = spawnpool.pools:alloc('Dot', 0, 20, i * 25) end end,
        update = function() list[1].x, list[2].x = list[1].x + 1, list[2].x + %s end }]]):format(speed)
  end
  local function count(y)
    local full, other = 0, 0
    for x = 30, 300 do
      local color <const> = host.seen(x, y)
      full = full + (color == 0xfad264 and 1 or 0)
      other = other + (color ~= 0xfad264 and color ~= EMPTY and 1 or 0)
    end
    return full, other
  end
  run({ main = rows(1), args = ARGS, out = false }, function()
    press({}, 150)
    press("F10", 40)
    expect(count(50) == 0 and select(2, count(50)) < 4, "there are dots before the edit")
    save("main.lua", rows(1.5))
    await_seen "the edited files"
    press({}, 30)
    local full <const>, grey <const> = count(25)
    local faster <const>, hollow <const> = count(50)
    expect(full == 0 and grey > 10 and faster > 15 and hollow > 15, "%d %d %d %d", full, grey, faster, hollow)
  end)
end)

-- What was taken back is not in the recording; and a replay is taken back itself, and compared from there on. It ends
-- with the timeline open, in the past.
test("a recording goes on from the past, and so does a replay", function()
  local at <const> = { [20] = "a", [200] = "+F10", [201] = "+left +S-left", [220] = "+Return", [300] = "+F10",
    [301] = "+Home", [320] = "quit" }
  run { main = counting(), args = QUIET .. "--record-input in", at = at, err = false }
  run { args = "--headless --replay in", at = {}, out = { "\n20\na\n30\n" }, err = { "all as recorded" },
    lacks = "no end" }
  run { args = "--headless --frames 400 --record-input in", at = {}, err = false }
  run { args = "--no-watch --replay in", at = at, err = false, out = { "\n130\n140\n" } }
end)
