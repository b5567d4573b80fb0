-- A universe: modules loaded from texts, with globals, a `require` and copies of the standard library's tables of their
-- own. It shows what a project is when it has just been loaded, beside the running one and without touching it.
local capture <const> = require "reload_capture"

local universe <const> = {}

-- {== The world before the project ============================================

-- Tables of the standard library, which modules may write into: each universe has copies.
local function library_tables()
  return { _G, package, package.loaded, string, table, math, os, io, debug, coroutine, utf8 }
end

-- Returns the parts of a program beside the edited modules: a list and a table by name that modules write into, the
-- classes by type, and functions.
function universe.new_world()
  return { list = { kind = "list" }, names = {}, types = {}, noop = universe.noop, id = universe.id }
end

function universe.noop() end

function universe.id(value) return value end

-- The set lies in the registry: what can be reached from a module would count as data of the program.
local KEY <const> = "reload_universe.opaque"
local registry_of <const> = debug.getregistry

function universe.opaque() return registry_of()[KEY] end

-- Call it once, before any project is loaded, and after whatever sets up the program. `universe.opaque()` is the set of
-- what is there by then.
function universe.settle()
  universe.entries = {}
  for _, library in ipairs(library_tables()) do
    local entries <const> = {}
    for key, value in next, library do entries[key] = value end
    universe.entries[library] = entries
  end
  registry_of()[KEY] = capture.baseline(library_tables())
end

-- Puts all tables of the library back to what they were at `settle`, and forgets the set: one that stays would be
-- walked through by the next.
function universe.restore()
  registry_of()[KEY] = nil
  for library, entries in pairs(universe.entries) do
    for key in next, library do
      if entries[key] == nil then rawset(library, key, nil) end
    end
    for key, value in pairs(entries) do rawset(library, key, value) end
  end
end

local function copy_library()
  local copy_of <const> = {}
  for library in pairs(universe.entries) do copy_of[library] = {} end
  for library, entries in pairs(universe.entries) do
    for key, value in pairs(entries) do copy_of[library][key] = copy_of[value] or value end
  end
  return copy_of[_G]
end

-- }==

-- {== Files and names =========================================================

-- The file of a module among the texts: a.lua or a/init.lua for "a".
function universe.file_of(name, texts)
  local path <const> = name:gsub("%.", "/")
  for _, file in ipairs { path .. ".lua", path .. "/init.lua" } do
    if texts[file] then return file end
  end
  return nil
end

-- The names of file-locals: declared in the first column, once.
local function locals_of(text)
  local count <const> = {}
  local function add(name) count[name] = (count[name] or 0) + 1 end
  for line in ("\n" .. text):gmatch "\nlocal ([^\n]*)" do
    local fn <const> = line:match "^function ([%a_][%w_]*)"
    if fn then add(fn) end
    for name in (fn and "" or line:match "^[^=]*"):gsub("<%a+>", ""):gmatch "[%a_][%w_]*" do add(name) end
  end
  local set <const> = {}
  for name, times in pairs(count) do set[name] = times == 1 or nil end
  return set
end

-- }==

-- {== Classes =================================================================

-- The class that all others extend: no pool is behind it.
local Base <const> = {}

function Base:alloc()
  local object <const> = {}
  if self.on_spawn then self:on_spawn(object, true) end
  return object
end

function Base:recycle(object)
  if self.on_despawn then self:on_despawn(object, "recycled") end
  return true
end

local function new_class(name)
  local entries <const> = { super = Base }
  local meta <const> = {
    __name = "spawnpool.class", __index = entries, __newindex = entries,
    __tostring = function() return "class " .. name end,
  }
  return setmetatable({}, meta), entries
end

-- A `spawnpool` that only writes down which classes are declared. A class declared again keeps its functions.
local function recorder(u)
  local function class(name, definition)
    local it <const> = u.env.world.types[name] or new_class(name)
    local entries <const>, parent <const> = capture.class_entries(it), definition and definition.extends
    for key, value in pairs(entries) do
      if definition and key ~= "super" and type(value) ~= "function" then entries[key] = nil end
    end
    for key, value in pairs(definition or {}) do entries[key] = value end
    if parent then u.env.require("pools." .. parent) end
    entries.super = parent and u.env.world.types[parent] or Base
    setmetatable(entries, { __index = entries.super })
    u.env.world.types[name] = it
    return it
  end
  return setmetatable({ class = class }, { __index = require "spawnpool" })
end

-- Runs one life with the functions of a type: { x, y of the new object, what the world was told of its end }, or nil
-- and the error.
function universe.one_life(u, type)
  local class <const>, world <const> = u.env.world.types[type], u.env.world
  local pool <const> = setmetatable({}, { __index = class })
  world.recycled, world.despawned = nil, nil
  local done <const>, object = pcall(class.alloc, pool, 0)
  if not done then return nil, object end
  local ended <const>, wrong <const> = pcall(class.recycle, pool, object)
  if not ended then return nil, wrong end
  return { x = object.x or 0, y = object.y or 0, recycled = world.recycled, despawned = world.despawned }
end

-- }==

