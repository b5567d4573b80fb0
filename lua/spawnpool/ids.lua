-- Ids go on: a number that a function called at file scope counts up, and that the game has moved, goes on from the
-- game's value once it holds what the last run left. Such a jump is repeated in later runs.

local native <const> = ...
local files <const> = native.use "spawnpool.files"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local getinfo <const>, getupvalue <const> = debug.getinfo, debug.getupvalue

local ids <const> = {}

local MOST <const> = 100 -- numbers that are looked at
local EVENTS <const> = 100000 -- calls and returns that are looked at

-- Returns the numbers that the game has moved: { thing, key, name and source of a variable, at, to }.
local function moved_numbers(try)
  local list <const> = {}
  local changes <const> = try.changes
  for at = 1, changes.n, 4 do
    local thing <const>, key <const>, was <const>, live <const> = table.unpack(changes, at, at + 3)
    local is_number <const> = math.type(was) == "integer" and math.type(live) == "integer"
    if is_number and #list < MOST and not (type(thing) == "table" and places.is_index(key)) then
      local owner <const> = files.owner_of(thing)
      local is_planned <const> = owner ~= nil and try.set[owner]
      local name <const> = type(thing) == "function" and getupvalue(thing, key) or key
      list[#list + 1] = { thing = thing, key = key, name = name, is_planned = is_planned, owner = owner, at = was,
        to = live, is_variable = type(thing) == "function", is_first = try.firsts[thing] and try.firsts[thing][key] }
    end
  end
  for _, record in ipairs(try.list) do
    for _, jump in ipairs(record.image and record.image.jumps or {}) do
      local it <const> = { is_old = true }
      for k, v in next, jump do it[k] = v end
      it.is_planned = it.owner ~= nil and try.set[it.owner]
      table.insert(list, 1, it)
    end
  end
  return list
end

-- Where a number is now: of a file that runs again, in a variable of the function that returns, or in a table there.
local function find_place(it, f)
  if not it.is_planned then return it.thing, it.key end
  if it.found then return it.found, it.found_key end
  if getinfo(f, "S").source ~= it.owner.source then return nil end
  local i = 1
  local name, value = getupvalue(f, 1)
  while name do
    if it.is_variable and name == it.name then it.found, it.found_key = f, i end
    if not it.is_variable and type(value) == "table" and math.type(rawget(value, it.name)) == "integer" then
      it.found, it.found_key = value, it.name
    end
    i = i + 1
    name, value = getupvalue(f, i)
  end
  return it.found, it.found_key
end

local function jump(try, it, thing, key)
  it.is_done = true
  places.set(thing, key, it.to)
  try.jumped[it.thing] = try.jumped[it.thing] or {}
  try.jumped[it.thing][it.key] = not it.is_old or nil
  local record <const> = files.running()
  if not record then return end
  try.jumps[record] = try.jumps[record] or {}
  table.insert(try.jumps[record], { thing = it.thing, key = it.key, name = it.name, owner = it.owner, at = it.at,
    to = it.to, is_variable = it.is_variable, is_first = it.is_first })
end

-- A function has counted a number on, which no file had done: then the game's was due, and all runs once more.
local function begin_anew(try, it)
  try.firsts[it.thing] = try.firsts[it.thing] or {}
  try.firsts[it.thing][it.key] = true
  try.is_anew = true
  error("the files begin anew", 0)
end

-- Runs fn; numbers jump when a function that files call has given them what they had.
function ids.watch(try, fn)
  local list <const> = moved_numbers(try)
  if #list == 0 then return fn() end
  local left = EVENTS
  native.watch_calls(fn, function(is_return, f)
    left = left - 1
    for _, it in ipairs(list) do
      local thing <const>, key <const> = find_place(it, f)
      local value <const> = thing and not it.is_done and places.get(thing, key)
      if not value then
        it.seen = nil
      elseif is_return and it.seen and value ~= it.seen then
        if value == it.at then
          jump(try, it, thing, key)
        elseif it.seen == it.at and value > it.at and it.to > it.at and not it.is_old then
          begin_anew(try, it)
        end
      elseif it.is_first and value == it.at then
        jump(try, it, thing, key)
      end
      it.seen = value
    end
    return left == 0
  end)
end

return ids
