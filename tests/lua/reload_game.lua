-- A small game to edit while it runs: five class files and two modules in a folder of its own, under load. A subclass
-- overrides alloc and recycle, others have hooks, timers and coroutines; one module has numbers that the classes read,
-- the other keeps state. A broken edit may leave odd values in file-locals, or hand them over: the good files cope.
local spawnpool <const> = require "spawnpool"
local worlds <const> = require "reload_world"

local STEP <const> = 1 / 64
local HELD <const> = 32 -- objects that the load may recycle
local PATIENCE <const> = 100 -- times HOOK_COUNT instructions in one step of code that may loop
local HOOK_COUNT <const> = 10000

local game <const> = { TYPES = { "Thing", "Bullet", "Enemy", "Spark", "Crew" }, FILES = {} }

-- The own fields of each type, inherited ones too.
game.FIELDS = {
  Thing = { "hits", "heat", "name" },
  Bullet = { "hits", "heat", "name", "damage", "target" },
  Enemy = { "hits", "heat", "name", "mood", "age_seen" },
  Spark = { "glow", "kind" },
  Crew = { "hits", "heat", "name", "pace", "badge", "bag", "note", "mate" },
}

-- {== The files ===============================================================

game.FILES["rules.lua"] = [[
local rules <const> = { harm = 2, speed = 40, names = { "ann", "bob", "cid" } }

local function wrap(n)
  return n % #rules.names + 1
end

function rules.name(n)
  return rules.names[wrap(tonumber(n) or 0)]
end

function rules.lifetime(n)
  return 0.1 + (n % 7) / 10
end

return rules
]]

game.FILES["tally.lua"] = [[
local tally <const> = {}
local counts = {}
local total = 0

function tally.add(what)
  counts[what] = (tonumber(counts[what]) or 0) + 1
  total = (tonumber(total) or 0) + 1
end

function tally.of(what)
  return counts[what] or 0
end

function tally.total()
  return total
end

return tally
]]

game.FILES["pools/Thing.lua"] = [[
local spawnpool <const> = require "spawnpool"
local rules <const> = require "rules"

local Thing <const> = spawnpool.class("Thing", {
  prealloc = 8, grow = 8, limit = 24, overflow = "oldest",
  fields = { hits = 3, heat = spawnpool.live(2), name = spawnpool.keep("thing") },
  methods = {
    hurt = function(self, by) self.hits = self.hits - by * rules.harm end,
  },
})

function Thing:alloc(lifetime, x, y)
  local o <const>, why <const> = Thing.super.alloc(self, lifetime, x, y)
  if type(o) ~= "userdata" then return nil, why end
  o.vx, o.name = rules.speed, rules.name(o.id)
  return o
end

return Thing
]]

game.FILES["pools/Bullet.lua"] = [[
local spawnpool <const> = require "spawnpool"
local tally <const> = require "tally"

local Bullet <const> = spawnpool.class("Bullet", {
  extends = "Thing", limit = 32, idle_limit = 20, order = "lifo",
  fields = { damage = 4, target = spawnpool.ref },
  bounds = { x = -400, y = -400, w = 800, h = 800, outside = "wrap" },
})
local shots = 0

function Bullet:alloc(lifetime, x, y)
  local b <const>, why <const> = Bullet.super.alloc(self, lifetime, x, y)
  if type(b) ~= "userdata" then return nil, why end
  shots = (tonumber(shots) or 0) + 1
  b.vy, b.damage = 30, 4 + shots % 3
  return b
end

function Bullet:recycle(b)
  tally.add("bullet")
  return Bullet.super.recycle(self, b)
end

return Bullet
]]

game.FILES["pools/Enemy.lua"] = [[
local spawnpool <const> = require "spawnpool"
local rules <const> = require "rules"
local tally <const> = require "tally"

local Enemy <const> = spawnpool.class("Enemy", {
  extends = "Thing", group = "enemies",
  fields = { mood = 1, age_seen = 0 },
  motion = { gravity = 10, drag = 0.5 },
})

function Enemy:on_spawn(e, fresh)
  tally.add(fresh and "fresh" or "again")
  e.mood = e.id % 5
end

function Enemy:on_despawn(e)
  if e.mood > 2 then tally.add("angry") end
end

function Enemy:update(dt)
  for e in self:each() do
    e.age_seen = e.age_seen + dt
    e.ax = rules.speed / 4
  end
end

return Enemy
]]

game.FILES["pools/Spark.lua"] = [[
local spawnpool <const> = require "spawnpool"

local Spark <const> = spawnpool.class("Spark", {
  limit = 48, idle_limit = 16, grow = 4,
  fields = { glow = 0.5, kind = "red" },
  methods = { dim = function(self) self.glow = self.glow / 2 end },
  over_life = { a = { 1, 0 }, scale = { 1, 0.2 } },
})

return Spark
]]

-- What a reload must carry over: own fields of every kind, a timer and a coroutine per object, objects that refer to
-- each other, and hooks that hear of the reload.
game.FILES["pools/Crew.lua"] = [[
local spawnpool <const> = require "spawnpool"
local tally <const> = require "tally"

local Crew <const> = spawnpool.class("Crew", {
  extends = "Thing", limit = 40,
  fields = {
    pace = spawnpool.live(1), badge = spawnpool.keep("new"), bag = spawnpool.fresh(function() return { n = 0 } end),
    note = spawnpool.any({ "shared" }), mate = spawnpool.ref, steps = 0, met = 0,
  },
})
local last

function Crew.walk(c)
  for _ = 1, 3 do
    coroutine.yield(0.05)
    c.steps = c.steps + c.pace
  end
end

function Crew.beat(c) c.bag.n = c.bag.n + 1 end

function Crew:on_spawn(c)
  c.mate, last = last, c
  c.badge = "crew"
  c:every(0.1, Crew.beat)
  c:run(Crew.walk)
end

function Crew:on_reload(c, old_version)
  c.met = old_version
  tally.add("met")
  c:run(Crew.walk)
end

function Crew.before_reload() return last end

function Crew.after_reload(value) last = value end

function Crew:update() tally.add("frames") end

return Crew
]]

-- }==

