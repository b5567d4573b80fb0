-- What a file made when it ran: the value it returned, its file-locals, the entries of its classes. Copies of these say
-- later what the author has edited since, and what the game has changed; `merge` brings both together, and keeps every
-- table and every file-local where it is.

local native <const> = ...

local debug <const> = native.debug()
local getupvalue <const>, setupvalue <const> = debug.getupvalue, debug.setupvalue
local upvalueid <const>, upvaluejoin <const> = debug.upvalueid, debug.upvaluejoin
local getmetatable <const>, setmetatable <const> = debug.getmetatable, debug.setmetatable

local DEEPEST <const> = 1000

local image <const> = {}

local Copy <const> = {} -- metatable of copies of tables, which tells them from tables

local function is_copy(value) return type(value) == "table" and rawequal(getmetatable(value), Copy) end

-- Objects and coroutines are made anew by every run: that one is another does not mean that it was edited.
local function is_state(value)
  local kind <const> = type(value)
  return kind == "userdata" or kind == "thread"
end

-- {== Taking ===============================================================

local take_value

local function take_table(img, t)
  local copy = img.copies[t]
  if copy then return copy end
  copy = { entries = {} }
  img.copies[t] = copy
  for key, value in next, t do copy.entries[key] = take_value(img, value) end
  copy.meta = take_value(img, getmetatable(t))
  return setmetatable(copy, Copy)
end

local function take_function(img, f)
  if img.is_known[f] then return end
  img.is_known[f] = true
  img.functions[#img.functions + 1] = f
  local i = 1
  local name, value = getupvalue(f, 1)
  while name do
    local id <const> = upvalueid(f, i)
    if name ~= "_ENV" and not img.cells[id] then
      local cell <const> = { holder = f, index = i, name = name }
      img.cells[id] = cell
      cell.base = take_value(img, value)
      img.by_name[name] = img.by_name[name] == nil and id or false -- false: more than one
    end
    i = i + 1
    name, value = getupvalue(f, i)
  end
end

-- A table as a copy, anything else as it is. Only what the file itself has made is looked into, and chains of tables
-- down to some depth: what lies deeper is taken as one value.
function take_value(img, value)
  local kind <const> = type(value)
  if kind ~= "table" and kind ~= "function" or img.owner[value] ~= img.label or img.depth == DEEPEST then
    return value
  end
  img.depth = img.depth + 1
  if kind == "table" then value = take_table(img, value) else take_function(img, value) end
  img.depth = img.depth - 1
  return value
end

-- `result`: what the file returned. `stores`: class name -> its entries. `owner` tells what belongs to `label`.
function image.take(result, stores, owner, label)
  local img <const> = {
    owner = owner, label = label,
    result = result, stores = {}, effects = {},
    depth = 0, copies = {}, cells = {}, functions = {}, is_known = {}, by_name = {},
  }
  img.base = take_value(img, result)
  for name, store in pairs(stores) do
    local entries <const> = {}
    for key, value in next, store do entries[key] = take_value(img, value) end
    img.stores[name] = entries
  end
  return img
end

-- An effect is what a file changed outside of itself: a global, an entry of another module's table.
function image.add_effect(img, thing, key, before, value)
  local entry <const> = { thing = thing, key = key, before = before, value = value, base = take_value(img, value) }
  img.effects[#img.effects + 1] = entry
end

-- What was needed for merging only.
function image.settle(img)
  img.owner, img.label, img.copies, img.is_known = nil, nil, nil, nil
end

-- }==

-- {== Merging ==============================================================

local merge_value

-- Equal in all that was written in the file: functions are always taken for equal. `seen`: copies that were compared.
local function is_unedited(base, new, seen)
  if base ~= base and new ~= new then return true end
  if rawequal(base, new) then return math.type(base) == math.type(new) end
  if type(base) == "function" and type(new) == "function" then return true end
  if is_state(base) and is_state(new) then return true end
  if not is_copy(base) or type(new) ~= "table" then return math.type(base) == math.type(new) and base == new end
  if seen[base] then return true end
  seen[base] = true
  for key, value in next, base.entries do
    if not is_unedited(value, rawget(new, key), seen) then return false end
  end
  for key in next, new do
    if base.entries[key] == nil then return false end
  end
  return true
end

-- A value of the new file goes into the game: the objects in it stay. Lists may be long: no recursion.
local function adopt(m, value)
  local work <const> = { value }
  while #work > 0 do
    local thing <const> = table.remove(work)
    if type(thing) == "userdata" then
      m.adopted[thing] = true
    elseif type(thing) == "table" and m.new.owner[thing] == m.new.label and not m.is_adopted[thing] then
      m.is_adopted[thing] = true
      for _, entry in next, thing do work[#work + 1] = entry end
    end
  end
  return value
end

local function find_upvalue(f, wanted)
  local i = 1
  local name = getupvalue(f, 1)
  while name do
    if name == wanted then return i end
    i = i + 1
    name = getupvalue(f, i)
  end
  return nil
end

-- The file-local of the new file goes on in the cell of the old one, which keeps its value or gets an edited one.
local function join_cell(m, id, cell, holder, index)
  local old <const> = m.old.cells[upvalueid(holder, index)]
  local _, live <const> = getupvalue(holder, index)
  local _, value <const> = getupvalue(cell.holder, cell.index)
  m.joins[id] = { holder = holder, index = index }
  -- A cell that the file did not make when it ran last holds what the game has put there.
  local base = type(value) ~= "function" and cell.base or nil
  if old then base = old.base end
  setupvalue(holder, index, merge_value(m, base, live, value))
end

local function pair_functions(m, old, new)
  if m.successors[old] or rawequal(old, new) then return end
  m.successors[old] = new
  local i = 1
  local name = getupvalue(new, 1)
  while name do
    local id <const> = upvalueid(new, i)
    local cell <const> = m.new.cells[id]
    local j <const> = cell and not m.joins[id] and find_upvalue(old, name)
    if j then join_cell(m, id, cell, old, j) end
    i = i + 1
    name = getupvalue(new, i)
  end
end

local function is_lua(f) return type(f) == "function" and getupvalue(f, 1) ~= "" end

local function merge_function(m, base, live, new)
  if m.new.owner[new] ~= m.new.label then return new end
  local was <const> = is_lua(base) and base or nil
  if type(live) ~= "function" or not is_lua(live) then
    if was then pair_functions(m, was, new) end
    return type(base) == "function" and live or new -- the game has put something else there
  end
  if was and not rawequal(live, was) then -- the game has chosen another function, which has a successor of its own
    pair_functions(m, was, new)
    return live
  end
  pair_functions(m, live, new)
  return new
end

local function merge_table(m, base, live, new)
  m.successors[new] = live
  for key in next, base.entries do
    if rawget(new, key) == nil then rawset(live, key, nil) end
  end
  for key, value in next, new do
    rawset(live, key, merge_value(m, base.entries[key], rawget(live, key), value))
  end
  local meta <const> = getmetatable(live)
  local merged <const> = merge_value(m, base.meta, meta, getmetatable(new))
  if not rawequal(meta, merged) then setmetatable(live, merged) end
  return live
end

-- Three ways: `base` was the value when the file ran last, `live` is it now, `new` is it in the file as it is now.
-- What the author has edited wins; else what the game has made of it stays.
function merge_value(m, base, live, new)
  if m.successors[new] ~= nil and type(new) == "table" then new = m.successors[new] end
  if rawequal(live, new) and math.type(live) == math.type(new) then return live end
  if type(new) == "function" then return merge_function(m, base, live, new) end
  if is_copy(base) and type(new) == "table" and type(live) == "table" and m.new.owner[new] == m.new.label then
    return merge_table(m, base, live, new)
  end
  if is_unedited(base, new, is_copy(base) and {} or nil) then return live end
  return adopt(m, new)
end

-- Whether one of several file-locals of this name goes on in no old one.
local function is_left_over(m, name)
  for id, cell in pairs(m.new.cells) do
    if cell.name == name and not m.joins[id] then return true end
  end
  return false
end

local function merge_cells_by_name(m)
  for name, id in pairs(m.new.by_name) do
    local was <const> = m.old.by_name[name]
    if not id and was ~= nil and is_left_over(m, name) then m.ambiguous[#m.ambiguous + 1] = name end
    if id and not m.joins[id] then
      if was then
        local cell <const> = m.old.cells[was]
        join_cell(m, id, m.new.cells[id], cell.holder, cell.index)
      else
        if was == false then m.ambiguous[#m.ambiguous + 1] = name end
        local _, value <const> = getupvalue(m.new.cells[id].holder, m.new.cells[id].index)
        adopt(m, value)
      end
    end
  end
end

local function effect_of(list, thing, key)
  for _, effect in ipairs(list) do
    if rawequal(effect.thing, thing) and rawequal(effect.key, key) then return effect end
  end
  return nil
end

local function merge_effects(m)
  for _, effect in ipairs(m.new.effects) do
    local was <const> = effect_of(m.old.effects, effect.thing, effect.key)
    if was then
      effect.before = was.before
      effect.value = merge_value(m, was.base, was.live, effect.value) -- what is there, and is taken back next time
      rawset(effect.thing, effect.key, effect.value)
    else
      adopt(m, effect.value)
    end
  end
end

-- New closures look at the old cells from now on.
local function join_functions(m)
  local cells <const> = {}
  for _, f in ipairs(m.new.functions) do
    local i = 1
    local name = getupvalue(f, 1)
    while name do
      local id <const> = upvalueid(f, i)
      local cell <const>, join <const> = m.new.cells[id], m.joins[id]
      if cell then
        if join then upvaluejoin(f, i, join.holder, join.index) end
        local joined <const> = join and upvalueid(f, i) or id
        if not cells[joined] then cells[joined] = { holder = f, index = i, name = name, base = cell.base } end
      end
      i = i + 1
      name = getupvalue(f, i)
    end
  end
  for name, id in pairs(m.new.by_name) do
    if id then
      local cell <const> = m.new.cells[id]
      m.new.by_name[name] = upvalueid(cell.holder, cell.index)
    end
  end
  m.new.cells = cells
end

-- Brings `old`, as the game has made it, and `new` together. Returns the value that the file stands for from now on.
-- `successors` collects what has taken the place of what: old function -> new one, new table -> old one; `adopted`
-- objects of the new file that stay; `ambiguous` names of file-locals that cannot be told apart.
function image.merge(old, new, live_stores, successors, adopted, ambiguous)
  local m <const> = {
    old = old, new = new, successors = successors, adopted = adopted, ambiguous = ambiguous,
    joins = {}, is_adopted = {},
  }
  local result <const> = merge_value(m, old.base, old.result, new.result)
  for name, store in pairs(live_stores) do
    image.merge_store(m, old.stores[name] or {}, store.live, store.new)
  end
  merge_effects(m)
  merge_cells_by_name(m)
  join_functions(m)
  new.result = result
  return result
end

-- Entries of a class: `new` is what it has now, `live` what it had before the file ran again.
function image.merge_store(m, base, live, new)
  for key, value in next, live do
    if rawget(new, key) == nil and base[key] == nil then rawset(new, key, value) end -- not from this file
  end
  for key, value in next, new do
    rawset(new, key, merge_value(m, base[key], live[key], value))
  end
end

-- Nothing was there before: all that is new stays.
function image.adopt(new, adopted)
  local m <const> = { new = new, adopted = adopted, is_adopted = {} }
  adopt(m, new.result)
  for _, cell in pairs(new.cells) do
    local _, value <const> = getupvalue(cell.holder, cell.index)
    adopt(m, value)
  end
  for _, effect in ipairs(new.effects) do adopt(m, effect.value) end
end

-- What the file did outside of itself is taken back before it runs again, as far as nobody has changed it since. Each
-- effect remembers what it found: `live`.
function image.withdraw(img)
  for i = #img.effects, 1, -1 do
    local effect <const> = img.effects[i]
    local thing <const>, key <const> = effect.thing, effect.key
    effect.live = rawget(thing, key)
    if effect.before == nil and math.type(key) == "integer" then
      for at = math.max(key, #thing), 1, -1 do -- it may have moved in the list
        if rawequal(rawget(thing, at), effect.value) then
          effect.live = effect.value
          table.remove(thing, at)
          break
        end
      end
    elseif rawequal(effect.live, effect.value) then
      rawset(thing, key, effect.before)
    end
  end
end

-- }==

return image
