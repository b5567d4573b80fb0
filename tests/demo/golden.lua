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

-- The picture at `path` must be the one that is kept, or differ in less than `share` of its pixels.
function golden.expect(kept, path, share)
  local differing <const>, step <const> = host.picture_difference(kept, golden.target(kept, path))
  local is_fine <const> = differing <= (share or 0)
    or not golden.has_same_libraries() and differing <= TOLERATED_SHARE and step <= TOLERATED_STEP
  if not is_fine then
    error(("%.2f%% differ, by %d of 255 at most: compare %s with %s"):format(100 * differing, step, kept, path), 2)
  end
end

return golden
