-- Histories of edits with what random projects do not write, or seldom. After each the whole program is compared with a
-- fresh load (reload_history.lua); a history says only what the game has set, or what is there to be read.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; spec_reload_classes runs with each"
local history <const> = require "reload_history"

-- Tests of one group: name -> versions of m.lua, with what happens between them.
local function each_of_m(group, cases)
  spec.describe(group, function()
    for name, case in pairs(cases) do
      spec.test(name, history("m", { m = case[1] }, { table.unpack(case, 2) }), 2)
    end
  end)
end

-- {== Aliases =================================================================

each_of_m("one table splits and joins", {
  ["with what is in it"] = { "local d = { deep = { 1 } }\nreturn { a = d, b = d.deep }",
    "local d = { deep = { 1 } }\nreturn { a = d, b = { 1 } }",
    "local d = { 1 }\nreturn { a = { deep = d }, b = { deep = d } }" },
  ["as a class and its methods"] = { "local M = {}\nM.__index = M\nfunction M.f() return 1 end\nreturn M",
    "local M, methods = {}, {}\nM.__index = methods\nfunction methods.f() return 2 end\nreturn M",
    "local M = { methods = {} }\nM.__index = M.methods\nfunction M.methods.f() return 3 end\nreturn M",
    "local M = {}\nM.__index = function(_, key) return M[key] end\nreturn M" },
  ["as its own metatable"] = { "local M = {}\nreturn setmetatable(M, M)",
    "local M = {}\nreturn setmetatable(M, { __index = M })",
    "local M = {}\nreturn setmetatable(M, { __index = { x = 1 } })", "return {}" },
  ["as a key and a value"] = { "local d = {}\nreturn { set = { [d] = d }, d = d }",
    "local d = {}\nreturn { set = { [d] = true }, d = d }",
    "local d, e = {}, {}\nreturn { set = { [d] = e, [e] = d }, d = d, e = e }" },
  ["in a table that no file owns"] = { "local d = { n = 1 }\nworld.names.m = d\nreturn { d = d }",
    "world.names.m = { n = 2 }\nreturn { d = { n = 1 } }",
    "local d = { n = 3 }\nworld.names.m = { d }\nreturn { d = d }" },
  ["in a loop"] = { "local t = {}\nt.self = t\nreturn { t = t }", "local t = { self = {} }\nreturn { t = t }",
    "local t, u = {}, {}\nt.self, u.self = u, t\nreturn { t = t, u = u }",
    "local t = {}\nt.self = { self = t }\nreturn { t = t }" },
  ["as parent and child"] = { "local p = { kids = {} }\np.kids[1] = { parent = p }\nreturn p",
    "local p = { kids = {} }\np.kids[1] = { parent = { kids = p.kids } }\nreturn p",
    "local p = { kids = {} }\np.kids[1] = p\nreturn p" },
  ["that the module is"] = { "local M = {}\nM.M = M\nreturn M", "local M = {}\nM.M = {}\nreturn M",
    "local M = {}\nM.M = { M }\nreturn M" },
  ["as a default and its copy"] = {
    "local function copy(t) local c = {} for k, v in pairs(t) do c[k] = v end return c end\n"
      .. "local d = { hp = 1 }\nreturn { default = d, current = d, copy = copy }", "> m.current.hp = 50",
    "local function copy(t) local c = {} for k, v in pairs(t) do c[k] = v end return c end\n"
      .. "local d = { hp = 1 }\nreturn { default = d, current = copy(d), copy = copy }", "? m.default ~= m.current" },
})

-- As middleclass does it: methods are copied into those that inherit them, and lie in tables of their own.
local LIBRARY <const> = [[
local M = {}
local function set(class, name, f)
  f = f == nil and class.super and class.super.dict[name] or f
  class.dict[name] = f
  for sub in pairs(class.subs) do
    if sub.declared[name] == nil then set(sub, name, f) end
  end
end
function M.class(name, super)
  local dict = {}
  dict.__index = dict
  local class = { name = name, super = super, dict = dict, declared = {}, subs = setmetatable({}, { __mode = "k" }) }
  setmetatable(class, {
    __index = dict, __call = function(self, ...) return setmetatable({ class = self, ... }, dict) end,
    __tostring = function() return "class " .. name end,
    __newindex = function(self, key, f) self.declared[key] = f set(self, key, f) end,
  })
  if super then
    for key, f in pairs(super.dict) do
      if not (key == "__index" and type(f) == "table") then set(class, key, f) end
    end
    super.subs[class] = true
  end
  return class
end
return M
]]

spec.describe("a class library that copies inherited methods", function()
  local BASE <const> = "local Base = require('lib').class 'Base'\nfunction Base:hit() return 1 end\n"
    .. "function Base:die() return 'base' end\nreturn Base"
  local function orc(body) return "local Orc = require('lib').class('Orc', require 'base')\n" .. (body or "")
    .. "\nreturn Orc" end
  local ORC_DIES <const> = "function Orc:die() return 'orc' end"
  local ALL <const> = { lib = LIBRARY, base = BASE, orc = orc(), elf = orc():gsub("Orc", "Elf") }

  for name, steps in pairs {
    ["an override appears and goes"] = { { orc = orc(ORC_DIES) },
      "? orc():die() == 'orc' and base():die() == 'base' and elf():die() == 'base'", { orc = orc() },
      "? orc():die() == 'base' and game.o:die() == 'base'" },
    ["a method of the base is edited"] = { { base = BASE:gsub("'base'", "'edited'") },
      "? orc():die() == 'edited' and game.o:die() == 'edited'", { orc = orc(ORC_DIES) } },
    ["a method of the base goes"] = { { base = BASE:gsub("function Base:die.-\n", "") }, "? orc().die == nil" },
    ["an override is another class's method"] = { { orc = orc "Orc.die = require('base').hit" }, "? orc():die() == 1" },
    ["an override is a function of C"] = { { orc = orc "Orc.die = tostring" } },
    ["an override of a metamethod"] = { { orc = orc "function Orc:__len() return 9 end" }, "? #orc() == 9" },
    ["the library is edited"] = { { lib = "-- one line more\n" .. LIBRARY }, { orc = orc(ORC_DIES), lib = LIBRARY },
      "? game.o:die() == 'orc'" },
    ["a class has another base"] = { { orc = orc():gsub("require 'base'", "require 'elf'") },
      { elf = ALL.elf:gsub("\nreturn", "\nElf.die = nil%0") }, { orc = orc() } },
    ["a class is renamed"] = { { orc = orc():gsub("'Orc'", "'Ork'") }, "? orc.name == 'Ork'" },
  } do
    spec.test(name, history("lib base elf orc", ALL, { "> game.o = orc() game.e = elf()", table.unpack(steps) }))
  end
end)

-- }==

