-- What the files of played projects (played_project.lua) are made of. Each kind of feature has a text, and knows what
-- the running game must have: nothing is asked of the library.
--
-- A feature is a record { kind, key, k, ... }; `key` is a number that no other one has, `k` its constant. In texts:
-- @ is the key, $word an entry of the feature, $k its constant, $cell a variable with its decl$cell.
--   print(f)              the text of the feature in its file
--   begin(game, s)        it is in the game now; `s` is what the game must have of it, s.f the feature
--   work(game, s)         what its function work@ has done: the game calls it in every frame
--   acts                  what the game does at random: functions(game, s, random)
--   check(game, s)        raises what is wrong
--   gone(game, s)         an edit has taken it out
-- `game:call(s, "name", ...)` calls M.name@ of its file: that of now, or one that the game has held since the feature
-- began.
local features <const> = {}

local EVENTS <const> = { "hit", "heal", "win" }

local function want(got, expected, what, ...)
  if rawequal(got, expected) then return end
  error({ text = ("%s is %s, expected %s"):format(what:format(...), tostring(got), tostring(expected)) }, 0)
end
features.want = want

-- {== Texts ===================================================================

-- Where a number of the game lies: its declaration, and how it is read and written.
local CELLS <const> = {
  file_local = { "local n@ = 0", "n@" },
  field = { "M.count@ = 0", "M.count@" },
  entry = { "local stats@ = { n = 0 }", "stats@.n" },
  global = { "Count@ = Count@ or 0", "Count@" },
  two = { "local n@, other@ = 0, 0", "n@" },
}
local CELL_NAMES <const> = { "file_local", "file_local", "field", "entry", "global", "two" }

local CONSTANTS <const> = {
  inline = { "", "$k" }, file_local = { "local K@ = $k\n", "K@" }, const = { "local K@ <const> = $k\n", "K@" },
  field = { "M.K@ = $k\n", "M.K@" },
}
local CONSTANT_NAMES <const> = { "inline", "file_local", "const", "field" }

function features.random_ways(f, random)
  f.k, f.cell, f.constant = 1 + random.below(5), random.pick(CELL_NAMES), random.pick(CONSTANT_NAMES)
  return f
end

local function fill(f, text)
  local constant <const>, cell <const> = CONSTANTS[f.constant], CELLS[f.cell]
  local parts <const> = { K = constant[2], cell = cell[2], decl = cell[1] }
  local function put(word) return parts[word] or f[word] end
  text = (text:find "$K" and constant[1] or "") .. text
  for _ = 1, 2 do text = text:gsub("%$(%a+)", put) end
  return (text:gsub("@", f.key))
end

local function template(f)
  local text <const> = features[f.kind].text
  return type(text) == "function" and text(f) or text
end

function features.text(f) return fill(f, template(f)) end
function features.has_constant(f) return template(f):find "$[Kk]" ~= nil end

-- }==