-- {== The load ================================================================

-- xorshift: the same steps for the same seed, whatever else asks for chance.
function game.chance(seed)
  local x = (seed * 2654435761 + 12345) & 0xffffffff
  return function(n)
    x = x ~ (x << 13 & 0xffffffff)
    x = x ~ (x >> 17)
    x = x ~ (x << 5 & 0xffffffff)
    return (x >> 3) % n
  end
end

local Game <const> = {}
Game.__index = Game

local function spawn(g, type)
  local random <const> = g.random
  local o <const> = g.pools:alloc(type, g.rules.lifetime(random(9)), random(100), random(100))
  if o then g.held[random(HELD) + 1] = o end
  return o
end

local function touch(o)
  if not o or not o.alive then return end
  if o.type == "Spark" then o:dim() else o:hurt(1) end
end

local function one_step(g, attempt)
  for _, type in ipairs(game.TYPES) do
    for _ = 0, g.random(3) do attempt(spawn, g, type) end
  end
  attempt(touch, g.held[g.random(HELD) + 1])
  local o <const> = g.held[g.random(HELD) + 1]
  if o and g.pools:is_live(o) then attempt(g.pools.recycle, g.pools, o) end
  local emptied <const> = game.TYPES[g.random(64) + 1] -- now and then: nil but for the first numbers
  if emptied then attempt(g.pools.recycle_all, g.pools, function(x) return x.type == emptied and not x.pinned end) end
  attempt(g.pools.update, g.pools, STEP)
  g.reload.poll()
end

-- Steps in which every call must go well.
function Game:play(steps)
  for _ = 1, steps do
    one_step(self, function(fn, ...) return fn(...) end)
  end
end

-- Runs code that an edit may have broken, and that may loop. In a coroutine, as a hook belongs to one, and the caller
-- may have one too. `on_call` sees every function that is called; `body` gets a function that begins the patience anew.
local function run_guarded(body, on_call)
  local spent = 0
  local function hook(event)
    if event ~= "count" then return on_call(debug.getinfo(2, "Sf")) end
    spent = spent + 1
    if spent > PATIENCE then error("stopped: it does not come back", 2) end
  end
  local thread <const> = coroutine.create(body)
  debug.sethook(thread, hook, on_call and "c" or "", HOOK_COUNT)
  local ok <const>, message <const> = coroutine.resume(thread, function() spent = 0 end)
  if not ok then error(message, 0) end
end

-- Steps in which the errors of the game's code are its own.
function Game:endure(steps)
  run_guarded(function(begin)
    for _ = 1, steps do
      begin()
      one_step(self, pcall)
    end
  end)
end

-- The functions of class files that run in one life of each type: function -> type of the file.
function Game:called()
  local called <const> = {}
  local function on_call(info)
    local type <const> = info.source:match "pools/(%w+)%.lua$"
    if type and info.what ~= "main" then called[info.func] = type end
  end
  run_guarded(function(begin)
    for _, type in ipairs(game.TYPES) do
      begin()
      local ok <const>, o <const> = pcall(self.pools.alloc, self.pools, type, 0, 1, 2)
      pcall(self.pools.update, self.pools, STEP)
      if ok then pcall(touch, o) end
      if ok and self.pools:is_live(o) then pcall(self.pools.recycle, self.pools, o) end
    end
  end, on_call)
  return called
end

-- }==

