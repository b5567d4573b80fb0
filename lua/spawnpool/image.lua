-- The results of running a file: its return value, its file-locals, the tables and functions that its text created, the
-- entries of its classes, and its changes outside of itself. Each table is kept with a copy of its entries, so that a
-- later run can distinguish edits of the author from changes by the game.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"

local debug <const> = native.debug()
local getupvalue <const>, upvalueid <const>, getinfo <const> = debug.getupvalue, debug.upvalueid, debug.getinfo
local getmetatable <const>, setmetatable <const> = debug.getmetatable, debug.setmetatable

local ENTRIES_MOST <const> = 16384 -- entries copied of one file; tables beyond that are treated as one value each

local METATABLE <const> = native.metatable() -- stands for the metatable where a key is expected

local image <const> = {}

local later <const> = setmetatable({}, { __mode = "k" }) -- function -> its replacement in a reload

image.later = later

-- Returns the current version of a value: a function may have been replaced more than once.
function image.latest(value)
  while later[value] do value = later[value] end
  return value
end

function image.replace(old, new) later[old] = new end

-- Returns an entry of a table, bypassing metamethods; METATABLE: its metatable.
function image.get(thing, key)
  if rawequal(key, METATABLE) then return getmetatable(thing) end
  return rawget(thing, key)
end

local function set(thing, key, value)
  if rawequal(key, METATABLE) then
    setmetatable(thing, value)
  elseif not classes.put_back(thing, key, value) then
    rawset(thing, key, value)
  end
end

-- A function belongs to the file whose text defines it, whichever file called for it.
local function is_own(img, value)
  if native.made_by(value) ~= img.id then return false end
  return type(value) == "table" and not classes.is_class(value)
    or type(value) == "function" and getinfo(value, "S").source == img.source
end

