-- Calls of table.concat, insert, move, remove, sort and unpack, of string.format and os.time, made of Lua's own
-- functions and of those in `ours`, a table of libraries: all that comes of them must be the same. For
-- tests/script/check_library.c.
local ours <const> = ours -- luacheck: ignore

-- A value as text, tables with all that is in them.
local function told(value)
  if type(value) ~= "table" then return math.type(value) == "integer" and "#" .. value or tostring(value) end
  local keys <const> = {}
  for key in next, value do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do keys[i] = told(key) .. "=" .. told(rawget(value, key)) end
  return "{" .. table.concat(keys, ",") .. "}"
end

local function told_all(...)
  local values <const> = table.pack(...)
  for i = 1, values.n do values[i] = told(values[i]) end
  return table.concat(values, "|", 1, values.n)
end

-- make() -> the arguments, made anew for each of the two: functions may change them.
local function expect_same(library, name, make)
  local results <const> = {}
  for i, f in ipairs { _G[library][name], ours[library][name] } do
    local arguments <const> = table.pack(make())
    local told_result <const> = told_all(pcall(f, table.unpack(arguments, 1, arguments.n)))
    results[i] = told_result:gsub("'%?'", "f"):gsub("'[%w_.]*%." .. name .. "'", "f"):gsub("'" .. name .. "'", "f")
      .. " / " .. told_all(table.unpack(arguments, 1, arguments.n))
  end
  -- Some versions of Lua count the arguments of remove wrongly.
  local want <const>, got <const> = results[1]:gsub("0x%x+", "@"):gsub("#1 to f %(position", "#2 to f (position"),
    results[2]:gsub("0x%x+", "@")
  if want ~= got then error(("%s.%s: %q in Lua, %q here"):format(library, name, want, got), 0) end
end

