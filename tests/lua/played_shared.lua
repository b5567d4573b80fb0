-- Features of played projects: what one file has, and others use.
local features <const> = require "played_features"

local want <const> = features.want

-- A field with a number; who uses it fails where it has another name.
features.field = { is_service = true, text = "M.$name = $k\n" }

function features.field.ways(f) f.name = "speed" .. f.key end
function features.field.begin() end
function features.field.check() end

features.reader = { uses = "field", text = [[
$decl
function M.work@()
  local speed <const> = $lib.$name * $K
  $cell = $cell + speed
end
function M.n@() return $cell end
]] }

function features.reader.begin(_, s) s.n = 0 end
function features.reader.work(game, s) s.n = s.n + game.states[s.f.of].f.k * s.f.k end
function features.reader.check(game, s) want(game:call(s, "n"), s.n, "what reader %d adds", s.f.key) end

-- A table that stands for itself.
features.token = { is_service = true, text = "M.token@ = {}\n" }

function features.token.begin(game, s) s.token = game:entry(s, "token") end
function features.token.check(game, s) want(game:entry(s, "token"), s.token, "token %d", s.f.key) end

features.owner = { uses = "token", text = [[
local token@ <const> = $lib.token$of
local price@ = { [token@] = 5 }
function M.price@(token) return price@[token] end
function M.is_token@(token) return token == token@ end
]] }

function features.owner.begin() end
function features.owner.check(game, s)
  local token <const> = game.states[s.f.of].token
  want(game:call(s, "price", token), 5, "the price of token %d", s.f.of)
  want(game:call(s, "is_token", token), true, "that token %d is one", s.f.of)
end

-- A library of classes as many games have one: methods are copied into those that inherit.
features.classes = { is_service = true, text = [[
local all@ = {}
function M.class@(name, super)
  local dict = {}
  dict.__index = dict
  local class = { name = name, super = super, dict = dict, subs = {} }
  local function set(_, k, f)
    dict[k] = f
    for _, sub in ipairs(class.subs) do sub[k] = sub.dict[k] or f end
  end
  for k, f in pairs(super and super.dict or {}) do dict[k] = dict[k] or f end
  if super then super.subs[#super.subs + 1] = class end
  all@[#all@ + 1] = class
  return setmetatable(class, { __index = dict, __newindex = set,
    __call = function(self, x) return setmetatable({ class = self, x = x }, dict) end })
end
function M.classes@() return #all@ end
]] }

function features.classes.begin(_, s) s.n = 0 end
function features.classes.check(game, s) want(game:call(s, "classes"), s.n, "how many classes %d has", s.f.key) end

features.class = { uses = "classes", acts = { make = features.make }, text = [[
local Base@ = $lib.class$of("Base@")
function Base@:area() return self.x * $K end
local Sub@ = $lib.class$of("Sub@", Base@)
function Sub@:twice() return 2 * self:area() end
function M.make@(x) return Sub@(x) end
function M.class_of@(o) return o.class == Sub@ and o.class.super == Base@ end
]] }

function features.class.begin(game, s)
  s.made = {}
  local all <const> = game.states[s.f.of]
  all.n = all.n + 2
end
function features.class.check(game, s)
  features.check_made(game, s)
  for i, it in ipairs(s.made) do
    want(it.object:twice(), 2 * it.x * s.f.k, "twice the area of object %d of %d", i, s.f.key)
    want(game:call(s, "class_of", it.object), true, "that object %d is of class %d", i, s.f.key)
  end
end

-- A class in a file of its own; those who use the pool require nothing. `k` is the default of a field.
features.pool = { is_class = true, text = function(f)
  return ([[
local spawnpool <const> = require "spawnpool"
local M <const> = spawnpool.class("$type", { fields = { $name = $kEXTRA }, LIMITgrow = 4 })
local spawned = 0
function M:on_spawn(o)
  spawned = spawned + 1
  o.y = 3
end
function M.spawned@() return spawned end
]]):gsub("EXTRA", f.extra and ", extra" .. f.extra .. " = 7" or "")
    :gsub("LIMIT", f.limit and ("limit = %d, "):format(f.limit) or "")
end }

function features.pool.ways(f) f.name = "damage" end
function features.pool.begin(_, s) s.spawned, s.live = 0, {} end
function features.pool.check(game, s)
  if not game.pools or s.spawned == 0 then return end
  local pool <const> = game.pools:pool(s.f.type)
  want(pool.class["spawned" .. s.f.key](), s.spawned, "what %s has spawned", s.f.type)
  want(pool.live, #s.live, "live objects of %s", s.f.type)
  for i, it in ipairs(s.live) do
    want(it.o.alive, true, "that object %d of %s is alive", i, s.f.type)
    want(it.o[s.f.name], it.value, "%s of object %d of %s", s.f.name, i, s.f.type)
    if s.f.extra then want(it.o["extra" .. s.f.extra], 7, "extra%d of object %d of %s", s.f.extra, i, s.f.type) end
  end
end

-- It fails where the field has another name, or where nothing is made.
features.shooter = { uses = "pool", text = [[
local shots@, dealt@ = {}, 0
function M.work@()
  local sum = 0
  for _, shot in ipairs(shots@) do sum = sum + shot.$name end
  local shot <const> = POOLS:alloc("$type")
  shot.x = 5
  shots@[#shots@ + 1] = shot
  dealt@ = dealt@ + sum * $K
  if #shots@ > 4 then POOLS:recycle(table.remove(shots@, 1)) end
end
function M.n@() return dealt@ end
function M.shots@() return shots@ end
]] }

function features.shooter.begin(_, s) s.n, s.shots = 0, {} end
function features.shooter.work(game, s)
  local pool <const> = game.states[s.f.of]
  for _, it in ipairs(s.shots) do s.n = s.n + it.value * s.f.k end
  local shots <const> = game:call(s, "shots")
  local it <const> = { o = shots[#shots], value = pool.f.k }
  pool.spawned = pool.spawned + 1
  table.insert(s.shots, it)
  table.insert(pool.live, it)
  if #s.shots <= 4 then return end
  local old <const> = table.remove(s.shots, 1)
  for i, other in ipairs(pool.live) do
    if other == old then return table.remove(pool.live, i) end
  end
end
function features.shooter.check(game, s) want(game:call(s, "n"), s.n, "what shooter %d deals", s.f.key) end
