-- Edits a game while it runs, thousands of times; reload_trial.lua checks what must hold after each edit.
--   lua5.4 tests/fuzz/reload.lua [random edits] [seed]      cuts every class file at every byte, then edits at random
--   lua5.4 tests/fuzz/reload.lua soak [reloads] [seed]      the same edits again and again: memory stays flat
-- The folder of the game is printed first and stays after a failure: if the process dies, the last edit is in there.
-- What the library reports about the broken code goes to stderr.
package.path = "tests/lua/?.lua;" .. package.path
require "spawnpool"
local reload <const> = require "spawnpool.reload"
local edits <const> = require "reload_edits"
local game <const> = require "reload_game"
local trial <const> = require "reload_trial"

local is_soak <const> = arg[1] == "soak"
local first <const> = is_soak and 2 or 1
local count <const>, seed <const> = tonumber(arg[first]) or (is_soak and 10000 or 5000), tonumber(arg[first + 1]) or 1
local STEPS <const> = 3

-- {== Every byte, and at random ==============================================

local files <const> = {}
for file in pairs(game.FILES) do files[#files + 1] = file end
table.sort(files)

local function cut_everywhere(t)
  for _, file in ipairs(files) do
    local text <const> = game.FILES[file]
    for length = 0, file:find "^pools/" and #text - 1 or -1 do trial.try(t, file, edits.cut(text, length)) end
  end
end

local function fuzz(t)
  cut_everywhere(t)
  print("cut off at every byte: " .. trial.report(t))
  local random <const> = game.chance(seed)
  for _ = 1, count do
    local file <const> = files[random(#files) + 1]
    trial.try(t, file, edits.random(game.FILES[file], random))
  end
  print("and at random: " .. trial.report(t))
end

-- }==

-- {== The same edits again and again =========================================

local ROUNDS_TO_WARM_UP <const> = 20 -- after which tables have their size
local KEPT <const> = 5 -- objects of each type that live from start to end
-- KiB that may come and go: buffers, a list of the pools that doubles with a late peak, and what malloc keeps.
local HEAP_SLACK <const>, POOLS_SLACK <const>, PROCESS_SLACK <const> = 64, 1, 2048

-- What an author changes: numbers, a local, a function, a field, a handler. The good text comes back after each.
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
-- Code that fails in the next frame: the version before comes back, and the frame goes well after all.
local LATE <const> = {
  { "pools/Crew.lua", 'tally.add%("frames"%)', "error 'late'" },
  { "pools/Enemy.lua", "e.age_seen = e.age_seen", "error 'late' %0" },
}
local REJECTED <const> = { -- whole texts, and what they do before they fail
  { "pools/Thing.lua", ".*", "local broken <const> =" },
  { "tally.lua", ".*", "count = (count or 0) + 1\nerror('rejected')" },
  -- reload_shape.lua runs the text too, with a copy of tally and another spawnpool: it must not alloc there.
  { "pools/Spark.lua", ".*", [[
require("tally").add = nil
if require "spawnpool" == package.loaded.spawnpool then soak.pools:alloc("Spark", 1) end
error "rejected"
]] },
}

local function process_kib()
  local status <close> = io.open("/proc/self/status")
  return status and tonumber(status:read("a"):match("VmRSS:%s*(%d+)")) or 0
end

-- KiB after everything dead is gone: Lua's heap, the pools' storage, the process.
local function measure(t)
  collectgarbage()
  collectgarbage()
  local m <const> = {
    heap = collectgarbage "count", pools = t.game.pools:stats().bytes / 1024, process = process_kib(),
  }
  print(("after %6d edits   Lua %9.1f KiB   pools %9.1f KiB   process %8d KiB"):format(t.count, m.heap, m.pools,
    m.process))
  return m
end

-- Objects that the load leaves alone: pinned, and never held by it.
local function keep_some(t)
  local kept <const> = {}
  for _, type in ipairs(game.TYPES) do
    for _ = 1, KEPT do
      local o <const> = assert(t.game.pools:alloc(type, 0, 1, 2))
      o.pinned = true
      kept[#kept + 1] = o
    end
  end
  return kept
end

-- The kept objects live, their timers tick and their coroutines step.
local function check_kept(t, kept)
  local before <const> = {}
  for _, o in ipairs(kept) do
    assert(o.alive, tostring(o) .. " is gone")
    if o.type == "Crew" then
      o:run(function(c) coroutine.yield(0.01) c.steps = c.steps + 1 end)
      before[o] = { bag = o.bag.n, steps = o.steps }
      assert(o.met > 0, tostring(o) .. " has not met its new code")
    end
  end
  t.game:play(8)
  for o, was in pairs(before) do
    assert(o.bag.n > was.bag, ("the timer of %s stands still"):format(o))
    assert(o.steps > was.steps, ("the coroutine of %s stands still"):format(o))
  end
end

local function one_round(t)
  for kind, list in pairs { accepted = CHANGES, reverted = LATE, refused = REJECTED } do
    for _, change in ipairs(list) do
      local text <const>, replaced <const> = game.FILES[change[1]]:gsub(change[2], change[3], 1)
      local before <const> = t[kind]
      assert(replaced == 1, change[2])
      trial.try(t, change[1], text, change[3])
      assert(t[kind] == before + 1, ("%s: %q is not %s"):format(change[1], change[3], kind))
      assert(rawget(_G, "count") == nil, "a rejected file has left something")
    end
  end
end

local function soak(t)
  _G.soak = t.game
  local per_round <const> = 2 * (#CHANGES + #LATE + #REJECTED) -- reloads
  local kept <const>, rounds <const> = keep_some(t), math.max(count // per_round, ROUNDS_TO_WARM_UP + 1)
  local before
  for round = 1, rounds do
    one_round(t)
    check_kept(t, kept)
    if round == ROUNDS_TO_WARM_UP then before = measure(t) end
  end
  local after <const> = measure(t)
  assert(after.heap - before.heap <= HEAP_SLACK, "Lua's heap has grown")
  assert(after.pools - before.pools <= POOLS_SLACK, "the pools' storage has grown")
  assert(after.process - before.process <= PROCESS_SLACK, "the process has grown")
end

-- }==

local t <const> = trial.open(reload, seed, STEPS)
io.stdout:setvbuf "line"
print(("the game is in %s, seed %d"):format(t.game.folder, seed))
local ok <const>, message <const> = pcall(is_soak and soak or fuzz, t)
t.game:close(not ok)
if not ok then
  print(("%s\nagain with: lua5.4 %s %s"):format(message, arg[0], table.concat(arg, " ")))
  os.exit(1)
end
