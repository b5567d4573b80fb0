-- The examples in demo/embed do what they are there to show, and end well. The runner of a sanitized build runs
-- sanitized examples: those tell of leaks by their status.
local player <const> = require "player"
local spec <const> = require "spec"

local test <const>, run <const>, expect <const> = player.test, player.run, player.expect

-- What an example prints; it must end well, and say nothing else.
local function example(command, out, status)
  return run { sh = "$SP_BUILD/embed/" .. command, out = out, status = status, err = not status and "" }.out
end

-- The number in front of `unit`.
local function number(out, unit) return tonumber(out:match("(%d+)" .. unit)) end

test("hello shows the core alone", function()
  example("hello", { "a fourth session: full", "recycling it again: stale", "2 live, 1 idle, 4 handed out in all" })
end)

test("every session is accounted for", function()
  local out <const> = example "sessions"
  local opened <const>, left <const> = number(out, " opened"), number(out, " said goodbye")
  local silent <const> = number(out, " timed out")
  spec.equal(opened, left + silent + number(out, " sessions after"))
  spec.equal(number(out, " at most"), 4096) -- it was full
  expect(number(out, " turned away") > 0 and number(out, " packets served") > opened and number(out, " throttled") > 0)
  -- Who was thought to be gone, and the packets behind.
  expect(number(out, " too late") > silent and number(out, " forged") > 0 and left > 0 and silent > 0)
  spec.equal(example "sessions", out)
end)

test("late inputs are played again", function()
  local out <const> = example("rollback", { "both are where they would be without any delay" })
  expect(number(out, " rollbacks") > 50 and number(out, " frames played again") > 200, out)
  spec.equal(example "rollback", out)
end)

test("threads come to the same, however many there are", function()
  local out <const>, grains = example "threads 1", 0
  for number_of_line in out:gmatch "(%d+)[^\n]*\n" do grains = grains + tonumber(number_of_line) end
  expect(grains > 70000, "%d grains", grains) -- of 86 400, which take a second or two to fall
  for _, count in ipairs { 2, 3, 16 } do spec.equal(example("threads " .. count), out) end
  example("threads 0", nil, 1)
end)

test("workers come to the same, however many there are", function()
  local out <const> = example("workers 1 30000 20", { "30000 sparks, sum " })
  for _, count in ipairs { 2, 3, 8 } do spec.equal(example(("workers %d 30000 20"):format(count)), out) end
  example("workers 0", nil, 2)
end)

-- The share of an area that is brighter than the background.
local function lit_share(picture, x0, y0, w, h)
  local lit = 0
  for y = y0, y0 + h - 1 do
    for x = x0, x0 + w - 1 do
      local color <const> = picture.at(x, y)
      if (color >> 16) + (color >> 8 & 255) + (color & 255) > 60 then lit = lit + 1 end
    end
  end
  return lit / (w * h)
end

test("the renderer draws what is in the columns", function()
  run { sh = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software $SP_BUILD/embed/renderer 120 sparks.bmp",
    out = "12000 sparks\n" }
  local picture <const> = player.picture "/sparks.bmp"
  spec.equal({ picture.w, picture.h }, { 960, 540 })
  for fountain = 1, 3 do expect(lit_share(picture, 240 * fountain - 2, 515, 4, 12) > 0.5, "fountain %d", fountain) end
  spec.equal(lit_share(picture, 0, 0, 960, 60), 0.0) -- none flies that high
  expect(lit_share(picture, 140, 150, 680, 350) > 0.08)
end)

-- A server that hears what `talk` says, a list of shell commands which may `await` what the server says.
local function talk_to_headless(talk, out)
  run { sh = ([[cp -R $SP_ROOT/demo/embed/headless mine && cd mine && : >out &&
    await() { i=0; until grep -q "$1" out || [ $i -gt 800 ]; do sleep 0.02; i=$((i + 1)); done; } &&
    { %s; } | $SP_BUILD/embed/headless . >out 2>&1 && cat out]]):format(talk), out = out }
end

test("a headless server runs edited classes, and keeps who is there", function()
  talk_to_headless([[echo join ann; echo join bob; echo dig ann; await 'has 5' &&
    sed -i.old 's/live(5)/live(7)/; s/finds %d/digs out %d/' pools/Miner.lua && await '^reloaded' &&
    echo dig ann; await 'has 12' &&
    sed -i.old 's/^return Miner/retrun Miner/' pools/Miner.lua && await 'not reloaded' &&
    echo dig ann; await 'has 19'; echo list]], { "ann goes down as number 1\n", "ann finds 5, and has 5\n",
    "Miner.luck 5 -> 7", "ann digs out 7, and has 12\n", "syntax error near 'Miner'",
    "not reloaded: pools/Miner.lua; the old code goes on\n",
    "ann digs out 7, and has 19\n1: ann, 19 gold\n2: bob, 0 gold\n" }) -- the same ids
end)

-- A line that is too long does no harm.
test("a headless server goes on with the save that mends it", function()
  talk_to_headless([[echo join ann; await 'number 1' && echo list >>main.lua && await 'not reloaded' &&
    sed -i.old 's/^list$//; s/is open/is wide open/' main.lua && await '^reloaded' &&
    echo dig ann; await 'has 5'; printf 'dig %0600d\nlist\n' 0]], { "ann finds 5, and has 5\n", "1: ann, 5 gold\n" })
  run { sh = "$SP_BUILD/embed/headless nowhere", status = 1, err = { "no such file or folder" } }
end)
