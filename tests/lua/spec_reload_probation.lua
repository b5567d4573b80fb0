-- New code that loads and then fails: its last good version comes back and finishes the call.
local spec <const> = require "spec"
local kit <const> = require "kit"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"

local class <const> = projects.class

local function cube(definition, body)
  return projects.open { ["pools/Cube.lua"] = class("Cube", definition, body) }
end

-- One poll, which must tell that a file was taken back; `says`: what else it tells, texts by a part of them, in which
-- FOLDER is the project's.
local function reverted(says, folder)
  local result <const> = reload.poll()
  if not result then error("nothing was taken back", 2) end
  spec.equal({ result.ok, result.reverted }, { false, true })
  for key, want in pairs(says or {}) do
    local part <const> = type(want) == "string" and want:gsub("FOLDER", folder)
    spec.equal(result[key], part and result[key]:find(part, 1, true) and result[key] or want)
  end
end

local quietly <const> = spec.hear -- what is reported would go to stderr

local function alloc(it) spec.equal(it.pools:alloc("Cube").alive, true) end

local function use_hooks(it)
  local new <const> = it.pools:alloc "Cube"
  spec.equal(new.alive, true)
  kit.tick(it.pools)
  it.pools:recycle(new)
end

-- Code of a class, what an edit makes of a part of it, and what the game does then: `act(it, o)`, with an object from
-- before the edit; else it allocs one. The old code finishes the work, and sets `by`. `files`: what else there is, of
-- which `name` is edited; `says`: what is told.
local SAYS_OLD <const> = "function Cube:%s() _G.by = 'old' end"
local ALLOC <const> = "function Cube:alloc(...) _G.by = 'old' return Cube.super.alloc(self, ...) end"
local FAILS <const> = {
  { "in alloc", ALLOC, act = function(it) spec.equal(it.pools:alloc("Cube", 0, 5).x, 5.0) end },
  { "in recycle", "function Cube:recycle(o) _G.by = 'old' return Cube.super.recycle(self, o) end",
    act = function(it, o) spec.equal({ it.pools:recycle(o), o.alive }, { true, false }) end },
  { "in recycle after its base call, which ends the life once",
    "function Cube:recycle(o) local done = Cube.super.recycle(self, o) _G.by = 'old' return done end",
    act = function(it, o)
      spec.equal({ it.pools:recycle(o), o.alive, it.pools:stats("Cube").recycles }, { true, false, 1 })
      _G.by = "old" -- nothing is left to be done by the old code
    end },
  { "in a timer", "function Cube:on_spawn(o) o:every(1 / 64, Cube.beat) end\nfunction Cube.beat() _G.by = 'old' end",
    act = function(it) kit.tick(it.pools, 2) end },
  { "by what alloc must not return", ALLOC, "return Cube.super.alloc(self, ...)", "return 42" },
  { "in on_spawn", SAYS_OLD:format "on_spawn", act = use_hooks, says = { files = { "pools/Cube.lua" },
    line = "pools/Cube.lua failed: its last good version is back, until the next save", error = "Cube.lua:3: new" } },
  { "in on_despawn", SAYS_OLD:format "on_despawn", act = use_hooks },
  { "in update", SAYS_OLD:format "update", act = use_hooks },
  { "in on_create", SAYS_OLD:format "on_create", act = use_hooks },
  { "and never ends: it is stopped", SAYS_OLD:format "update", "_G.by = 'old'",
    "while true do pcall(function() while true do end end) end", act = use_hooks,
    says = { error = "stopped: it ran for more than 0.1 s" } },
  { "in a module that a hook calls: the module is taken back",
    "function Cube:on_spawn() _G.by = require 'helper'() end", "'old'", "error 'new'", name = "helper.lua",
    files = { ["helper.lua"] = "return function() return 'old' end" },
    says = { files = { "helper.lua" } } },
  { "in a function that it calls: it is told with the whole place that its error names",
    "function Cube:on_spawn() require 'helper'() _G.by = 'old' end", "return function()", "return function() raise()",
    name = "helper.lua",
    files = { ["helper.lua"] = "function _G.raise() error('new', 3) end return function() end" },
    says = { error = "FOLDER/pools/Cube.lua:3: new" } },
  { "where another file reads it", "function Cube:on_spawn() _G.by = require 'helper'() == 10 and 'old' end",
    "{ speed = 5 }", "{}", name = "config.lua", files = { ["config.lua"] = "return { speed = 5 }",
      ["helper.lua"] = "local config <const> = require 'config'\nreturn function() return config.speed * 2 end" },
    says = { files = { "config.lua" },
      line = "config.lua made helper.lua fail: its last good version is back, until the next save" } },
}

