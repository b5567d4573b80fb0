-- A game that depends on whatever differs from run to run. Each of its acts prints one line.
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
local acts <const> = {}
local said

local function see(...)
  for i = 1, select("#", ...) do said[#said + 1] = tostring((select(i, ...))) end
end

local function mixed()
  local t <const> = {}
  for i = 1, 40 do
    t["key" .. i], t[i / 3], t[-i] = i, "third" .. i, true
    t[{}], t[function() return i end], t[coroutine.create(print)] = "t" .. i, "f" .. i, "c" .. i
  end
  t[true], t[false], t[1 << 53], t[2.0 ^ 63], t[math.mininteger] = "yes", "no", "big", "huge", "least"
  t[print], t[string.format], t[pools], t[pools:pool "Thing"] = "print", "format", "pools", "pool"
  for o in pools:each() do t[o] = "object " .. o.id end
  return t
end

acts["pairs"] = function() for _, v in pairs(mixed()) do see(v) end end

-- Many tables of few sets of keys: their lists are shared, taken over by other sets, and left in the middle.
acts["pairs, of sets of keys that come again"] = function()
  for round = 1, 14 do
    local t <const> = {}
    for i = 1, round * 5 % 23 do t["k" .. i * 7 % 90], t[i - 3], t[i % 2 == 0] = i, -i, round end
    local sum, at = 0, 0
    for k, v in pairs(t) do
      at = at + 1
      sum = sum + at * v
      for _, w in pairs(t) do
        if w == v then break end
        sum = sum + w
      end
      if at % 5 == 0 then t[k] = nil end
    end
    see(sum, at)
  end
end

acts["pairs, while keys go and are collected"] = function()
  local t <const> = {}
  for i = 1, 40 do t[i % 3 == 0 and {} or i % 3 == 1 and i or "s" .. i] = i end
  for _ = 1, 2 do
    local order <const> = {}
    for k, v in pairs(t) do
      order[#order + 1] = v
      if v % 4 == 0 then t[k] = nil end
      for other, w in pairs(t) do if w == v + 3 then t[other] = nil end end
      if v % 20 == 0 then collectgarbage() end
    end
    see(table.concat(order, " "))
  end
end

acts["pairs, of lists with holes and ends"] = function()
  for _, t in ipairs { { 1, 2, 3 }, { 1, nil, 3 }, { nil, 2 }, { 1, 2, [4] = 4, [2.5] = 5, [0] = 0 }, {} } do
    for k, v in pairs(t) do see(k, v) end
    for k in pairs(t) do t[k] = nil end
    see(next(t))
  end
end

-- Walked to its end, in two tables at once, and for the first key of a queue.
acts["next"] = function()
  local a <const>, b <const>, queue <const> = mixed(), mixed(), mixed()
  for k, v in next, a do
    see(v)
    if v == "key" then a[k] = nil end
  end
  local i, j = next(a), next(b)
  while i ~= nil do
    see(a[i], b[j])
    i, j = next(a, i), next(b, j)
  end
  see(j)
  local k = next(queue)
  while k ~= nil do
    see(queue[k])
    queue[k] = nil
    k = next(queue)
  end
end

acts["an iterator called by hand, and __pairs"] = function()
  local t <const> = mixed()
  local step <const>, state <const> = pairs(t)
  local first <const> = step(state)
  see(rawequal(step(state), first), t[(step(state, first))], step == pairs({}))
  for _, v in step, { only = 1 } do see(v) end
  local function once(_, k) return not k and 1 or nil end
  local it <const> = setmetatable({}, { __pairs = function(self) return once, self end })
  for k in pairs(it) do see(k) end
  see(pcall(pairs), pcall(pairs, nil), pcall(next, 1))
end

acts["texts of addresses"] = function()
  local t <const>, f <const> = {}, function() end
  see(t, f, print, coroutine.create(f), setmetatable({}, { __name = "Named" }), t)
  see(("%s %p %20p %p"):format(t, f, "a" .. "b", 1))
  see(tostring(t) == ("%s"):format(t), ("%p"):format(t) == tostring(t):match ": (.*)", setmetatable({}, {
    __tostring = function() return "own" end,
  }))
end

acts["clocks and seeds"] = function()
  local from <const> = os.clock()
  while os.clock() < from + 0.001 do end
  see(os.clock(), os.time(), os.date("!%c"), os.date("*t").sec, os.time { year = 2020, month = 2, day = 30 })
  see(os.date("!%Y", 0), select(2, pcall(os.date, "%Ez", 0)), (pcall(os.time, {})))
  for _ = 1, 2 do
    math.randomseed()
    see(math.random(1 << 60))
  end
  math.randomseed(7)
  see(math.random(1 << 60), (pcall(math.randomseed, {})))
end

acts["the heap"] = function()
  see(collectgarbage "count", collectgarbage "step", collectgarbage(), collectgarbage "isrunning")
  see((pcall(collectgarbage, "nonsense")))
end

local weak <const> = { keys = setmetatable({}, { __mode = "k" }), values = setmetatable({}, { __mode = "v" }) }
acts["weak tables"] = function(n)
  for i = 1, 500 do
    weak.keys[{}] = i
    weak.values[n * 1000 + i] = { ("x"):rep(50) }
  end
  local keys, values = 0, 0
  for _ in pairs(weak.keys) do keys = keys + 1 end
  for _ in pairs(weak.values) do values = values + 1 end
  see(keys, values)
end

acts["globals and classes"] = function()
  for k in pairs(_G) do see(k) end
  for k in pairs(spawnpool.class "Thing") do see(k) end
  for k in pairs(string) do see(k) end
end

local names <const> = {}
for name in pairs(acts) do names[#names + 1] = name end
table.sort(names)

spawnpool.class("Thing", { vx = 3, fields = { bag = spawnpool.any(), label = "", n = 0 } })
local n = 0
return {
  load = function() for i = 1, 20 do pools:alloc("Thing", i % 3, i, i) end end,
  update = function()
    n = n + 1
    for _, name in ipairs(names) do
      said = {}
      acts[name](n)
      print(name .. ": " .. table.concat(said, " "))
    end
    local o <const> = pools:alloc("Thing", 0.2, n, n)
    o.label = tostring {}
    o.bag = { [print] = 1, [{}] = { n }, at = os.clock(), o }
    o.bag.itself = o.bag
  end,
}
