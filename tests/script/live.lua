-- A game that is edited while its host runs it: what a poll says, what it reports, and what it costs. The specs of
-- hot reload (tests/lua) have what an edit changes.
local spec <const> = require "spec"
local games <const> = require "games"

local SOUND <const> =
  "require('spawnpool').pools:pool('Spark') return { update = function() print('sound') end }"
local PROBATION <const> = 120 -- frames

-- A game that is not open, with the class Spark.
local function make(files)
  files.reload = true
  files["pools/Spark.lua"] = "return require('spawnpool').class('Spark', {})"
  return games.make(files)
end

local function start(files)
  local g <const> = make(files)
  spec.equal({ g:open(), g:begin() }, { nil, true })
  return g
end

local function expect(g, how, result, part)
  spec.equal(g:poll(how), result)
  spec.contains(g:told(), part or "")
end

-- The save of a file, and what comes of it at once.
local function edit(g, name, text, result, part)
  g:write(name, text)
  g:told()
  expect(g, "now", result, part)
end

local function expect_update(g, told)
  spec.equal(g:update(), true)
  spec.equal(g:told(), told)
end

-- Whether the last error is still shown by a player.
local function expect_error(g, stands) spec.equal(g:last_error() ~= nil, stands) end

-- {== Edits ===================================================================

spec.test("callbacks and their locals live through an edit of main, and the sandbox stays", function()
  local main <const> = "local n = 0\nlocal M = {}\nfunction M.update() n = n + %s end\n%s return M"
  local g <const> = start { main:format("1 print('old', n)", "") }
  expect_update(g, "print: old\t1\n")
  edit(g, "main.lua", main:format("10 print('new', n)", "function M.quit() return true end\n" ..
    "assert(not io.open and not require('debug').getlocal and not os.execute and not package.loadlib)\n" ..
    "assert(not pcall(require, 'spawnpool.reload') and not pcall(require, '../x'))"),
    "reloaded", "reload: reloaded main.lua in ")
  expect_update(g, "print: new\t11\n")
  spec.equal(g:veto "quit", true)
  spec.contains(g:reload_line(), "update")
end)

spec.test("an edit says that main.lua waits, when it had no memory", function()
  local g <const> = make { "local large <const> = ('x'):rep(1 << 26) return {}", memory_limit = 1 << 24 }
  spec.equal({ g:open(), g:begin() }, { nil, false })
  edit(g, "pools/Spark.lua", "return require('spawnpool').class('Spark', { radius = 2 })", "refused", "main.lua")
  expect_error(g, true)
  edit(g, "main.lua", SOUND, "reloaded")
  expect_update(g, "print: sound\n")
end)

spec.test("nothing to do is nothing done", function()
  local g <const> = start { SOUND }
  expect(g, "look", "nothing")
  edit(g, "main.lua", SOUND, "nothing")
  edit(g, "unused.lua", "return 1", "nothing")
  spec.equal({ g:reload_line(), g:version "Spark", g:version "Nobody" }, { nil, 1, 0 })
  edit(g, "pools/Spark.lua", "return require('spawnpool').class('Spark', { limit = 9 })", "reloaded")
  spec.equal(g:version "Spark", 2)
  local untracked <const> = games.start { SOUND }
  edit(untracked, "main.lua", "return { update = function() end }", "nothing")
  expect_update(untracked, "print: sound\n")
end)

spec.test("a broken save says where, and may be undone or mended", function()
  local g <const> = start { SOUND }
  for _, mended in ipairs { "", "--" } do
    edit(g, "main.lua", "return {\nupdate = = 1 }", "refused",
      "error: GAME/main.lua:2: unexpected symbol near '='\n    update = = 1 }\n" ..
      "warning: not reloaded: main.lua; still running the previous version\n")
    expect_error(g, true)
    expect(g, "look", "nothing") -- told once, and again when asked for
    expect(g, "now", "refused", "GAME/main.lua:2:")
    expect_update(g, "print: sound\n")
    edit(g, "main.lua", SOUND .. mended, "reloaded",
      mended == "" and "main.lua matches the running code again\n" or "reloaded main.lua")
    expect_error(g, false)
    expect_update(g, "print: sound\n")
  end
end)

-- }==

