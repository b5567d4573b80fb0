-- What of the old texts may become what of the new ones: pairs of values of two universes, found from the globals and
-- the file-locals on, under the same keys and names. A value with one partner on both sides is sure: it must be that.
-- Where aliases split, join or change places there are several partners, and a reload may choose. What a module has
-- imported is not followed: its name is the one that its own module gives it.
local capture <const> = require "reload_capture"

local pairing <const> = {}

-- `universe` as of reload_universe.lua. The result: `of_old[value]` and `of_new[value]` are lists of partners.
local Pairs <const> = {}
Pairs.__index = Pairs

local function only(lists, value)
  local list <const> = lists[value]
  if list and #list == 1 then return list[1] end
  return nil
end

-- The one value that an old one must become, or nil.
function Pairs:successor(old)
  local new <const> = only(self.of_old, old)
  return new ~= nil and rawequal(only(self.of_new, new), old) and new or nil
end

function Pairs:predecessor(new)
  local old <const> = only(self.of_new, new)
  return old ~= nil and rawequal(only(self.of_old, old), new) and old or nil
end

-- Values of a program that have nothing to do with its texts: made by `load`, by a coroutine, or by code of another
-- file. They are others at each run.
function pairing.is_unstable(record)
  return record.kind == "C function" or record.kind == "thread" or record.is_foreign
end

-- `holder`: the module that has made what `old` was found in.
local function add(self, old, new, holder)
  local a <const>, b <const> = self.old.of[old], self.new.of[new]
  if not a or not b or a.kind ~= b.kind or a.source ~= b.source then return end
  local maker <const> = self.old.made_by[old]
  if maker ~= self.new.made_by[new] or self.imports[holder] and self.imports[holder][maker] then return end
  local list <const> = self.of_old[old] or {}
  for _, known in ipairs(list) do
    if rawequal(known, new) then return end
  end
  list[#list + 1] = new
  self.of_old[old] = list
  self.of_new[new] = self.of_new[new] or {}
  table.insert(self.of_new[new], old)
  self.work[#self.work + 1] = { old, new }
end

local function add_cells(self, old, new, holder)
  local a <const>, b <const> = self.old.cells[old], self.new.cells[new]
  if a and b and a.value ~= nil and b.value ~= nil then add(self, a.value, b.value, holder) end
end

-- Whether the texts say something else of a value, or of what is in it if that is a table; what each run makes anew is
-- always something else.
function Pairs:is_edited(old, new, seen)
  local a <const>, b <const> = self.old.of[old], self.new.of[new]
  if not a or not b then return not capture.identical(old, new) end
  if a.kind ~= "table" or b.kind ~= "table" then return a.kind ~= b.kind or pairing.is_unstable(a) end
  seen = seen or {}
  if seen[old] then return false end
  seen[old] = true
  for key, value in pairs(a.at) do
    if not self.old.of[key] and self:is_edited(value, b.at[key], seen) then return true end
  end
  for key in pairs(b.at) do
    if not self.new.of[key] and a.at[key] == nil then return true end
  end
  return false
end

-- Whether tables in an array may have changed their places: another length, or what was at one place is now at another.
local function may_move(self, a, b)
  if #a ~= #b then return true end
  for i = 1, #a do
    for j = 1, #b do
      if i ~= j and self.old.of[a[i]] and not self:is_edited(a[i], b[j]) and
        self:is_edited(a[i], b[i]) then return true end
    end
  end
  return false
end

-- Then each may have become each.
local function add_moved(self, a, b, maker)
  for _, value in ipairs(a) do
    for _, other in ipairs(b) do add(self, value, other, maker) end
  end
end

-- Places in a list that others append to mean nothing.
local function names_a_place(key, record)
  return type(key) ~= "table" and type(key) ~= "function" and not (math.type(key) == "integer" and
    record.at.kind == "list")
end

local function follow(self, old, new)
  local a <const>, b <const>, maker <const> = self.old.of[old], self.new.of[new], self.old.made_by[old]
  if a.kind == "table" then
    local moves <const> = #a.at > 0 and a.at.kind ~= "list" and may_move(self, a.at, b.at)
    if moves then add_moved(self, a.at, b.at, maker) end
    for key, value in pairs(a.at) do
      if b.at[key] ~= nil and names_a_place(key, a) and not (moves and math.type(key) == "integer") then
        add(self, value, b.at[key], maker)
      end
    end
    if a.meta and b.meta then add(self, a.meta, b.meta, maker) end
  elseif a.kind == "function" then
    for _, up in ipairs(a.ups) do
      for _, other in ipairs(b.ups) do
        -- A file-local is one variable by its name, whoever uses it.
        if up.name == other.name and not self.old.label[up.id] then add_cells(self, up.id, other.id, maker) end
      end
    end
  end
end

-- Module -> set of those that it requires, and that these require.
local function all_imports(old, new)
  local all <const> = {}
  local function collect(name, used)
    for other in pairs(used) do
      if not all[name][other] then
        all[name][other] = true
        collect(name, old.uses[other] or {})
        collect(name, new.uses[other] or {})
      end
    end
  end
  for _, u in ipairs { old, new } do
    for name, used in pairs(u.uses) do
      all[name] = all[name] or {}
      collect(name, used)
    end
  end
  return all
end

function pairing.find(old, new)
  local self <const> = setmetatable({ old = old, new = new, of_old = {}, of_new = {}, work = {} }, Pairs)
  self.imports = all_imports(old, new)
  add(self, old.env, new.env)
  for label, id in pairs(old.cell) do
    if new.cell[label] then add_cells(self, id, new.cell[label], label:match "^[^:]*") end
  end
  while #self.work > 0 do
    local pair <const> = table.remove(self.work)
    follow(self, pair[1], pair[2])
  end
  return self
end

-- Whether an edited file may have written into what `maker` has made: into the globals, into what it imports.
function Pairs:is_written_by_others(maker)
  if maker == "world" then return true end
  for name, file in pairs(self.new.file) do
    local is_user <const> = self.imports[name] and self.imports[name][maker]
    if is_user and self.old.texts[self.old.file[name]] ~= self.new.texts[file] then return true end
  end
  return false
end

-- Modules that run again, at most: those whose text differs, those that require them, before or after, also from within
-- functions.
function pairing.run_again(old, new)
  local set <const>, found = {}, true
  for name, file in pairs(new.file) do set[name] = old.texts[old.file[name]] ~= new.texts[file] or nil end
  while found do
    found = false
    for _, u in ipairs { old, new } do
      for name, file in pairs(u.file) do
        for used in u.texts[file]:gmatch "require%W+([%w_.]+)" do
          if set[used] and not set[name] then set[name], found = true, true end
        end
      end
    end
  end
  return set
end

return pairing
