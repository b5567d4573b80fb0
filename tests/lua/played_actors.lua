-- Features of played projects: actors, and those who make one at file scope, which raises a counter of another file.
local features <const> = require "played_features"

local want <const> = features.want

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
  for i, actor in ipairs(game:call(s, "those")) do are_places = are_places and actor.id == i end
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