-- {== Tables ================================================================

local random <const> = math.random

-- Tables of every kind that these functions can meet.
local KINDS <const> = {
  function(n) local t = {} for i = 1, n do t[i] = random(100) end return t end,
  function(n) local t = {} for i = 1, n do t[i] = ("x"):rep(random(3)) .. random(9) end return t end,
  function(n) local t = {} for i = 1, n do t[random(-2, n * 2)] = random(9) end return t end,
  function(n)
    return setmetatable({}, { __index = function(_, i) return i * 2 end, __len = function() return n end })
  end,
  function(n)
    local real <const> = {}
    return setmetatable({}, { __index = real, __newindex = real, __len = function() return n end })
  end,
  function(n) return setmetatable({ 3, 1, 2 }, { __len = function() return n % 4 end }) end,
  function() return setmetatable({}, { __len = function() return "x" end }) end,
  function()
    return setmetatable({}, { __index = function() error "no such thing" end, __len = function() return 2 end })
  end,
  function(n)
    local t, order = {}, { __lt = function(a, b) return a.n < b.n end }
    for i = 1, n do t[i] = setmetatable({ n = random(50) }, order) end
    return t
  end,
  function() return { 1, "2", {}, true } end,
  function() return 7 end,
  function() return "text" end,
  function() return nil end,
}

local NUMBERS <const> = { 0, 1, 2, 3, 5, -1, 1.0, 2.5, "3", "x", math.maxinteger, math.mininteger, 1 << 40, 1e300, {} }

local function number() return NUMBERS[random(#NUMBERS)] end

local function small() return random(4) > 1 and random(0, 12) or number() end

-- The same random choices for both.
local function twice(make)
  local seed <const> = random(1 << 40)
  return function()
    local x <const>, y <const> = math.randomseed(seed)
    local all <const> = table.pack(make())
    return table.unpack(all, 1, all.n), x, y
  end
end

local function a_table() return KINDS[random(#KINDS)](random(0, 40)) end

local ORDERS <const> = {
  function() return nil end,
  function() return function(a, b) return a > b end end,
  function() return function(a, b) return tostring(a) < tostring(b) end end,
  function() return function() return true end end,
  function() return function() return false end end,
  function() return function(a) return a end end,
  function() return rawequal end,
  function() return 7 end,
}

local CALLS <const> = {
  concat = function() return a_table(), ({ nil, ",", "", 5, {} })[random(5)], small(), small() end,
  insert = function()
    if random(3) == 1 then return a_table(), random(9) end
    return a_table(), small(), random(9)
  end,
  remove = function() return a_table(), small() end,
  move = function() return a_table(), small(), small(), small(), random(2) == 1 and a_table() or nil end,
  unpack = function() return a_table(), small(), small() end,
  sort = function() return a_table(), ORDERS[random(#ORDERS)]() end,
}

function tables(times) -- luacheck: ignore
  for name, make in pairs(CALLS) do
    for i = 1, times do
      math.randomseed(i)
      local again <const> = twice(make)
      expect_same("table", name, function() return again() end)
    end
    expect_same("table", name, function() end)
    expect_same("table", name, function() return {} end)
    expect_same("table", name, function() return {}, nil end)
    expect_same("table", name, function() return { 1 }, 1, 2, 3 end)
  end
  -- Long ones, in orders that quicksort finds easy and hard; elements that are equal come to lie in the same places,
  -- where Lua does not throw dice.
  for _, size in ipairs { 99, 100, 101, 500, 3000 } do
    for _, shape in ipairs {
      function(i) return i end, function(i) return size - i end, function(i) return i % 7 end, function() return 1 end,
      function(i) return i ~ 0x2a end,
    } do
      expect_same("table", "sort", function()
        local t <const> = {}
        for i = 1, size do t[i] = { key = shape(i), place = i } end
        return t, function(a, b) return a.key < b.key end
      end)
    end
    expect_same("table", "sort", function()
      local t <const> = {}
      for i = 1, size do t[i] = i < size // 2 and i or size - i end
      return t
    end)
  end
end

-- }==

function others() -- luacheck: ignore
  local sly <const> = setmetatable({}, { __tostring = function() return "sly" end, __name = "Sly" })
  local named <const> = setmetatable({}, { __name = "Named" })
  for _, case in ipairs {
    { "%s %d %5.2f|%s", sly, 3, 2.5, "x" }, { "%10s|%-10s|%.2s", sly, sly, sly }, { "%q", sly }, { "%d", sly },
    { "%s", named }, { "%%%s%%", sly }, { "%s %s", 1 }, { "%y", 1 }, { "%" }, { "%s", nil }, { "%s", print },
    { "%p", 1 },
    { "%i %s %c %x %a", 1, sly, 65, 255, 0.5 }, { "% d|%+d|%#x|%05d", 1, 2, 3, 4 }, { "%123d", 1 }, { 5 }, {}, { {} },
    { "%s" }, { "%s", setmetatable({}, { __tostring = function() return {} end }) },
    { "%s", setmetatable({}, { __tostring = function() error "no" end }) },
  } do
    expect_same("string", "format", function() return table.unpack(case, 1, 5) end)
  end
  for _, day in ipairs {
    { year = 2026, month = 2, day = 31 },
    { year = 2026, month = 14, day = -3, hour = 25, min = 61, sec = 61, isdst = false },
    { year = 2026, month = 1 }, { year = "2026", month = "1", day = "1" }, { year = 1 << 40, month = 1, day = 1 }, {},
    { year = 2026.5, month = 1, day = 1 }, { year = 2026, month = 1, day = 1, isdst = true, more = 7 },
  } do
    expect_same("os", "time", function()
      local copy <const> = {}
      for key, value in pairs(day) do copy[key] = value end
      return copy
    end)
  end
  for _, case in ipairs { { "!%Y-%m-%d", 0 }, { "!*t", 86400 }, { "%Ez", 0 }, { "%Q", 0 }, { "!%c", "x" }, { {} } } do
    expect_same("os", "date", function() return table.unpack(case) end)
  end
  for _, case in ipairs { { "", 5 }, { "ab", 3, "," }, { "x", -1 }, { "x", "y" }, { "", 3, "-" }, { 5, 2 } } do
    expect_same("string", "rep", function() return table.unpack(case) end)
  end
end
