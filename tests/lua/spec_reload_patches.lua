-- A file that replaces functions, values and metatables of a file that it requires, in the same run as that: as a game
-- does that wraps a function of a library when it starts.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"

local test <const> = projects.test

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
  local SEEN <const> = "equal({ lib.draw(), lib.width, lib.height, lib.gone }, { '%s library', 640, 200, 'gone' })"
  test("when both run for the first time, and after edits of each",
    { m = "return {}", library = LIBRARY, patcher = PATCHER }, {
      { m = 'return { library = require "patcher" }' }, "lib = m.library", SEEN:format "patched",
      { "patcher", '"patched " .. draw', '"wrapped " .. draw' }, SEEN:format "wrapped",
      { "library", '"library"', '"new library"' }, SEEN:format "wrapped new",
    }, "m")

  test("when it replaces an entry of a class", {
    m = "return {}", drone = 'require "spawnpool".class("PatchedDrone").rank = 1',
    patcher = 'require "drone" require "spawnpool".class("PatchedDrone").rank = 2',
  }, { { m = 'require "patcher" return {}' }, "? spawnpool.class('PatchedDrone').rank == 2" }, "m")

  test("when it wraps a function of a class: edits of either file wrap it once", {
    m = 'require "drone" require "patcher" return {}',
    drone = 'local D <const> = require "spawnpool".class("WrappedDrone")\nfunction D.say() return "drone" end',
    patcher = 'local D <const> = require "spawnpool".class "WrappedDrone"\nlocal say <const> = D.say\n'
      .. 'function D.say() return "patched " .. say() end\nD.limit = 7',
  }, {
    "D, pool = spawnpool.class 'WrappedDrone', spawnpool.pools:pool 'WrappedDrone'",
    "equal({ D.say(), pool.limit }, { 'patched drone', 7 })", { "patcher", '"patched "', '"wrapped "' },
    { "patcher", '"wrapped "', '"twice wrapped "' }, "? D.say() == 'twice wrapped drone'",
    { "drone", '"drone"', '"new drone"' }, "equal({ D.say(), pool.limit }, { 'twice wrapped new drone', 7 })",
    { "patcher", "function D.say()", "function D.cry()" },
    "equal({ D.say(), D.cry() }, { 'new drone', 'twice wrapped new drone' })", { "patcher", "D.limit = 7", "" },
    "equal({ D.limit, pool.limit }, {})", { "patcher", "function D.cry()", "function D.say()" },
    "equal({ D.say(), D.cry }, { 'twice wrapped new drone' })",
  }, "m")
end)
