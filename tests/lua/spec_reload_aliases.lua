-- Each old table or function has at most one successor, and the reverse: aliases that split and join in places where
-- random projects have none, and a class library that copies what is inherited.
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
  local SPLITS <const> = {
    ["and what is in it"] = { "local d = { deep = { 1 } }\nreturn { a = d, b = d.deep }",
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
  }
  for name, list in pairs(SPLITS) do
    spec.test("splits and joins " .. name, versions("game.last = { m } m.g1 = 5", list))
  end

  spec.test("a default and its copy are two again",
    one("local function copy(t) local c = {} for k, v in pairs(t) do c[k] = v end return c end\nlocal d = { hp = 1 }\n"
      .. "return { default = d, current = d, copy = copy }", "m.current.hp = 50",
      { m = "local function copy(t) local c = {} for k, v in pairs(t) do c[k] = v end return c end\n"
        .. "local d = { hp = 1 }\n"
        .. "return { default = d, current = copy(d), copy = copy }" }, "? m.default ~= m.current",
      "m.current.hp = 60", "? m.default.hp ~= 60"))

  spec.test("what each run makes anew stays under all its names",
    one("local f = load 'return 1'\nworld.list[1] = function() return f end\nreturn { f = function() return f end }",
      "game.f = m.f()",
      { m = "local f = load 'return 1'\nworld.list[1] = f\nreturn { f = function() return f end }" },
      "? m.f() == game.f", "? world.list[1] == m.f()"))
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
