-- The features of which the files of played projects (played_project.lua) consist. Each kind of feature has a text, and
-- knows the state that the running game must have, without asking the library.
--
-- A feature is a record { kind, key, k, ... }; `key` is a number that no other one has, `k` its constant. In texts:
-- @ is the key, $word an entry of the feature, $K its constant, $cell a variable with its declaration $decl.
--   text                  of the feature in its file, or a function that returns it
--   ways(f, random)       draws what is special about it
--   begin(game, s)        it is in the game now; `s` is what the game must have of it, s.f the feature
--   work(game, s)         what its function work@ has done: the game calls it in every frame
--   acts                  what the game does at random: functions(game, s, random)
--   check(game, s)        raises what is wrong
--   gone(game, s)         an edit has taken it out
-- `game:call(s, "name", ...)` calls M.name@ of its file: that of now, or one that the game has held since the feature
-- began.
local features <const> = {}

local function want(got, expected, what, ...)
  if rawequal(got, expected) then return end
  error({ text = ("%s is %s, expected %s"):format(what:format(...), tostring(got), tostring(expected)) }, 0)
end
features.want = want

-- A source of chance: `below(n)` gives 0 to n - 1.
function features.random(seed)
  local state = seed * 2862933555777941757 + 3037000493
  local random <const> = {}
  function random.below(n)
    state = state * 6364136223846793005 + 1442695040888963407
    return math.ult(0, n) and (state >> 33) % n or 0
  end
  function random.pick(list) return list[random.below(#list) + 1] end
  function random.one_in(n) return random.below(n) == 0 end
  for _ = 1, 3 do random.below(2) end
  return random
end

-- {== Texts ===================================================================

-- Where a number of the game lies: its declaration, and how it is read and written.
local CELLS <const> = {
  file_local = { "local n@ = 0", "n@" },
  two = { "local n@, other@ = 0, 0", "n@" },
  field = { "M.count@ = 0", "M.count@" },
  entry = { "local stats@ = { n = 0 }", "stats@.n" },
  global = { "Count@ = Count@ or 0", "Count@" },
}
local CELL_NAMES <const> = { "file_local", "file_local", "two", "field", "entry", "global" }

local CONSTANTS <const> = {
  inline = { "", "$k" }, file_local = { "local K@ = $k\n", "K@" }, const = { "local K@ <const> = $k\n", "K@" },
  field = { "M.K@ = $k\n", "M.K@" },
}
local CONSTANT_NAMES <const> = { "inline", "file_local", "const", "field" }

function features.draw(kind, key, random)
  return { kind = kind, key = key, k = 1 + random.below(5), cell = random.pick(CELL_NAMES),
    constant = random.pick(CONSTANT_NAMES) }
end

local function template(f)
  local text <const> = features[f.kind].text
  return type(text) == "function" and text(f) or text
end

function features.text(f)
  local text, constant <const>, cell <const> = template(f), CONSTANTS[f.constant], CELLS[f.cell]
  local parts <const> = { K = constant[2], cell = cell[2], decl = cell[1] }
  text = (text:find "$K" and constant[1] or "") .. text
  for _ = 1, 2 do text = text:gsub("%$(%a+)", function(word) return parts[word] or f[word] end) end
  return (text:gsub("@", f.key))
end

function features.has_constant(f) return template(f):find "$[Kk]" ~= nil end

-- }==

-- {== What a file has for itself ==============================================

features.counter = { text = [[
$decl
function M.work@() $cell = $cell + $K end
function M.n@() return $cell end
]] }

function features.counter.begin(_, s) s.n = 0 end
function features.counter.work(_, s) s.n = s.n + s.f.k end
function features.counter.check(game, s) want(game:call(s, "n"), s.n, "counter %d", s.f.key) end

-- A timer that the file starts when it runs.
local TICKERS <const> = {
  "POOLS:every(1 / 64, function() $cell = $cell + $K end)\n",
  "local function beat@() $cell = $cell + $K end\nPOOLS:every(1 / 64, beat@)\n",
  "function M.beat@() $cell = $cell + $K end\n"
    .. "POOLS:run(function() while true do coroutine.yield(1 / 64) M.beat@() end end)\n",
}

features.ticker = { text = function(f) return "$decl\n" .. f.start .. "function M.n@() return $cell end\n" end }

function features.ticker.ways(f, random) f.start = random.pick(TICKERS) end
function features.ticker.begin(_, s) s.n = 0 end
function features.ticker.work(_, s) s.n = s.n + s.f.k end
function features.ticker.check(game, s) want(game:call(s, "n"), s.n, "what ticker %d counts", s.f.key) end

-- }==

-- {== Buses, and those whom they call =========================================

local EVENTS <const> = { "hit", "heal", "win" }

local BUSES <const> = {
  { on = "l[#l + 1] = f", off = "for i, g in ipairs(l) do if g == f then table.remove(l, i) break end end",
    fire = "for _, f in ipairs(l) do f(n) end" },
  { on = "l[#l + 1] = { fun = f, uses = 0 }",
    off = "for i, r in ipairs(l) do if r.fun == f then table.remove(l, i) break end end",
    fire = "for _, r in ipairs(l) do r.uses = r.uses + 1 r.fun(n) end" },
  { on = "l[f] = true", off = "l[f] = nil", fire = "for f in pairs(l) do f(n) end", is_set = true },
}

features.bus = { acts = {}, text = function(f)
  return ([[
local h@ = {}
local function of@(e)
  h@[e] = h@[e] or {}
  return h@[e]
end
function M.on@(e, f) local l <const> = of@(e) %s end
function M.off@(e, f) local l <const> = of@(e) %s end
function M.fire@(e, n) local l <const> = of@(e) %s end
]]):format(f.way.on, f.way.off, f.way.fire)
end }

function features.bus.ways(f, random) f.way = random.pick(BUSES) end
function features.bus.begin(_, s) s.order = { hit = { is_new = {} }, heal = { is_new = {} }, win = { is_new = {} } } end

-- Where a new handler comes is not said: it has the place in which it is first heard.
local function settle(order, heard)
  for i = #order, 1, -1 do
    if order.is_new[order[i]] then table.remove(order, i) end
  end
  for i, key in ipairs(heard) do
    if order.is_new[key] then table.insert(order, math.min(i, #order + 1), key) end
  end
  order.is_new = {}
end

function features.bus.acts.fire(game, s, random)
  local event <const>, n <const> = random.pick(EVENTS), 1 + random.below(3)
  local order <const>, heard <const> = s.order[event], {}
  _G.HEARD = heard
  game:call(s, "fire", event, n)
  for _, key in ipairs(order) do
    local it <const> = game.states[key]
    it.n = it.n + n * it.f.k
  end
  want(#heard, #order, "how many heard '%s' of bus %d (%s)", event, s.f.key, table.concat(heard, " "))
  settle(order, heard)
  local expected <const> = table.move(order, 1, #order, 1, {})
  if s.f.way.is_set then
    table.sort(heard)
    table.sort(expected)
  end
  want(table.concat(heard, " "), table.concat(expected, " "), "what heard '%s' of bus %d", event, s.f.key)
end

function features.bus.check() end

features.handler = { uses = "bus", acts = {}, text = function(f)
  local on <const> = "function(n)\n  HEARD[#HEARD + 1] = @\n  $cell = $cell + n * $K\nend"
  return "$decl\n" .. (f.is_anonymous and "$lib.on$of('$event', " .. on .. ")\n" or "local on@ <const> = " .. on
    .. "\n$lib.on$of('$event', on@)\nfunction M.off@() $lib.off$of('$event', on@) end\n")
    .. "function M.n@() return $cell end\n"
end }

function features.handler.ways(f, random) f.event, f.is_anonymous = random.pick(EVENTS), random.one_in(4) end

function features.handler.begin(game, s)
  local order <const> = game.states[s.f.of].order[s.f.event]
  s.n, order[#order + 1] = 0, s.f.key
  order.is_new[s.f.key] = s.is_added
end
function features.handler.gone(game, s)
  local order <const> = game.states[s.f.of].order[s.f.event]
  for i, key in ipairs(order) do
    if key == s.f.key then return table.remove(order, i) end
  end
end
function features.handler.acts.off(game, s)
  if s.f.is_anonymous then return end
  game:call(s, "off")
  features.handler.gone(game, s)
end
function features.handler.check(game, s) want(game:call(s, "n"), s.n, "what handler %d counts", s.f.key) end

-- }==

-- {== Pools, and those who use them ===========================================

-- A class in a file of its own; those who use the pool require nothing. `k` is the default of a field.
features.pool = { text = function(f)
  return ([[
local spawnpool <const> = require "spawnpool"
local M <const> = spawnpool.class("$type", { fields = { damage = $k%s }, grow = 4 })
local spawned = 0
function M:on_spawn(o)
  spawned = spawned + 1
  o.y = 3
end
function M.spawned@() return spawned end
]]):format(f.extra and (", extra%d = 7"):format(f.extra) or "")
end }

function features.pool.begin(_, s) s.spawned, s.live = 0, {} end
function features.pool.check(game, s)
  local pool <const> = game.pools:pool(s.f.type)
  want(pool.class["spawned" .. s.f.key](), s.spawned, "what %s has spawned", s.f.type)
  want(pool.live, #s.live, "live objects of %s", s.f.type)
  for i, it in ipairs(s.live) do
    want(it.o.alive, true, "that object %d of %s is alive", i, s.f.type)
    want(it.o.damage, it.value, "damage of object %d of %s", i, s.f.type)
    if s.f.extra then want(it.o["extra" .. s.f.extra], 7, "extra%d of object %d of %s", s.f.extra, i, s.f.type) end
  end
end

features.shooter = { uses = "pool", text = [[
local shots@, dealt@ = {}, 0
function M.work@()
  for _, shot in ipairs(shots@) do dealt@ = dealt@ + shot.damage * $K end
  shots@[#shots@ + 1] = POOLS:alloc("$type")
  if #shots@ > 4 then POOLS:recycle(table.remove(shots@, 1)) end
end
function M.n@() return dealt@ end
function M.shots@() return shots@ end
]] }

function features.shooter.begin(_, s) s.n, s.shots = 0, {} end
function features.shooter.work(game, s)
  local pool <const>, shots <const> = game.states[s.f.of], game:call(s, "shots")
  for _, it in ipairs(s.shots) do s.n = s.n + it.value * s.f.k end
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

-- }==

return features
