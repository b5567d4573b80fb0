-- The sandbox has its own string.find, match, gmatch, gsub and table.sort, in `ours`. Random calls, wrong ones too,
-- must have the results and the errors of Lua's own. tests/script/check_library.c runs this file.
local ours <const>, random <const>, pick_of <const> = ours, math.random, table.unpack -- luacheck: ignore 113
package.loaded.ours = ours.string -- messages find the names of functions there

local function pick(list) return list[random(#list)] end
local function one_in(n) return random(n) == 1 end

local function made_of(pieces, most)
  local text <const> = {}
  for i = 1, random(0, most) do text[i] = pick(pieces) end
  return table.concat(text)
end

-- All values that a call returned, or its error, as one text.
local function told(...)
  local values <const> = table.pack(...)
  for i = 1, values.n do values[i] = math.type(values[i]) == "integer" and "#" .. values[i] or tostring(values[i]) end
  return (table.concat(values, "|", 1, values.n):gsub("'string%.", "'"):gsub("'ours%.", "'"))
end

-- {== Patterns ================================================================

local LETTERS <const> = { "a", "b", "c", "1", "_", " ", "(", ")", ".", "-", "%", "]", "\0", "a", "a", "b", "ab", "é",
  "\n", "A" }
local PIECES <const> = {
  "a", "b", "c", ".", "%a", "%d", "%w", "%s", "%S", "%A", "%u", "%l", "%c", "%p", "%x", "%g", "%z", "[ab]", "[^a]",
  "[a-c]", "[%d_]", "[^%s]", "[]a]", "[^]]", "[a%-]", "[a-]", "%.", "%%", "-", "*", "+", "?", "*", "+", "?", "-", "(",
  ")", "(", ")", "()", "%1", "%2", "%0", "%b()", "%bab", "%b", "%f[%a]", "%f[^a]", "%f", "^", "$", "1", " ", "[", "]",
  "[^", "%", "\0", "\128",
}
-- At the limits: captures, items and depth.
local LARGE <const> = {
  ("()"):rep(33), ("(a)"):rep(33), ("(a)"):rep(32), ("(a)"):rep(32) .. "()", ("("):rep(300), "(" .. ("a?"):rep(9),
  ("a*"):rep(250), ("a?"):rep(250), "^" .. ("a"):rep(300) .. "$",
}
local TEXTS <const> = { "", "aaaa", ("a"):rep(300), "ab\0c\0", "f(a(b)c)d", 12.5, 12 }
local REPLACED <const> = { "%0", "%1", "%2", "%9", "%", "%%", "%x", "<", ">", "a", "% " }
local RESULTS <const> = {
  function(a, b) return a ~= "a" and told(a, b) end, function() return {} end, function() error("mine", 0) end,
  { a = 1, b = false, ab = "x" }, { a = {} }, setmetatable({}, { __index = function(_, key) return key .. "." end }),
  5, true, print,
}
local WRONG <const> = { {}, true, print, 1.5, "x", "2" }

-- Every match of a gmatch; it ends after so many.
local function all(gmatch, ...)
  local texts <const> = {}
  for a, b, c in gmatch(...) do
    texts[#texts + 1] = told(a, b, c)
    if #texts > 50 then break end
  end
  return table.concat(texts, " / ")
end

local function arguments(name)
  local list <const> = { n = 2 + random(0, 2) }
  list[1] = one_in(4) and pick(TEXTS) or made_of(LETTERS, 12)
  list[2] = one_in(20) and pick(LARGE) or made_of(PIECES, 7)
  if name == "gsub" then
    list[3] = one_in(2) and pick(RESULTS) or made_of(REPLACED, 4)
    list[4] = random(-1, 4)
  else
    list[3] = random(-14, 14)
    list[4] = one_in(3) or nil
  end
  if one_in(2) then list.n = name == "gsub" and 3 or 2 end
  if one_in(15) then list[random(4)] = pick(WRONG) end
  if one_in(40) then list.n = random(0, 4) end
  return list
end

function patterns(count) -- luacheck: ignore 111
  math.randomseed(42)
  for _ = 1, count do
    local name <const> = pick { "find", "find", "match", "gmatch", "gsub", "gsub" }
    local list <const> = arguments(name)
    local function run(library)
      if name == "gmatch" then return told(pcall(all, library.gmatch, pick_of(list, 1, list.n))) end
      return told(pcall(library[name], pick_of(list, 1, list.n)))
    end
    local want <const>, got <const> = run(string), run(ours.string)
    if want ~= got then
      error(("%s(%s): %q in Lua, %q here"):format(name, told(pick_of(list, 1, list.n)):gsub("[^%g ]", "?"), want, got),
        0)
    end
  end
end

-- }==

-- {== Sorting =================================================================

local ORDERS <const> = {
  function(a, b) return a.key < b.key end, function(a, b) return a.key > b.key end,
  function(a, b) return a.key % 3 < b.key % 3 end, function() return false end,
}
-- Keys in the shapes that a way of sorting finds easy or hard.
local SHAPES <const> = {
  function(i) return i end, function(i, n) return n - i end, function(i) return i % 7 end, function() return 1 end,
  function(i) return i ~ 0x2a end, function(_, n) return random(n) end,
  function(i, n) return i < n // 2 and i or n - i end,
}
local BY_VALUE <const> = { __lt = function(a, b) return a.key < b.key end }

-- Equal elements keep their order. Half of the lists are reached through metamethods.
local function sort_one(n, less, shape)
  local list <const>, before <const>, seen <const> = {}, {}, {}
  for i = 1, n do
    before[i] = setmetatable({ key = shape(i, n), place = i }, BY_VALUE)
    list[i] = before[i]
  end
  local proxy <const> = setmetatable({}, { __index = list, __newindex = list, __len = function() return n end })
  ours.sort(one_in(2) and list or proxy, less)
  less = less or BY_VALUE.__lt
  for i = 1, n do
    local e <const>, last <const> = list[i], list[i - 1]
    if seen[e] or before[e.place] ~= e then error("an element is lost, or there twice", 0) end
    seen[e] = true
    if last and (less(e, last) or not less(last, e) and last.place > e.place) then
      error(("element %d of %d is out of order"):format(i, n), 0)
    end
  end
end

local PLAIN <const> = {
  function() return random(-9, 9) end, function() return random() end,
  function() return ("x"):rep(random(3)) .. random(9) end,
}

-- A list that cannot be sorted gives the error of Lua, but for the two elements that it compares first, and keeps all.
local function sort_wrong()
  local list <const>, make <const> = {}, pick(PLAIN)
  for i = 1, random(0, 9) do list[i] = one_in(9) and pick { {}, true, "x", 1 } or make() end
  local length <const> = pick { function() return "x" end, function() return 1 << 40 end }
  if one_in(9) then setmetatable(list, { __len = length }) end
  local copy <const>, less <const> = table.move(list, 1, 9, 1, setmetatable({}, getmetatable(list))),
    one_in(5) and pick { 7, {}, function() error("mine", 0) end } or nil
  local given <const> = one_in(20) and pick { 7, "text", false } or nil
  local function plain(done, wrong)
    local text <const> = done or wrong:gsub("'%?'", "f"):gsub("'[%w_.]*sort'", "f")
    return done or text:gsub("two %a+ values", "@"):gsub("%a+ with %a+", "@")
  end
  local want <const> = plain(pcall(table.sort, given or copy, less))
  local before <const> = table.move(list, 1, 9, 1, {})
  local got <const> = plain(pcall(ours.sort, given or list, less))
  if want ~= got then error(("%s in Lua, %s here"):format(want, got), 0) end
  for i = 1, 9 do
    if got == true and not rawequal(rawget(list, i), rawget(copy, i)) then error("Lua has another order", 0) end
    if got ~= true and not rawequal(rawget(list, i), before[i]) then error("a list changed", 0) end
  end
end

function sorts(count) -- luacheck: ignore 111
  for i = 1, count do
    math.randomseed(i)
    sort_one(one_in(50) and random(3000) or random(0, 40), not one_in(5) and pick(ORDERS) or nil, pick(SHAPES))
    sort_wrong()
  end
end

-- }==
