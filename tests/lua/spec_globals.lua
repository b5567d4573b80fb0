-- What a program does to its own globals is not done to the library.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"
local spawnpool <const> = require "spawnpool"

local cube <const> = projects.class

spec.describe("a program that has replaced the globals of Lua", function()
  spec.test("is served as any other, and reloaded", function()
    local it <close> = projects.open { ["pools/Cube.lua"] = cube("Cube", "{ limit = 1 }") }
    it.pools:alloc "Cube"
    local kept <const> = {}
    for _, name in ipairs { "pairs", "ipairs", "next", "type", "error", "select", "rawget", "rawset", "rawequal",
      "setmetatable", "getmetatable", "tostring", "tonumber", "pcall", "collectgarbage" } do
      kept[name] = _G[name]
    end
    local lost <const> = { table = table, string = string }
    local good <const>, bad <const> = cube("Cube", "{ limit = 2 }"), cube("Cube", "{ limit = = 2 }")
    local function save(text) -- with nothing of Lua's own but io
      local f <close> = io.open(it.folder .. "/pools/Cube.lua", "wb")
      f:write(text)
    end
    for name in next, kept do _G[name] = nil end
    for name in kept.next, lost do _G[name] = {} end
    local ok <const>, why <const> = kept.pcall(function()
      save(good)
      local first <const> = reload.now()
      save(bad)
      local second <const> = reload.now()
      local Ball <const> = spawnpool.class("Ball", { fields = { hp = 7 } })
      Ball.SPEED = 5
      return first.ok and not second.ok and it.pools:alloc("Ball").hp
    end)
    for name, value in kept.next, kept do _G[name] = value end
    for name, value in next, lost do _G[name] = value end
    spec.equal({ why, ok }, { 7, true })
    spec.equal(it.pools:pool("Cube").limit, 2)
  end)
end)
