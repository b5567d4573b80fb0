-- Random projects that are played between edits: their files, and edits that an author makes. What each edit means is
-- known here, from what it was made for.
--
-- A file is { name, var, names, requires, disk, running }: the name of its variable in others, the names by which it is
-- required, and two records { version, features, remarks, unused, fault } from which its text is printed. A record is
-- never changed, but copied.
local features <const> = require "played_features"
require "played_actors"
require "played_handlers"
require "played_shared"

local project <const> = {}

-- {== Texts ===================================================================

local FAULTS <const> = { syntax = "local = 1\n", raise = "error 'broken'\n", returns = "" }

local function copy(t, changes)
  local new <const> = {}
  for k, v in pairs(t) do new[k] = v end
  for k, v in pairs(changes or {}) do new[k] = v end
  return new
end
project.copy = copy

function project.text(file, record)
  local parts <const> = { file.class and "" or "local M = {}\n" }
  for _, it in ipairs(file.requires) do
    parts[#parts + 1] = ('local %s <const> = require "%s"\n'):format(it.var, it.name)
  end
  for i = 0, #record.features do
    local f <const> = record.features[i]
    local text <const> = f and features.text(f)
    parts[#parts + 1] = f and f.is_failing and text:gsub(f.kind == "pool" and "on_spawn%(o%)" or "work%d+%(%)",
      "%0\n  local _ = nothing.x") or text
    for _, n in ipairs(record.remarks) do
      if n % (#record.features + 1) == i then parts[#parts + 1] = ("-- remark %d\n"):format(n) end
    end
  end
  for _, n in ipairs(record.unused) do
    parts[#parts + 1] = (n % 2 == 0 and "local function unused%d() return %d end\n" or
      "function M.unused%d() return %d end\n"):format(n, n)
  end
  parts[#parts + 1] = ("function M.version() return %d end\n"):format(record.version)
  parts[#parts + 1] = FAULTS[record.fault] or ""
  parts[#parts + 1] = record.fault == "returns" and "return 42\n" or "return M\n"
  local text <const> = table.concat(parts)
  return record.fault == "cut" and text:sub(1, record.at % (#text - #"return M\n")) or text
end

-- }==

-- {== A new project ===========================================================

local SERVICES <const> = { "bus", "bus", "actors", "actors", "field", "token", "classes" }
local USERS <const> = { "handler", "handler", "handler", "actor", "actor", "actor", "counter", "coroutines", "bag",
  "cache", "reader", "owner", "class", "shape", "shout", "shooter", "ticker" }
local OF_TWO_NAMES <const> = { "handler", "shout", "field" } -- of a file that may be loaded twice

local Project <const> = {}
Project.__index = Project

local function new_feature(self, file, kind, random)
  local f <const> = features.random_ways({ kind = kind, key = self.keys + 1, is_global = random.one_in(2) }, random)
  if file.names[2] and f.cell ~= "two" then f.cell = "file_local" end
  local service <const> = features[kind].uses
  if kind == "ticker" and not self.has_pools then return nil end
  local known <const> = {}
  local function look(it, other)
    for _, g in ipairs(other.disk.features) do
      if g.kind == service and not (file.names[2] and g.way == "named") then known[#known + 1] = { it, g } end
    end
  end
  for _, it in ipairs(file.requires) do look(it, it.file) end
  for _, other in ipairs(self.files) do look({}, other.class and other or file) end
  if service then
    local it <const>, g <const> = table.unpack(random.pick(known) or {})
    if not it or g.kind ~= "pool" and not it.var then return nil end
    f.of, f.lib, f.name, f.type, f.way = g.key, it.var, g.name, g.type, g.way
  end
  if features[kind].ways then features[kind].ways(f, random) end
  self.keys = f.key
  return f
end

local function add_file(self, name, random, kinds)
  local file <const> = { name = name, var = name:gsub("%W", "_"), names = { name }, requires = {},
    disk = { version = 1, features = {}, remarks = {}, unused = {} } }
  if name:find "%." then file.names[2] = name:gsub("%.", "/") end
  for i, other in ipairs(self.files) do
    local is_last <const> = name == "main" and not other.is_required
    if not other.class and (is_last or i == 1 and #file.requires == 0 or random.below(5) < 3) then
      table.insert(file.requires, { file = other, var = other.var, name = random.pick(other.names) })
      other.is_required = true
    end
  end
  self.files[#self.files + 1] = file
  for _, kind in ipairs(kinds) do table.insert(file.disk.features, new_feature(self, file, kind, random)) end
  file.path = name:gsub("%.", "/") .. ".lua"
  return file
end

-- `has_pools`: the reloader knows classes.
function project.new(seed, random, has_pools)
  local self <const> = setmetatable({ files = {}, keys = 0, versions = 1, has_pools = has_pools }, Project)
  for i = 1, has_pools and random.below(3) or 0 do
    local type <const> = ("T%dx%d"):format(seed, i)
    local file <const> = add_file(self, "pools." .. type, random, {})
    file.class, file.names, file.requires = type, {}, {}
    local f <const> = new_feature(self, file, "pool", random)
    f.type, file.disk.features[1] = type, f
  end
  local count <const> = 3 + random.below(5)
  for i = 1, count do
    local kinds <const> = {}
    local is_library <const> = i == 1 or i < count and random.one_in(3)
    for k = 1, is_library and 2 + random.below(2) or 0 do kinds[k] = random.pick(SERVICES) end
    local name = i == count and "main" or is_library and i > 1 and random.one_in(3) and "lib.f" .. i or "f" .. i
    for _ = 1, i > 1 and 1 + random.below(4) or 0 do kinds[#kinds + 1] = random.pick(USERS) end
    for k in ipairs(name:find "%." and kinds or {}) do kinds[k] = random.pick(OF_TWO_NAMES) end
    add_file(self, name, random, kinds)
  end
  return self
end

-- }==

-- Returns whether a file requires another one, directly or through others.
function project.depends_on(file, other)
  for _, it in ipairs(file.requires) do
    if it.file == other or project.depends_on(it.file, other) then return true end
  end
  return false
end
Project.depends_on = project.depends_on

-- The files in the order in which they run when the last one is required: pools first.
function Project:in_order()
  local list <const>, is_in <const> = {}, {}
  local function add(file)
    if is_in[file] then return end
    is_in[file] = true
    for _, it in ipairs(file.requires) do add(it.file) end
    list[#list + 1] = file
  end
  for _, file in ipairs(self.files) do
    if file.class then add(file) end
  end
  add(self.files[#self.files])
  return list
end

-- {== Edits ===================================================================

-- Each returns { file, record } and more such pairs, or nothing where it does not fit.
local edits <const> = {}

function Project:changed(file, changes, is_quiet)
  self.versions = self.versions + (is_quiet and 0 or 1)
  changes.version = is_quiet and file.disk.version or self.versions
  return { file, copy(file.disk, changes) }
end

local function with(list, value)
  local new <const> = { table.unpack(list) }
  new[#new + 1] = value
  return new
end

local function without(list, at)
  local new <const> = { table.unpack(list) }
  table.remove(new, at)
  return new
end

function edits.remark(self, file, random)
  local list <const> = file.disk.remarks
  local new <const> = #list > 0 and random.one_in(3) and without(list, 1) or with(list, random.below(100))
  return self:changed(file, { remarks = new }, random.one_in(2))
end

function edits.unused(self, file, random)
  local list <const> = file.disk.unused
  local new <const> = #list > 0 and random.one_in(3) and without(list, 1) or with(list, self.versions)
  return self:changed(file, { unused = new })
end

-- `change(f)`: the new feature, nil where it does not fit.
local function change_one(self, file, random, change)
  local fitting <const> = {}
  for i, f in ipairs(file.disk.features) do
    local new <const> = change(f)
    if new then fitting[#fitting + 1] = { i, new } end
  end
  if #fitting == 0 then return nil end
  local i <const>, new <const> = table.unpack(random.pick(fitting))
  local list <const> = { table.unpack(file.disk.features) }
  list[i] = new
  return self:changed(file, { features = list }), file.disk.features[i], new
end

function edits.tune(self, file, random)
  local by <const> = 1 + random.below(5)
  return (change_one(self, file, random, function(f)
    return features.has_constant(f) and copy(f, { k = f.k + by })
  end))
end

-- A good one: all who use the field are saved, too.
function edits.rename(self, file, random)
  local edit <const>, f <const>, new <const> = change_one(self, file, random, function(f)
    return (f.kind == "field" or f.kind == "pool") and copy(f, { name = "pace" .. f.key .. "x" .. self.versions })
  end)
  if not edit then return nil end
  local list <const> = { edit }
  for _, other in ipairs(self.files) do
    local its = nil
    for i, g in ipairs(other.disk.features) do
      if g.of == f.key then
        its = its or { table.unpack(other.disk.features) }
        its[i] = copy(g, { name = new.name })
      end
    end
    if its and other == file then return nil end
    if its then list[#list + 1] = self:changed(other, { features = its }) end
  end
  return table.unpack(list)
end

function edits.extra(self, file, random)
  return (change_one(self, file, random, function(f)
    return f.kind == "pool" and copy(f, { extra = self.versions })
  end))
end

function edits.more(self, file, random)
  if file.class then return nil end
  local kind <const> = random.pick(file.names[2] and OF_TWO_NAMES or USERS)
  local f <const> = new_feature(self, file, kind, random)
  if not f then return nil end
  local list <const> = with(file.disk.features, f)
  if kind == "handler" then table.insert(list, random.below(#list) + 1, table.remove(list)) end
  return self:changed(file, { features = list })
end

-- Of these nothing is left when they go, if their number is hidden, too.
local LEAVING <const> = { handler = true, counter = true, ticker = true }
local HIDDEN <const> = { file_local = true, two = true }

-- Returns whether the features that only one of the lists has can be removed or added: of features whose order matters
-- one, the last of its service.
local function may_differ(list, other)
  local is_in <const>, ordered = {}, 0
  for _, f in ipairs(other) do is_in[f.key] = f end
  for i, f in ipairs(list) do
    local g <const> = is_in[f.key]
    if g and (g.name ~= f.name or g.extra ~= f.extra) then return false end
    if not g then
      local kind <const> = f.kind
      if kind == "actor" then
        ordered = ordered + 1
        for k = i + 1, #list do
          if list[k].of == f.of then return false end
        end
      elseif kind ~= "shout" and not (HIDDEN[f.cell] and LEAVING[kind]) then
        return false
      end
    end
  end
  return true, ordered
end

function edits.less(self, file, random)
  local list <const> = file.disk.features
  if #list < 2 then return nil end
  local new <const> = without(list, random.below(#list) + 1)
  return may_differ(list, new) and self:changed(file, { features = new }) or nil
end

function edits.older(_, file, random)
  local record <const> = random.pick(file.history)
  local here <const>, gone = may_differ(file.disk.features, record.features)
  local there <const>, more = may_differ(record.features, file.disk.features)
  if not here or not there or gone + more > 1 or record.version == file.disk.version then return nil end
  return { file, record }
end

local QUIET <const> = { "remark", "unused", "tune" }

function edits.two(self, file, random)
  local other <const> = random.pick(self.files)
  if other == file then return nil end
  local one <const> = edits[random.pick(QUIET)](self, file, random)
  return one, one and edits[random.pick(QUIET)](self, other, random)
end

local GOOD <const> = { "remark", "remark", "unused", "tune", "tune", "rename", "extra", "more", "more", "more", "less",
  "less", "older", "two" }

-- An edit that goes through, and what it is called.
function Project:good(file, random)
  for _ = 1, 9 do
    local name <const> = random.pick(GOOD)
    local list <const> = { edits[name](self, file, random) }
    if list[1] then return list, name end
  end
  return { edits.remark(self, file, random) }, "remark"
end

-- Of one file; a silent one changes nothing that the game counts.
function Project:quiet(file, random, is_silent)
  local name <const> = is_silent and "unused" or random.pick(QUIET)
  return edits[name](self, file, random) or edits.remark(self, file, random)
end

-- A text that does not load.
function Project:broken(file, random)
  local fault <const> = random.pick(file.class and { "syntax", "raise" } or { "syntax", "raise", "returns", "cut" })
  local list <const> = { self:changed(file, { fault = fault, at = random.below(1 << 20) }) }
  local other <const> = random.pick(self.files)
  if other ~= file and random.one_in(4) then list[2] = edits[random.pick(QUIET)](self, other, random) end
  return list
end

local CALLED <const> = { counter = true, coroutines = true, reader = true, shooter = true, pool = true }

-- A text that loads, and fails when the game runs on. `is_old(f)`: whether the function of the game that would fail has
-- been as it is for long, so that this edit is to blame. `is_default(f)`: whether all objects have the default of the
-- pool's field, which goes and comes back.
function Project:failing(file, random, is_old, is_default)
  local used <const> = {}
  for _, other in ipairs(self.files) do
    for _, f in ipairs(other.disk.features) do
      if CALLED[f.kind] and f.of then used[f.of] = used[f.of] ~= false and is_old(f) end
    end
  end
  return (change_one(self, file, random, function(f)
    if used[f.key] and f.kind == "pool" and random.one_in(3) then return copy(f, { limit = 2 }) end
    if used[f.key] and (f.kind == "field" or is_default(f)) then return copy(f, { name = "power" .. f.key }) end
  end)) or random.one_in(2) and (change_one(self, file, random, function(f)
    return CALLED[f.kind] and (f.kind ~= "pool" or used[f.key]) and copy(f, { is_failing = true })
  end))
end

-- }==

return project
