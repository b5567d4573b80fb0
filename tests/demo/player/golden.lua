-- Pictures of each game at fixed frames, compared pixel by pixel with those in tests/demo/golden. `make golden` makes
-- these again: look at them before they are committed. A difference leaves the picture that was found in golden/ of the
-- build folder.
local player <const> = require "player"
local spec <const> = require "spec"
local host <const> = require "host"

-- Other versions of the libraries draw an edge or a letter a little differently: there, this much of the picture may be
-- different by this much.
local TOLERATED_SHARE <const>, TOLERATED_STEP <const> = 0.02, 24

local PICTURES <const> = { { "cubes", 60 }, { "cubes", 240 }, { "shooter", 120 }, { "shooter", 600 },
  { "random_spawn", 120 }, { "footprints", 180 }, { "scenes", 120 }, { "breakout", 600 }, { "fireworks", 330 },
  { "survivors", 1800 } }

local renews <const> = os.getenv "SP_GOLDEN" ~= nil

-- How many bytes differ, and by how much at most.
local function difference(a, b)
  local count, largest = 0, 0
  if a == b then return count, largest end
  for i = 1, #a do
    local step <const> = math.abs(a:byte(i) - b:byte(i))
    if step > 0 then count, largest = count + 1, math.max(largest, step) end
  end
  return count, largest
end

local function libraries_are_those_of_the_pictures()
  local file <close> = assert(io.open "tests/demo/golden/libraries.txt")
  return file:read "a" == host.libraries() .. "\n"
end

for _, row in ipairs(PICTURES) do
  local name <const>, frame <const> = table.unpack(row)
  player.test(("%s looks as it did in frame %d"):format(name, frame), function()
    local golden <const> = ("tests/demo/golden/%s-%d.png"):format(name, frame)
    local folder <const> = renews and "tests/demo/golden" or host.build .. "/golden"
    player.run { sh = ([[mkdir -p $SP_ROOT/%s && spawnpool --headless --seed 1 --size 640x480 --frames %d --screenshot \
      $SP_ROOT/%s/%s-%d.png $SP_ROOT/scripts/%s]]):format(folder, frame, folder, name, frame, name), err = false }
    local _, _, expected <const> = host.picture(golden)
    local w <const>, h <const>, found <const> = host.picture(("%s/%s-%d.png"):format(folder, name, frame))
    spec.equal({ w, h, #found }, { 640, 480, #expected })
    local count <const>, largest <const> = difference(expected, found)
    local share <const> = count / #found
    local fine <const> = count == 0
      or not libraries_are_those_of_the_pictures() and share <= TOLERATED_SHARE and largest <= TOLERATED_STEP
    player.expect(fine, "%.2f%% differ, by %d of 255 at most: compare %s with the one in %s", 100 * share, largest,
      golden, folder)
  end)
end

player.test("the libraries that drew are written down", function()
  if renews then
    local file <close> = assert(io.open("tests/demo/golden/libraries.txt", "w"))
    file:write(host.libraries(), "\n")
  end
  player.sh "grep -q '^SDL .*, SDL_image .*, SDL_ttf .*, FreeType ' $SP_ROOT/tests/demo/golden/libraries.txt"
end)

-- A test that compares must be able to fail.
player.test("one byte is a difference", function()
  spec.equal({ difference("abc", "abc") }, { 0, 0 })
  spec.equal({ difference("abc", "abj") }, { 1, 7 })
end)