spec.describe("new code that fails", function()
  for _, case in ipairs(FAILS) do
    local name <const>, body <const>, from <const>, to <const> = table.unpack(case, 1, 4)
    spec.test(name .. ": the old code is called", function()
      local files <const> = case.files or {}
      files["pools/Cube.lua"] = class("Cube", "{ grow = 1 }", body)
      local it <close> = projects.open(files)
      reload.patience(0.1)
      local o <const> = it.pools:alloc "Cube"
      it.edit(case.name or "pools/Cube.lua", from or "_G.by = 'old'", to or "error 'new'")
      _G.by = nil
      quietly(case.act or alloc, it, o)
      spec.equal(_G.by, "old")
      kit.check(it.pools, "Cube")
      reverted(case.says, it.folder)
    end)
  end

  spec.test("in a hook that on_reload comes to: that is told after the reload", function()
    local it <close> = cube("{ grow = 1 }", "function Cube:on_reload() it_met = true end")
    it.pools:alloc "Cube"
    quietly(function()
      it.save("pools/Cube.lua", class("Cube", "{ grow = 1 }", "function Cube:on_reload() Cube.met = self:alloc() end\n"
        .. "function Cube:on_create() error 'new' end"))
      local result <const> = reload.now()
      spec.equal({ result.ok, result.line:find("^reloaded pools/Cube.lua") ~= nil }, { true, true })
    end)
    spec.equal(it.pools:pool("Cube").class.on_create, nil)
    reverted()
    spec.equal(reload.poll(), nil)
  end)

  spec.test("and whose last good version fails too just then: the next new code goes back to that", function()
    local it <close> = cube("{}", "if _G.refuses then error 'not now' end function Cube:on_spawn() _G.by = 'first' end")
    it.pools:alloc "Cube"
    it.edit("pools/Cube.lua", "_G.by = 'first'", "error 'second'")
    _G.refuses, _G.by = true, nil
    quietly(function() spec.equal(pcall(it.pools.alloc, it.pools, "Cube"), false) end)
    _G.refuses = nil
    spec.equal({ reload.poll(), _G.by }, {})
    it.edit("pools/Cube.lua", "error 'second'", "error 'third'")
    quietly(function() it.pools:alloc "Cube" end)
    spec.equal(_G.by, "first")
    reverted()
  end)

  spec.test("in an overflow function: the old one chooses", function()
    local it <close> = cube "{ limit = 1, overflow = function(pool) for o in pool:each() do return o end end }"
    local a <const> = it.pools:alloc "Cube"
    it.edit("pools/Cube.lua", "function(pool) for", "function(pool) error 'new' for")
    quietly(function() spec.equal(it.pools:alloc("Cube").alive, true) end)
    spec.equal(a.alive, false)
    reverted()
  end)

  spec.test("in a timer of the manager: new code runs, and the last good one when that fails", function()
    local it <close> = cube("{}", "function Cube.beat() _G.by = 'old' end")
    it.pools:alloc "Cube"
    local timer <const> = it.pools:every(1 / 64, it.pools:pool("Cube").class.beat)
    it.edit("pools/Cube.lua", "_G.by = 'old'", "_G.by = 'new'")
    kit.tick(it.pools, 2)
    spec.equal(_G.by, "new")
    it.edit("pools/Cube.lua", "_G.by = 'new'", "error 'newer'")
    quietly(function() kit.tick(it.pools, 2) end)
    spec.equal({ _G.by, timer:stop() }, { "old", true })
    reverted()
  end)

  spec.test("keeps what the game has made of file-locals and fields meanwhile", function()
    local it <close> = cube("{ fields = { hp = 1 } }", [[
local count = 0
function Cube:on_spawn() count = count + 1 end
function Cube.count() return count end
]])
    local a <const> = it.pools:alloc "Cube"
    it.edit("pools/Cube.lua", "count = count + 1 end", "count = count + 1 if count == 3 then error 'new' end end")
    a.hp = 5
    quietly(function()
      it.pools:alloc "Cube"
      it.pools:alloc "Cube"
    end)
    -- Both versions counted the third: what the failed one did stays done.
    spec.equal({ a.pool.class.count(), a.hp, it.pools:pool("Cube").live }, { 4, 5, 3 })
    reverted()
  end)

  spec.test("is good after 120 frames in which it ran: later errors are told, and nothing is taken back", function()
    local it <close> = cube("{}", "function Cube:on_spawn() _G.by = 'old' end")
    it.pools:alloc "Cube"
    it.edit("pools/Cube.lua", "_G.by = 'old'", "if _G.fails then error 'new' end")
    for _ = 1, 120 do
      it.pools:alloc("Cube"):recycle()
      reload.poll()
    end
    _G.fails = true
    spec.expect_error("Cube.lua:3: new", it.pools.alloc, it.pools, "Cube")
    spec.equal(reload.poll(), nil)
  end)

  spec.test("is on probation for as long as it has not run, in coroutines too", function()
    if debug.gethook() then return end -- calls are counted by a hook, and this one has the seat
    local it <close> = projects.open {
      ["m.lua"] = "local M <const> = {}\nfunction M.step() end\nfunction M.go() return 'old' end\nreturn M",
      ["pools/Cube.lua"] = class("Cube", "{}", "function Cube:on_spawn() _G.by = require('m').go() end"),
    }
    local m <const> = require "m"
    it.pools:alloc "Cube"
    local co <const> = coroutine.wrap(function()
      while true do m.step() coroutine.yield() end
    end)
    it.edit("m.lua", "return 'old'", "error 'new'")
    for _ = 1, 500 do reload.poll() end
    for _ = 1, 119 do
      co()
      reload.poll()
    end
    quietly(function() it.pools:alloc "Cube" end)
    spec.equal(_G.by, "old")
    reverted { files = { "m.lua" } }
    it.edit("m.lua", "error 'new'", "error 'newer'")
    for _ = 1, 120 do
      co()
      reload.poll()
    end
    spec.expect_error("newer", it.pools.alloc, it.pools, "Cube")
  end)

  spec.test("is in force again when the same error comes without it", function()
    local it <close> = projects.open { ["config.lua"] = "return { speed = 5 }",
      ["pools/Cube.lua"] = class("Cube", "{}", "function Cube:on_spawn(o) o.x = require'config'.speed error 'no' end") }
    it.pools:pool "Cube"
    local config <const> = require "config"
    it.edit("config.lua", "speed = 5", "speed = 6")
    quietly(function() spec.equal(pcall(it.pools.alloc, it.pools, "Cube"), false) end)
    spec.equal({ config.speed, reload.poll() == nil, reload.is_waiting() }, { 6, true, false })
  end)

  spec.test("was edited twice: the version from before both comes back", function()
    local it <close> = cube("{}", "function Cube:on_spawn() _G.by = 'good' end")
    it.pools:alloc "Cube"
    it.edit("pools/Cube.lua", "'good'", "'unproven'")
    it.edit("pools/Cube.lua", "_G.by = 'unproven'", "error 'new'")
    quietly(function() it.pools:alloc "Cube" end)
    spec.equal(_G.by, "good")
    reverted()
  end)

  spec.test("is not taken back in the middle of a file that runs: the error is the file's", function()
    local it <close> = cube("{}", "function Cube:on_spawn() _G.by = 'old' end")
    it.pools:alloc "Cube"
    _G.cubes = it.pools
    it.edit("pools/Cube.lua", "_G.by = 'old'", "error 'new'")
    it.save("late.lua", "local cubes <const> = cubes\ncubes:alloc 'Cube'\nreturn {}")
    spec.expect_error("Cube.lua:3: new", require, "late")
    quietly(function() spec.equal(it.pools:alloc("Cube").alive, true) end)
    spec.equal(_G.by, "old")
    reverted()
  end)
end)

