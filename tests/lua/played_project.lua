-- Random projects that are played between edits: their files, and edits that an author makes. What each edit means is
-- known here, from what it was made for.
--
-- A file is { name, path, var, class, requires, disk, running }: the name of its variable in others, the files that it
-- requires, and two records { version, features, remarks, unused, fault } from which its text is printed. A record is
-- never changed, but copied.
local features <const> = require "played_features"

local project <const> = {}

local FAULTS <const> = { syntax = "local = 1\n", raise = "error 'broken'\n", returns = "" }

local function copy(t, changes)
  local new <const> = {}
  for k, v in pairs(t) do new[k] = v end
  for k, v in pairs(changes) do new[k] = v end
  return new
end

function project.text(file, record)
  local parts <const> = { file.class and "" or "local M = {}\n" }
  for _, other in ipairs(file.requires) do
    parts[#parts + 1] = ('local %s <const> = require "%s"\n'):format(other.var, other.name)
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
  parts[#parts + 1] = FAULTS[record.fault]
  parts[#parts + 1] = record.fault == "returns" and "return 42\n" or "return M\n"
  local text <const> = table.concat(parts)
  return record.fault == "cut" and text:sub(1, record.at % (#text - #"return M\n")) or text
end

-- {== A new project ===========================================================

local USERS <const> = { "handler", "handler", "handler", "counter", "shooter", "ticker" }

local Project <const> = {}
Project.__index = Project

-- Returns nil when there is nothing yet that a feature of this kind could use.
local function new_feature(self, file, kind, random)
  local f <const> = features.draw(kind, self.keys + 1, random)
  local service <const>, known <const> = features[kind].uses, {}
  for _, other in ipairs(service == "pool" and self.files or service and file.requires or {}) do
    for _, g in ipairs(other.disk.features) do
      if g.kind == service then known[#known + 1] = { of = g.key, lib = other.var, type = g.type } end
    end
  end
  if service and #known == 0 then return nil end
  for word, value in pairs(random.pick(known) or {}) do f[word] = value end
  if features[kind].ways then features[kind].ways(f, random) end
  self.keys = f.key
  return f
end

local function add_file(self, name, random, kinds)
  local file <const> = { name = name, var = name:gsub("%W", "_"), path = name:gsub("%.", "/") .. ".lua", requires = {},
    disk = { version = 1, features = {}, remarks = {}, unused = {} } }
  for i, other in ipairs(self.files) do
    local is_last <const> = name == "main" and not other.is_required
    if not other.class and (is_last or i == 1 and #file.requires == 0 or random.below(5) < 3) then
      table.insert(file.requires, other)
      other.is_required = true
    end
  end
  self.files[#self.files + 1] = file
  for _, kind in ipairs(kinds) do table.insert(file.disk.features, new_feature(self, file, kind, random)) end
  return file
end

function project.new(seed, random)
  local self <const> = setmetatable({ files = {}, keys = 0, versions = 1 }, Project)
  for i = 1, random.below(3) do
    local type <const> = ("T%dx%d"):format(seed, i)
    local file <const> = add_file(self, "pools." .. type, random, { "pool" })
    file.class, file.requires, file.disk.features[1].type = type, {}, type
  end
  local count <const> = 3 + random.below(5)
  for i = 1, count do
    local kinds <const> = {}
    local is_library <const> = i == 1 or i < count and random.one_in(3)
    for k = 1, is_library and 1 + random.below(2) or 0 do kinds[k] = "bus" end
    local name = i == count and "main" or is_library and i > 1 and random.one_in(3) and "lib.f" .. i or "f" .. i
    for _ = 1, i > 1 and 1 + random.below(4) or 0 do kinds[#kinds + 1] = random.pick(USERS) end
    add_file(self, name, random, kinds)
  end
  return self
end

-- The files in the order in which they run when the last one is required: pools first.
function Project:in_order()
  local list <const>, is_in <const> = {}, {}
  local function add(file)
    if is_in[file] then return end
    is_in[file] = true
    for _, other in ipairs(file.requires) do add(other) end
    list[#list + 1] = file
  end
  for _, file in ipairs(self.files) do
    if file.class then add(file) end
  end
  add(self.files[#self.files])
  return list
end

-- }==

-- {== Edits ===================================================================

-- Each returns { file, record }, a second such pair, or nothing where it does not fit.
local edits <const> = {}

function Project:changed(file, changes, is_quiet)
  self.versions = self.versions + (is_quiet and 0 or 1)
  changes.version = is_quiet and file.disk.version or self.versions
  return { file, copy(file.disk, changes) }
end

-- A list with one more value, or without the first one.
local function longer_or_shorter(list, value, random)
  local new <const> = table.move(list, 1, #list, 1, {})
  if #list > 0 and random.one_in(3) then table.remove(new, 1) else new[#new + 1] = value end
  return new
end

function edits.remark(self, file, random)
  local new <const> = longer_or_shorter(file.disk.remarks, random.below(100), random)
  return self:changed(file, { remarks = new }, random.one_in(2))
end

function edits.unused(self, file, random)
  return self:changed(file, { unused = longer_or_shorter(file.disk.unused, self.versions, random) })
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
  local list <const> = table.move(file.disk.features, 1, #file.disk.features, 1, {})
  list[i] = new
  return self:changed(file, { features = list })
end

function edits.tune(self, file, random)
  local by <const> = 1 + random.below(5)
  return change_one(self, file, random, function(f) return features.has_constant(f) and copy(f, { k = f.k + by }) end)
end

function edits.extra(self, file, random)
  return change_one(self, file, random, function(f)
    return f.kind == "pool" and copy(f, { extra = self.versions })
  end)
end

function edits.more(self, file, random)
  local f <const> = not file.class and new_feature(self, file, random.pick(USERS), random)
  if not f then return nil end
  local list <const> = table.move(file.disk.features, 1, #file.disk.features, 1, {})
  table.insert(list, random.below(#list + 1) + 1, f)
  return self:changed(file, { features = list })
end

-- Of these nothing is left when they go, if their number is hidden, too.
local LEAVING <const> = { handler = true, counter = true, ticker = true }
local HIDDEN <const> = { file_local = true, two = true }

function edits.less(self, file, random)
  local list <const> = table.move(file.disk.features, 1, #file.disk.features, 1, {})
  local f <const> = #list > 1 and table.remove(list, random.below(#list) + 1)
  return f and HIDDEN[f.cell] and LEAVING[f.kind] and self:changed(file, { features = list }) or nil
end

local QUIET <const> = { "remark", "unused", "tune" }

function edits.two(self, file, random)
  local other <const> = random.pick(self.files)
  if other == file then return nil end
  local one <const> = edits[random.pick(QUIET)](self, file, random)
  return one, one and edits[random.pick(QUIET)](self, other, random)
end

local GOOD <const> = { "remark", "remark", "unused", "tune", "tune", "extra", "more", "more", "more", "less", "less",
  "two" }

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

-- A text that does not load; another file may be saved with it.
function Project:broken(file, random)
  local fault <const> = random.pick(file.class and { "syntax", "raise" } or { "syntax", "raise", "returns", "cut" })
  local list <const> = { self:changed(file, { fault = fault, at = random.below(1 << 20) }) }
  local other <const> = random.pick(self.files)
  if other ~= file and random.one_in(4) then list[2] = self:quiet(other, random) end
  return list
end

local CALLED <const> = { counter = true, shooter = true }

-- A text that loads, and fails when the game runs on; nil when the game calls nothing of the file.
function Project:failing(file, random)
  local is_used <const> = {}
  for _, other in ipairs(self.files) do
    for _, f in ipairs(other.disk.features) do is_used[f.kind == "shooter" and f.of or 0] = true end
  end
  return change_one(self, file, random, function(f)
    return (CALLED[f.kind] or f.kind == "pool" and is_used[f.key]) and copy(f, { is_failing = true })
  end)
end

-- }==

return project
