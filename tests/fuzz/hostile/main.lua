-- A game that calls every function that a game can reach (rows.lua, made of the tables of these functions), from
-- callbacks, hooks, timers, coroutines and metamethods, and within one another: with arguments that are nearly right,
-- and with values of every kind. Errors are caught: what it does not survive is a fault of the player.
local spawnpool <const> = require "spawnpool"
local rows <const> = require "rows"
local random <const> = math.random
local pools <const> = spawnpool.pools

local DEEPEST <const>, MOST_HELD <const> = 4, 100
local types <const> = { "Plain", "Few", "Ring", "Moving" }
local words <const> = { "volume", "center", "line", "fill", "oldest", "shot", "hit", "left", "a", "leftx", "../x",
  "a/b", "", "\0\255", ("x"):rep(3000), "circle" }
-- Modes, sprites and texts are given to g.
local drawn_words <const> = { "line", "fill", "circle", "line", "fill", "circle", "line", "fill", "square", "ring",
  "spark", "flash", "tint", "crt", ("long "):rep(500), ("\n"):rep(300), "\0\255\xf4\x90", ("\u{e9}"):rep(40000) }
local fields <const> = {
  "x", "vy", "ax", "angle", "spin", "scale", "a", "radius", "layer", "sprite", "visible", "frame", "animation", "hp",
  "bag", "age", "lifetime", "pinned", "parent", "type", "id", "volume", "pan", "loop", "sound", "width", "limit",
  "pool", "time_scale", "no such field",
}
local managers <const>, snapshots <const>, held <const>, closed, drawing, depth = {}, {}, {}, nil, nil, 0

local function any_of(list)
  return #list > 0 and list[random(#list)] or nil
end