-- {== Values ==================================================================

spec.test("a global's other zero is the game's, and stays", history("m", { m = "_G.zero = 0 return { n = 1 }" }, {
  "> _G.zero = -0.0", "_G.zero = 0 return { n = 2 }", "? 1 / zero < 0 and m.n == 2",
}))

local function counter(declaration)
  return declaration .. "\nreturn { get = function() return a end, set = function(v) a = v end }"
end

for _, first in ipairs { "local a = 1", "local a = {}", "local a, b = 1, 2", "local a" } do
  spec.test("a file-local: the game's 42 stays when the first value is left out: " .. first, history("m",
    { m = counter(first) }, { "> m.set(42)", counter "local a", "\n" .. counter "local a", "? m.get() == 42" }))
end

each_of_m("a file-local", {
  ["gets the new first value, whatever it was before"] = { counter "local a", "> m.set(42)", counter "local a = 5",
    "? m.get() == 5", "> m.set(43)", counter "local a = 6", "> m.set(44)", "\n" .. counter "local a = 6",
    "? m.get() == 44", counter "local a = 'x'", counter "local a = {}", "> m.set(false)",
    "\n" .. counter "local a = {}", "? m.get() == false", "> m.set(nil)", "\n\n" .. counter "local a = {}",
    "? m.get() == nil", counter "local a = true" },
  ["that nothing had used before"] = { "local a = 1\nreturn {}", counter "local a = 1", "> m.set(2)",
    "\n" .. counter "local a = 1", "? m.get() == 2" },
  ["<const> and not, in turn"] = { "local a <const> = 1\nreturn { get = function() return a end }",
    counter "local a = 1", "> m.set(9)", "\n" .. counter "local a = 1",
    "local a <const> = 1\nreturn { get = function() return a end }", counter "local a = 2" },
  ["of more names in one statement"] = { "local a, b, c = 1, 2\nreturn { get = function() return a, b, c end }",
    "local b, a, c = 1, 2\nreturn { get = function() return a, b, c end }",
    "local a, b, c = (function() return 1, 2, 3 end)()\nreturn { get = function() return a, b, c end }" },
  ["becomes a parameter, a global, and a file-local again"] = { counter "local a = 1", "> m.set(5)",
    "return { get = function(a) return a end }", "a = 1\nreturn { get = function() return a end }",
    counter "local a = 1", "? m.get() == 1 and a == nil" },
})

local function waves(...)
  return ("local waves = { %s }\nreturn { waves = waves, at = function(i) return waves[i] end }")
    :format(table.concat({ ... }, ", "))
end
local A <const>, B <const> = "{ name = 'a', hp = 1 }", "{ name = 'b', hp = 1 }"
local C <const>, X <const> = "{ name = 'c', hp = 1 }", "{ name = 'x', hp = 9 }"

each_of_m("an array of tables", {
  ["into whose middle one is inserted, and taken out"] = { waves(A, B, C),
    "> m.waves[1].hp = 11 m.waves[2].g1 = 'game' game.b = m.waves[2]", waves(A, X, B, C),
    "? m.at(2).name == 'x' and m.at(2).hp == 9 and m.at(3) == game.b",
    waves(A, B, C), "? m.at(2).name == 'b' and #m.waves == 3", waves(X, A, B, C),
    "? m.at(1).name == 'x' and m.at(1).hp == 9", waves(B), waves(A, B, C), "? m.at(3).hp == 1" },
  ["that the game has made longer, shorter and another"] = { waves(A, B), "> m.waves[3] = { name = 'game' }",
    waves(A, X), "? m.at(3).name == 'game'", waves(A, X, C), "? m.at(3).name == 'c' and m.at(4).name == 'game'",
    "> m.waves[2] = nil",
    "\n" .. waves(A, X, C), "? m.at(2) == nil", waves(A, B, C), "? m.at(2) == nil or m.at(2).name == 'b'" },
  ["of numbers, with holes"] = { waves("1", "2", "3"), "> m.waves[2] = 20", waves("1", "2", "4"),
    "? m.at(2) == 20 and m.at(3) == 4", waves("1", "nil", "4"), "? m.at(2) == nil", waves("1", "2", "4") },
})

spec.describe("metamethods of what a module holds are not called:", function()
  local EVENTS <const> = { "__tostring", "__eq", "__index", "__newindex", "__len", "__pairs", "__lt", "__hash",
    "__name", "__call", "__close", "__concat", "__unm", "__mode" }

  -- A metatable that has `body` for each of these.
  local function text(events, body, n)
    local fields <const> = {}
    for i, event in ipairs(events) do fields[i] = ("%s = %s"):format(event, body) end
    return ([[
local M = { n = %d }
local mt = { %s }
local a, b = setmetatable({ 1 }, mt), setmetatable({ 1 }, mt)
M[a] = b
M.a, M.b, M.list = a, b, { a, b, a }
function M.get() return a, b end
world.names[a] = b
return setmetatable(M, mt)]]):format(n, table.concat(fields, ", "))
  end

  for name, body in pairs {
    ["that raise"] = "function() error 'a metamethod' end", ["that never end"] = "function() while true do end end",
  } do
    for what, events in pairs { ["all others"] = EVENTS, __metatable = { "__metatable" } } do
      spec.test(("%s, %s"):format(what, name), history("m", { m = text(events, body, 1) }, {
        "> game.a = rawget(m, 'a')", text(events, body, 2), "? rawequal(game.a, rawget(m, 'a'))", "return {}",
        text(events, body, 3), text(events, body, 4), "error 'late'", "? rawget(m, 'n') == 4", text(events, body, 5),
      }))
    end
  end
end)

-- }==

