-- Edits that fail: files that cannot be loaded are refused, and code that loads and fails later is taken back. The old
-- code goes on, and finishes the call.
local spec <const> = require "spec"
spec.differs_each_time "code that never ends is stopped by a clock"
local history <const> = require "reload_history"
local projects <const> = require "reload_kit"

local class <const>, test <const> = projects.class, projects.test

local function cube(definition, body) return { ["pools/Cube"] = class("Cube", definition, body) } end

-- {== Files that do not load ==================================================

spec.describe("a file that will not do", function()
  local function good(sign)
    return { m = ("local M <const> = { v = 1 }\nfunction M.f() return %sM.v end\nreturn M"):format(sign) }
  end
  local noise <const> = {} -- of any bytes, but for those that begin a chunk of bytecode
  for i = 1, 2000 do noise[i] = string.char(math.random(0, 255)):gsub("\27", "") end
  local ENDLESS <const> = "local f\nf = function() while true do end end\nwhile true do pcall(coroutine.wrap(f)) end"
  for name, text in pairs {
    ["empty"] = "",
    ["of any bytes"] = table.concat(noise),
    ["with a line without end"] = "return {" .. ("{"):rep(200000),
    ["that raises a table"] = "error({})",
    ["of bytecode"] = string.dump(function() return {} end),
    ["that goes too deep"] = "local function f() return 1 + f() end f()",
    ["that never ends, in a coroutine behind pcall"] = ENDLESS,
    ["that never ends, where instructions are counted"] = ENDLESS,
  } do
    local counts <const> = name:find "counted" and "reload.no_signal() " or ""
    test(name .. " is refused, and all is as it was", good "", {
      counts .. "reload.patience(0.1) old = m f = m.f m.v = 6", { m = text }, "! m.lua",
      "equal({ old.f == f, f(), _G.Global, rawget(string, 'mine'), require 'm' == old }, { true, 6, nil, nil, true })",
      "equal({ result.line:find('\\n', 1, true), #result.line < 300 }, { nil, true })",
      good "-", "? old.f() == -6",
    }, "m")
  end

  test("has the right line in its error behind a mark of its encoding", good "", {
    { m = "\xef\xbb\xbflocal M = {}\n\nerror 'third'\nreturn M\n" }, "! m.lua:3: third",
  }, "m")

  test("because its folder is gone keeps its code, until the folder is there again", {}, {
    "sub = folder .. '/sub' spec.make_folder(sub) io.open(sub .. '/m.lua', 'w'):write('return { v = 1 }'):close()",
    "m = require 'sub.m' first = reload.now() spec.remove(sub)",
    "equal({ first, reload.now().line, m.v }, { nil, 'sub/m.lua was deleted: its last code stays', 1 })",
    "spec.make_folder(sub)", { ["sub/m"] = "return { v = 2 }" }, "? m.v == 2",
  })

  local TWO <const> = { m = "return { v = 1 }", other = "return { v = 1 }" }
  test("because it never ends is not tried again with others", TWO, {
    "reload.patience(0.1)", { m = "Runs = (Runs or 0) + 1 while true do end" }, "! m.lua",
    { other = "return { v = 2 }" }, "equal({ m.v, other.v, reload.is_waiting() }, { 1, 2, true })", { m = TWO.m },
    "? result.line == 'm.lua matches the running code again' and not reload.is_waiting()",
  }, "m other")

  test("is tried again when another file mends it", {
    helper = "return { name = 'a' }",
    m = "local helper <const> = require 'helper'\nreturn { n = helper.name:upper() }",
  }, {
    { "m", "name", "title" }, "! m.lua", "? m.n == 'A'", { helper = "return { title = 'b' }" }, "? m.n == 'B'",
  }, "m")
end)

spec.describe("a file that returns", function()
  local VALUES <const> = {
    "", "return nil", "return false", "return true", "return 5", "return 'text'", "return function() return 1 end",
    "return { n = 1 }", "return coroutine.create(print)", "return io.stdout", "return math.floor",
    "return setmetatable({}, { __index = math })",
  }
  local USER <const> = "local m = require 'm'\nreturn { m = m, get = function() return m end }"
  local texts <const> = {}
  for i = 1, #VALUES do texts[i] = VALUES[i * 5 % #VALUES + 1] end
  spec.test("any value may return any other one, but for a table no longer",
    history("m user", { m = texts[1], user = USER }, { table.unpack(texts, 2) }))
end)

local CIRCLE <const> = { a = "require 'b'\nreturn { name = ... }", b = "require 'c'\nreturn {}",
  c = "return { name = ... }" }
spec.test("a circle of requires is refused, named, and opened again", history("a", CIRCLE, {
  "> game.a = a a.g1 = 5", { c = "require 'a'\n" .. CIRCLE.c }, "? a == game.a and a.g1 == 5",
  { a = "\n" .. CIRCLE.a }, "? a.g1 == 5", CIRCLE, "? a == game.a and a.g1 == 5",
}))

-- }==

