-- Reads the bytes that encoding.lua wrote. They are not trusted: every length is checked against the rest of the text.

local native <const> = ...

local EMPTY <const> = native.empty()
local DAMAGED <const> = {} -- the error of a reader

local decoding <const> = {}

-- Returns true and the result of f(...), or false when the bytes are damaged. Other errors are raised again.
function decoding.try(f, ...)
  local done <const>, result <const> = pcall(f, ...)
  if not done and result ~= DAMAGED then error(result, 0) end
  return done, result
end

local function expect(so)
  if not so then error(DAMAGED, 0) end
end

-- Stands for a table or an object, which exist only after the manager is created.
local function later(kind, number) return { kind = kind, number = number } end

function decoding.reader(text)
  local at, met = 1, 0
  local r <const> = {}

  r.expect = expect

  local function need(size) expect(size >= 0 and size <= #text - at + 1) end

  function r.integer()
    need(8)
    local number
    number, at = ("<i8"):unpack(text, at)
    return number
  end

  -- Reads the number of items, each of which takes at least a byte.
  function r.count()
    local count <const> = r.integer()
    need(count)
    return count
  end

  function r.text()
    need(4)
    local size <const> = ("<I4"):unpack(text, at)
    need(4 + size)
    local result
    result, at = ("<s4"):unpack(text, at)
    return result
  end

  local function tag()
    need(1)
    at = at + 1
    return text:sub(at - 1, at - 1)
  end

  local readers <const> = {
    n = function() return nil end,
    ["0"] = function() return false end,
    ["1"] = function() return true end,
    x = function() return 0 / 0 end,
    i = function() return r.integer() end,
    s = function() return r.text() end,
    o = function() return later("object", r.integer()) end,
  }
  function readers.d()
    need(8)
    local number
    number, at = ("<d"):unpack(text, at)
    return number
  end
  function readers.t()
    need(4)
    local id
    id, at = ("<I4"):unpack(text, at)
    expect(id >= 1 and id <= #text)
    if id > met then met = id end
    return later("table", id)
  end

  function r.value()
    local read <const> = readers[tag()]
    expect(read)
    return read()
  end

  local function read_table()
    local entries, count = {}, 0
    while true do
      local kind <const> = tag()
      if kind == "e" then return entries end
      expect(readers[kind])
      local key <const> = readers[kind]()
      expect(key ~= nil and key == key)
      local value <const> = r.value()
      entries[count + 1], entries[count + 2], count = key, value == nil and EMPTY or value, count + 2
    end
  end

  -- Returns the contents of all tables: for each, a list of keys and values.
  function r.tables()
    local list <const> = {}
    while #list < met do list[#list + 1] = read_table() end
    expect(at == #text + 1)
    return list
  end

  return r
end

-- Returns resolve(value), which replaces stand-ins by tables and objects. Objects are those of `pools`; with `soon`,
-- also those that it will have.
function decoding.resolver(pools, lists, soon)
  local tables <const> = {}
  for i = 1, #lists do tables[i] = {} end
  local function resolve(value)
    if type(value) ~= "table" then return value end
    if value.kind == "table" then return tables[value.number] end
    return native.object(pools, value.number, soon)
  end
  for i, list in ipairs(lists) do
    for k = 1, #list, 2 do
      local key <const> = resolve(list[k])
      local value = list[k + 1]
      if rawequal(value, EMPTY) then value = nil else value = resolve(value) end
      if key ~= nil then tables[i][key] = value end
    end
  end
  return resolve
end

return decoding
