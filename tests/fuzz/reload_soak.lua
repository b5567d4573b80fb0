-- Reloads a game under load again and again: lua5.4 tests/fuzz/reload_soak.lua [reloads] [seed]
-- Each file has a second version; every reload puts the other one in the place of one file, in turn. Afterwards memory
-- is what it was after the first rounds, in Lua, in the pools and in the process, and the objects that nobody recycled
-- are the ones from the start, value by value.
package.path = "tests/lua/?.lua;" .. package.path
require "spawnpool"
local reload <const> = require "spawnpool.reload"
local game <const> = require "reload_game"
local shape <const> = require "reload_shape"

local reloads <const>, seed <const> = tonumber(arg[1]) or 10000, tonumber(arg[2]) or 1
local WARM_UP <const> = 600 -- reloads after which tables have their size
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
}

local function replaced(text, change)
  local result <const>, count <const> = text:gsub(change[2], change[3])
  assert(count == 1, change[2])
  return result
end

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

-- The reload number `n`: one change, made or taken back.
local function one_reload(g, texts, n)
  local change <const> = CHANGES[(n - 1) % #CHANGES + 1]
  local file <const> = change[1]
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
local ok <const>, message <const> = pcall(run, g)
g:close(not ok)
if not ok then
  io.stderr:write(("%s\nthe game is in %s\n"):format(message, g.folder))
  os.exit(1)
end
