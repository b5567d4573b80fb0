-- New code that loads and then fails: the version before comes back and finishes the call.
local spec <const> = require "spec"
spec.differs_each_time "code that never ends is stopped by a clock"
local kit <const> = require "kit"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"

local class <const>, test <const> = projects.class, projects.test

local function cube(definition, body) return { ["pools/Cube"] = class("Cube", definition, body) } end

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
local SPAWN <const> = SAYS_OLD:format "on_spawn"
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
  { "in on_spawn", SPAWN, act = use_hooks, says = { files = { "pools/Cube.lua" },
    line = "pools/Cube.lua is reverted to the version before ", error = "Cube.lua:3: new" } },
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
      line = "config.lua is reverted to the version before " } },
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
      projects.reverted(case.says, it.folder)
    end)
  end

  test("in a hook that on_reload comes to: that is told after the reload",
    cube("{ grow = 1 }", "function Cube:on_reload() it_met = true end"), {
      "pools:alloc 'Cube'",
      cube("{ grow = 1 }", "function Cube:on_reload() Cube.met = self:alloc() end\n"
        .. "function Cube:on_create() error 'new' end"),
      "? result.line:find '^reloaded pools/Cube.lua'", "? pools:pool('Cube').class.on_create == nil",
      "reverted()", "? reload.poll() == nil",
    })

  local REFUSING <const> = "if refuses then error 'not now' end function Cube:on_spawn() by = 'first' end"
  test("and whose version before fails too just then: the next new code goes back to that", cube("{}", REFUSING), {
    "pools:alloc 'Cube'", { "pools/Cube", "by = 'first'", "error 'second'" },
    "_G.refuses, _G.by = true, nil done = pcall(pools.alloc, pools, 'Cube') _G.refuses = nil",
    "equal({ done, reload.poll(), by }, { false })", { "pools/Cube", "error 'second'", "error 'third'" },
    "pools:alloc 'Cube' reverted()", "? by == 'first'",
  })

  test("in an overflow function: the old one chooses",
    cube "{ limit = 1, overflow = function(pool) for o in pool:each() do return o end end }", {
      "a = pools:alloc 'Cube'", { "pools/Cube", "function(pool) for", "function(pool) error 'new' for" },
      "b = pools:alloc 'Cube' reverted()", "? b.alive and not a.alive",
    })

  test("in a timer of the manager: new code runs, and the version before when that fails",
    cube("{}", "function Cube.beat() _G.by = 'old' end"), {
      "timer = pools:every(1 / 64, pools:pool('Cube').class.beat)", { "pools/Cube", "'old'", "'new'" },
      "tick(pools, 2)", "? by == 'new'", { "pools/Cube", "_G.by = 'new'", "error 'newer'" },
      "tick(pools, 2) reverted()", "? by == 'new' and timer:stop()",
    })

  test("keeps what the game has made of file-locals and fields meanwhile", cube("{ fields = { hp = 1 } }", [[
    local count = 0
    function Cube:on_spawn() count = count + 1 end
    function Cube.count() return count end]]), {
    "a = pools:alloc 'Cube'",
    { "pools/Cube", "count = count + 1 end", "count = count + 1 if count == 3 then error 'new' end end" },
    "a.hp = 5 pools:alloc 'Cube' pools:alloc 'Cube' reverted()",
    -- Both versions counted the third: what the failed one did stays done.
    "equal({ a.pool.class.count(), a.hp, a.pool.live }, { 4, 5, 3 })",
  })

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
    projects.reverted { files = { "m.lua" } }
  end)

  test("is in force again when the same error comes without it", {
    config = "return { speed = 5 }",
    ["pools/Cube"] = class("Cube", "{}", "function Cube:on_spawn(o) o.x = require'config'.speed error 'always' end"),
  }, {
    "pools:pool 'Cube' old = require 'config'", { "config", "5", "6" }, "? not pcall(pools.alloc, pools, 'Cube')",
    "equal({ old.speed, reload.poll() == nil, reload.is_waiting() }, { 6, true, false })",
  })

  test("was edited twice: the version before the last save comes back, and the one before when that fails too",
    cube("{}", SPAWN), {
      "pools:alloc 'Cube'", { "pools/Cube", "'old'", "'unproven' if fails then error 'first' end" },
      { "pools/Cube", "_G.by = 'unproven'", "error 'new'" }, "pools:alloc 'Cube' reverted()", "? by == 'unproven'",
      "_G.fails = true pools:alloc 'Cube' reverted() _G.fails = nil", "? by == 'old'",
    })

  local LATE <const> = cube("{}", SPAWN)
  LATE.late = "cubes:alloc 'Cube' return {}"
  test("is not taken back in the middle of a file that runs: the error is the file's", LATE, {
    "pools:alloc 'Cube' _G.cubes = pools", { "pools/Cube", "_G.by = 'old'", "error 'new'" },
    "expect_error('Cube.lua:3: new', require, 'late')", "_G.by = nil new = pools:alloc 'Cube' reverted()",
    "? new.alive and by == 'old'",
  })
end)

spec.describe("the functions around a reload", function()
  test("hand a value over: before_reload in the old code, after_reload in the new", {
    m = "local M <const> = { v = 1 }\nfunction M.before_reload() return 'from ' .. M.v end\nreturn M",
  }, {
    { m = "local M <const> = { v = 2 }\nfunction M.after_reload(value) M.got = value .. ' to ' .. M.v end\nreturn M" },
    "? m.got == 'from 1 to 2'",
  }, "m")

  test("are called on classes too, and on_reload for every live object", cube("{}", [[
    function Cube.before_reload() return 12 end
    function Cube.after_reload(value) _G.value = value end
    function Cube:on_reload(o, version) _G.seen = (_G.seen or "") .. o.id .. ":" .. version .. " " o.x = 9 end]]), {
    "a, b = pools:alloc 'Cube', pools:alloc 'Cube'", { "pools/Cube", "{}", "{ limit = 10 }" },
    "equal({ value, seen, a.x, b.x }, { 12, '1:1 2:1 ', 9.0, 9.0 })", { "pools/Cube", "{ limit = 10 }", "{}" },
    "? seen == '1:1 2:1 1:2 2:2 '",
  })

  test("refuse the reload when before_reload raises",
    cube("{ limit = 1 }", "function Cube.before_reload() error 'not now' end"), {
      "pools:alloc 'Cube'", { "pools/Cube", "{ limit = 1 }", "{ limit = 2 }" }, "! Cube.lua:3: not now",
      "? pools:pool('Cube').limit == 1",
    })

  test("take back both files of a save when one is to blame",
    { ["pools/Ball"] = class("Ball", "{ limit = 1 }"), ["pools/Cube"] = class("Cube", "{ limit = 1 }") }, {
      "pools:alloc 'Ball' pools:alloc 'Cube'",
      { ["pools/Ball"] = class("Ball", "{ limit = 2 }"),
        ["pools/Cube"] = class("Cube", "{ limit = 2 }", "function Cube:on_reload() error 'no' end") },
      "! no", "equal({ pools:pool('Ball').limit, pools:pool('Cube').limit }, { 1, 1 })",
    })

  for _, name in ipairs { "function Cube.after_reload()", "function Cube:on_reload()" } do
    test(("take the file back when it raises in %s"):format(name), cube("{ limit = 1 }", ""), {
      "pools:alloc 'Cube'", cube("{ limit = 2 }", name .. " error 'no' end"), "! no",
      "? result.reverted and pools:pool('Cube').limit == 1",
    })
  end
end)
