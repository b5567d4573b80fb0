-- A reloader that keeps the rules of reload_oracle.lua by brute force: it builds what a fresh load has, and moves it
-- into the running program. It shows that the oracle accepts what is right; with a fault built in, that it finds what
-- is wrong. Unlike a real one it is told which texts the next reload is about.
local oracle <const> = require "reload_oracle"
local universe <const> = require "reload_universe"

local ideal <const> = {}

local Move <const> = {}
Move.__index = Move

-- {== Values ==================================================================

-- What a value of the new universe is in the running program.
function Move:live(new)
  local record <const>, again <const> = self.new.of[new], self.check.again
  local may_stay <const> = record and (record.kind == "table" and not self.faults.new_tables or
    record.kind == "function" and not again[self.new.made_by[new]] and not again[record.owner])
  local old <const> = may_stay and self.check.pairs:predecessor(new) or nil
  return old ~= nil and self.check:held_before(self.check.had[old]) or new
end

-- What the game's value becomes.
function Move:follow(before)
  local fate <const>, new <const> = self.check:fate(before)
  if fate == "follows" and type(before) == "function" and not self.faults.keeps_functions then
    return self:live(new)
  end
  return before
end

function Move:merged(before, old, new)
  local check <const> = self.check
  if self.faults.drops_values or not check:is_changed(before, old) or not check:says_same(old, new) then
    if self.faults.keeps_values and before ~= nil then return before end
    return self:live(new)
  end
  return self:follow(before)
end

-- }==