-- Values seen for the first time are examined later: nearer ones come first.
local function meet(img, value)
  local kind <const> = type(value)
  if kind == "userdata" then
    if img.is_staged[value] then img.born[value] = true end
  elseif (kind == "table" or kind == "function") and not img.is_met[value] then
    img.is_met[value] = true
    if is_own(img, value) then
      img.queue[#img.queue + 1] = value
    elseif native.made_by(value) == img.id then
      img.born[value] = true
      local source <const> = kind == "function" and getinfo(value, "S").source
      if source and source:sub(1, 1) == "@" then
        img.is_closure[value] = source
        img.queue[#img.queue + 1] = value
      end
    end
  end
end

local function meet_entries(img, entries)
  for key, value in next, entries do
    meet(img, key)
    meet(img, value)
  end
end

local function take_table(img, t)
  local entries <const>, count <const> = native.entries(t, img.room)
  if not entries then
    img.is_partial = true
    return
  end
  img.room = img.room - count
  img.tables[t] = { entries = entries, meta = getmetatable(t) }
  meet_entries(img, entries)
  meet(img, getmetatable(t))
end

local function take_function(img, f)
  local is_closure <const> = img.is_closure[f] ~= nil
  img.functions[#img.functions + 1], img.is_function[f] = f, not is_closure or nil
  local i = 1
  local name, value = getupvalue(f, 1)
  while name do
    local id <const> = upvalueid(f, i)
    if name ~= "_ENV" and not img.cells[id] then
      img.cells[id] = { holder = f, index = i, name = name, base = value }
      if not is_closure then img.by_name[name] = img.by_name[name] == nil and id or false end
      meet(img, value)
    end
    i = i + 1
    name, value = getupvalue(f, i)
  end
end

local function look_into_all(img)
  local at = 1
  while at <= #img.queue do
    local value <const> = img.queue[at]
    if type(value) == "table" then take_table(img, value) else take_function(img, value) end
    at = at + 1
  end
  img.queue = {}
end

-- Attributes the objects allocated since the last call, at the end of the list `staged`, to `record`.
function image.note(staged, makers, record)
  for i = #staged, 1, -1 do
    if makers[staged[i]] then break end
    makers[staged[i]] = record or true
  end
end

-- `result` is the return value of the file of `record`, `stores` maps class names to entries, `is_staged` has the
-- objects that were allocated while files ran again.
function image.take(record, result, stores, is_staged)
  local img <const> = {
    id = record.id, source = "@" .. record.path, is_staged = is_staged,
    result = result,
    stores = {},     -- class name -> copy of its entries
    effects = {},    -- changes outside of the file: { thing, key, before, value }
    tables = {},     -- own table -> { entries, meta }
    functions = {}, is_function = {}, -- all functions; own function -> true
    is_closure = {}, -- function that another file created for it -> the source of its code
    cells = {},      -- id of an upvalue -> { holder, index, name, base }
    by_name = {},    -- name of an upvalue -> id, or false when there are several
    born = {},       -- values created when it ran that are not its own -> true
    room = ENTRIES_MOST, queue = {}, is_met = {},
  }
  meet(img, result)
  for name, store in next, stores do
    img.stores[name] = native.entries(store, math.maxinteger)
    meet_entries(img, img.stores[name])
  end
  look_into_all(img)
  return img
end

-- The image of a file that has not run yet.
image.none = {
  stores = {}, effects = {}, tables = {}, functions = {}, is_function = {}, is_closure = {},
  cells = {}, by_name = {}, born = {},
}

-- An effect is a change outside of the file: a global, an entry of another module's table.
function image.add_effect(img, thing, key, before, value)
  img.effects[#img.effects + 1] = { thing = thing, key = key, before = before, value = value }
  meet(img, value)
  look_into_all(img)
end

-- Adds a list of effects; several changes of one entry are one, from its first value to its last.
function image.add_effects(img, list)
  local merged <const>, seen <const> = {}, {}
  for _, effect in ipairs(list) do
    local of_thing <const> = seen[effect.thing] or {}
    seen[effect.thing] = of_thing
    local same <const> = of_thing[effect.key]
    if same then
      same.value = effect.value
    else
      of_thing[effect.key], merged[#merged + 1] = effect, effect
    end
  end
  for _, effect in ipairs(merged) do
    if effect.value ~= nil then image.add_effect(img, effect.thing, effect.key, effect.before, effect.value) end
  end
end

-- Whether an effect has appended its value to a list.
function image.is_appended(effect) return effect.before == nil and math.type(effect.key) == "integer" end

local turns = 0 -- number of elements removed from lists

local function take_out(list, at)
  for i = at, rawlen(list) do rawset(list, i, rawget(list, i + 1)) end
end

-- Returns the index of a value in a list: where it was put, or where it has moved to; nil when it was removed.
local function place_in(list, key, value)
  if native.is_same(rawget(list, key), value) then return key end
  for at = math.min(key, rawlen(list)), 1, -1 do
    if native.is_same(rawget(list, at), value) then return at end
  end
  for at = key + 1, rawlen(list) do
    if native.is_same(rawget(list, at), value) then return at end
  end
  return nil
end

-- Takes back a file's changes outside of itself before it runs again, unless they have been changed since. Each effect
-- records the value that it found, `live`, and for a list its position, `at`, and the time, `turn`. Returns how many
-- there were.
function image.withdraw(img)
  for i = #img.effects, 1, -1 do
    local effect <const> = img.effects[i]
    local thing <const>, key <const>, value <const> = effect.thing, effect.key, image.latest(effect.value)
    effect.live, effect.at = image.get(thing, key), nil
    if image.is_appended(effect) then
      local at <const> = place_in(thing, key, value)
      effect.live, effect.at = at and value, at
      if at then
        turns = turns + 1
        effect.turn = turns
        take_out(thing, at)
      end
    elseif native.is_same(effect.live, value) then
      set(thing, key, image.latest(effect.before))
    end
  end
  return #img.effects
end

-- Drops what was needed only while the file ran.
function image.settle(img) img.room, img.queue, img.is_met, img.is_staged = nil, nil, nil, nil end

return image
