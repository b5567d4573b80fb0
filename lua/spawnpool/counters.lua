-- Numbers that files raise in each other when they run, and the game raises too: ids, counts. A file that runs again
-- finds each as it found it in its last run; one that never changed it finds the game's. Where a run goes further than
-- the last one while the game has gone on, it goes on from the game's number: a jump, which later runs repeat.

local native <const> = ...
local files <const> = native.use "spawnpool.files"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local getupvalue <const> = debug.getupvalue
local same <const>, CELL <const>, get <const>, set <const> = native.same, places.CELL, places.get, places.set

local counters <const> = {}

-- {== Places ===============================================================

-- Returns the place of a number, new or known: { holder, key, cell, owner, live: what the game has there; effects:
-- record -> its effect; base: what its owner had made }.
local function place_at(it, holder, key, cell)
  local of_holder <const> = it.index[holder] or {}
  it.index[holder] = of_holder
  local place = of_holder[key]
  if not place then
    place = { holder = holder, key = key, cell = cell, effects = {}, outer = {} }
    place.owner, place.live = files.owner_of(cell and cell.f or holder), get(place)
    of_holder[key], it.places[#it.places + 1] = place, place
  end
  return place
end

local function is_number(a, b) return type(a) == "number" and type(b) == "number" end

-- Adds the numbers among what a file made that the game has changed since.
local function add_moved(it, image)
  local log <const> = not image.tables and native.changes(image.capture) or { n = 0 }
  for at = 1, log.n, 4 do
    local thing <const>, key <const> = log[at], log[at + 1]
    local is_cell <const> = type(thing) == "function"
    local holder <const> = is_cell and debug.upvalueid(thing, key) or thing
    if is_number(log[at + 2], log[at + 3]) then
      place_at(it, holder, is_cell and CELL or key, is_cell and { f = thing, i = key } or nil).base = log[at + 2]
    end
  end
  for t, entries in next, image.tables or {} do
    for key, base in next, entries do
      local live <const> = type(base) == "number" and rawget(t, key)
      if type(live) == "number" and not same(live, base) then place_at(it, t, key).base = base end
    end
  end
  for id, cell in next, image.tables and image.cells or {} do
    local _, live <const> = getupvalue(cell.f, cell.i)
    local is_moved <const> = is_number(cell.value, live) and not same(cell.value, live)
    if is_moved then place_at(it, id, CELL, cell).base = cell.value end
  end
end

-- `list`: the files that run again, before anything is withdrawn; `set`: the same as keys.
function counters.begin(list, set_of)
  local it <const> = { set = set_of, places = {}, index = {}, stale = {}, fresh = {} }
  for _, record in ipairs(list) do
    for _, e in ipairs(record.image and record.image.effects or {}) do
      if is_number(e.before, e.after) and (e.key == CELL or type(e.holder) == "table") then
        local place <const> = place_at(it, e.holder, e.key, e.cell)
        place.effects[record], place.base = e, place.base or e.before
      end
    end
    if record.image and (record.image.capture or record.image.tables) then add_moved(it, record.image) end
  end
  return it
end

-- Returns where a number is while files run: its owner may have run again. nil: it is going to, or is another number
-- now.
local function place_now(it, m, place)
  local owner <const> = place.owner
  if place.is_off or owner and it.set[owner] and not m.session.done[owner] then return nil end
  if not owner or not it.set[owner] then return place end
  local holder <const> = m.succ[place.holder]
  if holder == nil then return nil end
  if place.key ~= CELL then
    return type(rawget(holder, place.key)) == "number" and { holder = holder, key = place.key } or nil
  end
  local file <const> = m.is[holder]
  local cell <const> = file and file.is.cells[holder] or { f = m.succ[place.cell.f], i = place.cell.i }
  return cell.f and { holder = holder, key = CELL, cell = cell } or nil
end

-- }==

-- {== Runs =================================================================

-- A file begins to run. Calls touched(thing) with each table and function whose number has been set.
function counters.enter(it, m, record, touched)
  for _, place in ipairs(it.places) do
    local now <const> = place_now(it, m, place)
    place.outer[#place.outer + 1] = { value = now and get(now), jumps = place.jumps }
    local e <const> = place.effects[record]
    local want <const> = e and e.before or place.live
    if now and type(get(now)) == "number" and not same(get(now), want) then
      set(now, want)
      touched(now.cell and now.cell.f or now.holder)
    end
    place.jumps = e and e.jumps and table.move(e.jumps, 1, #e.jumps, 1, {}) or nil
  end
end

-- A line of a running file has ended: its jumps are made. Those in `fresh` are new: what follows raises the game's
-- number.
function counters.jump(it, m, record)
  for _, place in ipairs(it.places) do
    local jump <const> = place.effects[record] and place.jumps and place.jumps[1]
    local now <const> = jump and place_now(it, m, place)
    if now and same(get(now), jump.at) then
      set(now, jump.to)
      if it.fresh[jump] then place.jumped = record end
      table.remove(place.jumps, 1)
    end
  end
end

-- Takes over a number that an earlier run had changed too.
local function take_number(it, place, record, e, fresh)
  if same(fresh, e.after) then return end
  if same(place.live, e.after) or place.jumped == record then
    place.live = fresh
  elseif (fresh - e.after) * (e.after - e.before) > 0 then
    it.stale[#it.stale + 1] = { holder = place.holder, key = place.key, record = record, at = e.after, to = place.live }
    place.is_open = true
  end
end

-- A file has run: the game's numbers are brought up to date, and the file that required it finds its own again.
function counters.leave(it, m, record, touched)
  for _, place in ipairs(it.places) do
    local now <const>, e <const> = place_now(it, m, place), place.effects[record]
    local fresh <const>, former <const> = now and get(now), table.remove(place.outer)
    local outer <const> = former.value
    place.jumps = former.jumps
    if place.owner == record then
      place.is_off = place.is_off or not now or not same(fresh, place.base) -- the author has another one
    elseif type(fresh) == "number" then
      if e then take_number(it, place, record, e, fresh) elseif outer then place.live = fresh end
    end
    if now and outer and not same(outer, fresh) and place.owner ~= record then
      set(now, outer)
      touched(now.cell and now.cell.f or now.holder)
    end
  end
end

-- Returns the place of an effect whose number is known, or nil.
function counters.find(it, holder, key)
  local place <const> = it.index[holder] and it.index[holder][key]
  return place and not place.is_off and not place.is_open and place or nil
end

-- All files have been merged: the numbers get their values.
function counters.finish(it)
  for _, place in ipairs(it.places) do
    if not place.is_off and not place.is_open then set(place, place.live) end
  end
end

-- }==

return counters
