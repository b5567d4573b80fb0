-- A game that calls every function of the player, at random and with values of every kind, from callbacks, hooks and
-- timers, and within one another. Errors are caught: what it does not survive is a fault of the player. It prints a
-- line with DIFFER when the pools are not the same after they were restored or loaded.
local spawnpool <const> = require "spawnpool"
local random <const> = math.random
local pools <const> = spawnpool.pools

local DEEPEST <const>, MOST_HELD <const> = 4, 100
local types <const> = { "Plain", "Few", "Ring", "Moving" }
local words <const> = { "volume", "center", "line", "oldest", "shot", "../x", "a/b", "", "\0\255", ("x"):rep(3000) }
local fields <const> = {
  "x", "vy", "ax", "angle", "spin", "scale", "a", "radius", "layer", "sprite", "visible", "frame", "animation", "hp",
  "bag", "age", "lifetime", "pinned", "parent", "type", "id", "volume", "pan", "loop", "sound", "no such field",
}
local held <const>, depth = {}, 0

local function any_of(list)
  return #list > 0 and list[random(#list)] or nil
end

-- Remembers values of the game's own to pass on: objects, timers, snapshots, pools.
local function hold(value)
  if type(value) ~= "userdata" then return end
  if #held == MOST_HELD then table.remove(held, random(#held)) end
  held[#held + 1] = value
end

local value

local metatables <const> = {
  { __index = function(_, key) return value(key) end }, { __tostring = function() error "no text" end },
  { __pairs = function() error "no pairs" end }, { __len = function() return -1 end }, { __metatable = false },
  { __call = function(...) return ... end, __eq = function() error "no equal" end }, { __mode = "kv", __name = "Evil" },
}

local kinds <const> = {
  function() return random(-3, 40) end,
  function() return random() * 1000 end,
  function() return any_of { 0 / 0, 1 / 0, -1 / 0, math.mininteger, math.maxinteger, 2 ^ 53 + 1, -0.0, 1e300 } end,
  function() return any_of(words) end,
  function() return any_of(types) end,
  function() return any_of(fields) end,
  function() return random() < 0.5 end,
  function() return nil end,
  function() return function() return random() < 0.3 and error "called" or value() end end,
  function() return coroutine.create(function() coroutine.yield(1) end) end,
  function() return setmetatable({ value() }, any_of(metatables)) end,
  function()
    return { volume = value(), pan = value(), loop = value(), group = value(), roots = value(), [1] = value() }
  end,
  function() return any_of(held) end,
  function() return any_of(held) end,
  function() return random() < 0.5 and pools or pools:pool(any_of(types)) end,
}

function value()
  return any_of(kinds)()
end

local function values()
  local list <const> = { n = random(0, 4) }
  for i = 1, list.n do list[i] = value() end
  return table.unpack(list, 1, list.n)
end

local function try(call, ...)
  if depth == DEEPEST then return end
  depth = depth + 1
  local done <const>, result <const> = pcall(call, ...)
  depth = depth - 1
  if done then hold(result) end
  return done and result
end

-- Calls one of the functions that are named, with self when there is one.
local function call(owner, names, self)
  local method <const> = owner[any_of(names)]
  if not self then return method(values()) end
  return method(self, values())
end

local function each_of(list)
  if type(list) ~= "function" then return list end
  for _ in list do if random() < 0.1 then break end end
end

local function restore()
  local snapshot <const> = pools:snapshot()
  local before <const> = pools:hash()
  call(pools, { "alloc", "recycle", "take", "update" }, pools)
  local done <const>, why <const> = pools:restore(snapshot)
  if not done and why ~= "invalid" then print("a restore must not DIFFER by being", why) end -- a pool was removed
  if done and pools:hash() ~= before then print "the restored pools DIFFER" end
  return snapshot
end

-- Saves what can be saved: a field may hold a function.
local function save_and_load()
  local bytes <const> = pools:save()
  if not bytes then return end
  local place <const> = random(#bytes)
  local flipped <const> = string.char(~bytes:byte(place) & 255)
  if spawnpool.load(bytes:sub(1, place - 1) .. flipped .. bytes:sub(place + 1)) then
    print "a damaged save is loaded: the bytes DIFFER"
  end
  local loaded <const> = spawnpool.load(bytes)
  if loaded:hash() ~= pools:hash() then print "the loaded pools DIFFER" end
  loaded:close()
end

local methods <const> = {
  manager = { "alloc", "recycle", "pool", "is_live", "stats", "leaks", "configure", "after", "every", "run", "snapshot",
    "restore", "hash", "update" },
  pool = { "alloc", "recycle", "each", "take", "set", "add", "within", "nearest", "overlaps", "separate", "stats",
    "trim" },
  object = { "recycle", "after", "every", "run", "launch", "stop", "no such method" },
}

local function of_a_pool()
  local pool <const> = pools:pool(any_of(types))
  return each_of(call(pool, methods.pool, pool))
end

local function of_all_objects()
  local pool <const> = pools:pool(any_of(types))
  if random() < 0.2 then return call(pool, { "recycle_all", "clear" }, pool) end
  if random() < 0.2 then return call(pools, { "clear", "remove", "recycle_all" }, pools) end
  return pool:prewarm(random(-3, 50))
end

local function of_an_object()
  local object <const> = any_of(held)
  return call(object, methods.object, object)
end

local doors <const> = {
  function() return pools:alloc(any_of(types), random() * 2) end,
  function() return pools:alloc(any_of(types), random() * 2) end,
  function() return call(pools, methods.manager, pools) end,
  function() return each_of(call(pools, { "each", "take" }, pools)) end,
  of_a_pool, of_all_objects, of_an_object,
  function() any_of(held)[any_of(fields)] = value() end,
  function() return any_of(held)[any_of(fields)] end,
  function() return spawnpool.audio.play("hit", { volume = random() * 2 }) end,
  function() return call(spawnpool.audio, { "play", "music", "stop", "volume", "mute" }) end,
  function() return call(spawnpool.storage, { "save", "load" }) end,
  function() return call(spawnpool.input, { "down", "mouse", "pad", "axis" }) end,
  function() return call(spawnpool.view, { "to_world", "to_view" }, spawnpool.view) end,
  function() return call(spawnpool, { "keep", "live", "fresh", "any", "new", "load" }) end,
  restore, save_and_load,
}

local function some()
  for _ = 1, random(30) do try(any_of(doors)) end
end

local function seldom()
  if random() < 0.05 then some() end
end

local game <const> = { width = 320, height = 240 }

for _, name in ipairs { "update", "draw_below", "key_pressed", "key_released", "mouse_pressed", "mouse_released",
  "mouse_moved", "wheel", "text_input", "resized", "focus" } do
  game[name] = some
end

function game.draw(g)
  for _ = 1, random(30) do
    try(call, g, { "color", "text", "measure", "line", "rect", "circle", "camera", "shake", "sprite" }, g)
  end
  try(g.text, g, random(300), random(200), value())
  try(g.camera, g, random(300), random(200), random() * 3, random())
  some()
end

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
end

return game
