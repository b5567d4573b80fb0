-- A game beside 300 000 live tables whose frames make 2000 tables each: the milliseconds of its longest frame, update
-- and drawing, with the collector's budget in microseconds from the command line (0: Lua's own pace).
local spawnpool <const> = require "spawnpool"

local FRAMES <const> = 900
local live = {} -- luacheck: ignore 241
local frame, begin, longest = 0, 0, 0

return {
  load = function(args)
    for i = 1, 300000 do live[i] = { x = i, y = i } end
    spawnpool.gc_budget = tonumber(args[1])
  end,
  update = function()
    begin = os.clock()
    for i = 1, 2000 do live[0] = { x = i, y = i } end
  end,
  draw = function()
    frame = frame + 1
    longest = math.max(longest, (os.clock() - begin) * 1e3)
    if frame == FRAMES then print(("longest %.4f"):format(longest)) end
  end,
}
