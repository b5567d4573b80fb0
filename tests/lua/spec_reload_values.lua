-- Edits of scalars, first values, arrays and class names, and values whose metamethods raise or never end.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"
local projects <const> = require "reload_kit"

local function literal(text) return ("local s1 = %s\n"
  .. "return { n = %s, t = { %s }, get = function() return s1 end, set = function(v) s1 = v end }")
  :format(text, text, text) end

-- {== Scalars =================================================================

local function m(text) return { m = text } end

spec.describe("an edited scalar", function()
  local PAIRS <const> = { { "0.0", "-0.0" }, { "0", "-0.0" }, { "1", "1.0" }, { "1", "true" }, { "'1'", "1" },
    { "0/0", "0" }, { "0/0", "nil" },
    { "math.maxinteger", "math.maxinteger + 0.0" }, { "1e400", "-1e400" }, { "''", "'\\0'" }, { "false", "nil" },
      { "0.1", "0.1 + 1e-17 * 10" },
    { "('x'):rep(100)", "('x'):rep(101)" } }
  for _, pair in ipairs(PAIRS) do
    spec.test(("%s to %s and back"):format(pair[1], pair[2]), history("m", m(literal(pair[1])), {
      m(literal(pair[2])), m(literal(pair[1])), "m.set(42) m.n = 43", m("\n" .. literal(pair[1])),
        "? m.get() == 42 and m.n == 43",
      m(literal(pair[2])), m(literal(pair[1])),
    }))
  end

  spec.test("the sign of a zero arrives", history("m", m(literal "0.0"), {
    m(literal "-0.0"), "? 1 / m.n < 0 and 1 / m.get() < 0 and 1 / m.t[1] < 0", m(literal "0.0"),
      "? 1 / m.n > 0 and 1 / m.get() > 0",
  }))
  spec.test("a global's other zero is the game's, and stays", history("m", { m = "_G.zero = 0 return { n = 1 }" }, {
    "_G.zero = -0.0", { m = "_G.zero = 0 return { n = 2 }" }, "? 1 / zero < 0 and m.n == 2",
  }))
  spec.test("NaN that is still NaN is no edit: the game's value stays", history("m", m(literal "0/0"), {
    "m.set(5) m.n = 6", m("\n" .. literal "0/0"), "? m.get() == 5 and m.n == 6", m(literal "1"),
      "? m.get() == 1 and m.n == 1",
  }))
end)

-- }==

-- {== A file-local and its first value ========================================

local function counter(declaration)
  return declaration .. "\nreturn { get = function() return a end, set = function(v) a = v end }"
end

spec.describe("a file-local", function()
  for _, first in ipairs { "local a = 1", "local a = {}", "local a, b = 1, 2", "local a" } do
    spec.test(first .. ": the game's 42 stays when the first value is left out", history("m", m(counter(first)), {
      "m.set(42)", m(counter "local a"), "? m.get() == 42", m("\n" .. counter "local a"), "? m.get() == 42",
    }))
  end
  spec.test("gets the new first value, whatever it was before", history("m", m(counter "local a"), {
    "m.set(42)", m(counter "local a = 5"), "? m.get() == 5", "m.set(43)", m(counter "local a = 6"), "? m.get() == 6",
    "m.set(44)", m("\n" .. counter "local a = 6"), "? m.get() == 44", m(counter "local a = 'x'"), "? m.get() == 'x'",
    m(counter "local a = {}"), "? #m.get() == 0", "m.set(false)", m("\n" .. counter "local a = {}"),
      "? m.get() == false",
    "m.set(nil)", m("\n\n" .. counter "local a = {}"), "? m.get() == nil", m(counter "local a = true"),
      "? m.get() == true",
  }))
  spec.test("that nothing had used before has its text's value", history("m", m "local a = 1\nreturn {}", {
    m(counter "local a = 1"), "? m.get() == 1", "m.set(2)", m("\n" .. counter "local a = 1"), "? m.get() == 2",
  }))
  spec.test("<const> and not, in turn", history("m", m "local a <const> = 1\nreturn { get = function() return a end }",
    {
    m(counter "local a = 1"), "m.set(9)", m("\n" .. counter "local a = 1"), "? m.get() == 9",
    m "local a <const> = 1\nreturn { get = function() return a end }", "? m.get() == 1", m(counter "local a = 2"),
      "? m.get() == 2",
  }))
  spec.test("of more names in one statement",
    history("m", m "local a, b, c = 1, 2\nreturn { get = function() return a, b, c end }", {
    m "local b, a, c = 1, 2\nreturn { get = function() return a, b, c end }",
    m("local a, b, c = (function() return 1, 2, 3 end)()\nreturn { get = function() return a, b, c end }"),
      "? select(3, m.get()) == 3",
  }))
  spec.test("becomes a parameter, a global, a field, and a file-local again", history("m", m(counter "local a = 1"), {
    "m.set(5)", m "return { get = function(a) return a end }", m "a = 1\nreturn { get = function() return a end }",
      "? m.get() == 1",
    m(counter "local a = 1"), "? m.get() == 1 and a == nil",
  }))
end)

-- }==

