-- Walks, queries and saves, for LuaJIT. The build embeds this file in ffi.lua, which calls it with the table `host`;
-- it returns what opens a manager from a save, and finds its id.
local host = ...
local ffi, C, Manager, Pool = host.ffi, host.C, host.Manager, host.Pool
local fail, closed, show, is_float = host.fail, host.closed, host.show, host.is_float
local result, name_of, text_of, pairs_t = host.result, host.name_of, host.text_of, host.pairs_t
local concat, huge = table.concat, math.huge

-- {== Walks ==================================================================

-- The next walk reuses the cursor, unless the loop was left early.
local function next_live(cursor)
  local pool = cursor.pool
  local ref = pool.p and tonumber(C.sp_walk_next(cursor.walk)) or 0
  if ref ~= 0 then return ref end
  pool.cursor = cursor
end

-- `for ref in pool:each() do`: each object that was live when the walk began, unless it ended before its turn.
function Pool:each(field)
  if field ~= nil then fail("each reads no fields here: pool:column(%s) has them all", show(field)) end
  local p, cursor = self.p or closed(), self.cursor or { pool = self, walk = ffi.new "sp_walk" }
  self.cursor = false
  if jit.arch == "x64" then
    C.sp_walk_into(cursor.walk, p)
  else
    cursor.walk = C.sp_pool_walk(p)
  end
  return next_live, cursor
end

-- The pools of a manager that a filter names: nil for all of them, or a type.
local function pools_of(self, what, type_name)
  if not self.m then closed() end
  if type_name == nil then return self.list end
  if type(type_name) ~= "string" then fail("%s needs the name of a type, or nothing, got %s", what, show(type_name)) end
  return { self.pool_of[type_name] }
end

-- `for ref in pools:each(type?) do`: the live objects of a type, or all, pool by pool.
function Manager:each(type_name)
  local list, at, following, cursor = pools_of(self, "each", type_name), 0, nil, nil
  return function()
    while true do
      local ref = following and following(cursor)
      if ref then return ref end
      at = at + 1
      if not list[at] then return nil end
      following, cursor = list[at]:each()
    end
  end
end

-- Recycles all live objects, or those of a type. Returns how many.
function Manager:recycle_all(type_name)
  local count = 0
  for _, pool in ipairs(pools_of(self, "recycle_all", type_name)) do count = count + pool:recycle_all() end
  return count
end

-- }==

