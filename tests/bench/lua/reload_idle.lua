-- Cost of hot reload between edits. `files`: 1000 files are watched and polled 60 times a second. `trial`: new
-- code is on probation, and a hook of a class runs again and again.
local measure <const> = require "measure"
local project <const> = require "reload_project"

local FRAME <const> = 1 / 60
local spawnpool <const> = require "spawnpool"
local reload <const> = require "spawnpool.reload"

local contestants <const> = {}

-- Share of a processor in percent, the longest poll in microseconds, and the median one.
function contestants.files()
  local folder <const> = project.folder()
  for i = 1, 1000 do project.write(folder, ("file%04d.lua"):format(i), ("return %d\n"):format(i)) end
  reload.watch(folder)
  local polls <const>, times <const> = measure.quick and 60 or 180, {}
  local due = os.clock()
  for n = 1, polls do
    repeat until os.clock() >= due
    due = due + FRAME
    local begin <const> = os.clock()
    reload.poll()
    times[n] = os.clock() - begin
  end
  local spent = 0
  for _, seconds in ipairs(times) do spent = spent + seconds end
  measure.report("share", spent / (polls * FRAME) * 100)
  measure.report("longest", math.max(table.unpack(times)) * 1e6)
  measure.report("poll", measure.median(times) * 1e6)
  project.remove(folder)
end

local TEXT <const> = [[
local spawnpool <const> = require "spawnpool"
local Thing <const> = spawnpool.class("Thing", { fields = { hits = 1 } })
function Thing:on_spawn(o) o.hits = %d end
return Thing
]]

-- Nanoseconds of an alloc and a recycle with a hook, and of a poll, before a reload and while its code is on probation.
function contestants.trial()
  local folder <const> = project.folder()
  project.write(folder, "Thing.lua", TEXT:format(1))
  reload.watch(folder)
  local pools <const> = spawnpool.new { path = folder .. "/?.lua" }
  local pool <const> = pools:pool "Thing"
  local function time(name, polls, work)
    local times <const> = {}
    for n = 1, 41 do
      local begin <const> = os.clock()
      for _ = 1, polls do work() end
      times[n] = (os.clock() - begin) / polls * 1e9
    end
    measure.report(name, measure.median(times))
  end
  local function live() pools:recycle(pool:alloc()) end
  time("door", 1000, live)
  project.write(folder, "Thing.lua", TEXT:format(2))
  assert(reload.now().ok)
  time("trial_door", 1000, live)
  time("trial_poll", 2, reload.poll)
  project.remove(folder)
end

contestants[arg[1]]()