-- {== Arrays ==================================================================

spec.describe("an array of tables", function()
  local function waves(...) return m(("local waves = { %s }\n"
    .. "return { waves = waves, at = function(i) return waves[i] end }")
    :format(table.concat({ ... }, ", "))) end
  local A <const>, B <const>, C <const>, X <const> = "{ name = 'a', hp = 1 }", "{ name = 'b', hp = 1 }",
    "{ name = 'c', hp = 1 }", "{ name = 'x', hp = 9 }"

  spec.test("into whose middle one is inserted, and taken out", history("m", waves(A, B, C), {
    "m.waves[1].hp = 11 m.waves[2].g1 = 'game'", waves(A, X, B, C),
      "? m.at(2).name == 'x' and m.at(2).hp == 9 and m.at(4).name == 'c'",
    waves(A, B, C), "? m.at(2).name == 'b' and #m.waves == 3", waves(X, A, B, C),
      "? m.at(1).name == 'x' and m.at(1).hp == 9", waves(B), waves(A, B, C),
    "? m.at(3).hp == 1",
  }))
  spec.test("that the game has made longer, shorter and another", history("m", waves(A, B), {
    "m.waves[3] = { name = 'game' }", waves(A, X), "? m.at(3).name == 'game'", waves(A, X, C), "? m.at(3).name == 'c'",
    "m.waves[2] = nil", m("\n" .. waves(A, X, C).m), "? m.at(2) == nil", waves(A, B, C),
      "? m.at(2) == nil or m.at(2).name == 'b'",
  }))
  spec.test("of numbers, with holes", history("m", waves("1", "2", "3"), {
    "m.waves[2] = 20", waves("1", "2", "4"), "? m.at(2) == 20 and m.at(3) == 4", waves("1", "nil", "4"),
      "? m.at(2) == nil", waves("1", "2", "4"),
  }))
end)

-- }==

-- {== Metamethods that raise or never end =====================================

local LOOP <const>, RAISE <const> = "function() while true do end end", "function() error 'a metamethod' end"

spec.describe("metamethods of what a module holds are not called:", function()
  local EVENTS <const> = { "__tostring", "__eq", "__index", "__newindex", "__len", "__pairs", "__lt", "__hash",
    "__name", "__call", "__close", "__concat", "__unm", "__mode" }

  -- A metatable that has `body` for each of these.
  local function text(events, body, n)
    local fields <const> = {}
    for i, event in ipairs(events) do fields[i] = ("%s = %s"):format(event, body) end
    return m(([[
local M = { n = %d }
local mt = { %s }
local a, b = setmetatable({ 1 }, mt), setmetatable({ 1 }, mt)
M[a] = b
M.a, M.b, M.list = a, b, { a, b, a }
function M.get() return a, b end
world.names[a] = b
return setmetatable(M, mt)]]):format(n, table.concat(fields, ", ")))
  end

  for name, body in pairs { ["that raise"] = RAISE, ["that never end"] = LOOP } do
    for what, events in pairs { ["all others"] = EVENTS, __metatable = { "__metatable" } } do
      spec.test(("%s, %s"):format(what, name), history("m", text(events, body, 1), {
        "game.a = rawget(m, 'a')", text(events, body, 2), "? rawget(m, 'n') == 2 and rawequal(game.a, rawget(m, 'a'))",
        m "return {}", text(events, body, 3), text(events, body, 4), m "error 'late'", "? rawget(m, 'n') == 4",
        text(events, body, 5),
      }))
    end
  end
end)

-- }==

