-- A file that replaces functions, values and metatables of a file that it requires, in the same run as that: as a game
-- does that wraps a function of a library when it starts.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"
local spawnpool <const> = require "spawnpool"

local LIBRARY <const> = [[
local M = { width = 320, height = 200, gone = 1 }
function M.draw() return "library" end
return M]]

local PATCHER <const> = [[
local library = require "library"
local draw = library.draw
function library.draw() return "patched " .. draw() end
library.width, library.gone = 640, nil
setmetatable(library, { __index = function(_, key) return key end })
return library]]

spec.describe("a file that patches what it requires", function()
  spec.test("when both run for the first time, and after edits of each", function()
    local it <close> = projects.open { ["m.lua"] = "return {}", ["library.lua"] = LIBRARY, ["patcher.lua"] = PATCHER }
    local m <const> = require "m"
    local function expect(drawn)
      local library <const> = m.library
      spec.equal({ library.draw(), library.width, library.height, library.gone }, { drawn, 640, 200, "gone" })
    end
    it.edit("m.lua", 'return { library = require "patcher" }')
    expect "patched library"
    it.edit("patcher.lua", '"patched " .. draw', '"wrapped " .. draw')
    expect "wrapped library"
    it.edit("library.lua", '"library"', '"new library"')
    expect "wrapped new library"
  end)

  spec.test("when it replaces an entry of a class", function()
    local it <close> = projects.open {
      ["m.lua"] = "return {}",
      ["drone.lua"] = 'require "spawnpool".class("PatchedDrone").rank = 1',
      ["patcher.lua"] = 'require "drone" require "spawnpool".class("PatchedDrone").rank = 2',
    }
    require "m"
    it.edit("m.lua", 'require "patcher" return {}')
    spec.equal(spawnpool.class("PatchedDrone").rank, 2)
  end)

  spec.test("when it wraps a function of a class: edits of either file wrap it once", function()
    local it <close> = projects.open {
      ["m.lua"] = 'require "drone" require "patcher" return {}',
      ["drone.lua"] = 'local D <const> = require "spawnpool".class("WrappedDrone")\n'
        .. 'function D.say() return "drone" end',
      ["patcher.lua"] = 'local D <const> = require "spawnpool".class "WrappedDrone"\nlocal say <const> = D.say\n'
        .. 'function D.say() return "patched " .. say() end\nD.limit = 7',
    }
    require "m"
    local D <const> = spawnpool.class "WrappedDrone"
    local pool <const> = spawnpool.pools:pool "WrappedDrone"
    spec.equal({ D.say(), pool.limit }, { "patched drone", 7 })
    it.edit("patcher.lua", '"patched "', '"wrapped "')
    it.edit("patcher.lua", '"wrapped "', '"twice wrapped "')
    spec.equal(D.say(), "twice wrapped drone")
    it.edit("drone.lua", '"drone"', '"new drone"')
    spec.equal({ D.say(), pool.limit }, { "twice wrapped new drone", 7 })
    it.edit("patcher.lua", "function D.say()", "function D.cry()")
    spec.equal({ D.say(), D.cry() }, { "new drone", "twice wrapped new drone" })
    it.edit("patcher.lua", "D.limit = 7", "")
    spec.equal({ D.limit, pool.limit }, {})
    it.edit("patcher.lua", "function D.cry()", "function D.say()")
    spec.equal({ D.say(), D.cry }, { "twice wrapped new drone" })
  end)
end)
