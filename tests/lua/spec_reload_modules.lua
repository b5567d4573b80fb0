-- Modules that are edited while they run: edits are applied, what the game has set stays. Files that cannot be loaded.
local spec <const> = require "spec"
spec.differs_each_time "a file that never ends is stopped by a clock"
local kit <const> = require "kit"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"
local spawnpool <const> = require "spawnpool"

local test <const> = projects.test

-- A project with one module, and that module.
local function one(text)
  local it <const> = projects.open { ["m.lua"] = text }
  return it, require "m"
end

spec.describe("a module that is edited", function()
  local function states(version)
    return { m = ([[
      local function idle() return "idle" end
      local function run() return "run%s" end
      local state = idle
      return { go = function() state = run end, now = function() return state() end }]]):format(version) }
  end
  test("keeps a state that is one of its own functions, in its new version", states "", {
    "old = m m.go()", states " 2", "? old.now() == 'run 2'",
  }, "m")

  local function hidden(value)
    return { m = ([[
      local fs <const> = { hidden = %s }
      do local n = 0 _G.a = function() n = n + 1 return n end end
      do local n = 0 _G.b = function() n = n + 1 return n end end
      return fs]]):format(value) }
  end
  test("keeps locals of the same name apart by the globals that hold them", hidden "nil", {
    "a() b() b()", hidden "1", "equal({ a(), b() }, { 2, 3 })",
  }, "m")

  test("that is a dependent is run again too, and keeps its state", {
    base = "return { SPEED = 2 }",
    mid = "local base <const> = require 'base'\nlocal M = { n = 0, twice = base.SPEED * 2 }\nreturn M",
    top = "local mid <const> = require 'mid'\nreturn { four = mid.twice * 2 }",
  }, {
    "mid.n = 7", { "base", "2", "3" }, "equal({ top.four, mid.twice, mid.n }, { 12, 6, 7 })",
    "equal(result.files, { 'base.lua', 'mid.lua', 'top.lua' })",
    "? result.line:match '^reloaded base.lua %(and 2 that use it%)'",
  }, "top")
end)

spec.describe("a file that will not do", function()
  local function good(sign)
    return { m = ("local M <const> = { v = 1 }\nfunction M.f() return %sM.v end\nreturn M"):format(sign) }
  end
  for name, text in pairs {
    ["cut off"] = "local M = {}\nfunction M.f(",
    ["that raises a table"] = "error({})",
    ["that raises nil"] = "error()",
    ["with invalid UTF-8 in its code"] = "local \xff\xfe = 1",
    ["of bytecode"] = string.dump(function() return {} end),
    ["that needs a module which is not there"] = "return require 'nowhere'",
    ["that goes too deep"] = "local function f() return 1 + f() end f()",
    ["that never ends, in a coroutine behind pcall"] = "local f\nf = function() while true do end end\n"
      .. "while true do pcall(coroutine.wrap(f)) end",
    ["that breaks off after it has changed the world"] = "Global = 1 string.mine = 2 package.loaded.m = 3 error 'x'",
  } do
    test(name .. " is refused, and all is as it was", good "", {
      "reload.patience(0.1) old = m f = m.f m.v = 6", { m = text }, "! m.lua",
      "equal({ old.f == f, f(), _G.Global, rawget(string, 'mine'), require 'm' == old }, { true, 6, nil, nil, true })",
      good "-", "? old.f() == -6",
    }, "m")
  end

  test("with invalid UTF-8 in a string is fine", { m = "return { s = 'a' }" }, {
    { m = "return { s = '\xff\xfe\0' }" }, "? m.s == '\xff\xfe\\0'",
  }, "m")

  test("that makes a chain of a hundred thousand tables is fine", { m =
    "local list\nfor i = 1, 100000 do list = { next = list, i = i } end\nreturn { list = list, v = 1 }" }, {
    "? m.list.i == 100000", { "m", "v = 1", "v = 2" }, "? m.v == 2 and m.list.i == 100000",
  }, "m")

  spec.test("in a folder that is gone keeps its code, until the folder is there again", function()
    local it <close> = projects.open {}
    spec.make_folder(it.folder .. "/sub")
    it.save("sub/m.lua", "return { v = 1 }")
    local m <const> = require "sub.m"
    spec.equal(reload.now(), nil)
    spec.remove(it.folder .. "/sub")
    spec.equal(reload.now().line, "sub/m.lua was deleted: its last code stays")
    spec.equal(m.v, 1)
    spec.make_folder(it.folder .. "/sub")
    it.edit("sub/m.lua", "return { v = 2 }")
    spec.equal(m.v, 2)
  end)

  local TWO <const> = { m = "return { v = 1 }", other = "return { v = 1 }" }
  test("that never ends is not tried again with others", TWO, {
    "reload.patience(0.1)", { m = "Runs = (Runs or 0) + 1 while true do end" }, "! m.lua",
    { other = "return { v = 2 }" }, "equal({ m.v, other.v, reload.is_waiting() }, { 1, 2, true })", { m = TWO.m },
    "? result.line == 'm.lua matches the running code again'",
  }, "m other")

  test("is tried again when another file mends it", {
    helper = "return { name = 'a' }",
    m = "local helper <const> = require 'helper'\nreturn { n = helper.name:upper() }",
  }, {
    { "m", "name", "title" }, "! m.lua", "? m.n == 'A'", { helper = "return { title = 'b' }" }, "? m.n == 'B'",
  }, "m")
end)

