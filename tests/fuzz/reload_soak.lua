-- Reloads a game under load again and again: lua5.4 tests/fuzz/reload_soak.lua [reloads] [seed]
-- Each file has a second version; every reload puts the other one in the place of one file, in turn. Before every tenth
-- one an edit is refused, before every twentieth one fails later and is taken back. Afterwards memory is what it was
-- after the first rounds, in Lua, in the pools and in the process, and the objects that nobody recycled are those from
-- the start, value by value, with their timers and coroutines.
package.path = "tests/lua/?.lua;" .. package.path
require "spawnpool"
local reload <const> = require "spawnpool.reload"
local game <const> = require "reload_game"
local shape <const> = require "reload_shape"
game.FILES["pools/Crew.lua"] = require "reload_crew"
game.TYPES[#game.TYPES + 1] = "Crew"

local reloads <const>, seed <const> = tonumber(arg[1]) or 10000, tonumber(arg[2]) or 1
local WARM_UP <const> = 600 -- reloads after which tables have their size
local REFUSED_EACH <const>, REVERTED_EACH <const> = 10, 20
local PROBATION <const> = 120 -- polls after which a version counts as good
local KEPT <const> = 5 -- objects of each type that live from start to end
local HEAP_SLACK <const>, PROCESS_SLACK <const> = 64, 2048 -- KiB that may come and go: buffers, and what malloc keeps

-- What the author changes to and fro in each file: numbers, a local, a function, a field, a handler.
local CHANGES <const> = {
  { "rules.lua", "speed = 40", "speed = 55" },
  { "tally.lua", "or 0%) %+ 1\n  total", "or 0) + 2\n  total" },
  { "pools/Thing.lua", "hits = 3, heat", "hits = 4, weight = 1, heat" },
  { "pools/Bullet.lua", "local shots = 0", "local shots = 1000\nlocal function unused() return shots end\nunused()" },
  { "pools/Bullet.lua", "limit = 32", "limit = 40" },
  { "pools/Enemy.lua", "mood > 2", "mood > 3" },
  { "pools/Enemy.lua", "function Enemy:on_despawn%(e%)", "function Enemy:on_create() end\n\n%0" },
  { "pools/Spark.lua", "dim = function", "shine = function(self) self.glow = 1 end, dim = function" },
  { "pools/Crew.lua", "for _ = 1, 3 do", "for _ = 1, 4 do" },
  { "pools/Crew.lua", "met = 0,", "met = 0, rank = 1," },
}

local function replaced(text, change)
  local result <const>, count <const> = text:gsub(change[2], change[3])
  assert(count == 1, change[2])
  return result
end

-- Texts that do not come through, and what they do before.
local REFUSED <const> = {
  "local broken <const> =",
  "count = (count or 0) + 1\nerror('refused')",
  "require('tally').add = nil\nsoak.pools:alloc('Spark', 1)\nerror('refused')",
}
local LATE <const> = { "pools/Crew.lua", "pools/Enemy.lua" } -- files with an update

-- {== Memory ==================================================================

local function process_kib()
  local status <close> = io.open("/proc/self/status")
  return status and tonumber(status:read("a"):match("VmRSS:%s*(%d+)")) or 0
end

-- KiB after everything dead is gone: Lua's heap, the pools' storage, the process.
local function measure(g)
  collectgarbage()
  collectgarbage()
  return { heap = collectgarbage "count", pools = g.pools:stats().bytes / 1024, process = process_kib() }
end

local function show(words, m)
  print(("%-20s Lua %9.1f KiB   pools %9.1f KiB   process %8d KiB"):format(words, m.heap, m.pools, m.process))
end

-- }==

-- {== The game ================================================================

local function values_of(o)
  local values <const> = { id = o.id, type = o.type, radius = o.radius }
  if o.type == "Spark" then
    values.glow, values.kind = o.glow, o.kind
  else
    values.hits, values.name = o.hits, o.name
  end
  if o.type == "Crew" then values.badge, values.bag, values.note, values.mate = o.badge, o.bag, o.note, o.mate end
  return values
end

-- Objects that the load leaves alone: pinned, and never held by it.
local function keep_some(g)
  local kept <const> = {}
  for _, type in ipairs(game.TYPES) do
    for _ = 1, KEPT do
      local o <const> = assert(g.pools:alloc(type, 0, 1, 2))
      o.pinned, o.radius = true, #kept + 1
      kept[o] = values_of(o)
    end
  end
  return kept
end

local function check_kept(kept, when)
  for o, before in pairs(kept) do
    assert(o.alive, ("%s: %s is gone"):format(when, o))
    for name, value in pairs(values_of(o)) do
      assert(before[name] == value, ("%s: %s.%s is %s, was %s"):format(when, o, name, value, before[name]))
    end
  end
end

-- Timers tick and coroutines step, also those from before.
local function check_alive(g, kept, when)
  local before <const> = {}
  for o in pairs(kept) do
    if o.type == "Crew" then
      o:run(function(c) coroutine.yield(0.01) c.steps = c.steps + 1 end)
      before[o] = { bag = o.bag.n, steps = o.steps }
      assert(o.met > 0, ("%s: %s has not met its new code"):format(when, o))
    end
  end
  g:play(8)
  for o, was in pairs(before) do
    assert(o.bag.n > was.bag, ("%s: the timer of %s stands still"):format(when, o))
    assert(o.steps > was.steps, ("%s: the coroutine of %s stands still"):format(when, o))
  end
end

-- The text that runs is back in its file: there is nothing to run, and at most something to say.
local function expect_same(result, n, file)
  assert(not result or (result.ok and #result.files == 0), ("reload %d, %s: the text differs"):format(n, file))
end

-- An edit that does not come through; the text that runs is put back.
local function one_refusal(g, texts, n, file)
  local good <const>, live <const> = texts[file] or game.FILES[file], g.pools:stats().live
  g:save(file, REFUSED[n // REFUSED_EACH % #REFUSED + 1] .. "\n")
  local result <const> = g.reload.now()
  assert(result and not result.ok and not result.reverted, ("reload %d, %s: it was not refused"):format(n, file))
  g:save(file, good)
  expect_same(g.reload.now(), n, file)
  assert(count == nil and g.pools:stats().live == live, "a refused file has left something") -- luacheck: ignore
end

-- An edit whose code fails in the next frame: the version before is back, and the frame goes well after all.
local function one_reversion(g, texts, n, file)
  local good <const>, class <const> = texts[file] or game.FILES[file], file:match "/(%w+)"
  g:play(PROBATION + 1)
  g:save(file, (good:gsub("\nreturn [^\n]*\n$", ("\nfunction %s:update() error 'late' end%%0"):format(class))))
  local result <const> = g.reload.now()
  assert(result and result.ok, ("reload %d, %s: %s"):format(n, file, result and result.error))
  g.pools:update(1 / 64)
  local told <const> = g.reload.poll()
  assert(told and told.reverted, ("reload %d, %s: it was not taken back"):format(n, file))
  assert(shape.in_force(file) == shape.expected(file, good), file .. ": the good version is not in force")
  g:save(file, good)
  expect_same(g.reload.now(), n, file)
end

-- The reload number `n`: one change, made or taken back.
local function one_reload(g, texts, n)
  local change <const> = CHANGES[(n - 1) % #CHANGES + 1]
  local file <const> = change[1]
  if n % REFUSED_EACH == 0 then one_refusal(g, texts, n, CHANGES[n // REFUSED_EACH % #CHANGES + 1][1]) end
  if n % REVERTED_EACH == 0 then one_reversion(g, texts, n, LATE[n // REVERTED_EACH % #LATE + 1]) end
  local back <const> = replaced(game.FILES[file], change)
  texts[file] = texts[file] == back and game.FILES[file] or back
  g:save(file, texts[file])
  local result <const> = g.reload.now()
  assert(result, ("reload %d, %s: the edit was not seen"):format(n, file))
  assert(result.ok, ("reload %d, %s: %s"):format(n, file, result.error))
  g:play(1)
end

local function run(g)
  local kept <const>, texts <const>, round <const> = keep_some(g), {}, 2 * #CHANGES
  local warm <const> = math.max(WARM_UP // round, 1) * round
  local last <const> = math.max(reloads // round * round, warm + round) -- whole rounds: the same versions at both ends
  local before
  for n = 1, last do
    one_reload(g, texts, n)
    if n % round == 0 then check_kept(kept, "after reload " .. n) end
    if n % round == 0 then check_alive(g, kept, "after reload " .. n) end
    if n == warm then
      before = measure(g)
      show(("after %d reloads"):format(n), before)
    end
  end
  local after <const> = measure(g)
  show(("after %d reloads"):format(last), after)
  g:check()
  for file, text in pairs(texts) do
    assert(shape.in_force(file) == shape.expected(file, text), file .. ": the last version is not in force")
  end
  assert(after.heap - before.heap <= HEAP_SLACK, "Lua's heap has grown")
  assert(after.pools == before.pools, "the pools' storage has changed")
  assert(after.process - before.process <= PROCESS_SLACK, "the process has grown")
end

-- }==

local g <const> = game.open(reload, seed)
soak = g -- luacheck: ignore
local ok <const>, message <const> = pcall(run, g)
g:close(not ok)
if not ok then
  io.stderr:write(("%s\nthe game is in %s\n"):format(message, g.folder))
  os.exit(1)
end
