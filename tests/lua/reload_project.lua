-- Random projects of a few modules, as trees of declarations that are printed as text, and random edits of such a tree.
-- Names tell what the game may do: it sets variables and entries whose names begin with "s" or "g", and nothing else,
-- so that what a module reads from others as it is loaded is what their texts say.
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
  return { k = "mfun", base = a.random.one_in(3) and a:known("local", "class") or "M", key = "f" .. a.random.below(4),
    is_method = a.random.one_in(3), expr = a:fun() }
end

function declare.set(a)
  return { k = "set", base = a.random.one_in(3) and a:known("local", "class") or "M",
    key = a.random.pick { "s", "s", "k", "t" } .. a.random.below(4), expr = a:expr(0) }
end

function declare.index(a)
  local base <const> = a:known("local", "class") or "M"
  return { k = "set", base = base, key = "__index", expr = { k = "ref",
    name = a.random.one_in(2) and base or a:known("local") } }
end

-- Writes into what belongs to others; the keys have the writer's name, so that two modules never write the same.
function declare.put(a)
  local via <const> = a.random.pick { "bus.registry", "bus.registry", "world.names", "bus", "string", "math" }
  return { k = "put", base = via, key = a.module.name .. a.random.below(4), expr = a:expr(1) }
end

function declare.global(a)
  return { k = "global", name = a.random.pick { "s_", "G_" } .. a.module.name .. a.random.below(3), expr = a:expr(1) }
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

function declare.block(a) return { k = "block", key = "f" .. a.random.below(4), expr = a:fun() } end

local KINDS <const> = {
  "local", "local", "local", "lfun", "lfun", "mfun", "mfun", "mfun", "set", "set", "set", "index", "put", "put", "on",
  "on", "on", "global", "import", "import", "class", "block", "factory", "factory",
}

function Author:decl()
  return declare[self.random.pick(KINDS)](self)
end

-- }==

