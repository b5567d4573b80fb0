-- The features of which the files of played projects (played_project.lua) consist. Each kind of feature has a text, and
-- knows the state that the running game must have, without asking the library.
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

-- A timer that the file starts when it runs.
local TICKERS <const> = {
  anonymous = "POOLS:every(1 / 64, function() $cell = $cell + $K end)",
  named = "POOLS:every(1 / 64, beat@)",
  field = "POOLS:every(1 / 64, M.beat@)",
  run = "POOLS:run(function() while true do coroutine.yield(1 / 64) beat@() end end)",
}
local TICKER_NAMES <const> = { "anonymous", "named", "field", "run" }

features.ticker = { acts = {}, text = function(f)
  local beat <const> = f.way == "anonymous" and "" or "local function beat@() $cell = $cell + $K end\n"
  local offer <const> = f.way == "field" and "M.beat@ = beat@\n" or ""
  local start <const> = f.has_handle and "local timer@ = %s\nfunction M.stop@() timer@:stop() end\n" or "%s\n"
  return "$decl\n" .. beat .. offer .. start:format(TICKERS[f.way]) .. "function M.n@() return $cell end\n"
end }

function features.ticker.ways(f, random)
  f.way, f.has_handle = random.pick(TICKER_NAMES), random.one_in(2)
end
function features.ticker.begin(_, s) s.n = 0 end
function features.ticker.work(_, s) s.n = s.n + (s.is_over and 0 or s.f.k) end
function features.ticker.acts.stop(game, s)
  if not s.f.has_handle or s.is_over then return end
  game:call(s, "stop")
  s.is_over = true
end
function features.ticker.check(game, s) want(game:call(s, "n"), s.n, "what ticker %d counts", s.f.key) end

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
  return ("function %s@(s) return s .. $K end\n"):format(f.is_global and "Shout" or "string.shout")
end }

local function shouting(f)
  if f.is_global then return _G["Shout" .. f.key] end
  return string["shout" .. f.key]
end

function features.shout.begin() end
function features.shout.check(_, s)
  local shout <const> = shouting(s.f)
  want(shout and shout "a", "a" .. s.f.k, "shout %d", s.f.key)
end
function features.shout.gone(_, s) want(shouting(s.f), nil, "shout %d, which is gone,", s.f.key) end

-- Makes objects of a class where a file does, and checks their state.
function features.make(game, s, random)
  if #s.made > 4 then return end
  local x <const> = 1 + random.below(9)
  s.made[#s.made + 1] = { x = x, object = game:call(s, "make", x) }
  s.meta = s.meta or getmetatable(s.made[1].object)
end

function features.check_made(_, s)
  for i, it in ipairs(s.made) do
    want(it.object:area(), it.x * s.f.k, "area of object %d of %d", i, s.f.key)
    want(getmetatable(it.object), s.meta, "the metatable of object %d of %d", i, s.f.key)
  end
end

features.shape = { acts = { make = features.make }, text = [[
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
  features.check_made(game, s)
  local first <const>, made <const> = game:call(s, "first")
  want(first, s.made[1].object, "the first object of %d", s.f.key)
  want(#made, #s.made, "how many objects %d has made", s.f.key)
  for i, it in ipairs(s.made) do want(made[i], it.object, "object %d of %d", i, s.f.key) end
end

-- }==

return features