-- {== The first load ==========================================================

-- The load that comes late may take as long as one at the start.
spec.test("a game that never started starts with the save that mends it", function()
  local g <const> = make {
    "local helper = require 'helper'\nreturn { load = function(args) print('load', args[1], helper) end }",
    ["helper.lua"] = "return = 5", patience = 0.1,
  }
  spec.equal({ g:open(), g:begin "first" }, { nil, false })
  spec.contains(g:told(), "GAME/helper.lua:1: unexpected symbol")
  edit(g, "main.lua", "local = 1", "refused")
  edit(g, "helper.lua", "return 5", "refused")
  edit(g, "main.lua", "return { load = function(args) local t = os.clock() while os.clock() - t < 0.2 do end\n" ..
    "print('load', args[1], (require 'helper')) end }", "reloaded", "print: load\tfirst\t5\n")
end)

spec.test("a load that failed is called again with the objects of files alone", function()
  local ONE <const> = "require('spawnpool').pools:alloc 'Spark'\n"
  local function main(body) return ONE .. "return { load = function() " .. ONE .. body .. " end }" end
  local g <const> = make { main "error 'no'" }
  spec.equal({ g:open(), g:begin() }, { nil, false })
  edit(g, "main.lua", main "error 'still no'", "refused", "still no")
  edit(g, "main.lua", main(ONE .. "print 'yes'"), "reloaded", "print: yes")
  g:eval "pools:stats('Spark').live"
  spec.equal(g:told(), "print: 3\n")
end)

-- }==

-- {== Probation ===============================================================

spec.test("what failed is reverted until frames have proved it, and may be undone too", function()
  local g <const> = start { SOUND }
  local faulty <const> = "return { update = function() if fail then error('late') end end }"
  edit(g, "main.lua", faulty, "reloaded", "reloaded main.lua")
  for _ = 1, 2 * PROBATION do expect(g, "look", "nothing") end -- polls of a game that rests prove nothing
  g:eval "fail = true"
  spec.equal(g:update(), true)
  spec.contains(g:told(), "main.lua:1: late")
  expect_update(g, "print: sound\n")
  expect(g, "rest", "reverted", "warning: main.lua is reverted to the version before ")
  expect_error(g, true)
  edit(g, "main.lua", SOUND, "reloaded", "main.lua matches the running code again\n")
  expect_error(g, false)
  g:eval "fail = false"
  edit(g, "main.lua", faulty, "reloaded")
  for _ = 1, PROBATION do
    spec.equal({ g:update(), g:tick(0.01) }, { true, true })
    expect(g, "rest", "nothing")
  end
  g:eval "fail = true"
  spec.equal(g:update(), false)
end)

-- }==

-- {== Cost, and folders =======================================================

spec.test("polls that find nothing leave no garbage", function()
  local g <const> = start { "collectgarbage 'stop' " .. SOUND }
  for _ = 1, 10 do g:poll "look" end
  local before <const> = g:bytes()
  for i = 1, 100 do spec.equal(g:poll(i % 2 == 0 and "look" or "rest"), "nothing") end
  spec.equal(g:bytes(), before)
end)

spec.test("a game of one file looks no further than the folders beside it", function()
  local g <const> = make {
    ["one.lua"] = "require 'parts.b' require 'parts.deep.a' return {}", ["parts/b.lua"] = "return 1",
    ["parts/deep/a.lua"] = "return 1",
  }
  spec.equal({ g:open(g:path "one.lua"), g:begin() }, { nil, true })
  edit(g, "parts/deep/a.lua", "return 2", "nothing")
  edit(g, "parts/b.lua", "return 2", "reloaded")
  edit(g, "one.lua", "return { v = 1 }", "reloaded")
end)

-- }==