-- {== Values ================================================================

-- Remembers values of the game's own to pass on: objects, timers, snapshots, pools, lists, iterators.
local function hold(value)
  if type(value) ~= "userdata" and type(value) ~= "table" and type(value) ~= "function" then return end
  if #held == MOST_HELD then table.remove(held, random(#held)) end
  held[#held + 1] = value
end

local value, some

-- A metamethod does nothing much, something wrong, or all that the game can do.
local function sly(...)
  local what <const> = random(6)
  if what == 1 then error "sly" end
  if what == 2 and depth < DEEPEST then some(3) end
  if what == 3 and closed then pcall(closed.close, closed) end
  if what == 4 and coroutine.isyieldable() then coroutine.yield(random()) end
  if what == 5 then return value() end
  return ...
end

local metatable <const> = { __metatable = false, __name = "Sly" }
for _, name in ipairs { "index", "newindex", "call", "tostring", "len", "eq", "lt", "le", "concat", "unm", "add",
  "pairs", "close" } do
  metatable["__" .. name] = sly
end

local function a_table()
  return { volume = value(), pan = value(), loop = value(), group = value(), roots = value(), type = value(),
    misuse = value(), path = value(), [1] = value() }
end

local function a_function()
  return function(...) return sly(...) end
end

local NUMBERS <const> = { 0 / 0, 1 / 0, -1 / 0, math.mininteger, math.maxinteger, 2 ^ 53 + 1, 1e300, 1e-300, 0, -0.0, 1,
  -1, 0.5, 16, 255, 256, 800, 4096, 65535, 65536, 1e6, 1e9, -1e9, 3e38, -3e38, 1e-38, 2 ^ 24 + 1, 2 ^ 31, -2 ^ 31,
  2 ^ 32 }

-- A size or a place that nobody would draw, or a usual one.
local function a_place()
  if random() < 0.5 then return random(-100, 900) + random() end
  return any_of(NUMBERS) * (random() < 0.7 and 1 or random())
end

-- Values of the kinds that the rows speak of: see src/script/state/border.h.
local kinds <const> = {
  m = function() return random() < 0.7 and pools or any_of(managers) or pools end,
  p = function() return pools:pool(any_of(types)) end,
  o = function()
    local object <const> = random() < 0.5 and any_of(held)
    return type(object) == "userdata" and object or pools:alloc(any_of(types), random() * 2)
  end,
  S = function() return any_of(snapshots) end,
  M = function()
    return random() < 0.3 and any_of(held) or spawnpool.tiles {
      size = random(20), rows = { "#..#", "..a.", "####" }, letters = "#a", sheet = any_of(words),
    }
  end,
  c = function() return spawnpool.class(any_of(types)) end,
  t = function() return any_of(types) end,
  k = function() return any_of(fields) end,
  n = function() return random() < 0.8 and random(-30, 300) or random() * 10 end,
  i = function() return random(0, 60) end,
  s = function() return any_of(words) end,
  f = a_function,
  b = function() return random() < 0.5 end,
  T = function() return random() < 0.5 and a_table() or any_of(held) end,
  g = function() return drawing end,
  F = function() return random() < 0.5 and io.stdout or io.stderr end,
  ["*"] = function() return value() end,
}

-- Those of g.
local drawn_kinds <const> = setmetatable({
  n = function() return random() < 0.6 and a_place() or random() end,
  s = function() return any_of(drawn_words) end,
  ["*"] = function() return any_of(drawn_words) end,
  T = function()
    local points <const> = {}
    for i = 1, 2 * random(3, 40) do points[i] = a_place() end
    return points
  end,
}, { __index = kinds })

local any_kind <const> = {
  kinds.n, kinds.s, kinds.t, kinds.k, kinds.b, kinds.f, kinds.m, kinds.p, kinds.S, a_table,
  function() return any_of(NUMBERS) end,
  function() return nil end,
  function() return any_of(held) end, function() return any_of(held) end,
  function() return setmetatable({ value() }, metatable) end,
  function() return setmetatable({ value() }, { __mode = any_of { "k", "v", "kv" } }) end,
  function() return coroutine.create(function() coroutine.yield(1) end) end,
  function() return drawing end,
}

function value() return any_of(any_kind)() end

-- }==

-- {== Calls =================================================================

local function try(call, ...)
  if depth >= DEEPEST then return end
  depth = depth + 1
  local done <const>, result <const> = pcall(call, ...)
  depth = depth - 1
  if done then hold(result) end
  return done and result
end

-- The arguments of a row: most are right.
local function arguments(takes, owner)
  local list <const>, own_kinds, right = { n = 0 }, kinds, 0.8
  if owner == "g" then own_kinds, right = drawn_kinds, 0.98 end
  for kind, optional in takes:gmatch "(%S)(%??)" do
    if optional == "?" and random() < 0.3 then break end
    list.n = list.n + 1
    list[list.n] = (random() < right and own_kinds[kind] or value)()
  end
  if random() > right then list.n = random(0, 6) end
  return table.unpack(list, 1, list.n)
end

-- The operators that call metamethods.
local OPERATORS <const> = {
  __index = function(it, key) return it[key] end,
  __newindex = function(it, key, new) it[key] = new end,
  __tostring = function(it) return tostring(it) end,
  __pairs = function(it) for _, part in pairs(it) do hold(part) if random() < 0.1 then break end end end,
  __close = function(it) local _ <close> = it end,
  __call = function(it) for _, part in it do hold(part) if random() < 0.1 then break end end end,
  __gc = function() if random() < 0.02 then collectgarbage(random() < 0.5 and "step" or "collect") end end,
}

-- The function of a row, as a game gets it: of a pool, of a class, of the module. Iterators come from pairs and each.
local function function_of(owner, name)
  if owner == "pools" then return pools[name] end
  if owner == "pool" then return pools:pool(any_of(types))[name] end
  if owner == "object" then return pools:alloc(any_of(types), 1)[name] end
  if owner == "super" then return spawnpool.class(any_of(types)).super[name] end
  if owner == "tiles" then return spawnpool.tiles { size = 8, rows = { "#" } }[name] end
  if owner == "timer" then return pools:after(1, sly)[name] end
  if owner == "g" then return drawing and drawing[name] end
  if owner == "spawnpool" then return spawnpool[name] end
  if owner == "stream" then return io.stdout[name] end
  if owner == "each" then
    return any_of { pools.each, function(it) return it:each { type = any_of(types) } end,
      function(it) return it:pool(any_of(types)):each(any_of { "x", "layer", "sprite", "parent" }) end }(pools)
  end
  if owner == "pad" then return spawnpool.input and spawnpool.input.pad(random(8))[name] end
  return spawnpool[owner] and spawnpool[owner][name]
end

-- The manager of the player, which all the others stand beside, is closed and emptied seldom.
local SELDOM <const> = { close = 0.0002, __close = 0.0002, remove = 0.02, __gc = 0.1, prewarm = 0.3 }

-- In a callback that draws every second call is one of g.
local rows_of_g <const> = {}
for _, row in ipairs(rows) do rows_of_g[#rows_of_g + 1] = row[1] == "g" and row or nil end

local function call_a_row()
  local row <const> = any_of(drawing and random() < 0.5 and rows_of_g or rows)
  local owner <const>, name <const> = row[1], row[2]
  local list <const> = table.pack(arguments(row[3], owner))
  local chance <const> = (list[1] == pools or name == "__gc" or name == "prewarm") and SELDOM[name]
  if chance and random() > chance then return end
  local f <const> = OPERATORS[name] or function_of(owner, name)
  if f then return f(table.unpack(list, 1, list.n)) end
end

-- Lua's own functions take part: they call what they are given. In the module there are others, which could do harm.
local GLOBALS <const> = {}
for name in ([[assert getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset select setmetatable tonumber
  tostring type xpcall]]):gmatch "%a+" do GLOBALS[name] = _G[name] end
local LIBRARIES <const> = { string, table, math, utf8, coroutine, GLOBALS }
local LEFT_OUT <const> = { rep = true, yield = true, move = true, wrap = true }

local function call_a_library()
  local names <const>, library <const> = {}, any_of(LIBRARIES)
  for name, f in pairs(library) do
    if type(f) == "function" and not LEFT_OUT[name] then names[#names + 1] = name end
  end
  return library[any_of(names)](arguments "* *? *? *?")
end

local function set_or_get()
  local it <const> = any_of(held)
  if random() < 0.5 then return it[any_of(fields)] end
  it[any_of(fields)] = random() < 0.5 and a_place() or value()
end

-- }==

local function another_manager()
  snapshots[#snapshots % 4 + 1] = (any_of(managers) or pools):snapshot()
  while #managers > 3 do table.remove(managers, random(#managers)):close() end
  managers[#managers + 1] = spawnpool.new { misuse = "ignore" }
  closed = any_of(managers)
  for _ = 1, 5 do hold(closed:alloc(any_of(types))) end
end

local acts <const> = { call_a_row, call_a_row, call_a_row, call_a_row, call_a_row, call_a_row, call_a_row, call_a_row,
  call_a_library, set_or_get, another_manager, function() return coroutine.wrap(some)() end }

function some(most)
  for _ = 1, random(type(most) == "number" and most < 31 and most // 1 or 30) do try(any_of(acts)) end
end

local function seldom()
  if random() < 0.05 then some(10) end
end

local game <const> = { width = 320, height = 240, actions = { left = { "left", "pad:-leftx" }, hit = "mouse:left" } }

for _, name in ipairs { "update", "key_pressed", "key_released", "mouse_pressed", "mouse_released",
  "mouse_moved", "wheel", "text_input", "resized", "focus" } do
  game[name] = function() some() end
end

function game.draw(g)
  drawing = g
  for _ = 1, 3 do some() end
  if random() < 0.02 then for _ = 1, 3e5 do g:line(0, 0, 1, 1) end end
  drawing = nil
end
game.draw_below = game.draw

function game.load()
  local settings <const> = {
    Plain = { update = seldom },
    Few = { limit = 5 },
    Ring = { limit = 50, overflow = "oldest", on_parent_end = "detach" },
    Moving = {
      motion = { gravity = 90, face_velocity = true },
      bounds = { x = 0, y = 0, w = 320, h = 240, outside = "bounce" },
    },
  }
  for name, definition in pairs(settings) do
    definition.fields = { hp = 3, bag = spawnpool.any {} }
    definition.on_spawn = function(_, object)
      object.x, object.y, object.vx = random(320), random(240), random(-90, 90)
      seldom()
    end
    definition.on_despawn = seldom
    spawnpool.class(name, definition)
  end
  snapshots[1] = pools:snapshot()
end

-- It calls spawnpool.quit, too.
function game.quit() return true end

return game
