-- Pictures that are kept in the tree, and the same ones as the player makes them today. `make golden` makes them again:
-- look at them before they are committed.
--
--   take(golden.target("docs/guide-1.png", path))
--   golden.expect("docs/guide-1.png", path)
local host <const> = require "host"
local player <const> = require "player"

local golden <const> = { renews = os.getenv "SP_GOLDEN" ~= nil }

-- Other versions of the libraries draw edges and letters a little differently. The mean of a square of so many pixels a
-- side hardly changes by that, but by every object that is missing or elsewhere.
local SQUARE <const>, TOLERATED_STEP <const> = 8, 48
local LIBRARIES <const> = "tests/demo/golden/libraries.txt"

-- Where a picture is to be saved: at `path`, or over the one that is kept.
function golden.target(kept, path) return golden.renews and kept or path end

-- Whether the pictures of the tests were drawn by the libraries that draw here; when they are renewed, they are.
function golden.has_same_libraries()
  if golden.renews then
    local file <close> = assert(io.open(LIBRARIES, "w"))
    file:write(host.libraries(), "\n")
  end
  local file <close> = assert(io.open(LIBRARIES))
  return file:read "a" == host.libraries() .. "\n"
end

-- The share of the pixels that differ in two pictures, and the largest difference of a channel.
function golden.difference(one, other)
  local w <const>, h <const>, a <const> = host.picture(one)
  local other_w <const>, other_h <const>, b <const> = host.picture(other)
  local count, most = 0, 0
  if w ~= other_w or h ~= other_h then error(("%s: %d x %d, not %d x %d"):format(other, other_w, other_h, w, h)) end
  for at = 1, a ~= b and #a or 0, 3 do
    local step = 0
    for i = at, at + 2 do step = math.max(step, math.abs(a:byte(i) - b:byte(i))) end
    count, most = count + (step > 0 and 1 or 0), math.max(most, step)
  end
  return count / (w * h), most
end

-- The largest difference of the means of squares in two pictures, which is at most TOLERATED_STEP in pictures of one
-- scene, whatever libraries have drawn them; and whether it is.
function golden.difference_of_means(one, other)
  local small <const>, small_other <const> = player.path "/small-1.png", player.path "/small-2.png"
  host.picture_shrink(one, small, SQUARE)
  host.picture_shrink(other, small_other, SQUARE)
  local _, step <const> = golden.difference(small, small_other)
  return step, step <= TOLERATED_STEP
end

-- The picture at `path` must be the one that is kept, or differ in less than `share` of its pixels; one that was drawn
-- by other libraries must have its means.
function golden.expect(kept, path, share)
  local drawn <const> = golden.target(kept, path)
  local differing <const>, step <const> = golden.difference(kept, drawn)
  if differing <= (share or 0) then return end
  if golden.has_same_libraries() then
    error(("%.2f%% differ, by %d of 255 at most: compare %s with %s"):format(100 * differing, step, kept, path), 2)
  end
  local most <const>, is_fine <const> = golden.difference_of_means(kept, drawn)
  if os.getenv "SP_GOLDEN_TRACE" then io.stderr:write(kept, " ", differing, " ", most, "\n") end
  if not is_fine then
    error(("means of %d x %d pixels differ by %d of 255 at most: compare %s with %s"):format(SQUARE, SQUARE, most, kept,
      path), 2)
  end
end

return golden