-- {== What the game counts ====================================================

features.counter = { text = [[
$decl
function M.work@() $cell = $cell + $K end
function M.n@() return $cell end
]] }

function features.counter.begin(_, s) s.n = 0 end
function features.counter.work(_, s) s.n = s.n + s.f.k end
function features.counter.check(game, s) want(game:call(s, "n"), s.n, "counter %d", s.f.key) end

-- Coroutines that the game starts; their loop calls a function of the file.
features.coroutines = { text = [[
$decl
local running@ = {}
local function beat@() $cell = $cell + $K end
local function run@() while true do beat@() coroutine.yield() end end
function M.start@() running@[#running@ + 1] = coroutine.create(run@) end
function M.work@() for _, co in ipairs(running@) do assert(coroutine.resume(co)) end end
function M.n@() return $cell end
]], acts = {} }

function features.coroutines.begin(_, s) s.n, s.running = 0, 0 end
function features.coroutines.work(_, s) s.n = s.n + s.running * s.f.k end
function features.coroutines.acts.start(game, s)
  if s.running < 3 then
    game:call(s, "start")
    s.running = s.running + 1
  end
end
function features.coroutines.check(game, s) want(game:call(s, "n"), s.n, "what coroutines of %d count", s.f.key) end

features.bag = { text = [[
local bag@ = { "a", "b" }
function M.bag@() return bag@ end
function M.put@(x) bag@[#bag@ + 1] = x end
function M.take@(i) return table.remove(bag@, i) end
function M.sort@() table.sort(bag@) end
]], acts = {} }

function features.bag.begin(game, s) s.list, s.table = { "a", "b" }, game:call(s, "bag") end
function features.bag.acts.put(game, s, random)
  local x <const> = random.pick { "c", "d", "a" }
  game:call(s, "put", x)
  s.list[#s.list + 1] = x
end
function features.bag.acts.take(game, s, random)
  local i <const> = #s.list > 0 and random.below(#s.list) + 1
  if i then want(game:call(s, "take", i), table.remove(s.list, i), "what was taken from bag %d", s.f.key) end
end
function features.bag.acts.sort(game, s)
  game:call(s, "sort")
  table.sort(s.list)
end
function features.bag.check(game, s)
  local bag <const> = game:call(s, "bag")
  want(bag, s.table, "the table of bag %d", s.f.key)
  want(table.concat(bag, " "), table.concat(s.list, " "), "bag %d", s.f.key)
end

features.cache = { text = [[
local cache@ = {}
function M.get@(k)
  cache@[k] = cache@[k] or { k = k }
  return cache@[k]
end
]], acts = {} }

function features.cache.begin(_, s) s.known = {} end
function features.cache.acts.get(game, s, random)
  local k <const> = random.below(5)
  s.known[k] = s.known[k] or game:call(s, "get", k)
end
function features.cache.check(game, s)
  for k, entry in pairs(s.known) do want(game:call(s, "get", k), entry, "entry %d of cache %d", k, s.f.key) end
end

-- Entries of a table of Lua's own, and of the globals.
features.shout = { text = function(f)
  return f.is_global and "function Shout@(s) return s .. $K end\n" or "function string.shout@(s) return s .. $K end\n"
end }

local function shouting(f) return rawget(f.is_global and _G or string, (f.is_global and "Shout" or "shout") .. f.key) end

function features.shout.begin() end
function features.shout.check(_, s)
  local shout <const> = shouting(s.f)
  want(shout and shout "a", "a" .. s.f.k, "shout %d", s.f.key)
end
function features.shout.gone(_, s) want(shouting(s.f), nil, "shout %d, which is gone,", s.f.key) end

-- }==

-- {== Buses: handlers by event, in the order of their lines ===================

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

-- The list of an event may be there before its first handler.
function features.bus.acts.hold(game, s, random)
  local event <const> = random.pick(EVENTS)
  s.lists[event] = s.lists[event] or game:call(s, "handlers", event)
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

-- The first one may have made the list of its event: whoever is first now makes another one.
function features.handler.gone(game, s)
  take_off(game, s)
  game.states[s.f.of].lists[s.f.event] = nil
end

-- }==

-- {== Actors: those who make them at file scope raise a counter elsewhere =====

features.actors = { is_service = true, acts = {}, text = function(f)
  local parts <const> = { ALL = f.is_public and "M.all@" or "all@", NUMBER = f.is_numbered and "id = $cell," or "",
    LIST = f.is_public and "" or "local ", PLACE = f.is_by_name and "name" or "#ALL + 1" }
  local text = [[
$decl
local Actor@ = {}
Actor@.__index = Actor@
function Actor@:hit(n) self.hp = self.hp - n * $K end
LISTALL = {}
function M.new@(name)
  $cell = $cell + 1
  local actor = setmetatable({ NUMBER name = name, hp = 100 }, Actor@)
  ALL[PLACE] = actor
  return actor
end
function M.ticket@()
  $cell = $cell + 1
  return $cell
end
function M.last@() return $cell end
function M.those@() return ALL end
function M.sort@() table.sort(ALL, function(a, b) return a.hp < b.hp or a.hp == b.hp and a.name < b.name end) end
]]
  for _, word in ipairs { "LIST", "NUMBER", "PLACE", "ALL" } do text = text:gsub(word, parts) end
  return text
end }

function features.actors.ways(f, random)
  f.is_public, f.is_by_name, f.is_numbered = random.one_in(2), random.one_in(4), not random.one_in(4)
end
function features.actors.begin(game, s) s.last, s.list, s.may_stay, s.table = 0, {}, {}, game:call(s, "those") end

-- Somebody has made an actor. `list` has those that are in the game's, in its order.
local function note(s, actor, name, is_new)
  s.last = s.last + 1
  want(actor.name, name, "the name of an actor of %d", s.f.key)
  if not s.is_open then want(actor.id, s.f.is_numbered and s.last or nil, "the id of the new actor %s", name) end
  local it <const> = { actor = actor, id = s.last, name = name, hp = 100, is_new = is_new }
  s.list[#s.list + 1] = it
  s.meta = s.meta or getmetatable(actor)
  return it
end

function features.actors.acts.new(game, s)
  game.made = game.made + 1
  local name <const> = "game" .. game.made
  note(s, game:call(s, "new", name), name)
end
function features.actors.acts.kill(game, s, random)
  if #s.list == 0 then return end
  local it <const>, all <const> = table.remove(s.list, random.below(#s.list) + 1), game:call(s, "those")
  if s.f.is_by_name then all[it.name] = nil end
  for i, actor in ipairs(all) do
    if actor == it.actor then return table.remove(all, i) end
  end
end
function features.actors.acts.hit(_, s, random)
  if #s.list == 0 then return end
  local it <const> = random.pick(s.list)
  it.actor:hit(3)
  it.hp = it.hp - 3 * s.f.k
end
function features.actors.acts.sort(game, s)
  game:call(s, "sort")
  if s.f.is_by_name then return end
  table.sort(s.list, function(a, b) return a.hp < b.hp or a.hp == b.hp and a.name < b.name end)
end

-- An edit has left an actor out. It may stay in a list of which nobody can say whether it is one of places: where each
-- has its own in a field. The counter may go back as far as no id is in use.
local function leave_out(game, s, it)
  local are_places = s.f.is_numbered and not s.f.is_by_name
  for i, other in ipairs(s.list) do are_places = are_places and other.id == i end
  s.may_stay[it.actor] = are_places or nil
  for i, other in ipairs(s.list) do
    if other == it then table.remove(s.list, i) break end
  end
end

-- All who have an id of this service: { id, ... }, that of an actor or a number.
local function holders(game, s)
  local list <const> = { table.unpack(s.f.is_numbered and s.list or {}) }
  for other in game:each_state() do
    local is_elsewhere = other.f.of == s.f.key
    for _, it in ipairs(s.list) do is_elsewhere = is_elsewhere and it ~= other.it end
    if is_elsewhere and other.f.kind == "actor" and (other.f.is_ticket or s.f.is_numbered) then
      list[#list + 1] = other.it or other
    end
  end
  return list
end

-- Where an edit makes those who run after the edited file make actors anew with other ids, theirs may change; nobody
-- has that of another one, then as always.
local function check_ids(game, s)
  local least, has <const>, last <const> = 0, {}, game:call(s, "last")
  for _, it in ipairs(holders(game, s)) do
    local id <const> = it.actor and it.actor.id or it.held and game:call(it, "mine")
    if s.is_open then it.id, it.value = id, it.value and id end
    want(has[id], nil, "who has the id %d of %d beside %s", id, s.f.key, it.name or "a ticket")
    has[id], least = it.name or "a ticket", math.max(least, id)
  end
  if (s.may_fall and last <= s.last or s.is_open) and last >= least then s.last = last end
  s.may_fall, s.is_open = nil, nil
  want(last, s.last, "the last id of actors %d", s.f.key)
end

-- Where a new one comes is not said: it has the place that the game's list gives it.
local function place_new(s, got)
  for i = #s.list, 1, -1 do
    if s.list[i].is_new then
      local it <const> = table.remove(s.list, i)
      it.is_new = nil
      local place = i
      for k, actor in ipairs(got) do place = actor == it.actor and k or place end
      table.insert(s.list, math.min(place, #s.list + 1), it)
    end
  end
end

function features.actors.check(game, s)
  local all <const>, got <const>, names <const> = game:call(s, "those"), {}, {}
  want(all, s.table, "the table of actors %d", s.f.key)
  for k, actor in pairs(all) do
    if s.f.is_by_name then want(actor.name, k, "the actor at '%s' of %d", k, s.f.key) end
  end
  if s.f.is_by_name then
    for _, it in ipairs(s.list) do got[#got + 1] = all[it.name] end
    for k in pairs(all) do names[#names + 1] = k end
    want(#names, #s.list, "how many actors %d has (%s)", s.f.key, table.concat(names, " "))
  else
    for _, actor in ipairs(all) do got[#got + 1] = not s.may_stay[actor] and actor or nil end
  end
  place_new(s, got)
  for i = 1, math.max(#s.list, #got) do
    local it <const>, actor <const> = s.list[i] or {}, got[i] or {}
    want(actor.name, it.name, "actor %d of %d", i, s.f.key)
    want(actor, it.actor, "the table of %s", it.name)
    want(actor.hp, it.hp, "hp of %s", it.name)
    if not s.is_open then want(actor.id, s.f.is_numbered and it.id or nil, "id of %s", it.name) end
    want(getmetatable(actor), s.meta, "the metatable of %s", it.name)
  end
  check_ids(game, s)
end

features.actor = { uses = "actors", is_ordered = true, text = function(f)
  return ("local mine@ = $lib.%s$of%s\nfunction M.mine@() return mine@ end\n"):format(f.is_ticket and "ticket" or "new",
    f.is_ticket and "()" or "('hero@')")
end }

function features.actor.ways(f, random) f.is_ticket = random.one_in(3) end
function features.actor.begin(game, s)
  local all <const> = game.states[s.f.of]
  if s.f.is_ticket then
    all.last = all.last + 1
    s.id, s.value = all.last, all.last
  else
    s.it = note(all, game:call(s, "mine"), "hero" .. s.f.key, s.is_added)
    s.value = s.it.actor
  end
end
function features.actor.check(game, s)
  want(game:call(s, "mine"), s.value, "what actor %d has", s.f.key)
  local is_numbered <const> = game.states[s.f.of].f.is_numbered
  if s.it then want(s.value.id, is_numbered and s.it.id or nil, "id of hero%d", s.f.key) end
end
function features.actor.gone(game, s)
  local all <const> = game.states[s.f.of]
  if s.it then leave_out(game, all, s.it) end
  all.may_fall = true
end

-- }==

-- {== What one file has, and others use =======================================

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

local function make(game, s, random)
  if #s.made > 4 then return end
  local x <const> = 1 + random.below(9)
  s.made[#s.made + 1] = { x = x, object = game:call(s, "make", x) }
  s.meta = s.meta or getmetatable(s.made[1].object)
end

local function check_made(game, s, factor)
  for i, it in ipairs(s.made) do
    want(it.object:area(), it.x * factor, "area of object %d of %d", i, s.f.key)
    want(getmetatable(it.object), s.meta, "the metatable of object %d of %d", i, s.f.key)
  end
end

features.class = { uses = "classes", acts = { make = make }, text = [[
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
  check_made(game, s, s.f.k)
  for i, it in ipairs(s.made) do
    want(it.object:twice(), 2 * it.x * s.f.k, "twice the area of object %d of %d", i, s.f.key)
    want(game:call(s, "class_of", it.object), true, "that object %d is of class %d", i, s.f.key)
  end
end

features.shape = { acts = { make = make }, text = [[
local Shape@ = {}
Shape@.__index = Shape@
function Shape@:area() return self.x * $K end
local made@ = {}
function M.make@(x)
  made@[#made@ + 1] = setmetatable({ x = x }, Shape@)
  return made@[#made@]
end
local first@ <const> = M.make@(2)
function M.first@() return first@, made@ end
]] }

function features.shape.begin(game, s)
  s.made = { { x = 2, object = game:call(s, "first") } }
  s.meta = getmetatable(s.made[1].object)
end
function features.shape.check(game, s)
  check_made(game, s, s.f.k)
  local first <const>, made <const> = game:call(s, "first")
  want(first, s.made[1].object, "the first object of %d", s.f.key)
  want(#made, #s.made, "how many objects %d has made", s.f.key)
  for i, it in ipairs(s.made) do want(made[i], it.object, "object %d of %d", i, s.f.key) end
end

-- }==

-- {== Pools ===================================================================

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

-- }==

return features