-- {== Values that each run makes anew, and those of others ====================

local MINE <const> = 'function() return "MINE" end'

-- The text with each value in turn in its place.
local function with_values(place, ...)
  local texts <const> = {}
  for i, value in ipairs { ... } do texts[i] = place:gsub("%%s", function() return value end) end
  return texts
end

each_of_m("what each run makes anew", {
  ["stays under all its names"] = {
    "local f = load 'return 1'\nworld.list[1] = function() return f end\nreturn { f = function() return f end }",
    "> game.f = m.f()", "local f = load 'return 1'\nworld.list[1] = f\nreturn { f = function() return f end }",
    "? m.f() == game.f", "? world.list[1] == m.f()" },
  ["if it is an iterator that is half-way goes with the edit that changes it"] = {
    'local next_word = string.gmatch("a b c", "%a")\nreturn { word = function() return next_word() end }',
    "? m.word() == 'a'",
    'local next_word = string.gmatch("x y", "%a")\nreturn { word = function() return next_word() end }',
    "? m.word() == 'x'" },
  ["if it is a suspended coroutine in a file-local finishes"] = {
    "local co = coroutine.create(function() coroutine.yield(1) return 2 end)\nlocal M = {}\n"
      .. "function M.step() return select(2, coroutine.resume(co)) end\nreturn M",
    "> game.step = m.step", "? m.step() == 1", "local M = {}\nfunction M.step() return 3 end\nreturn M",
    "? m.step() == 3 and game.step() == 3" },
})

local UTIL <const> = "local M = { list = { 1 } }\nfunction M.noop() return 0 end\nfunction M.other() return 1 end\n"
  .. "return M"
local USER <const> = "local util = require 'util'\nreturn { noop = util.noop, t = util.list }"

for text, values in pairs {
  ["M.enter = %s\nfunction M.get() return M.enter end\nreturn M"] = { "util.noop", MINE, "util.other", "util.noop",
    "math.floor", "util.noop", "nil", "util.list" },
  ["local f = %s\nreturn { get = function() return f end }"] = { "util.noop", MINE, "util.noop", "util.other", "print",
    "util.other", "{}" },
  ["local t = %s\nreturn { t = t, get = function() return t end }"] = { "util.list", "{ 2 }", "util.list", "{}",
    "util", "util.list", MINE, "util.noop" },
  ["return { { t = %s }, { t = util.list } }"] = { "util.list", "{ 2 }", "util.list", "setmetatable({}, util.list)",
    "util.list", "5" },
  ["return { o = setmetatable({}, %s) }"] = { "util.list", "{ __index = util.list }", "util", "util.list", "nil",
    "{ __index = util.noop }" },
  ["_G.taken = %s\nreturn M"] = { "math", "{ function() return 1 end }", "util.list", "{ 2 }", "util",
    "{ util.noop }" },
} do
  local steps <const> = { "> util.list[2] = 'game' game.noop = util.noop game.list = util.list" }
  local texts <const> = with_values("local util = require 'util'\nlocal M = {}\n" .. text, table.unpack(values))
  for i = 2, #texts do
    steps[#steps + 1] = texts[i]
    steps[#steps + 1] = "? util.noop() == 0 and util.other() == 1 and util.noop == game.noop"
    steps[#steps + 1] = "? user.noop == util.noop and util.list == game.list and util.list[2] == 'game'"
    steps[#steps + 1] = "? util.list[1] == 1 and not util[1] and not math[1]"
  end
  spec.test("what is imported stays as it is when the file takes another value: " .. text,
    history("util user m", { util = UTIL, user = USER, m = texts[1] }, steps))
end

-- }==

-- {== Effects on other modules ================================================

local BUS <const> = [[
local M = { handlers = { kind = "list" }, registry = {}, by = { kind = {} } }
function M.on(f) M.handlers[#M.handlers + 1] = f end
function M.put(name, x) M.registry[name] = x end
function M.emit(...) for _, f in ipairs(M.handlers) do f(...) end end
return M
]]

local function user(name, body)
  return ("local bus = require 'bus'\nlocal M = { n = 0 }\nfunction M.hear() M.n = M.n + 1 end\n%s\n"
    .. "bus.put('%s', M)\nreturn M\n"):format(body or "bus.on(M.hear)", name)
end

spec.describe("a handler", function()
  local EMIT <const> = "> a.n = 0 b.n = 0 bus.emit()"
  -- Of long lists only the last entries are compared.
  local LONG <const> = BUS:gsub("\nfunction", "\nfor i = 1, 6000 do M.handlers[i] = type end%0", 1)
  local files <const> = { bus = LONG, a = user "a", b = user "b" }
  local CALL <const> = "> a.n = 0 b.n = 0 bus.emit(1)"
  spec.test("runs once at the end of a list of thousands", history("bus a b", files, {
    CALL, "? a.n == 1 and b.n == 1", { a = "\n" .. files.a }, CALL,
    "? a.n == 1 and b.n == 1 and #bus.handlers == 6002", { b = "\n" .. files.b }, { a = user("a", "") }, CALL,
    "? a.n == 0 and b.n == 1",
  }))
  spec.test("in a list that gets another name", history("bus a b", { bus = BUS, a = files.a, b = files.b }, {
    { bus = BUS:gsub("handlers", "list") }, EMIT, "? a.n == 1 and b.n == 1 and not bus.handlers",
    { a = "\n" .. files.a }, EMIT, "? a.n == 1", { bus = BUS }, EMIT, "? a.n == 1 and b.n == 1",
  }))
end)

spec.describe("an entry in another module's table", function()
  local function put(body) return "local bus = require 'bus'\n" .. body .. "\nreturn {}" end
  for name, texts in pairs {
    ["by name, renamed"] = { "bus.registry.orc = { hp = 1 }", "bus.registry.elf = { hp = 1 }",
      "bus.registry.elf = { hp = 2 }" },
    ["by a call, renamed"] = { "bus.put('orc', { hp = 1 })", "bus.put('elf', { hp = 1 })",
      "bus.put('orc', { hp = 1 }) bus.put('elf', { hp = 2 })" },
    ["deep in it"] = { "bus.by.kind.orc = function() return 1 end", "bus.by.kind.elf = function() return 1 end",
      "bus.by.other = {}" },
    ["that overrides the module's own"] = { "function bus.emit() return 'a' end", "bus.emit = print", "" },
    ["that sets a limit"] = { "bus.limit = 5", "bus.limit = -0.0", "bus.limit = nil" },
    ["with a function as key"] = { "bus.registry[print] = 1", "bus.registry[print] = 2", "bus.registry[type] = 1" },
    ["in the module itself"] = { "bus.extra = {}", "bus.extra = { 1 }", "bus.more = { 1 }" },
    ["in its metatable"] = { "setmetatable(bus, { __index = world.names })", "setmetatable(bus, nil)",
      "setmetatable(bus, { __len = print })" },
    ["in the standard library"] = { "string.orc = string.rep", "string.elf = string.rep", "table.orc = {}" },
    ["in a table that no file owns"] = { "world.names.a = { hp = 1 }", "world.names.b = { hp = 1 }",
      "world.names.a = 1 world.names.b = 2" },
    ["as a global"] = { "G_orc = { hp = 1 }", "G_elf = { hp = 1 }", "function G_orc() return 1 end" },
    ["in package.loaded"] = { "package.loaded.orc = { hp = 1 }", "package.loaded.elf = { hp = 1 }",
      "package.loaded.orc = 5" },
  } do
    local first <const>, second <const>, third <const> = put(texts[1]), put(texts[2]), put(texts[3])
    spec.test(name, history("bus a", { bus = BUS, a = first }, {
      { bus = "\n" .. BUS }, { a = second }, { bus = BUS }, { a = third }, { bus = "\n" .. BUS }, { a = put "" },
      { a = second }, { a = put "error 'late'" }, { bus = BUS },
    }))
  end

  spec.test("comes back as it was when the file that overrode it does not any more", history("bus a", {
    bus = "local M = { limit = 3 }\nfunction M.get() return 'bus' end\nreturn M",
    a = "local bus = require 'bus'\nbus.limit = 5\nlocal get = bus.get\n"
      .. "function bus.get() return 'a' .. get() end\nreturn {}",
  }, {
    "? bus.limit == 5 and bus.get() == 'abus'", { a = "\nlocal bus = require 'bus'\nbus.limit = 6\nreturn {}" },
    "? bus.limit == 6 and bus.get() == 'bus'", { a = "return {}" }, "? bus.limit == 3 and bus.get() == 'bus'",
    { bus = "local M = { limit = 4 }\nfunction M.get() return 'b' end\nreturn M" }, "? bus.limit == 4",
  }))

  local PUT <const> = "bus.registry.orc = { hp = %d } G_orc = %d world.names.orc = 1"
  spec.test("moves from one file to another in one save", history("bus a b",
    { bus = BUS, a = put(PUT:format(1, 1)), b = put "" },
    { { a = put "", b = put(PUT:format(2, 2)) }, { a = put(PUT:format(1, 1)), b = put "" }, { bus = "\n" .. BUS } }))

  spec.test("keeps what the game has put beside it", history("bus a", { bus = BUS, a = put(PUT:format(1, 1)) }, {
    "> bus.registry.game = { 1 } bus.registry.orc.g1 = 'game'", { a = "\n" .. put(PUT:format(2, 1)) },
    { bus = "\n" .. BUS }, "? bus.registry.orc.g1 == 'game' and bus.registry.game[1] == 1",
  }))
end)

spec.describe("a module's place", function()
  local RETURNED <const> = "local M = { n = 1 }\nfunction M.f() return M.n end\nreturn M"
  local LOADED <const> = "local M = { n = 1 }\npackage.loaded[...] = M\nfunction M.f() return M.n end"
  for name, texts in pairs {
    ["package.loaded[...] = M, without return"] = { LOADED, LOADED:gsub("1", "2"), "\n" .. LOADED },
    ["package.loaded[...], then return"] = { LOADED, RETURNED, LOADED:gsub("1", "2"), (RETURNED:gsub("1", "3")) },
    ["package.loaded by its name"] = { LOADED:gsub("%.%.%.", "'m'"), LOADED:gsub("%.%.%.", "'m'"):gsub("1", "2"),
      RETURNED },
    ["package.loaded and return"] = { LOADED .. "\nreturn M", LOADED:gsub("1", "2") .. "\nreturn M", LOADED },
  } do
    local steps <const> = { "> game.m = m m.g1 = 'game'" }
    for i = 2, #texts do
      steps[#steps + 1] = { m = texts[i] }
      steps[#steps + 1] = "? require 'm' == game.m and m.n == m.f() and user.m == m and m.g1 == 'game'"
    end
    spec.test(name, history("m user", { m = texts[1],
      user = "local m = require 'm'\nreturn { m = m, f = m.f }" }, steps))
  end

  local TEXT <const> = "local s1 = 0\nlocal M = { n = 1 }\nfunction M.add() s1 = s1 + 1 return s1 * M.n end\nreturn M"
  for file, names in pairs { ["lib.lua"] = "lib lib user", ["lib/init.lua"] = "lib lib.init user" } do
    local two <const> = file == "lib.lua" and "" or ", two = require 'lib.init'"
    spec.test("known as " .. names, history(names, { [file] = TEXT,
      user = ("return { one = require 'lib'%s }"):format(two) }, {
      "> user.one.add() user.one.add() if user.two then user.two.add() end game.lib, game.two = user.one, user.two",
      { [file] = TEXT:gsub("n = 1", "n = 10") },
      "? user.one.add() == 30 and user.one == game.lib and user.two == game.two",
      "? not user.two or user.two.add() == 20", { [file] = TEXT }, "? user.one.add() == 4",
    }))
  end

  spec.test("in a cycle that a circle of requires would make is refused", history("a b", {
    a = "local M = { n = 1 }\nreturn M", b = "local a = require 'a'\nreturn { a = a, n = a.n }",
  }, {
    { a = "local b = require 'b'\nlocal M = { n = 2, b = b }\nreturn M" }, "? a.n == 1 and b.n == 1",
    { a = "local M = { n = 3 }\nreturn M" }, "? a.n == 3 and b.n == 3",
    { a = "local M = { n = 4 }\nfunction M.b() return require 'b' end\nreturn M" }, "? a.b() == b",
  }))
end)

spec.describe("a file that nobody edited", function()
  local function rules(registers, factor)
    return { rules = ("return { registers = %s, factor = %s }"):format(registers, factor) }
  end
  local FILES <const> = { rules = rules(false, 1).rules, registry = "return { list = { kind = 'list' } }", user = [[
local rules, registry = require "rules", require "registry"
local s1 = 0
local M = { factor = rules.factor }
function M.count() s1 = s1 + rules.factor return s1 end
if rules.registers then registry.list[#registry.list + 1] = function() return "user" end end
return M]], same = "require 'rules' return { 1, { 2 }, [true] = 3, f = function() return 4 end }" }
  spec.test("runs again with what it requires, and keeps its file-locals", history("rules registry user same", FILES, {
    "> user.count() user.count()", rules(false, 10), "? user.factor == 10 and user.count() == 12", rules(false, 100),
    "? user.factor == 100 and user.count() == 112", rules(true, "{} .. 'x'"), "? user.count() == 212",
  }))
  spec.test("begins to register something, does so once, and takes it back", history("rules registry user", FILES, {
    rules(true, 2), "? #registry.list == 1", rules(true, 3), "? #registry.list == 1", rules(false, 5),
    "? #registry.list == 0",
  }))
end)

-- }==

-- {== What a rejected reload undoes ===========================================

for name, texts in pairs {
  ["a metatable that was set"] = { "return { a = 1 }", "setmetatable(shared, { __index = { b = 2 } })" },
  ["a metatable that was taken away"] = { "return setmetatable({}, { __index = { b = 2 } })",
    "setmetatable(shared, nil)" },
  ["a metatable that was replaced"] = { "return setmetatable({}, { __index = { b = 2 } })",
    "setmetatable(shared, { __index = { b = 3 } })" },
  ["changes inside a metatable"] = { "return setmetatable({}, { __index = { b = 2 } })",
    "getmetatable(shared).__index.b = 3" },
  ["keys that were added, changed and removed"] = { "return { a = 1, b = 2, list = { 1, 2 } }",
    "shared.a, shared.b, shared.c = 5, nil, 6 table.insert(shared.list, 3) shared.list[1] = 0" },
  ["changes of a function's variables"] = {
    "local n, m, t = nil, 1, { 1 } return { get = function() return n, m, t end, set = function(x, y) n, m = x, y "
      .. "t[2] = x end }", "shared.set(7, 1 + (1 << 48))" },
  ["changes of globals"] = { "s_undone = { 1 } return {}", "s_undone = 2 s_undone_new = 3" },
} do
  spec.test("a rejected reload undoes " .. name, history("shared m",
    { shared = texts[1], m = "local shared = require 'shared' return {}" }, {
      { m = ("local shared = require 'shared'\n%s\nerror 'in the end'"):format(texts[2]) },
      { m = "local shared = require 'shared' return { n = 1 }" }, "? m.n == 1",
    }))
end

-- }==
