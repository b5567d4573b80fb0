-- Histories of edits with what random projects do not write, or seldom. After each the whole program is compared with a
-- fresh load (reload_history.lua); a history says only what the game has set, or what is there to be read.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; spec_reload_classes runs with each"
local history <const> = require "reload_history"
local random_of <const> = require("played_features").random

-- Tests of one group: name -> { modules, files, steps }, or versions of m.lua with what happens between them.
local function each(group, cases)
  spec.describe(group, function()
    for name, case in pairs(cases) do
      local is_m <const> = type(case[2]) == "string"
      spec.test(name, is_m and history("m", { m = case[1] }, { table.unpack(case, 2) })
        or history(table.unpack(case)), 2)
    end
  end)
end

-- {== Random texts ============================================================

local UTIL <const> = "local M = { list = { 1 } }\nfunction M.noop() return 0 end\nfunction M.other() return 1 end\n"
  .. "return M"
local BUS <const> = [[
local M = { handlers = { kind = "list" }, registry = {}, by = { kind = {} } }
function M.on(f) M.handlers[#M.handlers + 1] = f end
function M.put(name, x) M.registry[name] = x end
function M.emit(...) for _, f in ipairs(M.handlers) do f(...) end end
return M
]]

-- What a file may write: in each version there is one of a row, or none.
local WRITES <const> = {
  { "bus.registry.orc = { hp = 1 }", "bus.put('orc', { hp = 2 })", "bus.registry.elf = { hp = 1 }" },
  { "bus.by.kind.orc = function() return 1 end", "bus.by.kind.elf = function() return 2 end", "bus.by.other = {}" },
  { "function bus.emit() return 'a' end", "bus.emit = print" },
  { "bus.limit = 5", "bus.limit = -0.0", "bus.limit = false" },
  { "bus.registry[print] = 1", "bus.registry[type] = 2" },
  { "setmetatable(bus, { __index = util.list })", "setmetatable(bus, { __len = print })" },
  { "string.orc = string.rep", "string.elf = string.rep", "table.orc = {}" },
  { "world.names.a = { hp = 1 }", "world.names.a, world.names.b = 1, 2", "world.names.a = { M }" },
  { "G_orc = { hp = 1 }", "function G_orc() return 1 end", "G_elf = 0.0" },
  { "package.loaded.orc = { hp = 1 }", "package.loaded.orc = 5", "package.loaded.elf = {}" },
  { "bus.on(function() return 1 end)", "bus.on(util.noop)", "bus.on(function() return 1 end) bus.on(print)" },
  { "M.enter = util.noop", "function M.enter() return 'MINE' end", "M.enter = math.floor", "M.enter = util.list" },
  { "M.t = util.list", "M.t = { 2 }", "M.t = util", "M.t = function() return M.t end" },
  { "_G.taken = util.list", "_G.taken = { function() return 1 end }", "_G.taken = math", "_G.taken = { util.noop }" },
  { "local f = util.noop function M.f() return f end", "local f = util.other function M.f() return f end",
    "local function f() return 'MINE' end function M.f() return f end", "local f = {} function M.f() return f end" },
  { "M.list = { { t = util.list }, 1 }", "M.list = { { t = { 2 } }, 1 }", "M.list = setmetatable({}, util.list)" },
  { "M.o = setmetatable({}, util.list)", "M.o = setmetatable({}, { __index = util.noop })", "M.o = {}" },
  { "local d = { deep = { 1 } } M.a, M.b = d, d.deep", "local d = { 1 } M.a, M.b = { deep = d }, { deep = d }" },
  { "local d = {} M.set, M.d = { [d] = d }, d", "local d, e = {}, {} M.set, M.d, M.e = { [d] = e, [e] = d }, d, e" },
  { "M.M = M", "M.M = { M }", "M.M = {}" },
  { "local t = {} t.self = t M.loop = t", "local t = { self = {} } M.loop = t", "M.loop = { self = { self = 1 } }" },
  { "local n = 1 function M.get() return n end", "local n <const> = {} function M.get() return n end",
    "local n function M.get() return n end", "num = 1 function M.get() return num end" },
  { "setmetatable(M, M)", "setmetatable(M, { __index = M })", "setmetatable(M, { __index = { x = 1 } })" },
}

local function text_of(chosen, tail)
  local lines <const> = { "local bus, util = require 'bus', require 'util'\nlocal M = {}" }
  for i, writes in ipairs(WRITES) do
    if chosen[i] then lines[#lines + 1] = ("do %s end"):format(writes[chosen[i]]) end
  end
  lines[#lines + 1] = tail or "return M"
  return table.concat(lines, "\n")
end

for seed = 1, 12 do
  local random <const>, chosen <const> = random_of(seed), {}
  local function draw(i, odds) chosen[i] = random.below(3) < odds and random.below(#WRITES[i]) + 1 end
  for i = 1, #WRITES do draw(i, 1) end
  local files <const> = { bus = BUS, util = UTIL, a = text_of(chosen),
    user = "local util = require 'util'\nreturn { noop = util.noop, t = util.list }" }
  local steps <const> = { "> util.list[2] = 'game' game.noop = util.noop game.list = util.list" }
  for version = 1, 6 do
    for _ = 1, 1 + random.below(4) do draw(random.below(#WRITES) + 1, 2) end
    if random.one_in(4) then steps[#steps + 1] = { a = text_of(chosen, "error 'late'") } end
    if random.one_in(4) then steps[#steps + 1] = { bus = ("\n"):rep(version) .. BUS } end
    table.move({ { a = text_of(chosen) }, "? util.noop() == 0 and util.other() == 1 and util.noop == game.noop",
      "? user.noop == util.noop and util.list == game.list and util.list[2] == 'game'" }, 1, 3, #steps + 1, steps)
  end
  spec.test("what a file writes, and takes back, in random versions " .. seed, history("bus util user a", files, steps))
end

-- }==

-- {== A class library =========================================================

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
    ["the library is edited"] = { { lib = "-- one line more\n" .. LIBRARY }, { orc = orc(ORC_DIES), lib = LIBRARY },
      "? game.o:die() == 'orc'" },
    ["a class has another base"] = { { orc = orc():gsub("require 'base'", "require 'elf'") },
      { elf = ALL.elf:gsub("\nreturn", "\nElf.die = nil%0") }, { orc = orc() } },
  } do
    spec.test(name, history("lib base elf orc", ALL, { "> game.o = orc() game.e = elf()", table.unpack(steps) }))
  end
end)

-- }==

-- {== Values ==================================================================

local function counter(declaration)
  return declaration .. "\nreturn { get = function() return a end, set = function(v) a = v end }"
end

each("a file-local", {
  ["is nil when its first value is left out"] = { counter "local a = 1", "> m.set(42)",
    counter "local a", "? m.get() == nil", "\n" .. counter "local a" },
  ["is nil when the statement has no second value any more"] = { counter "local b, a = 1, 2", "> m.set(42)",
    counter "local b, a = 1", "? m.get() == nil" },
  ["gets the new first value, whatever it was before"] = { counter "local a", "> m.set(42)", counter "local a = 5",
    "? m.get() == 5", "> m.set(43)", counter "local a = 6", "> m.set(44)", "\n" .. counter "local a = 6",
    "? m.get() == 44", counter "local a = 'x'", counter "local a = {}", "> m.set(false)",
    "\n" .. counter "local a = {}", "? m.get() == false", "> m.set(nil)", "\n\n" .. counter "local a = {}",
    "? m.get() == nil", counter "local a = true" },
  ["<const> and not, in turn"] = { "local a <const> = 1\nreturn { get = function() return a end }",
    counter "local a = 1", "> m.set(9)", "\n" .. counter "local a = 1",
    "local a <const> = 1\nreturn { get = function() return a end }", counter "local a = 2" },
  ["becomes a parameter, a global, and a file-local again"] = { counter "local a = 1", "> m.set(5)",
    "return { get = function(a) return a end }", "a = 1\nreturn { get = function() return a end }",
    counter "local a = 1", "? m.get() == 5 and a == nil" }, -- what an edit threw away comes back
})

local function waves(...)
  return ("local waves = { %s }\nreturn { waves = waves, at = function(i) return waves[i] end }")
    :format(table.concat({ ... }, ", "))
end
local A <const>, B <const> = "{ name = 'a', hp = 1 }", "{ name = 'b', hp = 1 }"
local C <const>, X <const> = "{ name = 'c', hp = 1 }", "{ name = 'x', hp = 9 }"

each("an array of tables", {
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

each("what each run makes anew", {
  ["is the game's under all its names"] = {
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

-- A metatable that has `body` for each of these.
local function with_metamethods(body, n)
  local fields <const> = {}
  for event in ("__tostring __eq __index __newindex __len __pairs __lt __hash __name __call __close __concat __unm "
    .. "__mode"):gmatch "%S+" do fields[#fields + 1] = ("%s = %s"):format(event, body) end
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

for _, body in ipairs { "function() error 'a metamethod' end", "function() while true do end end" } do
  spec.test("metamethods of what a module holds are not called: " .. body,
    history("m", { m = with_metamethods(body, 1) }, {
      "> game.a = rawget(m, 'a')", with_metamethods(body, 2), "? rawequal(game.a, rawget(m, 'a'))", "return {}",
      with_metamethods(body, 3), "error 'late'", "? rawget(m, 'n') == 3", with_metamethods(body, 4),
    }))
end

-- }==

-- {== Other modules ===========================================================

-- A file that counts how often it hears an event.
local function hears(body)
  return ("local bus = require 'bus'\nlocal M = { n = 0 }\nfunction M.hear() M.n = M.n + 1 end\n%s\nreturn M\n")
    :format(body or "bus.on(M.hear)")
end
local EMIT <const> = "> a.n, b.n = 0, 0 bus.emit(1)"
-- Of long lists only the last entries are compared.
local LONG <const> = BUS:gsub("\nfunction", "\nfor i = 1, 6000 do M.handlers[i] = type end%0", 1)
local function put(body) return "local bus = require 'bus'\n" .. body .. "\nreturn {}" end
local PUT <const> = "bus.registry.orc = { hp = %d } G_orc = %d world.names.orc = 1"

each("what a file does to another module:", {
  ["a handler runs once at the end of a list of thousands"] = { "bus a b", { bus = LONG, a = hears(), b = hears() }, {
    EMIT, "? a.n == 1 and b.n == 1", { a = "\n" .. hears() }, EMIT,
    "? a.n == 1 and b.n == 1 and #bus.handlers == 6002", { b = "\n" .. hears() }, { a = hears "" }, EMIT,
    "? a.n == 0 and b.n == 1" } },
  ["a handler in a list that gets another name"] = { "bus a b", { bus = BUS, a = hears(), b = hears() }, {
    { bus = BUS:gsub("handlers", "list") }, EMIT, "? a.n == 1 and b.n == 1 and not bus.handlers",
    { a = "\n" .. hears() }, EMIT, "? a.n == 1", { bus = BUS }, EMIT, "? a.n == 1 and b.n == 1" } },
  ["what it overrode comes back as it was"] = { "bus a", {
    bus = "local M = { limit = 3 }\nfunction M.get() return 'bus' end\nreturn M",
    a = "local bus = require 'bus'\nbus.limit = 5\nlocal get = bus.get\n"
      .. "function bus.get() return 'a' .. get() end\nreturn {}",
  }, {
    "? bus.limit == 5 and bus.get() == 'abus'", { a = "\nlocal bus = require 'bus'\nbus.limit = 6\nreturn {}" },
    "? bus.limit == 6 and bus.get() == 'bus'", { a = "return {}" }, "? bus.limit == 3 and bus.get() == 'bus'",
    { bus = "local M = { limit = 4 }\nfunction M.get() return 'b' end\nreturn M" }, "? bus.limit == 4",
  } },
  ["an entry moves from one file to another in one save"] = { "bus a b",
    { bus = BUS, a = put(PUT:format(1, 1)), b = put "" },
    { { a = put "", b = put(PUT:format(2, 2)) }, { a = put(PUT:format(1, 1)), b = put "" }, { bus = "\n" .. BUS } } },
  ["it writes into the table of the one that requires it"] = { "a", { b = "reg.x = 1\nreturn {}",
    a = "local M <const> = { n = 1 }\n_G.reg = M\nrequire 'b'\nreturn M" }, {
    { a = "local M <const> = { n = 2 }\n_G.reg = M\nrequire 'b'\nreturn M" } } },
  ["it fills a list, in another order"] = { "bus a", { bus = "return {}", a = put "bus[1], bus[2] = 'x', 'y'" }, {
    { a = put "bus[1], bus[2] = 'y', 'x'" }, { a = put "bus[1], bus[2], bus[3] = 'y', 'w', 'x'" } } },
})

spec.describe("a module's place", function()
  local RETURNED <const> = "local M = { n = 1 }\nfunction M.f() return M.n end\nreturn M"
  local LOADED <const> = "local M = { n = 1 }\npackage.loaded[...] = M\nfunction M.f() return M.n end"
  for name, texts in pairs {
    ["package.loaded[...], then return"] = { LOADED, LOADED:gsub("1", "2"), RETURNED, (RETURNED:gsub("1", "3")) },
    ["package.loaded by its name"] = { LOADED:gsub("%.%.%.", "'m'"), LOADED:gsub("%.%.%.", "'m'"):gsub("1", "2"),
      LOADED .. "\nreturn M" },
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
  local project_test <const> = require("reload_kit").test
  project_test("of a file that has two names: it is one file", { ["lib/init"] = TEXT,
    user = "return { one = require 'lib', two = require 'lib.init' }" }, {
    "lib = user.one lib.add() lib.add() user.two.add()", { "lib/init", "n = 1", "n = 10" },
    "equal({ user.one.add(), user.one == lib, user.two == lib, user.two.add() }, { 40, true, true, 50 })",
    { "lib/init", "n = 10", "n = 1" }, "? user.one.add() == 6",
  }, "user")
end)

local RULES <const> = "return { registers = %s, factor = %s }"
each("a file that nobody edited", {
  ["runs again with what it requires, and keeps its file-locals"] = { "rules user", { rules = RULES:format(false, 1),
    user = "local rules = require 'rules'\nlocal s1 = 0\nlocal M = { factor = rules.factor }\n"
      .. "function M.count() s1 = s1 + rules.factor return s1 end\nreturn M" }, {
    "> user.count() user.count()", { rules = RULES:format(false, 10) },
    "? user.factor == 10 and user.count() == 12", { rules = RULES:format(true, "{} .. 'x'") },
    "? user.count() == 22" } },
  ["begins to register something, does so once, and takes it back"] = { "rules bus user", {
    rules = RULES:format(false, 1), bus = BUS,
    user = "if require('rules').registers then require('bus').on(function() return 'user' end) end return {}" }, {
    { rules = RULES:format(true, 2) }, "? #bus.handlers == 1", { rules = RULES:format(true, 3) },
    "? #bus.handlers == 1", { rules = RULES:format(false, 5) }, "? #bus.handlers == 0" } },
})

-- }==

for name, texts in pairs {
  ["a metatable that was taken away"] = { "return setmetatable({}, { __index = { b = 2 } })",
    "setmetatable(shared, nil)" },
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