-- {== What can be seen from outside ===========================================

local BUILT_IN <const> = { "x", "y", "vx", "vy", "ax", "ay", "angle", "scale", "radius" }

local function values_of(o, skip)
  local values <const> = { type = o.type }
  for _, field in ipairs(BUILT_IN) do values[field] = o[field] end
  for _, field in ipairs(game.FIELDS[o.type]) do
    if not skip(field) then values[field] = o[field] end
  end
  return values
end

-- Every live object with its id and values, and the counts that a reload has no business to change. `skip(field)`:
-- fields that the edit may change.
function Game:snapshot(skip)
  local objects <const>, counts <const> = {}, {}
  for _, type in ipairs(game.TYPES) do
    local pool <const> = self.pools:pool(type)
    local stats <const> = pool:stats()
    for o in pool:each() do
      objects[o] = values_of(o, skip)
      objects[o].id = o.id
    end
    for _, name in ipairs { "live", "peak", "allocs", "recycles", "expired", "evicted" } do
      counts[type .. "." .. name] = stats[name]
    end
  end
  return { objects = objects, counts = counts }
end

-- The first difference of two flat tables, or nil.
local function difference(got, want)
  for key, value in pairs(want) do
    if got[key] ~= value and (value == value or got[key] == got[key]) then
      return ("%s is %s, was %s"):format(key, got[key], value)
    end
  end
  return nil
end

-- Raises when something changed from `before` to `after`.
function game.same(before, after)
  local changed <const> = difference(after.counts, before.counts)
  if changed then error(changed, 0) end
  for o, values in pairs(before.objects) do
    local now <const> = after.objects[o]
    if not now then error(("%s is gone"):format(o), 0) end
    local other <const> = difference(now, values)
    if other then error(("%s: %s"):format(o, other), 0) end
  end
  for o in pairs(after.objects) do
    if not before.objects[o] then error(("%s is new"):format(o), 0) end
  end
end

local function expect(holds, type, what)
  if not holds then error(("%s: %s"):format(type, what), 0) end
end

-- What holds between any two calls.
function Game:check()
  for _, type in ipairs(game.TYPES) do
    local pool <const> = self.pools:pool(type)
    local s <const> = pool:stats()
    local walked = 0
    for o in pool:each() do
      expect(o.alive and o.pool == pool, type, "the walk met a stranger")
      walked = walked + 1
    end
    expect(walked == s.live and pool.live == s.live, type, "live counts differ")
    expect(s.live + s.idle == s.total and pool.total == s.total, type, "live + idle is not total")
    expect(s.allocs - s.recycles == s.live, type, "allocs - recycles is not live")
    expect(s.created - s.destroyed == s.total, type, "created - destroyed is not total")
    expect(s.peak >= s.live, type, "peak is below live")
  end
end

-- }==

-- {== Opening and closing =====================================================

function Game:save(name, text)
  worlds.write(self.folder, name, text)
end

-- Gives the folder back, for good unless `keep` is set.
function Game:close(keep)
  self.pools:close()
  package.path = self.path
  if keep then return end
  for name in pairs(game.FILES) do os.remove(self.folder .. "/" .. name) end
  os.remove(self.folder .. "/pools")
  os.remove(self.folder)
end

-- A game that runs, seen by `reload`, the module spawnpool.reload.
function game.open(reload, seed)
  local g <const> = setmetatable({ reload = reload, held = {}, path = package.path }, Game)
  g.folder, g.random = worlds.folder(), game.chance(seed)
  worlds.make_folder(g.folder .. "/pools")
  for name, text in pairs(game.FILES) do g:save(name, text) end
  package.path = g.folder .. "/?.lua;" .. g.path
  reload.watch(g.folder)
  g.pools = spawnpool.new { path = g.folder .. "/pools/?.lua", step = STEP, seed = seed, misuse = "ignore" }
  g.rules = require "rules"
  for _, type in ipairs(game.TYPES) do g.pools:pool(type) end
  g:play(60)
  return g
end

-- }==

return game