-- {== Printing ================================================================

local print_expr

-- A name as it stands in the text: nil when nothing of that name is in sight.
local function in_scope(scope, name) return scope[name] and name or "nil" end

local function print_body(fun, scope, indent, head)
  local lines <const> = { head }
  for _, write in ipairs(fun.writes) do
    local its <const> = write.name and scope[write.name]
    if its and write.key and its.is_table then
      lines[#lines + 1] = ("%s  %s.%s = p"):format(indent, write.name, write.key)
    elseif its and not write.key and write.name:find "^s" then
      lines[#lines + 1] = ("%s  %s = p"):format(indent, write.name)
    end
  end
  local results <const> = { tostring(fun.n) }
  for _, name in ipairs(fun.reads) do results[#results + 1] = in_scope(scope, name) end
  lines[#lines + 1] = ("%s  return %s"):format(indent, table.concat(results, ", "))
  lines[#lines + 1] = indent .. "end"
  return table.concat(lines, "\n")
end

local function print_tab(tab, scope, indent)
  if #tab == 0 then return "{}" end
  local lines <const> = { "{" }
  for _, entry in ipairs(tab) do
    lines[#lines + 1] = ("%s  %s%s,"):format(indent, entry.key and entry.key .. " = " or "",
      print_expr(entry.value, scope, indent .. "  "))
  end
  lines[#lines + 1] = indent .. "}"
  return table.concat(lines, "\n")
end

function print_expr(e, scope, indent)
  if e == nil then return "nil" end
  if type(e) == "string" then return e end
  if e.k == "tab" then return print_tab(e, scope, indent) end
  if e.k == "fun" then return print_body(e, scope, indent, "function(p)") end
  if e.k == "ref" then return e.name and in_scope(scope, e.name) or "nil" end
  if e.k == "mem" then return scope[e.base] and scope[e.base].is_module and e.base .. "." .. e.key or "nil" end
  if e.k == "meta" then
    local meta <const> = e[2] and scope[e[2]]
    local tab <const> = print_expr(e[1], scope, indent)
    return meta and meta.is_table and ("setmetatable(%s, %s)"):format(tab, e[2]) or tab
  end
  if e.k == "call" then
    local its <const> = e.name and scope[e.name]
    return its and ("%s(%d)"):format(e.name, e.arg) or "nil"
  end
end

local print_decl <const> = {}

print_decl["local"] = function(d, scope)
  local text <const> = ("local %s%s"):format(d.name, d.is_const and d.expr and " <const>" or "")
  local value <const> = d.expr and " = " .. print_expr(d.expr, scope, "") or ""
  scope[d.name] = { is_table = type(d.expr) == "table" and (d.expr.k == "tab" or d.expr.k == "meta") }
  return text .. value
end

function print_decl.lfun(d, scope)
  scope[d.name] = {}
  return print_body(d.expr, scope, "", ("local function %s(p)"):format(d.name))
end

function print_decl.factory(d, scope)
  scope[d.name] = {}
  local head <const> = ("local function %s(p)\n  local k = p\n  return function(q)\n    k = q or k"):format(d.name)
  return print_body(d.expr, scope, "  ", head) .. ("\nend\nM.%s = %s"):format(d.key, d.name)
end

function print_decl.mfun(d, scope)
  if not scope[d.base] or not scope[d.base].is_table then return nil end
  return print_body(d.expr, scope, "", ("function %s%s%s(p)"):format(d.base, d.is_method and ":" or ".", d.key))
end

function print_decl.set(d, scope)
  if not scope[d.base] or not scope[d.base].is_table then return nil end
  return ("%s.%s = %s"):format(d.base, d.key, print_expr(d.expr, scope, ""))
end

-- What others hold is never set to nil: that takes away what the game has put there, and a fresh load does not show it.
local function print_value(e, scope)
  local text <const> = print_expr(e, scope, "")
  local may_be_nil <const> = type(e) == "table" and (e.k == "ref" or e.k == "mem")
  return may_be_nil and text .. " or 0" or text == "nil" and "0" or text
end

function print_decl.put(d, scope)
  if d.base:find "^bus" and not scope.bus then return nil end
  return ("%s.%s = %s"):format(d.base, d.key, print_value(d.expr, scope))
end

function print_decl.global(d, scope) return ("%s = %s"):format(d.name, print_value(d.expr, scope)) end

function print_decl.on(d, scope)
  if d.form:find "^bus" and not scope.bus then return nil end
  local value <const> = print_expr(d.expr, scope, "")
  return value ~= "nil" and (d.form:gsub("%%s", function() return value end)) or nil
end

function print_decl.import(d, scope)
  scope[d.name] = { is_module = not d.member }
  if d.form == 2 and d.name == "bus" then scope[d.name] = { is_module = true } end
  if d.member then return ('local %s = require("%s").%s'):format(d.name, d.module, d.member) end
  return (d.form == 1 and 'local %s <const> = require "%s"' or 'local %s = require("%s")'):format(d.name, d.module)
end

function print_decl.class(d, scope)
  if not scope.kit then return nil end
  local base <const> = d.base and scope[d.base] and scope[d.base].is_class and d.base or "nil"
  scope[d.name] = { is_table = true, is_class = true }
  local text <const> = ('local %s = kit.class("%s", %s)'):format(d.name, d.name, base)
  return text .. (d.is_shown and ("\nM.C1 = %s"):format(d.name) or "")
end

function print_decl.block(d, scope)
  return "do\n  local h = 0\n" .. print_body(d.expr, scope, "  ", ("  function M.%s(p)\n    h = h + 1"):format(d.key))
    .. "\nend"
end

function print_decl.raw(d) return (d.text:gsub("%%d", tostring(d.n or 0))) end

local RETURNS <const> = {
  M = "return M", loaded = "package.loaded[...] = M", meta = "return setmetatable(M, { __index = world.names })",
  ["function"] = "return function() return M end", ["false"] = "return false", none = "",
}

local function print_module(module)
  local scope <const> = { M = { is_table = true } }
  local parts <const> = { "local M = {}" }
  if module.name ~= "bus" and module.name ~= "kit" then
    scope.bus, scope.kit, scope["kit.make"] = { is_module = true }, { is_module = true }, {}
    parts[#parts + 1] = 'local bus = require "bus"\nlocal kit = require "kit"'
  end
  for _, decl in ipairs(module.decls) do
    -- A module that is loaded twice writes nothing that both could write.
    local is_unclear <const> = module.is_folder and (decl.k == "put" or decl.k == "global" or decl.k == "on")
    parts[#parts + 1] = not is_unclear and print_decl[decl.k](decl, scope) or nil
    if decl.is_spaced then parts[#parts + 1] = "" end
  end
  parts[#parts + 1] = RETURNS[module.returns]
  return table.concat(parts, "\n") .. "\n"
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
    names[#names + 1] = other.name
  end
  return names
end

function Project:add_module(name, random)
  local module <const> = { name = name, decls = {}, returns = "M" }
  self.modules[#self.modules + 1] = module
  local author <const> = author_of(self, module, random)
  for i = 1, 3 + random.below(8) do module.decls[i] = author:decl() end
  return module
end

function project.new(random)
  local self <const> = setmetatable({ modules = { library("bus", BUS), library("kit", KIT) }, count = 0 }, Project)
  for i = 1, 1 + random.below(4) do self:add_module(("abcd"):sub(i, i), random) end
  self.modules[#self.modules].is_folder = random.one_in(8)
  return self
end

-- Files by name, with their texts. A module that is a folder is loaded under two names.
function Project:texts()
  local texts <const> = {}
  for _, module in ipairs(self.modules) do
    texts[module.name .. (module.is_folder and "/init.lua" or ".lua")] = print_module(module)
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