-- {== Loading =================================================================

-- A file of pools/ is no module: it must declare the class of its name.
local function take_result(u, name, value)
  local type <const> = name:match "^pools%.(.*)"
  if type and not u.env.world.types[type] then
    error(("%s:1: the file declares no class '%s'"):format(u.file[name], type), 0)
  end
  if not type and value ~= nil then u.loaded[name] = value end
  if not type and u.loaded[name] == nil then u.loaded[name] = true end
  u.results[name] = type and (value == nil and true or value) or u.loaded[name]
end

local function prepare_require(u)
  local running <const> = {}
  local function run(name)
    local file <const> = universe.file_of(name, u.texts)
    if not file then error(("module '%s' not found"):format(name), 0) end
    for _, other in ipairs(running) do
      if other == name then error("circular require of " .. name, 0) end
    end
    local text <const> = u.texts[file]
    if text:find("while true do end", 1, true) then error(file .. " never ends", 0) end
    local chunk <const>, wrong <const> = load(text, "@" .. file, "t", u.env)
    if not chunk then error(wrong, 0) end
    running[#running + 1] = name
    u.uses[name], u.file[name] = {}, file
    local value <const> = chunk(name, file)
    running[#running] = nil
    take_result(u, name, value)
    u.order[#u.order + 1] = name
    u:attribute(name)
  end
  function u.env.require(name)
    local user <const> = running[#running]
    if user then u.uses[user][name] = true end
    if not u.loaded[name] and u.results[name] == nil then
      if user then u:attribute(user) end -- what it has made by now
      run(name)
    end
    return u.loaded[name] or u.results[name]
  end
end

local Universe <const> = {}
Universe.__index = Universe

-- Attributes new values to this module, which has just run. Functions are entered once: later changes are in tables.
function Universe:attribute(name)
  local made_by <const> = self.made_by
  capture.walk({ self.env }, universe.opaque(), function(value)
    local is_new <const> = made_by[value] == nil
    if is_new then made_by[value] = name end
    return is_new or type(value) == "table"
  end)
end

-- Which module instance the text of this function belongs to; nil for functions made by `load`.
local function instance_of(u, record, maker)
  local file <const> = record.source:match "^@(.*)"
  if u.file[maker] == file then return maker end
  local found
  for name, its in pairs(u.file) do
    if its == file then
      if found then return nil end -- of two instances, one cannot tell
      found = name
    end
  end
  return found
end

-- Cells of file-locals by "module:name", as far as that names one, and functions that were made by another file's code.
local function label_cells(u)
  local locals <const>, count <const> = {}, {}
  for name, file in pairs(u.file) do locals[name] = locals_of(u.texts[file]) end
  for value, record in pairs(u.of) do
    if record.kind == "function" then
      local maker <const> = u.made_by[value]
      local owner <const> = instance_of(u, record, maker)
      record.is_foreign = owner ~= maker
      record.owner = owner
      for _, up in ipairs(owner and record.ups or {}) do
        local label <const> = owner .. ":" .. up.name
        local alone <const> = u.alone[label] == nil or u.alone[label] == up.id
        u.alone[label], u.name_of[up.id] = alone and up.id, label
        if locals[owner][up.name] and u.label[up.id] ~= label then
          u.label[up.id], count[label] = label, (count[label] or 0) + 1
          u.cell[label] = up.id
        end
      end
    end
  end
  for id, label in pairs(u.label) do
    if count[label] > 1 then u.cell[label], u.label[id] = nil, nil end
  end
end

-- Loads `names` in this order from `texts` (file -> text). A universe has `of` and `cells` as a capture,
-- `made_by[value]`, `cell[label]`, `label[cell id]`, `order` of names, `uses[name]` and `file[name]`; of every
-- variable that a function has `name_of[cell id]`, and `alone[that]` when there is one of it. Or nil and the text of
-- the error.
function universe.load(texts, names)
  local env <const> = copy_library()
  local u <const> = setmetatable({
    env = env, loaded = env.package.loaded, texts = texts,
    order = {}, uses = {}, file = {}, results = {}, made_by = {}, cell = {}, label = {}, alone = {}, name_of = {},
  }, Universe)
  env.world, u.loaded.spawnpool = universe.new_world(), recorder(u)
  function env.load(chunk, name, mode, e) return load(chunk, name, mode, e or env) end
  prepare_require(u)
  u:attribute "world"
  local own_require <const>, own_load <const> = env.require, env.load
  local done, wrong = true, nil
  for _, name in ipairs(names) do
    if done then done, wrong = pcall(env.require, name) end
  end
  if not done then return nil, wrong end
  if env.require == own_require then env.require = require end -- as everybody has it: not a part of the project
  if env.load == own_load then env.load = load end
  u.loaded.spawnpool = package.loaded.spawnpool
  local taken <const> = capture.take({ env }, universe.opaque())
  u.of, u.cells = taken.of, taken.cells
  label_cells(u)
  return u
end

-- }==

return universe
