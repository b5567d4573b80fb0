-- Features of played projects: buses, and those who are called when an event comes.
local features <const> = require "played_features"

local want <const> = features.want
local EVENTS <const> = { "hit", "heal", "win" }

local BUSES <const> = {
  list = { on = "h@[e] = h@[e] or {} h@[e][#h@[e] + 1] = f",
    off = "for i, g in ipairs(h@[e] or {}) do if g == f then table.remove(h@[e], i) break end end",
    fire = "for _, f in ipairs(h@[e] or {}) do f(n) end", list = "h@[e] = h@[e] or {} return h@[e]" },
  records = { on = "local l = h@[e] or {} h@[e] = l l[#l + 1] = { fun = f, uses = 0 }",
    off = "for i, r in ipairs(h@[e] or {}) do if r.fun == f then table.remove(h@[e], i) break end end",
    fire = "for _, r in ipairs(h@[e] or {}) do r.uses = r.uses + 1 r.fun(n) end",
    list = "h@[e] = h@[e] or {} return h@[e]" },
  flat = { on = "h@[#h@ + 1] = f e = nil",
    off = "for i, g in ipairs(h@) do if g == f then table.remove(h@, i) break end end e = nil",
    fire = "for _, f in ipairs(h@) do f(n) end e = nil", list = "return h@, e", is_flat = true },
  keys = { on = "h@[e] = h@[e] or {} h@[e][f] = true", off = "if h@[e] then h@[e][f] = nil end",
    fire = "for f in pairs(h@[e] or {}) do f(n) end", list = "h@[e] = h@[e] or {} return h@[e]", is_set = true },
  named = { on = "h@[e .. name] = f", off = "h@[e .. name] = nil f = nil",
    fire = "for k, f in pairs(h@) do if k:find(e, 1, true) == 1 then f(n) end end", list = "return h@, e",
    is_set = true, is_named = true },
}
local BUS_NAMES <const> = { "list", "records", "flat", "keys", "named" }

features.bus = { is_service = true, acts = {}, text = function(f)
  local way <const> = BUSES[f.way]
  return ([[
local h@ = {}
function M.on@(e, f, name) %s end
function M.off@(e, f, name) %s end
function M.fire@(e, n) %s end
function M.handlers@(e) %s end
]]):format(way.on, way.off, way.fire, way.list)
end }

function features.bus.ways(f, random) f.way = random.pick(BUS_NAMES) end
function features.bus.begin(_, s) s.order, s.lists = { hit = {}, heal = {}, win = {} }, {} end

-- Those that an event calls; a file that is loaded twice has its handlers twice.
local function order_of(s, event) return s.order[BUSES[s.f.way].is_flat and "hit" or event] end

-- Where a new one comes is not said: it has the place in which it is first heard.
local function settle(order, heard)
  local is_new <const> = order.is_new
  order.is_new = nil
  for i = #order, 1, -1 do
    if is_new[order[i]] then table.remove(order, i) end
  end
  for i, key in ipairs(heard) do
    if is_new[key] then table.insert(order, math.min(i, #order + 1), key) end
  end
end

function features.bus.acts.fire(game, s, random)
  local event <const>, n <const> = random.pick(EVENTS), 1 + random.below(3)
  _G.HEARD = {}
  game:call(s, "fire", event, n)
  local heard <const>, order <const>, way <const> = _G.HEARD, order_of(s, event), BUSES[s.f.way]
  for _, key in ipairs(order) do
    local it <const> = game.states[key]
    it.n = it.n + n * it.f.k / (way.is_named and 1 or it.instances)
  end
  if order.is_new then
    local count <const> = #order
    settle(order, heard)
    want(#order, count, "how many heard '%s' of bus %d (%s)", event, s.f.key, table.concat(heard, " "))
  end
  local expected <const> = { table.unpack(order) }
  if way.is_set then
    table.sort(heard)
    table.sort(expected)
  end
  want(table.concat(heard, " "), table.concat(expected, " "), "what heard '%s' of bus %d", event, s.f.key)
end

-- The list of an event may be there before its first handler: then it is the game's, and stays.
function features.bus.acts.hold(game, s, random)
  local event <const> = random.pick(EVENTS)
  s.lists[event] = s.lists[event] or game:call(s, "handlers", event)
  s.order[event].is_by_game = not s.order[event].is_by_text
end

-- The first handler makes the list of its event: with another first one there may be another list.
local function forget_list(game, s)
  local bus <const> = game.states[s.f.of]
  local way <const>, order <const> = BUSES[bus.f.way], bus.order[s.f.event]
  order.is_by_text = not order.is_by_game
  if order.is_by_text and not way.is_flat and not way.is_named then bus.lists[s.f.event] = nil end
end

function features.bus.check(game, s)
  for event, list in pairs(s.lists) do
    want(game:call(s, "handlers", event), list, "the list of '%s' of bus %d", event, s.f.key)
  end
end

features.handler = { uses = "bus", acts = {}, text = function(f)
  local on <const> = "function(n)\n  HEARD[#HEARD + 1] = @\n  $cell = $cell + n * $K\nend"
  return "$decl\n" .. (f.is_anonymous and "$lib.on$of('$event', " .. on .. ", 'h@')\n" or
    "local on@ <const> = " .. on .. "\n$lib.on$of('$event', on@, 'h@')\n" ..
    "function M.off@() $lib.off$of('$event', on@, 'h@') end\n") .. "function M.n@() return $cell end\n"
end }

function features.handler.ways(f, random) f.event, f.is_anonymous = random.pick(EVENTS), random.one_in(4) end

function features.handler.begin(game, s)
  s.n = 0
  forget_list(game, s)
  local bus <const> = game.states[s.f.of]
  local order <const> = order_of(bus, s.f.event)
  for _ = 1, BUSES[bus.f.way].is_named and 1 or s.instances do order[#order + 1] = s.f.key end
  if not s.is_added and s.instances == 1 then return end
  order.is_new = order.is_new or {}
  order.is_new[s.f.key] = true
end

local function take_off(game, s)
  local order <const> = order_of(game.states[s.f.of], s.f.event)
  for i = #order, 1, -1 do
    if order[i] == s.f.key then table.remove(order, i) end
  end
end

function features.handler.acts.off(game, s)
  if s.f.is_anonymous then return end
  game:call_all(s, "off")
  take_off(game, s)
end

function features.handler.check(game, s)
  for i = 1, s.instances do
    want(game:call_one(s, i, "n"), s.n, "what handler %d counts", s.f.key)
  end
end

function features.handler.gone(game, s)
  take_off(game, s)
  forget_list(game, s)
end
