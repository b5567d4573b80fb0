-- Pairs of values of two universes, old and new, of which the new one may follow the old one: found from the globals
-- and the file-locals on, under the same keys and names. Values that have only each other as partners must be a pair.
-- Where aliases split, join or change places there are several partners, and a reload may choose. What a module has
-- imported is not followed: its name is the one that its own module gives it.
local capture <const> = require "reload_capture"

local pairing <const> = {}

-- `of_old[value]` and `of_new[value]` are lists of partners. `sure_new[old]` and `sure_old[new]`: those that must be.
local Pairs <const> = {}
Pairs.__index = Pairs

-- The one value that an old one must become, or nil.
function Pairs:successor(old) return self.sure_new[old] end

function Pairs:predecessor(new) return self.sure_old[new] end

-- Returns whether an old value may become a new one.
function Pairs:may_go_on(old) return self.of_old[old] ~= nil or self.is_listed[old] == true end

-- Values of a program that have nothing to do with its texts: made by `load`, by a coroutine, or by code of another
-- file. They are others at each run.
function pairing.is_unstable(record)
  return record.kind == "C function" or record.kind == "thread" or record.is_foreign
end

-- Returns whether the texts differ in a value, or in the contents of a table; values that each run makes anew always
-- differ.
function Pairs:is_edited(old, new, seen)
  local a <const>, b <const> = self.old.of[old], self.new.of[new]
  if not a or not b then return not capture.identical(old, new) end
  if a.kind ~= "table" or b.kind ~= "table" then
    return a.kind ~= b.kind or pairing.is_unstable(a) or pairing.is_unstable(b)
  end
  seen = seen or {}
  if seen[old] ~= nil then return not rawequal(seen[old], new) end -- two names of one table may have parted
  seen[old] = new
  for key, value in pairs(a.at) do
    if not self.old.of[key] and self:is_edited(value, b.at[key], seen) then return true end
  end
  for key in pairs(b.at) do
    if not self.new.of[key] and a.at[key] == nil then return true end
  end
  return self:is_edited(a.meta, b.meta, seen)
end

-- {== Places ==================================================================

-- Returns whether tables in an array may have moved: the length differs, or a table is now at another place.
local function may_move(self, a, b)
  if #a ~= #b then return true end
  for i = 1, #a do
    for j = 1, #b do
      local is_elsewhere <const> = i ~= j and self.old.of[a[i]] and not self:is_edited(a[i], b[j])
      if is_elsewhere and self:is_edited(a[i], b[i]) then return true end
    end
  end
  return false
end

-- Then each may have become each.
local function each_moved(a, b, fn)
  for _, value in ipairs(a) do
    for _, other in ipairs(b) do fn(value, other, true) end
  end
end

local function each_entry(self, a, b, fn)
  local is_list <const> = a.kind == "list"
  local moves <const> = not is_list and #a > 0 and may_move(self, a, b)
  if moves then each_moved(a, b, fn) end
  for key, value in pairs(a) do
    if math.type(key) == "integer" and (is_list or moves) then
      if is_list and self.old.of[value] then self.is_listed[value] =
        true end -- a place in a list that others append to means nothing
    elseif b[key] ~= nil and type(key) ~= "table" and type(key) ~= "function" then
      fn(value, b[key])
    end
  end
end

-- Calls `fn(old, new, has_moved)` for what a pair of values has under the same keys and names.
local function each_place(self, old, new, fn)
  local a <const>, b <const> = self.old.of[old], self.new.of[new]
  if a.kind == "table" then
    each_entry(self, a.at, b.at, fn)
    fn(a.meta, b.meta)
  end
  for _, up in ipairs(a.kind == "function" and a.ups or {}) do
    for _, other in ipairs(b.ups) do
      -- A file-local is one variable by its name, whoever uses it.
      if up.name == other.name and not self.old.label[up.id] then
        fn(self.old.cells[up.id].value, self.new.cells[other.id].value)
      end
    end
  end
end

-- Those that are there from the beginning: the globals and the file-locals.
local function each_root(self, fn)
  local old <const>, new <const> = self.old, self.new
  fn("world", old.env, new.env)
  for label, id in pairs(old.cell) do
    local other <const> = new.cell[label]
    if other then fn(label:match "^[^:]*", old.cells[id].value, new.cells[other].value) end
  end
end

-- }==

-- {== Pairs ===================================================================

-- Returns whether `new` may follow `old`, both found in what the module `holder` has made.
local function fit(self, holder, old, new)
  local a <const>, b <const> = self.old.of[old], self.new.of[new]
  if not a or not b or a.kind ~= b.kind or a.source ~= b.source then return false end
  local maker <const> = self.old.made_by[old]
  return maker == self.new.made_by[new] and not (self.imports[holder] and self.imports[holder][maker])
end

-- Visits all pairs from the roots on; `enter(old, new, has_moved)` says whether a pair is new.
local function visit(self, enter)
  local work <const> = {}
  local function add(holder, old, new, has_moved)
    if fit(self, holder, old, new) and enter(old, new, has_moved) then work[#work + 1] = { old, new } end
  end
  each_root(self, add)
  while #work > 0 do
    local pair <const> = table.remove(work)
    local maker <const> = self.old.made_by[pair[1]]
    each_place(self, pair[1], pair[2], function(old, new, has_moved) add(maker, old, new, has_moved) end)
  end
end

local function add_partner(lists, value, partner)
  lists[value] = lists[value] or {}
  for _, known in ipairs(lists[value]) do
    if rawequal(known, partner) then return false end
  end
  table.insert(lists[value], partner)
  return true
end

local function find_partners(self)
  visit(self, function(old, new, has_moved)
    if has_moved then self.has_moved[old], self.has_moved[new] = true, true end
    add_partner(self.of_new, new, old)
    return add_partner(self.of_old, old, new)
  end)
end

-- Those that have one partner each, and that lie in what is sure itself.
local function find_sure(self)
  visit(self, function(old, new)
    local is_only <const> = #self.of_old[old] == 1 and #self.of_new[new] == 1
    if not is_only or self.has_moved[old] or self.has_moved[new] or self.sure_new[old] ~= nil then return false end
    self.sure_new[old], self.sure_old[new] = new, old
    return true
  end)
end

-- }==

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

-- `old` and `new`: universes as of reload_universe.lua.
function pairing.find(old, new)
  local self <const> = setmetatable({
    old = old, new = new, imports = all_imports(old, new), of_old = {}, of_new = {}, sure_new = {}, sure_old = {},
    has_moved = {}, is_listed = {},
  }, Pairs)
  find_partners(self)
  find_sure(self)
  return self
end

-- Returns whether an edited file may have written into what `maker` has made: into the globals, into its imports.
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
        for used in u.texts[file]:gsub('extends = "', 'require "pools.'):gmatch "require%W+([%w_.]+)" do
          if set[used] and not set[name] then set[name], found = true, true end
        end
      end
    end
  end
  return set
end

return pairing
