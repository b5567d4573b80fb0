-- Recorded input: what differs is named, what belongs to another game is refused, and input that ends in an error is
-- shortened. recording.lua replays every game, and reads wrong files.
local recorded <const> = require "recorded"

local function dots(step)
  return ([[local spawnpool <const> = require 'spawnpool'
    spawnpool.class('Dot', { fields = { hue = 0 } })
    local n = 0
    return { update = function() n = n + 1
      local o = spawnpool.pools:alloc('Dot', 0, n, 0) o.hue = 1
      %s end, key_pressed = function(key) print(key) end }]]):format(step or "")
end

test("the first difference is named", {
  { main = dots "if n == 40 and os.getenv 'OTHER' then o.hue = 2 o.x = 3 end", err = false,
    args = "--frames 200 --trust --record-input in" },
  { sh = "OTHER=1 spawnpool --headless --trust --replay in game", status = 1, err = {
    "replay: frame 40 is the first that differs from the recording; at the end of second 1, frame 60: "
      .. "pool Dot: object #40, field x, hue\n", "replay: 200 frames; 4 of 4 hashes differ\n" } },
  { args = "--replay in", status = 2, err = { "was recorded with --trust" } },
})

test("a recording raises no limit of memory", {
  { main = dots(), args = "--frames 10 --memory 1100 --record-input in" },
  { args = "--replay in", status = 2, out = "", err_lines = 1,
    err = { "'in' was recorded with more memory: add --memory 1100 if the game may have it\n" } },
  { args = "--replay in --memory 1100", err = { "all as recorded" } },
})

test("a game that was edited goes on, and another one does not", {
  { main = dots(), args = "--frames 200 --record-input in --exec 'x = 1'", rest = "an argument" },
  { sh = "mkdir moved && cp game/main.lua moved && spawnpool --headless --replay in moved",
    err = { "all as recorded" } },
  { main = dots "o.y = 5", sh = "spawnpool --headless --replay in game", err = {
    "replay: the game was edited since this was recorded; the replay may differ\n",
    "pool Dot: object #1, #2, #3 and " } },
  { game = "$SP_ROOT/scripts/cubes", args = "--replay in", status = 2, err = { "is the input of another game: " } },
  { setup = [[sed -i '1s/"player":"[^"]*"/"player":"0.0.9"/' in]], args = "--replay in",
    err = { "replay: recorded with version 0.0.9 of spawnpool, this is " } },
})

test("what a game has stored reaches no recording", function()
  local main <const> = [[local spawnpool <const> = require 'spawnpool'
    local storage <const> = spawnpool.storage
    spawnpool.class('Dot', { fields = { runs = 0 } })
    return { load = function()
      local runs <const> = (storage.load 'runs' or 0) + 1
      storage.save('runs', runs) print(runs, storage.load 'runs')
      spawnpool.pools:alloc('Dot').runs = runs end }]]
  for _, row in ipairs { { "", 1 }, { "", 2 }, { "--record-input in", 1 }, { "--replay in", 1 }, { "", 3 } } do
    run { main = main, env = "XDG_DATA_HOME=$PWD/data", args = "--frames 130 " .. row[1],
      out = ("%d\t%d\n"):format(row[2], row[2]), err = false }
  end
end)

-- A view of 320x200 in the recorded window, and in another one.
test("a game with a view of its own gets the mouse where it was", function()
  local main <const> = [[local spawnpool <const> = require 'spawnpool'
    spawnpool.class('Dot')
    return { width = 320, height = 200, scale = 'fit',
      mouse_pressed = function(x, y) print(x, y) spawnpool.pools:alloc('Dot', 0, x, y) end,
      resized = function(w, h) print('resized', w, h) end,
      focus = function(on) print('focus', on) end }]]
  run { main = main, args = "--frames 130 --record-input in" }
  local function size(frame, w, h)
    return recorded.line(frame, "size", ('"width":%d,"height":%d,"density":1'):format(w, h))
  end
  save("/in", read("/in"):match "^(.-\n)":gsub('"width":800,"height":600', '"width":640,"height":480')
    .. size(0, 320, 200) .. recorded.line(1, "focus_lost") .. size(2, 640, 480)
    .. recorded.line(3, "mouse_down", '"x":320,"y":240,"button":1') .. recorded.line(130, "end"))
  for _, shown in ipairs { "", "--size 200x500" } do
    run { main = main, sh = "spawnpool --headless --replay in --record-input again " .. shown .. " game",
      out = "focus\tfalse\nresized\t640\t480\n160\t100\n", err = false }
    run { sh = "spawnpool --headless --replay again game", err = { "all as recorded" } }
  end
end)