-- {== Tables ==================================================================

local function merge_list(self, live, before, old, new)
  local list <const> = {}
  for key, value in pairs(new) do
    if math.type(key) == "integer" then list[key] = self:live(value) end
  end
  for _, value in ipairs(oracle.additions(before, self.faults.repeats_handlers and {} or old, self.check.was)) do
    list[#list + 1] = self:follow(value)
  end
  for i = 1, math.max(#list, #before) do rawset(live, i, list[i]) end
end

local function merge_table(self, live, new)
  local before <const> = self.before.of[live]
  local old <const> = before and self.old.of[self.check.was[live]] or { at = {} }
  local at <const>, result <const> = before and before.at or {}, {}
  local is_list <const> = new.at.kind == "list"
  local function set(key, value)
    if not (is_list and math.type(key) == "integer") then result[key] = value end
  end
  for key, value in pairs(at) do set(self:follow(key), self:follow(value)) end
  for key in pairs(old.at) do
    if self.new.of[key] == nil and new.at[key] == nil then set(key, nil) end
  end
  for key, value in pairs(new.at) do set(self:live(key), self:merged(at[key], old.at[key], value)) end
  for key in next, live do
    if result[key] == nil and not (is_list and math.type(key) == "integer") then rawset(live, key, nil) end
  end
  for key, value in pairs(result) do rawset(live, key, value) end
  if is_list then merge_list(self, live, at, old.at, new.at) end
  if before then
    debug.setmetatable(live, self:merged(before.meta, old.meta, new.meta))
  elseif new.meta then
    debug.setmetatable(live, self:live(new.meta))
  end
end

-- }==

-- {== Functions ===============================================================

-- The cell of the running program that this one continues, and its old one.
local function cell_before(self, fn, id, name)
  local label <const> = self.new.label[id]
  local old = label and self.old.cell[label]
  if not label then
    local before <const> = self.check.pairs:predecessor(fn)
    for _, up in ipairs(before ~= nil and self.old.of[before].ups or {}) do
      if up.name == name then old = up.id end
    end
  end
  local live <const> = old ~= nil and self.check.had[old]
  return live and self.before.cells[live], old and self.old.cells[old]
end

-- Label or cell -> who uses it in the running program: a function, and the number of its variable.
local function users_of(self)
  local users <const> = {}
  for fn, record in pairs(self.new.of) do
    local live <const> = record.kind == "function" and self:live(fn)
    for i, up in ipairs(live and record.ups or {}) do
      local user <const> = { fn = live, i = i, name = up.name, of = fn, label = self.new.label[up.id] }
      local first <const> = users[up.id]
      if not first or live ~= fn then users[up.id] = user end
      if user.label then users[user.label] = users[up.id] end
    end
  end
  return users
end

local function merge_variables(self)
  local users <const> = users_of(self)
  for fn, record in pairs(self.new.of) do
    for i, up in ipairs(record.kind == "function" and record.ups or {}) do
      local user <const> = users[up.id]
      debug.upvaluejoin(self:live(fn), i, user.fn, user.i)
    end
  end
  for id, user in pairs(users) do
    local cell <const> = self.new.cells[id]
    if cell then
      local before <const>, old <const> = cell_before(self, user.of, id, user.name)
      local value
      if not before then
        value = self:live(cell.value)
      elseif cell.value == nil and user.label and self.check:is_changed(before.value, old.value) then
        value = self:follow(before.value) -- no first value any more: the game's stays
      else
        value = self:merged(before.value, old.value, cell.value)
      end
      debug.setupvalue(user.fn, user.i, value)
    end
  end
  return users
end

-- Closures of files that the game has made share the variables of the new functions.
local function share_variables(self, users)
  for fn, record in pairs(self.before.of) do
    for i, up in ipairs(record.kind == "function" and self.check.was[fn] == nil and record.ups or {}) do
      local old <const> = self.check.was[up.id]
      local user <const> = old ~= nil and users[self.old.label[old]]
      if user then debug.upvaluejoin(fn, i, user.fn, user.i) end
    end
  end
end

-- }==

-- {== What others hold ========================================================

local function turn(self, value, record)
  if record.kind == "table" then
    for key, held in pairs(record.at) do
      local new <const> = self:follow(key)
      if not rawequal(new, key) then rawset(value, key, nil) end
      rawset(value, new, self:follow(held))
    end
  elseif record.kind == "function" then
    for i, up in ipairs(record.ups) do
      if self.check.was[up.id] == nil then debug.setupvalue(value, i, self:follow(self.before.cells[up.id].value)) end
    end
  elseif record.kind == "thread" then
    for key, held in pairs(record.at) do
      local level <const>, index <const> = key:match "^(%d+)%.(%d+)"
      debug.setlocal(value, tonumber(level), tonumber(index), self:follow(held))
    end
  end
end

local function turn_all(self)
  for value, record in pairs(self.before.of) do
    if self.check.was[value] == nil and not self.check.orphans[value] then turn(self, value, record) end
  end
  for _, object in ipairs(self.it.objects) do object.held = self:follow(object.held) end
end

-- }==

-- `faults`: a set of things that it does wrong.
function ideal.new(faults)
  local reload <const> = { faults = faults or {} }
  local attached <const> = setmetatable({}, { __mode = "v" }) -- the case that is played

  function reload.attach(it) attached.it = it end

  local function move(it, new)
    local before <const> = it.program:capture()
    local check <const> = oracle.rules(it.program, before, new)
    local self <const> = setmetatable({
      it = it, before = before, old = check.old, new = new, check = check, faults = reload.faults,
    }, Move)
    turn_all(self)
    local users <const> = merge_variables(self)
    if not self.faults.keeps_variables then share_variables(self, users) end
    for value, record in pairs(new.of) do
      if record.kind == "table" then merge_table(self, self:live(value), record) end
    end
    if self.faults.does_more then self.faults.does_more(it) end
  end

  function reload.now()
    local it <const> = attached.it
    if it.verdict == "same" then return nil end
    if it.verdict ~= "ok" then
      if reload.faults.changes_refused then reload.faults.changes_refused(it) end
      return { ok = false, error = "refused" }
    end
    move(it, assert(universe.load(it.texts, it.names)))
    return { ok = true, files = {} }
  end

  function reload.poll() end
  function reload.watch() end
  function reload.unwatch() end
  function reload.patience() end
  return reload
end

return ideal
