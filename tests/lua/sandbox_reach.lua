-- A game that has one of everything that a game can get hold of, as the global `roots`, by name: for
-- tests/script/reach.lua, which looks through it for functions, metatables included. `try(f)` calls a function with
-- arguments that take long.
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools

local Thing <const> = spawnpool.class("Thing", {
  group = "things",
  fields = { hp = 1, bag = spawnpool.any(), made = spawnpool.fresh(function() return {} end), to = spawnpool.ref },
  methods = { shout = function() return "!" end },
})
function Thing:on_create(o) o.hp = 2 end
function Thing:on_despawn(o) o.bag = {} end
local pool <const> = pools:pool "Thing"
local object <const> = pools:alloc "Thing"

local function first(...) return (...) end

local roots <const> = {
  spawnpool = spawnpool, pools = pools, pool = pool, object = object, class = Thing, super = Thing.super,
  kind = spawnpool.keep(1), hits = pool:within(0, 0, 10), text = "", coroutine_wrapped = coroutine.wrap(function() end),
  each_of_pool = first(pool:each()), each_of_pools = first(pools:each()), each_with_fields = first(pool:each "x"),
  each_filtered = first(pools:each { type = "Thing" }), gmatch_next = ("a"):gmatch "a",
  ipairs_next = first(ipairs {}), utf8_next = first(utf8.codes ""), pairs_of_class = first(pairs(Thing)),
  pairs_of_object = first(pairs(object)), timer = pools:after(1e6, type), snapshot = pools:snapshot(),
}
roots["timer.stop"] = roots.timer.stop
for _, name in ipairs { "recycle", "after", "every", "run", "launch" } do roots["object." .. name] = object[name] end
for _, name in ipairs { "recycle", "alloc" } do roots["super." .. name] = Thing.super[name] end
_G.roots = roots

-- {== Arguments that take long ==============================================

local LONG <const> = 1 << 22

local function texts(n)
  local t <const> = {}
  for i = 1, n do t[i] = "x" end
  return t
end

-- Tables whose every aspect is a function in C that takes long itself. Those that are as they were made serve again.
local SLOW <const> = {
  __index = tostring, __tostring = table.concat, __len = function() return 1e6 end, __lt = rawequal, __le = rawequal,
  __concat = table.concat, __call = pcall, __newindex = rawequal, __name = ("n"):rep(1000), __close = rawequal,
  __pairs = ipairs, __eq = rawequal,
}
local slow_ones <const>, SLOW_LENGTH <const> = {}, 3e4
local raw_length <const>, meta_of <const>, set_meta <const> = rawlen, getmetatable, setmetatable
local used = 0

local function slow()
  used = used + 1
  local t = slow_ones[used]
  if not t or raw_length(t) ~= SLOW_LENGTH or meta_of(t) ~= SLOW then
    t = set_meta(texts(SLOW_LENGTH), SLOW)
    slow_ones[used] = t
  end
  return t
end

-- In two steps: `rep` copies piece by piece, and each of hundreds of games makes these.
local function long_text(piece) return piece:rep(1 << 11):rep(LONG >> 11) end

local long <const> = long_text "\0"
local many <const> = texts(LONG // 32)
local set <const> = "[" .. long_text "b" .. "]"
local letters <const>, formats <const> = long_text "a", long_text "%c"

local TUPLES <const> = {
  function() return long, long .. "x", LONG, LONG end,
  function() return long, set, set, long end,
  function() return letters, ("a?"):rep(1000) .. "b", slow() end,
  function() return ("%s"):rep(200), table.unpack({ slow(), slow(), slow(), slow() }) end,
  function() return formats, 0 end,
  function() return "", 1 << 62, "" end,
  function() return "x", 1 << 30 end,
  function() return many end,
  function() return many, "", 1, #many end,
  function() return many, 1, many end,
  function() return many, rawequal end,
  function() return many, 1, #many, 2 end,
  function() return slow() end,
  function() return slow(), 1, 1 << 25, 2 end,
  function() return slow(), "", 1, 1 << 25 end,
  function() return slow(), slow(), slow() end,
  function() return slow(), pcall end,
  function() return slow(), 1 end,
  function() return pcall, slow(), slow() end,
  function() return collectgarbage end,
  function() return math.random, "=x", "t", {} end,
  function() return 1 << 62, 1 << 62, 1 << 62, 1 << 62 end,
  function() return object, slow(), slow() end,
  function() return object, 1e11, rawequal end,
  function() return pool, "x", slow() end,
  function() return pool, pool, rawequal end,
  function() return pool, 0, 0, 1e30, rawequal end,
  function() return pool, 1 << 20 end,
  function() return pools, "Thing", slow() end,
  function() return pools, "Thing", 0, slow() end,
  function() return pools, 1e9 end,
  function() return pools, rawlen end,
  function() return "Thing", { fields = slow(), methods = slow() } end,
  function() return Thing, "motion", slow() end,
  function() return "collect" end,
  function() return "step", 1 << 40 end,
  function() return "*t", 1 << 62 end,
  function() return { year = long, month = slow(), day = slow() } end,
}

local NOT_CALLED <const> = { [coroutine.yield] = true }

-- Calls function number `at` with tuple number `which`; false when there is no such tuple.
function _G.try(f, which)
  if not TUPLES[which] then return false end
  used = 0
  if not NOT_CALLED[f] then pcall(f, TUPLES[which]()) end
  return true
end

-- }==

return {
  update = function() _G.try(_G.tried, _G.which) end,
  tuples = function() return #TUPLES end,
}
