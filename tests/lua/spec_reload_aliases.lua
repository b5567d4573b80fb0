-- Each old table or function has at most one successor, and the reverse: aliases that split, join and swap places.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"

local function one(texts, ...)
  local steps <const> = {}
  for _, step in ipairs { ... } do steps[#steps + 1] = step end
  return history("m", { m = texts }, steps)
end

-- Each version in turn, forth and back, with a change of the game before each.
local function versions(act, list)
  local steps <const> = {}
  for round = 1, 2 do
    for i = round == 1 and 2 or #list - 1, round == 1 and #list or 1, round == 1 and 1 or -1 do
      steps[#steps + 1] = act
      steps[#steps + 1] = { m = list[i] }
    end
  end
  return history("m", { m = list[1] }, steps)
end

-- {== Tables ==================================================================

spec.describe("one table", function()
  spec.test("that becomes two: each has what the text says of it",
    one("local d = { hp = 1 }\nreturn { orc = d, elf = d }",
      { m = "local d = { hp = 1 }\nreturn { orc = d, elf = { hp = 2 } }" },
      "? m.orc.hp == 1 and m.elf.hp == 2 and m.orc ~= m.elf",
        { m = "local d = { hp = 1 }\nreturn { orc = { hp = 3 }, elf = d }" },
      "? m.orc.hp == 3 and m.elf.hp == 1", { m = "local d = { hp = 1 }\nreturn { orc = d, elf = d }" },
        "? m.orc == m.elf"))

  local SPLITS <const> = {
    ["in a module"] = { "local d = { hp = 1, sub = { 1 } }\nreturn { a = d, b = d, c = d }",
      "local d = { hp = 1, sub = { 1 } }\nreturn { a = d, b = { hp = 2, sub = { 2 } }, c = d }",
      "return { a = { hp = 1 }, b = { hp = 2 }, c = { hp = 3 } }",
        "local d = { hp = 4 }\nreturn { a = 1, b = d, c = d }" },
    ["and what is in it"] = { "local d = { deep = { 1 } }\nreturn { a = d, b = d.deep }",
      "local d = { deep = { 1 } }\nreturn { a = d, b = { 1 } }",
        "local d = { 1 }\nreturn { a = { deep = d }, b = { deep = d } }" },
    ["in a file-local and a field"] = { "local d = { hp = 1 }\nreturn { d = d, get = function() return d end }",
      "local d = { hp = 1 }\nreturn { d = { hp = 2 }, get = function() return d end }",
      "local d, e = { hp = 1 }, { hp = 2 }\nreturn { d = e, get = function() return d end }" },
    ["in two file-locals"] = { "local a = {}\nlocal b = a\nreturn { get = function() return a, b end }",
      "local a = {}\nlocal b = {}\nreturn { get = function() return a, b end }",
      "local b = {}\nlocal a = b\nreturn { get = function() return a, b end }" },
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
    ["in two lists"] = { "local d = { n = 1 }\nreturn { { d }, { d, d } }",
      "local d = { n = 1 }\nreturn { { d }, { { n = 1 }, d } }",
      "return { { { n = 1 } }, { { n = 2 }, { n = 3 } } }" },
    ["in a table that no file owns"] = { "local d = { n = 1 }\nworld.names.m = d\nreturn { d = d }",
      "world.names.m = { n = 2 }\nreturn { d = { n = 1 } }",
        "local d = { n = 3 }\nworld.names.m = { d }\nreturn { d = d }" },
    ["as a global"] = { "s_d = { n = 1 }\nreturn { d = s_d }", "s_d = { n = 1 }\nreturn { d = { n = 2 } }",
      "local d = { n = 1 }\nreturn { d = d }", "s_d = { n = 1 }\nreturn s_d" },
    ["in a loop"] = { "local t = {}\nt.self = t\nreturn { t = t }", "local t = { self = {} }\nreturn { t = t }",
      "local t, u = {}, {}\nt.self, u.self = u, t\nreturn { t = t, u = u }",
        "local t = {}\nt.self = { self = t }\nreturn { t = t }" },
    ["as parent and child"] = { "local p = { kids = {} }\np.kids[1] = { parent = p }\nreturn p",
      "local p = { kids = {} }\np.kids[1] = { parent = { kids = p.kids } }\nreturn p",
      "local p = { kids = {} }\np.kids[1] = p\nreturn p" },
    ["that the module is"] = { "local M = {}\nM.M = M\nreturn M", "local M = {}\nM.M = {}\nreturn M",
      "local M = {}\nM.M = { M }\nreturn M" },
  }
  local names <const> = {}
  for name in pairs(SPLITS) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    spec.test("splits and joins " .. name, versions("game.last = { m } m.g1 = 5", SPLITS[name]))
  end

  spec.test("a default and its copy are two again",
    one("local function copy(t) local c = {} for k, v in pairs(t) do c[k] = v end return c end\nlocal d = { hp = 1 }\n"
      .. "return { default = d, current = d, copy = copy }", "m.current.hp = 50",
      { m = "local function copy(t) local c = {} for k, v in pairs(t) do c[k] = v end return c end\n"
        .. "local d = { hp = 1 }\n"
        .. "return { default = d, current = copy(d), copy = copy }" }, "? m.default ~= m.current",
      "m.current.hp = 60", "? m.default.hp ~= 60"))

  spec.test("entries that change places do not mix",
    one("local a, b = { n = 1, s = {} }, { n = 2, s = {} }\nreturn { x = a, y = b }",
      { m = "local a, b = { n = 1, s = {} }, { n = 2, s = {} }\nreturn { x = b, y = a }" },
      "? m.x.n == 2 and m.y.n == 1 and m.x.s ~= m.y.s", "m.x.g1 = 'x' m.y.g1 = 'y'",
      { m = "local a, b = { n = 1, s = {} }, { n = 2, s = {} }\nreturn { x = a, y = b }" },
        "? m.x.n == 1 and m.y.n == 2"))

  spec.test("file-locals that change places do not mix",
    one("local a, b = { n = 1 }, { n = 2 }\nreturn { get = function() return a, b end }", "m.get().g1 = 'game'",
      { m = "local b, a = { n = 1 }, { n = 2 }\nreturn { get = function() return a, b end }" },
      "? m.get().n == 2 and select(2, m.get()).n == 1"))

  spec.test("what each run makes anew stays under all its names",
    one("local f = load 'return 1'\nworld.list[1] = function() return f end\nreturn { f = function() return f end }",
      "game.f = m.f()",
      { m = "local f = load 'return 1'\nworld.list[1] = f\nreturn { f = function() return f end }" },
      "? m.f() == game.f", "? world.list[1] == m.f()"))

  spec.test("three that go round", versions("m.a.g1 = 1", {
    "local t, u, v = { 1 }, { 2 }, { 3 }\nreturn { a = t, b = u, c = v }",
      "local t, u, v = { 1 }, { 2 }, { 3 }\nreturn { a = u, b = v, c = t }",
    "local t, u, v = { 1 }, { 2 }, { 3 }\nreturn { a = v, b = t, c = u }",
      "local t, u, v = { 1 }, { 2 }, { 3 }\nreturn { a = t, b = t, c = v }" }))
end)

-- }==

-- {== Functions ===============================================================

spec.describe("one function", function()
  spec.test("that becomes two: those who held it go on with one of them, or the old one",
    one("local function f() return 1 end\nreturn { a = f, b = f }", "game.f = m.a",
      { m = "local function f() return 1 end\nreturn { a = f, b = function() return 2 end }" },
      "? m.a() == 1 and m.b() == 2 and (game.f() == 1 or game.f == m.b)",
        { m = "local function f() return 3 end\nreturn { a = f, b = f }" },
      "? m.a == m.b and m.b() == 3"))

  spec.test("splits, joins and changes places", versions("game.f = m.a", {
    "local function f() return 1 end\nlocal function g() return 2 end\nreturn { a = f, b = g, c = f }",
    "local function f() return 1 end\nlocal function g() return 2 end\nreturn { a = g, b = f, c = f }",
    "local function f() return 1 end\nreturn { a = f, b = f, c = f }",
    "local function f() return 1 end\nlocal function g() return 2 end\nreturn { a = f, b = g, c = math.floor }",
    "return { a = function() return 1 end, b = function() return 2 end, c = function() return 3 end }" }))

  spec.test("from a factory has a state of its own", versions("m.a() m.a() m.b()", {
    "local function new() local n = 0 return function() n = n + 1 return n end end\nreturn { a = new(), b = new() }",
    "local function new() local n = 0 return function() n = n + 1 return n end end\nlocal f = new()\n"
      .. "return { a = f, b = f }",
    "local function new(n) return function() n = n + 1 return n end end\nreturn { a = new(0), b = new(10) }",
    "local function new(n) return function() n = n + 1 return n end end\nlocal a = new(0)\n"
      .. "return { a = a, b = a, c = new(0) }" }))

  spec.test("keeps the state of a closure that the text says the same of",
    one("local function new() local n = 0 return function() n = n + 1 return n end end\n"
      .. "return { a = new(), b = new() }",
      "m.a() m.a() m.b()", { m = "local function new() local n = 0 return function() n = n + 1 return n end end\n"
        .. "return { a = new(), b = new(), c = 1 }" }, "? m.a() == 3 and m.b() == 2"))

  spec.test("moves into another table", versions("game.f = m.f or m.t.f", {
    "local M = { t = {} }\nfunction M.f() return 1 end\nreturn M",
      "local M = { t = {} }\nfunction M.t.f() return 1 end\nreturn M",
    "local M = { t = {} }\nfunction M.t.f() return 1 end\nM.f = M.t.f\nreturn M",
      "local M = { t = { f = print } }\nfunction M:f() return self end\nreturn M" }))

  spec.test("is a table, then a function again", versions("game.f = m.f", {
    "return { f = function() return 1 end }", "return { f = {} }",
      "return { f = setmetatable({}, { __call = function() return 2 end }) }",
    "return { f = 5 }", "return {}", "return { f = world.noop }" }))

  spec.test("assigned twice under one name is the last one", versions("game.f = m.f", {
    "local M = {}\nfunction M.f() return 1 end\nfunction M.f() return 2 end\nreturn M",
      "local M = {}\nfunction M.f() return 1 end\nreturn M",
    "local M = {}\ndo\n  local h = 0\n  function M.f() h = h + 1 return h end\nend\nfunction M.f() return 2 end\n"
      .. "return M" }))
end)

-- }==

-- {== Class libraries =========================================================

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

  for _, case in ipairs {
    { "an override appears and goes", { orc = orc(ORC_DIES) },
      "? orc():die() == 'orc' and base():die() == 'base' and elf():die() == 'base'",
      { orc = orc() }, "? orc():die() == 'base' and game.o:die() == 'base'" },
    { "a method of the base is edited", { base = BASE:gsub("'base'", "'edited'") },
      "? orc():die() == 'edited' and game.o:die() == 'edited'",
      { orc = orc(ORC_DIES) }, { base = BASE } },
    { "a method of the base goes", { base = BASE:gsub("function Base:die.-\n", "") }, "? orc().die == nil",
      { base = BASE }, "? elf():die() == 'base'" },
    { "an override is another class's method", { orc = orc "Orc.die = require('base').hit" }, "? orc():die() == 1",
      { orc = orc() } },
    { "an override is a function of C", { orc = orc "Orc.die = tostring" }, { orc = orc() },
      "? base():die() == 'base'" },
    { "an override of a metamethod", { orc = orc "function Orc:__len() return 9 end" }, "? #orc() == 9",
      { orc = orc() } },
    { "the library is edited", { lib = "-- one line more\n" .. LIBRARY }, { orc = orc(ORC_DIES), lib = LIBRARY },
      "? game.o:die() == 'orc'" },
    { "a class has another base", { orc = orc():gsub("require 'base'", "require 'elf'") },
      { elf = ALL.elf:gsub("\nreturn", "\nElf.die = nil%0") },
      { orc = orc() } },
    { "a class is renamed", { orc = orc():gsub("'Orc'", "'Ork'") }, "? orc.name == 'Ork'", { orc = orc() } },
  } do
    local steps <const> = { "game.o = orc() game.e = elf()", table.unpack(case, 2) }
    spec.test(case[1], history("lib base elf orc", ALL, steps))
  end
end)

-- }==
