-- A module's effects on others (lists, entries, globals, package.loaded) are replaced by those of its new code. Random
-- projects register functions and write into others, too; here is what they do not write.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"

local BUS <const> = [[
local M = { handlers = { kind = "list" }, registry = {}, by = { kind = {} } }
function M.on(f) M.handlers[#M.handlers + 1] = f end
function M.put(name, x) M.registry[name] = x end
function M.emit(...) for _, f in ipairs(M.handlers) do f(...) end end
return M
]]

local function user(name, body)
  return ("local bus = require 'bus'\nlocal M = { n = 0 }\nfunction M.hear() M.n = M.n + 1 end\n%s\n"
    .. "bus.put('%s', M)\nreturn M\n"):format(
    body or "bus.on(M.hear)", name)
end

local ALL <const> = { bus = BUS, a = user "a", b = user "b" }
local EMIT <const> = "a.n = 0 b.n = 0 game.n = 0 bus.emit()"

-- {== Lists ===================================================================

spec.describe("a handler", function()
  -- Of long lists only the last entries are compared.
  local LONG <const> = BUS:gsub("\nfunction", "\nfor i = 1, 6000 do M.handlers[i] = type end%0", 1)
  spec.test("runs once at the end of a list of thousands", history("bus a b", { bus = LONG, a = ALL.a, b = ALL.b }, {
    "a.n = 0 b.n = 0 bus.emit(1)", "? a.n == 1 and b.n == 1", { a = "\n" .. ALL.a },
    "a.n = 0 b.n = 0 bus.emit(1)", "? a.n == 1 and b.n == 1 and #bus.handlers == 6002",
    { b = "\n" .. ALL.b }, { a = user("a", "") }, "a.n = 0 b.n = 0 bus.emit(1)", "? a.n == 0 and b.n == 1",
  }))

  spec.test("in a list that gets another name", history("bus a b", ALL, {
    { bus = BUS:gsub("handlers", "list") }, EMIT, "? a.n == 1 and b.n == 1 and not bus.handlers", { a = "\n" .. ALL.a },
      EMIT, "? a.n == 1",
    { bus = BUS }, EMIT, "? a.n == 1 and b.n == 1",
  }))
end)

-- }==

-- {== Entries =================================================================

spec.describe("an entry in another module's table", function()
  local function put(body) return "local bus = require 'bus'\n" .. body .. "\nreturn {}" end
  for _, case in ipairs {
    { "by name, renamed", "bus.registry.orc = { hp = 1 }", "bus.registry.elf = { hp = 1 }",
      "bus.registry.elf = { hp = 2 }" },
    { "by a call, renamed", "bus.put('orc', { hp = 1 })", "bus.put('elf', { hp = 1 })",
      "bus.put('orc', { hp = 1 }) bus.put('elf', { hp = 2 })" },
    { "deep in it", "bus.by.kind.orc = function() return 1 end", "bus.by.kind.elf = function() return 1 end",
      "bus.by.other = {}" },
    { "that overrides the module's own", "function bus.emit() return 'a' end", "bus.emit = print", "" },
    { "that sets a limit", "bus.limit = 5", "bus.limit = -0.0", "bus.limit = nil" },
    { "with a function as key", "bus.registry[print] = 1", "bus.registry[print] = 2", "bus.registry[type] = 1" },
    { "in the module itself", "bus.extra = {}", "bus.extra = { 1 }", "bus.more = { 1 }" },
    { "in its metatable", "setmetatable(bus, { __index = world.names })", "setmetatable(bus, nil)",
      "setmetatable(bus, { __len = print })" },
    { "in the standard library", "string.orc = string.rep", "string.elf = string.rep", "table.orc = {}" },
    { "in a table that no file owns", "world.names.a = { hp = 1 }", "world.names.b = { hp = 1 }",
      "world.names.a = 1 world.names.b = 2" },
    { "as a global", "G_orc = { hp = 1 }", "G_elf = { hp = 1 }", "function G_orc() return 1 end" },
    { "in package.loaded", "package.loaded.orc = { hp = 1 }", "package.loaded.elf = { hp = 1 }",
      "package.loaded.orc = 5" },
    { "in package.preload", "package.preload.orc = function() return 1 end",
      "package.preload.elf = function() return 1 end", "" },
  } do
    local first <const>, second <const>, third <const> = put(case[2]), put(case[3]), put(case[4])
    spec.test(case[1], history("bus a", { bus = BUS, a = first }, {
      { bus = "\n" .. BUS }, { a = second }, { bus = BUS }, { a = third }, { bus = "\n" .. BUS },
        { a = first, bus = BUS }, { a = put "" },
      { bus = "\n" .. BUS }, { a = second }, { a = put "error 'late'" }, { bus = BUS }, { a = first },
    }))
  end

  spec.test("comes back as it was when the file that overrode it does not any more", history("bus a", {
    bus = "local M = { limit = 3 }\nfunction M.get() return 'bus' end\nreturn M",
    a = "local bus = require 'bus'\nbus.limit = 5\nlocal get = bus.get\n"
      .. "function bus.get() return 'a' .. get() end\nreturn {}",
  }, {
    "? bus.limit == 5 and bus.get() == 'abus'", { a = "\nlocal bus = require 'bus'\nbus.limit = 6\nreturn {}" },
      "? bus.limit == 6 and bus.get() == 'bus'",
    { a = "return {}" }, "? bus.limit == 3 and bus.get() == 'bus'", { bus =
      "local M = { limit = 4 }\nfunction M.get() return 'b' end\nreturn M" },
    "? bus.limit == 4",
  }))

  spec.test("moves from one file to another in one save", history("bus a b", {
    bus = BUS, a = put "bus.registry.orc = { hp = 1 } G_orc = 1 world.names.orc = 1", b = put "",
  }, {
    { a = put "", b = put "bus.registry.orc = { hp = 2 } G_orc = 2 world.names.orc = 2" },
      "? bus.registry.orc.hp == 2 and G_orc == 2",
    { a = put "bus.registry.orc = { hp = 1 } G_orc = 1 world.names.orc = 1", b = put "" },
      "? bus.registry.orc.hp == 1 and G_orc == 1",
    { bus = "\n" .. BUS },
  }))

  spec.test("keeps what the game has put beside it", history("bus a", { bus = BUS,
    a = put "bus.registry.orc = { hp = 1 }" }, {
    "bus.registry.game = { 1 } bus.registry.orc.g1 = 'game'", { a = "\n" .. put "bus.registry.orc = { hp = 2 }" },
    "? bus.registry.orc.hp == 2 and bus.registry.orc.g1 == 'game' and bus.registry.game[1] == 1", { bus = "\n" .. BUS },
    "? bus.registry.orc.g1 == 'game' and bus.registry.game[1] == 1",
  }))
end)

-- }==

-- {== The file's own place ====================================================

spec.describe("a module's place", function()
  local RETURNED <const> = "local M = { n = 1 }\nfunction M.f() return M.n end\nreturn M"
  local LOADED <const> = "local M = { n = 1 }\npackage.loaded[...] = M\nfunction M.f() return M.n end"
  for _, case in ipairs {
    { "package.loaded[...] = M, without return", LOADED, LOADED:gsub("1", "2"), "\n" .. LOADED },
    { "package.loaded[...], then return, and the reverse", LOADED, RETURNED, LOADED:gsub("1", "2"),
      RETURNED:gsub("1", "3") },
    { "package.loaded by its name", LOADED:gsub("%.%.%.", "'m'"), LOADED:gsub("%.%.%.", "'m'"):gsub("1", "2"),
      RETURNED },
    { "package.loaded and return", LOADED .. "\nreturn M", LOADED:gsub("1", "2") .. "\nreturn M", LOADED },
  } do
    spec.test(case[1], history("m user", { m = case[2], user = "local m = require 'm'\nreturn { m = m, f = m.f }" }, {
      "game.m = m m.g1 = 'game'", { m = case[3] },
        "? require 'm' == game.m and m.n == m.f() and user.m == m and m.g1 == 'game'",
      { m = case[4] }, "? require 'm' == game.m and m.f == user.f", { m = case[5] or case[2] },
        "? user.m == game.m and m.g1 == 'game'",
    }))
  end

  for _, file in ipairs { "lib/init.lua", "lib.lua" } do
    local names <const> = file == "lib.lua" and "lib lib user" or "lib lib.init user"
    local user_text <const> = file == "lib.lua" and "return { one = require 'lib' }" or
      "return { one = require 'lib', two = require 'lib.init' }"
    local text <const> = "local s1 = 0\nlocal M = { n = 1 }\nfunction M.add() s1 = s1 + 1 return s1 * M.n end\nreturn M"
    spec.test("known as " .. names, history(names, { [file] = text, user = user_text }, {
      "user.one.add() user.one.add() if user.two then user.two.add() end game.lib, game.two = user.one, user.two",
      { [file] = text:gsub("n = 1", "n = 10") },
        "? user.one.add() == 30 and user.one == game.lib and user.two == game.two",
      "? not user.two or user.two.add() == 20", { [file] = text }, "? user.one.add() == 4",
    }))
  end

  spec.test("in a cycle that a circle of requires would make is refused", history("a b", {
    a = "local M = { n = 1 }\nreturn M", b = "local a = require 'a'\nreturn { a = a, n = a.n }",
  }, {
    { a = "local b = require 'b'\nlocal M = { n = 2, b = b }\nreturn M" }, "? a.n == 1 and b.n == 1",
      { a = "local M = { n = 3 }\nreturn M" },
    "? a.n == 3 and b.n == 3", { a = "local M = { n = 4 }\nfunction M.b() return require 'b' end\nreturn M" },
      "? a.b() == b",
  }))
end)

-- }==

-- {== Files that run again, unedited ==========================================

spec.describe("a file that nobody edited", function()
  local function rules(registers, factor)
    return ("return { registers = %s, factor = %d }"):format(registers, factor)
  end
  local REGISTRY <const> = "return { list = { kind = 'list' } }"
  local USER <const> = [[
local rules, registry = require "rules", require "registry"
local s1 = 0
local M = { factor = rules.factor }
function M.count() s1 = s1 + rules.factor return s1 end
if rules.registers then registry.list[#registry.list + 1] = function() return "user" end end
return M]]
  local SAME <const> = "require 'rules' return { 1, { 2 }, [true] = 3, f = function() return 4 end }"
  local FILES <const> = { rules = rules(false, 1), registry = REGISTRY, user = USER, same = SAME }

  spec.test("runs again with what it requires, and keeps its file-locals", history("rules registry user same", FILES, {
    "user.count() user.count()", { rules = rules(false, 10) }, "? user.factor == 10 and user.count() == 12",
    { rules = rules(false, 100) }, "? user.factor == 100 and user.count() == 112",
    { rules = "return { registers = true, factor = {} .. 'x' }" }, "? user.count() == 212",
  }))

  spec.test("begins to register something, does so once, and takes it back", history("rules registry user", FILES, {
    { rules = rules(true, 2) }, "? #registry.list == 1", { rules = rules(true, 3) }, "? #registry.list == 1",
    { rules = rules(true, 4) }, "? #registry.list == 1", { rules = rules(false, 5) }, "? #registry.list == 0",
  }))
end)

-- }==