-- {== Queries ================================================================

-- Fills a list with all pairs, and enlarges it until they fit. Returns their number.
local function list_overlaps(pool, other, hits)
  local it = hits.pairs
  repeat
    if it.count >= it.most then
      it.most = math.max(64, it.count * 1.5)
      hits.room = pairs_t(it.most)
      it.list = hits.room
    end
    it.count, result[0] = 0, 0
    C.sp_pool_overlaps(pool.p, other.p, C.sp_pairs_add, it, result)
    if result[0] ~= 0 then fail("overlaps: %s", text_of(result[0])) end
  until it.count <= it.most
  return it.count
end

-- Calls `visit(a, b)` for each two live objects, one of each pool, whose circles overlap, unless one was recycled
-- before its turn; returns how often.
function Pool:overlaps(other, visit)
  local home, visits = self.pools, 0
  if getmetatable(other) ~= getmetatable(self) or other.pools ~= home or type(visit) ~= "function" then
    fail("overlaps needs a pool of the same manager and a function, got %s and %s", show(other), show(visit))
  end
  local m, hits = self.p and other.p and home.m or closed(), home.hits or { pairs = ffi.new "sp_pairs" }
  home.hits = false -- `visit` may call overlaps too
  for i = 0, list_overlaps(self, other, hits) - 1 do
    local a, b = tonumber(hits.room[i].object), tonumber(hits.room[i].other)
    if self.p and other.p and C.sp_object_is_live(m, a) and C.sp_object_is_live(m, b) then
      visit(a, b)
      visits = visits + 1
    end
  end
  home.hits = hits
  return visits
end

-- C calls these three, from calls that are never compiled: a compiled call must not come back into Lua. They live as
-- long as the program.
local hits, written, source
local note_hit = ffi.cast("sp_object_fn", function(_, ref) hits[#hits + 1] = tonumber(ref) end)
local note_bytes = ffi.cast("sp_write_fn", function(_, bytes, size)
  written[#written + 1] = ffi.string(bytes, size)
  return true
end)
local give_bytes = ffi.cast("sp_read_fn", function(_, bytes, size)
  local text = source.text:sub(source.at, source.at + tonumber(size) - 1)
  source.at = source.at + #text
  ffi.copy(bytes, text, #text)
  return #text
end)

local function check_place(what, x, y, distance)
  if not (is_float(x) and is_float(y)) then
    fail("%s: x and y must be finite numbers, got %s, %s", what, show(x), show(y))
  end
  if type(distance) ~= "number" or distance ~= distance or distance < 0 then
    fail("%s: the distance must be a number from 0 up, got %s", what, show(distance))
  end
end

local function find_within(p, x, y, radius)
  local found = {}
  hits = found
  C.sp_pool_within(p, x, y, radius, note_hit, nil, result)
  return found
end
jit.off(find_within)

-- A list that is also an iterator: `for ref in list do` as well as `ipairs(list)`.
local function callable(list)
  local at = 0
  return setmetatable(list, { __call = function()
    at = at + 1
    return list[at]
  end })
end

-- within(x, y, radius) returns a list; within(x, y, radius, visit) calls visit(ref) for each object that is still live,
-- and returns how often.
function Pool:within(x, y, radius, visit)
  check_place("within", x, y, radius)
  local home, visits = self.pools, 0
  local list = find_within(self.p or closed(), x, y, radius)
  if result[0] ~= 0 then fail("within: %s", text_of(result[0])) end
  if visit == nil then return callable(list) end
  if type(visit) ~= "function" then fail("within needs a function, got %s", show(visit)) end
  for _, ref in ipairs(list) do
    if home:is_live(ref) then
      visit(ref)
      visits = visits + 1
    end
  end
  return visits
end

local distance = ffi.new "float[1]"

-- The live object nearest to a place, and its distance; nil, "none" where none is within `most`.
function Pool:nearest(x, y, most)
  most = most == nil and huge or most
  check_place("nearest", x, y, most)
  local ref = tonumber(C.sp_pool_nearest(self.p or closed(), x, y, 0, distance))
  if ref == 0 or distance[0] > most then return nil, "none" end
  return ref, distance[0]
end

-- }==

-- {== Saves ==================================================================

-- Sprites are numbers, which this process gave: their names follow the bytes of the core, then the id of the manager
-- and how long the names are.
local MARK, TAIL = "spawnpool.ffi", "spawnpool.ffi (...) (..........)$"

-- Returns the whole state as a text, for ffi.load; nil and the reason when that is not possible now. Functions of
-- classes are not in it.
function Manager:save()
  local out = {}
  written = out
  local why = C.sp_manager_save(self.m or closed(), note_bytes, nil)
  if why ~= 0 then return nil, name_of(why) end
  local names = {}
  for number = 0, #host.sprites.names do
    names[number + 1] = ("%d:%s"):format(#host.sprites.names[number], host.sprites.names[number])
  end
  local sprites = concat(names)
  out[#out + 1] = ("%s%s %3d %10d"):format(sprites, MARK, self.id, #sprites)
  return concat(out)
end
jit.off(Manager.save)

-- Gives the looks of all objects the numbers that their sprites have in this process.
local function renumber(m, names)
  local numbers, differ = {}, false
  for i, name in ipairs(names) do
    numbers[i - 1] = host.sprites.number(name)
    differ = differ or numbers[i - 1] ~= i - 1
  end
  local pool, bits = differ and C.sp_manager_next_pool(m, nil) or nil, ffi.new "uint64_t[1]"
  while pool ~= nil do
    local chunk = 0
    while C.sp_pool_desc_of(pool).spatial and C.sp_pool_live_bits(pool, chunk, bits) do
      local looks = ffi.cast("sp_look *", C.sp_pool_column(pool, chunk, C.SP_LOOK))
      for slot = 0, 63 do looks[slot].sprite = numbers[looks[slot].sprite] or looks[slot].sprite end
      chunk = chunk + 1
    end
    pool = C.sp_manager_next_pool(m, pool)
  end
end

-- Returns the id of the manager in a save, or nil.
local function saved_id(text) return tonumber((text:match(TAIL))) end

-- Returns the list of names that the bytes from `at` to `last` hold.
local function read_names(text, at, last)
  local names = {}
  while at <= last do
    local length, from = text:match("^(%d+):()", at)
    if not length or from + length - 1 > last then break end
    names[#names + 1] = text:sub(from, from + length - 1)
    at = from + length
  end
  return names
end

local function open_loaded(options, text)
  local size, last = tonumber((select(2, text:match(TAIL)))), #text - #MARK - 15
  if not size or size > last then
    result[0] = C.SP_DAMAGED
    return nil
  end
  source = { text = text:sub(1, last - size), at = 1 }
  local m = C.sp_manager_load(options, give_bytes, nil, result)
  if m ~= nil then renumber(m, read_names(text, last - size + 1, last)) end
  return m
end
jit.off(open_loaded)

-- }==

return open_loaded, saved_id
