-- scripts/breakout/prizes.lua
-- What falls out of bricks: three balls out of one, a wide paddle, and balls that burn their way.
local spawnpool <const> = require "spawnpool"
local balls <const> = require "balls"
local effects <const> = require "effects"
local field <const> = require "field"
local paddle <const> = require "paddle"

local pools <const> = spawnpool.pools
local prizes <const> = {}

local WIDE_FOR <const>, BURNS_FOR <const> = 12, 5 -- seconds

local gifts <const> = {
  split = function() balls.split(3) end,
  wide = function() paddle.wide = WIDE_FOR end,
  fire = function() balls.burning = BURNS_FOR end,
}

local pool <const> = pools:pool "Prize"

---@param _ number
function prizes.update(_)
  for prize in pool:each() do
    local x <const>, y <const> = prize.x, prize.y
    if y > field.HEIGHT + 20 then
      prize:recycle()
    elseif math.abs(y - paddle.Y) < 16 and math.abs(x - paddle.x) < paddle.half + 14 then
      gifts[prize.sprite]()
      effects.light(x, y, 130, prize.r, prize.g, prize.b)
      spawnpool.audio.play "prize"
      prize:recycle()
    end
  end
end

return prizes
