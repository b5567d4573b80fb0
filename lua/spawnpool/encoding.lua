-- Encodes Lua values as bytes. Tables are numbered in the order in which they are reached, and their keys are sorted,
-- so that equal values give equal bytes, whatever the order of their keys is.

local native <const> = ...

local encoding <const> = {}

local pack <const>, sort <const>, move <const> = string.pack, table.sort, table.move

-- {== Keys =================================================================

local is_name <const> = "^[%a_][%w_]*$"

-- Returns the keys of a table, sorted by kind and value; and a list of keys that have no order, or nil. Lists are
-- created only when they are needed, because most tables have few keys, of one or two kinds.
local function keys_of(t, number_of)
  local numbers <const>, n = {}, 0
  local strings, objects, ranks, others
  for key in next, t do
    local kind <const> = type(key)
    if kind == "number" then
      n = n + 1
      numbers[n] = key
    elseif kind == "string" then
      strings = strings or {}
      strings[#strings + 1] = key
    elseif kind == "userdata" and number_of(key) then
      objects, ranks = objects or {}, ranks or {}
      objects[#objects + 1], ranks[key] = key, number_of(key)
    elseif kind ~= "boolean" then
      others = others or {}
      others[#others + 1] = key
    end
  end
  if n > 1 then sort(numbers) end
  if strings then
    if strings[2] then sort(strings, native.less) end
    move(strings, 1, #strings, n + 1, numbers)
  end
  if rawget(t, false) ~= nil then numbers[#numbers + 1] = false end
  if rawget(t, true) ~= nil then numbers[#numbers + 1] = true end
  if objects then
    sort(objects, function(a, b) return ranks[a] < ranks[b] end)
    move(objects, 1, #objects, #numbers + 1, numbers)
  end
  return numbers, others
end

-- }==

-- {== Refusals =============================================================

-- Saving cannot be stopped, and each takes microseconds.
local TABLES_MOST <const> = 1 << 18

local WORDS <const> = { ["function"] = "a function", thread = "a coroutine", userdata = "a userdata" }

-- }==

-- Returns a writer for values of a manager. `named` is the set of classes, which cannot be saved.
function encoding.writer(pools, named)
  local debug <const> = native.debug()
  local out <const>, size = {}, 0
  local ids <const>, tables <const>, origins <const> = {}, {}, {}
  local count = 0
  local refusal
  local w <const> = {}

  local function put(piece)
    size = size + 1
    out[size] = piece
  end

  function w.integer(number) put(pack("<i8", number)) end
  function w.text(text) put(pack("<s4", text)) end

  local function show(key)
    if type(key) == "string" and key:match(is_name) then return "." .. key end
    return ("[%s]"):format(native.show(key))
  end

  -- Returns the path of a value: in a field of an object (`slot`, `key`), in the roots, or under a key of a table
  -- (`slot`).
  local function path_of(slot, key)
    local path = ""
    while type(slot) == "table" do
      path = show(key) .. path
      local origin <const> = origins[slot]
      slot, key = origin[1], origin[2]
    end
    return (slot and native.label(pools, slot) .. "." or "") .. key .. path
  end

  local function refuse(what, slot, key)
    put "?"
    if not refusal then refusal = path_of(slot, key) .. " is " .. what end
  end

  local function table_refused(value)
    if named[value] then return "a class" end
    if debug.getmetatable(value) ~= nil then return "a table with a metatable" end
    return nil
  end

  local function put_table(value, slot, key)
    local what <const> = table_refused(value)
    if what then return refuse(what, slot, key) end
    local id = ids[value]
    if not id then
      if count == TABLES_MOST then
        return refuse(("one table more than the %d of a save"):format(TABLES_MOST), slot, key)
      end
      count = count + 1
      id = count
      ids[value], tables[id], origins[value] = id, value, { slot, key }
    end
    put(pack("<c1I4", "t", id))
    return nil
  end

  local function put_object(value, slot, key)
    local number <const> = native.number(pools, value)
    if number then return put(pack("<c1i8", "o", number)) end
    return refuse(native.is_object(value) and "an object of another manager" or "a userdata", slot, key)
  end

  local function number_of(key) return native.number(pools, key) end

  function w.value(value, slot, key)
    local kind <const> = type(value)
    if kind == "nil" then
      put "n"
    elseif kind == "boolean" then
      put(value and "1" or "0")
    elseif math.type(value) == "integer" then
      put(pack("<c1i8", "i", value))
    elseif kind == "number" then
      put(value == value and pack("<c1d", "d", value) or "x")
    elseif kind == "string" then
      put(pack("<c1s4", "s", value))
    elseif kind == "table" then
      put_table(value, slot, key)
    elseif kind == "userdata" then
      put_object(value, slot, key)
    else
      refuse(WORDS[kind], slot, key)
    end
  end

  local function put_entry(t, key)
    w.value(key, t, key)
    w.value(rawget(t, key), t, key)
  end

  -- Writes the contents of all tables, including tables that are reached meanwhile.
  function w.tables()
    local done = 0
    while done < count and not refusal do
      done = done + 1
      local t <const> = tables[done]
      local keys <const>, others <const> = keys_of(t, number_of)
      for i = 1, #keys do
        put_entry(t, keys[i])
        if refusal then return end
      end
      for i = 1, others and #others or 0 do put_entry(t, others[i]) end
      put "e"
    end
  end

  function w.refuse_timer(handle)
    if not refusal then
      local label <const> = native.timer_label(pools, handle)
      local advice <const> = label == "the manager" and "stop it before, and start it again after a load"
        or "give it the name of a method"
      refusal = ("%s has a timer that calls a function (%s)"):format(label, advice)
    end
  end

  function w.refusal() return refusal end

  function w.finish() return table.concat(out) end

  return w
end

return encoding