spec.describe("spawnpool.reload", function()
  spec.test("blames the caller for a folder that is none", function()
    kit.refuses({ reload = reload }, {
      { "reload.watch(5)", "watch needs the path of a folder, got 5" },
      { "reload.watch '/no/such'", "there is no folder '/no/such' to watch" },
      { "reload.patience(-1)", "patience is a number of seconds" },
    })
  end)

  test("leaves files of other folders alone", { m = "return { v = 1 }" }, {
    "? type(require 'reload_world') == 'table'", -- of the tests, not of the project
    { during = "wrong = select(2, pcall(edit))", stranger = "return 1" },
    "? wrong:find('it saw no change', 1, true)",
  })

  spec.test("says so when a file was loaded too early to be run again", function()
    local it <close> = projects.open {}
    reload.unwatch()
    it.save("early.lua", "return { v = 1 }")
    package.loaded.early = { v = 1 }
    reload.watch(it.folder)
    it.save("early.lua", "return { v = 2 }")
    spec.equal(reload.now().line, "early.lua was loaded before reload.watch: it is not reloaded")
    spec.equal(require("early").v, 1)
  end)

  spec.test("does nothing while a file runs", function()
    local it <close>, m <const> = one "return { v = 1 }"
    it.save("m.lua", "return { v = 2 }")
    it.save("poller.lua", "return require('spawnpool.reload').now() or 'nothing'")
    spec.equal(require "poller", "nothing")
    spec.equal({ reload.now().ok, m.v }, { true, 2 })
  end)

  spec.test("waits until a file has settled", function()
    local it <close>, m <const> = one "return { v = 1 }"
    it.save("m.lua", "return { v = 2 }")
    spec.equal(reload.poll(), nil) -- it was only just saved
    local deadline <const> = os.time() + 10
    local result
    repeat result = reload.poll() until result or os.time() > deadline
    spec.equal({ result and result.ok, m.v }, { true, 2 })
  end)
end)

spec.describe("the collector", function()
  local function collects_after(text)
    local it <close> = one "return { v = 1 }"
    it.save("m.lua", text)
    spec.hear(reload.now)
    return collectgarbage "isrunning"
  end

  spec.test("goes on after a reload, and after a rejected one", function()
    spec.equal({ collects_after "return { v = 2 }", collects_after "return 1", collects_after "return" },
      { true, true, true })
  end)

  spec.test("stays off when the game has stopped it", function()
    collectgarbage "stop"
    local running <const> = collects_after "return { v = 2 }"
    collectgarbage "restart"
    spec.equal(running, false)
  end)
end)

spec.test("a program that has replaced the globals of Lua: is served as any other, and reloaded", function()
  local it <close> = projects.open { ["pools/Cube.lua"] = projects.class("Cube", "{ limit = 1 }") }
  it.pools:alloc "Cube"
  local kept <const> = {}
  for _, name in ipairs { "pairs", "ipairs", "next", "type", "error", "select", "rawget", "rawset", "rawequal",
    "setmetatable", "getmetatable", "tostring", "tonumber", "pcall", "collectgarbage" } do
    kept[name] = _G[name]
  end
  local lost <const> = { table = table, string = string }
  local good <const>, bad <const> = projects.class("Cube", "{ limit = 2 }"), projects.class("Cube", "{ limit = = 2 }")
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

-- A file may replace functions, values and metatables of a file that it requires, in the same run: as a game that wraps
-- a function of a library when it starts.
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