test("a full disk ends the recording and not the game", function()
  if not can("test -w /dev/full", "no /dev/full") then return end
  run { main = dots "if n == 300 then print 'still here' end", args = "--frames 300 --record-input /dev/full",
    status = 2, out = "still here\n", err_lines = 1,
    err = { "spawnpool: the recording has stopped: cannot write '/dev/full': No space left on device" } }
  run { args = "--frames 3 --record-input none/in", status = 2, err = { "cannot write the recorded input to " } }
end)

test("what a killed player leaves behind can be replayed", function()
  run { main = dots "if n == 150 then while true do end end", status = 128 + 9, err = false,
    sh = [[{ spawnpool --headless --record-input in game & until grep -qs '"frame":120' in; do kill -0 $! || exit 3
      sleep 0.02; done; kill -KILL $!; wait $!; }]] }
  sh [[printf '{"frame":149,"kind":"key_do' >>in]] -- it was about to write that
  run { main = dots(), sh = "spawnpool --headless --replay in game", err = {
    "replay: the recording is incomplete: the player was stopped while recording\n",
    " frames, 2 hashes, all as recorded\n" } } -- it may be killed before it hangs
end)

-- Of many keys two are needed for the error: S, and Left that is held 26 frames later. A click prevents it.
test("input that ends in an error is shortened", function()
  run {
    main = [[local spawnpool <const> = require 'spawnpool'
      local armed, n = nil, 0
      return { update = function() n = n + 1
        if armed and n > armed + 25 and spawnpool.input.down 'left' then error('boom ' .. n) end
      end, key_pressed = function(key) if key == 's' then armed = n end end,
      mouse_pressed = function() armed = nil end }]],
    args = "--frames 130 --record-input in",
  }
  local lines <const> = { read("/in"):match "^(.-\n)" }
  for frame = 10, 1990, 10 do
    local key <const> = ({ "S", "X", "Left", "Y", "Right" })[frame // 10 % 5 + 1]
    lines[#lines + 1] = recorded.line(frame, frame % 60 < 30 and "key_down" or "key_up", ('"key":"%s"'):format(key))
    if frame < 1500 then lines[#lines + 1] = recorded.line(frame, "mouse_down", '"x":5,"y":6,"button":1') end
  end
  save("/in", table.concat(lines) .. recorded.line(2000, "end"))
  run { sh = "spawnpool --bisect-input in game",
    out = { ", shortened to 2 in 26 (", "main.lua:4: boom " }, err = false }
  run { args = "--frames 99 --replay in.short", status = 1,
    err = { "main.lua:4: boom 26", "replay: 26 frames, 1 hash, all as recorded" } }
  equal(sh "ls", "game\nin\nin.short\n")
  run { main = "return {}", sh = "spawnpool --bisect-input in game", status = 2,
    err = { "'in' does not end in a script error" } }
end)

-- tests/slow/recordings.lua plays every game so. This one is given another number whenever it prints.
test("--synctest names the frame, object and field that come out otherwise", function()
  local answer = 0
  host.heard = function()
    answer = answer + 1
    host.ask("answer = " .. answer)
  end
  for frame, differing in pairs { [70] = 1, [700] = 0 } do
    local main <const> = dots(("if n == %d then print() o.hue = answer end"):format(frame))
    local got <const> = run({ headless = true, main = main, args = "--synctest", status = differing, err = false },
      function() frames(100) end)
    local named <const> = got.err:find("when it is played again: pool Dot: object #69..70, field hue\n", 1, true)
    equal(named ~= nil, differing == 1)
    expect_text(got.err, { (" frames were played again, %d differ; the game made 103 objects and heard 0 inputs\n")
      :format(differing) })
  end
end)
