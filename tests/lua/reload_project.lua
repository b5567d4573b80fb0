-- Random projects of a few modules, as trees of declarations that are printed as text, and random edits of such a tree.
-- Names tell what the game may do: it sets variables and entries whose names begin with "s" or "g", and nothing else,
-- so that what a module reads from others as it is loaded is what their texts say.
local print_module <const> = require "reload_project_print"

local project <const> = {}

-- {== Chance ==================================================================

-- A source of chance: `below(n)` gives 0 to n - 1.
function project.random(seed)
  local state = seed * 2862933555777941757 + 3037000493
  local random <const> = {}
  function random.below(n)
    state = state * 6364136223846793005 + 1442695040888963407
    return math.ult(0, n) and (state >> 33) % n or 0
  end
  function random.pick(list) return list[random.below(#list) + 1] end
  function random.one_in(n) return random.below(n) == 0 end
  for _ = 1, 3 do random.below(2) end
  return random
end

-- }==

-- {== Expressions =============================================================

local SCALARS <const> = {
  "0", "1", "2", "3", "-1", "0.0", "-0.0", "1.0", "0/0", "1e300 * 1e300", '""', '"a"', '"b"', "true", "false", "nil",
  "math.maxinteger", '("long "):rep(20)',
}
local FOREIGN <const> = {
  "math.floor", "math.ceil", "tostring", "tonumber", "string.format", "string.rep", "table.insert", "table.concat",
  "print", "select", "next", "type", "os.clock", "coroutine.yield", "utf8.char", "world.noop", "world.id", "math",
  "string",
}
local MADE <const> = {
  'string.gmatch("a b", "%a")', "coroutine.wrap(print)", "coroutine.create(print)", 'load "return 1"',
  'load("return 1, 2", "=loaded")',
}

-- The module that is being changed: names of its declarations by kind, and a counter for new ones.
local Author <const> = {}
Author.__index = Author

function Author:new_name(prefix)
  self.project.count = self.project.count + 1
  return prefix .. self.project.count
end

-- A name that some declaration of the module has, of these kinds; nil when there is none.
function Author:known(...)
  local names <const> = {}
  for _, decl in ipairs(self.module.decls) do
    for _, kind in ipairs { ... } do
      if decl.k == kind and decl.name then names[#names + 1] = decl.name end
    end
  end
  return #names > 0 and self.random.pick(names) or nil
end

-- A file-local that is a table.
function Author:known_table()
  local names <const> = {}
  for _, decl in ipairs(self.module.decls) do
    if decl.k == "local" and type(decl.expr) == "table" and decl.expr.k == "tab" then names[#names + 1] = decl.name end
  end
  return #names > 0 and self.random.pick(names) or nil
end

function Author:fun()
  local fun <const> = { k = "fun", n = self.random.below(50), writes = {}, reads = {} }
  for _ = 1, self.random.below(3) do fun.reads[#fun.reads + 1] = self:known("local", "lfun", "import", "class") end
  for _ = 1, self.random.below(3) do
    fun.writes[#fun.writes + 1] = { name = self:known("local"), key = self.random.one_in(3) and
      "s" .. self.random.below(4) }
  end
  return fun
end

function Author:tab(depth)
  local tab <const> = { k = "tab" }
  local is_array <const> = self.random.one_in(3)
  for i = 1, self.random.below(4) do
    tab[i] = {
      key = not is_array and self.random.pick { "s", "k" } .. self.random.below(6) or nil,
      value = is_array and depth < 2 and self.random.one_in(2) and self:tab(depth + 1) or self:expr(depth + 1),
    }
  end
  return tab
end

function Author:member()
  local import <const> = self:known("import")
  return import and { k = "mem", base = import, key = self.random.pick { "f1", "f2", "k1", "k2", "t1", "noop", "C1" } }
end

function Author:scalar() return self.random.pick(SCALARS) end

function Author:expr(depth)
  local random <const> = self.random
  local dice <const> = random.below(20)
  if dice < 5 then return self:scalar() end
  if dice < 7 then return random.pick(FOREIGN) end
  if dice < 8 then return random.pick(MADE) end
  if dice < 11 and depth < 3 then return self:tab(depth) end
  if dice < 13 then return self:fun() end
  if dice < 14 then return self:member() or "true" end
  if dice < 15 then
    return { k = "call", name = random.one_in(2) and "kit.make" or self:known("factory"), arg = random.below(9) }
  end
  if dice < 16 and depth < 3 then return { k = "meta", self:tab(depth), self:known("local", "class") } end
  return { k = "ref", name = self:known("local") or self:known("lfun", "class", "import") or "M" }
end

-- }==

-- {== Declarations ============================================================

local declare <const> = {}

declare["local"] = function(a)
  local is_state <const> = a.random.one_in(2)
  local expr
  if not a.random.one_in(8) then expr = a.random.one_in(3) and a:tab(0) or a:expr(0) end
  return {
    k = "local", name = a:new_name(is_state and "s" or "l"), expr = expr,
      is_const = not is_state and a.random.one_in(2),
  }
end

function declare.lfun(a) return { k = "lfun", name = a:new_name "f", expr = a:fun() } end

function declare.factory(a)
  return { k = "factory", name = a:new_name "make", key = a.random.pick { "f", "k" } .. a.random.below(4),
    expr = a:fun() }
end

function declare.mfun(a)
  return { k = "mfun", base = a.random.one_in(3) and a:known("local", "class", "type") or "M",
    key = "f" .. a.random.below(4), is_method = a.random.one_in(3), expr = a:fun() }
end

function declare.set(a)
  return { k = "set", base = a.random.one_in(3) and a:known("local", "class", "type") or "M",
    key = a.random.pick { "s", "s", "k", "t" } .. a.random.below(4), expr = a:expr(0) }
end

function declare.index(a)
  local base <const> = a:known("local", "class", "type") or "M"
  return { k = "set", base = base, key = "__index", expr = { k = "ref",
    name = a.random.one_in(2) and base or a:known("local") } }
end

-- Writes into what belongs to others; the keys have the writer's name, so that two modules never write the same.
function declare.put(a)
  local via <const> = a.random.pick { "bus.registry", "bus.registry", "world.names", "bus", "string", "math" }
  return { k = "put", base = via, key = (a.module.type or a.module.name) .. a.random.below(4), expr = a:expr(1) }
end

function declare.global(a)
  return { k = "global", name = a.random.pick { "s_", "G_" } .. (a.module.type or a.module.name)
    .. a.random.below(3), expr = a:expr(1) }
end

function declare.on(a)
  local name <const> = a:known("lfun")
  local form <const> = a.random.pick { "bus.on(%s)", "bus.on(%s)", "bus.handlers[#bus.handlers + 1] = %s",
    "table.insert(world.list, %s)", "world.list[#world.list + 1] = %s" }
  local dice <const> = a.random.below(4)
  return { k = "on", form = form, expr = dice < 2 and name and { k = "ref", name = name } or dice == 2 and
    a.random.pick(FOREIGN)
    or a:fun() }
end

function declare.import(a)
  local others <const> = a.project:may_require(a.module)
  if #others == 0 then return declare.lfun(a) end
  return { k = "import", name = a:new_name "i", module = a.random.pick(others),
    member = a.random.one_in(3) and a.random.pick { "f1", "k1", "t1", "noop", "on" } or nil, form = a.random.below(3) }
end

function declare.class(a)
  return { k = "class", name = a:new_name "C", base = a:known("class"), is_shown = a.random.one_in(2) }
end

-- What the class of a file in pools/ says. Fields have kinds; the parent is a class of an earlier file.
function declare.type(a)
  local parents <const> = a.project:types_before(a.module)
  local decl <const> = { k = "type", name = a.module.type, fields = {}, methods = {}, settings = {},
    extends = #parents > 0 and a.random.one_in(2) and a.random.pick(parents) or nil }
  for i = 1, a.random.below(4) do decl.fields[i] = a:field() end
  for i = 1, a.random.below(3) do decl.methods[i] = { key = "m" .. a.random.below(3), value = a:fun() } end
  for i = 1, a.random.below(3) do decl.settings[i] = a:setting() end
  return decl
end

local FIELD_KINDS <const> = { "%s", "%s", "spawnpool.live(%s)", "spawnpool.live(%s)", "spawnpool.keep(%s)",
  "spawnpool.any(%s)", "spawnpool.fresh(function() return { %s } end)", "spawnpool.ref" }

function Author:field()
  return { key = "n" .. self.random.below(5), form = self.random.pick(FIELD_KINDS),
    value = self.random.pick { "0", "1", "2.5", "7", "true", '"red"' } }
end

function Author:setting()
  local key <const> = self.random.pick { "limit", "idle_limit", "prealloc", "grow", "order", "overflow", "radius" }
  local of_names <const> = { order = { '"fifo"', '"lifo"' }, overflow = { '"refuse"', '"oldest"', '"grow"' } }
  return { key = key, value = self.random.pick(of_names[key] or { "1", "2", "8", "40" }) }
end

-- What a class does when an object begins or ends; each says a number that shows which version ran.
local HOOKS <const> = { "function %s:on_spawn(o) o.x = %d end", "function %s:on_despawn(o) world.despawned = %d end",
  "function %s:alloc(...)\n  local o <const>, why <const> = %s.super.alloc(self, ...)\n  if o then o.y = %d end\n"
    .. "  return o, why\nend",
  "function %s:recycle(o)\n  world.recycled = %d\n  return %s.super.recycle(self, o)\nend" }

function declare.hook(a)
  if not a.module.type then return declare.lfun(a) end
  return { k = "hook", form = a.random.pick(HOOKS), name = a.module.type, n = a.random.below(1000) }
end

function declare.block(a) return { k = "block", key = "f" .. a.random.below(4), expr = a:fun() } end

local KINDS <const> = {
  "local", "local", "local", "lfun", "lfun", "mfun", "mfun", "mfun", "set", "set", "set", "index", "put", "put", "on",
  "on", "on", "global", "import", "import", "class", "block", "factory", "factory", "hook",
}

function Author:decl()
  return declare[self.random.pick(KINDS)](self)
end

-- }==

-- {== Projects ================================================================

local Project <const> = {}
Project.__index = Project

local BUS <const> = { "M.handlers = { kind = \"list\" }", "M.registry = {}",
  "function M.on(f)\n  M.handlers[#M.handlers + 1] = f\n  return %d\nend",
  "function M.emit(...)\n  for _, f in ipairs(M.handlers) do f(...) end\n  return %d\nend" }
local KIT <const> = { "function M.noop()\n  return %d\nend", "function M.make(p)\n  local k = p\n  return function(q)\n"
  .. "    k = q or k\n    return k, %d\n  end\nend", [[
function M.class(name, base)
  local c = { name = name, subs = {} }
  c.__index = c
  for key, value in pairs(base or {}) do
    if type(value) == "function" and not key:find "^[sg]" then c[key] = value end
  end
  if base then base.subs[name] = c end
  return setmetatable(c, { __call = function(self, ...) return setmetatable({ %d, ... }, c) end })
end]] }

local function library(name, texts)
  local decls <const> = {}
  for i, text in ipairs(texts) do decls[i] = { k = "raw", text = text, n = i } end
  return { name = name, decls = decls, returns = "M" }
end

local function author_of(self, module, random, touched)
  return setmetatable({ project = self, module = module, random = random, touched = touched or {} }, Author)
end

-- Modules that this one may require without a circle: those before it.
function Project:may_require(module)
  local names <const> = {}
  for _, other in ipairs(self.modules) do
    if other == module then break end
    if not other.type then names[#names + 1] = other.name end
  end
  return names
end

-- Types that a class may extend without a circle.
function Project:types_before(module)
  local types <const> = {}
  for _, other in ipairs(self.modules) do
    if other == module then break end
    types[#types + 1] = other.type
  end
  return types
end

function Project:add_module(name, random)
  local module <const> = { name = name, decls = {}, returns = "M" }
  self.modules[#self.modules + 1] = module
  local author <const> = author_of(self, module, random)
  for i = 1, 3 + random.below(8) do module.decls[i] = author:decl() end
  return module
end

-- A class file, whose type has the project's seed in its name: a class lives as long as the process.
function Project:add_type(type, random)
  local module <const> = { name = "pools." .. type, type = type, decls = {}, returns = "M" }
  self.modules[#self.modules + 1] = module
  local author <const> = author_of(self, module, random)
  module.decls[1] = declare.type(author)
  for i = 2, 3 + random.below(3) do module.decls[i] = random.one_in(2) and declare.hook(author) or author:decl() end
end

function project.new(random, seed)
  local self <const> = setmetatable({ modules = { library("bus", BUS), library("kit", KIT) }, count = 0 }, Project)
  for i = 1, 1 + random.below(4) do self:add_module(("abcd"):sub(i, i), random) end
  self.modules[#self.modules].is_folder = random.one_in(8)
  for i = 1, 1 + random.below(3) do self:add_type(("T%dx%d"):format(seed, i), random) end
  return self
end

-- Files by name, with their texts. A module that is a folder is loaded under two names.
function Project:texts()
  local texts <const> = {}
  for _, module in ipairs(self.modules) do
    texts[module.name:gsub("%.", "/") .. (module.is_folder and "/init.lua" or ".lua")] = print_module(module)
  end
  return texts
end

function Project:names()
  local names <const> = {}
  for _, module in ipairs(self.modules) do
    names[#names + 1] = module.name
    names[#names + 1] = module.is_folder and module.name .. ".init" or nil
  end
  return names
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local new <const> = {}
  for key, entry in pairs(value) do new[key] = copy(entry) end
  return setmetatable(new, getmetatable(value))
end

function Project:copy() return copy(self) end

-- }==

project.KINDS = declare
project.author_of = author_of
project.copy = copy

return project