spec.describe("the functions around a reload", function()
  spec.test("hand a value over: before_reload in the old code, after_reload in the new", function()
    local it <close> = projects.open {
      ["m.lua"] = "local M <const> = { v = 1 }\nfunction M.before_reload() return 'from ' .. M.v end\nreturn M",
    }
    local m <const> = require "m"
    it.edit("m.lua",
      "local M <const> = { v = 2 }\nfunction M.after_reload(value) M.got = value .. ' to ' .. M.v end\nreturn M")
    spec.equal(m.got, "from 1 to 2")
  end)

  spec.test("are called on classes too, and on_reload for every live object", function()
    local BODY <const> = [[
function Cube.before_reload() return 12 end
function Cube.after_reload(value) _G.value = value end
function Cube:on_reload(o, version) _G.seen = (_G.seen or "") .. o.id .. ":" .. version .. " " o.x = 9 end
]]
    local it <close> = cube("{}", BODY)
    local a <const>, b <const> = it.pools:alloc "Cube", it.pools:alloc "Cube"
    it.edit("pools/Cube.lua", "{}", "{ limit = 10 }")
    spec.equal({ _G.value, _G.seen, a.x, b.x }, { 12, "1:1 2:1 ", 9.0, 9.0 })
    it.edit("pools/Cube.lua", "{ limit = 10 }", "{}")
    spec.equal(_G.seen, "1:1 2:1 1:2 2:2 ")
  end)

  spec.test("refuse the reload when before_reload raises", function()
    local it <close> = cube("{ limit = 1 }", "function Cube.before_reload() error 'not now' end")
    it.pools:alloc "Cube"
    local message <const> = it.refuse("pools/Cube.lua", "{ limit = 1 }", "{ limit = 2 }")
    spec.equal(message:find("Cube.lua:3: not now", 1, true) ~= nil, true)
    spec.equal(it.pools:pool("Cube").limit, 1)
  end)

  spec.test("take back the one file of two that is to blame", function()
    local it <close> = projects.open {
      ["pools/Ball.lua"] = class("Ball", "{ limit = 1 }"), ["pools/Cube.lua"] = class("Cube", "{ limit = 1 }"),
    }
    it.pools:alloc "Ball"
    it.pools:alloc "Cube"
    it.refuse {
      ["pools/Ball.lua"] = class("Ball", "{ limit = 2 }"),
      ["pools/Cube.lua"] = class("Cube", "{ limit = 2 }", "function Cube:on_reload() error 'no' end"),
    }
    spec.equal({ it.pools:pool("Ball").limit, it.pools:pool("Cube").limit }, { 2, 1 })
  end)

  for _, name in ipairs { "function Cube.after_reload()", "function Cube:on_reload()" } do
    spec.test(("take the file back when it raises in %s"):format(name), function()
      local it <close> = cube("{ limit = 1 }", "")
      it.pools:alloc "Cube"
      local _, result <const> = it.refuse("pools/Cube.lua", class("Cube", "{ limit = 2 }", name .. " error 'no' end"))
      spec.equal({ result.reverted, it.pools:pool("Cube").limit }, { true, 1 })
    end)
  end
end)