-- {== Code that fails ========================================================

local SAYS_OLD <const> = "function Cube:%s() _G.by = 'old' end"
local SPAWN <const> = SAYS_OLD:format "on_spawn"
local USE <const> = "new = pools:alloc 'Cube' tick(pools) pools:recycle(new)"

-- Code of a class, what the game does when an edit has made a part of it fail, and what is then said. `o` is an object
-- from before the edit. The old code finishes the work, and sets `by`. `edit`: another one than that `by` is set no
-- longer; `config`, `helper`: other files.
local FAILS <const> = {
  ["in alloc"] = { "function Cube:alloc(...) _G.by = 'old' return Cube.super.alloc(self, ...) end",
    "? pools:alloc('Cube', 0, 5).x == 5" },
  ["in recycle after its base call, which ends the life once"] = {
    "function Cube:recycle(o) local done = Cube.super.recycle(self, o) _G.by = 'old' return done end",
    "equal({ pools:recycle(o), o.alive, pools:stats('Cube').recycles }, { true, false, 1 }) _G.by = 'old'" },
  ["in a timer"] = {
    "function Cube:on_spawn(o) o:every(1 / 64, Cube.beat) end\nfunction Cube.beat() _G.by = 'old' end",
    "tick(pools, 2)" },
  ["in what alloc returns"] = {
    "function Cube:alloc(...) local o <const> = Cube.super.alloc(self, ...) _G.by = 'old' return o end", USE,
    "error = \"alloc of class 'Cube' returned 5\"", edit = { "pools/Cube", "return o end", "return 5 end" } },
  ["in on_spawn"] = { SPAWN, USE, "files = { 'pools/Cube.lua' }, error = 'Cube.lua:3: new', "
    .. "line = 'pools/Cube.lua is reverted to the version before '" },
  ["in on_despawn"] = { SAYS_OLD:format "on_despawn", USE },
  ["in update"] = { SAYS_OLD:format "update", USE },
  ["and never ends: it is stopped"] = { SAYS_OLD:format "update", USE,
    "error = 'stopped: it ran for more than 0.1 s'",
    edit = { "pools/Cube", "_G.by = 'old'", "while true do pcall(function() while true do end end) end" } },
  ["in a module that a hook calls: the module is taken back"] = {
    "function Cube:on_spawn() _G.by = require 'helper'() end", USE, "files = { 'helper.lua' }",
    helper = "return function() return 'old' end", edit = { "helper", "'old'", "error 'new'" } },
  ["where another file reads it"] = { "function Cube:on_spawn() _G.by = require 'helper'() == 10 and 'old' end", USE,
    "files = { 'config.lua' }, line = 'config.lua is reverted to the version before '", config = "return { speed = 5 }",
    helper = "local config <const> = require 'config'\nreturn function() return config.speed * 2 end",
    edit = { "config", "{ speed = 5 }", "{}" } },
}

spec.describe("new code that fails", function()
  for name, case in pairs(FAILS) do
    local body <const>, act <const>, says <const> = table.unpack(case)
    test(name .. ": the old code is called", { ["pools/Cube"] = class("Cube", "{ grow = 1 }", body),
      config = case.config or "", helper = case.helper or "" }, {
      "reload.patience(0.1) o = pools:alloc 'Cube'",
      case.edit or { "pools/Cube", "_G.by = 'old'", "error 'new'" }, "_G.by = nil", act,
      ("spec.check() reverted { %s }"):format(says or ""), "? by == 'old'",
    })
  end

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

  local function versions(n) return ("local M <const> = {}\nfunction M.n() return %s end\nreturn M"):format(n) end
  test("is on the disk, where the next save starts from", { a = versions(0), b = versions(0), main = [[
local a <const>, b <const> = require "a", require "b"
local M <const> = { sum = 0 }
function M.update() M.sum = M.sum + a.n() + b.n() end
return M
]] }, {
    { "a", "return 0", "return helper()" }, "play(1) went_back 'a.lua'",
    "equal({ reload.now(), reload.poll(), reload.is_waiting() }, { nil, nil, true })",
    { b = versions(2) .. "\n" }, "play(1) went_back() equal({ a.n(), b.n() }, { 0, 0 })",
    { b = "function helper() return 7 end\n" .. versions(2) },
    "play(1) stays() equal({ a.n(), b.n(), main.sum }, { 7, 2, 9 })",
  }, "main")

  test("is found where a later save has moved it: both go back", {
    a = "local M <const> = {}\nfunction M.f() return 0 end\nreturn M", main =
    "local a <const>, M <const> = require 'a', {}\nfunction M.update() a.f() end\nreturn M",
  }, {
    { "a", "return 0", "if fails then error 'late' end" }, { "a", "local M", "\n\n\nlocal M" },
    "_G.fails = true play(1) went_back 'a.lua' play(2) stays() _G.fails = nil", "? a.f() == 0",
  }, "main")

  test("and runs rarely is on probation until it has run in 120 frames", {
    boss = "local M <const> = { hp = 100 }\nfunction M.roar() M.hp = M.hp - 1 end\nreturn M", main = [[
local boss <const> = require "boss"
local M <const> = { frames = 0 }
function M.update()
  if M.frames % 60 == 59 then boss.roar() end
  M.frames = M.frames + 1
end
return M
]] }, {
    { "boss", "M.hp = M.hp - 1", "M.hp = M.hp - 1 if M.hp < 95 then nothing.x = 1 end" },
    "if debug.gethook() then return end play(6 * 60 + 1) went_back 'boss.lua' stays()", -- calls are counted by a hook
    "? debug.gethook() or main.frames == 361 and boss.hp < 95",
  }, "main")

  local LATE <const> = cube("{}", SPAWN)
  LATE.late = "cubes:alloc 'Cube' return {}"
  test("is not taken back in the middle of a file that runs: the error is the file's", LATE, {
    "pools:alloc 'Cube' _G.cubes = pools", { "pools/Cube", "_G.by = 'old'", "error 'new'" },
    "expect_error('Cube.lua:3: new', require, 'late')", "_G.by = nil new = pools:alloc 'Cube' reverted()",
    "? new.alive and by == 'old'",
  })
end)

-- }==

-- {== Before and after ========================================================

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

  local function module(version, before)
    return ("local M = { version = %d }\nfunction M.before_reload() %s end\nreturn M"):format(version, before)
  end
  test("do not keep out an edit of before_reload itself, where that fails", { m = module(1, "error 'not now'") }, {
    { m = module(2, "error 'not now'") }, "! not now",
    { during = "said = hear(edit)", m = module(3, "") }, "? m.version == 3 and said:match 'not now'",
  }, "m")
end)

-- }==
