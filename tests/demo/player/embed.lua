-- The examples in demo/embed do what they show, and exit with status 0. The runner of a sanitized build runs sanitized
-- examples, whose status reports leaks.

-- Returns what an example prints; it must succeed, and print nothing on stderr.
local function example(command, out) return run { sh = "$SP_BUILD/embed/" .. command, out = out, err = "" }.out end

-- Returns the number in front of `unit`.
local function number(out, unit) return tonumber(out:match("(%d+)" .. unit)) end

test("hello shows the core alone", function()
  example("hello", { "a fourth session: full", "recycling it again: stale", "2 live, 1 idle, 4 handed out in all" })
end)

test("late inputs are played again", function()
  local out <const> = example("rollback", { "both are where they would be without any delay" })
  expect(number(out, " rollbacks") > 50 and number(out, " frames played again") > 200, out)
  equal(example "rollback", out)
end)

test("the renderer draws what is in the columns", function()
  run { sh = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software $SP_BUILD/embed/renderer 120 sparks.bmp",
    out = "12000 sparks\n" }
  local picture <const> = player.picture "/sparks.bmp"
  local ground <const> = picture.at(0, 0)
  equal({ picture.w, picture.h, picture.lit(0, 0, 960, 60, ground) }, { 960, 540, 0 }) -- no spark flies that high
  for fountain = 1, 3 do expect(picture.lit(240 * fountain - 2, 515, 4, 12, ground) > 24, "fountain %d", fountain) end
end)

-- Runs a server whose input is the output of `talk`, a list of shell commands that may `await` output of the server.
local function talk_to_headless(talk, out)
  run { sh = ([[cp -R $SP_ROOT/demo/embed/headless mine && cd mine && : >said &&
    { %s; } | $SP_BUILD/embed/headless . >said 2>&1 && cat said]]):format(talk), out = out }
end

-- A line that is too long does no harm.
test("a headless server runs edited classes, keeps who is there, and goes on with the save that fixes it", function()
  talk_to_headless([[echo join ann; echo join bob; echo dig ann; await 'has 5' &&
    sed -i.old 's/live(5)/live(7)/; s/finds %d/digs out %d/' pools/Miner.lua && await '^reloaded' &&
    echo dig ann; await 'has 12' &&
    sed -i.old 's/^return Miner/retrun Miner/' pools/Miner.lua && await 'not reloaded' &&
    echo dig ann; await 'has 19'; echo list; await '0 gold' &&
    sed -i.old 's/^retrun/return/; s/live(7)/live(9)/' pools/Miner.lua && await '^reloaded' 2 &&
    echo dig ann; await 'has 28'; printf 'dig %0600d\nlist\n' 0]], {
    "ann goes down as number 1\n", "ann finds 5, and has 5\n",
    "Miner.luck 5 -> 7", "ann digs out 7, and has 12\n", "syntax error near 'Miner'",
    "not reloaded: pools/Miner.lua; still running the previous version\n",
    "ann digs out 7, and has 19\n1: ann, 19 gold\n2: bob, 0 gold\n", -- the same ids
    "ann digs out 9, and has 28\n", "1: ann, 28 gold\n" })
  run { sh = "$SP_BUILD/embed/headless nowhere", status = 1, err = { "no such file or folder" } }
end)
