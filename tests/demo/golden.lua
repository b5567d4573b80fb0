-- Pictures that are kept in the tree, and the same ones as the player makes them today. `make golden` makes them again:
-- look at them before they are committed.
--
--   take(golden.target("docs/guide-1.png", path))
--   golden.expect("docs/guide-1.png", path)
local host <const> = require "host"

local golden <const> = { renews = os.getenv "SP_GOLDEN" ~= nil }

-- Other versions of the libraries draw an edge or a letter a little differently: there, this much of the picture may be
-- different by this much.
local TOLERATED_SHARE <const>, TOLERATED_STEP <const> = 0.02, 24
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

-- The picture at `path` must be the one that is kept, or differ in less than `share` of its pixels.
function golden.expect(kept, path, share)
  local differing <const>, step <const> = golden.difference(kept, golden.target(kept, path))
  local is_fine <const> = differing <= (share or 0)
    or not golden.has_same_libraries() and differing <= TOLERATED_SHARE and step <= TOLERATED_STEP
  if not is_fine then
    error(("%.2f%% differ, by %d of 255 at most: compare %s with %s"):format(100 * differing, step, kept, path), 2)
  end
end

return golden
