-- table.sort of Lua and of the sandbox, in `ours`: lists of every kind come out in the same order, but for elements
-- that are equal, which keep theirs. For tests/script/check_library.c.
local ours <const>, random <const> = ours, math.random -- luacheck: ignore

local ORDERS <const> = {
  function(a, b) return a.key < b.key end,
  function(a, b) return a.key > b.key end,
  function(a, b) return a.key % 3 < b.key % 3 end,
  function() return false end,
}

-- Keys in the shapes that a way of sorting finds easy or hard.
local SHAPES <const> = {
  function(i) return i end, function(i, n) return n - i end, function(i) return i % 7 end, function() return 1 end,
  function(i) return i ~ 0x2a end, function(_, n) return random(n) end,
  function(i, n) return i < n // 2 and i or n - i end,
}

local function expect_sorted(list, before, less)
  if #list ~= #before then error(("%d elements, not %d"):format(#list, #before), 0) end
  local seen <const> = {}
  for i, e in ipairs(list) do
    if seen[e] or before[e.place] ~= e then error("no element is lost or there twice", 0) end
    seen[e] = true
    local last <const> = list[i - 1]
    if last and (less(e, last) or (not less(last, e) and last.place > e.place)) then
      error(("element %d of %d is out of order"):format(i, #list), 0)
    end
  end
end

local function random_lists(n, less)
  for _, shape in ipairs(SHAPES) do
    local before <const>, list <const>, theirs <const>, seen <const> = {}, {}, {}, {}
    for i = 1, n do before[i] = { key = shape(i, n), place = i } end
    table.move(before, 1, n, 1, list)
    table.move(before, 1, n, 1, theirs)
    -- As a proxy, every other time: access goes through metamethods.
    local proxy <const> = setmetatable({}, { __index = list, __newindex = list, __len = function() return n end })
    ours.sort(n % 2 == 0 and list or proxy, less)
    expect_sorted(list, before, less)
    table.sort(theirs, less)
    for i = 1, n do seen[i] = not less(theirs[i], list[i]) and not less(list[i], theirs[i]) end
    for i = 1, n do if not seen[i] then error("Lua sorts it in another way", 0) end end
  end
end

function random_calls(times) -- luacheck: ignore
  for i = 1, times do
    math.randomseed(i)
    random_lists(i % 50 == 0 and random(3000) or random(0, 40), ORDERS[random(#ORDERS)])
    -- Without an order: numbers, texts, and what has __lt.
    local m <const>, lists <const> = { __lt = function(a, b) return a[1] < b[1] end }, { {}, {}, {} }
    for k = 1, random(0, 40) do
      lists[1][k] = random(3) == 1 and random() or random(-9, 9)
      lists[2][k] = ("x"):rep(random(3)) .. random(9)
      lists[3][k] = setmetatable({ random(9) }, m)
    end
    for _, list in ipairs(lists) do
      ours.sort(list)
      for k = 2, #list do if list[k] < list[k - 1] then error("out of order", 0) end end
    end
  end
end

-- Each raises what Lua's raises, and leaves its list as it was.
function wrong() -- luacheck: ignore
  local named <const> = setmetatable({ 2, 1 }, { __len = function() return "x" end })
  for i, case in ipairs {
    {}, { 7 }, { "text" }, { { 2, 1 }, 7 }, { { 2, 1 }, {} }, { { 1, "x", {} } }, { { 1, {}, 2 } }, { named },
    { { 3, 1, 2 }, function() error "mine" end }, { { true, false } }, { setmetatable({}, { __len = function()
      return 1 << 40 end }) },
  } do
    local theirs <const> = select(2, pcall(table.sort, table.unpack(case, 1, 2)))
    local before <const> = type(case[1]) == "table" and table.move(case[1], 1, 3, 1, {}) or {}
    local mine <const> = select(2, pcall(ours.sort, table.unpack(case, 1, 2)))
    local function plain(text) return (tostring(text):gsub("'%?'", "f"):gsub("'[%w_.]*sort'", "f")) end
    -- Which two elements are compared first is the way of sorting.
    local function of_kinds(text) return (text:gsub("two %a+ values", "@"):gsub("%a+ with %a+", "@")) end
    if of_kinds(plain(theirs)) ~= of_kinds(plain(mine)) then
      error(("case %d: %s in Lua, %s here"):format(i, theirs, mine), 0)
    end
    for k = 1, #before do if rawget(case[1], k) ~= before[k] then error("case " .. i .. ": a list changed", 0) end end
  end
  local once <const> = { 1 } -- one element needs no order
  ours.sort(once, 7)
end