-- {== Classes =================================================================

spec.describe("a class that is renamed", function()
  local BODY <const> = [[
C.methods = { hit = function(self) self.hp = self.hp - 1 return self.hp end }
function C:on_spawn(o) o.hp = 6 end
function C:update(dt) for o in self:each() do o.x = o.x + %d end end
]]
  local FORMS <const> = {
    "local M = {}\nM.Class = require('spawnpool').class('%s', { fields = { hp = 5 } })\nlocal C = M.Class\nBODY\n"
      .. "return M",
    "local C = require('spawnpool').class('%s', { fields = { hp = 5 } })\nBODY\nreturn C",
    "local C <const> = require('spawnpool').class('%s', { fields = { hp = 5 } })\nBODY\n"
      .. "return { get = function() return C end }",
    "C = require('spawnpool').class('%s', { fields = { hp = 5 } })\nBODY\nreturn {}",
  }
  for i, form in ipairs(FORMS) do
    local function module(name, step)
      return (form:format(name):gsub("BODY", function() return BODY:format(step) end))
    end
    spec.test("in a module: objects keep the code of their type, new ones are of the new type, form " .. i, function()
      local it <close> = projects.open { ["kinds.lua"] = module("Orc", 1) }
      require "kinds"
      local old <const> = it.pools:alloc "Orc"
      it.pools:update(1 / 64)
      spec.equal({ old.hp, old:hit(), old.x }, { 6, 5, 1 })
      it.edit("kinds.lua", module("Elf", 10))
      local new <const> = it.pools:alloc "Elf"
      it.pools:update(1 / 64)
      spec.equal({ old.type, old.alive, old:hit(), old.x }, { "Orc", true, 4, 2 }, "the old one")
      spec.equal({ new.type, new.hp, new:hit(), new.x }, { "Elf", 6, 5, 10 }, "the new one")
      it.edit("kinds.lua", module("Elf", 20))
      it.pools:update(1 / 64)
      spec.equal({ old:hit(), old.x, new:hit(), new.x, it.pools:alloc("Orc").hp }, { 3, 3, 4, 30, 6 },
        "after one more edit")
      it.edit("kinds.lua", module("Orc", 100))
      it.pools:update(1 / 64)
      spec.equal({ old:hit(), old.x, new:hit(), new.x, it.pools:pool("Orc").live }, { 2, 103, 3, 50, 2 },
        "with its name again")
    end)
  end

  spec.test("and two that change names", function()
    local function both(a, b)
      return ("local spawnpool <const> = require 'spawnpool'\n"
        .. "local A = spawnpool.class('%s', { fields = { who = 'a' } })\n"
        .. "local B = spawnpool.class('%s', { fields = { who = 'b' } })\nreturn { A = A, B = B }"):format(a, b)
    end
    local it <close> = projects.open { ["kinds.lua"] = both("One", "Two") }
    require "kinds"
    local one <const>, two <const> = it.pools:alloc "One", it.pools:alloc "Two"
    it.edit("kinds.lua", both("Two", "One"))
    spec.equal({ one.type, two.type, it.pools:alloc("One").who, it.pools:alloc("Two").who }, { "One", "Two", "b", "a" })
    spec.equal({ one.alive, two.alive, it.pools:pool("One").live, it.pools:pool("Two").live }, { true, true, 2, 2 })
  end)
end)

-- }==
