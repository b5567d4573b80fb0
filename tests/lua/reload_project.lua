-- Random projects of a few modules: trees that are derived by reload_grammar.lua, and printed as text.
--
-- A node of a tree is { symbol, form } with a child for each place in its form: another node, false where there was
-- none to derive; a list { of = symbol } of nodes; or a name.
local grammar <const> = require "reload_grammar"

local project <const> = {}

local PLACE <const> = "%$([=@]?)(%a+)(%*?)" -- in a form
local DEEPEST <const> = 3 -- table in a table

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

-- {== Text ====================================================================

-- Returns whether a name, known as { kind, is_table }, can stand in a place for this kind. Names that every module has
-- are no declarations.
local function fits(kind, name, known)
  if not known then return false end
  if kind == "any" then return not known.is_given and known.kind ~= "type" end
  if kind == "state" then return name:find "^s" ~= nil end
  if kind == "table" or kind == "holder" then return known.is_table or kind == "holder" and known.kind == "type" end
  return known.kind == kind or kind == "bus" and name == "bus"
end

local function declare(scope, name, kind, text)
  local value <const> = text:match "^local [^=]*= (.*)" or ""
  local is_table <const> = kind == "class" or value:find "^{" or value:find "^setmetatable%("
  scope[name] = { kind = kind, is_table = is_table and true }
end

-- The text of a node, nil when a name that it needs is not known; adds names to `scope`.
function project.print(node, scope)
  local at, is_missing, name, kind = 0, false, nil, nil
  local text <const> = node.form:gsub(PLACE, function(mark, word, star)
    at = at + 1
    local child <const> = node[at]
    if mark == "=" then name, kind = child, word end
    if word == "it" then return name end
    if mark == "@" and not fits(word, child, scope[child]) or not child then
      is_missing = true
    elseif star == "*" then
      local parts <const> = {}
      for _, item in ipairs(child) do parts[#parts + 1] = project.print(item, scope) end
      return table.concat(parts)
    elseif mark == "" then
      local its <const> = project.print(child, scope)
      is_missing = is_missing or not its
      return its or ""
    end
    return child or ""
  end)
  if is_missing then return (node.symbol == "expr" or node.symbol == "base") and "nil" or nil end
  if name then declare(scope, name, kind, text) end
  return text
end

-- The text of a module, and the names that are known at its end.
function project.text(module)
  local parts <const>, scope <const> = { "local M = {}" }, { M = { is_table = true } }
  if not module.is_library then
    for _, name in ipairs { "bus", "kit" } do
      parts[#parts + 1] = ('local %s = require "%s"'):format(name, name)
      scope[name] = { kind = "module", is_given = true }
    end
    scope["kit.make"] = { kind = "make", is_given = true }
  end
  for _, decl in ipairs(module.decls) do
    -- A module that is loaded twice writes nothing that both could write.
    if not (module.is_folder and decl.form == "$effect") then parts[#parts + 1] = project.print(decl, scope) end
  end
  parts[#parts + 1] = module.type and scope[module.type] and "return " .. module.type or module.returns
  return table.concat(parts, "\n") .. "\n", scope
end

-- }==

-- {== Trees ===================================================================

-- Writes a module: `scope` has the names that are known in it.
local Author <const> = {}
Author.__index = Author

function project.author(its, module, random)
  local _, scope <const> = project.text(module)
  return setmetatable({ project = its, module = module, random = random, scope = scope, depth = 0 }, Author)
end

local PREFIXES <const> = { state = "s", value = "l", fun = "f", make = "make", module = "i", class = "C" }

function Author:new_name(kind)
  if kind == "type" then return self.module.type end
  self.project.count = self.project.count + 1
  return PREFIXES[kind] .. self.project.count
end

-- A name of this kind; mostly the module's own table where it may be.
function Author:known(kind)
  if (kind == "table" or kind == "holder") and not self.random.one_in(3) then return "M" end
  local names <const> = {}
  for name, known in pairs(self.scope) do
    if fits(kind, name, known) then names[#names + 1] = name end
  end
  table.sort(names)
  return self.random.pick(names) or "M"
end

-- Fills the places of a form, with children of the node `old` where they fit.
function Author:fill(node, old)
  local left <const>, at = {}, 0
  for mark, word, star in (old and old.form or ""):gmatch(PLACE) do
    at = at + 1
    left[mark == "=" and mark or mark .. word .. star] = old[at]
  end
  for mark, word, star in node.form:gmatch(PLACE) do
    local child = left[mark == "=" and mark or mark .. word .. star]
    if child == nil then
      if mark == "=" then child = self:new_name(word) end
      if mark == "@" then child = self:known(word) end
      if mark == "" then child = star == "" and self:derive(word) or star == "*" and self:list(word) end
    end
    node[#node + 1] = child
  end
  return node
end

function Author:list(symbol)
  local list <const> = { of = symbol }
  for i = 1, self.random.below(4) do list[i] = self:derive(symbol) end
  return list
end

-- A node of this symbol; false when there is none.
function Author:derive(symbol)
  local forms = grammar[symbol == "expr" and self.depth >= DEEPEST and "leaf" or symbol]
  if type(forms) == "function" then forms = forms(self.project, self.module) end
  local form <const> = self.random.pick(forms)
  if not form then return false end
  self.depth = self.depth + (symbol == "tab" and 1 or 0)
  local node <const> = self:fill { symbol = symbol, form = form }
  self.depth = self.depth - (symbol == "tab" and 1 or 0)
  return node
end

-- }==

-- {== Projects ================================================================

local Project <const> = {}
Project.__index = Project

-- Returns the names of modules, or the types, that the modules before this one have as `key`.
function Project:before(module, key)
  local list <const> = {}
  for _, other in ipairs(self.modules) do
    if other == module then break end
    if not other.type or key == "type" then list[#list + 1] = other[key] end
  end
  return list
end

local function add_library(self, name, random)
  local module <const> = { name = name, decls = {}, returns = "return M", is_library = true }
  self.modules[#self.modules + 1] = module
  for text in (grammar[name] .. "\n\n"):gmatch "(.-)\n\n" do
    table.insert(module.decls, project.author(self, module, random):fill { symbol = "library", form = text })
  end
end

-- A module with these declarations and some more; with a type that of a class file.
function Project:add_module(name, type, random, ...)
  local module <const> = { name = name, type = type, decls = {}, returns = "return M" }
  self.modules[#self.modules + 1] = module
  local symbols <const> = { ... }
  for i = 1, type and 3 + random.below(3) or 3 + random.below(8) do
    local symbol <const> = symbols[i] or type and random.one_in(2) and "hook" or "decl"
    module.decls[i] = project.author(self, module, random):derive(symbol)
  end
  return module
end

function project.new(random, seed)
  local self <const> = setmetatable({ modules = {}, count = 0 }, Project)
  add_library(self, "bus", random)
  add_library(self, "kit", random)
  for i = 1, 1 + random.below(4) do self:add_module(("abcd"):sub(i, i), nil, random) end
  self.modules[#self.modules].is_folder = random.one_in(8)
  -- The type has the project's seed in its name: a class lives as long as the process.
  for i = 1, 1 + random.below(3) do
    local type <const> = ("T%dx%d"):format(seed, i)
    self:add_module("pools." .. type, type, random, "type")
  end
  return self
end

-- Files by name, with their texts. A module that is a folder is loaded under two names.
function Project:texts()
  local texts <const> = {}
  for _, module in ipairs(self.modules) do
    local file <const> = module.name:gsub("%.", "/") .. (module.is_folder and "/init.lua" or ".lua")
    texts[file] = project.text(module)
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

function project.copy(value)
  if type(value) ~= "table" then return value end
  local new <const> = {}
  for key, entry in pairs(value) do new[key] = project.copy(entry) end
  return setmetatable(new, getmetatable(value))
end

Project.copy = project.copy

-- }==

return project
